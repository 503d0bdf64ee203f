//! The method that chooses itself: every pair for a handful of bodies, else the hierarchical grid with levels that suit
//! them.

use super::{BruteForce, HierarchicalGrid};
use crate::detector::{Layout, Search};
use crate::error::Error;
use crate::method::{Build, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;

/// Bodies up to which testing every pair is faster than any grid.
const HANDFUL: usize = 48;

/// By what factor the number of bodies, their largest radius or the width of the space they fill may change before
/// levels are chosen again.
const CHANGE: f64 = 1.5;

/// Chooses between testing every pair and the hierarchical grid, and the levels of the grid. A choice is kept while the
/// bodies stay alike.
#[derive(Debug, Clone)]
pub struct Auto<const D: usize> {
    settings: Settings,
    grid: HierarchicalGrid<D>,
    tuned_for: Signs,
    searched_all: bool,
}

/// What a choice of levels hangs on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Signs {
    bodies: f64,
    largest_reach: f64,
    width: f64,
}

impl Signs {
    fn of<const D: usize>(now: &Snapshot<'_, D>) -> Self {
        let extent = now.extent();
        let width = (0..D).map(|axis| extent.hi[axis] - extent.lo[axis]).fold(0.0, f64::max);
        Self { bodies: now.len() as f64, largest_reach: now.largest_reach(), width }
    }

    fn is_like(&self, other: &Self) -> bool {
        let alike = |a: f64, b: f64| a <= CHANGE * b && b <= CHANGE * a;
        alike(self.bodies, other.bodies)
            && alike(self.largest_reach, other.largest_reach)
            && alike(self.width, other.width)
    }
}

impl<const D: usize> Build<D> for Auto<D> {
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        let grid = HierarchicalGrid::build(now, settings)?;
        Ok(Self { settings: settings.clone(), grid, tuned_for: Signs::of(&now), searched_all: false })
    }
}

impl<const D: usize> Search<D> for Auto<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let is_free = self.settings == Settings::default();
        self.searched_all = is_free && now.len() <= HANDFUL;
        if self.searched_all {
            BruteForce.search(now, sink);
            return;
        }
        let signs = Signs::of(&now);
        if is_free && !signs.is_like(&self.tuned_for) {
            // Free settings always give levels; should that ever change, the old levels still find every pair.
            if let Ok(grid) = HierarchicalGrid::build(now, &self.settings) {
                self.grid = grid;
                self.tuned_for = signs;
            }
        }
        self.grid.search(now, sink);
    }

    fn layout(&self) -> Layout {
        if self.searched_all { Layout::default() } else { Search::layout(&self.grid) }
    }
}
