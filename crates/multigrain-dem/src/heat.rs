//! Heat that particles conduct to each other, and walls to particles, where they touch.
//!
//! The flow through a contact is `2 k a` times the difference of temperatures (Batchelor and O'Brien 1977), with the radius
//! `a = sqrt(R d)` of a contact of overlap `d`, and as conductivity `k` the harmonic mean of both bodies. Nothing else warms or cools.
//! A clump has one temperature, which all of its members say: what flows into them warms all of it.

use crate::contacts::{Candidates, ContactTable, Entry, NONE};
use crate::error::Error;
use crate::exact_sum::ExactSum;
use crate::giants::{Pushes, pushes_on};
use crate::setup::Physics;
use crate::simulation::{Ending, Simulation};
use crate::state::{NOBODY, State};
use crate::threads;
use crate::walls::Obstacles;
use multigrain::{Axes, Dimension};

/// How a material conducts and holds heat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heat {
    /// Power per length and temperature.
    pub conductivity: f64,
    /// Energy per mass and temperature.
    pub capacity: f64,
}

impl Heat {
    pub(crate) fn check(&self, of: &str) -> Result<(), Error> {
        for (what, value) in [("conductivity", self.conductivity), ("heat_capacity", self.capacity)] {
            if !(value > 0.0 && value.is_finite()) {
                let must = "must be positive and finite";
                return Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
            }
        }
        Ok(())
    }
}

/// What all blocks look at.
pub(crate) struct Conduction<'a, const D: usize> {
    pub physics: &'a Physics<D>,
    pub state: &'a State<D>,
    pub candidates: &'a Candidates<D>,
    pub contacts: &'a ContactTable<D>,
    pub obstacles: &'a Obstacles<D>,
    pub giant_radius: f64,
    pub pushes: &'a [Pushes<D>],
    pub time: f64,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Lets heat flow for a step.
    pub(crate) fn conduct(&mut self, ending: Ending) {
        if self.state.temperatures.is_empty() || ending == Ending::Start {
            return;
        }
        let mut now = std::mem::take(&mut self.warmer);
        now.clone_from(&self.state.temperatures);
        let conduction = self.conduction();
        let bits = self.candidates.bits;
        let own = self.state.own();
        let mut blocks: Vec<&mut [f64]> = now[..own].chunks_mut(1 << bits).collect();
        threads::for_each(&mut blocks, |b, block| conduction.block(b, block));
        self.clumps.warm(&self.setup.physics.materials, &self.state, self.time_step, &mut now);
        std::mem::swap(&mut self.state.temperatures, &mut now);
        self.warmer = now;
    }

    /// Gives all particles other temperatures, in the order of ids; members of a clump one and the same.
    pub fn set_temperatures(&mut self, by_id: &[f64]) -> Result<(), Error> {
        if self.state.temperatures.is_empty() && !self.state.is_empty() {
            return Err(Error::Fixed { what: "whether there is heat: give a material a conductivity; that" });
        }
        let places = self.places_for("temperatures", by_id.len())?;
        crate::change::check_finite("a temperature", by_id)?;
        // Members of a clump follow each other.
        for ((one, &value), (other, &next)) in places.iter().zip(by_id).zip(places.iter().zip(by_id).skip(1)) {
            let [a, b] = [*one, *other].map(|place| self.state.clumps.get(place).filter(|&&clump| clump != NOBODY));
            if a.is_some() && a == b && value != next {
                let what = format!("temperature of grain {}", self.state.ids[*other]);
                return Err(Error::Parameter { what, value: next, must: "must be that of all members of its clump" });
            }
        }
        for (place, &temperature) in places.into_iter().zip(by_id) {
            self.state.temperatures[place] = temperature;
        }
        Ok(())
    }

    /// The mean temperature by what particles hold of heat; `None` where nothing conducts any.
    pub fn mean_temperature(&self) -> Option<f64> {
        let [heat, holds] = self.heat_held().map(|sum| sum.value());
        (holds > 0.0).then(|| heat / holds)
    }

    /// Heat that own particles hold, and how much of it for each degree.
    pub(crate) fn heat_held(&self) -> [ExactSum; 2] {
        let [mut heat, mut holds] = [ExactSum::default(), ExactSum::default()];
        for (place, &temperature) in self.state.temperatures.iter().enumerate().take(self.state.own()) {
            let of_material = self.setup.physics.materials[usize::from(self.state.materials[place])].heat;
            // All of a clump is held by its first member.
            let mass = self.clumps.led_by(&self.state, place).map_or(self.state.masses[place], |clump| clump.mass);
            let capacity = of_material.map_or(0.0, |heat| heat.capacity) * mass;
            heat.add(capacity * temperature);
            holds.add(capacity);
        }
        [heat, holds]
    }
}

