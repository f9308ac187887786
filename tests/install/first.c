/* The first impulse, in what C99 and C++11 have in common. */
#include <impinge/impinge.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    const double k11 = 3.5, k33 = 1, none = 0, u1 = 0.7, u3 = -1;
    double p1 = 0, p3 = 0;
    impinge_contacts_f64 contacts;
    impinge_contact_results_f64 results;
    impinge_options options = impinge_options_default();
    impinge_status status;
    options.law = IMPINGE_LAW_CHATTERJEE_RUINA;
    memset(&contacts, 0, sizeof contacts);
    memset(&results, 0, sizeof results);
    contacts.count = 1;
    contacts.k11 = contacts.k22 = &k11;
    contacts.k12 = contacts.k13 = contacts.k23 = &none;
    contacts.k33 = &k33;
    contacts.u1 = &u1;
    contacts.u2 = &none;
    contacts.u3 = &u3;
    contacts.coefficients.restitution.value = 0.5;
    contacts.coefficients.friction.value = 0.1;
    results.p1 = &p1;
    results.p3 = &p3;
    if (impinge_version_number() != IMPINGE_VERSION) return 1;
    status = impinge_resolve_contacts_f64(&contacts, NULL, &options, &results, NULL);
    if (status != IMPINGE_OK) return 1;
    printf("%.6f %.6f\n", p1, p3);
    return 0;
}
