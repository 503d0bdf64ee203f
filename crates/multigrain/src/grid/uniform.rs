//! The geometry of one uniform grid: which cell holds a point, which cells a search must look at.

use crate::limits::{CELL_STRETCH, MAX_CELLS_PER_AXIS};

/// Cells over a bounding box. `cell_of` never decreases with the coordinate, so ranges found with it miss nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid<const D: usize> {
    lo: [f64; D],
    hi: [f64; D],
    inverse: [f64; D],
    /// Positions along each axis, in cells, are kept below this: half a cell before the end of the last cell.
    top: [f64; D],
    /// Cells along each axis, at least 1.
    pub counts: [u32; D],
    /// Length of a cell along each axis.
    pub sizes: [f64; D],
}

impl<const D: usize> Grid<D> {
    /// Cells of at least `size` over `lo..=hi`, larger where there would be more than `most_cells` of them.
    ///
    /// Two points whose distance along an axis is below `size` lie in the same or in neighbouring cells.
    pub fn new(lo: [f64; D], hi: [f64; D], size: [f64; D], most_cells: f64) -> Self {
        let mut sizes = size.map(|size| size * CELL_STRETCH);
        let counts = loop {
            let counts: [f64; D] = std::array::from_fn(|axis| ((hi[axis] - lo[axis]) / sizes[axis]).floor() + 1.0);
            let total: f64 = counts.iter().product();
            let excess = (total / most_cells).powf(1.0 / D as f64);
            let mut grown = false;
            for axis in 0..D {
                let factor = if total > most_cells { excess } else { counts[axis] / MAX_CELLS_PER_AXIS };
                if counts[axis] > 1.0 && (total > most_cells || factor > 1.0) {
                    sizes[axis] *= factor.max(1.02);
                    grown = true;
                }
            }
            if !grown {
                break counts;
            }
        };
        Self {
            lo,
            hi,
            inverse: sizes.map(f64::recip),
            top: counts.map(|count| count - 0.5),
            counts: counts.map(|count| count as u32),
            sizes,
        }
    }

    /// The same box cut into cells of exactly `sizes`.
    pub fn with_sizes(self, sizes: [f64; D]) -> Self {
        let counts: [u32; D] = std::array::from_fn(|axis| {
            let extent = self.hi[axis] - self.lo[axis];
            ((extent / sizes[axis]).floor() + 1.0) as u32
        });
        let top = counts.map(|count| f64::from(count) - 0.5);
        Self { sizes, inverse: sizes.map(f64::recip), counts, top, ..self }
    }

    /// Bounding box of what the grid holds.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        (self.lo, self.hi)
    }

    /// The cell of a coordinate along one axis; coordinates outside belong to the border cells.
    #[inline(always)]
    pub fn cell_along(&self, axis: usize, x: f64) -> u32 {
        let position = (x - self.lo[axis]) * self.inverse[axis];
        let position = if position > 0.0 { position } else { 0.0 };
        round_down(if position < self.top[axis] { position } else { self.top[axis] })
    }

    /// The cell of a point.
    #[inline(always)]
    pub fn cell_of(&self, center: [f64; D]) -> [u32; D] {
        std::array::from_fn(|axis| self.cell_along(axis, center[axis]))
    }

    /// First and last cell that may hold a point within `reach` of `center` along every axis; `None` if the grid lies
    /// out of reach.
    #[inline]
    pub fn cells_within(&self, center: [f64; D], reach: [f64; D]) -> Option<([u32; D], [u32; D])> {
        let (mut first, mut last) = ([0; D], [0; D]);
        for axis in 0..D {
            let (from, to) = (center[axis] - reach[axis], center[axis] + reach[axis]);
            if to < self.lo[axis] || from > self.hi[axis] {
                return None;
            }
            first[axis] = self.cell_along(axis, from);
            last[axis] = self.cell_along(axis, to);
        }
        Some((first, last))
    }

    /// Number of all cells, or the largest number where it has too many digits.
    pub fn cells(&self) -> usize {
        self.counts.iter().fold(1, |product: usize, &count| product.saturating_mul(count as usize))
    }

    /// Position of a cell in row-major order, x fastest.
    #[inline]
    pub fn index(&self, cell: [u32; D]) -> usize {
        let mut index = 0;
        for axis in (0..D).rev() {
            index = index * self.counts[axis] as usize + cell[axis] as usize;
        }
        index
    }
}

/// Rounds down to a whole number; a position that is whole already may go to the cell below. Never decreases with
/// `position`, which must lie in `0..2^31`. Adding 1.5 * 2^52 leaves the whole number in the low bits of the mantissa:
/// no conversion instruction, so loops over bodies vectorise.
#[inline(always)]
fn round_down(position: f64) -> u32 {
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    ((position - 0.5) + WHOLE).to_bits() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_grow_until_they_are_few_enough() {
        let grid = Grid::new([0.0; 3], [1e7; 3], [1.0; 3], 1000.0);
        assert!(grid.cells() <= 1000 && grid.cells() > 100, "{}", grid.cells());
        let wide = Grid::new([-1e150; 2], [1e150; 2], [1e-150; 2], f64::INFINITY);
        assert!(wide.counts.iter().all(|&count| count > 1 << 28 && count <= 1 << 30), "{:?}", wide.counts);
        let solid = Grid::new([-1e150; 3], [1e150; 3], [1e-150; 3], f64::INFINITY);
        assert_eq!(solid.cells(), usize::MAX);
        let line = Grid::new([0.0; 3], [1e6, 0.0, 0.0], [1.0; 3], 1e6);
        assert!(line.counts[0] > 900_000 && line.counts[1..] == [1, 1], "{:?}", line.counts);
    }

    #[test]
    fn rounding_down_never_decreases() {
        let mut last = 0;
        for step in 0..4000 {
            let cell = round_down(f64::from(step) / 16.0);
            assert!(cell >= last && cell <= step / 16 && cell + 1 >= step.div_ceil(16), "{step} -> {cell}");
            last = cell;
        }
        assert_eq!(round_down((1u64 << 30) as f64 - 0.25), (1 << 30) - 1);
    }

    #[test]
    fn ranges_hold_every_point_in_reach() {
        let grid = Grid::new([0.0; 2], [10.0; 2], [1.0; 2], 1e6);
        assert_eq!(grid.cells_within([5.5, 0.2], [1.0; 2]), Some(([4, 0], [6, 1])));
        assert_eq!(grid.cells_within([12.0, 0.2], [1.0; 2]), None);
        assert_eq!(grid.cell_of([-5.0, 50.0]), [0, grid.counts[1] - 1]);
    }
}
