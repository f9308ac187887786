/*
 * Particles: pairs of points or spheres by index, and particles against planes (impulse collision
 * method, a.1 to c.5).
 *
 * A contact takes one of two paths, which have the same arithmetic. The quick path is for whole
 * vectors of ordinary contacts, which are legal and have sizes whose squares and products fit. The
 * general path is for any contact: it finds the reason of an error, and scales numbers far from 1
 * by powers of two. An ordinary contact gets the same bits by either path, whatever its neighbours.
 */
#ifndef IMPINGE_KERNELS_PARTICLES_H
#define IMPINGE_KERNELS_PARTICLES_H

#include "columns.h"
#include "exponents.h"
#include "restitution.h"
#include "table.h"
#include "vector.h"

/* One call, for all of its contacts. `planes` is not null for contacts with planes. */
typedef struct particle_call {
    const NAME(impinge_particles) * particles;
    const NAME(impinge_planes) * planes;
    const real_t *rows8, *rows4; /* particles as rows instead, then `particles` serves only for
                                  * the periods */
    const NAME(impinge_particle_contacts) * in;
    selected_t selected; /* of the contacts */
    const NAME(impinge_particle_results) * out;
    impinge_report *report;
    impinge_law law;
    real_t e_max;
    model_t model;
    bool quick; /* the numbers that all contacts share are legal */
    bool periodic;
} particle_call_t;

/*
 * The variants that are compiled: pairs or planes, spheres or points, columns or rows; contiguous
 * columns or any.
 */
typedef struct use {
    bool planes, spheres, rows;
    layout_t layout;
} use_t;

/*
 * Rows of eight numbers and of four, none across a cache line: x, y, z, R and v, 1/m; R omega,
 * R^2 / I.
 */
enum { ROW8 = 8, ROW4 = 4, ROW_VELOCITY = 4 };

/* Sizes of ordinary contacts: lengths and speeds; masses; moments of inertia beside masses. */
#if IMPINGE_REAL_BITS == 32
#define LENGTH_MAX REAL(0x1p40)
#define MASS_MAX   REAL(0x1p60)
#else
#define LENGTH_MAX 0x1p300
#define MASS_MAX   0x1p300
#endif
#define ARM_MAX REAL(0x1p20)
/*
 * The least p_n / |slip| for which friction keeps its precision: its unit of rounding is a normal
 * number.
 */
#define SHARE_MIN (REAL_MIN / REAL_UNIT)

static inline mask_t in_range(lanes_t a, real_t max) {
    return mask_and(lane_le(lane_set(1 / max), a), lane_le(a, lane_set(max)));
}

/* Zero, or a size that leaves R / I in range beside an ordinary T. */
static inline mask_t is_radius_ordinary(lanes_t radius) {
    return mask_and(
        mask_or(lane_eq(radius, lane_zero()), lane_le(lane_set(1 / LENGTH_MAX), radius)),
        lane_le(radius, lane_set(LENGTH_MAX)));
}

static inline mask_t is_square_ordinary(lanes_t square) {
    return in_range(square, LENGTH_MAX * LENGTH_MAX);
}

/*
 * The elements of a side's arrays: at `index`, counted from `from`; or, if `index` is null,
 * consecutive ones from `from` on.
 */
typedef struct pick {
    const uint32_t *index;
    size_t from;
} pick_t;

INLINE lanes_t fetch(size_t stride, const real_t *a, pick_t p) {
    if (p.index) return gather_by(stride, a + p.from * stride, lane_indices_again(p.index));
    return stride == 1 ? lane_load(a + p.from) : load_strided(a, stride, p.from, LANES);
}

INLINE vector_t fetch_vector(size_t stride, const real_t *x, const real_t *y, const real_t *z,
                             pick_t p) {
    return (vector_t){fetch(stride, x, p), fetch(stride, y, p), fetch(stride, z, p)};
}

/* For planes a null index means the first plane. */
INLINE lanes_t fetch_plane(size_t stride, const real_t *a, pick_t p) {
    return p.index ? gather_by(stride, a, p.index) : lane_set(*a);
}

INLINE vector_t fetch_plane_vector(size_t stride, const real_t *x, const real_t *y, const real_t *z,
                                   pick_t p) {
    return (vector_t){fetch_plane(stride, x, p), fetch_plane(stride, y, p),
                      fetch_plane(stride, z, p)};
}

/* Contacts between the search and the collision. */
typedef struct touch {
    vector_t normal;
    lanes_t overlap, radius_a, radius_b; /* of planes, B has none */
    lanes_t u_n, k33, t;                 /* t: K_11 = K_22 */
    vector_t slip;
    lanes_t restitution, friction, one_plus_e_t;
} touch_t;

/* Rounds to the nearest integer, ties to even; the magnitude is at most 2^22. */
#define NEAREST_MAX REAL(0x1p22)
#define NEAREST_ADD REAL(1.5) * (IMPINGE_REAL_BITS == 32 ? REAL(0x1p23) : REAL(0x1p52))

/* The number of periods that a difference of positions has, rounded. */
INLINE lanes_t whole_turns(lanes_t d, real_t period) {
    const real_t inverse = period > 0 ? 1 / period : 0;
    const lanes_t add = lane_set(NEAREST_ADD);
    return lane_sub(lane_add(lane_mul(d, lane_set(inverse)), add), add);
}

/* Brings a difference of positions near the nearest image. Returns the larger of `most` and turns.
 */
INLINE lanes_t bring_nearer(lanes_t *d, real_t period, lanes_t most) {
    const lanes_t turns = whole_turns(*d, period);
    *d = lane_fnma(lane_set(period), turns, *d);
    return lane_max(lane_abs(turns), most);
}

/* Along all axes. Returns the most turns of any. */
INLINE lanes_t bring_all_nearer(const NAME(impinge_particles) * p, vector_t *d) {
    const lanes_t x = bring_nearer(&d->x, p->period_x, lane_zero());
    return bring_nearer(&d->z, p->period_z, bring_nearer(&d->y, p->period_y, x));
}

/*
 * Brings x_A - x_B to the nearest images. The number of turns is rounded in proportion to itself,
 * by up to three quarters for f32 at NEAREST_MAX: of many turns the remainder is brought nearer
 * once more. Of few, it is the nearest image but for the rounding of the positions.
 */
INLINE void bring_nearest(const particle_call_t *call, vector_t *d, mask_t *found) {
    const NAME(impinge_particles) *const p = call->particles;
    const real_t few = 2;
    if (!call->periodic) return;
    const lanes_t most = bring_all_nearer(p, d);
    *found = mask_and(*found, lane_le(most, lane_set(NEAREST_MAX)));
    if (mask_any(lane_lt(lane_set(few), most))) (void)bring_all_nearer(p, d);
}

/* x_A - x_B (impulse collision method, a.1), of the nearest images. */
INLINE vector_t separation_of(const particle_call_t *call, vector_t x_a, vector_t x_b,
                              mask_t *found) {
    vector_t d = vector_sub(x_a, x_b);
    bring_nearest(call, &d, found);
    return d;
}

