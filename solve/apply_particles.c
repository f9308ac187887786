/*
 * Impulses and projections of contacts, added to their particles in the order of the contacts.
 *
 * Impulses computed from the same velocities are divided, so that their sum adds no energy. Each is
 * multiplied by a factor f that is at most 1/n for both of its particles, where n is the number of
 * a particle's impulses. Jensen's inequality gives |sum f p|^2 <= sum f |p|^2 for a particle,
 * linear and angular alike; so the energy changes by no more than sum f (p.u_0 + 1/2 p.K p), and no
 * term of this is positive.
 */
#include "../kernels/columns.h"
#include "solve.h"

/* Contacts that are searched at once for those that change something. */
#define APPLY_BLOCK 256

/* The changes by one contact: p on A, n x p, and the projection along n. */
typedef struct sphere_push {
    real_t impulse[3], moment[3], moved[3];
    bool pushes, moves;
} sphere_push_t;

/* Reads everything before the first write: the compiler must assume that the arrays overlap. */
INLINE sphere_push_t push_of(layout_t layout, const NAME(impinge_particle_results) * r, size_t c,
                             uint32_t sharing, bool spheres) {
    real_t p[3], n[3];
    numbers_at(VECTOR_OF(layout, r, impulse), c, p);
    for (size_t k = 0; k < 3 && sharing > 1; k++)
        p[k] /= (real_t)sharing;
    const real_t by = r->projection ? number_at(COLUMN_OF(layout, r, projection), c) : 0;
    sphere_push_t push = {.impulse = {p[0], p[1], p[2]},
                          .pushes = p[0] != 0 || p[1] != 0 || p[2] != 0,
                          .moves = by != 0};
    if (!push.moves && !spheres) return push;
    numbers_at(VECTOR_OF(layout, r, normal), c, n);
    for (size_t k = 0; k < 3; k++) {
        const size_t l = (k + 1) % 3;
        const size_t m = (k + 2) % 3;
        push.moved[k] = by * n[k];
        push.moment[k] = n[l] * p[m] - n[m] * p[l];
    }
    return push;
}

/* Element i of three arrays, and `by` times v added to it. */
typedef struct sum {
    real_t *x, *y, *z;
    real_t to[3];
} sum_t;

INLINE sum_t sum_of(size_t stride, real_t *x, real_t *y, real_t *z, size_t i, real_t by,
                    const real_t v[3]) {
    const size_t at = i * stride;
    sum_t sum = {x + at, y + at, z + at, {x[at], y[at], z[at]}};
    add_times(sum.to, by, v);
    return sum;
}

/* Infinities and NaN less themselves are NaN: one comparison instead of three branches. */
static inline bool is_finite(const real_t a[3]) {
    return (a[0] - a[0]) + (a[1] - a[1]) + (a[2] - a[2]) == 0;
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
INLINE bool apply_to(layout_t layout, const NAME(impinge_particles) * p, const sphere_push_t *push,
                     size_t i, real_t sign, bool spheres) {
    const real_t inverse_mass = number_at(COLUMN_OF(layout, p, inverse_mass), i);
    if (inverse_mass == 0) return true;
    const real_t turn = spheres ? -turn_of_particle(layout, p, i) : 0;
    const real_t share = sign * inverse_mass;
    sum_t moved, pushed, turned;
    bool fits = true;
    if (push->moves) {
        moved = sum_of(VECTOR_OF(layout, p, position), i, share, push->moved);
        fits = is_finite(moved.to);
    }
    if (push->pushes) {
        pushed = sum_of(VECTOR_OF(layout, p, velocity), i, share, push->impulse);
        fits = fits && is_finite(pushed.to);
    }
    if (push->pushes && spheres) {
        turned = sum_of(VECTOR_OF(layout, p, angular_velocity), i, turn, push->moment);
        fits = fits && is_finite(push->moment) && (turn == 0 || is_finite(turned.to));
    }
    if (!fits) return false;
    if (push->moves) write_sum(&moved);
    if (push->pushes) write_sum(&pushed);
    if (push->pushes && spheres) write_sum(&turned);
    return true;
}

INLINE bool has_impulse(layout_t layout, const NAME(impinge_particle_results) * r, size_t c) {
    real_t p[3];
    numbers_at(VECTOR_OF(layout, r, impulse), c, p);
    return (p[0] != 0) | (p[1] != 0) | (p[2] != 0);
}

/* True if contact c changes anything. */
INLINE bool changes(layout_t layout, const NAME(impinge_particle_results) * r, size_t c) {
    const int pushed = has_impulse(layout, r, c);
    const int moved = r->projection && number_at(COLUMN_OF(layout, r, projection), c) != 0;
    return (pushed | moved) != 0;
}

/*
 * Lists those of contacts first to first + count - 1 that change something, counted from `first`.
 * They are found beforehand and without a branch: it could not be predicted, and a misprediction
 * costs as much as a contact.
 */
INLINE size_t changing_of(layout_t layout, const NAME(impinge_particle_results) * r, size_t first,
                          size_t count, uint32_t *changing) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        changing[found] = (uint32_t)k;
        found += changes(layout, r, first + k);
    }
    return found;
}

/* The number of impulses that a particle gets. */
static inline uint32_t sharing_of(const NAME(impinge_particle_contacts) * c, size_t i) {
    return c->independent ? 1 : c->sharing[i];
}

/* A particle that moves, but of which no impulses were counted: a sum of them may add energy. */
INLINE bool is_uncounted(layout_t layout, const NAME(impinge_particles) * p, size_t i,
                         uint32_t sharing) {
    return sharing == 0 && number_at(COLUMN_OF(layout, p, inverse_mass), i) != 0;
}

