#include "decimal.h"

#include <stdint.h>
#include <string.h>

/* ---- Powers of ten ---- */

/* The powers needed for reading (10^-342 to 10^308) and writing (10^-292 to 10^324). */
enum { POWER_MIN = -342, POWER_MAX = 324, POWERS = POWER_MAX - POWER_MIN + 1 };

/* The first 128 bits of 10^k, rounded up: 10^k = bits 2^(log2_of_power(k) - 127). */
typedef struct power {
    uint64_t high, low;
} power;

static power powers[POWERS];

/* Words of 32 bits, the lowest first: 5^324 has 753 bits, 2^BIG_BITS / 5^342 still 230. */
enum { BIG_WORDS = 33, BIG_BITS = 32 * (BIG_WORDS - 1) };

typedef struct big {
    uint32_t word[BIG_WORDS];
} big;

static void times_five(big *of) {
    uint64_t carry = 0;
    for (size_t i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)of->word[i] * 5;
        of->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void over_five(big *of) {
    uint64_t rest = 0;
    for (size_t i = BIG_WORDS; i-- > 0;) {
        rest = rest << 32 | of->word[i];
        of->word[i] = (uint32_t)(rest / 5);
        rest %= 5;
    }
}

static bool bit_of(const big *of, int at) {
    return at >= 0 && (of->word[at / 32] >> (at % 32) & 1) != 0;
}

/* The first 128 bits, rounded up; `more` is true if the number itself was rounded down. */
static power first_bits(const big *of, bool more) {
    int top = 32 * BIG_WORDS - 1;
    while (!bit_of(of, top))
        top--;
    power bits = {0, 0};
    for (int i = 0; i < 128; i++) {
        bits.high = bits.high << 1 | bits.low >> 63;
        bits.low = bits.low << 1 | bit_of(of, top - i);
    }
    for (int i = top - 128; i >= 0 && !more; i--)
        more = bit_of(of, i);
    bits.low += more;
    bits.high += more && bits.low == 0;
    return bits;
}

/* Runs before main, so that no call has to test whether it is done. 5^k and 10^k have the same
 * bits. Rounding down after each division by five is the same as rounding down once. */
__attribute__((constructor)) static void make_powers(void) {
    big up = {{1}}, down = {{0}};
    down.word[BIG_BITS / 32] = 1;
    for (int k = 0; k <= POWER_MAX; k++) {
        powers[k - POWER_MIN] = first_bits(&up, false);
        times_five(&up);
    }
    for (int k = -1; k >= POWER_MIN; k--) {
        over_five(&down);
        powers[k - POWER_MIN] = first_bits(&down, true);
    }
}

static const power *power_of_ten(int k) { return &powers[k - POWER_MIN]; }

/* The greatest integer not above a 2^-bits. */
static int floor_shifted(int64_t a, int bits) {
    const int64_t one = (int64_t)1 << bits;
    return (int)(a >= 0 ? a / one : -((one - 1 - a) / one));
}

/* floor(log2(10^k)), right for |k| < 1650 (Giulietti, The Schubfach way, 2020, section 6). */
static int log2_of_power(int k) { return floor_shifted((int64_t)k * 1741647, 19); }

/* The high word of a product, the low one in *low. */
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

/* ---- Reading ---- */

/* A number as written: digits 10^exponent. */
typedef struct decimal {
    uint64_t digits;
    int exponent;
    bool negative;
} decimal;

static inline bool is_digit(char byte) { return (unsigned char)(byte - '0') < 10; }

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* True if eight bytes, the first the lowest, are digits: 0x30 to 0x39. */
static inline bool are_digits(uint64_t bytes) {
    return ((bytes & 0xF0F0F0F0F0F0F0F0u) |
            (((bytes + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4)) == 0x3333333333333333u;
}

/* Their value: pairs, then fours, then all eight. */
static inline uint64_t value_of_digits(uint64_t bytes) {
    bytes -= 0x3030303030303030u;
    bytes = bytes * 10 + (bytes >> 8);
    const uint64_t mask = 0x000000FF000000FFu;
    return ((bytes & mask) * (100 + (UINT64_C(1000000) << 32)) +
            ((bytes >> 16) & mask) * (1 + (UINT64_C(10000) << 32))) >>
           32;
}
#endif

/*
 * Reads eight digits at once, and the rest one by one: the branch for each digit is predicted, as a
 * file's numbers tend to have the same length. (Finding the number of digits among the eight, and
 * so the next field, without a branch took longer: then the CPU cannot run ahead.)
 */
static inline const char *read_digits(const char *at, uint64_t *digits) {
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (uint64_t bytes;; at += sizeof bytes) {
        memcpy(&bytes, at, sizeof bytes);
        if (!are_digits(bytes)) break;
        *digits = *digits * 100000000 + value_of_digits(bytes);
    }
#endif
    for (; is_digit(*at); at++)
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    return at;
}

static const char *read_exponent(const char *at, int *exponent) {
    const bool negative = at[1] == '-';
    at += 1 + (at[1] == '-' || at[1] == '+');
    if (!is_digit(*at)) return NULL;
    int value = 0;
    for (; is_digit(*at); at++)
        if (value < 10000) value = 10 * value + (*at - '0');
    *exponent += negative ? -value : value;
    return at;
}

/* Null if it is not in the notation of decimal_read. */
static inline const char *read_decimal(const char *at, decimal *to) {
    enum { DIGITS_MAX = 19 }; /* 10^19 < 2^64 */
    *to = (decimal){.negative = *at == '-'};
    at += *at == '-' || *at == '+';
    const char *start = at;
    at = read_digits(at, &to->digits);
    size_t count = (size_t)(at - start);
    if (*at == '.') {
        const char *point = at++;
        if (count <= 1 && to->digits == 0) {
            /* Zeros before the first digit that counts. */
            count = 0;
            while (*at == '0')
                at++;
        }
        const char *first = at;
        at = read_digits(at, &to->digits);
        count += (size_t)(at - first);
        to->exponent = -(int)(at - point - 1);
        if (at == point + 1 && point == start) return NULL;
    } else if (count == 0) {
        return NULL;
    }
    if (count > DIGITS_MAX || at - start > 1000) return NULL;
    return (*at | 0x20) == 'e' ? read_exponent(at, &to->exponent) : at;
}

static inline int leading_zeros(uint64_t value) {
#ifdef __GNUC__
    return __builtin_clzll(value);
#else
    int count = 0;
    for (; !(value >> 63); value <<= 1)
        count++;
    return count;
#endif
}

/* A number of `bits` bits, 2^(bits - 1) <= significand, and its power of two. */
typedef struct binary {
    uint64_t significand;
    int exponent;
} binary;

/*
 * Rounds digits 10^k. With the digits shifted up to m in [2^63, 2^64), and 10^k = S 2^(f - 127),
 * the number is m S / 2^128 times a power of two. Only S's first word is used, which is too small
 * by less than 1 in its last place; so the product's first word h, shifted up to [2^63, 2^64), is
 * too large by less than 1 and too small by less than 4. The part that is cut off decides the
 * rounding, unless it is that near its middle: about one number in 500 of 53 bits. Returns false
 * then, and strtod has to read the number.
 */
static inline bool round_decimal(const decimal *from, int bits, binary *to) {
    const int k = from->exponent;
    if (k < POWER_MIN || k > 308) return false;
    const int shift = leading_zeros(from->digits);
    uint64_t low;
    uint64_t high = multiply(from->digits << shift, power_of_ten(k)->high, &low);
    const int up = !(high >> 63);
    high = up ? high << 1 | low >> 63 : high;
    const int cut = 64 - bits;
    const uint64_t half = UINT64_C(1) << (cut - 1);
    const uint64_t rest = high & (2 * half - 1);
    if (rest + 4 >= half && rest <= half + 1) return false;
    to->significand = (high >> cut) + (rest >= half);
    to->exponent = log2_of_power(k) + 1 - shift - up + cut;
    if (to->significand >> bits) {
        to->significand >>= 1;
        to->exponent++;
    }
    return true;
}

const char *decimal_read_f64(const char *text, double *value) {
    decimal from;
    binary rounded = {0, 0};
    const char *end = read_decimal(text, &from);
    if (!end) return NULL;
    uint64_t word = (uint64_t)from.negative << 63;
    if (from.digits != 0) {
        if (!round_decimal(&from, 53, &rounded)) return NULL;
        const int biased = rounded.exponent + 1075;
        if (biased < 1 || biased > 2046) return NULL;
        word |= (uint64_t)biased << 52 | (rounded.significand & ((UINT64_C(1) << 52) - 1));
    }
    memcpy(value, &word, sizeof word);
    return end;
}

const char *decimal_read_f32(const char *text, float *value) {
    decimal from;
    binary rounded = {0, 0};
    const char *end = read_decimal(text, &from);
    if (!end) return NULL;
    uint32_t word = (uint32_t)from.negative << 31;
    if (from.digits != 0) {
        if (!round_decimal(&from, 24, &rounded)) return NULL;
        const int biased = rounded.exponent + 150;
        if (biased < 1 || biased > 254) return NULL;
        word |= (uint32_t)biased << 23 | ((uint32_t)rounded.significand & 0x7FFFFF);
    }
    memcpy(value, &word, sizeof word);
    return end;
}

/* ---- Writing ---- */

/*
 * floor(g c / 2^128), its last bit set if anything was cut off but less than rounding adds. A c of
 * 32 bits needs only the first word of g, rounded up.
 */
static inline uint64_t round_to_odd(const power *g, uint64_t c, bool narrow) {
    uint64_t low, middle;
    if (narrow) {
        const uint64_t whole = multiply(g->high + (g->low != 0), c, &low);
        return whole | (low >> 32 > 1);
    }
    const uint64_t carry = multiply(g->low, c, &low);
    uint64_t high = multiply(g->high, c, &middle);
    middle += carry;
    high += middle < carry;
    return high | (middle > 1);
}

/*
 * The shortest decimal of c 2^q, Giulietti's Schubfach ("The Schubfach way to render doubles",
 * 2020, section 9.9): the decimal inside the interval that rounds to c 2^q, first among those with
 * one digit less, then among those with enough digits to distinguish neighbours; the nearer of two.
 *
 * @param closer whether the number below is half as far away as the one above
 * @param narrow whether c has 24 bits at most
 */
static inline decimal shortest(uint64_t c, int q, bool closer, bool narrow) {
    const uint64_t odd = c & 1; /* the interval's ends round to even numbers */
    const int k = floor_shifted((int64_t)q * 1262611 - (closer ? 524031 : 0), 22);
    const int h = q + log2_of_power(-k) + 1;
    const power *g = power_of_ten(-k);
    const uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << h, narrow) + odd;
    const uint64_t middle = round_to_odd(g, (4 * c) << h, narrow);
    const uint64_t upper = round_to_odd(g, (4 * c + 2) << h, narrow) - odd;
    const uint64_t s = middle / 4;
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above) return (decimal){.digits = tens + above, .exponent = k + 1};
    }
    const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above) return (decimal){.digits = s + above, .exponent = k};
    const uint64_t half = 4 * s + 2;
    const bool up = middle > half || (middle == half && (s & 1));
    return (decimal){.digits = s + up, .exponent = k};
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Writes digits so that they end at `end`; returns where they begin. */
static char *write_digits(char *end, uint64_t digits) {
    while (digits >= 100) {
        end -= 2;
        memcpy(end, &pairs[2 * (digits % 100)], 2);
        digits /= 100;
    }
    if (digits < 10) {
        *--end = (char)('0' + digits);
        return end;
    }
    end -= 2;
    memcpy(end, &pairs[2 * digits], 2);
    return end;
}

