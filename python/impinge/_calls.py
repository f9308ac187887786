"""The public calls, each with its arguments as Python has them.

A call allocates what it is not given (results, workspaces), makes C structs of its arguments,
which point to the caller's arrays, and raises an exception where C returns an error. Python's lock
is not held while C runs.
"""
import inspect
import itertools
import queue
import threading

import numpy as np

from impinge import _headers
from impinge._structs import (CONSTANTS, ENUMS, TYPES, Call, Struct, as_member, class_name, ffi,
                              in_python, lib, read_back, real, results_of, vector)

Status = ENUMS['status']
CALLS = {}  # what this module has of each public call

# Errors -------------------------------------------------------------------------------------------


class Error(ValueError):
    """A call that did nothing; `status` says why. Each error of Status has a class of its own."""
    status = None


ERRORS = {}
for _status in Status:
    if _status < 0:
        _name = ''.join(part.capitalize() for part in _status.name.split('_')[1:]) + 'Error'
        ERRORS[_status] = type(_name, (Error,), {
            '__module__': 'impinge', 'status': _status,
            '__doc__': ffi.string(lib.impinge_status_text(_status)).decode()})


def check(status, what='', given=()):
    """The status, or an exception if it is an error. `given`: the structs of the call, of which a
    null pointer may be a member.
    """
    status = Status(status)
    if status == Status.ERROR_NULL_POINTER:
        names = [f'{type(one).__name__}.{name}' for one in given if one is not None
                 for name in one._missing()]
        what = what or 'Not given: ' * bool(names) + ', '.join(names)
    if status < 0:
        text = ffi.string(lib.impinge_status_text(status)).decode()
        raise ERRORS[status](f'{text} {what}'.strip())
    return status


# Calling ------------------------------------------------------------------------------------------


def public(*names):
    """Documents a call by its header. `names`: the calls of the library that it makes."""
    def of(function):
        called = names or (function.__name__,)
        told = [inspect.cleandoc(function.__doc__)] if function.__doc__ else []
        for name in called:
            CALLS[name] = function
        doc = in_python(_headers.FUNCTIONS[called[0]][0])
        function.__doc__ = '\n\n'.join([*told, 'The library says:', doc] if told else [doc]) + '\n'
        function.__module__ = 'impinge'
        return function
    return of


def options_from(options, members, kind='options'):
    """Options as given, or with members of them by name."""
    if isinstance(options, str) or isinstance(options, ENUMS['law']):
        options = TYPES[kind](law=options)
    if members:
        made = TYPES[kind]()
        for name, value in (options.__dict__ if options else {}).items():
            setattr(made, name, value)
        for name, value in members.items():
            if name not in made._members:
                raise TypeError(f'{name!r} is no argument, and no member of {class_name(kind)}')
            setattr(made, name, value)
        return made
    if options is not None and not isinstance(options, TYPES[kind]):
        raise TypeError(f'{options!r} is no {class_name(kind)}')
    return options


def expect(kind, value, optional=False):
    if value is None and optional:
        return value
    if not isinstance(value, TYPES[kind]):
        raise TypeError(f'a {class_name(kind)} is needed, not {value!r}')
    return value


def pointer(call, value, n=0):
    return ffi.NULL if value is None else call.struct(value, n)


def require(struct, *names):
    """An exception for members that are not given, where C does not check."""
    absent = [f'{type(struct).__name__}.{name}' for name in names if getattr(struct, name) is None]
    if absent:
        check(Status.ERROR_NULL_POINTER, 'Not given: ' + ', '.join(absent))


def workspace_of(call, name, given, *sizes):
    """A workspace of as many bytes as `name`_workspace says, aligned to 64: the caller's, or new."""
    asked = getattr(lib, f'impinge_{name}_workspace{call.suffix}', None) or \
        getattr(lib, f'impinge_{name}_workspace')
    size = asked(*sizes)
    if size == 2 ** (8 * ffi.sizeof('size_t')) - 1:
        check(Status.ERROR_COUNT)
    if given is None:
        given = np.empty(size + 64, np.uint8)
    if not isinstance(given, np.ndarray) or given.dtype != np.uint8 or \
            not given.flags.c_contiguous or not given.flags.writeable:
        raise TypeError('a workspace is a contiguous array of uint8 that may be written')
    skipped = -given.ctypes.data % 64
    if given.size < size + skipped:
        raise ValueError(f'the workspace has {given.size} bytes; it needs {size + 64}')
    call.kept.append(given)
    return ffi.cast('void *', given.ctypes.data + skipped)


def together(members, work, kept):
    """Runs work(i) for all members at once, each in a thread, until all have ended; the first
    exception is raised.

    Ctrl-C interrupts only the main thread, which may be the caller's. It computes nothing, so that
    no member is missing at a barrier where others wait, and raises KeyboardInterrupt after all
    members have ended: until then they write to the caller's arrays. `kept` is alive as long as any
    member.
    """
    if members == 1:
        return [work(0)]
    results, errors = [None] * members, []
    woken, left = queue.SimpleQueue(), queue.SimpleQueue()
    agreed, ended = [], []

    def run(i, kept=kept):
        woken.get()
        if not agreed:  # not all could be started
            return
        try:
            results[i] = work(i)
        except BaseException as error:  # handed to the caller's thread
            errors.append(error)
        ended.append(i)
        left.put(None)

    def finish():
        for _ in range(members):
            woken.put(None)
        while agreed and len(ended) < members:
            left.get()  # an interrupted join() takes the thread for one that has ended
    try:
        for i in range(members):
            threading.Thread(target=run, args=(i,)).start()
        agreed.append(True)
        finish()
    except BaseException:
        while True:
            try:
                finish()
                break
            except BaseException:  # interrupted again: the first is raised
                continue
        raise
    if errors:
        raise errors[0]
    return results


