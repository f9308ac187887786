#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "benchmarks.h"
#include "runner.h"

namespace {

struct Rule {
    const char *name;
    impinge_restitution_rule rule;
    std::vector<set_id> sets;
};

/* The rules differ only in when a collision ends: one set is enough to see that they cost the same.
 */
const Rule routh_rules[] = {
    {"routh-stronge",
     IMPINGE_RULE_STRONGE,
     {SET_BOXES, SET_SLIDING, SET_STICKING, SET_DIVERGING, SET_SEPARATING, SET_BOXES_PIT,
      SET_SPHERES_POUR, SET_NEAR_JAM}},
    {"routh-poisson", IMPINGE_RULE_POISSON, {SET_BOXES}},
    {"routh-newton", IMPINGE_RULE_NEWTON, {SET_BOXES}},
};

/* Closed forms where they are limited by the CPU and where by memory; the others take longer. */
std::vector<set_id> sets_of(impinge_law law) {
    switch (law) {
    case IMPINGE_LAW_BILINEAR:
        return {SET_L1_SPHERES, SET_MEMORY_SPHERES};
    case IMPINGE_LAW_FRICTIONLESS:
    case IMPINGE_LAW_CHATTERJEE_RUINA:
    case IMPINGE_LAW_BRACH:
        return {SET_L1, SET_MEMORY};
    default:
        return {SET_BOXES};
    }
}

bool is_memory(set_id set) { return set == SET_MEMORY || set == SET_MEMORY_SPHERES; }

void count(benchmark::State &state, const run &what, const impinge_report &report) {
    const auto passes = state.iterations();
    const auto contacts = run_contacts(&what);
    state.SetItemsProcessed(passes * static_cast<int64_t>(contacts));
    state.SetBytesProcessed(passes * static_cast<int64_t>(run_bytes(&what)));
    const auto steps = static_cast<double>(report.steps);
    state.counters["steps"] = steps / static_cast<double>(contacts);
    /* If no equation is integrated, no lane was idle. */
    const auto slots = static_cast<double>(report.lane_slots);
    state.counters["occupancy"] = slots > 0 ? steps / slots : 1;
}

/* Beside Euler's, on the set that it is compared on. */
void count_errors(benchmark::State &state, const run &what) {
    if (what.set != SET_BOXES || what.law != IMPINGE_LAW_ROUTH || what.rule != IMPINGE_RULE_STRONGE)
        return;
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

void register_one(const char *law, const run &what) {
    const std::string name =
        std::string("resolve/") + law + "/" + run_precision_names[what.precision] + "/" +
        run_target_name(what.target) + "/" + set_name(what.set) + (what.impulse_only ? "-p" : "");
    benchmark::RegisterBenchmark(name.c_str(), resolve, what)->Unit(benchmark::kMicrosecond);
}

/* Registers both precisions on every target. */
void register_everywhere(const char *law, run what) {
    for (int precision = 0; precision < RUN_PRECISIONS; precision++) {
        what.precision = static_cast<run_precision>(precision);
        for (what.target = 0; what.target < run_target_count(); what.target++)
            register_one(law, what);
    }
}

void register_set(const char *name, impinge_law law, impinge_restitution_rule rule, set_id set) {
    run what{};
    what.set = set;
    what.law = law;
    what.rule = rule;
    register_everywhere(name, what);
    if (!is_memory(set)) return;
    what.impulse_only = true;
    register_everywhere(name, what);
}

} // namespace

void register_resolve() {
    for (const auto &rule : routh_rules) {
        for (const auto set : rule.sets)
            register_set(rule.name, IMPINGE_LAW_ROUTH, rule.rule, set);
    }
    for (int i = IMPINGE_LAW_ROUTH + 1; i < IMPINGE_LAW_COUNT; i++) {
        const auto law = static_cast<impinge_law>(i);
        for (const auto set : sets_of(law))
            register_set(impinge_law_name(law), law, IMPINGE_RULE_STRONGE, set);
    }
}
