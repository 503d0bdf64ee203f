//! Time of simulation steps: all of it, and detection alone.

use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Phase, Simulation};
use std::time::Instant;

/// Seconds per step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepTime {
    /// All of a step.
    pub whole: f64,
    /// Detection alone.
    pub detection: f64,
}

/// Takes this many steps.
pub fn timed_steps<const D: usize>(simulation: &mut Simulation<D>, steps: u64) -> Result<StepTime>
where
    Axes: Dimension<D>,
{
    let mut detection = 0.0;
    let mut since = None;
    let start = Instant::now();
    simulation.run_with(steps, &mut |phase| {
        if let Some(since) = since.take() {
            detection += Instant::elapsed(&since).as_secs_f64();
        }
        if phase == Phase::Detect {
            since = Some(Instant::now());
        }
    })?;
    let whole = start.elapsed().as_secs_f64();
    Ok(StepTime { whole: whole / steps as f64, detection: detection / steps as f64 })
}
