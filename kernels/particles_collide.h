/*
 * Pairs of particles in one go: looked at, resolved, and applied to the particles.
 *
 * A pair reads two rows of numbers from anywhere, and adds to two; so particles are first packed
 * into rows, and a copy of the rows, to which impulses are added in the order of the contacts, goes
 * back to the particles at the end: all contacts see the particles as they were. Most pairs of a
 * neighbour list do not collide. So some are looked through at a time, coarsely, for those that
 * may; these are resolved side by side, by the arithmetic of particles.h.
 *
 * Where anything is out of the ordinary, these contacts are resolved as impinge_resolve_particle_
 * pairs does, which knows what to say.
 */
#ifndef IMPINGE_KERNELS_PARTICLES_COLLIDE_H
#define IMPINGE_KERNELS_PARTICLES_COLLIDE_H

#include "particles.h"

/*
 * A particle's row: x, y, z, R; v, 1/m; omega, 1/I. In the copy, 1/m and R / I stand where R and
 * 1/I do: what impulses and moments are multiplied by.
 */
enum { ROW = IMPINGE_PARTICLE_ROW, ROW_VELOCITY = 4, ROW_SPIN = 8 };

/* How many contacts at a time. */
#define BLOCK 256

/* What one contact does, as rows: p on A, n x p, and the projection; each with a zero behind it. */
enum { PUSH_IMPULSE = 0, PUSH_MOMENT = 4, PUSH_MOVE = 8, PUSH = 12 };

typedef struct pushes {
    size_t count;
    uint32_t a[BLOCK + LANES], b[BLOCK + LANES]; /* where the rows of its particles begin */
    uint32_t pushes[BLOCK + LANES],
        moves[BLOCK + LANES]; /* a bit of each contact, LANES in a word */
    real_t row[(BLOCK + LANES) * PUSH];
} pushes_t;

typedef struct collide {
    call_t call;
    use_t use;
    const NAME(impinge_particles) * particles;
    real_t *before, *after; /* rows; those after the last particle's are nobody's */
    bool quick;             /* particles and what all contacts share are ordinary */
    /*
     * Sums may leave the range of the numbers. Those of ordinary particles cannot: a contact
     * changes a velocity by 2 |u| at most and a spin by 2 |u| / R, some 2^81 in f32, so that 2^46
     * contacts of one particle would be needed.
     */
    bool checked;
    bool fits; /* nothing has left it */
} collide_t;

/* ---- Rows ---- */

/* Where the rows of particles i, i + 1, ... begin; those beyond the last share the spare one. */
static inline void rows_from(uint32_t *at, size_t i, size_t count) {
    for (size_t k = 0; k < LANES; k++)
        at[k] = (uint32_t)((i + k < count ? i + k : count) * ROW);
}

/* Of these the sizes are in order wherever two of them meet. A quarter, since sums have four terms.
 */
static inline mask_t is_particle_ordinary(vector_t v, vector_t surface, lane_t radius,
                                          lane_t inverse_mass, lane_t turn) {
    const lane_t zero = lane_zero();
    const lane_t most = lane_set(LENGTH_MAX / 4);
    const mask_t sizes = mask_and(is_radius_ordinary(radius), lane_le(radius, most));
    const mask_t speeds =
        mask_and(lane_le(vector_largest(v), most), lane_le(vector_largest(surface), most));
    const mask_t masses =
        mask_and(lane_le(zero, inverse_mass), lane_le(inverse_mass, lane_set(MASS_MAX / 4)));
    const mask_t turns = mask_and(lane_le(zero, turn), lane_le(turn, lane_set(REAL_MAX)));
    /* The largest of numbers of which one is NaN may be another. */
    return mask_and(mask_and(mask_and(sizes, speeds), mask_and(masses, turns)),
                    mask_and(vector_finite(v), vector_finite(surface)));
}

