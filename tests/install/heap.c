/*
 * The five lines of docs/stepping.md (the macro FIVE_LINES) pour 1,000 spheres into a box, in which
 * they then have to rest. `check` compiles and runs this; for single precision it replaces _f64 by
 * _f32 and sets the type `real`.
 */
#include <impinge/impinge.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL double
#endif
typedef REAL real;

/* Spheres of 4.5 to 5.5 mm, e = 0.6, mu = 0.4, as tests/scenes/spheres.c pours them. */
enum { N = 1000, ROOM = 16 * N, ROW = 10, RATE = 2000, SECONDS = 4 };
static const real h = (real)1 / RATE, g = (real)-9.81, skin = (real)1.5e-3;
static const double pitch = 0.0114, slop = 0.01 * 0.0045;
static real x[3][N], v[3][N], w[3][N], was[3][N], radius[N], inverse_mass[N];
static real now[6][ROOM], last[6][ROOM];
static uint32_t starts[N + 1], near[ROOM], a[ROOM], b[ROOM];
static uint64_t key[ROOM], key_last[ROOM];
static const real n[3][5] = {{0, 1, -1, 0, 0}, {0, 0, 0, 1, -1}, {1, 0, 0, 0, 0}},
                  offset[5] = {0, 0, (real)-0.1144, 0, (real)-0.1144};
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
static const impinge_planes_f64 walls = {
    .count = 5, .normal_x = n[0], .normal_y = n[1], .normal_z = n[2], .offset = offset};
static impinge_neighbours list = {starts, near, ROOM, 0};
static impinge_found_contacts found = {a, b, key, ROOM, 0, {0}};
static impinge_contact_memory_f64 before = {.key = key_last,
                                            .impulse_x = last[0],
                                            .impulse_y = last[1],
                                            .impulse_z = last[2],
                                            .normal_x = last[3],
                                            .normal_y = last[4],
                                            .normal_z = last[5]};

static void drift(real t, real dv) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            x[k][i] += t * v[k][i];
            v[k][i] += k == 2 ? dv : 0;
        }
}

static const impinge_neighbours *neighbours(void) {
    static void *space = NULL;
    if (space &&
        !impinge_particles_moved_f64(&spheres, was[0], was[1], was[2], 1, (double)skin / 2))
        return &list;
    if (!space) space = malloc(impinge_find_neighbours_workspace_f64(N));
    memcpy(was, x, sizeof x);
    const impinge_neighbour_options nearby = {.skin = (double)skin};
    const impinge_status status =
        impinge_find_neighbours_f64(&spheres, &walls, &nearby, space, NULL, &list);
    return status < 0 ? NULL : &list;
}

static void keep(void) {
    memcpy(key_last, key, sizeof key);
    memcpy(last, now, sizeof now);
    before.count = found.count;
}

/*
 * In [0, 1), the same everywhere. Knuth's linear congruential generator: this program is built
 * against the installed library alone, out of reach of tools/support/random.h.
 */
static double drawn(void) {
    static uint64_t state = 11;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static void fill(void) {
    for (int i = 0; i < N; i++) {
        const double r = 5e-3 * (0.9 + 0.2 * drawn());
        radius[i] = (real)r;
        inverse_mass[i] = (real)(1 / (2500 * 4 / 3.0 * 3.14159265358979 * r * r * r));
        for (int k = 0; k < 3; k++) {
            const int place = k == 0 ? i % ROW : k == 1 ? i / ROW % ROW : i / ROW / ROW;
            x[k][i] = (real)(0.0058 + pitch * place + 1e-4 * drawn());
            v[k][i] = (real)(k == 2 ? -0.5 : 0.2 * drawn() - 0.1);
        }
    }
}

/* Energies of translation and of rotation, J, that of height, and the deepest overlap, in radii. */
typedef struct figures {
    double moving, turning, height, overlap;
} figures;

static figures measure(void) {
    figures f = {0, 0, 0, 0};
    for (int i = 0; i < N; i++) {
        const double mass = 1 / (double)inverse_mass[i], r = (double)radius[i];
        f.height -= mass * (double)g * (double)x[2][i];
        for (int k = 0; k < 3; k++) {
            f.moving += mass * (double)v[k][i] * (double)v[k][i] / 2;
            f.turning += 0.4 * mass * r * r * (double)w[k][i] * (double)w[k][i] / 2;
        }
        for (int j = 0; j < i; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double d = (double)x[k][i] - (double)x[k][j];
                square += d * d;
            }
            const double deep = r + (double)radius[j] - sqrt(square);
            f.overlap = fmax(f.overlap, deep / fmax(r, (double)radius[j]));
        }
    }
    return f;
}

/* A step of the author's own. */
static int advance(void) {
    static void *match = NULL, *workspace = NULL;
    if (!match) match = malloc(impinge_match_impulses_workspace(ROOM));
    if (!workspace) workspace = malloc(impinge_step_particles_workspace_f64(N, 5, ROOM));
    impinge_particle_contacts_f64 contacts = {
        .index_a = a,
        .index_b = b,
        .coefficients = {.restitution = {NULL, (real)0.6}, .friction = {NULL, (real)0.4}}};
    const impinge_step_options options = {.time_step = 1.0 / RATE,
                                          .impacts = {.rest_speed = 4 * 9.81 / RATE},
                                          .positions = {.slop = slop}};
    const impinge_step_results_f64 results = {.impulse_x = now[0],
                                              .impulse_y = now[1],
                                              .impulse_z = now[2],
                                              .normal_x = now[3],
                                              .normal_y = now[4],
                                              .normal_z = now[5]};
    const impinge_particle_step_f64 step = {.particles = &spheres,
                                            .planes = &walls,
                                            .contacts = &contacts,
                                            .options = &options,
                                            .state = {.impulse_x = now[0],
                                                      .impulse_y = now[1],
                                                      .impulse_z = now[2],
                                                      .normal_x = now[3],
                                                      .normal_y = now[4],
                                                      .normal_z = now[5]},
                                            .kick = {.z = g * h / 2},
                                            .results = results,
                                            .workspace = workspace};
#include FIVE_LINES
    return 0;
}

/*
 * The bounds are those of a heap of 2,000 (tests/test_particle_step.c), a sphere: from 1 s on its
 * height keeps its energy to 1e-5 J, and in the end 1e-5 J move, 1e-8 J but for free spins (without
 * rolling resistance one sphere may roll and spin for some seconds: 1e-8 J after 2 s, 2e-9 J after
 * 4 s). The overlap is the slop, 1 % of the smallest radius: of larger ones less.
 */
int main(void) {
    const double share = N / 2000.0;
    fill();
    const double begun = measure().height;
    double settled = 0, moved = 0;
    for (int s = 1; s <= SECONDS * RATE; s++) {
        if (advance() != 0) return 1;
        if (s < RATE || s % (RATE / 4) != 0) continue;
        const double height = measure().height;
        if (s == RATE) settled = height;
        moved = fmax(moved, fabs(height - settled));
    }
    const figures end = measure();
    printf("fell from %.4f to %.4f J; height moved by %.2g J, moving %.2g J, turning %.2g J, "
           "overlap %.5f\n",
           begun, settled, moved, end.moving, end.turning, end.overlap);
    const int rests = settled < 0.7 * begun && moved < 1e-5 * share && end.moving < 1e-8 * share &&
                      end.moving + end.turning < 1e-5 * share && end.overlap < 0.0101;
    puts(rests ? "the heap rests" : "the heap does not rest");
    return !rests;
}
