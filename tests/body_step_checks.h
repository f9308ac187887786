/** Checks of a step of bodies, compiled for each precision. */
#ifndef BODY_STEP_CHECKS_H
#define BODY_STEP_CHECKS(check)                                                                    \
    check(converged) check(reference) check(clusters) check(restart) check(bad_input)              \
        check(same_bits) check(team) check(statuses) check(advance) check(column)                  \
            check(heavy_on_light) check(pyramid) check(incline) check(cards) check(cloud)          \
                check(aims) check(split_pairs) check(unordered_lists) check(cradle) check(capped)  \
                    check(sphere_on_three) check(one_impact) check(flat_column) check(tied_pairs)  \
                        check(two_planes) check(impacts_of_clusters) check(safe_sum)               \
                            check(speed_models) check(parting) check(turned_normals)

#define DECLARE_CHECK(name)                                                                        \
    void body_step_##name##_f32(void);                                                             \
    void body_step_##name##_f64(void);
BODY_STEP_CHECKS(DECLARE_CHECK)
#undef DECLARE_CHECK

#endif
