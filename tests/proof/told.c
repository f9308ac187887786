/*
 * told [--bits 32|64] [--set NAME] [--plane 0|1] [--seconds S] [--count N] [--seed N] [--all 1]:
 * searches for contacts whose velocity by Routh's law is off by more than the call's tolerance and
 * whose outcome does not say so, and for told ones that still approach and are not said to be
 * outside the region, by each rule, over sets of contacts of all kinds, in space and in a plane,
 * until so many of each set are done or the time is over (60 s unless either is said).
 *
 * The judge is the reference in long double. It takes a thousand times as long as the library, so
 * that it sees only contacts which may be off: where the library itself gives another velocity in
 * f64 (to f32), or with the finest tolerance (to f64), or with the tangents exchanged; and one in
 * 256 of the others. With --all it sees every one, as it does in a plane, where it has a closed
 * form. Contacts on which it does not end are counted.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../adversarial_contacts.h"
#include "../border_contacts.h"
#include "../conditioning.h"
#include "../hard_contacts.h"
#include "../law_adversaries.h"
#include "../random_contacts.h"
#include "reference.h"
#include "search.h"

enum { BLOCK = 512, SAMPLED_EVERY = 256, PRINTED_MAX = 50, RULES = 3 };

/* Of the tolerance: a difference from which on the reference decides. */
#define SUSPICIOUS 0.3L

static const char *set_wanted;
static int plane_wanted = -1;
static bool sees_all;

/* What kinetic friction does not hold at zero and static friction does, with little slip. */
static void draw_held(uint64_t *state, int bits, double row[CONTACT_INPUTS]) {
    adversarial_contact(state, random_below(state, 2) ? ADVERSARIAL_AT_REST : ADVERSARIAL_CRITICAL,
                        bits, row);
    const double size = ldexp(1, -(int)random_below(state, bits == 32 ? 140 : 1000));
    row[IN_U1] = size * random_between(state, -1, 1);
    row[IN_U2] = size * random_between(state, -1, 1);
    row[IN_FRICTION_STATIC] = row[IN_FRICTION] * (1 + ldexp(1, 2 - (int)random_below(state, 8)));
}

/*
 * A slip that nearly jams and vanishes near the turn: there, an error of u_n moves the turn by far
 * more than it moves the end of the slip.
 */
static void draw_jam_end(uint64_t *state, int bits, double row[CONTACT_INPUTS]) {
    const unsigned digits = bits == 32 ? 20 : 48;
    const double sign = random_below(state, 2) ? 1 : -1;
    row[IN_K11] = random_between(state, 0.2, 4);
    row[IN_K22] = random_between(state, 0.2, 4);
    row[IN_K33] = random_between(state, 0.2, 4);
    const double coupling = sqrt(row[IN_K11] * row[IN_K33]) * random_between(state, 0.2, 0.98);
    row[IN_K13] = sign * coupling;
    if (random_below(state, 2)) {
        row[IN_K12] = ldexp(random_between(state, -0.1, 0.1), -(int)random_below(state, digits));
        row[IN_K23] = ldexp(random_between(state, -0.1, 0.1), -(int)random_below(state, digits));
    }
    const double rising = ldexp(random_positive(state), -(int)random_below(state, digits));
    row[IN_FRICTION] = row[IN_K33] / coupling * (1 - rising);
    row[IN_FRICTION_STATIC] = random_below(state, 4) ? row[IN_FRICTION] : 2 * row[IN_FRICTION];
    const double path = 1 / (row[IN_FRICTION] * row[IN_K11] - coupling);
    const double beside = ldexp(random_between(state, -1, 1), -(int)random_below(state, digits));
    row[IN_U1] = sign;
    row[IN_U2] = random_below(state, 2) ? 0 : ldexp(0.5, -(int)random_below(state, digits));
    row[IN_U3] = -(row[IN_K33] - row[IN_FRICTION] * coupling) * path * (1 + beside);
    row[IN_RESTITUTION] = random_below(state, 8) ? ldexp(1, -(int)random_below(state, 24)) : 0;
}

