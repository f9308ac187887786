/* Impulses of contacts, added to their bodies in the order of the contacts. */
#include "bodies.h"
#include "solve.h"
#include "vector.h"

static void push_if(const NAME(impinge_bodies) * bodies, selected_t changed, uint32_t index,
                    const real_t arm[3], const real_t impulse[3]) {
    if (is_selected(changed, index) && NAME(impinge_is_movable)(bodies, index))
        NAME(impinge_push)(bodies, index, arm, impulse);
}

static void push_pair(const NAME(impinge_bodies) * bodies, selected_t changed,
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
    push_if(bodies, changed, a, arm_a, p);
    push_if(bodies, changed, b, arm_b, back);
}

void NAME(impinge_push_bodies)(const NAME(impinge_bodies) * bodies, selected_t changed,
                               const NAME(impinge_indexed_contacts) * contacts,
                               impinge_selection selection,
                               const NAME(impinge_indexed_results) * results) {
    for (size_t i = selection.first; i < selection.first + selection.count; i++) {
        const size_t number = selection.order ? selection.order[i] : i;
        if (number < contacts->count && NAME(impinge_names_pair)(bodies, contacts, number))
            push_pair(bodies, changed, contacts, results, number);
    }
}
