//! Ranks that work together: who they are, which commands they know, who speaks.

use super::{detect, simulate};
use crate::failure::{ReportedElsewhere, hinted};
use crate::flags::{Command, Flags, SimulateFlags};
use crate::plan::DetectPlan;
use anyhow::Result;
use multigrain_distributed::{Launched, Transport, first_failed, launched, run_ranks};
use rayon::ThreadPoolBuilder;
use std::thread;
use std::time::Duration;

/// Does what the flags ask for if there are several ranks; gives them back where there is one.
pub fn take_part(flags: Flags) -> Result<Option<Flags>> {
    let wish = match &flags.command {
        Command::Detect(detect) => detect.ranks,
        Command::Simulate(simulate) => simulate.ranks,
        _ => None,
    };
    match (wish, launched()) {
        (Some(1), _) | (None, None) => Ok(Some(flags)),
        (Some(ranks), _) => {
            start_threads(flags.threads as usize)?;
            let plan = Plan::of(flags)?;
            let ends = run_ranks(ranks as usize, |transport| plan.run(transport));
            // The one that has something to say.
            match ends.into_iter().filter_map(Result::err).min_by_key(|error| error.is::<ReportedElsewhere>()) {
                Some(error) => Err(error),
                None => Ok(None),
            }
        }
        (None, Some(launched)) => under_mpi(flags, launched),
    }
}

/// What several ranks can do.
enum Plan {
    Detect(DetectPlan),
    Simulate(SimulateFlags),
}

impl Plan {
    fn of(flags: Flags) -> Result<Self> {
        match flags.command {
            Command::Detect(flags) => {
                let plan = DetectPlan::from_flags(flags)?;
                detect::on_ranks::check(&plan)?;
                Ok(Self::Detect(plan))
            }
            Command::Simulate(flags) => Ok(Self::Simulate(flags)),
            _ => Err(hinted(
                "this command runs on one machine, but was started on several ranks",
                "start it without mpirun; detect and simulate are what ranks do together",
            )),
        }
    }

    fn run(&self, transport: &mut dyn Transport) -> Result<()> {
        match self {
            Self::Detect(plan) => detect::on_ranks::run(plan, transport),
            Self::Simulate(flags) => simulate::run_on_ranks(flags, transport),
        }
    }
}

/// What all ranks have, or an error that one of them reports.
pub fn together<T, E: Into<anyhow::Error>>(transport: &mut dyn Transport, outcome: Result<T, E>) -> Result<T> {
    match first_failed(transport, outcome.is_err()) {
        Some(rank) if rank != transport.rank() => Err(ReportedElsewhere.into()),
        _ => outcome.map_err(Into::into),
    }
}

/// An error that every process has which a launcher started: the first reports it. Launchers end all as soon as one fails, so that
/// the others leave it the time.
fn of_each(launched: Launched, message: String, hint: &str) -> anyhow::Error {
    if launched.rank == 0 {
        return hinted(message, hint);
    }
    thread::sleep(Duration::from_secs(1));
    ReportedElsewhere.into()
}

/// The pool for all that follows. MPI is called from the main thread, which is in no pool.
fn start_threads(threads: usize) -> Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| super::cannot_start(threads as u64, &error))
}

#[cfg(feature = "mpi")]
fn under_mpi(flags: Flags, launched: Launched) -> Result<Option<Flags>> {
    use multigrain_distributed::MpiRank;
    let Some(mut transport) = MpiRank::start() else {
        return Err(hinted(
            "MPI does not start",
            "start the program with the mpirun of the MPI that it was built with",
        ));
    };
    if transport.size() == 1 {
        if launched.ranks > 1 {
            return Err(of_each(
                launched,
                format!(
                    "{} started {} ranks, but each of them is alone: this program was built with another MPI, {}",
                    launched.by,
                    launched.ranks,
                    MpiRank::library()
                ),
                "start it with the mpirun of that MPI, or build it again: MPICC=mpicc cargo build --release -p multigrain-cli --features mpi",
            ));
        }
        return Ok(Some(flags));
    }
    let threads = match flags.threads {
        0 => threads_of_rank(transport.on_this_machine()),
        threads => threads as usize,
    };
    let plan = start_threads(threads).and_then(|()| Plan::of(flags));
    let outcome = together(&mut transport, plan).and_then(|plan| plan.run(&mut transport));
    // Whoever has something to report must have done so before the first rank ends: launchers then end the others.
    let outcome = outcome.map_err(crate::failure::report_now);
    first_failed(&mut transport, outcome.is_err());
    outcome.map(|()| None)
}

#[cfg(not(feature = "mpi"))]
fn under_mpi(flags: Flags, launched: Launched) -> Result<Option<Flags>> {
    if launched.ranks <= 1 {
        return Ok(Some(flags));
    }
    Err(of_each(
        launched,
        format!(
            "{} started {} copies of a program that was built without MPI: each would do all of the work",
            launched.by, launched.ranks
        ),
        "build it with cargo build --release -p multigrain-cli --features mpi, or say --ranks 1 if copies are what you want",
    ))
}

/// Cores that a rank may use: those that it is bound to, or, where it is bound to none, its share of the machine's.
#[cfg(feature = "mpi")]
fn threads_of_rank(ranks_here: usize) -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let cores = std::fs::read_to_string("/proc/cpuinfo")
        .map_or(allowed, |text| text.lines().filter(|line| line.starts_with("processor")).count());
    if allowed < cores { allowed } else { (allowed / ranks_here).max(1) }
}