/* An impulse that was not counted is not added; false if there is one. */
static inline bool drop_uncounted(sphere_push_t *push, bool uncounted) {
    if (!uncounted || !push->pushes) return true;
    push->pushes = false;
    return false;
}

/* Only the call that may change A writes the outcome. */
INLINE void tell_shared(layout_t layout, const NAME(impinge_particle_results) * r, size_t c,
                        uint32_t sharing) {
    if (sharing > 1 && r->outcome && changes(layout, r, c))
        r->outcome[c * stride_of(layout, r->outcome_stride)] |= IMPINGE_OUTCOME_MASS_SPLIT;
}

INLINE bool push_pairs(layout_t layout, const NAME(impinge_particles) * particles,
                       selected_t changed, const NAME(impinge_particle_contacts) * contacts,
                       selected_t selected, const NAME(impinge_particle_results) * results) {
    const size_t end = selected.first + selected.count;
    const bool spheres = particles->angular_velocity_x;
    uint32_t changing[APPLY_BLOCK];
    bool fits = true;
    for (size_t first = selected.first; first < end; first += APPLY_BLOCK) {
        const size_t count = end - first < APPLY_BLOCK ? end - first : APPLY_BLOCK;
        const size_t found = changing_of(layout, results, first, count, changing);
        for (size_t k = 0; k < found; k++) {
            const size_t c = first + changing[k];
            const size_t a = index_a_of(layout, contacts, c);
            const size_t b = index_b_of(layout, contacts, c);
            if (a == b || a >= particles->count || b >= particles->count) continue;
            const uint32_t of_a = sharing_of(contacts, a);
            const uint32_t of_b = sharing_of(contacts, b);
            const uint32_t sharing = of_a > of_b ? of_a : of_b;
            sphere_push_t push = push_of(layout, results, c, sharing, spheres);
            fits &= drop_uncounted(&push, is_uncounted(layout, particles, a, of_a) ||
                                              is_uncounted(layout, particles, b, of_b));
            if (is_selected(changed, a)) tell_shared(layout, results, c, sharing);
            if (is_selected(changed, a)) fits &= apply_to(layout, particles, &push, a, 1, spheres);
            if (is_selected(changed, b)) fits &= apply_to(layout, particles, &push, b, -1, spheres);
        }
    }
    return fits;
}

INLINE bool push_from_planes(layout_t layout, const NAME(impinge_particles) * particles,
                             selected_t changed, const NAME(impinge_particle_contacts) * contacts,
                             selected_t selected, const NAME(impinge_particle_results) * results) {
    const size_t end = selected.first + selected.count;
    const bool spheres = particles->angular_velocity_x;
    bool fits = true;
    for (size_t c = selected.first; c < end; c++) {
        const size_t a = contacts->index_a ? index_a_of(layout, contacts, c) : c;
        if (!is_selected(changed, a) || !changes(layout, results, c)) continue;
        const uint32_t sharing = sharing_of(contacts, a);
        sphere_push_t push = push_of(layout, results, c, sharing, spheres);
        fits &= drop_uncounted(&push, is_uncounted(layout, particles, a, sharing));
        tell_shared(layout, results, c, sharing);
        fits &= apply_to(layout, particles, &push, a, 1, spheres);
    }
    return fits;
}

static bool are_strided(const NAME(impinge_particles) * particles,
                        const NAME(impinge_particle_contacts) * contacts,
                        const NAME(impinge_particle_results) * results) {
    return are_particles_strided(particles) || is_strided(contacts->index_stride) ||
           are_particle_results_strided(results);
}

bool NAME(impinge_push_pairs)(const NAME(impinge_particles) * particles, selected_t changed,
                              const NAME(impinge_particle_contacts) * contacts, selected_t selected,
                              const NAME(impinge_particle_results) * results) {
    return are_strided(particles, contacts, results)
               ? push_pairs(AS_GIVEN, particles, changed, contacts, selected, results)
               : push_pairs(CONTIGUOUS, particles, changed, contacts, selected, results);
}

bool NAME(impinge_push_from_planes)(const NAME(impinge_particles) * particles, selected_t changed,
                                    const NAME(impinge_particle_contacts) * contacts,
                                    selected_t selected,
                                    const NAME(impinge_particle_results) * results) {
    return are_strided(particles, contacts, results)
               ? push_from_planes(AS_GIVEN, particles, changed, contacts, selected, results)
               : push_from_planes(CONTIGUOUS, particles, changed, contacts, selected, results);
}

/* Immovable particles are not counted: they can gain no energy, so they need no share. */
static void count_push(const NAME(impinge_particles) * p, size_t i, uint32_t *counts) {
    if (number_at(COLUMN_OF(AS_GIVEN, p, inverse_mass), i) > 0) counts[i]++;
}

void NAME(impinge_count_pushes)(const NAME(impinge_particles) * particles,
                                const NAME(impinge_particle_contacts) * contacts,
                                selected_t selected, bool planes,
                                const NAME(impinge_particle_results) * results, uint32_t *counts) {
    const NAME(impinge_particle_contacts) *const c = contacts;
    for (size_t i = selected.first; i < selected.first + selected.count; i++) {
        const size_t a = c->index_a ? index_a_of(AS_GIVEN, c, i) : i;
        const size_t b = planes ? 0 : index_b_of(AS_GIVEN, c, i);
        if (!has_impulse(AS_GIVEN, results, i) || a >= particles->count) continue;
        if (!planes && (b >= particles->count || b == a)) continue;
        count_push(particles, a, counts);
        if (!planes) count_push(particles, b, counts);
    }
}
