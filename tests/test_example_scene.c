/* The example scene: two bodies that collide, and a gyroscope, as pictures that move. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "penalty_scenes.h"
#include "pictures.h"
#include "runs.h"

enum { LINE_SIZE = 1024 };

enum { SCENE_BYTES = 200000, SCENE_FRAMES = 66, SCENE_CONTACT = 30, GYROSCOPE_FRAMES = 120 };

static const char frame_start[] = "<g class=\"frame\" visibility=\"hidden\">";

static const char *const scene_bodies[PENALTY_SCENES][2] = {
    {">rolling ball<", ">spinning ball<"}, {">ball<", ">bat<"}, {">first man<", ">second man<"}};

/* When a frame is seen, as shares of the whole: the text behind its beginning must say so. */
static void expect_shown_in_turn(const char *frame, size_t index, size_t count) {
    const char *keys = strstr(frame, "keyTimes=\"0") + 11;
    const bool first = index == 0, last = index + 1 == count;
    const char *values = first  ? "values=\"visible;hidden\""
                         : last ? "values=\"hidden;visible\""
                                : "values=\"hidden;visible;hidden\"";
    const char *found = strstr(frame, "values=");
    cr_expect(strncmp(found, values, strlen(values)) == 0, "frame %zu: %.40s", index, found);
    if (!first)
        cr_expect(fabs(strtod(keys + 1, (char **)&keys) - (double)index / (double)count) < 1e-5);
    if (!last)
        cr_expect(fabs(strtod(keys + 1, (char **)&keys) - (double)(index + 1) / (double)count) <
                  1e-5);
    cr_expect(*keys == '"', "frame %zu: %.10s", index, keys);
}

/* The frames of a picture: all there, one seen after the other. */
static size_t frames_of(const char *svg, const char **frames, size_t most) {
    size_t count = 0;
    for (const char *at = strstr(svg, frame_start); at; at = strstr(at + 1, frame_start)) {
        cr_assert(count < most);
        frames[count++] = at;
    }
    for (size_t i = 0; i < count; i++)
        expect_shown_in_turn(frames[i], i, count);
    return count;
}

/* Where the centres of the two bodies are in each frame, in pixels. */
typedef struct ways {
    double at[SCENE_FRAMES][2][2];
} ways;

static ways ways_of(const char *svg, size_t scene) {
    const char *frames[SCENE_FRAMES];
    ways of;
    cr_assert(frames_of(svg, frames, SCENE_FRAMES) == SCENE_FRAMES);
    for (size_t i = 0; i < SCENE_FRAMES; i++)
        for (size_t body = 0; body < 2; body++)
            pixels_of(frames[i], scene_bodies[scene][body], of.at[i][body]);
    return of;
}

/* Pixels are rounded to a hundredth, either way; so are means of two of them. */
static const double pixel_rounding = 0.005 + 1e-9;

/* The total momentum is 0: the centre of mass stays where it is. */
static void expect_momentum_kept(const ways *of, size_t scene) {
    const penalty_system system = penalty_scene(scene, PENALTY_FIXED, 1);
    const double m1 = system.bodies[0].mass, m2 = system.bodies[1].mass;
    double first[2];
    for (size_t i = 0; i < SCENE_FRAMES; i++) {
        for (size_t j = 0; j < 2; j++) {
            const double middle = (m1 * of->at[i][0][j] + m2 * of->at[i][1][j]) / (m1 + m2);
            if (i == 0) first[j] = middle;
            cr_expect(fabs(middle - first[j]) <= 2 * pixel_rounding, "%s, frame %zu: %g, then %g",
                      penalty_scene_names[scene], i, first[j], middle);
        }
    }
}

/* Bodies in the air go straight on: second differences vanish, which four roundings make. */
static void expect_free_flight(const ways *of, size_t first, size_t last) {
    for (size_t i = first + 1; i < last; i++) {
        for (size_t j = 0; j < 4; j++) {
            const double second = of->at[i - 1][j / 2][j % 2] - 2 * of->at[i][j / 2][j % 2] +
                                  of->at[i + 1][j / 2][j % 2];
            cr_expect(fabs(second) <= 4 * pixel_rounding, "frame %zu: %g", i, second);
        }
    }
}

/* The impulse is along the normal that is drawn from the contact. */
static void expect_push_along_normal(const ways *of, const char *svg) {
    double contact[2], x1, y1, x2, y2;
    pixels_of(svg, ">contact</title>", contact);
    const char *line = strstr(svg, "<line ");
    cr_assert(line && sscanf(line, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"", &x1, &y1,
                             &x2, &y2) == 4);
    cr_expect(x1 == contact[0] && y1 == contact[1]);
    double push[2];
    for (size_t j = 0; j < 2; j++)
        push[j] = (of->at[SCENE_FRAMES - 1][1][j] - of->at[SCENE_CONTACT][1][j]) /
                      (SCENE_FRAMES - 1 - SCENE_CONTACT) -
                  (of->at[SCENE_CONTACT][1][j] - of->at[0][1][j]) / SCENE_CONTACT;
    const double n[2] = {x2 - x1, y2 - y1};
    /* The velocities are known to two roundings over so many frames, the normal to two. */
    const double velocity_rounding = 2 * sqrt(2) * pixel_rounding * (1.0 / 30 + 1.0 / 35);
    const double rounding = velocity_rounding * hypot(n[0], n[1]) +
                            2 * sqrt(2) * pixel_rounding * hypot(push[0], push[1]);
    cr_expect(fabs(push[0] * n[1] - push[1] * n[0]) <= rounding, "%g %g, not along %g %g", push[0],
              push[1], n[0], n[1]);
    cr_expect(push[0] * n[0] + push[1] * n[1] > 0);
}

