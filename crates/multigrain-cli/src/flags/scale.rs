//! Flags of `multigrain scale`.

use super::SpaceFlags;
use super::values;
use clap::Args;
use multigrain_methods::Method;
use std::path::PathBuf;

/// Cut a particle system for many ranks on paper.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Space is cut as ranks under mpirun would cut it, every rank's bodies and ghosts are searched one after the other in this \
process, and all is counted: no figure is an estimate but the efficiencies, which add the cost of what was counted, the latency of \
each message and the time of their bytes.

A rank of a detection has ghosts: bodies of others that may touch its own. A rank of a simulation has guests: those that do \
within the skin; giants, more than 64 times the mean radius, have none.")]
pub struct ScaleFlags {
    /// Particle file, or - for standard input
    pub input: PathBuf,

    /// Numbers of ranks
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "8,64,512,4096", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub ranks: Vec<u32>,

    /// How ranks detect
    #[arg(long, value_name = "NAME", default_value = Method::Auto.name(), value_parser = values::method())]
    pub method: Method,

    #[command(flatten)]
    pub space: SpaceFlags,

    /// Skin of simulations, in the smallest radii
    #[arg(long, value_name = "X", default_value_t = 0.1)]
    pub skin: f64,

    /// Seconds that a message takes, however short
    #[arg(long, value_name = "SECONDS", default_value_t = 2e-6)]
    pub latency: f64,

    /// Bytes a second that a rank can send
    #[arg(long, value_name = "BYTES", default_value_t = 1e9)]
    pub bandwidth: f64,

    /// Print one JSON object, with every rank
    #[arg(long)]
    pub json: bool,
}