class Team:
    """Threads that make one call together (impinge_team), with a barrier in C."""

    def __init__(self, threads):
        if not 1 <= threads <= CONSTANTS['TEAM_MAX']:
            raise ValueError(f'threads are 1 to {CONSTANTS["TEAM_MAX"]}, not {threads}')
        self.threads = threads
        self.barrier = ffi.gc(lib.impinge_python_barrier_new(threads),
                              lib.impinge_python_barrier_free) if threads > 1 else ffi.NULL
        if threads > 1 and not self.barrier:
            raise MemoryError
        self.members = [self.member(i) for i in range(threads)]

    def member(self, i):
        """Its impinge_team."""
        if self.threads == 1:
            return ffi.NULL
        team = ffi.new('impinge_team *')
        team.member, team.members, team.user = i, self.threads, self.barrier
        team.barrier = ffi.addressof(lib, 'impinge_python_barrier_wait')
        return team


def selected(value, n):
    """The first, the count and the order, or None, of a selection among n elements: None (all), a
    Selection, a slice, or an array of the elements' indices.
    """
    if value is None:
        return 0, n, None
    if isinstance(value, slice):
        first, end, step = value.indices(n)
        if step != 1:
            raise ValueError(f'a selection has the step 1, not {step}')
        return first, max(end - first, 0), None
    if not isinstance(value, TYPES['selection']):
        value = TYPES['selection'](order=value)
    first, length = value.first or 0, n if value.order is None else len(value.order)
    count = length - first if value.count is None else value.count
    if first < 0 or count < 0 or first + count > length:
        check(Status.ERROR_COUNT, f'Selection: first {first} and count {count} of {length}')
    return first, count, value.order


def selection_of(call, first, count, order):
    """A C struct of such a selection."""
    made = ffi.new('impinge_selection *')
    made.first, made.count = first, count
    if order is not None:
        made.order = call.array('Selection.order', order, np.dtype(np.uint32), (len(order),), False)
    call.kept.append(made)
    return made


def pointer_to_selected(call, value, n):
    """Null if all are selected."""
    return ffi.NULL if value is None else selection_of(call, *selected(value, n))


