#include "haff.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double haff_enskog_factor(double packing) {
    return (1 - packing / 2) / ((1 - packing) * (1 - packing) * (1 - packing));
}

double haff_frequency(double packing, double diameter, double mass, double temperature) {
    /* n = phi / (pi sigma^3 / 6) */
    const double density = 6 * packing / (pi * diameter * diameter * diameter);
    return 4 * density * diameter * diameter * haff_enskog_factor(packing) *
           sqrt(pi * temperature / mass);
}

double haff_kurtosis(double e) {
    return 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e));
}

double haff_time(double e, double frequency) {
    return 6 / ((1 - e * e) * frequency * (1 + 3.0 / 16 * haff_kurtosis(e)));
}

double haff_fit(const series *of, double collisions_max, double *until) {
    double product = 0;
    double square = 0;
    size_t used = 0;
    for (; used < of->count; used++) {
        const sample *at = &of->samples[used];
        if (at->collisions > collisions_max) break;
        product += at->time * (sqrt(of->samples[0].temperature / at->temperature) - 1);
        square += at->time * at->time;
    }
    if (used < 3) return NAN;
    if (until) *until = of->samples[used - 1].time;
    return square / product;
}
