//! The hierarchical grid, fast: bodies sorted by cell, rows of cells as contiguous ranges, tests on eight bodies at once.
//! How it works is described in the README of this folder.

mod border;
mod columns;
mod crowds;
mod emit;
mod hits;
mod index;
mod kernel;
mod keys;
mod memory;
mod own_level;
mod regions;
mod rows;
mod schedule;
mod search;
mod sort;
mod waiting;

use crate::detector::{Direction, Layout, Search};
use crate::error::Error;
use crate::grid::Images;
use crate::levels::Levels;
use crate::settings::{Build, LevelChoice, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::tuning;
use columns::Columns;
use index::Index;
use kernel::{Chosen, Kernel};
use keys::{KeySpace, LevelGrid, LevelGrids};
use memory::Memories;
use regions::Regions;
use rows::LevelRows;
use schedule::Schedule;
use search::View;
use sort::Sorter;

/// The hierarchical grid: each body on the finest level whose cells hold it, partners on other levels found by range.
///
/// With one level it is the fast form of the linked cell.
#[derive(Debug, Clone)]
pub struct HierarchicalGrid<const D: usize> {
    levels: Levels,
    direction: Direction,
    images: Images<D>,
    /// Lower corner of the stored bodies.
    origin: [f64; D],
    grids: LevelGrids<D>,
    particles_per_level: Vec<u64>,
    /// Whether levels are its own choice, so that it may choose others for parts of space.
    is_free: bool,
    /// Whether one grid for all is tried first.
    tries_one_grid: bool,
    /// Whether cells were crowded when one grid for all was last tried, and how many searches ago; only a hint.
    crowded: bool,
    crowded_for: u32,
    /// How the bodies of the last search are stored.
    stored: Option<Stored>,
    space: KeySpace<D>,
    ends: Vec<u32>,
    columns: Columns<D>,
    sorter: Sorter<D>,
    rows: Vec<LevelRows<D>>,
    schedule: Schedule,
    regions: Regions<D>,
    memories: Memories<D>,
    /// What bodies are tested with.
    kernel: Chosen,
}

impl<const D: usize> HierarchicalGrid<D> {
    /// A grid with the given levels. Bodies too large for every level make the coarsest one grow.
    pub fn with_levels(levels: Levels, direction: Direction) -> Self {
        Self {
            levels,
            direction,
            images: Images::default(),
            origin: [0.0; D],
            grids: LevelGrids::default(),
            particles_per_level: Vec::new(),
            is_free: false,
            tries_one_grid: true,
            crowded: false,
            crowded_for: 0,
            stored: None,
            space: KeySpace::default(),
            ends: Vec::new(),
            columns: Columns::new(),
            sorter: Sorter::new(),
            rows: Vec::new(),
            schedule: Schedule::default(),
            regions: Regions::new(),
            memories: Memories::default(),
            kernel: Chosen::best(),
        }
    }

    /// A grid with levels that were chosen for its bodies: where these are spread unevenly it may choose others.
    pub(crate) fn with_free_levels(levels: Levels, direction: Direction) -> Self {
        Self { is_free: true, ..Self::with_levels(levels, direction) }
    }

    /// A grid with levels that suit the bodies of `now`.
    pub fn tuned_for(now: Snapshot<'_, D>) -> Result<Self, Error> {
        Self::with_settings(now, &Settings::default())
    }

    /// A grid for the bodies of `now`, as the registry builds it: levels as given, or this many, or those that suit.
    pub fn with_settings(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        Self::build(now, settings)
    }

    /// The same grid with the kernel of that name (`portable`, `avx2`, `avx512`), if this processor can run it. Pairs are the
    /// same with every kernel; for tests and measurements.
    #[doc(hidden)]
    pub fn with_kernel(self, name: &str) -> Option<Self> {
        Chosen::named(name).map(|kernel| Self { kernel, ..self })
    }

    /// The levels, as asked for.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Goes on with the levels and the direction of another grid; memory is kept.
    pub(crate) fn take_levels_of(&mut self, other: Self) {
        self.levels = other.levels;
        self.direction = other.direction;
        self.crowded = false;
    }

    /// Rows of cells that held bodies in the last search.
    pub(crate) fn occupied_rows(&self) -> usize {
        match self.stored {
            None => 0,
            Some(Stored::Regions) => self.regions.len(),
            Some(Stored::OneGrid) => self.space.occupied_rows(&self.ends),
        }
    }

    /// Cell size of each level, as asked for.
    pub fn cell_sizes(&self) -> Vec<f64> {
        self.levels.as_slice().iter().map(|level| level.cell_size).collect()
    }
}

impl<const D: usize> Build<D> for HierarchicalGrid<D> {
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        let direction = settings.direction.unwrap_or_default();
        let (levels, direction) = match &settings.levels {
            LevelChoice::Tuned => {
                let (levels, direction) = tuning::choose(&now, None, Some(direction))?;
                return Ok(Self::with_free_levels(levels, direction));
            }
            LevelChoice::Count(count) => tuning::choose(&now, Some(*count), Some(direction))?,
            LevelChoice::CellSizes(sizes) => {
                let levels = Levels::from_cell_sizes(sizes)?;
                levels.must_hold(&now)?;
                (levels, direction)
            }
        };
        Ok(Self::with_levels(levels, direction))
    }
}

