#include "sequence_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_contacts.h"

scene scene_of(size_t bodies, size_t contacts) {
    return (scene){bodies, contacts, calloc(bodies + 1, sizeof(reference_body_double)),
                   calloc(contacts + 1, sizeof(reference_sequence_contact))};
}

scene scene_copy(const scene *from) {
    scene s = scene_of(from->bodies, from->contacts);
    memcpy(s.body, from->body, s.bodies * sizeof *s.body);
    memcpy(s.contact, from->contact, s.contacts * sizeof *s.contact);
    return s;
}

void scene_free(scene *s) {
    free(s->body);
    free(s->contact);
}

reference_body_double sphere_of(double mass, double vx, double vy) {
    const double inertia = 2.5 / mass;
    return (reference_body_double){.inverse_mass = 1 / mass,
                                   .inverse_inertia = {inertia, 0, 0, inertia, 0, inertia},
                                   .velocity = {vx, vy, 0}};
}

reference_sequence_contact contact_of(uint32_t a, uint32_t b, const double normal[3],
                                      double restitution, double friction) {
    reference_sequence_contact c = {.a = a, .b = b};
    for (int k = 0; k < 3; k++) {
        c.normal[k] = normal[k];
        c.arm_a[k] = -normal[k];
        c.arm_b[k] = normal[k];
    }
    c.coefficient.restitution = restitution;
    c.coefficient.friction = c.coefficient.friction_static = friction;
    return c;
}

scene row_of_balls(size_t count, const double *mass, size_t in, double restitution) {
    const double back[3] = {-1, 0, 0};
    scene s = scene_of(count, count - 1);
    for (size_t i = 0; i < count; i++)
        s.body[i] = sphere_of(mass[i], i < in ? 1 : 0, 0);
    for (size_t i = 0; i + 1 < count; i++)
        s.contact[i] = contact_of((uint32_t)i, (uint32_t)i + 1, back, restitution, 0);
    return s;
}

scene rods(size_t count, double restitution) {
    const double up[3] = {0, 0, 1};
    scene s = scene_of(count, 2 * count);
    for (size_t i = 0; i < count; i++) {
        s.body[i] = (reference_body_double){
            .inverse_mass = 1, .inverse_inertia = {3, 0, 0, 3, 0, 3}, .velocity = {0, 0, -1}};
        for (size_t tip = 0; tip < 2; tip++) {
            s.contact[2 * i + tip] = contact_of((uint32_t)i, REFERENCE_WORLD, up, restitution, 0);
            memcpy(s.contact[2 * i + tip].arm_a, (double[]){tip == 0 ? -1 : 1, 0, 0},
                   sizeof(double[3]));
        }
    }
    return s;
}

/* The place of ball i of the rack, in radii: rows of 1 to 5, each half a ball farther to the side.
 */
static void rack_place(size_t i, double at[2]) {
    size_t row = 0;
    while (i > row)
        i -= ++row;
    at[0] = sqrt(3.0) * (double)row;
    at[1] = 2.0 * (double)i - (double)row;
}

scene pool_break(double angle, double restitution, double friction) {
    scene s = scene_of(16, 31);
    size_t count = 0;
    for (uint32_t i = 0; i < 15; i++) {
        s.body[i] = sphere_of(1, 0, 0);
        for (uint32_t j = 0; j < i; j++) {
            double a[2], b[2];
            rack_place(i, a);
            rack_place(j, b);
            const double n[3] = {(a[0] - b[0]) / 2, (a[1] - b[1]) / 2, 0};
            if (n[0] * n[0] + n[1] * n[1] < 1.5) /* neighbours: 1; the next ones: 3 */
                s.contact[count++] = contact_of(i, j, n, restitution, friction);
        }
    }
    const double line[3] = {cos(angle), sin(angle), 0};
    s.body[15] = sphere_of(1, 1, 0);
    s.contact[count++] = contact_of(0, 15, line, restitution, friction);
    s.contacts = count;
    return s;
}

