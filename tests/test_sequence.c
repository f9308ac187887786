/*
 * Simultaneous contacts as a sequence (Chatterjee and Ruina 1998, 6.4): against closed forms,
 * against the reference collision by collision, and against itself: the same bits for every way of
 * dividing the islands.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <impinge/impinge.h>

#include "../tools/support/at_once.h"
#include "random_contacts.h"
#include "sequence_scenes.h"
#include "targets.h"

#define BIT(name) ((uint32_t)IMPINGE_OUTCOME_##name)

/* The part of an answer that is kept: that of the first contacts and islands. */
#define ANSWERED 64

typedef struct answer {
    impinge_status status;
    impinge_sequence_report report;
    size_t islands;
    double impulse[ANSWERED][3], work[ANSWERED][3];
    uint32_t outcome[ANSWERED];
    uint32_t collisions[ANSWERED];
    double left[ANSWERED];
    impinge_sequence_end end[ANSWERED];
} answer;

#define REAL       float
#define UNIT       ((double)FLT_EPSILON / 2)
#define NAME(name) name##_f32
#include "test_sequence_real.inc"
#undef NAME
#undef UNIT
#undef REAL

#define REAL       double
#define UNIT       (DBL_EPSILON / 2)
#define NAME(name) name##_f64
#include "test_sequence_real.inc"
#undef NAME
#undef UNIT
#undef REAL

/* Both precisions, with their units of rounding. */
typedef struct precision {
    const char *name;
    void (*run)(scene *s, const impinge_options *options, const impinge_sequence_options *sequence,
                answer *to);
    double unit;
} precision;

static const precision precisions[] = {{"f32", run_f32, (double)FLT_EPSILON / 2},
                                       {"f64", run_f64, DBL_EPSILON / 2}};
#define PRECISIONS 2

static const impinge_options frictionless = {.law = IMPINGE_LAW_FRICTIONLESS};

/* ---- Which contacts collide, one after the other ---- */

/* Stops after one collision, two, ...: the contact whose impulse has changed was the last. */
static size_t find_picks(const precision *p, const scene *s, const impinge_options *options,
                         impinge_sequence_options sequence, uint32_t *picks, size_t picks_max) {
    answer before = {0};
    for (size_t count = 0; count < picks_max; count++) {
        scene after = scene_copy(s);
        answer now = {0};
        sequence.collisions_max = count + 1;
        p->run(&after, options, &sequence, &now);
        scene_free(&after);
        if (now.report.collisions == count) return count;
        for (uint32_t i = 0; i < s->contacts; i++)
            if (memcmp(now.impulse[i], before.impulse[i], sizeof now.impulse[i])) picks[count] = i;
        before = now;
    }
    return picks_max;
}

/* ---- Newton's cradle ---- */

/* Equal balls exchange velocities, each of these divisions and products is exact: k go in, k come
 * out, after as many collisions as there are pairs of a moving ball and one at rest before it. */
static void check_cradle(const precision *p, size_t count, size_t in,
                         const impinge_sequence_options *sequence) {
    const double mass[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    scene s = row_of_balls(count, mass, in, 1);
    answer a;
    p->run(&s, &frictionless, sequence, &a);
    cr_assert_eq(a.status, IMPINGE_OK);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(s.body[i].velocity[0], i < count - in ? 0 : 1, "%s: %zu of %zu, ball %zu: %g",
                     p->name, in, count, i, s.body[i].velocity[0]);
    cr_expect_eq(a.collisions[0], in * (count - in), "%u", a.collisions[0]);
    cr_expect_eq(a.report.collisions, in * (count - in));
    cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
    cr_expect_eq(a.left[0], 0);
    scene_free(&s);
}

Test(sequence, newtons_cradle) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t count = 2; count <= 10; count++) {
            for (size_t in = 1; in < count; in++) {
                check_cradle(&precisions[i], count, in, NULL);
                for (uint64_t seed = 0; seed < 5; seed++) {
                    const impinge_sequence_options drawn = {.tie = IMPINGE_TIE_DRAWN, .seed = seed};
                    check_cradle(&precisions[i], count, in, &drawn);
                }
            }
        }
    }
}

/* One ball in: along the row. Two in: the first three collisions are 1, then the tied 0 and 2. */
Test(sequence, order_in_newtons_cradle) {
    const double mass[6] = {1, 1, 1, 1, 1, 1};
    const uint32_t right[2][8] = {{0, 1, 2, 3, 4}, {1, 0, 2, 1, 3, 2, 4, 3}};
    const size_t counts[2] = {5, 8};
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t in = 1; in <= 2; in++) {
            uint32_t picks[16];
            scene s = row_of_balls(6, mass, in, 1);
            const impinge_sequence_options by_index = {0};
            const size_t count = find_picks(&precisions[i], &s, &frictionless, by_index, picks, 16);
            cr_assert_eq(count, counts[in - 1], "%zu", count);
            cr_expect(memcmp(picks, right[in - 1], count * sizeof *picks) == 0);
            scene_free(&s);
        }
    }
}

/* ---- Two contacts of one body: closed forms ---- */

/*
 * The contact that collides at the approach velocity s leaves at e s; with c = |K_12| / K_ii it
 * takes (1 + e) c s from the velocity of the other, which was e times its own last approach. So
 * approach velocities follow
 *
 *     s_k+1 = c (1 + e) s_k - e s_k-1
 *
 * until one is not positive. (If K_11 and K_22 differ, so does c from step to step.)
 */
typedef struct chain {
    double c[2]; /* of the contact that collides */
    double e;
    double approach; /* of the contact that collides next */
    double other;    /* the velocity of the other, positive apart */
} chain;

/* The next approach velocity, after contact `which` has collided. */
static double chain_next(chain *c, size_t which) {
    const double next = c->c[which] * (1 + c->e) * c->approach - c->other;
    c->other = c->e * c->approach;
    c->approach = next;
    return next;
}

