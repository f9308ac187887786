/*
 * The penalty model of Hakenberg (examples/penalty): it keeps what it should keep, and as its
 * contacts stiffen it ends where the formula for lambda and impinge_resolve_body_pairs do.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "../examples/penalty/penalty_scenes.h"
#include "runs.h"
#include "targets.h"

static const double pi = 3.14159265358979323846;

static const penalty_geometry geometries[] = {PENALTY_FIXED, PENALTY_FACE};
static const char *const geometry_names[] = {"fixed", "face"};

/* Steps of a collision: with so many the Runge-Kutta method's own error is below rounding (it falls
 * as (pi / steps)^4 / 120). */
enum { STEPS = 1024 };

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double distance(const double a[3], const double b[3]) {
    const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(difference);
}

static penalty_system collided(size_t scene, penalty_geometry geometry, double stiffness,
                               size_t steps) {
    penalty_system system = penalty_scene(scene, geometry, stiffness);
    cr_assert(penalty_collide(&system, 0, steps, NULL), "%s: they do not part",
              penalty_scene_names[scene]);
    return system;
}

/* As Hakenberg assumes: 0 = sum m p = sum m v, to the rounding of their terms. */
Test(example_penalty, scenes_are_centred) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        const penalty_system system = penalty_scene(scene, PENALTY_FIXED, 1);
        double place[3] = {0, 0, 0}, drift[3] = {0, 0, 0}, places = 0, drifts = 0;
        for (size_t i = 0; i < 2; i++) {
            const penalty_body *body = &system.bodies[i];
            for (int j = 0; j < 3; j++) {
                place[j] += body->mass * body->motion.position[j];
                drift[j] += body->mass * body->motion.velocity[j];
            }
            places += body->mass * length_of(body->motion.position);
            drifts += body->mass * length_of(body->motion.velocity);
        }
        cr_expect(length_of(place) <= 8 * DBL_EPSILON * places, "%g of %g", length_of(place),
                  places);
        cr_expect(length_of(drift) <= 8 * DBL_EPSILON * drifts, "%g of %g", length_of(drift),
                  drifts);
    }
}

/* ---- Convergence to lambda ---- */

static double order_of(double error, double next) { return log10(error / next); }

/*
 * In a contact of duration T ~ k^-1/2 arms, normals and orientations turn by angles ~ T; so the
 * error is a T + b T^2 + ..., and its order in k is 1/2 + c T. From one decade to the next, what it
 * is off by thus falls by sqrt(10) in the end; where c happens to be small that shows late: below
 * 1e-3 it need only stay there. A wrong limit would bring the order to 0.
 */
static void check_orders(size_t scene, size_t geometry, const double *errors, size_t count) {
    const char *name = penalty_scene_names[scene], *kind = geometry_names[geometry];
    double off = fabs(order_of(errors[0], errors[1]) - 0.5);
    for (size_t i = 2; i < count; i++) {
        const double next = fabs(order_of(errors[i - 1], errors[i]) - 0.5);
        cr_expect(next <= fmax(off / 2, 1e-3), "%s, %s: the order is off by %g, then by %g", name,
                  kind, off, next);
        off = next;
    }
    cr_expect(off < 5e-3, "%s, %s: the order is off by %g", name, kind, off);
}

Test(example_penalty, converges_as_one_over_root_of_stiffness) {
    enum { DECADES = 5 };
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        for (size_t g = 0; g < 2; g++) {
            double velocity[DECADES], omega[DECADES];
            double stiffness = 1e8;
            for (size_t i = 0; i < DECADES; i++, stiffness *= 10) {
                const penalty_comparison row =
                    penalty_compare(scene, geometries[g], stiffness, STEPS);
                velocity[i] = row.velocity_error;
                omega[i] = row.omega_error;
            }
            check_orders(scene, g, velocity, DECADES);
            check_orders(scene, g, omega, DECADES);
        }
    }
}

/*
 * A fixed contact of duration T, to the first order in T. The force is nearly half a sine, so that
 * its impulse J is reached halfway on average: the centres have then moved by v T / 2 across n, and
 * the bodies turn by the mean of omega before and after:
 *
 *     L = R I omega +- (J r - lambda (T / 2) v) x n,   R(T) = R exp(T (omega + omega~) / 2).
 *
 * J is what keeps the energy.
 */
