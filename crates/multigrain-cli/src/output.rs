//! Results on standard output.

use anyhow::Result;
use multigrain_files::Target;

/// Prints a line of results on standard output.
pub fn print(text: &str) -> Result<()> {
    Ok(Target::Stdout.write(|out| Ok(writeln!(out, "{text}")?))?)
}
