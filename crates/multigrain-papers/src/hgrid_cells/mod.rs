//! The hierarchical grid as the papers have it: a hash of occupied cells, searched one by one. Its counted work is theirs.

mod blocks;
mod build;
mod cell_order;
mod crowds;
mod map;
mod search;
#[cfg(test)]
mod tests;
mod tiers;

pub use blocks::LookUps;

use crate::classics::with_strays_removed;
use map::OccupiedCells;
use multigrain::Levels;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::share;
use multigrain::threads;
use multigrain::{Direction, Layout, Search};
use search::BlockSearch;
use std::sync::{Mutex, PoisonError};

/// Bodies per task of a parallel search.
const TASK: usize = 1 << 12;

/// Each body on the finest level whose cells hold it; partners on the same level from its own and half of the
/// neighbouring cells, partners on other levels from all cells in its reach.
///
/// Candidates are the papers' T_cd: pairs before the test of bounding boxes. Cells are their T_ca: for every body its own
/// cell, half of the neighbours and every cell of its ranges on other levels, also where these are empty or lie outside;
/// a range beyond a periodic border is counted once, its cells there being images. Far fewer are looked at: see
/// [`look_ups`](Self::look_ups).
#[derive(Debug)]
pub struct HGridCells<const D: usize> {
    levels: Levels,
    direction: Direction,
    map: OccupiedCells<D>,
    looked: Mutex<[LookUps; 2]>,
}

impl<const D: usize> Clone for HGridCells<D> {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), ..Self::with_levels(self.levels.clone(), self.direction) }
    }
}

impl<const D: usize> HGridCells<D> {
    /// A grid with the given levels. The coarsest grows for snapshots with larger bodies.
    pub fn with_levels(levels: Levels, direction: Direction) -> Self {
        Self { levels, direction, map: OccupiedCells::default(), looked: Mutex::default() }
    }

    /// Blocks of two cells along each axis that the last search had in its ranges, and those that it looked up. Blocks that are
    /// empty because a large body covers them are among the first; how few of them are among the second is what the experiment
    /// `hgrid-covered` counts.
    pub fn look_ups(&self) -> LookUps {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)[0]
    }

    /// Those of them on other levels than a body's own: Top-Down, what large bodies look for among small ones.
    pub fn look_ups_on_other_levels(&self) -> LookUps {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)[1]
    }
}

impl<const D: usize> Search<D> for HGridCells<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        let largest_side = |sizes: [f64; D]| sizes.into_iter().fold(0.0, f64::max);
        Layout {
            direction: Some(self.direction),
            cell_sizes: self.map.levels.iter().map(|level| largest_side(level.axes.map(|axis| axis.size()))).collect(),
            particles_per_level: self.map.levels.iter().map(|level| level.bodies as u64).collect(),
            ..Layout::default()
        }
    }
}

impl<const D: usize> HGridCells<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        if !self.map.fill(&self.levels, &now, sink.stop()) {
            return;
        }
        sink.mapped();
        let (map, direction) = (&self.map, self.direction);
        let looked = &self.looked;
        *looked.lock().unwrap_or_else(PoisonError::into_inner) = Default::default();
        let start = || BlockSearch::new(map, &now, direction);
        share(threads::blocks(now.len(), TASK), sink, start, |search, bodies, sink| {
            let found = search.search(bodies, sink);
            let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
            looked.iter_mut().zip(found).for_each(|(all, found)| *all += found);
        });
    }
}
