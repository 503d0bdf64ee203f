//! The search of a block of sorted bodies: neighbours on their own level, partners on other levels, periodic images.

use super::columns::Columns;
use super::kernel::{BLOCK, Hit, Kernel, LANES, Query, lanes_left};
use super::keys::{KeySpace, LevelKeys};
use super::real::Real;
use super::rows::{LevelRows, OwnLevel, RangeVisitor, Ranges, WithinReach};
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
    pub columns: &'a Columns<R, D>,
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
        self.columns.radius[p] * R::from_f64(widened) + R::from_f64(others * widened + 16.0 * self.blur)
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
        let later_rows = later_rows(level);
        let later_rows = &later_rows[..if D == 3 { 4 } else { 1 }];
        let partners = view.direction.partners(h, view.space.levels.len());
        let band = view.band(R::from_f64(2.0 * level.max_radius * (1.0 + 8.0 * R::ROUNDING)));
        for p in block.clone() {
            let position = view.columns.position_of(p);
            let query = self.query(p, position);
            let own = p - block.start;
            let key = view.columns.keys[p] as usize;
            let ranges = OwnLevel { ends: view.ends, p, key, reach_cells: level.reach_cells as usize, later_rows };
            self.test(&ranges, own, p, &query, band, [0; D], sink);
            for j in partners.clone() {
                self.search_level(j, own, p, position, &query, [0; D], sink);
            }
        }
        self.emit(block.start, [0; D], sink);
        if view.images.are_periodic() {
            for p in block {
                self.search_images(h, p, partners.clone(), sink);
            }
        }
    }

    /// Tests body `p`, as seen from `position`, against all bodies of level `j` in reach.
    #[inline(always)]
    fn search_level<S: PairSink<D>>(
        &mut self,
        j: usize,
        own: usize,
        p: usize,
        position: [R; D],
        query: &Query<K::Vector, D>,
        shift: [i32; D],
        sink: &mut S,
    ) {
        let view = self.view;
        let reach = view.reach(p, j);
        let ranges = WithinReach { ends: view.ends, rows: &view.rows[j], position, reach };
        let band = view.band(reach);
        self.test(&ranges, own, p, query, band, shift, sink);
    }

    /// Searches the images of body `p` across periodic borders: on its own level one half of them, as its partners do
    /// the other half; on the levels it searches all.
    #[inline(never)]
    fn search_images<S: PairSink<D>>(&mut self, h: usize, p: usize, partners: Range<usize>, sink: &mut S) {
        let view = self.view;
        let id = view.columns.ids[p] as usize;
        let center = view.images.stored_center(id, view.now.centers()[id]);
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
                let query = self.query(p, position);
                self.search_level(j, 0, p, position, &query, shift, sink);
                self.emit(p, shift, sink);
            }
        }
    }

    #[inline(always)]
    fn query(&self, p: usize, position: [R; D]) -> Query<K::Vector, D> {
        let margin = R::from_f64(self.view.now.contact_margin());
        Query { position: position.map(K::splat), radius: K::splat(self.view.columns.radius[p] + margin) }
    }

    /// Tests body `p`, number `own` of its block, against all bodies of `ranges`: by the kernel, and where that may have
    /// erred again by the exact test.
    #[inline(always)]
    fn test<S: PairSink<D>>(
        &mut self,
        ranges: &impl Ranges,
        own: usize,
        p: usize,
        query: &Query<K::Vector, D>,
        band: R,
        shift: [i32; D],
        sink: &mut S,
    ) {
        let mark = self.hits.count;
        let view = self.view;
        let mut quick = Quick::<K, S, R, D> {
            columns: view.columns,
            hits: &mut self.hits,
            own,
            query,
            nearest: K::splat(R::INFINITY),
            sink,
        };
        ranges.visit(&mut quick);
        if K::any_within(quick.nearest, band) {
            self.hits.count = mark;
            self.test_exactly(ranges, own, p, shift);
        }
    }

    #[inline(never)]
    fn test_exactly(&mut self, ranges: &impl Ranges, own: usize, p: usize, shift: [i32; D]) {
        ranges.visit(&mut Exact { view: self.view, hits: &mut self.hits, own, p, shift });
    }

    /// Turns the hits of a block that begins with body `first` into pairs.
    #[inline(always)]
    fn emit<S: PairSink<D>>(&mut self, first: usize, shift: [i32; D], sink: &mut S) {
        let hits = self.hits.take();
        let ids = &self.view.columns.ids[..];
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

/// Hits of a block, appended without a branch.
struct Hits {
    list: Vec<Hit>,
    count: usize,
}

impl Hits {
    fn new() -> Self {
        Self { list: vec![Hit::new(0, 0, 0); 8 * BLOCK], count: 0 }
    }

    /// Adds a hit if any bit of its mask is set. There is always room for one more.
    #[inline(always)]
    fn push(&mut self, hit: Hit) {
        self.list[self.count] = hit;
        self.count += usize::from(hit.mask() != 0);
        if self.count == self.list.len() {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.list.resize(2 * self.list.len(), Hit::new(0, 0, 0));
    }

    /// All hits; the next one begins anew.
    #[inline(always)]
    fn take(&mut self) -> &[Hit] {
        &self.list[..std::mem::take(&mut self.count)]
    }
}

/// Tests ranges by the kernel.
struct Quick<'a, K: Kernel<R, D>, S, R: Real, const D: usize> {
    columns: &'a Columns<R, D>,
    hits: &'a mut Hits,
    own: usize,
    query: &'a Query<K::Vector, D>,
    nearest: K::Vector,
    sink: &'a mut S,
}

impl<K: Kernel<R, D>, S: PairSink<D>, R: Real, const D: usize> RangeVisitor for Quick<'_, K, S, R, D> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.sink.cells(1);
        self.sink.candidates(bodies.len() as u64);
        let mut first = bodies.start;
        loop {
            let mask = K::test(self.columns, first, self.query, &mut self.nearest) & lanes_left(bodies.end - first);
            self.hits.push(Hit::new(self.own, first, mask));
            first += LANES;
            if first >= bodies.end {
                break;
            }
        }
    }
}

/// Tests ranges by the one overlap test.
struct Exact<'a, R, const D: usize> {
    view: View<'a, R, D>,
    hits: &'a mut Hits,
    own: usize,
    p: usize,
    shift: [i32; D],
}

impl<R: Real, const D: usize> RangeVisitor for Exact<'_, R, D> {
    fn range(&mut self, bodies: Range<usize>) {
        let View { now, images, columns, .. } = self.view;
        let i = columns.ids[self.p] as usize;
        for first in bodies.clone().step_by(LANES) {
            let mut mask = 0;
            for q in first..bodies.end.min(first + LANES) {
                let j = columns.ids[q] as usize;
                let shift = images.reported_shift(i, j, self.shift);
                mask |= u32::from(now.overlaps(i, j, shift)) << (q - first);
            }
            self.hits.push(Hit::new(self.own, first, mask));
        }
    }
}

/// Distances of keys from a cell to the neighbouring rows that come later.
fn later_rows<const D: usize>(level: &LevelKeys<D>) -> [usize; 4] {
    let stride = |axis: usize| level.strides[axis] as usize;
    if D == 3 {
        let (row, plane) = (stride(1), stride(D - 1));
        [row, plane - row, plane, plane + row]
    } else {
        [stride(1), 0, 0, 0]
    }
}
