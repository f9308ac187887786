/*
 * The memory of contacts, stored with the spheres: it moves with them from rank to rank and into
 * restart files.
 *
 * Both spheres of a pair keep it, for they may part to different ranks. While spheres stay where
 * they are, pairs have it at their place in the list of neighbours, where it is found without a
 * search.
 */
#ifndef IMPINGE_ENGINES_LAMMPS_MEMORY_H
#define IMPINGE_ENGINES_LAMMPS_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step.h"

namespace impinge_lammps {

struct Kept {
    int64_t other; /* a tag; < 0: a wall */
    Remembered contact;
};

class SphereMemory {
  public:
    void resize(size_t spheres) { of.resize(spheres); }
    void copy(size_t from, size_t to) { of[to] = of[from]; }
    bool is_empty(size_t sphere) const { return of[sphere].empty(); }
    void clear(size_t sphere) { of[sphere].clear(); }
    void add(size_t sphere, int64_t other, const Remembered &contact) {
        of[sphere].push_back(Kept{other, contact});
    }
    void scale(size_t sphere, double by);
    const Remembered *find(size_t sphere, int64_t other) const;
    /* Forgets pairs, or walls. */
    void drop(size_t sphere, bool walls);
    /* As numbers: how many contacts, then each. */
    static size_t size_of(size_t contacts) { return 1 + KEPT_NUMBERS * contacts; }
    size_t count(size_t sphere) const { return of[sphere].size(); }
    size_t size(size_t sphere) const { return size_of(count(sphere)); }
    size_t pack(size_t sphere, double *to) const;
    size_t unpack(size_t sphere, const double *from);
    /*
     * The same of `count` numbers from a file. Contacts whose class is not below `classes` get none
     * (-1), and choose one when they touch. Returns false, and the sphere has no memory, if they
     * are no numbers that pack writes.
     */
    bool unpack_checked(size_t sphere, const double *from, size_t count, int classes);

  private:
    static constexpr size_t KEPT_NUMBERS = 8;
    std::vector<std::vector<Kept>> of;
};

} // namespace impinge_lammps

#endif
