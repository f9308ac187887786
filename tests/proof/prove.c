/*
 * prove [--seconds S] [--count N] [--seed N] [--bits 32|64] [--law NAME] [--adversary NAME]: holds
 * every law to what is true of every contact, on contacts that adversaries.c draws, until so many
 * of each precision are done or the time is over (60 s unless either is said). Beside the laws
 * there are "planar", the contacts in a plane of the same draws, and "region", impulses of any size
 * that are judged and projected. What is true:
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
 * Of an impulse that is judged and projected:
 *
 *   slack     each slack errs by less than a quarter of its allowance (region.h),
 *   mask      which decides whether the impulse violates a condition;
 *   kept      a permissible impulse is returned bit for bit,
 *   energy, apart, pull, cone: and any other is permissible, to the allowances, where it is
 * brought.
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

#include "../../tools/support/random.h"
#include "adversaries.h"
#include "search.h"

enum { BLOCK = 256, ALONE_EVERY = 16, PRINTED_MAX = 20, UNITS = 64 };

typedef enum truth {
    BITS,
    FINITE,
    NOTHING,
    STEPS,
    SUM,
    ENERGY,
    APART,
    PULL,
    CONE,
    SLACK,
    MASK,
    KEPT,
    TRUTHS
} truth;

static const char *const truth_names[TRUTHS] = {"bits", "finite", "nothing", "steps",
                                                "sum",  "energy", "apart",   "pull",
                                                "cone", "slack",  "mask",    "kept"};

/* What is held to it: a law by a rule, planar contacts by a rule, or the calls of the region. */
typedef enum proved_call { IN_SPACE, IN_PLANE, OF_REGION } proved_call;

typedef struct way {
    const char *name;
    impinge_options options;
    proved_call call;
} way;

/* The arguments. */
static const char *law_wanted, *adversary_wanted;

/* The counts of one law, rule and precision. */
typedef struct tally {
    double count, worst[TRUTHS], broken;
} tally;

/* A contact and its results, in long double. */
typedef struct widened {
    long double k[6], u0[3], p[3], u[3], mu, unit, tolerance, least;
    uint32_t outcome;
    bool definite; /* K is, by more than rounding */
    bool claims;   /* that it stays in the region */
    bool sums;     /* that the velocity is u0 + K p */
    bool path;     /* the law follows the impulse as it grows */
} widened;

static unsigned printed;

static bool has_path(impinge_law law) {
    return law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_COMPOSITE;
}

/*
 * What a call does not read of a contact is where the batch has room for what else the calls of the
 * region are given and give.
 */
enum {
    IN_GIVEN = IN_TANGENTIAL_RESTITUTION, /* and the two behind: the impulse */
    OUT_ENERGY = OUT_U1,
    OUT_INTERPENETRATION,
    OUT_PULL,
    OUT_CONE,
    OUT_FRACTION,
    OUT_MASK /* of the judge; that of the projection is the outcome */
};

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

/*
 * Whether the least eigenvalue l of K_ij / sqrt(K_ii K_jj) is above 16 units of rounding, as far as
 * long double shows: of other K laws claim little (batch.h). The determinant, a product of what
 * elimination leaves, over the sum of the principal minors of two rows is at most l.
 */
