/* The example simulate: its motion, its files, and that every run gives the same bits. */
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "printed.h"

/* ---- Running it, in a folder of the test's own ---- */

enum { LINE_SIZE = 1024, SAID_MAX = 1 << 16 };

typedef struct run {
    char text[SAID_MAX]; /* on standard output and standard error */
    int code;
} run;

static char folder[] = "/tmp/impinge-simulate-XXXXXX";

static void enter_folder(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    unsetenv("IMPINGE_TARGET");
}

static void leave_folder(void) {
    DIR *listing = opendir(".");
    for (struct dirent *entry; (entry = readdir(listing));)
        if (entry->d_name[0] != '.') remove(entry->d_name);
    closedir(listing);
    cr_expect_eq(chdir("/"), 0);
    rmdir(folder);
}

TestSuite(example_simulate, .init = enter_folder, .fini = leave_folder, .timeout = 120);

static run run_line(const char *arguments) {
    static run of;
    char line[2 * LINE_SIZE];
    snprintf(line, sizeof line, "'%s' %s 2>&1", IMPINGE_EXAMPLES "/simulate", arguments);
    FILE *from = popen(line, "r");
    cr_assert_not_null(from);
    of.text[fread(of.text, 1, SAID_MAX - 1, from)] = '\0';
    const int status = pclose(from);
    of.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return of;
}

