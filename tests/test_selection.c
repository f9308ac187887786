/*
 * Selections (<impinge/selection.h>), of every public call that takes one: null is all, nothing
 * else is touched, an order is refused where none is taken, and nothing beyond the count is
 * selected. Those on rows of particles are in test_particle_rows_real.inc, and those on
 * lists in test_particle_lists_real.inc.
 */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "public_calls.h"

enum { CONTACTS = 67, BODIES = 23, MIDDLE = 20, SOME = 17 };

/* The calls on contacts that take a selection of them. */
static const struct {
    const char *name;
    bool order;    /* may the selection have one */
    bool adds_up;  /* two parts in turn are the whole: results are sums */
    bool prepares; /* public_calls.c makes other calls before, which write */
} selecting[] = {
    {"resolve_contacts", false, false, false},
    {"resolve_body_pairs", false, false, false},
    {"resolve_planar_contacts", false, false, false},
    {"resolve_planar_pairs", false, false, false},
    {"resolve_mechanisms", false, false, false},
    {"resolve_planar_mechanisms", false, false, false},
    {"judge_impulses", false, false, false},
    {"project_impulses", false, false, false},
    {"resolve_indexed", true, false, false},
    {"resolve_independent", true, false, false},
    {"apply_impulses", true, true, false},
    {"resolve_particle_pairs", false, false, false},
    {"resolve_particle_planes", false, false, false},
    {"collide_particle_pairs", false, false, false},
    {"collide_particle_rows", false, false, true},
    {"count_impulses", false, true, false},
    {"apply_particle_pairs", false, true, false},
    {"apply_particle_planes", false, true, false},
};

/* Those with a second selection, of what they change, or of the islands that they resolve. */
static const struct {
    const char *name;
    size_t most; /* of what is selected */
    bool prepares;
} changing[] = {{"apply_impulses", BODIES, false},
                {"apply_particle_pairs", BODIES, false},
                {"apply_particle_planes", BODIES, false},
                {"resolve_sequence", CONTACTS, true}};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const public_call *call_of(const char *name, size_t precision) {
    char full[80];
    snprintf(full, sizeof full, "impinge_%s_f%d", name, precision == 0 ? 32 : 64);
    for (size_t i = 0; i < public_call_count; i++)
        if (strcmp(public_calls[i].name, full) == 0) return &public_calls[i];
    cr_assert_fail("no call has the name %s", full);
    return NULL;
}

/* A call with legal numbers, and bytes in its results by which a write is seen. */
static call_setup setup_of(const public_call *call) {
    call_setup s = {.contacts = CONTACTS,
                    .bodies = BODIES,
                    .planes = 6,
                    .coordinates = 5,
                    .count = CONTACTS,
                    .spheres = true,
                    .collisions_max = 4 * CONTACTS,
                    .points = 1};
    call_plan(call, &s);
    cr_assert(call_allocate(&s));
    call_fill(&s, 5);
    for (size_t k = 0; k < s.columns; k++)
        if (s.column[k].role == COLUMN_WRITTEN)
            memset(s.column[k].data, 0x5a, s.column[k].size * s.column[k].length);
    return s;
}

static bool is_same(const call_setup *a, const call_setup *b) {
    size_t column;
    return call_same(a, b, &column);
}

/* ---- Null is all ---- */

static void check_null(const public_call *call) {
    call_setup all = setup_of(call), told = setup_of(call), none = setup_of(call);
    all.selects_all = true;
    const impinge_selection whole = {0, CONTACTS, NULL};
    told.selection = &whole;
    const impinge_status status = call_run(call, &all);
    cr_expect(status >= 0, "%s: %d", call->name, (int)status);
    cr_expect_eq(call_run(call, &told), status, "%s", call->name);
    cr_expect(is_same(&all, &told), "%s", call->name);
    cr_expect(!is_same(&all, &none), "%s does nothing", call->name);
    call_free(&all);
    call_free(&told);
    call_free(&none);
}

Test(selection, null_is_all) {
    for (size_t i = 0; i < 2 * COUNT_OF(selecting); i++)
        check_null(call_of(selecting[i / 2].name, i % 2));
}

/* ---- Only what is selected ---- */

static void check_middle(const public_call *call) {
    call_setup all = setup_of(call), part = setup_of(call), none = setup_of(call);
    const impinge_selection middle = {MIDDLE, SOME, NULL}, nothing = {CONTACTS, 0, NULL};
    all.selects_all = true;
    part.selection = &middle;
    cr_expect(call_run(call, &all) >= 0 && call_run(call, &part) >= 0, "%s", call->name);
    for (size_t i = 0; i < CONTACTS; i++) {
        const bool is_in = i >= MIDDLE && i < MIDDLE + SOME;
        cr_expect(call_same_at(is_in ? &all : &none, &part, i), "%s: %zu", call->name, i);
    }
    call_setup empty = setup_of(call);
    empty.selection = &nothing;
    cr_expect_eq(call_run(call, &empty), IMPINGE_OK, "%s", call->name);
    cr_expect(is_same(&empty, &none), "%s", call->name);
    call_free(&all);
    call_free(&part);
    call_free(&none);
    call_free(&empty);
}