typedef struct first_order {
    penalty_system start, by_lambda;
    double lambda, duration;
} first_order;

static penalty_body body_after(const first_order *of, size_t i, double impulse) {
    const penalty_contact *c = &of->start.contacts[0];
    penalty_body body = of->start.bodies[i];
    const penalty_motion *before = &of->start.bodies[i].motion;
    const double sign = i ? 1 : -1, *n = c->normal;
    double arm[3], mean[3], push[3], own[3];
    for (int j = 0; j < 3; j++) {
        arm[j] = sign * (impulse * (c->point[j] - before->position[j]) -
                         of->lambda * of->duration / 2 * before->velocity[j]);
        mean[j] = (before->omega[j] + of->by_lambda.bodies[i].motion.omega[j]) / 2;
        body.motion.velocity[j] += sign * impulse / body.mass * n[j];
    }
    for (int j = 0; j < 3; j++)
        push[j] = arm[(j + 1) % 3] * n[(j + 2) % 3] - arm[(j + 2) % 3] * n[(j + 1) % 3];
    penalty_to_body(before, push, own);
    for (int j = 0; j < 3; j++)
        own[j] += body.inertia[j] * before->omega[j];
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        const double turned = own[j] - of->duration * (mean[k] * own[l] - mean[l] * own[k]);
        body.motion.omega[j] = turned / body.inertia[j];
    }
    return body;
}

static penalty_system system_after(const first_order *of, double impulse) {
    penalty_system system = of->start;
    for (size_t i = 0; i < 2; i++)
        system.bodies[i] = body_after(of, i, impulse);
    return system;
}

static penalty_system predicted(size_t scene, double stiffness) {
    first_order of = {.start = penalty_scene(scene, PENALTY_FIXED, stiffness)};
    of.by_lambda = of.start;
    penalty_resolve(&of.by_lambda, 0, 1);
    of.lambda = of.start.bodies[1].mass * distance(of.by_lambda.bodies[1].motion.velocity,
                                                   of.start.bodies[1].motion.velocity);
    of.duration = penalty_duration(&of.start, 0);
    const double energy = penalty_energy(&of.start);
    double impulse = of.lambda;
    for (int i = 0; i < 5; i++) { /* Newton's method; the energy's slope is the velocity along n */
        penalty_system system = system_after(&of, impulse);
        impulse -= (penalty_energy(&system) - energy) / penalty_separation(&system, 0);
    }
    return system_after(&of, impulse);
}

/* The rest of the error is of the second order: it falls as 1 / k. */
Test(example_penalty, first_order_is_what_turns_in_half_a_contact) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        double errors[2][3] = {{0}, {0}}, sizes[2] = {0, 0}, stiffness = 1e9;
        for (size_t i = 0; i < 3; i++, stiffness *= 10) {
            const penalty_system right = collided(scene, PENALTY_FIXED, stiffness, STEPS);
            const penalty_system found = predicted(scene, stiffness);
            for (size_t body = 0; body < 2; body++) {
                const penalty_motion *a = &right.bodies[body].motion;
                const penalty_motion *b = &found.bodies[body].motion;
                errors[0][i] = fmax(errors[0][i], distance(a->velocity, b->velocity));
                errors[1][i] = fmax(errors[1][i], distance(a->omega, b->omega));
                sizes[0] = fmax(sizes[0], length_of(a->velocity));
                sizes[1] = fmax(sizes[1], length_of(a->omega));
            }
        }
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 1; j < 3; j++)
                cr_expect(fabs(order_of(errors[i][j - 1], errors[i][j]) - 1) < 0.1,
                          "%s: %g, then %g of %g", penalty_scene_names[scene], errors[i][j - 1],
                          errors[i][j], sizes[i]);
        }
    }
}

