//! Hits become pairs.

use super::hits::CHUNK;
use super::kernel::{Kernel, KernelWork, LANES};
use super::memory::Memory;
use super::search::BlockSearch;
use crate::sink::PairSink;

/// Pairs handed to the sink at a time, at least.
pub(super) const MIN_EMITTED: usize = 1 << 11;

/// Pairs that hits become before they are handed on, at most, and room for what is written behind them.
pub(super) const MAX_EMITTED: usize = MIN_EMITTED + CHUNK * LANES + LANES;

impl<K: Kernel<D>, const D: usize> BlockSearch<'_, K, D> {
    /// Turns hits, found `shift` periods apart as stored, into pairs.
    #[inline(always)]
    pub(super) fn emit<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        if self.memory.hits.len() > 0 {
            self.kernel.run(Emit { search: self, shift, sink });
        }
    }

    #[inline(always)]
    fn emit_inline<S: PairSink<D>>(&mut self, shift: [i32; D], sink: &mut S) {
        let Self { view, memory: Memory { hits, pairs, shifts, batch, .. }, .. } = self;
        let (ids, images) = (view.bodies.ids, view.images);
        let back = shift.map(|shift| -shift);
        let is_home = shift == [0; D];
        let mut count = 0;
        for chunk in hits.chunks() {
            let mut touching = K::touching(chunk.masks) & chunk.valid;
            while touching != 0 {
                let test = chunk.test(touching.trailing_zeros() as usize);
                touching &= touching - 1;
                if images.any_outside() {
                    let i = ids[test.owner];
                    for lane in (0..LANES).filter(|lane| test.mask >> lane & 1 == 1) {
                        let j = ids[test.first + lane];
                        batch.push(i, j, images.reported_shift(i as usize, j as usize, shift), sink);
                    }
                    continue;
                }
                let first = count;
                count = K::write(ids, test.owner, test.first, test.mask, pairs, count);
                if !is_home {
                    // Of a body and its own image, too, the one that searched comes first.
                    let own = ids[test.owner];
                    for (pair, shifted) in pairs[first..count].iter().zip(&mut shifts[first..count]) {
                        *shifted = if pair[0] == own { shift } else { back };
                    }
                }
            }
            if count > MIN_EMITTED {
                let shifts = if is_home { Self::no_shifts(view, count) } else { &shifts[..count] };
                sink.pairs(&pairs[..count], shifts);
                count = 0;
            }
        }
        let shifts = if is_home { Self::no_shifts(view, count) } else { &shifts[..count] };
        sink.pairs(&pairs[..count], shifts);
        hits.set_len(0);
    }
}

/// A call of [`BlockSearch::emit`], compiled once for each kernel.
struct Emit<'s, 'a, K, S, const D: usize> {
    search: &'s mut BlockSearch<'a, K, D>,
    shift: [i32; D],
    sink: &'s mut S,
}

impl<K: Kernel<D>, S: PairSink<D>, const D: usize> KernelWork for Emit<'_, '_, K, S, D> {
    #[inline(always)]
    fn run(self) {
        self.search.emit_inline(self.shift, self.sink);
    }
}
