//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::columns::Lanes;
use super::hits::{CHUNK, Hits, MOST_TESTS};
use super::kernel::{Kernel, LANES, Query, Work};
use super::keys::LevelGrids;
use super::real::Real;
use super::rows::{LevelRows, RangeVisitor, RowIndex};
use super::schedule::Task;
use crate::detector::Direction;
use crate::detectors::toolkit::{Batch, Images};
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use std::marker::PhantomData;
use std::ops::Range;

/// Bodies searched at a time.
const BLOCK: usize = 64;

/// Bodies per range of their own level from which on two vectors are tested at once.
const FULL_VECTOR: f64 = 5.5;

/// Pairs handed to the sink at a time, at least.
const EMITTED: usize = 1 << 11;

/// Everything a search reads.
#[derive(Clone, Copy)]
pub(super) struct View<'a, I, R, const D: usize> {
    pub now: Snapshot<'a, D>,
    pub images: &'a Images<D>,
    pub grids: &'a LevelGrids<D>,
    pub bodies: Lanes<'a, R, D>,
    pub index: I,
    /// Geometry of the levels in the precision of the columns.
    pub rows: &'a [LevelRows<R, D>],
    pub direction: Direction,
    /// Bound on the error of a difference of stored coordinates.
    pub blur: f64,
    /// The corner that stored positions are relative to.
    pub origin: [f64; D],
}

impl<I, R: Real, const D: usize> View<'_, I, R, D> {
    /// How far below or above zero `d² - s²` may come out wrong for bodies that touch within `reach`: errors of
    /// coordinates (linear and squared) and of the arithmetic itself.
    #[inline(always)]
    fn band(&self, reach: R) -> R {
        let blur = R::from_f64(self.blur);
        let eight = R::from_f64(8.0);
        eight * (reach * (blur + R::from_f64(R::ROUNDING) * reach) + (blur + blur) * blur)
    }

    /// Distance within which body `p` may touch bodies of level `j`, widened so that no row is missed by rounding.
    #[inline(always)]
    fn reach(&self, p: usize, j: usize) -> R {
        let widened = 1.0 + 8.0 * R::ROUNDING;
        let others = self.grids.list[j].max_radius + self.now.contact_margin() / 2.0;
        self.bodies.radius[p] * R::from_f64(widened) + R::from_f64(others * widened + 16.0 * self.blur)
    }
}

/// Searches for the partners of the bodies of some tasks with a kernel that the processor has.
pub(super) fn run<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize>(
    view: View<'_, I, R, D>,
    tasks: &[Task],
    sink: &mut S,
) {
    let mut search = BlockSearch::<K, I, R, D>::new(view);
    for task in tasks {
        K::run(SearchTask { search: &mut search, task, sink });
    }
}

/// The search of blocks of bodies with one kernel. Its memory serves block after block.
struct BlockSearch<'a, K, I, R, const D: usize> {
    view: View<'a, I, R, D>,
    hits: Hits,
    waiting: Waiting<R, D>,
    /// Bodies of a block that the quick search leaves to the thorough one.
    left_over: Vec<LeftOver>,
    /// For each body of a block, which neighbours it touches among the first and among the next of each range.
    quick: Box<[[u64; BLOCK]; 2]>,
    pairs: Vec<[u32; 2]>,
    /// The shifts of pairs within the box: as many as `pairs` has room for, or none in open domains.
    no_shifts: Vec<[i32; D]>,
    batch: Batch<D>,
    border: Border<R, D>,
    kernel: PhantomData<K>,
}

impl<'a, K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, const D: usize> BlockSearch<'a, K, I, R, D> {
    fn new(view: View<'a, I, R, D>) -> Self {
        let room = EMITTED + BLOCK * 5 * 2 * LANES + LANES;
        Self {
            view,
            hits: Hits::new(),
            waiting: Waiting::new(),
            left_over: Vec::with_capacity(BLOCK),
            quick: Box::new([[0; BLOCK]; 2]),
            pairs: vec![[0; 2]; room],
            no_shifts: vec![[0; D]; if view.images.are_periodic() { room } else { 0 }],
            batch: Batch::new(view.images.are_periodic()),
            border: Border::new(&view),
            kernel: PhantomData,
        }
    }