/* Nothing turns in a head-on collision without spin: no stiffness is too small. */
Test(example_penalty, equals_lambda_if_nothing_turns) {
    penalty_system by_penalty = penalty_scene(0, PENALTY_FIXED, 1e3);
    const double *n = by_penalty.contacts[0].normal;
    for (int i = 0; i < 3; i++) {
        by_penalty.bodies[0].motion.velocity[i] = n[i];
        by_penalty.bodies[1].motion.velocity[i] = -n[i];
        by_penalty.bodies[0].motion.omega[i] = by_penalty.bodies[1].motion.omega[i] = 0;
    }
    penalty_system by_lambda = by_penalty;
    double lasted = 0;
    cr_assert(penalty_collide(&by_penalty, 0, STEPS, &lasted));
    /* Half the period of a spring with half a ball's mass. */
    const double half_period = pi * sqrt(by_penalty.bodies[0].mass / 2 / 1e3);
    cr_expect(fabs(lasted / half_period - 1) <= 4 * STEPS * DBL_EPSILON, "%.17g, not %.17g", lasted,
              half_period);
    penalty_resolve(&by_lambda, 0, 1);
    for (size_t i = 0; i < 2; i++) {
        const penalty_motion *a = &by_penalty.bodies[i].motion, *b = &by_lambda.bodies[i].motion;
        /* The velocity is a sum of 4 terms a step. */
        cr_expect(distance(a->velocity, b->velocity) <= 4 * STEPS * DBL_EPSILON, "%g",
                  distance(a->velocity, b->velocity));
        cr_expect(fabs(length_of(b->velocity) - 1) <= 8 * DBL_EPSILON);
    }
}

/* ---- What is kept ---- */

typedef struct kept {
    double linear[3], angular[3], energy;
} kept;

static kept kept_of(const penalty_system *system) {
    kept of;
    penalty_momentum(system, of.linear, of.angular);
    of.energy = penalty_energy(system);
    return of;
}

/* The sizes of the terms of which the momenta are sums. */
static void sizes_of(const penalty_system *system, double *linear, double *angular) {
    *linear = *angular = 0;
    for (size_t i = 0; i < system->body_count; i++) {
        const penalty_body *body = &system->bodies[i];
        const double momentum = body->mass * length_of(body->motion.velocity);
        *linear += momentum;
        *angular += length_of(body->motion.position) * momentum;
        for (int j = 0; j < 3; j++)
            *angular += body->inertia[j] * fabs(body->motion.omega[j]);
    }
}

/*
 * The momenta are sums of terms that change in STEPS steps by 4 additions each, every one of them
 * rounded; and so are positions, orientations and velocities, of which they are products.
 */
Test(example_penalty, keeps_momentum_and_angular_momentum) {
    const double rounding = 8 * STEPS * DBL_EPSILON;
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        for (size_t g = 0; g < 2; g++) {
            const penalty_system before = penalty_scene(scene, geometries[g], 1e8);
            const penalty_system after = collided(scene, geometries[g], 1e8, STEPS);
            const kept a = kept_of(&before), b = kept_of(&after);
            double linear, angular;
            sizes_of(&after, &linear, &angular);
            const char *name = penalty_scene_names[scene];
            cr_expect(distance(a.linear, b.linear) <= rounding * linear, "%s: %g of %g", name,
                      distance(a.linear, b.linear), linear);
            cr_expect(distance(a.angular, b.angular) <= rounding * angular, "%s: %g of %g", name,
                      distance(a.angular, b.angular), angular);
        }
    }
}

/*
 * The Runge-Kutta method takes (omega h)^6 / 72 of an oscillator's energy a step: pi^6 / (72 N^5)
 * in N steps of half a period, which is what the whole energy loses at most. The spring is an
 * oscillator but for terms of the contact's duration over the time in which a body turns by one
 * radian, which is here below 1e-2.
 */
Test(example_penalty, keeps_energy_to_the_fifth_power_of_steps) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        for (size_t steps = 32; steps <= 128; steps *= 2) {
            const penalty_system before = penalty_scene(scene, PENALTY_FIXED, 1e10);
            const penalty_system after = collided(scene, PENALTY_FIXED, 1e10, steps);
            const double lost = 1 - penalty_energy(&after) / penalty_energy(&before);
            const double bound = pow(pi, 6) / (72 * pow((double)steps, 5));
            cr_expect(fabs(lost) <= 1.01 * bound + 8 * (double)steps * DBL_EPSILON,
                      "%s, %zu steps: %g, not %g", penalty_scene_names[scene], steps, lost, bound);
            cr_expect(lost > bound / 10, "%s, %zu steps: %g is too good",
                      penalty_scene_names[scene], steps, lost);
        }
    }
}

