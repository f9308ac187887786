"""The Python example, and the code of docs/python.md, as they stand."""
import re
import subprocess
import sys

import pytest

from conftest import SOURCE


def run(*arguments):
    return subprocess.run([sys.executable, *map(str, arguments)], check=True, capture_output=True,
                          text=True).stdout


def test_laws(tmp_path):
    path = SOURCE / 'examples/python/laws.py'
    assert 20 <= len(path.read_text().split('\n')) <= 100
    printed = run(path)
    rows = {line.split()[0]: line.split() for line in printed.split('\n')[1:10]}
    assert len(rows) == 9
    # A sphere that comes to roll keeps 5/7 of its tangential velocity.
    assert float(rows['routh'][1]) == pytest.approx(5 / 7 * 2 ** 0.5, abs=1e-4)
    assert float(rows['frictionless'][4]) == pytest.approx(37.5, abs=1e-2)
    assert 'slides throughout from 46.4 degrees; by hand 46.4' in printed


def test_laws_draws(tmp_path):
    pytest.importorskip('matplotlib')
    run(SOURCE / 'examples/python/laws.py', tmp_path / 'laws.svg')
    assert '<svg' in (tmp_path / 'laws.svg').read_text()


def test_code_of_the_documentation():
    blocks = re.findall(r'^```python\n(.*?)^```$', (SOURCE / 'docs/python.md').read_text(),
                        flags=re.S | re.M)
    # The second is a sketch with parts left out; the names in it are real.
    printed = run('-c', blocks[0])
    assert '-0.15' in printed and 'Status' not in printed
    import impinge
    for name in re.findall(r'impinge\.(\w+)', blocks[1]):
        assert hasattr(impinge, name), name
