"""The structs, enums and constants of the public headers, as Python has them.

Everything here is made from impinge._headers, which the build writes from the headers: nothing is
listed a second time, but for the shapes of arrays that no type tells (SHAPES).
"""
import enum
import re

import numpy as np

from impinge import _core, _headers

ffi, lib = _core.ffi, _core.lib

# Enums --------------------------------------------------------------------------------------------

_CLASS_NAMES = {'restitution_rule': 'Rule'}


def class_name(name):
    return _CLASS_NAMES.get(name) or ''.join(part.capitalize() for part in name.split('_'))


def _stem(names):
    """The common beginning of all members' names, up to an underscore."""
    first, last = min(names), max(names)
    common = 0
    while common < len(first) and first[common] == last[common]:
        common += 1
    return first[:first.rfind('_', 0, common) + 1]


def _make_enum(name, doc, members, bits):
    names = [member for member, _ in members]
    stem = 'IMPINGE_' if name == 'status' else _stem(names)
    values = {member[len(stem):]: getattr(lib, member) for member in names}
    kind = (enum.IntFlag if bits else enum.IntEnum)(class_name(name), values)
    kind.__module__ = 'impinge'
    listed = '\n'.join(f'    {member[len(stem):]}: {of}' for member, of in members)
    kind.__doc__ = f'{doc}\n\n{listed}\n'
    return kind, {member: f'{kind.__name__}.{member[len(stem):]}' for member in names}


ENUMS = {}  # by the name in the header
_SPELLED = {}  # what C calls a member, and what Python does
CONSTANTS = {}
for _name, (_doc, _members, _bits) in _headers.ENUMS.items():
    if _name.startswith('IMPINGE_'):  # an enum without a name: constants
        CONSTANTS.update({member[8:]: getattr(lib, member) for member, _ in _members})
        continue
    ENUMS[_name], _of = _make_enum(_name, _doc, _members, _bits)
    _SPELLED.update(_of)

for _name in _headers.CONSTANTS:
    _value = getattr(lib, 'IMPINGE_' + _name)
    _kind = _name.split('_')[0].lower()
    if _kind == 'outcome' and not _name.endswith('_SIZE'):
        # Sets of bits: GOT_IMPULSE, INVALID_REASONS, ...
        _value = ENUMS['outcome'](_value)
    CONSTANTS[_name] = _value


def in_python(text):
    """Documentation of the headers, with the names that Python has."""
    def spelled(found):
        name = found[0]
        if name in _SPELLED:
            return _SPELLED[name]
        if name.startswith('IMPINGE_'):
            return name[8:]
        name = re.sub(r'^impinge_|_f(32|64)$', '', name)
        return class_name(name) if name in _headers.STRUCTS or name in ENUMS else name
    text = re.sub(r'\b(impinge|IMPINGE)_\w+', spelled, text)
    return re.sub(r'\b[Nn]ull:', 'None:', text)


def as_member(kind, value):
    """An enum's member from a member, its number, or its name in either spelling."""
    if isinstance(value, str):
        try:
            return kind[value.upper().replace('-', '_')]
        except KeyError:
            names = ', '.join(member.name.lower().replace('_', '-') for member in kind)
            raise ValueError(f'no {kind.__name__} is called {value!r}; there are {names}') from None
    if kind(value) is not None and not isinstance(value, (kind, int, np.integer)):
        raise TypeError(f'{value!r} is no {kind.__name__}')
    return kind(value)


# Numbers ------------------------------------------------------------------------------------------


def real(name, value):
    """The value, unless a conversion would drop something: an imaginary part or a mask."""
    if np.ma.is_masked(value):
        raise TypeError(f'{name} has masked elements: fill them first (filled())')
    array = np.asarray(value)
    if array.dtype.kind in 'US':
        raise TypeError(f'{name} is text, and must be numbers')
    if array.dtype.kind == 'c' or array.dtype.kind == 'O' and any(map(np.iscomplexobj, array.flat)):
        raise TypeError(f'{name} is complex, and must be real')
    return value


