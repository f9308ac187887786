/* Rows of eight numbers as two rows of four, for targets whose registers are no wider than four. */
#ifndef IMPINGE_KERNELS_LANE_ROW4_TWICE_H
#define IMPINGE_KERNELS_LANE_ROW4_TWICE_H

typedef struct row8 {
    row4_t first, last;
} row8_t;

static inline row8_t row8_load(const real_t *a) { return (row8_t){row4_load(a), row4_load(a + 4)}; }
static inline void row8_add_times(real_t *to, row8_t row) {
    row4_add_times(to, row.first);
    row4_add_times(to + 4, row.last);
}
static inline void row8_sub_times(real_t *to, row8_t row) {
    row4_sub_times(to, row.first);
    row4_sub_times(to + 4, row.last);
}
static inline void row8_add(real_t *to, row8_t row) {
    row4_add(to, row.first);
    row4_add(to + 4, row.last);
}
static inline void row8_sub(real_t *to, row8_t row) {
    row4_sub(to, row.first);
    row4_sub(to + 4, row.last);
}

#endif
