#include "law_adversaries.h"

#include <float.h>
#include <math.h>

#include "conditioning.h"
#include "random_contacts.h"

/* ---- Drawing ---- */

/* 10^low to 10^high, evenly in the exponent; the powers are of libm, so the draws are a machine's
 * own. */
static double decade(uint64_t *state, double low, double high) {
    return pow(10, random_between(state, low, high));
}

/* 1 +- 2^-20 to 2^-50, or 1. */
static double nearly_one(uint64_t *state) {
    const int bits = 20 + (int)random_below(state, 31);
    const double part = ldexp(random_positive(state), -bits);
    const unsigned side = random_below(state, 5);
    return side == 0 ? 1 : side < 3 ? 1 + part : 1 - part;
}

/* L L^T of a unit-diagonal L with rows of any length, so that K is as singular as asked. */
static void correlated_matrix(uint64_t *state, double depth, double k[6]) {
    double l[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 1; i < 3; i++) {
        double length = 0;
        for (int j = 0; j <= i; j++) {
            l[i][j] = random_between(state, -1, 1);
            if (j == i) l[i][j] = fabs(l[i][j]) * decade(state, -depth, 0) + 1e-300;
            length = hypot(length, l[i][j]);
        }
        for (int j = 0; j <= i; j++)
            l[i][j] /= length;
    }
    double full[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            full[i][j] = 0;
            for (int m = 0; m < 3; m++)
                full[i][j] += l[i][m] * l[j][m];
        }
    }
    const int order = (int)random_below(state, 3); /* which axis is the independent one */
    const int a = order, b = (order + 1) % 3, c = (order + 2) % 3;
    k[0] = full[a][a];
    k[1] = full[a][b];
    k[2] = full[a][c];
    k[3] = full[b][b];
    k[4] = full[b][c];
    k[5] = full[c][c];
}

static void draw_matrix(uint64_t *state, bool single, double row[CONTACT_INPUTS]) {
    static const double plain[4][6] = {
        {1, 0, .2, 1, .1, 1}, {2, 0, .5, 1, .5, 1.5}, {1, 0, 0, 1, 0, 1}, {3.5, 0, 0, 3.5, 0, 1}};
    double k[6];
    const unsigned kind = random_below(state, 8);
    if (kind == 0) {
        const double *const of = plain[random_below(state, 4)];
        for (int i = 0; i < 6; i++)
            k[i] = of[i];
    } else {
        correlated_matrix(state, kind < 3 ? 0 : single ? 3.2 : 7, k);
        double d[3] = {1, 1, 1};
        if (kind > 4) {
            for (int i = 0; i < 3; i++)
                d[i] = decade(state, kind > 6 ? -6 : -3, 0);
        }
        const double by[6] = {d[0] * d[0], d[0] * d[1], d[0] * d[2],
                              d[1] * d[1], d[1] * d[2], d[2] * d[2]};
        for (int i = 0; i < 6; i++)
            k[i] *= by[i];
        if (random_below(state, 8) == 0) k[1] = k[2] = k[4] = 0;
    }
    for (int i = 0; i < 6; i++)
        row[IN_K11 + i] = k[i];
}

static void draw_velocity(uint64_t *state, double row[CONTACT_INPUTS]) {
    const double low = random_below(state, 4) == 0 ? -36 : random_below(state, 2) ? -20 : -4;
    const double slip = random_below(state, 4) == 0 ? 1 : decade(state, low, 0);
    const double angle = random_between(state, 0, 6.283185307179586);
    row[IN_U1] = slip * cos(angle);
    row[IN_U2] = slip * sin(angle);
    row[IN_U3] = random_below(state, 3) == 0 ? -1 : -decade(state, low, 0);
    switch (random_below(state, 8)) {
    case 0:
        row[IN_U1] = row[IN_U2] = 0;
        break;
    case 1: /* so that the slip without friction all but vanishes: w = 0 */
        for (int i = 0; i < 2; i++) {
            const double k = row[i == 0 ? IN_K13 : IN_K23];
            const double p_i = -(1 + row[IN_RESTITUTION]) * row[IN_U3] / row[IN_K33];
            row[IN_U1 + i] = -k * p_i * nearly_one(state);
        }
        break;
    case 2:
        row[IN_U1 + random_below(state, 2)] = 0;
        break;
    case 3: /* each axis in its own units: small beside the other's, and yet all that is there */
        for (int i = 0; i < 2; i++)
            row[IN_U1 + i] *= sqrt(row[i == 0 ? IN_K11 : IN_K22] / row[IN_K33]);
        break;
    default:
        break;
    }
}

