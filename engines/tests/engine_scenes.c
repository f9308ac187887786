#include "engine_scenes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../scenes/drawn.h"

static const double gravity_earth = -9.81;

static scene scene_new(const char *name, size_t bodies) {
    scene s = {.name = name, .bodies = bodies, .body = calloc(bodies, sizeof(scene_body))};
    if (!s.body) abort();
    for (size_t i = 0; i < bodies; i++)
        s.body[i].turn[2] = 1;
    return s;
}

void scene_free(scene *s) { free(s->body); }

scene scene_cradle(double gap) {
    const double radius = 0.1;
    scene s = scene_new("cradle", 5);
    s.restitution = 1;
    s.seconds = 0.5;
    for (size_t i = 0; i < s.bodies; i++) {
        s.body[i].sphere = true;
        s.body[i].half[0] = radius;
        s.body[i].mass = 1;
        s.body[i].x[0] = (2 * radius + gap) * (double)i;
    }
    s.body[0].x[0] = -0.5;
    s.body[0].v[0] = 2;
    return s;
}

scene scene_corner(void) {
    scene s = scene_new("corner", 1);
    s.floor = true;
    s.gravity = gravity_earth;
    s.restitution = 0.5;
    s.friction = 0.4;
    s.seconds = 3;
    scene_body *const b = &s.body[0];
    b->mass = 1;
    b->half[0] = b->half[1] = b->half[2] = 0.2;
    b->x[2] = 1.5;
    /* A diagonal of the cube stands upright: acos(1 / sqrt(3)) about (1, -1, 0). */
    const double turn[4] = {sqrt(0.5), -sqrt(0.5), 0, acos(1 / sqrt(3.0))}, spin[3] = {3, 1, 12};
    memcpy(b->turn, turn, sizeof turn);
    memcpy(b->w, spin, sizeof spin);
    return s;
}

scene scene_boxes(size_t boxes) {
    scene s = scene_new("boxes", boxes);
    uint64_t seed = 7;
    s.floor = true;
    s.gravity = gravity_earth;
    s.restitution = 0.5;
    s.friction = 0.4;
    s.seconds = 6;
    for (size_t i = 0; i < boxes; i++) {
        scene_body *const b = &s.body[i];
        const double r = 0.08 + 0.1 * drawn(&seed), density = 320;
        b->half[0] = r;
        b->half[1] = r * (0.6 + 0.4 * drawn(&seed));
        b->half[2] = r * (0.6 + 0.4 * drawn(&seed));
        b->mass = density * r * r * r;
        /* Layers of 5 by 5. */
        b->x[0] = 0.65 * ((double)(i % 5) - 2);
        b->x[1] = 0.65 * ((double)(i / 5 % 5) - 2);
        b->x[2] = 0.65 + 0.65 * (double)(i / 25);
        double length = 0;
        for (size_t k = 0; k < 3; k++) {
            b->turn[k] = drawn(&seed) - 0.5;
            length += b->turn[k] * b->turn[k];
        }
        for (size_t k = 0; k < 3; k++)
            b->turn[k] /= sqrt(length);
        b->turn[3] = 6.28 * drawn(&seed);
        for (size_t k = 0; k < 3; k++)
            b->w[k] = 6 * (drawn(&seed) - 0.5);
    }
    return s;
}

scene scene_oblique(void) {
    scene s = scene_new("oblique", 2);
    s.restitution = 0.6;
    s.friction = 0.3;
    const double overlap = 1e-9, n[3] = {0.6, 0.48, 0.64}; /* 9 + 5.76 + 10.24 = 25 */
    const double v[2][3] = {{-1, 0.5, -0.25}, {0.5, -0.25, 1}}, w[2][3] = {{3, -7, 2}, {5, 1, -4}};
    for (size_t i = 0; i < 2; i++) {
        scene_body *const b = &s.body[i];
        b->sphere = true;
        b->half[0] = i == 0 ? 0.2 : 0.3;
        b->mass = i == 0 ? 1 : 2.5;
        memcpy(b->v, v[i], sizeof v[i]);
        memcpy(b->w, w[i], sizeof w[i]);
        for (size_t k = 0; k < 3 && i == 0; k++)
            b->x[k] = (0.5 - overlap) * n[k];
    }
    return s;
}

scene scene_platform(void) {
    scene s = scene_new("platform", 2);
    s.restitution = 0.5;
    s.friction = 0.3;
    s.body[0].sphere = true;
    s.body[0].half[0] = 0.2;
    s.body[0].mass = 1;
    s.body[0].x[2] = 0.3 - 1e-9;
    s.body[1].half[0] = s.body[1].half[1] = 2;
    s.body[1].half[2] = 0.1;
    s.body[1].v[2] = 1;
    return s;
}

