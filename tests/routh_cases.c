/* Reads tests/cases/routh.csv. */
#include "routh_cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"

enum { COLUMNS = 23, FIELD_SIZE = 64 };

/* The fields of a row, each with a zero behind it. Returns how many there are. */
static size_t cut(const csv_row *row, char fields[COLUMNS][FIELD_SIZE]) {
    span rest = row->text, field;
    size_t count = 0;
    for (; csv_next_field(&rest, ',', &field); count++)
        if (count < COLUMNS)
            snprintf(fields[count], FIELD_SIZE, "%.*s", (int)field.length, field.start);
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

static bool parse(const csv_row *row, routh_case *c) {
    char fields[COLUMNS][FIELD_SIZE];
    if (cut(row, fields) != COLUMNS) return false;
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

routh_case *routh_cases_load(size_t *count) {
    csv_file *file = csv_open(IMPINGE_TEST_CASES "/routh.csv");
    csv_block block = {.text = NULL};
    routh_case *cases = NULL;
    bool good = true;
    *count = 0;
    while (good && csv_next_block(file, &block)) {
        cases = reallocate(cases, *count + block.rows, sizeof *cases);
        csv_cursor at = csv_begin(&block);
        for (csv_row row; good && csv_next_row(&at, ',', &row); ++*count)
            good = parse(&row, &cases[*count]);
    }
    csv_block_free(&block);
    csv_close(file);
    if (good) return cases;
    free(cases);
    return NULL;
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
