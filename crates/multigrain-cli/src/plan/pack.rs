//! What `multigrain pack` is to do.

use super::detect::no_json_on_the_same_stream;
use crate::failure::hinted;
use crate::flags::{LawName, PackFlags, PlacementName};
use crate::formats::{SystemFormat, read_weights};
use crate::output::Target;
use anyhow::{Context, Result};
use multigrain::sizes::SizeLaw;
use std::path::Path;

/// A particle system to be made.
#[derive(Debug)]
pub struct PackPlan {
    /// Distribution of radii, in units of the smallest.
    pub law: SizeLaw,
    /// Its name.
    pub law_name: String,
    /// The smallest radius.
    pub unit: f64,
    /// Number of particles.
    pub count: usize,
    /// 2 or 3.
    pub dimension: u8,
    /// Where particles go.
    pub placement: Placement,
    /// Seed of everything random.
    pub seed: u64,
    /// Periodic axes.
    pub periodic: [bool; 3],
    /// Where the system goes and how, if it is wanted.
    pub output: Option<(Target, SystemFormat)>,
    /// Whether to print JSON.
    pub json: bool,
}

/// Where particles go.
#[derive(Debug, Clone, PartialEq)]
pub enum Placement {
    /// Anywhere in a cube.
    Random {
        /// Volume of the particles over volume of the cube.
        packing_fraction: f64,
    },
    /// On a cubic lattice.
    Lattice {
        /// Volume of the particles over volume of the box.
        packing_fraction: f64,
    },
    /// On a rectangular lattice.
    SpacedLattice {
        /// Along each axis, in units of the largest diameter.
        spacing: Vec<f64>,
    },
}

impl PackPlan {
    /// From flags; wrong output is found before any work is done.
    pub fn from_flags(flags: PackFlags) -> Result<Self> {
        let (law, unit) = law(&flags)?;
        let placement = placement(&flags)?;
        let target = match &flags.output {
            Some(path) => Some(Target::from_flag(path)),
            None => (!flags.json).then_some(Target::Stdout),
        };
        let checked = |target: Target| {
            no_json_on_the_same_stream(&target, flags.json)?;
            let format = SystemFormat::for_target(&target)?;
            target.check()?;
            anyhow::Ok((target, format))
        };
        Ok(Self {
            law,
            law_name: flags.law.name(),
            unit,
            count: flags.count as usize,
            dimension: flags.dimension,
            placement,
            seed: flags.seed,
            periodic: flags.periodic.map_or([false; 3], |axes| axes.0),
            output: target.map(checked).transpose()?,
            json: flags.json,
        })
    }
}

/// The law and its smallest radius.
fn law(flags: &PackFlags) -> Result<(SizeLaw, f64)> {
    let name = flags.law.name();
    let need = |value: Option<f64>, flag: &str| {
        value.ok_or_else(|| hinted(format!("--law {name} needs {flag}"), format!("add {flag} with a number")))
    };
    let takes: &[&str] = match flags.law {
        LawName::Mono => &[],
        LawName::Uniform | LawName::Bidisperse => &["--ratio"],
        LawName::Power => &["--exponent", "--ratio"],
        LawName::LogNormal => &["--sigma", "--ratio"],
        LawName::Table => &["--table"],
    };
    let given = [
        ("--exponent", flags.exponent.is_some()),
        // One size has a size ratio of 1.
        ("--ratio", flags.ratio.is_some_and(|ratio| flags.law != LawName::Mono || ratio != 1.0)),
        ("--sigma", flags.sigma.is_some()),
        ("--table", flags.table.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(flag, is_given)| *is_given && !takes.contains(flag)) {
        let hint = match takes {
            [] => "it has no parameters".to_owned(),
            takes => format!("its parameters are {}", takes.join(" and ")),
        };
        return Err(hinted(format!("--law {name} takes no {flag}"), hint));
    }
    let law = match flags.law {
        LawName::Mono => SizeLaw::Mono,
        LawName::Uniform => SizeLaw::uniform(need(flags.ratio, "--ratio")?)?,
        LawName::Bidisperse => SizeLaw::bidisperse(need(flags.ratio, "--ratio")?)?,
        LawName::Power => SizeLaw::power(need(flags.exponent, "--exponent")?, need(flags.ratio, "--ratio")?)?,
        LawName::LogNormal => match (flags.sigma, flags.ratio) {
            (Some(sigma), Some(ratio)) => SizeLaw::log_normal_within(sigma, ratio)?,
            (Some(sigma), None) => SizeLaw::log_normal(sigma)?,
            (None, Some(ratio)) => SizeLaw::log_normal_within(ratio.ln() / 6.0, ratio)?,
            (None, None) => {
                return Err(hinted("--law log-normal needs --sigma or --ratio", "add one of them, or both"));
            }
        },
        LawName::Table => {
            let path = flags.table.as_deref();
            let path =
                path.ok_or_else(|| hinted("--law table needs --table", "add --table with a CSV of radius,weight"))?;
            return table_law(path).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    Ok((law, 1.0))
}

fn table_law(path: &Path) -> Result<(SizeLaw, f64)> {
    let entries = read_weights(&std::fs::read(path)?)?;
    let law = SizeLaw::table(&entries)?;
    let used = entries.iter().filter(|(_, weight)| *weight > 0.0);
    Ok((law, used.map(|(radius, _)| *radius).fold(f64::INFINITY, f64::min)))
}

fn placement(flags: &PackFlags) -> Result<Placement> {
    let no_spacing = || match &flags.spacing {
        Some(_) => {
            Err(hinted("--spacing is for lattices", "add --placement lattice, or give --packing-fraction instead"))
        }
        None => Ok(()),
    };
    match (flags.placement, &flags.spacing, flags.packing_fraction) {
        (PlacementName::Growth, _, _) => {
            Err(hinted("--placement growth is not available yet", "use --placement random or lattice"))
        }
        (PlacementName::Random, _, Some(packing_fraction)) => {
            no_spacing()?;
            Ok(Placement::Random { packing_fraction })
        }
        (PlacementName::Random, _, None) => {
            no_spacing()?;
            Err(hinted("--placement random needs --packing-fraction", "add --packing-fraction, such as 0.6"))
        }
        (PlacementName::Lattice, Some(_), Some(_)) => {
            Err(hinted("--spacing and --packing-fraction both set how dense the lattice is", "give one of them"))
        }
        (PlacementName::Lattice, None, Some(packing_fraction)) => Ok(Placement::Lattice { packing_fraction }),
        (PlacementName::Lattice, Some(spacing), None) => {
            let dimension = usize::from(flags.dimension);
            if spacing.0.len() != dimension {
                return Err(hinted(
                    format!("--spacing has {} numbers, but the system has {dimension} dimensions", spacing.0.len()),
                    "give one number for each axis, or choose --dimension",
                ));
            }
            Ok(Placement::SpacedLattice { spacing: spacing.0.clone() })
        }
        (PlacementName::Lattice, None, None) => {
            Err(hinted("--placement lattice needs --packing-fraction or --spacing", "add one of them"))
        }
    }
}
