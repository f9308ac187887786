#include "impinge_ode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* More than ODE's own examples request from dCollide: box on box gives up to 8. */
enum { CONTACTS_OF_PAIR = 16 };

typedef struct kept_contact {
    dContact contact;
    dBodyID a, b;
} kept_contact;

struct impinge_ode {
    dWorldID world;
    dJointGroupID joints;
    impinge_ode_options options;
    dSurfaceParameters surface;
    impact_list *list;
    impact_report report;
    kept_contact *contact;
    dBodyID *body;  /* by the number in the list */
    uint32_t *slot; /* a table of numbers by body, a power of two long; UINT32_MAX: empty */
    impact_pose *pose;
    size_t contacts, contact_room, bodies, body_room, slots;
};

impinge_ode *impinge_ode_new(dWorldID world) {
    impinge_ode *const self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->world = world;
    self->joints = dJointGroupCreate(0);
    self->list = impact_list_new();
    if (!self->joints || !self->list) {
        impinge_ode_free(self);
        return NULL;
    }
    self->options.rest_speed = 0.2;
    self->options.push_factor = 0.2;
    self->options.push_slop = 1e-4;
    self->surface.mode = dContactBounce | dContactApprox1;
    return self;
}

void impinge_ode_free(impinge_ode *self) {
    if (!self) return;
    if (self->joints) dJointGroupDestroy(self->joints);
    impact_list_free(self->list);
    free(self->contact);
    free(self->body);
    free(self->slot);
    free(self->pose);
    free(self);
}

impinge_ode_options *impinge_ode_options_of(impinge_ode *self) { return &self->options; }
dSurfaceParameters *impinge_ode_surface(impinge_ode *self) { return &self->surface; }
const impact_report *impinge_ode_report(const impinge_ode *self) { return &self->report; }

void impinge_ode_near(void *data, dGeomID a, dGeomID b) {
    if (dGeomIsSpace(a) || dGeomIsSpace(b)) {
        dSpaceCollide2(a, b, data, impinge_ode_near);
        return;
    }
    impinge_ode *const self = data;
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == body_b) return;
    if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
    dContactGeom found[CONTACTS_OF_PAIR];
    const int count = dCollide(a, b, CONTACTS_OF_PAIR, found, sizeof *found);
    for (int i = 0; i < count; i++) {
        dContact contact;
        memset(&contact, 0, sizeof contact);
        contact.surface = self->surface;
        contact.geom = found[i];
        impinge_ode_add(self, &contact, body_a, body_b);
    }
}

/* ---- Bodies ---- */

static void copy(const dReal *from, double to[3]) {
    for (int k = 0; k < 3; k++)
        to[k] = (double)from[k];
}

static void add_scaled(double to[3], double factor, const dReal *from) {
    for (int k = 0; k < 3; k++)
        to[k] += factor * (double)from[k];
}

/* The inverse of a symmetric 3 x 3 matrix whose rows are 4 long, as ODE's are. */
static void invert(const dReal *m, double to[3][3]) {
    double determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            to[j][i] = (double)m[4 * a + c] * (double)m[4 * b + d] -
                       (double)m[4 * a + d] * (double)m[4 * b + c];
            if (i == 0) determinant += (double)m[j] * to[j][i];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] /= determinant;
}

/* R I^-1 R^T. */
static void world_inertia(dBodyID body, const dMass *mass, double to[6]) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const dReal *const r = dBodyGetRotation(body);
    double inverse[3][3];
    invert(mass->I, inverse);
    for (int k = 0; k < 6; k++) {
        to[k] = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                to[k] += (double)r[4 * row[k] + i] * inverse[i][j] * (double)r[4 * column[k] + j];
    }
}

