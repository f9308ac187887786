#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include <impinge/mechanisms.h>
#include <impinge/target.h>

#include "benchmarks.h"
#include "plain_mechanisms.h"
#include "runner.h"
#include "timing.h"

extern "C" {
#include "../tests/random_contacts.h"
}

namespace {

/* In the second cache: 512 KiB to 1 MiB of mass matrices. */
struct size {
    size_t coordinates, count;
};
constexpr size sizes[] = {{7, 2048}, {32, 240}};

/* The differences between the precisions besides the type of the numbers. */
template <typename Real> struct api;

template <> struct api<float> {
    using mechanisms = impinge_mechanisms_f32;
    using results = impinge_mechanism_results_f32;
    static constexpr auto resolve = impinge_resolve_mechanisms_f32;
    static constexpr auto plain = plain_mechanisms_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using mechanisms = impinge_mechanisms_f64;
    using results = impinge_mechanism_results_f64;
    static constexpr auto resolve = impinge_resolve_mechanisms_f64;
    static constexpr auto plain = plain_mechanisms_f64;
    static constexpr auto precision = RUN_F64;
};

/*
 * Random mechanisms, as columns for the library and one after the other for the plain loop. M has
 * a heavy diagonal, so that it is definite; every contact approaches or not, as it happens.
 */
template <typename Real> struct mechanism_set {
    explicit mechanism_set(size s)
        : count(s.count), n(s.coordinates), mass(count * n * (n + 1) / 2), jacobian(3 * count * n),
          speeds(count * n), after(count * n), mass_apart(mass.size()), normal(count * n),
          speeds_apart(count * n) {
        uint64_t state = 32032;
        for (size_t m = 0; m < count; m++) {
            for (size_t i = 0, at = 0; i < n; i++)
                for (size_t j = 0; j <= i; j++, at++) {
                    const double element =
                        i == j ? static_cast<double>(n) : random_between(&state, -0.5, 0.5);
                    mass_apart[m * n * (n + 1) / 2 + at] = static_cast<Real>(element);
                    mass[at * count + m] = static_cast<Real>(element);
                }
            for (size_t k = 0; k < 3 * n; k++)
                jacobian[k * count + m] = static_cast<Real>(random_between(&state, -1, 1));
            for (size_t k = 0; k < n; k++) {
                normal[m * n + k] = jacobian[(2 * n + k) * count + m];
                speeds[k * count + m] = static_cast<Real>(random_between(&state, -1, 1));
                speeds_apart[m * n + k] = speeds[k * count + m];
            }
        }
    }

    typename api<Real>::mechanisms mechanisms() const {
        typename api<Real>::mechanisms in{};
        in.count = in.stride = count;
        in.coordinates = n;
        in.mass = mass.data();
        in.jacobian = jacobian.data();
        in.speeds = speeds.data();
        in.coefficients.restitution.value = restitution;
        return in;
    }

    static constexpr Real restitution = Real(0.5);
    size_t count, n;
    std::vector<Real> mass, jacobian, speeds, after, mass_apart, normal, speeds_apart;
};

template <typename Real> mechanism_set<Real> &set_of(size_t which) {
    static mechanism_set<Real> sets[] = {mechanism_set<Real>(sizes[0]),
                                         mechanism_set<Real>(sizes[1])};
    return sets[which];
}

template <typename Real>
void library(benchmark::State &state, size_t which, impinge_law law, const char *target) {
    auto &set = set_of<Real>(which);
    const auto in = set.mechanisms();
    typename api<Real>::results out{};
    out.speeds = set.after.data();
    impinge_options options{};
    options.law = law;
    time_call(state, target, set.count,
              [&] { return api<Real>::resolve(&in, nullptr, &options, &out, nullptr); });
}

template <typename Real> void plain(benchmark::State &state, size_t which) {
    auto &set = set_of<Real>(which);
    for (auto _ : state) {
        api<Real>::plain(set.count, set.n, set.mass_apart.data(), set.normal.data(),
                         set.speeds_apart.data(), set.restitution, set.after.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(set.count));
}

template <typename Real> void register_size(size_t which) {
    const std::string precision = run_precision_names[api<Real>::precision];
    const std::string end = "/" + std::to_string(sizes[which].coordinates);
    const std::string begin = "mechanisms/" + precision + "/";
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        for (const auto law : {IMPINGE_LAW_FRICTIONLESS, IMPINGE_LAW_CHATTERJEE_RUINA}) {
            const std::string name = begin + target + "/" + impinge_law_name(law) + end;
            benchmark::RegisterBenchmark(name.c_str(), library<Real>, which, law, target)
                ->Unit(benchmark::kMicrosecond);
        }
    }
    benchmark::RegisterBenchmark((begin + "plain/frictionless" + end).c_str(), plain<Real>, which)
        ->Unit(benchmark::kMicrosecond);
}

} // namespace

void register_mechanisms() {
    for (size_t which = 0; which < sizeof sizes / sizeof *sizes; which++) {
        register_size<float>(which);
        register_size<double>(which);
    }
}
