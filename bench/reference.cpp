#include <benchmark/benchmark.h>

#include "benchmarks.h"
#include "euler.h"

namespace {

void count(benchmark::State &state, const euler_pass &pass, size_t contacts) {
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts));
    state.counters["contacts"] = static_cast<double>(contacts);
    state.counters["steps"] = pass.steps / static_cast<double>(contacts);
    state.counters["error_mean"] = pass.errors.mean;
    state.counters["error_largest"] = pass.errors.largest;
}

void euler(benchmark::State &state) {
    if (!euler_begin()) {
        state.SkipWithError("no step of Euler's is short enough");
        return;
    }
    euler_pass pass{};
    for (auto _ : state)
        pass = euler_run();
    count(state, pass, euler_contacts());
}

void reference(benchmark::State &state) {
    reference_begin();
    euler_pass pass{};
    for (auto _ : state)
        pass = reference_run();
    count(state, pass, reference_contacts());
}

} // namespace

void register_reference() {
    benchmark::RegisterBenchmark("euler/f64/" EULER_ACCURACY_NAME "/boxes", euler)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("reference/f64/boxes", reference)->Unit(benchmark::kMicrosecond);
}