def vector(name, value, length):
    """A list of that many floats, as C reads without a count."""
    value = np.asarray(real(name, value))
    if value.shape != (length,):
        raise ValueError(f'{name} is {length} numbers, and was given the shape {value.shape}')
    return [float(one) for one in value]


def whole(value):
    """An int of a number without a fraction."""
    number = int(value)
    if number != value:
        raise ValueError(f'{value!r} is no whole number')
    return number


def truth(value):
    """A bool of one, or of 0 or 1."""
    if np.ndim(value) or value not in (False, True):
        raise ValueError(f'{value!r} is neither true nor false')
    return bool(value)


# Structs ------------------------------------------------------------------------------------------

_NUMBERS = {'size_t': whole, 'uint64_t': whole, 'uint32_t': whole, 'double': float, 'real': float,
            'bool': truth}
_FIXED = {'double[3]': 3}  # how many numbers
_ELEMENTS = {'uint32_t *': np.uint32, 'uint8_t *': np.uint8, 'uint64_t *': np.uint64, 'real *': None}

# The shapes of arrays that are not one element per item of their struct. `n` is the number of items,
# other names are numbers that a call has from its other arguments.
SHAPES = {
    ('indexed_contacts', 'sharing'): '(bodies,)',
    ('mechanisms', 'mass'): '(coordinates * (coordinates + 1) // 2, stride)',
    ('mechanisms', 'jacobian'): '(directions * coordinates, stride)',
    ('mechanisms', 'speeds'): '(coordinates, stride)',
    ('mechanism_results', 'speeds'): '(coordinates, stride)',
    ('planar_mechanism_results', 'speeds'): '(coordinates, stride)',
    ('neighbours', 'starts'): '(particles + 1,)',
    ('neighbours', 'index'): '(capacity,)',
    ('found_contacts', 'index_a'): '(capacity,)',
    ('found_contacts', 'index_b'): '(capacity,)',
    ('found_contacts', 'key'): '(capacity,)',
    ('contact_graph', 'immovable'): '(bodies,)',
    ('particle_contacts', 'sharing'): '(bodies,)',
    ('contact_groups', 'starts'): '(groups + 1,)',
    ('particle_rows', 'motion'): '(n, 8)',
    ('particle_rows', 'spin'): '(n, 4)',
    ('particle_sums', 'push'): '(n, 8)',
    ('particle_sums', 'moment'): '(n, 4)',
    ('restitution', 'table_speed'): '(points,)',
    ('restitution', 'table_restitution'): '(points,)',
    ('kick', 'each_x'): '(bodies,)',
    ('kick', 'each_y'): '(bodies,)',
    ('kick', 'each_z'): '(bodies,)',
    ('poses', '*'): '(bodies,)',
    ('island_results', '*'): '(islands,)',
}

# Components that together are one thing: suffixes, by the order of the rows of the array of all.
_COMPONENTS = [('_xx', '_xy', '_xz', '_yy', '_yz', '_zz'), ('_x', '_y', '_z'), ('_x', '_y'),
               ('11', '12', '13', '22', '23', '33'), ('1', '2', '3'), ('tt', 'tn', 'nn'), ('t', 'n')]
_ROTATION = tuple(f'r{i}{j}' for i in '123' for j in '123')