__attribute__((format(printf, 1, 2))) static run simulate(const char *format, ...) {
    char arguments[LINE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(arguments, sizeof arguments, format, values);
    va_end(values);
    run of = run_line(arguments);
    cr_assert_eq(of.code, 0, "%s: exit code %d: %s", arguments, of.code, of.text);
    return of;
}

/* One line, with these words in it, and exit code 2. */
static void expect_failure(const char *arguments, const char *words) {
    const run of = run_line(arguments);
    const char *end = strchr(of.text, '\n');
    cr_expect_eq(of.code, 2, "%s: exit code %d: %s", arguments, of.code, of.text);
    cr_expect(end && !end[1], "%s: not one line: %s", arguments, of.text);
    cr_expect_not_null(strstr(of.text, words), "%s: %s", arguments, of.text);
}

typedef struct bytes {
    char *start; /* with a zero after them; to be freed */
    size_t size;
} bytes;

static bytes read_file(const char *path) {
    FILE *stream = fopen(path, "rb");
    cr_assert_not_null(stream, "%s is not there", path);
    cr_assert_eq(fseek(stream, 0, SEEK_END), 0);
    bytes all = {.size = (size_t)ftell(stream)};
    rewind(stream);
    all.start = malloc(all.size + 1);
    cr_assert_eq(fread(all.start, 1, all.size, stream), all.size);
    all.start[all.size] = '\0';
    fclose(stream);
    return all;
}

static void write_file(const char *path, const char *start, size_t size) {
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    cr_assert_eq(fwrite(start, 1, size, stream), size);
    cr_assert_eq(fclose(stream), 0);
}

static bool same_files(const char *a, const char *b) {
    const bytes first = read_file(a);
    const bytes second = read_file(b);
    const bool same =
        first.size == second.size && memcmp(first.start, second.start, first.size) == 0;
    free(first.start);
    free(second.start);
    return same;
}

/* ---- The series ---- */

enum { STEP, TIME, TRANSLATION, ROTATION, POTENTIAL, TEMPERATURE, COLLISIONS, MOMENTUM };
/* The last one is of the gas only. */
enum { FASTEST = MOMENTUM + 3, OVERLAP, HAFF, COLUMNS };

typedef struct table {
    double (*rows)[COLUMNS]; /* to be freed */
    size_t count;
} table;

static table read_series(const char *path) {
    enum { ROWS_MAX = 20000 };
    table of = {.rows = malloc(ROWS_MAX * sizeof *of.rows)};
    const bytes file = read_file(path);
    const char *at = strchr(file.start, '\n');
    cr_assert(at != NULL && strncmp(file.start, "step,time,translation,", 22) == 0);
    const size_t columns = strncmp(at - 4, "haff", 4) == 0 ? COLUMNS : COLUMNS - 1;
    for (at++; *at; of.count++) {
        cr_assert_lt(of.count, ROWS_MAX);
        for (size_t i = 0; i < columns; i++) {
            char *end;
            of.rows[of.count][i] = strtod(at, &end);
            cr_assert(end > at && *end == (i + 1 < columns ? ',' : '\n'), "row %zu", of.count);
            cr_assert(isfinite(of.rows[of.count][i]), "row %zu, column %zu", of.count, i);
            at = end + 1;
        }
    }
    free(file.start);
    cr_assert_gt(of.count, 0);
    return of;
}

/* ---- LAMMPS's dumps ---- */

enum { X, Y, Z, RADIUS, MASS, VX, VY, VZ, OMEGA_X, FIELDS = OMEGA_X + 3 };

typedef struct dump {
    unsigned long step;
    size_t count;
    double size[3];
    double (*particles)[FIELDS]; /* by id from 1; to be freed */
} dump;

/* The next line, which is then at *at. */
static const char *next_line(const char **at) {
    const char *line = *at;
    const char *end = strchr(line, '\n');
    cr_assert_not_null(end, "the file ends too early");
    *at = end + 1;
    return line;
}

static void expect_line(const char **at, const char *wanted) {
    const char *line = next_line(at);
    cr_assert(strncmp(line, wanted, strlen(wanted)) == 0, "'%.60s' is not '%s'", line, wanted);
}

/* Numbers up to the end of a line. */
static void read_numbers(const char **at, double *numbers, size_t count) {
    const char *line = next_line(at);
    for (size_t i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(line, &end);
        cr_assert(end > line && isfinite(numbers[i]), "'%.80s': number %zu", line, i);
        line = end;
    }
    cr_assert_eq(line + 1, *at, "more than %zu numbers", count);
}

static dump read_dump(const char *path, const char *boundary) {
    const bytes file = read_file(path);
    const char *at = file.start;
    dump of;
    double number[FIELDS + 1];
    expect_line(&at, "ITEM: TIMESTEP\n");
    read_numbers(&at, number, 1);
    of.step = (unsigned long)number[0];
    expect_line(&at, "ITEM: NUMBER OF ATOMS\n");
    read_numbers(&at, number, 1);
    of.count = (size_t)number[0];
    expect_line(&at, boundary);
    for (size_t axis = 0; axis < 3; axis++) {
        read_numbers(&at, number, 2);
        cr_expect_eq(number[0], 0);
        of.size[axis] = number[1];
    }
    expect_line(&at, "ITEM: ATOMS id x y z radius mass vx vy vz omegax omegay omegaz\n");
    of.particles = malloc(of.count * sizeof *of.particles);
    for (size_t i = 0; i < of.count; i++) {
        read_numbers(&at, number, FIELDS + 1);
        cr_assert_eq((size_t)number[0], i + 1, "id %g in row %zu", number[0], i);
        memcpy(of.particles[i], number + 1, sizeof of.particles[i]);
    }
    cr_expect_eq(*at, '\0');
    free(file.start);
    return of;
}

static double dumped_energy(const dump *of) {
    double sum = 0;
    for (size_t i = 0; i < of->count; i++) {
        const double *p = of->particles[i];
        sum += 0.5 * p[MASS] * (p[VX] * p[VX] + p[VY] * p[VY] + p[VZ] * p[VZ]);
    }
    return sum;
}

/* ---- The gas ---- */

/*
 * 4000 spheres that collide 20 times each are 40000 collisions. What one dissipates goes as the
 * square of the approach, which is exponentially distributed: its standard deviation is its mean;
 * and the number of collisions is that of a random process. So tau has an error of (2/40000)^(1/2)
 * = 0.7 %, of which four are allowed, around what the step of 0.01 does by
 * examples/simulate/scene.h, 1.77 %. (e is near 1, since velocities of inelastic spheres become
 * correlated, which kinetic theory leaves out: at this density by 1.5 % of tau with e = 0.9,
 * measured, and by 0.2 % with 0.95.)
 */
Test(example_simulate, gas_cools_by_haffs_law) {
    const run of = simulate("gas --particles 4000 --packing 0.1 --restitution 0.95 --step 0.01 "
                            "--collisions 20 --threads 2 --csv gas.csv");
    cr_expect_float_eq(number_after(of.text, "; ratio ", 0), 1.0177, 4 * 0.007 + 0.002, "%s",
                       of.text);
    /* tau and chi of the theory, by hand: chi = 0.95 / 0.9^3; omega = 24 phi chi / pi^(1/2). */
    const double chi = 0.95 / (0.9 * 0.9 * 0.9);
    const double omega = 24 * 0.1 * chi / sqrt(3.14159265358979);
    const double a2 = 16 * 0.05 * (1 - 2 * 0.9025) / (81 - 17 * 0.95 + 30 * 0.9025 * 0.05);
    const double tau = 6 / ((1 - 0.9025) * omega * (1 + 3.0 / 16 * a2));
    cr_expect_float_eq(number_after(of.text, "chi ", 0), chi, 1e-5);
    cr_expect_float_eq(number_after(of.text, "per sphere), ", 0), tau, 1e-3);
    table series = read_series("gas.csv");
    const double *first = series.rows[0];
    cr_expect_float_eq(first[TEMPERATURE], 1, 1e-12);
    cr_expect_eq(first[TIME], 0);
    const double *last = series.rows[series.count - 1];
    cr_expect_geq(last[COLLISIONS], 19);
    const double cooled = 1 + last[TIME] / tau;
    cr_expect_float_eq(last[HAFF] * cooled * cooled, 1, 1e-9);
    free(series.rows);
}

/*
 * In a dense gas of very inelastic spheres many collide with several others in one step. Energies
 * are sums of 600 terms whose rounding is below 600 units.
 */
Test(example_simulate, gas_never_gains_energy_and_keeps_its_momentum) {
    static const char *const laws[] = {"frictionless", "bilinear", "chatterjee-ruina", "routh"};
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
        simulate("gas --particles 600 --packing 0.3 --restitution 0.5 --equilibrate 3 --law %s "
                 "--friction 0.3 --steps 1500 --step 0.02 --sample-every 1 --csv gas.csv",
                 laws[law]);
        table series = read_series("gas.csv");
        cr_assert_eq(series.count, 1501);
        for (size_t i = 1; i < series.count; i++) {
            const double *before = series.rows[i - 1];
            const double *now = series.rows[i];
            const double energy = now[TRANSLATION] + now[ROTATION];
            const double energy_before = before[TRANSLATION] + before[ROTATION];
            cr_assert_leq(energy, energy_before * (1 + 600 * 0x1p-52), "%s, step %zu", laws[law],
                          i);
        }
        const double *last = series.rows[series.count - 1];
        cr_expect_lt(last[TRANSLATION], 0.5 * series.rows[0][TRANSLATION]);
        /* Each impact rounds the velocities of two spheres of mass 1. */
        const double impacts = 600 * last[COLLISIONS] / 2;
        const double bound = 0x1p-52 * (4 * impacts + 600) * series.rows[0][FASTEST];
        for (size_t axis = 0; axis < 3; axis++)
            cr_expect_leq(fabs(last[MOMENTUM + axis]), bound, "%s", laws[law]);
        free(series.rows);
    }
}

