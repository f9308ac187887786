/*
 * driver SECONDS FOLDER [SEED]: runs a fuzz target without libFuzzer: every file of a corpus, and
 * then what is made of them by mutation, for so many seconds. What is tried depends on the seed
 * only, how much of it on the time. Ends with 0, or says which input failed: it is in the file
 * fuzz-failed.
 */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include "../../tools/support/random.h"
#include "target.h"

enum { INPUT_MAX = 8192, CORPUS_MAX = 512 };

typedef struct input {
    uint8_t bytes[INPUT_MAX];
    size_t size;
} input;

static input corpus[CORPUS_MAX];
static size_t corpus_count;

/* The input under way, for the handler of signals. */
static input now;

/* Only calls that a handler may make. */
static void save_and_end(int number) {
    const int file = open("fuzz-failed", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && write(file, now.bytes, now.size) >= 0) close(file);
    static const char text[] = "fuzz: the input that failed is in the file fuzz-failed\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_faults(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], save_and_end);
}

static size_t number_below(uint64_t *state, size_t n) { return (size_t)(random_bits(state) % n); }

static void read_corpus(const char *folder) {
    DIR *const files = opendir(folder);
    if (!files) {
        perror(folder);
        exit(2);
    }
    for (const struct dirent *entry; (entry = readdir(files)) && corpus_count < CORPUS_MAX;) {
        char path[1024];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *const from = fopen(path, "rb");
        if (!from) continue;
        input *const to = &corpus[corpus_count++];
        to->size = fread(to->bytes, 1, INPUT_MAX, from);
        fclose(from);
    }
    closedir(files);
}

static int by_bytes(const void *a, const void *b) {
    const input *const x = a, *const y = b;
    const size_t shorter = x->size < y->size ? x->size : y->size;
    const int order = memcmp(x->bytes, y->bytes, shorter);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Words at which arithmetic and parsers turn. */
static const uint64_t words[] = {0,
                                 1,
                                 0x7f800000,
                                 0x7fc00000,
                                 0x80000000,
                                 0xffffffff,
                                 0x7ff0000000000000,
                                 0xfff0000000000000,
                                 0x7ff8000000000000,
                                 0x8000000000000000,
                                 0x0010000000000000,
                                 0x7fefffffffffffff,
                                 0x3ff0000000000000,
                                 0xffffffffffffffff};

static void put(input *to, size_t at, const void *bytes, size_t size) {
    for (size_t i = 0; i < size && at + i < to->size; i++)
        to->bytes[at + i] = ((const uint8_t *)bytes)[i];
}

static void insert(input *to, size_t at, const uint8_t *bytes, size_t size) {
    if (to->size + size > INPUT_MAX) return;
    memmove(to->bytes + at + size, to->bytes + at, to->size - at);
    memcpy(to->bytes + at, bytes, size);
    to->size += size;
}

static void erase(input *of, size_t at, size_t size) {
    if (size > of->size - at) size = of->size - at;
    memmove(of->bytes + at, of->bytes + at + size, of->size - at - size);
    of->size -= size;
}

static void mutate(input *of, uint64_t *state) {
    const size_t at = number_below(state, of->size + 1);
    const input *const other = &corpus[number_below(state, corpus_count)];
    uint64_t word = random_bits(state);
    switch (number_below(state, 7)) {
    case 0:
        if (at < of->size) of->bytes[at] ^= (uint8_t)(1u << (word & 7));
        break;
    case 1:
        put(of, at, &word, 1);
        break;
    case 2:
        put(of, at, &word, 1 + number_below(state, 8));
        break;
    case 3:
        put(of, at, &words[word % (sizeof words / sizeof *words)],
            number_below(state, 2) == 0 ? 4 : 8);
        break;
    case 4:
        erase(of, at, 1 + number_below(state, 16));
        break;
    case 5:
        insert(of, at, (const uint8_t *)&word, 1 + number_below(state, 8));
        break;
    default:
        if (other->size > 0) {
            const size_t from = number_below(state, other->size);
            const size_t size = 1 + number_below(state, other->size - from);
            insert(of, at, other->bytes + from, size < 64 ? size : 64);
        }
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(void) {
    alarm(60); /* an input that takes a minute has failed */
    LLVMFuzzerTestOneInput(now.bytes, now.size);
    alarm(0);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: driver SECONDS FOLDER [SEED]\n", stderr);
        return 2;
    }
    const double limit = atof(argv[1]);
    uint64_t state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    read_corpus(argv[2]);
    if (corpus_count == 0) {
        fprintf(stderr, "fuzz: %s is empty\n", argv[2]);
        return 2;
    }
    qsort(corpus, corpus_count, sizeof *corpus, by_bytes);
    catch_faults();
    const double begin = seconds();
    size_t runs = 0;
    for (; runs < corpus_count; runs++) {
        now = corpus[runs];
        run();
    }
    for (; seconds() - begin < limit; runs++) {
        now = corpus[number_below(&state, corpus_count)];
        for (size_t i = number_below(&state, 6) + 1; i > 0; i--)
            mutate(&now, &state);
        run();
    }
    printf("fuzz: %zu inputs, %zu of the corpus, in %.0f s\n", runs, corpus_count,
           seconds() - begin);
    return 0;
}
