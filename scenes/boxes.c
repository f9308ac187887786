#include "boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect.h"

typedef NAME(box_world) world;

/* ---- Memory ---- */

static void *grown(void *old, size_t count, size_t size) {
    void *const memory = realloc(old, count * size);
    if (!memory && count > 0) abort();
    return memory;
}

world *NAME(box_world_new)(size_t room) {
    world *const w = calloc(1, sizeof *w);
    if (!w) abort();
    w->room = room;
    w->half = grown(NULL, room + 1, sizeof *w->half);
    for (size_t k = 0; k < sizeof w->column / sizeof *w->column; k++)
        w->column[k] = grown(NULL, room + 1, sizeof(real_t));
    w->floor = true;
    w->friction = 0.5;
    w->gravity[2] = -9.81;
    return w;
}

void NAME(box_world_free)(world *w) {
    free(w->half);
    for (size_t k = 0; k < sizeof w->column / sizeof *w->column; k++)
        free(w->column[k]);
    for (size_t k = 0; k < sizeof w->contact_column / sizeof *w->contact_column; k++)
        free(w->contact_column[k]);
    free(w->contact);
    free(w->old);
    free(w->index_a);
    free(w->index_b);
    free(w->outcome);
    free(w->workspace);
    free(w);
}

static void make_room(world *w, size_t contacts) {
    if (contacts <= w->contact_room) return;
    const size_t room = 2 * contacts + 64;
    w->contact = grown(w->contact, room, sizeof *w->contact);
    w->old = grown(w->old, room, sizeof *w->old);
    w->index_a = grown(w->index_a, room, sizeof *w->index_a);
    w->index_b = grown(w->index_b, room, sizeof *w->index_b);
    w->outcome = grown(w->outcome, room, sizeof *w->outcome);
    for (size_t k = 0; k < sizeof w->contact_column / sizeof *w->contact_column; k++)
        w->contact_column[k] = grown(w->contact_column[k], room, sizeof(real_t));
    w->contact_room = room;
}

uint32_t NAME(box_add)(world *w, const double half[3], double mass, const double position[3],
                       const double quaternion[4]) {
    const size_t i = w->boxes++;
    const double *const q = quaternion;
    const double length = q ? sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) : 1;
    if (i >= w->room) abort();
    memcpy(w->half[i], half, 3 * sizeof(double));
    for (size_t k = 0; k < sizeof w->column / sizeof *w->column; k++)
        w->column[k][i] = 0;
    for (size_t k = 0; k < 3; k++) {
        const double u = half[(k + 1) % 3];
        const double v = half[(k + 2) % 3];
        w->column[BOX_INERTIA + k][i] = (real_t)(mass > 0 ? 3 / (mass * (u * u + v * v)) : 0);
        w->column[BOX_POSITION + k][i] = (real_t)position[k];
    }
    w->column[BOX_MASS][i] = (real_t)(mass > 0 ? 1 / mass : 0);
    for (size_t k = 0; k < 4; k++)
        w->column[BOX_QUATERNION + k][i] = (real_t)(quaternion ? quaternion[k] / length : k == 0);
    return (uint32_t)i;
}

/* ---- Detection ---- */

static box box_at(const world *w, size_t i) {
    real_t *const *const c = w->column;
    const double q[4] = {(double)c[BOX_QUATERNION][i], (double)c[BOX_QUATERNION + 1][i],
                         (double)c[BOX_QUATERNION + 2][i], (double)c[BOX_QUATERNION + 3][i]};
    const double a = q[0], x = q[1], y = q[2], z = q[3];
    const double s = 2 / (a * a + x * x + y * y + z * z);
    box b = {.axis = {{1 - s * (y * y + z * z), s * (x * y + a * z), s * (x * z - a * y)},
                      {s * (x * y - a * z), 1 - s * (x * x + z * z), s * (y * z + a * x)},
                      {s * (x * z + a * y), s * (y * z - a * x), 1 - s * (x * x + y * y)}}};
    for (size_t k = 0; k < 3; k++) {
        b.centre[k] = (double)c[BOX_POSITION + k][i];
        b.half[k] = w->half[i][k];
    }
    return b;
}

