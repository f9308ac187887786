#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <impinge/particles.h>
#include <impinge/target.h>

#include "benchmarks.h"
#include "plain_particles.h"
#include "runner.h"

extern "C" {
#include "packing.h"
}

namespace {

/* Of 50,000 spheres, beyond the second cache; and of as many as fit there. */
struct size {
    const char *name;
    size_t particles;
};
constexpr size sizes[] = {{"packing", PACKING_PARTICLES}, {"packing-l2", 3000}};

/* What differs between the precisions but for the type of the numbers. */
template <typename Real> struct api;

template <> struct api<float> {
    using particles = impinge_particles_f32;
    using contacts = impinge_particle_contacts_f32;
    using results = impinge_particle_results_f32;
    static constexpr auto resolve = impinge_resolve_particle_pairs_f32;
    static constexpr auto apply = impinge_apply_particle_pairs_f32;
    static constexpr auto collide = impinge_collide_particle_pairs_f32;
    static constexpr auto workspace = impinge_collide_particle_pairs_workspace_f32;
    static constexpr auto plain = plain_particles_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using particles = impinge_particles_f64;
    using contacts = impinge_particle_contacts_f64;
    using results = impinge_particle_results_f64;
    static constexpr auto resolve = impinge_resolve_particle_pairs_f64;
    static constexpr auto apply = impinge_apply_particle_pairs_f64;
    static constexpr auto collide = impinge_collide_particle_pairs_f64;
    static constexpr auto workspace = impinge_collide_particle_pairs_workspace_f64;
    static constexpr auto plain = plain_particles_f64;
    static constexpr auto precision = RUN_F64;
};

/* A packing, and a second set of particles that is changed. */
template <typename Real> class packed_set {
  public:
    explicit packed_set(size_t count) : spheres(packing_new(count)) {
        for (auto &column : read)
            column.resize(count);
        for (size_t i = 0; i < count; i++) {
            read[0][i] = static_cast<Real>(spheres.radius[i]);
            read[1][i] = static_cast<Real>(1 / spheres.mass[i]);
            for (size_t k = 0; k < 3; k++)
                read[2 + k][i] = static_cast<Real>(spheres.position[k][i]);
            for (size_t k = 5; k < columns; k++)
                read[k][i] = static_cast<Real>(spheres.motion[k - 5][i]);
        }
        changed = read;
        for (auto &column : written)
            column.resize(spheres.contacts);
    }
    ~packed_set() { packing_free(&spheres); }
    packed_set(const packed_set &) = delete;
    packed_set &operator=(const packed_set &) = delete;

    typename api<Real>::particles particles() { return particles_of(read); }
    typename api<Real>::particles to() { return particles_of(changed); }

    typename api<Real>::contacts contacts() const {
        typename api<Real>::contacts c{};
        c.count = spheres.contacts;
        c.index_a = spheres.a;
        c.index_b = spheres.b;
        c.coefficients.restitution.value = static_cast<Real>(0.9);
        c.coefficients.friction.value = static_cast<Real>(0.4);
        c.projection_factor = static_cast<Real>(0.2);
        return c;
    }

    /* Particles that are changed, as they were. */
    void reset() {
        for (size_t k = 0; k < columns; k++)
            std::copy(read[k].begin(), read[k].end(), changed[k].begin());
    }

    /* What the call that applies needs, no more. */
    typename api<Real>::results results() {
        typename api<Real>::results r{};
        size_t c = 0;
        for (Real **output : {&r.impulse_x, &r.impulse_y, &r.impulse_z, &r.normal_x, &r.normal_y,
                              &r.normal_z, &r.projection})
            *output = written[c++].data();
        return r;
    }

  private:
    static constexpr size_t columns = 11;
    using table = std::vector<std::vector<Real>>;

    typename api<Real>::particles particles_of(table &t) {
        typename api<Real>::particles p{};
        p.count = spheres.particles;
        p.radius = t[0].data();
        p.inverse_mass = t[1].data();
        size_t c = 2;
        for (Real **column :
             {&p.position_x, &p.position_y, &p.position_z, &p.velocity_x, &p.velocity_y,
              &p.velocity_z, &p.angular_velocity_x, &p.angular_velocity_y, &p.angular_velocity_z})
            *column = t[c++].data();
        return p;
    }

    packing spheres;
    table read = table(columns), changed, written = table(7);
};

/* Made when first wanted. */
template <typename Real> packed_set<Real> &set_of(size_t which) {
    static std::unique_ptr<packed_set<Real>> sets[sizeof sizes / sizeof *sizes];
    if (!sets[which]) sets[which] = std::make_unique<packed_set<Real>>(sizes[which].particles);
    return *sets[which];
}

enum part { RESOLVE = 1, APPLY = 2, BOTH = 3 };

/* Gather, resolve, apply: pairs to their particles' new velocities. */
template <typename Real>
void particles(benchmark::State &state, const char *target, size_t which, part parts) {
    auto &set = set_of<Real>(which);
    const auto from = set.particles();
    const auto to = set.to();
    const auto contacts = set.contacts();
    const auto results = set.results();
    const auto resolve = [&] {
        return api<Real>::resolve(&from, &contacts, nullptr, &results, nullptr);
    };
    auto status = impinge_target_select(target);
    if (status == IMPINGE_OK) status = resolve();
    if (status != IMPINGE_OK) {
        run_end();
        state.SkipWithError(impinge_status_text(status));
        return;
    }
    for (auto _ : state) {
        if (parts & RESOLVE) benchmark::DoNotOptimize(resolve());
        if (parts & APPLY)
            benchmark::DoNotOptimize(api<Real>::apply(&to, &contacts, &results, 0, to.count));
        benchmark::ClobberMemory();
    }
    run_end();
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts.count));
}

