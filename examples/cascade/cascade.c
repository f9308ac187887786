/* cascade */
#include "cascade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/law.h"
#include "support/number.h"
#include "support/output.h"

static const char help[] =
    "Usage: cascade cradle N [--in K] [OPTION]...\n"
    "       cascade rod [OPTION]...\n"
    "       cascade break [--angle DEGREES] [-o OUT.csv] [OPTION]...\n"
    "\n"
    "Resolves simultaneous contacts as a sequence: the contact with the greatest approach "
    "velocity\n"
    "collides, as if it were alone, until none approaches. Prints the velocities after (of body,\n"
    "m/s, and angular, rad/s), momentum and energy before and after, and how it ended.\n"
    "\n"
    "  cradle  N equal balls in a row (2 to 64), of which the first K come at 1 m/s\n"
    "  rod     a rod that falls flat on two supports at 1 m/s\n"
    "  break   a pool break: 15 balls in a triangle, 0 in front; ball 15 comes at 1 m/s\n"
    "\n"
    "      --in K                     balls that come; 1 if left out\n"
    "      --angle DEGREES            off the line of centres, -80 to 80; 0 if left out\n"
    "      --restitution X            0 to 1; left out: cradle 1, rod 0.5, break 0.95\n"
    "      --friction X               0 or more; 0 if left out\n"
    "      --tangential-restitution X -1 to 1, of bilinear and chatterjee-ruina; 0 if left out\n"
    "      --law LAW                  of each collision; routh if left out; not brach, composite,\n"
    "                                 planar\n"
    "      --tie TIE                  of contacts as fast as each other: index (the lowest; the\n"
    "                                 default) or drawn\n"
    "      --seed N                   of the draws, from 1; 1 if left out\n"
    "      --most N                   collisions; 1000 for each contact if left out\n"
    "      --rest-speed X             slower contacts are left alone, m/s; 0 if left out\n"
    "      --extrapolate              sums up a tail that has become geometric\n"
    "      --trace                    also prints the collisions, the first 1000 of them\n"
    "  -o, --output OUT               the balls of the break, places and velocities after, as "
    "CSV;\n"
    "                                 python3 -m impinge.plots break OUT draws them\n"
    "\n"
    "Example: cascade cradle 5 --in 2 --trace\n";

/* The options, as given. */
typedef struct request {
    const char *rest[2]; /* the scene, and N */
    size_t count;
    const char *in, *angle, *law, *tie, *seed, *most, *rest_speed, *output;
    const char *coefficients[TANGENTIAL_RESTITUTION + 1];
    bool extrapolate, trace;
} request;

enum scene { CRADLE, ROD, BREAK, SCENES };
static const char *const scene_names[SCENES] = {"cradle", "rod", "break"};
static const double scene_restitution[SCENES] = {1, 0.5, 0.95};

static const double radians_per_degree = 0.017453292519943295769;

/* ---- Arguments ---- */

static enum scene scene_required(const request *by) {
    if (by->count == 0) fail("which scene? see cascade --help");
    const enum scene which =
        (enum scene)choice_required("the scene", by->rest[0], scene_names, SCENES);
    if (which == CRADLE && by->count < 2) fail("how many balls? cascade cradle N");
    if (which != CRADLE && by->count > 1) fail("'%s' is too much; see cascade --help", by->rest[1]);
    if (which != CRADLE && by->in) fail("--in needs the cradle");
    if (which != BREAK && by->angle) fail("--angle needs the break");
    if (which != BREAK && by->output) fail("--output needs the break");
    return which;
}

static void make_scene(const request *by, enum scene which, cascade_scene *s) {
    if (which == ROD) {
        cascade_rod(s);
    } else if (which == BREAK) {
        const double degrees = by->angle ? number_within("--angle", by->angle, -80, 80) : 0;
        cascade_break(s, degrees * radians_per_degree);
    } else {
        const size_t balls = whole_required("N", by->rest[1], 1, CASCADE_BODIES);
        const size_t in = by->in ? whole_required("--in", by->in, 1, CASCADE_BODIES) : 1;
        if (balls < 2) fail("N: a cradle has 2 balls at least");
        if (in >= balls) fail("--in: of %zu balls, %zu cannot come", balls, in);
        cascade_cradle(s, balls, in);
    }
}

static double coefficient_of(const request *by, enum coefficient which, double otherwise) {
    const char *const text = by->coefficients[which];
    return text ? coefficient_required(which, text, PRECISION_F64, false) : otherwise;
}

static impinge_law law_of(const request *by) {
    const size_t law = law_required(by->law);
    if (law == LAW_PLANAR || law_need(law, MIX, false) != COEFFICIENT_IGNORED ||
        law_need(law, IMPULSE_RATIO_T1, false) != COEFFICIENT_IGNORED)
        fail("--law: %s is not for cascade", by->law);
    return law_option(law);
}

static cascade_how how_of(const request *by, enum scene which) {
    static const char *const ties[] = {
        [IMPINGE_TIE_BY_INDEX] = "index", [IMPINGE_TIE_DRAWN] = "drawn"};
    cascade_how how = {.options.law = law_of(by)};
    how.restitution = coefficient_of(by, RESTITUTION, scene_restitution[which]);
    how.friction = coefficient_of(by, FRICTION, 0);
    how.tangential_restitution = coefficient_of(by, TANGENTIAL_RESTITUTION, 0);
    how.sequence.tie = (impinge_tie)choice_required("--tie", by->tie, ties, 2);
    how.sequence.seed = whole_required("--seed", by->seed, 1, 1000000000000000);
    if (by->most) how.sequence.collisions_max = whole_required("--most", by->most, 1, 1000000000);
    if (by->rest_speed)
        how.sequence.rest_speed = number_within("--rest-speed", by->rest_speed, 0, 1e9);
    how.sequence.extrapolate = by->extrapolate;
    return how;
}

