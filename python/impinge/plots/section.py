"""The planar section of impulse space: figures 3 to 8 of Chatterjee and Ruina 1998."""
from dataclasses import dataclass, field

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon

from impinge._calls import resolve_contacts
from impinge._structs import ENUMS, TYPES
from impinge.plots import style
from impinge.plots.contact import definite

Law = ENUMS['law']


@dataclass
class Reach:
    """How a law's impulses are drawn."""
    law: Law
    label: str
    colour: str
    width: float
    dashes: object = '-'


# Later curves are thinner, so that earlier ones stay visible where curves coincide.
REACHES = {
    'routh': Reach(Law.ROUTH, 'Routh (Poisson)', style.BLACK, 5.5),
    'two-stage': Reach(Law.TWO_STAGE, 'two-stage', style.GREEN, 3),
    'smith': Reach(Law.SMITH, 'Smith', style.BLUE, 2, (0, (5, 1.2))),
    'whittaker': Reach(Law.WHITTAKER, 'Whittaker', style.VERMILION, 1.6, (0, (1.6, 1.4))),
}
RUINA = 'chatterjee-ruina'
LAWS = (*REACHES, RUINA)


@dataclass
class Look:
    """The contents of a picture besides the permissible region."""
    laws: tuple = LAWS
    construction: bool = False  # points and lines of 3.3 with their letters
    centre: bool = False  # P_II, the centre of the ellipse
    path: str = None  # the law whose impulse is shown as it grows
    sticking_elastic: bool = False  # where sticking meets e = 1 (4.2.2)
    reversed: bool = False  # where the tangential velocity is reversed (4.2.3)
    pendulum: bool = False  # a sketch of the bodies
    title: str = 'Permissible impulses and laws'
    caption: str = 'What the laws can reach as restitution goes from 0 (ring) to 1 (dot).'


# The paper's figures have no numbers. These have what its text says of them: in 3 and 4 the path of
# Routh's law meets the line of sticking below that of maximum compression and goes on along the
# other friction line, Smith's reaches the normal axis beyond E, and sticking meets EF outside the
# ellipse; in 5 the matrix is a sphere's; in 6 the contact jams and P_II is inside the friction
# cone; in 7 the centre is below the tangential axis; in 8 K's eigenvalue along (-3, 4), which is
# that of a pendulum's rod, is 1e-4 of the other's, and u0 is across the rod.
_GENERIC = (1, 0.5, 1, -0.6, -1, 0.4)
FIGURES = {
    '3a': (_GENERIC, Look(
        (), construction=True, title='The permissible region of impulses',
        caption='A generic collision in a plane: the ellipse of conserved energy, the friction '
                'lines, and the\npermissible region: inside both, above the line of maximum '
                'compression AB.')),
    '3b': (_GENERIC, Look(
        ('routh',), construction=True, path='routh', title="The impulses of Routh's law",
        caption="Routh's law: the path of the impulse from O, and the impulses that it can reach "
                "(bold)\nas Poisson's restitution goes from 0 to 1.")),
    '3c': (_GENERIC, Look(
        ('smith',), construction=True, reversed=True, path='smith',
        title="The impulses of Smith's law",
        caption="Smith's law as restitution goes from -1 (at O, thin) and from 0 to 1 (bold). On "
                "the dotted\nline through F the tangential velocity is reversed.")),
    '3d': (_GENERIC, Look(
        ('whittaker',), construction=True, sticking_elastic=True,
        title="The impulses of Whittaker's law",
        caption="Whittaker's law, and its construction for e = 1: the line of sticking meets the "
                "line of\nconstant e (dashed) at the dot, outside the ellipse: energy is gained.")),
    '4': (_GENERIC, Look(
        title='A generic collision',
        caption='A generic collision: what the laws can reach as restitution goes from 0 (ring) '
                'to 1 (dot).')),
    '5': ((3.5, 0, 1, -1.4, -1, 0.3), Look(
        title='A collision with diagonal M',
        caption='A collision with diagonal M, as of spheres and disks (bilinear = '
                'Chatterjee-Ruina).')),
    '6': ((1, -0.8, 1, -1, 0, 1.5), Look(
        centre=True, title='A tangential collision',
        caption="A tangential collision (grazing): Routh's law predicts normal rebound (so does "
                "the two-stage\nlaw, with Poisson's restitution, too); Chatterjee and Ruina's "
                "permits tangential rebound.")),
    '7': ((1, 0.6, 1, -1.2, -0.5, np.inf), Look(
        centre=True, title='A collision with infinite friction',
        caption='A collision with infinite friction. The centre of the ellipse is below the '
                'tangential axis,\nso that a dead collision would need a pull.')),
    '8': ((0.640036, 0.479952, 0.360064, -0.8, -0.6, 2.5), Look(
        ('routh', 'smith', 'two-stage', RUINA), centre=True, pendulum=True,
        title='A collision with unbounded M',
        caption="A collision with unbounded M: a pendulum's end meets the floor. The ellipse is a "
                "strip. Routh's\nimpulses leave no velocity; Whittaker's law gains energy without "
                "bound and is not shown.")),
}


