#include "law.h"

#include <stdio.h>

#include "choice.h"

#define BIT(coefficient) (1u << (coefficient))

typedef struct description {
    const char *words;
    unsigned required, optional; /* coefficients, as bits */
} description;

enum {
    USUAL = BIT(RESTITUTION) | BIT(FRICTION),
    STATIC = BIT(FRICTION_STATIC),
    TANGENTIAL = BIT(TANGENTIAL_RESTITUTION),
    RATIOS = BIT(IMPULSE_RATIO_T1) | BIT(IMPULSE_RATIO_T2),
    DAMPING = BIT(DAMPING_FRACTION)
};

static const description descriptions[LAWS + 1] = {
    [IMPINGE_LAW_ROUTH] = {"friction opposes the slip of the moment, by --rule (the default)",
                           USUAL, STATIC},
    [IMPINGE_LAW_FRICTIONLESS] = {"the normal impulse alone; restitution or damping_fraction",
                                  BIT(RESTITUTION), DAMPING},
    [IMPINGE_LAW_WHITTAKER] = {"friction opposes the final slip; can gain energy", USUAL, 0},
    [IMPINGE_LAW_SMITH] = {"friction opposes an average of initial and final slip", USUAL, 0},
    [IMPINGE_LAW_TWO_STAGE] = {"compression, then expansion, each opposing its final slip", USUAL,
                               0},
    [IMPINGE_LAW_BILINEAR] = {"spheres: tangential_restitution, or sliding; diagonal K only", USUAL,
                              TANGENTIAL},
    [IMPINGE_LAW_CHATTERJEE_RUINA] = {"restitution and tangential_restitution, in closed form",
                                      USUAL, TANGENTIAL},
    [IMPINGE_LAW_BRACH] = {"impulse_ratio_t1 and impulse_ratio_t2 instead of a friction law", USUAL,
                           RATIOS},
    [IMPINGE_LAW_COMPOSITE] = {"mix times chatterjee-ruina and 1 - mix times routh", USUAL,
                               STATIC | TANGENTIAL | BIT(MIX)},
    [LAW_PLANAR] = {"routh in two dimensions, for planar columns (their default)", USUAL, STATIC},
    [LAW_EVERY] = {NULL, USUAL, STATIC | TANGENTIAL | BIT(MIX) | RATIOS | DAMPING}};

const char *law_name(size_t law) {
    return law == LAW_PLANAR ? "planar" : impinge_law_name((impinge_law)law);
}

size_t law_required(const char *name) {
    const char *names[LAWS];
    for (size_t i = 0; i < LAWS; i++)
        names[i] = law_name(i);
    return choice_required("--law", name, names, LAWS);
}

void law_print_list(void) {
    for (size_t i = 0; i < LAWS; i++)
        printf("  %-17s %s\n", law_name(i), descriptions[i].words);
}

impinge_law law_option(size_t law) {
    return law == LAW_PLANAR ? IMPINGE_LAW_ROUTH : (impinge_law)law;
}

static const char *const rules[RULES] = {[IMPINGE_RULE_STRONGE] = "stronge",
                                         [IMPINGE_RULE_POISSON] = "poisson",
                                         [IMPINGE_RULE_NEWTON] = "newton"};

const char *rule_name(impinge_restitution_rule rule) { return rules[rule]; }

impinge_restitution_rule rule_required(const char *name) {
    return (impinge_restitution_rule)choice_required("--rule", name, rules, RULES);
}

coefficient_need law_need(size_t law, enum coefficient which, bool damped) {
    if (law == IMPINGE_LAW_FRICTIONLESS && which == RESTITUTION && damped)
        return COEFFICIENT_IGNORED;
    if (descriptions[law].required & BIT(which)) return COEFFICIENT_REQUIRED;
    return descriptions[law].optional & BIT(which) ? COEFFICIENT_OPTIONAL : COEFFICIENT_IGNORED;
}
