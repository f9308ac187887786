/*
 * Queries about one contact, in double precision and portable C: the kernels' own functions at a
 * width of one. No pointer is null, and options are complete.
 */
#ifndef IMPINGE_QUERY_QUERY_H
#define IMPINGE_QUERY_QUERY_H

#include <impinge/rays.h>
#include <impinge/region.h>
#include <impinge/trace.h>

impinge_status impinge_query_rays(const impinge_collision_matrix *matrix, double friction,
                                  impinge_ray *rays, size_t *count);
impinge_status impinge_query_diverging_ray(const impinge_collision_matrix *matrix, double friction,
                                           impinge_ray *ray, bool *exists);
impinge_status impinge_query_sticking(const impinge_collision_matrix *matrix,
                                      double friction_static, bool *stable);

impinge_status impinge_query_impulse(const impinge_region_contact *contact,
                                     const impinge_region_coordinates *at, double impulse[3]);
impinge_status impinge_query_coordinates(const impinge_region_contact *contact,
                                         const double impulse[3], impinge_region_coordinates *at);
impinge_status impinge_query_ratio_bounds(const impinge_region_contact *contact, double restitution,
                                          const double direction[2], impinge_ratio_bounds *bounds);

/* Passes the path of a contact to the visitor; returns its outcome. */
uint32_t impinge_query_path(const impinge_trace_input *contact, const impinge_options *options,
                            size_t points_per_step, impinge_trace_visitor *visitor, void *user);

#endif
