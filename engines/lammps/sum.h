/*
 * Sums over ranks that do not depend on how many there are: of whole multiples of a quantum, which
 * is a share of the largest term of all ranks.
 */
#ifndef IMPINGE_ENGINES_LAMMPS_SUM_H
#define IMPINGE_ENGINES_LAMMPS_SUM_H

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace impinge_lammps {

/*
 * Whether the sum of all is below 0 by more than rounding could hide in any order: then exact sums
 * would say so, too, and this is quicker.
 */
inline bool is_clearly_negative(const std::vector<double> &terms, MPI_Comm world) {
    constexpr double FAR_ABOVE_ROUNDING = 1e-6;
    double mine[2] = {0, 0};
    double all[2];
    for (const double term : terms) {
        mine[0] += term;
        mine[1] += std::fabs(term);
    }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, world);
    return all[0] < -FAR_ABOVE_ROUNDING * all[1];
}

/* Two columns of terms, one after the other, of any count. */
inline void sum_exactly(const std::vector<double> &terms, double sums[2], MPI_Comm world) {
    /* Below 2^31 terms of at most 2^32 quanta: their sum fits 64 bits. */
    constexpr int QUANTA_BITS = 31;
    double largest[2] = {0, 0};
    double of_all[2];
    for (size_t i = 0; i < terms.size(); i++)
        largest[i % 2] = std::max(largest[i % 2], std::fabs(terms[i]));
    MPI_Allreduce(largest, of_all, 2, MPI_DOUBLE, MPI_MAX, world);
    double quantum[2];
    for (int k = 0; k < 2; k++)
        quantum[k] = of_all[k] > 0 && std::isfinite(of_all[k])
                         ? std::ldexp(1, std::ilogb(of_all[k]) - QUANTA_BITS)
                         : 1;
    int64_t mine[2] = {0, 0};
    int64_t all[2];
    for (size_t i = 0; i < terms.size(); i++)
        if (std::isfinite(terms[i])) mine[i % 2] += std::llrint(terms[i] / quantum[i % 2]);
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, world);
    for (int k = 0; k < 2; k++)
        sums[k] = static_cast<double>(all[k]) * quantum[k];
}

} // namespace impinge_lammps

#endif
