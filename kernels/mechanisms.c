/*
 * Level 4: contacts of mechanisms in generalized coordinates, in space and in a plane (Morgan 2011;
 * Chatterjee and Ruina 1998, 6.5).
 *
 * With M = L L^T and L Y = J^T, K = Y^T Y is symmetric despite rounding, and M^-1 J^T p = L^-T Y p.
 */
#define REGISTERS_PER_LANES 1
/*
 * A vector of mechanisms has up to 660 columns and takes long: lines fetched further ahead would
 * have left the first cache before they are read (docs/speed-closed-forms.md).
 */
#define IMPINGE_AHEAD_BY_LINE true
#define IMPINGE_AHEAD_LINES   1
#include <impinge/mechanisms.h>

#include "body_pairs.h"
#include "cholesky.h"
#include "names.h"
#include "one_coordinate.h"
#include "planar.h"

enum { SPACE_ROWS = 3, PLANAR_ROWS = 2, NORMAL_ROW_PLANAR = 1 };

/* The numbers of a mechanism: its factor, and the rows of Y^T. */
#define NUMBERS(n) (TRIANGLE(n) + SPACE_ROWS * (n))

/* LANES mechanisms. */
typedef struct mechanism {
    size_t n, rows; /* coordinates, and rows of J */
    cholesky_t mass;
    lanes_t *y[SPACE_ROWS];          /* Y^T */
    lanes_t k[TRIANGLE(SPACE_ROWS)]; /* K, lower triangle */
    lanes_t u[SPACE_ROWS];           /* u0 */
    words_t invalid;                 /* reasons why M, J or the speeds are invalid */
    size_t first;                    /* of them, in the batch */
    lanes_t *numbers;                /* room for NUMBERS(n) */
} mechanism_t;

/* No contact has been read. */
#define NOT_READ SIZE_MAX

static inline lanes_t dot(const lanes_t *a, const lanes_t *b, size_t n) {
    lanes_t sum = lane_mul(a[0], b[0]);
    for (size_t j = 1; j < n; j++)
        sum = lane_fma(a[j], b[j], sum);
    return sum;
}

static inline lanes_t load_speed(const NAME(impinge_mechanisms) * in, size_t j, size_t i,
                                 size_t count) {
    return load_lanes(in->speeds + j * in->stride, i, count);
}

static inline void rows_to(real_t *to, size_t rows, size_t stride, size_t i, size_t count,
                           const lanes_t *from) {
    if (!to) return;
    for (size_t j = 0; j < rows; j++)
        store_lanes(to + j * stride, i, from[j], count);
}

/* Loads row r of J, and u0_r = J_r qdot. */
static inline void load_row(const NAME(impinge_mechanisms) * in, size_t r, size_t i, size_t count,
                            mechanism_t *m) {
    const real_t *const row = in->jacobian + r * m->n * in->stride;
    mask_t arms = mask_all(), speeds = mask_all();
    for (size_t j = 0; j < m->n; j++) {
        const lanes_t arm = load_lanes(row + j * in->stride, i, count);
        const lanes_t speed = load_speed(in, j, i, count);
        arms = mask_and(arms, lane_finite(arm));
        speeds = mask_and(speeds, lane_finite(speed));
        m->u[r] = j == 0 ? lane_mul(arm, speed) : lane_fma(arm, speed, m->u[r]);
        m->y[r][j] = arm;
    }
    m->invalid = word_or(m->invalid, word_where(mask_not(arms), IMPINGE_OUTCOME_INVALID_ARM));
    m->invalid =
        word_or(m->invalid, word_where(mask_not(speeds), IMPINGE_OUTCOME_INVALID_VELOCITY));
}

static inline void contact_matrix(mechanism_t *m) {
    for (size_t r = 0; r < m->rows; r++)
        for (size_t s = 0; s <= r; s++)
            m->k[triangle_row(r) + s] = dot(m->y[r], m->y[s], m->n);
}