def _groups(members):
    """{name: members}: k of k11, k12, ...; velocity of velocity_x, ...; u_after of u1_after, ..."""
    arrays = [name for name, member in members.items() if member.kind == 'array']
    groups = {}
    for name in arrays:
        for tail in ('_after', ''):
            for suffixes in _COMPONENTS:
                head = name[:len(name) - len(tail)]
                if not name.endswith(tail) or not head.endswith(suffixes[0]):
                    continue
                stem = head[:len(head) - len(suffixes[0])]
                whole = tuple(stem + suffix + tail for suffix in suffixes)
                if stem and all(one in arrays for one in whole):
                    groups.setdefault(stem + tail, whole)
    # k12 and k13 belong to k, not to a k1 of their own.
    groups = {name: rows for name, rows in groups.items()
              if not any(set(rows) < set(others) for others in groups.values())}
    if 'w' in arrays:
        groups['quaternion'] = ('w', 'x', 'y', 'z')
    if 'r11' in arrays:
        groups.pop('r', None)
        groups['rotation'] = _ROTATION
    return groups


# Which arrays a stride is of, by what is before `_stride`.
_STRIDES = {'': '', 'matrix': r'k(\d\d|[tn][tn])$', 'velocity': r'u[123tn](_after)?$|velocity_[xyz]$',
            'impulse': r'p[123tn]$|impulse_[xyz]$', 'work': 'work_', 'outcome': 'outcome$',
            'inverse_mass': 'inverse_mass$', 'inverse_inertia': 'inverse_inertia', 'arm': 'arm_',
            'angular_velocity': 'angular_velocity', 'normal': 'normal_', 'index': 'index_[ab]$',
            'position': 'position_', 'orientation': '[wxyz]$', 'radius': 'radius$', 'offset': 'offset$',
            'overlap': 'overlap$', 'projection': 'projection$', 'aim': 'aim_', 'impact': 'impact_',
            'couple': 'couple_', 'each': 'each_', 'gap': 'gap$', 'slack': '(energy|interpenetration|pull|cone)$',
            'fraction': 'fraction$', 'mask': 'mask$', 'impact_outcome': 'impact_outcome$'}


def _strided(name, members):
    """{stride: the arrays that it is of}."""
    found = {}
    if name == 'mechanisms':  # rows of matrices stand that far apart: no choice of ours
        return found
    for stride in members:
        if not stride.endswith('stride'):
            continue
        pattern = _STRIDES[stride[:-len('stride')].rstrip('_')]
        found[stride] = [array for array, member in members.items()
                         if member.kind == 'array' and re.match(pattern, array)]
        if not found[stride]:
            raise TypeError(f'{name}.{stride} is of no array that Python knows')
    return found


class Member:
    """A member of a struct."""

    def __init__(self, struct, name, kind, const, doc):
        self.name, self.type, self.const, self.doc = name, kind, const, in_python(doc)
        of = kind.rstrip(' *')
        if (name == 'reserved' or name.endswith('stride') or kind in ('function', 'void *')
                or kind.startswith('size_t[')):
            self.kind = 'hidden'
        elif kind in _ELEMENTS:
            self.kind = 'array'
        elif kind == 'coefficient':
            self.kind = 'coefficient'
        elif of == 'team':
            self.kind = 'hidden'
        elif of in _headers.STRUCTS:
            self.kind = 'pointer' if kind.endswith('*') else 'struct'
        elif kind in ENUMS:
            self.kind = 'enum'
        elif kind in _NUMBERS:
            self.kind = 'number'
        elif kind in _FIXED:
            self.kind = 'fixed'
        else:
            raise TypeError(f'{struct}.{name} is {kind}, which Python does not know')
        self.of = of
        self.shape = SHAPES.get((struct, name)) or SHAPES.get((struct, '*')) or '(n,)'

    def described(self):
        """Its documentation."""
        if self.kind == 'array':
            dtype = _ELEMENTS[self.type]
            kind = f'array {self.shape} of {np.dtype(dtype).name if dtype else "float32 or float64"}'
            kind += '' if self.const else ', written'
        elif self.kind == 'coefficient':
            kind = 'number, or array (n,)'
        elif self.kind in ('struct', 'pointer'):
            kind = class_name(self.of)
        else:
            kind = class_name(self.type) if self.kind == 'enum' else self.type
        return kind + (f'; {self.doc}' if self.doc else '')


