//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::columns::Lanes;
use super::kernel::{BLOCK, Hit, Kernel, LANES, Query, lanes_left};
use super::keys::KeySpace;
use super::real::Real;
use super::rows::{LevelRows, OwnLevel, RangeVisitor, Ranges, Stencil, WithinReach};
use crate::detector::Direction;
use crate::detectors::toolkit::{Batch, Images};
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use std::marker::PhantomData;
use std::ops::Range;

/// Hits turned into pairs at a time.
const EMITTED: usize = 512;

/// Everything a search reads.
#[derive(Clone, Copy)]
pub(super) struct View<'a, R, const D: usize> {
    pub now: Snapshot<'a, D>,
    pub images: &'a Images<D>,
    pub bodies: Lanes<'a, R, D>,
    /// Where the bodies of each key end.
    pub ends: &'a [u32],
    pub space: &'a KeySpace<D>,
    /// Geometry of the levels in the precision of the columns.
    pub rows: &'a [LevelRows<R, D>],
    pub direction: Direction,
    /// Bound on the error of a difference of stored coordinates.
    pub blur: f64,
    /// The corner that stored positions are relative to.
    pub origin: [f64; D],
}

impl<R: Real, const D: usize> View<'_, R, D> {
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
        let others = self.space.levels[j].max_radius + self.now.contact_margin() / 2.0;
        self.bodies.radius[p] * R::from_f64(widened) + R::from_f64(others * widened + 16.0 * self.blur)
    }
}

/// The search of blocks of bodies with one kernel. Its memory serves block after block.
pub(super) struct BlockSearch<'a, K, R, const D: usize> {
    view: View<'a, R, D>,
    hits: Hits,
    pairs: Vec<[u32; 2]>,
    batch: Batch<D>,
    kernel: PhantomData<K>,
}

impl<'a, K: Kernel<R, D>, R: Real, const D: usize> BlockSearch<'a, K, R, D> {
    pub fn new(view: View<'a, R, D>) -> Self {
        let pairs = vec![[0; 2]; (EMITTED + 1) * LANES];
        Self { view, hits: Hits::new(), pairs, batch: Batch::new(view.images.are_periodic()), kernel: PhantomData }
    }

    /// Searches for the partners of the sorted bodies `bodies`.
    #[inline(always)]
    pub fn search<S: PairSink<D>>(&mut self, bodies: Range<usize>, sink: &mut S) {
        let mut first = bodies.start;
        for h in 0..self.view.space.levels.len() {
            let level_end = self.view.ends[self.view.space.levels[h].end as usize - 1] as usize;
            while first < level_end.min(bodies.end) {
                let block = first..level_end.min(bodies.end).min(first + BLOCK);
                first = block.end;
                self.search_block(h, block, sink);
            }
        }
        self.batch.flush(sink);
    }

    #[inline(always)]
    fn search_block<S: PairSink<D>>(&mut self, h: usize, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        let level = &view.space.levels[h];
        let margin = R::from_f64(view.now.contact_margin());
        let body = |p: usize| Body {
            p,
            own: p - block.start,
            position: view.bodies.position_of(p),
            radius: view.bodies.radius[p] + margin,
            shift: [0; D],
        };
        let stencil = Stencil::new(level);
        let band = view.band(R::from_f64(2.0 * level.max_radius * (1.0 + 8.0 * R::ROUNDING)));
        let mut hits = std::mem::take(&mut self.hits);
        for p in block.clone() {
            let key = view.bodies.keys[p] as usize;
            hits = self.test(OwnLevel { ends: view.ends, p, key, stencil: &stencil }, &body(p), band, hits, sink);
        }
        let partners = view.direction.partners(h, view.space.levels.len());
        if !partners.is_empty() {
            for p in block.clone() {
                for j in partners.clone() {
                    hits = self.search_level(j, &body(p), hits, sink);
                }
            }
        }
        self.hits = hits;
        self.emit(block.start, [0; D], sink);
        if view.images.are_periodic() {
            for p in block {
                self.search_images(h, p, partners.clone(), sink);
            }
        }
    }