scene mirrored(const scene *from) {
    scene s = scene_copy(from);
    for (size_t i = 0; i < s.bodies; i++) {
        s.body[i].velocity[1] *= -1;
        s.body[i].angular_velocity[0] *= -1;
        s.body[i].angular_velocity[2] *= -1;
    }
    for (size_t i = 0; i < s.contacts; i++) {
        s.contact[i].normal[1] *= -1;
        s.contact[i].arm_a[1] *= -1;
        s.contact[i].arm_b[1] *= -1;
    }
    return s;
}

static void random_normal(uint64_t *state, double n[3]) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = random_between(state, -1, 1) + (k == 0 ? 0x1p-10 : 0);
        square += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] /= sqrt(square);
}

/* The next contact of an island whose balls are from `first` on, `balls` of them so far. */
static reference_sequence_contact random_island_contact(uint64_t *state, uint32_t first,
                                                        uint32_t *balls) {
    double n[3];
    random_normal(state, n);
    const uint32_t a = first + random_below(state, *balls);
    uint32_t b = random_below(state, 2) ? REFERENCE_WORLD : 0;
    if (random_below(state, 4)) { /* else immovable */
        /* A new ball, which connects; or one that is there, which closes a loop. */
        const bool closes = *balls > 2 && random_below(state, 3) == 0;
        b = closes ? first + random_below(state, *balls) : first + (*balls)++;
        if (b == a) b = a > first ? a - 1 : a + 1;
    }
    const bool turned = random_below(state, 2) && b != REFERENCE_WORLD;
    reference_sequence_contact c =
        contact_of(turned ? b : a, turned ? a : b, n, 0.3 + 0.7 * random_positive(state),
                   0.5 * random_positive(state));
    c.coefficient.tangential_restitution = random_between(state, -1, 1);
    c.coefficient.mix = random_positive(state);
    return c;
}

scene random_islands(uint64_t *state, size_t islands, unsigned most) {
    scene s = scene_of(1 + islands * (most + 1), islands * most);
    uint32_t bodies = 1;
    s.contacts = 0;
    for (size_t i = 0; i < islands; i++) {
        const unsigned count = 1 + random_below(state, most);
        uint32_t balls = 1;
        for (unsigned k = 0; k < count; k++)
            s.contact[s.contacts++] = random_island_contact(state, bodies, &balls);
        for (uint32_t k = 0; k < balls; k++) {
            reference_body_double *const b = &s.body[bodies + k];
            *b = sphere_of(0.5 + random_positive(state), 0, 0);
            for (int axis = 0; axis < 3; axis++) {
                b->velocity[axis] = random_between(state, -1, 1);
                b->angular_velocity[axis] = random_between(state, -1, 1);
            }
        }
        bodies += balls;
    }
    s.bodies = bodies;
    s.body[0].velocity[0] = 0.25;
    for (size_t i = s.contacts; i > 1; i--) { /* shuffled */
        const size_t j = random_below(state, (unsigned)i);
        const reference_sequence_contact kept = s.contact[i - 1];
        s.contact[i - 1] = s.contact[j];
        s.contact[j] = kept;
    }
    return s;
}

static bool moves(const reference_body_double *b) { return b->inverse_mass != 0; }

double momentum_of(const scene *s, int axis) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++)
        if (moves(&s->body[i])) sum += s->body[i].velocity[axis] / s->body[i].inverse_mass;
    return sum;
}

/* All these bodies are alike about their axes. */
double energy_of(const scene *s) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        const reference_body_double *const b = &s->body[i];
        for (int k = 0; moves(b) && k < 3; k++)
            sum += b->velocity[k] * b->velocity[k] / b->inverse_mass / 2 +
                   b->angular_velocity[k] * b->angular_velocity[k] / b->inverse_inertia[0] / 2;
    }
    return sum;
}
