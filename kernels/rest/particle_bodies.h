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
INLINE real_t turning_of(layout_t layout, const NAME(impinge_particles) * p, size_t i) {
    const real_t radius = number_at(COLUMN_OF(layout, p, radius), i);
    const real_t inverse_mass = number_at(COLUMN_OF(layout, p, inverse_mass), i);
    if (!(radius > 0) || !(inverse_mass > 0)) return 0;
    return p->inverse_inertia
               ? radius * (radius * number_at(COLUMN_OF(layout, p, inverse_inertia), i))
               : REAL(2.5) * inverse_mass;
}

/* True if the kick of a particle's velocity has a size that fits. */
static bool is_kick(const NAME(impinge_kick) * kick, size_t i) {
    if (!kick->each_x) return true;
    real_t by[3];
    numbers_at(VECTOR_OF(AS_GIVEN, kick, each), i, by);
    return are_lengths(by);
}

INLINE void pack_particle(const NAME(impinge_particle_work) * w, layout_t layout, size_t i) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const real_t radius = number_at(COLUMN_OF(layout, p, radius), i);
    const real_t turns = radius > 0 ? radius : 0;
    real_t x[4], v[4];
    real_t s[4] = {0, 0, 0, 0};
    numbers_at(VECTOR_OF(layout, p, position), i, x);
    numbers_at(VECTOR_OF(layout, p, velocity), i, v);
    x[3] = radius;
    v[3] = number_at(COLUMN_OF(layout, p, inverse_mass), i);
    if (w->spheres) {
        numbers_at(VECTOR_OF(layout, p, angular_velocity), i, s);
        for (size_t k = 0; k < 3; k++)
            s[k] = turns > 0 ? turns * s[k] : 0;
        s[3] = turning_of(layout, p, i);
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
    const real_t offset = number_at(COLUMN_OF(AS_GIVEN, p, offset), plane);
    real_t n[3];
    real_t v[3] = {0, 0, 0};
    numbers_at(VECTOR_OF(AS_GIVEN, p, normal), plane, n);
    if (p->velocity_x) numbers_at(VECTOR_OF(AS_GIVEN, p, velocity), plane, v);
    uint32_t word = 0;
    /* A square off 1 by twice as much as a length; a NaN is not below it. */
    if (!are_finite(n) || !is_finite(offset)) word |= BODY_INVALID(NORMAL);
    if (!are_finite(v)) word |= BODY_INVALID(VELOCITY);
    if (!word && (!are_lengths(v) || !is_length(offset))) word = IMPINGE_OUTCOME_OUT_OF_RANGE;
    w->body[i] = word;
    memset(w->rows + i * ROW, 0, ROW * sizeof *w->rows);
    memset(w->place + i * PLACE_ROW, 0, PLACE_ROW * sizeof *w->place);
    for (size_t k = 0; k < 3 && !word; k++)
        w->rows[i * ROW + k] = v[k];
}

/* Bodies first to end - 1. */
static void pack_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end) {
    const bool strided = are_particles_strided(w->step->particles);
    for (size_t i = first; i < end && i < w->particles; i++) {
        if (strided)
            pack_particle(w, AS_GIVEN, i);
        else
            pack_particle(w, CONTIGUOUS, i);
    }
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
            real_t each[3] = {0, 0, 0};
            if (kick->each_x) numbers_at(VECTOR_OF(AS_GIVEN, kick, each), i, each);
            row[0] += kick->x + each[0];
            row[1] += kick->y + each[1];
            row[2] += kick->z + each[2];
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
INLINE void unpack_particle(const NAME(impinge_particle_work) * w, layout_t layout, size_t i,
                            bool moved) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const real_t *const row = w->rows + i * ROW;
    if (w->body[i] != BODY_MOVES) return;
    write_numbers(VECTOR_OF(layout, p, velocity), i, row);
    const real_t radius = number_at(COLUMN_OF(layout, p, radius), i);
    if (w->spheres && radius > 0) {
        real_t omega[3];
        numbers_at(VECTOR_OF(layout, p, angular_velocity), i, omega);
        for (size_t k = 0; k < 3; k++) {
            const real_t change = row[ROW_SURFACE + k] - radius * omega[k];
            omega[k] = change != 0 ? omega[k] + change / radius : omega[k];
        }
        write_numbers(VECTOR_OF(layout, p, angular_velocity), i, omega);
    }
    if (!moved) return;
    const real_t *const by = w->place + i * PLACE_ROW;
    real_t x[3];
    numbers_at(VECTOR_OF(layout, p, position), i, x);
    for (size_t k = 0; k < 3; k++)
        x[k] = by[k] != 0 ? x[k] + by[k] : x[k];
    write_numbers(VECTOR_OF(layout, p, position), i, x);
}

static void unpack_bodies(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                          bool moved) {
    const bool strided = are_particles_strided(w->step->particles);
    for (size_t i = first; i < end && i < w->particles; i++) {
        if (strided)
            unpack_particle(w, AS_GIVEN, i, moved);
        else
            unpack_particle(w, CONTIGUOUS, i, moved);
    }
}

#endif
