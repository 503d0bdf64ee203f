//! The time that a thread has had the processor: what else the machine does is not in it.

use std::ops::Sub;
use std::time::Duration;

/// A moment in the time of the thread that asks. Moments of different threads must not be compared.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ProcessorTime(Duration);

impl ProcessorTime {
    /// Now.
    #[cfg(unix)]
    pub fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Self(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// Now, on systems without such a clock by the clock on the wall.
    #[cfg(not(unix))]
    pub fn now() -> Self {
        static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
        Self(START.elapsed())
    }

    /// Time since then.
    pub fn elapsed(&self) -> Duration {
        Self::now() - *self
    }

    /// What all threads of the process have had, to be compared with itself only.
    #[cfg(unix)]
    pub fn of_all_threads() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Self(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// The same on systems without such a clock.
    #[cfg(not(unix))]
    pub fn of_all_threads() -> Self {
        Self::now()
    }
}

impl Sub for ProcessorTime {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_never_runs_backwards() {
        let start = ProcessorTime::now();
        let sum: u64 = std::hint::black_box((0..3_000_000u64).map(std::hint::black_box).sum());
        assert!(sum > 0 && start.elapsed() > Duration::ZERO);
        assert_eq!(start - ProcessorTime::now(), Duration::ZERO);
    }
}
