#include "ratio_error.h"

#include <float.h>
#include <math.h>

#include "reference_region.h"

long double ratio_error(const reference_contact_long *c, long double r1, long double r2,
                        long double at, long double allowance) {
    const long double e = c->restitution, approach = fabsl(c->u[2]);
    const long double k_r = c->k13 * r1 + c->k23 * r2, u_r = c->u[0] * r1 + c->u[1] * r2;
    const long double k_size = fabsl(c->k13 * r1) + fabsl(c->k23 * r2);
    const long double u_size = fabsl(c->u[0] * r1) + fabsl(c->u[1] * r2);
    const long double t_r = c->k11 * r1 * r1 + 2 * c->k12 * r1 * r2 + c->k22 * r2 * r2;
    const long double t_size = c->k11 * r1 * r1 + 2 * fabsl(c->k12 * r1 * r2) + c->k22 * r2 * r2;
    const long double a = 2 * u_r * k_r + (1 + e) * approach * t_r;
    const long double b = 2 * (c->k33 * u_r + e * approach * k_r);
    const long double a_size = 2 * u_size * k_size + (1 + e) * approach * t_size;
    const long double b_size = 2 * (c->k33 * u_size + e * approach * k_size);
    const long double size = (a_size * at + b_size) * at + (1 - e) * approach * c->k33;
    const long double slope = fabsl((2 * a * at + b) * at);
    const long double rate = c->k33 + at * k_r, p_n = (1 + e) * approach / rate;
    const long double p[3] = {at * r1 * p_n, at * r2 * p_n, p_n};
    const long double energy_size = reference_judge_long(c, p).energy_size;
    return 8 * (DBL_EPSILON / 2) * (1 + size / slope) +
           allowance * energy_size * 2 * rate / (p_n * slope);
}
