"""Every call, each against a law of mechanics, a closed form, or another call."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import impinge
from conftest import contacts_of, pairs_of, same_bits, vector
from impinge import Outcome


def spheres_of(table, dtype=np.float64):
    """All spheres of data/spheres_pour.csv as particles: A's, then B's; contact i is of i and n + i."""
    n = len(table['radius_a'])
    particles = impinge.Particles(
        radius=np.concatenate([table['radius_a'], table['radius_b']]).astype(dtype),
        inverse_mass=(1 / np.concatenate([table['mass_a'], table['mass_b']])).astype(dtype))
    for stem in ('position', 'velocity', 'angular_velocity'):
        setattr(particles, stem, np.hstack([vector(table, stem + '_a'),
                                            vector(table, stem + '_b')]).astype(dtype))
    index = np.arange(2 * n, dtype=np.uint32)
    return particles, impinge.ParticleContacts(index_a=index[:n], index_b=index[n:],
                                               model={'kind': 'constant'},
                                               coefficients={'restitution': 0.9, 'friction': 0.4})


def momentum(particles):
    return (particles.velocity / particles.inverse_mass).sum(axis=1)


def kinetic(inverse_mass, velocity):
    return 0.5 * (velocity ** 2 / inverse_mass).sum()


def cradle(e=1.0):
    """Newton's cradle of four equal balls, the first of which comes in at 1 m/s along x."""
    n = 4
    velocity = np.zeros((3, n))
    velocity[0, 0] = 1
    bodies = impinge.Bodies(inverse_mass=np.ones(n), inverse_inertia=np.full((3, n), 2.5),
                            velocity=velocity, angular_velocity=np.zeros((3, n)))
    a = np.arange(1, n, dtype=np.uint32)
    normal, arm = np.zeros((3, n - 1)), np.zeros((3, n - 1))
    normal[0] = 1
    arm[0] = 1
    contacts = impinge.IndexedContacts(index_a=a, index_b=a - 1, arm_a=-arm, arm_b=arm,
                                       normal=normal, restitution=e, friction=0.0)
    return bodies, contacts


def test_body_pairs_keep_momentum(boxes, dtype):
    pairs = pairs_of(boxes, dtype)
    results = impinge.resolve_body_pairs(pairs)
    # A is immovable in some rows; B's change of momentum is -p. Its rounding: that of the velocity
    # (half a unit of it) times the mass, and of the product.
    moves = pairs.b.inverse_mass > 0
    change = results.b.velocity.astype(float) - pairs.b.velocity
    impulse = -results.impulse * pairs.b.inverse_mass.astype(float)
    size = np.abs(results.b.velocity) + np.abs(pairs.b.velocity) + np.abs(impulse)
    assert np.all(np.abs(change - impulse)[:, moves] <= 2 * np.finfo(dtype).eps * size[:, moves])
    assert np.all(results.work_compression <= 0) and np.all(results.work_restitution >= 0)


def test_orientation(boxes):
    """A body in its own frame that is not turned is the body in the world's."""
    pairs = pairs_of(boxes)
    n = len(boxes['friction'])
    world = impinge.resolve_body_pairs(pairs)
    pairs.a.orientation = impinge.Orientation(quaternion=(1.0, 0.0, 0.0, 0.0))
    pairs.b.orientation = impinge.Orientation(rotation=np.repeat(np.eye(3).reshape(9, 1), n, 1))
    own = impinge.resolve_body_pairs(pairs)
    assert np.allclose(own.impulse, world.impulse, rtol=1e-9, atol=1e-12 * np.abs(world.impulse).max())
    pairs.a.orientation.rotation = np.repeat(np.eye(3).reshape(9, 1), n, 1)
    with pytest.raises(impinge.ArgumentError):
        impinge.resolve_body_pairs(pairs)


def test_indexed_contacts():
    bodies, contacts = cradle()
    sharing = impinge.count_sharing(impinge.ContactGraph(index_a=contacts.index_a,
                                                         index_b=contacts.index_b, bodies=4))
    assert sharing.tolist() == [1, 2, 2, 1]
    results = impinge.resolve_indexed(bodies, contacts)
    # Ball 1 gives half of its mass: p = 2 / (1 + 2) m v; nothing else approaches.
    assert results.impulse[0] == pytest.approx([2 / 3, 0, 0], rel=1e-15)
    assert results.outcome[0] & Outcome.MASS_SPLIT
    assert bodies.velocity[0].tolist() == [1, 0, 0, 0]
    assert impinge.apply_impulses(bodies, contacts, results) == impinge.Status.OK
    assert bodies.velocity_x == pytest.approx([1 / 3, 2 / 3, 0, 0], rel=1e-15)
    alone = cradle()
    ordered = impinge.resolve_independent(*alone, selection=np.array([2, 0], np.uint32))
    assert ordered.impulse[0].tolist() == [1, 0, 0]
    assert alone[0].velocity_x.tolist() == [0, 1, 0, 0]


def test_immovable_bodies():
    bodies, _ = cradle()
    bodies.inverse_mass[2] = 0
    bodies.inverse_inertia_xx[2] = bodies.inverse_inertia_yy[2] = bodies.inverse_inertia_zz[2] = 0
    assert impinge.find_immovable(bodies).tolist() == [0, 0, 1, 0]


def test_colours_and_islands():
    # 0-1, 1-2, 2-3 in a row, 5-6 apart: two colours, two islands.
    graph = impinge.ContactGraph(index_a=[1, 2, 3, 5], index_b=[0, 1, 2, 6], bodies=7)
    colours = impinge.colour_contacts(graph)
    assert colours.count == 2 and colours.starts[:3].tolist() == [0, 3, 4]
    assert colours.order.tolist() == [0, 2, 3, 1]
    islands = impinge.find_islands(graph)
    assert islands.count == 2 and islands.starts[:3].tolist() == [0, 3, 4]
    graph.immovable = np.array([0, 0, 1, 0, 0, 0, 0], np.uint8)
    assert impinge.find_islands(graph).count == 3
    with pytest.raises(ValueError, match='bodies is not given'):
        impinge.find_islands(impinge.ContactGraph(index_a=[0], index_b=[1]))
    with pytest.raises(ValueError, match='workspace has 3'):
        impinge.find_islands(graph, workspace=np.zeros(3, np.uint8))


