/** An input as a table, whatever kind of file it is. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include "hdf5.h"

/**
 * Opens comma-separated values or HDF5.
 *
 * @param typed of HDF5, the columns' types; null otherwise. Null: not wanted
 */
csv_file *table_open(const char *path, const hdf5_input **typed);

#endif
