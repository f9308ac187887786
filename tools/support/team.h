/**
 * Threads that wait for work: the only threads of the program and of the examples. A part of a
 * simulation's step is over in less than a millisecond, too short to start threads for.
 */
#ifndef TOOLS_TEAM_H
#define TOOLS_TEAM_H

#include <stddef.h>

enum { TEAM_THREADS_MAX = 1024 };

typedef struct team team;

/** Does elements `first` to `first + count - 1`, in thread `part`; all parts run at once. */
typedef void team_part(void *context, size_t part, size_t first, size_t count);

/**
 * A team of `threads`, the caller's among them. It is smaller if the system gives no more threads.
 */
team *team_start(size_t threads);
void team_stop(team *of);

/** The number of members; parts are below it. */
size_t team_size(const team *of);

/**
 * Shares `count` elements out, in the order of the parts, and returns when all are done. There are
 * only so many parts that each has `grain` elements; a single part is done without waking another
 * thread.
 */
void team_run(team *of, size_t count, size_t grain, team_part *part, void *context);

#endif
