#include "impact_list.h"

#include <stdlib.h>
#include <string.h>

/* Columns of bodies, and of contacts. */
enum {
    MASS,
    INERTIA,
    VELOCITY = INERTIA + 6,
    BEFORE = VELOCITY + 6,
    POSE = BEFORE + 6,
    BODY_COLUMNS = POSE + 7
};
enum {
    ARM_A,
    ARM_B = ARM_A + 3,
    NORMAL = ARM_B + 3,
    GAP = NORMAL + 3,
    RESTITUTION,
    FRICTION,
    IMPULSE,
    SUM = IMPULSE + 3,
    WORK = SUM + 3,
    CONTACT_COLUMNS = WORK + 3
};

/* A chain of so many bodies that touch nearly is followed in one step. Longer ones are left to the
 * engine, which stops what approaches: that loses energy and gains none. */
enum { PASSES_MAX = 64 };

struct impact_list {
    size_t bodies, body_room, contacts, contact_room, workspace_room;
    double *body[BODY_COLUMNS], *contact[CONTACT_COLUMNS];
    uint32_t *a, *b;             /* as they were added */
    uint32_t *taken_a, *taken_b; /* the world twice while a contact does not take part */
    uint32_t *outcome;
    void *workspace, *workspace_memory;
};

impact_list *impact_list_new(void) { return calloc(1, sizeof(impact_list)); }

void impact_list_free(impact_list *list) {
    if (!list) return;
    for (size_t k = 0; k < BODY_COLUMNS; k++)
        free(list->body[k]);
    for (size_t k = 0; k < CONTACT_COLUMNS; k++)
        free(list->contact[k]);
    free(list->a);
    free(list->b);
    free(list->taken_a);
    free(list->taken_b);
    free(list->outcome);
    free(list->workspace_memory);
    free(list);
}

void impact_list_clear(impact_list *list) { list->bodies = list->contacts = 0; }

bool impact_list_grow(void *array, size_t room, size_t size) {
    void *old;
    memcpy(&old, array, sizeof old);
    void *const larger = realloc(old, room * size);
    if (larger) memcpy(array, &larger, sizeof larger);
    return larger != NULL;
}

static size_t more(size_t room) { return room < 32 ? 64 : 2 * room; }

bool impact_list_add_body(impact_list *list, const impact_body *body) {
    if (list->bodies == list->body_room) {
        const size_t room = more(list->body_room);
        for (size_t k = 0; k < BODY_COLUMNS; k++)
            if (!impact_list_grow(&list->body[k], room, sizeof(double))) return false;
        list->body_room = room;
    }
    const size_t i = list->bodies++;
    list->body[MASS][i] = body->inverse_mass;
    for (size_t k = 0; k < 6; k++)
        list->body[INERTIA + k][i] = body->inverse_inertia[k];
    for (size_t k = 0; k < 3; k++) {
        list->body[VELOCITY + k][i] = list->body[BEFORE + k][i] = body->velocity[k];
        list->body[VELOCITY + 3 + k][i] = list->body[BEFORE + 3 + k][i] = body->angular_velocity[k];
    }
    return true;
}

static bool grow_contacts(impact_list *list) {
    const size_t room = more(list->contact_room);
    for (size_t k = 0; k < CONTACT_COLUMNS; k++)
        if (!impact_list_grow(&list->contact[k], room, sizeof(double))) return false;
    uint32_t **const whole[] = {&list->a, &list->b, &list->taken_a, &list->taken_b, &list->outcome};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        if (!impact_list_grow(whole[k], room, sizeof(uint32_t))) return false;
    list->contact_room = room;
    return true;
}

bool impact_list_add_contact(impact_list *list, const impact_contact *contact) {
    if (list->contacts == list->contact_room && !grow_contacts(list)) return false;
    const size_t i = list->contacts++;
    for (size_t k = 0; k < 3; k++) {
        list->contact[ARM_A + k][i] = contact->arm_a[k];
        list->contact[ARM_B + k][i] = contact->arm_b[k];
        list->contact[NORMAL + k][i] = contact->normal[k];
        list->contact[SUM + k][i] = 0;
    }
    list->contact[GAP][i] = contact->gap;
    list->contact[RESTITUTION][i] = contact->restitution;
    list->contact[FRICTION][i] = contact->friction;
    list->a[i] = contact->a;
    list->b[i] = contact->b;
    return true;
}

/* ---- Collisions ---- */

