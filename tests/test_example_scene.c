/* The example scene: two bodies that collide, and a gyroscope, state by state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "../examples/penalty/penalty_scenes.h"
#include "runs.h"

enum { LINE_SIZE = 1024, STATES = 66, CONTACT = 30, GYROSCOPE_STATES = 480 };

static const char *const scene_bodies[PENALTY_SCENES + 1][2] = {{"rolling ball", "spinning ball"},
                                                                {"ball", "bat"},
                                                                {"first man", "second man"},
                                                                {NULL, "gyroscope"}};

/* A row: the numbers of a body in a state, and those of the contact if they are there. */
enum { ENERGY, X, Q = X + 3, SEMI_AXIS = Q + 4, NUMBERS = SEMI_AXIS + 3 };

typedef struct row {
    double time;
    double numbers[NUMBERS];
    double point[3], normal[3];
    bool touches;
} row;

static const char names[] =
    "state,time,when,body,energy,x,y,z,qw,qx,qy,qz,semi_axis_1,semi_axis_2,semi_axis_3,"
    "contact_x,contact_y,contact_z,normal_x,normal_y,normal_z\n";

static const char *read_numbers(const char *at, double *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *end;
        to[i] = strtod(at, &end);
        cr_assert(end > at && isfinite(to[i]) && (*end == ',' || *end == '\n'), "'%.40s'", at);
        at = end + (*end == ',');
    }
    return at;
}

/* Reads the row that must come next: of that state and body, and of its part of the whole. */
static const char *read_row(const char *at, size_t state, size_t contact, const char *body,
                            row *to) {
    const char *when = state < contact ? "before" : state > contact ? "after" : "contact";
    char words[64];
    double number[2];
    at = read_numbers(at, number, 2);
    cr_assert(number[0] == (double)state);
    to->time = number[1];
    snprintf(words, sizeof words, "%s,%s,", when, body);
    cr_assert(strncmp(at, words, strlen(words)) == 0, "'%.40s' is not %s", at, words);
    at = read_numbers(at + strlen(words), to->numbers, NUMBERS);
    to->touches = strncmp(at, ",,,,,\n", 6) != 0;
    if (!to->touches) return at + 6;
    at = read_numbers(at, to->point, 3);
    return read_numbers(at, to->normal, 3) + 1;
}

/* The rows of a whole file, the bodies of a state after each other; to be freed. */
static row *rows_of(const char *arguments, size_t scene, size_t states, size_t contact) {
    program_run of = run_quietly(EXAMPLE("scene"), arguments);
    cr_assert(of.code == 0, "%s: exit code %d", arguments, of.code);
    cr_assert(strncmp(of.text, names, strlen(names)) == 0, "%.200s", of.text);
    const char *at = of.text + strlen(names);
    row *rows = malloc(2 * states * sizeof *rows);
    for (size_t i = 0; i < 2 * states; i++)
        if (scene_bodies[scene][i % 2])
            at = read_row(at, i / 2, contact, scene_bodies[scene][i % 2], &rows[i]);
    cr_expect(*at == '\0', "more than %zu states: %.40s", states, at);
    free(of.text);
    return rows;
}

/* How far anything is from 0. */
static double size_of(const row *rows) {
    double most = 0;
    for (size_t i = 0; i < 2 * STATES; i++)
        for (size_t j = 0; j < 3; j++)
            most = fmax(most, fabs(rows[i].numbers[X + j]));
    return most;
}

/* From state to state a place is the sum of 50 steps, each of which rounds it a few times. */
static double place_rounding(const row *rows) { return 8 * 50 * 0x1p-53 * size_of(rows); }

/* The total momentum is 0: the centre of mass stays where it is. */
static void expect_momentum_kept(const row *rows, size_t scene) {
    const penalty_system system = penalty_scene(scene, PENALTY_FIXED, 1);
    const double m1 = system.bodies[0].mass, m2 = system.bodies[1].mass;
    for (size_t i = 0; i < STATES; i++) {
        for (size_t j = X; j < X + 3; j++) {
            const double middle =
                (m1 * rows[2 * i].numbers[j] + m2 * rows[2 * i + 1].numbers[j]) / (m1 + m2);
            const double first = (m1 * rows[0].numbers[j] + m2 * rows[1].numbers[j]) / (m1 + m2);
            cr_expect(fabs(middle - first) <= (double)STATES * place_rounding(rows),
                      "%s, state %zu: %g, then %g", penalty_scene_names[scene], i, first, middle);
        }
    }
}

/* Bodies in the air go straight on: second differences vanish, which four roundings make. */
static void expect_free_flight(const row *rows, size_t first, size_t last) {
    for (size_t i = 2 * first + 2; i < 2 * last; i++) {
        for (size_t j = X; j < X + 3; j++) {
            const double second =
                rows[i - 2].numbers[j] - 2 * rows[i].numbers[j] + rows[i + 2].numbers[j];
            cr_expect(fabs(second) <= 4 * place_rounding(rows), "row %zu: %g", i, second);
        }
    }
}

