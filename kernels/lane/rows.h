/* Rows of four numbers where a target has no quicker way: one by one. In terms of its registers. */
#ifndef IMPINGE_KERNELS_LANE_ROWS_H
#define IMPINGE_KERNELS_LANE_ROWS_H

static inline void reg_gather4(const real_t *a, const uint32_t *i, reg_t x[4]) {
    for (int k = 0; k < 4; k++)
        x[k] = reg_gather(a + k, i);
}
static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    real_t columns[4][REGISTER_WIDTH];
    for (int k = 0; k < 4; k++)
        reg_store(columns[k], x[k]);
    for (int j = 0; j < REGISTER_WIDTH; j++)
        for (int k = 0; k < 4; k++)
            to[i[j] + (size_t)k] = columns[k][j];
}

#endif