def test_the_sequence_of_a_cradle(dtype):
    bodies, contacts = cradle()
    for struct in (bodies, contacts):
        for name, member in struct._members.items():
            value = getattr(struct, name)
            if isinstance(value, np.ndarray) and value.dtype == float:
                setattr(struct, name, value.astype(dtype))
    results = impinge.resolve_sequence(bodies, contacts)
    assert bodies.velocity_x.tolist() == [0, 0, 0, 1]
    assert results.report.collisions == 3 and results.report.islands == 1
    assert results.islands.collisions.tolist() == [3]
    assert results.islands.end.tolist() == [impinge.SequenceEnd.COMPLETE]


def test_bodies_as_rows():
    """Velocities as (n, 6), indices as (n, 2): read and written where they stand."""
    bodies, contacts = cradle()
    table = np.zeros((4, 6))
    table[0, 0] = 1
    bodies.velocity, bodies.angular_velocity = table[:, :3].T, table[:, 3:].T
    index = np.stack([contacts.index_a, contacts.index_b], 1)
    contacts.index_a, contacts.index_b = index[:, 0], index[:, 1]
    contacts.normal = np.ascontiguousarray(contacts.normal.T).T
    results = impinge.resolve_sequence(bodies, contacts)
    assert table[:, 0].tolist() == [0, 0, 0, 1] and not table[:, 1:].any()
    assert results.report.collisions == 3


def test_sweeps_of_a_cradle():
    bodies, contacts = cradle()
    before = kinetic(bodies.inverse_mass, bodies.velocity)
    results = impinge.sweep(bodies, contacts, sweep=impinge.SweepOptions(sweeps_max=50))
    assert results.report.approaching == 0 and results.report.collisions >= 3
    assert bodies.velocity_x.sum() == pytest.approx(1, rel=1e-14)
    assert kinetic(bodies.inverse_mass, bodies.velocity) == pytest.approx(before, rel=1e-14)


def test_sets_that_are_none():
    bodies, contacts = cradle()
    graph = impinge.ContactGraph(index_a=contacts.index_a, index_b=contacts.index_b, bodies=4)
    islands, colours = impinge.find_islands(graph), impinge.colour_contacts(graph)
    islands.count, colours.count = 4, 1025
    with pytest.raises(ValueError, match='ContactGroups.count is 4'):
        impinge.resolve_sequence(bodies, contacts, islands)
    with pytest.raises(ValueError, match='ContactGroups.count is 1025'):
        impinge.sweep(bodies, contacts, colours)
    islands.count, colours.count = 1, 1
    islands.starts[1] = 1000
    with pytest.raises(impinge.ArgumentError):
        impinge.resolve_sequence(bodies, contacts, islands)


def falling_box(dtype):
    """A cube on four corners that falls on the world's floor, e = 0.5."""
    n = 4
    bodies = impinge.Bodies(
        inverse_mass=np.ones(1, dtype), inverse_inertia=np.full((3, 1), 6, dtype),
        orientation={'quaternion': np.array([[1], [0], [0], [0]], dtype)},
        velocity=np.array([[0], [0], [-2]], dtype), angular_velocity=np.zeros((3, 1), dtype))
    arm = np.array([[-.5, .5, -.5, .5], [-.5, -.5, .5, .5], [-.5] * 4], dtype)
    normal = np.zeros((3, n), dtype)
    normal[2] = 1
    contacts = impinge.IndexedContacts(
        index_a=np.zeros(n, np.uint32), index_b=np.full(n, impinge.WORLD, np.uint32), arm_a=arm,
        arm_b=np.zeros((3, n), dtype), normal=normal, restitution=0.5, friction=0.4)
    return bodies, contacts


def test_first_invalid_does_not_depend_on_threads():
    bodies, contacts = falling_box(np.float64)
    contacts.index_a = np.full(4, 9, np.uint32)
    backward = np.array([3, 2, 1, 0], np.uint32)
    for threads in (1, 2, 4):
        results = impinge.resolve_indexed(bodies, contacts, selection=backward, threads=threads)
        assert results.status == impinge.Status.SOME_INVALID
        assert results.report.first_invalid == 0


def test_step_of_a_box(dtype):
    bodies, contacts = falling_box(dtype)
    poses = impinge.Poses(position=np.array([[0], [0], [0.5]], dtype),
                          quaternion=bodies.orientation.quaternion.copy())
    options = impinge.StepOptions(time_step=1 / 240, impacts={'rest_speed': 0.05})
    bodies.orientation.quaternion = poses.quaternion
    outcome = np.zeros(8, np.uint32)
    results = impinge.step_bodies(bodies=bodies, contacts=contacts, options=options, poses=poses,
                                  gap=np.zeros(4, dtype), impact_outcome=outcome[::2])
    assert np.all(outcome[::2] & Outcome.STUCK) and not outcome[1::2].any()
    # Four equal contacts: it leaves with half its speed, and does not turn.
    assert bodies.velocity_z[0] == pytest.approx(1, rel=8 * np.finfo(dtype).eps)
    assert abs(bodies.angular_velocity).max() <= 8 * np.finfo(dtype).eps
    assert results.impact_z.sum() == pytest.approx(3, rel=8 * np.finfo(dtype).eps)
    assert results.report.contacts == 4 and results.report.collisions > 0
    # At rest on its corners, under gravity's kick, it stays.
    bodies.velocity[...] = 0
    h = options.time_step
    kicked = impinge.BodyStep(bodies=bodies, contacts=contacts, options=options, poses=poses,
                              gap=np.zeros(4, dtype), kick={'z': -9.81 * h})
    for _ in range(3):
        results = impinge.rest_bodies(kicked)
    assert np.all(results.outcome & Outcome.RESTING != 0)
    assert results.impulse_z.sum() == pytest.approx(9.81 * h, rel=0.01)
    impinge.advance_bodies(bodies, poses, h)
    assert poses.position_z[0] == pytest.approx(0.5, abs=1e-4)


