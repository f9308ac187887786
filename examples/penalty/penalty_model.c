/* Hakenberg, "A mathematical solution to the problem", its first section. */
#include "penalty_model.h"

#include <math.h>

#include "support/vector.h"

static const double pi = 3.14159265358979323846;

/* to += factor * v */
static void add(double *to, double factor, const double *v, int count) {
    for (int i = 0; i < count; i++)
        to[i] += factor * v[i];
}

static double squared_length(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/* R of a quaternion of any length: between the stages of a step it is not quite 1. */
static void rotation(const penalty_motion *of, double r[3][3]) {
    const double *q = of->orientation;
    const double s = 2 / squared_length(q);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double *v = q + 1;
        r[i][i] = 1 - s * (v[j] * v[j] + v[k] * v[k]);
        r[i][j] = s * (v[i] * v[j] - q[0] * v[k]);
        r[j][i] = s * (v[i] * v[j] + q[0] * v[k]);
    }
}

void penalty_to_world(const penalty_motion *of, const double own[3], double world[3]) {
    double r[3][3];
    rotation(of, r);
    for (int i = 0; i < 3; i++)
        world[i] = dot3(r[i], own);
}

void penalty_to_body(const penalty_motion *of, const double world[3], double own[3]) {
    double r[3][3];
    rotation(of, r);
    for (int i = 0; i < 3; i++)
        own[i] = r[0][i] * world[0] + r[1][i] * world[1] + r[2][i] * world[2];
}

static bool is_immovable(const penalty_body *body) { return isinf(body->mass); }

/* The place of a contact, in the world. */
typedef struct touch {
    double point[3], normal[3];
    double depth;
} touch;

/* The tip; or the point of the rim that is farthest against the normal. */
static void find_tip(const penalty_contact *c, const penalty_motion *of, const double normal[3],
                     double point[3]) {
    double own[3], tip[3] = {c->tip[0], c->tip[1], c->tip[2]};
    penalty_to_body(of, normal, own);
    const double across = hypot(own[0], own[1]);
    if (across > 0) {
        tip[0] -= c->rim * own[0] / across;
        tip[1] -= c->rim * own[1] / across;
    }
    penalty_to_world(of, tip, point);
    add(point, 1, of->position, 3);
}

static touch touch_of(const penalty_system *system, const penalty_contact *c) {
    touch at = {.depth = c->depth};
    if (c->geometry == PENALTY_FIXED) {
        for (int i = 0; i < 3; i++) {
            at.point[i] = c->point[i];
            at.normal[i] = c->normal[i];
        }
        return at;
    }
    const penalty_motion *face = &system->bodies[c->body1].motion;
    double from[3];
    penalty_to_world(face, c->normal, at.normal);
    find_tip(c, &system->bodies[c->body2].motion, at.normal, at.point);
    penalty_to_world(face, c->point, from);
    add(from, 1, face->position, 3);
    at.depth = dot3(from, at.normal) - dot3(at.point, at.normal);
    return at;
}

/* r, and the velocity v + R omega x r of the body's matter at a point. */
static void velocity_at(const penalty_motion *of, const double point[3], double r[3],
                        double velocity[3]) {
    double spin[3];
    for (int i = 0; i < 3; i++)
        r[i] = point[i] - of->position[i];
    penalty_to_world(of, of->omega, spin);
    cross3(spin, r, velocity);
    add(velocity, 1, of->velocity, 3);
}

/* The separation velocity: that of body 2 less that of body 1. */
static void separation_of(const penalty_system *system, const penalty_contact *c, const touch *at,
                          double r1[3], double r2[3], double u[3]) {
    double u1[3];
    velocity_at(&system->bodies[c->body1].motion, at->point, r1, u1);
    velocity_at(&system->bodies[c->body2].motion, at->point, r2, u);
    add(u, -1, u1, 3);
}

double penalty_depth(const penalty_system *of, size_t contact) {
    return touch_of(of, &of->contacts[contact]).depth;
}

double penalty_separation(const penalty_system *of, size_t contact) {
    const penalty_contact *c = &of->contacts[contact];
    const touch at = touch_of(of, c);
    double r1[3], r2[3], u[3];
    separation_of(of, c, &at, r1, r2, u);
    return dot3(u, at.normal);
}