/*
 * Three balls in a row, the first hits at 1: contacts of inverse reduced mass K_11 = 1/m_0 + 1/m_1
 * and K_22, K_12 = -1/m_1. With t = s / sqrt(K_ii) and cos a = c (1 + e) / (2 sqrt e), c^2 =
 * K_12^2 / (K_11 K_22), the recurrence's solution is e^(k/2) sin((k + 1) a) / sin a: positive for k
 * + 1 < pi / a, forever if the cosine is 1 or more.
 */
static size_t chain_collisions(const double mass[3], double e) {
    const double k11 = 1 / mass[0] + 1 / mass[1];
    const double k22 = 1 / mass[2] + 1 / mass[1];
    const double cosine = (1 + e) / (2 * sqrt(e)) / mass[1] / sqrt(k11 * k22);
    if (cosine >= 1) return SIZE_MAX;
    return (size_t)ceil(acos(-1.0) / acos(cosine) * (1 - 64 * DBL_EPSILON)) - 1;
}

static void check_chain(const precision *p, const double mass[3], double e) {
    scene s = row_of_balls(3, mass, 1, e);
    const double before = momentum_of(&s, 0), energy = energy_of(&s);
    const size_t count = chain_collisions(mass, e);
    cr_assert(count < 100);
    const double k[2] = {1 / mass[0] + 1 / mass[1], 1 / mass[2] + 1 / mass[1]};
    chain c = {{1 / mass[1] / k[0], 1 / mass[1] / k[1]}, e, 1, 0};
    size_t which = 0;
    for (size_t i = 0; i < count; i++, which = 1 - which)
        chain_next(&c, which);
    answer a;
    p->run(&s, &frictionless, NULL, &a);
    cr_expect_eq(a.collisions[0], count, "%s, e = %g: %u collisions, not %zu", p->name, e,
                 a.collisions[0], count);
    cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
    /* The last to collide leaves at e s, the other at -s_count. A collision is a reflection or less
     * in the norm of the energy, so that errors do not grow; sqrt(most / least mass) is what that
     * norm can make of the ball that is lightest. Sixteen roundings each. */
    const double norm =
        sqrt(fmax(fmax(mass[0], mass[1]), mass[2]) / fmin(fmin(mass[0], mass[1]), mass[2]));
    const double rounding = 16 * ((double)count + 1) * p->unit * norm;
    const double u[2] = {s.body[1].velocity[0] - s.body[0].velocity[0],
                         s.body[2].velocity[0] - s.body[1].velocity[0]};
    cr_expect(fabs(u[1 - which] - c.other) <= rounding, "%s, e = %g: %g, not %g", p->name, e,
              u[1 - which], c.other);
    cr_expect(fabs(u[which] + c.approach) <= rounding, "%s, e = %g: %g, not %g", p->name, e,
              u[which], -c.approach);
    cr_expect(fabs(momentum_of(&s, 0) - before) <= rounding * mass[0]);
    if (e == 1)
        cr_expect(fabs(energy_of(&s) - energy) <= 4 * rounding * energy);
    else
        cr_expect(energy_of(&s) < energy);
    scene_free(&s);
}

/* Equal balls: forever up to e = 7 - sqrt 48 = 0.0718, then fewer and fewer: 3 from e = 0.172 on,
 * until e = 1 needs 2 only. */
Test(sequence, three_ball_chain) {
    const double mass[3] = {1, 1, 1};
    const double e[] = {0.08, 0.1, 0.15, 0.17, 0.18, 0.3, 0.5, 0.8, 0.99};
    const size_t most[] = {10, 6, 4, 4, 3, 3, 3, 3, 3};
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
            cr_expect_eq(chain_collisions(mass, e[k]), most[k], "%zu",
                         chain_collisions(mass, e[k]));
            check_chain(&precisions[i], mass, (double)(float)e[k]);
        }
        check_chain(&precisions[i], mass, 1);
    }
    cr_expect_eq(chain_collisions(mass, 0.0717), SIZE_MAX);
    cr_expect_neq(chain_collisions(mass, 0.0719), SIZE_MAX);
}

/* A light ball goes back and forth between two heavy ones, pi / a times. Powers of two: exact in
 * both precisions. */
Test(sequence, chain_of_unequal_masses) {
    const double masses[][3] = {{4, 1, 4},     {8, 1, 2},  {64, 1, 64}, {1, 1, 512},
                                {512, 1, 512}, {1, 64, 1}, {2, 16, 1},  {256, 4, 1}};
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
            check_chain(&precisions[i], masses[k], 1);
            check_chain(&precisions[i], masses[k], 0.984375);
        }
    }
    cr_expect_eq(chain_collisions(masses[4], 1), 50); /* pi / acos(512 / 513) = 50.3 */
}

/* ---- The rod (Chatterjee and Ruina 1998, 6.1) ---- */

/* For a tip of the rod, K_ii = 1 + 3 and K_12 = 1 - 3; both approach at 1. */
static chain rod_chain(double e) { return (chain){{0.5, 0.5}, e, 1, -1}; }

