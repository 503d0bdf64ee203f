"""Polygons: distances and overlaps by hand and by plain numpy."""

import numpy as np
import pytest

import multigrain as mg

SQUARE = mg.polygons.Polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def regular(corners, radius, phase=0.0):
    angles = phase + 2 * np.pi * np.arange(corners) / corners
    return mg.polygons.Polygon(radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def test_shapes_have_their_moments():
    assert SQUARE.area == pytest.approx(4) and SQUARE.inertia == pytest.approx(8 / 3)
    assert SQUARE.radius == pytest.approx(np.sqrt(2)) and len(SQUARE) == 4
    moved = SQUARE.at([3, 4], np.pi / 4)
    assert moved.position == pytest.approx([3, 4]) and moved.angle == pytest.approx(np.pi / 4)
    assert np.linalg.norm(moved.corners - [3, 4], axis=1) == pytest.approx(np.full(4, np.sqrt(2)))
    assert moved.contains([3, 4]) and not moved.contains([4.1, 4.9])


def test_corners_may_go_either_way_round():
    one = mg.polygons.Polygon([[0, 0], [2, 0], [0, 1]])
    other = mg.polygons.Polygon([[0, 1], [2, 0], [0, 0]])
    assert one.area == other.area == pytest.approx(1.0)


def test_closest_features_of_squares():
    found = mg.polygons.closest_features(SQUARE, SQUARE.at([5, 3.5]))
    assert found.distance == pytest.approx(np.hypot(3, 1.5)) and found.contact == "apart"
    assert found.points == pytest.approx(np.array([[1, 1], [4, 2.5]]))
    assert found.features.a == ("vertex", 2) and found.features.b == ("vertex", 0)
    again = mg.polygons.closest_features(SQUARE, SQUARE.at([5, 3.5]), found.features)
    assert again.steps <= found.steps and again.distance == found.distance and again.features == found.features
    assert mg.polygons.overlap(SQUARE, SQUARE.at([5, 3.5])) is None


def distance_by_samples(a, b):
    """Distance of the borders, by many points of each."""
    def border(polygon):
        corners = polygon.corners
        shares = np.linspace(0, 1, 400)[:, None, None]
        return (corners + shares * (np.roll(corners, -1, axis=0) - corners)).reshape(-1, 2)

    gap = border(a)[:, None, :] - border(b)[None, :, :]
    return np.sqrt((gap**2).sum(axis=2).min())


@pytest.mark.parametrize("seed", range(20))
def test_distances_agree_with_samples_of_the_borders(seed):
    rng = np.random.default_rng(seed)
    a = regular(rng.integers(3, 7), rng.uniform(0.5, 2), rng.uniform(0, 6))
    direction = rng.uniform(0, 2 * np.pi)
    b = regular(rng.integers(3, 7), rng.uniform(0.5, 2)).at(
        (a.radius + 2.5) * np.array([np.cos(direction), np.sin(direction)]), rng.uniform(0, 6))
    found = mg.polygons.closest_features(a, b)
    assert found.contact == "apart"
    assert found.distance == pytest.approx(distance_by_samples(a, b), abs=0.01)
    assert np.linalg.norm(found.points[1] - found.points[0]) == pytest.approx(found.distance)


def test_overlap_of_squares():
    common = mg.polygons.overlap(SQUARE, SQUARE.at([0.5, 1.5]))
    assert common.area == pytest.approx(0.75) and common.centroid == pytest.approx([0.25, 0.75])
    assert common.depth > 0 and common.crossings == 2
    assert common.line.shape == (2, 2) and np.linalg.norm(common.normal) == pytest.approx(1)
    assert sorted(map(tuple, common.polygon.round(12).tolist())) == [(-0.5, 0.5), (-0.5, 1.0), (1.0, 0.5), (1.0, 1.0)]


def test_one_inside_the_other():
    inner = regular(6, 0.2).at([0.1, 0.3])
    assert mg.polygons.closest_features(SQUARE, inner).contact == "nested"
    common = mg.polygons.overlap(SQUARE, inner)
    assert common.area == pytest.approx(inner.area) and common.crossings == 0


@pytest.mark.parametrize("seed", range(20))
def test_areas_of_overlap_agree_with_random_points(seed):
    rng = np.random.default_rng(seed)
    a, b = regular(rng.integers(3, 9), 1.0), regular(rng.integers(3, 9), 1.0).at(rng.uniform(-0.8, 0.8, 2), rng.uniform(0, 6))
    memory = mg.polygons.closest_features(a, b).features
    common = mg.polygons.overlap(a, b, memory)
    points = rng.uniform(-1, 1, (4000, 2))
    inside = np.mean([a.contains(point) and b.contains(point) for point in points])
    assert (common.area if common else 0.0) == pytest.approx(4 * inside, abs=0.12)


@pytest.mark.parametrize(("corners", "text"), [
    ([[0, 0], [1, 0]], "2 corners given"),
    ([[0, 0], [1, 0], [2, 0]], "on one line"),
    ([[0, 0], [2, 0], [0.5, 0.5], [0, 2]], "turns inwards"),
    ([[0, 0], [0, 0], [1, 0], [0, 1]], "repeats the corner before it"),
    ([[0, 0], [1, 0], [np.nan, 1]], "must be finite"),
    ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], r"corners have shape \(3, 3\), must be \(K, 2\)"),
    ([1, 2, 3], r"corners have shape \(3,\)"),
    ([], "0 corners given"),
])
def test_what_is_no_convex_polygon_is_a_clear_error(corners, text):
    with pytest.raises(ValueError, match=text):
        mg.polygons.Polygon(corners)


