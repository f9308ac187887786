/*
 * Bodies given in their own frames, by a quaternion or a matrix; and the two elastic bodies of
 * Hakenberg.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"
#include "reference_elastic.h"
#include "targets.h"

/*
 * Units of rounding of the largest numbers that are added up: speeds |v| + |omega| |r|, and
 * elements of K, 1/m + |I^-1| |r|^2. Turning a tensor and a vector, three cross products and the
 * sums of K take some twenty operations one after the other.
 */
#define UNITS   32
#define SAMPLED 2

/* Contacts of each scene; pairs with friction. */
#define EACH 20000
#define SOME 2003

/* The animations of Hakenberg: billiard balls, baseball, stuntmen. */
typedef enum scene_kind { TWO_BALLS, BALL_AND_ROD, TWO_RODS, SCENES } scene_kind;

/* A body as Hakenberg has it, the inverse inertia as what is given. */
typedef struct solid {
    double inverse_mass, inverse_inertia[6];
    double q[4]; /* w, x, y, z */
    double arm[3], velocity[3], omega[3];
} solid;

typedef struct meeting {
    solid a, b;
    double normal[3], coefficients[3]; /* e or f, mu, mu_s */
} meeting;

static void random_vector(uint64_t *state, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = random_between(state, -1, 1);
}

/* To a length of 1. */
static void normalise(double *v, int count) {
    double square = 0;
    for (int i = 0; i < count; i++)
        square += v[i] * v[i];
    for (int i = 0; i < count; i++)
        v[i] /= sqrt(square);
}

static void random_motion(uint64_t *state, solid *s) {
    for (int i = 0; i < 4; i++)
        s->q[i] = random_between(state, -1, 1) + (i == 0 ? 0x1p-10 : 0);
    normalise(s->q, 4);
    random_vector(state, s->velocity);
    random_vector(state, s->omega);
}

/* A ball touches where the normal goes through its centre. */
static solid random_ball(uint64_t *state, const double normal[3], double side) {
    solid s = {.inverse_mass = 0.1 + 2 * random_positive(state)};
    const double radius = 0.2 + random_positive(state);
    random_motion(state, &s);
    for (int i = 0; i < 3; i++) {
        s.arm[i] = side * radius * normal[i];
        s.inverse_inertia[(const int[]){0, 3, 5}[i]] = 2.5 * s.inverse_mass / (radius * radius);
    }
    return s;
}

/* A long body, whose principal axes are not those of its frame, touched anywhere near its end. */
static solid random_rod(uint64_t *state) {
    solid s = {.inverse_mass = 0.1 + 2 * random_positive(state)};
    double axis[3];
    random_motion(state, &s);
    random_vector(state, s.arm);
    random_vector(state, axis);
    axis[0] += 0x1p-10;
    normalise(axis, 3);
    const double across = 3 * s.inverse_mass, along = (4 + 20 * random_positive(state)) * across;
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, k++)
            s.inverse_inertia[k] = (i == j ? across : 0) + (along - across) * axis[i] * axis[j];
    }
    return s;
}

static meeting random_meeting(uint64_t *state, scene_kind scene) {
    meeting m = {.coefficients = {1, 0, 0}};
    random_vector(state, m.normal);
    m.normal[2] += 0x1p-10;
    normalise(m.normal, 3);
    m.a = scene == TWO_RODS ? random_rod(state) : random_ball(state, m.normal, -1);
    m.b = scene == TWO_BALLS ? random_ball(state, m.normal, 1) : random_rod(state);
    return m;
}

/* ---- Wide ---- */

static void widen(const double *from, long double *to, int count) {
    for (int i = 0; i < count; i++)
        to[i] = from[i];
}

static reference_body_long body_of(const solid *s) {
    reference_body_long body = {.inverse_mass = s->inverse_mass};
    widen(s->inverse_inertia, body.inverse_inertia, 6);
    widen(s->arm, body.arm, 3);
    widen(s->velocity, body.velocity, 3);
    widen(s->omega, body.angular_velocity, 3);
    return body;
}

static reference_frame_long rotation_of(const solid *s) {
    long double q[4];
    reference_frame_long rotation;
    widen(s->q, q, 4);
    reference_rotation_of_quaternion_long(q, &rotation);
    return rotation;
}

static reference_body_long body_in_world(const solid *s) {
    reference_body_long body = body_of(s);
    const reference_frame_long rotation = rotation_of(s);
    reference_body_to_world_long(&body, &rotation);
    return body;
}

