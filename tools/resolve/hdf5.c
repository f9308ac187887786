#include "hdf5.h"

#include <stdio.h>
#include <string.h>

#include "support/fail.h"

bool hdf5_is_named(const char *path) {
    static const char *const endings[] = {".h5", ".hdf5"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && !strcmp(path + length - ending, endings[i])) return true;
    }
    return false;
}

#ifndef HAVE_HDF5
bool hdf5_is(const char *path) {
    (void)path;
    return false;
}

input *hdf5_open(const char *path, const hdf5_input **typed) {
    (void)typed;
    fail("cannot read %s: this build has no libhdf5", path);
}

hdf5_output *hdf5_begin(const hdf5_request *by) {
    (void)by;
    fail("HDF5 cannot be written: this build has no libhdf5");
}

const column_kind *hdf5_kinds(const hdf5_output *of) {
    (void)of;
    return NULL;
}

size_t hdf5_count(const hdf5_output *of) {
    (void)of;
    return 0;
}

void hdf5_append(hdf5_output *to, const column_block *rows) {
    (void)to;
    (void)rows;
}

void hdf5_finish(hdf5_output *of) { (void)of; }
#else
#include <hdf5.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/decimal.h"
#include "support/output.h"

/* Debian's libhdf5 may be called by one thread at a time: input and output are two files. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&one_at_a_time); }
static void leave(void) { pthread_mutex_unlock(&one_at_a_time); }

static void begin_library(void) {
    /* A program that fails ends while another thread may be inside; its file is removed anyway. */
    H5dont_atexit();
    /* This program reports faults itself, in one line. */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- Reading ---- */

/* Rows that are read at once. */
enum { READ_ROWS = 1024 };

typedef struct read_column {
    char *name;
    hid_t set;
    hid_t type; /* in the file; a copy */
    column_kind kind;
    uint64_t *values;
} read_column;

struct hdf5_input {
    const char *path;
    hid_t file;
    read_column *columns;
    size_t count;
    hsize_t rows, at; /* of the file; read */
    size_t held, row; /* of the values; printed */
    made_text printed;
};

bool hdf5_is(const char *path) {
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char first[sizeof signature - 1];
    struct stat status;
    /* A file that can be read only once, such as a pipe, is not touched. */
    if (!strcmp(path, "-") || stat(path, &status) || !S_ISREG(status.st_mode)) return false;
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    const bool is = fread(first, 1, sizeof first, stream) == sizeof first &&
                    !memcmp(first, signature, sizeof first);
    fclose(stream);
    return is;
}

static noreturn void fail_damaged(const hdf5_input *of, const char *column) {
    if (column)
        fail("cannot read %s: the column %s of this HDF5 file is damaged", of->path, column);
    fail("cannot read %s: this HDF5 file is damaged", of->path);
}

/* Numbers of one dimension; false: something else. */
static bool is_column(hid_t set, hid_t type, hsize_t *rows) {
    const hid_t space = H5Dget_space(set);
    const bool is = H5Sget_simple_extent_ndims(space) == 1 &&
                    (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER);
    if (is) H5Sget_simple_extent_dims(space, rows, NULL);
    H5Sclose(space);
    return is;
}

static column_kind kind_of(hid_t type) {
    if (H5Tget_class(type) == H5T_FLOAT) return COLUMN_REAL;
    return H5Tget_sign(type) == H5T_SGN_NONE ? COLUMN_UNSIGNED : COLUMN_SIGNED;
}

static hid_t memory_type(column_kind of) {
    return of == COLUMN_REAL     ? H5T_NATIVE_DOUBLE
           : of == COLUMN_SIGNED ? H5T_NATIVE_INT64
                                 : H5T_NATIVE_UINT64;
}

static void add_column(hdf5_input *to, const char *name, hid_t set, hid_t type, hsize_t rows) {
    if (H5Tget_size(type) > sizeof(uint64_t))
        fail("cannot read %s: the numbers of the column %s have %zu bytes, more than %zu", to->path,
             name, H5Tget_size(type), sizeof(uint64_t));
    for (const char *at = name; *at; at++)
        if (*at == '"' || (unsigned char)*at < ' ')
            fail("cannot read %s: a column's name has a quote or no letter in it", to->path);
    if (to->count && rows != to->rows)
        fail("cannot read %s: the column %s has %llu rows, and %s has %llu", to->path, name,
             (unsigned long long)rows, to->columns[0].name, (unsigned long long)to->rows);
    to->rows = rows;
    to->columns = reallocate(to->columns, to->count + 1, sizeof *to->columns);
    read_column *made = &to->columns[to->count++];
    *made = (read_column){.name = allocate(strlen(name) + 1, 1),
                          .set = set,
                          .type = type,
                          .kind = kind_of(type),
                          .values = allocate(READ_ROWS, sizeof(uint64_t))};
    memcpy(made->name, name, strlen(name));
}