/* |p_t| / p_n of what sticks, with the normal impulse that e gives by Newton's rule. */
static double sticking_friction(const double row[CONTACT_INPUTS], double restitution) {
    const double k33 = row[IN_K33], k13 = row[IN_K13], k23 = row[IN_K23];
    const double p_i = -(1 + restitution) * row[IN_U3] / k33;
    const double s11 = row[IN_K11] - k13 * k13 / k33, s12 = row[IN_K12] - k13 * k23 / k33;
    const double s22 = row[IN_K22] - k23 * k23 / k33, det = s11 * s22 - s12 * s12;
    const double w1 = row[IN_U1] + p_i * k13, w2 = row[IN_U2] + p_i * k23;
    const double p1 = -(s22 * w1 - s12 * w2) / det, p2 = -(s11 * w2 - s12 * w1) / det;
    return hypot(p1, p2) / (p_i - (k13 * p1 + k23 * p2) / k33);
}

/* |T^-1 k|: below it a slip that has stopped does not stay so. */
static double rolling_friction(const double row[CONTACT_INPUTS]) {
    const double det = row[IN_K11] * row[IN_K22] - row[IN_K12] * row[IN_K12];
    const double x = row[IN_K22] * row[IN_K13] - row[IN_K12] * row[IN_K23];
    const double y = row[IN_K11] * row[IN_K23] - row[IN_K12] * row[IN_K13];
    return hypot(x, y) / det;
}

static double draw_friction(uint64_t *state, const double row[CONTACT_INPUTS]) {
    double mu = decade(state, -3, 3);
    switch (random_below(state, 8)) {
    case 0:
        mu = decade(state, -15, 15);
        break;
    case 1:
        mu = sticking_friction(row, row[IN_RESTITUTION]) * nearly_one(state);
        break;
    case 2:
        mu = sticking_friction(row, 0) * nearly_one(state);
        break;
    case 3:
        mu = rolling_friction(row) * nearly_one(state);
        break;
    case 4: /* where friction can press as much as the normal impulse does: a jam begins */
        mu = row[IN_K33] / hypot(row[IN_K13], row[IN_K23]) * nearly_one(state);
        break;
    case 5:
        mu = random_below(state, 3) == 0 ? 0 : INFINITY;
        break;
    default:
        break;
    }
    return mu >= 0 ? mu : 1; /* NaN, and what is below zero: sticking would pull */
}

static double draw_restitution(uint64_t *state) {
    switch (random_below(state, 5)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return ldexp(1, -(int)random_below(state, 60));
    default:
        return random_positive(state);
    }
}

/* To sizes about the thresholds of scaling: 2^+-60, 2^+-90, in f64 2^+-480 and 2^+-600. */
static void draw_sizes(uint64_t *state, bool single, double row[CONTACT_INPUTS]) {
    static const int exponents[2][5] = {{-599, -480, 0, 480, 599}, {-89, -60, 0, 60, 89}};
    const int k = exponents[single][random_below(state, 5)] + (int)random_below(state, 5) - 2;
    const int u = exponents[single][random_below(state, 5)] + (int)random_below(state, 5) - 2;
    for (int i = 0; i < 6; i++)
        row[IN_K11 + i] = ldexp(row[IN_K11 + i], k);
    for (int i = 0; i < 3; i++)
        row[IN_U1 + i] = ldexp(row[IN_U1 + i], u);
}

