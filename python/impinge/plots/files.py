"""Reads what the examples write: comma-separated values, and LAMMPS's dumps."""
import csv

import numpy as np


def read_table(path, *required, text=()):
    """Columns by name: arrays of numbers (NaN where a field is empty), or of text. Those that are
    required are there, and have numbers but for those that are `text`.
    """
    with open(path, newline='') as file:
        reader = csv.reader(file)
        try:
            names = next(reader, [])
            rows = [row for row in reader if row]
        except csv.Error as error:
            raise ValueError(f'{path} has no comma-separated values: {error}') from None
    if not names:
        raise ValueError(f'{path} is empty')
    require(names, path, *required, *text)
    if not rows:
        raise ValueError(f'{path} has names of columns only')
    for row in rows:
        if len(row) != len(names):
            raise ValueError(f'{path} has a row of {len(row)} fields, and {len(names)} columns')
    table = {}
    for name, column in zip(names, zip(*rows)):
        try:
            table[name] = np.array([float(field) if field else np.nan for field in column])
        except ValueError:
            if name in required:
                raise ValueError(f'{path} has words in column {name}') from None
            table[name] = np.array(column)
    return table


def require(table, path, *names):
    missing = [name for name in names if name not in table]
    if missing:
        raise ValueError(f'{path} has no column {", ".join(missing)}')
    return table


def require_finite(table, path, *names):
    for name in names:
        if not np.isfinite(require(table, path, name)[name]).all():
            raise ValueError(f'{path} has numbers in column {name} that are not finite')
    return table


def _numbers(path, lines, first, count, kind=float):
    """The numbers of some lines: (count, how many in each)."""
    try:
        made = np.array([line.split() for line in lines[first:first + count]], kind)
    except ValueError:  # words, or rows of different lengths
        raise ValueError(f'{path} has no numbers in its lines from {first + 1} on') from None
    if made.ndim != 2 or len(made) != count or made.shape[1] == 0:
        raise ValueError(f'{path} ends within its last state')
    return made


def read_dump(path):
    """The last state of a LAMMPS dump (text): (step, bounds (3, 2), columns by name)."""
    with open(path) as file:
        lines = file.read().split('\n')
    starts = [i for i, line in enumerate(lines) if line.startswith('ITEM: TIMESTEP')]
    if not starts:
        raise ValueError(f'{path} is no dump of LAMMPS: it has no ITEM: TIMESTEP')
    at = starts[-1]
    step = int(_numbers(path, lines, at + 1, 1, int)[0, 0])
    count, bounds, table = None, None, None
    at += 2
    while at < len(lines) and lines[at].startswith('ITEM:'):
        if lines[at].startswith('ITEM: NUMBER OF ATOMS'):
            count = int(_numbers(path, lines, at + 1, 1, int)[0, 0])
            at += 2
        elif lines[at].startswith('ITEM: BOX BOUNDS'):
            bounds = _numbers(path, lines, at + 1, 3)[:, :2]
            if bounds.shape != (3, 2) or not np.isfinite(bounds).all():
                raise ValueError(f'{path} has bounds that are none')
            at += 4
        elif lines[at].startswith('ITEM: ATOMS'):
            if count is None or count < 1:
                raise ValueError(f'{path} has no atoms, or no number of them before them')
            names = lines[at].split()[2:]
            rows = _numbers(path, lines, at + 1, count)
            if rows.shape != (count, len(names)):
                raise ValueError(f'{path} ends within its atoms')
            table = dict(zip(names, rows.T))
            at += 1 + count
        else:
            raise ValueError(f'{path} has {lines[at]!r}')
    if table is None:
        raise ValueError(f'{path} has no ITEM: ATOMS')
    return step, bounds, table
