#!/usr/bin/env python3
"""Laws compared: a ball that skids onto a table, by each law, and what its spin becomes.

A solid sphere of 1 kg and 0.1 m comes down at 45 degrees and 2 m/s without spin. Under each law of
the library: how it leaves, how it spins, and how much of its energy is lost. Then the angle of
incidence from which it slides through the whole contact, from the outcomes of a thousand contacts.

    PYTHONPATH=build/python python3 examples/python/laws.py [PICTURE.svg]
"""
import sys

import numpy as np

import impinge
from impinge import Law, Outcome

MASS, RADIUS = 1.0, 0.1
INERTIA = 0.4 * MASS * RADIUS ** 2
RESTITUTION, FRICTION = 0.5, 0.2


def ball_on_table(angles, law):
    """The ball A that comes at `angles` (degrees, from the normal), and the table B, as BodyPairs."""
    theta = np.radians(angles)
    speed = 2.0
    ball = impinge.PairSide(inverse_mass=1 / MASS,
                            inverse_inertia=(1 / INERTIA, 0.0, 0.0, 1 / INERTIA, 0.0, 1 / INERTIA),
                            arm=(0.0, 0.0, -RADIUS),
                            velocity=(speed * np.sin(theta), 0.0, -speed * np.cos(theta)),
                            angular_velocity=(0.0, 0.0, 0.0))
    table = impinge.PairSide(inverse_mass=0.0, inverse_inertia=(0.0,) * 6, arm=(0.0,) * 3,
                             velocity=(0.0,) * 3, angular_velocity=(0.0,) * 3)
    pairs = impinge.BodyPairs(a=ball, b=table, normal=(0.0, 0.0, 1.0), restitution=RESTITUTION,
                              friction=FRICTION, tangential_restitution=0.3, mix=0.5,
                              impulse_ratio_t1=-0.1, impulse_ratio_t2=0.0)
    return impinge.resolve_body_pairs(pairs, law)


def kinetic(velocity, spin):
    return 0.5 * MASS * (velocity ** 2).sum(axis=0) + 0.5 * INERTIA * (spin ** 2).sum(axis=0)


def main(arguments):
    print(f'{"law":>17}  {"v_x":>7}  {"v_z":>7}  {"omega_y":>8}  {"lost %":>7}  outcome')
    for law in Law:
        results = ball_on_table(np.array([45.0]), law)
        after = results.a
        lost = 1 - kinetic(after.velocity, after.angular_velocity)[0] / (0.5 * MASS * 4)
        print(f'{impinge.law_name(law):>17}  {after.velocity_x[0]:7.4f}  {after.velocity_z[0]:7.4f}'
              f'  {after.angular_velocity_y[0]:8.4f}  {100 * lost:7.2f}'
              f'  {impinge.outcome_text(results.outcome[0])}')
    angles = np.linspace(0, 89, 1000)
    slides = ball_on_table(angles, Law.ROUTH).outcome & Outcome.STUCK == 0
    # tan(theta) = mu (1 + e) T / K_33 = 7/2 mu (1 + e) of a solid sphere.
    print(f'slides throughout from {angles[slides & (angles > 0)].min():.1f} degrees; '
          f'by hand {np.degrees(np.arctan(3.5 * FRICTION * (1 + RESTITUTION))):.1f}')
    if arguments:
        from impinge import plots
        # The collision matrix of a solid sphere of 1 kg: 1 along the normal, 7/2 across.
        plots.save(plots.compare((3.5, 0, 0, 3.5, 0, 1), restitution=RESTITUTION,
                                 friction=FRICTION, tangential_restitution=0.3), arguments[0])


if __name__ == '__main__':
    main(sys.argv[1:])
