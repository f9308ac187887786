/*
 * Laws compared: a rod that strikes the ground askew, by each law of the library.
 *
 * K couples the axes here, and laws differ most there. The energy that an impulse takes is
 * -p . (u0 + u) / 2; laws without Stronge's restitution may return more than there was.
 */
#include <impinge/impinge.h>
#include <stdio.h>

int main(void) {
    /* A rod of 1 kg and 1 m at 30 degrees from upright, its lower tip at the contact. */
    const double k11 = 1 + 2.25, k13 = 1.299038105676658, k22 = 4, k33 = 1 + 0.75, none = 0;
    const double u1 = -1, u3 = -1;
    double p[3], u[3];
    uint32_t outcome;
    const impinge_contacts_f64 contacts = {.count = 1,
                                           .k11 = &k11,
                                           .k12 = &none,
                                           .k13 = &k13,
                                           .k22 = &k22,
                                           .k23 = &none,
                                           .k33 = &k33,
                                           .u1 = &u1,
                                           .u2 = &none,
                                           .u3 = &u3,
                                           /* A law reads the coefficients that it has. */
                                           .coefficients = {.restitution.value = 0.5,
                                                            .friction.value = 0.8,
                                                            .mix.value = 0.5,
                                                            .tangential_restitution.value = 0.3,
                                                            .impulse_ratio_t1.value = -0.1}};
    const impinge_contact_results_f64 results = {.p1 = &p[0],
                                                 .p2 = &p[1],
                                                 .p3 = &p[2],
                                                 .u1_after = &u[0],
                                                 .u2_after = &u[1],
                                                 .u3_after = &u[2],
                                                 .outcome = &outcome};
    printf("%-17s %9s %9s %9s %9s %9s  %s\n", "law", "p1", "p3", "u1", "u3", "lost", "outcome");
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        impinge_options options = impinge_options_default();
        options.law = (impinge_law)law;
        if (impinge_resolve_contacts_f64(&contacts, NULL, &options, &results, NULL) < 0) return 1;
        const double lost = -(p[0] * (u1 + u[0]) + p[1] * u[1] + p[2] * (u3 + u[2])) / 2;
        char words[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(outcome, words, sizeof words);
        printf("%-17s %9.6f %9.6f %9.6f %9.6f %9.6f  %s\n", impinge_law_name(options.law), p[0],
               p[2], u[0], u[2], lost, words);
    }
    return fflush(stdout) != 0 || ferror(stdout); /* not all could be written */
}
