/* Sweeps over colours until no contact approaches. */
#include "bodies.h"
#include "results.h"
#include "solve.h"

/* Sweeps under way. */
typedef struct sweeping {
    const resolver_t *by;
    const sweeps_t *given;
} sweeping_t;

/* One set of independent contacts. Returns how many collided. */
static size_t sweep_set(const sweeping_t *s, size_t first, size_t count, bool is_first_sweep) {
    const sweeps_t *const given = s->given;
    const impinge_selection set = {first, count, given->colours->order};
    const collide_mode_t mode = {.applies = true,
                                 .adds = true,
                                 .chooses = true,
                                 .faster = true,
                                 .still = is_first_sweep,
                                 .again = !is_first_sweep,
                                 .rest_speed = given->options.rest_speed};
    return NAME(impinge_collide)(s->by, given->bodies, given->contacts, set, &mode, given->results);
}

static size_t sweep_all(const sweeping_t *s, bool is_first_sweep) {
    const impinge_contact_groups *const c = s->given->colours;
    size_t collided = 0;
    for (size_t k = 0; k < c->count; k++)
        collided += sweep_set(s, c->starts[k], c->starts[k + 1] - c->starts[k], is_first_sweep);
    for (size_t i = c->starts[c->count]; i < s->given->contacts->count; i++)
        collided += sweep_set(s, i, 1, is_first_sweep);
    return collided;
}

static void report_left(const sweeps_t *s, impinge_sweep_report *report) {
    for (size_t i = 0; i < s->contacts->count; i++) {
        const double approach = (double)NAME(impinge_approach)(s->bodies, s->contacts, i);
        if (approach > s->options.rest_speed &&
            approach > rounding_of(s->bodies, s->contacts, s->results, i))
            report->approaching++;
        if (approach > report->largest_approach) report->largest_approach = approach;
    }
}

void NAME(impinge_run_sweeps)(const resolver_t *by, const sweeps_t *sweeps,
                              impinge_sweep_report *report) {
    const size_t contacts = sweeps->contacts->count;
    const sweeping_t s = {.by = by, .given = sweeps};
    clear_results(sweeps->results, sweeps->colours->order, contacts, contacts);
    impinge_sweep_report done = {0};
    size_t collided = 1;
    while (collided > 0 && done.sweeps < sweeps->options.sweeps_max) {
        collided = sweep_all(&s, done.sweeps == 0);
        done.sweeps++;
        done.collisions += collided;
    }
    if (!report) return;
    report_left(sweeps, &done);
    *report = done;
}
