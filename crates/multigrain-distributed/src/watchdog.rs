//! Ends the process when it waits too long for others: some losses of a network leave MPI inside a call that never returns.

use crate::transport::Why;
use std::process::abort;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Milliseconds from the start to where the present wait began; 0 while there is none.
static WAITS_SINCE: AtomicU64 = AtomicU64::new(0);

/// What it is for.
static WAITS_FOR: AtomicU64 = AtomicU64::new(0);

/// A wait for others, for as long as it lives.
pub(crate) struct Waiting;

impl Waiting {
    /// Begins; without a reason for what all ranks agree on.
    pub fn begin(why: Option<Why>) -> Self {
        WAITS_FOR.store(why.map_or(0, |why| why as u64 + 1), Relaxed);
        WAITS_SINCE.store(milliseconds(), Relaxed);
        Self
    }
}

/// Somebody whom others wait for is at work: the present wait, if there is one, begins once more.
pub(crate) fn heard() {
    if WAITS_SINCE.load(Relaxed) > 0 {
        WAITS_SINCE.store(milliseconds(), Relaxed);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITS_SINCE.store(0, Relaxed);
    }
}

fn milliseconds() -> u64 {
    START.elapsed().as_millis() as u64 + 1
}

/// For how many milliseconds this process waits, if it does.
fn waited() -> Option<u64> {
    let since = WAITS_SINCE.load(Relaxed);
    (since > 0).then(|| milliseconds().saturating_sub(since))
}

fn reason(number: u64) -> String {
    let all = [Why::Cuts, Why::Owners, Why::Guests, Why::Motions, Why::Giants, Why::Report, Why::Files];
    let why = all.into_iter().find(|&why| why as u64 + 1 == number);
    why.map_or("to agree".to_owned(), |why| format!("for {}", format!("{why:?}").to_lowercase()))
}

/// Watches from now on, on a thread of its own.
pub(crate) fn watch(rank: usize, patience: Duration) {
    LazyLock::force(&START);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500).min(patience));
            if let Some(waited) = waited().filter(|&waited| waited > patience.as_millis() as u64) {
                let why = reason(WAITS_FOR.load(Relaxed));
                eprintln!(
                    "error: rank {rank} has waited {} s {why}: a rank hangs, or the network is gone",
                    waited / 1000
                );
                eprintln!("hint: MULTIGRAIN_PATIENCE=SECONDS is how long ranks wait for each other");
                abort();
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_begins_once_more_when_somebody_is_heard() {
        heard();
        assert_eq!(waited(), None, "nobody waits");
        let waiting = Waiting::begin(Some(Why::Files));
        std::thread::sleep(Duration::from_millis(60));
        assert!(waited().unwrap() >= 60);
        let before = WAITS_SINCE.load(Relaxed);
        heard();
        assert!(WAITS_SINCE.load(Relaxed) >= before + 60);
        drop(waiting);
        assert_eq!(waited(), None);
    }

    #[test]
    fn reasons_are_named() {
        assert_eq!(reason(Why::Guests as u64 + 1), "for guests");
        assert_eq!(reason(0), "to agree");
    }
}
