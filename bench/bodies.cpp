#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <impinge/impinge.h>

#include "benchmarks.h"
#include "runner.h"
#include "timing.h"

extern "C" {
#include "../tests/random_contacts.h"
}

namespace {

/*
 * Bodies on a grid of side^3 points, each in contact with the next one along x, y and z: three
 * contacts a body but for the faces, in the order of the bodies, as a list of neighbours has them.
 */
struct grid {
    std::vector<uint32_t> a, b;
    size_t bodies = 0;

    explicit grid(size_t side) : bodies(side * side * side) {
        const size_t steps[] = {1, side, side * side};
        for (size_t i = 0; i < bodies; i++)
            for (const size_t step : steps) {
                if (i / step % side == side - 1) continue;
                a.push_back(static_cast<uint32_t>(i));
                b.push_back(static_cast<uint32_t>(i + step));
            }
    }

    impinge_contact_graph graph() const {
        impinge_contact_graph g{};
        g.contacts = a.size();
        g.index_a = a.data();
        g.index_b = b.data();
        g.bodies = bodies;
        return g;
    }
};

/* The least side of a grid of so many contacts, 3 side^2 (side - 1). */
size_t side_of(size_t contacts) {
    size_t side = 2;
    while (3 * side * side * (side - 1) < contacts)
        side++;
    return side;
}

/* ---- Colours and islands ---- */

void colours(benchmark::State &state, size_t contacts) {
    const grid of(side_of(contacts));
    const auto graph = of.graph();
    std::vector<uint64_t> workspace(
        impinge_colour_contacts_workspace(graph.contacts, graph.bodies) / 8 + 1);
    std::vector<uint32_t> order(graph.contacts), starts(IMPINGE_COLOURS_MAX + 1);
    impinge_contact_groups colours{order.data(), starts.data(), 0};
    for (auto _ : state) {
        const auto status = impinge_colour_contacts(&graph, workspace.data(), &colours);
        if (status != IMPINGE_OK) return skip_for(state, status);
        benchmark::ClobberMemory();
    }
    state.counters["colours"] = static_cast<double>(colours.count);
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(graph.contacts));
}

void islands(benchmark::State &state, size_t contacts) {
    const grid of(side_of(contacts));
    const auto graph = of.graph();
    std::vector<uint64_t> workspace(
        impinge_find_islands_workspace(graph.contacts, graph.bodies) / 8 + 1);
    std::vector<uint32_t> order(graph.contacts), starts(graph.contacts + 1);
    impinge_contact_groups found{order.data(), starts.data(), 0};
    for (auto _ : state) {
        const auto status = impinge_find_islands(&graph, workspace.data(), &found);
        if (status != IMPINGE_OK) return skip_for(state, status);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(graph.contacts));
}

/* ---- Collisions ---- */

/* The differences between the precisions besides the type of the numbers. */
template <typename Real> struct api;

template <> struct api<float> {
    using body_set = impinge_bodies_f32;
    using contacts = impinge_indexed_contacts_f32;
    using results = impinge_indexed_results_f32;
    using side = impinge_pair_side_f32;
    using pairs = impinge_body_pairs_f32;
    using pair_results = impinge_body_pair_results_f32;
    static constexpr auto resolve = impinge_resolve_indexed_f32;
    static constexpr auto resolve_pairs = impinge_resolve_body_pairs_f32;
    static constexpr auto apply = impinge_apply_impulses_f32;
    static constexpr auto sweep = impinge_sweep_f32;
    static constexpr auto sequence = impinge_resolve_sequence_f32;
    static constexpr auto sequence_workspace = impinge_resolve_sequence_workspace_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using body_set = impinge_bodies_f64;
    using contacts = impinge_indexed_contacts_f64;
    using results = impinge_indexed_results_f64;
    using side = impinge_pair_side_f64;
    using pairs = impinge_body_pairs_f64;
    using pair_results = impinge_body_pair_results_f64;
    static constexpr auto resolve = impinge_resolve_indexed_f64;
    static constexpr auto resolve_pairs = impinge_resolve_body_pairs_f64;
    static constexpr auto apply = impinge_apply_impulses_f64;
    static constexpr auto sweep = impinge_sweep_f64;
    static constexpr auto sequence = impinge_resolve_sequence_f64;
    static constexpr auto sequence_workspace = impinge_resolve_sequence_workspace_f64;
    static constexpr auto precision = RUN_F64;
};

