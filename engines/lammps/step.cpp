#include "step.h"

#include <algorithm>
#include <cmath>

namespace impinge_lammps {

namespace {

double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* u_A - u_B where the spheres touch; both arms lie along n. */
inline void separation(const Row &a, const Row &b, const double n[3], double u[3]) {
    const double s[3] = {a.v[3] + b.v[3], a.v[4] + b.v[4], a.v[5] + b.v[5]};
    u[0] = a.v[0] - b.v[0] + (n[1] * s[2] - n[2] * s[1]);
    u[1] = a.v[1] - b.v[1] + (n[2] * s[0] - n[0] * s[2]);
    u[2] = a.v[2] - b.v[2] + (n[0] * s[1] - n[1] * s[0]);
}

inline double normal_separation(const Row &a, const Row &b, const double n[3]) {
    return n[0] * (a.v[0] - b.v[0]) + n[1] * (a.v[1] - b.v[1]) + n[2] * (a.v[2] - b.v[2]);
}

constexpr int COUNT_BITS = 6;
constexpr int COUNT_MAX = (1 << COUNT_BITS) - 1;

inline int count_of(double counts, int klass) {
    return static_cast<int>(static_cast<uint64_t>(counts) >> (COUNT_BITS * klass)) & COUNT_MAX;
}

int count_of(const Row &row, int klass) { return count_of(row.counts, klass); }

int count_all(const Row &row) {
    int sum = 0;
    for (int k = 0; k < CLASSES_MAX; k++)
        sum += count_of(row, k);
    return sum;
}

/* If contacts approach equally fast, the one with the lower tags comes first. */
bool is_before(double approach, double id_a, double id_b, const Fastest &other) {
    if (approach != other.approach) return approach > other.approach;
    return id_a != other.id_a ? id_a < other.id_a : id_b < other.id_b;
}

} // namespace

void add_count(double &counts, int klass) {
    if (count_of(counts, klass) == COUNT_MAX) return;
    counts += static_cast<double>(UINT64_C(1) << (COUNT_BITS * klass));
}

/* ---- Impacts ---- */

/* True if the contact has an impulse, or needs one when the kick has been added. */
inline bool Step::rests(const Contact &c, double speed) const {
    double kick = 0;
    for (int k = 0; k < 3; k++) {
        kick += c.n[k] * told[c.a].kick[k];
        if (c.b < told.size()) kick -= c.n[k] * told[c.b].kick[k];
    }
    return speed > kick || c.p[0] != 0 || c.p[1] != 0 || c.p[2] != 0;
}

int Step::find_fastest() {
    fastest.assign(rows.size(), Fastest{0, 0, 0});
    approach.resize(contacts.size());
    int any = 0;
    for (size_t i = 0; i < contacts.size(); i++) {
        const Contact &c = contacts[i];
        const double speed = -normal_separation(rows[c.a], rows[c.b], c.n);
        approach[i] = speed;
        if (!(any & RESTS) && rests(c, speed)) any |= RESTS;
        if (!(speed > set.rest_speed)) continue;
        any |= COLLIDES;
        for (const uint32_t row : {c.a, c.b}) {
            Fastest &f = fastest[row];
            const double id_a = static_cast<double>(c.id_a);
            const double id_b = static_cast<double>(c.id_b);
            if (is_before(speed, id_a, id_b, f)) f = Fastest{speed, id_a, id_b};
        }
    }
    return any;
}

/* Immovable spheres do not count. */
inline bool Step::is_fastest(const Contact &c, double speed) const {
    if (!(speed > set.rest_speed)) return false;
    for (const uint32_t row : {c.a, c.b}) {
        const Fastest &f = fastest[row];
        if (rows[row].inverse_mass == 0) continue;
        if (f.id_a != static_cast<double>(c.id_a) || f.id_b != static_cast<double>(c.id_b))
            return false;
    }
    return true;
}

namespace {

/* Contacts, each with spheres of its own, in the library's columns. */
struct Batch {
    /* Columns: of spheres, of walls, of results; and one of e and of mu. */
    static constexpr int RADIUS = 0, INVERSE_MASS = 1, X = 2, V = 5, W = 8, SPHERE_COLUMNS = 11;
    static constexpr int NORMAL = 0, OFFSET = 3, VELOCITY = 4, WALL_COLUMNS = 7;
    static constexpr int IMPULSE = 0, COMPRESSION = 3, RESTITUTION = 4, FRICTION = 5, RESULTS = 6;

