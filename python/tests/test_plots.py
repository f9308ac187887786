"""Pictures: the numbers that they show, what their legends say, and what they refuse."""
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

matplotlib = pytest.importorskip('matplotlib')

import impinge  # noqa: E402
from impinge import Law, RayKind, plots  # noqa: E402
from impinge.plots import __main__ as command  # noqa: E402
from impinge.plots import contact, files, laws, motion, section, style  # noqa: E402
from impinge.plots.section import FIGURES, Section, region_figure  # noqa: E402

EXAMPLES = os.environ.get('IMPINGE_EXAMPLES')
needs_examples = pytest.mark.skipif(EXAMPLES is None, reason='IMPINGE_EXAMPLES names no folder')


def legends(figure):
    """The labels of all legends, and what each is drawn like."""
    found = {}
    for axes in figure.axes:
        for legend in axes.findobj(matplotlib.legend.Legend):
            for handle, text in zip(legend.legendHandles, legend.get_texts()):
                found[text.get_text()] = handle
    return found


# One contact --------------------------------------------------------------------------------------


def test_normal_of_the_example_of_the_paper():
    """Mirtich 1996, corrected, figure 2: zeros near 14.6, 29.8 and 56.0, a maximum at 22.5."""
    matrix, velocity = (20, -23, 4, 31, -7, 4), (630, -780, -0.22)
    _, _, zeros, turns = contact.normal_curve(matrix, np.array(velocity), 0.5)
    assert zeros == pytest.approx([14.6, 29.8, 56.0], abs=0.05)
    assert turns[0][0] == pytest.approx(22.5, abs=0.25) and turns[0][1] > 0 and turns[1][1] < 0
    figure = plots.normal_velocity(matrix, velocity, 0.5)
    words = {text.get_text() for text in figure.axes[0].texts}
    assert {'14.6', '22.5', '29.8', '50.7', '56.0'} <= words


def test_normal_of_a_straight_line():
    """A frictionless contact: u_n = u3 + K33 p_n has one zero."""
    _, _, zeros, turns = contact.normal_curve((3, 0, 0, 3, 0, 2), np.array([1, 0, -5.0]), 0)
    assert zeros == pytest.approx([2.5], rel=1e-12) and not turns


def test_normal_with_a_kink():
    """A jam that ends in sticking: u_t = -1 and then falls by 2.1 p_n, to zero at 1 / 2.1, as u_n
    falls by 1.7; then u_n rises by 0.19, from -1 - 1.7 / 2.1.
    """
    _, _, zeros, turns = contact.normal_curve((1, 0, -0.9, 1, 0, 1), np.array([-1, 0, -1.0]), 3)
    kink = 1 / 2.1
    assert turns[0] == pytest.approx((kink, -1 - 1.7 * kink), rel=1e-9) and len(turns) == 1
    assert zeros == pytest.approx([kink + (1 + 1.7 * kink) / 0.19], rel=1e-9)


def test_slip_of_figure_4():
    """The 5 trajectories at the bottom end up at the origin, of 16."""
    matrix, friction = (20, 0, 1, 4, 6, 10), 0.7
    angles = 2 * np.pi * np.arange(16) / 16
    ends = [contact.trajectory(matrix, friction, theta, 3)[:, -1] for theta in angles]
    assert sum(not end.any() for end in ends) == 5
    fates = [fate for _, _, fate in contact.sectors_of(matrix, friction,
                                                       impinge.find_rays(matrix, friction))]
    assert fates.count(RayKind.DIVERGING) == 2 and fates.count(RayKind.CONVERGING) == 2
    shown = legends(plots.slip(matrix, friction))
    assert '86.67° diverging' in shown and '281.35° converging' in shown
    assert any('unstable' in words for words in shown)


def test_slip_where_every_direction_is_a_ray():
    figure = plots.slip((3.5, 0, 0, 3.5, 0, 1), 0.3, starts=8)
    assert any('Every direction' in words for words in legends(figure))


# The region ---------------------------------------------------------------------------------------


