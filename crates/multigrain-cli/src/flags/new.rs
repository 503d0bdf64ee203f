//! Flags of `multigrain new`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Write a scene to begin with, every line of it explained.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The scene runs as it is: multigrain new hopper && multigrain simulate hopper.toml. Change it and run it again; `multigrain help scene` \
explains every key.")]
pub struct NewFlags {
    /// What it is to show
    pub kind: SceneKind,

    /// Where it goes: KIND.toml by default, - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that is there
    #[arg(long)]
    pub overwrite: bool,
}

/// A scene to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SceneKind {
    /// Spheres run out of a bin through a funnel
    Hopper,
    /// Discs in a turning drum
    Drum,
    /// Spheres of two sizes fall and come to rest in a box
    Settling,
    /// Large and small discs flow down a rough slope and segregate
    Slope,
    /// A column of angular grains collapses into a heap
    Polygons,
}

impl SceneKind {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
