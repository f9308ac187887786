/* Bodies at their contacts, one contact at a time. */
#include "bodies.h"

#include <math.h>

#include "fields.h"

/*
 * Some fifty roundings follow each other from velocities by u, K, the impulse and the velocities
 * after to u_n; but they do not all err the same way: of 116,000 contacts whose approach was left
 * by rounding, by all laws, with masses and speeds over two to four decades and arms over one and a
 * half, none had more than 4.6 units.
 */
#define APPROACH_UNITS 16

static real_t product_at(const real_t *products, size_t i) { return products ? products[i] : 0; }

bool NAME(impinge_is_movable)(const NAME(impinge_bodies) * bodies, uint32_t index) {
    if (index >= bodies->count) return false;
    const size_t i = element(index, bodies->inverse_inertia_stride);
#define MOVES(name)         bodies->name[i] != 0 ||
#define PRODUCT_MOVES(name) product_at(bodies->name, i) != 0 ||
    return bodies->inverse_mass[element(index, bodies->inverse_mass_stride)] != 0 ||
           FIELDS_INERTIA(MOVES) FIELDS_PRODUCTS(PRODUCT_MOVES) false;
#undef PRODUCT_MOVES
#undef MOVES
}

static triple_t turn(const NAME(impinge_bodies) * bodies, size_t i) {
    const triple_t omega =
        vector_at(bodies->angular_velocity_x, bodies->angular_velocity_y,
                  bodies->angular_velocity_z, element(i, bodies->angular_velocity_stride));
    if (!has_own_turning(&bodies->orientation)) return omega;
    const turn_t r = rotation_at(&bodies->orientation, i);
    return to_world(&r, omega);
}

bool NAME(impinge_names_pair)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number) {
    return are_pair(bodies->count, body_a_of(contacts, number), body_b_of(contacts, number));
}

static contact_velocity_t contact_velocity_of(const NAME(impinge_bodies) * bodies, uint32_t index,
                                              triple_t arm) {
    if (index >= bodies->count) return (contact_velocity_t){{0, 0, 0}, {0, 0, 0}};
    return (contact_velocity_t){vector_at(bodies->velocity_x, bodies->velocity_y,
                                          bodies->velocity_z,
                                          element(index, bodies->velocity_stride)),
                                cross(turn(bodies, index), arm)};
}

real_t NAME(impinge_approach)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number) {
    const NAME(impinge_indexed_contacts) *const c = contacts;
    const uint32_t a = body_a_of(c, number);
    const uint32_t b = body_b_of(c, number);
    if (!NAME(impinge_names_pair)(bodies, c, number) ||
        (!NAME(impinge_is_movable)(bodies, a) && !NAME(impinge_is_movable)(bodies, b)))
        return 0;
    const triple_t n = normal_of(c, number);
    const contact_velocity_t of_a = contact_velocity_of(bodies, a, arm_a_of(c, number));
    const contact_velocity_t of_b = contact_velocity_of(bodies, b, arm_b_of(c, number));
    return approach_above(0, n, &of_a, &of_b);
}

triple_t NAME(impinge_contact_velocity)(const NAME(impinge_bodies) * bodies,
                                        const NAME(impinge_indexed_contacts) * contacts,
                                        size_t number) {
    const contact_velocity_t a =
        contact_velocity_of(bodies, body_a_of(contacts, number), arm_a_of(contacts, number));
    const contact_velocity_t b =
        contact_velocity_of(bodies, body_b_of(contacts, number), arm_b_of(contacts, number));
    return relative_velocity(&a, &b);
}

/* The root of a sum of squares, which may be out of range. */
static double root_of_squares(const double *numbers, size_t count) {
    double largest = 0, sum = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(numbers[k]));
    for (size_t k = 0; k < count && largest > 0; k++)
        sum += numbers[k] / largest * (numbers[k] / largest);
    return largest * sqrt(sum);
}

static double length_of(triple_t a) {
    return root_of_squares((const double[]){(double)a.x, (double)a.y, (double)a.z}, 3);
}

