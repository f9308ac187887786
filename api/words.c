/* The version, and statuses, laws and outcomes in words. */
#include <string.h>

#include <impinge/batch.h>
#include <impinge/outcome.h>
#include <impinge/status.h>
#include <impinge/trace.h>
#include <impinge/version.h>

#include "../kernels/laws/list.h"

/* A value of an enumeration that a switch here lacks is an error of compilation. */
#pragma GCC diagnostic error "-Wswitch"

#define TEXT(number)    #number
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *impinge_version(void) {
    return DOTTED(IMPINGE_VERSION_MAJOR, IMPINGE_VERSION_MINOR, IMPINGE_VERSION_PATCH);
}

int impinge_version_number(void) { return IMPINGE_VERSION; }

const char *impinge_status_text(impinge_status status) {
    switch (status) {
    case IMPINGE_OK:
        return "Success.";
    case IMPINGE_SOME_INVALID:
        return "Some contacts have invalid input.";
    case IMPINGE_ERROR_NULL_POINTER:
        return "A required pointer is null.";
    case IMPINGE_ERROR_COUNT:
        return "A count is too large.";
    case IMPINGE_ERROR_OPTION:
        return "An option is out of its range or not accepted by this call.";
    case IMPINGE_ERROR_TARGET_UNKNOWN:
        return "There is no target of that name.";
    case IMPINGE_ERROR_TARGET_UNAVAILABLE:
        return "This CPU or this build does not have that target.";
    case IMPINGE_ERROR_ARGUMENT:
        return "An argument is out of its range.";
    case IMPINGE_ERROR_UNAVAILABLE:
        return "This build, or this target on this CPU, lacks the requested feature.";
    }
    return "There is no such status.";
}

#define LAW_NAME(constant, name, kind, function, properties, summary)                              \
    case IMPINGE_LAW_##constant:                                                                   \
        return name;
#define LAW_SUMMARY(constant, name, kind, function, properties, summary)                           \
    case IMPINGE_LAW_##constant:                                                                   \
        return summary;

const char *impinge_law_name(impinge_law law) {
    switch (law) { LAWS(LAW_NAME) }
    return NULL;
}

const char *impinge_law_summary(impinge_law law) {
    switch (law) { LAWS(LAW_SUMMARY) }
    return NULL;
}

uint32_t impinge_law_properties(impinge_law law) { return law_properties(law); }

static const char *outcome_word(impinge_outcome bit) {
    switch (bit) {
    case IMPINGE_OUTCOME_SEPARATING:
        return "separating";
    case IMPINGE_OUTCOME_IMMOVABLE:
        return "immovable";
    case IMPINGE_OUTCOME_SLID:
        return "slid";
    case IMPINGE_OUTCOME_STUCK:
        return "stuck";
    case IMPINGE_OUTCOME_DIVERGED:
        return "diverged";
    case IMPINGE_OUTCOME_SLIP_REVERSED:
        return "slip-reversed";
    case IMPINGE_OUTCOME_RECOMPRESSED:
        return "recompressed";
    case IMPINGE_OUTCOME_JAMMED:
        return "jammed";
    case IMPINGE_OUTCOME_ENERGY_GAINED:
        return "energy-gained";
    case IMPINGE_OUTCOME_OUTSIDE_REGION:
        return "outside-region";
    case IMPINGE_OUTCOME_CLIPPED:
        return "clipped";
    case IMPINGE_OUTCOME_SLIP_ENDED_LATE:
        return "slip-ended-late";
    case IMPINGE_OUTCOME_NO_SOLUTION:
        return "no-solution";
    case IMPINGE_OUTCOME_APART:
        return "apart";
    case IMPINGE_OUTCOME_RESTING:
        return "resting";
    case IMPINGE_OUTCOME_STEPS_EXHAUSTED:
        return "steps-exhausted";
    case IMPINGE_OUTCOME_TOLERANCE_MISSED:
        return "tolerance-missed";
    case IMPINGE_OUTCOME_INVALID:
        return "invalid";
    case IMPINGE_OUTCOME_INVALID_MATRIX:
        return "invalid-matrix";
    case IMPINGE_OUTCOME_INVALID_VELOCITY:
        return "invalid-velocity";
    case IMPINGE_OUTCOME_INVALID_RESTITUTION:
        return "invalid-restitution";
    case IMPINGE_OUTCOME_INVALID_FRICTION:
        return "invalid-friction";
    case IMPINGE_OUTCOME_INVALID_NORMAL:
        return "invalid-normal";
    case IMPINGE_OUTCOME_INVALID_MASS:
        return "invalid-mass";
    case IMPINGE_OUTCOME_INVALID_ARM:
        return "invalid-arm";
    case IMPINGE_OUTCOME_OUT_OF_RANGE:
        return "out-of-range";
    case IMPINGE_OUTCOME_INVALID_COEFFICIENT:
        return "invalid-coefficient";
    case IMPINGE_OUTCOME_NOT_DIAGONAL:
        return "not-diagonal";
    case IMPINGE_OUTCOME_INVALID_ORIENTATION:
        return "invalid-orientation";
    case IMPINGE_OUTCOME_INVALID_INDEX:
        return "invalid-index";
    case IMPINGE_OUTCOME_MASS_SPLIT:
        return "mass-split";
    }
    return NULL;
}

_Static_assert((IMPINGE_OUTCOME_GOT_IMPULSE & IMPINGE_OUTCOME_NO_IMPULSE) == 0 &&
                   ((IMPINGE_OUTCOME_GOT_IMPULSE | IMPINGE_OUTCOME_NO_IMPULSE) &
                    (IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_DETAILS)) == 0 &&
                   (IMPINGE_OUTCOME_INVALID_REASONS & IMPINGE_OUTCOME_DETAILS) == 0,
               "a bit of an outcome has one meaning");
_Static_assert(IMPINGE_OUTCOME_ALL == (UINT32_C(1) << 31) - 1,
               "bits 0 to 30 are taken");

size_t impinge_outcome_text(uint32_t outcome, char *text, size_t size) {
    char whole[IMPINGE_OUTCOME_TEXT_SIZE] = "";
    size_t length = 0;
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *const word = outcome & bit ? outcome_word((impinge_outcome)bit) : NULL;
        if (!word) continue;
        if (length > 0) whole[length++] = '|';
        memcpy(whole + length, word, strlen(word));
        length += strlen(word);
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

const char *impinge_trace_phase_name(impinge_trace_phase phase) {
    static const char *const names[] = {"compression", "restitution"};
    const size_t i = (size_t)phase;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

const char *impinge_trace_state_name(impinge_trace_state state) {
    static const char *const names[] = {"no-impulse", "slides", "sticks", "diverges"};
    const size_t i = (size_t)state;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}