enum {
    MASS,
    INERTIA,
    VELOCITY = INERTIA + 6,
    ANGULAR = VELOCITY + 3,
    BODY_INPUTS_ALL = ANGULAR + 3
};
enum {
    ARM_A,
    ARM_B = ARM_A + 3,
    ARMS_END = ARM_B + 3,
    NORMAL_AT = ARMS_END,
    E = NORMAL_AT + 3,
    MU,
    CONTACT_ALL
};
enum { IMPULSE, WORK = IMPULSE + 3, RESULTS = WORK + 3 };

/* About 62 thousand contacts: more than the first caches hold, gathered or not. */
constexpr size_t SIDE = 28;

/* Boxes that fall towards the middle of their grid, the same in every run and on every target. */
template <typename Real> class scene {
    using column = std::vector<Real>;

  public:
    const grid of{SIDE};
    const size_t count = of.a.size();

    scene() {
        uint64_t state = 50001;
        for (auto &c : body)
            c.assign(of.bodies, 0);
        for (auto &c : contact)
            c.assign(count, 0);
        for (auto &c : result)
            c.assign(count, 0);
        outcome.assign(count, 0);
        for (size_t i = 0; i < of.bodies; i++)
            draw_body(&state, i);
        for (size_t i = 0; i < count; i++)
            draw_contact(&state, i);
        for (size_t c = 0; c < 6; c++)
            at_first[c] = body[VELOCITY + c];
        colour();
        gather(0, of.a);
        gather(1, of.b);
    }

    typename api<Real>::body_set bodies() {
        typename api<Real>::body_set b{};
        b.count = of.bodies;
        const auto set = pointers(b);
        for (size_t c = 0; c < 7; c++)
            *set.read[c] = body[c].data();
        b.velocity_x = body[VELOCITY].data();
        b.velocity_y = body[VELOCITY + 1].data();
        b.velocity_z = body[VELOCITY + 2].data();
        b.angular_velocity_x = body[ANGULAR].data();
        b.angular_velocity_y = body[ANGULAR + 1].data();
        b.angular_velocity_z = body[ANGULAR + 2].data();
        return b;
    }

    typename api<Real>::contacts contacts() const {
        typename api<Real>::contacts c{};
        c.count = count;
        c.index_a = of.a.data();
        c.index_b = of.b.data();
        const Real **const arrays[] = {&c.arm_a_x, &c.arm_a_y,  &c.arm_a_z,  &c.arm_b_x, &c.arm_b_y,
                                       &c.arm_b_z, &c.normal_x, &c.normal_y, &c.normal_z};
        for (size_t k = 0; k < E; k++)
            *arrays[k] = contact[k].data();
        c.coefficients.restitution.values = contact[E].data();
        c.coefficients.friction.values = contact[MU].data();
        c.sharing = sharing.data();
        return c;
    }

    /* The same contacts as body pairs, gathered beforehand. */
    typename api<Real>::pairs pairs() const {
        typename api<Real>::pairs p{};
        p.count = count;
        p.a = side(0, ARM_A);
        p.b = side(1, ARM_B);
        p.normal_x = contact[NORMAL_AT].data();
        p.normal_y = contact[NORMAL_AT + 1].data();
        p.normal_z = contact[NORMAL_AT + 2].data();
        p.coefficients = contacts().coefficients;
        return p;
    }

    /* Results of the indexed call, or of the one on pairs, without velocities. */
    template <typename Results> Results results() {
        Results r{};
        Real **const arrays[RESULTS] = {&r.impulse_x,        &r.impulse_y,        &r.impulse_z,
                                        &r.work_compression, &r.work_restitution, &r.work_friction};
        for (size_t k = 0; k < RESULTS; k++)
            *arrays[k] = result[k].data();
        r.outcome = outcome.data();
        return r;
    }

    void begin_again() { begin_again(of.bodies); }

    /* The first bodies. */
    void begin_again(size_t bodies_to_begin) {
        for (size_t c = 0; c < 6; c++)
            std::copy_n(at_first[c].begin(), bodies_to_begin, body[VELOCITY + c].begin());
    }

    impinge_contact_groups colours;

  private:
    struct places {
        const Real **read[7];
    };
    /* Mass and inertia have the same names in sets and in pairs. */
    template <typename Bodies> static places pointers(Bodies &b) {
        return {{&b.inverse_mass, &b.inverse_inertia_xx, &b.inverse_inertia_xy,
                 &b.inverse_inertia_xz, &b.inverse_inertia_yy, &b.inverse_inertia_yz,
                 &b.inverse_inertia_zz}};
    }

    typename api<Real>::side side(size_t which, size_t arm) const {
        typename api<Real>::side b{};
        const auto set = pointers(b);
        for (size_t c = 0; c < 7; c++)
            *set.read[c] = gathered[which][c].data();
        const Real **const rest[] = {&b.velocity_x,         &b.velocity_y,
                                     &b.velocity_z,         &b.angular_velocity_x,
                                     &b.angular_velocity_y, &b.angular_velocity_z};
        for (size_t c = 0; c < 6; c++)
            *rest[c] = gathered[which][VELOCITY + c].data();
        b.arm_x = contact[arm].data();
        b.arm_y = contact[arm + 1].data();
        b.arm_z = contact[arm + 2].data();
        return b;
    }

    /* As the call by index splits them: a contact of a body with n has 1/n of its mass. */
    void gather(size_t which, const std::vector<uint32_t> &index) {
        for (size_t c = 0; c < BODY_INPUTS_ALL; c++) {
            gathered[which][c].resize(count);
            for (size_t i = 0; i < count; i++) {
                const Real parts = c < VELOCITY ? static_cast<Real>(sharing[index[i]]) : 1;
                gathered[which][c][i] = body[c][index[i]] * parts;
            }
        }
    }

    /* A box of about unit size and mass; 0.1 of a random velocity, and towards the middle. */
    void draw_body(uint64_t *state, size_t i) {
        const double inverse_mass = random_between(state, 0.5, 2);
        body[MASS][i] = static_cast<Real>(inverse_mass);
        const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (size_t k = 0; k < 3; k++) {
            static const size_t diagonal[3] = {0, 3, 5};
            const double inertia = inverse_mass * random_between(state, 4, 8);
            body[INERTIA + diagonal[k]][i] = static_cast<Real>(inertia);
            const double place = static_cast<double>(at[k]) / SIDE - 0.5;
            body[VELOCITY + k][i] = static_cast<Real>(random_between(state, -1, 1) - place);
            body[ANGULAR + k][i] = static_cast<Real>(random_between(state, -1, 1));
        }
    }

    /* The normal from B, the next body, to A; arms of half a unit, and off by up to a quarter. */
    void draw_contact(uint64_t *state, size_t i) {
        double n[3], square = 0;
        for (size_t k = 0; k < 3; k++) {
            const size_t step = k == 0 ? 1 : k == 1 ? SIDE : SIDE * SIDE;
            n[k] = random_between(state, -0.2, 0.2) - (of.b[i] - of.a[i] == step);
            square += n[k] * n[k];
        }
        for (size_t k = 0; k < 3; k++) {
            n[k] /= std::sqrt(square);
            const double off = random_between(state, -0.25, 0.25);
            contact[NORMAL_AT + k][i] = static_cast<Real>(n[k]);
            contact[ARM_A + k][i] = static_cast<Real>(off - n[k] / 2);
            contact[ARM_B + k][i] = static_cast<Real>(off + n[k] / 2);
        }
        contact[E][i] = static_cast<Real>(random_between(state, 0.3, 0.8));
        contact[MU][i] = static_cast<Real>(random_between(state, 0, 0.8));
    }

    void colour() {
        const auto graph = of.graph();
        sharing.resize(of.bodies);
        impinge_count_sharing(&graph, sharing.data());
        std::vector<uint64_t> workspace(impinge_colour_contacts_workspace(count, of.bodies) / 8 +
                                        1);
        order.resize(count);
        starts.resize(IMPINGE_COLOURS_MAX + 1);
        colours = {order.data(), starts.data(), 0};
        impinge_colour_contacts(&graph, workspace.data(), &colours);
    }

    column body[BODY_INPUTS_ALL], at_first[6], contact[CONTACT_ALL], result[RESULTS];
    column gathered[2][BODY_INPUTS_ALL];
    std::vector<uint32_t> outcome, order, starts, sharing;
};

