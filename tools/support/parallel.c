#include "parallel.h"

#include "progress.h"

/* A block of the range, as the team does it. */
typedef struct block {
    const parallel_work *work;
    size_t first;
} block;

static void run_part(void *context, size_t part, size_t first, size_t count) {
    const block *of = context;
    of->work->part(of->work->context, part, of->first + first, count);
}

void parallel_run(const parallel_work *work, size_t threads, size_t count) {
    team *members = team_start(threads);
    const size_t size = team_size(members);
    block now = {.work = work};
    while (now.first < count) {
        const size_t rest = count - now.first;
        const size_t taken = rest < size * work->grain ? rest : size * work->grain;
        team_run(members, taken, 1, run_part, &now);
        if (work->after) work->after(work->context, taken < size ? taken : size);
        now.first += taken;
        progress_show(work->verb, now.first, count);
    }
    team_stop(members);
}
