/** The sets that are resolved, by name. */
#ifndef BENCH_SET_ID_H
#define BENCH_SET_ID_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum set_id {
    SET_BOXES,
    SET_SLIDING,
    SET_STICKING,
    SET_DIVERGING,
    SET_SEPARATING,
    SET_BOXES_PIT,
    SET_SPHERES_POUR,
    SET_NEAR_JAM, /**< near jams, next to no restitution: as tests/adversarial_contacts.h has it */
    SET_L1,       /**< boxes; inputs and outputs fit the first-level cache */
    SET_L1_SPHERES, /**< with the diagonal K that the bilinear law requires */
    SET_MEMORY,     /**< boxes; inputs and outputs are far beyond the last-level cache */
    SET_MEMORY_SPHERES,
    SETS
} set_id;

/** Its name in the names of benchmarks. */
const char *set_name(set_id set);

#ifdef __cplusplus
}
#endif
#endif
