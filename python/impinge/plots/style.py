"""Common parts of the pictures: colours, axes, and files that are the same at every run."""
import io
import re
from contextlib import contextmanager

import matplotlib
import numpy as np
from matplotlib.figure import Figure

# Colours that the colour-blind can distinguish (Okabe and Ito's), and paler ones of two.
BLACK, GREY = '#000000', '#767676'
BLUE, SKY, GREEN = '#0072b2', '#56b4e9', '#009e73'
VERMILION, ORANGE, PURPLE = '#d55e00', '#e69f00', '#aa4499'
PALE_BLUE, PALE_RED, PALE_GREY, PALE_YELLOW = '#dcebf7', '#fbe3d6', '#e4e4e4', '#f6e8b1'

_STYLE = {'font.size': 10, 'axes.titlesize': 11, 'axes.labelsize': 10, 'legend.fontsize': 9.5,
          'legend.frameon': False, 'lines.linewidth': 1.4, 'axes.linewidth': 0.8,
          'mathtext.fontset': 'dejavusans', 'figure.facecolor': 'white', 'savefig.dpi': 110,
          'svg.hashsalt': 'impinge', 'path.simplify_threshold': 0.1}


@contextmanager
def styled():
    """Within it figures are made as here, whatever the user's matplotlibrc says."""
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, 'backend': matplotlib.get_backend(),
                                **_STYLE}):
        yield


def new_figure(width, height, frame=(0.09, 0.19, 0.6, 0.72), **rest):
    """A figure of so many inches, without a window, and axes at a part of it."""
    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes(frame, **rest)


def save(figure, path):
    """Writes a picture by the ending of its name; the same bytes for the same picture."""
    with styled():
        if not str(path).endswith('.svg'):
            figure.savefig(path)
            return
        drawn = io.StringIO()
        figure.savefig(drawn, format='svg', metadata={'Date': None})
    # A hundredth of a point is enough for a line, and half as long; of each shape a line of text.
    text = re.sub(r' d="[^"]*"', lambda line: re.sub(
        r'-?\d+\.\d{3,}', lambda number: f'{float(number[0]):.2f}',
        re.sub(r' *\n *', ' ', line[0])), drawn.getvalue())
    with open(path, 'w') as file:
        file.write(text)


def within(axes, x, y):
    """True if part of a line is visible."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    x, y = np.asarray(x), np.asarray(y)
    return bool(np.any((x >= left) & (x <= right) & (y >= bottom) & (y <= top)))


def caption(figure, text):
    """Words below everything, at the left."""
    figure.text(0.02, 0.025, text, fontsize=9.5, ha='left', va='bottom')


def beside(axes, handles, title=None, at=1.0):
    """A legend to the right of the axes, at a height of it."""
    made = axes.legend(handles=handles, title=title, loc='upper left', bbox_to_anchor=(1.02, at),
                       borderaxespad=0, alignment='left', handlelength=2.6)
    axes.add_artist(made)
