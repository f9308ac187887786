/** Piles of boxes. */
#ifndef SCENES_BOX_SCENES_H
#define SCENES_BOX_SCENES_H

#include "boxes.h"

/** Cubes of 1 m and 1 kg on each other, each a little into the one below; the top one heavier. */
NAME(box_world) * NAME(box_column)(size_t boxes, double top_mass);

/** Rows of cubes, each row one less than the one below, on its joints. */
NAME(box_world) * NAME(box_pyramid)(size_t rows);

/** A cube on an incline of which the tangent is this times its friction: gravity is tilted. */
NAME(box_world) * NAME(box_incline)(double of_friction);

/** A house of seven cards: two pairs that lean, a roof on them, a pair that leans on the roof. */
NAME(box_world) * NAME(box_cards)(void);

/** side^3 cubes in the air, turned each another way. */
NAME(box_world) * NAME(box_cloud)(size_t side);

/** Boxes of 8 to 18 cm half an edge and 0.16 to 1.9 kg in the air, to fall upon each other. */
NAME(box_world) * NAME(box_collapse)(size_t boxes);

#endif
