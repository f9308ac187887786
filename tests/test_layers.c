/*
 * The layout of the sources: the includes that each folder may have, one idiom for the two
 * precisions in the library, public headers whose halves are in step, one version. From the build:
 * IMPINGE_SOURCE, the folder of the sources.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <impinge/version.h>

/*
 * include <- kernels <- solve <- api; dispatch and query stand beside, on the kernels. What is
 * around the library stands on its public headers: the program, examples and scenes for all.
 */
static const struct {
    const char *folder;
    const char *may_include; /* folders beside its own */
    bool is_around;          /* not of the library */
} layers[] = {
    {"include", "", false},
    {"kernels", "include", false},
    {"solve", "include kernels", false},
    {"query", "include kernels", false},
    {"dispatch", "include kernels", false},
    {"api", "include kernels solve query dispatch", false},
    {"reference", "include", true},
    {"tools", "include reference", true},
    {"scenes", "include tools", true},
    {"examples", "include tools scenes", true},
};
enum { LAYERS = sizeof layers / sizeof *layers };

/* True if a file of a layer may include `path`, judged by its first folder. */
static bool may_include(size_t layer, const char *path) {
    const size_t length = strcspn(path, "/");
    for (size_t other = 0; other < LAYERS; ++other) {
        const char *const folder = layers[other].folder;
        if (strlen(folder) == length && strncmp(folder, path, length) == 0) {
            return other == layer || strstr(layers[layer].may_include, folder) != NULL;
        }
    }
    return false;
}

/* The path of what `from` (such as kernels/laws/smith.h) includes as "name", without its dots. */
static void resolve_path(const char *from, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s", from);
    char *end = strrchr(path, '/');
    for (; strncmp(name, "../", 3) == 0; name += 3) {
        *end = '\0';
        end = strrchr(path, '/');
        if (end == NULL) {
            end = path - 1;
        }
    }
    snprintf(end + 1, size - (size_t)(end + 1 - path), "%s", name);
}

/*
 * The file that `from` includes as "name": beside it, or in one of the folders that Meson gives
 * around the library.
 */
static bool find_included(size_t layer, const char *from, const char *name, char path[1024]) {
    static const char *const more[] = {"tools", "reference"};
    char whole[2048];
    resolve_path(from, name, path, 1024);
    snprintf(whole, sizeof whole, "%s/%s", IMPINGE_SOURCE, path);
    for (size_t i = 0; layers[layer].is_around && access(whole, F_OK) != 0; i++) {
        if (i == sizeof more / sizeof *more) return false;
        snprintf(path, 1024, "%s/%s", more[i], name);
        snprintf(whole, sizeof whole, "%s/%s", IMPINGE_SOURCE, path);
    }
    return access(whole, F_OK) == 0;
}

/* Checks one line of a file of a layer. Returns whether it includes a file of ours. */
static bool check_line(size_t layer, const char *file, const char *line) {
    char name[256];
    char path[1024];
    if (sscanf(line, " # include <impinge/%255[^>]>", name) == 1) {
        snprintf(path, sizeof path, "include/impinge/%s", name);
    } else if (sscanf(line, " # include \"%255[^\"]\"", name) == 1) {
        cr_expect(find_included(layer, file, name, path), "%s includes %s, which is not there",
                  file, name);
    } else {
        return false;
    }
    cr_expect(may_include(layer, path), "%s includes upward, or aside: %s", file, path);
    return true;
}

static size_t check_file(size_t layer, const char *file) {
    char path[1024];
    char line[1024];
    size_t includes = 0;
    const char *ending = strrchr(file, '.');
    cr_expect(layers[layer].is_around || ending == NULL || strcmp(ending, ".inc") != 0,
              "%s: sources are compiled for each precision, not included twice", file);
    snprintf(path, sizeof path, "%s/%s", IMPINGE_SOURCE, file);
    FILE *f = fopen(path, "r");
    cr_assert(f != NULL, "%s", path);
    while (fgets(line, sizeof line, f) != NULL) {
        includes += check_line(layer, file, line);
    }
    fclose(f);
    return includes;
}

/* Every file in a folder and those below it. Returns how many includes there were. */
static size_t check_folder(size_t layer, const char *folder) {
    char path[1024];
    size_t includes = 0;
    snprintf(path, sizeof path, "%s/%s", IMPINGE_SOURCE, folder);
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return check_file(layer, folder);
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        includes += check_folder(layer, path);
    }
    closedir(dir);
    return includes;
}

