#include "world.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/progress.h"
#include "support/team.h"

/* The arrays that have an element for every particle. */
enum {
    POSITION = 0,
    VELOCITY = 3,
    ANGULAR_VELOCITY = 6,
    LISTED = 9,
    RADIUS = 12,
    INVERSE_MASS,
    COLUMNS
};

/* Fewer elements than this are done sooner than another thread wakes up. */
enum { GRAIN = 256 };

/*
 * Members of the team that does a step meet some fifty times in it; with fewer spheres each they
 * would mostly wait.
 */
enum { MEMBER_SHARE = 5000 };

/*
 * Sums are of so many particles each, and then of those sums: an order that does not depend on the
 * threads.
 */
enum { SUM_BLOCK = 1024 };

/* Contacts that approach no faster than a fall through so many steps rest, and do not collide. */
static const double rest_falls = 4;

/* Beyond this there is nothing, and a position that is no number is beyond it. */
static const double largest_space = 1e30;

/* The floor and four walls; the box is open above. */
enum { WALLS = 5 };

static void require_done(impinge_status status) {
    if (status < 0) fail("the library refuses: %s", impinge_status_text(status));
}

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#include "world_real.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#include "world_real.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL

struct world {
    space_f32 *f32; /* one of the two */
    space_f64 *f64;
};

world *world_make(const world_setup *setup) {
    world *made = allocate(1, sizeof *made);
    if (setup->precision == PRECISION_F32)
        made->f32 = space_make_f32(setup);
    else
        made->f64 = space_make_f64(setup);
    return made;
}

void world_free(world *of) {
    if (of->f32) space_free_f32(of->f32);
    if (of->f64) space_free_f64(of->f64);
    free(of);
}

void world_set(world *of, size_t i, const world_particle *particle) {
    if (of->f32)
        space_set_f32(of->f32, i, particle);
    else
        space_set_f64(of->f64, i, particle);
}

world_particle world_get(const world *of, size_t i) {
    return of->f32 ? space_get_f32(of->f32, i) : space_get_f64(of->f64, i);
}

size_t world_count(const world *of) { return of->f32 ? of->f32->count : of->f64->count; }

size_t world_memories(const world *of) {
    return of->f32 ? of->f32->last.count : of->f64->last.count;
}

world_memory world_memory_get(const world *of, size_t i) {
    return of->f32 ? memory_get_f32(of->f32, i) : memory_get_f64(of->f64, i);
}

void world_memory_add(world *of, const world_memory *memory) {
    if (of->f32)
        memory_add_f32(of->f32, memory);
    else
        memory_add_f64(of->f64, memory);
}

void world_list_again(world *of) {
    if (of->f32)
        make_list_f32(of->f32);
    else
        make_list_f64(of->f64);
}

void world_collide(world *of, const collision_rule *collision) {
    if (of->f32)
        of->f32->setup.collision = *collision;
    else
        of->f64->setup.collision = *collision;
}

void world_step(world *of, double step) {
    if (of->f32)
        space_step_f32(of->f32, step);
    else
        space_step_f64(of->f64, step);
}

world_sums world_look(const world *of) {
    return of->f32 ? space_look_f32(of->f32) : space_look_f64(of->f64);
}

const world_costs *world_cost(const world *of) {
    return of->f32 ? &of->f32->costs : &of->f64->costs;
}
