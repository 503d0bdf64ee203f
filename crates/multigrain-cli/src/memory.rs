//! Memory of the process, by the operating system's own account.

use crate::failure::hinted;
use crate::runtime::can_have;
use anyhow::Result;
use std::fs;

/// What memory is counted in.
const PAGE: u64 = 4096;

/// The most memory taken at once since its start, above what was taken then.
pub struct PeakMeter {
    base: u64,
}

impl PeakMeter {
    /// Starts to measure. Meters do not nest: the last one started counts.
    pub fn start() -> Self {
        // Linux forgets the peak so far. Where it may not, the peak of the whole process counts.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self { base: kilobytes("/proc/self/status", "VmRSS").unwrap_or(0) * 1024 }
    }

    /// Bytes at the peak so far, in whole pages, at least one; that one alone where the system does not say.
    pub fn bytes(&self) -> u64 {
        let peak = kilobytes("/proc/self/status", "VmHWM").unwrap_or(0) * 1024;
        peak.saturating_sub(self.base).max(PAGE)
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
    let fits = usize::try_from(needed).is_ok_and(can_have);
    if fits && available().is_none_or(|available| needed <= available) {
        return Ok(());
    }
    let gigabytes = needed as f64 / 1e9;
    let message = format!("not enough memory for {count} {what}: they need {gigabytes:.1} GB or more");
    Err(hinted(message, "take fewer, or a machine with more memory"))
}

/// Bytes that the system can still give, swap included, where it says so.
fn available() -> Option<u64> {
    let file = "/proc/meminfo";
    Some(1024 * (kilobytes(file, "MemAvailable")? + kilobytes(file, "SwapFree").unwrap_or(0)))
}

/// A line such as `VmRSS: 1234 kB` of a file of Linux.
fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_reported_before_it_is_asked_for() {
        ensure("grains", 1000, 100).unwrap();
        let error = ensure("grains", u64::MAX, 100).unwrap_err().to_string();
        assert!(error.starts_with("not enough memory for 18446744073709551615 grains: "), "{error}");
        ensure("grains", 1 << 50, 100).unwrap_err();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn meter_sees_the_peak_and_not_what_was_there_before() {
        let before = vec![1u8; 64 << 20];
        let meter = PeakMeter::start();
        drop(std::hint::black_box(vec![1u8; 32 << 20]));
        let bytes = meter.bytes();
        // Other tests of this process may take and give back memory at the same time.
        assert!(bytes >= 24 << 20, "{bytes}");
        assert_eq!(std::hint::black_box(before).len(), 64 << 20);
    }
}