static void load_mechanism(const NAME(impinge_mechanisms) * in, size_t rows, size_t i, size_t count,
                           mechanism_t *m) {
    m->first = i;
    m->n = in->coordinates;
    m->rows = rows;
    m->mass = (cholesky_t){m->n, m->numbers};
    for (size_t r = 0; r < rows; r++)
        m->y[r] = m->numbers + TRIANGLE(m->n) + r * m->n;
    /* If an element is not finite, a pivot is not positive, or NaN. */
    const elements_t masses = {in->mass, in->stride, i, count};
    const mask_t legal = cholesky_factor(&m->mass, &masses, 0);
    m->invalid = word_where(mask_not(legal), IMPINGE_OUTCOME_INVALID_MASS);
    for (size_t r = 0; r < rows; r++)
        load_row(in, r, i, count, m);
    if (rows == SPACE_ROWS)
        cholesky_forward(&m->mass, SPACE_ROWS, m->y);
    else
        cholesky_forward(&m->mass, PLANAR_ROWS, m->y);
    contact_matrix(m);
}

/*
 * The mechanisms from i on: as they were read last, if `batch` keeps them. A law in closed form
 * writes them at once, and the factor of M is most of its work. Where outputs are inputs, writing
 * changes them.
 */
static void load_again(const batch_t *batch, size_t rows, size_t i, size_t count, mechanism_t *m) {
    if (m->first != i) load_mechanism(batch->in, rows, i, count, m);
    m->first = NOT_READ;
}

/*
 * Finds lanes whose K is neither zero nor positive definite beyond rounding: if rows of J are
 * linearly dependent, only rounding is left in the last pivot of K.
 */
static inline words_t mechanism_check(const mechanism_t *m) {
    lanes_t l[TRIANGLE(SPACE_ROWS)];
    lanes_t largest = lane_zero();
    for (size_t r = 0; r < TRIANGLE(m->rows); r++) {
        l[r] = m->k[r];
        largest = lane_max(largest, lane_abs(l[r]));
    }
    const mask_t none = lane_eq(largest, lane_zero());
    const cholesky_t k = {m->rows, l};
    /* A product of Y's rows has n roundings, and each element of Y some n more. */
    mask_t definite = cholesky_factor(&k, NULL, 2 * m->n);
    if (m->n < m->rows) definite = mask_none();
    return word_where(mask_not(mask_or(definite, none)), IMPINGE_OUTCOME_INVALID_MATRIX);
}

static contact_t load_space(const batch_t *batch, size_t i, size_t count, mechanism_t *m) {
    const NAME(impinge_mechanisms) *const in = batch->in;
    load_mechanism(in, SPACE_ROWS, i, count, m);
    contact_t contact;
    contact.k11 = m->k[0];
    contact.k12 = m->k[1];
    contact.k22 = m->k[2];
    contact.k13 = m->k[3];
    contact.k23 = m->k[4];
    contact.k33 = m->k[5];
    contact.u1 = m->u[0];
    contact.u2 = m->u[1];
    contact.u3 = m->u[2];
    load_coefficients(&contact, AS_GIVEN, &in->coefficients, batch->options->law, i, count);
    contact.invalid = word_or(contact.invalid, word_or(m->invalid, mechanism_check(m)));
    return contact;
}

static contact_t planar_given(const batch_t *batch, const mechanism_t *m, size_t i, size_t count) {
    const NAME(impinge_mechanisms) *const in = batch->in;
    contact_t contact;
    contact.k11 = m->k[0];
    contact.k13 = m->k[1];
    contact.k33 = m->k[2];
    contact.u1 = m->u[0];
    contact.u3 = m->u[NORMAL_ROW_PLANAR];
    planar_embed(&contact);
    load_coefficients(&contact, AS_GIVEN, &in->coefficients, IMPINGE_LAW_ROUTH, i, count);
    contact.invalid = word_or(contact.invalid, m->invalid);
    return contact;
}

static contact_t load_planar(const batch_t *batch, size_t i, size_t count, mechanism_t *m) {
    load_mechanism(batch->in, PLANAR_ROWS, i, count, m);
    contact_t contact = planar_given(batch, m, i, count);
    contact.invalid = word_or(contact.invalid, mechanism_check(m));
    return contact;
}

