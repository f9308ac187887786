/** The groups of benchmarks; each function registers one group. */
#ifndef BENCH_BENCHMARKS_H
#define BENCH_BENCHMARKS_H

/**
 * resolve/<law>/<precision>/<target>/<set>, where Routh's law has its rule behind its name, and a
 * set of which only the impulse and the outcome are written has "-p".
 */
void register_resolve();

/** planar/<precision>/<target>/boxes */
void register_planar();

/**
 * bodies/colours/<contacts>, bodies/islands/<contacts>; and, each /<precision>/<target>, of
 * contacts by index: bodies/indexed-<law>, bodies/gathered-<law> (the same as body pairs),
 * bodies/apply, bodies/sweep-<law>
 */
void register_bodies();

/**
 * particles/<precision>/<target>/<packing>, in one call; also with "-two-calls", and with
 * "-resolve" for the first of these; and
 * particles/<precision>/plain/<packing>, a plain loop.
 */
void register_particles();

/** euler/f64/<accuracy>/boxes and reference/f64/boxes */
void register_reference();

/**
 * peak/fma/<precision>/<target>, triad/f32, and columns/f32/<in>-in-<out>-out/<ordinary|streaming>:
 * as many columns as a law in closed form has, without arithmetic
 */
void register_machine();

#endif
