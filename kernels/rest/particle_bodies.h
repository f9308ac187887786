/*
 * Particles and planes as rows, and back; and the energy that they gained. One by one, in plain C.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_BODIES_H
#define IMPINGE_KERNELS_REST_PARTICLE_BODIES_H

#include "../lane/row8.h"
#include "../particles.h"
#include "particle_step.h"

#define BODY_INVALID(reason) (IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_##reason)

/* A quarter of the range, since sums have four terms. False for NaN, too. */
static inline bool is_length(real_t a) { return a <= LENGTH_MAX / 4 && a >= -LENGTH_MAX / 4; }
static inline bool are_lengths(const real_t a[3]) {
    return is_length(a[0]) && is_length(a[1]) && is_length(a[2]);
}
static inline bool is_finite(real_t a) { return a <= REAL_MAX && a >= -REAL_MAX; }
static inline bool are_finite(const real_t a[3]) {
    return is_finite(a[0]) && is_finite(a[1]) && is_finite(a[2]);
}

/* The word of a particle with these numbers: BODY_MOVES, or the reasons why it takes no part. */
static uint32_t body_of(const real_t x[4], const real_t v[4], const real_t s[4]) {
    uint32_t word = 0;
    if (!are_finite(x)) word |= BODY_INVALID(NORMAL);
    if (!(x[3] >= 0 && x[3] <= REAL_MAX)) word |= BODY_INVALID(ARM);
    if (!(v[3] >= 0 && v[3] <= REAL_MAX && s[3] >= 0)) word |= BODY_INVALID(MASS);
    if (!are_finite(v) || !are_finite(s)) word |= BODY_INVALID(VELOCITY);
    if (word) return word;
    const bool mass = v[3] == 0 || (v[3] >= 4 / MASS_MAX && v[3] <= MASS_MAX / 4);
    if (!are_lengths(x) || !are_lengths(v) || !are_lengths(s) || !is_length(x[3]) || !mass ||
        !(s[3] <= ARM_MAX * v[3]))
        return IMPINGE_OUTCOME_OUT_OF_RANGE;
    return v[3] > 0 ? BODY_MOVES : 0;
}

/* R^2 / I, as particles.h has it. */
static inline real_t turning_of(const NAME(impinge_particles) * p, size_t i) {
    const real_t radius = p->radius[i];
    const real_t inverse_mass = p->inverse_mass[i];
    if (!(radius > 0) || !(inverse_mass > 0)) return 0;
    return p->inverse_inertia ? radius * (radius * p->inverse_inertia[i])
                              : REAL(2.5) * inverse_mass;
}

/* R / I, the factor by which a moment R n x p turns it, as in the calls that apply impulses. */
static inline real_t turn_by(const NAME(impinge_particles) * p, size_t i) {
    const real_t radius = p->radius[i];
    if (!(radius > 0)) return 0;
    return p->inverse_inertia ? radius * p->inverse_inertia[i]
                              : REAL(2.5) * p->inverse_mass[i] / radius;
}

/* True if the kick of a particle's velocity has a size that fits. */
static bool is_kick(const NAME(impinge_kick) * kick, size_t i) {
    if (!kick->each_x) return true;
    const real_t by[3] = {kick->each_x[i], kick->each_y[i], kick->each_z[i]};
    return are_lengths(by);
}

static void pack_particle(const NAME(impinge_particle_work) * w, size_t i) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const real_t radius = p->radius[i];
    const real_t turns = radius > 0 ? radius : 0;
    const real_t x[4] = {p->position_x[i], p->position_y[i], p->position_z[i], radius};
    const real_t v[4] = {p->velocity_x[i], p->velocity_y[i], p->velocity_z[i], p->inverse_mass[i]};
    real_t s[4] = {0, 0, 0, 0};
    if (w->spheres) {
        s[0] = turns > 0 ? turns * p->angular_velocity_x[i] : 0;
        s[1] = turns > 0 ? turns * p->angular_velocity_y[i] : 0;
        s[2] = turns > 0 ? turns * p->angular_velocity_z[i] : 0;
        s[3] = turning_of(p, i);
    }
    const uint32_t word = is_kick(&w->step->kick, i) ? body_of(x, v, s) : BODY_INVALID(VELOCITY);
    const bool takes_part = word <= BODY_MOVES;
    w->body[i] = word;
    for (size_t k = 0; k < 4; k++) {
        w->rows[i * ROW + k] = takes_part ? v[k] : 0;
        w->rows[i * ROW + ROW_SURFACE + k] = takes_part ? s[k] : 0;
        w->place[i * PLACE_ROW + k] = takes_part ? x[k] : 0;
    }
}

