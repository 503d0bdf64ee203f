//! What a time step is chosen from: numbers of all particles that parts of a simulation can find apart.

use crate::compiled;
use crate::exact_sum::ExactSum;
use crate::simulation::Simulation;
use crate::vector::{dot, length};
use multigrain::{Axes, Dimension};

/// What is known of all particles together; those of generators included. Parts [merge](Self::merge) to what one would find.
#[derive(Debug, Clone, PartialEq)]
pub struct Census {
    /// Mass and radius of the lightest grain of each material.
    pub lightest: Vec<Option<[f64; 2]>>,
    /// The largest speed.
    pub fastest: f64,
    /// The lowest and highest product of position and gravity.
    pub heights: [f64; 2],
    /// The largest radius.
    pub largest: f64,
    /// Number of particles, and the sum of their radii.
    pub radii: (u64, ExactSum),
}

impl Census {
    /// Takes in what another part found.
    pub fn merge(&mut self, other: &Self) {
        for (known, other) in self.lightest.iter_mut().zip(&other.lightest) {
            consider(known, *other);
        }
        self.fastest = self.fastest.max(other.fastest);
        self.heights = [self.heights[0].min(other.heights[0]), self.heights[1].max(other.heights[1])];
        self.largest = self.largest.max(other.largest);
        self.radii.0 += other.radii.0;
        self.radii.1.merge(&other.radii.1);
    }

    /// The mean radius of the particles there are; 0 where there are none.
    pub fn mean_radius(&self) -> f64 {
        self.radii.1.value() / self.radii.0.max(1) as f64
    }

    /// As numbers, to be sent: as many for each part.
    pub fn to_numbers(&self) -> Vec<f64> {
        let none = [f64::INFINITY; 2];
        let lightest = self.lightest.iter().flat_map(|known| known.unwrap_or(none));
        let words = self.radii.1.to_words();
        let radii = [self.radii.0].into_iter().chain(words).map(f64::from_bits);
        lightest.chain([self.fastest, self.heights[0], self.heights[1], self.largest]).chain(radii).collect()
    }

    /// From [`to_numbers`](Self::to_numbers); nothing if these are none of it.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (numbers, words) = numbers.split_last_chunk()?;
        let (numbers, count) = numbers.split_last_chunk::<1>().map(|(numbers, [count])| (numbers, count.to_bits()))?;
        let radii = (count, ExactSum::from_words(&words.map(f64::to_bits))?);
        let (lightest, &[fastest, low, high, largest]) = numbers.split_last_chunk()?;
        let (lightest, []) = lightest.as_chunks::<2>() else { return None };
        let lightest = lightest.iter().map(|&known| Some(known).filter(|known| known[0].is_finite())).collect();
        Some(Self { lightest, fastest, heights: [low, high], largest, radii })
    }
}

/// The lighter one; of equals the smaller.
fn consider(known: &mut Option<[f64; 2]>, other: Option<[f64; 2]>) {
    if let Some(other) = other
        && known.is_none_or(|known| (other[0], other[1]) < (known[0], known[1]))
    {
        *known = Some(other);
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// What is known of the own particles, and of those that generators will make.
    pub fn census(&self) -> Census {
        compiled::census(self)
    }

    pub(crate) fn census_here(&self) -> Census {
        let (state, physics) = (&self.state, &self.setup.physics);
        let mut lightest = vec![None; physics.materials.len()];
        let mut weigh = |material: u16, mass: f64, radius: f64| {
            consider(&mut lightest[usize::from(material)], Some([mass, radius]));
        };
        let own = 0..state.own();
        own.clone().for_each(|place| {
            let mass = self.clump_of(place).map_or(state.masses[place], |clump| clump.mass);
            weigh(state.materials[place], mass, state.radii[place]);
        });
        for generator in &physics.generators {
            for (k, body) in generator.bodies(physics).iter().enumerate() {
                // Contacts of clumps are those of their members.
                let members = generator.clumps.get(k).map(|&shape| physics.clump_shapes[shape as usize].members());
                let smallest = members.map(|all| all.iter().map(|member| member.1).fold(f64::INFINITY, f64::min));
                weigh(generator.material, body.mass, smallest.unwrap_or(body.radius));
            }
        }
        // Of random velocities hardly any is longer.
        let of_generators = physics.generators.iter().map(|made| length(made.velocity) + 4.0 * made.speed);
        let speeds = state.velocities[own.clone()].iter().map(|&velocity| length(velocity)).chain(of_generators);
        let corners = physics.generators.iter().flat_map(|generator| generator.region.bounds());
        let heights = state.positions[own.clone()].iter().copied().chain(corners).map(|x| dot(x, physics.gravity));
        Census {
            fastest: speeds.fold(0.0, f64::max),
            heights: heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)]),
            largest: state.radii[own.clone()].iter().copied().fold(0.0, f64::max),
            radii: (own.len() as u64, state.radii[own].iter().copied().collect()),
            lightest,
        }
    }
}
