//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::border::Border;
use super::columns::{Lanes, ROUNDING};
use super::hits::CHUNK;
use super::index::{Index, Stencil};
use super::kernel::{Kernel, KernelWork, Portable};
use super::keys::LevelGrid;
use super::memory::{MAX_PAIRS, Memories, Memory};
use super::rows::{LevelRows, Probe, RangeVisitor, RowVisitor, Rows};
use super::schedule::{Aim, Job, Schedule, Window};
use super::waiting::Gather;
use crate::detector::Direction;
use crate::grid::{Images, prefetch, share};
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use std::ops::Range;

/// Bodies searched at a time.
pub(super) const BLOCK: usize = 64;

/// Everything a search reads.
#[derive(Clone, Copy)]
pub(super) struct View<'a, const D: usize> {
    pub now: Snapshot<'a, D>,
    pub images: &'a Images<D>,
    /// The levels, fine to coarse.
    pub grids: &'a [LevelGrid<D>],
    pub bodies: Lanes<'a, D>,
    pub index: Index<'a, D>,
    /// Geometry of the levels in the precision of the columns.
    pub rows: &'a [LevelRows<D>],
    pub direction: Direction,
    /// The corner that stored positions are relative to.
    pub origin: [f64; D],
}

impl<const D: usize> View<'_, D> {
    /// Distance within which bodies may touch those of level `j`: by what to multiply the radius, and what to add.
    #[inline(always)]
    pub fn reach_of_all(&self, j: usize) -> (f32, f32) {
        reach_of_all(&self.grids[j], self.grids[j].blur)
    }

    /// Body `p` as it searches level `j` from a place.
    #[inline(always)]
    fn searcher(&self, j: usize, p: usize, position: [f32; D]) -> Searcher<D> {
        Searcher { p, position, radius: self.bodies.radius[p], blur: self.grids[j].blur }
    }
}

/// Distance within which a body of a radius may touch bodies of a level, widened so that no row is missed by rounding.
#[inline(always)]
pub(super) fn reach<const D: usize>(radius: f32, level: &LevelGrid<D>, blur: f64) -> f32 {
    let (factor, constant) = reach_of_all(level, blur);
    radius * factor + constant
}

/// The same for all radii: by what to multiply the radius, and what to add.
#[inline(always)]
fn reach_of_all<const D: usize>(level: &LevelGrid<D>, blur: f64) -> (f32, f32) {
    let widened = 1.0 + 8.0 * ROUNDING;
    (widened as f32, (level.reach_beyond() * widened + 16.0 * blur) as f32)
}

/// How far below or above zero `d² - s²` may come out wrong for bodies that touch within `reach`: errors of
/// coordinates (linear and squared) and of the arithmetic itself.
#[inline(always)]
pub(super) fn band(reach: f32, blur: f64) -> f32 {
    let blur = blur as f32;
    8.0 * (reach * (blur + ROUNDING as f32 * reach) + (blur + blur) * blur)
}

/// A body that searches a level, in the frame of that level.
#[derive(Clone, Copy)]
pub(super) struct Searcher<const D: usize> {
    /// Which of the sorted bodies it is.
    pub p: usize,
    pub position: [f32; D],
    pub radius: f32,
    /// Bound on the error of differences between its coordinates and those stored there.
    pub blur: f64,
}

/// Does all tasks with a kernel that the processor has.
pub(super) fn run<K: Kernel<D>, S: PairSink<D>, const D: usize>(
    kernel: K,
    view: View<'_, D>,
    schedule: &Schedule,
    memories: &Memories<D>,
    sink: &mut S,
) {
    let start = || memories.start(kernel, view);
    share(schedule.tasks(), sink, start, |lent, task, sink| {
        lent.go_on(|search| search.kernel.run(SearchTask { search, task, sink }));
    });
}

/// The search of blocks of bodies with one kernel. Its memory serves block after block.
pub(super) struct BlockSearch<'a, K, const D: usize> {
    pub view: View<'a, D>,
    pub memory: Memory<D>,
    /// The images that regions search, in periods.
    pub shift: [i32; D],
    border: Border<D>,
    /// The proof that the processor has the instructions of the kernel.
    pub kernel: K,
}

impl<'a, K: Kernel<D>, const D: usize> BlockSearch<'a, K, D> {
    pub fn new(kernel: K, view: View<'a, D>, memory: Memory<D>) -> Self {
        Self { view, memory, shift: [0; D], border: Border::new(&view), kernel }
    }

