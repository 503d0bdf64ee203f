//! The linked cell: the plain reference of the papers, that every speed-up is measured against.

use crate::classics::with_strays_removed;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Batch, Grid, Images};
use multigrain::overlap::{contact_vector, reach, touches};
use multigrain::{Layout, Search};

/// Most cells per body; in emptier systems cells grow beyond the largest diameter instead.
const MAX_CELLS_PER_BODY: f64 = 2.0;

/// One grid with cells of the largest diameter, bodies sorted by cell, half of the neighbouring cells visited one by one.
///
/// Fast for bodies of similar size; quadratic when a large body makes all others share its cell.
#[derive(Debug, Clone, Default)]
pub struct LinkedCell<const D: usize> {
    images: Images<D>,
    cell_size: f64,
    /// Where the bodies of each cell begin; one more than there are cells.
    starts: Vec<u32>,
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    ids: Vec<u32>,
}

impl<const D: usize> LinkedCell<D> {
    /// Sorts the bodies by cell.
    fn map(&mut self, now: &Snapshot<'_, D>) -> Grid<D> {
        self.images.update(now);
        let (lo, hi) = self.images.stored_extent(now);
        let grid = Grid::new(lo, hi, now.largest_reach_rounded(), MAX_CELLS_PER_BODY * now.len() as f64 + 64.0);
        self.cell_size = grid.sizes.into_iter().fold(0.0, f64::max);
        let cell = |i: usize| grid.index(grid.cell_of(self.images.stored_center(i, now.centers()[i])));
        self.starts.clear();
        self.starts.resize(grid.cells() + 1, 0);
        for i in 0..now.len() {
            self.starts[cell(i)] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.centers.resize(now.len(), [0.0; D]);
        self.radii.resize(now.len(), 0.0);
        self.ids.resize(now.len(), 0);
        for i in (0..now.len()).rev() {
            let slot = &mut self.starts[cell(i)];
            *slot -= 1;
            let slot = *slot as usize;
            self.centers[slot] = now.centers()[i];
            self.radii[slot] = now.radii()[i];
            self.ids[slot] = i as u32;
        }
        grid
    }

    /// Tests the body in slot `p` against the slots `candidates`, `shift` periods away as stored.
    #[inline]
    fn test<S: PairSink<D>>(
        &self,
        now: &Snapshot<'_, D>,
        p: usize,
        candidates: std::ops::Range<usize>,
        shift: [i32; D],
        batch: &mut Batch<D>,
        sink: &mut S,
    ) {
        let (center, radius, i) = (self.centers[p], self.radii[p], self.ids[p]);
        let margin = now.margin();
        sink.candidates(candidates.len() as u64);
        if !self.images.are_periodic() {
            let others = self.centers[candidates.clone()].iter().zip(&self.radii[candidates.clone()]);
            for ((&other, &other_radius), q) in others.zip(candidates) {
                let vector: [f64; D] = std::array::from_fn(|axis| other[axis] - center[axis]);
                if touches(vector, reach(radius, other_radius, margin)) {
                    batch.push(i, self.ids[q], [0; D], sink);
                }
            }
            return;
        }
        let lengths = now.domain().lengths();
        for q in candidates {
            let j = self.ids[q];
            let shift = self.images.reported_shift(i as usize, j as usize, shift);
            let vector = contact_vector(center, self.centers[q], shift, lengths);
            if touches(vector, reach(radius, self.radii[q], margin)) {
                batch.push(i, j, shift, sink);
            }
        }
    }

    fn bodies_of(&self, cell: usize) -> std::ops::Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Searches the images of a body's neighbourhood across periodic borders; its partners do the opposite half.
    fn search_images<S: PairSink<D>>(
        &self,
        now: &Snapshot<'_, D>,
        grid: &Grid<D>,
        p: usize,
        batch: &mut Batch<D>,
        sink: &mut S,
    ) {
        let (lo, hi) = grid.bounds();
        let reach = self.radii[p] + now.extent().max_radius + now.margin();
        let reach = now.rounding_slack().map(|slack| reach + slack);
        let center = self.images.stored_center(self.ids[p] as usize, self.centers[p]);
        let shifts = self.images.shifts(center, reach, lo, hi);
        if shifts.is_home_only() {
            return;
        }
        for shift in shifts.positive_half() {
            let Some((first, last)) = grid.cells_within(self.images.seen_from(center, shift), reach) else { continue };
            for_each_cell(first, last, |cell| {
                sink.cells(1);
                self.test(now, p, self.bodies_of(grid.index(cell)), shift, batch, sink);
            });
        }
    }
}

impl<const D: usize> Search<D> for LinkedCell<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        Layout {
            direction: None,
            cell_sizes: vec![self.cell_size],
            particles_per_level: vec![self.ids.len() as u64],
            ..Layout::default()
        }
    }

    fn index_bytes(&self) -> Option<usize> {
        let numbers = (self.starts.capacity() + self.ids.capacity()) * size_of::<u32>();
        let bodies = self.centers.capacity() * size_of::<[f64; D]>() + self.radii.capacity() * size_of::<f64>();
        Some(numbers + bodies)
    }
}

impl<const D: usize> LinkedCell<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let grid = self.map(&now);
        sink.mapped();
        let mut batch = Batch::new(self.images.are_periodic());
        for_each_cell([0; D], grid.counts.map(|count| count - 1), |cell| {
            let own = self.bodies_of(grid.index(cell));
            if own.is_empty() {
                return;
            }
            for p in own.clone() {
                if sink.stop_requested() {
                    return;
                }
                sink.cells(1);
                self.test(&now, p, p + 1..own.end, [0; D], &mut batch, sink);
            }
            for_each_forward_neighbor(cell, grid.counts, |neighbor| {
                let others = self.bodies_of(grid.index(neighbor));
                for p in own.clone() {
                    if sink.stop_requested() {
                        return;
                    }
                    sink.cells(1);
                    self.test(&now, p, others.clone(), [0; D], &mut batch, sink);
                }
            });
            if self.images.are_periodic() {
                for p in own {
                    if sink.stop_requested() {
                        return;
                    }
                    self.search_images(&now, &grid, p, &mut batch, sink);
                }
            }
        });
        batch.flush(sink);
    }
}

/// Visits every cell of a box of cells, borders included, x fastest.
fn for_each_cell<const D: usize>(first: [u32; D], last: [u32; D], mut visit: impl FnMut([u32; D])) {
    let mut cell = first;
    loop {
        visit(cell);
        let Some(axis) = (0..D).find(|&axis| cell[axis] < last[axis]) else { return };
        cell[axis] += 1;
        cell[..axis].copy_from_slice(&first[..axis]);
    }
}

/// Visits that half of the up to 3^D - 1 neighbours inside the grid that comes after the cell in row-major order.
#[inline]
fn for_each_forward_neighbor<const D: usize>(cell: [u32; D], counts: [u32; D], mut visit: impl FnMut([u32; D])) {
    for code in 3usize.pow(D as u32) / 2 + 1..3usize.pow(D as u32) {
        let mut rest = code;
        let mut neighbor = cell;
        let mut inside = true;
        for axis in 0..D {
            let step = (rest % 3) as i64 - 1;
            rest /= 3;
            let along = i64::from(cell[axis]) + step;
            inside &= (0..i64::from(counts[axis])).contains(&along);
            neighbor[axis] = along as u32;
        }
        if inside {
            visit(neighbor);
        }
    }
}
