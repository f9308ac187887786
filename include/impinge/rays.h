/**
 * Queries about one collision matrix: its rays of constant sliding, and whether sticking is stable.
 *
 * While a contact slides, u_t' = k - mu T s per unit of normal impulse, with s = u_t / |u_t|, T the
 * tangential block of K and k = (K13, K23). A ray of constant sliding is a direction s that does
 * not change (Mirtich 1996, corrected, 3.7). All functions are thread safe and in double precision
 * only.
 */
#ifndef IMPINGE_RAYS_H
#define IMPINGE_RAYS_H

#include <stdbool.h>
#include <stddef.h>

#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The symmetric collision matrix K in the contact frame (t1, t2, n), 1/kg: u = u0 + K p. */
typedef struct impinge_collision_matrix {
    double k11, k12, k13, k22, k23, k33;
} impinge_collision_matrix;

/** The behaviour of slip on a ray of constant sliding. */
typedef enum impinge_ray_kind {
    IMPINGE_RAY_CONVERGING = -1, /**< the slip shrinks to zero */
    IMPINGE_RAY_STATIONARY = 0,  /**< the slip does not change */
    IMPINGE_RAY_DIVERGING = 1    /**< the slip grows */
} impinge_ray_kind;

/** A ray of constant sliding. */
typedef struct impinge_ray {
    double angle;          /**< of s, from t1 towards t2, radians in [0, 2 pi) */
    double s1, s2;         /**< the unit direction of the slip */
    double rate;           /**< d|u_t|/dp_n on the ray, 1/kg */
    double normal_rate;    /**< du_n/dp_n on the ray, 1/kg */
    impinge_ray_kind kind; /**< the sign of rate, zero within its rounding error */
} impinge_ray;

/** The largest number of rays of a matrix, unless every direction is one. */
#define IMPINGE_RAYS_MAX 4

/** The count from impinge_find_rays if every direction is a ray (an isotropic T with k = 0). */
#define IMPINGE_RAYS_EVERY_DIRECTION ((size_t)-1)

/**
 * All rays of constant sliding, by the quartic of Mirtich 1996, corrected, 3.8, in order of their
 * angles; double roots once.
 *
 * @param matrix positive definite
 * @param friction mu >= 0, finite
 * @param rays room for IMPINGE_RAYS_MAX; the first *count are written
 * @param count written: 1 to 4, or IMPINGE_RAYS_EVERY_DIRECTION; then no ray is written
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_ARGUMENT.
 */
IMPINGE_API impinge_status impinge_find_rays(const impinge_collision_matrix *matrix,
                                             double friction, impinge_ray *rays, size_t *count);

/**
 * The ray along which slip leaves zero when sticking is unstable (Mirtich 1996, corrected, 3.10): s
 * = (lambda 1 + mu T)^-1 k with the one lambda > 0 that makes |s| = 1. It exists if and only if
 * |T^-1 k| > mu.
 *
 * @param matrix positive definite
 * @param friction mu >= 0; infinity is allowed, and then no ray exists
 * @param ray written if it exists
 * @param exists written: true if the ray exists
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_ARGUMENT.
 */
IMPINGE_API impinge_status impinge_find_diverging_ray(const impinge_collision_matrix *matrix,
                                                      double friction, impinge_ray *ray,
                                                      bool *exists);

/**
 * True if a contact at zero slip stays there: |T^-1 k| <= mu_s (Mirtich 1996, corrected, 3.5).
 *
 * @param matrix positive definite
 * @param friction_static mu_s >= 0, infinity allowed
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_ARGUMENT.
 */
IMPINGE_API impinge_status impinge_sticking_is_stable(const impinge_collision_matrix *matrix,
                                                      double friction_static, bool *stable);

#ifdef __cplusplus
}
#endif
#endif
