/* A contact for the kernels' functions, from the matrix of a query. */
#ifndef IMPINGE_QUERY_MATRIX_H
#define IMPINGE_QUERY_MATRIX_H

#include <impinge/rays.h>

#include "../kernels/contact.h"

/* The contact that has this K; its other members are zero. */
static inline contact_t contact_of_matrix(const impinge_collision_matrix *k) {
    return (contact_t){.k11 = lane_set(k->k11),
                       .k12 = lane_set(k->k12),
                       .k13 = lane_set(k->k13),
                       .k22 = lane_set(k->k22),
                       .k23 = lane_set(k->k23),
                       .k33 = lane_set(k->k33)};
}

#endif