INLINE vector_t separation(const particle_call_t *call, layout_t layout, pick_t a, pick_t b,
                           mask_t *found) {
    const NAME(impinge_particles) *const p = call->particles;
    return separation_of(call, fetch_vector(VECTOR_OF(layout, p, position), a),
                         fetch_vector(VECTOR_OF(layout, p, position), b), found);
}

/* Vectors whose squares fit are not scaled, so their lengths have the bits of the quick path. */
INLINE scale_t scale_unless(mask_t ordinary, lanes_t size) {
    const lanes_t one = lane_set(1);
    return scale_of(lane_select(mask_or(ordinary, lane_eq(size, lane_zero())), one, size));
}

/* A vector of any size: its direction (null: not wanted; zero if it has none) and its length. */
INLINE lanes_t length_at_any_scale(vector_t a, vector_t *direction) {
    const lanes_t one = lane_set(1);
    const scale_t s = scale_unless(is_square_ordinary(vector_dot(a, a)), vector_largest(a));
    const vector_t scaled = vector_normalise_by(&s, a);
    const lanes_t length = lane_sqrt(vector_dot(scaled, scaled));
    if (direction) {
        const mask_t none = lane_eq(length, lane_zero());
        *direction = vector_over(scaled, lane_select(none, one, length));
    }
    return scale_velocity(&s, length);
}

/*
 * The second nearest image is across one face. If it touches as well, the pair has more than one
 * contact, and the input does not say which one is meant.
 */
INLINE vector_t across(vector_t d, int axis, real_t period) {
    const lanes_t whole = lane_set(period);
    if (axis == 0) d.x = lane_sub(whole, lane_abs(d.x));
    if (axis == 1) d.y = lane_sub(whole, lane_abs(d.y));
    if (axis == 2) d.z = lane_sub(whole, lane_abs(d.z));
    return d;
}

/*
 * A bound on the rounding of squares and products in a coarse test, which takes some ten
 * operations.
 */
#define COARSE (32 * REAL_UNIT)

/* Contacts of ordinary sizes that certainly touch in one image at most. */
INLINE mask_t is_image_alone(const particle_call_t *call, vector_t d, lanes_t reach) {
    const NAME(impinge_particles) *const p = call->particles;
    const real_t period[3] = {p->period_x, p->period_y, p->period_z};
    mask_t alone = mask_all();
    if (!call->periodic) return alone;
    const lanes_t within = lane_mul(lane_mul(reach, reach), lane_set(1 + COARSE));
    const lanes_t least = lane_max(within, lane_set(1 / (LENGTH_MAX * LENGTH_MAX)));
    for (int axis = 0; axis < 3; axis++) {
        if (!(period[axis] > 0)) continue;
        const vector_t other = across(d, axis, period[axis]);
        alone = mask_and(alone, lane_lt(least, vector_dot(other, other)));
    }
    return alone;
}

/* Overlaps and normals of pairs (impulse collision method, a.2 and b.1). Returns which are
 * ordinary, too. */
INLINE mask_t find_touch_at(vector_t d, mask_t ordinary, touch_t *c) {
    const lanes_t square = vector_dot(d, d);
    const lanes_t length = lane_sqrt(square);
    const lanes_t reach = lane_add(c->radius_a, c->radius_b);
    c->overlap = lane_sub(reach, length);
    c->normal = vector_over(d, length);
    ordinary = mask_and(ordinary, is_square_ordinary(square));
    ordinary = mask_and(ordinary,
                        mask_and(is_radius_ordinary(c->radius_a), is_radius_ordinary(c->radius_b)));
    return mask_and(ordinary, lane_le(reach, lane_set(LENGTH_MAX)));
}

INLINE mask_t find_touch_pairs(const particle_call_t *call, use_t use, pick_t a, pick_t b,
                               touch_t *c) {
    mask_t ordinary = mask_all();
    const vector_t d = separation(call, use.layout, a, b, &ordinary);
    ordinary = mask_and(ordinary, is_image_alone(call, d, lane_add(c->radius_a, c->radius_b)));
    return find_touch_at(d, ordinary, c);
}

typedef struct plane {
    vector_t normal;
    lanes_t offset, length;
    mask_t unit;
} plane_t;

INLINE plane_t load_plane(const NAME(impinge_planes) * in, layout_t layout, pick_t p) {
    plane_t s = {.normal = fetch_plane_vector(VECTOR_OF(layout, in, normal), p),
                 .offset = fetch_plane(COLUMN_OF(layout, in, offset), p)};
    const lanes_t one = lane_set(1);
    s.length = lane_sqrt(vector_dot(s.normal, s.normal));
    /* Lengths off 1 by more are a mistake, not a rounding error. */
    s.unit = lane_le(lane_abs(lane_sub(s.length, one)), lane_set(REAL(1e-3)));
    return s;
}

/* n.x - offset. The search for neighbours has it in these bits, too. */
INLINE lanes_t height_above(vector_t normal, lanes_t offset, vector_t x) {
    return lane_fma(normal.x, x.x,
                    lane_fma(normal.y, x.y, lane_fma(normal.z, x.z, lane_neg(offset))));
}

/* R_A - (n.x_A - offset): the distance has a sign (impulse collision method, a.2 b, modified 5.9).
 */
INLINE lanes_t penetration(const plane_t *s, vector_t x, lanes_t radius) {
    return lane_sub(radius, lane_div(height_above(s->normal, s->offset, x), s->length));
}

/* The same of particles and planes. */
INLINE mask_t find_touch_planes(const particle_call_t *call, use_t use, pick_t a, pick_t b,
                                touch_t *c) {
    const NAME(impinge_particles) *const p = call->particles;
    const lanes_t max = lane_set(LENGTH_MAX);
    const plane_t s = load_plane(call->planes, use.layout, b);
    const vector_t x = fetch_vector(VECTOR_OF(use.layout, p, position), a);
    c->normal = vector_over(s.normal, s.length);
    c->overlap = penetration(&s, x, c->radius_a);
    c->radius_b = lane_zero();
    return mask_and(mask_and(s.unit, is_radius_ordinary(c->radius_a)),
                    lane_le(lane_abs(c->overlap), max));
}

INLINE mask_t find_touch(const particle_call_t *call, use_t use, pick_t a, pick_t b, touch_t *c) {
    c->radius_a = fetch(COLUMN_OF(use.layout, call->particles, radius), a);
    if (use.planes) return find_touch_planes(call, use, a, b, c);
    c->radius_b = fetch(COLUMN_OF(use.layout, call->particles, radius), b);
    return find_touch_pairs(call, use, a, b, c);
}

/*
 * A particle's term in T, R^2 / I; `given` is 1/I, or null for a solid sphere. A sphere of radius 0
 * has no arm, an immovable one no spin.
 */
