//! What `multigrain pack` is to do.

use super::detect::no_json_on_the_same_stream;
use super::law::law;
use crate::failure::hinted;
use crate::flags::{Filling, LawName, PackFlags, PlacementName};
use anyhow::Result;
use multigrain::sizes::SizeLaw;
use multigrain_files::{SystemFormat, Target};

/// A packing fraction that growth reaches for equal spheres, in the plane for discs of different sizes.
const MAX_GROWN: [f64; 2] = [0.84, 0.64];

/// Particles that are grown within seconds.
const MAX_GROWN_COUNT: usize = 50_000;

/// A particle system to be made.
#[derive(Debug)]
pub struct PackPlan {
    /// Distribution of radii, in units of the smallest.
    pub law: SizeLaw,
    /// Its name.
    pub law_name: String,
    /// Number of particles and the smallest radius.
    pub amount: Amount,
    /// The box, as `xlo,xhi,ylo,yhi[,zlo,zhi]`; without it a cube from 0.
    pub bounds: Option<Vec<f64>>,
    /// 2 or 3.
    pub dimension: u8,
    /// Where particles go.
    pub placement: Placement,
    /// Members of clumps, if particles are clumps.
    pub spheres: Option<Vec<Vec<f64>>>,
    /// Whether clumps stay as they are given.
    pub upright: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Periodic axes.
    pub periodic: [bool; 3],
    /// Where the system goes and how, if it is wanted.
    pub output: Option<(Target, SystemFormat)>,
    /// Whether to print JSON.
    pub json: bool,
}

/// How many particles, and how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// This many with this smallest radius.
    Given {
        /// Number of particles.
        count: usize,
        /// The smallest radius.
        unit: f64,
    },
    /// This many, as large as the packing fraction of the box makes them.
    Scaled {
        /// Number of particles.
        count: usize,
    },
    /// Of this smallest radius, as many as the packing fraction of the box makes them.
    Counted {
        /// The smallest radius.
        unit: f64,
    },
}

/// Where particles go.
#[derive(Debug, Clone, PartialEq)]
pub enum Placement {
    /// Anywhere in the box.
    Random {
        /// Volume of the particles over volume of the box; that of the particles as they are for none.
        packing_fraction: Option<f64>,
    },
    /// On a cubic lattice.
    Lattice {
        /// Volume of the particles over volume of the box.
        packing_fraction: f64,
    },
    /// Grown without overlap.
    Growth {
        /// How dense; that of the particles as they are for none.
        filling: Option<Filling>,
        /// Soft collisions per particle afterwards.
        relax: Option<f64>,
        /// Whether another placement may do where growth is long or jams.
        is_firm: bool,
    },
    /// On a rectangular lattice.
    SpacedLattice {
        /// Along each axis, in units of the largest diameter.
        spacing: Vec<f64>,
    },
}

impl Placement {
    /// The same for spheres around clumps, which fill this share of them. Nothing but growth will do where it is growth.
    pub fn around_clumps(&self, share: f64) -> Self {
        match self {
            Self::Random { packing_fraction } => {
                Self::Random { packing_fraction: packing_fraction.map(|fraction| fraction / share) }
            }
            Self::Lattice { packing_fraction } => Self::Lattice { packing_fraction: packing_fraction / share },
            Self::SpacedLattice { spacing } => Self::SpacedLattice { spacing: spacing.clone() },
            Self::Growth { filling, relax, .. } => {
                let filling = filling.map(|filling| match filling {
                    Filling::To(fraction) => Filling::To(fraction / share),
                    Filling::Max => Filling::Max,
                });
                Self::Growth { filling, relax: *relax, is_firm: true }
            }
        }
    }
}

/// Why particles that nobody has said a place for are not grown.
pub fn too_much_for_growth(count: usize, packing_fraction: f64, dimension: usize) -> Option<String> {
    let limit = MAX_GROWN[usize::from(dimension == 3)];
    if packing_fraction > limit {
        return Some(format!("a packing fraction above {limit} is more than growth promises"));
    }
    (count > MAX_GROWN_COUNT).then(|| format!("growing more than {MAX_GROWN_COUNT} takes minutes"))
}

impl PackPlan {
    /// From flags; wrong output is found before any work is done.
    pub fn from_flags(flags: PackFlags) -> Result<Self> {
        let (law, own_unit) = law(flags.law, &flags.law_parameters)?;
        if flags.law == LawName::Table && flags.radius.is_some() {
            return Err(hinted("--law table takes no --radius", "the radii of a table have a unit of their own"));
        }
        if let Some(radius) = flags.radius.filter(|radius| !(*radius > 0.0 && radius.is_finite())) {
            return Err(hinted(format!("--radius is {radius}, must be positive"), "give the smallest radius"));
        }
        let placement = placement(&flags)?;
        let unit = flags.radius.or((flags.law == LawName::Table).then_some(own_unit));
        let amount = amount(&flags, unit)?;
        let target = match &flags.output {
            Some(path) => Some(Target::from_flag(path)),
            None => (!flags.json).then_some(Target::Stdout),
        };
        let has_clumps = flags.spheres.is_some();
        let checked = |target: Target| {
            no_json_on_the_same_stream(&target, flags.json)?;
            let format = SystemFormat::for_target(&target)?;
            if has_clumps && !matches!(format, SystemFormat::Dump | SystemFormat::Vtp) {
                return Err(hinted(
                    "clumps are written as .dump or .vtp, which tell what belongs together",
                    "add -o clumps.dump",
                ));
            }
            target.check()?;
            if let Some(table) = &flags.law_parameters.table {
                target.check_against(table, "the particles")?;
            }
            anyhow::Ok((target, format))
        };
        Ok(Self {
            law,
            law_name: flags.law.name(),
            amount,
            bounds: flags.bounds.map(|bounds| bounds.0),
            dimension: flags.dimension,
            placement,
            spheres: flags.spheres.map(|rows| rows.0),
            upright: flags.upright,
            seed: flags.seed,
            periodic: flags.periodic.map_or([false; 3], |axes| axes.0),
            output: target.map(checked).transpose()?,
            json: flags.json,
        })
    }
}

