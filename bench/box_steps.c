/* Compiled once for each precision. */
#include "box_steps.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scenes/box_scenes.h"
#include "../scenes/pit.h"
#include "../tools/support/at_once.h"

/*
 * Columns of bodies: inverse mass, inertia, velocity, angular velocity. Columns of contacts: arms,
 * normal, friction, gap, impulse.
 */
enum { MASS, INERTIA, VELOCITY = INERTIA + 6, BODY_ALL = VELOCITY + 6 };
enum { ARMS, NORMAL_AT = ARMS + 6, MU = NORMAL_AT + 3, GAP, IMPULSE, CONTACT_ALL = IMPULSE + 3 };
enum { THREADS_MAX = 8 };

typedef struct one_step {
    size_t bodies, contacts;
    real_t *body[BODY_ALL], *at_first[6], *contact[CONTACT_ALL], *after[3];
    uint32_t *a, *b, *outcome;
    void *workspace;
    NAME(impinge_bodies) set;
    NAME(impinge_indexed_contacts) list;
    impinge_step_options options;
} one_step;

static void *made(size_t count, size_t size) {
    void *const memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

static one_step *step_new(size_t bodies, size_t contacts) {
    one_step *const s = made(1, sizeof *s);
    s->bodies = bodies;
    s->contacts = contacts;
    for (size_t k = 0; k < BODY_ALL; k++)
        s->body[k] = made(bodies, sizeof(real_t));
    for (size_t k = 0; k < 6; k++)
        s->at_first[k] = made(bodies, sizeof(real_t));
    for (size_t k = 0; k < CONTACT_ALL; k++)
        s->contact[k] = made(contacts, sizeof(real_t));
    for (size_t k = 0; k < 3; k++)
        s->after[k] = made(contacts, sizeof(real_t));
    s->a = made(contacts, sizeof *s->a);
    s->b = made(contacts, sizeof *s->b);
    s->outcome = made(contacts, sizeof *s->outcome);
    const size_t room = NAME(impinge_step_bodies_workspace)(contacts, bodies);
    if (posix_memalign(&s->workspace, 64, room) != 0) abort();
    memset(s->workspace, 0, room);
    return s;
}

static void give(one_step *s) {
    real_t *const *const b = s->body;
    real_t *const *const c = s->contact;
    s->set = (NAME(impinge_bodies)){.count = s->bodies,
                                    .inverse_mass = b[MASS],
                                    .inverse_inertia_xx = b[INERTIA],
                                    .inverse_inertia_xy = b[INERTIA + 1],
                                    .inverse_inertia_xz = b[INERTIA + 2],
                                    .inverse_inertia_yy = b[INERTIA + 3],
                                    .inverse_inertia_yz = b[INERTIA + 4],
                                    .inverse_inertia_zz = b[INERTIA + 5],
                                    .velocity_x = b[VELOCITY],
                                    .velocity_y = b[VELOCITY + 1],
                                    .velocity_z = b[VELOCITY + 2],
                                    .angular_velocity_x = b[VELOCITY + 3],
                                    .angular_velocity_y = b[VELOCITY + 4],
                                    .angular_velocity_z = b[VELOCITY + 5]};
    s->list = (NAME(impinge_indexed_contacts)){.count = s->contacts,
                                               .index_a = s->a,
                                               .index_b = s->b,
                                               .arm_a_x = c[ARMS],
                                               .arm_a_y = c[ARMS + 1],
                                               .arm_a_z = c[ARMS + 2],
                                               .arm_b_x = c[ARMS + 3],
                                               .arm_b_y = c[ARMS + 4],
                                               .arm_b_z = c[ARMS + 5],
                                               .normal_x = c[NORMAL_AT],
                                               .normal_y = c[NORMAL_AT + 1],
                                               .normal_z = c[NORMAL_AT + 2],
                                               .coefficients.friction.values = c[MU]};
    for (size_t k = 0; k < 6; k++)
        memcpy(s->at_first[k], s->body[VELOCITY + k], s->bodies * sizeof(real_t));
}

/* ---- A pile ---- */

/* The world inertia of a box from its quaternion. */
static void turn_inertia(const NAME(box_world) * w, size_t i, one_step *s) {
    const double q[4] = {
        (double)w->column[BOX_QUATERNION][i], (double)w->column[BOX_QUATERNION + 1][i],
        (double)w->column[BOX_QUATERNION + 2][i], (double)w->column[BOX_QUATERNION + 3][i]};
    const double a = q[0], x = q[1], y = q[2], z = q[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - a * z), 2 * (x * z + a * y)},
                            {2 * (x * y + a * z), 1 - 2 * (x * x + z * z), 2 * (y * z - a * x)},
                            {2 * (x * z - a * y), 2 * (y * z + a * x), 1 - 2 * (x * x + y * y)}};
    static const size_t row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (size_t k = 0; k < 6; k++) {
        double sum = 0;
        for (size_t d = 0; d < 3; d++)
            sum += r[row[k]][d] * (double)w->column[BOX_INERTIA + d][i] * r[column[k]][d];
        s->body[INERTIA + k][i] = (real_t)sum;
    }
    for (size_t k = 0; k < 3; k++) {
        double omega = 0;
        for (size_t d = 0; d < 3; d++)
            omega += r[k][d] * (double)w->column[BOX_ANGULAR + d][i];
        s->body[VELOCITY + 3 + k][i] = (real_t)omega;
        s->body[VELOCITY + k][i] = w->column[BOX_VELOCITY + k][i];
    }
}

