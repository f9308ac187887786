/*
 * Contacts of several pairs of bodies that are tied: they collide together, in two stages (Anitescu
 * and Potra 1997), so that what is symmetric stays so.
 *
 * Compression is their common plastic solution, each within its friction cone; in expansion each
 * normal impulse is at least e times that of compression, or more where bodies would approach
 * again, and friction is solved anew. Both are solved by a projected Jacobi iteration: all contacts
 * use the same velocities, and each of the n contacts of a body uses 1/n of its mass. The iteration
 * is accelerated as Nesterov's gradient method is, and restarted where the acceleration points
 * uphill (O'Donoghue and Candes 2015). In double precision, contacts in the order of their keys.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "bodies.h"
#include "impacts.h"
#include "momentum.h"
#include "restitution.h"

/* Those that do not converge end after so many. */
#define TIE_ITERATIONS_MAX 2000

typedef struct tied_body {
    double inverse_mass, inverse_inertia[3][3];
    double v[6], v_0[6]; /* velocity and angular velocity, world frame: now, and at the start */
    double contacts;     /* the number of its contacts in the cluster */
    uint32_t index;
} tied_body;

typedef struct tied_contact {
    double normal[3], arm[2][3], friction, restitution;
    double p[3], before[3], compression[3], u[3], u_compression[3];
    double least;                   /* normal impulse */
    double step_normal, step_slide; /* impulse per velocity */
    int body[2];                    /* or -1: immovable, and then with this velocity: */
    double driven[2][3];
} tied_contact;

/* The exponents of the units of velocities and of 1/m in a cluster: squares stay in range. */
typedef struct body_units {
    int velocity, lightness;
} body_units;

typedef struct body_cluster {
    tied_contact *contact;
    size_t contacts;
    tied_body *body;
    size_t bodies;
    double fastest;
    body_units units;
} body_cluster;

size_t NAME(impinge_ties_size)(size_t contacts) {
    return contacts * (sizeof(tied_contact) + 2 * sizeof(tied_body));
}

static void turn_by(double m[3][3], const double a[3], double to[3]) {
    const double c[3] = {wide_dot(m[0], a), wide_dot(m[1], a), wide_dot(m[2], a)};
    memcpy(to, c, sizeof c);
}

/* ---- Bodies ---- */

static void body_from_row(const NAME(body_stage) * s, uint32_t index, body_units units,
                          tied_body *b) {
    const real_t *const row = s->rest.rows + (size_t)index * BODY_ROW;
    const real_t *const m = s->rest.mass + (size_t)index * BODY_ROW;
    const double inertia[3][3] = {{(double)m[1], (double)m[2], (double)m[3]},
                                  {(double)m[2], (double)m[4], (double)m[5]},
                                  {(double)m[3], (double)m[5], (double)m[6]}};
    *b = (tied_body){.inverse_mass = ldexp((double)m[0], -units.lightness), .index = index};
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            b->inverse_inertia[k][l] = ldexp(inertia[k][l], -units.lightness);
        b->v[k] = ldexp((double)row[k], -units.velocity);
        b->v[3 + k] = ldexp((double)row[4 + k], -units.velocity);
    }
    memcpy(b->v_0, b->v, sizeof b->v);
}

static void point_velocity(const double v[6], const double arm[3], double to[3]) {
    wide_cross(v + 3, arm, to);
    for (int k = 0; k < 3; k++)
        to[k] += v[k];
}

/* u = u_A - u_B. */
static void separation(const body_cluster *c, const tied_contact *t, double u[3]) {
    double side[2][3];
    for (int k = 0; k < 2; k++) {
        if (t->body[k] < 0)
            memcpy(side[k], t->driven[k], sizeof side[k]);
        else
            point_velocity(c->body[t->body[k]].v, t->arm[k], side[k]);
    }
    for (int k = 0; k < 3; k++)
        u[k] = side[0][k] - side[1][k];
}

