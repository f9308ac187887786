/*
 * The reader of LAMMPS's dumps: any bytes as the dump of pairs and, from a line "====" on, as the
 * dump of atoms.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contained_fail.h"
#include "resolve/lammps.h"
#include "target.h"

static const char between[] = "\n====\n";
static char atoms_path[32];

static void read_dumps(const char *pairs_path) {
    input *const table = lammps_open(pairs_path, atoms_path);
    char text[4096];
    while (input_read(table, text, sizeof text) > 0)
        ;
    input_close(table);
}

static void write_atoms(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = memfd_create("atoms", 0);
    snprintf(atoms_path, sizeof atoms_path, "/proc/self/fd/%d", file);
    if (file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size)
        return;
    perror("fuzz: memfd");
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t length = sizeof between - 1;
    const uint8_t *const at = size > 0 ? memmem(data, size, between, length) : NULL;
    const size_t pairs = at ? (size_t)(at - data) + 1 : size;
    const size_t atoms = at ? pairs + length - 1 : size;
    write_atoms(data + atoms, size - atoms);
    contained(read_dumps, data, pairs);
    return 0;
}
