/**
 * Bullet with impacts by Impinge: a constraint solver that lets contacts that approach fast collide
 * by one of Impinge's laws, and then lets Bullet hold what rests.
 *
 *     btDefaultCollisionConfiguration configuration;
 *     btCollisionDispatcher dispatcher(&configuration);
 *     btDbvtBroadphase broadphase;
 *     impinge_bullet_solver solver;                      // instead of Bullet's
 *     btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
 *     impinge_bullet_solver::configure(world.getSolverInfo());
 *
 * To copy into a project: this header and its source, ../impacts/impact_list.h and .c. Works with
 * either precision of Bullet (BT_USE_DOUBLE_PRECISION); impacts are computed in double precision.
 *
 * How fields correspond.
 *  - Body A is the manifold's body 0, B is body 1. Bullet's m_normalWorldOnB points from B to A, as
 *    Impinge's normal does. Frames are the world's, on both sides.
 *  - The contact point is in the middle between Bullet's two points, so that friction keeps the
 *    angular momentum where the bodies overlap or are apart.
 *  - Velocities are those at the time of the positions, v + h/2 f / m, with all forces that
 *    Bullet has for this step, gravity among them. (Bullet's v is that of half a step before.)
 *    Static bodies are at rest; kinematic ones move as Bullet finds from their positions.
 *  - Restitution and friction are the point's m_combinedRestitution and m_combinedFriction, so
 *    that Bullet's rule of mixing counts (the product, or what
 * gCalculateCombinedRestitutionCallback and gContactAddedCallback make of it). Restitution is cut
 * to 0 to 1. Friction is isotropic.
 *  - Impacts are contacts that approach faster than info.m_restitutionVelocityThreshold, Bullet's
 *    own bound (0.2 m/s); see rest_speed. It is to be above h |f| / (2 m), the speed at which a
 *    resting contact approaches, or heaps will not rest: at 1/60 s gravity gives 0.08 m/s.
 *  - Bullet's own restitution acts on none of these contacts, fast or slow; and Bullet does not
 *    push rebounding bodies apart, which would lift them higher than they fell.
 *
 * Left to Bullet with its own restitution: bodies whose linear or angular factor is not 1 along
 * all axes, contacts with stiffness and damping, and what is not a rigid body (links of
 * btMultiBody, soft bodies). Joints do not see impacts; Bullet corrects them after. A solver serves
 * one thread; of a pool, each thread has its own.
 */
#ifndef IMPINGE_BULLET_H
#define IMPINGE_BULLET_H

#include <btBulletDynamicsCommon.h>
#include <vector>

#include "../impacts/impact_list.h"

class impinge_bullet_solver : public btSequentialImpulseConstraintSolver {
  public:
    /** The law and its options; all zero: Routh's law with Stronge's restitution. */
    impinge_options law;
    /** Contacts that approach no faster rest, m/s; below 0: info.m_restitutionVelocityThreshold. */
    btScalar rest_speed;
    /** Sums over the impacts of all calls since it was last cleared. */
    impact_report report;

    impinge_bullet_solver();
    ~impinge_bullet_solver() override;
    impinge_bullet_solver(const impinge_bullet_solver &) = delete;
    impinge_bullet_solver &operator=(const impinge_bullet_solver &) = delete;

    /**
     * The setting with which Bullet adds no energy at contacts: every overlap is pushed back by
     * split impulses. Bullet's default turns overlaps of up to 4 cm into velocity.
     */
    static void configure(btContactSolverInfo &info);

    /**
     * Optional, for bodies that are fast or small: contacts are found when the surfaces are still
     * so far apart, and collide in the step in which they would touch. With the distance that the
     * fastest body goes in a step nothing overlaps at an impact, and nothing is to be pushed back,
     * which would lift it. (Bullet's own is 2 cm at most.) Sets a global variable of Bullet, and a
     * flag of the dispatcher. Keep it well below the size of the bodies: Bullet also keeps old
     * contact points that have slid that far.
     */
    static void look_ahead(btCollisionDispatcher &dispatcher, btScalar distance);

    btScalar solveGroup(btCollisionObject **bodies, int body_count,
                        btPersistentManifold **manifolds, int manifold_count,
                        btTypedConstraint **constraints, int constraint_count,
                        const btContactSolverInfo &info, btIDebugDraw *debug,
                        btDispatcher *dispatcher) override;

  protected:
    /** Called for each contact that collided, with its impulse on body 0, kg m/s. */
    virtual void impact(const btPersistentManifold &, const btManifoldPoint &, const btVector3 &) {}

  private:
    // The manifold point of a contact of the list, and the values that the point had before.
    struct place {
        btPersistentManifold *manifold;
        int point, flags;
        btScalar restitution, erp;

        btManifoldPoint &at() const { return manifold->getContactPoint(point); }
    };
    impact_list *list;
    std::vector<btRigidBody *> listed; // by the number in the list
    std::vector<place> places;         // of the list's contacts

    uint32_t number_of(btRigidBody *body, btScalar time_step);
    void add_manifold(btPersistentManifold *manifold, btScalar time_step);
    void collide(btPersistentManifold **manifolds, int count, const btContactSolverInfo &info);
    void write_back(double rest);
    void restore_points();
};

#endif
