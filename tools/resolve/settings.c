#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "lammps.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/target.h"
#include "support/team.h"

void settings_print_coefficients(void) {
    puts(
        "Coefficients, each a column, or an option for all contacts of a file without the column:");
    coefficient_print_list();
}

csv_file *settings_open(const settings *by, const hdf5_input **typed) {
    if (!by->atoms) return table_open(by->input, typed);
    *typed = NULL;
    return csv_open_input(lammps_open(by->input, by->atoms));
}

const char settings_help[] =
    "      --atoms FILE        IN is a dump local of LAMMPS with the ids of touching pairs, and "
    "FILE\n"
    "                          a dump custom of the same steps: id x y z radius mass vx vy vz\n"
    "                          omegax omegay omegaz; they are read as sphere pairs\n"
    "      --restitution-above-one  allow that; the outcome says what it makes of the energy\n"
    "      --limit-impulse-ratios   scale ratios beyond friction's or energy's bound back to it\n"
    "      --resolve-jams      a grazing contact that friction presses together is a collision\n"
    "      --precision P       f32 (the default) or f64, of input, arithmetic and output\n"
    "      --tolerance X       of routh: largest error of a velocity, relative to that before;\n"
    "                          1e-6 (f32) or 1e-12 (f64) if left out, 0.01 at most\n"
    "      --target T          the instruction set, see impinge targets; same bits on all\n"
    "      --threads N         same bits for any number; 1 if left out\n";

/* The options that are names or numbers, as given. */
typedef struct words {
    const char *precision, *tolerance, *target, *threads;
} words;

static double tolerance_required(const char *given) {
    if (!given) return 0; /* the library's own for the precision */
    double tolerance = number_required("--tolerance", given, PRECISION_F64);
    if (!(tolerance > 0 && tolerance <= 0.01))
        fail("--tolerance: '%s' is not above 0 and at most 0.01", given);
    return tolerance;
}

static void understand(const words *given, settings *to) {
    static const char *const precisions[] = {"f32", "f64"};
    to->options.tolerance = tolerance_required(given->tolerance);
    to->options.restitution_above_one = to->coefficients.restitution_above_one;
    to->precision = (precision)choice_required("--precision", given->precision, precisions, 2);
    to->threads = (size_t)whole_required("--threads", given->threads, 1, TEAM_THREADS_MAX);
    to->target = target_required(given->target);
}

/* More than all commands together have. */
enum { OPTIONS_MAX = 32 };

settings settings_read(const char *command, char *const *arguments, const argument_option *own,
                       size_t own_count) {
    words given = {.precision = "f32", .threads = "1"};
    settings to = {0};
    const argument_option common[] = {
        {"--restitution-above-one", NULL, NULL, &to.coefficients.restitution_above_one},
        {"--limit-impulse-ratios", NULL, NULL, &to.options.limit_impulse_ratios},
        {"--resolve-jams", NULL, NULL, &to.options.resolve_jams},
        {"--atoms", NULL, &to.atoms, NULL},
        {"--precision", NULL, &given.precision, NULL},
        {"--tolerance", NULL, &given.tolerance, NULL},
        {"--target", NULL, &given.target, NULL},
        {"--threads", NULL, &given.threads, NULL},
        {"--help", "-h", NULL, &to.help}};
    enum { COMMON = sizeof common / sizeof *common };
    argument_option options[OPTIONS_MAX];
    memcpy(options, common, sizeof common);
    memcpy(options + COMMON, own, own_count * sizeof *own);
    size_t count = COMMON + own_count;
    for (size_t i = 0; i < COEFFICIENTS; i++)
        options[count++] = (argument_option){coefficient_option((enum coefficient)i), NULL,
                                             &to.coefficients.texts[i], NULL};
    arguments_read(command, arguments, options, count, &to.input, 1);
    if (to.help) return to;
    if (!to.input) fail("which file? see %s --help", command);
    understand(&given, &to);
    return to;
}