/* Packs some particles. Returns whether all are ordinary. */
EACH_USE bool pack_some(const collide_t *c, size_t i, size_t count) {
    const NAME(impinge_particles) *const p = c->particles;
    const lane_t zero = lane_zero();
    uint32_t at[LANES];
    rows_from(at, i, p->count);
    const vector_t v = vector_at(p->velocity_x, p->velocity_y, p->velocity_z, i, count);
    const vector_t x = vector_at(p->position_x, p->position_y, p->position_z, i, count);
    vector_t omega = {zero, zero, zero};
    const lane_t radius = lanes_at(p->radius, i, count);
    const lane_t inverse_mass = lanes_at(p->inverse_mass, i, count);
    lane_t inverse_inertia = zero;
    lane_t turn = zero;
    if (c->use.spheres) {
        omega = vector_at(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z, i,
                          count);
        if (p->inverse_inertia) inverse_inertia = lanes_at(p->inverse_inertia, i, count);
        turn = turn_of(p->inverse_inertia ? &inverse_inertia : NULL, radius, inverse_mass);
    }
    const lane_t place[4] = {x.x, x.y, x.z, radius}, place_after[4] = {x.x, x.y, x.z, inverse_mass};
    const lane_t velocity[4] = {v.x, v.y, v.z, inverse_mass};
    const lane_t spin[4] = {omega.x, omega.y, omega.z, inverse_inertia};
    const lane_t spin_after[4] = {omega.x, omega.y, omega.z, turn};
    lane_scatter4(c->before, at, place);
    lane_scatter4(c->before + ROW_VELOCITY, at, velocity);
    lane_scatter4(c->before + ROW_SPIN, at, spin);
    lane_scatter4(c->after, at, place_after);
    lane_scatter4(c->after + ROW_VELOCITY, at, velocity);
    lane_scatter4(c->after + ROW_SPIN, at, spin_after);
    const vector_t surface = vector_scale(radius, omega);
    return mask_every(is_particle_ordinary(v, surface, radius, inverse_mass, turn));
}

EACH_USE bool pack(const collide_t *c) {
    bool ordinary = true;
    for (size_t i = 0; i < c->particles->count; i += LANES)
        ordinary &= pack_some(c, i, c->particles->count - i);
    return ordinary;
}

EACH_USE void vector_to(real_t *x, real_t *y, real_t *z, size_t i, const lane_t a[4],
                        size_t count) {
    lanes_to(x, i, a[0], count);
    lanes_to(y, i, a[1], count);
    lanes_to(z, i, a[2], count);
}

EACH_USE void unpack(const collide_t *c) {
    const NAME(impinge_particles) *const p = c->particles;
    for (size_t i = 0; i < p->count; i += LANES) {
        const size_t count = p->count - i;
        uint32_t at[LANES];
        lane_t row[4];
        rows_from(at, i, p->count);
        lane_gather4(c->after, at, row);
        vector_to(p->position_x, p->position_y, p->position_z, i, row, count);
        lane_gather4(c->after + ROW_VELOCITY, at, row);
        vector_to(p->velocity_x, p->velocity_y, p->velocity_z, i, row, count);
        if (!c->use.spheres) continue;
        lane_gather4(c->after + ROW_SPIN, at, row);
        vector_to(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z, i, row,
                  count);
    }
}

/* ---- Which contacts may collide ---- */

/* The rows of the two particles of each lane. */
typedef struct rows {
    uint32_t a[LANES], b[LANES];
} rows_t;

/* Contacts whose squares are not ordinary, or whose coefficients are not legal, are not quick. */
EACH_USE mask_t may_collide(const collide_t *c, const rows_t *rows, mask_t *ordinary) {
    lane_t a[4], b[4];
    lane_gather4(c->before, rows->a, a);
    lane_gather4(c->before, rows->b, b);
    mask_t found = mask_all();
    const vector_t d =
        separation_of(&c->call, (vector_t){a[0], a[1], a[2]}, (vector_t){b[0], b[1], b[2]}, &found);
    const lane_t square = vector_dot(d, d);
    const lane_t reach = lane_add(a[3], b[3]);
    const lane_t near = lane_mul(lane_mul(reach, reach), lane_set(1 + COARSE));
    *ordinary = mask_and(found, is_square_ordinary(square));
    const mask_t touches = lane_le(square, near);
    if (c->call.in->project_all || !mask_any(touches)) return touches;
    lane_gather4(c->before + ROW_VELOCITY, rows->a, a);
    lane_gather4(c->before + ROW_VELOCITY, rows->b, b);
    const vector_t u = {lane_sub(a[0], b[0]), lane_sub(a[1], b[1]), lane_sub(a[2], b[2])};
    const lane_t size =
        lane_fma(lane_abs(d.x), lane_abs(u.x),
                 lane_mul_add2(lane_abs(d.y), lane_abs(u.y), lane_abs(d.z), lane_abs(u.z)));
    return mask_and(touches, lane_le(vector_dot(d, u), lane_mul(lane_set(COARSE), size)));
}

