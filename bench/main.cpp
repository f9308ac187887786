/* Measures the kernels' speed beside the machine's limits and a plain loop. */
#include <benchmark/benchmark.h>

#include "benchmarks.h"
#include "runner.h"

int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    run_end();
    register_resolve();
    register_planar();
    register_mechanisms();
    register_bodies();
    register_body_steps();
    register_particles();
    register_step();
    register_reference();
    register_machine();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
