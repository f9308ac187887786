/*
 * Gives the same contacts to Bullet, ODE and Impinge, and measures the time per contact and the
 * distance of the answers from the exact law. Then the scenes of engines/tests, with and without
 * the adapters. Prints Markdown for docs/engines.md; scripts/bench-bullet-ode runs it.
 *
 * Methods take turns, and times are the thread's: other programs disturb all alike. "Exact" is
 * Routh's law with Stronge's restitution, as Impinge computes it in double precision to 1e-12 of
 * |u0|, which the tests compare with independent references.
 */
#include <btBulletDynamicsCommon.h>
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <impinge/impinge.h>

#include "../engines/tests/bullet_engine.h"
#include "../engines/tests/ode_engine.h"
#include "engine_set.h"

namespace {

constexpr double time_step = 1.0 / 600; /* of the recorded run; nothing depends on it */
constexpr double rest_speed = 0.01;     /* m/s: coupled contacts are solved to this accuracy */
constexpr int many_turns = 21;

double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/** A way to solve a set, again and again from the same velocities. */
class method {
  public:
    std::string name;

    explicit method(std::string called) : name(std::move(called)) {}
    virtual ~method() = default;
    virtual void begin() = 0; // not timed: velocities as recorded
    virtual void solve() = 0;
    virtual std::vector<motion> after() = 0;
};

btVector3 vector(const triple &v) {
    return btVector3(static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]),
                     static_cast<btScalar>(v[2]));
}

/* ---- Bullet ---- */

