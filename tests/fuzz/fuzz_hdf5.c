/*
 * The reader of HDF5: the input chooses what a file has (links, names, types, ranks, lengths,
 * layouts, values), the library writes it, and the reader reads it. Damaged bytes of the file
 * itself are not tried, as they try libhdf5: of 1,500 files with up to six damaged bytes, three
 * ended the program by a signal in H5D__chunk_set_info (1.10.8). A packed chunk may be damaged,
 * which the library finds out and tells the reader.
 *
 * A file that the reader takes has as many rows and fields as were written, every field is a
 * number, a lone column of doubles is the same doubles, and nothing of the file stays open.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>
#include <unistd.h>

#include "contained_fail.h"
#include "resolve/hdf5.h"
#include "stream.h"
#include "support/number.h"
#include "target.h"

/* Up to three times as many rows as the reader has in memory. */
enum { ROWS_MAX = 2500, OBJECTS_MAX = 24, NAME_LENGTH_MAX = 24, TYPE_SIZE_MAX = 32 };

/* What was written, as far as a file that the reader takes is known by it. */
typedef struct written {
    size_t columns, rows;
    bool has_doubles; /* the last column's are in `doubles` */
    double doubles[ROWS_MAX];
} written;

static written file_has;

static void fail_found(const char *what) {
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* ---- Types ---- */

/* The caller closes it. */
static hid_t half_float(void) {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

static hid_t part_of_integer(size_t bits, size_t from) {
    const hid_t type = H5Tcopy(H5T_STD_I32LE);
    H5Tset_precision(type, bits);
    H5Tset_offset(type, from);
    return type;
}

static hid_t text_of(size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

static hid_t record(void) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 12);
    H5Tinsert(type, "a", 0, H5T_IEEE_F64LE);
    H5Tinsert(type, "b", 8, H5T_STD_I32LE);
    return type;
}

static hid_t enumeration(void) {
    const hid_t type = H5Tenum_create(H5T_STD_U8LE);
    const uint8_t value = 1;
    H5Tenum_insert(type, "one", &value);
    return type;
}

/* The caller closes it. The first half are numbers that a column may have. */
static hid_t type_of(unsigned which) {
    const hsize_t two = 2;
    switch (which % 22) {
    case 0:
        return H5Tcopy(H5T_IEEE_F64LE);
    case 1:
        return H5Tcopy(H5T_IEEE_F64BE);
    case 2:
        return H5Tcopy(H5T_IEEE_F32LE);
    case 3:
        return H5Tcopy(H5T_IEEE_F32BE);
    case 4:
        return half_float();
    case 5:
        return H5Tcopy(H5T_STD_I64LE);
    case 6:
        return H5Tcopy(H5T_STD_I64BE);
    case 7:
        return H5Tcopy(H5T_STD_U64LE);
    case 8:
        return H5Tcopy(H5T_STD_U32BE);
    case 9:
        return H5Tcopy(H5T_STD_I16LE);
    case 10:
        return H5Tcopy(H5T_STD_U8LE);
    case 11:
        return part_of_integer(5, 3);
    case 12:
        return part_of_integer(24, 0);
    case 13:
        return H5Tcopy(H5T_NATIVE_LDOUBLE);
    case 14:
        return text_of(1);
    case 15:
        return text_of(9);
    case 16:
        return record();
    case 17:
        return enumeration();
    case 18:
        return H5Tcreate(H5T_OPAQUE, 4);
    case 19:
        return H5Tcopy(H5T_STD_B32LE);
    case 20:
        return H5Tarray_create2(H5T_STD_I16LE, 1, &two);
    default:
        return H5Tcopy(H5T_STD_REF_OBJ);
    }
}

static bool is_number(hid_t type) {
    const H5T_class_t class = H5Tget_class(type);
    return (class == H5T_FLOAT || class == H5T_INTEGER) && H5Tget_size(type) <= 8;
}

/* ---- Datasets ---- */

static void take_name(stream *from, char name[NAME_LENGTH_MAX + 1]) {
    const size_t length = 1 + take_byte(from) % NAME_LENGTH_MAX;
    for (size_t i = 0; i < length; i++) {
        const char letter = (char)take_byte(from);
        /* A slash leads into groups; a zero ends the name. */
        name[i] = letter == '/' ? '_' : letter;
    }
    name[length] = '\0';
    if (name[0] == '\0' || strcmp(name, ".") == 0) strcpy(name, "u");
}

static hid_t take_space(stream *from, size_t usual, size_t *rows, int *rank) {
    const uint8_t shape = take_byte(from);
    *rows = shape % 16 == 15 ? take_byte(from) : usual;
    const hsize_t one[1] = {*rows}, two[2] = {*rows, 1}, unlimited[1] = {H5S_UNLIMITED};
    *rank = shape < 224 ? 1 : shape < 232 ? 2 : 0;
    switch (*rank) {
    case 1:
        return H5Screate_simple(1, one, shape % 2 == 0 ? NULL : unlimited);
    case 2:
        return H5Screate_simple(2, two, NULL);
    default:
        return H5Screate(shape < 244 ? H5S_SCALAR : H5S_NULL);
    }
}

/* Layouts. A space that may grow has to be in chunks. */
enum { CONTIGUOUS, COMPACT, CHUNKED, PACKED, DAMAGED, LAYOUTS };

static hid_t list_of(unsigned layout, size_t rows, int rank) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[2] = {rows < 64 ? 16 : rows / 2, 1};
    if (layout == COMPACT) H5Pset_layout(list, H5D_COMPACT);
    if (layout >= CHUNKED && rank > 0) H5Pset_chunk(list, rank, chunk);
    if (layout >= PACKED && rank > 0) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, 1);
    }
    return list;
}

