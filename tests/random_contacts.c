#include "random_contacts.h"

#include <math.h>
#include <string.h>

#include "../tools/support/vector.h"
#include "random_rotation.h"

/*
 * One random number per full expression: C leaves the order of calls within one open, and the same
 * seed has to give the same contacts with every compiler.
 */

/* Beyond the ends of f32's and f64's exponents, when masses and velocities multiply. */
#define EXPONENTS_F32 100
#define EXPONENTS_F64 900

const char *const random_kind_names[RANDOM_KINDS] = {
    "boxes",         "definite",      "spheres",
    "planar",        "at rest",       "nearly at rest",
    "grazing",       "frictionless",  "infinite friction",
    "tiny friction", "huge friction", "static friction",
    "plastic",       "elastic",       "two-phase",
    "separating",    "level",         "scaled",
    "immovable",     "invalid",
};

bool random_kind_collides(random_kind kind) { return kind < RANDOM_SEPARATING; }

static bool one_in(uint64_t *state, unsigned n) { return random_below(state, n) == 0; }

/* A number of any size from 2^-exponents to 2^exponents, evenly by exponent. */
static double random_power(uint64_t *state, int exponents) {
    const unsigned choices = 2 * (unsigned)exponents + 1;
    return ldexp(1, (int)random_below(state, choices) - exponents);
}

/* ---- Geometry ---- */

/* R diag(d) R^T as xx, xy, xz, yy, yz, zz. */
static void turned_diagonal(double r[3][3], const double d[3], double out[6]) {
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            *out++ = r[i][0] * d[0] * r[j][0] + r[i][1] * d[1] * r[j][1] + r[i][2] * d[2] * r[j][2];
        }
    }
}

/* A body without its velocities. */
typedef struct solid {
    double inverse_mass, inverse_inertia[6], arm[3];
} solid;

static solid random_box(uint64_t *state) {
    solid s = {.inverse_mass = random_between(state, 0.1, 4)};
    double r[3][3], half[3], at[3], inverse[3];
    random_rotation(state, r);
    for (int i = 0; i < 3; i++)
        half[i] = random_between(state, 0.1, 1);
    for (int i = 0; i < 3; i++) {
        const double x = half[(i + 1) % 3], y = half[(i + 2) % 3];
        inverse[i] = 3 * s.inverse_mass / (x * x + y * y);
        /* A corner mostly, an edge or a face sometimes. */
        const double side = one_in(state, 2) ? 1 : -1;
        at[i] = half[i] * (one_in(state, 4) ? random_signed(state) : side);
    }
    turned_diagonal(r, inverse, s.inverse_inertia);
    for (int i = 0; i < 3; i++)
        s.arm[i] = r[i][0] * at[0] + r[i][1] * at[1] + r[i][2] * at[2];
    return s;
}

/* Solid, and touched in the direction of `to_contact`, a unit vector. */
static solid random_sphere(uint64_t *state, const double to_contact[3]) {
    solid s = {.inverse_mass = random_between(state, 0.1, 4)};
    const double radius = random_between(state, 0.2, 1);
    const double inverse = 2.5 * s.inverse_mass / (radius * radius);
    s.inverse_inertia[0] = s.inverse_inertia[3] = s.inverse_inertia[5] = inverse;
    for (int i = 0; i < 3; i++)
        s.arm[i] = radius * to_contact[i];
    return s;
}

/* An inertia with a condition number up to 1000. */
static solid random_body(uint64_t *state) {
    solid s = {.inverse_mass = random_between(state, 0.1, 4)};
    double r[3][3], inverse[3];
    random_rotation(state, r);
    for (int i = 0; i < 3; i++) {
        const int exponent = -(int)random_below(state, 10); /* (4, 8] 2^-9 is 1/1000 of 8 */
        inverse[i] = ldexp(random_between(state, 4, 8), exponent);
        s.arm[i] = random_signed(state);
    }
    turned_diagonal(r, inverse, s.inverse_inertia);
    return s;
}

