//! Forces on particles beside weight: drag of a fluid, and fields.

use crate::clumps::Clump;
use crate::error::Error;
use crate::fields::{Field, Spread, of_polygon, of_sphere};
use crate::simulation::{Ending, Simulation};
use crate::vector::{Spin, add, add_scaled, dot, length, scale, sub};

use multigrain::{Axes, Dimension};
use std::f64::consts::PI;

/// A fluid that drags particles along, and is not changed by them.
///
/// ```
/// use multigrain_dem::{ContactLaw, Drag, Fluid, Grain, Material, Setup, TimeStep};
/// let water = Fluid { density: 1000.0, ..Fluid::new(1e-3) };
/// let mut simulation = Setup::new()
///     .material(Material::new(2500.0, ContactLaw::linear(1e3)))
///     .fluid(Fluid { buoyancy: true, drag: Drag::SchillerNaumann, ..water })
///     .gravity([0.0, 0.0, -9.81])
///     .time_step(TimeStep::Given(1e-4))
///     .build([Grain::at([0.0; 3], 5e-4)])?;
/// simulation.run_until(1.0)?;
/// assert!((simulation.state().velocities()[0][2] + 0.146).abs() < 1e-3, "a glass bead of 1 mm sinks with 14.6 cm/s");
/// # Ok::<(), multigrain_dem::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fluid<const D: usize> {
    /// How it drags.
    pub drag: Drag,
    /// Dynamic viscosity.
    pub viscosity: f64,
    /// Mass per volume; in the plane per area.
    pub density: f64,
    /// Its velocity, the same everywhere.
    pub velocity: [f64; D],
    /// Whether it bears particles up, against gravity, by the weight of what they displace.
    pub buoyancy: bool,
}

/// How a fluid drags spheres; in the plane discs count as spheres of their radius.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Drag {
    /// Stokes: `3 pi mu d` times the relative velocity.
    Stokes,
    /// This force per relative velocity, whatever the size.
    Linear(f64),
    /// Schiller and Naumann: Stokes times `1 + 0.15 Re^0.687`, and a drag coefficient of 0.44 above a Reynolds number of 1000.
    SchillerNaumann,
}

impl<const D: usize> Fluid<D> {
    /// A fluid at rest of this viscosity, without density and buoyancy, that drags as Stokes has it.
    pub const fn new(viscosity: f64) -> Self {
        Self { drag: Drag::Stokes, viscosity, density: 0.0, velocity: [0.0; D], buoyancy: false }
    }

    /// Force on a particle of this radius that moves with this velocity.
    pub fn force(&self, radius: f64, velocity: [f64; D]) -> [f64; D] {
        let past = sub(self.velocity, velocity);
        let (diameter, speed) = (2.0 * radius, length(past));
        let stokes = 3.0 * PI * self.viscosity * diameter;
        let per_speed = match self.drag {
            Drag::Stokes => stokes,
            Drag::Linear(coefficient) => coefficient,
            Drag::SchillerNaumann => {
                let reynolds = self.density * speed * diameter / self.viscosity;
                if reynolds < 1000.0 {
                    stokes * (1.0 + 0.15 * libm::pow(reynolds, 0.687))
                } else {
                    0.44 * 0.125 * PI * self.density * diameter * diameter * speed
                }
            }
        };
        scale(past, per_speed)
    }

    /// The force that bears up a body of this volume.
    fn lift(&self, gravity: [f64; D], volume: f64) -> [f64; D] {
        if self.buoyancy { scale(gravity, -self.density * volume) } else { [0.0; D] }
    }

    /// An error if a number of it cannot be worked with.
    pub fn check(&self) -> Result<(), Error> {
        let refuse =
            |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of the fluid"), value, must });
        let needs_viscosity = !matches!(self.drag, Drag::Linear(_));
        let is_sound =
            |value: f64, may_be_zero: bool| (value > 0.0 || may_be_zero && value == 0.0) && value.is_finite();
        if !is_sound(self.viscosity, !needs_viscosity) {
            return refuse("viscosity", self.viscosity, "must be positive and finite");
        }
        if !is_sound(self.density, !(self.buoyancy || self.drag == Drag::SchillerNaumann)) {
            return refuse("density", self.density, "must be positive and finite");
        }
        match (self.drag, self.velocity.iter().find(|component| !component.is_finite())) {
            (Drag::Linear(value), _) if !is_sound(value, true) => {
                refuse("coefficient", value, "must be finite and not negative")
            }
            (_, Some(&value)) => refuse("velocity", value, "must be finite"),
            _ => Ok(()),
        }
    }

