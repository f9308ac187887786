/* Statuses, laws and outcomes in words. */
#include <string.h>

#include <impinge/batch.h>
#include <impinge/outcome.h>
#include <impinge/status.h>

const char *impinge_version(void) { return IMPINGE_VERSION; }

const char *impinge_status_text(impinge_status status) {
    switch (status) {
    case IMPINGE_OK:
        return "All went well.";
    case IMPINGE_SOME_INVALID:
        return "Some contacts have invalid input.";
    case IMPINGE_ERROR_NULL_POINTER:
        return "A required pointer is null.";
    case IMPINGE_ERROR_COUNT:
        return "There cannot be so many contacts.";
    case IMPINGE_ERROR_OPTION:
        return "An option is out of its range.";
    case IMPINGE_ERROR_TARGET_UNKNOWN:
        return "There is no target of that name.";
    case IMPINGE_ERROR_TARGET_UNAVAILABLE:
        return "This CPU or this build does not have that target.";
    case IMPINGE_ERROR_ARGUMENT:
        return "An argument is out of its range.";
    case IMPINGE_ERROR_UNAVAILABLE:
        return "This build, or this target on this CPU, does not have that.";
    }
    return "There is no such status.";
}

const char *impinge_law_name(impinge_law law) {
    switch (law) {
    case IMPINGE_LAW_ROUTH:
        return "routh";
    case IMPINGE_LAW_FRICTIONLESS:
        return "frictionless";
    case IMPINGE_LAW_WHITTAKER:
        return "whittaker";
    case IMPINGE_LAW_SMITH:
        return "smith";
    case IMPINGE_LAW_TWO_STAGE:
        return "two-stage";
    case IMPINGE_LAW_BILINEAR:
        return "bilinear";
    case IMPINGE_LAW_CHATTERJEE_RUINA:
        return "chatterjee-ruina";
    case IMPINGE_LAW_BRACH:
        return "brach";
    case IMPINGE_LAW_COMPOSITE:
        return "composite";
    }
    return NULL;
}

static const struct {
    uint32_t bit;
    const char *word;
} outcome_words[] = {
    {IMPINGE_OUTCOME_SEPARATING, "separating"},
    {IMPINGE_OUTCOME_IMMOVABLE, "immovable"},
    {IMPINGE_OUTCOME_SLID, "slid"},
    {IMPINGE_OUTCOME_STUCK, "stuck"},
    {IMPINGE_OUTCOME_DIVERGED, "diverged"},
    {IMPINGE_OUTCOME_SLIP_REVERSED, "slip-reversed"},
    {IMPINGE_OUTCOME_RECOMPRESSED, "recompressed"},
    {IMPINGE_OUTCOME_JAMMED, "jammed"},
    {IMPINGE_OUTCOME_ENERGY_GAINED, "energy-gained"},
    {IMPINGE_OUTCOME_OUTSIDE_REGION, "outside-region"},
    {IMPINGE_OUTCOME_CLIPPED, "clipped"},
    {IMPINGE_OUTCOME_SLIP_ENDED_LATE, "slip-ended-late"},
    {IMPINGE_OUTCOME_NO_SOLUTION, "no-solution"},
    {IMPINGE_OUTCOME_APART, "apart"},
    {IMPINGE_OUTCOME_RESTING, "resting"},
    {IMPINGE_OUTCOME_INVALID, "invalid"},
    {IMPINGE_OUTCOME_INVALID_MATRIX, "invalid-matrix"},
    {IMPINGE_OUTCOME_INVALID_VELOCITY, "invalid-velocity"},
    {IMPINGE_OUTCOME_INVALID_RESTITUTION, "invalid-restitution"},
    {IMPINGE_OUTCOME_INVALID_FRICTION, "invalid-friction"},
    {IMPINGE_OUTCOME_INVALID_NORMAL, "invalid-normal"},
    {IMPINGE_OUTCOME_INVALID_MASS, "invalid-mass"},
    {IMPINGE_OUTCOME_INVALID_ARM, "invalid-arm"},
    {IMPINGE_OUTCOME_OUT_OF_RANGE, "out-of-range"},
    {IMPINGE_OUTCOME_INVALID_COEFFICIENT, "invalid-coefficient"},
    {IMPINGE_OUTCOME_NOT_DIAGONAL, "not-diagonal"},
    {IMPINGE_OUTCOME_INVALID_ORIENTATION, "invalid-orientation"},
    {IMPINGE_OUTCOME_INVALID_INDEX, "invalid-index"},
    {IMPINGE_OUTCOME_MASS_SPLIT, "mass-split"},
};

size_t impinge_outcome_text(uint32_t outcome, char *text, size_t size) {
    char whole[IMPINGE_OUTCOME_TEXT_SIZE] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof outcome_words / sizeof *outcome_words; i++) {
        if (!(outcome & outcome_words[i].bit)) continue;
        const size_t word = strlen(outcome_words[i].word);
        if (length > 0) whole[length++] = '|';
        memcpy(whole + length, outcome_words[i].word, word);
        length += word;
    }
    if (length == 0) {
        memcpy(whole, "none", sizeof "none");
        length = strlen(whole);
    }
    if (size > 0) {
        const size_t kept = length < size ? length : size - 1;
        memcpy(text, whole, kept);
        text[kept] = '\0';
    }
    return length;
}