/*
 * Friction that turns round between two stages: across the soft direction of a nearly singular T,
 * the slip before is some twice what k makes of compression's normal impulse, and friction just
 * suffices to stick at its end. The impulses of the stages all but cancel.
 */
static void draw_turn(uint64_t *state, bool single, double row[CONTACT_INPUTS]) {
    const double soft = decade(state, single ? -2.5 : -6, 0), stiff_k = random_between(state, 0, 1);
    const double soft_k = random_between(state, .5, 1.4) * sqrt(soft * (1 - stiff_k * stiff_k));
    row[IN_K11] = row[IN_K22] = row[IN_K33] = 1;
    row[IN_K12] = 1 - soft;
    row[IN_K13] = stiff_k * sqrt(1 - soft / 2) + soft_k / 2;
    row[IN_K23] = stiff_k * sqrt(1 - soft / 2) - soft_k / 2;
    row[IN_U3] = -decade(state, -3, 0);
    const double p_n = -row[IN_U3] / (1 - stiff_k * stiff_k);
    const double slip = -soft_k / 2 * p_n * random_between(state, 1, 3);
    const double along = row[IN_U3] * decade(state, -9, 0);
    row[IN_U1] = along + slip;
    row[IN_U2] = along - slip;
    row[IN_RESTITUTION] = random_between(state, .5, 1);
    const double mu = sticking_friction(row, 0) * nearly_one(state);
    row[IN_FRICTION] = row[IN_FRICTION_STATIC] = mu >= 0 ? mu : 1;
}

/*
 * How far K is from singular once its units are even: the determinant of its correlations. Below
 * some units of rounding the precision does not tell whether there is a law to satisfy.
 */
static double independence(const double row[CONTACT_INPUTS], bool single) {
    long double k[6];
    for (int i = 0; i < 6; i++)
        k[i] = single ? (long double)(float)row[IN_K11 + i] : (long double)row[IN_K11 + i];
    const long double x = k[1] / sqrtl(k[0] * k[3]), y = k[2] / sqrtl(k[0] * k[5]);
    const long double z = k[4] / sqrtl(k[3] * k[5]);
    return (double)(1 - x * x - y * y - z * z + 2 * x * y * z);
}

#define INDEPENDENCE_UNITS 4096

void law_adversary(uint64_t *state, impinge_law law, bool single, double row[CONTACT_INPUTS]) {
    const double least = INDEPENDENCE_UNITS * (single ? FLT_EPSILON : DBL_EPSILON);
    for (int i = 0; i < CONTACT_INPUTS; i++)
        row[i] = 0;
    do
        draw_matrix(state, single, row);
    while (!(independence(row, single) > least));
    if (law == IMPINGE_LAW_BILINEAR) row[IN_K12] = row[IN_K13] = row[IN_K23] = 0;
    row[IN_RESTITUTION] = draw_restitution(state);
    draw_velocity(state, row);
    row[IN_FRICTION] = row[IN_FRICTION_STATIC] = draw_friction(state, row);
    row[IN_TANGENTIAL_RESTITUTION] = random_between(state, -1, 1);
    if (random_below(state, 3) == 0)
        row[IN_TANGENTIAL_RESTITUTION] = (int)random_below(state, 3) - 1;
    row[IN_MIX] = random_below(state, 4) == 0 ? random_below(state, 2) : random_positive(state);
    for (int i = 0; i < 2; i++)
        row[IN_IMPULSE_RATIO_T1 + i] = random_between(state, -1, 1) * decade(state, -9, 3);
    if (law == IMPINGE_LAW_TWO_STAGE && random_below(state, 8) == 0) {
        do
            draw_turn(state, single, row);
        while (!(independence(row, single) > least));
    }
    if (random_below(state, 6) == 0) draw_sizes(state, single, row);
}

reference_contact_long adversarial_contact_of_row(const double row[CONTACT_INPUTS]) {
    reference_contact_long c = contact_of_row(row);
    c.tangential_restitution = row[IN_TANGENTIAL_RESTITUTION];
    c.mix = row[IN_MIX];
    c.impulse_ratio[0] = row[IN_IMPULSE_RATIO_T1];
    c.impulse_ratio[1] = row[IN_IMPULSE_RATIO_T2];
    return c;
}