/* The contacts of a world as they are now, and its velocities with gravity's kick. */
static one_step *step_of_world(const NAME(box_world) * w, double h, bool warm) {
    one_step *const s = step_new(w->boxes, w->contacts);
    for (size_t i = 0; i < w->boxes; i++) {
        turn_inertia(w, i, s);
        s->body[MASS][i] = w->column[BOX_MASS][i];
        s->body[VELOCITY + 2][i] -= (real_t)(9.81 * h);
    }
    for (size_t k = 0; k < 9; k++)
        memcpy(s->contact[k], w->contact_column[k], w->contacts * sizeof(real_t));
    memcpy(s->contact[GAP], w->contact_column[BOX_GAP], w->contacts * sizeof(real_t));
    for (size_t k = 0; k < 3 && warm; k++)
        memcpy(s->contact[IMPULSE + k], w->contact_column[BOX_IMPULSE + k],
               w->contacts * sizeof(real_t));
    for (size_t i = 0; i < w->contacts; i++)
        s->contact[MU][i] = (real_t)w->friction;
    memcpy(s->a, w->index_a, w->contacts * sizeof *s->a);
    memcpy(s->b, w->index_b, w->contacts * sizeof *s->b);
    s->options.time_step = h;
    give(s);
    return s;
}

static const double step_length = 1.0 / 240;

static void begin_steps(NAME(box_world) * w) {
    w->how.rest.sweeps_max = 5;
    w->how.impacts.rest_speed = 4 * 9.81 * step_length;
}

box_steps *NAME(box_steps_pile)(size_t side) {
    NAME(box_world) *const w = NAME(box_cloud)(side);
    begin_steps(w);
    for (int n = 0; n < 1500; n++)
        if (NAME(box_step)(w, step_length) < 0) return NULL;
    NAME(box_detect)(w);
    one_step *const s = step_of_world(w, step_length, true);
    NAME(box_world_free)(w);
    return (box_steps *)s;
}