static impact_body body_of(dWorldID world, dBodyID body, double h) {
    impact_body to = {.inverse_mass = 0};
    copy(dBodyGetLinearVel(body), to.velocity);
    copy(dBodyGetAngularVel(body), to.angular_velocity);
    if (dBodyIsKinematic(body)) return to;
    dMass mass;
    dBodyGetMass(body, &mass);
    to.inverse_mass = 1 / (double)mass.mass;
    world_inertia(body, &mass, to.inverse_inertia);
    add_scaled(to.velocity, h / 2 * to.inverse_mass, dBodyGetForce(body));
    if (dBodyGetGravityMode(body)) {
        dVector3 gravity;
        dWorldGetGravity(world, gravity);
        add_scaled(to.velocity, h / 2, gravity);
    }
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const dReal *const torque = dBodyGetTorque(body);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to.angular_velocity[i] += h / 2 * to.inverse_inertia[at[i][j]] * (double)torque[j];
    return to;
}

/* The place of the body's number, or the empty place for it. There always is one. */
static size_t place_of(const impinge_ode *self, dBodyID body) {
    const uint64_t spread = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: Knuth 1973, 6.4 */
    size_t at = (size_t)(((uint64_t)(uintptr_t)body * spread) >> 32) & (self->slots - 1);
    while (self->slot[at] != UINT32_MAX && self->body[self->slot[at]] != body)
        at = (at + 1) & (self->slots - 1);
    return at;
}

static bool grow_bodies(impinge_ode *self) {
    const size_t room = self->body_room > 0 ? 2 * self->body_room : 64;
    if (!impact_list_grow(&self->body, room, sizeof *self->body) ||
        !impact_list_grow(&self->pose, room, sizeof *self->pose) ||
        !impact_list_grow(&self->slot, 2 * room, sizeof *self->slot))
        return false;
    self->body_room = room;
    self->slots = 2 * room;
    memset(self->slot, 0xff, self->slots * sizeof *self->slot);
    for (uint32_t i = 0; i < self->bodies; i++)
        self->slot[place_of(self, self->body[i])] = i;
    return true;
}

/* The body's number; a new one where it is new. The list gets the body when its step is known. */
static bool number_of(impinge_ode *self, dBodyID body, uint32_t *number) {
    *number = IMPINGE_WORLD;
    if (!body) return true;
    if (self->bodies == self->body_room && !grow_bodies(self)) return false;
    const size_t at = place_of(self, body);
    if (self->slot[at] == UINT32_MAX) {
        self->slot[at] = (uint32_t)self->bodies;
        self->body[self->bodies++] = body;
    }
    *number = self->slot[at];
    return true;
}

/* ---- Contacts ---- */

static bool moves(dBodyID body) { return body && !dBodyIsKinematic(body); }

bool impinge_ode_add(impinge_ode *self, const dContact *contact, dBodyID a, dBodyID b) {
    if (!moves(a) && !moves(b)) return false;
    if (self->contacts == self->contact_room) {
        const size_t room = self->contact_room > 0 ? 2 * self->contact_room : 64;
        if (!impact_list_grow(&self->contact, room, sizeof *self->contact)) return false;
        self->contact_room = room;
    }
    self->contact[self->contacts++] = (kept_contact){*contact, a, b};
    return true;
}

static void arm(dBodyID body, const dReal *at, double to[3]) {
    copy(at, to);
    if (body) add_scaled(to, -1, dBodyGetPosition(body));
}

static bool fill(impinge_ode *self, double h) {
    impact_list_clear(self->list);
    self->bodies = 0;
    if (self->slot) memset(self->slot, 0xff, self->slots * sizeof *self->slot);
    for (size_t i = 0; i < self->contacts; i++) {
        const kept_contact *const from = &self->contact[i];
        const dSurfaceParameters *const surface = &from->contact.surface;
        impact_contact to = {.gap = -(double)from->contact.geom.depth,
                             .friction = (double)surface->mu};
        if (surface->mode & dContactBounce)
            to.restitution = surface->bounce < 0   ? 0
                             : surface->bounce > 1 ? 1
                                                   : (double)surface->bounce;
        arm(from->a, from->contact.geom.pos, to.arm_a);
        arm(from->b, from->contact.geom.pos, to.arm_b);
        copy(from->contact.geom.normal, to.normal);
        if (!number_of(self, from->a, &to.a) || !number_of(self, from->b, &to.b) ||
            !impact_list_add_contact(self->list, &to))
            return false;
    }
    for (size_t i = 0; i < self->bodies; i++) {
        const impact_body body = body_of(self->world, self->body[i], h);
        if (!impact_list_add_body(self->list, &body)) return false;
    }
    return true;
}