/* The second body is pushed along the contact's normal, by what its velocity changes. */
static void expect_push_along_normal(const row *rows) {
    const row *touch = &rows[2 * CONTACT + 1];
    cr_assert(touch->touches);
    double push[3], along = 0, across = 0, length = 0;
    const double interval = rows[2].time - rows[0].time;
    for (size_t j = 0; j < 3; j++) {
        const double *const n = touch->numbers;
        push[j] = (rows[2 * CONTACT + 3].numbers[X + j] - 2 * n[X + j] +
                   rows[2 * CONTACT - 1].numbers[X + j]) /
                  interval;
        along += push[j] * touch->normal[j];
        length += touch->normal[j] * touch->normal[j];
    }
    for (size_t j = 0; j < 3; j++)
        across = fmax(across, fabs(push[j] - along * touch->normal[j]));
    cr_expect(fabs(length - 1) <= 8 * 0x1p-53);
    cr_expect(along > 0);
    cr_expect(across <= 4 * place_rounding(rows) / interval + 8 * 0x1p-53 * along, "%g of %g",
              across, along);
}

static row *check_scene(size_t scene, const char *options, double kept) {
    char arguments[LINE_SIZE];
    snprintf(arguments, sizeof arguments, "%s %s", penalty_scene_names[scene], options);
    row *rows = rows_of(arguments, scene, STATES, CONTACT);
    expect_momentum_kept(rows, scene);
    expect_free_flight(rows, 0, CONTACT);
    if (!strstr(options, "--penalty")) {
        expect_free_flight(rows, CONTACT, STATES - 1);
        expect_push_along_normal(rows);
    }
    const double before = rows[0].numbers[ENERGY];
    const double after = rows[2 * STATES - 1].numbers[ENERGY];
    /* The classical Runge-Kutta method loses energy as the fourth power of its steps, of a
     * hundredth of a radian or less: 1e-8 each at the most, of which there are some thousands. */
    if (kept > 0)
        cr_expect(fabs(after / before - kept) <= 1e-5, "%s: %g", arguments, after / before);
    else
        cr_expect(after < 0.999 * before);
    return rows;
}

Test(example_scene, bodies_collide) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        free(check_scene(scene, "", 1));
        free(check_scene(scene, "--fraction 0.95", 0));
    }
}

/* A stiff contact is over within the first state: it ends where the library's does, but for some
 * 1e-3 of the way (penalty). A soft one takes some states, and ends elsewhere. */
Test(example_scene, penalty_comes_near_if_stiff) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        row *by_law = check_scene(scene, "", 1);
        row *stiff = check_scene(scene, "--penalty 1e10", 1);
        row *soft = check_scene(scene, scene == 2 ? "--penalty 1e5" : "--penalty 2e5", 1);
        double off[2] = {0, 0}, way = 0;
        for (size_t i = 2 * STATES - 2; i < 2 * STATES; i++) {
            for (size_t j = X; j < X + 3; j++) {
                const double right = by_law[i].numbers[j];
                off[0] = fmax(off[0], fabs(stiff[i].numbers[j] - right));
                off[1] = fmax(off[1], fabs(soft[i].numbers[j] - right));
                way = fmax(way, fabs(right - by_law[i - 2 * (STATES - 1 - CONTACT)].numbers[j]));
            }
        }
        cr_expect(off[0] < 2e-3 * way, "%s: %g of %g", penalty_scene_names[scene], off[0], way);
        cr_expect(off[1] > 5e-3 * way, "%s: %g of %g", penalty_scene_names[scene], off[1], way);
        free(by_law);
        free(stiff);
        free(soft);
    }
}

/* It precesses some times before it tips over, and then still rolls. */
Test(example_scene, gyroscope) {
    program_run of = run_quietly(EXAMPLE("scene"), "gyroscope");
    const char *tips = strstr(of.text, ",contact,gyroscope,");
    cr_assert(of.code == 0 && tips);
    while (tips[-1] != '\n')
        tips--;
    const size_t contact = strtoul(tips, NULL, 10);
    free(of.text);
    row *rows = rows_of("gyroscope", PENALTY_SCENES, GYROSCOPE_STATES, contact);
    const double all = rows[2 * GYROSCOPE_STATES - 1].time;
    cr_expect(rows[2 * contact + 1].time > 1 && rows[2 * contact + 1].time < all - 0.5,
              "%g of %g s", rows[2 * contact + 1].time, all);
    for (size_t i = 0; i < GYROSCOPE_STATES; i++) {
        const double *at = rows[2 * i + 1].numbers;
        /* A disc of 5 cm on an axle of 5 cm stays near where it was put, above the ground. */
        cr_expect(at[X + 2] > 0 && at[X + 2] < 0.1 && hypot(at[X], at[X + 1]) < 0.2, "state %zu",
                  i);
        cr_expect(fabs(at[SEMI_AXIS] - 0.05) < 1e-12 && fabs(at[SEMI_AXIS + 2] - 0.008) < 1e-12);
        cr_expect(!rows[2 * i + 1].touches);
    }
    free(rows);
}

Test(example_scene, says_what_is_wrong) {
    expect_refusal(EXAMPLE("scene"), "-o -", "which scene?");
    expect_refusal(EXAMPLE("scene"), "tennis -o -", "there is no 'tennis'");
    expect_refusal(EXAMPLE("scene"), "billiard -o absent/n.csv", "cannot write");
    expect_refusal(EXAMPLE("scene"), "billiard --fraction 0.3", "--fraction must be from 0.5 to 1");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 0", "--penalty must be above 0");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 1", "does not end in the time");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 1e6 --fraction 1", "exclude each other");
    expect_refusal(EXAMPLE("scene"), "gyroscope --penalty 1e6", "for the collisions of two bodies");
}
