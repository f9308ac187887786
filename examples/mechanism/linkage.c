#include "linkage.h"

#include <math.h>

#include <impinge/impinge.h>

#include "support/fail.h"

/* Every rod has length and mass 1, and so inertia 1/12 about its middle and 1/3 about its end. */
static const double inverse_inertia = 12;
static const double half = 0.5;

static void require(impinge_status status) {
    if (status != IMPINGE_OK) fail("%s", impinge_status_text(status));
}

/* The direction of a rod, from its upper to its lower end. */
static double heading(const linkage *l, size_t rod) {
    double sum = 0;
    for (size_t i = 0; i <= rod; i++)
        sum += l->angle[i];
    return sum;
}

/* ---- Intact ---- */

/* Lower triangle of M, and J, in rows along the ground and off it. */
typedef struct coordinates {
    double mass[LINKAGE_RODS_MAX * (LINKAGE_RODS_MAX + 1) / 2];
    double jacobian[2 * LINKAGE_RODS_MAX];
} coordinates;

/* One rod about its end; two as in Morgan 2011, 2.1. */
static coordinates coordinates_of(const linkage *l) {
    coordinates c = {.mass = {1.0 / 3}};
    if (l->rods == 2) {
        const double fold = cos(l->angle[1]);
        c.mass[0] = fold + 5.0 / 3;
        c.mass[1] = fold / 2 + 1.0 / 3;
        c.mass[2] = 1.0 / 3;
    }
    /* An angle turns its rod and all that follow. */
    for (size_t j = 0; j < l->rods; j++)
        for (size_t rod = j; rod < l->rods; rod++) {
            c.jacobian[j] -= sin(heading(l, rod));
            c.jacobian[l->rods + j] += cos(heading(l, rod));
        }
    return c;
}

static double mechanism_energy(const linkage *l, const double *speed) {
    const coordinates c = coordinates_of(l);
    double twice = c.mass[0] * speed[0] * speed[0];
    if (l->rods == 2)
        twice += 2 * c.mass[1] * speed[0] * speed[1] + c.mass[2] * speed[1] * speed[1];
    return twice / 2;
}

void linkage_approach(const linkage *l, double *slip, double *normal) {
    const coordinates c = coordinates_of(l);
    *slip = *normal = 0;
    for (size_t j = 0; j < l->rods; j++) {
        *slip += c.jacobian[j] * l->speed[j];
        *normal += c.jacobian[l->rods + j] * l->speed[j];
    }
}

linkage_result linkage_intact(const linkage *l) {
    const coordinates c = coordinates_of(l);
    const impinge_mechanisms_f64 mechanism = {
        .count = 1,
        .coordinates = l->rods,
        .stride = 1,
        .mass = c.mass,
        .jacobian = c.jacobian,
        .speeds = l->speed,
        .coefficients = {.restitution.value = l->restitution, .friction.value = l->friction}};
    double speed[LINKAGE_RODS_MAX];
    linkage_result r = {.collisions = 1, .ended = true};
    const impinge_planar_mechanism_results_f64 results = {
        .ut_after = &r.slip, .un_after = &r.normal, .speeds = speed, .outcome = &r.outcome};
    require(impinge_resolve_planar_mechanisms_f64(&mechanism, NULL, NULL, &results, NULL));
    r.energy = mechanism_energy(l, speed) / mechanism_energy(l, l->speed);
    return r;
}

/* ---- Separate ---- */

/* A rod in flight; the world is one without mass's inverse. */
typedef struct body {
    double inverse_mass, inverse_inertia;
    double arm_x, arm_y; /* from its middle to its lower end */
    double vx, vy, spin;
} body;

/* A point where two of them touch: from the middle of each, by so much of its arm. */
typedef struct joint {
    body *a, *b;
    double part_a, part_b;
    bool hinge;
} joint;

/* The ground comes last. */
enum { BODIES = LINKAGE_RODS_MAX + 1, JOINTS = LINKAGE_RODS_MAX + 1 };

typedef struct system {
    body bodies[BODIES]; /* the first is the world */
    joint joints[JOINTS];
    size_t body_count, joint_count;
} system_t;

