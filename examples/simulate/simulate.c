/* simulate: spheres that are poured, and a gas that cools. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "dump.h"
#include "haff.h"
#include "support/arguments.h"
#include "support/choice.h"
#include "support/coefficient.h"
#include "support/fail.h"
#include "support/law.h"
#include "support/output.h"
#include "support/progress.h"
#include "support/target.h"
#include "support/team.h"

static const char help[] =
    "Usage: simulate pour [OPTIONS]    spheres poured into a box, until they rest\n"
    "       simulate gas [OPTIONS]     a gas of inelastic spheres that cools\n"
    "       simulate --restart FILE [OPTIONS]\n"
    "\n"
    "The pour is 20000 glass spheres of 1 cm (10 % more or less) that fall as a column into a box\n"
    "of their heap's size; lengths are m, times s. The gas is 100000 spheres in a periodic box,\n"
    "with mass, diameter and first temperature 1; its temperature is compared with Haff's law,\n"
    "T = T0 (1 + t/tau)^-2, and tau with kinetic theory: 1/tau = (1 - e^2) omega (1 + 3/16 a2)/6,\n"
    "omega = 4 n sigma^2 chi sqrt(pi T0/m), chi of Carnahan and Starling, a2 of van Noije and\n"
    "Ernst. tau is fitted to the first 20 collisions per sphere (--fit), before clusters form.\n"
    "\n"
    "How long (the first that is reached):\n"
    "      --time X            until this time; the pour's default is 1.6 s\n"
    "      --steps N           so many steps, not counting those of the equilibration\n"
    "      --collisions X      collisions per sphere; the gas's default is 60\n"
    "What:\n"
    "      --particles N       how many spheres; of a gas at least 2\n"
    "      --packing X         share of the space that is sphere: of the gas (0.05), of the "
    "column\n"
    "                          that is poured (0.25)\n"
    "      --spread X          radii differ by this share at most (pour: 0.1)\n"
    "      --seed N            of the random places and velocities; 1 if left out\n"
    "      --equilibrate X     elastic collisions per sphere before the gas begins (10)\n"
    "      --equilibrate-steps N   the most steps that this may take, 1000000; it fails if it "
    "takes more\n"
    "      --step X            pour: seconds; left out, the fastest sphere moves by a tenth of a\n"
    "                          radius.\n"
    "                          gas: the share of a diameter that the thermal speed goes in a "
    "step,\n"
    "                          0.003, for which tau comes out 0.5 % too long\n"
    "How they collide:\n"
    "      --law NAME          frictionless (gas), bilinear (pour), routh or chatterjee-ruina\n"
    "      --restitution X     0.6 (pour), 0.9 (gas)\n"
    "      --friction X        0.4 (pour), 0 (gas)\n"
    "      --tangential-restitution X   0\n"
    "      --restitution-model NAME     constant (the default), threshold, viscoelastic or\n"
    "                          elastoplastic\n"
    "      --restitution-speed X   threshold: restitution is 0 below; elastoplastic: yield speed\n"
    "      --dissipation-time X, --young-modulus X, --poisson-ratio X   viscoelastic\n"
    "      --projection X      the share of overlaps beyond 1 % of a radius that is pushed back in "
    "a\n"
    "                          step, 0 to 0.5: 0.2 (pour), 0 (gas)\n"
    "What to write:\n"
    "      --csv FILE          energies, temperature and more over time, as comma-separated "
    "values\n"
    "      --sample-every N    they are of every 20th step, or every Nth; the gas takes its step\n"
    "                          from the temperature then\n"
    "      --dump FILE         all spheres, for OVITO (.dump, .lammpstrj) or ParaView (.vtk)\n"
    "      --dump-every N      ... every N steps; FILE has a * for the step's number\n"
    "      --checkpoint FILE   all that it goes on from, at the end\n"
    "      --checkpoint-every N    ... and every N steps\n"
    "      --restart FILE      goes on from there, to the same bits as without interruption; what\n"
    "                          the motion depends on is in the file and cannot be given\n"
    "How:\n"
    "      --precision P       f64 (the default) or f32\n"
    "      --threads N         same bits for any number; 1 if left out\n"
    "      --target T          the instruction set, see impinge targets; same bits on all\n"
    "      --fit X             gas: tau is fitted to so many collisions per sphere, 20\n"
    "\n"
    "A step is impinge_step_particles: impacts, rest, energy guard, positions (docs/stepping.md).\n"
    "\n"
    "Pictures of both: python3 -m impinge.plots heap heap.dump, and gas gas.csv (docs/python.md).\n"
    "\n"
    "Example: simulate pour --threads 4 --dump heap.dump --csv energy.csv\n";

/* The options, as given. */
typedef struct words {
    const char *time, *steps, *collisions, *particles, *packing, *spread, *seed, *equilibrate,
        *equilibrate_steps, *step, *law, *restitution, *friction, *tangential_restitution, *model,
        *speed, *dissipation_time, *young_modulus, *poisson_ratio, *projection, *precision;
    const char *csv, *sample_every, *dump, *dump_every, *checkpoint, *checkpoint_every, *restart,
        *threads, *target, *fit;
} words;

