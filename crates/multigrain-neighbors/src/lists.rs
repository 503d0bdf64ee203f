//! Lists of neighbours from pairs: every entry where it belongs, with what is asked for of it, in linear time.
//!
//! Rows in order need no comparisons. An entry is one number: row, partner, shift. Entries are spread over buckets of
//! consecutive rows that fit the cache, each bucket is sorted by the digits of those numbers, and shifts, distances and
//! vectors are worked out where the sorted entries are written. As no two entries are equal, the order in which they come
//! does not matter, nor does the number of threads.

use crate::columns::{NeighborColumns, NeighborIndex, NeighborReal};
use crate::{found, rows};
use multigrain::{Pairs, Snapshot};

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

impl<'a, const D: usize> From<&'a Pairs<D>> for PairView<'a, D> {
    fn from(pairs: &'a Pairs<D>) -> Self {
        Self { list: pairs.as_slice(), shifts: pairs.shifts() }
    }
}

/// Partners of every body in compressed rows: those of body `k` are `indices[offsets[k]..offsets[k + 1]]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NeighborTable<const D: usize> {
    /// Where the partners of each body begin; one more than there are bodies.
    pub offsets: Vec<usize>,
    /// Partners, body after body.
    pub indices: Vec<u32>,
    /// Image shifts of the partners, negated in the mirrored entry; empty in open domains.
    pub shifts: Vec<[i32; D]>,
}

impl<const D: usize> NeighborTable<D> {
    /// Every body's partners in both directions, for `particles` bodies, rows sorted by (partner, shift), in linear time.
    pub fn of(pairs: &Pairs<D>, particles: usize) -> Self {
        let entries = 2 * pairs.len();
        let (mut offsets, mut indices) = (vec![0; particles + 1], vec![0; entries]);
        let mut shifts = vec![[0; D]; if pairs.shifts().is_empty() { 0 } else { entries }];
        PairView::from(pairs).write_table(particles, &mut offsets, &mut indices, &mut shifts);
        Self { offsets, indices, shifts }
    }

    /// Partners of one body.
    pub fn neighbors(&self, body: usize) -> &[u32] {
        &self.indices[self.offsets[body]..self.offsets[body + 1]]
    }
}

impl<const D: usize> PairView<'_, D> {
    /// Writes the list of neighbours that these pairs of `now` make into the columns that are given, on all threads. There
    /// are `order.directions() * list.len()` entries, the same for any number of threads.
    ///
    /// ```
    /// use multigrain::{Snapshot, find_pairs};
    /// use multigrain_neighbors::{NeighborColumns, NeighborOrder, PairView};
    /// let centers = [[4.0, 0.0], [3.0, 0.0], [0.0, 0.0], [1.5, 0.0]];
    /// let now = Snapshot::new(&centers, &[1.0; 4])?;
    /// let pairs = find_pairs(now);
    /// let (mut first, mut second, mut distances) = (vec![0i64; 6], vec![0i64; 6], vec![0f32; 6]);
    /// let columns = NeighborColumns { first: &mut first, second: &mut second, distances: &mut distances, ..Default::default() };
    /// PairView::from(&pairs).write_neighbors(&now, NeighborOrder::Rows, columns);
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

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::PairSink;

    #[test]
    fn neighbor_table_lists_both_directions_with_mirrored_shifts() {
        let mut pairs = Pairs::<2>::new();
        pairs.pairs(&[[1, 2], [0, 2], [0, 1], [1, 1]], &[[0, 0], [1, -1], [0, 0], [0, 1]]);
        let table = NeighborTable::of(&pairs, 4);
        assert_eq!(table.offsets, [0, 2, 6, 8, 8]);
        assert_eq!(table.neighbors(0), [1, 2]);
        assert_eq!(table.neighbors(1), [0, 1, 1, 2]);
        assert_eq!(table.neighbors(3), [0u32; 0]);
        assert_eq!(table.shifts, [[0, 0], [1, -1], [0, 0], [0, -1], [0, 1], [0, 0], [-1, 1], [0, 0]]);
    }
}
