//! The setup of a simulation.

use crate::body_forces::Fluid;
use crate::clumps::ClumpShape;
use crate::error::Error;
use crate::fields::Field;
use crate::flow::{Generator, Meter, Outflow};
use crate::giants::GIANT_RATIO;
use crate::grain::Grain;
use crate::integrator::Integrator;
use crate::laws::Law;
use crate::material::{ContactLaw, Material};
use crate::simulation::Simulation;
use crate::space::Deformation;
use crate::walls::Wall;
use multigrain::{Axes, Detector, Dimension, Domain, Settings};
use multigrain_methods::Method;
use multigrain_polygons::ConvexPolygon;
use std::fmt;
use std::io::{Cursor, Read, Seek};
use std::sync::Arc;

/// The time step by default: a fiftieth of the shortest contact.
pub const TIME_STEP_SHARE: f64 = 1.0 / 50.0;

/// Steps between two sorts of the state by default.
pub const STEPS_BETWEEN_SORTS: u64 = 256;

/// The setup of a simulation, everything that is known before it starts: a description, to be finished with [`build`](Self::build).
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
    pub(crate) detection: Detection<D>,
    pub(crate) sort_every: u64,
    pub(crate) giant_ratio: f64,
}

/// What decides the course of a simulation. Two simulations with the same physics and the same grains are the same, whatever
/// else they are given.
#[derive(Debug, Clone)]
pub(crate) struct Physics<const D: usize> {
    pub domain: Domain<D>,
    pub deformations: Vec<Deformation<D>>,
    pub gravity: [f64; D],
    pub materials: Vec<Material>,
    pub between: Vec<(u16, u16, Given<D>)>,
    pub walls: Vec<Wall<D>>,
    pub integrator: Integrator,
    pub time_step: TimeStep,
    pub impact_speed: Option<f64>,
    pub generators: Vec<Generator<D>>,
    pub outflows: Vec<Outflow<D>>,
    pub meters: Vec<Meter<D>>,
    pub bounds: Option<[[f64; D]; 2]>,
    /// In the plane.
    pub shapes: Vec<ConvexPolygon>,
    pub clump_shapes: Vec<ClumpShape<D>>,
    pub fluid: Option<Fluid<D>>,
    pub fields: Vec<Field<D>>,
    /// Of grains that bring none.
    pub temperature: f64,
}

/// A law that was given for two materials.
#[derive(Debug, Clone)]
pub(crate) enum Given<const D: usize> {
    /// One that setups can name.
    Known(Box<ContactLaw>),
    /// One of the user's own.
    Law(Arc<dyn Law<D>>),
}

impl<const D: usize> Given<D> {
    pub fn check(&self, of: &str) -> Result<(), Error> {
        match self {
            Self::Known(law) => law.check(of),
            Self::Law(_) => Ok(()),
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Self::Known(law) => law.describe(),
            Self::Law(law) => law.describe(),
        }
    }
}

/// Makes a detector for a simulation that starts.
type Maker<const D: usize> = dyn Fn() -> Box<dyn Detector<D>> + Send + Sync;

/// How contacts are found: no result depends on it.
#[derive(Clone)]
pub(crate) struct Detection<const D: usize> {
    pub method: Method,
    pub settings: Settings,
    pub skin: Skin,
    /// Used in place of the method.
    pub maker: Option<Arc<Maker<D>>>,
}

impl<const D: usize> fmt::Debug for Detection<D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = if self.maker.is_some() { "the user's own" } else { self.method.name() };
        out.debug_struct("Detection").field("method", &method).field("skin", &self.skin).finish_non_exhaustive()
    }
}

/// Whether a saved simulation may go on with other physics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changes {
    Refused,
    Accepted,
}

/// How long a time step is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum TimeStep {
    /// This share of the shortest contact that the lightest grains can have.
    Fraction(f64),
    /// So long.
    Given(f64),
}

/// Whether contacts are found with a skin, so that one list serves several steps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub enum Skin {
    /// Contacts are found in every step.
    #[default]
    None,
    /// A skin of this width.
    Width(f64),
    /// A skin chosen from how fast particles move.
    Chosen,
}

impl<const D: usize> Default for Setup<D>
where
    Axes: Dimension<D>,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Setup<D>