@dataclass
class Section:
    """A collision in a plane (axes t, n) and the geometry of its impulses; points are (p_t, p_n)."""
    ktt: float
    ktn: float
    knn: float
    ut: float
    un: float
    friction: float
    mass: np.ndarray = field(init=False)  # M = K^-1
    first: np.ndarray = field(init=False)  # P_I
    second: np.ndarray = field(init=False)  # P_II
    energy: float = field(init=False)  # u0 . M u0

    def __post_init__(self):
        k = definite([[self.ktt, self.ktn], [self.ktn, self.knn]])
        if not self.friction >= 0:
            raise ValueError('friction must be 0 or more')
        if not np.isfinite([self.ut, self.un]).all():
            raise ValueError('the velocity must be finite')
        if not (self.un < 0 or self.un == 0 and self.ut != 0):
            raise ValueError('u_n must be below 0: the bodies approach (or 0, if they slip)')
        self.mass = np.linalg.inv(k)
        before = np.array([self.ut, self.un], float)
        self.first = np.array([0, -self.un / self.knn])
        self.second = -self.mass @ before
        self.energy = before @ self.mass @ before

    def impulse_to(self, ut, un):
        """The impulse after which the velocity is (ut, un)."""
        return self.second + self.mass @ np.array([ut, un])

    def ellipse_at(self, theta):
        """The point of the ellipse where the velocity has the direction theta."""
        direction = np.array([np.cos(theta), np.sin(theta)])
        return self.impulse_to(*direction * np.sqrt(self.energy / (direction @ self.mass @ direction)))

    def ellipse(self, count=361):
        """The ellipse by even steps of its own angle, so that a slender one is as smooth as a round
        one: P_II + sqrt(energy) L (cos, sin) with L L^T = M. Points (2, count).
        """
        theta = np.linspace(0, 2 * np.pi, count)
        root = np.linalg.cholesky(self.mass)
        return self.second[:, None] + np.sqrt(self.energy) * root @ np.array([np.cos(theta),
                                                                             np.sin(theta)])

    def region(self):
        """The permissible region (Chatterjee and Ruina 1998, 3.2): points (2, count) around it."""
        points = self.ellipse()[:, :-1].T
        points = cut(points, (-self.ktn, -self.knn), self.un)  # u_n >= 0
        points = cut(points, (0, -1), 0)  # no pull
        if np.isfinite(self.friction):
            points = cut(points, (1, -self.friction), 0)
            points = cut(points, (-1, -self.friction), 0)
        return points.T

    def impulses(self, law, restitution, tangential_restitution=0.0):
        """What a law makes of it, for arrays of coefficients: (2, count). Of Routh's, by Poisson's
        rule as in the paper.
        """
        restitution, tangential = np.broadcast_arrays(np.atleast_1d(restitution).astype(float),
                                                      tangential_restitution)
        contacts = TYPES['contacts'](
            # Across nothing moves; the matrix there is that along.
            k=(float(self.ktt), 0.0, float(self.ktn), float(self.ktt), 0.0, float(self.knn)),
            u=(np.full(restitution.shape, float(self.ut)), 0.0, float(self.un)),
            restitution=restitution, friction=float(self.friction),
            tangential_restitution=np.ascontiguousarray(tangential, float))
        results = resolve_contacts(contacts, law=law, rule='poisson', resolve_jams=self.un == 0,
                                   wanted=['p', 'outcome'])
        if results.status:
            raise ValueError(f'{Law(law).name.lower()} finds the contact invalid')
        return results.p[[0, 2]]


