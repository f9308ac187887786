#include "checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/output.h"

static const char magic[8] = {'I', 'M', 'P', 'I', 'N', 'G', 'E', '\n'};
enum { VERSION = 2 };
static const uint64_t byte_order = 0x0102030405060708u;

typedef struct header {
    char magic[8];
    uint64_t version, byte_order, size, checksum;
} header;

/* Words of 8 bytes, which grow as they are written and end where they are read. */
typedef struct words {
    uint64_t *words;
    size_t count, room, next;
    const char *path; /* of what is read */
} words;

/* FNV-1a, a word at a time: it detects damage, not malice. */
static uint64_t checksum(const uint64_t *of, size_t count) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ of[i]) * 0x100000001b3u ^ (sum >> 29);
    return sum;
}

/* ---- One pass over everything, for writing and for reading ---- */

/* A value that a word holds: written from it, or read into it. */
typedef struct passage {
    words *through;
    bool reads;
} passage;

static void pass_word(const passage *by, uint64_t *word) {
    words *through = by->through;
    if (by->reads) {
        if (through->next == through->count) fail("%s ends too early", through->path);
        *word = through->words[through->next++];
        return;
    }
    if (through->count == through->room) {
        through->room = 2 * through->room + 1024;
        through->words = reallocate(through->words, through->room, sizeof *through->words);
    }
    through->words[through->count++] = *word;
}

static void pass_number(const passage *by, double *number) {
    uint64_t word;
    memcpy(&word, number, sizeof word);
    pass_word(by, &word);
    memcpy(number, &word, sizeof word);
}

static void pass_numbers(const passage *by, double *of, size_t count) {
    for (size_t i = 0; i < count; i++)
        pass_number(by, &of[i]);
}

/* A value of an enumeration below `limit`, or another small number. */
static unsigned pass_small(const passage *by, unsigned value, unsigned limit) {
    uint64_t word = value;
    pass_word(by, &word);
    if (word >= limit) fail("%s is damaged: a value is out of its range", by->through->path);
    return (unsigned)word;
}

static void pass_rule(const passage *by, collision_rule *rule) {
    rule->law = (impinge_law)pass_small(by, rule->law, IMPINGE_LAW_COUNT);
    rule->model = (impinge_restitution_kind)pass_small(by, rule->model,
                                                       IMPINGE_RESTITUTION_ELASTOPLASTIC + 1);
    double *fields[] = {
        &rule->restitution,   &rule->friction,         &rule->tangential_restitution,
        &rule->speed,         &rule->dissipation_time, &rule->young_modulus,
        &rule->poisson_ratio, &rule->projection};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        pass_number(by, fields[i]);
}

/* More would not fit the indices. */
static const uint64_t particles_most = UINT32_MAX - 1;

static void pass_scene(const passage *by, scene *of) {
    of->kind = (scene_kind)pass_small(by, of->kind, SCENE_GAS + 1);
    of->precision = (precision)pass_small(by, of->precision, PRECISION_F64 + 1);
    uint64_t particles = of->particles;
    pass_word(by, &particles);
    pass_word(by, &of->seed);
    pass_rule(by, &of->collision);
    double *fields[] = {&of->radius, &of->spread,        &of->density, &of->gravity, &of->packing,
                        &of->step,   &of->equilibration, &of->size[0], &of->size[1], &of->size[2]};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        pass_number(by, fields[i]);
    pass_word(by, &of->sample_every);
    /* A file may have any checksum: its counts must still not exceed its length. */
    const size_t left = by->through->count - by->through->next;
    if (by->reads &&
        (particles < 1 || particles > particles_most || particles > left || !of->sample_every))
        fail("%s is damaged: it cannot have %llu particles", by->through->path,
             (unsigned long long)particles);
    of->particles = (size_t)particles;
}

static void pass_series(const passage *by, series *of) {
    uint64_t count = of->count;
    pass_word(by, &count);
    for (uint64_t i = 0; i < count; i++) {
        double values[SAMPLE_NUMBERS] = {0};
        if (!by->reads) memcpy(values, &of->samples[i], sizeof values);
        pass_numbers(by, values, SAMPLE_NUMBERS);
        sample one;
        memcpy(&one, values, sizeof one);
        if (by->reads) series_add(of, &one);
    }
}