INLINE lanes_t turning(const lanes_t *given, lanes_t radius, lanes_t inverse_mass, mask_t *legal) {
    const lanes_t zero = lane_zero();
    const mask_t arm = mask_and(lane_lt(zero, radius), lane_lt(zero, inverse_mass));
    if (!given) return lane_select(arm, lane_mul(lane_set(REAL(2.5)), inverse_mass), zero);
    const lanes_t inverse_inertia = lane_select(arm, *given, zero);
    *legal = mask_and(*legal, mask_and(lane_le(zero, inverse_inertia),
                                       lane_le(inverse_inertia, lane_set(REAL_MAX))));
    return lane_mul(radius, lane_mul(radius, inverse_inertia));
}

/* The same for particles i, i + 1, ..., whose 1/I may have any value. */
INLINE lanes_t turning_at(layout_t layout, const NAME(impinge_particles) * p, size_t i,
                          size_t count, lanes_t radius, lanes_t inverse_mass) {
    mask_t legal = mask_all();
    if (!p->inverse_inertia) return turning(NULL, radius, inverse_mass, &legal);
    const lanes_t given = load_lanes_by(COLUMN_OF(layout, p, inverse_inertia), i, count);
    return turning(&given, radius, inverse_mass, &legal);
}

/* R omega; a sphere of radius 0 has no spin. */
INLINE vector_t surface_speed(vector_t omega, lanes_t radius) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    return vector_select(lane_lt(lane_zero(), radius), vector_scale(radius, omega), none);
}

/* One side of contacts, besides place and radius. In rows, R omega and R^2 / I come last. */
typedef struct moving {
    vector_t velocity, omega;
    lanes_t inverse_mass, inverse_inertia;
} moving_t;

static moving_t load_moving_row(const particle_call_t *call, use_t use, const uint32_t *i) {
    const lanes_t zero = lane_zero();
    lanes_t v[4];
    lanes_t w[4] = {zero, zero, zero, zero};
    lane_gather4(call->rows8 + ROW_VELOCITY, ROW8, i, v);
    if (use.spheres) lane_gather4(call->rows4, ROW4, i, w);
    return (moving_t){{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}

INLINE moving_t load_moving(const particle_call_t *call, use_t use, pick_t p) {
    const NAME(impinge_particles) *const in = call->particles;
    if (use.rows) return load_moving_row(call, use, p.index);
    const lanes_t zero = lane_zero();
    moving_t m = {.velocity = fetch_vector(VECTOR_OF(use.layout, in, velocity), p),
                  .omega = {zero, zero, zero},
                  .inverse_mass = fetch(COLUMN_OF(use.layout, in, inverse_mass), p),
                  .inverse_inertia = zero};
    if (!use.spheres) return m;
    m.omega = fetch_vector(VECTOR_OF(use.layout, in, angular_velocity), p);
    if (in->inverse_inertia)
        m.inverse_inertia = fetch(COLUMN_OF(use.layout, in, inverse_inertia), p);
    return m;
}

INLINE moving_t load_moving_plane(const particle_call_t *call, use_t use, pick_t p) {
    const NAME(impinge_planes) *const in = call->planes;
    const lanes_t zero = lane_zero();
    moving_t m = {.velocity = {zero, zero, zero}, .omega = {zero, zero, zero}};
    m.inverse_mass = m.inverse_inertia = zero;
    if (in->velocity_x) m.velocity = fetch_plane_vector(VECTOR_OF(use.layout, in, velocity), p);
    return m;
}

/*
 * u0 and K, of u_A - u_B of the centres and 1/m_A + 1/m_B: r_A = -R_A n and r_B = R_B n, so that
 * rotation adds n x (R_A omega_A + R_B omega_B) to the slip, and R^2 / I of each side to T.
 */
INLINE void slip_of(use_t use, vector_t u, vector_t turned, lanes_t arms, touch_t *c) {
    c->t = c->k33;
    c->u_n = vector_dot(c->normal, u);
    c->slip = vector_minus_times(u, c->u_n, c->normal);
    if (!use.spheres) return;
    c->slip = vector_add(c->slip, vector_cross_coarse(c->normal, turned));
    c->t = lane_add(c->k33, arms);
}

INLINE mask_t find_motion_at(const particle_call_t *call, use_t use, const moving_t *a,
                             const moving_t *b, touch_t *c) {
    const lanes_t zero = lane_zero();
    mask_t legal = mask_and(lane_le(zero, a->inverse_mass), lane_le(zero, b->inverse_mass));
    c->k33 = lane_add(a->inverse_mass, b->inverse_mass);
    vector_t turned = {zero, zero, zero};
    lanes_t arms = zero;
    if (use.rows) { /* R omega and R^2 / I have been read */
        turned = vector_add(a->omega, b->omega);
        arms = lane_add(a->inverse_inertia, b->inverse_inertia);
    } else if (use.spheres) {
        const bool given = call->particles->inverse_inertia;
        turned = surface_speed(a->omega, c->radius_a);
        arms = turning(given ? &a->inverse_inertia : NULL, c->radius_a, a->inverse_mass, &legal);
        if (!use.planes) {
            turned = vector_add(turned, surface_speed(b->omega, c->radius_b));
            arms = lane_add(arms, turning(given ? &b->inverse_inertia : NULL, c->radius_b,
                                          b->inverse_mass, &legal));
        }
    }
    slip_of(use, vector_sub(a->velocity, b->velocity), turned, arms, c);
    return legal;
}

INLINE mask_t find_motion(const particle_call_t *call, use_t use, pick_t a, pick_t b, touch_t *c) {
    const moving_t of_a = load_moving(call, use, a);
    const moving_t of_b = use.planes ? load_moving_plane(call, use, b) : load_moving(call, use, b);
    return find_motion_at(call, use, &of_a, &of_b, c);
}

/* The lanes in which the caller's coefficients are legal. */
typedef struct legal {
    mask_t restitution, friction, tangential;
} legal_t;

/*
 * R_A R_B / (R_A + R_B); points have none. By size, not by side: it is the same if A and B change
 * places.
 */
INLINE lanes_t pair_radius(use_t use, const touch_t *c) {
    if (use.planes) return c->radius_a;
    const lanes_t sum = lane_add(c->radius_a, c->radius_b);
    const lanes_t lesser = lane_min(c->radius_a, c->radius_b);
    const lanes_t larger = lane_max(c->radius_a, c->radius_b);
    const lanes_t share =
        lane_div(larger, lane_select(lane_eq(sum, lane_zero()), lane_set(1), sum));
    return lane_mul(share, lesser);
}

INLINE legal_t coefficients_of(const particle_call_t *call, use_t use,
                               const NAME(impinge_coefficients) * in, size_t i, size_t count,
                               touch_t *c) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const bool tangential = law_has(call->law, IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION);
    const bool rubs = law_has(call->law, IMPINGE_LAW_READS_FRICTION);
    legal_t legal;
    c->restitution =
        restitution_at(&call->model, use.layout, &in->restitution, lane_neg(c->u_n), c->k33,
                       pair_radius(use, c), call->e_max, i, count, &legal.restitution);
    c->friction = load_coefficient_if(rubs, use.layout, &in->friction, i, count);
    const lanes_t e_t =
        load_coefficient_if(tangential, use.layout, &in->tangential_restitution, i, count);
    c->one_plus_e_t = lane_add(one, e_t);
    legal.friction = lane_le(zero, c->friction);
    legal.tangential = lane_le(lane_abs(e_t), one);
    return legal;
}

/* A contact's impulse is normal n - share slip. */
typedef struct bounce {
    lanes_t inverse_k33, plastic, normal, share;
    lanes_t turned; /* share T: the part of the slip that is removed, at least up to rounding */
    mask_t clipped, stuck, reversed;
} bounce_t;

/*
 * p_n = -(1 + e) u_n0 / K_33; |p_t| is mu p_n, or (1 + e_t) |u_t0| / T if that is less. `beside`:
 * mu in units in which p_n T compares with the slip; mu itself without scaling.
 */
INLINE bounce_t bounce_of(const touch_t *c, lanes_t beside, lanes_t slip, bool rubs) {
    const lanes_t one = lane_set(1);
    bounce_t a;
    a.inverse_k33 = lane_div(one, c->k33);
    a.plastic = lane_mul(lane_neg(c->u_n), a.inverse_k33);
    a.normal = lane_mul(lane_add(one, c->restitution), a.plastic);
    a.share = a.turned = lane_zero();
    lanes_t reach = lane_zero(); /* the change of the slip */
    a.clipped = mask_none();
    if (rubs) {
        const lanes_t wanted = lane_mul(c->one_plus_e_t, slip);
        const lanes_t bound = lane_mul(beside, lane_mul(a.normal, c->t));
        a.clipped = lane_lt(bound, wanted);
        const lanes_t divisor = lane_select(a.clipped, slip, c->t);
        a.share = lane_div(lane_select(a.clipped, lane_mul(c->friction, a.normal), c->one_plus_e_t),
                           divisor);
        const lanes_t same =
            lane_div(lane_select(a.clipped, lane_mul(beside, a.normal), c->one_plus_e_t), divisor);
        a.turned = lane_mul(same, c->t);
        reach = lane_select(a.clipped, bound, wanted);
    }
    a.stuck = lane_eq(reach, slip);
    a.reversed = lane_lt(slip, reach);
    return a;
}

/* The results of contacts. */
typedef struct result {
    vector_t impulse, normal;
    lanes_t overlap, projection;
    lanes_t work_compression, work_restitution, work_friction;
    words_t outcome;
} result_t;

/* Along the straight line from 0 to p. */
INLINE void work_of(const touch_t *c, const bounce_t *a, vector_t p_t, lanes_t plastic,
                    result_t *r) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t whole = lane_fnma(half, a->turned, lane_set(1));
    r->work_compression = lane_mul(lane_mul(half, c->u_n), plastic);
    /*
     * The order of the factors matters: if W_c is infinite, e^2 W_c may still be finite, and so may
     * p_t . u_t0 if the slip reverses.
     */
    const lanes_t rise = lane_mul(lane_neg(c->restitution), c->u_n);
    r->work_restitution = lane_mul(lane_mul(half, rise), lane_mul(c->restitution, plastic));
    r->work_friction = vector_dot(vector_scale(whole, p_t), c->slip);
}

