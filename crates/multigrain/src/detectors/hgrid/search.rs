//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::columns::Lanes;
use super::kernel::{BLOCK, Hit, Kernel, LANES, Query, lanes_left};
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

/// Hits turned into pairs at a time.
const EMITTED: usize = 512;

/// Bodies in one range up to which the quick search of a body's own level copes; longer ones are left to the thorough
/// one. The hits of a block have a known bound then.
const SHORT: usize = 8 * LANES;

/// Bound on the hits that the quick search of a block leaves: own row and up to 4 others per body.
const MOST_HITS: usize = BLOCK * 5 * SHORT / LANES;

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

/// The search of blocks of bodies with one kernel. Its memory serves block after block.
pub(super) struct BlockSearch<'a, K, I, R, const D: usize> {
    view: View<'a, I, R, D>,
    hits: Hits,
    pairs: Vec<[u32; 2]>,
    batch: Batch<D>,
    /// Bodies of a block that the quick search leaves to the thorough one.
    left_over: Vec<usize>,
    kernel: PhantomData<K>,
}

impl<'a, K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, const D: usize> BlockSearch<'a, K, I, R, D> {
    pub fn new(view: View<'a, I, R, D>) -> Self {
        Self {
            view,
            hits: Hits::new(),
            pairs: vec![[0; 2]; (EMITTED + 1) * LANES],
            batch: Batch::new(view.images.are_periodic()),
            left_over: Vec::with_capacity(BLOCK),
            kernel: PhantomData,
        }
    }

    /// Searches for the partners of the bodies of a task.
    #[inline(always)]
    pub fn search<S: PairSink<D>>(&mut self, task: &Task, sink: &mut S) {
        for first in task.bodies.clone().step_by(BLOCK) {
            self.search_block(task.level, first..task.bodies.end.min(first + BLOCK), sink);
        }
        self.batch.flush(sink);
    }