static void push_tied_bodies(const body_cluster *c, const tied_contact *t, const double p[3]) {
    for (int side = 0; side < 2; side++) {
        if (t->body[side] < 0) continue;
        tied_body *const b = &c->body[t->body[side]];
        const double sign = side == 0 ? 1 : -1;
        double moment[3], turn[3];
        wide_cross(t->arm[side], p, moment);
        turn_by(b->inverse_inertia, moment, turn);
        for (int k = 0; k < 3; k++) {
            b->v[k] += sign * b->inverse_mass * p[k];
            b->v[3 + k] += sign * turn[k];
        }
    }
}

/* ---- Contacts ---- */

/* The velocity along d that a unit impulse along d gives both bodies, with split masses. */
static double stiffness(const body_cluster *c, const tied_contact *t, const double d[3]) {
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        if (t->body[side] < 0) continue;
        tied_body *const b = &c->body[t->body[side]];
        double moment[3], turn[3];
        wide_cross(t->arm[side], d, moment);
        turn_by(b->inverse_inertia, moment, turn);
        sum += b->contacts * (b->inverse_mass * wide_dot(d, d) + wide_dot(moment, turn));
    }
    return sum;
}

/*
 * Steps that never overshoot: twice each part of W^ is no less than W^, and the trace of its
 * tangential part is no less than the largest eigenvalue. Without friction there is only the normal
 * part.
 */
static void choose_steps(const body_cluster *c, tied_contact *t) {
    double trace = 0;
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        trace += stiffness(c, t, axis);
    }
    const double normal = stiffness(c, t, t->normal);
    const double both = t->friction > 0 ? 2 : 1;
    t->step_normal = 1 / (both * normal);
    t->step_slide = 1 / (both * (trace - normal));
}

/* island_of of a body that has no place in the cluster yet. */
#define NO_PLACE UINT32_MAX

static void forget_places(NAME(body_stage) * s, uint32_t i) {
    const NAME(impinge_indexed_contacts) *const in = s->rest.contacts;
    const uint32_t index[2] = {body_a_of(in, i), body_b_of(in, i)};
    for (int side = 0; side < 2; side++)
        if (row_moves(s, index[side])) s->island_of[index[side]] = NO_PLACE;
}

/* The body's place in the cluster; -1 for an immovable one. */
static int place_of(NAME(body_stage) * s, body_cluster *c, uint32_t index) {
    if (!row_moves(s, index)) return -1;
    if (s->island_of[index] != NO_PLACE) return (int)s->island_of[index];
    s->island_of[index] = (uint32_t)c->bodies;
    body_from_row(s, index, c->units, &c->body[c->bodies]);
    return (int)c->bodies++;
}

/* The largest of `largest` and the numbers in the rows of a contact's bodies. */
static double largest_in_rows(const NAME(body_stage) * s, const real_t *rows, uint32_t i,
                              double largest) {
    const NAME(impinge_indexed_contacts) *const in = s->rest.contacts;
    const uint32_t index[2] = {body_a_of(in, i), body_b_of(in, i)};
    for (int side = 0; side < 2; side++) {
        if (index[side] >= s->rest.bodies->count) continue;
        const real_t *const row = rows + (size_t)index[side] * BODY_ROW;
        for (size_t k = 0; k < BODY_ROW - 1; k++)
            largest = fmax(largest, fabs((double)row[k]));
    }
    return largest;
}

/* The exponent of the largest number of all rows. */
static int exponent_of_rows(const NAME(body_stage) * s, const real_t *rows, const uint32_t *numbers,
                            size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = largest_in_rows(s, rows, numbers[i], largest);
    int exponent;
    (void)frexp(largest, &exponent);
    return exponent;
}

static double coefficient(const NAME(impinge_coefficient) * c, size_t i) {
    return (double)(c->values ? c->values[element(i, c->stride)] : c->value);
}

