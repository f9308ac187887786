/**
 * Planar contacts: bodies that move in a plane and turn about its normal, in single (f32) and
 * double (f64) precision.
 *
 * Routh's law in the plane (Mirtich 1996, corrected, section 5): slip has only two directions, so
 * it never turns, and the whole collision has a closed form. The answer is that of
 * impinge_resolve_contacts for the same contact in space (K_12 = K_23 = 0, u_2 = 0), with no error
 * but that of rounding. A contact near a jam, or with almost no restitution, may amplify that.
 *
 * Conventions that differ from batch.h. The contact frame is (t, n); n points from B to
 * A, and t is n turned clockwise by a right angle, t = (n_y, -n_x), so that (t, n) is right-handed
 * as (x, y) is: for n = (0, 1), t = (1, 0). Angular velocities and moments count anticlockwise. u =
 * u0 + K p with
 *
 *     K_ij = (1/m_A + 1/m_B) d_ij + (r_A x e_i)(r_A x e_j) / I_A + (r_B x e_i)(r_B x e_j) / I_B,
 *
 * e = (t, n), d_ij = 1 for i = j and else 0, and a x b = a_x b_y - a_y b_x.
 *
 * Arrays, bits, threads and stack are as in batch.h. u_after equals u0 + K p with an error of at
 * most 64 eps (|u0_i| + sqrt(K_ii) sum_j sqrt(K_jj) |p_j|) in component i, eps 2^-24 in f32 and
 * 2^-53 in f64.
 *
 * Options. `rule`, `resolve_jams` and `restitution_above_one` mean the same as for Routh's law in
 * space; `law` has to be IMPINGE_LAW_ROUTH (zero). `tolerance` has no effect on the impulse: it is
 * the error of the velocity after, relative to |u0|, above which TOLERANCE_MISSED is set.
 *
 * Outcomes. SLID if the contact slid at first; STUCK or DIVERGED if its slip vanished or was zero
 * at first, with SLIP_ENDED_LATE if it vanished in restitution instead of compression;
 * SLIP_REVERSED; JAMMED; ENERGY_GAINED with OUTSIDE_REGION; TOLERANCE_MISSED if the velocity after
 * may be off by more than options.tolerance |u0|, apart from the effect of rounding the input, and
 * then OUTSIDE_REGION if the bodies still approach; and those of no impulse. A slip below 2^-60
 * |u_n| (2^-500 in f64) counts as none, except where static friction exceeds kinetic friction.
 */
#ifndef IMPINGE_PLANAR_H
#define IMPINGE_PLANAR_H

#include <impinge/batch.h>

#include <impinge/planar_f32.h>
#include <impinge/planar_f64.h>

#endif
