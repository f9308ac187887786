/* Bad input: a status or an `invalid` outcome, neighbours' bits unchanged, nothing trapped. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "batches.h"
#include "random_contacts.h"
#include "targets.h"

#define BIT(name)  ((uint32_t)IMPINGE_OUTCOME_##name)
#define INVALID(x) (BIT(INVALID) | BIT(INVALID_##x))

#define RESOLVED (BIT(SLID) | BIT(STUCK) | BIT(DIVERGED))

/* A solid sphere that slides on a plane: the contact that gets a bad number. */
static const double good_contact[CONTACT_INPUTS] = {3.5, 0, 0,  3.5, 0,    1,
                                                    0.7, 0, -1, 0.5, 0.05, 0.05};

/* As bodies: a solid sphere of radius and mass 1 on another. */
static const double good_pair[PAIR_INPUTS] = {
    1, 2.5, 0, 0,   2.5,  0,   2.5, 0, 0, -1, 0.7, 0, -1, 0, 0, 0, /* A */
    1, 2.5, 0, 0,   2.5,  0,   2.5, 0, 0, 1,  0,   0, 0,  0, 0, 0, /* B */
    0, 0,   1, 0.5, 0.05, 0.05};

/* A number that is put into the contact, and what then comes out. */
typedef struct mistake {
    size_t column;
    double value;
    uint32_t outcome; /* all of it; RESOLVED: anything but invalid */
} mistake;

static const mistake contact_mistakes[] = {
    {IN_RESTITUTION, -0.1, INVALID(RESTITUTION)},
    {IN_RESTITUTION, 1.5, INVALID(RESTITUTION)},
    {IN_RESTITUTION, -DBL_MIN, INVALID(RESTITUTION)},
    {IN_RESTITUTION, (double)NAN, INVALID(RESTITUTION)},
    {IN_RESTITUTION, (double)INFINITY, INVALID(RESTITUTION)},
    {IN_RESTITUTION, 0, RESOLVED},
    {IN_RESTITUTION, -0.0, RESOLVED},
    {IN_RESTITUTION, 1, RESOLVED},
    {IN_FRICTION, -0.2, INVALID(FRICTION)},
    {IN_FRICTION, (double)NAN, INVALID(FRICTION)},
    {IN_FRICTION, -(double)INFINITY, INVALID(FRICTION)},
    {IN_FRICTION, 0.06, INVALID(FRICTION)}, /* more than static friction */
    {IN_FRICTION, 0, RESOLVED},
    {IN_FRICTION_STATIC, 0.04, INVALID(FRICTION)},
    {IN_FRICTION_STATIC, (double)NAN, INVALID(FRICTION)},
    {IN_FRICTION_STATIC, -1, INVALID(FRICTION)},
    {IN_FRICTION_STATIC, (double)INFINITY, RESOLVED},
    {IN_U1, (double)NAN, INVALID(VELOCITY)},
    {IN_U2, (double)INFINITY, INVALID(VELOCITY)},
    {IN_U3, -(double)INFINITY, INVALID(VELOCITY)},
    {IN_U3, (double)NAN, INVALID(VELOCITY)},
    {IN_K11, 0, INVALID(MATRIX)},
    {IN_K22, -3.5, INVALID(MATRIX)},
    {IN_K33, 0, INVALID(MATRIX)},
    {IN_K33, -1, INVALID(MATRIX)},
    {IN_K33, (double)NAN, INVALID(MATRIX)},
    {IN_K11, (double)INFINITY, INVALID(MATRIX)},
    {IN_K12, 3.5, INVALID(MATRIX)}, /* singular */
    {IN_K12, -4, INVALID(MATRIX)},
    {IN_K13, 2, INVALID(MATRIX)},
    {IN_K23, (double)NAN, INVALID(MATRIX)},
    {IN_K23, (double)INFINITY, INVALID(MATRIX)},
};

/* Columns of body B, by their place in a body. */
#define OF_B(column) (IN_BODY_B + BODY_##column)

