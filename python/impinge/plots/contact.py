"""Pictures of one contact under Routh's law: the normal velocity, and the slip."""
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Wedge

from impinge._calls import (find_rays, matrix_of, outcome_text, sticking_is_stable, trace_contact)
from impinge._structs import ENUMS, real, vector
from impinge.plots import style

RayKind, Outcome = ENUMS['ray_kind'], ENUMS['outcome']


def definite(array):
    """A symmetric matrix, which has to be positive definite."""
    array = np.asarray(real('the matrix', array), float)
    if not (np.isfinite(array).all() and np.linalg.eigvalsh(array)[0] > 0):
        raise ValueError('the matrix must be positive definite')
    return array


def definite_in_space(matrix):
    """The 3 by 3 array of a matrix as matrix_of takes it."""
    k = matrix_of(matrix)
    return definite([[k.k11, k.k12, k.k13], [k.k12, k.k22, k.k23], [k.k13, k.k23, k.k33]])


def path_of(matrix, velocity, friction, points_per_step, **rest):
    """The path of a contact: arrays u (3, points) and p (3, points)."""
    points, outcome = trace_contact(matrix=matrix, u1=velocity[0], u2=velocity[1], u3=velocity[2],
                                    friction=friction, points_per_step=points_per_step, **rest)
    if outcome & Outcome.INVALID:
        raise ValueError(f'the contact has no path: {outcome_text(outcome)}')
    return (np.array([[getattr(point, f'u{i}') for point in points] for i in '123']),
            np.array([[getattr(point, f'p{i}') for point in points] for i in '123']))


def normal_curve(matrix, velocity, friction):
    """u_n over p_n past the end of the collision: (p_n, u_n, zeros, extrema).

    The path does not depend on u_n but for where it ends: a contact that approaches faster goes the
    same way, and farther, past every zero of u_n if it is fast enough.
    """
    faster = 4 * np.abs(velocity).max()
    u, p = path_of(matrix, (velocity[0], velocity[1], velocity[2] - faster), friction, 128)
    forward = np.concatenate([[True], np.diff(p[2]) > 0])
    p_n, u_n = p[2][forward], u[2][forward] + faster
    crossing = np.flatnonzero((u_n[:-1] < 0) != (u_n[1:] < 0))
    share = u_n[crossing] / (u_n[crossing] - u_n[crossing + 1])
    zeros = p_n[crossing] + share * (p_n[crossing + 1] - p_n[crossing])
    rise = np.sign(np.diff(u_n))
    turns = np.flatnonzero(rise[:-1] * rise[1:] < 0) + 1
    return p_n, u_n, zeros, [(p_n[i], u_n[i]) for i in turns]


def normal_velocity(matrix, velocity, friction):
    """Figure: the normal velocity as the normal impulse grows (Mirtich 1996, corrected,
    figure 2). matrix: six numbers k11, k12, k13, k22, k23, k33 or 3 by 3, 1/kg. velocity: (3,),
    m/s, the last below 0. friction: finite.
    """
    velocity = np.array(vector('velocity', velocity, 3))
    definite_in_space(matrix)
    if not np.isfinite(velocity).all():
        raise ValueError('the velocity must be finite')
    if not velocity[2] < 0:
        raise ValueError('the bodies do not approach: velocity[2] must be below 0')
    if not 0 <= friction < np.inf:
        raise ValueError('friction must be finite, and 0 or more')
    p, u, zeros, turns = normal_curve(matrix, velocity, friction)
    last = zeros[-1] if len(zeros) else p[-1]
    seen = u[p <= last]
    low, high = min(seen.min(), 0), max(seen.max(), 0)
    # A bit beyond the last zero there is nothing more to see.
    top = max(1.6 * max(high, -low), high)
    end = min(1.5 * last, np.interp(top, u[p >= last], p[p >= last])) if np.any(p > last) else last
    fine = np.linspace(0, end, 401)
    fine = np.union1d(fine, zeros)
    curve = np.interp(fine, p, u)
    with style.styled():
        figure, axes = style.new_figure(7.6, 4.6, (0.095, 0.225, 0.6, 0.7))
        axes.fill_between(fine, curve, 0, where=curve <= 0, color=style.PALE_BLUE, linewidth=0)
        axes.fill_between(fine, curve, 0, where=curve >= 0, color=style.PALE_RED, linewidth=0)
        axes.axhline(0, color=style.GREY, linewidth=0.8)
        axes.plot(fine, curve, color=style.BLACK)
        shown = [(zero, 0) for zero in zeros] + [turn for turn in turns if turn[0] < end]
        decimals = max(0, 2 - int(np.floor(np.log10(max(end, 1e-300)))))
        for x, y in shown:
            axes.plot([x], [y], 'o', color=style.BLACK, markerfacecolor='white', markersize=4.5)
            slope = np.interp(x + end / 500, p, u) - np.interp(x - end / 500, p, u)
            # Beside the curve: where it falls above, where it rises below, at a top above.
            is_zero = y == 0
            above = slope < 0 if is_zero else y > 0
            axes.annotate(f'{x:.{decimals}f}', (x, y), xytext=(5 if is_zero else 0, 6 if above else -6),
                          textcoords='offset points', ha='left' if is_zero else 'center',
                          va='bottom' if above else 'top')
        axes.set_xlim(0, 1.06 * end)
        margin = 0.1 * (max(high, curve[-1]) - low)
        axes.set_ylim(low - margin, max(high, curve[-1]) + margin)
        axes.set_xlabel(r'normal impulse $p_\mathrm{n}$ (kg m/s)')
        axes.set_ylabel(r'normal velocity $u_\mathrm{n}$ (m/s)')
        axes.set_title('Normal velocity over normal impulse')
        style.beside(axes, [
            Line2D([], [], color=style.BLACK, label=r'$u_\mathrm{n}$ along the path'),
            Line2D([], [], linestyle='', marker='o', color=style.BLACK, markerfacecolor='white',
                   markersize=4.5, label=r'zeros, extrema ($p_\mathrm{n}$)'),
            Patch(color=style.PALE_BLUE, label=r'compression: $W_\mathrm{c}$'),
            Patch(color=style.PALE_RED, label=r'restitution: $W_\mathrm{d}$')])
        style.caption(figure, 'The normal velocity as the normal impulse grows. The bodies are '
                              'compressed where it is\nnegative; the collision ends in '
                              'restitution, as its rule says.')
    return figure