static void add_velocities(impinge_ode *self) {
    for (size_t i = 0; i < self->bodies; i++) {
        double v[3], w[3];
        if (!impact_list_change(self->list, i, v, w)) continue;
        const dBodyID body = self->body[i];
        const dReal *const v0 = dBodyGetLinearVel(body), *const w0 = dBodyGetAngularVel(body);
        dBodyEnable(body);
        dBodySetLinearVel(body, v0[0] + (dReal)v[0], v0[1] + (dReal)v[1], v0[2] + (dReal)v[2]);
        dBodySetAngularVel(body, w0[0] + (dReal)w[0], w0[1] + (dReal)w[1], w0[2] + (dReal)w[2]);
    }
}

static void make_joints(impinge_ode *self) {
    for (size_t i = 0; i < self->contacts; i++) {
        const kept_contact *const from = &self->contact[i];
        dContact contact = from->contact;
        contact.surface.mode &= ~dContactBounce;
        contact.surface.mode |= dContactSoftERP;
        contact.surface.soft_erp = 0;
        if (!(from->contact.surface.mode & dContactSoftCFM)) {
            contact.surface.mode |= dContactSoftCFM;
            contact.surface.soft_cfm = 0;
        }
        dJointAttach(dJointCreateContact(self->world, self->joints, &contact), from->a, from->b);
    }
}

static void tell_impacts(impinge_ode *self) {
    if (!self->options.impact) return;
    for (size_t i = 0; i < self->contacts; i++) {
        const kept_contact *const at = &self->contact[i];
        double p[3];
        if (impact_list_impulse(self->list, i, p))
            self->options.impact(self->options.user, &at->contact, at->a, at->b, p);
    }
}

impinge_status impinge_ode_collide(impinge_ode *self, dReal h) {
    if (!fill(self, (double)h)) return IMPINGE_ERROR_COUNT;
    const impact_options options = {
        .law = self->options.law, .rest_speed = self->options.rest_speed, .time_step = (double)h};
    impact_report now;
    const impinge_status status = impact_list_collide(self->list, &options, &now);
    if (status < 0) return status;
    self->report.contacts += now.contacts;
    self->report.collisions += now.collisions;
    self->report.rounds += now.rounds;
    self->report.left_approaching += now.left_approaching;
    self->report.energy_lost += now.energy_lost;
    add_velocities(self);
    make_joints(self);
    tell_impacts(self);
    return status;
}

/* ---- Positions ---- */

static impact_pose pose_of(dBodyID body) {
    impact_pose pose;
    copy(dBodyGetPosition(body), pose.position);
    copy(dBodyGetLinearVel(body), pose.velocity);
    copy(dBodyGetAngularVel(body), pose.angular_velocity);
    const dReal *const q = dBodyGetQuaternion(body);
    for (int k = 0; k < 4; k++)
        pose.quaternion[k] = (double)q[k];
    return pose;
}

impinge_status impinge_ode_finish(impinge_ode *self, dReal h) {
    for (size_t i = 0; i < self->bodies; i++)
        self->pose[i] = pose_of(self->body[i]);
    const impact_push push = {.time_step = (double)h,
                              .factor = self->options.push_factor,
                              .slop = self->options.push_slop,
                              .rest_speed = self->options.rest_speed};
    const impinge_status status = impact_list_push_apart(self->list, &push, self->pose);
    for (size_t i = 0; i < self->bodies && status >= 0; i++) {
        if (!moves(self->body[i])) continue;
        const double *const x = self->pose[i].position, *const q = self->pose[i].quaternion;
        const dQuaternion turned = {(dReal)q[0], (dReal)q[1], (dReal)q[2], (dReal)q[3]};
        dBodySetPosition(self->body[i], (dReal)x[0], (dReal)x[1], (dReal)x[2]);
        dBodySetQuaternion(self->body[i], turned);
    }
    dJointGroupEmpty(self->joints);
    self->contacts = 0;
    return status;
}
