#include "parallel.h"

#include <pthread.h>

#include "progress.h"

typedef struct task {
    const parallel_work *work;
    size_t part, first, count;
    pthread_t thread;
    bool started; /* in a thread of its own */
} task;

static void *run_task(void *argument) {
    const task *todo = argument;
    todo->work->part(todo->work->context, todo->part, todo->first, todo->count);
    return NULL;
}

/* Contacts [first, first + count) in `parts` parts whose sizes differ by one at most. */
static void run_block(const parallel_work *work, size_t parts, size_t first, size_t count) {
    task tasks[PARALLEL_THREADS_MAX];
    for (size_t i = 0; i < parts; i++) {
        size_t share = count / (parts - i);
        tasks[i] = (task){.work = work, .part = i, .first = first, .count = share};
        first += share;
        count -= share;
    }
    /* Where the system gives no more threads, the caller does the part itself: slower, not wrong.
     */
    for (size_t i = 1; i < parts; i++)
        tasks[i].started = !pthread_create(&tasks[i].thread, NULL, run_task, &tasks[i]);
    for (size_t i = 0; i < parts; i++)
        if (!tasks[i].started) run_task(&tasks[i]);
    for (size_t i = 1; i < parts; i++)
        if (tasks[i].started) pthread_join(tasks[i].thread, NULL);
    if (work->after) work->after(work->context, parts);
}

void parallel_run(const parallel_work *work, size_t threads, size_t count) {
    size_t block = threads * work->grain;
    for (size_t first = 0; first < count;) {
        size_t size = count - first < block ? count - first : block;
        run_block(work, size < threads ? size : threads, first, size);
        first += size;
        progress_show(work->verb, first, count);
    }
}