static void contact_from(NAME(body_stage) * s, body_cluster *c, uint32_t i, tied_contact *t) {
    const NAME(impinge_indexed_contacts) *const in = s->rest.contacts;
    const real_t *const columns[9] = {in->normal_x, in->normal_y, in->normal_z,
                                      in->arm_a_x,  in->arm_a_y,  in->arm_a_z,
                                      in->arm_b_x,  in->arm_b_y,  in->arm_b_z};
    const uint32_t index[2] = {body_a_of(in, i), body_b_of(in, i)};
    /* Times a p_n of zero it is zero, even where it is infinite. */
    *t = (tied_contact){.friction = fmin(coefficient(&in->coefficients.friction, i), DBL_MAX),
                        .restitution = NAME(impinge_restitution_at)(
                            &in->coefficients, i, (double)s->impacts.approach[i])};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        t->normal[k] = (double)columns[k][element(i, in->normal_stride)];
        t->arm[0][k] = (double)columns[3 + k][element(i, in->arm_stride)];
        t->arm[1][k] = (double)columns[6 + k][element(i, in->arm_stride)];
        square += t->normal[k] * t->normal[k];
    }
    for (int k = 0; k < 3; k++)
        t->normal[k] /= sqrt(square);
    for (int side = 0; side < 2; side++) {
        t->body[side] = place_of(s, c, index[side]);
        if (t->body[side] >= 0) {
            c->body[t->body[side]].contacts++;
        } else if (index[side] < s->rest.bodies->count) {
            tied_body driven;
            body_from_row(s, index[side], c->units, &driven);
            point_velocity(driven.v, t->arm[side], t->driven[side]);
        }
    }
}

/* ---- Iteration ---- */

/* The projected step: u_n >= 0, p_n >= least, and friction within the cone against the slip. */
static void projected(const tied_contact *t, const double u[3], double to[3]) {
    const double p_n = wide_dot(t->normal, t->p);
    const double u_n = wide_dot(t->normal, u);
    const double normal = fmax(p_n - t->step_normal * u_n, t->least);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        to[k] = t->p[k] - p_n * t->normal[k] - t->step_slide * (u[k] - u_n * t->normal[k]);
        square += to[k] * to[k];
    }
    const double size = sqrt(square);
    const double most = t->friction * normal;
    const double shrink = size > most ? most / size : 1;
    for (int k = 0; k < 3; k++)
        to[k] = normal * t->normal[k] + shrink * to[k];
}

/* p += by (p - the one before), for all at once. */
static void accelerate(const body_cluster *c, double by) {
    for (size_t i = 0; i < c->contacts; i++) {
        tied_contact *const t = &c->contact[i];
        double change[3];
        for (int k = 0; k < 3; k++) {
            change[k] = by * (t->p[k] - t->before[k]);
            t->before[k] = t->p[k];
            t->p[k] += change[k];
        }
        push_tied_bodies(c, t, change);
    }
}

/*
 * One iteration, from the same velocities for all contacts. Returns the largest change, as a
 * velocity.
 */
static double iterate(const body_cluster *c, double *along) {
    double largest = 0;
    *along = 0;
    for (size_t i = 0; i < c->contacts; i++) {
        tied_contact *const t = &c->contact[i];
        separation(c, t, t->u);
    }
    for (size_t i = 0; i < c->contacts; i++) {
        tied_contact *const t = &c->contact[i];
        double to[3], change[3];
        projected(t, t->u, to);
        for (int k = 0; k < 3; k++) {
            change[k] = to[k] - t->p[k];
            *along += change[k] * (to[k] - t->before[k]) / t->step_normal;
            t->p[k] = to[k];
        }
        largest = fmax(largest, sqrt(wide_dot(change, change)) / t->step_normal);
        push_tied_bodies(c, t, change);
    }
    return largest;
}

static void converge(const body_cluster *c) {
    double inertia = 1;
    for (size_t i = 0; i < c->contacts; i++)
        memcpy(c->contact[i].before, c->contact[i].p, sizeof c->contact[i].p);
    for (size_t n = 0; n < TIE_ITERATIONS_MAX; n++) {
        double along;
        accelerate(c, momentum_next(&inertia));
        if (iterate(c, &along) <= TIE_CONVERGED * c->fastest) return;
        if (along < 0) inertia = 1;
    }
}

/* ---- The two stages ---- */

