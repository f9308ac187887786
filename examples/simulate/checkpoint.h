/**
 * The state of a simulation in a file: a run that is continued from it has the bits of one that was
 * never interrupted.
 *
 * The file: "IMPINGE\n", the format's version, a word that shows the order of bytes, the size of
 * what follows and its checksum; then the scene, the state, the series and the particles. Numbers
 * are 8 bytes each, f32's too, which they hold exactly.
 */
#ifndef SIMULATE_CHECKPOINT_H
#define SIMULATE_CHECKPOINT_H

#include "motion.h"

/** Writes the file: whole, or not at all. */
void checkpoint_write(const motion *of, const char *path);

/** Reads it. Fails, and says why, if it is no checkpoint, damaged, or another machine's. */
motion checkpoint_read(const char *path, size_t threads);

#endif