static double point_velocity(const impact_list *list, uint32_t body, size_t arm, size_t contact,
                             size_t k) {
    if (body >= list->bodies) return 0;
    const size_t next = (k + 1) % 3, last = (k + 2) % 3;
    const double *const *const v = (const double *const *)&list->body[VELOCITY];
    const double *const *const r = (const double *const *)&list->contact[arm];
    return v[k][body] + v[3 + next][body] * r[last][contact] - v[3 + last][body] * r[next][contact];
}

static double normal_velocity(const impact_list *list, size_t i) {
    double u = 0;
    for (size_t k = 0; k < 3; k++)
        u += list->contact[NORMAL + k][i] * (point_velocity(list, list->a[i], ARM_A, i, k) -
                                             point_velocity(list, list->b[i], ARM_B, i, k));
    return u;
}

/* Those take part from now on that touch, or will within the step. Returns how many of them are
 * new and approach fast. */
static size_t take(impact_list *list, const impact_options *options) {
    size_t fast = 0;
    for (size_t i = 0; i < list->contacts; i++) {
        if (list->taken_a[i] != IMPINGE_WORLD || list->taken_b[i] != IMPINGE_WORLD) continue;
        const double u = normal_velocity(list, i);
        const double gap = list->contact[GAP][i];
        if (gap > 0 && !(gap + options->time_step * u < 0)) continue;
        list->taken_a[i] = list->a[i];
        list->taken_b[i] = list->b[i];
        fast += u < -options->rest_speed;
    }
    return fast;
}

/* The workspace of a step is to be aligned to 64. */
static bool make_workspace(impact_list *list) {
    const size_t alignment = 64;
    const size_t size = impinge_step_bodies_workspace_f64(list->contacts, list->bodies);
    if (size > SIZE_MAX - alignment) return false;
    if (size <= list->workspace_room) return true;
    void *const memory = malloc(size + alignment);
    if (!memory) return false;
    free(list->workspace_memory);
    list->workspace_memory = memory;
    list->workspace_room = size;
    list->workspace = (char *)memory + (alignment - (uintptr_t)memory % alignment) % alignment;
    return true;
}

