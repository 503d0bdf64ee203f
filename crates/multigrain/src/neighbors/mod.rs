//! Lists of neighbours from pairs: every entry where it belongs, with what is asked for of it, in linear time.
//!
//! Rows in order need no comparisons. An entry is one number: row, partner, shift. Entries are spread over buckets of
//! consecutive rows that fit the cache, each bucket is sorted by the digits of those numbers, and shifts, distances and
//! vectors are worked out where the sorted entries are written. As no two entries are equal, the order in which they come
//! does not matter, nor does the number of threads.

mod columns;
mod digits;
mod entry;
mod found;
mod rows;

pub use columns::{NeighborColumns, NeighborIndex, NeighborReal};

use crate::pairs::{NeighborTable, Pairs};
use crate::snapshot::Snapshot;

/// Which entries a list of neighbours has, and in what order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NeighborOrder {
    /// Every pair in both directions, own images with both signs, sorted by (first, second, shift).
    Rows,
    /// Every pair once, as it was found: `first < second`, or an own image with positive shift; sorted in the same way.
    HalfRows,
    /// Every pair in both directions, in the order of the pairs: entries `2 k` and `2 k + 1` are pair `k` from both sides.
    Found,
    /// Every pair once, in the order of the pairs.
    HalfFound,
}

impl NeighborOrder {
    /// Entries for each pair: 1 or 2.
    pub const fn directions(self) -> usize {
        match self {
            Self::Rows | Self::Found => 2,
            Self::HalfRows | Self::HalfFound => 1,
        }
    }
}

/// A borrowed list of pairs, as [`Pairs`] holds it.
#[derive(Debug, Clone, Copy)]
pub struct PairView<'a, const D: usize> {
    /// Indices `[i, j]` of every pair.
    pub list: &'a [[u32; 2]],
    /// Image shifts, one per pair in periodic domains; empty in open ones.
    pub shifts: &'a [[i32; D]],
}

impl<const D: usize> Pairs<D> {
    /// These pairs, borrowed.
    pub fn view(&self) -> PairView<'_, D> {
        PairView { list: self.as_slice(), shifts: self.shifts() }
    }

    /// Every body's partners in both directions, for `particles` bodies, rows sorted by (partner, shift), in linear time.
    pub fn neighbor_table(&self, particles: usize) -> NeighborTable<D> {
        let entries = 2 * self.len();
        let (mut offsets, mut indices) = (vec![0; particles + 1], vec![0; entries]);
        let mut shifts = vec![[0; D]; if self.shifts().is_empty() { 0 } else { entries }];
        self.view().write_table(particles, &mut offsets, &mut indices, &mut shifts);
        NeighborTable { offsets, indices, shifts }
    }
}

impl<const D: usize> PairView<'_, D> {
    /// Writes the list of neighbours that these pairs of `now` make into the columns that are given, on all threads. There
    /// are `order.directions() * list.len()` entries, the same for any number of threads.
    ///
    /// ```
    /// use multigrain::{NeighborColumns, NeighborOrder, Snapshot, find_pairs};
    /// let centers = [[4.0, 0.0], [3.0, 0.0], [0.0, 0.0], [1.5, 0.0]];
    /// let now = Snapshot::new(&centers, &[1.0; 4])?;
    /// let pairs = find_pairs(now);
    /// let (mut first, mut second, mut distances) = (vec![0i64; 6], vec![0i64; 6], vec![0f32; 6]);
    /// let columns = NeighborColumns { first: &mut first, second: &mut second, distances: &mut distances, ..Default::default() };
    /// pairs.view().write_neighbors(&now, NeighborOrder::Rows, columns);
    /// assert_eq!(first, [0, 1, 1, 2, 3, 3]);
    /// assert_eq!(second, [1, 0, 3, 3, 1, 2]);
    /// assert_eq!(distances, [1.0, 1.0, 1.5, 1.5, 1.5, 1.5]);
    /// # Ok::<(), multigrain::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where a column is neither empty nor as long as the list, or a pair names a body that is not there.
    pub fn write_neighbors<I: NeighborIndex, F: NeighborReal>(
        &self,
        now: &Snapshot<'_, D>,
        order: NeighborOrder,
        columns: NeighborColumns<'_, I, F, D>,
    ) {
        columns.check(order.directions() * self.list.len(), now.len());
        match order {
            NeighborOrder::Rows | NeighborOrder::HalfRows => rows::write(*self, now.len(), Some(now), order, columns),
            NeighborOrder::Found | NeighborOrder::HalfFound => found::write(*self, now, order, columns),
        }
    }

    /// Writes rows in both directions, sorted by (partner, shift), for this many bodies: where the row of each begins, one more
    /// than there are bodies, then partners and shifts. Those may be empty, as in [`NeighborColumns`].
    ///
    /// # Panics
    ///
    /// As [`write_neighbors`](Self::write_neighbors).
    pub fn write_table<I: NeighborIndex>(
        &self,
        particles: usize,
        offsets: &mut [usize],
        partners: &mut [I],
        shifts: &mut [[i32; D]],
    ) {
        let columns: NeighborColumns<'_, I, f64, D> =
            NeighborColumns { offsets, second: partners, shifts, ..NeighborColumns::default() };
        columns.check(2 * self.list.len(), particles);
        rows::write(*self, particles, None, NeighborOrder::Rows, columns);
    }
}
