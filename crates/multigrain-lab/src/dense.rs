//! Dense spheres with friction, hot in a periodic cube or settling on a floor: what the step of a simulation is measured on.

use multigrain::sizes::SizeLaw;
use multigrain::{Domain, Rng};
use multigrain_dem::{
    ContactLaw, Error, Friction, Grain, Integrator, Material, Setup, Simulation, Skin, TimeStep, Wall,
};
use multigrain_packings::growth;

/// Of the springs along the normal.
pub const STIFFNESS: f64 = 1e5;
/// Damping over mass, as LAMMPS takes it.
pub const DAMPING: f64 = 2.0;
/// The smallest, before spheres swell.
pub const RADIUS: f64 = 0.5;
/// Where spheres fall.
pub const GRAVITY: f64 = 100.0;

const FRICTION: Friction = Friction { coefficient: 0.5, stiffness_ratio: 2.0 / 7.0, damping_ratio: 0.5 };
const SPEED: f64 = 10.0;

/// Spheres of density 1, and the step that they are moved with.
#[derive(Debug, Clone)]
pub struct Dense {
    /// Of the periodic cube; along the last axis of those that fall, no period.
    pub side: f64,
    /// The spheres.
    pub grains: Vec<Grain<3>>,
    /// A fiftieth of the shortest contact.
    pub step: f64,
    /// Whether they fall on a floor.
    pub falls: bool,
}

impl Dense {
    /// Spheres that are grown without overlap in a periodic cube, then swollen a little so that they press on each other, and heated.
    /// Of different ones there is as much volume in each octave.
    pub fn new(count: usize, ratio: f64, fraction: f64, swollen: f64) -> Result<Self, Error> {
        let radii = match ratio > 1.0 {
            true => SizeLaw::power(-4.0, ratio)?.sample(count, 3).into_iter().map(|radius| radius * RADIUS).collect(),
            false => vec![RADIUS; count],
        };
        let grown = growth(radii, fraction / swollen.powi(3), [true; 3], 1, |_| true)?.system;
        let mut rng = Rng::new(5);
        let mut grain = |(&center, &radius): (&[f64; 3], &f64)| {
            let speed = SPEED / (radius / RADIUS).powf(1.5);
            Grain::at(center, radius * swollen).velocity(std::array::from_fn(|_| speed * rng.normal()))
        };
        let grains: Vec<Grain<3>> = grown.centers.iter().zip(&grown.radii).map(&mut grain).collect();
        let lightest = grains.iter().map(|grain| grain.radius).fold(f64::INFINITY, f64::min).powi(3) * 4.18879;
        let step = std::f64::consts::PI * (0.5 * lightest / STIFFNESS).sqrt() / 50.0;
        Ok(Self { side: grown.domain.length(0), grains, step, falls: false })
    }

    /// The same spheres after so many steps of a fall.
    pub fn settled(mut self, steps: u64) -> Result<Self, Error> {
        let largest = self.grains.iter().map(|grain| grain.radius).fold(0.0, f64::max);
        self.grains.iter_mut().for_each(|grain| grain.position[2] += largest);
        self.falls = true;
        let mut simulation = self.simulation(Integrator::Verlet, None)?;
        simulation.run(steps)?;
        let state = simulation.state();
        self.grains = state.places_by_id().into_iter().map(|place| state.grain(place as usize)).collect();
        Ok(self)
    }

    /// What there is, without the spheres.
    pub fn setup(&self, integrator: Integrator, skin: Option<f64>) -> Result<Setup<3>, Error> {
        let mass = 4.18879 * RADIUS * RADIUS * RADIUS;
        let law = ContactLaw::linear(STIFFNESS).damping(DAMPING * 0.5 * mass).with_friction(FRICTION);
        let mut setup = Setup::new()
            .domain(Domain::new([0.0; 3], [self.side; 3], [true, true, !self.falls])?)
            .material(Material::new(1.0, law))
            .integrator(integrator)
            .time_step(TimeStep::Given(self.step))
            .skin(skin.map_or(Skin::Chosen, |skin| Skin::Width(skin * RADIUS)));
        if self.falls {
            setup = setup.gravity([0.0, 0.0, -GRAVITY]).wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]));
        }
        Ok(setup)
    }

    /// A simulation of them, with this skin in radii, or one that is chosen.
    pub fn simulation(&self, integrator: Integrator, skin: Option<f64>) -> Result<Simulation<3>, Error> {
        self.setup(integrator, skin)?.build(self.grains.iter().copied())
    }

    /// As LAMMPS reads them.
    pub fn for_lammps(&self) -> String {
        let mut text = format!("spheres\n\n{} atoms\n1 atom types\n\n", self.grains.len());
        let top = self.grains.iter().map(|grain| grain.position[2] + grain.radius).fold(self.side, f64::max);
        for (axis, end) in [("x", self.side), ("y", self.side), ("z", if self.falls { 2.0 * top } else { self.side })] {
            text += &format!("0 {end} {axis}lo {axis}hi\n");
        }
        text += "\nAtoms # sphere\n\n";
        for (k, grain) in self.grains.iter().enumerate() {
            let [x, y, z] = grain.position;
            text += &format!("{} 1 {} 1.0 {x} {y} {z}\n", k + 1, 2.0 * grain.radius);
        }
        text += "\nVelocities\n\n";
        for (k, grain) in self.grains.iter().enumerate() {
            let ([x, y, z], [a, b, c]) = (grain.velocity, grain.spin);
            text += &format!("{} {x} {y} {z} {a} {b} {c}\n", k + 1);
        }
        text
    }
}
