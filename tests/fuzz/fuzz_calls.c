/*
 * Every public call, with any bytes in its arrays: on each target, the batch and each contact
 * alone. Each array ends at a page that must not be touched, or begins behind one; what a call only
 * reads cannot be written. Ends the process if
 *
 * - a page is touched that must not be, or an element is written that is none of the call's;
 * - a target, or a contact alone, gives other bits than the best target gives the batch;
 * - a NaN comes out of a contact whose outcome does not say that it is invalid.
 *
 * The first bytes of the input choose the call and its arguments; the others are put into the
 * arrays, column by column, element by element, until there are no more: legal numbers follow.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../public_calls.h"
#include "stream.h"
#include "target.h"

#define PAGE  ((size_t)4096)
#define PAGES ((size_t)1024) /* of a column: the largest workspace takes most of it */
#define ROOM  (PAGES * PAGE)

enum { CONTACTS_MAX = 70, BODIES_MAX = 40, COORDINATES_MAX = 8, PLANES = 5 };

/* Memory for the columns of three calls: the first target's, the one that is compared, and alone.
 */
enum { ALONE = 2, SETS = 3 };
static unsigned char *rooms[SETS][CALL_COLUMNS_MAX];

static void fail(const public_call *call, const char *target, const char *what, size_t at) {
    fprintf(stderr, "fuzz: %s on %s: %s (%zu)\n", call->name, target, what, at);
    abort();
}

/* A room between two pages that nothing may touch. */
static unsigned char *new_room(void) {
    unsigned char *const memory =
        mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + PAGE, ROOM, PROT_READ | PROT_WRITE) != 0) {
        perror("fuzz: mmap");
        exit(2);
    }
    return memory + PAGE;
}

static void place(call_setup *s, size_t set, bool at_end, bool results_only) {
    for (size_t i = 0; i < s->columns; i++) {
        call_column *const c = &s->column[i];
        if (results_only && c->role != COLUMN_WRITTEN) continue;
        if (!rooms[set][i]) rooms[set][i] = new_room();
        const size_t size = c->length * c->size;
        if (size > ROOM) abort();
        c->data = rooms[set][i] + (at_end ? ROOM - size : 0);
    }
}

static bool is_protected[SETS][CALL_COLUMNS_MAX];

/* Columns that the call only reads are write-protected, for one in 16 inputs: that takes longer
 * than calls.
 */
static void protect_inputs(const call_setup *s, size_t set, uint64_t seed) {
    for (size_t i = 0; seed % 16 == 0 && i < s->columns; i++) {
        if (s->column[i].role != COLUMN_READ) continue;
        mprotect(rooms[set][i], ROOM, PROT_READ);
        is_protected[set][i] = true;
    }
}

static void unprotect(const call_setup *s, size_t set) {
    for (size_t i = 0; i < s->columns; i++) {
        if (is_protected[set][i]) mprotect(rooms[set][i], ROOM, PROT_READ | PROT_WRITE);
        is_protected[set][i] = false;
    }
}

static uint64_t take_word(stream *s) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | take_byte(s);
    return word;
}

/* Every element's bytes, if its control byte is odd: what is even keeps the legal number. */
static void put_bytes(call_setup *s, stream *from) {
    for (size_t i = 0; i < s->columns && from->size > 0; i++) {
        const call_column *const c = &s->column[i];
        if (c->role == COLUMN_WRITTEN || c->role == COLUMN_SCRATCH) continue;
        for (size_t k = 0; k < c->length && from->size > 0; k++) {
            if (take_byte(from) % 2 == 0) continue;
            for (size_t b = 0; b < c->size; b++)
                ((unsigned char *)c->data)[k * c->size + b] = take_byte(from);
        }
    }
}

#define UNWRITTEN 0xc5

static bool is_unwritten(const call_column *c, size_t i) {
    const unsigned char *const element = (const unsigned char *)c->data + i * c->size;
    for (size_t b = 0; b < c->size; b++)
        if (element[b] != UNWRITTEN) return false;
    return true;
}

static void mark_unwritten(const call_setup *s) {
    for (size_t i = 0; i < s->columns; i++) {
        const call_column *const c = &s->column[i];
        if (c->role == COLUMN_WRITTEN) memset(c->data, UNWRITTEN, c->length * c->size);
    }
}

