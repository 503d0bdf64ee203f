//! Soft relaxation (fast-multilevel, section 4.2): the balls of a packing fly on and collide as elastic spheres, so that it
//! becomes the system of a soft simulation rather than one of hard balls that just do not touch.

use crate::error::Error;
use crate::grain::Grain;
use crate::material::{ContactLaw, Material};
use crate::report::Contact;
use crate::setup::{Setup, Skin};
use crate::simulation::Simulation;
use crate::walls::Wall;
use multigrain::detectors::PairChanges;
use multigrain::sizes::ball_volume;
use multigrain::{Axes, Dimension, Pair, Pairs, Rng, System};

/// Mean of the deepest overlap in collisions of two of the smallest, over their radius.
const OVERLAP: f64 = 0.01;

/// A density and a stiffness: they set the unit of time, which nobody sees.
const DENSITY: f64 = 1.0;
const STIFFNESS: f64 = 1.0;

/// Elastic spheres at the places of the bodies, with random velocities of equal mean energy, between hard walls on axes that
/// are not periodic. A chosen skin serves detection.
pub fn soft_gas<const D: usize>(system: &System<D>, seed: u64) -> Result<Simulation<D>, Error>
where
    Axes: Dimension<D>,
{
    // Two balls of mass m that close at speed u overlap by u sqrt(m / 2k) at most. At temperature T the mean of u over
    // collisions is sqrt(pi T / m), so that the mean overlap is sqrt(pi T / 2k), whatever the mass.
    let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let temperature = 2.0 * STIFFNESS * (OVERLAP * smallest).powi(2) / std::f64::consts::PI;
    let mut rng = Rng::new(seed);
    let grains = system.centers.iter().zip(&system.radii).map(|(&center, &radius)| {
        let mass = DENSITY * ball_volume(radius, D);
        let speed = (temperature / mass).sqrt();
        Grain::at(center, radius).velocity(std::array::from_fn(|_| speed * rng.normal()))
    });
    soft_setup(system).skin(Skin::Chosen).build(grains.collect::<Vec<_>>())
}

/// What holds the spheres of [`soft_gas`].
pub fn soft_setup<const D: usize>(system: &System<D>) -> Setup<D>
where
    Axes: Dimension<D>,
{
    let (lo, hi) = (system.domain.lo(), system.domain.hi());
    let law = ContactLaw::linear(STIFFNESS);
    let mut setup = Setup::new().domain(system.domain).material(Material::new(DENSITY, law));
    for axis in (0..D).filter(|&axis| !system.domain.is_periodic(axis)) {
        for (point, inwards) in [(lo, 1.0), (hi, -1.0)] {
            let normal = std::array::from_fn(|other| if other == axis { inwards } else { 0.0 });
            setup = setup.wall(Wall::plane(point, normal));
        }
    }
    setup
}

/// The same bodies after the given number of soft collisions each, between hard walls where axes are not periodic. `progress` is
/// called after every step with the collisions that began in it.
pub fn relaxed<const D: usize>(
    system: System<D>,
    collisions_each: f64,
    seed: u64,
    mut progress: impl FnMut(u64),
) -> Result<System<D>, Error>
where
    Axes: Dimension<D>,
{
    let wanted = collisions_of(&system, collisions_each);
    if wanted == 0 {
        return Ok(system);
    }
    let mut simulation = soft_gas(&system, seed)?;
    let mut contacts = PairChanges::default();
    let mut seen = 0;
    while seen < wanted {
        simulation.step()?;
        let begun = collisions(&simulation, &mut contacts);
        seen += begun;
        progress(begun);
    }
    let state = simulation.state();
    let centers = state.places_by_id().into_iter().map(|place| state.positions()[place as usize]).collect();
    Ok(System { centers, ..system })
}

/// How many collisions there are in all if each body has the given number.
pub fn collisions_of<const D: usize>(system: &System<D>, collisions_each: f64) -> u64 {
    let count = system.len();
    if count < 2 { 0 } else { (0.5 * collisions_each * count as f64).ceil() as u64 }
}

/// How many contacts have begun since the last call. Images are taken as if nobody had ever been wrapped: a contact that crosses a
/// border has not begun again. Ids of a gas that nobody joins are below its number of bodies.
fn collisions<const D: usize>(simulation: &Simulation<D>, contacts: &mut PairChanges<D>) -> u64
where
    Axes: Dimension<D>,
{
    let periods = |place: u32| simulation.state().periods().get(place as usize).copied().unwrap_or([0; D]);
    contacts.update(|pairs: &mut Pairs<D>| {
        for Contact { ids: [a, b], places, shift, .. } in simulation.contacts() {
            let [own, others] = places.map(periods);
            let Pair { i, j, shift } =
                Pair::canonical(a as u32, b as u32, std::array::from_fn(|axis| shift[axis] - others[axis] + own[axis]));
            pairs.extend(&[[i, j]], &[shift]);
        }
    });
    contacts.begun().len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::TimeStep;
    use multigrain::Domain;

    #[test]
    fn a_contact_that_crosses_a_border_has_not_begun_again() {
        let setup = Setup::new()
            .domain(Domain::periodic([0.0; 2], [1.0; 2]).unwrap())
            .material(Material::new(1.0, ContactLaw::linear(1e-9)))
            .time_step(TimeStep::Given(0.01));
        let grains = [0.81, 0.89].map(|x| Grain::at([x, 0.5], 0.05).velocity([1.0, 0.0]));
        let mut simulation = setup.build(grains).unwrap();
        let mut contacts = PairChanges::default();
        let mut begun = 0;
        for _ in 0..50 {
            simulation.step().unwrap();
            begun += collisions(&simulation, &mut contacts);
        }
        assert!(simulation.state().periods().contains(&[1, 0]));
        assert_eq!(begun, 1);
    }
}
