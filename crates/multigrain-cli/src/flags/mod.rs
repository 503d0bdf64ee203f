//! What was typed. What it means is decided in [`crate::plan`].

mod analyze;
mod calibrate;
mod compare;
mod convert;
mod demo;
mod detect;
mod law;
mod new;
mod pack;
mod reproduce;
mod scale;
mod shell;
mod simulate;
mod tune;
mod values;
mod view;

pub use analyze::AnalyzeFlags;
pub use calibrate::CalibrateFlags;
pub use compare::CompareFlags;
pub use convert::ConvertFlags;
pub use demo::DemoFlags;
pub use detect::{DetectFlags, SpaceFlags};
pub use law::{LawName, LawParameters};
pub use new::{NewFlags, SceneKind};
pub use pack::{Filling, PackFlags, PlacementName};
pub use reproduce::ReproduceFlags;
pub use scale::ScaleFlags;
pub use shell::{CompletionsFlags, ManPagesFlags};
pub use simulate::SimulateFlags;
pub use tune::{DistributionName, KFlag, RuleName, TuneFlags};
pub use view::{ViewFlags, WithContacts};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Most threads that may be asked for: a typing error should not start a million.
const MAX_THREADS: i64 = 1024;

/// Contact detection for grains of every size: every touching pair, exactly once, in linear time.
#[derive(Debug, Parser)]
#[command(
    name = "multigrain",
    version,
    propagate_version = true,
    max_term_width = 110,
    after_help = "multigrain help COMMAND explains a command, multigrain help scene explains scenes."
)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Threads to work with; 0 for all cores. Results do not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0, display_order = 900, value_parser = clap::value_parser!(u32).range(..=MAX_THREADS))]
    pub threads: u32,
}

impl Flags {
    /// What was typed. Negative numbers are values, which are refused as such where they make no sense, and not taken for flags.
    pub fn typed() -> Result<Self, clap::Error> {
        let of_numbers =
            |flag: clap::Arg| if flag.get_action().takes_values() { flag.allow_negative_numbers(true) } else { flag };
        let command = Self::command()
            .version(version())
            .mut_args(of_numbers)
            .mut_subcommands(|command| command.mut_args(of_numbers));
        Self::from_arg_matches(&command.try_get_matches()?)
    }
}

/// The version, and the MPI that ranks speak through.
#[cfg(feature = "mpi")]
fn version() -> &'static str {
    let library = multigrain_distributed::MpiRank::library();
    // Once in a process.
    Box::leak(format!("{} with {library}", env!("CARGO_PKG_VERSION")).into_boxed_str())
}

#[cfg(not(feature = "mpi"))]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find every contact in an example with 125,001 grains, by the linked cell and by faster methods
    Demo(DemoFlags),
    /// Find every contact of the particles in a file
    Detect(DetectFlags),
    /// The best levels and cell sizes by the papers' cost model, and their predicted work; detect needs none of it
    Tune(TuneFlags),
    /// Make a particle system
    Pack(PackFlags),
    /// Write a scene to begin with, every line of it explained
    New(NewFlags),
    /// Run a scene: a discrete element simulation of grains, from a TOML file
    Simulate(SimulateFlags),
    /// Write a page that shows particles, contacts and walls in 3D, to be turned, cut, colored and played
    View(ViewFlags),
    /// Coordination, fabric, stress, pair correlation, profiles and forces of a particle file or a run
    Analyze(AnalyzeFlags),
    /// Write particles in another format; several files, or a run, as one file of many frames
    Convert(ConvertFlags),
    /// Fit the prediction of times to this machine; optional
    Calibrate(CalibrateFlags),
    /// Run all methods on the same particles: do they agree, what work, time and memory do they take
    Compare(CompareFlags),
    /// Cut a particle system for many ranks on paper: ghosts, messages, work and imbalance of each, and the efficiency to expect
    Scale(ScaleFlags),
    /// Repeat the papers' experiments: points, plots, and whether their claims hold
    Reproduce(ReproduceFlags),
    /// Print what a shell needs to complete commands and flags
    Completions(CompletionsFlags),
    /// Write a manual page for each command
    ManPages(ManPagesFlags),
}
