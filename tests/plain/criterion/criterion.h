/**
 * As much of Criterion as the tests use, in plain C: for builds in which Criterion's own sandbox
 * stalls (sanitizers), and where a test has to begin fast (mutants, coverage). The tests are the
 * same files; this folder stands before Criterion's in the include path. runner.c runs each test in
 * a process of its own.
 */
#ifndef PLAIN_CRITERION_H
#define PLAIN_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_options {
    int unused; /**< so that there always is an initializer */
    double timeout;
    void (*init)(void);
    void (*fini)(void);
} plain_options;

typedef struct plain_parameters {
    char *values;
    size_t size, count;
} plain_parameters;

typedef struct plain_test {
    const char *suite, *name;
    plain_options options;
    void (*run)(void);
    /** The parameters of a parameterized test, else null. */
    void (*run_with)(void *value);
    plain_parameters (*parameters)(void);
    struct plain_test *next;
} plain_test;

void plain_add(plain_test *test);
void plain_add_suite(const char *suite, plain_options options);
/** `format` is null, or what is printed with the arguments that follow. */
void plain_failed(bool ends, const char *file, int line, const char *what, const char *format, ...);
_Noreturn void plain_skip(const char *format, ...);
void plain_log(const char *format, ...);

#define Test(...) PLAIN_TEST(__VA_ARGS__, .unused = 0)
#define PLAIN_TEST(a_suite, a_name, ...)                                                           \
    static void plain_run_##a_suite##_##a_name(void);                                              \
    __attribute__((constructor)) static void plain_add_##a_suite##_##a_name(void) {                \
        static plain_test test = {.suite = #a_suite,                                               \
                                  .name = #a_name,                                                 \
                                  .options = {__VA_ARGS__},                                        \
                                  .run = plain_run_##a_suite##_##a_name};                          \
        plain_add(&test);                                                                          \
    }                                                                                              \
    static void plain_run_##a_suite##_##a_name(void)

#define TestSuite(...) PLAIN_SUITE(__VA_ARGS__, .unused = 0)
#define PLAIN_SUITE(a_suite, ...)                                                                  \
    __attribute__((constructor)) static void plain_add_suite_##a_suite(void) {                     \
        plain_add_suite(#a_suite, (plain_options){__VA_ARGS__});                                   \
    }                                                                                              \
    struct plain_suite_##a_suite

#define ParameterizedTestParameters(a_suite, a_name)                                               \
    static plain_parameters plain_parameters_##a_suite##_##a_name(void)
#define ParameterizedTest(parameter, a_suite, a_name)                                              \
    static void plain_case_##a_suite##_##a_name(parameter);                                        \
    static void plain_run_##a_suite##_##a_name(void *value) {                                      \
        plain_case_##a_suite##_##a_name(value);                                                    \
    }                                                                                              \
    __attribute__((constructor)) static void plain_add_##a_suite##_##a_name(void) {                \
        static plain_test test = {.suite = #a_suite,                                               \
                                  .name = #a_name,                                                 \
                                  .run_with = plain_run_##a_suite##_##a_name,                      \
                                  .parameters = plain_parameters_##a_suite##_##a_name};            \
        plain_add(&test);                                                                          \
    }                                                                                              \
    static void plain_case_##a_suite##_##a_name(parameter)

#define cr_make_param_array(...) PLAIN_PARAMETERS(__VA_ARGS__, NULL)
#define PLAIN_PARAMETERS(type, array, length, ...)                                                 \
    (plain_parameters) { (char *)(array), sizeof(type), (length) }