/* Elastic spheres keep their energy: each impact rounds it, by 8 units of a pair's at most. */
Test(example_simulate, elastic_gas_keeps_its_energy) {
    simulate("gas --particles 600 --packing 0.2 --restitution 1 --steps 1000 --step 0.02 "
             "--csv gas.csv");
    table series = read_series("gas.csv");
    const double *first = series.rows[0];
    const double *last = series.rows[series.count - 1];
    cr_expect_gt(last[COLLISIONS], 10);
    const double rounding = 8 * 0x1p-52 * last[COLLISIONS] + 600 * 0x1p-52;
    cr_expect_float_eq(last[TRANSLATION] / first[TRANSLATION], 1, rounding);
    free(series.rows);
}

/*
 * Pairs that touch for the first time bounce as if there were no projection. 1000 spheres collide
 * 2500 times; each loses 5 % of the energy on average and as a standard deviation, both runs apart:
 * (2/2500)^(1/2) of the quarter that is lost is 0.7 % of it; four times that.
 */
Test(example_simulate, projection_does_not_change_how_spheres_bounce) {
    static const char *const factors[] = {"0", "0.2"};
    double cooled[2];
    for (size_t i = 0; i < 2; i++) {
        simulate("gas --particles 1000 --step 0.02 --collisions 5 --projection %s --csv gas.csv "
                 "--sample-every 1",
                 factors[i]);
        table series = read_series("gas.csv");
        cooled[i] = series.rows[series.count - 1][TEMPERATURE];
        free(series.rows);
    }
    cr_expect_float_eq(cooled[1] / cooled[0], 1, 0.028, "%g and %g", cooled[0], cooled[1]);
}