static const mistake pair_mistakes[] = {
    {IN_NORMAL + 2, 0, INVALID(NORMAL)},
    {IN_NORMAL + 2, 2, INVALID(NORMAL)},
    {IN_NORMAL + 2, 1.0011, INVALID(NORMAL)},
    {IN_NORMAL + 2, 0.9989, INVALID(NORMAL)},
    {IN_NORMAL + 2, 1.0009, RESOLVED},
    {IN_NORMAL + 2, 1 + 1e-9, RESOLVED},
    {IN_NORMAL + 2, 1 - 1e-9, RESOLVED},
    {IN_NORMAL, (double)NAN, INVALID(NORMAL)},
    {IN_NORMAL + 1, (double)INFINITY, INVALID(NORMAL)},
    {BODY_INVERSE_MASS, -1, INVALID(MASS)},
    {OF_B(INVERSE_MASS), -1, INVALID(MASS)},
    {OF_B(INVERSE_MASS), (double)INFINITY, INVALID(MASS)},
    {OF_B(INVERSE_MASS), (double)NAN, INVALID(MASS)},
    {BODY_INVERSE_INERTIA, -2.5, INVALID(MASS)},
    {OF_B(INVERSE_INERTIA) + 3, -2.5, INVALID(MASS)},
    {OF_B(INVERSE_INERTIA) + 1, (double)NAN, INVALID(MASS)},
    {BODY_INVERSE_INERTIA + 5, (double)INFINITY, INVALID(MASS)},
    {BODY_ARM, (double)NAN, INVALID(ARM)},
    {OF_B(ARM) + 2, -(double)INFINITY, INVALID(ARM)},
    {BODY_VELOCITY + 1, (double)NAN, INVALID(VELOCITY)},
    {OF_B(VELOCITY), (double)INFINITY, INVALID(VELOCITY)},
    {BODY_ANGULAR_VELOCITY + 2, (double)NAN, INVALID(VELOCITY)},
    {OF_B(ANGULAR_VELOCITY), -(double)INFINITY, INVALID(VELOCITY)},
    {IN_PAIR_RESTITUTION, 1.5, INVALID(RESTITUTION)},
    {IN_PAIR_FRICTION, -1, INVALID(FRICTION)},
    {IN_PAIR_FRICTION_STATIC, 0.01, INVALID(FRICTION)},
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The parts of both levels that are checked in the same way. */
typedef struct mistakes {
    batch_level level;
    const double *good;
    const mistake *list;
    size_t count;
} mistakes;

static const mistakes all_mistakes[LEVEL_COUNT] = {
    {LEVEL_CONTACTS, good_contact, contact_mistakes, COUNT_OF(contact_mistakes)},
    {LEVEL_BODY_PAIRS, good_pair, pair_mistakes, COUNT_OF(pair_mistakes)},
};

/* The errors of K and u0 if the bodies they are made of are wrong. */
static const uint32_t derived_reasons = BIT(INVALID_MATRIX) | BIT(INVALID_VELOCITY);

/* The input column that an output column leaves as it is, if there is no impulse; or -1. */
static int untouched_input(batch_level level, size_t output) {
    if (level == LEVEL_CONTACTS)
        return output >= OUT_U1 && output <= OUT_U3 ? (int)(IN_U1 + output - OUT_U1) : -1;
    if (output >= OUT_BODY_A && output < OUT_BODY_B)
        return (int)(IN_BODY_A + BODY_VELOCITY + output - OUT_BODY_A);
    if (output >= OUT_BODY_B && output < OUT_PAIR_WORK_COMPRESSION)
        return (int)(IN_BODY_B + BODY_VELOCITY + output - OUT_BODY_B);
    return -1;
}

#define REAL       float
#define NAME(name) name##_f32
#define PRECISION  "f32"
#include "test_bad_input_real.inc"
#undef PRECISION
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define PRECISION  "f64"
#include "test_bad_input_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(bad_input, name##_f32) { for_each_target(name##_f32, NULL); }                             \
    Test(bad_input, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(one_bad_number)
FOR_BOTH(several_bad_numbers)
FOR_BOTH(in_every_lane)
FOR_BOTH(bodies_that_cannot_move)
FOR_BOTH(one_of_two_does_not_fit)
FOR_BOTH(unit_normals)
FOR_BOTH(random_bits_everywhere)
FOR_BOTH(random_bits_are_alike_everywhere)
FOR_BOTH(null_pointers)
FOR_BOTH(counts)
FOR_BOTH(coefficients_left_out)
FOR_BOTH(options)
FOR_BOTH(reports)

/* ---- Targets ---- */

Test(bad_input, targets_are_listed) {
    const char *const names[] = {"avx512", "avx2", "neon", "scalar"};
    cr_assert_eq(impinge_target_count(), COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        cr_expect_str_eq(impinge_target_name(i), names[i]);
        cr_expect_not_null(impinge_target_description(i));
    }
    cr_expect_null(impinge_target_name(COUNT_OF(names)));
    cr_expect_null(impinge_target_description(SIZE_MAX));
    cr_expect_not(impinge_target_available(COUNT_OF(names)));
    cr_expect(impinge_target_available(COUNT_OF(names) - 1), "scalar runs everywhere");
}

static const char *selected(void) {
    const char *name = NULL;
    cr_assert_eq(impinge_target_selected(&name), IMPINGE_OK);
    return name;
}

/* The first that is (not) available; null if there is none. */
static const char *first_target(bool available) {
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (impinge_target_available(i) == available) return impinge_target_name(i);
    }
    return NULL;
}

Test(bad_input, targets_by_name) {
    unsetenv("IMPINGE_TARGET");
    cr_expect_str_eq(selected(), first_target(true), "the best by default");
    cr_expect_eq(impinge_target_select("scalar"), IMPINGE_OK);
    cr_expect_str_eq(selected(), "scalar");
    const char *const unknown[] = {"", "sse", "AVX2", "scalar ", "avx"};
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        cr_expect_eq(impinge_target_select(unknown[i]), IMPINGE_ERROR_TARGET_UNKNOWN, "'%s'",
                     unknown[i]);
        cr_expect_str_eq(selected(), "scalar", "then nothing changes");
    }
    const char *absent = first_target(false); /* no CPU has AVX-512 and NEON */
    cr_assert_not_null(absent);
    cr_expect_eq(impinge_target_select(absent), IMPINGE_ERROR_TARGET_UNAVAILABLE);
    cr_expect_str_eq(selected(), "scalar");
    cr_expect_eq(impinge_target_select(NULL), IMPINGE_OK);
    cr_expect_str_eq(selected(), first_target(true));
    cr_expect_eq(impinge_target_selected(NULL), IMPINGE_ERROR_NULL_POINTER);
}

