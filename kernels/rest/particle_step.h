/*
 * The state of a step of particles, which its parts share, in the caller's workspace.
 *
 * Bodies are the particles, then the planes, then a spare body for each member of a team, for the
 * lanes of a vector beyond the last contact. Places are numbers of contacts that take part, in the
 * order of the sweeps: block by block, and in a block colour by colour.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_STEP_H
#define IMPINGE_KERNELS_REST_PARTICLE_STEP_H

#include <stdbool.h>

#include <impinge/particle_step.h>

#include "../columns.h"
#include "../merged.h"

/*
 * A body's row: v and 1/m; s = R omega, the speed of its surface, and k = R^2 / I. An impulse p on
 * A of a contact with the normal n changes v by p / m and s by -k n x p; on B by -p / m and -k n x
 * p.
 */
enum { ROW = 8, ROW_SURFACE = 4, PLACE_ROW = 4 };

/* In ties: v and s in double, and their changes by an iteration. */
enum { TIED_SURFACE = 3, TIED_CHANGE = 6, TIED_ROW = 12 };

/*
 * Contacts that are coloured together: their columns and the rows of their particles stay in a
 * second cache of a megabyte, and a colour is long enough for threads to share it.
 */
enum { COLOUR_BLOCK = 8192 };

/*
 * Blocks in the order of the list are put into groups, and groups into waves: those of a wave share
 * no body that moves, so that threads take one each, and sweep it without waiting for each other.
 * Bodies are compared by pages of consecutive ones.
 */
enum { GROUPS = 64, GROUPS_LEAST = 4, BLOCKS_MANY = 16, PAGES = 1024, PAGE_WORDS = PAGES / 64 };

/* A sum over contacts is a sum over chunks of this many, so that threads may share them out. */
enum { CHUNK = 128, CHUNK_LANES = 16 };

/*
 * The distance in places from a vector to the one whose rows are prefetched, and the number of
 * bodies from which on they are.
 */
enum { ROWS_AHEAD = 32, FAR_BODIES = 1 << 16 };

/*
 * The rest reuses the columns of the ties, which are finished when it begins. With split masses:
 * the changes by a sweep, and the impulses of the sweep before. With rolling resistance
 * (particle_rolling.h): c, its change by a sweep, its bounds over p_n, alpha and beta.
 */
enum {
    CHANGE = 0,
    BEFORE = 3,
    ROLL_COUPLE = 6,
    ROLL_CHANGE = 9,
    ROLL_MOST = 12,
    TWIST_MOST,
    ROLL_SHARE_A,
    ROLL_SHARE_B,
    TIE_COLUMNS
};

/* A bit in an index of a row, whose other bits are a multiple of ROW: the body never changes. */
#define ROW_FIXED 1u

/* The row found for a contact: n and the gap; the impulse at the start, and mu. */
enum { FOUND_ROW = 8, FOUND_GAP = 3, FOUND_IMPULSE = 4, FOUND_FRICTION = 7 };

/* The word of a body. Its upper bits have reasons of impinge_outcome. */
#define BODY_MOVES 1u

struct NAME(impinge_particle_shared);

typedef struct NAME(impinge_particle_step_state) {
    const NAME(impinge_particle_step) * step;
    impinge_options impact_options;
    impinge_step_options options; /* complete */
    impinge_team team;
    size_t particles, bodies, contacts;
    bool spheres, aims;
    bool rolls;           /* rolling is resisted */
    bool rests, collides; /* parts of the step that there are */
    bool far;             /* rows are to be prefetched */
    /* Arrays of bodies. */
    real_t *rows, *before; /* ROW each; before: at the beginning of the rest */
    real_t *place;         /* PLACE_ROW each: x and R; later displacements, and 1/m */
    uint32_t *body;        /* BODY_MOVES and reasons */
    uint32_t *island;      /* the body that represents its island */
    double *gained;        /* of each island: A and B of the guard, and the bodies' part of A */
    double *energy;        /* A, B and the energy before of each body */
    uint64_t *taken;       /* colours, for each member that colours */
    /* Arrays of contacts of one block, for each member that colours. */
    real_t *found; /* FOUND_ROW each, in rows */
    uint32_t *found_row[2];
    uint32_t *live; /* numbers of those that take part */
    /* Arrays of places. */
    real_t *normal[3], *impulse[3], *aim[3];
    real_t *friction, *gap; /* friction below 0: a contact that waits for the next step */
    uint32_t *row_a, *row_b, *number;
    /* Colours: the place where each begins, and where the last ends. */
    uint32_t *colour;
    uint32_t *block;               /* the first colour of each */
    uint64_t (*pages)[PAGE_WORDS]; /* of each block, if there are groups of them */
    double *chunk_square;          /* sums of squared residuals, for each chunk of a colour */
    /* State that members of the team share. */
    struct NAME(impinge_particle_shared) * shared;
    /* Arrays of rounds, see particle_rounds.c and particle_ties.c. */
    real_t *approach, *tie[TIE_COLUMNS];
    uint32_t *touching, *stamp, *list[4];
    real_t *best; /* of bodies */
    uint32_t *touch_start, *tied;
    double *tied_row; /* TIED_ROW each: of bodies in ties */
} NAME(impinge_particle_step_state);

/* True if the step writes the works of its impacts. */
static inline bool wants_step_works(const NAME(impinge_particle_step_state) * w) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    return out->work_compression || out->work_restitution || out->work_friction;
}

/* Adds the works of an impact, of compression, restitution and friction, to those of its contact.
 */