/* Euler's equations alone: a body in the air keeps its angular momentum and energy with the fourth
 * power of the step, and comes back if time does. */
Test(example_penalty, free_flight) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        penalty_system start = penalty_scene(scene, PENALTY_FIXED, 1);
        start.contact_count = 0;
        const kept before = kept_of(&start);
        double linear, angular, off[2];
        sizes_of(&start, &linear, &angular);
        for (size_t i = 0; i < 2; i++) {
            penalty_system system = start;
            const size_t steps = (size_t)200 << i;
            for (size_t j = 0; j < steps; j++)
                penalty_step(&system, 0.5 / (double)steps);
            const kept after = kept_of(&system);
            off[i] = distance(before.angular, after.angular) / angular +
                     fabs(after.energy / before.energy - 1);
            for (size_t j = 0; j < steps; j++)
                penalty_step(&system, -0.5 / (double)steps);
            const double back =
                distance(system.bodies[1].motion.omega, start.bodies[1].motion.omega);
            cr_expect(back < 1e-3 * length_of(start.bodies[1].motion.omega), "%g", back);
        }
        /* Half the step: a 16th of the error, up to what the next order adds; or only rounding. */
        cr_expect(off[1] <= off[0] / 12 + 16 * 400 * DBL_EPSILON, "%s: %g, then %g",
                  penalty_scene_names[scene], off[0], off[1]);
        cr_expect(off[1] < 1e-4, "%s: %g", penalty_scene_names[scene], off[1]);
    }
}

/*
 * Bodies that turn as one, however each lies in its own frame, rub nowhere: friction and drag do
 * nothing. Springs so soft as these do not either.
 */
Test(example_penalty, no_friction_between_bodies_that_turn_as_one) {
    penalty_system system = penalty_scene(2, PENALTY_FIXED, 1e-3);
    penalty_contact *contact = &system.contacts[0];
    contact->friction = 1e9;
    contact->slip = 1;
    contact->spin_drag = 1e3;
    contact->depth = 1e-9;
    const double spin[3] = {1, -2, 3};
    for (size_t i = 0; i < 2; i++) {
        penalty_motion *motion = &system.bodies[i].motion;
        const double *p = motion->position;
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            motion->velocity[j] = spin[k] * p[l] - spin[l] * p[k];
        }
        penalty_to_body(motion, spin, motion->omega);
    }
    penalty_system apart = system;
    apart.contact_count = 0;
    penalty_step(&system, 1e-9);
    penalty_step(&apart, 1e-9);
    for (size_t i = 0; i < 2; i++) {
        const penalty_motion *a = &system.bodies[i].motion, *b = &apart.bodies[i].motion;
        /* A spin that is off by rounding, times drag, inertia and the step, is less than that. */
        cr_expect(distance(a->velocity, b->velocity) <= 16 * DBL_EPSILON);
        cr_expect(distance(a->omega, b->omega) <= 16 * DBL_EPSILON);
    }
}

/* Friction and drag act on both: momenta stay, energy does not. */
Test(example_penalty, friction_keeps_momentum) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        penalty_system system = penalty_scene(scene, PENALTY_FIXED, 1e6);
        penalty_contact *contact = &system.contacts[0];
        contact->friction = 0.2;
        contact->slip = 0.1;
        contact->spin_drag = 1e-4;
        contact->damping = 0.1;
        const kept before = kept_of(&system);
        cr_assert(penalty_collide(&system, 0, STEPS, NULL));
        const kept after = kept_of(&system);
        double linear, angular;
        sizes_of(&system, &linear, &angular);
        /* Friction turns with the slip, faster than the spring swings: the method's error shows. */
        cr_expect(distance(before.linear, after.linear) <= 8 * STEPS * DBL_EPSILON * linear);
        cr_expect(distance(before.angular, after.angular) <= 1e-9 * angular, "%g of %g",
                  distance(before.angular, after.angular), angular);
        cr_expect(after.energy < 0.999 * before.energy);
    }
}