static void expand(const body_cluster *c) {
    for (size_t i = 0; i < c->contacts; i++) {
        tied_contact *const t = &c->contact[i];
        memcpy(t->compression, t->p, sizeof t->p);
        t->least = t->restitution * wide_dot(t->normal, t->p);
        for (int k = 0; k < 3; k++)
            t->p[k] = t->least * t->normal[k];
        push_tied_bodies(c, t, t->p);
    }
}

/* The works along the straight lines of both stages. */
static void account(const body_cluster *c, const double (*u_0)[3], double (*fallen)[6]) {
    for (size_t i = 0; i < c->contacts; i++) {
        const tied_contact *const t = &c->contact[i];
        double u[3];
        separation(c, t, u);
        const double *const stage[2] = {t->compression, t->p};
        const double *const from[2] = {u_0[i], t->u_compression};
        const double *const to[2] = {t->u_compression, u};
        for (int k = 0; k < 6; k++)
            fallen[i][k] = k < 3 ? t->compression[k] + t->p[k] : 0;
        for (int n = 0; n < 2; n++) {
            double mean[3];
            for (int k = 0; k < 3; k++)
                mean[k] = (from[n][k] + to[n][k]) / 2;
            const double normal = wide_dot(t->normal, stage[n]) * wide_dot(t->normal, mean);
            fallen[i][3 + n] += normal;
            fallen[i][5] += wide_dot(stage[n], mean) - normal;
        }
    }
}

/* Scales the impulses of both stages and all changes of velocities by a. */
static void scale_all(const body_cluster *c, double a, const double (*u_0)[3]) {
    for (size_t i = 0; i < c->contacts; i++) {
        tied_contact *const t = &c->contact[i];
        for (int k = 0; k < 3; k++) {
            t->compression[k] *= a;
            t->p[k] *= a;
            t->u_compression[k] = u_0[i][k] + a * (t->u_compression[k] - u_0[i][k]);
        }
    }
    for (size_t i = 0; i < c->bodies; i++)
        for (int k = 0; k < 6; k++)
            c->body[i].v[k] = c->body[i].v_0[k] + a * (c->body[i].v[k] - c->body[i].v_0[k]);
}

/*
 * Scales impulses back if the energy grew by more than rounding, so that none of the growth is
 * left.
 */
static void guard(const body_cluster *c, const double (*u_0)[3], double (*fallen)[6]) {
    double begun = 0;
    double done = 0;
    for (size_t i = 0; i < c->contacts; i++) {
        begun += wide_dot(fallen[i], u_0[i]);
        done += fallen[i][3] + fallen[i][4] + fallen[i][5];
    }
    if (!(done > 0)) return;
    scale_all(c, begun < 0 ? fmin(-begun / (done - begun), 1) : 0, u_0);
    account(c, u_0, fallen);
}

/* From units of the cluster. Returns false if a velocity or an impulse does not fit the range. */
static bool restore_units(const body_cluster *c, double (*fallen)[6]) {
    double largest = 0;
    bool known = true;
    for (size_t i = 0; i < c->contacts; i++) {
        for (int k = 0; k < 6; k++) {
            const int work = k < 3 ? 0 : c->units.velocity;
            fallen[i][k] = ldexp(fallen[i][k], c->units.velocity + work - c->units.lightness);
            if (k < 3) largest = fmax(largest, fabs(fallen[i][k]));
            known &= !isnan(fallen[i][k]);
        }
    }
    for (size_t i = 0; i < c->bodies; i++) {
        for (int k = 0; k < 6; k++) {
            c->body[i].v[k] = ldexp(c->body[i].v[k], c->units.velocity);
            largest = fmax(largest, fabs(c->body[i].v[k]));
            known &= !isnan(c->body[i].v[k]);
        }
    }
    return known && largest <= (double)REAL_MAX;
}

/* The new velocities to the bodies' rows, and from these to the caller. */
static void deliver(NAME(body_stage) * s, const body_cluster *c) {
    for (size_t i = 0; i < c->bodies; i++) {
        const tied_body *const b = &c->body[i];
        const size_t row = (size_t)b->index * BODY_ROW;
        for (size_t k = 0; k < 3; k++) {
            s->rest.rows[row + k] = (real_t)b->v[k];
            s->rest.rows[row + 4 + k] = (real_t)b->v[3 + k];
        }
        s->wide->unpack(&s->rest, b->index, 1);
        memcpy(s->rest.start + row, s->rest.rows + row, BODY_ROW * sizeof(real_t));
    }
}

