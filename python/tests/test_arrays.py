"""Arrays in and out: no copies where type and stride fit, and what is refused."""
import numpy as np
import pytest

import impinge
from conftest import contacts_of, same_bits
from impinge import Contacts, ContactResults
from impinge._structs import Call

K = np.array([[3.5, 2.92], [0, 0], [0, 1.44], [3.5, 4], [0, 0], [1, 2.08]])
U = np.array([[0.7, 1], [0, 0], [-1, -1]])


def sphere(**members):
    return Contacts(**{'k': K, 'u': U, 'restitution': 0.5, 'friction': 0.1, **members})


def addresses(struct, dtype, n):
    call = Call([struct], dtype)
    if 'count' in struct._members:
        call.size(struct)
    made = call.struct(struct, n)
    return call, {name: int(impinge.ffi.cast('uintptr_t', getattr(made, name)))
                  for name, member in struct._members.items() if member.kind == 'array'}


def test_arrays_that_fit_are_not_copied(dtype):
    k, u = K.astype(dtype), U.astype(dtype)
    contacts = Contacts(k=k, u=u)
    call, found = addresses(contacts, dtype, 2)
    for i, name in enumerate(('k11', 'k12', 'k13', 'k22', 'k23', 'k33')):
        assert found[name] == k[i].ctypes.data
    for i in range(3):
        assert found[f'u{i + 1}'] == u[i].ctypes.data
    assert not call.copied


def test_columns_are_not_copied(dtype):
    """The transpose of an array (n, 3) has strides that the library takes."""
    table = np.zeros((2, 10), dtype)
    table[:, :6], table[:, 7:] = K.T, U.T
    contacts = sphere(k=table[:, :6].T, u=table[:, 7:].T,
                      friction=np.array([[0.1, 9], [0.1, 9]], dtype)[:, 0])
    call, found = addresses(contacts, dtype, 2)
    for i in range(3):
        assert found[f'u{i + 1}'] == table.ctypes.data + (7 + i) * dtype.itemsize
    assert found['k33'] == table.ctypes.data + 5 * dtype.itemsize and not call.copied
    written = np.full((2, 5), 7, dtype)
    outcome = np.zeros((2, 3), np.uint32)
    given = ContactResults(p=written[:, 1:4].T, outcome=outcome[:, 1])
    call, found = addresses(given, dtype, 2)
    assert found['p1'] == written.ctypes.data + dtype.itemsize and not call.copied
    impinge.resolve_contacts(contacts, results=given)
    right = impinge.resolve_contacts(sphere(k=K.astype(dtype), u=U.astype(dtype)))
    assert same_bits(np.ascontiguousarray(written[:, 1:4].T), right.p)
    assert np.all(written[:, [0, 4]] == 7)
    assert np.array_equal(outcome[:, 1], right.outcome) and not outcome[:, [0, 2]].any()


def test_particles_stand_in_rows(dtype):
    """x of shape (n, 3), as simulators hold it, is taken as it is, and written in place."""
    def two(x, v, omega):
        return impinge.Particles(radius=np.full(2, 0.6, dtype), inverse_mass=np.ones(2, dtype),
                                 position=x, velocity=v, angular_velocity=omega)
    x = np.array([[0, 0, 0], [1, 0, 0]], dtype)
    v = np.array([[1, 0.5, 0], [-1, 0, 0]], dtype)
    omega = np.zeros((2, 3), dtype)
    contacts = impinge.ParticleContacts(index_a=np.array([0], np.uint32),
                                        index_b=np.array([1], np.uint32),
                                        coefficients={'restitution': 0.5, 'friction': 0.3})
    right = two(np.ascontiguousarray(x.T), np.ascontiguousarray(v.T),
                np.ascontiguousarray(omega.T))
    rows = two(x.T, v.T, omega.T)
    call, found = addresses(rows, dtype, 2)
    assert found['position_y'] == x.ctypes.data + dtype.itemsize
    assert found['angular_velocity_z'] == omega.ctypes.data + 2 * dtype.itemsize and not call.copied
    assert not impinge.particles_moved(rows, x.T, 0.0)
    impinge.collide_particle_pairs(right, contacts)
    impinge.collide_particle_pairs(rows, contacts)
    assert same_bits(np.ascontiguousarray(v.T), right.velocity) and v[0, 0] < 0
    assert same_bits(np.ascontiguousarray(omega.T), right.angular_velocity) and omega.any()


