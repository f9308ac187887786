"""Answers against right ones, and against what C gives for the same arrays."""
import subprocess

import numpy as np
import pytest

import impinge
from conftest import (PROGRAM, SOURCE, bits, columns, contacts_of, pairs_of, same_bits)
from impinge import Law, Outcome, ffi, lib

# The tolerance of routh.csv (tests/test_routh.c), relative to |u0|.
CASE_ERROR = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-11}


@pytest.mark.parametrize('rule', ['stronge', 'poisson', 'newton'])
def test_right_answers(cases, dtype, target, rule):
    which = cases['rule'] == rule
    results = impinge.resolve_contacts(contacts_of(cases, dtype, which), rule=rule)
    assert results.status == impinge.Status.OK
    assert results.p.dtype == dtype
    right = np.array([cases[f'u{i}_after'][which] for i in '123'])
    before = np.array([cases[f'u{i}'][which] for i in '123'])
    error = np.linalg.norm(results.u_after - right, axis=0) / np.linalg.norm(before, axis=0)
    assert error.max() <= CASE_ERROR[dtype]
    # With mu_s > mu the law is undecided for slip that passes zero within rounding; no such
    # case is in the table.
    stuck = results.outcome & Outcome.STUCK != 0
    assert stuck[np.isin(cases['category'][which], ['stuck', 'stuck_at_once'])].all()


def raw_contacts(cases, dtype, law):
    """The same by cffi alone: structs made here, member by member."""
    suffix, real = ('_f32', 'float') if dtype == np.float32 else ('_f64', 'double')
    n = len(cases['k11'])
    held = {}

    def pointer(name, kind=None):
        held[name] = array = (np.zeros(n, np.uint32 if kind else dtype) if name not in cases or name.startswith('p')
                              or name.endswith('_after') else cases[name].astype(dtype))
        return ffi.cast((kind or real) + ' *', ffi.from_buffer(array))
    contacts = ffi.new(f'impinge_contacts{suffix} *')
    contacts.count = n
    for name in ('k11', 'k12', 'k13', 'k22', 'k23', 'k33', 'u1', 'u2', 'u3'):
        setattr(contacts, name, pointer(name))
    for name in ('restitution', 'friction', 'friction_static'):
        getattr(contacts.coefficients, name).values = pointer(name)
    for name, value in OTHERS.items():
        getattr(contacts.coefficients, name).value = value
    results = ffi.new(f'impinge_contact_results{suffix} *')
    for name in ('p1', 'p2', 'p3', 'u1_after', 'u2_after', 'u3_after', 'work_compression',
                 'work_restitution', 'work_friction'):
        setattr(results, name, pointer(name))
    results.outcome = pointer('outcome', 'uint32_t')
    options = ffi.new('impinge_options *')
    options.law = law
    status = getattr(lib, 'impinge_resolve_contacts' + suffix)(contacts, ffi.NULL, options,
                                                                  results, ffi.NULL)
    return status, held


OTHERS = {'tangential_restitution': 0.25, 'mix': 0.5, 'impulse_ratio_t1': 0.125,
          'impulse_ratio_t2': -0.0625}


@pytest.mark.parametrize('law', list(Law))
def test_bits_of_c(cases, dtype, target, law):
    status, right = raw_contacts(cases, dtype, law)
    contacts = contacts_of(cases, dtype)
    for name, value in OTHERS.items():
        setattr(contacts, name, value)
    results = impinge.resolve_contacts(contacts, law)
    assert results.status == status
    for name in results._members:
        assert same_bits(getattr(results, name), right[name]), name
    assert np.any(results.p1 != 0) or law == Law.BILINEAR or law == Law.FRICTIONLESS


@pytest.mark.parametrize('law', [law for law in Law if law != Law.BILINEAR])
@pytest.mark.skipif(PROGRAM is None, reason='IMPINGE_PROGRAM names no program')
def test_bits_of_the_program(boxes, dtype, law, tmp_path):
    """The program reads and prints numbers to the bit."""
    out = tmp_path / 'resolved.csv'
    subprocess.run([PROGRAM, 'resolve', SOURCE / 'data/boxes_pit.csv', '-o', out, '--law',
                    law.name.lower().replace('_', '-'), '--precision',
                    'f32' if dtype == np.float32 else 'f64', '--tangential-restitution', '0.25',
                    '--mix', '0.5', '--impulse-ratio-t1', '0.125', '--impulse-ratio-t2', '0'],
                   check=True, stderr=subprocess.DEVNULL)
    printed = columns(out)
    pairs = pairs_of(boxes, dtype)
    pairs.tangential_restitution, pairs.mix = 0.25, 0.5
    pairs.impulse_ratio_t1, pairs.impulse_ratio_t2 = 0.125, 0
    results = impinge.resolve_body_pairs(pairs, law)
    assert results.report.contacts == len(boxes['friction']) == 4161
    for axis in 'xyz':
        assert same_bits(getattr(results, 'impulse_' + axis),
                         printed['impulse_' + axis].astype(dtype))
        for body in 'ab':
            assert same_bits(getattr(getattr(results, body), 'velocity_' + axis),
                             printed[f'velocity_{body}_{axis}_after'].astype(dtype))


@pytest.mark.parametrize('threads', [2, 5])
def test_threads_keep_bits(boxes, dtype, threads):
    alone = impinge.resolve_body_pairs(pairs_of(boxes, dtype))
    shared = impinge.resolve_body_pairs(pairs_of(boxes, dtype), threads=threads)
    for name in ('impulse', 'work_friction', 'outcome'):
        assert same_bits(getattr(alone, name), getattr(shared, name))
    assert shared.report.contacts == 4161 and shared.report.steps == alone.report.steps
    assert shared.report.first_invalid is None


def test_part_of_a_batch(cases):
    whole = impinge.resolve_contacts(contacts_of(cases))
    n = whole.p.shape[1]
    for selection in (slice(7, 47), impinge.Selection(first=7, count=40)):
        part = impinge.resolve_contacts(contacts_of(cases), selection=selection, threads=3)
        assert part.report.contacts == 40 and part.p.shape == (3, n)
        assert not part.p[:, :7].any() and not part.p[:, 47:].any()
        assert np.array_equal(bits(part.p[:, 7:47]), bits(whole.p[:, 7:47]))
    with pytest.raises(impinge.ArgumentError):
        impinge.resolve_contacts(contacts_of(cases), selection=[1, 0])
    with pytest.raises(impinge.CountError):
        impinge.resolve_contacts(contacts_of(cases), selection=impinge.Selection(first=n + 1))
    with pytest.raises(ValueError, match='step'):
        impinge.resolve_contacts(contacts_of(cases), selection=slice(0, 9, 2))


def test_readme():
    """The README's example: a solid sphere and a rod thrown onto a plane."""
    contacts = impinge.Contacts(
        k=np.array([[3.5, 2.92], [0, 0], [0, 1.44], [3.5, 4], [0, 0], [1, 2.08]], np.float32),
        u=np.array([[0.7, 1], [0, 0], [-1, -1]], np.float32), restitution=0.5, friction=0.1)
    results = impinge.resolve_contacts(contacts)
    printed = [f'p = ({p1:.6f}, {p3:.6f})' for p1, p3 in zip(results.p1, results.p3)]
    assert printed == ['p = (-0.150000, 1.500000)', 'p = (-0.077479, 0.774793)']
    assert all(line in (SOURCE / 'README.md').read_text() for line in printed)
