//! Time on the clock, or time on the processor where the machine is shared.

use crate::timing::timed;
use std::fs;
use std::path::{Path, PathBuf};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Time that passes.
    Wall,
    /// Time that this thread runs on a processor, whatever else the machine does: for one thread, in steps of a few
    /// milliseconds, and only where the system knows it (Linux).
    Processor,
}

impl Clock {
    /// Runs the job: seconds and its result.
    pub fn time<T>(self, job: impl FnOnce() -> T) -> (f64, T) {
        let before = on_processor();
        let (elapsed, result) = timed(job);
        match (self, before, on_processor()) {
            (Self::Processor, Some(before), Some(after)) => (after - before, result),
            _ => (elapsed.as_secs_f64(), result),
        }
    }
}

/// Seconds that this thread has run so far.
fn on_processor() -> Option<f64> {
    seconds_of(Path::new("/proc/thread-self"))
}

/// Where the system keeps what this thread has done, for other threads to look at (Linux).
pub fn this_thread() -> Option<PathBuf> {
    Some(PathBuf::from("/proc").join(fs::read_link("/proc/thread-self").ok()?))
}

/// Seconds that a thread has run so far.
pub fn seconds_of(thread: &Path) -> Option<f64> {
    let text = fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn sleeping_takes_time_but_no_processor() {
        let nap = || sleep(Duration::from_millis(60));
        assert!(Clock::Wall.time(nap).0 >= 0.06);
        if on_processor().is_some() {
            assert!(Clock::Processor.time(nap).0 < 0.05);
        }
    }
}
