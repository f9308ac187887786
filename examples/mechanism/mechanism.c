/* mechanism */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <impinge/impinge.h>

#include "linkage.h"
#include "support/arguments.h"
#include "support/fail.h"
#include "support/number.h"
#include "support/output.h"

static const char help[] =
    "Usage: mechanism [pendulum | double-pendulum] [OPTION]...\n"
    "\n"
    "Rods hinged to a fixed point strike the ground with their end (Chatterjee and Ruina 1998,\n"
    "figure 8; Morgan 2011).\n"
    "Prints the result, by Routh's law with Stronge's restitution, in two ways:\n"
    "\n"
    "  intact    as a mechanism in one or two coordinates, one collision\n"
    "  separate  as rods that fly free: the ground's collision, then a plastic one that sticks in\n"
    "            a hinge, and so on, the greatest approach speed first, until nothing approaches\n"
    "            (Chatterjee and Ruina 1998, 6.5); a hinge approaches whenever its ends move "
    "apart\n"
    "            in any direction\n"
    "\n"
    "  angle       of the rod from the vertical; of the lower rod from the upper one; degrees\n"
    "  energy      after, as a share of that before\n"
    "  slip        the end's velocity along the ground after, over its speed before\n"
    "  normal      the same off the ground\n"
    "  collisions  how many there were; with a '+', more were to come\n"
    "  left        the greatest approach speed that was left, over the end's speed before\n"
    "  outcome     of the intact mechanism's one collision\n"
    "\n"
    "A pendulum that swings to the ground at an angle stops dead where mu >= tan(angle), whatever\n"
    "e is; separate rods need not.\n"
    "\n"
    "      --angle X        one angle instead of several\n"
    "      --restitution X  e of the ground, one instead of several\n"
    "      --friction X     mu of the ground, one instead of several\n"
    "      --collisions N   at the most; 100000 if not given\n"
    "      --csv            the table as comma-separated values\n"
    "\n"
    "Example: mechanism double-pendulum --friction 0.3\n";

static const double radians_per_degree = 0.017453292519943295769;

/* A slower approach, relative to the end's speed before, counts as none. */
static const double least_approach = 1e-12;

typedef struct values {
    double at[8];
    size_t count;
} values;

typedef struct settings {
    bool is_double, csv;
    values angle, restitution, friction;
    size_t most;
} settings;

static void only(const char *name, const char *text, double least, double most, values *of) {
    if (!text) return;
    of->at[0] = number_within(name, text, least, most);
    of->count = 1;
}

/* The rod leans back, and turns towards the vertical; or both rods turn alike. */
static linkage linkage_at(const settings *s, double angle) {
    if (!s->is_double)
        return (linkage){.rods = 1, .angle = {-(90 + angle) * radians_per_degree}, .speed = {1}};
    return (linkage){.rods = 2,
                     .angle = {-120 * radians_per_degree, angle * radians_per_degree},
                     .speed = {1, 1}};
}

static void print_head(const settings *s) {
    if (s->csv)
        puts("angle,restitution,friction,intact_energy,intact_slip,intact_normal,"
             "separate_energy,separate_slip,separate_normal,collisions,ended,left,outcome");
    else
        printf("%20s  intact: %16s  separate:\n%6s %6s %6s  %8s%8s%8s  %8s%8s%8s %11s%9s   %s\n",
               "", "", "angle", "e", "mu", "energy", "slip", "normal", "energy", "slip", "normal",
               "collisions", "left", "outcome");
}

/* In four digits, and never -0. */
static double shown(double value) { return rint(value * 1e4) / 1e4 + 0.0; }

static void print_row(const settings *s, double angle, const linkage *l) {
    double slip, normal;
    linkage_approach(l, &slip, &normal);
    if (!(normal < 0)) fail("with angle %g the end does not approach the ground", angle);
    const double speed = hypot(slip, normal);
    const linkage_result a = linkage_intact(l);
    const linkage_result b = linkage_separate(l, least_approach * speed, s->most);
    char outcome[IMPINGE_OUTCOME_TEXT_SIZE];
    impinge_outcome_text(a.outcome, outcome, sizeof outcome);
    if (s->csv)
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%zu,%d,%.17g,%s\n", angle,
               l->restitution, l->friction, a.energy, a.slip / speed, a.normal / speed, b.energy,
               b.slip / speed, b.normal / speed, b.collisions, b.ended, b.left / speed, outcome);
    else
        printf("%6g %6g %6g  %8.4f%8.4f%8.4f  %8.4f%8.4f%8.4f %10zu%s%9.1e   %s\n", angle,
               l->restitution, l->friction, shown(a.energy), shown(a.slip / speed),
               shown(a.normal / speed), shown(b.energy), shown(b.slip / speed),
               shown(b.normal / speed), b.collisions, b.ended ? " " : "+", b.left / speed, outcome);
}

static void print_table(const settings *s) {
    print_head(s);
    for (size_t i = 0; i < s->angle.count; i++)
        for (size_t j = 0; j < s->restitution.count; j++)
            for (size_t k = 0; k < s->friction.count; k++) {
                linkage l = linkage_at(s, s->angle.at[i]);
                l.restitution = s->restitution.at[j];
                l.friction = s->friction.at[k];
                print_row(s, s->angle.at[i], &l);
            }
}

static bool wants_double(const char *name) {
    if (!strcmp(name, "double-pendulum")) return true;
    if (strcmp(name, "pendulum") != 0)
        fail("there is no mechanism '%s'; see mechanism --help", name);
    return false;
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("mechanism");
    bool wants_help = false, csv = false;
    const char *angle = NULL, *restitution = NULL, *friction = NULL, *most = NULL;
    const argument_option options[] = {{"--help", "-h", NULL, &wants_help},
                                       {"--csv", NULL, NULL, &csv},
                                       {"--angle", NULL, &angle, NULL},
                                       {"--friction", NULL, &friction, NULL},
                                       {"--restitution", NULL, &restitution, NULL},
                                       {"--collisions", NULL, &most, NULL}};
    const char *rest[1] = {"pendulum"};
    arguments_read("mechanism", arguments, options, sizeof options / sizeof *options, rest, 1);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    settings s = {.is_double = wants_double(rest[0]),
                  .csv = csv,
                  .restitution = {{0, 0.5, 1}, 3},
                  .friction = {{0, 0.25, 1}, 3}};
    s.angle = s.is_double ? (values){{-20, -40, -60}, 3} : (values){{20, 40, 60}, 3};
    values count = {{100000}, 1};
    only("--angle", angle, -180, 180, &s.angle);
    only("--restitution", restitution, 0, 1, &s.restitution);
    only("--friction", friction, 0, (double)INFINITY, &s.friction);
    only("--collisions", most, 1, 1e9, &count);
    s.most = (size_t)count.at[0];
    print_table(&s);
    return output_exit(EXIT_RIGHT);
}