    /// Searches for the partners of the bodies of a task.
    #[inline(always)]
    fn search<S: PairSink<D>>(&mut self, task: &Task, sink: &mut S) {
        for first in task.bodies.clone().step_by(BLOCK) {
            self.search_block(task.level, first..task.bodies.end.min(first + BLOCK), sink);
        }
        self.emit([0; D], sink);
        self.batch.flush(sink);
    }

    #[inline(always)]
    fn search_block<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        self.search_own_level(h, block.clone(), sink);
        let partners = view.direction.partners(h, view.grids.list.len());
        for j in partners.clone() {
            for p in block.clone() {
                self.search_level(j, p, view.bodies.position_of(p), [0; D], sink);
            }
        }
        self.test_waiting([0; D], sink);
        if view.images.are_periodic() {
            self.search_images(h, block, partners, sink);
        }
    }

    /// Tests the bodies of a block against later bodies of their own level: quickly, and then thoroughly what is left.
    #[inline(always)]
    fn search_own_level<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        let stencil = view.index.stencil(h);
        let reach = R::from_f64(2.0 * view.grids.list[h].max_radius * (1.0 + 8.0 * R::ROUNDING));
        let band = view.band(reach);
        let margin = R::from_f64(view.now.contact_margin());
        if S::COUNTS {
            for p in block.clone() {
                view.index.visit_own(&stencil, p, view.bodies.keys[p], &mut Count { sink });
            }
        }
        self.left_over.clear();
        if !I::QUICK {
            self.left_over.extend(block.map(|p| LeftOver { p, tested: 0 }));
        } else if view.index.own_range_len(h) < FULL_VECTOR {
            self.search_quickly::<1>(&stencil, block.clone(), band, margin);
            self.emit_quick::<1, S>(&stencil, block, sink);
        } else {
            self.search_quickly::<2>(&stencil, block.clone(), band, margin);
            self.emit_quick::<2, S>(&stencil, block, sink);
        }
        for k in 0..self.left_over.len() {
            let LeftOver { p, tested } = self.left_over[k];
            let position = view.bodies.position_of(p);
            self.waiting.seek(p, position, view.bodies.radius[p] + margin, band);
            let gather = Gather { search: self, shift: [0; D], sink };
            view.index.visit_own(&stencil, p, view.bodies.keys[p], &mut Rest { tested, gather });
        }
    }

    /// Tests the first `V` vectors of bodies in every range by the kernel alone. What lies behind in longer ranges, and all
    /// ranges of bodies for which rounding could matter, are left over.
    #[inline(always)]
    fn search_quickly<const V: usize>(&mut self, stencil: &I::Stencil, block: Range<usize>, band: R, margin: R) {
        let view = self.view;
        let band = K::splat(band);
        let own = view.bodies.of(block.clone());
        for k in 0..own.radius.len() {
            let p = block.start + k;
            let query = Query { position: own.position_of(k).map(K::splat), radius: K::splat(own.radius[k] + margin) };
            let nearest = K::splat(R::from_f64(f64::INFINITY));
            let mut quick =
                Quick::<K, R, D, V> { bodies: &view.bodies, query, nearest, masks: [0; V], ranges: 0, longest: 0 };
            view.index.visit_own(stencil, p, own.keys[k], &mut quick);
            for v in 0..V {
                self.quick[v][k] = quick.masks[v];
            }
            if (quick.longest > V * LANES) | (K::within(quick.nearest, band) != 0) {
                let sure = quick.longest <= K::MOST_LEFT && K::within(quick.nearest, band) == 0;
                for v in 0..V {
                    self.quick[v][k] *= u64::from(sure);
                }
                self.left_over.push(LeftOver { p, tested: if sure { V * LANES } else { 0 } });
            }
        }
        for v in 0..V {
            self.quick[v][own.radius.len()..].fill(0);
        }
    }

    /// Turns what the quick search found into pairs; in periodic domains, into hits like others.
    #[inline(always)]
    fn emit_quick<const V: usize, S: PairSink<D>>(&mut self, stencil: &I::Stencil, block: Range<usize>, sink: &mut S) {
        let bodies = self.view.bodies;
        let periodic = self.view.images.are_periodic();
        if periodic && self.hits.len() > MOST_TESTS - BLOCK * CHUNK / 8 * V {
            self.emit([0; D], sink);
        }
        let mut at = self.hits.len();
        let mut count = 0;
        for v in 0..V {
            for (k, masks) in (block.start..).step_by(8).zip(self.quick[v].as_chunks::<8>().0) {
                let masks: [u8; CHUNK] = std::array::from_fn(|test| (masks[test / 8] >> (8 * (test % 8))) as u8);
                let mut touching = K::touching(&masks);
                while touching != 0 {
                    let test = touching.trailing_zeros() as usize % CHUNK;
                    touching &= touching - 1;
                    let p = k + test / 8;
                    let first = self.view.index.start_of(stencil, p, bodies.keys[p], test % 8) + v * LANES;
                    if periodic {
                        self.hits.write(at, p, first, u32::from(masks[test]));
                        at += 1;
                    } else {
                        count = K::write(bodies.ids, p, first, masks[test], &mut self.pairs, count);
                    }
                }
            }
        }
        self.hits.set_len(at);
        sink.pairs(&self.pairs[..count], &[]);
    }

    /// Has body `p`, as if it were at `position`, tested against all bodies of level `j` in reach.
    #[inline(always)]
    fn search_level<S: PairSink<D>>(&mut self, j: usize, p: usize, position: [R; D], shift: [i32; D], sink: &mut S) {
        let view = self.view;
        let reach = view.reach(p, j);
        let radius = view.bodies.radius[p] + R::from_f64(view.now.contact_margin());
        if S::COUNTS {
            view.rows[j].visit_within(&view.index, j, position, reach, &mut Count { sink });
        }
        self.waiting.seek(p, position, radius, view.band(reach));
        view.rows[j].visit_within(&view.index, j, position, reach, &mut Gather { search: self, shift, sink });
    }

    /// Searches the images of the bodies of a block across periodic borders.
    #[inline(always)]
    fn search_images<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, partners: Range<usize>, sink: &mut S) {
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
            let level = &view.grids.list[j];
            let reach = view.now.radii()[id] + level.max_radius + view.now.contact_margin() + view.now.rounding_slack();
            let (lo, hi) = level.grid.bounds();
            let shifts = view.images.shifts(center, reach, lo, hi);
            for shift in shifts.iter().filter(|&shift| shift != [0; D] && (j != h || is_positive(shift))) {
                let seen_from = view.images.seen_from(center, shift);
                let position = std::array::from_fn(|axis| R::from_f64(seen_from[axis] - view.origin[axis]));
                self.search_level(j, p, position, shift, sink);
                self.test_waiting(shift, sink);
                self.emit(shift, sink);
            }
        }
    }

    /// Tests all ranges that wait, for the images `shift` periods away.
    #[inline(always)]
    fn test_waiting<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.waiting.count > 0 {
            K::run(TestWaiting { search: self, shift, sink });
        }
    }

    /// Turns hits, found `shift` periods apart as stored, into pairs.
    #[inline(always)]
    fn emit<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.hits.len() > 0 {
            K::run(Emit { search: self, shift, sink });
        }
    }

    /// By the kernel, and where that is in doubt by the one overlap test. One vector of candidates after the other,
    /// whatever range it belongs to: nothing to guess for the processor.
    #[inline(always)]
    fn test_waiting_inline<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        let count = self.waiting.close();
        let mut at = self.hits.len();
        let mut k = 0;
        let mut first = self.waiting.ranges[0].first;
        while k < count {
            let view = &self.view;
            let range = self.waiting.ranges[k];
            let seeker = &self.waiting.seekers[range.seeker as usize];
            let owner = seeker.p;
            let query = Query { position: seeker.position.map(K::splat), radius: K::splat(seeker.radius) };
            let lanes = K::test(&view.bodies, first as usize, &query);
            let left = (range.end - first) as usize;
            let tested = left.min(LANES);
            let mut touching = K::lanes_left(K::negative(lanes), tested);
            let doubtful = K::lanes_left(K::within(K::size(lanes), K::splat(seeker.band)), tested);
            if doubtful != 0 {
                touching = touching & !doubtful | test_exactly(view, owner, first as usize, doubtful, shift);
            }
            if at == MOST_TESTS {
                self.hits.set_len(at);
                self.emit(shift, sink);
                at = 0;
            }
            self.hits.write(at, owner, first as usize, touching);
            at += 1;
            let done = left <= LANES;
            k += usize::from(done);
            first = std::hint::select_unpredictable(done, self.waiting.ranges[k].first, first + LANES as u32);
        }
        self.hits.set_len(at);
    }

    #[inline(always)]
    fn emit_inline<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        let ids = self.view.bodies.ids;
        let images = self.view.images;
        if shift != [0; D] || images.any_outside() {
            for test in self.hits.chunks().flat_map(|chunk| chunk.tests()) {
                let i = ids[test.owner];
                for lane in (0..LANES).filter(|lane| test.mask >> lane & 1 == 1) {
                    let j = ids[test.first + lane];
                    self.batch.push(i, j, images.reported_shift(i as usize, j as usize, shift), sink);
                }
            }
            self.hits.set_len(0);
            return;
        }
        let mut count = 0;
        for chunk in self.hits.chunks() {
            let mut touching = K::touching(chunk.masks) & chunk.valid;
            while touching != 0 {
                let test = chunk.test(touching.trailing_zeros() as usize);
                touching &= touching - 1;
                count = K::write(ids, test.owner, test.first, test.mask, &mut self.pairs, count);
            }
            if count > EMITTED {
                sink.pairs(&self.pairs[..count], &self.no_shifts[..count.min(self.no_shifts.len())]);
                count = 0;
            }
        }
        sink.pairs(&self.pairs[..count], &self.no_shifts[..count.min(self.no_shifts.len())]);
        self.hits.set_len(0);
    }
}

