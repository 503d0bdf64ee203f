//! The method that chooses itself: every pair for a handful of bodies, else the hierarchical grid with levels and a
//! direction that suit them.

use super::{BruteForce, HierarchicalGrid};
use crate::detector::{Detector, Direction, Layout, Search};
use crate::dimension::{Axes, Dimension};
use crate::error::Error;
use crate::levels::Levels;
use crate::pairs::Pairs;
use crate::settings::{Build, LevelChoice, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::tuning;

/// Bodies up to which testing every pair is faster than any grid.
const HANDFUL: usize = 48;

/// By what factor what a choice hangs on may change before levels are chosen again.
const CHANGE: f64 = 1.5;

/// Chooses between testing every pair and the hierarchical grid, and the levels of the grid.
///
/// A choice is kept from call to call, and made again when the number of bodies, their largest radius, the space that they
/// fill, the number of pairs or the number of occupied rows has changed by a factor of 1.5.
#[derive(Debug, Clone)]
pub struct Auto<const D: usize> {
    settings: Settings,
    grid: HierarchicalGrid<D>,
    tuned_for: Signs,
    /// What the first search with these levels found, and whether a later one found something else.
    found: Option<Outcome>,
    has_changed: bool,
    searched_all: bool,
}

/// What a choice of levels hangs on, as far as it is known before a search.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Signs {
    bodies: f64,
    largest_reach: f64,
    width: f64,
}

/// What is known after a search, at no cost.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Outcome {
    /// Where the sink knows.
    pairs: Option<f64>,
    occupied_rows: f64,
}

impl Signs {
    fn of<const D: usize>(now: &Snapshot<'_, D>) -> Self {
        let extent = now.extent();
        let width = (0..D).map(|axis| extent.hi[axis] - extent.lo[axis]).fold(0.0, f64::max);
        Self { bodies: now.len() as f64, largest_reach: now.largest_reach(), width }
    }

    fn is_similar_to(&self, other: &Self) -> bool {
        alike(self.bodies, other.bodies)
            && alike(self.largest_reach, other.largest_reach)
            && alike(self.width, other.width)
    }
}

impl Outcome {
    fn is_like(&self, other: &Self) -> bool {
        let pairs = match (self.pairs, other.pairs) {
            // A few pairs more or less say nothing of how bodies are spread.
            (Some(a), Some(b)) => alike(a + FEW_PAIRS, b + FEW_PAIRS),
            _ => true,
        };
        pairs && alike(self.occupied_rows, other.occupied_rows)
    }
}

/// This many pairs come and go by chance.
const FEW_PAIRS: f64 = 64.0;

fn alike(a: f64, b: f64) -> bool {
    a <= CHANGE * b && b <= CHANGE * a
}

impl<const D: usize> Auto<D> {
    /// Whether the levels are left to this method; a given direction is kept.
    fn is_free(&self) -> bool {
        self.settings.levels == LevelChoice::Tuned
    }
}

fn tuned_grid<const D: usize>(now: &Snapshot<'_, D>, settings: &Settings) -> Result<HierarchicalGrid<D>, Error> {
    let (levels, direction) = tuning::choose(now, None, settings.direction)?;
    Ok(HierarchicalGrid::with_free_levels(levels, direction))
}

/// Chooses in its first search.
impl<const D: usize> Default for Auto<D> {
    fn default() -> Self {
        let grid = HierarchicalGrid::with_free_levels(Levels::default(), Direction::default());
        let tuned_for = Signs { bodies: 0.0, largest_reach: 0.0, width: 0.0 };
        Self { settings: Settings::default(), grid, tuned_for, found: None, has_changed: true, searched_all: false }
    }
}

impl<const D: usize> Build<D> for Auto<D> {
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        let grid = match settings.levels {
            LevelChoice::Tuned => tuned_grid(&now, settings)?,
            _ => HierarchicalGrid::build(now, settings)?,
        };
        let (settings, tuned_for) = (settings.clone(), Signs::of(&now));
        Ok(Self { settings, grid, tuned_for, found: None, has_changed: false, searched_all: false })
    }
}

impl<const D: usize> Search<D> for Auto<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.search_all(now, sink);
    }

    fn layout(&self) -> Layout {
        if self.searched_all { Layout::default() } else { Search::layout(&self.grid) }
    }

    fn release(&mut self) {
        Search::release(&mut self.grid);
    }
}

impl<const D: usize> Auto<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.searched_all = self.settings == Settings::default() && now.len() <= HANDFUL;
        if self.searched_all {
            BruteForce.search(now, sink);
            return;
        }
        let signs = Signs::of(&now);
        if self.is_free() && (self.has_changed || !signs.is_similar_to(&self.tuned_for)) {
            // Free settings always give levels; should that ever change, the old levels still find every pair.
            if let Ok(grid) = tuned_grid(&now, &self.settings) {
                self.grid.take_levels_of(grid);
                self.tuned_for = signs;
                self.found = None;
                self.has_changed = false;
            }
        }
        let before = sink.taken();
        self.grid.search(now, sink);
        let pairs = sink.taken().zip(before).map(|(after, before)| (after - before) as f64);
        let found = Outcome { pairs, occupied_rows: self.grid.occupied_rows() as f64 };
        self.has_changed |= !self.found.get_or_insert(found).is_like(&found);
    }
}

/// Every touching pair of the bodies, by the method that suits them.
pub fn find_pairs<const D: usize>(now: Snapshot<'_, D>) -> Pairs<D>
where
    Axes: Dimension<D>,
{
    let mut pairs = Pairs::new();
    Auto::boxed().find_pairs(now, &mut pairs);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::Detector;
    use crate::pairs::Pairs;
    use crate::samples::mixture;
    use crate::system::System;

    #[test]
    fn keeps_its_levels_until_pairs_or_rows_change() {
        let System { mut centers, radii, .. } = mixture(-3.0, 50.0, 0.62, false, 20_000, 1);
        let mut pairs = Pairs::new();
        let mut auto = Auto::build(Snapshot::new(&centers, &radii).unwrap(), &Settings::default()).unwrap();
        auto.find_pairs(Snapshot::new(&centers, &radii).unwrap(), &mut pairs);
        let first = auto.grid.cell_sizes();
        let found = pairs.len();
        for center in &mut centers {
            center[0] += 0.3;
        }
        auto.find_pairs(Snapshot::new(&centers, &radii).unwrap(), &mut pairs);
        assert!(!auto.has_changed);
        assert_eq!(auto.grid.cell_sizes(), first);
        // Everything but two corners falls into one eighth of the box: the bounds stay, pairs and rows do not.
        for center in &mut centers {
            *center = center.map(|x| 0.5 * x);
        }
        centers[0] = [0.0; 3];
        centers[1] = [auto.tuned_for.width; 3];
        auto.find_pairs(Snapshot::new(&centers, &radii).unwrap(), &mut pairs);
        assert!(pairs.len() > 2 * found);
        assert!(auto.has_changed, "{found} and {} pairs", pairs.len());
        assert_eq!(auto.grid.cell_sizes(), first);
        auto.find_pairs(Snapshot::new(&centers, &radii).unwrap(), &mut pairs);
        assert!(!auto.has_changed);
        assert_ne!(auto.grid.cell_sizes(), first);
    }
}