/* ---- impinge ---- */

static penalty_system by_impinge(const penalty_system *before) {
    penalty_system after = *before;
    penalty_resolve(&after, 0, 1);
    return after;
}

/* R diag(axes^2) R^T of a body's ellipsoid. */
static void shape_of(const penalty_body *body, double shape[3][3]) {
    double lengths[3];
    penalty_semi_axes(body, lengths);
    for (int i = 0; i < 9; i++)
        shape[i / 3][i % 3] = 0;
    for (int k = 0; k < 3; k++) {
        const double own[3] = {k == 0 ? lengths[0] : 0, k == 1 ? lengths[1] : 0,
                               k == 2 ? lengths[2] : 0};
        double world[3];
        penalty_to_world(&body->motion, own, world);
        for (int i = 0; i < 9; i++)
            shape[i / 3][i % 3] += world[i / 3] * world[i % 3];
    }
}

/* d . S^-1 d by Cramer's rule. */
static double quadratic_form(const double s[3][3], const double d[3]) {
    double minors[3][3], determinant = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, e = (j + 2) % 3;
            minors[i][j] = s[a][c] * s[b][e] - s[a][e] * s[b][c];
        }
    }
    for (int j = 0; j < 3; j++)
        determinant += s[0][j] * minors[0][j];
    for (int i = 0; i < 9; i++)
        sum += d[i / 3] * minors[i / 3][i % 3] * d[i % 3];
    return sum / determinant;
}

/*
 * Perram and Wertheim's function of two ellipsoids: the square of the factor by which both have to
 * be blown up to touch; the maximum over s of s (1 - s) d . ((1 - s) A + s B)^-1 d.
 */
static double room_between(const penalty_system *system) {
    const penalty_body *bodies = system->bodies;
    double a[3][3], b[3][3], mixed[3][3], d[3], most = 0;
    shape_of(&bodies[0], a);
    shape_of(&bodies[1], b);
    for (int i = 0; i < 3; i++)
        d[i] = bodies[1].motion.position[i] - bodies[0].motion.position[i];
    for (int step = 1; step < 1000; step++) {
        const double s = step / 1000.0;
        for (int i = 0; i < 9; i++)
            mixed[i / 3][i % 3] = (1 - s) * a[i / 3][i % 3] + s * b[i / 3][i % 3];
        most = fmax(most, s * (1 - s) * quadratic_form((const double(*)[3])mixed, d));
    }
    return most;
}

/*
 * The bodies of the scenes are ellipsoids that touch, with the contact on both; and that is the
 * only time: neither before nor after do they come through each other. The maximum is known to the
 * square of the step in s.
 */
Test(example_penalty, bodies_touch_once) {
    static const double seconds[PENALTY_SCENES] = {0.07, 0.015, 0.4};
    enum { MOMENTS = 40, MOMENT_STEPS = 20 };
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        const penalty_system start = penalty_scene(scene, PENALTY_FIXED, 1);
        cr_expect(fabs(room_between(&start) - 1) < 1e-4, "%s: %g", penalty_scene_names[scene],
                  room_between(&start));
        for (int sense = -1; sense <= 1; sense += 2) {
            penalty_system system = sense > 0 ? by_impinge(&start) : start;
            system.contact_count = 0;
            for (int i = 1; i <= MOMENTS; i++) {
                for (int j = 0; j < MOMENT_STEPS; j++)
                    penalty_step(&system, sense * seconds[scene] / (MOMENTS * MOMENT_STEPS));
                cr_expect(room_between(&system) > 1, "%s at %g s: %g", penalty_scene_names[scene],
                          sense * i * seconds[scene] / MOMENTS, room_between(&system));
            }
        }
    }
}

enum { COLUMNS = 5 };

/*
 * The limit of a velocity as k goes to infinity: Richardson's extrapolation in powers of k^-1/2
 * from values for stiffnesses that grow by decades. The last column changes it by `change`.
 */
