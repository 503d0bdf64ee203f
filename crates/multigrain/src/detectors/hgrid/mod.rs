//! The hierarchical grid, fast: bodies sorted by cell, rows of cells as contiguous ranges, tests on eight bodies at once.
//! How it works is told in the README of this folder.

mod border;
mod columns;
mod dense;
mod emit;
mod hits;
mod kernel;
mod keys;
mod own_level;
mod real;
mod rows;
mod schedule;
mod search;
mod sort;
mod sparse;
mod waiting;

use crate::detector::{Direction, Layout, Search};
use crate::detectors::toolkit::{Images, SPARSE_IF_CROWDED, SPARSE_IF_GROWN, strays_apart};
use crate::error::Error;
use crate::levels::Levels;
use crate::method::{Build, LevelChoice, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::tuning;
use columns::{Columns, Lanes};
use dense::Dense;
use kernel::Portable;
use keys::{KeySpace, LevelGrid, LevelGrids};
use real::Real;
use rows::{LevelRows, RowIndex};
use schedule::Schedule;
use search::View;
use sort::{Sorter, Target};
use sparse::{RowTable, Sparse};

/// The hierarchical grid: each body on the finest level whose cells hold it, partners on other levels found by range.
///
/// With one level it is the fast form of the linked cell.
#[derive(Debug, Clone)]
pub struct HierarchicalGrid<const D: usize> {
    levels: Levels,
    direction: Direction,
    images: Images<D>,
    /// Lower corner of the stored bodies, and their largest extent or reach.
    origin: [f64; D],
    width: f64,
    grids: LevelGrids<D>,
    particles_per_level: Vec<u64>,
    /// Whether the dense index was crowded when it was last tried; only a hint.
    crowded: bool,
    /// How the bodies of the last search are stored.
    stored: Option<Stored>,
    space: KeySpace<D>,
    ends: Vec<u32>,
    single: Store<f32, D>,
    double: Store<f64, D>,
    table: RowTable<D>,
    schedule: Schedule,
}

/// Sorted bodies in one precision, and the memory of the sort.
#[derive(Debug, Clone)]
struct Store<R, const D: usize> {
    columns: Columns<R, D>,
    sorter: Sorter<R, D>,
    rows: Vec<LevelRows<R, D>>,
}

impl<const D: usize> HierarchicalGrid<D> {
    /// A grid with the given levels. Bodies too large for every level make the coarsest one grow.
    pub fn with_levels(levels: Levels, direction: Direction) -> Self {
        Self {
            levels,
            direction,
            images: Images::default(),
            origin: [0.0; D],
            width: 0.0,
            grids: LevelGrids::default(),
            particles_per_level: Vec::new(),
            crowded: false,
            stored: None,
            space: KeySpace::default(),
            ends: Vec::new(),
            single: Store::new(),
            double: Store::new(),
            table: RowTable::new(),
            schedule: Schedule::default(),
        }
    }

    /// A grid with levels that suit the bodies of `now`.
    pub fn tuned_for(now: Snapshot<'_, D>) -> Result<Self, Error> {
        Self::with_settings(now, &Settings::default())
    }

    /// A grid for the bodies of `now`, as the registry builds it: levels as given, or so many, or those that suit.
    pub fn with_settings(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        Self::build(now, settings)
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
            Some(Stored::Sparse64) => self.table.occupied_rows(),
            Some(Stored::Dense32 | Stored::Dense64) => self.space.occupied_rows(&self.ends),
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
            LevelChoice::Tuned => tuning::choose(&now, None, Some(direction))?,
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
        strays_apart(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        Layout {
            direction: Some(self.direction),
            cell_sizes: self.grids.list.iter().map(|level| level.grid.sizes[D - 1]).collect(),
            particles_per_level: self.particles_per_level.clone(),
        }
    }
}

impl<const D: usize> HierarchicalGrid<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let stored = self.map(&now);
        self.stored = Some(stored);
        sink.mapped();
        let Self { images, grids, space, ends, single, double, table, schedule, direction, origin, width, .. } = self;
        let frame = Frame { now, images, grids, direction: *direction, origin: *origin, width: *width };
        let levels = grids.list.len();
        self.particles_per_level = match stored {
            Stored::Dense32 => {
                let bodies = single.columns.view();
                let index = Dense::new(space, grids, ends);
                frame.search(frame.view(bodies, index, &single.rows), schedule, sink);
                index.particles_per_level(levels)
            }
            Stored::Dense64 => {
                let bodies = double.columns.view();
                let index = Dense::new(space, grids, ends);
                frame.search(frame.view(bodies, index, &double.rows), schedule, sink);
                index.particles_per_level(levels)
            }
            Stored::Sparse64 => {
                let bodies = double.columns.view();
                let index = Sparse { table, grids, cells: bodies.keys };
                frame.search(frame.view(bodies, index, &double.rows), schedule, sink);
                index.particles_per_level(levels)
            }
        };
    }
}

/// How the bodies of a snapshot are stored: by which index, in which precision.
#[derive(Debug, Clone, Copy)]
enum Stored {
    Dense32,
    Dense64,
    Sparse64,
}

