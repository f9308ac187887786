/* The path of one contact: its end, its points, and the reference's path. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"

/* As in test_routh.c: units of rounding of |u0| + |K| |p| that a result may be off by. */
#define UNITS 32

/* More points than any path here has; a path that is longer than that goes wrong somewhere. */
enum { POINTS_MAX = 20000 };

typedef struct path {
    impinge_trace_point points[POINTS_MAX];
    size_t count;
    uint32_t outcome;
    impinge_status status;
} path;

static const impinge_restitution_rule rules[3] = {IMPINGE_RULE_STRONGE, IMPINGE_RULE_POISSON,
                                                  IMPINGE_RULE_NEWTON};

static void keep(void *user, const impinge_trace_point *point) {
    path *of = user;
    if (of->count < POINTS_MAX) of->points[of->count] = *point;
    of->count++;
}

static impinge_trace_input input_of_row(const double *row) {
    return (impinge_trace_input){
        .matrix = {row[IN_K11], row[IN_K12], row[IN_K13], row[IN_K22], row[IN_K23], row[IN_K33]},
        .u1 = row[IN_U1],
        .u2 = row[IN_U2],
        .u3 = row[IN_U3],
        .restitution = row[IN_RESTITUTION],
        .friction = row[IN_FRICTION],
        .friction_static = row[IN_FRICTION_STATIC]};
}

static void trace_row(const double *row, const impinge_options *options, size_t points, path *to) {
    const impinge_trace_input input = input_of_row(row);
    to->count = 0;
    to->status = impinge_trace_contact(&input, options, points, keep, to, &to->outcome);
    cr_assert(to->status >= 0);
    cr_assert(to->count >= 1 && to->count <= POINTS_MAX, "%zu points", to->count);
}

static const impinge_trace_point *last_of(const path *of) { return &of->points[of->count - 1]; }

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void expect_end(const batch_f64 *b, size_t i, const path *of) {
    const impinge_trace_point *p = last_of(of);
    const double found[CONTACT_OUTPUTS] = {p->p1,
                                           p->p2,
                                           p->p3,
                                           p->u1,
                                           p->u2,
                                           p->u3,
                                           p->work_compression,
                                           p->work_restitution,
                                           p->work_friction};
    cr_expect(of->outcome == b->outcome[i], "contact %zu: outcome %#x, not %#x", i,
              (unsigned)of->outcome, (unsigned)b->outcome[i]);
    for (size_t c = 0; c < CONTACT_OUTPUTS; c++) {
        /* An invalid velocity is handed back as it is; which of its two readers' quiet NaNs it is
         * says nothing. */
        const double right = b->out[c * b->stride + i];
        const bool same = same_bits(found[c], right) || (isnan(found[c]) && isnan(right));
        cr_expect(same, "contact %zu: output %zu is %a, not %a", i, c, found[c], right);
    }
}

/* Some contacts of every kind, valid or not. */
static void check_ends(const impinge_options *options, uint64_t seed, size_t each, size_t points) {
    const size_t count = RANDOM_KINDS * each;
    batch_f64 b = batch_new_f64(LEVEL_CONTACTS, count);
    path *of = malloc(sizeof *of);
    for (size_t i = 0; i < count; i++) {
        double row[CONTACT_INPUTS];
        random_contact(&seed, (random_kind)(i / each), 300, row);
        /* In an array 0 is a coefficient like others; here it means "the same as friction". */
        if (row[IN_FRICTION_STATIC] == 0) row[IN_FRICTION_STATIC] = row[IN_FRICTION];
        batch_set_row_f64(&b, i, row);
    }
    cr_assert(batch_resolve_f64(&b, 0, count, options, NULL) >= 0);
    for (size_t i = 0; i < count; i++) {
        double row[CONTACT_INPUTS];
        for (size_t c = 0; c < CONTACT_INPUTS; c++)
            row[c] = b.in[c * b.stride + i];
        trace_row(row, options, points, of);
        expect_end(&b, i, of);
        const bool invalid = of->outcome & IMPINGE_OUTCOME_INVALID;
        cr_expect(of->status == (invalid ? IMPINGE_SOME_INVALID : IMPINGE_OK));
    }
    free(of);
    batch_free_f64(&b);
}

Test(trace, ends_bit_for_bit_as_resolving_does) {
    for (int i = 0; i < 3; i++) {
        const impinge_options options = {.rule = rules[i], .resolve_jams = i != 0};
        check_ends(&options, 100 + (uint64_t)i, 150, 3);
    }
    const impinge_options coarse = {.tolerance = 1e-3};
    check_ends(&coarse, 200, 50, 1);
}

