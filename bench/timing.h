/** Timing a call on a target, for benchmarks that make one call again and again. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <benchmark/benchmark.h>

#include <impinge/target.h>

#include "runner.h"

inline void skip_for(benchmark::State &state, impinge_status status) {
    run_end();
    state.SkipWithError(impinge_status_text(status));
}

/**
 * Times a call, which returns a status, of so many contacts; first once before: memory that was
 * only reserved is not there before it is written.
 */
template <typename Call>
void time_call(benchmark::State &state, const char *target, size_t contacts, Call call) {
    auto status = impinge_target_select(target);
    if (status == IMPINGE_OK) status = call();
    if (status != IMPINGE_OK) return skip_for(state, status);
    for (auto _ : state) {
        benchmark::DoNotOptimize(call());
        benchmark::ClobberMemory();
    }
    run_end();
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts));
}

#endif
