/* Checks that every engine with the adapter must pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../impacts/impact_list.h"
#include "engine_scenes.h"

static int failures;

static void check(bool right, const char *who, const char *what, double is, double bound) {
    if (right) return;
    printf("%s: %s: %.17g, bound %.17g\n", who, what, is, bound);
    failures++;
}

static void check_near(const char *who, const char *what, double is, double right, double bound) {
    check(fabs(is - right) <= bound, who, what, is - right, bound);
}

static body_now *room_for(const scene *s) {
    body_now *const bodies = calloc(s->bodies, sizeof *bodies);
    if (!bodies) abort();
    return bodies;
}

/* The fifth ball leaves with what the first had. Four collisions of equal masses are a few
 * operations each. */
static void check_cradle(const engine *e, double gap) {
    scene s = scene_cradle(gap);
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true};
    static const double rate[] = {60, 240, 1000};
    for (size_t k = 0; k < sizeof rate / sizeof *rate; k++) {
        const energy_book book = scene_run(e, &s, &setting, 1 / rate[k], now);
        for (size_t i = 0; i < s.bodies; i++)
            check_near(e->name, "a ball of the cradle", now[i].v[0], i == 4 ? 2 : 0,
                       32 * e->rounding);
        check_near(e->name, "the cradle's energy", book.last, 2, 64 * e->rounding);
        check(book.highest_rise <= 64 * e->rounding, e->name, "the cradle's rise",
              book.highest_rise, 64 * e->rounding);
    }
    free(now);
    scene_free(&s);
}

/* An elastic ball: what it has lost or gained after 10 s is rounding of each step. */
static void check_ball(const engine *e, double look_ahead) {
    scene s = scene_ball(1, 10);
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true, .look_ahead = look_ahead};
    static const double rate[] = {60, 250};
    for (size_t k = 0; k < sizeof rate / sizeof *rate; k++) {
        const energy_book book = scene_run(e, &s, &setting, 1 / rate[k], now);
        const double bound = 16 * e->rounding * book.first * (double)book.steps;
        check_near(e->name, "an elastic ball's energy", book.contacts, 0, bound);
        check_near(e->name, "an elastic ball is pushed", book.positions, 0, bound);
    }
    free(now);
    scene_free(&s);
}

/* A ball of e = 0.5 does not leave the overlap of its impact in one step. It is not to be pushed:
 * it would rise higher than e says. It falls for 0.46 s, and for as long between bounces. */
static void check_rebound(const engine *e) {
    scene s = scene_ball(0.5, 0.8);
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true};
    static const double rate[] = {60, 70, 80, 90};
    for (size_t k = 0; k < sizeof rate / sizeof *rate; k++) {
        const energy_book book = scene_run(e, &s, &setting, 1 / rate[k], now);
        const double bound = 16 * e->rounding * book.first * (double)book.steps;
        check_near(e->name, "a ball that rebounds is pushed", book.positions, 0, bound);
    }
    free(now);
    scene_free(&s);
}

/* Bodies that have come to rest do not stay in the floor: overlaps shrink by a fifth a step to the
 * slop, of a tenth of a millimetre in ODE. */
static void check_overlap(const engine *e) {
    scene s = scene_corner();
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true};
    const double slop = 1e-4;
    scene_run(e, &s, &setting, 1.0 / 60, now);
    check_near(e->name, "the height of a cube on the floor", now[0].x[2], s.body[0].half[2],
               2 * slop);
    free(now);
    scene_free(&s);
}

static void check_energy(const engine *e, scene s, double h) {
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true, .no_gyroscope = true};
    const energy_book book = scene_run(e, &s, &setting, h, now);
    char what[64];
    snprintf(what, sizeof what, "%s at 1/%.0f s gain beyond the engine's tolerance", s.name, 1 / h);
    check(book.beyond <= 0, e->name, what, book.beyond, 0);
    /* At rest, bodies are no faster than gravity makes them in a step, on the average. */
    double kinetic = 0, resting = 0;
    for (size_t i = 0; i < s.bodies; i++) {
        const double *const v = now[i].v;
        kinetic += 0.5 * now[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        resting += 0.5 * now[i].mass * s.gravity * s.gravity * h * h;
    }
    snprintf(what, sizeof what, "%s at 1/%.0f s do not rest", s.name, 1 / h);
    check(kinetic <= resting, e->name, what, kinetic, resting);
    free(now);
    scene_free(&s);
}

