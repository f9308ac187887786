/* test_lane without Criterion, for targets that run under emulation only. */
#include <stdio.h>

#include "lane_check.h"

int main(void) {
    int different = 0, checked = 0;
    for (size_t i = 0; i < lane_subject_count; ++i) {
        const lane_subject *subject = &lane_subjects[i];
        if (!lane_subject_runs(subject)) {
            printf("%s f%u: skipped, this CPU has none\n", subject->name, subject->bits);
            continue;
        }
        for (int op = 0; op <= LANE_OP_COUNT + 1; ++op) {
            const char *difference = op < LANE_OP_COUNT    ? lane_check_op(subject, (lane_op)op)
                                     : op == LANE_OP_COUNT ? lane_check_first(subject)
                                                           : lane_check_packed(subject);
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