INLINE words_t outcome_of(const bounce_t *a, const touch_t *c, mask_t touches, mask_t collides) {
    const lanes_t zero = lane_zero();
    const mask_t leaves = mask_and(touches, lane_le(zero, c->u_n));
    words_t word = word_where(mask_not(touches), IMPINGE_OUTCOME_APART);
    word = word_or(word, word_where(leaves, IMPINGE_OUTCOME_SEPARATING));
    word =
        word_or(word, word_where(mask_and(leaves, lane_eq(c->u_n, zero)), IMPINGE_OUTCOME_RESTING));
    word = word_or(word, word_where(mask_and(collides, a->stuck), IMPINGE_OUTCOME_STUCK));
    word = word_or(word, word_where(mask_andnot(collides, a->stuck), IMPINGE_OUTCOME_SLID));
    word =
        word_or(word, word_where(mask_and(collides, a->reversed), IMPINGE_OUTCOME_SLIP_REVERSED));
    return word_or(word, word_where(mask_and(collides, a->clipped), IMPINGE_OUTCOME_CLIPPED));
}

INLINE lanes_t lane_where(mask_t m, lanes_t a) { return lane_select(m, a, lane_zero()); }

INLINE vector_t vector_where(mask_t m, vector_t a) {
    return (vector_t){lane_where(m, a.x), lane_where(m, a.y), lane_where(m, a.z)};
}

INLINE bool wants_works(const particle_call_t *call) {
    return call->out->work_compression || call->out->work_restitution || call->out->work_friction;
}

INLINE void write_out(const particle_call_t *call, layout_t layout, size_t i, const result_t *r,
                      size_t count) {
    const NAME(impinge_particle_results) *const out = call->out;
    const size_t work = stride_of(layout, out->work_stride);
    store_vector_by(VECTOR_OF(layout, out, impulse), i, r->impulse, count);
    store_vector_by(VECTOR_OF(layout, out, normal), i, r->normal, count);
    store_lanes_by(COLUMN_OF(layout, out, overlap), i, r->overlap, count);
    store_lanes_by(COLUMN_OF(layout, out, projection), i, r->projection, count);
    store_lanes_by(work, out->work_compression, i, r->work_compression, count);
    store_lanes_by(work, out->work_restitution, i, r->work_restitution, count);
    store_lanes_by(work, out->work_friction, i, r->work_friction, count);
    store_words_by(COLUMN_OF(layout, out, outcome), i, r->outcome, count);
}

/* The result of a pair that does not touch. */
INLINE result_t result_apart(lanes_t overlap) {
    const lanes_t zero = lane_zero();
    const vector_t none = {zero, zero, zero};
    return (result_t){none, none, overlap, zero,
                      zero, zero, zero,    word_where(mask_all(), IMPINGE_OUTCOME_APART)};
}

/*
 * True if an index of contacts i to i + LANES - 1 is out of range, or a contact has one particle
 * twice. Their indices are at a and b; null: not given, for planes.
 */
INLINE bool any_index_wrong(const particle_call_t *call, use_t use, const uint32_t *a,
                            const uint32_t *b, size_t i) {
    const size_t particles = call->particles->count;
    if (!use.planes) {
        const uint32_t last = particles > UINT32_MAX ? UINT32_MAX : (uint32_t)(particles - 1);
        uint32_t wrong = 0;
        for (size_t k = 0; k < LANES; k++)
            wrong |= (uint32_t)(a[k] > last) | (uint32_t)(b[k] > last) | (uint32_t)(a[k] == b[k]);
        return wrong;
    }
    bool wrong = !a && (particles < LANES || i > particles - LANES);
    for (size_t k = 0; k < LANES; k++) {
        wrong |= a && a[k] >= particles;
        wrong |= b && b[k] >= call->planes->count;
    }
    return wrong;
}

