"""Laws side by side: how contacts rebound under each, over one quantity."""
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from impinge._calls import law_name, law_properties, matrix_of, outcome_text, resolve_contacts
from impinge._structs import ENUMS, TYPES, as_member, real
from impinge.plots import style
from impinge.plots.contact import definite_in_space

Law, LawProperty, Outcome = ENUMS['law'], ENUMS['law_property'], ENUMS['outcome']

# Later curves are thinner, so that earlier ones stay visible where curves coincide.
LOOKS = {
    Law.ROUTH: (style.BLACK, 4.5, '-'),
    Law.TWO_STAGE: (style.GREEN, 3, '-'),
    Law.CHATTERJEE_RUINA: (style.PURPLE, 2.4, (0, (7, 1.5))),
    Law.BILINEAR: (style.ORANGE, 1.6, (0, (2.5, 1.5))),
    Law.SMITH: (style.BLUE, 1.8, (0, (5, 1.5))),
    Law.WHITTAKER: (style.VERMILION, 1.6, (0, (1.4, 1.4))),
    Law.COMPOSITE: (style.SKY, 1.4, (0, (7, 2, 1.5, 2))),
    Law.BRACH: (style.SKY, 1.8, '-'),
    Law.FRICTIONLESS: (style.GREY, 1.2, '-'),
}
# A law that has no look of its own yet is drawn, too.
LOOKS |= {law: (style.BLACK, 1.2, ':') for law in Law if law not in LOOKS}

OVER = {'angle': 'angle of incidence (degrees)', 'friction': 'friction $\\mu$',
        'restitution': 'restitution $e$'}
COEFFICIENTS = ('tangential_restitution', 'mix', 'impulse_ratio_t1', 'impulse_ratio_t2',
                'friction_static')


@dataclass
class Rebound:
    """A law's results for contacts: arrays with an element for each. NaN: no impulse."""
    angle: np.ndarray  # from the normal to the direction of the slip before, degrees
    normal: np.ndarray  # u_n after / -u_n before
    tangential: np.ndarray  # u_t after . s / |u_t before|, s the direction of the slip before
    lost: np.ndarray  # the share of 1/2 u . K^-1 u that is lost
    outcome: np.ndarray


def default_laws(matrix, coefficients):
    """The laws that a matrix and coefficients have: those that need a diagonal matrix if it is one,
    those that read a mix or impulse ratios with these.
    """
    k = matrix_of(matrix)
    without = LawProperty(0)
    if not k.k12 == k.k13 == k.k23 == 0:
        without |= LawProperty.NEEDS_DIAGONAL
    if coefficients.get('mix') is None:
        without |= LawProperty.READS_MIX
    if coefficients.get('impulse_ratio_t1') is None:
        without |= LawProperty.READS_IMPULSE_RATIOS
    return [law for law in LOOKS if not law_properties(law) & without]


def rebounds(matrix, over='angle', values=None, *, angle=45.0, heading=0.0, speed=1.0,
             restitution=0.5, friction=0.3, laws=None, rule='stronge', **coefficients):
    """How contacts with one matrix rebound by each law: (values, {Law: Rebound}).

    matrix: six numbers k11, k12, k13, k22, k23, k33 or 3 by 3, 1/kg. over: 'angle', 'friction' or
    'restitution', which takes `values`; the others are numbers. angle: of incidence, from the
    normal, degrees, in [0, 90). heading: of the slip before, from t1 towards t2, degrees. speed:
    m/s. laws: some of Law; None: those that the matrix and the coefficients have. coefficients:
    tangential_restitution, mix, impulse_ratio_t1, impulse_ratio_t2, friction_static.
    """
    if over not in OVER:
        raise ValueError(f'over is one of {", ".join(OVER)}, not {over!r}')
    unknown = set(coefficients) - set(COEFFICIENTS)
    if unknown:
        raise TypeError(f'no coefficient is called {", ".join(sorted(unknown))}')
    if values is None:
        values = {'angle': np.linspace(0.5, 89.5, 357), 'friction': np.linspace(0, 1.5, 301),
                  'restitution': np.linspace(0, 1, 201)}[over]
    values = np.asarray(real('values', values), float)
    if values.ndim != 1 or len(values) == 0:
        raise ValueError('values are an array of one dimension, of one element or more')
    given = {'angle': angle, 'friction': friction, 'restitution': restitution, over: values}
    given = {name: np.broadcast_to(np.asarray(real(name, value), float), values.shape)
             for name, value in given.items()}
    theta = np.radians(given['angle'])
    if not np.all((theta >= 0) & (theta < np.pi / 2)):
        raise ValueError('angles of incidence are from 0 to below 90 degrees')
    phi = np.radians(heading)
    direction = np.array([np.cos(phi), np.sin(phi)])
    before = speed * np.array([np.sin(theta) * direction[0], np.sin(theta) * direction[1],
                               -np.cos(theta)])
    k = matrix_of(matrix)
    members = {name: float(real(name, value)) if np.isscalar(value) else value
               for name, value in coefficients.items() if value is not None}
    contacts = TYPES['contacts'](
        k=tuple(getattr(k, name) for name in k._members), u=before,
        restitution=given['restitution'].copy(), friction=given['friction'].copy(), **members)
    mass = np.linalg.inv(definite_in_space(matrix))
    found = {}
    laws = default_laws(matrix, coefficients) if laws is None else [as_member(Law, law) for law in laws]
    for law in laws:
        results = resolve_contacts(contacts, law=law, rule=rule)
        if np.all(results.outcome & int(Outcome.INVALID)):
            raise ValueError(f'the law {law_name(law)} has no valid contact: '
                             f'{outcome_text(results.outcome[0])}')
        found[law] = _rebound(results, before, direction, mass)
    return values, found


