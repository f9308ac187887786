/** A grid of cells over space, and particles sorted by the cell that they are in. */
#ifndef SIMULATE_CELLS_H
#define SIMULATE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Cells are numbered x first, then y, then z. */
typedef struct cells {
    double lower[3], inverse[3]; /* where the first cell begins; one over a cell's edges */
    size_t number[3];
    bool periodic;
    uint32_t *start; /* of every cell, and of the one after the last: the first of its particles */
    size_t room;     /* of start */
} cells;

/**
 * Covers the space from `lower` to `upper` with cells whose edges are `edge` at least. Fails if
 * that space is not finite, or in periodic space less than three cells wide: a pair would be found
 * twice.
 *
 * @param count of particles; there are not many more cells than that
 */
void cells_fit(cells *of, const double lower[3], const double upper[3], double edge, bool periodic,
               size_t count);
void cells_free(cells *of);

/** The cell of a point; the nearest one for what is outside. */
uint32_t cells_at(const cells *of, double x, double y, double z);

/**
 * Counts the particles of every cell into `start`, and says in which order they are sorted: stable,
 * so that there is one answer.
 *
 * @param keys the cell of every particle
 * @param order the particle that comes first, second, ...
 */
void cells_sort(cells *of, const uint32_t *keys, size_t count, uint32_t *order);

/** A cell beside another one, and by how many periods it has to be moved to be there. */
typedef struct cells_neighbour {
    size_t cell;
    int periods[3];
} cells_neighbour;

/** The cells after `cell` that touch it: half of its neighbours, so that each pair is seen once. */
enum { CELLS_AHEAD_MAX = 13 };
size_t cells_ahead(const cells *of, size_t cell, cells_neighbour ahead[CELLS_AHEAD_MAX]);

#endif
