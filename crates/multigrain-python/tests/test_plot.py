"""Pictures: drawn from every kind of system, with what was asked for in them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import multigrain as mg


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.mark.parametrize("dimension", [2, 3])
def test_systems_are_drawn_with_box_and_contacts(dimension):
    grains = mg.pack(law="uniform", ratio=3, count=50, packing_fraction=0.6, dimension=dimension, periodic="x")
    pairs = grains.find_pairs()
    ax = mg.plot.system(grains, pairs=pairs)
    circles, contacts = ax.collections[:2]
    assert len(circles.get_offsets()) == 50 and len(contacts.get_segments()) == len(pairs) > 0
    assert [line.get_linestyle() for line in ax.lines] == ["--", "--", "-", "-"]
    assert ax.get_xlim()[1] > grains.domain.hi[0]


def test_arrays_equal_sizes_points_and_nothing_are_drawn():
    for centers, radii in [([[0, 0], [1, 1]], 1.0), ([[0, 0]], 0.0), (np.empty((0, 2)), []), ([[0, 0, 0]], [2])]:
        mg.plot.system(centers, radii).figure.canvas.draw()


def test_pictures_go_where_they_should():
    _, ax = plt.subplots()
    assert mg.plot.system([[0, 0]], 1.0, ax=ax) is ax
    assert mg.plot.work([[0, 0]], 1.0, ax=ax, methods=["hgrid"]) is ax


def test_work_has_a_row_for_each_method():
    grains = mg.pack(law="power", exponent=-3, ratio=10, count=400, packing_fraction=0.6)
    ax = mg.plot.work(grains)
    assert [label.get_text() for label in ax.get_yticklabels()] == [name for name in mg.methods() if name != "auto"]
    widths = [bar.get_width() for bar in ax.containers[0]]
    assert widths[0] == pytest.approx(399 / 2)
    mg.plot.work([], []).figure.canvas.draw()


@pytest.mark.parametrize("methods", [["hgrid"], ["linked-cell", "hgrid", "hgrid-cells"], None])
@pytest.mark.parametrize("size", [7, 10, 16])
def test_the_legend_of_work_is_below_the_label(methods, size):
    grains = mg.pack(law="uniform", ratio=3, count=100, packing_fraction=0.6)
    with plt.rc_context({"font.size": size}):
        ax = mg.plot.work(grains, methods=methods)
        ax.figure.canvas.draw()
        legend = ax.get_legend().get_window_extent()
        assert 0 <= legend.y0 and legend.y1 <= ax.xaxis.label.get_window_extent().y0


def test_wrong_systems_are_clear_errors():
    with pytest.raises(TypeError, match="give a System, or centers and radii"):
        mg.plot.system([[0, 0]])
    with pytest.raises(ValueError, match="radius of particle 0 is -1"):
        mg.plot.work([[0, 0]], -1.0)


def test_without_matplotlib_only_plots_are_missing(monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert len(mg.find_pairs([[0, 0], [1, 0]], 1.0)) == 1
    with pytest.raises(ImportError, match=r"pip install matplotlib, or '\.\[plot\]' in the checkout"):
        mg.plot.system([[0, 0]], 1.0)
