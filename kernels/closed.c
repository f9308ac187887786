/*
 * One target's closed forms in contact space, at memory's speed: each law is compiled with its
 * loads and stores around it. Unlike the other kernels, these have no latency to hide; so lanes are
 * one register, and most of a contact stays in registers.
 */
#define REGISTERS_PER_LANES 1
#define IMPINGE_AHEAD_LINES 0 /* loops here ask for lines themselves */
#include "contacts.h"
#include "laws/algebraic_laws.h"
#include "laws/list.h"
#include "names.h"
#include "ordinary.h"

/* One call, for all of its contacts. */
typedef struct closed_call {
    const NAME(impinge_contacts) * in;
    selected_t selected;
    const NAME(impinge_contact_results) * out;
    impinge_options options;
    impinge_report *report;
    layout_t layout;
    NAME(impinge_contact_results) streamed; /* those that are written past the caches */
    /* Resolves the vectors that are not ordinary. */
    void (*general)(const struct closed_call *call, size_t i, size_t count);
    /* Resolves a vector of which `count` contacts from `from` on are written, if it is ordinary. */
    bool (*part)(const struct closed_call *call, size_t i, size_t from, size_t count);
} closed_call_t;

/* Any contacts, ordinary or not. */
INLINE void resolve_general(algebraic_law *law, impinge_law which, const closed_call_t *call,
                            size_t i, size_t count) {
    impinge_options options = call->options;
    options.law = which;
    contact_t contact = load_matrix(AS_GIVEN, call->in, i, count);
    load_coefficients(&contact, AS_GIVEN, &call->in->coefficients, which, i, count);
    response_t r = resolve_each(law, &contact, &options);
    store_results(AS_GIVEN, call->in, call->out, i, &r, count);
    report_lanes(call->report, r.outcome, i, count);
}

/* Where a batch is, as a loop is compiled for it. */
typedef enum place {
    IN_CACHES, /* lines are not asked for */
    BEYOND_CACHES,
    PAST_CACHES, /* and it is written past them */
    PLACES
} place_t;

/* What a loop is compiled for. */
typedef struct loop {
    outputs_t outputs;
    bool modelled; /* restitution by a model, a call that keeps no vector in a register */
    place_t place;
} loop_t;

/*
 * Prefetches a line some lines before it is written, once a line. Where a vector is a line, batches
 * beyond the caches do not read what they write; a single lane takes longer than memory.
 */
#define WRITE_AHEAD_LINES 8
INLINE void write_ahead(const real_t *to, size_t i, loop_t loop) {
    const bool begins = i % (64 / sizeof *to) < LANES;
    if (loop.place != IN_CACHES && !LANES_ARE_LINE && LANES > 1 && begins)
        lane_prefetch_write(to + i, WRITE_AHEAD_LINES * 64);
}

INLINE void output(real_t *to, const real_t *streamed, size_t i, lanes_t a, loop_t loop) {
    if (loop.place == PAST_CACHES && streamed)
        lane_stream(to + i, a);
    else if (loop.outputs == OUTPUTS_ALL || to) {
        write_ahead(to, i, loop);
        lane_store(to + i, a);
    }
}

INLINE void output_words(uint32_t *to, const uint32_t *streamed, size_t i, words_t a, loop_t loop) {
    if (loop.place == PAST_CACHES && streamed)
        word_stream(to + i, a);
    else if (loop.outputs == OUTPUTS_ALL || to)
        word_store(to + i, a);
}