static void add_touches(world *w, const box *of_a, uint32_t a, uint32_t b, const double normal[3],
                        const touch *touches, size_t count) {
    make_room(w, w->contacts + count);
    for (size_t i = 0; i < count; i++) {
        NAME(box_contact) *const c = &w->contact[w->contacts++];
        c->a = a;
        c->b = b;
        c->taken = false;
        c->gap = touches[i].gap;
        memcpy(c->point, touches[i].point, sizeof c->point);
        memcpy(c->normal, normal, sizeof c->normal);
        for (int k = 0; k < 3; k++) {
            c->local[k] = 0;
            for (int d = 0; d < 3; d++)
                c->local[k] += (c->point[d] - of_a->centre[d]) * of_a->axis[k][d];
        }
    }
}

static double radius_of(const world *w, size_t i) {
    const double *const h = w->half[i];
    return sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
}

static bool near_each_other(const world *w, const box *a, const box *b, size_t i, size_t j) {
    const double far = radius_of(w, i) + radius_of(w, j) + w->margin;
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (a->centre[k] - b->centre[k]) * (a->centre[k] - b->centre[k]);
    return square <= far * far;
}

static bool moves(const world *w, size_t i) { return w->column[BOX_MASS][i] > 0; }

static void find_touches(world *w) {
    static const double up[3] = {0, 0, 1};
    box *const all = grown(NULL, w->boxes + 1, sizeof *all);
    for (size_t i = 0; i < w->boxes; i++)
        all[i] = box_at(w, i);
    for (size_t i = 0; i < w->boxes; i++) {
        touch touches[TOUCHES_MAX];
        double normal[3];
        if (w->floor && moves(w, i))
            add_touches(w, &all[i], (uint32_t)i, IMPINGE_WORLD, up, touches,
                        touch_floor(&all[i], w->margin, touches));
        for (size_t j = i + 1; j < w->boxes; j++) {
            if ((!moves(w, i) && !moves(w, j)) || !near_each_other(w, &all[i], &all[j], i, j))
                continue;
            const size_t count = touch_boxes(&all[i], &all[j], w->margin, normal, touches);
            add_touches(w, &all[i], (uint32_t)i, (uint32_t)j, normal, touches, count);
        }
    }
    free(all);
}

/* The impulse of the nearest old contact of the same two boxes, if it was near, and no other's. */
static void match(world *w, size_t i, size_t *first) {
    const NAME(box_contact) *const c = &w->contact[i];
    NAME(box_contact) *best = NULL;
    /* Both lists are in the order of (a, b); the contacts of a box with the world come first. */
    const uint32_t b = c->b + 1;
    while (*first < w->old_contacts &&
           (w->old[*first].a < c->a || (w->old[*first].a == c->a && w->old[*first].b + 1 < b)))
        (*first)++;
    double nearest = 0.3 * fmin(fmin(w->half[c->a][0], w->half[c->a][1]), w->half[c->a][2]);
    for (int k = 0; k < 3; k++)
        w->contact_column[BOX_IMPULSE + k][i] = 0;
    if (w->cold) return;
    for (size_t j = *first; j < w->old_contacts && w->old[j].a == c->a && w->old[j].b == c->b;
         j++) {
        double distance = 0;
        for (int k = 0; k < 3; k++)
            distance += fabs(w->old[j].local[k] - c->local[k]);
        if (distance >= nearest || w->old[j].taken) continue;
        nearest = distance;
        best = &w->old[j];
    }
    if (!best) return;
    best->taken = true;
    for (int k = 0; k < 3; k++)
        w->contact_column[BOX_IMPULSE + k][i] =
            w->contact_column[BOX_OLD_IMPULSE + k][best - w->old];
}

