//! Forces of a step, and what follows from them: contacts push, then particles end their motion.
//!
//! Particles of a block end their motion as soon as every block whose contacts they look at has pushed, unless something has to be
//! known of all contacts before: then what contacts do is read while the caches hold it, and not kept longer. Nobody looks any more at
//! what a particle was by then: the blocks that see it among their candidates are those whose contacts it looks at.

use crate::compiled;
use crate::contacts::{Bodies, Growth, Push, SideColumns};
use crate::error::{Cause, Error};
use crate::phase::Phase;
use crate::simulation::{Ending, Simulation};
use multigrain::{Axes, Dimension};
use std::ops::Range;

/// Into how many parts blocks are cut at most that push one after the other on one thread. Several threads would wait for each other at
/// the end of each part: there all blocks push at once.
const PARTS: usize = 32;

/// Fewest particles in a part: so many are in the caches anyway.
const LEAST: usize = 1 << 11;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Finds contacts, works out forces for the positions and velocities as they are, and ends the motion with them.
    pub(crate) fn evaluate(&mut self, ending: Ending, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        compiled::evaluate(self, ending, hook)
    }

    pub(crate) fn evaluate_here(&mut self, ending: Ending, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.detect(hook)?;
        hook(Phase::Push);
        if self.ends_block_by_block() {
            let all_finite = self.roll(ending);
            hook(Phase::Gather);
            return if all_finite { Ok(()) } else { Err(self.lost_by_motion()) };
        }
        self.push_all(ending)?;
        let felt = self.felt(ending);
        hook(Phase::Gather);
        self.end(ending, &felt)
    }

    /// Finds contacts and lets them push.
    pub(crate) fn push_here(&mut self, ending: Ending, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.detect(hook)?;
        hook(Phase::Push);
        self.push_all(ending)
    }

    /// Looks whether candidates last, and finds others if not.
    fn detect(&mut self, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        hook(Phase::Detect);
        self.attach_loose();
        let now = self.time();
        self.obstacles.move_to(now, &self.on_walls.steering);
        let skin = self.setup.detection.skin;
        match self.candidates.lasts(&self.state, &self.space, &self.obstacles, now, skin) {
            Ok(()) => Ok(()),
            Err(skin) => self.find_candidates(skin, hook),
        }
    }

    fn push_all(&mut self, ending: Ending) -> Result<(), Error> {
        let grows = self.growth(ending);
        if let Some(shaped) = &mut self.shaped {
            let mut columns = [&mut self.state.lost, &mut self.state.given].map(std::mem::take);
            let [lost, given] = &mut columns;
            let bodies = Bodies {
                state: &self.state,
                shapes: &self.setup.physics.shapes,
                obstacles: &self.obstacles,
                laws: &self.laws,
                space: &self.space,
                grows,
            };
            let done = shaped.run(&bodies, &self.candidates, &mut self.contacts, lost, given);
            [self.state.lost, self.state.given] = columns;
            self.sum_pushes();
            return done.map_err(|place| self.lost(place, Cause::SpinNotFinite));
        }
        self.push_blocks(0..self.candidates.blocks.len(), grows);
        self.sum_pushes();
        Ok(())
    }

    fn growth(&self, ending: Ending) -> Growth {
        Growth::new(self.setup.physics.integrator, self.time_to(ending), &self.laws)
    }

    /// Lets the contacts of these blocks push.
    fn push_blocks(&mut self, blocks: Range<usize>, grows: Growth) {
        let mut columns = [&mut self.state.lost, &mut self.state.given].map(std::mem::take);
        let [lost, given] = &mut columns;
        let push = Push {
            state: &self.state,
            columns: SideColumns::new(&self.state, 0..self.state.len()),
            candidates: &self.candidates,
            laws: &self.laws,
            obstacles: &self.obstacles,
            space: &self.space,
            grows,
        };
        push.run(&mut self.contacts, blocks, lost, given);
        [self.state.lost, self.state.given] = columns;
    }

    /// Whether nothing has to be known of all contacts, or of all particles as they are now, before the first particle ends its motion.
    fn ends_block_by_block(&self) -> bool {
        let physics = &self.setup.physics;
        let feels_walls = !self.on_walls.steering.is_empty() || !self.on_walls.worn.is_empty();
        let is_pushed = self.own_forces.is_some() || physics.fluid.is_some() || !physics.fields.is_empty();
        let is_alone = !self.is_part && self.state.guests == 0;
        let is_plain = self.space.moving().is_none() && self.clumps.bodies.is_empty() && self.shaped.is_none();
        let has_flow = !self.state.temperatures.is_empty();
        is_alone && is_plain && !is_pushed && !feels_walls && !has_flow && self.candidates.giants.is_empty()
    }

    /// Lets contacts push and particles end their motion, block by block. Whether all motion stayed finite.
    fn roll(&mut self, ending: Ending) -> bool {
        let (grows, blocks) = (self.growth(ending), self.candidates.blocks.len());
        let part = match rayon::current_num_threads() {
            1 => (blocks / PARTS).max(LEAST >> self.candidates.bits).max(1),
            _ => blocks.max(1),
        };
        let (nothing, mut all_finite) = (Default::default(), true);
        self.pushes.clear();
        for first in (0..blocks).step_by(part) {
            let now = first..(first + part).min(blocks);
            self.push_blocks(now.clone(), grows);
            let ends = |block: u32| now.contains(&(block as usize));
            let ready: Vec<bool> = self.candidates.blocks.iter().map(|block| ends(block.ready)).collect();
            all_finite &= self.end_blocks(&nothing, ending, |block| ready[block]);
            if part < blocks {
                self.contacts.give_back(self.candidates.blocks.iter().map(|block| ends(block.unread)));
            }
        }
        all_finite
    }
}
