#include "cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"

/* With more, most are empty, and to look into them costs more than to look at particles too far. */
static const double cells_per_particle = 1;

/* Farther apart than this, the product of three lengths does not fit a double. */
static const double largest_space = 1e100;

static double number_along(double length, double edge) { return fmax(1, floor(length / edge)); }

static double numbers_along(const double lower[3], const double upper[3], double edge,
                            double number[3]) {
    double total = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        number[axis] = number_along(upper[axis] - lower[axis], edge);
        total *= number[axis];
    }
    return total;
}

void cells_fit(cells *of, const double lower[3], const double upper[3], double edge, bool periodic,
               size_t count) {
    for (size_t axis = 0; axis < 3; axis++)
        if (!(upper[axis] - lower[axis] < largest_space))
            fail("a particle is no longer anywhere: its position is not finite");
    const double most = 64 + cells_per_particle * (double)count;
    double number[3];
    for (double total; (total = numbers_along(lower, upper, edge, number)) > most;)
        edge *= 1.01 * cbrt(total / most);
    for (size_t axis = 0; axis < 3; axis++) {
        const double length = upper[axis] - lower[axis];
        if (periodic && number[axis] < 3)
            fail("the box is too small for its spheres: give more --particles, or a lower "
                 "--packing");
        of->number[axis] = (size_t)number[axis];
        of->lower[axis] = lower[axis];
        of->inverse[axis] = length > 0 ? number[axis] / length : 0;
    }
    of->periodic = periodic;
    const size_t needed = of->number[0] * of->number[1] * of->number[2] + 1;
    if (needed <= of->room) return;
    of->room = needed;
    of->start = reallocate(of->start, of->room, sizeof *of->start);
}

void cells_free(cells *of) {
    free(of->start);
    of->start = NULL;
    of->room = 0;
}

static size_t index_along(const cells *of, size_t axis, double x) {
    const double index = (x - of->lower[axis]) * of->inverse[axis];
    const size_t last = of->number[axis] - 1;
    if (!(index > 0)) return 0;
    return index < (double)last ? (size_t)index : last;
}

uint32_t cells_at(const cells *of, double x, double y, double z) {
    const size_t row = index_along(of, 2, z) * of->number[1] + index_along(of, 1, y);
    return (uint32_t)(row * of->number[0] + index_along(of, 0, x));
}

void cells_sort(cells *of, const uint32_t *keys, size_t count, uint32_t *order) {
    const size_t number = of->number[0] * of->number[1] * of->number[2];
    memset(of->start, 0, (number + 1) * sizeof *of->start);
    for (size_t i = 0; i < count; i++)
        of->start[keys[i] + 1]++;
    for (size_t cell = 0; cell < number; cell++)
        of->start[cell + 1] += of->start[cell];
    /* Each start moves on to its end, which is the next one's start: then all move up by one. */
    for (size_t i = 0; i < count; i++)
        order[of->start[keys[i]]++] = (uint32_t)i;
    memmove(of->start + 1, of->start, number * sizeof *of->start);
    of->start[0] = 0;
}

/* Goes from an index to the one beside it; false if there is none. */
static bool go(const cells *of, size_t axis, int step, size_t *index, int *periods) {
    const size_t last = of->number[axis] - 1;
    *periods = step < 0 && *index == 0 ? -1 : step > 0 && *index == last ? 1 : 0;
    if (*periods && !of->periodic) return false;
    if (*periods)
        *index = step < 0 ? last : 0;
    else if (step)
        *index = step < 0 ? *index - 1 : *index + 1;
    return true;
}

size_t cells_ahead(const cells *of, size_t cell, cells_neighbour ahead[CELLS_AHEAD_MAX]) {
    static const int steps[CELLS_AHEAD_MAX][3] = {
        {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
        {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};
    size_t count = 0;
    for (size_t i = 0; i < CELLS_AHEAD_MAX; i++) {
        size_t at[3] = {cell % of->number[0], cell / of->number[0] % of->number[1],
                        cell / of->number[0] / of->number[1]};
        cells_neighbour *to = &ahead[count];
        bool there = true;
        for (size_t axis = 0; axis < 3; axis++)
            there = go(of, axis, steps[i][axis], &at[axis], &to->periods[axis]) && there;
        to->cell = (at[2] * of->number[1] + at[1]) * of->number[0] + at[0];
        count += there;
    }
    return count;
}
