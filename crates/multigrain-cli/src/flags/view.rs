//! Flags of `multigrain view`.

use super::values;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Write a page that shows particles.
#[derive(Debug, Args)]
#[command(after_long_help = "\
INPUT is a particle file as for `multigrain detect` (.csv, .npy, .xyz, .dump, .lammpstrj, .vtp), several of them as frames of a \
film, or the folder of a run of `multigrain simulate`, with its snapshots, contacts, walls, box and table. Dumps and extended \
XYZ may hold many frames. Every column of numbers can be colored by.

The page is one file that needs no network: send it, archive it, open it in any browser with WebGL2. In it: drag turns, \
the wheel zooms, a click chooses a grain and lists its values and contacts; the help (h) names all keys.")]
pub struct ViewFlags {
    /// Particle files, or the folder of a run; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// The page
    #[arg(short, long, value_name = "PAGE.html", default_value = "multigrain.html")]
    pub output: PathBuf,

    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,

    /// Make the page no larger, such as 20MB: leaves out contacts, then frames, then grains, and says so
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub max_size: Option<u64>,

    /// Whether contacts are part of the page; auto: up to 300,000 grains in all frames
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub contacts: WithContacts,

    /// Print one JSON object about the page
    #[arg(long)]
    pub json: bool,
}

/// Whether contacts are part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WithContacts {
    /// If there are not too many grains.
    Auto,
    /// Always.
    Yes,
    /// Never.
    No,
}
