/* The workspace of a step's contacts of bodies during a call. */
#ifndef IMPINGE_SOLVE_BODY_STAGE_H
#define IMPINGE_SOLVE_BODY_STAGE_H

#include <impinge/body_step.h>
#include <impinge/groups.h>

#include "../kernels/rest/body_rest.h"
#include "carving.h"
#include "solve.h"
#include "team.h"

/* The most lanes of any target. A group is one register of at most 64 bytes. */
#define LANES_MAX (64 / sizeof(real_t))

/*
 * The number of colours that are laid out in lanes. Further colours belong to a few bodies with
 * very many contacts, and have few pairs each: they are laid out one by one, for the scalar
 * kernels.
 */
#define WIDE_COLOURS 64

/* Rows are indexed by their numbers, eight to a row, in 32 bits. */
#define STEP_BODIES_MAX   ((size_t)1 << 28)
#define STEP_CONTACTS_MAX ((size_t)1 << 27)

/* Options of a step, with defaults filled in. */
typedef struct NAME(step_ways) {
    real_t step, rest_speed;
    size_t rounds_max, sweeps_max, position_sweeps;
    double residual_max, tie;
    bool waits, unordered, ignore_energy, places;
} NAME(step_ways);

/* Larger clusters of tied contacts collide pair by pair. */
#define TIES_MAX 4096

/* The workspace of impacts. */
typedef struct NAME(impact_room) {
    real_t *approach; /* of each contact: -u_n where it may collide, else 0 */
    real_t *fastest;  /* of each body: the fastest approach of its contacts */
    uint8_t *touched; /* of each body: its velocity has changed in this round */
    uint8_t *settled; /* of each contact: an impact_settled */
    uint8_t *waits;   /* of each contact: it takes no part in the rest */
    uint32_t *parent; /* of each body: union and find over the leading contacts */
    uint32_t *head;   /* of each root: its first leading contact */
    uint32_t *next;   /* of each contact: the next one of its root */
    uint32_t *leading, *picked, *tied;
    real_t *arm[6];    /* of each contact, as given; a manifold's first has those of the mean
                        * point */
    real_t *result[6]; /* for each contact, in a round: impulse and works */
    uint32_t *outcome, *outcomes; /* for each contact: in a round, in all */
    real_t *sum[6];               /* of each contact: impulse and works of all rounds */
    void *ties;
    double (*fallen)[6], (*tied_velocity)[3];
} NAME(impact_room);

/* The colours of some groups. */
typedef struct rest_order {
    /* Colour c has the groups group[c] to group[c + 1] - 1; the first `wide` are the target's. */
    size_t count, wide;
    uint32_t *group;
    /* ... in the runs run[c] to run[c + 1] - 1, each of groups with as many slots; run r begins
     * with group run_first[r]. Its lanes begin at lane[c]. */
    size_t runs;
    uint32_t *run, *run_first, *lane;
} rest_order;

/* A pair in the focus. */
typedef struct focus_pair {
    uint32_t colour, lane; /* where it is among all contacts */
    uint32_t body[2];      /* by its number in the focus, or NO_FOCUS */
} focus_pair;

/* The number of the world, and of a body that no pair of the focus has. */
#define NO_FOCUS UINT32_MAX

/* The most colours in the focus. */
#define FOCUS_COLOURS 16

/*
 * The contacts that still change, in groups of their own, and their bodies, in rows of their own:
 * see body_focus.c.
 */
typedef struct NAME(body_focus) {
    NAME(impinge_body_rest) rest; /* of its groups; only what sweeps use */
    rest_order colours;
    bool is_on, turns; /* sweeps are over the focus; this changes before the next sweep */
    size_t room;       /* the most contacts */
    size_t sweeps;     /* the number left, after which all contacts are swept again */
    double enough;     /* or once a residual is at most this */
    size_t wait;       /* the number of sweeps over all contacts between one focus and the next */
    size_t waits;      /* the number of these that are left */
    double residual;   /* of all contacts, when the last focus began; 0: there was none */
    size_t pairs, bodies;
    focus_pair *pair;
    uint32_t *order, *sorted; /* pairs by colour; and within it by their contacts, most first */
    uint32_t *pair_of;        /* of each lane, or NO_PAIR */
    uint8_t *colour, *contacts_in; /* of each pair */
    uint32_t *body;                /* of each body of the focus: its number among all */
    uint32_t *taken;               /* ... and a bit for each colour of its pairs */
    uint32_t *number;              /* of each of all bodies: its number in the focus */
} NAME(body_focus);

/* Two members of a team may add up the parts of `uphill`. */
enum { UPHILL_PARTS = 2 };