/* Writes the wanted outputs of whole vectors. */
INLINE void store_ordinary(const closed_call_t *call, size_t i, const response_t *r, loop_t loop) {
    const NAME(impinge_contact_results) *const to = call->out, *const past = &call->streamed;
    output(to->p1, past->p1, i, r->p1, loop);
    output(to->p2, past->p2, i, r->p2, loop);
    output(to->p3, past->p3, i, r->p3, loop);
    output(to->u1_after, past->u1_after, i, r->u1, loop);
    output(to->u2_after, past->u2_after, i, r->u2, loop);
    output(to->u3_after, past->u3_after, i, r->u3, loop);
    if (loop.outputs != OUTPUTS_WITHOUT_WORK) {
        output(to->work_compression, past->work_compression, i, r->work_compression, loop);
        output(to->work_restitution, past->work_restitution, i, r->work_restitution, loop);
        output(to->work_friction, past->work_friction, i, r->work_friction, loop);
    }
    output_words(to->outcome, past->outcome, i, r->outcome, loop);
}

/*
 * Lines to be read are prefetched so far ahead, once a line. A vector takes less time here than in
 * other kernels; 24 lines of 13 columns are 20 KiB of the first cache (docs/speed-closed-forms.md).
 */
#define READ_AHEAD_LINES 24
INLINE lanes_t input(const real_t *from, size_t i, loop_t loop) {
    const bool begins = i % (64 / sizeof *from) < LANES;
    if (loop.place != IN_CACHES && begins) lane_prefetch(from + i, READ_AHEAD_LINES * 64);
    return lane_load(from + i);
}

INLINE lanes_t coefficient(const NAME(impinge_coefficient) * c, size_t i, loop_t loop) {
    return c->values ? input(c->values, i, loop) : lane_set(c->value);
}

INLINE lanes_t coefficient_if(bool has, const NAME(impinge_coefficient) * c, size_t i,
                              loop_t loop) {
    return has ? coefficient(c, i, loop) : lane_zero();
}

/*
 * What a law reads of the coefficients. A restitution is legal only if the damping fraction that it
 * follows from is.
 */
INLINE void input_coefficients(contact_t *contact, const NAME(impinge_coefficients) * c,
                               impinge_law law, loop_t loop, size_t i) {
    const bool ratios = law_has(law, IMPINGE_LAW_READS_IMPULSE_RATIOS);
    if (law_has(law, IMPINGE_LAW_READS_DAMPING_FRACTION) && is_given(&c->damping_fraction))
        contact->restitution = restitution_of_fraction(coefficient(&c->damping_fraction, i, loop));
    else
        contact->restitution = coefficient(&c->restitution, i, loop);
    if (loop.modelled && c->model)
        contact->restitution = modelled_restitution(c->model, contact->restitution, contact->u3);
    contact->friction =
        coefficient_if(law_has(law, IMPINGE_LAW_READS_FRICTION), &c->friction, i, loop);
    contact->tangential_restitution =
        coefficient_if(law_has(law, IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION),
                       &c->tangential_restitution, i, loop);
    contact->impulse_ratio_1 = coefficient_if(ratios, &c->impulse_ratio_t1, i, loop);
    contact->impulse_ratio_2 = coefficient_if(ratios, &c->impulse_ratio_t2, i, loop);
}

INLINE contact_t input_contacts(const closed_call_t *call, impinge_law law, loop_t loop, size_t i) {
    const NAME(impinge_contacts) *const in = call->in;
    contact_t contact;
    contact.k11 = input(in->k11, i, loop);
    contact.k12 = input(in->k12, i, loop);
    contact.k13 = input(in->k13, i, loop);
    contact.k22 = input(in->k22, i, loop);
    contact.k23 = input(in->k23, i, loop);
    contact.k33 = input(in->k33, i, loop);
    contact.u1 = input(in->u1, i, loop);
    contact.u2 = input(in->u2, i, loop);
    contact.u3 = input(in->u3, i, loop);
    input_coefficients(&contact, &in->coefficients, law, loop, i);
    return contact;
}

/* The response of LANES contacts, if all of them are ordinary. */
INLINE bool respond(algebraic_law *law, impinge_law which, const closed_call_t *call, loop_t loop,
                    size_t i, response_t *r) {
    const impinge_options options = {.law = which};
    const contact_t contact = input_contacts(call, which, loop, i);
    scale_t k, u;
    collision_t c;
    mask_t ordinary;
    if (!ordinary_begin(&contact, which, &k, &u, &c, &ordinary)) return false;
    const law_answer_t a = law(&c, &options);
    return ordinary_end(&a, &contact, &options, &k, &u, &c, r);
}

