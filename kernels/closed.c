/*
 * One target's closed forms in contact space, at memory's speed: each law is compiled with its
 * loads and stores around it. There is no latency to hide, as there is in the other kernels; so
 * lanes are one register, and most of a contact stays in registers.
 */
#define REGISTERS_PER_LANES   1
#define IMPINGE_AHEAD_BY_LINE true
/* A vector takes less time than elsewhere; 24 lines of 13 columns are 20 KiB of the first cache
 * (docs/speed-closed-forms.md). */
#define IMPINGE_AHEAD_LINES 24
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

/* How a loop writes: the outputs it is compiled for, and whether it writes past the caches. */
typedef struct writing {
    outputs_t outputs;
    bool stream;
} writing_t;

/*
 * Asks for a line some lines before it is written, once a line. Where a vector is a line, batches
 * beyond the caches do not read what they write; a single lane takes longer than memory.
 */
#define WRITE_AHEAD_LINES 8
INLINE void write_ahead(const real_t *to, size_t i) {
    const bool begins = i % (64 / sizeof *to) < LANES;
    if (!LANES_ARE_LINE && LANES > 1 && begins) lane_prefetch_write(to + i, WRITE_AHEAD_LINES * 64);
}

INLINE void output(real_t *to, const real_t *streamed, size_t i, lanes_t a, writing_t how) {
    if (how.stream && streamed)
        lane_stream(to + i, a);
    else if (how.outputs == OUTPUTS_ALL || to) {
        write_ahead(to, i);
        lane_store(to + i, a);
    }
}

INLINE void output_words(uint32_t *to, const uint32_t *streamed, size_t i, words_t a,
                         writing_t how) {
    if (how.stream && streamed)
        word_stream(to + i, a);
    else if (how.outputs == OUTPUTS_ALL || to)
        word_store(to + i, a);
}

/* Writes the wanted outputs of whole vectors. */
INLINE void store_ordinary(const closed_call_t *call, size_t i, const response_t *r,
                           writing_t how) {
    const NAME(impinge_contact_results) *const to = call->out, *const past = &call->streamed;
    output(to->p1, past->p1, i, r->p1, how);
    output(to->p2, past->p2, i, r->p2, how);
    output(to->p3, past->p3, i, r->p3, how);
    output(to->u1_after, past->u1_after, i, r->u1, how);
    output(to->u2_after, past->u2_after, i, r->u2, how);
    output(to->u3_after, past->u3_after, i, r->u3, how);
    if (how.outputs != OUTPUTS_WITHOUT_WORK) {
        output(to->work_compression, past->work_compression, i, r->work_compression, how);
        output(to->work_restitution, past->work_restitution, i, r->work_restitution, how);
        output(to->work_friction, past->work_friction, i, r->work_friction, how);
    }
    output_words(to->outcome, past->outcome, i, r->outcome, how);
}

INLINE contact_t load_vector_of(const closed_call_t *call, impinge_law which, size_t i) {
    contact_t contact = load_matrix(CONTIGUOUS, call->in, i, LANES);
    load_coefficients(&contact, CONTIGUOUS, &call->in->coefficients, which, i, LANES);
    return contact;
}

/* LANES contacts. */
INLINE void resolve_whole(algebraic_law *law, impinge_law which, const closed_call_t *call,
                          writing_t how, size_t i) {
    const impinge_options options = {.law = which};
    const contact_t contact = load_vector_of(call, which, i);
    scale_t k, u;
    collision_t c;
    mask_t ordinary;
    response_t r;
    if (ordinary_begin(&contact, which, &k, &u, &c, &ordinary)) {
        const law_answer_t a = law(&c, &options);
        if (ordinary_end(&a, &contact, &options, how.outputs, &k, &u, &c, &r)) {
            store_ordinary(call, i, &r, how);
            return;
        }
    }
    call->general(call, i, LANES);
}

/*
 * Two vectors, if all of their contacts are ordinary: while one waits for roots and divisions, the
 * other goes on. Contacts are loaded again, rather than kept, for the few that separate.
 */
