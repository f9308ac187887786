/* The assertions of tests' helper files in a program that is no test: a failure ends it. */
#include <criterion/criterion.h>

#include <stdarg.h>

static void print(const char *format, va_list arguments) {
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void plain_failed(bool ends, const char *file, int line, const char *what, const char *format,
                  ...) {
    (void)ends;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        print(format, arguments);
        va_end(arguments);
    }
    exit(1);
}

void plain_log(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

_Noreturn void plain_skip(const char *format, ...) {
    (void)format;
    exit(0);
}
