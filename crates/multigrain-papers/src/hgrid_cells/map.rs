//! The bodies of a snapshot in their cells, sorted by cell.

use super::blocks::Blocks;
use super::cell_order::CellOrder;
use multigrain::Levels;
use multigrain::Snapshot;
use multigrain::grid::{CellAxis, Images};
use multigrain::limits::MAX_CELLS_PER_OPEN_AXIS;
use rayon::prelude::*;
use std::ops::Range;

/// Bodies per task of passes over all of them.
const TASK: usize = 1 << 14;

/// All bodies, sorted by level and cell, and a hash of the occupied cells.
#[derive(Debug, Clone)]
pub(super) struct OccupiedCells<const D: usize> {
    pub images: Images<D>,
    /// From fine to coarse.
    pub levels: Vec<LevelMap<D>>,
    /// Occupied cells.
    pub blocks: Blocks<D>,
    /// Bodies by slot.
    pub bodies: Vec<MappedBody<D>>,
    /// Bound along each axis on the rounding of images across borders; and, where bodies lie outside the box, of stored
    /// centers.
    pub slack: [f64; D],
    pub slack_inside: bool,
    order: CellOrder<D>,
    words: Vec<u64>,
    spare: Vec<u64>,
}

/// One level of a [`OccupiedCells`].
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
    /// Blocks with occupied cells.
    pub blocks: Range<u32>,
}

/// A body as given.
#[derive(Debug, Clone, Copy)]
pub(super) struct MappedBody<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
}

