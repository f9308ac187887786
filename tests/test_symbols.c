/*
 * The symbols that the library's objects define and need. A kernel's object has one symbol, its
 * table: all else in it is compiled for one target, and the linker must not take it for another's
 * code.
 *
 * From the build: IMPINGE_LIBRARY and IMPINGE_SHARED_LIBRARY, the library of either kind;
 * IMPINGE_TARGETS, how many are built; IMPINGE_SOURCE, the folder of the sources.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

/* One symbol of one object of the archive. Objects have numbers: their names repeat. */
typedef struct symbol {
    size_t object;
    char name[128];
    char kind; /* as nm's: U and w are needed, all else is defined */
} symbol;

#define SYMBOLS_MAX 2048

#define STATIC_SYMBOLS   "nm -P -g '" IMPINGE_LIBRARY "'"
#define EXPORTED_SYMBOLS "nm -P -D --defined-only '" IMPINGE_SHARED_LIBRARY "'"

static symbol symbols[SYMBOLS_MAX];
static size_t symbol_count, object_count;

static void read_symbols(const char *command) {
    symbol_count = object_count = 0;
    if (system("command -v nm >/dev/null") != 0) {
        cr_skip_test("nm: skipped, not installed");
    }
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    char line[1024];
    while (fgets(line, sizeof line, pipe) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const size_t length = strlen(line);
        if (length == 0) {
            continue;
        }
        if (line[length - 1] == ':') { /* library[object]: */
            ++object_count;
            continue;
        }
        symbol *s = &symbols[symbol_count];
        s->object = object_count;
        cr_assert(sscanf(line, "%127s %c", s->name, &s->kind) == 2, "%s", line);
        cr_assert(++symbol_count < SYMBOLS_MAX);
    }
    cr_assert(pclose(pipe) == 0);
    cr_assert(symbol_count > 0);
}

static bool is_defined(const symbol *s) { return s->kind != 'U' && s->kind != 'w'; }

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* The compiler's own: of a sanitizer, a stack protector, an arithmetic helper. */
static bool is_of_compiler(const symbol *s) { return starts_with(s->name, "_"); }

#define KERNELS "impinge_kernels_"

/* A target has several objects for each precision: a table, and those that it points to. */
static const char *const parts[] = {"impinge_kernels_body_rest_",     "impinge_kernels_closed_",
                                    "impinge_kernels_mechanisms_",    "impinge_kernels_neighbours_",
                                    "impinge_kernels_particle_step_", "impinge_kernels_particles_",
                                    "impinge_kernels_routh_"};
#define PARTS   (sizeof parts / sizeof *parts)
#define OBJECTS ((1 + PARTS) * 2 * (size_t)IMPINGE_TARGETS)

static bool is_kernel(const symbol *s) { return is_defined(s) && starts_with(s->name, KERNELS); }

/* The target and precision at the end of a kernel's name. */
static const char *target_of(const char *kernel) {
    for (size_t i = 0; i < PARTS; ++i) {
        if (starts_with(kernel, parts[i])) return kernel + strlen(parts[i]);
    }
    return kernel + strlen(KERNELS);
}

/* True if `needed` is a part of the same target and precision as another kernel. */
static bool is_part_of(const char *needed, const char *kernel) {
    return starts_with(needed, KERNELS) && target_of(needed) != needed + strlen(KERNELS) &&
           strcmp(target_of(needed), target_of(kernel)) == 0;
}

Test(symbols, all_are_ours) {
    read_symbols(STATIC_SYMBOLS);
    for (const symbol *s = symbols; s < symbols + symbol_count; ++s) {
        cr_expect(!is_defined(s) || is_of_compiler(s) || starts_with(s->name, "impinge_"),
                  "object %zu defines %s", s->object, s->name);
    }
}

Test(symbols, one_per_kernel_object) {
    read_symbols(STATIC_SYMBOLS);
    size_t tables = 0;
    for (const symbol *table = symbols; table < symbols + symbol_count; ++table) {
        if (!is_kernel(table)) {
            continue;
        }
        ++tables;
        for (const symbol *s = symbols; s < symbols + symbol_count; ++s) {
            cr_expect(s == table || s->object != table->object || !is_defined(s) ||
                          is_of_compiler(s),
                      "%s is not alone: its object defines %s", table->name, s->name);
        }
    }
    cr_expect(tables == OBJECTS, "%zu objects of %d targets", tables, IMPINGE_TARGETS);
}

/*
 * No allocation, no input or output, no state of others: only these of the C library, and SLEEF's
 * powers of the same bits.
 */
Test(symbols, kernels_need_only_arithmetic) {
    static const char *const allowed[] = {"fma",    "fmaf",    "sqrt",  "sqrtf",
                                          "memcpy", "memmove", "memset"};
    read_symbols(STATIC_SYMBOLS);
    for (const symbol *table = symbols; table < symbols + symbol_count; ++table) {
        if (!is_kernel(table)) {
            continue;
        }
        for (const symbol *s = symbols; s < symbols + symbol_count; ++s) {
            if (s->object != table->object || is_defined(s) || is_of_compiler(s)) {
                continue;
            }
            bool found = is_part_of(s->name, table->name) || starts_with(s->name, "Sleef_finz_pow");
            for (size_t i = 0; i < sizeof allowed / sizeof *allowed; ++i) {
                found |= strcmp(s->name, allowed[i]) == 0;
            }
            cr_expect(found, "%s needs %s", table->name, s->name);
        }
    }
}

/* ---- The shared library ---- */

#define PUBLIC_MAX 256

static char publics[PUBLIC_MAX][128];
static size_t public_count;

static char *text_of(const char *path) {
    FILE *f = fopen(path, "r");
    cr_assert(f != NULL, "%s", path);
    char *text = calloc(1, 1 << 20);
    cr_assert(text != NULL);
    cr_assert(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The name after each IMPINGE_API: the word before the first parenthesis. */
static void read_publics(const char *path) {
    char *text = text_of(path);
    for (const char *at = strstr(text, "\nIMPINGE_API "); at;
         at = strstr(at + 1, "\nIMPINGE_API ")) {
        const char *end = strchr(at, '(');
        cr_assert(end != NULL);
        const char *start = end;
        while (isalnum((unsigned char)start[-1]) || start[-1] == '_') {
            --start;
        }
        cr_assert(public_count < PUBLIC_MAX);
        snprintf(publics[public_count++], sizeof *publics, "%.*s", (int)(end - start), start);
    }
    free(text);
}

static void read_headers(void) {
    DIR *dir = opendir(IMPINGE_SOURCE "/include/impinge");
    cr_assert(dir != NULL);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/include/impinge/%s", IMPINGE_SOURCE, entry->d_name);
        if (entry->d_name[0] != '.') {
            read_publics(path);
        }
    }
    closedir(dir);
}

static bool is_public(const char *name) {
    for (size_t i = 0; i < public_count; ++i) {
        if (strcmp(publics[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_exported(const char *name) {
    for (size_t i = 0; i < symbol_count; ++i) {
        if (strcmp(symbols[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

Test(symbols, exports_are_the_public_names) {
    read_headers();
    read_symbols(EXPORTED_SYMBOLS);
    cr_expect(public_count > 40, "%zu public names", public_count);
    for (size_t i = 0; i < symbol_count; ++i) {
        cr_expect(is_public(symbols[i].name), "%s is exported, and not public", symbols[i].name);
    }
    for (size_t i = 0; i < public_count; ++i) {
        cr_expect(is_exported(publics[i]), "%s is public, and not exported", publics[i]);
    }
}
