//! What files say of every particle beside where it is and how its center moves.

use crate::clumps::{Quaternion, UPRIGHT};
use crate::simulation::Simulation;
use crate::stress::{Carried, Stress};
use crate::vector::Spin;
use multigrain::{Axes, Dimension};
use std::collections::HashMap;

/// A column for each of these, in the order of ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Details<const D: usize> {
    /// Angular velocities.
    pub spins: Vec<Spin>,
    /// Sums of all forces.
    pub forces: Vec<[f64; D]>,
    /// Masses; of members of clumps 0.
    pub masses: Vec<f64>,
    /// Numbers of contacts with other particles.
    pub contacts: Vec<u32>,
    /// Numbers of contacts with walls.
    pub wall_contacts: Vec<u32>,
    /// Numbers of bonds that hold; where bonds were made.
    pub bonds: Option<Vec<u32>>,
    /// Numbers of the clumps that they are members of, -1 for others, and how these are turned; where there are clump shapes.
    pub clumps: Option<Vec<(i64, Quaternion)>>,
    /// Stresses in their own volumes.
    pub stresses: Vec<Stress<D>>,
    /// Temperatures; where a material conducts heat.
    pub temperatures: Option<Vec<f64>>,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// All that files say of every particle.
    pub fn details(&self) -> Details<D> {
        self.details_by(&self.carried(), self.mean_motion())
    }

    /// The same by what contacts carry and the mean motion of all: of particles that are a part.
    pub fn details_by(&self, carried: &[Carried<D>], mean: [f64; D]) -> Details<D> {
        let state = self.state();
        let places: Vec<usize> = state.places_by_id().into_iter().map(|place| place as usize).collect();
        let row_of: HashMap<u64, usize> = places.iter().map(|&place| state.ids()[place]).zip(0..).collect();
        let count = |ids: &mut dyn Iterator<Item = u64>| {
            let mut counts = vec![0; places.len()];
            ids.filter_map(|id| row_of.get(&id)).for_each(|&row| counts[row] += 1);
            counts
        };
        let bonded = carried.iter().filter(|contact| contact.bond_load.is_some());
        let clump = |place: usize| match self.clump_of(place) {
            Some(clump) => (i64::from(clump.number), self.orientation(clump)),
            None => (-1, UPRIGHT),
        };
        let stresses = self.stresses_by(carried, mean);
        Details {
            spins: column(&places, state.spins()),
            forces: column(&places, state.forces()),
            masses: column(&places, state.masses()),
            contacts: count(&mut carried.iter().flat_map(|contact| contact.ids)),
            wall_contacts: count(&mut self.wall_contacts().iter().map(|touch| touch.id)),
            bonds: (self.bonds_made() > 0).then(|| count(&mut bonded.flat_map(|contact| contact.ids))),
            clumps: (!self.setup().clump_shapes().is_empty()).then(|| places.iter().map(|&k| clump(k)).collect()),
            stresses: column(&places, &stresses),
            temperatures: (!state.temperatures().is_empty()).then(|| column(&places, state.temperatures())),
        }
    }
}

fn column<T: Copy>(places: &[usize], column: &[T]) -> Vec<T> {
    places.iter().map(|&place| column[place]).collect()
}

impl<const D: usize> Stress<D> {
    /// The tensor of both in space, row by row; 0 along a third axis in the plane.
    pub fn in_space(&self) -> [f64; 9] {
        let (mut tensor, total) = ([0.0; 9], self.total());
        (0..D).for_each(|row| tensor[3 * row..][..D].copy_from_slice(&total[row]));
        tensor
    }
}
