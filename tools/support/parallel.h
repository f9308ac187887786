/** Work on many contacts, shared out among a team, with a line that shows its progress. */
#ifndef TOOLS_PARALLEL_H
#define TOOLS_PARALLEL_H

#include <stddef.h>

#include "team.h"

/**
 * The range is cut into blocks, done one after the other, and each block into one part per thread.
 * After each block the progress line is shown.
 */
typedef struct parallel_work {
    const char *verb; /**< for the progress line: "resolved" */
    size_t grain;     /**< the most contacts in a part */
    team_part *part;  /**< does some contacts */
    /** After each block, in the caller's thread, with the number of its parts. Null: nothing. */
    void (*after)(void *context, size_t parts);
    void *context;
} parallel_work;

/** Does `count` contacts with `threads` threads, the caller's among them. */
void parallel_run(const parallel_work *work, size_t threads, size_t count);

#endif
