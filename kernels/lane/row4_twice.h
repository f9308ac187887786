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
static inline row8_t row8_with(row8_t a, real_t by, row8_t row) {
    return (row8_t){row4_with(a.first, by, row.first), row4_with(a.last, by, row.last)};
}
static inline void row8_store(real_t *to, row8_t a) {
    row4_store(to, a.first);
    row4_store(to + 4, a.last);
}
static inline bool row8_are_finite(row8_t a, row4_t b) {
    return row4_are_finite(a.first, a.last, b);
}

#endif