static impinge_bodies_f64 bodies_of(const impact_list *list) {
    double *const *const b = list->body;
    const impinge_bodies_f64 bodies = {.count = list->bodies,
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
    return bodies;
}

static impinge_indexed_contacts_f64 contacts_of(const impact_list *list, const uint32_t *a,
                                                const uint32_t *b) {
    double *const *const c = list->contact;
    const impinge_indexed_contacts_f64 contacts = {
        .count = list->contacts,
        .index_a = a,
        .index_b = b,
        .arm_a_x = c[ARM_A],
        .arm_a_y = c[ARM_A + 1],
        .arm_a_z = c[ARM_A + 2],
        .arm_b_x = c[ARM_B],
        .arm_b_y = c[ARM_B + 1],
        .arm_b_z = c[ARM_B + 2],
        .normal_x = c[NORMAL],
        .normal_y = c[NORMAL + 1],
        .normal_z = c[NORMAL + 2],
        .coefficients = {.restitution = {.values = c[RESTITUTION]},
                         .friction = {.values = c[FRICTION]}}};
    return contacts;
}

static void add_up(impact_list *list, impact_report *report) {
    for (size_t i = 0; i < list->contacts; i++)
        for (size_t k = 0; k < 3; k++) {
            list->contact[SUM + k][i] += list->contact[IMPULSE + k][i];
            report->energy_lost -= list->contact[WORK + k][i];
        }
}

/* All rounds of what takes part now. */
static impinge_status collide(impact_list *list, const impact_options *options,
                              impact_report *report) {
    const impinge_bodies_f64 bodies = bodies_of(list);
    const impinge_indexed_contacts_f64 contacts = contacts_of(list, list->taken_a, list->taken_b);
    double *const *const c = list->contact;
    impinge_step_options how = impinge_step_options_default(options->time_step);
    how.impacts.rest_speed = options->rest_speed;
    const impinge_body_step_f64 step = {.bodies = &bodies,
                                        .contacts = &contacts,
                                        .impact_options = &options->law,
                                        .options = &how,
                                        .results = {.impact_x = c[IMPULSE],
                                                    .impact_y = c[IMPULSE + 1],
                                                    .impact_z = c[IMPULSE + 2],
                                                    .work_compression = c[WORK],
                                                    .work_restitution = c[WORK + 1],
                                                    .work_friction = c[WORK + 2]},
                                        .impact_outcome = list->outcome,
                                        .workspace = list->workspace};
    impinge_step_report came;
    const impinge_status status = impinge_collide_body_rounds_f64(&step, &came);
    if (status < 0) return status;
    report->collisions += came.collisions;
    report->rounds += came.rounds;
    report->left_approaching = came.left_approaching;
    add_up(list, report);
    return status;
}

impinge_status impact_list_collide(impact_list *list, const impact_options *options,
                                   impact_report *report) {
    *report = (impact_report){.contacts = list->contacts};
    for (size_t i = 0; i < list->contacts; i++)
        list->taken_a[i] = list->taken_b[i] = IMPINGE_WORLD;
    if (!make_workspace(list)) return IMPINGE_ERROR_COUNT;
    impinge_status status = IMPINGE_OK;
    for (int pass = 0; pass < PASSES_MAX && take(list, options) > 0; pass++) {
        const impinge_status now = collide(list, options, report);
        if (now < 0) return now;
        if (now != IMPINGE_OK) status = now;
    }
    return status;
}

bool impact_list_change(const impact_list *list, size_t body, double velocity[3],
                        double angular_velocity[3]) {
    bool changed = false;
    for (size_t k = 0; k < 6; k++) {
        const double change = list->body[VELOCITY + k][body] - list->body[BEFORE + k][body];
        changed |= change != 0;
        if (k < 3)
            velocity[k] = change;
        else
            angular_velocity[k - 3] = change;
    }
    return changed;
}

bool impact_list_impulse(const impact_list *list, size_t contact, double impulse[3]) {
    bool any = false;
    for (size_t k = 0; k < 3; k++) {
        impulse[k] = list->contact[SUM + k][contact];
        any |= impulse[k] != 0;
    }
    return any;
}

double impact_list_separation(const impact_list *list, size_t contact) {
    return normal_velocity(list, contact);
}

/* ---- Positions ---- */

/* The list gets the velocities after the step, moves its gaps by them, and then stands still: what
 * is left is to push apart. */
static void move_gaps(impact_list *list, const impact_pose *poses, const impact_push *push) {
    for (size_t i = 0; i < list->bodies; i++)
        for (size_t k = 0; k < 3; k++) {
            list->body[VELOCITY + k][i] = poses[i].velocity[k];
            list->body[VELOCITY + 3 + k][i] = poses[i].angular_velocity[k];
        }
    for (size_t i = 0; i < list->contacts; i++) {
        const double u = normal_velocity(list, i);
        list->contact[GAP][i] =
            u > push->rest_speed ? 0 : list->contact[GAP][i] + push->time_step * u;
    }
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; i < list->bodies; i++)
            list->body[VELOCITY + k][i] = 0;
}

impinge_status impact_list_push_apart(impact_list *list, const impact_push *push,
                                      impact_pose *poses) {
    if (!make_workspace(list)) return IMPINGE_ERROR_COUNT;
    move_gaps(list, poses, push);
    double *const *const p = &list->body[POSE];
    for (size_t i = 0; i < list->bodies; i++) {
        for (size_t k = 0; k < 3; k++)
            p[k][i] = poses[i].position[k];
        for (size_t k = 0; k < 4; k++)
            p[3 + k][i] = poses[i].quaternion[k];
    }
    const impinge_bodies_f64 bodies = bodies_of(list);
    const impinge_indexed_contacts_f64 contacts = contacts_of(list, list->a, list->b);
    impinge_step_options how = impinge_step_options_default(push->time_step);
    how.positions.factor = push->factor;
    how.positions.slop = push->slop;
    const impinge_body_step_f64 step = {.bodies = &bodies,
                                        .contacts = &contacts,
                                        .gap = list->contact[GAP],
                                        .options = &how,
                                        .poses = {p[0], p[1], p[2], p[3], p[4], p[5], p[6]},
                                        .workspace = list->workspace};
    const impinge_status status = impinge_project_body_positions_f64(&step, NULL);
    if (status < 0) return status;
    for (size_t i = 0; i < list->bodies; i++) {
        for (size_t k = 0; k < 3; k++)
            poses[i].position[k] = p[k][i];
        for (size_t k = 0; k < 4; k++)
            poses[i].quaternion[k] = p[3 + k][i];
    }
    return status;
}