/* The principal axes, as columns, of a symmetric matrix, by Jacobi's rotations. */
btMatrix3x3 principal_axes(const std::array<double, 6> &m) {
    double a[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
    double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int sweeps = 20; // far more than 3 x 3 needs
    for (int n = 0; n < 3 * sweeps; n++) {
        const int p = n % 3, q = (p + 1) % 3;
        if (a[p][q] == 0) continue;
        const double difference = a[q][q] - a[p][p];
        // The solution within 45 degrees: the other one need not converge.
        const double angle = 0.5 * std::atan(2 * a[p][q] / difference); // 45 degrees of 0
        const double c = std::cos(angle), s = std::sin(angle);
        for (auto &row : r) {
            const double x = row[p], y = row[q];
            row[p] = c * x - s * y;
            row[q] = s * x + c * y;
        }
        for (auto &row : a) {
            const double x = row[p], y = row[q];
            row[p] = c * x - s * y;
            row[q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
            const double x = a[p][k], y = a[q][k];
            a[p][k] = c * x - s * y;
            a[q][k] = s * x + c * y;
        }
    }
    btMatrix3x3 axes;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axes[i][k] = static_cast<btScalar>(r[i][k]);
    return axes.determinant() < 0 ? axes * btScalar(-1) : axes;
}

class bullet_method : public method {
  public:
    bullet_method(const engine_set &from, int iterations)
        : method("Bullet, " + std::to_string(iterations) + " iterations"), set(from) {
        info.m_timeStep = static_cast<btScalar>(time_step);
        info.m_numIterations = iterations;
        info.m_restitutionVelocityThreshold = 0;
        info.m_splitImpulsePenetrationThreshold = 0;
        for (const set_body &b : set.bodies)
            add(b);
        for (const set_contact &c : set.contacts)
            add(c);
        for (auto &b : bodies)
            objects.push_back(b.get());
    }
    void begin() override {
        for (size_t i = 0; i < set.bodies.size(); i++) {
            bodies[i]->setLinearVelocity(vector(set.bodies[i].velocity));
            bodies[i]->setAngularVelocity(vector(set.bodies[i].angular_velocity));
        }
        for (auto &manifold : manifolds) {
            btManifoldPoint &point = manifold->getContactPoint(0);
            point.m_appliedImpulse = point.m_appliedImpulseLateral1 = 0;
            point.m_appliedImpulseLateral2 = 0;
        }
    }
    void solve() override {
        solver.solveGroup(objects.data(), static_cast<int>(objects.size()), pointers.data(),
                          static_cast<int>(pointers.size()), nullptr, 0, info, nullptr, nullptr);
    }
    std::vector<motion> after() override {
        std::vector<motion> all(bodies.size());
        for (size_t i = 0; i < bodies.size(); i++)
            for (int k = 0; k < 3; k++) {
                all[i].v[static_cast<size_t>(k)] =
                    static_cast<double>(bodies[i]->getLinearVelocity()[k]);
                all[i].w[static_cast<size_t>(k)] =
                    static_cast<double>(bodies[i]->getAngularVelocity()[k]);
            }
        return all;
    }

  private:
    const engine_set &set;
    btSequentialImpulseConstraintSolver solver;
    btContactSolverInfo info;
    btSphereShape shape{1};
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btPersistentManifold>> manifolds;
    std::vector<btPersistentManifold *> pointers;
    std::vector<btCollisionObject *> objects;

    void add(const set_body &b) {
        const bool moves = b.inverse_mass > 0;
        btRigidBody::btRigidBodyConstructionInfo made(
            moves ? static_cast<btScalar>(1 / b.inverse_mass) : 0, nullptr, &shape,
            btVector3(moves, moves, moves));
        // The solver reads arms, not places, so all bodies are at the origin.
        if (moves) made.m_startWorldTransform.setBasis(principal_axes(b.inverse_inertia));
        bodies.emplace_back(new btRigidBody(made));
        if (!moves) return;
        const btMatrix3x3 axes = made.m_startWorldTransform.getBasis();
        const auto &i = b.inverse_inertia;
        const btMatrix3x3 world(
            static_cast<btScalar>(i[0]), static_cast<btScalar>(i[1]), static_cast<btScalar>(i[2]),
            static_cast<btScalar>(i[1]), static_cast<btScalar>(i[3]), static_cast<btScalar>(i[4]),
            static_cast<btScalar>(i[2]), static_cast<btScalar>(i[4]), static_cast<btScalar>(i[5]));
        const btMatrix3x3 local = axes.transpose() * world * axes;
        bodies.back()->setInvInertiaDiagLocal(btVector3(local[0][0], local[1][1], local[2][2]));
        bodies.back()->updateInertiaTensor();
        bodies.back()->setFlags(0); // no gyroscopic torque
    }
    void add(const set_contact &c) {
        manifolds.emplace_back(new btPersistentManifold(bodies[c.a].get(), bodies[c.b].get(), 0,
                                                        btScalar(0.02), btScalar(0.02)));
        btManifoldPoint point(vector(c.arm_a), vector(c.arm_b), vector(c.normal), 0);
        point.m_positionWorldOnA = vector(c.arm_a);
        point.m_positionWorldOnB = vector(c.arm_b);
        point.m_combinedRestitution = static_cast<btScalar>(c.restitution);
        point.m_combinedFriction = static_cast<btScalar>(c.friction);
        manifolds.back()->addManifoldPoint(point);
        pointers.push_back(manifolds.back().get());
    }
};

/* ---- ODE ---- */

class ode_method : public method {
  public:
    ode_method(const engine_set &from, int iterations)
        : method("ODE QuickStep, " + std::to_string(iterations) + " iterations"), set(from),
          world(dWorldCreate()), joints(dJointGroupCreate(0)) {
        dWorldSetCFM(world, 0);
        dWorldSetERP(world, 0);
        dWorldSetQuickStepNumIterations(world, iterations);
        for (const set_body &b : set.bodies)
            bodies.push_back(b.inverse_mass > 0 ? make(b) : nullptr);
    }
    ~ode_method() override {
        dJointGroupDestroy(joints);
        dWorldDestroy(world);
    }
    void begin() override {
        dRandSetSeed(0);
        dJointGroupEmpty(joints);
        const dQuaternion straight = {1, 0, 0, 0};
        for (size_t i = 0; i < bodies.size(); i++) {
            if (!bodies[i]) continue;
            const set_body &b = set.bodies[i];
            dBodySetPosition(bodies[i], b.position[0], b.position[1], b.position[2]);
            dBodySetQuaternion(bodies[i], straight);
            dBodySetLinearVel(bodies[i], b.velocity[0], b.velocity[1], b.velocity[2]);
            dBodySetAngularVel(bodies[i], b.angular_velocity[0], b.angular_velocity[1],
                               b.angular_velocity[2]);
        }
        for (const set_contact &c : set.contacts)
            attach(c);
    }
    void solve() override { dWorldQuickStep(world, time_step); }
    std::vector<motion> after() override {
        std::vector<motion> all(bodies.size());
        for (size_t i = 0; i < bodies.size(); i++)
            for (size_t k = 0; k < 3 && bodies[i]; k++) {
                all[i].v[k] = dBodyGetLinearVel(bodies[i])[k];
                all[i].w[k] = dBodyGetAngularVel(bodies[i])[k];
            }
        return all;
    }

  private:
    const engine_set &set;
    dWorldID world;
    dJointGroupID joints;
    std::vector<dBodyID> bodies;

    dBodyID make(const set_body &b) {
        const auto i = inverse(b.inverse_inertia);
        dMass mass;
        dMassSetParameters(&mass, 1 / b.inverse_mass, 0, 0, 0, i[0], i[3], i[5], i[1], i[2], i[4]);
        const dBodyID body = dBodyCreate(world);
        dBodySetMass(body, &mass);
        dBodySetGyroscopicMode(body, 0);
        return body;
    }
    void attach(const set_contact &c) {
        dContact contact = {};
        contact.surface.mode = dContactBounce | dContactApprox1;
        contact.surface.mu = c.friction;
        contact.surface.bounce = c.restitution;
        const triple at = plus(set.bodies[c.a].position, c.arm_a);
        for (size_t k = 0; k < 3; k++) {
            contact.geom.pos[k] = at[k];
            contact.geom.normal[k] = c.normal[k];
        }
        dJointAttach(dJointCreateContact(world, joints, &contact), bodies[c.a], bodies[c.b]);
    }
};

/* ---- Impinge ---- */

template <typename Real> struct api;

#define API(Type, suffix)                                                                          \
    template <> struct api<Type> {                                                                 \
        using bodies = impinge_bodies_##suffix;                                                    \
        using contacts = impinge_indexed_contacts_##suffix;                                        \
        using results = impinge_indexed_results_##suffix;                                          \
        using step = impinge_body_step_##suffix;                                                   \
        static constexpr auto resolve = impinge_resolve_indexed_##suffix;                          \
        static constexpr auto apply = impinge_apply_impulses_##suffix;                             \
        static constexpr auto workspace = impinge_step_bodies_workspace_##suffix;                    \
        static constexpr auto collide = impinge_collide_body_rounds_##suffix;                      \
        static constexpr auto sweep = impinge_sweep_##suffix;                                      \
    }
API(float, f32);
API(double, f64);
#undef API

enum class way { batch, rounds, sweeps };

const char *way_name(way w) {
    return w == way::batch ? "batch" : w == way::rounds ? "rounds" : "sweeps";
}

template <typename Real> class impinge_method : public method {
  public:
    impinge_method(const engine_set &from, way to_solve)
        : method(std::string("Impinge ") + (sizeof(Real) == 4 ? "f32, " : "f64, ") +
                 way_name(to_solve)),
          set(from), how(to_solve) {
        for (auto &column : body)
            column.resize(set.bodies.size());
        for (auto &column : contact)
            column.resize(set.contacts.size());
        fill();
        point();
    }
    void begin() override {
        for (size_t i = 0; i < set.bodies.size(); i++)
            for (size_t k = 0; k < 3; k++) {
                body[7 + k][i] = static_cast<Real>(set.bodies[i].velocity[k]);
                body[10 + k][i] = static_cast<Real>(set.bodies[i].angular_velocity[k]);
            }
    }
    void solve() override {
        impinge_status status = IMPINGE_OK;
        if (how == way::batch) {
            const impinge_contact_graph graph = graph_of();
            impinge_count_sharing(&graph, sharing.data());
            status = api<Real>::resolve(&bodies, &contacts, nullptr, nullptr, &results, nullptr);
            if (status >= 0)
                status = api<Real>::apply(&bodies, nullptr, &contacts, nullptr, &results);
        } else if (how == way::rounds) {
            typename api<Real>::step step{};
            impinge_step_options options = impinge_step_options_default(time_step);
            options.impacts.rest_speed = rest_speed;
            step.bodies = &bodies;
            step.contacts = &contacts;
            step.options = &options;
            step.workspace = workspace();
            status = api<Real>::collide(&step, nullptr);
        } else
            status = sweep();
        if (status < 0) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), impinge_status_text(status));
            std::exit(2);
        }
    }
    std::vector<motion> after() override {
        std::vector<motion> all(set.bodies.size());
        for (size_t i = 0; i < all.size(); i++)
            for (size_t k = 0; k < 3; k++) {
                all[i].v[k] = static_cast<double>(body[7 + k][i]);
                all[i].w[k] = static_cast<double>(body[10 + k][i]);
            }
        return all;
    }

  private:
    const engine_set &set;
    way how;
    std::array<std::vector<Real>, 13> body;
    std::array<std::vector<Real>, 14> contact; // arms, normal, restitution, friction, impulse
    std::vector<uint32_t> a, b, sharing, order, starts;
    std::vector<unsigned char> room;
    typename api<Real>::bodies bodies{};
    typename api<Real>::contacts contacts{};
    typename api<Real>::results results{};

    impinge_contact_graph graph_of() const {
        return {contacts.count, a.data(), b.data(), bodies.count, nullptr, 0};
    }
    void *workspace() {
        const size_t alignment = 64; // required by a step
        const auto at = reinterpret_cast<uintptr_t>(room.data());
        return room.data() + (alignment - at % alignment) % alignment;
    }
    impinge_status sweep() {
        const impinge_contact_graph graph = graph_of();
        impinge_contact_groups colours{order.data(), starts.data(), 0};
        impinge_colour_contacts(&graph, workspace(), &colours);
        impinge_sweep_options options = impinge_sweep_options_default();
        options.rest_speed = rest_speed;
        return api<Real>::sweep(&bodies, &contacts, &colours, nullptr, &options, &results, nullptr);
    }
    void fill() {
        for (size_t i = 0; i < set.bodies.size(); i++) {
            body[0][i] = static_cast<Real>(set.bodies[i].inverse_mass);
            for (size_t k = 0; k < 6; k++)
                body[1 + k][i] = static_cast<Real>(set.bodies[i].inverse_inertia[k]);
        }
        for (size_t i = 0; i < set.contacts.size(); i++) {
            const set_contact &c = set.contacts[i];
            a.push_back(c.a);
            b.push_back(c.b);
            for (size_t k = 0; k < 3; k++) {
                contact[k][i] = static_cast<Real>(c.arm_a[k]);
                contact[3 + k][i] = static_cast<Real>(c.arm_b[k]);
                contact[6 + k][i] = static_cast<Real>(c.normal[k]);
            }
            contact[9][i] = static_cast<Real>(c.restitution);
            contact[10][i] = static_cast<Real>(c.friction);
        }
        const size_t count = set.contacts.size(), all = set.bodies.size();
        sharing.resize(all);
        order.resize(count);
        starts.resize(IMPINGE_COLOURS_MAX + 1);
        room.resize(64 + std::max(api<Real>::workspace(count, all),
                                  impinge_colour_contacts_workspace(count, all)));
    }
    void point() {
        bodies.count = set.bodies.size();
        bodies.inverse_mass = body[0].data();
        bodies.inverse_inertia_xx = body[1].data();
        bodies.inverse_inertia_xy = body[2].data();
        bodies.inverse_inertia_xz = body[3].data();
        bodies.inverse_inertia_yy = body[4].data();
        bodies.inverse_inertia_yz = body[5].data();
        bodies.inverse_inertia_zz = body[6].data();
        bodies.velocity_x = body[7].data();
        bodies.velocity_y = body[8].data();
        bodies.velocity_z = body[9].data();
        bodies.angular_velocity_x = body[10].data();
        bodies.angular_velocity_y = body[11].data();
        bodies.angular_velocity_z = body[12].data();
        contacts.count = set.contacts.size();
        contacts.index_a = a.data();
        contacts.index_b = b.data();
        contacts.arm_a_x = contact[0].data();
        contacts.arm_a_y = contact[1].data();
        contacts.arm_a_z = contact[2].data();
        contacts.arm_b_x = contact[3].data();
        contacts.arm_b_y = contact[4].data();
        contacts.arm_b_z = contact[5].data();
        contacts.normal_x = contact[6].data();
        contacts.normal_y = contact[7].data();
        contacts.normal_z = contact[8].data();
        contacts.coefficients.restitution.values = contact[9].data();
        contacts.coefficients.friction.values = contact[10].data();
        contacts.sharing = sharing.data();
        results.impulse_x = contact[11].data();
        results.impulse_y = contact[12].data();
        results.impulse_z = contact[13].data();
    }
};

