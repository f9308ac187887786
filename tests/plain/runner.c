/*
 * runner [--filter GLOB]... [-j N] [--slow X] [--verbose] [--stop]
 * [--list]: runs the tests whose SUITE/NAME
 * one of the patterns matches, each in a process of its own, N at once. Timeouts are X times what
 * the tests say (or X times 60 s). --stop starts
 * none after the first that fails. Ends with 0 if all passed, and prints what failed, and how many.
 */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILTERS_MAX = 64, SUITES_MAX = 64, JOBS_MAX = 64, SKIPPED = 77, DEFAULT_SECONDS = 60 };

static plain_test *first;
static struct {
    const char *suite;
    plain_options options;
} suites[SUITES_MAX];
static size_t suite_count;

static const char *filters[FILTERS_MAX];
static size_t filter_count;
static double slow = 1;
static bool verbose, stops;

static int failures; /* of this process's test */

void plain_add(plain_test *test) {
    test->next = first;
    first = test;
}

void plain_add_suite(const char *suite, plain_options options) {
    if (suite_count == SUITES_MAX) abort();
    suites[suite_count].suite = suite;
    suites[suite_count++].options = options;
}

static void print(const char *format, va_list arguments) {
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void plain_failed(bool ends, const char *file, int line, const char *what, const char *format,
                  ...) {
    fprintf(stderr, "%s:%d: %s%s", file, line, what, format ? ": " : "\n");
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        print(format, arguments);
        va_end(arguments);
    }
    failures++;
    if (ends) exit(1);
}

_Noreturn void plain_skip(const char *format, ...) {
    if (verbose) {
        va_list arguments;
        va_start(arguments, format);
        print(format, arguments);
        va_end(arguments);
    }
    exit(SKIPPED);
}

void plain_log(const char *format, ...) {
    if (!verbose) return;
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

static const plain_options *options_of_suite(const char *suite) {
    static const plain_options none;
    for (size_t i = 0; i < suite_count; i++)
        if (strcmp(suites[i].suite, suite) == 0) return &suites[i].options;
    return &none;
}

static _Noreturn void run_here(const plain_test *test, void *value) {
    const plain_options *const suite = options_of_suite(test->suite);
    const double seconds = test->options.timeout > 0 ? test->options.timeout : DEFAULT_SECONDS;
    alarm((unsigned)(slow * seconds) + 1);
    if (suite->init) suite->init();
    if (test->options.init) test->options.init();
    if (value)
        test->run_with(value);
    else
        test->run();
    if (test->options.fini) test->options.fini();
    if (suite->fini) suite->fini();
    exit(failures > 0 ? 1 : 0);
}

/* ---- Processes ---- */

typedef struct job {
    pid_t process;
    const plain_test *test;
    size_t number;
} job;

static job jobs[JOBS_MAX];
static size_t running, jobs_max = 1;
static size_t passed, failed, skipped;

static void wait_for_one(void) {
    int status;
    const pid_t process = wait(&status);
    for (size_t i = 0; i < running; i++) {
        if (jobs[i].process != process) continue;
        const job done = jobs[i];
        jobs[i] = jobs[--running];
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            passed++;
        } else if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
            skipped++;
        } else {
            failed++;
            fprintf(stderr, "FAILED %s/%s (%zu): %s %d\n", done.test->suite, done.test->name,
                    done.number, WIFEXITED(status) ? "exit" : "signal",
                    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        }
        return;
    }
}

static void start(const plain_test *test, void *value, size_t number) {
    while (running == jobs_max)
        wait_for_one();
    if (verbose) fprintf(stderr, "%s/%s (%zu)\n", test->suite, test->name, number);
    const pid_t process = fork();
    if (process < 0) abort();
    if (process == 0) run_here(test, value);
    jobs[running++] = (job){process, test, number};
}

static void start_all(const plain_test *test) {
    if (!test->parameters) {
        start(test, NULL, 0);
        return;
    }
    const plain_parameters parameters = test->parameters();
    for (size_t i = 0; i < parameters.count; i++)
        start(test, parameters.values + i * parameters.size, i);
}

static bool is_wanted(const plain_test *test) {
    char name[256];
    snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
    for (size_t i = 0; i < filter_count; i++)
        if (fnmatch(filters[i], name, FNM_EXTMATCH) == 0) return true;
    return filter_count == 0;
}

static bool is_option(const char *argument, const char *name) {
    return strcmp(argument, name) == 0;
}

int main(int argc, char **argv) {
    bool lists = false;
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (is_option(argv[i], "--filter") && has_value && filter_count < FILTERS_MAX)
            filters[filter_count++] = argv[++i];
        else if (is_option(argv[i], "-j") && has_value)
            jobs_max = (size_t)atoi(argv[++i]);
        else if (is_option(argv[i], "--slow") && has_value)
            slow = atof(argv[++i]);
        else if (is_option(argv[i], "--verbose"))
            verbose = true;
        else if (is_option(argv[i], "--stop"))
            stops = true;
        else if (is_option(argv[i], "--list"))
            lists = true;
        else
            return 2;
    }
    if (jobs_max < 1 || jobs_max > JOBS_MAX) return 2;
    for (const plain_test *test = first; test; test = test->next) {
        if (!is_wanted(test) || (stops && failed > 0)) continue;
        if (lists)
            printf("%s/%s\n", test->suite, test->name);
        else
            start_all(test);
    }
    while (running > 0)
        wait_for_one();
    if (!lists) printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
    return failed > 0 ? 1 : 0;
}