/* Motions that need no scaling. If the particles separate, any slip that fits is ordinary. */
INLINE mask_t is_motion_ordinary(const touch_t *c, lanes_t square) {
    const lanes_t max = lane_set(LENGTH_MAX);
    const mask_t leaves = lane_le(lane_zero(), c->u_n);
    const mask_t slip =
        mask_and(mask_or(lane_le(lane_set(1 / (LENGTH_MAX * LENGTH_MAX)), square), leaves),
                 lane_le(square, lane_set(LENGTH_MAX * LENGTH_MAX)));
    return mask_and(slip, lane_le(lane_abs(c->u_n), max));
}

/* True unless p_n is so far below the slip that their ratio is out of range. */
INLINE mask_t is_share_ordinary(const touch_t *c, lanes_t square) {
    const lanes_t least = lane_mul(lane_mul(lane_set(SHARE_MIN), lane_sqrt(square)), c->k33);
    return mask_or(lane_le(lane_zero(), c->u_n), lane_le(least, lane_neg(c->u_n)));
}

INLINE mask_t is_mass_ordinary(const touch_t *c, use_t use) {
    const mask_t mass = in_range(c->k33, MASS_MAX);
    if (!use.spheres) return mass;
    return mask_and(mass, lane_le(c->t, lane_mul(lane_set(ARM_MAX), c->k33)));
}

INLINE mask_t is_size_ordinary(const touch_t *c, use_t use, lanes_t square) {
    return mask_and(mask_and(is_motion_ordinary(c, square), is_share_ordinary(c, square)),
                    is_mass_ordinary(c, use));
}

INLINE mask_t is_legal(const legal_t *legal) {
    return mask_and(mask_and(legal->restitution, legal->friction), legal->tangential);
}

INLINE mask_t is_ordinary(const touch_t *c, use_t use, lanes_t square, const legal_t *legal) {
    return mask_and(is_size_ordinary(c, use, square), is_legal(legal));
}

/* The results of ordinary contacts, whose slips have that size. */
INLINE result_t result_of_ordinary(const particle_call_t *call, const touch_t *c, lanes_t slip,
                                   mask_t touches) {
    const lanes_t zero = lane_zero();
    const bounce_t a =
        bounce_of(c, c->friction, slip, law_has(call->law, IMPINGE_LAW_READS_FRICTION));
    const mask_t collides = mask_and(touches, lane_lt(c->u_n, zero));
    const vector_t p_t = vector_scale(lane_neg(a.share), c->slip);
    const vector_t p_n = vector_scale(a.normal, c->normal);
    const lanes_t factor = lane_set(call->in->projection_factor);
    const lanes_t part = lane_mul(lane_mul(factor, c->overlap), a.inverse_k33);
    result_t r;
    r.impulse = vector_where(collides, vector_add(p_n, p_t));
    r.normal = vector_where(touches, c->normal);
    r.overlap = c->overlap;
    r.projection = lane_where(call->in->project_all ? touches : collides, part);
    r.work_compression = r.work_restitution = r.work_friction = zero;
    if (wants_works(call)) {
        work_of(c, &a, p_t, a.plastic, &r);
        r.work_compression = lane_where(collides, r.work_compression);
        r.work_restitution = lane_where(collides, r.work_restitution);
        r.work_friction = lane_where(collides, r.work_friction);
    }
    r.outcome = outcome_of(&a, c, touches, collides);
    return r;
}

/*
 * Resolves whole lanes of ordinary contacts. False, without any effect, if they are not ordinary.
 */
INLINE bool resolve_quickly(const particle_call_t *call, use_t use, size_t i) {
    const NAME(impinge_particle_contacts) *const in = call->in;
    const size_t stride = stride_of(use.layout, in->index_stride);
    uint32_t copy_a[LANES], copy_b[LANES];
    const bool has_a = !use.planes || in->index_a;
    const bool has_b = !use.planes || in->index_b;
    const pick_t a = {has_a ? load_words_by(stride, in->index_a, i, copy_a) : NULL, has_a ? 0 : i};
    const pick_t b = {has_b ? load_words_by(stride, in->index_b, i, copy_b) : NULL, 0};
    if (any_index_wrong(call, use, a.index, b.index, i)) return false;
    touch_t c;
    if (!mask_every(find_touch(call, use, a, b, &c))) return false;
    const mask_t touches = lane_lt(lane_zero(), c.overlap);
    if (!mask_any(touches)) {
        const result_t apart = result_apart(c.overlap);
        write_out(call, use.layout, i, &apart, LANES);
        return true;
    }
    const mask_t moves = find_motion(call, use, a, b, &c);
    const lanes_t square = vector_dot(c.slip, c.slip);
    const legal_t legal = coefficients_of(call, use, &call->in->coefficients, i, LANES, &c);
    const mask_t ordinary = mask_and(moves, is_ordinary(&c, use, square, &legal));
    if (mask_any(mask_andnot(touches, ordinary))) return false;
    const result_t r = result_of_ordinary(call, &c, lane_sqrt(square), touches);
    write_out(call, use.layout, i, &r, LANES);
    return true;
}

/* Legal indices of some contacts, and the contacts whose indices were not. */
typedef struct indices {
    uint32_t a[LANES], b[LANES], wrong[LANES];
} indices_t;

static void load_indices(const particle_call_t *call, size_t i, size_t count, indices_t *is,
                         size_t *from) {
    const NAME(impinge_particle_contacts) *const in = call->in;
    const size_t particles = call->particles->count;
    const size_t others = call->planes ? call->planes->count : particles;
    *from = in->index_a || i >= particles ? 0 : i;
    for (size_t k = 0; k < LANES; k++) {
        const size_t at = k < count ? i + k : i;
        const size_t a = in->index_a ? index_a_of(AS_GIVEN, in, at) : at;
        const size_t b = in->index_b ? index_b_of(AS_GIVEN, in, at) : 0;
        const bool wrong = a >= particles || b >= others || (!call->planes && a == b);
        is->wrong[k] = wrong ? IMPINGE_OUTCOME_INVALID_INDEX : 0;
        is->a[k] = a < particles ? (uint32_t)(a - *from) : 0;
        is->b[k] = b < others ? (uint32_t)b : 0;
    }
}

static inline words_t word_unless(mask_t legal, uint32_t bits) {
    return word_where(mask_not(legal), bits);
}

static inline mask_t is_size(lanes_t a) {
    return mask_and(lane_le(lane_zero(), a), lane_le(a, lane_set(REAL_MAX)));
}

/* Contacts of any size that touch in one image at most. */
static mask_t is_any_image_alone(const particle_call_t *call, vector_t d, lanes_t reach) {
    const NAME(impinge_particles) *const p = call->particles;
    const real_t period[3] = {p->period_x, p->period_y, p->period_z};
    mask_t alone = mask_all();
    for (int axis = 0; axis < 3; axis++) {
        if (!(period[axis] > 0)) continue;
        const lanes_t length = length_at_any_scale(across(d, axis, period[axis]), NULL);
        alone = mask_and(alone, lane_le(reach, length));
    }
    return alone;
}