def test_region_of_figure_3a():
    """K = (1 1/2, 1/2 1), so M = (4 -2, -2 4) / 3; u0 = (-0.6, -1), mu = 0.4. P_I = (0, 1), P_II =
    (0.4, 2.8) / 3. The energy u0.M u0 is 3.04 / 3; at A the velocity is (-v, 0), v^2 4 / 3 = 3.04 / 3.
    """
    s = Section(*FIGURES['3a'][0])
    v = np.sqrt(3.04 / 4)
    assert 2 * s.first == pytest.approx([0, 2]) and 2 * s.second == pytest.approx([0.8 / 3, 5.6 / 3])
    assert s.ellipse_at(np.pi) == pytest.approx([(0.4 - 4 * v) / 3, (2.8 + 2 * v) / 3])
    assert s.ellipse_at(np.pi / 2) == pytest.approx([(0.4 - 2 * v) / 3, (2.8 + 4 * v) / 3])


def test_region_is_where_the_conditions_hold():
    """All its corners keep the four conditions, to rounding; each of those binds somewhere."""
    s = Section(*FIGURES['3a'][0])
    p = s.region()
    u = np.array([[s.ut], [s.un]]) + np.array([[1, 0.5], [0.5, 1]]) @ p
    slacks = [0.4 * p[1] - p[0], 0.4 * p[1] + p[0], u[1],
              (3.04 - 4 * (u[0] ** 2 - u[0] * u[1] + u[1] ** 2)) / 3]
    for slack in slacks:
        assert abs(slack.min()) < 1e-14
    # The library's own judgement of the same points, a hair towards its inner point.
    inner = np.array([[0], [1.5]])
    shrunk = inner + (1 - 1e-9) * (p - inner)
    contacts = impinge.Contacts(k=(1.0, 0.0, 0.5, 1.0, 0.0, 1.0), u=(-0.6, 0.0, -1.0), friction=0.4)
    contacts.u1 = np.full(p.shape[1], -0.6)
    judged = impinge.judge_impulses(contacts, impinge.Impulses(p=(
        np.ascontiguousarray(shrunk[0]), np.zeros(p.shape[1]), np.ascontiguousarray(shrunk[1]))))
    assert not judged.mask.any()


def test_region_has_no_pull():
    """In figure 7 maximum compression is below the tangential axis."""
    p = Section(*FIGURES['7'][0]).region()
    assert p[1].min() == 0 and p[0][p[1] == 0].size >= 2


def test_laws_of_the_generic_figures():
    """Routh: along the right friction line until u_t = -0.6 + 0.9 p_n = 0, p_n = 2/3; then dp_t =
    -0.4 dp_n, du_n = 0.8 dp_n, from u_n = -0.2, so that compression ends after another 1/4.
    Whittaker: u = (0, e), p = P_II + e M (0, 1).
    """
    s = Section(*FIGURES['3b'][0])
    p_n = 2 / 3 + 0.25
    assert s.impulses(Law.ROUTH, [0, 1]).T == pytest.approx(np.array(
        [[0.4 * (2 / 3 - 0.25), p_n], [0.4 * (2 / 3 - 0.25 - p_n), 2 * p_n]]), rel=1e-11)
    assert s.impulses(Law.WHITTAKER, [0, 1]).T == pytest.approx(np.array(
        [[0.4 / 3, 2.8 / 3], [(0.4 - 2) / 3, 6.8 / 3]]), rel=1e-13)


def test_smith_of_figure_3c():
    """Smith's law, solved here by bisection on p_n of eq. (8) for e = 1."""
    low, high = 0.67, 4.0  # u_t < 0 below
    for _ in range(100):
        p_n = (low + high) / 2
        p_t = 2 * (2 - p_n)  # u_n = -1 + p_t / 2 + p_n = 1
        u_t = -0.6 + p_t + p_n / 2
        share = (0.6 * -0.6 + abs(u_t) * u_t) / (0.36 + u_t ** 2)
        low, high = (p_n, high) if p_t > -0.4 * p_n * share else (low, p_n)
    found = Section(*FIGURES['3c'][0]).impulses(Law.SMITH, 1)[:, 0]
    assert found == pytest.approx([2 * (2 - low), low], rel=1e-12)