/* When to stop, and what to write. */
typedef struct plan {
    double time, collisions, fit;
    uint64_t steps, dump_every, checkpoint_every;
} plan;

/* ---- Understanding the options ---- */

/* Steps and counts up to here are exact as doubles. */
static const uint64_t count_most = (uint64_t)1 << 53;

/* A number in [least, most]; NaN if it is not given. */
static double between(const char *option, const char *given, double least, double most) {
    return given ? number_within(option, given, least, most) : NAN;
}

static double above_zero(const char *option, const char *given) {
    if (!given) return NAN;
    const double value = number_required(option, given, PRECISION_F64);
    if (!(value > 0 && isfinite(value))) fail("%s: '%s' is not above 0", option, given);
    return value;
}

static double coefficient_given(enum coefficient which, const char *given) {
    return given ? coefficient_required(which, given, PRECISION_F64, false) : NAN;
}

static const char *or_else(const char *given, const char *otherwise) {
    return given ? given : otherwise;
}

static impinge_law read_law(const char *given) {
    static const char *const names[] = {"frictionless", "bilinear", "routh", "chatterjee-ruina"};
    static const impinge_law laws[] = {IMPINGE_LAW_FRICTIONLESS, IMPINGE_LAW_BILINEAR,
                                       IMPINGE_LAW_ROUTH, IMPINGE_LAW_CHATTERJEE_RUINA};
    return laws[choice_required("--law", given, names, 4)];
}

static impinge_restitution_kind read_model(const char *given) {
    static const char *const names[] = {"constant", "threshold", "viscoelastic", "elastoplastic"};
    static const impinge_restitution_kind kinds[] = {
        IMPINGE_RESTITUTION_CONSTANT, IMPINGE_RESTITUTION_THRESHOLD,
        IMPINGE_RESTITUTION_VISCOELASTIC, IMPINGE_RESTITUTION_ELASTOPLASTIC};
    return kinds[choice_required("--restitution-model", given, names, 4)];
}

static void read_viscoelastic(const words *given, collision_rule *rule) {
    const bool wanted = rule->model == IMPINGE_RESTITUTION_VISCOELASTIC;
    if (!wanted && (given->dissipation_time || given->young_modulus || given->poisson_ratio))
        fail("--dissipation-time, --young-modulus and --poisson-ratio are for "
             "--restitution-model viscoelastic");
    if (!wanted) return;
    if (!given->dissipation_time || !given->young_modulus)
        fail("--restitution-model viscoelastic needs --dissipation-time and --young-modulus");
    rule->dissipation_time = between("--dissipation-time", given->dissipation_time, 0, INFINITY);
    rule->young_modulus = above_zero("--young-modulus", given->young_modulus);
    rule->poisson_ratio =
        between("--poisson-ratio", or_else(given->poisson_ratio, "0.3"), -0.99, 0.5);
}

