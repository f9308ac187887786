"""How bodies are seen from afar: parallel projection, ellipsoids, and spheres with shadows."""
import numpy as np
from matplotlib.path import Path


class View:
    """Looking along the ground from an azimuth (0: against the x axis), and down by an elevation,
    in degrees. Rows of `axes`: to the right, up, and towards the eye.
    """

    def __init__(self, azimuth, elevation):
        a, e = np.radians(azimuth), np.radians(elevation)
        self.axes = np.array([[-np.sin(a), np.cos(a), 0],
                              [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)],
                              [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]])

    def __call__(self, points):
        """Points (..., 3) as they are seen: (..., 3)."""
        return np.asarray(points) @ self.axes.T


def rotation(quaternion):
    """The matrix of a quaternion w + x i + y j + z k of any length but 0."""
    w, x, y, z = np.asarray(quaternion) / np.linalg.norm(quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


# Control points of a quarter of a circle by a cubic Bezier curve: 4/3 (sqrt(2) - 1).
_QUARTER = 4 / 3 * (np.sqrt(2) - 1)


def _arc(centre, u, v, begin, quarters):
    """Some quarters of the ellipse c + a u + b v, from (a, b) = `begin` on: vertices, codes."""
    a, b = begin
    vertices, codes = [centre + a * u + b * v], [Path.MOVETO]
    for _ in range(quarters):
        vertices += [centre + (a - _QUARTER * b) * u + (b + _QUARTER * a) * v,
                     centre + (-b + _QUARTER * a) * u + (a + _QUARTER * b) * v,
                     centre - b * u + a * v]
        codes += [Path.CURVE4] * 3
        a, b = -b, a
    return vertices, codes


def ellipsoid(view, centre, semi_axes, turned):
    """An ellipsoid as it is seen: its outline, and the visible halves of the three ellipses in which
    its principal planes cut it, as Paths.
    """
    middle = view(centre)[:2]
    axes = view((turned * semi_axes).T)  # rows: semi-axes as seen
    # With S the sum of the axes' squares, the outline is B (cos, sin) for any B B^T = S.
    s = axes[:, :2].T @ axes[:, :2]
    u = np.array([np.sqrt(s[0, 0]), s[0, 1] / np.sqrt(s[0, 0])])
    v = np.array([0, np.sqrt(max(0, s[1, 1] - u[1] ** 2))])
    vertices, codes = _arc(middle, u, v, (1, 0), 4)
    outline = Path(vertices + [vertices[0]], codes + [Path.CLOSEPOLY])
    # How much the surface at an axis' end is turned to the eye: its normal grows as the inverse.
    facing = axes[:, 2] / (axes ** 2).sum(axis=1)
    vertices, codes = [], []
    for i in range(3):
        j = (i + 1) % 3
        most = np.arctan2(facing[j], facing[i])
        more = _arc(middle, axes[i, :2], axes[j, :2], (np.sin(most), -np.cos(most)), 2)
        vertices += more[0]
        codes += more[1]
    return outline, Path(vertices, codes)


def _depths(seen, radii, size, origin, scale):
    """For each pixel which sphere is nearest to the eye, -1: none; and how near its surface is."""
    nearest = np.full(size, -1, int)
    depth = np.full(size, -np.inf)
    pixels = (seen[:, :2] - origin) * scale
    reach = radii * scale
    for i in np.argsort(seen[:, 2]):
        low = np.maximum(np.ceil(pixels[i] - reach[i]), 0).astype(int)
        high = np.minimum(np.floor(pixels[i] + reach[i]) + 1, (size[1], size[0])).astype(int)
        if np.any(low >= high):
            continue
        x = np.arange(low[0], high[0]) - pixels[i, 0]
        y = np.arange(low[1], high[1]) - pixels[i, 1]
        square = reach[i] ** 2 - x[None, :] ** 2 - y[:, None] ** 2
        here = np.where(square > 0, seen[i, 2] + np.sqrt(np.maximum(square, 0)) / scale, -np.inf)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        nearer = here > depth[window]
        depth[window][nearer] = here[nearer]
        nearest[window][nearer] = i
    return nearest, depth


def spheres(view, centres, radii, colours, limits, pixels, light=(-0.5, 0.25, 0.85)):
    """An image of spheres in the light of a distant lamp, with shadows.

    centres (n, 3), radii (n,), colours (n, 3) of [0, 1]. limits: ((left, right), (bottom, top)) as
    seen. pixels: along the larger side. Returns (rows, columns, 4), the lowest row first,
    transparent where nothing is.
    """
    fine = 2  # so many pixels for one, in each direction
    (left, right), (bottom, top) = limits
    scale = fine * pixels / max(right - left, top - bottom)
    size = (fine * int(np.ceil((top - bottom) * scale / fine)),
            fine * int(np.ceil((right - left) * scale / fine)))
    seen = view(centres)
    nearest, depth = _depths(seen, radii, size, np.array([left, bottom]), scale)
    rows, columns = np.nonzero(nearest >= 0)
    which = nearest[rows, columns]
    at = np.stack([left + columns / scale, bottom + rows / scale, depth[rows, columns]], 1)
    normals = (at - seen[which]) / radii[which, None]
    lamp = np.asarray(light) / np.linalg.norm(light)  # in the world
    towards = view.axes @ lamp
    lit = np.maximum(normals @ towards, 0) * ~_shadowed(at @ view.axes, centres, radii, lamp)
    # Faces that look up get light from the sky.
    sky = 0.5 + 0.5 * (normals @ view.axes[:, 2])
    shade = 0.42 + 0.22 * sky + 0.42 * lit
    image = np.zeros((*size, 4))
    image[rows, columns, :3] = np.minimum(colours[which] * shade[:, None], 1)
    image[rows, columns, 3] = 1
    blocks = image.reshape(size[0] // fine, fine, size[1] // fine, fine, 4)
    weight = blocks[..., 3:].sum(axis=(1, 3))
    colour = (blocks[..., :3] * blocks[..., 3:]).sum(axis=(1, 3)) / np.maximum(weight, 1)
    return np.concatenate([colour, weight / fine ** 2], axis=2)


def _shadowed(points, centres, radii, lamp):
    """True where something stands between points (n, 3), as the lamp sees them, and the lamp."""
    across = np.cross(lamp, [0, 1, 0] if abs(lamp[1]) < 0.9 else [1, 0, 0])
    across /= np.linalg.norm(across)
    axes = np.array([across, np.cross(lamp, across), lamp])
    seen = centres @ axes.T
    low = (seen[:, :2] - radii[:, None]).min(axis=0)
    high = (seen[:, :2] + radii[:, None]).max(axis=0)
    scale = 1400 / (high - low).max()
    size = tuple(np.ceil((high - low)[::-1] * scale).astype(int) + 1)
    _, depth = _depths(seen, radii, size, low, scale)
    own = points @ axes.T
    column = np.clip(np.round((own[:, 0] - low[0]) * scale).astype(int), 0, size[1] - 1)
    row = np.clip(np.round((own[:, 1] - low[1]) * scale).astype(int), 0, size[0] - 1)
    # A tenth of a radius: what lies at a sphere's own edge is not in its shadow.
    return depth[row, column] > own[:, 2] + 0.15 * np.median(radii)
