#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "number.h"

enum { BUFFER_SIZE = 1 << 16 };

static struct {
    int file;
    const char *name; /* for messages */
    char *target;     /* what `temporary` is renamed to; null: written in place */
    char *temporary;
    volatile sig_atomic_t unfinished; /* whether `temporary` is there to be removed */
    size_t length;                    /* bytes in the buffer */
    char buffer[BUFFER_SIZE];
} output;

static noreturn void fail_to(const char *what) {
    fail("cannot %s %s: %s", what, output.name, strerror(errno));
}

/* ---- The temporary file ---- */

static void remove_unfinished(void) {
    if (output.unfinished) unlink(output.temporary);
}

/* Only calls that a signal handler may make; then dies of the signal, as without the handler. */
static void remove_and_die(int number) {
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

/* All that end a program unless it catches them, and that it can catch. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                             SIGFPE,  SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
                             SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS};
enum { DEADLY = sizeof deadly / sizeof *deadly };

static void remove_if_interrupted(void) {
    for (size_t i = 0; i < DEADLY; i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = remove_and_die};
        /* Ignored signals (nohup) stay ignored. */
        if (!sigaction(deadly[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    }
}

/* Makes the file and records its name with signals held, so that none comes between the two. */
static int make_temporary(void) {
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t i = 0; i < DEADLY; i++)
        sigaddset(&held, deadly[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    int file = mkstemp(output.temporary);
    output.unfinished = file >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return file;
}

/* The first `length` bytes of a path and an ending; to be freed. */
static char *joined(const char *path, size_t length, const char *ending) {
    const size_t size = length + strlen(ending) + 1;
    char *text = allocate(size, 1);
    snprintf(text, size, "%.*s%s", (int)length, path, ending);
    return text;
}

/* The length of a path's folder with the slash behind it. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The usual permissions of a new file: mkstemp's files are accessible to their owner only. */
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* The name of the temporary file does not grow with the target's, which may be as long as can be.
 */
static void open_beside(char *target, mode_t mode) {
    output.target = target;
    output.temporary = joined(target, folder_length(target), ".impinge-XXXXXX");
    static bool watched;
    if (!watched) {
        atexit(remove_unfinished);
        remove_if_interrupted();
        watched = true;
    }
    output.file = make_temporary();
    if (output.file < 0) fail_to("write");
    (void)fchmod(output.file, mode);
}

/* ---- Where a path leads ---- */

/* The target of a link, relative to its folder; null: it is no link. To be freed. */
static char *next_of_link(const char *path) {
    char text[PATH_MAX];
    const ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0) return NULL;
    text[length] = '\0';
    return joined(path, text[0] == '/' ? 0 : folder_length(path), text);
}

/* Keeps links: the file that a link points to is written, even if it does not exist. */
static char *end_of_links(const char *path) {
    enum { LINKS_MAX = 40 }; /* as Linux allows */
    char *at = joined(path, strlen(path), "");
    for (int i = 0; i < LINKS_MAX; i++) {
        char *next = next_of_link(at);
        if (!next) return at;
        free(at);
        at = next;
    }
    errno = ELOOP;
    fail_to("write");
}

/* The folder's identity and the name in it. */
typedef struct location {
    char *path;
    dev_t device;
    ino_t folder;
} location;

static location location_of(const char *path) {
    output.name = path;
    location of = {.path = end_of_links(path)};
    char *folder = joined(of.path, folder_length(of.path), ".");
    struct stat status;
    if (!stat(folder, &status)) {
        of.device = status.st_dev;
        of.folder = status.st_ino;
    }
    free(folder);
    return of;
}

static bool same_location(const location *a, const location *b) {
    return a->device == b->device && a->folder == b->folder &&
           !strcmp(a->path + folder_length(a->path), b->path + folder_length(b->path));
}

static bool same_file(const char *first, const char *second) {
    location a = location_of(first), b = location_of(second);
    const bool same = same_location(&a, &b);
    free(a.path);
    free(b.path);
    return same;
}

void output_require_distinct(const output_name *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (names[i].path && names[j].path && same_file(names[i].path, names[j].path))
                fail("%s and %s both name %s", names[j].option, names[i].option, names[i].path);
}

/* ---- Writing ---- */

void output_open(const char *path) {
    output.name = path;
    output.length = 0;
    if (!strcmp(path, "-")) {
        output.name = "standard output";
        output.file = STDOUT_FILENO;
        fflush(stdout);
        return;
    }
    struct stat old;
    bool exists = !stat(path, &old);
    if (exists && !S_ISREG(old.st_mode)) {
        output.file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (output.file < 0) fail_to("write");
        return;
    }
    open_beside(end_of_links(path), exists ? old.st_mode & 0777 : usual_mode());
}

const char *output_path(void) { return output.target ? output.temporary : NULL; }

static void write_all(const char *bytes, size_t length) {
    while (length) {
        const ssize_t written = write(output.file, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_to("write");
        bytes += written;
        length -= (size_t)written;
    }
}

void output_flush(void) {
    write_all(output.buffer, output.length);
    output.length = 0;
}

void output_write(span bytes) {
    if (bytes.length > BUFFER_SIZE - output.length) output_flush();
    if (bytes.length > BUFFER_SIZE) {
        write_all(bytes.start, bytes.length);
        return;
    }
    memcpy(output.buffer + output.length, bytes.start, bytes.length);
    output.length += bytes.length;
}

void output_text(const char *text) { output_write(span_of(text)); }

void output_number(double value, const char *separator) {
    char text[NUMBER_SIZE];
    number_write(text, value, PRECISION_F64);
    output_text(text);
    output_text(separator);
}

void output_sync(void) {
    output_flush();
    /* A pipe or the like has no disk to wait for. */
    if (fsync(output.file) && errno != EINVAL && errno != EROFS) fail_to("write");
}

void output_finish(void) {
    output_flush();
    if (output.file != STDOUT_FILENO && close(output.file)) fail_to("write");
    if (!output.target) return;
    if (rename(output.temporary, output.target)) fail_to("write");
    output.unfinished = 0;
    free(output.target);
    free(output.temporary);
    output.target = output.temporary = NULL;
}

int output_exit(int code) {
    if (fflush(stdout) || ferror(stdout)) fail("cannot write standard output");
    return code;
}