/* The variable is read at the first call that needs it: each of these tests is a process. */
static void check_environment(const char *value, impinge_status expected) {
    setenv("IMPINGE_TARGET", value, 1);
    batch_f32 b = batch_new_f32(LEVEL_CONTACTS, 1);
    batch_set_row_f32(&b, 0, good_contact);
    cr_expect_eq(batch_resolve_f32(&b, 0, 1, NULL, NULL), expected);
    const char *name = "unwritten";
    cr_expect_eq(impinge_target_selected(&name), expected);
    if (expected == IMPINGE_OK) {
        cr_expect_str_eq(name, value);
        cr_expect_neq(b.outcome[0], 0);
    } else {
        cr_expect_null(name);
        cr_expect_eq(b.outcome[0], 0, "an error, and something was written");
    }
    /* Once read, it is not looked at again; a choice by name goes first. */
    setenv("IMPINGE_TARGET", "nonsense", 1);
    cr_expect_eq(impinge_target_selected(&name), expected);
    cr_expect_eq(impinge_target_select("scalar"), IMPINGE_OK);
    cr_expect_str_eq(selected(), "scalar");
    cr_expect_eq(batch_resolve_f32(&b, 0, 1, NULL, NULL), IMPINGE_OK);
    cr_expect_eq(impinge_target_select(NULL), IMPINGE_OK);
    cr_expect_eq(impinge_target_selected(&name), expected);
    batch_free_f32(&b);
}

