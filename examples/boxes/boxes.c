/*
 * Boxes that fall on the floor, one on the other, and come to rest: the contacts' step of
 * <impinge/body_step.h>, with the detection and the loop of scenes/boxes.c around it. Prints them
 * at four moments as comma-separated values, and how much they still move on standard error.
 *
 *     example-boxes > boxes.csv
 *     python3 -m impinge.plots boxes boxes.csv -o boxes.svg
 */
#include <stdio.h>
#include <string.h>

#include "../../scenes/box_scenes.h"

typedef NAME(box_world) world;

/* A row for each box, with its eight corners: corner k has the bits of k as signs along the edges.
 */
static void print_boxes(const world *w, double time) {
    for (size_t i = 0; i < w->boxes; i++) {
        printf("%.17g,%.17g,%zu", time, NAME(box_kinetic_energy)(w), i);
        for (unsigned k = 0; k < 8; k++) {
            double corner[3];
            NAME(box_corner)(w, i, k, corner);
            printf(",%.9g,%.9g,%.9g", corner[0], corner[1], corner[2]);
        }
        putchar('\n');
    }
}

static void print_names(void) {
    printf("time,kinetic_energy,box");
    for (int k = 0; k < 8; k++)
        printf(",x%d,y%d,z%d", k, k, k);
    putchar('\n');
}

/* ---- The simulation ---- */

/* Whether all that was printed could be written. If not, says so, as for a full disk. */
static bool is_written(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    perror("standard output");
    return false;
}

/* There are no options: says so, and returns the exit code. */
static int print_usage(const char *argument) {
    const bool asked = strcmp(argument, "--help") == 0;
    fputs("usage: example-boxes > boxes.csv\n", asked ? stdout : stderr);
    return asked ? !is_written() : 2;
}

int main(int argc, char **argv) {
    if (argc > 1) return print_usage(argv[1]);
    enum { MOMENTS = 4 };
    const double h = 1.0 / 240;
    const double moments[MOMENTS] = {0, 0.8, 1.6, 8};
    world *const w = NAME(box_cloud)(4);
    w->how.rest.sweeps_max = 5;
    w->how.impacts.rest_speed = 4 * 9.81 * h;
    print_names();
    size_t steps = 0;
    for (int i = 0; i < MOMENTS; i++) {
        for (; (double)steps * h < moments[i] - h / 2; steps++) {
            const impinge_status status = NAME(box_step)(w, h);
            if (status != IMPINGE_OK)
                return fprintf(stderr, "%s\n", impinge_status_text(status)), 1;
        }
        print_boxes(w, moments[i]);
        if (!is_written()) return 1;
        fprintf(stderr, "%.1f s: %.3g J of motion, %zu contacts, overlap %.4f m\n", moments[i],
                NAME(box_kinetic_energy)(w), w->contacts, NAME(box_overlap)(w));
    }
    NAME(box_world_free)(w);
    return 0;
}
