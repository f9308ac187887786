/* Arrays of structs, and angular velocities in the world's frame. */
#include <criterion/criterion.h>

#include "stride_checks.h"

#define CHECK_TEST(name)                                                                           \
    Test(strides, name##_f32) { strides_##name##_f32(); }                                          \
    Test(strides, name##_f64) { strides_##name##_f64(); }
STRIDE_CHECKS(CHECK_TEST)
