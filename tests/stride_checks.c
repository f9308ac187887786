/* Numbers that stand apart: the same bits as from columns, and nothing between is touched. */
#include "stride_checks.h"

#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../kernels/real.h"
#include "batches.h"
#include "random_contacts.h"
#include "targets.h"

#define CHECK(name) void NAME(strides_##name)(void)

#if IMPINGE_REAL_BITS == 32
#define EPSILON ((double)FLT_EPSILON)
#define SCALES  30
#else
#define EPSILON DBL_EPSILON
#define SCALES  200
#endif

/* Vectors of every width, and a rest. */
enum { COUNT = 203 };

/* Between what a contact has: bytes that no call writes. */
#define GAP_BYTE 0x5a
#define GAP_WORD 0x5a5a5a5au

/* Rows of `width` numbers, of which the first `columns` are a contact's. */
typedef struct rows {
    real_t *numbers;
    size_t columns, width;
} rows_t;

static rows_t rows_new(size_t columns, size_t width) {
    const rows_t rows = {malloc(COUNT * width * sizeof(real_t)), columns, width};
    cr_assert_not_null(rows.numbers);
    memset(rows.numbers, GAP_BYTE, COUNT * width * sizeof(real_t));
    return rows;
}

static void rows_fill(const rows_t *rows, const real_t *columns, size_t stride) {
    for (size_t i = 0; i < COUNT; i++)
        for (size_t c = 0; c < rows->columns; c++)
            memcpy(&rows->numbers[i * rows->width + c], &columns[c * stride + i], sizeof(real_t));
}

/* The rows have what the columns have, and what is between them is as it was. */
static void rows_assert(const rows_t *rows, const real_t *columns, size_t stride, const char *of) {
    real_t gap;
    memset(&gap, GAP_BYTE, sizeof gap);
    for (size_t i = 0; i < COUNT; i++) {
        const real_t *const row = &rows->numbers[i * rows->width];
        for (size_t c = 0; c < rows->width; c++) {
            const real_t *const expected = c < rows->columns ? &columns[c * stride + i] : &gap;
            cr_assert_eq(memcmp(&row[c], expected, sizeof gap), 0, "%s: contact %zu, column %zu",
                         of, i, c);
        }
    }
}

static void stride_coefficients(NAME(impinge_coefficients) * c, size_t stride) {
    c->restitution.stride = c->friction.stride = c->friction_static.stride = stride;
    c->tangential_restitution.stride = c->mix.stride = stride;
    c->impulse_ratio_t1.stride = c->impulse_ratio_t2.stride = stride;
}

static void resolve_contacts_apart(const NAME(batch) * apart, size_t in, size_t out, size_t words,
                                   const impinge_options *options) {
    NAME(impinge_contacts) contacts = NAME(batch_contacts)(apart, COUNT);
    NAME(impinge_contact_results) results = NAME(batch_contact_results)(apart);
    contacts.matrix_stride = contacts.velocity_stride = in;
    stride_coefficients(&contacts.coefficients, in);
    results.impulse_stride = results.velocity_stride = results.work_stride = out;
    results.outcome_stride = words;
    cr_assert_geq(NAME(impinge_resolve_contacts)(&contacts, NULL, options, &results, NULL), 0);
}

static void stride_side(NAME(impinge_pair_side) * side, size_t stride) {
    side->inverse_mass_stride = side->inverse_inertia_stride = side->arm_stride = stride;
    side->velocity_stride = side->angular_velocity_stride = stride;
}

static void resolve_pairs_apart(const NAME(batch) * apart, size_t in, size_t out, size_t words,
                                const impinge_options *options) {
    NAME(impinge_body_pairs) pairs = NAME(batch_pairs)(apart, COUNT);
    NAME(impinge_body_pair_results) results = NAME(batch_pair_results)(apart);
    stride_side(&pairs.a, in);
    stride_side(&pairs.b, in);
    pairs.normal_stride = in;
    stride_coefficients(&pairs.coefficients, in);
    results.impulse_stride = results.work_stride = out;
    results.a.velocity_stride = results.a.angular_velocity_stride = out;
    results.b.velocity_stride = results.b.angular_velocity_stride = out;
    results.outcome_stride = words;
    cr_assert_geq(NAME(impinge_resolve_body_pairs)(&pairs, NULL, options, &results, NULL), 0);
}

/* As columns and as rows, by one law. */
static void check_level(batch_level level, const impinge_options *options, uint64_t *state) {
    enum { WORDS = 3 };
    NAME(batch) columns = NAME(batch_new)(level, COUNT);
    NAME(random_fill)(state, &columns, COUNT);
    cr_assert_geq(NAME(batch_resolve)(&columns, 0, COUNT, options, NULL), 0);
    const rows_t in = rows_new(batch_inputs(level), batch_inputs(level) + 2);
    const rows_t out = rows_new(batch_outputs(level), batch_outputs(level) + 1);
    rows_fill(&in, columns.in, COUNT);
    uint32_t outcome[COUNT * WORDS];
    memset(outcome, GAP_BYTE, sizeof outcome);
    /* Columns of one contact's numbers are a row. */
    const NAME(batch) apart = {level, 1, in.numbers, out.numbers, outcome};
    (level == LEVEL_CONTACTS ? resolve_contacts_apart
                             : resolve_pairs_apart)(&apart, in.width, out.width, WORDS, options);
    rows_assert(&in, columns.in, COUNT, "inputs");
    rows_assert(&out, columns.out, COUNT, impinge_law_name(options->law));
    uint32_t gap;
    memset(&gap, GAP_BYTE, sizeof gap);
    for (size_t i = 0; i < COUNT * WORDS; i++)
        cr_assert_eq(outcome[i], i % WORDS == 0 ? columns.outcome[i / WORDS] : gap);
    free(in.numbers);
    free(out.numbers);
    NAME(batch_free)(&columns);
}

static void check_laws(const char *target, void *user) {
    (void)target;
    (void)user;
    uint64_t state = 2611;
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        const impinge_options options = {.law = (impinge_law)law,
                                         .restitution_above_one = law == 1};
        check_level(LEVEL_CONTACTS, &options, &state);
        check_level(LEVEL_BODY_PAIRS, &options, &state);
    }
}

/* ---- Impulses to judge and to project ---- */

enum { JUDGED = 4, BROUGHT = 4 };

/* The strides are those of contacts, impulses, slacks, projections and masks. */
static void judge(const real_t *in, const real_t *p, real_t *slacks, real_t *to, uint32_t *mask,
                  uint32_t *given, size_t step, const size_t strides[5]) {
    const NAME(impinge_contacts) contacts = {
        .count = COUNT,
        .k11 = in + IN_K11 * step,
        .k12 = in + IN_K12 * step,
        .k13 = in + IN_K13 * step,
        .k22 = in + IN_K22 * step,
        .k23 = in + IN_K23 * step,
        .k33 = in + IN_K33 * step,
        .u1 = in + IN_U1 * step,
        .u2 = in + IN_U2 * step,
        .u3 = in + IN_U3 * step,
        .coefficients = {.friction = {.values = in + IN_FRICTION * step, .stride = strides[0]}},
        .matrix_stride = strides[0],
        .velocity_stride = strides[0]};
    const NAME(impinge_impulses)
        impulses = {.p1 = p, .p2 = p + step, .p3 = p + 2 * step, .stride = strides[1]};
    const NAME(impinge_judgements) judgements = {.energy = slacks,
                                                 .interpenetration = slacks + step,
                                                 .pull = slacks + 2 * step,
                                                 .cone = slacks + 3 * step,
                                                 .mask = mask,
                                                 .slack_stride = strides[2],
                                                 .mask_stride = strides[4]};
    const NAME(impinge_projections) projections = {.p1 = to,
                                                   .p2 = to + step,
                                                   .p3 = to + 2 * step,
                                                   .fraction = to + 3 * step,
                                                   .mask = given,
                                                   .impulse_stride = strides[3],
                                                   .fraction_stride = strides[3],
                                                   .mask_stride = strides[4]};
    cr_assert_geq(NAME(impinge_judge_impulses)(&contacts, NULL, &impulses, &judgements, NULL), 0);
    cr_assert_geq(NAME(impinge_project_impulses)(&contacts, NULL, &impulses, &projections, NULL),
                  0);
}

