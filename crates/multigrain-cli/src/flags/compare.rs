//! Flags of `multigrain compare`.

use super::detect::SpaceFlags;
use super::values;
use clap::Args;
use multigrain_methods::Method;
use std::path::PathBuf;

/// Run all methods on the same particles.
#[derive(Debug, Args)]
pub struct CompareFlags {
    /// Particle file, as for detect, or - for standard input
    pub input: PathBuf,

    /// Methods to compare, separated by commas; all by default, but those that would take far too long
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = values::method())]
    pub methods: Option<Vec<Method>>,

    #[command(flatten)]
    pub space: SpaceFlags,

    /// Rounds; in each, every method runs once. Times are medians
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Print one JSON object instead of the table
    #[arg(long)]
    pub json: bool,
}
