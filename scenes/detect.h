/** The points at which two boxes, or a box and the floor, touch. */
#ifndef SCENES_DETECT_H
#define SCENES_DETECT_H

#include <stddef.h>

/** A box: its centre, half its edges, and its axes as the columns of a rotation. */
typedef struct box {
    double centre[3], half[3], axis[3][3]; /* axis[k] is the unit vector along edge k */
} box;

/** A touching point: midway between the surfaces, and their distance, below 0 where they overlap.
 */
typedef struct touch {
    double point[3], gap;
} touch;

/** The most of two boxes: an octagon. */
#define TOUCHES_MAX 8

/**
 * Two boxes whose surfaces are within `margin` of each other: returns how many points, and the unit
 * normal from B to A.
 */
size_t touch_boxes(const box *a, const box *b, double margin, double normal[3],
                   touch touches[TOUCHES_MAX]);

/** The corners of a box below z = margin. */
size_t touch_floor(const box *a, double margin, touch touches[TOUCHES_MAX]);

#endif
