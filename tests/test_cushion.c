/*
 * A billiard ball between cushion and table (Mathavan, Jackson and Parkin 2010): while the
 * cushion pushes it down the table pushes it up, so that v_z stays 0. Without friction of the table
 * that is a mechanism of five coordinates, v_x, v_y and omega. With it, the impulses of both
 * contacts grow together, which no call follows: the tests state the error of that.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../tools/support/vector.h"
#include "targets.h"

#define BALL_RADIUS 0.02625
#define BALL_MASS   0.1406
#define RESTITUTION 0.98
#define MU_CUSHION  0.14
#define MU_TABLE    0.212
#define HEIGHT      0.4 /* of the cushion above the centre, in radii */

enum { SPEEDS = 5, SHOTS = 3 };

static const double inertia = 0.4 * BALL_MASS * BALL_RADIUS * BALL_RADIUS;

/* The speed towards the cushion at an angle from it, and what is left with the table's friction of
 * a ball that came without spin, and of one that rolled. */
static const struct {
    double speed, degrees, after[2][2];
} shots[SHOTS] = {
    {1, 45, {{0.4206, -0.6287}, {0.5139, -0.6741}}},
    {1.5, 30, {{0.9537, -0.6973}, {1.0711, -0.7226}}},
    {1, 70, {{0.1658, -0.7943}, {0.2060, -0.8641}}},
};

static void speeds_before(size_t shot, bool rolls, double q[SPEEDS]) {
    const double angle = shots[shot].degrees * 0.017453292519943295;
    memset(q, 0, SPEEDS * sizeof *q);
    q[0] = shots[shot].speed * cos(angle);
    q[1] = shots[shot].speed * sin(angle);
    if (!rolls) return;
    q[2] = -q[1] / BALL_RADIUS;
    q[3] = q[0] / BALL_RADIUS;
}

/* t1, t2 and n of the cushion's contact, n towards the ball, and J: how each moves with q. */
static void cushion(double axis[3][3], double jacobian[3][SPEEDS]) {
    const double c = sqrt(1 - HEIGHT * HEIGHT);
    const double axes[3][3] = {{1, 0, 0}, {0, -HEIGHT, c}, {0, -c, -HEIGHT}};
    const double arm[3] = {0, BALL_RADIUS * c, BALL_RADIUS * HEIGHT};
    memcpy(axis, axes, sizeof axes);
    for (int r = 0; r < 3; r++) {
        jacobian[r][0] = axis[r][0];
        jacobian[r][1] = axis[r][1];
        cross3(arm, axis[r], &jacobian[r][2]);
    }
}

/* Slip of the ball on the table. */
static void table_slip(const double q[SPEEDS], double slip[2]) {
    slip[0] = q[0] - BALL_RADIUS * q[3];
    slip[1] = q[1] + BALL_RADIUS * q[2];
}

static double along(const double a[SPEEDS], const double b[SPEEDS]) {
    double sum = 0;
    for (int i = 0; i < SPEEDS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void friction_of(const double slip[2], double by, double force[2]) {
    const double size = hypot(slip[0], slip[1]);
    for (int i = 0; i < 2; i++)
        force[i] = size > 0 ? -by * slip[i] / size : 0;
}

/* dq per unit of the cushion's normal impulse, and u_n. */
static double rates(const double q[SPEEDS], double mu_table, double rate[SPEEDS]) {
    double axis[3][3], jacobian[3][SPEEDS], cushioned[2], tabled[2], slip[2];
    cushion(axis, jacobian);
    for (int i = 0; i < 2; i++)
        slip[i] = along(jacobian[i], q);
    friction_of(slip, MU_CUSHION, cushioned);
    /* The table pushes the ball up as much as the cushion pushes it down. */
    double down = 0;
    const double p[3] = {cushioned[0], cushioned[1], 1};
    for (int r = 0; r < 3; r++)
        down -= p[r] * axis[r][2];
    table_slip(q, slip);
    friction_of(slip, mu_table * fmax(down, 0), tabled);
    for (int j = 0; j < SPEEDS; j++) {
        rate[j] = 0;
        for (int r = 0; r < 3; r++)
            rate[j] += p[r] * jacobian[r][j];
    }
    rate[0] += tabled[0];
    rate[1] += tabled[1];
    rate[2] += BALL_RADIUS * tabled[1];
    rate[3] -= BALL_RADIUS * tabled[0];
    for (int j = 0; j < SPEEDS; j++)
        rate[j] /= j < 2 ? BALL_MASS : inertia;
    return along(jacobian[2], q);
}

/* Both impulses grow together, by the midpoint rule, until restitution has done e^2 of the work. */
static void integrate(size_t shot, bool rolls, double mu_table, double q[SPEEDS]) {
    const double step = BALL_MASS * shots[shot].speed / 20000;
    double rate[SPEEDS], middle[SPEEDS], compression = 0, restitution = 0;
    speeds_before(shot, rolls, q);
    for (;;) {
        rates(q, mu_table, rate);
        for (int j = 0; j < SPEEDS; j++)
            middle[j] = q[j] + step / 2 * rate[j];
        const double u_n = rates(middle, mu_table, rate);
        *(u_n < 0 ? &compression : &restitution) += u_n * step;
        if (restitution >= -RESTITUTION * RESTITUTION * compression) return;
        for (int j = 0; j < SPEEDS; j++)
            q[j] += step * rate[j];
    }
}

/*
 * A step is a twenty-thousandth of the momentum, some thirty-thousandth of the impulse, and the end
 * is known to one: velocities to 1e-4 of the speed.
 */
#define OF_STEPS 1e-4

/* The figures of the report, by an integration of our own: to their last digit, and a step. */
Test(cushion, with_friction_of_the_table) {
    for (size_t i = 0; i < 2 * SHOTS; i++) {
        const size_t shot = i / 2, rolls = i % 2;
        double q[SPEEDS];
        integrate(shot, rolls, MU_TABLE, q);
        for (int j = 0; j < 2; j++)
            cr_expect(fabs(q[j] - shots[shot].after[rolls][j]) <=
                          5e-5 + OF_STEPS * shots[shot].speed,
                      "shot %zu: %g, not %g", shot, q[j], shots[shot].after[rolls][j]);
    }
}

#define REAL       float
#define NAME(name) name##_f32
#include "test_cushion_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "test_cushion_real.inc"

Test(cushion, smooth_table_f32) { for_each_target(smooth_table_f32, NULL); }
Test(cushion, smooth_table_f64) { for_each_target(smooth_table_f64, NULL); }