/* In the plane of x and z, with an axis of inertia across it. */
static solid random_flat(uint64_t *state) {
    solid s = {.inverse_mass = random_between(state, 0.1, 4)};
    s.inverse_inertia[0] = s.inverse_inertia[3] = s.inverse_inertia[5] =
        random_between(state, 1, 12);
    s.arm[0] = random_signed(state);
    s.arm[2] = random_signed(state);
    return s;
}

/* That of the example of Mirtich 1996, corrected, 1.2. */
static solid example_solid(void) { return (solid){1, {9, 6, -6, 6, -2, 9}, {1, 1, 1}}; }

static const solid immovable = {0};

static void random_solids(uint64_t *state, random_kind kind, const double n[3], solid pair[2]) {
    const double to_a[3] = {-n[0], -n[1], -n[2]};
    const bool wall = one_in(state, 4);
    pair[0] = kind == RANDOM_SPHERES     ? random_sphere(state, to_a)
              : kind == RANDOM_DEFINITE  ? random_body(state)
              : kind == RANDOM_PLANAR    ? random_flat(state)
              : kind == RANDOM_TWO_PHASE ? example_solid()
                                         : random_box(state);
    pair[1] = kind == RANDOM_SPHERES    ? random_sphere(state, n)
              : kind == RANDOM_DEFINITE ? random_body(state)
              : kind == RANDOM_PLANAR   ? random_flat(state)
                                        : random_box(state);
    if (wall || kind == RANDOM_TWO_PHASE) pair[1] = immovable;
    if (kind == RANDOM_IMMOVABLE) pair[0] = pair[1] = immovable;
}

/* ---- K from bodies: 1/m 1 - r~ I^-1 r~ ---- */

static void apply(const double t[6], const double v[3], double product[3]) {
    product[0] = t[0] * v[0] + t[1] * v[1] + t[2] * v[2];
    product[1] = t[1] * v[0] + t[3] * v[1] + t[4] * v[2];
    product[2] = t[2] * v[0] + t[4] * v[1] + t[5] * v[2];
}

static void add_to_matrix(const solid *s, double k[6]) {
    for (int i = 0, element = 0; i < 3; i++) {
        double axis_i[3] = {i == 0, i == 1, i == 2}, turn_i[3], turned[3];
        cross3(s->arm, axis_i, turn_i);
        apply(s->inverse_inertia, turn_i, turned);
        for (int j = i; j < 3; j++, element++) {
            double axis_j[3] = {j == 0, j == 1, j == 2}, turn_j[3];
            cross3(s->arm, axis_j, turn_j);
            k[element] += turn_j[0] * turned[0] + turn_j[1] * turned[1] + turn_j[2] * turned[2] +
                          (i == j ? s->inverse_mass : 0);
        }
    }
}

/* ---- What is common to both levels ---- */

static double random_friction(uint64_t *state, random_kind kind) {
    const double scale[] = {0.1, 0.5, 1, 3};
    if (kind == RANDOM_FRICTIONLESS || one_in(state, 16)) return 0;
    if (kind == RANDOM_INFINITE_FRICTION || one_in(state, 32)) return (double)INFINITY;
    const double size = scale[random_below(state, 4)];
    const double friction = size * random_positive(state);
    if (kind == RANDOM_TINY_FRICTION) return ldexp(friction, -(int)random_below(state, 40));
    if (kind == RANDOM_HUGE_FRICTION) return ldexp(friction, (int)random_below(state, 40));
    return friction;
}

/* e_t, sigma and two impulse ratios, from a state of their own. */
static void random_further_coefficients(uint64_t state, double row[4]) {
    row[0] = random_signed(&state);
    if (one_in(&state, 4)) row[0] = random_between(&state, -1, 2) > 0 ? 0 : -1;
    row[1] = random_positive(&state);
    if (one_in(&state, 4)) row[1] = random_below(&state, 2);
    for (int i = 2; i < 4; i++)
        row[i] = one_in(&state, 8) ? 0 : random_signed(&state);
}

