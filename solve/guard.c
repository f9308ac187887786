/* The energy guard of resting contacts, and the kinetic energy of bodies in rows. */
#include <math.h>

#include "body_stage.h"

/* ---- Energy ---- */

static double dot_of(const double u[3], const double w[3]) {
    return u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
}

/* u . M w of a symmetric M by xx, xy, xz, yy, yz, zz. */
static double form_of(const double m[6], const double u[3], const double w[3]) {
    return u[0] * (m[0] * w[0] + m[1] * w[1] + m[2] * w[2]) +
           u[1] * (m[1] * w[0] + m[3] * w[1] + m[4] * w[2]) +
           u[2] * (m[2] * w[0] + m[4] * w[1] + m[5] * w[2]);
}

/*
 * For a body that no moment turns about some axis, only the rotation about the others counts: u .
 * A+ w / 2 with the pseudo-inverse of the inverse inertia A. Of rank two, with trace t, the sum m
 * of principal minors and the adjugate m n n^T, where n is the axis, Cayley and Hamilton give A^2 -
 * t A + m P = 0 with P = 1 - n n^T, so A+ = (t P - A) / m; of rank one it is A / t^2.
 */
static double energy_of_turnable_axes(const double a[6], const double adjugate[6],
                                      const double u[3], const double w[3]) {
    if (a[1] == 0 && a[2] == 0 && a[4] == 0) {
        const double diagonal[3] = {a[0], a[3], a[5]};
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += diagonal[k] > 0 ? u[k] * w[k] / diagonal[k] : 0;
        return sum / 2;
    }
    const double trace = a[0] + a[3] + a[5];
    const double minors = adjugate[0] + adjugate[3] + adjugate[5];
    const double along = form_of(a, u, w);
    if (!(minors > 0)) return trace > 0 ? along / trace / trace / 2 : 0;
    const double across = dot_of(u, w) - form_of(adjugate, u, w) / minors;
    return (trace * across - along) / minors / 2;
}

/* A power of two by which the product of any three of these, times it, is in range. */
static double scale_for_products(double xx, double yy, double zz) {
    const double sum = xx + yy + zz;
    if (sum == 0 || (sum > 1e-80 && sum < 1e80)) return 1;
    return ldexp(1, -ilogb(fmax(fmax(xx, yy), zz)));
}

/* u . I w / 2 from the inverse inertia: by its adjugate where that is regular. */
static double turning_energy(const real_t *mass, const double u[3], const double w[3]) {
    const double s = scale_for_products((double)mass[1], (double)mass[4], (double)mass[6]);
    const double xx = s * (double)mass[1], xy = s * (double)mass[2], xz = s * (double)mass[3];
    const double yy = s * (double)mass[4], yz = s * (double)mass[5], zz = s * (double)mass[6];
    const double a[6] = {xx, xy, xz, yy, yz, zz};
    const double adjugate[6] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                                xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
    const double determinant = xx * adjugate[0] + xy * adjugate[1] + xz * adjugate[2];
    if (!(determinant > 0)) return s * energy_of_turnable_axes(a, adjugate, u, w);
    return s * (form_of(adjugate, u, w) / determinant / 2);
}

/* v_1 . v_2 m / 2 of two velocities of a body. */
static double moving_energy(const real_t *mass, const double u[3], const double v[3]) {
    return mass[0] > 0 ? dot_of(u, v) / (double)mass[0] / 2 : 0;
}

double NAME(impinge_rows_energy)(const NAME(body_stage) * s, const real_t *rows) {
    double energy = 0;
    for (size_t i = 0; i < s->rest.bodies->count; i++) {
        if (s->rest.body_word[i] != BODY_MOVABLE) continue;
        const real_t *const row = rows + i * BODY_ROW;
        const real_t *const mass = s->rest.mass + i * BODY_ROW;
        const double v[3] = {(double)row[0], (double)row[1], (double)row[2]};
        const double w[3] = {(double)row[4], (double)row[5], (double)row[6]};
        energy += moving_energy(mass, v, v);
        energy += turning_energy(mass, w, w);
    }
    return energy;
}

