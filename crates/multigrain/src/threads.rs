//! Cutting work by the data, never by the number of threads, so that results and their order stay the same.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Does `own` on this thread and meanwhile `others` on up to `threads - 1` more, as many as come. Not generic: what is compiled again
/// for every kind of work is only that work.
pub(crate) fn beside_others(threads: usize, others: &(dyn Fn() + Sync), own: &mut (dyn FnMut() + Send)) {
    rayon::scope(|scope| {
        for _ in 1..threads.min(rayon::current_num_threads()) {
            scope.spawn(|_| others());
        }
        own();
    });
}

/// A panic in a task ends the work anyway, so that nobody sees what it left behind.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does all jobs, in parallel where threads are there. Every thread begins with `start`.
pub fn for_each<T: Send, W>(
    jobs: impl Iterator<Item = T>,
    start: impl Fn() -> W + Sync,
    run: impl Fn(&mut W, T) + Sync,
) {
    if !available() {
        let mut worker = start();
        return jobs.for_each(|job| run(&mut worker, job));
    }
    let jobs: Vec<Mutex<Option<T>>> = jobs.map(|job| Mutex::new(Some(job))).collect();
    // Neighbours stay together where there are many.
    let together = (jobs.len() / (JOBS_OF_A_THREAD * rayon::current_num_threads())).max(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = None;
        while let Some(jobs) = jobs.chunks(together).nth(next.fetch_add(1, Ordering::Relaxed)) {
            for job in jobs.iter().filter_map(|job| lock(job).take()) {
                run(worker.get_or_insert_with(&start), job);
            }
        }
    };
    beside_others(jobs.len(), &work, &mut || work());
}

/// Times that each thread comes for jobs, about: often enough that none waits long for another's last ones.
const JOBS_OF_A_THREAD: usize = 16;

/// Blocks of `size` items, at least one, that make up `0..len`; the last one may be smaller.
pub fn blocks(len: usize, size: usize) -> impl ExactSizeIterator<Item = Range<usize>> + Clone {
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
    if blocks.len() == 1 || !available() {
        return blocks.map(map).collect();
    }
    let mut results: Vec<Option<T>> = blocks.clone().map(|_| None).collect();
    for_each(results.iter_mut().zip(blocks), || (), |(), (result, block)| *result = Some(map(block)));
    results.into_iter().flatten().collect()
}
