//! Clumps in a simulation: how they join, gather forces, and leave.

use super::turning::rotation;
use super::{Clump, Clumps, UPRIGHT, unit};
use crate::error::Error;
use crate::grain::Grain;
use crate::simulation::{Ending, Simulation};
use crate::state::NOBODY;
use crate::vector::{Spin, add, add_scaled, dot, scale, torque};
use multigrain::{Axes, Dimension};

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// All clumps, by number.
    pub fn clumps(&self) -> &[Clump<D>] {
        &self.clumps.bodies
    }

    /// How a clump is turned: the real part first; upright, members lie as its shape has them.
    pub fn orientation(&self, clump: &Clump<D>) -> [f64; 4] {
        self.setup.physics.clump_shapes[clump.shape as usize].out_of_main(clump.main)
    }

    /// The clump that the particle in this place is a member of.
    pub fn clump_of(&self, place: usize) -> Option<&Clump<D>> {
        self.clumps.member_at(&self.state, place).map(|(body, _)| body)
    }

    /// Adds a clump, as particles with ids from `first` on, and returns how many members it has.
    pub(crate) fn add_clump(&mut self, first: u64, shape: u32, grain: &Grain<D>) -> Result<u64, Error> {
        let what = |name: &str| format!("{name} of clump {}", self.clumps.next);
        let Some(kind) = self.setup.physics.clump_shapes.get(shape as usize).cloned() else {
            let must = "must be the number of a clump shape of the setup";
            return Err(Error::Parameter { what: what("shape"), value: f64::from(shape), must });
        };
        let Some(turned) = unit(grain.turned) else {
            let value = grain.turned.iter().copied().find(|part| !part.is_finite()).unwrap_or(0.0);
            return Err(Error::Parameter {
                what: what("orientation"),
                value,
                must: "must be a turn: finite, not all 0",
            });
        };
        let material = usize::from(grain.material);
        let materials = &self.setup.physics.materials;
        let Some(density) = materials.get(material).map(|material| material.density) else {
            return Err(Error::NoSuchMaterial { what: what("material"), material, count: materials.len() });
        };
        let mut body = Clump {
            number: self.clumps.next,
            shape,
            first,
            members: kind.members().len() as u32,
            position: grain.position,
            periods: [0; D],
            velocity: grain.velocity,
            spin: grain.spin,
            force: [0.0; D],
            torque: [0.0; 3],
            mass: density * kind.volume(),
            held: grain.held,
            main: kind.to_main(turned),
            momentum: [0.0; 3],
            moments: if grain.held { [1.0; 3] } else { kind.moments().map(|moment| density * moment) },
        };
        body.force = scale(self.setup.physics.gravity, body.mass);
        body.set_spin(grain.spin);
        for (member, &(_, radius)) in kind.members().iter().enumerate() {
            let position = add(body.position, body.arm(&kind, member));
            let one = Grain { position, radius, clump: None, shape: None, turned: UPRIGHT, ..*grain };
            self.add_as(first + member as u64, &one)?;
            let place = self.state.len() - 1;
            self.state.clumps[place] = body.number;
            self.state.masses[place] = 0.0;
            self.state.forces[place] = [0.0; D];
            if let Some(inertia) = self.state.inertias.get_mut(place) {
                *inertia = 0.0;
            }
            if !grain.held {
                (self.state.inverse_masses[place], self.state.inverse_inertias[place]) = body.inverses();
            }
        }
        self.clumps.bodies.push(body);
        self.clumps.next += 1;
        self.clumps.forget_places();
        Ok(kind.members().len() as u64)
    }

    /// Moves clumps to the end of a step.
    pub(crate) fn move_clumps(&mut self) {
        if !self.clumps.bodies.is_empty() {
            let shapes = &self.setup.physics.clump_shapes;
            self.clumps.advance(shapes, &mut self.state, &self.space, self.time_step);
            // Members went along arcs; how far is looked at.
            self.candidates.note_way(f64::INFINITY);
        }
    }

    /// Brings clumps into the periodic box, and members where they belong.
    pub(crate) fn settle_clumps(&mut self) {
        if !self.clumps.bodies.is_empty() {
            self.clumps.wrap(&mut self.state, &self.space);
            self.clumps.put_members(&self.setup.physics.clump_shapes, &mut self.state, &self.space);
        }
    }

    /// Gathers what members feel and ends the motion of clumps with it. Whether all of them still move at finite speed.
    pub(crate) fn end_clumps(&mut self, ending: Ending) -> bool {
        if self.clumps.bodies.is_empty() {
            return true;
        }
        let (gravity, turns) = (self.setup.physics.gravity, self.laws.turns());
        let pulls: Vec<([f64; D], Spin)> = self.pulls_at_clumps();
        let mut given = std::mem::take(&mut self.state.given);
        let time = if ending == Ending::Step { self.time_step } else { 0.0 };
        let pulled = self.space.moving().filter(|moving| moving.is_pulled());
        let (state, shapes) = (&self.state, &self.setup.physics.clump_shapes);
        self.clumps.find_places(state);
        let Clumps { bodies, places, .. } = &mut self.clumps;
        let (mut at, mut all_finite) = (0, true);
        for (number, body) in bodies.iter_mut().enumerate() {
            let mut force = scale(gravity, body.mass);
            if let Some(moving) = pulled {
                force = add_scaled(force, moving.pull_at(body.position), body.mass);
            }
            let mut twist: Spin = [0.0; 3];
            if let Some(pull) = pulls.get(number).filter(|_| !body.held) {
                (force, twist) = (add(force, pull.0), pull.1);
                given[places[at] as usize] += (dot(pull.0, body.velocity) + dot(pull.1, body.spin)) * time;
            }
            let shape = &shapes[body.shape as usize];
            let rows = rotation(body.main);
            for member in 0..body.members as usize {
                let place = places[at] as usize;
                at += 1;
                let there = super::to_space(&rows, shape.along_main(member));
                let arm: [f64; D] = std::array::from_fn(|axis| there[axis]);
                force = add(force, state.forces[place]);
                twist = add(twist, torque(arm, state.forces[place]));
                if turns {
                    twist = add(twist, state.torques[place]);
                }
            }
            match ending {
                Ending::Start => (body.force, body.torque) = (force, twist),
                Ending::Step => body.end(force, twist, self.time_step),
            }
            let nothing = body.velocity.iter().chain(&body.spin).map(|component| component * 0.0).sum::<f64>();
            all_finite &= nothing == 0.0;
        }
        self.state.given = given;
        self.clumps.put_members(&self.setup.physics.clump_shapes, &mut self.state, &self.space);
        all_finite
    }

    /// Lets masses of clumps follow the material of their first members.
    pub(crate) fn weigh_clumps(&mut self) {
        self.clumps.find_places(&self.state);
        let (physics, state) = (&self.setup.physics, &mut self.state);
        let mut at = 0;
        for body in &mut self.clumps.bodies {
            let places = &self.clumps.places[at..at + body.members as usize];
            at += places.len();
            let density = physics.materials[usize::from(state.materials[places[0] as usize])].density;
            let shape = &physics.clump_shapes[body.shape as usize];
            body.mass = density * shape.volume();
            if !body.held {
                body.moments = shape.moments().map(|moment| density * moment);
                body.set_spin(body.spin);
                for &place in places {
                    (state.inverse_masses[place as usize], state.inverse_inertias[place as usize]) = body.inverses();
                }
            }
        }
    }

    /// Lets go of clumps whose members are gone.
    pub(crate) fn drop_clumps(&mut self) {
        if self.clumps.bodies.is_empty() {
            return;
        }
        let mut staying: Vec<u32> = self.state.clumps.iter().copied().filter(|&number| number != NOBODY).collect();
        staying.sort_unstable();
        self.clumps.bodies.retain(|body| staying.binary_search(&body.number).is_ok());
        self.clumps.forget_places();
    }
}