/* ---- The tables ---- */

double median(std::vector<double> of) {
    std::nth_element(of.begin(), of.begin() + static_cast<long>(of.size() / 2), of.end());
    return of[of.size() / 2];
}

double quantile(std::vector<double> of, double at) {
    std::sort(of.begin(), of.end());
    return of[static_cast<size_t>(at * static_cast<double>(of.size() - 1))];
}

using methods = std::vector<std::unique_ptr<method>>;

/* The times of each method, turn by turn. */
std::vector<std::vector<double>> measure(const methods &all, int turns) {
    std::vector<std::vector<double>> times(all.size());
    for (int n = 0; n < turns; n++)
        for (size_t i = 0; i < all.size(); i++) {
            all[i]->begin();
            const double from = cpu_seconds();
            all[i]->solve();
            times[i].push_back(cpu_seconds() - from);
        }
    return times;
}

/* The median of the ratios to the first method, each within one turn. */
double ratio(const std::vector<double> &of, const std::vector<double> &to) {
    std::vector<double> ratios;
    for (size_t n = 0; n < of.size(); n++)
        ratios.push_back(of[n] / to[n]);
    return median(ratios);
}

std::vector<motion> at_first(const engine_set &set) {
    std::vector<motion> all;
    for (const set_body &b : set.bodies)
        all.push_back({b.velocity, b.angular_velocity});
    return all;
}

