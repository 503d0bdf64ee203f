//! The search of regions: every region by itself, then regions next to each other.

use super::Regions;
use super::layout::Frame;
use super::tree::RegionPair;
use crate::detector::{Direction, Layout};
use crate::detectors::hgrid::kernel::{Kernel, KernelWork, LANES};
use crate::detectors::hgrid::keys::LevelGrid;
use crate::detectors::hgrid::memory::Memories;
use crate::detectors::hgrid::rows::lanes;
use crate::detectors::hgrid::schedule::Window;
use crate::detectors::hgrid::search::{BLOCK, BlockSearch, Searcher, View};
use crate::grid::{share, translation_along};
use crate::sink::PairSink;
use std::ops::Range;

/// What a thread does at a time, in about as many bodies.
const TASK: usize = 1 << 12;

/// How much finer the frame of another region may be before positions are taken from the snapshot again: the coarser one blurs
/// so much more, and the more pairs are in doubt.
const MAX_FINER: f64 = 64.0;

/// Coordinates in the frame of another region whose squares are still within the range of f32.
const MAX_LARGEST: f64 = 1e15;

/// Reach, in units of a region's size, from which on only the exact test can tell.
const MAX_REACH: f64 = 4096.0;

/// Some regions, and the pairs that begin with them.
#[derive(Debug, Clone)]
pub(in super::super) struct Task(Range<usize>);

impl<const D: usize> Regions<D> {
    /// Puts regions together into tasks of similar size.
    pub(super) fn cut_into_tasks(&mut self) {
        self.tasks.clear();
        let (mut first, mut load) = (0, 0);
        for region in 0..self.len() {
            let bodies: usize = self.grids_of(region).map(|grid| self.of_grid[grid].bodies as usize).sum();
            load += bodies + self.near_of(region).len() * (32 + bodies / 8);
            if load >= TASK {
                self.tasks.push(Task(first..region + 1));
                (first, load) = (region + 1, 0);
            }
        }
        self.tasks.push(Task(first..self.len()));
    }

    /// Searches all bodies with a kernel that the processor has.
    pub fn search<K: Kernel<D>, S: PairSink<D>>(
        &self,
        kernel: K,
        view: View<'_, D>,
        memories: &Memories<D>,
        sink: &mut S,
    ) {
        let start = || memories.start(kernel, view);
        share(self.tasks.iter().cloned(), sink, start, |lent, task, sink| {
            lent.go_on(|search| search.kernel.run(SearchRegions { search, regions: self, task, sink }));
        });
    }

    /// How the bodies are laid out: the largest cells and the number of bodies of every level.
    pub fn layout(&self, direction: Direction, given: bool) -> Layout {
        let mut layout = Layout { direction: Some(direction), regions: self.len(), ..Layout::default() };
        for (region, frame) in self.frames.iter().enumerate() {
            for (k, grid) in self.grids_of(region).enumerate() {
                let level = if given { self.of_grid[grid].group as usize } else { k };
                if layout.cell_sizes.len() <= level {
                    layout.cell_sizes.resize(level + 1, 0.0);
                    layout.particles_per_level.resize(level + 1, 0);
                }
                let size = self.grids[grid].grid.sizes[D - 1] / frame.scale;
                layout.cell_sizes[level] = layout.cell_sizes[level].max(size);
                layout.particles_per_level[level] += u64::from(self.of_grid[grid].bodies);
            }
        }
        layout
    }
}

/// A task, compiled once for each kernel.
struct SearchRegions<'s, 'a, K, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, D>,
    regions: &'s Regions<D>,
    task: Task,
    sink: &'s mut S,
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> KernelWork for SearchRegions<'_, '_, K, S, D> {
    #[inline(always)]
    fn run(self) {
        let Self { search, regions, task, sink } = self;
        for region in task.0 {
            search.search_region(regions, region, sink);
            for pair in regions.near_of(region) {
                search.search_pair(regions, pair, sink);
            }
        }
        search.turn_to([0; D], sink);
        search.test_waiting([0; D], sink);
        search.emit([0; D], sink);
        search.memory.batch.flush(sink);
    }
}

