#include "adversaries.h"

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

const adversary adversaries[] = {
    {"random", RANDOM_SEPARATING, random_kind_names, draw_random},
};
const size_t adversary_count = sizeof adversaries / sizeof *adversaries;
