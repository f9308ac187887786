/* The calls that judge impulses and project them into the permissible region. */
#ifndef IMPINGE_KERNELS_REGION_CALLS_H
#define IMPINGE_KERNELS_REGION_CALLS_H

#include "contact_space.h"
#include "judge.h"

static inline void store_judgements(const NAME(impinge_judgements) * out, size_t i, size_t count,
                                    const judged_t *j, const slacks_t *s, words_t mask) {
    const lanes_t zero = lane_zero();
    const mask_t dead = is_dead(mask);
    const lanes_t velocity = lane_add(j->velocity, lane_max(j->ratio, zero));
    const lanes_t energy = times_power(s->energy, lane_add(j->impulse, velocity));
    const lanes_t interpenetration = times_power(s->interpenetration, velocity);
    const lanes_t cone = times_power(s->cone, j->impulse);
    const size_t slack = stride_of(AS_GIVEN, out->slack_stride);
    store_lanes_by(slack, out->energy, i, lane_select(dead, zero, energy), count);
    store_lanes_by(slack, out->interpenetration, i, lane_select(dead, zero, interpenetration),
                   count);
    store_lanes_by(slack, out->pull, i, lane_select(dead, zero, s->pull), count);
    store_lanes_by(slack, out->cone, i, lane_select(dead, zero, cone), count);
    store_words_by(COLUMN_OF(AS_GIVEN, out, mask), i, mask, count);
}

static inline void store_projections(const NAME(impinge_projections) * out, size_t i, size_t count,
                                     const projected_t *p, words_t mask) {
    const vector_t impulse = {p->p1, p->p2, p->p3};
    store_vector_by(stride_of(AS_GIVEN, out->impulse_stride), out->p1, out->p2, out->p3, i, impulse,
                    count);
    store_lanes_by(COLUMN_OF(AS_GIVEN, out, fraction), i, p->fraction, count);
    store_words_by(COLUMN_OF(AS_GIVEN, out, mask), i, mask, count);
}

/* The contacts as they are, with no coefficient but friction. */
static inline NAME(impinge_contacts) with_friction_only(const NAME(impinge_contacts) * in) {
    NAME(impinge_contacts) contacts = *in;
    contacts.coefficients = (NAME(impinge_coefficients)){.friction = in->coefficients.friction};
    return contacts;
}

static inline vector_t load_impulse(const NAME(impinge_impulses) * p, size_t i, size_t count) {
    return load_vector_by(stride_of(AS_GIVEN, p->stride), p->p1, p->p2, p->p3, i, count);
}

/* A law that reads no coefficients that these contacts lack. */
static const impinge_options no_options = {.law = IMPINGE_LAW_ROUTH};

static void judge_impulses(const NAME(impinge_contacts) * in, selected_t selected,
                           const NAME(impinge_impulses) * p, const NAME(impinge_judgements) * out,
                           impinge_report *report) {
    const NAME(impinge_contacts) contacts = with_friction_only(in);
    const batch_t batch = {.in = &contacts, .options = &no_options};
    for (size_t done = 0; done < selected.count; done += LANES) {
        const size_t i = selected.first + done;
        const size_t count = selected.count - done;
        contact_t contact = load_contacts_as(AS_GIVEN, &batch, i, count);
        const vector_t impulse = load_impulse(p, i, count);
        const judged_t j = judged_of(&contact, impulse.x, impulse.y, impulse.z);
        const slacks_t s = judge(&j, impulse.z);
        const words_t mask = judged_mask(&j, &s);
        store_judgements(out, i, count, &j, &s, mask);
        report_lanes(report, mask, i, count);
    }
}

static void project_impulses(const NAME(impinge_contacts) * in, selected_t selected,
                             const NAME(impinge_impulses) * p,
                             const NAME(impinge_projections) * out, impinge_report *report) {
    const NAME(impinge_contacts) contacts = with_friction_only(in);
    const batch_t batch = {.in = &contacts, .options = &no_options};
    for (size_t done = 0; done < selected.count; done += LANES) {
        const size_t i = selected.first + done;
        const size_t count = selected.count - done;
        contact_t contact = load_contacts_as(AS_GIVEN, &batch, i, count);
        const vector_t impulse = load_impulse(p, i, count);
        const lanes_t given[3] = {impulse.x, impulse.y, impulse.z};
        const judged_t j = judged_of(&contact, given[0], given[1], given[2]);
        const slacks_t s = judge(&j, given[2]);
        projected_t projected = project(&j);
        const words_t mask = projected_settle(&projected, given, judged_mask(&j, &s));
        store_projections(out, i, count, &projected, mask);
        report_lanes(report, mask, i, count);
    }
}

#endif
