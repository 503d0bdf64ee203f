//! In which order the search goes through space: part by part, so that bodies that search a level find it in the cache.
//!
//! The rows of a level are cut into tiles, each a few neighbouring rows along y and z. The bodies of a tile first search
//! among themselves; then those bodies of other levels that reach into the tile search it, and nothing but it. So what a
//! tile holds is fetched from memory once. Only the bodies decide where is cut: the same bodies are always searched in
//! the same order.

use super::search::View;
use std::ops::{Range, RangeInclusive};

/// Bodies per tile, about: with what they touch they fit the second-level cache.
const TILE: usize = 1 << 14;

/// Bodies of a job that search their own level, at most.
const MAX_OWN_JOB: usize = 1 << 12;

/// Bodies of a job that search another level, at most; each of them searches much more.
const MAX_OTHER_JOB: usize = 1 << 8;

/// All the work of a search, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Schedule {
    jobs: Vec<Job>,
    /// Where the jobs of each task end. A task is done by one thread.
    task_ends: Vec<usize>,
}

/// Some consecutive bodies of one level, and where they search.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub level: usize,
    pub bodies: Range<usize>,
    pub aim: Aim,
}

/// Where bodies search.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// Among later bodies of their own level, and across periodic borders.
    OwnLevel,
    /// In some rows of another level.
    Level(usize, Window),
}

/// Some rows of a level, by their cells along y and z, the last included. In the plane there is one z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub first: [u32; 2],
    pub last: [u32; 2],
}

impl Window {
    /// All rows.
    pub const ALL: Self = Self { first: [0; 2], last: [u32::MAX; 2] };

    /// Those of the cells along y (`axis` 0) or z (`axis` 1) that are inside.
    #[inline(always)]
    pub fn clip(&self, axis: usize, cells: RangeInclusive<u32>) -> RangeInclusive<u32> {
        self.first[axis].max(*cells.start())..=self.last[axis].min(*cells.end())
    }
}

impl Schedule {
    /// Lays out the search of all bodies.
    pub fn fill<const D: usize>(&mut self, view: &View<'_, D>) {
        self.jobs.clear();
        for level in 0..view.grids.len() {
            self.add_tiles(view, level);
        }
        self.cut_into_tasks();
    }

    /// The jobs of each task.
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = &[Job]> {
        (0..self.task_ends.len()).map(|k| {
            let start = if k == 0 { 0 } else { self.task_ends[k - 1] };
            &self.jobs[start..self.task_ends[k]]
        })
    }

    /// Cuts the rows of a level into tiles: slabs of planes, each cut where enough bodies are together.
    fn add_tiles<const D: usize>(&mut self, view: &View<'_, D>, level: usize) {
        let [rows, planes] = rows_and_planes(view, level);
        let bodies_per_row = view.index.level(level).len() as f64 / f64::from(rows) / f64::from(planes);
        let thickness = (TILE as f64 / bodies_per_row).sqrt().clamp(1.0, f64::from(planes)) as u32;
        for plane in (0..planes).step_by(thickness as usize) {
            let slab = plane..(plane + thickness).min(planes);
            let (mut first, mut bodies) = (0, 0);
            for row in 0..rows {
                bodies += slab.clone().map(|plane| bodies_of(view, level, plane, row, row).len()).sum::<usize>();
                if bodies >= TILE || row + 1 == rows {
                    let tile = Window { first: [first, slab.start], last: [row, slab.end - 1] };
                    if bodies > 0 {
                        self.add_tile(view, level, tile);
                    }
                    (first, bodies) = (row + 1, 0);
                }
            }
        }
    }

    /// The bodies of a tile search among themselves, those of other levels search the tile.
    fn add_tile<const D: usize>(&mut self, view: &View<'_, D>, level: usize, tile: Window) {
        self.add_jobs(view, level, tile, Aim::OwnLevel);
        let levels = view.grids.len();
        for other in (0..levels).filter(|&other| view.direction.partners(other, levels).contains(&level)) {
            if let Some(window) = in_reach(view, level, tile, other) {
                self.add_jobs(view, other, window, Aim::Level(level, tile));
            }
        }
    }

