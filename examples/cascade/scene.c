#include "cascade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"

static void add_ball(cascade_scene *s, double vx) {
    const size_t i = s->bodies++;
    s->inverse_mass[i] = 1;
    s->inverse_inertia[i] = 2.5; /* of a solid sphere, I = 2/5 m r^2 */
    s->velocity[VX][i] = vx;
}

/* Arms of length 1 along the normal, which points from b to a. */
static void add_contact(cascade_scene *s, size_t a, size_t b, const double normal[3]) {
    const size_t i = s->contacts++;
    s->a[i] = (uint32_t)a;
    s->b[i] = (uint32_t)b;
    for (size_t k = 0; k < 3; k++) {
        s->normal[k][i] = normal[k];
        s->arm_a[k][i] = -normal[k];
        s->arm_b[k][i] = normal[k];
    }
}

void cascade_cradle(cascade_scene *s, size_t balls, size_t in) {
    const double back[3] = {-1, 0, 0};
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < balls; i++) {
        add_ball(s, i < in ? 1 : 0);
        if (i > 0) add_contact(s, i - 1, i, back);
    }
}

void cascade_rod(cascade_scene *s) {
    const double up[3] = {0, 0, 1};
    memset(s, 0, sizeof *s);
    s->bodies = 1;
    s->inverse_mass[0] = 1;
    s->inverse_inertia[0] = 3; /* I = m l^2 / 12; it does not turn about its own axis */
    s->velocity[VZ][0] = -1;
    for (size_t tip = 0; tip < 2; tip++) {
        add_contact(s, 0, IMPINGE_WORLD, up);
        s->arm_a[0][tip] = tip == 0 ? -1 : 1;
        s->arm_a[2][tip] = 0;
    }
}

void cascade_break(cascade_scene *s, double angle) {
    memset(s, 0, sizeof *s);
    for (size_t row = 0; row < 5; row++) {
        for (size_t k = 0; k <= row; k++) {
            s->place[0][s->bodies] = sqrt(3) * (double)row;
            s->place[1][s->bodies] = 2 * (double)k - (double)row;
            add_ball(s, 0);
        }
    }
    for (size_t a = 0; a < s->bodies; a++) {
        for (size_t b = 0; b < a; b++) {
            const double x = s->place[0][a] - s->place[0][b];
            const double y = s->place[1][a] - s->place[1][b];
            /* Neighbours are 2 apart, the next ones 2 sqrt 3. */
            if (x * x + y * y < 8) add_contact(s, a, b, (double[]){x / 2, y / 2, 0});
        }
    }
    const double line[3] = {cos(angle), sin(angle), 0};
    add_contact(s, 0, s->bodies, line);
    for (size_t k = 0; k < 2; k++)
        s->place[k][s->bodies] = -2 * line[k];
    add_ball(s, 1);
}

static impinge_indexed_contacts_f64 contacts_of(const cascade_scene *s, const cascade_how *how) {
    return (impinge_indexed_contacts_f64){
        .count = s->contacts,
        .index_a = s->a,
        .index_b = s->b,
        .arm_a_x = s->arm_a[0],
        .arm_a_y = s->arm_a[1],
        .arm_a_z = s->arm_a[2],
        .arm_b_x = s->arm_b[0],
        .arm_b_y = s->arm_b[1],
        .arm_b_z = s->arm_b[2],
        .normal_x = s->normal[0],
        .normal_y = s->normal[1],
        .normal_z = s->normal[2],
        .coefficients = {.restitution.value = how->restitution,
                         .friction.value = how->friction,
                         .tangential_restitution.value = how->tangential_restitution}};
}

static impinge_bodies_f64 bodies_of(cascade_scene *s) {
    return (impinge_bodies_f64){.count = s->bodies,
                                .inverse_mass = s->inverse_mass,
                                .inverse_inertia_xx = s->inverse_inertia,
                                .inverse_inertia_yy = s->inverse_inertia,
                                .inverse_inertia_zz = s->inverse_inertia,
                                .velocity_x = s->velocity[VX],
                                .velocity_y = s->velocity[VY],
                                .velocity_z = s->velocity[VZ],
                                .angular_velocity_x = s->velocity[WX],
                                .angular_velocity_y = s->velocity[WY],
                                .angular_velocity_z = s->velocity[WZ]};
}

void cascade_resolve(cascade_scene *s, const cascade_how *how, cascade_result *result) {
    uint32_t order[CASCADE_CONTACTS];
    uint32_t starts[2] = {0, (uint32_t)s->contacts};
    for (uint32_t i = 0; i < s->contacts; i++)
        order[i] = i;
    const impinge_bodies_f64 bodies = bodies_of(s);
    const impinge_indexed_contacts_f64 contacts = contacts_of(s, how);
    const impinge_contact_groups islands = {order, starts, 1};
    uint8_t end = 0;
    const impinge_indexed_results_f64 results = {.impulse_x = result->impulse[0],
                                                 .impulse_y = result->impulse[1],
                                                 .impulse_z = result->impulse[2]};
    const impinge_island_results_f64 island = {.end = &end};
    void *const workspace =
        allocate(1, impinge_resolve_sequence_workspace_f64(s->contacts, s->bodies));
    const impinge_status status =
        impinge_resolve_sequence_f64(&bodies, &contacts, &islands, NULL, &how->options,
                                     &how->sequence, workspace, &results, &island, &result->report);
    free(workspace);
    if (status != IMPINGE_OK) fail("%s", impinge_status_text(status));
    result->end = (impinge_sequence_end)end;
}

double cascade_momentum(const cascade_scene *s, size_t axis) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++)
        sum += s->velocity[VX + axis][i] / s->inverse_mass[i];
    return sum;
}

double cascade_energy(const cascade_scene *s) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        for (size_t k = 0; k < 3; k++)
            sum += s->velocity[VX + k][i] * s->velocity[VX + k][i] / s->inverse_mass[i] / 2 +
                   s->velocity[WX + k][i] * s->velocity[WX + k][i] / s->inverse_inertia[i] / 2;
    }
    return sum;
}
