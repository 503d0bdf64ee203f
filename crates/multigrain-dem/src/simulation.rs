//! The step: from where particles are to where they will be.

use crate::contacts::{ContactTable, Kept};
use crate::error::{Cause, Error};
use crate::flow::is_inside;
use crate::grain::Grain;
use crate::integrator::Integrator;
use crate::law::LawTable;
use crate::setup::{Setup, Skin};
use crate::state::{Columns, NOBODY, State};
use crate::threads;
use crate::vector::{add_scaled, scale};
use crate::walls::{Obstacles, WallTable};
use multigrain::detectors::WithSkin;
use multigrain::limits::{LARGEST, MOST_BOXES_AWAY, SMALLEST};
use multigrain::{Detector, Pairs};

/// A running simulation. It owns the particles, lends them to a detector as snapshots, and turns pairs into forces.
///
/// Its course is the same, bit for bit, for every method of detection, skin and number of threads, and after
/// [`encode`](Self::encode) and [`Setup::resume`]: contacts are oriented, ordered and summed by the permanent ids of
/// particles. It runs on the caller's rayon pool.
pub struct Simulation<const D: usize> {
    pub(crate) setup: Setup<D>,
    pub(crate) laws: LawTable,
    pub(crate) obstacles: Obstacles<D>,
    pub(crate) state: State<D>,
    pub(crate) contacts: ContactTable<D>,
    pub(crate) wall_contacts: WallTable<D>,
    pub(crate) time_step: f64,
    pub(crate) steps: u64,
    /// How many grains each generator has made.
    pub(crate) made: Vec<u64>,
    /// How many particles flowed out.
    pub(crate) removed: u64,
    /// Energy that contacts took so far.
    pub(crate) dissipated: f64,
    /// Energy that tangential springs hold.
    pub(crate) stored: f64,
    /// Energy that moving walls gave so far.
    pub(crate) wall_work: f64,
    detector: Option<Box<dyn Detector<D>>>,
    pairs: Pairs<D>,
}

/// Where a step is. A hook is told when each phase begins; the crate itself has no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Particles come and move, and are sorted now and then.
    Move,
    /// The detector looks for contacts.
    Detect,
    /// Contacts are brought into order and remember what they were.
    Arrange,
    /// Contacts push.
    Push,
    /// Forces are summed, walls push, velocities change, particles go.
    Gather,
    /// The step is over.
    Done,
}

