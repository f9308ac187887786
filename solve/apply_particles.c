/*
 * Impulses and projections of contacts, added to their particles in the order of the contacts.
 *
 * Impulses that saw the same velocities are shared, so that their sum adds no energy. With each of
 * them times a factor f <= 1/n of both of its particles, n the number of a particle's impulses,
 * Jensen's inequality gives |sum f p|^2 <= sum f |p|^2 for a particle, linear and angular alike; so
 * the energy changes by no more than sum f (p.u_0 + 1/2 p.K p), and no term of this is positive.
 */
#include "solve.h"

/* Contacts that are searched at once for those that change something. */
#define APPLY_BLOCK 256

/* R / I of a particle, the factor by which a moment R n x p turns it. */
static inline real_t turn_of(const NAME(impinge_particles) * p, size_t i) {
    const real_t r = p->radius[i];
    if (!(r > 0)) return 0;
    return p->inverse_inertia ? r * p->inverse_inertia[i] : (real_t)2.5 * p->inverse_mass[i] / r;
}

/* The changes by one contact: p on A, n x p, and the projection along n. */
typedef struct sphere_push {
    real_t impulse[3], moment[3], moved[3];
    bool pushes, moves;
} sphere_push_t;

/* Reads everything before the first write: the compiler must assume that the arrays overlap. */
static inline sphere_push_t push_of(const NAME(impinge_particle_results) * r, size_t c,
                                    uint32_t sharing, bool spheres) {
    const real_t parts = (real_t)sharing;
    const real_t x = sharing > 1 ? r->impulse_x[c] / parts : r->impulse_x[c];
    const real_t y = sharing > 1 ? r->impulse_y[c] / parts : r->impulse_y[c];
    const real_t z = sharing > 1 ? r->impulse_z[c] / parts : r->impulse_z[c];
    sphere_push_t p = {.impulse = {x, y, z}, .pushes = x != 0 || y != 0 || z != 0};
    p.moves = r->projection && r->projection[c] != 0;
    if (!p.moves && !spheres) return p;
    const real_t n_x = r->normal_x[c];
    const real_t n_y = r->normal_y[c];
    const real_t n_z = r->normal_z[c];
    if (p.moves) {
        const real_t by = r->projection[c];
        p.moved[0] = by * n_x;
        p.moved[1] = by * n_y;
        p.moved[2] = by * n_z;
    }
    p.moment[0] = n_y * z - n_z * y;
    p.moment[1] = n_z * x - n_x * z;
    p.moment[2] = n_x * y - n_y * x;
    return p;
}

/* Element i of three arrays, and `by` times v added to it. */
typedef struct sum {
    real_t *x, *y, *z;
    real_t to[3];
} sum_t;

static inline sum_t sum_of(real_t *x, real_t *y, real_t *z, size_t i, real_t by,
                           const real_t v[3]) {
    return (sum_t){x + i, y + i, z + i, {x[i] + by * v[0], y[i] + by * v[1], z[i] + by * v[2]}};
}

