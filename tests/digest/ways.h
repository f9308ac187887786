/* The laws and options by which contacts are resolved, and the outcomes that must occur. */
#ifndef DIGEST_WAYS_H
#define DIGEST_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/impinge.h>

/* The bits that occur among single contacts, and those which only body pairs can have. */
#define OUTCOMES_ALL                                                                               \
    ((uint32_t)(IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_SLID |    \
                IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_DIVERGED | IMPINGE_OUTCOME_SLIP_REVERSED | \
                IMPINGE_OUTCOME_RECOMPRESSED | IMPINGE_OUTCOME_JAMMED | IMPINGE_OUTCOME_INVALID |  \
                IMPINGE_OUTCOME_INVALID_MATRIX | IMPINGE_OUTCOME_INVALID_VELOCITY |                \
                IMPINGE_OUTCOME_INVALID_RESTITUTION | IMPINGE_OUTCOME_INVALID_FRICTION |           \
                IMPINGE_OUTCOME_OUT_OF_RANGE) |                                                    \
     OUTCOMES_OF_BODIES)
#define OUTCOMES_OF_BODIES                                                                         \
    ((uint32_t)(IMPINGE_OUTCOME_INVALID_NORMAL | IMPINGE_OUTCOME_INVALID_MASS |                    \
                IMPINGE_OUTCOME_INVALID_ARM))

/* The algebraic laws follow no path, on which a slip could diverge or compression begin again. */
#define OUTCOMES_ALGEBRAIC                                                                         \
    (OUTCOMES_ALL & ~((uint32_t)IMPINGE_OUTCOME_DIVERGED | IMPINGE_OUTCOME_RECOMPRESSED))
#define OUTCOMES_JUDGED ((uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION)

/* A planar contact is compressed once; its outcome has the phase in which the slip ended. */
#define OUTCOMES_PLANAR                                                                            \
    ((OUTCOMES_ALL & ~(uint32_t)IMPINGE_OUTCOME_RECOMPRESSED) |                                    \
     (uint32_t)IMPINGE_OUTCOME_SLIP_ENDED_LATE)

typedef struct way_t {
    const char *name;
    impinge_options options;
    bool damped;    /* restitution as a damping fraction */
    uint32_t extra; /* outcomes of a law beyond OUTCOMES_ALGEBRAIC, */
    uint32_t never; /* and those of OUTCOMES_ALGEBRAIC that it cannot have */
} way_t;

static const way_t ways[] = {
    {.name = "stronge", .options = {.rule = IMPINGE_RULE_STRONGE}},
    {.name = "stronge-jams", .options = {.rule = IMPINGE_RULE_STRONGE, .resolve_jams = true}},
    {.name = "poisson-jams", .options = {.rule = IMPINGE_RULE_POISSON, .resolve_jams = true}},
    {.name = "newton-jams", .options = {.rule = IMPINGE_RULE_NEWTON, .resolve_jams = true}},
    {.name = "stronge-coarse", .options = {.rule = IMPINGE_RULE_STRONGE, .tolerance = 0.001}},
};

/*
 * The other laws: with all options that they allow, and above e = 1, where every impulse is tested
 * against the region.
 */