    #[inline(always)]
    fn search_block<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        self.search_own_level(h, block.clone(), sink);
        let partners = view.direction.partners(h, view.grids.list.len());
        if !partners.is_empty() {
            let mut hits = std::mem::take(&mut self.hits);
            for p in block.clone() {
                let body = self.body(p, p - block.start);
                for j in partners.clone() {
                    hits = self.search_level(j, &body, hits, sink);
                }
            }
            self.hits = hits;
        }
        self.emit(block.start, [0; D], sink);
        if view.images.are_periodic() {
            for p in block {
                self.search_images(h, p, partners.clone(), sink);
            }
        }
    }

    /// Tests the bodies of a block against later bodies of their own level: quickly, then once more and thoroughly those
    /// few for which that was not enough.
    #[inline(always)]
    fn search_own_level<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        let stencil = view.index.stencil(h);
        let reach = R::from_f64(2.0 * view.grids.list[h].max_radius * (1.0 + 8.0 * R::ROUNDING));
        let band = K::splat(view.band(reach));
        let margin = R::from_f64(view.now.contact_margin());
        debug_assert!(self.hits.count == 0 && self.hits.list.len() >= MOST_HITS);
        for p in block.clone() {
            let query = Query {
                position: view.bodies.position_of(p).map(K::splat),
                radius: K::splat(view.bodies.radius[p] + margin),
            };
            let nearest = K::splat(R::from_f64(f64::INFINITY));
            let (list, count) = (&mut self.hits.list[..], self.hits.count);
            let own = p - block.start;
            let mut quick =
                Quick::<K, R, D> { bodies: &view.bodies, query, nearest, own, list, count, too_long: false };
            view.index.visit_own(&stencil, p, &mut quick);
            if quick.too_long || K::any_within(quick.nearest, band) {
                self.left_over.push(p);
            } else {
                self.hits.count = quick.count;
            }
        }
        if S::COUNTS {
            for p in block.clone() {
                view.index.visit_own(&stencil, p, &mut Count { sink });
            }
        }
        let mut hits = std::mem::take(&mut self.hits);
        for &p in &self.left_over {
            let body = self.body(p, p - block.start);
            let mut tester = self.tester(&body, reach, hits);
            view.index.visit_own(&stencil, p, &mut tester);
            hits = tester.hits;
        }
        self.hits = hits;
        self.left_over.clear();
    }

    /// Body `p`, number `own` of its block, where it is stored.
    #[inline(always)]
    fn body(&self, p: usize, own: usize) -> Body<R, D> {
        let margin = R::from_f64(self.view.now.contact_margin());
        let position = self.view.bodies.position_of(p);
        Body { p, own, position, radius: self.view.bodies.radius[p] + margin, shift: [0; D] }
    }

    /// Tests a body against all bodies of level `j` in reach.
    #[inline(always)]
    fn search_level<S: PairSink<D>>(&self, j: usize, body: &Body<R, D>, hits: Hits, sink: &mut S) -> Hits {
        let view = self.view;
        let reach = view.reach(body.p, j);
        let mut tester = self.tester(body, reach, hits);
        view.rows[j].visit_within(&view.index, j, body.position, reach, &mut tester);
        if S::COUNTS {
            view.rows[j].visit_within(&view.index, j, body.position, reach, &mut Count { sink });
        }
        tester.hits
    }

    /// Searches the images of body `p` across periodic borders: on its own level one half of them, as its partners do
    /// the other half; on the levels it searches all.
    #[inline(never)]
    fn search_images<S: PairSink<D>>(&mut self, h: usize, p: usize, partners: Range<usize>, sink: &mut S) {
        let view = self.view;
        let id = view.bodies.ids[p] as usize;
        let center = view.images.stored_center(id, view.now.centers()[id]);
        let radius = view.bodies.radius[p] + R::from_f64(view.now.contact_margin());
        for j in partners.chain([h]) {
            let level = &view.grids.list[j];
            let reach = view.now.radii()[id] + level.max_radius + view.now.contact_margin() + view.now.rounding_slack();
            let (lo, hi) = level.grid.bounds();
            let shifts = view.images.shifts(center, reach, lo, hi);
            if shifts.is_home_only() {
                continue;
            }
            for shift in shifts.iter().filter(|&shift| shift != [0; D] && (j != h || is_positive(shift))) {
                let seen_from = view.images.seen_from(center, shift);
                let position = std::array::from_fn(|axis| R::from_f64(seen_from[axis] - view.origin[axis]));
                let hits = std::mem::take(&mut self.hits);
                self.hits = self.search_level(j, &Body { p, own: 0, position, radius, shift }, hits, sink);
                self.emit(p, shift, sink);
            }
        }
    }

    /// The thorough test for a body that others touch within `reach` or not at all.
    #[inline(always)]
    fn tester(&self, body: &Body<R, D>, reach: R, hits: Hits) -> Tester<'_, K, I, R, D> {
        let query = Query { position: body.position.map(K::splat), radius: K::splat(body.radius) };
        let band = K::splat(self.view.band(reach));
        Tester { view: &self.view, query, band, p: body.p, own: body.own, shift: body.shift, hits }
    }

    /// Turns the hits of a block that begins with body `first` into pairs.
    #[inline(always)]
    fn emit<S: PairSink<D>>(&mut self, first: usize, shift: [i32; D], sink: &mut S) {
        let hits = self.hits.take();
        let ids = self.view.bodies.ids;
        if !self.view.images.are_periodic() {
            for hits in hits.chunks(EMITTED) {
                let count = K::emit(ids, first, hits, &mut self.pairs);
                sink.pairs(&self.pairs[..count], &[]);
            }
            return;
        }
        for hit in hits {
            let i = ids[first + hit.own()];
            for lane in (0..LANES).filter(|lane| hit.mask() >> lane & 1 == 1) {
                let j = ids[hit.first() + lane];
                let shift = self.view.images.reported_shift(i as usize, j as usize, shift);
                self.batch.push(i, j, shift, sink);
            }
        }
    }
}

/// A searching body.
struct Body<R, const D: usize> {
    p: usize,
    /// Its number in its block.
    own: usize,
    position: [R; D],
    /// Radius plus margin.
    radius: R,
    /// Which images of other bodies it sees as if they were stored.
    shift: [i32; D],
}

/// Hits of a block, appended without a branch. Handed around by value, so that it stays in registers.
#[derive(Default)]
struct Hits {
    list: Vec<Hit>,
    count: usize,
}

impl Hits {
    fn new() -> Self {
        Self { list: vec![Hit::new(0, 0, 0); MOST_HITS + 1], count: 0 }
    }

