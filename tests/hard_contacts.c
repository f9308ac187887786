#include "hard_contacts.h"

#include <math.h>
#include <string.h>

#include "../tools/support/random.h"
#include "adversarial_contacts.h"

const ruled_contact hard_contacts[] = {
    {IMPINGE_RULE_STRONGE,
     {8.49247837, .219782561, 1.52250576, 4.53840542, -2.44453239, 6.04438400, .0351512134,
      -1.81966317, -.0102252457, .216180578, 2.33933353, 2.33933353}},
    /* The work of a step in which the slip grew by 15 was 2e-6 off, and with it what e gives back.
     */
    {IMPINGE_RULE_STRONGE,
     {0x1.9196d2p+2, 0x1.99f31p+0, -0x1.463aa2p+0, 0x1.f41052p+2, 0x1.c72972p+1, 0x1.749ec6p+2,
      -0x1.33efap-7, 0x1.25c4bp-4, -0x1.479506p-2, 0x1.d729ecp-1, 0x1.25eb1ep-11, 0x1.25eb1ep-11}},
    /* Short restitutions: the terms that the series of the works leaves out were 50 units of
     * rounding of u_n where it turns. 1.43 tolerances in f64; 2.23 in f32. */
    {IMPINGE_RULE_STRONGE,
     {0xb.17d4cp-7, -0xd.e7b6p-7, -0x9.79edep-6, 0x9.1e7e4p-6, 0xc.25dbep-6, 0x8.50be5p-5,
      -0x9.4a625p-3, -0x9.50c17p-4, -0xc.f4441p-5, 0xd.845b4p-11, 0xa.3cdbbp-2, 0xa.3cdbbp-2}},
    {IMPINGE_RULE_STRONGE,
     {0x1.cd4888p-7, 0x1.3c7dfep-7, 0x1.6bf24p-7, 0x1.a62654p-3, 0x1.d21d44p-3, 0x1.21d76cp-2,
      0x1.df1c64p-2, -0x1.69bd86p-1, -0x1.5c4b3p-1, 0x1.219106p-11, 0x1.11d042p+1, 0x1.11d042p+1}},
    /* A step began at the top of u_n, where u_n rose by rounding, and passed all of its fall: the
     * contact was not compressed again, and 1e-4 of |u0| off (f64). */
    {IMPINGE_RULE_STRONGE,
     {0x1.bbb626p-4, -0x1.4a213cp-4, -0x1.5d5d58p-5, 0x1.9b8b1cp-3, 0x1.24e996p-2, 0x1.034b4ep-1,
      -0x1.1f9d5ap-1, 0x1.ac8caep-1, -0x1.ceae9ap-5, 0x1.ab3742p-2, 0x1.c0c24f92254p+0,
      0x1.c0c24f92254p+0}},
    /* Slips near their rays were turned to them without an impulse, and u_n, which hardly changes
     * there, multiplied the difference: 1.81 and 1.35 tolerances in f64. */
    {IMPINGE_RULE_POISSON,
     {0x1.3dbceap-4, -0x1.96894p-4, 0x1.b4c6dp-3, 0x1.49e8b8p-3, -0x1.4a78p-2, 0x1.67e9cep-1,
      0x1.155732p-1, -0x1.2542d4p-3, -0x1.8d594ap-6, 0x1.9a367ap-1, 0x1.4ef684p+1, 0x1.4ef684p+1}},
    {IMPINGE_RULE_POISSON,
     {0x1.ece9aap-5, -0x1.090722p-5, 0x1.e19d1ap-5, 0x1.a547b4p-6, -0x1.39c9e6p-5, 0x1.2e1bc6p-4,
      -0x1.92b8d8p-4, -0x1.2f14a6p-1, -0x1.28c792p-9, 0x1.e12142p-3, 0x1.6bb4cep+1, 0x1.6bb4cep+1}},
    /* u_n ends near its top, where its rate is a sixteenth of the mean that the estimate took: 2.57
     * tolerances in f32 and no flag. */
    {IMPINGE_RULE_NEWTON,
     {0x1.b8f85p-6, -0x1.8f2c5ap-9, 0x1.e30428p-8, 0x1.21056ep-6, 0x1.3c57eep-7, 0x1.193ea8p-6,
      -0x1.464a44p-2, 0x1.a43b5ep-3, -0x1.40b42p-5, 0x1.6fbf16p-1, 0x1.2ec058p+1, 0x1.2ec058p+1}},
    /* An arc as long as the works allow, by what they change of u_n: u_t changes 30 times as fast.
     * 58 and 1.8 tolerances in f64. */
    {IMPINGE_RULE_STRONGE,
     {0x1.ccc32p-2, 0x1.a6fe58p-7, 0x1.e1dc6cp-3, 0x1.8b8086p-3, -0x1.cf536p-4, 0x1.a56024p-3,
      0x1.6c7ec8p-3, 0x1.72fa8ap-3, -0x1.07765p-16, 0x1.b5c264p-2, 0x1.78fa1ap+1, 0x1.78fa1ap+1}},
    {IMPINGE_RULE_STRONGE,
     {0x1.890e48p-7, 0x1.7cc974p-10, -0x1.0fe54ep-11, 0x1.fedb66p-7, 0x1.a17106p-13, 0x1.822606p-10,
      -0x1.df07b4p+1, -0x1.4fa13cp-2, -0x1.097024p-8, 0x1.ce3984p-1, 0x1.5e9764p+1, 0x1.5e9764p+1}},
    /* mu_s would hold a slip at zero, mu does not. One that passes zero by, at 1e-17 to 1e-60, was
     * held, as f and its slope say that a ray is near; */
    {IMPINGE_RULE_STRONGE,
     {0x1.f990aap+3, 0x1.32269ap+2, -0x1.e4b24ap+1, 0x1.de1f14p+2, 0x1.5c7998p+1, 0x1.36a4dcp+3,
      0x1.01f5a2p-4, -0x1.1aed2p-3, -0x1.ebd112p-1, 0x1.ab10a4p-1, 0x1.661a06p-1, 0x1.93c1dp+0}},
    {IMPINGE_RULE_STRONGE,
     {0x1.a54d9ep-1, -0x1.97c208p-2, 0x1.8630d6p-2, 0x1.e36e02p+0, 0x1.6322ecp-6, 0x1.1bccbep+0,
      -0x1.e0684ep-3, 0x1.4226c2p-3, -0x1.6237e8p-2, 0x1.9de248p-1, 0x1.dcbbfap-2, 0x1.c5f724p-1}},
    /* others come to zero, though f says that none is near, and were not held; */
    {IMPINGE_RULE_STRONGE,
     {0x1.323aaap-5, 0x1.9c405ep-14, -0x1.6a0bp-18, 0x1.f8d62ap-7, 0x1.d18792p-10, 0x1.2f004p-8,
      0x1.97cc4ep-2, -0x1.b2fa66p-1, -0x1.7a113p-1, 0x1.a07fb4p-1, 0x1.71546p-4, 0x1.08c2bcp+0}},
    /* and others were taken for such as come to zero, but the ray is the diverging one. */
    {IMPINGE_RULE_STRONGE,
     {0x1.ebe08p-4, 0x1.83ce08p-8, -0x1.0a105cp-6, 0x1.3ea604p-9, -0x1.486274p-10, 0x1.e6ffp-5,
      -0x1.522a26p-38, -0x1.d3d81ep-38, -0x1.06f434p-2, 0x1.b77f94p-1, 0x1.dcec16p-3,
      0x1.2faa48p-1}},
    {IMPINGE_RULE_STRONGE,
     {0x1.b3a10ep+3, -0x1.4aa3a8p+2, 0x1.2ec052p+2, 0x1.3d28d8p+4, 0x1.48c092p+0, 0x1.fa46b4p+2,
      0x1.0019dap-34, 0x1.73316p-36, -0x1.386194p-1, 0x1.bc0614p-2, 0x1.c90b8ap-2, 0x1.e1e3ccp-1}},
    {IMPINGE_RULE_NEWTON,
     {0x1.a03fc8p-4, -0x1.4efa4ep-4, -0x1.a768cp-6, 0x1.9e8fc6p-4, -0x1.2fc726p-6, 0x1.1a68dcp-3,
      -0x1.70b7fap-44, -0x1.4a6506p-44, -0x1.311cd8p-2, 1, 0x1.990e2ep+0, 0x1.bfaabap+1}},
    /* u_n is zero, but for rounding, where slip ends; just before, it rises at 2e-4 of the rate
     * just after. 81 tolerances in f32 and no flag. */
    {IMPINGE_RULE_POISSON,
     {0x1p+0, 0x0p+0, 0x1.99999ap-3, 0x1p+0, 0x1.99999ap-4, 0x1p+0, 0x1.300f38p-24, 0x1.298a62p-25,
      -0x1.1cf9d4p-38, 0x1p+0, 0x1.1e29fp+2, 0x1.1e29fp+2}},
    /* Slips that go nearly straight: the last three terms of a step happened to cancel, and those
     * left out were 1.05 to 1.28 tolerances in f64. */
    {IMPINGE_RULE_STRONGE,
     {0x1.83cd859dd127cp+1, -0x1.8bc4eff5c0168p-25, 0x1.3749a0afa9e92p+1, 0x1.4854780a9ae6ap-2,
      -0x1.e574bf7f24c0cp-16, 0x1.fa962a7c1247p+1, 0x1p+0, 0x1p-4, -0x1.16b34ebfbed28p-5, 0x1p-18,
      0x1.98071ce197cfap+0, 0x1.98071ce197cfap+0}},
    {IMPINGE_RULE_NEWTON,
     {0x1.a08fa2717c842p+1, 0x1.d8ba87f990afp-33, -0x1.2779d8b47415fp+1, 0x1.a0b015ada9632p-3,
      0x1.22fae71f0b6fcp-17, 0x1.6c96999d30f59p+1, -0x1p+0, 0x1p-4, -0x1.56c39c47ffe28p-5, 0x0p+0,
      0x1.34660202b6804p+0, 0x1.34660202b6804p+0}},
    /* Beside borders between outcomes: the top of u_n is zero but for rounding, on which a turn
     * depends (580 tolerances in f32), or only just passes zero, and the turn is far from certain
     * (7,100 in f64); it is the end of Newton's rule but for rounding (|u0|); */
    {IMPINGE_RULE_POISSON,
     {0x1.ee431p-8, 0x1.58d8f4p-11, -0x1.0f9e26p-14, 0x1.3099aep-8, 0x1.8b159cp-12, 0x1.63094ap-8,
      -0x1.392acp-10, 0x1.2a12b6p-7, -0x1.dde5eep-25, 0x1.39d244p-1, 0x1.c58ffep+3, 0x1.c58ffep+3}},
    {IMPINGE_RULE_POISSON,
     {0x1.0ac93b904456bp-2, -0x1.bd7a7a8325facp-6, 0x1.7cb1d833c4802p-3, 0x1.f8afb0ad4fabp-4,
      0x1.1c6b18d0ba4p-5, 0x1.65de5b73220c7p-3, 0x1.443b7196937e5p-3, -0x1.9a6f377211538p-2,
      -0x1.ae13418684bedp-4, 0x1.35e525d93ac83p-1, 0x1.9943fe4b68d18p+0, 0x1.9943fe4b68d18p+0}},
    {IMPINGE_RULE_NEWTON,
     {0x1.5853a2p-3, -0x1.33ba3cp-6, -0x1.ac0128p-6, 0x1.446c7cp-3, -0x1.1df84p-5, 0x1.0f459p-3,
      -0x1.bab36cp-3, -0x1.c1056ap-3, -0x1.69118ep-20, 0x1.8f8354p-1, 0x1.88407ep+1,
      0x1.88407ep+1}},
    /* what Stronge's rule owes is paid where u_n falls to zero again (|u0|); */
    {IMPINGE_RULE_STRONGE,
     {0x1.57a5eacc70096p-9, -0x1.9bfea99abedf2p-15, 0x1.134ffcab694f1p-15, 0x1.dfdea3b6a457bp-9,
      -0x1.8008d63af049bp-9, 0x1.86258263f699fp-8, -0x1.b98ba89a758ep-1, -0x1.73ffabae2c86cp+0,
      -0x1.d70ff14bf50cbp-16, 0x1.1495212755bp-3, 0x1.3018fbf1384b4p+1, 0x1.3018fbf1384b4p+1}},
    /* a small slip is on the ray that parts those which come to zero from those which pass it. */
    {IMPINGE_RULE_STRONGE,
     {0x1.028ef8p+4, 0x1.2bd702p+3, 0x1.ef602ep+1, 0x1.f2f536p+3, -0x1.88ce6ep+1, 0x1.83075ap+3,
      0x1.baf8d6p-29, 0x1.f777cp-28, -0x1.555876p-2, 0x0p+0, 0x1.760becp-1, INFINITY}},
    {IMPINGE_RULE_STRONGE,
     {0x1.4f52392d0a54ep-3, -0x1.e5b0e942adf71p-4, -0x1.3d004d1c93a99p-4, 0x1.11aa23f64bd23p-3,
      0x1.8010c52df5258p-7, 0x1.76701408ee0b4p-4, -0x1.3519c6f61f79fp-42, 0x1.44d37c98cdf6ap-41,
      -0x1.b40268b7a9c22p-2, 0x1.387401ba3c008p-1, 0x1.7ff093d0468bbp-1, INFINITY}},
    {IMPINGE_RULE_POISSON,
     {0x1.4175fa3f5952cp-5, -0x1.09847acc88f8p-12, -0x1.16f82258bc562p-8, 0x1.1fa7556d638fcp-6,
      0x1.0cef8aa5512fbp-6, 0x1.1045250c5eba8p-5, -0x1.7ff1466cf0b44p-1, 0x1.f4573c83663a8p-3,
      -0x1.cd9968634daedp-6, 0x1.7cc94f6cc3339p-1, 0x1.459d82ec265c4p+1, 0x1.459d82ec265c4p+1}},
    /* With infinite friction, restitution may be paid off before slip ends, which ends the
     * collision: 1.5e10 tolerances in f64, 14,000 in f32. */
    {IMPINGE_RULE_STRONGE,
     {0x1p+0, 0, -0x1.a8ba5af0941d1p-2, 0x1.073e6092b7e32p+0, 0, 0x1p+0, 0x1.3adb3581cd75bp-40,
      -0x1.7ce4e8b2d70a9p-1, -0x1.35fddde9f4e9fp-42, 0x1.470b81cd91128p-1, INFINITY, INFINITY}},
    {IMPINGE_RULE_STRONGE,
     {0x1p+0, 0, -0x1.7dda5p-1, 0x1.096baap+0, 0, 0x1p+0, 0x1.8735p-19, -0x1.12cc5cp-1,
      -0x1.48155p-20, 0x1.72f866p-1, INFINITY, INFINITY}},
    /* With infinite friction, slip ends where Newton's rule ends the collision: 1.87 in f32. */
    {IMPINGE_RULE_NEWTON,
     {0x1.8288f8p-5, -0x1.37d0dcp-8, -0x1.cb221cp-5, 0x1.08dcd8p-6, 0x1.10884ap-7, 0x1.d3b54p-4,
      0x1.27cdb4p-1, -0x1.41a894p-4, -0x1.451f24p-1, 0x1.60ca1ap-4, INFINITY, INFINITY}},
    /* The reference took this slip for one that comes to zero: the slip turns at 1e-5 of its rates
     * at the least, which is no ray, and passes zero at e^-400 of its size. */
    {IMPINGE_RULE_NEWTON,
     {0x1.46a1b8p-2, -0x1.e96a46p-4, -0x1.9c76c2p-6, 0x1.b50572p-4, 0x1.db1cf4p-10, 0x1.5ca564p-4,
      0x1.18ff9ap-26, 0x1.3b8a12p-27, -0x1.09f9eap-2, 0, 0x1.1a25a2p-3, INFINITY}},
};
const size_t hard_contact_count = sizeof hard_contacts / sizeof *hard_contacts;

