#include "memory.h"

#include <algorithm>

namespace impinge_lammps {

void SphereMemory::scale(size_t sphere, double by) {
    for (Kept &kept : of[sphere])
        for (double &p : kept.contact.p)
            p *= by;
}

const Remembered *SphereMemory::find(size_t sphere, int64_t other) const {
    for (const Kept &kept : of[sphere])
        if (kept.other == other) return &kept.contact;
    return nullptr;
}

void SphereMemory::drop(size_t sphere, bool walls) {
    std::vector<Kept> &kept = of[sphere];
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [walls](const Kept &k) { return (k.other < 0) == walls; }),
               kept.end());
}

size_t SphereMemory::pack(size_t sphere, double *to) const {
    double *at = to;
    *at++ = static_cast<double>(of[sphere].size());
    for (const Kept &kept : of[sphere]) {
        *at++ = static_cast<double>(kept.other);
        at = std::copy(kept.contact.p, kept.contact.p + 3, at);
        at = std::copy(kept.contact.n, kept.contact.n + 3, at);
        *at++ = kept.contact.klass;
    }
    return static_cast<size_t>(at - to);
}

size_t SphereMemory::unpack(size_t sphere, const double *from) {
    const double *at = from;
    std::vector<Kept> &kept = of[sphere];
    kept.resize(static_cast<size_t>(*at++));
    for (Kept &k : kept) {
        k.other = static_cast<int64_t>(*at++);
        std::copy(at, at + 3, k.contact.p);
        std::copy(at + 3, at + 6, k.contact.n);
        k.contact.klass = at[6];
        at += 7;
    }
    return static_cast<size_t>(at - from);
}

} // namespace impinge_lammps