impl<const D: usize> Default for OccupiedCells<D> {
    fn default() -> Self {
        Self {
            images: Images::default(),
            levels: Vec::new(),
            blocks: Blocks::default(),
            bodies: Vec::new(),
            slack: [0.0; D],
            slack_inside: false,
            order: CellOrder::default(),
            words: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl<const D: usize> OccupiedCells<D> {
    /// Takes over the bodies of a snapshot. It ends soon after `stop` says so; the map is then not whole, and this false.
    pub fn fill(&mut self, levels: &Levels, now: &Snapshot<'_, D>, stop: &dyn Fn() -> bool) -> bool {
        self.images.update(now);
        self.slack = now.rounding_slack().map(|slack| 2.0 * slack);
        self.slack_inside = self.images.any_outside();
        self.lay_out(levels, now);
        self.sort(now);
        if stop() {
            return false;
        }
        self.gather(now);
        self.find_cells(stop)
    }

    /// Level and cell of the body in `slot`.
    pub fn cell_of(&self, slot: usize) -> (usize, [i64; D]) {
        let word = self.words[slot];
        let level = self.order.level(word);
        if self.order.is_exact() {
            return (level, self.order.cell(word));
        }
        let MappedBody { id, center, .. } = self.bodies[slot];
        (level, self.levels[level].cell_at(self.images.stored_center(id as usize, center)))
    }

    /// The cells of each level: as given, the coarsest grown to hold the largest body, stretched along periodic axes.
    fn lay_out(&mut self, levels: &Levels, now: &Snapshot<'_, D>) {
        let domain = now.domain();
        let largest = now.extent().max_radius + now.margin() / 2.0;
        let grown = levels.clone().grown_to(largest);
        let extents = self.extents(&grown, now);
        self.levels.clear();
        for (level, (lo, hi)) in grown.as_slice().iter().zip(extents) {
            let size = level.cell_size;
            let axes: [CellAxis; D] = std::array::from_fn(|axis| match domain.is_periodic(axis) {
                true => {
                    // Bodies are stored in the box, and look for partners from there.
                    let length = domain.length(axis);
                    let periods = (now.largest_reach() + size + 2.0 * self.slack[axis]) / length + 2.0;
                    CellAxis::periodic_nearby(size, domain.lo()[axis], length, periods)
                }
                false => CellAxis::open(size, lo[axis], hi[axis]),
            });
            let reaches = axes.iter().zip(self.slack).map(|(axis, slack)| axis.size() - slack);
            let stencil_reach = reaches.fold(f64::INFINITY, f64::min);
            let max_radius = level.max_radius;
            self.levels.push(LevelMap { axes, max_radius, largest: 0.0, stencil_reach, bodies: 0, blocks: 0..0 });
        }
    }

    /// Bounds of stored centers on each level: those of all bodies, unless the finest cells would have to grow for them.
    fn extents(&self, levels: &Levels, now: &Snapshot<'_, D>) -> Vec<([f64; D], [f64; D])> {
        let (lo, hi) = self.images.stored_extent(now);
        let open = (0..D).filter(|&axis| !now.domain().is_periodic(axis));
        let widest = open.map(|axis| hi[axis] - lo[axis]).fold(0.0, f64::max);
        let finest = levels.as_slice()[0].cell_size;
        if widest / finest < 0.9 * MAX_CELLS_PER_OPEN_AXIS {
            return vec![(lo, hi); levels.as_slice().len()];
        }
        let mut extents = vec![([f64::INFINITY; D], [f64::NEG_INFINITY; D]); levels.as_slice().len()];
        for (body, (&center, radius)) in now.centers().iter().zip(now.radii()).enumerate() {
            let stored = self.images.stored_center(body, center);
            let (lo, hi) = &mut extents[levels.level_of(radius + now.margin() / 2.0)];
            for axis in 0..D {
                lo[axis] = lo[axis].min(stored[axis]);
                hi[axis] = hi[axis].max(stored[axis]);
            }
        }
        // A level without bodies may lie anywhere.
        extents.into_iter().map(|(lo, hi)| if lo[0] <= hi[0] { (lo, hi) } else { ([0.0; D], [0.0; D]) }).collect()
    }

    /// Sorts words that name all bodies by level and cell.
    fn sort(&mut self, now: &Snapshot<'_, D>) {
        self.order.update(now.len(), self.levels.iter().map(|level| &level.axes));
        let half_margin = now.margin() / 2.0;
        let (levels, images, order) = (&self.levels, &self.images, &self.order);
        let level_of = |body: usize| {
            let radius = now.radii()[body] + half_margin;
            levels[..levels.len() - 1].partition_point(|level| level.max_radius < radius)
        };
        let cell_of =
            |body: usize, level: usize| levels[level].cell_at(images.stored_center(body, now.centers()[body]));
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
        self.bodies.resize(now.len(), MappedBody { center: [0.0; D], radius: 0.0, id: 0 });
        let order = &self.order;
        (&mut self.bodies, &self.words).into_par_iter().with_min_len(TASK).for_each(|(slot, &word)| {
            let body = order.body(word);
            *slot = MappedBody { center: now.centers()[body], radius: now.radii()[body], id: body as u32 };
        });
    }

    /// Finds the cells of the sorted bodies; false if it was stopped.
    fn find_cells(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.blocks.clear();
        let mut last = None;
        for slot in 0..self.bodies.len() {
            if slot % TASK == 0 && stop() {
                return false;
            }
            let (number, place) = self.cell_of(slot);
            let level = &mut self.levels[number];
            if last != Some((number, place)) {
                last = Some((number, place));
                level.blocks.end += u32::from(self.blocks.push(place, level.bodies > 0, slot as u32));
            }
            level.bodies += 1;
            level.largest = level.largest.max(self.bodies[slot].radius);
        }
        let mut end = 0;
        for level in &mut self.levels {
            level.blocks = end..end + level.blocks.end;
            end = level.blocks.end;
        }
        let size = |level: &LevelMap<D>| level.axes.iter().map(|axis| axis.size()).fold(0.0, f64::max);
        let coarsest = self.levels.last().map_or(0.0, size);
        let levels = self.levels.iter().map(|level| (level.blocks.clone(), coarsest / size(level)));
        self.blocks.finish(self.bodies.len(), levels);
        true
    }
}

impl<const D: usize> LevelMap<D> {
    /// The cell of a point as stored.
    #[inline]
    fn cell_at(&self, stored: [f64; D]) -> [i64; D] {
        std::array::from_fn(|axis| self.axes[axis].cell_of(stored[axis]))
    }
}
