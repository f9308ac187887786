"""Pictures of what the examples write: scenes, a pool break, boxes, gases and heaps."""
import re

import matplotlib
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, PathPatch, Polygon

from impinge.plots import style
from impinge.plots.files import read_dump, read_table, require_finite
from impinge.plots.view import View, ellipsoid, rotation, spheres

# Scenes -------------------------------------------------------------------------------------------

_PAINTS = ((style.BLUE, style.PALE_BLUE), (style.VERMILION, style.PALE_RED))
# By the first body: what the scene is called, and where one looks from.
_SCENES = {'rolling ball': ('Two billiard balls collide', -90, 55),
           'ball': ('A baseball is hit by a bat', -90, 50),
           'first man': ('Two stuntmen collide in the air', -70, 12),
           'gyroscope': ('A gyroscope precesses and tips over', -60, 28)}
# Half the length of the gyroscope's axle, m (examples/scene/film.c).
_AXLE = 0.05


class Film:
    """The output of the example scene: bodies in states at equal intervals."""

    def __init__(self, path):
        vectors = [stem + axis for stem in ('', 'contact_', 'normal_') for axis in 'xyz']
        table = read_table(path, 'state', 'time', 'energy', 'qw', 'qx', 'qy', 'qz', 'semi_axis_1',
                           'semi_axis_2', 'semi_axis_3', *vectors, text=('when', 'body'))
        self.names = list(dict.fromkeys(table['body']))
        self.path, n = path, len(self.names)
        if self.names[0] not in _SCENES or n != (1 if self.names[0] == 'gyroscope' else 2):
            raise ValueError(f'{path} is of no scene that is known')
        self.count = len(table['state']) // n
        if self.count * n != len(table['state']):
            raise ValueError(f'{path} ends within a state')

        def of(*columns):
            return np.stack([table[name] for name in columns], 1).reshape(self.count, n, -1)
        self.position = of('x', 'y', 'z')
        self.quaternion = of('qw', 'qx', 'qy', 'qz')
        self.semi_axes = of('semi_axis_1', 'semi_axis_2', 'semi_axis_3')
        self.energy = table['energy'].reshape(self.count, n)[:, 0]
        self.time = table['time'].reshape(self.count, n)[:, 0]
        self.contact = int(np.argmax(table['when'].reshape(self.count, n)[:, 0] == 'contact'))
        self.point = of('contact_x', 'contact_y', 'contact_z')[self.contact, 0]
        self.normal = of('normal_x', 'normal_y', 'normal_z')[self.contact, 0]
        self.title, azimuth, elevation = _SCENES[self.names[0]]
        self.view = View(azimuth, elevation)

    def ellipsoid(self, state, body):
        with np.errstate(all='ignore'):
            paths = ellipsoid(self.view, self.position[state, body], self.semi_axes[state, body],
                              rotation(self.quaternion[state, body]))
        # Numbers that are not finite, too large, or zero where they must not be.
        if not all(np.isfinite(path.vertices).all() for path in paths):
            raise ValueError(f'{self.path} has a body that has no outline')
        return paths

    def axle(self, state, sign):
        """An end of the gyroscope's axle."""
        return (self.position[state, 0]
                + sign * _AXLE * rotation(self.quaternion[state, 0])[:, 2])


def _draw_body(axes, film, state, body, gid=None, alpha=1.0, order=3.0):
    outline, halves = film.ellipsoid(state, body)
    line, fill = _PAINTS[body]
    made = [PathPatch(outline, facecolor=fill, edgecolor=line, linewidth=1.3),
            PathPatch(halves, facecolor='none', edgecolor=line, linewidth=0.7)]
    if film.names[0] == 'gyroscope':
        ends = [film.view(film.axle(state, sign)) for sign in (-1, 1)]
        middle = film.view(film.position[state, body])
        ends.sort(key=lambda end: end[2])  # the half that points away from the eye is behind
        back, front = [Line2D([middle[0], end[0]], [middle[1], end[1]], color=style.BLACK,
                              linewidth=2.4) for end in ends]
        made = [back, *made, front]
    for i, artist in enumerate(made):
        artist.set_zorder(order + i / 10)
        artist.set_alpha(alpha)
        if gid:
            artist.set_gid(f'{gid}-{body}-{i}')
        axes.add_artist(artist)
        artist.set_clip_on(False)


