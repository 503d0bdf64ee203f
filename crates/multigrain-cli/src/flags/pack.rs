//! Flags of `multigrain pack`.

use super::law::{LawName, LawParameters};
use super::values::{self, Numbers, PeriodicAxes};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Make a particle system.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Radii follow the law by number, from 1 to the size ratio, sampled systematically: the sample is as close to the law as \
its size allows. Those of a table keep their unit. Particles are placed in a box that starts at 0; random placement \
and dense lattices let them overlap, growth does not. The same flags and seed give the same system, for ever.

.xyz, .dump, .lammpstrj and .vtp carry the box and its periodic axes; .csv and .npy do not.")]
pub struct PackFlags {
    /// Distribution of radii
    #[arg(long, value_name = "LAW")]
    pub law: LawName,

    #[command(flatten)]
    pub law_parameters: LawParameters,

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

    /// After growth, let particles fly and collide softly until each has had so many collisions
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub relax: Option<f64>,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Periodic axes, such as x,y, or none
    #[arg(long, value_name = "AXES", value_parser = values::periodic_axes)]
    pub periodic: Option<PeriodicAxes>,

    /// Where the system goes: .csv, .npy, .xyz, .dump, .lammpstrj, .vtp, or - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object about the system; it is written only where -o says
    #[arg(long)]
    pub json: bool,
}

/// A way to place particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlacementName {
    /// Anywhere, overlaps allowed
    Random,
    /// On a rectangular lattice
    Lattice,
    /// Grown from random points without overlap; walls stand on axes that are not periodic
    Growth,
}
