//! Being asked to stop: by ctrl-C, or by what schedulers and launchers send before they kill.

use crate::failure::Stopped;
use multigrain_distributed::launched;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Signals that ask for it; the last is for schedulers that send what they are told to, some time before the end.
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGUSR1];

/// Whether this process was asked to stop, or another rank was.
#[derive(Debug, Clone, Default)]
pub struct StopRequest {
    is_made: Arc<AtomicBool>,
    /// Whether the next signal ends the program.
    ends_at_next: Arc<AtomicBool>,
}

impl StopRequest {
    /// By signals to this process, from now on. A second one ends the program at once; not where a launcher has started it, for launchers
    /// send several.
    pub fn watch() -> io::Result<Self> {
        let mut request = Self::default();
        if launched().is_none() {
            request.ends_at_next = Arc::clone(&request.is_made);
        }
        for signal in SIGNALS {
            // In this order: the first signal finds the flag unset.
            flag::register_conditional_shutdown(signal, Stopped::CODE.into(), Arc::clone(&request.ends_at_next))?;
            flag::register(signal, Arc::clone(&request.is_made))?;
        }
        Ok(request)
    }

    /// That of a rank that serves: where ranks are threads of one process, the first hears for all.
    pub fn of_one_who_serves() -> io::Result<Self> {
        if launched().is_none() { Ok(Self::default()) } else { Self::watch() }
    }

    /// Whether it is made.
    pub fn is_made(&self) -> bool {
        self.is_made.load(Relaxed)
    }

    /// Another rank was asked.
    pub fn make(&self) {
        self.is_made.store(true, Relaxed);
    }

    /// All is saved: from now on the first signal ends the program. Whether it was made before.
    pub fn close(&self) -> bool {
        let was_made = self.is_made.swap(true, Relaxed);
        self.ends_at_next.store(true, Relaxed);
        was_made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_rank_was_asked_counts() {
        let request = StopRequest::default();
        assert!(!request.is_made());
        request.clone().make();
        assert!(request.is_made());
        assert!(request.close(), "it was made before the end");
        assert!(!StopRequest::default().close());
    }
}