/* LANES contacts, if all of them are ordinary. */
INLINE bool resolve_one(algebraic_law *law, impinge_law which, const closed_call_t *call,
                        loop_t loop, size_t i) {
    response_t r;
    if (!respond(law, which, call, loop, i, &r)) return false;
    store_ordinary(call, i, &r, loop);
    return true;
}

#if LANES_ARE_LINE
INLINE void output_part(real_t *to, size_t i, lanes_t a, size_t from, size_t count) {
    if (to) lane_store_between(to + i, a, from, count);
}

/*
 * The beginning or the end of a batch, so that the vectors in between are whole lines of the
 * outputs: a store that crosses lines takes longer.
 */
INLINE bool resolve_part(algebraic_law *law, impinge_law which, const closed_call_t *call, size_t i,
                         size_t from, size_t count) {
    const NAME(impinge_contact_results) *const to = call->out;
    response_t r;
    if (!respond(law, which, call, (loop_t){OUTPUTS_ANY, true, IN_CACHES}, i, &r)) return false;
    output_part(to->p1, i, r.p1, from, count);
    output_part(to->p2, i, r.p2, from, count);
    output_part(to->p3, i, r.p3, from, count);
    output_part(to->u1_after, i, r.u1, from, count);
    output_part(to->u2_after, i, r.u2, from, count);
    output_part(to->u3_after, i, r.u3, from, count);
    output_part(to->work_compression, i, r.work_compression, from, count);
    output_part(to->work_restitution, i, r.work_restitution, from, count);
    output_part(to->work_friction, i, r.work_friction, from, count);
    if (to->outcome) word_store_between(to->outcome + i, r.outcome, from, count);
    return true;
}
#else
INLINE bool resolve_part(algebraic_law *law, impinge_law which, const closed_call_t *call, size_t i,
                         size_t from, size_t count) {
    (void)law, (void)which, (void)call, (void)i, (void)from, (void)count;
    return false;
}
#endif

/* The first `count` contacts, fewer than LANES. */
static void resolve_lead(const closed_call_t *call, size_t count) {
    const size_t first = call->selected.first;
    if (count == 0) return;
    if (call->selected.count >= LANES && call->part(call, first, 0, count)) return;
    call->general(call, first, count);
}

/* The last ones. */
static void resolve_rest(const closed_call_t *call, size_t count) {
    const size_t end = call->selected.first + call->selected.count;
    if (count == 0) return;
    if (call->selected.count >= LANES && call->part(call, end - LANES, LANES - count, count))
        return;
    call->general(call, end - count, count);
}

/*
 * Two vectors, if all of their contacts are ordinary: while one waits for roots and divisions, the
 * other goes on. For the few contacts that separate, inputs are loaded again instead of being kept.
 */
INLINE bool resolve_two(algebraic_law *law, impinge_law which, const closed_call_t *call,
                        loop_t loop, size_t i) {
    const impinge_options options = {.law = which};
    scale_t k, l, u, v;
    collision_t c, d;
    mask_t ordinary_c, ordinary_d;
    response_t r, s;
    const contact_t first = input_contacts(call, which, loop, i);
    if (!ordinary_begin(&first, which, &k, &u, &c, &ordinary_c)) return false;
    const contact_t second = input_contacts(call, which, loop, i + LANES);
    if (!ordinary_begin(&second, which, &l, &v, &d, &ordinary_d)) return false;
    const law_answer_t a = law(&c, &options);
    const law_answer_t b = law(&d, &options);
    const contact_t again = load_matrix(CONTIGUOUS, call->in, i, LANES);
    if (!ordinary_end(&a, &again, &options, &k, &u, &c, &r)) return false;
    const contact_t also = load_matrix(CONTIGUOUS, call->in, i + LANES, LANES);
    if (!ordinary_end(&b, &also, &options, &l, &v, &d, &s)) return false;
    store_ordinary(call, i, &r, loop);
    store_ordinary(call, i + LANES, &s, loop);
    return true;
}