def _draw_bodies(axes, film, state, **how):
    """The farther body first."""
    nearness = [film.view(film.position[state, body])[2] for body in range(len(film.names))]
    order = how.pop('order', 3.0)
    for rank, body in enumerate(np.argsort(nearness)):
        _draw_body(axes, film, state, int(body), order=order + rank, **how)


# Points all over the box of some words, and at its edges.
_BOX = np.array([(x, y) for x in np.linspace(-1, 1, 11) for y in (-1, 0, 1)])


def _label_bodies(axes, film, states):
    """Words beside each body, coloured as it is, where they cover as little as can be."""
    paths = {(state, body): film.ellipsoid(state, body)[0]
             for state in states for body in range(len(film.names))}
    outlines = {key: path.to_polygons()[0] for key, path in paths.items()}
    lines = np.concatenate([film.view(film.position[:, body])[:, :2]
                            for body in range(len(film.names))])
    figure_width, figure_height = axes.figure.get_size_inches()
    place = axes.get_position()
    inch = max(np.ptp(axes.get_xlim()) / (figure_width * place.width),
               np.ptp(axes.get_ylim()) / (figure_height * place.height))
    for (state, body), outline in outlines.items():
        # Half the size of the words, and a bit.
        half = np.array([0.04 * len(states[state]) + 0.09, 0.11]) * inch
        out = outline - outline.mean(axis=0)
        length = np.linalg.norm(out, axis=1)
        direction = out / np.maximum(length, 1e-12)[:, None]
        others = np.concatenate([other for (when, which), other in outlines.items()
                                 if which == body and when != state])
        best = None
        for far in (0.02, 0.12, 0.25):
            # So far out that the words' box is clear of the outline there.
            at = outline + direction * (far * inch + np.abs(direction @ half)[:, None])
            box = (at[:, None] + half * _BOX).reshape(-1, 2)
            covered = sum(path.contains_points(box).reshape(len(at), -1).sum(axis=1)
                          for path in paths.values())
            crossed = (np.abs(lines[None] - at[:, None]) < half).all(axis=2).sum(axis=1)
            # Nearer to this body than to where it is in another state.
            apart = np.array([np.hypot(*(others - one).T).min() for one in at])
            own = np.hypot(*(at - outline).T)
            cost = (3 * covered + crossed + 0.3 * length / length.max() + 15 * far
                    + 12 * (apart < 1.6 * own))
            if best is None or cost.min() < best[0]:
                best = cost.min(), at[np.argmin(cost)]
        axes.annotate(states[state], best[1], ha='center', va='center', color=_PAINTS[body][0],
                      zorder=20, annotation_clip=False)
        lines = np.concatenate([lines, best[1] + half * _BOX])


def _fit(axes, points):
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * (high - low).max()
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_aspect('equal')
    axes.set_axis_off()
    return (high - low).max()


def scene(path, frames=False):
    """Figure: two bodies before, at and after their contact, or a gyroscope, from what the example
    scene wrote. frames: also all other states, hidden; save_film makes them a film.
    """
    film = Film(path)
    with style.styled():
        figure, axes = style.new_figure(8, 5.6, (0.02, 0.12, 0.96, 0.8))
        axes.set_title(film.title)
        (_draw_gyroscope if film.names[0] == 'gyroscope' else _draw_pair)(figure, axes, film, frames)
    return figure