/* Of the elements of I^-1, which is the same in any frame. */
static double size_of_inertia(const NAME(impinge_bodies) * bodies, size_t index) {
    const size_t i = element(index, bodies->inverse_inertia_stride);
    /* Each product is two elements. */
#define ONCE(name)  (double)bodies->name[i],
#define TWICE(name) (double)product_at(bodies->name, i), (double)product_at(bodies->name, i),
    const double elements[] = {FIELDS_INERTIA(ONCE) FIELDS_PRODUCTS(TWICE)};
#undef TWICE
#undef ONCE
    return root_of_squares(elements, sizeof elements / sizeof *elements);
}

/* A body's part of the terms of u and of K p. */
static double terms_of(const NAME(impinge_bodies) * bodies, uint32_t index, triple_t arm,
                       double p) {
    if (index >= bodies->count) return 0;
    const size_t v = element(index, bodies->velocity_stride);
    const size_t w = element(index, bodies->angular_velocity_stride);
    const double reach = length_of(arm);
    const double lightness =
        fabs((double)bodies->inverse_mass[element(index, bodies->inverse_mass_stride)]) +
        size_of_inertia(bodies, index) * reach * reach;
    const double moves =
        length_of(vector_at(bodies->velocity_x, bodies->velocity_y, bodies->velocity_z, v));
    const double turns = length_of(vector_at(bodies->angular_velocity_x, bodies->angular_velocity_y,
                                             bodies->angular_velocity_z, w));
    return moves + turns * reach + (p > 0 ? lightness * p : 0);
}

double NAME(impinge_approach_by_rounding)(const NAME(impinge_bodies) * bodies,
                                          const NAME(impinge_indexed_contacts) * contacts,
                                          size_t number, const real_t impulse[3]) {
    const double p = length_of(triple_of(impulse));
    return APPROACH_UNITS * REAL_UNIT *
           (terms_of(bodies, body_a_of(contacts, number), arm_a_of(contacts, number), p) +
            terms_of(bodies, body_b_of(contacts, number), arm_b_of(contacts, number), p));
}

/* Zeros are not added, so the bits stay: -0 + 0 would be 0. */
static void add(real_t *to, real_t change) {
    if (change != 0) *to += change;
}

/* I^-1 a; products that are not given are zero. */
static triple_t inertia_apply(const NAME(impinge_bodies) * bodies, size_t index, triple_t a) {
    const size_t i = element(index, bodies->inverse_inertia_stride);
    const real_t xy = product_at(bodies->inverse_inertia_xy, i);
    const real_t xz = product_at(bodies->inverse_inertia_xz, i);
    const real_t yz = product_at(bodies->inverse_inertia_yz, i);
    return (triple_t){bodies->inverse_inertia_xx[i] * a.x + xy * a.y + xz * a.z,
                      xy * a.x + bodies->inverse_inertia_yy[i] * a.y + yz * a.z,
                      xz * a.x + yz * a.y + bodies->inverse_inertia_zz[i] * a.z};
}

/* The change of the angular velocity by the moment, in that velocity's frame. */
static triple_t turning_by(const NAME(impinge_bodies) * bodies, size_t index, triple_t moment) {
    const NAME(impinge_orientation) *const o = &bodies->orientation;
    if (!is_turned(o)) return inertia_apply(bodies, index, moment);
    const turn_t r = rotation_at(o, index);
    const triple_t change = inertia_apply(bodies, index, to_body(&r, moment));
    return o->world_angular_velocity ? to_world(&r, change) : change;
}

void NAME(impinge_push)(const NAME(impinge_bodies) * bodies, uint32_t index, const real_t arm[3],
                        const real_t impulse[3]) {
    const real_t inverse_mass = bodies->inverse_mass[element(index, bodies->inverse_mass_stride)];
    const triple_t moment =
        cross((triple_t){arm[0], arm[1], arm[2]}, (triple_t){impulse[0], impulse[1], impulse[2]});
    const triple_t change = turning_by(bodies, index, moment);
    const size_t v = element(index, bodies->velocity_stride);
    add(&bodies->velocity_x[v], inverse_mass * impulse[0]);
    add(&bodies->velocity_y[v], inverse_mass * impulse[1]);
    add(&bodies->velocity_z[v], inverse_mass * impulse[2]);
    const size_t w = element(index, bodies->angular_velocity_stride);
    add(&bodies->angular_velocity_x[w], change.x);
    add(&bodies->angular_velocity_y[w], change.y);
    add(&bodies->angular_velocity_z[w], change.z);
}
