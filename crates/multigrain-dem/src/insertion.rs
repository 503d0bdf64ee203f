//! Grains that join or leave a running simulation.

use crate::error::Error;
use crate::flow::Generator;
use crate::grain::Grain;
use crate::simulation::Simulation;
use multigrain::scenes::Rng;
use multigrain::{Levels, LivingGrid};

/// Steps between two tries of the generators.
const TRY_EVERY: u64 = 16;

/// How many places are tried for one grain.
const PLACES: usize = 32;

impl<const D: usize> Simulation<D> {
    /// Adds a grain and returns its id. Where it overlaps others it is pushed from the next step on.
    pub fn insert(&mut self, grain: Grain<D>) -> Result<u32, Error> {
        let first = self.state.len();
        let id = self.add(&grain)?;
        self.wrap_new(first);
        self.follow_growth(first);
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
        self.follow_growth(first);
        Ok(())
    }

    /// Makes up to `due` grains, as many as find a place.
    fn make(&mut self, number: usize, generator: &Generator<D>, due: u64) -> Result<(), Error> {
        // Drawn anew from seed, step and number, so that nothing of the generator has to be remembered.
        let drawn =
            self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut rng = Rng::new(generator.seed ^ drawn);
        let mut near = self.bodies_near(generator)?;
        for _ in 0..due {
            let radius = generator.radii[rng.below(generator.radii.len() as u64) as usize];
            let mut place = || -> [f64; D] {
                std::array::from_fn(|axis| {
                    let (lo, hi) = (generator.lo[axis] + radius, generator.hi[axis] - radius);
                    lo + (hi - lo) * rng.uniform()
                })
            };
            let mut found = None;
            for _ in 0..PLACES {
                let position = place();
                let mut is_free = true;
                self.obstacles.touching(position, radius, |_| is_free = false);
                near.touching_sphere(position, radius, |_, _| is_free = false)?;
                if is_free {
                    found = Some(position);
                    break;
                }
            }
            let Some(position) = found else { break };
            let grain = Grain::at(position, radius).velocity(generator.velocity).material(generator.material);
            let id = self.add(&grain)?;
            near.insert(id, position, radius)?;
            self.made[number] += 1;
        }
        Ok(())
    }

    /// All bodies that reach into the box of a generator.
    fn bodies_near(&self, generator: &Generator<D>) -> Result<LivingGrid<D>, Error> {
        let largest = generator.radii.iter().copied().fold(0.0, f64::max);
        let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[2.0 * largest])?, self.setup.physics.domain);
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

    /// After grains were added behind the first `before`: contacts keep up where blocks became larger.
    fn follow_growth(&mut self, before: usize) {
        use crate::threads::block_bits;
        if block_bits(before) != block_bits(self.state.len()) {
            let same: Vec<u32> = (0..self.state.len() as u32).collect();
            self.take(&same);
        }
    }
}