static ways check_scene(size_t scene, const char *options, double kept) {
    char arguments[LINE_SIZE];
    snprintf(arguments, sizeof arguments, "%s %s", penalty_scene_names[scene], options);
    char *svg = picture_of(EXAMPLE("scene"), arguments, SCENE_BYTES);
    const ways of = ways_of(svg, scene);
    expect_momentum_kept(&of, scene);
    expect_free_flight(&of, 0, SCENE_CONTACT);
    if (!strstr(options, "--penalty")) {
        expect_free_flight(&of, SCENE_CONTACT, SCENE_FRAMES - 1);
        expect_push_along_normal(&of, svg);
    }
    const double before = number_after(svg, "Kinetic energy ", 0);
    const double after = number_after(svg, " J before, ", 0);
    /* Written to six digits. */
    if (kept > 0)
        cr_expect(fabs(after / before - kept) <= 1e-5, "%s: %g", arguments, after / before);
    else
        cr_expect(after < 0.999 * before);
    free(svg);
    return of;
}

Test(scene, bodies_collide) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        check_scene(scene, "", 1);
        check_scene(scene, "--fraction 0.95", 0);
    }
}

/* A stiff contact is over within the first frame: it ends where the library's does, but for some
 * 1e-3 of the way (impinge penalty). A soft one takes some frames, and ends elsewhere. */
Test(scene, penalty_comes_near_if_stiff) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        const ways by_law = check_scene(scene, "", 1);
        const ways stiff = check_scene(scene, "--penalty 1e10", 1);
        const ways soft = check_scene(scene, scene == 2 ? "--penalty 1e5" : "--penalty 2e5", 1);
        double off[2] = {0, 0};
        for (size_t j = 0; j < 4; j++) {
            const double right = by_law.at[SCENE_FRAMES - 1][j / 2][j % 2];
            off[0] = fmax(off[0], fabs(stiff.at[SCENE_FRAMES - 1][j / 2][j % 2] - right));
            off[1] = fmax(off[1], fabs(soft.at[SCENE_FRAMES - 1][j / 2][j % 2] - right));
        }
        cr_expect(off[0] < 0.5, "%s: %g pixels", penalty_scene_names[scene], off[0]);
        cr_expect(off[1] > 2, "%s: %g pixels", penalty_scene_names[scene], off[1]);
    }
}

Test(scene, gyroscope) {
    char *svg = picture_of(EXAMPLE("scene"), "gyroscope", SCENE_BYTES);
    const char *frames[GYROSCOPE_FRAMES];
    cr_assert(frames_of(svg, frames, GYROSCOPE_FRAMES) == GYROSCOPE_FRAMES);
    for (size_t i = 0; i < GYROSCOPE_FRAMES; i++) {
        double centre[2];
        pixels_of(frames[i], ">gyroscope<", centre);
        cr_expect(centre[0] > 0 && centre[0] < 640 && centre[1] > 0 && centre[1] < 376);
    }
    cr_expect(count_of(svg, ">gyroscope<") == GYROSCOPE_FRAMES + 2);
    /* It precesses some times before it tips over, and then still rolls. */
    const double tips = number_after(svg, "on its rim after ", 0);
    const double all = number_after(svg, " s of ", 0);
    cr_expect(tips > 1 && tips < all - 0.5, "%g of %g s", tips, all);
    free(svg);
}

Test(scene, says_what_is_wrong) {
    expect_refusal(EXAMPLE("scene"), "-o -", "which scene?");
    expect_refusal(EXAMPLE("scene"), "tennis -o -", "there is no 'tennis'");
    expect_refusal(EXAMPLE("scene"), "billiard", "where to?");
    expect_refusal(EXAMPLE("scene"), "billiard -o n.png", "pictures are SVG");
    expect_refusal(EXAMPLE("scene"), "billiard --fraction 0.3 -o -",
                   "--fraction must be from 0.5 to 1");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 0 -o -", "--penalty must be above 0");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 1 -o -", "does not end in the time");
    expect_refusal(EXAMPLE("scene"), "billiard --penalty 1e6 --fraction 1 -o -",
                   "exclude each other");
    expect_refusal(EXAMPLE("scene"), "gyroscope --penalty 1e6 -o -",
                   "for the collisions of two bodies");
}