def test_places_that_cannot_be_worked_with_are_errors():
    with pytest.raises(ValueError, match="x is NaN|x is nan"):
        SQUARE.at([np.nan, 0])
    with pytest.raises((ValueError, TypeError)):
        SQUARE.at([1, 2, 3])


def test_polygons_and_discs_settle_in_one_box_and_go_on_from_where_they_were_saved(tmp_path):
    rng = np.random.default_rng(3)
    plastic = mg.dem.Material(1000, modulus=1e6, friction=0.5, repulsion="energy")
    assert repr(plastic) == "Material(1000, modulus=1000000, friction=0.5, repulsion='energy')"
    shapes = [mg.polygons.Polygon(0.1 * np.array(c)) for c in ([[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [1, 1], [0, 1]])]
    setup = {
        "shapes": shapes,
        "gravity": [0, -9.81],
        "domain": mg.Domain([0, 0], [1, 5], periodic="x"),
        "walls": [mg.dem.Wall.plane([0, 0], [0, 1]), mg.dem.Wall.polygon([[0.4, 0], [0.6, 0], [0.5, 0.05]])],
        "integrator": "gear",
        "skin": "auto",
    }
    centers = [[0.1 + 0.2 * (k % 5), 0.15 + 0.2 * (k // 5)] for k in range(15)]
    kinds = [k % 3 - 1 for k in range(15)]
    sim = mg.dem.Simulation(centers, 0.05, plastic, shape=kinds, angles=rng.uniform(0, 6, 15), **setup)
    assert sim.masses[1] == pytest.approx(5) and sim.masses[2] == pytest.approx(10)
    corners = sim.corners()
    assert corners[0] is None and corners[1].shape == (3, 2) and corners[2].shape == (4, 2)
    assert np.linalg.norm(corners[1] - sim.positions()[1], axis=1).max() == pytest.approx(sim.radii[1])
    sim.run(3000)
    assert len(sim.contacts()["ids"]) > 1 and np.ptp(sim.angles) > 0
    sim.save(tmp_path / "heap.bin")
    resumed = mg.dem.Simulation.resume(tmp_path / "heap.bin", plastic, dimension=2, **setup)
    for one in (sim, resumed):
        assert one.add([[0.5, 2.0]], 0.05, shape=1, angles=0.3)[0] == 15
        one.run(500)
    assert np.array_equal(sim.positions(), resumed.positions()) and np.array_equal(sim.angles, resumed.angles)


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"shape": 7}, "shape of grain 0 is 7, must be the number of a shape of the setup"),
        ({"shape": -2}, "shape is -2, must be the number of a shape, or -1"),
        ({"shape": [0, 0]}, r"shape has shape \(2,\), must be \(1,\)"),
        ({"angles": [0.0, 1.0]}, r"angles has shape \(2,\), must be \(1,\)"),
    ],
)
def test_wrong_shapes_are_clear_errors(arguments, text):
    plastic = mg.dem.Material(1000, modulus=1e6, repulsion="area")
    square = mg.polygons.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
    with pytest.raises(ValueError, match=text):
        mg.dem.Simulation([[0.0, 0.0]], 1.0, plastic, shapes=[square], **arguments)
