#include "check_bodies.h"

#include "check_model.h"

#include "../solve/fields.h"
#include "check.h"
#include "pointers.h"
#include "strides.h"

impinge_status NAME(impinge_check_orientation)(const NAME(impinge_orientation) * p) {
    const bool quaternion = ANY_GIVEN(FIELDS_QUATERNION(FIELD_OF_P));
    const bool matrix = ANY_GIVEN(FIELDS_ROTATION(FIELD_OF_P));
    if (quaternion && matrix) return IMPINGE_ERROR_ARGUMENT;
    return SOME_LACK(FIELDS_QUATERNION(FIELD_OF_P)) || SOME_LACK(FIELDS_ROTATION(FIELD_OF_P))
               ? IMPINGE_ERROR_NULL_POINTER
               : IMPINGE_OK;
}

static bool lacks_bodies(const NAME(impinge_bodies) * p) {
    return ANY_NULL(FIELDS_MASS(FIELD_OF_P) FIELDS_MOTION(FIELD_OF_P));
}

static bool lacks_contacts(const NAME(impinge_indexed_contacts) * c) {
    return ANY_NULL(c->index_a, c->index_b, c->arm_a_x, c->arm_a_y, c->arm_a_z, c->arm_b_x,
                    c->arm_b_y, c->arm_b_z, c->normal_x, c->normal_y, c->normal_z);
}

impinge_status NAME(impinge_check_indexed)(const NAME(impinge_bodies) * bodies,
                                           const NAME(impinge_indexed_contacts) * contacts) {
    if (!bodies || !contacts) return IMPINGE_ERROR_NULL_POINTER;
    if (bodies->count > 0 && lacks_bodies(bodies)) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && lacks_contacts(contacts)) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_status status = impinge_check_count(contacts->count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    /* Numbers of contacts are 32 bit, and the index after the last body's is the world's. */
    if (bodies->count > IMPINGE_WORLD || contacts->count > UINT32_MAX) return IMPINGE_ERROR_COUNT;
    if (!bodies_fit(bodies) || !indexed_fit(contacts)) return IMPINGE_ERROR_COUNT;
    const impinge_status model = NAME(impinge_check_model)(&contacts->coefficients);
    return model == IMPINGE_OK ? NAME(impinge_check_orientation)(&bodies->orientation) : model;
}