def test_strides_that_differ_are_copied():
    """One stride is of all components: others are made one after the other."""
    wide = np.zeros((2, 4))
    wide[:, 0] = U[0]
    right = impinge.resolve_contacts(sphere())
    mixed = sphere(u=(wide[:, 0], U[1].copy(), U[2].copy()))
    assert same_bits(impinge.resolve_contacts(mixed).p, right.p)
    backward = sphere(u=U[:, ::-1].copy()[:, ::-1])
    assert same_bits(impinge.resolve_contacts(backward).p, right.p)
    # A result that runs backward is copied to where it belongs.
    p = np.zeros((3, 2))
    impinge.resolve_contacts(sphere(), results=ContactResults(p=p[:, ::-1]))
    assert np.array_equal(p[:, ::-1], right.p) and p.any()


def test_results_are_written_in_place(dtype):
    p = np.full((3, 2), np.nan, dtype)
    outcome = np.zeros(2, np.uint32)
    before = p.ctypes.data
    given = ContactResults(p=p, outcome=outcome)
    results = impinge.resolve_contacts(sphere(k=K.astype(dtype), u=U.astype(dtype)), results=given)
    assert results is given and results.p is p and p.ctypes.data == before
    assert np.isfinite(p).all() and outcome.all()
    assert results.u1_after is None


def test_results_may_be_the_arrays_of_before():
    u = U.copy()
    right = impinge.resolve_contacts(sphere()).u_after
    impinge.resolve_contacts(sphere(u=u), results=ContactResults(u_after=u))
    assert same_bits(u, right) and not same_bits(u, U)


def test_other_strides_and_types_are_converted():
    right = impinge.resolve_contacts(sphere())
    wide = np.zeros((2, 8))
    wide[:, 1:7] = K.T
    results = impinge.resolve_contacts(sphere(k=wide[:, 1:7].T, u=np.asfortranarray(U)))
    assert same_bits(results.p, right.p)
    swapped = impinge.resolve_contacts(sphere(k=K.astype('>f8'), u=U))
    assert same_bits(swapped.p, right.p)
    both = sphere(k=K.astype('>f8'), u=U.astype('>f8'))
    assert same_bits(impinge.resolve_contacts(both).p, right.p)
    # Whole numbers have no precision of their own.
    whole = impinge.resolve_contacts(Contacts(k=np.array([[4], [0], [0], [4], [0], [1]]),
                                              u=np.array([[1], [0], [-1]], np.float32)))
    assert whole.p.dtype == np.float32
    # A column of a table is no contiguous array: results are copied to it.
    table = np.zeros((2, 3))
    impinge.resolve_contacts(sphere(), results=ContactResults(p=table.T))
    assert np.array_equal(table.T, right.p) and table.any()


def test_unaligned_arrays():
    bytes_ = np.zeros(6 * 2 * 8 + 1, np.uint8)
    k = bytes_[1:].view(np.float64).reshape(6, 2)
    k[...] = K
    assert not k.flags.aligned
    assert same_bits(impinge.resolve_contacts(sphere(k=k)).p, impinge.resolve_contacts(sphere()).p)


def test_numbers_stand_for_arrays():
    results = impinge.resolve_contacts(Contacts(k=(3.5, 0, 0, 3.5, 0, 1), u=(0.7, 0, -1),
                                                restitution=0.5, friction=0.1))
    assert results.p.shape == (3, 1)
    assert results.p[:, 0] == pytest.approx([-0.15, 0, 1.5], rel=1e-15)
    angles = np.linspace(0, 1, 5)
    results = impinge.resolve_contacts(Contacts(k=(3.5, 0, 0, 3.5, 0, 1), u=(angles, 0, -1)))
    assert results.p.shape == (3, 5)


def test_components_read_back_as_they_were_given():
    bodies = impinge.Bodies(velocity=(1.0, 2.0, 3.0), angular_velocity=[np.ones(2), 0, np.ones(2)])
    assert np.array_equal(bodies.velocity, [1, 2, 3])
    assert np.array_equal(bodies.angular_velocity, [[1, 1], [0, 0], [1, 1]])
    bodies.velocity_y = None
    assert bodies.velocity is None and impinge.Bodies().velocity is None
    bodies.velocity = None
    assert bodies.velocity_x is None and bodies.velocity is None


