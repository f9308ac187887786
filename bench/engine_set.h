/** Contacts of data/boxes_pit.csv as engines take them. */
#ifndef BENCH_ENGINE_SET_H
#define BENCH_ENGINE_SET_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using triple = std::array<double, 3>;

struct set_body {
    double inverse_mass = 0;                 // 0: immovable
    std::array<double, 6> inverse_inertia{}; // xx, xy, xz, yy, yz, zz, world frame
    triple position{}, velocity{}, angular_velocity{};
};

struct set_contact {
    uint32_t a = 0, b = 0;
    triple arm_a{}, arm_b{}, normal{}; // from B to A
    double restitution = 0, friction = 0;
};

struct engine_set {
    std::vector<set_body> bodies;
    std::vector<set_contact> contacts;
    double inconsistent = 0; // how far apart, m, the two arms of a contact end at most
};

/** The first contacts of the file, each between two bodies of its own. */
engine_set read_isolated(const std::string &folder, size_t count);

/** The largest complete set of one substep: bodies share contacts. */
engine_set read_coupled(const std::string &folder);

triple plus(const triple &a, const triple &b, double factor = 1);
double dot(const triple &a, const triple &b);
triple cross(const triple &a, const triple &b);

/** The separation velocity of a contact with these velocities (v, w of each body). */
struct motion {
    triple v{}, w{};
};
triple separation(const set_contact &c, const std::vector<motion> &motions);

/** The kinetic energy of a body with this motion, J; 0 if it is immovable. */
double kinetic(const set_body &body, const motion &m);

/** The inverse of a symmetric matrix given by xx, xy, xz, yy, yz, zz. */
std::array<double, 6> inverse(const std::array<double, 6> &m);

#endif
