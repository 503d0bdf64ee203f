//! What `multigrain pack` is to do.

use super::detect::no_json_on_the_same_stream;
use super::law::law;
use crate::failure::hinted;
use crate::flags::{PackFlags, PlacementName};
use anyhow::Result;
use multigrain::sizes::SizeLaw;
use multigrain_files::{SystemFormat, Target};

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
    /// Grown without overlap in a cube.
    Growth {
        /// Volume of the particles over volume of the cube.
        packing_fraction: f64,
        /// Soft collisions per particle afterwards.
        relax: Option<f64>,
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
        let (law, unit) = law(flags.law, &flags.law_parameters)?;
        let placement = placement(&flags)?;
        let target = match &flags.output {
            Some(path) => Some(Target::from_flag(path)),
            None => (!flags.json).then_some(Target::Stdout),
        };
        let checked = |target: Target| {
            no_json_on_the_same_stream(&target, flags.json)?;
            let format = SystemFormat::for_target(&target)?;
            target.check()?;
            if let Some(table) = &flags.law_parameters.table {
                target.check_against(table, "the particles")?;
            }
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

fn placement(flags: &PackFlags) -> Result<Placement> {
    if flags.relax.is_some() && flags.placement != PlacementName::Growth {
        return Err(hinted("--relax comes after growth", "add --placement growth"));
    }
    let no_spacing = || match &flags.spacing {
        Some(_) => {
            Err(hinted("--spacing is for lattices", "add --placement lattice, or give --packing-fraction instead"))
        }
        None => Ok(()),
    };
    match (flags.placement, &flags.spacing, flags.packing_fraction) {
        (PlacementName::Growth, _, Some(packing_fraction)) => {
            no_spacing()?;
            if let Some(collisions) = flags.relax.filter(|collisions| !(*collisions >= 0.0 && collisions.is_finite())) {
                let message = format!("--relax is {collisions}, must be finite and not negative");
                return Err(hinted(message, "give collisions per particle, such as 5"));
            }
            Ok(Placement::Growth { packing_fraction, relax: flags.relax })
        }
        (PlacementName::Growth, _, None) => {
            no_spacing()?;
            Err(hinted("--placement growth needs --packing-fraction", "add --packing-fraction, such as 0.6"))
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