static void check_region(const char *target, void *user) {
    (void)target;
    (void)user;
    real_t in[CONTACT_INPUTS * COUNT], p[3 * COUNT], slacks[JUDGED * COUNT], to[BROUGHT * COUNT];
    uint32_t masks[2][COUNT], apart_masks[2][2 * COUNT];
    uint64_t state = 21;
    for (size_t i = 0; i < COUNT; i++) {
        double row[CONTACT_INPUTS];
        random_contact(&state, (random_kind)(i % RANDOM_KINDS), SCALES, row);
        for (size_t c = 0; c < CONTACT_INPUTS; c++)
            in[c * COUNT + i] = (real_t)row[c];
        for (size_t c = 0; c < 3; c++)
            p[c * COUNT + i] = (real_t)(2 * random_unit(&state) - 0.5);
    }
    const rows_t rows = rows_new(CONTACT_INPUTS, CONTACT_INPUTS + 2), given = rows_new(3, 4);
    const rows_t judged = rows_new(JUDGED, JUDGED + 1), brought = rows_new(BROUGHT, BROUGHT + 2);
    rows_fill(&rows, in, COUNT);
    rows_fill(&given, p, COUNT);
    judge(in, p, slacks, to, masks[0], masks[1], COUNT, (const size_t[]){0, 0, 0, 0, 0});
    judge(rows.numbers, given.numbers, judged.numbers, brought.numbers, apart_masks[0],
          apart_masks[1], 1,
          (const size_t[]){rows.width, given.width, judged.width, brought.width, 2});
    rows_assert(&judged, slacks, COUNT, "judged");
    rows_assert(&brought, to, COUNT, "projected");
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 2; k++)
            cr_assert_eq(apart_masks[k][2 * i], masks[k][i]);
    free(rows.numbers);
    free(given.numbers);
    free(judged.numbers);
    free(brought.numbers);
}

CHECK(region) { for_each_target(check_region, NULL); }

CHECK(laws) { for_each_target(check_laws, NULL); }

/* ---- One kind of a pair's numbers apart, the others in columns ---- */

/* Where a kind's stride is in a struct of a call, and where its pointers are. */
typedef struct kind {
    size_t stride, pointers[6], count;
} kind_t;

