//! How large the cells of an array over all cells are: as asked, or larger where memory would not be linear.

use super::Grid;

/// Most cells per body in all: the memory of a dense index stays linear whatever the extent. A level takes at most half
/// of what finer levels have left, so the finest, which holds most bodies, always gets its share.
const CELLS_PER_BODY: f64 = 2.5;

/// Most columns that a cell is cut into along x, where a cell holds many bodies: rows are then clipped more closely.
const MAX_COLUMNS: f64 = 4.0;

/// Bodies per row of neighbours from which on the fast grid tests two vectors of each at once.
pub const FULL_VECTOR: f64 = 5.0;

/// Lays out dense grids, level after level from fine to coarse.
#[derive(Debug, Clone, Copy)]
pub struct DenseCells {
    bodies: f64,
    left: f64,
    is_first: bool,
}

impl DenseCells {
    /// For this many bodies on all levels together.
    pub fn new(bodies: f64) -> Self {
        Self { bodies, left: CELLS_PER_BODY * bodies, is_first: true }
    }

    /// The grid of the next level over `lo..=hi`, with cells of at least `sizes`, and how many of its cells along x are as
    /// long as a cell along the other axes.
    pub fn next<const D: usize>(&mut self, lo: [f64; D], hi: [f64; D], sizes: [f64; D]) -> (Grid<D>, u32) {
        let grid = Grid::new(lo, hi, sizes, self.left / 2.0 + 64.0);
        let columns = match self.is_first {
            true => (self.bodies / grid.cells() as f64).clamp(1.0, MAX_COLUMNS).floor(),
            false => 1.0,
        };
        let mut sizes = grid.sizes;
        sizes[0] /= columns;
        let grid = grid.with_sizes(sizes);
        self.left -= grid.cells() as f64;
        self.is_first = false;
        (grid, columns as u32)
    }
}
