#include "scene.h"

#include <math.h>
#include <stdlib.h>

#include "support/fail.h"
#include "support/random.h"

static const double pi = 3.14159265358979323846;

/* The standard acceleration of free fall. */
static const double earth_gravity = 9.80665;

const char *scene_name(scene_kind kind) { return kind == SCENE_POUR ? "pour" : "gas"; }

static double chosen(double given, double otherwise) { return isnan(given) ? otherwise : given; }

/* ---- Places ---- */

/* How high the heap will be, in widths of the box. */
static const double heap_height = 0.45;

/* The share of the box's width that the column has, which is poured. */
static const double column_share = 0.4;

/* The sites of a simple cubic lattice, the spheres' first places. */
typedef struct lattice {
    size_t number[3];
    double lower[3], spacing;
} lattice;

static lattice gas_lattice(const scene *of) {
    lattice made = {.number = {1, 1, 1}};
    while (made.number[0] * made.number[0] * made.number[0] < of->particles)
        made.number[0]++;
    made.number[1] = made.number[2] = made.number[0];
    made.spacing = of->size[0] / (double)made.number[0];
    return made;
}

/* In the middle of the box, from where the heap will end upwards. */
static lattice column_lattice(const scene *of) {
    lattice made = {.spacing = 2 * of->radius * cbrt(pi / 6 / of->packing)};
    const double width = of->size[0];
    const size_t across = (size_t)fmax(1, floor(column_share * width / made.spacing));
    made.number[0] = made.number[1] = across;
    made.number[2] = (of->particles + across * across - 1) / (across * across);
    made.lower[0] = made.lower[1] = (width - (double)across * made.spacing) / 2;
    made.lower[2] = heap_height * width;
    return made;
}

/* ---- The gas ---- */

static void complete_gas(scene *of, const scene_choices *given) {
    of->radius = 0.5;
    of->spread = 0;
    of->packing = chosen(given->packing, 0.05);
    of->step = chosen(given->step, 0.003);
    of->equilibration = chosen(given->equilibration, 10);
    of->collision.restitution = chosen(given->restitution, 0.9);
    of->collision.friction = chosen(given->friction, 0);
    of->collision.tangential_restitution = chosen(given->tangential_restitution, 0);
    of->collision.projection = chosen(given->projection, 0);
    of->collision.speed = chosen(given->speed, 0);
    /* N pi sigma^3 / 6 = phi L^3 */
    const double length = cbrt((double)of->particles * pi / (6 * of->packing));
    for (size_t axis = 0; axis < 3; axis++)
        of->size[axis] = length;
    of->sample_every = 20;
}

double scene_step(const scene *of, double temperature) {
    if (of->kind == SCENE_POUR) return of->step;
    return of->step * 2 * of->radius / sqrt(temperature);
}

/* ---- The pour ---- */

/* How many diameters the box is wide: the heap's spheres fill some 0.6 of their space. */
static double box_width(const scene *of) {
    return fmax(3, cbrt((double)of->particles * pi / 6 / (0.6 * heap_height)));
}

/* The step: in one, the fastest sphere falls by a tenth of a radius. */
static double pour_step(const scene *of, double fastest) { return 0.1 * of->radius / fastest; }

static void complete_pour(scene *of, const scene_choices *given) {
    of->radius = 0.005;
    of->spread = chosen(given->spread, 0.1);
    of->packing = chosen(given->packing, 0.25);
    of->density = 2500; /* glass */
    of->gravity = earth_gravity;
    of->collision.restitution = chosen(given->restitution, 0.6);
    of->collision.friction = chosen(given->friction, 0.4);
    of->collision.tangential_restitution = chosen(given->tangential_restitution, 0);
    of->collision.projection = chosen(given->projection, 0.2);
    const double diameter = 2 * of->radius;
    const double width = box_width(of);
    of->size[0] = of->size[1] = width * diameter;
    const lattice column = column_lattice(of);
    of->size[2] = column.lower[2] + (double)column.number[2] * column.spacing;
    const double fastest = sqrt(2 * of->gravity * of->size[2]);
    of->step = chosen(given->step, pour_step(of, fastest));
    of->collision.speed = chosen(given->speed, 0);
    of->sample_every = 20;
}

