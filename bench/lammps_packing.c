/*
 * Writes the packing that impinge-bench measures as a LAMMPS data file, and prints the numbers of
 * its pairs that are listed, touch and approach.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "lammps_data.h"
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
static lammps_atoms atoms_of(const packing *p) {
    const double margin = 1;
    lammps_atoms atoms = {.count = p->particles, .radius = p->radius, .mass = p->mass};
    for (size_t k = 0; k < 3; k++) {
        atoms.position[k] = p->position[k];
        atoms.low[k] = INFINITY;
        atoms.high[k] = -INFINITY;
        for (size_t i = 0; i < p->particles; i++) {
            atoms.low[k] = fmin(atoms.low[k], p->position[k][i] - margin);
            atoms.high[k] = fmax(atoms.high[k], p->position[k][i] + margin);
        }
    }
    for (size_t k = 0; k < 6; k++)
        atoms.motion[k] = p->motion[k];
    return atoms;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: lammps-packing FILE\n");
        return 2;
    }
    packing p = packing_new(PACKING_PARTICLES);
    const lammps_atoms atoms = atoms_of(&p);
    if (!lammps_write(argv[1], "A dense random packing of spheres", &atoms)) {
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