/* ---- The pour ---- */

/* The deepest overlap of two spheres, in mean diameters. */
static double deepest(const dump *of) {
    double most = 0;
    for (size_t i = 0; i < of->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double *a = of->particles[i];
            const double *b = of->particles[j];
            const double apart =
                sqrt((a[X] - b[X]) * (a[X] - b[X]) + (a[Y] - b[Y]) * (a[Y] - b[Y]) +
                     (a[Z] - b[Z]) * (a[Z] - b[Z]));
            most = fmax(most, (a[RADIUS] + b[RADIUS] - apart) / 0.01);
        }
    }
    return most;
}

/*
 * It falls, loses its energy, and lies there: what still moves is 1e-5 of the kinetic energy of the
 * fall at most, the heap sinks no more, and spheres overlap by the slop of 1 % of the smallest
 * radius and a little.
 */
Test(example_simulate, pour_comes_to_rest) {
    const run of = simulate("pour --particles 1000 --time 1.5 --threads 2 --csv pour.csv "
                            "--dump pour.dump");
    table series = read_series("pour.csv");
    double most = 0;
    for (size_t i = 0; i < series.count; i++)
        most = fmax(most, series.rows[i][TRANSLATION]);
    const double *first = series.rows[0];
    const double *last = series.rows[series.count - 1];
    cr_expect_gt(most, 0.3 * first[POTENTIAL]);
    cr_expect_lt(last[TRANSLATION] + last[ROTATION], 1e-5 * most, "%s", of.text);
    const double *before = series.rows[series.count * 9 / 10];
    cr_expect_float_eq(last[POTENTIAL] / before[POTENTIAL], 1, 1e-5, "%s", of.text);
    cr_expect_gt(last[OVERLAP], 0);
    cr_expect_lt(last[OVERLAP], 0.012 * 0.0045, "%s", of.text);
    cr_expect_lt(last[POTENTIAL], 0.2 * first[POTENTIAL]);
    dump end = read_dump("pour.dump", "ITEM: BOX BOUNDS ff ff ff\n");
    cr_expect_eq(end.count, 1000);
    cr_expect_lt(deepest(&end), 0.05, "%g", deepest(&end));
    for (size_t i = 0; i < end.count; i++) {
        const double *p = end.particles[i];
        const double inside = 0.98 * p[RADIUS];
        cr_expect(p[X] > inside && p[X] < end.size[0] - inside, "sphere %zu: x %g", i, p[X]);
        cr_expect(p[Y] > inside && p[Y] < end.size[1] - inside, "sphere %zu: y %g", i, p[Y]);
        cr_expect(p[Z] > inside, "sphere %zu: z %g", i, p[Z]);
        cr_expect_float_eq(p[MASS], 2500 * 4 / 3.0 * 3.14159265358979 * pow(p[RADIUS], 3), 1e-9);
        cr_expect(p[RADIUS] >= 0.0045 && p[RADIUS] <= 0.0055);
    }
    free(end.particles);
    free(series.rows);
}

