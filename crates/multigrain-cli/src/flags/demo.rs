//! Flags of `multigrain demo`.

use clap::Args;

/// Find every contact in an example with 125,001 grains.
#[derive(Debug, Args)]
pub struct DemoFlags {
    /// Print one JSON object instead of the table
    #[arg(long)]
    pub json: bool,
}
