/** Haff's law of a gas that cools by its collisions, and its tau by kinetic theory. */
#ifndef SIMULATE_HAFF_H
#define SIMULATE_HAFF_H

#include "series.h"

/** The factor by which finite size makes spheres collide more often (Carnahan and Starling). */
double haff_enskog_factor(double packing);

/** Enskog's frequency, 4 n sigma^2 chi (pi T / m)^(1/2): collisions of one sphere in a second. */
double haff_frequency(double packing, double diameter, double mass, double temperature);

/**
 * The kurtosis a_2 of velocities in the state that keeps its form as it cools (van Noije and Ernst,
 * Granular Matter 1, 57, 1998): it makes the gas cool by 1 + 3/16 a_2 times as fast.
 */
double haff_kurtosis(double restitution);

/** tau of theory: 1 / tau = (1 - e^2) omega_E (1 + 3/16 a_2) / 6. */
double haff_time(double restitution, double frequency);

/**
 * tau from a run, by least squares of (T_0 / T)^(1/2) - 1 = t / tau, through the origin.
 *
 * @param collisions_max the fit ends with that many collisions per particle
 * @param until gets the last sample used; null: not wanted
 * @return NaN if there are less than three samples
 */
double haff_fit(const series *of, double collisions_max, double *until);

#endif
