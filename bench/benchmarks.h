/** The groups of benchmarks; each function registers one group. */
#ifndef BENCH_BENCHMARKS_H
#define BENCH_BENCHMARKS_H

/**
 * resolve/<law>/<precision>/<target>/<set>, where Routh's law has its rule after its name, and a
 * set has "-p" if only the impulse and the outcome are written.
 */
void register_resolve();

/** planar/<precision>/<target>/boxes */
void register_planar();

/**
 * mechanisms/<precision>/<target>/<law>/<coordinates>, and .../plain/frictionless/<coordinates>, a
 * plain loop
 */
void register_mechanisms();

/**
 * bodies/colours/<contacts>, bodies/islands/<contacts>; and, each /<precision>/<target>, of
 * contacts by index: bodies/indexed-<law>, bodies/gathered-<law> (the same as body pairs),
 * bodies/apply, bodies/sweep-<law>. And few/<law>/<contacts>/<precision>/<target>, calls of so few
 * body pairs; the target "chosen" is the one that the library takes for them.
 */
void register_bodies();

/**
 * body-steps/pile-<side>-sweeps-<sweeps>/<precision>/<target>: rest of side^3 boxes (a sweep is a
 * tenth of the difference between 11 and 1); body-steps/collapse/...: as many sweeps over 200 boxes
 * that fall upon each other as bring their approach to 0.01 m/s; body-steps/pit/...: ten over the
 * recorded pit; body-steps/threads-<n>/...
 */
void register_body_steps();

/**
 * particles/<precision>/<target>/<packing>, in one call; also with "-two-calls", and with
 * "-resolve" for the first of these, "-rows" on rows that are kept, "-lists-threads-<n>" by full
 * lists of neighbours; and particles/<precision>/plain/<packing>, a plain loop.
 */
void register_particles();

/**
 * step/<precision>/<target>/<heap>-<what>, per contact of a heap of spheres at rest: "step",
 * everything that docs/stepping.md does in a step; "sweep", a sweep of the resting contacts, as a
 * 20th of a call of 20 sweeps; "sweep-2-threads", the same by a team of two; "neighbours", a new
 * list.
 */
void register_step();

/** euler/f64/<accuracy>/boxes and reference/f64/boxes */
void register_reference();

/**
 * peak/fma/<precision>/<target>, triad/f32, and columns/f32/<in>-in-<out>-out/<ordinary|streaming>:
 * as many columns as a law in closed form has, without arithmetic
 */
void register_machine();

#endif