/* Names, one behind the other, each with its zero. */
typedef struct name_list {
    char *text;
    size_t length;
} name_list;

/* Called for each link in the root group. */
static herr_t note_name(hid_t group, const char *name, const H5L_info_t *info, void *context) {
    (void)group;
    (void)info;
    name_list *to = context;
    const size_t size = strlen(name) + 1;
    to->text = reallocate(to->text, to->length + size, 1);
    memcpy(to->text + to->length, name, size);
    to->length += size;
    return 0;
}

/* Adds what a link of the root group leads to, if that is a column. */
static void follow(hdf5_input *to, const char *name) {
    H5O_info_t object;
    /* A link of either kind may lead to nothing, or into a file that is not there. */
    if (H5Oexists_by_name(to->file, name, H5P_DEFAULT) == 0) return;
    if (H5Oget_info_by_name2(to->file, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        fail_damaged(to, NULL);
    if (object.type != H5O_TYPE_DATASET) return;
    const hid_t set = H5Dopen2(to->file, name, H5P_DEFAULT);
    const hid_t type = set < 0 ? -1 : H5Dget_type(set);
    if (type < 0) fail_damaged(to, name);
    hsize_t rows;
    if (is_column(set, type, &rows)) {
        add_column(to, name, set, type, rows);
    } else {
        H5Tclose(type);
        H5Dclose(set);
    }
}

static void find_columns(hdf5_input *to) {
    const hid_t plist = H5Fget_create_plist(to->file);
    unsigned order = 0;
    H5Pget_link_creation_order(plist, &order);
    H5Pclose(plist);
    const H5_index_t by = order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    /* What fails does so outside of the library's own loop. */
    name_list names = {.text = NULL};
    if (H5Literate(to->file, by, H5_ITER_INC, NULL, note_name, &names) < 0) fail_damaged(to, NULL);
    for (size_t at = 0; at < names.length; at += strlen(names.text + at) + 1)
        follow(to, names.text + at);
    free(names.text);
    if (!to->count)
        fail("cannot read %s: this HDF5 file has no column, a dataset of one dimension that holds "
             "numbers",
             to->path);
}

/* Returns the name of a column that is damaged; null: none is. */
static const char *read_rows(hdf5_input *of) {
    const hsize_t left = of->rows - of->at, count = left < READ_ROWS ? left : READ_ROWS;
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    const char *damaged = NULL;
    for (size_t i = 0; i < of->count && !damaged; i++) {
        const read_column *column = &of->columns[i];
        const hid_t space = H5Dget_space(column->set);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &of->at, NULL, &count, NULL);
        if (H5Dread(column->set, memory_type(column->kind), memory, space, H5P_DEFAULT,
                    column->values) < 0)
            damaged = column->name;
        H5Sclose(space);
    }
    H5Sclose(memory);
    of->at += count;
    of->held = (size_t)count;
    of->row = 0;
    return damaged;
}

static char *print_value(const read_column *of, size_t row, char *to) {
    double real;
    int64_t whole;
    switch (of->kind) {
    case COLUMN_REAL:
        memcpy(&real, &of->values[row], sizeof real);
        return to + decimal_write_f64(to, real);
    case COLUMN_SIGNED:
        memcpy(&whole, &of->values[row], sizeof whole);
        return to + sprintf(to, "%" PRId64, whole);
    default:
        return to + sprintf(to, "%" PRIu64, of->values[row]);
    }
}

/* The next row as text; false: there is none. */
static bool print_row(void *context) {
    hdf5_input *of = context;
    if (of->row == of->held) {
        if (of->at == of->rows) return false;
        enter();
        const char *const damaged = read_rows(of);
        leave();
        if (damaged) fail_damaged(of, damaged);
    }
    char *to = of->printed.text;
    for (size_t i = 0; i < of->count; i++) {
        to = print_value(&of->columns[i], of->row, to);
        *to++ = i + 1 < of->count ? ',' : '\n';
    }
    of->row++;
    of->printed.begin = 0;
    of->printed.end = (size_t)(to - of->printed.text);
    return true;
}

static void close_table(void *context) {
    hdf5_input *of = context;
    enter();
    for (size_t i = 0; i < of->count; i++) {
        H5Tclose(of->columns[i].type);
        H5Dclose(of->columns[i].set);
        free(of->columns[i].name);
        free(of->columns[i].values);
    }
    H5Fclose(of->file);
    leave();
    free(of->columns);
    free(of->printed.text);
    free(of);
}

/* The names, in quotes, as they may have separators in them; room for a row as well. */
static void print_names(hdf5_input *of) {
    size_t length = 0;
    for (size_t i = 0; i < of->count; i++)
        length += strlen(of->columns[i].name) + 3;
    const size_t row = of->count * (DECIMAL_SIZE + 1);
    made_text *const to = &of->printed;
    to->text = allocate((length > row ? length : row) + 1, 1);
    for (size_t i = 0; i < of->count; i++) {
        const char *name = of->columns[i].name;
        const char *quote = strpbrk(name, ",;\t") ? "\"" : "";
        to->end += (size_t)sprintf(to->text + to->end, "%s%s%s%c", quote, name, quote,
                                   i + 1 < of->count ? ',' : '\n');
    }
}

input *hdf5_open(const char *path, const hdf5_input **typed) {
    begin_library();
    hdf5_input *made = allocate(1, sizeof *made);
    made->path = path;
    made->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (made->file < 0) fail_damaged(made, NULL);
    find_columns(made);
    print_names(made);
    if (typed) *typed = made;
    return input_made(path, &made->printed, print_row, close_table, made);
}

/* ---- Writing ---- */

/* Rows of a chunk, and how hard they are packed: more than 1 takes twice the time for a few
 * percent.
 */
enum { CHUNK_ROWS = 8192, DEFLATE_LEVEL = 1 };

struct hdf5_output {
    hid_t file;
    size_t count;
    hid_t *sets;
    column_kind *kinds;
    hsize_t rows;
};

static noreturn void fail_written(void) {
    fail("cannot write the output as HDF5; is the disk full?");
}

static hid_t made(hid_t what) {
    if (what < 0) fail_written();
    return what;
}

static void set_text(hid_t of, const char *name, const char *text) {
    const hid_t type = made(H5Tcopy(H5T_C_S1));
    H5Tset_size(type, strlen(text) + 1);
    const hid_t space = made(H5Screate(H5S_SCALAR));
    const hid_t attribute = made(H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    if (H5Awrite(attribute, type, text) < 0) fail_written();
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void set_value(hid_t of, const char *name, double value) {
    const hid_t space = made(H5Screate(H5S_SCALAR));
    const hid_t attribute =
        made(H5Acreate2(of, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT));
    if (H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0) fail_written();
    H5Aclose(attribute);
    H5Sclose(space);
}

static hid_t chunk_list(void) {
    static const hsize_t chunk = CHUNK_ROWS;
    const hid_t list = made(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list, 1, &chunk);
    /* Bytes of equal weight side by side pack better. Deflate has a checksum of its own. */
    H5Pset_shuffle(list);
    H5Pset_deflate(list, DEFLATE_LEVEL);
    return list;
}

/* The chunk that grows stays in memory, and no more. */
static hid_t cache_list(void) {
    const hid_t list = made(H5Pcreate(H5P_DATASET_ACCESS));
    H5Pset_chunk_cache(list, 5, 2 * CHUNK_ROWS * sizeof(uint64_t), 1);
    return list;
}

static void add_set(hdf5_output *to, const char *name, hid_t type, column_kind kind,
                    const char *unit) {
    static const hsize_t none = 0, unlimited = H5S_UNLIMITED;
    const hid_t space = made(H5Screate_simple(1, &none, &unlimited));
    const hid_t how = chunk_list(), cache = cache_list();
    const hid_t set = made(H5Dcreate2(to->file, name, type, space, H5P_DEFAULT, how, cache));
    if (unit) set_text(set, "units", unit);
    to->sets[to->count] = set;
    to->kinds[to->count++] = kind;
    H5Pclose(cache);
    H5Pclose(how);
    H5Sclose(space);
}

/* Units by how the names of fields.h begin. The longer come before those that begin alike. */
static const char *unit_of(const char *name) {
    static const char *const units[][2] = {{"angular_velocity", "rad/s"},
                                           {"arm", "m"},
                                           {"impulse_ratio", "1"},
                                           {"impulse", "kg m/s"},
                                           {"inv_inertia", "1/(kg m^2)"},
                                           {"inv_mass", "1/kg"},
                                           {"mass", "kg"},
                                           {"position", "m"},
                                           {"radius", "m"},
                                           {"velocity", "m/s"},
                                           {"work", "J"},
                                           {"k", "1/kg"},
                                           {"u", "m/s"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strncmp(name, units[i][0], strlen(units[i][0]))) return units[i][1];
    /* p1, pt, ...; what is left (normals, orientations, coefficients) has no unit. */
    return name[0] == 'p' ? "kg m/s" : "1";
}

static char *text_of(span name) {
    char *text = allocate(name.length + 1, 1);
    memcpy(text, name.start, name.length);
    return text;
}

static void add_carried(hdf5_output *to, const hdf5_request *by) {
    const csv_header *names = by->plan->names;
    for (size_t i = 0; i < names->columns; i++) {
        char *name = text_of(names->names[i]);
        /* HDF5 takes a slash for a group's. */
        if (!*name || strchr(name, '/') || !strcmp(name, "."))
            fail("the column '%s' cannot be a name in HDF5; rename it", name);
        const bool known = by->plan->arrays[i] != LOAD_NONE;
        add_set(to, name, by->typed ? by->typed->columns[i].type : H5T_IEEE_F64LE,
                by->typed ? by->typed->columns[i].kind : COLUMN_REAL, known ? unit_of(name) : NULL);
        free(name);
    }
}

/* "1 invalid, 2 separating, ...": what the bits of an outcome mean. */
static void set_bits(hid_t of) {
    char text[32 * (IMPINGE_OUTCOME_TEXT_SIZE + 16)] = "", word[IMPINGE_OUTCOME_TEXT_SIZE];
    size_t length = 0;
    for (int bit = 0; bit < 32; bit++)
        if (impinge_outcome_text(UINT32_C(1) << bit, word, sizeof word))
            length += (size_t)sprintf(text + length, "%s%" PRIu32 " %s", length ? ", " : "",
                                      UINT32_C(1) << bit, word);
    set_text(of, "bits", text);
}

static void set_attributes(const hdf5_output *of, const hdf5_request *by) {
    set_text(of->file, "impinge_version", impinge_version());
    set_text(of->file, "law", by->law);
    set_text(of->file, "rule", by->rule);
    set_text(of->file, "precision", precision_name(by->plan->precision));
    for (size_t i = 0; i < COEFFICIENTS; i++)
        if (by->plan->coefficient_given[i])
            set_value(of->file, coefficient_name((enum coefficient)i),
                      by->plan->coefficient_values[i]);
}

hdf5_output *hdf5_begin(const hdf5_request *by) {
    const load_plan *plan = by->plan;
    const char *path = output_path();
    if (!path) fail("HDF5 can be written to an ordinary file only");
    begin_library();
    const size_t outputs = batch_output_count(plan->format->kind);
    hdf5_output *to = allocate(1, sizeof *to);
    to->sets = allocate(plan->names->columns + outputs + 1, sizeof *to->sets);
    to->kinds = allocate(plan->names->columns + outputs + 1, sizeof *to->kinds);
    const hid_t list = made(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    to->file = made(H5Fcreate(path, H5F_ACC_TRUNC, list, H5P_DEFAULT));
    H5Pclose(list);
    set_attributes(to, by);
    add_carried(to, by);
    const hid_t type = plan->precision == PRECISION_F32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    for (size_t i = 0; i < outputs; i++)
        add_set(to, plan->format->outputs[i], type, COLUMN_REAL, unit_of(plan->format->outputs[i]));
    add_set(to, "outcome", H5T_STD_U32LE, COLUMN_UNSIGNED, NULL);
    set_bits(to->sets[to->count - 1]);
    return to;
}

const column_kind *hdf5_kinds(const hdf5_output *of) { return of->kinds; }

size_t hdf5_count(const hdf5_output *of) { return of->count; }

void hdf5_append(hdf5_output *to, const column_block *rows) {
    const hsize_t count = rows->rows, whole = to->rows + count;
    enter();
    const hid_t memory = made(H5Screate_simple(1, &count, NULL));
    for (size_t i = 0; i < to->count; i++) {
        if (H5Dset_extent(to->sets[i], &whole) < 0) fail_written();
        const hid_t space = made(H5Dget_space(to->sets[i]));
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &to->rows, NULL, &count, NULL);
        if (H5Dwrite(to->sets[i], memory_type(to->kinds[i]), memory, space, H5P_DEFAULT,
                     rows->values[i]) < 0)
            fail_written();
        H5Sclose(space);
    }
    H5Sclose(memory);
    to->rows = whole;
    leave();
}

void hdf5_finish(hdf5_output *of) {
    enter();
    for (size_t i = 0; i < of->count; i++)
        if (H5Dclose(of->sets[i]) < 0) fail_written();
    if (H5Fclose(of->file) < 0) fail_written();
    leave();
    free(of->sets);
    free(of->kinds);
    free(of);
}
#endif