/* ---- Judging ---- */

/* In units of the largest elements of K and of u0, so that nothing is near the ends of the range.
 */
typedef struct posed {
    reference_contact_long c;
    adversarial_answer a;
    long double unit, least_p, least_u; /* what the precision cannot hold any more */
} posed;

static long double largest3(const long double v[3]) {
    return fmaxl(fmaxl(fabsl(v[0]), fabsl(v[1])), fabsl(v[2]));
}

static posed pose(const reference_contact_long *contact, long double unit, long double least,
                  const adversarial_answer *answer) {
    const long double diagonal[3] = {contact->k11, contact->k22, contact->k33};
    const long double k = largest3(diagonal), u = fmaxl(largest3(contact->u), least);
    posed q = {.c = *contact, .a = *answer, .unit = unit};
    q.c.k11 /= k;
    q.c.k12 /= k;
    q.c.k13 /= k;
    q.c.k22 /= k;
    q.c.k23 /= k;
    q.c.k33 /= k;
    for (int i = 0; i < 3; i++) {
        q.c.u[i] /= u;
        q.a.p[i] /= u / k;
        q.a.first[i] /= u / k;
        q.a.u[i] /= u;
    }
    /* Kernels work in such units, and numbers below their range are rounded coarsely. */
    q.least_u = fmaxl(least, least / u) * 64;
    const long double softest = fminl(q.c.k11, fminl(q.c.k22, q.c.k33));
    q.least_p = fmaxl(least / softest, least / (u / k)) * 64;
    return q;
}

/*
 * The sizes of what u_i adds up: u0 and terms of K p, each below sqrt(K_ii K_jj) |p_j|; tangential
 * ones have been turned into axes and back, so that each has the error of both. p is the
 * impulse of the whole collision, or adds |p_j| of its stages.
 */
static void sum_sizes(const posed *q, const long double p[3], long double size[3]) {
    const reference_contact_long *const c = &q->c;
    const long double root[3] = {sqrtl(c->k11), sqrtl(c->k22), sqrtl(c->k33)};
    const long double slip = hypotl(c->u[0], c->u[1]);
    long double impulse = 0;
    for (int i = 0; i < 3; i++)
        impulse += root[i] * fabsl(p[i]);
    size[0] = size[1] = slip + hypotl(root[0], root[1]) * impulse;
    size[2] = fabsl(c->u[2]) + root[2] * impulse;
}

static long double sum_error(const posed *q) {
    long double u[3], size[3], worst = 0;
    velocity_after(&q->c, q->a.p, u);
    sum_sizes(q, q->a.p, size);
    for (int i = 0; i < 3; i++) {
        const long double allowed = q->unit * size[i] + q->least_u + q->least_p;
        worst = fmaxl(worst, fabsl(u[i] - q->a.u[i]) / allowed);
    }
    return worst;
}

/* Relative to what is compared. */
static long double difference(const posed *q, long double a, long double b, long double least) {
    return fabsl(a - b) / (q->unit * fmaxl(fabsl(a), fabsl(b)) + least);
}

static long double newton_error(const posed *q) {
    return difference(q, q->a.u[2], -q->c.restitution * q->c.u[2], q->least_u);
}

/* mu, and the numbers 1 / max(1, mu) and mu / max(1, mu). */
typedef struct friction_parts {
    long double alpha, beta;
} friction_parts;

static friction_parts parts_of(const posed *q) {
    return (friction_parts){1 / fmaxl(1, q->c.friction), fminl(1, q->c.friction)};
}

static long double cone_error(const posed *q) {
    const friction_parts f = parts_of(q);
    const long double across = f.alpha * hypotl(q->a.p[0], q->a.p[1]), along = f.beta * q->a.p[2];
    if (q->a.p[2] < 0) return INFINITY;
    return fmaxl(across - along, 0) / (q->unit * along + q->least_p);
}

