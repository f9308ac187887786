/**
 * The quantities of contacts, each once: its index in a batch, the member of the library's struct
 * that gets it, and the name of its column. Enumerations, columns, outputs and the structs of a
 * call are made of these lists, so that none of them can miss one.
 *
 * Each line is FIELD(index, member, column, with), where `with` is whatever the list was given.
 */
#ifndef TOOLS_FIELDS_H
#define TOOLS_FIELDS_H

#define CONTACT_INPUT_FIELDS(FIELD, with)                                                          \
    FIELD(CONTACT_K11, k11, "k11", with)                                                           \
    FIELD(CONTACT_K12, k12, "k12", with)                                                           \
    FIELD(CONTACT_K13, k13, "k13", with)                                                           \
    FIELD(CONTACT_K22, k22, "k22", with)                                                           \
    FIELD(CONTACT_K23, k23, "k23", with)                                                           \
    FIELD(CONTACT_K33, k33, "k33", with)                                                           \
    FIELD(CONTACT_U1, u1, "u1", with)                                                              \
    FIELD(CONTACT_U2, u2, "u2", with)                                                              \
    FIELD(CONTACT_U3, u3, "u3", with)

/* The shape of a body; `side` is "a" or "b". */
#define BODY_SHAPE_FIELDS(FIELD, side, with)                                                       \
    FIELD(BODY_INVERSE_MASS, inverse_mass, "inv_mass_" side, with)                                 \
    FIELD(BODY_INVERSE_INERTIA_XX, inverse_inertia_xx, "inv_inertia_" side "_xx", with)            \
    FIELD(BODY_INVERSE_INERTIA_XY, inverse_inertia_xy, "inv_inertia_" side "_xy", with)            \
    FIELD(BODY_INVERSE_INERTIA_XZ, inverse_inertia_xz, "inv_inertia_" side "_xz", with)            \
    FIELD(BODY_INVERSE_INERTIA_YY, inverse_inertia_yy, "inv_inertia_" side "_yy", with)            \
    FIELD(BODY_INVERSE_INERTIA_YZ, inverse_inertia_yz, "inv_inertia_" side "_yz", with)            \
    FIELD(BODY_INVERSE_INERTIA_ZZ, inverse_inertia_zz, "inv_inertia_" side "_zz", with)            \
    FIELD(BODY_ARM, arm_x, "arm_" side "_x", with)                                                 \
    FIELD(BODY_ARM_Y, arm_y, "arm_" side "_y", with)                                               \
    FIELD(BODY_ARM_Z, arm_z, "arm_" side "_z", with)

/* The motion of a body. */
#define BODY_MOTION_FIELDS(FIELD, side, with)                                                      \
    FIELD(BODY_VELOCITY, velocity_x, "velocity_" side "_x", with)                                  \
    FIELD(BODY_VELOCITY_Y, velocity_y, "velocity_" side "_y", with)                                \
    FIELD(BODY_VELOCITY_Z, velocity_z, "velocity_" side "_z", with)                                \
    FIELD(BODY_ANGULAR_VELOCITY, angular_velocity_x, "angular_velocity_" side "_x", with)          \
    FIELD(BODY_ANGULAR_VELOCITY_Y, angular_velocity_y, "angular_velocity_" side "_y", with)        \
    FIELD(BODY_ANGULAR_VELOCITY_Z, angular_velocity_z, "angular_velocity_" side "_z", with)

#define QUATERNION_FIELDS(FIELD, side, with)                                                       \
    FIELD(QUATERNION_W, w, "orientation_" side "_w", with)                                         \
    FIELD(QUATERNION_X, x, "orientation_" side "_x", with)                                         \
    FIELD(QUATERNION_Y, y, "orientation_" side "_y", with)                                         \
    FIELD(QUATERNION_Z, z, "orientation_" side "_z", with)

#define NORMAL_FIELDS(FIELD, with)                                                                 \
    FIELD(PAIR_NORMAL, normal_x, "normal_x", with)                                                 \
    FIELD(PAIR_NORMAL_Y, normal_y, "normal_y", with)                                               \
    FIELD(PAIR_NORMAL_Z, normal_z, "normal_z", with)

/* The shapes of two spheres, from which spheres.h makes bodies and the normal. */
#define SPHERE_FIELDS(FIELD, with)                                                                 \
    FIELD(SPHERE_RADIUS_A, , "radius_a", with)                                                     \
    FIELD(SPHERE_RADIUS_B, , "radius_b", with)                                                     \
    FIELD(SPHERE_MASS_A, , "mass_a", with)                                                         \
    FIELD(SPHERE_MASS_B, , "mass_b", with)                                                         \
    FIELD(SPHERE_POSITION_A, , "position_a_x", with)                                               \
    FIELD(SPHERE_POSITION_A_Y, , "position_a_y", with)                                             \
    FIELD(SPHERE_POSITION_A_Z, , "position_a_z", with)                                             \
    FIELD(SPHERE_POSITION_B, , "position_b_x", with)                                               \
    FIELD(SPHERE_POSITION_B_Y, , "position_b_y", with)                                             \
    FIELD(SPHERE_POSITION_B_Z, , "position_b_z", with)

#define PLANAR_CONTACT_INPUT_FIELDS(FIELD, with)                                                   \
    FIELD(PLANAR_KTT, ktt, "ktt", with)                                                            \
    FIELD(PLANAR_KTN, ktn, "ktn", with)                                                            \
    FIELD(PLANAR_KNN, knn, "knn", with)                                                            \
    FIELD(PLANAR_UT, ut, "ut", with)                                                               \
    FIELD(PLANAR_UN, un, "un", with)

