/** The single-precision half of <impinge/neighbours.h>, which includes it. */
#ifndef IMPINGE_NEIGHBOURS_F32_H
#define IMPINGE_NEIGHBOURS_F32_H

#include <impinge/export.h>
#include <impinge/neighbours.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The bytes of workspace of impinge_find_neighbours_f32; SIZE_MAX if there are too many. */
IMPINGE_API size_t impinge_find_neighbours_workspace_f32(size_t particles);

/**
 * Finds neighbours by cells as wide as the largest pair's reach: about 135 ns a particle of a dense
 * packing. If spheres have very different sizes, the largest ones determine the size of the cells.
 * Pairs of two immovable particles, and immovable particles near planes, are left out.
 *
 * @param particles positions, radii, inverse masses and periods are read; a particle whose position
 * or radius is not finite, or whose radius is negative, has no neighbours
 * @param planes null: none
 * @param options null: the defaults
 * @param workspace of impinge_find_neighbours_workspace_f32 bytes, aligned for double; members of a
 * team share it
 * @param team null: one thread; members of a team share `lists`
 * @param lists starts and index are written, and count
 * Returns IMPINGE_OK; IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_OPTION for a skin out of its range,
 * IMPINGE_ERROR_ARGUMENT for a period or a team out of its range, or what impinge_target_selected
 * returns, and then has written nothing; IMPINGE_ERROR_COUNT if there are too many particles, or
 * more neighbours than the capacity: then count is how many there are, and nothing else is
 * defined.
 */
IMPINGE_API impinge_status impinge_find_neighbours_f32(const impinge_particles_f32 *particles,
                                                       const impinge_planes_f32 *planes,
                                                       const impinge_neighbour_options *options,
                                                       void *workspace, const impinge_team *team,
                                                       impinge_neighbours *lists);

/**
 * True if a particle is further than `distance` from its earlier position, or its position is not
 * finite. If the distance is half of the skin, true means that neighbours have to be found again.
 * The call returns no status and checks no pointers: none may be null if there are particles.
 *
 * @param particles positions, count and periods are read
 * @param x, y, z the earlier positions; periods are taken into account
 * @param stride of x, y and z; 0 stands for 1
 */
IMPINGE_API bool impinge_particles_moved_f32(const impinge_particles_f32 *particles, const float *x,
                                             const float *y, const float *z, size_t stride,
                                             double distance);

/**
 * Finds the contacts of a list: pairs of particles, and particles and planes, whose gap is no more
 * than `margin`, each once, in the order of the rows. Pairs whose gap is NaN are listed, too, so
 * that a step reports them.
 *
 * @param margin m; 0: only contacts that touch
 * @param lists half or full
 * @param team null: one thread; members of a team share `contacts`
 * @param contacts written
 * Returns IMPINGE_OK, an error as impinge_find_neighbours_f32, IMPINGE_ERROR_ARGUMENT for a margin
 * that is not finite, or IMPINGE_ERROR_COUNT if there are more contacts than the capacity: then
 * count is how many there are.
 */
IMPINGE_API impinge_status impinge_find_particle_contacts_f32(
    const impinge_particles_f32 *particles, const impinge_planes_f32 *planes,
    const impinge_neighbours *lists, double margin, const impinge_team *team,
    impinge_found_contacts *contacts);

#ifdef __cplusplus
}
#endif
#endif
