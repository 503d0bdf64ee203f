//! Flags of `multigrain pack`.

use super::law::{LawName, LawParameters};
use super::values::{self, Numbers, PeriodicAxes, Rows};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Make a particle system.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Radii follow the law by number, from --radius to the size ratio times it, sampled systematically: the sample is as close to the \
law as its size allows, and its largest radius may stay below the ratio. Those of a table keep their unit.

Without --placement particles are grown without overlap, between walls on axes that are not periodic (Lubachevsky and \
Stillinger). Where that would take minutes (more than 50,000 particles) or is not possible (packing fractions above 0.64, in the \
plane 0.84, or jammed) they are placed at random, and a note says how many overlap; --placement decides.

Without --box the box is a cube from 0 that fits the packing fraction. With it, two of --count, --radius and --packing-fraction \
are given, and the third follows: a column 0.1 m wide of grains of 2 to 4 mm is
  pack --law uniform --ratio 2 --radius 0.001 --box 0,0.1,0,0.1,0,0.5 --packing-fraction 0.55 -o column.xyz

With --spheres particles are clumps, rigid bodies of spheres: the spheres around them are placed, and each clump is turned in its own; radii are \
those of the spheres around clumps, the packing fraction is that of the clumps. They go to .dump or .vtp, whose members know their clump; a scene takes \
them with `file` of `[[clumps]]`.

The same flags and seed give the same system, for ever.

.xyz, .dump, .lammpstrj and .vtp carry the box and its periodic axes; .csv and .npy do not.")]
pub struct PackFlags {
    /// Distribution of radii
    #[arg(long, value_name = "LAW")]
    pub law: LawName,

    #[command(flatten)]
    pub law_parameters: LawParameters,

    /// Number of particles, such as 20000 or 1e6
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    pub count: Option<u32>,

    /// Smallest radius; by default 1
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub radius: Option<f64>,

    /// Volume of the particles over volume of the box, or max: as dense as growth gets
    #[arg(long, value_name = "P", value_parser = filling, allow_hyphen_values = true)]
    pub packing_fraction: Option<Filling>,

    /// The box, as xlo,xhi,ylo,yhi[,zlo,zhi]; by default a cube
    #[arg(long = "box", value_name = "BOUNDS", value_parser = values::bounds, allow_hyphen_values = true)]
    pub bounds: Option<Numbers>,

    /// 2 or 3
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    pub dimension: u8,

    /// Where particles go; growth where it can be done within seconds
    #[arg(long, value_name = "HOW")]
    pub placement: Option<PlacementName>,

    /// Spacing of a lattice along each axis, in units of the largest diameter, instead of a packing fraction
    #[arg(long, value_name = "SX,SY[,SZ]", value_parser = values::numbers, allow_hyphen_values = true)]
    pub spacing: Option<Numbers>,

    /// After growth, let particles fly and collide softly until each has had this many collisions
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub relax: Option<f64>,

    /// Clumps: x,y[,z],radius of each of their spheres, such as "0,0,0,1;1.2,0,0,0.8"; sizes are those of the spheres around them
    #[arg(long, value_name = "MEMBERS", value_parser = values::rows, allow_hyphen_values = true)]
    pub spheres: Option<Rows>,

    /// Leave clumps as --spheres has them; by default they are turned at random
    #[arg(long, requires = "spheres")]
    pub upright: bool,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Periodic axes, such as x,y, or none
    #[arg(long, value_name = "AXES", value_parser = values::periodic_axes)]
    pub periodic: Option<PeriodicAxes>,

    /// Where the system goes: .csv, .npy, .xyz, .dump, .lammpstrj, .vtp (with .gz or .zst behind it: compressed), or - for CSV on
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object about the system; it is written only where -o says
    #[arg(long)]
    pub json: bool,
}

/// How densely the box is to be filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Filling {
    /// To this packing fraction.
    To(f64),
    /// As densely as growth gets.
    Max,
}

fn filling(text: &str) -> Result<Filling, String> {
    match text.trim() {
        "max" => Ok(Filling::Max),
        number => number.parse().map(Filling::To).map_err(|_| "write a number such as 0.6, or max".to_owned()),
    }
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

impl PlacementName {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
