//! Processor time of simulation steps: all of it, detection alone, and every phase on each of two threads.

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

/// The phases of a step that take time, with their names.
pub const PHASES: [(Phase, &str); 5] = [
    (Phase::Move, "move"),
    (Phase::Detect, "detect"),
    (Phase::Arrange, "arrange"),
    (Phase::Push, "push"),
    (Phase::Gather, "gather"),
];

/// Processor time of a phase, in seconds per step: of the thread that leads from phase to phase, and of all others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PhaseTime {
    /// The thread that leads.
    pub leader: f64,
    /// All other threads of the process.
    pub others: f64,
}

impl PhaseTime {
    /// What the phase lasts at least where every thread has a processor to itself.
    pub fn busier(&self) -> f64 {
        self.leader.max(self.others)
    }
}

/// Takes this many steps, and times their phases in the order of [`PHASES`]. What else the machine does is in none of the times; that
/// a thread looks around for work until it finds none is.
pub fn timed_phases<const D: usize>(simulation: &mut Simulation<D>, steps: u64) -> Result<[PhaseTime; 5]>
where
    Axes: Dimension<D>,
{
    let mut times = [PhaseTime::default(); 5];
    let mut since: Option<(usize, [ProcessorTime; 2])> = None;
    simulation.run_with(steps, &mut |phase| {
        let now = [ProcessorTime::now(), ProcessorTime::of_all_threads()];
        if let Some((running, [own, all])) = since.take() {
            let own = (now[0] - own).as_secs_f64();
            times[running].leader += own;
            times[running].others += ((now[1] - all).as_secs_f64() - own).max(0.0);
        }
        since = PHASES.iter().position(|&(known, _)| known == phase).map(|running| (running, now));
    })?;
    let each = |time: PhaseTime| PhaseTime { leader: time.leader / steps as f64, others: time.others / steps as f64 };
    Ok(times.map(each))
}
