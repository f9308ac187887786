/* Operations that AVX2 and AVX-512 compute by the same names: V(op) is the register's operation. */
#ifndef IMPINGE_KERNELS_LANE_X86_ARITHMETIC_H
#define IMPINGE_KERNELS_LANE_X86_ARITHMETIC_H

static inline reg_t reg_add(reg_t a, reg_t b) { return V(add)(a, b); }
static inline reg_t reg_sub(reg_t a, reg_t b) { return V(sub)(a, b); }
static inline reg_t reg_mul(reg_t a, reg_t b) { return V(mul)(a, b); }
static inline reg_t reg_div(reg_t a, reg_t b) { return V(div)(a, b); }
static inline reg_t reg_sqrt(reg_t a) { return V(sqrt)(a); }
static inline reg_t reg_fma(reg_t a, reg_t b, reg_t c) { return V(fmadd)(a, b, c); }
static inline reg_t reg_fnma(reg_t a, reg_t b, reg_t c) { return V(fnmadd)(a, b, c); }
static inline reg_t reg_fms(reg_t a, reg_t b, reg_t c) { return V(fmsub)(a, b, c); }

static inline reg_t reg_abs(reg_t a) { return V(andnot)(reg_set(REAL(-0.0)), a); }
static inline reg_t reg_neg(reg_t a) { return V(xor)(reg_set(REAL(-0.0)), a); }
static inline reg_t reg_copysign(reg_t a, reg_t sign) {
    const reg_t sign_bit = reg_set(REAL(-0.0));
    return V(or)(V(andnot)(sign_bit, a), V(and)(sign_bit, sign));
}

static inline reg_t reg_min(reg_t a, reg_t b) { return V(min)(a, b); }
static inline reg_t reg_max(reg_t a, reg_t b) { return V(max)(a, b); }

static inline reg_t reg_power_of_two(reg_t a) {
    /* Infinity's bits are the mask of the exponent. */
    return V(and)(a, reg_set((real_t)INFINITY));
}

static inline reg_t reg_inverse_power(reg_t a) {
    /* The exponent's inverted bits are those of 2 over it. */
    return V(mul)(V(andnot)(a, reg_set((real_t)INFINITY)), reg_set(REAL(0.5)));
}

#endif
