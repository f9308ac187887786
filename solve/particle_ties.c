/*
 * Contacts that are tied: they collide together, in two stages (Anitescu and Potra 1997).
 *
 * Compression is the common plastic solution of a cluster's contacts, each within its friction
 * cone; in expansion each normal impulse is at least e times that of compression, and friction is
 * solved anew. Both are found by Jacobi's iteration with split masses: all contacts use the same
 * velocities, and each of the n contacts that a body has in the cluster uses 1/n of its mass; so
 * the solution has the symmetry of the cluster. The iteration is accelerated as Nesterov's gradient
 * method is, and restarted where the acceleration points uphill (O'Donoghue and Candes 2015).
 */
#include "particle_step.h"

#include <math.h>
#include <string.h>

#include "momentum.h"
#include "vector.h"

typedef NAME(impinge_particle_step_state) step_state_t;
typedef NAME(impinge_particle_step_kernels) kernels_t;

/* Iterations end when no impulse changes by more than this, relative to the fastest approach. */
#define CONVERGED (16 * REAL_UNIT)
/*
 * Iterations converge linearly; clusters of some tens of contacts need some hundreds. Large
 * clusters, such as a layer of a crystal, get fewer, so that the time of a step is bounded; the
 * guard still holds.
 */
#define ITERATIONS_MAX   1000
#define ITERATIONS_LARGE 32
#define ITERATED_MAX     ((size_t)200000)

/* Columns of w->tie for the contacts of a cluster. */
enum { P = 0, P_BEFORE = 3, U_0 = 6, P_COMPRESSION = 9, U_COMPRESSION = 12, LEAST = 15 };

/*
 * One contact of a cluster. The velocities of its bodies are double: each iteration rounds them,
 * and in f32 bodies whose impulses are 0 in the end would be left with the rounding of larger ones
 * in between.
 */
typedef struct tie {
    real_t n[3], *row[2], share[2]; /* share: 1 / m if the body moves; else 0 */
    double *wide[2];                /* TIED_ROW each */
    real_t turn[2];                 /* R^2 / I, the same way */
    real_t k_n, k_t;                /* with split masses */
    real_t mu;
} tie_t;

static tie_t tie_at(const step_state_t *w, uint32_t place) {
    const uint32_t row[2] = {w->row_a[place], w->row_b[place]};
    tie_t t = {.mu = w->friction[place]};
    for (size_t k = 0; k < 3; k++)
        t.n[k] = w->normal[k][place];
    for (size_t side = 0; side < 2; side++) {
        const size_t at = row[side] & ~ROW_FIXED;
        const bool moves = !(row[side] & ROW_FIXED);
        const real_t split = (real_t)w->tied[at / ROW];
        t.row[side] = w->rows + at;
        t.wide[side] = w->tied_row + at / ROW * TIED_ROW;
        t.share[side] = moves ? t.row[side][3] : 0;
        t.turn[side] = moves ? t.row[side][ROW_SURFACE + 3] : 0;
        t.k_n += moves ? split * t.share[side] : 0;
        t.k_t += moves ? split * (t.share[side] + t.turn[side]) : 0;
    }
    return t;
}

static void separation_of(const tie_t *t, real_t u[3]) {
    const double *const a = t->wide[0];
    const double *const b = t->wide[1];
    double n[3], surface[3], turning[3];
    for (size_t k = 0; k < 3; k++) {
        n[k] = (double)t->n[k];
        surface[k] = a[TIED_SURFACE + k] + b[TIED_SURFACE + k];
    }
    wide_cross(n, surface, turning);
    for (size_t k = 0; k < 3; k++)
        u[k] = (real_t)(a[k] - b[k] + turning[k]);
}

/* Adds the effect of an impulse to the changes of both bodies, except those that are fixed. */
static void push_tied(const tie_t *t, const double p[3]) {
    const double n[3] = {(double)t->n[0], (double)t->n[1], (double)t->n[2]};
    double moment[3];
    wide_cross(n, p, moment);
    for (size_t side = 0; side < 2; side++) {
        double *const change = t->wide[side] + TIED_CHANGE;
        const double share = (double)(side == 0 ? t->share[0] : -t->share[1]);
        for (size_t k = 0; k < 3 && share != 0; k++)
            change[k] += share * p[k];
        for (size_t k = 0; k < 3 && t->turn[side] > 0; k++)
            change[TIED_SURFACE + k] -= (double)t->turn[side] * moment[k];
    }
}

