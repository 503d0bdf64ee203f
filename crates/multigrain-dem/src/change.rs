//! Changes to a running simulation: gravity, walls, materials and laws, where grains are and how they move, and forces
//! of the user's own. Spins, and what contacts remember, stay.

use crate::contacts::{Key, Kind, Memory};
use crate::error::Error;
use crate::material::{ContactLaw, Material};
use crate::setup::{Given, Physics};
use crate::simulation::{Ending, Simulation};
use crate::state::{NOBODY, State};
use crate::vector::Spin;
use crate::walls::{Obstacles, Wall};
use multigrain::{Axes, Dimension};
use std::collections::HashMap;
use std::mem::discriminant;

/// Forces and torques of the user's own. They are shown the time and the particles as they are then, and add to the force and
/// the torque on the particle in each place; what they say went wrong ends the step.
pub type OwnForces<const D: usize> =
    dyn FnMut(f64, &State<D>, &mut [[f64; D]], &mut [Spin]) -> Result<(), String> + Send;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Another gravity from now on.
    pub fn set_gravity(&mut self, gravity: [f64; D]) -> Result<(), Error> {
        self.change(|physics, _| physics.gravity = gravity)
    }

    /// Other walls from now on. They are given as they stand now, and those that move begin to do so now. Contacts with a wall
    /// that stays, or that gives its number to one of the same shape, keep their memory.
    pub fn set_walls(&mut self, walls: Vec<Wall<D>>) -> Result<(), Error> {
        let stand = self.walls();
        self.change(|physics, now| {
            let before = std::mem::take(&mut physics.walls);
            // One that is what it was goes on as it did, to the last bit.
            let goes_on = |wall: Wall<D>| {
                let is_same = |stands: &Wall<D>| Wall { start: wall.start, ..stands.clone() } == wall;
                let old = stand.iter().position(is_same).map(|number| before[number].clone());
                old.unwrap_or(Wall { start: if wall.goes() { now } else { 0.0 }, ..wall })
            };
            physics.walls = walls.into_iter().map(goes_on).collect();
        })
    }

    /// Other materials, and laws between them, from now on; masses follow densities. The time step stays what it is.
    pub fn set_materials(
        &mut self,
        materials: Vec<Material>,
        between: Vec<(u16, u16, ContactLaw)>,
    ) -> Result<(), Error> {
        self.change(|physics, _| {
            physics.materials = materials;
            physics.between = between.into_iter().map(|(a, b, law)| (a, b, Given::Known(Box::new(law)))).collect();
        })
    }

    /// Other materials of particles, by number and in the order of ids; masses follow. Members of a clump are of one material.
    pub fn set_materials_of_particles(&mut self, by_id: &[u16]) -> Result<(), Error> {
        let count = self.setup.physics.materials.len();
        if let Some(&material) = by_id.iter().find(|&&material| usize::from(material) >= count) {
            return Err(Error::NoSuchMaterial { what: "a grain".to_owned(), material: material.into(), count });
        }
        let places = self.places_for("materials", by_id.len())?;
        let mut of_clumps = HashMap::new();
        for (&place, &material) in places.iter().zip(by_id) {
            if let Some(&clump) = self.state.clumps.get(place).filter(|&&clump| clump != NOBODY)
                && *of_clumps.entry(clump).or_insert(material) != material
            {
                let what = format!("material of grain {}", self.state.ids[place]);
                let must = "must be that of all members of its clump";
                return Err(Error::Parameter { what, value: material.into(), must });
            }
        }
        for (place, &material) in places.into_iter().zip(by_id) {
            self.state.materials[place] = material;
            self.weigh(place);
        }
        self.weigh_clumps();
        // Which law a pair of particles has is noted with the candidates.
        self.remember_contacts();
        self.start_again()
    }

    /// Puts all particles elsewhere, in the order of ids; along periodic axes anywhere. Contacts that are still there keep what they
    /// remember.
    pub fn set_positions(&mut self, by_id: &[[f64; D]]) -> Result<(), Error> {
        let places = self.places_for("positions", by_id.len())?;
        for (&place, &position) in places.iter().zip(by_id) {
            self.check_position(position, || format!("position of grain {}", self.state.ids[place]))?;
        }
        let domain = *self.space.domain();
        for (place, &given) in places.into_iter().zip(by_id) {
            let (home, _) = domain.wrap(given);
            let before = std::mem::replace(&mut self.state.positions[place], home);
            // By the shorter way, so that contacts across the border are known again.
            let turns = domain.whole_periods(std::array::from_fn(|axis| before[axis] - home[axis]));
            if let Some(periods) = self.state.periods.get_mut(place) {
                (0..D).for_each(|k| periods[k] += turns[k]);
            }
        }
        self.remember_contacts();
        self.start_again()
    }

    /// Gives all particles other velocities, in the order of ids.
    pub fn set_velocities(&mut self, by_id: &[[f64; D]]) -> Result<(), Error> {
        let places = self.places_for("velocities", by_id.len())?;
        check_finite("a velocity", by_id.as_flattened())?;
        for (place, &velocity) in places.into_iter().zip(by_id) {
            self.state.velocities[place] = velocity;
        }
        self.start_again()
    }

    /// Gives all particles other angular velocities, in the order of ids; in the plane only the third component is used.
    pub fn set_spins(&mut self, by_id: &[Spin]) -> Result<(), Error> {
        let places = self.places_for("spins", by_id.len())?;
        check_finite("a spin", by_id.as_flattened())?;
        for (place, &spin) in places.into_iter().zip(by_id) {
            self.state.spins[place] = spin;
        }
        self.start_again()
    }

    /// Holds particles, in the order of ids, so that they keep their velocity and spin whatever pushes them, or lets them go.
    pub fn set_held(&mut self, by_id: &[bool]) -> Result<(), Error> {
        for (place, &held) in self.places_for("held", by_id.len())?.into_iter().zip(by_id) {
            self.state.hold(place, held);
        }
        self.remember_contacts();
        self.start_again()
    }

    /// Adds forces of the user's own in every step from now on, or none. They are not saved, and the work that they do is not
    /// counted; torques turn particles only where a law has friction.
    pub fn set_own_forces(&mut self, forces: Option<Box<OwnForces<D>>>) -> Result<(), Error> {
        self.own_forces = forces;
        self.start_again()
    }

    /// Works out forces and torques of the user's own; none where there are none.
    /// Whether forces of the user's own act.
    pub fn has_own_forces(&self) -> bool {
        self.own_forces.is_some()
    }

    pub(crate) fn own_forces_now(&mut self) -> Result<(Vec<[f64; D]>, Vec<Spin>), Error> {
        let Some(mut own) = self.own_forces.take() else { return Ok(Default::default()) };
        let (time, count) = (self.time(), self.state.len());
        let (mut forces, mut torques) = (vec![[0.0; D]; count], vec![[0.0; 3]; count]);
        let outcome = own(time, &self.state, &mut forces, &mut torques);
        self.own_forces = Some(own);
        outcome.map(|()| (forces, torques)).map_err(|why| Error::OwnForces { why })
    }

    /// Changes the physics, checks all of it, and keeps what contacts remember.
    fn change(&mut self, change: impl FnOnce(&mut Physics<D>, f64)) -> Result<(), Error> {
        let mut setup = self.setup.clone();
        change(&mut setup.physics, self.time());
        let asked = Self::prepare(setup)?;
        let count = asked.setup.physics.materials.len();
        if let Some(&material) = self.state.materials.iter().find(|&&material| usize::from(material) >= count) {
            return Err(Error::NoSuchMaterial { what: "a grain".to_owned(), material: material.into(), count });
        }
        if asked.columns() != self.columns() {
            return Err(Error::Fixed { what: "whether laws see shapes, and whether there is heat," });
        }
        self.remember_contacts();
        if let Some(memory) = &mut self.contacts.memory {
            let walls = [&self.setup.physics.walls, &asked.setup.physics.walls];
            let faces = faces_again(walls, [&self.obstacles, &asked.obstacles]);
            let of_laws = [&self.laws, &asked.laws].map(|laws| laws.history());
            *memory = memory.with_faces(of_laws, |face| faces[face as usize].map(u64::from));
            self.on_walls = self.on_walls.handed_on(walls.map(|walls| &walls[..]), asked.obstacles.len(), &faces);
        }
        self.contacts.stride = asked.contacts.stride;
        (self.setup, self.laws, self.obstacles) = (asked.setup, asked.laws, asked.obstacles);
        (0..self.state.len()).for_each(|place| self.weigh(place));
        self.weigh_clumps();
        self.start_again()
    }

    /// Lets the mass of a particle follow from its material.
    fn weigh(&mut self, place: usize) {
        if self.clump_of(place).is_some() {
            return;
        }
        let physics = &self.setup.physics;
        let density = physics.materials[usize::from(self.state.materials[place])].density;
        let shape = self.state.shape(place).map(|number| &physics.shapes[number as usize]);
        self.state.weigh(place, density, shape);
    }

    /// Works out forces as they are now: the next step begins with them.
    fn start_again(&mut self) -> Result<(), Error> {
        self.evaluate(Ending::Start, &mut |_| ())
    }

    /// All places by id, for a column that must have an entry for each.
    pub(crate) fn places_for(&self, what: &'static str, entries: usize) -> Result<Vec<usize>, Error> {
        if !self.clumps().is_empty() && !["materials", "temperatures"].contains(&what) {
            return Err(Error::OfClumps { what });
        }
        if entries != self.state.own() {
            return Err(Error::WrongLength { what, entries, particles: self.state.own() });
        }
        Ok(self.state.places_by_id().into_iter().map(|place| place as usize).collect())
    }
}