/*
 * How many contacts ahead the rows of particles B are asked for. (Those of A, in the order of a
 * neighbour list, are near each other.) An index that is none asks for nothing that matters.
 */
#define PREFETCHED 64

/*
 * Rows of contacts i to i + LANES - 1, or as many as there are: the last again and again. False if
 * an index is out of range. (A particle with itself is not ordinary: its centres coincide.)
 */
EACH_USE bool rows_at(const collide_t *c, size_t i, size_t count, rows_t *rows) {
    const uint32_t *const a = c->call.in->index_a + i;
    const uint32_t *const b = c->call.in->index_b + i;
    uint32_t largest = 0;
    for (size_t k = 0; k < LANES; k++) {
        const size_t j = k < count ? k : count - 1;
        const uint32_t larger = a[j] > b[j] ? a[j] : b[j];
        largest = larger > largest ? larger : largest;
        rows->a[k] = a[j] * ROW;
        rows->b[k] = b[j] * ROW;
    }
    if (c->call.in->first + c->call.in->count - i >= PREFETCHED + LANES)
        for (size_t k = 0; k < LANES; k++)
            lane_prefetch(c->before, b[PREFETCHED + k] * ROW * sizeof(real_t));
    return largest < c->particles->count;
}

/* Whether contacts have coefficients of their own. */
static inline bool has_own_coefficients(const collide_t *c) {
    const NAME(impinge_coefficients) *const in = &c->call.in->coefficients;
    return in->restitution.values || in->friction.values || in->tangential_restitution.values;
}

EACH_USE mask_t are_coefficients_legal(const collide_t *c, size_t i, size_t count) {
    const NAME(impinge_coefficients) *const in = &c->call.in->coefficients;
    contact_t any = {.k33 = lane_set(1)};
    any.u_n = any.radius_a = any.radius_b = lane_zero();
    const legal_t legal = coefficients_of(&c->call, c->use, in, i, count, &any);
    const mask_t all = mask_and(mask_and(legal.restitution, legal.friction), legal.tangential);
    return mask_or(all, mask_not(mask_first(count < LANES ? count : LANES)));
}

/* Numbers, counted from `first`, of contacts that may collide; SIZE_MAX if one is not ordinary. */
EACH_USE size_t look_through(const collide_t *c, size_t first, size_t count, uint32_t *numbers) {
    size_t found = 0;
    for (size_t j = 0; j < count; j += LANES) {
        const size_t left = count - j;
        rows_t rows;
        mask_t ordinary;
        if (left >= LANES ? !rows_at(c, first + j, LANES, &rows)
                          : !rows_at(c, first + j, left, &rows))
            return SIZE_MAX;
        mask_t may = may_collide(c, &rows, &ordinary);
        if (has_own_coefficients(c))
            ordinary = mask_and(ordinary, are_coefficients_legal(c, first + j, left));
        if (!mask_every(ordinary)) return SIZE_MAX;
        if (left < LANES) may = mask_and(may, mask_first(left));
        const packing_t packing = lane_packing(may);
        word_store_packed(numbers + found, &packing, word_counting((uint32_t)j));
        found += packing.count;
    }
    return found;
}

/* ---- Colliding ---- */