def batch(name, batch_struct, chosen, before, between, results, report, threads, call):
    """A call on contacts that are independent of each other, shared out among threads."""
    function = getattr(lib, f'impinge_{name}{call.suffix}')
    first, count, order = chosen
    if not 1 <= threads <= 1024:
        raise ValueError(f'threads are 1 to 1024, not {threads}')
    bounds = [first + count * i // threads for i in range(threads + 1)]

    parts = [selection_of(call, bounds[i], bounds[i + 1] - bounds[i], order)
             for i in range(threads)]
    reports = [ffi.new('impinge_report *') for _ in range(threads)]

    def work(i):
        return function(*before, batch_struct, parts[i], *between, *results, reports[i])
    done = together(threads, work, call)
    for counted in reports:
        read = read_back(counted, TYPES['report']())
        for member in ('contacts', 'invalid', 'steps', 'lane_slots'):
            setattr(report, member, (getattr(report, member) or 0) + getattr(read, member))
        if read.invalid:  # a part's elements may be anywhere, by an order
            before = report.first_invalid
            report.first_invalid = (read.first_invalid if before is None
                                    else min(before, read.first_invalid))
    return next((status for status in done if status < 0), max(done))


def resolve(name, contacts, results_kind, options, results, wanted, threads, members, before=(),
            options_used=True, impulses=None, otherwise=None, kind=None, dtype=None,
            selection=None):
    """The common part of the calls that resolve contacts; returns the results."""
    expect(kind, contacts)
    options = options_from(options, members)
    expect(results_kind, results, optional=True)
    call = Call([*before, contacts, impulses, results], dtype)
    for one in reversed(before):  # the first are what contacts name
        call.known['bodies'] = call.size(one)
    n = call.size(contacts, otherwise)
    call.known['directions'] = 2 if 'planar' in name else 3
    if results is None:
        results = results_of(results_kind, n, call, wanted)
    given = [pointer(call, one) for one in before]
    made = pointer(call, contacts)
    between = [pointer(call, options)] if options_used else [pointer(call, impulses, n)]
    written = pointer(call, results, n)
    report = TYPES['report']()
    status = batch(name, made, selected(selection, n), given, between, [written], report,
                   threads, call)
    results.status = check(status, given=(*before, contacts, impulses))
    results.report = report
    call.done()
    return results


# Contacts that are independent --------------------------------------------------------------------


@public()
def resolve_contacts(contacts, options=None, results=None, *, selection=None, wanted=None,
                     threads=1, **members):
    """Impulses of contacts given by collision matrices and separation velocities.

    contacts: Contacts. options: Options, a law, or members of Options by name (law='smith').
    results: ContactResults whose arrays are written; None: new arrays, of all or of the members
    that are `wanted`. threads: how many share the contacts out; bits do not depend on it.
    selection: which contacts: a Selection or a slice; None: all.
    Returns the results, with .status (OK or SOME_INVALID) and .report (Report).
    """
    return resolve('resolve_contacts', contacts, 'contact_results', options, results, wanted,
                   threads, members, kind='contacts', selection=selection)


@public()
def resolve_body_pairs(pairs, options=None, results=None, *, selection=None, wanted=None, threads=1,
                       **members):
    """Impulses and velocities of pairs of bodies.

    pairs: BodyPairs; the others, and what is returned (BodyPairResults), as in resolve_contacts.
    """
    return resolve('resolve_body_pairs', pairs, 'body_pair_results', options, results, wanted,
                   threads, members, kind='body_pairs', selection=selection)


@public()
def resolve_planar_contacts(contacts, options=None, results=None, *, selection=None, wanted=None,
                            threads=1, **members):
    """Contacts in a plane: PlanarContacts to PlanarContactResults; else as resolve_contacts."""
    return resolve('resolve_planar_contacts', contacts, 'planar_contact_results', options, results,
                   wanted, threads, members, kind='planar_contacts', selection=selection)


@public()
def resolve_planar_pairs(pairs, options=None, results=None, *, selection=None, wanted=None,
                         threads=1, **members):
    """Bodies in a plane: PlanarPairs to PlanarPairResults; else as resolve_contacts."""
    return resolve('resolve_planar_pairs', pairs, 'planar_pair_results', options, results, wanted,
                   threads, members, kind='planar_pairs', selection=selection)


@public()
def resolve_mechanisms(mechanisms, options=None, results=None, *, selection=None, wanted=None,
                       threads=1, **members):
    """Contacts of mechanisms: Mechanisms, whose matrices have the mechanisms in their last axis, to
    MechanismResults; else as resolve_contacts.
    """
    return resolve('resolve_mechanisms', mechanisms, 'mechanism_results', options, results, wanted,
                   threads, members, kind='mechanisms', selection=selection)


@public()
def resolve_planar_mechanisms(mechanisms, options=None, results=None, *, selection=None,
                              wanted=None, threads=1, **members):
    """Mechanisms in a plane: Mechanisms to PlanarMechanismResults; else as resolve_contacts."""
    return resolve('resolve_planar_mechanisms', mechanisms, 'planar_mechanism_results', options,
                   results, wanted, threads, members, kind='mechanisms', selection=selection)


# Bodies by index ----------------------------------------------------------------------------------


@public()
def resolve_indexed(bodies, contacts, options=None, results=None, *, selection=None, wanted=None,
                    threads=1, **members):
    """Impulses of contacts that name their bodies: Bodies and IndexedContacts to IndexedResults.

    contacts.sharing is counted where it is not given. A selection may have an order, or be an array
    of indices. Else as resolve_contacts.
    """
    expect('bodies', bodies)
    expect('indexed_contacts', contacts)
    if contacts.sharing is None and contacts.index_a is not None:
        graph = graph_of(bodies, contacts)
        contacts = copy_of(contacts, sharing=count_sharing(graph))
    return resolve('resolve_indexed', contacts, 'indexed_results', options, results, wanted,
                   threads, members, before=(bodies,), kind='indexed_contacts', selection=selection)


@public()
def resolve_independent(bodies, contacts, options=None, results=None, *, selection=None,
                        wanted=None, threads=1, **members):
    """As resolve_indexed, and writes the bodies' velocities."""
    return resolve('resolve_independent', contacts, 'indexed_results', options, results, wanted,
                   threads, members, before=(expect('bodies', bodies),), kind='indexed_contacts',
                   selection=selection)


def copy_of(struct, **changed):
    """The same members (not copies of arrays), but for some."""
    made = type(struct)()
    made.__dict__.update(struct.__dict__)
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def graph_of(bodies, contacts):
    """The ContactGraph of contacts and their bodies."""
    return TYPES['contact_graph'](index_a=contacts.index_a, index_b=contacts.index_b,
                                  immovable=find_immovable(bodies))


def apply(name, things, contacts, results, changed, selection):
    call = Call([things, contacts, results])
    call.known['bodies'] = total = call.size(things)
    n = call.size(contacts, total)
    made = pointer(call, things)
    status = getattr(lib, f'impinge_{name}{call.suffix}')(
        made, pointer_to_selected(call, changed, total), pointer(call, contacts),
        pointer_to_selected(call, selection, n), pointer(call, results, n))
    status = check(status, given=(things, contacts))
    call.done()
    return status


@public()
def apply_impulses(bodies, contacts, results, *, changed=None, selection=None):
    """Adds IndexedResults to Bodies. changed: which bodies; selection: of which contacts, also by an
    order; None: all. Returns OK.
    """
    return apply('apply_impulses', expect('bodies', bodies), expect('indexed_contacts', contacts),
                 expect('indexed_results', results), changed, selection)


@public()
def find_immovable(bodies):
    """Returns an array of uint8, 1 for each body that no impulse moves."""
    call = Call([expect('bodies', bodies)])
    n = call.size(bodies)
    immovable = np.zeros(n, np.uint8)
    # It looks at inverse mass and inertia, and needs no velocities.
    made = pointer(call, bodies)
    check(getattr(lib, 'impinge_find_immovable' + call.suffix)(
        made, ffi.cast('uint8_t *', immovable.ctypes.data)), given=(bodies,))
    return immovable


def graph_call(graph):
    call = Call([expect('contact_graph', graph)])
    n = graph._items() or 0
    bodies = graph.bodies
    if bodies is None and graph.immovable is not None:
        bodies = len(graph.immovable)
    if bodies is None:
        raise ValueError('ContactGraph.bodies is not given, nor is immovable')
    call.known['bodies'] = bodies
    call.sizes[id(graph)] = n, {'contacts': n, 'bodies': bodies}
    return call, n, bodies


def groups_of(name, most, graph, workspace):
    """ContactGroups, of which there may be `most` (None: one for each contact)."""
    call, n, bodies = graph_call(graph)
    call.known['groups'] = n if most is None else most
    made = results_of('contact_groups', n, call)
    written = pointer(call, made, n)
    check(getattr(lib, 'impinge_' + name)(
        pointer(call, graph), workspace_of(call, name, workspace, n, bodies), written),
        given=(graph,))
    return read_back(written, made)


@public('colour_contacts', 'colour_contacts_workspace')
def colour_contacts(graph, *, workspace=None):
    """Returns the colours of a ContactGraph (ContactGroups). workspace: an array of uint8; None: a
    new one.
    """
    return groups_of('colour_contacts', CONSTANTS['COLOURS_MAX'], graph, workspace)


@public('find_islands', 'find_islands_workspace')
def find_islands(graph, *, workspace=None):
    """Returns the islands of a ContactGraph (ContactGroups). workspace: an array of uint8; None: a
    new one.
    """
    return groups_of('find_islands', None, graph, workspace)


@public()
def count_sharing(graph):
    """Returns an array of uint32: how many contacts each body has."""
    call, _, bodies = graph_call(graph)
    sharing = np.zeros(bodies, np.uint32)
    check(lib.impinge_count_sharing(pointer(call, graph),
                                    ffi.cast('uint32_t *', sharing.ctypes.data)), given=(graph,))
    return sharing


def shared_contacts(bodies, contacts, results, wanted):
    """The common beginning of sweeps and sequences."""
    call = Call([expect('bodies', bodies), expect('indexed_contacts', contacts), results])
    call.known['bodies'] = call.size(bodies)
    n = call.size(contacts)
    expect('indexed_results', results, optional=True)
    return call, n, results or results_of('indexed_results', n, call, wanted)


def given_groups(call, groups, n, most):
    """C's ContactGroups of n contacts, with as many starts as C reads."""
    expect('contact_groups', groups)
    if groups.count is None or groups.count > most:
        raise ValueError(f'ContactGroups.count is {groups.count}; it has to be at most {most}')
    call.known['groups'] = groups.count
    return pointer(call, groups, n)


@public()
def sweep(bodies, contacts, colours=None, options=None, sweep=None, results=None, *, wanted=None,
          **members):
    """Sweeps over colours, writing the velocities of Bodies. colours None: those of the contacts.

    sweep: SweepOptions. Returns IndexedResults, with .report (SweepReport).
    """
    options = options_from(options, members)
    call, n, results = shared_contacts(bodies, contacts, results, wanted)
    colours = colours or colour_contacts(graph_of(bodies, contacts))
    groups = given_groups(call, colours, n, CONSTANTS['COLOURS_MAX'])
    made = pointer(call, bodies)
    report = ffi.new('impinge_sweep_report *')
    status = getattr(lib, 'impinge_sweep' + call.suffix)(
        made, pointer(call, contacts), groups, pointer(call, options),
        pointer(call, expect('sweep_options', sweep, optional=True)), pointer(call, results, n),
        report)
    results.status = check(status, given=(bodies, contacts))
    results.report = read_back(report, TYPES['sweep_report']())
    call.done()
    return results


@public('resolve_sequence', 'resolve_sequence_workspace')
def resolve_sequence(bodies, contacts, islands=None, options=None, sequence=None, results=None, *,
                     selection=None, workspace=None, wanted=None, **members):
    """Collisions one after the other, island by island, writing the velocities of Bodies.

    islands None: those of the contacts. selection: which islands; None: all. sequence:
    SequenceOptions. Returns IndexedResults, with .report (SequenceReport) and .islands
    (IslandResults).
    """
    options = options_from(options, members)
    call, n, results = shared_contacts(bodies, contacts, results, wanted)
    islands = islands or find_islands(graph_of(bodies, contacts))
    groups = given_groups(call, islands, n, n)
    call.known['islands'] = islands.count
    of_islands = results_of('island_results', n, call)
    made = pointer(call, bodies)
    report = ffi.new('impinge_sequence_report *')
    status = getattr(lib, 'impinge_resolve_sequence' + call.suffix)(
        made, pointer(call, contacts), groups, pointer_to_selected(call, selection, islands.count),
        pointer(call, options), pointer(call, expect('sequence_options', sequence, optional=True)),
        workspace_of(call, 'resolve_sequence', workspace, n, call.known['bodies']),
        pointer(call, results, n), pointer(call, of_islands, n), report)
    results.status = check(status, given=(bodies, contacts))
    results.report = read_back(report, TYPES['sequence_report']())
    results.__dict__['islands'] = of_islands
    call.done()
    return results


# Steps --------------------------------------------------------------------------------------------


def step_call(name, kind, workspace_name, step, members, threads, workspace):
    """The common part of all steps and parts of steps; returns the results."""
    if step is None:
        step = TYPES[kind]()
    elif members:
        step = copy_of(expect(kind, step))
    for member, value in members.items():
        setattr(step, member, value)
    expect(kind, step)
    things = step.bodies if kind == 'body_step' else step.particles
    if things is None or step.contacts is None or step.options is None:
        needed = 'bodies' if kind == 'body_step' else 'particles'
        raise NullPointerError(f'a step needs {needed}, contacts and options')
    results = step.results
    call = Call([step])
    call.known['bodies'] = call.size(things)
    require(step.contacts, 'index_a')
    n = call.size(step.contacts)
    if results is None:
        results = results_of('step_results', n, call)
        step = copy_of(step, results=results)
    sizes = [call.known['bodies']]
    if kind == 'body_step':
        sizes = [n] + sizes
    else:
        sizes += [0 if step.planes is None else call.size(step.planes), n]
    made = call.struct(step, n)
    made.workspace = workspace_of(call, workspace_name, workspace, *sizes)
    team = Team(threads)
    function = getattr(lib, f'impinge_{name}{call.suffix}')
    # All before the first member begins: one that failed would be missing at barriers.
    parts = [ffi.new(ffi.typeof(made), made[0]) for _ in range(threads)]
    for part, member in zip(parts, team.members):
        part.team = member
    reports = [ffi.new('impinge_step_report *') for _ in range(threads)]
    status = together(threads, lambda i: function(parts[i], reports[i]), (call, team))[0]
    report = reports[0]
    results.status = check(status, given=(things, step.contacts))
    results.report = read_back(report, TYPES['step_report']())
    call.done()
    return results


NullPointerError = ERRORS[Status.ERROR_NULL_POINTER]

_STEP = """
    step: {kind}, or its members by name. threads: how many make the call together; bits do not
    depend on it. workspace: an array of uint8 to use again; None: a new one. Returns StepResults
    (step.results, or new arrays), with .status and .report (StepReport).
    """


def _step(name, kind, workspace_name):
    def call(step=None, *, threads=1, workspace=None, **members):
        return step_call(name, kind, workspace_name, step, members, threads, workspace)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = _STEP.format(kind=class_name(kind))
    return public(name, workspace_name + '_workspace')(call)


step_bodies = _step('step_bodies', 'body_step', 'step_bodies')
collide_body_rounds = _step('collide_body_rounds', 'body_step', 'step_bodies')
rest_bodies = _step('rest_bodies', 'body_step', 'step_bodies')
project_body_positions = _step('project_body_positions', 'body_step', 'step_bodies')
step_particles = _step('step_particles', 'particle_step', 'step_particles')
collide_particle_rounds = _step('collide_particle_rounds', 'particle_step', 'step_particles')
rest_particles = _step('rest_particles', 'particle_step', 'step_particles')
project_particle_positions = _step('project_particle_positions', 'particle_step', 'step_particles')


@public()
def advance_bodies(bodies, poses, time):
    """Moves Bodies on: Poses are written. Returns OK."""
    call = Call([expect('bodies', bodies), expect('poses', poses)])
    call.known['bodies'] = call.size(bodies)
    made = pointer(call, bodies)
    status = check(getattr(lib, 'impinge_advance_bodies' + call.suffix)(
        made, pointer(call, poses), real('time', time)), given=(bodies,))
    call.done()
    return status


@public('match_impulses', 'match_impulses_workspace')
def match_impulses(before, key, results=None, *, workspace=None):
    """Finds the impulses that contacts had a step before, by their keys.

    before: ContactMemory. key: array (n,) of uint64. results: StepResults to write; None: a new one.
    Returns `results`, with .report: how many were found.
    """
    expect('contact_memory', before)
    expect('step_results', results, optional=True)
    call = Call([before, results])
    count = call.size(before)
    key = np.asarray(real('key', key))
    n = len(key)
    if results is None:
        wanted = ['impulse'] + (['normal'] if before.normal_x is not None else [])
        results = results_of('step_results', n, call, wanted)
    matched = ffi.new('size_t *')
    made = pointer(call, before)
    results.status = check(getattr(lib, 'impinge_match_impulses' + call.suffix)(
        made, n, call.array('key', key, np.dtype(np.uint64), (n,), False), pointer(call, results, n),
        workspace_of(call, 'match_impulses', workspace, count), matched), given=(before,))
    results.report = matched[0]
    call.done()
    return results


# Particles ----------------------------------------------------------------------------------------


@public()
def resolve_particle_pairs(particles, contacts, options=None, results=None, *, selection=None,
                           wanted=None, threads=1, **members):
    """Pairs of Particles, by ParticleContacts, to ParticleResults; else as resolve_contacts."""
    return resolve('resolve_particle_pairs', contacts, 'particle_results', options, results, wanted,
                   threads, members, before=(expect('particles', particles),),
                   kind='particle_contacts', selection=selection)


@public()
def resolve_particle_planes(particles, planes, contacts, options=None, results=None, *,
                            selection=None, wanted=None, threads=1, **members):
    """Particles at Planes, to ParticleResults; else as resolve_contacts.

    Contacts without index_a are those of particle i = contact i.
    """
    expect('particles', particles), expect('particle_contacts', contacts)
    otherwise = None
    if contacts.index_a is None and contacts.index_b is None and particles.radius is not None:
        otherwise = len(np.atleast_1d(particles.radius))
    return resolve('resolve_particle_planes', contacts, 'particle_results', options, results,
                   wanted, threads, members, before=(particles, expect('planes', planes)),
                   kind='particle_contacts', selection=selection, otherwise=otherwise)


@public()
def apply_particle_pairs(particles, contacts, results, *, changed=None, selection=None):
    """Adds ParticleResults to Particles. changed: which particles; selection: of which contacts;
    None: all. Returns OK or SOME_INVALID.

    contacts.sharing is counted where it is not given, of these contacts alone: where particles also
    meet planes, give the counts of both (count_impulses).
    """
    expect('particle_contacts', contacts)
    contacts = shared_out(contacts, lambda: count_impulses(particles, contacts, results,
                                                           selection=selection))
    return apply('apply_particle_pairs', expect('particles', particles), contacts,
                 expect('particle_results', results), changed, selection)


@public()
def apply_particle_planes(particles, contacts, results, *, changed=None, selection=None):
    """Adds ParticleResults of planes to Particles; else as apply_particle_pairs.
    """
    expect('particle_contacts', contacts)
    contacts = shared_out(contacts, lambda: count_impulses(particles, contacts, results, True,
                                                           selection=selection))
    return apply('apply_particle_planes', expect('particles', particles), contacts,
                 expect('particle_results', results), changed, selection)


def reported(call, function, *arguments):
    """A call whose only results are what it writes to its arguments, and a report."""
    report = ffi.new('impinge_report *')
    status = check(getattr(lib, f'impinge_{function}{call.suffix}')(*arguments, report))
    read = read_back(report, TYPES['report']())
    if not read.invalid:
        read.first_invalid = None
    read.status = status
    call.done()
    return read


@public('collide_particle_pairs', 'collide_particle_pairs_workspace')
def collide_particle_pairs(particles, contacts, options=None, *, selection=None, workspace=None,
                           **members):
    """Resolves pairs and applies their impulses to Particles. Returns a Report, with .status."""
    expect('particles', particles), expect('particle_contacts', contacts)
    options = options_from(options, members)
    call = Call([particles, contacts])
    n = call.known['bodies'] = call.size(particles)
    touching = call.size(contacts)
    return reported(call, 'collide_particle_pairs', pointer(call, particles),
                    pointer(call, contacts), pointer_to_selected(call, selection, touching),
                    pointer(call, options),
                    workspace_of(call, 'collide_particle_pairs', workspace, n))


@public()
def count_impulses(particles, contacts, results, planes=False, counts=None, *, selection=None):
    """Counts the impulses of ParticleResults per particle, for ParticleContacts.sharing. planes:
    whether these are contacts with planes. counts: array (n,) of uint32 that is added to; None: a
    new one. Returns it.
    """
    call = Call([expect('particles', particles), expect('particle_contacts', contacts),
                 expect('particle_results', results)])
    n = call.known['bodies'] = call.size(particles)
    counts = np.zeros(n, np.uint32) if counts is None else counts
    touched = call.size(contacts, n)
    made = pointer(call, particles)
    check(getattr(lib, 'impinge_count_impulses' + call.suffix)(
        made, pointer(call, contacts), pointer_to_selected(call, selection, touched), planes,
        pointer(call, results, touched),
        call.array('counts', counts, np.dtype(np.uint32), (n,), True)),
        given=(particles, contacts))
    call.done()
    return counts


def shared_out(contacts, count):
    """Contacts that say how many impulses each particle gets, counted if they do not yet."""
    if contacts.sharing is not None or contacts.independent:
        return contacts
    return copy_of(contacts, sharing=count())


@public()
def projection_factor(stiffness, inverse_mass_a, inverse_mass_b, time_step):
    """Returns (factor, whether it is stable)."""
    factor, stable = ffi.new('double *'), ffi.new('bool *')
    numbers = {'stiffness': stiffness, 'inverse_mass_a': inverse_mass_a,
               'inverse_mass_b': inverse_mass_b, 'time_step': time_step}
    check(lib.impinge_projection_factor(*itertools.starmap(real, numbers.items()), factor, stable))
    return factor[0], stable[0]


def rows_call(name, rows, other, selection):
    """A call on selected rows of both arguments."""
    call = Call([rows, other])
    n = min(call.size(one) for one in (rows, other) if one._name != 'particle_sums')
    made = pointer(call, rows, n)
    # Null would be all of the first, and the other may have fewer.
    some = selection_of(call, *selected(selection, n))
    status = check(getattr(lib, f'impinge_{name}{call.suffix}')(made, some,
                                                                pointer(call, other, n)))
    call.done()
    return status


@public()
def pack_particle_rows(particles, rows=None, *, selection=None):
    """Writes ParticleRows of Particles. rows None: new ones; selection: which; None: all. Returns
    the rows.
    """
    expect('particles', particles)
    if rows is None:
        call = Call([particles])
        rows = results_of('particle_rows', call.size(particles), call)
        if particles.angular_velocity_x is None:
            rows.spin = None
        for axis in 'xyz':
            setattr(rows, 'period_' + axis, getattr(particles, 'period_' + axis))
    rows.status = rows_call('pack_particle_rows', particles, expect('particle_rows', rows),
                            selection)
    return rows


@public()
def unpack_particle_rows(rows, particles, *, selection=None):
    """Writes Particles from ParticleRows. selection: which; None: all. Returns OK."""
    return rows_call('unpack_particle_rows', expect('particle_rows', rows),
                     expect('particles', particles), selection)


@public()
def count_particle_rows(rows, contacts, options=None, counts=None, *, selection=None, **members):
    """Counts the impulses that collide_particle_rows would give each particle. counts: array (n,) of
    uint32 that is added to; None: a new one. Returns it.
    """
    expect('particle_rows', rows), expect('particle_contacts', contacts)
    options = options_from(options, members)
    call = Call([rows, contacts])
    n = call.known['bodies'] = call.size(rows)
    touching = call.size(contacts)
    counts = np.zeros(n, np.uint32) if counts is None else counts
    made = pointer(call, rows)
    reported(call, 'count_particle_rows', made, pointer(call, contacts),
             pointer_to_selected(call, selection, touching), pointer(call, options),
             call.array('counts', counts, np.dtype(np.uint32), (n,), True))
    return counts


@public()
def collide_particle_rows(rows, contacts, options=None, sums=None, *, selection=None, **members):
    """Adds what pairs of ParticleRows do to ParticleSums. sums None: new ones.

    contacts.sharing is counted where it is not given, of these contacts alone
    (count_particle_rows). Returns the sums, with .status and .report (Report).
    """
    expect('particle_rows', rows), expect('particle_contacts', contacts)
    options = options_from(options, members)
    contacts = shared_out(contacts, lambda: count_particle_rows(rows, contacts, options,
                                                                selection=selection))
    call = Call([rows, contacts, sums])
    n = call.known['bodies'] = call.size(rows)
    touching = call.size(contacts)
    if sums is None:
        sums = results_of('particle_sums', n, call)
    expect('particle_sums', sums)
    made = pointer(call, rows)
    sums.report = reported(call, 'collide_particle_rows', made, pointer(call, contacts),
                           pointer_to_selected(call, selection, touching), pointer(call, options),
                           pointer(call, sums, n))
    sums.status = sums.report.status
    return sums


def listed(rows, neighbours, contacts, selection, others=()):
    """A call of ParticleRows by their lists; the structs that C takes first; how many particles."""
    expect('particle_rows', rows), expect('neighbours', neighbours)
    expect('particle_contacts', contacts)
    call = Call([rows, contacts, *others])
    n = call.known['bodies'] = call.size(rows)
    lists = given_lists(call, neighbours, n)
    # C ignores count and indices, and reads coefficients by the elements of the lists' index.
    contacts = copy_of(contacts, count=None, index_a=None, index_b=None)
    call.kept.append(contacts)  # its size is kept by its identity
    length, elements = len(neighbours.index), contacts._items()
    if elements not in (None, length):
        raise ValueError(f'coefficients of ParticleContacts have {elements} elements, '
                         f'Neighbours.index has {length}')
    call.size(contacts, length)
    made = pointer(call, rows)
    return call, [made, pointer_to_selected(call, selection, n), lists, pointer(call, contacts)], n


@public()
def count_particle_lists(rows, neighbours, contacts, options=None, counts=None, *, selection=None,
                         **members):
    """Counts the impulses that collide_particle_lists would give the selected particles; None: all.
    counts: array (n,) of uint32 that is added to; None: a new one. Returns it.
    """
    options = options_from(options, members)
    call, made, n = listed(rows, neighbours, contacts, selection)
    counts = np.zeros(n, np.uint32) if counts is None else counts
    reported(call, 'count_particle_lists', *made, pointer(call, options),
             call.array('counts', counts, np.dtype(np.uint32), (n,), True))
    return counts


@public()
def collide_particle_lists(rows, neighbours, contacts, options=None, sums=None, *, selection=None,
                           **members):
    """Adds to ParticleSums of the selected particles what each gets from those in its list in
    Neighbours (find_neighbours, full=True). selection None: all; sums None: new ones.

    contacts.sharing is counted where it is not given, of all lists (count_particle_lists). Returns
    the sums, with .status and .report (Report).
    """
    expect('particle_contacts', contacts)
    options = options_from(options, members)
    contacts = shared_out(contacts,
                          lambda: count_particle_lists(rows, neighbours, contacts, options))
    call, made, n = listed(rows, neighbours, contacts, selection, [sums])
    if sums is None:
        sums = results_of('particle_sums', n, call)
    expect('particle_sums', sums)
    sums.report = reported(call, 'collide_particle_lists', *made, pointer(call, options),
                           pointer(call, sums, n))
    sums.status = sums.report.status
    return sums


@public()
def apply_particle_sums(rows, sums, *, selection=None):
    """Adds ParticleSums to ParticleRows, and makes the sums zero. selection: which; None: all.
    Returns OK or SOME_INVALID.
    """
    return rows_call('apply_particle_sums', expect('particle_rows', rows),
                     expect('particle_sums', sums), selection)


# Neighbours ---------------------------------------------------------------------------------------


def grown(call, capacity, attempt):
    """Tries with a capacity, and once more with what turned out to be needed."""
    while True:
        status, made, found = attempt(capacity)
        if status == Status.ERROR_COUNT and made.count > capacity:
            capacity = made.count
            continue
        check(status)
        return read_back(made, found)


def cut(found, *names):
    """Arrays of a capacity, without what is not used."""
    for name in names:
        setattr(found, name, getattr(found, name)[:found.count])
    return found


def team_call(call, threads, work):
    team = Team(threads)
    return together(threads, lambda i: work(team.members[i]), (call, team))[0]


@public('find_neighbours', 'find_neighbours_workspace')
def find_neighbours(particles, planes=None, options=None, *, threads=1, workspace=None,
                    capacity=None, **members):
    """Returns the Neighbours of Particles, and of Planes if given.

    options: NeighbourOptions, or its members by name (skin=0.1). capacity: how many neighbours to
    make room for at first; None: eight a particle.
    """
    expect('particles', particles), expect('planes', planes, optional=True)
    options = options_from(options, members, 'neighbour_options')
    call = Call([particles, planes])
    n = call.known['particles'] = call.size(particles)
    if planes is not None:
        call.size(planes)
    made = pointer(call, particles)
    at_planes, how = pointer(call, planes), pointer(call, options)
    space = workspace_of(call, 'find_neighbours', workspace, n)

    def attempt(room):
        call.known['capacity'] = room
        found = results_of('neighbours', n, call)
        written = call.struct(found, n)
        written.capacity = room
        function = getattr(lib, 'impinge_find_neighbours' + call.suffix)
        status = team_call(call, threads, lambda team: function(made, at_planes, how, space, team,
                                                                written))
        return status, written, found
    found = grown(call, 8 * n if capacity is None else capacity, attempt)
    return cut(found, 'index')


@public()
def particles_moved(particles, position, distance):
    """True if some particle is further than `distance` from `position`: (3, n), or a tuple."""
    expect('particles', particles)
    rows = [np.asarray(real('position', row)) for row in position]
    if len(rows) != 3:
        raise ValueError(f'position has 3 rows (x, y, z), not {len(rows)}')
    call = Call([particles, *rows])
    n = call.size(particles)
    if n > 0:
        require(particles, 'position_x', 'position_y', 'position_z')
    made = pointer(call, particles)
    steps = {call.step(row, call.dtype) for row in rows}
    step = steps.pop() if len(steps) == 1 else None
    arrays = [call.array(name, row, call.dtype, (n,), False, step is not None)
              for name, row in zip('xyz', rows)]
    return getattr(lib, 'impinge_particles_moved' + call.suffix)(
        made, *arrays, step or 1, real('distance', distance))


def given_lists(call, neighbours, n):
    """A C struct of Neighbours, whose lists have to lie in the index, as C takes them as they are."""
    require(neighbours, 'starts', 'index')
    starts = np.asarray(neighbours.starts)
    if len(starts) <= n or np.any(starts[:-1] > starts[1:]) or starts[-1] > len(neighbours.index):
        raise ValueError('Neighbours.starts does not ascend to at most the length of index')
    call.known['capacity'] = len(neighbours.index)
    given = call.struct(neighbours, n)
    given.capacity, given.count = len(neighbours.index), starts[n]
    return given


@public()
def find_particle_contacts(particles, neighbours, planes=None, margin=0.0, *, threads=1,
                           capacity=None):
    """Returns the FoundContacts of Neighbours: index_a and index_b, as a step takes them, and key."""
    expect('particles', particles), expect('neighbours', neighbours)
    expect('planes', planes, optional=True)
    call = Call([particles, planes])
    n = call.known['particles'] = call.size(particles)
    if planes is not None:
        call.size(planes)
    made = pointer(call, particles)
    at_planes = pointer(call, planes)
    given, distance = given_lists(call, neighbours, n), real('margin', margin)

    def attempt(room):
        call.known['capacity'] = room
        found = results_of('found_contacts', n, call)
        written = call.struct(found, n)
        written.capacity = room
        function = getattr(lib, 'impinge_find_particle_contacts' + call.suffix)
        status = team_call(call, threads, lambda team: function(made, at_planes, given, distance, team,
                                                                written))
        return status, written, found
    found = grown(call, len(neighbours.index) if capacity is None else capacity, attempt)
    return cut(found, 'index_a', 'index_b', 'key')


# Questions about one contact ----------------------------------------------------------------------


def matrix_of(value):
    """A CollisionMatrix from one, six numbers (k11, k12, k13, k22, k23, k33), or a 3 by 3 array."""
    if isinstance(value, TYPES['collision_matrix']):
        return value
    array = np.asarray(real('matrix', value), float)
    if array.shape == (3, 3):
        if not np.array_equal(array, array.T):
            raise ValueError('a collision matrix is symmetric')
        array = array[np.triu_indices(3)]
    if array.shape != (6,):
        raise ValueError('a collision matrix is six numbers or 3 by 3')
    kind = TYPES['collision_matrix']
    return kind(**dict(zip(kind._members, map(float, array))))


def contact_of(contact):
    if isinstance(contact, TYPES['region_contact']):
        return contact
    matrix, velocity, friction = contact
    return TYPES['region_contact'](matrix=matrix_of(matrix), velocity=velocity, friction=friction)


# The types that the arguments of these calls must have.
_DEFINITE = 'The matrix has to be positive definite, and friction 0 or more.'


@public()
def find_rays(matrix, friction):
    """Returns a list of Ray, or None where every direction is a ray.

    matrix: CollisionMatrix, six numbers or 3 by 3.
    """
    call = Call([])
    rays, count = ffi.new('impinge_ray[]', CONSTANTS['RAYS_MAX']), ffi.new('size_t *')
    check(lib.impinge_find_rays(call.struct(matrix_of(matrix)), real('friction', friction), rays,
                                count), _DEFINITE)
    if count[0] == CONSTANTS['RAYS_EVERY_DIRECTION']:
        return None
    return [read_back(rays[i], TYPES['ray']()) for i in range(count[0])]


@public()
def find_diverging_ray(matrix, friction):
    """Returns a Ray, or None if there is none."""
    call = Call([])
    ray, exists = ffi.new('impinge_ray *'), ffi.new('bool *')
    check(lib.impinge_find_diverging_ray(call.struct(matrix_of(matrix)), real('friction', friction),
                                         ray, exists), _DEFINITE)
    return read_back(ray, TYPES['ray']()) if exists[0] else None


@public()
def sticking_is_stable(matrix, friction_static):
    """Returns whether it is."""
    call = Call([])
    stable = ffi.new('bool *')
    check(lib.impinge_sticking_is_stable(call.struct(matrix_of(matrix)),
                                         real('friction_static', friction_static), stable),
          _DEFINITE)
    return stable[0]


@public()
def impulse_of_coordinates(contact, at):
    """Returns the impulse, array (3,). contact: RegionContact or (matrix, velocity, friction).
    at: RegionCoordinates or (psi1, psi2, rho).
    """
    call = Call([])
    if not isinstance(at, Struct):
        at = TYPES['region_coordinates'](**dict(zip(('psi1', 'psi2', 'rho'), vector('at', at, 3))))
    impulse = ffi.new('double[3]')
    check(lib.impinge_impulse_of_coordinates(call.struct(contact_of(contact)), call.struct(at),
                                             impulse))
    return np.array(list(impulse))


@public()
def coordinates_of_impulse(contact, impulse):
    """Returns RegionCoordinates. contact: as in impulse_of_coordinates."""
    call = Call([])
    at = ffi.new('impinge_region_coordinates *')
    check(lib.impinge_coordinates_of_impulse(call.struct(contact_of(contact)),
                                             vector('impulse', impulse, 3), at))
    return read_back(at, TYPES['region_coordinates']())


@public()
def impulse_ratio_bound(contact, restitution, direction):
    """Returns RatioBounds. contact: as in impulse_of_coordinates. direction: (r1, r2)."""
    call = Call([])
    bounds = ffi.new('impinge_ratio_bounds *')
    check(lib.impinge_impulse_ratio_bound(call.struct(contact_of(contact)),
                                          real('restitution', restitution),
                                          vector('direction', direction, 2), bounds))
    return read_back(bounds, TYPES['ratio_bounds']())


@public()
def judge_impulses(contacts, impulses, judgements=None, *, selection=None, wanted=None, threads=1):
    """Judges Impulses of Contacts. Returns Judgements, with .status and .report; mask has bits of
    RegionBit. The others as in resolve_contacts.
    """
    return resolve('judge_impulses', contacts, 'judgements', None, judgements, wanted, threads, {},
                   options_used=False, impulses=expect('impulses', impulses), kind='contacts',
                   selection=selection)


@public()
def project_impulses(contacts, impulses, projections=None, *, selection=None, wanted=None,
                     threads=1):
    """Brings Impulses into the region. Returns Projections; else as judge_impulses."""
    return resolve('project_impulses', contacts, 'projections', None, projections, wanted, threads,
                   {}, options_used=False, impulses=expect('impulses', impulses), kind='contacts',
                   selection=selection)


_visits = threading.local()


def _visit_failed(kind, error, traceback):
    """Keeps Ctrl-C in a visitor, which C calls and which cannot raise it, for trace_contact."""
    _visits.error = error


@ffi.def_extern(onerror=_visit_failed)
def impinge_python_visit(user, point):
    ffi.from_handle(user).append(read_back(point, TYPES['trace_point']()))


@public('trace_contact')
def trace_contact(contact=None, options=None, points_per_step=1, **members):
    """The path of one contact. contact: TraceInput, or its members by name; matrix as in find_rays.

    Returns (points, outcome): a list of TracePoint and an Outcome.
    """
    of_contact = {name: members.pop(name) for name in list(members)
                  if name in TYPES['trace_input']._members}
    if 'matrix' in of_contact:
        of_contact['matrix'] = matrix_of(of_contact['matrix'])
    contact = TYPES['trace_input'](**of_contact) if contact is None else contact
    options = options_from(options, members)
    call = Call([])
    points = []
    handle = ffi.new_handle(points)
    outcome = ffi.new('uint32_t *')
    _visits.error = None
    check(lib.impinge_trace_contact(call.struct(expect('trace_input', contact)),
                                    pointer(call, options), points_per_step,
                                    lib.impinge_python_visit, handle, outcome))
    if _visits.error is not None:
        raise _visits.error
    return points, ENUMS['outcome'](outcome[0])


# Words, versions, targets -------------------------------------------------------------------------


def words(text):
    return None if text == ffi.NULL else ffi.string(text).decode()


@public()
def status_text(status):
    """Returns a str."""
    return words(lib.impinge_status_text(as_member(Status, status)))


@public()
def outcome_text(outcome):
    """Returns a str such as 'slid|stuck'."""
    text = ffi.new('char[]', CONSTANTS['OUTCOME_TEXT_SIZE'])
    lib.impinge_outcome_text(int(outcome), text, len(text))
    return words(text)


@public()
def law_name(law):
    """Returns a str such as 'chatterjee-ruina'."""
    return words(lib.impinge_law_name(as_member(ENUMS['law'], law)))


@public()
def law_summary(law):
    """Returns a str."""
    return words(lib.impinge_law_summary(as_member(ENUMS['law'], law)))


@public()
def law_properties(law):
    """Returns a LawProperty."""
    return ENUMS['law_property'](lib.impinge_law_properties(as_member(ENUMS['law'], law)))


@public()
def trace_phase_name(phase):
    """Returns a str."""
    return words(lib.impinge_trace_phase_name(as_member(ENUMS['trace_phase'], phase)))


@public()
def trace_state_name(state):
    """Returns a str: 'no-impulse', 'slides', 'sticks' or 'diverges'."""
    return words(lib.impinge_trace_state_name(as_member(ENUMS['trace_state'], state)))


@public()
def version():
    """Returns a str."""
    return words(lib.impinge_version())


@public()
def version_number():
    """Returns an int."""
    return lib.impinge_version_number()


@public('target_count', 'target_name', 'target_description', 'target_available')
def targets():
    """All targets, best first: a list of (name, description, whether this CPU and build have it)."""
    return [(words(lib.impinge_target_name(i)), words(lib.impinge_target_description(i)),
             lib.impinge_target_available(i)) for i in range(lib.impinge_target_count())]


@public()
def target_select(name):
    """name: a str; None: the choice made at first use."""
    check(lib.impinge_target_select(ffi.NULL if name is None else name.encode()))


@public()
def target_selected():
    """Returns a str."""
    name = ffi.new('const char **')
    check(lib.impinge_target_selected(name))
    return words(name[0])