    pub(crate) fn describe(&self) -> String {
        let drag = match self.drag {
            Drag::Stokes => "stokes".to_owned(),
            Drag::Linear(coefficient) => format!("linear {coefficient:e}"),
            Drag::SchillerNaumann => "schiller-naumann".to_owned(),
        };
        let bears = if self.buoyancy { "bears up" } else { "does not bear up" };
        let velocity = self.velocity.map(|component| format!("{component:e}")).join(" ");
        format!("{drag}, viscosity {:e}, density {:e}, velocity {velocity}, {bears}", self.viscosity, self.density)
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Adds drag and fields to forces of the user's own, and keeps account of what they take and give.
    pub(crate) fn add_body_forces(&mut self, own: &mut (Vec<[f64; D]>, Vec<Spin>), ending: Ending) {
        let physics = &self.setup.physics;
        if physics.fluid.is_none() && physics.fields.is_empty() {
            return;
        }
        let [mut lost, mut given] = [&mut self.state.lost, &mut self.state.given].map(std::mem::take);
        let (state, gravity) = (&self.state, physics.gravity);
        own.0.resize(state.len(), [0.0; D]);
        own.1.resize(state.len(), [0.0; 3]);
        let has_gradient = self.laws.turns() && physics.fields.iter().any(Field::has_gradient);
        let time = if ending == Ending::Step { self.time_step } else { 0.0 };
        let columns = own.0.iter_mut().zip(&mut own.1).zip(&mut lost).zip(&mut given).enumerate();
        for (place, (((force, twist), lost), given)) in columns.filter(|(place, _)| !state.is_held(*place)) {
            let (velocity, radius) = (state.velocities[place], state.radii[place]);
            if let Some(fluid) = &physics.fluid {
                let drag = fluid.force(radius, velocity);
                *force = add(*force, drag);
                *lost -= dot(drag, velocity) * time;
            }
            // Members of clumps have no mass and no volume of their own: their clump has.
            if state.masses[place] == 0.0 {
                continue;
            }
            let mut steady = match &physics.fluid {
                Some(fluid) => fluid.lift(gravity, self.volume(place)),
                None => [0.0; D],
            };
            for field in &physics.fields {
                steady = add_scaled(steady, field.at(state.positions[place]), state.masses[place]);
            }
            *force = add(*force, steady);
            *given += dot(steady, velocity) * time;
            if has_gradient {
                let spread = self.spread(place);
                for field in &physics.fields {
                    let torque = field.torque(&spread);
                    *twist = add(*twist, torque);
                    *given += dot(torque, state.spins[place]) * time;
                }
            }
        }
        [self.state.lost, self.state.given] = [lost, given];
    }

    /// How the mass of the particle in this place is spread about its center.
    fn spread(&self, place: usize) -> Spread {
        let state = &self.state;
        match state.shape(place) {
            Some(shape) => {
                of_polygon(&self.setup.physics.shapes[shape as usize], state.angle(place), state.masses[place])
            }
            None => of_sphere(state.inertia(place), D),
        }
    }

    /// What fields, and a fluid that bears them up, do to clumps as a whole: force and torque about the center of mass of each. Empty where
    /// there is nothing of the kind.
    pub(crate) fn pulls_at_clumps(&self) -> Vec<([f64; D], Spin)> {
        let physics = &self.setup.physics;
        let fluid = physics.fluid.as_ref().filter(|fluid| fluid.buoyancy);
        if fluid.is_none() && physics.fields.is_empty() {
            return Vec::new();
        }
        let pull = |body: &Clump<D>| {
            let shape = &physics.clump_shapes[body.shape as usize];
            let mut sum = (fluid.map_or([0.0; D], |fluid| fluid.lift(physics.gravity, shape.volume())), [0.0; 3]);
            for field in &physics.fields {
                sum.0 = add_scaled(sum.0, field.at(body.position), body.mass);
                if field.has_gradient() {
                    sum.1 = add(sum.1, field.torque(&body.spread(shape)));
                }
            }
            sum
        };
        self.clumps().iter().map(pull).collect()
    }
}
