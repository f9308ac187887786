/* Random numbers, and rows of them: contacts, bodies, mechanisms. */
#ifndef DIGEST_ROWS_H
#define DIGEST_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../random_rotation.h"

static double power_of_two(int exponent) { /* ldexp, without libm */
    double power = 1;
    for (; exponent > 0; --exponent) {
        power *= 2;
    }
    for (; exponent < 0; ++exponent) {
        power *= 0.5;
    }
    return power;
}

enum {
    CONTACT_COLUMNS = 12,
    REGION_COLUMNS = CONTACT_COLUMNS + 3,
    BODY_COLUMNS = 16,
    PAIR_COLUMNS = 2 * BODY_COLUMNS + 6,
    ORIENTED_COLUMNS = PAIR_COLUMNS + 8, /* with a quaternion for each body */
    FURTHER_COLUMNS = 6,
    PLANAR_COLUMNS = 8,
    PLANAR_BODY_COLUMNS = 7,
    PLANAR_PAIR_COLUMNS = 2 * PLANAR_BODY_COLUMNS + 5,
    /*
     * Mechanisms of 4 coordinates in space, and of 3 and 1 in a plane: M, J, speeds, e, mu, mu_s.
     */
    MECHANISM_COLUMNS = 10 + 12 + 4 + 3,
    PLANAR_MECHANISM_COLUMNS = 6 + 6 + 3 + 3,
    ONE_COORDINATE_COLUMNS = 1 + 2 + 1 + 3
};

/*
 * The places in a row, of contacts or bodies, at which K or the (inverse) masses end, and
 * velocities begin and end.
 */
typedef struct column_places {
    size_t inverse_end, velocity, velocity_end;
} column_places;

static const column_places contact_places = {6, 6, 9}, planar_places = {3, 3, 5};
static const column_places body_places = {7, 10, BODY_COLUMNS};
static const column_places planar_body_places = {2, 4, PLANAR_BODY_COLUMNS};
static const column_places mechanism_places = {10, 22, 26}, planar_mechanism_places = {6, 12, 15};
static const column_places one_coordinate_places = {1, 3, 4};

/*
 * Those for rows of so many columns; *column becomes that of the body. Null: behind both bodies, or
 * of a table that has none.
 */
static const column_places *places_of(size_t columns, size_t *column) {
    if (columns == FURTHER_COLUMNS) {
        return NULL;
    }
    if (columns == MECHANISM_COLUMNS) {
        return &mechanism_places;
    }
    if (columns == PLANAR_MECHANISM_COLUMNS) {
        return &planar_mechanism_places;
    }
    if (columns == ONE_COORDINATE_COLUMNS) {
        return &one_coordinate_places;
    }
    const bool planar = columns == PLANAR_PAIR_COLUMNS;
    if (!planar && columns < PAIR_COLUMNS) {
        return columns == PLANAR_COLUMNS ? &planar_places : &contact_places;
    }
    const size_t body = planar ? PLANAR_BODY_COLUMNS : BODY_COLUMNS;
    if (*column >= 2 * body) {
        return NULL;
    }
    *column %= body;
    return planar ? &planar_body_places : &body_places;
}

/* Velocities, and K or the inverse masses, scale apart. */
static bool is_velocity(size_t columns, size_t column) {
    const column_places *of = places_of(columns, &column);
    return of != NULL && column >= of->velocity && column < of->velocity_end;
}

static bool is_inverse_mass(size_t columns, size_t column) {
    const column_places *of = places_of(columns, &column);
    return of != NULL && column < of->inverse_end;
}

static void random_coefficients(uint64_t *state, double *row) {
    const double e = random_positive(state);
    const double friction = random_positive(state);
    const double of_friction[] = {0, 0.1, 0.5, 1, 3};
    const unsigned which = random_below(state, 6);
    row[0] = (const double[]){0, 1, e, e}[random_below(state, 4)];
    row[1] = which == 5 ? (double)INFINITY : friction * of_friction[which];
    switch (random_below(state, 4)) {
    case 0:
        row[2] = row[1] + random_positive(state);
        break;
    case 1:
        row[2] = (double)INFINITY;
        break;
    default:
        row[2] = row[1];
        break;
    }
    /* A pair has many numbers, so a random choice would rarely spoil this one. */
    if (random_below(state, 64) == 0) {
        row[1] = -random_positive(state);
    }
}