/* The index of a particle has 32 bits; more than this would take a day for a second. */
static const uint64_t particles_most = 100000000;
/* A gas has a temperature, though it does not move as a whole: one sphere cannot. */
static const uint64_t gas_least = 2, pour_least = 1;

/* The greatest share of a diameter that a step may go: beyond, collisions are missed in numbers. */
static const double gas_step_most = 0.1;

static scene read_scene(const char *name, const words *given) {
    static const char *const names[] = {"pour", "gas"};
    static const char *const precisions[] = {"f32", "f64"};
    scene of = {.kind = (scene_kind)choice_required("simulate", name, names, 2)};
    const bool gas = of.kind == SCENE_GAS;
    of.precision =
        (precision)choice_required("--precision", or_else(given->precision, "f64"), precisions, 2);
    of.particles =
        (size_t)whole_required("--particles", or_else(given->particles, gas ? "100000" : "20000"),
                               gas ? gas_least : pour_least, particles_most);
    of.seed = whole_required("--seed", or_else(given->seed, "1"), 0, (uint64_t)1 << 53);
    of.collision.law = read_law(or_else(given->law, gas ? "frictionless" : "bilinear"));
    of.collision.model = read_model(or_else(given->model, "constant"));
    read_viscoelastic(given, &of.collision);
    if (given->speed && of.collision.model != IMPINGE_RESTITUTION_THRESHOLD &&
        of.collision.model != IMPINGE_RESTITUTION_ELASTOPLASTIC)
        fail("--restitution-speed is for --restitution-model threshold and elastoplastic");
    if (of.collision.model == IMPINGE_RESTITUTION_ELASTOPLASTIC && !given->speed)
        fail("--restitution-model elastoplastic needs --restitution-speed");
    const scene_choices choices = {
        .step = gas ? between("--step", given->step, 1e-6, gas_step_most)
                    : above_zero("--step", given->step),
        .restitution = coefficient_given(RESTITUTION, given->restitution),
        .friction = coefficient_given(FRICTION, given->friction),
        .tangential_restitution =
            coefficient_given(TANGENTIAL_RESTITUTION, given->tangential_restitution),
        .projection =
            between("--projection", given->projection, 0, IMPINGE_PROJECTION_FACTOR_STABLE),
        .packing = between("--packing", given->packing, 1e-6, 0.5),
        .spread = between("--spread", given->spread, 0, 0.5),
        .equilibration = between("--equilibrate", given->equilibrate, 0, 1e6),
        .speed = between("--restitution-speed", given->speed, 0, INFINITY)};
    scene_complete(&of, &choices);
    if (given->sample_every)
        of.sample_every = whole_required("--sample-every", given->sample_every, 1, count_most);
    return of;
}

/* Options whose values are in the checkpoint and would be ignored. */
static void require_not_given(const words *given) {
    const struct {
        const char *option, *value;
    } fixed[] = {{"--particles", given->particles},
                 {"--packing", given->packing},
                 {"--spread", given->spread},
                 {"--seed", given->seed},
                 {"--equilibrate", given->equilibrate},
                 {"--equilibrate-steps", given->equilibrate_steps},
                 {"--step", given->step},
                 {"--law", given->law},
                 {"--restitution", given->restitution},
                 {"--friction", given->friction},
                 {"--tangential-restitution", given->tangential_restitution},
                 {"--restitution-model", given->model},
                 {"--restitution-speed", given->speed},
                 {"--dissipation-time", given->dissipation_time},
                 {"--young-modulus", given->young_modulus},
                 {"--poisson-ratio", given->poisson_ratio},
                 {"--projection", given->projection},
                 {"--precision", given->precision},
                 {"--sample-every", given->sample_every}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].value)
            fail("%s cannot be given with --restart: it is in the file", fixed[i].option);
}

