/* Bodies at a contact: their inertia in the world's frame, the contact's frame, K and u0. */
#ifndef IMPINGE_KERNELS_BODY_H
#define IMPINGE_KERNELS_BODY_H

#include "contacts.h"
#include "vector.h"

typedef struct tensor {
    lanes_t xx, xy, xz, yy, yz, zz;
} tensor_t;

static inline void tensor_clear(tensor_t *t) {
    t->xx = t->xy = t->xz = t->yy = t->yz = t->zz = lane_zero();
}

static inline vector_t tensor_apply(const tensor_t *t, vector_t a) {
    return (vector_t){lane_fma(t->xx, a.x, lane_mul_add2(t->xy, a.y, t->xz, a.z)),
                      lane_fma(t->xy, a.x, lane_mul_add2(t->yy, a.y, t->yz, a.z)),
                      lane_fma(t->xz, a.x, lane_mul_add2(t->yz, a.y, t->zz, a.z))};
}

/* The arguments that load inverse inertias from either struct that has such members. */
#define TENSOR_OF(layout, of)                                                                      \
    stride_of(layout, (of)->inverse_inertia_stride), (of)->inverse_inertia_xx,                     \
        (of)->inverse_inertia_xy, (of)->inverse_inertia_xz, (of)->inverse_inertia_yy,              \
        (of)->inverse_inertia_yz, (of)->inverse_inertia_zz

/* Zeros where the pointer is null. */
INLINE lanes_t load_lanes_if(size_t stride, const real_t *a, size_t i, size_t count) {
    return a ? load_lanes_by(stride, a, i, count) : lane_zero();
}

/* Products of inertia may be left out; then they are zero. */
INLINE tensor_t load_tensor_by(size_t stride, const real_t *xx, const real_t *xy, const real_t *xz,
                               const real_t *yy, const real_t *yz, const real_t *zz, size_t i,
                               size_t count) {
    return (tensor_t){.xx = load_lanes_by(stride, xx, i, count),
                      .xy = load_lanes_if(stride, xy, i, count),
                      .xz = load_lanes_if(stride, xz, i, count),
                      .yy = load_lanes_by(stride, yy, i, count),
                      .yz = load_lanes_if(stride, yz, i, count),
                      .zz = load_lanes_by(stride, zz, i, count)};
}

/* One side of LANES pairs. */
typedef struct body {
    lanes_t inverse_mass;
    tensor_t inverse_inertia;
    vector_t arm, velocity, angular_velocity;
} body_t;

/* A rotation from a body's frame to the world, as rows. */
typedef struct rotation {
    vector_t x, y, z;
} rotation_t;

static inline vector_t rotate(const rotation_t *r, vector_t a) {
    return (vector_t){vector_dot(r->x, a), vector_dot(r->y, a), vector_dot(r->z, a)};
}

static inline rotation_t transposed(const rotation_t *r) {
    return (rotation_t){
        {r->x.x, r->y.x, r->z.x}, {r->x.y, r->y.y, r->z.y}, {r->x.z, r->y.z, r->z.z}};
}

/* R t R^T. */
static inline tensor_t rotate_tensor(const rotation_t *r, const tensor_t *t) {
    const vector_t x = tensor_apply(t, r->x);
    const vector_t y = tensor_apply(t, r->y);
    const vector_t z = tensor_apply(t, r->z);
    return (tensor_t){.xx = vector_dot(r->x, x),
                      .xy = vector_dot(r->x, y),
                      .xz = vector_dot(r->x, z),
                      .yy = vector_dot(r->y, y),
                      .yz = vector_dot(r->y, z),
                      .zz = vector_dot(r->z, z)};
}

/* The contact frame: t1, t2, n. */
typedef struct frame {
    vector_t t1, t2, n;
} frame_t;

/*
 * Tangents to a unit normal without a singular direction: the construction of Duff et al.,
 * "Building an Orthonormal Basis, Revisited", JCGT 6 (2017). The laws do not depend on the choice.
 */
static inline frame_t frame_of(vector_t n) {
    const lanes_t one = lane_set(1);
    const lanes_t sign = lane_copysign(one, n.z);
    const lanes_t a = lane_div(lane_set(-1), lane_add(sign, n.z));
    const lanes_t b = lane_mul(lane_mul(n.x, n.y), a);
    frame_t f;
    f.n = n;
    f.t1.x = lane_fma(lane_mul(sign, n.x), lane_mul(n.x, a), one);
    f.t1.y = lane_mul(sign, b);
    f.t1.z = lane_neg(lane_mul(sign, n.x));
    f.t2.x = b;
    f.t2.y = lane_fma(n.y, lane_mul(n.y, a), sign);
    f.t2.z = lane_neg(n.y);
    return f;
}

