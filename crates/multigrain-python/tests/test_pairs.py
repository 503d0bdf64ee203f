"""Pairs: arrays without copies, and what follows from contacts."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
import scipy.sparse

import multigrain as mg


@pytest.fixture(params=[2, 3])
def system(request):
    axes = "xyz"[: request.param]
    return mg.pack(law="power", exponent=-2, ratio=8, count=300, packing_fraction=0.6, dimension=request.param,
                   periodic=axes, seed=7)


def test_indices_come_without_a_copy(system):
    pairs = system.find_pairs()
    assert pairs.array.dtype == np.uint32 and pairs.array.shape == (len(pairs), 2)
    assert np.asarray(pairs) is pairs.array
    assert np.shares_memory(np.asarray(pairs), pairs.array)
    assert pairs.shifts.dtype == np.int32 and pairs.shifts.shape == (len(pairs), system.dimension)


def test_indices_are_closed_to_writing(system):
    pairs = system.find_pairs()
    with pytest.raises(ValueError, match="read-only"):
        pairs.array[0, 0] = 5


def test_numpy_gets_copies_and_other_dtypes_when_it_asks(system):
    pairs = system.find_pairs()
    assert np.asarray(pairs, dtype=np.int64).dtype == np.int64
    copy = np.array(pairs)
    assert not np.shares_memory(copy, pairs.array) and copy.flags.writeable
    assert pairs.__array__(copy=False) is pairs.array
    with pytest.raises(ValueError, match="without a copy"):
        pairs.__array__(np.int64, copy=False)


def test_vectors_distances_and_overlaps_follow_from_positions(system):
    pairs = system.find_pairs(margin=0.1)
    i, j = pairs.array.T
    vectors = system.centers[j] - system.centers[i] + pairs.shifts * (system.domain.hi - system.domain.lo)
    distances = np.linalg.norm(vectors, axis=1)
    assert np.abs(pairs.shifts).sum() > 0
    assert np.allclose(pairs.vectors, vectors)
    assert np.allclose(pairs.distances, distances)
    assert np.allclose(pairs.overlaps, system.radii[i] + system.radii[j] - distances)
    assert pairs.overlaps.min() > -0.1 and pairs.overlaps.min() < 0


def test_values_are_those_of_the_search_whatever_happens_to_the_arrays():
    centers, radii = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, 1.0])
    frozen = centers[:]
    frozen.flags.writeable = False
    several = [mg.find_pairs(given, radii) for given in (centers, frozen, np.asfortranarray(centers))]
    several += [copy.copy(several[0]), several[0][:1], mg.HierarchicalGrid([4]).find_pairs(centers, radii)]
    centers[1, 0], radii[:] = 1.5, 9.0
    for pairs in several:
        assert pairs.distances == [1.0] and pairs.overlaps == [1.0]


def test_pairs_are_a_sequence_of_contacts(system):
    pairs = system.find_pairs()
    assert list(pairs) == [tuple(row) for row in pairs.array.tolist()] and len(pairs) > 20
    assert pairs[0] == tuple(pairs.array[0]) and pairs[-1] == pairs[len(pairs) - 1] and isinstance(pairs[0][0], int)
    assert pairs[np.int64(3)] == pairs[3] and tuple(pairs.array[5].tolist()) in pairs
    for place in (len(pairs), -len(pairs) - 1):
        with pytest.raises(IndexError, match=f"contact is {place}"):
            pairs[place]
    for wrong, error in [((0, 1), TypeError), ("x", IndexError), (np.zeros((2, 2), int), IndexError), ([0.5], IndexError)]:
        with pytest.raises(error):
            pairs[wrong]


def test_selections_are_pairs_with_all_their_values(system):
    pairs = system.find_pairs(margin=0.1)
    deep = pairs.overlaps > 0
    assert 0 < deep.sum() < len(pairs)
    for which in (deep, slice(3, 40, 2), [5, 1, 7], np.array([0, -1]), slice(None, None, -1), [], deep.tolist()):
        some = pairs[which]
        own = which if isinstance(which, slice) or len(which) else np.zeros(0, int)
        for name in ["array", "shifts", "vectors", "distances", "overlaps", "i", "j"]:
            assert np.array_equal(getattr(some, name), getattr(pairs, name)[own]), name
        assert some.particles == pairs.particles and not some.array.flags.writeable
    assert pairs[deep].neighbor_table().counts.sum() == 2 * deep.sum()
    assert len(pairs[[]]) == 0


def test_pairs_are_equal_where_contacts_are(system):
    pairs = system.find_pairs()
    assert pairs == system.find_pairs("nbs") and not pairs != pairs.sorted() and pairs == pairs[::-1]
    assert pairs != pairs[1:] and pairs != mg.find_pairs(system.centers, system.radii)
    assert (pairs == 3) is False and pairs != pairs.array.tolist()
    moved = mg.find_pairs([[0, 0], [1, 0]], 1.0)
    assert moved == mg.find_pairs([[0, 0], [1.5, 0]], 1.0, domain=mg.Domain([0, 0], [99, 99]))
    assert moved != mg.find_pairs([[0, 0, 0], [1, 0, 0]], 1.0)


def test_notebooks_show_a_table(system):
    pairs = system.find_pairs()
    shown = pairs._repr_html_()
    assert shown.count("<tr>") == 11 and f"and {len(pairs) - 10} more" in shown
    assert f"<td>{pairs.distances[3]:.6f}</td>" in shown and "&lt;" not in shown
    assert pairs[:2]._repr_html_().count("<tr>") == 3 and "more" not in pairs[:2]._repr_html_()
    table = pairs.neighbor_table()
    shown = table._repr_html_()
    assert shown.count("<tr>") == 11 and f"<td>0</td><td>{table.counts[0]}</td>" in shown
    shown = system._repr_html_()
    assert shown.count("<tr>") == 11 and "<th>radius</th>" in shown and f"<td>{system.radii[2]:.6f}</td>" in shown
    tuned = mg.tune(system.radii, packing_fraction=0.6)
    assert tuned._repr_html_().count("<tr>") == 1 + min(10, tuned.levels)
    run = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, mg.dem.Material(1, stiffness=1e3))
    assert "<td>elastic</td><td>0.000000</td>" in run._repr_html_()


def test_tables_of_neighbors_are_indexed_and_iterated(system):
    table = system.find_pairs().neighbor_table()
    rows = list(table)
    assert len(rows) == len(table) and all((row == table.neighbors(k)).all() for k, row in enumerate(rows))
    assert (table[-1] == rows[-1]).all()
    with pytest.raises(IndexError):
        table[len(table)]


@pytest.mark.parametrize("thing", [mg.HierarchicalGrid([1, 4], "bottom-up"), mg.Detector("mmr", factor=3),
                                   mg.Detector("hgrid", cell_sizes=[2, 8], direction="bottom-up"),
                                   mg.Queries([[0, 0], [1, 0]], 0.5, 0.1, mg.Domain([0, 0], [9, 9])),
                                   mg.Domain([0, 0], [1, 2], "y")], ids=repr)
def test_what_is_not_an_array_is_copied_too(thing):
    again = pickle.loads(pickle.dumps(thing))
    assert repr(again) == repr(thing) == repr(copy.deepcopy(thing))


def test_shifts_are_zeros_in_open_space():
    pairs = mg.find_pairs([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1.0)
    assert np.array_equal(pairs.shifts, [[0, 0, 0]])
    assert np.array_equal(pairs.neighbor_table().shifts, np.zeros((2, 3)))


def test_neighbor_table_lists_both_directions_with_negated_shifts(system):
    pairs = system.find_pairs()
    table = pairs.neighbor_table()
    assert table.offsets.dtype == np.int64 and table.indices.dtype == np.int64
    assert len(table) == len(system) and table.offsets[-1] == 2 * len(pairs) == len(table.indices)
    once = {(int(i), int(j), tuple(s)) for (i, j), s in zip(pairs.array, pairs.shifts.tolist())}
    mirrored = {(j, i, tuple(-c for c in s)) for i, j, s in once}
    listed = [(k, int(j), tuple(s)) for k in range(len(table))
              for j, s in zip(table.neighbors(k), table.shifts[table.offsets[k]:table.offsets[k + 1]].tolist())]
    assert len(listed) == 2 * len(pairs) and set(listed) == once | mirrored
    assert np.array_equal(table.counts, np.bincount(pairs.array.ravel(), minlength=len(system)))


def test_own_images_are_listed_once_in_pairs_and_twice_in_the_table():
    pairs = mg.find_pairs([[0.5, 0.5]], 0.6, domain=mg.Domain([0, 0], [1, 9], periodic="x"))
    assert np.array_equal(pairs.array, [[0, 0]]) and np.array_equal(pairs.shifts, [[1, 0]])
    assert sorted(pairs.neighbor_table().shifts.tolist()) == [[-1, 0], [1, 0]]


def test_neighbor_table_is_ready_for_scipy(system, recwarn):
    table = system.find_pairs().neighbor_table()
    matrix = scipy.sparse.csr_array((np.ones(len(table.indices)), table.indices, table.offsets),
                                    shape=(len(system), len(system)))
    matrix.check_format()
    assert (matrix != matrix.T).nnz == 0
    assert not recwarn.list


def test_a_row_that_does_not_exist_is_an_index_error(system):
    table = system.find_pairs().neighbor_table()
    assert np.array_equal(table.neighbors(-1), table.neighbors(len(table) - 1))
    for body in [len(table), -len(table) - 1]:
        with pytest.raises(IndexError, match=str(body)):
            table.neighbors(body)


def test_sorted_pairs_are_the_same_for_every_method(system):
    first = system.find_pairs().sorted()
    assert [tuple(row) for row in np.hstack([first.array, first.shifts])] == sorted(
        tuple(row) for row in np.hstack([first.array, first.shifts]))
    for method in mg.methods():
        other = system.find_pairs(method).sorted()
        assert np.array_equal(first.array, other.array) and np.array_equal(first.shifts, other.shifts)


COPIES = [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)),
          lambda thing: pickle.loads(pickle.dumps(thing, protocol=2))]


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle", "old pickle"])
@pytest.mark.parametrize("periodic", ["none", "x"])
def test_pairs_tables_and_systems_are_copied_with_all_their_values(copied, periodic, system):
    box = mg.Domain(system.domain.lo, system.domain.hi, periodic)
    pairs = mg.find_pairs(system.centers, system.radii, margin=0.1, domain=box)
    again = copied(pairs)
    assert repr(again) == repr(pairs) and again.particles == pairs.particles and len(pairs) > 0
    for name in ["array", "shifts", "vectors", "distances", "overlaps"]:
        one, other = getattr(pairs, name), getattr(again, name)
        assert np.array_equal(one, other) and one.dtype == other.dtype, name
    assert not again.array.flags.writeable and not again.shifts.flags.writeable
    assert np.array_equal(again.sorted().array, pairs.sorted().array)
    table, other = pairs.neighbor_table(), copied(pairs.neighbor_table())
    for name in ["offsets", "indices", "shifts", "counts"]:
        assert np.array_equal(getattr(table, name), getattr(other, name)), name
    assert len(other) == len(table) and not other.indices.flags.writeable
    assert np.array_equal(copied(again.neighbor_table()).indices, table.indices)
    for thing in [system, mg.System(system.centers, system.radii)]:
        same = copied(thing)
        assert np.array_equal(same.centers, thing.centers) and np.array_equal(same.radii, thing.radii)
        assert same.domain == thing.domain


def found_elsewhere(seed):
    system = mg.pack(law="uniform", ratio=3, count=200, packing_fraction=0.6, seed=seed)
    pairs = system.find_pairs()
    return system, pairs, pairs.neighbor_table()


def test_other_processes_hand_back_what_they_found():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        system, pairs, table = pool.apply(found_elsewhere, [3])
    own_system, own_pairs, own_table = found_elsewhere(3)
    assert np.array_equal(system.centers, own_system.centers) and np.array_equal(pairs.array, own_pairs.array)
    assert np.array_equal(pairs.distances, own_pairs.distances) and np.array_equal(table.indices, own_table.indices)


def test_repr_shows_numbers():
    assert repr(mg.find_pairs([[0, 0], [1, 0]], 1.0)) == "<Pairs: 1 contacts of 2 particles in 2D>"


def test_indices_come_signed_too(system):
    pairs = system.find_pairs()
    assert pairs.i.dtype == pairs.j.dtype == np.int64
    assert np.array_equal(np.column_stack([pairs.i, pairs.j]), pairs.array)
    assert np.all(pairs.i - pairs.j < 0)


def test_rows_of_a_neighbor_table_are_sorted(system):
    table = system.find_pairs().neighbor_table()
    for body in range(len(table)):
        assert np.all(np.diff(table.neighbors(body)) >= 0)
    assert table.counts.max() > 1