/// Which face of the walls now each face of the walls before is, if any: the same face of the same wall, or of the wall that has
/// its number now and is of its shape.
fn faces_again<const D: usize>([before, now]: [&Vec<Wall<D>>; 2], [old, new]: [&Obstacles<D>; 2]) -> Vec<Option<u32>> {
    let same = |wall: &Wall<D>| now.iter().position(|other| other == wall);
    let is_alike = |number: usize| {
        now.get(number).is_some_and(|other| {
            discriminant(&other.shape) == discriminant(&before[number].shape) && !before.contains(other)
        })
    };
    let wall_now = |number: usize| same(&before[number]).or_else(|| is_alike(number).then_some(number));
    let of_walls = |all: &Obstacles<D>, count: usize| {
        let mut of_walls = vec![Vec::new(); count];
        (0..all.len() as u32).for_each(|face| of_walls[all.surface(face).wall].push(face));
        of_walls
    };
    let (faces, again) = (of_walls(old, before.len()), of_walls(new, now.len()));
    let mut result = vec![None; old.len()];
    for (wall, faces) in faces.into_iter().enumerate() {
        let again = wall_now(wall).map(|wall| &again[wall]).filter(|again| again.len() == faces.len());
        for (k, face) in faces.into_iter().enumerate() {
            result[face as usize] = again.map(|again| again[k]);
        }
    }
    result
}

impl<const D: usize> Memory<D> {
    /// The same with faces renumbered, or forgotten, and another number of numbers that laws remember; others follow behind.
    fn with_faces(&self, [before, now]: [usize; 2], again: impl Fn(u64) -> Option<u64>) -> Self {
        let mut changed = Self::new(self.stride - before + now);
        for place in 0..self.rows.len() - 1 {
            let mut row: Vec<(Key<D>, usize)> = Vec::new();
            for contact in self.row(place) {
                let key = self.keys[contact];
                match key.kind {
                    Kind::Face => row.extend(again(key.other).map(|other| (Key { other, ..key }, contact))),
                    _ => row.push((key, contact)),
                }
            }
            row.sort_unstable_by_key(|&(key, _)| key);
            for (key, contact) in row {
                let (of_law, others) = self.numbers(contact).split_at(before);
                let mut numbers = of_law.to_vec();
                numbers.resize(now, 0.0);
                numbers.extend(others);
                changed.push(key, &numbers);
            }
            changed.end_row();
        }
        changed
    }
}

pub(crate) fn check_finite(what: &str, values: &[f64]) -> Result<(), Error> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(Error::Parameter { what: what.to_owned(), value, must: "must be finite" }),
        None => Ok(()),
    }
}
