#include "check.h"

#include <stdint.h>

/* Above this the result is not an approximation. */
static const double tolerance_max = 0.01;

impinge_status impinge_check_count(size_t count, size_t element) {
    return count <= (size_t)PTRDIFF_MAX / element ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

static impinge_status check_within(const impinge_selection *s, size_t count) {
    return s->first <= count && s->count <= count - s->first ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

impinge_status impinge_check_selection(const impinge_selection *selection, size_t count,
                                       selected_t *selected) {
    *selected =
        selection ? (selected_t){selection->first, selection->count} : (selected_t){0, count};
    if (!selection) return IMPINGE_OK;
    return selection->order ? IMPINGE_ERROR_ARGUMENT : check_within(selection, count);
}

impinge_status impinge_check_ordered(const impinge_selection *selection, size_t count,
                                     impinge_selection *complete) {
    *complete = selection ? *selection : (impinge_selection){0, count, NULL};
    return check_within(complete, complete->order ? PTRDIFF_MAX / sizeof *complete->order : count);
}

impinge_status impinge_check_reserved(const uint64_t *reserved, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (reserved[i] != 0) return IMPINGE_ERROR_OPTION;
    return IMPINGE_OK;
}

static bool are_reserved_zero(const impinge_step_options *o) {
    const uint64_t *const reserved[] = {o->reserved, o->impacts.reserved, o->rest.reserved,
                                        o->positions.reserved};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (impinge_check_reserved(reserved[i], RESERVED(*o)) != IMPINGE_OK) return false;
    return true;
}

static bool are_legal(const impinge_step_options *o, double largest) {
    const double from_zero[] = {o->time_step, o->impacts.rest_speed, o->rest.residual_max,
                                o->positions.slop};
    for (size_t i = 0; i < sizeof from_zero / sizeof *from_zero; i++)
        if (!(from_zero[i] >= 0 && from_zero[i] <= largest)) return false;
    const impinge_leftover leftover = o->impacts.leftover;
    const impinge_rest_method method = o->rest.method;
    return o->impacts.tie_tolerance >= 0 && o->impacts.tie_tolerance < 1 &&
           (leftover == IMPINGE_LEFTOVER_REST || leftover == IMPINGE_LEFTOVER_WAIT) &&
           (method == IMPINGE_REST_COLOURS || method == IMPINGE_REST_UNORDERED) &&
           o->positions.factor > 0 && o->positions.factor <= 1;
}

impinge_status impinge_check_step_options(const impinge_step_options *options, double largest,
                                          impinge_step_options *checked) {
    impinge_step_options o = *options;
    if (o.impacts.rounds_max == 0) o.impacts.rounds_max = 64;
    if (o.impacts.tie_tolerance == 0) o.impacts.tie_tolerance = 1e-3;
    if (o.rest.sweeps_max == 0) o.rest.sweeps_max = 2;
    if (o.positions.factor == 0) o.positions.factor = 0.2;
    if (o.positions.sweeps == 0) o.positions.sweeps = 1;
    *checked = o;
    return are_legal(&o, largest) && are_reserved_zero(&o) ? IMPINGE_OK : IMPINGE_ERROR_OPTION;
}

impinge_status impinge_check_team(const impinge_team *team) {
    if (!team || team->members < 2) return IMPINGE_OK;
    return team->barrier && team->members <= IMPINGE_TEAM_MAX && team->member < team->members
               ? IMPINGE_OK
               : IMPINGE_ERROR_ARGUMENT;
}

impinge_status impinge_check_options(const impinge_options *options, double default_tolerance,
                                     impinge_options *checked) {
    *checked = options ? *options : (impinge_options){0};
    if (!impinge_law_name(checked->law)) return IMPINGE_ERROR_OPTION;
    switch (checked->rule) {
    case IMPINGE_RULE_STRONGE:
    case IMPINGE_RULE_POISSON:
    case IMPINGE_RULE_NEWTON:
        break;
    default:
        return IMPINGE_ERROR_OPTION;
    }
    if (!(checked->tolerance >= 0 && checked->tolerance <= tolerance_max))
        return IMPINGE_ERROR_OPTION;
    if (checked->tolerance == 0) checked->tolerance = default_tolerance;
    return impinge_check_reserved(checked->reserved, RESERVED(*checked));
}
