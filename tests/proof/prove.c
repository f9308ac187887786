/*
 * prove [--seconds S] [--count N] [--seed N] [--bits 32|64] [--law NAME] [--adversary NAME]: holds
 * every law to what is true of every contact, on contacts that adversaries.c draws, until so many
 * of each precision are done or the time is over (60 s unless either is said). What is true:
 *
 *   bits      every target gives the same, and a contact alone the same as in the batch;
 *   finite    a contact that is not invalid has a finite impulse and velocity;
 *   nothing   without an impulse it is +0, and the velocity has the bits that it had;
 *   steps     no contact comes to the most steps that there are;
 *   sum       the velocity after is u0 + K p;
 *   energy    is not gained, or the outcome says so (K all but singular, mu of thousands),
 *   apart     the bodies do not go on approaching,
 *   pull      p_n >= 0,
 *   cone      |p_t| <= mu_s p_n: of the laws that claim to stay in the permissible region.
 *
 * All in long double from the numbers that the call was given and has returned. Of each the worst
 * is printed, in units of what is granted: rounding, and to velocities, not to the energy nor the
 * cone, the call's tolerance. Above 1 the contact is printed, and the program ends with 1.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "adversaries.h"
#include "search.h"

enum { BLOCK = 256, ALONE_EVERY = 16, PRINTED_MAX = 20, UNITS = 64 };

typedef enum truth { BITS, FINITE, NOTHING, STEPS, SUM, ENERGY, APART, PULL, CONE, TRUTHS } truth;

static const char *const truth_names[TRUTHS] = {"bits",   "finite", "nothing", "steps", "sum",
                                                "energy", "apart",  "pull",    "cone"};

/* The arguments. */
static int law_wanted = -1;
static const char *adversary_wanted;

/* The counts of one law, rule and precision. */
typedef struct tally {
    double count, worst[TRUTHS], broken;
} tally;

/* A contact and its results, in long double. */
typedef struct widened {
    long double k[6], u0[3], p[3], u[3], mu, unit, tolerance, least;
    uint32_t outcome;
    bool claims; /* that it stays in the region */
    bool path;   /* the law follows the impulse as it grows */
} widened;

static unsigned printed;

static bool has_path(impinge_law law) {
    return law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_COMPOSITE;
}

static bool claims_region(const impinge_options *options) {
    if (has_path(options->law)) return options->rule != IMPINGE_RULE_NEWTON;
    return !(impinge_law_properties(options->law) & IMPINGE_LAW_MAY_LEAVE_REGION);
}

/* Element i, j of K from its six. */
static long double element(const widened *w, int i, int j) {
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return w->k[at[i][j]];
}

static long double length(const long double v[3]) { return hypotl(hypotl(v[0], v[1]), v[2]); }

static long double over(long double excess, long double allowance) {
    if (!(excess > 0)) return 0;
    return allowance > 0 ? excess / allowance : HUGE_VALL;
}

/*
 * The sizes of the terms of u0 + K p, as batch.h states them: component by component; or in all, if
 * the law follows a path in the principal axes of T, which mix the components.
 */
static void sizes_of(const widened *w, long double size[3]) {
    long double path = 0, trace = 0;
    for (int i = 0; i < 3; i++) {
        path += sqrtl(element(w, i, i)) * fabsl(w->p[i]);
        trace += element(w, i, i);
    }
    for (int i = 0; i < 3; i++)
        size[i] = w->path ? length(w->u0) + trace * length(w->p)
                          : fabsl(w->u0[i]) + sqrtl(element(w, i, i)) * path;
}

/*
 * The error that the rounding of an impulse allows, by its own sizes, without K's condition: with
 * that a graded K would allow any error. No impulse has digits below the smallest subnormal number;
 * and velocities, in units of |u0|, lose digits below the normal ones, which are an impulse by
 * 1 / K_ii.
 */
