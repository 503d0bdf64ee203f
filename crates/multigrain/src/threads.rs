//! Cutting work by the data, never by the number of threads, so that results and their order stay the same.

use rayon::prelude::*;
use std::cell::Cell;
use std::ops::Range;

/// Items per block of plain passes over all bodies: large enough to hide the cost of a task, small enough to balance.
const BLOCK: usize = 1 << 16;

thread_local! {
    /// Whether this thread is to share nothing.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` on the calling thread, and no part of it on another: for work so small that handing it over would take
/// longer. Searches with `auto`, `hgrid` and `brute-force` and lists of neighbours keep to it up to 2000 bodies, and then ask
/// for no pool of threads either. Results are the same.
///
/// ```
/// use multigrain::{Snapshot, find_pairs, on_this_thread};
/// let centers = [[0.0, 0.0], [1.5, 0.0]];
/// let now = Snapshot::new(&centers, &[1.0; 2])?;
/// let pairs = on_this_thread(|| find_pairs(now));
/// assert_eq!(pairs.len(), 1);
/// # Ok::<(), multigrain::Error>(())
/// ```
pub fn on_this_thread<T>(work: impl FnOnce() -> T) -> T {
    /// Brings back what was, also after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// Whether more than one thread is there to share work with.
pub fn available() -> bool {
    !ALONE.get() && rayon::current_num_threads() > 1
}

/// Does all jobs, in parallel where threads are there. Every thread begins with `start`.
pub fn for_each<T: Send, W>(
    jobs: impl Iterator<Item = T>,
    start: impl Fn() -> W + Sync + Send,
    run: impl Fn(&mut W, T) + Sync + Send,
) {
    if available() {
        jobs.collect::<Vec<_>>().into_par_iter().for_each_init(start, run);
    } else {
        let mut worker = start();
        jobs.for_each(|job| run(&mut worker, job));
    }
}

/// Blocks of `size` items, at least one, that make up `0..len`; the last one may be smaller.
pub fn blocks(len: usize, size: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let size = size.max(1);
    (0..len.div_ceil(size)).map(move |block| block * size..((block + 1) * size).min(len))
}

/// Maps equal blocks of `0..len`, in parallel where threads are there, results in block order.
pub fn map_blocks<T: Send>(len: usize, map: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    map_parts(len, BLOCK, map)
}

/// The same with blocks of `size`.
pub fn map_parts<T: Send>(len: usize, size: usize, map: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let blocks = blocks(len, size);
    if blocks.len() > 1 && available() {
        blocks.collect::<Vec<_>>().into_par_iter().map(&map).collect()
    } else {
        blocks.map(map).collect()
    }
}
