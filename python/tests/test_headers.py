"""Names and documentation are those of the headers."""
import enum
import inspect
import re

import pytest

import impinge
from conftest import SOURCE
from impinge import _calls, _headers


def header_text():
    return '\n'.join(path.read_text() for path in sorted((SOURCE / 'include/impinge').glob('*.h')))


def test_every_public_call():
    """Read here in another way than python/headers.py does."""
    text = re.sub(r'/\*.*?\*/', '', header_text(), flags=re.S)
    names = set(re.findall(r'IMPINGE_API[^;(]*?\b(impinge_\w+)\(', text))
    assert len(names) > 100
    for name in names:
        assert hasattr(impinge.lib, name), name
        plain = re.sub(r'^impinge_|_f(32|64)$', '', name)
        if not plain.endswith('_workspace'):
            assert plain in _calls.CALLS, f'{plain} has no face in python/impinge/_calls.py'
            assert callable(getattr(impinge, _calls.CALLS[plain].__name__))


def test_every_constant_and_member():
    text = re.sub(r'/\*.*?\*/', '', header_text(), flags=re.S)
    for name in re.findall(r'^\s*(IMPINGE_[A-Z0-9_]+)\s*(?:=|,|$)', text, flags=re.M):
        assert hasattr(impinge.lib, name), name
    for kind, (_, members, _) in _headers.ENUMS.items():
        if kind.startswith('IMPINGE_'):
            continue
        assert len(members) == len(impinge._structs.ENUMS[kind].__members__)


def test_enums():
    assert issubclass(impinge.Law, enum.IntEnum) and issubclass(impinge.Outcome, enum.IntFlag)
    assert len(impinge.Law) == impinge.LAW_COUNT
    assert [impinge.law_name(law) for law in impinge.Law][:3] == ['routh', 'frictionless', 'whittaker']
    assert all(impinge.law_name(law) == law.name.lower().replace('_', '-') for law in impinge.Law)
    assert impinge.Outcome.STUCK | impinge.Outcome.SLID in impinge.OUTCOME_GOT_IMPULSE
    assert impinge.law_properties('bilinear') & impinge.LawProperty.NEEDS_DIAGONAL
    assert len(impinge.law_summary('smith')) > 10
    assert impinge.outcome_text(impinge.Outcome.SLID | impinge.Outcome.STUCK) == 'slid|stuck'
    assert impinge.WORLD == 2 ** 32 - 1 and impinge.PROJECTION_FACTOR_STABLE == 0.5
    assert impinge.Rule.STRONGE == 0 and impinge.RayKind.CONVERGING == -1


def test_documentation():
    for name, kind in vars(impinge).items():
        if inspect.isclass(kind) and issubclass(kind, impinge._structs.Struct):
            assert len(kind.__doc__) > 40, name
    assert '1/kg' in impinge.Contacts.__doc__ and '(n,)' in impinge.Contacts.__doc__
    assert 'k: array (6, ...) or tuple of k11' in impinge.Contacts.__doc__
    for call in _calls.CALLS.values():
        assert len(call.__doc__) > 30, call.__name__
        assert 'impinge_' not in call.__doc__ and 'IMPINGE_' not in call.__doc__, call.__name__
    assert 'Mirtich' in impinge.Law.__doc__


def test_version():
    declared = re.search(r"version: '(.*?)'", (SOURCE / 'meson.build').read_text())[1]
    assert impinge.__version__ == impinge.version() == declared
    major, minor, patch = map(int, declared.split('.'))
    assert impinge.version_number() == impinge.VERSION == major * 1000000 + minor * 1000 + patch


def test_targets():
    names = [name for name, _, _ in impinge.targets()]
    assert names[-1] == 'scalar' and impinge.targets()[-1][2]
    impinge.target_select('scalar')
    assert impinge.target_selected() == 'scalar'
    impinge.target_select(None)
    with pytest.raises(impinge.TargetUnknownError):
        impinge.target_select('')