/*
 * Chatterjee and Ruina's law waits longest, so that two vectors at a time take less time than one
 * after the other; for the other laws this is not true on every target
 * (docs/speed-closed-forms.md).
 */
static inline bool is_law_for_two(impinge_law law) { return law == IMPINGE_LAW_CHATTERJEE_RUINA; }

/* Resolves vectors from i on while they are ordinary. Returns where it stops. */
INLINE size_t resolve_ordinary(algebraic_law *law, impinge_law which, const closed_call_t *call,
                               loop_t loop, size_t i, size_t end) {
    while (end - i >= LANES) {
        if (is_law_for_two(which) && end - i >= 2 * LANES && resolve_two(law, which, call, loop, i))
            i += 2 * LANES;
        else if (resolve_one(law, which, call, loop, i))
            i += LANES;
        else
            break;
    }
    return i;
}

/* Resolves whole vectors from i on, and then the rest. */
INLINE void resolve_from(algebraic_law *law, impinge_law which, const closed_call_t *call,
                         loop_t loop, size_t i) {
    const size_t end = call->selected.first + call->selected.count;
    while (end - i >= LANES) {
        i = resolve_ordinary(law, which, call, loop, i, end);
        if (end - i < LANES) break;
        call->general(call, i, LANES);
        i += LANES;
    }
    resolve_rest(call, end - i);
}

/*
 * A batch whose inputs and outputs exceed this size does not stay in any cache: its outputs are
 * written past them, which saves reading each line first. For smaller batches that loses, because
 * the caller reads the outputs next. A core's share of the last cache is 16 to 32 MiB on CPUs that
 * have AVX-512.
 */
#define STREAM_BYTES ((size_t)32 << 20)
/*
 * A batch whose columns exceed this size, of which a call may select few contacts, is prefetched
 * from memory. Below it, a CPU fetches the lines in time without prefetches.
 */
#define CACHES_BYTES ((size_t)8 << 20)
#define COLUMNS      20 /* of inputs and outputs, about */

static bool exceeds(size_t contacts, size_t bytes) {
    return contacts > bytes / (COLUMNS * sizeof(real_t));
}

enum { REAL_OUTPUTS = 9 };

static void find_outputs(NAME(impinge_contact_results) * of, real_t **at[REAL_OUTPUTS]) {
    real_t **const each[REAL_OUTPUTS] = {&of->p1,
                                         &of->p2,
                                         &of->p3,
                                         &of->u1_after,
                                         &of->u2_after,
                                         &of->u3_after,
                                         &of->work_compression,
                                         &of->work_restitution,
                                         &of->work_friction};
    memcpy(at, each, sizeof each);
}

/*
 * The number of contacts before the first cache line that begins in `to`; NO_LEAD if there is no
 * array, or none of its elements begins a line.
 */
#define NO_LEAD SIZE_MAX
static size_t lead_of(const void *to, size_t size, size_t first) {
    const uintptr_t at = (uintptr_t)to + first * size;
    return !to || at % size != 0 ? NO_LEAD : (size_t)(-at % 64) / size;
}

/* The lead that most outputs have; NO_LEAD if none has one. */
static size_t common_lead(const size_t lead[REAL_OUTPUTS]) {
    size_t common = NO_LEAD, most = 0;
    for (size_t c = 0; c < REAL_OUTPUTS; c++) {
        size_t same = 0;
        for (size_t k = 0; k < REAL_OUTPUTS; k++)
            same += lead[k] == lead[c];
        if (lead[c] == NO_LEAD || same <= most) continue;
        common = lead[c];
        most = same;
    }
    return common;
}

/*
 * Selects the outputs to stream: those in which a line begins at the same contact as in most of
 * them. Returns the distance of that contact from the first.
 */
