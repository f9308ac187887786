/*
 * Simultaneous contacts as a sequence (003, 6.4), many islands side by side.
 *
 * For each island a tournament over its contacts has the greatest approach velocity at its root.
 * A round picks one contact from each of the active islands, collides all of them in lanes, and
 * computes the approach velocities of the contacts that share a body with them again. An island
 * that has ended leaves its place to the next one.
 */
#include <impinge/simultaneous.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "collide.h"
#include "graph.h"

/* Islands at a time: some vectors of lanes on every target. */
#define ACTIVE 128

/* 003 proves no bound; this is for sequences that never end. */
#define COLLISIONS_PER_CONTACT 1000

/* Velocities that are equal by symmetry come out of some ten operations each. */
#define TIE_UNITS 64

/* Cycles up to this many contacts are looked for in a tail, and three of them have to be there. */
#define CYCLE_MAX 32
#define HISTORY   (3 * CYCLE_MAX)

/*
 * A tail is geometric where two cycles after each other shrink by the same r. What is extrapolated
 * is off by the error of r over (1 - r)^2; the sequence goes on and mends that.
 */
#define GEOMETRIC_ERROR 1e-3

/* How often a cycle is looked for, in collisions of the island. */
#define CYCLE_EVERY 8

static uint64_t hash(uint64_t seed, uint64_t a, uint64_t b) { /* splitmix64's finish */
    uint64_t z = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1342543de82ef95);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool is_in(double x, double end) { return x >= 0 && x < end; }

static impinge_status check_sequence(const impinge_sequence_options *o) {
    const bool ranges = is_in(o->energy_fraction, 1) && is_in(o->tie_tolerance, 1) &&
                        is_in(o->rest_speed, (double)INFINITY);
    const bool tie = o->tie == IMPINGE_TIE_BY_INDEX || o->tie == IMPINGE_TIE_DRAWN;
    return ranges && tie ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
}

#define IMPINGE_REAL         float
#define IMPINGE_REAL_EPSILON FLT_EPSILON
#define IMPINGE_NAME(name)   name##_f32
#include "sequence_real.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL_EPSILON
#undef IMPINGE_REAL

#define IMPINGE_REAL         double
#define IMPINGE_REAL_EPSILON DBL_EPSILON
#define IMPINGE_NAME(name)   name##_f64
#include "sequence_real.inc"