static long double coarse_impulse(const widened *w) {
    const long double softest = fminl(element(w, 0, 0), fminl(element(w, 1, 1), element(w, 2, 2)));
    return w->least + UNITS * w->least / (2 * w->unit) * length(w->u0) / softest;
}

/* |p_t| <= mu p_n to rounding of either, as the library itself judges (kernels/region.h). */
static long double cone_ratio(const widened *w) {
    if (isinf(w->mu)) return 0;
    const long double across = hypotl(w->p[0], w->p[1]), along = w->mu * w->p[2];
    const long double coarse = (1 + w->mu) * coarse_impulse(w);
    return over(across - along, UNITS / 2 * w->unit * (across + fabsl(along)) + coarse);
}

/*
 * E(u) - E(u0) = p.(u0 + K p / 2), to rounding of what that adds up: the terms p_i u0_i, and those
 * of p.K p, which are below the square of the sum of sqrt(K_ii) |p_i|. u0 + K p is half of what p
 * is multiplied by, so that half of its units, as batch.h states them, are the energy's. The call's
 * tolerance is not granted.
 */
static long double energy_ratio(const widened *w, const long double kp[3]) {
    long double gained = 0, terms = 0, root = 0, speed = 0;
    for (int i = 0; i < 3; i++) {
        gained += w->p[i] * (w->u0[i] + kp[i] / 2);
        terms += fabsl(w->p[i] * w->u0[i]);
        root += sqrtl(element(w, i, i)) * fabsl(w->p[i]);
        speed += fabsl(w->u0[i]) + fabsl(kp[i]);
    }
    const long double rounding = UNITS / 2 * w->unit * (terms + root * root / 2);
    return over(gained, rounding + coarse_impulse(w) * speed);
}

/*
 * A velocity errs by du: the call's tolerance of |u0|, some units of what u0 + K p adds up, and
 * what the last digit of a subnormal impulse makes of it.
 */
static void judge(const widened *w, long double ratio[TRUTHS]) {
    long double du = 0, kp[3], sizes[3];
    sizes_of(w, sizes);
    ratio[SUM] = 0;
    for (int i = 0; i < 3; i++) {
        kp[i] = 0;
        for (int j = 0; j < 3; j++)
            kp[i] += element(w, i, j) * w->p[j];
        /*
         * p has no digits below the smallest subnormal number, nor has u. Kernels count velocities
         * in units of |u0|, and what is below the smallest normal number there has lost digits.
         */
        long double coarse = w->least + UNITS * w->least / (2 * w->unit) * length(w->u0);
        for (int j = 0; j < 3; j++)
            coarse += fabsl(element(w, i, j)) * w->least;
        const long double granted = coarse + w->tolerance * length(w->u0);
        const long double off = fabsl(w->u[i] - w->u0[i] - kp[i]);
        const long double of_sum = UNITS * w->unit * sizes[i] + granted;
        du = fmaxl(du, of_sum);
        ratio[SUM] = fmaxl(ratio[SUM], over(off, of_sum));
    }
    if (!w->claims) return;
    if (!(w->outcome & IMPINGE_OUTCOME_ENERGY_GAINED)) ratio[ENERGY] = energy_ratio(w, kp);
    /* The u_n that is reported does not approach; the sum is as far from it as the sum may be. */
    ratio[APART] = over(-(w->u0[2] + kp[2]), du);
    ratio[PULL] = over(-w->p[2], 0);
    ratio[CONE] = cone_ratio(w);
}

static void print_broken(const char *what, long double by, const char *kind,
                         const impinge_options *options, int bits, const double *row,
                         const widened *w) {
    if (printed++ >= PRINTED_MAX) return;
    printf("%s by %.3Lg: f%d %s rule %d, %s:", what, by, bits, impinge_law_name(options->law),
           (int)options->rule, kind);
    for (size_t i = 0; i < CONTACT_INPUTS; i++)
        printf(" %a", row[i]);
    if (w)
        printf(" -> p %.9Lg %.9Lg %.9Lg u %.9Lg %.9Lg %.9Lg outcome %#x", w->p[0], w->p[1], w->p[2],
               w->u[0], w->u[1], w->u[2], (unsigned)w->outcome);
    putchar('\n');
}

