//! The bodies of a snapshot in their cells: sorted by cell, cells found by hash.

use super::cell_order::CellOrder;
use crate::detectors::toolkit::{CellAxis, HashIndex, Images, OccupiedCells, hash_cell};
use crate::levels::Levels;
use crate::snapshot::Snapshot;
use rayon::prelude::*;
use std::ops::Range;

/// Bodies per task of passes over all of them.
const TASK: usize = 1 << 14;

/// All bodies, sorted by level and cell, and a hash of the occupied cells.
#[derive(Debug, Clone, Default)]
pub(super) struct CellMap<const D: usize> {
    pub images: Images<D>,
    /// From fine to coarse.
    pub levels: Vec<LevelMap<D>>,
    /// Occupied cells, level after level, and one more where the bodies end.
    pub cells: Vec<Cell<D>>,
    /// Bodies by slot.
    pub bodies: Vec<Body<D>>,
    /// Steps to the half of the neighbouring cells that comes behind a cell.
    pub forward: Vec<[i64; D]>,
    /// Bound on the rounding of images across borders; and of stored centers, where bodies lie outside the box.
    pub slack: f64,
    pub slack_inside: f64,
    index: HashIndex,
    order: CellOrder<D>,
    words: Vec<u64>,
    spare: Vec<u64>,
}

/// One level of a [`CellMap`].
#[derive(Debug, Clone)]
pub(super) struct LevelMap<const D: usize> {
    pub axes: [CellAxis; D],
    /// Largest radius, half the margin included, of bodies that belong here.
    max_radius: f64,
    /// Largest radius of the bodies that are here.
    pub largest: f64,
    /// Partners within this reach surely lie in the same or in neighbouring cells.
    pub stencil_reach: f64,
    /// Number of bodies.
    pub bodies: usize,
    /// Occupied cells.
    pub cells: Range<u32>,
}

/// A body as given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
}

/// An occupied cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<const D: usize> {
    pub place: [u32; D],
    /// Slot of its first body.
    pub start: u32,
}

impl<const D: usize> CellMap<D> {
    /// Takes over the bodies of a snapshot.
    pub fn fill(&mut self, levels: &Levels, now: &Snapshot<'_, D>) {
        self.images.update(now);
        self.slack = 2.0 * now.rounding_slack();
        self.slack_inside = if self.images.any_outside() { self.slack } else { 0.0 };
        if self.forward.is_empty() {
            self.forward.extend((stencil_cells::<D>() / 2 + 1..stencil_cells::<D>()).map(stencil_step));
        }
        self.lay_out(levels, now);
        self.sort(now);
        self.gather(now);
        self.find_cells();
    }

    /// Slots of the bodies of a cell.
    #[inline]
    pub fn bodies_of(&self, cell: u32) -> Range<usize> {
        self.cells[cell as usize].start as usize..self.cells[cell as usize + 1].start as usize
    }

    /// The occupied cell of `level` at `place`.
    #[inline]
    pub fn find(&self, level: usize, place: [i64; D]) -> Option<u32> {
        let cells = &self.levels[level].cells;
        self.index.find(hash_cell(level as u64, place), |cell| {
            self.cells[cell as usize].place == place.map(|along| along as u32) && cells.contains(&cell)
        })
    }

    /// The cells of each level: as given, the coarsest grown to hold the largest body, stretched along periodic axes.
    fn lay_out(&mut self, levels: &Levels, now: &Snapshot<'_, D>) {
        let domain = now.domain();
        let (lo, hi) = self.images.stored_extent(now);
        let largest = now.extent().max_radius + now.contact_margin() / 2.0;
        self.levels.clear();
        for (number, level) in levels.as_slice().iter().enumerate() {
            let is_last = number + 1 == levels.as_slice().len();
            let max_radius = if is_last { level.max_radius.max(largest) } else { level.max_radius };
            let size = level.cell_size.max(2.0 * max_radius);
            let axes: [CellAxis; D] = std::array::from_fn(|axis| match domain.is_periodic(axis) {
                true => CellAxis::periodic(size, domain.lo()[axis], domain.length(axis)),
                false => CellAxis::open(size, lo[axis], hi[axis]),
            });
            let smallest = axes.iter().map(CellAxis::size).fold(f64::INFINITY, f64::min);
            let stencil_reach = smallest - self.slack;
            self.levels.push(LevelMap { axes, max_radius, largest: 0.0, stencil_reach, bodies: 0, cells: 0..0 });
        }
    }