impl<const D: usize> Search<D> for HierarchicalGrid<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let stored = self.map(&now);
        self.stored = Some(stored);
        sink.mapped();
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Chosen::Avx512(kernel) => self.search_stored(kernel, now, stored, sink),
            #[cfg(target_arch = "x86_64")]
            Chosen::Avx2(kernel) => self.search_stored(kernel, now, stored, sink),
            Chosen::Portable(kernel) => self.search_stored(kernel, now, stored, sink),
        }
    }

    fn layout(&self) -> Layout {
        if let Some(Stored::Regions) = self.stored {
            return self.regions.layout(self.direction, !self.is_free);
        }
        Layout {
            direction: Some(self.direction),
            cell_sizes: self.grids.list.iter().map(|level| level.grid.sizes[D - 1]).collect(),
            particles_per_level: self.particles_per_level.clone(),
            regions: 0,
        }
    }

    /// Bodies sorted by cell, and what they were sorted with: most of what a search of many takes.
    fn release(&mut self) {
        self.ends = Vec::new();
        self.columns = Columns::new();
        self.sorter = Sorter::new();
    }
}

/// How the bodies of a snapshot are stored.
#[derive(Debug, Clone, Copy)]
enum Stored {
    /// One grid for all.
    OneGrid,
    /// A grid for each part of space.
    Regions,
}

impl<const D: usize> HierarchicalGrid<D> {
    /// Searches the sorted bodies with a kernel that the processor has.
    fn search_stored<K: Kernel<D>, S: PairSink<D>>(
        &mut self,
        kernel: K,
        now: Snapshot<'_, D>,
        stored: Stored,
        sink: &mut S,
    ) {
        let Self { images, grids, space, ends, columns, rows, schedule, regions, direction, origin, memories, .. } =
            self;
        let bodies = columns.view();
        let (direction, origin) = (*direction, *origin);
        match stored {
            Stored::OneGrid => {
                let index = Index::new(&space.levels, &grids.list, ends);
                let view = View { now, images, grids: &grids.list, bodies, index, rows, direction, origin };
                schedule.fill(&view);
                search::run(kernel, view, schedule, memories, sink);
                self.particles_per_level.clear();
                self.particles_per_level.extend(index.particles_per_level());
            }
            Stored::Regions => {
                let index = regions.index(ends);
                let (grids, rows) = (&regions.grids[..], &regions.rows[..]);
                let view = View { now, images, grids, bodies, index, rows, direction, origin };
                regions.search(kernel, view, memories, sink);
            }
        }
    }

    /// Sorts the bodies by level and cell.
    fn map(&mut self, now: &Snapshot<'_, D>) -> Stored {
        self.images.update(now);
        self.crowded_for += 1;
        let is_known = self.is_free && self.crowded && self.crowded_for < TRY_AGAIN;
        if self.tries_one_grid && !is_known && self.map_to_one_grid(now) {
            return Stored::OneGrid;
        }
        let given = (!self.is_free).then(|| self.levels.clone().grown_to(now.largest_reach() / 2.0));
        self.regions.fill(now, &self.images, given.as_ref(), &mut self.columns, &mut self.ends);
        Stored::Regions
    }

    /// Sorts the bodies into one grid for all; `false` if bodies are spread too unevenly for that.
    fn map_to_one_grid(&mut self, now: &Snapshot<'_, D>) -> bool {
        let (lo, hi) = self.images.stored_extent(now);
        self.origin = lo;
        let width = (0..D).fold(now.largest_reach(), |width, axis| width.max(hi[axis] - lo[axis]));
        let slack = now.image_slack().into_iter().fold(0.0, f64::max);
        let blur = 2.0 * width * f64::from(f32::EPSILON) + slack;
        self.grids.lay_out(&self.levels, now, (lo, hi), blur);
        let grown = |level: &LevelGrid<D>| (level.grid.sizes[D - 1] / level.asked_size).powi(D as i32) > MAX_GROWN;
        let any_grown = self.grids.list.iter().any(grown);
        let is_thin = self.is_free && meets_many_images(&self.images, &self.grids);
        if !f32_suffices(width, blur, &self.grids) || is_thin || any_grown && self.crowded {
            return false;
        }
        if !self.space.fill(&self.grids) {
            return false;
        }
        let Self { images, grids, space, ends, columns, sorter, rows, .. } = self;
        sorter.sort(now, &sort::SortTarget { images, grids, space, origin: lo }, columns, ends);
        rows.clear();
        rows.extend(grids.list.iter().map(|level| LevelRows::new(level, lo)));
        let may_be_crowded = self.is_free || any_grown;
        self.crowded = may_be_crowded && crowds::are_crowded(&space.levels, grids, ends, columns.view());
        self.crowded_for = 0;
        !self.crowded
    }
}

/// Cells may grow by this factor, in volume, for an array of all of them, before given levels are asked whether they are crowded.
const MAX_GROWN: f64 = 4.0;

/// Searches after which crowded cells are tried again.
const TRY_AGAIN: u32 = 64;

/// Whether f32 coordinates are good enough: they blur by up to 2^-24 of the width, here below 2^-7 of a cell, and neither
/// squares of distances nor those of the blur leave the range of f32. Rounding in a periodic box adds little to that.
fn f32_suffices<const D: usize>(width: f64, blur: f64, grids: &LevelGrids<D>) -> bool {
    let finest = grids.list[0].grid.sizes.into_iter().fold(f64::INFINITY, f64::min);
    width < finest * f64::from(1 << 16) && (1e-12..1e17).contains(&width) && blur < width
}

/// Whether most bodies are so near a periodic border that they meet images. Regions look across borders together, bodies of
/// one grid each by itself.
fn meets_many_images<const D: usize>(images: &Images<D>, grids: &LevelGrids<D>) -> bool {
    let near = |axis: usize| images.period(axis).map_or(0.0, |length| 2.0 * grids.list[0].grid.sizes[axis] / length);
    (0..D).any(|axis| near(axis) > 0.5)
}