/* The plastic impulse from u without p, which is at least `least` along n. */
static void solve_one(const tie_t *t, const real_t u[3], real_t least, const real_t p[3],
                      real_t to[3]) {
    const triple_t n = triple_of(t->n);
    const real_t p_n = dot(n, triple_of(p));
    const real_t u_n = dot(n, triple_of(u));
    real_t slip[3];
    for (size_t k = 0; k < 3; k++)
        slip[k] = u[k] - u_n * t->n[k] - t->k_t * (p[k] - p_n * t->n[k]);
    const real_t wanted = p_n - u_n / t->k_n;
    const real_t normal = wanted > least ? wanted : least;
    const real_t length = (real_t)sqrt((double)square_of(triple_of(slip)));
    const real_t most = t->mu * normal;
    const real_t f = length > most * t->k_t ? most / length : 1 / t->k_t;
    for (size_t k = 0; k < 3; k++)
        to[k] = normal * t->n[k] - f * slip[k];
}

typedef struct particle_cluster {
    const step_state_t *w;
    const uint32_t *places;
    size_t count;
    real_t fastest;
} particle_cluster_t;

static void get(real_t *const *column, size_t i, real_t p[3]) {
    for (size_t k = 0; k < 3; k++)
        p[k] = column[k][i];
}

static void set(real_t *const *column, size_t i, const real_t p[3]) {
    for (size_t k = 0; k < 3; k++)
        column[k][i] = p[k];
}

/* Adds the changes of bodies to their velocities; the first contact of a body finds its changes. */
static void take_changes(const particle_cluster_t *c) {
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        for (size_t side = 0; side < 2; side++) {
            if (!(t.share[side] > 0)) continue;
            for (size_t k = 0; k < TIED_CHANGE; k++) {
                t.wide[side][k] += t.wide[side][TIED_CHANGE + k];
                t.wide[side][TIED_CHANGE + k] = 0;
            }
        }
    }
}

/* The velocities from the rows of bodies; no changes yet. */
static void widen(const tie_t *t) {
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < 3; k++) {
            t->wide[side][k] = (double)t->row[side][k];
            t->wide[side][TIED_SURFACE + k] = (double)t->row[side][ROW_SURFACE + k];
            t->wide[side][TIED_CHANGE + k] = t->wide[side][TIED_CHANGE + TIED_SURFACE + k] = 0;
        }
}

/* And back to those of bodies that move. */
static void round_velocities(const particle_cluster_t *c) {
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < 3 && t.share[side] > 0; k++) {
                t.row[side][k] = (real_t)t.wide[side][k];
                t.row[side][ROW_SURFACE + k] = (real_t)t.wide[side][TIED_SURFACE + k];
            }
    }
}

/* p += by (p - the one before), for all at once. */
static void accelerate(const particle_cluster_t *c, real_t by) {
    real_t *const *const tie = c->w->tie;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t p[3], before[3], ahead[3];
        double change[3];
        get(tie + P, i, p);
        get(tie + P_BEFORE, i, before);
        for (size_t k = 0; k < 3; k++) {
            ahead[k] = p[k] + by * (p[k] - before[k]);
            change[k] = (double)ahead[k] - (double)p[k]; /* of p as it has been rounded */
        }
        set(tie + P_BEFORE, i, p);
        set(tie + P, i, ahead);
        push_tied(&t, change);
    }
    take_changes(c);
}

/* One iteration. Returns the largest change, as a velocity; `uphill`: against the acceleration. */
static real_t iterate(const particle_cluster_t *c, const real_t *least, bool *uphill) {
    real_t *const *const tie = c->w->tie;
    real_t largest = 0;
    double along = 0;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t p[3], to[3], u[3], before[3];
        double difference[3];
        get(tie + P, i, p);
        get(tie + P_BEFORE, i, before);
        separation_of(&t, u);
        solve_one(&t, u, least ? least[i] : 0, p, to);
        set(tie + P, i, to);
        for (size_t k = 0; k < 3; k++) {
            along += (double)(t.k_n * (to[k] - p[k])) * (double)(to[k] - before[k]);
            difference[k] = (double)to[k] - (double)p[k];
            p[k] = to[k] - p[k];
        }
        push_tied(&t, difference);
        const real_t change = t.k_n * (real_t)sqrt((double)square_of(triple_of(p)));
        largest = change > largest ? change : largest;
    }
    take_changes(c);
    *uphill = along < 0;
    return largest;
}