where
    Axes: Dimension<D>,
{
    /// Open space without gravity, walls or materials; synchronised Verlet, a time step of a fiftieth of the shortest
    /// contact, and the method `auto` in every step.
    pub fn new() -> Self {
        Self {
            physics: Physics {
                domain: Domain::open(),
                deformations: Vec::new(),
                gravity: [0.0; D],
                materials: Vec::new(),
                between: Vec::new(),
                walls: Vec::new(),
                integrator: Integrator::default(),
                time_step: TimeStep::Fraction(TIME_STEP_SHARE),
                impact_speed: None,
                generators: Vec::new(),
                outflows: Vec::new(),
                meters: Vec::new(),
                bounds: None,
                shapes: Vec::new(),
                clump_shapes: Vec::new(),
                fluid: None,
                fields: Vec::new(),
                temperature: 0.0,
            },
            detection: Detection {
                method: Method::Auto,
                settings: Settings::default(),
                skin: Skin::default(),
                maker: None,
            },
            sort_every: STEPS_BETWEEN_SORTS,
            giant_ratio: GIANT_RATIO,
        }
    }

    /// The space: each axis open or periodic, or a sheared cell. Walls are added apart.
    pub fn domain(mut self, domain: Domain<D>) -> Self {
        self.physics.domain = domain;
        self
    }

    /// Adds a way in which the periodic box changes its shape: each acts until its end, one after the other.
    pub fn deformation(mut self, deformation: Deformation<D>) -> Self {
        self.physics.deformations.push(deformation);
        self
    }

    /// The space as it was given; one that deforms has another shape since: see [`Simulation::domain`].
    pub fn domain_at_start(&self) -> &Domain<D> {
        &self.physics.domain
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

    /// Says how two materials push each other. By default, springs act in series and the smaller restitution and
    /// friction count.
    pub fn between(mut self, first: u16, second: u16, law: ContactLaw) -> Self {
        self.physics.between.push((first, second, Given::Known(Box::new(law))));
        self
    }

    /// Says how two materials push each other, by a law of one's own: see [`Law`].
    pub fn law_between(mut self, first: u16, second: u16, law: Arc<dyn Law<D>>) -> Self {
        self.physics.between.push((first, second, Given::Law(law)));
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

    /// A fluid that drags grains along.
    pub fn fluid(mut self, fluid: Fluid<D>) -> Self {
        self.physics.fluid = Some(fluid);
        self
    }

    /// Adds a field of acceleration.
    pub fn field(mut self, field: Field<D>) -> Self {
        self.physics.fields.push(field);
        self
    }

    /// The temperature of grains that bring none, where materials conduct heat; 0 by default.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.physics.temperature = temperature;
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

    /// Adds a plane at which grains that pass are counted.
    pub fn meter(mut self, meter: Meter<D>) -> Self {
        self.physics.meters.push(meter);
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

    /// A detector of one's own in place of a method; `make` is called once for each simulation. It must report every pair within
    /// the margin of the snapshots that it is shown. No result depends on it.
    ///
    /// ```
    /// use multigrain_papers::LinkedCell;
    /// use multigrain_dem::{ContactLaw, Grain, Material, Setup};
    /// let setup = Setup::new().material(Material::new(1.0, ContactLaw::linear(1e4)));
    /// let grains = [Grain::at([0.0, 0.0], 0.6), Grain::at([1.0, 0.0], 0.6)];
    /// let mut usual = setup.clone().build(grains)?;
    /// let mut own = setup.detector(|| Box::new(LinkedCell::default())).build(grains)?;
    /// usual.run(10)?;
    /// own.run(10)?;
    /// assert_eq!(usual.state(), own.state());
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn detector(mut self, make: impl Fn() -> Box<dyn Detector<D>> + Send + Sync + 'static) -> Self {
        self.detection.maker = Some(Arc::new(make));
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

    /// How many steps pass at least until the state is sorted by cells of space again; 0 for never. Results do not depend on it, but
    /// for the order in which the state lists particles.
    pub fn sort_every(mut self, steps: u64) -> Self {
        self.sort_every = steps;
        self
    }

    /// How many times the mean radius at the start a particle must exceed to be a giant: what others do to giants is summed exactly, so
    /// that many ranks can share it. 64 by default.
    pub fn giant_ratio(mut self, ratio: f64) -> Self {
        self.giant_ratio = ratio;
        self
    }

    /// Adds a shape, in the plane. Shapes are numbered from 0 in the order in which they are added; [grains](Grain::polygon) name theirs.
    ///
    /// ```
    /// use multigrain_dem::{ContactLaw, Grain, Material, Setup, Wall};
    /// use multigrain_polygons::ConvexPolygon;
    /// let mut simulation = Setup::new()
    ///     .material(Material::new(1000.0, ContactLaw::area(1e6).damping_share(0.3).friction(0.5)))
    ///     .shape(ConvexPolygon::rectangle(0.1, 0.1)?)
    ///     .wall(Wall::plane([0.0, 0.0], [0.0, 1.0]))
    ///     .gravity([0.0, -9.81])
    ///     .build([Grain::polygon(0, [0.0, 0.06]).angle(0.2), Grain::at([0.3, 0.05], 0.05)])?;
    /// simulation.run_until(1.0)?;
    /// let state = simulation.state();
    /// let place = state.place_of(0).expect("it is still there");
    /// assert!((state.positions()[place][1] - 0.05).abs() < 1e-3, "it lies on a face");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(mut self, shape: ConvexPolygon) -> Self {
        self.physics.shapes.push(shape);
        self
    }

    /// Adds shapes.
    pub fn with_shapes(mut self, shapes: impl IntoIterator<Item = ConvexPolygon>) -> Self {
        self.physics.shapes.extend(shapes);
        self
    }

    /// Shapes added so far.
    pub fn shapes(&self) -> &[ConvexPolygon] {
        &self.physics.shapes
    }

    /// Adds a shape of clumps. They are numbered from 0 in the order in which they are added; [grains](Grain::clump) name theirs.
    ///
    /// ```
    /// use multigrain_dem::{ClumpShape, ContactLaw, Grain, Material, Setup, Wall};
    /// let mut simulation = Setup::new()
    ///     .material(Material::new(2500.0, ContactLaw::linear(1e4).restitution(0.5).friction(0.5)))
    ///     .clump_shape(ClumpShape::new(&[([0.0, 0.0, 0.0], 0.01), ([0.012, 0.0, 0.0], 0.01)])?)
    ///     .wall(Wall::plane([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]))
    ///     .gravity([0.0, 0.0, -9.81])
    ///     .build([Grain::clump(0, [0.0, 0.0, 0.03]).turned([0.9, 0.1, 0.3, 0.0])])?;
    /// simulation.run_until(1.0)?;
    /// assert!((simulation.clumps()[0].position[2] - 0.01).abs() < 1e-4, "it lies on both of its spheres");
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn clump_shape(mut self, shape: ClumpShape<D>) -> Self {
        self.physics.clump_shapes.push(shape);
        self
    }

    /// Adds shapes of clumps.
    pub fn with_clump_shapes(mut self, shapes: impl IntoIterator<Item = ClumpShape<D>>) -> Self {
        self.physics.clump_shapes.extend(shapes);
        self
    }

    /// Shapes of clumps added so far.
    pub fn clump_shapes(&self) -> &[ClumpShape<D>] {
        &self.physics.clump_shapes
    }

    /// Starts a simulation with these grains, whose ids are 0, 1, 2 and so on.
    pub fn build(self, grains: impl IntoIterator<Item = Grain<D>>) -> Result<Simulation<D>, Error> {
        Simulation::new(self, grains)
    }

    /// One part of a simulation that is run in several: of these grains, which all parts are given, those that `is_own` says of, by number
    /// and grain. Ids go on from `first_id`, over all of them. See [`guests`](crate::guests).
    pub fn part(
        self,
        grains: &[Grain<D>],
        first_id: u64,
        is_own: impl Fn(usize, &Grain<D>) -> bool,
    ) -> Result<Simulation<D>, Error> {
        let mut part = Simulation::prepare(self)?;
        part.is_part = true;
        part.state.next_id = first_id;
        for (number, grain) in grains.iter().enumerate() {
            match is_own(number, grain) {
                true => drop(part.add(grain)?),
                false => part.pass(grain),
            }
        }
        part.wrap_new(0);
        part.settle_clumps();
        part.start_box()?;
        Ok(part)
    }

    /// Goes on with a simulation that was [encoded](Simulation::encode) and had the same physics: bit for bit as if it had
    /// never stopped. Method, settings, skin and sorting may differ.
    pub fn resume(self, bytes: &[u8]) -> Result<Simulation<D>, Error> {
        Simulation::decode(self, &mut Cursor::new(bytes), Changes::Refused)
    }

    /// The same from a file or anything else that can be read twice, a block at a time: of a large simulation there is no
    /// second copy in memory.
    pub fn resume_from(self, input: &mut (impl Read + Seek)) -> Result<Simulation<D>, Error> {
        Simulation::decode(self, input, Changes::Refused)
    }

    /// The same with physics that may differ in its numbers: other laws, another gravity, walls that move otherwise. What there is,
    /// materials, walls, generators, and the integrator, must be the same. The time step stays as it was saved.
    /// [`Simulation::changes`] lists what differs.
    pub fn resume_changed(self, input: &mut (impl Read + Seek)) -> Result<Simulation<D>, Error> {
        Simulation::decode(self, input, Changes::Accepted)
    }
}
