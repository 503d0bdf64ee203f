//! Which rows of cells a search looks at. A row of cells is one contiguous range of the sorted bodies: one look-up.

use super::keys::LevelKeys;
use super::real::Real;
use std::ops::Range;

/// Takes the ranges of bodies that a search must test.
pub(super) trait RangeVisitor {
    fn range(&mut self, bodies: Range<usize>);
}

/// Ranges that can be visited, and visited again.
pub(super) trait Ranges {
    fn visit<V: RangeVisitor>(&self, visitor: &mut V);
}

/// The half stencil of a body among its own level: the rest of its row, and that half of the neighbouring rows that
/// comes later.
pub(super) struct OwnLevel<'a> {
    /// Where the bodies of each key end.
    pub ends: &'a [u32],
    /// The searching body, and the key of its cell.
    pub p: usize,
    pub key: usize,
    /// How many cells along x a neighbour may lie away.
    pub reach_cells: usize,
    /// Distance of keys to each later row.
    pub later_rows: &'a [usize],
}

impl Ranges for OwnLevel<'_> {
    #[inline(always)]
    fn visit<V: RangeVisitor>(&self, visitor: &mut V) {
        visitor.range(self.p + 1..self.ends[self.key + self.reach_cells] as usize);
        for row in self.later_rows {
            let cell = self.key + row;
            let start = self.ends[cell - self.reach_cells - 1];
            let end = self.ends[cell + self.reach_cells];
            visitor.range(start as usize..end as usize);
        }
    }
}

/// All rows of a level that a sphere may touch, each clipped to the sphere.
pub(super) struct WithinReach<'a, R, const D: usize> {
    pub ends: &'a [u32],
    pub rows: &'a LevelRows<R, D>,
    pub position: [R; D],
    /// Slack for rounding included.
    pub reach: R,
}

/// Geometry of one level's cells in the precision of the columns.
#[derive(Debug, Clone)]
pub(super) struct LevelRows<R, const D: usize> {
    /// Lower corner of the grid, relative to the origin of the columns.
    lo: [R; D],
    sizes: [R; D],
    inverse: [R; D],
    last: [u32; D],
    base: u32,
    strides: [u32; D],
}

impl<R: Real, const D: usize> LevelRows<R, D> {
    pub fn new(level: &LevelKeys<D>, origin: [f64; D]) -> Self {
        let (lo, _) = level.grid.bounds();
        Self {
            lo: std::array::from_fn(|axis| R::from_f64(lo[axis] - origin[axis])),
            sizes: level.grid.sizes.map(R::from_f64),
            inverse: level.grid.sizes.map(|size| R::from_f64(1.0 / size)),
            last: level.grid.counts.map(|count| count - 1),
            base: level.base,
            strides: level.strides,
        }
    }

    /// First and last cell along `axis` within `half_width` of `x`.
    #[inline(always)]
    fn cells(&self, axis: usize, x: R, half_width: R) -> (u32, u32) {
        let cell = |x: R| {
            let position = (x - self.lo[axis]) * self.inverse[axis];
            let last = R::from_cell(self.last[axis]);
            let position = if position < last { position } else { last };
            (if position > R::default() { position } else { R::default() }).to_cell()
        };
        (cell(x - half_width), cell(x + half_width))
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

impl<R: Real, const D: usize> Ranges for WithinReach<'_, R, D> {
    #[inline(always)]
    fn visit<V: RangeVisitor>(&self, visitor: &mut V) {
        let Self { ends, rows, position, reach } = self;
        let outer = D - 1;
        let (first_plane, last_plane) = if D == 3 { rows.cells(outer, position[outer], *reach) } else { (0, 0) };
        for plane in first_plane..=last_plane {
            let mut plane_left = *reach * *reach;
            let mut plane_key = rows.base;
            if D == 3 {
                let gap = rows.gap(outer, plane, position[outer]);
                plane_left = plane_left - gap * gap;
                plane_key += plane * rows.strides[outer];
                if plane_left <= R::default() {
                    continue;
                }
            }
            let (first_row, last_row) = rows.cells(1, position[1], plane_left.sqrt());
            for row in first_row..=last_row {
                let gap = rows.gap(1, row, position[1]);
                let left = plane_left - gap * gap;
                if left <= R::default() {
                    continue;
                }
                let (first, last) = rows.cells(0, position[0], left.sqrt());
                let key = (plane_key + row * rows.strides[1]) as usize;
                let start = ends[key + first as usize - 1];
                let end = ends[key + last as usize];
                visitor.range(start as usize..end as usize);
            }
        }
    }
}
