/* Bodies at their contacts, one contact at a time. */
#include "bodies.h"

#include "fields.h"
#include "vector.h"

static bool is_oriented(const NAME(impinge_bodies) * bodies) {
    return bodies->orientation.w || bodies->orientation.r11;
}

static real_t product_at(const real_t *products, size_t i) { return products ? products[i] : 0; }

bool NAME(impinge_is_movable)(const NAME(impinge_bodies) * bodies, uint32_t index) {
#define MOVES(name)         bodies->name[index] != 0 ||
#define PRODUCT_MOVES(name) product_at(bodies->name, index) != 0 ||
    return index < bodies->count && (FIELDS_MASS(MOVES) FIELDS_PRODUCTS(PRODUCT_MOVES) false);
#undef PRODUCT_MOVES
#undef MOVES
}

static triple_t turn(const NAME(impinge_bodies) * bodies, size_t i) {
    const triple_t omega = vector_at(bodies->angular_velocity_x, bodies->angular_velocity_y,
                                     bodies->angular_velocity_z, i);
    if (!is_oriented(bodies)) return omega;
    const turn_t r = rotation_at(&bodies->orientation, i);
    return to_world(&r, omega);
}

bool NAME(impinge_names_pair)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number) {
    const uint32_t a = contacts->index_a[number];
    const uint32_t b = contacts->index_b[number];
    return (a < bodies->count || a == IMPINGE_WORLD) && (b < bodies->count || b == IMPINGE_WORLD) &&
           (a != b || a == IMPINGE_WORLD);
}

/* A body's velocity and, apart from it, omega x r; the world is at rest. */
typedef struct contact_velocity {
    triple_t centre, turning;
} contact_velocity_t;

static contact_velocity_t contact_velocity_of(const NAME(impinge_bodies) * bodies, uint32_t index,
                                              triple_t arm) {
    if (index >= bodies->count) return (contact_velocity_t){{0, 0, 0}, {0, 0, 0}};
    return (contact_velocity_t){
        vector_at(bodies->velocity_x, bodies->velocity_y, bodies->velocity_z, index),
        cross(turn(bodies, index), arm)};
}

real_t NAME(impinge_approach)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number) {
    const NAME(impinge_indexed_contacts) *const c = contacts;
    const uint32_t a = c->index_a[number];
    const uint32_t b = c->index_b[number];
    if (!NAME(impinge_names_pair)(bodies, c, number) ||
        (!NAME(impinge_is_movable)(bodies, a) && !NAME(impinge_is_movable)(bodies, b)))
        return 0;
    const triple_t n = vector_at(c->normal_x, c->normal_y, c->normal_z, number);
    const contact_velocity_t of_a =
        contact_velocity_of(bodies, a, vector_at(c->arm_a_x, c->arm_a_y, c->arm_a_z, number));
    const contact_velocity_t of_b =
        contact_velocity_of(bodies, b, vector_at(c->arm_b_x, c->arm_b_y, c->arm_b_z, number));
    /* As the kernels: a common velocity, however large, cancels. */
    const triple_t u = plus(minus(of_a.centre, of_b.centre), minus(of_a.turning, of_b.turning));
    const real_t approach = -dot(n, u);
    /* NaN approaches nothing, infinity is no velocity. */
    return approach > 0 && approach <= REAL_MAX ? approach : 0;
}

/* Where nothing is added, the bits stay: -0 + 0 would be 0. */
static void add(real_t *to, real_t change) {
    if (change != 0) *to += change;
}

void NAME(impinge_push)(const NAME(impinge_bodies) * bodies, uint32_t index, const real_t arm[3],
                        const real_t impulse[3]) {
    const size_t i = index;
    const real_t inverse_mass = bodies->inverse_mass[i];
    triple_t torque =
        cross((triple_t){arm[0], arm[1], arm[2]}, (triple_t){impulse[0], impulse[1], impulse[2]});
    if (is_oriented(bodies)) {
        const turn_t r = rotation_at(&bodies->orientation, i);
        torque = to_body(&r, torque);
    }
    const real_t xy = product_at(bodies->inverse_inertia_xy, i);
    const real_t xz = product_at(bodies->inverse_inertia_xz, i);
    const real_t yz = product_at(bodies->inverse_inertia_yz, i);
    add(&bodies->velocity_x[i], inverse_mass * impulse[0]);
    add(&bodies->velocity_y[i], inverse_mass * impulse[1]);
    add(&bodies->velocity_z[i], inverse_mass * impulse[2]);
    add(&bodies->angular_velocity_x[i],
        bodies->inverse_inertia_xx[i] * torque.x + xy * torque.y + xz * torque.z);
    add(&bodies->angular_velocity_y[i],
        xy * torque.x + bodies->inverse_inertia_yy[i] * torque.y + yz * torque.z);
    add(&bodies->angular_velocity_z[i],
        xz * torque.x + yz * torque.y + bodies->inverse_inertia_zz[i] * torque.z);
}