/* The last argument of each is a null that ends those which are given. */
#define PLAIN_CHECK(ends, condition, ...)                                                          \
    ((condition) ? (void)0 : plain_failed((ends), __FILE__, __LINE__, #condition, __VA_ARGS__))
#define PLAIN_COMPARE(ends, operation, a, b, ...) PLAIN_CHECK(ends, (a)operation(b), __VA_ARGS__)
#define PLAIN_NULL(ends, operation, a, ...)       PLAIN_CHECK(ends, (a)operation NULL, __VA_ARGS__)
#define PLAIN_NOT(ends, a, ...)                   PLAIN_CHECK(ends, !(a), __VA_ARGS__)
#define PLAIN_STRINGS(ends, operation, a, b, ...)                                                  \
    PLAIN_CHECK(ends, strcmp((a), (b)) operation 0, __VA_ARGS__)
#define PLAIN_ARRAYS(ends, a, b, size, ...)                                                        \
    PLAIN_CHECK(ends, memcmp((a), (b), (size)) == 0, __VA_ARGS__)
#define PLAIN_NEAR(ends, a, b, by, ...)                                                            \
    PLAIN_CHECK(ends, (a) - (b) <= (by) && (b) - (a) <= (by), __VA_ARGS__)

#define cr_assert(...)          PLAIN_CHECK(true, __VA_ARGS__, NULL)
#define cr_assert_eq(...)       PLAIN_COMPARE(true, ==, __VA_ARGS__, NULL)
#define cr_assert_neq(...)      PLAIN_COMPARE(true, !=, __VA_ARGS__, NULL)
#define cr_assert_gt(...)       PLAIN_COMPARE(true, >, __VA_ARGS__, NULL)
#define cr_assert_geq(...)      PLAIN_COMPARE(true, >=, __VA_ARGS__, NULL)
#define cr_assert_lt(...)       PLAIN_COMPARE(true, <, __VA_ARGS__, NULL)
#define cr_assert_leq(...)      PLAIN_COMPARE(true, <=, __VA_ARGS__, NULL)
#define cr_assert_not(...)      PLAIN_NOT(true, __VA_ARGS__, NULL)
#define cr_assert_null(...)     PLAIN_NULL(true, ==, __VA_ARGS__, NULL)
#define cr_assert_not_null(...) PLAIN_NULL(true, !=, __VA_ARGS__, NULL)
#define cr_assert_str_eq(...)   PLAIN_STRINGS(true, ==, __VA_ARGS__, NULL)
#define cr_assert_arr_eq(...)   PLAIN_ARRAYS(true, __VA_ARGS__, NULL)
#define cr_assert_float_eq(...) PLAIN_NEAR(true, __VA_ARGS__, NULL)
#define cr_assert_fail(...)     plain_failed(true, __FILE__, __LINE__, "failed", __VA_ARGS__, NULL)

#define cr_expect(...)                PLAIN_CHECK(false, __VA_ARGS__, NULL)
#define cr_expect_eq(...)             PLAIN_COMPARE(false, ==, __VA_ARGS__, NULL)
#define cr_expect_neq(...)            PLAIN_COMPARE(false, !=, __VA_ARGS__, NULL)
#define cr_expect_gt(...)             PLAIN_COMPARE(false, >, __VA_ARGS__, NULL)
#define cr_expect_geq(...)            PLAIN_COMPARE(false, >=, __VA_ARGS__, NULL)
#define cr_expect_lt(...)             PLAIN_COMPARE(false, <, __VA_ARGS__, NULL)
#define cr_expect_leq(...)            PLAIN_COMPARE(false, <=, __VA_ARGS__, NULL)
#define cr_expect_not(...)            PLAIN_NOT(false, __VA_ARGS__, NULL)
#define cr_expect_null(...)           PLAIN_NULL(false, ==, __VA_ARGS__, NULL)
#define cr_expect_not_null(...)       PLAIN_NULL(false, !=, __VA_ARGS__, NULL)
#define cr_expect_str_eq(...)         PLAIN_STRINGS(false, ==, __VA_ARGS__, NULL)
#define cr_expect_str_neq(...)        PLAIN_STRINGS(false, !=, __VA_ARGS__, NULL)
#define cr_expect_arr_eq(...)         PLAIN_ARRAYS(false, __VA_ARGS__, NULL)
#define cr_expect_float_eq(...)       PLAIN_NEAR(false, __VA_ARGS__, NULL)
#define cr_expect_str_empty(...)      PLAIN_STR_EMPTY(false, __VA_ARGS__, NULL)
#define PLAIN_STR_EMPTY(ends, a, ...) PLAIN_CHECK(ends, *(a) == '\0', __VA_ARGS__)
#define cr_expect_fail(...)           plain_failed(false, __FILE__, __LINE__, "failed", __VA_ARGS__, NULL)

#define cr_skip_test(...) plain_skip(__VA_ARGS__)
#define cr_log_info(...)  plain_log(__VA_ARGS__)
#define cr_log_warn(...)  plain_log(__VA_ARGS__)
#define cr_log_error(...) plain_log(__VA_ARGS__)

#endif