static void pack_plane(const NAME(impinge_particle_work) * w, size_t plane) {
    const NAME(impinge_planes) *const p = w->step->planes;
    const size_t i = w->particles + plane;
    const real_t n[3] = {p->normal_x[plane], p->normal_y[plane], p->normal_z[plane]};
    real_t v[3] = {0, 0, 0};
    if (p->velocity_x) {
        v[0] = p->velocity_x[plane];
        v[1] = p->velocity_y[plane];
        v[2] = p->velocity_z[plane];
    }
    uint32_t word = 0;
    /* A square off 1 by twice as much as a length; a NaN is not below it. */
    if (!are_finite(n) || !is_finite(p->offset[plane])) word |= BODY_INVALID(NORMAL);
    if (!are_finite(v)) word |= BODY_INVALID(VELOCITY);
    if (!word && (!are_lengths(v) || !is_length(p->offset[plane])))
        word = IMPINGE_OUTCOME_OUT_OF_RANGE;
    w->body[i] = word;
    memset(w->rows + i * ROW, 0, ROW * sizeof *w->rows);
    memset(w->place + i * PLACE_ROW, 0, PLACE_ROW * sizeof *w->place);
    for (size_t k = 0; k < 3 && !word; k++)
        w->rows[i * ROW + k] = v[k];
}

/* Bodies first to end - 1. */
static void pack_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end) {
    for (size_t i = first; i < end && i < w->particles; i++)
        pack_particle(w, i);
    for (size_t i = first < w->particles ? w->particles : first; i < end; i++)
        pack_plane(w, i - w->particles);
}

/* Adds the kick, and stores the state at the beginning of the rest. */
static void begin_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                         bool kicks) {
    const NAME(impinge_kick) *const kick = &w->step->kick;
    for (size_t i = first; i < end; i++) {
        real_t *const row = w->rows + i * ROW;
        if (kicks && w->body[i] == BODY_MOVES) {
            row[0] += kick->x + (kick->each_x ? kick->each_x[i] : 0);
            row[1] += kick->y + (kick->each_y ? kick->each_y[i] : 0);
            row[2] += kick->z + (kick->each_z ? kick->each_z[i] : 0);
        }
        memcpy(w->before + i * ROW, row, ROW * sizeof *row);
    }
}

/*
 * The changes of bodies by the rest: their shares of A = sum p.u_0 and of B = 1/2 sum p.W p, which
 * are m v_0.dv + ... and 1/2 m dv^2 + ...; and their energies before.
 */
static void weigh_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        double *const to = w->energy + 3 * i;
        const real_t *const before = w->before + i * ROW;
        const real_t *const after = w->rows + i * ROW;
        to[0] = to[1] = to[2] = 0;
        if (w->body[i] != BODY_MOVES) continue;
        for (size_t part = 0; part < ROW; part += ROW_SURFACE) {
            if (!(before[part + 3] > 0)) continue;
            double linear = 0;
            double square = 0;
            double was = 0;
            for (size_t k = part; k < part + 3; k++) {
                const double change = (double)after[k] - (double)before[k];
                linear += (double)before[k] * change;
                square += change * change;
                was += (double)before[k] * (double)before[k];
            }
            const double mass = 1 / (double)before[part + 3];
            to[0] += mass * linear;
            to[1] += mass * square / 2;
            to[2] += mass * was / 2;
        }
    }
}

/* Scales back the changes by the rest, for bodies of islands that gained energy. */
static void scale_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const double alpha = w->gained[3 * (size_t)w->island[i]];
        if (w->body[i] != BODY_MOVES || !(alpha < 1)) continue;
        for (size_t k = 0; k < ROW; k++) {
            const double before = (double)w->before[i * ROW + k];
            const double change = (double)w->rows[i * ROW + k] - before;
            w->rows[i * ROW + k] = (real_t)(before + alpha * change);
        }
    }
}

/* Displacements of 0, in the rows of places. */
static void begin_places(const NAME(impinge_particle_work) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        real_t *const to = w->place + i * PLACE_ROW;
        to[0] = to[1] = to[2] = 0;
        to[3] = w->rows[i * ROW + 3];
    }
}

/* Numbers that did not change keep their bits. */
static void unpack_particle(const NAME(impinge_particle_work) * w, size_t i, bool moved) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const real_t *const row = w->rows + i * ROW;
    if (w->body[i] != BODY_MOVES) return;
    p->velocity_x[i] = row[0];
    p->velocity_y[i] = row[1];
    p->velocity_z[i] = row[2];
    const real_t radius = p->radius[i];
    if (w->spheres && radius > 0) {
        real_t *const omega[3] = {p->angular_velocity_x, p->angular_velocity_y,
                                  p->angular_velocity_z};
        for (size_t k = 0; k < 3; k++) {
            const real_t was = omega[k][i];
            const real_t change = row[ROW_SURFACE + k] - radius * was;
            omega[k][i] = change != 0 ? was + change / radius : was;
        }
    }
    if (!moved) return;
    const real_t *const by = w->place + i * PLACE_ROW;
    real_t *const x[3] = {p->position_x, p->position_y, p->position_z};
    for (size_t k = 0; k < 3; k++)
        x[k][i] = by[k] != 0 ? x[k][i] + by[k] : x[k][i];
}

static void unpack_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                          bool moved) {
    for (size_t i = first; i < end && i < w->particles; i++)
        unpack_particle(w, i, moved);
}

#endif
