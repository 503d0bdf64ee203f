//! What is summed over all particles and contacts: energies, momentum, counts.

use crate::compiled;
use crate::contacts::Entry;
use crate::exact_sum::ExactSum;
use crate::flow::Passed;
use crate::simulation::Simulation;
use crate::vector::{Spin, add_scaled, dot, scale, torque};
use multigrain::{Axes, Dimension};

/// Numbers among totals that count something.
const COUNTS: usize = 4;

/// Energies of a simulation. What held particles have is left out: it cannot be had from them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energies {
    /// Of the motion of centers.
    pub translational: f64,
    /// Of turning.
    pub rotational: f64,
    /// Stored in contacts, walls included.
    pub elastic: f64,
    /// Of weight, from the origin up; along periodic axes by the way travelled.
    pub gravitational: f64,
}

impl Energies {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.translational + self.rotational + self.elastic + self.gravitational
    }

    /// All motion.
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }
}

/// All that is summed over particles and contacts, exactly: [added up](Self::addends) from parts it is that of the whole, to the last bit.
/// What held particles have is left out, as in [`Energies`].
#[derive(Debug, Clone, PartialEq)]
pub struct Totals<const D: usize> {
    /// Number of particles.
    pub particles: u64,
    /// Number of contacts between particles.
    pub contacts: u64,
    /// Number of contacts with walls.
    pub wall_contacts: u64,
    /// Particles that flowed out so far.
    pub removed: u64,
    /// Energy of the motion of centers.
    pub translational: ExactSum,
    /// Energy of turning.
    pub rotational: ExactSum,
    /// Energy of weight.
    pub gravitational: ExactSum,
    /// Energy stored in contacts.
    pub elastic: ExactSum,
    /// Of it what contacts remember: tangential springs.
    pub springs: ExactSum,
    /// Energy that contacts took from motion so far, springs included.
    pub lost: ExactSum,
    /// Energy that walls, and a box that deforms, gave so far.
    pub given: ExactSum,
    /// Of both what particles that flowed out had.
    pub gone: [ExactSum; 2],
    /// Momentum.
    pub momentum: [ExactSum; D],
    /// Angular momentum about the origin.
    pub angular_momentum: [ExactSum; 3],
    /// What left by each outflow, then what passed each meter, so far.
    pub passed: Vec<Passed>,
}

impl<const D: usize> Default for Totals<D> {
    fn default() -> Self {
        let none = ExactSum::default;
        Self {
            particles: 0,
            contacts: 0,
            wall_contacts: 0,
            removed: 0,
            translational: none(),
            rotational: none(),
            gravitational: none(),
            elastic: none(),
            springs: none(),
            lost: none(),
            given: none(),
            gone: Default::default(),
            momentum: std::array::from_fn(|_| none()),
            angular_momentum: Default::default(),
            passed: Vec::new(),
        }
    }
}

impl<const D: usize> Totals<D> {
    fn counts(&mut self) -> [&mut u64; COUNTS] {
        [&mut self.particles, &mut self.contacts, &mut self.wall_contacts, &mut self.removed]
    }

    fn sums(&mut self) -> Vec<&mut ExactSum> {
        let Self { translational, rotational, gravitational, elastic, springs, lost, given, .. } = self;
        let mut sums = vec![translational, rotational, gravitational, elastic, springs, lost, given];
        sums.extend(&mut self.gone);
        sums.extend(&mut self.momentum);
        sums.extend(&mut self.angular_momentum);
        sums
    }

    /// As words: added up one by one over all parts, without their overflow, they are those of the whole. As many for each part.
    pub fn addends(&self) -> Vec<u64> {
        let mut all = self.clone();
        let mut words: Vec<u64> = all.counts().into_iter().map(|count| *count).collect();
        words.extend(all.sums().into_iter().flat_map(|sum| sum.to_addends()));
        for passed in &self.passed {
            words.push(passed.grains as u64);
            words.extend(passed.mass.to_addends());
        }
        words
    }

    /// Takes [`addends`](Self::addends) of all parts, added up, in place of its own.
    pub fn set_addends(&mut self, words: &[u64]) {
        let mut words = words.iter().copied();
        self.counts().into_iter().for_each(|count| *count = words.next().unwrap_or_default());
        self.sums().into_iter().for_each(|sum| *sum = ExactSum::next_of(&mut words));
        for passed in &mut self.passed {
            passed.grains = words.next().unwrap_or_default() as i64;
            passed.mass = ExactSum::next_of(&mut words);
        }
    }

    /// The energies.
    pub fn energies(&self) -> Energies {
        Energies {
            translational: self.translational.value(),
            rotational: self.rotational.value(),
            elastic: self.elastic.value(),
            gravitational: self.gravitational.value(),
        }
    }

