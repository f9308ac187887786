/* Rows for targets without a quicker way to turn them into columns: number by number. */
#ifndef IMPINGE_KERNELS_LANE_ROWS_H
#define IMPINGE_KERNELS_LANE_ROWS_H

static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    real_t columns[4][REGISTER_WIDTH];
    for (size_t j = 0; j < REGISTER_WIDTH; j++)
        for (size_t k = 0; k < 4; k++)
            columns[k][j] = a[i[j] * stride + k];
    for (int k = 0; k < 4; k++)
        x[k] = reg_load(columns[k]);
}
static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    real_t columns[4][REGISTER_WIDTH];
    for (int k = 0; k < 4; k++)
        reg_store(columns[k], x[k]);
    for (size_t j = 0; j < REGISTER_WIDTH; j++)
        for (size_t k = 0; k < 4; k++)
            to[j * stride + k] = columns[k][j];
}
static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    real_t columns[4][REGISTER_WIDTH];
    for (int k = 0; k < 4; k++)
        reg_store(columns[k], x[k]);
    for (size_t j = 0; j < REGISTER_WIDTH; j++)
        for (size_t k = 0; k < 4; k++)
            to[i[j] + k] = columns[k][j];
}

#endif
