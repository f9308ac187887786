/** The contacts of a step, again and again from the same velocities: piles of boxes, and the pit.
 */
#ifndef BENCH_BOX_STEPS_H
#define BENCH_BOX_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The scene that is solved; every function below that returns one makes a new one. */
typedef struct box_steps box_steps;

/** side^3 boxes that have fallen on the floor and come to rest. */
box_steps *box_steps_pile_f32(size_t side);
box_steps *box_steps_pile_f64(size_t side);

/** So many copies of a scene, none of which touches another. */
box_steps *box_steps_copies_f32(const box_steps *s, size_t copies);
box_steps *box_steps_copies_f64(const box_steps *s, size_t copies);

/**
 * 200 boxes that fall upon each other, cold: eight steps, four for each of the first two seconds
 * (a single one takes more sweeps or fewer, by how it happens to come). Returns whether it went
 * well.
 */
enum { COLLAPSE_STEPS = 8 };
bool box_steps_collapse_f32(box_steps *steps[COLLAPSE_STEPS]);
bool box_steps_collapse_f64(box_steps *steps[COLLAPSE_STEPS]);

/** The largest complete set of touching contacts of data/boxes_pit.csv; null: it cannot be read. */
box_steps *box_steps_pit_f32(const char *folder);
box_steps *box_steps_pit_f64(const char *folder);

size_t box_steps_contacts(const box_steps *s);

/**
 * Rest with so many sweeps, by so many threads that spin (8 at most), which do it so many times;
 * returns whether it went well.
 */
bool box_steps_rest_f32(box_steps *s, size_t sweeps, size_t threads, size_t times);
bool box_steps_rest_f64(box_steps *s, size_t sweeps, size_t threads, size_t times);

/** The largest approach velocity that the last rest has left, m/s. */
double box_steps_approach_f32(const box_steps *s);
double box_steps_approach_f64(const box_steps *s);

#ifdef __cplusplus
}
#endif
#endif