#define REAL       float
#define NAME(name) name##_f32
#define UNIT       (FLT_EPSILON / 2)
#define LEAST      FLT_TRUE_MIN
#define TOLERANCE  1e-6
#define REAL_BITS  32
#include "prove_real.inc"
#undef REAL_BITS
#undef TOLERANCE
#undef UNIT
#undef LEAST
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define UNIT       (DBL_EPSILON / 2)
#define LEAST      DBL_TRUE_MIN
#define TOLERANCE  1e-12
#define REAL_BITS  64
#include "prove_real.inc"

/* Every law; Routh's, alone and in the composite, by each rule. */
static size_t ways(impinge_options options[]) {
    size_t count = 0;
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        if (law_wanted >= 0 && law != law_wanted) continue;
        for (int rule = 0; rule < (has_path((impinge_law)law) ? 3 : 1); rule++)
            options[count++] =
                (impinge_options){.law = (impinge_law)law, .rule = (impinge_restitution_rule)rule};
    }
    return count;
}

static bool is_wanted(const adversary *a) {
    return !adversary_wanted || strcmp(a->name, adversary_wanted) == 0;
}

static bool print_tally(const impinge_options *options, int bits, const tally *t) {
    printf("f%d %-17s rule %d %12.0f contacts;", bits, impinge_law_name(options->law),
           (int)options->rule, t->count);
    for (int i = 0; i < TRUTHS; i++)
        if (t->worst[i] > 0) printf(" %s %.2g", truth_names[i], t->worst[i]);
    printf(t->broken > 0 ? "; %.0f broken\n" : "\n", t->broken);
    return t->broken == 0;
}

static int prove(void) {
    impinge_options options[3 * IMPINGE_LAW_COUNT];
    tally tallies[3 * IMPINGE_LAW_COUNT][2] = {{{0}}};
    const size_t count = ways(options);
    search_begin();
    double done[2] = {0, 0};
    uint64_t state = search_seed();
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t a = 0; a < adversary_count; a++) {
            for (size_t kind = 0; is_wanted(&adversaries[a]) && kind < adversaries[a].kinds;
                 kind++) {
                for (size_t i = 0; i < 2 * count; i++) {
                    const size_t wide = i % 2, way = i / 2;
                    if (!search_wants(wide ? 64 : 32, done[wide])) continue;
                    (wide ? prove_block_f64 : prove_block_f32)(&state, &adversaries[a], kind,
                                                               &options[way], &tallies[way][wide]);
                    done[wide] += BLOCK;
                    goes_on = true;
                }
            }
        }
    }
    bool holds = true;
    for (size_t i = 0; i < 2 * count; i++)
        if (tallies[i / 2][i % 2].count > 0)
            holds &= print_tally(&options[i / 2], i % 2 ? 64 : 32, &tallies[i / 2][i % 2]);
    printf("prove: %.3g contacts in f32, %.3g in f64, %.0f s, seed %llu\n", done[0], done[1],
           search_seconds(), (unsigned long long)search_seed());
    return holds ? 0 : 1;
}

static int law_named(const char *name) {
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++)
        if (strcmp(impinge_law_name((impinge_law)law), name) == 0) return law;
    return -1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) return 2;
        const char *const value = argv[i + 1];
        if (search_option(argv[i], value))
            continue;
        else if (strcmp(argv[i], "--adversary") == 0)
            adversary_wanted = value;
        else if (strcmp(argv[i], "--law") == 0 && (law_wanted = law_named(value)) >= 0)
            continue;
        else
            return 2;
    }
    return prove();
}
