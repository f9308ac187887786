/* Features of the CPU and the operating system, as bits. */
#ifndef IMPINGE_DISPATCH_CPU_H
#define IMPINGE_DISPATCH_CPU_H

enum cpu_feature {
    CPU_AVX2_FMA = 1 << 0,          /* AVX2 and FMA, and the system saves 256-bit registers */
    CPU_AVX512_F_DQ_VL_BW = 1 << 1, /* those subsets, and the system saves 512-bit registers */
    CPU_NEON = 1 << 2,
    CPU_FMA = 1 << 3 /* multiply-add of scalars */
};

/* A mask of cpu_feature. Thread safe. */
unsigned impinge_cpu_features(void);

/* CPUs on which calls on few contacts differ in their fastest target (choice.c). */
typedef enum impinge_cpu_maker { IMPINGE_CPU_INTEL, IMPINGE_CPU_OTHER } impinge_cpu_maker;

/* Thread safe. */
impinge_cpu_maker impinge_cpu_made_by(void);

#endif
