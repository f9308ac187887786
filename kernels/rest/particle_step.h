/*
 * A step of particles under way: what its parts share, in the caller's workspace.
 *
 * Bodies are the particles, then the planes, then a spare body for each member of a team, which
 * stands in where a vector has more lanes than there are contacts. Places are numbers of contacts
 * that take part, in the order in which the sweeps see them: block by block, and in a block colour
 * by colour.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_STEP_H
#define IMPINGE_KERNELS_REST_PARTICLE_STEP_H

#include <stdbool.h>

#include <impinge/particle_step.h>

#include "../real.h"

/*
 * A body's row: v and 1/m; s = R omega, the speed of its surface, and k = R^2 / I. An impulse p on
 * A of a contact with the normal n changes v by p / m and s by -k n x p; on B by -p / m and -k n x
 * p.
 */
enum { ROW = 8, ROW_SURFACE = 4, PLACE_ROW = 4 };

/*
 * Contacts that are coloured together: their columns and the rows of their particles stay in a
 * second cache of a megabyte, and a colour is long enough for threads to share it.
 */
enum { COLOUR_BLOCK = 8192 };

/* A sum over contacts is one over chunks of so many, so that threads may share them out. */
enum { CHUNK = 128, CHUNK_LANES = 16 };

/* In an index of a row, whose other bits are a multiple of ROW: nothing changes this body. */
#define ROW_FIXED 1u

/* What is found of a contact: n and the gap; the impulse that it begins with, and mu. */
enum { FOUND_ROW = 8, FOUND_GAP = 3, FOUND_IMPULSE = 4, FOUND_FRICTION = 7 };

/* What a body is. Reasons of impinge_outcome stand in the upper bits. */
#define BODY_MOVES 1u

struct NAME(impinge_particle_shared);

typedef struct NAME(impinge_particle_work) {
    const NAME(impinge_particle_step) * step;
    impinge_options law;
    impinge_step_options options; /* complete */
    impinge_team team;
    size_t particles, bodies, contacts, first;
    bool spheres, aims;
    /* Of bodies. */
    real_t *rows, *before; /* ROW each; before: at the beginning of the rest */
    real_t *place;         /* PLACE_ROW each: x and R; later displacements, and 1/m */
    uint32_t *body;        /* BODY_MOVES and reasons */
    uint32_t *island;      /* the body that stands for its island */
    double *gained;        /* of each island: A and B of the guard, and what bodies have of A */
    double *energy;        /* A, B and the energy before of each body */
    uint64_t *taken;       /* colours */
    /* Of contacts, by their number from `first` on. */
    real_t *found; /* FOUND_ROW each, in rows */
    uint32_t *found_row[2];
    uint32_t *outcome;
    uint32_t *live; /* numbers of those that take part */
    /* Of places. */
    real_t *normal[3], *impulse[3], *aim[3];
    real_t *friction, *gap; /* friction below 0: a contact that waits for the next step */
    uint32_t *row_a, *row_b, *number;
    /* Colours: where each begins, and where the last ends. */
    uint32_t *colour;
    double *chunk_square; /* of residuals, of each chunk of a colour */
    /* What members tell one another. */
    struct NAME(impinge_particle_shared) * shared;
    /* Of rounds, see particle_rounds.c and particle_ties.c. */
    real_t *approach, *tie[13];
    uint32_t *touching, *stamp, *list[4];
    real_t *best; /* of bodies */
    uint32_t *touch_start, *tied;
} NAME(impinge_particle_work);

/* What members of a team have to tell one another. */
typedef struct NAME(impinge_particle_shared) {
    size_t live, colours, chunks;
    size_t counted[IMPINGE_TEAM_MAX]; /* contacts that take part, of each member's share */
    size_t invalid[IMPINGE_TEAM_MAX];
    size_t some[IMPINGE_TEAM_MAX]; /* contacts that approach */
    real_t residual[IMPINGE_TEAM_MAX];
    bool guarded, ended;
    double inertia; /* of the acceleration of sweeps without an order */
    real_t ahead;
    impinge_step_report report;
} NAME(impinge_particle_shared);

/* A target's part in it. Ranges are of what a member of a team does. */
typedef struct NAME(impinge_particle_step_kernels) {
    /* Bodies first to end - 1, from particles and planes. */
    void (*pack)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* Contacts: gap, normal, what is wrong. Lists those that take part, counts invalid ones. */
    size_t (*meet)(const NAME(impinge_particle_work) * w, size_t first, size_t end, uint32_t *live,
                   size_t *invalid);
    /* Places: their columns. */
    void (*set_up)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* -u_n of places; lists those above the rest speed. */
    size_t (*approaching)(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                          uint32_t *places);
    /* -u_n of the places of a list, into w->approach. */
    void (*approach_of)(const NAME(impinge_particle_work) * w, const uint32_t *places,
                        size_t count);
    /* Places of which no two share a body that moves collide by their law. */
    void (*collide)(const NAME(impinge_particle_work) * w, const uint32_t *places, size_t count);
    /* The restitution of the places of a list. */
    void (*restitution_of)(const NAME(impinge_particle_work) * w, const uint32_t *places,
                           size_t count, real_t *restitution);
    /* Bodies: the kick, and what the rest begins with. */
    void (*begin)(const NAME(impinge_particle_work) * w, size_t first, size_t end, bool kicks);
    /* Places of one colour: what the impulses of before do, */
    void (*start_warm)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* a sweep, which returns the largest residual, */
    real_t (*sweep)(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                    double *square);
    /* Bodies: what the rest did to their energies, */
    void (*weigh)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* and that scaled back; */
    void (*scale)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* displacements of 0. */
    void (*begin_places)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* Places of one colour: a sweep of positions. */
    void (*project)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* The same without an order, see kernels/rest/particle_split.h. */
    void (*split_warm)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    real_t (*split_sweep)(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                          double *square, double *uphill);
    void (*split_accelerate)(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                             real_t by);
    void (*split_add)(const NAME(impinge_particle_work) * w, size_t first, size_t end,
                      bool displaces);
    void (*split_project)(const NAME(impinge_particle_work) * w, size_t first, size_t end);
    /* Bodies, back to the particles; `moved`: positions, too. */
    void (*unpack)(const NAME(impinge_particle_work) * w, size_t first, size_t end, bool moved);
} NAME(impinge_particle_step_kernels);

#endif
