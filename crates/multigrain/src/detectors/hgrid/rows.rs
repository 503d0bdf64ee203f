//! Which ranges of the sorted bodies a search looks at. A row of cells is one contiguous range: one look-up.

use super::keys::LevelGrid;
use super::real::Real;
use super::schedule::Window;
use std::ops::{Range, RangeInclusive};

/// Takes the ranges of bodies that a search must test.
pub(super) trait RangeVisitor {
    fn range(&mut self, bodies: Range<usize>);
}

/// Takes the rows that a search must look at, before their bodies are looked up.
pub(super) trait RowVisitor {
    fn row(&mut self, row: Row);
}

/// A row of cells: where its bodies are to be looked up, known to the index alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row(pub u32, pub u32);

/// Finds the sorted bodies of a row of cells. Dense: an array over all cells. Sparse: a table of occupied rows.
pub(super) trait RowIndex<const D: usize>: Sync {
    /// What can be shared between the bodies of a block when their own level is searched.
    type Stencil: Copy;

    /// The bodies of level `h`.
    fn level(&self, h: usize) -> Range<usize>;

    fn stencil(&self, h: usize) -> Self::Stencil;

    /// Visits the half stencil of body `p`, whose key is `key`, among its own level: the rest of its row, and that half of the neighbouring
    /// rows that comes later.
    fn visit_own<V: RangeVisitor>(&self, stencil: &Self::Stencil, p: usize, key: u32, visitor: &mut V);

    /// Whether an array over all cells finds bodies: so fast that ranges need not be kept.
    const DENSE: bool;

    /// Where range number `k` of those that [`visit_own`](Self::visit_own) visits begins.
    fn start_of(&self, stencil: &Self::Stencil, p: usize, key: u32, k: usize) -> usize;

    /// The cells `first..=last` of one row of level `h`; `row[0]` is of no meaning.
    fn row(&self, h: usize, row: [u32; D], first: u32, last: u32) -> Row;

    /// The bodies of a row.
    fn bodies_of(&self, row: Row) -> Range<usize>;

    fn particles_per_level(&self, levels: usize) -> Vec<u64> {
        (0..levels).map(|h| self.level(h).len() as u64).collect()
    }

    /// All occupied rows of level `h`, if that is less to look at than `rows` rows.
    fn fewer_rows(&self, h: usize, rows: u64) -> Option<&[[u32; D]]>;
}

/// Geometry of one level's cells in the precision of the columns.
#[derive(Debug, Clone)]
pub(super) struct LevelRows<R, const D: usize> {
    /// Lower corner of the grid, relative to the origin of the columns.
    lo: [R; D],
    sizes: [R; D],
    inverse: [R; D],
    /// The middle of the last cell, in cells.
    top: [R; D],
}

impl<R: Real, const D: usize> LevelRows<R, D> {
    pub fn new(level: &LevelGrid<D>, origin: [f64; D]) -> Self {
        let (lo, _) = level.grid.bounds();
        Self {
            lo: std::array::from_fn(|axis| R::from_f64(lo[axis] - origin[axis])),
            sizes: level.grid.sizes.map(R::from_f64),
            inverse: level.grid.sizes.map(|size| R::from_f64(1.0 / size)),
            top: level.grid.counts.map(|count| R::from_f64(f64::from(count) - 0.5)),
        }
    }

    /// Visits all rows of level `h` in a window that a sphere of radius `reach` (slack for rounding included) around
    /// `position` may touch, each clipped to the sphere.
    #[inline(always)]
    pub fn visit_within<I: RowIndex<D>, V: RowVisitor>(
        &self,
        index: &I,
        h: usize,
        window: Window,
        position: [R; D],
        reach: R,
        visitor: &mut V,
    ) {
        let outer = D - 1;
        let mut row = [0; D];
        let planes = if D == 3 { self.cells(outer, position[outer], reach) } else { 0..=0 };
        let planes = window.clip(1, planes);
        let rows = window.clip(0, self.cells(1, position[1], reach));
        let rows = planes.clone().count() as u64 * rows.count() as u64;
        if let Some(occupied) = index.fewer_rows(h, rows) {
            for &row in occupied {
                self.visit_row(index, h, position, reach, row, visitor);
            }
            return;
        }
        for plane in planes {
            let mut left = reach * reach;
            if D == 3 {
                let gap = self.gap(outer, plane, position[outer]);
                left = left - gap * gap;
                row[outer] = plane;
                if left <= R::default() {
                    continue;
                }
            }
            for cell in window.clip(0, self.cells(1, position[1], left.sqrt())) {
                let gap = self.gap(1, cell, position[1]);
                let left = left - gap * gap;
                if left > R::default() {
                    row[1] = cell;
                    let cells = self.cells(0, position[0], left.sqrt());
                    visitor.row(index.row(h, row, *cells.start(), *cells.end()));
                }
            }
        }
    }

    /// Visits one row, if the sphere may touch it.
    fn visit_row<I: RowIndex<D>, V: RowVisitor>(
        &self,
        index: &I,
        h: usize,
        position: [R; D],
        reach: R,
        row: [u32; D],
        visitor: &mut V,
    ) {
        let mut left = reach * reach;
        for axis in 1..D {
            let gap = self.gap(axis, row[axis], position[axis]);
            left = left - gap * gap;
        }
        if left > R::default() {
            let cells = self.cells(0, position[0], left.sqrt());
            visitor.row(index.row(h, row, *cells.start(), *cells.end()));
        }
    }

    /// First and last cell along `axis` within `half_width` of `x`.
    #[inline(always)]
    fn cells(&self, axis: usize, x: R, half_width: R) -> RangeInclusive<u32> {
        let cell = |x: R| {
            let position = (x - self.lo[axis]) * self.inverse[axis];
            let top = self.top[axis];
            let position = if position < top { position } else { top };
            (if position > R::default() { position } else { R::default() }).to_cell()
        };
        cell(x - half_width)..=cell(x + half_width)
    }

    /// Distance along `axis` from `x` to the cells number `cell`.
    #[inline(always)]
    fn gap(&self, axis: usize, cell: u32, x: R) -> R {
        let below = self.lo[axis] + R::from_cell(cell) * self.sizes[axis] - x;
        let above = -(below + self.sizes[axis]);
        let gap = if below > above { below } else { above };
        if gap > R::default() { gap } else { R::default() }
    }
}