template <typename Real> scene<Real> &the_scene() {
    static scene<Real> only;
    return only;
}

template <typename Real>
void indexed(benchmark::State &state, const char *target, impinge_options options) {
    auto &s = the_scene<Real>();
    s.begin_again();
    const auto bodies = s.bodies();
    const auto contacts = s.contacts();
    const auto results = s.template results<typename api<Real>::results>();
    time_call(state, target, s.count, [&] {
        return api<Real>::resolve(&bodies, &contacts, nullptr, &options, &results, nullptr);
    });
}

template <typename Real>
void gathered(benchmark::State &state, const char *target, impinge_options options) {
    auto &s = the_scene<Real>();
    const auto pairs = s.pairs();
    const auto results = s.template results<typename api<Real>::pair_results>();
    time_call(state, target, s.count, [&] {
        return api<Real>::resolve_pairs(&pairs, nullptr, &options, &results, nullptr);
    });
}

/*
 * So many contacts a call, other ones each time: a sequence's rounds and small colours. A target of
 * null is the one that the library chooses for the call.
 */
template <typename Real>
void few(benchmark::State &state, const char *target, impinge_options options, size_t count) {
    auto &s = the_scene<Real>();
    const auto pairs = s.pairs();
    const auto results = s.template results<typename api<Real>::pair_results>();
    impinge_selection some{0, count, nullptr};
    time_call(state, target, count, [&] {
        some.first = (some.first + 31) % (s.count - count);
        return api<Real>::resolve_pairs(&pairs, &some, &options, &results, nullptr);
    });
}

