#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <impinge/impinge.h>

#include "benchmarks.h"
#include "runner.h"

extern "C" {
#include "../tests/scenes/world.h"
}

namespace {

template <typename Real> struct api;

template <> struct api<float> {
    using world = world_f32;
    using step = impinge_particle_step_f32;
    static constexpr auto create = world_new_f32;
    static constexpr auto find = world_find_f32;
    static constexpr auto step_of = world_step_of_f32;
    static constexpr auto advance = world_step_f32;
    static constexpr auto rest = impinge_rest_particles_f32;
    static constexpr auto neighbours = impinge_find_neighbours_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using world = world_f64;
    using step = impinge_particle_step_f64;
    static constexpr auto create = world_new_f64;
    static constexpr auto find = world_find_f64;
    static constexpr auto step_of = world_step_of_f64;
    static constexpr auto advance = world_step_f64;
    static constexpr auto rest = impinge_rest_particles_f64;
    static constexpr auto neighbours = impinge_find_neighbours_f64;
    static constexpr auto precision = RUN_F64;
};

constexpr size_t SPHERES = 20000;
constexpr size_t TILES = 7; /* 980,000 spheres */
constexpr double TIME_STEP = 5e-4;
constexpr double SETTLED = 1; /* s */
constexpr size_t SWEEPS = 20;

/* A pour of 20,000 that has come to rest, its spheres in the order of cells, layer by layer. */
const sphere_scene &settled() {
    static sphere_scene scene = [] {
        auto poured = scene_pour(SPHERES);
        auto w = world_new_f64(&poured, TIME_STEP);
        for (double t = 0; t < SETTLED; t += TIME_STEP)
            world_step_f64(&w);
        std::vector<size_t> order(SPHERES);
        std::iota(order.begin(), order.end(), size_t{0});
        const auto cell = [&](size_t i) {
            const double side = 0.0125;
            double number = 0;
            for (size_t k = 3; k > 0; k--)
                number = number * 1000 + std::floor(w.position[k - 1][i] / side);
            return number;
        };
        std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
            return cell(i) != cell(j) ? cell(i) < cell(j) : i < j;
        });
        auto heap = poured;
        const auto fresh = sphere_scene_new(SPHERES);
        for (size_t k = 0; k < 3; k++) {
            heap.position[k] = fresh.position[k];
            heap.velocity[k] = fresh.velocity[k];
            heap.spin[k] = fresh.spin[k];
        }
        heap.radius = fresh.radius;
        heap.inverse_mass = fresh.inverse_mass;
        for (size_t i = 0; i < SPHERES; i++) {
            const size_t from = order[i];
            for (size_t k = 0; k < 3; k++)
                heap.position[k][i] = w.position[k][from];
            heap.radius[i] = poured.radius[from];
            heap.inverse_mass[i] = poured.inverse_mass[from];
        }
        world_free_f64(&w);
        return heap;
    }();
    return scene;
}

/* That heap side by side, without the walls between; its walls keep it apart from its like. */
sphere_scene tiled(size_t tiles) {
    const auto &one = settled();
    const double side = -one.offset[2];
    auto all = sphere_scene_new(SPHERES * tiles * tiles);
    for (size_t t = 0; t < tiles * tiles; t++)
        for (size_t i = 0; i < SPHERES; i++) {
            const size_t to = t * SPHERES + i;
            all.position[0][to] = one.position[0][i] + side * static_cast<double>(t % tiles);
            all.position[1][to] = one.position[1][i] + side * static_cast<double>(t / tiles);
            all.position[2][to] = one.position[2][i];
            all.radius[to] = one.radius[i];
            all.inverse_mass[to] = one.inverse_mass[i];
        }
    const double width = side * static_cast<double>(tiles);
    sphere_scene_add_plane(&all, 0, 0, 1, 0);
    sphere_scene_add_plane(&all, 1, 0, 0, 0);
    sphere_scene_add_plane(&all, -1, 0, 0, -width);
    sphere_scene_add_plane(&all, 0, 1, 0, 0);
    sphere_scene_add_plane(&all, 0, -1, 0, -width);
    all.gravity[2] = -9.81;
    all.restitution = one.restitution;
    all.friction = one.friction;
    return all;
}

/* Made when first wanted. */
template <typename Real> typename api<Real>::world &heap(size_t tiles) {
    static std::unique_ptr<typename api<Real>::world> worlds[TILES + 1];
    if (!worlds[tiles]) {
        auto scene = tiled(tiles);
        worlds[tiles] =
            std::make_unique<typename api<Real>::world>(api<Real>::create(&scene, TIME_STEP));
        sphere_scene_free(&scene);
        for (int s = 0; s < 4; s++)
            api<Real>::advance(worlds[tiles].get());
    }
    return *worlds[tiles];
}

