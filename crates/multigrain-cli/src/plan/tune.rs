//! What `multigrain tune` is to do.

use super::Space;
use super::law::law;
use crate::failure::hinted;
use crate::flags::{DistributionName, KFlag, LawName, RuleName, TuneFlags};
use crate::plots::PlotFormat;
use anyhow::Result;
use multigrain::Direction;
use multigrain::sizes::SizeLaw;
use multigrain_files::{Input, Target};
use multigrain_papers::tuning::{K_OF_HGRID_CELLS, K_OF_SPHERES, Spacing};

/// Levels to be found.
#[derive(Debug)]
pub struct TunePlan {
    /// The sizes of the particles, and how closely they lie.
    pub sizes: Sizes,
    /// How levels are chosen.
    pub way: Way,
    /// How many; `None` for as many as are best.
    pub levels: Option<usize>,
    /// Who searches between levels.
    pub direction: Direction,
    /// Cost of looking at a cell over that of testing a pair.
    pub k: f64,
    /// Where the plot goes and how, if it is wanted.
    pub plot: Option<(Target, PlotFormat)>,
    /// Whether to print JSON.
    pub json: bool,
}

/// The sizes of the particles, and how closely they lie.
#[derive(Debug)]
pub enum Sizes {
    /// Those of a law.
    Law(LawSizes),
    /// Those of a file.
    File {
        /// Where the particles come from.
        input: Input,
        /// The space they are in.
        space: Space,
        /// Volume of the particles over volume of the space, if not that of the box.
        packing_fraction: Option<f64>,
        /// The dimension that was typed.
        dimension: Option<u8>,
    },
}

/// A law of sizes at a packing fraction.
#[derive(Debug)]
pub struct LawSizes {
    /// The law, in units of its smallest radius.
    pub law: SizeLaw,
    /// In words.
    pub name: String,
    /// The smallest radius.
    pub unit: f64,
    /// 2 or 3.
    pub dimension: u8,
    /// Volume of the particles over volume of the space.
    pub packing_fraction: f64,
    /// Particles of a sample, for rules that need one.
    pub count: Option<usize>,
}

/// How levels are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// By how cell sizes follow one another.
    Spacing(Spacing),
    /// Equal filling; the number of levels by the cost model.
    AppendixA,
    /// Equal filling; the number of levels by the quick rule.
    Quick,
}

impl TunePlan {
    /// From flags; wrong combinations and wrong output are found before any work is done.
    pub fn from_flags(flags: TuneFlags) -> Result<Self> {
        let way = way(&flags)?;
        let plot = flags.plot.as_deref().map(PlotFormat::for_path).transpose()?;
        for read in flags.input.iter().chain(&flags.law_parameters.table) {
            plot.as_ref().map_or(Ok(()), |(target, _)| target.check_against(read, "the plot"))?;
        }
        let sizes = match (&flags.input, flags.law) {
            (Some(_), _) => of_file(&flags)?,
            (None, Some(name)) => Sizes::Law(of_law(name, &flags)?),
            (None, None) => {
                return Err(hinted("neither a file nor a law to tune for", "name a particle file, or add --law"));
            }
        };
        // The rule chooses the levels that hgrid-cells takes; the rest is the papers' model.
        let default_k = if way == Way::Quick { K_OF_HGRID_CELLS } else { K_OF_SPHERES };
        let k = match flags.k {
            Some(KFlag::Given(k)) => k,
            Some(KFlag::Auto) => K_OF_HGRID_CELLS,
            None => default_k,
        };
        Ok(Self { sizes, way, levels: flags.levels, direction: flags.direction, k, plot, json: flags.json })
    }
}

fn way(flags: &TuneFlags) -> Result<Way> {
    if flags.per_cell_ratio.is_some() && (flags.rule.is_some() || flags.distribution != DistributionName::Constant) {
        return Err(hinted("--per-cell-ratio goes with --distribution constant", "add that, or leave the ratio out"));
    }
    Ok(match flags.rule {
        Some(RuleName::Quick) if flags.levels.is_some() => {
            return Err(hinted(
                "--rule quick chooses the number of levels itself",
                "use --rule appendix-a for a given number",
            ));
        }
        Some(RuleName::Quick) => Way::Quick,
        Some(RuleName::AppendixA) => Way::AppendixA,
        None => Way::Spacing(match flags.distribution {
            DistributionName::Linear => Spacing::Linear,
            DistributionName::Exponential => Spacing::Exponential,
            DistributionName::Constant => Spacing::ConstantRatio(flags.per_cell_ratio.unwrap_or(1.0)),
            DistributionName::Optimal => Spacing::Optimal,
        }),
    })
}

fn of_file(flags: &TuneFlags) -> Result<Sizes> {
    let parameters = &flags.law_parameters;
    let given = [
        ("--exponent", parameters.exponent.is_some()),
        ("--ratio", parameters.ratio.is_some()),
        ("--sigma", parameters.sigma.is_some()),
        ("--table", parameters.table.is_some()),
        ("--count", flags.count.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(hinted(format!("{flag} belongs to a law, but a file is given"), "leave one of them out"));
    }
    Ok(Sizes::File {
        input: Input::from_flag(flags.input.as_deref().unwrap_or("-".as_ref())),
        space: Space::from_flags(&flags.space),
        packing_fraction: flags.packing_fraction,
        dimension: flags.dimension,
    })
}

fn of_law(name: LawName, flags: &TuneFlags) -> Result<LawSizes> {
    let space = &flags.space;
    let given = [
        ("--box", space.bounds.is_some()),
        ("--periodic", space.periodic.is_some()),
        ("--margin", space.margin != 0.0),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(hinted(format!("{flag} belongs to a file, but a law is given"), "leave one of them out"));
    }
    let packing_fraction = flags
        .packing_fraction
        .ok_or_else(|| hinted("--law needs --packing-fraction", "add --packing-fraction, such as 0.6"))?;
    match (flags.rule, flags.count) {
        (Some(_), None) => return Err(hinted("--rule needs particles", "add --count, such as 100000, or name a file")),
        (None, Some(_)) => return Err(hinted("--count goes with --rule", "a law itself needs no number of particles")),
        _ => (),
    }
    let (law, unit) = law(name, &flags.law_parameters)?;
    Ok(LawSizes {
        name: describe(&law),
        law,
        unit,
        dimension: flags.dimension.unwrap_or(3),
        packing_fraction,
        count: flags.count.map(|count| count as usize),
    })
}

fn describe(law: &SizeLaw) -> String {
    match law {
        SizeLaw::Mono => "particles of one size".to_owned(),
        SizeLaw::Power { exponent: 0.0, ratio, .. } => format!("uniform sizes, size ratio {ratio}"),
        SizeLaw::Power { exponent, ratio, .. } => format!("a power law r^{exponent}, size ratio {ratio}"),
        SizeLaw::Bidisperse { ratio, .. } => format!("two sizes of equal volume, size ratio {ratio}"),
        SizeLaw::LogNormal { sigma, ratio, .. } => format!("a log-normal law, sigma {sigma}, size ratio {ratio}"),
        _ => format!("a table of sizes, size ratio {}", law.ratio()),
    }
}
