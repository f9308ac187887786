#include "at_once.h"

#include <pthread.h>

#include "team.h"

typedef struct job {
    void (*work)(void *item);
    char *items;
    size_t size;
} job;

static void do_items(void *context, size_t part, size_t first, size_t count) {
    const job *const of = context;
    (void)part;
    for (size_t i = first; i < first + count; i++)
        of->work(of->items + i * of->size);
}

bool at_once(size_t count, void (*work)(void *item), void *items, size_t size) {
    team *const threads = team_start(count);
    const bool enough = team_size(threads) == count;
    job of = {work, items, size};
    if (enough) team_run(threads, count, 1, do_items, &of);
    team_stop(threads);
    return enough;
}

void wait_at_barrier(void *barrier) { pthread_barrier_wait(barrier); }
