#include "spheres.h"

#include <math.h>

/* a - b if that is finite, else half of it: only the direction counts. */
static double difference(double a, double b, double scale) { return scale * a - scale * b; }

/* Divided by its largest component first, so that no square over- or underflows. */
static void normalise(double v[3]) {
    double largest = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    for (size_t i = 0; i < 3; i++)
        v[i] /= largest;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (size_t i = 0; i < 3; i++)
        v[i] /= length;
}

/* NaN if the centres coincide. */
static void normal_between(const numbers *columns, size_t row, double normal[3]) {
    double scale = 1;
    for (size_t i = 0; i < 3; i++) {
        double a = numbers_get(&columns[SPHERE_POSITION_A + i], row);
        double b = numbers_get(&columns[SPHERE_POSITION_B + i], row);
        if (isinf(a - b)) scale = 0.5;
    }
    for (size_t i = 0; i < 3; i++)
        normal[i] = difference(numbers_get(&columns[SPHERE_POSITION_A + i], row),
                               numbers_get(&columns[SPHERE_POSITION_B + i], row), scale);
    normalise(normal);
}

static double inverse_inertia(double mass, double radius) {
    if (!(radius > 0)) return NAN;
    /* One division after the other: the square of a radius may underflow. */
    return 2.5 / mass / radius / radius;
}

static void set_body(const numbers *body, size_t row, double mass, double radius,
                     const double normal[3], double direction) {
    double inertia = inverse_inertia(mass, radius);
    numbers_set(&body[BODY_INVERSE_MASS], row, 1 / mass);
    numbers_set(&body[BODY_INVERSE_INERTIA_XX], row, inertia);
    numbers_set(&body[BODY_INVERSE_INERTIA_XY], row, 0);
    numbers_set(&body[BODY_INVERSE_INERTIA_XZ], row, 0);
    numbers_set(&body[BODY_INVERSE_INERTIA_YY], row, inertia);
    numbers_set(&body[BODY_INVERSE_INERTIA_YZ], row, 0);
    numbers_set(&body[BODY_INVERSE_INERTIA_ZZ], row, inertia);
    for (size_t i = 0; i < 3; i++)
        numbers_set(&body[BODY_ARM + i], row, direction * radius * normal[i]);
}

void spheres_to_pairs(const numbers *columns, const batch *pairs, size_t first, size_t count) {
    for (size_t row = first; row < first + count; row++) {
        double normal[3];
        normal_between(columns, row, normal);
        for (size_t i = 0; i < 3; i++)
            numbers_set(&pairs->inputs[PAIR_NORMAL + i], row, normal[i]);
        set_body(&pairs->inputs[PAIR_A], row, numbers_get(&columns[SPHERE_MASS_A], row),
                 numbers_get(&columns[SPHERE_RADIUS_A], row), normal, -1);
        set_body(&pairs->inputs[PAIR_B], row, numbers_get(&columns[SPHERE_MASS_B], row),
                 numbers_get(&columns[SPHERE_RADIUS_B], row), normal, 1);
    }
}
