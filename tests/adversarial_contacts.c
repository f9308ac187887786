#include "adversarial_contacts.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "random_contacts.h"

const char *const adversarial_kind_names[ADVERSARIAL_KINDS] = {
    "grid",     "critical", "at rest", "shallow", "stretched", "graded",
    "near jam", "sizes",    "static",  "slow",    "falling",   "singular",
};

/* 10^x for x between the two, evenly. */
static double decades(uint64_t *state, double low, double high) {
    return pow(10, random_between(state, low, high));
}

static double signed_unit(uint64_t *state) { return random_between(state, -1, 1); }

/* K of an ordinary contact. */
static void draw_ordinary(uint64_t *state, double row[CONTACT_INPUTS]) {
    const random_kind kinds[] = {RANDOM_BOXES, RANDOM_DEFINITE, RANDOM_SPHERES};
    random_contact(state, kinds[random_below(state, 3)], 0, row);
}

/* K as A^T A of a random A whose rows or columns are of very different size. */
static void draw_matrix(uint64_t *state, double exponent, bool graded, double row[CONTACT_INPUTS]) {
    double a[3][3], k[3][3];
    for (int i = 0; i < 3; i++) {
        const double size = decades(state, -exponent, 0);
        for (int j = 0; j < 3; j++)
            *(graded ? &a[j][i] : &a[i][j]) = size * signed_unit(state);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            k[i][j] = a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j];
    }
    const double size = decades(state, -2, 3);
    const double elements[6] = {k[0][0], k[0][1], k[0][2], k[1][1], k[1][2], k[2][2]};
    for (int i = 0; i < 6; i++)
        row[IN_K11 + i] = size * elements[i];
}

/* |T^-1 k|: the friction at which sticking becomes stable. */
static double critical_friction(const double row[CONTACT_INPUTS]) {
    const double determinant = row[IN_K11] * row[IN_K22] - row[IN_K12] * row[IN_K12];
    const double w1 = (row[IN_K22] * row[IN_K13] - row[IN_K12] * row[IN_K23]) / determinant;
    const double w2 = (row[IN_K11] * row[IN_K23] - row[IN_K12] * row[IN_K13]) / determinant;
    return sqrt(w1 * w1 + w2 * w2);
}

static void set_slip(uint64_t *state, double size, double row[CONTACT_INPUTS]) {
    row[IN_U1] = size * signed_unit(state);
    row[IN_U2] = size * signed_unit(state);
}

static double any_restitution(uint64_t *state) {
    const unsigned kind = random_below(state, 6);
    if (kind == 0) return 0;
    if (kind == 1) return 1;
    if (kind == 2) return decades(state, -8, 0);
    return random_positive(state);
}

static void draw_near_jam(uint64_t *state, double row[CONTACT_INPUTS]) {
    random_contact(state, RANDOM_DEFINITE, 0, row);
    set_slip(state, random_below(state, 2) ? 1 : 4, row);
    row[IN_U3] = -decades(state, -6, 0);
    row[IN_RESTITUTION] = random_below(state, 2) ? decades(state, -6, 0) : random_positive(state);
    row[IN_FRICTION] = 3 * random_positive(state);
}

/* Rates are small beside K: k and mu are, K33 is hardly more than sticking takes, and |T^-1 k| is
 * nearly mu. */
static void draw_slow(uint64_t *state, double row[CONTACT_INPUTS]) {
    draw_matrix(state, 2, random_below(state, 2), row);
    const double scale = decades(state, -5, 0);
    row[IN_K13] *= scale;
    row[IN_K23] *= scale;
    const double determinant = row[IN_K11] * row[IN_K22] - row[IN_K12] * row[IN_K12];
    const double cross = row[IN_K22] * row[IN_K13] * row[IN_K13] -
                         2 * row[IN_K12] * row[IN_K13] * row[IN_K23] +
                         row[IN_K11] * row[IN_K23] * row[IN_K23];
    row[IN_K33] = cross / determinant * (1 + decades(state, -4, 1));
    const double near = ldexp(1, -1 - (int)random_below(state, 30));
    row[IN_FRICTION] = critical_friction(row) * (1 + (random_below(state, 2) ? near : -near));
    set_slip(state, decades(state, random_below(state, 2) ? -26 : -2, 0), row);
}

