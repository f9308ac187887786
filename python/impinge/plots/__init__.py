"""Pictures by matplotlib: of contacts, laws, and what the examples compute.

Each function returns a matplotlib Figure; save(figure, path) writes it, `python3 -m impinge.plots`
draws from the command line.
"""
from impinge.plots.contact import normal_velocity, slip
from impinge.plots.laws import compare, rebounds
from impinge.plots.motion import (boxes, drum, energy, gas, heap, overlap, pool_break, save_film,
                                  scene)
from impinge.plots.section import region, region_figure
from impinge.plots.style import save

__all__ = ['boxes', 'compare', 'drum', 'energy', 'gas', 'heap', 'normal_velocity', 'overlap',
           'pool_break', 'rebounds', 'region', 'region_figure', 'save', 'save_film', 'scene', 'slip']
