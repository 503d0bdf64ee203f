//! Everything a simulation is told before it starts.

use crate::error::Error;
use crate::flow::{Generator, Outflow};
use crate::grain::Grain;
use crate::integrator::Integrator;
use crate::material::{ContactLaw, Material};
use crate::simulation::Simulation;
use crate::walls::Wall;
use multigrain::{Domain, Settings};
use multigrain_methods::Method;
use std::io::{Cursor, Read, Seek};

/// The time step where nothing is said: a fiftieth of the shortest contact.
pub const FRACTION: f64 = 1.0 / 50.0;

/// Steps between two sorts of the state where nothing is said.
pub const SORT_EVERY: u64 = 256;

/// Everything a simulation is told before it starts: a description, to be finished with [`build`](Self::build).
///
/// Units are the user's own, as long as they belong together: lengths, masses and times, say metres, kilograms and seconds,
/// give forces in newtons and stiffnesses in newtons per metre.
///
/// ```
/// use multigrain_dem::{ContactLaw, Grain, Material, Setup, Wall};
/// let mut simulation = Setup::new()
///     .material(Material::new(2500.0, ContactLaw::linear(1e4).restitution(0.5)))
///     .wall(Wall::plane([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]))
///     .gravity([0.0, 0.0, -9.81])
///     .build([Grain::at([0.0, 0.0, 0.02], 0.01)])?;
/// simulation.run_until(1.0)?;
/// let height = simulation.state().positions()[0][2];
/// assert!((height - 0.01).abs() < 1e-4);
/// # Ok::<(), multigrain_dem::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Setup<const D: usize> {
    pub(crate) physics: Physics<D>,
    pub(crate) detection: Detection,
    pub(crate) sort_every: u64,
}

/// What decides the course of a simulation. Two simulations with the same physics and the same grains are the same, whatever
/// else they are told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Physics<const D: usize> {
    pub domain: Domain<D>,
    pub gravity: [f64; D],
    pub materials: Vec<Material>,
    pub between: Vec<(u16, u16, ContactLaw)>,
    pub walls: Vec<Wall<D>>,
    pub integrator: Integrator,
    pub time_step: TimeStep,
    pub impact_speed: Option<f64>,
    pub generators: Vec<Generator<D>>,
    pub outflows: Vec<Outflow<D>>,
    pub bounds: Option<[[f64; D]; 2]>,
}

/// How contacts are found: no result depends on it.
#[derive(Debug, Clone)]
pub(crate) struct Detection {
    pub method: Method,
    pub settings: Settings,
    pub skin: Skin,
}

/// How long a time step is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeStep {
    /// This share of the shortest contact that the lightest grains can have.
    Fraction(f64),
    /// So long.
    Given(f64),
}

/// Whether contacts are found with a skin, so that one list serves several steps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Skin {
    /// Contacts are found in every step.
    #[default]
    None,
    /// A skin of this width.
    Width(f64),
    /// A skin chosen from how fast particles move.
    Chosen,
}

impl<const D: usize> Default for Setup<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Setup<D> {
    /// Open space without gravity, walls or materials; synchronised Verlet, a time step of a fiftieth of the shortest
    /// contact, and the method `auto` in every step.
    pub fn new() -> Self {
        Self {
            physics: Physics {
                domain: Domain::open(),
                gravity: [0.0; D],
                materials: Vec::new(),
                between: Vec::new(),
                walls: Vec::new(),
                integrator: Integrator::default(),
                time_step: TimeStep::Fraction(FRACTION),
                impact_speed: None,
                generators: Vec::new(),
                outflows: Vec::new(),
                bounds: None,
            },
            detection: Detection { method: Method::Auto, settings: Settings::default(), skin: Skin::default() },
            sort_every: SORT_EVERY,
        }
    }

    /// The space: each axis open or periodic. Walls are added apart.
    pub fn domain(mut self, domain: Domain<D>) -> Self {
        self.physics.domain = domain;
        self
    }

    /// Acceleration by gravity.
    pub fn gravity(mut self, gravity: [f64; D]) -> Self {
        self.physics.gravity = gravity;
        self
    }

    /// Adds a material. Materials are numbered from 0 in the order in which they are added.
    pub fn material(mut self, material: Material) -> Self {
        self.physics.materials.push(material);
        self
    }

    /// Says how two materials push each other. Where nothing is said, springs act in series and the smaller restitution and
    /// friction count.
    pub fn between(mut self, first: u16, second: u16, law: ContactLaw) -> Self {
        self.physics.between.push((first, second, law));
        self
    }

    /// Adds a wall.
    pub fn wall(mut self, wall: Wall<D>) -> Self {
        self.physics.walls.push(wall);
        self
    }

    /// How particles move in one time step.
    pub fn integrator(mut self, integrator: Integrator) -> Self {
        self.physics.integrator = integrator;
        self
    }

    /// How long a time step is.
    pub fn time_step(mut self, time_step: TimeStep) -> Self {
        self.physics.time_step = time_step;
        self
    }

    /// The speed of the fastest impacts to be expected. It only matters for choosing a time step with the law of Hertz; where
    /// nothing is said, the fastest grain at the start and a fall through all of the system count.
    pub fn impact_speed(mut self, speed: f64) -> Self {
        self.physics.impact_speed = Some(speed);
        self
    }

    /// Adds a generator of grains.
    pub fn generator(mut self, generator: Generator<D>) -> Self {
        self.physics.generators.push(generator);
        self
    }

    /// Adds a place where particles leave.
    pub fn outflow(mut self, outflow: Outflow<D>) -> Self {
        self.physics.outflows.push(outflow);
        self
    }

    /// A particle whose center leaves this box stops the simulation with an error that names it.
    pub fn bounds(mut self, lo: [f64; D], hi: [f64; D]) -> Self {
        self.physics.bounds = Some([lo, hi]);
        self
    }

    /// The method of detection. No result depends on it.
    pub fn method(mut self, method: Method) -> Self {
        self.detection.method = method;
        self
    }

    /// Settings of the method of detection. No result depends on them.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.detection.settings = settings;
        self
    }

    /// Whether contacts are found with a skin. No result depends on it.
    pub fn skin(mut self, skin: Skin) -> Self {
        self.detection.skin = skin;
        self
    }

    /// How many steps pass until the state is sorted by cells of space again; 0 for never. Results do not depend on it, but
    /// for the order in which the state lists particles.
    pub fn sort_every(mut self, steps: u64) -> Self {
        self.sort_every = steps;
        self
    }

    /// Starts a simulation with these grains, whose ids are 0, 1, 2 and so on.
    pub fn build(self, grains: impl IntoIterator<Item = Grain<D>>) -> Result<Simulation<D>, Error> {
        Simulation::new(self, grains)
    }

    /// Goes on with a simulation that was [encoded](Simulation::encode) and had the same physics: bit for bit as if it had
    /// never stopped. Method, settings, skin and sorting may differ.
    pub fn resume(self, bytes: &[u8]) -> Result<Simulation<D>, Error> {
        Simulation::decode(self, &mut Cursor::new(bytes))
    }

    /// The same from a file or anything else that can be read twice, a block at a time: of a large simulation there is no
    /// second copy in memory.
    pub fn resume_from(self, input: &mut (impl Read + Seek)) -> Result<Simulation<D>, Error> {
        Simulation::decode(self, input)
    }
}
