"""Numbers of packings and contacts, against plain numpy; pages in notebooks; contact files."""

import html

import numpy as np
import pytest

import multigrain as mg


@pytest.fixture(scope="module")
def packing():
    return mg.pack(law="uniform", ratio=2, count=500, packing_fraction=0.62, placement="growth", periodic="xyz", seed=4)


def test_tensors_are_those_of_numpy(packing):
    pairs = packing.find_pairs(margin=0.1)
    vectors, distances = pairs.vectors, pairs.distances
    normals = vectors / distances[:, None]
    forces = normals * np.linspace(1, 2, len(pairs))[:, None]
    found = mg.analyze(packing, pairs=pairs, forces=forces)
    assert found["contacts"] == len(pairs) > 500
    np.testing.assert_allclose(found["coordination"]["mean"], 2 * len(pairs) / len(packing))
    np.testing.assert_allclose(found["coordination"]["of_grain"], np.bincount(pairs.array.ravel(), minlength=len(packing)))
    np.testing.assert_allclose(found["fabric"]["tensor"], np.einsum("ki,kj->ij", normals, normals) / len(pairs))
    volume = np.prod(packing.domain.hi - packing.domain.lo)
    stress = np.einsum("ki,kj->ij", forces, vectors) / volume
    np.testing.assert_allclose(found["stress"]["tensor"], stress)
    symmetric = (stress + stress.T) / 2
    np.testing.assert_allclose(found["stress"]["eigenvalues"], np.linalg.eigvalsh(symmetric)[::-1])
    np.testing.assert_allclose(found["stress"]["pressure"], np.trace(stress) / 3)


def test_pair_correlation_is_that_of_numpy(packing):
    found = mg.analyze(packing, bins=30)["pair_correlation"]
    length = packing.domain.hi - packing.domain.lo
    i, j = np.triu_indices(len(packing), 1)
    vectors = packing.centers[j] - packing.centers[i]
    distances = np.linalg.norm(vectors - length * np.round(vectors / length), axis=1)
    width = found["r"][1] - found["r"][0]
    edges = np.append(found["r"] - width / 2, found["r"][-1] + width / 2)
    counts, _ = np.histogram(distances, edges)
    shells = 4 / 3 * np.pi * np.diff(edges**3)
    expected = counts / (len(i) / np.prod(length) * shells)
    np.testing.assert_allclose(found["g"], expected, rtol=1e-9)


def test_profiles_hold_all_volume_and_velocities(packing):
    velocities = np.tile([1.0, 0.0, -2.0], (len(packing), 1))
    profile = mg.analyze(packing, velocities=velocities, axis=0, bins=17)["profile"]
    assert profile["axis"] == 0
    np.testing.assert_allclose(profile["packing_fraction"].mean(), 0.62)
    np.testing.assert_allclose(profile["velocity"], np.tile([1.0, 0.0, -2.0], (17, 1)), atol=1e-12)
    np.testing.assert_allclose(profile["temperature"], 0, atol=1e-9)


def test_what_is_not_known_is_none():
    found = mg.analyze([[0.0, 0.0], [1.5, 0.0]], 1.0)
    assert found["stress"] is None and found["forces"] is None and found["segregation"] == [None, None]
    assert mg.analyze([[0.0, 0.0], [5.0, 0.0]], 1.0)["fabric"] is None
    sprung = mg.analyze([[0.0, 0.0], [1.5, 0.0]], 1.0, stiffness=10.0)
    np.testing.assert_allclose(sprung["forces"]["mean"], 5.0)


@pytest.mark.parametrize("wishes, words", [
    ({"forces": [[1.0, 0.0]]}, "forces belong to pairs"),
    ({"velocities": [[1.0, 0.0]]}, "velocities and centers differ in length"),
    ({"velocities": [1.0, 0.0]}, "velocities have shape"),
    ({"axis": 2}, "axis is 2, must be below 2"),
    ({"bins": 0}, "bins is 0"),
    ({"stiffness": -1.0}, "stiffness is -1, must be positive"),
])
def test_mistakes_are_reported(wishes, words):
    with pytest.raises(ValueError, match=words):
        mg.analyze([[0.0, 0.0], [1.5, 0.0]], 1.0, **wishes)


def test_contact_files_are_read(tmp_path):
    path = tmp_path / "contacts.csv"
    path.write_text("i,j,sx,sy,overlap,id_i,id_j\n0,1,0,-1,0.5,17,900\n")
    contacts = mg.read(path)
    assert isinstance(contacts, mg.Contacts) and len(contacts) == 1
    np.testing.assert_array_equal(contacts.pairs, [[0, 1]])
    assert contacts["overlap"][0] == 0.5 and contacts["id_j"][0] == 900
    with pytest.raises(KeyError, match="there is no column 'force'"):
        contacts["force"]


def test_frames_and_compressed_files_are_read(tmp_path):
    path = tmp_path / "a.xyz"
    path.write_text("1\nProperties=pos:R:3:radius:R:1\n0 0 0 1\n2\nProperties=pos:R:3:radius:R:1\n0 0 0 1\n5 0 0 2\n")
    assert len(mg.read(path)) == 1
    assert len(mg.read(path, frame=-1)) == 2
    with pytest.raises(ValueError, match="there is no frame 2"):
        mg.read(path, frame=2)
    packed = tmp_path / "a.csv.gz"
    mg.write(packed, [[0.0, 1.0]], [0.5])
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert mg.read(packed).radii[0] == 0.5


def test_pages_are_whole_and_fit_into_notebooks(tmp_path, packing):
    page = mg.view(packing, columns={"heat": np.arange(len(packing))}, title="a packing")
    assert page.html.startswith("<!doctype html>") and "heat" in page.html and page.notes == []
    inline = page._repr_html_()
    assert inline.startswith('<iframe srcdoc="') and inline.count('"') < 20
    inner = inline[len('<iframe srcdoc="'):inline.index('" style="')]
    assert html.unescape(inner) == page.html
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    frames = mg.view([packing, packing])
    assert repr(frames).startswith("<View: 2 frames, 500 particles")
    mg.write(tmp_path / "a.xyz", packing)
    assert repr(mg.view(tmp_path / "a.xyz")).startswith("<View: 500 particles")
    with pytest.raises(ValueError, match="must be \\(500,\\)"):
        mg.view(packing, columns={"heat": [1.0]})
    with pytest.raises(FileNotFoundError):
        mg.view(tmp_path / "gone.xyz")


def test_contacts_with_walls_have_one_end():
    centers, radii = [[0.0, 0.0], [1.9, 0.0], [9.0, 0.0]], 1.0
    found = mg.analyze(centers, radii, wall_contacts=[1, 0, 2])["coordination"]
    assert found["of_grain"].tolist() == [2, 1, 2] and found["mean"] == 5 / 3 and found["rattlers"] == 1
    for bad, words in [([1, 2], r"must be \(3,\)"), ([1, 0, 0.5], "particle 2 is 0.5"), ([-1, 0, 0], "particle 0 is -1")]:
        with pytest.raises(ValueError, match=words):
            mg.analyze(centers, radii, wall_contacts=bad)
