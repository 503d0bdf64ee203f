//! A hash of the occupied cells, in blocks of two along each axis.

use super::cell_order::number_in_block;
use super::tiers::{Tiers, for_each_place};
use multigrain::grid::{CellAxis, HashIndex, ShiftRange, Span, hash_cell};
use std::ops::Range;

/// Occupied cells of all levels. One look-up says which cells of a block are occupied, so that a box of cells costs far
/// fewer look-ups than it has cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks<const D: usize> {
    blocks: Vec<CellBlock<D>>,
    /// Slot of the first body of each occupied cell, block after block, and one more where the bodies end.
    starts: Vec<u32>,
    index: HashIndex,
    /// Blocks of blocks, level by level.
    tiers: Vec<Tiers<D>>,
}

/// Blocks of cells, counted over a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LookUps {
    /// Blocks that lie in the ranges of bodies, empty ones too: what looking at each of them would take.
    pub in_range: u64,
    /// Blocks, and blocks of blocks, that were looked up.
    pub done: u64,
}

impl std::ops::AddAssign for LookUps {
    fn add_assign(&mut self, other: Self) {
        self.in_range = self.in_range.saturating_add(other.in_range);
        self.done = self.done.saturating_add(other.done);
    }
}

/// A block with an occupied cell.
#[derive(Debug, Clone, Copy)]
struct CellBlock<const D: usize> {
    place: [i64; D],
    /// A bit for each cell, set if it is occupied.
    occupied: u32,
    /// Its first occupied cell.
    first: u32,
}

/// For each axis, the cells of a block that are the upper ones along it.
const UPPER: [u32; 5] = [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];

impl<const D: usize> Blocks<D> {
    /// Forgets all cells.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.starts.clear();
    }

    /// Adds the cell at `place`, with bodies from `slot` on. Cells come by level, by block, and by number in the block.
    /// Returns whether the cell opens a block.
    pub fn push(&mut self, place: [i64; D], is_same_level: bool, slot: u32) -> bool {
        let bit = 1 << number_in_block(place);
        let block_place = place.map(|along| along >> 1);
        self.starts.push(slot);
        match self.blocks.last_mut() {
            Some(block) if is_same_level && block.place == block_place => {
                debug_assert!(block.occupied < bit, "cells out of order");
                block.occupied |= bit;
                false
            }
            _ => {
                self.blocks.push(CellBlock { place: block_place, occupied: bit, first: self.starts.len() as u32 - 1 });
                true
            }
        }
    }

    /// Ends the list of cells, and hashes the blocks, given level by level with how many times smaller than those of the coarsest
    /// level their cells are.
    pub fn finish(&mut self, slots: usize, levels: impl Iterator<Item = (Range<u32>, f64)>) {
        self.starts.push(slots as u32);
        self.index.clear_for(self.blocks.len());
        self.tiers.clear();
        for (level, (blocks, ratio)) in levels.enumerate() {
            for block in blocks.clone() {
                self.index.insert(hash_of(level, self.blocks[block as usize].place), block);
            }
            self.tiers.push(Tiers::new(blocks.map(|block| self.blocks[block as usize].place), ratio));
        }
    }

    /// Number of occupied cells.
    pub fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    /// Slots of the bodies of an occupied cell.
    #[inline]
    pub fn slots(&self, cell: usize) -> Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Visits the occupied cells of a box of cells of `level`, which has the given blocks: place and slots of each.
    ///
    /// Looks blocks up, walks the occupied ones where those are fewer, or goes down to them through tiers.
    #[inline]
    pub fn visit(
        &self,
        level: usize,
        of_level: &Range<u32>,
        spans: [Span; D],
        mut visit: impl FnMut([i64; D], Range<usize>),
    ) -> LookUps {
        let around = spans.map(|span| Span { first: span.first >> 1, last: span.last >> 1 });
        if around.iter().any(|span| span.first > span.last) {
            return LookUps::default();
        }
        let in_range = around.iter().map(|span| span.cells()).fold(1u64, u64::saturating_mul);
        let tiers = &self.tiers[level];
        let height = tiers.height(&around);
        if height == 0 && in_range > of_level.len() as u64 {
            for block in &self.blocks[of_level.start as usize..of_level.end as usize] {
                let holds = |axis: usize| (around[axis].first..=around[axis].last).contains(&block.place[axis]);
                if (0..D).all(holds) {
                    self.visit_block(block, &spans, &mut visit);
                }
            }
            return LookUps { in_range, done: of_level.len() as u64 };
        }
        let mut done = 0;
        let mut look_up = |place: [i64; D]| {
            done += 1;
            let is_it = |block: u32| self.blocks[block as usize].place == place && of_level.contains(&block);
            if let Some(block) = self.index.find(hash_of(level, place), is_it) {
                self.visit_block(&self.blocks[block as usize], &spans, &mut visit);
            }
        };
        let above = if height == 0 {
            for_each_place(&around, look_up);
            0
        } else {
            tiers.descend(height, &around, &mut look_up)
        };
        LookUps { in_range, done: done + above }
    }

    #[inline]
    fn visit_block(&self, block: &CellBlock<D>, spans: &[Span; D], visit: &mut impl FnMut([i64; D], Range<usize>)) {
        let mut inside = block.occupied;
        for axis in 0..D {
            let lower = 2 * block.place[axis];
            if lower < spans[axis].first {
                inside &= UPPER[axis];
            }
            if lower == spans[axis].last {
                inside &= !UPPER[axis];
            }
        }
        while inside != 0 {
            let number = inside.trailing_zeros();
            inside &= inside - 1;
            let before = block.occupied & ((1 << number) - 1);
            let place = std::array::from_fn(|axis| 2 * block.place[axis] + i64::from((number >> axis) & 1));
            visit(place, self.slots((block.first + before.count_ones()) as usize));
        }
    }
}