/// The search for the partners of the bodies of a task.
struct SearchTask<'s, 'a, K, I, R, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, I, R, D>,
    task: &'s Task,
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

/// A call of [`BlockSearch::test_waiting`], compiled once for each kernel.
struct TestWaiting<'s, 'a, K, I, R, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, I, R, D>,
    shift: [i32; D],
    sink: &'s mut S,
}

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize> Work
    for TestWaiting<'_, '_, K, I, R, S, D>
{
    #[inline(always)]
    fn run(self) {
        self.search.test_waiting_inline(self.shift, self.sink);
    }
}

/// A call of [`BlockSearch::emit`], compiled once for each kernel.
struct Emit<'s, 'a, K, I, R, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, I, R, D>,
    shift: [i32; D],
    sink: &'s mut S,
}

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize> Work
    for Emit<'_, '_, K, I, R, S, D>
{
    #[inline(always)]
    fn run(self) {
        self.search.emit_inline(self.shift, self.sink);
    }
}

/// Where images begin to matter.
struct Border<R, const D: usize> {
    lo: [R; D],
    hi: [R; D],
}

impl<R: Real, const D: usize> Border<R, D> {
    fn new<I>(view: &View<'_, I, R, D>) -> Self {
        let mut border = Self { lo: [R::from_f64(f64::NEG_INFINITY); D], hi: [R::from_f64(f64::INFINITY); D] };
        let bounds = view.grids.list.iter().map(|level| level.grid.bounds());
        let (lo, hi) = bounds
            .reduce(|a, b| {
                let smaller = std::array::from_fn(|axis| a.0[axis].min(b.0[axis]));
                (smaller, std::array::from_fn(|axis| a.1[axis].max(b.1[axis])))
            })
            .unwrap_or(([0.0; D], [0.0; D]));
        for axis in 0..D {
            if let Some(length) = view.images.period(axis) {
                border.lo[axis] = R::from_f64(hi[axis] - length - view.origin[axis]);
                border.hi[axis] = R::from_f64(lo[axis] + length - view.origin[axis]);
            }
        }
        border
    }

