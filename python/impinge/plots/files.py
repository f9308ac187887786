"""Reads what the examples write: comma-separated values, and LAMMPS's dumps."""
import csv

import numpy as np


def read_table(path):
    """Columns by name: arrays of numbers (NaN where a field is empty), or of text."""
    with open(path, newline='') as file:
        reader = csv.reader(file)
        names = next(reader)
        rows = [row for row in reader if row]
    table = {}
    for name, column in zip(names, zip(*rows)):
        try:
            table[name] = np.array([float(field) if field else np.nan for field in column])
        except ValueError:
            table[name] = np.array(column)
    return table


def require(table, path, *names):
    missing = [name for name in names if name not in table]
    if missing:
        raise ValueError(f'{path} has no column {", ".join(missing)}')
    return table


def read_dump(path):
    """The last state of a LAMMPS dump (text): (step, bounds (3, 2), columns by name)."""
    with open(path) as file:
        lines = file.read().split('\n')
    starts = [i for i, line in enumerate(lines) if line.startswith('ITEM: TIMESTEP')]
    if not starts:
        raise ValueError(f'{path} is no dump of LAMMPS: it has no ITEM: TIMESTEP')
    at = starts[-1]
    step = int(lines[at + 1])
    count, bounds, table = None, None, None
    at += 2
    while at < len(lines) and lines[at].startswith('ITEM:'):
        if lines[at].startswith('ITEM: NUMBER OF ATOMS'):
            count = int(lines[at + 1])
            at += 2
        elif lines[at].startswith('ITEM: BOX BOUNDS'):
            bounds = np.array([[float(word) for word in line.split()[:2]]
                               for line in lines[at + 1:at + 4]])
            at += 4
        elif lines[at].startswith('ITEM: ATOMS'):
            names = lines[at].split()[2:]
            rows = np.array([line.split() for line in lines[at + 1:at + 1 + count]], float)
            if rows.shape != (count, len(names)):
                raise ValueError(f'{path} ends within its atoms')
            table = dict(zip(names, rows.T))
            at += 1 + count
        else:
            raise ValueError(f'{path} has {lines[at]!r}')
    if table is None:
        raise ValueError(f'{path} has no ITEM: ATOMS')
    return step, bounds, table