def test_parts_of_a_step_and_teams(dtype):
    def run(threads):
        bodies, contacts = falling_box(dtype)
        step = impinge.BodyStep(bodies=bodies, contacts=contacts, gap=np.full(4, -0.01, dtype),
                                options={'time_step': 1 / 60, 'positions': {'slop': 0.001}},
                                poses={'position': np.array([[0], [0], [0.49]], dtype),
                                       'quaternion': np.array([[1], [0], [0], [0]], dtype)})
        impinge.project_body_positions(step, threads=threads) # what parts is not pushed
        impacts = impinge.collide_body_rounds(step, threads=threads)
        rest = impinge.rest_bodies(step, threads=threads)
        return (bodies.velocity, step.poses.position, impacts.impact, rest.impulse)
    for alone, shared in zip(run(1), run(3)):
        assert same_bits(alone, shared)
    assert run(1)[1][2, 0] > 0.49


def interrupted(work, *times):
    """Calls work and sends Ctrl-C at these times, which interrupts it or what follows it."""
    timers = [threading.Timer(at, os.kill, (os.getpid(), signal.SIGINT)) for at in times]
    # A shell ignores it for what runs in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            for timer in timers:
                timer.start()
            work()
            time.sleep(1)
    finally:
        signal.signal(signal.SIGINT, lambda *_: None)  # one that comes late is of no test
        for timer in timers:
            timer.join()
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_call_after_all_its_members():
    begun, ended = [], []

    def member(i):
        begun.append(i)
        time.sleep(0.2)
        ended.append(i)
    interrupted(lambda: impinge._calls.together(3, member, None), 0.05, 0.1, 0.12)
    assert sorted(begun) == sorted(ended) == [0, 1, 2]


def test_ctrl_c_before_all_members_begin(monkeypatch):
    # None begins: one that did would wait for the others at a barrier.
    begun, start = [], threading.Thread.start

    def interrupt(thread):
        start(thread)
        if len(started) == 1:
            raise KeyboardInterrupt
        started.append(thread)
    started = []
    monkeypatch.setattr(threading.Thread, 'start', interrupt)
    with pytest.raises(KeyboardInterrupt):
        impinge._calls.together(3, begun.append, None)
    started[0].join(10)
    assert not started[0].is_alive() and not begun


