/*
 * Contacts that name their bodies: gathered and applied (suite bodies), and swept by colours (suite
 * sweep; test_sweep_real.inc).
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <impinge/impinge.h>

#include "../scenes/pit.h"
#include "../tools/support/at_once.h"
#include "random_contacts.h"
#include "targets.h"

#define BIT(name) ((uint32_t)IMPINGE_OUTCOME_##name)

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Columns of bodies: one array each. */
enum body_column {
    MASS,
    INERTIA, /* xx, xy, xz, yy, yz, zz */
    VELOCITY = INERTIA + 6,
    ANGULAR = VELOCITY + 3,
    QUATERNION = ANGULAR + 3,
    MATRIX = QUATERNION + 4,
    BODY_COLUMNS = MATRIX + 9
};

/* The columns of contacts. */
enum contact_column {
    ARM_A,
    ARM_B = ARM_A + 3,
    NORMAL = ARM_B + 3,
    COEFFICIENT = NORMAL + 3, /* in the order of their struct */
    CONTACT_COLUMNS = COEFFICIENT + COEFFICIENT_INPUTS + 1
};

enum { RESULT_COLUMNS = 6 };

typedef enum given_form { IN_WORLD, BY_QUATERNION, BY_MATRIX, FORMS } given_form;

/* Every law and rule, with what they may be asked for. */
static const impinge_options ways[] = {
    {.rule = IMPINGE_RULE_STRONGE, .resolve_jams = true},
    {.rule = IMPINGE_RULE_POISSON},
    {.rule = IMPINGE_RULE_NEWTON},
    {.law = IMPINGE_LAW_FRICTIONLESS},
    {.law = IMPINGE_LAW_WHITTAKER},
    {.law = IMPINGE_LAW_SMITH},
    {.law = IMPINGE_LAW_TWO_STAGE},
    {.law = IMPINGE_LAW_BILINEAR},
    {.law = IMPINGE_LAW_CHATTERJEE_RUINA, .resolve_jams = true},
    {.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = true},
    {.law = IMPINGE_LAW_COMPOSITE},
};

/*
 * An array that ends where memory does: a read or write behind it is caught. Each has pages of its
 * own, so that it is not found before it, either.
 */
static size_t guarded_size(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page + 2 * page;
}

static void *guarded_new(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = guarded_size(bytes);
    void *memory = NULL;
    cr_assert_eq(posix_memalign(&memory, page, size), 0);
    memset(memory, 0, size);
    char *const start = memory;
    cr_assert_eq(mprotect(start, page, PROT_NONE), 0);
    cr_assert_eq(mprotect(start + size - page, page, PROT_NONE), 0);
    return start + size - page - bytes;
}

static void guarded_free(void *array, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = guarded_size(bytes);
    char *const start = (char *)array + bytes + page - size;
    cr_assert_eq(mprotect(start, size, PROT_READ | PROT_WRITE), 0);
    free(start);
}

static void *array_new(size_t bytes, bool guarded) {
    if (guarded) return guarded_new(bytes);
    void *array = calloc(bytes + 1, 1);
    cr_assert_not_null(array);
    return array;
}

static void array_free(void *array, size_t bytes, bool guarded) {
    if (guarded)
        guarded_free(array, bytes);
    else
        free(array);
}

/* 0 to count - 1 in any order (Fisher and Yates). */
static void shuffle(uint64_t *state, uint32_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t j = random_below(state, (unsigned)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
}

/* The start of part k of n. */
static size_t part_start(size_t count, size_t k, size_t n) { return count * k / n; }

/* ---- A recorded scene: complete sets of a substep's touching contacts ---- */

enum { PIT_SET_ROWS = 1654 };

/* The rows of complete sets, to be freed; `count`: how many. */
static pit_row *read_pit(size_t *count) {
    pit_row *const rows = pit_read(IMPINGE_TEST_DATA, count);
    cr_assert(rows, "no recorded scene");
    *count = pit_keep_sets(rows, *count);
    cr_assert_eq(*count, PIT_SET_ROWS);
    return rows;
}

/* Fills the stack that the next call uses with bytes that are numbers, but no zeros. */
static __attribute__((noinline)) void fill_stack(void) {
    volatile unsigned char bytes[60000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = 0x3f;
}

#define REAL       float
#define WORD       uint32_t
#define EPSILON    FLT_EPSILON
#define TOLERANCE  1e-6 /* the default */
#define NAME(name) name##_f32
#define PRECISION  "f32"
#include "test_bodies_real.inc"
#include "test_sweep_real.inc"
#undef PRECISION
#undef NAME
#undef TOLERANCE
#undef EPSILON
#undef WORD
#undef REAL

#define REAL       double
#define WORD       uint64_t
#define EPSILON    DBL_EPSILON
#define TOLERANCE  1e-12
#define NAME(name) name##_f64
#define PRECISION  "f64"
#include "test_bodies_real.inc"
#include "test_sweep_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(bodies, name##_f32) { for_each_target(name##_f32, NULL); }                                \
    Test(bodies, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(indexed_as_body_pairs)
FOR_BOTH(velocities_that_do_not_fit)
FOR_BOTH(results_onto_contacts)
FOR_BOTH(any_bytes_at_the_end_of_memory)
FOR_BOTH(independent_as_body_pairs)
FOR_BOTH(sharing_as_one_by_one)
FOR_BOTH(spoilt_indices)
FOR_BOTH(uncounted_bodies)
FOR_BOTH(any_number_of_parts)
FOR_BOTH(any_share_of_a_batch)

/* The same code on every target, so once. */
#define ONCE_FOR_BOTH(name)                                                                        \
    Test(bodies, name##_f32) { name##_f32(); }                                                     \
    Test(bodies, name##_f64) { name##_f64(); }

ONCE_FOR_BOTH(applied_sums)
ONCE_FOR_BOTH(applied_momentum)
ONCE_FOR_BOTH(applied_in_shares_and_order)
ONCE_FOR_BOTH(applied_zeros)
ONCE_FOR_BOTH(immovable_bodies)
ONCE_FOR_BOTH(statuses)

/* ---- Sweeps ---- */

#define SWEEPS_FOR_BOTH(name)                                                                      \
    Test(sweep, name##_f32) { for_each_target(name##_f32, NULL); }                                 \
    Test(sweep, name##_f64) { for_each_target(name##_f64, NULL); }

SWEEPS_FOR_BOTH(swept_piles)
SWEEPS_FOR_BOTH(one_contact_after_the_other)
SWEEPS_FOR_BOTH(swept_once)
SWEEPS_FOR_BOTH(recorded_boxes)
SWEEPS_FOR_BOTH(cradle)
SWEEPS_FOR_BOTH(rest_speed)
SWEEPS_FOR_BOTH(endless_bounces)
SWEEPS_FOR_BOTH(outcomes_of_sweeps)
SWEEPS_FOR_BOTH(damaged_colourings)
SWEEPS_FOR_BOTH(sweep_arguments)
