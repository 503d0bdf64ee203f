//! Candidates that stand in a list already: which of them are pairs.

use super::share::share;
use crate::sink::PairSink;
use crate::threads::blocks;
use std::ops::Range;

/// Candidates tested as one block of a parallel search.
const BLOCK: usize = 1 << 14;

/// Pairs handed on at a time.
const BATCH: usize = 512;

/// Tests `count` candidates, in canonical form, and hands the pairs among them on in their order, by all threads where
/// `sink` splits. `candidate` gives the k-th one and whether it is a pair. Pairs have shifts if `periodic`.
pub fn emit_confirmed<const D: usize, S: PairSink<D>>(
    count: usize,
    periodic: bool,
    sink: &mut S,
    candidate: impl Fn(usize) -> ([u32; 2], [i32; D], bool) + Sync,
) {
    sink.candidates(count as u64);
    let test = |range: Range<usize>, sink: &mut S| {
        let mut pairs = [[0; 2]; BATCH];
        let mut shifts = [[0; D]; BATCH];
        let mut len = 0;
        for k in range {
            // Half of the candidates may be pairs, in an order that nobody can foresee: written in any case, counted if
            // it is one.
            let (pair, shift, is_pair) = candidate(k);
            pairs[len] = pair;
            if periodic {
                shifts[len] = shift;
            }
            len += usize::from(is_pair);
            if len == BATCH {
                sink.pairs(&pairs, if periodic { &shifts } else { &[] });
                len = 0;
            }
        }
        sink.pairs(&pairs[..len], if periodic { &shifts[..len] } else { &[] });
    };
    share(blocks(count, BLOCK), sink, || (), |(), range, sink| test(range, sink));
}
