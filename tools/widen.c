#include "widen.h"

widened_contact widen(const batch *from, size_t row) {
    widened_contact contact = {.pairs = from->pairs};
    for (size_t i = 0; i < batch_inputs(from); i++)
        contact.inputs[i] = numbers_get(&from->inputs[i], row);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        contact.coefficients[i] = batch_coefficient(from, (enum coefficient)i, row);
    bool has_static =
        from->coefficients[FRICTION_STATIC].elements || contact.coefficients[FRICTION_STATIC] > 0;
    if (!has_static) contact.coefficients[FRICTION_STATIC] = contact.coefficients[FRICTION];
    return contact;
}

static void copy_vector(long double to[3], const long double *from) {
    for (size_t i = 0; i < 3; i++)
        to[i] = from[i];
}

static reference_body_long body_of(const long double *in) {
    reference_body_long body = {.inverse_mass = in[BODY_INVERSE_MASS]};
    for (size_t i = 0; i < 6; i++)
        body.inverse_inertia[i] = in[BODY_INVERSE_INERTIA_XX + i];
    copy_vector(body.arm, in + BODY_ARM);
    copy_vector(body.velocity, in + BODY_VELOCITY);
    copy_vector(body.angular_velocity, in + BODY_ANGULAR_VELOCITY);
    return body;
}

static void set_matrix_and_velocity(const long double *in, reference_contact_long *contact) {
    contact->k11 = in[CONTACT_K11];
    contact->k12 = in[CONTACT_K12];
    contact->k13 = in[CONTACT_K13];
    contact->k22 = in[CONTACT_K22];
    contact->k23 = in[CONTACT_K23];
    contact->k33 = in[CONTACT_K33];
    copy_vector(contact->u, in + CONTACT_U1);
}

/* In contact space the axes are the contact's own already. */
static const reference_frame_long own_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

uint32_t widened_set_up(const widened_contact *from, reference_contact_long *contact,
                        reference_frame_long *frame) {
    contact->restitution = from->coefficients[RESTITUTION];
    contact->friction = from->coefficients[FRICTION];
    contact->friction_static = from->coefficients[FRICTION_STATIC];
    *frame = own_axes;
    if (!from->pairs) {
        set_matrix_and_velocity(from->inputs, contact);
        return 0;
    }
    reference_body_long a = body_of(from->inputs + PAIR_A);
    reference_body_long b = body_of(from->inputs + PAIR_B);
    return reference_contact_from_bodies_long(&a, &b, from->inputs + PAIR_NORMAL, frame, contact);
}
