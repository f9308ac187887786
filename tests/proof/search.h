/* What searches have in common: which precision, from which seed, and when they end. */
#ifndef TESTS_PROOF_SEARCH_H
#define TESTS_PROOF_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/* Takes --seconds, --count, --seed or --bits; false: it is another option. */
bool search_option(const char *name, const char *value);

uint64_t search_seed(void);

/* From here on time is counted. */
void search_begin(void);
double search_seconds(void);

/* Whether there is to be more in this precision, of which so many are done: up to the count, if one
 * was said, or the time. */
bool search_wants(int bits, double done);

#endif