    /// The bodies of some rows of a level search.
    fn add_jobs<const D: usize>(&mut self, view: &View<'_, D>, level: usize, window: Window, aim: Aim) {
        let mut run = 0..0;
        for plane in window.first[1]..=window.last[1] {
            let bodies = bodies_of(view, level, plane, window.first[0], window.last[0]);
            if bodies.start == run.end {
                run.end = bodies.end;
            } else {
                self.add_run(level, std::mem::replace(&mut run, bodies), aim);
            }
        }
        self.add_run(level, run, aim);
    }

    /// Some consecutive bodies search.
    fn add_run(&mut self, level: usize, run: Range<usize>, aim: Aim) {
        let max = if matches!(aim, Aim::OwnLevel) { MAX_OWN_JOB } else { MAX_OTHER_JOB };
        let starts = run.clone().step_by(max);
        self.jobs.extend(starts.map(|start| Job { level, bodies: start..run.end.min(start + max), aim }));
    }

    /// Puts jobs together into tasks of similar size.
    fn cut_into_tasks(&mut self) {
        self.task_ends.clear();
        let mut load = 0;
        for (k, job) in self.jobs.iter().enumerate() {
            let weight = if matches!(job.aim, Aim::OwnLevel) { 1 } else { MAX_OWN_JOB / MAX_OTHER_JOB };
            let bodies = job.bodies.len() * weight;
            if load > 0 && load + bodies > MAX_OWN_JOB {
                self.task_ends.push(k);
                load = 0;
            }
            load += bodies;
        }
        self.task_ends.extend((!self.jobs.is_empty()).then_some(self.jobs.len()));
    }
}

/// Number of rows in a plane, and of planes, of a level.
fn rows_and_planes<const D: usize>(view: &View<'_, D>, level: usize) -> [u32; 2] {
    let counts = view.grids[level].grid.counts;
    [counts[1], if D == 3 { counts[D - 1] } else { 1 }]
}

/// The bodies in the rows `first..=last` of one plane of a level: neighbours in the sorted order.
fn bodies_of<const D: usize>(view: &View<'_, D>, level: usize, plane: u32, first: u32, last: u32) -> Range<usize> {
    let last_cell = view.grids[level].grid.counts[0] - 1;
    let row = |row: u32| {
        let mut cell = [0; D];
        cell[D - 1] = plane;
        cell[1] = row;
        view.index.bodies_of(view.index.row(level, cell, 0, last_cell))
    };
    row(first).start..row(last).end
}

/// The rows of level `other` whose bodies may touch bodies in a tile of `level`.
fn in_reach<const D: usize>(view: &View<'_, D>, level: usize, tile: Window, other: usize) -> Option<Window> {
    let (own, others) = (&view.grids[level], &view.grids[other]);
    let (reach, slack) = (own.max_radius + others.max_radius + own.blur, view.now.rounding_slack());
    let (own, others) = (&own.grid, &others.grid);
    let (own_lo, _) = own.bounds();
    let (lo, hi) = others.bounds();
    let mut window = Window { first: [0; 2], last: [0; 2] };
    for axis in 1..D {
        let edge = |cell: u32| own_lo[axis] + f64::from(cell) * own.sizes[axis];
        let reach = reach + 2.0 * slack[axis];
        let from = edge(tile.first[axis - 1]) - reach;
        let to = edge(tile.last[axis - 1] + 1) + reach;
        if to < lo[axis] || from > hi[axis] {
            return None;
        }
        window.first[axis - 1] = others.cell_along(axis, from);
        window.last[axis - 1] = others.cell_along(axis, to);
    }
    Some(window)
}
