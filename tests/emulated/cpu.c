/*
 * Reports a CPU with AVX-512, which AVX2 emulates. Linked before the library, this and the emulated
 * kernels replace the library's own; everything else is the library's.
 */
#include <stdbool.h>

#include "../../dispatch/cpu.h"

unsigned impinge_cpu_features(void) {
    const bool playable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return playable ? CPU_AVX2_FMA | CPU_AVX512_F_DQ_VL_BW | CPU_FMA : 0;
}

impinge_cpu_maker impinge_cpu_made_by(void) { return IMPINGE_CPU_OTHER; }