    /// Whether an image of a body may be within `reach` of `position`.
    #[inline(always)]
    fn is_near(&self, position: [R; D], reach: R) -> bool {
        (0..D).any(|axis| position[axis] - reach <= self.lo[axis] || position[axis] + reach >= self.hi[axis])
    }
}

/// Most ranges that wait.
const MOST_WAITING: usize = 1 << 10;

/// Ranges that wait for the thorough test, and the bodies that search them.
struct Waiting<R, const D: usize> {
    seekers: Vec<Seeker<R, D>>,
    /// One more than may wait.
    ranges: Box<[WaitingRange; MOST_WAITING + 1]>,
    count: usize,
}

/// A body that searches, where it searches from.
#[derive(Debug, Clone, Copy)]
struct Seeker<R, const D: usize> {
    position: [R; D],
    /// Radius plus margin.
    radius: R,
    band: R,
    p: usize,
}

/// Bodies to be tested, and number of the seeker.
#[derive(Debug, Clone, Copy, Default)]
struct WaitingRange {
    first: u32,
    end: u32,
    seeker: u32,
}

impl<R: Real, const D: usize> Waiting<R, D> {
    fn new() -> Self {
        Self { seekers: Vec::new(), ranges: Box::new([WaitingRange::default(); MOST_WAITING + 1]), count: 0 }
    }