def _draw_pair(figure, axes, film, frames):
    if not np.isfinite([film.point, film.normal]).all():
        raise ValueError(f'{film.path} has a contact that is nowhere')
    outlines = [film.ellipsoid(state, body)[0].to_polygons()[0]
                for state in range(film.count) for body in range(2)]
    width = _fit(axes, np.concatenate(outlines))
    for body in range(2):
        way = film.view(film.position[:, body])
        axes.plot(way[:, 0], way[:, 1], color=_PAINTS[body][0], linewidth=0.8, linestyle=(0, (4, 3)),
                  zorder=2)
    states = {0: 'before', film.count - 1: 'after', film.contact: 'contact'}
    for rank, state in enumerate(states):
        _draw_bodies(axes, film, state, gid=f'still-{state}', alpha=0.85, order=3 + 2 * rank)
    _label_bodies(axes, film, states)
    if frames:
        for state in range(film.count):
            _draw_bodies(axes, film, state, gid=f'frame-{state}', order=10)
    tip = film.view(film.point + 0.07 * width * film.normal)[:2]
    base = film.view(film.point)[:2]
    axes.annotate('', tip, base, arrowprops={'arrowstyle': '-|>', 'color': style.BLACK,
                                             'shrinkA': 0, 'shrinkB': 0}, zorder=15)
    axes.plot(*base, 'o', color=style.BLACK, markersize=4, zorder=16)
    axes.annotate('$n$', tip, xytext=(4, 4), textcoords='offset points', zorder=16)
    axes.legend(handles=[Patch(facecolor=fill, edgecolor=line, label=name) for (line, fill), name in
                         zip(_PAINTS, film.names)], loc='best', frameon=True, framealpha=0.9)
    style.caption(figure, f'Energy {film.energy[0]:.6g} J before, {film.energy[-1]:.6g} J after. The '
                          'total momentum is 0. '
                          f'{1000 * film.time[-1]:.3g} ms shown; dashed: ways of the centres.')


