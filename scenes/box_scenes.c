#include "box_scenes.h"

#include <math.h>

#include "drawn.h"

typedef NAME(box_world) world;

static const double cube[3] = {0.5, 0.5, 0.5};

/* The depth of a cube in the one below. */
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

/* Cards of 1 m by 1 m, 4 cm thick; those that lean do so by 20 degrees. */
#define CARD_HALF  0.5
#define CARD_THICK 0.02
#define CARD_LEANS 0.3490658503988659

/* Two cards that lean against each other at x, with their feet at a height; returns that on top. */
static double lean(world *w, double x, double height) {
    const double half[3] = {CARD_THICK, CARD_HALF, CARD_HALF};
    const double sine = sin(CARD_LEANS);
    const double cosine = cos(CARD_LEANS);
    const double aside = CARD_THICK * cosine + CARD_HALF * sine - SUNK / 2;
    const double up = CARD_HALF * cosine + CARD_THICK * sine;
    for (int side = -1; side <= 1; side += 2) {
        const double at[3] = {x + side * aside, 0, height + up - SUNK};
        const double q[4] = {cos(CARD_LEANS / 2), 0, -side * sin(CARD_LEANS / 2), 0};
        NAME(box_add)(w, half, 0.1, at, q);
    }
    return height + 2 * up - SUNK;
}

world *NAME(box_cards)(void) {
    world *const w = cubes(7);
    const double roof[3] = {0.95, CARD_HALF, CARD_THICK};
    w->friction = 0.5;
    w->how.positions.slop = 0.002;
    lean(w, -0.45, 0);
    const double top = lean(w, 0.45, 0);
    const double at[3] = {0, 0, top + CARD_THICK - SUNK};
    NAME(box_add)(w, roof, 0.2, at, NULL);
    lean(w, 0, at[2] + CARD_THICK);
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

world *NAME(box_collapse)(size_t boxes) {
    world *const w = cubes(boxes);
    uint64_t state = 7;
    w->how.positions.slop = 0.001;
    w->restitution = 0.5;
    for (size_t i = 0; i < boxes; i++) {
        const double r = 0.08 + 0.1 * drawn(&state);
        const double half[3] = {r, r * (0.6 + 0.4 * drawn(&state)),
                                r * (0.6 + 0.4 * drawn(&state))};
        const double at[3] = {((double)(i % 5) - 2) * 0.5, ((double)(i / 5 % 5) - 2) * 0.5,
                              0.5 + 0.5 * (double)(i / 25)};
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = drawn(&state) - 0.5;
        NAME(box_add)(w, half, 40 * r * r * r * 8, at, q);
    }
    return w;
}