bool NAME(impinge_tie)(NAME(body_stage) * s, const uint32_t *numbers, size_t count,
                       double (*fallen)[6]) {
    body_cluster c = {.contact = s->impacts.ties,
                      .contacts = count,
                      .units = {exponent_of_rows(s, s->rest.rows, numbers, count),
                                exponent_of_rows(s, s->rest.mass, numbers, count)}};
    c.body = (tied_body *)(void *)(c.contact + count);
    for (size_t i = 0; i < count; i++)
        forget_places(s, numbers[i]);
    for (size_t i = 0; i < count; i++)
        contact_from(s, &c, numbers[i], &c.contact[i]);
    double(*const u_0)[3] = s->impacts.tied_velocity;
    for (size_t i = 0; i < count; i++) {
        choose_steps(&c, &c.contact[i]);
        separation(&c, &c.contact[i], u_0[i]);
        c.fastest = fmax(c.fastest, -wide_dot(c.contact[i].normal, u_0[i]));
    }
    converge(&c);
    for (size_t i = 0; i < count; i++)
        separation(&c, &c.contact[i], c.contact[i].u_compression);
    expand(&c);
    converge(&c);
    account(&c, (const double(*)[3])u_0, fallen);
    guard(&c, (const double(*)[3])u_0, fallen);
    const bool fits = restore_units(&c, fallen);
    if (fits) deliver(s, &c);
    return fits;
}

/* ---- What may be tied ---- */

/* True if a symmetric matrix, with so much of its largest diagonal added, has a Cholesky factor. */
static bool is_definite(double m[3][3], double shift) {
    const double largest = fmax(fmax(m[0][0], m[1][1]), m[2][2]);
    if (!(largest > 0) || !isfinite(largest)) return false;
    double l[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = m[i][j] / largest + (i == j ? shift : 0);
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return true;
}

bool NAME(impinge_tied_is_definite)(const NAME(body_stage) * s, uint32_t i) {
    const NAME(impinge_indexed_contacts) *const in = s->rest.contacts;
    const triple_t arm[2] = {arm_a_of(in, i), arm_b_of(in, i)};
    const uint32_t index[2] = {body_a_of(in, i), body_b_of(in, i)};
    double k[3][3] = {{0}};
    for (int side = 0; side < 2; side++) {
        if (!row_moves(s, index[side])) continue;
        const double r[3] = {(double)arm[side].x, (double)arm[side].y, (double)arm[side].z};
        tied_body b;
        body_from_row(s, index[side], (body_units){0, 0}, &b);
        for (int j = 0; j < 3; j++) {
            const double axis[3] = {j == 0, j == 1, j == 2};
            double moment[3], turn[3], u[3];
            wide_cross(r, axis, moment);
            turn_by(b.inverse_inertia, moment, turn);
            wide_cross(turn, r, u);
            for (int l = 0; l < 3; l++)
                k[l][j] += b.inverse_mass * axis[l] + u[l];
        }
    }
    return is_definite(k, 0);
}

bool NAME(impinge_tied_bodies_are_sound)(const NAME(body_stage) * s, uint32_t i) {
    const NAME(impinge_indexed_contacts) *const in = s->rest.contacts;
    const uint32_t index[2] = {body_a_of(in, i), body_b_of(in, i)};
    const double rounding = 16 * (double)REAL_UNIT; /* of an inertia that was turned */
    for (int side = 0; side < 2; side++) {
        if (!row_moves(s, index[side])) continue;
        tied_body b;
        body_from_row(s, index[side], (body_units){0, 0}, &b);
        bool turns = false;
        for (int k = 0; k < 9; k++)
            turns |= b.inverse_inertia[k / 3][k % 3] != 0;
        if (turns && !is_definite(b.inverse_inertia, rounding)) return false;
    }
    return true;
}
