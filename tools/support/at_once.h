/** Threads for work that has to run at the same time, as members of a team do: tests, benchmark. */
#ifndef TOOLS_AT_ONCE_H
#define TOOLS_AT_ONCE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Does work(item) for `count` items of `size` bytes, each in a thread of its own (the first in the
 * caller's), all at once. False: the system gives fewer threads, and nothing was done.
 */
bool at_once(size_t count, void (*work)(void *item), void *items, size_t size);

/** Waits at a pthread_barrier_t: for the `wait` of an impinge_team. */
void wait_at_barrier(void *barrier);

#endif