/* In a step of 0.01 s spheres go ten radii: through a wall, if it did not look at its sides. */
Test(example_simulate, nothing_tunnels_with_large_steps) {
    simulate("pour --particles 400 --time 0.8 --step 0.01 --dump pour-*.dump --dump-every 1");
    for (unsigned long step = 0; step <= 80; step++) {
        char path[64];
        snprintf(path, sizeof path, "pour-%010lu.dump", step);
        dump at = read_dump(path, "ITEM: BOX BOUNDS ff ff ff\n");
        cr_expect_eq(at.step, step);
        for (size_t i = 0; i < at.count; i++) {
            const double *p = at.particles[i];
            cr_assert(p[X] >= 0 && p[X] <= at.size[0] * (1 + 1e-8), "%s: x %g", path, p[X]);
            cr_assert(p[Y] >= 0 && p[Y] <= at.size[1] * (1 + 1e-8), "%s: y %g", path, p[Y]);
            cr_assert(p[Z] >= 0, "%s: z %g", path, p[Z]);
        }
        free(at.particles);
    }
}

/* One sphere on the floor: it bounces with e, and then falls again. */
Test(example_simulate, single_sphere_bounces_with_its_restitution) {
    simulate("pour --particles 1 --restitution 0.8 --friction 0 --step 1e-4 --time 0.3 "
             "--sample-every 1 --csv pour.csv");
    table series = read_series("pour.csv");
    size_t impact = 1;
    while (impact < series.count &&
           series.rows[impact][TRANSLATION] > 0.7 * series.rows[impact - 1][TRANSLATION])
        impact++;
    cr_assert_lt(impact, series.count);
    /*
     * In the step of the impact the speed first grows by g h, then it is turned; the horizontal
     * speed, below 4 % of that of the fall, stays: its energy is below 0.2 % of the fall's.
     */
    const double before = series.rows[impact - 1][FASTEST];
    const double after = series.rows[impact][FASTEST];
    cr_expect_float_eq(after / before, 0.8, 0.8 * 9.81e-4 / before + 1e-3);
    free(series.rows);
}

/* ---- The same bits ---- */

static const char *const scenes[] = {
    "gas --particles 11000 --steps 40 --step 0.01 --equilibrate 0.1",
    "gas --particles 700 --steps 300 --step 0.02 --law bilinear --friction 0.2 --packing 0.3 "
    "--precision f32",
    "pour --particles 500 --steps 2200", "pour --particles 500 --steps 2200 --precision f32"};
enum { SCENES = sizeof scenes / sizeof *scenes };

Test(example_simulate, threads_do_not_change_a_bit) {
    for (size_t i = 0; i < SCENES; i++) {
        simulate("%s --checkpoint one.bin --csv one.csv", scenes[i]);
        simulate("%s --threads 3 --checkpoint three.bin --csv three.csv", scenes[i]);
        cr_expect(same_files("one.bin", "three.bin"), "%s", scenes[i]);
        cr_expect(same_files("one.csv", "three.csv"), "%s", scenes[i]);
    }
}

Test(example_simulate, targets_do_not_change_a_bit) {
    static const char *const targets[] = {"avx2", "avx512", "neon"};
    for (size_t i = 0; i < SCENES; i++) {
        simulate("%s --target scalar --checkpoint scalar.bin", scenes[i]);
        for (size_t j = 0; j < sizeof targets / sizeof *targets; j++) {
            char line[LINE_SIZE];
            snprintf(line, sizeof line, "%s --target %s --checkpoint other.bin", scenes[i],
                     targets[j]);
            const run of = run_line(line);
            if (of.code == 2 && strstr(of.text, "does not have it")) continue;
            cr_assert_eq(of.code, 0, "%s: %s", line, of.text);
            cr_expect(same_files("scalar.bin", "other.bin"), "%s: %s", scenes[i], targets[j]);
        }
    }
}

Test(example_simulate, restart_continues_to_the_same_bits) {
    static const char *const shorter[SCENES] = {"--steps 21", "--steps 101", "--steps 1501",
                                                "--steps 0"};
    static const char *const whole[SCENES] = {"--steps 40", "--steps 300", "--steps 2200",
                                              "--steps 2200"};
    for (size_t i = 0; i < SCENES; i++) {
        simulate("%s --checkpoint whole.bin --csv whole.csv --dump whole.dump", scenes[i]);
        /* The last of an option counts. */
        simulate("%s %s --checkpoint part.bin", scenes[i], shorter[i]);
        cr_expect(!same_files("whole.bin", "part.bin"), "%s", scenes[i]);
        simulate("--restart part.bin %s --threads 2 --checkpoint rest.bin --csv rest.csv "
                 "--dump rest.dump",
                 whole[i]);
        cr_expect(same_files("whole.bin", "rest.bin"), "%s", scenes[i]);
        cr_expect(same_files("whole.csv", "rest.csv"), "%s", scenes[i]);
        cr_expect(same_files("whole.dump", "rest.dump"), "%s", scenes[i]);
        /* Without a step it is the same file again. */
        simulate("--restart part.bin --steps 0 --checkpoint again.bin");
        cr_expect(same_files("part.bin", "again.bin"), "%s", scenes[i]);
    }
}