impl<const D: usize> Simulation<D> {
    pub(crate) fn new(setup: Setup<D>, grains: impl IntoIterator<Item = Grain<D>>) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        for grain in grains {
            simulation.add(&grain)?;
        }
        simulation.wrap_new(0);
        simulation.time_step = simulation.choose_time_step()?;
        simulation.sort();
        simulation.evaluate(0.0, Ending::Start, &mut |_| ())?;
        Ok(simulation)
    }

    /// A simulation without particles and time step, everything else checked.
    pub(crate) fn prepare(setup: Setup<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "simulations are in two or three dimensions") };
        let physics = &setup.physics;
        let laws = LawTable::new(&physics.materials, &physics.between)?;
        let obstacles = Obstacles::new(&physics.walls)?;
        let count = physics.materials.len();
        for (number, wall) in physics.walls.iter().enumerate() {
            let material = usize::from(wall.material);
            if material >= count {
                return Err(Error::NoSuchMaterial { what: format!("wall {number}"), material, count });
            }
        }
        for (number, generator) in physics.generators.iter().enumerate() {
            generator.check(number, count)?;
        }
        if let Some(&value) = physics.gravity.iter().find(|value| !value.is_finite()) {
            return Err(Error::Parameter { what: "gravity".to_owned(), value, must: "must be finite" });
        }
        Ok(Self {
            laws,
            obstacles,
            state: State::new(),
            contacts: ContactTable::default(),
            wall_contacts: WallTable::default(),
            time_step: 0.0,
            steps: 0,
            made: vec![0; physics.generators.len()],
            removed: 0,
            dissipated: 0.0,
            stored: 0.0,
            wall_work: 0.0,
            detector: None,
            pairs: Pairs::new(),
            setup,
        })
    }

    /// The particles now.
    pub fn state(&self) -> &State<D> {
        &self.state
    }

    /// What the simulation was told.
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

    /// How many particles have flowed out so far.
    pub fn removed(&self) -> u64 {
        self.removed
    }

    /// How many grains generators have made so far.
    pub fn generated(&self) -> u64 {
        self.made.iter().sum()
    }

    /// One time step. After an error the state is as the error found it.
    pub fn step(&mut self) -> Result<(), Error> {
        self.step_with(&mut |_| ())
    }

    /// One time step; `hook` is told when each phase begins.
    pub fn step_with(&mut self, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.run_with(1, hook)
    }

    /// So many time steps.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.run_with(steps, &mut |_| ())
    }

    /// As many time steps as reach this time.
    pub fn run_until(&mut self, time: f64) -> Result<(), Error> {
        let steps = ((time - self.time()) / self.time_step).ceil();
        self.run(if steps > 0.0 { steps as u64 } else { 0 })
    }

    /// So many time steps; `hook` is told when each phase begins.
    pub fn run_with(&mut self, steps: u64, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        let shares_work = threads::shares_work(self.state.len());
        let mut run = || (0..steps).try_for_each(|_| self.one_step(hook));
        // Inside the pool every phase starts at once; from outside each would have to wake it.
        if shares_work { rayon::scope(|_| run()) } else { run() }
    }

    fn one_step(&mut self, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        hook(Phase::Move);
        if self.setup.sort_every > 0 && self.steps.is_multiple_of(self.setup.sort_every) && self.steps > 0 {
            self.sort();
        }
        self.generate()?;
        let physics = &self.setup.physics;
        let bits = threads::block_bits(self.state.len());
        let turns = self.laws.has_friction();
        let lost = physics.integrator.advance(&mut self.state, &physics.domain, self.time_step, bits, turns);
        self.steps += 1;
        if let Some(place) = lost.and_then(|id| self.state.place_of(id)) {
            return Err(self.lost(place, Cause::TooFar));
        }
        self.evaluate(self.time_step, Ending::Step, hook)?;
        self.flow_out()?;
        hook(Phase::Done);
        Ok(())
    }

    /// Finds contacts, works out forces for the positions and velocities as they are, and ends the motion with them. Springs
    /// of contacts grow over `time`.
    pub(crate) fn evaluate(
        &mut self,
        time: f64,
        ending: Ending,
        hook: &mut (dyn FnMut(Phase) + Send),
    ) -> Result<(), Error> {
        hook(Phase::Detect);
        self.detect()?;
        hook(Phase::Arrange);
        let domain = self.setup.physics.domain;
        self.contacts.arrange(&self.state, &domain, &self.pairs, self.laws.has_friction());
        hook(Phase::Push);
        self.contacts.push_apart(&self.state, &domain, &self.laws, self.setup.physics.integrator, time);
        hook(Phase::Gather);
        self.obstacles.move_to(self.time());
        self.gather(time, ending)?;
        self.account(ending);
        Ok(())
    }

    /// Adds up where the energy of the step went: in the order of blocks, which neither threads nor the detector change.
    fn account(&mut self, ending: Ending) {
        let (rows, walls) = (&self.contacts.blocks, &self.wall_contacts.blocks);
        let stored_before = self.stored;
        self.stored =
            rows.iter().map(|block| block.stored).sum::<f64>() + walls.iter().map(|block| block.stored).sum::<f64>();
        if ending == Ending::Step {
            let taken =
                rows.iter().map(|block| block.taken).sum::<f64>() + walls.iter().map(|block| block.taken).sum::<f64>();
            self.dissipated += taken - (self.stored - stored_before);
            self.wall_work += walls.iter().map(|block| block.work).sum::<f64>();
        }
    }

    fn detect(&mut self) -> Result<(), Error> {
        let domain = self.setup.physics.domain;
        let now = self.state.snapshot(domain)?;
        let detector = match &mut self.detector {
            Some(detector) => detector,
            none => {
                let detection = &self.setup.detection;
                let bare = detection.method.build_with(now, &detection.settings)?;
                none.insert(match detection.skin {
                    Skin::None => bare,
                    Skin::Width(width) => Box::new(WithSkin::new(bare, width)?),
                    Skin::Chosen => Box::new(WithSkin::automatic(bare)),
                })
            }
        };
        detector.find_pairs(now, &mut self.pairs);
        Ok(())
    }

    /// Sorts the state by cells of space; contacts follow, but for what they do, which the step works out anew.
    fn sort(&mut self) {
        let order = self.state.cell_order();
        if !order.is_sorted() {
            self.put_in_order(&order, Kept { pushes: false, ..self.kept() });
        }
    }

    /// Brings the state into another order, or removes particles: see [`State::take`]. Contacts follow.
    pub(crate) fn take(&mut self, from: &[u32]) {
        self.put_in_order(from, self.kept());
    }

    /// What there is of contacts.
    pub(crate) fn kept(&self) -> Kept {
        Kept { images: self.setup.physics.domain.has_images(), springs: self.laws.has_friction(), pushes: true }
    }

    fn put_in_order(&mut self, from: &[u32], kept: Kept) {
        let mut to = vec![NOBODY; self.state.len()];
        for (place, &old) in from.iter().enumerate() {
            to[old as usize] = place as u32;
        }
        self.state.take(from);
        let bits = threads::block_bits(from.len());
        self.contacts.reorder(from, &to, kept);
        self.wall_contacts.reorder(&to, bits, from.len().div_ceil(1 << bits));
    }

    /// Adds a grain in the last place, pulled by gravity alone until the next step.
    pub(crate) fn add(&mut self, grain: &Grain<D>) -> Result<u32, Error> {
        let physics = &self.setup.physics;
        let what = |name: &str| format!("{name} of grain {}", self.state.next_id);
        let count = physics.materials.len();
        let material = usize::from(grain.material);
        let Some(kind) = physics.materials.get(material) else {
            let what = format!("grain {}", self.state.next_id);
            return Err(Error::NoSuchMaterial { what, material, count });
        };
        if !(SMALLEST..=LARGEST).contains(&grain.radius) {
            let must = "must be positive and finite, from 1e-150 to 1e150";
            return Err(Error::Parameter { what: what("radius"), value: grain.radius, must });
        }
        for (name, values) in [("velocity", &grain.velocity[..]), ("spin", &grain.spin[..])] {
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(Error::Parameter { what: what(name), value, must: "must be finite" });
            }
        }
        for (axis, &value) in grain.position.iter().enumerate() {
            let (lo, hi) = (physics.domain.lo()[axis], physics.domain.hi()[axis]);
            let far = MOST_BOXES_AWAY * physics.domain.length(axis);
            let range = if far > 0.0 { lo - far..=hi + far } else { -LARGEST..=LARGEST };
            if !range.contains(&value) {
                let must = "must be finite, and not absurdly far from the origin or its periodic box";
                return Err(Error::Parameter { what: what("position"), value, must });
            }
        }
        let columns = Columns { periodic: physics.domain.has_images(), gear: physics.integrator == Integrator::Gear };
        let id = self.state.push(grain, kind.density, columns)?;
        let place = self.state.len() - 1;
        self.state.forces[place] = scale(physics.gravity, self.state.masses[place]);
        if let Some(derivatives) = self.state.derivatives.last_mut() {
            let pull = if grain.held { 0.0 } else { 0.5 * self.time_step * self.time_step };
            derivatives.position[0] = scale(physics.gravity, pull);
        }
        Ok(id)
    }

    /// The error for the first particle, by id, whose velocity or spin is not finite.
    pub(crate) fn lost_by_motion(&self) -> Error {
        let (velocities, spins) = (&self.state.velocities, &self.state.spins);
        let has_velocity = |place: usize| velocities[place].iter().all(|component| component.is_finite());
        let has_spin = |place: usize| spins[place].iter().all(|component| component.is_finite());
        let lost = (0..self.state.len()).filter(|&place| !has_velocity(place) || !has_spin(place));
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

    /// Removes what came into an outflow; an error for what left the bounds.
    fn flow_out(&mut self) -> Result<(), Error> {
        let physics = &self.setup.physics;
        if !physics.outflows.is_empty() {
            let stays = |place: &u32| {
                let position = self.state.positions[*place as usize];
                !physics.outflows.iter().any(|outflow| outflow.takes(position))
            };
            let leaves = (0..self.state.len() as u32).any(|place| !stays(&place));
            if leaves {
                let staying: Vec<u32> = (0..self.state.len() as u32).filter(stays).collect();
                self.removed += (self.state.len() - staying.len()) as u64;
                self.take(&staying);
            }
        }
        let Some([lo, hi]) = self.setup.physics.bounds else { return Ok(()) };
        let outside = self.state.positions.iter().enumerate().filter(|&(_, &x)| !is_inside(x, lo, hi));
        match outside.map(|(place, _)| place).min_by_key(|&place| self.state.ids[place]) {
            Some(place) => Err(self.lost(place, Cause::LeftBounds)),
            None => Ok(()),
        }
    }
}

/// Whether forces are worked out to start with, or to end a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Start,
    Step,
}
