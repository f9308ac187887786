/**
 * Every public call that computes, as one list: each with its arrays as columns, which a test
 * allocates where it likes (between guard pages, at odd addresses), fills as it likes, and
 * compares.
 */
#ifndef PUBLIC_CALLS_H
#define PUBLIC_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/impinge.h>

/** The use that a call makes of a column. */
typedef enum column_role {
    COLUMN_READ,
    COLUMN_WRITTEN,
    COLUMN_UPDATED, /**< read and written */
    COLUMN_SCRATCH  /**< a workspace: its contents afterwards have no meaning */
} column_role;

/** The meaning of a column's numbers, from which legal ones are drawn. */
typedef enum column_meaning {
    MEANS_SIGNED,      /**< about 1, of either sign */
    MEANS_POSITIVE,    /**< masses, radii */
    MEANS_DIAGONAL,    /**< above the sum of a matrix row's other elements */
    MEANS_MASS_MATRIX, /**< a triangle by rows, each of a whole batch */
    MEANS_APPROACH,    /**< negative as a rule: a normal velocity */
    MEANS_FRACTION,    /**< in [0, 1]: coefficients */
    MEANS_FRICTION_STATIC,
    MEANS_NORMAL_X,
    MEANS_NORMAL_Y,
    MEANS_NORMAL_Z,
    MEANS_QUATERNION_W,
    MEANS_QUATERNION_Z, /**< x and y are zero, MEANS_ZERO */
    MEANS_COSINE,       /**< of a rotation about z; the z-z element is MEANS_ONE */
    MEANS_SINE,
    MEANS_MINUS_SINE,
    MEANS_ZERO,
    MEANS_ONE,
    MEANS_INDEX, /**< below the column's bound, mostly */
    MEANS_KEY,   /**< an identity, ascending and different from the others */
    MEANS_BYTES
} column_meaning;

typedef struct call_column {
    column_role role;
    column_meaning means;
    size_t size;   /**< bytes of an element */
    size_t length; /**< elements */
    uint32_t bound;
    void *data;
} call_column;

#define CALL_COLUMNS_MAX 128

/**
 * The largest alignment that calls require of workspaces. Other columns are aligned to their
 * elements.
 */
#define CALL_ALIGNMENT 64

/** The form in which bodies' orientations are given. */
typedef enum call_orientation { NOT_TURNED, BY_QUATERNION, BY_MATRIX } call_orientation;

/** A call that is about to be made: all of its arguments but the arrays' contents. */
typedef struct call_setup {
    size_t contacts, bodies, planes, coordinates; /**< how long the arrays are */
    size_t first, count;                          /**< which contacts; or: */
    bool selects_all;                             /**< the selection is null */
    const impinge_selection *selection;           /**< null: first and count */
    const impinge_selection *changed;             /**< of bodies, particles or islands; null: all */
    impinge_options options;
    bool one_for_all; /**< coefficients are one value for the batch */
    bool damped;      /**< with a damping fraction */
    bool spheres;     /**< of particles: they spin */
    bool no_results;  /**< only the outcomes are wanted */
    call_orientation orientation;
    impinge_restitution_kind restitution; /**< of particles */
    double period, projection, rest_speed, energy_fraction;
    size_t collisions_max, points; /**< of a sequence; of a trace's step */
    bool project_all, extrapolate, drawn;
    size_t columns;
    call_column column[CALL_COLUMNS_MAX];
    /* State of the call while it runs. */
    size_t next;
    bool plans;
} call_setup;

/** A public call in one precision. */
typedef struct public_call {
    const char *name; /**< impinge_... */
    /** True if a contact's results depend on that contact only. */
    bool independent;
    impinge_status (*run)(call_setup *setup);
} public_call;

extern const public_call public_calls[];
extern const size_t public_call_count;

/** Lists the columns that the call has with this setup; `data` of all is null. */
void call_plan(const public_call *call, call_setup *setup);

/** Makes the call, on contacts setup->first to first + count - 1. */
impinge_status call_run(const public_call *call, call_setup *setup);

/** Legal numbers, mostly, in all columns that are read, by a seed; the others become zero. */
void call_fill(call_setup *setup, uint64_t seed);

/** The law, rule and all that a setup can choose, by a seed; sizes are left as they are. */
void call_choose(call_setup *setup, uint64_t seed);

/** Allocates every column by itself, and frees them. False: no memory.
 */
bool call_allocate(call_setup *setup);
void call_free(call_setup *setup);

/** True if two setups of one call have the same bits in element i of every result. */
bool call_same_at(const call_setup *a, const call_setup *b, size_t i);

/** True if they have the same bits in all results; *column is the first that differs. */
bool call_same(const call_setup *a, const call_setup *b, size_t *column);

#endif
