//! The sparse index: a table of occupied rows, for bodies so unevenly spread that an array over all cells would be too
//! large or its cells too full.

use super::columns::Columns;
use super::keys::LevelGrids;
use super::real::Real;
use super::rows::{RangeVisitor, Row, RowIndex};
use crate::detectors::toolkit::Images;
use crate::limits::MOST_CELLS_PER_AXIS;
use crate::snapshot::Snapshot;
use rayon::prelude::*;
use std::ops::Range;

/// Bits of a cell number along one axis.
const AXIS_BITS: u32 = (MOST_CELLS_PER_AXIS as u64).ilog2();

/// The table of occupied rows, with the memory to build it.
#[derive(Debug, Clone)]
pub(super) struct RowTable<const D: usize> {
    /// Level, cell (z, y, x) and id of every body in one number each, to sort by.
    order: Vec<u128>,
    /// Cells of all occupied rows in order; the first component is 0.
    rows: Vec<[u32; D]>,
    /// Where the bodies of each row begin; one more than there are rows.
    starts: Vec<u32>,
    /// Rows of each level.
    levels: Vec<Range<usize>>,
    /// Number of the row of each body.
    row_of: Vec<u32>,
    /// Open addressing: number of a row plus one, or 0.
    slots: Vec<u32>,
}

