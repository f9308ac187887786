/*
 * Where restitution ends along a straight line, on which u_n changes at a constant rate: no contact
 * that the other tests draw comes to a line whose end is near the bound.
 */
#define IMPINGE_TARGET_SCALAR
#define IMPINGE_REAL_BITS 64
#include "../kernels/routh/rule.h"

#include <criterion/criterion.h>

#include <math.h>

static bool is_reached(impinge_restitution_rule rule, double amount, double u_n, double rate,
                       double work_scale) {
    const routh_options_t law = {.rule = rule};
    return mask_any(end_is_reached(&law, lane_set(amount), lane_set(u_n), lane_set(rate),
                                   lane_set(work_scale)));
}

/*
 * Along q the work is u_n q + rate q^2 / 2. If u_n falls, the most of it is u_n^2 / (-2 rate), here
 * 1/2 and, in the units of a scale s, s / 2: of powers of two, and so exactly.
 */
Test(rule, stronge_ends_where_work_suffices) {
    for (int e = -20; e <= 20; e += 5) {
        const double s = ldexp(1, e), most = s / 2;
        cr_expect(is_reached(IMPINGE_RULE_STRONGE, most, 1, -1, s));
        cr_expect(is_reached(IMPINGE_RULE_STRONGE, most * 0.75, 1, -1, s));
        cr_expect(!is_reached(IMPINGE_RULE_STRONGE, most * 1.25, 1, -1, s));
        cr_expect(is_reached(IMPINGE_RULE_STRONGE, most * 1.25, 1, 1, s), "u_n grows");
    }
}