/*
 * If contacts are found before they overlap, H less the work of pushing bodies apart never rises
 * above the least that it was by more than a step's tolerance for bodies at rest, in any number of
 * steps. The work itself is no part of this: it removes the overlaps that the engine's iterations
 * leave, and how it adds up in a heap of 200 boxes changes with every bit (0 to 0.045 J were seen).
 */
static void check_rise(const engine *e, scene s, double h) {
    body_now *const now = room_for(&s);
    const engine_setting setting = {.impinge = true, .look_ahead = 0.15, .no_gyroscope = true};
    const energy_book book = scene_run(e, &s, &setting, h, now);
    for (size_t i = 0; i < s.bodies; i++)
        memset(now[i].w, 0, sizeof now[i].w);
    const double bound = scene_allowed(&s, now, h, e->residual, e->rounding);
    char what[64];
    snprintf(what, sizeof what, "%s at 1/%.0f s rise", s.name, 1 / h);
    check(book.highest_unpushed <= bound, e->name, what, book.highest_unpushed, bound);
    free(now);
    scene_free(&s);
}

/* ---- Against the law itself ---- */

static impinge_pair_side_f64 side_of(const scene_body *b, double numbers[13], double sign,
                                     const double n[3]) {
    double inertia[3];
    scene_inertia(b, inertia);
    numbers[0] = 1 / b->mass;
    for (size_t k = 0; k < 3; k++) {
        numbers[1 + k] = 1 / inertia[k];
        numbers[4 + k] = sign * b->half[0] * n[k];
        numbers[7 + k] = b->v[k];
        numbers[10 + k] = b->w[k];
    }
    static const double zero = 0;
    const impinge_pair_side_f64 side = {.inverse_mass = numbers,
                                        .inverse_inertia_xy = &zero,
                                        .inverse_inertia_xz = &zero,
                                        .inverse_inertia_yz = &zero,
                                        .inverse_inertia_xx = numbers + 1,
                                        .inverse_inertia_yy = numbers + 2,
                                        .inverse_inertia_zz = numbers + 3,
                                        .arm_x = numbers + 4,
                                        .arm_y = numbers + 5,
                                        .arm_z = numbers + 6,
                                        .velocity_x = numbers + 7,
                                        .velocity_y = numbers + 8,
                                        .velocity_z = numbers + 9,
                                        .angular_velocity_x = numbers + 10,
                                        .angular_velocity_y = numbers + 11,
                                        .angular_velocity_z = numbers + 12};
    return side;
}

/* Two balls that spin and hit each other obliquely leave as impinge_resolve_body_pairs has it:
 * a wrong sign, frame, arm or mass would show. */
static void check_oblique(const engine *e) {
    scene s = scene_oblique();
    body_now *const now = room_for(&s);
    const double h = 1.0 / 240, tolerance = 1e-8 + 64 * e->rounding; /* 1e-9 is the overlap */
    s.seconds = h;
    const engine_setting setting = {.impinge = true};
    scene_run(e, &s, &setting, h, now);

    const double n[3] = {0.6, 0.48, 0.64};
    double a[13], b[13], after[12], p[3];
    const impinge_body_pairs_f64 pair = {
        .count = 1,
        .a = side_of(&s.body[0], a, -1, n),
        .b = side_of(&s.body[1], b, 1, n),
        .normal_x = n,
        .normal_y = n + 1,
        .normal_z = n + 2,
        .coefficients = {.restitution.value = s.restitution, .friction.value = s.friction}};
    const impinge_body_pair_results_f64 results = {
        .impulse_x = p,
        .impulse_y = p + 1,
        .impulse_z = p + 2,
        .a = {after, after + 1, after + 2, after + 3, after + 4, after + 5},
        .b = {after + 6, after + 7, after + 8, after + 9, after + 10, after + 11}};
    const impinge_status status = impinge_resolve_body_pairs_f64(&pair, NULL, NULL, &results, NULL);
    check(status == IMPINGE_OK, e->name, "the law itself", status, IMPINGE_OK);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            check_near(e->name, "oblique balls, v", now[i].v[k], after[6 * i + k], tolerance);
            check_near(e->name, "oblique balls, w", now[i].w[k], after[6 * i + 3 + k],
                       tolerance / 0.2);
        }
    free(now);
    scene_free(&s);
}