/// Visits the parts of a box of cells, one for each period that it reaches into, moved into the box of the domain.
#[inline]
pub(super) fn for_each_image<const D: usize>(
    axes: &[CellAxis; D],
    spans: [Span; D],
    mut visit: impl FnMut([i32; D], [Span; D]),
) {
    let shifts = ShiftRange {
        first: std::array::from_fn(|axis| axes[axis].split(spans[axis].first).1),
        last: std::array::from_fn(|axis| axes[axis].split(spans[axis].last).1),
    };
    if shifts.is_home_only() {
        return visit([0; D], std::array::from_fn(|axis| axes[axis].part(spans[axis], 0)));
    }
    for shift in shifts.iter() {
        visit(shift, std::array::from_fn(|axis| axes[axis].part(spans[axis], shift[axis])));
    }
}

#[inline]
fn hash_of<const D: usize>(level: usize, block: [i64; D]) -> u32 {
    hash_cell(level as u64, block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hgrid_cells::cell_order::number_in_block;
    use multigrain::Rng;

    #[test]
    fn boxes_of_any_size_show_their_cells_once() {
        for ratio in [1.0, 8.0, 100.0] {
            boxes_show_their_cells_once(ratio);
        }
    }

    fn boxes_show_their_cells_once(ratio: f64) {
        let mut rng = Rng::new(1);
        let mut cells: Vec<[i64; 3]> = (0..300).map(|_| [(); 3].map(|()| rng.below(9) as i64)).collect();
        cells.sort_unstable_by_key(|&cell| (cell.map(|along| along >> 1), number_in_block(cell)));
        cells.dedup();
        let mut blocks = Blocks::default();
        let opened = (0..).zip(&cells).filter(|&(slot, &cell)| blocks.push(cell, slot > 0, slot)).count() as u32;
        blocks.finish(cells.len(), std::iter::once((0..opened, ratio)));
        for _ in 0..500 {
            let spans = [(); 3].map(|()| {
                let first = rng.below(9) as i64;
                Span { first, last: first + rng.below(9) as i64 - 1 }
            });
            let inside = |cell: &[i64; 3]| (0..3).all(|k| (spans[k].first..=spans[k].last).contains(&cell[k]));
            let mut expected: Vec<[i64; 3]> = cells.iter().copied().filter(inside).collect();
            let mut found = Vec::new();
            let looked = blocks.visit(0, &(0..opened), spans, |place, slots| {
                assert_eq!((cells[slots.start], slots.len()), (place, 1));
                found.push(place);
            });
            assert!(found.is_empty() || (looked.done > 0 && looked.in_range > 0));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{spans:?}");
        }
    }

    #[test]
    fn empty_cells_in_the_middle_of_a_box_are_not_looked_up() {
        // A shell of cells around 60 empty ones along each axis.
        let mut cells: Vec<[i64; 3]> = Vec::new();
        for_each_place(&[Span { first: 0, last: 63 }; 3], |place| {
            if place.iter().any(|along| !(2..62).contains(along)) {
                cells.push(place);
            }
        });
        cells.sort_unstable_by_key(|&cell| (cell.map(|along| along >> 1), number_in_block(cell)));
        let mut blocks = Blocks::default();
        let opened = (0..).zip(&cells).filter(|&(slot, &cell)| blocks.push(cell, slot > 0, slot)).count() as u32;
        let inside = [Span { first: 4, last: 59 }; 3];
        let look = |blocks: &Blocks<3>| blocks.visit(0, &(0..opened), inside, |_, _| panic!("all of them are empty"));
        blocks.finish(cells.len(), std::iter::once((0..opened, 64.0)));
        let with_tiers = look(&blocks);
        assert_eq!(with_tiers.in_range, 28 * 28 * 28);
        assert!(50 * with_tiers.done < with_tiers.in_range, "{with_tiers:?}");
        blocks.finish(cells.len(), std::iter::once((0..opened, 1.0)));
        assert!(look(&blocks).done > 5000, "{:?}", look(&blocks));
    }

    #[test]
    fn images_of_a_box_are_its_parts_in_each_period() {
        let axes = [CellAxis::periodic(1.0, 0.0, 3.0), CellAxis::open(1.0, 0.0, 5.0)];
        let mut parts = Vec::new();
        let spans = [Span { first: -1, last: 3 }, Span { first: 2, last: 9 }];
        for_each_image(&axes, spans, |shift, spans| {
            parts.push((shift[0], spans[0].first, spans[0].last, spans[1].last))
        });
        assert_eq!(parts, [(-1, 2, 2, 5), (0, 0, 2, 5), (1, 0, 0, 5)]);
    }
}
