/* The target that a call on contacts takes, which must not change the bits. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "../dispatch/choice.h"
#include "batches.h"
#include "random_contacts.h"

enum { ALL = (1 << IMPINGE_TARGET_COUNT) - 1, SCALAR = 1 << (IMPINGE_TARGET_COUNT - 1) };

/* The targets that run, best first; wider ones for more contacts; the last for any count. */
static void check_among_targets(impinge_cpu_maker maker) {
    for (unsigned runs = SCALAR; runs <= ALL; runs++) {
        for (unsigned which = 0; which < 2 * IMPINGE_CALL_KINDS; which++) {
            impinge_choice choices[IMPINGE_TARGET_COUNT];
            const unsigned bits = which % 2 ? 64 : 32;
            size_t count = 0;
            impinge_choices_among(runs, maker, (impinge_call_kind)(which / 2), bits, choices);
            for (size_t i = 0; i < IMPINGE_TARGET_COUNT; i++) {
                if (!(runs >> i & 1)) continue;
                cr_assert_eq(choices[count].target, &impinge_target_entries[i]);
                cr_assert(count == 0 || choices[count].fewest <= choices[count - 1].fewest);
                count++;
            }
            cr_assert_eq(choices[count - 1].fewest, 0);
        }
    }
}

Test(choice, among_targets) {
    check_among_targets(IMPINGE_CPU_INTEL);
    check_among_targets(IMPINGE_CPU_OTHER);
}

/* Counts, and the names of the targets that calls by a closed form in f32 take for them. */
enum { CLOSED_COUNTS = 6 };

static void check_closed(impinge_cpu_maker maker, const char *const names[CLOSED_COUNTS]) {
    const size_t closed_counts[CLOSED_COUNTS] = {0, 1, 2, 10, 32, 1000000};
    impinge_choice choices[IMPINGE_TARGET_COUNT];
    impinge_choices_among(ALL, maker, IMPINGE_CALL_CLOSED, 32, choices);
    for (size_t i = 0; i < CLOSED_COUNTS; i++) {
        const impinge_choice *choice = choices;
        /* No CPU that has these has NEON, whose turn would be before scalar. */
        while (choice->fewest > closed_counts[i] || strcmp(choice->target->name, "neon") == 0)
            choice++;
        cr_expect_str_eq(choice->target->name, names[i], "%zu contacts", closed_counts[i]);
    }
}

/* Few contacts of a closed form on one lane or few; many on the best target. */
Test(choice, by_count) {
    const char *const on_intel[CLOSED_COUNTS] = {"scalar", "avx2",   "avx2",
                                                 "avx2",   "avx512", "avx512"};
    const char *const on_others[CLOSED_COUNTS] = {"scalar", "scalar", "avx2",
                                                  "avx2",   "avx2",   "avx512"};
    check_closed(IMPINGE_CPU_INTEL, on_intel);
    check_closed(IMPINGE_CPU_OTHER, on_others);
}

/* Gathering of pairs in single precision: AVX2 where there is one, but never scalar for AVX-512. */
Test(choice, of_gathered_pairs) {
    impinge_choice choices[IMPINGE_TARGET_COUNT];
    const size_t wide = 0, narrower = 1;
    cr_assert_str_eq(impinge_target_entries[wide].name, "avx512");
    cr_assert_str_eq(impinge_target_entries[narrower].name, "avx2");
    impinge_choices_among(ALL, IMPINGE_CPU_OTHER, IMPINGE_CALL_GATHER, 32, choices);
    cr_expect_eq(choices[wide].fewest, SIZE_MAX);
    cr_expect_eq(choices[narrower].fewest, 1);
    impinge_choices_among(SCALAR | 1 << wide, IMPINGE_CPU_OTHER, IMPINGE_CALL_GATHER, 32, choices);
    cr_expect_eq(choices[0].fewest, 1);
}

