//! Clumps of a simulation that is one part of several: a clump belongs to one part, with all of its members.

use super::{Clump, Clumps};
use crate::codec::Value;
use crate::codec::stream::Source;
use crate::simulation::Simulation;
use crate::state::{NOBODY, State};
use crate::vector::add;
use multigrain::{Axes, Dimension};

impl<const D: usize> Clumps<D>
where
    Axes: Dimension<D>,
{
    /// Which clump goes with this particle: that of which it is the first member.
    pub fn led_by(&self, state: &State<D>, place: usize) -> Option<&Clump<D>> {
        self.member_at(state, place).filter(|&(_, member)| member == 0).map(|(body, _)| body)
    }

    /// Takes clumps whose members have come.
    pub fn join(&mut self, came: Vec<Clump<D>>) {
        if !came.is_empty() {
            self.bodies.extend(came);
            self.bodies.sort_unstable_by_key(|body| body.number);
        }
        self.forget_places();
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Where the particle in this place belongs: its center, of a member that of its clump. Who owns a clump has all of its members.
    pub fn home(&self, place: usize) -> [f64; D] {
        self.clump_of(place).map_or(self.state.positions[place], |clump| clump.position)
    }

    /// Whether guests may have arms, which stresses ask for.
    pub(crate) fn needs_arms(&self) -> bool {
        !self.setup.physics.clump_shapes.is_empty()
    }

    /// Adds the way from the center of its clump to a particle, if there may be clumps.
    pub(crate) fn write_arm(&self, place: usize, out: &mut Vec<u8>) {
        if self.needs_arms() {
            self.clumps.arm_at(&self.setup.physics.clump_shapes, &self.state, place).write(out);
        }
    }

    /// The same of a guest.
    pub(crate) fn read_arm(&mut self, place: usize, input: &mut Source<'_>) -> Option<()> {
        if self.needs_arms() {
            let (guest, arms) = (place - self.state.own(), &mut self.clumps.arms_of_guests);
            arms.resize(arms.len().max(guest + 1), [0.0; D]);
            arms[guest] = Value::read(input)?;
        }
        Some(())
    }

    /// All clumps as the next step moves them, not wrapped.
    pub(crate) fn next_clumps(&self) -> Vec<Clump<D>> {
        let mut next = self.clumps.bodies.clone();
        next.iter_mut().for_each(|body| body.advance(self.time_step));
        next
    }

    /// Where these bring the particle in this place, and the periods that go with it; nothing for one that is no member.
    pub(crate) fn next_of_member(&self, next: &[Clump<D>], place: usize) -> Option<([f64; D], [i32; D])> {
        let number = *self.state.clumps.get(place).filter(|&&number| number != NOBODY)?;
        let body = &next[self.clumps.index_of(number)?];
        let shape = &self.setup.physics.clump_shapes[body.shape as usize];
        let member = (self.state.ids[place] - body.first) as usize;
        Some((add(body.position, body.arm(shape, member)), body.periods))
    }

    /// Lets a grain pass that another part has: ids and numbers go on.
    pub(crate) fn pass(&mut self, grain: &crate::grain::Grain<D>) {
        let Some(shape) = grain.clump else {
            self.state.next_id += 1;
            return;
        };
        // Of a shape that there is not, whoever has the grain will say so.
        let members = self.setup.physics.clump_shapes.get(shape as usize).map_or(1, |shape| shape.members().len());
        self.state.next_id += members as u64;
        self.clumps.next += 1;
    }

    /// Lets go of clumps that have left, with all of their members.
    pub(crate) fn part_from_clumps(&mut self) {
        if !self.clumps.bodies.is_empty() {
            self.drop_clumps();
        }
        debug_assert!(self.state.guests > 0 || self.members_are_whole());
    }

    fn members_are_whole(&self) -> bool {
        let members = self.state.clumps.iter().filter(|&&number| number != NOBODY).count();
        members == self.clumps.bodies.iter().map(|body| body.members as usize).sum::<usize>()
    }
}