static double limit_of(const double values[COLUMNS], double *change) {
    double column[COLUMNS], last = 0;
    for (int i = 0; i < COLUMNS; i++)
        column[i] = values[i];
    for (int power = 1; power < COLUMNS; power++) {
        const double ratio = pow(10, 0.5 * power);
        last = column[COLUMNS - 1];
        for (int i = COLUMNS - 1; i >= power; i--)
            column[i] = (ratio * column[i] - column[i - 1]) / (ratio - 1);
    }
    *change = fabs(column[COLUMNS - 1] - last);
    return column[COLUMNS - 1];
}

/* That many numbers of a body's motion are velocities: v and omega. */
enum { VELOCITIES = 6 };

static double velocity_number(const penalty_motion *motion, size_t i) {
    return i < 3 ? motion->velocity[i] : motion->omega[i - 3];
}

/*
 * A face's depth is a difference of points that are turned and moved: some 30 roundings of terms of
 * their size, over the greatest depth, which is the spring's u_n T / pi.
 */
static double face_rounding(const penalty_system *start) {
    double size = 0;
    for (size_t i = 0; i < 2; i++) {
        const double *p = start->bodies[i].motion.position;
        size += 2 * length_of(p) + length_of(i ? start->contacts[0].tip : start->contacts[0].point);
    }
    const double deepest = -penalty_separation(start, 0) * penalty_duration(start, 0) / pi;
    return 32 * DBL_EPSILON * size / deepest;
}

/*
 * A body's velocities after a collision: the limit of the penalty model, against the library's. The
 * extrapolation's last change is what its last but one column was off by, and more than what its
 * last is. `rounding` is that of the runs, relative, which the columns at most double.
 */
static void check_body(const penalty_body *body, const penalty_motion runs[COLUMNS],
                       double rounding, const char *name) {
    const double sizes[2] = {length_of(body->motion.velocity), length_of(body->motion.omega)};
    for (size_t i = 0; i < VELOCITIES; i++) {
        double values[COLUMNS], change;
        for (size_t j = 0; j < COLUMNS; j++)
            values[j] = velocity_number(&runs[j], i);
        const double limit = limit_of(values, &change);
        const double size = sizes[i / 3], error = fabs(limit - velocity_number(&body->motion, i));
        cr_expect(error <= change + 2 * rounding * size,
                  "%s, number %zu: off by %g, known to %g of %g", name, i, error, change, size);
        cr_expect(change <= 1e-6 * size, "%s, number %zu: the limit is only known to %g of %g",
                  name, i, change, size);
    }
}

static void check_limit(size_t scene, penalty_geometry geometry) {
    penalty_motion runs[2][COLUMNS];
    double stiffness = 1e7;
    double rounding = 8 * STEPS * DBL_EPSILON; /* as of what is kept */
    for (size_t i = 0; i < COLUMNS; i++) {
        stiffness *= 10;
        const penalty_system run = collided(scene, geometry, stiffness, STEPS);
        runs[0][i] = run.bodies[0].motion;
        runs[1][i] = run.bodies[1].motion;
    }
    if (geometry == PENALTY_FACE) {
        const penalty_system stiffest = penalty_scene(scene, geometry, stiffness);
        rounding += face_rounding(&stiffest);
    }
    const penalty_system start = penalty_scene(scene, PENALTY_FIXED, 1);
    const penalty_system after = by_impinge(&start);
    for (size_t i = 0; i < 2; i++)
        check_body(&after.bodies[i], runs[i], rounding, penalty_scene_names[scene]);
}

static void check_limits(const char *target, void *user) {
    (void)user;
    (void)target;
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++)
        for (size_t g = 0; g < 2; g++)
            check_limit(scene, geometries[g]);
}

Test(example_penalty, tends_to_what_impinge_gives) { for_each_target(check_limits, NULL); }

/* ---- Several bodies ---- */

/*
 * Three equal balls in a row, of mass 1; the first comes with velocity 1 and the other two touch.
 * For springs of stiffness 1, d12 + d23 swings with frequency 1 and d12 - d23 with sqrt(3) until
 * the first contact opens, at the zero of d12; then the other two are an oscillator of frequency
 * sqrt(2).
 */
