#include "law.h"

#include <stdio.h>

#include "choice.h"

#define BIT(coefficient) (1u << (coefficient))

/* The coefficients that a property of a law stands for, as bits. */
static unsigned coefficients_read(uint32_t properties) {
    static const struct {
        impinge_law_property property;
        unsigned coefficients;
    } reads[] = {{IMPINGE_LAW_READS_STATIC_FRICTION, BIT(FRICTION_STATIC)},
                 {IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION, BIT(TANGENTIAL_RESTITUTION)},
                 {IMPINGE_LAW_READS_MIX, BIT(MIX)},
                 {IMPINGE_LAW_READS_IMPULSE_RATIOS, BIT(IMPULSE_RATIO_T1) | BIT(IMPULSE_RATIO_T2)},
                 {IMPINGE_LAW_READS_DAMPING_FRACTION, BIT(DAMPING_FRACTION)}};
    unsigned read = 0;
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (properties & (uint32_t)reads[i].property) read |= reads[i].coefficients;
    return read;
}

static uint32_t properties_of(size_t law) {
    uint32_t all = 0;
    if (law != LAW_EVERY) return impinge_law_properties(law_option(law));
    for (size_t i = 0; i < IMPINGE_LAW_COUNT; i++)
        all |= impinge_law_properties((impinge_law)i);
    return all;
}

const char *law_name(size_t law) {
    return law == LAW_PLANAR ? "planar" : impinge_law_name((impinge_law)law);
}

static const char *law_summary(size_t law) {
    return law == LAW_PLANAR ? "routh in two dimensions, for planar columns (their default)"
                             : impinge_law_summary((impinge_law)law);
}

size_t law_required(const char *name) {
    const char *names[LAWS];
    for (size_t i = 0; i < LAWS; i++)
        names[i] = law_name(i);
    return choice_required("--law", name, names, LAWS);
}

void law_print_list(void) {
    for (size_t i = 0; i < LAWS; i++)
        printf("  %-17s %s\n", law_name(i), law_summary(i));
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
    const uint32_t properties = properties_of(law);
    const bool rubs = (properties & IMPINGE_LAW_READS_FRICTION) != 0;
    if (which == RESTITUTION || (which == FRICTION && rubs)) return COEFFICIENT_REQUIRED;
    return coefficients_read(properties) & BIT(which) ? COEFFICIENT_OPTIONAL : COEFFICIENT_IGNORED;
}
