#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "support/fail.h"
#include "support/progress.h"
#include "support/team.h"

/* What there is of every particle. */
enum {
    POSITION = 0,
    VELOCITY = 3,
    ANGULAR_VELOCITY = 6,
    LISTED = 9,
    RADIUS = 12,
    INVERSE_MASS,
    COLUMNS
};

/* Of contacts that are resolved at once: their results stay in the first cache. */
enum { BLOCK = 512 };

/* Fewer elements than this are done sooner than another thread wakes up. */
enum { GRAIN = 256 };

/*
 * Sums are of so many particles each, and then of those sums: an order that does not depend on the
 * threads.
 */
enum { SUM_BLOCK = 1024 };

/* Rounds are bits of a word. No sphere touches so many others of its size. */
enum { ROUNDS_MAX = 64 };

/* Pairs are moved apart by this share of their radii at most: what an impact pressed deep into each
 * other does not burst. */
static const double push_most = 0.05;

/* The floor and four walls; the box is open above. */
enum { WALLS = 5 };

/* Pairs of indices, which grow. */
typedef struct pair_list {
    size_t count, room;
    uint32_t *a, *b;
} pair_list;

static void pair_list_reserve(pair_list *of, size_t room) {
    if (room <= of->room) return;
    of->room = room + room / 2;
    of->a = reallocate(of->a, of->room, sizeof *of->a);
    of->b = reallocate(of->b, of->room, sizeof *of->b);
}

static void pair_list_add(pair_list *of, uint32_t a, uint32_t b) {
    pair_list_reserve(of, of->count + 1);
    of->a[of->count] = a;
    of->b[of->count++] = b;
}

static void pair_list_free(pair_list *of) {
    free(of->a);
    free(of->b);
}

/* The first element of ascending indices that is not below `limit`. */
static size_t first_from(const uint32_t *ascending, size_t count, size_t limit) {
    size_t first = 0;
    while (count) {
        const size_t half = count / 2;
        if (ascending[first + half] < limit) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

static void require_done(impinge_status status) {
    if (status < 0) fail("the library refuses: %s", impinge_status_text(status));
}

static bool collided(uint32_t outcome) { return outcome & IMPINGE_OUTCOME_GOT_IMPULSE; }

static int first_bit(uint64_t bits) {
    int at = 0;
    for (; !(bits & 1); bits >>= 1)
        at++;
    return at;
}

/* Of every thread, and apart in memory. */
typedef struct cost_part {
    double resolve, apply, pairs, move;
    uint64_t looked_at, impacts;
    double moved; /* the square of the greatest distance */
    char apart[64];
} cost_part;

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