/*
 * qdot += M^-1 J^T p; p has as many components as J has rows. No speed changes if one of them would
 * not fit the precision. Returns the speeds after, in the first row of Y, which is lost.
 */
static const lanes_t *push_mechanism(const NAME(impinge_mechanisms) * in, mechanism_t *m, size_t i,
                                     size_t count, const lanes_t *p, response_t *r) {
    lanes_t *const speeds = m->y[0];
    for (size_t j = 0; j < m->n; j++) {
        speeds[j] = lane_mul(m->y[0][j], p[0]);
        for (size_t row = 1; row < m->rows; row++)
            speeds[j] = lane_fma(m->y[row][j], p[row], speeds[j]);
    }
    cholesky_backward(&m->mass, speeds);
    mask_t fits = mask_all();
    for (size_t j = 0; j < m->n; j++) {
        speeds[j] = unless_zero(load_speed(in, j, i, count), speeds[j]);
        fits = mask_and(fits, lane_finite(speeds[j]));
    }
    const mask_t changes = mask_andnot(fits, r->untouched);
    for (size_t j = 0; j < m->n; j++)
        speeds[j] = lane_select(changes, speeds[j], load_speed(in, j, i, count));

    const mask_t lost = mask_andnot(mask_not(fits), r->untouched);
    r->outcome = word_or(r->outcome, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE));
    withhold(r);
    return speeds;
}

/*
 * Zeroes the K and u0 that are reported for invalid contacts, where they may be NaN, and those that
 * do not fit the range.
 */
static inline void forget_invalid(mechanism_t *m, const response_t *r) {
    const uint32_t none = (uint32_t)IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_OUT_OF_RANGE;
    if (!mask_any(word_has(r->outcome, none))) return;
    const mask_t invalid = word_has(r->outcome, IMPINGE_OUTCOME_INVALID);
    const lanes_t zero = lane_zero();
    for (size_t j = 0; j < TRIANGLE(m->rows); j++)
        m->k[j] = lane_select(mask_andnot(lane_finite(m->k[j]), invalid), m->k[j], zero);
    for (size_t j = 0; j < m->rows; j++)
        m->u[j] = lane_select(mask_andnot(lane_finite(m->u[j]), invalid), m->u[j], zero);
}

static void store_space(const batch_t *batch, size_t i, response_t *r, size_t count,
                        mechanism_t *m) {
    const NAME(impinge_mechanisms) *const in = batch->in;
    const NAME(impinge_mechanism_results) *const out = batch->out;
    /* All is read before anything is written: outputs may be the inputs. */
    load_again(batch, SPACE_ROWS, i, count, m);
    const lanes_t p[SPACE_ROWS] = {r->p1, r->p2, r->p3};
    const lanes_t *const speeds = push_mechanism(in, m, i, count, p, r);
    forget_invalid(m, r);
    const size_t impulse = stride_of(AS_GIVEN, out->impulse_stride);
    const size_t velocity = stride_of(AS_GIVEN, out->velocity_stride);
    const size_t matrix = stride_of(AS_GIVEN, out->matrix_stride);
    store_lanes_by(impulse, out->p1, i, r->p1, count);
    store_lanes_by(impulse, out->p2, i, r->p2, count);
    store_lanes_by(impulse, out->p3, i, r->p3, count);
    store_lanes_by(velocity, out->u1_after, i, lane_select(r->untouched, m->u[0], r->u1), count);
    store_lanes_by(velocity, out->u2_after, i, lane_select(r->untouched, m->u[1], r->u2), count);
    store_lanes_by(velocity, out->u3_after, i, lane_select(r->untouched, m->u[2], r->u3), count);
    rows_to(out->speeds, m->n, in->stride, i, count, speeds);
    store_lanes_by(matrix, out->k11, i, m->k[0], count);
    store_lanes_by(matrix, out->k12, i, m->k[1], count);
    store_lanes_by(matrix, out->k22, i, m->k[2], count);
    store_lanes_by(matrix, out->k13, i, m->k[3], count);
    store_lanes_by(matrix, out->k23, i, m->k[4], count);
    store_lanes_by(matrix, out->k33, i, m->k[5], count);
    store_lanes_by(velocity, out->u1, i, m->u[0], count);
    store_lanes_by(velocity, out->u2, i, m->u[1], count);
    store_lanes_by(velocity, out->u3, i, m->u[2], count);
    store_other_results(AS_GIVEN, OTHER_RESULTS(out), i, r, count);
}

