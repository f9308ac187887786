/*
 * Contacts of bodies and particles that are shared: what the entry points forward to, for each
 * precision. Everything has been checked; nothing here chooses a target.
 */
#ifndef IMPINGE_SOLVE_SOLVE_H
#define IMPINGE_SOLVE_SOLVE_H

#include <stdbool.h>

#include <impinge/bodies.h>
#include <impinge/particles.h>
#include <impinge/simultaneous.h>

#include "../kernels/real.h"
#include "../kernels/table.h"

/* By what single contacts are resolved, and where they are counted. */
typedef struct resolver {
    const NAME(impinge_kernels) * kernels;
    const impinge_options *options; /* complete */
    impinge_report *report;         /* added to */
} resolver_t;

/* What to do with contacts, besides computing their impulses. */
typedef struct collide_mode {
    bool applies; /* writes the velocities after */
    bool splits;  /* each contact sees a share of the mass of its bodies: contacts->sharing */
    bool adds;    /* adds to impulses and works, and merges outcomes, instead of writing them */
    /* Which contacts: all, unless `chooses`; then these. The others are left alone. */
    bool chooses;
    bool faster; /* those that approach faster than the rest speed */
    bool still;  /* those that do not approach, to tell why */
    double rest_speed;
} collide_mode_t;

/* Collides contacts that name their bodies. Returns how many got an impulse. */
size_t NAME(impinge_collide)(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                             const NAME(impinge_indexed_contacts) * contacts,
                             const collide_mode_t *mode,
                             const NAME(impinge_indexed_results) * results);

/* Which elements of an array a call may change: threads share them out. */
typedef struct share {
    size_t first, count;
} share_t;

static inline bool is_in(share_t s, size_t i) { return i - s.first < s.count; }

/* Adds the impulses of contacts to their bodies, or to their particles. */
void NAME(impinge_push_bodies)(const NAME(impinge_bodies) * bodies, share_t share,
                               const NAME(impinge_indexed_contacts) * contacts,
                               const NAME(impinge_indexed_results) * results);
/* Both return whether every sum fitted the precision; what did not was not added. */
bool NAME(impinge_push_pairs)(const NAME(impinge_particles) * particles, share_t share,
                              const NAME(impinge_particle_contacts) * contacts,
                              const NAME(impinge_particle_results) * results);
bool NAME(impinge_push_from_planes)(const NAME(impinge_particles) * particles, share_t share,
                                    const NAME(impinge_particle_contacts) * contacts,
                                    const NAME(impinge_particle_results) * results);

/* Sweeps over the colours of contacts. */
typedef struct sweeps {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const impinge_colouring *colouring;
    impinge_sweep_options options; /* complete */
    const NAME(impinge_indexed_results) * results;
} sweeps_t;

void NAME(impinge_run_sweeps)(const resolver_t *by, const sweeps_t *sweeps,
                              impinge_sweep_report *report);

/* Sequences of collisions in islands. */
typedef struct sequences {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const impinge_islands *islands;
    share_t share; /* of the islands */
    impinge_sequence_options options;
    void *workspace;
    const NAME(impinge_indexed_results) * results;
    const NAME(impinge_island_results) * island_results; /* or null */
} sequences_t;

void NAME(impinge_run_sequences)(const resolver_t *by, const sequences_t *sequences,
                                 impinge_sequence_report *report);

/* The bytes of workspace that they need: of so many contacts and bodies as there may be. */
size_t NAME(impinge_sequences_size)(size_t contacts, size_t bodies);

#endif