/* u_n = 0 and a slip that jams, or does not: most of them beside the border between the two. */
static void draw_grazing_jam(uint64_t *state, int bits, double row[CONTACT_INPUTS]) {
    if (random_below(state, 2))
        random_contact(state, RANDOM_DEFINITE, 0, row);
    else
        adversarial_contact(state, ADVERSARIAL_NEAR_JAM, bits, row);
    row[IN_U3] = 0;
    const double along =
        (row[IN_K13] * row[IN_U1] + row[IN_K23] * row[IN_U2]) / hypot(row[IN_U1], row[IN_U2]);
    if (random_below(state, 4) == 0 || !(along > 0)) return;
    const double beside =
        ldexp(random_between(state, -1, 1), -(int)random_below(state, bits == 32 ? 26 : 55));
    const double mu = row[IN_K33] / along * (1 + beside);
    if (!isfinite(mu)) return;
    row[IN_FRICTION] = mu;
    row[IN_FRICTION_STATIC] = random_below(state, 4) ? mu : 2 * mu;
}

typedef struct told_set {
    const char *name;
    enum {
        OF_RANDOM,
        OF_PATH,
        OF_LAW,
        OF_NEIGHBOURS,
        OF_FALLING,
        OF_HELD,
        OF_JAM_END,
        OF_GRAZING_JAM,
        OF_BORDER
    } source;
    int kind;
} told_set;

static const told_set sets[] = {
    {"boxes", OF_RANDOM, RANDOM_BOXES},
    {"any", OF_RANDOM, RANDOM_DEFINITE},
    {"jam", OF_PATH, ADVERSARIAL_NEAR_JAM},
    {"static", OF_PATH, ADVERSARIAL_STATIC},
    {"law", OF_LAW, 0},
    {"held", OF_HELD, 0},
    {"jam end", OF_JAM_END, 0},
    {"grazing jam", OF_GRAZING_JAM, 0},
    {"border", OF_BORDER, 0},
    {"neighbours", OF_NEIGHBOURS, 0},
    {"falling", OF_PATH, ADVERSARIAL_FALLING},
    {"falling neighbours", OF_FALLING, 0},
    {"critical", OF_PATH, ADVERSARIAL_CRITICAL},
    {"slow", OF_PATH, ADVERSARIAL_SLOW},
    {"shallow", OF_PATH, ADVERSARIAL_SHALLOW},
    {"at rest", OF_PATH, ADVERSARIAL_AT_REST},
    {"grid", OF_PATH, ADVERSARIAL_GRID},
    {"stretched", OF_PATH, ADVERSARIAL_STRETCHED},
    {"graded", OF_PATH, ADVERSARIAL_GRADED},
    {"sizes", OF_PATH, ADVERSARIAL_SIZES},
    {"singular", OF_PATH, ADVERSARIAL_SINGULAR},
    {"two phases", OF_RANDOM, RANDOM_TWO_PHASE},
    {"grazing", OF_RANDOM, RANDOM_GRAZING},
    {"nearly at rest", OF_RANDOM, RANDOM_NEARLY_AT_REST},
};
enum { SETS = sizeof sets / sizeof *sets };

/* What is drawn from a set. */
typedef struct contact_kind {
    const told_set *set;
    bool in_plane;
    int bits;
} contact_kind;

typedef struct tally {
    double count, told, judged, near, off, unended, worst; /* near: off by 3/4 of the tolerance */
} tally;

/*
 * A contact in a plane out of one in space. Half of them get a coefficient beside those at which
 * the normal velocity of a slip jams and at which slip just ends for good: few draws in space come
 * close to either where K12 and K23 are zero.
 */
static void bring_into_plane(uint64_t *state, int bits, double row[CONTACT_INPUTS]) {
    row[IN_K12] = row[IN_K23] = row[IN_U2] = 0;
    const double coupling = fabs(row[IN_K13]);
    if (random_below(state, 2) || !(coupling > 0)) return;
    const double border = random_below(state, 2) ? row[IN_K33] / coupling : coupling / row[IN_K11];
    const double beside =
        ldexp(random_between(state, -1, 1), -(int)random_below(state, bits == 32 ? 24 : 52));
    const double mu = border * (1 + beside);
    if (!isfinite(mu)) return;
    row[IN_FRICTION] = mu;
    row[IN_FRICTION_STATIC] = random_below(state, 4) ? mu : 2 * mu;
}

