/*
 * Writes the packing that impinge-bench measures as a LAMMPS data file (atom_style sphere), and
 * prints the numbers of its pairs that are listed, touch and approach.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "packing.h"

typedef struct pair_counts {
    size_t touching, approaching;
} pair_counts;

static pair_counts count_pairs(const packing *p) {
    pair_counts counts = {0};
    for (size_t c = 0; c < p->contacts; c++) {
        const size_t a = p->a[c], b = p->b[c];
        const double reach = p->radius[a] + p->radius[b];
        double square = 0, separation = 0;
        for (size_t k = 0; k < 3; k++) {
            const double d = p->position[k][a] - p->position[k][b];
            square += d * d;
            separation += d * (p->motion[k][a] - p->motion[k][b]);
        }
        if (square >= reach * reach) continue;
        counts.touching++;
        if (separation < 0) counts.approaching++;
    }
    return counts;
}

/* LAMMPS loses atoms outside its box. */
static void write_side(FILE *file, const packing *p, size_t axis) {
    const double margin = 1;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < p->particles; i++) {
        low = fmin(low, p->position[axis][i]);
        high = fmax(high, p->position[axis][i]);
    }
    const char name = "xyz"[axis];
    fprintf(file, "%.17g %.17g %clo %chi\n", low - margin, high + margin, name, name);
}

/* 17 digits are every bit of a double. */
static bool write_packing(FILE *file, const packing *p) {
    const double pi = 3.14159265358979323846;
    fprintf(file, "A dense random packing of spheres\n\n%zu atoms\n1 atom types\n", p->particles);
    for (size_t k = 0; k < 3; k++)
        write_side(file, p, k);
    fprintf(file, "\nAtoms # sphere\n\n");
    for (size_t i = 0; i < p->particles; i++) {
        const double r = p->radius[i];
        fprintf(file, "%zu 1 %.17g %.17g", i + 1, 2 * r, p->mass[i] / (4 * pi / 3 * r * r * r));
        for (size_t k = 0; k < 3; k++)
            fprintf(file, " %.17g", p->position[k][i]);
        fprintf(file, "\n");
    }
    fprintf(file, "\nVelocities\n\n");
    for (size_t i = 0; i < p->particles; i++) {
        fprintf(file, "%zu", i + 1);
        for (size_t k = 0; k < 6; k++)
            fprintf(file, " %.17g", p->motion[k][i]);
        fprintf(file, "\n");
    }
    return !ferror(file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: lammps-packing FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "w");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    packing p = packing_new(PACKING_PARTICLES);
    const bool written = write_packing(file, &p);
    if (fclose(file) != 0 || !written) {
        perror(argv[1]);
        packing_free(&p);
        return 1;
    }
    const pair_counts counts = count_pairs(&p);
    printf("listed %zu\ntouching %zu\napproaching %zu\n", p.contacts, counts.touching,
           counts.approaching);
    packing_free(&p);
    return 0;
}