@pytest.mark.parametrize('name', FIGURES)
def test_legends_tell_lines_apart(name):
    """All entries differ, and what is not in the picture is not in the legend."""
    figure = region_figure(name)
    shown = legends(figure)
    looks = {}
    for label, handle in shown.items():
        if hasattr(handle, 'get_linestyle') and hasattr(handle, 'get_color'):
            look = (handle.get_color(), handle.get_linewidth(), str(handle._unscaled_dash_pattern)
                    if hasattr(handle, '_unscaled_dash_pattern') else handle.get_linestyle())
        else:
            look = (tuple(handle.get_facecolor()), tuple(handle.get_edgecolor()))
        assert look not in looks, f'{label} looks like {looks[look]}'
        looks[look] = label
    assert 'energy conserved' in shown and r'max. compression, $u_\mathrm{n} = 0$' in shown
    look = FIGURES[name][1]
    for key, reach in section.REACHES.items():
        assert (reach.label in shown) == (key in look.laws)


def test_legend_leaves_out_what_is_not_seen():
    """An ellipse so long that its line is far outside the frame."""
    figure = plots.region(1, 0.9999999, 1, -1, -1, 0.3)
    axes = figure.axes[0]
    s = Section(1, 0.9999999, 1, -1, -1, 0.3)
    assert style.within(axes, *s.ellipse(7201)) == ('energy conserved' in legends(figure))


@pytest.mark.parametrize('numbers', [(1, 0.5, 1, -0.6, -1, 0.4), (1, 0, 1, 0, -1, 0),
                                     (2, -0.4, 1, 1, -1, np.inf), (1, -0.8, 1, -1, 0, 1.5),
                                     (1e-8, 0, 1e-8, 1e5, -1e5, 0.5)])
def test_every_region(numbers, tmp_path):
    plots.save(plots.region(*numbers), tmp_path / 'region.svg')
    assert 'nan' not in (tmp_path / 'region.svg').read_text()


# Laws side by side --------------------------------------------------------------------------------


def test_rebounds_of_a_sphere():
    """In closed form (particles.h): u_n = -e u_n0; slip falls by mu (1 + e) T / K_33 |u_n0| until it
    is none; of Chatterjee and Ruina's and the bilinear law it turns to -e_t at most.
    """
    k, e, mu, e_t = (3.5, 0, 0, 3.5, 0, 1), 0.5, 0.3, 0.4
    angles, found = plots.rebounds(k, restitution=e, friction=mu, tangential_restitution=e_t)
    assert set(found) == set(laws.default_laws(k, {}))
    left = 1 - mu * (1 + e) * 3.5 / np.tan(np.radians(angles))
    right = {Law.ROUTH: np.maximum(left, 0), Law.TWO_STAGE: np.maximum(left, 0),
             Law.WHITTAKER: np.maximum(left, 0), Law.BILINEAR: np.maximum(left, -e_t),
             Law.CHATTERJEE_RUINA: np.maximum(left, -e_t), Law.FRICTIONLESS: np.ones_like(left)}
    for law, tangential in right.items():
        one = found[law]
        assert one.normal == pytest.approx(np.full(angles.shape, e), rel=1e-11)
        assert one.tangential == pytest.approx(tangential, abs=1e-9)
        u_t, u_n = np.sin(np.radians(angles)), np.cos(np.radians(angles))
        before, after = u_t ** 2 / 3.5 + u_n ** 2, (tangential * u_t) ** 2 / 3.5 + (e * u_n) ** 2
        assert one.lost == pytest.approx(1 - after / before, abs=1e-9)
        assert one.angle == pytest.approx(np.degrees(np.arctan2(tangential * u_t, e * u_n)), abs=1e-6)


def test_rebounds_over_other_quantities():
    friction, found = plots.rebounds((2.92, 0, 1.44, 4, 0, 2.08), 'friction', angle=60)
    assert Law.BILINEAR not in found and friction[0] == 0
    # Without friction there is but one law.
    for one in found.values():
        assert one.tangential[0] == pytest.approx(found[Law.FRICTIONLESS].tangential[0], rel=1e-9)
    e, found = plots.rebounds((1, 0, 0, 1, 0, 1), 'restitution', laws=['routh', Law.SMITH])
    assert list(found) == [Law.ROUTH, Law.SMITH]
    assert found[Law.ROUTH].normal == pytest.approx(e, abs=1e-11)
    values, found = plots.rebounds((1, 0, 0, 1, 0, 1), values=[45.0], impulse_ratio_t1=-0.1,
                                   impulse_ratio_t2=0.0, mix=0.5)
    assert Law.BRACH in found and Law.COMPOSITE in found and len(values) == 1


