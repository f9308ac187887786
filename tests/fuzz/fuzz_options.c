/*
 * The options of the program and of the examples: they are run with arguments that the input
 * chooses from its own words (commands, and the options that their --help names), from numbers and
 * names, and from bytes. It runs in a temporary folder, for two seconds of CPU time at most (its
 * work may take long, and then a signal ends it). It is a fault if a signal of another kind ends
 * it, or if it exits with anything else than 0, 1 and 2, or exits with 2 and says nothing.
 *
 * From the build: IMPINGE_PROGRAM, and EXAMPLES, a folder. No coverage is followed: the program is
 * another process.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "target.h"

static const char *const values[] = {"",
                                     "0",
                                     "1",
                                     "-1",
                                     "0.5",
                                     "-0.25",
                                     "2",
                                     "3.5",
                                     "1e-320",
                                     "1e308",
                                     "1e400",
                                     "-0",
                                     "nan",
                                     "inf",
                                     "0x1p-3",
                                     "1e",
                                     "12345678901234567890",
                                     "f32",
                                     "f64",
                                     "routh",
                                     "smith",
                                     "composite",
                                     "brach",
                                     "bilinear",
                                     "scalar",
                                     "avx2",
                                     "none",
                                     "pour",
                                     "gas",
                                     "cradle",
                                     "rod",
                                     "break",
                                     "billiard",
                                     "stronge",
                                     "poisson",
                                     "newton",
                                     "threshold",
                                     "in.csv",
                                     "in",
                                     "-",
                                     "out.csv",
                                     "out.dump",
                                     "/dev/null",
                                     "/dev/full",
                                     "missing",
                                     "--",
                                     "--help",
                                     "-o",
                                     "--output=",
                                     "--threads=2"};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { OPTIONS_MAX = 256, ARGUMENTS_MAX = 24, CPU_SECONDS = 2 };

static char options[OPTIONS_MAX][40];
static size_t option_count;

static void add_option(const char *text, size_t length) {
    if (length >= sizeof options[0] || option_count == OPTIONS_MAX) return;
    char *const to = options[option_count];
    memcpy(to, text, length);
    to[length] = '\0';
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(options[i], to) == 0) return;
    option_count++;
}

static char programs[COMMANDS][1024];

static bool is_example(size_t command) { return command >= PROGRAM_COMMANDS; }

static void find_programs(void) {
    for (size_t i = 0; i < COMMANDS; i++)
        snprintf(programs[i], sizeof programs[i], "%s%s", is_example(i) ? EXAMPLES "/" : "",
                 is_example(i) ? command_names[i] : IMPINGE_PROGRAM);
}

/* Every word of a command's help that begins as an option does. */
static void read_help(size_t command) {
    const char *const name = is_example(command) ? "" : command_names[command];
    char line[2048];
    snprintf(line, sizeof line, "'%s' %s --help", programs[command], name);
    FILE *const pipe = popen(line, "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        for (const char *at = line; (at = strstr(at, "--"));) {
            const size_t length = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
            if (length > 3) add_option(at, length);
            at += length;
        }
    }
    if (!pipe || pclose(pipe) != 0) {
        fprintf(stderr, "fuzz: %s %s --help fails\n", programs[command], name);
        exit(2);
    }
}

static char folder[64];

static void write_table(void) {
    FILE *const to = fopen("in.csv", "w");
    if (!to) exit(2);
    fputs("k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\n"
          "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\n"
          "2,0.25,-0.5,3,0.125,1,-0.5,1,-1,0,1\n",
          to);
    fclose(to);
}

static void remove_folder(void) {
    DIR *const files = opendir(folder);
    for (const struct dirent *entry; files && (entry = readdir(files));)
        if (entry->d_name[0] != '.') unlinkat(dirfd(files), entry->d_name, 0);
    if (files) closedir(files);
    rmdir(folder);
}

static void begin(void) {
    find_programs();
    for (size_t i = 0; i < COMMANDS; i++)
        read_help(i);
    snprintf(folder, sizeof folder, "/tmp/impinge-fuzz-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0) exit(2);
    atexit(remove_folder);
}

/* Arguments: a byte chooses a word of one of the lists, or how many bytes that follow are one. */
static size_t arguments_of(const uint8_t *data, size_t size, char *arguments[], char *room) {
    size_t count = 0;
    const size_t command = size > 0 ? data[0] % COMMANDS : 0;
    arguments[count++] = programs[command];
    if (!is_example(command)) arguments[count++] = (char *)(size_t)command_names[command];
    for (size_t i = 1; i + 1 < size && count < ARGUMENTS_MAX; i += 2) {
        const uint8_t which = data[i], number = data[i + 1];
        if (which < 110) {
            arguments[count++] = options[number % option_count];
        } else if (which < 246) {
            arguments[count++] = (char *)(size_t)values[number % COUNT_OF(values)];
        } else {
            const size_t length = number % 16, left = size - i - 2;
            const size_t taken = length < left ? length : left;
            arguments[count++] = room;
            /* No name leads out of the folder; the zero ends a word. */
            for (size_t b = 0; b < taken; b++)
                *room++ = (char)(data[i + 2 + b] == '/' ? '_' : data[i + 2 + b]);
            *room++ = '\0';
            i += taken;
        }
    }
    arguments[count] = NULL;
    return count;
}

static void limit(int what, rlim_t to) {
    const struct rlimit limits = {to, to};
    setrlimit(what, &limits);
}

static void run_program(char *const arguments[], int said) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    limit(RLIMIT_CPU, CPU_SECONDS);
    limit(RLIMIT_FSIZE, 1 << 20);
#if !defined PROGRAM_HAS_SANITIZER /* which reserves more than there is */
    limit(RLIMIT_AS, (rlim_t)1 << 30);
#endif
    limit(RLIMIT_CORE, 0);
    signal(SIGXFSZ, SIG_IGN);
    execv(arguments[0], arguments);
    _exit(127);
}

static void fail(char *const arguments[], const char *what, int number, const char *said) {
    fprintf(stderr, "fuzz: %s %d:\n", what, number);
    for (size_t i = 0; arguments[i]; i++)
        fprintf(stderr, " '%s'", arguments[i]);
    fprintf(stderr, "\n%s\n", said);
    abort();
}

static void check(char *const arguments[], int status, const char *said) {
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        if (number != SIGXCPU && number != SIGKILL) fail(arguments, "signal", number, said);
        return;
    }
    const int code = WEXITSTATUS(status);
    if (code > 2) fail(arguments, "exit", code, said);
    if (code == 2 && !*said) fail(arguments, "says nothing, exit", code, said);
}

/* Reads to the end, and keeps as much as there is room for. */
static void read_said(int from, char *said, size_t room) {
    char more[4096];
    size_t length = 0;
    ssize_t got;
    while ((got = read(from, more, sizeof more)) > 0) {
        const size_t left = room - 1 - length, kept = (size_t)got < left ? (size_t)got : left;
        memcpy(said + length, more, kept);
        length += kept;
    }
    said[length] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool begun;
    static char room[8192];
    if (size > sizeof room / 2) return 0;
    if (!begun) begin();
    begun = true;
    write_table();
    char *arguments[ARGUMENTS_MAX + 1];
    arguments_of(data, size, arguments, room);
    int ends[2];
    if (pipe(ends) != 0) exit(2);
    const pid_t child = fork();
    if (child < 0) exit(2);
    if (child == 0) run_program(arguments, ends[1]);
    close(ends[1]);
    char said[4096];
    read_said(ends[0], said, sizeof said);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        ;
    check(arguments, status, said);
    return 0;
}