static void draw(uint64_t *state, const contact_kind *of, double row[CONTACT_INPUTS]) {
    const told_set *const set = of->set;
    const int bits = of->bits;
    memset(row, 0, CONTACT_INPUTS * sizeof *row);
    switch (set->source) {
    case OF_RANDOM:
        random_contact(state, (random_kind)set->kind, 0, row);
        break;
    case OF_PATH:
        adversarial_contact(state, (adversarial_kind)set->kind, bits, row);
        break;
    case OF_LAW:
        law_adversary(state, IMPINGE_LAW_ROUTH, bits == 32, row);
        break;
    case OF_NEIGHBOURS:
        hard_neighbour(state, random_below(state, (unsigned)hard_contact_count), bits, row);
        break;
    case OF_FALLING:
        falling_neighbour(state, random_below(state, (unsigned)falling_contact_count), bits, row);
        break;
    case OF_HELD:
        draw_held(state, bits, row);
        break;
    case OF_JAM_END:
        draw_jam_end(state, bits, row);
        break;
    case OF_GRAZING_JAM:
        draw_grazing_jam(state, bits, row);
        break;
    case OF_BORDER:
        border_contact(state, bits, of->in_plane, row);
        break;
    }
    if (of->in_plane && set->source != OF_BORDER) bring_into_plane(state, bits, row);
    for (size_t i = 0; bits == 32 && i < CONTACT_INPUTS; i++)
        row[i] = (double)(float)row[i];
}

/* The same contact with its tangents exchanged. */
static void exchange(const double row[CONTACT_INPUTS], double other[CONTACT_INPUTS]) {
    memcpy(other, row, CONTACT_INPUTS * sizeof *row);
    other[IN_K11] = row[IN_K22];
    other[IN_K22] = row[IN_K11];
    other[IN_K13] = row[IN_K23];
    other[IN_K23] = row[IN_K13];
    other[IN_U1] = row[IN_U2];
    other[IN_U2] = row[IN_U1];
}

static void velocities_f32(const batch_f32 *b, size_t i, long double u[3]) {
    for (size_t k = 0; k < 3; k++)
        u[k] = b->out[(OUT_U1 + k) * b->stride + i];
}

static void velocities_f64(const batch_f64 *b, size_t i, long double u[3]) {
    for (size_t k = 0; k < 3; k++)
        u[k] = b->out[(OUT_U1 + k) * b->stride + i];
}

static void print_contact(const char *what, const contact_kind *of, impinge_restitution_rule rule,
                          long double off, uint32_t outcome, const double row[CONTACT_INPUTS]) {
    static unsigned printed;
    if (printed++ >= PRINTED_MAX) return;
    printf("%s: f%d rule %d set %s%s, off by %.4Lg tolerances, outcome %#x: {", what, of->bits,
           (int)rule, of->set->name, of->in_plane ? " in a plane" : "", off, (unsigned)outcome);
    for (size_t i = 0; i <= IN_FRICTION_STATIC; i++)
        printf(i ? ", %a" : "%a", row[i]);
    puts("}");
    fflush(stdout);
}

/* The contacts of a block with their results. */
typedef struct block {
    double row[BLOCK][CONTACT_INPUTS];
    long double u[BLOCK][3], other[BLOCK][3], exchanged[BLOCK][3];
    uint32_t outcome[BLOCK], other_outcome[BLOCK];
    batch_f32 f32;
    batch_f64 f64;
} block;

static block *block_new(void) {
    block *b = calloc(1, sizeof *b);
    if (!b) exit(2);
    b->f32 = batch_new_f32(LEVEL_CONTACTS, BLOCK);
    b->f64 = batch_new_f64(LEVEL_CONTACTS, BLOCK);
    return b;
}