Test(trace, static_friction_may_be_left_out) {
    double row[CONTACT_INPUTS];
    path *of = malloc(2 * sizeof *of);
    uint64_t state = 250;
    for (int i = 0; i < 200; i++) {
        random_contact(&state, RANDOM_AT_REST, 0, row);
        row[IN_FRICTION_STATIC] = row[IN_FRICTION];
        trace_row(row, NULL, 1, &of[0]);
        row[IN_FRICTION_STATIC] = 0;
        trace_row(row, NULL, 1, &of[1]);
        cr_expect(of[0].outcome == of[1].outcome && of[0].count == of[1].count);
        cr_expect(same_bits(last_of(&of[0])->p3, last_of(&of[1])->p3));
    }
    free(of);
}

/* ---- Points on the way ---- */

typedef struct vectors {
    long double p[3], u[3];
} vectors;

static vectors vectors_of(const impinge_trace_point *of) {
    return (vectors){{of->p1, of->p2, of->p3}, {of->u1, of->u2, of->u3}};
}

/* The tolerance of a velocity by the options, relative to |u0|, and rounding. */
static long double bound_of(const reference_contact_long *c, const long double p[3]) {
    return 1e-12L * length3(c->u) + UNITS * DBL_EPSILON * speed_scale(c, p);
}

/* The error of a work, an integral of u . dp: |p| du, and |u| dp. */
static long double work_bound(const reference_contact_long *c, const long double p[3]) {
    const long double bound = bound_of(c, p);
    return bound * (length3(p) + speed_scale(c, p) * inverse_norm(c));
}

static void check_sums(const reference_contact_long *c, const impinge_trace_point *point) {
    const vectors at = vectors_of(point);
    long double u[3];
    velocity_after(c, at.p, u);
    const long double bound = bound_of(c, at.p);
    cr_expect(distance3(u, at.u) <= bound, "u is off by %Lg, allowed %Lg", distance3(u, at.u),
              bound);
    long double energy = 0;
    for (int i = 0; i < 3; i++)
        energy += at.p[i] * (c->u[i] + at.u[i]) / 2;
    const long double works = (long double)point->work_compression + point->work_restitution +
                              (long double)point->work_friction;
    const long double allowed = work_bound(c, at.p);
    cr_expect(fabsl(works - energy) <= allowed, "works are off by %Lg, allowed %Lg",
              fabsl(works - energy), allowed);
}

static void check_phase(const impinge_trace_point *from, const impinge_trace_point *to,
                        long double bound, long double work) {
    const bool compresses = to->phase == IMPINGE_TRACE_COMPRESSION;
    cr_expect(compresses ? to->u3 <= bound : to->u3 >= -bound, "u3 = %g", to->u3);
    const long double compression = (long double)to->work_compression - from->work_compression;
    const long double restitution = (long double)to->work_restitution - from->work_restitution;
    cr_expect(compresses ? restitution == 0 : fabsl(compression) <= work, "%Lg, %Lg", restitution,
              compression);
}

/* The impulse between two points is within the cone; on its surface only if the slip turns not. */
static void check_friction(const reference_contact_long *c, const impinge_trace_point *from,
                           const impinge_trace_point *to, long double bound) {
    const long double normal = (long double)to->p3 - from->p3;
    const long double tangential =
        hypotl((long double)to->p1 - from->p1, (long double)to->p2 - from->p2);
    const long double dp = bound * inverse_norm(c);
    cr_expect(normal >= -dp, "p3 falls by %Lg", -normal);
    const long double mu = to->state == IMPINGE_TRACE_STICKS ? c->friction_static : c->friction;
    if (!isinf(mu))
        cr_expect(tangential <= mu * normal + (1 + mu) * 2 * dp, "%Lg, %Lg", tangential, normal);
    if (to->state == IMPINGE_TRACE_STICKS) cr_expect(to->u1 == 0 && to->u2 == 0);
}

/* Sticking and diverging begin where the slip has vanished; phases where u_n has. */
static void check_state(const impinge_trace_point *from, const impinge_trace_point *to) {
    cr_expect(to->phase == from->phase || from->u3 == 0, "%g", from->u3);
    cr_expect(to->state != IMPINGE_TRACE_NO_IMPULSE);
    if (to->state == from->state || to->state == IMPINGE_TRACE_SLIDES) return;
    cr_expect(from->u1 == 0 && from->u2 == 0, "%g, %g", from->u1, from->u2);
}