/* Flips a bit of the first packed chunk, which deflate's own checksum then shows. */
static void damage(hid_t set, stream *from) {
    const hsize_t first[2] = {0, 0};
    hsize_t size;
    if (H5Dget_chunk_storage_size(set, first, &size) < 0 || size == 0) return;
    uint8_t *const bytes = malloc(size);
    uint32_t filters;
    if (!bytes) exit(2);
    if (H5Dread_chunk(set, H5P_DEFAULT, first, &filters, bytes) >= 0) {
        bytes[size - 1 - take_byte(from) % (size < 4 ? size : 4)] ^= 1;
        H5Dwrite_chunk(set, H5P_DEFAULT, filters, first, size, bytes);
    }
    free(bytes);
}

/* Some bytes of the input, and then numbers at which printing and reading turn. */
static void fill(stream *from, uint8_t *values, size_t size) {
    static const uint64_t words[] = {0,
                                     0x3ff0000000000000,
                                     0x3fb999999999999a,
                                     0x7ff0000000000000,
                                     0xfff8000000000001,
                                     0x0000000000000001,
                                     0x8000000000000000,
                                     0x7fefffffffffffff,
                                     0x7f8000003f800000,
                                     0xffffffffffffffff};
    const size_t given = take_byte(from);
    for (size_t i = 0; i < size; i++) {
        const uint64_t word = words[i / 8 % (sizeof words / sizeof *words)];
        values[i] = (uint8_t)(i < given ? take_byte(from) : word >> (8 * (i % 8)));
    }
}

/* What the reader will have of it. */
static void note_column(hid_t type, size_t rows, const uint8_t *values) {
    file_has.columns++;
    file_has.rows = rows;
    file_has.has_doubles = H5Tequal(type, H5T_IEEE_F64LE) > 0 && rows <= ROWS_MAX;
    if (file_has.has_doubles) memcpy(file_has.doubles, values, rows * sizeof *file_has.doubles);
}

static void write_dataset(hid_t file, const char *name, size_t usual, stream *from) {
    static uint8_t values[(ROWS_MAX + 1) * TYPE_SIZE_MAX];
    const hid_t type = type_of(take_byte(from));
    size_t rows;
    int rank;
    const hid_t space = take_space(from, usual, &rows, &rank);
    const unsigned layout = take_byte(from) % LAYOUTS;
    const hid_t list = list_of(layout, rows, rank);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set >= 0) {
        fill(from, values, (rows + 1) * H5Tget_size(type));
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        if (layout == DAMAGED && rank > 0) damage(set, from);
        if (rank == 1 && is_number(type)) note_column(type, rows, values);
        H5Dclose(set);
    }
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
}

