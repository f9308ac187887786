"""Fixtures. IMPINGE_SOURCE names the project's folder, IMPINGE_PROGRAM its program."""
import csv
import os
from pathlib import Path

import numpy as np
import pytest

import impinge

SOURCE = Path(os.environ.get('IMPINGE_SOURCE', Path(__file__).parents[2]))
PROGRAM = os.environ.get('IMPINGE_PROGRAM')


def columns(path):
    """A CSV file's columns by name: numbers where all are, else text."""
    with open(path, newline='') as file:
        rows = list(csv.DictReader(file))
    made = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        try:
            made[name] = np.array(values, float)
        except ValueError:
            made[name] = np.array(values)
    return made


def vector(table, stem):
    return np.array([table[f'{stem}_{axis}'] for axis in 'xyz'])


@pytest.fixture(scope='session')
def cases():
    """Right answers of Routh's law, to 18 digits."""
    return columns(SOURCE / 'tests/cases/routh.csv')


@pytest.fixture(scope='session')
def boxes():
    """Contacts of boxes out of a simulator, as columns."""
    return columns(SOURCE / 'data/boxes_pit.csv')


@pytest.fixture(scope='session')
def spheres():
    return columns(SOURCE / 'data/spheres_pour.csv')


def side(table, name, dtype):
    return impinge.PairSide(
        inverse_mass=table['inv_mass_' + name].astype(dtype),
        inverse_inertia=np.array([table[f'inv_inertia_{name}_{ij}'] for ij in
                                  ('xx', 'xy', 'xz', 'yy', 'yz', 'zz')], dtype),
        arm=vector(table, 'arm_' + name).astype(dtype),
        velocity=vector(table, 'velocity_' + name).astype(dtype),
        angular_velocity=vector(table, 'angular_velocity_' + name).astype(dtype))


def pairs_of(table, dtype=np.float64):
    """The BodyPairs of a table such as data/boxes_pit.csv."""
    return impinge.BodyPairs(a=side(table, 'a', dtype), b=side(table, 'b', dtype),
                             normal=vector(table, 'normal').astype(dtype),
                             restitution=table['restitution'].astype(dtype),
                             friction=table['friction'].astype(dtype))


def contacts_of(cases, dtype=np.float64, which=slice(None)):
    """The Contacts of the cases with right answers."""
    def column(name):
        return np.ascontiguousarray(cases[name][which], dtype)
    return impinge.Contacts(
        k=[column(name) for name in ('k11', 'k12', 'k13', 'k22', 'k23', 'k33')],
        u=[column(name) for name in ('u1', 'u2', 'u3')], restitution=column('restitution'),
        friction=column('friction'), friction_static=column('friction_static'))


@pytest.fixture(params=[np.float32, np.float64], ids=['f32', 'f64'])
def dtype(request):
    return np.dtype(request.param)


@pytest.fixture(params=[name for name, _, here in impinge.targets() if here])
def target(request):
    """Each target in turn."""
    impinge.target_select(request.param)
    yield request.param
    impinge.target_select(None)


def bits(array):
    """Numbers as integers, so that each bit counts."""
    array = np.ascontiguousarray(array)
    return array.view(np.uint32 if array.dtype.itemsize == 4 else np.uint64)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(bits(a), bits(b))
