#include "penalty_scenes.h"

#include <math.h>

#include <impinge/impinge.h>

#include "support/fail.h"

const char *const penalty_scene_names[PENALTY_SCENES] = {"billiard", "baseball", "stuntmen"};

/* A body before it is put in its place. */
typedef struct solid {
    double mass;
    double semi_axes[3];
    double axis[3], degrees; /* turned from the world's frame about this axis, of any length */
    double velocity[3];
    double omega[3];
} solid;

typedef struct scene {
    double normal[3]; /* from body 1 to body 2, of any length */
    solid bodies[2];
} scene_data;

/* A pool ball: 2 1/4 inch, 6 ounces. */
#define POOL_BALL .mass = 0.17, .semi_axes = {0.028575, 0.028575, 0.028575}

static const scene_data scenes[PENALTY_SCENES] = {
    /* A rolling ball (omega = v / radius) hits one that lies still and spins, by half its width. */
    {.normal = {0.866, 0.5, 0},
     .bodies = {{POOL_BALL, .axis = {0, 0, 1}, .velocity = {2, 0, 0}, .omega = {0, 70, 0}},
                {POOL_BALL, .axis = {0, 0, 1}, .velocity = {0, 0, 0}, .omega = {0, 0, 30}}}},
    /*
     * A ball of 5 1/8 ounces comes with 38 m/s and back spin and is hit below its middle, 15 cm
     * from the bat's centre towards its end; the bat lies across, along the world's y, and swings
     * about the world's z.
     */
    {.normal = {-0.95, -0.03, -0.31},
     .bodies = {{.mass = 0.145,
                 .semi_axes = {0.0366, 0.0366, 0.0366},
                 .axis = {0, 0, 1},
                 .velocity = {-38, 0, -3},
                 .omega = {0, -180, 0}},
                {.mass = 0.9,
                 .semi_axes = {0.033, 0.033, 0.42},
                 .axis = {1, 0, 0},
                 .degrees = -90,
                 .velocity = {22, 0, 1},
                 .omega = {0, 40, 5}}}},
    /* Two men in the air, of 80 and 70 kg, 1.80 and 1.68 m, as ellipsoids. They tumble. */
    {.normal = {1, 0.15, -0.3},
     .bodies = {{.mass = 80,
                 .semi_axes = {0.26, 0.16, 0.9},
                 .axis = {1, 1, 0},
                 .degrees = 20,
                 .velocity = {4, 0, 1},
                 .omega = {2, 3, 3}},
                {.mass = 70,
                 .semi_axes = {0.24, 0.15, 0.84},
                 .axis = {2, 1, 0},
                 .degrees = 35,
                 .velocity = {-5, 0.5, 0},
                 .omega = {1.5, -0.5, 2.5}}}},
};

static void orientation_of(const solid *from, double q[4]) {
    const double *axis = from->axis;
    const double half = from->degrees / 2 * (3.14159265358979323846 / 180);
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = cos(half);
    for (int i = 0; i < 3; i++)
        q[1 + i] = sin(half) * axis[i] / length;
}

static penalty_body body_of(const solid *from) {
    penalty_body body = {.mass = from->mass};
    for (int i = 0; i < 3; i++) {
        const double b = from->semi_axes[(i + 1) % 3], c = from->semi_axes[(i + 2) % 3];
        body.inertia[i] = from->mass / 5 * (b * b + c * c);
        body.motion.velocity[i] = from->velocity[i];
        body.motion.omega[i] = from->omega[i];
    }
    orientation_of(from, body.motion.orientation);
    return body;
}

void penalty_semi_axes(const penalty_body *body, double semi_axes[3]) {
    const double *moments = body->inertia;
    for (int i = 0; i < 3; i++)
        semi_axes[i] =
            sqrt(5 / (2 * body->mass) * (moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i]));
}

/* The point, from its centre, at which an ellipsoid has a given outward normal: for semi-axes A in
 * its frame, A^2 d / |A d|. */
static void surface_point(const solid *from, const penalty_motion *motion, const double normal[3],
                          double sign, double r[3]) {
    double own[3], squared = 0;
    penalty_to_body(motion, normal, own);
    for (int i = 0; i < 3; i++) {
        own[i] *= sign * from->semi_axes[i];
        squared += own[i] * own[i];
        own[i] *= from->semi_axes[i];
    }
    for (int i = 0; i < 3; i++)
        own[i] /= sqrt(squared);
    penalty_to_world(motion, own, r);
}

/* Puts the bodies so that they touch at `contact`, and 0 = sum m p = sum m v. */
static void centre(penalty_system *system, const double r1[3], const double r2[3],
                   double contact[3]) {
    penalty_body *body1 = &system->bodies[0], *body2 = &system->bodies[1];
    const double share1 = body1->mass / (body1->mass + body2->mass);
    const double share2 = body2->mass / (body1->mass + body2->mass);
    for (int i = 0; i < 3; i++) {
        contact[i] = share1 * r1[i] + share2 * r2[i];
        body1->motion.position[i] = contact[i] - r1[i];
        body2->motion.position[i] = contact[i] - r2[i];
        const double drift =
            share1 * body1->motion.velocity[i] + share2 * body2->motion.velocity[i];
        body1->motion.velocity[i] -= drift;
        body2->motion.velocity[i] -= drift;
    }
}

/* The plane in which the bodies touch as a face of body 1, and the point as a tip of body 2. */
static void fit_face(penalty_system *system, const double r1[3], const double r2[3]) {
    penalty_contact *contact = &system->contacts[0];
    const penalty_motion *face = &system->bodies[0].motion;
    const double n[3] = {contact->normal[0], contact->normal[1], contact->normal[2]};
    contact->geometry = PENALTY_FACE;
    penalty_to_body(face, n, contact->normal);
    penalty_to_body(face, r1, contact->point);
    penalty_to_body(&system->bodies[1].motion, r2, contact->tip);
}

