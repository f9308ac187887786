#include "box_scenes.h"

#include <math.h>

typedef NAME(box_world) world;

static const double cube[3] = {0.5, 0.5, 0.5};

/* How far a cube stands in the one below. */
#define SUNK 0.001

static world *cubes(size_t room) {
    world *const w = NAME(box_world_new)(room);
    w->friction = 0.4;
    w->restitution = 0.6;
    w->how.positions.slop = 0.005; /* 1 % of half an edge */
    return w;
}

world *NAME(box_column)(size_t boxes, double top_mass) {
    world *const w = cubes(boxes);
    for (size_t i = 0; i < boxes; i++) {
        const double at[3] = {0, 0, 0.5 + (1 - SUNK) * (double)i};
        NAME(box_add)(w, cube, i + 1 == boxes ? top_mass : 1, at, NULL);
    }
    return w;
}

world *NAME(box_pyramid)(size_t rows) {
    world *const w = cubes(rows * (rows + 1) / 2);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < rows - row; i++) {
            const double at[3] = {1.05 * (double)i + 0.525 * (double)row, 0,
                                  0.5 + (1 - SUNK) * (double)row};
            NAME(box_add)(w, cube, 1, at, NULL);
        }
    }
    return w;
}

world *NAME(box_incline)(double of_friction) {
    world *const w = cubes(1);
    const double at[3] = {0, 0, 0.5 - SUNK};
    const double angle = atan(of_friction * w->friction);
    w->gravity[0] = 9.81 * sin(angle);
    w->gravity[2] = -9.81 * cos(angle);
    NAME(box_add)(w, cube, 1, at, NULL);
    return w;
}

world *NAME(box_arch)(size_t stones) {
    /* Between radii 4.5 and 5.5 m; the bricks overlap at the inner edges, but for the sinking. */
    const double radius = 5;
    const double angle = acos(-1.0) / (double)stones;
    const double half[3] = {(radius - 0.5) * tan(angle / 2) + SUNK, 0.5, 0.5};
    world *const w = cubes(stones);
    w->friction = 0.8;
    for (size_t i = 0; i < stones; i++) {
        const double at = angle * ((double)i + 0.5);
        const double place[3] = {radius * cos(at), 0, radius * sin(at)};
        /* The brick's x axis along the arch: turned by 90 degrees less its angle, about -y. */
        const double turn = acos(-1.0) / 2 - at;
        const double q[4] = {cos(turn / 2), 0, sin(turn / 2), 0};
        NAME(box_add)(w, half, 1, place, q);
    }
    return w;
}

world *NAME(box_cloud)(size_t side) {
    world *const w = cubes(side * side * side);
    for (size_t i = 0; i < side * side * side; i++) {
        const double at[3] = {1.3 * (double)(i % side) + 0.05 * (double)(7 * i % 5),
                              1.3 * (double)(i / side % side) + 0.05 * (double)(11 * i % 7),
                              1 + 1.4 * (double)(i / side / side)};
        const double q[4] = {1, 0.1 * ((double)(3 * i % 5) - 2), 0.1 * ((double)(5 * i % 7) - 3),
                             0.1 * ((double)(13 * i % 5) - 2)};
        NAME(box_add)(w, cube, 1, at, q);
    }
    return w;
}
