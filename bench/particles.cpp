#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <impinge/particle_rows.h>
#include <impinge/target.h>

#include "benchmarks.h"
#include "plain_particles.h"
#include "runner.h"

extern "C" {
#include "packing.h"
}

namespace {

/*
 * Lists of pairs: of 50,000 spheres, beyond the second cache, or of as many as fit there; dense, or
 * with few or no pairs that touch; in the order of particles A, or shuffled.
 */
struct kind {
    const char *name;
    size_t particles;
    double touching;
    bool shuffled;
};
constexpr kind kinds[] = {
    {"packing", PACKING_PARTICLES, 1, false},   {"packing-l2", 3000, 1, false},
    {"sparse", PACKING_PARTICLES, 0.04, false}, {"sparse-l2", 3000, 0.04, false},
    {"apart", PACKING_PARTICLES, 0, false},     {"apart-l2", 3000, 0, false},
    {"shuffled", PACKING_PARTICLES, 1, true},
};
constexpr size_t kind_count = sizeof kinds / sizeof *kinds;

/*
 * Velocities differ from pass to pass, so that no branch predictor can store which pairs collide;
 * several sets alternate, since a single one could be stored.
 */
constexpr size_t velocity_sets = 8;

/* The differences between the precisions besides the type of the numbers. */
template <typename Real> struct api;

template <> struct api<float> {
    using particles = impinge_particles_f32;
    using contacts = impinge_particle_contacts_f32;
    using results = impinge_particle_results_f32;
    using rows = impinge_particle_rows_f32;
    using sums = impinge_particle_sums_f32;
    static constexpr auto resolve = impinge_resolve_particle_pairs_f32;
    static constexpr auto apply = impinge_apply_particle_pairs_f32;
    static constexpr auto collide = impinge_collide_particle_pairs_f32;
    static constexpr auto workspace = impinge_collide_particle_pairs_workspace_f32;
    static constexpr auto pack = impinge_pack_particle_rows_f32;
    static constexpr auto collide_rows = impinge_collide_particle_rows_f32;
    static constexpr auto collide_lists = impinge_collide_particle_lists_f32;
    static constexpr auto apply_sums = impinge_apply_particle_sums_f32;
    static constexpr auto plain = plain_particles_f32;
    static constexpr auto expert = expert_particles_f32;
    static constexpr auto precision = RUN_F32;
};

template <> struct api<double> {
    using particles = impinge_particles_f64;
    using contacts = impinge_particle_contacts_f64;
    using results = impinge_particle_results_f64;
    using rows = impinge_particle_rows_f64;
    using sums = impinge_particle_sums_f64;
    static constexpr auto resolve = impinge_resolve_particle_pairs_f64;
    static constexpr auto apply = impinge_apply_particle_pairs_f64;
    static constexpr auto collide = impinge_collide_particle_pairs_f64;
    static constexpr auto workspace = impinge_collide_particle_pairs_workspace_f64;
    static constexpr auto pack = impinge_pack_particle_rows_f64;
    static constexpr auto collide_rows = impinge_collide_particle_rows_f64;
    static constexpr auto collide_lists = impinge_collide_particle_lists_f64;
    static constexpr auto apply_sums = impinge_apply_particle_sums_f64;
    static constexpr auto plain = plain_particles_f64;
    static constexpr auto expert = expert_particles_f64;
    static constexpr auto precision = RUN_F64;
};

/* Begins at a cache line, as the header advises. */
template <typename Real> class table {
  public:
    explicit table(size_t size) : room(size + line), from(0) {
        const auto address = reinterpret_cast<uintptr_t>(room.data()) / sizeof(Real);
        from = (line - address % line) % line;
    }
    Real *data() { return room.data() + from; }

  private:
    static constexpr size_t line = 64 / sizeof(Real);
    std::vector<Real> room;
    size_t from;
};

/* Tables of motion and spin, or of their sums. */
template <typename Real> struct tables {
    explicit tables(size_t count)
        : motion(count * IMPINGE_MOTION_ROW), spin(count * IMPINGE_SPIN_ROW) {}
    table<Real> motion, spin;
};

/* Each pair in the lists of both its particles, in ascending order. */
class full_lists {
  public:
    explicit full_lists(const packing &p) : starts(p.particles + 1), index(2 * p.contacts) {
        for (size_t i = 0; i < p.contacts; i++) {
            starts[p.a[i] + 1]++;
            starts[p.b[i] + 1]++;
        }
        for (size_t i = 0; i < p.particles; i++)
            starts[i + 1] += starts[i];
        std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
        for (size_t i = 0; i < p.contacts; i++) {
            index[next[p.a[i]]++] = p.b[i];
            index[next[p.b[i]]++] = p.a[i];
        }
        for (size_t i = 0; i < p.particles; i++)
            std::sort(index.begin() + starts[i], index.begin() + starts[i + 1]);
    }
    impinge_neighbours lists() { return {starts.data(), index.data(), index.size(), index.size()}; }
    /* The first particle whose list begins in the second half of all lists. */
    size_t middle() const {
        const auto half = static_cast<uint32_t>(index.size() / 2);
        return static_cast<size_t>(std::lower_bound(starts.begin(), starts.end(), half) -
                                   starts.begin());
    }