/* Iterates until no impulse changes. P holds the impulses that have already been applied. */
static void converge(const particle_cluster_t *c, const real_t *least) {
    real_t *const *const tie = c->w->tie;
    double inertia = 1;
    const size_t many = ITERATIONS_LARGE + ITERATED_MAX / c->count;
    const size_t most = many < ITERATIONS_MAX ? many : ITERATIONS_MAX;
    for (size_t k = 0; k < 3; k++)
        memcpy(tie[P_BEFORE + k], tie[P + k], c->count * sizeof *tie[P + k]);
    for (size_t s = 0; s < most; s++) {
        bool uphill;
        accelerate(c, (real_t)momentum_next(&inertia));
        const real_t largest = iterate(c, least, &uphill);
        if (uphill) inertia = 1;
        if (largest <= CONVERGED * c->fastest) return;
    }
}

/*
 * If the kinetic energy has grown, the impulses are scaled back until it is as before: with A = sum
 * p.u_0 and B = 1/2 sum p.(u - u_0), by -A / B.
 */
static void guard(const particle_cluster_t *c) {
    real_t *const *const tie = c->w->tie;
    double a = 0;
    double b = 0;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t u[3];
        separation_of(&t, u);
        for (size_t k = 0; k < 3; k++) {
            const double p = (double)tie[P + k][i];
            const double u_0 = (double)tie[U_0 + k][i];
            a += p * u_0;
            b += p * ((double)u[k] - u_0) / 2;
        }
    }
    if (!(a + b > 0) || !(b > 0)) return;
    const real_t less = (real_t)(a < 0 ? -a / b : 0) - 1;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        double change[3];
        for (size_t k = 0; k < 3; k++) {
            const real_t was = tie[P + k][i];
            tie[P + k][i] += less * was;
            change[k] = (double)tie[P + k][i] - (double)was;
            tie[P_COMPRESSION + k][i] += less * tie[P_COMPRESSION + k][i];
            tie[U_COMPRESSION + k][i] += less * (tie[U_COMPRESSION + k][i] - tie[U_0 + k][i]);
        }
        push_tied(&t, change);
    }
    take_changes(c);
}

/*
 * The work of p along n and across it, while the separation velocity changes from one to another.
 */
static void add_work(const real_t n[3], const real_t p[3], const real_t from[3], const real_t to[3],
                     double *along, double *across) {
    double p_n = 0;
    double u_n = 0;
    double all = 0;
    for (size_t k = 0; k < 3; k++) {
        const double mean = ((double)from[k] + (double)to[k]) / 2;
        p_n += (double)n[k] * (double)p[k];
        u_n += (double)n[k] * mean;
        all += (double)p[k] * mean;
    }
    *along += p_n * u_n;
    *across += all - p_n * u_n;
}

/* Adds the works of both stages to those of the step, before anything else changes velocities. */
static void add_works(const particle_cluster_t *c) {
    if (!wants_step_works(c->w)) return;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t u_0[3], u_compression[3], u[3], p_compression[3], p[3];
        double work[3] = {0, 0, 0};
        get(c->w->tie + U_0, i, u_0);
        get(c->w->tie + U_COMPRESSION, i, u_compression);
        get(c->w->tie + P_COMPRESSION, i, p_compression);
        get(c->w->tie + P, i, p);
        separation_of(&t, u);
        for (size_t k = 0; k < 3; k++)
            p[k] -= p_compression[k];
        add_work(t.n, p_compression, u_0, u_compression, &work[0], &work[2]);
        add_work(t.n, p, u_compression, u, &work[1], &work[2]);
        const real_t rounded[3] = {(real_t)work[0], (real_t)work[1], (real_t)work[2]};
        add_step_works(c->w, c->w->number[c->places[i]], rounded);
    }
}

/* omega from R omega; later impacts add to it. */
static void turn_particle(const step_state_t *w, uint32_t row) {
    const NAME(impinge_particles) *const p = w->step->particles;
    if (row & ROW_FIXED || !w->spheres) return;
    const size_t i = row / ROW;
    const real_t radius = number_at(COLUMN_OF(AS_GIVEN, p, radius), i);
    if (!(radius > 0)) return;
    real_t omega[3];
    numbers_at(VECTOR_OF(AS_GIVEN, p, angular_velocity), i, omega);
    for (size_t k = 0; k < 3; k++) {
        real_t *const surface = w->rows + row + ROW_SURFACE + k;
        omega[k] += (*surface - radius * omega[k]) / radius;
        *surface = radius * omega[k];
    }
    write_numbers(VECTOR_OF(AS_GIVEN, p, angular_velocity), i, omega);
}

static bool is_impulse(const real_t p[3]) { return p[0] != 0 || p[1] != 0 || p[2] != 0; }