@pytest.mark.parametrize('as_given', [tuple, list, np.array])
def test_a_diagonal_has_no_products_of_before(as_given):
    full, diagonal = np.array([[2.0], [0.5], [0.3], [1], [0.1], [3]]), np.array([[2.0], [1], [3]])
    for struct, name in ((impinge.Bodies(), 'inverse_inertia'), (impinge.Contacts(), 'k'),
                         (impinge.PairSide(), 'inverse_inertia')):
        setattr(struct, name, full)
        setattr(struct, name, as_given(diagonal))
        assert np.array_equal(getattr(struct, name), diagonal)
        rows = [getattr(struct, row) for row in struct._groups[name]]
        assert [row is None for row in rows] == [False, True, True, False, True, False]
    planar = impinge.PlanarContacts(k=full[:3])
    planar.k = as_given(diagonal[:2])
    assert planar.ktn is None and planar.knn == 1
    with pytest.raises(ValueError, match='9 rows'):
        impinge.Orientation(rotation=np.ones((3, 1)))


def test_zero_is_a_number_that_is_given():
    """A damping fraction of 0 is out of its range; none at all is not."""
    results = impinge.resolve_contacts(sphere(damping_fraction=0.0), law='frictionless')
    assert np.all(results.outcome & impinge.Outcome.INVALID_COEFFICIENT)
    assert impinge.resolve_contacts(sphere(), law='frictionless').status == impinge.Status.OK


def test_precision_by_type(cases, dtype):
    assert impinge.resolve_contacts(contacts_of(cases, dtype)).p.dtype == dtype
    mixed = sphere(k=K.astype(np.float32))
    assert impinge.resolve_contacts(mixed).p.dtype == np.float64


def test_what_is_written_is_never_rounded():
    with pytest.raises(TypeError, match='p1 is float32 and written'):
        impinge.resolve_contacts(sphere(), results=ContactResults(p=np.zeros((3, 2), np.float32)))
    with pytest.raises(TypeError, match='must be float64'):
        impinge.resolve_contacts(sphere(), results=ContactResults(p=np.zeros((3, 2), int)))
    frozen = np.zeros((3, 2))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match='may not be'):
        impinge.resolve_contacts(sphere(), results=ContactResults(p=frozen))
    with pytest.raises(TypeError, match='must be an array'):
        impinge.resolve_contacts(sphere(), results=ContactResults(p1=0.0))


@pytest.mark.parametrize('how', [lambda a: a.astype(complex), lambda a: a.astype(np.complex64),
                                 lambda a: (a + 1j).astype(object)], ids=['128', '64', 'objects'])
def test_complex_numbers_are_refused(how):
    """None of their parts is dropped."""
    for members in ({'k': how(K)}, {'u': how(U)}, {'u1': how(U[0])}, {'restitution': how(U[0])},
                    {'friction': how(U[0])[0]}, {'friction': how(U[:1, 0])}):
        with pytest.raises(TypeError, match='complex'):
            impinge.resolve_contacts(sphere(**members))
    with pytest.raises(TypeError, match='complex'):
        impinge.resolve_contacts(sphere(), results=ContactResults(p=how(np.zeros((3, 2)))))
    one, matrix = how(U[0])[0], (3.5, 0, 0, 3.5, 0, 1)
    contact = (matrix, (0.7, 0, -1), 0.5)
    particles = impinge.Particles(radius=np.ones(2), position=np.zeros((3, 2)))
    bodies = impinge.Bodies(velocity=np.zeros((3, 1)), angular_velocity=np.zeros((3, 1)))
    poses = impinge.Poses(position=np.zeros((3, 1)), quaternion=np.ones((4, 1)))
    memory = impinge.ContactMemory(key=np.arange(2, dtype=np.uint64), impulse=np.zeros((3, 2)))
    neighbours = impinge.Neighbours(starts=np.zeros(3, np.uint32), index=np.zeros(0, np.uint32))
    for call in (lambda: impinge.resolve_contacts(sphere(), tolerance=one),
                 lambda: impinge.StepOptions(time_step=one),
                 lambda: impinge.find_rays(how(K[:, 0]), 0.5),
                 lambda: impinge.find_rays(matrix, one),
                 lambda: impinge.find_diverging_ray(matrix, one),
                 lambda: impinge.sticking_is_stable(matrix, one),
                 lambda: impinge.impulse_of_coordinates(contact, how(U.T[0])),
                 lambda: impinge.impulse_of_coordinates((matrix, how(U.T[0]), 0.5), (0, 0, 0)),
                 lambda: impinge.coordinates_of_impulse(contact, how(np.ones(3))),
                 lambda: impinge.impulse_ratio_bound(contact, 0.5, how(np.ones(2))),
                 lambda: impinge.impulse_ratio_bound(contact, one, (-1, 0)),
                 lambda: impinge.trace_contact(matrix=matrix, u3=one),
                 lambda: impinge.projection_factor(one, 1, 1, 0.1),
                 lambda: impinge.particles_moved(particles, how(np.zeros((3, 2))), 0.1),
                 lambda: impinge.particles_moved(particles, np.zeros((3, 2)), one),
                 lambda: impinge.find_particle_contacts(particles, neighbours, margin=one),
                 lambda: impinge.advance_bodies(bodies, poses, one),
                 lambda: impinge.match_impulses(memory, how(np.ones(2)))):
        with pytest.raises(TypeError, match='complex'):
            call()