/* Copies a fixed number of digits, however many there are: a fixed size is one instruction or two.
 */
enum { COPIED = 17 };

/* d.ddde-7 */
static char *write_scientific(char *to, const char *digits, size_t count, int exponent) {
    to[0] = digits[0];
    to[1] = '.';
    memcpy(to + 2, digits + 1, COPIED);
    to += count > 1 ? count + 1 : 1;
    *to++ = 'e';
    if (exponent < 0) *to++ = '-';
    char buffer[4];
    char *end = buffer + sizeof buffer;
    const char *start = write_digits(end, (uint64_t)(exponent < 0 ? -exponent : exponent));
    const size_t length = (size_t)(end - start);
    memcpy(to, start, length);
    return to + length;
}

/* The number is 0.DIGITS 10^point. */
static char *write_plain(char *to, const char *digits, size_t count, int point) {
    if (point <= 0) {
        memcpy(to, "0.000", 5);
        to += 2 - point;
        memcpy(to, digits, COPIED);
        return to + count;
    }
    const size_t whole = (size_t)point;
    memcpy(to, digits, COPIED);
    if (count <= whole) {
        memset(to + count, '0', whole - count);
        return to + whole;
    }
    to[whole] = '.';
    memcpy(to + whole + 1, digits + whole, COPIED);
    return to + count + 1;
}