typedef struct NAME(body_stage) {
    NAME(impinge_body_rest) rest;
    const NAME(impinge_body_step) * step;
    NAME(step_ways) ways;
    const NAME(impinge_body_rest_kernels) * wide, *narrow; /* the target's, and the scalar ones */

    /* Pair p has the contacts order[pair_first[p]] to order[pair_first[p + 1] - 1]. */
    size_t pairs;
    uint32_t *order, *pair_first, *pair_a, *pair_b;
    rest_order colours; /* of the groups of `rest` */
    NAME(body_focus) focus;
    uint32_t *sorted;     /* pairs by colour, and within it by their contacts, most first */
    uint32_t *pair_of;    /* of each lane, or NO_PAIR */
    uint8_t *contacts_in; /* of each pair: how many */
    uint8_t *immovable;   /* of each body */
    uint32_t *island_of;  /* of each body: its island, or UINT32_MAX, or that of swamped ones */
    double *island_scale;
    impinge_contact_groups islands; /* of pairs */
    uint32_t *coloured;             /* pairs by colour */
    void *colouring, *uniting;      /* workspaces of colours and of islands */

    NAME(impact_room) impacts;
    bool collides;      /* impacts are a part of the call, and have outcomes */
    bool some_wait;     /* contacts that take no part in the rest */
    bool swamped;       /* by some contacts; island_of then has their islands */
    bool late;          /* by some that the account has found */
    double *body_works; /* BODY_WORKS of each body of these, after the sweeps */
    /*
     * What is then accounted instead of `rest`: the bodies of such islands that move have no
     * velocities, so that the works of their contacts are only those of driven bodies and aims.
     */
    NAME(impinge_body_rest) driven;

    bool reports[IMPINGE_TEAM_MAX];    /* whether each member of the team has a report */
    bool approaches[IMPINGE_TEAM_MAX]; /* what each member of the team has found */
    size_t invalid[IMPINGE_TEAM_MAX];  /* contacts of each member's share */
    double residual[IMPINGE_TEAM_MAX]; /* of each member of the team */
    double uphill[UPHILL_PARTS];       /* of the last sweep, over every second colour */
    bool goes_on;
    double inertia; /* of the sweeps, see momentum.h */
    impinge_step_report report;
} NAME(body_stage);

/* The order of contacts: by their keys or, without keys, by their numbers. */
static inline uint64_t key_of(const NAME(body_stage) * s, uint32_t contact) {
    return s->step->state.key ? s->step->state.key[contact] : contact;
}

/* Lays the stage out in the workspace (null: not at all). Returns the bytes. */
size_t NAME(impinge_stage_carve)(NAME(body_stage) * s, void *workspace, size_t contacts,
                                 size_t bodies);

/* The bytes that a cluster of so many tied contacts needs. */
size_t NAME(impinge_ties_size)(size_t contacts);

/* Pairs of the contacts; the bodies have been packed. */
void NAME(impinge_stage_find_pairs)(NAME(body_stage) * s);

/* Then their colours and groups, by one member of a team, and at the same time islands, by another.
 */
void NAME(impinge_stage_find_groups)(NAME(body_stage) * s);
void NAME(impinge_stage_find_islands)(NAME(body_stage) * s);
/* Once contacts are prepared: pairs without a valid one unite no islands. The leader calls it. */
void NAME(impinge_stage_part_islands)(NAME(body_stage) * s);

/* Fills the lanes of groups; all of the team call it. */
void NAME(impinge_stage_fill_lanes)(NAME(body_stage) * s, const impinge_team *team);

/* The number of lanes of the groups of a colour. */
static inline size_t colour_lanes(const NAME(body_stage) * s, size_t colour) {
    return colour < WIDE_COLOURS ? s->wide->lanes : 1;
}

/* As impinge_stage_carve, for the focus. */
void NAME(impinge_focus_carve)(NAME(body_focus) * f, carving_t *c, size_t contacts, size_t bodies);

/*
 * Chooses all contacts or the focus for the next sweep, after the last sweep, which is counted, has
 * left this residual. The leader calls it.
 */
void NAME(impinge_focus_choose)(NAME(body_stage) * s, double residual);

/* Turns from all contacts to the focus or back, if that was chosen. All of the team call it. */
void NAME(impinge_focus_turn)(NAME(body_stage) * s, const impinge_team *team);

/*
 * Looks for islands that contacts swamp: SWAMPS_FIRST before the sweeps, SWAMPS_SWEPT after the
 * account, which finds them, and has been weighed. The leader calls it. Returns whether there are
 * any.
 */
bool NAME(impinge_swamped_find)(NAME(body_stage) * s, int by);

/* Fills the rows of s->driven, after the sweeps. All of the team call it. */
void NAME(impinge_swamped_fill)(const NAME(body_stage) * s, const impinge_team *team);

/* The energy guard, after sweeps. Finds the scales of all islands, which have been accounted. */
void NAME(impinge_weigh)(NAME(body_stage) * s);

/*
 * The same of those that have been accounted as swamped since, where their bodies have gained.
 * Returns whether rows of some are to be computed anew, whose bodies it marks in island_of.
 */
bool NAME(impinge_weigh_late)(NAME(body_stage) * s);

/* Finds the scales of these, once they have been accounted again. */
void NAME(impinge_weigh_anew)(NAME(body_stage) * s);

/* Scales islands that have gained energy. */
void NAME(impinge_guard)(NAME(body_stage) * s);

/*
 * Of a body by the rest: v0 . M (v - v0), which is A of the guard; the change of its energy, A + B;
 * and the energy that it began with. The second is NaN if a velocity is not finite.
 */
enum { BODY_WORKS = 3 };
void NAME(impinge_body_works)(const NAME(body_stage) * s, size_t body, double works[BODY_WORKS]);

/* Marks the bodies of an island that move, in island_of. */
void NAME(impinge_mark_bodies)(NAME(body_stage) * s, size_t island);

/* The kinetic energy of the movable bodies whose rows these are. */
double NAME(impinge_rows_energy)(const NAME(body_stage) * s, const real_t *rows);

#endif
