//! How much of a run goes into detection.

use multigrain_dem::Phase;
use std::time::{Duration, Instant};

/// Hears when phases begin; adds up the time of detection and that of all.
pub struct Stopwatch {
    since: Instant,
    phase: Phase,
    pub detection: Duration,
    pub all: Duration,
}

impl Stopwatch {
    pub fn new() -> Self {
        Self { since: Instant::now(), phase: Phase::Done, detection: Duration::ZERO, all: Duration::ZERO }
    }

    /// A phase begins; what happened before the first of a step counts for nothing.
    pub fn begin(&mut self, phase: Phase) {
        let now = Instant::now();
        let passed = now - self.since;
        if self.phase != Phase::Done {
            self.all += passed;
        }
        if self.phase == Phase::Detect {
            self.detection += passed;
        }
        (self.since, self.phase) = (now, phase);
    }

    /// Detection over all; 0 where nothing was done.
    pub fn share(&self) -> f64 {
        if self.all.is_zero() { 0.0 } else { self.detection.as_secs_f64() / self.all.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_phases_counts() {
        let mut watch = Stopwatch::new();
        assert_eq!(watch.share(), 0.0);
        for phase in [Phase::Move, Phase::Detect, Phase::Done] {
            watch.begin(phase);
            std::thread::sleep(Duration::from_millis(2));
        }
        let all = watch.all;
        assert!(watch.share() > 0.0 && watch.share() < 1.0);
        watch.begin(Phase::Move);
        assert_eq!(watch.all, all, "time between steps is not the simulator's");
    }
}