def _draw_gyroscope(figure, axes, film, frames):
    ways = [film.view(np.array([film.axle(state, sign) for state in range(film.count)]))
            for sign in (-1, 1)]
    middle = film.position[:, 0, :2].mean(axis=0)
    half = 0.1
    corners = film.view([[middle[0] + x * half, middle[1] + y * half, 0]
                         for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    outlines = [film.ellipsoid(state, 0)[0].to_polygons()[0] for state in range(film.count)]
    _fit(axes, np.concatenate([corners[:, :2], ways[1][:, :2], *outlines]))
    axes.add_patch(Polygon(corners[:, :2], facecolor=style.PALE_GREY, edgecolor=style.GREY,
                           linewidth=0.8, zorder=1))
    axes.plot(ways[0][:, 0], ways[0][:, 1], color=style.GREY, linewidth=0.9, zorder=2)
    axes.plot(ways[1][:, 0], ways[1][:, 1], color=style.VERMILION, linewidth=0.9, zorder=2.5)
    last = film.count - 1
    _draw_bodies(axes, film, last, gid=f'still-{last}', alpha=0.85, order=3)
    _draw_bodies(axes, film, 0, gid='still-0', alpha=0.85, order=5)
    _label_bodies(axes, film, {last: 'at last', 0: 'at first'})
    if frames:
        for frame, state in enumerate(range(0, film.count, 4)):
            _draw_bodies(axes, film, state, gid=f'frame-{frame}', order=10)
    axes.legend(handles=[Line2D([], [], color=style.VERMILION, linewidth=1,
                                label="way of the axle's upper end"),
                         Line2D([], [], color=style.GREY, linewidth=1, label='of its lower end')],
                loc='upper left')
    style.caption(figure, f'It tips over on its rim after {film.time[film.contact]:.3g} s of '
                          f'{film.time[-1]:.3g} s. Penalty model, with friction and a torque '
                          'against spin.')


def save_film(path, to):
    """Writes a scene as an SVG that moves in a browser; elsewhere it shows some of the states."""
    figure = scene(path, frames=True)
    seconds = 12 if Film(path).names[0] == 'gyroscope' else 4
    style.save(figure, to)
    with open(to) as file:
        text = file.read()
    count = 1 + max(int(found) for found in re.findall(r'<g id="frame-(\d+)-', text))

    def seen(found):
        """One after the other."""
        i = int(found[1])
        values, keys = ['hidden', 'visible', 'hidden'], [0, i / count, (i + 1) / count]
        if i == 0:
            values, keys = values[1:], [0, keys[2]]
        if i == count - 1:
            values, keys = values[:-1], keys[:-1]
        return (f'<g id="{found[2]}" visibility="hidden"><animate attributeName="visibility" '
                f'calcMode="discrete" values="{";".join(values)}" '
                f'keyTimes="{";".join(f"{key:.6g}" for key in keys)}" dur="{seconds}s" '
                'repeatCount="indefinite"/>')
    text = re.sub(r'<g id="(?=frame-(\d+)-)([^"]*)">', seen, text)
    # The stills become pale where the frames move above them.
    text = re.sub(r'<g id="(still-[^"]*)">', r'<g id="\1"><animate attributeName="opacity" '
                  f'values="0.2" dur="{seconds}s" repeatCount="indefinite"/>', text)
    with open(to, 'w') as file:
        file.write(text)


# A pool break -------------------------------------------------------------------------------------


def pool_break(path):
    """Figure: balls where they are hit, and where they go, from `cascade break -o`."""
    table = read_table(path, 'ball', 'x', 'y', 'vx', 'vy')
    require_finite(table, path, 'x', 'y', 'vx', 'vy')
    arrow = 6  # how long the arrow of 1 m/s is, in radii
    with style.styled():
        figure, axes = style.new_figure(8, 5.4, (0.02, 0.1, 0.96, 0.82))
        axes.set_title('A pool break: velocities after a sequence of collisions')
        cue = len(table['ball']) - 1
        for i, (x, y) in enumerate(zip(table['x'], table['y'])):
            axes.add_patch(Circle((x, y), 1, facecolor='white' if i == cue else style.PALE_BLUE,
                                  edgecolor='#555555', linewidth=1, zorder=2))
            axes.annotate(f'{i}', (x, y), xytext=(0, -9), textcoords='offset points', ha='center',
                          va='center', fontsize=8.5, color='#444444', zorder=3)
        moving = np.hypot(table['vx'], table['vy']) > 0.01
        quiver = axes.quiver(*(table[name][moving] for name in ('x', 'y', 'vx', 'vy')), angles='xy',
                             scale_units='xy', scale=1 / arrow, color=style.VERMILION, width=0.004,
                             zorder=4)
        ends = np.stack([table['x'] + arrow * table['vx'], table['y'] + arrow * table['vy']], 1)
        around = np.concatenate([ends, np.stack([table['x'], table['y']], 1) + 1.2,
                                 np.stack([table['x'], table['y']], 1) - 1.2])
        _fit(axes, around)
        axes.quiverkey(quiver, 0.08, 0.06, 0.5, f'0.5 m/s; ball {cue} came at 1 m/s', labelpos='E',
                       coordinates='axes')
        energy = (table['vx'] ** 2 + table['vy'] ** 2).sum()
        style.caption(figure, f'{100 * energy:.0f} % of the energy of motion is left. Balls touch '
                              'before they are hit; the contact\nthat approaches fastest collides '
                              'first.')
    return figure


# Boxes --------------------------------------------------------------------------------------------

_HUES = ('#f2bf73', '#8cbff2', '#bfe699', '#f2a699', '#ccb3f2')
# The corners of each face of a box: corner k has the bits of k as signs along its edges.
_FACES = [(side << axis, side << axis | 1 << (axis + 1) % 3,
           side << axis | 1 << (axis + 1) % 3 | 1 << (axis + 2) % 3,
           side << axis | 1 << (axis + 2) % 3) for axis in range(3) for side in range(2)]


def boxes(path):
    """Figure: boxes at some moments, from what the example boxes prints."""
    columns = ['time', 'box', 'kinetic_energy', *(f'{axis}{k}' for axis in 'xyz' for k in range(8))]
    table = require_finite(read_table(path, *columns), path, *columns)
    view = View(-60, 25)
    light = np.array([-0.35, 0.45, 0.82])
    moments = np.unique(table['time'])
    corners = np.stack([np.stack([table[f'{axis}{k}'] for axis in 'xyz'], 1) for k in range(8)], 1)
    with style.styled():
        figure = Figure(figsize=(10, 3.5))
        all_axes = figure.subplots(1, len(moments), gridspec_kw={
            'left': 0.01, 'right': 0.99, 'bottom': 0.12, 'top': 0.9, 'wspace': 0.02})
        seen = view(corners)
        low, high = seen[..., :2].min(axis=(0, 1)), seen[..., :2].max(axis=(0, 1))
        for axes, moment in zip(np.atleast_1d(all_axes), moments):
            faces = []
            for row in np.flatnonzero(table['time'] == moment):
                for face in _FACES:
                    points = corners[row][list(face)]
                    normal = points.mean(axis=0) - corners[row].mean(axis=0)
                    normal /= np.linalg.norm(normal)
                    if normal @ view.axes[2] <= 0:
                        continue
                    shade = 0.62 + 0.38 * normal @ light
                    faces.append((view(points), shade, int(table['box'][row])))
            for points, shade, box in sorted(faces, key=lambda one: one[0][:, 2].mean()):
                colour = np.clip(np.array(to_rgb(_HUES[box % 5])) * shade, 0, 1)
                axes.add_patch(Polygon(points[:, :2], facecolor=colour, edgecolor='#333333',
                                       linewidth=0.5, joinstyle='round'))
            axes.set_xlim(low[0], high[0])
            axes.set_ylim(low[1], high[1])
            axes.set_aspect('equal')
            axes.set_axis_off()
            energy = table['kinetic_energy'][table['time'] == moment][0]
            axes.set_title(f'{moment:.3g} s: {_power(energy)} J of motion', fontsize=10)
        style.caption(figure, 'Boxes that fall on the floor and on each other, and come to rest. '
                              'Colours tell them apart.')
    return figure


# Left and right in the drum before it turns; what the drum drives.
_SIDES, _DRIVEN = ('#e69f00', '#56b4e9'), '#777777'


def drum(path):
    """Figure: the spheres in a drum at some moments, seen along its axis, from what the example drum
    prints. Colours: which half of the drum a sphere was in at the first of them.
    """
    columns = ['time', 'kinetic_energy', 'slope', 'sphere', 'drum', 'x', 'y', 'z', 'radius']
    table = require_finite(read_table(path, *columns), path, *columns)
    moments = np.unique(table['time'])
    first = table['time'] == moments[0]
    left = dict(zip(table['sphere'][first], table['x'][first] < 0))
    if not set(table['sphere']) <= set(left):
        raise ValueError(f'{path} has spheres that are not there at first')
    if not np.any(table['drum'] == 1):
        raise ValueError(f'{path} has no spheres that the drum drives')
    size = 1.02 * np.hypot(table['x'], table['z']).max() + table['radius'].max()
    with style.styled():
        figure = Figure(figsize=(10, 3.2))
        all_axes = figure.subplots(1, len(moments), squeeze=False, gridspec_kw={
            'left': 0.01, 'right': 0.99, 'bottom': 0.14, 'top': 0.88, 'wspace': 0.03})[0]
        for axes, moment in zip(all_axes, moments):
            rows = np.flatnonzero(table['time'] == moment)
            # One looks along y: what is farther first.
            rows = rows[np.argsort(-table['y'][rows], kind='stable')]
            for row in rows:
                driven = table['drum'][row] == 1
                axes.add_patch(Circle(
                    (table['x'][row], table['z'][row]), table['radius'][row],
                    facecolor=_DRIVEN if driven else _SIDES[int(left[table['sphere'][row]])],
                    edgecolor='#333333', linewidth=0.4))
            axes.add_patch(Circle((0, 0), np.hypot(table['x'], table['z'])[table['drum'] == 1].max(),
                                  facecolor='none', edgecolor='#333333', linewidth=1.5))
            axes.set_xlim(-size, size)
            axes.set_ylim(-size, size)
            axes.set_aspect('equal')
            axes.set_axis_off()
            energy, slope = table['kinetic_energy'][rows[0]], table['slope'][rows[0]]
            axes.set_title(f'{moment:.3g} s: {slope:.0f}°, {_power(energy)} J', fontsize=10)
        style.caption(figure, 'A drum that turns against the clock and then stands still: how steep '
                              'its bed lies, and its energy of motion.\nColours: the half in which '
                              'a sphere began; grey: spheres that the drum drives.')
    return figure


def _power(value):
    """A number with a power of ten, if it is far from 1."""
    if value == 0 or 0.01 <= abs(value) < 1000:
        return f'{value:.3g}'
    power = int(np.floor(np.log10(abs(value))))
    return rf'${value / 10.0 ** power:.2g}\cdot10^{{{power}}}$'


# Simulations --------------------------------------------------------------------------------------


def gas(path, fit=20):
    """Figure: the temperature of a gas over time, with Haff's law, from `simulate gas --csv`.

    fit: collisions per sphere that tau is fitted to, by least squares of (T_0 / T)^(1/2) - 1 =
    t / tau through the origin.
    """
    table = read_table(path, 'time', 'temperature', 'collisions_per_particle', 'temperature_haff')
    time, ratio = table['time'], table['temperature'] / table['temperature'][0]
    law = table['temperature_haff'] / table['temperature'][0]
    later = time > 0
    with np.errstate(divide='ignore'):
        theory = np.median(time[later] / (law[later] ** -0.5 - 1)) if later.any() else np.inf
    with style.styled():
        figure, axes = style.new_figure(7.6, 5, (0.11, 0.21, 0.57, 0.71))
        if not np.isfinite(theory):  # elastic: nothing cools
            axes.plot(time, ratio, color=style.BLUE, linewidth=2)
            axes.set_ylim(0, 1.2)
            axes.set_xlabel('time')
            axes.set_ylabel('$T / T_0$')
            axes.set_title('A gas of elastic spheres')
            return figure
        axes.set_xscale('log')
        axes.set_yscale('log')
        x = 1 + time / theory
        end = max(x[-1] * 1.15, 1.1)
        line = np.array([1, end])
        axes.plot(x, ratio, color=style.BLUE, linewidth=2)
        axes.plot(line, line ** -2, color=style.VERMILION, linewidth=1.6, linestyle=(0, (6, 4)))
        handles = [Line2D([], [], color=style.BLUE, linewidth=2, label='the run'),
                   Line2D([], [], color=style.VERMILION, linewidth=1.6, linestyle=(0, (6, 4)),
                          label="Haff's law, $\\tau$ of theory")]
        used = table['collisions_per_particle'] <= fit
        words = f'{table["collisions_per_particle"][-1]:.1f} collisions per sphere.'
        if used.sum() > 2:
            y = ratio[used] ** -0.5 - 1
            fitted = (time[used] ** 2).sum() / (y * time[used]).sum()
            axes.axvline(x[used][-1], color=style.GREY, linewidth=1, linestyle=(0, (2, 3)))
            handles.append(Line2D([], [], color=style.GREY, linewidth=1, linestyle=(0, (2, 3)),
                                  label='end of the fit'))
            words += (f'\ntau: {fitted:.5g} fitted, {theory:.5g} by theory; ratio '
                      f'{fitted / theory:.4f}.')
        axes.set_xlim(1, end)
        axes.set_ylim(min(ratio.min(), 0.9) / 1.5, 1.4)
        axes.grid(color='#eeeeee')
        axes.set_axisbelow(True)
        axes.set_xlabel('$1 + t / \\tau$')
        axes.set_ylabel('$T / T_0$')
        axes.set_title('A gas of spheres that cools')
        style.beside(axes, handles)
        style.caption(figure, words)
    return figure


def energy(path):
    """Figure: energies over time, from `simulate --csv`."""
    table = read_table(path, 'time', 'translation', 'rotation', 'potential')
    lines = [('translation', style.BLUE, '-'), ('rotation', style.GREEN, '-'),
             ('potential', style.VERMILION, '-')]
    total = sum(table[name] for name, _, _ in lines)
    with style.styled():
        figure, axes = style.new_figure(7.6, 4.6, (0.11, 0.14, 0.62, 0.77))
        for name, colour, dashes in lines:
            axes.plot(table['time'], table[name], color=colour, linestyle=dashes, label=name)
        axes.plot(table['time'], total, color=style.BLACK, linewidth=1.2, linestyle=(0, (5, 3)),
                  label='all')
        axes.set_xlabel('time (s)')
        axes.set_ylabel('energy (J)')
        axes.set_title('Energy')
        axes.set_ylim(0, None)
        axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1), borderaxespad=0)
    return figure


