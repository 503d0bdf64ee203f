//! Flags of `multigrain pack`.

use super::values::{self, Numbers, PeriodicAxes};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Make a particle system.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Radii follow the law by number, from 1 to the size ratio, sampled systematically: the sample is as close to the law as \
its size allows. Those of a table keep their unit. Particles are placed in a box that starts at 0; random placement \
and dense lattices let them overlap. The same flags and seed give the same system, for ever.

.xyz, .dump and .lammpstrj carry the box and its periodic axes; .csv and .npy do not.")]
pub struct PackFlags {
    /// Distribution of radii
    #[arg(long, value_name = "LAW")]
    pub law: LawName,

    /// Exponent of the density r^A of a power law: 0 for uniform sizes, -3 for uniform volumes
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub exponent: Option<f64>,

    /// Largest radius over smallest
    #[arg(long, value_name = "W", allow_hyphen_values = true)]
    pub ratio: Option<f64>,

    /// Standard deviation of ln r of a log-normal law; by default a sixth of ln W
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub sigma: Option<f64>,

    /// Table of a law: CSV with the columns radius,weight
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,

    /// Number of particles
    #[arg(long, value_name = "N")]
    pub count: u32,

    /// Volume of the particles over volume of the box
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub packing_fraction: Option<f64>,

    /// 2 or 3
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    pub dimension: u8,

    /// Where particles go
    #[arg(long, value_name = "HOW", default_value = "random")]
    pub placement: PlacementName,

    /// Spacing of a lattice along each axis, in units of the largest diameter, instead of a packing fraction
    #[arg(long, value_name = "SX,SY[,SZ]", value_parser = values::numbers, allow_hyphen_values = true)]
    pub spacing: Option<Numbers>,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Periodic axes, such as x,y, or none
    #[arg(long, value_name = "AXES", value_parser = values::periodic_axes)]
    pub periodic: Option<PeriodicAxes>,

    /// Where the system goes: .csv, .npy, .xyz, .dump, .lammpstrj, or - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object about the system; it is written only where -o says
    #[arg(long)]
    pub json: bool,
}

/// A distribution of radii.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LawName {
    /// All the same
    Mono,
    /// Every radius from 1 to W equally likely
    Uniform,
    /// Density r^A from 1 to W
    Power,
    /// Radii 1 and W with equal total volumes
    Bidisperse,
    /// Normal in ln r, cut off at 1 and W
    LogNormal,
    /// Radii and weights from a file
    Table,
}

/// A way to place particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlacementName {
    /// Anywhere, overlaps allowed
    Random,
    /// On a rectangular lattice
    Lattice,
    /// Grown without overlap (not available yet)
    Growth,
}

impl LawName {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
