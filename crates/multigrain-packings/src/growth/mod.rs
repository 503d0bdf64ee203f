//! Event-driven growth (Lubachevsky and Stillinger): hard balls from random points that fly, collide and grow until they
//! fill the box as densely as asked for. The README of this folder explains how.

mod ball;
mod calendar;
mod cells;
mod gas;
mod neighbourhoods;
mod pace;
mod start;
#[cfg(test)]
mod tests;

use crate::boxes::{box_volume, check_radii, side_of_cube};
use ball::Ball;
use gas::{Counts, Gas};
use multigrain::Domain;
use multigrain::Rng;
use multigrain::{Axes, Dimension, Error, System};
use pace::{StageEnd, grow_a_stage};

/// Balls start at this packing fraction, or at a third of the final one.
const FIRST_PACKING_FRACTION: f64 = 0.2;

/// A system made by growth.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown<const D: usize> {
    /// Bodies that do not overlap, with exactly the radii asked for. If they jammed, the box is larger than asked for.
    pub system: System<D>,
    /// How far growth came, and what it took.
    pub progress: GrowthProgress,
    /// Whether growth ended before the packing fraction asked for, because the bodies were jammed.
    pub is_jammed: bool,
}

/// How far growth has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthProgress {
    /// Volume of the bodies, as far as they have grown, over volume of the box.
    pub packing_fraction: f64,
    /// Collisions so far.
    pub collisions: u64,
    /// Events so far: collisions, changes of neighbourhood, and predictions that turned out void.
    pub events: u64,
}

/// The radii in random order, grown without overlap in a cube from 0 that they fill to `packing_fraction`. Walls stand on
/// the axes that are not periodic. No bodies get a cube of side 1.
///
/// `watch` gets now and then how far growth has come, and whether it is to go on: [`Error::Stopped`] if not. The same radii and seed give the same system, bit for bit.
///
/// ```
/// use multigrain::{find_pairs, sizes::SizeLaw};
/// use multigrain_packings as scenes;
/// let radii = SizeLaw::power(-3.0, 10.0)?.sample(500, 3);
/// let grown = scenes::growth(radii, 0.6, [true; 3], 1, |_| true)?;
/// assert!(!grown.is_jammed);
/// assert!((grown.system.packing_fraction() - 0.6).abs() < 1e-9);
/// assert!(find_pairs(grown.system.snapshot()?).is_empty());
/// # Ok::<(), multigrain::Error>(())
/// ```
pub fn growth<const D: usize>(
    radii: Vec<f64>,
    packing_fraction: f64,
    periodic: [bool; D],
    seed: u64,
    watch: impl FnMut(GrowthProgress) -> bool,
) -> Result<Grown<D>, Error>
where
    Axes: Dimension<D>,
{
    check_radii(&radii)?;
    let side = side_of_cube::<D>(box_volume::<D>(&radii, packing_fraction)?);
    let domain = Domain::new([0.0; D], [side; D], periodic)?;
    let mut rng = Rng::new(seed);
    let mut radii = radii;
    rng.shuffle(&mut radii);
    grow(radii, domain, rng, watch)
}

/// As [`growth`], in a box of any shape and place, with the radii in the order given. The packing fraction is that of the
/// bodies in the box.
pub fn growth_within<const D: usize>(
    radii: Vec<f64>,
    domain: Domain<D>,
    seed: u64,
    watch: impl FnMut(GrowthProgress) -> bool,
) -> Result<Grown<D>, Error>
where
    Axes: Dimension<D>,
{
    check_radii(&radii)?;
    grow(radii, domain, Rng::new(seed), watch)
}

/// Bodies at random places of a box where they touch neither each other nor a wall, in the order given; the largest find
/// their places first. An error if there is no room, which is so above packing fractions of about 0.3: then they must
/// [grow](growth_within).
pub fn scattered<const D: usize>(radii: Vec<f64>, domain: Domain<D>, seed: u64) -> Result<System<D>, Error> {
    check_radii(&radii)?;
    let system = System { centers: Vec::new(), radii, domain };
    if system.radii.is_empty() {
        return Ok(system);
    }
    must_fit(&system)?;
    let (lo, origin) = (domain.lo(), at_origin(&domain, 1.0)?);
    match start::random_points_at_once(&system.radii, origin, &mut Rng::new(seed))? {
        Some(centers) => {
            let placed = |center: [f64; D]| std::array::from_fn(|axis| lo[axis] + center[axis]);
            Ok(System { centers: centers.into_iter().map(placed).collect(), ..system })
        }
        None => Err(Error::Parameter {
            what: "packing fraction",
            value: system.packing_fraction(),
            must: "is too much for places at random: let the bodies grow, or take fewer",
        }),
    }
}

