/* Impulses of contacts, added to their bodies in the order of the contacts. */
#include "bodies.h"
#include "solve.h"
#include "vector.h"

/* The number of the contact in position i; false if there is no such contact. */
static bool number_at(const NAME(impinge_indexed_contacts) * contacts, size_t i, size_t *number) {
    *number = contacts->order ? contacts->order[i] : i;
    return !contacts->order || *number < contacts->contacts;
}

static void push_if(const NAME(impinge_bodies) * bodies, share_t share, uint32_t index,
                    const real_t arm[3], const real_t impulse[3]) {
    if (is_in(share, index) && NAME(impinge_is_movable)(bodies, index))
        NAME(impinge_push)(bodies, index, arm, impulse);
}

static void push_pair(const NAME(impinge_bodies) * bodies, share_t share,
                      const NAME(impinge_indexed_contacts) * c,
                      const NAME(impinge_indexed_results) * r, size_t i) {
    const uint32_t a = body_a_of(c, i);
    const uint32_t b = body_b_of(c, i);
    const size_t from = element(i, r->impulse_stride);
    const real_t p[3] = {r->impulse_x[from], r->impulse_y[from], r->impulse_z[from]};
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) return;
    const size_t arm = element(i, c->arm_stride);
    const real_t arm_a[3] = {c->arm_a_x[arm], c->arm_a_y[arm], c->arm_a_z[arm]};
    const real_t arm_b[3] = {c->arm_b_x[arm], c->arm_b_y[arm], c->arm_b_z[arm]};
    const real_t back[3] = {-p[0], -p[1], -p[2]};
    push_if(bodies, share, a, arm_a, p);
    push_if(bodies, share, b, arm_b, back);
}

void NAME(impinge_push_bodies)(const NAME(impinge_bodies) * bodies, share_t share,
                               const NAME(impinge_indexed_contacts) * contacts,
                               const NAME(impinge_indexed_results) * results) {
    for (size_t i = contacts->first; i < contacts->first + contacts->count; i++) {
        size_t number;
        if (number_at(contacts, i, &number) && NAME(impinge_names_pair)(bodies, contacts, number))
            push_pair(bodies, share, contacts, results, number);
    }
}