def test_comparing_refuses_what_makes_no_sense():
    with pytest.raises(ValueError, match='over is one of'):
        plots.rebounds((1, 0, 0, 1, 0, 1), 'speed')
    with pytest.raises(ValueError, match='angles of incidence'):
        plots.rebounds((1, 0, 0, 1, 0, 1), values=[90.0])
    with pytest.raises(TypeError, match='no coefficient'):
        plots.rebounds((1, 0, 0, 1, 0, 1), stiffness=3)
    with pytest.raises(ValueError, match='symmetric'):
        plots.compare([[1, 2, 0], [0, 1, 0], [0, 0, 1]])


def test_compare_has_a_line_for_each_law(tmp_path):
    assert set(laws.LOOKS) == set(Law)
    figure = plots.compare((3.5, 0, 0, 3.5, 0, 1), tangential_restitution=0.4)
    assert len(figure.axes) == 4
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ['Routh', 'two stage', 'Chatterjee-Ruina', 'bilinear', 'Smith', 'Whittaker',
                      'frictionless']
    plots.save(figure, tmp_path / 'laws.png')
    assert (tmp_path / 'laws.png').read_bytes()[:4] == b'\x89PNG'


# Output of the examples --------------------------------------------------------------------------


def run(name, *arguments):
    subprocess.run([f'{EXAMPLES}/{name}', *map(str, arguments)], check=True,
                   stdout=subprocess.DEVNULL)


def drawn(tmp_path, *arguments, again=True):
    """Draws from the command line: well-formed, and once more the same bytes."""
    first, second = tmp_path / 'first.svg', tmp_path / 'second.svg'
    assert command.main([*map(str, arguments), '-o', str(first)]) == 0
    if again:
        assert command.main([*map(str, arguments), '-o', str(second)]) == 0
        assert first.read_bytes() == second.read_bytes()
    ElementTree.fromstring(first.read_text())
    assert not re.search(r'[ "(,-]nan', first.read_text())
    return first.read_text()


@needs_examples
@pytest.mark.parametrize('scene', ['billiard', 'baseball', 'stuntmen', 'gyroscope'])
def test_scenes_move(scene, tmp_path):
    run('scene', scene, '-o', tmp_path / 'scene.csv')
    text = drawn(tmp_path, 'scene', tmp_path / 'scene.csv', again=scene == 'billiard')
    frames = 120 if scene == 'gyroscope' else 66
    for i in (0, 1, frames - 1):
        assert f'<g id="frame-{i}-0-0" visibility="hidden"><animate' in text
    assert f'frame-{frames}-' not in text
    assert f'keyTimes="0;{1 / frames:.6g};{2 / frames:.6g}"' in text
    film = motion.Film(tmp_path / 'scene.csv')
    figure = plots.scene(tmp_path / 'scene.csv')
    words = [one.get_text() for one in figure.axes[0].texts]
    labels = ['at first', 'at last'] if scene == 'gyroscope' else ['before', 'contact', 'after']
    for label in labels:
        assert words.count(label) == len(film.names)
    # Each word stands clearly nearer to its body, in its colour, than to where that is in other
    # states.
    if scene != 'gyroscope':
        states = {'before': 0, 'contact': film.contact, 'after': film.count - 1}
        for text in figure.axes[0].texts:
            if text.get_text() not in states:
                continue
            body = [paint[0] for paint in motion._PAINTS].index(text.get_color())
            apart = {label: np.hypot(*(film.ellipsoid(state, body)[0].to_polygons()[0]
                                       - text.xy).T).min() for label, state in states.items()}
            own = apart.pop(text.get_text())
            assert own < min(apart.values()) / 1.4


