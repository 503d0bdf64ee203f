//! Cutting work by the data, never by the number of threads, so that results and their order stay the same.

use rayon::prelude::*;
use std::ops::Range;

/// Items per block of plain passes over all bodies: large enough to hide the cost of a task, small enough to balance.
const BLOCK: usize = 1 << 16;

/// Whether more than one thread is there to share work with.
pub(crate) fn available() -> bool {
    rayon::current_num_threads() > 1
}

/// Maps equal blocks of `0..len`, in parallel where threads are there, results in block order.
pub(crate) fn map_blocks<T: Send>(len: usize, map: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let blocks = len.div_ceil(BLOCK);
    let range = |block: usize| block * BLOCK..((block + 1) * BLOCK).min(len);
    if blocks > 1 && available() {
        (0..blocks).into_par_iter().map(|block| map(range(block))).collect()
    } else {
        (0..blocks).map(|block| map(range(block))).collect()
    }
}
