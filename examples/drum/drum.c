/*
 * A drum that turns, half full of spheres, and stops: the bed climbs to its slope, flows down along
 * it, and is a heap when the drum stands still.
 *
 * The drum's wall is SIDES planes that stand still as shapes and move along themselves, as belts
 * do: a sphere that touches one feels the velocity that a round wall has there. RIBS rows of
 * spheres, which move with the drum, stand out of it. Glass in front and behind has no friction.
 * The step is that of docs/stepping.md.
 *
 *     example-drum > drum.csv
 *     python3 -m impinge.plots drum drum.csv -o drum.png
 */
#include <impinge/impinge.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { SIDES = 64, PLANES = SIDES + 2, RIBS = 16, RIB = 5, DRIVEN = RIBS * RIB };
enum { FREE = 700, N = FREE + DRIVEN, NEAR = 24 * N, RATE = 2000 };
enum { MOMENTS = 4 };

/* SI units: the drum's radius and depth, the spheres' radius, the drum's speed in rad/s. */
static const double wide = 0.08, deep = 0.041, mean_radius = 4e-3, speed = 2, h = 1.0 / RATE,
                    g = -9.81;
static const double skin = 1.2e-3;
/* Falls, turns until 6 s, stands until 8 s; these are printed. */
static const double begins = 1, stops = 6, moments[MOMENTS] = {1, 3.5, 6, 8};

static double x[3][N], v[3][N], w[3][N], was[3][N], radius[N], inverse_mass[N];
static double normal[3][PLANES], offset[PLANES], belt[3][PLANES];
static uint32_t starts[N + 1], near[NEAR], a[NEAR], b[NEAR];
static uint64_t key[NEAR], key_last[NEAR];
static double now[6][NEAR], last[6][NEAR], impact[3][NEAR], friction[NEAR], gap[NEAR];

static const impinge_particles_f64 spheres = {.count = N,
                                              .radius = radius,
                                              .inverse_mass = inverse_mass,
                                              .position_x = x[0],
                                              .position_y = x[1],
                                              .position_z = x[2],
                                              .velocity_x = v[0],
                                              .velocity_y = v[1],
                                              .velocity_z = v[2],
                                              .angular_velocity_x = w[0],
                                              .angular_velocity_y = w[1],
                                              .angular_velocity_z = w[2]};
static const impinge_planes_f64 planes = {.count = PLANES,
                                          .normal_x = normal[0],
                                          .normal_y = normal[1],
                                          .normal_z = normal[2],
                                          .offset = offset,
                                          .velocity_x = belt[0],
                                          .velocity_y = belt[1],
                                          .velocity_z = belt[2]};

/* ---- The drum, about the y axis ---- */

static void make_drum(void) {
    for (int i = 0; i < SIDES; i++) {
        const double angle = 2 * PI * i / SIDES;
        normal[0][i] = -cos(angle), normal[2][i] = -sin(angle), offset[i] = -wide;
    }
    normal[1][SIDES] = 1, normal[1][SIDES + 1] = -1, offset[SIDES + 1] = -deep;
}

/* The wall's velocity, and the ribs' places and velocities, at this angle. */
static void turn_drum(double angle, double omega) {
    for (int i = 0; i < SIDES; i++)
        belt[0][i] = omega * wide * normal[2][i], belt[2][i] = -omega * wide * normal[0][i];
    for (int i = 0; i < DRIVEN; i++) {
        const double at = angle + 2 * PI * (i / RIB) / RIBS;
        x[0][FREE + i] = wide * cos(at), x[2][FREE + i] = wide * sin(at);
        x[1][FREE + i] = deep * (i % RIB + 0.5) / RIB;
        v[0][FREE + i] = -omega * wide * sin(at), v[2][FREE + i] = omega * wide * cos(at);
        w[1][FREE + i] = -omega;
        radius[FREE + i] = mean_radius;
    }
}

/* ---- The spheres ---- */