def cut(points, normal, bound):
    """The part of a convex polygon (count, 2) on the side normal . p <= bound."""
    kept = []
    slack = points @ np.array(normal, float) - bound
    for i in range(len(points)):
        j = (i + 1) % len(points)
        if slack[i] <= 0:
            kept.append(points[i])
        if (slack[i] <= 0) != (slack[j] <= 0):
            kept.append(points[i] + slack[i] / (slack[i] - slack[j]) * (points[j] - points[i]))
    return np.array(kept).reshape(-1, 2)


# The size of the figure in inches, and the frame's part of it.
_SIZE, _FRAME = (8, 5), (0.085, 0.2, 0.59, 0.725)
_REGION = {'facecolor': style.PALE_GREY, 'edgecolor': 'none'}
_LINES = {  # what lines are drawn like, and called
    'ellipse': ({'color': style.BLACK, 'linewidth': 1.6}, 'energy conserved'),
    'compression': ({'color': style.SKY, 'linewidth': 2}, r'max. compression, $u_\mathrm{n} = 0$'),
    'sticking': ({'color': style.BLACK, 'linewidth': 1, 'linestyle': (0, (9, 3, 2, 3))},
                 r'sticking, $u_\mathrm{t} = 0$'),
    'friction': ({'color': style.GREY, 'linewidth': 1.3}, 'friction lines'),
    'elastic': ({'color': style.BLACK, 'linewidth': 1, 'linestyle': (0, (5, 3))}, '$e = 1$'),
    'reversed': ({'color': style.VERMILION, 'linewidth': 1.2, 'linestyle': (0, (1.5, 2))},
                 r'$u_\mathrm{t}$ reversed'),
}


def _bounds(section, look):
    """What the frame holds: the ellipse; or if that is far longer than all that happens in it, what
    does. Returns ((left, right), (bottom, top)).
    """
    core = max(np.hypot(*section.second), 2 * section.first[1])
    half = np.sqrt(section.energy * np.diag(section.mass))
    points = [np.zeros(2), 2 * section.first]
    if half.max() < 4 * core:
        points += [section.second - half, section.second + half]
    else:
        points += [np.array([-core / 2, -core / 8]), np.array([core / 2, core]), section.second]
    sticking = section.impulse_to(0, -section.un)
    if 'whittaker' in look.laws and np.hypot(*sticking) < 2 * core:
        points.append(sticking)
    low, high = np.min(points, 0), np.max(points, 0)
    margin = 0.09 * (high - low).max()
    # A unit is as long in both directions.
    wide = _SIZE[0] * _FRAME[2] / (_SIZE[1] * _FRAME[3])
    centre, size = (low + high) / 2, high - low + 2 * margin
    height = max(size[1], size[0] / wide)
    return ((centre[0] - wide * height / 2, centre[0] + wide * height / 2),
            (centre[1] - height / 2, centre[1] + height / 2))


def _whole(axes, at, direction, kind, from_here=False):
    """A line from one side of the frame to the other, or from a point on; whether it is seen."""
    size = np.ptp(axes.get_xlim()) + np.ptp(axes.get_ylim())
    direction = np.asarray(direction, float) / np.hypot(*direction)
    steps = np.linspace(0 if from_here else -4 * size, 4 * size, 2001)
    x, y = at[0] + steps * direction[0], at[1] + steps * direction[1]
    axes.plot(x[[0, -1]], y[[0, -1]], **_LINES[kind][0], zorder=2)
    return style.within(axes, x, y)


