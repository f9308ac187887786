/* Contacts given by K and u0: reading them, and writing what comes of them. */
#ifndef IMPINGE_KERNELS_CONTACTS_H
#define IMPINGE_KERNELS_CONTACTS_H

#include "batch.h"
#include "speed.h"
#include "vector.h"

/* Whether lines are asked for once each, by a loop that says so; else by each of its vectors. */
#ifndef IMPINGE_AHEAD_BY_LINE
#define IMPINGE_AHEAD_BY_LINE false
#endif

/*
 * How far ahead of its use a cache line is asked for. A contact's numbers come from more arrays
 * than a CPU follows by itself; eight lines of 64 bytes are about what memory takes to answer.
 */
#define AHEAD ((size_t)8 * 64)

/* `count` elements from a + i, at most LANES; zeros in the lanes beyond. */
EACH_USE lane_t lanes_at(const real_t *a, size_t i, size_t count) {
    if (!IMPINGE_AHEAD_BY_LINE || i % (64 / sizeof *a) < LANES) lane_prefetch(a + i, AHEAD);
    return count >= LANES ? lane_load(a + i) : lane_load_first(a + i, count);
}

EACH_USE vector_t vector_at(const real_t *x, const real_t *y, const real_t *z, size_t i,
                            size_t count) {
    return (vector_t){lanes_at(x, i, count), lanes_at(y, i, count), lanes_at(z, i, count)};
}

EACH_USE void lanes_to(real_t *to, size_t i, lane_t a, size_t count) {
    if (!to) return;
    lane_prefetch_write(to + i, AHEAD);
    if (count >= LANES)
        lane_store(to + i, a);
    else
        lane_store_first(to + i, a, count);
}

EACH_USE void words_to(uint32_t *to, size_t i, word_t a, size_t count) {
    if (!to) return;
    if (count >= LANES)
        word_store(to + i, a);
    else
        word_store_first(to + i, a, count);
}

/* What every level tells besides impulses and velocities. */
EACH_USE void works_to(real_t *compression, real_t *restitution, real_t *friction,
                       uint32_t *outcome, size_t i, const resolved_t *r, size_t count) {
    lanes_to(compression, i, r->work_compression, count);
    lanes_to(restitution, i, r->work_restitution, count);
    lanes_to(friction, i, r->work_friction, count);
    words_to(outcome, i, r->outcome, count);
}

EACH_USE lane_t coefficient_at(const NAME(impinge_coefficient) * c, size_t i, size_t count) {
    return c->values ? lanes_at(c->values, i, count) : lane_set(c->value);
}

/* The coefficient where the law has it; where not, zero, which is legal for all of them. */
EACH_USE lane_t coefficient_if(bool has, const NAME(impinge_coefficient) * c, size_t i,
                               size_t count) {
    return has ? coefficient_at(c, i, count) : lane_zero();
}

/* Not given: all zero. */
static inline bool is_given(const NAME(impinge_coefficient) * c) {
    return c->values || c->value != 0 || c->given;
}

EACH_USE void require(given_t *g, mask_t legal) {
    g->invalid =
        word_or(g->invalid, word_where(mask_not(legal), IMPINGE_OUTCOME_INVALID_COEFFICIENT));
}

/* e = 2 f - 1, exact for f >= 1/2 (Hakenberg: a fraction f of the elastic impulse). */
EACH_USE void restitution_of_fraction(given_t *g, lane_t f) {
    const lane_t one = lane_set(1);
    const mask_t legal = mask_and(lane_le(lane_set(REAL(0.5)), f), lane_le(f, one));
    require(g, legal);
    g->restitution = lane_select(legal, lane_sub(lane_add(f, f), one), lane_zero());
}

/* By the approach speed of contacts whose u_n is known, in the lanes that approach. */
static __attribute__((noinline)) lane_t modelled_restitution(const NAME(impinge_restitution) * is,
                                                             lane_t given, lane_t u_n) {
    const mask_t approaches = lane_lt(u_n, lane_zero());
    const lane_t speed = lane_select(approaches, lane_neg(u_n), lane_set(1));
    return lane_select(approaches, restitution_of_speed(is, given, speed), given);
}

