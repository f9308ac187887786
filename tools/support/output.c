#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

static struct {
    FILE *stream;
    const char *name; /* for messages */
    char *target;     /* what `temporary` is renamed to; null: written in place */
    char *temporary;
    volatile sig_atomic_t unfinished; /* whether `temporary` is there to be removed */
} output;

static void remove_unfinished(void) {
    if (output.unfinished) unlink(output.temporary);
}

/* Only calls that a signal handler may make; then dies of the signal, as without the handler. */
static void remove_and_die(int number) {
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static const int deadly[] = {SIGHUP, SIGINT, SIGTERM};
enum { DEADLY = sizeof deadly / sizeof *deadly };

static void remove_if_interrupted(void) {
    for (size_t i = 0; i < DEADLY; i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = remove_and_die};
        /* What is ignored (nohup) stays ignored. */
        if (!sigaction(deadly[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    }
}

/* Makes the file and says so; no signal comes between the two. */
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

static noreturn void fail_to(const char *what) {
    fail("cannot %s %s: %s", what, output.name, strerror(errno));
}

static char *joined(const char *path, const char *ending) {
    const size_t size = strlen(path) + strlen(ending) + 1;
    char *text = allocate(size, 1);
    snprintf(text, size, "%s%s", path, ending);
    return text;
}

/* What a file that a program makes may be used for: mkstemp's files are their owner's only. */
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void open_in_place(const char *path) {
    output.stream = fopen(path, "wb");
    if (!output.stream) fail_to("write");
}

static void open_beside(char *target, mode_t mode) {
    output.target = target;
    output.temporary = joined(target, ".XXXXXX");
    static bool watched;
    if (!watched) {
        atexit(remove_unfinished);
        remove_if_interrupted();
        watched = true;
    }
    int file = make_temporary();
    if (file < 0) fail_to("write");
    (void)fchmod(file, mode);
    output.stream = fdopen(file, "wb");
    if (!output.stream) fail_to("write");
}

void output_open(const char *path) {
    output.name = path;
    if (!strcmp(path, "-")) {
        output.name = "standard output";
        output.stream = stdout;
        return;
    }
    struct stat old;
    bool exists = !stat(path, &old);
    if (exists && !S_ISREG(old.st_mode)) {
        open_in_place(path);
        return;
    }
    /* A link keeps being a link: what it points to is replaced. */
    char *target = exists ? realpath(path, NULL) : joined(path, "");
    if (!target) fail_to("write");
    open_beside(target, exists ? old.st_mode & 0777 : usual_mode());
}

void output_write(span bytes) {
    if (fwrite(bytes.start, 1, bytes.length, output.stream) != bytes.length) fail_to("write");
}

void output_text(const char *text) { output_write(span_of(text)); }

void output_finish(void) {
    bool ours = output.stream != stdout;
    if (ours ? fclose(output.stream) : fflush(output.stream)) fail_to("write");
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
