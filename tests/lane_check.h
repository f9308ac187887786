/* Tests that a target's lanes give the bits of scalar.h. */
#ifndef IMPINGE_TESTS_LANE_CHECK_H
#define IMPINGE_TESTS_LANE_CHECK_H

#include "lane_ops.h"

/* A target and element type to compare with scalar of the same type, here. */
typedef struct lane_subject {
    const char *name; /* "avx2", "avx512 (emulated)" */
    const char *cpu;  /* what __builtin_cpu_supports must find for it; null: nothing */
    unsigned bits;    /* 32 or 64 */
    const lane_ops *scalar, *ops;
} lane_subject;

extern const lane_subject lane_subjects[];
extern const size_t lane_subject_count;

bool lane_subject_runs(const lane_subject *subject);

const char *lane_op_name(lane_op op);

/* Null, or one line on the first difference (static storage). */
const char *lane_check_op(const lane_subject *subject, lane_op op);
const char *lane_check_first(const lane_subject *subject);
const char *lane_check_packed(const lane_subject *subject);
const char *lane_check_gathered(const lane_subject *subject);
const char *lane_check_rows(const lane_subject *subject);

#endif