/* x, y, z, R. */
static void place_at(const particle_call_t *call, use_t use, pick_t p, lanes_t to[4]) {
    const NAME(impinge_particles) *const in = call->particles;
    if (call->rows8) {
        lane_gather4(call->rows8, ROW8, p.index, to);
        return;
    }
    const vector_t x = fetch_vector(VECTOR_OF(use.layout, in, position), p);
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
    to[3] = fetch(COLUMN_OF(use.layout, in, radius), p);
}

/* Overlaps and normals of contacts of any size, and the reasons of errors. */
static words_t find_touch_general_pairs(const particle_call_t *call, use_t use, pick_t a, pick_t b,
                                        touch_t *c) {
    mask_t found = mask_all();
    lanes_t of_a[4], of_b[4];
    place_at(call, use, a, of_a);
    place_at(call, use, b, of_b);
    c->radius_a = of_a[3];
    c->radius_b = of_b[3];
    const vector_t x_a = {of_a[0], of_a[1], of_a[2]};
    const vector_t x_b = {of_b[0], of_b[1], of_b[2]};
    const vector_t d = separation_of(call, x_a, x_b, &found);
    const lanes_t length = length_at_any_scale(d, &c->normal);
    const lanes_t reach = lane_add(c->radius_a, c->radius_b);
    c->overlap = lane_sub(reach, length);
    const mask_t finite = mask_and(vector_finite(x_a), vector_finite(x_b));
    const mask_t clear = mask_and(lane_lt(lane_zero(), length), is_any_image_alone(call, d, reach));
    const mask_t apart = lane_le(c->overlap, lane_zero());
    const mask_t legal = mask_and(mask_and(found, finite), mask_or(clear, apart));
    const mask_t sizes = mask_and(is_size(c->radius_a), is_size(c->radius_b));
    return word_or(word_unless(legal, IMPINGE_OUTCOME_INVALID_NORMAL),
                   word_unless(sizes, IMPINGE_OUTCOME_INVALID_ARM));
}

static words_t find_touch_general_planes(const particle_call_t *call, use_t use, pick_t a, pick_t b,
                                         touch_t *c) {
    const NAME(impinge_particles) *const p = call->particles;
    const lanes_t one = lane_set(1);
    plane_t s = load_plane(call->planes, use.layout, b);
    s.length = lane_select(s.unit, s.length, one);
    const vector_t x = fetch_vector(VECTOR_OF(use.layout, p, position), a);
    c->normal = vector_over(s.normal, s.length);
    c->overlap = penetration(&s, x, c->radius_a);
    c->radius_b = lane_zero();
    const mask_t finite = mask_and(vector_finite(x), lane_finite(s.offset));
    return word_unless(mask_and(s.unit, finite), IMPINGE_OUTCOME_INVALID_NORMAL);
}

static words_t find_touch_general(const particle_call_t *call, use_t use, pick_t a, pick_t b,
                                  touch_t *c) {
    if (!call->planes) return find_touch_general_pairs(call, use, a, b, c);
    c->radius_a = fetch(COLUMN_OF(use.layout, call->particles, radius), a);
    const words_t word = word_unless(is_size(c->radius_a), IMPINGE_OUTCOME_INVALID_ARM);
    return word_or(word, find_touch_general_planes(call, use, a, b, c));
}

/* Both sides of contacts. For planes, B is the plane. */
typedef struct sides {
    moving_t a, b;
} sides_t;

static words_t find_motion_general(const particle_call_t *call, use_t use, const sides_t *s,
                                   touch_t *c) {
    const lanes_t max = lane_set(REAL_MAX);
    mask_t masses = find_motion_at(call, use, &s->a, &s->b, c);
    masses = mask_and(masses, lane_le(s->a.inverse_mass, max));
    masses = mask_and(masses, lane_le(s->b.inverse_mass, max));
    mask_t slips = vector_finite(c->slip);
    if (use.rows) { /* these are not read for contacts that do not approach */
        const mask_t leaves = lane_le(lane_zero(), c->u_n);
        const mask_t arms = mask_and(is_size(s->a.inverse_inertia), is_size(s->b.inverse_inertia));
        masses = mask_and(masses, mask_or(leaves, arms));
        slips = mask_or(leaves, slips);
    }
    const mask_t velocities = mask_and(lane_finite(c->u_n), slips);
    return word_or(word_unless(masses, IMPINGE_OUTCOME_INVALID_MASS),
                   word_unless(velocities, IMPINGE_OUTCOME_INVALID_VELOCITY));
}

/* R^2 / I of one particle, however large R and small 1/I: R / I by itself may be out of range. */
static lanes_t turning_at_any_scale(const particle_call_t *call, const moving_t *m,
                                    lanes_t radius) {
    const lanes_t zero = lane_zero();
    mask_t legal = mask_all();
    if (!call->particles->inverse_inertia) return turning(NULL, radius, m->inverse_mass, &legal);
    const mask_t turns =
        mask_and(mask_and(lane_lt(zero, radius), lane_lt(zero, m->inverse_mass)),
                 mask_and(lane_lt(zero, m->inverse_inertia), lane_finite(m->inverse_inertia)));
    const mask_t arm = mask_and(turns, lane_finite(radius));
    const lanes_t one = lane_set(1);
    const lanes_t r = lane_select(arm, radius, one);
    const lanes_t i = lane_select(arm, m->inverse_inertia, one);
    const scale_t of_r = scale_of(r);
    const scale_t of_i = scale_of(i);
    const lanes_t near_r = normalise_by(&of_r, r);
    const lanes_t near = lane_mul(near_r, lane_mul(near_r, normalise_by(&of_i, i)));
    const lanes_t e = exponent_of(&of_r);
    return lane_where(arm, times_power(near, lane_add(lane_add(e, e), exponent_of(&of_i))));
}

/* If radii and masses are ordinary, T keeps its bits. */
static mask_t is_turning_ordinary(const touch_t *c, use_t use) {
    const mask_t radii = mask_and(is_radius_ordinary(c->radius_a), is_radius_ordinary(c->radius_b));
    return mask_and(is_mass_ordinary(c, use), radii);
}

static void find_turning_general(const particle_call_t *call, use_t use, const sides_t *s,
                                 touch_t *c) {
    if (!use.spheres || use.rows) return;
    const mask_t ordinary = is_turning_ordinary(c, use);
    if (mask_every(ordinary)) return;
    lanes_t arms = turning_at_any_scale(call, &s->a, c->radius_a);
    if (!use.planes) arms = lane_add(arms, turning_at_any_scale(call, &s->b, c->radius_b));
    c->t = lane_select(ordinary, c->t, lane_add(c->k33, arms));
}

/*
 * R / I, the factor by which a moment R n x p turns a particle. A 1/I of -0 gives 0: a row in which
 * sums are made would have that from the first impulse on.
 */