    /// The next ranges are those of body `p`.
    #[inline(always)]
    fn seek(&mut self, p: usize, position: [R; D], radius: R, band: R) {
        if self.count == 0 {
            self.seekers.clear();
        }
        self.seekers.push(Seeker { position, radius, band, p });
    }

    /// Adds a range, if it is not empty.
    #[inline(always)]
    fn push(&mut self, range: Range<usize>) {
        let seeker = self.seekers.len() as u32 - 1;
        self.ranges[self.count] = WaitingRange { first: range.start as u32, end: range.end as u32, seeker };
        self.count += usize::from(range.start < range.end);
    }

    /// The number of ranges, which wait no longer.
    #[inline(always)]
    fn close(&mut self) -> usize {
        std::mem::take(&mut self.count)
    }
}

/// Puts ranges among those that wait.
struct Gather<'s, 'a, K, I, R, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, I, R, D>,
    shift: [i32; D],
    sink: &'s mut S,
}

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, S: PairSink<D>, const D: usize> RangeVisitor
    for Gather<'_, '_, K, I, R, S, D>
{
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        if self.search.waiting.count == MOST_WAITING {
            self.search.test_waiting(self.shift, self.sink);
        }
        self.search.waiting.push(bodies);
    }
}

/// A body whose own level is not fully searched: how much of each range is.
#[derive(Debug, Clone, Copy)]
struct LeftOver {
    p: usize,
    tested: usize,
}

/// Tests the first `V` vectors of bodies in each range by the kernel alone and keeps in mind how sure that was. Nothing is
/// called and nothing allocated, so that all of it stays in registers.
struct Quick<'a, K: Kernel<R, D>, R: Real, const D: usize, const V: usize> {
    bodies: &'a Lanes<'a, R, D>,
    query: Query<K::Vector, D>,
    nearest: K::Vector,
    /// Eight bits per range: who touches.
    masks: [u64; V],
    /// Ranges tested.
    ranges: usize,
    longest: usize,
}

impl<K: Kernel<R, D>, R: Real, const D: usize, const V: usize> RangeVisitor for Quick<'_, K, R, D, V> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let left = bodies.end - bodies.start;
        for v in 0..V {
            let lanes = K::test(self.bodies, bodies.start + v * LANES, &self.query);
            self.nearest = K::smaller(self.nearest, K::size(lanes));
            let left = if v == 0 { left } else { left.saturating_sub(v * LANES) };
            let mask = K::lanes_left(K::negative(lanes), left);
            self.masks[v] |= u64::from(mask) << (8 * self.ranges);
        }
        self.ranges += 1;
        self.longest = self.longest.max(left);
    }
}

/// Puts what is not yet tested of ranges among those that wait.
struct Rest<G> {
    tested: usize,
    gather: G,
}

impl<G: RangeVisitor> RangeVisitor for Rest<G> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.gather.range(bodies.start + self.tested..bodies.end);
    }
}

/// Counts ranges and their bodies.
struct Count<'a, S, const D: usize> {
    sink: &'a mut S,
}

impl<S: PairSink<D>, const D: usize> RangeVisitor for Count<'_, S, D> {
    fn range(&mut self, bodies: Range<usize>) {
        self.sink.cells(1);
        self.sink.candidates(bodies.len() as u64);
    }
}

/// Which of the `lanes` of the bodies `first..first + LANES` touch body `p`, `shift` periods away as stored.
#[cold]
#[inline(never)]
fn test_exactly<I, R: Real, const D: usize>(
    view: &View<'_, I, R, D>,
    p: usize,
    first: usize,
    lanes: u32,
    shift: [i32; D],
) -> u32 {
    let i = view.bodies.ids[p] as usize;
    let mut touching = 0;
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
        let j = view.bodies.ids[first + lane] as usize;
        let shift = view.images.reported_shift(i, j, shift);
        touching |= u32::from(view.now.overlaps(i, j, shift)) << lane;
    }
    touching
}