    /// Sorts words that name all bodies by level and cell.
    fn sort(&mut self, now: &Snapshot<'_, D>) {
        self.order.update(now.len(), self.levels.iter().map(|level| &level.axes));
        let half_margin = now.contact_margin() / 2.0;
        let (levels, images, order) = (&self.levels, &self.images, &self.order);
        let level_of = |body: usize| {
            let radius = now.radii()[body] + half_margin;
            levels[..levels.len() - 1].partition_point(|level| level.max_radius < radius)
        };
        let cell_of = |body: usize, level: usize| {
            let center = images.stored_center(body, now.centers()[body]);
            std::array::from_fn(|axis| levels[level].axes[axis].cell_of(center[axis]) as u32)
        };
        self.words.resize(now.len(), 0);
        self.words.par_iter_mut().enumerate().with_min_len(TASK).for_each(|(body, word)| {
            let level = level_of(body);
            *word = order.word(body, level, cell_of(body, level));
        });
        order.sort(&mut self.words, &mut self.spare);
        order.refine(&mut self.words, |body| cell_of(body, level_of(body)));
    }

    /// Brings the bodies into the order of the words.
    fn gather(&mut self, now: &Snapshot<'_, D>) {
        self.bodies.resize(now.len(), Body { center: [0.0; D], radius: 0.0, id: 0 });
        let order = &self.order;
        (&mut self.bodies, &self.words).into_par_iter().with_min_len(TASK).for_each(|(slot, &word)| {
            let body = order.body(word);
            *slot = Body { center: now.centers()[body], radius: now.radii()[body], id: body as u32 };
        });
    }

    /// Finds where cells begin among the sorted bodies, and hashes them.
    fn find_cells(&mut self) {
        self.cells.clear();
        let is_exact = self.order.is_exact();
        let mut last = None;
        for (slot, &word) in self.words.iter().enumerate() {
            let number = self.order.level(word);
            let level = &mut self.levels[number];
            let place = if is_exact {
                self.order.cell(word)
            } else {
                let Body { id, center, .. } = self.bodies[slot];
                let center = self.images.stored_center(id as usize, center);
                std::array::from_fn(|axis| level.axes[axis].cell_of(center[axis]) as u32)
            };
            if last != Some((number, place)) {
                last = Some((number, place));
                self.cells.push(Cell { place, start: slot as u32 });
                level.cells.end += 1;
            }
            level.bodies += 1;
            level.largest = level.largest.max(self.bodies[slot].radius);
        }
        let mut end = 0;
        for level in &mut self.levels {
            level.cells = end..end + level.cells.end;
            end = level.cells.end;
        }
        self.index.clear_for(self.cells.len());
        for (number, level) in self.levels.iter().enumerate() {
            for cell in level.cells.clone() {
                let place = self.cells[cell as usize].place.map(i64::from);
                self.index.insert(hash_cell(number as u64, place), cell);
            }
        }
        self.cells.push(Cell { place: [0; D], start: self.words.len() as u32 });
    }
}

/// Cells of the whole stencil around a cell, itself included. The one in the middle is the cell itself.
pub(super) const fn stencil_cells<const D: usize>() -> u64 {
    3u64.pow(D as u32)
}

/// The step from a cell to one of its stencil, x fastest.
pub(super) fn stencil_step<const D: usize>(mut number: u64) -> [i64; D] {
    std::array::from_fn(|_| {
        let step = (number % 3) as i64 - 1;
        number /= 3;
        step
    })
}

/// The cells of one level of a map, numbered from 0.
pub(super) struct LevelCells<'a, const D: usize> {
    pub map: &'a CellMap<D>,
    pub level: usize,
}

impl<const D: usize> LevelCells<'_, D> {
    #[inline]
    pub fn first(&self) -> u32 {
        self.map.levels[self.level].cells.start
    }
}

impl<const D: usize> OccupiedCells<D> for LevelCells<'_, D> {
    #[inline]
    fn occupied(&self) -> usize {
        self.map.levels[self.level].cells.len()
    }

    #[inline]
    fn find(&self, place: [i64; D]) -> Option<u32> {
        self.map.find(self.level, place).map(|cell| cell - self.first())
    }

    #[inline]
    fn place(&self, number: usize) -> [i64; D] {
        self.map.cells[self.first() as usize + number].place.map(i64::from)
    }
}