impl<const D: usize> Conduction<'_, D>
where
    Axes: Dimension<D>,
{
    /// The temperatures of a block after the step; of members of clumps the heat that flows into them.
    fn block(&self, b: usize, temperatures: &mut [f64]) {
        let (rows, own, bits) = (&self.candidates.blocks[b], &self.contacts.blocks[b], self.candidates.bits);
        for (k, temperature) in temperatures.iter_mut().enumerate() {
            let place = (b << bits) + k;
            let is_member = self.state.clumps.get(place).is_some_and(|&clump| clump != NOBODY);
            let Some(heat) = self.heat_of(self.state.materials[place]) else {
                if is_member {
                    *temperature = 0.0;
                }
                continue;
            };
            // Faces, then others by id: in the order in which forces are summed.
            let mut flow = 0.0;
            let is_giant = self.state.radii[place] > self.giant_radius;
            let mut contacts = own.rows[k] as usize..own.rows[k + 1] as usize;
            while let Some(Entry::Face(face)) =
                contacts.clone().next().map(|contact| rows.entry(own.slots[contact] as usize))
            {
                flow += self.flow_from_wall(place, face, own.effects[contacts.start].gap());
                contacts.start += 1;
            }
            for pair in &rows.seconds[rows.second_rows[k] as usize..rows.second_rows[k + 1] as usize] {
                let block = &self.contacts.blocks[(pair.first >> bits) as usize];
                let contact = block.contact_of[pair.slot as usize];
                if contact != NONE && !(is_giant && self.state.radii[pair.first as usize] <= self.giant_radius) {
                    flow += self.flow_from(place, pair.first as usize, block.effects[contact as usize].gap());
                }
            }
            for contact in contacts {
                if let Entry::Particle(second) = rows.entry(own.slots[contact] as usize) {
                    flow += self.flow_from(place, second as usize, own.effects[contact].gap());
                }
            }
            if let Some(pushes) = pushes_on(self.pushes, place).filter(|_| is_giant) {
                flow += pushes.heat.value();
            }
            if is_member {
                *temperature = flow;
                continue;
            }
            *temperature += flow * self.time / (heat.capacity * self.state.masses[place]);
        }
    }

    fn heat_of(&self, material: u16) -> Option<Heat> {
        self.physics.materials[usize::from(material)].heat
    }

    fn conductance(&self, a: u16, b: u16, radius: f64, gap: f64) -> f64 {
        let (Some(a), Some(b)) = (self.heat_of(a), self.heat_of(b)) else { return 0.0 };
        let conductivity = 2.0 * a.conductivity * b.conductivity / (a.conductivity + b.conductivity);
        2.0 * conductivity * (radius * (-gap).max(0.0)).sqrt()
    }

    pub fn flow_from(&self, place: usize, other: usize, gap: f64) -> f64 {
        let State { radii, materials, temperatures, .. } = self.state;
        let radius = radii[place] * radii[other] / (radii[place] + radii[other]);
        let conductance = self.conductance(materials[place], materials[other], radius, gap);
        conductance * (temperatures[other] - temperatures[place])
    }

    fn flow_from_wall(&self, place: usize, face: u32, gap: f64) -> f64 {
        let surface = self.obstacles.surface(face);
        let Some(temperature) = self.physics.walls[surface.wall].temperature else { return 0.0 };
        let (radius, material) = (self.state.radii[place], self.state.materials[place]);
        self.conductance(material, surface.material, radius, gap) * (temperature - self.state.temperatures[place])
    }
}