static char *write_decimal(char *to, const decimal *from) {
    enum { PLAIN_MIN = -3, PLAIN_MAX = 15 }; /* 0.0001 to 999999999999999 */
    enum { DIGITS_MAX = 17 };
    char buffer[DIGITS_MAX + PLAIN_MAX + COPIED];
    char *end = buffer + DIGITS_MAX;
    const char *digits = write_digits(end, from->digits);
    const int point = (int)(end - digits) + from->exponent;
    while (end - digits > 1 && end[-1] == '0')
        end--;
    const size_t count = (size_t)(end - digits);
    return point >= PLAIN_MIN && point <= PLAIN_MAX
               ? write_plain(to, digits, count, point)
               : write_scientific(to, digits, count, point - 1);
}

/* Writes infinity or NaN. NaN has no sign. */
static char *write_odd(char *to, bool infinite, bool negative) {
    if (infinite && negative) *to++ = '-';
    memcpy(to, infinite ? "inf" : "nan", 3);
    return to + 3;
}

/* A number in its parts: significand with `bits` bits behind the first, exponent from `least` on.
 */
static inline size_t write_parts(char *text, bool negative, uint64_t field, unsigned biased,
                                 int bits, int least) {
    char *to = text;
    if (negative) *to++ = '-';
    if (field == 0 && biased == 0) {
        *to++ = '0';
        return (size_t)(to - text);
    }
    const uint64_t c = biased ? field | UINT64_C(1) << bits : field;
    const int q = least + (int)(biased ? biased - 1 : 0);
    const bool whole = q <= 0 && q > -bits - 1 && (c & ((UINT64_C(1) << -q) - 1)) == 0;
    const decimal found =
        whole ? (decimal){.digits = c >> -q} : shortest(c, q, field == 0 && biased > 1, bits < 52);
    return (size_t)(write_decimal(to, &found) - text);
}

size_t decimal_write_f64(char text[DECIMAL_SIZE], double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    const uint64_t field = word & ((UINT64_C(1) << 52) - 1);
    const unsigned biased = (unsigned)(word >> 52) & 0x7FF;
    if (biased == 0x7FF) return (size_t)(write_odd(text, field == 0, word >> 63) - text);
    return write_parts(text, word >> 63, field, biased, 52, -1074);
}

size_t decimal_write_f32(char text[DECIMAL_SIZE], float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    const uint32_t field = word & 0x7FFFFF;
    const unsigned biased = word >> 23 & 0xFF;
    if (biased == 0xFF) return (size_t)(write_odd(text, field == 0, word >> 31) - text);
    return write_parts(text, word >> 31, field, biased, 23, -149);
}
