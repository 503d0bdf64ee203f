//! The dense index: an array over all cells of all levels tells where the bodies of each cell end.

use super::keys::{KeySpace, LevelGrids};
use super::rows::{RangeVisitor, RowIndex};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(super) struct Dense<'a, const D: usize> {
    pub space: &'a KeySpace<D>,
    pub grids: &'a LevelGrids<D>,
    /// Where the bodies of each key end.
    pub ends: &'a [u32],
    /// Key of each sorted body.
    pub keys: &'a [u32],
}

/// Distances of keys that make up the half stencil of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stencil {
    /// From a cell to the last cell of its own row in reach.
    last: usize,
    /// From a cell to the cell before the first one in reach, in each later row: 4 in space, 1 in the plane.
    rows: [usize; 4],
    /// From there to the last cell in reach.
    width: usize,
}

impl<const D: usize> Dense<'_, D> {
    /// Where the bodies of `key` end. The key space has empty cells around every level, as many as neighbours may lie
    /// away, so that every key formed from that of a body or of a cell of a level is inside.
    #[inline(always)]
    fn end_of(&self, key: usize) -> usize {
        self.ends[key] as usize
    }
}

impl<const D: usize> RowIndex<D> for Dense<'_, D> {
    type Stencil = Stencil;

    fn level(&self, h: usize) -> Range<usize> {
        let start = if h == 0 { 0 } else { self.end_of(self.space.levels[h - 1].end as usize - 1) };
        start..self.end_of(self.space.levels[h].end as usize - 1)
    }

    #[inline(always)]
    fn stencil(&self, h: usize) -> Stencil {
        let reach = self.grids.list[h].reach_cells as usize;
        let stride = |axis: usize| self.space.levels[h].strides[axis] as usize;
        let rows = match D {
            2 => [stride(1), 0, 0, 0],
            _ => [stride(1), stride(D - 1) - stride(1), stride(D - 1), stride(D - 1) + stride(1)],
        };
        Stencil { last: reach, rows: rows.map(|row| row.saturating_sub(reach + 1)), width: 2 * reach + 1 }
    }

    #[inline(always)]
    fn visit_own<V: RangeVisitor>(&self, stencil: &Stencil, p: usize, visitor: &mut V) {
        let key = self.keys[p] as usize;
        visitor.range(p + 1..self.end_of(key + stencil.last));
        for row in &stencil.rows[..if D == 2 { 1 } else { 4 }] {
            let before = key + row;
            visitor.range(self.end_of(before)..self.end_of(before + stencil.width));
        }
    }

    #[inline(always)]
    fn row(&self, h: usize, row: [u32; D], first: u32, last: u32) -> Range<usize> {
        let level = &self.space.levels[h];
        let mut key = level.base;
        for axis in 1..D {
            key += row[axis] * level.strides[axis];
        }
        self.end_of((key + first) as usize - 1)..self.end_of((key + last) as usize)
    }

    #[inline(always)]
    fn fewer_rows(&self, _h: usize, _rows: u64) -> Option<&[[u32; D]]> {
        None
    }
}