static void require_star(const char *option, const char *path, bool needed) {
    const char *star = path ? strchr(path, '*') : NULL;
    if (star && strchr(star + 1, '*')) fail("%s: '%s' has more than one *", option, path);
    if (path && needed && !star)
        fail("%s: '%s' needs a * for the step's number, since --dump-every is given", option, path);
}

static void require_outputs(const words *given) {
    const output_name names[] = {
        {"--csv", given->csv}, {"--dump", given->dump}, {"--checkpoint", given->checkpoint}};
    output_require_distinct(names, sizeof names / sizeof *names);
    if (given->dump) dump_require_known("--dump", given->dump);
    require_star("--dump", given->dump, given->dump_every != NULL);
    if (given->dump_every && !given->dump) fail("--dump-every needs --dump");
    if (given->checkpoint_every && !given->checkpoint)
        fail("--checkpoint-every needs --checkpoint");
}

static uint64_t every(const char *option, const char *given) {
    return given ? whole_required(option, given, 1, count_most) : 0;
}

static plan read_plan(const words *given) {
    plan to = {.time = above_zero("--time", given->time),
               .collisions = above_zero("--collisions", given->collisions),
               .fit = above_zero("--fit", or_else(given->fit, "20")),
               .steps = given->steps ? whole_required("--steps", given->steps, 0, count_most)
                                     : count_most,
               .dump_every = every("--dump-every", given->dump_every),
               .checkpoint_every = every("--checkpoint-every", given->checkpoint_every)};
    require_outputs(given);
    return to;
}

/* The defaults, if nothing says how long. */
static void complete_plan(plan *to, scene_kind kind) {
    const bool given = !isnan(to->time) || !isnan(to->collisions) || to->steps != count_most;
    if (isnan(to->time)) to->time = !given && kind == SCENE_POUR ? 1.6 : INFINITY;
    if (isnan(to->collisions)) to->collisions = !given && kind == SCENE_GAS ? 60 : INFINITY;
}

/* ---- Running ---- */

/* How much of it is done, from 0 to 1: as much as the end that is nearest. */
static double share_done(const motion *of, const plan *to) {
    const double steps = to->steps ? (double)of->step / (double)to->steps : 1;
    return fmax(steps, fmax(of->time / to->time, motion_collisions(of) / to->collisions));
}

static void show_progress(const motion *of, const plan *to, double begun, double share_before) {
    enum { BAR = 24 };
    const double share = share_done(of, to);
    const double gone = progress_clock() - begun;
    const double left = gone * (1 - share) / (share - share_before);
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = (i + 0.5) / BAR < share ? '#' : '.';
    bar[BAR] = '\0';
    progress_line("[%s] %3.0f %%, step %llu, time %.4g, %.0f s left", bar, 100 * share,
                  (unsigned long long)of->step, of->time, ceil(left));
}

static void write_dump(const motion *of, const char *pattern) {
    char *path = dump_path(pattern, of->step);
    dump_write(of, path);
    free(path);
}

static void write_now(const motion *of, const plan *to, const words *files) {
    if (to->dump_every && of->step % to->dump_every == 0) write_dump(of, files->dump);
    if (to->checkpoint_every && of->step % to->checkpoint_every == 0)
        checkpoint_write(of, files->checkpoint);
}

static void run(motion *of, const plan *to, const words *files) {
    const double begun = progress_clock();
    const double before = share_done(of, to);
    write_now(of, to, files);
    while (share_done(of, to) < 1) {
        motion_step(of);
        write_now(of, to, files);
        show_progress(of, to, begun, before);
    }
    progress_clear();
}

