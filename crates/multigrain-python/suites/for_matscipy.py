"""matscipy's ``neighbour_list`` by multigrain's. Tests: ``test_neighbours.py`` of its sources.

What the adapter converts: nothing but ``index_dtype``, since other C functions of matscipy take int32 only.
"""

import functools

import matscipy.neighbours
from counting import mg

DEFAULT_TESTS = None
CONVENTIONS = {}


def neighbour_list(*args, **keywords):
    return mg.neighbour_list(*args, **keywords, index_dtype="int32")


def install():
    functools.update_wrapper(neighbour_list, matscipy.neighbours.neighbour_list)
    matscipy.neighbours.neighbour_list = neighbour_list
