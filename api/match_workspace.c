/* The workspace of impinge_match_impulses, which is the same in either precision. */
#include <impinge/contact_dynamics.h>

#include "../solve/match_slots.h"

size_t impinge_match_impulses_workspace(size_t contacts_before) {
    if (contacts_before >= (size_t)1 << 31) return SIZE_MAX;
    return impinge_match_slots(contacts_before) * sizeof(uint32_t);
}