double energy(const engine_set &set, const std::vector<motion> &motions) {
    double sum = 0;
    for (size_t i = 0; i < set.bodies.size(); i++)
        sum += kinetic(set.bodies[i], motions[i]);
    return sum;
}

double approach(const engine_set &set, const std::vector<motion> &motions) {
    double most = 0;
    for (const set_contact &c : set.contacts)
        most = std::max(most, -dot(c.normal, separation(c, motions)));
    return most;
}

/* Errors of u after, in parts of |u| before. */
std::vector<double> errors(const engine_set &set, const std::vector<motion> &is,
                           const std::vector<motion> &right) {
    const std::vector<motion> first = at_first(set);
    std::vector<double> all;
    for (const set_contact &c : set.contacts) {
        const triple off = plus(separation(c, is), separation(c, right), -1);
        const triple u0 = separation(c, first);
        all.push_back(std::sqrt(dot(off, off) / dot(u0, u0)));
    }
    return all;
}

int gained(const engine_set &set, const std::vector<motion> &is) {
    const std::vector<motion> first = at_first(set);
    const double rounding = 1e-5; // of single precision, and the solver's sums
    int count = 0;
    for (const set_contact &c : set.contacts) {
        const double before =
            kinetic(set.bodies[c.a], first[c.a]) + kinetic(set.bodies[c.b], first[c.b]);
        const double now = kinetic(set.bodies[c.a], is[c.a]) + kinetic(set.bodies[c.b], is[c.b]);
        count += now > before * (1 + rounding);
    }
    return count;
}