/* ---- Output ---- */

/* Collisions that are traced; each is found by resolving the scene again. */
enum { TRACED_MAX = 1000 };

static void print_collision(const cascade_scene *s, size_t step, const cascade_result *before,
                            const cascade_result *now) {
    for (size_t i = 0; i < s->contacts; i++) {
        double normal = 0;
        for (size_t k = 0; k < 3; k++)
            normal += s->normal[k][i] * (now->impulse[k][i] - before->impulse[k][i]);
        if (normal == 0) continue;
        char other[16] = "ground";
        if (s->b[i] != IMPINGE_WORLD) snprintf(other, sizeof other, "%u", (unsigned)s->b[i]);
        printf("%9zu  %7zu  %6u  %6s  %14.8g\n", step, i, (unsigned)s->a[i], other, normal);
    }
}

/* The scene is resolved up to the first collision, the second and so on. */
static void print_trace(const cascade_scene *s, const cascade_how *how, size_t collisions) {
    cascade_result results[2] = {0};
    printf("%9s  %7s  %6s  %6s  %14s\n", "collision", "contact", "body_a", "body_b",
           "normal_impulse");
    for (size_t step = 1; step <= collisions && step <= TRACED_MAX; step++) {
        cascade_scene copy = *s;
        cascade_how up_to = *how;
        up_to.sequence.collisions_max = step;
        cascade_resolve(&copy, &up_to, &results[step % 2]);
        print_collision(s, step, &results[1 - step % 2], &results[step % 2]);
    }
    putchar('\n');
}

/* A number that six places show as zero gets no sign. */
static double shown(double value) { return fabs(value) < 5e-7 ? 0 : value; }

static void print_velocities(const cascade_scene *s) {
    static const char *const names[CASCADE_VELOCITIES] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    printf("%4s", "body");
    for (size_t k = 0; k < CASCADE_VELOCITIES; k++)
        printf("  %11s", names[k]);
    for (size_t i = 0; i < s->bodies; i++) {
        printf("\n%4zu", i);
        for (size_t k = 0; k < CASCADE_VELOCITIES; k++)
            printf("  %11.6f", shown(s->velocity[k][i]));
    }
    puts("\n");
}

static void print_sums(const cascade_scene *before, const cascade_scene *after) {
    static const char *const names[3] = {"momentum_x", "momentum_y", "momentum_z"};
    printf("%-10s  %14s  %14s\n", "", "before", "after");
    for (size_t k = 0; k < 3; k++)
        printf("%-10s  %14.8g  %14.8g\n", names[k], cascade_momentum(before, k),
               cascade_momentum(after, k));
    printf("%-10s  %14.8g  %14.8g\n\n", "energy", cascade_energy(before), cascade_energy(after));
}

static void print_end(const cascade_result *result) {
    const bool complete = result->end == IMPINGE_SEQUENCE_COMPLETE;
    printf("%zu collisions%s; %s, greatest approach velocity left: %.6g m/s\n",
           result->report.collisions,
           result->report.extrapolated > 0 ? " and an extrapolated tail" : "",
           complete ? "complete" : "truncated", result->report.largest_approach);
}

static void write_balls(const char *path, const cascade_scene *after) {
    output_open(path);
    output_text("ball,x,y,vx,vy,vz,wx,wy,wz\n");
    for (size_t i = 0; i < after->bodies; i++) {
        output_number((double)i, ",");
        for (size_t axis = 0; axis < 2; axis++)
            output_number(after->place[axis][i], ",");
        for (size_t k = 0; k < CASCADE_VELOCITIES; k++)
            output_number(after->velocity[k][i], k + 1 < CASCADE_VELOCITIES ? "," : "\n");
    }
    output_finish();
}

static void run(const request *by) {
    const enum scene which = scene_required(by);
    cascade_scene before;
    make_scene(by, which, &before);
    const cascade_how how = how_of(by, which);
    cascade_scene after = before;
    cascade_result result;
    cascade_resolve(&after, &how, &result);
    if (by->output) {
        write_balls(by->output, &after);
        if (strcmp(by->output, "-") == 0) return;
    }
    if (by->trace) print_trace(&before, &how, result.report.collisions);
    print_velocities(&after);
    print_sums(&before, &after);
    print_end(&result);
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("cascade");
    request by = {.law = "routh", .tie = "index", .seed = "1"};
    bool wants_help = false;
    const argument_option options[] = {
        {"--in", NULL, &by.in, NULL},
        {"--angle", NULL, &by.angle, NULL},
        {"--restitution", NULL, &by.coefficients[RESTITUTION], NULL},
        {"--friction", NULL, &by.coefficients[FRICTION], NULL},
        {"--tangential-restitution", NULL, &by.coefficients[TANGENTIAL_RESTITUTION], NULL},
        {"--law", NULL, &by.law, NULL},
        {"--tie", NULL, &by.tie, NULL},
        {"--seed", NULL, &by.seed, NULL},
        {"--most", NULL, &by.most, NULL},
        {"--rest-speed", NULL, &by.rest_speed, NULL},
        {"--extrapolate", NULL, NULL, &by.extrapolate},
        {"--trace", NULL, NULL, &by.trace},
        {"--output", "-o", &by.output, NULL},
        {"--help", "-h", NULL, &wants_help}};
    by.count =
        arguments_read("cascade", arguments, options, sizeof options / sizeof *options, by.rest, 2);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    run(&by);
    return output_exit(EXIT_RIGHT);
}
