/*
 * Contacts given by K and u0: a solid sphere of 1 kg thrown onto a plane at more and more slip.
 *
 * K is the change of the separation velocity per unit of impulse: 1 along the normal and 7/2 across
 * it, of any solid sphere of 1 kg. Up to a slip of 7/2 mu (1 + e) |u_n| friction ends it; beyond,
 * the sphere slides throughout, and the impulse lies on the friction cone.
 */
#include <impinge/impinge.h>
#include <stdio.h>

enum { COUNT = 5 };

int main(void) {
    const double across[COUNT] = {3.5, 3.5, 3.5, 3.5, 3.5}, along[COUNT] = {1, 1, 1, 1, 1};
    const double none[COUNT] = {0};
    const double slip[COUNT] = {0, 0.5, 1, 1.5, 2};      /* m/s, along t1 */
    const double approach[COUNT] = {-1, -1, -1, -1, -1}; /* m/s; u3 < 0 approaches */
    double p1[COUNT], p3[COUNT], slip_after[COUNT],
        rebound[COUNT]; /* results not asked for are null */
    uint32_t outcome[COUNT];

    const impinge_contacts_f64 contacts = {
        .count = COUNT,
        .k11 = across,
        .k12 = none,
        .k13 = none,
        .k22 = across,
        .k23 = none,
        .k33 = along,
        .u1 = slip,
        .u2 = none,
        .u3 = approach,
        .coefficients = {.restitution.value = 0.5, .friction.value = 0.2}};
    const impinge_contact_results_f64 results = {
        .p1 = p1, .p3 = p3, .u1_after = slip_after, .u3_after = rebound, .outcome = outcome};
    /* Null options: Routh's law with Stronge's restitution. */
    const impinge_status status =
        impinge_resolve_contacts_f64(&contacts, NULL, NULL, &results, NULL);
    if (status != IMPINGE_OK) {
        fprintf(stderr, "contacts: %s\n", impinge_status_text(status));
        return 1;
    }
    printf("%6s %10s %10s %10s %10s  %s\n", "slip", "p1", "p3", "slip after", "rebound", "outcome");
    for (int i = 0; i < COUNT; i++) {
        char words[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(outcome[i], words, sizeof words);
        printf("%6.2f %10.6f %10.6f %10.6f %10.6f  %s\n", slip[i], p1[i], p3[i], slip_after[i],
               rebound[i], words);
    }
    return fflush(stdout) != 0 || ferror(stdout); /* not all could be written */
}
