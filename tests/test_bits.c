/* The same input gives the same bits: on every target, in every place, however it is divided. */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/support/at_once.h"
#include "batches.h"
#include "random_contacts.h"
#include "targets.h"

/* Random contacts in all, at each level. f64 takes three times as long on `scalar`. */
#define MANY_F32 2000000
#define MANY_F64 600000
/* At a time; odd, so that there is a rest whatever the width. */
#define AT_ONCE 50021

/* For what is tried in many ways: some vectors of every width, and a rest. */
#define SOME 1003

/* Widths of vectors: 1, 4, 8, 16 lanes; the kernels' chunks of 64 and lists of 256. */
static const size_t counts[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,   11,  15,  16,  17,
                                31, 33, 63, 64, 65, 97, 128, 255, 256, 257, 511, 513, SOME};

static void name_options(const impinge_options *options, char *text, size_t size) {
    snprintf(text, size, "%s, rule %d, jams %d", impinge_law_name(options->law), (int)options->rule,
             options->resolve_jams);
}

/* Every law, every rule, and jams. */
static const impinge_options ways[] = {
    {.rule = IMPINGE_RULE_STRONGE},
    {.rule = IMPINGE_RULE_POISSON, .resolve_jams = true},
    {.rule = IMPINGE_RULE_NEWTON, .resolve_jams = true},
    {.law = IMPINGE_LAW_FRICTIONLESS, .restitution_above_one = true},
    {.law = IMPINGE_LAW_WHITTAKER},
    {.law = IMPINGE_LAW_SMITH, .resolve_jams = true},
    {.law = IMPINGE_LAW_TWO_STAGE, .resolve_jams = true},
    {.law = IMPINGE_LAW_BILINEAR},
    {.law = IMPINGE_LAW_CHATTERJEE_RUINA, .resolve_jams = true},
    {.law = IMPINGE_LAW_BRACH},
    {.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = true, .restitution_above_one = true},
    {.law = IMPINGE_LAW_COMPOSITE, .resolve_jams = true},
};
#define WAYS (sizeof ways / sizeof *ways)

/* A digest of 64-bit words: multiply and fold, as splitmix64 does. */
static uint64_t mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

/*
 * Digests of the results of GOLDEN_COUNT random contacts, as they were written down. They change
 * whenever a kernel's arithmetic does, and only then. The failing test prints the new ones.
 */
#define GOLDEN_COUNT 5003
static const uint64_t golden_f32[LEVEL_COUNT] = {UINT64_C(0x7e31f56704b4a5c2),
                                                 UINT64_C(0xe6114b02c7c5c3b1)};
static const uint64_t golden_f64[LEVEL_COUNT] = {UINT64_C(0xc653e36220103999),
                                                 UINT64_C(0x76347994410558ea)};

#define REAL       float
#define WORD       uint32_t
#define NAME(name) name##_f32
#define PRECISION  "f32"
#define MANY       MANY_F32
#include "test_bits_real.inc"
#undef MANY
#undef PRECISION
#undef NAME
#undef WORD
#undef REAL

#define REAL       double
#define WORD       uint64_t
#define NAME(name) name##_f64
#define PRECISION  "f64"
#define MANY       MANY_F64
#include "test_bits_real.inc"

/* ---- Across targets ---- */

Test(bits, targets_agree_contacts_f32) { check_many_f32(LEVEL_CONTACTS); }
Test(bits, targets_agree_contacts_f64) { check_many_f64(LEVEL_CONTACTS); }
Test(bits, targets_agree_body_pairs_f32) { check_many_f32(LEVEL_BODY_PAIRS); }
Test(bits, targets_agree_body_pairs_f64) { check_many_f64(LEVEL_BODY_PAIRS); }

/* ---- Across time and machines ---- */

Test(bits, golden_contacts_f32) { check_golden_f32(LEVEL_CONTACTS, golden_f32[LEVEL_CONTACTS]); }
Test(bits, golden_contacts_f64) { check_golden_f64(LEVEL_CONTACTS, golden_f64[LEVEL_CONTACTS]); }
Test(bits, golden_body_pairs_f32) {
    check_golden_f32(LEVEL_BODY_PAIRS, golden_f32[LEVEL_BODY_PAIRS]);
}
Test(bits, golden_body_pairs_f64) {
    check_golden_f64(LEVEL_BODY_PAIRS, golden_f64[LEVEL_BODY_PAIRS]);
}

/* ---- Across ways to hand the contacts over, each on every target ---- */

#define FOR_BOTH(name)                                                                             \
    Test(bits, name##_f32) { for_each_way_f32(name##_f32); }                                       \
    Test(bits, name##_f64) { for_each_way_f64(name##_f64); }

FOR_BOTH(in_any_order)
FOR_BOTH(in_any_number)
FOR_BOTH(from_any_first)
FOR_BOTH(at_any_alignment)
FOR_BOTH(onto_the_inputs)
FOR_BOTH(in_chunks_of_13)
FOR_BOTH(one_by_one)
FOR_BOTH(on_threads)
FOR_BOTH(with_outputs_left_out)
FOR_BOTH(with_one_coefficient_for_all)

/* ---- Known contacts at every place ---- */

Test(bits, markers_f32) { for_each_target(check_markers_f32, NULL); }
Test(bits, markers_f64) { for_each_target(check_markers_f64, NULL); }