INLINE lanes_t turn_of(const lanes_t *inverse_inertia, lanes_t radius, lanes_t inverse_mass) {
    const lanes_t zero = lane_zero();
    const mask_t arm = lane_lt(zero, radius);
    if (inverse_inertia)
        return lane_select(arm, lane_add(lane_mul(radius, *inverse_inertia), zero), zero);
    const lanes_t divisor = lane_select(arm, radius, lane_set(1));
    return lane_select(arm, lane_div(lane_mul(lane_set(REAL(2.5)), inverse_mass), divisor), zero);
}

/* The factors of a contact's impulse and moment, and the place to which they are added. */
typedef struct taking {
    vector_t place;
    lanes_t inverse_mass, turn;
} taking_t;

static taking_t load_taking(const particle_call_t *call, use_t use, pick_t p, const moving_t *m,
                            lanes_t radius) {
    const NAME(impinge_particles) *const in = call->particles;
    lanes_t place[4];
    place_at(call, use, p, place);
    taking_t t = {.place = {place[0], place[1], place[2]}, .inverse_mass = m->inverse_mass};
    if (use.rows) {
        t.turn = m->inverse_inertia;
        return t;
    }
    const mask_t moves = lane_lt(lane_zero(), m->inverse_mass);
    const lanes_t *const given = in->inverse_inertia ? &m->inverse_inertia : NULL;
    t.turn = use.spheres ? lane_where(moves, turn_of(given, radius, m->inverse_mass)) : lane_zero();
    return t;
}

/* A plane takes nothing. */
static taking_t taking_none(void) {
    const lanes_t zero = lane_zero();
    return (taking_t){{zero, zero, zero}, zero, zero};
}

/*
 * R / I must be finite. If it is subnormal, the digits that it lacks must be below the rounding of
 * T: R times the least normal number is.
 */
static mask_t is_turn_in_range(const taking_t *a, lanes_t radius, lanes_t t) {
    const lanes_t least = lane_set(REAL_MIN);
    const mask_t exact = mask_or(lane_eq(a->turn, lane_zero()), lane_le(least, a->turn));
    const mask_t harmless = lane_le(lane_mul(radius, least), t);
    return mask_and(lane_finite(a->turn), mask_or(exact, harmless));
}

static vector_t vector_plus_times(vector_t a, lanes_t s, vector_t b) {
    return vector_add(a, vector_scale(s, b));
}

/* n x p, as the calls that apply compute it. */
INLINE vector_t moment_of(vector_t n, vector_t p) {
    return (vector_t){lane_sub(lane_mul(n.y, p.z), lane_mul(n.z, p.y)),
                      lane_sub(lane_mul(n.z, p.x), lane_mul(n.x, p.z)),
                      lane_sub(lane_mul(n.x, p.y), lane_mul(n.y, p.x))};
}

/* True if the velocities after the impulse fit, by the arithmetic of the calls that apply it. */
static mask_t is_taken(const taking_t *t, const moving_t *m, real_t sign, const result_t *r,
                       mask_t collides) {
    const lanes_t zero = lane_zero();
    const lanes_t by = lane_mul(lane_set(sign), t->inverse_mass);
    const vector_t move = vector_scale(r->projection, r->normal);
    const vector_t moment = moment_of(r->normal, r->impulse);
    const mask_t place =
        mask_or(lane_eq(r->projection, zero), vector_finite(vector_plus_times(t->place, by, move)));
    const mask_t velocity = vector_finite(vector_plus_times(m->velocity, by, r->impulse));
    const mask_t spin = vector_finite(vector_plus_times(m->omega, lane_neg(t->turn), moment));
    const mask_t turns = mask_and(vector_finite(moment), mask_or(lane_eq(t->turn, zero), spin));
    const mask_t motion = mask_or(mask_not(collides), mask_and(velocity, turns));
    return mask_or(lane_eq(t->inverse_mass, zero), mask_and(place, motion));
}

/*
 * The state of contacts before their impulse. A contact that is invalid or apart has no other bit.
 */
typedef struct touch_state {
    words_t invalid;
    mask_t valid, touches, immovable, movable, collides;
} touch_state_t;

/*
 * Contacts that do not touch have only their places read, so no other error is reported for them.
 */
static touch_state_t state_of(const touch_t *c, words_t placed, words_t moved) {
    const lanes_t zero = lane_zero();
    const mask_t here = mask_not(word_has(placed, IMPINGE_OUTCOME_INVALID_REASONS));
    const mask_t touching = mask_and(here, lane_lt(zero, c->overlap));
    const words_t none = word_where(mask_none(), 0);
    touch_state_t s;
    s.invalid = invalid_first(word_or(placed, word_select(touching, moved, none)));
    s.valid = mask_not(word_has(s.invalid, IMPINGE_OUTCOME_INVALID));
    s.touches = mask_and(s.valid, touching);
    s.immovable = mask_and(s.touches, lane_eq(c->k33, zero));
    s.movable = mask_andnot(s.touches, s.immovable);
    s.collides = mask_and(s.movable, lane_lt(c->u_n, zero));
    return s;
}

static words_t legal_outcome(const legal_t *legal) {
    const words_t word =
        word_or(word_unless(legal->restitution, IMPINGE_OUTCOME_INVALID_RESTITUTION),
                word_unless(legal->friction, IMPINGE_OUTCOME_INVALID_FRICTION));
    return word_or(word, word_unless(legal->tangential, IMPINGE_OUTCOME_INVALID_COEFFICIENT));
}

/*
 * Contacts that can move, near 1: K_33, T, u_n, the slip and mu each by a power of two of its own,
 * since any of them may be far from the others. Other contacts are replaced by harmless ones.
 */
typedef struct near {
    touch_t c;
    lanes_t k, t, normal, slip, friction; /* exponents of K_33, T, u_n, the slip and mu */
    lanes_t beside;                       /* that of mu p_n T beside the slip */
} near_t;

static lanes_t scale_near(lanes_t *a, mask_t ordinary, lanes_t size) {
    const scale_t s = scale_unless(ordinary, size);
    *a = normalise_by(&s, *a);
    return exponent_of(&s);
}

static near_t near_of(const touch_t *c, mask_t movable, use_t use) {
    const lanes_t one = lane_set(1);
    near_t near = {.c = *c};
    touch_t *const to = &near.c;
    to->k33 = lane_select(movable, c->k33, one);
    to->t = lane_select(movable, c->t, one);
    to->u_n = lane_where(movable, c->u_n);
    to->slip = vector_where(movable, c->slip);
    const mask_t ordinary = is_size_ordinary(to, use, vector_dot(to->slip, to->slip));
    const scale_t s = scale_unless(ordinary, vector_largest(to->slip));
    near.k = scale_near(&to->k33, ordinary, to->k33);
    near.t = scale_near(&to->t, ordinary, to->t);
    near.normal = scale_near(&to->u_n, ordinary, lane_abs(to->u_n));
    to->slip = vector_normalise_by(&s, to->slip);
    near.slip = exponent_of(&s);
    const mask_t boundless = mask_not(lane_finite(to->friction));
    near.friction = scale_near(&to->friction, mask_or(ordinary, boundless), to->friction);
    near.beside = lane_add(near.friction,
                           lane_sub(lane_add(near.normal, near.t), lane_add(near.k, near.slip)));
    return near;
}

