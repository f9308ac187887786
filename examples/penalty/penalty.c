/* penalty */
#include <math.h>
#include <stdio.h>

#include "penalty_scenes.h"
#include "support/arguments.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/number.h"
#include "support/output.h"

static const char help[] =
    "Usage: penalty [--geometry fixed|face] [--steps N]\n"
    "\n"
    "Lets the bodies of three scenes (scene draws them) collide by the penalty model: "
    "while\n"
    "they intrude each other, a force proportional to the depth drives them apart. Prints, for\n"
    "contacts of growing stiffness, how long they last and how far the velocities after are from\n"
    "those of the closed formula (the frictionless law with restitution 1), relative to the "
    "largest\n"
    "velocity. The order is that in the stiffness: bodies turn while a contact lasts, which takes "
    "as\n"
    "long as one over the root of the stiffness.\n"
    "\n"
    "      --geometry fixed   point and normal stay where they are in the world\n"
    "      --geometry face    the plane in which the bodies touch moves with the first body, the\n"
    "                         point with the second\n"
    "      --steps N          Runge-Kutta steps in a contact, 1024 if left out\n"
    "\n"
    "Example: penalty --geometry face\n";

/* Stiffnesses from a rubber ball's to more than any steel ball's, N/m. */
static const double softest = 1e4;
enum { DECADES = 9 };

enum { STEPS = 1024, STEPS_MAX = 1000000 };

/* An error, and the order between it and that of a contact a tenth as stiff; the first has none. */
static void print_error(double error, double softer) {
    printf("  %14.6e", error);
    if (isnan(softer))
        printf("  %6s", "-");
    else
        printf("  %6.3f", log10(softer / error));
}

static void print_scene(size_t scene, penalty_geometry geometry, size_t steps) {
    printf("%s\n%13s  %12s  %14s  %6s  %14s  %6s\n", penalty_scene_names[scene], "stiffness_N/m",
           "duration_s", "velocity_error", "order", "angular_error", "order");
    penalty_comparison softer = {NAN, NAN, NAN};
    double stiffness = softest;
    for (int i = 0; i < DECADES; i++, stiffness *= 10) {
        const penalty_comparison row = penalty_compare(scene, geometry, stiffness, steps);
        printf("%13.0e  %12.5e", stiffness, row.lasted);
        print_error(row.velocity_error, softer.velocity_error);
        print_error(row.omega_error, softer.omega_error);
        putchar('\n');
        softer = row;
    }
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("penalty");
    static const char *const geometries[] = {"fixed", "face"};
    static const penalty_geometry values[] = {PENALTY_FIXED, PENALTY_FACE};
    const char *geometry = geometries[0], *steps_text = NULL;
    bool wants_help = false;
    const argument_option options[] = {{"--geometry", NULL, &geometry, NULL},
                                       {"--steps", NULL, &steps_text, NULL},
                                       {"--help", "-h", NULL, &wants_help}};
    arguments_read("penalty", arguments, options, sizeof options / sizeof *options, NULL, 0);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    const size_t chosen = choice_required("--geometry", geometry, geometries, 2);
    const size_t steps = steps_text ? whole_required("--steps", steps_text, 1, STEPS_MAX) : STEPS;
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        if (scene > 0) putchar('\n');
        print_scene(scene, values[chosen], steps);
    }
    return output_exit(EXIT_RIGHT);
}
