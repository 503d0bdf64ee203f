//! Flags of `multigrain convert`.

use super::values;
use clap::Args;
use multigrain_files::FrameChoice;
use std::path::PathBuf;

/// Write particles in another format, several files or a run as one.
#[derive(Debug, Args)]
#[command(after_long_help = "\
.dump, .lammpstrj, .xyz and .h5 (HDF5, where the program was built with it) hold all frames of all inputs, with ids, time and every \
column of numbers; the others hold one frame, without columns. With .gz or .zst behind it the file is compressed:
  multigrain convert hopper -o hopper.dump.gz          all snapshots of a run in one file, for OVITO
  multigrain convert grains.dump --frame last -o grains.csv")]
pub struct ConvertFlags {
    /// Particle files, or the folder of a run
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,

    /// Where they go: .csv, .npy, .xyz, .dump, .lammpstrj, .vtp or .h5
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Frame of each input: a number from 0, last, or all; all by default
    #[arg(long, value_name = "N", value_parser = values::frame, allow_hyphen_values = true)]
    pub frame: Option<FrameChoice>,
}