/* The same so many times, one after the other: none touches another. */
static one_step *copies_of(const one_step *s, size_t copies) {
    one_step *const all = step_new(s->bodies * copies, s->contacts * copies);
    for (size_t n = 0; n < copies; n++) {
        for (size_t k = 0; k < BODY_ALL; k++)
            memcpy(all->body[k] + n * s->bodies, s->body[k], s->bodies * sizeof(real_t));
        for (size_t k = 0; k < CONTACT_ALL; k++)
            memcpy(all->contact[k] + n * s->contacts, s->contact[k], s->contacts * sizeof(real_t));
        for (size_t i = 0; i < s->contacts; i++) {
            const uint32_t beyond = (uint32_t)(n * s->bodies);
            all->a[n * s->contacts + i] = s->a[i] + (s->a[i] == IMPINGE_WORLD ? 0 : beyond);
            all->b[n * s->contacts + i] = s->b[i] + (s->b[i] == IMPINGE_WORLD ? 0 : beyond);
        }
    }
    all->options = s->options;
    give(all);
    return all;
}

box_steps *NAME(box_steps_copies)(const box_steps *s, size_t copies) {
    return s ? (box_steps *)copies_of((const one_step *)s, copies) : NULL;
}

bool NAME(box_steps_collapse)(box_steps *steps[COLLAPSE_STEPS]) {
    enum { BOXES = 200, BETWEEN = 60 };
    NAME(box_world) *const w = NAME(box_collapse)(BOXES);
    begin_steps(w);
    for (size_t k = 0; k < COLLAPSE_STEPS; k++) {
        for (int n = 0; n < BETWEEN; n++)
            if (NAME(box_step)(w, step_length) < 0) return false;
        NAME(box_detect)(w);
        steps[k] = (box_steps *)step_of_world(w, step_length, false);
    }
    NAME(box_world_free)(w);
    return true;
}

/* ---- The pit ---- */

/*
 * Finds where the longest run of rows with one substep begins, and its length. Rows are sorted by
 * substep.
 */
static size_t longest_run(const pit_row *rows, size_t count, size_t *first) {
    size_t longest = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && rows[end].substep == rows[i].substep)
            end++;
        if (end - i > longest) {
            longest = end - i;
            *first = i;
        }
        i = end;
    }
    return longest;
}

static int by_pair(const void *x, const void *y) {
    const pit_row *const p = x;
    const pit_row *const q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b != q->b ? (p->b < q->b ? -1 : 1) : 0;
}

box_steps *NAME(box_steps_pit)(const char *folder) {
    size_t read, first = 0;
    uint32_t bodies = 0;
    pit_row *const all = pit_read(folder, &read);
    if (!all) return NULL;
    const size_t count = longest_run(all, pit_keep_sets(all, read), &first);
    pit_row *const rows = all + first;
    qsort(rows, count, sizeof *rows, by_pair);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].a >= bodies) bodies = rows[i].a + 1;
        if (rows[i].b >= bodies) bodies = rows[i].b + 1;
    }
    one_step *const s = step_new(bodies, count);
    for (size_t i = 0; i < count; i++) {
        const double *const n = rows[i].number;
        s->a[i] = rows[i].a;
        s->b[i] = rows[i].b;
        for (int side = 0; side < 2; side++) {
            const size_t body = side == 0 ? rows[i].a : rows[i].b;
            s->body[MASS][body] = (real_t)n[PIT_MASS + side];
            for (size_t k = 0; k < 6; k++) {
                s->body[INERTIA + k][body] = (real_t)n[PIT_INERTIA + PIT_SIDE * side + (int)k];
                s->body[VELOCITY + k][body] = (real_t)n[PIT_VELOCITY + PIT_SIDE * side + (int)k];
            }
        }
        for (size_t k = 0; k < 9; k++)
            s->contact[k][i] = (real_t)n[PIT_ARM + k];
        s->contact[MU][i] = (real_t)n[PIT_FRICTION];
    }
    free(all);
    give(s);
    return (box_steps *)s;
}

/* ---- Running ---- */

#if IMPINGE_REAL_BITS == 32
size_t box_steps_contacts(const box_steps *s) {
    /* The counts are at the same place in both precisions. */
    return ((const one_step *)s)->contacts;
}
#endif

/*
 * A barrier that spins: threads of one step wait for a microsecond or so. In its round k a member
 * signals its arrival to the one 2^k after it, and waits for the one 2^k before (Hensgen, Finkel
 * and Manber 1988). Each has a cache line that only it writes: two members take 87 ns here, and 195
 * ns with one counter for both.
 */
