/*
 * A CPU that has AVX-512 as far as AVX2 can play it. Linked before the library, this and the
 * emulated kernels take the place of the library's own; all else is the library's.
 */
#include <stdbool.h>

#include "../../dispatch/cpu.h"

unsigned impinge_cpu_features(void) {
    const bool playable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return playable ? CPU_AVX2_FMA | CPU_AVX512_F_DQ_VL_BW | CPU_FMA : 0;
}
