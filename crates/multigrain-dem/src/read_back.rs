//! The setup of a simulation read back, and warnings about it.

use crate::body_forces::Fluid;
use crate::fields::Field;
use crate::flow::{Generator, Made, Meter, Outflow, Passed};
use crate::integrator::Integrator;
use crate::material::{ContactLaw, Material};
use crate::setup::{Given, Skin, TimeStep};
use crate::simulation::Simulation;
use crate::space::{Deformation, Matrix};
use crate::walls::Wall;
use multigrain::{Axes, Dimension, Domain};
use multigrain_methods::Method;

/// Time step over the shortest contact from which on contacts are no longer worked out well.
const LONG_STEP: f64 = 0.1;

/// Overlap, as a share of the smaller radius, from which on soft spheres are no spheres any more.
const DEEP_OVERLAP: f64 = 0.1;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// The space as it is now: each axis open or periodic.
    pub fn domain(&self) -> &Domain<D> {
        self.space.domain()
    }

    /// How the box is told to change its shape, one after the other.
    pub fn deformations(&self) -> &[Deformation<D>] {
        &self.setup.physics.deformations
    }

    /// Velocity gradient of the box now: entry `[i][j]` is how fast the velocity along axis `i` grows along axis `j`. None for a
    /// box that does not deform.
    pub fn velocity_gradient(&self) -> Option<Matrix<D>> {
        self.space.moving().map(|moving| *moving.flow())
    }

    /// The velocity gradient summed over time. None for a box that does not deform.
    pub fn strain(&self) -> Option<Matrix<D>> {
        self.space.moving().map(|moving| moving.strain)
    }

    /// Acceleration by gravity.
    pub fn gravity(&self) -> [f64; D] {
        self.setup.physics.gravity
    }

    /// All materials, by their numbers.
    pub fn materials(&self) -> &[Material] {
        &self.setup.physics.materials
    }

    /// Laws that were given for two materials, by their numbers; laws of the user's own are left out.
    pub fn laws_between(&self) -> Vec<(u16, u16, ContactLaw)> {
        let known = |(a, b, law): &(u16, u16, Given<D>)| match law {
            Given::Known(law) => Some((*a, *b, **law)),
            Given::Law(_) => None,
        };
        self.setup.physics.between.iter().filter_map(known).collect()
    }

    /// All walls as they stood at the start: those that move have come further since, see [`walls`](Self::walls).
    pub fn walls_at_start(&self) -> &[Wall<D>] {
        &self.setup.physics.walls
    }

    /// The fluid that drags grains along, if there is one.
    pub fn fluid(&self) -> Option<&Fluid<D>> {
        self.setup.physics.fluid.as_ref()
    }

    /// Fields of acceleration.
    pub fn fields(&self) -> &[Field<D>] {
        &self.setup.physics.fields
    }

    /// Where grains come from.
    pub fn generators(&self) -> &[Generator<D>] {
        &self.setup.physics.generators
    }

    /// Where grains leave.
    pub fn outflows(&self) -> &[Outflow<D>] {
        &self.setup.physics.outflows
    }

    /// Where grains that pass are counted.
    pub fn meters(&self) -> &[Meter<D>] {
        &self.setup.physics.meters
    }

    /// What each generator has made so far.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// What left by each outflow so far; where several take a grain, the first has it.
    pub fn left(&self) -> &[Passed] {
        &self.passed[..self.setup.physics.outflows.len()]
    }

    /// What passed each meter so far.
    pub fn metered(&self) -> &[Passed] {
        &self.passed[self.setup.physics.outflows.len()..]
    }

    /// Lower and upper corner of the box that no center may leave.
    pub fn bounds(&self) -> Option<[[f64; D]; 2]> {
        self.setup.physics.bounds
    }

    /// How particles move in one time step.
    pub fn integrator(&self) -> Integrator {
        self.setup.physics.integrator
    }

    /// How long a time step was to be.
    pub fn time_step_asked(&self) -> TimeStep {
        self.setup.physics.time_step
    }

    /// The speed of the fastest impacts to be expected, where it was given.
    pub fn impact_speed_asked(&self) -> Option<f64> {
        self.setup.physics.impact_speed
    }

    /// The method of detection.
    pub fn method(&self) -> Method {
        self.setup.detection.method
    }

    /// Whether contacts are found with a skin.
    pub fn skin(&self) -> Skin {
        self.setup.detection.skin
    }

    /// A sentence where the time step is longer than contacts bear, with the shortest contact that there can be.
    pub fn concern_of_step(&self) -> Option<String> {
        let share = self.time_step / self.shortest_contact().ok()?;
        let how =
            if share > 0.5 { "a half: energy comes from nothing" } else { "a tenth: contacts are not worked out well" };
        (share > LONG_STEP).then(|| {
            format!("the time step of {:.3e} is {share:.2} of the shortest contact, more than {how}", self.time_step)
        })
    }

    /// A sentence where grains are crushed into each other or into a wall.
    pub fn concern_of_overlaps(&self) -> Option<String> {
        let overlaps = self.overlaps();
        let (first, second) = overlaps.ids.filter(|_| overlaps.largest > DEEP_OVERLAP)?;
        let other = second.map_or("a wall".to_owned(), |second| format!("grain {second}"));
        Some(format!(
            "grain {first} and {other} overlap by {:.0} % of the smaller radius: they were placed like this, stiffness is too small, or the time step too long",
            100.0 * overlaps.largest
        ))
    }

    /// A sentence where grains lie behind a plane, or outside a box or cylinder.
    pub fn concern_of_walls(&self) -> Option<String> {
        let behind = self.behind_walls();
        let &(id, wall) = behind.first()?;
        let others = match behind.len() - 1 {
            0 => String::new(),
            others => format!(", and {others} more"),
        };
        Some(format!("grain {id} has its center behind wall {wall}{others}: it is shot in, or out"))
    }
}
