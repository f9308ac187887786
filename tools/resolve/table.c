#include "table.h"

csv_file *table_open(const char *path, const hdf5_input **typed) {
    if (typed) *typed = NULL;
    return hdf5_is(path) ? csv_open_input(hdf5_open(path, typed)) : csv_open(path);
}
