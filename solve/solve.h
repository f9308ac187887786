/*
 * The targets of the entry points, for each precision: contacts that share bodies or particles.
 * Everything has been checked; nothing here chooses a target.
 */
#ifndef IMPINGE_SOLVE_SOLVE_H
#define IMPINGE_SOLVE_SOLVE_H

#include <stdbool.h>

#include <impinge/bodies.h>
#include <impinge/particles.h>
#include <impinge/simultaneous.h>

#include "../kernels/real.h"
#include "../kernels/table.h"

/* Kernels that are used for `fewest` contacts or more. */
typedef struct kernel_choice {
    size_t fewest;
    const NAME(impinge_kernels) * kernels;
} kernel_choice_t;

/* The kernels and options that resolve single contacts, and the report that counts them. */
typedef struct resolver {
    const NAME(impinge_kernels) * kernels; /* the best, for much work */
    /* By the count of contacts, best first; the last are for any count. */
    kernel_choice_t choice[IMPINGE_TARGET_COUNT];
    const impinge_options *options; /* complete */
    impinge_report *report;         /* added to */
} resolver_t;

static inline const NAME(impinge_kernels) * kernels_for(const resolver_t *by, size_t count) {
    size_t i = 0;
    while (by->choice[i].fewest > count)
        i++;
    return by->choice[i].kernels;
}

/* The work on contacts besides computing their impulses. */
typedef struct collide_mode {
    bool applies; /* writes the velocities after */
    bool splits;  /* each contact uses a share of the mass of its bodies: contacts->sharing */
    bool adds;    /* adds to impulses and works, and merges outcomes, instead of writing them */
    /*
     * All contacts are resolved, unless `chooses` is set: then only the following. The others do
     * not change.
     */
    bool chooses;
    bool faster; /* those that approach faster than the rest speed */
    bool still;  /* those that do not approach, to record the reason */
    bool again;  /* they have collided: of the faster ones only those whose approach is more than
                  * the rounding of their impulses, which the results have */
    double rest_speed;
} collide_mode_t;

/* Collides contacts that name their bodies. Returns how many got an impulse. */
size_t NAME(impinge_collide)(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                             const NAME(impinge_indexed_contacts) * contacts,
                             impinge_selection selection, const collide_mode_t *mode,
                             const NAME(impinge_indexed_results) * results);

/* Adds the impulses of selected contacts to those of their bodies, or particles, that may change.
 */
void NAME(impinge_push_bodies)(const NAME(impinge_bodies) * bodies, selected_t changed,
                               const NAME(impinge_indexed_contacts) * contacts,
                               impinge_selection selection,
                               const NAME(impinge_indexed_results) * results);
/* Both return whether every sum fits the precision; changes that do not fit are not added. */
bool NAME(impinge_push_pairs)(const NAME(impinge_particles) * particles, selected_t changed,
                              const NAME(impinge_particle_contacts) * contacts, selected_t selected,
                              const NAME(impinge_particle_results) * results);
bool NAME(impinge_push_from_planes)(const NAME(impinge_particles) * particles, selected_t changed,
                                    const NAME(impinge_particle_contacts) * contacts,
                                    selected_t selected,
                                    const NAME(impinge_particle_results) * results);

/* Adds the number of impulses that each particle gets. */
void NAME(impinge_count_pushes)(const NAME(impinge_particles) * particles,
                                const NAME(impinge_particle_contacts) * contacts,
                                selected_t selected, bool planes,
                                const NAME(impinge_particle_results) * results, uint32_t *counts);

/*
 * Kernels that pack all particles into rows, kernels that gather some from their columns, and
 * kernels that find the pairs that may touch.
 */
typedef struct pair_kernels {
    const NAME(impinge_particle_kernels) * rows, *columns;
    const impinge_particle_kernels_f32 *sift;
} pair_kernels_t;

/*
 * Resolves pairs and applies the results. There is at least one particle; the workspace has `size`
 * bytes. Returns whether all changes were in range.
 */
bool NAME(impinge_collide_pairs)(const pair_kernels_t *kernels,
                                 const NAME(impinge_particles) * particles,
                                 const NAME(impinge_particle_contacts) * contacts,
                                 selected_t selected, const impinge_options *options,
                                 void *workspace, size_t size, impinge_report *report);

/* Sweeps over the colours of contacts. */
typedef struct sweeps {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const impinge_contact_groups *colours;
    impinge_sweep_options options; /* complete */
    const NAME(impinge_indexed_results) * results;
} sweeps_t;

void NAME(impinge_run_sweeps)(const resolver_t *by, const sweeps_t *sweeps,
                              impinge_sweep_report *report);

/* Sequences of collisions in islands. */
typedef struct sequences {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const impinge_contact_groups *islands;
    selected_t selected; /* of the islands */
    impinge_sequence_options options;
    void *workspace;
    const NAME(impinge_indexed_results) * results;
    const NAME(impinge_island_results) * island_results; /* or null */
} sequences_t;

void NAME(impinge_run_sequences)(const resolver_t *by, const sequences_t *sequences,
                                 impinge_sequence_report *report);

/* The bytes of workspace that they need for at most so many contacts and bodies. */
size_t NAME(impinge_sequences_size)(size_t contacts, size_t bodies);

#endif
