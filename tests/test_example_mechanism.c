/*
 * The example mechanism: hinged rods as a mechanism and as a sequence of collisions of separate
 * bodies (Chatterjee and Ruina 1998, 6.5), from outside: the numbers of its table.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

/* One line of the table. */
typedef struct row {
    double angle, e, mu;
    double energy[2], slip[2], normal[2]; /* intact; separate */
    double collisions, ended, left;
    char outcome[128];
} row;

#define ROWS_MAX 64

/* A contact that approaches no faster than this has ended, by the program's help. */
#define LEAST 1e-12

static const double radians_per_degree = 0.017453292519943295769;

static size_t table_of(const char *arguments, row *rows) {
    char line[512];
    snprintf(line, sizeof line, "%s --csv", arguments);
    program_run of = run_quietly(EXAMPLE("mechanism"), line);
    cr_assert_eq(of.code, 0);
    cr_assert(strncmp(of.text, "angle,restitution,friction,", 27) == 0, "%s", of.text);
    size_t count = 0;
    for (const char *at = strchr(of.text, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        cr_assert(count < ROWS_MAX);
        row *r = &rows[count++];
        const int read =
            sscanf(at, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%127s", &r->angle, &r->e,
                   &r->mu, &r->energy[0], &r->slip[0], &r->normal[0], &r->energy[1], &r->slip[1],
                   &r->normal[1], &r->collisions, &r->ended, &r->left, r->outcome);
        cr_assert_eq(read, 13, "%s", at);
    }
    free(of.text);
    return count;
}

static int exit_code(const char *arguments) {
    program_run of = run_quietly(EXAMPLE("mechanism"), arguments);
    free(of.text);
    return of.code;
}

static bool has(const row *r, const char *word) { return strstr(r->outcome, word) != NULL; }

/*
 * One coordinate, by hand. With t = tan(angle) = |J_n / J_t|, compression has the rate K_nn (1 + mu
 * / t), expansion K_nn (1 - mu / t), and W_d = -e^2 W_c makes the energy after e^2 times their
 * ratio.
 */
static double energy_by_hand(const row *r) {
    const double t = tan(r->angle * radians_per_degree);
    return r->mu >= t ? 0 : r->e * r->e * (t - r->mu) / (t + r->mu);
}

/* A few dozen roundings. */
#define ROUNDING 1e-14

Test(example_mechanism, intact_pendulum) {
    row rows[ROWS_MAX];
    const size_t count = table_of("pendulum", rows);
    cr_assert_eq(count, 27);
    size_t dead = 0;
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        const double angle = r->angle * radians_per_degree, energy = energy_by_hand(r);
        const bool stops = energy == 0;
        cr_expect(fabs(r->energy[0] - energy) <= ROUNDING, "%g, not %g", r->energy[0], energy);
        /* Back on the circle that it came on. */
        cr_expect(fabs(r->slip[0] + cos(angle) * sqrt(energy)) <= ROUNDING);
        cr_expect(fabs(r->normal[0] - sin(angle) * sqrt(energy)) <= ROUNDING);
        cr_expect(has(r, "slid") && has(r, "stuck") == stops && has(r, "slip-reversed") == !stops,
                  "%s", r->outcome);
        dead += stops && r->e > 0;
    }
    cr_expect_eq(dead, 4); /* 20 and 40 degrees, mu = 1 */
}

/*
 * A pendulum's rod that is hinged again has one coordinate: its end moves on the circle, and its
 * energy is the square of its speed. The hinge may still move by the speed that the command allows.
 */
Test(example_mechanism, separate_pendulum) {
    row rows[ROWS_MAX];
    const size_t count = table_of("", rows);
    size_t moving = 0;
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        const double angle = r->angle * radians_per_degree;
        cr_expect(r->ended == 1 && r->left <= LEAST && r->collisions >= 2);
        cr_expect(r->energy[1] >= 0 && r->energy[1] < r->energy[0] + 10 * LEAST,
                  "the hinge's collisions only lose energy, too");
        cr_expect(fabs(r->slip[1] * sin(angle) + r->normal[1] * cos(angle)) <= 2 * LEAST);
        const double square = r->slip[1] * r->slip[1] + r->normal[1] * r->normal[1];
        cr_expect(fabs(r->energy[1] - square) <= 10 * LEAST, "%g, not %g", r->energy[1], square);
        cr_expect(r->normal[1] >= -LEAST);
        moving += r->normal[1] > 0.01;
    }
    cr_expect(moving > 5, "%zu", moving);
}

