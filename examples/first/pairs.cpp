// Body pairs from C++: a ball that comes at more and more slant, in std::vectors.
//
// From which angle on does it slide through the whole contact? By hand, of a solid sphere on a
// plane: tan(angle) = 7/2 mu (1 + e).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <impinge/impinge.h>

int main() {
    const std::size_t count = 9000;
    const double pi = 3.14159265358979323846, e = 0.5, mu = 0.2, radius = 0.1;
    const std::vector<double> zero(count, 0.0), one(count, 1.0), down(count, -radius);
    const std::vector<double> inverse_inertia(count, 1 / (0.4 * radius * radius)); // of 1 kg
    std::vector<double> vx(count), vz(count);
    for (std::size_t i = 0; i < count; i++) {
        const double angle = pi / 2 * double(i) / double(count);
        vx[i] = std::sin(angle);
        vz[i] = -std::cos(angle);
    }
    impinge_body_pairs_f64 pairs = {};
    pairs.count = count;
    for (impinge_pair_side_f64 *side : {&pairs.a, &pairs.b}) {
        const bool ball = side == &pairs.a; // B, the plane, cannot move
        side->inverse_mass = ball ? one.data() : zero.data();
        side->inverse_inertia_xx = side->inverse_inertia_yy = side->inverse_inertia_zz =
            ball ? inverse_inertia.data() : zero.data();
        side->inverse_inertia_xy = side->inverse_inertia_xz = side->inverse_inertia_yz =
            zero.data();
        side->arm_x = side->arm_y = zero.data();
        side->arm_z = ball ? down.data() : zero.data();
        side->velocity_x = ball ? vx.data() : zero.data();
        side->velocity_y = zero.data();
        side->velocity_z = ball ? vz.data() : zero.data();
        side->angular_velocity_x = side->angular_velocity_y = side->angular_velocity_z =
            zero.data();
    }
    pairs.normal_x = pairs.normal_y = zero.data();
    pairs.normal_z = one.data();
    pairs.coefficients.restitution.value = e;
    pairs.coefficients.friction.value = mu;
    std::vector<std::uint32_t> outcome(count);
    std::vector<double> spin(count);
    impinge_body_pair_results_f64 results = {};
    results.outcome = outcome.data();
    results.a.angular_velocity_y = spin.data();
    const impinge_status status =
        impinge_resolve_body_pairs_f64(&pairs, nullptr, nullptr, &results, nullptr);
    if (status != IMPINGE_OK) return std::fprintf(stderr, "%s\n", impinge_status_text(status)), 1;
    std::size_t first = 1;
    while (first < count && (outcome[first] & IMPINGE_OUTCOME_STUCK))
        first++;
    std::printf("slides throughout from %.2f degrees; by hand %.2f\n",
                90 * double(first) / double(count), 180 / pi * std::atan(3.5 * mu * (1 + e)));
    std::printf("spin after 45 degrees: %.6f rad/s\n", spin[count / 2]);
    return std::fflush(stdout) != 0 || std::ferror(stdout); // not all could be written
}
