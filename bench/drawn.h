/** Sets of random contacts of boxes, or of spheres, in contact space, the same in every run. */
#ifndef BENCH_DRAWN_H
#define BENCH_DRAWN_H

#include "rows.h"

/** The outcome that all contacts of a set have. */
typedef enum drawn_kind {
    DRAWN_ANY,        /**< anything */
    DRAWN_SLIDING,    /**< slid, and neither stuck nor left along the diverging ray */
    DRAWN_STICKING,   /**< stuck in the end */
    DRAWN_DIVERGING,  /**< left along the diverging ray */
    DRAWN_SEPARATING, /**< did not approach */
    DRAWN_SPHERES     /**< anything, for spheres: their K is diagonal */
} drawn_kind;

/**
 * Draws contacts of boxes: a corner, edge or face against another box or a plane, e in (0, 1], mu
 * in (0, 1.2], each tangential velocity in (-2, 2] and the normal one in (-2, 0], for
 * DRAWN_SEPARATING in (-2, 2]; for DRAWN_DIVERGING half of them without slip, and half with a slip
 * along a ray on which it vanishes. It keeps the contacts whose outcome, by Stronge's rule with the
 * default tolerance, is that of the kind in both precisions. Every number is one of f32, so both
 * precisions solve the same contacts. Other coefficients: e_t is in (-1, 1], sigma in (0, 1], and
 * Brach's ratios point against the slip, at most as far as friction does. Exits with a message if
 * it finds no such contacts.
 */
contact_rows draw_contacts(drawn_kind kind, size_t count);

#endif
