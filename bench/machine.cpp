#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks.h"
#include "columns.h"
#include "peak.h"
#include "triad.h"

namespace {

void peak(benchmark::State &state, const peak_kernel *kernel) {
    constexpr size_t rounds = 10000;
    for (auto _ : state)
        kernel->run(rounds);
    const auto flops = static_cast<double>(rounds * kernel->flops);
    state.counters["flops_per_second"] = benchmark::Counter(
        flops, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

void triad(benchmark::State &state) {
    triad_begin();
    for (auto _ : state) {
        triad_run();
        benchmark::ClobberMemory();
    }
    triad_end();
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(triad_bytes()));
}

/* The columns of a law in closed form: 9 of K and u0 and its coefficients; 10 or 4 of results. */
struct Columns {
    size_t in, out;
};

constexpr Columns of_laws[] = {{10, 10}, {12, 10}, {13, 10}, {10, 4}, {12, 4}, {13, 4}};

void columns(benchmark::State &state, Columns of, bool streaming) {
    columns_begin();
    for (auto _ : state) {
        columns_run(of.in, of.out, streaming);
        benchmark::ClobberMemory();
    }
    columns_end();
    state.SetBytesProcessed(state.iterations() *
                            static_cast<int64_t>(columns_bytes(of.in, of.out)));
}

} // namespace

void register_machine() {
    for (size_t i = 0; i < peak_count(); i++) {
        const auto *kernel = peak_get(i);
        const std::string name =
            std::string("peak/fma/") + kernel->precision + "/" + kernel->target;
        benchmark::RegisterBenchmark(name.c_str(), peak, kernel)->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark("triad/f32", triad)->Unit(benchmark::kMicrosecond);
    for (const auto of : of_laws) {
        for (const bool streaming : {false, true}) {
            const std::string name = "columns/f32/" + std::to_string(of.in) + "-in-" +
                                     std::to_string(of.out) + "-out/" +
                                     (streaming ? "streaming" : "ordinary");
            benchmark::RegisterBenchmark(name.c_str(), columns, of, streaming)
                ->Unit(benchmark::kMicrosecond);
        }
    }
}
