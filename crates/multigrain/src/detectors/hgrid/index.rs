//! The index of the sorted bodies: an array over all cells of all levels says where the bodies of each cell end.
//!
//! GAIN: reading that array without testing that each key is inside, 1e6 bodies, one thread, in turns: mono 42.2 -> 39.2 ns
//! a body, uv50 53.5 -> 52.2, uv100 49.4 -> 48.2.
#![allow(unsafe_code)]

use super::kernel::LANES;
use super::keys::{LevelGrid, LevelKeys};
use super::rows::{RangeVisitor, Row, Rows, lanes};
use std::ops::Range;

/// Finds the sorted bodies of a row of cells.
#[derive(Clone, Copy)]
pub(super) struct Index<'a, const D: usize> {
    levels: &'a [LevelKeys<D>],
    grids: &'a [LevelGrid<D>],
    /// Where the bodies of each key end.
    ends: &'a [u32],
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

impl<'a, const D: usize> Index<'a, D> {
    /// The index over the bodies of the levels `grids`, sorted by the keys of `levels`, where those of each key end at `ends`.
    pub fn new(levels: &'a [LevelKeys<D>], grids: &'a [LevelGrid<D>], ends: &'a [u32]) -> Self {
        assert!(levels.iter().all(|level| level.end as usize <= ends.len()), "one end for every key");
        Self { levels, grids, ends }
    }

    /// Where the bodies of `key` end. The key space has empty cells around every level, as many as neighbours may lie
    /// away, so that every key formed from that of a body or of a cell of a level is inside.
    #[inline(always)]
    fn end_of(&self, key: usize) -> usize {
        debug_assert!(key < self.ends.len());
        // SAFETY: `new` made sure that there is an end for every key of the space; see above for why keys are of it.
        unsafe { *self.ends.get_unchecked(key) as usize }
    }

    /// Visits the cells of later row number `row` in reach of the cells from `key` to `last`.
    #[inline(always)]
    fn visit_neighbors<V: RangeVisitor>(
        &self,
        stencil: &Stencil,
        key: usize,
        last: usize,
        row: usize,
        visitor: &mut V,
    ) {
        let row = stencil.rows[row];
        visitor.range(self.end_of(key + row)..self.end_of(last + row + stencil.width));
    }

    /// The bodies of level `h`.
    pub fn level(&self, h: usize) -> Range<usize> {
        let level = &self.levels[h];
        self.end_of(level.base as usize - 1)..self.end_of(level.end as usize - 1)
    }

    pub fn particles_per_level(&self) -> impl Iterator<Item = u64> {
        (0..self.levels.len()).map(|h| self.level(h).len() as u64)
    }

    /// What the bodies of level `h` share when they search that level.
    #[inline(always)]
    pub fn stencil(&self, h: usize) -> Stencil {
        let reach = self.grids[h].reach_cells as usize;
        let stride = |axis: usize| self.levels[h].strides[axis] as usize;
        let rows = match D {
            2 => [stride(1), 0, 0, 0],
            _ => [stride(1), stride(D - 1) - stride(1), stride(D - 1), stride(D - 1) + stride(1)],
        };
        let rows = rows.map(|row| row.saturating_sub(reach + 1));
        Stencil { last: reach, rows, width: 2 * reach + 1 }
    }

    /// Visits the half stencil of body `p`, whose key is `key`, among its own level: the rest of its row, and that half of
    /// the neighbouring rows that comes later.
    #[inline(always)]
    pub fn visit_own<V: RangeVisitor>(&self, stencil: &Stencil, p: usize, key: u32, visitor: &mut V) {
        self.visit_together(stencil, p, key, key, visitor);
    }

    /// As [`visit_own`](Self::visit_own), for body `p` and some that follow, the last of them with key `last`: what they
    /// visit together, each range from the first body of any to the last. Keys differ by less than [`Stencil::apart`].
    #[inline(always)]
    pub fn visit_together<V: RangeVisitor>(&self, stencil: &Stencil, p: usize, key: u32, last: u32, visitor: &mut V) {
        let (key, last) = (key as usize, last as usize);
        visitor.range(p + 1..self.end_of(last + stencil.last));
        self.visit_neighbors(stencil, key, last, 0, visitor);
        if D == 3 {
            // Not as a loop: each row is compiled on its own.
            self.visit_neighbors(stencil, key, last, 1, visitor);
            self.visit_neighbors(stencil, key, last, 2, visitor);
            self.visit_neighbors(stencil, key, last, 3, visitor);
        }
    }

    /// The cells `first..=last` of one row of level `h`; `row[0]` is of no meaning.
    #[inline(always)]
    pub fn row(&self, h: usize, row: [u32; D], first: u32, last: u32) -> Row {
        let level = &self.levels[h];
        let mut key = level.base;
        for axis in 1..D {
            key += row[axis] * level.strides[axis];
        }
        Row(key + first - 1, key + last)
    }

    /// The cells `firsts..=lasts` of some rows of level `h`, lane by lane, as [`row`](Self::row) has one; `cells` are
    /// those of the rows along each axis.
    #[inline(always)]
    pub fn rows(&self, h: usize, cells: [[u32; LANES]; D], firsts: [u32; LANES], lasts: [u32; LANES]) -> Rows {
        let level = &self.levels[h];
        let keys: [u32; LANES] =
            lanes(|lane| (1..D).fold(level.base, |key, axis| key + cells[axis][lane] * level.strides[axis]));
        Rows(lanes(|lane| keys[lane] + firsts[lane] - 1), lanes(|lane| keys[lane] + lasts[lane]))
    }

    /// The bodies of a row.
    #[inline(always)]
    pub fn bodies_of(&self, row: Row) -> Range<usize> {
        self.end_of(row.0 as usize)..self.end_of(row.1 as usize)
    }
}

impl Stencil {
    /// Ranges of bodies whose keys differ by less than this do not overlap when they are visited together: behind the own
    /// row, up to `last` cells farther, comes the next one, from the cell before the first in reach on; and so on, row by
    /// row.
    #[inline(always)]
    pub fn apart(&self) -> u32 {
        (self.rows[0] as u32).saturating_sub(self.last as u32)
    }
}