static bool slides(const tie_t *t, const real_t p[3]) {
    const real_t p_n = dot(triple_of(t->n), triple_of(p));
    /* By less than rounding, which is that of p_n, friction is below its bound. */
    const real_t least = t->mu - 16 * REAL_UNIT;
    if (!is_impulse(p)) return false;
    if (!(least > 0 && p_n > 0)) return true;
    /* Over p_n, since squares of small impulses vanish. */
    real_t ratio[3];
    for (size_t k = 0; k < 3; k++)
        ratio[k] = (p[k] - p_n * t->n[k]) / p_n;
    return square_of(triple_of(ratio)) >= least * least;
}

/* The largest component of an impulse. */
static double size_of_impulse(const real_t p[3]) {
    return fmax(fabs((double)p[0]), fmax(fabs((double)p[1]), fabs((double)p[2])));
}

/*
 * A contact that slides in either stage has slid; others have stuck. With e = 0 the second stage is
 * only what compression has not yet converged to.
 */
static void add_outcome(const particle_cluster_t *c, size_t i) {
    const tie_t t = tie_at(c->w, c->places[i]);
    real_t p[3], p_compression[3];
    get(c->w->tie + P, i, p);
    get(c->w->tie + P_COMPRESSION, i, p_compression);
    if (!is_impulse(p)) return;
    const double least = 64 * REAL_UNIT * size_of_impulse(p);
    for (size_t k = 0; k < 3; k++)
        p[k] -= p_compression[k];
    const bool slid = slides(&t, p_compression) || (size_of_impulse(p) > least && slides(&t, p));
    add_step_outcome(c->w, c->w->number[c->places[i]],
                     slid ? (uint32_t)IMPINGE_OUTCOME_SLID : (uint32_t)IMPINGE_OUTCOME_STUCK);
}

/* Adds the impulses and outcomes to those of the step. */
static void finish(const particle_cluster_t *c) {
    const step_state_t *const w = c->w;
    const NAME(impinge_step_results) *const out = &w->step->results;
    round_velocities(c);
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t place = c->places[i];
        real_t p[3];
        turn_particle(w, w->row_a[place]);
        turn_particle(w, w->row_b[place]);
        get(w->tie + P, i, p);
        if (out->impact_x) add_numbers(VECTOR_OF(AS_GIVEN, out, impact), w->number[place], p);
        if (w->step->impact_outcome) add_outcome(c, i);
    }
}

/* The sum of the absolute values of a row's velocity. */
static real_t size_of_velocity(const real_t *row) {
    return (real_t)(fabs((double)row[0]) + fabs((double)row[1]) + fabs((double)row[2]));
}

/*
 * The approach that a tie which has converged may leave to a contact. The last iteration changed
 * no impulse by more than CONVERGED f / k_n, f being the fastest approach, and before it u_n was
 * at least -CONVERGED f. A body with n contacts of the cluster, for which k_n >= n / m, is changed
 * by n such impulses, so by CONVERGED f at most, and a contact has two bodies: 3 CONVERGED f. The
 * velocities are rounded to the rows, by a unit of each; the difference, three products and their
 * sum have at most five: within 8 units of the sizes of both.
 */
static real_t left_by_rounding(const particle_cluster_t *c, const tie_t *t) {
    return 3 * CONVERGED * c->fastest +
           8 * REAL_UNIT * (size_of_velocity(t->row[0]) + size_of_velocity(t->row[1]));
}

/* Sets the approach of contacts to 0 where what is left of it is rounding. */
static void settle_cluster(const particle_cluster_t *c) {
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t u[3];
        separation_of(&t, u);
        if (-dot(triple_of(t.n), triple_of(u)) <= left_by_rounding(c, &t))
            c->w->approach[c->places[i]] = 0;
    }
}

/* A cluster begins without impulses and changes. */
static void begin(particle_cluster_t *c) {
    const step_state_t *const w = c->w;
    const real_t none[3] = {0, 0, 0};
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t place = c->places[i];
        const tie_t t = tie_at(w, place);
        real_t u[3];
        widen(&t);
        separation_of(&t, u);
        set(w->tie + P, i, none);
        set(w->tie + U_0, i, u);
        if (w->approach[place] > c->fastest) c->fastest = w->approach[place];
    }
}