def overlap(path):
    """Figure: the deepest overlap over time, and the energies below it, from `simulate pour --csv`.
    On logarithmic axes: a heap that rests has an overlap that stays, and energy that falls to nothing.
    """
    table = read_table(path, 'time', 'translation', 'rotation', 'potential', 'overlap')
    time = table['time']
    with style.styled():
        figure = Figure(figsize=(7.6, 5.4))
        above, below = figure.subplots(2, 1, sharex=True, gridspec_kw={
            'left': 0.12, 'right': 0.74, 'bottom': 0.11, 'top': 0.92, 'hspace': 0.12})
        above.plot(time, 1e6 * table['overlap'], color=style.BLACK)
        above.set_ylabel('deepest overlap (µm)')
        above.set_title('A heap that comes to rest')
        lines = [('potential', style.VERMILION), ('translation', style.BLUE),
                 ('rotation', style.GREEN)]
        for name, colour in lines:
            below.plot(time, np.where(table[name] > 0, table[name], np.nan), color=colour, label=name)
        for axes in (above, below):
            axes.set_yscale('log')
            axes.grid(color='#eeeeee')
            axes.set_axisbelow(True)
        below.set_ylabel('energy (J)')
        below.set_xlabel('time (s)')
        below.legend(loc='upper left', bbox_to_anchor=(1.02, 1), borderaxespad=0)
    return figure