/* Which tip is first is what the tie says; the other order gives the mirror image. */
Test(sequence, rod_has_a_mirror_image) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        scene left = rods(1, 0.5), right = rods(1, 0.5);
        right.contact[0] = left.contact[1];
        right.contact[1] = left.contact[0];
        answer a, b;
        precisions[i].run(&left, &frictionless, NULL, &a);
        precisions[i].run(&right, &frictionless, NULL, &b);
        chain c = rod_chain(0.5);
        size_t count = 0;
        while (c.approach > 0)
            chain_next(&c, count++ % 2);
        cr_expect_eq(a.collisions[0], count, "%u, not %zu", a.collisions[0], count);
        cr_expect_eq(b.collisions[0], count);
        /* Left first: omega_y > 0 lifts the left tip, arm -x. All numbers here are dyadic. */
        const double tip[2] = {left.body[0].velocity[2] + left.body[0].angular_velocity[1],
                               left.body[0].velocity[2] - left.body[0].angular_velocity[1]};
        cr_expect_eq(tip[(count - 1) % 2], c.other, "%g, not %g", tip[(count - 1) % 2], c.other);
        cr_expect_eq(tip[count % 2], -c.approach, "%g, not %g", tip[count % 2], -c.approach);
        cr_expect_neq(left.body[0].angular_velocity[1], 0);
        cr_expect_eq(left.body[0].angular_velocity[1], -right.body[0].angular_velocity[1]);
        cr_expect_eq(left.body[0].velocity[2], right.body[0].velocity[2]);
        scene_free(&left);
        scene_free(&right);
    }
}

/* Draws are even: of 4000 rods, half to 5 standard deviations begin with the left tip. */
Test(sequence, rods_begin_where_they_are_drawn) {
    enum { RODS = 4000 };
    for (size_t i = 0; i < PRECISIONS; i++) {
        bool turned[3][RODS];
        for (size_t k = 0; k < 3; k++) {
            const impinge_sequence_options drawn = {.tie = IMPINGE_TIE_DRAWN,
                                                    .seed = k == 2 ? 8 : 7};
            scene s = rods(RODS, 0.5);
            answer a;
            size_t left = 0;
            precisions[i].run(&s, &frictionless, &drawn, &a);
            for (size_t r = 0; r < RODS; r++)
                left += turned[k][r] = s.body[r].angular_velocity[1] > 0;
            cr_expect(fabs((double)left - RODS / 2) < 5 * sqrt(RODS / 4.0), "%zu", left);
            scene_free(&s);
        }
        cr_expect(memcmp(turned[0], turned[1], sizeof *turned) == 0);
        size_t same = 0;
        for (size_t r = 0; r < RODS; r++)
            same += turned[0][r] == turned[2][r];
        cr_expect(fabs((double)same - RODS / 2) < 5 * sqrt(RODS / 4.0), "%zu", same);
    }
}

/*
 * With c = 1/2 the roots of x^2 - c (1 + e) x + e are real up to e = 7 - sqrt 48 = 0.0718: then the
 * rod's collisions never end, and what they lead to is rest, each tip with half the momentum. They
 * end when the approach is down to the rest speed, as the recurrence says.
 */
static void check_endless_rod(const precision *p, double e, double rest_speed) {
    const impinge_sequence_options sequence = {.rest_speed = rest_speed};
    scene s = rods(1, e);
    answer a;
    chain c = rod_chain(e);
    size_t count = 0;
    while (c.approach > rest_speed)
        chain_next(&c, count++ % 2);
    p->run(&s, &frictionless, &sequence, &a);
    cr_expect_eq(a.collisions[0], count, "%s, e = %g: %u, not %zu", p->name, e, a.collisions[0],
                 count);
    cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
    cr_expect(a.left[0] > 0 && fabs(a.left[0] - c.approach) <= 64 * p->unit);
    cr_expect_eq(a.report.largest_approach, a.left[0]);
    cr_expect_eq(a.report.truncated, 0);
    /* Both tips are slower than the rest speed; impulses, by K^-1, differ by no more than that. */
    cr_expect(fabs(s.body[0].velocity[2]) + fabs(s.body[0].angular_velocity[1]) <= rest_speed);
    for (size_t tip = 0; tip < 2; tip++)
        cr_expect(fabs(a.impulse[tip][2] - 0.5) <= rest_speed + 64 * p->unit);
    scene_free(&s);
}

Test(sequence, rod_comes_to_rest) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        check_endless_rod(&precisions[i], 0, 1e-3);
        check_endless_rod(&precisions[i], 0.03125, 1e-3);
        check_endless_rod(&precisions[i], 0.0625, 1e-3);
    }
    check_endless_rod(&precisions[1], 0.0625, 1e-12);
}

/*
 * A tail of cycles of two collisions, r = x^2 with the greater root x. At the collision n at which
 * it is seen to be geometric s_n is left; all further impulses add up to less than (1 + e) s_n /
 * (1 - x) / K_ii. They are wrong by a thousandth over r, and 6 is the norm of K.
 */
static void check_extrapolated_rod(const precision *p, double e, size_t seen) {
    scene s = rods(1, e);
    answer a;
    chain c = rod_chain(e);
    for (size_t k = 0; k < seen; k++)
        chain_next(&c, k % 2);
    const impinge_sequence_options sequence = {.extrapolate = true, .rest_speed = c.approach / 32};
    const double x = (0.5 * (1 + e) + sqrt(0.25 * (1 + e) * (1 + e) - 4 * e)) / 2;
    const double tail = (1 + e) * c.approach / (1 - x) / 4;
    const double error = 6 * tail * 1e-3 / (x * x) + 64 * p->unit;
    p->run(&s, &frictionless, &sequence, &a);
    cr_expect_eq(a.report.extrapolated, 1);
    cr_expect_eq(a.report.truncated, 0);
    cr_expect_eq(a.collisions[0], seen, "%s, e = %g: %u", p->name, e, a.collisions[0]);
    cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
    cr_expect(error < c.approach / 8); /* so that this is a test */
    cr_expect(fabs(s.body[0].velocity[2]) <= error, "%g > %g", s.body[0].velocity[2], error);
    cr_expect(fabs(s.body[0].angular_velocity[1]) <= error);
    for (size_t tip = 0; tip < 2; tip++)
        cr_expect(fabs(a.impulse[tip][2] - 0.5) <= error, "%g", a.impulse[tip][2] - 0.5);
    cr_expect(fabs(a.impulse[0][2] + a.impulse[1][2] - 1 - s.body[0].velocity[2]) <= 16 * p->unit);
    scene_free(&s);
}

