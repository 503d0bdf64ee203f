//! The step: from where particles are to where they will be.

use crate::change::OwnForces;
use crate::clumps::Clumps;
use crate::compiled;
use crate::contacts::{Candidates, ContactTable, Loose, OF_SHAPES, Shaped};
use crate::error::{Cause, Error};
use crate::exact_sum::ExactSum;
use crate::felt::Felt;
use crate::flow::{Made, Passed};
use crate::giants::Pushes;
use crate::grain::Grain;
use crate::guests::Marks;
use crate::integrator::Integrator;
use crate::laws::LawTable;
use crate::on_walls::OnWalls;
use crate::phase::Phase;
use crate::setup::{Setup, Skin};
use crate::space::Space;
use crate::state::{Columns, State};
use crate::threads;
use crate::vector::{add_scaled, scale};
use crate::walls::Obstacles;
use multigrain::limits::{MAX_BOXES_AWAY, MAX_LENGTH, MIN_LENGTH};
use multigrain::{Axes, Detector, Dimension};
use multigrain_polygons::limits::MAX_ANGLE;
use std::collections::HashSet;

/// A running simulation. It owns the particles, lends them to a detector as snapshots, and turns pairs into forces.
///
/// Its course is the same, bit for bit, for every method of detection, skin and number of threads, and after
/// [`encode`](Self::encode) and [`Setup::resume`]: contacts are oriented, ordered and summed by the permanent ids of
/// particles. It runs on the caller's rayon pool.
pub struct Simulation<const D: usize> {
    pub(crate) setup: Setup<D>,
    pub(crate) laws: LawTable<D>,
    pub(crate) obstacles: Obstacles<D>,
    pub(crate) on_walls: OnWalls,
    pub(crate) state: State<D>,
    pub(crate) space: Space<D>,
    pub(crate) clumps: Clumps<D>,
    pub(crate) candidates: Candidates<D>,
    pub(crate) contacts: ContactTable<D>,
    /// What contacts of polygons are worked out with, if there are any.
    pub(crate) shaped: Option<Shaped<D>>,
    pub(crate) time_step: f64,
    pub(crate) steps: u64,
    /// What each generator has made.
    pub(crate) made: Vec<Made>,
    /// What left by each outflow, then what passed each meter.
    pub(crate) passed: Vec<Passed>,
    /// How many particles flowed out.
    pub(crate) removed: u64,
    /// How many bonds were made.
    pub(crate) bonds_made: u64,
    /// What particles that are gone had lost and been given.
    pub(crate) gone: [ExactSum; 2],
    pub(crate) detector: Option<Box<dyn Detector<D>>>,
    /// When the state was sorted last.
    pub(crate) sorted: u64,
    /// Whether it is one part of several, whose places whoever runs it knows.
    pub(crate) is_part: bool,
    /// Contacts whose bodies are not both here, until the next forces.
    pub(crate) loose: Vec<Loose<D>>,
    pub(crate) marks: Marks<D>,
    /// What differs from the physics that a saved simulation had.
    pub(crate) changes: Vec<String>,
    pub(crate) own_forces: Option<Box<OwnForces<D>>>,
    /// Particles with larger radii are giants.
    pub(crate) giant_radius: f64,
    /// What others do to giants in this step, by place.
    pub(crate) pushes: Vec<Pushes<D>>,
    /// Memory for the temperatures after a step.
    pub(crate) warmer: Vec<f64>,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    pub(crate) fn start_here(setup: Setup<D>, grains: &mut dyn Iterator<Item = Grain<D>>) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        for grain in grains {
            simulation.add(&grain)?;
        }
        simulation.wrap_new(0);
        simulation.settle_clumps();
        simulation.start_box()?;
        simulation.begin(&simulation.census())?;
        simulation.evaluate(Ending::Start, &mut |_| ())?;
        Ok(simulation)
    }

    /// A simulation without particles and time step, everything else checked.
    pub(crate) fn prepare_here(setup: Setup<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "simulations are in two or three dimensions") };
        let physics = &setup.physics;
        let space = Space::new(physics.domain, &physics.deformations)?;
        if physics.integrator != Integrator::Verlet && (space.moving().is_some() || !physics.clump_shapes.is_empty()) {
            let what = if space.moving().is_some() { "a box that deforms" } else { "clumps" };
            return Err(Error::NotVerlet { what });
        }
        if !space.is_plain() && !physics.generators.is_empty() {
            return Err(multigrain::Error::Sheared { what: "a generator of grains" }.into());
        }
        if !space.is_plain() && !physics.meters.is_empty() {
            return Err(multigrain::Error::Sheared { what: "a meter" }.into());
        }
        if let Skin::Width(value) = setup.detection.skin
            && value != 0.0
            && !(MIN_LENGTH..=MAX_LENGTH).contains(&value)
        {
            let must = "must be 0 or between 1e-150 and 1e150";
            return Err(multigrain::Error::Parameter { what: "skin", value, must }.into());
        }
        // A list with such a skin would hold every image of every particle, time and again.
        let shortest = (0..D).filter(|&k| physics.domain.is_periodic(k)).map(|k| physics.domain.length(k));
        let shortest = shortest.fold(f64::INFINITY, f64::min);
        if let Skin::Width(value) = setup.detection.skin
            && value > shortest
        {
            let must = "must be no longer than the periodic box: it saves nothing, and finds image after image";
            return Err(Error::Parameter { what: "skin".to_owned(), value, must });
        }
        let mut laws = LawTable::new(&physics.materials, &physics.between)?;
        let mut obstacles = Obstacles::new(&physics.walls)?;
        if D != 2 && !physics.shapes.is_empty() {
            return Err(Error::NotInSpace { what: "a polygon" });
        }
        let is_shaped = !physics.shapes.is_empty() || laws.need_patches();
        if is_shaped {
            laws.turn_always();
            obstacles.make_solids(!physics.shapes.is_empty())?;
        }
        let count = physics.materials.len();
        for (number, wall) in physics.walls.iter().enumerate() {
            let material = usize::from(wall.material);
            if material >= count {
                return Err(Error::NoSuchMaterial { what: format!("wall {number}"), material, count });
            }
        }
        for (number, generator) in physics.generators.iter().enumerate() {
            let material = usize::from(generator.material);
            if material >= count {
                return Err(Error::NoSuchMaterial { what: format!("generator {number}"), material, count });
            }
            generator.check(number, physics)?;
        }
        physics.outflows.iter().enumerate().try_for_each(|(number, outflow)| outflow.check(number))?;
        physics.meters.iter().enumerate().try_for_each(|(number, meter)| meter.check(number))?;
        physics.fluid.map_or(Ok(()), |fluid| fluid.check())?;
        physics.fields.iter().enumerate().try_for_each(|(number, field)| field.check(number))?;
        if is_shaped && physics.materials.iter().any(|material| material.heat.is_some()) {
            return Err(Error::Fixed {
                what: "temperatures are of spheres and discs; those of polygons, and with the law of areas,",
            });
        }
        if let Some(&value) = physics.gravity.iter().find(|value| !value.is_finite()) {
            return Err(Error::Parameter { what: "gravity".to_owned(), value, must: "must be finite" });
        }
        Ok(Self {
            contacts: ContactTable::new(laws.history() + if is_shaped { OF_SHAPES } else { 0 }),
            shaped: is_shaped.then(Shaped::default),
            laws,
            on_walls: OnWalls::new(&physics.walls, obstacles.len()),
            obstacles,
            state: State::new(),
            space,
            clumps: Clumps::default(),
            candidates: Candidates::default(),
            time_step: 0.0,
            steps: 0,
            made: vec![Made::default(); physics.generators.len()],
            passed: vec![Passed::default(); physics.outflows.len() + physics.meters.len()],
            removed: 0,
            bonds_made: 0,
            gone: Default::default(),
            detector: None,
            sorted: 0,
            is_part: false,
            loose: Vec::new(),
            marks: Marks::default(),
            changes: Vec::new(),
            own_forces: None,
            giant_radius: f64::INFINITY,
            pushes: Vec::new(),
            warmer: Vec::new(),
            setup,
        })
    }

    /// The particles now.
    pub fn state(&self) -> &State<D> {
        &self.state
    }

    /// The setup of the simulation.
    pub fn setup(&self) -> &Setup<D> {
        &self.setup
    }

    /// Length of a time step.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time simulated so far.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.time_step
    }

    /// One time step. After an error the state is as the error found it.
    pub fn step(&mut self) -> Result<(), Error> {
        self.step_with(&mut |_| ())
    }

    /// One time step; `hook` is called when each phase begins.
    pub fn step_with(&mut self, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.run_with(1, hook)
    }

    /// This many time steps.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.run_with(steps, &mut |_| ())
    }

    /// As many time steps as reach this time.
    pub fn run_until(&mut self, time: f64) -> Result<(), Error> {
        let steps = ((time - self.time()) / self.time_step).ceil();
        self.run(if steps > 0.0 { steps as u64 } else { 0 })
    }

    /// This many time steps; `hook` is called when each phase begins.
    pub fn run_with(&mut self, steps: u64, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        compiled::run(self, steps, hook)
    }

    pub(crate) fn run_here(&mut self, steps: u64, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        let is_shaped = self.shaped.is_some();
        let shares_work = threads::shares_work(self.state.len(), is_shaped);
        let mut run = || (0..steps).try_for_each(|_| self.one_step(hook));
        // Inside the pool every phase starts at once; from outside each would have to wake it.
        if shares_work { rayon::scope(|_| run()) } else { run() }
    }

    fn one_step(&mut self, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        hook(Phase::Move);
        self.change_box()?;
        self.generate()?;
        self.advance()?;
        self.evaluate(Ending::Step, hook)?;
        self.flow_out()?;
        hook(Phase::Done);
        Ok(())
    }

    /// The first part of a step: moves particles, guests aside, to where they are at its end. An error names the lowest id of those
    /// that cannot be moved.
    pub fn advance(&mut self) -> Result<(), Error> {
        compiled::advance(self)
    }

    pub(crate) fn advance_here(&mut self) -> Result<(), Error> {
        let before = self.before_moving();
        let physics = &self.setup.physics;
        let bits = threads::block_bits(self.state.len());
        let turns = self.laws.turns();
        let moved = physics.integrator.advance(&mut self.state, &self.space, self.time_step, bits, turns);
        self.candidates.note_way(moved.way);
        self.steps += 1;
        self.steer();
        if !self.space.is_plain() {
            self.move_box()?;
        }
        self.move_clumps();
        self.count_passing(before);
        match moved.lost.and_then(|id| self.state.place_of(id)) {
            Some(place) => Err(self.lost(place, Cause::TooFar)),
            None => Ok(()),
        }
    }

    /// Over how long springs of contacts grow, and walls wear off.
    pub(crate) fn time_to(&self, ending: Ending) -> f64 {
        match ending {
            Ending::Start => 0.0,
            Ending::Step => self.time_step,
        }
    }

    /// Ends what contacts began, by what all particles together have done to walls and box.
    pub(crate) fn end_here(&mut self, ending: Ending, felt: &Felt<D>) -> Result<(), Error> {
        self.steer_by(felt);
        self.conduct(ending);
        self.accelerate_box(ending, felt)?;
        self.end_motion(ending)
    }

    /// Makes new rows of candidates, sorts the state before if it is time, and lets contacts find their memories.
    pub(crate) fn find_candidates(&mut self, skin: f64, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.remember_contacts();
        let every = self.setup.sort_every;
        if !self.is_part && every > 0 && (self.steps - self.sorted >= every || self.steps == 0) {
            self.sort();
        }
        self.make_detector()?;
        let (now, reach) = (self.steps as f64 * self.time_step, self.reach());
        self.candidates.giant_radius = self.giant_radius;
        let Some(detector) = &mut self.detector else { return Ok(()) };
        self.candidates.make(
            &mut **detector,
            &self.state,
            &self.space,
            &self.obstacles,
            reach,
            skin,
            now,
            &mut || {
                hook(Phase::Arrange);
            },
        )?;
        self.contacts.recall(&self.candidates, &self.state);
        Ok(())
    }

    /// Makes the detector, if there is none yet.
    pub(crate) fn make_detector(&mut self) -> Result<(), Error> {
        if self.detector.is_some() {
            return Ok(());
        }
        let detection = &self.setup.detection;
        self.detector = Some(match &detection.maker {
            Some(make) => make(),
            None => {
                let now = self.state.snapshot(*self.space.domain())?;
                detection.method.build_with(now, &detection.settings)?
            }
        });
        Ok(())
    }

    /// The largest gap over which any law acts on particles here. Guests must be chosen with the largest of all parts.
    pub fn reach(&self) -> f64 {
        match self.laws.reaches() {
            true => self.laws.reach(self.state.radii.iter().copied().fold(0.0, f64::max)),
            false => 0.0,
        }
    }

    /// Lets go of the rows of candidates; what contacts remember is kept by ids.
    pub(crate) fn remember_contacts(&mut self) {
        self.contacts.remember(&self.candidates, &self.state);
        self.candidates.forget();
    }

    /// Sorts the state by cells of space.
    pub(crate) fn sort(&mut self) {
        self.sorted = self.steps;
        let order = self.state.cell_order();
        if !order.is_sorted() {
            self.put_in_order(&order);
        }
    }

    /// Brings the state into another order, or removes particles: see [`State::take`]. Contacts follow.
    pub(crate) fn take(&mut self, from: &[u32]) {
        self.send_guests_away();
        let mut stays = vec![false; self.state.len()];
        from.iter().for_each(|&place| stays[place as usize] = true);
        for place in (0..self.state.len()).filter(|&place| !stays[place]) {
            self.gone[0].add(self.state.lost[place]);
            self.gone[1].add(self.state.given[place]);
        }
        self.put_in_order(from);
        self.drop_clumps();
    }

    fn put_in_order(&mut self, from: &[u32]) {
        self.remember_contacts();
        let all_stay = from.len() == self.state.len();
        let staying: HashSet<u64> = match all_stay {
            true => HashSet::new(),
            false => from.iter().map(|&place| self.state.ids[place as usize]).collect(),
        };
        if let Some(memory) = &mut self.contacts.memory {
            *memory = memory.taken(from, |id| all_stay || staying.contains(&id));
        }
        self.state.take(from);
        self.clumps.forget_places();
    }

    /// Adds a grain with the next id.
    pub(crate) fn add_here(&mut self, grain: &Grain<D>) -> Result<u64, Error> {
        if let Some(shape) = grain.clump {
            let id = self.state.next_id;
            self.state.next_id += self.add_clump(id, shape, grain)?;
            return Ok(id);
        }
        let id = self.state.next_id;
        self.add_as(id, grain)?;
        self.state.next_id += 1;
        Ok(id)
    }

    /// Adds a grain with this id in the last place, pulled by gravity alone until the next step. Guests are sent away.
    pub(crate) fn add_as(&mut self, id: u64, grain: &Grain<D>) -> Result<(), Error> {
        let physics = &self.setup.physics;
        let what = |name: &str| format!("{name} of grain {id}");
        let count = physics.materials.len();
        let material = usize::from(grain.material);
        let Some(kind) = physics.materials.get(material) else {
            let what = format!("grain {id}");
            return Err(Error::NoSuchMaterial { what, material, count });
        };
        let shape = match grain.shape {
            None => None,
            Some(shape) => match physics.shapes.get(shape as usize) {
                Some(known) => Some(known),
                None => {
                    let must = "must be the number of a shape of the setup";
                    return Err(Error::Parameter { what: what("shape"), value: f64::from(shape), must });
                }
            },
        };
        let temperature = Some(grain.temperature.unwrap_or(physics.temperature));
        let grain = &Grain { temperature, radius: shape.map_or(grain.radius, |shape| shape.radius()), ..*grain };
        if !(-MAX_ANGLE..=MAX_ANGLE).contains(&grain.angle) {
            return Err(Error::Parameter {
                what: what("angle"),
                value: grain.angle,
                must: "must be finite, within 1e12",
            });
        }
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&grain.radius) {
            let must = "must be positive and finite, from 1e-150 to 1e150";
            return Err(Error::Parameter { what: what("radius"), value: grain.radius, must });
        }
        for (name, values) in
            [("velocity", &grain.velocity[..]), ("spin", &grain.spin[..]), ("temperature", temperature.as_slice())]
        {
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(Error::Parameter { what: what(name), value, must: "must be finite" });
            }
        }
        self.check_position(grain.position, || what("position"))?;
        let (columns, density) = (self.columns(), kind.density);
        self.send_guests_away();
        self.remember_contacts();
        let physics = &self.setup.physics;
        let shape = grain.shape.map(|shape| &physics.shapes[shape as usize]);
        self.state.push(id, grain, density, shape, columns)?;
        let place = self.state.len() - 1;
        self.state.forces[place] = scale(physics.gravity, self.state.masses[place]);
        if let Some(derivatives) = self.state.derivatives.last_mut() {
            let pull = if grain.held { 0.0 } else { 0.5 * self.time_step * self.time_step };
            derivatives.position[0] = scale(physics.gravity, pull);
        }
        Ok(())
    }

    /// An error for a position that cannot be worked with.
    pub(crate) fn check_position(&self, position: [f64; D], what: impl Fn() -> String) -> Result<(), Error> {
        let domain = self.space.domain();
        for (axis, &value) in position.iter().enumerate() {
            let (lo, hi) = (domain.lo()[axis], domain.hi()[axis]);
            let far = MAX_BOXES_AWAY * self.space.period_along(axis);
            let range = if far > 0.0 { lo - far..=hi + far } else { -MAX_LENGTH..=MAX_LENGTH };
            if !range.contains(&value) {
                let must = "must be finite, and not absurdly far from the origin or its periodic box";
                return Err(Error::Parameter { what: what(), value, must });
            }
        }
        Ok(())
    }

    /// Which optional columns the state has.
    pub(crate) fn columns(&self) -> Columns {
        let physics = &self.setup.physics;
        Columns {
            periodic: physics.domain.has_images(),
            gear: physics.integrator == Integrator::Gear,
            shaped: self.shaped.is_some(),
            clumped: !physics.clump_shapes.is_empty(),
            heated: physics.materials.iter().any(|material| material.heat.is_some()),
        }
    }

    /// What differs from the physics of the saved simulation that this one goes on with, a line each.
    pub fn changes(&self) -> &[String] {
        &self.changes
    }

    /// The error for the first particle, by id, whose velocity or spin is not finite.
    pub(crate) fn lost_by_motion(&self) -> Error {
        let (velocities, spins) = (&self.state.velocities, &self.state.spins);
        let has_velocity = |place: usize| velocities[place].iter().all(|component| component.is_finite());
        let has_spin = |place: usize| spins[place].iter().all(|component| component.is_finite());
        let lost = (0..self.state.own()).filter(|&place| !has_velocity(place) || !has_spin(place));
        let place = lost.min_by_key(|&place| self.state.ids[place]).unwrap_or(0);
        self.lost(place, if has_velocity(place) { Cause::SpinNotFinite } else { Cause::NotFinite })
    }

    pub(crate) fn lost(&self, place: usize, cause: Cause) -> Error {
        let (state, dt) = (&self.state, self.time_step);
        let mut position = state.positions[place];
        if cause == Cause::LeftBounds {
            // Back by the step that led out: the velocity half a step ago was smaller by half a step of force.
            let half =
                add_scaled(state.velocities[place], state.forces[place], -0.5 * dt * state.inverse_masses[place]);
            position = add_scaled(position, half, -dt);
        }
        Error::Lost { id: state.ids[place], step: self.steps, position: position.to_vec(), cause }
    }
}

/// Whether forces are worked out to start with, or to end a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing moves: forces alone.
    Start,
    /// Springs of contacts have grown over the step, and its motion ends.
    Step,
}
