/*
 * One target's peak for one element type. The build defines PEAK_TARGET, its name in words
 * PEAK_NAME, PEAK_BYTES of a register, PEAK_BITS of an element. Vectors are the compiler's own, and
 * a pragma lets it contract a * b + c here, so that no target needs a line of its own.
 */
#include "peak.h"

#if PEAK_BITS == 32
typedef float real;
#define PRECISION "f32"
#else
typedef double real;
#define PRECISION "f64"
#endif

#if PEAK_BYTES * 8 == PEAK_BITS
typedef real vector;
#else
typedef real vector __attribute__((vector_size(PEAK_BYTES)));
#endif

/*
 * Latency times throughput is 8 to 10 on x86-64 and 16 on AArch64, and as many accumulators and two
 * factors have to fit 16 and 32 registers.
 */
#define FOUR(EACH, a, b, c, d) EACH(a) EACH(b) EACH(c) EACH(d)
#define TWELVE(EACH)                                                                               \
    FOUR(EACH, 0, 1, 2, 3)                                                                         \
    FOUR(EACH, 4, 5, 6, 7)                                                                         \
    FOUR(EACH, 8, 9, 10, 11)
#ifdef __aarch64__
#define CHAINS(EACH)                                                                               \
    TWELVE(EACH)                                                                                   \
    FOUR(EACH, 12, 13, 14, 15)                                                                     \
    FOUR(EACH, 16, 17, 18, 19)                                                                     \
    FOUR(EACH, 20, 21, 22, 23)
enum { CHAIN_COUNT = 24 };
#else
#define CHAINS(EACH) TWELVE(EACH)
enum { CHAIN_COUNT = 12 };
#endif

/* Volatile, so that the compiler can neither fold the factors nor drop the unused sum. */
static volatile real factor_given = (real)0.75, term_given = (real)0.25;
static volatile real sum_taken;

static real first_of(vector v) {
#if PEAK_BYTES * 8 == PEAK_BITS
    return v;
#else
    return v[0];
#endif
}

static void run(size_t rounds) {
    const vector zero = {0};
    const vector factor = zero + factor_given;
    const vector term = zero + term_given;
#define BEGIN(i) vector a##i = zero + (real)(i);
#define STEP(i)  a##i = a##i * factor + term;
#define ADD(i)   sum += a##i;
    CHAINS(BEGIN)
    for (size_t round = 0; round < rounds; round++) {
        CHAINS(STEP)
    }
    vector sum = zero;
    CHAINS(ADD)
    sum_taken = first_of(sum);
}

#define PASTE(target, bits)       peak_##target##_f##bits
#define KERNEL_NAME(target, bits) PASTE(target, bits)

extern const peak_kernel KERNEL_NAME(PEAK_TARGET, PEAK_BITS);
const peak_kernel KERNEL_NAME(PEAK_TARGET, PEAK_BITS) = {
    .target = PEAK_NAME,
    .precision = PRECISION,
    .run = run,
    .flops = (size_t)2 * CHAIN_COUNT * (PEAK_BYTES / sizeof(real)),
};