/* As the mechanism moves: each rod's upper end is the lower end of that before. */
static void release(const linkage *l, system_t *s) {
    double x = 0, y = 0, spin = 0; /* velocity of the end so far */
    s->bodies[0] = (body){0};
    for (size_t i = 0; i < l->rods; i++) {
        const double arm_x = half * cos(heading(l, i));
        const double arm_y = half * sin(heading(l, i));
        spin += l->speed[i];
        s->bodies[i + 1] = (body){.inverse_mass = 1,
                                  .inverse_inertia = inverse_inertia,
                                  .arm_x = arm_x,
                                  .arm_y = arm_y,
                                  .vx = x - spin * arm_y,
                                  .vy = y + spin * arm_x,
                                  .spin = spin};
        x -= 2 * spin * arm_y;
        y += 2 * spin * arm_x;
        s->joints[i] = (joint){
            .a = &s->bodies[i + 1], .b = &s->bodies[i], .part_a = -1, .part_b = 1, .hinge = true};
    }
    s->joints[l->rods] = (joint){.a = &s->bodies[l->rods], .b = &s->bodies[0], .part_a = 1};
    s->body_count = s->joint_count = l->rods + 1;
}

static void joint_velocity(const joint *j, double *x, double *y) {
    const body *a = j->a, *b = j->b;
    *x = a->vx - a->spin * j->part_a * a->arm_y - (b->vx - b->spin * j->part_b * b->arm_y);
    *y = a->vy + a->spin * j->part_a * a->arm_x - (b->vy + b->spin * j->part_b * b->arm_x);
}

/* A hinge approaches whichever way it moves. */
static double approach_speed(const joint *j) {
    double x, y;
    joint_velocity(j, &x, &y);
    return j->hinge ? hypot(x, y) : -y;
}

typedef struct side {
    double arm_x, arm_y;
    impinge_planar_pair_side_f64 in;
    impinge_planar_body_results_f64 out;
} side;

static void side_of(body *b, double part, side *s) {
    s->arm_x = part * b->arm_x;
    s->arm_y = part * b->arm_y;
    s->in = (impinge_planar_pair_side_f64){.inverse_mass = &b->inverse_mass,
                                           .inverse_inertia = &b->inverse_inertia,
                                           .arm_x = &s->arm_x,
                                           .arm_y = &s->arm_y,
                                           .velocity_x = &b->vx,
                                           .velocity_y = &b->vy,
                                           .angular_velocity = &b->spin};
    s->out = (impinge_planar_body_results_f64){
        .velocity_x = &b->vx, .velocity_y = &b->vy, .angular_velocity = &b->spin};
}

/*
 * A hinge's normal is opposed to its velocity: a plastic collision that sticks, e = 0 and mu =
 * infinity, then ends with P_II and all of that velocity gone.
 */
static void collide(const joint *j, const linkage *l) {
    double x = 0, y = -1;
    if (j->hinge) joint_velocity(j, &x, &y);
    const double size = hypot(x, y), normal_x = -x / size, normal_y = -y / size;
    side a, b;
    side_of(j->a, j->part_a, &a);
    side_of(j->b, j->part_b, &b);
    const impinge_planar_pairs_f64 pair = {
        .count = 1,
        .a = a.in,
        .b = b.in,
        .normal_x = &normal_x,
        .normal_y = &normal_y,
        .coefficients = {.restitution.value = j->hinge ? 0 : l->restitution,
                         .friction.value = j->hinge ? (double)INFINITY : l->friction}};
    const impinge_planar_pair_results_f64 results = {.a = a.out, .b = b.out};
    require(impinge_resolve_planar_pairs_f64(&pair, NULL, NULL, &results, NULL));
}

static double bodies_energy(const system_t *s) {
    double twice = 0;
    for (size_t i = 1; i < s->body_count; i++) {
        const body *b = &s->bodies[i];
        twice += b->vx * b->vx + b->vy * b->vy + b->spin * b->spin / inverse_inertia;
    }
    return twice / 2;
}

static const joint *fastest(const system_t *s) {
    const joint *best = &s->joints[0];
    for (size_t i = 1; i < s->joint_count; i++)
        if (approach_speed(&s->joints[i]) > approach_speed(best)) best = &s->joints[i];
    return best;
}

linkage_result linkage_separate(const linkage *l, double least, size_t most) {
    system_t s;
    release(l, &s);
    const double before = bodies_energy(&s);
    linkage_result r = {.collisions = 0};
    const joint *next = &s.joints[l->rods];
    while (r.collisions < most && approach_speed(next) > least) {
        collide(next, l);
        r.collisions++;
        next = fastest(&s);
    }
    r.left = fmax(approach_speed(next), 0);
    r.ended = r.left <= least;
    r.energy = bodies_energy(&s) / before;
    joint_velocity(&s.joints[l->rods], &r.slip, &r.normal);
    return r;
}