methods all_methods(const engine_set &set, bool coupled) {
    methods all;
    all.emplace_back(new impinge_method<float>(set, way::batch));
    all.emplace_back(new impinge_method<double>(set, way::batch));
    if (coupled)
        for (const way w : {way::rounds, way::sweeps}) {
            all.emplace_back(new impinge_method<float>(set, w));
            all.emplace_back(new impinge_method<double>(set, w));
        }
    for (const int iterations : {10, 50})
        all.emplace_back(new bullet_method(set, iterations));
    for (const int iterations : {20, 100})
        all.emplace_back(new ode_method(set, iterations));
    return all;
}

/* Without friction the three laws are one, and the answers have to be the same to rounding: so
 * bodies, arms and normals went to every engine as they should. */
void check_frictionless(engine_set set) {
    for (set_contact &c : set.contacts)
        c.friction = 0;
    const methods all = all_methods(set, false);
    measure(all, 1);
    const auto exact = all[1]->after();
    const double most = 1e-4; // contacts of single precision whose |u| is a 1e-3 of the velocities
    for (const auto &m : all) {
        const double off = quantile(errors(set, m->after(), exact), 1);
        if (off <= most) continue;
        std::fprintf(stderr, "%s is off by %g without friction\n", m->name.c_str(), off);
        std::exit(2);
    }
}