Test(bad_input, environment_names_a_target) { check_environment("scalar", IMPINGE_OK); }

Test(bad_input, environment_names_no_target) {
    check_environment("quantum", IMPINGE_ERROR_TARGET_UNKNOWN);
}

Test(bad_input, environment_names_an_absent_target) {
    check_environment(first_target(false), IMPINGE_ERROR_TARGET_UNAVAILABLE);
}

Test(bad_input, environment_is_empty) {
    setenv("IMPINGE_TARGET", "", 1);
    cr_expect_str_eq(selected(), first_target(true));
}

/* ---- Words ---- */

Test(bad_input, statuses_have_texts) {
    const impinge_status statuses[] = {IMPINGE_OK,
                                       IMPINGE_SOME_INVALID,
                                       IMPINGE_ERROR_NULL_POINTER,
                                       IMPINGE_ERROR_COUNT,
                                       IMPINGE_ERROR_OPTION,
                                       IMPINGE_ERROR_TARGET_UNKNOWN,
                                       IMPINGE_ERROR_TARGET_UNAVAILABLE,
                                       IMPINGE_ERROR_ARGUMENT,
                                       IMPINGE_ERROR_UNAVAILABLE};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        const char *text = impinge_status_text(statuses[i]);
        cr_assert_not_null(text);
        cr_expect_null(strchr(text, '\n'));
        for (size_t j = 0; j < i; j++)
            cr_expect_str_neq(text, impinge_status_text(statuses[j]));
    }
    cr_expect_not_null(impinge_status_text((impinge_status)-99));
}

Test(bad_input, outcomes_have_texts) {
    char text[IMPINGE_OUTCOME_TEXT_SIZE];
    cr_expect_eq(impinge_outcome_text(BIT(SLID) | BIT(STUCK), text, sizeof text), 10);
    cr_expect_str_eq(text, "slid|stuck");
    cr_expect_eq(impinge_outcome_text(0, text, sizeof text), 4);
    cr_expect_str_eq(text, "none");
    cr_expect_eq(impinge_outcome_text(UINT32_C(1) << 31, text, sizeof text), 4, "unknown bits");
    cr_expect_str_eq(text, "none");
    const size_t longest = impinge_outcome_text(UINT32_MAX, text, sizeof text);
    cr_expect_lt(longest, sizeof text);
    cr_expect_eq(strlen(text), longest);
    text[4] = 'x';
    cr_expect_eq(impinge_outcome_text(BIT(SLID) | BIT(STUCK), text, 4), 10, "as snprintf");
    cr_expect_str_eq(text, "sli");
    cr_expect_eq(text[4], 'x');
    cr_expect_eq(impinge_outcome_text(BIT(SLID), NULL, 0), 4);
}

/* The public masks say what each bit is, and there is a word for each that is in one. */
Test(bad_input, outcomes_have_one_mask) {
    const uint32_t masks[] = {IMPINGE_OUTCOME_GOT_IMPULSE, IMPINGE_OUTCOME_NO_IMPULSE,
                              IMPINGE_OUTCOME_INVALID_REASONS, IMPINGE_OUTCOME_DETAILS};
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        char text[IMPINGE_OUTCOME_TEXT_SIZE];
        size_t in = 0;
        for (size_t i = 0; i < COUNT_OF(masks); ++i) {
            in += (masks[i] & bit) != 0;
        }
        impinge_outcome_text(bit, text, sizeof text);
        cr_expect_eq(in, strcmp(text, "none") != 0, "bit %#x: %s", (unsigned)bit, text);
        cr_expect_eq((IMPINGE_OUTCOME_ALL & bit) != 0, in == 1, "bit %#x", (unsigned)bit);
    }
}

Test(bad_input, version) {
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", IMPINGE_VERSION_MAJOR, IMPINGE_VERSION_MINOR,
             IMPINGE_VERSION_PATCH);
    cr_expect_str_eq(impinge_version(), text);
    cr_expect_eq(impinge_version_number(), IMPINGE_VERSION);
}