/* Lengths off 1 by more than this are a mistake, not a rounding error. */
#define NORMAL_LENGTH_ERROR REAL(1e-3)

/*
 * n over its length, or `instead` where n is not a unit vector; `unit` marks the lanes where it is.
 */
static inline vector_t unit_normal(vector_t n, vector_t instead, mask_t *unit) {
    const lanes_t one = lane_set(1);
    const lanes_t length = lane_sqrt(vector_dot(n, n));
    *unit = lane_le(lane_abs(lane_sub(length, one)), lane_set(NORMAL_LENGTH_ERROR));
    const lanes_t divisor = lane_select(*unit, length, one);
    return (vector_t){lane_select(*unit, lane_div(n.x, divisor), instead.x),
                      lane_select(*unit, lane_div(n.y, divisor), instead.y),
                      lane_select(*unit, lane_div(n.z, divisor), instead.z)};
}

/* Rotations off by more than this are a mistake, not a rounding error. */
#define ROTATION_ERROR REAL(1e-3)

static inline mask_t is_near(lanes_t a, real_t b) {
    return lane_le(lane_abs(lane_sub(a, lane_set(b))), lane_set(ROTATION_ERROR));
}

/*
 * Divides by the squared length, so a quaternion whose length is not quite 1 still gives a
 * rotation.
 */
static inline rotation_t rotation_of_quaternion(lanes_t w, vector_t v, mask_t *valid) {
    const lanes_t one = lane_set(1);
    const lanes_t square = lane_fma(w, w, vector_dot(v, v));
    *valid = is_near(lane_sqrt(square), 1);
    const vector_t u = vector_scale(lane_div(lane_set(2), square), v);
    const vector_t wu = vector_scale(w, u);
    const lanes_t xx = lane_mul(u.x, v.x);
    const lanes_t yy = lane_mul(u.y, v.y);
    const lanes_t zz = lane_mul(u.z, v.z);
    return (rotation_t){{lane_sub(one, lane_add(yy, zz)), lane_fma(u.x, v.y, lane_neg(wu.z)),
                         lane_fma(u.x, v.z, wu.y)},
                        {lane_fma(u.x, v.y, wu.z), lane_sub(one, lane_add(xx, zz)),
                         lane_fma(u.y, v.z, lane_neg(wu.x))},
                        {lane_fma(u.x, v.z, lane_neg(wu.y)), lane_fma(u.y, v.z, wu.x),
                         lane_sub(one, lane_add(xx, yy))}};
}

/* True if R^T R is nearly 1 and R is no reflection. */
static inline mask_t is_rotation(const rotation_t *r) {
    const rotation_t c = transposed(r);
    const mask_t lengths =
        mask_and(mask_and(is_near(vector_dot(c.x, c.x), 1), is_near(vector_dot(c.y, c.y), 1)),
                 is_near(vector_dot(c.z, c.z), 1));
    const mask_t angles =
        mask_and(mask_and(is_near(vector_dot(c.x, c.y), 0), is_near(vector_dot(c.x, c.z), 0)),
                 is_near(vector_dot(c.y, c.z), 0));
    const lanes_t determinant = vector_dot(r->x, vector_cross(r->y, r->z));
    return mask_and(mask_and(lengths, angles), lane_lt(lane_zero(), determinant));
}

static inline bool is_oriented(const NAME(impinge_orientation) * o) { return o->w || o->r11; }

/* The bodies must have an orientation. */
INLINE rotation_t rotation_at(layout_t layout, const NAME(impinge_orientation) * o, size_t i,
                              size_t count, mask_t *valid) {
    const size_t s = stride_of(layout, o->stride);
    if (o->w)
        return rotation_of_quaternion(load_lanes_by(s, o->w, i, count),
                                      load_vector_by(s, o->x, o->y, o->z, i, count), valid);
    const rotation_t r = {load_vector_by(s, o->r11, o->r12, o->r13, i, count),
                          load_vector_by(s, o->r21, o->r22, o->r23, i, count),
                          load_vector_by(s, o->r31, o->r32, o->r33, i, count)};
    *valid = is_rotation(&r);
    return r;
}

/*
 * Converts a body as given to the form in which an impulse changes it. Returns the rotation from
 * the frame of its inertia and angular velocity; null if both are in the world's. If only the
 * inertia is in the body's frame, it is converted to the world's.
 */
INLINE const rotation_t *rotation_given(layout_t layout, const NAME(impinge_orientation) * o,
                                        size_t i, size_t count, body_t *b, rotation_t *r) {
    mask_t valid;
    if (!is_oriented(o)) return NULL;
    *r = rotation_at(layout, o, i, count, &valid);
    if (!o->world_angular_velocity) return r;
    b->inverse_inertia = rotate_tensor(r, &b->inverse_inertia);
    return NULL;
}

