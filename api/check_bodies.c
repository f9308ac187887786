#include "check_bodies.h"

#include "check.h"
#include "pointers.h"

impinge_status NAME(impinge_check_orientation)(const NAME(impinge_orientation) * o) {
    const bool quaternion = ANY_GIVEN(o->w, o->x, o->y, o->z);
    const bool matrix =
        ANY_GIVEN(o->r11, o->r12, o->r13, o->r21, o->r22, o->r23, o->r31, o->r32, o->r33);
    if (quaternion && matrix) return IMPINGE_ERROR_ARGUMENT;
    if (quaternion && ANY_NULL(o->w, o->x, o->y, o->z)) return IMPINGE_ERROR_NULL_POINTER;
    if (matrix && ANY_NULL(o->r11, o->r12, o->r13, o->r21, o->r22, o->r23, o->r31, o->r32, o->r33))
        return IMPINGE_ERROR_NULL_POINTER;
    return IMPINGE_OK;
}

static bool lacks_bodies(const NAME(impinge_bodies) * b) {
    return ANY_NULL(b->inverse_mass, b->inverse_inertia_xx, b->inverse_inertia_yy,
                    b->inverse_inertia_zz, b->velocity_x, b->velocity_y, b->velocity_z,
                    b->angular_velocity_x, b->angular_velocity_y, b->angular_velocity_z);
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
    const impinge_status status =
        impinge_check_count(contacts->first, contacts->count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    /* Numbers of contacts are 32 bit, and the index after the last body's is the world's. */
    if (bodies->count > IMPINGE_WORLD || contacts->contacts > UINT32_MAX ||
        contacts->first + contacts->count > UINT32_MAX)
        return IMPINGE_ERROR_COUNT;
    return NAME(impinge_check_orientation)(&bodies->orientation);
}