/* Sums: the contacts of two selections one after the other are all of them. */
static void check_in_turn(const public_call *call) {
    call_setup all = setup_of(call), parts = setup_of(call);
    const impinge_selection first = {0, MIDDLE, NULL}, others = {MIDDLE, CONTACTS - MIDDLE, NULL};
    cr_expect(call_run(call, &all) >= 0);
    parts.selection = &first;
    cr_expect(call_run(call, &parts) >= 0);
    cr_expect(!is_same(&all, &parts), "%s: a part is all", call->name);
    parts.selection = &others;
    cr_expect(call_run(call, &parts) >= 0);
    cr_expect(is_same(&all, &parts), "%s", call->name);
    call_free(&all);
    call_free(&parts);
}

Test(selection, only_what_is_selected) {
    for (size_t i = 0; i < 2 * COUNT_OF(selecting); i++) {
        const public_call *const call = call_of(selecting[i / 2].name, i % 2);
        if (call->independent) check_middle(call);
        if (selecting[i / 2].adds_up) check_in_turn(call);
    }
}

/* With none of the bodies, particles or islands. Tests of threads share them out. */
static void check_shares(const public_call *call) {
    call_setup all = setup_of(call), parts = setup_of(call);
    const impinge_selection nothing = {1, 0, NULL};
    cr_expect(call_run(call, &all) >= 0);
    parts.changed = &nothing;
    cr_expect(call_run(call, &parts) >= 0);
    cr_expect(!is_same(&all, &parts), "%s: none is all", call->name);
    call_free(&all);
    call_free(&parts);
}

Test(selection, shares) {
    for (size_t i = 0; i < 2 * COUNT_OF(changing); i++)
        check_shares(call_of(changing[i / 2].name, i % 2));
}

/* ---- An order ---- */

static void check_order(const public_call *call, bool takes_one, bool prepares) {
    uint32_t order[CONTACTS];
    for (uint32_t i = 0; i < CONTACTS; i++)
        order[i] = CONTACTS - 1 - i;
    const impinge_selection backward = {0, CONTACTS, order};
    call_setup all = setup_of(call), s = setup_of(call), none = setup_of(call);
    s.selection = &backward;
    const impinge_status status = call_run(call, &s);
    if (takes_one) {
        cr_expect(status >= 0, "%s: %d", call->name, (int)status);
        cr_expect(call_run(call, &all) >= 0);
        if (call->independent) cr_expect(is_same(&all, &s), "%s", call->name);
        cr_expect(!is_same(&none, &s), "%s", call->name);
    } else {
        cr_expect_eq(status, IMPINGE_ERROR_ARGUMENT, "%s: %d", call->name, (int)status);
        cr_expect(prepares || is_same(&none, &s), "%s has written", call->name);
    }
    call_free(&all);
    call_free(&s);
    call_free(&none);
}

static void check_order_of_changed(const public_call *call) {
    const uint32_t order[1] = {0};
    const impinge_selection ordered = {0, 1, order};
    call_setup s = setup_of(call);
    s.changed = &ordered;
    cr_expect_eq(call_run(call, &s), IMPINGE_ERROR_ARGUMENT, "%s", call->name);
    call_free(&s);
}

Test(selection, order) {
    for (size_t i = 0; i < 2 * COUNT_OF(selecting); i++)
        check_order(call_of(selecting[i / 2].name, i % 2), selecting[i / 2].order,
                    selecting[i / 2].prepares);
    for (size_t i = 0; i < 2 * COUNT_OF(changing); i++)
        check_order_of_changed(call_of(changing[i / 2].name, i % 2));
}

/* ---- Beyond the count ---- */

static void check_beyond(const public_call *call, size_t count, bool changed, bool prepares) {
    const impinge_selection beyond[] = {
        {0, count + 1, NULL}, {count, 1, NULL},    {count + 1, 0, NULL}, {1, count, NULL},
        {1, SIZE_MAX, NULL},  {SIZE_MAX, 2, NULL}, {SIZE_MAX, 0, NULL},  {0, SIZE_MAX, NULL}};
    call_setup none = setup_of(call), s = setup_of(call);
    for (size_t i = 0; i < COUNT_OF(beyond); i++) {
        *(changed ? &s.changed : &s.selection) = &beyond[i];
        cr_expect_eq(call_run(call, &s), IMPINGE_ERROR_COUNT, "%s: %zu", call->name, i);
    }
    cr_expect(prepares || is_same(&none, &s), "%s has written", call->name);
    call_free(&none);
    call_free(&s);
}

Test(selection, beyond_the_count) {
    for (size_t i = 0; i < 2 * COUNT_OF(selecting); i++)
        check_beyond(call_of(selecting[i / 2].name, i % 2), CONTACTS, false,
                     selecting[i / 2].prepares);
    for (size_t i = 0; i < 2 * COUNT_OF(changing); i++)
        check_beyond(call_of(changing[i / 2].name, i % 2), changing[i / 2].most, true,
                     changing[i / 2].prepares);
}