static vector_t vector_times_power(vector_t a, lanes_t e) {
    return (vector_t){times_power(a.x, e), times_power(a.y, e), times_power(a.z, e)};
}

/* Scales the results, which were computed near 1, back to the caller's units. */
static result_t result_of(const particle_call_t *call, const touch_t *c, const touch_state_t *s,
                          const bounce_t *a, const near_t *near) {
    const lanes_t to_normal = lane_sub(near->normal, near->k);
    const lanes_t to_slip =
        lane_select(a->clipped, lane_add(near->friction, to_normal), lane_sub(near->slip, near->t));
    const vector_t p_t =
        vector_times_power(vector_scale(lane_neg(a->share), near->c.slip), to_slip);
    const vector_t p_n = vector_scale(times_power(a->normal, to_normal), c->normal);
    const lanes_t factor = lane_set(call->in->projection_factor);
    const lanes_t part = lane_mul(lane_mul(factor, c->overlap), a->inverse_k33);
    const mask_t projected = call->in->project_all ? s->movable : s->collides;
    result_t r;
    r.impulse = vector_where(s->collides, vector_add(p_n, p_t));
    r.projection = lane_where(projected, times_power(part, lane_neg(near->k)));
    r.normal = vector_where(s->touches, c->normal);
    r.overlap = lane_where(s->valid, c->overlap);
    work_of(c, a, p_t, times_power(a->plastic, to_normal), &r);
    return r;
}

/* An overlap is NaN where both its terms are infinite. */
static mask_t is_result_in_range(const result_t *r) {
    return mask_and(mask_and(vector_finite(r->impulse), lane_finite(r->projection)),
                    lane_eq(r->overlap, r->overlap));
}

/* Zero where the results do not fit, and no works without an impulse. */
static void keep_where(result_t *r, mask_t fits, mask_t collides) {
    const mask_t pushed = mask_and(fits, collides);
    r->impulse = vector_where(fits, r->impulse);
    r->projection = lane_where(fits, r->projection);
    r->overlap = lane_where(fits, r->overlap);
    r->work_compression = lane_where(pushed, r->work_compression);
    r->work_restitution = lane_where(pushed, r->work_restitution);
    r->work_friction = lane_where(pushed, r->work_friction);
}

/*
 * Restitution above 1 gains energy where friction dissipates less than it adds. The gain must
 * exceed rounding.
 */
#define ENERGY_ERROR (64 * REAL_UNIT)

static words_t outcome_of_general(const particle_call_t *call, const touch_t *near,
                                  const touch_state_t *s, const bounce_t *a, const result_t *r,
                                  mask_t fits) {
    const words_t none = word_where(mask_none(), 0);
    words_t word = outcome_of(a, near, s->touches, s->collides);
    word = word_select(s->immovable, word_where(s->immovable, IMPINGE_OUTCOME_IMMOVABLE), word);
    if (call->e_max > 1) {
        const words_t gained = energy_outcome(r->work_compression, r->work_restitution,
                                              r->work_friction, ENERGY_ERROR);
        word = word_or(word, word_select(s->collides, gained, none));
    }
    word = word_select(fits, word, word_where(mask_all(), IMPINGE_OUTCOME_OUT_OF_RANGE));
    return word_select(s->valid, word, s->invalid);
}

/* `count` contacts of any kind. */
static void resolve_general(const particle_call_t *call, use_t use, size_t i, size_t count) {
    indices_t is;
    size_t from;
    load_indices(call, i, count, &is, &from);
    const pick_t a = {is.a, from};
    const pick_t b = {is.b, 0};
    touch_t c;
    /* A bad index is the only error reported: the particle read in its place is arbitrary. */
    const words_t wrong = word_load(is.wrong);
    const words_t met = find_touch_general(call, use, a, b, &c);
    const words_t placed = word_select(word_has(wrong, IMPINGE_OUTCOME_INVALID_INDEX), wrong, met);
    const sides_t sides = {load_moving(call, use, a), use.planes ? load_moving_plane(call, use, b)
                                                                 : load_moving(call, use, b)};
    const words_t moved = find_motion_general(call, use, &sides, &c);
    find_turning_general(call, use, &sides, &c);
    const legal_t legal = coefficients_of(call, use, &call->in->coefficients, i, count, &c);
    const touch_state_t s = state_of(&c, placed, word_or(moved, legal_outcome(&legal)));
    const taking_t of_a = load_taking(call, use, a, &sides.a, c.radius_a);
    const taking_t of_b =
        use.planes ? taking_none() : load_taking(call, use, b, &sides.b, c.radius_b);
    mask_t fits = mask_and(lane_finite(c.k33), lane_finite(c.t));
    if (!use.rows)
        fits = mask_and(fits, mask_and(is_turn_in_range(&of_a, c.radius_a, c.t),
                                       is_turn_in_range(&of_b, c.radius_b, c.t)));
    const near_t near = near_of(&c, mask_and(s.movable, fits), use);
    const lanes_t slip = length_at_any_scale(near.c.slip, NULL);
    const lanes_t friction = times_power(near.c.friction, near.beside);
    const bounce_t answer =
        bounce_of(&near.c, friction, slip, law_has(call->law, IMPINGE_LAW_READS_FRICTION));
    result_t r = result_of(call, &c, &s, &answer, &near);
    fits = mask_and(mask_or(fits, mask_not(s.movable)), is_result_in_range(&r));
    fits = mask_and(fits, is_taken(&of_a, &sides.a, 1, &r, s.collides));
    fits = mask_and(fits, is_taken(&of_b, &sides.b, -1, &r, s.collides));
    keep_where(&r, fits, s.collides);
    r.outcome = outcome_of_general(call, &near.c, &s, &answer, &r, fits);
    write_out(call, use.layout, i, &r, count);
    report_lanes(call->report, r.outcome, i, count);
}

INLINE void resolve_all(const particle_call_t *call, use_t use) {
    const size_t end = call->selected.first + call->selected.count;
    size_t i = call->selected.first;
    for (; end - i >= LANES; i += LANES)
        if (use.rows || !call->quick || !resolve_quickly(call, use, i))
            resolve_general(call, use, i, LANES);
    if (i < end) resolve_general(call, use, i, end - i);
}

/* Resolves contacts of columns. Columns that are not contiguous are slower anyway, and share one
 * variant. */
INLINE void resolve_columns(const particle_call_t *call, bool planes, layout_t layout) {
    const bool spheres = call->particles->angular_velocity_x;
    if (layout == AS_GIVEN)
        resolve_all(call, (use_t){.planes = planes, .spheres = spheres, .layout = AS_GIVEN});
    else if (spheres)
        resolve_all(call, (use_t){.planes = planes, .spheres = true});
    else
        resolve_all(call, (use_t){.planes = planes, .spheres = false});
}

#endif
