#include "orientation.h"

#include <math.h>

/* The tolerance of impinge_orientation. */
static const long double length_tolerance = 1e-3L;

static void rotation_of(const long double q[4], long double r[3][3]) {
    const long double w = q[0], x = q[1], y = q[2], z = q[3];
    /* 2 / |q|^2, which divides the length out. */
    const long double s = 2 / (w * w + x * x + y * y + z * z);
    const long double rows[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            r[i][j] = rows[i][j];
}

/* R w. */
static void turn_vector(long double r[3][3], long double v[3]) {
    const long double from[3] = {v[0], v[1], v[2]};
    for (size_t i = 0; i < 3; i++)
        v[i] = r[i][0] * from[0] + r[i][1] * from[1] + r[i][2] * from[2];
}

/* R I^-1 R^T; t has xx, xy, xz, yy, yz, zz. */
static void turn_tensor(long double r[3][3], long double t[6]) {
    long double m[3][3] = {{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
    for (size_t i = 0; i < 3; i++)
        turn_vector(r, m[i]); /* I^-1 R^T, row by row */
    for (size_t i = 0, element = 0; i < 3; i++)
        for (size_t j = i; j < 3; j++)
            t[element++] = r[i][0] * m[0][j] + r[i][1] * m[1][j] + r[i][2] * m[2][j];
}

uint32_t orientation_to_world(const long double quaternion[4], reference_body_long *body) {
    const long double length =
        hypotl(hypotl(quaternion[0], quaternion[1]), hypotl(quaternion[2], quaternion[3]));
    if (!(fabsl(length - 1) <= length_tolerance))
        return IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_ORIENTATION;
    long double r[3][3];
    rotation_of(quaternion, r);
    turn_vector(r, body->angular_velocity);
    turn_tensor(r, body->inverse_inertia);
    return 0;
}
