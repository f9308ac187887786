#include "cpu.h"

#if defined __x86_64__ || defined __i386__

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bits of CPUID, as the manuals name them. */
enum {
    LEAF_1_ECX_FMA = 1 << 12,
    LEAF_1_ECX_OSXSAVE = 1 << 27,
    LEAF_7_EBX_AVX2 = 1 << 5,
    LEAF_7_EBX_AVX512F = 1 << 16,
    LEAF_7_EBX_AVX512DQ = 1 << 17,
    LEAF_7_EBX_AVX512BW = 1 << 30
};
#define LEAF_7_EBX_AVX512VL (1u << 31)

/* Register states that the system saves: XMM and YMM; with the masks and both parts of ZMM. */
enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xe6 };

/* Reads XCR0. The instruction exists only if OSXSAVE is set. */
static unsigned saved_states(void) {
    uint32_t low;
    uint32_t high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool all_of(unsigned word, unsigned bits) { return (word & bits) == bits; }

unsigned impinge_cpu_features(void) {
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !all_of(c, LEAF_1_ECX_OSXSAVE)) return 0;
    const bool fma = all_of(c, LEAF_1_ECX_FMA);
    const unsigned saved = saved_states();
    /* 128-bit FMA needs AVX state, too: its encoding is AVX's. */
    unsigned features = fma && all_of(saved, XCR0_YMM) ? CPU_FMA : 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return features;

    if (fma && all_of(b, LEAF_7_EBX_AVX2) && all_of(saved, XCR0_YMM)) features |= CPU_AVX2_FMA;
    const unsigned avx512 =
        LEAF_7_EBX_AVX512F | LEAF_7_EBX_AVX512DQ | LEAF_7_EBX_AVX512BW | LEAF_7_EBX_AVX512VL;
    /* The kernels of this target are also compiled with AVX2 and FMA. */
    if ((features & CPU_AVX2_FMA) && all_of(b, avx512) && all_of(saved, XCR0_ZMM))
        features |= CPU_AVX512_F_DQ_VL_BW;
    return features;
}

impinge_cpu_maker impinge_cpu_made_by(void) {
    unsigned a;
    unsigned name[3];
    if (!__get_cpuid(0, &a, &name[0], &name[2], &name[1])) return IMPINGE_CPU_OTHER;
    return memcmp(name, "GenuineIntel", sizeof name) == 0 ? IMPINGE_CPU_INTEL : IMPINGE_CPU_OTHER;
}

#elif defined __aarch64__

/* Part of the AArch64 base instruction set. */
unsigned impinge_cpu_features(void) { return CPU_NEON | CPU_FMA; }

impinge_cpu_maker impinge_cpu_made_by(void) { return IMPINGE_CPU_OTHER; }

#else

unsigned impinge_cpu_features(void) { return 0; }

impinge_cpu_maker impinge_cpu_made_by(void) { return IMPINGE_CPU_OTHER; }

#endif
