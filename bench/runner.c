#include "runner.h"

#include <stdint.h>

#include <impinge/target.h>

#include "sample.h"
#include "scalar_fma.h"
#include "sets.h"

/* Contacts on which errors are measured; the reference takes a fraction of a second for them. */
enum { SAMPLE = 1000 };

const char *const run_precision_names[RUN_PRECISIONS] = {"f32", "f64"};

/* Null tables: through the public calls, as users do. */
typedef struct runner_target {
    const char *name;
    const impinge_kernels_f32 *f32;
    const impinge_kernels_f64 *f64;
} runner_target;

typedef struct runner_targets {
    runner_target target[8];
    size_t count;
} runner_targets;

static void find_targets(runner_targets *found) {
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) continue;
        found->target[found->count++] = (runner_target){.name = impinge_target_name(i)};
    }
    if (!scalar_fma_runs()) return;
    found->target[found->count++] =
        (runner_target){"scalar-fma", &bench_kernels_scalar_fma_f32, &bench_kernels_scalar_fma_f64};
}

static const runner_targets *targets(void) {
    static runner_targets found;
    if (found.count == 0) find_targets(&found);
    return &found;
}

size_t run_target_count(void) { return targets()->count; }

const char *run_target_name(size_t i) { return targets()->target[i].name; }

void run_end(void) { impinge_target_select(targets()->target[0].name); }

#define REAL              float
#define NAME(name)        name##_f32
#define DEFAULT_TOLERANCE 1e-6
#include "runner_real.inc"
#undef DEFAULT_TOLERANCE
#undef NAME
#undef REAL

#define REAL              double
#define NAME(name)        name##_f64
#define DEFAULT_TOLERANCE 1e-12
#include "runner_real.inc"

bool run_begin(const run *r) {
    const contact_set *set = set_get(r->set);
    if (!set) return false;
    const runner_target *target = &targets()->target[r->target];
    if (r->precision == RUN_F32)
        make_ready_f32(target->f32, &set->f32, r);
    else
        make_ready_f64(target->f64, &set->f64, r);
    return target->f32 || impinge_target_select(target->name) == IMPINGE_OK;
}

impinge_status run_resolve(const run *r, impinge_report *report) {
    return r->precision == RUN_F32 ? resolve_f32(report) : resolve_f64(report);
}

size_t run_contacts(const run *r) {
    const contact_set *set = set_get(r->set);
    return r->precision == RUN_F32 ? set->f32.stride : set->f64.stride;
}

/* The number of arrays of coefficients that a law reads if all are given. */
static size_t coefficient_arrays(impinge_law law) {
    const uint32_t properties = impinge_law_properties(law);
    const uint32_t arrays[] = {IMPINGE_LAW_READS_FRICTION,
                               IMPINGE_LAW_READS_STATIC_FRICTION,
                               IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION,
                               IMPINGE_LAW_READS_MIX,
                               IMPINGE_LAW_READS_IMPULSE_RATIOS,
                               IMPINGE_LAW_READS_IMPULSE_RATIOS};
    size_t count = 1; /* restitution, or the damping fraction instead */
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        count += (properties & arrays[i]) != 0;
    return count;
}

static size_t arrays_read(const run *r, batch_level level) {
    return batch_inputs(level) - COEFFICIENT_INPUTS + coefficient_arrays(r->law);
}

/* Beside the outcome. */
static size_t arrays_written(const run *r, batch_level level) {
    const size_t impulse = 3;
    return r->impulse_only ? impulse : batch_outputs(level);
}

size_t run_bytes(const run *r) {
    const batch_level level = set_get(r->set)->rows.level;
    const size_t real = r->precision == RUN_F32 ? sizeof(float) : sizeof(double);
    const size_t arrays = arrays_read(r, level) + arrays_written(r, level);
    return run_contacts(r) * (arrays * real + sizeof(uint32_t));
}

run_errors run_errors_of(const run *r) {
    static contact_sample sample;
    if (sample.count == 0) sample = sample_new(SAMPLE);
    static double velocities[SAMPLE][3];
    const contact_set *set = set_get(r->set);
    if (r->precision == RUN_F32)
        velocities_f32(&set->f32, velocities, SAMPLE);
    else
        velocities_f64(&set->f64, velocities, SAMPLE);
    return sample_errors(&sample, velocities);
}
