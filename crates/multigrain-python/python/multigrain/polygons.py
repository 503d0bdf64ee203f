"""Convex polygons in the plane: closest features and overlap.

>>> import multigrain as mg
>>> square = mg.polygons.Polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]])
>>> tilted = square.at([2.2, 0], angle=0.785398)
>>> mg.polygons.closest_features(square, tilted).contact
'crossing'
>>> round(mg.polygons.overlap(square, tilted).depth, 3)
0.214
"""

from ._core import Closest, Features, Overlap, Polygon, closest_features, overlap

__all__ = ["Closest", "Features", "Overlap", "Polygon", "closest_features", "overlap"]