@needs_examples
def test_pool_break_and_boxes(tmp_path):
    run('cascade', 'break', '-o', tmp_path / 'break.csv')
    drawn(tmp_path, 'break', tmp_path / 'break.csv')
    with open(tmp_path / 'boxes.csv', 'w') as file:
        subprocess.run([f'{EXAMPLES}/boxes'], check=True, stdout=file, stderr=subprocess.DEVNULL)
    drawn(tmp_path, 'boxes', tmp_path / 'boxes.csv', again=False)
    table = files.read_table(tmp_path / 'boxes.csv')
    assert len(plots.boxes(tmp_path / 'boxes.csv').axes) == 4
    # Corners of a box: the edges that the bits say, all of unit cubes.
    x = np.stack([np.stack([table[f'{axis}{k}'] for axis in 'xyz'], 1) for k in range(8)], 1)
    edges = [np.linalg.norm(x[:, 1 << axis] - x[:, 0], axis=1) for axis in range(3)]
    assert np.allclose(edges, edges[0][0], rtol=1e-6)


@needs_examples
def test_drum(tmp_path):
    with open(tmp_path / 'drum.csv', 'w') as file:
        subprocess.run([f'{EXAMPLES}/drum'], check=True, stdout=file, stderr=subprocess.DEVNULL)
    table = files.read_table(tmp_path / 'drum.csv')
    figure = plots.drum(tmp_path / 'drum.csv')
    assert [axes.get_title()[:4] for axes in figure.axes] == ['1 s:', '3.5 ', '6 s:', '8 s:']
    # A circle for each sphere, and one for the drum; those that it drives are its own colour.
    count = (table['time'] == 1).sum()
    for axes in figure.axes:
        circles = [one for one in axes.patches if one.get_linewidth() < 1]
        assert len(circles) == count and len(axes.patches) == count + 1
        paints = [matplotlib.colors.to_hex(one.get_facecolor()) for one in circles]
        assert paints.count('#777777') == (table['drum'] == 1).sum() / 4
    # At first the halves are apart.
    for one in figure.axes[0].patches:
        if matplotlib.colors.to_hex(one.get_facecolor()) == '#e69f00':
            assert one.center[0] >= 0 or one.get_linewidth() > 1
    plots.save(figure, tmp_path / 'drum.png')
    assert (tmp_path / 'drum.png').read_bytes()[:4] == b'\x89PNG'


@needs_examples
def test_overlap(tmp_path):
    run('simulate', 'pour', '--particles', 300, '--time', 0.3, '--csv', tmp_path / 'pour.csv')
    drawn(tmp_path, 'overlap', tmp_path / 'pour.csv')
    above, below = plots.overlap(tmp_path / 'pour.csv').axes
    table = files.read_table(tmp_path / 'pour.csv')
    assert np.array_equal(above.lines[0].get_ydata(), 1e6 * table['overlap'])
    labels = {line.get_label(): line for line in below.lines}
    assert set(labels) == {'potential', 'translation', 'rotation'}
    assert np.array_equal(labels['potential'].get_ydata(), table['potential'])
    assert above.get_yscale() == below.get_yscale() == 'log'
    with pytest.raises(ValueError, match='no column overlap'):
        path = tmp_path / 'other.csv'
        path.write_text('time,translation,rotation,potential\n0,1,1,1\n')
        plots.overlap(path)


@needs_examples
def test_gas(tmp_path):
    out = subprocess.run([f'{EXAMPLES}/simulate', 'gas', '--particles', '1000', '--step', '0.05',
                          '--collisions', '10', '--csv', tmp_path / 'gas.csv'], check=True,
                         capture_output=True, text=True).stdout
    drawn(tmp_path, 'gas', tmp_path / 'gas.csv')
    figure = plots.gas(tmp_path / 'gas.csv')
    # Powers on both axes, and the numbers that the program prints.
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == 'log'
    figure.canvas.draw()
    assert any('10^{-1}' in label.get_text() for label in figure.axes[0].get_yticklabels())
    words = figure.texts[0].get_text()
    said = [line for line in out.split('\n') if line.startswith('  tau')][0]
    ratio = float(said.split('ratio ')[1])
    assert float(words.split('ratio ')[1].rstrip('.')) == pytest.approx(ratio, abs=2e-4)
    drawn(tmp_path, 'energy', tmp_path / 'gas.csv')


