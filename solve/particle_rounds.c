/*
 * Local rounds of impacts: in a round, each contact that approaches fastest among all contacts of
 * both its particles collides. They share no particle that moves, so their order does not matter.
 * Those that are within the tie tolerance of the fastest, and share a particle, collide together.
 */
#include "pages.h"
#include "particle_step.h"

#include <string.h>

typedef NAME(impinge_particle_step_state) step_state_t;
typedef NAME(impinge_particle_step_kernels) kernels_t;

/* The lists of a round: those that approach, those that collide, those of them that are tied. */
enum { ACTIVE, CHOSEN, TIED, NEXT };

/* The bodies of a place that move. Returns their number. */
static size_t moving_bodies(const step_state_t *w, uint32_t place, uint32_t bodies[2]) {
    size_t count = 0;
    if (!(w->row_a[place] & ROW_FIXED)) bodies[count++] = w->row_a[place] / ROW;
    if (!(w->row_b[place] & ROW_FIXED)) bodies[count++] = w->row_b[place] / ROW;
    return count;
}

/* A counting sort. */
void NAME(impinge_find_touching)(const NAME(impinge_particle_step_state) * w) {
    uint32_t *const start = w->touch_start;
    uint32_t bodies[2];
    memset(start, 0, (w->bodies + 1) * sizeof *start);
    for (size_t j = 0; j < w->shared->live; j++)
        for (size_t k = moving_bodies(w, (uint32_t)j, bodies); k > 0; k--)
            start[bodies[k - 1] + 1]++;
    for (size_t i = 0; i < w->bodies; i++)
        start[i + 1] += start[i];
    for (size_t j = 0; j < w->shared->live; j++)
        for (size_t k = moving_bodies(w, (uint32_t)j, bodies); k > 0; k--)
            w->touching[start[bodies[k - 1]]++] = (uint32_t)j;
    for (size_t i = w->bodies; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* The fastest approach of each body. */
static void find_best(const step_state_t *w, size_t active) {
    uint32_t bodies[2];
    for (size_t i = 0; i < active; i++)
        for (size_t k = moving_bodies(w, w->list[ACTIVE][i], bodies); k > 0; k--) {
            w->best[bodies[k - 1]] = 0;
            w->tied[bodies[k - 1]] = 0;
        }
    for (size_t i = 0; i < active; i++) {
        const uint32_t place = w->list[ACTIVE][i];
        const real_t speed = w->approach[place];
        for (size_t k = moving_bodies(w, place, bodies); k > 0; k--)
            if (speed > w->best[bodies[k - 1]]) w->best[bodies[k - 1]] = speed;
    }
}

/* Lists the contacts as fast as the fastest of both their bodies, within the tolerance. */
static size_t choose(const step_state_t *w, size_t active) {
    const real_t share = (real_t)(1 - w->options.impacts.tie_tolerance);
    uint32_t bodies[2];
    size_t chosen = 0;
    for (size_t i = 0; i < active; i++) {
        const uint32_t place = w->list[ACTIVE][i];
        const size_t count = moving_bodies(w, place, bodies);
        bool fastest = true;
        for (size_t k = 0; k < count; k++)
            fastest &= w->approach[place] >= share * w->best[bodies[k]];
        if (!fastest) continue;
        for (size_t k = 0; k < count; k++)
            w->tied[bodies[k]]++;
        w->list[CHOSEN][chosen++] = place;
    }
    return chosen;
}

/* Takes those that share a body out of the chosen ones. Returns their number. */
static size_t take_tied(const step_state_t *w, size_t *chosen) {
    uint32_t bodies[2];
    size_t single = 0;
    size_t tied = 0;
    for (size_t i = 0; i < *chosen; i++) {
        const uint32_t place = w->list[CHOSEN][i];
        bool shares = false;
        for (size_t k = moving_bodies(w, place, bodies); k > 0; k--)
            shares |= w->tied[bodies[k - 1]] > 1;
        if (shares)
            w->list[TIED][tied++] = place;
        else
            w->list[CHOSEN][single++] = place;
    }
    *chosen = single;
    return tied;
}

/* Lists a place for the next round, once. */
static void look_again(const step_state_t *w, uint32_t round, uint32_t place, size_t *next) {
    if (w->stamp[place] == round) return;
    w->stamp[place] = round;
    w->list[NEXT][(*next)++] = place;
}

/*
 * Rounds search for the places around those that collided among all places of blocks that may
 * contain them, until they have searched ALL_LOOKED_THROUGH times as many places as there are. Then
 * the places that touch each body are listed, which takes as long as searching all places six
 * times. Most steps of a heap at rest need one round.
 */
#define ALL_LOOKED_THROUGH 4

typedef struct search {
    size_t looked; /* places searched so far, without the lists */
    bool listed;
} search_t;

/* Marks the bodies of some places with the round, and their pages. */
static void mark_bodies(const step_state_t *w, uint32_t round, const uint32_t *places, size_t count,
                        uint64_t *pages) {
    const unsigned shift = page_shift(w);
    uint32_t bodies[2];
    for (size_t i = 0; i < count; i++)
        for (size_t k = moving_bodies(w, places[i], bodies); k > 0; k--) {
            w->touch_start[bodies[k - 1]] = round;
            add_page(pages, bodies[k - 1] >> shift);
        }
}

/* Finds the places from `first` on that touch a marked body. */
static void look_through(const step_state_t *w, uint32_t round, size_t first, size_t end,
                         search_t *s, size_t *next) {
    const uint32_t *const mark = w->touch_start;
    for (size_t j = first; j < end; j++)
        if (mark[w->row_a[j] / ROW] == round || mark[w->row_b[j] / ROW] == round)
            look_again(w, round, (uint32_t)j, next);
    s->looked += end - first;
}

/* Finds the places that touch a marked body, which is on one of these pages. */
static void look_for_marks(const step_state_t *w, uint32_t round, const uint64_t *pages,
                           search_t *s, size_t *next) {
    if (w->shared->paged == 0) look_through(w, round, 0, w->shared->live, s, next);
    for (size_t b = 0; b < w->shared->paged; b++)
        if (share_pages(w->pages[b], pages))
            look_through(w, round, w->colour[w->block[b]], w->colour[w->block[b + 1]], s, next);
}

/* Finds the places that touch a body of given places. */
static void look_around(const step_state_t *w, uint32_t round, const uint32_t *places, size_t count,
                        size_t *next) {
    uint32_t bodies[2];
    for (size_t i = 0; i < count; i++)
        for (size_t k = moving_bodies(w, places[i], bodies); k > 0; k--)
            for (uint32_t j = w->touch_start[bodies[k - 1]]; j < w->touch_start[bodies[k - 1] + 1];
                 j++)
                look_again(w, round, w->touching[j], next);
}

/* Lists the places that touch a body of those that collided. */
static size_t touched_by(const step_state_t *w, uint32_t round, size_t chosen, size_t tied,
                         search_t *s) {
    size_t next = 0;
    if (!s->listed && s->looked < ALL_LOOKED_THROUGH * w->shared->live) {
        uint64_t pages[PAGE_WORDS] = {0};
        mark_bodies(w, round, w->list[CHOSEN], chosen, pages);
        mark_bodies(w, round, w->list[TIED], tied, pages);
        look_for_marks(w, round, pages, s, &next);
        return next;
    }
    if (!s->listed) NAME(impinge_find_touching)(w);
    s->listed = true;
    look_around(w, round, w->list[CHOSEN], chosen, &next);
    look_around(w, round, w->list[TIED], tied, &next);
    return next;
}

/*
 * Contacts whose collision has left no approach but its own rounding: since nothing else changed
 * their bodies in this round, they are not listed until another contact does. Those that collided
 * alone, by their law, and of the tied ones those whose approach the tie has set to 0.
 */
static void settle_round(const step_state_t *w, uint32_t round, size_t chosen, size_t tied) {
    for (size_t i = 0; i < chosen; i++)
        w->stamp[w->list[CHOSEN][i]] = round;
    for (size_t i = 0; i < tied; i++)
        if (w->approach[w->list[TIED][i]] == 0) w->stamp[w->list[TIED][i]] = round;
}

/*
 * Lists the contacts that approach after a round, among those before and all whose bodies collided.
 */
static size_t active_next(const step_state_t *w, const kernels_t *kernels, uint32_t round,
                          size_t active, size_t chosen, size_t tied, search_t *s) {
    const real_t rest = (real_t)w->options.impacts.rest_speed;
    settle_round(w, round, chosen, tied);
    size_t next = touched_by(w, round, chosen, tied, s);
    for (size_t i = 0; i < active; i++)
        look_again(w, round, w->list[ACTIVE][i], &next);
    kernels->approach_of(w, w->list[NEXT], next);
    active = 0;
    for (size_t i = 0; i < next; i++)
        if (w->approach[w->list[NEXT][i]] > rest) w->list[ACTIVE][active++] = w->list[NEXT][i];
    return active;
}

/* Lets contacts that still approach wait: the rest and the positions do not act on them. */
static void let_wait(const step_state_t *w, size_t active) {
    if (w->options.impacts.leftover != IMPINGE_LEFTOVER_WAIT) return;
    for (size_t i = 0; i < active; i++) {
        const uint32_t place = w->list[ACTIVE][i];
        w->friction[place] = -1;
        for (size_t k = 0; k < 3; k++)
            w->impulse[k][place] = 0;
    }
}

void NAME(impinge_collide_rounds)(const NAME(impinge_particle_step_state) * w,
                                  const NAME(impinge_particle_step_kernels) * kernels,
                                  size_t some) {
    impinge_step_report *const report = &w->shared->report;
    size_t active = some;
    if (active > 0) {
        memset(w->touch_start, 0, w->bodies * sizeof *w->touch_start);
        memset(w->stamp, 0, w->shared->live * sizeof *w->stamp);
    }
    search_t search = {0};
    uint32_t round = 0;
    while (active > 0 && round < w->options.impacts.rounds_max) {
        round++;
        find_best(w, active);
        size_t chosen = choose(w, active);
        const size_t tied = take_tied(w, &chosen);
        kernels->collide(w, w->list[CHOSEN], chosen);
        if (tied > 0) NAME(impinge_collide_ties)(w, kernels, w->list[TIED], tied);
        report->collisions += chosen + tied;
        active = active_next(w, kernels, round, active, chosen, tied, &search);
    }
    report->rounds = round;
    report->left_approaching = active;
    let_wait(w, active);
}