def _rebound(results, before, direction, mass):
    after = np.where(results.outcome & int(Outcome.SLID | Outcome.STUCK | Outcome.DIVERGED) != 0,
                     results.u_after, np.nan)
    along = direction @ after[:2]
    slip = np.hypot(before[0], before[1])

    def energy(u):
        return np.einsum('in,ij,jn->n', u, mass, u) / 2
    with np.errstate(divide='ignore', invalid='ignore'):
        tangential = np.where(slip > 0, along / slip, np.nan)
        return Rebound(np.degrees(np.arctan2(along, after[2])), after[2] / -before[2], tangential,
                       1 - energy(after) / energy(before), results.outcome)


def compare(matrix, over='angle', values=None, *, title=None, **how):
    """Figure: laws side by side. Rebound angle, normal and tangential rebound and energy loss over
    the angle of incidence, friction or restitution. Arguments: as in rebounds.
    """
    values, found = rebounds(matrix, over, values, **how)
    panels = [('angle', 'rebound angle (degrees)'),
              ('normal', r'normal rebound $u_\mathrm{n}^{\,\prime}\, /\, {-u_\mathrm{n}}$'),
              ('tangential', r'tangential rebound $u_\mathrm{t}^{\,\prime}\, /\, u_\mathrm{t}$'),
              ('lost', 'share of energy lost')]
    with style.styled():
        figure = Figure(figsize=(8.6, 7))
        axes = figure.subplots(2, 2, sharex=True, gridspec_kw={
            'left': 0.09, 'right': 0.98, 'bottom': 0.135, 'top': 0.88, 'wspace': 0.24,
            'hspace': 0.08})
        for on, (name, label) in zip(axes.flat, panels):
            for law, rebound in sorted(found.items(), key=lambda one: list(LOOKS).index(one[0])):
                colour, width, dashes = LOOKS[law]
                on.plot(values, getattr(rebound, name), color=colour, linewidth=width,
                        linestyle=dashes, solid_capstyle='butt')
            on.axhline(0, color=style.GREY, linewidth=0.7, zorder=0)
            on.set_ylabel(label)
            on.set_xlim(values.min(), values.max())
            _limit(on, name, [getattr(one, name) for one in found.values()])
            on.grid(color='#eeeeee')
            on.set_axisbelow(True)
        for on in axes[1]:
            on.set_xlabel(OVER[over])
        if over == 'angle':
            for on in axes.flat:
                on.set_xlim(0, 90)
                on.set_xticks(range(0, 91, 15))
            axes[0, 0].plot([0, 90], [0, 90], color=style.GREY, linewidth=0.8,
                            linestyle=(0, (1, 2)), zorder=0)
            axes[0, 0].set_yticks(range(-90, 91, 30))
        names = {law: law_name(law).replace('-', ' ').replace('chatterjee ruina', 'Chatterjee-Ruina')
                 for law in found}
        handles = [Line2D([], [], color=LOOKS[law][0], linewidth=LOOKS[law][1],
                          linestyle=LOOKS[law][2], label=_spelled(names[law]))
                   for law in LOOKS if law in found]
        figure.legend(handles=handles, loc='upper center', ncols=4,
                      handlelength=3.4)
        style.caption(figure, title or _told(over, how))
    return figure


def _spelled(name):
    """A law that is a person's has a capital."""
    return name if name in ('two stage', 'frictionless', 'bilinear', 'composite',
                            'Chatterjee-Ruina') else name.capitalize()


def _told(over, how):
    words = {'angle': 'angle of incidence {:g}°', 'restitution': 'e = {:g}', 'friction': 'mu = {:g}',
             'tangential_restitution': 'tangential restitution {:g}', 'heading': 'heading {:g}°'}
    known = {'angle': 45.0, 'restitution': 0.5, 'friction': 0.3, **how}
    told = [text.format(known[name]) for name, text in words.items()
            if name != over and known.get(name) is not None]
    return 'Laws side by side; ' + ', '.join(told) + '.'


def _limit(on, name, curves):
    """Limits that hold what is bounded: an impulse that gains energy may go anywhere."""
    if name == 'angle':
        on.set_ylim(-95, 95)
        return
    all_values = np.concatenate(curves)
    all_values = all_values[np.isfinite(all_values)]
    low, high = min(all_values.min(initial=0), 0), max(all_values.max(initial=0), 0)
    bounds = {'normal': (-0.05, 1.55), 'tangential': (-1.55, 1.55), 'lost': (-0.55, 1.05)}[name]
    margin = 0.05 * max(high - low, 1e-3)
    on.set_ylim(max(low - margin, bounds[0]), min(high + margin, bounds[1]))
