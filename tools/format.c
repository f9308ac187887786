#include "format.h"

#include "spheres.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The columns of a vector from input `first` on. */
#define VECTOR(name, first)                                                                        \
    {name "_x", (first)}, {name "_y", (first) + 1}, { name "_z", (first) + 2 }

/* The columns of one body of boxes and the like. */
#define BODY(side, first)                                                                          \
    {"inv_mass_" side, (first) + BODY_INVERSE_MASS},                                               \
        {"inv_inertia_" side "_xx", (first) + BODY_INVERSE_INERTIA_XX},                            \
        {"inv_inertia_" side "_xy", (first) + BODY_INVERSE_INERTIA_XY},                            \
        {"inv_inertia_" side "_xz", (first) + BODY_INVERSE_INERTIA_XZ},                            \
        {"inv_inertia_" side "_yy", (first) + BODY_INVERSE_INERTIA_YY},                            \
        {"inv_inertia_" side "_yz", (first) + BODY_INVERSE_INERTIA_YZ},                            \
        {"inv_inertia_" side "_zz", (first) + BODY_INVERSE_INERTIA_ZZ},                            \
        VECTOR("arm_" side, (first) + BODY_ARM)

#define VELOCITIES(side, first)                                                                    \
    VECTOR("velocity_" side, (first) + BODY_VELOCITY),                                             \
        VECTOR("angular_velocity_" side, (first) + BODY_ANGULAR_VELOCITY)

static const format_column contact_columns[] = {
    {"k11", CONTACT_K11}, {"k12", CONTACT_K12}, {"k13", CONTACT_K13},
    {"k22", CONTACT_K22}, {"k23", CONTACT_K23}, {"k33", CONTACT_K33},
    {"u1", CONTACT_U1},   {"u2", CONTACT_U2},   {"u3", CONTACT_U3}};

static const format_column body_columns[] = {BODY("a", PAIR_A), BODY("b", PAIR_B),
                                             VECTOR("normal", PAIR_NORMAL), VELOCITIES("a", PAIR_A),
                                             VELOCITIES("b", PAIR_B)};

static const format_column sphere_velocity_columns[] = {VELOCITIES("a", PAIR_A),
                                                        VELOCITIES("b", PAIR_B)};

static const char *const sphere_columns[SPHERE_COLUMNS] = {
    "radius_a",     "radius_b",     "mass_a",       "mass_b",       "position_a_x",
    "position_a_y", "position_a_z", "position_b_x", "position_b_y", "position_b_z"};

static const char *const contact_outputs[CONTACT_OUTPUTS] = {"p1",
                                                             "p2",
                                                             "p3",
                                                             "u1_after",
                                                             "u2_after",
                                                             "u3_after",
                                                             "work_compression",
                                                             "work_restitution",
                                                             "work_friction"};

static const char *const pair_outputs[PAIR_OUTPUTS] = {"impulse_x",
                                                       "impulse_y",
                                                       "impulse_z",
                                                       "velocity_a_x_after",
                                                       "velocity_a_y_after",
                                                       "velocity_a_z_after",
                                                       "angular_velocity_a_x_after",
                                                       "angular_velocity_a_y_after",
                                                       "angular_velocity_a_z_after",
                                                       "velocity_b_x_after",
                                                       "velocity_b_y_after",
                                                       "velocity_b_z_after",
                                                       "angular_velocity_b_x_after",
                                                       "angular_velocity_b_y_after",
                                                       "angular_velocity_b_z_after",
                                                       "work_compression",
                                                       "work_restitution",
                                                       "work_friction"};

static const format formats[] = {
    {"contact space", false, contact_columns, COUNT(contact_columns), NULL, 0, contact_outputs},
    {"body pairs", true, body_columns, COUNT(body_columns), NULL, 0, pair_outputs},
    {"sphere pairs", true, sphere_velocity_columns, COUNT(sphere_velocity_columns), sphere_columns,
     SPHERE_COLUMNS, pair_outputs}};

const char *const format_coefficient_names[COEFFICIENTS] = {"restitution", "friction",
                                                            "friction_static"};

static size_t required_count(const format *of) { return of->sphere_count + of->input_count; }

/* Column i of those that a format needs: what is a format's own first, as its tables begin so. */
static const char *required_name(const format *of, size_t i) {
    return i < of->sphere_count ? of->spheres[i] : of->inputs[i - of->sphere_count].name;
}

/* How many of the needed columns a table has, and which is the first that it has not. */
static size_t count_present(const format *of, const csv_table *table, const char **missing) {
    size_t present = 0;
    *missing = NULL;
    for (size_t i = 0; i < required_count(of); i++) {
        if (csv_find(table, required_name(of, i)) != CSV_NO_COLUMN)
            present++;
        else if (!*missing)
            *missing = required_name(of, i);
    }
    return present;
}

static place place_of_name(const csv_table *table, const char *name) {
    return (place){table->file, table->header.line, span_of(name)};
}

static noreturn void fail_unrecognised(const csv_table *table) {
    const format *nearest = NULL;
    const char *first_missing = NULL;
    double best = 0;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const char *missing;
        double share = (double)count_present(&formats[i], table, &missing) /
                       (double)required_count(&formats[i]);
        if (share <= best) continue;
        best = share;
        nearest = &formats[i];
        first_missing = missing;
    }
    if (!nearest)
        fail_at(place_of_name(table, "k11"),
                "missing, and so is every other column of contact space (k11, ...), body pairs "
                "(inv_mass_a, ...) and sphere pairs (radius_a, ...)");
    fail_at(place_of_name(table, first_missing), "missing; the other columns look like %s",
            nearest->title);
}

static void refuse_output_names(const format *of, const csv_table *table) {
    size_t count = of->pairs ? PAIR_OUTPUTS : CONTACT_OUTPUTS;
    for (size_t i = 0; i <= count; i++) {
        const char *name = i < count ? of->outputs[i] : "outcome";
        if (csv_find(table, name) != CSV_NO_COLUMN)
            fail_at(place_of_name(table, name), "the output adds a column of this name; rename it");
    }
}

const format *format_recognise(const csv_table *table) {
    const format *found = NULL;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const char *missing;
        count_present(&formats[i], table, &missing);
        if (missing) continue;
        if (found)
            fail_at(place_of_name(table, required_name(&formats[i], 0)),
                    "the columns of %s and of %s are both there; leave one set out", found->title,
                    formats[i].title);
        found = &formats[i];
    }
    if (!found) fail_unrecognised(table);
    refuse_output_names(found, table);
    return found;
}