/* Impulses as a batch leaves them. */
template <typename Real>
void apply(benchmark::State &state, const char *target, impinge_options options) {
    auto &s = the_scene<Real>();
    s.begin_again();
    const auto bodies = s.bodies();
    const auto contacts = s.contacts();
    const auto results = s.template results<typename api<Real>::results>();
    const auto status =
        api<Real>::resolve(&bodies, &contacts, nullptr, &options, &results, nullptr);
    if (status != IMPINGE_OK) return skip_for(state, status);
    time_call(state, target, s.count, [&] {
        s.begin_again();
        return api<Real>::apply(&bodies, nullptr, &contacts, nullptr, &results);
    });
}

/* Starts from the same velocities each time; counts the sweeps, and the collisions per contact. */
template <typename Real>
void sweep(benchmark::State &state, const char *target, impinge_options options) {
    auto &s = the_scene<Real>();
    const auto bodies = s.bodies();
    const auto contacts = s.contacts();
    const auto results = s.template results<typename api<Real>::results>();
    impinge_sweep_options until{};
    until.rest_speed = 1e-3;
    impinge_sweep_report report{};
    time_call(state, target, s.count, [&] {
        s.begin_again();
        return api<Real>::sweep(&bodies, &contacts, &s.colours, &options, &until, &results,
                                &report);
    });
    state.counters["sweeps"] = static_cast<double>(report.sweeps);
    state.counters["collisions"] =
        static_cast<double>(report.collisions) / static_cast<double>(s.count);
}

/*
 * Islands of a few contacts: chains along x. SIDE is a multiple of their bodies, so that the rows
 * of the grid hold whole chains.
 */
constexpr size_t CHAIN = 7;
static_assert(SIDE % CHAIN == 0, "rows of whole chains");

struct chains {
    std::vector<uint32_t> order, starts;

    explicit chains(const grid &of) {
        starts.push_back(0);
        for (size_t i = 0; i < of.a.size(); i++) {
            if (of.b[i] != of.a[i] + 1 || of.b[i] % CHAIN == 0) continue;
            order.push_back(static_cast<uint32_t>(i));
            if (order.size() % (CHAIN - 1) == 0)
                starts.push_back(static_cast<uint32_t>(order.size()));
        }
    }
    impinge_contact_groups islands() { return {order.data(), starts.data(), starts.size() - 1}; }
};

/*
 * Each island's collisions one after the other, from the same velocities each time; of all chains
 * in a call, or of the first alone, whose collisions have a vector each.
 */