static void keep_old(world *w) {
    NAME(box_contact) *const contacts = w->old;
    w->old = w->contact;
    w->contact = contacts;
    w->old_contacts = w->contacts;
    w->contacts = 0;
    for (int k = 0; k < 3; k++) {
        real_t *const column = w->contact_column[BOX_OLD_IMPULSE + k];
        w->contact_column[BOX_OLD_IMPULSE + k] = w->contact_column[BOX_IMPULSE + k];
        w->contact_column[BOX_IMPULSE + k] = column;
    }
}

void NAME(box_detect)(world *w) {
    keep_old(w);
    find_touches(w);
    size_t old = 0;
    for (size_t i = 0; i < w->contacts; i++) {
        const NAME(box_contact) *const c = &w->contact[i];
        w->index_a[i] = c->a;
        w->index_b[i] = c->b;
        for (size_t k = 0; k < 3; k++) {
            const double of_b =
                c->b == IMPINGE_WORLD ? 0 : (double)w->column[BOX_POSITION + k][c->b];
            w->contact_column[BOX_ARM_A + k][i] =
                (real_t)(c->point[k] - (double)w->column[BOX_POSITION + k][c->a]);
            w->contact_column[BOX_ARM_B + k][i] = (real_t)(c->point[k] - of_b);
            w->contact_column[BOX_NORMAL + k][i] = (real_t)c->normal[k];
        }
        w->contact_column[BOX_GAP][i] = (real_t)c->gap;
        match(w, i, &old);
    }
}

/* ---- As the library takes them ---- */

NAME(impinge_bodies) NAME(box_bodies)(const world *w) {
    real_t *const *const c = w->column;
    return (NAME(impinge_bodies)){.count = w->boxes,
                                  .orientation = {.w = c[BOX_QUATERNION],
                                                  .x = c[BOX_QUATERNION + 1],
                                                  .y = c[BOX_QUATERNION + 2],
                                                  .z = c[BOX_QUATERNION + 3]},
                                  .inverse_mass = c[BOX_MASS],
                                  .inverse_inertia_xx = c[BOX_INERTIA],
                                  .inverse_inertia_yy = c[BOX_INERTIA + 1],
                                  .inverse_inertia_zz = c[BOX_INERTIA + 2],
                                  .velocity_x = c[BOX_VELOCITY],
                                  .velocity_y = c[BOX_VELOCITY + 1],
                                  .velocity_z = c[BOX_VELOCITY + 2],
                                  .angular_velocity_x = c[BOX_ANGULAR],
                                  .angular_velocity_y = c[BOX_ANGULAR + 1],
                                  .angular_velocity_z = c[BOX_ANGULAR + 2]};
}

NAME(impinge_indexed_contacts) NAME(box_contacts)(const world *w) {
    real_t *const *const c = w->contact_column;
    return (NAME(impinge_indexed_contacts)){
        .count = w->contacts,
        .index_a = w->index_a,
        .index_b = w->index_b,
        .arm_a_x = c[BOX_ARM_A],
        .arm_a_y = c[BOX_ARM_A + 1],
        .arm_a_z = c[BOX_ARM_A + 2],
        .arm_b_x = c[BOX_ARM_B],
        .arm_b_y = c[BOX_ARM_B + 1],
        .arm_b_z = c[BOX_ARM_B + 2],
        .normal_x = c[BOX_NORMAL],
        .normal_y = c[BOX_NORMAL + 1],
        .normal_z = c[BOX_NORMAL + 2],
        .coefficients = {.restitution = {.value = (real_t)w->restitution},
                         .friction = {.value = (real_t)w->friction}}};
}

static NAME(impinge_poses) box_poses(const world *w) {
    real_t *const *const c = w->column;
    return (NAME(impinge_poses)){.position_x = c[BOX_POSITION],
                                 .position_y = c[BOX_POSITION + 1],
                                 .position_z = c[BOX_POSITION + 2],
                                 .w = c[BOX_QUATERNION],
                                 .x = c[BOX_QUATERNION + 1],
                                 .y = c[BOX_QUATERNION + 2],
                                 .z = c[BOX_QUATERNION + 3]};
}

