/* The interface of a target: one constant table of functions per element type. */
#ifndef IMPINGE_KERNELS_TABLE_H
#define IMPINGE_KERNELS_TABLE_H

#include <stdbool.h>

#include <impinge/batch.h>
#include <impinge/mechanisms.h>
#include <impinge/particle_rows.h>
#include <impinge/particles.h>
#include <impinge/planar.h>
#include <impinge/region.h>

#include "element.h"

typedef float impinge_real_f32;
typedef double impinge_real_f64;

/*
 * The calls have been checked: no pointer that is needed is null, the options are legal and
 * complete (a tolerance that is not zero), every index fits.
 */
#define IMPINGE_DECLARE_KERNELS(bits)                                                              \
    struct impinge_particle_step_kernels_f##bits; /* rest/particle_step.h */                       \
    struct impinge_neighbour_kernels_f##bits;     /* cells.h */                                    \
    typedef struct impinge_particle_kernels_f##bits {                                              \
        void (*resolve_pairs)(const impinge_particles_f##bits *,                                   \
                              const impinge_particle_contacts_f##bits *, selected_t,               \
                              const impinge_options *, const impinge_particle_results_f##bits *,   \
                              impinge_report *);                                                   \
        void (*resolve_planes)(const impinge_particles_f##bits *, const impinge_planes_f##bits *,  \
                               const impinge_particle_contacts_f##bits *, selected_t,              \
                               const impinge_options *, const impinge_particle_results_f##bits *,  \
                               impinge_report *);                                                  \
        bool (*collide_pairs)(const impinge_particles_f##bits *,                                   \
                              const impinge_particle_contacts_f##bits *, selected_t,               \
                              const impinge_options *, impinge_real_f##bits *, impinge_report *);  \
        /* In f32 alone: which pairs may touch. */                                                 \
        size_t (*sift_pairs)(const impinge_particles_f32 *, const impinge_particle_contacts_f32 *, \
                             selected_t, float *places, uint32_t *numbers, size_t room);           \
        /* In f64 alone: the places of particles as sift_pairs takes them. */                      \
        void (*coarsen_places)(const impinge_particles_f64 *, float *const to[4]);                 \
        void (*pack_rows)(const impinge_particles_f##bits *,                                       \
                          const impinge_particle_rows_f##bits *, size_t, size_t);                  \
        void (*unpack_rows)(const impinge_particle_rows_f##bits *,                                 \
                            const impinge_particles_f##bits *, size_t, size_t);                    \
        bool (*collide_rows)(const impinge_particle_rows_f##bits *,                                \
                             const impinge_particle_contacts_f##bits *, selected_t,                \
                             const uint32_t *starts, size_t row, const impinge_options *,          \
                             const impinge_particle_sums_f##bits *, uint32_t *, impinge_report *); \
        bool (*apply_sums)(const impinge_particle_rows_f##bits *,                                  \
                           const impinge_particle_sums_f##bits *, size_t, size_t);                 \
    } impinge_particle_kernels_f##bits;                                                            \
    typedef struct impinge_mechanism_kernels_f##bits {                                             \
        void (*resolve)(const impinge_mechanisms_f##bits *, selected_t, const impinge_options *,   \
                        const impinge_mechanism_results_f##bits *, impinge_report *);              \
        void (*resolve_planar)(const impinge_mechanisms_f##bits *, selected_t,                     \
                               const impinge_options *,                                            \
                               const impinge_planar_mechanism_results_f##bits *,                   \
                               impinge_report *);                                                  \
    } impinge_mechanism_kernels_f##bits;                                                           \
    /*                                                                                             \
     * Body pairs that are gathered as they are read: `gather` brings contacts                     \
     * `first` to first + count - 1 (at most IMPINGE_LANES_MOST) to elements 0, 1, ...             \
     * of `pairs`, without the numbers of their bodies if these are not needed. `scatter`          \
     * takes results of some of those that were gathered last from the elements of                 \
     * `results`. Both structs change meanwhile, but a stride that is 0 or 1 stays so.             \
     * Contacts are gathered twice, and the second time in any order.                              \
     * Meanwhile the stage has the room that `place` gave it, IMPINGE_STAGE_ROOM bytes. In a new   \
     * place nothing is staged.                                                                    \
     */                                                                                            \
    typedef struct impinge_pair_source_f##bits {                                                   \
        size_t count;                                                                              \
        bool moves; /* velocities after are among the results */                                   \
        const impinge_body_pairs_f##bits *pairs;                                                   \
        const impinge_body_pair_results_f##bits *results;                                          \
        void *stage;                                                                               \
        void (*gather)(void *stage, size_t first, size_t count, bool bodies);                      \
        void (*scatter)(void *stage, size_t first, size_t count);                                  \
        void (*place)(void *stage, void *room);                                                    \
    } impinge_pair_source_f##bits;                                                                 \
    struct impinge_body_rest_f##bits;                                                              \
    /* Resting contacts of bodies (rest/body_rest.h): some of the bodies, or of the groups. */     \
    typedef struct impinge_body_rest_kernels_f##bits {                                             \
        size_t lanes;                                                                              \
        void (*pack)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);        \
        void (*unpack)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);      \
        void (*prepare)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);     \
        void (*apply_impulses)(const struct impinge_body_rest_f##bits *, size_t first,             \
                               size_t count);                                                      \
        void (*apply_changes)(const struct impinge_body_rest_f##bits *, size_t first,              \
                              size_t count);                                                       \
        /* Velocities, extrapolated as impulses are by the next sweep. */                          \
        void (*bodies_ahead)(const struct impinge_body_rest_f##bits *, size_t first,               \
                             size_t count);                                                        \
        /* The largest residual. */                                                                \
        impinge_real_f##bits (*sweep)(const struct impinge_body_rest_f##bits *, size_t first,      \
                                      size_t count);                                               \
        impinge_real_f##bits (*solve)(const struct impinge_body_rest_f##bits *, size_t first,      \
                                      size_t count);                                               \
        void (*account)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);     \
        void (*write_rest)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);  \
        void (*aim_positions)(const struct impinge_body_rest_f##bits *, size_t first,              \
                              size_t count);                                                       \
        void (*place)(const struct impinge_body_rest_f##bits *, size_t first, size_t count);       \
    } impinge_body_rest_kernels_f##bits;                                                           \
    typedef struct impinge_kernels_f##bits {                                                       \
        void (*resolve_contacts)(const impinge_contacts_f##bits *, selected_t,                     \
                                 const impinge_options *, const impinge_contact_results_f##bits *, \
                                 impinge_report *);                                                \
        void (*resolve_body_pairs)(const impinge_body_pairs_f##bits *, selected_t,                 \
                                   const impinge_options *,                                        \
                                   const impinge_body_pair_results_f##bits *, impinge_report *);   \
        void (*resolve_gathered)(const impinge_pair_source_f##bits *, const impinge_options *,     \
                                 impinge_report *);                                                \
        void (*resolve_planar_contacts)(const impinge_planar_contacts_f##bits *, selected_t,       \
                                        const impinge_options *,                                   \
                                        const impinge_planar_contact_results_f##bits *,            \
                                        impinge_report *);                                         \
        void (*resolve_planar_pairs)(const impinge_planar_pairs_f##bits *, selected_t,             \
                                     const impinge_options *,                                      \
                                     const impinge_planar_pair_results_f##bits *,                  \
                                     impinge_report *);                                            \
        void (*judge_impulses)(const impinge_contacts_f##bits *, selected_t,                       \
                               const impinge_impulses_f##bits *,                                   \
                               const impinge_judgements_f##bits *, impinge_report *);              \
        void (*project_impulses)(const impinge_contacts_f##bits *, selected_t,                     \
                                 const impinge_impulses_f##bits *,                                 \
                                 const impinge_projections_f##bits *, impinge_report *);           \
        const impinge_mechanism_kernels_f##bits *mechanisms;                                       \
        const impinge_particle_kernels_f##bits *particles;                                         \
        const struct impinge_particle_step_kernels_f##bits *particle_step;                         \
        const struct impinge_neighbour_kernels_f##bits *neighbours;                                \
        const impinge_body_rest_kernels_f##bits *body_rest;                                        \
    } impinge_kernels_f##bits;                                                                     \
    extern const impinge_kernels_f##bits impinge_kernels_scalar_f##bits;                           \
    extern const impinge_kernels_f##bits impinge_kernels_avx2_f##bits;                             \
    extern const impinge_kernels_f##bits impinge_kernels_avx512_f##bits;                           \
    extern const impinge_kernels_f##bits impinge_kernels_neon_f##bits;

/*
 * The workspace of collide_pairs: numbers of a particle in each of the two copies of its rows. Rows
 * come in whole lanes of any target, at least one more than there are particles, and begin at a
 * cache line.
 */
enum { IMPINGE_PARTICLE_ROW = 12, IMPINGE_ROWS_SPARE = 16, IMPINGE_CACHE_LINE = 64 };

/*
 * The workspace of sift_pairs: numbers of a particle in its table of places, which has
 * IMPINGE_ROWS_SPARE rows more than there are particles; and the number of contacts for which there
 * must be room beyond `room`.
 */
enum { IMPINGE_PLACE_ROW = 4, IMPINGE_SIFT_SPARE = 1024 };

/* The most lanes of any target, by the bits of a number. */
#define IMPINGE_LANES_MOST(bits) (1024 / (bits))

/* The bytes of a stage's contacts: up to 61 columns of 128 bytes, and their indices and flags. */
#define IMPINGE_STAGE_ROOM 8576

IMPINGE_DECLARE_KERNELS(32)
IMPINGE_DECLARE_KERNELS(64)

/* The number of these targets. */
enum { IMPINGE_TARGET_COUNT = 4 };

#undef IMPINGE_DECLARE_KERNELS

#endif
