/*
 * The stack that each public call needs: at most what its header states, on every target, in a
 * thread that has no more. The stack is painted before a call, and the part that the call has
 * overwritten is what it needed.
 */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "public_calls.h"
#include "targets.h"

#define KIB ((size_t)1024)

/* The stack that batch.h states, KiB. */
enum {
    COLLISIONS = 64, /* of contacts, bodies, mechanisms and particles in one go */
    STEP = 32,       /* of a step of bodies the rest; a step of particles; neighbours */
    OTHERS = 16      /* particles, the permissible region, rays, applying, the trace of a contact */
};

/* A call is that of the first entry with which its name begins. */
static const struct {
    const char *name;
    size_t kib;
} stated_of[] = {
    {"impinge_resolve_contacts", COLLISIONS},
    {"impinge_resolve_body_pairs", COLLISIONS},
    {"impinge_resolve_mechanisms", COLLISIONS},
    {"impinge_resolve_planar", COLLISIONS},
    {"impinge_resolve_indexed", COLLISIONS},
    {"impinge_resolve_independent", COLLISIONS},
    {"impinge_sweep", COLLISIONS},
    {"impinge_resolve_sequence", COLLISIONS},
    {"impinge_step_bodies", COLLISIONS},
    {"impinge_collide_body_rounds", COLLISIONS},
    {"impinge_rest_bodies", STEP},
    {"impinge_project_body_positions", STEP},
    {"impinge_step_particles", STEP},
    {"impinge_find_neighbours", STEP},
    {"impinge_collide_particle_rounds", STEP},
    {"impinge_rest_particles", STEP},
    {"impinge_project_particle_positions", STEP},
    {"impinge_collide_particle_pairs", COLLISIONS},
    {"impinge_collide_particle_rows", COLLISIONS},
    {"impinge_collide_particle_lists", COLLISIONS},
    {"impinge_", OTHERS},
};

static size_t stated(const char *name) {
    size_t i = 0;
    while (strncmp(name, stated_of[i].name, strlen(stated_of[i].name)) != 0)
        i++;
    return stated_of[i].kib * KIB;
}

/* The stack that glibc and the thread's function use before the call. */
#define THREAD_OWN (12 * KIB)

#define PAINT 0xa5

typedef struct stack_run {
    const public_call *call;
    call_setup *setup;
    unsigned char *stack; /* its lowest byte */
    size_t needed;
    bool made; /* the call did not refuse its arguments */
} stack_run;

/* A frame of its own, so that paint and measure do not depend on what the compiler makes of theirs.
 */
__attribute__((noinline)) static void measure(stack_run *run) {
    unsigned char *const here = __builtin_frame_address(0);
    unsigned char *const top = here - 256; /* this frame is not painted */
    memset(run->stack, PAINT, (size_t)(top - run->stack));
    run->made = call_run(run->call, run->setup) >= 0;
    const unsigned char *lowest = run->stack;
    while (lowest < top && *lowest == PAINT)
        lowest++;
    run->needed = (size_t)(here - lowest);
}

static void *in_thread(void *user) {
    measure(user);
    return NULL;
}

/* Makes the call in a thread with so much stack above a page that must not be touched. */
static size_t run_with(const public_call *call, call_setup *setup, size_t size, int *made) {
    /* A system may have a least stack for threads, such as 128 KiB on AArch64. */
    const size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    if (size + THREAD_OWN < least) size = least - THREAD_OWN;
    const size_t guard = 64 * KIB, whole = guard + size + THREAD_OWN;
    unsigned char *const memory =
        mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(memory != MAP_FAILED);
    cr_assert(mprotect(memory, guard, PROT_NONE) == 0);
    stack_run run = {.call = call, .setup = setup, .stack = memory + guard};
    pthread_attr_t attributes;
    pthread_t thread;
    cr_assert(pthread_attr_init(&attributes) == 0);
    cr_assert(pthread_attr_setstack(&attributes, memory + guard, size + THREAD_OWN) == 0);
    cr_assert(pthread_create(&thread, &attributes, in_thread, &run) == 0);
    cr_assert(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
    munmap(memory, whole);
    *made += run.made;
    return run.needed;
}

enum { CONTACTS = 700 }; /* more than any ring or stage holds */

/* Of mechanisms: the most; and about the most beside which no ring is shortened
 * (kernels/mechanisms.c). */
static const size_t coordinates[] = {IMPINGE_COORDINATES_MAX, 22};
enum { SIZES = sizeof coordinates / sizeof *coordinates };

/* The most that a call needs, of some ways to make it, and of what is true of every law. */
static size_t most_needed(const public_call *call, size_t stack) {
    size_t most = 0;
    int made = 0;
    for (uint64_t round = 0; round < SIZES * IMPINGE_LAW_COUNT; round++) {
        call_setup s = {.contacts = CONTACTS,
                        .bodies = 300,
                        .planes = 6,
                        .coordinates = coordinates[round / IMPINGE_LAW_COUNT],
                        .count = CONTACTS};
        call_choose(&s, round);
        s.options.law = (impinge_law)(round % IMPINGE_LAW_COUNT);
        call_plan(call, &s);
        cr_assert(call_allocate(&s));
        call_fill(&s, round);
        const size_t needed = run_with(call, &s, stack, &made);
        if (needed > most) most = needed;
        call_free(&s);
    }
    cr_expect_gt(made, 0, "%s was refused every time", call->name);
    return most;
}

/* First where there is enough, for the message; then where there is no more than is stated. */
static void check_target(const char *target, void *user) {
    (void)user;
    for (size_t i = 0; i < public_call_count; i++) {
        const public_call *const call = &public_calls[i];
        const size_t needed = most_needed(call, 1024 * KIB), allowed = stated(call->name);
        if (getenv("IMPINGE_STACK"))
            fprintf(stderr, "%-8s %-42s %4zu KiB of %zu\n", target, call->name,
                    (needed + KIB - 1) / KIB, allowed / KIB);
        cr_expect(needed <= allowed, "%s: %s needs %zu bytes of stack, not %zu", target, call->name,
                  needed, allowed);
        if (needed <= allowed) most_needed(call, allowed);
    }
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __OPTIMIZE__
#define FRAMES_ARE_LARGER 1
#else
#define FRAMES_ARE_LARGER 0
#endif

/* IMPINGE_STACK=1 prints what each call needs. */
Test(stack, is_what_the_headers_state, .timeout = 240) {
    if (FRAMES_ARE_LARGER) skip_test("stack: skipped, built with a sanitizer or not optimized");
    for_each_target(check_target, NULL);
}
