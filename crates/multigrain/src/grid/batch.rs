//! Pairs on their way to a sink, in canonical form, a few hundred at a time.

use crate::pairs::Pair;
use crate::sink::PairSink;

const BATCH: usize = 512;

/// Collects pairs one by one and hands them on in batches.
pub struct Batch<const D: usize> {
    pairs: Vec<[u32; 2]>,
    shifts: Vec<[i32; D]>,
    periodic: bool,
}

impl<const D: usize> Batch<D> {
    /// An empty batch; `periodic` batches keep shifts.
    pub fn new(periodic: bool) -> Self {
        let shifts = Vec::with_capacity(if periodic { BATCH } else { 0 });
        Self { pairs: Vec::with_capacity(BATCH), shifts, periodic }
    }

    /// Adds the pair of bodies `i` and `j`, `shift` periods apart, in either order.
    #[inline]
    pub fn push<S: PairSink<D>>(&mut self, i: u32, j: u32, shift: [i32; D], sink: &mut S) {
        let pair = Pair::canonical(i, j, shift);
        self.pairs.push([pair.i, pair.j]);
        if self.periodic {
            self.shifts.push(pair.shift);
        }
        if self.pairs.len() == BATCH {
            self.flush(sink);
        }
    }

    /// Hands on what is left.
    pub fn flush<S: PairSink<D>>(&mut self, sink: &mut S) {
        sink.pairs(&self.pairs, &self.shifts);
        self.pairs.clear();
        self.shifts.clear();
    }
}
