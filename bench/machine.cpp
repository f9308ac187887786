#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks.h"
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

} // namespace

void register_machine() {
    for (size_t i = 0; i < peak_count(); i++) {
        const auto *kernel = peak_get(i);
        const std::string name =
            std::string("peak/fma/") + kernel->precision + "/" + kernel->target;
        benchmark::RegisterBenchmark(name.c_str(), peak, kernel)->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark("triad/f32", triad)->Unit(benchmark::kMicrosecond);
}