Test(sequence, rod_is_extrapolated) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        check_extrapolated_rod(&precisions[i], 0, 8);
    }
    /* The other root, 0.18 beside 0.36, has not died out after 8 collisions. */
    check_extrapolated_rod(&precisions[1], 0.0625, 16);
}

/* The state of the chain after a number of collisions, and how many of them a fraction allows. */
Test(sequence, rod_is_truncated) {
    const double e = 0.03125, fraction = 0x1p-10;
    chain c = rod_chain(e);
    double energy = 0;
    size_t quiet = 0, count = 0;
    while (quiet < 2) {
        const double work = c.approach * c.approach / (2 * 4);
        quiet = work <= fraction * energy ? quiet + 1 : 0;
        energy += work;
        chain_next(&c, count++ % 2);
    }
    for (size_t i = 0; i < PRECISIONS; i++) {
        scene s = rods(1, e), t = rods(1, e);
        answer a, b;
        const impinge_sequence_options by_energy = {.energy_fraction = fraction};
        const impinge_sequence_options by_count = {.collisions_max = count};
        precisions[i].run(&s, &frictionless, &by_energy, &a);
        precisions[i].run(&t, &frictionless, &by_count, &b);
        cr_expect_eq(a.collisions[0], count, "%u, not %zu", a.collisions[0], count);
        cr_expect_eq(b.collisions[0], count);
        cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_ENERGY);
        cr_expect_eq(b.end[0], IMPINGE_SEQUENCE_COUNT);
        cr_expect(fabs(a.left[0] - c.approach) <= 64 * precisions[i].unit);
        cr_expect_eq(a.left[0], b.left[0]);
        cr_expect_eq(a.report.truncated, 1);
        cr_expect_eq(a.report.largest_approach, a.left[0]);
        cr_expect_eq(memcmp(s.body, t.body, sizeof *s.body), 0);
        scene_free(&s);
        scene_free(&t);
    }
}

/* The works of an island's collisions, one after the other, from the sums after each. */
static size_t find_works(const scene *from, double *works, size_t most) {
    double before = 0;
    for (size_t count = 0; count < most; count++) {
        const impinge_sequence_options sequence = {.collisions_max = count + 1};
        scene s = scene_copy(from);
        answer a;
        run_f64(&s, &frictionless, &sequence, &a);
        double sum = 0;
        for (size_t i = 0; i < s.contacts; i++)
            sum -= a.work[i][0];
        scene_free(&s);
        if (a.report.collisions == count) return count;
        works[count] = sum - before;
        before = sum;
    }
    return most;
}

/* Small works have to come in a row: random islands have greater ones in between. */
Test(sequence, energy_ends_an_island_after_small_works_in_a_row) {
    enum { MOST = 60 };
    const double fraction = 0.03125;
    uint64_t state = 19;
    size_t ended = 0, resumed = 0;
    for (size_t i = 0; i < 300; i++) {
        scene s = random_islands(&state, 1, 6);
        double works[MOST], energy = 0;
        for (size_t k = 1; k < s.bodies; k++) /* light balls are fast, and work little */
            s.body[k].inverse_mass *= (double)(1u << random_below(&state, 7));
        for (size_t k = 0; k < s.contacts; k++) /* long tails */
            s.contact[k].coefficient.restitution = 0.0625;
        const size_t count = find_works(&s, works, MOST);
        size_t quiet = 0, end = 0;
        while (end < count && quiet < s.contacts) {
            const bool is_quiet = works[end] <= fraction * energy;
            resumed += quiet > 0 && !is_quiet;
            quiet = is_quiet ? quiet + 1 : 0;
            energy += works[end++];
        }
        const impinge_sequence_options sequence = {.collisions_max = MOST,
                                                   .energy_fraction = fraction};
        answer a;
        run_f64(&s, &frictionless, &sequence, &a);
        cr_expect_eq(a.collisions[0], end, "island %zu: %u, not %zu", i, a.collisions[0], end);
        ended += a.end[0] == IMPINGE_SEQUENCE_ENERGY;
        scene_free(&s);
    }
    cr_expect(ended > 5 && resumed > 0, "%zu, %zu", ended, resumed);
}

/* ---- Forever ---- */

/* A ball at rest between two walls that come at 1: each bounce adds 2 to its speed, and to what it
 * approaches the other wall at. */
Test(sequence, ball_between_walls_that_approach) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        const double right[3] = {1, 0, 0}, left[3] = {-1, 0, 0};
        scene s = scene_of(3, 2);
        s.body[0] = sphere_of(1, 0, 0);
        s.body[1].velocity[0] = 1;
        s.body[2].velocity[0] = -1;
        s.contact[0] = contact_of(0, 1, right, 1, 0);
        s.contact[1] = contact_of(0, 2, left, 1, 0);
        answer a;
        precisions[i].run(&s, &frictionless, NULL, &a);
        cr_expect_eq(a.collisions[0], 2000, "%u", a.collisions[0]);
        cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COUNT);
        cr_expect_eq(a.report.truncated, 1);
        cr_expect_eq(a.left[0], 4001, "%g", a.left[0]);
        cr_expect_eq(s.body[0].velocity[0], -4000);
        cr_expect_eq(s.body[1].velocity[0], 1);
        scene_free(&s);
    }
}

/* ---- One contact ---- */

static void body_of_row(const double *row, reference_body_double *b, double arm[3]) {
    b->inverse_mass = row[BODY_INVERSE_MASS];
    memcpy(b->inverse_inertia, row + BODY_INVERSE_INERTIA, sizeof b->inverse_inertia);
    memcpy(b->velocity, row + BODY_VELOCITY, sizeof b->velocity);
    memcpy(b->angular_velocity, row + BODY_ANGULAR_VELOCITY, sizeof b->angular_velocity);
    memcpy(arm, row + BODY_ARM, 3 * sizeof *arm);
}