static void chain_velocities(double v[3]) {
    const double root = sqrt(3);
    double low = pi / 2, high = pi;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(sin(middle) + sin(root * middle) / root > 0 ? &low : &high) = middle;
    }
    const double d23 = (sin(low) - sin(root * low) / root) / 2;
    const double rate12 = (cos(low) + cos(root * low)) / 2;
    const double rate23 = (cos(low) - cos(root * low)) / 2;
    v[0] = (1 + 2 * rate12 + rate23) / 3;
    const double parting = sqrt(rate23 * rate23 + 2 * d23 * d23);
    v[1] = (1 - v[0] - parting) / 2;
    v[2] = (1 - v[0] + parting) / 2;
}

Test(example_penalty, chain_of_three) {
    penalty_system system = {.body_count = 3, .contact_count = 2};
    for (size_t i = 0; i < 3; i++) {
        system.bodies[i] =
            (penalty_body){.mass = 1,
                           .inertia = {1, 1, 1},
                           .motion = {.position = {(double)i, 0, 0}, .orientation = {1, 0, 0, 0}}};
    }
    for (size_t i = 0; i < 2; i++) {
        system.contacts[i] = (penalty_contact){.body1 = i,
                                               .body2 = i + 1,
                                               .geometry = PENALTY_FIXED,
                                               .normal = {1, 0, 0},
                                               .point = {(double)i + 0.5, 0, 0},
                                               .stiffness = 1};
    }
    system.bodies[0].motion.velocity[0] = 1;
    const double step = 1e-3;
    for (int i = 0; i < 8000; i++)
        penalty_step(&system, step);
    double right[3];
    chain_velocities(right);
    cr_expect(right[0] < right[1] && right[1] < right[2]);
    for (size_t i = 0; i < 3; i++) {
        /* Each contact opens within a step, which misses a force of the order of the step for so
         * long. */
        cr_expect(fabs(system.bodies[i].motion.velocity[0] - right[i]) <= 2 * step * step,
                  "ball %zu: %.9g, not %.9g", i, system.bodies[i].motion.velocity[0], right[i]);
    }
}

/* ---- The ground ---- */

/* A disc on an axle that stands on the ground; no friction. */
static penalty_system top_on_ice(double tilt, double spin, double precession) {
    const double mass = 0.1, height = 0.05, stiffness = 1e4, gravity = 9.81;
    penalty_system system = {.body_count = 2, .contact_count = 1, .gravity = {0, 0, -gravity}};
    system.bodies[0] = (penalty_body){.mass = INFINITY, .motion.orientation = {1, 0, 0, 0}};
    system.bodies[1] = (penalty_body){
        .mass = mass,
        .inertia = {8e-5, 8e-5, 1.2e-4},
        .motion = {.position = {0, 0, height * cos(tilt) - mass * gravity / stiffness},
                   .orientation = {cos(tilt / 2), sin(tilt / 2), 0, 0},
                   .omega = {0, precession * sin(tilt), spin}}};
    system.contacts[0] = (penalty_contact){.body1 = 0,
                                           .body2 = 1,
                                           .geometry = PENALTY_FACE,
                                           .normal = {0, 0, 1},
                                           .tip = {0, 0, -height},
                                           .stiffness = stiffness};
    return system;
}

/*
 * A top on ice precesses steadily about the vertical through its centre if the weight's moment is
 * m g l = Omega (I_3 omega_3 - I_1 Omega cos(tilt)): its centre rests and its tilt stays. What is
 * off is the Runge-Kutta method's error, which starts small oscillations: for 20,000 steps of
 * which spin omega_3 h = 0.005 is the fastest motion, (omega_3 h)^4 / 120 x (omega_3 t) ~ 1e-10.
 */
Test(example_penalty, top_precesses_steadily_on_ice) {
    const double tilt = 0.4, precession = 5, moment = 0.1 * 9.81 * 0.05;
    const double spin = (moment / precession + 8e-5 * precession * cos(tilt)) / 1.2e-4;
    penalty_system system = top_on_ice(tilt, spin, precession);
    const double step = 5e-5;
    const int steps = 20000;
    for (int i = 0; i < steps; i++)
        penalty_step(&system, step);
    const penalty_motion *top = &system.bodies[1].motion;
    const double up[3] = {0, 0, 1};
    const double start[3] = {0, -sin(tilt), cos(tilt)}; /* the axle, turned about x */
    const double turned = precession * step * steps;
    const double expected[3] = {start[0] * cos(turned) - start[1] * sin(turned),
                                start[0] * sin(turned) + start[1] * cos(turned), start[2]};
    double axle[3];
    penalty_to_world(top, up, axle);
    cr_expect(distance(axle, expected) < 1e-9, "%g", distance(axle, expected));
    cr_expect(hypot(top->position[0], top->position[1]) < 1e-12);
    cr_expect(fabs(penalty_separation(&system, 0)) < 1e-9, "%g", penalty_separation(&system, 0));
}

