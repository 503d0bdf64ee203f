//! Giants: particles so large that they may touch very many others.
//!
//! What others do to a giant is summed exactly, so that no order shows, and is the matter of the others: their contacts with it stand in
//! their rows, whatever the ids. So whoever owns a part of them sums that part, and nobody has to know all of them. Two giants are to each
//! other as two others are.

use crate::contacts::NONE;
use crate::error::Error;
use crate::exact_sum::ExactSum;
use crate::heat::Conduction;
use crate::simulation::Simulation;
use crate::vector::{Spin, add};
use multigrain::{Axes, Dimension};

/// How many times the mean radius at the start a particle must exceed to be a giant, unless set otherwise.
pub const GIANT_RATIO: f64 = 64.0;

/// What all others do to one giant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pushes<const D: usize> {
    /// Its place.
    pub place: u32,
    pub force: [ExactSum; D],
    pub torque: [ExactSum; 3],
    /// Power of the heat that comes from them.
    pub heat: ExactSum,
}

impl<const D: usize> Pushes<D> {
    fn on(place: u32) -> Self {
        Self {
            place,
            force: std::array::from_fn(|_| ExactSum::default()),
            torque: Default::default(),
            heat: ExactSum::default(),
        }
    }

    fn sums(&mut self) -> impl Iterator<Item = &mut ExactSum> {
        self.force.iter_mut().chain(&mut self.torque).chain([&mut self.heat])
    }

    /// Adds them to what else acts on the giant.
    pub fn add_to(&self, (force, torque): ([f64; D], Spin)) -> ([f64; D], Spin) {
        (
            add(force, self.force.each_ref().map(ExactSum::value)),
            add(torque, self.torque.each_ref().map(ExactSum::value)),
        )
    }
}

/// Those on the giant in this place.
pub(crate) fn pushes_on<const D: usize>(all: &[Pushes<D>], place: usize) -> Option<&Pushes<D>> {
    all.binary_search_by_key(&(place as u32), |pushes| pushes.place).ok().map(|at| &all[at])
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Particles with larger radii are giants: 64 times the mean radius at the start, unless the setup said otherwise. What others do to
    /// them is summed exactly.
    pub fn giant_radius(&self) -> f64 {
        self.giant_radius
    }

    /// Sums what contacts do to giants, guests among them.
    pub(crate) fn sum_pushes(&mut self) {
        let giants = self.candidates.giants.clone();
        self.pushes = giants.into_iter().map(|place| self.pushes_of(place as usize)).collect();
    }

    fn pushes_of(&self, place: usize) -> Pushes<D> {
        let (state, bits) = (&self.state, self.candidates.bits);
        let (rows, k) = (&self.candidates.blocks[place >> bits], place & ((1 << bits) - 1));
        let (radius, turns) = (state.radii[place], self.laws.turns());
        let conduction = (!state.temperatures.is_empty()).then(|| self.conduction());
        let mut pushes = Pushes::on(place as u32);
        for pair in &rows.seconds[rows.second_rows[k] as usize..rows.second_rows[k + 1] as usize] {
            let first = pair.first as usize;
            let block = &self.contacts.blocks[first >> bits];
            let contact = block.contact_of[pair.slot as usize];
            if contact == NONE || state.radii[first] > self.giant_radius {
                continue;
            }
            let effect = &block.effects[contact as usize];
            pushes.force.iter_mut().zip(effect.force::<D>()).for_each(|(sum, component)| sum.add(component));
            if turns {
                let arm = -0.5 * effect.gap() - radius;
                pushes
                    .torque
                    .iter_mut()
                    .zip(effect.moment_and_taken)
                    .for_each(|(sum, component)| sum.add(component * arm));
                if let Some([_, on_second]) = block.torques.get(contact as usize) {
                    pushes.torque.iter_mut().zip(on_second).for_each(|(sum, &component)| sum.add(component));
                }
            }
            if let Some(conduction) = &conduction {
                pushes.heat.add(conduction.flow_from(place, first, effect.gap()));
            }
        }
        pushes
    }

    /// What is looked at where heat flows.
    pub(crate) fn conduction(&self) -> Conduction<'_, D> {
        Conduction {
            physics: &self.setup.physics,
            state: &self.state,
            candidates: &self.candidates,
            contacts: &self.contacts,
            obstacles: &self.obstacles,
            giant_radius: self.giant_radius,
            pushes: &self.pushes,
            time: self.time_step,
        }
    }

    /// What own particles have done to the giants among these places, as words for whoever owns them: after
    /// [`push_step`](Self::push_step), before what is [`felt`](Self::felt).
    pub fn pushes_at(&self, places: impl IntoIterator<Item = u32>) -> Vec<u64> {
        let mut words = Vec::new();
        for place in places.into_iter().filter(|&place| self.state.radii[place as usize] > self.giant_radius) {
            let mut none = Pushes::on(place);
            let mut pushes = pushes_on(&self.pushes, place as usize).cloned();
            let pushes = pushes.as_mut().unwrap_or(&mut none);
            words.extend(pushes.sums().flat_map(|sum| sum.to_addends()));
        }
        words
    }

    /// Adds what another part has done to the giants among these places, which are here the same in the same order.
    pub fn add_pushes(&mut self, places: impl IntoIterator<Item = u32>, words: &[u64]) -> Result<(), Error> {
        let mut sums = words.as_chunks().0.iter();
        for place in places.into_iter().filter(|&place| self.state.radii[place as usize] > self.giant_radius) {
            let at = match self.pushes.binary_search_by_key(&place, |pushes| pushes.place) {
                Ok(at) => at,
                Err(at) => {
                    self.pushes.insert(at, Pushes::on(place));
                    at
                }
            };
            for sum in self.pushes[at].sums() {
                sum.merge(&ExactSum::from_addends(sums.next().ok_or_else(crate::guests::not_packed)?));
            }
        }
        Ok(())
    }

    /// Whether what these two do to each other, by their places, is worked out here: where both are giants or none, by whoever owns one
    /// of them; else by whoever owns the other one.
    pub(crate) fn is_own_matter(&self, i: usize, j: usize) -> bool {
        is_own_matter(&self.state.radii, self.giant_radius, self.state.own(), i, j)
    }
}

/// The same of these radii.
pub(crate) fn is_own_matter(radii: &[f64], giant_radius: f64, own: usize, i: usize, j: usize) -> bool {
    match (radii[i] > giant_radius, radii[j] > giant_radius) {
        (true, false) => j < own,
        (false, true) => i < own,
        _ => i.min(j) < own,
    }
}
