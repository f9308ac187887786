#include "scalar_fma.h"

#ifdef __x86_64__
bool scalar_fma_runs(void) { return __builtin_cpu_supports("fma"); }
#elif defined __FP_FAST_FMA
bool scalar_fma_runs(void) { return true; } /* part of the base */
#else
bool scalar_fma_runs(void) { return false; }
#endif