/* A spinning top on rough ground slows down, tips over and comes to lie on its rim; springs and
 * friction only ever take energy. */
Test(example_penalty, rim_and_friction_take_energy_only) {
    penalty_system system = top_on_ice(0.4, 100, 0);
    system.contacts[0].friction = 0.3;
    system.contacts[0].slip = 0.01;
    system.contacts[0].damping = 1;
    system.contacts[0].spin_drag = 3e-5;
    system.contacts[1] = system.contacts[0];
    system.contacts[1].tip[2] = 0;
    system.contacts[1].rim = 0.05;
    system.contact_count = 2;
    double energy = penalty_energy(&system);
    const double first = energy;
    bool rim_touched = false;
    for (int i = 0; i < 100000; i++) {
        penalty_step(&system, 5e-5);
        const double next = penalty_energy(&system);
        /* In a step in which a contact begins or ends, the method is of order 1. */
        cr_assert(next <= energy + 1e-6 * first, "step %d: %g, then %g", i, energy, next);
        energy = next;
        rim_touched = rim_touched || penalty_depth(&system, 1) > 0;
    }
    cr_expect(rim_touched, "it still stands");
    cr_expect(energy < first / 2, "%g of %g", energy, first);
    cr_expect(penalty_depth(&system, 0) < 1e-3 && penalty_depth(&system, 1) < 1e-3);
}

/* ---- The example ---- */

/* The table's rows are what the model says, to the digits that are printed. */
static void expect_row(const char *line, size_t scene, penalty_geometry geometry) {
    double stiffness, lasted, velocity, omega;
    char order[2][16];
    cr_assert(sscanf(line, "%lf %lf %lf %15s %lf %15s", &stiffness, &lasted, &velocity, order[0],
                     &omega, order[1]) == 6);
    const penalty_comparison row = penalty_compare(scene, geometry, stiffness, 256);
    cr_expect(fabs(lasted / row.lasted - 1) < 1e-5);
    cr_expect(fabs(velocity / row.velocity_error - 1) < 1e-6);
    cr_expect(fabs(omega / row.omega_error - 1) < 1e-6);
    if (stiffness < 2e4) return;
    const penalty_comparison softer = penalty_compare(scene, geometry, stiffness / 10, 256);
    cr_expect(fabs(strtod(order[0], NULL) - log10(softer.velocity_error / row.velocity_error)) <
              1e-3);
    cr_expect(fabs(strtod(order[1], NULL) - log10(softer.omega_error / row.omega_error)) < 1e-3);
}

Test(example_penalty, example_prints_the_table) {
    static const char *const commands[] = {"--steps 256", "--steps 256 --geometry face"};
    for (size_t i = 0; i < 2; i++) {
        program_run of = run_quietly(EXAMPLE("penalty"), commands[i]);
        cr_assert(of.code == 0);
        const char *at = of.text;
        for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
            at = strstr(at, penalty_scene_names[scene]);
            cr_assert(at != NULL);
            at = strchr(strchr(at, '\n') + 1, '\n') + 1; /* its name, and the names of columns */
            for (int row = 0; row < 9; row++) {
                expect_row(at, scene, i ? PENALTY_FACE : PENALTY_FIXED);
                at = strchr(at, '\n') + 1;
            }
        }
        cr_expect(*at == '\0', "%s", at);
        free(of.text);
    }
}

Test(example_penalty, example_says_what_is_wrong) {
    expect_refusal(EXAMPLE("penalty"), "--geometry round", "there is no 'round'");
    expect_refusal(EXAMPLE("penalty"), "--steps 0", "--steps");
}
