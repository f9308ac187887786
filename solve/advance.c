/* Bodies move on: along their velocities, and by the displacements of the positions' sweeps. */
#include <math.h>

#include "advance.h"

#include "vector.h"

/* A turn of 2.8 rad: above it, the approximant of the tangent would leave its range. */
#define HALF_TURN_SQUARE_MAX 2

static bool finite3(const double a[3]) {
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

/*
 * The quaternion of a turn is (1, tan(|turn| / 2) along its axis), but for its length (Cayley);
 * tan(x) / x is (15 - x^2) / (15 - 6 x^2), but for x^6 / 1575 (Pade).
 */
static void turn_quaternion(double q[4], const double turn[3]) {
    double x[3] = {turn[0] / 2, turn[1] / 2, turn[2] / 2};
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double scale = 1;
    if (square > HALF_TURN_SQUARE_MAX) {
        scale = sqrt(HALF_TURN_SQUARE_MAX / square);
        square = HALF_TURN_SQUARE_MAX;
    }
    scale *= (15 - square) / (15 - 6 * square);
    for (int k = 0; k < 3; k++)
        x[k] *= scale;
    const double w = q[0] - x[0] * q[1] - x[1] * q[2] - x[2] * q[3];
    const double i = q[1] + x[0] * q[0] + x[1] * q[3] - x[2] * q[2];
    const double j = q[2] + x[1] * q[0] + x[2] * q[1] - x[0] * q[3];
    const double k = q[3] + x[2] * q[0] + x[0] * q[2] - x[1] * q[1];
    const double length = sqrt(w * w + i * i + j * j + k * k);
    q[0] = w / length;
    q[1] = i / length;
    q[2] = j / length;
    q[3] = k / length;
}

/* The same turn given in the body's own frame: from the right. */
static void turn_own(double q[4], const double turn[3]) {
    /* Conjugates: (q t)* = t* q*, and t* is the opposite turn. */
    double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    const double back[3] = {-turn[0], -turn[1], -turn[2]};
    turn_quaternion(conjugate, back);
    q[0] = conjugate[0];
    for (int k = 1; k < 4; k++)
        q[k] = -conjugate[k];
}

void NAME(impinge_move_pose)(const NAME(impinge_poses) * poses, size_t i, const double by[3],
                             const double turn[3], bool own) {
    if (!finite3(by) || !finite3(turn)) return;
    const size_t at = element(i, poses->position_stride);
    const size_t turned = element(i, poses->orientation_stride);
    double x[3] = {(double)poses->position_x[at], (double)poses->position_y[at],
                   (double)poses->position_z[at]};
    for (int k = 0; k < 3; k++)
        x[k] += by[k];
    if (!finite3(x)) return;
    if (poses->w && (turn[0] != 0 || turn[1] != 0 || turn[2] != 0)) {
        double q[4] = {(double)poses->w[turned], (double)poses->x[turned], (double)poses->y[turned],
                       (double)poses->z[turned]};
        if (own)
            turn_own(q, turn);
        else
            turn_quaternion(q, turn);
        if (!isfinite(q[0] + q[1] + q[2] + q[3])) return;
        poses->w[turned] = (real_t)q[0];
        poses->x[turned] = (real_t)q[1];
        poses->y[turned] = (real_t)q[2];
        poses->z[turned] = (real_t)q[3];
    }
    poses->position_x[at] = (real_t)x[0];
    poses->position_y[at] = (real_t)x[1];
    poses->position_z[at] = (real_t)x[2];
}

void NAME(impinge_move_bodies)(const NAME(impinge_bodies) * bodies,
                               const NAME(impinge_poses) * poses, double time) {
    const bool own = has_own_turning(&bodies->orientation);
    for (size_t i = 0; i < bodies->count; i++) {
        const double by[3] = {
            time * (double)bodies->velocity_x[element(i, bodies->velocity_stride)],
            time * (double)bodies->velocity_y[element(i, bodies->velocity_stride)],
            time * (double)bodies->velocity_z[element(i, bodies->velocity_stride)]};
        const double turn[3] = {
            time * (double)bodies->angular_velocity_x[element(i, bodies->angular_velocity_stride)],
            time * (double)bodies->angular_velocity_y[element(i, bodies->angular_velocity_stride)],
            time * (double)bodies->angular_velocity_z[element(i, bodies->angular_velocity_stride)]};
        NAME(impinge_move_pose)(poses, i, by, turn, own);
    }
}
