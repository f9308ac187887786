/* test_lane without Criterion, for targets that run under emulation only. */
#include <stdio.h>

#include "lane_check.h"

typedef const char *lane_check(const lane_subject *subject);

/* Checks that are not of one operation on lanes: operation LANE_OP_COUNT and on. */
static lane_check *const extra[] = {lane_check_first, lane_check_packed, lane_check_gathered,
                                    lane_check_rows};
#define EXTRA (int)(sizeof extra / sizeof *extra)

static const char *check(const lane_subject *subject, int op) {
    if (op < LANE_OP_COUNT) {
        return lane_check_op(subject, (lane_op)op);
    }
    return extra[op - LANE_OP_COUNT](subject);
}

int main(void) {
    int different = 0, checked = 0;
    for (size_t i = 0; i < lane_subject_count; ++i) {
        const lane_subject *subject = &lane_subjects[i];
        if (!lane_subject_runs(subject)) {
            printf("%s f%u: skipped, this CPU has none\n", subject->name, subject->bits);
            continue;
        }
        for (int op = 0; op < LANE_OP_COUNT + EXTRA; ++op) {
            const char *difference = check(subject, op);
            if (difference != NULL) {
                puts(difference);
                ++different;
            }
            ++checked;
        }
    }
    printf("%d checked, %d different\n", checked, different);
    return different != 0 || checked == 0;
}
