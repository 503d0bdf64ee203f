//! What the commands do.

mod analyze;
mod calibrate;
mod clumping;
mod compare;
mod convert;
mod demo;
mod detect;
mod explain;
mod forecast;
mod growing;
mod measure;
mod new;
mod pack;
mod ranks;
mod relaxing;
mod reproduce;
mod scale;
mod sharing;
mod shell;
mod side_by_side;
mod simulate;
mod tune;
mod view;

pub use growing::grow;

use crate::failure::hinted;
use crate::flags::{Command, Flags};
use crate::plan::{ComparePlan, DetectPlan, PackPlan, TunePlan, ViewPlan};
use anyhow::Result;
use rayon::ThreadPoolBuilder;

/// Version in JSON objects.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Does what the flags ask for, on as many ranks as there are and as many threads as they allow.
pub fn run(flags: Flags) -> Result<()> {
    let Some(flags) = ranks::take_part(flags)? else { return Ok(()) };
    let threads = ThreadPoolBuilder::new().num_threads(flags.threads as usize).build();
    let threads = threads.map_err(|error| cannot_start(flags.threads.into(), &error))?;
    threads.install(|| match flags.command {
        Command::Demo(flags) => demo::run(flags),
        Command::Detect(flags) => detect::run(&DetectPlan::from_flags(flags)?),
        Command::Tune(flags) => tune::run(&TunePlan::from_flags(flags)?),
        Command::Pack(flags) => pack::run(&PackPlan::from_flags(flags)?),
        Command::New(flags) => new::run(&flags),
        Command::Simulate(flags) => simulate::run(&flags),
        Command::View(flags) => view::run(&ViewPlan::from_flags(&flags)?),
        Command::Analyze(flags) => analyze::run(&flags),
        Command::Convert(flags) => convert::run(&flags),
        Command::Calibrate(flags) => calibrate::run(&flags),
        Command::Compare(flags) => compare::run(&ComparePlan::from_flags(flags)),
        Command::Scale(flags) => scale::run(&flags),
        Command::Reproduce(flags) => reproduce::run(flags),
        Command::Completions(flags) => shell::completions(&flags),
        Command::ManPages(flags) => shell::man_pages(&flags),
    })
}

/// What to say where threads cannot be had; 0 stands for one for each core.
fn cannot_start(threads: u64, error: &impl std::fmt::Display) -> anyhow::Error {
    let threads = match threads {
        0 => "a thread for each core".to_owned(),
        1 => "a thread".to_owned(),
        _ => format!("{threads} threads"),
    };
    hinted(format!("cannot start {threads}: {error}"), "give fewer with --threads, or raise the limit on processes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_cannot_be_had_are_reported_once() {
        let error = "Resource temporarily unavailable (os error 11)";
        let message = format!("{:#}", cannot_start(0, &error));
        assert_eq!(message, format!("cannot start a thread for each core: {error}"));
        assert_eq!(cannot_start(7, &error).to_string(), format!("cannot start 7 threads: {error}"));
    }
}
