/*
 * Newton's cradle in Bullet with impacts by Impinge. Four balls of 1 kg touch, a fifth comes with
 * 2 m/s. The last line says what they have half a second later:
 *
 *     0.000 0.000 0.000 0.000 2.000 m/s, 2.000 J
 *
 * Bullet alone ends with 3.4 J.
 */
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "impinge_bullet.h"

/* Bullet prints -0.000 for what is a little below 0. */
static double plain(btScalar x) { return std::fabs(x) < 5e-4 ? 0 : static_cast<double>(x); }

int main() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    impinge_bullet_solver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    impinge_bullet_solver::configure(world.getSolverInfo());
    world.setGravity(btVector3(0, 0, 0));

    const btScalar radius = btScalar(0.1), mass = 1, step = btScalar(1) / 60;
    btSphereShape shape(radius);
    btVector3 inertia;
    shape.calculateLocalInertia(mass, inertia);
    std::vector<std::unique_ptr<btRigidBody>> balls;
    for (int i = 0; i < 5; i++) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_restitution = 1;
        info.m_friction = 0;
        const btScalar x = i == 0 ? btScalar(-0.5) : 2 * radius * btScalar(i);
        info.m_startWorldTransform.setOrigin(btVector3(x, 0, 0));
        balls.emplace_back(new btRigidBody(info));
        world.addRigidBody(balls.back().get());
    }
    balls[0]->setLinearVelocity(btVector3(2, 0, 0));

    for (int n = 0; n < 30; n++)
        world.stepSimulation(step, 0, step);

    double energy = 0;
    for (auto &ball : balls) {
        energy += 0.5 * static_cast<double>(mass * ball->getLinearVelocity().length2());
        std::printf("%.3f ", plain(ball->getLinearVelocity().x()));
        world.removeRigidBody(ball.get());
    }
    std::printf("m/s, %.3f J\n", energy);
    return std::fflush(stdout) != 0 || std::ferror(stdout); // not all could be written
}
