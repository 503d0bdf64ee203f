//! An allocator that counts the bytes in use and remembers the peak, and how often each thread asked for memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with counters. Install it with `#[global_allocator]`.
#[derive(Debug, Default)]
pub struct CountingAllocator {
    in_use: AtomicUsize,
    peak: AtomicUsize,
    peak_if_copied: AtomicUsize,
}

thread_local! {
    /// How often this thread asked for memory.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

/// Most bytes in use at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peak {
    /// If a block is resized where it is, as systems do with large blocks by moving pages.
    pub in_place: usize,
    /// If resizing copies, so that the old and the new block exist together.
    pub copying: usize,
}

impl CountingAllocator {
    /// Counters at zero.
    pub const fn new() -> Self {
        Self { in_use: AtomicUsize::new(0), peak: AtomicUsize::new(0), peak_if_copied: AtomicUsize::new(0) }
    }

    /// Bytes in use now.
    pub fn in_use(&self) -> usize {
        self.in_use.load(Relaxed)
    }

    /// Runs `job` and returns its result with the most bytes that were in use at once beyond those in use before.
    pub fn peak_of<T>(&self, job: impl FnOnce() -> T) -> (Peak, T) {
        let before = self.in_use();
        self.peak.store(before, Relaxed);
        self.peak_if_copied.store(before, Relaxed);
        let result = job();
        let (in_place, copying) = (self.peak.load(Relaxed), self.peak_if_copied.load(Relaxed));
        (Peak { in_place: in_place - before, copying: copying - before }, result)
    }

    /// Runs `job` and returns how often this thread asked for memory meanwhile, from any counting allocator.
    pub fn requests_of(job: impl FnOnce()) -> u64 {
        let before = REQUESTS.get();
        job();
        REQUESTS.get() - before
    }

    fn grow(&self, bytes: usize) {
        REQUESTS.set(REQUESTS.get() + 1);
        let in_use = self.in_use.fetch_add(bytes, Relaxed) + bytes;
        raise(&self.peak, in_use);
        raise(&self.peak_if_copied, in_use);
    }

    fn shrink(&self, bytes: usize) {
        self.in_use.fetch_sub(bytes, Relaxed);
    }
}

/// Peaks are looked at often and raised seldom, and looking is cheap.
fn raise(peak: &AtomicUsize, to: usize) {
    if to > peak.load(Relaxed) {
        peak.fetch_max(to, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator with its arguments unchanged; the counters do not touch memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: `layout` comes from a caller who keeps this contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: `layout` comes from a caller who keeps this contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.shrink(layout.size());
        // SAFETY: `block` came from the system's allocator with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        raise(&self.peak_if_copied, self.in_use.load(Relaxed) + size);
        self.shrink(layout.size());
        self.grow(size);
        // SAFETY: `block` came from the system's allocator with this layout, and `size` keeps the contract.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_counts_what_is_in_use_at_once() {
        let counter = CountingAllocator::new();
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        let (peak, ()) = counter.peak_of(|| {
            // SAFETY: blocks are resized and freed once, with the layout they have; nothing is read or written.
            #[allow(unsafe_code)]
            unsafe {
                let first = counter.alloc(layout(100));
                let second = counter.alloc_zeroed(layout(50));
                counter.dealloc(first, layout(100));
                let second = counter.realloc(second, layout(50), 120);
                counter.dealloc(second, layout(120));
            }
        });
        assert_eq!(peak, Peak { in_place: 150, copying: 170 });
        assert_eq!(counter.in_use(), 0);
        let (peak, ()) = counter.peak_of(|| ());
        assert_eq!(peak, Peak { in_place: 0, copying: 0 });
    }

    #[test]
    fn requests_are_those_of_this_thread() {
        let counter = CountingAllocator::new();
        let ask = || {
            let layout = Layout::from_size_align(64, 8).unwrap();
            // SAFETY: a block is resized and freed once, with the layout it has; nothing is read or written.
            #[allow(unsafe_code)]
            unsafe {
                let block = counter.alloc(layout);
                let block = counter.realloc(block, layout, 64);
                counter.dealloc(block, layout);
            }
        };
        assert_eq!(CountingAllocator::requests_of(ask), 2);
        let elsewhere = || std::thread::scope(|scope| _ = scope.spawn(ask));
        assert_eq!(CountingAllocator::requests_of(elsewhere), 0);
    }
}
