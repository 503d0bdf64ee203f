//! Flags of `multigrain tune`.

use super::detect::SpaceFlags;
use super::law::{LawName, LawParameters};
use super::values;
use clap::{Args, ValueEnum};
use multigrain::Direction;
use std::path::PathBuf;

/// Find the best levels and cell sizes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
This is for hgrid-cells, the papers' form of the grid: detect chooses its own levels for hgrid, which is faster, and needs no tuning.

Work is predicted by the papers' cost model: candidate pairs, plus K times the cells looked at, per particle, for \
particles at random places. It is what hgrid-cells counts. Sizes are in the unit of the input; of a law the smallest \
radius is 1.

multigrain tune --law power --exponent -3 --ratio 100 --packing-fraction 0.7
multigrain tune grains.xyz --levels 5 --plot tuning.svg
multigrain tune --law power --exponent -3 --ratio 50 --packing-fraction 0.62 --rule quick --count 125001")]
pub struct TuneFlags {
    /// Particle file, as for detect, or - for standard input
    pub input: Option<PathBuf>,

    /// Distribution of radii, instead of a file
    #[arg(long, value_name = "LAW", conflicts_with = "input")]
    pub law: Option<LawName>,

    #[command(flatten)]
    pub law_parameters: LawParameters,

    /// Volume of the particles over volume of the space; of a file, by default, that of its box
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub packing_fraction: Option<f64>,

    /// 2 or 3; of a file, its own, of a law 3 by default
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(2..=3))]
    pub dimension: Option<u8>,

    /// Cost of looking at a cell over that of testing a pair: a number, or auto for that of hgrid-cells, as the experiment
    /// hgrid-overhead measures it. By default 0.2, the papers' value for spheres; with --rule quick that of this program, as auto
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = k_flag)]
    pub k: Option<KFlag>,

    /// How cell sizes follow one another
    #[arg(long, value_name = "HOW", default_value = "optimal")]
    pub distribution: DistributionName,

    /// Number of levels; by default the one with the least work. Fewer where more do not lessen it
    #[arg(long, value_name = "L")]
    pub levels: Option<usize>,

    /// Which of two particles on different levels searches for the other
    #[arg(long, default_value = Direction::TopDown.name(), value_parser = values::direction())]
    pub direction: Direction,

    /// Particles per cell of each level over those of the next finer one, with --distribution constant
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    pub per_cell_ratio: Option<f64>,

    /// Levels from single particles, filled one after the other, instead of a distribution of cell sizes
    #[arg(long, value_name = "RULE", conflicts_with = "distribution")]
    pub rule: Option<RuleName>,

    /// Number of particles of the sample of a law, with --rule
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,

    #[command(flatten)]
    pub space: SpaceFlags,

    /// Draw work over the number of levels, cell sizes and particles per cell: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Print one JSON object instead of sentences
    #[arg(long)]
    pub json: bool,
}

/// How cell sizes follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DistributionName {
    /// Equal steps
    Linear,
    /// Equal ratios
    Exponential,
    /// Particles per cell in a constant ratio from level to level
    Constant,
    /// Least work of all
    Optimal,
}

/// A rule for levels from single particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleName {
    /// Equal filling (appendix A of Ogarko and Luding), with the number of levels that needs the least work
    AppendixA,
    /// Equal filling, with the number of levels L that minimises L (m + K)
    Quick,
}

/// The cost of looking at a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KFlag {
    /// As measured for this program.
    Auto,
    /// A number.
    Given(f64),
}

fn k_flag(text: &str) -> Result<KFlag, String> {
    match text.trim() {
        "auto" => Ok(KFlag::Auto),
        number => number.parse().map(KFlag::Given).map_err(|_| "must be a number or auto".to_owned()),
    }
}