# From slow to fast; layers from the bottom, neighbours different (Okabe and Ito's).
_LAYERS = ('#0072b2', '#e69f00', '#009e73', '#f0e442', '#56b4e9', '#d55e00')


def heap(path, colour='speed', azimuth=-60, elevation=28, pixels=900):
    """Figure: spheres of a LAMMPS dump, with shadows: a quick picture. For more there are OVITO and
    ParaView. colour: 'speed', 'layer' (by id, six of them) or a column's name.
    """
    step, bounds, table = read_dump(path)
    require_finite(table, path, 'x', 'y', 'z', 'radius')
    if not np.all(table['radius'] > 0):
        raise ValueError(f'{path} has a radius that is not above 0')
    if not np.isfinite([azimuth, elevation]).all():
        raise ValueError('azimuth and elevation must be finite')
    centres = np.stack([table['x'], table['y'], table['z']], 1)
    if bounds is None:
        bounds = np.stack([centres.min(axis=0), centres.max(axis=0)], 1)
    view = View(azimuth, elevation)
    with style.styled():
        colours, mapped, label, ticks = _colours(table, colour, path)
        figure, axes = style.new_figure(7.4, 6.6, (0.02, 0.05, 0.82, 0.88))
        top = min(bounds[2, 1], max((centres[:, 2] + table['radius']).max(), bounds[2, 0]))
        box = np.array([[x, y, z] for z in (bounds[2, 0], top) for x, y in
                        ((bounds[0, 0], bounds[1, 0]), (bounds[0, 1], bounds[1, 0]),
                         (bounds[0, 1], bounds[1, 1]), (bounds[0, 0], bounds[1, 1]))])
        seen = view(centres)[:, :2]
        edge = np.concatenate([view(box)[:, :2], seen - table['radius'][:, None],
                               seen + table['radius'][:, None]])
        low, high = edge.min(axis=0), edge.max(axis=0)
        margin = 0.02 * (high - low).max()
        limits = ((low[0] - margin, high[0] + margin), (low[1] - margin, high[1] + margin))
        image = spheres(view, centres, table['radius'], colours, limits, pixels)
        scale = pixels / max(np.ptp(limits[0]), np.ptp(limits[1]))
        _draw_box(axes, view(box))
        axes.imshow(image, origin='lower', zorder=3, interpolation='lanczos',
                    extent=(limits[0][0], limits[0][0] + image.shape[1] / scale,
                            limits[1][0], limits[1][0] + image.shape[0] / scale))
        axes.set_xlim(limits[0])
        axes.set_ylim(limits[1])
        axes.set_aspect('equal')
        axes.set_axis_off()
        axes.set_title(f'{len(centres)} spheres, step {step}')
        bar = figure.colorbar(mapped, cax=figure.add_axes((0.86, 0.2, 0.025, 0.5)), label=label)
        if ticks is not None:
            bar.set_ticks(ticks[0], labels=ticks[1])
    return figure