/*
 * Turns the quantities given in the body's frame into the world's. Returns the reasons why its
 * orientation is invalid.
 */
INLINE words_t body_to_world(layout_t layout, body_t *b, const NAME(impinge_orientation) * o,
                             size_t i, size_t count) {
    if (!is_oriented(o)) return word_where(mask_none(), 0);
    mask_t valid;
    const rotation_t r = rotation_at(layout, o, i, count, &valid);
    b->inverse_inertia = rotate_tensor(&r, &b->inverse_inertia);
    if (!o->world_angular_velocity) b->angular_velocity = rotate(&r, b->angular_velocity);
    return word_where(mask_not(valid), IMPINGE_OUTCOME_INVALID_ORIENTATION);
}

static inline words_t body_check(const body_t *b) {
    const lanes_t zero = lane_zero();
    const tensor_t *t = &b->inverse_inertia;
    const mask_t finite =
        mask_and(mask_and(finite3(t->xx, t->yy, t->zz), finite3(t->xy, t->xz, t->yz)),
                 lane_finite(b->inverse_mass));
    const mask_t positive =
        mask_and(mask_and(lane_le(zero, t->xx), lane_le(zero, t->yy)),
                 mask_and(lane_le(zero, t->zz), lane_le(zero, b->inverse_mass)));
    const mask_t moves = mask_and(vector_finite(b->velocity), vector_finite(b->angular_velocity));
    words_t word = word_where(mask_not(mask_and(finite, positive)), IMPINGE_OUTCOME_INVALID_MASS);
    word = word_or(word, word_where(mask_not(vector_finite(b->arm)), IMPINGE_OUTCOME_INVALID_ARM));
    return word_or(word, word_where(mask_not(moves), IMPINGE_OUTCOME_INVALID_VELOCITY));
}

/* A body's share of K (Mirtich 1996, corrected, 3.2): 1/m 1 - [r]x I^-1 [r]x, element ij = e_i .
 * e_j / m + c_i . I^-1 c_j. */
static inline void add_share(tensor_t *k, const body_t *b, const frame_t *f) {
    const vector_t c1 = vector_cross(b->arm, f->t1);
    const vector_t c2 = vector_cross(b->arm, f->t2);
    const vector_t c3 = vector_cross(b->arm, f->n);
    const vector_t w1 = tensor_apply(&b->inverse_inertia, c1);
    const vector_t w2 = tensor_apply(&b->inverse_inertia, c2);
    const vector_t w3 = tensor_apply(&b->inverse_inertia, c3);
    k->xx = lane_add(k->xx, lane_add(b->inverse_mass, vector_dot(c1, w1)));
    k->yy = lane_add(k->yy, lane_add(b->inverse_mass, vector_dot(c2, w2)));
    k->zz = lane_add(k->zz, lane_add(b->inverse_mass, vector_dot(c3, w3)));
    k->xy = lane_add(k->xy, vector_dot(c1, w2));
    k->xz = lane_add(k->xz, vector_dot(c1, w3));
    k->yz = lane_add(k->yz, vector_dot(c2, w3));
}

static inline void set_matrix(contact_t *contact, const tensor_t *k) {
    contact->k11 = k->xx;
    contact->k12 = k->xy;
    contact->k13 = k->xz;
    contact->k22 = k->yy;
    contact->k23 = k->yz;
    contact->k33 = k->zz;
}

static inline vector_t turning_velocity(const body_t *b) {
    return vector_cross(b->angular_velocity, b->arm);
}

/*
 * The velocity of A less that of B: the part of their centres of mass, and the part of their
 * turning. Differences are taken first, so that a common velocity, however large, cancels.
 */
typedef struct velocity_apart {
    vector_t centre, turning;
} velocity_apart_t;

static inline void set_velocity(contact_t *contact, const velocity_apart_t *apart,
                                const frame_t *f) {
    const vector_t u = vector_add(apart->centre, apart->turning);
    contact->u1 = vector_dot(f->t1, u);
    contact->u2 = vector_dot(f->t2, u);
    contact->u3 = vector_dot(f->n, u);
}

/* K and u0 of bodies in the world frame. */
static inline contact_t contact_of_bodies(const body_t *a, const body_t *b, const frame_t *f) {
    contact_t contact;
    tensor_t k;
    tensor_clear(&k);
    add_share(&k, a, f);
    add_share(&k, b, f);
    set_matrix(&contact, &k);
    const velocity_apart_t apart = {vector_sub(a->velocity, b->velocity),
                                    vector_sub(turning_velocity(a), turning_velocity(b))};
    set_velocity(&contact, &apart, f);
    return contact;
}

#endif