/* e, mu, mu_s, and those of other laws. */
static void random_coefficients(uint64_t *state, random_kind kind, double row[COEFFICIENT_INPUTS]) {
    random_further_coefficients(*state, row + 3);
    row[0] = random_positive(state);
    if (kind == RANDOM_PLASTIC || one_in(state, 8)) row[0] = 0;
    if (kind == RANDOM_ELASTIC || one_in(state, 8)) row[0] = 1;
    row[1] = random_friction(state, kind);
    row[2] = row[1];
    if (kind == RANDOM_STATIC_FRICTION || one_in(state, 8)) {
        row[2] = one_in(state, 4) ? (double)INFINITY : row[1] + random_positive(state);
    }
    if (kind == RANDOM_TWO_PHASE) { /* as in Mirtich 1996, corrected, 1.2 */
        row[0] = random_between(state, 0.5, 1);
        row[1] = row[2] = 0.5;
    }
}

/* The separation velocity in the contact frame. */
static void random_approach(uint64_t *state, random_kind kind, double u[3]) {
    static const double example[3] = {630, -780, -0.22};
    u[0] = random_signed(state);
    u[1] = random_signed(state);
    u[2] = -random_positive(state);
    switch (kind) {
    case RANDOM_PLANAR:
        u[1] = 0;
        break;
    case RANDOM_AT_REST:
        u[0] = u[1] = 0;
        break;
    case RANDOM_NEARLY_AT_REST: {
        const double slip = ldexp(1, -(int)random_below(state, 24));
        u[0] *= slip;
        u[1] *= slip;
        break;
    }
    case RANDOM_GRAZING:
        u[2] = ldexp(u[2], -(int)random_below(state, 24));
        break;
    case RANDOM_TWO_PHASE:
        for (int i = 0; i < 3; i++)
            u[i] = example[i] * random_between(state, 0.98, 1.02);
        break;
    case RANDOM_SEPARATING:
        u[2] = -u[2];
        break;
    case RANDOM_LEVEL:
        u[2] = one_in(state, 2) ? 0 : -0.0;
        break;
    default:
        break;
    }
}

static void scale(double *values, int count, double factor) {
    for (int i = 0; i < count; i++)
        values[i] *= factor;
}

/* Any number becomes another; what is legal for one column is not for another. */
static void spoil(uint64_t *state, double *value) {
    const double wrong[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -*value, 2 * *value, 1000, 0, -3};
    *value = wrong[random_below(state, sizeof wrong / sizeof *wrong)];
}

/* ---- Contact space ---- */

static void random_definite_matrix(uint64_t *state, double k[6]) {
    double r[3][3], eigenvalues[3];
    random_rotation(state, r);
    for (int i = 0; i < 3; i++) {
        const int exponent = -(int)random_below(state, 10); /* (1/2, 1] 2^-9 is about 1/1000 of 1 */
        eigenvalues[i] = ldexp(random_between(state, 0.5, 1), exponent);
    }
    turned_diagonal(r, eigenvalues, k);
}

static void random_matrix(uint64_t *state, random_kind kind, double k[6]) {
    const double up[3] = {0, 0, 1};
    if (kind == RANDOM_DEFINITE) {
        random_definite_matrix(state, k);
        return;
    }
    solid pair[2];
    random_solids(state, kind, up, pair);
    memset(k, 0, 6 * sizeof *k);
    add_to_matrix(&pair[0], k);
    add_to_matrix(&pair[1], k);
}

void random_contact(uint64_t *state, random_kind kind, int exponents, double row[CONTACT_INPUTS]) {
    random_matrix(state, kind, row + IN_K11);
    random_approach(state, kind, row + IN_U1);
    random_coefficients(state, kind, row + IN_RESTITUTION);
    if (kind == RANDOM_SCALED) {
        scale(row + IN_K11, 6, random_power(state, exponents));
        scale(row + IN_U1, 3, random_power(state, exponents));
    }
    if (kind == RANDOM_INVALID) spoil(state, &row[random_below(state, CONTACT_INPUTS)]);
}

/* ---- Body pairs ---- */