static size_t choose_streamed(closed_call_t *call) {
    const size_t first = call->selected.first;
    real_t **at[REAL_OUTPUTS];
    size_t lead[REAL_OUTPUTS];
    call->streamed = *call->out;
    find_outputs(&call->streamed, at);
    for (size_t c = 0; c < REAL_OUTPUTS; c++)
        lead[c] = lead_of(*at[c], sizeof(real_t), first);
    const size_t common = common_lead(lead);
    for (size_t c = 0; c < REAL_OUTPUTS; c++)
        if (lead[c] != common) *at[c] = NULL;
    /* Words of the size of numbers are streamed, too. */
    const size_t words = lead_of(call->out->outcome, sizeof(uint32_t), first);
    if (IMPINGE_REAL_BITS != 32 || words != common) call->streamed.outcome = NULL;
    return common;
}

/*
 * The number of contacts before a line begins in one of the outputs; it is the same in the others
 * if the caller allocates them alike. An additional vector does not pay in a small batch, nor for a
 * law that takes two vectors at a time, which does not wait for its stores.
 */
#define VECTORS_OF_FEW 8
static size_t lead_of_most(const closed_call_t *call) {
    const NAME(impinge_contact_results) *const to = call->out;
    const bool few = call->selected.count < VECTORS_OF_FEW * LANES;
    if (few || is_law_for_two(call->options.law)) return 0;
    const real_t *const output = to->p3 ? to->p3 : to->u3_after;
    const size_t lead = lead_of(output, sizeof *output, call->selected.first);
    return lead == NO_LEAD ? 0 : lead;
}

/* A law's loops, in the order of places. */
typedef void resolve_loop(const closed_call_t *call, size_t i);
typedef resolve_loop *const loops_t[PLACES];

static void resolve_all(closed_call_t *call, loops_t loops) {
    const size_t first = call->selected.first;
    const bool streams = LANES_ARE_LINE && exceeds(call->selected.count, STREAM_BYTES);
    const size_t common = streams ? choose_streamed(call) : NO_LEAD;
    if (common != NO_LEAD) {
        resolve_lead(call, common);
        loops[PAST_CACHES](call, first + common);
        lane_stream_end();
        return;
    }
    const size_t lead = LANES_ARE_LINE ? lead_of_most(call) : 0;
    resolve_lead(call, lead);
    const bool beyond = exceeds(call->in->count, CACHES_BYTES);
    loops[beyond ? BEYOND_CACHES : IN_CACHES](call, first + lead);
}

static bool all_outputs(const NAME(impinge_contact_results) * out) {
    return out->p1 && out->p2 && out->p3 && out->u1_after && out->u2_after && out->u3_after &&
           out->work_compression && out->work_restitution && out->work_friction && out->outcome;
}

static outputs_t outputs_of(const NAME(impinge_contact_results) * out) {
    if (all_outputs(out)) return OUTPUTS_ALL;
    const bool work = out->work_compression || out->work_restitution || out->work_friction;
    return work ? OUTPUTS_ANY : OUTPUTS_WITHOUT_WORK;
}

/*
 * True if some contacts of the call may be ordinary. With a model, the restitution does not show
 * that a damping fraction is illegal.
 */
static bool is_ordinary_call(const closed_call_t *call) {
    const NAME(impinge_coefficients) *const c = &call->in->coefficients;
    return has_ordinary(&call->options) && call->layout == CONTIGUOUS &&
           !(c->model && is_given(&c->damping_fraction));
}

/*
 * Each loop has a function of its own: in one function GCC would leave more numbers in memory.
 * Without streaming stores the loops for them are never called.
 */
#define LOOP(law, which, name, ...)                                                                \
    static APART void law##_##name(const closed_call_t *call, size_t i) {                          \
        resolve_from(law, which, call, (loop_t){__VA_ARGS__}, i);                                  \
    }