/* ---- The guard ---- */

/*
 * The factor by which an island's impulses are scaled. Scaled by a, its energy is E0 + a A + a^2 B:
 * `work_0` is A, `work` A + B. If A >= 0 the impulses gain energy at any scale.
 */
static double scale_of(double work_0, double work) {
    if (work <= 0) return 1;
    if (!isfinite(work) || !isfinite(work_0) || work_0 >= 0) return 0;
    return fmin(-work_0 / (work - work_0), 1);
}

void NAME(impinge_body_works)(const NAME(body_stage) * s, size_t body, double works[BODY_WORKS]) {
    const real_t *const mass = s->rest.mass + body * BODY_ROW;
    const real_t *const start = s->rest.start + body * BODY_ROW;
    const real_t *const row = s->rest.rows + body * BODY_ROW;
    double begun[BODY_ROW], twice[BODY_ROW], sum[BODY_ROW], change[BODY_ROW];
    double not_finite = 0;
    for (int k = 0; k < BODY_ROW; k++) {
        begun[k] = (double)start[k];
        change[k] = (double)row[k] - begun[k];
        twice[k] = 2 * begun[k];
        sum[k] = twice[k] + change[k];
        not_finite += 0 * change[k];
    }
    works[0] = moving_energy(mass, twice, change) + turning_energy(mass, twice + 4, change + 4);
    works[1] = moving_energy(mass, sum, change) + turning_energy(mass, sum + 4, change + 4);
    works[1] += not_finite; /* of an axis that no moment turns, too */
    works[2] = moving_energy(mass, begun, begun) + turning_energy(mass, begun + 4, begun + 4);
}

/* Adds the works of all bodies of an island that are marked, each once. Returns their number. */
static size_t add_works_of_bodies(NAME(body_stage) * s, size_t island, double works[BODY_WORKS]) {
    size_t count = 0;
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        const uint32_t body[2] = {s->pair_a[pair], s->pair_b[pair]};
        for (int side = 0; side < 2; side++) {
            if (body[side] >= s->rest.bodies->count || s->island_of[body[side]] != island) continue;
            s->island_of[body[side]] = UINT32_MAX;
            count++;
            for (size_t k = 0; k < BODY_WORKS; k++)
                works[k] += s->body_works[BODY_WORKS * (size_t)body[side] + k];
        }
    }
    return count;
}

/* Adds the works of an island's contacts, in the order of its pairs. Returns their number. */
static size_t add_works_of_contacts(const NAME(body_stage) * s, size_t island,
                                    double works[BODY_WORKS]) {
    size_t count = 0;
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        for (uint32_t k = s->pair_first[pair]; k < s->pair_first[pair + 1]; k++, count++) {
            works[0] += (double)s->rest.work_0[s->order[k]];
            works[1] += (double)s->rest.work[s->order[k]];
        }
    }
    return count;
}

/*
 * The energy that bodies seem to gain by rounding, of what they had, for each of their contacts:
 * what bodies have in common, a velocity far above those of the contacts, is in their energies. No
 * contact is granted as much: it would be the gain of each step of a stack on a moving floor.
 */
#define ENERGY_ROUNDING (8 * (double)REAL_UNIT)

/* What an island has gained. */
typedef struct island_works {
    double work_0, work;   /* A, and A + B */
    bool gained_by_bodies; /* by more than rounding */
} island_works;

static island_works works_of(NAME(body_stage) * s, size_t island) {
    double works[BODY_WORKS] = {0, 0, 0};
    const double contacts = (double)add_works_of_contacts(s, island, works);
    const double bodies = s->swamped ? (double)add_works_of_bodies(s, island, works) : 0;
    const double each = bodies > 0 ? fmax(contacts / bodies, 1) : 0;
    return (island_works){.work_0 = works[0],
                          .work = works[1],
                          .gained_by_bodies =
                              bodies > 0 && !(works[1] <= ENERGY_ROUNDING * each * works[2])};
}