    size_t count, spheres;
    bool walls;
    std::vector<double> &room;
    std::vector<uint32_t> index;
    std::vector<uint32_t> outcome;

    Batch(std::vector<double> &memory, size_t contacts, bool with_walls)
        : count(contacts), spheres(with_walls ? contacts : 2 * contacts), walls(with_walls),
          room(memory) {
        room.assign(spheres * SPHERE_COLUMNS + count * (WALL_COLUMNS + RESULTS + 2), 0);
        index.resize(2 * count);
        outcome.resize(count);
        for (size_t i = 0; i < count; i++) {
            index[i] = static_cast<uint32_t>(walls ? i : 2 * i);
            index[count + i] = static_cast<uint32_t>(walls ? i : 2 * i + 1);
        }
    }
    double *sphere(int column) { return room.data() + spheres * static_cast<size_t>(column); }
    double *wall(int column) {
        return sphere(SPHERE_COLUMNS) + count * static_cast<size_t>(column);
    }
    double *result(int column) { return wall(WALL_COLUMNS) + count * static_cast<size_t>(column); }
    double *restitution() { return result(RESULTS); }
    double *friction() { return result(RESULTS + 1); }

    void put_sphere(size_t i, const Row &row, double radius, const double n[3], double distance) {
        sphere(RADIUS)[i] = radius;
        sphere(INVERSE_MASS)[i] = row.inverse_mass;
        for (int k = 0; k < 3; k++) {
            sphere(X + k)[i] = n[k] * distance;
            sphere(V + k)[i] = row.v[k];
            sphere(W + k)[i] = row.v[3 + k] / radius;
        }
    }
    void put_wall(size_t i, const Row &row, const double n[3]) {
        for (int k = 0; k < 3; k++) {
            wall(NORMAL + k)[i] = n[k];
            wall(VELOCITY + k)[i] = row.v[k];
        }
    }
    impinge_status resolve(const Settings &set);
};

impinge_status Batch::resolve(const Settings &set) {
    impinge_particles_f64 particles = {};
    particles.count = spheres;
    particles.radius = sphere(RADIUS);
    particles.inverse_mass = sphere(INVERSE_MASS);
    particles.position_x = sphere(X);
    particles.position_y = sphere(X + 1);
    particles.position_z = sphere(X + 2);
    particles.velocity_x = sphere(V);
    particles.velocity_y = sphere(V + 1);
    particles.velocity_z = sphere(V + 2);
    particles.angular_velocity_x = sphere(W);
    particles.angular_velocity_y = sphere(W + 1);
    particles.angular_velocity_z = sphere(W + 2);
    impinge_planes_f64 planes = {};
    planes.count = count;
    planes.normal_x = wall(NORMAL);
    planes.normal_y = wall(NORMAL + 1);
    planes.normal_z = wall(NORMAL + 2);
    planes.offset = wall(OFFSET);
    planes.velocity_x = wall(VELOCITY);
    planes.velocity_y = wall(VELOCITY + 1);
    planes.velocity_z = wall(VELOCITY + 2);
    impinge_particle_contacts_f64 contacts = {};
    contacts.count = count;
    contacts.index_a = index.data();
    contacts.index_b = index.data() + count;
    contacts.coefficients.restitution.values = restitution();
    contacts.coefficients.friction.values = friction();
    contacts.coefficients.tangential_restitution.value = set.tangential_restitution;
    contacts.coefficients.model = &set.restitution;
    impinge_particle_results_f64 results = {};
    results.impulse_x = result(IMPULSE);
    results.impulse_y = result(IMPULSE + 1);
    results.impulse_z = result(IMPULSE + 2);
    results.work_compression = result(COMPRESSION);
    results.work_restitution = result(RESTITUTION);
    results.work_friction = result(FRICTION);
    results.outcome = outcome.data();
    impinge_options options = {};
    options.law = set.law;
    return walls ? impinge_resolve_particle_planes_f64(&particles, &planes, &contacts, nullptr,
                                                       &options, &results, nullptr)
                 : impinge_resolve_particle_pairs_f64(&particles, &contacts, nullptr, &options,
                                                      &results, nullptr);
}

} // namespace

/* Ghosts get the sums of this rank; their owners send the complete ones later. */
void Step::push(const Contact &c, const double p[3]) {
    Row &a = rows[c.a];
    Row &b = rows[c.b];
    const double turn[3] = {c.n[1] * p[2] - c.n[2] * p[1], c.n[2] * p[0] - c.n[0] * p[2],
                            c.n[0] * p[1] - c.n[1] * p[0]};
    for (int k = 0; k < 3; k++) {
        a.v[k] += a.inverse_mass * p[k];
        b.v[k] -= b.inverse_mass * p[k];
        a.v[3 + k] -= INVERSE_INERTIA * a.inverse_mass * turn[k];
        b.v[3 + k] -= INVERSE_INERTIA * b.inverse_mass * turn[k];
    }
}

impinge_status Step::collide(Works &works) {
    for (const bool walls : {false, true}) {
        chosen.clear();
        for (size_t i = 0; i < contacts.size(); i++)
            if ((contacts[i].id_b < 0) == walls && is_fastest(contacts[i], approach[i]))
                chosen.push_back(static_cast<uint32_t>(i));
        if (chosen.empty()) continue;
        Batch b(batch, chosen.size(), walls);
        for (size_t i = 0; i < chosen.size(); i++) {
            const Contact &c = contacts[chosen[i]];
            b.restitution()[i] = c.restitution;
            b.friction()[i] = c.friction;
            /* Any distance at which they overlap: impulses do not depend on how deep. */
            if (walls) {
                b.put_sphere(i, rows[c.a], radius[c.a], c.n, radius[c.a] / 2);
                b.put_wall(i, rows[c.b], c.n);
            } else {
                b.put_sphere(2 * i, rows[c.a], radius[c.a], c.n, (radius[c.a] + radius[c.b]) / 2);
                b.put_sphere(2 * i + 1, rows[c.b], radius[c.b], c.n, 0);
            }
        }
        const impinge_status status = b.resolve(set);
        if (status < 0) return status;
        for (size_t i = 0; i < chosen.size(); i++) {
            Contact &c = contacts[chosen[i]];
            if (b.outcome[i] & (IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_OUT_OF_RANGE)) {
                invalid = Invalid{c.id_a, c.id_b, b.outcome[i]};
                return IMPINGE_SOME_INVALID;
            }
            const double p[3] = {b.result(Batch::IMPULSE)[i], b.result(Batch::IMPULSE + 1)[i],
                                 b.result(Batch::IMPULSE + 2)[i]};
            push(c, p);
            for (const uint32_t row : {c.a, c.b})
                if (row < owned) struck.push_back(row);
            for (int k = 0; k < 3; k++)
                c.impact[k] += p[k];
            if (!c.counts) continue;
            works.impacts++;
            works.restitution -= b.result(Batch::COMPRESSION)[i] + b.result(Batch::RESTITUTION)[i];
            works.friction -= b.result(Batch::FRICTION)[i];
        }
    }
    return IMPINGE_OK;
}

impinge_status Step::try_collision(double restitution, double friction) const {
    std::vector<double> room;
    Batch b(room, 1, false);
    Row row = {};
    row.inverse_mass = 1;
    const double n[3] = {0, 0, 1};
    b.put_sphere(1, row, 1, n, 0);
    row.v[0] = row.v[2] = -1;
    b.put_sphere(0, row, 1, n, 1);
    b.restitution()[0] = restitution;
    b.friction()[0] = friction;
    return b.resolve(set);
}

/* ---- Rest ---- */

void Step::choose_classes() {
    for (Contact &c : contacts) {
        if (c.klass >= 0) continue;
        /* Contacts that are new at the same time do not see each other: begin at different ones. */
        const uint64_t mixed =
            (static_cast<uint64_t>(c.id_a) * 2654435761u + static_cast<uint64_t>(c.id_b)) *
            UINT64_C(0x9E3779B97F4A7C15);
        const int begin = static_cast<int>((mixed >> 32) % static_cast<uint64_t>(set.classes));
        int least = INT32_MAX;
        for (int k = 0; k < set.classes; k++) {
            const int klass = (begin + k) % set.classes;
            const int count = (rows[c.a].inverse_mass > 0 ? count_of(rows[c.a], klass) : 0) +
                              (rows[c.b].inverse_mass > 0 ? count_of(rows[c.b], klass) : 0);
            if (count >= least) continue;
            least = count;
            c.klass = klass;
        }
    }
    classes.resize(static_cast<size_t>(set.classes));
    for (std::vector<uint32_t> &of : classes)
        of.clear();
    for (size_t i = 0; i < contacts.size(); i++)
        classes[static_cast<size_t>(contacts[i].klass)].push_back(static_cast<uint32_t>(i));
}

/* Only own rows are counted: other ranks count the ghosts'. */
void Step::count_classes() {
    for (Row &row : rows)
        row.counts = 0;
    for (const Contact &c : contacts) {
        add_count(rows[c.a].counts, c.klass);
        add_count(rows[c.b].counts, c.klass);
    }
}

/* p_n is kept; p_t is turned into the new tangent plane and keeps its length. */
void Step::warm(Contact &c, const Remembered &before) {
    const double normal = dot(before.p, before.n);
    double along[3];
    double turned[3];
    for (int k = 0; k < 3; k++)
        along[k] = before.p[k] - normal * before.n[k];
    const double out = dot(along, c.n);
    for (int k = 0; k < 3; k++)
        turned[k] = along[k] - out * c.n[k];
    const double length = dot(turned, turned);
    const double scale = length > 0 ? std::sqrt(dot(along, along) / length) : 0;
    for (int k = 0; k < 3; k++)
        c.p[k] = normal * c.n[k] + (std::isfinite(scale) ? scale : 0) * turned[k];
    c.klass = static_cast<int>(before.klass);
}

void Step::add_warm() {
    for (const Contact &c : contacts)
        if (c.p[0] != 0 || c.p[1] != 0 || c.p[2] != 0) push(c, c.p);
}

double Step::sweep(int klass) {
    const std::vector<uint32_t> &of = classes[static_cast<size_t>(klass)];
    double largest = 0;
    for (const uint32_t i : of) {
        Contact &c = contacts[i];
        const Row &a = rows[c.a];
        const Row &b = rows[c.b];
        const double k_n =
            count_of(a, klass) * a.inverse_mass + count_of(b, klass) * b.inverse_mass;
        const double k_t = (1 + INVERSE_INERTIA) * k_n;
        double u[3];
        separation(a, b, c.n, u);
        const double u_n = dot(u, c.n);
        const double old_n = dot(c.p, c.n);
        double slip[3];
        for (int k = 0; k < 3; k++)
            slip[k] = u[k] - u_n * c.n[k] - k_t * (c.p[k] - old_n * c.n[k]);
        const double p_n = std::max(0.0, old_n - u_n / k_n);
        const double speed = std::sqrt(dot(slip, slip));
        const double most = c.friction * p_n;
        const double f = most * k_t < speed ? most / speed : 1 / k_t;
        for (int k = 0; k < 3; k++)
            c.change[k] = p_n * c.n[k] - f * slip[k] - c.p[k];
        largest = std::max(largest, dot(c.change, c.change) * k_n * k_n);
    }
    for (const uint32_t i : of) {
        Contact &c = contacts[i];
        for (int k = 0; k < 3; k++)
            c.p[k] += c.change[k];
        push(c, c.change);
    }
    return std::sqrt(largest);
}

/* p.u of what is immovable and moves: that work is no gain of the rest. */
void Step::driven_works(std::vector<double> &terms) const {
    static const Row still = {};
    for (const Contact &c : contacts) {
        const bool drives_a = rows[c.a].inverse_mass == 0;
        if (!c.counts || !(drives_a || rows[c.b].inverse_mass == 0)) continue;
        double u[3];
        separation(drives_a ? rows[c.a] : still, drives_a ? still : rows[c.b], c.n, u);
        terms.push_back(dot(c.p, u));
        terms.push_back(0);
    }
}

bool Contact::slides() const {
    const double normal = dot(p, n);
    const double most = friction * normal;
    /* By more than some rounding of the sums. */
    return normal > 0 && dot(p, p) - normal * normal > most * most * (1 - 1e-9);
}

/* ---- Positions ---- */

double Step::project(double *const *x) const {
    double loss = 0;
    for (const Contact &c : contacts) {
        const Row &a = rows[c.a];
        const Row &b = rows[c.b];
        double u[3];
        separation(a, b, c.n, u);
        const double u_n = dot(u, c.n);
        if (c.counts) loss -= dot(c.p, u) - dot(c.p, c.n) * u_n;
        const double opens = std::max(0.0, u_n);
        const double beyond = c.gap + set.time_step * opens + set.slop;
        if (beyond >= 0 || opens > set.rest_speed) continue;
        const double k_n = count_all(a) * a.inverse_mass + count_all(b) * b.inverse_mass;
        const double by = -set.factor * beyond / k_n;
        for (int k = 0; k < 3; k++) {
            if (c.a < owned) x[c.a][k] += by * a.inverse_mass * c.n[k];
            if (c.b < owned) x[c.b][k] -= by * b.inverse_mass * c.n[k];
        }
    }
    return loss;
}

} // namespace impinge_lammps
