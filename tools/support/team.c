#include "team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fail.h"

typedef struct member {
    team *of;
    size_t part;
    pthread_t thread;
} member;

struct team {
    size_t size;
    member *members; /* all but the caller's, which is part 0 */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    /* Below the lock. */
    size_t round;   /* counts the calls of team_run */
    size_t waiting; /* parts that are not done yet */
    bool over;
    /* The work of this round. */
    team_part *part;
    void *context;
    size_t count, parts;
};

/* Part i begins at element count i / parts; sizes differ by one at most. */
static void do_part(const team *of, size_t part) {
    if (part >= of->parts) return;
    const size_t share = of->count / of->parts;
    const size_t more = of->count % of->parts;
    const size_t first = part * share + (part < more ? part : more);
    of->part(of->context, part, first, share + (part < more));
}

static void *serve(void *argument) {
    const member *me = argument;
    team *of = me->of;
    size_t done = 0;
    pthread_mutex_lock(&of->lock);
    for (;;) {
        while (of->round == done && !of->over)
            pthread_cond_wait(&of->begin, &of->lock);
        if (of->over) break;
        done = of->round;
        pthread_mutex_unlock(&of->lock);
        do_part(of, me->part);
        pthread_mutex_lock(&of->lock);
        if (--of->waiting == 0) pthread_cond_signal(&of->end);
    }
    pthread_mutex_unlock(&of->lock);
    return NULL;
}

team *team_start(size_t threads) {
    team *made = allocate(1, sizeof *made);
    made->members = allocate(threads, sizeof *made->members);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->begin, NULL);
    pthread_cond_init(&made->end, NULL);
    for (made->size = 1; made->size < threads; made->size++) {
        member *next = &made->members[made->size];
        *next = (member){.of = made, .part = made->size};
        if (pthread_create(&next->thread, NULL, serve, next)) break;
    }
    return made;
}

void team_stop(team *of) {
    pthread_mutex_lock(&of->lock);
    of->over = true;
    pthread_cond_broadcast(&of->begin);
    pthread_mutex_unlock(&of->lock);
    for (size_t i = 1; i < of->size; i++)
        pthread_join(of->members[i].thread, NULL);
    pthread_cond_destroy(&of->end);
    pthread_cond_destroy(&of->begin);
    pthread_mutex_destroy(&of->lock);
    free(of->members);
    free(of);
}

size_t team_size(const team *of) { return of->size; }

void team_run(team *of, size_t count, size_t grain, team_part *part, void *context) {
    if (count == 0) return;
    const size_t useful = (count + grain - 1) / grain;
    of->part = part;
    of->context = context;
    of->count = count;
    of->parts = useful < of->size ? useful : of->size;
    if (of->parts > 1) {
        pthread_mutex_lock(&of->lock);
        of->round++;
        of->waiting = of->size - 1;
        pthread_cond_broadcast(&of->begin);
        pthread_mutex_unlock(&of->lock);
    }
    do_part(of, 0);
    if (of->parts == 1) return;
    pthread_mutex_lock(&of->lock);
    while (of->waiting)
        pthread_cond_wait(&of->end, &of->lock);
    pthread_mutex_unlock(&of->lock);
}