Test(example_simulate, checkpoints_on_the_way_change_nothing) {
    simulate("gas --particles 400 --steps 50 --checkpoint plain.bin");
    simulate("gas --particles 400 --steps 50 --checkpoint often.bin --checkpoint-every 7");
    cr_expect(same_files("plain.bin", "often.bin"));
}

/* A pipe has no length before its end. */
Test(example_simulate, a_checkpoint_may_come_through_a_pipe) {
    simulate("gas --particles 400 --steps 50 --checkpoint plain.bin");
    cr_assert_eq(mkfifo("pipe.bin", 0600), 0);
    cr_assert_eq(system("cat plain.bin >pipe.bin &"), 0);
    simulate("--restart pipe.bin --steps 0 --checkpoint again.bin");
    cr_expect(same_files("plain.bin", "again.bin"));
}

Test(example_simulate, a_restart_past_the_end_says_so) {
    simulate("gas --particles 400 --steps 50 --checkpoint end.bin");
    const run of = simulate("--restart end.bin --steps 40");
    cr_expect_not_null(strstr(of.text, "end.bin is at step 50"), "%s", of.text);
    const run on = simulate("--restart end.bin --steps 60");
    cr_expect_null(strstr(on.text, "is at step"), "%s", on.text);
}

/* ---- Damaged checkpoints ---- */

static void expect_damage(const char *start, size_t size, const char *words) {
    write_file("damaged.bin", start, size);
    expect_failure("--restart damaged.bin --steps 10", words);
}

/* Runs a few steps with a library before the C library's (tests/preload/log_sync.c). */
static run simulate_logged(const char *environment) {
    /* Under a sanitizer its own library is not the first then. */
    char command[2 * LINE_SIZE];
    snprintf(command, sizeof command,
             "LD_PRELOAD='" LOG_SYNC "' LOG_SYNC=log ASAN_OPTIONS=verify_asan_link_order=0 %s '%s' "
             "pour --particles 20 --steps 4 --checkpoint-every 2 --checkpoint state 2>&1",
             environment, IMPINGE_EXAMPLES "/simulate");
    run of;
    FILE *from = popen(command, "r");
    cr_assert_not_null(from);
    of.text[fread(of.text, 1, SAID_MAX - 1, from)] = '\0';
    const int status = pclose(from);
    of.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return of;
}

/* All of a checkpoint is on the disk before it takes the place of the one before. */
Test(example_simulate, checkpoints_are_on_the_disk_before_they_are_renamed) {
    const run of = simulate_logged("");
    cr_assert_eq(of.code, 0, "%s", of.text);
    struct stat status;
    cr_assert_eq(stat("state", &status), 0);
    FILE *log = fopen("log", "r");
    cr_assert_not_null(log, "no call was seen");
    long long length;
    int written = 0;
    while (fscanf(log, "fsync %lld ", &length) == 1) {
        char name[64];
        cr_assert_eq(fscanf(log, "rename %63s ", name), 1, "a sync without a name");
        cr_expect_str_eq(name, "state");
        written++;
    }
    cr_expect(feof(log), "a name without a sync before it");
    fclose(log);
    cr_expect_geq(written, 2);
    cr_expect_eq(length, (long long)status.st_size, "synced before all was written");
}

/* A disk that fails leaves the older checkpoint, and no other file. */
Test(example_simulate, a_disk_that_fails_leaves_the_older_checkpoint) {
    FILE *old = fopen("state", "w");
    fputs("old", old);
    fclose(old);
    const run of = simulate_logged("FAIL_SYNC=1");
    cr_expect_eq(of.code, 2);
    cr_expect_not_null(strstr(of.text, "cannot write state"), "%s", of.text);
    char text[8] = "";
    old = fopen("state", "r");
    cr_assert_eq(fread(text, 1, sizeof text - 1, old), 3);
    fclose(old);
    cr_expect_str_eq(text, "old");
    cr_expect_eq(system("test -z \"$(ls -A | grep impinge)\""), 0);
}

