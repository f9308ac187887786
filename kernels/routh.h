/*
 * Routh's law: the incremental law of contact with friction (seed 000; seed 003, 4.2.1).
 *
 * A batch goes through in chunks. Each is normalised (normalise.h), its sliding contacts are
 * integrated (slide.h, series.h), and all of it is closed (close.h). How contacts come in and where
 * results go is the level's business: contact_space.h, body_pairs.h.
 */
#ifndef IMPINGE_KERNELS_ROUTH_H
#define IMPINGE_KERNELS_ROUTH_H

#include "close.h"
#include "normalise.h"

typedef struct workspace {
    chunk_t chunk;
    slide_t slide;
} workspace_t;

static inline law_t law_of(const impinge_options *options) {
    const real_t finest = 4 * REAL_UNIT; /* below that, rounding is all there is */
    const real_t tolerance = (real_t)options->tolerance;
    law_t law;
    law.rule = options->rule;
    law.resolve_jams = options->resolve_jams;
    law.tolerance = tolerance < finest ? finest : tolerance;
    return law;
}

static inline void report_lanes(impinge_report *report, word_t outcome, size_t first, size_t count) {
    const uint32_t used = count >= 32 ? UINT32_MAX : ((uint32_t)1 << count) - 1;
    uint32_t invalid = mask_bits(word_has(outcome, IMPINGE_OUTCOME_INVALID)) & used;
    for (size_t i = first; invalid != 0; i++, invalid >>= 1) {
        if (!(invalid & 1)) continue;
        if (report->invalid == 0) report->first_invalid = i;
        report->invalid++;
    }
}

#endif
