/*
 * Numbers as text (tools/support/decimal.h) against the C library: what is read is what strtod and
 * strtof read, bit for bit, and what is written reads back to the same bits, has no digit too many,
 * and is the nearest of so many digits.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/decimal.h"
#include "support/random.h"

enum { TRIALS = 200000, TEXT_SIZE = 128 };

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any bits; or of ordinary size, and few of them. Finite. */
static double random_double(uint64_t *random, int trial) {
    double value;
    do {
        value = double_of(random_bits(random));
        if (trial % 3 == 1) value = ldexp((double)(random_bits(random) >> 11), -40);
        if (trial % 3 == 2) value = (double)(random_bits(random) % 100000) / 1000;
    } while (!isfinite(value));
    return value;
}

/* ---- Reading ---- */

/* Returns whether it was read at all. */
static bool check_read(const char *text) {
    double wide;
    float narrow;
    const char *end = decimal_read_f64(text, &wide);
    const double right = strtod(text, NULL);
    if (end)
        cr_assert(memcmp(&wide, &right, sizeof wide) == 0 && *end == '\0', "%s: %a", text, wide);
    const char *narrow_end = decimal_read_f32(text, &narrow);
    const float right_narrow = strtof(text, NULL);
    if (narrow_end)
        cr_assert(memcmp(&narrow, &right_narrow, sizeof narrow) == 0 && *narrow_end == '\0',
                  "%s: %a", text, (double)narrow);
    return end != NULL;
}

Test(decimal, reads_what_strtod_reads) {
    uint64_t random = 1;
    size_t read = 0;
    for (int i = 0; i < TRIALS; i++) {
        char text[TEXT_SIZE];
        const double value = random_double(&random, i);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(random_bits(&random) % 17), value);
        read += check_read(text);
    }
    cr_expect_gt(read, TRIALS * 0.98, "only %zu were read without strtod", read);
}

/* Digits at random, with and without a point, leading zeros and exponents beyond the range. */
Test(decimal, reads_any_digits_as_strtod_does) {
    uint64_t random = 2;
    for (int i = 0; i < TRIALS; i++) {
        char text[TEXT_SIZE];
        const unsigned long long a = random_bits(&random) >> random_bits(&random) % 64;
        const unsigned long long b = random_bits(&random) >> random_bits(&random) % 64;
        const int exponent = (int)(random_bits(&random) % 800) - 400;
        const char *forms[] = {"%llu.%llue%d", "-%llu.%03llue%d", "0.000%llu%llue%d",
                               "+%llu%lluE%+d"};
        snprintf(text, sizeof text, forms[i % 4], a, b, exponent);
        check_read(text);
    }
}

/* Middles between neighbours, exactly and with a digit that decides, in both precisions. */
Test(decimal, ties_go_to_even) {
    uint64_t random = 3;
    for (int i = 0; i < TRIALS / 10; i++) {
        char text[TEXT_SIZE];
        const uint64_t odd = (random_bits(&random) >> 10 | UINT64_C(1) << 53) | 1;
        const int power = (int)(random_bits(&random) % 10);
        snprintf(text, sizeof text, "%llu", (unsigned long long)(odd << power));
        check_read(text);
        const uint64_t narrow = (random_bits(&random) >> 39 | 1 << 24) | 1;
        snprintf(text, sizeof text, "%.*f", power, (double)narrow / (double)(1 << power));
        check_read(text);
        strcat(text, strchr(text, '.') ? "1" : ".00000001");
        check_read(text);
    }
}

Test(decimal, leaves_alone_what_is_no_plain_number) {
    static const char *const others[] = {"",    ".",  "-",   "e5",  "1e",    "1e+", "0x10", "inf",
                                         "nan", " 1", "--1", "+-1", "1..2",  "1,5", ".e1",  "1 2",
                                         "12a", "-.", "1_0", "0x",  "1e5.5", "\n1", "1e1e1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[TEXT_SIZE] = "";
        double value;
        strcpy(text, others[i]);
        const char *end = decimal_read_f64(text, &value);
        cr_expect(!end || *end, "'%s' is read as %g", text, value);
    }
}

/* ---- Writing ---- */

/* How many digits there are between the first and the last that is not 0. */
static int digits_of(const char *text) {
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (!count && *text == '0')) continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

static void check_f64(double value) {
    char text[DECIMAL_SIZE + 1], other[TEXT_SIZE];
    text[decimal_write_f64(text, value)] = '\0';
    const double back = strtod(text, NULL);
    cr_assert(memcmp(&back, &value, sizeof value) == 0, "%a is written as %s", value, text);
    int digits = 1;
    while (snprintf(other, sizeof other, "%.*e", digits - 1, value), strtod(other, NULL) != value)
        digits++;
    cr_assert_leq(digits_of(text), digits, "%s has too many digits: %s", text, other);
    /* %.*e is the nearest of so many digits; fewer may do at powers of two. */
    if (digits_of(text) == digits_of(other))
        cr_assert_eq(strtold(text, NULL), strtold(other, NULL));
}

static void check_f32(float value) {
    char text[DECIMAL_SIZE + 1], other[TEXT_SIZE];
    text[decimal_write_f32(text, value)] = '\0';
    const float back = strtof(text, NULL);
    cr_assert(memcmp(&back, &value, sizeof value) == 0, "%a is written as %s", (double)value, text);
    int digits = 1;
    while (snprintf(other, sizeof other, "%.*e", digits - 1, (double)value),
           strtof(other, NULL) != value)
        digits++;
    cr_assert_leq(digits_of(text), digits, "%s has too many digits: %s", text, other);
}

Test(decimal, written_numbers_are_shortest_and_read_back) {
    uint64_t random = 4;
    for (int i = 0; i < TRIALS; i++) {
        check_f64(random_double(&random, i));
        const float narrow = float_of((uint32_t)random_bits(&random));
        if (isfinite(narrow)) check_f32(narrow);
    }
}

/* Powers of two, where the neighbour below is nearer; and the ends of the range. */
Test(decimal, powers_of_two_and_the_ends_of_the_range) {
    for (int power = -1074; power <= 1023; power++) {
        check_f64(ldexp(1, power));
        check_f64(-nextafter(ldexp(1, power), 0));
        if (power < -149 || power > 127) continue;
        check_f32(ldexpf(1, power));
        check_f32(nextafterf(ldexpf(1, power), 0));
    }
}

Test(decimal, how_numbers_look) {
    static const struct {
        double value;
        const char *text;
    } numbers[] = {{0, "0"},           {-0.0, "-0"},
                   {1, "1"},           {1000, "1000"},
                   {0.1, "0.1"},       {-2.5, "-2.5"},
                   {1e15, "1e15"},     {123456789012345, "123456789012345"},
                   {1e-4, "0.0001"},   {1.5e-5, "1.5e-5"},
                   {5e-324, "5e-324"}, {1e100, "1e100"},
                   {INFINITY, "inf"},  {-INFINITY, "-inf"},
                   {NAN, "nan"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[DECIMAL_SIZE + 1];
        text[decimal_write_f64(text, numbers[i].value)] = '\0';
        cr_expect_str_eq(text, numbers[i].text);
        text[decimal_write_f32(text, (float)numbers[i].value)] = '\0';
        if (i != 11 && i != 12 && i != 7 && i != 10) cr_expect_str_eq(text, numbers[i].text);
    }
}