/* tau of a gas by theory; NaN if Haff's law does not hold. */
static double tau_of(const motion *of) {
    const scene *in = &of->scene;
    if (in->kind != SCENE_GAS) return NAN;
    const double frequency =
        haff_frequency(in->packing, 2 * in->radius, 1, of->series.samples[0].temperature);
    return haff_time(in->collision.restitution, frequency);
}

static void write_end(const motion *of, const words *files) {
    if (files->csv) series_write(&of->series, tau_of(of), files->csv);
    if (files->dump) write_dump(of, files->dump);
    if (files->checkpoint) checkpoint_write(of, files->checkpoint);
}

/* ---- The summary ---- */

static void say_scene(const motion *of) {
    const scene *in = &of->scene;
    printf("%s: %zu spheres in %s, law %s, restitution %g, friction %g\n", scene_name(in->kind),
           in->particles, precision_name(in->precision), impinge_law_name(in->collision.law),
           in->collision.restitution, in->collision.friction);
    printf("  steps      %llu to time %.6g, the last of %.4g\n", (unsigned long long)of->step,
           of->time, of->next_step);
}

static double percent(double part, double whole) { return 100 * part / whole; }

static void say_pour(const motion *of) {
    const sample now = motion_sample(of);
    double most = now.translation;
    for (size_t i = 0; i < of->series.count; i++)
        most = fmax(most, of->series.samples[i].translation);
    printf("  energy     kinetic %.4g J, rotation %.4g J, potential %.6g J; kinetic energy is "
           "%.2g of its greatest\n",
           now.translation, now.rotation, now.potential, most > 0 ? now.translation / most : 0);
    printf("  fastest    %.4g m/s; deepest overlap %.2f %% of a radius\n", now.fastest,
           percent(now.overlap, of->scene.radius));
}

static void say_gas(const motion *of, double fit) {
    const scene *in = &of->scene;
    const sample *first = &of->series.samples[0];
    const sample now = motion_sample(of);
    const double frequency = haff_frequency(in->packing, 2 * in->radius, 1, first->temperature);
    printf(
        "  gas        phi %g, chi %.5f, omega %.5f, T %.5g of %.5g at first, %.2f collisions per "
        "sphere\n",
        in->packing, haff_enskog_factor(in->packing), frequency, now.temperature,
        first->temperature, now.collisions);
    printf("  momentum   %.2g, as a share of the sum of all sizes\n",
           sqrt(now.momentum[0] * now.momentum[0] + now.momentum[1] * now.momentum[1] +
                now.momentum[2] * now.momentum[2]) /
               ((double)in->particles * sqrt(3 * now.temperature)));
    double until = 0;
    const double fitted = haff_fit(&of->series, fit, &until);
    const double theory = tau_of(of);
    if (in->collision.model != IMPINGE_RESTITUTION_CONSTANT || in->collision.friction > 0 ||
        !(in->collision.restitution < 1) || isnan(fitted))
        return;
    printf("  tau        %.4f fitted until t = %.4g (%g collisions per sphere), %.4f by theory; "
           "ratio %.4f\n",
           fitted, until, fmin(fit, now.collisions), theory, fitted / theory);
}

static void say_costs(const motion *of, double seconds, size_t threads) {
    const world_costs *cost = world_cost(of->world);
    const double whole = seconds * (double)threads;
    if (!cost->steps) return;
    const double rest = whole - cost->pairs - cost->solve - cost->move;
    printf(
        "  time       %.2f s with %zu thread%s: neighbours and contacts %.1f %%, impacts and rest "
        "%.1f %%, motion %.1f %%, the rest %.1f %%\n",
        seconds, threads, threads == 1 ? "" : "s", percent(cost->pairs, whole),
        percent(cost->solve, whole), percent(cost->move, whole), percent(rest, whole));
    printf("  contacts   %llu touched, %.2f million/s of the run; %llu impacts; %llu lists of "
           "neighbours\n",
           (unsigned long long)cost->looked_at, (double)cost->looked_at / seconds * 1e-6,
           (unsigned long long)cost->impacts, (unsigned long long)cost->lists);
}

