/* Reads tests/cases/routh.csv. */
#include "routh_cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 23

/* Cuts a line at its commas, in place. Returns how many fields there are. */
static size_t cut(char *line, char *fields[COLUMNS]) {
    size_t count = 0;
    for (char *field = line; field; count++) {
        if (count == COLUMNS) return count + 1;
        fields[count] = field;
        field = strchr(field, ',');
        if (field) *field++ = '\0';
    }
    return count;
}

static bool copy_name(char *to, size_t size, const char *from) {
    return (size_t)snprintf(to, size, "%s", from) < size;
}

static bool parse_rule(const char *name, impinge_restitution_rule *rule) {
    static const char *const names[] = {"stronge", "poisson", "newton"}; /* in order of the enum */
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *rule = (impinge_restitution_rule)i;
            return true;
        }
    }
    return false;
}

static bool parse(char *line, routh_case *c) {
    char *fields[COLUMNS];
    if (cut(line, fields) != COLUMNS) return false;
    c->id = atoi(fields[0]);
    if (!copy_name(c->source, sizeof c->source, fields[1])) return false;
    if (!parse_rule(fields[2], &c->rule)) return false;
    if (!copy_name(c->category, sizeof c->category, fields[3])) return false;
    double *const inputs[12] = {&c->k11,  &c->k12,         &c->k13,      &c->k22,
                                &c->k23,  &c->k33,         &c->u[0],     &c->u[1],
                                &c->u[2], &c->restitution, &c->friction, &c->friction_static};
    /* The file prints inputs as doubles do; as long doubles they would be others. */
    for (int i = 0; i < 12; i++)
        *inputs[i] = strtod(fields[4 + i], NULL);
    for (int i = 0; i < 3; i++)
        c->p[i] = strtold(fields[16 + i], NULL);
    for (int i = 0; i < 3; i++)
        c->u_after[i] = strtold(fields[19 + i], NULL);
    c->condition = strtod(fields[22], NULL);
    return true;
}

static routh_case *read_all(FILE *file, size_t *count) {
    char line[1024]; /* the longest row has about 400 characters */
    size_t room = 0;
    routh_case *cases = NULL;
    *count = 0;
    bool good = fgets(line, sizeof line, file) != NULL; /* the names of the columns */
    while (good && fgets(line, sizeof line, file)) {
        if (*count == room) {
            room = room ? 2 * room : 256;
            routh_case *more = realloc(cases, room * sizeof *cases);
            good = more != NULL;
            if (!good) break;
            cases = more;
        }
        good = parse(line, &cases[*count]);
        ++*count;
    }
    if (good) return cases;
    free(cases);
    return NULL;
}

routh_case *routh_cases_load(size_t *count) {
    FILE *file = fopen(IMPINGE_TEST_CASES "/routh.csv", "r");
    if (!file) return NULL;
    routh_case *cases = read_all(file, count);
    (void)fclose(file);
    return cases;
}

bool routh_case_is(const routh_case *c, uint32_t outcome) {
    const uint32_t sliding = outcome & IMPINGE_OUTCOME_GOT_IMPULSE;
    if (strcmp(c->category, "slid") == 0) return sliding == IMPINGE_OUTCOME_SLID;
    if (strcmp(c->category, "stuck") == 0) {
        return sliding == (IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK);
    }
    if (strcmp(c->category, "stuck_at_once") == 0) return sliding == IMPINGE_OUTCOME_STUCK;
    if (strcmp(c->category, "diverged") == 0) return (sliding & IMPINGE_OUTCOME_DIVERGED) != 0;
    return strcmp(c->category, "two_compressions") == 0 &&
           (outcome & IMPINGE_OUTCOME_RECOMPRESSED) != 0;
}