#if LANES_ARE_LINE
#define LOOPS_OF(law, which, name, ...)                                                            \
    LOOP(law, which, name##_in_caches, __VA_ARGS__, IN_CACHES)                                     \
    LOOP(law, which, name##_beyond_caches, __VA_ARGS__, BEYOND_CACHES)                             \
    LOOP(law, which, name##_past_caches, __VA_ARGS__, PAST_CACHES)                                 \
    static loops_t law##_##name = {law##_##name##_in_caches, law##_##name##_beyond_caches,         \
                                   law##_##name##_past_caches};
#else
#define LOOPS_OF(law, which, name, ...)                                                            \
    LOOP(law, which, name##_in_caches, __VA_ARGS__, IN_CACHES)                                     \
    LOOP(law, which, name##_beyond_caches, __VA_ARGS__, BEYOND_CACHES)                             \
    static loops_t law##_##name = {law##_##name##_in_caches, law##_##name##_beyond_caches, NULL};
#endif

/* A law's loops: one for contacts of any kind, and some for each set of outputs. */
#define CLOSED_FORM(law, which)                                                                    \
    static void law##_general(const closed_call_t *call, size_t i, size_t count) {                 \
        resolve_general(law, which, call, i, count);                                               \
    }                                                                                              \
    static bool law##_part(const closed_call_t *call, size_t i, size_t from, size_t count) {       \
        return resolve_part(law, which, call, i, from, count);                                     \
    }                                                                                              \
    LOOPS_OF(law, which, of_all, OUTPUTS_ALL, false)                                               \
    LOOPS_OF(law, which, without_work, OUTPUTS_WITHOUT_WORK, false)                                \
    LOOPS_OF(law, which, of_any, OUTPUTS_ANY, false)                                               \
    LOOPS_OF(law, which, modelled, OUTPUTS_ANY, true)                                              \
    static void law##_all(closed_call_t *call) {                                                   \
        call->general = law##_general;                                                             \
        call->part = law##_part;                                                                   \
        const outputs_t outputs = outputs_of(call->out);                                           \
        if (!is_ordinary_call(call))                                                               \
            all_general(call);                                                                     \
        else if (call->in->coefficients.model)                                                     \
            resolve_all(call, law##_modelled);                                                     \
        else if (outputs == OUTPUTS_ALL)                                                           \
            resolve_all(call, law##_of_all);                                                       \
        else if (outputs == OUTPUTS_WITHOUT_WORK)                                                  \
            resolve_all(call, law##_without_work);                                                 \
        else                                                                                       \
            resolve_all(call, law##_of_any);                                                       \
    }

/* For options with which no contact is ordinary. */
static void all_general(const closed_call_t *call) {
    const size_t end = call->selected.first + call->selected.count;
    for (size_t i = call->selected.first; i < end; i += LANES)
        call->general(call, i, end - i);
}

/* Laws of other kinds have no loops here. */
#define LOOPS_CLOSED(law, which) CLOSED_FORM(law, which)
#define LOOPS_EQUATION(law, which)
#define LOOPS_INCREMENTAL(law, which)
#define LOOPS_MIXED(law, which)
#define LOOPS(constant, name, kind, function, properties, summary)                                 \
    LOOPS_##kind(function, IMPINGE_LAW_##constant)

LAWS(LOOPS)

#define RUN_CLOSED(law) law##_all(&call)
#define RUN_EQUATION(law)
#define RUN_INCREMENTAL(law)
#define RUN_MIXED(law)
#define RUN(constant, name, kind, function, properties, summary)                                   \
    case IMPINGE_LAW_##constant:                                                                   \
        RUN_##kind(function);                                                                      \
        break;

void KERNEL_CLOSED(const NAME(impinge_contacts) * in, selected_t selected,
                   const impinge_options *options, const NAME(impinge_contact_results) * out,
                   impinge_report *report) {
    closed_call_t call = {.in = in,
                          .selected = selected,
                          .out = out,
                          .options = *options,
                          .report = report,
                          .layout = layout_of_contacts(in, out)};
    switch (options->law) { LAWS(RUN) }
}