static void check_path(const reference_contact_long *c, const path *of) {
    const impinge_trace_point *first = &of->points[0];
    cr_expect(first->p1 == 0 && first->p2 == 0 && first->p3 == 0);
    cr_expect(first->u1 == (double)c->u[0] && first->u2 == (double)c->u[1] &&
              first->u3 == (double)c->u[2]);
    if (of->count == 1) return;
    const vectors end = vectors_of(last_of(of));
    const long double bound = bound_of(c, end.p);
    for (size_t i = 0; i < of->count; i++) {
        check_sums(c, &of->points[i]);
        if (i == 0) continue;
        check_phase(&of->points[i - 1], &of->points[i], bound, work_bound(c, end.p));
        check_state(&of->points[i - 1], &of->points[i]);
        check_friction(c, &of->points[i - 1], &of->points[i], bound);
    }
}

Test(trace, points_keep_the_sums_and_the_law) {
    path *of = malloc(sizeof *of);
    uint64_t state = 300;
    int states[4] = {0};
    for (int i = 0; i < 6000; i++) {
        const random_kind kind = (random_kind)(i % RANDOM_SEPARATING);
        double row[CONTACT_INPUTS];
        random_contact(&state, kind, 0, row);
        const impinge_options options = {.rule = rules[i % 3]};
        trace_row(row, &options, 5, of);
        const reference_contact_long c = contact_of_row(row);
        check_path(&c, of);
        states[last_of(of)->state]++;
    }
    cr_expect(states[1] > 500 && states[2] > 500 && states[3] > 100, "%d %d %d", states[1],
              states[2], states[3]);
    free(of);
}

/*
 * By Newton's rule a tiny u_n0 has an end of compression, and one of restitution, that are the same
 * to rounding. Both are points.
 */
Test(trace, phases_end_where_u_n_vanishes) {
    enum { CONTACTS = 20000 };
    path *of = malloc(sizeof *of);
    uint64_t state = 310;
    size_t changes = 0;
    for (int i = 0; i < CONTACTS; i++) {
        const random_kind kind = (random_kind)(i % RANDOM_SEPARATING);
        double row[CONTACT_INPUTS];
        random_contact(&state, kind, 0, row);
        row[IN_U3] *= ldexp(1, -(int)random_below(&state, 60));
        const impinge_options options = {.rule = rules[i / 2 % 3], .resolve_jams = i % 2 == 1};
        trace_row(row, &options, 1 + random_below(&state, 4), of);
        for (size_t j = 1; j < of->count; j++) {
            const bool same = of->points[j].phase == of->points[j - 1].phase;
            cr_expect(same || of->points[j - 1].u3 == 0, "contact %d: %g", i, of->points[j - 1].u3);
            changes += !same;
        }
    }
    cr_expect_gt(changes, CONTACTS / 2);
    free(of);
}

/* ---- The reference ---- */

/*
 * The path does not depend on u_n but for its end. With u_n0 lowered by the u_n of a point, and no
 * restitution, the collision ends at that point: so the reference, which resolves, gives its place.
 * That holds if u_n was never as large before.
 */
static void check_point(const reference_contact_long *c, const impinge_trace_point *point) {
    reference_contact_long lowered = *c;
    lowered.u[2] -= point->u3;
    lowered.restitution = 0;
    reference_result_long r;
    cr_assert(reference_resolve_routh_long(&lowered, IMPINGE_RULE_POISSON, false, &r));
    const vectors at = vectors_of(point);
    r.u[2] += point->u3;
    const long double bound = bound_of(c, at.p);
    const long double error = distance3(at.u, r.u);
    if (error <= bound) return;
    /* As in test_routh.c: a contact may multiply what an error on the way is. */
    perturbation by = rounding_of(&lowered, UNITS * DBL_EPSILON);
    by.slip = by.normal = bound;
    r.u[2] -= point->u3;
    const sensitivity s = sensitivity_of(&lowered, IMPINGE_RULE_POISSON, false, &by, &r);
    cr_expect(error <= bound + 2 * s.u, "off by %Lg, allowed %Lg + %Lg", error, bound, 2 * s.u);
    if (error > bound + 2 * s.u) log_contact(c, IMPINGE_RULE_POISSON);
}

/* Where u_n falls it has been larger, even if the greatest u_n is between two points. */
static bool is_rising(const reference_contact_long *c, const impinge_trace_point *point) {
    const long double along = c->k13 * point->u1 + c->k23 * point->u2;
    return c->friction * along < c->k33 * hypotl(point->u1, point->u2) ||
           (point->u1 == 0 && point->u2 == 0);
}