#define AT(type, member) offsetof(NAME(impinge_##type), member)
#define THREE(type, name, stride)                                                                  \
    { AT(type, stride), {AT(type, name##_x), AT(type, name##_y), AT(type, name##_z)}, 3 }
#define INERTIA(side)                                                                              \
    {                                                                                              \
        AT(body_pairs, side.inverse_inertia_stride),                                               \
            {AT(body_pairs, side.inverse_inertia_xx), AT(body_pairs, side.inverse_inertia_xy),     \
             AT(body_pairs, side.inverse_inertia_xz), AT(body_pairs, side.inverse_inertia_yy),     \
             AT(body_pairs, side.inverse_inertia_yz), AT(body_pairs, side.inverse_inertia_zz)},    \
            6                                                                                      \
    }
#define SIDE(side)                                                                                 \
    {AT(body_pairs, side.inverse_mass_stride), {AT(body_pairs, side.inverse_mass)}, 1},            \
        INERTIA(side), THREE(body_pairs, side.arm, side.arm_stride),                               \
        THREE(body_pairs, side.velocity, side.velocity_stride),                                    \
        THREE(body_pairs, side.angular_velocity, side.angular_velocity_stride)
#define ONE_OF(name)                                                                               \
    { AT(body_pairs, coefficients.name.stride), {AT(body_pairs, coefficients.name.values)}, 1 }

static const kind_t kinds_of_pairs[] = {THREE(body_pairs, normal, normal_stride),
                                        SIDE(a),
                                        SIDE(b),
                                        ONE_OF(restitution),
                                        ONE_OF(friction),
                                        ONE_OF(friction_static)};

static const kind_t kinds_of_results[] = {
    THREE(body_pair_results, impulse, impulse_stride),
    {AT(body_pair_results, work_stride),
     {AT(body_pair_results, work_compression), AT(body_pair_results, work_restitution),
      AT(body_pair_results, work_friction)},
     3},
    THREE(body_pair_results, a.velocity, a.velocity_stride),
    THREE(body_pair_results, a.angular_velocity, a.angular_velocity_stride),
    THREE(body_pair_results, b.velocity, b.velocity_stride),
    THREE(body_pair_results, b.angular_velocity, b.angular_velocity_stride)};

enum {
    KINDS_OF_PAIRS = sizeof kinds_of_pairs / sizeof *kinds_of_pairs,
    KINDS_OF_RESULTS = sizeof kinds_of_results / sizeof *kinds_of_results
};

/* Takes the pointers of a kind from another struct, and gives them a stride. */
static void take_kind(void *to, const void *from, const kind_t *kind, size_t stride) {
    for (size_t k = 0; k < kind->count; k++)
        memcpy((char *)to + kind->pointers[k], (const char *)from + kind->pointers[k],
               sizeof(real_t *));
    memcpy((char *)to + kind->stride, &stride, sizeof stride);
}

/* Each number is in its column or in its row, and nothing is in the other. */
static void assert_one_place(const NAME(batch) * right, const NAME(batch) * columns,
                             const rows_t *rows, size_t kind) {
    real_t gap;
    memset(&gap, GAP_BYTE, sizeof gap);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t c = 0; c < rows->columns; c++) {
            const real_t *one = &columns->out[c * COUNT + i];
            const real_t *other = &rows->numbers[i * rows->width + c];
            if (memcmp(one, &gap, sizeof gap) == 0) {
                other = one;
                one = &rows->numbers[i * rows->width + c];
            }
            cr_assert_eq(memcmp(one, &right->out[c * COUNT + i], sizeof gap), 0,
                         "kind %zu, pair %zu, output %zu", kind, i, c);
            cr_assert_eq(memcmp(other, &gap, sizeof gap), 0, "kind %zu, pair %zu, output %zu", kind,
                         i, c);
        }
}

/* A call that looks at the strides of some kinds only takes another's for a column. */
static void check_one_kind_of_pairs(const char *target, void *user) {
    (void)target;
    (void)user;
    enum { WORDS = 3 };
    uint64_t state = 2612;
    NAME(batch) right = NAME(batch_new)(LEVEL_BODY_PAIRS, COUNT);
    NAME(batch) columns = NAME(batch_new)(LEVEL_BODY_PAIRS, COUNT);
    NAME(random_fill)(&state, &right, COUNT);
    memcpy(columns.in, right.in, batch_inputs(LEVEL_BODY_PAIRS) * COUNT * sizeof(real_t));
    cr_assert_geq(NAME(batch_resolve)(&right, 0, COUNT, NULL, NULL), 0);
    const size_t outputs = batch_outputs(LEVEL_BODY_PAIRS);
    const rows_t in = rows_new(batch_inputs(LEVEL_BODY_PAIRS), batch_inputs(LEVEL_BODY_PAIRS) + 2);
    const rows_t out = rows_new(outputs, outputs + 1);
    rows_fill(&in, right.in, COUNT);
    uint32_t outcome[COUNT * WORDS];
    const NAME(batch) apart = {LEVEL_BODY_PAIRS, 1, in.numbers, out.numbers, outcome};
    const NAME(impinge_body_pairs) rows = NAME(batch_pairs)(&apart, COUNT);
    const NAME(impinge_body_pair_results) to_rows = NAME(batch_pair_results)(&apart);
    for (size_t kind = 0; kind <= KINDS_OF_PAIRS + KINDS_OF_RESULTS; kind++) {
        NAME(impinge_body_pairs) pairs = NAME(batch_pairs)(&columns, COUNT);
        NAME(impinge_body_pair_results) results = NAME(batch_pair_results)(&columns);
        const size_t of_results = kind - KINDS_OF_PAIRS;
        const bool words_apart = of_results == KINDS_OF_RESULTS;
        if (kind < KINDS_OF_PAIRS)
            take_kind(&pairs, &rows, &kinds_of_pairs[kind], in.width);
        else if (!words_apart)
            take_kind(&results, &to_rows, &kinds_of_results[of_results], out.width);
        if (words_apart) {
            results.outcome = outcome;
            results.outcome_stride = WORDS;
        }
        memset(columns.out, GAP_BYTE, outputs * COUNT * sizeof(real_t));
        memset(out.numbers, GAP_BYTE, COUNT * out.width * sizeof(real_t));
        memset(columns.outcome, GAP_BYTE, COUNT * sizeof *columns.outcome);
        memset(outcome, GAP_BYTE, sizeof outcome);
        cr_assert_geq(NAME(impinge_resolve_body_pairs)(&pairs, NULL, NULL, &results, NULL), 0);
        assert_one_place(&right, &columns, &out, kind);
        for (size_t i = 0; i < COUNT * WORDS; i++)
            cr_assert_eq(outcome[i],
                         words_apart && i % WORDS == 0 ? right.outcome[i / WORDS] : GAP_WORD);
        for (size_t i = 0; i < COUNT; i++)
            cr_assert_eq(columns.outcome[i], words_apart ? GAP_WORD : right.outcome[i]);
    }
    free(in.numbers);
    free(out.numbers);
    NAME(batch_free)(&right);
    NAME(batch_free)(&columns);
}

CHECK(one_kind_of_pairs) { for_each_target(check_one_kind_of_pairs, NULL); }

/* ---- Planar contacts ---- */

enum { P_MATRIX, P_VELOCITY = 3, P_E = 5, P_MU, PLANAR_IN };
enum { P_IMPULSE, P_AFTER = 2, P_WORK = 4, PLANAR_OUT = 7 };

static impinge_status resolve_planar(const real_t *in, real_t *out, uint32_t *outcome, size_t step,
                                     size_t in_stride, size_t out_stride, size_t words) {
    const NAME(impinge_planar_contacts) contacts = {
        .count = COUNT,
        .ktt = in,
        .ktn = in + step,
        .knn = in + 2 * step,
        .ut = in + P_VELOCITY * step,
        .un = in + (P_VELOCITY + 1) * step,
        .coefficients = {.restitution = {.values = in + P_E * step, .stride = in_stride},
                         .friction = {.values = in + P_MU * step, .stride = in_stride}},
        .matrix_stride = in_stride,
        .velocity_stride = in_stride};
    const NAME(impinge_planar_contact_results)
        results = {.pt = out,
                   .pn = out + step,
                   .ut_after = out + P_AFTER * step,
                   .un_after = out + (P_AFTER + 1) * step,
                   .work_compression = out + P_WORK * step,
                   .work_restitution = out + (P_WORK + 1) * step,
                   .work_friction = out + (P_WORK + 2) * step,
                   .outcome = outcome,
                   .impulse_stride = out_stride,
                   .velocity_stride = out_stride,
                   .work_stride = out_stride,
                   .outcome_stride = words};
    return NAME(impinge_resolve_planar_contacts)(&contacts, NULL, NULL, &results, NULL);
}

static void check_planar(const char *target, void *user) {
    (void)target;
    (void)user;
    real_t in[PLANAR_IN * COUNT], out[PLANAR_OUT * COUNT];
    uint32_t outcome[COUNT], words[2 * COUNT];
    uint64_t state = 4;
    for (size_t i = 0; i < COUNT; i++) {
        double row[CONTACT_INPUTS];
        random_contact(&state, RANDOM_PLANAR, SCALES, row);
        const double from[PLANAR_IN] = {row[IN_K11],     row[IN_K13], row[IN_K33],
                                        row[IN_U1],      row[IN_U3],  row[IN_RESTITUTION],
                                        row[IN_FRICTION]};
        for (size_t c = 0; c < PLANAR_IN; c++)
            in[c * COUNT + i] = (real_t)from[c];
    }
    cr_assert_geq(resolve_planar(in, out, outcome, COUNT, 0, 0, 0), 0);
    const rows_t rows = rows_new(PLANAR_IN, PLANAR_IN + 3);
    const rows_t after = rows_new(PLANAR_OUT, PLANAR_OUT + 1);
    rows_fill(&rows, in, COUNT);
    cr_assert_geq(resolve_planar(rows.numbers, after.numbers, words, 1, rows.width, after.width, 2),
                  0);
    rows_assert(&after, out, COUNT, "planar");
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(words[2 * i], outcome[i]);
    free(rows.numbers);
    free(after.numbers);
}

CHECK(planar) { for_each_target(check_planar, NULL); }

/* ---- Bodies by index, as one array of structs ---- */

enum { BODIES = 40, CONTACTS = 60 };

/* A layout that a program may have: a body's numbers together, and its quaternion. */
typedef struct body {
    real_t x[3], q[4], v[3], w[3], inverse_mass, inverse_inertia[3];
} body_t;

typedef struct touch {
    uint32_t a, b;
    real_t arm_a[3], arm_b[3], n[3], friction;
} touch_t;

/* A call on structs, and the same call on columns of them. */
typedef struct scene {
    body_t body[BODIES];
    touch_t touch[CONTACTS];
    real_t impulse[CONTACTS][4];
    uint32_t outcome[CONTACTS][3]; /* the first of each three */
    uint32_t sharing[BODIES];
    /* The same as columns. */
    real_t column[sizeof(body_t) / sizeof(real_t)][BODIES];
    real_t touches[10][CONTACTS], impulses[4][CONTACTS];
    uint32_t index[2][CONTACTS], outcomes[CONTACTS];
} scene_t;

enum { AT_Q = 3, AT_V = 7, AT_W = 10, AT_MASS = 13, AT_INERTIA };

static real_t between(uint64_t *state, double from, double to) {
    return (real_t)(from + (to - from) * random_unit(state));
}

static void unit(uint64_t *state, real_t *a, size_t n) {
    double square = 0;
    for (size_t k = 0; k < n; k++) {
        a[k] = between(state, -1, 1);
        square += (double)a[k] * (double)a[k];
    }
    if (square < 0.01) {
        a[0] = 1;
        square += 1;
        for (size_t k = 1; k < n; k++)
            a[k] = 0;
        square = 1;
    }
    for (size_t k = 0; k < n; k++)
        a[k] = (real_t)((double)a[k] / sqrt(square));
}

static void scene_draw(scene_t *s, uint64_t *state) {
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < BODIES; i++) {
        body_t *const b = &s->body[i];
        unit(state, b->q, 4);
        b->inverse_mass = between(state, 0.5, 2);
        for (size_t k = 0; k < 3; k++) {
            b->v[k] = between(state, -1, 1);
            b->w[k] = between(state, -1, 1);
            b->inverse_inertia[k] = between(state, 1, 4);
        }
        for (size_t c = 0; c < sizeof *b / sizeof(real_t); c++)
            memcpy(&s->column[c][i], (const real_t *)b + c, sizeof(real_t));
    }
    memset(s->outcome, GAP_BYTE, sizeof s->outcome);
    for (size_t i = 0; i < CONTACTS; i++) {
        touch_t *const t = &s->touch[i];
        t->a = (uint32_t)random_below(state, BODIES);
        t->b = i % 5 == 0 ? IMPINGE_WORLD
                          : (t->a + 1 + (uint32_t)random_below(state, BODIES - 1)) % BODIES;
        unit(state, t->n, 3);
        unit(state, t->arm_a, 3);
        unit(state, t->arm_b, 3);
        t->friction = between(state, 0, 1);
        for (size_t c = 0; c < 10; c++)
            memcpy(&s->touches[c][i], t->arm_a + c, sizeof(real_t));
        s->index[0][i] = t->a;
        s->index[1][i] = t->b;
    }
}

static NAME(impinge_bodies) bodies_of(real_t *q, real_t *v, real_t *w, real_t *mass,
                                      real_t *inertia, size_t step, size_t stride) {
    return (NAME(impinge_bodies)){.count = BODIES,
                                  .orientation = {.w = q,
                                                  .x = q + step,
                                                  .y = q + 2 * step,
                                                  .z = q + 3 * step,
                                                  .stride = stride},
                                  .inverse_mass = mass,
                                  .inverse_inertia_xx = inertia,
                                  .inverse_inertia_yy = inertia + step,
                                  .inverse_inertia_zz = inertia + 2 * step,
                                  .velocity_x = v,
                                  .velocity_y = v + step,
                                  .velocity_z = v + 2 * step,
                                  .angular_velocity_x = w,
                                  .angular_velocity_y = w + step,
                                  .angular_velocity_z = w + 2 * step,
                                  .inverse_mass_stride = stride,
                                  .inverse_inertia_stride = stride,
                                  .velocity_stride = stride,
                                  .angular_velocity_stride = stride};
}

static NAME(impinge_bodies) bodies_apart(scene_t *s) {
    body_t *const b = s->body;
    return bodies_of(b->q, b->v, b->w, &b->inverse_mass, b->inverse_inertia, 1,
                     sizeof *b / sizeof(real_t));
}

static NAME(impinge_bodies) bodies_in_columns(scene_t *s) {
    return bodies_of(s->column[AT_Q], s->column[AT_V], s->column[AT_W], s->column[AT_MASS],
                     s->column[AT_INERTIA], BODIES, 0);
}

static NAME(impinge_indexed_contacts)
    contacts_of(const real_t *numbers, size_t step, size_t stride, const uint32_t *a,
                const uint32_t *b, size_t index_stride, const uint32_t *sharing) {
    return (NAME(impinge_indexed_contacts)){
        .count = CONTACTS,
        .index_a = a,
        .index_b = b,
        .arm_a_x = numbers,
        .arm_a_y = numbers + step,
        .arm_a_z = numbers + 2 * step,
        .arm_b_x = numbers + 3 * step,
        .arm_b_y = numbers + 4 * step,
        .arm_b_z = numbers + 5 * step,
        .normal_x = numbers + 6 * step,
        .normal_y = numbers + 7 * step,
        .normal_z = numbers + 8 * step,
        .coefficients = {.restitution = {.value = (real_t)0.5},
                         .friction = {.values = numbers + 9 * step, .stride = stride}},
        .sharing = sharing,
        .index_stride = index_stride,
        .arm_stride = stride,
        .normal_stride = stride};
}

static NAME(impinge_indexed_contacts) contacts_apart(const scene_t *s) {
    const touch_t *const t = s->touch;
    return contacts_of(t->arm_a, 1, sizeof *t / sizeof(real_t), &t->a, &t->b,
                       sizeof *t / sizeof(uint32_t), s->sharing);
}

static NAME(impinge_indexed_contacts) contacts_in_columns(const scene_t *s) {
    return contacts_of(s->touches[0], CONTACTS, 0, s->index[0], s->index[1], 0, s->sharing);
}

static void assert_same_motion(const scene_t *s, const char *after) {
    for (size_t i = 0; i < BODIES; i++)
        for (size_t c = 0; c < sizeof(body_t) / sizeof(real_t); c++)
            cr_assert_eq(memcmp((const real_t *)&s->body[i] + c, &s->column[c][i], sizeof(real_t)),
                         0, "%s: body %zu, number %zu", after, i, c);
}

static NAME(impinge_indexed_results) results_apart(scene_t *s) {
    return (NAME(impinge_indexed_results)){.impulse_x = &s->impulse[0][0],
                                           .impulse_y = &s->impulse[0][1],
                                           .impulse_z = &s->impulse[0][2],
                                           .work_friction = &s->impulse[0][3],
                                           .outcome = s->outcome[0],
                                           .impulse_stride = 4,
                                           .work_stride = 4,
                                           .outcome_stride = 3};
}

static NAME(impinge_indexed_results) results_in_columns(scene_t *s) {
    return (NAME(impinge_indexed_results)){.impulse_x = s->impulses[0],
                                           .impulse_y = s->impulses[1],
                                           .impulse_z = s->impulses[2],
                                           .work_friction = s->impulses[3],
                                           .outcome = s->outcomes};
}

static void assert_same_outcome(const scene_t *s, size_t i) {
    cr_assert_eq(s->outcome[i][0], s->outcomes[i], "contact %zu", i);
    cr_assert(s->outcome[i][1] == GAP_WORD && s->outcome[i][2] == GAP_WORD, "contact %zu", i);
}

static void check_indexed(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    uint64_t state = 77;
    for (int round = 0; round < 20; round++) {
        scene_draw(&s, &state);
        const NAME(impinge_bodies) apart = bodies_apart(&s), columns = bodies_in_columns(&s);
        const NAME(impinge_indexed_contacts) c = contacts_apart(&s);
        const NAME(impinge_indexed_contacts) d = contacts_in_columns(&s);
        const NAME(impinge_indexed_results) r = results_apart(&s), o = results_in_columns(&s);
        const impinge_contact_graph graph = {
            .contacts = CONTACTS, .bodies = BODIES, .index_a = s.index[0], .index_b = s.index[1]};
        cr_assert_eq(impinge_count_sharing(&graph, s.sharing), IMPINGE_OK);
        cr_assert_geq(NAME(impinge_resolve_indexed)(&apart, &c, NULL, NULL, &r, NULL), 0);
        cr_assert_geq(NAME(impinge_resolve_indexed)(&columns, &d, NULL, NULL, &o, NULL), 0);
        size_t collided = 0;
        for (size_t i = 0; i < CONTACTS; i++) {
            collided += (s.outcomes[i] & IMPINGE_OUTCOME_GOT_IMPULSE) != 0;
            assert_same_outcome(&s, i);
            for (size_t k = 0; k < 4; k++)
                cr_assert_eq(memcmp(&s.impulse[i][k], &s.impulses[k][i], sizeof(real_t)), 0);
        }
        cr_assert_gt(collided, 10);
        cr_assert_eq(NAME(impinge_apply_impulses)(&apart, NULL, &c, NULL, &r), IMPINGE_OK);
        cr_assert_eq(NAME(impinge_apply_impulses)(&columns, NULL, &d, NULL, &o), IMPINGE_OK);
        assert_same_motion(&s, "impulses");
    }
}

CHECK(indexed) { for_each_target(check_indexed, NULL); }

/* ---- Contacts together, of the same structs ---- */

/* The numbers of a contact that a step reads and writes, beside its geometry; the last is a gap. */
enum {
    REST_GAP = 0,
    REST_AIM,
    REST_WARM = 4,
    REST_WAS = 7,
    REST_IMPULSE = 10,
    REST_IMPACT = 13,
    REST_WORK = 16,
    REST_NORMAL = 19,
    REST_TOLD = 22,
    REST_NUMBERS,
    REST_WIDTH
};

/* Component k of contact i is at[k step + i stride]. */
typedef struct rest {
    real_t *at;
    size_t step, stride;
    uint32_t *outcome;
    size_t outcome_stride;
    const uint64_t *key;
} rest_t;

static real_t *part(const rest_t *r, size_t component) { return r->at + component * r->step; }

static NAME(impinge_contact_state) state_of(const rest_t *r) {
    return (NAME(impinge_contact_state)){.key = r->key,
                                         .aim_x = part(r, REST_AIM),
                                         .aim_y = part(r, REST_AIM + 1),
                                         .aim_z = part(r, REST_AIM + 2),
                                         .impulse_x = part(r, REST_WARM),
                                         .impulse_y = part(r, REST_WARM + 1),
                                         .impulse_z = part(r, REST_WARM + 2),
                                         .normal_x = part(r, REST_WAS),
                                         .normal_y = part(r, REST_WAS + 1),
                                         .normal_z = part(r, REST_WAS + 2),
                                         .aim_stride = r->stride,
                                         .impulse_stride = r->stride,
                                         .normal_stride = r->stride};
}

static NAME(impinge_step_results) results_of(const rest_t *r) {
    return (NAME(impinge_step_results)){.impulse_x = part(r, REST_IMPULSE),
                                        .impulse_y = part(r, REST_IMPULSE + 1),
                                        .impulse_z = part(r, REST_IMPULSE + 2),
                                        .impact_x = part(r, REST_IMPACT),
                                        .impact_y = part(r, REST_IMPACT + 1),
                                        .impact_z = part(r, REST_IMPACT + 2),
                                        .work_compression = part(r, REST_WORK),
                                        .work_restitution = part(r, REST_WORK + 1),
                                        .work_friction = part(r, REST_WORK + 2),
                                        .normal_x = part(r, REST_NORMAL),
                                        .normal_y = part(r, REST_NORMAL + 1),
                                        .normal_z = part(r, REST_NORMAL + 2),
                                        .gap = part(r, REST_TOLD),
                                        .outcome = r->outcome,
                                        .impulse_stride = r->stride,
                                        .impact_stride = r->stride,
                                        .work_stride = r->stride,
                                        .normal_stride = r->stride,
                                        .gap_stride = r->stride,
                                        .outcome_stride = r->outcome_stride};
}

static void rest_draw(const rest_t *r, const rest_t *same, uint64_t *state) {
    for (size_t i = 0; i < CONTACTS; i++)
        for (size_t k = 0; k < REST_WIDTH; k++) {
            const bool given = k < REST_IMPULSE;
            const real_t value = given ? between(state, -0.1, 0.1) : 7;
            if (k < REST_NUMBERS) same->at[k * same->step + i] = value;
            r->at[i * r->stride + k] = value;
            r->outcome[i * r->outcome_stride + k % 3] = 7;
        }
}

static void assert_same_rest(const rest_t *r, const rest_t *same) {
    for (size_t i = 0; i < CONTACTS; i++) {
        const real_t *const row = r->at + i * r->stride;
        for (size_t k = 0; k < REST_NUMBERS; k++)
            cr_assert_eq(memcmp(row + k, &same->at[k * same->step + i], sizeof *row), 0,
                         "contact %zu, number %zu", i, k);
        cr_assert_eq(row[REST_NUMBERS], 7);
        const uint32_t *const words = r->outcome + i * r->outcome_stride;
        cr_assert_eq(words[0], same->outcome[i]);
        cr_assert(words[1] == 7 && words[2] == 7);
    }
}

/* A step with everything that a step does, sweeps and a sequence: each on structs and on columns.
 */
static void step(const NAME(impinge_bodies) * bodies,
                 const NAME(impinge_indexed_contacts) * contacts, const NAME(impinge_poses) * poses,
                 const NAME(impinge_indexed_results) * impacts, const rest_t *rest, bool unordered,
                 void *workspace) {
    const impinge_step_options options = {
        .time_step = 0.01,
        .impacts = {.rest_speed = 0.05},
        .rest = {.method = unordered ? IMPINGE_REST_UNORDERED : IMPINGE_REST_COLOURS},
        .positions = {.slop = 0.001}};
    const NAME(impinge_body_step) all = {.bodies = bodies,
                                         .contacts = contacts,
                                         .gap = part(rest, REST_GAP),
                                         .gap_stride = rest->stride,
                                         .options = &options,
                                         .state = state_of(rest),
                                         .kick = {.x = (real_t)0.125,
                                                  .each_x = bodies->velocity_y,
                                                  .each_y = bodies->velocity_z,
                                                  .each_z = bodies->velocity_x,
                                                  .each_stride = bodies->velocity_stride},
                                         .poses = *poses,
                                         .results = results_of(rest),
                                         .impact_outcome = impacts->outcome,
                                         .impact_outcome_stride = impacts->outcome_stride,
                                         .workspace = workspace};
    cr_assert_geq(NAME(impinge_step_bodies)(&all, NULL), 0);
}

static void assert_same_results(const scene_t *s) {
    for (size_t i = 0; i < CONTACTS; i++) {
        assert_same_outcome(s, i);
        for (size_t k = 0; k < 4; k++)
            cr_assert_eq(memcmp(&s->impulse[i][k], &s->impulses[k][i], sizeof(real_t)), 0);
    }
}

static NAME(impinge_poses) poses_of(real_t *x, real_t *q, size_t step_of, size_t stride) {
    return (NAME(impinge_poses)){.position_x = x,
                                 .position_y = x + step_of,
                                 .position_z = x + 2 * step_of,
                                 .w = q,
                                 .x = q + step_of,
                                 .y = q + 2 * step_of,
                                 .z = q + 3 * step_of,
                                 .position_stride = stride,
                                 .orientation_stride = stride};
}

static void check_together(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    static real_t rest[2][REST_WIDTH * CONTACTS];
    static uint32_t rest_outcome[2][3 * CONTACTS];
    const rest_t at_rest[2] = {{rest[0], 1, REST_WIDTH, rest_outcome[0], 3, NULL},
                               {rest[1], CONTACTS, 0, rest_outcome[1], 0, NULL}};
    static uint32_t order[CONTACTS], starts[IMPINGE_COLOURS_MAX + 1], again[CONTACTS];
    uint64_t state = 5;
    const size_t size = NAME(impinge_step_bodies_workspace)(CONTACTS, BODIES);
    void *const workspace = aligned_alloc(64, (size + 63) / 64 * 64);
    void *const colours = malloc(impinge_colour_contacts_workspace(CONTACTS, BODIES));
    for (int round = 0; round < 10; round++) {
        scene_draw(&s, &state);
        const NAME(impinge_bodies) apart = bodies_apart(&s), columns = bodies_in_columns(&s);
        const NAME(impinge_indexed_contacts) c = contacts_apart(&s);
        const NAME(impinge_indexed_contacts) d = contacts_in_columns(&s);
        const NAME(impinge_indexed_results) r = results_apart(&s), o = results_in_columns(&s);
        const size_t stride = sizeof(body_t) / sizeof(real_t);
        const NAME(impinge_poses) x = poses_of(s.body->x, s.body->q, 1, stride);
        const NAME(impinge_poses) y = poses_of(s.column[0], s.column[AT_Q], BODIES, 0);
        rest_draw(&at_rest[0], &at_rest[1], &state);
        step(&apart, &c, &x, &r, &at_rest[0], round % 2 == 1, workspace);
        step(&columns, &d, &y, &o, &at_rest[1], round % 2 == 1, workspace);
        assert_same_motion(&s, "a step");
        assert_same_results(&s);
        assert_same_rest(&at_rest[0], &at_rest[1]);

        impinge_contact_graph graph = {.contacts = CONTACTS,
                                       .bodies = BODIES,
                                       .index_a = c.index_a,
                                       .index_b = c.index_b,
                                       .index_stride = c.index_stride};
        impinge_contact_groups by_colour = {.order = order, .starts = starts};
        cr_assert_eq(impinge_colour_contacts(&graph, colours, &by_colour), IMPINGE_OK);
        memcpy(again, order, sizeof order);
        graph.index_a = d.index_a;
        graph.index_b = d.index_b;
        graph.index_stride = 0;
        cr_assert_eq(impinge_colour_contacts(&graph, colours, &by_colour), IMPINGE_OK);
        cr_assert_eq(memcmp(again, order, sizeof order), 0);
        const impinge_sweep_options sweeps = {.sweeps_max = 3};
        cr_assert_geq(NAME(impinge_sweep)(&apart, &c, &by_colour, NULL, &sweeps, &r, NULL), 0);
        cr_assert_geq(NAME(impinge_sweep)(&columns, &d, &by_colour, NULL, &sweeps, &o, NULL), 0);
        assert_same_motion(&s, "sweeps");
        assert_same_results(&s);
    }
    free(workspace);
    free(colours);
}

CHECK(together) { for_each_target(check_together, NULL); }

static void sequence(const impinge_contact_graph *graph, const NAME(impinge_bodies) * bodies,
                     const NAME(impinge_indexed_contacts) * contacts,
                     const NAME(impinge_indexed_results) * results) {
    uint32_t order[CONTACTS], starts[CONTACTS + 1];
    impinge_contact_groups islands = {.order = order, .starts = starts};
    void *const finding = malloc(impinge_find_islands_workspace(CONTACTS, BODIES));
    void *const workspace = malloc(NAME(impinge_resolve_sequence_workspace)(CONTACTS, BODIES));
    cr_assert_eq(impinge_find_islands(graph, finding, &islands), IMPINGE_OK);
    cr_assert_geq(NAME(impinge_resolve_sequence)(bodies, contacts, &islands, NULL, NULL, NULL,
                                                 workspace, results, NULL, NULL),
                  0);
    free(finding);
    free(workspace);
}

static void check_sequence(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    uint64_t state = 31;
    for (int round = 0; round < 10; round++) {
        scene_draw(&s, &state);
        const NAME(impinge_bodies) apart = bodies_apart(&s), columns = bodies_in_columns(&s);
        const NAME(impinge_indexed_contacts) c = contacts_apart(&s);
        const NAME(impinge_indexed_contacts) d = contacts_in_columns(&s);
        const NAME(impinge_indexed_results) r = results_apart(&s), o = results_in_columns(&s);
        const impinge_contact_graph graph = {
            .contacts = CONTACTS, .bodies = BODIES, .index_a = s.index[0], .index_b = s.index[1]};
        sequence(&graph, &apart, &c, &r);
        sequence(&graph, &columns, &d, &o);
        assert_same_motion(&s, "a sequence");
        assert_same_results(&s);
    }
}

CHECK(sequence) { for_each_target(check_sequence, NULL); }

/* ---- Angular velocities in the world's frame ---- */

/* R(q) a, in double precision. */
static void turned(const real_t q[4], const double a[3], double to[3]) {
    const double w = (double)q[0], x = (double)q[1], y = (double)q[2], z = (double)q[3];
    const double s = 2 / (w * w + x * x + y * y + z * z);
    const double r[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                            {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                            {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        to[k] = r[k][0] * a[0] + r[k][1] * a[1] + r[k][2] * a[2];
}

/*
 * The same scene twice: `s` with omega in the bodies' frames, `t` with the same in the world's. An
 * impulse is the same within the rounding of omega and of the turned inertia: some 20 operations on
 * numbers of size 1, multiplied by the condition of K, below 20 here, and of the law, which
 * frictionless does not have.
 */
#define TURNED_UNITS 400

/* Velocities are written by the kernels, or by an impulse that is applied. */
static void collide_one(const NAME(impinge_bodies) * bodies, NAME(impinge_indexed_contacts) * c,
                        size_t contact, const impinge_options *options, bool at_once) {
    const impinge_selection one = {contact, 1, NULL};
    static real_t p[3][CONTACTS];
    static uint32_t alone[BODIES];
    const NAME(impinge_indexed_results)
        r = {.impulse_x = p[0], .impulse_y = p[1], .impulse_z = p[2]};
    if (at_once) {
        cr_assert_geq(NAME(impinge_resolve_independent)(bodies, c, &one, options, &r, NULL), 0);
        return;
    }
    for (size_t i = 0; i < BODIES; i++)
        alone[i] = 1;
    c->sharing = alone;
    cr_assert_geq(NAME(impinge_resolve_indexed)(bodies, c, &one, options, &r, NULL), 0);
    cr_assert_eq(NAME(impinge_apply_impulses)(bodies, NULL, c, &one, &r), IMPINGE_OK);
}

static void check_world_frame(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s, t;
    uint64_t state = 99;
    const impinge_options options = {.law = IMPINGE_LAW_FRICTIONLESS};
    scene_draw(&s, &state);
    t = s;
    for (size_t i = 0; i < BODIES; i++) {
        const double own[3] = {(double)s.body[i].w[0], (double)s.body[i].w[1],
                               (double)s.body[i].w[2]};
        double world[3];
        turned(s.body[i].q, own, world);
        for (size_t k = 0; k < 3; k++)
            t.body[i].w[k] = (real_t)world[k];
    }
    NAME(impinge_bodies) own = bodies_apart(&s), world = bodies_apart(&t);
    world.orientation.world_angular_velocity = true;
    /* One after the other: the next uses what the first has changed. */
    for (size_t i = 0; i < CONTACTS; i++) {
        NAME(impinge_indexed_contacts) c = contacts_apart(&s), d = contacts_apart(&t);
        collide_one(&own, &c, i, &options, i % 2 == 0);
        collide_one(&world, &d, i, &options, i % 2 == 0);
        const uint32_t bodies[2] = {s.touch[i].a, s.touch[i].b};
        for (size_t k = 0; k < 2; k++) {
            if (bodies[k] == IMPINGE_WORLD) continue;
            body_t *const b = &s.body[bodies[k]], *const e = &t.body[bodies[k]];
            const double w[3] = {(double)b->w[0], (double)b->w[1], (double)b->w[2]};
            double expected[3];
            turned(b->q, w, expected);
            for (size_t j = 0; j < 3; j++) {
                cr_assert_float_eq((double)e->w[j], expected[j], TURNED_UNITS * EPSILON);
                cr_assert_float_eq((double)e->v[j], (double)b->v[j], TURNED_UNITS * EPSILON);
                /* The next contact begins from the same motion. */
                e->w[j] = (real_t)expected[j];
                e->v[j] = b->v[j];
            }
        }
    }
}

CHECK(world_frame) { for_each_target(check_world_frame, NULL); }

/* ---- Contacts by index, in pieces ---- */

/*
 * More than a piece of the largest size: what one leaves of its strides must not be those of the
 * next. Each contact has a body of its own, with the world, on either side.
 */
enum { PIECES = 2000 };

typedef enum pieces_call { INDEPENDENT, INDEXED, ONE_COLOUR } pieces_call;

/* The same contacts as rows of twelve (arms, normal, friction and two gaps) and in columns. */
typedef struct pieces {
    real_t row[PIECES][12], column[12][PIECES];
    real_t inverse[PIECES], speed[3][PIECES];
    real_t velocity[2][6][PIECES], impulse[PIECES][4], impulses[4][PIECES];
    uint32_t index[2][PIECES], order[PIECES], sharing[PIECES], outcome[2][PIECES];
} pieces_t;

static void pieces_draw(pieces_t *p, uint64_t *state) {
    for (size_t i = 0; i < PIECES; i++) {
        real_t *const row = p->row[i];
        unit(state, row + 6, 3);
        for (size_t k = 0; k < 6; k++)
            row[k] = between(state, -1, 1);
        row[9] = between(state, 0, 1);
        const bool flipped = random_below(state, 2) == 0;
        p->index[0][i] = flipped ? IMPINGE_WORLD : (uint32_t)i;
        p->index[1][i] = flipped ? (uint32_t)i : IMPINGE_WORLD;
        for (size_t k = 0; k < 3; k++)
            p->speed[k][i] = (flipped ? 1 : -1) * row[6 + k] + between(state, -1, 1) / 4;
        for (size_t k = 0; k < 12; k++)
            p->column[k][i] = row[k];
        p->inverse[i] = 1;
        p->sharing[i] = 1;
    }
}

static void pieces_resolve(pieces_t *p, pieces_call call, bool apart, bool ordered) {
    real_t(*const v)[PIECES] = p->velocity[apart];
    memset(v, 0, sizeof p->velocity[apart]);
    memcpy(v, p->speed, sizeof p->speed);
    const NAME(impinge_bodies) bodies = {.count = PIECES,
                                         .inverse_mass = p->inverse,
                                         .inverse_inertia_xx = p->inverse,
                                         .inverse_inertia_yy = p->inverse,
                                         .inverse_inertia_zz = p->inverse,
                                         .velocity_x = v[0],
                                         .velocity_y = v[1],
                                         .velocity_z = v[2],
                                         .angular_velocity_x = v[3],
                                         .angular_velocity_y = v[4],
                                         .angular_velocity_z = v[5]};
    NAME(impinge_indexed_contacts)
    c = apart ? contacts_of(p->row[0], 1, 12, p->index[0], p->index[1], 0, p->sharing)
              : contacts_of(p->column[0], PIECES, 0, p->index[0], p->index[1], 0, p->sharing);
    c.count = PIECES;
    real_t *const impulse = apart ? p->impulse[0] : p->impulses[0];
    const size_t step = apart ? 1 : PIECES;
    const NAME(impinge_indexed_results) results = {.impulse_x = impulse,
                                                   .impulse_y = impulse + step,
                                                   .impulse_z = impulse + 2 * step,
                                                   .work_friction = impulse + 3 * step,
                                                   .outcome = p->outcome[apart],
                                                   .impulse_stride = apart ? 4 : 0,
                                                   .work_stride = apart ? 4 : 0};
    const impinge_selection all = {0, PIECES, ordered ? p->order : NULL};
    uint32_t starts[2] = {0, PIECES};
    const impinge_contact_groups groups = {.order = p->order, .starts = starts, .count = 1};
    const impinge_sweep_options once = {.sweeps_max = 1};
    if (call == INDEPENDENT)
        cr_assert_geq(NAME(impinge_resolve_independent)(&bodies, &c, &all, NULL, &results, NULL),
                      0);
    else if (call == INDEXED)
        cr_assert_geq(NAME(impinge_resolve_indexed)(&bodies, &c, &all, NULL, &results, NULL), 0);
    else
        cr_assert_geq(NAME(impinge_sweep)(&bodies, &c, &groups, NULL, &once, &results, NULL), 0);
}

static void check_pieces_as(pieces_t *p, pieces_call call, bool ordered, const char *what) {
    memset(p->impulse, 0, sizeof p->impulse);
    memset(p->impulses, 0, sizeof p->impulses);
    memset(p->outcome, 0, sizeof p->outcome);
    pieces_resolve(p, call, false, ordered);
    pieces_resolve(p, call, true, ordered);
    for (size_t i = 0; i < PIECES; i++) {
        cr_assert_eq(p->outcome[0][i], p->outcome[1][i], "%s: contact %zu: %#x, apart %#x", what, i,
                     (unsigned)p->outcome[0][i], (unsigned)p->outcome[1][i]);
        for (size_t k = 0; k < 4; k++)
            cr_assert_eq(memcmp(&p->impulse[i][k], &p->impulses[k][i], sizeof(real_t)), 0,
                         "%s: contact %zu", what, i);
    }
    cr_assert_eq(memcmp(p->velocity[0], p->velocity[1], sizeof p->velocity[0]), 0, "%s", what);
}

static void reverse_first(uint32_t *order, size_t count) {
    for (size_t i = 0; i < PIECES; i++)
        order[i] = (uint32_t)(i < count ? count - 1 - i : i);
}

static void check_pieces(const char *target, void *user) {
    (void)target;
    (void)user;
    pieces_t *const p = calloc(1, sizeof *p);
    uint64_t state = 78;
    cr_assert_not_null(p);
    pieces_draw(p, &state);
    check_pieces_as(p, INDEPENDENT, false, "independent");
    check_pieces_as(p, INDEXED, false, "indexed");
    reverse_first(p->order, 1024);
    check_pieces_as(p, INDEPENDENT, true, "independent, in another order");
    reverse_first(p->order, 256);
    check_pieces_as(p, ONE_COLOUR, true, "a sweep");
    reverse_first(p->order, 3);
    p->order[3] = UINT32_MAX;
    check_pieces_as(p, INDEXED, true, "an index of the order out of range");
    free(p);
}

CHECK(pieces) { for_each_target(check_pieces, NULL); }

/* ---- Strides of arrays that cannot exist ---- */

static void refuse_contacts(void) {
    NAME(batch) b = NAME(batch_new)(LEVEL_CONTACTS, COUNT);
    NAME(impinge_contacts) c = NAME(batch_contacts)(&b, COUNT);
    NAME(impinge_contact_results) r = NAME(batch_contact_results)(&b);
    NAME(impinge_impulses) p = {.p1 = b.out, .p2 = b.out, .p3 = b.out};
    NAME(impinge_judgements) j = {.mask = NULL};
    NAME(impinge_projections) to = {.mask = NULL};
#define RESOLVE NAME(impinge_resolve_contacts)(&c, NULL, NULL, &r, NULL)
#define JUDGE   NAME(impinge_judge_impulses)(&c, NULL, &p, &j, NULL)
#define PROJECT NAME(impinge_project_impulses)(&c, NULL, &p, &to, NULL)
    REFUSED(c.matrix_stride, RESOLVE);
    REFUSED(c.velocity_stride, RESOLVE);
    REFUSED(c.coefficients.restitution.stride, RESOLVE);
    REFUSED(c.coefficients.damping_fraction.stride, RESOLVE);
    REFUSED(r.impulse_stride, RESOLVE);
    REFUSED(r.velocity_stride, RESOLVE);
    REFUSED(r.work_stride, RESOLVE);
    REFUSED(r.outcome_stride, RESOLVE);
    REFUSED(c.matrix_stride, JUDGE);
    REFUSED(p.stride, JUDGE);
    REFUSED(j.slack_stride, JUDGE);
    REFUSED(j.mask_stride, JUDGE);
    REFUSED(p.stride, PROJECT);
    REFUSED(to.impulse_stride, PROJECT);
    REFUSED(to.fraction_stride, PROJECT);
    REFUSED(to.mask_stride, PROJECT);
    /* One contact has no second element, whatever the stride. */
    c.count = 1;
    c.matrix_stride = SIZE_MAX;
    cr_expect_geq(RESOLVE, 0);
#undef PROJECT
#undef JUDGE
#undef RESOLVE
    NAME(batch_free)(&b);
}

static void refuse_pairs(void) {
    NAME(batch) b = NAME(batch_new)(LEVEL_BODY_PAIRS, COUNT);
    NAME(impinge_body_pairs) p = NAME(batch_pairs)(&b, COUNT);
    NAME(impinge_body_pair_results) r = NAME(batch_pair_results)(&b);
#define RESOLVE NAME(impinge_resolve_body_pairs)(&p, NULL, NULL, &r, NULL)
    REFUSED(p.a.orientation.stride, RESOLVE);
    REFUSED(p.a.inverse_mass_stride, RESOLVE);
    REFUSED(p.b.inverse_inertia_stride, RESOLVE);
    REFUSED(p.b.arm_stride, RESOLVE);
    REFUSED(p.a.velocity_stride, RESOLVE);
    REFUSED(p.b.angular_velocity_stride, RESOLVE);
    REFUSED(p.normal_stride, RESOLVE);
    REFUSED(p.coefficients.friction.stride, RESOLVE);
    REFUSED(r.impulse_stride, RESOLVE);
    REFUSED(r.work_stride, RESOLVE);
    REFUSED(r.outcome_stride, RESOLVE);
    REFUSED(r.a.velocity_stride, RESOLVE);
    REFUSED(r.b.angular_velocity_stride, RESOLVE);
#undef RESOLVE
    NAME(batch_free)(&b);
}

static void refuse_planar(void) {
    const real_t a[COUNT] = {0};
    NAME(impinge_planar_contacts)
    c = {.count = COUNT, .ktt = a, .ktn = a, .knn = a, .ut = a, .un = a};
    NAME(impinge_planar_contact_results) r = {.outcome = NULL};
    const NAME(impinge_planar_pair_side) side = {.inverse_mass = a,
                                                 .inverse_inertia = a,
                                                 .arm_x = a,
                                                 .arm_y = a,
                                                 .velocity_x = a,
                                                 .velocity_y = a,
                                                 .angular_velocity = a};
    NAME(impinge_planar_pairs)
    p = {.count = COUNT, .a = side, .b = side, .normal_x = a, .normal_y = a};
    NAME(impinge_planar_pair_results) pr = {.outcome = NULL};
    NAME(impinge_mechanisms)
    m = {.count = COUNT, .coordinates = 1, .stride = COUNT, .mass = a, .jacobian = a, .speeds = a};
    NAME(impinge_mechanism_results) mr = {.outcome = NULL};
    NAME(impinge_planar_mechanism_results) mp = {.outcome = NULL};
#define RESOLVE NAME(impinge_resolve_planar_contacts)(&c, NULL, NULL, &r, NULL)
#define PAIRS   NAME(impinge_resolve_planar_pairs)(&p, NULL, NULL, &pr, NULL)
#define SPACE   NAME(impinge_resolve_mechanisms)(&m, NULL, NULL, &mr, NULL)
#define PLANE   NAME(impinge_resolve_planar_mechanisms)(&m, NULL, NULL, &mp, NULL)
    REFUSED(c.matrix_stride, RESOLVE);
    REFUSED(c.coefficients.friction.stride, RESOLVE);
    REFUSED(r.velocity_stride, RESOLVE);
    REFUSED(p.a.arm_stride, PAIRS);
    REFUSED(p.b.inverse_inertia_stride, PAIRS);
    REFUSED(p.normal_stride, PAIRS);
    REFUSED(p.coefficients.mix.stride, PAIRS);
    REFUSED(pr.b.velocity_stride, PAIRS);
    REFUSED(pr.outcome_stride, PAIRS);
    REFUSED(m.coefficients.friction_static.stride, SPACE);
    REFUSED(mr.matrix_stride, SPACE);
    REFUSED(mr.work_stride, SPACE);
    REFUSED(m.coefficients.restitution.stride, PLANE);
    REFUSED(mp.impulse_stride, PLANE);
    REFUSED(mp.velocity_stride, PLANE);
#undef PLANE
#undef SPACE
#undef PAIRS
#undef RESOLVE
}

static void refuse_bodies(scene_t *s) {
    NAME(impinge_bodies) b = bodies_in_columns(s);
    NAME(impinge_indexed_contacts) c = contacts_in_columns(s);
    NAME(impinge_indexed_results) r = results_in_columns(s);
    NAME(impinge_poses) x = poses_of(s->column[0], s->column[AT_Q], BODIES, 0);
    uint8_t immovable[BODIES];
    uint32_t order[CONTACTS] = {0}, starts[CONTACTS + 1] = {0}, room[CONTACTS];
    const impinge_contact_groups groups = {.order = order, .starts = starts};
    impinge_contact_graph graph = {
        .contacts = CONTACTS, .bodies = BODIES, .index_a = s->index[0], .index_b = s->index[1]};
#define RESOLVE NAME(impinge_resolve_indexed)(&b, &c, NULL, NULL, &r, NULL)
#define APPLY   NAME(impinge_apply_impulses)(&b, NULL, &c, NULL, &r)
#define SWEEP   NAME(impinge_sweep)(&b, &c, &groups, NULL, NULL, &r, NULL)
#define IN_TURN                                                                                    \
    NAME(impinge_resolve_sequence)(&b, &c, &groups, NULL, NULL, NULL, room, &r, NULL, NULL)
    REFUSED(b.orientation.stride, RESOLVE);
    REFUSED(b.inverse_mass_stride, RESOLVE);
    REFUSED(b.inverse_inertia_stride, RESOLVE);
    REFUSED(b.velocity_stride, RESOLVE);
    REFUSED(b.angular_velocity_stride, RESOLVE);
    REFUSED(c.index_stride, RESOLVE);
    REFUSED(c.arm_stride, RESOLVE);
    REFUSED(c.normal_stride, RESOLVE);
    REFUSED(c.coefficients.friction.stride, RESOLVE);
    REFUSED(r.impulse_stride, RESOLVE);
    REFUSED(r.impulse_stride, APPLY);
    REFUSED(r.work_stride, SWEEP);
    REFUSED(r.outcome_stride, IN_TURN);
    REFUSED(b.inverse_mass_stride, NAME(impinge_find_immovable)(&b, immovable));
    REFUSED(x.position_stride, NAME(impinge_advance_bodies)(&b, &x, 0));
    REFUSED(b.velocity_stride, NAME(impinge_advance_bodies)(&b, &x, 0));
    REFUSED(graph.index_stride, impinge_count_sharing(&graph, room));
#undef IN_TURN
#undef SWEEP
#undef APPLY
#undef RESOLVE
}

static void refuse_step(scene_t *s) {
    const NAME(impinge_bodies) b = bodies_in_columns(s);
    const NAME(impinge_indexed_contacts) c = contacts_in_columns(s);
    const impinge_step_options options = {.time_step = 0.01};
    real_t room;
    NAME(impinge_body_step)
    all = {.bodies = &b, .contacts = &c, .options = &options, .workspace = &room};
#define STEP NAME(impinge_step_bodies)(&all, NULL)
    REFUSED(all.gap_stride, STEP);
    REFUSED(all.impact_outcome_stride, STEP);
    REFUSED(all.state.aim_stride, STEP);
    REFUSED(all.state.impulse_stride, STEP);
    REFUSED(all.state.normal_stride, STEP);
    REFUSED(all.kick.each_stride, STEP);
    REFUSED(all.poses.orientation_stride, STEP);
    REFUSED(all.results.impulse_stride, STEP);
    REFUSED(all.results.impact_stride, STEP);
    REFUSED(all.results.normal_stride, STEP);
    REFUSED(all.results.gap_stride, STEP);
    REFUSED(all.results.outcome_stride, STEP);
    REFUSED(all.results.work_stride, STEP);
#undef STEP
}

CHECK(too_large) {
    static scene_t s;
    uint64_t state = 79;
    scene_draw(&s, &state);
    refuse_contacts();
    refuse_pairs();
    refuse_planar();
    refuse_bodies(&s);
    refuse_step(&s);
}