  private:
    std::vector<uint32_t> starts, index;
};

/* A packing with its velocities, and a second set of particles that is changed. */
template <typename Real> class packed_set {
  public:
    explicit packed_set(const kind &k)
        : spheres(packing_new(k.particles)), now(k.particles), to(k.particles), sums(k.particles),
          added(k.particles) {
        const size_t count = k.particles;
        packing_thin(&spheres, k.touching);
        if (k.shuffled) packing_shuffle(&spheres);
        for (auto &column : read)
            column.resize(count);
        for (auto &column : written)
            column.resize(spheres.contacts);
        for (size_t i = 0; i < count; i++) {
            read[0][i] = static_cast<Real>(spheres.radius[i]);
            read[1][i] = static_cast<Real>(1 / spheres.mass[i]);
            for (size_t j = 0; j < 3; j++)
                read[2 + j][i] = static_cast<Real>(spheres.position[j][i]);
        }
        changed = read;
        /* Each set has other particles' velocities. */
        for (size_t s = 0; s < velocity_sets; s++)
            for (size_t j = 0; j < 6; j++) {
                motions[s][j].resize(count);
                for (size_t i = 0; i < count; i++)
                    motions[s][j][i] =
                        static_cast<Real>(spheres.motion[j][(i * 7919 + s * 104729 + 13) % count]);
            }
    }
    ~packed_set() { packing_free(&spheres); }
    packed_set(const packed_set &) = delete;
    packed_set &operator=(const packed_set &) = delete;

    typename api<Real>::particles from() { return particles_of(read); }
    typename api<Real>::particles changes() { return particles_of(changed); }
    typename api<Real>::rows rows() { return rows_of(now); }
    typename api<Real>::rows changed_rows() { return rows_of(to); }
    typename api<Real>::sums row_sums() {
        return {sums.motion.data(), sums.spin.data(), added.data()};
    }

    full_lists &full() {
        if (!both) both = std::make_unique<full_lists>(spheres);
        return *both;
    }

    typename api<Real>::contacts contacts() const {
        typename api<Real>::contacts c{};
        c.count = spheres.contacts;
        c.index_a = spheres.a;
        c.index_b = spheres.b;
        c.coefficients.restitution.value = static_cast<Real>(0.9);
        c.coefficients.friction.value = static_cast<Real>(0.4);
        c.projection_factor = static_cast<Real>(0.2);
        c.independent = true; /* as the loops that it is compared with */
        return c;
    }

    /*
     * The next set of velocities in all inputs, and the original state of everything that a call
     * changes.
     */
    void turn() {
        set = (set + 1) % velocity_sets;
        for (size_t j = 0; j < 6; j++)
            std::copy(motions[set][j].begin(), motions[set][j].end(), read[5 + j].begin());
        for (size_t k = 0; k < columns; k++)
            std::copy(read[k].begin(), read[k].end(), changed[k].begin());
    }

    void turn_rows() {
        turn();
        const auto p = from();
        const auto kept = rows();
        const auto other = changed_rows();
        api<Real>::pack(&p, nullptr, &other);
        api<Real>::pack(&p, nullptr, &kept);
    }

    /* Only the results that the call that applies needs. */
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
    using numbers = std::vector<std::vector<Real>>;

    typename api<Real>::particles particles_of(numbers &t) {
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

    typename api<Real>::rows rows_of(tables<Real> &t) {
        typename api<Real>::rows r{};
        r.count = spheres.particles;
        r.motion = t.motion.data();
        r.spin = t.spin.data();
        return r;
    }

    packing spheres;
    std::unique_ptr<full_lists> both;
    numbers read = numbers(columns), changed, written = numbers(7);
    std::array<std::array<std::vector<Real>, 6>, velocity_sets> motions;
    tables<Real> now, to, sums;
    std::vector<uint8_t> added;
    size_t set = 0;
};

/* Made when first wanted. */
template <typename Real> packed_set<Real> &set_of(size_t which) {
    static std::unique_ptr<packed_set<Real>> sets[kind_count];
    if (!sets[which]) sets[which] = std::make_unique<packed_set<Real>>(kinds[which]);
    return *sets[which];
}

double thread_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/* `prepare` is not measured; `run` is, by the time of this thread alone. */
template <typename Prepare, typename Run>
void measure(benchmark::State &state, size_t contacts, Prepare prepare, Run run) {
    auto status = IMPINGE_OK;
    for (auto _ : state) {
        prepare();
        const double begin = thread_seconds();
        const auto now = run();
        benchmark::ClobberMemory();
        state.SetIterationTime(thread_seconds() - begin);
        if (now < 0) status = now;
    }
    if (status < 0) state.SkipWithError(impinge_status_text(status));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts));
}

