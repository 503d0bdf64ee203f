//! `multigrain pack`: makes a particle system.

use super::clumping::Clumping;
use super::growing::{grow, grow_as_far};
use super::relaxing::relax;
use crate::failure::say;
use crate::flags::Filling;
use crate::memory;
use crate::output;
use crate::plan::{Amount, PackPlan, Placement, corners, periodic_axes, too_much_for_growth};
use crate::table::count;
use anyhow::{Context, Result};
use multigrain::sizes::ball_volume;
use multigrain::{Axes, Dimension, Domain, Rng, System, each_dimension, find_pairs};
use multigrain_files::Target;
use multigrain_packings as scenes;
use serde::Serialize;

/// What growth is asked for that is to come as far as it can.
const MAX_FILLING: f64 = 0.99;

/// Radii that show the mean volume of a law.
const PROBE: usize = 10_000;

/// The JSON object.
#[derive(Debug, Serialize)]
struct PackReport<'a> {
    particles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clumps: Option<usize>,
    dimension: usize,
    packing_fraction: f64,
    #[serde(rename = "box")]
    bounds: Vec<f64>,
    seed: u64,
    law: &'a str,
    placement: &'static str,
    /// Largest radius over smallest, as they are.
    ratio: f64,
    overlapping_pairs: usize,
}

/// A system, how it was placed, and why not otherwise.
struct Placed<const D: usize> {
    system: System<D>,
    placement: &'static str,
    reason: Option<String>,
}

/// Makes, writes, reports.
pub fn run(plan: &PackPlan) -> Result<()> {
    each_dimension!(plan.dimension, D => pack::<D>(plan))
}

fn pack<const D: usize>(plan: &PackPlan) -> Result<()>
where
    Axes: Dimension<D>,
{
    let clumping = plan.spheres.as_ref().map(|spheres| Clumping::<D>::new(spheres)).transpose()?;
    let share = clumping.as_ref().map_or(1.0, Clumping::share);
    let wish = match &clumping {
        Some(clumping) => clumping.placement(&plan.placement)?,
        None => plan.placement.clone(),
    };
    let Placed { system, placement, reason } = place::<D>(plan, &wish)?;
    let (lo, hi) = (system.domain.lo(), system.domain.hi());
    let (smallest, largest) = extremes(&system.radii);
    let packing_fraction = share * system.packing_fraction();
    let clumped = clumping.map(|clumping| clumping.fill(&system, plan.upright, plan.seed)).transpose()?;
    let members = clumped.as_ref().map_or(system.radii.len(), |clumped| clumped.members.len());
    let overlapping_pairs = match &clumped {
        Some(clumped) => clumped.overlapping_pairs()?,
        None => find_pairs(system.snapshot()?).len(),
    };
    let report = PackReport {
        particles: members,
        clumps: clumped.as_ref().map(|_| system.radii.len()),
        dimension: D,
        packing_fraction,
        bounds: (0..D).flat_map(|axis| [lo[axis], hi[axis]]).collect(),
        seed: plan.seed,
        law: &plan.law_name,
        placement,
        ratio: if smallest > 0.0 { largest / smallest } else { 1.0 },
        overlapping_pairs,
    };
    if let Some((target, format)) = &plan.output {
        match &clumped {
            Some(clumped) => clumped.save(target, *format)?,
            None => format.save(target, &system)?,
        }
        if !format.carries_box() && system.domain.has_images() {
            let bounds: Vec<String> = report.bounds.iter().map(f64::to_string).collect();
            say(&format!("note: the file does not hold the box; detect with --box {}", bounds.join(",")));
        }
        if !plan.json {
            report.notes(reason).iter().for_each(|note| say(&format!("note: {note}")));
        }
        if let (Target::File(path), false) = (target, plan.json) {
            say(&format!("{} written to {}", report.text(smallest, largest), path.display()));
        }
    }
    if plan.json { output::print(&serde_json::to_string(&report)?) } else { Ok(()) }
}

