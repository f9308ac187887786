/* Compiled with -O3 -march=native and the compiler's own multiply-adds, for each PLAIN_BITS. */
#include "plain_particles.h"

#include <math.h>

#if PLAIN_BITS == 32
typedef float real;
#define NAME(name) name##_f32
#define ROOT       sqrtf
#else
typedef double real;
#define NAME(name) name##_f64
#define ROOT       sqrt
#endif

typedef struct vector {
    real x, y, z;
} vector;

static inline real dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vector difference(const real *x, const real *y, const real *z, uint32_t a,
                                uint32_t b) {
    return (vector){x[a] - x[b], y[a] - y[b], z[a] - z[b]};
}

static inline void add(real *restrict x, real *restrict y, real *restrict z, uint32_t i, real by,
                       vector v) {
    x[i] += by * v.x;
    y[i] += by * v.y;
    z[i] += by * v.z;
}

void NAME(plain_particles)(const NAME(impinge_particles) * from,
                           const NAME(impinge_particle_contacts) * contacts,
                           const NAME(impinge_particles) * to) {
    const NAME(impinge_particles) p = *from;
    const NAME(impinge_particles) q = *to;
    const real e = contacts->coefficients.restitution.value;
    const real mu = contacts->coefficients.friction.value;
    const real k_p = contacts->projection_factor;
    for (size_t c = 0; c < contacts->count; c++) {
        const uint32_t a = contacts->index_a[c];
        const uint32_t b = contacts->index_b[c];
        const vector d = difference(p.position_x, p.position_y, p.position_z, a, b);
        const real square = dot(d, d);
        const real reach = p.radius[a] + p.radius[b];
        if (square >= reach * reach) continue;
        const real length = ROOT(square);
        const vector n = {d.x / length, d.y / length, d.z / length};
        const vector u = difference(p.velocity_x, p.velocity_y, p.velocity_z, a, b);
        const real u_n = dot(u, n);
        if (u_n >= 0) continue;
        const real ra = p.radius[a];
        const real rb = p.radius[b];
        const vector turned = {ra * p.angular_velocity_x[a] + rb * p.angular_velocity_x[b],
                               ra * p.angular_velocity_y[a] + rb * p.angular_velocity_y[b],
                               ra * p.angular_velocity_z[a] + rb * p.angular_velocity_z[b]};
        const vector spin = cross(n, turned);
        const vector t = {u.x - u_n * n.x + spin.x, u.y - u_n * n.y + spin.y,
                          u.z - u_n * n.z + spin.z};
        const real k = p.inverse_mass[a] + p.inverse_mass[b];
        const real p_n = -(1 + e) * u_n / k;
        const real sticks = 1 / ((real)3.5 * k);
        const real slip = ROOT(dot(t, t));
        const real slides = mu * p_n / slip;
        const real share = slides < sticks ? slides : sticks;
        const vector impulse = {p_n * n.x - share * t.x, p_n * n.y - share * t.y,
                                p_n * n.z - share * t.z};
        const vector moment = cross(n, impulse);
        const real projection = k_p * (reach - length) / k;
        add(q.velocity_x, q.velocity_y, q.velocity_z, a, p.inverse_mass[a], impulse);
        add(q.velocity_x, q.velocity_y, q.velocity_z, b, -p.inverse_mass[b], impulse);
        add(q.angular_velocity_x, q.angular_velocity_y, q.angular_velocity_z, a,
            -(real)2.5 * p.inverse_mass[a] / ra, moment);
        add(q.angular_velocity_x, q.angular_velocity_y, q.angular_velocity_z, b,
            -(real)2.5 * p.inverse_mass[b] / rb, moment);
        add(q.position_x, q.position_y, q.position_z, a, p.inverse_mass[a] * projection, n);
        add(q.position_x, q.position_y, q.position_z, b, -p.inverse_mass[b] * projection, n);
    }
}

/* ---- Rows ---- */

enum { MOTION = IMPINGE_MOTION_ROW, SPIN = IMPINGE_SPIN_ROW };

static inline vector row_difference(const real *a, const real *b) {
    return (vector){a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

static inline void row_add(real *row, real by, vector v) {
    row[0] += by * v.x;
    row[1] += by * v.y;
    row[2] += by * v.z;
}

/* One pair that touches. */
static inline void expert_pair(const real *a, const real *b, const real *spin_a, const real *spin_b,
                               const NAME(impinge_particle_contacts) * contacts, real *to_a,
                               real *to_b, real *to_spin_a, real *to_spin_b) {
    const vector d = row_difference(a, b);
    const vector u = row_difference(a + 4, b + 4);
    const real approach = dot(d, u);
    if (approach >= 0) return;
    const real length = ROOT(dot(d, d));
    const real inverse = 1 / length;
    const vector n = {d.x * inverse, d.y * inverse, d.z * inverse};
    const real u_n = approach * inverse;
    const vector turned = {spin_a[0] + spin_b[0], spin_a[1] + spin_b[1], spin_a[2] + spin_b[2]};
    const vector spin = cross(n, turned);
    const vector t = {u.x - u_n * n.x + spin.x, u.y - u_n * n.y + spin.y, u.z - u_n * n.z + spin.z};
    const real mass = 1 / (a[7] + b[7]);
    const real p_n = -(1 + contacts->coefficients.restitution.value) * u_n * mass;
    const real sticks = 1 / (a[7] + b[7] + spin_a[3] + spin_b[3]);
    const real slides = contacts->coefficients.friction.value * p_n / ROOT(dot(t, t));
    const real share = slides < sticks ? slides : sticks;
    const vector impulse = {p_n * n.x - share * t.x, p_n * n.y - share * t.y,
                            p_n * n.z - share * t.z};
    const vector moment = cross(n, impulse);
    const real projection = contacts->projection_factor * (a[3] + b[3] - length) * mass;
    row_add(to_a, a[7] * projection, n);
    row_add(to_b, -b[7] * projection, n);
    row_add(to_a + 4, a[7], impulse);
    row_add(to_b + 4, -b[7], impulse);
    row_add(to_spin_a, -spin_a[3], moment);
    row_add(to_spin_b, -spin_b[3], moment);
}

void NAME(expert_particles)(const NAME(impinge_particle_rows) * from,
                            const NAME(impinge_particle_contacts) * contacts,
                            const NAME(impinge_particle_rows) * to) {
    enum { AT_A_TIME = 1024 };
    const real *const rows = from->motion;
    uint32_t touching[AT_A_TIME];
    for (size_t first = 0; first < contacts->count; first += AT_A_TIME) {
        const size_t left = contacts->count - first;
        const size_t count = left < AT_A_TIME ? left : AT_A_TIME;
        const uint32_t *const a = contacts->index_a + first;
        const uint32_t *const b = contacts->index_b + first;
        size_t found = 0;
        for (size_t c = 0; c < count; c++) {
            const real *const row_a = rows + MOTION * (size_t)a[c];
            const real *const row_b = rows + MOTION * (size_t)b[c];
            const vector d = row_difference(row_a, row_b);
            const real reach = row_a[3] + row_b[3];
            touching[found] = (uint32_t)c;
            found += dot(d, d) < reach * reach;
        }
        for (size_t k = 0; k < found; k++) {
            const size_t i = a[touching[k]];
            const size_t j = b[touching[k]];
            expert_pair(rows + MOTION * i, rows + MOTION * j, from->spin + SPIN * i,
                        from->spin + SPIN * j, contacts, to->motion + MOTION * i,
                        to->motion + MOTION * j, to->spin + SPIN * i, to->spin + SPIN * j);
        }
    }
}
