/** Checks of a step of bodies, compiled for each precision. */
#ifndef BODY_STEP_CHECKS_H
#define BODY_STEP_CHECKS_H

/** Short checks, which run on every target. */
#define BODY_STEP_CHECKS_OF_TARGETS(check)                                                         \
    check(converged) check(focus_is_left) check(focus_converges) check(reference) check(bad_input) \
        check(parts_are_the_step) check(slop_and_factor) check(column) check(heavy_on_light)       \
            check(pyramid) check(incline) check(cards) check(aims) check(split_pairs)              \
                check(unordered_lists) check(cradle) check(rows_in_steps) check(rest_speed) check( \
                    capped) check(sphere_on_three) check(one_impact) check(as_the_sequence)        \
                    check(flat_column) check(tied_pairs) check(two_planes)                         \
                        check(impacts_of_clusters) check(safe_sum) check(works_of_impacts) check(  \
                            speed_models) check(parting) check(turned_normals) check(held_axes)    \
                            check(scales) check(residual_beyond_range) check(frictionless_rest)    \
                                check(nearly_jams) check(works_out_of_range)                       \
                                    check(unlike_restitutions) check(hub) check(bouncing)          \
                                        check(told_gains) check(dropped_ball_on_ball)              \
                                            check(driven_surfaces) check(swamped_aims)             \
                                                check(swamped_alone) check(swamped_by_many) check( \
                                                    swamped_beside_invalid) check(swamped_cold)    \
                                                    check(swamped_stack_on_moving_floor)           \
                                                        check(moment_beyond_range)                 \
                                                            check(guard_without_invalid)           \
                                                                check(three_one_by_one)            \
                                                                    check(one_impact_of_four)      \
                                                                        check(one_tie)
/** ... of impacts that no law resolves, and of impulses beyond the range. */
#define BODY_STEP_CHECKS_OF_LIMITS(check)                                                          \
    check(tie_of_no_bodies) check(tie_of_no_inertia) check(tie_with_endless_friction)              \
        check(pair_without_invalid) check(approach_by_rounding) check(tie_of_any_size)             \
            check(works_are_numbers) check(impact_of_immovable) check(round_without_invalid)       \
                check(given_beyond_range) check(to_and_fro) check(rests_by_impulse)

/** Long checks, and those that choose targets themselves, or need none. */
#define BODY_STEP_CHECKS_ALONE(check)                                                              \
    check(clusters) check(steps_never_gain) check(restart) check(same_bits) check(team)            \
        check(statuses) check(advance) check(cloud) check(hub_has_the_same_bits) check(swamped)    \
            check(swamped_islands) check(nearly_swamped_bits)

#define DECLARE_CHECK(name)                                                                        \
    void body_step_##name##_f32(void);                                                             \
    void body_step_##name##_f64(void);
BODY_STEP_CHECKS_OF_TARGETS(DECLARE_CHECK)
BODY_STEP_CHECKS_OF_LIMITS(DECLARE_CHECK)
BODY_STEP_CHECKS_ALONE(DECLARE_CHECK)
#undef DECLARE_CHECK

#endif
