#include "widen.h"

#include <float.h>
#include <math.h>

#include "orientation.h"
#include "reference_planar.h"

/* Left out, static friction is friction. */
static void set_friction_static(const batch *from, widened_contact *to) {
    if (!batch_has_coefficient(from, FRICTION_STATIC))
        to->coefficients[FRICTION_STATIC] = to->coefficients[FRICTION];
}

/*
 * A column of damping fractions is given, whatever is in it. The reference reads 0 as left out; NaN
 * is as invalid as the library finds a 0.
 */
static void set_damping_fraction(const batch *from, widened_contact *to) {
    const bool is_zero = to->coefficients[DAMPING_FRACTION] == 0;
    if (is_zero && from->coefficients[DAMPING_FRACTION].elements)
        to->coefficients[DAMPING_FRACTION] = NAN;
}

widened_contact widen(const batch *from, size_t row) {
    widened_contact to = {.kind = from->kind};
    for (size_t i = 0; i < BATCH_INPUTS_MAX; i++)
        if (from->inputs[i].elements) to.inputs[i] = numbers_get(&from->inputs[i], row);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        to.coefficients[i] = batch_coefficient(from, (enum coefficient)i, row);
    set_friction_static(from, &to);
    set_damping_fraction(from, &to);
    if (from->kind == BATCH_PAIRS) {
        to.turned[0] = from->inputs[PAIR_ORIENTATION_A].elements;
        to.turned[1] = from->inputs[PAIR_ORIENTATION_B].elements;
    }
    to.unit = (from->precision == PRECISION_F32 ? (long double)FLT_EPSILON : DBL_EPSILON) / 2;
    return to;
}

static void copy_vector(long double *to, const long double *from, size_t axes) {
    for (size_t i = 0; i < axes; i++)
        to[i] = from[i];
}

static reference_body_long body_of(const long double *in) {
    reference_body_long body = {.inverse_mass = in[BODY_INVERSE_MASS]};
    for (size_t i = 0; i < 6; i++)
        body.inverse_inertia[i] = in[BODY_INVERSE_INERTIA_XX + i];
    copy_vector(body.arm, in + BODY_ARM, 3);
    copy_vector(body.velocity, in + BODY_VELOCITY, 3);
    copy_vector(body.angular_velocity, in + BODY_ANGULAR_VELOCITY, 3);
    return body;
}

static reference_planar_body_long planar_body_of(const long double *in) {
    reference_planar_body_long body = {.inverse_mass = in[PLANAR_BODY_INVERSE_MASS],
                                       .inverse_inertia = in[PLANAR_BODY_INVERSE_INERTIA],
                                       .angular_velocity = in[PLANAR_BODY_ANGULAR_VELOCITY]};
    copy_vector(body.arm, in + PLANAR_BODY_ARM, 2);
    copy_vector(body.velocity, in + PLANAR_BODY_VELOCITY, 2);
    return body;
}

/* The same body in space: in the plane z = 0, turning about z. */
static reference_body_long body_in_space(const reference_planar_body_long *from) {
    reference_body_long body = {.inverse_mass = from->inverse_mass,
                                .inverse_inertia = {0, 0, 0, 0, 0, from->inverse_inertia},
                                .angular_velocity = {0, 0, from->angular_velocity}};
    copy_vector(body.arm, from->arm, 2);
    copy_vector(body.velocity, from->velocity, 2);
    return body;
}

static void set_matrix_and_velocity(const long double *in, reference_contact_long *contact) {
    contact->k11 = in[CONTACT_K11];
    contact->k12 = in[CONTACT_K12];
    contact->k13 = in[CONTACT_K13];
    contact->k22 = in[CONTACT_K22];
    contact->k23 = in[CONTACT_K23];
    contact->k33 = in[CONTACT_K33];
    copy_vector(contact->u, in + CONTACT_U1, 3);
}

/* The same contact in space (planar.h). */
static void set_from_planar(const reference_planar_contact_long *from,
                            reference_contact_long *contact) {
    contact->k11 = contact->k22 = from->ktt;
    contact->k13 = from->ktn;
    contact->k33 = from->knn;
    contact->u[0] = from->ut;
    contact->u[2] = from->un;
}

