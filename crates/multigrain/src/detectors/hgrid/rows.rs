//! Which rows of cells a search looks at. A row of cells is one contiguous range of the sorted bodies: one look-up.

use super::keys::LevelKeys;
use super::real::Real;
use std::ops::Range;

/// Takes the ranges of bodies that a search must test.
pub(super) trait RangeVisitor {
    fn range(&mut self, bodies: Range<usize>);
}

/// Ranges that can be visited, and visited again.
pub(super) trait Ranges: Copy {
    fn visit<V: RangeVisitor>(&self, visitor: &mut V);
}

/// The half stencil of a body among its own level: the rest of its row, and that half of the neighbouring rows that
/// comes later.
#[derive(Clone, Copy)]
pub(super) struct OwnLevel<'a> {
    /// Where the bodies of each key end.
    pub ends: &'a [u32],
    /// The searching body, and the key of its cell.
    pub p: usize,
    pub key: usize,
    pub stencil: &'a Stencil,
}

/// Distances of keys that make up the half stencil of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stencil {
    /// From a cell to the last cell of its own row in reach.
    last: usize,
    /// From a cell to the cell before the first one in reach, in each later row: 4 in space, 1 in the plane.
    rows: [usize; 4],
    row_count: usize,
    /// From there to the last cell in reach.
    width: usize,
}

impl Stencil {
    pub fn new<const D: usize>(level: &LevelKeys<D>) -> Self {
        let reach = level.reach_cells as usize;
        let stride = |axis: usize| level.strides[axis] as usize;
        let rows = match D {
            2 => [stride(1), 0, 0, 0],
            _ => [stride(1), stride(D - 1) - stride(1), stride(D - 1), stride(D - 1) + stride(1)],
        };
        Self {
            last: reach,
            rows: rows.map(|row| row.saturating_sub(reach + 1)),
            row_count: if D == 2 { 1 } else { 4 },
            width: 2 * reach + 1,
        }
    }
}

impl OwnLevel<'_> {
    /// Where the bodies of `key` end.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn end_of(&self, key: usize) -> usize {
        debug_assert!(key < self.ends.len());
        // SAFETY: the key space has empty cells around every level, as many as neighbours may lie away, so that every
        // key formed from that of a body is inside.
        unsafe { *self.ends.get_unchecked(key) as usize }
    }
}

impl Ranges for OwnLevel<'_> {
    #[inline(always)]
    fn visit<V: RangeVisitor>(&self, visitor: &mut V) {
        visitor.range(self.p + 1..self.end_of(self.key + self.stencil.last));
        for row in &self.stencil.rows[..self.stencil.row_count] {
            let before = self.key + row;
            visitor.range(self.end_of(before)..self.end_of(before + self.stencil.width));
        }
    }
}

/// All rows of a level that a sphere may touch, each clipped to the sphere.
#[derive(Clone, Copy)]
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
