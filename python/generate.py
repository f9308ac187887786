"""Writes what the Python module has of the public headers.

    generate.py INCLUDE TEAM_H C_SOURCE PYTHON_SOURCE DEPFILE

C_SOURCE is cffi's C of every public call (API mode: the compiler checks each declaration against
the headers). PYTHON_SOURCE holds names, types and documentation as data, those of both precisions
once: impinge_contacts_f32 is `contacts` with numbers that are `real`.
"""
import contextlib
import io
import pprint
import re
import sys

from cffi import FFI

from headers import Headers

# The names that the module has besides the public calls.
OURS = '''
typedef struct impinge_python_barrier impinge_python_barrier;
impinge_python_barrier *impinge_python_barrier_new(size_t members);
void impinge_python_barrier_free(impinge_python_barrier *barrier);
void impinge_python_barrier_wait(void *barrier);
extern "Python" void impinge_python_visit(void *user, const impinge_trace_point *point);
'''


def plain(name):
    """A name without the library's prefix and the precision."""
    return re.sub(r'^impinge_|_f32$', '', name)


def plain_type(kind, real):
    kind = re.sub(r'impinge_(\w+?)(_f32)?\b', r'\1', kind)
    return re.sub(r'\bfloat\b', 'real', kind) if real else kind


def once(declarations):
    """Declarations of structs or functions, those of f64 left out."""
    found = {}
    for name, (doc, *kind, members) in declarations.items():
        if name.endswith('_f64'):
            continue
        real = name.endswith('_f32')
        members = [(member, plain_type(of, real), *rest) for member, of, *rest in members]
        found[plain(name)] = (doc, real, *kind, members)
    return found


def main(include, team, c_source, python_source, depfile):
    headers = Headers(include)
    ffi = FFI()
    ffi.cdef('\n'.join(headers.declarations) + OURS)
    with open(team) as file:
        ours = file.read()
    ffi.set_source('impinge._core', '#include <impinge/impinge.h>\n' + ours)
    with contextlib.redirect_stdout(io.StringIO()):  # it says that it writes
        ffi.emit_c_code(c_source)
    tables = {
        # documentation of each
        'CONSTANTS': {plain(name.lower()).upper(): doc for name, doc in headers.constants.items()},
        # documentation, members with theirs, whether they are bits
        'ENUMS': {plain(name): of for name, of in headers.enums.items()},
        # documentation, whether it exists in both precisions, members: name, type, const, theirs
        'STRUCTS': once(headers.structs),
        # the same, with the type of what is returned before the parameters
        'FUNCTIONS': once(headers.functions),
    }
    with open(python_source, 'w') as file:
        file.write('"""The declarations of the public headers; written by generate.py."""\n')
        for name, table in tables.items():
            file.write(f'{name} = {pprint.pformat(table, width=99, sort_dicts=False)}\n')
    with open(depfile, 'w') as file:
        seen = ' '.join(str(headers.folder / name).replace(' ', r'\ ') for name in headers.seen)
        file.write(f'{c_source} {python_source}: {seen}\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