/*
 * u_n rises past zero, falls below it again where slip turns through k, and rises. A step from
 * where it falls to where it rises took the end that restitution has without that, at u_n < 0: 9
 * %, 10.5 % and 4.9 % of |u0| off.
 */
const ruled_contact falling_contacts[] = {
    {IMPINGE_RULE_POISSON,
     {0x1.995bfcp-4, 0x1.9eeddep-3, 0x1.57243ep-4, 0x1.3b212p+0, 0x1.92dca4p-2, 0x1.0d7228p-3,
      -0x1.675108p-4, 0x1.1f7aeep-1, -0x1.bd8918p-6, 0x1.9157dap-1, 0x1.4f8ee2p-2, 0x1.4f8ee2p-2}},
    {IMPINGE_RULE_POISSON,
     {0x1.9b7d5fcb54a57p-4, 0x1.9e11361302b5bp-3, 0x1.550af464bf7c1p-4, 0x1.3b6bb330c9e78p+0,
      0x1.9066c0966bb26p-2, 0x1.0d4db1e26b8e6p-3, -0x1.592a5ebebab4bp-4, 0x1.2e8fecde136b5p-1,
      -0x1.ab936e1958fc3p-6, 0x1.99638ba0ce083p-1, 0x1.518e2170f10e9p-2, 0x1.518e2170f10e9p-2}},
    {IMPINGE_RULE_STRONGE,
     {0x1.995902p-4, 0x1.9eeecp-3, 0x1.5720bap-4, 0x1.3b228ep+0, 0x1.92d9f4p-2, 0x1.0d70bap-3,
      -0x1.67737p-4, 0x1.1f8634p-1, -0x1.bdbb9ap-6, 0x1.e2b88p-4, 0x1.4f97d4p-2, 0x1.4f97d4p-2}},
};
const size_t falling_contact_count = sizeof falling_contacts / sizeof *falling_contacts;

