//! The hierarchical grid, fast: bodies sorted by cell, rows of cells as contiguous ranges, tests on eight bodies at once.

mod columns;
mod kernel;
mod keys;
mod real;
mod rows;
mod search;
mod sort;

use crate::detector::{Direction, Layout, Search};
use crate::detectors::toolkit::Images;
use crate::error::Error;
use crate::levels::Levels;
use crate::method::{Build, LevelChoice, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::threads;
use columns::Columns;
use kernel::{Kernel, Portable};
use keys::{KeySpace, Plan};
use rayon::prelude::*;
use real::Real;
use rows::LevelRows;
use search::{BlockSearch, View};
use sort::Sorter;
use std::ops::Range;

/// Bodies per task of a parallel search.
const TASK: usize = 1 << 12;

/// The hierarchical grid: each body on the finest level whose cells hold it, partners on other levels found by range.
#[derive(Debug, Clone)]
pub struct HierarchicalGrid<const D: usize> {
    levels: Levels,
    direction: Direction,
    images: Images<D>,
    space: KeySpace<D>,
    ends: Vec<u32>,
    single: Store<f32, D>,
    double: Store<f64, D>,
    plan: Plan,
}

/// Sorted bodies in one precision, and the memory of the sort.
#[derive(Debug, Clone)]
struct Store<R, const D: usize> {
    columns: Columns<R, D>,
    sorter: Sorter<R, D>,
    rows: Vec<LevelRows<R, D>>,
}

impl<const D: usize> HierarchicalGrid<D> {
    /// A grid with the given levels.
    pub fn with_levels(levels: Levels, direction: Direction) -> Self {
        let env = |name: &str, default: f64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
        Self {
            levels,
            direction,
            images: Images::default(),
            space: KeySpace::default(),
            ends: Vec::new(),
            single: Store::new(),
            double: Store::new(),
            plan: Plan { columns_per_cell: env("MG_COLUMNS", 1.0) as u32, cells_per_body: env("MG_CELLS", 1.5) },
        }
    }
}

impl<const D: usize> Build<D> for HierarchicalGrid<D> {
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        let levels = match &settings.levels {
            LevelChoice::CellSizes(sizes) => {
                let levels = Levels::from_cell_sizes(sizes)?;
                levels.must_hold(&now)?;
                levels
            }
            _ => Levels::from_cell_sizes(&[now.largest_reach().max(1e-150)])?,
        };
        Ok(Self::with_levels(levels, settings.direction.unwrap_or_default()))
    }
}

impl<const D: usize> Search<D> for HierarchicalGrid<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let bounds = self.images.stored_extent(&now);
        let largest = now.extent().max_radius + now.contact_margin() / 2.0;
        let levels = self.levels.clone().grown_to(largest);
        self.space = KeySpace::new(&levels, &now, bounds, &self.plan);
        let wide = (0..D).fold(now.largest_reach(), |wide, axis| wide.max(bounds.1[axis] - bounds.0[axis]));
        let finest = self.space.levels[0].grid.sizes.into_iter().fold(f64::INFINITY, f64::min);
        // f32 coordinates blur by up to 2^-24 of the width: below 2^-7 of a cell, and no square leaves the range of f32.
        let blurs_little = wide < finest * (1u32 << 16) as f64 && wide < 1e17 && finest > 1e-17;
        let Self { images, space, ends, direction, .. } = self;
        let map = Map { now, images, space, origin: bounds.0, wide, direction: *direction };
        if blurs_little {
            #[cfg(target_arch = "x86_64")]
            if let Some(kernel) = kernel::Avx2::detect() {
                map.search(&mut self.single, ends, kernel, sink);
                return;
            }
            map.search(&mut self.single, ends, Portable, sink);
        } else {
            map.search(&mut self.double, ends, Portable, sink);
        }
    }

    fn layout(&self) -> Layout {
        let mut start = 0;
        let mut particles_per_level = Vec::new();
        for level in &self.space.levels {
            let end = self.ends[level.end as usize - 1];
            particles_per_level.push(u64::from(end - start));
            start = end;
        }
        let cell_sizes = self.space.levels.iter().map(|level| level.grid.sizes[1]).collect();
        Layout { direction: Some(self.direction), cell_sizes, particles_per_level }
    }
}

/// A snapshot and where its bodies go.
struct Map<'a, const D: usize> {
    now: Snapshot<'a, D>,
    images: &'a Images<D>,
    space: &'a KeySpace<D>,
    origin: [f64; D],
    /// The largest extent of the stored centers, or reach.
    wide: f64,
    direction: Direction,
}

impl<const D: usize> Map<'_, D> {
    fn search<R: Real, K: Dispatch<R, D>, S: PairSink<D>>(
        &self,
        store: &mut Store<R, D>,
        ends: &mut Vec<u32>,
        _kernel: K,
        sink: &mut S,
    ) {
        let Self { now, images, space, origin, wide, direction } = *self;
        store.sorter.sort(&now, images, space, origin, &mut store.columns, ends);
        store.rows.clear();
        store.rows.extend(space.levels.iter().map(|level| LevelRows::new(level, origin)));
        sink.mapped();
        let blur = 2.0 * wide * R::ROUNDING + now.rounding_slack();
        let view =
            View { now, images, bodies: store.columns.view(), ends, space, rows: &store.rows, direction, blur, origin };
        let parts = if threads::available() && now.len() > TASK { sink.split() } else { None };
        let Some(first) = parts else {
            K::run(view, 0..now.len(), sink);
            return;
        };
        let tasks = now.len().div_ceil(TASK);
        let mut parts = vec![first];
        parts.extend((1..tasks).map_while(|_| sink.split()));
        parts.par_iter_mut().enumerate().for_each(|(task, part)| {
            K::run(view, task * TASK..((task + 1) * TASK).min(now.len()), part);
        });
        sink.join(parts);
    }
}

impl<R: Real, const D: usize> Store<R, D> {
    fn new() -> Self {
        Self { columns: Columns::new(), sorter: Sorter::new(), rows: Vec::new() }
    }
}

/// Runs a block search with the instructions that its kernel needs.
trait Dispatch<R: Real, const D: usize>: Kernel<R, D> {
    fn run<S: PairSink<D>>(view: View<'_, R, D>, bodies: Range<usize>, sink: &mut S);
}

impl<R: Real, const D: usize> Dispatch<R, D> for Portable {
    fn run<S: PairSink<D>>(view: View<'_, R, D>, bodies: Range<usize>, sink: &mut S) {
        BlockSearch::<Self, R, D>::new(view).search(bodies, sink);
    }
}

#[cfg(target_arch = "x86_64")]
impl<const D: usize> Dispatch<f32, D> for kernel::Avx2 {
    #[allow(unsafe_code)]
    fn run<S: PairSink<D>>(view: View<'_, f32, D>, bodies: Range<usize>, sink: &mut S) {
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn run<S: PairSink<D>, const D: usize>(view: View<'_, f32, D>, bodies: Range<usize>, sink: &mut S) {
            BlockSearch::<kernel::Avx2, f32, D>::new(view).search(bodies, sink);
        }
        // SAFETY: the kernel exists only where `Avx2::detect` found these features.
        unsafe { run(view, bodies, sink) }
    }
}
