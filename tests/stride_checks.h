/** Checks of arrays whose elements stand apart, compiled for each precision. */
#ifndef STRIDE_CHECKS_H
#define STRIDE_CHECKS_H

#define STRIDE_CHECKS(check)                                                                       \
    check(laws) check(region) check(planar) check(indexed) check(together) check(sequence)         \
        check(world_frame) check(particles) check(at_once) check(neighbours) check(particle_step)  \
            check(match) check(one_kind_apart) check(selection_at_once) check(few_at_once)         \
                check(one_kind_of_pairs) check(pieces) check(too_large) check(particles_too_large)

/** The call refuses a stride of which no array can exist; then the stride is 0 again. */
#define REFUSED(stride, call)                                                                      \
    do {                                                                                           \
        (stride) = SIZE_MAX / 2;                                                                   \
        cr_expect_eq(call, IMPINGE_ERROR_COUNT, "%s", #stride);                                    \
        (stride) = 0;                                                                              \
    } while (0)

#define DECLARE_CHECK(name)                                                                        \
    void strides_##name##_f32(void);                                                               \
    void strides_##name##_f64(void);
STRIDE_CHECKS(DECLARE_CHECK)
#undef DECLARE_CHECK

#endif