enum { ROUNDS_MAX = 3, LINE_BYTES = 128 };

typedef struct crew {
    struct {
        _Alignas(LINE_BYTES) atomic_size_t come[ROUNDS_MAX];
    } member[THREADS_MAX];
    size_t members;
} crew;

typedef struct member {
    one_step *step;
    crew *crew;
    size_t number, times, waited;
    impinge_status status;
} member;

static void spin_wait(void *user) {
    member *const m = user;
    crew *const c = m->crew;
    m->waited++;
    for (size_t k = 0; (size_t)1 << k < c->members; k++) {
        const size_t before = (m->number + c->members - ((size_t)1 << k)) % c->members;
        atomic_store_explicit(&c->member[m->number].come[k], m->waited, memory_order_release);
        while (atomic_load_explicit(&c->member[before].come[k], memory_order_acquire) < m->waited) {
        }
    }
}

static void rest_of_member(void *item) {
    member *const m = item;
    one_step *const s = m->step;
    real_t *const *const c = s->contact;
    const impinge_team team = {m->number, m->crew->members, spin_wait, m};
    const NAME(impinge_body_step) step = {.bodies = &s->set,
                                          .contacts = &s->list,
                                          .gap = c[GAP],
                                          .options = &s->options,
                                          .state = {.impulse_x = c[IMPULSE],
                                                    .impulse_y = c[IMPULSE + 1],
                                                    .impulse_z = c[IMPULSE + 2]},
                                          .results = {.impulse_x = s->after[0],
                                                      .impulse_y = s->after[1],
                                                      .impulse_z = s->after[2],
                                                      .outcome = s->outcome},
                                          .workspace = s->workspace,
                                          .team = team.members > 1 ? &team : NULL};
    m->status = IMPINGE_OK;
    for (size_t n = 0; n < m->times; n++) {
        for (size_t k = 0; m->number == 0 && k < 6; k++)
            memcpy(s->body[VELOCITY + k], s->at_first[k], s->bodies * sizeof(real_t));
        spin_wait(m);
        const impinge_status status = NAME(impinge_rest_bodies)(&step, NULL);
        if (status != IMPINGE_OK) m->status = status;
    }
}

bool NAME(box_steps_rest)(box_steps *steps, size_t sweeps, size_t threads, size_t times) {
    one_step *const s = (one_step *)steps;
    crew all = {.members = threads};
    member members[THREADS_MAX];
    s->options.rest.sweeps_max = sweeps;
    for (size_t k = 0; k < threads; k++)
        members[k] = (member){.step = s, .crew = &all, .number = k, .times = times};
    return at_once(threads, rest_of_member, members, sizeof *members) &&
           members[0].status == IMPINGE_OK;
}

double NAME(box_steps_approach)(const box_steps *steps) {
    const one_step *const s = (const one_step *)steps;
    double most = 0;
    for (size_t i = 0; i < s->contacts; i++) {
        double u_n = 0;
        for (int side = 0; side < 2; side++) {
            const size_t body = side == 0 ? s->a[i] : s->b[i];
            if (body >= s->bodies) continue;
            double v[6], r[3];
            for (size_t k = 0; k < 6; k++)
                v[k] = (double)s->body[VELOCITY + k][body];
            for (size_t k = 0; k < 3; k++)
                r[k] = (double)s->contact[ARMS + 3 * (size_t)side + k][i];
            const double u[3] = {v[0] + v[4] * r[2] - v[5] * r[1], v[1] + v[5] * r[0] - v[3] * r[2],
                                 v[2] + v[3] * r[1] - v[4] * r[0]};
            for (size_t k = 0; k < 3; k++)
                u_n += (side == 0 ? 1 : -1) * u[k] * (double)s->contact[NORMAL_AT + k][i];
        }
        most = fmax(most, -u_n);
    }
    return most;
}
