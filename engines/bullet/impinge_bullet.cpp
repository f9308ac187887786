#include "impinge_bullet.h"

#include <algorithm>
#include <new>
#include <stdexcept>

extern btScalar gContactBreakingThreshold; // of Bullet, which declares it in a source

namespace {

/* While contacts are gathered, a body's companion number is its number in the list. Bullet itself
 * keeps its own there during a solve, and does not look at what it finds. */
const int no_companion = -1;

void copy(const btVector3 &from, double to[3]) {
    for (int k = 0; k < 3; k++)
        to[k] = static_cast<double>(from[k]);
}

btVector3 vector(const double from[3]) {
    return btVector3(static_cast<btScalar>(from[0]), static_cast<btScalar>(from[1]),
                     static_cast<btScalar>(from[2]));
}

/* True if Impinge can take the body: its mass is the same along all axes. */
bool is_plain(const btRigidBody *body) {
    if (!body) return false;
    const btVector3 ones(1, 1, 1);
    return body->getInvMass() == 0 ||
           (body->getLinearFactor() == ones && body->getAngularFactor() == ones);
}

impact_body body_of(const btRigidBody &body, btScalar time_step) {
    impact_body to = {};
    // As for Bullet's solver, a static body is at rest, whatever velocity it had before it was one.
    if (body.getInvMass() == 0 && !body.isKinematicObject()) return to;
    const btVector3 kick = body.getTotalForce() * body.getInvMass() * (time_step / 2);
    copy(body.getLinearVelocity() + kick, to.velocity);
    copy(body.getAngularVelocity(), to.angular_velocity);
    if (body.getInvMass() == 0) return to;
    const btMatrix3x3 &inertia = body.getInvInertiaTensorWorld();
    copy(body.getAngularVelocity() + inertia * body.getTotalTorque() * (time_step / 2),
         to.angular_velocity);
    to.inverse_mass = static_cast<double>(body.getInvMass());
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++)
        to.inverse_inertia[k] = static_cast<double>(inertia[row[k]][column[k]]);
    return to;
}

} // namespace

impinge_bullet_solver::impinge_bullet_solver()
    : law(impinge_options_default()), rest_speed(-1), report(), list(impact_list_new()) {
    if (!list) throw std::bad_alloc();
}

impinge_bullet_solver::~impinge_bullet_solver() { impact_list_free(list); }

void impinge_bullet_solver::configure(btContactSolverInfo &info) {
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
}

