//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::border::Border;
use super::columns::Lanes;
use super::emit::EMITTED;
use super::hits::Hits;
use super::kernel::{Kernel, LANES, Work};
use super::keys::LevelGrid;
use super::own_level::{LeftOver, QuickMasks};
use super::real::Real;
use super::rows::{LevelRows, RangeVisitor, RowIndex, RowVisitor, Rows};
use super::schedule::{Aim, Job, Schedule, Window};
use super::waiting::{Gather, Waiting};
use crate::detector::Direction;
use crate::detectors::toolkit::{Batch, Images, share};
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use std::marker::PhantomData;
use std::ops::Range;

/// Bodies searched at a time.
pub(super) const BLOCK: usize = 64;

/// Everything a search reads.
#[derive(Clone, Copy)]
pub(super) struct View<'a, I, R, const D: usize> {
    pub now: Snapshot<'a, D>,
    pub images: &'a Images<D>,
    /// The levels, fine to coarse.
    pub grids: &'a [LevelGrid<D>],
    pub bodies: Lanes<'a, R, D>,
    pub index: I,
    /// Geometry of the levels in the precision of the columns.
    pub rows: &'a [LevelRows<R, D>],
    pub direction: Direction,
    /// The corner that stored positions are relative to.
    pub origin: [f64; D],
}

impl<I, R: Real, const D: usize> View<'_, I, R, D> {
    /// Distance within which body `p` may touch bodies of level `j`, widened so that no row is missed by rounding.
    #[inline(always)]
    pub fn reach(&self, p: usize, j: usize) -> R {
        reach(self.bodies.radius[p], &self.grids[j], self.grids[j].blur)
    }
}

/// Distance within which a body of a radius may touch bodies of a level, widened so that no row is missed by rounding.
#[inline(always)]
pub(super) fn reach<R: Real, const D: usize>(radius: R, level: &LevelGrid<D>, blur: f64) -> R {
    let widened = 1.0 + 8.0 * R::ROUNDING;
    radius * R::from_f64(widened) + R::from_f64(level.reach_beyond() * widened + 16.0 * blur)
}

/// How far below or above zero `d² - s²` may come out wrong for bodies that touch within `reach`: errors of
/// coordinates (linear and squared) and of the arithmetic itself.
#[inline(always)]
pub(super) fn band<R: Real>(reach: R, blur: f64) -> R {
    let blur = R::from_f64(blur);
    let eight = R::from_f64(8.0);
    eight * (reach * (blur + R::from_f64(R::ROUNDING) * reach) + (blur + blur) * blur)
}

/// A body that searches a level, in the frame of that level.
#[derive(Clone, Copy)]
pub(super) struct Searcher<R, const D: usize> {
    /// Which of the sorted bodies it is.
    pub p: usize,
    pub position: [R; D],
    pub radius: R,
    /// Bound on the error of differences between its coordinates and those stored there.
    pub blur: f64,
}

/// Does all tasks with a kernel that the processor has.
pub(super) fn run<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize>(
    view: View<'_, I, R, D>,
    schedule: &Schedule,
    sink: &mut S,
) {
    let start = || BlockSearch::<K, I, R, D>::new(view);
    share(schedule.tasks(), sink, start, |search, task, sink| K::run(SearchTask { search, task, sink }));
}

/// The search of blocks of bodies with one kernel. Its memory serves block after block.
pub(super) struct BlockSearch<'a, K, I, R, const D: usize> {
    pub view: View<'a, I, R, D>,
    pub hits: Hits,
    pub waiting: Waiting<R, D>,
    /// Bodies of a block that the quick search leaves to the thorough one.
    pub left_over: Vec<LeftOver>,
    /// For each body of a block, which neighbours it touches among the first and among the next of each range.
    pub quick: Box<QuickMasks>,
    pub pairs: Vec<[u32; 2]>,
    /// The shifts of pairs within the box: as many as `pairs` has room for, or none in open domains.
    pub no_shifts: Vec<[i32; D]>,
    pub batch: Batch<D>,
    /// The images that regions search, in periods.
    pub shift: [i32; D],
    border: Border<R, D>,
    kernel: PhantomData<K>,
}

impl<'a, K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, const D: usize> BlockSearch<'a, K, I, R, D> {
    pub fn new(view: View<'a, I, R, D>) -> Self {
        let room = EMITTED + BLOCK * 5 * 2 * LANES + LANES;
        Self {
            view,
            hits: Hits::new(),
            waiting: Waiting::new(),
            left_over: Vec::with_capacity(BLOCK),
            quick: Box::new([[[0; 8]; BLOCK]; 2]),
            pairs: vec![[0; 2]; room],
            no_shifts: vec![[0; D]; if view.images.are_periodic() { room } else { 0 }],
            batch: Batch::new(view.images.are_periodic()),
            shift: [0; D],
            border: Border::new(&view),
            kernel: PhantomData,
        }
    }

    #[inline(always)]
    fn search<S: PairSink<D>>(&mut self, task: &[Job], sink: &mut S) {
        for Job { level, bodies, aim } in task {
            match *aim {
                Aim::OwnLevel => self.search_among_themselves(*level, bodies.clone(), sink),
                Aim::Level(other, window) => {
                    for p in bodies.clone() {
                        self.search_level(other, window, p, self.view.bodies.position_of(p), [0; D], sink);
                    }
                }
            }
            self.test_waiting([0; D], sink);
        }
        self.emit([0; D], sink);
        self.batch.flush(sink);
    }