template <typename Real, bool ALONE>
void sequence(benchmark::State &state, const char *target, impinge_options options) {
    auto &s = the_scene<Real>();
    static chains all(s.of);
    auto islands = all.islands();
    auto bodies = s.bodies();
    if (ALONE) {
        islands.count = 1;
        bodies.count = CHAIN;
    }
    const size_t chained = islands.starts[islands.count];
    const auto contacts = s.contacts();
    const auto results = s.template results<typename api<Real>::results>();
    std::vector<uint64_t> workspace(api<Real>::sequence_workspace(s.count, s.of.bodies) / 8 + 1);
    impinge_sequence_options until{};
    until.rest_speed = 1e-3;
    impinge_sequence_report report{};
    time_call(state, target, chained, [&] {
        s.begin_again(bodies.count);
        return api<Real>::sequence(&bodies, &contacts, &islands, nullptr, &options, &until,
                                   workspace.data(), &results, nullptr, &report);
    });
    state.counters["collisions"] =
        static_cast<double>(report.collisions) / static_cast<double>(chained);
}

template <typename Real>
void add(const std::string &name, const char *target, impinge_law law,
         void run_one(benchmark::State &, const char *, impinge_options)) {
    impinge_options options{};
    options.law = law;
    benchmark::RegisterBenchmark(name.c_str(), run_one, target, options)
        ->Unit(benchmark::kMicrosecond);
}

/* A closed form, an equation, an integral: where targets take turns is looked for between these. */
constexpr impinge_law few_laws[] = {IMPINGE_LAW_CHATTERJEE_RUINA, IMPINGE_LAW_SMITH,
                                    IMPINGE_LAW_ROUTH};
constexpr size_t few_counts[] = {1, 2, 4, 8, 12, 16, 32, 48, 64, 96, 128, 192, 256};

template <typename Real> void register_few(const char *target) {
    const std::string rest = std::string("/") + run_precision_names[api<Real>::precision] + "/" +
                             (target ? target : "chosen");
    for (const auto law : few_laws)
        for (const auto count : few_counts) {
            impinge_options options{};
            options.law = law;
            const std::string name =
                std::string("few/") + impinge_law_name(law) + "/" + std::to_string(count) + rest;
            benchmark::RegisterBenchmark(name.c_str(), few<Real>, target, options, count)
                ->Unit(benchmark::kNanosecond);
        }
}

/* A target of null is the one that calls choose. */
template <typename Real> void register_sequences(const char *target) {
    const std::string rest = std::string("/") + run_precision_names[api<Real>::precision] + "/" +
                             (target ? target : "chosen");
    for (const auto law : {IMPINGE_LAW_ROUTH, IMPINGE_LAW_CHATTERJEE_RUINA}) {
        const std::string of = std::string("-") + impinge_law_name(law) + rest;
        add<Real>("bodies/sequence" + of, target, law, sequence<Real, false>);
        add<Real>("bodies/one-sequence" + of, target, law, sequence<Real, true>);
    }
}

template <typename Real> void register_precision() {
    register_few<Real>(nullptr);
    register_sequences<Real>(nullptr);
    const std::string precision = run_precision_names[api<Real>::precision];
    bool is_best = true;
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        const std::string rest = "/" + precision + "/" + target;
        register_few<Real>(target);
        register_sequences<Real>(target);
        add<Real>("bodies/apply" + rest, target, IMPINGE_LAW_CHATTERJEE_RUINA, apply<Real>);
        for (const auto law : {IMPINGE_LAW_ROUTH, IMPINGE_LAW_CHATTERJEE_RUINA}) {
            const std::string of = std::string("-") + impinge_law_name(law) + rest;
            add<Real>("bodies/indexed" + of, target, law, indexed<Real>);
            add<Real>("bodies/gathered" + of, target, law, gathered<Real>);
            /* One lane at a time takes seconds, and the best target is the one of interest. */
            if (is_best) add<Real>("bodies/sweep" + of, target, law, sweep<Real>);
        }
        is_best = false;
    }
}

} // namespace

void register_bodies() {
    for (const size_t contacts : {100000, 1000000}) {
        const std::string rest = "/" + std::to_string(contacts);
        benchmark::RegisterBenchmark(("bodies/colours" + rest).c_str(), colours, contacts)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("bodies/islands" + rest).c_str(), islands, contacts)
            ->Unit(benchmark::kMillisecond);
    }
    register_precision<float>();
    register_precision<double>();
}
