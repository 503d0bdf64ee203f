//! Soft relaxation after growth (fast-multilevel, section 4.2): balls fly on and collide as elastic spheres, so that the
//! system is one of a soft simulation rather than one of hard balls that just do not touch.

use crate::progress::Progress;
use anyhow::{Context, Result};
use multigrain::scenes::{Rng, System};
use multigrain_dem::{ContactLaw, Grain, Material, Setup, Simulation, Skin, Wall};

/// Mean of the deepest overlap in collisions of two of the smallest, over their radius.
const OVERLAP: f64 = 0.01;

/// A density and a stiffness: they set the unit of time, which nobody sees.
const DENSITY: f64 = 1.0;
const STIFFNESS: f64 = 1.0;

/// The same bodies after so many soft collisions each, between hard walls where axes are not periodic.
pub fn relax<const D: usize>(system: System<D>, collisions_each: f64, seed: u64) -> Result<System<D>> {
    let count = system.radii.len();
    if count < 2 || collisions_each == 0.0 {
        return Ok(system);
    }
    let wanted = (0.5 * collisions_each * count as f64).ceil() as u64;
    let mut simulation = soft_gas(&system, seed).context("cannot relax the system")?;
    let bar = Progress::steps("relaxing", wanted);
    let mut touching = Touching::default();
    let mut seen = 0;
    while seen < wanted {
        simulation.step().context("cannot relax the system")?;
        let begun = touching.begun(&simulation);
        seen += begun;
        bar.advance(begun);
    }
    let state = simulation.state();
    let centers = state.places_by_id().into_iter().map(|place| state.positions()[place as usize]).collect();
    Ok(System { centers, ..system })
}

/// Elastic spheres at the places of the bodies, with random velocities of equal mean energy.
fn soft_gas<const D: usize>(system: &System<D>, seed: u64) -> Result<Simulation<D>, multigrain_dem::Error> {
    let (lo, hi) = (system.domain.lo(), system.domain.hi());
    let mut setup = Setup::new()
        .domain(system.domain)
        .material(Material::new(DENSITY, ContactLaw::linear(STIFFNESS)))
        .skin(Skin::Chosen);
    for axis in (0..D).filter(|&axis| !system.domain.is_periodic(axis)) {
        for (point, inwards) in [(lo, 1.0), (hi, -1.0)] {
            let normal = std::array::from_fn(|other| if other == axis { inwards } else { 0.0 });
            setup = setup.wall(Wall::plane(point, normal));
        }
    }
    // Two balls of mass m that close at speed u overlap by u sqrt(m / 2k) at most. At temperature T the mean of u over
    // collisions is sqrt(pi T / m), so that the mean overlap is sqrt(pi T / 2k), whatever the mass.
    let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let temperature = 2.0 * STIFFNESS * (OVERLAP * smallest).powi(2) / std::f64::consts::PI;
    // Another sequence than that of growth.
    let mut rng = Rng::new(!seed);
    let grains = system.centers.iter().zip(&system.radii).map(|(&center, &radius)| {
        let mass = DENSITY * multigrain::sizes::ball_volume(radius, D);
        let speed = (temperature / mass).sqrt();
        Grain::at(center, radius).velocity(std::array::from_fn(|_| speed * rng.normal()))
    });
    setup.build(grains.collect::<Vec<_>>())
}

/// Who touched whom in the last step: a contact that was not there is a collision.
#[derive(Default)]
struct Touching<const D: usize> {
    before: Vec<([u32; 2], [i32; D])>,
}

impl<const D: usize> Touching<D> {
    /// How many contacts have begun in this step.
    fn begun(&mut self, simulation: &Simulation<D>) -> u64 {
        let mut now: Vec<([u32; 2], [i32; D])> =
            simulation.contacts().into_iter().map(|contact| (contact.ids, contact.shift)).collect();
        now.sort_unstable();
        let begun = now.iter().filter(|contact| self.before.binary_search(contact).is_err()).count();
        self.before = now;
        begun as u64
    }
}
