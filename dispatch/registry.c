#include "registry.h"

#include "cpu.h"

#ifdef IMPINGE_HAVE_AVX512
#define AVX512_KERNELS                                                                             \
    .kernels_f32 = &impinge_kernels_avx512_f32, .kernels_f64 = &impinge_kernels_avx512_f64
#else
#define AVX512_KERNELS .kernels_f32 = 0, .kernels_f64 = 0
#endif
#ifdef IMPINGE_HAVE_AVX2
#define AVX2_KERNELS                                                                               \
    .kernels_f32 = &impinge_kernels_avx2_f32, .kernels_f64 = &impinge_kernels_avx2_f64
#else
#define AVX2_KERNELS .kernels_f32 = 0, .kernels_f64 = 0
#endif
#ifdef IMPINGE_HAVE_NEON
#define NEON_KERNELS                                                                               \
    .kernels_f32 = &impinge_kernels_neon_f32, .kernels_f64 = &impinge_kernels_neon_f64
#else
#define NEON_KERNELS .kernels_f32 = 0, .kernels_f64 = 0
#endif

const impinge_target_entry impinge_target_entries[IMPINGE_TARGET_COUNT] = {
    {.name = "avx512",
     .description = "x86-64 with AVX-512 F, DQ, VL and BW, AVX2 and FMA",
     .features = CPU_AVX2_FMA | CPU_AVX512_F_DQ_VL_BW,
     AVX512_KERNELS},
    {.name = "avx2",
     .description = "x86-64 with AVX2 and FMA",
     .features = CPU_AVX2_FMA,
     AVX2_KERNELS},
    {.name = "neon", .description = "AArch64", .features = CPU_NEON, NEON_KERNELS},
    {.name = "scalar",
     .description = "portable C, any CPU",
     .features = 0,
     .kernels_f32 = &impinge_kernels_scalar_f32,
     .kernels_f64 = &impinge_kernels_scalar_f64},
};

bool impinge_target_runs(const impinge_target_entry *target) {
    return target->kernels_f32 && (impinge_cpu_features() & target->features) == target->features;
}

bool impinge_target_has_pow(const impinge_target_entry *target) {
#ifdef IMPINGE_HAVE_SLEEF
    return target->features != 0 || (impinge_cpu_features() & CPU_FMA) != 0;
#else
    (void)target;
    return false;
#endif
}