static void pass_particles(const passage *by, const motion *of) {
    for (size_t i = 0; i < of->scene.particles; i++) {
        world_particle p = world_get(of->world, i);
        uint64_t id = p.id;
        pass_word(by, &id);
        p.id = (uint32_t)id;
        pass_numbers(by, p.position, 3);
        pass_numbers(by, p.velocity, 3);
        pass_numbers(by, p.angular_velocity, 3);
        pass_numbers(by, p.listed, 3);
        pass_number(by, &p.radius);
        pass_number(by, &p.inverse_mass);
        if (by->reads) world_set(of->world, i, &p);
    }
}

static void pass_memories(const passage *by, const motion *of) {
    uint64_t count = world_memories(of->world);
    pass_word(by, &count);
    for (uint64_t i = 0; i < count; i++) {
        world_memory m = {0};
        if (!by->reads) m = world_memory_get(of->world, (size_t)i);
        pass_word(by, &m.key);
        pass_numbers(by, m.impulse, 3);
        pass_numbers(by, m.normal, 3);
        if (by->reads) world_memory_add(of->world, &m);
    }
}

static void pass_state(const passage *by, motion *of) {
    pass_word(by, &of->step);
    pass_word(by, &of->impacts);
    pass_number(by, &of->time);
    pass_number(by, &of->next_step);
    pass_series(by, &of->series);
}

/* ---- Files ---- */

static span bytes_of(const void *start, size_t length) { return (span){start, length}; }

void checkpoint_write(const motion *of, const char *path) {
    words all = {.path = path};
    const passage by = {.through = &all};
    motion copy = *of;
    pass_scene(&by, &copy.scene);
    pass_state(&by, &copy);
    pass_particles(&by, of);
    pass_memories(&by, of);
    header head = {.version = VERSION,
                   .byte_order = byte_order,
                   .size = all.count * sizeof *all.words,
                   .checksum = checksum(all.words, all.count)};
    memcpy(head.magic, magic, sizeof magic);
    output_open(path);
    output_write(bytes_of(&head, sizeof head));
    output_write(bytes_of(all.words, all.count * sizeof *all.words));
    /* On the disk before it takes the place of the last one: one of the two is always whole. */
    output_sync();
    output_finish();
    free(all.words);
}

static bool is_known(const header *head) {
    return memcmp(head->magic, magic, sizeof magic) == 0 && head->byte_order == byte_order &&
           head->version == VERSION;
}

static void refuse_unknown(const header *head, const char *path) {
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        fail("%s is no checkpoint of simulate", path);
    if (head->byte_order != byte_order) fail("%s is from a machine with another byte order", path);
    if (head->version != VERSION)
        fail("%s has version %llu of the format, and only %d is known", path,
             (unsigned long long)head->version, VERSION);
}

/*
 * The words of a file: as many as its header says, and no byte more. It may be a pipe, whose length
 * is not known before its end. Room grows with what is there, not with what the header promises.
 */
static words read_words(const char *path) {
    FILE *from = fopen(path, "rb");
    if (!from) fail("cannot read %s: %s", path, strerror(errno));
    header head;
    if (fread(&head, sizeof head, 1, from) != 1) memset(&head, 0, sizeof head);
    const bool known = is_known(&head);
    words all = {.path = path};
    uint64_t word;
    size_t got = 0;
    while (known && (got = fread(&word, 1, sizeof word, from)) == sizeof word)
        pass_word(&(passage){.through = &all}, &word);
    const bool unread = ferror(from) != 0;
    fclose(from);
    if (unread) fail("cannot read %s", path);
    if (!known) refuse_unknown(&head, path);
    if (got != 0 || head.size != all.count * sizeof *all.words)
        fail("%s is damaged: it has not the length that it should", path);
    if (head.checksum != checksum(all.words, all.count))
        fail("%s is damaged: its checksum is not right", path);
    return all;
}

motion checkpoint_read(const char *path, size_t threads) {
    words all = read_words(path);
    const passage by = {.through = &all, .reads = true};
    motion read = {.step = 0};
    pass_scene(&by, &read.scene);
    pass_state(&by, &read);
    if (!read.series.count || !(read.next_step > 0 && isfinite(read.next_step)))
        fail("%s is damaged: it has no step", path);
    read.world = scene_world(&read.scene, threads);
    pass_particles(&by, &read);
    pass_memories(&by, &read);
    if (all.next != all.count) fail("%s is damaged: something comes after its end", path);
    free(all.words);
    /* Before the first step, of equilibration or else, there is no list. */
    if (read.step > 0 || read.scene.equilibration > 0) world_list_again(read.world);
    return read;
}