void scene_complete(scene *of, const scene_choices *given) {
    if (of->kind == SCENE_POUR)
        complete_pour(of, given);
    else
        complete_gas(of, given);
}

/* ---- How it begins ---- */

world *scene_world(const scene *of, size_t threads) {
    const world_setup setup = {
        .precision = of->precision,
        .count = of->particles,
        .spin = of->collision.law != IMPINGE_LAW_FRICTIONLESS,
        .periodic = of->kind == SCENE_GAS,
        .size = {of->size[0], of->size[1], of->size[2]},
        .gravity = of->gravity,
        /* In diameters: less makes the list too often, more makes it too long. */
        .skin = (of->kind == SCENE_GAS ? 0.5 : 0.4) * 2 * of->radius,
        .slop = 0.01 * of->radius * (1 - of->spread),
        .collision = of->collision,
        .threads = threads};
    return world_make(&setup);
}

/* Which sites are taken: as many as there are spheres, each site as probable (Knuth's algorithm S).
 */
static void place_spheres(const scene *of, const lattice *on, uint64_t *random, world *to) {
    const double play = on->spacing - 2 * of->radius * (1 + of->spread);
    if (play < 0)
        fail("--packing: %g is too dense for %zu spheres to begin with", of->packing,
             of->particles);
    const size_t sites = on->number[0] * on->number[1] * on->number[2];
    size_t i = 0;
    for (size_t site = 0; site < sites && i < of->particles; site++) {
        if (random_bits(random) % (sites - site) >= of->particles - i) continue;
        const size_t at[3] = {site % on->number[0], site / on->number[0] % on->number[1],
                              site / on->number[0] / on->number[1]};
        world_particle p = {.id = (uint32_t)i + 1};
        for (size_t axis = 0; axis < 3; axis++) {
            const double off = 0.9 * (random_unit(random) - 0.5) * play;
            p.position[axis] = on->lower[axis] + ((double)at[axis] + 0.5) * on->spacing + off;
            p.velocity[axis] = random_bell(random);
        }
        p.radius = of->radius * (1 + of->spread * (2 * random_unit(random) - 1));
        p.inverse_mass = of->kind == SCENE_GAS
                             ? 1
                             : 1 / (of->density * 4 / 3 * pi * p.radius * p.radius * p.radius);
        world_set(to, i++, &p);
    }
}

/* No total momentum, and T = 1; all masses are 1. */
static void warm(const scene *of, world *gas) {
    const world_sums sums = world_look(gas);
    const double count = (double)of->particles;
    double square = 2 * sums.translation;
    for (size_t axis = 0; axis < 3; axis++)
        square -= sums.momentum[axis] * sums.momentum[axis] / count;
    const double scale = sqrt(3 * count / square);
    for (size_t i = 0; i < of->particles; i++) {
        world_particle p = world_get(gas, i);
        for (size_t axis = 0; axis < 3; axis++)
            p.velocity[axis] = scale * (p.velocity[axis] - sums.momentum[axis] / count);
        world_set(gas, i, &p);
    }
}

/* The grains of a stream differ a little in speed: 1 % of what they fall at in the end. */
static void stir(const scene *of, world *column) {
    const double scale = 0.01 * sqrt(2 * of->gravity * of->size[2]);
    for (size_t i = 0; i < of->particles; i++) {
        world_particle p = world_get(column, i);
        for (size_t axis = 0; axis < 3; axis++)
            p.velocity[axis] *= scale;
        world_set(column, i, &p);
    }
}

world *scene_begin(const scene *of, size_t threads) {
    world *made = scene_world(of, threads);
    uint64_t random = of->seed;
    const lattice on = of->kind == SCENE_GAS ? gas_lattice(of) : column_lattice(of);
    place_spheres(of, &on, &random, made);
    if (of->kind == SCENE_GAS)
        warm(of, made);
    else
        stir(of, made);
    return made;
}