static inline void add_step_works(const NAME(impinge_particle_step_state) * w, uint32_t number,
                                  const real_t work[3]) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    real_t *const to[3] = {out->work_compression, out->work_restitution, out->work_friction};
    const size_t at = element(number, out->work_stride);
    for (size_t k = 0; k < 3; k++)
        if (to[k]) to[k][at] = sum_of_works(to[k][at], work[k], k);
}

/* Adds the outcome of an impact to those of its contact. */
static inline void add_step_outcome(const NAME(impinge_particle_step_state) * w, uint32_t number,
                                    uint32_t outcome) {
    if (!w->step->impact_outcome) return;
    uint32_t *const to = &w->step->impact_outcome[element(number, w->step->impact_outcome_stride)];
    *to = merged(*to, outcome);
}

/*
 * Given impulses are taken for 0 where K_n |p| is above this times the largest speed of the island.
 * The velocities of bodies are v + p / m before sweeps take p away again; from there on the
 * rounding of that sum, of a unit, is no longer small beside them: a sixteenth.
 */
#define SUPPORTED (1 / (16 * REAL_UNIT))

/* The largest component of the kick that all bodies get. */
static inline real_t kick_size(const NAME(impinge_kick) * kick) {
    real_t size = 0;
    const real_t by[3] = {kick->x, kick->y, kick->z};
    for (size_t k = 0; k < 3; k++) {
        const real_t is = by[k] < 0 ? -by[k] : by[k];
        size = is > size ? is : size;
    }
    return size;
}

/* State that members of a team share. */
typedef struct NAME(impinge_particle_shared) {
    size_t live, colours, approaching, chunks, waves;
    size_t paged;                            /* blocks, if their pages are known; or 0 */
    uint8_t wave[GROUPS + 1], group[GROUPS]; /* groups, by waves, and where each wave begins */
    /* For each member's share: places, their colours, those that approach, invalid contacts. */
    size_t placed[IMPINGE_TEAM_MAX], coloured[IMPINGE_TEAM_MAX];
    size_t some[IMPINGE_TEAM_MAX], invalid[IMPINGE_TEAM_MAX];
    bool unsupported[IMPINGE_TEAM_MAX]; /* some of their given impulses may be */
    real_t residual[IMPINGE_TEAM_MAX];
    bool guarded, ended;
    double inertia; /* of the extrapolation of sweeps */
    real_t ahead;   /* impulses are extrapolated by this times their last change */
    double rms;     /* the residual before the last sweep */
    impinge_step_report report;
} NAME(impinge_particle_shared);

/* The place of a sweep of positions: the last also writes the results of the rest. */
typedef struct project_sweep {
    bool first, last;
} project_sweep_t;

/*
 * The contacts of a block as they are found. The member's next block overwrites them, so they stay
 * in the caches.
 */
typedef struct NAME(impinge_found_block) {
    size_t first; /* contact */
    real_t *row;  /* FOUND_ROW each */
    uint32_t *row_a, *row_b, *live;
} NAME(impinge_found_block);

/* A target's part in a step. Ranges are those of a member of a team. */
typedef struct NAME(impinge_particle_step_kernels) {
    /* Bodies first to end - 1, from particles and planes. */
    void (*pack)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /*
     * Computes gaps, normals and reasons of errors, and writes the results of contacts that take no
     * part. Lists the others, and counts invalid ones.
     */
    size_t (*find_contacts)(const NAME(impinge_particle_step_state) * w,
                            const NAME(impinge_found_block) * block, size_t end, size_t *invalid);
    /* Places: their columns; with impacts -u_n, too. Lists those above the rest speed. */
    size_t (*set_up)(const NAME(impinge_particle_step_state) * w,
                     const NAME(impinge_found_block) * block, size_t first, size_t end,
                     uint32_t *places);
    /* -u_n of the places of a list, into w->approach. */
    void (*approach_of)(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                        size_t count);
    /* Collides places by their law; no two share a body that moves. */
    void (*collide)(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                    size_t count);
    /* The restitution of the places of a list. */
    void (*restitution_of)(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                           size_t count, real_t *restitution);
    /* Bodies: the kick, and the state at the beginning of the rest. */
    void (*begin)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                  bool kicks);
    /* Places of one colour: the effect of the impulses before, */
    void (*start_warm)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* a sweep, which returns the largest residual, */
    real_t (*sweep)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                    double *square);
    /* and the extrapolation of impulses along their last change. */
    void (*go_ahead)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                     real_t by);
    /*
     * Rolling resistance, see kernels/rest/particle_rolling.h. Places: columns and couples at the
     * start; of one colour: the effect of these couples, and a sweep, as above; results.
     */
    void (*begin_rolling)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    void (*start_rolling)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    real_t (*sweep_rolling)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                            double *square);
    void (*write_rolling)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* Bodies: the energies that the rest gave them, */
    void (*weigh)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* scaling of that energy; */
    void (*scale)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* displacements of 0. */
    void (*begin_places)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* Places of one colour: a sweep of positions. */
    void (*project)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                    project_sweep_t sweep);
    /* The same without an order, see kernels/rest/particle_split.h. */
    void (*split_warm)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    real_t (*split_sweep)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          double *square, double *uphill);
    void (*split_accelerate)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                             real_t by);
    void (*split_add)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                      bool displaces);
    void (*split_project)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          project_sweep_t sweep);
    real_t (*split_sweep_rolling)(const NAME(impinge_particle_step_state) * w, size_t first,
                                  size_t end, double *square);
    void (*split_add_rolling)(const NAME(impinge_particle_step_state) * w, size_t first,
                              size_t end);
    /* The results of the rest of places. */
    void (*write_rest)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end);
    /* Bodies, back to the particles; `moved`: positions, too. */
    void (*unpack)(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                   bool moved);
} NAME(impinge_particle_step_kernels);

#endif