penalty_system penalty_scene(size_t scene, penalty_geometry geometry, double stiffness) {
    const scene_data *from = &scenes[scene];
    const double *n = from->normal;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    penalty_system system = {.body_count = 2, .contact_count = 1};
    penalty_contact *contact = &system.contacts[0];
    *contact = (penalty_contact){.body1 = 0, .body2 = 1, .geometry = PENALTY_FIXED};
    contact->stiffness = stiffness;
    for (int i = 0; i < 3; i++)
        contact->normal[i] = n[i] / length;
    double r[2][3];
    for (size_t i = 0; i < 2; i++) {
        system.bodies[i] = body_of(&from->bodies[i]);
        surface_point(&from->bodies[i], &system.bodies[i].motion, contact->normal, i ? -1 : 1,
                      r[i]);
    }
    centre(&system, r[0], r[1], contact->point);
    if (geometry == PENALTY_FACE) fit_face(&system, r[0], r[1]);
    return system;
}

/* One side of a batch of one pair, in its own frame. */
typedef struct side {
    double inverse_mass, inverse_inertia[3], zero, arm[3];
} side;

static side side_of(const penalty_body *body, const double point[3]) {
    side of = {.inverse_mass = 1 / body->mass};
    for (int i = 0; i < 3; i++) {
        of.inverse_inertia[i] = 1 / body->inertia[i];
        of.arm[i] = point[i] - body->motion.position[i];
    }
    return of;
}

static impinge_pair_side_f64 bodies_of(const side *of, const penalty_motion *motion) {
    const double *q = motion->orientation, *v = motion->velocity, *omega = motion->omega;
    return (impinge_pair_side_f64){.orientation = {.w = q, .x = q + 1, .y = q + 2, .z = q + 3},
                                   .inverse_mass = &of->inverse_mass,
                                   .inverse_inertia_xx = &of->inverse_inertia[0],
                                   .inverse_inertia_xy = &of->zero,
                                   .inverse_inertia_xz = &of->zero,
                                   .inverse_inertia_yy = &of->inverse_inertia[1],
                                   .inverse_inertia_yz = &of->zero,
                                   .inverse_inertia_zz = &of->inverse_inertia[2],
                                   .arm_x = &of->arm[0],
                                   .arm_y = &of->arm[1],
                                   .arm_z = &of->arm[2],
                                   .velocity_x = v,
                                   .velocity_y = v + 1,
                                   .velocity_z = v + 2,
                                   .angular_velocity_x = omega,
                                   .angular_velocity_y = omega + 1,
                                   .angular_velocity_z = omega + 2};
}

static impinge_body_results_f64 results_to(penalty_motion *motion) {
    double *v = motion->velocity, *omega = motion->omega;
    return (impinge_body_results_f64){.velocity_x = v,
                                      .velocity_y = v + 1,
                                      .velocity_z = v + 2,
                                      .angular_velocity_x = omega,
                                      .angular_velocity_y = omega + 1,
                                      .angular_velocity_z = omega + 2};
}

/* The normal points from body 1 to body 2, so that body 2 is A; an output may be the same array as
 * an input. */
void penalty_resolve(penalty_system *system, size_t contact, double fraction) {
    const penalty_contact *c = &system->contacts[contact];
    penalty_body *body1 = &system->bodies[c->body1], *body2 = &system->bodies[c->body2];
    const side a = side_of(body2, c->point), b = side_of(body1, c->point);
    const impinge_body_pairs_f64 pairs = {.count = 1,
                                          .a = bodies_of(&a, &body2->motion),
                                          .b = bodies_of(&b, &body1->motion),
                                          .normal_x = c->normal,
                                          .normal_y = c->normal + 1,
                                          .normal_z = c->normal + 2,
                                          .coefficients.damping_fraction.value = fraction};
    const impinge_options options = {.law = IMPINGE_LAW_FRICTIONLESS};
    const impinge_body_pair_results_f64 results = {.a = results_to(&body2->motion),
                                                   .b = results_to(&body1->motion)};
    const impinge_status status =
        impinge_resolve_body_pairs_f64(&pairs, NULL, &options, &results, NULL);
    if (status != IMPINGE_OK) fail("%s", impinge_status_text(status));
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double distance(const double a[3], const double b[3]) {
    const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(difference);
}

penalty_comparison penalty_compare(size_t scene, penalty_geometry geometry, double stiffness,
                                   size_t steps) {
    penalty_system by_penalty = penalty_scene(scene, geometry, stiffness);
    penalty_system by_lambda = penalty_scene(scene, PENALTY_FIXED, stiffness);
    penalty_comparison result = {NAN, NAN, NAN};
    if (!penalty_collide(&by_penalty, 0, steps, &result.lasted)) return result;
    penalty_resolve(&by_lambda, 0, 1);
    double velocity = 0, omega = 0, velocity_off = 0, omega_off = 0;
    for (size_t i = 0; i < 2; i++) {
        const penalty_motion *a = &by_penalty.bodies[i].motion, *b = &by_lambda.bodies[i].motion;
        velocity = fmax(velocity, length_of(b->velocity));
        omega = fmax(omega, length_of(b->omega));
        velocity_off = fmax(velocity_off, distance(a->velocity, b->velocity));
        omega_off = fmax(omega_off, distance(a->omega, b->omega));
    }
    result.velocity_error = velocity_off / velocity;
    result.omega_error = omega_off / omega;
    return result;
}