EACH_USE moving_t moving_row(const collide_t *c, const uint32_t *at) {
    const lane_t zero = lane_zero();
    lane_t v[4];
    lane_t w[4] = {zero, zero, zero, zero};
    lane_gather4(c->before + ROW_VELOCITY, at, v);
    if (c->use.spheres) lane_gather4(c->before + ROW_SPIN, at, w);
    return (moving_t){{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}

/* Coefficients of contacts at `numbers`, side by side in `values`. */
typedef struct gathered {
    real_t values[3][LANES];
} gathered_t;

EACH_USE void gather_coefficient(NAME(impinge_coefficient) * to, real_t *values, size_t first,
                                 const uint32_t *numbers) {
    if (!to->values) return;
    lane_store(values, lane_gather(to->values + first, numbers));
    to->values = values;
}

EACH_USE NAME(impinge_coefficients) coefficients_gathered(const collide_t *c, size_t first,
                                                          const uint32_t *numbers, gathered_t *g) {
    NAME(impinge_coefficients) of = c->call.in->coefficients;
    gather_coefficient(&of.restitution, g->values[0], first, numbers);
    gather_coefficient(&of.friction, g->values[1], first, numbers);
    gather_coefficient(&of.tangential_restitution, g->values[2], first, numbers);
    return of;
}

/* Adds to the list what LANES contacts do. */
EACH_USE void push_some(pushes_t *to, const rows_t *rows, const result_t *r) {
    const lane_t zero = lane_zero();
    const vector_t p = r->impulse;
    const vector_t n = r->normal;
    const vector_t turned = moment_of(n, p);
    const lane_t impulse[4] = {p.x, p.y, p.z, zero};
    const lane_t moment[4] = {turned.x, turned.y, turned.z, zero};
    const lane_t move[4] = {lane_mul(r->projection, n.x), lane_mul(r->projection, n.y),
                            lane_mul(r->projection, n.z), zero};
    const mask_t still =
        mask_and(mask_and(lane_eq(p.x, zero), lane_eq(p.y, zero)), lane_eq(p.z, zero));
    to->pushes[to->count / LANES] = ~mask_bits(still);
    to->moves[to->count / LANES] = ~mask_bits(lane_eq(r->projection, zero));
    uint32_t at[LANES];
    for (size_t k = 0; k < LANES; k++) {
        const size_t j = to->count + k;
        at[k] = (uint32_t)(j * PUSH);
        to->a[j] = rows->a[k];
        to->b[j] = rows->b[k];
    }
    lane_scatter4(to->row + PUSH_IMPULSE, at, impulse);
    lane_scatter4(to->row + PUSH_MOMENT, at, moment);
    lane_scatter4(to->row + PUSH_MOVE, at, move);
}

/* LANES contacts at `numbers`. Returns whether those that touch are ordinary. */
EACH_USE bool collide_some(const collide_t *c, size_t first, const uint32_t *numbers,
                           pushes_t *to) {
    const lane_t zero = lane_zero();
    const uint32_t *const index_a = c->call.in->index_a + first;
    const uint32_t *const index_b = c->call.in->index_b + first;
    rows_t rows;
    for (size_t k = 0; k < LANES; k++) {
        rows.a[k] = index_a[numbers[k]] * ROW;
        rows.b[k] = index_b[numbers[k]] * ROW;
    }
    lane_t a[4], b[4];
    lane_gather4(c->before, rows.a, a);
    lane_gather4(c->before, rows.b, b);
    mask_t found = mask_all();
    contact_t contact = {.radius_a = a[3], .radius_b = b[3]};
    const vector_t d =
        separation_of(&c->call, (vector_t){a[0], a[1], a[2]}, (vector_t){b[0], b[1], b[2]}, &found);
    meet_at(d, found, &contact);
    const mask_t touches = lane_lt(zero, contact.overlap);
    const mask_t alone = is_image_alone(&c->call, d, lane_add(a[3], b[3]));
    const moving_t moving_a = moving_row(c, rows.a);
    const moving_t moving_b = moving_row(c, rows.b);
    const mask_t moves = move_at(&c->call, c->use, &moving_a, &moving_b, &contact);
    const lane_t square = vector_dot(contact.slip, contact.slip);
    gathered_t g;
    const NAME(impinge_coefficients) of = coefficients_gathered(c, first, numbers, &g);
    const legal_t legal = coefficients_of(&c->call, c->use, &of, 0, LANES, &contact);
    const mask_t ordinary =
        mask_and(mask_and(moves, alone), is_ordinary(&contact, c->use, square, &legal));
    if (mask_any(mask_andnot(touches, ordinary))) return false;
    const result_t r = result_of_ordinary(&c->call, &contact, square, touches);
    push_some(to, &rows, &r);
    return true;
}

/* A block of contacts; false, and nothing done, if one is out of the ordinary. */
EACH_USE bool collide_quickly(const collide_t *c, size_t first, size_t count, pushes_t *to) {
    uint32_t numbers[BLOCK + LANES];
    to->count = 0;
    const size_t found = look_through(c, first, count, numbers);
    if (found == SIZE_MAX) return false;
    for (size_t k = 0; k < LANES && found > 0; k++)
        numbers[found + k] = numbers[found - 1];
    for (; to->count < found; to->count += LANES)
        if (!collide_some(c, first, numbers + to->count, to)) return false;
    to->count = found;
    return true;
}

/* ---- What is out of the ordinary ---- */

typedef struct block_results {
    real_t impulse[3][BLOCK], normal[3][BLOCK], projection[BLOCK];
    uint32_t outcome[BLOCK];
} block_results_t;

static NAME(impinge_coefficient) coefficient_from(NAME(impinge_coefficient) c, size_t first) {
    if (c.values) c.values += first;
    return c;
}

/* The contacts from `first` on, as if there were no others before them. */
static NAME(impinge_particle_contacts)
    contacts_from(const NAME(impinge_particle_contacts) * in, size_t first, size_t count) {
    NAME(impinge_particle_contacts) from = *in;
    NAME(impinge_coefficients) *const c = &from.coefficients;
    from.first = 0;
    from.count = count;
    from.index_a += first;
    from.index_b += first;
    c->restitution = coefficient_from(c->restitution, first);
    c->friction = coefficient_from(c->friction, first);
    c->tangential_restitution = coefficient_from(c->tangential_restitution, first);
    return from;
}

static inline bool bit_at(const uint32_t *words, size_t j) {
    return words[j / LANES] >> j % LANES & 1;
}

static inline void set_bit(uint32_t *words, size_t j, bool is) {
    const uint32_t bit = UINT32_C(1) << j % LANES;
    words[j / LANES] = is ? words[j / LANES] | bit : words[j / LANES] & ~bit;
}

/* A contact of the block as a push. Its moment as apply has it. */
static void push_one(pushes_t *to, const collide_t *c, const block_results_t *r, size_t contact,
                     size_t k) {
    real_t *const row = &to->row[to->count * PUSH];
    const real_t p[3] = {r->impulse[0][k], r->impulse[1][k], r->impulse[2][k]};
    const real_t n[3] = {r->normal[0][k], r->normal[1][k], r->normal[2][k]};
    memset(row, 0, PUSH * sizeof *row);
    for (size_t x = 0; x < 3; x++) {
        const size_t y = (x + 1) % 3;
        const size_t z = (x + 2) % 3;
        row[PUSH_IMPULSE + x] = p[x];
        row[PUSH_MOMENT + x] = n[y] * p[z] - n[z] * p[y];
        row[PUSH_MOVE + x] = r->projection[k] * n[x];
    }
    to->a[to->count] = c->call.in->index_a[contact] * ROW;
    to->b[to->count] = c->call.in->index_b[contact] * ROW;
    const bool pushes = p[0] != 0 || p[1] != 0 || p[2] != 0;
    const bool moves = r->projection[k] != 0;
    set_bit(to->pushes, to->count, pushes);
    set_bit(to->moves, to->count, moves);
    to->count += pushes || moves;
}

static void collide_slowly(collide_t *c, size_t first, size_t count, pushes_t *to) {
    block_results_t r;
    const NAME(impinge_particle_results) out = {.impulse_x = r.impulse[0],
                                                .impulse_y = r.impulse[1],
                                                .impulse_z = r.impulse[2],
                                                .normal_x = r.normal[0],
                                                .normal_y = r.normal[1],
                                                .normal_z = r.normal[2],
                                                .projection = r.projection,
                                                .outcome = r.outcome};
    const NAME(impinge_particle_contacts) in = contacts_from(c->call.in, first, count);
    impinge_report report = {.first_invalid = SIZE_MAX};
    call_t call = c->call;
    call.in = &in;
    call.out = &out;
    call.report = &report;
    if (c->use.spheres)
        each(&call, (use_t){.planes = false, .spheres = true});
    else
        each(&call, (use_t){.planes = false, .spheres = false});
    c->call.report->invalid += report.invalid;
    if (report.first_invalid < SIZE_MAX && c->call.report->first_invalid == SIZE_MAX)
        c->call.report->first_invalid = first + report.first_invalid;
    to->count = 0;
    for (size_t k = 0; k < count; k++) {
        push_one(to, c, &r, first + k, k);
        c->fits = c->fits && !(r.outcome[k] & IMPINGE_OUTCOME_OUT_OF_RANGE);
    }
}

/* ---- Applying ---- */

/* What a contact does, for both of its particles. */
typedef struct push {
    const real_t *row;
    bool pushes, moves;
} push_t;

/* To one particle; sign -1: to B. Immovable ones keep their bits. */
EACH_USE void apply_push(real_t *after, const push_t *p, real_t sign, bool spheres) {
    const real_t inverse_mass = after[ROW_VELOCITY + 3];
    if (inverse_mass == 0) return;
    if (p->moves) row4_add(after, sign * inverse_mass, p->row + PUSH_MOVE);
    if (!p->pushes) return;
    row4_add(after + ROW_VELOCITY, sign * inverse_mass, p->row + PUSH_IMPULSE);
    if (spheres) row4_add(after + ROW_SPIN, -after[ROW_SPIN + 3], p->row + PUSH_MOMENT);
}

static bool is_finite4(const real_t *row) {
    bool finite = true;
    for (size_t k = 0; k < 4; k++)
        finite = finite && isfinite(row[k]);
    return finite;
}

/* The same, but a particle that would leave the range of the numbers stays as it is. */
static bool apply_push_checked(real_t *after, const push_t *p, real_t sign, bool spheres) {
    real_t row[ROW];
    memcpy(row, after, sizeof row);
    apply_push(row, p, sign, spheres);
    const bool turns = spheres && row[ROW_SPIN + 3] != 0;
    const bool places = !p->moves || is_finite4(row);
    const bool motion =
        !p->pushes || (is_finite4(row + ROW_VELOCITY) && is_finite4(p->row + PUSH_MOMENT) &&
                       (!turns || is_finite4(row + ROW_SPIN)));
    const bool fits = after[ROW_VELOCITY + 3] == 0 || (places && motion);
    if (fits) memcpy(after, row, sizeof row);
    return fits;
}

EACH_USE void apply_pushes(collide_t *c, const pushes_t *p) {
    for (size_t j = 0; j < p->count; j++) {
        const push_t push = {&p->row[j * PUSH], bit_at(p->pushes, j), bit_at(p->moves, j)};
        real_t *const a = c->after + p->a[j];
        real_t *const b = c->after + p->b[j];
        if (c->checked) {
            c->fits &= apply_push_checked(a, &push, 1, c->use.spheres);
            c->fits &= apply_push_checked(b, &push, -1, c->use.spheres);
        } else {
            apply_push(a, &push, 1, c->use.spheres);
            apply_push(b, &push, -1, c->use.spheres);
        }
    }
}

/* All contacts. The rows hold 32-bit places, which the caller has made sure of. */
EACH_USE void collide_all(collide_t *c) {
    const NAME(impinge_particle_contacts) *const in = c->call.in;
    const size_t end = in->first + in->count;
    pushes_t pushes;
    c->quick = pack(c) && c->call.quick;
    c->checked = !c->quick;
    c->fits = true;
    /* What all contacts share is asked of one. */
    if (in->count > 0 && !has_own_coefficients(c))
        c->quick = c->quick && mask_every(are_coefficients_legal(c, in->first, 1));
    for (size_t i = in->first; i < end; i += BLOCK) {
        const size_t count = end - i < BLOCK ? end - i : BLOCK;
        if (!c->quick || !collide_quickly(c, i, count, &pushes))
            collide_slowly(c, i, count, &pushes);
        apply_pushes(c, &pushes);
    }
    unpack(c);
}

#endif