static void set_coefficients(const widened_contact *from, reference_contact_long *contact) {
    const long double *in = from->coefficients;
    *contact =
        (reference_contact_long){.restitution = in[RESTITUTION],
                                 .friction = in[FRICTION],
                                 .friction_static = in[FRICTION_STATIC],
                                 .tangential_restitution = in[TANGENTIAL_RESTITUTION],
                                 .mix = in[MIX],
                                 .impulse_ratio = {in[IMPULSE_RATIO_T1], in[IMPULSE_RATIO_T2]},
                                 .damping_fraction = in[DAMPING_FRACTION],
                                 .unit = from->unit};
}

static uint32_t set_up_pair(const widened_contact *from, reference_contact_long *contact,
                            reference_frame_long *frame) {
    reference_body_long a = body_of(from->inputs + PAIR_A);
    reference_body_long b = body_of(from->inputs + PAIR_B);
    uint32_t reasons = 0;
    if (from->turned[0]) reasons |= orientation_to_world(from->inputs + PAIR_ORIENTATION_A, &a);
    if (from->turned[1]) reasons |= orientation_to_world(from->inputs + PAIR_ORIENTATION_B, &b);
    if (reasons) return reasons;
    return reference_contact_from_bodies_long(&a, &b, from->inputs + PAIR_NORMAL, frame, contact);
}

/* The planar reference does not check bodies, so the one in space finds what is invalid. */
static uint32_t planar_reasons(const reference_planar_body_long *planar_a,
                               const reference_planar_body_long *planar_b,
                               const long double normal[3]) {
    const reference_body_long a = body_in_space(planar_a);
    const reference_body_long b = body_in_space(planar_b);
    reference_contact_long contact = {0};
    reference_frame_long frame;
    return reference_contact_from_bodies_long(&a, &b, normal, &frame, &contact);
}

/* t = (n_y, -n_x), and the third of a right-handed frame. */
static reference_frame_long planar_frame(const long double normal[3]) {
    const long double length = hypotl(normal[0], normal[1]);
    const long double x = normal[0] / length;
    const long double y = normal[1] / length;
    return (reference_frame_long){{{y, -x, 0}, {0, 0, -1}, {x, y, 0}}};
}

static uint32_t set_up_planar_pair(const widened_contact *from, reference_contact_long *contact,
                                   reference_frame_long *frame) {
    reference_planar_body_long a = planar_body_of(from->inputs + PLANAR_PAIR_A);
    reference_planar_body_long b = planar_body_of(from->inputs + PLANAR_PAIR_B);
    long double normal[3] = {0};
    copy_vector(normal, from->inputs + PLANAR_PAIR_NORMAL, 2);
    const uint32_t reasons = planar_reasons(&a, &b, normal);
    if (reasons) return reasons;
    reference_planar_contact_long planar = {0};
    reference_planar_contact_from_bodies_long(&a, &b, normal, &planar);
    set_from_planar(&planar, contact);
    *frame = planar_frame(normal);
    return 0;
}

static void set_up_planar_contact(const long double *in, reference_contact_long *contact,
                                  reference_frame_long *frame) {
    const reference_planar_contact_long planar = {.ktt = in[PLANAR_KTT],
                                                  .ktn = in[PLANAR_KTN],
                                                  .knn = in[PLANAR_KNN],
                                                  .ut = in[PLANAR_UT],
                                                  .un = in[PLANAR_UN]};
    set_from_planar(&planar, contact);
    /* The impulse is (p_t, p_n): its second axis is the normal. */
    *frame = (reference_frame_long){{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
}

/* In contact space the axes are already the contact's own. */
static const reference_frame_long own_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

uint32_t widened_set_up(const widened_contact *from, reference_contact_long *contact,
                        reference_frame_long *frame) {
    set_coefficients(from, contact);
    switch (from->kind) {
    case BATCH_PAIRS:
        return set_up_pair(from, contact, frame);
    case BATCH_PLANAR_PAIRS:
        return set_up_planar_pair(from, contact, frame);
    case BATCH_PLANAR_CONTACTS:
        set_up_planar_contact(from->inputs, contact, frame);
        return 0;
    case BATCH_CONTACTS:
        break;
    }
    set_matrix_and_velocity(from->inputs, contact);
    *frame = own_axes;
    return 0;
}