impl<const D: usize> HierarchicalGrid<D> {
    /// Sorts the bodies by level and cell.
    fn map(&mut self, now: &Snapshot<'_, D>) -> Stored {
        self.images.update(now);
        let (lo, hi) = self.images.stored_extent(now);
        self.origin = lo;
        self.width = (0..D).fold(now.largest_reach(), |width, axis| width.max(hi[axis] - lo[axis]));
        let levels = self.levels.clone().grown_to(now.largest_reach() / 2.0);
        self.grids = LevelGrids::new(&levels, now, (lo, hi), true);
        let grown =
            |level: &LevelGrid<D>| (level.grid.sizes[D - 1] / level.asked_size).powi(D as i32) > SPARSE_IF_GROWN;
        let any_grown = self.grids.list.iter().any(grown);
        let space = KeySpace::new(&self.grids).filter(|_| !(any_grown && self.crowded));
        if let Some(space) = space {
            self.space = space;
            let Self { images, grids, space, ends, single, double, .. } = self;
            let target = Target { images, grids, space, origin: lo };
            let stored = if blurs_little(self.width, grids) {
                single.sorter.sort(now, &target, &mut single.columns, ends);
                single.take_rows(grids, lo);
                Stored::Dense32
            } else {
                double.sorter.sort(now, &target, &mut double.columns, ends);
                double.take_rows(grids, lo);
                Stored::Dense64
            };
            self.crowded = any_grown && is_crowded(ends);
            if !self.crowded {
                return stored;
            }
        }
        self.grids = LevelGrids::new(&levels, now, (lo, hi), false);
        self.table.fill(now, &self.images, &self.grids, lo, &mut self.double.columns);
        self.double.take_rows(&self.grids, lo);
        Stored::Sparse64
    }
}

/// Whether f32 coordinates are good enough: they blur by up to 2^-24 of the width, here below 2^-7 of a cell, and neither
/// squares of distances nor those of the blur leave the range of f32.
fn blurs_little<const D: usize>(width: f64, grids: &LevelGrids<D>) -> bool {
    let finest = grids.list[0].grid.sizes.into_iter().fold(f64::INFINITY, f64::min);
    width < finest * f64::from(1 << 16) && (1e-12..1e17).contains(&width)
}

/// Whether the cells of bodies hold too many bodies on average, as the bodies see it.
fn is_crowded(ends: &[u32]) -> bool {
    let mut start = 0;
    let mut seen = 0.0;
    for &end in ends {
        let bodies = f64::from(end - start);
        seen += bodies * bodies;
        start = end;
    }
    seen > SPARSE_IF_CROWDED * f64::from(start)
}

impl<R: Real, const D: usize> Store<R, D> {
    fn new() -> Self {
        Self { columns: Columns::new(), sorter: Sorter::new(), rows: Vec::new() }
    }

    fn take_rows(&mut self, grids: &LevelGrids<D>, origin: [f64; D]) {
        self.rows.clear();
        self.rows.extend(grids.list.iter().map(|level| LevelRows::new(level, origin)));
    }
}

/// What is the same for every way the bodies are stored.
struct Frame<'a, const D: usize> {
    now: Snapshot<'a, D>,
    images: &'a Images<D>,
    grids: &'a LevelGrids<D>,
    direction: Direction,
    origin: [f64; D],
    width: f64,
}

impl<'a, const D: usize> Frame<'a, D> {
    fn view<I, R: Real>(&self, bodies: Lanes<'a, R, D>, index: I, rows: &'a [LevelRows<R, D>]) -> View<'a, I, R, D> {
        let Self { now, images, grids, direction, origin, width } = *self;
        let slack = now.rounding_slack().into_iter().fold(0.0, f64::max);
        let blur = 2.0 * width * R::ROUNDING + slack;
        View { now, images, grids, bodies, index, rows, direction, blur, origin }
    }

    /// Searches all bodies, task by task, in parallel where threads are there.
    fn search<I: RowIndex<D> + Copy, R: Run<D>, S: PairSink<D>>(
        &self,
        view: View<'_, I, R, D>,
        schedule: &mut Schedule,
        sink: &mut S,
    ) {
        schedule.fill(&view);
        R::run(view, schedule, sink);
    }
}

/// Does tasks with the best kernel that the processor has for a precision.
trait Run<const D: usize>: Real {
    fn run<I: RowIndex<D> + Copy, S: PairSink<D>>(view: View<'_, I, Self, D>, schedule: &Schedule, sink: &mut S);
}

impl<const D: usize> Run<D> for f32 {
    fn run<I: RowIndex<D> + Copy, S: PairSink<D>>(view: View<'_, I, Self, D>, schedule: &Schedule, sink: &mut S) {
        #[cfg(target_arch = "x86_64")]
        if kernel::Avx512::is_available() {
            return search::run::<kernel::Avx512, I, Self, S, D>(view, schedule, sink);
        }
        #[cfg(target_arch = "x86_64")]
        if kernel::Avx2::is_available() {
            return search::run::<kernel::Avx2, I, Self, S, D>(view, schedule, sink);
        }
        search::run::<Portable, I, Self, S, D>(view, schedule, sink);
    }
}

impl<const D: usize> Run<D> for f64 {
    fn run<I: RowIndex<D> + Copy, S: PairSink<D>>(view: View<'_, I, Self, D>, schedule: &Schedule, sink: &mut S) {
        search::run::<Portable, I, Self, S, D>(view, schedule, sink);
    }
}