/* Changes each input by up to 2^-exponent of itself. */
static void draw_neighbour(uint64_t *state, const double of[CONTACT_INPUTS], int exponent, int bits,
                           double row[CONTACT_INPUTS]) {
    memcpy(row, of, CONTACT_INPUTS * sizeof *row);
    for (size_t i = 0; i <= IN_FRICTION_STATIC; i++) {
        row[i] = of[i] * (1 + ldexp(random_between(state, -1, 1), -exponent));
        if (bits == 32) row[i] = (double)(float)row[i];
    }
    row[IN_RESTITUTION] = fmin(row[IN_RESTITUTION], 1);
    const double least = row[IN_FRICTION];
    const bool same = of[IN_FRICTION_STATIC] <= of[IN_FRICTION];
    row[IN_FRICTION_STATIC] = same ? least : fmax(row[IN_FRICTION_STATIC], least);
}

void hard_neighbour(uint64_t *state, size_t contact, int bits, double row[CONTACT_INPUTS]) {
    const int unit = (bits == 32 ? 24 : 53) - (int)random_below(state, 8);
    draw_neighbour(state, hard_contacts[contact].row, unit, bits, row);
}

void falling_neighbour(uint64_t *state, size_t contact, int bits, double row[CONTACT_INPUTS]) {
    do {
        const int exponent = 4 + (int)random_below(state, 8);
        draw_neighbour(state, falling_contacts[contact].row, exponent, bits, row);
    } while (!is_clearly_definite(row, bits));
}
