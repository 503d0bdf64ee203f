//! Processor time of simulation steps on one thread: all of it, and detection alone.

use crate::error::Result;
use crate::processor_time::ProcessorTime;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Phase, Simulation};

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
    let start = ProcessorTime::now();
    simulation.run_with(steps, &mut |phase| {
        if let Some(since) = since.take() {
            detection += ProcessorTime::elapsed(&since).as_secs_f64();
        }
        if phase == Phase::Detect {
            since = Some(ProcessorTime::now());
        }
    })?;
    let whole = start.elapsed().as_secs_f64();
    Ok(StepTime { whole: whole / steps as f64, detection: detection / steps as f64 })
}