static void *workspace_for(world *w) {
    const size_t size = NAME(impinge_step_bodies_workspace)(w->contacts, w->boxes);
    if (size <= w->workspace_size) return w->workspace;
    free(w->workspace);
    w->workspace_size = size + size / 2;
    if (posix_memalign(&w->workspace, 64, w->workspace_size) != 0) abort();
    return w->workspace;
}

impinge_status NAME(box_step)(world *w, double h) {
    const NAME(impinge_bodies) bodies = NAME(box_bodies)(w);
    const NAME(impinge_poses) poses = box_poses(w);
    const double half = h / 2;
    NAME(impinge_advance_bodies)(&bodies, &poses, half);
    NAME(box_detect)(w);
    for (size_t i = 0; i < w->boxes; i++)
        for (size_t k = 0; k < 3; k++)
            if (moves(w, i)) w->column[BOX_VELOCITY + k][i] += (real_t)(half * w->gravity[k]);
    const NAME(impinge_indexed_contacts) contacts = NAME(box_contacts)(w);
    real_t *const *const c = w->contact_column;
    impinge_step_options how = w->how;
    how.time_step = h;
    const NAME(impinge_body_step) step = {.bodies = &bodies,
                                          .contacts = &contacts,
                                          .gap = c[BOX_GAP],
                                          .impact_options = &w->law,
                                          .options = &how,
                                          .state = {.impulse_x = c[BOX_IMPULSE],
                                                    .impulse_y = c[BOX_IMPULSE + 1],
                                                    .impulse_z = c[BOX_IMPULSE + 2]},
                                          .kick = {.x = (real_t)(half * w->gravity[0]),
                                                   .y = (real_t)(half * w->gravity[1]),
                                                   .z = (real_t)(half * w->gravity[2])},
                                          .poses = poses,
                                          .results = {.impulse_x = c[BOX_IMPULSE],
                                                      .impulse_y = c[BOX_IMPULSE + 1],
                                                      .impulse_z = c[BOX_IMPULSE + 2],
                                                      .outcome = w->outcome},
                                          .workspace = workspace_for(w)};
    const impinge_status status = NAME(impinge_step_bodies)(&step, &w->report);
    NAME(impinge_advance_bodies)(&bodies, &poses, half);
    return status;
}

/* ---- What it comes to ---- */

double NAME(box_kinetic_energy)(const world *w) {
    double twice = 0;
    for (size_t i = 0; i < w->boxes; i++) {
        if (!moves(w, i)) continue;
        for (size_t k = 0; k < 3; k++) {
            const double v = (double)w->column[BOX_VELOCITY + k][i];
            const double omega = (double)w->column[BOX_ANGULAR + k][i];
            twice += v * v / (double)w->column[BOX_MASS][i] +
                     omega * omega / (double)w->column[BOX_INERTIA + k][i];
        }
    }
    return twice / 2;
}

double NAME(box_potential_energy)(const world *w) {
    double sum = 0;
    for (size_t i = 0; i < w->boxes; i++)
        for (size_t k = 0; k < 3 && moves(w, i); k++)
            sum -= w->gravity[k] * (double)w->column[BOX_POSITION + k][i] /
                   (double)w->column[BOX_MASS][i];
    return sum;
}

double NAME(box_overlap)(const world *w) {
    double most = 0;
    for (size_t i = 0; i < w->contacts; i++)
        most = fmax(most, -w->contact[i].gap);
    return most;
}

void NAME(box_corner)(const world *w, size_t i, unsigned corner, double at[3]) {
    const box b = box_at(w, i);
    memcpy(at, b.centre, sizeof b.centre);
    for (unsigned k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++)
            at[d] += (corner >> k & 1 ? 1 : -1) * b.half[k] * b.axis[k][d];
}