Test(example_simulate, damaged_checkpoints_are_refused) {
    simulate("pour --particles 20 --steps 60 --checkpoint good.bin");
    bytes good = read_file("good.bin");
    /* Every part of the file, each byte of its header. */
    for (size_t i = 0; i < good.size; i += i < 64 ? 1 : 61) {
        good.start[i] ^= 0x10;
        expect_damage(good.start, good.size, i < 8 ? "no checkpoint" : "damaged.bin");
        good.start[i] ^= 0x10;
    }
    expect_damage(good.start, good.size - 1, "length");
    expect_damage(good.start, good.size - 8, "length");
    expect_damage(good.start, 40, "length");
    expect_damage(good.start, 7, "no checkpoint");
    expect_damage(good.start, 0, "no checkpoint");
    /* One byte or word too many. */
    char *longer = calloc(1, good.size + 8);
    memcpy(longer, good.start, good.size);
    expect_damage(longer, good.size + 1, "length");
    expect_damage(longer, good.size + 8, "length");
    free(longer);
    free(good.start);
    expect_failure("--restart absent.bin", "cannot read absent.bin");
    expect_failure("gas --restart good.bin", "good.bin is of a pour");
    expect_failure("--restart good.bin --friction 0.1", "--friction cannot be given with");
}

/* ---- Files for other programs ---- */

Test(example_simulate, dumps_hold_what_the_series_says) {
    simulate("gas --particles 300 --law bilinear --friction 0.5 --steps 40 --dump gas-*.lammpstrj "
             "--dump-every 20 --csv gas.csv");
    table series = read_series("gas.csv");
    static const unsigned long steps[] = {0, 20, 40};
    for (size_t i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "gas-%010lu.lammpstrj", steps[i]);
        dump of = read_dump(path, "ITEM: BOX BOUNDS pp pp pp\n");
        cr_expect_eq(of.step, steps[i]);
        cr_expect_eq(of.count, 300);
        /* Nine digits. */
        cr_expect_float_eq(dumped_energy(&of) / series.rows[i][TRANSLATION], 1, 1e-8);
        cr_expect_float_eq(of.size[0], cbrt(300 * 3.14159265358979 / 6 / 0.05), 1e-6);
        free(of.particles);
    }
    free(series.rows);
}

static void read_vectors(const char **at, const dump *like, size_t field) {
    for (size_t i = 0; i < like->count; i++) {
        double v[3];
        read_numbers(at, v, 3);
        for (size_t axis = 0; axis < 3; axis++)
            cr_expect_eq(v[axis], like->particles[i][field + axis], "particle %zu", i);
    }
}

Test(example_simulate, vtk_file_holds_what_the_dump_does) {
    simulate("pour --particles 200 --time 0.4 --dump end.dump --checkpoint end.bin");
    simulate("--restart end.bin --steps 0 --dump end.vtk");
    dump of = read_dump("end.dump", "ITEM: BOX BOUNDS ff ff ff\n");
    const bytes file = read_file("end.vtk");
    const char *at = file.start;
    expect_line(&at, "# vtk DataFile Version 3.0\n");
    expect_line(&at, "simulate pour");
    expect_line(&at, "ASCII\n");
    expect_line(&at, "DATASET POLYDATA\n");
    expect_line(&at, "POINTS 200 double\n");
    read_vectors(&at, &of, X);
    expect_line(&at, "VERTICES 200 400\n");
    for (size_t i = 0; i < 200; i++) {
        double vertex[2];
        read_numbers(&at, vertex, 2);
        cr_expect(vertex[0] == 1 && vertex[1] == (double)i);
    }
    expect_line(&at, "POINT_DATA 200\n");
    expect_line(&at, "SCALARS radius double 1\n");
    expect_line(&at, "LOOKUP_TABLE default\n");
    for (size_t i = 0; i < 200; i++) {
        double radius;
        read_numbers(&at, &radius, 1);
        cr_expect_eq(radius, of.particles[i][RADIUS]);
    }
    expect_line(&at, "SCALARS id int 1\n");
    expect_line(&at, "LOOKUP_TABLE default\n");
    for (size_t i = 0; i < 200; i++) {
        double id;
        read_numbers(&at, &id, 1);
        cr_expect_eq(id, (double)(i + 1));
    }
    expect_line(&at, "VECTORS velocity double\n");
    read_vectors(&at, &of, VX);
    expect_line(&at, "VECTORS angular_velocity double\n");
    read_vectors(&at, &of, OMEGA_X);
    cr_expect_eq(*at, '\0');
    free(file.start);
    free(of.particles);
}

