/*
 * The vocabulary of lanes as data: every operation by number, so that one test can walk them all
 * on every target.
 */
#ifndef IMPINGE_TESTS_LANE_OPS_H
#define IMPINGE_TESTS_LANE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * KIND(name, how many of a, b, c it takes, how it is applied): the kinds differ in what results.
 * m and n are the masks of v's bits 0 and 1.
 */
/* Powers come from SLEEF, and only builds with it have them. */
/* clang-format off */
#ifdef IMPINGE_HAVE_SLEEF
#define LANE_OPS_POWER(NUMBERS) NUMBERS(pow, 2, lane_pow(a, b))
#else
#define LANE_OPS_POWER(NUMBERS)
#endif
#define LANE_OPS(NUMBERS, WORDS, MASK)                                                             \
    NUMBERS(set, 1, lane_set(number_of(in->everywhere)))                                           \
    NUMBERS(load, 1, a)                                                                            \
    NUMBERS(add, 2, lane_add(a, b))                                                                \
    NUMBERS(sub, 2, lane_sub(a, b))                                                                \
    NUMBERS(mul, 2, lane_mul(a, b))                                                                \
    NUMBERS(div, 2, lane_div(a, b))                                                                \
    NUMBERS(min, 2, lane_min(a, b))                                                                \
    NUMBERS(max, 2, lane_max(a, b))                                                                \
    NUMBERS(copysign, 2, lane_copysign(a, b))                                                      \
    LANE_OPS_POWER(NUMBERS)                                                                        \
    NUMBERS(sqrt, 1, lane_sqrt(a))                                                                 \
    NUMBERS(abs, 1, lane_abs(a))                                                                   \
    NUMBERS(neg, 1, lane_neg(a))                                                                   \
    NUMBERS(power_of_two, 1, lane_power_of_two(a))                                                 \
    NUMBERS(inverse_power, 1, lane_inverse_power(a))                                               \
    NUMBERS(log2_coarse, 1, lane_log2_coarse(a))                                                   \
    NUMBERS(exp2_coarse, 1, lane_exp2_coarse(a))                                                   \
    NUMBERS(fma, 3, lane_fma(a, b, c))                                                             \
    NUMBERS(fnma, 3, lane_fnma(a, b, c))                                                           \
    NUMBERS(fms, 3, lane_fms(a, b, c))                                                             \
    NUMBERS(mul_add2, 3, lane_mul_add2(a, b, c, a))                                                \
    NUMBERS(difference_of_products, 3, lane_difference_of_products(a, b, c, a))                    \
    MASK(lt, 2, lane_lt(a, b))                                                                     \
    MASK(le, 2, lane_le(a, b))                                                                     \
    MASK(eq, 2, lane_eq(a, b))                                                                     \
    MASK(finite, 1, lane_finite(a))                                                                \
    NUMBERS(select, 2, lane_select(m, a, b))                                                       \
    MASK(mask_and, 0, mask_and(m, n))                                                              \
    MASK(mask_or, 0, mask_or(m, n))                                                                \
    MASK(mask_andnot, 0, mask_andnot(m, n))                                                        \
    MASK(mask_not, 0, mask_not(m))                                                                 \
    MASK(mask_select, 0, mask_select(m, n, word_has(v, 4)))                                        \
    MASK(mask_all, 0, mask_all())                                                                  \
    MASK(mask_none, 0, mask_none())                                                                \
    WORDS(word_load, 0, v)                                                                         \
    WORDS(word_or, 0, word_or(v, w))                                                               \
    WORDS(word_where, 0, word_where(m, in->flags))                                                 \
    WORDS(word_select, 0, word_select(m, v, w))                                                    \
    WORDS(word_add, 0, word_add(v, in->flags))                                                     \
    WORDS(word_and, 0, word_and(v, in->flags))                                                     \
    NUMBERS(from_word, 0, lane_from_word(word_and(v, 0x7fffff)))                                   \
    WORDS(word_from_lane, 0, word_from_lane(lane_from_word(word_and(v, 0x7fffff))))                \
    MASK(word_has, 0, word_has(v, in->flags))
/* clang-format on */

#define LANE_OP_NAME(name, operands, applied) LANE_OP_##name,
typedef enum lane_op { LANE_OPS(LANE_OP_NAME, LANE_OP_NAME, LANE_OP_NAME) LANE_OP_COUNT } lane_op;
#undef LANE_OP_NAME

#define LANE_OPS_MAX_LANES 32
#define LANE_OPS_ROOM      40 /* with some beyond the lanes, which no operation may write */

/* Numbers as their bits, so that the test does not depend on the element type. */
typedef struct lane_operands {
    uint64_t a[LANE_OPS_MAX_LANES], b[LANE_OPS_MAX_LANES], c[LANE_OPS_MAX_LANES];
    uint32_t v[LANE_OPS_MAX_LANES], w[LANE_OPS_MAX_LANES];
    uint64_t everywhere; /* for set */
    uint32_t flags;      /* for word_where, word_add, word_and, word_has */
} lane_operands;

/* Results of an operation: numbers, words and a mask (mask_bits, mask_any). */
typedef struct lane_results {
    uint64_t number[LANE_OPS_ROOM];
    uint32_t word[LANE_OPS_ROOM];
    uint32_t mask;
    bool any;
} lane_results;

typedef struct lane_ops {
    size_t lanes;
    void (*apply)(lane_op op, const lane_operands *in, lane_results *out);
    /* load_first of a, mask_first, word_counting from `fill`; store_first of a and v over `fill`.
     */
    void (*first)(size_t count, uint64_t fill, const lane_operands *in, lane_results *loaded,
                  lane_results *stored);
    /* store_packed of a and w over `fill`, by the mask of v's bit 0. Returns the packing's count.
     */
    size_t (*packed)(uint64_t fill, const lane_operands *in, lane_results *stored);
    /* gather of a at the indices v, which are below the number of lanes. */
    void (*gathered)(const lane_operands *in, lane_results *out);
    /*
     * Tests of gather4, store4, load4 and scatter4 of rows a, b, c, a against plain loops; and of
     * adding rows to others, and of the bytes that are not zero.
     */
    bool (*rows)(const lane_operands *in);
    bool (*row_sums)(const lane_operands *in);
    /* Stores of a, b, c, v and w past the caches, against ordinary ones. */
    bool (*streamed)(const lane_operands *in);
} lane_ops;

#define LANE_OPS_DECLARE(target)                                                                   \
    extern const lane_ops lane_ops_##target##_f32, lane_ops_##target##_f64;
LANE_OPS_DECLARE(scalar)
LANE_OPS_DECLARE(avx2)
LANE_OPS_DECLARE(avx512)
LANE_OPS_DECLARE(avx512_emulated)
LANE_OPS_DECLARE(neon)
#undef LANE_OPS_DECLARE

#endif
