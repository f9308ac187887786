#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include <impinge/planar.h>
#include <impinge/target.h>

#include "benchmarks.h"
#include "runner.h"
#include "timing.h"

extern "C" {
#include "../tests/random_contacts.h"
#include "memory.h"
}

namespace {

enum column { KTT, KTN, KNN, UT, UN, E, MU, INPUTS };
enum { OUTPUTS = 7 };

/*
 * In f32; half as many in f64, which are as many bytes: 4 MiB with the outputs, more than the first
 * cache.
 */
constexpr size_t BYTES_OF_COLUMN = 65536 * sizeof(float);

/*
 * Columns of a power of two would all begin at the same place of a page, in the same lines of a
 * cache. The 15 columns and the outcome are spread over a page of 4 KiB instead.
 */
constexpr size_t BYTES_BETWEEN_COLUMNS = 4096 / 16;

/* The differences between the precisions besides the type of the numbers. */
template <typename Real> struct api;

template <> struct api<float> {
    using contacts = impinge_planar_contacts_f32;
    using results = impinge_planar_contact_results_f32;
    static constexpr auto resolve = impinge_resolve_planar_contacts_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using contacts = impinge_planar_contacts_f64;
    using results = impinge_planar_contact_results_f64;
    static constexpr auto resolve = impinge_resolve_planar_contacts_f64;
    static constexpr auto precision = RUN_F64;
};

/* The axes t and n of L L^T + 0.1, where L is a lower triangle in space: t is axis 1, n axis 3. */
void draw_matrix(uint64_t *state, double row[INPUTS]) {
    const double least = 0.1; /* keeps K definite */
    const double l11 = random_between(state, -1, 1);
    const double l31 = random_between(state, -1, 1);
    const double l32 = random_between(state, -1, 1);
    const double l33 = random_between(state, -1, 1);
    row[KTT] = l11 * l11 + least;
    row[KTN] = l11 * l31;
    row[KNN] = l31 * l31 + l32 * l32 + l33 * l33 + least;
}

/* Velocities and coefficients in the ranges of the set "boxes" in space; see drawn.h. */
void draw_row(uint64_t *state, double row[INPUTS]) {
    draw_matrix(state, row);
    row[UT] = random_between(state, -2, 2);
    row[UN] = -2 * random_positive(state);
    row[E] = random_positive(state);
    row[MU] = random_between(state, 0, 1.2);
}

/* Random contacts, the same in every run and on every target, and arrays for their results. */
template <typename Real> class planar_set {
  public:
    static constexpr size_t count = BYTES_OF_COLUMN / sizeof(Real);

    planar_set() {
        uint64_t state = 20002;
        for (size_t i = 0; i < count; i++) {
            double row[INPUTS];
            draw_row(&state, row);
            /* Numbers of f32: both precisions solve the same contacts. */
            for (size_t c = 0; c < INPUTS; c++)
                column(c)[i] = static_cast<Real>(static_cast<float>(row[c]));
        }
    }
    ~planar_set() { std::free(memory); }
    planar_set(const planar_set &) = delete;
    planar_set &operator=(const planar_set &) = delete;

    typename api<Real>::contacts contacts() const {
        typename api<Real>::contacts c{};
        c.count = count;
        c.ktt = column(KTT);
        c.ktn = column(KTN);
        c.knn = column(KNN);
        c.ut = column(UT);
        c.un = column(UN);
        c.coefficients.restitution.values = column(E);
        c.coefficients.friction.values = column(MU);
        return c;
    }

    typename api<Real>::results results() const {
        typename api<Real>::results r{};
        size_t c = INPUTS;
        for (Real **output : {&r.pt, &r.pn, &r.ut_after, &r.un_after, &r.work_compression,
                              &r.work_restitution, &r.work_friction})
            *output = column(c++);
        r.outcome = reinterpret_cast<uint32_t *>(column(c));
        return r;
    }

  private:
    static constexpr size_t stride = BYTES_OF_COLUMN + BYTES_BETWEEN_COLUMNS;

    Real *column(size_t c) const { return reinterpret_cast<Real *>(memory + c * stride); }

    char *memory = static_cast<char *>(allocated(INPUTS + OUTPUTS + 1, stride));
};

template <typename Real> void planar(benchmark::State &state, const char *target) {
    static const planar_set<Real> set;
    const auto contacts = set.contacts();
    const auto results = set.results();
    time_call(state, target, set.count,
              [&] { return api<Real>::resolve(&contacts, nullptr, nullptr, &results, nullptr); });
}

template <typename Real> void register_precision() {
    const std::string precision = run_precision_names[api<Real>::precision];
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        const std::string name = "planar/" + precision + "/" + target + "/boxes";
        benchmark::RegisterBenchmark(name.c_str(), planar<Real>, target)
            ->Unit(benchmark::kMicrosecond);
    }
}

} // namespace

void register_planar() {
    register_precision<float>();
    register_precision<double>();
}
