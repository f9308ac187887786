#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks.h"
#include "runner.h"

namespace {

struct Rule {
    const char *name;
    impinge_restitution_rule rule;
};

constexpr Rule rules[] = {
    {"routh-stronge", IMPINGE_RULE_STRONGE},
    {"routh-poisson", IMPINGE_RULE_POISSON},
    {"routh-newton", IMPINGE_RULE_NEWTON},
};

void count(benchmark::State &state, const run &what, const impinge_report &report) {
    const auto passes = state.iterations();
    const auto contacts = run_contacts(&what);
    state.SetItemsProcessed(passes * static_cast<int64_t>(contacts));
    state.SetBytesProcessed(passes * static_cast<int64_t>(run_bytes(&what)));
    const auto steps = static_cast<double>(report.steps);
    state.counters["steps"] = steps / static_cast<double>(contacts);
    /* Where nothing is integrated, no lane was idle. */
    const auto slots = static_cast<double>(report.lane_slots);
    state.counters["occupancy"] = slots > 0 ? steps / slots : 1;
}

/* Beside Euler's, on the set that it is compared on. */
void count_errors(benchmark::State &state, const run &what) {
    if (what.set != run_set_boxes() || what.rule != IMPINGE_RULE_STRONGE) return;
    const auto errors = run_errors_of(&what);
    state.counters["error_mean"] = errors.mean;
    state.counters["error_largest"] = errors.largest;
}

void resolve(benchmark::State &state, const run &what) {
    if (!run_begin(&what)) {
        state.SkipWithError("there is no such set or target");
        return;
    }
    impinge_report report{};
    auto status = IMPINGE_OK;
    for (auto _ : state) {
        status = run_resolve(&what, &report);
        benchmark::ClobberMemory();
    }
    run_end();
    if (status != IMPINGE_OK) state.SkipWithError(impinge_status_text(status));
    count(state, what, report);
    count_errors(state, what);
}

void register_one(const Rule &rule, const run &what) {
    const std::string name = std::string("resolve/") + rule.name + "/" +
                             run_precision_names[what.precision] + "/" +
                             run_target_name(what.target) + "/" + run_set_name(what.set);
    benchmark::RegisterBenchmark(name.c_str(), resolve, what)->Unit(benchmark::kMicrosecond);
}

/* The rules differ only in when a collision ends: one set is enough to see that they cost the same.
 */
bool is_of_interest(const Rule &rule, size_t set) {
    return rule.rule == IMPINGE_RULE_STRONGE || set == run_set_boxes();
}

} // namespace

void register_resolve() {
    for (const auto &rule : rules) {
        for (size_t set = 0; set < run_set_count(); set++) {
            if (!is_of_interest(rule, set)) continue;
            for (int precision = 0; precision < RUN_PRECISIONS; precision++) {
                for (size_t target = 0; target < run_target_count(); target++)
                    register_one(rule,
                                 {target, set, static_cast<run_precision>(precision), rule.rule});
            }
        }
    }
}
