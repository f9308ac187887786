/* The properties that a law claims (impinge_law_properties) against its behaviour. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include <impinge/impinge.h>

/* A diagonal K, which every law takes; approaching, with slip. */
static const double k[6] = {2, 0, 0, 2, 0, 1}, u[3] = {0.5, -0.25, -1};

static impinge_contacts_f64 contact(void) {
    return (impinge_contacts_f64){.count = 1,
                                  .k11 = &k[0],
                                  .k12 = &k[1],
                                  .k13 = &k[2],
                                  .k22 = &k[3],
                                  .k23 = &k[4],
                                  .k33 = &k[5],
                                  .u1 = &u[0],
                                  .u2 = &u[1],
                                  .u3 = &u[2],
                                  .coefficients = {.restitution = {.value = 0.5},
                                                   .friction = {.value = 0.25},
                                                   .impulse_ratio_t1 = {.value = -0.125},
                                                   .impulse_ratio_t2 = {.value = 0.0625}}};
}

static uint32_t outcome_of(const impinge_contacts_f64 *c, impinge_law law) {
    uint32_t outcome = 0;
    const impinge_options options = {.law = law};
    const impinge_contact_results_f64 results = {.outcome = &outcome};
    cr_assert_geq(impinge_resolve_contacts_f64(c, NULL, &options, &results, NULL), 0);
    return outcome;
}

/* A coefficient that is no number makes the contact invalid exactly if the law reads it. */
static void check_reads(impinge_law law, size_t offset, uint32_t properties) {
    impinge_contacts_f64 c = contact();
    impinge_coefficient_f64 *const coefficient =
        (impinge_coefficient_f64 *)((char *)&c.coefficients + offset);
    *coefficient = (impinge_coefficient_f64){.value = NAN, .given = true};
    const bool reads = (impinge_law_properties(law) & properties) != 0;
    const bool invalid = (outcome_of(&c, law) & IMPINGE_OUTCOME_INVALID) != 0;
    cr_expect_eq(invalid, reads, "%s, coefficient at %zu", impinge_law_name(law), offset);
}

Test(law_properties, properties_say_which_coefficients_are_read) {
#define AT(member) offsetof(impinge_coefficients_f64, member)
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        const impinge_law law = (impinge_law)i;
        impinge_contacts_f64 sound = contact();
        cr_expect_neq(outcome_of(&sound, law) & IMPINGE_OUTCOME_GOT_IMPULSE, 0);
        check_reads(law, AT(friction), IMPINGE_LAW_READS_FRICTION);
        check_reads(law, AT(friction_static), IMPINGE_LAW_READS_STATIC_FRICTION);
        check_reads(law, AT(tangential_restitution), IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION);
        check_reads(law, AT(mix), IMPINGE_LAW_READS_MIX);
        check_reads(law, AT(impulse_ratio_t1), IMPINGE_LAW_READS_IMPULSE_RATIOS);
        check_reads(law, AT(impulse_ratio_t2), IMPINGE_LAW_READS_IMPULSE_RATIOS);
        check_reads(law, AT(damping_fraction), IMPINGE_LAW_READS_DAMPING_FRACTION);
    }
#undef AT
}

Test(law_properties, properties_say_which_calls_accept_the_law) {
    const impinge_particles_f64 none = {.count = 0};
    const impinge_particle_contacts_f64 no_pairs = {.count = 0};
    const impinge_particle_results_f64 nothing = {.outcome = NULL};
    const impinge_planar_contacts_f64 no_contacts = {.count = 0};
    const impinge_planar_contact_results_f64 no_results = {.outcome = NULL};
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        const impinge_options options = {.law = (impinge_law)i};
        const uint32_t properties = impinge_law_properties(options.law);
        const impinge_status particles =
            impinge_resolve_particle_pairs_f64(&none, &no_pairs, NULL, &options, &nothing, NULL);
        const impinge_status planar =
            impinge_resolve_planar_contacts_f64(&no_contacts, NULL, &options, &no_results, NULL);
        cr_expect_eq(particles, properties & IMPINGE_LAW_RESOLVES_PARTICLES ? IMPINGE_OK
                                                                            : IMPINGE_ERROR_OPTION);
        cr_expect_eq(planar,
                     properties & IMPINGE_LAW_RESOLVES_PLANAR ? IMPINGE_OK : IMPINGE_ERROR_OPTION);
    }
}

/* A grazing contact that friction presses together: Chatterjee and Ruina 1998, 4.2. */
Test(law_properties, properties_say_which_laws_jam) {
    static const double jam[6] = {1, 0, 0.75, 1, 0, 1}, slip[3] = {1, 0, 0};
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        const impinge_options options = {.law = (impinge_law)i, .resolve_jams = true};
        impinge_contacts_f64 c = contact();
        c.k11 = &jam[0];
        c.k13 = &jam[2];
        c.k22 = &jam[3];
        c.k33 = &jam[5];
        c.u1 = &slip[0];
        c.u2 = &slip[1];
        c.u3 = &slip[2];
        c.coefficients.friction.value = 2;
        uint32_t outcome = 0;
        const impinge_contact_results_f64 results = {.outcome = &outcome};
        cr_assert_geq(impinge_resolve_contacts_f64(&c, NULL, &options, &results, NULL), 0);
        const uint32_t properties = impinge_law_properties(options.law);
        if (properties & IMPINGE_LAW_NEEDS_DIAGONAL)
            cr_expect_neq(outcome & IMPINGE_OUTCOME_NOT_DIAGONAL, 0);
        else
            cr_expect_eq((outcome & IMPINGE_OUTCOME_JAMMED) != 0,
                         (properties & IMPINGE_LAW_MAY_JAM) != 0, "%s",
                         impinge_law_name(options.law));
    }
}

Test(law_properties, names_and_summaries_are_of_laws_alone) {
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        cr_assert_not_null(impinge_law_name((impinge_law)i));
        cr_assert_not_null(impinge_law_summary((impinge_law)i));
        for (int j = 0; j < i; j++)
            cr_expect_neq(
                strcmp(impinge_law_name((impinge_law)i), impinge_law_name((impinge_law)j)), 0);
    }
    const impinge_law none = (impinge_law)IMPINGE_LAW_COUNT;
    cr_expect_null(impinge_law_name(none));
    cr_expect_null(impinge_law_summary(none));
    cr_expect_eq(impinge_law_properties(none), 0);
}
