//! Hits become pairs.

use super::kernel::{Kernel, LANES, Work};
use super::real::Real;
use super::rows::RowIndex;
use super::search::BlockSearch;
use crate::sink::PairSink;

/// Pairs handed to the sink at a time, at least.
pub(super) const EMITTED: usize = 1 << 11;

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, const D: usize> BlockSearch<'_, K, I, R, D> {
    /// Turns hits, found `shift` periods apart as stored, into pairs.
    #[inline(always)]
    pub(super) fn emit<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.hits.len() > 0 {
            K::run(Emit { search: self, shift, sink });
        }
    }

    #[inline(always)]
    fn emit_inline<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        let ids = self.view.bodies.ids;
        let images = self.view.images;
        if shift != [0; D] || images.any_outside() {
            for chunk in self.hits.chunks() {
                let mut touching = K::touching(chunk.masks) & chunk.valid;
                while touching != 0 {
                    let test = chunk.test(touching.trailing_zeros() as usize);
                    touching &= touching - 1;
                    let i = ids[test.owner];
                    for lane in (0..LANES).filter(|lane| test.mask >> lane & 1 == 1) {
                        let j = ids[test.first + lane];
                        self.batch.push(i, j, images.reported_shift(i as usize, j as usize, shift), sink);
                    }
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