def test_masked_arrays_are_refused():
    hidden = np.ma.array(U, mask=[[True, False], [False, False], [False, False]])
    for give in (lambda: sphere(u=hidden), lambda: sphere(friction=hidden[0]),
                 lambda: impinge.find_rays(np.ma.masked_equal([1, 0, 0, 1, 0, 1], 0), 0.5),
                 lambda: impinge.match_impulses(impinge.ContactMemory(),
                                                np.ma.array([1, 2], mask=[0, 1]))):
        with pytest.raises(TypeError, match='masked'):
            give()
    right = impinge.resolve_contacts(sphere()).p
    assert same_bits(impinge.resolve_contacts(sphere(u=np.ma.array(U))).p, right)  # none is masked


def test_numbers_that_would_change_are_refused():
    bodies = impinge.Bodies(velocity=np.zeros((3, 2)), angular_velocity=np.zeros((3, 2)),
                            inverse_mass=1.0, inverse_inertia=(1.0, 1.0, 1.0))
    for index in (1.7, -1, 2.0 ** 32):
        contacts = impinge.IndexedContacts(index_a=index, index_b=np.ones(1, np.uint32),
                                           arm_a=(0., 0., -.5), arm_b=(0., 0., .5),
                                           normal=(0., 0., 1.), restitution=.5, friction=.3)
        for call in (impinge.resolve_indexed, impinge.resolve_independent):
            with pytest.raises(ValueError, match='index_a has numbers that are no uint32'):
                call(bodies, contacts)
    for wrong in ({'resolve_jams': 'no'}, {'resolve_jams': 2}, {'tolerance': '1e-3'}):
        with pytest.raises((TypeError, ValueError)):
            impinge.Options(**wrong)
    with pytest.raises(ValueError, match='1.5 is no whole number'):
        sphere(count=1.5)
    assert impinge.Options(resolve_jams=np.bool_(True)).resolve_jams is True
    assert sphere(count=np.int64(1)).count == 1


def test_lengths():
    with pytest.raises(ValueError, match='different lengths: k11 has 2, u2 has 3'):
        impinge.resolve_contacts(sphere(u=(U[0], np.zeros(3), U[2])))
    with pytest.raises(ValueError, match='different lengths'):
        impinge.resolve_contacts(sphere(friction=np.zeros(1)))
    with pytest.raises(ValueError, match='not .3,.'):
        impinge.resolve_contacts(sphere(k=np.ones((6, 3)), u=np.ones((3, 3))),
                                 results=ContactResults(p=np.zeros((3, 2))))
    with pytest.raises(ValueError, match='first 1 and count 2 of 2'):
        impinge.resolve_contacts(sphere(), selection=impinge.Selection(first=1, count=2))
    with pytest.raises(ValueError, match='rows'):
        sphere(k=np.ones((5, 2)))
    with pytest.raises(ValueError, match='dimensions'):
        impinge.resolve_contacts(sphere(u=np.ones((3, 2, 2))))


def test_no_contacts():
    results = impinge.resolve_contacts(Contacts(k=np.zeros((6, 0)), u=np.zeros((3, 0))))
    assert results.p.shape == (3, 0) and results.report.contacts == 0