enum part { RESOLVE = 1, APPLY = 2, BOTH = 3 };

/* Gather, resolve, apply: pairs to their particles' new velocities. */
template <typename Real>
void particles(benchmark::State &state, const char *target, size_t which, part parts) {
    auto &set = set_of<Real>(which);
    const auto from = set.from();
    const auto to = set.changes();
    const auto contacts = set.contacts();
    const auto results = set.results();
    if (impinge_target_select(target) != IMPINGE_OK) state.SkipWithError("no target");
    measure(
        state, contacts.count, [&] { set.turn(); },
        [&] {
            auto status = api<Real>::resolve(&from, &contacts, nullptr, nullptr, &results, nullptr);
            if (parts & APPLY)
                status = api<Real>::apply(&to, nullptr, &contacts, nullptr, &results);
            return status;
        });
    run_end();
}

/* All of it in one call; or, `shared`, with the impulses of a particle shared. */
template <typename Real>
void collide(benchmark::State &state, const char *target, size_t which, bool shared) {
    auto &set = set_of<Real>(which);
    const auto to = set.changes();
    auto contacts = set.contacts();
    contacts.independent = !shared;
    std::vector<unsigned char> workspace(api<Real>::workspace(to.count));
    if (impinge_target_select(target) != IMPINGE_OK) state.SkipWithError("no target");
    measure(
        state, contacts.count, [&] { set.turn(); },
        [&] {
            return api<Real>::collide(&to, &contacts, nullptr, nullptr, workspace.data(), nullptr);
        });
    run_end();
}

/* Rows kept by the caller: contacts to sums; and, `whole`, sums to rows. */
template <typename Real>
void collide_rows(benchmark::State &state, const char *target, size_t which, bool whole) {
    auto &set = set_of<Real>(which);
    const auto rows = set.rows();
    const auto sums = set.row_sums();
    const auto contacts = set.contacts();
    if (impinge_target_select(target) != IMPINGE_OK) state.SkipWithError("no target");
    measure(
        state, contacts.count,
        [&] {
            api<Real>::apply_sums(&rows, nullptr, &sums); /* makes the sums zero */
            set.turn_rows();
        },
        [&] {
            auto status =
                api<Real>::collide_rows(&rows, &contacts, nullptr, nullptr, &sums, nullptr);
            if (whole) status = api<Real>::apply_sums(&rows, nullptr, &sums);
            return status;
        });
    run_end();
}

/* A second thread that waits awake, so that little time passes until it begins. */
template <typename Work> class helper {
  public:
    explicit helper(Work work)
        : thread([this, work] {
              for (unsigned done = 0; wait_for_more(done); done++) {
                  work();
                  finished.store(done + 1);
              }
          }) {}
    ~helper() {
        ended.store(true);
        thread.join();
    }
    helper(const helper &) = delete;
    helper &operator=(const helper &) = delete;
    void begin() { asked.fetch_add(1); }
    void join() const {
        while (finished.load() != asked.load())
            std::this_thread::yield();
    }

  private:
    bool wait_for_more(unsigned done) const {
        while (asked.load() == done)
            if (ended.load())
                return false;
            else
                std::this_thread::yield();
        return true;
    }
    std::atomic<unsigned> asked{0}, finished{0};
    std::atomic<bool> ended{false};
    std::thread thread;
};

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/*
 * Each particle by its own list, to sums: one thread with all particles, or two with half each.
 * They do not wait for each other, so that the time is that of the thread which takes longer, in
 * CPU time as of the other calls: other programs take little part in it. "wall_per_second" is by
 * the clock.
 */
