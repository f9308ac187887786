/* Threads that make a call together: the sharing of its work, and waiting for each other. */
#ifndef IMPINGE_SOLVE_TEAM_H
#define IMPINGE_SOLVE_TEAM_H

#include <impinge/contact_dynamics.h>

#include <stdbool.h>

typedef struct range {
    size_t first, end;
} range_t;

static inline size_t range_count(range_t r) { return r.end - r.first; }

/* The given team; without one, or with fewer than two members, that of a single thread. */
static inline impinge_team team_given(const impinge_team *given) {
    return given && given->members > 1 ? *given : (impinge_team){.members = 1};
}

/* A member's share of `count` elements: a multiple of `unit`, except for the last member. */
static inline range_t team_range_of(const impinge_team *team, size_t member, size_t count,
                                    size_t unit) {
    const size_t units = (count + unit - 1) / unit;
    const size_t first = units * member / team->members * unit;
    const size_t end = units * (member + 1) / team->members * unit;
    return (range_t){first < count ? first : count, end < count ? end : count};
}

static inline range_t team_range(const impinge_team *team, size_t count, size_t unit) {
    return team_range_of(team, team->member, count, unit);
}

static inline void team_wait(const impinge_team *team) {
    if (team->members > 1) team->barrier(team->user);
}

static inline bool team_leads(const impinge_team *team) { return team->member == 0; }

#endif