/* ---- Usage ---- */

Test(example_simulate, help_is_printed) {
    const run of = simulate("--help");
    cr_expect(strncmp(of.text, "Usage: simulate pour", 20) == 0);
    static const char *const options[] = {
        "--checkpoint-every", "--restitution-model", "--dump", "--sample-every", "--csv",
        "--restart",          "--equilibrate",       "--fit",  "--target"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        cr_expect_not_null(strstr(of.text, options[i]), "%s", options[i]);
}

Test(example_simulate, wrong_usage_is_told) {
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "what? pour or gas"},
        {"rain", "there is no 'rain'; known: pour, gas"},
        {"gas --particles 0", "--particles: '0' is not a whole number"},
        {"gas --particles 1", "--particles: '1' is not a whole number from 2"},
        {"gas --particles 5", "the box is too small"},
        {"gas --particles x", "is not a number"},
        {"gas --restitution 1.5", "--restitution: '1.5'"},
        {"gas --step 0.5", "--step: '0.5'"},
        {"gas --packing 0.9", "--packing: '0.9'"},
        {"gas --law smith", "there is no 'smith'"},
        {"gas --restitution-model odd", "there is no 'odd'"},
        {"gas --restitution-model viscoelastic", "needs --dissipation-time"},
        {"gas --restitution-model elastoplastic", "needs --restitution-speed"},
        {"gas --restitution-speed 1", "is for --restitution-model threshold"},
        {"gas --young-modulus 1", "are for --restitution-model viscoelastic"},
        {"gas --projection 0.7", "--projection: '0.7'"},
        {"gas --threads 0", "--threads: '0'"},
        {"gas --target none", "there is no such target"},
        {"gas --dump gas.xyz", "ends in none of"},
        {"gas --dump gas.dump --dump-every 5", "needs a *"},
        {"gas --dump a*b*.dump", "more than one *"},
        {"gas --dump-every 5", "needs --dump"},
        {"gas --checkpoint-every 5", "needs --checkpoint"},
        {"gas --time -1", "--time: '-1' is not above 0"},
        {"gas --particles 300 --steps 1 --csv absent/gas.csv", "cannot write absent/gas.csv"},
        {"gas --csv a.csv --checkpoint ./a.csv", "--csv and --checkpoint both name"},
        {"pour --csv x.dump --dump x.dump", "--csv and --dump both name x.dump"},
        {"gas --particles 300 --equilibrate-steps 5", "of the 10 collisions per particle"},
        {"gas --unknown", "unknown option"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failure(cases[i].arguments, cases[i].words);
}

/* Slow spheres restitute more; so the gas cools more slowly than one with the first e. */
Test(example_simulate, restitution_models_run) {
    simulate("gas --particles 500 --packing 0.2 --step 0.02 --steps 500 --csv constant.csv");
    simulate("gas --particles 500 --packing 0.2 --step 0.02 --steps 500 --csv plastic.csv "
             "--restitution-model elastoplastic --restitution-speed 0.5");
    table constant = read_series("constant.csv");
    table plastic = read_series("plastic.csv");
    const double cooled = plastic.rows[plastic.count - 1][TEMPERATURE];
    cr_expect(cooled > 0.01 && cooled < 0.99, "%g", cooled);
    cr_expect_neq(cooled, constant.rows[constant.count - 1][TEMPERATURE]);
    free(constant.rows);
    free(plastic.rows);
}