    /// Tests a body against all bodies of level `j` in reach.
    #[inline(always)]
    fn search_level<S: PairSink<D>>(&self, j: usize, body: &Body<R, D>, hits: Hits, sink: &mut S) -> Hits {
        let view = self.view;
        let reach = view.reach(body.p, j);
        let ranges = WithinReach { ends: view.ends, rows: &view.rows[j], position: body.position, reach };
        self.test(ranges, body, view.band(reach), hits, sink)
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
            let level = &view.space.levels[j];
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

    /// Tests a body against all bodies of `ranges`: by the kernel, and where that may have erred again by the exact test.
    #[inline(always)]
    fn test<S: PairSink<D>>(&self, ranges: impl Ranges, body: &Body<R, D>, band: R, hits: Hits, sink: &mut S) -> Hits {
        let mark = hits.count;
        let query = Query { position: body.position.map(K::splat), radius: K::splat(body.radius) };
        let nearest = K::splat(R::INFINITY);
        let mut quick = Quick::<K, S, R, D> { bodies: self.view.bodies, hits, own: body.own, query, nearest, sink };
        ranges.visit(&mut quick);
        let (hits, nearest) = (quick.hits, quick.nearest);
        if hits.count > hits.last || K::any_within(nearest, band) {
            return test_exactly(self.view, ranges, body.p, body.own, body.shift, hits.cut(mark));
        }
        hits
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

#[cold]
#[inline(never)]
fn test_exactly<R: Real, const D: usize>(
    view: View<'_, R, D>,
    ranges: impl Ranges,
    p: usize,
    own: usize,
    shift: [i32; D],
    hits: Hits,
) -> Hits {
    let mut exact = Exact { view, hits, own, p, shift };
    ranges.visit(&mut exact);
    exact.hits
}

/// Hits of a block, appended without a branch. Handed around by value, so that it stays in registers.
#[derive(Default)]
struct Hits {
    list: Vec<Hit>,
    /// Index of the last place in the list.
    last: usize,
    /// Number of hits; those beyond the list were not kept.
    count: usize,
}

impl Hits {
    fn new() -> Self {
        Self::with_room_for(8 * BLOCK)
    }

    fn with_room_for(count: usize) -> Self {
        Self { list: vec![Hit::new(0, 0, 0); count + 1], last: count, count: 0 }
    }

    /// Adds a hit if any bit of its mask is set. One that finds no place is only counted.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn push(&mut self, own: usize, first: usize, mask: u32) {
        let place = self.count.min(self.last);
        debug_assert!(place < self.list.len());
        // SAFETY: `last` is the index of the last place in the list.
        unsafe { *self.list.get_unchecked_mut(place) = Hit::new(own, first, mask) };
        self.count += usize::from(mask != 0);
    }

    /// Makes places for as many hits again.
    fn grow(&mut self) {
        self.list.resize(2 * self.list.len(), Hit::new(0, 0, 0));
        self.last = self.list.len() - 1;
    }

    /// The first `count` hits.
    #[inline(always)]
    fn cut(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// All hits; the next one begins anew.
    #[inline(always)]
    fn take(&mut self) -> &[Hit] {
        &self.list[..std::mem::take(&mut self.count)]
    }
}

/// Tests ranges by the kernel.
struct Quick<'a, K: Kernel<R, D>, S, R: Real, const D: usize> {
    bodies: Lanes<'a, R, D>,
    hits: Hits,
    own: usize,
    query: Query<K::Vector, D>,
    nearest: K::Vector,
    sink: &'a mut S,
}

impl<K: Kernel<R, D>, S: PairSink<D>, R: Real, const D: usize> RangeVisitor for Quick<'_, K, S, R, D> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.sink.cells(1);
        self.sink.candidates(bodies.len() as u64);
        let mut first = bodies.start;
        let mut left = bodies.end - bodies.start;
        while left > LANES {
            let mask = K::test(&self.bodies, first, &self.query, &mut self.nearest);
            self.hits.push(self.own, first, mask);
            first += LANES;
            left -= LANES;
        }
        let mask = K::test(&self.bodies, first, &self.query, &mut self.nearest);
        self.hits.push(self.own, first, lanes_left(mask, left));
    }
}

/// Tests ranges by the one overlap test.
struct Exact<'a, R, const D: usize> {
    view: View<'a, R, D>,
    hits: Hits,
    own: usize,
    p: usize,
    shift: [i32; D],
}

impl<R: Real, const D: usize> RangeVisitor for Exact<'_, R, D> {
    fn range(&mut self, bodies: Range<usize>) {
        let View { now, images, bodies: sorted, .. } = self.view;
        let i = sorted.ids[self.p] as usize;
        for first in bodies.clone().step_by(LANES) {
            let mut mask = 0;
            for q in first..bodies.end.min(first + LANES) {
                let j = sorted.ids[q] as usize;
                let shift = images.reported_shift(i, j, self.shift);
                mask |= u32::from(now.overlaps(i, j, shift)) << (q - first);
            }
            if self.hits.count == self.hits.last {
                self.hits.grow();
            }
            self.hits.push(self.own, first, mask);
        }
    }
}