/* Pairs of all kinds, each by itself. */
static scene random_pairs(size_t count) {
    uint64_t state = 11;
    scene s = scene_of(2 * count, count);
    for (size_t i = 0; i < count; i++) {
        double row[PAIR_INPUTS];
        reference_sequence_contact *const c = &s.contact[i];
        random_pair(&state, (random_kind)(i % RANDOM_KINDS), 20, row);
        body_of_row(row + IN_BODY_A, &s.body[2 * i], c->arm_a);
        body_of_row(row + IN_BODY_B, &s.body[2 * i + 1], c->arm_b);
        memcpy(c->normal, row + IN_NORMAL, sizeof c->normal);
        c->a = (uint32_t)(2 * i);
        c->b = (uint32_t)(2 * i + 1);
        const double *const coefficients = row + IN_PAIR_RESTITUTION - IN_RESTITUTION;
        c->coefficient = (reference_contact_double){
            .restitution = coefficients[IN_RESTITUTION],
            .friction = coefficients[IN_FRICTION],
            .friction_static = coefficients[IN_FRICTION_STATIC],
            .tangential_restitution = coefficients[IN_TANGENTIAL_RESTITUTION],
            .mix = coefficients[IN_MIX],
            .impulse_ratio = {coefficients[IN_IMPULSE_RATIO_T1],
                              coefficients[IN_IMPULSE_RATIO_T2]}};
    }
    return s;
}

/* Chatterjee and Ruina 1998, 6.4: the law reduces exactly to the single-point version if there is
 * only one contact. */
Test(sequence, one_contact_is_the_law_itself) {
    scene s = random_pairs(3001);
    for (size_t law = 0; law < IMPINGE_LAW_COUNT; law++) {
        const impinge_options options = {.law = (impinge_law)law};
        check_single_f32(&s, &options);
        check_single_f64(&s, &options);
    }
    scene_free(&s);
}

/* ---- Many islands ---- */

Test(sequence, same_bits_however_islands_are_divided) {
    uint64_t state = 3;
    scene many = random_islands(&state, 10000, 40), some = random_islands(&state, 1500, 40);
    const impinge_options options = {.law = IMPINGE_LAW_CHATTERJEE_RUINA};
    const impinge_sequence_options sequence = {.tie = IMPINGE_TIE_DRAWN,
                                               .seed = 1,
                                               .collisions_max = 60,
                                               .rest_speed = 1e-3,
                                               .extrapolate = true};
    check_islands_f32(&many, &options, &sequence);
    check_islands_f64(&some, &options, &sequence);
    scene_free(&many);
    scene_free(&some);
}

/* By Routh's law, which keeps its lanes busy for different numbers of steps. */
Test(sequence, same_bits_by_the_incremental_law) {
    uint64_t state = 4;
    scene s = random_islands(&state, 700, 12);
    const impinge_options options = {0};
    const impinge_sequence_options sequence = {.rest_speed = 1e-3, .energy_fraction = 1e-4};
    check_islands_f32(&s, &options, &sequence);
    check_islands_f64(&s, &options, &sequence);
    scene_free(&s);
}

/* ---- Against the reference, collision by collision ---- */

static double rounded(double x, bool single) { return single ? (double)(float)x : x; }

/* A scene as rounded to the precision. */
static void round_scene(scene *s, bool single) {
    for (size_t i = 0; i < s->bodies; i++) {
        reference_body_double *const b = &s->body[i];
        b->inverse_mass = rounded(b->inverse_mass, single);
        for (int k = 0; k < 6; k++)
            b->inverse_inertia[k] = rounded(b->inverse_inertia[k], single);
        for (int k = 0; k < 3; k++) {
            b->velocity[k] = rounded(b->velocity[k], single);
            b->angular_velocity[k] = rounded(b->angular_velocity[k], single);
        }
    }
    for (size_t i = 0; i < s->contacts; i++) {
        reference_sequence_contact *const c = &s->contact[i];
        reference_contact_double *const e = &c->coefficient;
        for (int k = 0; k < 3; k++) {
            c->normal[k] = rounded(c->normal[k], single);
            c->arm_a[k] = rounded(c->arm_a[k], single);
            c->arm_b[k] = rounded(c->arm_b[k], single);
        }
        e->restitution = rounded(e->restitution, single);
        e->friction = e->friction_static = rounded(e->friction, single);
        e->tangential_restitution = rounded(e->tangential_restitution, single);
        e->unit = single ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2;
    }
}

#define PICKS 600

/*
 * The same picks, and velocities that differ by what the collisions round: of spheres of about one
 * mass each rounds by some 64 units (Routh's law: by its tolerance). A frictionless collision does
 * not enlarge errors that it is given (a reflection or less in the norm of the energy); friction
 * adds mu (1 + e) times the error of the normal velocity to the tangential one.
 *
 * Returns the number of collisions.
 */