#define PLANAR_BODY_FIELDS(FIELD, side, with)                                                      \
    FIELD(PLANAR_BODY_INVERSE_MASS, inverse_mass, "inv_mass_" side, with)                          \
    FIELD(PLANAR_BODY_INVERSE_INERTIA, inverse_inertia, "inv_inertia_" side, with)                 \
    FIELD(PLANAR_BODY_ARM, arm_x, "arm_" side "_x", with)                                          \
    FIELD(PLANAR_BODY_ARM_Y, arm_y, "arm_" side "_y", with)                                        \
    FIELD(PLANAR_BODY_VELOCITY, velocity_x, "velocity_" side "_x", with)                           \
    FIELD(PLANAR_BODY_VELOCITY_Y, velocity_y, "velocity_" side "_y", with)                         \
    FIELD(PLANAR_BODY_ANGULAR_VELOCITY, angular_velocity, "angular_velocity_" side, with)

#define PLANAR_NORMAL_FIELDS(FIELD, with)                                                          \
    FIELD(PLANAR_PAIR_NORMAL, normal_x, "normal_x", with)                                          \
    FIELD(PLANAR_PAIR_NORMAL_Y, normal_y, "normal_y", with)

/* ---- Outputs ---- */

/* Each kind has indices of its own for the works, which begin with the first. */
#define WORK_FIELDS(FIELD, compression, restitution, friction, with)                               \
    FIELD(compression, work_compression, "work_compression", with)                                 \
    FIELD(restitution, work_restitution, "work_restitution", with)                                 \
    FIELD(friction, work_friction, "work_friction", with)

#define CONTACT_OUTPUT_FIELDS(FIELD, with)                                                         \
    FIELD(CONTACT_P1, p1, "p1", with)                                                              \
    FIELD(CONTACT_P2, p2, "p2", with)                                                              \
    FIELD(CONTACT_P3, p3, "p3", with)                                                              \
    FIELD(CONTACT_U1_AFTER, u1_after, "u1_after", with)                                            \
    FIELD(CONTACT_U2_AFTER, u2_after, "u2_after", with)                                            \
    FIELD(CONTACT_U3_AFTER, u3_after, "u3_after", with)                                            \
    WORK_FIELDS(FIELD, CONTACT_WORKS, CONTACT_WORK_RESTITUTION, CONTACT_WORK_FRICTION, with)

#define PAIR_IMPULSE_FIELDS(FIELD, with)                                                           \
    FIELD(PAIR_IMPULSE, impulse_x, "impulse_x", with)                                              \
    FIELD(PAIR_IMPULSE_Y, impulse_y, "impulse_y", with)                                            \
    FIELD(PAIR_IMPULSE_Z, impulse_z, "impulse_z", with)

#define BODY_OUTPUT_FIELDS(FIELD, side, with)                                                      \
    FIELD(BODY_VELOCITY_AFTER, velocity_x, "velocity_" side "_x_after", with)                      \
    FIELD(BODY_VELOCITY_Y_AFTER, velocity_y, "velocity_" side "_y_after", with)                    \
    FIELD(BODY_VELOCITY_Z_AFTER, velocity_z, "velocity_" side "_z_after", with)                    \
    FIELD(BODY_SPIN_AFTER, angular_velocity_x, "angular_velocity_" side "_x_after", with)          \
    FIELD(BODY_SPIN_Y_AFTER, angular_velocity_y, "angular_velocity_" side "_y_after", with)        \
    FIELD(BODY_SPIN_Z_AFTER, angular_velocity_z, "angular_velocity_" side "_z_after", with)

#define PAIR_WORK_FIELDS(FIELD, with)                                                              \
    WORK_FIELDS(FIELD, PAIR_WORKS, PAIR_WORK_RESTITUTION, PAIR_WORK_FRICTION, with)

#define PLANAR_CONTACT_OUTPUT_FIELDS(FIELD, with)                                                  \
    FIELD(PLANAR_CONTACT_PT, pt, "pt", with)                                                       \
    FIELD(PLANAR_CONTACT_PN, pn, "pn", with)                                                       \
    FIELD(PLANAR_CONTACT_UT_AFTER, ut_after, "ut_after", with)                                     \
    FIELD(PLANAR_CONTACT_UN_AFTER, un_after, "un_after", with)                                     \
    WORK_FIELDS(FIELD, PLANAR_CONTACT_WORKS, PLANAR_CONTACT_WORK_RESTITUTION,                      \
                PLANAR_CONTACT_WORK_FRICTION, with)

#define PLANAR_PAIR_IMPULSE_FIELDS(FIELD, with)                                                    \
    FIELD(PLANAR_PAIR_IMPULSE, impulse_x, "impulse_x", with)                                       \
    FIELD(PLANAR_PAIR_IMPULSE_Y, impulse_y, "impulse_y", with)

#define PLANAR_BODY_OUTPUT_FIELDS(FIELD, side, with)                                               \
    FIELD(PLANAR_BODY_VELOCITY_AFTER, velocity_x, "velocity_" side "_x_after", with)               \
    FIELD(PLANAR_BODY_VELOCITY_Y_AFTER, velocity_y, "velocity_" side "_y_after", with)             \
    FIELD(PLANAR_BODY_SPIN_AFTER, angular_velocity, "angular_velocity_" side "_after", with)

#define PLANAR_PAIR_WORK_FIELDS(FIELD, with)                                                       \
    WORK_FIELDS(FIELD, PLANAR_PAIR_WORKS, PLANAR_PAIR_WORK_RESTITUTION, PLANAR_PAIR_WORK_FRICTION, \
                with)

/** An index and a comma, for an enumeration. */
#define FIELD_INDEX(index, member, column, with) index,

#endif