/* ---- Files ---- */

static void write_group(hid_t file, const char *name) {
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
}

static void write_type(hid_t file, const char *name, stream *from) {
    const hid_t type = type_of(take_byte(from));
    H5Tcommit2(file, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(type);
}

/* The reader follows links; where one leads is not followed here. */
static bool write_object(hid_t file, size_t usual, stream *from) {
    char name[NAME_LENGTH_MAX + 1], other[NAME_LENGTH_MAX + 1];
    const uint8_t what = take_byte(from);
    take_name(from, name);
    if (what < 208) {
        write_dataset(file, name, usual, from);
        return true;
    }
    if (what < 220) {
        write_group(file, name);
        return true;
    }
    if (what < 232) {
        write_type(file, name, from);
        return true;
    }
    take_name(from, other);
    if (what < 240)
        H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    else if (what < 248)
        H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    else
        H5Lcreate_external("/dev/null", other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    return false;
}

/* The library opens a file by its true name only, which a file without one does not have. */
static char path[] = "/tmp/impinge-fuzz-XXXXXX";

static void name_file(void) {
    const int file = mkstemp(path);
    if (file < 0) exit(2);
    close(file);
}

/* Returns whether the numbers of rows and fields are known. */
static bool make_file(stream *from) {
    static const size_t usual[] = {3, 0, 1, 1024, 1025, ROWS_MAX};
    const uint8_t flags = take_byte(from), rows = take_byte(from);
    const hid_t how = H5Pcreate(H5P_FILE_CREATE), in = H5Pcreate(H5P_FILE_ACCESS);
    if (flags & 1) H5Pset_link_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (flags & 2) H5Pset_libver_bounds(in, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, how, in);
    if (file < 0) exit(2);
    file_has.columns = 0;
    bool counted = true;
    for (size_t i = 0; i < OBJECTS_MAX && from->size > 0; i++)
        counted &= write_object(file, usual[rows % (sizeof usual / sizeof *usual)], from);
    H5Fclose(file);
    H5Pclose(in);
    H5Pclose(how);
    return counted;
}

/* ---- Reading ---- */

/* What was read: the lines with that of the names, and the fields of all. */
static size_t lines, fields;
static bool has_ended, checks;

static void check_field(const char *text, size_t length) {
    double value;
    if (number_read((span){text, length}, PRECISION_F64, &value) != NUMBER_RIGHT)
        fail_found("a field is no number");
    if (!checks || file_has.columns != 1 || !file_has.has_doubles) return;
    const double right = file_has.doubles[lines - 1];
    if (value != value && right != right) return;
    if (memcmp(&value, &right, sizeof value) != 0) fail_found("another number");
}

static void read_table(const char *without_bytes) {
    (void)without_bytes;
    char text[4096], field[64];
    size_t length = 0, size;
    input *const table = hdf5_open(path, NULL);
    while ((size = input_read(table, text, sizeof text)) > 0) {
        for (size_t i = 0; i < size; i++) {
            const bool ends = text[i] == '\n' || text[i] == ',';
            if (lines > 0 && length == sizeof field) fail_found("a field without an end");
            if (lines > 0) field[length++] = text[i];
            if (!ends) continue;
            if (lines > 0) {
                fields++;
                check_field(field, length - 1);
            }
            length = 0;
            lines += text[i] == '\n';
        }
    }
    input_close(table);
    has_ended = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool begun;
    stream from = {data, size};
    if (!begun) name_file();
    begun = true;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    checks = make_file(&from);
    has_ended = false;
    lines = fields = 0;
    contained(read_table, NULL, 0);
    unlink(path);
    if (!has_ended) {
        H5close(); /* the program ends then, and so leaves open what it has */
        return 0;
    }
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0) fail_found("something is open");
    if (checks && lines != file_has.rows + 1) fail_found("another number of rows");
    if (checks && fields != file_has.rows * file_has.columns)
        fail_found("another number of fields");
    return 0;
}
