/*
 * The fuzz targets, a minute each (scripts/fuzz runs them longer, and with libFuzzer):
 * the corpus, and what a seed makes of it. What was found once is in the corpus.
 *
 * From the build: FUZZ_FOLDER, where the targets are; IMPINGE_SOURCE, where the corpus is.
 */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "fuzz/commands.h"
#include "public_calls.h"

#define SECONDS "60"

static void check(const char *target) {
    char command[2048];
    snprintf(command, sizeof command,
             "'" FUZZ_FOLDER "/fuzz_%s' " SECONDS " '" IMPINGE_SOURCE "/tests/fuzz/corpus/%s' 2>&1",
             target, target);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    char output[8192];
    const size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    const int status = pclose(pipe);
    cr_expect(status == 0, "%s: status %d\n%s", target, status, output);
    cr_expect(strstr(output, "fuzz: ") != NULL, "%s", output);
}

static void expect_first(const char *folder, const char *name, size_t byte) {
    char path[512];
    snprintf(path, sizeof path, IMPINGE_SOURCE "/tests/fuzz/corpus/%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    cr_expect_eq(getc(file), (int)byte, "%s", path);
    fclose(file);
}

/* The first byte of an input chooses the call: a call that is put before others takes theirs. */
Test(fuzz, corpus_is_named_after_its_calls) {
    for (size_t i = 0; i < public_call_count; i++)
        expect_first("calls", public_calls[i].name + strlen("impinge_"), i);
}

Test(fuzz, corpus_is_named_after_its_commands) {
    for (size_t i = 0; i < COMMANDS; i++)
        expect_first("options", command_names[i], i);
}

Test(fuzz, calls, .timeout = 240) { check("calls"); }

Test(fuzz, csv, .timeout = 240) { check("csv"); }

Test(fuzz, lammps, .timeout = 240) { check("lammps"); }

Test(fuzz, checkpoint, .timeout = 240) { check("checkpoint"); }

#ifdef HAVE_HDF5
Test(fuzz, hdf5, .timeout = 240) { check("hdf5"); }
#endif

Test(fuzz, options, .timeout = 240) { check("options"); }