@needs_examples
def test_plots_of_nothing(tmp_path):
    """Without motion or time no axis has a range: the picture is drawn all the same."""
    run('simulate', 'gas', '--particles', 300, '--steps', 0, '--equilibrate', 0, '--csv',
        tmp_path / 'none.csv')
    drawn(tmp_path, 'gas', tmp_path / 'none.csv')
    run('simulate', 'gas', '--particles', 300, '--steps', 50, '--equilibrate', 0, '--restitution',
        1, '--csv', tmp_path / 'elastic.csv')
    drawn(tmp_path, 'gas', tmp_path / 'elastic.csv')


@needs_examples
def test_heaps(tmp_path):
    run('simulate', 'pour', '--particles', 300, '--time', 0.3, '--dump', tmp_path / 'heap.dump')
    step, bounds, table = files.read_dump(tmp_path / 'heap.dump')
    assert step > 0 and bounds.shape == (3, 2) and len(table['id']) == 300
    drawn(tmp_path, 'heap', tmp_path / 'heap.dump')
    for colour, label in (('speed', 'speed (m/s)'), ('layer', 'layer in which a sphere began'),
                          ('radius', 'radius')):
        figure = plots.heap(tmp_path / 'heap.dump', colour, pixels=200)
        # Colours have a scale.
        assert figure.axes[1].get_ylabel() == label
    with pytest.raises(ValueError, match='no column heat'):
        plots.heap(tmp_path / 'heap.dump', 'heat')


def test_spheres_as_they_are_seen():
    """From above: the higher of two hides a part of the other, and throws a shadow on another."""
    view = motion.View(0, 90)
    centres, radii = np.array([[-0.3, 0, 0], [0.4, 0, 2]]), np.array([1.0, 0.3])
    colours = np.array([[1., 0, 0], [0, 0, 1]])
    limits, origin = ((-1.2, 1.2), (-0.9, 1.5)), np.array([1.2, 0.9])

    def seen_at(image, point):
        column, row = np.round((view(point)[:2] + origin) * 100).astype(int)
        return image[row, column]
    image, alone = (motion.spheres(view, centres[:n], radii[:n], colours[:n], limits, 240,
                                   light=(0.3, 0, 1)) for n in (2, 1))
    for i, colour in ((0, 0), (1, 2)):
        pixel = seen_at(image, centres[i])
        assert pixel[3] == 1 and pixel[colour] > 0.5 and pixel[2 - colour] == 0
    assert image[0, 0, 3] == 0
    assert (image[..., 3] > 0.5).mean() == pytest.approx(np.pi / 2.4 ** 2, rel=0.02)
    # The ray from the lamp through the small one's middle meets the large one near x = 0.1.
    assert seen_at(image, [0, 0, 0])[0] < 0.8 * seen_at(alone, [0, 0, 0])[0]
    assert np.array_equal(seen_at(image, [-1, 0, 0]), seen_at(alone, [-1, 0, 0]))


# The command line ---------------------------------------------------------------------------------


def test_command_line(tmp_path, capsys):
    for arguments in (['laws', *'3.5 0 0 3.5 0 1'.split(), '--over', 'friction', '--laws', 'routh'],
                      ['normal', *'20 -23 4 31 -7 4 630 -780 -0.22 0.5'.split()],
                      ['slip', *'20 0 1 4 6 10 0.7'.split(), '--starts', '4'],
                      ['region', '--figure', '8'], ['region', *'1 0.5 1 -0.6 -1 0.4'.split()]):
        drawn(tmp_path, *arguments)
    capsys.readouterr()
    for arguments, words in ((['region', '1', '2', '1', '0', '-1', '0.5'], 'positive definite'),
                             (['region', '1'], 'six numbers'),
                             (['region', '1', '0', '1', '1', '1', '0.5'], 'u_n must be below 0'),
                             (['slip', *'20 0 1 4 6 10 inf'.split()], 'finite'),
                             (['slip', *'1 2 0 1 0 1 0.5'.split()], 'positive definite'),
                             (['normal', *'3 0 0 3 0 1 0 0 1 0.5'.split()], 'do not approach'),
                             (['laws', *'1 0 0 1 0 1'.split(), '--laws', 'newton'], 'no Law is'),
                             (['gas', 'absent.csv'], 'absent.csv'),
                             (['scene', __file__], 'has no column'),
                             (['heap', __file__], 'no dump of LAMMPS')):
        assert command.main([*arguments, '-o', str(tmp_path / 'x.svg')]) == 2
        assert words in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(['region', '--figure', '9', '-o', 'x.svg'])


