/** The output of scene: the states of bodies at equal intervals. */
#ifndef SCENE_FILM_H
#define SCENE_FILM_H

#include <stdbool.h>
#include <stddef.h>

#include "../penalty/penalty_model.h"

typedef struct scene_film {
    penalty_system *states;
    size_t count;
    double interval; /**< between states, s */
    size_t contact;  /**< the state in which two bodies touch, or the rim the ground */
} scene_film;

/** How two bodies collide. */
typedef struct scene_collision {
    double fraction;  /**< of lambda: 1 elastic, 1/2 plastic; resolved by impinge */
    double stiffness; /**< if above 0: by the penalty model instead, N/m */
} scene_collision;

/** A scene of penalty_scenes.h, before, at and after the contact. */
scene_film film_of_scene(size_t scene, scene_collision by);

/** The gyroscope: a disc on an axle that spins, precesses and at last tips over. */
scene_film film_of_gyroscope(void);

void film_free(scene_film *film);

#endif
