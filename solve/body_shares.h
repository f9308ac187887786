/* The sharing of groups of contacts of bodies among a team. */
#ifndef IMPINGE_SOLVE_BODY_SHARES_H
#define IMPINGE_SOLVE_BODY_SHARES_H

#include "body_stage.h"
#include "team.h"

typedef void group_work(const NAME(impinge_body_rest) *, size_t first, size_t count);
typedef real_t group_solve(const NAME(impinge_body_rest) *, size_t first, size_t count);

/*
 * A member's share of a run of groups of a colour, which have the same number of contacts each.
 * Members divide runs in the order of the pairs: so all have the same amount of work, and each has
 * much the same bodies in every colour, whose rows stay in its cache. Runs that begin elsewhere
 * give the groups that cannot be divided to other members. The bounds rise with the member.
 */
static inline range_t of_run(const rest_order *colours, const impinge_team *team, size_t colour,
                             size_t run) {
    const size_t first = colours->run_first[run];
    const size_t groups = colours->run_first[run + 1] - first;
    const size_t odd = (first - colours->group[colour]) % team->members;
    return (range_t){first + (groups * team->member + odd) / team->members,
                     first + (groups * (team->member + 1) + odd) / team->members};
}

/*
 * Processes a member's groups of a colour; returns their largest residual. A thread alone takes a
 * whole colour at once, which may be less than a microsecond's work.
 */
static inline real_t solve_colour(const NAME(impinge_body_rest) * rest, const rest_order *colours,
                                  const impinge_team *team, size_t colour, group_solve *work) {
    const size_t first = colours->group[colour];
    if (team->members == 1) return work(rest, first, colours->group[colour + 1] - first);
    real_t largest = 0;
    for (size_t run = colours->run[colour]; run < colours->run[colour + 1]; run++) {
        const range_t share = of_run(colours, team, colour, run);
        if (share.end == share.first) continue;
        const real_t residual = work(rest, share.first, range_count(share));
        if (residual > largest) largest = residual;
    }
    return largest;
}

/* The same for functions without a residual. */
static inline void for_colour(const NAME(impinge_body_rest) * rest, const rest_order *colours,
                              const impinge_team *team, size_t colour, group_work *work) {
    for (size_t run = colours->run[colour]; run < colours->run[colour + 1]; run++) {
        const range_t share = of_run(colours, team, colour, run);
        if (share.end > share.first) work(rest, share.first, range_count(share));
    }
}

#endif
