//! How errors reach the user: one line with its causes, a hint where a way out is known, exit code 2. A run that was asked to
//! stop is no error, but has not done what it was asked for: exit code 130.

use crate::flags::Flags;
use anyhow::Error;
use clap::CommandFactory;
use std::env;
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

/// A run that was asked to stop and did so in good order.
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
pub struct ReportedElsewhere;

impl fmt::Display for ReportedElsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another rank has failed")
    }
}

impl std::error::Error for ReportedElsewhere {}

/// An error that was reported already.
#[derive(Debug)]
#[cfg_attr(not(feature = "mpi"), allow(dead_code))]
pub struct Reported(ExitCode);

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this was reported already")
    }
}

impl std::error::Error for Reported {}

/// Reports an error now, not at the end of the program.
#[cfg_attr(not(feature = "mpi"), allow(dead_code))]
pub fn report_now(error: Error) -> Error {
    Reported(report(&error)).into()
}

/// Prints an error and gives its exit code. A reader that went away is no error.
pub fn report(error: &Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if let Some(Reported(code)) = error.downcast_ref() {
        return *code;
    }
    if error.is::<ReportedElsewhere>() {
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
    print_failure(&message, Some(&hint.unwrap_or_else(|| help_of(env::args()))));
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

/// What to type instead, where the system or the engine refuses what flags ask for.
fn hint_for_flags(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    if as_cause::<io::Error>(cause).is_some_and(|cause| cause.kind() == io::ErrorKind::IsADirectory) {
        return Some("name a file; view, analyze and convert also take the folder of a run".into());
    }
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
    let message = plain_words(message.strip_prefix("error: ").unwrap_or(&message));
    let rest: Vec<String> = paragraphs.collect();
    // Somebody who mistypes a flag has no value in mind that looks like one.
    let tip = rest.iter().find_map(|line| line.strip_prefix("tip: ").filter(|tip| !tip.starts_with("to pass ")));
    let is_flag = message.starts_with("unexpected argument '-");
    let usage = rest.iter().find(|line| line.starts_with("Usage: ") && !is_flag);
    (message, tip.or(usage.map(String::as_str)).map(str::to_owned))
}

/// What the parser says of numbers, in words of those who typed them.
fn plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("invalid digit found in string", "must be a whole number"),
        ("cannot parse integer from empty string", "must be a whole number"),
        ("number too large to fit in target type", "is too large"),
        ("number too small to fit in target type", "is too small"),
        ("invalid float literal", "must be a number"),
        ("cannot parse float from empty string", "must be a number"),
    ];
    for (theirs, plain) in WORDS {
        if let Some(start) = message.strip_suffix(theirs) {
            return format!("{start}{plain}");
        }
    }
    // Such as: 0 is not in 1..=64
    let Some((start, range)) = message.rsplit_once(" is not in ") else { return message.to_owned() };
    let Some((low, high)) = range.split_once("..") else { return message.to_owned() };
    let start = start.rsplit_once(' ').map_or(start, |(start, _value)| start);
    let high = high.trim_start_matches('=');
    // The most that a number of the parser can be is no limit that anybody has set.
    match high.parse::<u64>() {
        Ok(most) if most < u64::from(u32::MAX) => format!("{start} must be from {low} to {high}"),
        _ => format!("{start} must be at least {low}"),
    }
}

/// Where the flags of a command are explained, by the words that were typed.
fn help_of(mut typed: impl Iterator<Item = String>) -> String {
    let commands = Flags::command();
    match typed.find(|word| commands.find_subcommand(word).is_some()) {
        Some(name) => format!("multigrain {name} --help lists its flags and what they take"),
        None => "multigrain --help lists all commands".to_owned(),
    }
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
        assert_eq!(hint, None);
    }

    #[test]
    fn numbers_are_refused_in_plain_words() {
        for (theirs, plain) in [
            ("invalid value 'x' for '--n <N>': invalid digit found in string", "must be a whole number"),
            ("invalid value '' for '--n <N>': invalid float literal", "must be a number"),
            ("invalid value '0' for '--n <N>': 0 is not in 1..=64", "must be from 1 to 64"),
            ("invalid value '0' for '--n <N>': 0 is not in 1..", "must be at least 1"),
            ("invalid value '0' for '--n <N>': 0 is not in 1..=4294967295", "must be at least 1"),
        ] {
            let (start, _) = theirs.split_once(": ").unwrap();
            assert_eq!(plain_words(theirs), format!("{start}: {plain}"));
        }
        for other in ["unexpected argument '--x' found", "'a' is not in the list"] {
            assert_eq!(plain_words(other), other);
        }
    }

    #[test]
    fn help_is_that_of_the_command_that_was_typed() {
        let typed = |line: &str| help_of(line.split(' ').map(str::to_owned).collect::<Vec<_>>().into_iter());
        assert_eq!(
            typed("multigrain --threads 2 scale a.csv"),
            "multigrain scale --help lists its flags and what they take"
        );
        assert_eq!(typed("multigrain --x"), "multigrain --help lists all commands");
    }
}
