/*
 * The reader of checkpoints: any bytes as a file. Most would end at the length and the checksum in
 * the header, which tell damage: of every other input those two are made right before.
 */
#include <string.h>

#include "../../examples/simulate/checkpoint.h"
#include "contained_fail.h"
#include "target.h"

/* Words of the header: magic, version, order of bytes, size, checksum. */
enum { SIZE = 3, CHECKSUM = 4, HEADER_WORDS = 5, WORDS_MAX = 1024 };

static void make_right(uint64_t *words, size_t count) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325); /* as in checkpoint.c */
    for (size_t i = HEADER_WORDS; i < count; i++)
        sum = (sum ^ words[i]) * UINT64_C(0x100000001b3) ^ (sum >> 29);
    words[SIZE] = (count - HEADER_WORDS) * sizeof *words;
    words[CHECKSUM] = sum;
}

static void read_checkpoint(const char *path) {
    motion m = checkpoint_read(path, 1);
    motion_end(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t words[WORDS_MAX];
    const size_t count = size / sizeof *words;
    if (size % 2 == 0 || count < HEADER_WORDS || count > WORDS_MAX) {
        contained(read_checkpoint, data, size);
        return 0;
    }
    memcpy(words, data, count * sizeof *words);
    make_right(words, count);
    contained(read_checkpoint, (const uint8_t *)words, count * sizeof *words);
    return 0;
}