/* Friction that opposes a slip: of |p_t| = mu p_n and of the direction; of no slip the cone. */
static long double opposing_error(const posed *q, const long double p[3]) {
    const friction_parts f = parts_of(q);
    const long double slip = hypotl(q->a.u[0], q->a.u[1]);
    if (slip <= q->least_u) return 0;
    const long double size = hypotl(p[0], p[1]);
    const long double across = f.alpha * size, along = f.beta * p[2];
    long double worst = fabsl(across - along) / (q->unit * along + q->least_p);
    for (int i = 0; i < 2; i++) {
        const long double off = p[i] + size * (q->a.u[i] / slip);
        const long double allowed = size * fminl(1, q->unit + q->least_u / slip);
        worst = fmaxl(worst, fabsl(off) / (allowed + q->least_p));
    }
    return worst;
}

/*
 * Eq. (8) of Chatterjee and Ruina 1998; the mean of the slips has the rounding errors of the sums
 * that they are.
 */
static long double smith_error(const posed *q) {
    const reference_contact_long *const c = &q->c;
    const friction_parts f = parts_of(q);
    const long double r0 = hypotl(c->u[0], c->u[1]), r1 = hypotl(q->a.u[0], q->a.u[1]);
    const long double square = r0 * r0 + r1 * r1;
    if (square == 0) return opposing_error(q, q->a.p);
    long double size[3], worst = 0;
    sum_sizes(q, q->a.p, size);
    const long double doubt = 1 + (hypotl(size[0], size[1]) + q->least_u / q->unit) / (r0 + r1);
    for (int i = 0; i < 2; i++) {
        const long double mean = (r0 * c->u[i] + r1 * q->a.u[i]) / square;
        const long double off = fabsl(f.alpha * q->a.p[i] + f.beta * q->a.p[2] * mean);
        const long double allowed = q->unit * f.beta * q->a.p[2] * doubt;
        worst = fmaxl(worst, off / (allowed + q->least_p));
    }
    return worst;
}

static long double bilinear_error(const posed *q) {
    const reference_contact_long *const c = &q->c;
    const long double p_n = -(1 + c->restitution) * c->u[2] / c->k33;
    const friction_parts f = parts_of(q);
    const long double asked[2] = {-(1 + c->tangential_restitution) * c->u[0] / c->k11,
                                  -(1 + c->tangential_restitution) * c->u[1] / c->k22};
    const long double size = hypotl(asked[0], asked[1]);
    const bool clips = f.alpha * size > f.beta * p_n;
    long double worst = fmaxl(newton_error(q), difference(q, q->a.p[2], p_n, q->least_p));
    for (int i = 0; i < 2; i++) {
        const long double right = clips ? asked[i] / size * (f.beta * p_n / f.alpha) : asked[i];
        /* A p_n at the end of the range is rounded coarsely, and mu times that p_t. */
        const long double least = q->least_p * (clips ? 1 + f.beta / f.alpha : 1);
        worst = fmaxl(worst, difference(q, q->a.p[i], right, least));
    }
    return worst;
}

static long double brach_error(const posed *q) {
    long double worst = newton_error(q);
    for (int i = 0; i < 2; i++) {
        const long double right = q->c.impulse_ratio[i] * q->a.p[2];
        worst = fmaxl(worst, difference(q, q->a.p[i], right, q->least_p));
    }
    return worst;
}

/*
 * The second stage: no less than Poisson's normal impulse, and more only to u_n = 0; friction that
 * opposes the final slip. Of an infinite mu that slid, |p_t| is e times that of compression.
 */