def _letter(axes, at, letter, offset=(7, 6)):
    axes.plot(*at, 'o', color=style.BLACK, markersize=4, zorder=8)
    axes.annotate(letter, at, xytext=offset, textcoords='offset points', ha='center', va='center',
                  zorder=9)


def _draw_reach(axes, section, reach):
    """Returns what stands for it in the legend; None: it is not seen."""
    points = section.impulses(reach.law, np.linspace(0, 1, 401))
    first, last = points[:, 0], points[:, -1]
    size = 3 + reach.width
    if np.hypot(*(last - first)) < np.ptp(axes.get_xlim()) / 200:
        # One impulse for every e: above the others' ends, which may be the same.
        dot = {'linestyle': '', 'marker': 'o', 'color': reach.colour, 'markersize': size + 1}
        axes.plot(*last[:, None], zorder=7, **dot)
        handle = Line2D([], [], label=reach.label, **dot)
    else:
        axes.plot(*points, color=reach.colour, linewidth=reach.width, linestyle=reach.dashes,
                  solid_capstyle='butt', zorder=5)
        axes.plot(*last, 'o', color=reach.colour, markersize=size, zorder=5)
        axes.plot(*first, 'o', color=reach.colour, markerfacecolor='white', markersize=size,
                  markeredgewidth=1.4, zorder=6)
        handle = Line2D([], [], color=reach.colour, linewidth=reach.width, linestyle=reach.dashes,
                        label=reach.label, solid_capstyle='butt')
    return handle if style.within(axes, *points) else None


def _draw_ruina(axes, section):
    """What Chatterjee and Ruina's law reaches over e in [0, 1] and e_t in [-1, 1]: the image of that
    square's outline. The law moves impulses along P_II - P_I only, so that this bounds the rest.
    """
    part = np.linspace(0, 1, 81)
    across = 2 * part - 1
    law = Law.CHATTERJEE_RUINA
    outline = np.hstack([section.impulses(law, np.zeros(81), across),
                         section.impulses(law, part, 1.0),
                         section.impulses(law, np.ones(81), -across),
                         section.impulses(law, 1 - part, -1.0)])
    axes.add_patch(Polygon(outline.T, closed=True, facecolor=style.PALE_YELLOW,
                           edgecolor=style.PURPLE, linewidth=1, zorder=1.5))
    if section.un == 0:  # of a grazing collision it is a line
        axes.plot(outline[0, :81], outline[1, :81], color=style.PURPLE, linewidth=7, zorder=4,
                  solid_capstyle='butt')


def _draw_path(axes, section, law):
    """The impulse of a law as restitution goes from -1, which is no impulse, to 0: all that counts
    is the change of u_n, (1 + e) u_n0, so that a slower approach without restitution gives the same.
    """
    points = [np.zeros(2)]
    for share in np.linspace(0, 1, 101)[1:]:
        slower = Section(section.ktt, section.ktn, section.knn, section.ut, share * section.un,
                         section.friction)
        points.append(slower.impulses(REACHES[law].law, 0.0)[:, 0])
    axes.plot(*np.array(points).T, color=style.BLACK, linewidth=1.6, zorder=4)


def _draw_pendulum(figure, axes):
    """The pendulum of figure 8, its end on the floor: below the legend."""
    sketch = axes.inset_axes([1.1, -0.02, 0.32, 0.32])
    sketch.set_axis_off()
    sketch.set_aspect('equal')
    sketch.plot([-0.62, 0.45], [0, 0], color=style.BLACK, linewidth=0.9)
    for x in np.arange(-0.55, 0.5, 0.1):
        sketch.plot([x, x - 0.06], [0, -0.09], color=style.BLACK, linewidth=0.8)
    sketch.plot([0, -0.54], [0, 0.72], color=style.BLACK, linewidth=3, solid_capstyle='butt')
    sketch.plot([-0.54], [0.72], 'o', color=style.BLACK, markerfacecolor='white', markersize=8,
                clip_on=False)