static size_t check_against_reference(const precision *p, const scene *from, impinge_law law,
                                      double mu, double tie_tolerance) {
    const bool single = p == &precisions[0];
    const impinge_options options = {.law = law};
    scene s = scene_copy(from);
    round_scene(&s, single);
    scene right = scene_copy(&s);
    uint32_t picks[PICKS], right_picks[PICKS];
    double impulse[ANSWERED][3];
    reference_sequence_result result = {.picks = right_picks, .impulse = impulse};
    reference_sequence(right.body, right.contact, right.contacts, &options, tie_tolerance, 0, PICKS,
                       &result);
    cr_assert(result.collisions < PICKS);
    const impinge_sequence_options sequence = {.tie_tolerance = tie_tolerance};
    const size_t count = find_picks(p, &s, &options, sequence, picks, PICKS);
    const double each = 64 * p->unit + (law == IMPINGE_LAW_ROUTH ? (single ? 1e-6 : 1e-12) : 0);
    const double error = (double)(count + 1) * each * pow(1 + 2 * mu, (double)count);
    cr_assert(result.closest > 2 * error && tie_tolerance > 2 * each, "%s, law %d: %g, %g", p->name,
              (int)law, result.closest, error);
    cr_assert_eq(count, result.collisions, "%zu, not %zu", count, result.collisions);
    cr_assert(memcmp(picks, right_picks, count * sizeof *picks) == 0);
    answer a;
    p->run(&s, &options, &sequence, &a);
    for (size_t i = 0; i < s.bodies; i++)
        for (int k = 0; k < 3; k++) {
            const double v = s.body[i].velocity[k] - right.body[i].velocity[k];
            const double w = s.body[i].angular_velocity[k] - right.body[i].angular_velocity[k];
            cr_expect(fabs(v) <= error && fabs(w) <= 2.5 * error, "%s, law %d: body %zu: %g, %g",
                      p->name, (int)law, i, v, w);
        }
    for (size_t i = 0; i < s.contacts; i++)
        for (int k = 0; k < 3; k++)
            cr_expect(fabs(a.impulse[i][k] - impulse[i][k]) <= error * (double)count);
    scene_free(&right);
    scene_free(&s);
    return count;
}

/* A break, ties apart: 31 contacts, and it does not end before every ball has been hit. */
static void check_break(double angle, double mu) {
    const impinge_law laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_FRICTIONLESS,
                                IMPINGE_LAW_CHATTERJEE_RUINA, IMPINGE_LAW_TWO_STAGE};
    scene s = pool_break(angle, 0.95, mu);
    for (size_t i = 0; i < PRECISIONS; i++)
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
            cr_expect(check_against_reference(&precisions[i], &s, laws[k],
                                              laws[k] == IMPINGE_LAW_FRICTIONLESS ? 0 : mu,
                                              i == 0 ? 1e-4 : 1e-9) > 15);
    scene_free(&s);
}

Test(sequence, pool_break_as_the_reference_has_it) {
    check_break(0, 0);
    check_break(0.1, 0);
}

Test(sequence, pool_break_with_friction) { check_break(0.1, 0.05); }

/* Momentum stays, energy falls by the works; and with e = 1 without friction it stays, too. */
static void check_break_energy(const precision *p, double e, double mu) {
    scene s = pool_break(0.1, e, mu);
    const double before = energy_of(&s);
    answer a;
    p->run(&s, NULL, NULL, &a);
    cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
    double works = 0;
    for (size_t i = 0; i < s.contacts; i++)
        works += a.work[i][0] + a.work[i][1] + a.work[i][2];
    /* Each collision is as accurate as the tolerance of the velocities requires, or as rounding. */
    const double error =
        (double)(a.collisions[0] + 1) * (p->unit * 64 + (p->unit < 1e-9 ? 1e-12 : 1e-6));
    cr_expect(fabs(energy_of(&s) - before - works) <= error, "%g", energy_of(&s) - before - works);
    cr_expect(fabs(momentum_of(&s, 0) - 1) <= error);
    cr_expect(fabs(momentum_of(&s, 1)) <= error);
    if (e == 1)
        cr_expect(fabs(works) <= error);
    else
        cr_expect(works < -0.01);
    scene_free(&s);
}

Test(sequence, pool_break_keeps_momentum) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        check_break_energy(&precisions[i], 0.95, 0.05);
        check_break_energy(&precisions[i], 0.95, 0);
        check_break_energy(&precisions[i], 1, 0);
    }
}

/* The number of the ball that is the mirror image of ball i of the rack. */
static uint32_t mirror_of(uint32_t i) {
    uint32_t row = 0, first = 0;
    while (i >= first + row + 1)
        first += ++row;
    return i == 15 ? 15 : first + (row - (i - first));
}

/* The scene with balls numbered as in the mirror, and contacts as before: so that the tie that was
 * won by a contact is won by its mirror image. */
static scene renumbered(const scene *from) {
    scene s = mirrored(from);
    for (uint32_t i = 0; i < s.bodies; i++)
        s.body[mirror_of(i)] = from->body[i];
    for (size_t i = 0; i < s.contacts; i++) {
        s.contact[i].a = mirror_of(from->contact[i].a);
        s.contact[i].b = mirror_of(from->contact[i].b);
    }
    return s;
}

/* How far the velocities are from those of the mirror image. */
static double asymmetry_of(const scene *s, const scene *t) {
    double most = 0;
    for (uint32_t i = 0; i < s->bodies; i++) {
        const double *const v = s->body[i].velocity, *const w = t->body[mirror_of(i)].velocity;
        most = fmax(most, fmax(fabs(v[0] - w[0]), fabs(v[1] + w[1])));
    }
    return most;
}

/*
 * A centred shot is symmetric but for the numbers by which ties are decided: the velocities after
 * it are not, but numbers in the mirror give velocities in the mirror. (To the bit: products and
 * sums do not care for the sign of y.)
 */
Test(sequence, pool_break_is_symmetric_but_for_ties) {
    for (size_t i = 0; i < PRECISIONS; i++) {
        scene s = pool_break(0, 0.95, 0);
        scene t = renumbered(&s);
        answer a;
        precisions[i].run(&s, &frictionless, NULL, &a);
        precisions[i].run(&t, &frictionless, NULL, &a);
        cr_expect(asymmetry_of(&s, &s) > 0.01, "%g", asymmetry_of(&s, &s));
        cr_expect_eq(asymmetry_of(&s, &t), 0, "%g", asymmetry_of(&s, &t));
        scene_free(&s);
        scene_free(&t);
    }
}

