/* scene */

#include <stdio.h>
#include <string.h>

#include "../penalty/penalty_scenes.h"
#include "film.h"
#include "support/arguments.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/number.h"
#include "support/output.h"

static const char help[] =
    "Usage: scene billiard|baseball|stuntmen [--fraction F | --penalty K] [-o OUT.csv]\n"
    "       scene gyroscope [-o OUT.csv]\n"
    "\n"
    "Two bodies before, at and after their contact, or a gyroscope that precesses and tips over,\n"
    "as comma-separated values: a row for each body in each state, where it is, how it is turned\n"
    "(a unit quaternion from its principal axes to the world) and the semi-axes of its inertia\n"
    "ellipsoid. In the air bodies move by Euler's equations. The contact of two bodies is "
    "elastic,\n"
    "without friction, and resolved by the library; the gyroscope is pressed off the ground by "
    "the\n"
    "penalty model, with friction, and at \"contact\" its rim touches. In the state in which two "
    "bodies\n"
    "touch, the contact's point and its normal away from the first body follow.\n"
    "\n"
    "      --fraction F the part of the elastic impulse that is applied, from 0.5 to 1\n"
    "      --penalty K  the contact by the penalty model instead, with this stiffness in N/m\n"
    "  -o, --output OUT where to write; standard output if left out\n"
    "\n"
    "Example: scene stuntmen -o stuntmen.csv; python3 -m impinge.plots scene stuntmen.csv\n";

/* The first body of the gyroscope is the ground, which is not written. */
static const char *const scene_bodies[PENALTY_SCENES + 1][2] = {{"rolling ball", "spinning ball"},
                                                                {"ball", "bat"},
                                                                {"first man", "second man"},
                                                                {NULL, "gyroscope"}};

static void write_all(const double *values, size_t count, const char *last) {
    for (size_t i = 0; i < count; i++)
        output_number(values[i], i + 1 < count ? "," : last);
}

static void write_contact(const penalty_contact *contact) {
    output_text(",");
    write_all(contact->point, 3, ",");
    write_all(contact->normal, 3, "\n");
}

static void write_body(const scene_film *film, size_t state, size_t body, const char *name) {
    const penalty_system *system = &film->states[state];
    const penalty_motion *motion = &system->bodies[body].motion;
    double semi_axes[3];
    penalty_semi_axes(&system->bodies[body], semi_axes);
    output_number((double)state, ",");
    output_number((double)state * film->interval, ",");
    output_text(state < film->contact ? "before," : state > film->contact ? "after," : "contact,");
    output_text(name);
    output_text(",");
    output_number(penalty_energy(system), ",");
    write_all(motion->position, 3, ",");
    write_all(motion->orientation, 4, ",");
    write_all(semi_axes, 3, "");
    /* The gyroscope's contacts move with it. */
    if (state == film->contact && system->contacts[0].geometry == PENALTY_FIXED)
        write_contact(&system->contacts[0]);
    else
        output_text(",,,,,,\n");
}

static void write_film(const scene_film *film, size_t scene) {
    output_text("state,time,when,body,energy,x,y,z,qw,qx,qy,qz,semi_axis_1,semi_axis_2,"
                "semi_axis_3,contact_x,contact_y,contact_z,normal_x,normal_y,normal_z\n");
    for (size_t state = 0; state < film->count; state++)
        for (size_t body = 0; body < 2; body++)
            if (scene_bodies[scene][body]) write_body(film, state, body, scene_bodies[scene][body]);
}

static scene_collision collision_of(const char *fraction, const char *stiffness) {
    scene_collision by = {.fraction = 1};
    if (fraction && stiffness) fail("--fraction and --penalty exclude each other");
    if (fraction) by.fraction = number_required("--fraction", fraction, PRECISION_F64);
    if (!(by.fraction >= 0.5 && by.fraction <= 1)) fail("--fraction must be from 0.5 to 1");
    if (stiffness) {
        by.stiffness = number_required("--penalty", stiffness, PRECISION_F64);
        if (!(by.stiffness > 0 && by.stiffness <= 1e12))
            fail("--penalty must be above 0, and 1e12 at most");
    }
    return by;
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("scene");
    enum { NAMES = PENALTY_SCENES + 1 };
    const char *names[NAMES], *name, *fraction = NULL, *stiffness = NULL, *output = "-";
    bool wants_help = false;
    const argument_option options[] = {{"--fraction", NULL, &fraction, NULL},
                                       {"--penalty", NULL, &stiffness, NULL},
                                       {"--output", "-o", &output, NULL},
                                       {"--help", "-h", NULL, &wants_help}};
    const size_t count =
        arguments_read("scene", arguments, options, sizeof options / sizeof *options, &name, 1);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    memcpy(names, penalty_scene_names, sizeof penalty_scene_names);
    names[PENALTY_SCENES] = "gyroscope";
    if (count == 0) fail("which scene? see scene --help");
    const size_t scene = choice_required("scene", name, names, NAMES);
    const scene_collision by = collision_of(fraction, stiffness);
    if (scene == PENALTY_SCENES && (fraction || stiffness))
        fail("--fraction and --penalty are for the collisions of two bodies");
    scene_film film = scene == PENALTY_SCENES ? film_of_gyroscope() : film_of_scene(scene, by);
    output_open(output);
    write_film(&film, scene);
    output_finish();
    film_free(&film);
    return output_exit(EXIT_RIGHT);
}