@pytest.mark.parametrize('after', [0.01, 0.03])
def test_ctrl_c_leaves_nothing_that_is_still_written(after):
    n = 150000
    u = np.random.default_rng(1).normal(size=(3, n))
    u[2, :n // 2] = 1  # they separate: one member has little to do
    u[2, n // 2:] = -1
    contacts = impinge.Contacts(k=np.tile([[20], [-11.5], [4], [31], [-7], [8.]], n), u=u,
                                restitution=0.5, friction=0.5)
    results = impinge.ContactResults(p=np.zeros((3, n)))
    seen = []

    def work():
        try:
            impinge.resolve_contacts(contacts, results=results, threads=2)
        except KeyboardInterrupt:
            seen.append(results.p.copy())
            raise
    interrupted(work, after)
    time.sleep(0.1)
    for p in seen:
        assert same_bits(p, results.p)


def test_ctrl_c_in_a_path_is_raised(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr(impinge._calls, 'read_back', interrupt)
    with pytest.raises(KeyboardInterrupt):
        impinge.trace_contact(matrix=(20, -11.5, 4, 31, -7, 8), u1=1, u2=0, u3=-1, restitution=0.5,
                              friction=0.5)


def test_steps_say_what_is_missing():
    bodies, contacts = falling_box(np.float64)
    with pytest.raises(impinge.NullPointerError, match='options'):
        impinge.step_bodies(bodies=bodies, contacts=contacts)
    with pytest.raises(impinge.OptionError):
        impinge.step_bodies(bodies=bodies, contacts=contacts, options={'time_step': -1})
    with pytest.raises(ValueError, match='threads'):
        impinge.step_bodies(bodies=bodies, contacts=contacts, options={'time_step': 1}, threads=65)
    with pytest.raises(ValueError, match='gap has the shape'):
        impinge.step_bodies(bodies=bodies, contacts=contacts, options={'time_step': 1},
                            gap=np.zeros(3))


def test_matching():
    before = impinge.ContactMemory(key=np.array([3, 5, 9], np.uint64),
                                   impulse=np.arange(9.).reshape(3, 3))
    found = impinge.match_impulses(before, np.array([9, 4, 3], np.uint64))
    assert found.report == 2
    assert found.impulse.tolist() == [[2, 0, 0], [5, 0, 3], [8, 0, 6]]


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize('workspace', [
    np.zeros(2 * 10 ** 6, np.uint8)[::-1], np.zeros(2 * 10 ** 6, np.uint8)[::2],
    np.broadcast_to(np.uint8(0), 10 ** 6), read_only(np.zeros(10 ** 6, np.uint8)),
    np.array([None] * 10 ** 5), np.zeros(10 ** 5), bytearray(10 ** 6)],
    ids=['backward', 'strided', 'broadcast', 'read-only', 'objects', 'float64', 'bytearray'])
def test_workspaces_that_are_none(workspace):
    """Nothing is written to what is no contiguous array of bytes that may be written."""
    before = impinge.ContactMemory(key=np.arange(9, dtype=np.uint64), impulse=np.zeros((3, 9)))
    bodies, contacts = cradle()
    graph = impinge.ContactGraph(index_a=contacts.index_a, index_b=contacts.index_b, bodies=4)
    particles, pairs = three_in_a_row()
    steps = {'options': {'time_step': 1.0}, 'workspace': workspace}
    for call in (lambda: impinge.match_impulses(before, before.key, workspace=workspace),
                 lambda: impinge.colour_contacts(graph, workspace=workspace),
                 lambda: impinge.find_islands(graph, workspace=workspace),
                 lambda: impinge.resolve_sequence(bodies, contacts, workspace=workspace),
                 lambda: impinge.find_neighbours(particles, workspace=workspace),
                 lambda: impinge.collide_particle_pairs(particles, pairs, workspace=workspace),
                 lambda: impinge.step_bodies(bodies=bodies, contacts=contacts, **steps),
                 lambda: impinge.step_particles(particles=particles, contacts=pairs, **steps)):
        with pytest.raises(TypeError, match='a workspace is a contiguous array of uint8'):
            call()


def test_the_workspace_of_matching():
    before = impinge.ContactMemory(key=np.arange(9, dtype=np.uint64), impulse=np.zeros((3, 9)))
    with pytest.raises(ValueError, match='workspace has 3 bytes'):
        impinge.match_impulses(before, before.key, workspace=np.zeros(3, np.uint8))
    space, backward = np.zeros(10 ** 4, np.uint8), before.key[::-1].copy()
    assert impinge.match_impulses(before, backward, workspace=space).report == 9 and space.any()


def test_particles(spheres, dtype):
    particles, contacts = spheres_of(spheres, dtype)
    copy, _ = spheres_of(spheres, dtype)
    before = momentum(particles)
    results = impinge.resolve_particle_pairs(particles, contacts)
    assert np.all(results.overlap > 0) and results.report.contacts == 6173
    impinge.apply_particle_pairs(particles, contacts, results)
    # No particle stands twice: what one gets the other loses, to the rounding of a velocity.
    size = np.abs(particles.velocity / particles.inverse_mass).sum()
    assert np.all(np.abs(momentum(particles) - before) <= np.finfo(dtype).eps * size)
    report = impinge.collide_particle_pairs(copy, contacts)
    assert report.contacts == 6173 and report.status == impinge.Status.OK
    for stem in ('velocity', 'angular_velocity', 'position'):
        assert same_bits(getattr(copy, stem), getattr(particles, stem))


def test_rows_are_columns(spheres, dtype):
    particles, contacts = spheres_of(spheres, dtype)
    columns, _ = spheres_of(spheres, dtype)
    rows = impinge.pack_particle_rows(particles)
    assert rows.motion.shape == (12346, 8) and rows.spin.shape == (12346, 4)
    assert np.array_equal(rows.motion[:, 0], particles.position_x)
    sums = impinge.collide_particle_rows(rows, contacts)
    assert sums.report.contacts == 6173
    assert sums.added.dtype == np.uint8 and sums.added[sums.push.any(axis=1)].all()
    impinge.apply_particle_sums(rows, sums)
    assert not sums.push.any() and not sums.added.any()
    impinge.unpack_particle_rows(rows, particles)
    impinge.collide_particle_pairs(columns, contacts)
    eps = np.finfo(dtype).eps
    # particle_rows.h: not quite the same bits; a velocity by a few units of it and of its change.
    assert np.allclose(particles.velocity, columns.velocity, rtol=8 * eps,
                       atol=8 * eps * np.abs(columns.velocity).max())


def test_only_marked_sums_are_applied():
    """Two free particles at rest get the same impulse; without marks both count, else the one marked."""
    for added, speeds in ((None, [3, 3]), (np.array([0, 5], np.uint8), [0, 3])):
        rows = impinge.ParticleRows(motion=np.tile([0.0, 0, 0, 1, 0, 0, 0, 1], (2, 1)))
        sums = impinge.ParticleSums(push=np.tile([0.0, 0, 0, 0, 3, 0, 0, 0], (2, 1)), added=added)
        assert impinge.apply_particle_sums(rows, sums) == impinge.Status.OK
        assert rows.motion[:, 4].tolist() == speeds
        assert sums.push[:, 4].tolist() == [3 - speed for speed in speeds]
        assert added is None or not added.any()


def test_rows_of_points():
    """They have no spin; two of radius 0.5 that meet head on change their velocities."""
    particles = impinge.Particles(radius=np.full(2, 0.5), inverse_mass=np.ones(2),
                                  position=np.array([[0, 0.9], [0, 0], [0, 0]]),
                                  velocity=np.array([[1.0, -1], [0, 0], [0, 0]]))
    rows = impinge.pack_particle_rows(particles)
    assert rows.spin is None
    contacts = impinge.ParticleContacts(index_a=[0], index_b=[1],
                                        coefficients={'restitution': 1.0})
    impinge.apply_particle_sums(rows, impinge.collide_particle_rows(rows, contacts))
    impinge.unpack_particle_rows(rows, particles)
    assert particles.velocity_x.tolist() == [-1, 1]


def ball(height, speed, dtype=np.float64):
    return impinge.Particles(radius=np.array([0.5], dtype), inverse_mass=np.array([1], dtype),
                             position=np.array([[0], [0], [height]], dtype),
                             velocity=np.array([[0], [0], [speed]], dtype),
                             angular_velocity=np.zeros((3, 1), dtype))


FLOOR = impinge.Planes(normal=(0.0, 0.0, 1.0), offset=0.0)


def test_planes(dtype):
    particles = ball(0.49, -2, dtype)
    floor = impinge.Planes(normal=np.array([[0], [0], [1]], dtype), offset=np.zeros(1, dtype))
    contacts = impinge.ParticleContacts(coefficients={'restitution': 0.5})
    results = impinge.resolve_particle_planes(particles, floor, contacts)
    assert results.impulse_z == pytest.approx([3], rel=4 * np.finfo(dtype).eps)
    impinge.apply_particle_planes(particles, contacts, results)
    assert particles.velocity_z == pytest.approx([1], rel=4 * np.finfo(dtype).eps)


def test_sharing_is_of_particles_not_of_planes():
    corner = impinge.Planes(normal=np.array([[0., 1], [0, 0], [1, 0]]), offset=np.zeros(2))
    contacts = impinge.ParticleContacts(index_a=[0, 0], index_b=[0, 1],
                                        coefficients={'restitution': 0.5},
                                        sharing=np.array([2], np.uint32))
    results = impinge.resolve_particle_planes(ball(0.49, -2.0), corner, contacts)
    assert results.outcome[0] & Outcome.STUCK


def test_restitution_models():
    def rebound(**model):
        particles = ball(0.49, -2.0)
        contacts = impinge.ParticleContacts(coefficients={'restitution': 0.5, 'model': model})
        results = impinge.resolve_particle_planes(particles, FLOOR, contacts)
        return results.impulse_z[0] / 2 - 1
    assert rebound(kind='threshold', speed=3) == 0
    assert rebound(kind='threshold', speed=1) == 0.5
    table = dict(table_speed=np.array([1., 3]), table_restitution=np.array([0.8, 0.4]))
    assert rebound(kind='table', **table) == pytest.approx(0.6, rel=1e-15)
    with pytest.raises(impinge.ArgumentError):
        rebound(kind='table', table_speed=np.array([3., 1]), table_restitution=np.ones(2))


@pytest.mark.parametrize('table, words', [
    ({'table_restitution': np.ones(2)}, 'table_speed is no array'),
    ({'table_speed': np.ones(2)}, 'table_restitution is no array'),
    ({'table_speed': np.array([1.0, 2]), 'table_restitution': np.ones(3)},
     'table_speed has 2 elements, table_restitution has 3'),
    ({'table_speed': np.array([1.0, 2]), 'table_restitution': np.ones(1)}, 'table_restitution has 1'),
    ({'table_speed': np.array([1.0, 2]), 'table_restitution': 0.5}, 'table_restitution is no array'),
    ({'table_speed': 1.0, 'table_restitution': 0.5}, 'table_speed is no array'),
    ({'table_speed': np.ones((2, 2)), 'table_restitution': np.ones(2)}, 'table_speed is no array')])
def test_tables_that_are_none(table, words):
    contacts = impinge.Contacts(k=(3.5, 0, 0, 3.5, 0, 1), u=(0.7, 0, -1))
    contacts.coefficients = {'model': {'kind': 'table', **table}}
    with pytest.raises(ValueError, match=words):
        impinge.resolve_contacts(contacts)


def three_in_a_row():
    """Three that fall on each other's middle: the one between gets two impulses."""
    particles = impinge.Particles(radius=np.full(3, 0.5), inverse_mass=np.ones(3),
                                  position=np.array([[-0.99, 0, 0.99], [0, 0, 0], [0, 0, 0]]),
                                  velocity=np.array([[1., 0, -1], [0, 0, 0], [0, 0, 0]]))
    return particles, impinge.ParticleContacts(index_a=[0, 1], index_b=[1, 2],
                                               coefficients={'restitution': 1.0})


def test_impulses_are_shared():
    particles, contacts = three_in_a_row()
    results = impinge.resolve_particle_pairs(particles, contacts)
    counts = impinge.count_impulses(particles, contacts, results)
    assert counts.tolist() == [1, 2, 1]
    assert impinge.count_impulses(particles, contacts, results, counts=counts) is counts
    assert counts.tolist() == [2, 4, 2]
    # Each impulse is 1; half of it is added.
    impinge.apply_particle_pairs(particles, contacts, results)
    assert particles.velocity_x.tolist() == [0.5, 0, -0.5]
    assert np.all(results.outcome & Outcome.MASS_SPLIT)
    alone, contacts = three_in_a_row()
    contacts.independent = True
    impinge.apply_particle_pairs(alone, contacts, impinge.resolve_particle_pairs(alone, contacts))
    assert alone.velocity_x.tolist() == [0, 0, 0]
    given, contacts = three_in_a_row()
    contacts.sharing = np.array([4, 4, 4], np.uint32)
    impinge.apply_particle_pairs(given, contacts, impinge.resolve_particle_pairs(given, contacts))
    assert given.velocity_x.tolist() == [0.75, 0, -0.75]
    contacts.sharing = np.ones(2, np.uint32)
    with pytest.raises(ValueError, match='sharing has the shape'):
        impinge.collide_particle_pairs(given, contacts)


def test_rows_share_impulses():
    particles, contacts = three_in_a_row()
    rows = impinge.pack_particle_rows(particles)
    assert impinge.count_particle_rows(rows, contacts).tolist() == [1, 2, 1]
    impinge.apply_particle_sums(rows, impinge.collide_particle_rows(rows, contacts))
    assert rows.motion[:, 4].tolist() == [0.5, 0, -0.5]


def test_lists_of_neighbours_share_impulses():
    """Three in a row by their lists: the same as by pairs, whichever particle comes first."""
    particles, contacts = three_in_a_row()
    rows = impinge.pack_particle_rows(particles)
    pairs = impinge.collide_particle_rows(rows, contacts)
    lists = impinge.find_neighbours(particles, full=True)
    assert lists.index.tolist() == [1, 0, 2, 1]
    contacts.index_a = contacts.index_b = None
    assert impinge.count_particle_lists(rows, lists, contacts).tolist() == [1, 2, 1]
    sums = impinge.collide_particle_lists(rows, lists, contacts, selection=slice(1, None))
    assert not sums.push[0].any() and sums.report.contacts == 3
    assert impinge.collide_particle_lists(rows, lists, contacts, sums=sums, selection=slice(1)) is sums
    assert np.array_equal(sums.push, pairs.push)
    impinge.apply_particle_sums(rows, sums)
    assert rows.motion[:, 4].tolist() == [0.5, 0, -0.5]
    with pytest.raises(impinge.CountError):
        impinge.collide_particle_lists(rows, lists, contacts,
                                       selection=impinge.Selection(first=2, count=2))
    lists.starts[1] = 4
    with pytest.raises(ValueError, match='ascend'):
        impinge.collide_particle_lists(rows, lists, contacts)


def test_coefficients_of_lists():
    """One for each element of the lists' index, however many contacts there are said to be."""
    particles, contacts = three_in_a_row()
    rows, lists = impinge.pack_particle_rows(particles), impinge.find_neighbours(particles, full=True)
    calls = impinge.count_particle_lists, impinge.collide_particle_lists
    right = impinge.collide_particle_lists(rows, lists, contacts)
    # Indices and the count are of other lists: these calls ignore them.
    contacts.count = 1
    assert np.array_equal(impinge.collide_particle_lists(rows, lists, contacts).push, right.push)
    contacts.index_a = contacts.index_b = contacts.count = None
    for elements in (0, 1, 3, 5):
        for name in ('restitution', 'friction'):
            some = impinge.ParticleContacts(coefficients={name: np.ones(elements)})
            for call in calls:
                with pytest.raises(ValueError, match=f'have {elements} elements, .*index has 4'):
                    call(rows, lists, some)
    contacts.coefficients.restitution = np.ones(4)
    assert np.array_equal(impinge.collide_particle_lists(rows, lists, contacts).push, right.push)


def test_what_lists_need():
    particles, contacts = three_in_a_row()
    rows, lists = impinge.pack_particle_rows(particles), impinge.find_neighbours(particles, full=True)
    contacts.index_a = contacts.index_b = None
    for call in impinge.count_particle_lists, impinge.collide_particle_lists:
        for absent in ('starts', 'index'):
            with pytest.raises(impinge.NullPointerError, match=f'Neighbours.{absent}'):
                call(rows, copy_with(lists, **{absent: None}), contacts)
        with pytest.raises(ValueError, match='ascend'):
            call(rows, copy_with(lists, starts=lists.starts[:-1]), contacts)
        with pytest.raises(ValueError, match='sharing has the shape'):
            call(rows, lists, copy_with(contacts, sharing=np.ones(2, np.uint32)))
    with pytest.raises(impinge.NullPointerError, match='Neighbours.index'):
        impinge.find_particle_contacts(particles, copy_with(lists, index=None))
    with pytest.raises(ValueError, match='counts has the shape'):
        impinge.count_particle_lists(rows, lists, contacts, counts=np.zeros(2, np.uint32))
    sums = impinge.collide_particle_lists(rows, lists, contacts)
    for name in ('push', 'moment', 'added'):
        if getattr(sums, name) is not None:
            with pytest.raises(ValueError, match=f'{name} has the shape'):
                impinge.collide_particle_lists(rows, lists, contacts, sums=copy_with(
                    sums, **{name: getattr(sums, name)[:2]}))
    # Particles that there are not are no contacts.
    lists.index[:] = 10 ** 6
    assert impinge.collide_particle_lists(rows, lists, contacts).report.invalid == 4


def test_what_has_moved_has_positions():
    position = np.zeros((3, 4))
    for given in ({}, {'position_x': np.zeros(4)}, {'position_x': np.zeros(4), 'position_z': 0.0}):
        particles = impinge.Particles(radius=np.ones(4), **given)
        with pytest.raises(impinge.NullPointerError, match='Particles.position_y'):
            impinge.particles_moved(particles, position, 0.1)
    particles = impinge.Particles(position=position)
    for rows in (2, 4):
        with pytest.raises(ValueError, match='position has 3 rows'):
            impinge.particles_moved(particles, np.zeros((rows, 4)), 0.1)
    with pytest.raises(ValueError, match='x has the shape'):
        impinge.particles_moved(particles, np.zeros((3, 3)), 0.1)
    assert not impinge.particles_moved(impinge.Particles(), np.zeros((3, 0)), 0.1)


def test_projection_factor():
    assert impinge.projection_factor(100, 1, 1, 0.1) == (2.0, False)
    assert impinge.projection_factor(10, 1, 1, 0.1)[1]
    with pytest.raises(impinge.ArgumentError):
        impinge.projection_factor(-1, 1, 1, 0.1)


def row_of_spheres(n, dtype=np.float64):
    position = np.zeros((3, n), dtype)
    position[0] = np.arange(n) * 0.99
    position[2] = 0.4999
    return impinge.Particles(radius=np.full(n, 0.5, dtype), inverse_mass=np.ones(n, dtype),
                             position=position, velocity=np.zeros((3, n), dtype),
                             angular_velocity=np.zeros((3, n), dtype))


@pytest.mark.parametrize('threads', [1, 3])
def test_neighbours(dtype, threads):
    particles = row_of_spheres(50, dtype)
    floor = impinge.Planes(normal=np.array([[0], [0], [1]], dtype), offset=np.zeros(1, dtype))
    found = impinge.find_neighbours(particles, floor, skin=0.1, threads=threads, capacity=3)
    assert found.count == 49 + 50 and found.index.shape == (99,) and found.starts.shape == (51,)
    assert found.index[:2].tolist() == [1, 50]
    full = impinge.find_neighbours(particles, full=True)
    assert full.count == 98
    contacts = impinge.find_particle_contacts(particles, found, floor, threads=threads, capacity=1)
    assert contacts.count == 99 and contacts.index_b.max() == 50
    assert contacts.key[0] == (0 << 32) + 1
    moved = particles.position.copy()
    assert not impinge.particles_moved(particles, moved, 0.05)
    moved[1, 7] += 0.1
    assert impinge.particles_moved(particles, moved, 0.05)
    right = found.starts.copy()
    found.starts[-1] += 1
    with pytest.raises(ValueError, match='ascend'):
        impinge.find_particle_contacts(particles, found)
    found.starts = right
    # Without planes, neighbours that are planes are skipped.
    assert impinge.find_particle_contacts(particles, found).count == 49
    found.starts[5] = 10 ** 6
    with pytest.raises(ValueError, match='ascend'):
        impinge.find_particle_contacts(particles, found)


@pytest.mark.parametrize('threads', [1, 2])
def test_step_of_particles(dtype, threads):
    particles = row_of_spheres(20, dtype)
    particles.velocity[2] = -1
    floor = impinge.Planes(normal=np.array([[0], [0], [1]], dtype), offset=np.zeros(1, dtype))
    near = impinge.find_neighbours(particles, floor)
    found = impinge.find_particle_contacts(particles, near, floor)
    contacts = impinge.ParticleContacts(index_a=found.index_a, index_b=found.index_b,
                                        coefficients={'restitution': 0.5, 'friction': 0.0})
    step = impinge.ParticleStep(particles=particles, planes=floor, contacts=contacts,
                                options={'time_step': 1e-3, 'positions': {'skip': True}})
    results = impinge.step_particles(step, threads=threads)
    assert particles.velocity_z == pytest.approx([0.5] * 20, rel=4 * np.finfo(dtype).eps)
    assert results.report.collisions == 20
    particles.velocity[...] = 0
    impinge.rest_particles(copy_with(step, kick={'z': -0.01}), threads=threads)
    assert np.abs(particles.velocity_z).max() <= 0.01 * np.finfo(dtype).eps
    before = particles.position_z.copy()
    impinge.project_particle_positions(copy_with(step, options={'time_step': 1e-3}))
    assert np.all(particles.position_z > before)
    particles.velocity[2] = -1
    outcome = np.zeros(2 * len(found.index_a), np.uint32)
    impinge.collide_particle_rounds(copy_with(step, impact_outcome=outcome[::2]), threads=threads)
    assert particles.velocity_z == pytest.approx([0.5] * 20, rel=4 * np.finfo(dtype).eps)
    # They have no slip; neighbours in the row do not collide.
    hits_floor = found.index_b == 20
    assert np.all(outcome[::2][hits_floor] == Outcome.STUCK) and hits_floor.sum() == 20
    assert not np.any(outcome[::2][~hits_floor] & (Outcome.SLID | Outcome.STUCK))
    assert not outcome[1::2].any()


def test_rolling_resistance(dtype):
    """A sphere that comes down with p_n = m v and rolls: the couple is rolling R p_n."""
    particles = row_of_spheres(1, dtype)
    radius, mass = float(particles.radius[0]), 1 / float(particles.inverse_mass[0])
    particles.velocity[2] = -1
    particles.angular_velocity = np.array([[100], [0], [0]], dtype)
    floor = impinge.Planes(normal=np.array([[0], [0], [1]], dtype), offset=np.zeros(1, dtype))
    contacts = impinge.ParticleContacts(index_a=[0], index_b=[1])
    resistance = impinge.RollingResistance(rolling=0.25, couple=np.zeros((3, 1), dtype))
    impinge.rest_particles(particles=particles, planes=floor, contacts=contacts,
                           options={'time_step': 1e-3}, rolling_resistance=resistance)
    couple = 0.25 * radius * mass
    assert resistance.couple_x == pytest.approx([-couple], rel=8 * np.finfo(dtype).eps)
    slower = couple / (0.4 * mass * radius ** 2)
    assert particles.angular_velocity_x == pytest.approx([100 - slower], rel=8 * np.finfo(dtype).eps)


def copy_with(step, **members):
    return impinge._calls.copy_of(step, **members)


def test_planar_contacts(cases):
    """In a plane and in space: the same contact, to the tolerance of the law in space."""
    which = np.ones(len(cases['k11']), bool)
    k = {name: cases[name][which] for name in ('k11', 'k13', 'k33', 'u1', 'u3')}
    plane = impinge.PlanarContacts(k=(k['k11'], k['k13'], k['k33']), u=(k['u1'], k['u3']),
                                   restitution=0.5, friction=0.3)
    space = impinge.Contacts(k=(k['k11'], 0, k['k13'], k['k11'], 0, k['k33']),
                             u=(k['u1'], 0, k['u3']), restitution=0.5, friction=0.3)
    flat, full = impinge.resolve_planar_contacts(plane), impinge.resolve_contacts(space)
    size = np.hypot(k['u1'], k['u3'])
    assert np.all(np.abs(flat.u_after - full.u_after[[0, 2]]) <= 1e-11 * size)
    assert flat.p.shape == (2, len(size))


def test_planar_pairs():
    """A disc thrown on the ground: slips, mu = 0.1."""
    disc = impinge.PlanarPairSide(inverse_mass=1.0, inverse_inertia=2.0, arm=(0.0, -1.0),
                                  velocity=(3.0, -1.0), angular_velocity=0.0)
    ground = impinge.PlanarPairSide(inverse_mass=0.0, inverse_inertia=0.0, arm=(0.0, 0.0),
                                    velocity=(0.0, 0.0), angular_velocity=0.0)
    pairs = impinge.PlanarPairs(a=disc, b=ground, normal=(0.0, 1.0), restitution=0.5, friction=0.1)
    results = impinge.resolve_planar_pairs(pairs)
    assert results.impulse[:, 0] == pytest.approx([-0.15, 1.5], rel=1e-15)
    assert results.a.velocity[:, 0] == pytest.approx([2.85, 0.5], rel=1e-15)
    # Clockwise: (r x p) / I = (0 * 1.5 - (-1)(-0.15)) * 2.
    assert results.a.angular_velocity == pytest.approx([-0.3], rel=1e-15)


def test_mechanisms(cases, dtype):
    """A mass matrix of 1 and J = K's Cholesky factor: J M^-1 J^T = K."""
    k = np.array([[cases[f'k{min(i, j)}{max(i, j)}'] for j in '123'] for i in '123'])
    factor = np.linalg.cholesky(np.moveaxis(k, 2, 0))
    u = np.array([cases[f'u{i}'] for i in '123'])
    speeds = np.linalg.solve(factor, u.T[:, :, None])[:, :, 0].T
    n = u.shape[1]
    mass = np.zeros((6, n), dtype)
    mass[[0, 2, 5]] = 1
    mechanisms = impinge.Mechanisms(mass=mass, speeds=np.ascontiguousarray(speeds, dtype),
                                    jacobian=np.moveaxis(factor, 0, 2).reshape(9, n).astype(dtype),
                                    friction=0.0, restitution=1.0)
    results = impinge.resolve_mechanisms(mechanisms, law='frictionless')
    right = -2 * u[2] / k[2, 2]
    valid = results.outcome & Outcome.INVALID == 0
    assert valid.sum() > 0.9 * n and results.speeds.shape == (3, n)
    assert np.allclose(results.p3[valid & (u[2] < 0)], right[valid & (u[2] < 0)],
                       rtol=1e3 * np.finfo(dtype).eps)
    with pytest.raises(ValueError, match='jacobian has the shape'):
        impinge.resolve_mechanisms(impinge.Mechanisms(mass=mass, speeds=mass[:3], jacobian=mass))


def test_planar_mechanisms():
    """A point mass in a plane."""
    mechanisms = impinge.Mechanisms(mass=np.array([[1.], [0], [1]]), speeds=np.array([[1.], [-1]]),
                                    jacobian=np.array([[1.], [0], [0], [1]]), friction=0.25,
                                    restitution=0.5)
    results = impinge.resolve_planar_mechanisms(mechanisms)
    assert results.p[:, 0] == pytest.approx([-0.375, 1.5]) and results.knn[0] == 1
    assert results.speeds[:, 0] == pytest.approx([0.625, 0.5])


def test_rays():
    """docs/figures.md: rays near 87, 209, 281 and 323 degrees."""
    rays = impinge.find_rays((20, 0, 1, 4, 6, 10), 0.7)
    assert [round(np.degrees(ray.angle)) for ray in rays] == [87, 209, 281, 323]
    assert [ray.kind for ray in rays] == [impinge.RayKind.DIVERGING] + [impinge.RayKind.CONVERGING] * 3
    diverging = impinge.find_diverging_ray(np.array([[20, 0, 1], [0, 4, 6], [1, 6, 10]]), 0.7)
    assert diverging.angle == pytest.approx(rays[0].angle, rel=1e-12)
    assert impinge.find_diverging_ray((20, 0, 1, 4, 6, 10), np.inf) is None
    assert impinge.find_rays((1, 0, 0, 1, 0, 1), 0.5) is None
    assert not impinge.sticking_is_stable((20, 0, 1, 4, 6, 10), 0.7)
    assert impinge.sticking_is_stable((20, 0, 1, 4, 6, 10), 1.6)


def test_trace():
    """The last point is bit for bit what resolve_contacts returns."""
    matrix, u = (20, -23, 4, 31, -7, 4), (630, -780, -0.22)
    points, outcome = impinge.trace_contact(matrix=matrix, u1=u[0], u2=u[1], u3=u[2], friction=0.5,
                                            restitution=0.9, points_per_step=4)
    results = impinge.resolve_contacts(impinge.Contacts(k=tuple(map(float, matrix)), u=u,
                                                        restitution=0.9, friction=0.5))
    assert (points[-1].p1, points[-1].p2, points[-1].p3) == tuple(results.p[:, 0])
    assert (points[0].u1, points[0].u2, points[0].u3) == u and points[0].p3 == 0
    assert outcome == results.outcome[0] and len(points) > 20
    assert impinge.trace_state_name(points[0].state) == 'slides'
    assert impinge.trace_phase_name(points[-1].phase) == 'restitution'
    with pytest.raises(impinge.OptionError):
        impinge.trace_contact(matrix=matrix, u3=-1.0, law='smith')


def test_region(cases, dtype):
    contacts = contacts_of(cases, dtype)
    answers = impinge.resolve_contacts(contacts)
    impulses = impinge.Impulses(p=answers.p)
    judged = impinge.judge_impulses(contacts, impulses)
    assert not (judged.mask & impinge.REGION_CONDITIONS).any() and np.all(judged.pull >= 0)
    kept = impinge.project_impulses(contacts, impulses, threads=2)
    assert same_bits(kept.p, answers.p) and np.all(kept.fraction == 1)
    twice = impinge.Impulses(p=2 * answers.p)
    assert (impinge.judge_impulses(contacts, twice).mask & impinge.RegionBit.ENERGY != 0).mean() > 0.5
    projected = impinge.project_impulses(contacts, twice)
    assert not (impinge.judge_impulses(contacts, impinge.Impulses(p=projected.p)).mask
                & impinge.REGION_CONDITIONS).any()


def test_coordinates():
    contact = ((3.5, 0, 0, 3.5, 0, 1), (0.7, 0, -1), 0.5)
    inner = impinge.impulse_of_coordinates(contact, (0, 0, 0))
    assert inner.tolist() == [0, 0, 1.5]
    at = impinge.coordinates_of_impulse(contact, impinge.impulse_of_coordinates(contact, (1, 2, 0.5)))
    assert (at.psi1, at.psi2, at.rho) == pytest.approx((1, 2, 0.5), rel=1e-12)
    bounds = impinge.impulse_ratio_bound(contact, 0.5, (-1, 0))
    assert bounds.cone == 0.5 and bounds.energy_least == 0
    # A l^2 + B l + C = 0 of region.h: A = 5.25, B = -1.4, C = -(1/2): p_n = 1.5.
    assert bounds.energy == pytest.approx((1.4 + np.sqrt(1.4 ** 2 + 4 * 5.25 * 0.5)) / (2 * 5.25))


def test_small_vectors_are_as_long_as_they_are():
    contact = ((3.5, 0, 0, 3.5, 0, 1), (0.7, 0, -1), 0.5)
    for wrong in ((), (0.1,), (0.1, 0), (0.1, 0, 1, 0), 0.1, ((0.1, 0, 1),)):
        with pytest.raises(ValueError, match='at is 3 numbers'):
            impinge.impulse_of_coordinates(contact, wrong)
        with pytest.raises(ValueError, match='impulse is 3 numbers'):
            impinge.coordinates_of_impulse(contact, wrong)
        with pytest.raises(ValueError, match='velocity is 3 numbers'):
            impinge.impulse_of_coordinates((contact[0], wrong, 0.5), (0, 0, 0))
    for wrong in ((), (-1,), (-1, 0, 0), -1):
        with pytest.raises(ValueError, match='direction is 2 numbers'):
            impinge.impulse_ratio_bound(contact, 0.5, wrong)