def described(members):
    """Lines of documentation; members with the same text stand together."""
    told = {}
    for member in members.values():
        told.setdefault(member.described(), []).append(member.name)
    return [f'    {", ".join(names)}: {text}' for text, names in told.items()]


def _diagonal(rows):
    """The components of a symmetric matrix that stand on its diagonal."""
    return () if rows == _ROTATION else tuple(row for row in rows if row[-2] == row[-1])


class Struct:
    """A struct of the library: members by name, arrays as they are given.

    Components can be given as one array with a row for each, of shape (components, n), or as a
    tuple: `velocity` for `velocity_x`, `velocity_y` and `velocity_z`. A number stands for an array
    that has it everywhere, where the array is only read.
    """

    def __init__(self, **members):
        for name, value in members.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        if name in self._groups:
            rows = self._groups[name]
            given = rows
            if value is not None and len(value) != len(rows):
                given = _diagonal(rows)
                if len(value) != len(given):
                    raise ValueError(f'{name} has {len(rows)} rows ({", ".join(rows)}), '
                                     f'not {len(value)}')
            for row in rows:  # all: what was given before may have had more
                setattr(self, row, value[given.index(row)]
                        if value is not None and row in given else None)
            if isinstance(value, np.ndarray):
                self.__dict__[name] = value
        elif name in self._members:
            self.__dict__[name] = self._converted(self._members[name], value)
            for group, rows in self._groups.items():
                if name in rows:
                    self.__dict__.pop(group, None)
        elif 'coefficients' in self._members and name in TYPES['coefficients']._members:
            if self.coefficients is None:
                self.coefficients = TYPES['coefficients']()
            setattr(self.coefficients, name, value)
        elif name in ('status', 'report'):
            self.__dict__[name] = value
        else:
            raise AttributeError(f'{type(self).__name__} has no {name!r}; it has '
                                 f'{", ".join(list(self._groups) + list(self._members))}')

    def _converted(self, member, value):
        if value is None:
            return None
        if member.kind == 'enum':
            return as_member(ENUMS[member.type], value)
        if member.kind in ('struct', 'pointer'):
            kind = TYPES[member.of]
            value = kind(**value) if isinstance(value, dict) else value
            if not isinstance(value, kind):
                raise TypeError(f'{type(self).__name__}.{member.name} is a {kind.__name__}, '
                                f'not {value!r}')
            return value
        if member.kind in ('array', 'coefficient'):
            real(member.name, value)
            return value if np.isscalar(value) else np.asarray(value)
        if member.kind == 'number':
            return _NUMBERS[member.type](real(member.name, value))
        return value

    def __getattr__(self, name):
        # Called for what no member was set to.
        if name in self._groups:
            given = tuple(row for row in self._groups[name] if getattr(self, row) is not None)
            if given not in (self._groups[name], _diagonal(self._groups[name])) or not given:
                return None
            return np.stack(np.broadcast_arrays(*(getattr(self, row) for row in given)))
        if name in self._members or name in ('status', 'report'):
            return None
        if 'coefficients' in self._members and name in TYPES['coefficients']._members:
            return None if self.coefficients is None else getattr(self.coefficients, name)
        raise AttributeError(f'{type(self).__name__} has no {name!r}')

    def __dir__(self):
        return [*super().__dir__(), *self._members, *self._groups]

    def __repr__(self):
        said = []
        for name, member in self._members.items():
            value = self.__dict__.get(name)
            if value is None or member.kind == 'hidden':
                continue
            said.append(f'{name}={_short(value)}')
        return f'{type(self).__name__}({", ".join(said)})'

    # Questions of calls -----------------------------------------------------------------------

    def _arrays(self, path=''):
        """All arrays with an element for each item: (name, array), those of by-value structs too."""
        for name, member in self._members.items():
            value = self.__dict__.get(name)
            if value is None or np.isscalar(value):
                continue
            if member.kind == 'struct' and member.of not in ('kick', 'poses'):
                yield from value._arrays(path + name + '.')
            elif member.kind == 'coefficient' or member.kind == 'array' and member.shape == '(n,)':
                yield path + name, value

    def _items(self):
        """How many items there are: the length that all arrays have."""
        lengths = {}
        for name, array in self._arrays():
            if array.ndim != 1:
                raise ValueError(f'{name} has {array.ndim} dimensions, not 1')
            lengths.setdefault(array.shape[0], name)
        if len(lengths) > 1:
            told = ', '.join(f'{name} has {length}' for length, name in lengths.items())
            raise ValueError(f'{type(self).__name__}: arrays of different lengths: {told}')
        return next(iter(lengths), None)

    def _given(self):
        """True if any number stands for an array."""
        return any(isinstance(value, Struct) and value._given() if member.kind == 'struct' else
                   value is not None and member.kind == 'array'
                   for member, value in ((member, self.__dict__.get(name))
                                         for name, member in self._members.items()))

    def _reals(self):
        """The types of all floating-point arrays, and whether each is written."""
        for name, member in self._members.items():
            value = self.__dict__.get(name)
            if isinstance(value, Struct):
                yield from value._reals()
            elif member.type == 'real *' or member.kind == 'coefficient':
                if isinstance(value, np.ndarray):
                    yield name, value.dtype, not member.const and member.kind == 'array'

    def _missing(self):
        """Arrays that are read and were not given, though C may need them."""
        for name, member in self._members.items():
            value = self.__dict__.get(name)
            if isinstance(value, Struct):
                yield from (f'{name}.{one}' for one in value._missing())
            elif (member.kind == 'array' and member.const and value is None
                    and not re.search('None:|are null', member.doc)):
                yield name