/* All of it in one call, on particles that begin as they were each time. */
template <typename Real> void collide(benchmark::State &state, const char *target, size_t which) {
    auto &set = set_of<Real>(which);
    const auto to = set.to();
    const auto contacts = set.contacts();
    std::vector<unsigned char> workspace(api<Real>::workspace(to.count));
    auto status = impinge_target_select(target);
    for (auto _ : state) {
        state.PauseTiming();
        set.reset();
        state.ResumeTiming();
        if (status == IMPINGE_OK)
            status = api<Real>::collide(&to, &contacts, nullptr, workspace.data(), nullptr);
        benchmark::ClobberMemory();
    }
    run_end();
    if (status != IMPINGE_OK) state.SkipWithError(impinge_status_text(status));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts.count));
}

template <typename Real> void plain(benchmark::State &state, size_t which) {
    auto &set = set_of<Real>(which);
    const auto from = set.particles();
    const auto to = set.to();
    const auto contacts = set.contacts();
    for (auto _ : state) {
        api<Real>::plain(&from, &contacts, &to);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts.count));
}

template <typename Real> void register_set(size_t which) {
    const std::string start =
        std::string("particles/") + run_precision_names[api<Real>::precision] + "/";
    const std::string end = std::string("/") + sizes[which].name;
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        const std::string name = start + target + end;
        benchmark::RegisterBenchmark(name.c_str(), collide<Real>, target, which);
        benchmark::RegisterBenchmark((name + "-two-calls").c_str(), particles<Real>, target, which,
                                     BOTH);
        benchmark::RegisterBenchmark((name + "-resolve").c_str(), particles<Real>, target, which,
                                     RESOLVE);
    }
    benchmark::RegisterBenchmark((start + "plain" + end).c_str(), plain<Real>, which);
}

} // namespace

void register_particles() {
    for (size_t which = 0; which < sizeof sizes / sizeof *sizes; which++) {
        register_set<float>(which);
        register_set<double>(which);
    }
}
