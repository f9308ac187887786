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

#define PLANAR_VECTOR(name, first)                                                                 \
    {name "_x", (first)}, { name "_y", (first) + 1 }

#define PLANAR_BODY(side, first)                                                                   \
    {"inv_mass_" side, (first) + PLANAR_BODY_INVERSE_MASS},                                        \
        {"inv_inertia_" side, (first) + PLANAR_BODY_INVERSE_INERTIA},                              \
        PLANAR_VECTOR("arm_" side, (first) + PLANAR_BODY_ARM),                                     \
        PLANAR_VECTOR("velocity_" side, (first) + PLANAR_BODY_VELOCITY), {                         \
        "angular_velocity_" side, (first) + PLANAR_BODY_ANGULAR_VELOCITY                           \
    }

#define QUATERNION(name, first)                                                                    \
    {name "_w", (first)}, {name "_x", (first) + 1}, {name "_y", (first) + 2}, {                    \
        name "_z", (first) + 3                                                                     \
    }

static const format_column contact_columns[] = {
    {"k11", CONTACT_K11}, {"k12", CONTACT_K12}, {"k13", CONTACT_K13},
    {"k22", CONTACT_K22}, {"k23", CONTACT_K23}, {"k33", CONTACT_K33},
    {"u1", CONTACT_U1},   {"u2", CONTACT_U2},   {"u3", CONTACT_U3}};

static const format_column body_columns[] = {BODY("a", PAIR_A), BODY("b", PAIR_B),
                                             VECTOR("normal", PAIR_NORMAL), VELOCITIES("a", PAIR_A),
                                             VELOCITIES("b", PAIR_B)};

static const format_column orientation_columns[] = {
    QUATERNION("orientation_a", PAIR_ORIENTATION_A),
    QUATERNION("orientation_b", PAIR_ORIENTATION_B)};

static const format_column sphere_velocity_columns[] = {VELOCITIES("a", PAIR_A),
                                                        VELOCITIES("b", PAIR_B)};

static const char *const sphere_columns[SPHERE_COLUMNS] = {
    "radius_a",     "radius_b",     "mass_a",       "mass_b",       "position_a_x",
    "position_a_y", "position_a_z", "position_b_x", "position_b_y", "position_b_z"};

static const format_column planar_contact_columns[] = {{"ktt", PLANAR_KTT},
                                                       {"ktn", PLANAR_KTN},
                                                       {"knn", PLANAR_KNN},
                                                       {"ut", PLANAR_UT},
                                                       {"un", PLANAR_UN}};

static const format_column planar_body_columns[] = {PLANAR_BODY("a", PLANAR_PAIR_A),
                                                    PLANAR_BODY("b", PLANAR_PAIR_B),
                                                    PLANAR_VECTOR("normal", PLANAR_PAIR_NORMAL)};

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

static const char *const planar_contact_outputs[PLANAR_CONTACT_OUTPUTS] = {
    "pt", "pn", "ut_after", "un_after", "work_compression", "work_restitution", "work_friction"};

static const char *const planar_pair_outputs[PLANAR_PAIR_OUTPUTS] = {"impulse_x",
                                                                     "impulse_y",
                                                                     "velocity_a_x_after",
                                                                     "velocity_a_y_after",
                                                                     "angular_velocity_a_after",
                                                                     "velocity_b_x_after",
                                                                     "velocity_b_y_after",
                                                                     "angular_velocity_b_after",
                                                                     "work_compression",
                                                                     "work_restitution",
                                                                     "work_friction"};

static const format formats[] = {{.title = "contact space",
                                  .kind = BATCH_CONTACTS,
                                  .inputs = contact_columns,
                                  .input_count = COUNT(contact_columns),
                                  .outputs = contact_outputs},
                                 {.title = "body pairs",
                                  .kind = BATCH_PAIRS,
                                  .inputs = body_columns,
                                  .input_count = COUNT(body_columns),
                                  .optional = orientation_columns,
                                  .optional_count = COUNT(orientation_columns),
                                  .outputs = pair_outputs},
                                 {.title = "sphere pairs",
                                  .kind = BATCH_PAIRS,
                                  .inputs = sphere_velocity_columns,
                                  .input_count = COUNT(sphere_velocity_columns),
                                  .spheres = sphere_columns,
                                  .sphere_count = SPHERE_COLUMNS,
                                  .outputs = pair_outputs},
                                 {.title = "planar contacts",
                                  .kind = BATCH_PLANAR_CONTACTS,
                                  .inputs = planar_contact_columns,
                                  .input_count = COUNT(planar_contact_columns),
                                  .outputs = planar_contact_outputs},
                                 {.title = "planar pairs",
                                  .kind = BATCH_PLANAR_PAIRS,
                                  .inputs = planar_body_columns,
                                  .input_count = COUNT(planar_body_columns),
                                  .outputs = planar_pair_outputs}};

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

/*
 * The format of which most columns are there is the one that is meant; of two, the one of which
 * fewer are missing. A share of the columns would not do: planar pairs are few of the columns of
 * body pairs and a few more.
 */
static noreturn void fail_unrecognised(const csv_table *table) {
    const format *nearest = NULL;
    const char *first_missing = NULL;
    size_t most = 0;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const char *missing;
        const size_t present = count_present(&formats[i], table, &missing);
        const bool fewer_missing = nearest && required_count(&formats[i]) < required_count(nearest);
        if (present < most || (present == most && !fewer_missing)) continue;
        most = present;
        nearest = &formats[i];
        first_missing = missing;
    }
    if (!nearest)
        fail_at(place_of_name(table, "k11"),
                "missing, and so is every other column of contact space (k11, ...), body pairs "
                "(inv_mass_a, ...), sphere pairs (radius_a, ...) and planar contacts (ktt, ...)");
    fail_at(place_of_name(table, first_missing), "missing; the other columns look like %s",
            nearest->title);
}

bool format_has_optional(const format *of, const csv_table *table, size_t i) {
    return csv_find(table, of->optional[i].name) != CSV_NO_COLUMN;
}

/* The name of the first of a group's columns that is, or is not, there; null: there is none. */
static const char *first_optional(const format *of, const csv_table *table, size_t group,
                                  bool there) {
    for (size_t i = group; i < group + QUATERNION_INPUTS; i++)
        if (format_has_optional(of, table, i) == there) return of->optional[i].name;
    return NULL;
}

static void refuse_incomplete_groups(const format *of, const csv_table *table) {
    for (size_t group = 0; group < of->optional_count; group += QUATERNION_INPUTS) {
        const char *present = first_optional(of, table, group, true);
        const char *missing = first_optional(of, table, group, false);
        if (present && missing)
            fail_at(place_of_name(table, missing), "missing, but %s is there; give all %d or none",
                    present, QUATERNION_INPUTS);
    }
}

static void refuse_output_names(const format *of, const csv_table *table) {
    const size_t count = batch_outputs(of->kind);
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
    refuse_incomplete_groups(found, table);
    refuse_output_names(found, table);
    return found;
}