/* R v, or R^T v. */
static void turn(const reference_frame_long *r, bool back, const long double v[3],
                 long double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int j = 0; j < 3; j++)
            out[i] += (back ? r->rows[j][i] : r->rows[i][j]) * v[j];
    }
}

/* The inverse of a symmetric matrix xx, xy, xz, yy, yz, zz as a whole one. */
static void invert(const double t[6], long double out[3][3]) {
    const long double xx = t[0], xy = t[1], xz = t[2], yy = t[3], yz = t[4], zz = t[5];
    out[0][0] = yy * zz - yz * yz;
    out[0][1] = out[1][0] = xz * yz - xy * zz;
    out[0][2] = out[2][0] = xy * yz - xz * yy;
    out[1][1] = xx * zz - xz * xz;
    out[1][2] = out[2][1] = xy * xz - xx * yz;
    out[2][2] = xx * yy - xy * xy;
    const long double determinant = xx * out[0][0] + xy * out[0][1] + xz * out[0][2];
    for (int i = 0; i < 9; i++)
        out[i / 3][i % 3] /= determinant;
}

static reference_elastic_body_long elastic_of(const solid *s) {
    reference_elastic_body_long body = {.mass = 1 / (long double)s->inverse_mass};
    const reference_frame_long rotation = rotation_of(s);
    memcpy(body.rotation, rotation.rows, sizeof body.rotation);
    invert(s->inverse_inertia, body.inertia);
    widen(s->velocity, body.velocity, 3);
    widen(s->omega, body.omega, 3);
    widen(s->arm, body.arm, 3);
    return body;
}

static void unit_normal(const meeting *m, long double n[3]) {
    widen(m->normal, n, 3);
    const long double length = length3(n);
    for (int i = 0; i < 3; i++)
        n[i] /= length;
}

static long double largest(const double *v, int count) {
    long double size = 0;
    for (int i = 0; i < count; i++)
        size = fmaxl(size, fabs(v[i]));
    return size;
}

static long double size_of(const double v[3]) {
    return sqrtl((long double)v[0] * v[0] + (long double)v[1] * v[1] + (long double)v[2] * v[2]);
}

static long double speed_of(const solid *s) {
    return size_of(s->velocity) + size_of(s->omega) * size_of(s->arm);
}

/* |I^-1| |r|: how fast an impulse of 1 may turn a body. */
static long double spin_of(const solid *s) {
    return 3 * largest(s->inverse_inertia, 6) * size_of(s->arm);
}

/* The largest that K_33 can be, and what its elements are rounded relative to. */
static long double mobility_of(const meeting *m) {
    return m->a.inverse_mass + m->b.inverse_mass + spin_of(&m->a) * size_of(m->a.arm) +
           spin_of(&m->b) * size_of(m->b.arm);
}

static const uint32_t no_impulse =
    (uint32_t)IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_INVALID;

/* How a batch's bodies are given. */
typedef enum given_form { IN_WORLD, BY_QUATERNION, BY_MATRIX, FORMS } given_form;

/* Columns of a body, of which two thirds are the rotation, and of a batch. */
enum {
    BODY_QUATERNION = 16,
    BODY_MATRIX = BODY_QUATERNION + 4,
    BODY = BODY_MATRIX + 9,
    NORMAL = 2 * BODY,
    COEFFICIENTS = NORMAL + 3,
    INPUTS = COEFFICIENTS + 3,
    OUT_A = 3,
    OUT_B = OUT_A + 6,
    OUTPUTS = OUT_B + 6
};

#define REAL       float
#define WORD       uint32_t
#define NAME(name) name##_f32
#define UNIT       ((long double)FLT_EPSILON / 2)
#define TOLERANCE  1e-6L
#include "test_orientation_real.inc"
#undef TOLERANCE
#undef UNIT
#undef NAME
#undef WORD
#undef REAL

#define REAL       double
#define WORD       uint64_t
#define NAME(name) name##_f64
#define UNIT       ((long double)DBL_EPSILON / 2)
#define TOLERANCE  1e-12L
#include "test_orientation_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(orientation, name##_f32) { name##_f32(); }                                                \
    Test(orientation, name##_f64) { name##_f64(); }

FOR_BOTH(billiard_balls)
FOR_BOTH(baseball)
FOR_BOTH(stuntmen)
FOR_BOTH(fractions_of_lambda)
FOR_BOTH(quarter_turns)
FOR_BOTH(forms_agree_with_friction)
FOR_BOTH(same_bits_on_every_target)
FOR_BOTH(what_is_no_rotation)
FOR_BOTH(nearly_rotations)
FOR_BOTH(without_impulse)
FOR_BOTH(statuses)
