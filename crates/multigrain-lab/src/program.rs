//! How a program of the lab ends.

use std::error::Error;
use std::process::ExitCode;

/// What a program does: [`ExitCode::FAILURE`] if something it checks does not hold.
pub type Outcome = Result<ExitCode, Box<dyn Error>>;

/// Runs a program. An error becomes one line and exit code 2.
pub fn run(program: impl FnOnce() -> Outcome) -> ExitCode {
    program().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

/// Success if everything that was checked holds.
pub fn verdict(holds: bool) -> ExitCode {
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