Test(layers, includes_go_downward) {
    for (size_t layer = 0; layer < LAYERS; ++layer) {
        const size_t includes = check_folder(layer, layers[layer].folder);
        cr_expect(includes > 0, "%s includes nothing", layers[layer].folder);
    }
}

/* ---- What the documents say of the tree ---- */

static const char *const documents[] = {"README.md",
                                        "CONTRIBUTING.md",
                                        "docs/architecture.md",
                                        "docs/adding-a-law.md",
                                        "docs/adding-a-target.md",
                                        "docs/impulses.md"};
/* Names that stand for others. */
static const char *const placeholders[] = {"include/impinge/X_f32.h", "kernels/lane/wide.h"};
static const char *const folders[] = {"api/",     "bench/",     "data/",    "dispatch/", "docs/",
                                      "engines/", "examples/",  "include/", "kernels/",  "python/",
                                      "query/",   "reference/", "scenes/",  "scripts/",  "solve/",
                                      "tests/",   "tools/"};

static bool is_path(const char *name) {
    const char *const letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        if (strcmp(name, placeholders[i]) == 0) return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return name[strspn(name, letters)] == '\0';
    return false;
}

/* Every path in backquotes, such as `kernels/table.h`, exists. Returns how many there are. */
static size_t check_paths(const char *document) {
    char path[1024], line[2048];
    size_t paths = 0;
    snprintf(path, sizeof path, "%s/%s", IMPINGE_SOURCE, document);
    FILE *const f = fopen(path, "r");
    cr_assert_not_null(f, "%s", path);
    while (fgets(line, sizeof line, f) != NULL) {
        char *end = line;
        for (char *word; (word = strchr(end, '`')) != NULL && (end = strchr(word + 1, '`'));) {
            *end++ = '\0';
            if (!is_path(++word)) continue;
            paths++;
            snprintf(path, sizeof path, "%s/%s", IMPINGE_SOURCE, word);
            cr_expect_eq(access(path, F_OK), 0, "%s names %s, which is not there", document, word);
        }
    }
    fclose(f);
    return paths;
}

Test(layers, documents_name_what_there_is) {
    size_t paths = 0;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        paths += check_paths(documents[i]);
    cr_expect_geq(paths, 50, "%zu", paths);
}

/* Meson refuses headers of another version than the project's; the change log begins with it. */
Test(layers, change_log_begins_with_the_version) {
    char line[1024], newest[64] = "", version[64];
    FILE *const changes = fopen(IMPINGE_SOURCE "/CHANGELOG.md", "r");
    cr_assert_not_null(changes);
    while (!*newest && fgets(line, sizeof line, changes))
        if (sscanf(line, "## %63s", newest) != 1) *newest = '\0';
    fclose(changes);
    snprintf(version, sizeof version, "%d.%d.%d", IMPINGE_VERSION_MAJOR, IMPINGE_VERSION_MINOR,
             IMPINGE_VERSION_PATCH);
    cr_expect_str_eq(newest, version);
}

/* The double-precision halves of the public headers are generated, and committed. */
Test(layers, halves_of_headers_are_in_step) {
    cr_expect(system("'" IMPINGE_SOURCE "/scripts/generate-headers' --check") == 0);
}

/* The plain runner, on which sanitizers and memory checkers run, has every macro that tests use. */
Test(layers, plain_runner_has_every_macro) {
    FILE *const used =
        popen("grep -rhoE '\\bcr_[a-z_]+\\(' '" IMPINGE_SOURCE "/tests' "
              "--include='test_*.c' --include='*.inc' --include='*_checks.c' | sort -u",
              "r");
    cr_assert_not_null(used);
    size_t macros = 0;
    for (char name[64]; fscanf(used, "%63[^(\n](%*[\n]", name) == 1; macros++) {
        char command[512];
        snprintf(command, sizeof command, "grep -q '#define %s(' '%s'", name,
                 IMPINGE_SOURCE "/tests/plain/criterion/criterion.h");
        cr_expect_eq(system(command), 0, "tests/plain has no %s", name);
    }
    pclose(used);
    cr_expect_geq(macros, 20, "%zu", macros);
}