def _short(value):
    if isinstance(value, np.ndarray):
        return f'<{value.dtype} {value.shape}>'
    return repr(value)


TYPES = {}  # by the name in the header
for _name, (_doc, _real, _members) in _headers.STRUCTS.items():
    if _name in ('coefficient', 'team'):
        continue
    _of = {member[0]: Member(_name, *member) for member in _members}
    _strides = _strided(_name, _of)
    _of = {name: member for name, member in _of.items() if member.kind != 'hidden'}
    _grouped = _groups(_of)
    _told = [f'    {name}: array ({len(rows)}, ...) or tuple of {", ".join(rows)}'
             for name, rows in _grouped.items()]
    TYPES[_name] = type(class_name(_name), (Struct,), {
        '__module__': 'impinge',
        '__doc__': '\n'.join([in_python(_doc), '', *described(_of),
                              *(['', 'Components together:'] if _told else []), *_told, '']),
        '_name': _name, '_real': _real, '_members': _of, '_groups': _grouped,
        '_strides': _strides})


def results_of(name, n, call, wanted=None):
    """A struct of new arrays for the results of a call, or for the wanted members alone."""
    made = TYPES[name]()
    for member in made._members.values():
        if member.kind == 'struct':
            if wanted is None or member.name in wanted:
                setattr(made, member.name, results_of(member.of, n, call))
    grouped = [row for rows in made._groups.values() for row in rows]
    for group, rows in made._groups.items():
        if wanted is None or group in wanted:
            setattr(made, group, np.zeros((len(rows), n), call.dtype))
    for member in made._members.values():
        if member.kind != 'array' or member.name in grouped and (wanted is None or
                                                                 member.name not in wanted):
            continue
        if wanted is None or member.name in wanted:
            dtype = _ELEMENTS[member.type] or call.dtype
            setattr(made, member.name, np.zeros(call.shape(member.shape, n), dtype))
    unknown = set(wanted or ()) - set(made._members) - set(made._groups)
    if unknown:
        raise ValueError(f'{type(made).__name__} has no {", ".join(sorted(unknown))}')
    return made