/* Any direction; or along an axis, where contact frames have their special cases, or nearly so. */
static void random_frame(uint64_t *state, random_kind kind, double r[3][3]) {
    random_rotation(state, r);
    const bool aligned = kind == RANDOM_PLANAR || kind == RANDOM_TWO_PHASE;
    if (!aligned && !one_in(state, 4)) return;
    const unsigned axis = aligned ? 2 : random_below(state, 3);
    const double sign = aligned || one_in(state, 2) ? 1 : -1;
    memset(r, 0, 9 * sizeof(double));
    for (unsigned i = 0; i < 3; i++) /* cyclic, so right-handed; both others turn with the sign */
        r[(axis + 1 + i) % 3][i] = i == 1 ? 1 : sign;
}

static void store_solid(const solid *s, double *body) {
    body[BODY_INVERSE_MASS] = s->inverse_mass;
    memcpy(body + BODY_INVERSE_INERTIA, s->inverse_inertia, sizeof s->inverse_inertia);
    memcpy(body + BODY_ARM, s->arm, sizeof s->arm);
}

/* Spins at random where they may, and moves so that the separation velocity is `u` in the frame. */
static void random_motion(uint64_t *state, random_kind kind, double r[3][3], const double u[3],
                          double *row) {
    double *a = row + IN_BODY_A, *b = row + IN_BODY_B;
    const bool spins = kind != RANDOM_AT_REST && kind != RANDOM_TWO_PHASE && !one_in(state, 4);
    double turning_a[3], turning_b[3];
    for (int i = 0; i < 3; i++) {
        const bool across = kind != RANDOM_PLANAR || i == 1;
        a[BODY_ANGULAR_VELOCITY + i] = spins && across ? random_signed(state) : 0;
        b[BODY_ANGULAR_VELOCITY + i] = spins && across ? random_signed(state) : 0;
        const bool along = kind != RANDOM_PLANAR || i != 1;
        b[BODY_VELOCITY + i] = spins && along ? random_signed(state) : 0;
    }
    cross3(a + BODY_ANGULAR_VELOCITY, a + BODY_ARM, turning_a);
    cross3(b + BODY_ANGULAR_VELOCITY, b + BODY_ARM, turning_b);
    for (int i = 0; i < 3; i++) {
        a[BODY_VELOCITY + i] = r[i][0] * u[0] + r[i][1] * u[1] + r[i][2] * u[2] +
                               b[BODY_VELOCITY + i] + turning_b[i] - turning_a[i];
    }
}

void random_pair(uint64_t *state, random_kind kind, int exponents, double row[PAIR_INPUTS]) {
    double r[3][3], u[3];
    solid pair[2];
    random_frame(state, kind, r);
    for (int i = 0; i < 3; i++)
        row[IN_NORMAL + i] = r[i][2];
    random_solids(state, kind, row + IN_NORMAL, pair);
    store_solid(&pair[0], row + IN_BODY_A);
    store_solid(&pair[1], row + IN_BODY_B);
    random_approach(state, kind, u);
    random_motion(state, kind, r, u, row);
    random_coefficients(state, kind, row + IN_PAIR_RESTITUTION);
    if (kind == RANDOM_SCALED) {
        const double lightness = random_power(state, exponents);
        const double speed = random_power(state, exponents);
        for (int side = 0; side < 2; side++) {
            double *body = row + (side == 0 ? IN_BODY_A : IN_BODY_B);
            scale(body + BODY_INVERSE_MASS, 7, lightness);
            scale(body + BODY_VELOCITY, 6, speed);
        }
    }
    if (kind == RANDOM_INVALID) spoil(state, &row[random_below(state, PAIR_INPUTS)]);
}

/* ---- Batches ---- */

static void random_row(uint64_t *state, batch_level level, int exponents, double *row) {
    const random_kind kind = (random_kind)random_below(state, RANDOM_KINDS);
    if (level == LEVEL_CONTACTS)
        random_contact(state, kind, exponents, row);
    else
        random_pair(state, kind, exponents, row);
}

void random_fill_f32(uint64_t *state, const batch_f32 *batch, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double row[PAIR_INPUTS];
        random_row(state, batch->level, EXPONENTS_F32, row);
        batch_set_row_f32(batch, i, row);
    }
}

void random_fill_f64(uint64_t *state, const batch_f64 *batch, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double row[PAIR_INPUTS];
        random_row(state, batch->level, EXPONENTS_F64, row);
        batch_set_row_f64(batch, i, row);
    }
}
