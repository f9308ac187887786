"""Pictures from the command line: python3 -m impinge.plots PICTURE ... -o OUT.svg"""
import argparse
import sys

import numpy as np

from impinge import plots
from impinge.plots.laws import COEFFICIENTS, OVER
from impinge.plots.section import FIGURES

_MATRIX = ('K11', 'K12', 'K13', 'K22', 'K23', 'K33')


def _numbers(parser, *names):
    # One argument each: argparse cannot say which of several with names of their own are missing.
    for name in names:
        parser.add_argument('numbers', action='append', type=float, metavar=name)


def _parser():
    parser = argparse.ArgumentParser(prog='python3 -m impinge.plots', description=(
        'Draws pictures: of contacts and laws, and of what the examples write. The ending of OUT '
        'says what it is: .svg, .png, .pdf.'))
    pictures = parser.add_subparsers(dest='picture', required=True, metavar='PICTURE')

    def add(name, words):
        made = pictures.add_parser(name, help=words, description=words)
        made.add_argument('-o', '--output', required=True, metavar='OUT')
        return made
    one = add('laws', 'laws side by side: rebound angle, normal and tangential rebound, energy lost')
    _numbers(one, *_MATRIX)
    one.add_argument('--over', choices=list(OVER), default='angle')
    for option, value in (('angle', 45.0), ('heading', 0.0), ('restitution', 0.5),
                          ('friction', 0.3)):
        one.add_argument('--' + option, type=float, default=value)
    for option in COEFFICIENTS:
        one.add_argument('--' + option.replace('_', '-'), type=float)
    one.add_argument('--laws', nargs='+', metavar='LAW')
    one = add('normal', 'the normal velocity over the normal impulse')
    _numbers(one, *_MATRIX, 'U1', 'U2', 'U3', 'MU')
    one = add('slip', 'trajectories of the slip, and the rays of constant sliding')
    _numbers(one, *_MATRIX, 'MU')
    one.add_argument('--starts', type=int, default=16)
    one = add('region', 'the permissible impulses of a collision in a plane')
    one.add_argument('numbers', nargs='*', type=float, metavar='KTT KTN KNN UT UN MU')
    one.add_argument('--figure', choices=list(FIGURES), help="one of the paper's collisions")
    for name, words in (('scene', 'what the example scene wrote; .svg moves in a browser'),
                        ('break', 'what cascade break -o wrote'),
                        ('boxes', 'what the example boxes prints'),
                        ('drum', 'what the example drum prints'),
                        ('gas', 'what simulate gas --csv wrote'),
                        ('energy', 'what simulate --csv wrote'),
                        ('overlap', 'the same of simulate pour: overlap and energy over time')):
        add(name, words).add_argument('file')
    one = add('heap', "spheres of a LAMMPS dump, such as simulate's --dump")
    one.add_argument('file')
    one.add_argument('--colour', default='speed', help='speed, layer, or a column of the dump')
    one.add_argument('--azimuth', type=float, default=-60)
    one.add_argument('--elevation', type=float, default=28)
    return parser


def _draw(given):
    if given.picture == 'laws':
        coefficients = {name: getattr(given, name) for name in COEFFICIENTS
                        if getattr(given, name) is not None}
        return plots.compare(given.numbers, given.over, angle=given.angle, heading=given.heading,
                             restitution=given.restitution, friction=given.friction,
                             laws=given.laws, **coefficients)
    if given.picture == 'normal':
        return plots.normal_velocity(given.numbers[:6], given.numbers[6:9], given.numbers[9])
    if given.picture == 'slip':
        return plots.slip(given.numbers[:6], given.numbers[6], given.starts)
    if given.picture == 'region':
        if bool(given.figure) == bool(given.numbers) or len(given.numbers) not in (0, 6):
            raise ValueError('region takes six numbers, or --figure')
        return plots.region_figure(given.figure) if given.figure else plots.region(*given.numbers)
    if given.picture == 'heap':
        return plots.heap(given.file, given.colour, given.azimuth, given.elevation)
    return {'scene': plots.scene, 'break': plots.pool_break, 'boxes': plots.boxes,
            'drum': plots.drum, 'gas': plots.gas, 'energy': plots.energy,
            'overlap': plots.overlap}[given.picture](given.file)


def main(arguments=None):
    given = _parser().parse_args(arguments)
    try:
        if given.picture == 'scene' and given.output.endswith('.svg'):
            plots.save_film(given.file, given.output)
        else:
            plots.save(_draw(given), given.output)
    # The last two: numbers so large that Matplotlib's overflow.
    except (ValueError, OSError, np.linalg.LinAlgError, OverflowError) as error:
        print(f'impinge.plots: {error}', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    sys.exit(main())
