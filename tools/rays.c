/* impinge rays */
#include "commands.h"

#include <stdio.h>

#include <impinge/impinge.h>

#include "support/arguments.h"
#include "support/fail.h"
#include "support/number.h"
#include "trace_path.h"

static const char help[] =
    "Usage: impinge rays K11 K12 K13 K22 K23 K33 MU\n"
    "\n"
    "Prints the rays of constant sliding of a collision matrix (axes t1, t2, n; 1/kg) and a\n"
    "coefficient of friction: the angle of the slip from t1 towards t2, what the slip does there,\n"
    "and how fast the slip and the normal velocity grow per unit of normal impulse; and whether\n"
    "sticking is stable. If not, slip leaves zero along the one diverging ray, which is marked.\n"
    "\n"
    "Example: impinge rays 20 0 1 4 6 10 0.7\n";

static const double degrees_per_radian = 57.295779513082320877;

static void require(impinge_status status) {
    if (status == IMPINGE_ERROR_ARGUMENT)
        fail("the matrix must be positive definite, and MU finite and 0 or more");
    if (status < 0) fail("%s", impinge_status_text(status));
}

static void print_rays(const impinge_collision_matrix *matrix, double friction, bool stable) {
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count;
    require(impinge_find_rays(matrix, friction, rays, &count));
    if (count == IMPINGE_RAYS_EVERY_DIRECTION) {
        puts("Every direction is a ray of constant sliding.");
        return;
    }
    printf("%13s  %-10s  %14s  %14s\n", "angle_degrees", "kind", "slip_rate", "normal_rate");
    for (size_t i = 0; i < count; i++) {
        const char *mark =
            !stable && rays[i].kind == IMPINGE_RAY_DIVERGING ? "  <- slip leaves zero here" : "";
        printf("%13.6f  %-10s  %14.8g  %14.8g%s\n", rays[i].angle * degrees_per_radian,
               ray_kind_name(rays[i].kind), rays[i].rate, rays[i].normal_rate, mark);
    }
}

static void print_sticking(bool stable) {
    puts(stable ? "Sticking is stable." : "Sticking is unstable.");
}

int command_rays(char *const *arguments) {
    static const char *const names[] = {"K11", "K12", "K13", "K22", "K23", "K33", "MU"};
    enum { NUMBERS = sizeof names / sizeof *names };
    bool wants_help = false;
    const argument_option options[] = {{"--help", "-h", NULL, &wants_help}};
    const char *rest[NUMBERS];
    size_t count = arguments_read("impinge rays", arguments, options, 1, rest, NUMBERS);
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_RIGHT;
    }
    if (count < NUMBERS) fail("%s is missing; see impinge rays --help", names[count]);
    double values[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i++)
        values[i] = number_required(names[i], rest[i], PRECISION_F64);
    const impinge_collision_matrix matrix = matrix_of_numbers(values);
    bool stable;
    require(impinge_sticking_is_stable(&matrix, values[6], &stable));
    print_rays(&matrix, values[6], stable);
    print_sticking(stable);
    return EXIT_RIGHT;
}
