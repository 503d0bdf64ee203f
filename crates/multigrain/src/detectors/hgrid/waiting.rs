//! The thorough search: rows wait until many are together, their bodies are looked up, and then tested as one stream. So
//! the processor waits for memory for many rows at once.

use super::hits::MAX_TESTS;
use super::index::Index;
use super::kernel::{Kernel, KernelWork, LANES, Query};
use super::rows::{RangeVisitor, Row, RowVisitor, Rows};
use super::search::{BlockSearch, View};
use crate::grid::prefetch;
use crate::sink::PairSink;
use std::ops::Range;

/// Rows and ranges that wait, at most.
const MAX_WAITING: usize = 1 << 9;

/// Rows and ranges of bodies that wait for the thorough test, and the bodies that search them.
pub(super) struct Waiting<const D: usize> {
    seekers: Vec<Seeker<D>>,
    /// The two numbers of each row, and the number of its seeker; with room for some more than may wait.
    rows: Box<[[u32; MAX_WAITING + LANES]; 3]>,
    row_count: usize,
    /// One more than may wait.
    ranges: Box<[WaitingRange; MAX_WAITING + 1]>,
    range_count: usize,
}

/// A body that searches, where it searches from.
#[derive(Debug, Clone, Copy)]
struct Seeker<const D: usize> {
    position: [f32; D],
    /// Radius plus margin.
    radius: f32,
    band: f32,
    p: usize,
}

/// Bodies to be tested, and number of the seeker.
#[derive(Debug, Clone, Copy, Default)]
struct WaitingRange {
    first: u32,
    end: u32,
    seeker: u32,
}

impl<const D: usize> Waiting<D> {
    pub fn new() -> Self {
        Self {
            seekers: Vec::new(),
            rows: Box::new([[0; MAX_WAITING + LANES]; 3]),
            row_count: 0,
            ranges: Box::new([WaitingRange::default(); MAX_WAITING + 1]),
            range_count: 0,
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.row_count + self.range_count
    }

    /// The next rows and ranges are those of body `p`.
    #[inline(always)]
    pub fn seek(&mut self, p: usize, position: [f32; D], radius: f32, band: f32) {
        if self.len() == 0 {
            self.seekers.clear();
        }
        self.seekers.push(Seeker { position, radius, band, p });
    }

    #[inline(always)]
    fn last_seeker(&self) -> u32 {
        self.seekers.len() as u32 - 1
    }

    /// Adds those rows whose bit is set.
    #[inline(always)]
    fn push_rows<K: Kernel<D>>(&mut self, rows: &Rows, wanted: u32) {
        let seekers = [self.last_seeker(); LANES];
        let at = self.row_count.min(MAX_WAITING);
        for (column, values) in self.rows.iter_mut().zip([K::keep(rows.0, wanted), K::keep(rows.1, wanted), seekers]) {
            column[at..at + LANES].copy_from_slice(&values);
        }
        self.row_count += wanted.count_ones() as usize;
    }

    /// Adds a range, if it is not empty.
    #[inline(always)]
    fn push_range(&mut self, range: Range<usize>, seeker: u32) {
        self.ranges[self.range_count] = WaitingRange { first: range.start as u32, end: range.end as u32, seeker };
        self.range_count += usize::from(range.start < range.end);
    }

    /// Looks up the bodies of all rows. Returns how many ranges there are to be tested; none waits any longer.
    #[inline(always)]
    fn look_up(&mut self, index: &Index<'_, D>) -> usize {
        for k in 0..std::mem::take(&mut self.row_count) {
            let [first, last, seeker] = self.rows.each_ref().map(|column| column[k]);
            self.push_range(index.bodies_of(Row(first, last)), seeker);
        }
        std::mem::take(&mut self.range_count)
    }
}

/// Puts rows and ranges among those that wait.
pub(super) struct Gather<'s, 'a, K, S, const D: usize> {
    pub search: &'s mut BlockSearch<'a, K, D>,
    pub shift: [i32; D],
    pub sink: &'s mut S,
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> Gather<'_, '_, K, S, D> {
    /// Makes room for as many rows or ranges.
    #[inline(always)]
    fn make_room_for(&mut self, more: usize) {
        if self.search.memory.waiting.len() + more > MAX_WAITING {
            self.search.test_waiting(self.shift, self.sink);
        }
    }
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> RowVisitor for Gather<'_, '_, K, S, D> {
    #[inline(always)]
    fn rows(&mut self, rows: &Rows, wanted: u32) {
        self.make_room_for(LANES);
        self.search.memory.waiting.push_rows::<K>(rows, wanted);
    }
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> RangeVisitor for Gather<'_, '_, K, S, D> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.make_room_for(1);
        let seeker = self.search.memory.waiting.last_seeker();
        self.search.memory.waiting.push_range(bodies, seeker);
    }
}

impl<K: Kernel<D>, const D: usize> BlockSearch<'_, K, D> {
    /// Tests all that waits, for the images `shift` periods away.
    #[inline(always)]
    pub(super) fn test_waiting<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.memory.waiting.len() > 0 {
            self.kernel.run(TestWaiting { search: self, shift, sink });
        }
    }

    /// By the kernel, and where that is in doubt by the one overlap test. One vector of candidates after the other,
    /// whatever range it belongs to: nothing to guess for the processor.
    #[inline(always)]
    fn test_waiting_inline<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        let count = self.memory.waiting.look_up(&self.view.index);
        for range in &self.memory.waiting.ranges[..count] {
            prefetch(self.view.bodies.ids, range.first as usize);
        }
        let mut at = self.memory.hits.len();
        let mut k = 0;
        let mut first = self.memory.waiting.ranges[0].first;
        while k < count {
            let view = &self.view;
            let range = self.memory.waiting.ranges[k];
            let seeker = &self.memory.waiting.seekers[range.seeker as usize];
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
            if at == MAX_TESTS {
                self.memory.hits.set_len(at);
                self.emit(shift, sink);
                at = 0;
            }
            self.memory.hits.write(at, owner, first as usize, touching);
            at += 1;
            let done = left <= LANES;
            k += usize::from(done);
            first = std::hint::select_unpredictable(done, self.memory.waiting.ranges[k].first, first + LANES as u32);
        }
        self.memory.hits.set_len(at);
    }
}

/// A call of [`BlockSearch::test_waiting`], compiled once for each kernel.
struct TestWaiting<'s, 'a, K, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, D>,
    shift: [i32; D],
    sink: &'s mut S,
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> KernelWork for TestWaiting<'_, '_, K, S, D> {
    #[inline(always)]
    fn run(self) {
        self.search.test_waiting_inline(self.shift, self.sink);
    }
}

/// Which of the `lanes` of the bodies `first..first + LANES` touch body `p`, `shift` periods away as stored.
#[cold]
#[inline(never)]
fn test_exactly<const D: usize>(view: &View<'_, D>, p: usize, first: usize, lanes: u32, shift: [i32; D]) -> u32 {
    let i = view.bodies.ids[p] as usize;
    let mut touching = 0;
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
        let j = view.bodies.ids[first + lane] as usize;
        let shift = view.images.reported_shift(i, j, shift);
        touching |= u32::from(view.now.overlaps(i, j, shift)) << lane;
    }
    touching
}