def sectors_of(matrix, friction, rays):
    """From each ray to the next, against the clock: (from, to, the kind of the ray it turns to)."""
    k = matrix_of(matrix)

    def turning(theta):
        s1, s2 = np.cos(theta), np.sin(theta)
        return (s1 * (k.k23 - friction * (k.k12 * s1 + k.k22 * s2))
                - s2 * (k.k13 - friction * (k.k11 * s1 + k.k12 * s2)))
    for i, ray in enumerate(rays):
        following = rays[(i + 1) % len(rays)]
        end = following.angle + (2 * np.pi if following.angle <= ray.angle else 0)
        forwards = turning((ray.angle + end) / 2) > 0
        yield ray.angle, end, (following if forwards else ray).kind


def trajectory(matrix, friction, theta, far):
    """The slip from (cos, sin)(theta) to where it vanishes or is farther than `far`: (2, points).

    The normal velocity has no part in it; it only ends the path, so that it is made to last.
    """
    u, _ = path_of(matrix, (np.cos(theta), np.sin(theta), -1e4), friction, 24)
    slip = np.hypot(u[0], u[1])
    ended = np.flatnonzero((slip == 0) | (slip > far))
    return u[:2, :ended[0] + 1] if len(ended) else u[:2]


def slip(matrix, friction, starts=16):
    """Figure: trajectories of the slip from points on a circle, and the rays of constant sliding
    (Mirtich 1996, corrected, figure 4). matrix: as in normal_velocity. friction: finite.
    """
    reach, far = 1.5, 3.0
    definite_in_space(matrix)
    if not 0 <= friction < np.inf:
        raise ValueError('friction must be finite, and 0 or more')
    if starts < 1:
        raise ValueError('starts must be 1 or more')
    rays = find_rays(matrix, friction)
    stable = sticking_is_stable(matrix, friction)
    with style.styled():
        figure, axes = style.new_figure(7.6, 5.2, (0.095, 0.2, 0.6, 0.73))
        axes.set_aspect('equal')
        # A unit is as long in both directions.
        wide = 7.6 * 0.6 / (5.2 * 0.73)
        axes.set_xlim(-reach * wide, reach * wide)
        axes.set_ylim(-reach, reach)
        fills = {RayKind.DIVERGING: style.PALE_RED, RayKind.CONVERGING: style.PALE_BLUE}
        for begin, end, fate in sectors_of(matrix, friction, rays or []):
            if fate in fills:
                axes.add_patch(Wedge((0, 0), far, np.degrees(begin), np.degrees(end),
                                     facecolor=fills[fate], edgecolor='none', zorder=0))
        for ray in rays or []:
            axes.plot([0, far * ray.s1], [0, far * ray.s2], color=style.BLACK, linewidth=1.1,
                      linestyle=(0, (1.5, 2.5)))
            out = 0.86 * reach / max(abs(ray.s1) / wide, abs(ray.s2))
            axes.annotate(f'{np.degrees(ray.angle):.0f}°', (out * ray.s1, out * ray.s2),
                          xytext=(16 * abs(ray.s2), 13 * abs(ray.s1)), textcoords='offset points',
                          ha='center', va='center')
        angles = 2 * np.pi * np.arange(starts) / starts
        for theta in angles:
            axes.plot(*trajectory(matrix, friction, theta, far), color=style.BLACK, linewidth=1.2)
        axes.plot(np.cos(angles), np.sin(angles), 'o', color=style.BLACK, markersize=5)
        axes.set_xlabel('slip $u_1$ (of that before)')
        axes.set_ylabel('slip $u_2$ (of that before)')
        axes.set_title('Trajectories of the slip')
        handles = [Line2D([], [], linestyle='', marker='o', color=style.BLACK, markersize=5,
                          label='slip before'),
                   Line2D([], [], color=style.BLACK, linewidth=1.2, label='its trajectory')]
        if rays is not None:
            handles.append(Line2D([], [], color=style.BLACK, linewidth=1.1,
                                  linestyle=(0, (1.5, 2.5)), label='ray of constant sliding'))
            handles += [Line2D([], [], linestyle='',
                               label=f'{np.degrees(ray.angle):.2f}° {ray.kind.name.lower()}')
                        for ray in rays]
            fates = {fate for _, _, fate in sectors_of(matrix, friction, rays)}
            if RayKind.CONVERGING in fates:
                handles.append(Patch(color=style.PALE_BLUE, label='the slip vanishes'))
            if RayKind.DIVERGING in fates:
                handles.append(Patch(color=style.PALE_RED, label='ends on a diverging ray'))
        words = [] if rays is not None else ['Every direction is a ray\nof constant sliding.']
        words.append('Sticking is stable.' if stable else
                     'Sticking is unstable:\nslip leaves zero along\nthe diverging ray.')
        handles += [Line2D([], [], linestyle='', label=text) for text in words]
        style.beside(axes, handles)
        style.caption(figure, 'How the slip changes while the normal impulse grows, from points on '
                              'a circle about zero slip.\nThe same picture holds at every scale.')
    return figure
