//! Memory in use, counted at the allocator: exact where the operating system's figures are noisy.

use crate::failure::hinted;
use anyhow::Result;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

/// Bytes a thread keeps to itself before it tells the shared counters, so that small allocations do not fight over one
/// cache line. The peak is exact up to this much per thread.
const QUANTUM: isize = 16 << 10;

static IN_USE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    static UNTOLD: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, with a count of the bytes in use.
pub struct CountingAllocator;

/// The most memory taken at once since its start, above what was in use then.
pub struct PeakMeter {
    base: isize,
}

impl PeakMeter {
    /// Starts to measure. Meters do not nest: the last one started counts.
    pub fn start() -> Self {
        flush(UNTOLD.take());
        let base = IN_USE.load(Relaxed);
        PEAK.store(base, Relaxed);
        Self { base }
    }

    /// Bytes at the peak so far.
    pub fn bytes(&self) -> u64 {
        flush(UNTOLD.take());
        (PEAK.load(Relaxed) - self.base).max(0) as u64
    }
}

/// Larger allocations than this go to the operating system and come back from it one by one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ON_ITS_OWN: i32 = 128 << 10;

/// Keeps the process as small as what is in use. Left to itself, glibc takes arrays of up to 32 MiB from its arenas once one was
/// freed, and arrays that grow leave holes there: a quarter of the memory of a long simulation.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_large_blocks() {
    // SAFETY: sets a number of the allocator's; it takes any, and no other thread runs yet.
    #[allow(unsafe_code)]
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, ON_ITS_OWN) };
    debug_assert_eq!(is_set, 1, "glibc knows its own option");
}

/// Other allocators need no telling.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_large_blocks() {}

/// An error, before any work is done, if what `what` needs at least cannot be had: `count` times `bytes`.
pub fn ensure(what: &str, count: u64, bytes: usize) -> Result<()> {
    let needed = count.saturating_mul(bytes as u64);
    // Asked for and given back untouched: limits on the process are found without taking anything.
    let fits = usize::try_from(needed).is_ok_and(|needed| Vec::<u8>::new().try_reserve_exact(needed).is_ok());
    if fits && available().is_none_or(|available| needed <= available) {
        return Ok(());
    }
    let gigabytes = needed as f64 / 1e9;
    let message = format!("not enough memory for {count} {what}: they need {gigabytes:.1} GB or more");
    Err(hinted(message, "take fewer, or a machine with more memory"))
}

/// Bytes that the system can still give, swap included, where it says so.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some(1024 * (kilobytes("MemAvailable")? + kilobytes("SwapFree").unwrap_or(0)))
}

fn flush(bytes: isize) {
    let in_use = IN_USE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(in_use, Relaxed);
}

fn count(bytes: isize) {
    // A thread that is ending has no counter left; what it frees then is told at once.
    let due = UNTOLD.try_with(|untold| {
        let sum = untold.get() + bytes;
        let is_due = sum.abs() >= QUANTUM;
        untold.set(if is_due { 0 } else { sum });
        if is_due { sum } else { 0 }
    });
    match due.unwrap_or(bytes) {
        0 => (),
        bytes => flush(bytes),
    }
}

// SAFETY: every call goes to the system's allocator with the same arguments and hands back its answer; counting touches
// only atomics and a thread-local without destructor, neither of which allocates or unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    // SAFETY: the contract of `alloc` is the system's, which the caller keeps.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise on `layout` is passed on unchanged.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the contract of `alloc_zeroed` is the system's, which the caller keeps.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise on `layout` is passed on unchanged.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the contract of `dealloc` is the system's, which the caller keeps.
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: `memory` came from `System` with this `layout`, by the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    // SAFETY: the contract of `realloc` is the system's, which the caller keeps.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: `memory` came from `System` with this `layout`, by the caller's promise.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_told_before_it_is_asked_for() {
        ensure("grains", 1000, 100).unwrap();
        let error = ensure("grains", u64::MAX, 100).unwrap_err().to_string();
        assert!(error.starts_with("not enough memory for 18446744073709551615 grains: "), "{error}");
        ensure("grains", 1 << 50, 100).unwrap_err();
    }

    #[test]
    fn meter_sees_the_peak_and_not_what_was_there_before() {
        let before = vec![0u8; 1 << 20];
        let meter = PeakMeter::start();
        drop(vec![1u8; 8 << 20]);
        let after = vec![2u8; 1 << 20];
        let bytes = meter.bytes();
        assert_eq!((before.len(), after.len()), (1 << 20, 1 << 20));
        // Other tests of this process may allocate at the same time.
        assert!(bytes >= (8 << 20) - QUANTUM as u64, "{bytes}");
    }
}