/*
 * Coefficients that Routh's law does not read: e_t, sigma, mu_1, mu_2, f, and an e that may be
 * above 1.
 */
static void random_further(uint64_t *state, double *row) {
    const double of_ratios[] = {0, 0.1, 0.5, 1, 3};
    const double ratios = of_ratios[random_below(state, 5)];
    const double e_t = random_signed(state), part = random_positive(state);
    row[0] = (const double[]){-1, 0, 1, e_t, e_t}[random_below(state, 5)];
    row[1] = (const double[]){0, 1, part, part}[random_below(state, 4)];
    row[2] = ratios * random_signed(state);
    row[3] = random_below(state, 4) == 0 ? 0 : ratios * random_signed(state);
    row[4] = (const double[]){0.5, 1, (1 + part) / 2, (1 + part) / 2}[random_below(state, 4)];
    row[5] = (const double[]){1, 2}[random_below(state, 2)] * random_positive(state);
}

/* About the example of Mirtich 1996, corrected, 1.2, which is compressed twice: K, u0, mu; and the
 * body that gives K.
 */
static const double twice_k[6] = {20, -23, 4, 31, -7, 4};
static const double twice_u[3] = {630, -780, -0.22};
static const double twice_friction = 0.5;
static const double twice_body[10] = {1, 9, 6, -6, 6, -2, 9, 1, 1, 1};

/* K, u0, e, mu, mu_s. */
static void random_contact(uint64_t *state, double *row) {
    double a[3][3], k[3][3] = {{0}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a[i][j] = random_signed(state);
        }
    }
    const double least = (const double[]){1, 0.1, 0.001}[random_below(state, 3)];
    const unsigned shape = random_below(state, 16);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            k[i][j] = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2];
        }
        k[i][i] += least;
    }
    if (shape == 0) {
        memset(k, 0, sizeof k);
    } /* immovable */
    if (shape == 1) {
        k[0][1] = k[1][2] = 0;
    }                               /* planar */
    if (shape == 2 || shape == 3) { /* spheres */
        k[0][1] = k[0][2] = k[1][2] = 0;
        k[0][0] = k[1][1] = 3.5 * k[2][2];
    }
    double *out = row;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            *out++ = k[i][j];
        }
    }

    const unsigned motion = random_below(state, 16);
    row[6] = random_signed(state);
    row[7] = shape == 1 ? 0 : random_signed(state);
    row[8] = -random_positive(state);
    if (motion < 3) {
        row[6] = row[7] = 0;
    } /* at rest tangentially */
    if (motion == 3) {
        row[8] = 0;
    } /* grazing, */
    if (motion == 4) {
        row[8] = -0.0;
    } /* on either side of zero, */
    if (motion == 5) {
        row[8] *= 0x1p-20;
    } /* and nearly so */
    if (motion == 6) {
        row[8] = -row[8];
    } /* separating */
    if (motion == 7) {
        row[6] *= 0x1p-12, row[7] *= 0x1p-12;
    } /* nearly at rest */

    random_coefficients(state, row + 9);

    if (shape == 4) {
        memcpy(row, twice_k, sizeof twice_k);
        for (int i = 0; i < 3; ++i) {
            row[6 + i] = twice_u[i] * (1 + 0.02 * random_signed(state));
        }
        row[10] = row[11] = twice_friction;
    }
}

/* A contact, and an impulse that may be in its permissible region: as p_n that of some e, or any.
 */
static void random_region(uint64_t *state, double *row) {
    random_contact(state, row);
    double *p = row + CONTACT_COLUMNS;
    const double k33 = row[5] > 0 ? row[5] : 1;
    const double p_n = -2 * row[8] / k33 * random_positive(state);
    const double friction = row[10] < 2 ? row[10] : 2;
    const double size = random_below(state, 4) == 0 ? 2 : 1;
    p[2] = random_below(state, 8) == 0 ? random_signed(state) : size * p_n;
    p[0] = size * friction * p_n * random_signed(state);
    p[1] = random_below(state, 2) == 0 ? 0 : size * friction * p_n * random_signed(state);
}