/* Islands at random, one by one. */
Test(sequence, random_islands_as_the_reference_has_them) {
    uint64_t state = 12;
    size_t collisions = 0;
    for (size_t i = 0; i < 300; i++) {
        scene s = random_islands(&state, 1, 6);
        s.body[0].velocity[0] = 0;
        for (size_t k = 0; k < s.contacts; k++) { /* so that they end */
            s.contact[k].coefficient.restitution = 1;
            s.contact[k].coefficient.friction = s.contact[k].coefficient.friction_static = 0;
        }
        const scene copy = scene_copy(&s);
        const impinge_sequence_options cap = {.collisions_max = 40};
        answer a;
        run_f64(&s, &frictionless, &cap, &a);
        if (a.end[0] == IMPINGE_SEQUENCE_COMPLETE)
            collisions +=
                check_against_reference(&precisions[1], &copy, IMPINGE_LAW_FRICTIONLESS, 0, 1e-12);
        scene_free(&s);
        scene_free((scene *)&copy);
    }
    cr_expect(collisions > 500, "%zu", collisions);
}

/* ---- Energy ---- */

/* A law that gains no energy in one contact gains none in a sequence (Chatterjee and Ruina
 * 1998, 6.4). */
Test(sequence, energy_never_grows) {
    const impinge_law laws[] = {IMPINGE_LAW_ROUTH,    IMPINGE_LAW_FRICTIONLESS,
                                IMPINGE_LAW_SMITH,    IMPINGE_LAW_TWO_STAGE,
                                IMPINGE_LAW_BILINEAR, IMPINGE_LAW_CHATTERJEE_RUINA,
                                IMPINGE_LAW_COMPOSITE};
    uint64_t state = 13;
    scene from = random_islands(&state, 60, 12);
    from.body[0].velocity[0] = 0; /* or it works */
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            double energy = energy_of(&from);
            for (size_t most = 1; most <= 64; most *= 4) {
                const impinge_options options = {.law = laws[k]};
                const impinge_sequence_options sequence = {.collisions_max = most};
                scene s = scene_copy(&from);
                answer a;
                precisions[i].run(&s, &options, &sequence, &a);
                const double now = energy_of(&s);
                cr_expect(a.report.collisions > 0 && now < energy, "law %d: %g after %g",
                          (int)laws[k], now, energy);
                energy = now;
                scene_free(&s);
            }
        }
    }
    scene_free(&from);
}

/* ---- Extrapolation, against not ---- */

static double distance_of(const reference_body_double *b, const reference_body_double *c) {
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += pow(b->velocity[k] - c->velocity[k], 2) +
                  pow(b->angular_velocity[k] - c->angular_velocity[k], 2);
    return sqrt(square);
}

/* A plate that falls on heavy ground, which gives way; it is B of the contacts, or A. */
static scene random_plate(uint64_t *state, bool is_b) {
    const double normal[3] = {0, 0, is_b ? -1 : 1};
    scene s = scene_of(2, 3);
    s.body[0] = (reference_body_double){
        .inverse_mass = 1, .inverse_inertia = {8, 0, 0, 8, 0, 8}, .velocity = {0, 0, -1}};
    s.body[1] = sphere_of(16, 0, 0);
    for (int k = 0; k < 2; k++)
        s.body[0].angular_velocity[k] = random_between(state, -0.2, 0.2);
    for (int leg = 0; leg < 3; leg++) {
        const double angle = 2.0943951023931953 * leg + random_between(state, -0.3, 0.3);
        const double e = 0.0625 * random_positive(state);
        reference_sequence_contact *const c = &s.contact[leg];
        *c = contact_of(is_b, !is_b, normal, e, 0);
        memset(c->arm_a, 0, sizeof c->arm_a);
        memset(c->arm_b, 0, sizeof c->arm_b);
        double *const arm = is_b ? c->arm_b : c->arm_a;
        arm[0] = cos(angle);
        arm[1] = sin(angle);
    }
    return s;
}

/*
 * Plates on three legs, e small, tilted at random: they come to rest after cycles that are not
 * known beforehand. The extrapolation has to be where the collisions lead: the tail is what is left
 * after the eighth of them or less, and it is off by a thousandth over r of a cycle; here r > 1/8.
 */
Test(sequence, extrapolation_is_what_the_tail_leads_to) {
    uint64_t state = 14;
    size_t extrapolated = 0;
    for (size_t i = 0; i < 300; i++) {
        scene s = random_plate(&state, i % 2);
        scene t = scene_copy(&s), head = scene_copy(&s);
        const impinge_sequence_options patient = {.rest_speed = 1e-9};
        const impinge_sequence_options hasty = {.rest_speed = 1e-9, .extrapolate = true};
        const impinge_sequence_options eight = {.collisions_max = 8};
        answer a, b;
        run_f64(&head, &frictionless, &eight, &a);
        run_f64(&s, &frictionless, &patient, &a);
        run_f64(&t, &frictionless, &hasty, &b);
        cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
        cr_expect_eq(b.end[0], IMPINGE_SEQUENCE_COMPLETE);
        extrapolated += b.report.extrapolated;
        cr_expect(!b.report.extrapolated || b.collisions[0] < a.collisions[0]);
        const double tail = distance_of(&head.body[0], &s.body[0]);
        const double off = distance_of(&t.body[0], &s.body[0]);
        cr_expect(off <= 8e-3 * tail + 1e-9, "%zu: %g of %g", i, off, tail);
        /* The ground gets the momentum that the plate loses. */
        cr_expect(fabs(momentum_of(&t, 2) + 1) <= 64 * (b.collisions[0] + 1) * DBL_EPSILON);
        scene_free(&s);
        scene_free(&t);
        scene_free(&head);
    }
    cr_expect(extrapolated > 250, "%zu", extrapolated);
}

/*
 * Bodies at random, of masses within a factor of 10^8 and of no shape: arms and normals point
 * anywhere. Where e depends on the speed, a cycle may shrink by the same ratio three times, by one
 * near 1, and then not.
 */
