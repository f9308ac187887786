#include "ode_engine.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "../ode/impinge_ode.h"

enum { CONTACTS_OF_PAIR = 16 };

typedef struct ode_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints; /* of ODE alone */
    dSurfaceParameters surface;
    dBodyID *body;
    impinge_ode *impacts; /* null: ODE alone */
} ode_world;

/* As ODE's own examples do. */
static void near_alone(void *data, dGeomID a, dGeomID b) {
    ode_world *const w = data;
    dContactGeom found[CONTACTS_OF_PAIR];
    const int count = dCollide(a, b, CONTACTS_OF_PAIR, found, sizeof *found);
    for (int i = 0; i < count; i++) {
        dContact contact;
        memset(&contact, 0, sizeof contact);
        contact.surface = w->surface;
        contact.geom = found[i];
        dJointAttach(dJointCreateContact(w->world, w->joints, &contact), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static dBodyID body_new(ode_world *w, const scene_body *b, const engine_setting *setting) {
    const double *const a = b->half;
    const dGeomID geometry =
        b->sphere ? dCreateSphere(w->space, (dReal)a[0])
                  : dCreateBox(w->space, (dReal)(2 * a[0]), (dReal)(2 * a[1]), (dReal)(2 * a[2]));
    const dBodyID body = dBodyCreate(w->world);
    dGeomSetBody(geometry, body);
    if (b->mass > 0) {
        dMass mass;
        double inertia[3];
        scene_inertia(b, inertia);
        dMassSetParameters(&mass, (dReal)b->mass, 0, 0, 0, (dReal)inertia[0], (dReal)inertia[1],
                           (dReal)inertia[2], 0, 0, 0);
        dBodySetMass(body, &mass);
    } else
        dBodySetKinematic(body);
    dBodySetPosition(body, (dReal)b->x[0], (dReal)b->x[1], (dReal)b->x[2]);
    dQuaternion turned;
    dQFromAxisAndAngle(turned, (dReal)b->turn[0], (dReal)b->turn[1], (dReal)b->turn[2],
                       (dReal)b->turn[3]);
    dBodySetQuaternion(body, turned);
    dBodySetLinearVel(body, (dReal)b->v[0], (dReal)b->v[1], (dReal)b->v[2]);
    dBodySetAngularVel(body, (dReal)b->w[0], (dReal)b->w[1], (dReal)b->w[2]);
    if (setting->no_gyroscope) dBodySetGyroscopicMode(body, 0);
    return body;
}

static void *make(const scene *s, const engine_setting *setting) {
    static bool begun;
    if (!begun) dInitODE2(0);
    begun = true;
    dRandSetSeed(0); /* the order in which QuickStep goes through constraints */
    ode_world *const w = calloc(1, sizeof *w);
    if (!w) abort();
    w->world = dWorldCreate();
    /* The hash space of ODE 0.16.2 misses pairs, those of scene_oblique among them. */
    w->space = dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    w->joints = dJointGroupCreate(0);
    w->body = calloc(s->bodies, sizeof *w->body);
    if (!w->body) abort();
    dWorldSetGravity(w->world, 0, 0, (dReal)s->gravity);
    if (setting->iterations > 0) dWorldSetQuickStepNumIterations(w->world, setting->iterations);
    w->surface.mode = dContactBounce | dContactApprox1;
    w->surface.mu = (dReal)s->friction;
    w->surface.bounce = (dReal)s->restitution;
    w->surface.bounce_vel = (dReal)0.2;
    if (setting->impinge) {
        w->impacts = impinge_ode_new(w->world);
        if (!w->impacts) abort();
        *impinge_ode_surface(w->impacts) = w->surface;
        impinge_ode_surface(w->impacts)->bounce_vel = 0; /* does not count */
    }
    for (size_t i = 0; i < s->bodies; i++)
        w->body[i] = body_new(w, &s->body[i], setting);
    if (s->floor) dCreatePlane(w->space, 0, 0, 1, 0);
    return w;
}

static void step(void *world, double h) {
    ode_world *const w = world;
    if (w->impacts)
        impinge_ode_gather(w->impacts, w->space);
    else
        dSpaceCollide(w->space, w, near_alone);
    if (w->impacts && impinge_ode_collide(w->impacts, (dReal)h) < 0) abort();
    dWorldQuickStep(w->world, (dReal)h);
    if (w->impacts && impinge_ode_finish(w->impacts, (dReal)h) < 0) abort();
    dJointGroupEmpty(w->joints);
}

static void read_bodies(void *world, const scene *s, body_now *bodies) {
    const ode_world *const w = world;
    for (size_t i = 0; i < s->bodies; i++) {
        body_now *const to = &bodies[i];
        const dReal *const x = dBodyGetPosition(w->body[i]), *const v =
                                                                 dBodyGetLinearVel(w->body[i]);
        const dReal *const r = dBodyGetRotation(w->body[i]), *const o =
                                                                 dBodyGetAngularVel(w->body[i]);
        to->mass = s->body[i].mass;
        scene_inertia(&s->body[i], to->inertia);
        for (int k = 0; k < 3; k++) {
            to->x[k] = (double)x[k];
            to->v[k] = (double)v[k];
            to->w[k] = (double)o[k];
            for (int j = 0; j < 3; j++)
                to->r[3 * k + j] = (double)r[4 * k + j];
        }
    }
}

static void end(void *world) {
    ode_world *const w = world;
    impinge_ode_free(w->impacts);
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w->body);
    free(w);
}

/* 20 iterations leave up to 4e-4 m/s at a corner of a cube at rest. */
const engine ode_engine = {.name = sizeof(dReal) == sizeof(float) ? "ODE, single precision"
                                                                  : "ODE, double precision",
                           .rounding = sizeof(dReal) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON,
                           .residual = 5e-4,
                           .make = make,
                           .step = step,
                           .read = read_bodies,
                           .end = end};
