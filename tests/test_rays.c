/* The queries about one matrix: rays of constant sliding, the diverging ray, stable sticking. */
#include <float.h>
#include <math.h>

#include <criterion/criterion.h>

#include <impinge/rays.h>

#include "random_contacts.h"
#include "reference.h"

static const double degree = 0.017453292519943295769;

/* Mirtich 1996, corrected, figure 4. */
static const impinge_collision_matrix figure_4 = {20, 0, 1, 4, 6, 10};
static const double figure_4_friction = 0.7;

static const impinge_collision_matrix sphere = {3.5, 0, 0, 3.5, 0, 1};

Test(rays, of_figure_4) {
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count = 0;
    cr_assert(impinge_find_rays(&figure_4, figure_4_friction, rays, &count) == IMPINGE_OK);
    cr_assert(count == 4, "%zu", count);
    const double angles[] = {87, 209, 281, 323}; /* as printed: to a degree */
    for (size_t i = 0; i < 4; i++) {
        cr_expect(fabs(rays[i].angle / degree - angles[i]) < 0.5, "%g", rays[i].angle / degree);
        cr_expect(rays[i].kind == (i == 0 ? IMPINGE_RAY_DIVERGING : IMPINGE_RAY_CONVERGING));
    }
    bool stable = true;
    cr_assert(impinge_sticking_is_stable(&figure_4, figure_4_friction, &stable) == IMPINGE_OK);
    cr_expect(!stable);
}

/* The rate of the slip in the direction (s1, s2), by eq. (3) itself. */
static void slip_rate(const impinge_collision_matrix *k, double mu, const impinge_ray *ray,
                      double rate[2]) {
    rate[0] = k->k13 - mu * (k->k11 * ray->s1 + k->k12 * ray->s2);
    rate[1] = k->k23 - mu * (k->k12 * ray->s1 + k->k22 * ray->s2);
}

static double size_of(const impinge_collision_matrix *k, double mu) {
    return fabs(k->k13) + fabs(k->k23) + mu * (k->k11 + k->k22);
}

/*
 * On a ray the slip does not turn, and grows at the given rate. A few roundings of terms of this
 * size stand between; a double root is known to the square root of rounding, where f is flat.
 */
static void check_ray(const impinge_collision_matrix *k, double mu, const impinge_ray *ray) {
    double rate[2];
    slip_rate(k, mu, ray, rate);
    const double rounding = 64 * DBL_EPSILON * size_of(k, mu);
    cr_expect(fabs(hypot(ray->s1, ray->s2) - 1) <= 4 * DBL_EPSILON);
    cr_expect(fabs(ray->s1 * rate[1] - ray->s2 * rate[0]) <= rounding, "turns by %g",
              ray->s1 * rate[1] - ray->s2 * rate[0]);
    cr_expect(fabs(ray->s1 * rate[0] + ray->s2 * rate[1] - ray->rate) <= rounding);
    const double normal = k->k33 - mu * (k->k13 * ray->s1 + k->k23 * ray->s2);
    cr_expect(fabs(normal - ray->normal_rate) <= rounding + 64 * DBL_EPSILON * k->k33);
    cr_expect(ray->angle >= 0 && ray->angle < 360 * degree);
    cr_expect(fabs(cos(ray->angle) - ray->s1) + fabs(sin(ray->angle) - ray->s2) <=
              16 * DBL_EPSILON);
}

static impinge_collision_matrix random_matrix(uint64_t *state, double *friction) {
    double row[CONTACT_INPUTS];
    const random_kind kinds[] = {RANDOM_BOXES, RANDOM_DEFINITE, RANDOM_PLANAR, RANDOM_TWO_PHASE};
    random_contact(state, kinds[random_below(state, 4)], 0, row);
    *friction = random_between(state, 0, 2);
    return (impinge_collision_matrix){row[0], row[1], row[2], row[3], row[4], row[5]};
}

Test(rays, of_random_matrices_as_the_reference_finds_them) {
    uint64_t state = 5;
    for (int i = 0; i < 3000; i++) {
        double mu;
        const impinge_collision_matrix k = random_matrix(&state, &mu);
        impinge_ray rays[IMPINGE_RAYS_MAX];
        impinge_ray right[IMPINGE_RAYS_MAX];
        size_t count = 0;
        size_t right_count = 0;
        cr_assert(impinge_find_rays(&k, mu, rays, &count) == IMPINGE_OK);
        reference_rays(&k, mu, right, &right_count);
        cr_expect(count == right_count, "matrix %d: %zu rays, not %zu", i, count, right_count);
        for (size_t j = 0; j < count && count <= IMPINGE_RAYS_MAX; j++) {
            check_ray(&k, mu, &rays[j]);
            if (count == right_count) cr_expect(rays[j].kind == right[j].kind, "matrix %d", i);
        }
    }
}

