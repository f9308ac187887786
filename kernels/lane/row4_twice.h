/* Rows of eight numbers as two rows of four, for targets whose registers are no wider than four. */
#ifndef IMPINGE_KERNELS_LANE_ROW4_TWICE_H
#define IMPINGE_KERNELS_LANE_ROW4_TWICE_H

static inline void row8_add_times(real_t *to, const real_t *row) {
    row4_add_times(to, row);
    row4_add_times(to + 4, row + 4);
}
static inline void row8_sub_times(real_t *to, const real_t *row) {
    row4_sub_times(to, row);
    row4_sub_times(to + 4, row + 4);
}
static inline void row8_add(real_t *to, const real_t *row) {
    row4_add(to, row);
    row4_add(to + 4, row + 4);
}
static inline void row8_sub(real_t *to, const real_t *row) {
    row4_sub(to, row);
    row4_sub(to + 4, row + 4);
}

#endif