/* 1/m n . n + q . I q, where I q = R^-1 (r x n). */
static double yielding(const penalty_body *body, const touch *at) {
    if (is_immovable(body)) return 0;
    double r[3], unused[3], world[3], own[3];
    velocity_at(&body->motion, at->point, r, unused);
    cross3(r, at->normal, world);
    penalty_to_body(&body->motion, world, own);
    double sum = 1 / body->mass;
    for (int i = 0; i < 3; i++)
        sum += own[i] * own[i] / body->inertia[i];
    return sum;
}

double penalty_duration(const penalty_system *of, size_t contact) {
    const penalty_contact *c = &of->contacts[contact];
    const touch at = touch_of(of, c);
    const double mass =
        1 / (yielding(&of->bodies[c->body1], &at) + yielding(&of->bodies[c->body2], &at));
    return pi / sqrt(c->stiffness / mass);
}

/* The rates of everything that moves; while they are summed up, velocity holds the force and omega
 * the torque in the body's frame. */
typedef struct rates {
    penalty_motion bodies[PENALTY_BODIES_MAX];
    double depths[PENALTY_CONTACTS_MAX];
} rates;

/* The force on body 2: mu n, and friction against the slip. */
static void force_of(const penalty_contact *c, const touch *at, const double u[3],
                     double force[3]) {
    const double approach = -dot3(u, at->normal);
    const double pressure = fmax(0, c->stiffness * at->depth + c->damping * approach);
    double slip[3] = {u[0], u[1], u[2]};
    add(slip, approach, at->normal, 3);
    const double speed = sqrt(dot3(slip, slip) + c->slip * c->slip);
    for (int i = 0; i < 3; i++) {
        force[i] = pressure * at->normal[i];
        if (c->friction > 0) force[i] -= c->friction * pressure * slip[i] / speed;
    }
}

/* +-force and +-(r x force + torque). */
static void push(const penalty_body *body, penalty_motion *rate, double sign, const double r[3],
                 const double force[3], const double torque[3]) {
    double world[3], own[3];
    cross3(r, force, world);
    add(world, 1, torque, 3);
    penalty_to_body(&body->motion, world, own);
    add(rate->velocity, sign, force, 3);
    add(rate->omega, sign, own, 3);
}

static void press(const penalty_system *system, size_t contact, rates *to) {
    const penalty_contact *c = &system->contacts[contact];
    const penalty_body *body1 = &system->bodies[c->body1], *body2 = &system->bodies[c->body2];
    const touch at = touch_of(system, c);
    double r1[3], r2[3], u[3], force[3], torque[3], spin[3];
    separation_of(system, c, &at, r1, r2, u);
    to->depths[contact] = -dot3(u, at.normal);
    if (!(at.depth > 0)) return;
    force_of(c, &at, u, force);
    penalty_to_world(&body1->motion, body1->motion.omega, torque);
    penalty_to_world(&body2->motion, body2->motion.omega, spin);
    for (int i = 0; i < 3; i++)
        torque[i] = c->spin_drag * (torque[i] - spin[i]);
    push(body1, &to->bodies[c->body1], -1, r1, force, torque);
    push(body2, &to->bodies[c->body2], 1, r2, force, torque);
}

/* Euler's equations: a = F / m + g and I tau = -Omega I omega + R^-1 torque. */
static void accelerate(const penalty_body *body, const double gravity[3], penalty_motion *rate) {
    const double *omega = body->motion.omega;
    double momentum[3], turning[3];
    for (int i = 0; i < 3; i++)
        momentum[i] = body->inertia[i] * omega[i];
    cross3(omega, momentum, turning);
    for (int i = 0; i < 3; i++) {
        rate->velocity[i] = rate->velocity[i] / body->mass + gravity[i];
        rate->omega[i] = (rate->omega[i] - turning[i]) / body->inertia[i];
    }
}

/* d_t p = v, and d_t q = q omega / 2 for a quaternion q. */
static void move(const penalty_motion *motion, penalty_motion *rate) {
    const double *q = motion->orientation, *omega = motion->omega;
    double turned[3];
    cross3(q + 1, omega, turned);
    rate->orientation[0] = -dot3(q + 1, omega) / 2;
    for (int i = 0; i < 3; i++) {
        rate->position[i] = motion->velocity[i];
        rate->orientation[1 + i] = (q[0] * omega[i] + turned[i]) / 2;
    }
}