/* Instead of a scale: the rows of the island's bodies are to be computed anew. */
#define SCALE_ANEW 2.0
/* The impulses do not fit the range. */
#define SCALE_BEYOND (-1.0)

static double island_scale(const NAME(body_stage) * s, const island_works *w) {
    if (!isfinite(w->work)) return SCALE_BEYOND;
    return s->ways.ignore_energy ? 1 : scale_of(w->work_0, w->work);
}

static void mark_body(NAME(body_stage) * s, uint32_t body, size_t island) {
    if (body < s->rest.bodies->count && s->rest.body_word[body] == BODY_MOVABLE)
        s->island_of[body] = (uint32_t)island;
}

void NAME(impinge_mark_bodies)(NAME(body_stage) * s, size_t island) {
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        mark_body(s, s->pair_a[pair], island);
        mark_body(s, s->pair_b[pair], island);
    }
}

/* Marks the contacts and the bodies of an island whose impulses are scaled. */
static void mark_island(NAME(body_stage) * s, size_t island) {
    const double scale = s->island_scale[island];
    NAME(impinge_mark_bodies)(s, island);
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        for (uint32_t k = s->pair_first[pair]; k < s->pair_first[pair + 1]; k++) {
            const uint32_t contact = s->order[k];
            s->rest.scale[contact] = (real_t)(scale < 0 ? 0 : scale);
            if (scale < 0 && s->rest.word[contact] == 0)
                s->rest.word[contact] = IMPINGE_OUTCOME_OUT_OF_RANGE;
        }
    }
}

static void scale_bodies(NAME(body_stage) * s) {
    for (size_t i = 0; i < s->rest.bodies->count; i++) {
        if (s->island_of[i] == UINT32_MAX) continue;
        const double scale = s->island_scale[s->island_of[i]];
        real_t *const row = s->rest.rows + i * BODY_ROW;
        const real_t *const start = s->rest.start + i * BODY_ROW;
        for (int k = 0; k < BODY_ROW; k++)
            row[k] = scale > 0 ? start[k] + (real_t)scale * (row[k] - start[k]) : start[k];
    }
}

void NAME(impinge_weigh)(NAME(body_stage) * s) {
    for (size_t i = 0; i < s->islands.count; i++) {
        const island_works w = works_of(s, i);
        s->island_scale[i] = island_scale(s, &w);
    }
}

/*
 * Contacts that have vanished gain nothing, though the rows of their bodies have, by the rounding
 * of sweeps. Elsewhere the scale of contacts stays.
 */
bool NAME(impinge_weigh_late)(NAME(body_stage) * s) {
    bool anew = false;
    for (size_t i = 0; i < s->islands.count; i++) {
        const island_works w = works_of(s, i);
        if (!w.gained_by_bodies) continue;
        s->island_scale[i] = isfinite(w.work) ? SCALE_ANEW : SCALE_BEYOND;
        if (!isfinite(w.work)) continue;
        NAME(impinge_mark_bodies)(s, i);
        anew = true;
    }
    return anew;
}

void NAME(impinge_weigh_anew)(NAME(body_stage) * s) {
    for (size_t i = 0; i < s->islands.count; i++) {
        if (s->island_scale[i] != SCALE_ANEW) continue;
        const island_works w = works_of(s, i);
        s->island_scale[i] = island_scale(s, &w);
    }
}

void NAME(impinge_guard)(NAME(body_stage) * s) {
    bool guarded = false;
    for (size_t i = 0; i < s->islands.count; i++) {
        if (s->island_scale[i] == 1) continue;
        guarded = true;
        if (s->island_scale[i] >= 0) s->report.guarded++;
    }
    s->rest.guarded = guarded;
    if (!guarded) return;
    for (size_t i = 0; i < s->rest.bodies->count; i++)
        s->island_of[i] = UINT32_MAX;
    for (size_t i = 0; i < s->rest.contacts->count; i++)
        s->rest.scale[i] = 1;
    for (size_t i = 0; i < s->islands.count; i++)
        if (s->island_scale[i] != 1) mark_island(s, i);
    scale_bodies(s);
}