template <typename Real>
void collide_lists(benchmark::State &state, const char *target, size_t which, bool two) {
    auto &set = set_of<Real>(which);
    const auto rows = set.rows();
    const auto sums = set.row_sums();
    const auto contacts = set.contacts();
    const auto lists = set.full().lists();
    const size_t middle = two ? set.full().middle() : rows.count;
    if (impinge_target_select(target) != IMPINGE_OK) state.SkipWithError("no target");
    std::atomic<impinge_status> status{IMPINGE_OK};
    double took[2] = {0, 0}, clock = 0;
    const auto collide = [&](size_t thread, size_t first, size_t end) {
        const double begin = thread_seconds();
        const impinge_selection some{first, end - first, nullptr};
        const auto now =
            api<Real>::collide_lists(&rows, &some, &lists, &contacts, nullptr, &sums, nullptr);
        took[thread] = thread_seconds() - begin;
        if (now < 0) status.store(now);
    };
    auto work = [&] { collide(1, middle, rows.count); };
    std::unique_ptr<helper<decltype(work)>> other;
    if (two) other = std::make_unique<helper<decltype(work)>>(work);
    for (auto _ : state) {
        api<Real>::apply_sums(&rows, nullptr, &sums); /* makes the sums zero */
        set.turn_rows();
        const double begin = wall_seconds();
        if (two) other->begin();
        collide(0, 0, middle);
        if (two) other->join();
        clock += wall_seconds() - begin;
        state.SetIterationTime(std::max(took[0], took[1]));
    }
    state.counters["wall_per_second"] =
        static_cast<double>(state.iterations()) * static_cast<double>(contacts.count) / clock;
    if (status.load() < 0) state.SkipWithError(impinge_status_text(status.load()));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(contacts.count));
    run_end();
}

template <typename Real> void plain(benchmark::State &state, size_t which) {
    auto &set = set_of<Real>(which);
    const auto from = set.from();
    const auto to = set.changes();
    const auto contacts = set.contacts();
    measure(
        state, contacts.count, [&] { set.turn(); },
        [&] {
            api<Real>::plain(&from, &contacts, &to);
            return IMPINGE_OK;
        });
}

template <typename Real> void expert(benchmark::State &state, size_t which) {
    auto &set = set_of<Real>(which);
    const auto from = set.rows();
    const auto to = set.changed_rows();
    const auto contacts = set.contacts();
    measure(
        state, contacts.count, [&] { set.turn_rows(); },
        [&] {
            api<Real>::expert(&from, &contacts, &to);
            return IMPINGE_OK;
        });
}

template <typename... Arguments> void add(const std::string &name, Arguments... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseManualTime();
}

/* Calls on columns; null: on the target that the library takes for them. */
template <typename Real>
void add_columns(const std::string &name, const char *target, size_t which) {
    add(name + "-two-calls", particles<Real>, target, which, BOTH);
    add(name + "-resolve", particles<Real>, target, which, RESOLVE);
}

template <typename Real> void register_set(size_t which) {
    const std::string start =
        std::string("particles/") + run_precision_names[api<Real>::precision] + "/";
    const std::string end = std::string("/") + kinds[which].name;
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        const char *target = impinge_target_name(i);
        const std::string name = start + target + end;
        add(name, collide<Real>, target, which, false);
        add(name + "-shared", collide<Real>, target, which, true);
        add(name + "-rows", collide_rows<Real>, target, which, false);
        add(name + "-rows-applied", collide_rows<Real>, target, which, true);
        if (!kinds[which].shuffled) {
            add(name + "-lists-threads-1", collide_lists<Real>, target, which, false);
            add(name + "-lists-threads-2", collide_lists<Real>, target, which, true);
        }
        if (which <= 1) add_columns<Real>(name, target, which);
    }
    if (which <= 1) add_columns<Real>(start + "chosen" + end, nullptr, which);
    add(start + "plain" + end, plain<Real>, which);
    add(start + "expert" + end, expert<Real>, which);
}

} // namespace

void register_particles() {
    for (size_t which = 0; which < kind_count; which++) {
        register_set<float>(which);
        register_set<double>(which);
    }
}