static void write_planar(const batch_t *batch, size_t i, const response_t *r, size_t count,
                         mechanism_t *m, const lanes_t *speeds) {
    const NAME(impinge_mechanisms) *const in = batch->in;
    const NAME(impinge_planar_mechanism_results) *const out = batch->out;
    forget_invalid(m, r);
    const lanes_t un = m->u[NORMAL_ROW_PLANAR];
    const size_t impulse = stride_of(AS_GIVEN, out->impulse_stride);
    const size_t velocity = stride_of(AS_GIVEN, out->velocity_stride);
    const size_t matrix = stride_of(AS_GIVEN, out->matrix_stride);
    store_lanes_by(impulse, out->pt, i, r->p1, count);
    store_lanes_by(impulse, out->pn, i, r->p3, count);
    store_lanes_by(velocity, out->ut_after, i, lane_select(r->untouched, m->u[0], r->u1), count);
    store_lanes_by(velocity, out->un_after, i, lane_select(r->untouched, un, r->u3), count);
    rows_to(out->speeds, m->n, in->stride, i, count, speeds);
    store_lanes_by(matrix, out->ktt, i, m->k[0], count);
    store_lanes_by(matrix, out->ktn, i, m->k[1], count);
    store_lanes_by(matrix, out->knn, i, m->k[2], count);
    store_lanes_by(velocity, out->ut, i, m->u[0], count);
    store_lanes_by(velocity, out->un, i, un, count);
    store_other_results(AS_GIVEN, OTHER_RESULTS(out), i, r, count);
}

static void store_planar(const batch_t *batch, size_t i, response_t *r, size_t count,
                         mechanism_t *m) {
    /* All is read before anything is written: outputs may be the inputs. */
    load_again(batch, PLANAR_ROWS, i, count, m);
    const lanes_t p[PLANAR_ROWS] = {r->p1, r->p3};
    const lanes_t *const speeds = push_mechanism(batch->in, m, i, count, p, r);
    write_planar(batch, i, r, count, m, speeds);
}

/*
 * With registers of 64 bytes the numbers of 32 coordinates take 39 KiB, and the whole of Routh's
 * ring does not fit into 64 KiB beside them. The numbers of 22 coordinates leave room for it.
 */
enum {
    FEW = sizeof(lanes_t) < 64 ? IMPINGE_COORDINATES_MAX : 22,
    NUMBERS_FEW = NUMBERS(FEW),
    NUMBERS_MOST = NUMBERS(IMPINGE_COORDINATES_MAX)
};

/*
 * Laws that resolve a contact at once write it from batch->read, as it was read. Others write it
 * much later, and read it again then. Each read or write has a stack frame of its own, which is
 * released after it.
 */
typedef contact_t load_with(const batch_t *batch, size_t i, size_t count, mechanism_t *m);
typedef void store_with(const batch_t *batch, size_t i, response_t *r, size_t count,
                        mechanism_t *m);

static APART contact_t load_few(const batch_t *batch, size_t i, size_t count, load_with *load) {
    lanes_t numbers[NUMBERS_FEW];
    mechanism_t m = {.numbers = numbers};
    return load(batch, i, count, &m);
}

static APART contact_t load_many(const batch_t *batch, size_t i, size_t count, load_with *load) {
    lanes_t numbers[NUMBERS_MOST];
    mechanism_t m = {.numbers = numbers};
    return load(batch, i, count, &m);
}

static APART void store_few(const batch_t *batch, size_t i, response_t *r, size_t count,
                            store_with *store) {
    lanes_t numbers[NUMBERS_FEW];
    mechanism_t m = {.numbers = numbers, .first = NOT_READ};
    store(batch, i, r, count, &m);
}