INLINE bool resolve_two(algebraic_law *law, impinge_law which, const closed_call_t *call,
                        writing_t how, size_t i) {
    const impinge_options options = {.law = which};
    scale_t k, l, u, v;
    collision_t c, d;
    mask_t ordinary_c, ordinary_d;
    response_t r, s;
    const contact_t first = load_vector_of(call, which, i);
    if (!ordinary_begin(&first, which, &k, &u, &c, &ordinary_c)) return false;
    const contact_t second = load_vector_of(call, which, i + LANES);
    if (!ordinary_begin(&second, which, &l, &v, &d, &ordinary_d)) return false;
    const law_answer_t a = law(&c, &options);
    const law_answer_t b = law(&d, &options);
    const contact_t again = load_matrix(CONTIGUOUS, call->in, i, LANES);
    if (!ordinary_end(&a, &again, &options, how.outputs, &k, &u, &c, &r)) return false;
    const contact_t also = load_matrix(CONTIGUOUS, call->in, i + LANES, LANES);
    if (!ordinary_end(&b, &also, &options, how.outputs, &l, &v, &d, &s)) return false;
    store_ordinary(call, i, &r, how);
    store_ordinary(call, i + LANES, &s, how);
    return true;
}

/*
 * Chatterjee and Ruina's law waits longest, so that two vectors at a time take less time than one
 * after the other; for the other laws that is not so on every target (docs/speed-closed-forms.md).
 */
static inline bool is_law_for_two(impinge_law law) { return law == IMPINGE_LAW_CHATTERJEE_RUINA; }

/*
 * Resolves whole vectors from i on, without looking for the start of a cache line, and then the
 * rest.
 */
INLINE void resolve_from(algebraic_law *law, impinge_law which, const closed_call_t *call,
                         writing_t how, size_t i) {
    const size_t end = call->selected.first + call->selected.count;
    for (; end - i >= LANES; i += LANES) {
        if (is_law_for_two(which) && end - i >= 2 * LANES &&
            resolve_two(law, which, call, how, i)) {
            i += LANES;
            continue;
        }
        resolve_whole(law, which, call, how, i);
    }
    if (i < end) call->general(call, i, end - i);
}

/*
 * A batch whose inputs and outputs exceed this size does not stay in any cache: its outputs are
 * written past them, which saves reading each line first. For smaller batches that loses, because
 * the caller reads the outputs next. A core's share of the last cache is 16 to 32 MiB on CPUs that
 * have AVX-512.
 */
#define STREAM_BYTES ((size_t)32 << 20)
#define COLUMNS      20 /* of inputs and outputs, about */

enum { REAL_OUTPUTS = 9 };

/* Where the outputs of a struct are. */
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
 * Has those outputs streamed that reach a line's beginning at the same contact as most of them do.
 * Returns how far that is from the first.
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

INLINE void resolve_all(algebraic_law *law, impinge_law which, closed_call_t *call,
                        outputs_t outputs) {
    const size_t first = call->selected.first, count = call->selected.count;
    const bool vast = count > STREAM_BYTES / (COLUMNS * sizeof(real_t));
    const size_t lead = LANES_ARE_LINE && vast ? choose_streamed(call) : NO_LEAD;
    if (LANES_ARE_LINE && lead != NO_LEAD) {
        if (lead > 0) call->general(call, first, lead);
        resolve_from(law, which, call, (writing_t){outputs, true}, first + lead);
        lane_stream_end();
        return;
    }
    resolve_from(law, which, call, (writing_t){outputs, false}, first);
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

/* A law's loops: one for contacts of any kind, and one for each set of outputs. */
#define CLOSED_FORM(law, which)                                                                    \
    static void law##_general(const closed_call_t *call, size_t i, size_t count) {                 \
        resolve_general(law, which, call, i, count);                                               \
    }                                                                                              \
    static void law##_all(closed_call_t *call) {                                                   \
        call->general = law##_general;                                                             \
        if (!has_ordinary(&call->options) || call->layout == AS_GIVEN) {                           \
            all_general(call);                                                                     \
            return;                                                                                \
        }                                                                                          \
        switch (outputs_of(call->out)) {                                                           \
        case OUTPUTS_ALL:                                                                          \
            resolve_all(law, which, call, OUTPUTS_ALL);                                            \
            break;                                                                                 \
        case OUTPUTS_WITHOUT_WORK:                                                                 \
            resolve_all(law, which, call, OUTPUTS_WITHOUT_WORK);                                   \
            break;                                                                                 \
        default:                                                                                   \
            resolve_all(law, which, call, OUTPUTS_ANY);                                            \
        }                                                                                          \
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