/* A target that is asked for is used, whatever the count. */
Test(choice, as_asked_for) {
    for (size_t i = 0; i < impinge_target_count(); i++) {
        impinge_choice choices[IMPINGE_TARGET_COUNT];
        if (!impinge_target_available(i)) continue;
        cr_assert_eq(impinge_target_select(impinge_target_name(i)), IMPINGE_OK);
        cr_assert_eq(impinge_choices(IMPINGE_CALL_CLOSED, 32, choices), IMPINGE_OK);
        cr_expect_eq(choices[0].target, &impinge_target_entries[i]);
        cr_expect_eq(choices[0].fewest, 0);
        cr_assert_eq(impinge_target_select(NULL), IMPINGE_OK);
    }
}

/* The environment's name counts as asked for. */
Test(choice, as_the_environment_asks) {
    impinge_choice choices[IMPINGE_TARGET_COUNT];
    setenv("IMPINGE_TARGET", "scalar", 1);
    cr_assert_eq(impinge_choices(IMPINGE_CALL_INTEGRAL, 64, choices), IMPINGE_OK);
    cr_expect_str_eq(choices[0].target->name, "scalar");
    cr_expect_eq(choices[0].fewest, 0);
}

/* Around every count from which another target may be taken. */
static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 32, 48, 49, 300};
enum { COUNTS = sizeof counts / sizeof *counts, MOST = 300 };

static batch_f32 drawn_pairs(void) {
    uint64_t state = 41;
    const batch_f32 batch = batch_new_f32(LEVEL_BODY_PAIRS, MOST);
    random_fill_f32(&state, &batch, MOST);
    return batch;
}

/* Results of the call as it is, and of every target; both have the same bits. */
static void check_bits(const batch_f32 *chosen, const impinge_options *options, size_t count) {
    const batch_f32 forced = drawn_pairs();
    impinge_report report;
    cr_assert(batch_resolve_f32(chosen, 0, count, options, &report) >= 0);
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        cr_assert_eq(impinge_target_select(impinge_target_name(i)), IMPINGE_OK);
        cr_assert(batch_resolve_f32(&forced, 0, count, options, &report) >= 0);
        for (size_t j = 0; j < count; j++)
            cr_assert(batch_same_out_f32(chosen, j, &forced, j), "%s, %zu contacts: contact %zu",
                      impinge_target_name(i), count, j);
        cr_assert_eq(impinge_target_select(NULL), IMPINGE_OK);
    }
    batch_free_f32((batch_f32 *)&forced);
}

Test(choice, bits) {
    const impinge_law laws[] = {IMPINGE_LAW_CHATTERJEE_RUINA, IMPINGE_LAW_SMITH, IMPINGE_LAW_ROUTH};
    batch_f32 chosen = drawn_pairs();
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
        const impinge_options options = {.law = laws[law]};
        for (size_t c = 0; c < COUNTS; c++)
            check_bits(&chosen, &options, counts[c]);
    }
    batch_free_f32(&chosen);
}

/*
 * The calls take the target that was chosen, as the slots of lanes of their steps tell: a vector's
 * for each step of it.
 */
Test(choice, is_what_calls_take) {
    batch_f32 batch = drawn_pairs();
    for (size_t c = 0; c < COUNTS; c++) {
        impinge_choice choices[IMPINGE_TARGET_COUNT];
        impinge_report report, forced;
        cr_assert_eq(impinge_choices(IMPINGE_CALL_INTEGRAL, 32, choices), IMPINGE_OK);
        const impinge_choice *choice = choices;
        while (choice->fewest > counts[c])
            choice++;
        cr_assert(batch_resolve_f32(&batch, 0, counts[c], NULL, &report) >= 0);
        cr_assert_eq(impinge_target_select(choice->target->name), IMPINGE_OK);
        cr_assert(batch_resolve_f32(&batch, 0, counts[c], NULL, &forced) >= 0);
        cr_assert_eq(impinge_target_select(NULL), IMPINGE_OK);
        cr_expect_eq(report.lane_slots, forced.lane_slots, "%zu contacts: not %s", counts[c],
                     choice->target->name);
    }
    batch_free_f32(&batch);
}
