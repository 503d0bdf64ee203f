//! Candidates that stand in a list already: which of them are pairs.

use super::Batch;
use crate::sink::PairSink;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

/// Candidates tested as one block of a parallel search.
const BLOCK: usize = 1 << 14;

/// Tests `count` candidates, the k-th of which `candidate` gives if it is a pair, and hands the pairs on in their order, by
/// all threads where `sink` splits. Pairs have shifts if `periodic`.
pub(crate) fn hand_on_listed<const D: usize, S: PairSink<D>>(
    count: usize,
    periodic: bool,
    sink: &mut S,
    candidate: impl Fn(usize) -> Option<([u32; 2], [i32; D])> + Sync,
) {
    sink.candidates(count as u64);
    let test = |range: Range<usize>, sink: &mut S| {
        let mut batch = Batch::new(periodic);
        for ([i, j], shift) in range.filter_map(&candidate) {
            batch.push(i, j, shift, sink);
        }
        batch.flush(sink);
    };
    let blocks = count.div_ceil(BLOCK);
    let parts: Option<Vec<S>> =
        if blocks > 1 && threads::available() { (0..blocks).map(|_| sink.split()).collect() } else { None };
    let Some(mut parts) = parts else { return test(0..count, sink) };
    let tasks = parts.par_iter_mut().enumerate();
    tasks.for_each(|(block, part)| test(block * BLOCK..((block + 1) * BLOCK).min(count), part));
    sink.join(parts);
}
