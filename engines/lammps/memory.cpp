#include "memory.h"

#include <algorithm>
#include <cmath>

namespace impinge_lammps {

namespace {

bool is_whole(double number, double least, double most) {
    return number >= least && number <= most && number == std::floor(number);
}

/* As pack writes it: the other sphere or a wall, an impulse, a unit normal, and a class. */
bool is_kept(const double *from) {
    constexpr double TAG_MAX = INT32_MAX;
    constexpr double ROUNDING = 1e-6; /* far above that of a normal, far below a wrong one */
    if (!is_whole(from[0], -TAG_MAX, TAG_MAX) || from[0] == 0) return false;
    double square = 0;
    for (int k = 1; k <= 3; k++) {
        if (!std::isfinite(from[k])) return false;
        square += from[3 + k] * from[3 + k];
    }
    return std::fabs(square - 1) < ROUNDING && is_whole(from[7], -1, CLASSES_MAX - 1);
}

} // namespace

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

bool SphereMemory::unpack_checked(size_t sphere, const double *from, size_t count, int classes) {
    clear(sphere);
    if (count < 1 || (count - 1) % KEPT_NUMBERS != 0) return false;
    const size_t contacts = (count - 1) / KEPT_NUMBERS;
    if (from[0] != static_cast<double>(contacts)) return false;
    for (size_t k = 0; k < contacts; k++)
        if (!is_kept(from + 1 + KEPT_NUMBERS * k)) return false;
    unpack(sphere, from);
    for (Kept &kept : of[sphere])
        if (kept.contact.klass >= classes) kept.contact.klass = -1;
    return true;
}

} // namespace impinge_lammps