/// Number and size, of which the box may leave one open.
fn amount(flags: &PackFlags, unit: Option<f64>) -> Result<Amount> {
    let count = flags.count.map(|count| count as usize);
    match (&flags.bounds, count, unit, flags.packing_fraction) {
        (None, Some(count), unit, _) => Ok(Amount::Given { count, unit: unit.unwrap_or(1.0) }),
        (None, None, ..) => Err(hinted("--count is needed", "add --count, or a --box that --packing-fraction fills")),
        (Some(_), Some(count), Some(unit), None) => Ok(Amount::Given { count, unit }),
        (Some(_), Some(count), None, Some(_)) => Ok(Amount::Scaled { count }),
        (Some(_), None, Some(unit), Some(Filling::To(_))) => Ok(Amount::Counted { unit }),
        (Some(_), Some(_), Some(_), Some(_)) => Err(hinted(
            "--count, radii and --packing-fraction say more than the box leaves open",
            "leave one of them out: it follows from --box",
        )),
        (Some(_), ..) => {
            Err(hinted("--box leaves too much open", "give two of --count, --radius and --packing-fraction with it"))
        }
    }
}

fn placement(flags: &PackFlags) -> Result<Placement> {
    let name = flags.placement.unwrap_or(PlacementName::Growth);
    let is_firm = flags.placement.is_some() || flags.relax.is_some();
    if flags.relax.is_some() && name != PlacementName::Growth {
        return Err(hinted("--relax comes after growth", "add --placement growth"));
    }
    if name == PlacementName::Lattice {
        return lattice(flags);
    }
    if flags.spacing.is_some() {
        return Err(hinted("--spacing is for lattices", "add --placement lattice, or give --packing-fraction instead"));
    }
    if flags.packing_fraction.is_none() && flags.bounds.is_none() {
        let what = if flags.placement.is_some() { format!("--placement {} needs", name.name()) } else { String::new() };
        let what =
            if what.is_empty() { "--packing-fraction is needed".to_owned() } else { what + " --packing-fraction" };
        return Err(hinted(what, "add --packing-fraction, such as 0.6, or max"));
    }
    match (name, flags.packing_fraction) {
        (PlacementName::Random, Some(Filling::Max)) => {
            Err(hinted("--packing-fraction max is what growth reaches", "take --placement growth, or give a number"))
        }
        (PlacementName::Random, Some(Filling::To(fraction))) => {
            Ok(Placement::Random { packing_fraction: Some(fraction) })
        }
        (PlacementName::Random, None) => Ok(Placement::Random { packing_fraction: None }),
        (_, filling) => {
            if let Some(collisions) = flags.relax.filter(|collisions| !(*collisions >= 0.0 && collisions.is_finite())) {
                let message = format!("--relax is {collisions}, must be finite and not negative");
                return Err(hinted(message, "give collisions per particle, such as 5"));
            }
            Ok(Placement::Growth { filling, relax: flags.relax, is_firm })
        }
    }
}

fn lattice(flags: &PackFlags) -> Result<Placement> {
    if flags.bounds.is_some() {
        return Err(hinted("a lattice makes a box of its own", "leave out --box, or take --placement growth"));
    }
    match (&flags.spacing, flags.packing_fraction) {
        (Some(_), Some(_)) => {
            Err(hinted("--spacing and --packing-fraction both set how dense the lattice is", "give one of them"))
        }
        (None, Some(Filling::Max)) => {
            Err(hinted("--packing-fraction max is what growth reaches", "take --placement growth, or give a number"))
        }
        (None, Some(Filling::To(packing_fraction))) => Ok(Placement::Lattice { packing_fraction }),
        (Some(spacing), None) => {
            let dimension = usize::from(flags.dimension);
            if spacing.0.len() != dimension {
                return Err(hinted(
                    format!("--spacing has {} numbers, but the system has {dimension} dimensions", spacing.0.len()),
                    "give one number for each axis, or choose --dimension",
                ));
            }
            Ok(Placement::SpacedLattice { spacing: spacing.0.clone() })
        }
        (None, None) => Err(hinted("--placement lattice needs --packing-fraction or --spacing", "add one of them")),
    }
}