/* The one ray that diverges is the diverging ray, and it exists where sticking is unstable. */
Test(rays, diverging) {
    uint64_t state = 6;
    int found = 0;
    for (int i = 0; i < 3000; i++) {
        double mu;
        const impinge_collision_matrix k = random_matrix(&state, &mu);
        bool exists = false;
        bool stable = false;
        impinge_ray ray;
        cr_assert(impinge_find_diverging_ray(&k, mu, &ray, &exists) == IMPINGE_OK);
        cr_assert(impinge_sticking_is_stable(&k, mu, &stable) == IMPINGE_OK);
        cr_assert(exists == !stable);
        const double determinant = k.k11 * k.k22 - k.k12 * k.k12;
        const double w1 = (k.k22 * k.k13 - k.k12 * k.k23) / determinant; /* T^-1 k */
        const double w2 = (k.k11 * k.k23 - k.k12 * k.k13) / determinant;
        cr_expect(exists == (hypot(w1, w2) > mu));
        impinge_ray rays[IMPINGE_RAYS_MAX];
        size_t count = 0;
        cr_assert(impinge_find_rays(&k, mu, rays, &count) == IMPINGE_OK);
        for (size_t j = 0; j < count && count <= IMPINGE_RAYS_MAX; j++) {
            if (rays[j].kind != IMPINGE_RAY_DIVERGING) continue;
            cr_expect(exists && fabs(rays[j].s1 * ray.s2 - rays[j].s2 * ray.s1) < 1e-9 &&
                          rays[j].s1 * ray.s1 + rays[j].s2 * ray.s2 > 0,
                      "matrix %d", i);
        }
        if (!exists) continue;
        check_ray(&k, mu, &ray);
        cr_expect(ray.kind == IMPINGE_RAY_DIVERGING && ray.rate > 0 && ray.normal_rate > 0);
        found++;
    }
    cr_expect(found > 300, "only %d", found);
}

Test(rays, everywhere) {
    size_t count = 0;
    impinge_ray rays[IMPINGE_RAYS_MAX];
    cr_assert(impinge_find_rays(&sphere, 0.4, rays, &count) == IMPINGE_OK);
    cr_expect(count == IMPINGE_RAYS_EVERY_DIRECTION);
}

/* Without friction u' = k: one way it grows, the other way it shrinks. */
Test(rays, without_friction) {
    size_t count = 0;
    impinge_ray rays[IMPINGE_RAYS_MAX];
    cr_assert(impinge_find_rays(&figure_4, 0, rays, &count) == IMPINGE_OK);
    cr_assert(count == 2, "%zu", count);
    cr_expect(rays[0].kind == IMPINGE_RAY_DIVERGING && rays[1].kind == IMPINGE_RAY_CONVERGING);
    cr_expect(fabs(rays[0].rate - sqrt(37.0)) < 1e-14 * 37);
}

Test(rays, at_any_scale) {
    impinge_collision_matrix k = figure_4;
    const double scale = 0x1p-900;
    k.k11 *= scale, k.k12 *= scale, k.k13 *= scale, k.k22 *= scale, k.k23 *= scale, k.k33 *= scale;
    impinge_ray rays[IMPINGE_RAYS_MAX];
    impinge_ray unscaled[IMPINGE_RAYS_MAX];
    size_t count = 0;
    cr_assert(impinge_find_rays(&figure_4, figure_4_friction, unscaled, &count) == IMPINGE_OK);
    cr_assert(impinge_find_rays(&k, figure_4_friction, rays, &count) == IMPINGE_OK);
    for (size_t i = 0; i < count; i++) {
        cr_expect(rays[i].angle == unscaled[i].angle);
        cr_expect(rays[i].rate == unscaled[i].rate * scale);
    }
}

Test(rays, infinite_friction) {
    bool exists = true;
    bool stable = false;
    impinge_ray ray;
    cr_assert(impinge_find_diverging_ray(&figure_4, (double)INFINITY, &ray, &exists) == IMPINGE_OK);
    cr_assert(impinge_sticking_is_stable(&figure_4, (double)INFINITY, &stable) == IMPINGE_OK);
    cr_expect(!exists && stable);
}

Test(rays, wrong_arguments) {
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count = 0;
    bool answer = false;
    cr_expect(impinge_find_rays(NULL, 1, rays, &count) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_find_rays(&figure_4, 1, NULL, &count) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_find_rays(&figure_4, 1, rays, NULL) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_find_diverging_ray(NULL, 1, rays, &answer) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_find_diverging_ray(&figure_4, 1, NULL, &answer) ==
              IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_find_diverging_ray(&figure_4, 1, rays, NULL) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_sticking_is_stable(NULL, 1, &answer) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_sticking_is_stable(&figure_4, 1, NULL) == IMPINGE_ERROR_NULL_POINTER);
    const double wrong[] = {-1, (double)NAN};
    for (size_t i = 0; i < 2; i++) {
        cr_expect(impinge_find_rays(&figure_4, wrong[i], rays, &count) == IMPINGE_ERROR_ARGUMENT);
        cr_expect(impinge_find_diverging_ray(&figure_4, wrong[i], rays, &answer) ==
                  IMPINGE_ERROR_ARGUMENT);
        cr_expect(impinge_sticking_is_stable(&figure_4, wrong[i], &answer) ==
                  IMPINGE_ERROR_ARGUMENT);
    }
    cr_expect(impinge_find_rays(&figure_4, (double)INFINITY, rays, &count) ==
              IMPINGE_ERROR_ARGUMENT);
    const impinge_collision_matrix matrices[] = {
        {0, 0, 0, 0, 0, 0},  {1, 2, 0, 1, 0, 1},           {1, 0, 2, 1, 0, 1},
        {1, 0, 0, 1, 0, -1}, {(double)NAN, 0, 0, 1, 0, 1}, {(double)INFINITY, 0, 0, 1, 0, 1}};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        cr_expect(impinge_find_rays(&matrices[i], 1, rays, &count) == IMPINGE_ERROR_ARGUMENT, "%zu",
                  i);
}