impl<const D: usize> RowTable<D> {
    pub fn new() -> Self {
        Self {
            order: Vec::new(),
            rows: Vec::new(),
            starts: Vec::new(),
            levels: Vec::new(),
            row_of: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Rows that hold bodies.
    pub fn occupied_rows(&self) -> usize {
        self.rows.len()
    }

    /// Sorts the bodies by level, row and cell into `columns`; their keys are the cells along x.
    pub fn fill<R: Real>(
        &mut self,
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        grids: &LevelGrids<D>,
        origin: [f64; D],
        columns: &mut Columns<R, D>,
    ) {
        self.order.clear();
        self.order.extend(now.centers().iter().zip(now.radii()).enumerate().map(|(i, (&center, &radius))| {
            let level = grids.level_of(radius);
            let cell = grids.list[level].grid.cell_of(images.stored_center(i, center));
            let mut place = level as u128;
            for axis in (0..D).rev() {
                place = place << AXIS_BITS | u128::from(cell[axis]);
            }
            place << 32 | i as u128
        }));
        self.order.par_sort_unstable();
        self.list_rows(grids.list.len());
        columns.resize(now.len());
        for (p, &place) in self.order.iter().enumerate() {
            let i = place as u32;
            let center = images.stored_center(i as usize, now.centers()[i as usize]);
            for axis in 0..D {
                columns.position[axis][p] = R::from_f64(center[axis] - origin[axis]);
            }
            columns.radius[p] = R::from_f64(now.radii()[i as usize]);
            columns.ids[p] = i;
            columns.keys[p] = cell_along(place, 0);
        }
    }

    fn list_rows(&mut self, levels: usize) {
        self.rows.clear();
        self.starts.clear();
        self.levels.clear();
        self.row_of.clear();
        let row_shift = 32 + AXIS_BITS;
        let level_shift = 32 + D as u32 * AXIS_BITS;
        let mut last = None;
        for (p, &place) in self.order.iter().enumerate() {
            if last != Some(place >> row_shift) {
                last = Some(place >> row_shift);
                let level = (place >> level_shift) as usize;
                while self.levels.len() <= level {
                    self.levels.push(self.rows.len()..self.rows.len());
                }
                self.rows.push(std::array::from_fn(|axis| if axis == 0 { 0 } else { cell_along(place, axis) }));
                self.starts.push(p as u32);
                self.levels[level].end = self.rows.len();
            }
            self.row_of.push(self.rows.len() as u32 - 1);
        }
        self.starts.push(self.order.len() as u32);
        self.levels.resize(levels, self.rows.len()..self.rows.len());
        self.slots.clear();
        self.slots.resize((2 * self.rows.len()).next_power_of_two(), 0);
        for h in 0..levels {
            for number in self.levels[h].clone() {
                let mut slot = self.slot(h, self.rows[number]);
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & (self.slots.len() - 1);
                }
                self.slots[slot] = number as u32 + 1;
            }
        }
    }

    /// Where the search for a row in the table begins.
    fn slot(&self, h: usize, row: [u32; D]) -> usize {
        let mut hash = h as u64;
        for cell in &row[1..] {
            hash = (hash ^ u64::from(*cell)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        hash.wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20 & (self.slots.len() - 1)
    }

    /// The bodies of a row of level `h`; none if it is not occupied.
    fn bodies(&self, h: usize, row: [u32; D]) -> Range<usize> {
        let mut slot = self.slot(h, row);
        while self.slots[slot] != 0 {
            let number = self.slots[slot] as usize - 1;
            if self.rows[number] == row && self.levels[h].contains(&number) {
                return self.starts[number] as usize..self.starts[number + 1] as usize;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        0..0
    }
}

/// Cell number along `axis` of a place in the order.
fn cell_along(place: u128, axis: usize) -> u32 {
    (place >> (32 + axis as u32 * AXIS_BITS)) as u32 & ((1 << AXIS_BITS) - 1)
}

/// The table, and the cells along x of the sorted bodies.
#[derive(Clone, Copy)]
pub(super) struct Sparse<'a, const D: usize> {
    pub table: &'a RowTable<D>,
    pub grids: &'a LevelGrids<D>,
    pub cells: &'a [u32],
}

impl<const D: usize> Sparse<'_, D> {
    /// Those bodies of a row whose cells along x are `first..=last`.
    fn clip(&self, bodies: Range<usize>, first: u32, last: u32) -> Range<usize> {
        let cells = &self.cells[bodies.clone()];
        let start = bodies.start + cells.partition_point(|&cell| cell < first);
        let end = bodies.start + cells.partition_point(|&cell| cell <= last);
        start..end
    }
}

impl<const D: usize> RowIndex<D> for Sparse<'_, D> {
    /// The level.
    type Stencil = usize;

    const DENSE: bool = false;

    fn visit_together<V: RangeVisitor>(&self, level: &usize, p: usize, cell: u32, _: u32, visitor: &mut V) {
        self.visit_own(level, p, cell, visitor);
    }

    /// Nothing is searched together.
    fn apart(&self, _: &usize) -> u32 {
        0
    }

    fn level(&self, h: usize) -> Range<usize> {
        let rows = &self.table.levels[h];
        self.table.starts[rows.start] as usize..self.table.starts[rows.end] as usize
    }

    fn stencil(&self, h: usize) -> usize {
        h
    }

    fn visit_own<V: RangeVisitor>(&self, &h: &usize, p: usize, cell: u32, visitor: &mut V) {
        let number = self.table.row_of[p] as usize;
        let row = self.table.rows[number];
        let reach = self.grids.list[h].reach_cells;
        let (first, last) = (cell.saturating_sub(reach), cell + reach);
        visitor.range(self.clip(p + 1..self.table.starts[number + 1] as usize, 0, last));
        let steps: &[[i64; 2]] = if D == 2 { &[[1, 0]] } else { &[[1, 0], [-1, 1], [0, 1], [1, 1]] };
        for step in steps {
            let mut neighbor = row;
            for axis in 1..D {
                // Below the first row there is none: the number wraps to one that no row has.
                neighbor[axis] = (i64::from(row[axis]) + step[axis - 1]) as u32;
            }
            let bodies = self.table.bodies(h, neighbor);
            if !bodies.is_empty() {
                visitor.range(self.clip(bodies, first, last));
            }
        }
    }

    fn row(&self, h: usize, row: [u32; D], first: u32, last: u32) -> Row {
        let bodies = self.clip(self.table.bodies(h, row), first, last);
        Row(bodies.start as u32, bodies.end as u32)
    }

    fn bodies_of(&self, row: Row) -> Range<usize> {
        row.0 as usize..row.1 as usize
    }

    fn fewer_rows(&self, h: usize, rows: u64) -> Option<&[[u32; D]]> {
        let occupied = self.table.levels[h].clone();
        (rows > occupied.len() as u64).then(|| &self.table.rows[occupied])
    }
}
