#include <cstdio>

#include "../bullet/impinge_bullet.h"
#include "bullet_engine.h"

/* Keeps the reported impacts. */
class telling_solver : public impinge_bullet_solver {
  public:
    int told = 0;
    btVector3 impulse;

  protected:
    void impact(const btPersistentManifold &, const btManifoldPoint &,
                const btVector3 &p) override {
        told++;
        impulse = p;
    }
};

/* A ball on the floor, with a force and a torque on it for one step. */
struct struck_ball {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    telling_solver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btSphereShape sphere{btScalar(0.1)};
    btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
    btRigidBody floor{0, nullptr, &plane};
    btRigidBody ball{1, nullptr, &sphere, btVector3(1, 1, 1) * btScalar(0.004)};

    struck_ball(const btVector3 &v, const btVector3 &w, const btVector3 &force,
                const btVector3 &torque, const btVector3 &of_floor = btVector3(0, 0, 0)) {
        impinge_bullet_solver::configure(world.getSolverInfo());
        world.setGravity(btVector3(0, 0, 0));
        world.addRigidBody(&floor);
        world.addRigidBody(&ball);
        floor.setLinearVelocity(of_floor);
        floor.setAngularVelocity(of_floor);
        for (btRigidBody *const body : {&floor, &ball}) {
            body->setRestitution(btScalar(0.5));
            body->setFriction(btScalar(0.5));
        }
        btTransform at = btTransform::getIdentity();
        at.setOrigin(btVector3(0, 0, btScalar(0.0999)));
        ball.setWorldTransform(at);
        ball.setLinearVelocity(v);
        ball.setAngularVelocity(w);
        ball.applyCentralForce(force);
        ball.applyTorque(torque);
        world.stepSimulation(step, 0, step);
    }
    ~struck_ball() {
        world.removeRigidBody(&ball);
        world.removeRigidBody(&floor);
    }

    static const btScalar step;
};
const btScalar struck_ball::step = btScalar(1) / 60;

static int failed(bool right, const char *what) {
    if (!right) std::printf("Bullet: %s\n", what);
    return right ? 0 : 1;
}

/* Impacts see half of the change of velocity by the forces of the step, and are reported. */
static int check_forces() {
    const btVector3 v(1, 2, -3), w(4, 5, 6), force(10, 20, -30),
        torque(btScalar(0.4), btScalar(-0.2), 0);
    const btScalar half = struck_ball::step / 2;
    const struck_ball forced(v, w, force, torque);
    const struck_ball kicked(v + force * half, w + torque * (half / btScalar(0.004)),
                             btVector3(0, 0, 0), btVector3(0, 0, 0));
    const btScalar apart = (forced.solver.impulse - kicked.solver.impulse).length();
    return failed(forced.solver.told == 1, "one impact is to be told") +
           failed(apart <= 32 * SIMD_EPSILON * kicked.solver.impulse.length(),
                  "impacts do not see half of the forces") +
           failed(kicked.solver.impulse.length() > 1, "there was no impact");
}

/* A body that was made static keeps a velocity, which nothing uses. */
static int check_static() {
    const btVector3 v(1, 0, -3), none(0, 0, 0);
    const struck_ball left_over(v, none, none, none, btVector3(1, 2, 3)),
        right(v, none, none, none);
    return failed(left_over.solver.impulse == right.solver.impulse && right.solver.told == 1,
                  "a static body is not at rest");
}

/* Points have again what the bodies gave them. */
static int check_points() {
    struck_ball struck(btVector3(0, 0, -3), btVector3(0, 0, 0), btVector3(0, 0, 0),
                       btVector3(0, 0, 0));
    const btPersistentManifold *const manifold = struck.dispatcher.getManifoldByIndexInternal(0);
    if (manifold->getNumContacts() != 1) return failed(false, "there is no contact");
    const btManifoldPoint &point = manifold->getContactPoint(0);
    return failed(point.m_combinedRestitution == btScalar(0.25), "restitution is not restored") +
           failed(!(point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_ERP),
                  "flags are not restored");
}

int main() {
    const int found = check_forces() + check_static() + check_points();
    return engine_checks(&bullet_engine) || found > 0;
}
