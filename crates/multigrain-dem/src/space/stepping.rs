//! What a box that is sheared or moves does in a step.

use super::{Matrix, map, zero};
use crate::contacts::flip;
use crate::error::Error;
use crate::felt::Felt;
use crate::simulation::{Ending, Simulation};
use crate::vector::{add, sub};
use multigrain::{Axes, Dimension};

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Lets the first deformation act, and grains with it.
    pub(crate) fn start_box(&mut self) -> Result<(), Error> {
        let deformations = &self.setup.physics.deformations;
        let Some(first) = deformations.first() else { return Ok(()) };
        let phase = self.space.due_phase(deformations, 0.0).unwrap_or(0);
        let change = self.space.begin(deformations, phase)?;
        if !first.flowing {
            self.take_along(&change);
        }
        Ok(())
    }

    /// Lets the next deformation act if it is time.
    pub(crate) fn change_box(&mut self) -> Result<(), Error> {
        if !self.begin_deformation()? {
            return Ok(());
        }
        self.evaluate(Ending::Start, &mut |_| ())
    }

    /// Whether the next step begins with another deformation.
    pub fn is_deformation_due(&self) -> bool {
        self.space.due_phase(&self.setup.physics.deformations, self.time()).is_some()
    }

    /// Lets the next deformation act if it is time. What the box changes at once, own particles change with it; then forces must be
    /// worked out once more, as at the start. Whether it was time.
    pub fn begin_deformation(&mut self) -> Result<bool, Error> {
        let deformations = &self.setup.physics.deformations;
        let Some(phase) = self.space.due_phase(deformations, self.time()) else { return Ok(false) };
        let change = self.space.begin(deformations, phase)?;
        if change != zero() {
            self.take_along(&change);
        }
        Ok(true)
    }

    /// Lets all grains follow a change of the velocity gradient.
    fn take_along(&mut self, change: &Matrix<D>) {
        self.space.take_along(&mut self.state, 0, change);
        let center = self.space.moving().map_or([0.0; D], |moving| moving.center);
        for clump in self.clumps.bodies.iter_mut().filter(|clump| !clump.held) {
            clump.velocity = add(clump.velocity, map(change, sub(clump.position, center)));
        }
        self.settle_clumps();
    }

    /// Moves the box by a step, and brings grains into it that have crossed a border.
    pub(crate) fn move_box(&mut self) -> Result<(), Error> {
        for (i, j, n) in self.space.advance(self.time_step)? {
            self.remember_contacts();
            if let Some(memory) = &mut self.contacts.memory {
                *memory = memory.flipped((i, j, n));
            }
            self.marks.are_lost = true;
            self.loose.iter_mut().for_each(|contact| flip(&mut contact.key.image, i, j, n));
            self.state.periods.iter_mut().for_each(|periods| flip(periods, i, j, n));
            self.clumps.bodies.iter_mut().for_each(|clump| flip(&mut clump.periods, i, j, n));
        }
        self.space.wrap(&mut self.state, 0, self.time_step);
        Ok(())
    }

    /// Whether a stress decides how the box deforms now.
    pub(crate) fn follows_stress(&self) -> bool {
        let deformations = &self.setup.physics.deformations;
        let now = self.space.moving().and_then(|moving| deformations.get(moving.phase as usize));
        now.is_some_and(|one| one.is_controlled())
    }

    /// How the box is accelerated by the stress that there is now.
    pub(crate) fn accelerate_box(&mut self, ending: Ending, felt: &Felt<D>) -> Result<(), Error> {
        if self.space.moving().is_none() {
            return Ok(());
        }
        let of_servos = 2 * self.on_walls.steering.len();
        let stress = self.follows_stress().then(|| self.stress_of(&felt.sums[of_servos.min(felt.sums.len())..]));
        let deformations = &self.setup.physics.deformations;
        self.space.accelerate(deformations, stress.as_ref(), self.time_step, ending == Ending::Step)
    }
}