Test(trace, points_are_where_the_reference_says) {
    path *of = malloc(sizeof *of);
    uint64_t state = 400;
    int checked = 0;
    for (int i = 0; i < 400; i++) {
        const random_kind kind = (random_kind)(i % RANDOM_SEPARATING);
        double row[CONTACT_INPUTS];
        random_contact(&state, kind, 0, row);
        trace_row(row, NULL, 4, of);
        const reference_contact_long c = contact_of_row(row);
        double highest = row[IN_U3];
        for (size_t j = 1; j < of->count; j++) {
            const impinge_trace_point *point = &of->points[j];
            const bool rises = point->u3 > highest + 1e-6 * fabs(row[IN_U3]);
            if (!rises) continue;
            highest = point->u3;
            if (!is_rising(&c, point)) continue;
            check_point(&c, point);
            checked++;
        }
    }
    cr_expect(checked > 4000, "%d", checked);
    free(of);
}

/* The points of the reference's path where u_n = 0. */
typedef struct zeros {
    long double p[8][3];
    size_t count;
} zeros;

static void keep_zero(void *user, const reference_point_long *point) {
    zeros *of = user;
    if (point->event != REFERENCE_EVENT_ZERO || of->count == 8) return;
    memcpy(of->p[of->count++], point->p, sizeof point->p);
}

/* The example of Mirtich 1996, corrected, 1.2, whose graph has three roots and a maximum. */
static const double example[CONTACT_INPUTS] = {20,  -23,  4,     31,  -7,  4,
                                               630, -780, -0.22, 0.9, 0.5, 0.5};

Test(trace, of_the_example_of_the_paper) {
    path *of = malloc(sizeof *of);
    trace_row(example, NULL, 64, of);
    const reference_contact_long c = contact_of_row(example);
    zeros right = {.count = 0};
    reference_result_long r;
    cr_assert(reference_trace_routh_long(&c, IMPINGE_RULE_STRONGE, false, keep_zero, &right, &r));
    cr_assert(right.count == 3, "%zu", right.count);
    const double printed[] = {14.6, 29.8, 56.0};
    size_t found = 0;
    const impinge_trace_point *top = &of->points[0];
    for (size_t i = 0; i < of->count && found <= 3; i++) {
        const impinge_trace_point *point = &of->points[i];
        if (point->u3 == 0) {
            cr_assert(found < 3);
            /* du_n/dp_n is of the order of 0.02 there, u known to 1e-12 of 1000. */
            cr_expect(fabsl(point->p3 - right.p[found][2]) < 1e-9L / 0.01L);
            cr_expect(fabs(point->p3 - printed[found]) < 0.05);
            found++;
        }
        if (found == 1 && point->u3 > top->u3) top = point;
    }
    cr_expect(found == 3);
    /* The maximum is flat: points near it are as high as rounding allows only within a step. */
    cr_expect(fabs(top->p3 - 22.5) < 0.3, "%g", top->p3);
    cr_expect(of->outcome & IMPINGE_OUTCOME_RECOMPRESSED);
    free(of);
}

/* ---- The rest ---- */

static void ignore(void *user, const impinge_trace_point *point) {
    (void)point;
    ++*(int *)user;
}

Test(trace, refuses_what_makes_no_sense) {
    const impinge_trace_input in = input_of_row(example);
    int calls = 0;
    cr_expect(impinge_trace_contact(NULL, NULL, 1, ignore, &calls, NULL) ==
              IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_trace_contact(&in, NULL, 1, NULL, &calls, NULL) ==
              IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_trace_contact(&in, NULL, 0, ignore, &calls, NULL) == IMPINGE_ERROR_ARGUMENT);
    const impinge_options other_law = {.law = IMPINGE_LAW_SMITH};
    const impinge_options no_rule = {.rule = (impinge_restitution_rule)3};
    const impinge_options too_coarse = {.tolerance = 0.02};
    cr_expect(impinge_trace_contact(&in, &other_law, 1, ignore, &calls, NULL) ==
              IMPINGE_ERROR_OPTION);
    cr_expect(impinge_trace_contact(&in, &no_rule, 1, ignore, &calls, NULL) ==
              IMPINGE_ERROR_OPTION);
    cr_expect(impinge_trace_contact(&in, &too_coarse, 1, ignore, &calls, NULL) ==
              IMPINGE_ERROR_OPTION);
    cr_expect(calls == 0);
}

Test(trace, names) {
    cr_expect_str_eq(impinge_trace_phase_name(IMPINGE_TRACE_COMPRESSION), "compression");
    cr_expect_str_eq(impinge_trace_phase_name(IMPINGE_TRACE_RESTITUTION), "restitution");
    cr_expect_null(impinge_trace_phase_name((impinge_trace_phase)2));
    const char *const states[] = {"no-impulse", "slides", "sticks", "diverges"};
    for (int i = 0; i < 4; i++)
        cr_expect_str_eq(impinge_trace_state_name((impinge_trace_state)i), states[i]);
    cr_expect_null(impinge_trace_state_name((impinge_trace_state)4));
}