void impinge_bullet_solver::look_ahead(btCollisionDispatcher &dispatcher, btScalar distance) {
    gContactBreakingThreshold = distance;
    dispatcher.setDispatcherFlags(
        dispatcher.getDispatcherFlags() &
        ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
}

uint32_t impinge_bullet_solver::number_of(btRigidBody *body, btScalar time_step) {
    const int known = body->getCompanionId();
    if (known >= 0 && static_cast<size_t>(known) < listed.size() &&
        listed[static_cast<size_t>(known)] == body)
        return static_cast<uint32_t>(known);
    const impact_body to = body_of(*body, time_step);
    if (!impact_list_add_body(list, &to)) throw std::bad_alloc();
    body->setCompanionId(static_cast<int>(listed.size()));
    listed.push_back(body);
    return static_cast<uint32_t>(listed.size() - 1);
}

void impinge_bullet_solver::add_manifold(btPersistentManifold *manifold, btScalar time_step) {
    btRigidBody *const a =
        btRigidBody::upcast(const_cast<btCollisionObject *>(manifold->getBody0()));
    btRigidBody *const b =
        btRigidBody::upcast(const_cast<btCollisionObject *>(manifold->getBody1()));
    if (!is_plain(a) || !is_plain(b) || (a->getInvMass() == 0 && b->getInvMass() == 0)) return;
    for (int i = 0; i < manifold->getNumContacts(); i++) {
        btManifoldPoint &point = manifold->getContactPoint(i);
        if (point.getDistance() > manifold->getContactProcessingThreshold() ||
            (point.m_contactPointFlags & BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING))
            continue;
        const btVector3 middle =
            (point.getPositionWorldOnA() + point.getPositionWorldOnB()) * btScalar(0.5);
        impact_contact to = {};
        to.a = number_of(a, time_step);
        to.b = number_of(b, time_step);
        copy(middle - a->getCenterOfMassPosition(), to.arm_a);
        copy(middle - b->getCenterOfMassPosition(), to.arm_b);
        copy(point.m_normalWorldOnB, to.normal);
        to.gap = static_cast<double>(point.getDistance());
        to.restitution =
            std::min(1.0, std::max(0.0, static_cast<double>(point.m_combinedRestitution)));
        to.friction = static_cast<double>(point.m_combinedFriction);
        if (!impact_list_add_contact(list, &to)) throw std::bad_alloc();
        places.push_back(place{manifold, i, point.m_contactPointFlags, point.m_combinedRestitution,
                               point.m_contactERP});
        point.m_combinedRestitution = 0; // Bullet is not to bounce it again
    }
}

void impinge_bullet_solver::write_back(double rest) {
    for (size_t i = 0; i < listed.size(); i++) {
        double v[3], w[3];
        listed[i]->setCompanionId(no_companion);
        if (!impact_list_change(list, i, v, w)) continue;
        listed[i]->setLinearVelocity(listed[i]->getLinearVelocity() + vector(v));
        listed[i]->setAngularVelocity(listed[i]->getAngularVelocity() + vector(w));
    }
    for (size_t i = 0; i < places.size(); i++) {
        btManifoldPoint &point = places[i].at();
        if (impact_list_separation(list, i) > rest) {
            point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_ERP;
            point.m_contactERP = 0;
        }
        double p[3];
        if (impact_list_impulse(list, i, p)) impact(*places[i].manifold, point, vector(p));
    }
}

void impinge_bullet_solver::restore_points() {
    for (const place &from : places) {
        btManifoldPoint &point = from.at();
        point.m_combinedRestitution = from.restitution;
        if (from.flags & BT_CONTACT_FLAG_HAS_CONTACT_ERP)
            point.m_contactERP = from.erp;
        else
            point.m_contactPointFlags &= ~BT_CONTACT_FLAG_HAS_CONTACT_ERP;
    }
}

void impinge_bullet_solver::collide(btPersistentManifold **manifolds, int count,
                                    const btContactSolverInfo &info) {
    impact_list_clear(list);
    listed.clear();
    places.clear();
    for (int i = 0; i < count; i++)
        add_manifold(manifolds[i], info.m_timeStep);
    impact_options options = {};
    options.law = law;
    options.rest_speed =
        static_cast<double>(rest_speed < 0 ? info.m_restitutionVelocityThreshold : rest_speed);
    options.time_step = static_cast<double>(info.m_timeStep);
    impact_report now;
    const impinge_status status = impact_list_collide(list, &options, &now);
    write_back(options.rest_speed);
    if (status < 0) {
        restore_points();
        throw std::runtime_error(impinge_status_text(status));
    }
    report.contacts += now.contacts;
    report.collisions += now.collisions;
    report.rounds += now.rounds;
    report.left_approaching += now.left_approaching;
    report.energy_lost += now.energy_lost;
}

btScalar impinge_bullet_solver::solveGroup(btCollisionObject **bodies, int body_count,
                                           btPersistentManifold **manifolds, int manifold_count,
                                           btTypedConstraint **constraints, int constraint_count,
                                           const btContactSolverInfo &info, btIDebugDraw *debug,
                                           btDispatcher *dispatcher) {
    collide(manifolds, manifold_count, info);
    const btScalar residual = btSequentialImpulseConstraintSolver::solveGroup(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, debug,
        dispatcher);
    restore_points();
    return residual;
}