def test_errors_are_exceptions():
    with pytest.raises(impinge.NullPointerError, match='Contacts.k22') as caught:
        impinge.resolve_contacts(Contacts(k11=K[0], k12=K[1], k13=K[2], u=U))
    assert caught.value.status == impinge.Status.ERROR_NULL_POINTER
    assert isinstance(caught.value, impinge.Error) and isinstance(caught.value, ValueError)
    with pytest.raises(impinge.OptionError):
        impinge.resolve_contacts(sphere(), tolerance=0.5)
    with pytest.raises(impinge.TargetUnknownError):
        impinge.target_select('sse9')
    with pytest.raises(impinge.ArgumentError):
        impinge.find_rays((1, 0, 0, 1, 0, -1), 0.5)
    with pytest.raises(TypeError, match='no member of Options'):
        impinge.resolve_contacts(sphere(), toleranse=0.5)
    with pytest.raises(TypeError, match='a Contacts is needed'):
        impinge.resolve_contacts(ContactResults())
    with pytest.raises(AttributeError, match='has no'):
        sphere(kk=1)
    with pytest.raises(ValueError, match='no Law is called'):
        impinge.resolve_contacts(sphere(), law='newton')
    with pytest.raises(ValueError, match='has no q'):
        impinge.resolve_contacts(sphere(), wanted=['q'])


def test_errors_name_only_what_is_missing():
    bodies = impinge.Bodies(velocity=np.zeros((3, 3)), angular_velocity=np.zeros((3, 3)),
                            inverse_mass=1.0, inverse_inertia=(1.0, 1.0, 1.0))
    index = np.arange(2, dtype=np.uint32)
    contacts = impinge.IndexedContacts(index_a=index, index_b=index + 1, arm_a=(0., 0., -.5),
                                       normal=(0., 0., 1.), restitution=.5, friction=.3,
                                       sharing=np.full(3, 2, np.uint32))
    with pytest.raises(impinge.NullPointerError) as error:
        impinge.resolve_indexed(bodies, contacts)
    assert str(error.value).endswith('Not given: ' + ', '.join(
        f'IndexedContacts.arm_b_{axis}' for axis in 'xyz'))
    contacts.arm_b = (0., 0., .5)
    backward = impinge.ContactGroups(starts=np.array([0, 2, 1], np.uint32), order=index, count=2)
    with pytest.raises(impinge.ArgumentError) as error:
        impinge.sweep(bodies, impinge._calls.copy_of(contacts, sharing=None), colours=backward)
    assert 'Not given' not in str(error.value)


def test_invalid_contacts_are_outcomes():
    k = K.copy()
    k[5, 1] = np.nan
    results = impinge.resolve_contacts(sphere(k=k))
    assert results.status == impinge.Status.SOME_INVALID
    assert results.outcome[1] == impinge.Outcome.INVALID | impinge.Outcome.INVALID_MATRIX
    assert results.report.invalid == 1 and results.report.first_invalid == 1
    assert not results.p[:, 1].any()
    assert same_bits(results.p[:, 0], impinge.resolve_contacts(sphere()).p[:, 0])


def test_indices():
    bodies = impinge.Bodies(inverse_mass=np.ones(2), inverse_inertia=np.ones((3, 2)),
                            velocity=np.array([[0., 0], [0, 0], [-1, 1]]),
                            angular_velocity=np.zeros((3, 2)))
    members = dict(arm_a=np.zeros((3, 1)), arm_b=np.zeros((3, 1)),
                   normal=np.array([[0.], [0], [1]]))
    contacts = impinge.IndexedContacts(index_a=[0], index_b=[1], **members)
    assert impinge.resolve_indexed(bodies, contacts).impulse[2, 0] == 1.0
    for wrong in ([-1], [2 ** 32], [0.5]):
        contacts = impinge.IndexedContacts(index_a=[0], index_b=np.array(wrong), **members)
        with pytest.raises(ValueError, match='index_b'):
            impinge.resolve_indexed(bodies, contacts)
    # Out of the bodies' range is an outcome, as in C.
    contacts = impinge.IndexedContacts(index_a=[0], index_b=[7], **members)
    assert impinge.resolve_indexed(bodies, contacts).outcome[0] & impinge.Outcome.INVALID_INDEX