scene scene_ball(double restitution, double seconds) {
    scene s = scene_new("ball", 1);
    s.floor = true;
    s.gravity = gravity_earth;
    s.restitution = restitution;
    s.seconds = seconds;
    s.body[0].sphere = true;
    s.body[0].half[0] = 0.1;
    s.body[0].mass = 1;
    s.body[0].x[2] = 1.137; /* no multiple of a step's fall */
    return s;
}

void scene_inertia(const scene_body *body, double inertia[3]) {
    const double *const a = body->half;
    for (size_t k = 0; k < 3; k++) {
        const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
        inertia[k] = body->mass * (body->sphere ? 0.4 * a[0] * a[0] : (b * b + c * c) / 3);
    }
}

/* ---- Energy ---- */

static double rotational(const body_now *b, const double r[9]) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const double w = r[k] * b->w[0] + r[3 + k] * b->w[1] + r[6 + k] * b->w[2];
        sum += 0.5 * b->inertia[k] * w * w;
    }
    return sum;
}

static double energy(const body_now *b, double gravity, double h) {
    const double vz = b->v[2] + h / 2 * gravity;
    return 0.5 * b->mass * (b->v[0] * b->v[0] + b->v[1] * b->v[1] + vz * vz) -
           b->mass * gravity * b->x[2] + rotational(b, b->r);
}

double scene_energy(const body_now *bodies, size_t count, double gravity, double h) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += energy(&bodies[i], gravity, h);
    return sum;
}

energy_change scene_change(const body_now *before, const body_now *after, size_t count,
                           double gravity, double h) {
    energy_change sum = {0};
    for (size_t i = 0; i < count; i++) {
        const body_now *const a = &after[i], *const b = &before[i];
        sum.energy += energy(a, gravity, h);
        sum.positions -= a->mass * gravity * (a->x[2] - b->x[2] - h * a->v[2]);
        sum.turning += rotational(a, a->r) - rotational(a, b->r);
    }
    sum.contacts =
        sum.energy - scene_energy(before, count, gravity, h) - sum.positions - sum.turning;
    return sum;
}

void book_begin(energy_book *book, double first) {
    *book = (energy_book){.first = first, .last = first, .least = first, .least_unpushed = first};
}

double scene_allowed(const scene *s, const body_now *bodies, double h, double residual,
                     double rounding) {
    const double roundings = 16;
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        const scene_body *const b = &s->body[i];
        const double *const w = bodies[i].w;
        const double r =
            sqrt(b->half[0] * b->half[0] + b->half[1] * b->half[1] + b->half[2] * b->half[2]);
        const double rise = h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * r;
        const double kick = fabs(s->gravity) * h;
        sum += b->mass * kick * (kick / 8 + rise / 2 + residual);
    }
    return sum + roundings * rounding * fabs(scene_energy(bodies, s->bodies, s->gravity, h));
}

void book_step(energy_book *book, const energy_change *change, double allowed) {
    book->last = change->energy;
    book->least = fmin(book->least, change->energy);
    book->highest_rise = fmax(book->highest_rise, change->energy - book->least);
    book->contacts_gained += fmax(change->contacts, 0);
    book->contacts_worst = fmax(book->contacts_worst, change->contacts);
    book->contacts += change->contacts;
    book->beyond = fmax(book->beyond, change->contacts - allowed);
    book->positions += change->positions;
    const double unpushed = change->energy - book->positions;
    book->least_unpushed = fmin(book->least_unpushed, unpushed);
    book->highest_unpushed = fmax(book->highest_unpushed, unpushed - book->least_unpushed);
    book->turning += change->turning;
    book->steps++;
}

energy_book scene_run(const engine *e, const scene *s, const engine_setting *setting, double h,
                      body_now *bodies) {
    body_now *const before = calloc(s->bodies, sizeof *before);
    if (!before) abort();
    void *const world = e->make(s, setting);
    energy_book book;
    e->read(world, s, bodies);
    book_begin(&book, scene_energy(bodies, s->bodies, s->gravity, h));
    const int steps = (int)(s->seconds / h + 0.5);
    for (int n = 0; n < steps; n++) {
        memcpy(before, bodies, s->bodies * sizeof *before);
        e->step(world, h);
        e->read(world, s, bodies);
        const energy_change change = scene_change(before, bodies, s->bodies, s->gravity, h);
        book_step(&book, &change, scene_allowed(s, before, h, e->residual, e->rounding));
    }
    e->end(world);
    free(before);
    return book;
}