/* From compression to expansion: each contact gets e p_n, which is a lower bound from then on. */
static void expand(const particle_cluster_t *c) {
    real_t *const *const tie = c->w->tie;
    for (size_t i = 0; i < c->count; i++) {
        const tie_t t = tie_at(c->w, c->places[i]);
        real_t p[3], u[3];
        get(tie + P, i, p);
        set(tie + P_COMPRESSION, i, p);
        separation_of(&t, u);
        set(tie + U_COMPRESSION, i, u);
        tie[LEAST][i] *= dot(triple_of(t.n), triple_of(p));
        for (size_t k = 0; k < 3; k++)
            p[k] = tie[LEAST][i] * t.n[k];
        set(tie + P, i, p);
        push_tied(&t, (const double[]){(double)p[0], (double)p[1], (double)p[2]});
    }
    take_changes(c);
}

static void collide_cluster(const step_state_t *w, const kernels_t *kernels, const uint32_t *places,
                            size_t count) {
    particle_cluster_t c = {.w = w, .places = places, .count = count};
    real_t *const *const tie = w->tie;
    kernels->restitution_of(w, places, count, tie[LEAST]);
    begin(&c);
    converge(&c, NULL);
    expand(&c);
    converge(&c, tie[LEAST]);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++)
            tie[P + k][i] += tie[P_COMPRESSION + k][i];
    guard(&c);
    add_works(&c);
    finish(&c);
    settle_cluster(&c);
}

/* ---- Which contacts are of one cluster, and in which order ---- */

/*
 * As in union.h, but with 64 bits: parents are in the array of the colours that bodies have taken,
 * which is no longer needed.
 */
static uint64_t find(uint64_t *parent, uint64_t body) {
    while (parent[body] != body) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

/*
 * The movable body of a place that holds the root of its cluster; or the second one, if it moves.
 */
static uint32_t moving_body(const step_state_t *w, uint32_t place, bool second) {
    const uint32_t a = w->row_a[place];
    const uint32_t b = w->row_b[place];
    if (second) return b & ROW_FIXED ? a / ROW : b / ROW;
    return a & ROW_FIXED ? b / ROW : a / ROW;
}

static void unite(const step_state_t *w, const uint32_t *places, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = moving_body(w, places[i], false);
        const uint32_t b = moving_body(w, places[i], true);
        w->taken[a] = a;
        w->taken[b] = b;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t a = find(w->taken, moving_body(w, places[i], false));
        const uint64_t b = find(w->taken, moving_body(w, places[i], true));
        w->taken[a > b ? a : b] = a > b ? b : a;
    }
}

/* The sorting key of a contact: its cluster, then its identity, then its number. */
typedef struct identity {
    uint64_t cluster, key;
    uint32_t number;
} identity_t;

static identity_t identity_of(const step_state_t *w, uint32_t place) {
    const NAME(impinge_particle_contacts) *const in = w->step->contacts;
    const uint32_t number = w->number[place];
    const uint64_t a = index_a_of(AS_GIVEN, in, number);
    const uint64_t b = index_b_of(AS_GIVEN, in, number);
    identity_t is = {.cluster = find(w->taken, moving_body(w, place, false)), .number = number};
    is.key = w->step->state.key ? w->step->state.key[number] : a < b ? a << 32 | b : b << 32 | a;
    return is;
}

static bool is_before(const step_state_t *w, uint32_t a, uint32_t b) {
    const identity_t x = identity_of(w, a);
    const identity_t y = identity_of(w, b);
    if (x.cluster != y.cluster) return x.cluster < y.cluster;
    return x.key != y.key ? x.key < y.key : x.number < y.number;
}

static void swap(uint32_t *a, uint32_t *b) {
    const uint32_t was = *a;
    *a = *b;
    *b = was;
}

static void sift(const step_state_t *w, uint32_t *heap, size_t i, size_t count) {
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(w, heap[child], heap[child + 1])) child++;
        if (!is_before(w, heap[i], heap[child])) return;
        swap(&heap[i], &heap[child]);
    }
}

/* A heap sort: it needs no memory, and has no bad case. */
static void sort(const step_state_t *w, uint32_t *places, size_t count) {
    for (size_t i = count / 2; i > 0; i--)
        sift(w, places, i - 1, count);
    for (size_t i = count; i > 1; i--) {
        swap(&places[0], &places[i - 1]);
        sift(w, places, 0, i - 1);
    }
}

void NAME(impinge_collide_ties)(const NAME(impinge_particle_step_state) * w,
                                const NAME(impinge_particle_step_kernels) * kernels,
                                uint32_t *places, size_t count) {
    unite(w, places, count);
    sort(w, places, count);
    for (size_t i = 0; i < count;) {
        const uint64_t cluster = identity_of(w, places[i]).cluster;
        size_t end = i + 1;
        while (end < count && identity_of(w, places[end]).cluster == cluster)
            end++;
        collide_cluster(w, kernels, places + i, end - i);
        i = end;
    }
}
