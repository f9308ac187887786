/* A search for neighbours under way, in the caller's workspace. */
#ifndef IMPINGE_KERNELS_CELLS_H
#define IMPINGE_KERNELS_CELLS_H

#include <stdbool.h>

#include <impinge/neighbours.h>

#include "columns.h"

/* Cells along each direction; cell (x, y, z) is number (z n_y + y) n_x + x. */
typedef struct NAME(impinge_cells) {
    const NAME(impinge_particles) * particles;
    const NAME(impinge_planes) * planes;
    real_t skin, largest; /* largest: the radius of the largest particle */
    bool full, periodic[3];
    size_t n[3];
    real_t origin[3];     /* if not periodic */
    double per_length[3]; /* cells per metre */
    uint32_t *starts;     /* of each cell, among those in the order of cells */
    uint32_t *cell;       /* of each particle; NO_CELL: in no cell */
    /* Particles in the order of cells, with room for a vector to read beyond the last. */
    uint32_t *order;
    real_t *x[3], *radius, *rank; /* rank: the number of the particle */
} NAME(impinge_cells);

#define NO_CELL UINT32_MAX

/* A target's part in the search. */
typedef struct NAME(impinge_neighbour_kernels) {
    /*
     * The rows of particles first to end - 1: their neighbours from `index` on, as many as there is
     * room for, and in starts[i + 1] the count of row i. Returns how many there are.
     */
    size_t (*search)(const NAME(impinge_cells) * cells, size_t first, size_t end, uint32_t *starts,
                     uint32_t *index, size_t room);
    /* The contacts of rows first to end - 1, from `to` on. Returns how many there are. */
    size_t (*touching)(const NAME(impinge_cells) * of, const impinge_neighbours *list,
                       real_t margin, size_t first, size_t end, impinge_found_contacts *to,
                       size_t at, size_t room);
} NAME(impinge_neighbour_kernels);

#endif