class Call:
    """One call: what its arguments are in C, and what is to be kept and copied back."""

    def __init__(self, arguments, dtype=None):
        self.kept = []
        self.known = {}  # names in SHAPES
        self.sizes = {}  # by a struct's identity: its items, and the counts that C is told
        self.copied = []  # (copy that C writes, array that it stands for)
        self.dtype = np.dtype(dtype or self.precision(arguments))
        if self.dtype not in (np.float32, np.float64):
            raise TypeError(f'numbers are float32 or float64, not {self.dtype}')
        self.suffix = '_f32' if self.dtype == np.float32 else '_f64'

    @staticmethod
    def precision(arguments):
        """float32 if all floating-point arrays are that; else float64."""
        found = {}
        for argument in arguments:
            if isinstance(argument, Struct):
                for name, dtype, written in argument._reals():
                    if dtype.kind == 'f':
                        found.setdefault(dtype.newbyteorder('='), []).append((name, written))
            elif isinstance(argument, np.ndarray) and argument.dtype.kind == 'f':
                found.setdefault(argument.dtype.newbyteorder('='), []).append(('an array', False))
        if len(found) > 1:
            # Input is converted. Output is not: it would be rounded without the caller's knowledge.
            for dtype, names in found.items():
                written = [name for name, is_written in names if is_written]
                if dtype != np.float64 and written:
                    others = [names[0][0] for other, names in found.items() if other != dtype]
                    raise TypeError(f'{written[0]} is {dtype} and written, but {others[0]} is not '
                                    f'{dtype}: give one precision')
            return np.float64
        return next(iter(found), np.dtype(np.float64))

    def array(self, name, value, dtype, shape, written, strided=False):
        """A pointer to an array's elements: the array's own if its type and stride fit."""
        if not isinstance(value, np.ndarray):
            if written:
                raise TypeError(f'{name} is written, and must be an array')
            if not np.isscalar(value):
                raise TypeError(f'{name} is no array')
            value = np.broadcast_to(value, shape)
        real(name, value)
        if value.ndim != len(shape) or value.shape[1:] != shape[1:] or value.shape[0] < shape[0]:
            raise ValueError(f'{name} has the shape {value.shape}, not {shape}')
        if written and not value.flags.writeable:
            raise ValueError(f'{name} is written, and may not be')
        fits = value if strided else np.require(value, dtype, ['C', 'A'])
        if dtype.kind == 'u' and fits is not value and not np.array_equal(fits, value):
            raise ValueError(f'{name} has numbers that are no {dtype}')
        if fits is not value:
            if written:
                if value.dtype != dtype:
                    raise TypeError(f'{name} is written, and must be {dtype}, not {value.dtype}')
                self.copied.append((fits, value))
        self.kept.append(fits)
        kind = {'f4': 'float', 'f8': 'double', 'u4': 'uint32_t', 'u1': 'uint8_t', 'u8': 'uint64_t'}
        return ffi.cast(kind[dtype.str[1:]] + ' *', fits.ctypes.data)

    def size(self, value, otherwise=None):
        """The number of items of a struct with a count; the number that C gets is kept for it."""
        told = {}
        own = value._items()
        if value._name == 'mechanisms':
            speeds = np.asarray(value.speeds)
            if speeds.ndim != 2:
                raise ValueError('Mechanisms.speeds has a row for each coordinate')
            told['coordinates'], told['stride'] = speeds.shape
            self.known.update(told)
            own = told['stride']
        elif value._name == 'particle_rows':
            own = None if value.motion is None else len(value.motion)
        if own is None:
            own = otherwise
        if own is None:  # numbers only: a single one
            own = 1 if value._given() else 0
        if value._name in ('particles', 'particle_rows'):
            self.known['particles'] = own
        count = value.__dict__.get('count')
        count = own if count is None else count
        if not 0 <= count <= own:
            raise ValueError(f'{type(value).__name__}: count {count} of {own}')
        told['count'] = count
        self.sizes[id(value)] = count, told
        return count

    def struct(self, value, n=0):
        """A new C struct with what a Struct holds."""
        name = 'impinge_' + value._name + (self.suffix if value._real else '')
        made = ffi.new(name + ' *')
        self.kept.append(made)
        n, told = self.sizes.get(id(value), (n, {}))
        self.fill(made, value, n)
        for member, number in told.items():
            setattr(made, member, number)
        return made

    def strides(self, made, value):
        """Tells C the strides of arrays that can be used as they stand; returns their names."""
        fitting = set()
        for stride, names in value._strides.items():
            arrays = {name: value.__dict__[name] for name in names
                      if value.__dict__.get(name) is not None}
            steps = {self.step(array, np.dtype(_ELEMENTS[value._members[name].type] or self.dtype))
                     for name, array in arrays.items()}
            if len(steps) == 1 and None not in steps:
                setattr(made, stride, steps.pop())
                fitting.update(arrays)
        return fitting

    @staticmethod
    def step(array, dtype):
        """How many elements on the next one stands; None: it cannot be used so."""
        if (not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != dtype
                or not array.dtype.isnative or not array.flags.aligned
                or array.strides[0] <= 0 or array.strides[0] % dtype.itemsize):
            return None
        return array.strides[0] // dtype.itemsize

    def fill(self, made, value, n):
        strided = self.strides(made, value)
        if value._name == 'restitution':
            made.points = self.known['points'] = self.points(value)
        for member in value._members.values():
            held = value.__dict__.get(member.name)
            if held is None or value._name == 'restitution' and member.name == 'points':
                continue
            if member.kind == 'coefficient':
                self.coefficient(getattr(made, member.name), member.name, held, n)
            elif member.kind == 'struct':
                self.fill(getattr(made, member.name), held, n)
            else:
                if member.kind == 'array':
                    dtype = np.dtype(_ELEMENTS[member.type] or self.dtype)
                    held = self.array(f'{type(value).__name__}.{member.name}', held, dtype,
                                      self.shape(member.shape, n), not member.const,
                                      member.name in strided)
                elif member.kind == 'pointer':
                    held = self.struct(held, n)
                elif member.kind == 'fixed':
                    held = vector(f'{type(value).__name__}.{member.name}', held, _FIXED[member.type])
                setattr(made, member.name, held)

    @staticmethod
    def points(restitution):
        """The number of points of a table; 0: there is none. C reads both columns by this number."""
        columns = {name: restitution.__dict__.get(name)
                   for name in ('table_speed', 'table_restitution')}
        if all(column is None for column in columns.values()):
            return 0
        for name, column in columns.items():
            if np.ndim(column) != 1:  # or not given
                raise ValueError(f'Restitution.{name} is no array of one dimension, '
                                 'which a table needs')
        speeds, restitutions = map(len, columns.values())
        if speeds != restitutions:
            raise ValueError(f'Restitution: table_speed has {speeds} elements, '
                             f'table_restitution has {restitutions}')
        return speeds

    def shape(self, text, n):
        return eval(text, {'n': n, **self.known})  # ours: SHAPES above

    def coefficient(self, made, name, value, n):
        made.given = True
        if isinstance(value, np.ndarray):
            step = self.step(value, self.dtype)
            made.stride = step or 0
            made.values = self.array(name, value, self.dtype, (n,), False, step is not None)
        else:
            made.value = value

    def done(self):
        """Copies results from temporary arrays to the caller's."""
        for copy, array in self.copied:
            array[...] = copy


def read_back(made, value):
    """The numbers that C wrote into a struct."""
    for member in value._members.values():
        if member.kind in ('number', 'enum'):
            setattr(value, member.name, getattr(made, member.name))
    return value
