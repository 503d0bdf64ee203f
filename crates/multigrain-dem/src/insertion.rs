//! Grains that join or leave a running simulation.

use crate::clumps::random_turn;
use crate::compiled;
use crate::error::Error;
use crate::flow::{Generator, Made, NewGrain};
use crate::grain::Grain;
use crate::setup::Physics;
use crate::simulation::Simulation;
use multigrain::{Axes, Dimension, Domain, Levels, Rng};
use multigrain_living_grid::LivingGrid;
use std::collections::HashSet;
use std::f64::consts::TAU;

/// Steps between two tries of the generators.
const TRY_EVERY: u64 = 16;

/// How many places are tried for one grain.
const PLACES: usize = 32;

/// Most grains of a generator at one try.
const AT_ONCE: usize = 100_000;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Adds a grain and returns its id. Where it overlaps others it is pushed from the next step on.
    pub fn insert(&mut self, grain: Grain<D>) -> Result<u64, Error> {
        self.send_guests_away();
        let first = self.state.len();
        let id = self.add(&grain)?;
        self.wrap_new(first);
        self.settle_clumps();
        Ok(id)
    }

    /// Removes the particle with this id, and with a member all of its clump.
    pub fn remove(&mut self, id: u64) -> Result<Grain<D>, Error> {
        let place = self.state.place_of(id).ok_or(Error::NoSuchParticle { id })?;
        let grain = self.state.grain(place);
        let clump = self.clump_of(place).map(|clump| clump.number);
        let goes = |other: usize| other == place || clump.is_some_and(|number| self.state.clumps[other] == number);
        let staying: Vec<u32> = (0..self.state.own() as u32).filter(|&other| !goes(other as usize)).collect();
        self.take(&staying);
        Ok(grain)
    }

    /// Removes the particles with these ids, and with members all of their clumps; none of them where one is unknown or named twice.
    pub fn remove_all(&mut self, ids: &[u64]) -> Result<(), Error> {
        let mut leaving = HashSet::with_capacity(ids.len());
        if let Some(&twice) = ids.iter().find(|&&id| !leaving.insert(id)) {
            let what = "an id to remove".to_owned();
            return Err(Error::Parameter { what, value: twice as f64, must: "must be named once" });
        }
        let stays = |&place: &u32| !leaving.remove(&self.state.ids[place as usize]);
        let staying: Vec<u32> = (0..self.state.own() as u32).filter(stays).collect();
        if let Some(&id) = ids.iter().find(|id| leaving.contains(id)) {
            return Err(Error::NoSuchParticle { id });
        }
        let gone: HashSet<u32> = match self.clumps().is_empty() {
            true => HashSet::new(),
            false => {
                let stays: HashSet<u32> = staying.iter().copied().collect();
                let gone = (0..self.state.own() as u32).filter(|place| !stays.contains(place));
                gone.filter_map(|place| self.clump_of(place as usize)).map(|clump| clump.number).collect()
            }
        };
        let is_whole = |place: &u32| self.state.clumps.get(*place as usize).is_none_or(|number| !gone.contains(number));
        let staying: Vec<u32> = staying.into_iter().filter(is_whole).collect();
        if !ids.is_empty() {
            self.take(&staying);
        }
        Ok(())
    }

    /// Gives the particle with this id another velocity and spin, with a member its clump.
    pub fn set_motion(&mut self, id: u64, velocity: [f64; D], spin: [f64; 3]) -> Result<(), Error> {
        let place = self.state.place_of(id).ok_or(Error::NoSuchParticle { id })?;
        if let Some(&value) = velocity.iter().chain(&spin).find(|value| !value.is_finite()) {
            return Err(Error::Parameter { what: format!("velocity of grain {id}"), value, must: "must be finite" });
        }
        if let Some(number) = self.clump_of(place).map(|clump| clump.number) {
            let index = self.clumps.index_of(number).unwrap_or(0);
            self.clumps.bodies[index].velocity = velocity;
            self.clumps.bodies[index].set_spin(spin);
            self.settle_clumps();
            return Ok(());
        }
        (self.state.velocities[place], self.state.spins[place]) = (velocity, spin);
        Ok(())
    }

    /// Brings new grains, from this place on, into the periodic box.
    pub(crate) fn wrap_new(&mut self, first: usize) {
        if !self.space.is_plain() {
            self.space.wrap(&mut self.state, first, 0.0);
            return;
        }
        let domain = self.setup.physics.domain;
        for place in first..self.state.len() {
            let (home, periods) = domain.wrap(self.state.positions[place]);
            self.state.positions[place] = home;
            if let Some(known) = self.state.periods.get_mut(place) {
                *known = periods;
            }
        }
    }

    /// Lets generators make what is due.
    pub(crate) fn generate(&mut self) -> Result<(), Error> {
        if !self.is_due() {
            return Ok(());
        }
        let near = self.near_generators();
        for Poured { id, grain } in self.pour(&near)? {
            self.adopt(id, &grain)?;
        }
        Ok(())
    }

    /// Whether generators try to make grains in the step that begins.
    pub fn is_due(&self) -> bool {
        let time = self.time();
        let mut generators = self.setup.physics.generators.iter().zip(&self.made);
        self.steps.is_multiple_of(TRY_EVERY) && generators.any(|(generator, made)| generator.wants(time, *made))
    }

    /// Position and radius of the own particles that reach into the region of any generator.
    pub fn near_generators(&self) -> Vec<([f64; D], f64)> {
        let physics = &self.setup.physics;
        let boxes: Vec<[[f64; D]; 2]> = physics.generators.iter().map(|generator| generator.reach(physics)).collect();
        let bodies = self.state.positions.iter().copied().zip(self.state.radii.iter().copied());
        let is_near = |body: &([f64; D], f64)| boxes.iter().any(|reach| is_near(*body, reach, &physics.domain));
        bodies.take(self.state.own()).filter(is_near).collect()
    }

    /// What generators make in the step that begins, with ids, where nothing of what is [near](Self::near_generators) is in the way.
    /// They count as made, and their ids as given: whoever makes them must be given the same in all parts, and adopts his own.
    pub fn pour(&mut self, near: &[([f64; D], f64)]) -> Result<Vec<Poured<D>>, Error> {
        compiled::pour(self, near)
    }

    pub(crate) fn pour_here(&mut self, near: &[([f64; D], f64)]) -> Result<Vec<Poured<D>>, Error> {
        let (mut near, mut poured) = (near.to_vec(), Vec::new());
        for number in 0..self.made.len() {
            let (grains, made) = self.make(number, &near)?;
            self.made[number] = made;
            near.extend(grains.iter().map(|grain| (grain.position, grain.radius)));
            for grain in grains {
                let members = grain
                    .clump
                    .map_or(1, |shape| self.setup.physics.clump_shapes[shape as usize].members().len() as u64);
                poured.push(Poured { id: self.state.next_id, grain });
                self.state.next_id += members;
            }
        }
        Ok(poured)
    }

    /// Takes a grain with an id that was given before, members of a clump with those that follow, and sends guests away.
    pub fn adopt(&mut self, id: u64, grain: &Grain<D>) -> Result<(), Error> {
        self.send_guests_away();
        let first = self.state.len();
        match grain.clump {
            Some(shape) => drop(self.add_clump(id, shape, grain)?),
            None => self.add_as(id, grain)?,
        }
        self.wrap_new(first);
        if grain.clump.is_some() {
            self.settle_clumps();
        }
        Ok(())
    }

    /// The grains that are due of a generator, as many as find a place, and what it has made then. Nothing but what is told here and the
    /// walls decides. Radii of polygons and clumps are those around them.
    fn make(&self, number: usize, near: &[([f64; D], f64)]) -> Result<(Vec<Grain<D>>, Made), Error> {
        let physics = &self.setup.physics;
        let generator = &physics.generators[number];
        let (time, mut made, mut grains) = (self.time(), self.made[number], Vec::new());
        if !generator.wants(time, made) {
            return Ok((grains, made));
        }
        // Drawn again from seed, step and number, so that nothing of the generator has to be remembered.
        let drawn =
            self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut rng = Rng::new(generator.seed ^ drawn);
        let bodies = generator.bodies(physics);
        let largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        let mut taken = LivingGrid::new(Levels::from_cell_sizes(&[2.0 * largest])?, physics.domain)?;
        let reach = generator.reach(physics);
        let mut bodies_taken = 0;
        for &(position, radius) in near.iter().filter(|body| is_near(**body, &reach, &physics.domain)) {
            taken.insert(bodies_taken, position, radius)?;
            bodies_taken += 1;
        }
        while generator.wants(time, made) && grains.len() < AT_ONCE {
            let (drawn, grain) = generator.draw(number, made.grains);
            let NewGrain { radius, mass } = bodies[drawn];
            let mut found = None;
            for _ in 0..PLACES {
                let position = generator.region.place(radius, &mut rng);
                let mut is_free = !self.obstacles.touches(position, radius);
                taken.touching_sphere(position, radius, |_, _| is_free = false)?;
                if is_free {
                    found = Some(position);
                    break;
                }
            }
            let Some(position) = found else { break };
            taken.insert(bodies_taken, position, radius)?;
            bodies_taken += 1;
            grains.push(Grain { position, radius, ..grain });
            made = Made { grains: made.grains + 1, mass: made.mass + mass };
        }
        Ok((grains, made))
    }
}