/* Inverse mass, inverse inertia, arm, velocity, angular velocity. `side`: where the contact is. */
static void random_body(uint64_t *state, const double *normal, double side, double *row) {
    const unsigned shape = random_below(state, 8);
    double r[3][3], arm[3], inverse_inertia[3];
    random_rotation(state, r);
    const double inverse_mass = 0.1 + 4 * random_positive(state);
    if (shape < 2) { /* a sphere */
        const double radius = 0.2 + random_positive(state);
        for (int i = 0; i < 3; ++i) {
            arm[i] = side * radius * normal[i];
            inverse_inertia[i] = 2.5 * inverse_mass / (radius * radius);
        }
    } else { /* a box, touched at a corner, an edge or a face */
        double half[3], at[3];
        for (int i = 0; i < 3; ++i) {
            half[i] = 0.1 + random_positive(state);
        }
        for (int i = 0; i < 3; ++i) {
            const double x = half[(i + 1) % 3], y = half[(i + 2) % 3];
            inverse_inertia[i] = 3 * inverse_mass / (x * x + y * y);
            const double places[] = {-1, 1, random_signed(state)};
            at[i] = half[i] * places[random_below(state, 3)];
        }
        for (int i = 0; i < 3; ++i) {
            arm[i] = r[i][0] * at[0] + r[i][1] * at[1] + r[i][2] * at[2];
        }
    }
    const bool immovable = shape == 7;
    double *out = row;
    *out++ = immovable ? 0 : inverse_mass;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            const double sum = r[i][0] * inverse_inertia[0] * r[j][0] +
                               r[i][1] * inverse_inertia[1] * r[j][1] +
                               r[i][2] * inverse_inertia[2] * r[j][2];
            *out++ = immovable ? 0 : sum;
        }
    }
    for (int i = 0; i < 3; ++i) {
        *out++ = arm[i];
    }
    for (int i = 0; i < 6; ++i) {
        *out++ = immovable ? 0 : random_signed(state);
    }
}

/*
 * Towards each other along z, the contact in line with both centres: k and the slip are zero,
 * exactly, so that contacts stick without friction.
 */
static void meet_head_on(double *row) {
    double *normal = row + 2 * BODY_COLUMNS;
    normal[0] = normal[1] = 0;
    normal[2] = 1;
    for (double *body = row; body < normal; body += BODY_COLUMNS) {
        body[7] = body[8] = 0; /* the arm */
        memset(body + 10, 0, 6 * sizeof *body);
        body[12] = body == row ? -1 : 1;
    }
}

/* A, B, the normal, e, mu, mu_s. */
static void random_pair(uint64_t *state, double *row) {
    double r[3][3];
    random_rotation(state, r);
    double *normal = row + 2 * BODY_COLUMNS;
    for (int i = 0; i < 3; ++i) {
        normal[i] = r[i][2];
    }
    random_body(state, normal, -1, row);
    random_body(state, normal, 1, row + BODY_COLUMNS);

    const unsigned motion = random_below(state, 16);
    for (size_t column = 0; motion < 3 && column < 2 * BODY_COLUMNS; ++column) {
        if (!is_velocity(PAIR_COLUMNS, column)) {
            continue;
        }
        if (motion == 0) {
            row[column] = 0;
        } /* at rest: grazing */
        const size_t axis = (column % BODY_COLUMNS - 10) % 3;
        if (motion == 1) { /* straight towards each other */
            const bool turning = column % BODY_COLUMNS >= 13, of_a = column < BODY_COLUMNS;
            row[column] = turning ? 0 : of_a ? -normal[axis] : normal[axis];
        }
        if (motion == 2) {
            row[column] *= 0x1p-20;
        }
    }
    if (motion == 1 && random_below(state, 2) == 0) {
        meet_head_on(row);
    }
    if (motion > 4) { /* approaching: most random pairs then are */
        for (int i = 0; i < 3; ++i) {
            row[10 + i] -= normal[i];
            row[BODY_COLUMNS + 10 + i] += normal[i];
        }
    }
    random_coefficients(state, row + 2 * BODY_COLUMNS + 3);

    if (motion == 3) {
        memset(row, 0, 2 * BODY_COLUMNS * sizeof *row);
        memcpy(row, twice_body, sizeof twice_body);
        for (int i = 0; i < 3; ++i) {
            row[10 + i] = twice_u[i] * (1 + 0.02 * random_signed(state));
            normal[i] = i == 2;
        }
        row[2 * BODY_COLUMNS + 4] = row[2 * BODY_COLUMNS + 5] = twice_friction;
    }
}

