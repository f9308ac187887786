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

/* Pointers, numbered in the order in which they came. */
typedef struct numbered {
    void **item;
    uint32_t *slot; /* a table of numbers, a power of two long; UINT32_MAX: empty */
    size_t count, room, slots;
} numbered;

struct impinge_ode {
    dWorldID world;
    dJointGroupID joints;
    impinge_ode_options options;
    dSurfaceParameters surface;
    impact_list *list;
    impact_report report;
    kept_contact *contact;
    numbered body;  /* as in the list */
    numbered space; /* those whose inside was gathered in this step */
    impact_pose *pose;
    size_t contacts, contact_room, pose_room;
};

/* ---- Numbers ---- */

static void numbered_free(numbered *all) {
    free(all->item);
    free(all->slot);
}

static void numbered_clear(numbered *all) {
    all->count = 0;
    if (all->slot) memset(all->slot, 0xff, all->slots * sizeof *all->slot);
}

/* The place of the item's number, or the empty place for it. There always is one. */
static size_t place_of(const numbered *all, const void *item) {
    const uint64_t spread = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: Knuth 1973, 6.4 */
    size_t at = (size_t)(((uint64_t)(uintptr_t)item * spread) >> 32) & (all->slots - 1);
    while (all->slot[at] != UINT32_MAX && all->item[all->slot[at]] != item)
        at = (at + 1) & (all->slots - 1);
    return at;
}

static bool numbered_grow(numbered *all) {
    const size_t room = all->room > 0 ? 2 * all->room : 64;
    if (!impact_list_grow(&all->item, room, sizeof *all->item) ||
        !impact_list_grow(&all->slot, 2 * room, sizeof *all->slot))
        return false;
    all->room = room;
    all->slots = 2 * room;
    memset(all->slot, 0xff, all->slots * sizeof *all->slot);
    for (uint32_t i = 0; i < all->count; i++)
        all->slot[place_of(all, all->item[i])] = i;
    return true;
}

/* The item's number; a new one where it is new. Returns false if there is no memory. */
static bool number_in(numbered *all, void *item, uint32_t *number) {
    if (all->count == all->room && !numbered_grow(all)) return false;
    const size_t at = place_of(all, item);
    if (all->slot[at] == UINT32_MAX) {
        all->slot[at] = (uint32_t)all->count;
        all->item[all->count++] = item;
    }
    *number = all->slot[at];
    return true;
}

/* ---- Making and gathering ---- */

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
    numbered_free(&self->body);
    numbered_free(&self->space);
    free(self->pose);
    free(self);
}

impinge_ode_options *impinge_ode_options_of(impinge_ode *self) { return &self->options; }
dSurfaceParameters *impinge_ode_surface(impinge_ode *self) { return &self->surface; }
const impact_report *impinge_ode_report(const impinge_ode *self) { return &self->report; }

void impinge_ode_gather(impinge_ode *self, dSpaceID space) {
    const size_t before = self->space.count;
    uint32_t number;
    if (!number_in(&self->space, space, &number) || number < before) return;
    dSpaceCollide(space, self, impinge_ode_near);
    const int geoms = dSpaceGetNumGeoms(space);
    for (int i = 0; i < geoms; i++) {
        const dGeomID geom = dSpaceGetGeom(space, i);
        if (dGeomIsSpace(geom)) impinge_ode_gather(self, (dSpaceID)geom);
    }
}

void impinge_ode_near(void *data, dGeomID a, dGeomID b) {
    impinge_ode *const self = data;
    if (dGeomIsSpace(a) || dGeomIsSpace(b)) {
        dSpaceCollide2(a, b, self, impinge_ode_near);
        if (dGeomIsSpace(a)) impinge_ode_gather(self, (dSpaceID)a);
        if (dGeomIsSpace(b)) impinge_ode_gather(self, (dSpaceID)b);
        return;
    }
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

/* The body's number; a new one where it is new. The list gets the body when its step is known. */
static bool number_of(impinge_ode *self, dBodyID body, uint32_t *number) {
    *number = IMPINGE_WORLD;
    return !body || number_in(&self->body, body, number);
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

/* Room for the poses of all bodies after the step. */
static bool make_poses(impinge_ode *self) {
    if (self->body.room <= self->pose_room) return true;
    if (!impact_list_grow(&self->pose, self->body.room, sizeof *self->pose)) return false;
    self->pose_room = self->body.room;
    return true;
}

static bool fill(impinge_ode *self, double h) {
    impact_list_clear(self->list);
    numbered_clear(&self->body);
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
    for (size_t i = 0; i < self->body.count; i++) {
        const impact_body body = body_of(self->world, self->body.item[i], h);
        if (!impact_list_add_body(self->list, &body)) return false;
    }
    return make_poses(self);
}

static void add_velocities(impinge_ode *self) {
    for (size_t i = 0; i < self->body.count; i++) {
        double v[3], w[3];
        if (!impact_list_change(self->list, i, v, w)) continue;
        const dBodyID body = self->body.item[i];
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
    for (size_t i = 0; i < self->body.count; i++)
        self->pose[i] = pose_of(self->body.item[i]);
    const impact_push push = {.time_step = (double)h,
                              .factor = self->options.push_factor,
                              .slop = self->options.push_slop,
                              .rest_speed = self->options.rest_speed};
    const impinge_status status = impact_list_push_apart(self->list, &push, self->pose);
    for (size_t i = 0; i < self->body.count && status >= 0; i++) {
        if (!moves(self->body.item[i])) continue;
        const double *const x = self->pose[i].position, *const q = self->pose[i].quaternion;
        const dQuaternion turned = {(dReal)q[0], (dReal)q[1], (dReal)q[2], (dReal)q[3]};
        dBodySetPosition(self->body.item[i], (dReal)x[0], (dReal)x[1], (dReal)x[2]);
        dBodySetQuaternion(self->body.item[i], turned);
    }
    dJointGroupEmpty(self->joints);
    self->contacts = 0;
    numbered_clear(&self->space);
    return status;
}
