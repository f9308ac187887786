#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../ode/impinge_ode.h"
#include "ode_engine.h"

typedef struct told_impacts {
    int count;
    double impulse[3];
    double rises; /* the velocity after the step, m/s */
} told_impacts;

static void tell(void *user, const dContact *contact, dBodyID a, dBodyID b,
                 const double impulse[3]) {
    (void)contact;
    (void)a;
    (void)b;
    told_impacts *const told = user;
    told->count++;
    memcpy(told->impulse, impulse, sizeof told->impulse);
}

static const dReal step_length = (dReal)1 / 60;

/* A ball on the floor, with a force and a torque on it for one step. */
static told_impacts strike(const double v[3], const double w[3], const double force[3],
                           const double torque[3]) {
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(0);
    const dBodyID ball = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, 0.004, 0.004, 0.004, 0, 0, 0);
    dBodySetMass(ball, &mass);
    dGeomSetBody(dCreateSphere(space, 0.1), ball);
    dCreatePlane(space, 0, 0, 1, 0);
    dBodySetPosition(ball, 0, 0, 0.0999);
    dBodySetLinearVel(ball, v[0], v[1], v[2]);
    dBodySetAngularVel(ball, w[0], w[1], w[2]);
    dBodyAddForce(ball, force[0], force[1], force[2]);
    dBodyAddTorque(ball, torque[0], torque[1], torque[2]);
    told_impacts told = {0};
    impinge_ode *const impacts = impinge_ode_new(world);
    impinge_ode_surface(impacts)->bounce = 0.5;
    impinge_ode_surface(impacts)->mu = 0.5;
    impinge_ode_options_of(impacts)->impact = tell;
    impinge_ode_options_of(impacts)->user = &told;
    dSpaceCollide(space, impacts, impinge_ode_near);
    if (impinge_ode_collide(impacts, step_length) < 0) told.count = -1;
    dWorldQuickStep(world, step_length);
    if (impinge_ode_finish(impacts, step_length) < 0) told.count = -1;
    told.rises = dBodyGetLinearVel(ball)[2];
    impinge_ode_free(impacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return told;
}

static int failed(bool right, const char *what) {
    if (!right) printf("ODE: %s\n", what);
    return right ? 0 : 1;
}

/* Impacts see half of the change of velocity by the forces of the step, and are reported. */
static int check_forces(void) {
    const double v[3] = {1, 2, -3}, w[3] = {4, 5, 6}, none[3] = {0, 0, 0};
    const double force[3] = {10, 20, -30}, torque[3] = {0.4, -0.2, 0.1};
    double v_half[3], w_half[3], apart = 0, size = 0;
    for (size_t k = 0; k < 3; k++) {
        v_half[k] = v[k] + step_length / 2 * force[k];
        w_half[k] = w[k] + step_length / 2 * torque[k] / 0.004;
    }
    const told_impacts forced = strike(v, w, force, torque),
                       kicked = strike(v_half, w_half, none, none);
    for (size_t k = 0; k < 3; k++) {
        apart = fmax(apart, fabs(forced.impulse[k] - kicked.impulse[k]));
        size = fmax(size, fabs(kicked.impulse[k]));
    }
    return failed(forced.count == 1 && kicked.count == 1, "one impact is to be told") +
           failed(apart <= 32 * ode_engine.rounding * size,
                  "impacts do not see half of the forces") +
           failed(size > 1, "there was no impact");
}

/* ODE stops contacts that approach no faster than the rest speed; they do not bounce. QuickStep
 * overshoots by 0.3 of what is left in each of its 20 iterations. */
static int check_slow(void) {
    const double v[3] = {0, 0, -0.1}, none[3] = {0, 0, 0};
    const told_impacts slow = strike(v, none, none, none);
    return failed(slow.count == 0, "a slow contact is an impact") +
           failed(fabs(slow.rises) <= 0.1 * (pow(0.3, 20) + 32 * ode_engine.rounding),
                  "a slow contact bounces");
}

/* Two balls that overlap and approach: an impact, unless a joint connects them. */
static int impacts_of_two(bool jointed) {
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(0);
    told_impacts told = {0};
    impinge_ode *const impacts = impinge_ode_new(world);
    impinge_ode_options_of(impacts)->impact = tell;
    impinge_ode_options_of(impacts)->user = &told;
    dBodyID ball[2];
    for (int i = 0; i < 2; i++) {
        ball[i] = dBodyCreate(world);
        dGeomSetBody(dCreateSphere(space, 0.1), ball[i]);
        dBodySetPosition(ball[i], 0.199 * i, 0, 0);
        dBodySetLinearVel(ball[i], 1 - i, 0, 0);
    }
    if (jointed) dJointAttach(dJointCreateBall(world, NULL), ball[0], ball[1]);
    dSpaceCollide(space, impacts, impinge_ode_near);
    if (impinge_ode_collide(impacts, step_length) < 0) told.count = -1;
    impinge_ode_free(impacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return told.count;
}

static int check_joints(void) {
    return failed(impacts_of_two(false) == 1, "two balls have no impact") +
           failed(impacts_of_two(true) == 0, "balls that a joint connects have an impact");
}

enum { ROW = 6 };

/* The contacts in two steps of balls in a row, each touching the next. group: 0: in the space of
 * all; 1: in a space of its own there; 2: in a space in another. */
static size_t nested_contacts(const int group[ROW], bool by_hand) {
    const dWorldID world = dWorldCreate();
    const dSpaceID all = dSimpleSpaceCreate(0), inner = dSimpleSpaceCreate(all),
                   innermost = dSimpleSpaceCreate(dSimpleSpaceCreate(all));
    const dSpaceID space[3] = {all, inner, innermost};
    impinge_ode *const impacts = impinge_ode_new(world);
    for (int i = 0; i < ROW; i++) {
        const dBodyID ball = dBodyCreate(world);
        dGeomSetBody(dCreateSphere(space[group[i]], 0.1), ball);
        dBodySetPosition(ball, 1 + 0.199 * i, 0, 0);
    }
    bool right = true;
    for (int step = 0; step < 2; step++) {
        if (by_hand) {
            dSpaceCollide(all, impacts, impinge_ode_near);
        } else {
            impinge_ode_gather(impacts, all);
            impinge_ode_gather(impacts, all); /* again in the same step: nothing more */
        }
        right &= impinge_ode_collide(impacts, step_length) >= 0;
        right &= impinge_ode_finish(impacts, step_length) >= 0;
    }
    const size_t contacts = impinge_ode_report(impacts)->contacts;
    impinge_ode_free(impacts);
    dSpaceDestroy(all);
    dWorldDestroy(world);
    return right ? contacts : 0;
}

/* Each pair has its contact, once, whichever spaces its two balls are in. */
static int check_spaces(void) {
    static const int group[][ROW] = {{0, 0, 0, 0, 0, 0}, {0, 0, 1, 1, 2, 2}, {1, 1, 1, 2, 2, 2},
                                     {1, 2, 1, 2, 1, 2}, {1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}};
    const size_t right = 2 * (ROW - 1),
                 by_callback = 4; /* in the last two no space is near another */
    int found = 0;
    for (size_t i = 0; i < sizeof group / sizeof *group; i++) {
        found += failed(nested_contacts(group[i], false) == right, "a space is not gathered once");
        if (i >= by_callback) continue;
        found += failed(nested_contacts(group[i], true) == right,
                        "the callback does not gather a space once");
    }
    return found;
}

int main(void) {
    dInitODE2(0);
    const int found = check_forces() + check_slow() + check_joints() + check_spaces();
    return engine_checks(&ode_engine) || found > 0;
}
