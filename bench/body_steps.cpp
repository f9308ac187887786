/* A step's contacts of boxes: sweeps over a pile at rest, the recorded pit, and threads. */
#include "benchmarks.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include <impinge/impinge.h>

#include "box_steps.h"

namespace {

struct way {
    const char *precision;
    box_steps *(*pile)(size_t);
    box_steps *(*copies)(const box_steps *, size_t);
    box_steps *(*pit)(const char *);
    bool (*collapse)(box_steps *[COLLAPSE_STEPS]);
    bool (*rest)(box_steps *, size_t, size_t, size_t);
    double (*approach)(const box_steps *);
};

const way ways[] = {{"f32", box_steps_pile_f32, box_steps_copies_f32, box_steps_pit_f32,
                     box_steps_collapse_f32, box_steps_rest_f32, box_steps_approach_f32},
                    {"f64", box_steps_pile_f64, box_steps_copies_f64, box_steps_pit_f64,
                     box_steps_collapse_f64, box_steps_rest_f64, box_steps_approach_f64}};

enum { PILES = 2, SIZES = PILES + 1 };
/*
 * 216 boxes: a game's pile; 1000: more contacts than the nearest caches hold. Threads have ten
 * piles of 1000, too, whose colours are long enough that barriers hardly count.
 */
const size_t pile_sides[PILES] = {6, 10};
const char *const pile_names[SIZES] = {"pile-6", "pile-10", "ten-piles-10"};

/* Threads are created once for so many rests: a simulation keeps its own. */
const size_t rests_a_crew = 20;

box_steps *pile_of(const way &w, size_t which) {
    static box_steps *made[2][SIZES];
    box_steps *&s = made[&w - ways][which];
    if (!s) s = which < PILES ? w.pile(pile_sides[which]) : w.copies(pile_of(w, PILES - 1), 10);
    return s;
}

void run(benchmark::State &state, const way &w, const char *target, box_steps *s, size_t sweeps,
         size_t threads) {
    if (!s || impinge_target_select(target) != IMPINGE_OK)
        return state.SkipWithError("no scene, or no target");
    const size_t times = threads > 1 ? rests_a_crew : 1;
    while (state.KeepRunningBatch(static_cast<int64_t>(times)))
        if (!w.rest(s, sweeps, threads, times)) return state.SkipWithError("it did not go well");
    impinge_target_select(nullptr);
    const auto contacts = static_cast<int64_t>(box_steps_contacts(s));
    state.counters["contacts"] = static_cast<double>(contacts);
    state.counters["approach"] = w.approach(s);
    state.SetItemsProcessed(state.iterations() * contacts);
    state.counters["contact"] =
        benchmark::Counter(static_cast<double>(state.iterations() * contacts),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["and_sweep"] = benchmark::Counter(
        static_cast<double>(state.iterations() * contacts) * static_cast<double>(sweeps),
        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/* Enough sweeps for any step here: those of the pit take the most. */
constexpr size_t SWEEPS_MAX = 2000;
constexpr double APPROACH_AIM = 0.01; /* m/s */

/* The fewest sweeps that bring a step's approach to the aim. */
size_t sweeps_to_aim(const way &w, box_steps *s) {
    size_t sweeps = 1;
    while (sweeps < SWEEPS_MAX && w.rest(s, sweeps, 1, 1) && w.approach(s) > APPROACH_AIM)
        sweeps++;
    return sweeps;
}

/* As many sweeps in each step as bring its approach to the aim; time over all contacts. */
void run_to_aim(benchmark::State &state, const way &w, const char *target, box_steps *const *steps,
                size_t count) {
    if (!steps[0] || impinge_target_select(target) != IMPINGE_OK)
        return state.SkipWithError("no scene, or no target");
    size_t sweeps[COLLAPSE_STEPS], contacts = 0;
    double logarithms = 0;
    for (size_t k = 0; k < count; k++) {
        sweeps[k] = sweeps_to_aim(w, steps[k]);
        contacts += box_steps_contacts(steps[k]);
        logarithms += std::log(static_cast<double>(sweeps[k]));
    }
    for (auto _ : state)
        for (size_t k = 0; k < count; k++)
            if (!w.rest(steps[k], sweeps[k], 1, 1))
                return state.SkipWithError("it did not go well");
    impinge_target_select(nullptr);
    const double solved = static_cast<double>(state.iterations()) * static_cast<double>(contacts);
    state.counters["contacts"] = static_cast<double>(contacts);
    state.SetItemsProcessed(static_cast<int64_t>(solved));
    state.counters["contact"] =
        benchmark::Counter(solved, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["sweeps"] = std::exp(logarithms / static_cast<double>(count));
    state.SetLabel("aim: 200 ns a contact to an approach of 0.01 m/s");
}

void run_collapse(benchmark::State &state, const way &w, const char *target) {
    static box_steps *made[2][COLLAPSE_STEPS];
    box_steps **const steps = made[&w - ways];
    if (!steps[0] && !w.collapse(steps)) return state.SkipWithError("no scene");
    run_to_aim(state, w, target, steps, COLLAPSE_STEPS);
}

/* Bodies of 0.03 to 188 kg, some of the light ones between heavy ones: they converge slowly. */
box_steps *pit_of(const way &w) {
    static box_steps *made[2];
    box_steps *&s = made[&w - ways];
    if (!s) s = w.pit(BENCH_DATA);
    return s;
}

void run_pit(benchmark::State &state, const way &w, const char *target) {
    run(state, w, target, pit_of(w), 10, 1);
}

void run_pit_to_aim(benchmark::State &state, const way &w, const char *target) {
    box_steps *const s = pit_of(w);
    run_to_aim(state, w, target, &s, 1);
}

} // namespace

void register_body_steps() {
    for (const way &w : ways) {
        bool is_best = true;
        for (size_t i = 0; i < impinge_target_count(); i++) {
            if (!impinge_target_available(i)) continue;
            const char *const target = impinge_target_name(i);
            const std::string rest = std::string("/") + w.precision + "/" + target;
            for (size_t which = 0; which < PILES; which++) {
                /* Up to six, all sweeps are over all contacts. */
                for (const size_t sweeps : {1, 6}) {
                    const std::string name = std::string("body-steps/") + pile_names[which] +
                                             "-sweeps-" + std::to_string(sweeps) + rest;
                    benchmark::RegisterBenchmark(name.c_str(), [&w, target, which,
                                                                sweeps](benchmark::State &state) {
                        run(state, w, target, pile_of(w, which), sweeps, 1);
                        state.SetLabel("aim: 25 ns a contact and sweep in f32, 40 in f64");
                    })->Unit(benchmark::kMicrosecond);
                }
            }
            benchmark::RegisterBenchmark(
                ("body-steps/collapse" + rest).c_str(),
                [&w, target](benchmark::State &state) { run_collapse(state, w, target); })
                ->Unit(benchmark::kMicrosecond);
            benchmark::RegisterBenchmark(
                ("body-steps/pit" + rest).c_str(),
                [&w, target](benchmark::State &state) { run_pit(state, w, target); })
                ->Unit(benchmark::kMicrosecond);
            benchmark::RegisterBenchmark(
                ("body-steps/pit-to-aim" + rest).c_str(),
                [&w, target](benchmark::State &state) { run_pit_to_aim(state, w, target); })
                ->Unit(benchmark::kMicrosecond);
            for (size_t which = 0; is_best && which < SIZES; which++)
                for (const size_t threads : {1, 2}) {
                    const std::string name = std::string("body-steps/") + pile_names[which] +
                                             "-threads-" + std::to_string(threads) + rest;
                    const auto sweep = [&w, target, threads, which](benchmark::State &state) {
                        run(state, w, target, pile_of(w, which), 50, threads);
                    };
                    benchmark::RegisterBenchmark(name.c_str(), sweep)
                        ->Unit(benchmark::kMicrosecond)
                        ->UseRealTime();
                }
            is_best = false;
        }
    }
}
