/*
 * The floating-point environment of the host: in any environment results have the bits of the
 * default one, and every call leaves it unchanged (api/float_environment.h). Nor does it matter
 * what a workspace holds before.
 */
#include <fenv.h>
#include <string.h>

#include <criterion/criterion.h>

#include "public_calls.h"
#include "targets.h"

/* Environments that a host may have set. */
typedef struct environment {
    const char *name;
    int rounding;
    bool flushes; /* subnormal results to zero, and takes subnormal numbers for zero */
    bool traps;   /* division by zero and invalid operations */
} environment;

static const environment environments[] = {
    {"has the default one", FE_TONEAREST, false, false},
    {"rounds up", FE_UPWARD, false, false},
    {"rounds down", FE_DOWNWARD, false, false},
    {"rounds to zero", FE_TOWARDZERO, false, false},
    {"flushes subnormal numbers", FE_TONEAREST, true, false},
    {"flushes and rounds down", FE_DOWNWARD, true, false},
    {"traps", FE_TONEAREST, false, true},
};

#if defined __x86_64__ || defined __SSE2__

#define MXCSR_DAZ        0x0040u
#define MXCSR_FTZ        0x8000u
#define MXCSR_UNMASKED   0x0280u /* the masks of invalid operation and of division by zero */
#define MXCSR_EXCEPTIONS 0x003fu

static unsigned control_word(void) {
    unsigned word;
    __asm__ volatile("stmxcsr %0" : "=m"(word));
    return word & ~MXCSR_EXCEPTIONS;
}

static void set_control_word(unsigned word) { __asm__ volatile("ldmxcsr %0" : : "m"(word)); }

/* The rounding mode is in bits 13 and 14; fesetround changes the x87's, too, and both are wanted.
 */
static void enter(const environment *e) {
    fesetround(e->rounding);
    unsigned word = control_word();
    if (e->flushes) word |= MXCSR_DAZ | MXCSR_FTZ;
    if (e->traps) word &= ~MXCSR_UNMASKED;
    set_control_word(word);
}

static void leave(void) {
    set_control_word(0x1f80);
    fesetround(FE_TONEAREST);
}

#elif defined __aarch64__

static unsigned long control_word(void) {
    unsigned long word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}

static void enter(const environment *e) {
    fesetround(e->rounding);
    const unsigned long word = control_word() | (e->flushes ? 1ul << 24 : 0);
    __asm__ volatile("msr fpcr, %0" : : "r"(word));
}

static void leave(void) { __asm__ volatile("msr fpcr, %0" : : "r"(0ul)); }

#else

static int control_word(void) { return fegetround(); }

static void enter(const environment *e) { fesetround(e->rounding); }

static void leave(void) { fesetround(FE_TONEAREST); }

#endif

enum { CONTACTS = 67, BODIES = 23, ROUNDS = 6 };

/* Velocities and matrices to powers of two at the end of the range: results are subnormal, too. */
static void make_small(call_setup *s, uint64_t round) {
    for (size_t k = 0; k < s->columns; k++) {
        const call_column *const c = &s->column[k];
        if (c->means != MEANS_SIGNED && c->means != MEANS_APPROACH) continue;
        for (size_t i = round % 3; i < c->length; i += 3) {
            if (c->size == sizeof(float))
                ((float *)c->data)[i] *= round % 2 == 0 ? 0x1p-120f : 0x1p-140f;
            else
                ((double *)c->data)[i] *= round % 2 == 0 ? 0x1p-1000 : 0x1p-1060;
        }
    }
}

/* A workspace holds whatever an earlier call left there: NaN, indices out of range. */
static void spoil_workspaces(call_setup *s) {
    for (size_t k = 0; k < s->columns; k++) {
        const call_column *const c = &s->column[k];
        if (c->role == COLUMN_SCRATCH) memset(c->data, 0xff, c->size * c->length);
    }
}

/* Returns whether the call was made: false if it refused its arguments. */
static bool check_call(const public_call *call, const char *target, uint64_t round) {
    call_setup here = {
        .contacts = CONTACTS, .bodies = BODIES, .planes = 6, .coordinates = 5, .count = CONTACTS};
    call_choose(&here, round);
    call_plan(call, &here);
    call_setup there = here;
    cr_assert(call_allocate(&here) && call_allocate(&there));
    call_fill(&here, round);
    make_small(&here, round);
    const impinge_status expected = call_run(call, &here);
    for (size_t e = 0; e < sizeof environments / sizeof *environments; e++) {
        call_fill(&there, round);
        make_small(&there, round);
        spoil_workspaces(&there);
        enter(&environments[e]);
        const unsigned long before = (unsigned long)control_word();
        const impinge_status status = call_run(call, &there);
        const unsigned long after = (unsigned long)control_word();
        leave();
        size_t column;
        const bool same = call_same(&here, &there, &column);
        cr_expect(status == expected && same,
                  "%s, %s: where the host %s, column %zu differs (round %d), status %d", target,
                  call->name, environments[e].name, column, (int)round, (int)status);
        cr_expect(before == after, "%s, %s: the host's %#lx became %#lx", target, call->name,
                  before, after);
    }
    call_free(&here);
    call_free(&there);
    return expected >= 0;
}

static void check_target(const char *target, void *user) {
    (void)user;
    for (size_t i = 0; i < public_call_count; i++) {
        int made = 0;
        for (uint64_t round = 0; round < ROUNDS; round++)
            made += check_call(&public_calls[i], target, round);
        cr_expect_gt(made, ROUNDS / 3, "%s, %s: refused all but %d times", target,
                     public_calls[i].name, made);
    }
}

Test(environment, of_the_host_changes_nothing, .timeout = 120) {
    for_each_target(check_target, NULL);
}
