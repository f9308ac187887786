#include "engine_set.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <queue>

#include "../scenes/pit.h"

namespace {

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(2);
}

std::vector<pit_row> read_rows(const std::string &folder) {
    size_t count;
    pit_row *const read = pit_read(folder.c_str(), &count);
    if (!read || count == 0) fail("no contacts in " + folder);
    const std::vector<pit_row> rows(read, read + count);
    std::free(read);
    return rows;
}

triple three(const pit_row &r, size_t first) {
    return {r.number[first], r.number[first + 1], r.number[first + 2]};
}

set_body body_of(const pit_row &r, size_t side) {
    set_body b;
    b.inverse_mass = r.number[PIT_MASS + side];
    for (size_t k = 0; k < b.inverse_inertia.size(); k++)
        b.inverse_inertia[k] = r.number[PIT_INERTIA + PIT_SIDE * side + k];
    b.velocity = three(r, PIT_VELOCITY + PIT_SIDE * side);
    b.angular_velocity = three(r, PIT_ANGULAR + PIT_SIDE * side);
    return b;
}

set_contact contact_of(const pit_row &r, uint32_t a, uint32_t b) {
    set_contact c;
    c.a = a;
    c.b = b;
    c.arm_a = three(r, PIT_ARM);
    c.arm_b = three(r, PIT_ARM + 3);
    c.normal = three(r, PIT_NORMAL);
    c.restitution = r.number[PIT_RESTITUTION];
    c.friction = r.number[PIT_FRICTION];
    return c;
}

/* Positions are not in the file. They follow from the arms, which end at one point: those of a
 * group of bodies from that of its first. */
void place(engine_set &set) {
    std::vector<std::vector<size_t>> of(set.bodies.size());
    for (size_t i = 0; i < set.contacts.size(); i++) {
        of[set.contacts[i].a].push_back(i);
        of[set.contacts[i].b].push_back(i);
    }
    std::vector<bool> placed(set.bodies.size());
    for (uint32_t first = 0; first < set.bodies.size(); first++) {
        std::queue<uint32_t> next;
        if (!placed[first]) next.push(first);
        placed[first] = true;
        for (; !next.empty(); next.pop())
            for (const size_t i : of[next.front()]) {
                const set_contact &c = set.contacts[i];
                const uint32_t other = c.a == next.front() ? c.b : c.a;
                if (placed[other]) continue;
                const triple arms = plus(c.arm_a, c.arm_b, -1);
                set.bodies[other].position =
                    plus(set.bodies[next.front()].position, arms, other == c.b ? 1 : -1);
                placed[other] = true;
                next.push(other);
            }
    }
    for (const set_contact &c : set.contacts) {
        const triple at_a = plus(set.bodies[c.a].position, c.arm_a);
        const triple apart = plus(at_a, plus(set.bodies[c.b].position, c.arm_b), -1);
        set.inconsistent = std::max(set.inconsistent, std::sqrt(dot(apart, apart)));
    }
}

} // namespace

triple plus(const triple &a, const triple &b, double factor) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

double dot(const triple &a, const triple &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

triple cross(const triple &a, const triple &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

triple separation(const set_contact &c, const std::vector<motion> &motions) {
    const motion &a = motions[c.a], &b = motions[c.b];
    return plus(plus(a.v, cross(a.w, c.arm_a)), plus(b.v, cross(b.w, c.arm_b)), -1);
}

std::array<double, 6> inverse(const std::array<double, 6> &m) {
    const double xx = m[3] * m[5] - m[4] * m[4], xy = m[2] * m[4] - m[1] * m[5],
                 xz = m[1] * m[4] - m[2] * m[3], yy = m[0] * m[5] - m[2] * m[2],
                 yz = m[1] * m[2] - m[0] * m[4], zz = m[0] * m[3] - m[1] * m[1];
    const double d = m[0] * xx + m[1] * xy + m[2] * xz;
    return {xx / d, xy / d, xz / d, yy / d, yz / d, zz / d};
}

double kinetic(const set_body &body, const motion &m) {
    if (body.inverse_mass == 0) return 0;
    const auto i = inverse(body.inverse_inertia);
    const triple l = {i[0] * m.w[0] + i[1] * m.w[1] + i[2] * m.w[2],
                      i[1] * m.w[0] + i[3] * m.w[1] + i[4] * m.w[2],
                      i[2] * m.w[0] + i[4] * m.w[1] + i[5] * m.w[2]};
    return 0.5 * dot(m.v, m.v) / body.inverse_mass + 0.5 * dot(m.w, l);
}

engine_set read_isolated(const std::string &folder, size_t count) {
    const std::vector<pit_row> rows = read_rows(folder);
    engine_set set;
    for (size_t i = 0; i < std::min(count, rows.size()); i++) {
        const auto a = static_cast<uint32_t>(2 * i), b = a + 1;
        set.bodies.push_back(body_of(rows[i], 0));
        set.bodies.push_back(body_of(rows[i], 1));
        set.contacts.push_back(contact_of(rows[i], a, b));
    }
    place(set);
    return set;
}

engine_set read_coupled(const std::string &folder) {
    const std::vector<pit_row> rows = read_rows(folder);
    std::map<unsigned long, size_t> sizes;
    for (const pit_row &r : rows)
        sizes[r.substep] += r.of_set;
    const auto largest = std::max_element(sizes.begin(), sizes.end(),
                                          [](auto &x, auto &y) { return x.second < y.second; });
    engine_set set;
    std::map<uint32_t, uint32_t> number;
    for (const pit_row &r : rows) {
        if (!r.of_set || r.substep != largest->first) continue;
        for (const size_t side : {0, 1}) {
            const uint32_t body = side == 0 ? r.a : r.b;
            if (!number.emplace(body, static_cast<uint32_t>(set.bodies.size())).second) continue;
            set.bodies.push_back(body_of(r, side));
        }
        set.contacts.push_back(contact_of(r, number[r.a], number[r.b]));
    }
    place(set);
    return set;
}
