#include "motion.h"

#include "support/fail.h"
#include "support/progress.h"

double motion_collisions(const motion *of) {
    return 2 * (double)of->impacts / (double)of->scene.particles;
}

sample motion_sample(const motion *of) {
    const world_sums sums = world_look(of->world);
    return (sample){.step = (double)of->step,
                    .time = of->time,
                    .translation = sums.translation,
                    .rotation = sums.rotation,
                    .potential = sums.potential,
                    .temperature = 2 * sums.translation / (3 * (double)of->scene.particles),
                    .collisions = motion_collisions(of),
                    .momentum = {sums.momentum[0], sums.momentum[1], sums.momentum[2]},
                    .fastest = sums.fastest,
                    .overlap = sums.overlap};
}

/* Adds a sample, and takes the step from it. */
static void look(motion *of) {
    const sample now = motion_sample(of);
    series_add(&of->series, &now);
    of->next_step = scene_step(&of->scene, now.temperature);
}

/* Elastic and smooth, until nothing of the initial state is left. */
static void equilibrate(motion *of, uint64_t most) {
    const collision_rule elastic = {.law = IMPINGE_LAW_FRICTIONLESS, .restitution = 1};
    const double step = scene_step(&of->scene, 1);
    world_collide(of->world, &elastic);
    for (uint64_t steps = 0;; steps++) {
        const double done =
            2 * (double)world_cost(of->world)->impacts / (double)of->scene.particles;
        if (done >= of->scene.equilibration) break;
        if (steps == most)
            fail("the gas has had %.3g of the %g collisions per particle of its equilibration in "
                 "%llu steps; see --equilibrate and --equilibrate-steps",
                 done, of->scene.equilibration, (unsigned long long)most);
        world_step(of->world, step);
        progress_line("equilibrating: %.1f of %.1f collisions per particle", done,
                      of->scene.equilibration);
    }
    world_collide(of->world, &of->scene.collision);
}

motion motion_begin(const scene *of, uint64_t equilibration_steps, size_t threads) {
    motion begun = {.scene = *of, .world = scene_begin(of, threads)};
    if (of->kind == SCENE_GAS) equilibrate(&begun, equilibration_steps);
    look(&begun);
    return begun;
}

void motion_end(motion *of) {
    world_free(of->world);
    series_free(&of->series);
}

void motion_step(motion *of) {
    const uint64_t before = world_cost(of->world)->impacts;
    world_step(of->world, of->next_step);
    of->impacts += world_cost(of->world)->impacts - before;
    of->step++;
    of->time += of->next_step;
    if (of->step % of->scene.sample_every == 0) look(of);
}