    /// Adds a hit if any bit of its mask is set.
    #[inline(always)]
    fn push(&mut self, own: usize, first: usize, mask: u32) {
        if self.count == self.list.len() {
            self.list = grown(std::mem::take(&mut self.list));
        }
        self.list[self.count] = Hit::new(own, first, mask);
        self.count += usize::from(mask != 0);
    }

    /// All hits; the next one begins anew.
    #[inline(always)]
    fn take(&mut self) -> &[Hit] {
        &self.list[..std::mem::take(&mut self.count)]
    }
}

#[cold]
#[inline(never)]
fn grown(mut list: Vec<Hit>) -> Vec<Hit> {
    list.resize(2 * list.len(), Hit::new(0, 0, 0));
    list
}

/// Tests short ranges by the kernel alone and keeps in mind how sure that was. Nothing is called and nothing allocated,
/// so that all of it stays in registers.
struct Quick<'a, K: Kernel<R, D>, R: Real, const D: usize> {
    bodies: &'a Lanes<'a, R, D>,
    query: Query<K::Vector, D>,
    nearest: K::Vector,
    own: usize,
    list: &'a mut [Hit],
    count: usize,
    too_long: bool,
}

impl<K: Kernel<R, D>, R: Real, const D: usize> Quick<'_, K, R, D> {
    #[inline(always)]
    fn test(&mut self, first: usize, left: usize) {
        let lanes = K::test(self.bodies, first, &self.query);
        self.nearest = K::smaller(self.nearest, K::size(lanes));
        let mask = lanes_left(K::negative(lanes), left);
        // There is a place: the list has more than MOST_HITS, a block begins with none taken, and each of its at most BLOCK
        // bodies visits at most 5 ranges of at most SHORT bodies.
        self.list[self.count] = Hit::new(self.own, first, mask);
        self.count += usize::from(mask != 0);
    }
}

impl<K: Kernel<R, D>, R: Real, const D: usize> RangeVisitor for Quick<'_, K, R, D> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let mut first = bodies.start;
        let mut left = bodies.end - bodies.start;
        if left > LANES {
            if left > SHORT {
                self.too_long = true;
                return;
            }
            while left > LANES {
                self.test(first, LANES);
                first += LANES;
                left -= LANES;
            }
        }
        self.test(first, left);
    }
}

/// Tests ranges by the kernel, and vectors where that is in doubt by the one overlap test.
struct Tester<'a, K: Kernel<R, D>, I, R: Real, const D: usize> {
    view: &'a View<'a, I, R, D>,
    query: Query<K::Vector, D>,
    band: K::Vector,
    p: usize,
    own: usize,
    shift: [i32; D],
    hits: Hits,
}

impl<K: Kernel<R, D>, I, R: Real, const D: usize> Tester<'_, K, I, R, D> {
    #[inline(always)]
    fn test(&mut self, first: usize, left: usize) {
        let lanes = K::test(&self.view.bodies, first, &self.query);
        let mut touching = K::negative(lanes);
        if K::any_within(K::size(lanes), self.band) {
            touching = test_exactly(self.view, self.p, first, self.shift);
        }
        self.hits.push(self.own, first, lanes_left(touching, left));
    }
}

impl<K: Kernel<R, D>, I, R: Real, const D: usize> RangeVisitor for Tester<'_, K, I, R, D> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let mut first = bodies.start;
        let mut left = bodies.end - bodies.start;
        while left > LANES {
            self.test(first, LANES);
            first += LANES;
            left -= LANES;
        }
        self.test(first, left);
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

/// Which of the bodies `first..first + LANES` touch body `p`, `shift` periods away as stored.
#[cold]
#[inline(never)]
fn test_exactly<I, R: Real, const D: usize>(view: &View<'_, I, R, D>, p: usize, first: usize, shift: [i32; D]) -> u32 {
    let i = view.bodies.ids[p] as usize;
    let end = (first + LANES).min(view.now.len());
    let mut touching = 0;
    for q in first..end {
        let j = view.bodies.ids[q] as usize;
        let shift = view.images.reported_shift(i, j, shift);
        touching |= u32::from(view.now.overlaps(i, j, shift)) << (q - first);
    }
    touching
}
