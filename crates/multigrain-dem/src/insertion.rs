//! Grains that join or leave a running simulation.

use crate::error::Error;
use crate::flow::Generator;
use crate::grain::Grain;
use crate::simulation::Simulation;
use multigrain::Rng;
use multigrain::{Axes, Dimension, Levels};
use multigrain_living_grid::LivingGrid;
use std::collections::HashSet;
use std::f64::consts::TAU;

/// Steps between two tries of the generators.
const TRY_EVERY: u64 = 16;

/// How many places are tried for one grain.
const PLACES: usize = 32;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Adds a grain and returns its id. Where it overlaps others it is pushed from the next step on.
    pub fn insert(&mut self, grain: Grain<D>) -> Result<u32, Error> {
        let first = self.state.len();
        let id = self.add(&grain)?;
        self.wrap_new(first);
        Ok(id)
    }

    /// Removes the particle with this id.
    pub fn remove(&mut self, id: u32) -> Result<Grain<D>, Error> {
        let place = self.state.place_of(id).ok_or(Error::NoSuchParticle { id })?;
        let grain = self.state.grain(place);
        let staying: Vec<u32> = (0..self.state.len() as u32).filter(|&other| other as usize != place).collect();
        self.take(&staying);
        Ok(grain)
    }

    /// Removes the particles with these ids; none of them where one is unknown or named twice.
    pub fn remove_all(&mut self, ids: &[u32]) -> Result<(), Error> {
        let mut leaving = HashSet::with_capacity(ids.len());
        if let Some(&twice) = ids.iter().find(|&&id| !leaving.insert(id)) {
            let what = "an id to remove".to_owned();
            return Err(Error::Parameter { what, value: f64::from(twice), must: "must be named once" });
        }
        let stays = |&place: &u32| !leaving.remove(&self.state.ids[place as usize]);
        let staying: Vec<u32> = (0..self.state.len() as u32).filter(stays).collect();
        if let Some(&id) = ids.iter().find(|id| leaving.contains(id)) {
            return Err(Error::NoSuchParticle { id });
        }
        if !ids.is_empty() {
            self.take(&staying);
        }
        Ok(())
    }

    /// Gives the particle with this id another velocity and spin.
    pub fn set_motion(&mut self, id: u32, velocity: [f64; D], spin: [f64; 3]) -> Result<(), Error> {
        let place = self.state.place_of(id).ok_or(Error::NoSuchParticle { id })?;
        if let Some(&value) = velocity.iter().chain(&spin).find(|value| !value.is_finite()) {
            return Err(Error::Parameter { what: format!("velocity of grain {id}"), value, must: "must be finite" });
        }
        (self.state.velocities[place], self.state.spins[place]) = (velocity, spin);
        Ok(())
    }

    /// Brings new grains, from this place on, into the periodic box.
    pub(crate) fn wrap_new(&mut self, first: usize) {
        let domain = self.setup.physics.domain;
        for place in first..self.state.len() {
            for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
                let position = &mut self.state.positions[place][axis];
                let turns = ((*position - domain.lo()[axis]) / domain.length(axis)).floor();
                *position -= turns * domain.length(axis);
                self.state.periods[place][axis] = turns as i32;
            }
        }
    }

    /// Lets generators make what is due.
    pub(crate) fn generate(&mut self) -> Result<(), Error> {
        if self.made.is_empty() || !self.steps.is_multiple_of(TRY_EVERY) {
            return Ok(());
        }
        let (first, time) = (self.state.len(), self.time());
        for number in 0..self.made.len() {
            let generator = self.setup.physics.generators[number].clone();
            let due = generator.due(time).saturating_sub(self.made[number]);
            if due > 0 {
                self.make(number, &generator, due)?;
            }
        }
        self.wrap_new(first);
        Ok(())
    }

    /// Makes up to `due` grains, as many as find a place.
    fn make(&mut self, number: usize, generator: &Generator<D>, due: u64) -> Result<(), Error> {
        // Drawn again from seed, step and number, so that nothing of the generator has to be remembered.
        let drawn =
            self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut rng = Rng::new(generator.seed ^ drawn);
        let radii = generator.radii(&self.setup.physics.radii_of_shapes());
        let mut near = self.bodies_near(generator, &radii)?;
        for _ in 0..due {
            let drawn = rng.below(radii.len() as u64) as usize;
            let radius = radii[drawn];
            let mut place = || -> [f64; D] {
                std::array::from_fn(|axis| {
                    let (lo, hi) = (generator.lo[axis] + radius, generator.hi[axis] - radius);
                    lo + (hi - lo) * rng.uniform()
                })
            };
            let mut found = None;
            for _ in 0..PLACES {
                let position = place();
                let mut is_free = !self.obstacles.touches(position, radius);
                near.touching_sphere(position, radius, |_, _| is_free = false)?;
                if is_free {
                    found = Some(position);
                    break;
                }
            }
            let Some(position) = found else { break };
            let mut grain = Grain::at(position, radius).velocity(generator.velocity).material(generator.material);
            if let Some(&shape) = generator.shapes.get(drawn) {
                grain = Grain { shape: Some(shape), angle: TAU * rng.uniform(), ..grain };
            }
            let id = self.add(&grain)?;
            near.insert(id, position, radius)?;
            self.made[number] += 1;
        }
        Ok(())
    }

    /// All bodies that reach into the box of a generator.
    fn bodies_near(&self, generator: &Generator<D>, radii: &[f64]) -> Result<LivingGrid<D>, Error> {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[2.0 * largest])?, self.setup.physics.domain)?;
        let domain = &self.setup.physics.domain;
        for (place, &position) in self.state.positions.iter().enumerate() {
            let radius = self.state.radii[place];
            // Images may reach in from anywhere along periodic axes.
            let is_near = (0..D).filter(|&axis| !domain.is_periodic(axis)).all(|axis| {
                position[axis] + radius > generator.lo[axis] && position[axis] - radius < generator.hi[axis]
            });
            if is_near {
                grid.insert(self.state.ids[place], position, radius)?;
            }
        }
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{ContactLaw, Material};
    use crate::setup::Setup;
    use crate::walls::Wall;
    use multigrain::Domain;

    /// Grains that touch each other and the floor, after some steps.
    fn heap() -> Simulation<2> {
        let material = Material::new(1.0, ContactLaw::linear(1e4).restitution(0.5).friction(0.5));
        Setup::new()
            .material(material)
            .domain(Domain::new([0.0; 2], [10.0; 2], [true, false]).unwrap())
            .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
            .gravity([0.0, -1.0])
            .build((0..200).map(|k| Grain::at([f64::from(k % 20) * 0.5, 0.24 + f64::from(k / 20) * 0.48], 0.26)))
            .and_then(|mut simulation| simulation.run(100).map(|()| simulation))
            .unwrap()
    }

    #[test]
    fn removing_all_at_once_leaves_the_bits_that_one_by_one_does() {
        let ids = [150, 3, 77, 199, 0, 4, 5];
        let (mut at_once, mut one_by_one) = (heap(), heap());
        assert!(at_once.contact_count() > 300);
        at_once.remove_all(&ids).unwrap();
        for id in ids {
            one_by_one.remove(id).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(at_once.encode(), one_by_one.encode());
            at_once.run(50).unwrap();
            one_by_one.run(50).unwrap();
        }
    }

    #[test]
    fn nothing_is_removed_where_an_id_is_unknown_or_named_twice() {
        let mut simulation = heap();
        simulation.remove(7).unwrap();
        let before = simulation.encode();
        assert_eq!(simulation.remove_all(&[1, 7, 2]), Err(Error::NoSuchParticle { id: 7 }));
        assert_eq!(simulation.remove_all(&[200]), Err(Error::NoSuchParticle { id: 200 }));
        let error = simulation.remove_all(&[1, 3, 3]).unwrap_err();
        assert_eq!(error.to_string(), "an id to remove is 3, must be named once");
        simulation.remove_all(&[]).unwrap();
        assert_eq!(simulation.encode(), before);
        let all = simulation.state().ids().to_vec();
        simulation.remove_all(&all).unwrap();
        assert!(simulation.state().is_empty());
        simulation.run(10).unwrap();
    }
}