static bool is_definite(const widened *w) {
    const long double k33 = w->k[5], rounding = 4 * LDBL_EPSILON;
    const long double x = w->k[0] - w->k[2] * w->k[2] / k33, z = w->k[3] - w->k[4] * w->k[4] / k33;
    const long double y = w->k[1] - w->k[2] * w->k[4] / k33;
    const long double first = x / w->k[0], second = z / w->k[3], third = 1 - y / x * (y / z);
    if (!(first > rounding && second > rounding)) return false;
    if (!(third > rounding / first + rounding / second)) return false;
    const long double minors = first + second + 1 - w->k[1] / w->k[0] * (w->k[1] / w->k[3]);
    return first * second * third > 16 * w->unit * minors;
}

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
        if (w->sums) ratio[SUM] = fmaxl(ratio[SUM], over(off, of_sum));
    }
    if (!w->claims) return;
    if (!(w->outcome & IMPINGE_OUTCOME_ENERGY_GAINED)) ratio[ENERGY] = energy_ratio(w, kp);
    /* The u_n that is reported does not approach; the sum is as far from it as the sum may be. */
    ratio[APART] = over(-(w->u0[2] + kp[2]), du);
    ratio[PULL] = over(-w->p[2], 0);
    ratio[CONE] = cone_ratio(w);
}

/* ---- Judging and projecting ---- */

/*
 * The slacks of an impulse, and their allowances as region.h states them: of rounding alone, and
 * with the smallest normal number times a size, which is a power of two that is known to a factor.
 */
typedef struct region_slacks {
    long double slack[4], rounding[4], allowance[4];
} region_slacks;

static const truth slack_truths[4] = {ENERGY, APART, PULL, CONE};
static const uint32_t slack_bits[4] = {IMPINGE_REGION_ENERGY, IMPINGE_REGION_INTERPENETRATION,
                                       IMPINGE_REGION_PULL, IMPINGE_REGION_CONE};

static region_slacks slacks_of(const widened *w, const long double p[3]) {
    const long double most = fmaxl(1, w->mu), alpha = 1 / most, beta = fminl(1, w->mu);
    long double u[3], work = 0, terms = 0, s = 0, moved = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = w->u0[i];
        for (int j = 0; j < 3; j++)
            u[i] += element(w, i, j) * p[j];
        work += p[i] * (w->u0[i] + u[i]) / 2;
        terms += fabsl(p[i] * w->u0[i]);
        s += sqrtl(element(w, i, i)) * fabsl(p[i]);
        moved = fmaxl(moved, element(w, i, i));
    }
    const long double size = length(p), speed = length(w->u0) + moved * size;
    const long double units = UNITS / 2 * w->unit, normal = w->least / (2 * w->unit);
    const long double across = alpha * hypotl(p[0], p[1]), along = beta * p[2];
    region_slacks r = {{-work, u[2], p[2], along - across},
                       {units * (terms + s * s / 2),
                        units * (fabsl(w->u0[2]) + sqrtl(element(w, 2, 2)) * s), 0,
                        units * (fabsl(along) + across)},
                       {normal * size * speed, normal * speed, 0, normal * size}};
    for (int i = 0; i < 4; i++)
        r.allowance[i] += r.rounding[i];
    return r;
}

/* What an impulse that is returned may be off beside: it has no digits below the smallest number.
 */
static void allow_least(const widened *w, region_slacks *r) {
    long double moved = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            moved += fabsl(element(w, i, j));
    const long double speed = 2 * length(w->u0) + moved * length(w->p);
    r->allowance[0] += w->least * (speed + moved * w->least);
    r->allowance[1] += w->least * moved;
    r->allowance[3] += 2 * w->least;
}

/* How far the slacks that were returned are from right, in quarters of the allowances. */
static long double slack_ratio(const region_slacks *r, const long double given[4],
                               long double least) {
    long double worst = 0;
    for (int i = 0; i < 4; i++) {
        if (isinf(given[i])) continue; /* it does not fit the precision */
        const long double off = fabsl(given[i] - r->slack[i]);
        worst = fmaxl(worst, over(off, r->allowance[i] / 4 + least));
    }
    return worst;
}

/* Zero or infinite: whether a bit is set is free within a quarter of where its slack is allowed. */
static long double mask_ratio(const region_slacks *r, uint32_t mask) {
    for (int i = 0; i < 4; i++) {
        const bool fails = (mask & slack_bits[i]) != 0;
        if (fails ? r->slack[i] > -r->rounding[i] * 0.75L : r->slack[i] < -r->allowance[i] * 1.25L)
            return HUGE_VALL;
    }
    return 0;
}