    /// The shifts of this many pairs within the box: none in open domains.
    #[inline(always)]
    pub fn no_shifts(view: &View<'_, D>, pairs: usize) -> &'static [[i32; D]] {
        if view.images.are_periodic() { &Self::NO_SHIFTS[..pairs] } else { &[] }
    }

    const NO_SHIFTS: &'static [[i32; D]; MAX_PAIRS] = &[[0; D]; MAX_PAIRS];

    #[inline(always)]
    fn search<S: PairSink<D>>(&mut self, task: &[Job], sink: &mut S) {
        for Job { level, bodies, aim } in task {
            match *aim {
                Aim::OwnLevel => self.search_among_themselves(*level, bodies.clone(), sink),
                Aim::Level(other, window) => self.search_window(other, window, bodies.clone(), sink),
            }
            self.test_waiting([0; D], sink);
        }
        self.emit([0; D], sink);
        self.memory.batch.flush(sink);
    }

    /// Searches the partners of bodies of level `h` on that level, and the images of all levels.
    #[inline(always)]
    fn search_among_themselves<S: PairSink<D>>(&mut self, h: usize, bodies: Range<usize>, sink: &mut S) {
        let own_level = self.own_level(h, bodies.clone());
        for first in bodies.clone().step_by(BLOCK) {
            let block = first..bodies.end.min(first + BLOCK);
            self.search_own_level(&own_level, block.clone(), sink);
        }
        if self.view.images.are_periodic() {
            self.search_images(h, bodies, sink);
        }
    }

    /// Searches the partners of some bodies in some rows of another level.
    #[inline(always)]
    fn search_window<S: PairSink<D>>(&mut self, other: usize, window: Window, bodies: Range<usize>, sink: &mut S) {
        let view = self.view;
        let (lo, hi) = view.rows[other].edges(window);
        let (factor, constant) = view.reach_of_all(other);
        for first in bodies.clone().step_by(BLOCK) {
            let block = view.bodies.of(first..bodies.end.min(first + BLOCK));
            // Many reach no farther than to where others of the job do.
            let mut touching = [0; CHUNK];
            for (k, touching) in touching.iter_mut().enumerate().take(block.radius.len()) {
                let reach = block.radius[k] * factor + constant;
                *touching = (1..D).fold(1, |all, axis| {
                    let x = block.position[axis][k];
                    all & u8::from(x + reach >= lo[axis]) & u8::from(x - reach <= hi[axis])
                });
            }
            let mut touching = K::touching(&touching);
            while touching != 0 {
                let k = touching.trailing_zeros() as usize % BLOCK;
                touching &= touching - 1;
                let searcher = view.searcher(other, first + k, block.position_of(k));
                self.search_level(other, window, searcher, [0; D], sink);
            }
        }
    }

    /// Has a body, as if it were where the searcher says, tested against all bodies in reach in some rows of level `j`.
    #[inline(always)]
    pub fn search_level<S: PairSink<D>>(
        &mut self,
        j: usize,
        window: Window,
        Searcher { p, position, radius, blur }: Searcher<D>,
        shift: [i32; D],
        sink: &mut S,
    ) {
        let view = self.view;
        let level = &view.grids[j];
        let reach = reach(radius, level, blur);
        let probe = Probe { h: j, position, reach };
        if sink.counts() {
            view.count_within(j, window, probe, sink);
        }
        self.memory.waiting.seek(p, position, radius + level.margin as f32, band(reach, blur));
        let mut gather = Gather { search: self, shift, sink };
        view.rows[j].visit_within::<K, _>(&view.index, window, probe, &mut gather);
    }

    /// Searches the images of some bodies of level `h` across periodic borders, all that are equally many periods away
    /// together.
    #[inline(always)]
    fn search_images<S: PairSink<D>>(&mut self, h: usize, bodies: Range<usize>, sink: &mut S) {
        let view = self.view;
        let partners = view.direction.partners(h, view.grids.len());
        let farthest = if partners.end > h { partners.end - 1 } else { h };
        let (factor, constant) = view.reach_of_all(farthest);
        self.memory.near.clear();
        for first in bodies.clone().step_by(BLOCK) {
            let block = view.bodies.of(first..bodies.end.min(first + BLOCK));
            let mut near = self.border.near::<K>(&block, factor, constant, partners.is_empty());
            while near != 0 {
                let k = near.trailing_zeros() as usize % BLOCK;
                near &= near - 1;
                // Their centers lie far apart in memory.
                prefetch(view.now.centers(), block.ids[k] as usize);
                prefetch(view.now.radii(), block.ids[k] as usize);
                self.memory.near.push((first + k) as u32);
            }
        }
        if self.memory.near.is_empty() {
            return;
        }
        self.test_waiting([0; D], sink);
        self.emit([0; D], sink);
        for near in &self.memory.near {
            self.memory.shifted.add_images_of(&view, h, *near as usize, partners.clone());
        }
        let shifted = std::mem::take(&mut self.memory.shifted);
        for group in &shifted.groups[..shifted.used] {
            for &(p, position) in &group.bodies {
                let searcher = view.searcher(group.level, p as usize, position);
                self.search_level(group.level, Window::ALL, searcher, group.shift, sink);
            }
            self.test_waiting(group.shift, sink);
            self.emit(group.shift, sink);
        }
        self.memory.shifted = shifted;
        self.memory.shifted.used = 0;
    }
}

/// Images that are to be searched, by level and shift.
pub(super) struct Shifted<const D: usize> {
    /// Only the first `used`; others are kept for their memory.
    groups: Vec<ShiftedGroup<D>>,
    used: usize,
}

/// Bodies that search one level from as many periods away.
struct ShiftedGroup<const D: usize> {
    level: usize,
    shift: [i32; D],
    /// Each with the place that it searches from.
    bodies: Vec<(u32, [f32; D])>,
}

impl<const D: usize> Default for Shifted<D> {
    fn default() -> Self {
        Self { groups: Vec::new(), used: 0 }
    }
}

impl<const D: usize> Shifted<D> {
    /// Adds the images of body `p` of level `h`: on its own level one half of them, as its partners do the other half; on
    /// the levels it searches all.
    fn add_images_of(&mut self, view: &View<'_, D>, h: usize, p: usize, partners: Range<usize>) {
        let id = view.bodies.ids[p] as usize;
        let center = view.images.stored_center(id, view.now.centers()[id]);
        for j in partners.chain([h]) {
            let level = &view.grids[j];
            let reach = view.now.radii()[id] + level.max_radius + view.now.margin();
            let reach = view.now.rounding_slack().map(|slack| reach + slack);
            let (lo, hi) = level.grid.bounds();
            let shifts = view.images.shifts(center, reach, lo, hi);
            for shift in shifts.iter().filter(|&shift| shift != [0; D] && (j != h || is_positive(shift))) {
                let seen_from = view.images.seen_from(center, shift);
                let position = std::array::from_fn(|axis| (seen_from[axis] - view.origin[axis]) as f32);
                self.group(j, shift).bodies.push((p as u32, position));
            }
        }
    }

