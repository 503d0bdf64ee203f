//! Lists of neighbours in the order of the pairs.

use crate::columns::{NeighborColumns, NeighborIndex, NeighborReal};
use crate::lists::{NeighborOrder, PairView};
use multigrain::Snapshot;
use multigrain::threads;
use std::ops::Range;

/// Pairs that one task writes: its parts of all columns fit the cache.
const TASK: usize = 1 << 12;

/// Writes the list.
pub(crate) fn write<I: NeighborIndex, F: NeighborReal, const D: usize>(
    pairs: PairView<'_, D>,
    now: &Snapshot<'_, D>,
    order: NeighborOrder,
    mut columns: NeighborColumns<'_, I, F, D>,
) {
    assert!(columns.offsets.is_empty(), "entries that are not in rows have no offsets");
    let directions = order.directions();
    let tasks = threads::blocks(pairs.list.len(), TASK).map(|task| {
        let columns = columns.take_front(directions * task.len());
        (task, columns)
    });
    let write = |(task, columns)| match directions {
        1 => write_task::<1, I, F, D>(pairs, now, task, columns),
        _ => write_task::<2, I, F, D>(pairs, now, task, columns),
    };
    threads::for_each(tasks, || (), |_, task| write(task));
}

fn write_task<const DIRECTIONS: usize, I: NeighborIndex, F: NeighborReal, const D: usize>(
    pairs: PairView<'_, D>,
    now: &Snapshot<'_, D>,
    task: Range<usize>,
    columns: NeighborColumns<'_, I, F, D>,
) {
    let list = &pairs.list[task.clone()];
    // In open domains there are none.
    let shifts = pairs.shifts.get(task).unwrap_or_default();
    for (places, &[i, j]) in columns.first.as_chunks_mut::<DIRECTIONS>().0.iter_mut().zip(list) {
        *places = std::array::from_fn(|direction| I::of(if direction == 0 { i } else { j }));
    }
    for (places, &[i, j]) in columns.second.as_chunks_mut::<DIRECTIONS>().0.iter_mut().zip(list) {
        *places = std::array::from_fn(|direction| I::of(if direction == 0 { j } else { i }));
    }
    if shifts.is_empty() {
        columns.shifts.fill([0; D]);
    }
    for (places, &shift) in columns.shifts.as_chunks_mut::<DIRECTIONS>().0.iter_mut().zip(shifts) {
        *places = std::array::from_fn(|direction| if direction == 0 { shift } else { shift.map(|own| -own) });
    }
    let entry = |k: usize| {
        let [i, j] = list[k / DIRECTIONS];
        let shift = shifts.get(k / DIRECTIONS).copied().unwrap_or([0; D]);
        if k.is_multiple_of(DIRECTIONS) { (i, j, shift) } else { (j, i, shift.map(|own| -own)) }
    };
    write_geometry(now, entry, columns.distances, columns.vectors);
}

/// Writes distances and vectors, where wanted, of entries that are numbered from 0: from one body to the image of
/// another.
#[inline]
pub(crate) fn write_geometry<F: NeighborReal, const D: usize>(
    now: &Snapshot<'_, D>,
    entry: impl Fn(usize) -> (u32, u32, [i32; D]),
    distances: &mut [F],
    vectors: &mut [[F; D]],
) {
    let measured = |k: usize| {
        let (i, j, shift) = entry(k);
        now.contact_vector(i as usize, j as usize, shift)
    };
    if vectors.is_empty() {
        for (k, place) in distances.iter_mut().enumerate() {
            *place = F::of(length(measured(k)));
        }
    } else if distances.is_empty() {
        for (k, place) in vectors.iter_mut().enumerate() {
            *place = measured(k).map(F::of);
        }
    } else {
        for (k, (distance, place)) in distances.iter_mut().zip(vectors).enumerate() {
            let vector = measured(k);
            *distance = F::of(length(vector));
            *place = vector.map(F::of);
        }
    }
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}
