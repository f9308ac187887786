/* One target's search for neighbours. */
#define REGISTERS_PER_LANES 1
#include "neighbours.h"

#include "names.h"

const NAME(impinge_neighbour_kernels) KERNEL_NEIGHBOURS = {
    .search = search_rows,
    .touching = touching_rows,
};
