//! Cutting work by the data, never by the number of threads, so that results and their order stay the same.

use rayon::prelude::*;
use std::ops::Range;

/// Items per block of plain passes over all bodies: large enough to hide the cost of a task, small enough to balance.
const BLOCK: usize = 1 << 16;

/// Whether more than one thread is there to share work with.
pub(crate) fn available() -> bool {
    rayon::current_num_threads() > 1
}

/// Blocks of `size` items, at least one, that make up `0..len`; the last one may be smaller.
pub(crate) fn blocks(len: usize, size: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let size = size.max(1);
    (0..len.div_ceil(size)).map(move |block| block * size..((block + 1) * size).min(len))
}

/// Maps equal blocks of `0..len`, in parallel where threads are there, results in block order.
pub(crate) fn map_blocks<T: Send>(len: usize, map: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let blocks = blocks(len, BLOCK);
    if blocks.len() > 1 && available() {
        blocks.collect::<Vec<_>>().into_par_iter().map(&map).collect()
    } else {
        blocks.map(map).collect()
    }
}
