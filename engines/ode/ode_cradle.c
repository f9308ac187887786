/*
 * Newton's cradle in ODE with impacts by Impinge. Four balls of 1 kg touch, a fifth comes with
 * 2 m/s. The last line says what they have half a second later:
 *
 *     0.000 0.000 0.000 0.000 2.000 m/s, 2.000 J
 *
 * ODE alone leaves -0.667, 0, 0, 1.333 and 1.333 m/s.
 */
#include <math.h>
#include <stdio.h>

#include "impinge_ode.h"

int main(void) {
    enum { BALLS = 5 };
    const dReal radius = 0.1, mass = 1, step = (dReal)1 / 60;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    dBodyID ball[BALLS];
    for (int i = 0; i < BALLS; i++) {
        dMass solid;
        dMassSetSphereTotal(&solid, mass, radius);
        ball[i] = dBodyCreate(world);
        dBodySetMass(ball[i], &solid);
        dGeomSetBody(dCreateSphere(space, radius), ball[i]);
        dBodySetPosition(ball[i], i == 0 ? (dReal)-0.5 : 2 * radius * (dReal)i, 0, 0);
    }
    dBodySetLinearVel(ball[0], 2, 0, 0);

    impinge_ode *const impacts = impinge_ode_new(world);
    if (!impacts) return 1;
    impinge_ode_surface(impacts)->bounce = 1;
    for (int n = 0; n < 30; n++) {
        impinge_ode_gather(impacts, space);
        if (impinge_ode_collide(impacts, step) < 0) return 1;
        dWorldQuickStep(world, step);
        if (impinge_ode_finish(impacts, step) < 0) return 1;
    }

    double energy = 0;
    for (int i = 0; i < BALLS; i++) {
        const double v = (double)dBodyGetLinearVel(ball[i])[0];
        energy += 0.5 * (double)mass * v * v;
        printf("%.3f ", fabs(v) < 5e-4 ? 0 : v);
    }
    printf("m/s, %.3f J\n", energy);
    impinge_ode_free(impacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return fflush(stdout) != 0 || ferror(stdout); /* not all could be written */
}
