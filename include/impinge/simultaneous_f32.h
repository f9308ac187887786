/** The single-precision half of <impinge/simultaneous.h>, which includes it and has the
 * conventions. */
#ifndef IMPINGE_SIMULTANEOUS_F32_H
#define IMPINGE_SIMULTANEOUS_F32_H

#include <impinge/simultaneous.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sweeps over the colours of contacts: each colour is resolved from the velocities that the colours
 * before it left, and its impulses are applied at once. Sweeps repeat until no contact approaches.
 *
 * @param bodies their velocities are written
 * @param contacts all of them are taken
 * @param colours of these contacts, from impinge_colour_contacts, not impinge_find_islands; `order`
 * has the indices of all of them. With wrong colours, contacts may be missing from the results, but
 * nothing worse happens
 * @param options of each collision; null: the defaults
 * @param sweep null: the defaults
 * @param results impulses and works are the sums over all sweeps; an outcome has the bits of every
 * collision of the contact, or the reason why it had none. This is SEPARATING, too, if the contact
 * never approached faster than the rest speed
 * @param report null: not wanted
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing: as
 * impinge_resolve_indexed_f32; IMPINGE_ERROR_OPTION also for `sweep`; IMPINGE_ERROR_ARGUMENT also
 * if there are more than IMPINGE_COLOURS_MAX colours, or `starts` does not ascend from 0 to at most
 * contacts->count.
 */
IMPINGE_API impinge_status impinge_sweep_f32(const impinge_bodies_f32 *bodies,
                                             const impinge_indexed_contacts_f32 *contacts,
                                             const impinge_contact_groups *colours,
                                             const impinge_options *options,
                                             const impinge_sweep_options *sweep,
                                             const impinge_indexed_results_f32 *results,
                                             impinge_sweep_report *report);

/** Results of a sequence, per island. Null: not wanted. */
typedef struct impinge_island_results_f32 {
    uint32_t *collisions;    /**< how many there were; UINT32_MAX: that many or more */
    float *largest_approach; /**< the greatest approach velocity that is left, m/s; 0: none */
    uint8_t *end;            /**< a value of impinge_sequence_end */
} impinge_island_results_f32;

/**
 * The bytes of workspace that a sequence needs if there are `contacts` contacts in all; SIZE_MAX if
 * there are more than the 2^31 - 1 contacts or 2^32 - 1 bodies that are possible.
 */
IMPINGE_API size_t impinge_resolve_sequence_workspace_f32(size_t contacts, size_t bodies);

/**
 * Resolves simultaneous contacts as a sequence of collisions (Chatterjee and Ruina 1998, 6.4),
 * island by island.
 *
 * @param bodies their velocities are written
 * @param contacts those of the selected islands are resolved
 * @param islands of these contacts, from impinge_find_islands. If islands share a movable body, or
 * have a contact twice, the velocities are undefined, but nothing worse happens
 * @param selection which islands; null: all; an order is refused. Threads may share them out, each
 * with a workspace of its own. Each call goes through all bodies once, even for a single island
 * @param options of each collision; null: the defaults
 * @param sequence null: the defaults
 * @param workspace of impinge_resolve_sequence_workspace_f32 bytes, aligned for double and for
 * size_t
 * @param results per contact: impulses and works are the sums over its collisions; an outcome has
 * the bits of all of them, or the reason why it had none: SEPARATING also if the contact was never
 * the next one. The sums include the impulses of an extrapolated tail, but not its works
 * @param island_results per island, at the island's index; null: not wanted
 * @param report null: not wanted
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing: as
 * impinge_resolve_indexed_f32; IMPINGE_ERROR_OPTION also for `sequence`; IMPINGE_ERROR_ARGUMENT
 * also if, for the islands to resolve, `starts` does not ascend to at most contacts->count or
 * `order` contains an invalid contact index; IMPINGE_ERROR_COUNT also for too many contacts.
 */
IMPINGE_API impinge_status impinge_resolve_sequence_f32(
    const impinge_bodies_f32 *bodies, const impinge_indexed_contacts_f32 *contacts,
    const impinge_contact_groups *islands, const impinge_selection *selection,
    const impinge_options *options, const impinge_sequence_options *sequence, void *workspace,
    const impinge_indexed_results_f32 *results, const impinge_island_results_f32 *island_results,
    impinge_sequence_report *report);

#ifdef __cplusplus
}
#endif

#endif