/* ---- The command ---- */

static void simulate(const char *name, const words *given) {
    plan to = read_plan(given);
    const size_t threads =
        (size_t)whole_required("--threads", or_else(given->threads, "1"), 1, TEAM_THREADS_MAX);
    const double begun = progress_clock();
    motion of;
    if (given->restart) {
        require_not_given(given);
        target_required(given->target);
        progress_enable(true);
        of = checkpoint_read(given->restart, threads);
        if (name && strcmp(name, scene_name(of.scene.kind)) != 0)
            fail("%s is of a %s", given->restart, scene_name(of.scene.kind));
    } else {
        const scene wanted = read_scene(name, given);
        target_required(given->target);
        progress_enable(true);
        const uint64_t most = whole_required(
            "--equilibrate-steps", or_else(given->equilibrate_steps, "1000000"), 0, count_most);
        of = motion_begin(&wanted, most, threads);
    }
    complete_plan(&to, of.scene.kind);
    if (given->restart && share_done(&of, &to) >= 1)
        printf("%s is at step %llu, time %.6g: as far as asked for, so no step is made\n",
               given->restart, (unsigned long long)of.step, of.time);
    run(&of, &to, given);
    const double seconds = progress_clock() - begun;
    write_end(&of, given);
    say_scene(&of);
    if (of.scene.kind == SCENE_POUR)
        say_pour(&of);
    else
        say_gas(&of, to.fit);
    say_costs(&of, seconds, threads);
    motion_end(&of);
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("simulate");
    words given = {.time = NULL};
    bool wants_help = false;
    const argument_option options[] = {
        {"--time", NULL, &given.time, NULL},
        {"--steps", NULL, &given.steps, NULL},
        {"--collisions", NULL, &given.collisions, NULL},
        {"--particles", NULL, &given.particles, NULL},
        {"--packing", NULL, &given.packing, NULL},
        {"--spread", NULL, &given.spread, NULL},
        {"--seed", NULL, &given.seed, NULL},
        {"--equilibrate", NULL, &given.equilibrate, NULL},
        {"--equilibrate-steps", NULL, &given.equilibrate_steps, NULL},
        {"--step", NULL, &given.step, NULL},
        {"--law", NULL, &given.law, NULL},
        {"--restitution", NULL, &given.restitution, NULL},
        {"--friction", NULL, &given.friction, NULL},
        {"--tangential-restitution", NULL, &given.tangential_restitution, NULL},
        {"--restitution-model", NULL, &given.model, NULL},
        {"--restitution-speed", NULL, &given.speed, NULL},
        {"--dissipation-time", NULL, &given.dissipation_time, NULL},
        {"--young-modulus", NULL, &given.young_modulus, NULL},
        {"--poisson-ratio", NULL, &given.poisson_ratio, NULL},
        {"--projection", NULL, &given.projection, NULL},
        {"--precision", NULL, &given.precision, NULL},
        {"--csv", NULL, &given.csv, NULL},
        {"--sample-every", NULL, &given.sample_every, NULL},
        {"--dump", NULL, &given.dump, NULL},
        {"--dump-every", NULL, &given.dump_every, NULL},
        {"--checkpoint", NULL, &given.checkpoint, NULL},
        {"--checkpoint-every", NULL, &given.checkpoint_every, NULL},
        {"--restart", NULL, &given.restart, NULL},
        {"--threads", NULL, &given.threads, NULL},
        {"--target", NULL, &given.target, NULL},
        {"--fit", NULL, &given.fit, NULL},
        {"--help", "-h", NULL, &wants_help}};
    const char *name = NULL;
    arguments_read("simulate", arguments, options, sizeof options / sizeof *options, &name, 1);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    if (!name && !given.restart) fail("what? pour or gas, or --restart FILE; see simulate --help");
    simulate(name, &given);
    return output_exit(EXIT_RIGHT);
}