static const way_t law_ways[] = {
    {.name = "frictionless",
     .options = {.law = IMPINGE_LAW_FRICTIONLESS},
     .never = IMPINGE_OUTCOME_INVALID_FRICTION},
    {.name = "frictionless-damped",
     .options = {.law = IMPINGE_LAW_FRICTIONLESS},
     .damped = true,
     .extra = IMPINGE_OUTCOME_INVALID_COEFFICIENT,
     .never = IMPINGE_OUTCOME_INVALID_FRICTION | IMPINGE_OUTCOME_INVALID_RESTITUTION},
    {.name = "frictionless-above-one",
     .options = {.law = IMPINGE_LAW_FRICTIONLESS, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED,
     .never = IMPINGE_OUTCOME_INVALID_FRICTION},
    {.name = "whittaker-jams",
     .options = {.law = IMPINGE_LAW_WHITTAKER, .resolve_jams = true},
     .extra = OUTCOMES_JUDGED},
    {.name = "whittaker-above-one",
     .options = {.law = IMPINGE_LAW_WHITTAKER, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED},
    {.name = "smith-jams", .options = {.law = IMPINGE_LAW_SMITH, .resolve_jams = true}},
    {.name = "smith-above-one",
     .options = {.law = IMPINGE_LAW_SMITH, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED},
    {.name = "two-stage-jams", .options = {.law = IMPINGE_LAW_TWO_STAGE, .resolve_jams = true}},
    {.name = "two-stage-above-one",
     .options = {.law = IMPINGE_LAW_TWO_STAGE, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED},
    {.name = "bilinear",
     .options = {.law = IMPINGE_LAW_BILINEAR},
     .extra = IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT |
              IMPINGE_OUTCOME_NOT_DIAGONAL},
    {.name = "bilinear-above-one",
     .options = {.law = IMPINGE_LAW_BILINEAR, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED | IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT |
              IMPINGE_OUTCOME_NOT_DIAGONAL},
    {.name = "chatterjee-ruina-jams",
     .options = {.law = IMPINGE_LAW_CHATTERJEE_RUINA, .resolve_jams = true},
     .extra = IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "chatterjee-ruina-above-one",
     .options = {.law = IMPINGE_LAW_CHATTERJEE_RUINA, .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED | IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "brach",
     .options = {.law = IMPINGE_LAW_BRACH},
     .extra = OUTCOMES_JUDGED | IMPINGE_OUTCOME_NO_SOLUTION | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "brach-limited",
     .options = {.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = true},
     .extra = IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "brach-limited-above-one",
     .options = {.law = IMPINGE_LAW_BRACH,
                 .limit_impulse_ratios = true,
                 .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED | IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "composite-jams",
     .options = {.law = IMPINGE_LAW_COMPOSITE, .resolve_jams = true},
     .extra = IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
    {.name = "composite-poisson-above-one",
     .options = {.law = IMPINGE_LAW_COMPOSITE,
                 .rule = IMPINGE_RULE_POISSON,
                 .restitution_above_one = true},
     .extra = OUTCOMES_JUDGED | IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID_COEFFICIENT},
};

/* For body pairs that are turned as well: Hakenberg's. */
static const way_t *const turned_ways[] = {&ways[0], &law_ways[1]};

/* For bodies by index, and sweeps: a law that follows a path, and one in closed form. */
static const way_t *const indexed_ways[] = {&ways[0], &law_ways[11]};

/* Particles: pairs or planes, spheres or points, and how restitution is known. */
typedef struct particle_way {
    const char *name;
    bool planes, spheres;
    impinge_restitution_kind kind;
    impinge_options options;
    uint32_t outcomes; /* what must have come out at least once */
} particle_way;

#define OUTCOMES_PARTICLES                                                                         \
    ((uint32_t)IMPINGE_OUTCOME_APART | IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_SLID |         \
     IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_INDEX)

static const particle_way particle_ways[] = {
    {"points",
     false,
     false,
     IMPINGE_RESTITUTION_CONSTANT,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES | IMPINGE_OUTCOME_STUCK},
    {"bilinear",
     false,
     true,
     IMPINGE_RESTITUTION_CONSTANT,
     {.law = IMPINGE_LAW_BILINEAR},
     OUTCOMES_PARTICLES | IMPINGE_OUTCOME_SLIP_REVERSED},
    {"above-one",
     false,
     true,
     IMPINGE_RESTITUTION_THRESHOLD,
     {.law = IMPINGE_LAW_ROUTH, .restitution_above_one = true},
     OUTCOMES_PARTICLES},
    {"elastoplastic",
     false,
     true,
     IMPINGE_RESTITUTION_ELASTOPLASTIC,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES},
    {"table",
     false,
     true,
     IMPINGE_RESTITUTION_TABLE,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES},
    {"viscoelastic",
     false,
     true,
     IMPINGE_RESTITUTION_VISCOELASTIC,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES},
    {"points",
     true,
     false,
     IMPINGE_RESTITUTION_CONSTANT,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES},
    {"bilinear",
     true,
     true,
     IMPINGE_RESTITUTION_CONSTANT,
     {.law = IMPINGE_LAW_BILINEAR},
     OUTCOMES_PARTICLES},
    {"viscoelastic",
     true,
     true,
     IMPINGE_RESTITUTION_VISCOELASTIC,
     {.law = IMPINGE_LAW_ROUTH},
     OUTCOMES_PARTICLES},
};

/* Outcomes that must occur at least once, in contacts of any kind. */
static uint32_t outcomes_of(const way_t *way) {
    const uint32_t jams = way->options.resolve_jams ? 0 : (uint32_t)IMPINGE_OUTCOME_JAMMED;
    const bool routh = way->options.law == IMPINGE_LAW_ROUTH;
    const uint32_t law = routh ? OUTCOMES_ALL : OUTCOMES_ALGEBRAIC;
    return ((law | way->extra) & ~way->never) & ~jams;
}

/* Bits that a mask of the permissible region can have. */
#define REGION_MASKS                                                                               \
    (IMPINGE_REGION_CONDITIONS | (uint32_t)IMPINGE_REGION_IMMOVABLE |                              \
     (uint32_t)IMPINGE_REGION_INVALID_IMPULSE | (uint32_t)IMPINGE_OUTCOME_INVALID)

/* Outcomes that must occur in mechanisms. */
#define OUTCOMES_OF_MECHANISMS                                                                     \
    ((uint32_t)(IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_SLID |    \
                IMPINGE_OUTCOME_INVALID_MASS | IMPINGE_OUTCOME_INVALID_ARM |                       \
                IMPINGE_OUTCOME_INVALID_VELOCITY))

#endif