static inline bool is_finite(const real_t a[3]) {
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

static inline void write_sum(const sum_t *s) {
    *s->x = s->to[0];
    *s->y = s->to[1];
    *s->z = s->to[2];
}

/*
 * Applies a push to particle i, which is the contact's A (sign 1) or its B (-1). Zeros are not
 * added, so the bits stay: -0 + 0 would be 0. r_A x p = -R_A n x p, and r_B x -p = -R_B n x p. If
 * one sum overflows, changes nothing and returns false. The spin of a particle that does not turn
 * is not read.
 */
static inline bool apply_to(const NAME(impinge_particles) * p, const sphere_push_t *push, size_t i,
                            real_t sign, bool spheres) {
    const real_t inverse_mass = p->inverse_mass[i];
    if (inverse_mass == 0) return true;
    const real_t turn = spheres ? -turn_of(p, i) : 0;
    const real_t share = sign * inverse_mass;
    sum_t moved, pushed, turned;
    bool fits = true;
    if (push->moves) {
        moved = sum_of(p->position_x, p->position_y, p->position_z, i, share, push->moved);
        fits = is_finite(moved.to);
    }
    if (push->pushes) {
        pushed = sum_of(p->velocity_x, p->velocity_y, p->velocity_z, i, share, push->impulse);
        fits = fits && is_finite(pushed.to);
    }
    if (push->pushes && spheres) {
        turned = sum_of(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z, i,
                        turn, push->moment);
        fits = fits && is_finite(push->moment) && (turn == 0 || is_finite(turned.to));
    }
    if (!fits) return false;
    if (push->moves) write_sum(&moved);
    if (push->pushes) write_sum(&pushed);
    if (push->pushes && spheres) write_sum(&turned);
    return true;
}

/* True if contact c changes anything. */
static inline bool changes(const NAME(impinge_particle_results) * r, size_t c) {
    return (r->impulse_x[c] != 0) | (r->impulse_y[c] != 0) | (r->impulse_z[c] != 0) |
           (r->projection && r->projection[c] != 0);
}

/*
 * Lists those of contacts first to first + count - 1 that change something, counted from `first`.
 * They are found beforehand and without a branch: no predictor can guess which do, and a wrong
 * guess costs as much as a contact.
 */
static size_t changing_of(const NAME(impinge_particle_results) * r, size_t first, size_t count,
                          uint32_t *changing) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        changing[found] = (uint32_t)k;
        found += changes(r, first + k);
    }
    return found;
}

/* The number of impulses that a particle gets. */
static inline uint32_t sharing_of(const NAME(impinge_particle_contacts) * c, size_t i) {
    return c->independent ? 1 : c->sharing[i];
}

/* Only the thread whose share has A writes the outcome. */
static void tell_shared(const NAME(impinge_particle_results) * r, size_t c, uint32_t sharing) {
    if (sharing > 1 && r->outcome && changes(r, c)) r->outcome[c] |= IMPINGE_OUTCOME_MASS_SPLIT;
}

bool NAME(impinge_push_pairs)(const NAME(impinge_particles) * particles, share_t share,
                              const NAME(impinge_particle_contacts) * contacts,
                              const NAME(impinge_particle_results) * results) {
    const size_t end = contacts->first + contacts->count;
    const bool spheres = particles->angular_velocity_x;
    uint32_t changing[APPLY_BLOCK];
    bool fits = true;
    for (size_t first = contacts->first; first < end; first += APPLY_BLOCK) {
        const size_t count = end - first < APPLY_BLOCK ? end - first : APPLY_BLOCK;
        const size_t found = changing_of(results, first, count, changing);
        for (size_t k = 0; k < found; k++) {
            const size_t c = first + changing[k];
            const size_t a = contacts->index_a[c];
            const size_t b = contacts->index_b[c];
            if (a == b || a >= particles->count || b >= particles->count) continue;
            const uint32_t of_a = sharing_of(contacts, a);
            const uint32_t of_b = sharing_of(contacts, b);
            const uint32_t sharing = of_a > of_b ? of_a : of_b;
            const sphere_push_t push = push_of(results, c, sharing, spheres);
            if (is_in(share, a)) tell_shared(results, c, sharing);
            if (is_in(share, a)) fits &= apply_to(particles, &push, a, 1, spheres);
            if (is_in(share, b)) fits &= apply_to(particles, &push, b, -1, spheres);
        }
    }
    return fits;
}

bool NAME(impinge_push_from_planes)(const NAME(impinge_particles) * particles, share_t share,
                                    const NAME(impinge_particle_contacts) * contacts,
                                    const NAME(impinge_particle_results) * results) {
    const size_t end = contacts->first + contacts->count;
    const bool spheres = particles->angular_velocity_x;
    bool fits = true;
    for (size_t c = contacts->first; c < end; c++) {
        const size_t a = contacts->index_a ? contacts->index_a[c] : c;
        if (!is_in(share, a) || !changes(results, c)) continue;
        const uint32_t sharing = sharing_of(contacts, a);
        const sphere_push_t push = push_of(results, c, sharing, spheres);
        tell_shared(results, c, sharing);
        fits &= apply_to(particles, &push, a, 1, spheres);
    }
    return fits;
}