void table_isolated(const engine_set &set) {
    const methods all = all_methods(set, false);
    const auto times = measure(all, many_turns);
    const auto exact = all[1]->after();
    std::printf("| %zu isolated contacts | ns a contact | ratio | median error of u, of \\|u0\\| | "
                "95 %% | contacts that gain energy |\n| --- | --- | --- | --- | --- | --- |\n",
                set.contacts.size());
    for (size_t i = 0; i < all.size(); i++) {
        const auto off = errors(set, all[i]->after(), exact);
        const double ns = median(times[i]) * 1e9 / static_cast<double>(set.contacts.size());
        if (i == 1)
            std::printf("| %s | %.0f | %.2f | the answer | | %d |\n", all[i]->name.c_str(), ns,
                        ratio(times[i], times[0]), gained(set, all[i]->after()));
        else
            std::printf("| %s | %.0f | %.2f | %.1e | %.1e | %d |\n", all[i]->name.c_str(), ns,
                        ratio(times[i], times[0]), median(off), quantile(off, 0.95),
                        gained(set, all[i]->after()));
    }
}

void table_coupled(const engine_set &set) {
    const methods all = all_methods(set, true);
    const auto times = measure(all, many_turns);
    const auto first = at_first(set);
    std::printf("\n| %zu coupled contacts of %zu bodies | ns a contact | ratio | energy after, J | "
                "approach left, m/s |\n| --- | --- | --- | --- | --- |\n| before | | | %.1f | %.2f "
                "|\n",
                set.contacts.size(), set.bodies.size(), energy(set, first), approach(set, first));
    for (size_t i = 0; i < all.size(); i++) {
        const auto now = all[i]->after();
        std::printf("| %s | %.0f | %.2f | %.1f | %.3f |\n", all[i]->name.c_str(),
                    median(times[i]) * 1e9 / static_cast<double>(set.contacts.size()),
                    ratio(times[i], times[0]), energy(set, now), approach(set, now));
    }
}

struct scene_way {
    const engine *with;
    engine_setting setting;
    const char *name;
};

void table_scene(const scene &s, double rate) {
    engine_setting alone{}, impinge{}, ahead{};
    impinge.impinge = ahead.impinge = true;
    ahead.look_ahead = 0.1;
    const scene_way ways[] = {{&bullet_engine, alone, "Bullet alone"},
                              {&bullet_engine, impinge, "Bullet with Impinge"},
                              {&bullet_engine, ahead, "the same, looking ahead 10 cm"},
                              {&ode_engine, alone, "ODE alone"},
                              {&ode_engine, impinge, "ODE with Impinge"}};
    const int runs = 3;
    std::vector<double> times[std::size(ways)];
    std::vector<body_now> bodies(s.bodies);
    energy_book book[std::size(ways)];
    for (int n = 0; n < runs; n++)
        for (size_t i = 0; i < std::size(ways); i++) {
            const double from = cpu_seconds();
            book[i] = scene_run(ways[i].with, &s, &ways[i].setting, 1 / rate, bodies.data());
            times[i].push_back(cpu_seconds() - from);
        }
    for (size_t i = 0; i < std::size(ways); i++)
        std::printf("| %s, 1/%.0f s | %s | %.3f | %.3f | %.1e | %.1e | %.1e | %.0f |\n", s.name,
                    rate, ways[i].name, book[i].first, book[i].last, book[i].highest_rise,
                    book[i].contacts_gained, book[i].positions,
                    1e6 * median(times[i]) / static_cast<double>(book[i].steps));
}

void table_scenes() {
    std::printf("\n| scene | engine | H before, J | after | H rose by | contacts gained | work of "
                "pushing apart | us a step |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    const size_t boxes = 200;
    for (const scene &s : {scene_cradle(0), scene_ball(1, 10)})
        table_scene(s, 60);
    for (const scene &s : {scene_corner(), scene_boxes(boxes)})
        for (const double rate : {60.0, 240.0})
            table_scene(s, rate);
}

} // namespace

int main() {
    const char *const named = std::getenv("IMPINGE_BENCH_DATA");
    const std::string folder = named && *named ? named : BENCH_DATA;
    const size_t isolated = 4096;
    dInitODE2(0);
    const engine_set apart = read_isolated(folder, isolated), together = read_coupled(folder);
    if (together.inconsistent > 1e-6) {
        std::fprintf(stderr, "arms do not meet: %g m\n", together.inconsistent);
        return 2;
    }
    check_frictionless(apart);
    table_isolated(apart);
    table_coupled(together);
    table_scenes();
}