impl<K: Kernel<D>, const D: usize> BlockSearch<'_, K, D> {
    /// Brings to an end what was found so far, if the images that are searched next lie elsewhere.
    #[inline(always)]
    fn turn_to<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.shift != shift {
            self.test_waiting(self.shift, sink);
            self.emit(self.shift, sink);
            self.shift = shift;
        }
    }

    /// Searches the bodies of a region among themselves.
    #[inline(always)]
    fn search_region<S: PairSink<D>>(&mut self, regions: &Regions<D>, region: usize, sink: &mut S) {
        self.turn_to([0; D], sink);
        let grids = regions.grids_of(region);
        for g in grids.clone() {
            let bodies = self.bodies_of(g);
            if self.view.grids[g].max_radius == 0.0 {
                // Points touch no points.
            } else if regions.of_grid[g].is_vast {
                for p in bodies.clone() {
                    self.test_exactly_with(p, p + 1..bodies.end, [0; D], sink);
                }
            } else {
                let own_level = self.own_level(g, bodies.clone());
                for first in bodies.clone().step_by(BLOCK) {
                    self.search_own_level(&own_level, first..bodies.end.min(first + BLOCK), sink);
                }
            }
            for h in grids.clone() {
                if h != g && self.searches(regions, g, h) {
                    self.search_other(regions, g, h, [0; D], sink);
                }
            }
        }
    }

    /// The bodies of a grid.
    #[inline(always)]
    fn bodies_of(&self, g: usize) -> Range<usize> {
        self.view.index.level(g)
    }

    /// Searches two regions: of every two grids one searches the other.
    #[inline(always)]
    fn search_pair<S: PairSink<D>>(&mut self, regions: &Regions<D>, pair: &RegionPair<D>, sink: &mut S) {
        let [a, b] = [pair.a, pair.b].map(|region| regions.grids_of(region as usize));
        if pair.listed.0 < pair.listed.1 {
            for h in b {
                self.search_listed(regions, pair, h, sink);
            }
            return;
        }
        let back = pair.shift.map(|shift| -shift);
        for g in a.clone() {
            for h in b.clone() {
                if self.searches(regions, g, h) {
                    self.search_other(regions, g, h, pair.shift, sink);
                }
            }
        }
        for h in b {
            for g in a.clone() {
                if !self.searches(regions, g, h) {
                    self.search_other(regions, h, g, back, sink);
                }
            }
        }
    }

    /// Whether, of two grids, the first searches the second: the one with larger bodies does, or with smaller ones, as the
    /// direction says.
    #[inline(always)]
    fn searches(&self, regions: &Regions<D>, g: usize, h: usize) -> bool {
        let [g, h] = [g, h].map(|grid| (regions.of_grid[grid].max_radius, grid));
        match self.view.direction {
            Direction::TopDown => g >= h,
            Direction::BottomUp => g <= h,
        }
    }

    /// Has the bodies of grid `g` search those of grid `h`, seen `shift` periods away.
    #[inline(always)]
    fn search_other<S: PairSink<D>>(
        &mut self,
        regions: &Regions<D>,
        g: usize,
        h: usize,
        shift: [i32; D],
        sink: &mut S,
    ) {
        let view = self.view;
        let own = regions.of_grid[g];
        let grid = self.searched(regions, h, own.is_vast, shift);
        let carried = self.carry(&regions.frames[own.region as usize], view.grids[g].blur, &grid);
        self.turn_to(shift, sink);
        if sink.counts() {
            sink.cells(1);
        }
        if grid.is_out_of_reach(&view.grids[g], &carried) {
            return;
        }
        // Where squares may leave the range of numbers, or radii or the factor have left it already, all are looked at: infinity
        // times nothing is no number, and compares with none.
        let can_tell = carried.largest <= MAX_LARGEST && carried.factor.is_normal() && !own.is_vast;
        let beyond_numbers = if can_tell { 0 } else { u32::MAX };
        let bodies = self.bodies_of(g);
        let columns = view.bodies;
        let [lo, hi] = [grid.lo, grid.hi].map(|corner| corner.map(|x| x as f32));
        for first in bodies.clone().step_by(LANES) {
            let mut positions = [[0.0f32; LANES]; D];
            let mut gaps = [0.0f32; LANES];
            let mut reaches = [0.0f32; LANES];
            for axis in 0..D {
                let column = &columns.position[axis][first..first + LANES];
                for lane in 0..LANES {
                    let x = column[lane] * carried.factor + carried.to[axis];
                    let (below, above) = (lo[axis] - x, x - hi[axis]);
                    let gap = if below > above { below } else { above };
                    let gap = if gap > 0.0 { gap } else { 0.0 };
                    positions[axis][lane] = x;
                    gaps[lane] += gap * gap;
                }
            }
            let column = &columns.radius[first..first + LANES];
            for lane in 0..LANES {
                reaches[lane] = column[lane] * carried.factor + carried.beyond;
            }
            let squares = lanes(|lane| reaches[lane] * reaches[lane]);
            let mut inside = K::within(K::load(gaps), K::load(squares)) | beyond_numbers;
            inside = K::lanes_left(inside, (bodies.end - first).min(LANES));
            while inside != 0 {
                let lane = inside.trailing_zeros() as usize;
                inside &= inside - 1;
                self.search_carried(&grid, &carried, first + lane, positions.map(|lanes| lanes[lane]), sink);
            }
        }
    }

    /// Has those bodies of a region that reach a much smaller one search grid `h` of that.
    #[inline(always)]
    fn search_listed<S: PairSink<D>>(&mut self, regions: &Regions<D>, pair: &RegionPair<D>, h: usize, sink: &mut S) {
        let columns = self.view.bodies;
        let own = regions.grids_of(pair.a as usize);
        let is_vast = own.clone().any(|g| regions.of_grid[g].is_vast);
        let grid = self.searched(regions, h, is_vast, pair.shift);
        let carried = self.carry(&regions.frames[pair.a as usize], self.view.grids[own.start].blur, &grid);
        self.turn_to(pair.shift, sink);
        for &p in &regions.near.listed[pair.listed.0 as usize..pair.listed.1 as usize] {
            if sink.counts() {
                sink.cells(1);
            }
            let place = columns.position_of(p as usize);
            let position = std::array::from_fn(|axis| place[axis] * carried.factor + carried.to[axis]);
            self.search_carried(&grid, &carried, p as usize, position, sink);
        }
    }

    /// Has body `p` search a grid, from where it is in the frame of that.
    #[inline(always)]
    fn search_carried<S: PairSink<D>>(
        &mut self,
        grid: &SearchedGrid<D>,
        carried: &Carried<D>,
        p: usize,
        position: [f32; D],
        sink: &mut S,
    ) {
        let radius = self.view.bodies.radius[p] * carried.factor;
        if carried.is_coarse {
            self.search_closely(grid, p, sink);
        } else if radius + carried.beyond > MAX_REACH as f32 {
            self.test_exactly_with(p, grid.bodies.clone(), grid.shift, sink);
        } else {
            let searcher = Searcher { p, position, radius, blur: carried.blur };
            self.search_level(grid.h, Window::ALL, searcher, grid.shift, sink);
        }
    }

    /// How bodies of a frame, stored with an error up to `blur`, are carried over into the frame of a grid.
    #[inline(always)]
    fn carry(&self, from: &Frame<D>, blur: f64, grid: &SearchedGrid<D>) -> Carried<D> {
        let ratio = grid.frame.scale / from.scale;
        let offset: [f64; D] = std::array::from_fn(|axis| {
            let translation = translation_along(grid.shift[axis], self.view.images.period(axis).unwrap_or(0.0));
            (from.origin[axis] - translation - grid.frame.origin[axis]) * grid.frame.scale
        });
        let largest = offset.iter().fold(from.width * ratio, |largest, offset| largest.max(offset.abs()));
        let level = &self.view.grids[grid.h];
        let blur = level.blur + blur * ratio + 4.0 * f64::from(f32::EPSILON) * largest;
        Carried {
            factor: ratio as f32,
            to: offset.map(|x| x as f32),
            ratio,
            offset,
            largest,
            blur,
            beyond: ((level.reach_beyond() * (1.0 + 1e-6) + 16.0 * blur) * (1.0 + 1e-6)) as f32,
            is_coarse: ratio > MAX_FINER || grid.is_exact || !(ratio as f32).is_normal(),
        }
    }

    /// Grid `h`, to be searched by bodies of another grid.
    #[inline(always)]
    fn searched(&self, regions: &Regions<D>, h: usize, by_vast: bool, shift: [i32; D]) -> SearchedGrid<D> {
        let of_grid = regions.of_grid[h];
        let (lo, hi) = self.view.grids[h].grid.bounds();
        SearchedGrid {
            h,
            frame: regions.frames[of_grid.region as usize],
            lo,
            hi,
            bodies: self.bodies_of(h),
            is_exact: by_vast || of_grid.is_vast,
            shift,
        }
    }

    /// Has body `p`, its place taken from the snapshot again, search a grid, if it reaches that.
    #[inline(always)]
    fn search_closely<S: PairSink<D>>(&mut self, grid: &SearchedGrid<D>, p: usize, sink: &mut S) {
        let Some(Closer { position, radius }) = self.look_closer(p, grid) else { return };
        let level = &self.view.grids[grid.h];
        if grid.is_exact || radius + level.reach_beyond() > MAX_REACH {
            return self.test_exactly_with(p, grid.bodies.clone(), grid.shift, sink);
        }
        let largest = position.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let searcher = Searcher {
            p,
            position: position.map(|x| x as f32),
            radius: radius as f32,
            blur: level.blur + 2.0 * f64::from(f32::EPSILON) * largest,
        };
        self.search_level(grid.h, Window::ALL, searcher, grid.shift, sink);
    }

    /// Where body `p` is, in the frame of a grid that is much finer than its own; `None` if it reaches nothing there.
    #[inline(never)]
    fn look_closer(&self, p: usize, grid: &SearchedGrid<D>) -> Option<Closer<D>> {
        let view = &self.view;
        let id = view.bodies.ids[p] as usize;
        let center = view.images.stored_center(id, view.now.centers()[id]);
        let position = grid.frame.place(view.images.seen_from(center, grid.shift));
        let radius = view.now.radii()[id] * grid.frame.scale;
        let slack = view.now.rounding_slack();
        let squared = (0..D).fold(0.0, |sum, axis| {
            let slack = if view.images.period(axis).is_some() { slack[axis] * grid.frame.scale } else { 0.0 };
            let x = position[axis];
            let gap = ((grid.lo[axis] - x).max(x - grid.hi[axis]) * (1.0 - 1e-12) - slack).max(0.0);
            sum + gap * gap
        });
        let reach = (radius + view.grids[grid.h].reach_beyond()) * (1.0 + 1e-12);
        (squared <= reach * reach).then_some(Closer { position, radius })
    }

    /// Tests body `p` with others one by one.
    #[inline(never)]
    fn test_exactly_with<S: PairSink<D>>(&mut self, p: usize, others: Range<usize>, shift: [i32; D], sink: &mut S) {
        let view = self.view;
        sink.candidates(others.len() as u64);
        let i = view.bodies.ids[p];
        for &j in &view.bodies.ids[others] {
            let shift = view.images.reported_shift(i as usize, j as usize, shift);
            if view.now.overlaps(i as usize, j as usize, shift) {
                self.memory.batch.push(i, j, shift, sink);
            }
        }
    }
}

