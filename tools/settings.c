#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "fail.h"
#include "parallel.h"
#include "target.h"

static const char help[] =
    "Usage: impinge resolve IN -o OUT [OPTION]...\n"
    "\n"
    "Resolves the contacts in IN, a file of comma-separated values whose first line names the\n"
    "columns, and writes OUT: the rows of IN as they are, and after them the impulse, the\n"
    "velocities after, the works and the outcome of each contact. '-' is standard input or "
    "output.\n"
    "\n"
    "Columns, in any order, others are carried through (SI units or any consistent ones):\n"
    "  contact space  k11 k12 k13 k22 k23 k33 u1 u2 u3 (axes t1, t2, n; u3 < 0 approaches)\n"
    "  body pairs     inv_mass_S, inv_inertia_S_{xx,xy,xz,yy,yz,zz}, arm_S_{x,y,z},\n"
    "                 velocity_S_{x,y,z}, angular_velocity_S_{x,y,z} for bodies S = a and b;\n"
    "                 normal_{x,y,z} from b to a\n"
    "  sphere pairs   radius_S, mass_S, position_S_{x,y,z}, velocity_S_{x,y,z},\n"
    "                 angular_velocity_S_{x,y,z}\n"
    "  all            restitution, friction and, if it differs, friction_static\n"
    "\n"
    "  -o, --output OUT        where to write; complete or not there at all\n"
    "      --restitution X     for all contacts, where there is no such column: 0 to 1\n"
    "      --friction X        the same: 0 or more, inf allowed\n"
    "      --friction-static X the same: at least the friction; left out, equal to it\n"
    "      --law LAW           routh (the default): friction opposes the slip of the moment\n"
    "      --rule RULE         of restitution: stronge (the default), poisson or newton\n"
    "      --resolve-jams      a grazing contact that friction presses together is a collision\n"
    "      --precision P       f32 (the default) or f64, of input, arithmetic and output\n"
    "      --tolerance X       largest error of a velocity, relative to that before;\n"
    "                          1e-6 (f32) or 1e-12 (f64) if left out, 0.01 at most\n"
    "      --target T          the instruction set, see impinge targets; same bits on all\n"
    "      --threads N         same bits for any number; 1 if left out\n"
    "      --verify            compare with the slow reference; exit code 1 if it is too far\n"
    "  -q, --quiet             no summary and no progress on standard error\n"
    "\n"
    "A contact whose numbers make no sense (nan, a negative mass, ...) gets no impulse and an\n"
    "outcome that begins with 'invalid'; a field that is no number ends the program with its line\n"
    "and column, and exit code 2.\n"
    "\n"
    "Example: impinge resolve spheres.csv -o resolved.csv --restitution 0.9 --friction 0.4\n";

/* The options that are names or numbers, as given. */
typedef struct words {
    const char *law, *rule, *precision, *tolerance, *target, *threads;
} words;

/* The index of a name in a list of names; fails, saying what there is, if it is not among them. */
static size_t choice(const char *option, const char *given, const char *const *names,
                     size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(given, names[i])) return i;
    char known[64] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 names[i]);
    fail("%s: there is no '%s'; known: %s", option, given, known);
}

static size_t threads_required(const char *given) {
    double threads = number_required("--threads", given, PRECISION_F64);
    if (!(threads >= 1 && threads <= PARALLEL_THREADS_MAX) || threads != (double)(size_t)threads)
        fail("--threads: '%s' is not a whole number from 1 to %d", given, PARALLEL_THREADS_MAX);
    return (size_t)threads;
}

static double tolerance_required(const char *given) {
    if (!given) return 0; /* the library's own for the precision */
    double tolerance = number_required("--tolerance", given, PRECISION_F64);
    if (!(tolerance > 0 && tolerance <= 0.01))
        fail("--tolerance: '%s' is not above 0 and at most 0.01", given);
    return tolerance;
}

static void understand(const words *given, settings *to) {
    static const char *const laws[] = {"routh"};
    static const char *const rules[] = {"stronge", "poisson", "newton"};
    static const char *const precisions[] = {"f32", "f64"};
    to->options.law = (impinge_law)choice("--law", given->law, laws, 1);
    to->options.rule = (impinge_restitution_rule)choice("--rule", given->rule, rules, 3);
    to->options.tolerance = tolerance_required(given->tolerance);
    to->precision = (precision)choice("--precision", given->precision, precisions, 2);
    to->threads = threads_required(given->threads);
    to->target = target_required(given->target);
}

bool settings_read(char *const *arguments, settings *to) {
    words given = {.law = "routh", .rule = "stronge", .precision = "f32", .threads = "1"};
    bool wants_help = false;
    *to = (settings){0};
    const argument_option options[] = {
        {"--output", "-o", &to->output, NULL},
        {"--restitution", NULL, &to->coefficients[RESTITUTION], NULL},
        {"--friction", NULL, &to->coefficients[FRICTION], NULL},
        {"--friction-static", NULL, &to->coefficients[FRICTION_STATIC], NULL},
        {"--law", NULL, &given.law, NULL},
        {"--rule", NULL, &given.rule, NULL},
        {"--resolve-jams", NULL, NULL, &to->options.resolve_jams},
        {"--precision", NULL, &given.precision, NULL},
        {"--tolerance", NULL, &given.tolerance, NULL},
        {"--target", NULL, &given.target, NULL},
        {"--threads", NULL, &given.threads, NULL},
        {"--verify", NULL, NULL, &to->verify},
        {"--quiet", "-q", NULL, &to->quiet},
        {"--help", "-h", NULL, &wants_help}};
    arguments_read("resolve", arguments, options, sizeof options / sizeof *options, &to->input, 1);
    if (wants_help) {
        fputs(help, stdout);
        return false;
    }
    if (!to->input) fail("which file? see impinge resolve --help");
    if (!to->output) fail("where to? give -o OUT, or -o - for standard output");
    understand(&given, to);
    return true;
}