/* Seconds of a contact, and of a sweep over it; and what was to be reached. */
void tell(benchmark::State &state, int64_t contacts, const char *aim) {
    state.SetItemsProcessed(contacts);
    state.counters["contact"] = benchmark::Counter(
        static_cast<double>(contacts), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.SetLabel(aim);
}

void select(benchmark::State &state, const char *target) {
    const auto status = impinge_target_select(target);
    if (status != IMPINGE_OK) state.SkipWithError(impinge_status_text(status));
}

template <typename Real> void step(benchmark::State &state, const char *target, size_t tiles) {
    auto &w = heap<Real>(tiles);
    select(state, target);
    int64_t contacts = 0;
    /* A simulation steps on and on: what other benchmarks left in the caches is none of its time.
     */
    api<Real>::advance(&w);
    for (auto _ : state) {
        api<Real>::advance(&w);
        contacts += static_cast<int64_t>(w.contacts.count);
    }
    run_end();
    tell(state, contacts, "aim of f32: 60 ns a contact; 1.3 times that of a million");
}

/*
 * Two threads that spin until both have come. Each has a cache line that only it writes: that takes
 * them 87 ns here, and 195 ns with one counter for both.
 */
struct spinning {
    struct alignas(128) line {
        std::atomic<size_t> come{0};
    } line[2];
};

struct spinning_member {
    spinning *both;
    size_t number, waited;

    static void wait(void *user) {
        auto *m = static_cast<spinning_member *>(user);
        m->waited++;
        m->both->line[m->number].come.store(m->waited, std::memory_order_release);
        while (m->both->line[1 - m->number].come.load(std::memory_order_acquire) < m->waited)
            ;
    }
};

template <typename Real>
void sweep(benchmark::State &state, const char *target, size_t tiles, size_t members) {
    auto &w = heap<Real>(tiles);
    select(state, target);
    api<Real>::find(&w);
    const auto options = w.options;
    w.options.rest.sweeps_max = SWEEPS;
    auto call = api<Real>::step_of(&w);
    spinning both;
    spinning_member waiting[2] = {{&both, 0, 0}, {&both, 1, 0}};
    const impinge_team teams[2] = {{0, members, spinning_member::wait, &waiting[0]},
                                   {1, members, spinning_member::wait, &waiting[1]}};
    for (auto _ : state) {
        auto first = call;
        auto second = call;
        first.team = members > 1 ? &teams[0] : nullptr;
        second.team = &teams[1];
        std::thread other;
        if (members > 1) other = std::thread([&] { api<Real>::rest(&second, nullptr); });
        if (api<Real>::rest(&first, nullptr) < 0) state.SkipWithError("the rest failed");
        if (members > 1) other.join();
    }
    run_end();
    w.options = options;
    tell(state, state.iterations() * static_cast<int64_t>(w.contacts.count * SWEEPS),
         members > 1 ? "aim: 1.8 times as fast as one thread"
                     : "aim: 12 ns a contact and sweep in f32, 20 in f64");
}

template <typename Real>
void neighbours(benchmark::State &state, const char *target, size_t tiles) {
    auto &w = heap<Real>(tiles);
    select(state, target);
    impinge_neighbour_options options{};
    options.skin = w.skin;
    for (auto _ : state)
        if (api<Real>::neighbours(&w.particles, &w.planes, &options, w.neighbours_workspace,
                                  nullptr, &w.list) < 0)
            state.SkipWithError("no neighbours");
    run_end();
    tell(state, state.iterations() * static_cast<int64_t>(w.contacts.count), "no aim");
}

template <typename Real> void register_heap(size_t tiles) {
    const std::string start =
        std::string("step/") + run_precision_names[api<Real>::precision] + "/";
    const std::string end = tiles == 1 ? "/heap-20000" : "/heap-980000";
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        const std::string name = start + target + end;
        benchmark::RegisterBenchmark((name + "-step").c_str(), step<Real>, target, tiles);
        benchmark::RegisterBenchmark((name + "-sweep").c_str(), sweep<Real>, target, tiles,
                                     size_t{1});
        benchmark::RegisterBenchmark((name + "-sweep-2-threads").c_str(), sweep<Real>, target,
                                     tiles, size_t{2})
            ->UseRealTime();
        benchmark::RegisterBenchmark((name + "-neighbours").c_str(), neighbours<Real>, target,
                                     tiles);
    }
}

} // namespace

void register_step() {
    for (const size_t tiles : {size_t{1}, TILES}) {
        register_heap<float>(tiles);
        register_heap<double>(tiles);
    }
}