/// A body in the frame of another region.
struct Closer<const D: usize> {
    position: [f64; D],
    radius: f64,
}

/// A grid that bodies of another one search.
struct SearchedGrid<const D: usize> {
    h: usize,
    frame: Frame<D>,
    /// Its bounds, in its frame.
    lo: [f64; D],
    hi: [f64; D],
    bodies: Range<usize>,
    /// Whether only the exact test can tell.
    is_exact: bool,
    /// As how many periods away it is seen.
    shift: [i32; D],
}

impl<const D: usize> SearchedGrid<D> {
    /// Whether no body of another grid reaches it.
    #[inline(always)]
    fn is_out_of_reach(&self, other: &LevelGrid<D>, Carried { ratio, offset, beyond, .. }: &Carried<D>) -> bool {
        let (other_lo, other_hi) = other.grid.bounds();
        let reach = other.max_radius * ratio * (1.0 + 1e-6) + f64::from(*beyond);
        let mut squared = 0.0;
        for axis in 0..D {
            let below = self.lo[axis] - (other_hi[axis] * ratio + offset[axis]);
            let above = other_lo[axis] * ratio + offset[axis] - self.hi[axis];
            let gap = below.max(above).max(0.0);
            squared += gap * gap;
        }
        squared > reach * reach
    }
}

/// From one frame to another: a factor, which rounds nothing, and an offset.
struct Carried<const D: usize> {
    ratio: f64,
    offset: [f64; D],
    /// The same in the precision of the columns.
    factor: f32,
    to: [f32; D],
    /// Largest coordinate there.
    largest: f64,
    /// Bound on the error of differences to what is stored there.
    blur: f64,
    /// How far bodies reach beyond their radii.
    beyond: f32,
    /// Whether places must be taken from the snapshot again.
    is_coarse: bool,
}
