#include "film.h"

#include <math.h>
#include <stdlib.h>

#include "../penalty/penalty_scenes.h"
#include "support/fail.h"

/* ---- Two bodies ---- */

/* Enough frames for a motion that looks smooth; as many before the contact as after. */
enum { FRAMES_BEFORE = 30, FRAMES_AFTER = 35 };

/* Seconds from frame to frame: a body moves some tenths of its size before it touches. */
static const double intervals[PENALTY_SCENES] = {0.0022, 0.0005, 0.012};

/* Steps from frame to frame in the air: the fastest spins turn by a hundredth of a radian each. */
enum { FREE_STEPS = 50 };

/* Steps while a contact lasts. */
enum { CONTACT_STEPS = 500 };

static void fly(penalty_system *system, double seconds) {
    penalty_system free = *system;
    free.contact_count = 0;
    for (int i = 0; i < FREE_STEPS; i++)
        penalty_step(&free, seconds / FREE_STEPS);
    for (size_t i = 0; i < system->body_count; i++)
        system->bodies[i].motion = free.bodies[i].motion;
}

/* Goes on by a time during which the bodies may still touch; once they part, they fly. */
static void press(penalty_system *system, double seconds) {
    const double longest = penalty_duration(system, 0) / CONTACT_STEPS;
    const int steps = (int)ceil(seconds / longest);
    for (int i = 0; i < steps; i++) {
        penalty_step(system, seconds / steps);
        if (penalty_depth(system, 0) > 0) continue;
        system->contact_count = 0;
        fly(system, seconds * (steps - 1 - i) / steps);
        return;
    }
}

static void resolve(penalty_system *system, double fraction) {
    penalty_resolve(system, 0, fraction);
    system->contact_count = 0;
}

static scene_film film_allocate(size_t count, double interval) {
    return (scene_film){
        .states = allocate(count, sizeof(penalty_system)), .count = count, .interval = interval};
}

scene_film film_of_scene(size_t scene, scene_collision by) {
    scene_film film = film_allocate(FRAMES_BEFORE + 1 + FRAMES_AFTER, intervals[scene]);
    penalty_system *contact = &film.states[FRAMES_BEFORE];
    *contact = penalty_scene(scene, PENALTY_FIXED, by.stiffness);
    film.contact = FRAMES_BEFORE;
    for (size_t i = FRAMES_BEFORE; i > 0; i--) {
        film.states[i - 1] = film.states[i];
        fly(&film.states[i - 1], -film.interval);
    }
    penalty_system now = *contact;
    if (!(by.stiffness > 0)) resolve(&now, by.fraction);
    for (size_t i = FRAMES_BEFORE + 1; i < film.count; i++) {
        if (now.contact_count > 0)
            press(&now, film.interval);
        else
            fly(&now, film.interval);
        film.states[i] = now;
    }
    if (now.contact_count > 0) fail("so soft a contact does not end in the time that is shown");
    return film;
}

/* ---- The gyroscope ---- */

/* Half the length of its axle, m; impinge.plots draws it. */
static const double gyroscope_height = 0.05;

/* A disc of 10 cm, as an ellipsoid, in the middle of an axle whose tip stands on the ground. */
static penalty_system gyroscope(void) {
    const double mass = 0.1, radius = 0.05, half_thickness = 0.008, gravity = 9.81, tilt = 0.35;
    const double spin = 160;
    const double across = mass / 5 * (radius * radius + half_thickness * half_thickness);
    penalty_system system = {.body_count = 2, .contact_count = 2, .gravity = {0, 0, -gravity}};
    system.bodies[0] = (penalty_body){.mass = INFINITY, .motion.orientation = {1, 0, 0, 0}};
    system.bodies[1] =
        (penalty_body){.mass = mass,
                       .inertia = {across, across, mass / 5 * 2 * radius * radius},
                       .motion = {.position = {0, 0, gyroscope_height * cos(tilt)},
                                  .orientation = {cos(tilt / 2), sin(tilt / 2), 0, 0},
                                  .omega = {0, 0, spin}}};
    /*
     * It sinks in by 0.1 mm at rest; damped to a tenth of what would keep it from swinging.
     * Hakenberg slows down velocities "when bodies are in contact": by friction, and the spin by a
     * torque that takes 1/e of it in three seconds.
     */
    penalty_contact tip = {.body1 = 0,
                           .body2 = 1,
                           .geometry = PENALTY_FACE,
                           .normal = {0, 0, 1},
                           .tip = {0, 0, -gyroscope_height},
                           .stiffness = 1e4,
                           .damping = 0.1 * 2 * sqrt(1e4 * mass),
                           .friction = 0.3,
                           .slip = 0.01,
                           .spin_drag = system.bodies[1].inertia[2] / 3};
    system.contacts[0] = tip;
    tip.tip[2] = 0;
    tip.rim = radius;
    system.contacts[1] = tip;
    return system;
}

/* As many as make the ways of the axle's ends smooth. */
enum { GYROSCOPE_STATES = 480 };

/* Between states, s. Afterwards it only rolls on, on tip and rim. */
static const double gyroscope_interval = 0.008;

scene_film film_of_gyroscope(void) {
    scene_film film = film_allocate(GYROSCOPE_STATES, gyroscope_interval);
    penalty_system now = gyroscope();
    /* 200 steps in a contact's period, fewer as the rim touches, which is lighter. */
    const double longest = penalty_duration(&now, 0) / 200;
    const int steps = (int)ceil(film.interval / longest);
    for (size_t i = 0; i < film.count; i++) {
        film.states[i] = now;
        if (film.contact == 0 && penalty_depth(&now, 1) > 0) film.contact = i;
        for (int j = 0; j < steps; j++)
            penalty_step(&now, film.interval / steps);
    }
    return film;
}

void film_free(scene_film *film) { free(film->states); }