/*
 * u_n rises but where slip is within a small angle of k, which it turns through: u_n may pass zero,
 * fall below it again, and rise, in one step.
 */
static void draw_falling(uint64_t *state, double row[CONTACT_INPUTS]) {
    random_contact(state, RANDOM_DEFINITE, 0, row);
    const double k = hypot(row[IN_K13], row[IN_K23]);
    const double above = ldexp(1, -8 - (int)random_below(state, 11));
    row[IN_FRICTION] = row[IN_K33] / k * (1 + above);
    const double half_arc = acos(1 / (1 + above));
    const double before = half_arc * random_between(state, 1, 2.5);
    const double angle =
        atan2(row[IN_K23], row[IN_K13]) + (random_below(state, 2) ? before : -before);
    const double slip = decades(state, -2.5, 0);
    row[IN_U1] = slip * cos(angle);
    row[IN_U2] = slip * sin(angle);
    /* About as much as u_n changes in the arc. */
    row[IN_U3] = -slip * half_arc * half_arc * half_arc * decades(state, -2, 0);
    if (random_below(state, 4)) row[IN_RESTITUTION] = random_between(state, 0.5, 1);
}

/*
 * K as the sum of one or two a a^T: exactly, where a is of whole numbers of seven bits and units
 * that are powers of two, or as it is rounded, which leaves K a little definite or indefinite.
 */
static void draw_singular(uint64_t *state, double row[CONTACT_INPUTS]) {
    const unsigned rank = 1 + random_below(state, 2), exact = random_below(state, 2);
    int unit[3];
    for (int i = 0; i < 3; i++)
        unit[i] = random_below(state, 2) ? 0 : (int)random_below(state, 21) - 10;
    for (int i = IN_K11; i <= IN_K33; i++)
        row[i] = 0;
    for (unsigned r = 0; r < rank; r++) {
        double a[3];
        for (int i = 0; i < 3; i++) {
            const double whole = (double)random_below(state, 255) - 127;
            a[i] = ldexp(exact ? whole : signed_unit(state), unit[i]);
        }
        const double product[6] = {a[0] * a[0], a[0] * a[1], a[0] * a[2],
                                   a[1] * a[1], a[1] * a[2], a[2] * a[2]};
        for (int i = 0; i < 6; i++)
            row[IN_K11 + i] += product[i];
    }
    row[IN_FRICTION] = random_below(state, 8) ? decades(state, -3, 3) : (double)INFINITY;
    set_slip(state, random_below(state, 4) ? decades(state, -12, 0) : 0, row);
}

/* About the powers of two beyond which numbers are scaled twice, and one unit to either side. */
static double draw_size(uint64_t *state, int bits) {
    static const int of_32[] = {-100, -60, -30, 0, 30, 60, 90};
    static const int of_64[] = {-700, -480, -240, 0, 240, 480, 600};
    const int exponent = (bits == 32 ? of_32 : of_64)[random_below(state, 7)];
    const double unit = bits == 32 ? FLT_EPSILON : DBL_EPSILON;
    return ldexp(1 + unit * ((double)random_below(state, 3) - 1), exponent);
}

static void draw_sizes(uint64_t *state, int bits, double row[CONTACT_INPUTS]) {
    const double k = draw_size(state, bits), u = draw_size(state, bits);
    for (int i = IN_K11; i <= IN_K33; i++)
        row[i] *= k;
    /* The largest element is that size itself. */
    if (random_below(state, 2)) row[IN_U3] = -1;
    for (int i = IN_U1; i <= IN_U3; i++)
        row[i] *= u;
}