/* The same, with bodies that are turned: the inertia and the spin are then in their own frames. */
static void random_oriented_pair(uint64_t *state, double *row) {
    random_pair(state, row);
    for (double *q = row + PAIR_COLUMNS; q < row + ORIENTED_COLUMNS; q += 4) {
        double square = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = random_signed(state) + (i == 0 ? 0x1p-10 : 0);
            square += q[i] * q[i];
        }
        for (int i = 0; i < 4; ++i) {
            q[i] /= sqrt(square);
        }
    }
}

/* Reduces a contact in space to the plane of t1 and n. */
static void random_planar(uint64_t *state, double *row) {
    double space[CONTACT_COLUMNS];
    random_contact(state, space);
    const double planar[PLANAR_COLUMNS] = {space[0], space[2], space[5],  space[6],
                                           space[8], space[9], space[10], space[11]};
    memcpy(row, planar, sizeof planar);
}

/* Reduces a pair in space to the plane of x and y, with a normal in it. */
static void random_planar_pair(uint64_t *state, double *row) {
    double space[PAIR_COLUMNS];
    random_pair(state, space);
    for (const double *b = space; b < space + 2 * BODY_COLUMNS; b += BODY_COLUMNS) {
        const double planar[PLANAR_BODY_COLUMNS] = {b[0], b[6], b[7], b[8], b[10], b[11], b[15]};
        memcpy(row, planar, sizeof planar);
        row += PLANAR_BODY_COLUMNS;
    }
    const double t = random_signed(state);
    *row++ = (1 - t * t) / (1 + t * t);
    *row++ = 2 * t / (1 + t * t);
    memcpy(row, space + 2 * BODY_COLUMNS + 3, 3 * sizeof *row);
}

/* M = A A^T and some more, J, the speeds, which mostly approach, and e, mu, mu_s. */
static void random_coordinates(uint64_t *state, size_t n, size_t rows, double *row) {
    double a[4][4];
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            a[i][j] = random_signed(state);
        }
    }
    const double least = (const double[]){1, 0.1, 0.001}[random_below(state, 3)];
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double sum = i == j ? least : 0;
            for (size_t k = 0; k < n; ++k) {
                sum += a[i][k] * a[j][k];
            }
            *row++ = sum;
        }
    }
    const bool immovable = random_below(state, 16) == 0;
    for (size_t i = 0; i < n * rows; ++i) {
        row[i] = immovable ? 0 : random_signed(state);
    }
    const double *normal = row + n * (rows - 1);
    double *speeds = row + n * rows, approach = 0;
    for (size_t j = 0; j < n; ++j) {
        speeds[j] = random_signed(state);
        approach += normal[j] * speeds[j];
    }
    const bool separates = random_below(state, 8) == 0;
    for (size_t j = 0; j < n && approach > 0 && !separates; ++j) {
        speeds[j] = -speeds[j];
    }
    random_coefficients(state, speeds + n);
}

static void random_mechanism(uint64_t *state, double *row) { random_coordinates(state, 4, 3, row); }

static void random_planar_mechanism(uint64_t *state, double *row) {
    random_coordinates(state, 3, 2, row);
}

static void random_one_coordinate(uint64_t *state, double *row) {
    random_coordinates(state, 1, 2, row);
}

typedef struct mechanism_shape {
    const char *name;
    size_t n, rows, columns;
    void (*random_row)(uint64_t *state, double *row);
} mechanism_shape;

static const mechanism_shape space_mechanism = {"mechanisms", 4, 3, MECHANISM_COLUMNS,
                                                random_mechanism};
static const mechanism_shape planar_mechanisms[] = {
    {"planar_mechanisms", 3, 2, PLANAR_MECHANISM_COLUMNS, random_planar_mechanism},
    {"one_coordinate", 1, 2, ONE_COORDINATE_COLUMNS, random_one_coordinate},
};

/* Sometimes: one number that is wrong, or is at least out of place. */
static void maybe_spoil(uint64_t *state, size_t columns, double *row) {
    if (random_below(state, 12) != 0) {
        return;
    }
    double *spoilt = &row[random_below(state, (unsigned)columns)];
    const double wrong[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -*spoilt, *spoilt * 2, 0, -3};
    *spoilt = wrong[random_below(state, sizeof wrong / sizeof *wrong)];
}

#endif