impl PackReport<'_> {
    fn notes(&self, reason: Option<String>) -> Vec<String> {
        let mut notes = Vec::new();
        // Beyond what rounding does to what was asked for.
        if self.packing_fraction > 1.0 + 1e-9 {
            let fraction = shown(self.packing_fraction, 3);
            notes
                .push(format!("a packing fraction of {fraction} is above 1: only particles that overlap fill so much"));
        }
        if self.placement == "random" && self.overlapping_pairs > 0 {
            let pairs = match self.overlapping_pairs {
                1 => "1 pair overlaps".to_owned(),
                pairs => format!("{} pairs overlap", count(pairs as u64)),
            };
            let way_out = match reason {
                Some(reason) => format!("{reason}; --placement growth insists on it"),
                None => "--placement growth packs without overlap".to_owned(),
            };
            notes.push(format!("placed at random, {pairs}: {way_out}"));
        }
        notes
    }

    fn text(&self, smallest: f64, largest: f64) -> String {
        let particles = count(self.particles as u64);
        if self.particles == 0 {
            return format!("{particles} particles");
        }
        let sizes = match smallest == largest {
            true => format!("of radius {smallest}"),
            false => {
                let [smallest, largest] = [smallest, largest].map(|radius| shown(radius, 6));
                format!("of radii {smallest} to {largest} (ratio {})", shown(self.ratio, 4))
            }
        };
        let what = match self.clumps {
            Some(clumps) => format!("{} clumps, {particles} members, spheres around them", count(clumps as u64)),
            None if self.particles == 1 => "1 particle".to_owned(),
            None => format!("{particles} particles"),
        };
        format!("{what} {sizes}, packing fraction {}, by {},", shown(self.packing_fraction, 4), self.placement)
    }
}

/// A number with so many decimals, in powers of ten where these would show nothing or never end.
fn shown(value: f64, decimals: usize) -> String {
    match value == 0.0 || (1e-3..1e7).contains(&value) {
        true => format!("{value:.decimals$}"),
        false => format!("{value:.decimals$e}"),
    }
}

fn extremes(radii: &[f64]) -> (f64, f64) {
    match radii.is_empty() {
        true => (0.0, 0.0),
        false => (radii.iter().copied().fold(f64::INFINITY, f64::min), radii.iter().copied().fold(0.0, f64::max)),
    }
}

fn place<const D: usize>(plan: &PackPlan, wish: &Placement) -> Result<Placed<D>>
where
    Axes: Dimension<D>,
{
    let periodic = periodic_axes(plan.periodic)?;
    let space = match &plan.bounds {
        Some(bounds) => {
            let (lo, hi) = corners(bounds)?;
            Some(Domain::new(lo, hi, periodic)?)
        }
        None => None,
    };
    let radii = radii(plan, wish, space.as_ref())?;
    let firm = |placement, made: Result<System<D>>| Ok(Placed { system: made?, placement, reason: None });
    match wish {
        Placement::Random { packing_fraction } => {
            firm("random", random(radii, *packing_fraction, space, periodic, plan))
        }
        Placement::Lattice { packing_fraction } => {
            let made = scenes::lattice_at_packing_fraction(radii, *packing_fraction, periodic, plan.seed);
            firm("lattice", made.map_err(Into::into))
        }
        Placement::SpacedLattice { spacing } => {
            let spacing = std::array::from_fn(|axis| spacing[axis]);
            firm("lattice", scenes::lattice(radii, spacing, periodic, plan.seed).map_err(Into::into))
        }
        Placement::Growth { filling: Some(Filling::Max), relax: collisions, .. } => {
            firm("growth", relaxed(densest(radii, space, periodic, plan.seed)?, *collisions, plan.seed))
        }
        Placement::Growth { filling, relax: collisions, is_firm } => {
            let asked = match (filling, &space) {
                (Some(Filling::To(fraction)), _) => *fraction,
                (_, Some(space)) => total_volume::<D>(&radii) / volume(space),
                (_, None) => unreachable!("without a box there is a packing fraction"),
            };
            let cube_fraction = Some(asked).filter(|_| space.is_none());
            let reason = too_much_for_growth(radii.len(), asked, D).filter(|_| !is_firm);
            if let Some(reason) = reason {
                let system = random(radii, cube_fraction, space, periodic, plan)?;
                return Ok(Placed { system, placement: "random", reason: Some(reason) });
            }
            let grown = grow(asked, |watch| match space {
                Some(space) => scenes::growth_within(shuffled(radii.clone(), plan.seed), space, plan.seed, watch),
                None => scenes::growth(radii.clone(), asked, periodic, plan.seed, watch),
            });
            match grown {
                Ok(system) => firm("growth", relaxed(system, *collisions, plan.seed)),
                Err(error) if *is_firm || asked <= 0.0 || !asked.is_finite() => Err(error),
                Err(error) => {
                    let system = random(radii, cube_fraction, space, periodic, plan)?;
                    Ok(Placed { system, placement: "random", reason: Some(error.to_string()) })
                }
            }
        }
    }
}

