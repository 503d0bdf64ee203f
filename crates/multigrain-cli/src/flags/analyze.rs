//! Flags of `multigrain analyze`.

use super::SpaceFlags;
use super::values;
use clap::Args;
use multigrain_files::FrameChoice;
use std::path::PathBuf;

/// What grains and their contacts say: coordination, fabric, stress, pair correlation, profiles, forces, segregation.
#[derive(Debug, Args)]
#[command(after_long_help = "\
INPUT is a particle file, of which the last frame is taken, or the folder of a run: then each snapshot is a row of a series, and the \
last one is described in full. Of a run the forces are those it has written (contacts-N.vtp); of a file there are none, \
unless --stiffness makes linear springs of the overlaps.

coordination   contacts per grain, (2 C + W) / N, those with walls (W) where snapshots of a run count them; mechanical: of the grains with two contacts or more (Thornton 2000)
fabric         mean of n n over contacts; anisotropy is the largest minus the smallest eigenvalue
stress         Love and Weber: sum of f l over contacts between grains, over the volume of the box; pressure is positive
box            periodic axes: that of the file; others: from the lowest to the highest point of the grains
g(r)           pair correlation of centers, 1 where grains do not know of each other
profile        packing fraction (the exact part of each grain in a slice), mean radius, velocity, granular temperature
map            the same on the plane of the first and the last axis, spread by a Gaussian as wide as the mean diameter
segregation    center of mass of the larger half minus that of the smaller (by volume), over half the height: 1 is large on top

With -o FOLDER the tables go there as CSV, with plots as SVG and PNG, and all numbers as analysis.json.")]
pub struct AnalyzeFlags {
    /// Particle file (.csv, .npy, .xyz, .dump, .lammpstrj, .vtp), or the folder of a run
    pub input: PathBuf,

    #[command(flatten)]
    pub space: SpaceFlags,

    /// Frame of a file with several, or snapshot of a run: a number from 0 or last
    #[arg(long, value_name = "N", value_parser = values::frame, allow_hyphen_values = true)]
    pub frame: Option<FrameChoice>,

    /// Stiffness of contacts, for forces from overlaps where the input has none
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub stiffness: Option<f64>,

    /// Axis of the profile: x, y or z; the last by default
    #[arg(long, value_name = "AXIS", value_parser = values::axis)]
    pub axis: Option<usize>,

    /// Slices of the profile and bins of histograms
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub bins: u32,

    /// Folder for tables and plots
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
}
