#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv.h"

static const double sphere_restitution = 0.9, sphere_friction = 0.4;

/* A quantity of a file, in one column or in several, and where in a row the first belongs. */
typedef struct quantity {
    const char *name;
    int place;
    size_t components; /* 1, 3 or 6 */
} quantity;

enum { SCALAR = 1, VECTOR = 3, TENSOR = 6 };

/* What is joined to the name. */
static const char *const scalar_suffixes[] = {""};
static const char *const vector_suffixes[] = {"_x", "_y", "_z"};
static const char *const tensor_suffixes[] = {"_xx", "_xy", "_xz", "_yy", "_yz", "_zz"};

static const quantity box_quantities[] = {
    {"inv_mass_a", IN_BODY_A + BODY_INVERSE_MASS, SCALAR},
    {"inv_mass_b", IN_BODY_B + BODY_INVERSE_MASS, SCALAR},
    {"inv_inertia_a", IN_BODY_A + BODY_INVERSE_INERTIA, TENSOR},
    {"inv_inertia_b", IN_BODY_B + BODY_INVERSE_INERTIA, TENSOR},
    {"arm_a", IN_BODY_A + BODY_ARM, VECTOR},
    {"arm_b", IN_BODY_B + BODY_ARM, VECTOR},
    {"velocity_a", IN_BODY_A + BODY_VELOCITY, VECTOR},
    {"velocity_b", IN_BODY_B + BODY_VELOCITY, VECTOR},
    {"angular_velocity_a", IN_BODY_A + BODY_ANGULAR_VELOCITY, VECTOR},
    {"angular_velocity_b", IN_BODY_B + BODY_ANGULAR_VELOCITY, VECTOR},
    {"normal", IN_NORMAL, VECTOR},
    {"restitution", IN_PAIR_RESTITUTION, SCALAR},
    {"friction", IN_PAIR_FRICTION, SCALAR},
};

/* Spheres are more than the columns of a pair: what is left goes behind it. */
enum {
    SPHERE_RADIUS = PAIR_INPUTS,
    SPHERE_MASS = SPHERE_RADIUS + 2,
    SPHERE_POSITION_A = SPHERE_MASS + 2,
    SPHERE_POSITION_B = SPHERE_POSITION_A + 3,
    SPHERE_INPUTS = SPHERE_POSITION_B + 3
};

static const quantity sphere_quantities[] = {
    {"radius_a", SPHERE_RADIUS, SCALAR},
    {"radius_b", SPHERE_RADIUS + 1, SCALAR},
    {"mass_a", SPHERE_MASS, SCALAR},
    {"mass_b", SPHERE_MASS + 1, SCALAR},
    {"position_a", SPHERE_POSITION_A, VECTOR},
    {"position_b", SPHERE_POSITION_B, VECTOR},
    {"velocity_a", IN_BODY_A + BODY_VELOCITY, VECTOR},
    {"velocity_b", IN_BODY_B + BODY_VELOCITY, VECTOR},
    {"angular_velocity_a", IN_BODY_A + BODY_ANGULAR_VELOCITY, VECTOR},
    {"angular_velocity_b", IN_BODY_B + BODY_ANGULAR_VELOCITY, VECTOR},
};

/* More than either file has. */
enum { COLUMNS_MAX = 64 };

/* Which numbers of a line are wanted, and where in a row they belong. */
typedef struct layout {
    int from[COLUMNS_MAX], to[COLUMNS_MAX];
    size_t count;
    int width; /* numbers of a line that have to be read */
} layout;

static const char *suffix(size_t components, size_t i) {
    return components == TENSOR   ? tensor_suffixes[i]
           : components == VECTOR ? vector_suffixes[i]
                                  : scalar_suffixes[i];
}

static bool find_column(const csv *file, const quantity *wanted, size_t component, layout *found) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", wanted->name, suffix(wanted->components, component));
    const int from = csv_column(file, name);
    if (from < 0 || from >= COLUMNS_MAX) return false;
    found->from[found->count] = from;
    found->to[found->count++] = wanted->place + (int)component;
    if (from >= found->width) found->width = from + 1;
    return true;
}

static bool find_columns(const csv *file, const quantity *wanted, size_t count, layout *found) {
    *found = (layout){.count = 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t component = 0; component < wanted[i].components; component++) {
            if (!find_column(file, &wanted[i], component, found)) return false;
        }
    }
    return true;
}

/* Makes what is not in the file of what is; the row has SPHERE_INPUTS numbers. */
typedef void finish_row(double *row);

static void finish_box(double *row) { row[IN_PAIR_FRICTION_STATIC] = row[IN_PAIR_FRICTION]; }

/* A solid sphere, touched at `side` radii along the normal. */
static void finish_sphere(double *body, double mass, double radius, double side,
                          const double normal[3]) {
    body[BODY_INVERSE_MASS] = 1 / mass;
    const double inverse_inertia = 2.5 / (mass * radius * radius);
    for (int i = 0; i < 3; i++) {
        static const int diagonal[3] = {0, 3, 5}; /* xx, yy, zz */
        body[BODY_INVERSE_INERTIA + diagonal[i]] = inverse_inertia;
        body[BODY_ARM + i] = side * radius * normal[i];
    }
}

static void finish_spheres(double *row) {
    double *normal = row + IN_NORMAL;
    for (int i = 0; i < 3; i++)
        normal[i] = row[SPHERE_POSITION_A + i] - row[SPHERE_POSITION_B + i];
    const double distance = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int i = 0; i < 3; i++)
        normal[i] /= distance;
    finish_sphere(row + IN_BODY_A, row[SPHERE_MASS], row[SPHERE_RADIUS], -1, normal);
    finish_sphere(row + IN_BODY_B, row[SPHERE_MASS + 1], row[SPHERE_RADIUS + 1], 1, normal);
    row[IN_PAIR_RESTITUTION] = sphere_restitution;
    row[IN_PAIR_FRICTION] = row[IN_PAIR_FRICTION_STATIC] = sphere_friction;
}

static bool fill(const csv *file, const layout *columns, finish_row *finish, contact_rows *rows) {
    for (size_t i = 0; i < file->count; i++) {
        double numbers[COLUMNS_MAX];
        double row[SPHERE_INPUTS] = {0};
        if (!csv_row(file, i, numbers, columns->width)) return false;
        for (size_t c = 0; c < columns->count; c++)
            row[columns->to[c]] = numbers[columns->from[c]];
        finish(row);
        double *pair = rows_at(rows, i);
        for (size_t c = 0; c < PAIR_INPUTS; c++)
            pair[c] = row[c];
    }
    return true;
}

static bool load(const char *name, const quantity *wanted, size_t count, finish_row *finish,
                 contact_rows *rows) {
    const char *folder = getenv("IMPINGE_BENCH_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : BENCH_DATA, name);
    csv file;
    layout found;
    bool right = csv_open(&file, path) && find_columns(&file, wanted, count, &found);
    if (right) {
        *rows = rows_new(LEVEL_BODY_PAIRS, file.count);
        right = fill(&file, &found, finish, rows);
        if (!right) free(rows->values);
    }
    csv_close(&file);
    if (!right) fprintf(stderr, "%s: cannot be read\n", path);
    return right;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool recorded_boxes(contact_rows *rows) {
    return load("boxes_pit.csv", box_quantities, COUNT(box_quantities), finish_box, rows);
}

bool recorded_spheres(contact_rows *rows) {
    return load("spheres_pour.csv", sphere_quantities, COUNT(sphere_quantities), finish_spheres,
                rows);
}