static scene shapeless(uint64_t *state) {
    const uint32_t bodies = 1 + random_below(state, 3);
    scene s = scene_of(bodies, 2 + random_below(state, 8));
    for (uint32_t i = 0; i < bodies; i++) {
        const double inverse_mass = pow(10, random_between(state, -4, 4));
        s.body[i] = sphere_of(1, 0, 0);
        s.body[i].inverse_mass = inverse_mass;
        for (int k = 0; k < 3; k++) {
            const int diagonal[] = {0, 3, 5};
            s.body[i].inverse_inertia[diagonal[k]] = 4 * inverse_mass;
            s.body[i].velocity[k] = random_between(state, -1, 1);
            s.body[i].angular_velocity[k] = random_between(state, -1, 1);
        }
    }
    for (size_t i = 0; i < s.contacts; i++) {
        const uint32_t a = random_below(state, bodies);
        const uint32_t other = random_below(state, bodies);
        const double z = random_between(state, -1, 1), turn = random_between(state, -4, 4);
        const double across = sqrt(1 - z * z);
        const double normal[3] = {across * cos(turn), across * sin(turn), z};
        s.contact[i] = contact_of(a, other == a ? IMPINGE_WORLD : other, normal,
                                  random_below(state, 2), 10 * random_positive(state));
        for (int k = 0; k < 3; k++) {
            s.contact[i].arm_a[k] = random_between(state, -0.5, 0.5) - 0.5 * normal[k];
            s.contact[i].arm_b[k] = random_between(state, -0.5, 0.5) + 0.5 * normal[k];
        }
    }
    return s;
}

/*
 * The tail that is summed up adds no energy either, whatever e does. The works of collisions are
 * off by rounding alone: 1e-10 and 0.02 of all energy are far above what 100 collisions add.
 */
Test(sequence, tails_add_no_energy) {
    uint64_t state = 20;
    size_t extrapolated[2] = {0, 0};
    for (size_t i = 0; i < 4000; i++) {
        scene s = shapeless(&state);
        const double before = energy_of(&s);
        const bool single = i % 4 == 0;
        const double after = single ? energy_by_model_f32(&s, &state, &extrapolated[0])
                                    : energy_by_model_f64(&s, &state, &extrapolated[1]);
        cr_expect(after <= (single ? 1 + 1e-3 : 1 + 1e-10) * before, "%zu: %g of %g", i, after,
                  before);
        scene_free(&s);
    }
    cr_expect(extrapolated[0] > 100 && extrapolated[1] > 100, "%zu %zu", extrapolated[0],
              extrapolated[1]);
}

/* ---- What is left alone, and what is wrong ---- */

/* Contacts that are slower than the rest speed are not even taken for a tie, nor are those that do
 * not approach, however wide it is. */
Test(sequence, ties_are_among_contacts_that_approach) {
    const double mass[4] = {1, 1, 1, 1};
    for (size_t i = 0; i < PRECISIONS; i++) {
        for (size_t tie = 0; tie < 2; tie++) {
            const impinge_sequence_options wide = {
                .tie = (impinge_tie)tie, .tie_tolerance = 1 - 0x1p-40, .rest_speed = 0.25};
            scene s = row_of_balls(4, mass, 1, 1);
            s.body[0].velocity[0] = 0.125; /* contact 0 approaches at this, contact 2 at 1 */
            s.body[2].velocity[0] = 1;
            answer a;
            precisions[i].run(&s, &frictionless, &wide, &a);
            cr_expect_eq(a.collisions[0], 1, "%u", a.collisions[0]);
            cr_expect_eq(a.impulse[0][0], 0);
            cr_expect_eq(a.impulse[1][0], 0);
            cr_expect_eq(a.impulse[2][0], -1);
            cr_expect_eq(a.left[0], 0.125);
            cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
            cr_expect_eq(a.outcome[0], BIT(SEPARATING));
            cr_expect_eq(a.outcome[2] & IMPINGE_OUTCOME_GOT_IMPULSE,
                         BIT(STUCK) & a.outcome[2] ? BIT(STUCK) : BIT(SLID));
            scene_free(&s);
        }
    }
}

/* An invalid contact is skipped, however fast; the others go on as if it were not there. */
Test(sequence, invalid_contact_in_an_island) {
    const double mass[5] = {1, 1, 1, 1, 1};
    for (size_t i = 0; i < PRECISIONS; i++) {
        scene s = row_of_balls(5, mass, 1, 1);
        s.contact[2].coefficient.restitution = -1;
        s.contact[3].b = 77;
        s.contact[3].normal[0] = 1; /* approaches the world that an index out of range stands for */
        answer a;
        precisions[i].run(&s, &frictionless, NULL, &a);
        cr_expect_eq(a.status, IMPINGE_SOME_INVALID);
        cr_expect_eq(a.outcome[2], BIT(INVALID) | BIT(INVALID_RESTITUTION));
        cr_expect_eq(a.outcome[3], BIT(INVALID) | BIT(INVALID_INDEX), "%x", a.outcome[3]);
        cr_expect_eq(a.collisions[0], 2, "%u", a.collisions[0]);
        cr_expect_eq(a.end[0], IMPINGE_SEQUENCE_COMPLETE);
        cr_expect_eq(a.left[0], 0);
        for (size_t k = 0; k < 5; k++)
            cr_expect_eq(s.body[k].velocity[0], k == 2);
        scene_free(&s);
    }
}

Test(sequence, rubbish_is_survived) {
    check_rubbish_f32();
    check_rubbish_f64();
}

Test(sequence, errors) {
    check_errors_f32();
    check_errors_f64();
}

Test(sequence, stays_inside_its_memory) {
    check_guarded_f32();
    check_guarded_f64();
}

Test(sequence, islands_that_are_none) {
    check_damaged_f32();
    check_damaged_f64();
}