static APART void store_many(const batch_t *batch, size_t i, response_t *r, size_t count,
                             store_with *store) {
    lanes_t numbers[NUMBERS_MOST];
    mechanism_t m = {.numbers = numbers, .first = NOT_READ};
    store(batch, i, r, count, &m);
}

static contact_t load_alone(const batch_t *batch, size_t i, size_t count, load_with *load) {
    return (batch->needs_stack ? load_many : load_few)(batch, i, count, load);
}

static void store_alone(const batch_t *batch, size_t i, response_t *r, size_t count,
                        store_with *store) {
    (batch->needs_stack ? store_many : store_few)(batch, i, r, count, store);
}

static contact_t load_space_alone(const batch_t *batch, size_t i, size_t count) {
    return load_alone(batch, i, count, load_space);
}

static void store_space_alone(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_alone(batch, i, r, count, store_space);
}

static contact_t load_planar_alone(const batch_t *batch, size_t i, size_t count) {
    return load_alone(batch, i, count, load_planar);
}

static void store_planar_alone(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_alone(batch, i, r, count, store_planar);
}

static contact_t load_space_kept(const batch_t *batch, size_t i, size_t count) {
    return load_space(batch, i, count, batch->read);
}

static void store_space_kept(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_space(batch, i, r, count, batch->read);
}

static APART void resolve_kept(const batch_t *of) {
    lanes_t numbers[NUMBERS_MOST];
    mechanism_t read = {.numbers = numbers, .first = NOT_READ};
    batch_t batch = *of;
    batch.read = &read;
    batch.load = load_space_kept;
    batch.store = store_space_kept;
    resolve_by_law(&batch);
}

static void resolve_mechanisms(const NAME(impinge_mechanisms) * in, selected_t selected,
                               const impinge_options *options,
                               const NAME(impinge_mechanism_results) * out,
                               impinge_report *report) {
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .needs_stack = in->coordinates > FEW,
                           .load = load_space_alone,
                           .store = store_space_alone};
    const law_kind kind = law_kind_of(options->law);
    if (kind == LAW_KIND_INCREMENTAL || kind == LAW_KIND_MIXED)
        resolve_by_law(&batch);
    else
        resolve_kept(&batch);
}

static inline coordinate_t load_coordinate(const NAME(impinge_mechanisms) * in, size_t i,
                                           size_t count) {
    return (coordinate_t){.mass = load_lanes(in->mass, i, count),
                          .jacobian_t = load_lanes(in->jacobian, i, count),
                          .jacobian_n = load_lanes(in->jacobian + in->stride, i, count),
                          .speed = load_speed(in, 0, i, count)};
}

static APART void one_coordinate_mechanisms(const batch_t *batch) {
    lanes_t numbers[NUMBERS(1)];
    mechanism_t m = {.numbers = numbers};
    for (size_t j = 0; j < batch->count; j += LANES) {
        const size_t i = batch->first + j;
        const size_t count = batch->count - j;
        load_mechanism(batch->in, PLANAR_ROWS, i, count, &m);
        const contact_t contact = planar_given(batch, &m, i, count);
        const coordinate_t given = load_coordinate(batch->in, i, count);
        lanes_t speed;
        const response_t r = resolve_one_coordinate(&contact, &given, batch->options, &speed);
        write_planar(batch, i, &r, count, &m, &speed);
        report_lanes(batch->report, r.outcome, i, count);
    }
}

static void resolve_planar_mechanisms(const NAME(impinge_mechanisms) * in, selected_t selected,
                                      const impinge_options *options,
                                      const NAME(impinge_planar_mechanism_results) * out,
                                      impinge_report *report) {
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .planar = true,
                           .needs_stack = in->coordinates > FEW,
                           .load = load_planar_alone,
                           .store = store_planar_alone};
    if (in->coordinates == 1)
        one_coordinate_mechanisms(&batch);
    else
        routh_resolve(&batch, planar_close);
}

const NAME(impinge_mechanism_kernels) KERNEL_MECHANISMS = {
    .resolve = resolve_mechanisms,
    .resolve_planar = resolve_planar_mechanisms,
};