@pytest.mark.parametrize('arguments, words', [
    ('laws 1 2', 'the following arguments are required: K13, K22, K23, K33'),
    ('normal 1 0 0 1 0 1 1', 'the following arguments are required: U2, U3, MU'),
    ('slip 1', 'required: K12, K13, K22, K23, K33, MU'),
    ('slip 1 0 0 1 0 1 0.5 2', 'unrecognized arguments: 2'),
    ('laws 1 0 0 one 0 1', "argument K22: invalid float value: 'one'")])
def test_numbers_that_are_not_there(arguments, words, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([*arguments.split(), '-o', 'x.svg'])
    assert ended.value.code == 2 and words in capsys.readouterr().err


def refused(tmp_path, capsys, words, *arguments):
    """One line says what is wrong, and nothing is drawn."""
    assert command.main([*arguments, '-o', str(tmp_path / 'x.svg')]) == 2
    told = capsys.readouterr().err
    assert words in told and told.startswith('impinge.plots: ') and told.count('\n') == 1
    assert not (tmp_path / 'x.svg').exists()


@pytest.mark.parametrize('arguments, words', [
    ('laws 1 2 3 4 5 6', 'positive definite'), ('laws nan 0 0 1 0 1', 'positive definite'),
    ('laws 1 1 0 1 0 1', 'positive definite'), ('laws inf 0 0 1 0 1', 'positive definite'),
    ('normal 1 2 3 4 5 6 1 0 -1 0.5', 'positive definite'),
    ('normal nan 0 0 1 0 1 1 0 -1 0.5', 'positive definite'),
    ('slip nan 0 0 1 0 1 0.5', 'positive definite'), ('region nan 0 1 0 -1 0.5', 'positive definite'),
    ('normal 1 0 0 1 0 1 1 0 -1 -0.5', '0 or more'), ('normal 1 0 0 1 0 1 1 0 -1 nan', '0 or more'),
    ('normal 1 0 0 1 0 1 nan 0 -1 0.5', 'velocity must be finite'),
    ('slip 1 0 0 1 0 1 -0.5', '0 or more'), ('slip 1 0 0 1 0 1 0.5 --starts 0', '1 or more'),
    ('region 1 0 1 nan -1 0.5', 'velocity must be finite'), ('region 1 0 1 0 -1 -2', '0 or more'),
    ('laws 1 0 0 1 0 1 --friction -1', 'invalid-friction'),
    ('laws 1 0 0 1 0 1 --restitution nan', 'invalid-restitution'),
    ('laws 1 0 0 1 0 1 --heading nan', 'invalid-velocity'),
    ('laws 1 0 0 1 0 1 --over friction --angle nan', 'angles of incidence')])
def test_numbers_that_are_none(arguments, words, tmp_path, capsys):
    refused(tmp_path, capsys, words, *arguments.split())


_TABLES = {'scene': 'state,time,when,body,energy,x,y,z,qw,qx,qy,qz,semi_axis_1,semi_axis_2,'
                    'semi_axis_3,contact_x,contact_y,contact_z,normal_x,normal_y,normal_z',
           'break': 'ball,x,y,vx,vy',
           'boxes': 'time,box,kinetic_energy,' + ','.join(f'{axis}{k}' for axis in 'xyz'
                                                          for k in range(8)),
           'drum': 'time,kinetic_energy,slope,sphere,drum,x,y,z,radius',
           'gas': 'time,temperature,collisions_per_particle,temperature_haff',
           'energy': 'time,translation,rotation,potential',
           'overlap': 'time,translation,rotation,potential,overlap'}


@pytest.mark.parametrize('picture', _TABLES)
def test_tables_that_are_none(picture, tmp_path, capsys):
    names = _TABLES[picture]
    count = names.count(',') + 1
    path = tmp_path / 'table.csv'

    def table(words, text):
        path.write_text(text)
        refused(tmp_path, capsys, words, picture, str(path))
    refused(tmp_path, capsys, '/dev/null is empty', picture, '/dev/null')
    table('is empty', '\n')
    table('names of columns only', names + '\n')
    table(f'a row of 1 fields, and {count} columns', names + '\n' + ','.join('1' * count) + '\n1\n')
    last = names.split(',')[-1]
    table(f'words in column {last}', names + '\n' + ','.join('1' * (count - 1)) + ',one\n')
    for name in names.split(','):
        others = [other for other in names.split(',') if other != name]
        table(f'no column {name}', ','.join(others) + '\n' + ','.join('1' * (count - 1)) + '\n')
    if picture in ('break', 'boxes', 'drum'):
        table('not finite', names + '\n' + ','.join('1' * (count - 1)) + ',\n')
    if picture == 'scene':
        table('of no scene', names + '\n' + ','.join('1' * count) + '\n')
        ball = '0,0,contact,{},1,0,0,0,{},0,0,0,1,1,1,{},0,0,0,0,1\n'
        for quaternion, contact, words in ((0, 0, 'no outline'), ('nan', 0, 'no outline'),
                                           (1, '', 'contact that is nowhere')):
            table(words, names + '\n' + ball.format('rolling ball', quaternion, contact)
                  + ball.format('ball', quaternion, contact))
        table('ends within a state', names + '\n' + ball.format('rolling ball', 1, 0)
              + ball.format('ball', 1, 0) + ball.format('rolling ball', 1, 0))
    if picture == 'drum':
        table('not there at first', names + '\n1,1,1,1,1,0,0,0,1\n2,1,1,7,1,0,0,0,1\n')
        table('no spheres that the drum drives', names + '\n1,1,1,1,0,0,0,0,1\n')


_DUMP = ('ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n0 1\n0 1\n0 1\n'
         'ITEM: ATOMS id x y z vx vy vz radius\n1 .2 .5 .5 0 0 0 .1\n2 .8 .5 .5 0 0 1 .1\n')


@pytest.mark.parametrize('right, wrong, words', [
    (_DUMP[15:], '', 'ends within'), ('\n7\n', '\nseven\n', 'no numbers in its lines from 2 on'),
    (_DUMP[_DUMP.index('ITEM: N'):], '', 'no ITEM: ATOMS'),
    ('ITEM: NUMBER OF ATOMS\n2\n', '', 'no atoms'),
    ('\n2\nITEM', '\n0\nITEM', 'no atoms'), ('\n2\nITEM', '\n-2\nITEM', 'no atoms'),
    ('\n2\nITEM', '\n3\nITEM', 'no numbers in its lines'), ('0 1\nITEM', '0\nITEM', 'no numbers'),
    ('0 1\n0 1\n0 1', '0\n0\n0', 'bounds that are none'), ('0 1\nITEM', '0 nan\nITEM', 'bounds'),
    ('1 .2', '1 nan', 'column x that are not finite'), ('.1\n2', '0\n2', 'radius that is not above 0'),
    ('0 0 1 .1', '0 0 inf .1', 'column vz'), (' radius', ' size', 'no column radius')])
def test_dumps_that_are_none(right, wrong, words, tmp_path, capsys):
    path = tmp_path / 'heap.dump'
    assert right in _DUMP
    path.write_text(_DUMP.replace(right, wrong))
    refused(tmp_path, capsys, words, 'heap', str(path))


def test_numbers_too_large_for_a_picture(tmp_path, capsys):
    columns = _TABLES['boxes'].split(',')
    path = tmp_path / 'boxes.csv'
    path.write_text('\n'.join([','.join(columns), ','.join(['1'] * len(columns)),
                               ','.join('1e300' if name == 'z1' else '1' for name in columns)]))
    with np.errstate(all='ignore'):
        assert command.main(['boxes', str(path), '-o', str(tmp_path / 'x.svg')]) == 2
    told = capsys.readouterr().err
    assert told.startswith('impinge.plots: ') and told.count('\n') == 1


def test_heap_is_seen_from_somewhere(tmp_path, capsys):
    path = tmp_path / 'heap.dump'
    path.write_text(_DUMP)
    for option in ('--azimuth', '--elevation'):
        refused(tmp_path, capsys, 'must be finite', 'heap', str(path), option, 'nan')
    assert command.main(['heap', str(path), '-o', str(tmp_path / 'x.svg')]) == 0