    /// The group of a level and a shift.
    fn group(&mut self, level: usize, shift: [i32; D]) -> &mut ShiftedGroup<D> {
        let is_it = |group: &ShiftedGroup<D>| group.level == level && group.shift == shift;
        let number = self.groups[..self.used].iter().position(is_it).unwrap_or_else(|| {
            if self.used == self.groups.len() {
                self.groups.push(ShiftedGroup { level, shift, bodies: Vec::new() });
            }
            let group = &mut self.groups[self.used];
            (group.level, group.shift) = (level, shift);
            group.bodies.clear();
            self.used += 1;
            self.used - 1
        });
        &mut self.groups[number]
    }
}

/// A call of [`BlockSearch::search`], compiled once for each kernel.
struct SearchTask<'s, 'a, K, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, D>,
    task: &'s [Job],
    sink: &'s mut S,
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> KernelWork for SearchTask<'_, '_, K, S, D> {
    #[inline(always)]
    fn run(self) {
        self.search.search(self.task, self.sink);
    }
}

impl<const D: usize> View<'_, D> {
    /// Counts what bodies are tested against on their own level.
    #[cold]
    #[inline(never)]
    pub fn count_own<S: PairSink<D>>(&self, stencil: &Stencil, bodies: Range<usize>, sink: &mut S) {
        for p in bodies {
            self.index.visit_own(stencil, p, self.bodies.keys[p], &mut Count { sink });
        }
    }

    /// Counts what a body is tested against in some rows of level `j`: the same with any kernel.
    #[cold]
    #[inline(never)]
    fn count_within<S: PairSink<D>>(&self, j: usize, window: Window, probe: Probe<D>, sink: &mut S) {
        let mut count = CountRows { index: &self.index, sink };
        self.rows[j].visit_within::<Portable, _>(&self.index, window, probe, &mut count);
    }
}

/// Counts ranges and their bodies.
struct Count<'a, S, const D: usize> {
    pub sink: &'a mut S,
}

impl<S: PairSink<D>, const D: usize> RangeVisitor for Count<'_, S, D> {
    fn range(&mut self, bodies: Range<usize>) {
        self.sink.cells(1);
        self.sink.candidates(bodies.len() as u64);
    }
}

/// Counts rows and their bodies.
struct CountRows<'a, S, const D: usize> {
    index: &'a Index<'a, D>,
    sink: &'a mut S,
}

impl<S: PairSink<D>, const D: usize> RowVisitor for CountRows<'_, S, D> {
    fn rows(&mut self, rows: &Rows, wanted: u32) {
        for row in rows.wanted(wanted) {
            Count { sink: self.sink }.range(self.index.bodies_of(row));
        }
    }
}
