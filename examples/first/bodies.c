/*
 * Bodies by index in a time loop: a ball that bounces on a plane.
 *
 * Two bodies (a ball that falls and one that flies by), one contact that names the ball and the
 * world. Each step moves the bodies, finds the contact, and resolves it. A drop
 * from h with restitution e touches for the first time after sqrt(2 h / g) and reaches e^2 h.
 */
#include <impinge/impinge.h>
#include <stdio.h>

enum { BODIES = 2, X = 0, Z = 2 };

int main(void) {
    const double radius = 0.1, gravity = 9.81, step = 1e-4, restitution = 0.8;
    double place[3][BODIES] = {
        {0, 5}, {0, 0}, {1.1, 2}}; /* m; bodies are columns, as the library's are */
    double velocity[3][BODIES] = {{0, -1}}, spin[3][BODIES] = {{0}};
    const double inverse_mass[BODIES] = {1, 1},
                 inverse_inertia[BODIES] = {250, 250}; /* 5/2 / (m r^2) */
    const impinge_bodies_f64 bodies = {.count = BODIES,
                                       .inverse_mass = inverse_mass,
                                       .inverse_inertia_xx = inverse_inertia,
                                       .inverse_inertia_yy = inverse_inertia,
                                       .inverse_inertia_zz = inverse_inertia,
                                       .velocity_x = velocity[0],
                                       .velocity_y = velocity[1],
                                       .velocity_z = velocity[2],
                                       .angular_velocity_x = spin[0],
                                       .angular_velocity_y = spin[1],
                                       .angular_velocity_z = spin[2]};
    const uint32_t ball[1] = {0}, world[1] = {IMPINGE_WORLD}; /* A, B */
    const double none[1] = {0}, up[1] = {1},
                 down[1] = {-radius}; /* the normal from B to A; A's arm */
    double impulse[3][1];
    const impinge_indexed_results_f64 results = {
        .impulse_x = impulse[0], .impulse_y = impulse[1], .impulse_z = impulse[2]};
    impinge_indexed_contacts_f64 contacts = {
        .index_a = ball,
        .index_b = world,
        .arm_a_x = none,
        .arm_a_y = none,
        .arm_a_z = down,
        .arm_b_x = none,
        .arm_b_y = none,
        .arm_b_z = none,
        .normal_x = none,
        .normal_y = none,
        .normal_z = up,
        .coefficients = {.restitution.value = restitution, .friction.value = 0.3}};

    double first = 0, highest = 0;
    int impacts = 0;
    for (int i = 0; i < 11000; i++) {
        for (int body = 0; body < BODIES; body++) {
            for (int axis = X; axis <= Z; axis++)
                place[axis][body] += step * velocity[axis][body];
            place[Z][body] -= 0.5 * gravity * step * step;
            velocity[Z][body] -= gravity * step;
        }
        /* A program's own detection would fill the arrays; here there is one contact or none. */
        contacts.count = place[Z][0] <= radius && velocity[Z][0] < 0;
        /* Contacts that share no body: impulses are added to the velocities. See docs/stepping.md
         * for many. */
        if (impinge_resolve_independent_f64(&bodies, &contacts, NULL, NULL, &results, NULL) !=
            IMPINGE_OK)
            return 1;
        if (contacts.count && !impacts++) first = (i + 1) * step;
        if (impacts == 1 && place[Z][0] - radius > highest) highest = place[Z][0] - radius;
    }
    printf("touches after %.4f s, then rises to %.4f m\n", first, highest);
    printf("the other is at x = %.4f m, untouched\n", place[X][1]);
    return fflush(stdout) != 0 || ferror(stdout); /* not all could be written */
}
