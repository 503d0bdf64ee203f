//! What passes in a step: grains that leave, grains that meters count.

use crate::compiled;
use crate::error::{Cause, Error};
use crate::region::is_inside;
use crate::simulation::Simulation;
use crate::state::NOBODY;
use multigrain::{Axes, Dimension};

/// Positions, and where space is periodic the periods that were travelled, before a step.
pub(crate) struct Before<const D: usize> {
    grains: Vec<([f64; D], [i32; D])>,
    clumps: Vec<([f64; D], [i32; D])>,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Where own particles and clumps are, if there are meters to look at it.
    pub(crate) fn before_moving(&self) -> Option<Before<D>> {
        if self.setup.physics.meters.is_empty() {
            return None;
        }
        let grains = (0..self.state.own()).map(|place| self.where_is(place)).collect();
        let clumps = self.clumps.bodies.iter().map(|clump| (clump.position, clump.periods)).collect();
        Some(Before { grains, clumps })
    }

    fn where_is(&self, place: usize) -> ([f64; D], [i32; D]) {
        (self.state.positions[place], self.state.periods.get(place).copied().unwrap_or([0; D]))
    }

    /// Lets meters count what passed since. Members of clumps do not count, clumps do.
    pub(crate) fn count_passing(&mut self, before: Option<Before<D>>) {
        let Some(before) = before else { return };
        let mut counts = std::mem::take(&mut self.passed);
        let is_free = |place: usize| self.state.clumps.get(place).is_none_or(|&clump| clump == NOBODY);
        let grains = (0..self.state.own()).filter(|&place| is_free(place));
        let grains = grains.map(|place| (before.grains[place], self.where_is(place), self.state.masses[place]));
        let clumps = self.clumps.bodies.iter().zip(&before.clumps);
        let clumps = clumps.map(|(clump, &before)| (before, (clump.position, clump.periods), clump.mass));
        let (lengths, first) = (self.setup.physics.domain.lengths(), self.setup.physics.outflows.len());
        for ((old, then), (new, now), mass) in grains.chain(clumps) {
            // A border between the two: both as if there were none, seen from either side.
            let turns: [f64; D] = std::array::from_fn(|axis| f64::from(now[axis].wrapping_sub(then[axis])));
            let way = |axis: usize| if turns[axis] == 0.0 { 0.0 } else { turns[axis] * lengths[axis] };
            let new_from_old: [f64; D] = std::array::from_fn(|axis| new[axis] + way(axis));
            let old_from_new: [f64; D] = std::array::from_fn(|axis| old[axis] - way(axis));
            for (meter, passed) in self.setup.physics.meters.iter().zip(&mut counts[first..]) {
                let step =
                    |from: [f64; D], to: [f64; D]| i64::from(meter.is_ahead(to)) - i64::from(meter.is_ahead(from));
                let step = match step(old, new_from_old) {
                    0 => step(old_from_new, new),
                    step => step,
                };
                if step != 0 && meter.region.as_ref().is_none_or(|region| region.contains(new)) {
                    passed.add(step, mass);
                }
            }
        }
        self.passed = counts;
    }

    /// How many particles have flowed out so far.
    pub fn removed(&self) -> u64 {
        self.removed
    }

    /// How many particles there have been so far: ids are given one after another, and never again.
    pub fn ids_given(&self) -> u64 {
        self.state.next_id
    }

    /// How many grains generators have made so far; a clump is one.
    pub fn generated(&self) -> u64 {
        self.made.iter().map(|made| made.grains).sum()
    }

    /// The last part of a step: removes what came into an outflow, and guests with it. Whether anything left; an error for what left
    /// the bounds.
    pub fn flow_out(&mut self) -> Result<bool, Error> {
        compiled::flow_out(self)
    }

    pub(crate) fn flow_out_here(&mut self) -> Result<bool, Error> {
        let has_left = !self.setup.physics.outflows.is_empty() && self.let_out();
        let Some([lo, hi]) = self.setup.physics.bounds else { return Ok(has_left) };
        let outside =
            self.state.positions[..self.state.own()].iter().enumerate().filter(|&(_, &x)| !is_inside(x, lo, hi));
        match outside.map(|(place, _)| place).min_by_key(|&place| self.state.ids[place]) {
            Some(place) => Err(self.lost(place, Cause::LeftBounds)),
            None => Ok(has_left),
        }
    }

    fn let_out(&mut self) -> bool {
        let physics = &self.setup.physics;
        let taken_by = |place: usize| {
            // A clump goes as a whole, with its center.
            let position = self.clump_of(place).map_or(self.state.positions[place], |clump| clump.position);
            physics.outflows.iter().position(|outflow| outflow.takes(position))
        };
        let own = self.state.own();
        let leaving: Vec<(usize, usize)> = (0..own).filter_map(|place| Some((place, taken_by(place)?))).collect();
        if leaving.is_empty() {
            return false;
        }
        for &(place, outflow) in &leaving {
            match self.clump_of(place).map(|clump| (clump.first, clump.mass)) {
                None => self.passed[outflow].add(1, self.state.masses[place]),
                Some((first, mass)) if first == self.state.ids[place] => self.passed[outflow].add(1, mass),
                Some(_) => (),
            }
        }
        let mut stays = vec![true; own];
        leaving.iter().for_each(|&(place, _)| stays[place] = false);
        let staying: Vec<u32> = (0..own as u32).filter(|&place| stays[place as usize]).collect();
        self.removed += leaving.len() as u64;
        self.take(&staying);
        true
    }
}
