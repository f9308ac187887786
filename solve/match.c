/*
 * The impulses that contacts had a step before, by their keys: keys that ascend are merged, others
 * are looked up in a table. The first of several contacts of one key counts, either way.
 */
#include <impinge/contact_dynamics.h>

#include <stdbool.h>
#include <string.h>

#include "../kernels/columns.h"
#include "match.h"

typedef NAME(impinge_contact_memory) memory_t;
typedef NAME(impinge_step_results) results_t;

static bool ascend(const uint64_t *key, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (key[i] < key[i - 1]) return false;
    return true;
}

static void copy(const memory_t *from, size_t is, const results_t *to, size_t i) {
    const bool found = is < from->count;
    real_t v[3] = {0, 0, 0};
    if (found) numbers_at(VECTOR_OF(AS_GIVEN, from, impulse), is, v);
    write_numbers(VECTOR_OF(AS_GIVEN, to, impulse), i, v);
    if (!from->normal_x) return;
    if (found) numbers_at(VECTOR_OF(AS_GIVEN, from, normal), is, v);
    write_numbers(VECTOR_OF(AS_GIVEN, to, normal), i, v);
}

static void copy_run(const memory_t *from, size_t is, const results_t *to, size_t i, size_t count) {
    if (is_strided(from->impulse_stride) || is_strided(from->normal_stride) ||
        is_strided(to->impulse_stride) || is_strided(to->normal_stride)) {
        for (size_t k = 0; k < count; k++)
            copy(from, is + k, to, i + k);
        return;
    }
    const size_t bytes = count * sizeof(real_t);
    memcpy(to->impulse_x + i, from->impulse_x + is, bytes);
    memcpy(to->impulse_y + i, from->impulse_y + is, bytes);
    memcpy(to->impulse_z + i, from->impulse_z + is, bytes);
    if (!from->normal_x) return;
    memcpy(to->normal_x + i, from->normal_x + is, bytes);
    memcpy(to->normal_y + i, from->normal_y + is, bytes);
    memcpy(to->normal_z + i, from->normal_z + is, bytes);
}

/*
 * The number of keys from there on that are the same; each is the first of its value in the step
 * before.
 */
static size_t run_of(const memory_t *from, size_t is, const uint64_t *key, size_t i, size_t count) {
    size_t run = 0;
    while (is + run < from->count && i + run < count && from->key[is + run] == key[i + run] &&
           (is + run == 0 || from->key[is + run - 1] != key[i + run]))
        run++;
    return run;
}

/* Most contacts stay from step to step, so that keys are the same in long runs. */
static size_t merge(const memory_t *from, size_t count, const uint64_t *key, const results_t *to) {
    size_t found = 0;
    size_t is = 0;
    for (size_t i = 0; i < count;) {
        while (is < from->count && from->key[is] < key[i])
            is++;
        const size_t run = run_of(from, is, key, i, count);
        if (run > 0) {
            copy_run(from, is, to, i, run);
            is += run - 1; /* further contacts with the last key get its impulse, too */
            i += run;
            found += run;
            continue;
        }
        const bool same = is < from->count && from->key[is] == key[i];
        copy(from, same ? is : from->count, to, i);
        found += same;
        i++;
    }
    return found;
}

static size_t look_up(const memory_t *from, size_t count, const uint64_t *key, const results_t *to,
                      uint32_t *table) {
    const size_t slots = impinge_match_slots(from->count);
    size_t found = 0;
    memset(table, 0, slots * sizeof *table);
    for (size_t is = 0; is < from->count; is++) {
        size_t at = impinge_match_slot(from->key[is], slots);
        while (table[at] && from->key[table[at] - 1] != from->key[is])
            at = (at + 1) % slots;
        if (!table[at]) table[at] = (uint32_t)is + 1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = impinge_match_slot(key[i], slots);
        while (table[at] && from->key[table[at] - 1] != key[i])
            at = (at + 1) % slots;
        copy(from, table[at] ? table[at] - 1 : from->count, to, i);
        found += table[at] != 0;
    }
    return found;
}

size_t NAME(impinge_match)(const memory_t *from, size_t count, const uint64_t *key,
                           const results_t *to, uint32_t *workspace) {
    const bool ordered = ascend(from->key, from->count) && ascend(key, count);
    return ordered ? merge(from, count, key, to) : look_up(from, count, key, to, workspace);
}