/* g->u3 is known. */
EACH_USE void coefficients_at(given_t *g, const NAME(impinge_coefficients) * c, impinge_law law,
                              size_t i, size_t count) {
    const lane_t zero = lane_zero();
    const lane_t one = lane_set(1);
    const bool composite = law == IMPINGE_LAW_COMPOSITE;
    const bool routh = law == IMPINGE_LAW_ROUTH || composite;
    const bool brach = law == IMPINGE_LAW_BRACH;
    const bool tangential =
        composite || law == IMPINGE_LAW_BILINEAR || law == IMPINGE_LAW_CHATTERJEE_RUINA;
    g->invalid = word_where(mask_none(), 0);
    if (law == IMPINGE_LAW_FRICTIONLESS && is_given(&c->damping_fraction))
        restitution_of_fraction(g, coefficient_at(&c->damping_fraction, i, count));
    else
        g->restitution = coefficient_at(&c->restitution, i, count);
    if (c->model) g->restitution = modelled_restitution(c->model, g->restitution, g->u3);
    g->friction = coefficient_if(law != IMPINGE_LAW_FRICTIONLESS, &c->friction, i, count);
    g->friction_static = routh && is_given(&c->friction_static)
                             ? coefficient_at(&c->friction_static, i, count)
                             : g->friction;
    g->tangential_restitution = coefficient_if(tangential, &c->tangential_restitution, i, count);
    g->mix = coefficient_if(composite, &c->mix, i, count);
    g->impulse_ratio_1 = coefficient_if(brach, &c->impulse_ratio_t1, i, count);
    g->impulse_ratio_2 = coefficient_if(brach, &c->impulse_ratio_t2, i, count);
    if (tangential) require(g, lane_le(lane_abs(g->tangential_restitution), one));
    if (composite) require(g, mask_and(lane_le(zero, g->mix), lane_le(g->mix, one)));
    if (brach) require(g, all_finite3(g->impulse_ratio_1, g->impulse_ratio_2, zero));
}

EACH_USE given_t matrix_at(const NAME(impinge_contacts) * in, size_t i, size_t count) {
    given_t g;
    g.k11 = lanes_at(in->k11, i, count);
    g.k12 = lanes_at(in->k12, i, count);
    g.k13 = lanes_at(in->k13, i, count);
    g.k22 = lanes_at(in->k22, i, count);
    g.k23 = lanes_at(in->k23, i, count);
    g.k33 = lanes_at(in->k33, i, count);
    g.u1 = lanes_at(in->u1, i, count);
    g.u2 = lanes_at(in->u2, i, count);
    g.u3 = lanes_at(in->u3, i, count);
    return g;
}

EACH_USE void results_to(const NAME(impinge_contacts) * in,
                         const NAME(impinge_contact_results) * out, size_t i, resolved_t *r,
                         size_t count) {
    /* Before anything is written: outputs may be the inputs. */
    if (mask_any(r->untouched)) {
        r->u1 = lane_select(r->untouched, lanes_at(in->u1, i, count), r->u1);
        r->u2 = lane_select(r->untouched, lanes_at(in->u2, i, count), r->u2);
        r->u3 = lane_select(r->untouched, lanes_at(in->u3, i, count), r->u3);
    }
    lanes_to(out->p1, i, r->p1, count);
    lanes_to(out->p2, i, r->p2, count);
    lanes_to(out->p3, i, r->p3, count);
    lanes_to(out->u1_after, i, r->u1, count);
    lanes_to(out->u2_after, i, r->u2, count);
    lanes_to(out->u3_after, i, r->u3, count);
    works_to(out->work_compression, out->work_restitution, out->work_friction, out->outcome, i, r,
             count);
}

#endif
