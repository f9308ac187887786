#include "bullet_engine.h"

#include <cmath>
#include <memory>
#include <vector>

#include "../bullet/impinge_bullet.h"

namespace {

/* Bullet's own look-ahead, before anything sets another. */
const btScalar own_look_ahead = btScalar(0.02);

struct bullet_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::unique_ptr<btDiscreteDynamicsWorld> world;

    ~bullet_world() {
        for (auto &body : bodies)
            world->removeRigidBody(body.get());
    }
};

btVector3 vector(const double v[3]) {
    return btVector3(static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]),
                     static_cast<btScalar>(v[2]));
}

btRigidBody *add(bullet_world &w, btCollisionShape *shape, double mass, const btVector3 &inertia,
                 const btTransform &at) {
    w.shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  inertia);
    info.m_startWorldTransform = at;
    w.bodies.emplace_back(new btRigidBody(info));
    return w.bodies.back().get();
}

/* Bullet multiplies what the two bodies have. */
void give_surface(btRigidBody *body, const scene &s) {
    body->setRestitution(static_cast<btScalar>(std::sqrt(s.restitution)));
    body->setFriction(static_cast<btScalar>(std::sqrt(s.friction)));
    body->setDamping(0, 0);
    body->setActivationState(DISABLE_DEACTIVATION);
}

void add_body(bullet_world &w, const scene &s, const scene_body &b, const engine_setting &setting) {
    double inertia[3];
    scene_inertia(&b, inertia);
    btTransform at(btQuaternion(vector(b.turn), static_cast<btScalar>(b.turn[3])), vector(b.x));
    btCollisionShape *shape = nullptr;
    if (b.sphere)
        shape = new btSphereShape(static_cast<btScalar>(b.half[0]));
    else
        shape = new btBoxShape(vector(b.half));
    btRigidBody *const body = add(w, shape, b.mass, vector(inertia), at);
    give_surface(body, s);
    if (b.mass == 0)
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    if (setting.no_gyroscope) body->setFlags(0);
    w.world->addRigidBody(body);
    body->setLinearVelocity(vector(b.v));
    body->setAngularVelocity(vector(b.w));
}

void *make(const scene *s, const engine_setting *setting) {
    auto *const w = new bullet_world;
    if (setting->impinge)
        w->solver.reset(new impinge_bullet_solver);
    else
        w->solver.reset(new btSequentialImpulseConstraintSolver);
    w->world.reset(new btDiscreteDynamicsWorld(&w->dispatcher, &w->broadphase, w->solver.get(),
                                               &w->configuration));
    btContactSolverInfo &info = w->world->getSolverInfo();
    if (setting->impinge) impinge_bullet_solver::configure(info);
    if (setting->iterations > 0) info.m_numIterations = setting->iterations;
    const int flags = w->dispatcher.getDispatcherFlags();
    impinge_bullet_solver::look_ahead(
        w->dispatcher,
        setting->look_ahead > 0 ? static_cast<btScalar>(setting->look_ahead) : own_look_ahead);
    if (!(setting->look_ahead > 0)) w->dispatcher.setDispatcherFlags(flags);
    w->world->setGravity(btVector3(0, 0, static_cast<btScalar>(s->gravity)));
    for (size_t i = 0; i < s->bodies; i++)
        add_body(*w, *s, s->body[i], *setting);
    if (s->floor) {
        btRigidBody *const floor = add(*w, new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0,
                                       btVector3(0, 0, 0), btTransform::getIdentity());
        give_surface(floor, *s);
        w->world->addRigidBody(floor);
    }
    return w;
}

void step(void *world, double h) {
    auto *const w = static_cast<bullet_world *>(world);
    const btScalar step = static_cast<btScalar>(h);
    // The caller moves kinematic bodies; Bullet derives their velocity from that.
    for (auto &body : w->bodies)
        if (body->isKinematicObject()) {
            btTransform at = body->getWorldTransform();
            at.getOrigin() += body->getLinearVelocity() * step;
            body->setWorldTransform(at);
        }
    w->world->stepSimulation(step, 0, step);
}

void read(void *world, const scene *s, body_now *bodies) {
    auto *const w = static_cast<bullet_world *>(world);
    for (size_t i = 0; i < s->bodies; i++) {
        const btRigidBody &from = *w->bodies[i];
        body_now &to = bodies[i];
        to.mass = s->body[i].mass;
        scene_inertia(&s->body[i], to.inertia);
        for (int k = 0; k < 3; k++) {
            to.x[k] = static_cast<double>(from.getCenterOfMassPosition()[k]);
            to.v[k] = static_cast<double>(from.getLinearVelocity()[k]);
            to.w[k] = static_cast<double>(from.getAngularVelocity()[k]);
            for (int j = 0; j < 3; j++)
                to.r[3 * k + j] =
                    static_cast<double>(from.getCenterOfMassTransform().getBasis()[k][j]);
        }
    }
}

void end(void *world) { delete static_cast<bullet_world *>(world); }

} // namespace

/* 10 iterations leave up to 2e-4 m/s at a corner of a cube at rest, in either precision. */
const engine bullet_engine = {sizeof(btScalar) == sizeof(float) ? "Bullet, single precision"
                                                                : "Bullet, double precision",
                              true,
                              sizeof(btScalar) == sizeof(float) ? 1.2e-7 : 2.3e-16,
                              5e-4,
                              make,
                              step,
                              read,
                              end};
