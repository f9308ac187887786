/**
 * Impinge: impulses of very large batches of contact collisions with friction.
 *
 * This header includes every other one. Units are the caller's, as long as they are consistent; the
 * comments give dimensions in terms of mass (kg), length (m) and time (s).
 */
#ifndef IMPINGE_IMPINGE_H
#define IMPINGE_IMPINGE_H

#include <impinge/batch.h>
#include <impinge/bodies.h>
#include <impinge/body_step.h>
#include <impinge/contact_dynamics.h>
#include <impinge/groups.h>
#include <impinge/mechanisms.h>
#include <impinge/neighbours.h>
#include <impinge/outcome.h>
#include <impinge/particle_rows.h>
#include <impinge/particle_step.h>
#include <impinge/particles.h>
#include <impinge/planar.h>
#include <impinge/rays.h>
#include <impinge/region.h>
#include <impinge/selection.h>
#include <impinge/simultaneous.h>
#include <impinge/status.h>
#include <impinge/target.h>
#include <impinge/trace.h>
#include <impinge/version.h>

#endif
