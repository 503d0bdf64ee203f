//! What the commands do.

mod calibrate;
mod compare;
mod demo;
mod detect;
mod explain;
mod forecast;
mod growing;
mod measure;
mod pack;
mod relaxing;
mod reproduce;
mod side_by_side;
mod simulate;
mod tune;
mod view;

pub use growing::grow;

use crate::flags::{Command, Flags};
use crate::plan::{ComparePlan, DetectPlan, PackPlan, TunePlan, ViewPlan};
use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

/// Version in JSON objects.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Does what the flags ask for, on as many threads as they allow.
pub fn run(flags: Flags) -> Result<()> {
    let threads = ThreadPoolBuilder::new().num_threads(flags.threads as usize).build();
    let threads = threads.with_context(|| format!("cannot start {} threads", flags.threads))?;
    threads.install(|| match flags.command {
        Command::Demo(flags) => demo::run(flags),
        Command::Detect(flags) => detect::run(&DetectPlan::from_flags(flags)?),
        Command::Tune(flags) => tune::run(&TunePlan::from_flags(flags)?),
        Command::Pack(flags) => pack::run(&PackPlan::from_flags(flags)?),
        Command::Simulate(flags) => simulate::run(&flags),
        Command::View(flags) => view::run(&ViewPlan::from_flags(&flags)?),
        Command::Calibrate(flags) => calibrate::run(&flags),
        Command::Compare(flags) => compare::run(&ComparePlan::from_flags(flags)),
        Command::Reproduce(flags) => reproduce::run(flags),
    })
}