/* A call on contacts writes nothing before `first` or from first + count on. */
static void check_unwritten(const public_call *call, const char *target, const call_setup *s) {
    for (size_t i = 0; i < s->columns; i++) {
        const call_column *const c = &s->column[i];
        if (c->role != COLUMN_WRITTEN || c->length % s->contacts != 0) continue;
        for (size_t k = 0; k < c->length; k++) {
            const size_t contact = k % s->contacts;
            const bool is_mine = contact >= s->first && contact - s->first < s->count;
            if (!is_mine && !is_unwritten(c, k)) fail(call, target, "written outside", i);
        }
    }
}

static bool is_nan_at(const call_column *c, size_t i) {
    if (c->size == sizeof(float)) {
        const float x = ((const float *)c->data)[i];
        return x != x;
    }
    const double x = ((const double *)c->data)[i];
    return x != x;
}

/* The outcomes are the last column of words that is written. */
static const uint32_t *outcomes_of(const call_setup *s) {
    const call_column *const last = &s->column[s->columns - 1];
    return last->role == COLUMN_WRITTEN && last->size == sizeof(uint32_t) ? last->data : NULL;
}

/* Queries write what their status is, and masks have no reasons; those have outcomes of this kind.
 */
static bool has_outcomes(const public_call *call) {
    return strncmp(call->name, "impinge_resolve", 15) == 0 ||
           strcmp(call->name, "impinge_trace_contact") == 0;
}

static void check_numbers(const public_call *call, const char *target, const call_setup *s) {
    const uint32_t *const outcomes = outcomes_of(s);
    if (!call->independent || !has_outcomes(call) || !outcomes || s->no_results) return;
    for (size_t i = s->first; i < s->first + s->count; i++) {
        if (outcomes[i] & (uint32_t)IMPINGE_OUTCOME_INVALID) continue;
        for (size_t k = 0; k + 1 < s->columns; k++) {
            const call_column *const c = &s->column[k];
            if (c->role == COLUMN_WRITTEN && c->length == s->contacts && is_nan_at(c, i))
                fail(call, target, "NaN out of a valid contact", i);
        }
    }
}

static void set_up(const public_call *call, call_setup *s, size_t set, bool at_end, uint64_t seed,
                   stream from) {
    call_plan(call, s);
    place(s, set, at_end, false);
    unprotect(s, set);
    call_fill(s, seed);
    put_bytes(s, &from);
    mark_unwritten(s);
    protect_inputs(s, set, seed);
}

/* With the inputs of the batch, and results of its own. Calls on contacts by themselves update
 * nothing.
 */
static void check_alone(const public_call *call, const char *target, const call_setup *batch) {
    call_setup s = *batch;
    place(&s, ALONE, true, true);
    mark_unwritten(&s);
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        s.first = i;
        s.count = 1;
        call_run(call, &s);
        if (!call_same_at(batch, &s, i)) fail(call, target, "alone it is another", i);
    }
}

static void check_target(const public_call *call, const char *target, const call_setup *first,
                         call_setup *s, size_t set, uint64_t seed, stream from) {
    if (impinge_target_select(target) != IMPINGE_OK) abort();
    set_up(call, s, set, set == 0 || seed % 2 == 0, seed, from);
    const impinge_status status = call_run(call, s);
    if (call->independent && status >= 0) {
        check_unwritten(call, target, s);
        check_numbers(call, target, s);
        check_alone(call, target, s);
    }
    size_t column;
    if (first != s && !call_same(first, s, &column))
        fail(call, target, "differs in column", column);
}

/* One word of the input for all choices, and one for the seed of legal numbers. */
static call_setup setup_of(stream *from, uint64_t *seed, const public_call **call) {
    *call = &public_calls[take_byte(from) % public_call_count];
    call_setup s = {.contacts = 1 + take_byte(from) % CONTACTS_MAX,
                    .bodies = 1 + take_byte(from) % BODIES_MAX,
                    .planes = PLANES,
                    .coordinates = 1 + take_byte(from) % COORDINATES_MAX};
    s.first = take_byte(from) % s.contacts;
    if (!(*call)->independent) s.first = 0;
    s.count = s.contacts - s.first;
    *seed = take_word(from);
    call_choose(&s, *seed);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stream from = {data, size};
    uint64_t seed;
    const public_call *call;
    const call_setup chosen = setup_of(&from, &seed, &call);
    call_setup first = chosen, other = chosen;
    bool is_first = true;
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        check_target(call, impinge_target_name(i), &first, is_first ? &first : &other,
                     is_first ? 0 : 1, seed, from);
        is_first = false;
    }
    return 0;
}