static void print_broken(const char *what, long double by, const char *kind, const way *of,
                         int bits, const double *row, const widened *w) {
    if (printed++ >= PRINTED_MAX) return;
    printf("%s by %.3Lg: f%d %s rule %d, %s:", what, by, bits, of->name, (int)of->options.rule,
           kind);
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

static void add_way(way ways[], size_t *count, const char *name, proved_call call, int law,
                    int rule) {
    if (law_wanted && strcmp(law_wanted, name) != 0) return;
    ways[*count].name = name;
    ways[*count].call = call;
    ways[(*count)++].options =
        (impinge_options){.law = (impinge_law)law, .rule = (impinge_restitution_rule)rule};
}

enum { WAYS_MAX = 3 * IMPINGE_LAW_COUNT + 4 };

/* Every law; Routh's, alone, in the composite and in a plane, by each rule. */
static size_t find_ways(way ways[WAYS_MAX]) {
    size_t count = 0;
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++)
        for (int rule = 0; rule < (has_path((impinge_law)law) ? 3 : 1); rule++)
            add_way(ways, &count, impinge_law_name((impinge_law)law), IN_SPACE, law, rule);
    for (int rule = 0; rule < 3; rule++)
        add_way(ways, &count, "planar", IN_PLANE, IMPINGE_LAW_ROUTH, rule);
    add_way(ways, &count, "region", OF_REGION, IMPINGE_LAW_ROUTH, 0);
    return count;
}

static bool is_wanted(const adversary *a) {
    return !adversary_wanted || strcmp(a->name, adversary_wanted) == 0;
}

static bool print_tally(const way *of, int bits, const tally *t) {
    printf("f%d %-17s rule %d %12.0f contacts;", bits, of->name, (int)of->options.rule, t->count);
    for (int i = 0; i < TRUTHS; i++)
        if (t->worst[i] > 0) printf(" %s %.2g", truth_names[i], t->worst[i]);
    printf(t->broken > 0 ? "; %.0f broken\n" : "\n", t->broken);
    return t->broken == 0;
}

static int prove(void) {
    way ways[WAYS_MAX];
    tally tallies[WAYS_MAX][2] = {{{0}}};
    const size_t count = find_ways(ways);
    if (count == 0) return 2;
    search_begin();
    double done[2] = {0, 0};
    uint64_t state = search_seed();
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t a = 0; a < adversary_count; a++) {
            for (size_t kind = 0; is_wanted(&adversaries[a]) && kind < adversaries[a].kinds;
                 kind++) {
                for (size_t i = 0; i < 2 * count; i++) {
                    const size_t wide = i % 2;
                    if (!search_wants(wide ? 64 : 32, done[wide])) continue;
                    (wide ? prove_block_f64 : prove_block_f32)(&state, &adversaries[a], kind,
                                                               &ways[i / 2], &tallies[i / 2][wide]);
                    done[wide] += BLOCK;
                    goes_on = true;
                }
            }
        }
    }
    bool holds = true;
    for (size_t i = 0; i < 2 * count; i++)
        if (tallies[i / 2][i % 2].count > 0)
            holds &= print_tally(&ways[i / 2], i % 2 ? 64 : 32, &tallies[i / 2][i % 2]);
    printf("prove: %.3g contacts in f32, %.3g in f64, %.0f s, seed %llu\n", done[0], done[1],
           search_seconds(), (unsigned long long)search_seed());
    return holds ? 0 : 1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) return 2;
        const char *const value = argv[i + 1];
        if (search_option(argv[i], value))
            continue;
        else if (strcmp(argv[i], "--adversary") == 0)
            adversary_wanted = value;
        else if (strcmp(argv[i], "--law") == 0)
            law_wanted = value;
        else
            return 2;
    }
    return prove();
}
