/* A barrier for the threads that make one call together (impinge_team). They wait in C, where
   Python's lock is not held. */
#include <pthread.h>
#include <stdlib.h>

typedef struct impinge_python_barrier {
    pthread_mutex_t lock;
    pthread_cond_t passed;
    size_t members, waiting;
    size_t round; /* counts how often all have passed: a thread that wakes late sees that its round
                     is over */
} impinge_python_barrier;

static impinge_python_barrier *impinge_python_barrier_new(size_t members) {
    impinge_python_barrier *barrier = calloc(1, sizeof *barrier);
    if (!barrier) return NULL;
    barrier->members = members;
    pthread_mutex_init(&barrier->lock, NULL);
    pthread_cond_init(&barrier->passed, NULL);
    return barrier;
}

static void impinge_python_barrier_free(impinge_python_barrier *barrier) {
    pthread_cond_destroy(&barrier->passed);
    pthread_mutex_destroy(&barrier->lock);
    free(barrier);
}

static void impinge_python_barrier_wait(void *user) {
    impinge_python_barrier *barrier = user;
    pthread_mutex_lock(&barrier->lock);
    const size_t round = barrier->round;
    if (++barrier->waiting == barrier->members) {
        barrier->waiting = 0;
        barrier->round++;
        pthread_cond_broadcast(&barrier->passed);
    }
    while (round == barrier->round)
        pthread_cond_wait(&barrier->passed, &barrier->lock);
    pthread_mutex_unlock(&barrier->lock);
}
