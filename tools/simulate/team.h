/**
 * Threads that wait for work. A step of a simulation is over in milliseconds and has several parts
 * that wait for each other: too short to start threads for, as parallel.h does.
 */
#ifndef SIMULATE_TEAM_H
#define SIMULATE_TEAM_H

#include <stddef.h>

typedef struct team team;

/** Does elements `first` to `first + count - 1`, in thread `part`; all parts run at once. */
typedef void team_part(void *context, size_t part, size_t first, size_t count);

/**
 * A team of `threads`, the caller's among them. Where the system gives no more threads, they are
 * fewer.
 */
team *team_start(size_t threads);
void team_stop(team *of);

/** How many they are; parts are below that. */
size_t team_size(const team *of);

/**
 * Shares `count` elements out, in the order of the parts, and returns when all are done. Not more
 * parts than give each `grain` elements; a single one is done without waking anybody.
 */
void team_run(team *of, size_t count, size_t grain, team_part *part, void *context);

#endif