fn grow<const D: usize>(
    radii: Vec<f64>,
    domain: Domain<D>,
    mut rng: Rng,
    mut watch: impl FnMut(GrowthProgress) -> bool,
) -> Result<Grown<D>, Error>
where
    Axes: Dimension<D>,
{
    let empty = System { centers: Vec::new(), radii: Vec::new(), domain };
    let full = System { radii, ..empty };
    let packing_fraction = full.packing_fraction();
    let mut progress = GrowthProgress { packing_fraction, collisions: 0, events: 0 };
    if full.radii.is_empty() {
        return Ok(Grown { system: full, progress, is_jammed: false });
    }
    must_fit(&full)?;
    // Inside, the mean radius is 1 and the box begins at 0.
    let unit = full.radii.iter().sum::<f64>() / full.radii.len() as f64;
    let mut gas = random_gas(&full, unit, &mut rng)?;
    let fraction_at = |scale: f64| packing_fraction * scale.powi(D as i32);
    let end = loop {
        let before = progress;
        let add = |scale: f64, counts: Counts| GrowthProgress {
            packing_fraction: fraction_at(scale),
            collisions: before.collisions + counts.collisions,
            events: before.events + counts.events,
        };
        let (end, counts) = grow_a_stage(&mut gas, packing_fraction, &mut |scale, counts| watch(add(scale, counts)))?;
        progress = add(gas.scale, counts);
        if !watch(progress) {
            return Err(Error::Stopped);
        }
        if end != StageEnd::Going {
            break end;
        }
    };
    let is_jammed = end == StageEnd::Jammed;
    Ok(Grown { system: grown_system(full, &gas, unit)?, progress, is_jammed })
}

/// An error if the bodies fit the box in no way.
fn must_fit<const D: usize>(system: &System<D>) -> Result<(), Error> {
    if system.domain.is_sheared() {
        return Err(Error::Sheared { what: "growth" });
    }
    let (lo, hi) = (system.domain.lo(), system.domain.hi());
    if let Some(axis) = (0..D).find(|&axis| !(hi[axis] - lo[axis]).is_finite()) {
        return Err(Error::Box { axis, lo: lo[axis], hi: hi[axis] });
    }
    let fraction = system.packing_fraction();
    if fraction >= 1.0 {
        let must = "must be below 1 for bodies that do not overlap";
        return Err(Error::Parameter { what: "packing fraction", value: fraction, must });
    }
    let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
    if smallest <= 0.0 {
        let must = "must be positive: a point cannot grow";
        return Err(Error::Parameter { what: "smallest radius", value: smallest, must });
    }
    let largest = system.radii.iter().copied().fold(0.0, f64::max);
    for axis in 0..D {
        let diameters = 2.0 * largest / (hi[axis] - lo[axis]);
        if diameters > 1.0 {
            let must = "must be at most 1: take more particles, or a lower packing fraction";
            return Err(Error::Parameter { what: "largest diameter over length of the box", value: diameters, must });
        }
    }
    Ok(())
}

/// The same box from 0, in units of `unit`.
fn at_origin<const D: usize>(domain: &Domain<D>, unit: f64) -> Result<Domain<D>, Error> {
    let (lo, hi) = (domain.lo(), domain.hi());
    let periodic = std::array::from_fn(|axis| domain.is_periodic(axis));
    Domain::new([0.0; D], std::array::from_fn(|axis| (hi[axis] - lo[axis]) / unit), periodic)
}

/// Small balls at random places with random velocities, in units of the mean radius.
fn random_gas<const D: usize>(full: &System<D>, unit: f64, rng: &mut Rng) -> Result<Gas<D>, Error>
where
    Axes: Dimension<D>,
{
    let domain = at_origin(&full.domain, unit)?;
    let radii: Vec<f64> = full.radii.iter().map(|radius| radius / unit).collect();
    let packing_fraction = full.packing_fraction();
    let first = FIRST_PACKING_FRACTION.min(packing_fraction / 3.0);
    let scale = (first / packing_fraction).powf(1.0 / D as f64);
    let (centers, scale) = start::random_points(&radii, domain, scale, rng)?;
    let lightness: Vec<f64> = radii.iter().map(|radius| 1.0 / radius.powi(D as i32)).collect();
    let at_rest = |(&radius, center)| Ball { center, velocity: [0.0; D], time: 0.0, radius };
    let mut balls: Vec<Ball<D>> = radii.iter().zip(centers).map(at_rest).collect();
    start::random_velocities(&mut balls, &lightness, rng);
    Gas::new(balls, lightness, domain, scale)
}

/// The bodies in the caller's units and order. Where growth has jammed, space is stretched until they have their radii.
fn grown_system<const D: usize>(full: System<D>, gas: &Gas<D>, unit: f64) -> Result<System<D>, Error> {
    let System { radii, domain, .. } = full;
    let (lo, hi) = (domain.lo(), domain.hi());
    let domain = if gas.scale < 1.0 {
        let hi = std::array::from_fn(|axis| lo[axis] + (hi[axis] - lo[axis]) / gas.scale);
        Domain::new(lo, hi, std::array::from_fn(|axis| domain.is_periodic(axis)))?
    } else {
        domain
    };
    let mut centers = vec![lo; radii.len()];
    for (ball, &id) in gas.balls.iter().zip(&gas.ids) {
        for axis in 0..D {
            let x = lo[axis] + ball.center[axis] * unit / gas.scale;
            // Rounding may put a center onto the upper border, which is the lower one.
            let is_beyond = domain.is_periodic(axis) && x >= domain.hi()[axis];
            centers[id as usize][axis] = if is_beyond { lo[axis] } else { x };
        }
    }
    Ok(System { centers, radii, domain })
}