    /// Energy that dashpots and sliding friction have taken so far.
    pub fn dissipated(&self) -> f64 {
        self.lost.value() - self.springs.value()
    }

    /// Energy that walls, and a box that deforms, gave so far.
    pub fn wall_work(&self) -> f64 {
        self.given.value()
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Energies now. Sums are exact before they are rounded, so that no order shows.
    pub fn energies(&self) -> Energies {
        self.totals().energies()
    }

    /// All that is summed over particles and contacts, of own particles alone: exact, so that those of parts make up the whole.
    pub fn totals(&self) -> Totals<D> {
        compiled::totals(self)
    }

    pub(crate) fn totals_here(&self) -> Totals<D> {
        let (state, physics) = (&self.state, &self.setup.physics);
        let mut totals = Totals {
            particles: state.own() as u64,
            contacts: self.contact_count() as u64,
            removed: self.removed,
            gone: self.gone.clone(),
            passed: self.passed.clone(),
            ..Totals::default()
        };
        for place in self.free_places() {
            let (mass, velocity, spin) = (state.masses[place], state.velocities[place], state.spins[place]);
            let mut travelled = state.positions[place];
            // Of a box that moves nobody knows how long edges were when grains went along them.
            if let Some(periods) = state.periods.get(place).filter(|_| self.space.moving().is_none()) {
                travelled = self.space.image(travelled, *periods);
            }
            totals.translational.add(0.5 * mass * dot(velocity, velocity));
            totals.rotational.add(0.5 * state.inertia(place) * dot(spin, spin));
            totals.gravitational.add(-mass * dot(physics.gravity, travelled));
            let momentum = scale(velocity, mass);
            let turning = add_scaled(torque(state.positions[place], momentum), spin, state.inertia(place));
            add_all(&mut totals.momentum, momentum);
            add_all(&mut totals.angular_momentum, turning);
        }
        for clump in self.clumps().iter().filter(|clump| !clump.held) {
            let mut travelled = clump.position;
            if self.space.moving().is_none() {
                travelled = self.space.image(travelled, clump.periods);
            }
            totals.translational.add(0.5 * clump.mass * dot(clump.velocity, clump.velocity));
            totals.rotational.add(clump.rotational_energy());
            totals.gravitational.add(-clump.mass * dot(physics.gravity, travelled));
            let momentum = scale(clump.velocity, clump.mass);
            add_all(&mut totals.momentum, momentum);
            add_all(&mut totals.angular_momentum, torque(clump.position, momentum));
            add_all(&mut totals.angular_momentum, clump.angular_momentum());
        }
        let bodies = self.bodies();
        self.contacts.visit(0..state.own(), &self.candidates, state, |touching| {
            let (seen, law) = touching.look(&bodies);
            let is_wall = matches!(touching.other, Entry::Face(_));
            totals.wall_contacts += u64::from(is_wall && seen.is_there(law, touching.history));
            totals.elastic.add(seen.energy(law, touching.history));
            totals.springs.add(law.remembered_energy(&seen.point, &touching.history[..law.history()]));
        });
        for (sum, (gone, column)) in
            [&mut totals.lost, &mut totals.given].into_iter().zip(self.gone.iter().zip([&state.lost, &state.given]))
        {
            *sum = gone.clone();
            sum.extend(column[..state.own()].iter().copied());
        }
        totals
    }

    /// Places of the particles that are not held.
    fn free_places(&self) -> impl Iterator<Item = usize> {
        (0..self.state.own()).filter(|&place| !self.state.is_held(place))
    }

    /// Energy that dashpots and sliding friction have taken so far. With [`energies`](Self::energies) it makes up what a closed
    /// system had at the start, as closely as the time step allows; where walls move, they add [`wall_work`](Self::wall_work).
    pub fn dissipated(&self) -> f64 {
        self.totals().dissipated()
    }

    /// Energy that moving walls, surfaces that carry or turn, and a box that deforms have given to grains so far.
    pub fn wall_work(&self) -> f64 {
        let mut sum = self.gone[1].clone();
        sum.extend(self.state.given[..self.state.own()].iter().copied());
        sum.value()
    }

    /// Momentum of all particles that are not held.
    pub fn momentum(&self) -> [f64; D] {
        self.totals().momentum.map(|sum| sum.value())
    }

    /// Angular momentum about the origin of all particles that are not held, their spin included.
    pub fn angular_momentum(&self) -> Spin {
        self.totals().angular_momentum.map(|sum| sum.value())
    }
}

fn add_all<const N: usize>(sums: &mut [ExactSum; N], numbers: [f64; N]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| sum.add(number));
}