static rates rates_of(const penalty_system *system) {
    rates of = {0};
    for (size_t i = 0; i < system->contact_count; i++)
        press(system, i, &of);
    for (size_t i = 0; i < system->body_count; i++) {
        const penalty_body *body = &system->bodies[i];
        if (is_immovable(body)) {
            of.bodies[i] = (penalty_motion){{0}, {0}, {0}, {0}};
            continue;
        }
        accelerate(body, system->gravity, &of.bodies[i]);
        move(&body->motion, &of.bodies[i]);
    }
    return of;
}

/* system += seconds * rate */
static void advance(penalty_system *system, double seconds, const rates *rate) {
    for (size_t i = 0; i < system->body_count; i++) {
        penalty_motion *motion = &system->bodies[i].motion;
        const penalty_motion *by = &rate->bodies[i];
        add(motion->position, seconds, by->position, 3);
        add(motion->orientation, seconds, by->orientation, 4);
        add(motion->velocity, seconds, by->velocity, 3);
        add(motion->omega, seconds, by->omega, 3);
    }
    for (size_t i = 0; i < system->contact_count; i++)
        system->contacts[i].depth += seconds * rate->depths[i];
}

static rates rates_after(const penalty_system *system, double seconds, const rates *rate) {
    penalty_system later = *system;
    advance(&later, seconds, rate);
    return rates_of(&later);
}

static void normalise(double q[4]) {
    const double length = sqrt(squared_length(q));
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

void penalty_step(penalty_system *system, double seconds) {
    const rates stage1 = rates_of(system);
    const rates stage2 = rates_after(system, seconds / 2, &stage1);
    const rates stage3 = rates_after(system, seconds / 2, &stage2);
    const rates stage4 = rates_after(system, seconds, &stage3);
    advance(system, seconds / 6, &stage1);
    advance(system, seconds / 3, &stage2);
    advance(system, seconds / 3, &stage3);
    advance(system, seconds / 6, &stage4);
    for (size_t i = 0; i < system->body_count; i++)
        normalise(system->bodies[i].motion.orientation);
}

/* The part of a step after which the depth is 0, by bisection to the last bit. */
static double step_to_parting(const penalty_system *system, size_t contact, double step) {
    double low = 0, high = step;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) return middle;
        penalty_system later = *system;
        penalty_step(&later, middle);
        *(penalty_depth(&later, contact) > 0 ? &low : &high) = middle;
    }
}

bool penalty_collide(penalty_system *system, size_t contact, size_t steps, double *lasted) {
    const double step = penalty_duration(system, contact) / (double)steps;
    if (lasted) *lasted = 0;
    if (penalty_separation(system, contact) >= 0) return true;
    for (size_t i = 0; i < 8 * steps; i++) {
        const penalty_system before = *system;
        penalty_step(system, step);
        if (penalty_depth(system, contact) > 0) continue;
        const double last = step_to_parting(&before, contact, step);
        *system = before;
        penalty_step(system, last);
        system->contacts[contact].depth = 0;
        if (lasted) *lasted = (double)i * step + last;
        return true;
    }
    return false;
}

static double energy_of_body(const penalty_body *body, const double gravity[3]) {
    const penalty_motion *motion = &body->motion;
    double twice = body->mass * dot3(motion->velocity, motion->velocity);
    for (int i = 0; i < 3; i++)
        twice += body->inertia[i] * motion->omega[i] * motion->omega[i];
    return twice / 2 - body->mass * dot3(gravity, motion->position);
}

double penalty_energy(const penalty_system *of) {
    double energy = 0;
    for (size_t i = 0; i < of->body_count; i++)
        if (!is_immovable(&of->bodies[i])) energy += energy_of_body(&of->bodies[i], of->gravity);
    for (size_t i = 0; i < of->contact_count; i++) {
        const double depth = fmax(0, penalty_depth(of, i));
        energy += of->contacts[i].stiffness * depth * depth / 2;
    }
    return energy;
}

void penalty_momentum(const penalty_system *of, double linear[3], double angular[3]) {
    for (int i = 0; i < 3; i++)
        linear[i] = angular[i] = 0;
    for (size_t i = 0; i < of->body_count; i++) {
        const penalty_body *body = &of->bodies[i];
        if (is_immovable(body)) continue;
        double orbital[3], own[3], spin[3];
        cross3(body->motion.position, body->motion.velocity, orbital);
        for (int j = 0; j < 3; j++)
            own[j] = body->inertia[j] * body->motion.omega[j];
        penalty_to_world(&body->motion, own, spin);
        add(linear, body->mass, body->motion.velocity, 3);
        add(angular, body->mass, orbital, 3);
        add(angular, 1, spin, 3);
    }
}
