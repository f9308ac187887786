/*
 * The contact of two viscoelastic spheres, integrated (Schwager and Poeschel, Phys. Rev. E 78,
 * 051304, 2008). With lengths in (m v^2 / rho)^(2/5) and speeds in v it has one number, a = s^2:
 *
 *     dx/dt = y,   dy/dt = -x^(1/2) (x + a y),   x = 0, y = 1 at first;
 *
 * the force has vanished where x + a y = 0, and e is -y there.
 */
#include <math.h>

#include "reference_particles.h"

typedef struct state {
    double x, y;
} state;

static state rate(state s, double a) { return (state){s.y, -sqrt(fmax(s.x, 0)) * (s.x + a * s.y)}; }

static state moved(state s, state by, double h) { return (state){s.x + h * by.x, s.y + h * by.y}; }

/* Runge and Kutta's step of order 4. */
static state step(state s, double a, double h) {
    const state k1 = rate(s, a);
    const state k2 = rate(moved(s, k1, h / 2), a);
    const state k3 = rate(moved(s, k2, h / 2), a);
    const state k4 = rate(moved(s, k3, h), a);
    return (state){s.x + h / 6 * (k1.x + 2 * k2.x + 2 * k3.x + k4.x),
                   s.y + h / 6 * (k1.y + 2 * k2.y + 2 * k3.y + k4.y)};
}

double reference_viscoelastic_restitution(double s) {
    const double a = s * s;
    /* The shorter of two times: that of the contact, and that of its decay if it decays fast. */
    const double h = 1e-4 / (1 + cbrt(a * a));
    state now = {0, 1};
    state before = now;
    /* Compression has force; so it ends after the turn. */
    while (now.y > 0 || now.x + a * now.y > 0) {
        before = now;
        now = step(now, a, h);
    }
    /* Between the last two states, linearly. */
    const double f_0 = before.x + a * before.y;
    const double f_1 = now.x + a * now.y;
    const double part = f_0 / (f_0 - f_1);
    return -(before.y + part * (now.y - before.y));
}