/* A body that is moved and has no mass hits with its velocity: 1 m/s and e = 0.5 make 1.5 m/s. */
static void check_platform(const engine *e) {
    scene s = scene_platform();
    body_now *const now = room_for(&s);
    const double h = 1.0 / 240;
    s.seconds = h;
    const engine_setting setting = {.impinge = true};
    scene_run(e, &s, &setting, h, now);
    check_near(e->name, "a ball on a platform", now[0].v[2], 1.5, 32 * e->rounding);
    check_near(e->name, "the platform", now[1].v[2], 1, 0);
    free(now);
    scene_free(&s);
}

/* ---- The list of impacts ---- */

static void add_ball(impact_list *list, double mass, double v) {
    const impact_body ball = {.inverse_mass = 1 / mass,
                              .inverse_inertia = {250, 0, 0, 250, 0, 250},
                              .velocity = {v, 0, 0}};
    check(impact_list_add_body(list, &ball), "list", "a body has no room", 0, 0);
}

/* Balls of 3, 1 and 3 kg: the first has 2 m/s and hits the second, which hits the third across a
 * gap in the same step. Gives the velocities after. */
static impact_report hit_three(impact_list *list, double restitution, double after[3]) {
    static const double mass[3] = {3, 1, 3}, before[3] = {2, 0, 0};
    impact_list_clear(list);
    for (size_t i = 0; i < 3; i++)
        add_ball(list, mass[i], before[i]);
    for (uint32_t i = 0; i < 2; i++) {
        const impact_contact contact = {.a = i + 1,
                                        .b = i,
                                        .arm_a = {-0.1, 0, 0},
                                        .arm_b = {0.1, 0, 0},
                                        .normal = {1, 0, 0},
                                        .gap = i == 0 ? -1e-3 : 1e-3,
                                        .restitution = restitution};
        check(impact_list_add_contact(list, &contact), "list", "a contact has no room", 0, 0);
    }
    const impact_options options = {.rest_speed = 0.2, .time_step = 1.0 / 60};
    impact_report report;
    const impinge_status status = impact_list_collide(list, &options, &report);
    check(status == IMPINGE_OK, "list", "status", status, IMPINGE_OK);
    for (size_t i = 0; i < 3; i++) {
        double v[3], w[3];
        impact_list_change(list, i, v, w);
        after[i] = before[i] + v[0];
    }
    return report;
}

/* Elastic, the collisions are those of textbooks: 2, 0, 0 becomes 1, 3, 0, then 1, -1.5, 1.5, then
 * -0.25, 2.25, 1.5, then -0.25, 1.125, 1.875. */
static void check_list(void) {
    impact_list *const list = impact_list_new();
    if (!list) abort();
    static const double right[3] = {-0.25, 1.125, 1.875};
    const double bound = 64 * 2.3e-16;
    double after[3], p[3];
    impact_report report = hit_three(list, 1, after);
    for (size_t i = 0; i < 3; i++)
        check_near("list", "a ball's velocity", after[i], right[i], bound);
    check(impact_list_impulse(list, 0, p), "list", "the first contact did not collide", 0, 0);
    check_near("list", "the first ball's impulse", p[0], 3 * (2 - right[0]), 4 * bound);
    check(report.collisions == 4, "list", "collisions", (double)report.collisions, 4);

    report = hit_three(list, 0.5, after);
    const double kinetic =
        1.5 * after[0] * after[0] + 0.5 * after[1] * after[1] + 1.5 * after[2] * after[2];
    check_near("list", "energy lost", report.energy_lost, 6 - kinetic, 16 * bound);
    check(report.energy_lost > 1, "list", "no energy was lost", report.energy_lost, 1);
    impact_list_free(list);
}

int engine_checks(const engine *e) {
    enum { BOXES = 200 };
    static const double rate[] = {60, 240};
    check_list();
    check_cradle(e, 0);
    check_cradle(e, 1e-3);
    check_ball(e, 0);
    check_ball(e, 0.1);
    check_rebound(e);
    check_overlap(e);
    check_oblique(e);
    check_platform(e);
    for (size_t k = 0; k < 2; k++) {
        check_energy(e, scene_corner(), 1 / rate[k]);
        check_energy(e, scene_boxes(BOXES), 1 / rate[k]);
        if (!e->looks_ahead) continue;
        check_rise(e, scene_corner(), 1 / rate[k]);
        check_rise(e, scene_boxes(BOXES), 1 / rate[k]);
    }
    if (failures == 0) printf("%s: all is well\n", e->name);
    return failures > 0;
}
