#include "lane_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../tools/support/random.h"

#define SUBJECT(target, name, cpu, bits)                                                           \
    { name, cpu, bits, &lane_ops_scalar_f##bits, &lane_ops_##target##_f##bits }
#define SUBJECTS(target, name, cpu) SUBJECT(target, name, cpu, 32), SUBJECT(target, name, cpu, 64)

const lane_subject lane_subjects[] = {
#ifdef IMPINGE_HAVE_AVX2
    SUBJECTS(avx2, "avx2", "avx2"),
#endif
#ifdef IMPINGE_HAVE_AVX512
    SUBJECTS(avx512, "avx512", "avx512"),
#endif
#ifdef IMPINGE_HAVE_AVX512_EMULATED
    SUBJECTS(avx512_emulated, "avx512 (emulated)", "avx2"),
#endif
#ifdef IMPINGE_HAVE_NEON
    SUBJECTS(neon, "neon", NULL),
#endif
    {.name = NULL}, /* a build of scalar alone has none */
};
const size_t lane_subject_count = sizeof lane_subjects / sizeof *lane_subjects - 1;

bool lane_subject_runs(const lane_subject *subject) {
    if (subject->cpu == NULL) {
        return true;
    }
#ifdef __x86_64__
    if (strcmp(subject->cpu, "avx512") == 0) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma");
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

#define OP_NAME(name, operands, applied)     #name,
#define OP_OPERANDS(name, operands, applied) operands,
static const char *const op_names[] = {LANE_OPS(OP_NAME, OP_NAME, OP_NAME)};
static const unsigned op_operands[] = {LANE_OPS(OP_OPERANDS, OP_OPERANDS, OP_OPERANDS)};
#undef OP_NAME
#undef OP_OPERANDS

const char *lane_op_name(lane_op op) { return op_names[op]; }

/* The layout of an element type. */
typedef struct format {
    unsigned mantissa; /* bits of it */
    uint64_t sign, infinity, one;
    uint64_t exponent_bias;
} format;

static format format_of(unsigned bits) {
    format f = {bits == 32 ? 23 : 52, 0, 0, 0, bits == 32 ? 127 : 1023};
    f.sign = UINT64_C(1) << (bits - 1);
    f.infinity = (2 * f.exponent_bias + 1) << f.mantissa;
    f.one = f.exponent_bias << f.mantissa;
    return f;
}

#define SPECIALS_MAX 64

static size_t special_values(const format *f, uint64_t *values) {
    const uint64_t unit = UINT64_C(1) << f->mantissa; /* the exponent's lowest bit */
    const uint64_t half = unit >> 1;
    const uint64_t positive[] = {
        0,
        1, /* subnormal, from the smallest */
        2,
        half,
        unit - 1,
        unit, /* the smallest normal */
        unit + 1,
        f->one - 1, /* 1 and its neighbours */
        f->one,
        f->one + 1,
        f->one - unit, /* powers of two */
        f->one + unit,
        f->one + 2 * unit,
        f->one + half,               /* 1.5 */
        f->one - f->mantissa * unit, /* the unit of rounding */
        f->one + f->mantissa * unit, /* from here all numbers are integers */
        f->one + (f->mantissa + 1) * unit + 1,
        f->one - f->exponent_bias / 2 * unit, /* its square is about the smallest normal */
        f->one + f->exponent_bias / 2 * unit, /* its square is about the largest */
        f->infinity - unit,                   /* the largest power of two */
        f->infinity - 1,                      /* the largest number */
        f->infinity,
        f->infinity + half, /* NaN, quiet and signalling */
        f->infinity + 1,
        f->infinity + unit - 1,
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; ++i) {
        values[count++] = positive[i];
        values[count++] = positive[i] | f->sign;
    }
    return count;
}

static bool is_nan(const format *f, uint64_t bits) { return (bits & ~f->sign) > f->infinity; }

static double number_of(unsigned bits, uint64_t from) {
    if (bits == 64) {
        double number;
        memcpy(&number, &from, sizeof number);
        return number;
    }
    const uint32_t narrow = (uint32_t)from;
    float number;
    memcpy(&number, &narrow, sizeof number);
    return (double)number;
}

/* Outside of these ranges log2_coarse and exp2_coarse promise nothing. */
static bool in_domain(unsigned bits, lane_op op, uint64_t a) {
    const double x = number_of(bits, a);
    const double limit = bits == 32 ? 126 : 1022;
    if (op == LANE_OP_log2_coarse) {
        return x >= 0 && (a & ~format_of(bits).sign) < format_of(bits).infinity;
    }
    if (op == LANE_OP_exp2_coarse) {
        return -limit <= x && x <= limit;
    }
    return true;
}

/* A number that leaves something to round: near 1 in size half of the time, else anything. */
static uint64_t random_number(const format *f, uint64_t *state) {
    const uint64_t r = random_bits(state), any = random_bits(state) & (f->sign | (f->sign - 1));
    if (r & 1) {
        return any;
    }
    const uint64_t mantissa = (UINT64_C(1) << f->mantissa) - 1;
    return (any & (f->sign | mantissa)) | (f->exponent_bias - 8 + (r >> 1) % 16) << f->mantissa;
}

static uint32_t random_word(uint64_t *state) {
    const uint64_t r = random_bits(state);
    switch (r & 7) {
    case 0:
        return 0;
    case 1:
        return UINT32_MAX;
    case 2:
        return UINT32_C(1) << (r >> 3) % 32;
    case 3:
        return (uint32_t)(r >> 32) & 3;
    default:
        return (uint32_t)(r >> 32);
    }
}

static void fill_with_junk(const format *f, lane_operands *in, size_t lanes, uint64_t *state) {
    for (size_t i = 0; i < lanes; ++i) {
        in->a[i] = random_number(f, state);
        in->b[i] = random_number(f, state);
        in->c[i] = random_number(f, state);
        in->v[i] = random_word(state);
        in->w[i] = random_word(state);
    }
    in->everywhere = random_number(f, state);
    in->flags = random_word(state);
}

/* Scalar's results for each lane alone, in the results' lane i. */
static lane_results expected_of(const lane_subject *subject, lane_op op, const lane_operands *in) {
    lane_results expected = {0}, result = {0};
    lane_operands one = {.everywhere = in->everywhere, .flags = in->flags};
    for (size_t i = 0; i < subject->ops->lanes; ++i) {
        if (!in_domain(subject->bits, op, in->a[i])) {
            continue;
        }
        one.a[0] = in->a[i];
        one.b[0] = in->b[i];
        one.c[0] = in->c[i];
        one.v[0] = in->v[i];
        one.w[0] = in->w[i];
        subject->scalar->apply(op, &one, &result);
        expected.number[i] = result.number[0];
        expected.word[i] = result.word[0];
        expected.mask |= (result.mask & 1) << i;
        expected.any |= result.any;
    }
    return expected;
}

static const char *compare(const lane_subject *subject, lane_op op, const lane_operands *in) {
    static char message[400];
    const format f = format_of(subject->bits);
    const lane_results expected = expected_of(subject, op, in);
    lane_results got = {0};
    subject->ops->apply(op, in, &got);
    for (size_t i = 0; i < subject->ops->lanes; ++i) {
        const bool same_number = got.number[i] == expected.number[i] ||
                                 (is_nan(&f, got.number[i]) && is_nan(&f, expected.number[i]));
        if (!in_domain(subject->bits, op, in->a[i]) ||
            (same_number && got.word[i] == expected.word[i] &&
             ((got.mask ^ expected.mask) >> i & 1) == 0)) {
            continue;
        }
        snprintf(message, sizeof message,
                 "%s f%u: %s in lane %zu of a %" PRIx64 ", b %" PRIx64 ", c %" PRIx64 ", v %" PRIx32
                 ", w %" PRIx32 ", flags %" PRIx32 ", everywhere %" PRIx64 " gives %" PRIx64
                 ", word %" PRIx32 ", mask %" PRIx32 "; scalar %" PRIx64 ", word %" PRIx32
                 ", mask %" PRIx32,
                 subject->name, subject->bits, lane_op_name(op), i, in->a[i], in->b[i], in->c[i],
                 in->v[i], in->w[i], in->flags, in->everywhere, got.number[i], got.word[i],
                 got.mask >> i & 1, expected.number[i], expected.word[i], expected.mask >> i & 1);
        return message;
    }
    if (got.mask != expected.mask || got.any != expected.any) {
        snprintf(message, sizeof message,
                 "%s f%u: %s gives mask %" PRIx32 ", any %d; scalar %" PRIx32 ", any %d",
                 subject->name, subject->bits, lane_op_name(op), got.mask, got.any, expected.mask,
                 expected.any);
        return message;
    }
    return NULL;
}

/* Every combination of special values in each lane, with unlike ones in the others. */
static const char *check_specials(const lane_subject *subject, lane_op op, uint64_t *state) {
    const format f = format_of(subject->bits);
    uint64_t values[SPECIALS_MAX];
    const size_t count = special_values(&f, values);
    size_t combinations = 1;
    for (unsigned i = 0; i < op_operands[op]; ++i) {
        combinations *= count;
    }

    lane_operands in;
    fill_with_junk(&f, &in, subject->ops->lanes, state);
    for (size_t i = 0; i < combinations; ++i) {
        for (size_t lane = 0; lane < subject->ops->lanes; ++lane) {
            const size_t combination = (i + lane * 997) % combinations;
            in.a[lane] = values[combination % count];
            in.b[lane] = values[combination / count % count];
            in.c[lane] = values[combination / count / count % count];
        }
        in.everywhere = values[i % count];
        const char *difference = compare(subject, op, &in);
        if (difference != NULL) {
            return difference;
        }
    }
    return NULL;
}

/* c = -a b but for its rounding: only a multiply-add that rounds once gives it. */
static void cancel_products(const lane_subject *subject, lane_operands *in) {
    for (size_t i = 0; i < subject->ops->lanes; ++i) {
        lane_operands one = {.a = {in->a[i]}, .b = {in->b[i]}};
        lane_results product = {0};
        subject->scalar->apply(LANE_OP_mul, &one, &product);
        in->c[i] = product.number[0] ^ format_of(subject->bits).sign;
    }
}

/* A random x with |x| <= the limit of exp2_coarse; random bits rarely are of that size. */
static void fill_with_exponents(const lane_subject *subject, lane_operands *in, uint64_t *state) {
    const int64_t limit = (subject->bits == 32 ? INT64_C(126) : INT64_C(1022)) << 32;
    for (size_t i = 0; i < subject->ops->lanes; ++i) {
        const int64_t scaled = (int64_t)(random_bits(state) % (uint64_t)(2 * limit + 1)) - limit;
        const double x = (double)scaled * 0x1p-32;
        if (subject->bits == 64) {
            memcpy(&in->a[i], &x, sizeof x);
        } else {
            const float narrow = (float)x;
            uint32_t bits;
            memcpy(&bits, &narrow, sizeof bits);
            in->a[i] = bits;
        }
    }
}

static const char *check_random(const lane_subject *subject, lane_op op, uint64_t *state) {
    const format f = format_of(subject->bits);
    for (int i = 0; i < 20000; ++i) {
        lane_operands in;
        fill_with_junk(&f, &in, subject->ops->lanes, state);
        if (op == LANE_OP_exp2_coarse) {
            fill_with_exponents(subject, &in, state);
        }
        if (i % 4 == 0) {
            cancel_products(subject, &in);
        }
        const char *difference = compare(subject, op, &in);
        if (difference != NULL) {
            return difference;
        }
    }
    return NULL;
}

const char *lane_check_op(const lane_subject *subject, lane_op op) {
    uint64_t state = (uint64_t)op << 8 | subject->bits;
    const char *difference = check_specials(subject, op, &state);
    return difference != NULL ? difference : check_random(subject, op, &state);
}

/* Any bits but those of a NaN: no operation promises to keep the bits of a NaN. */
static void fill_with_numbers(const format *f, lane_operands *in, size_t lanes, uint64_t *state) {
    fill_with_junk(f, in, lanes, state);
    for (size_t i = 0; i < lanes; ++i) {
        while (is_nan(f, in->a[i])) {
            in->a[i] = random_number(f, state);
        }
    }
}

/* Null if what is stored is what is wanted, anything up to `untouched`, and `fill` from there. */
static const char *compare_stored(const lane_subject *subject, const char *what, uint64_t which,
                                  size_t wanted_count, const uint64_t *wanted,
                                  const uint32_t *wanted_words, uint64_t fill,
                                  const lane_results *stored, size_t untouched) {
    static char message[200];
    for (size_t i = 0; i < LANE_OPS_ROOM; ++i) {
        if (i >= wanted_count && i < untouched) {
            continue;
        }
        const uint64_t number = i < wanted_count ? wanted[i] : fill;
        const uint32_t word = i < wanted_count ? wanted_words[i] : (uint32_t)fill;
        if (stored->number[i] == number && stored->word[i] == word) {
            continue;
        }
        snprintf(message, sizeof message,
                 "%s f%u: %s %" PRIx64 ": element %zu is %" PRIx64 ", word %" PRIx32
                 ", not %" PRIx64 ", %" PRIx32,
                 subject->name, subject->bits, what, which, i, stored->number[i], stored->word[i],
                 number, word);
        return message;
    }
    return NULL;
}

const char *lane_check_first(const lane_subject *subject) {
    static char message[160];
    const format f = format_of(subject->bits);
    const size_t lanes = subject->ops->lanes;
    uint64_t state = subject->bits;
    for (size_t count = 0; count <= lanes; ++count) {
        lane_operands in;
        lane_results loaded = {0}, stored = {0};
        fill_with_numbers(&f, &in, lanes, &state);
        const uint64_t fill = f.one + random_bits(&state) % f.one;
        subject->ops->first(count, fill, &in, &loaded, &stored);
        const char *difference =
            compare_stored(subject, "store_first", count, count, in.a, in.v, fill, &stored, count);
        if (difference != NULL) {
            return difference;
        }
        for (size_t i = 0; i < lanes; ++i) {
            if (loaded.number[i] == (i < count ? in.a[i] : 0) &&
                (loaded.mask >> i & 1) == (i < count) && loaded.word[i] == (uint32_t)(fill + i)) {
                continue;
            }
            snprintf(message, sizeof message,
                     "%s f%u: first %zu: lane %zu is %" PRIx64 ", mask %" PRIx32
                     ", counting from %" PRIx32 " %" PRIx32,
                     subject->name, subject->bits, count, i, loaded.number[i], loaded.mask,
                     (uint32_t)fill, loaded.word[i]);
            return message;
        }
    }
    return NULL;
}

/* Every mask of up to 16 lanes; random ones of more. */
const char *lane_check_packed(const lane_subject *subject) {
    static char message[100];
    const format f = format_of(subject->bits);
    const size_t lanes = subject->ops->lanes;
    uint64_t state = subject->bits;
    for (uint64_t half = 0; half <= UINT16_MAX; ++half) {
        const uint64_t mask = half | (random_bits(&state) << 16);
        lane_operands in;
        lane_results stored = {0};
        uint64_t wanted[LANE_OPS_MAX_LANES];
        uint32_t wanted_words[LANE_OPS_MAX_LANES];
        size_t count = 0;
        fill_with_numbers(&f, &in, lanes, &state);
        for (size_t i = 0; i < lanes; ++i) {
            in.v[i] = (in.v[i] & ~UINT32_C(1)) | (uint32_t)(mask >> i & 1);
            if ((mask >> i & 1) == 0) {
                continue;
            }
            wanted[count] = in.a[i];
            wanted_words[count++] = in.w[i];
        }
        const uint64_t fill = f.one + random_bits(&state) % f.one;
        const size_t said = subject->ops->packed(fill, &in, &stored);
        if (said != count) {
            snprintf(message, sizeof message, "%s f%u: packing %" PRIx64 " counts %zu",
                     subject->name, subject->bits, mask, said);
            return message;
        }
        const char *difference = compare_stored(subject, "store_packed", mask, count, wanted,
                                                wanted_words, fill, &stored, lanes);
        if (difference != NULL) {
            return difference;
        }
    }
    return NULL;
}

const char *lane_check_gathered(const lane_subject *subject) {
    static char message[120];
    const format f = format_of(subject->bits);
    const size_t lanes = subject->ops->lanes;
    uint64_t state = subject->bits;
    for (int round = 0; round < 1000; ++round) {
        lane_operands in;
        lane_results out = {0};
        fill_with_numbers(&f, &in, lanes, &state);
        for (size_t i = 0; i < lanes; ++i) {
            in.v[i] %= (uint32_t)lanes;
        }
        subject->ops->gathered(&in, &out);
        for (size_t i = 0; i < lanes; ++i) {
            if (out.number[i] == in.a[in.v[i]]) {
                continue;
            }
            snprintf(message, sizeof message,
                     "%s f%u: gather: lane %zu is %" PRIx64 ", not element %" PRIu32 ", %" PRIx64,
                     subject->name, subject->bits, i, out.number[i], in.v[i], in.a[in.v[i]]);
            return message;
        }
    }
    return NULL;
}

const char *lane_check_rows(const lane_subject *subject) {
    static char message[80];
    const format f = format_of(subject->bits);
    uint64_t state = subject->bits;
    for (int round = 0; round < 1000; ++round) {
        lane_operands in;
        fill_with_numbers(&f, &in, subject->ops->lanes, &state);
        const bool rows = subject->ops->rows(&in);
        const bool sums = subject->ops->row_sums(&in);
        if (!rows || !sums || !subject->ops->streamed(&in)) {
            snprintf(message, sizeof message, "%s f%u: %s, round %d", subject->name, subject->bits,
                     !rows   ? "rows of four"
                     : !sums ? "sums of rows"
                             : "streamed",
                     round);
            return message;
        }
    }
    return NULL;
}