/// The radii, in the order of the law.
fn radii<const D: usize>(plan: &PackPlan, wish: &Placement, space: Option<&Domain<D>>) -> Result<Vec<f64>> {
    let filling = match wish {
        Placement::Random { packing_fraction } => *packing_fraction,
        Placement::Growth { filling: Some(Filling::To(fraction)), .. } => Some(*fraction),
        _ => None,
    };
    let wanted = || Some(filling? * volume(space?));
    let sample = |number: usize| -> Result<Vec<f64>> {
        memory::ensure("particles", number as u64, size_of::<[f64; D]>() + size_of::<f64>())?;
        Ok(plan.law.sample(number, D))
    };
    let (mut radii, unit) = match plan.amount {
        Amount::Given { count, unit } => (sample(count)?, unit),
        Amount::Scaled { count } => {
            let radii = sample(count)?;
            // The densest system is scaled when it is known how dense that is.
            let unit = wanted().map_or(1.0, |wanted| (wanted / total_volume::<D>(&radii)).powf(1.0 / D as f64));
            (radii, unit)
        }
        Amount::Counted { unit } => {
            let mean = total_volume::<D>(&plan.law.sample(PROBE, D)) / PROBE as f64;
            let wanted = wanted().context("a box without packing fraction")?;
            let number = (wanted / (mean * unit.powi(D as i32))).round();
            anyhow::ensure!(number < f64::from(u32::MAX), "the box holds {number:.3e} particles, which is too many");
            (sample(number as usize)?, unit)
        }
    };
    for radius in &mut radii {
        *radius *= unit;
    }
    Ok(radii)
}

/// Anywhere in the box, or in a cube.
fn random<const D: usize>(
    radii: Vec<f64>,
    packing_fraction: Option<f64>,
    space: Option<Domain<D>>,
    periodic: [bool; D],
    plan: &PackPlan,
) -> Result<System<D>> {
    let Some(domain) = space else {
        let fraction = packing_fraction.context("a cube without packing fraction")?;
        return Ok(scenes::random(radii, fraction, periodic, plan.seed)?);
    };
    let mut rng = Rng::new(plan.seed);
    let mut radii = radii;
    rng.shuffle(&mut radii);
    let (lo, hi) = (domain.lo(), domain.hi());
    let place = |rng: &mut Rng| std::array::from_fn(|axis| lo[axis] + (hi[axis] - lo[axis]) * rng.uniform());
    let centers = radii.iter().map(|_| place(&mut rng)).collect();
    Ok(System { centers, radii, domain })
}

/// Grown until jammed. In a given box sizes are what follows.
fn densest<const D: usize>(
    radii: Vec<f64>,
    space: Option<Domain<D>>,
    periodic: [bool; D],
    seed: u64,
) -> Result<System<D>>
where
    Axes: Dimension<D>,
{
    let Some(space) = space else {
        let grown = grow_as_far(MAX_FILLING, |watch| scenes::growth(radii, MAX_FILLING, periodic, seed, watch))?;
        return Ok(grown.system);
    };
    if radii.is_empty() {
        return Ok(System { centers: Vec::new(), radii, domain: space });
    }
    let unit = (MAX_FILLING * volume(&space) / total_volume::<D>(&radii)).powf(1.0 / D as f64);
    let radii = shuffled(radii.into_iter().map(|radius| radius * unit).collect(), seed);
    let grown = grow_as_far(MAX_FILLING, |watch| scenes::growth_within(radii, space, seed, watch))?;
    // Where bodies jammed, the box has been stretched for their sake: back to what was asked for.
    let (lo, hi) = (space.lo(), space.hi());
    let stretched = grown.system.domain.hi();
    let shrink = (0..D).map(|axis| (hi[axis] - lo[axis]) / (stretched[axis] - lo[axis])).fold(1.0, f64::min);
    let center = |center: &[f64; D]| std::array::from_fn(|axis| lo[axis] + (center[axis] - lo[axis]) * shrink);
    Ok(System {
        centers: grown.system.centers.iter().map(center).collect(),
        // A hair less, so that rounding makes no contacts.
        radii: grown.system.radii.iter().map(|radius| radius * shrink * (1.0 - 1e-12)).collect(),
        domain: space,
    })
}

fn relaxed<const D: usize>(system: System<D>, collisions: Option<f64>, seed: u64) -> Result<System<D>>
where
    Axes: Dimension<D>,
{
    match collisions {
        Some(collisions) => relax(system, collisions, seed),
        None => Ok(system),
    }
}

fn shuffled(mut radii: Vec<f64>, seed: u64) -> Vec<f64> {
    // Another sequence than that of growth.
    Rng::new(!seed).shuffle(&mut radii);
    radii
}

fn total_volume<const D: usize>(radii: &[f64]) -> f64 {
    radii.iter().map(|&radius| ball_volume(radius, D)).sum()
}

fn volume<const D: usize>(domain: &Domain<D>) -> f64 {
    let (lo, hi) = (domain.lo(), domain.hi());
    (0..D).map(|axis| hi[axis] - lo[axis]).product()
}