    /// Searches the partners of bodies of level `h` on that level, and the images of all levels.
    #[inline(always)]
    fn search_among_themselves<S: PairSink<D>>(&mut self, h: usize, bodies: Range<usize>, sink: &mut S) {
        let own_level = self.own_level(h, bodies.clone());
        for first in bodies.clone().step_by(BLOCK) {
            let block = first..bodies.end.min(first + BLOCK);
            self.search_own_level(&own_level, block.clone(), sink);
            if self.view.images.are_periodic() {
                self.test_waiting([0; D], sink);
                self.search_images(h, block, sink);
            }
        }
    }

    /// Has body `p`, as if it were at `position`, tested against all bodies in reach in some rows of level `j`.
    #[inline(always)]
    fn search_level<S: PairSink<D>>(
        &mut self,
        j: usize,
        window: Window,
        p: usize,
        position: [R; D],
        shift: [i32; D],
        sink: &mut S,
    ) {
        let sphere = Searcher { p, position, radius: self.view.bodies.radius[p], blur: self.view.grids[j].blur };
        self.search_level_from(j, window, sphere, shift, sink);
    }

    /// Has a body, as if it were where the searcher says, tested against all bodies in reach in some rows of level `j`.
    #[inline(always)]
    pub fn search_level_from<S: PairSink<D>>(
        &mut self,
        j: usize,
        window: Window,
        Searcher { p, position, radius, blur }: Searcher<R, D>,
        shift: [i32; D],
        sink: &mut S,
    ) {
        let view = self.view;
        let level = &view.grids[j];
        let reach = reach(radius, level, blur);
        if S::COUNTS {
            let mut count = CountRows { index: &view.index, sink };
            view.rows[j].visit_within::<K, _, _>(&view.index, j, window, position, reach, &mut count);
        }
        self.waiting.seek(p, position, radius + R::from_f64(level.margin), band(reach, blur));
        let mut gather = Gather { search: self, shift, sink };
        view.rows[j].visit_within::<K, _, _>(&view.index, j, window, position, reach, &mut gather);
    }

    /// Searches the images of the bodies of a block across periodic borders.
    #[inline(always)]
    fn search_images<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let partners = self.view.direction.partners(h, self.view.grids.len());
        let farthest = if partners.end > h { partners.end - 1 } else { h };
        for p in block {
            if self.border.is_near(self.view.bodies.position_of(p), self.view.reach(p, farthest)) {
                self.emit([0; D], sink);
                self.search_images_of(h, p, partners.clone(), sink);
            }
        }
    }

    /// Searches the images of body `p`: on its own level one half of them, as its partners do the other half; on the
    /// levels it searches all.
    #[inline(always)]
    fn search_images_of<S: PairSink<D>>(&mut self, h: usize, p: usize, partners: Range<usize>, sink: &mut S) {
        let view = self.view;
        let id = view.bodies.ids[p] as usize;
        let center = view.images.stored_center(id, view.now.centers()[id]);
        for j in partners.chain([h]) {
            let level = &view.grids[j];
            let reach = view.now.radii()[id] + level.max_radius + view.now.contact_margin();
            let reach = view.now.rounding_slack().map(|slack| reach + slack);
            let (lo, hi) = level.grid.bounds();
            let shifts = view.images.shifts(center, reach, lo, hi);
            for shift in shifts.iter().filter(|&shift| shift != [0; D] && (j != h || is_positive(shift))) {
                let seen_from = view.images.seen_from(center, shift);
                let position = std::array::from_fn(|axis| R::from_f64(seen_from[axis] - view.origin[axis]));
                self.search_level(j, Window::ALL, p, position, shift, sink);
                self.test_waiting(shift, sink);
                self.emit(shift, sink);
            }
        }
    }
}

/// A call of [`BlockSearch::search`], compiled once for each kernel.
struct SearchTask<'s, 'a, K, I, R, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, I, R, D>,
    task: &'s [Job],
    sink: &'s mut S,
}

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize> Work
    for SearchTask<'_, '_, K, I, R, S, D>
{
    #[inline(always)]
    fn run(self) {
        self.search.search(self.task, self.sink);
    }
}

/// Counts ranges and their bodies.
pub(super) struct Count<'a, S, const D: usize> {
    pub sink: &'a mut S,
}

impl<S: PairSink<D>, const D: usize> RangeVisitor for Count<'_, S, D> {
    fn range(&mut self, bodies: Range<usize>) {
        self.sink.cells(1);
        self.sink.candidates(bodies.len() as u64);
    }
}

/// Counts rows and their bodies.
struct CountRows<'a, I, S, const D: usize> {
    index: &'a I,
    sink: &'a mut S,
}

impl<I: RowIndex<D>, S: PairSink<D>, const D: usize> RowVisitor for CountRows<'_, I, S, D> {
    fn rows(&mut self, rows: &Rows, wanted: u32) {
        for row in rows.wanted(wanted) {
            Count { sink: self.sink }.range(self.index.bodies_of(row));
        }
    }
}