def _colours(table, colour, path):
    """Colours (n, 3), and what their scale shows: (mappable, label, ticks)."""
    if colour == 'layer':
        require_finite(table, path, 'id')
        layer = np.clip((table['id'] - 1) * len(_LAYERS) // len(table['id']), 0, len(_LAYERS) - 1)
        of = np.array([to_rgb(one) for one in _LAYERS])
        mapped = ScalarMappable(Normalize(0, len(_LAYERS)), ListedColormap(_LAYERS))
        return (of[layer.astype(int)], mapped, 'layer in which a sphere began',
                ([0.5, len(_LAYERS) - 0.5], ['bottom', 'top']))
    if colour == 'speed':
        require_finite(table, path, 'vx', 'vy', 'vz')
        value = np.sqrt(table['vx'] ** 2 + table['vy'] ** 2 + table['vz'] ** 2)
        label = 'speed (m/s)'
    else:
        value, label = require_finite(table, path, colour)[colour], colour
    # One that is far faster than the others would leave these one colour.
    top = max(np.quantile(value, 0.995), np.finfo(float).tiny)
    norm = Normalize(min(0.0, value.min()), top)
    mapped = ScalarMappable(norm, matplotlib.colormaps['viridis'])
    return mapped.to_rgba(value)[:, :3], mapped, label, None


def _draw_box(axes, corners):
    """The floor, and the edges of the box behind its content."""
    floor, top = corners[:4], corners[4:]
    axes.add_patch(Polygon(floor[:, :2], facecolor=style.PALE_GREY, edgecolor=style.GREY,
                           linewidth=0.8, zorder=1))
    back = np.argmin(floor[:, 2])
    for i in range(4):
        j = (i + 1) % 4
        if i != back and j != back:
            continue
        wall = np.array([floor[i], floor[j], top[j], top[i]])
        axes.add_patch(Polygon(wall[:, :2], facecolor='#f4f4f4', edgecolor=style.GREY,
                               linewidth=0.8, zorder=1.5))
