//! Flags of `multigrain calibrate`.

use clap::Args;

/// Measure this machine's coefficients for predicted seconds.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Levels are always chosen with built-in coefficients, so that the same particles get the same levels on every machine. \
What is measured here is kept in the user's cache folder and only turns predicted work into predicted seconds, as \
detect --explain prints them. Leave the machine alone while it runs.")]
pub struct CalibrateFlags {
    /// Number of particles of the systems that are measured
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u32).range(1000..=100_000_000))]
    pub count: u32,

    /// Rounds; medians count
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Print one JSON object instead of sentences
    #[arg(long)]
    pub json: bool,
}