def region(ktt, ktn, knn, ut, un, friction, look=None):
    """Figure: the permissible impulses of a collision in a plane, and those that each law gives as
    restitution goes from 0 to 1. ktt, ktn, knn: the collision matrix, 1/kg. ut, un: the velocity
    before, m/s; un < 0. friction: may be infinite. look: a Look; None: all laws.
    """
    section = Section(ktt, ktn, knn, ut, un, friction)
    look = look or Look()
    with style.styled():
        figure, axes = style.new_figure(*_SIZE, _FRAME)
        axes.set_aspect('equal')
        x_limits, y_limits = _bounds(section, look)
        axes.set_xlim(x_limits)
        axes.set_ylim(y_limits)
        axes.add_patch(Polygon(section.region().T, closed=True, **_REGION, zorder=1))
        seen = {}
        if RUINA in look.laws:
            _draw_ruina(axes, section)
        axes.axhline(0, color=style.GREY, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1.2)
        axes.axvline(0, color=style.GREY, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1.2)
        ellipse = section.ellipse(7201)
        axes.plot(*ellipse[:, ::20], **_LINES['ellipse'][0], zorder=3)
        seen['ellipse'] = style.within(axes, *ellipse)
        seen['compression'] = _whole(axes, section.second, (knn, -ktn), 'compression')
        seen['sticking'] = _whole(axes, section.second, (-ktn, ktt), 'sticking')
        for sign in (1, -1):
            direction = (sign, 0) if np.isinf(friction) else (sign * friction, 1)
            seen['friction'] = _whole(axes, (0, 0), direction, 'friction', from_here=True)
        if look.construction:
            seen['elastic'] = _whole(axes, 2 * section.first, (knn, -ktn), 'elastic')
        if look.reversed:
            # All impulses with u_t = -u_t0: through F, along sticking.
            seen['reversed'] = _whole(axes, 2 * section.second, (-ktn, ktt), 'reversed')
        if look.path:
            _draw_path(axes, section, look.path)
        if look.sticking_elastic:
            axes.plot(*section.impulse_to(0, -un), 'o', color=style.BLACK, markersize=7, zorder=4)
        laws = [_draw_reach(axes, section, REACHES[name]) for name in REACHES if name in look.laws]
        if look.construction:
            for letter, at, offset in (('O', (0, 0), (-8, -8)),
                                       ('A', section.ellipse_at(np.pi), (-9, -7)),
                                       ('B', section.ellipse_at(0), (9, 7)),
                                       ('C', section.ellipse_at(np.pi / 2), (6, 9)),
                                       ('D', section.ellipse_at(3 * np.pi / 2), (-8, -8)),
                                       ('E', 2 * section.first, (8, 8)),
                                       ('F', 2 * section.second, (8, 8))):
                _letter(axes, at, letter, offset)
        else:
            _letter(axes, (0, 0), 'O', (9 if ktn < 0 else -9, -9))
        if look.centre:
            _letter(axes, section.second, 'C', (-11, -10 if ktn > 0 else 6))
        axes.set_xlabel(r'tangential impulse $p_\mathrm{t}$ (kg m/s)')
        axes.set_ylabel(r'normal impulse $p_\mathrm{n}$ (kg m/s)')
        axes.set_title(look.title)
        handles = [Patch(label='permissible region', **_REGION)]
        handles += [Line2D([], [], label=label, **kind) for name, (kind, label) in _LINES.items()
                    if seen.get(name)]
        style.beside(axes, handles)
        laws = [handle for handle in laws if handle]
        if RUINA in look.laws:
            laws.append(Patch(facecolor=style.PALE_YELLOW, edgecolor=style.PURPLE,
                              label='Chatterjee-Ruina'))
        if laws:
            style.beside(axes, laws, 'within reach of', 1 - 0.062 * (len(handles) + 0.6))
        if look.pendulum:
            _draw_pendulum(figure, axes)
        style.caption(figure, look.caption)
    return figure


def region_figure(name):
    """Figure: one of the paper's, '3a' to '3d' and '4' to '8', with numbers as its text asks for."""
    if name not in FIGURES:
        raise ValueError(f'there is no figure {name!r}; there are {", ".join(FIGURES)}')
    numbers, look = FIGURES[name]
    return region(*numbers, look=look)
