#include "adversaries.h"

#include "../adversarial_contacts.h"
#include "../hard_contacts.h"
#include "../law_adversaries.h"
#include "../random_contacts.h"

/* Ordinary contacts of every kind that collides; what is drawn for them proves the program itself.
 */
static void draw_random(uint64_t *state, size_t kind, impinge_law law, int bits,
                        double row[CONTACT_INPUTS]) {
    (void)law;
    random_contact(state, (random_kind)kind, 0, row);
    for (size_t i = 0; bits == 32 && i < CONTACT_INPUTS; i++)
        row[i] = (double)(float)row[i];
}

/* Generators that are hard for the incremental law. */
static void draw_for_a_path(uint64_t *state, size_t kind, impinge_law law, int bits,
                            double row[CONTACT_INPUTS]) {
    (void)law;
    adversarial_contact(state, (adversarial_kind)kind, bits, row);
}

/* Generators that are hard for the law under test. */
static void draw_for_a_law(uint64_t *state, size_t kind, impinge_law law, int bits,
                           double row[CONTACT_INPUTS]) {
    (void)kind;
    law_adversary(state, law, bits == 32, row);
}

/* Neighbours of contacts on which Routh's law went wrong once, some of which do so where others do
 * not: one that begins at the top of u_n, or where rounding of mu |k| and K33 decides. */
static void draw_neighbour(uint64_t *state, size_t kind, impinge_law law, int bits,
                           double row[CONTACT_INPUTS]) {
    (void)kind;
    (void)law;
    hard_neighbour(state, random_below(state, (unsigned)hard_contact_count), bits, row);
}

/* Neighbours of contacts that ended at a wrong zero of u_n, farther away. */
static void draw_falling_neighbour(uint64_t *state, size_t kind, impinge_law law, int bits,
                                   double row[CONTACT_INPUTS]) {
    (void)kind;
    (void)law;
    falling_neighbour(state, random_below(state, (unsigned)falling_contact_count), bits, row);
}

static const char *const law_kind[] = {"its own"};
static const char *const neighbour_kind[] = {"neighbours"};
static const char *const falling_kind[] = {"falling neighbours"};

const adversary adversaries[] = {
    {"random", RANDOM_SEPARATING, random_kind_names, draw_random},
    {"path", ADVERSARIAL_KINDS, adversarial_kind_names, draw_for_a_path},
    {"law", 1, law_kind, draw_for_a_law},
    {"neighbours", 1, neighbour_kind, draw_neighbour},
    {"falling", 1, falling_kind, draw_falling_neighbour},
};
const size_t adversary_count = sizeof adversaries / sizeof *adversaries;
