/*
 * Every law, once:
 *
 *     LAW(constant, name, kind, function, properties, summary)
 *
 * Whatever depends on the law follows from its row: which kernel a call runs, the coefficients that
 * are read and checked, the law's name. A law in impinge_law without a row does not compile.
 *
 * Kinds, and the type of the function:
 *   CLOSED       a closed form, an algebraic_law; contact space has loops of its own (closed.c)
 *   EQUATION     a scalar equation is solved, an algebraic_law
 *   INCREMENTAL  the impulse is followed as it grows; how the path is closed, a routh_close
 *   MIXED        the same path, closed together with an algebraic law, a routh_close
 */
#ifndef IMPINGE_KERNELS_LAWS_LIST_H
#define IMPINGE_KERNELS_LAWS_LIST_H

#include <impinge/batch.h>

#define HAS(property) ((uint32_t)IMPINGE_LAW_##property)

/* clang-format off */
#define LAWS(LAW)                                                                                  \
    LAW(ROUTH, "routh", INCREMENTAL, routh_close_contacts,                                         \
        HAS(READS_FRICTION) | HAS(READS_STATIC_FRICTION) | HAS(MAY_JAM) | HAS(RESOLVES_PARTICLES) |\
        HAS(RESOLVES_PLANAR),                                                                      \
        "friction opposes the slip of the moment, by --rule (the default)")                        \
    LAW(FRICTIONLESS, "frictionless", CLOSED, frictionless,                                        \
        HAS(READS_DAMPING_FRACTION) | HAS(RESOLVES_PARTICLES),                                     \
        "the normal impulse alone; restitution or damping_fraction")                               \
    LAW(WHITTAKER, "whittaker", EQUATION, whittaker,                                               \
        HAS(READS_FRICTION) | HAS(MAY_JAM) | HAS(MAY_LEAVE_REGION),                                \
        "friction opposes the final slip; can gain energy")                                        \
    LAW(SMITH, "smith", EQUATION, smith,                                                           \
        HAS(READS_FRICTION) | HAS(MAY_JAM),                                                        \
        "friction opposes an average of initial and final slip")                                   \
    LAW(TWO_STAGE, "two-stage", EQUATION, two_stage,                                               \
        HAS(READS_FRICTION) | HAS(MAY_JAM),                                                        \
        "compression, then expansion, each opposing its final slip")                               \
    LAW(BILINEAR, "bilinear", CLOSED, bilinear,                                                    \
        HAS(READS_FRICTION) | HAS(READS_TANGENTIAL_RESTITUTION) | HAS(NEEDS_DIAGONAL) |            \
        HAS(RESOLVES_PARTICLES),                                                                   \
        "spheres: tangential_restitution, or sliding; diagonal K only")                            \
    LAW(CHATTERJEE_RUINA, "chatterjee-ruina", CLOSED, chatterjee_ruina,                            \
        HAS(READS_FRICTION) | HAS(READS_TANGENTIAL_RESTITUTION) | HAS(MAY_JAM) |                   \
        HAS(RESOLVES_PARTICLES),                                                                   \
        "restitution and tangential_restitution, in closed form")                                  \
    LAW(BRACH, "brach", CLOSED, brach,                                                             \
        HAS(READS_FRICTION) | HAS(READS_IMPULSE_RATIOS) | HAS(MAY_LEAVE_REGION),                   \
        "impulse_ratio_t1 and impulse_ratio_t2 instead of a friction law")                         \
    LAW(COMPOSITE, "composite", MIXED, composite_close,                                            \
        HAS(READS_FRICTION) | HAS(READS_STATIC_FRICTION) | HAS(READS_TANGENTIAL_RESTITUTION) |     \
        HAS(READS_MIX) | HAS(MAY_JAM),                                                             \
        "mix times chatterjee-ruina and 1 - mix times routh")
/* clang-format on */

#define LAW_ONE(constant, name, kind, function, properties, summary) +1
_Static_assert(0 LAWS(LAW_ONE) == IMPINGE_LAW_COUNT, "laws/list.h has a row for every law");

typedef enum law_kind {
    LAW_KIND_CLOSED,
    LAW_KIND_EQUATION,
    LAW_KIND_INCREMENTAL,
    LAW_KIND_MIXED
} law_kind;

/* These are switches, so that properties cost nothing where the law is a constant. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

static inline law_kind law_kind_of(impinge_law law) {
#define LAW_KIND(constant, name, kind, function, properties, summary)                              \
    case IMPINGE_LAW_##constant:                                                                   \
        return LAW_KIND_##kind;
    switch (law) { LAWS(LAW_KIND) }
    return LAW_KIND_INCREMENTAL; /* not a law: refused earlier */
}

static inline uint32_t law_properties(impinge_law law) {
#define LAW_PROPERTIES(constant, name, kind, function, properties, summary)                        \
    case IMPINGE_LAW_##constant:                                                                   \
        return properties;
    switch (law) { LAWS(LAW_PROPERTIES) }
    return 0;
}

#pragma GCC diagnostic pop

static inline bool law_has(impinge_law law, impinge_law_property property) {
    return (law_properties(law) & (uint32_t)property) != 0;
}

#endif