static long double two_stage_error(const posed *q) {
    const long double e = q->c.restitution;
    long double second[3], both[3], size[3], first = hypotl(q->a.first[0], q->a.first[1]);
    for (int i = 0; i < 3; i++) {
        second[i] = q->a.p[i] - q->a.first[i];
        both[i] = fabsl(q->a.first[i]) + fabsl(second[i]);
    }
    sum_sizes(q, both, size);
    /* The error of a difference of two impulses is the rounding error of both. */
    const long double doubt = q->unit * (fabsl(q->a.p[2]) + fabsl(q->a.first[2])) + q->least_p;
    const long double more = second[2] - e * q->a.first[2];
    const long double owed = q->a.u[2] > 0 ? fabsl(more) : fmaxl(-more, 0);
    const friction_parts f = parts_of(q);
    const long double slip = hypotl(q->a.u[0], q->a.u[1]), across = hypotl(second[0], second[1]);
    const long double lost = q->unit * (first + hypotl(q->a.p[0], q->a.p[1])) + q->least_p;
    const long double allowed = f.alpha * lost + f.beta * doubt;
    long double worst = owed / doubt;
    if (isinf(q->c.friction)) return worst;
    worst = fmaxl(worst, (f.alpha * across - f.beta * second[2]) / allowed);
    /* The slip adds up the impulses of both stages, and has the rounding error of each. */
    const long double rubs = q->unit * hypotl(size[0], size[1]) + q->least_u;
    if (slip <= rubs) return worst;
    worst = fmaxl(worst, (f.beta * second[2] - f.alpha * across) / allowed);
    for (int i = 0; i < 2; i++)
        worst = fmaxl(worst, fabsl(second[i] + across * (q->a.u[i] / slip)) /
                                 (lost + across * (rubs / slip)));
    return worst;
}

static long double law_error(const posed *q, impinge_law law) {
    switch (law) {
    case IMPINGE_LAW_FRICTIONLESS:
        return fmaxl(newton_error(q), hypotl(q->a.p[0], q->a.p[1]) > 0 ? INFINITY : 0);
    case IMPINGE_LAW_WHITTAKER:
        return fmaxl(newton_error(q), opposing_error(q, q->a.p));
    case IMPINGE_LAW_SMITH:
        return fmaxl(newton_error(q), smith_error(q));
    case IMPINGE_LAW_TWO_STAGE:
        return two_stage_error(q);
    case IMPINGE_LAW_BILINEAR:
        return bilinear_error(q);
    case IMPINGE_LAW_CHATTERJEE_RUINA:
        return newton_error(q);
    case IMPINGE_LAW_BRACH:
        return brach_error(q);
    case IMPINGE_LAW_ROUTH:
    case IMPINGE_LAW_COMPOSITE:
        return 0; /* they have no equation of their own; the reference follows their path */
    }
    return INFINITY; /* a law whose equation is not here */
}

/* One term of K p may be all of u_n: its error at the end of the range of p counts in full. */
static long double energy_error(const posed *q) {
    long double u[3], terms = 0, root = 0, gained = 0, coarse = 0;
    const long double k[3] = {q->c.k11, q->c.k22, q->c.k33};
    velocity_after(&q->c, q->a.p, u);
    for (int i = 0; i < 3; i++) {
        gained += q->a.p[i] * (q->c.u[i] + u[i]) / 2;
        terms += fabsl(q->a.p[i] * q->c.u[i]);
        root += sqrtl(k[i]) * fabsl(q->a.p[i]);
        coarse += (q->least_p + q->least_u * fabsl(q->a.p[i])) * (fabsl(q->c.u[i]) + fabsl(u[i]));
    }
    return fmaxl(gained, 0) / (q->unit * (terms + root * root / 2) + coarse);
}

static bool has_cone(impinge_law law) {
    return law != IMPINGE_LAW_FRICTIONLESS && law != IMPINGE_LAW_BRACH;
}

bool adversarial_judge(const reference_contact_long *contact, impinge_law law, long double unit,
                       long double least, const adversarial_answer *answer,
                       adversarial_error *error) {
    *error = (adversarial_error){0, 0, 0, 0};
    if (answer->outcome & IMPINGE_OUTCOME_NO_IMPULSE) return false;
    const posed q = pose(contact, unit, least, answer);
    error->sum = sum_error(&q);
    error->law = law_error(&q, law);
    error->cone = has_cone(law) ? cone_error(&q) : 0;
    if (!(impinge_law_properties(law) & IMPINGE_LAW_MAY_LEAVE_REGION))
        error->energy = energy_error(&q);
    return true;
}