/*
 * By hand: a free rod that strikes elastically and without friction, and then is hinged. With c =
 * sin(angle) / 2 (the contact's lever to the middle), u_n = -2 c w, K_nn = 1 + 12 c^2, and the
 * impulse 2 (2 c w) / K_nn: v_y = -c w + p, spin w - 12 c p. Hinging keeps the angular momentum
 * about the hinge: 1/12 spin + arm x v = w' / 3.
 */
Test(example_mechanism, two_collisions_by_hand) {
    row rows[ROWS_MAX];
    cr_assert_eq(table_of("--angle 60 --restitution 1 --friction 0", rows), 1);
    const double s = sin(60 * radians_per_degree) / 2;
    const double p = 4 * s / (1 + 12 * s * s);
    const double spin = 1 - 12 * s * p;
    /* v = spin x arm but for p: before, v is that of the middle for spin 1. */
    const double momentum = spin / 12 + 0.25 - s * p;
    const double after = 3 * momentum;
    cr_expect_eq(rows[0].collisions, 2);
    cr_expect(fabs(rows[0].energy[1] - after * after) <= ROUNDING, "%g, not %g", rows[0].energy[1],
              after * after);
}

/* How far plastic collisions are from their limit where the last moves by LEAST: some hundred. */
#define NEAR 1e-9

/*
 * Plastic and frictionless, the sequence projects, by the metric of energy, now onto the ground's
 * velocities and now onto a hinge's: von Neumann's alternating projections, whose limit is the
 * projection onto both, the intact mechanism's plastic collision.
 */
Test(example_mechanism, plastic_sequences_come_to_the_intact_answer) {
    static const char *const systems[] = {"pendulum", "double-pendulum"};
    for (size_t k = 0; k < 2; k++) {
        row rows[ROWS_MAX];
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s --restitution 0 --friction 0", systems[k]);
        const size_t count = table_of(arguments, rows);
        cr_assert_eq(count, 3);
        for (size_t i = 0; i < count; i++) {
            const row *r = &rows[i];
            cr_expect(r->ended == 1 && r->collisions > 10);
            cr_expect(fabs(r->energy[1] - r->energy[0]) <= NEAR);
            cr_expect(fabs(r->slip[1] - r->slip[0]) <= NEAR);
            cr_expect(fabs(r->normal[1]) <= NEAR && r->normal[0] == 0);
            cr_expect(k == 0 ? r->energy[0] <= ROUNDING : r->energy[0] > 0.1);
        }
    }
}

Test(example_mechanism, double_pendulum) {
    row rows[ROWS_MAX];
    const size_t count = table_of("double-pendulum", rows);
    cr_assert_eq(count, 27);
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        cr_expect(r->ended == 1 && r->left <= LEAST);
        for (int k = 0; k < 2; k++)
            cr_expect(r->energy[k] >= 0 && r->energy[k] <= 1 + ROUNDING && r->normal[k] >= -LEAST);
        /* Elastic contacts lose no energy; hinges do. */
        if (r->e == 1 && r->mu == 0)
            cr_expect(fabs(r->energy[0] - 1) <= ROUNDING && r->energy[1] < 0.99);
        else
            cr_expect(r->energy[0] < 1);
    }
}

Test(example_mechanism, the_sequence_is_cut_off) {
    row rows[ROWS_MAX];
    cr_assert_eq(table_of("--angle 20 --restitution 0 --friction 0 --collisions 5", rows), 1);
    cr_expect(rows[0].collisions == 5 && rows[0].ended == 0 && rows[0].left > 0.01);
}

Test(example_mechanism, wrong_usage) {
    cr_expect_eq(exit_code("--help"), 0);
    cr_expect_eq(exit_code("triple-pendulum"), 2);
    cr_expect_eq(exit_code("--angle 1e9"), 2);
    cr_expect_eq(exit_code("--angle -30"), 2); /* does not approach */
    cr_expect_eq(exit_code("--restitution 1.5"), 2);
    cr_expect_eq(exit_code("--friction nan"), 2);
    cr_expect_eq(exit_code("--collisions 0"), 2);
    cr_expect_eq(exit_code("--friction inf"), 0);
}
