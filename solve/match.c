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

static size_t merge(const memory_t *from, size_t count, const uint64_t *key, const results_t *to) {
    size_t found = 0;
    size_t is = 0;
    for (size_t i = 0; i < count; i++) {
        while (is < from->count && from->key[is] < key[i])
            is++;
        const bool same = is < from->count && from->key[is] == key[i];
        copy(from, same ? is : from->count, to, i);
        found += same;
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
