/* Every operation of the vocabulary, on every target and element type, against scalar.h. */
#include <stdlib.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "lane_check.h"
#include "targets.h"

/* A subject by its index: Criterion may run a case in another process. */
typedef struct lane_case {
    size_t subject;
    lane_op op;
} lane_case;

ParameterizedTestParameters(lane, operation) {
    static lane_case cases[16 * LANE_OP_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (!lane_subject_runs(&lane_subjects[i])) {
            continue;
        }
        for (int op = 0; op < LANE_OP_COUNT; ++op) {
            cases[count++] = (lane_case){i, (lane_op)op};
        }
    }
    return cr_make_param_array(lane_case, cases, count);
}

ParameterizedTest(lane_case *tested, lane, operation) {
    const char *difference = lane_check_op(&lane_subjects[tested->subject], tested->op);
    cr_assert(difference == NULL, "%s", difference);
}

Test(lane, first_lanes) {
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (!lane_subject_runs(&lane_subjects[i])) {
            continue;
        }
        const char *difference = lane_check_first(&lane_subjects[i]);
        cr_expect(difference == NULL, "%s", difference);
    }
}

Test(lane, packed) {
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (!lane_subject_runs(&lane_subjects[i])) {
            continue;
        }
        const char *difference = lane_check_packed(&lane_subjects[i]);
        cr_expect(difference == NULL, "%s", difference);
    }
}

Test(lane, gathered) {
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (!lane_subject_runs(&lane_subjects[i])) {
            continue;
        }
        const char *difference = lane_check_gathered(&lane_subjects[i]);
        cr_expect(difference == NULL, "%s", difference);
    }
}

Test(lane, rows) {
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (!lane_subject_runs(&lane_subjects[i])) {
            continue;
        }
        const char *difference = lane_check_rows(&lane_subjects[i]);
        cr_expect(difference == NULL, "%s", difference);
    }
}

/* Notes in the report that the real instructions were not run. */
Test(lane, avx512) {
#ifdef IMPINGE_HAVE_AVX512
    for (size_t i = 0; i < lane_subject_count; ++i) {
        if (lane_subjects[i].ops == &lane_ops_avx512_f32 && !lane_subject_runs(&lane_subjects[i])) {
            skip_test("avx512: skipped, this CPU has none; emulated source run instead");
        }
    }
#else
    skip_test("avx512: skipped, not in this build");
#endif
}
