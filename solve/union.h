/* Union and find: each body points towards the one that represents its set. */
#ifndef IMPINGE_SOLVE_UNION_H
#define IMPINGE_SOLVE_UNION_H

#include <stdint.h>

/* The body that represents the set; halves the path to it on the way. */
static inline uint32_t find_root(uint32_t *parent, uint32_t body) {
    while (parent[body] != body) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

/* The lower index represents both, so that the result does not depend on the order. */
static inline void unite(uint32_t *parent, uint32_t a, uint32_t b) {
    const uint32_t of_a = find_root(parent, a);
    const uint32_t of_b = find_root(parent, b);
    if (of_a < of_b)
        parent[of_b] = of_a;
    else
        parent[of_a] = of_b;
}

#endif
