/* Compiled once per target and element type, with the flags of that target's kernels. */
#include "lane_ops.h"

#include "../kernels/lane/bytes.h"
#include "../kernels/lane/lane.h"

_Static_assert(LANES <= LANE_OPS_MAX_LANES, "more lanes than the tests have room for");

static real_t number_of(uint64_t bits) {
    const real_bits_t narrow = (real_bits_t)bits;
    real_t number;
    memcpy(&number, &narrow, sizeof number);
    return number;
}

static lanes_t load_numbers(const uint64_t *bits) {
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

static void store_lanes(lane_results *out, lanes_t a) {
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
    const lanes_t a = load_numbers(in->a), b = load_numbers(in->b), c = load_numbers(in->c);
    const words_t v = word_load(in->v), w = word_load(in->w);
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

/*
 * Stores past the caches write what others do, and nothing beside it: of lanes, and of a register,
 * where it is a line of the cache. Lines begin at 64 bytes.
 */
static bool streamed(const lane_operands *in) {
    _Alignas(64) real_t to[3 * LANES], expected[3 * LANES];
    _Alignas(64) uint32_t words[3 * LANES], expected_words[3 * LANES];
    enum { AT = LANES * sizeof(real_t) % 64 == 0 ? LANES : 0 };
    for (size_t i = 0; i < 3 * LANES; ++i) {
        to[i] = expected[i] = number_of(in->b[i % LANES]);
        words[i] = expected_words[i] = ~in->w[i % LANES];
    }
    lane_stream(to + AT, load_numbers(in->a));
    word_stream(words + AT, word_load(in->v));
    lane_stream_end();
    lane_store(expected + AT, load_numbers(in->a));
    word_store(expected_words + AT, word_load(in->v));
#ifdef REGISTER_IS_LINE
    enum { NEXT = AT + LANES };
    reg_stream(to + NEXT, load_numbers(in->c).lo);
    reg_word_stream(words + NEXT, word_load(in->w).lo);
    reg_stream_end();
    reg_store(expected + NEXT, load_numbers(in->c).lo);
    reg_word_store(expected_words + NEXT, word_load(in->w).lo);
#endif
    return memcmp(to, expected, sizeof to) == 0 && memcmp(words, expected_words, sizeof words) == 0;
}

/* Rows are STRIDE numbers apart; the numbers between them have to stay as they are. */
enum { STRIDE = 7 };

static bool rows(const lane_operands *in) {
    real_t table[STRIDE * LANES] = {0}, expected[STRIDE * LANES], to[STRIDE * LANES];
    uint32_t from[LANES];
    lanes_t columns[4];
    for (size_t i = 0; i < LANES; ++i) {
        const uint64_t row[4] = {in->a[i], in->b[i], in->c[i], in->a[i]};
        for (size_t k = 0; k < 4; ++k) {
            table[STRIDE * i + k] = number_of(row[k]);
        }
        from[i] = in->v[i] % LANES;
    }
    memset(to, 0x5a, sizeof to);
    memcpy(expected, to, sizeof to);
    lane_gather4(table, STRIDE, from, columns);
    lane_store4(to, STRIDE, columns);
    for (size_t i = 0; i < LANES; ++i) {
        memcpy(expected + STRIDE * i, table + STRIDE * from[i], 4 * sizeof *table);
    }
    const bool gathered4 = memcmp(to, expected, sizeof to) == 0;

    lane_load4(table, STRIDE, columns);
    lane_store4(to, STRIDE, columns);
    for (size_t i = 0; i < LANES; ++i) {
        memcpy(expected + STRIDE * i, table + STRIDE * i, 4 * sizeof *table);
    }
    const bool loaded4 = memcmp(to, expected, sizeof to) == 0;

    /* From the last to the first, but for the last lane, whose row overwrites that of the first. */
    uint32_t at[LANES];
    for (uint32_t i = 0; i < LANES; ++i) {
        at[i] = STRIDE * (i + 1 == LANES ? LANES - 1 : LANES - 1 - i);
        memcpy(expected + at[i], table + STRIDE * i, 4 * sizeof *table);
    }
    lane_scatter4(to, at, columns);
    return gathered4 && loaded4 && memcmp(to, expected, sizeof to) == 0;
}

/* NaN is any NaN. */
static bool are_same(const real_t *a, const real_t *b, size_t count) {
    bool same = true;
    for (size_t k = 0; k < count; ++k) {
        same &= memcmp(&a[k], &b[k], sizeof *a) == 0 || (isnan(a[k]) && isnan(b[k]));
    }
    return same;
}

enum { ROW_OPS = 7, ROW_ROOM = 12 }; /* eight numbers, and some that have to stay as they are */

static void add_row(int op, real_t *to, const real_t *row) {
    switch (op) {
    case 0:
        row4_add_times(to, row4_load(row));
        break;
    case 1:
        row4_sub_times(to, row4_load(row));
        break;
    case 2:
        row8_add_times(to, row8_load(row));
        break;
    case 3:
        row8_sub_times(to, row8_load(row));
        break;
    case 4:
        row4_add(to, row4_load(row));
        break;
    case 5:
        row8_add(to, row8_load(row));
        break;
    default:
        row8_sub(to, row8_load(row));
    }
}

/* Rows with a factor of their own, and whether those of eight and four are finite. */
static bool row_times(const lane_operands *in) {
    const real_t by = number_of(in->b[0]);
    real_t a[8], row[8], four[4], eight[8], expected[8];
    bool finite[2] = {true, true};
    for (size_t k = 0; k < 8; ++k) {
        a[k] = number_of(k < 4 ? in->a[k % LANES] : in->b[k % LANES]);
        row[k] = number_of(in->c[k % LANES]);
        expected[k] = row[k] == 0 || k % 4 == 3 ? a[k] : a[k] + by * row[k];
        finite[k / 4] &= isfinite(a[k]) != 0;
    }
    const real_t none[8] = {0};
    const row8_t all = row8_load(a);
    row4_store(four, row4_with(row4_load(a), by, row4_load(row)));
    row8_store(eight, row8_with(all, by, row8_load(row)));
    return are_same(four, expected, 4) && are_same(eight, expected, 8) &&
           row8_are_finite(all, row4_load(none)) == (finite[0] && finite[1]) &&
           row8_are_finite(row8_load(none), row4_load(a)) == finite[0] &&
           row8_are_finite(row8_load(none), row4_load(a + 4)) == finite[1];
}

/* The bytes of the operands, from any address on, and some of them zero. */
static bool bytes_found(const lane_operands *in) {
    uint8_t bytes[BYTES_TESTED + 1] = {0};
    bool same = true;
    memcpy(bytes, in->a, BYTES_TESTED);
    for (size_t from = 0; from < 2; ++from) {
        const uint64_t bits = nonzero_bytes(bytes + from);
        for (size_t k = 0; k < BYTES_TESTED; ++k) {
            same &= (bits >> k & 1) == (bytes[from + k] != 0);
        }
    }
    return same;
}

static bool row_sums(const lane_operands *in) {
    static const size_t sizes[ROW_OPS] = {4, 4, 8, 8, 4, 8, 8};
    static const real_t signs[ROW_OPS] = {1, -1, 1, -1, 1, 1, -1};
    bool same = true;
    for (int op = 0; op < ROW_OPS; ++op) {
        real_t row[8], to[ROW_ROOM], expected[ROW_ROOM];
        for (size_t k = 0; k < ROW_ROOM; ++k) {
            to[k] = expected[k] = number_of(k % 2 ? in->a[k % LANES] : in->b[k % LANES]);
        }
        for (size_t k = 0; k < 8; ++k) {
            row[k] = k % 4 == 3 ? 0 : number_of(in->c[k % LANES]);
        }
        const bool times = op < 4;
        for (size_t k = 0; k < sizes[op]; ++k) {
            const real_t change = times ? to[k | 3] * row[k] : row[k];
            expected[k] = signs[op] > 0 ? expected[k] + change : expected[k] - change;
        }
        add_row(op, to, row);
        same &= are_same(to, expected, ROW_ROOM);
    }
    return same && row_times(in) && bytes_found(in);
}

#define PASTE(target, bits) lane_ops_##target##_f##bits
#define TABLE(target, bits) PASTE(target, bits)

const lane_ops TABLE(LANE_TARGET, IMPINGE_REAL_BITS) = {LANES,    apply, first,    packed,
                                                        gathered, rows,  row_sums, streamed};