static void draw_kind(uint64_t *state, adversarial_kind kind, int bits,
                      double row[CONTACT_INPUTS]) {
    draw_ordinary(state, row);
    row[IN_U3] = -random_positive(state);
    row[IN_RESTITUTION] = any_restitution(state);
    row[IN_FRICTION] = decades(state, -1, 0.5);
    const double farthest = bits == 32 ? 30 : 40;
    double near;
    switch (kind) {
    case ADVERSARIAL_GRID:
        set_slip(state, decades(state, -farthest, 0), row);
        row[IN_FRICTION] = decades(state, -farthest, farthest / 3);
        break;
    case ADVERSARIAL_CRITICAL:
        if (random_below(state, 3) == 0) draw_matrix(state, 2, false, row);
        near = ldexp(1, -20 - (int)random_below(state, 31));
        row[IN_FRICTION] = critical_friction(row) * (1 + (random_below(state, 2) ? near : -near));
        set_slip(state, random_below(state, 4) ? decades(state, -12, 0) : 0, row);
        break;
    case ADVERSARIAL_AT_REST:
        if (random_below(state, 3) == 0) draw_matrix(state, 3, false, row);
        row[IN_FRICTION] = critical_friction(row) * random_between(state, 0, 1.5);
        set_slip(state, 0, row);
        break;
    case ADVERSARIAL_SHALLOW:
        set_slip(state, 1, row);
        row[IN_U3] = -decades(state, -farthest, 0);
        break;
    case ADVERSARIAL_STRETCHED:
    case ADVERSARIAL_GRADED:
        draw_matrix(state, 6, kind == ADVERSARIAL_GRADED, row);
        set_slip(state, decades(state, -3, 1), row);
        row[IN_FRICTION] = decades(state, -3, 3);
        break;
    case ADVERSARIAL_NEAR_JAM:
        draw_near_jam(state, row);
        break;
    case ADVERSARIAL_SIZES:
        set_slip(state, 1, row);
        draw_sizes(state, bits, row);
        break;
    case ADVERSARIAL_STATIC:
        set_slip(state, decades(state, -14, 0), row);
        break;
    case ADVERSARIAL_SLOW:
        draw_slow(state, row);
        break;
    case ADVERSARIAL_FALLING:
        draw_falling(state, row);
        break;
    case ADVERSARIAL_SINGULAR:
        draw_singular(state, row);
        break;
    case ADVERSARIAL_KINDS:
        break;
    }
    row[IN_FRICTION_STATIC] = row[IN_FRICTION];
    if (kind == ADVERSARIAL_STATIC)
        row[IN_FRICTION_STATIC] = random_below(state, 3)
                                      ? row[IN_FRICTION] * random_between(state, 1, 3)
                                      : (double)INFINITY;
}

bool is_clearly_definite(const double row[CONTACT_INPUTS], int bits) {
    const double room = 32 * (bits == 32 ? FLT_EPSILON : DBL_EPSILON);
    const double determinant = row[IN_K11] * row[IN_K22] - row[IN_K12] * row[IN_K12];
    if (!(row[IN_K11] > 0 && row[IN_K22] > 0 && row[IN_K33] > 0)) return false;
    if (!(determinant > room * row[IN_K11] * row[IN_K22])) return false;
    const double w1 = (row[IN_K22] * row[IN_K13] - row[IN_K12] * row[IN_K23]) / determinant;
    const double w2 = (row[IN_K11] * row[IN_K23] - row[IN_K12] * row[IN_K13]) / determinant;
    return row[IN_K33] - (row[IN_K13] * w1 + row[IN_K23] * w2) > room * row[IN_K33];
}

/* Whether K is as its kind has it. */
static bool has_right_matrix(const double row[CONTACT_INPUTS], adversarial_kind kind, int bits) {
    if (kind != ADVERSARIAL_SINGULAR) return is_clearly_definite(row, bits);
    return row[IN_K11] > 0 && row[IN_K22] > 0 && row[IN_K33] > 0;
}

void adversarial_contact(uint64_t *state, adversarial_kind kind, int bits,
                         double row[CONTACT_INPUTS]) {
    do {
        memset(row, 0, CONTACT_INPUTS * sizeof *row);
        draw_kind(state, kind, bits, row);
        if (bits == 32) {
            for (int i = 0; i < CONTACT_INPUTS; i++)
                row[i] = (double)(float)row[i];
        }
    } while (!has_right_matrix(row, kind, bits) || !(row[IN_U3] < 0));
}
