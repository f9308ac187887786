/* Compiled once per target and element type, with the flags of that target's kernels. */
#include "lane_ops.h"

#include "../kernels/lane/lane.h"

_Static_assert(LANES <= LANE_OPS_MAX_LANES, "more lanes than the tests have room for");

static real_t number_of(uint64_t bits) {
    const real_bits_t narrow = (real_bits_t)bits;
    real_t number;
    memcpy(&number, &narrow, sizeof number);
    return number;
}

static lane_t load_numbers(const uint64_t *bits) {
    real_t numbers[LANES];
    for (size_t i = 0; i < LANES; ++i) {
        numbers[i] = number_of(bits[i]);
    }
    return lane_load(numbers);
}

static void store_numbers(uint64_t *bits, const real_t *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        real_bits_t narrow;
        memcpy(&narrow, &numbers[i], sizeof narrow);
        bits[i] = narrow;
    }
}

static void store_lanes(lane_results *out, lane_t a) {
    real_t numbers[LANES];
    lane_store(numbers, a);
    store_numbers(out->number, numbers, LANES);
}

static void store_mask(lane_results *out, mask_t m) {
    out->mask = mask_bits(m);
    out->any = mask_any(m);
}

#define NUMBERS(name, operands, applied)                                                           \
    case LANE_OP_##name:                                                                           \
        store_lanes(out, applied);                                                                 \
        break;
#define WORDS(name, operands, applied)                                                             \
    case LANE_OP_##name:                                                                           \
        word_store(out->word, applied);                                                            \
        break;
#define MASK(name, operands, applied)                                                              \
    case LANE_OP_##name:                                                                           \
        store_mask(out, applied);                                                                  \
        break;

static void apply(lane_op op, const lane_operands *in, lane_results *out) {
    const lane_t a = load_numbers(in->a), b = load_numbers(in->b), c = load_numbers(in->c);
    const word_t v = word_load(in->v), w = word_load(in->w);
    const mask_t m = word_has(v, 1), n = word_has(v, 2);
    switch (op) {
        LANE_OPS(NUMBERS, WORDS, MASK)
    case LANE_OP_COUNT:
        break;
    }
}

static void fill_room(real_t *numbers, lane_results *stored, uint64_t fill) {
    for (size_t i = 0; i < LANE_OPS_ROOM; ++i) {
        numbers[i] = number_of(fill);
        stored->word[i] = (uint32_t)fill;
    }
}

static void first(size_t count, uint64_t fill, const lane_operands *in, lane_results *loaded,
                  lane_results *stored) {
    real_t numbers[LANES];
    lane_store(numbers, load_numbers(in->a));
    store_lanes(loaded, lane_load_first(numbers, count));

    store_mask(loaded, mask_first(count));
    word_store(loaded->word, word_counting((uint32_t)fill));

    real_t over[LANE_OPS_ROOM];
    fill_room(over, stored, fill);
    lane_store_first(over, load_numbers(in->a), count);
    word_store_first(stored->word, word_load(in->v), count);
    store_numbers(stored->number, over, LANE_OPS_ROOM);
}

static size_t packed(uint64_t fill, const lane_operands *in, lane_results *stored) {
    real_t over[LANE_OPS_ROOM];
    fill_room(over, stored, fill);
    const packing_t packing = lane_packing(word_has(word_load(in->v), 1));
    lane_store_packed(over, &packing, load_numbers(in->a));
    word_store_packed(stored->word, &packing, word_load(in->w));
    store_numbers(stored->number, over, LANE_OPS_ROOM);
    return packing.count;
}

static void gathered(const lane_operands *in, lane_results *out) {
    real_t numbers[LANES];
    lane_store(numbers, load_numbers(in->a));
    store_lanes(out, lane_gather(numbers, in->v));
}

static bool rows(const lane_operands *in) {
    real_t table[4 * LANES], expected[4 * LANES], to[4 * LANES];
    uint32_t from[LANES], at[LANES];
    lane_t columns[4];
    for (size_t i = 0; i < LANES; ++i) {
        const uint64_t row[4] = {in->a[i], in->b[i], in->c[i], in->a[i]};
        for (size_t k = 0; k < 4; ++k) {
            table[4 * i + k] = number_of(row[k]);
        }
        from[i] = 4 * (in->v[i] % LANES);
        at[i] = (uint32_t)(4 * (LANES - 1 - i));
    }
    lane_gather4(table, from, columns);
    lane_scatter4(to, at, columns);
    for (size_t i = 0; i < LANES; ++i) {
        memcpy(expected + at[i], table + from[i], 4 * sizeof *table);
    }
    bool same = memcmp(to, expected, sizeof to) == 0;

    const real_t by = table[1];
    row4_add(to, by, table);
    for (size_t k = 0; k < 4; ++k) {
        expected[k] = expected[k] + by * table[k];
        /* NaN is any NaN. */
        same &=
            memcmp(&to[k], &expected[k], sizeof *to) == 0 || (isnan(to[k]) && isnan(expected[k]));
    }
    return same && memcmp(to + 4, expected + 4, sizeof to - 4 * sizeof *to) == 0;
}

#define PASTE(target, bits) lane_ops_##target##_f##bits
#define TABLE(target, bits) PASTE(target, bits)

const lane_ops TABLE(LANE_TARGET, IMPINGE_REAL_BITS) = {LANES,  apply,    first,
                                                        packed, gathered, rows};