static void resolve_f64(block *b, bool in_plane, const impinge_options *options, bool exchanged,
                        long double u[][3], uint32_t *outcome) {
    for (size_t i = 0; i < BLOCK; i++) {
        double row[CONTACT_INPUTS];
        memcpy(row, b->row[i], sizeof row);
        if (exchanged) exchange(b->row[i], row);
        batch_set_row_f64(&b->f64, i, row);
    }
    if (in_plane)
        batch_resolve_in_plane_f64(&b->f64, 0, BLOCK, options);
    else
        batch_resolve_f64(&b->f64, 0, BLOCK, options, NULL);
    for (size_t i = 0; i < BLOCK; i++) {
        velocities_f64(&b->f64, i, u[i]);
        if (in_plane) u[i][1] = 0;
        if (exchanged) {
            const long double u1 = u[i][0];
            u[i][0] = u[i][1];
            u[i][1] = u1;
        }
        if (outcome) outcome[i] = b->f64.outcome[i];
    }
}

static void resolve_f32(block *b, bool in_plane, const impinge_options *options) {
    for (size_t i = 0; i < BLOCK; i++)
        batch_set_row_f32(&b->f32, i, b->row[i]);
    if (in_plane)
        batch_resolve_in_plane_f32(&b->f32, 0, BLOCK, options);
    else
        batch_resolve_f32(&b->f32, 0, BLOCK, options, NULL);
    for (size_t i = 0; i < BLOCK; i++) {
        velocities_f32(&b->f32, i, b->u[i]);
        if (in_plane) b->u[i][1] = 0;
        b->outcome[i] = b->f32.outcome[i];
    }
}

/* The velocity by the reference. Returns false if it does not end; `valid`: it has one. */
static bool right_velocity(const double row[CONTACT_INPUTS], bool in_plane,
                           impinge_restitution_rule rule, long double u[3], bool *valid) {
    const reference_contact_long c = contact_of_row(row);
    if (in_plane) {
        const reference_planar_contact_long p = reference_contact_in_plane_long(&c);
        reference_planar_result_long right;
        reference_resolve_planar_long(&p, rule, true, &right);
        *valid = !(right.outcome & IMPINGE_OUTCOME_INVALID);
        u[0] = right.ut, u[1] = 0, u[2] = right.un;
        return true;
    }
    reference_result_long right;
    if (!reference_resolve_routh_long(&c, rule, true, &right)) return false;
    *valid = !(right.outcome & IMPINGE_OUTCOME_INVALID);
    memcpy(u, right.u, sizeof right.u);
    return true;
}

static void judge(const contact_kind *of, impinge_restitution_rule rule, long double tolerance,
                  const block *b, size_t i, tally *t) {
    const reference_contact_long c = contact_of_row(b->row[i]);
    /* No velocity has digits below the smallest subnormal number. */
    const long double least = of->bits == 32 ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    long double right[3];
    bool valid;
    t->judged++;
    if (!right_velocity(b->row[i], of->in_plane, rule, right, &valid)) {
        t->unended++;
        print_contact("not ended", of, rule, 0, b->outcome[i], b->row[i]);
        return;
    }
    if (!valid) return;
    const long double allowed = tolerance * length3(c.u) + 2 * least;
    const long double off = distance3(b->u[i], right) / allowed;
    if ((double)off > t->worst) t->worst = (double)off;
    t->near += off > 0.75L;
    if (off <= 1) return;
    t->off++;
    print_contact("untold", of, rule, off, b->outcome[i], b->row[i]);
}