/// A grain that a generator made, with its id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Poured<const D: usize> {
    /// Its id.
    pub id: u64,
    /// The grain.
    pub grain: Grain<D>,
}

impl<const D: usize> Generator<D> {
    /// The grain that it makes after so many others, but for place and radius, and which of its bodies that is. Drawn from seed and
    /// numbers alone: one that finds no place is the same at the next try.
    fn draw(&self, number: usize, before: u64) -> (usize, Grain<D>) {
        let drawn = before.wrapping_mul(0xd1b5_4a32_d192_ed03) ^ (number as u64).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mut rng = Rng::new(!self.seed ^ drawn);
        let count = [&self.clumps, &self.shapes].iter().map(|list| list.len()).find(|&count| count > 0);
        let which = rng.below(count.unwrap_or(self.radii.len()) as u64) as usize;
        let mut grain = Grain::at([0.0; D], 0.0).velocity(self.velocity).spin(self.spin).material(self.material);
        grain.temperature = self.temperature;
        if self.speed > 0.0 {
            grain.velocity = grain.velocity.map(|component| component + self.speed * rng.normal());
        }
        grain.clump = self.clumps.get(which).copied();
        if grain.clump.is_none() {
            grain.shape = self.shapes.get(which).copied();
        }
        match (self.upright, grain.clump) {
            (true, _) => (),
            (false, None) => grain.angle = grain.shape.map_or(0.0, |_| TAU * rng.uniform()),
            (false, Some(_)) => grain.turned = random_turn(&mut rng, D),
        }
        (which, grain)
    }

    /// The box that new grains lie in, with all that they are.
    fn reach(&self, physics: &Physics<D>) -> [[f64; D]; 2] {
        let [lo, hi] = self.region.bounds();
        if self.region.has_inside() {
            return [lo, hi];
        }
        let largest = self.bodies(physics).iter().map(|body| body.radius).fold(0.0, f64::max);
        [lo.map(|x| x - largest), hi.map(|x| x + largest)]
    }
}

/// Whether a body may reach into a box; its images may from anywhere along periodic axes.
fn is_near<const D: usize>((position, radius): ([f64; D], f64), [lo, hi]: &[[f64; D]; 2], domain: &Domain<D>) -> bool {
    let reaches = |axis: usize| position[axis] + radius > lo[axis] && position[axis] - radius < hi[axis];
    (0..D).filter(|&axis| !domain.is_periodic(axis)).all(reaches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{ContactLaw, Material};
    use crate::setup::Setup;
    use crate::walls::Wall;

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
