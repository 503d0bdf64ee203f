//! How errors reach the user: one line with its causes, a hint where a way out is known, exit code 2. A run that was told to
//! stop is no error, but has not done what it was asked for: exit code 130.

use anyhow::Error;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// An error with a hint.
pub fn hinted(message: impl Into<String>, hint: impl Into<String>) -> Error {
    multigrain_files::hinted(message, hint).into()
}

/// The same error as files know it, for what is written to them.
pub fn of_file(error: Error) -> multigrain_files::Error {
    error.downcast::<multigrain_files::Error>().unwrap_or_else(|other| {
        let boxed: Box<dyn std::error::Error + Send + Sync> = other.into();
        boxed.into()
    })
}

/// The hint of an error, or of one of its causes.
pub fn hint_of(error: &Error) -> Option<&str> {
    error.chain().find_map(|cause| {
        let of_file = cause.downcast_ref::<multigrain_files::Error>().and_then(|error| error.hint());
        of_file.or_else(|| cause.downcast_ref::<multigrain_experiments::Error>()?.hint())
    })
}

/// Exit code of every error.
pub const FAILED: u8 = 2;

/// Characters of a message; of a longer one its beginning and its end are printed.
const MAX_MESSAGE: usize = 1000;

/// A run that was told to stop and did so in good order.
#[derive(Debug)]
pub struct Stopped {
    pub message: String,
    pub hint: String,
}

impl Stopped {
    /// Exit code, as shells have it for Ctrl-C.
    pub const CODE: u8 = 130;
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stopped {}

/// An error that another rank reports.
#[derive(Debug)]
pub struct ToldElsewhere;

impl fmt::Display for ToldElsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another rank has failed")
    }
}

impl std::error::Error for ToldElsewhere {}

/// An error that was told already.
#[derive(Debug)]
#[cfg_attr(not(feature = "mpi"), allow(dead_code))]
pub struct Told(ExitCode);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this was told already")
    }
}

impl std::error::Error for Told {}

/// Tells of an error now, not at the end of the program.
#[cfg_attr(not(feature = "mpi"), allow(dead_code))]
pub fn tell(error: Error) -> Error {
    Told(report(&error)).into()
}

/// Prints an error and gives its exit code. A reader that went away is no error.
pub fn report(error: &Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if let Some(Told(code)) = error.downcast_ref() {
        return *code;
    }
    if error.is::<ToldElsewhere>() {
        return ExitCode::from(FAILED);
    }
    if let Some(stopped) = error.downcast_ref::<Stopped>() {
        say(&stopped.message);
        say(&format!("hint: {}", stopped.hint));
        return ExitCode::from(Stopped::CODE);
    }
    let hint = hint_of(error).map(str::to_owned).or_else(|| error.chain().find_map(hint_for_flags));
    print_failure(&format!("{error:#}"), hint.as_deref());
    ExitCode::from(FAILED)
}

/// Prints help or version, or what is wrong with the command line; gives the exit code.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::*;
    if matches!(error.kind(), DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand) {
        // Nothing sensible is left to do if not even help can be printed.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { FAILED } else { 0 });
    }
    let rendered = error.render().to_string();
    let (message, hint) = condense_usage(&rendered);
    print_failure(&message, hint.as_deref());
    ExitCode::from(FAILED)
}

/// Prints a line for people, on standard error.
pub fn say(line: &str) {
    // Standard error is closed: nothing is left to do.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn print_failure(message: &str, hint: Option<&str>) {
    say(&format!("error: {}", one_line(message)));
    if let Some(hint) = hint {
        say(&format!("hint: {}", one_line(hint)));
    }
}

fn one_line(text: &str) -> String {
    let mut line: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() > MAX_MESSAGE {
        // The cause is at the end, what it is about at the beginning.
        let half = MAX_MESSAGE / 2;
        line.splice(half..line.len() - half, " ... ".chars());
    }
    line.into_iter().collect()
}

fn is_broken_pipe(error: &Error) -> bool {
    error
        .chain()
        .any(|cause| as_cause::<io::Error>(cause).is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe))
}

/// A cause of this type, also where it is what a file is refused for.
fn as_cause<'a, T: std::error::Error + 'static>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a T> {
    cause.downcast_ref().or_else(|| cause.downcast_ref::<multigrain_files::Error>()?.cause())
}

/// What to type instead, where the engine refuses what flags ask for.
fn hint_for_flags(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    match as_cause::<multigrain::Error>(cause)? {
        multigrain::Error::CellTooSmall { diameter, .. } => {
            Some(format!("end --cell-sizes with {diameter} or more, or leave the sizes to --levels"))
        }
        multigrain::Error::CellSizes { .. } => {
            Some("list them from fine to coarse, as in --cell-sizes 4,7.9,15.1".into())
        }
        multigrain::Error::NoSuchSetting { .. } => {
            Some("levels and direction belong to the hierarchical grids; see --method".into())
        }
        multigrain::Error::TooManyBoxesAway { .. } | multigrain::Error::BoxTooSmall { .. } => {
            Some("check --box, or open the axis with --periodic".into())
        }
        _ => None,
    }
}

/// The message of the command line parser in one line, its tips or the usage as hint.
fn condense_usage(rendered: &str) -> (String, Option<String>) {
    let mut paragraphs = rendered.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join(" ")
    });
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let rest: Vec<String> = paragraphs.collect();
    let tip = rest.iter().find_map(|line| line.strip_prefix("tip: "));
    let usage = rest.iter().find(|line| line.starts_with("Usage: "));
    let more = rest.iter().find_map(|line| line.strip_prefix("For more information, "));
    (message, tip.or(usage.map(String::as_str)).or(more).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_become_one_line_and_a_hint() {
        let rendered = "error: invalid value 'a' for '--method <NAME>'\n  [possible values: b, c]\n\n  tip: a similar value exists: 'b'\n\nFor more information, try '--help'.\n";
        let (message, hint) = condense_usage(rendered);
        assert_eq!(message, "invalid value 'a' for '--method <NAME>' [possible values: b, c]");
        assert_eq!(hint.as_deref(), Some("a similar value exists: 'b'"));
        let (_, hint) = condense_usage("error: x\n\nFor more information, try '--help'.\n");
        assert_eq!(hint.as_deref(), Some("try '--help'."));
    }
}