static void search_block(uint64_t *state, const contact_kind *of, block *b, tally tallies[RULES]) {
    const int bits = of->bits;
    const bool plane = of->in_plane, judges_all = sees_all || plane;
    const long double tolerance = bits == 32 ? 1e-6L : 1e-12L;
    for (size_t i = 0; i < BLOCK; i++)
        draw(state, of, b->row[i]);
    for (int rule = 0; rule < RULES; rule++) {
        impinge_options options = {.rule = (impinge_restitution_rule)rule, .resolve_jams = true};
        if (bits == 32)
            resolve_f32(b, plane, &options);
        else
            resolve_f64(b, plane, &options, false, b->u, b->outcome);
        if (!judges_all) {
            if (bits == 64) options.tolerance = 1e-15;
            resolve_f64(b, false, &options, false, b->other, b->other_outcome);
            resolve_f64(b, false, &options, true, b->exchanged, NULL);
        }
        tally *const t = &tallies[rule];
        t->count += BLOCK;
        for (size_t i = 0; i < BLOCK; i++) {
            const uint32_t outcome = b->outcome[i];
            if (outcome & (IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_OUT_OF_RANGE)) continue;
            const reference_contact_long c = contact_of_row(b->row[i]);
            if (outcome & IMPINGE_OUTCOME_TOLERANCE_MISSED) {
                t->told++;
                const long double approach = -b->u[i][2] / (tolerance * length3(c.u));
                if (approach <= 1 || (outcome & IMPINGE_OUTCOME_OUTSIDE_REGION)) continue;
                t->off++;
                print_contact("approaches", of, options.rule, approach, outcome, b->row[i]);
                continue;
            }
            const long double limit =
                SUSPICIOUS * tolerance * length3(c.u) + (bits == 32 ? FLT_TRUE_MIN : DBL_TRUE_MIN);
            const bool seen =
                judges_all || random_below(state, SAMPLED_EVERY) == 0 ||
                (bits == 32 && (b->other_outcome[i] & IMPINGE_OUTCOME_TOLERANCE_MISSED)) ||
                !(distance3(b->u[i], b->other[i]) <= limit) ||
                !(distance3(b->u[i], b->exchanged[i]) <= limit);
            if (seen) judge(of, options.rule, tolerance, b, i, t);
        }
    }
}

enum { KINDS = 4 * SETS };

/* In space first, f32 and f64 of one set beside each other. */
static contact_kind kind_at(size_t i) {
    return (contact_kind){&sets[i % (2 * SETS) / 2], i >= 2 * SETS, i % 2 ? 64 : 32};
}

static bool is_wanted(const contact_kind *of) {
    return (!set_wanted || strcmp(of->set->name, set_wanted) == 0) &&
           (plane_wanted < 0 || plane_wanted == of->in_plane);
}

static bool print_tally(const contact_kind *of, int rule, const tally *t) {
    if (t->count == 0) return true;
    printf("f%d %-18s %s rule %d %10.0f contacts, told %8.4f %%, judged %9.0f, worst untold "
           "%6.3f, near %.0f, off untold %.0f, not ended %.0f\n",
           of->bits, of->set->name, of->in_plane ? "plane" : "space", rule, t->count,
           100 * t->told / t->count, t->judged, t->worst, t->near, t->off, t->unended);
    return t->off + t->unended == 0;
}

static int search(void) {
    static tally tallies[KINDS][RULES];
    block *const b = block_new();
    search_begin();
    uint64_t state = search_seed();
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t k = 0; k < KINDS; k++) {
            const contact_kind of = kind_at(k);
            if (!is_wanted(&of) || !search_wants(of.bits, tallies[k][0].count)) continue;
            search_block(&state, &of, b, tallies[k]);
            goes_on = true;
        }
    }
    bool holds = true;
    for (size_t k = 0; k < KINDS; k++) {
        const contact_kind of = kind_at(k);
        for (int rule = 0; rule < RULES; rule++)
            holds &= print_tally(&of, rule, &tallies[k][rule]);
    }
    printf("told: %.0f s, seed %llu\n", search_seconds(), (unsigned long long)search_seed());
    return !holds;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) return 2;
        const char *const value = argv[i + 1];
        if (search_option(argv[i], value))
            continue;
        else if (strcmp(argv[i], "--set") == 0)
            set_wanted = value;
        else if (strcmp(argv[i], "--plane") == 0)
            plane_wanted = atoi(value) != 0;
        else if (strcmp(argv[i], "--all") == 0)
            sees_all = atoi(value) != 0;
        else
            return 2;
    }
    return search();
}