/*
 * In [0, 1), the same everywhere. Knuth's linear congruential generator, since this file stands on
 * the library alone, and the figures of docs/examples.md are of these spheres.
 */
static double drawn(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* In rows from the bottom up, wherever they fit. */
static void fill_drum(void) {
    const double pitch = 2.3 * mean_radius;
    int i = 0;
    for (int row = 0; i < FREE; row++)
        for (int column = -8; column <= 8; column++)
            for (int layer = 0; layer < 4; layer++) {
                const double z = 2.5 * mean_radius - wide + pitch * row, across = pitch * column;
                if (hypot(z, across) > wide - 2.5 * mean_radius || i == FREE) continue;
                radius[i] = mean_radius * (0.9 + 0.2 * drawn());
                inverse_mass[i] = 1 / (2500 * 4 / 3.0 * PI * pow(radius[i], 3));
                x[0][i] = across + 1e-4 * drawn(), x[1][i] = pitch * (layer + 0.6), x[2][i] = z;
                i++;
            }
}

/* ---- A step ---- */

static void drift(double t, double dv) {
    for (int i = 0; i < FREE; i++)
        for (int k = 0; k < 3; k++)
            x[k][i] += t * v[k][i], v[k][i] += k == 2 ? dv : 0;
}

static const impinge_neighbours *neighbours(void) {
    static impinge_neighbours list = {starts, near, NEAR, 0};
    static void *space = NULL;
    if (space && !impinge_particles_moved_f64(&spheres, was[0], was[1], was[2], 1, skin / 2))
        return &list;
    if (!space) space = malloc(impinge_find_neighbours_workspace_f64(N));
    memcpy(was, x, sizeof x);
    const impinge_neighbour_options nearby = {.skin = skin};
    const impinge_status status =
        impinge_find_neighbours_f64(&spheres, &planes, &nearby, space, NULL, &list);
    return status < 0 ? NULL : &list;
}

/* The contacts of the step: how many; or a status, which is below 0. */
static long advance(void) {
    static impinge_contact_memory_f64 before = {.key = key_last,
                                                .impulse_x = last[0],
                                                .impulse_y = last[1],
                                                .impulse_z = last[2],
                                                .normal_x = last[3],
                                                .normal_y = last[4],
                                                .normal_z = last[5]};
    static void *match = NULL, *workspace = NULL;
    if (!match) match = malloc(impinge_match_impulses_workspace(NEAR));
    if (!workspace) workspace = malloc(impinge_step_particles_workspace_f64(N, PLANES, NEAR));
    impinge_found_contacts found = {a, b, key, NEAR, 0, {0}};
    const impinge_step_options options = {.time_step = h,
                                          .impacts = {.rest_speed = 4 * -g * h},
                                          .positions = {.slop = 0.01 * 0.9 * mean_radius}};
    impinge_particle_contacts_f64 contacts = {
        .index_a = a,
        .index_b = b,
        .coefficients = {.restitution = {NULL, 0.5}, .friction = {friction, 0}}};
    const impinge_particle_step_f64 step = {
        .particles = &spheres,
        .planes = &planes,
        .contacts = &contacts,
        .options = &options,
        .state = {NULL, NULL, NULL, NULL, now[0], now[1], now[2], now[3], now[4], now[5]},
        .kick = {.z = g * h / 2},
        .results = {now[0], now[1], now[2], impact[0], impact[1], impact[2], now[3], now[4], now[5],
                    gap, NULL},
        .workspace = workspace};
    drift(h / 2, g * h / 2);
    impinge_status status =
        impinge_find_particle_contacts_f64(&spheres, &planes, neighbours(), 0, NULL, &found);
    if (status < 0) return status;
    contacts.count = found.count;
    for (size_t i = 0; i < found.count; i++)
        friction[i] = b[i] < N + SIDES ? 0.5 : 0;
    status = impinge_match_impulses_f64(&before, found.count, key, &step.results, match, NULL);
    if (status < 0) return status;
    status = impinge_step_particles_f64(&step, NULL);
    drift(h / 2, 0);
    memcpy(key_last, key, found.count * sizeof *key);
    memcpy(last, now, sizeof now), before.count = found.count;
    return status < 0 ? status : (long)found.count;
}

/* ---- Figures ---- */

/* The bed's centre of mass, slope and energies, the deepest overlap in radii; the moment of its
 * weight about the axis, and that of the drum's impulses in a step. */
typedef struct figures {
    double centre[3], slope, moving, turning, overlap, weight, drum;
} figures;

static figures measure(long contacts) {
    figures f = {{0}, 0, 0, 0, 0, 0, 0};
    double all = 0;
    for (int i = 0; i < FREE; i++) {
        const double mass = 1 / inverse_mass[i];
        all += mass;
        for (int k = 0; k < 3; k++) {
            f.centre[k] += mass * x[k][i];
            f.moving += mass * v[k][i] * v[k][i] / 2;
            f.turning += 0.2 * mass * radius[i] * radius[i] * w[k][i] * w[k][i];
        }
    }
    f.weight = -g * f.centre[0];
    for (int k = 0; k < 3; k++)
        f.centre[k] /= all;
    f.slope = atan2(f.centre[0], -f.centre[2]) * 180 / PI;
    for (long i = 0; i < contacts; i++) {
        const uint32_t of = a[i];
        if (-gap[i] > f.overlap * radius[of]) f.overlap = -gap[i] / radius[of];
        if (b[i] < FREE) continue;
        /* A's index is the lower one, so that A is a sphere of the bed. Where they touch: */
        const double at[2] = {x[0][of] - radius[of] * now[3][i], x[2][of] - radius[of] * now[5][i]};
        f.drum += (at[0] * (now[2][i] + impact[2][i]) - at[1] * (now[0][i] + impact[0][i])) / h;
    }
    return f;
}

static void print_spheres(double time, const figures *f) {
    for (int i = 0; i < N; i++)
        printf("%g,%.9g,%.9g,%d,%d,%.9g,%.9g,%.9g,%.9g\n", time, f->moving + f->turning, f->slope,
               i, i >= FREE, x[0][i], x[1][i], x[2][i], radius[i]);
}

/* Whether all that was printed could be written. If not, says so, as for a full disk. */
static bool is_written(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    perror("standard output");
    return false;
}

/* There are no options: says so, and returns the exit code. */
static int print_usage(const char *argument) {
    const bool asked = strcmp(argument, "--help") == 0;
    fputs("usage: example-drum > drum.csv\n", asked ? stdout : stderr);
    return asked ? !is_written() : 2;
}

int main(int argc, char **argv) {
    if (argc > 1) return print_usage(argv[1]);
    double angle = 0, weight = 0, drum = 0;
    int printed = 0, averaged = 0;
    make_drum();
    fill_drum();
    puts("time,kinetic_energy,slope,sphere,drum,x,y,z,radius");
    for (int s = 1; printed < MOMENTS; s++) {
        const double time = s * h, omega = time > begins && time <= stops ? speed : 0;
        /* The drum stands as in the middle of the step, as the spheres do. */
        turn_drum(angle + omega * h / 2, omega);
        const long contacts = advance();
        if (contacts < 0) return fprintf(stderr, "%s\n", impinge_status_text((int)contacts)), 1;
        angle += omega * h;
        const figures f = measure(contacts);
        if (time > begins + 1 && time <= stops) weight += f.weight, drum += f.drum, averaged++;
        if (s != (int)(moments[printed] * RATE + 0.5)) continue;
        print_spheres(time, &f);
        if (!is_written()) return 1;
        fprintf(
            stderr,
            "%.1f s: slope %.2f degrees, moving %.3g J, spinning %.3g J, centre %.6f m, overlap "
            "%.4f\n",
            time, f.slope, f.moving, f.turning, f.centre[2], f.overlap);
        printed++;
    }
    fprintf(stderr, "while it turned: moment of the weight %.5f N m, of the drum %.5f N m\n",
            weight / averaged, drum / averaged);
    return 0;
}
