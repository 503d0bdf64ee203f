//! What tables say of a simulation in few numbers: of parts it is put together to that of the whole, to the last bit.

use crate::exact_sum::ExactSum;
use crate::simulation::Simulation;
use crate::stress::{Stress, mean_motion_of, stress_in};
use crate::totals::Totals;
use crate::vector::Spin;
use multigrain::{Axes, Dimension, Domain};

/// Numbers of it that count something.
const COUNTS: usize = 3;

/// All particles, contacts, walls and bonds in few numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary<const D: usize> {
    /// Energies, momentum, counts.
    pub totals: Totals<D>,
    /// The largest overlap as a share of the smaller radius, with a wall of the only one. Of parts the largest counts.
    pub largest_overlap: f64,
    /// Number of bonds that hold.
    pub bonds: u64,
    /// Number of polygons.
    pub polygons: u64,
    /// Number of clumps.
    pub clumps: u64,
    /// Heat that particles hold, and how much of it for each degree.
    heat: [ExactSum; 2],
    stress: Vec<ExactSum>,
    /// Of each wall the force on it, and the torque.
    walls: Vec<ExactSum>,
}

impl<const D: usize> Summary<D> {
    fn counts(&mut self) -> [&mut u64; COUNTS] {
        [&mut self.bonds, &mut self.polygons, &mut self.clumps]
    }

    /// All but the largest overlap as words: added up one by one over all parts, without their overflow, they are those of the whole. As many
    /// for each part.
    pub fn addends(&self) -> Vec<u64> {
        let mut words = self.totals.addends();
        words.extend([self.bonds, self.polygons, self.clumps]);
        let sums = self.heat.iter().chain(&self.stress).chain(&self.walls);
        words.extend(sums.flat_map(ExactSum::to_addends));
        words
    }

    /// Takes [`addends`](Self::addends) of all parts, added up, in place of its own.
    pub fn set_addends(&mut self, words: &[u64]) {
        let (of_totals, words) = words.split_at(self.totals.addends().len());
        self.totals.set_addends(of_totals);
        let mut words = words.iter().copied();
        self.counts().into_iter().for_each(|count| *count = words.next().unwrap_or_default());
        let sums = self.heat.iter_mut().chain(&mut self.stress).chain(&mut self.walls);
        sums.for_each(|sum| *sum = ExactSum::next_of(&mut words));
    }

    /// The mean stress in a box.
    pub fn stress(&self, domain: &Domain<D>) -> Option<Stress<D>> {
        stress_in(domain, &self.stress)
    }

    /// The mean of all velocities beside the flow of the box, by mass.
    pub fn mean_motion(&self) -> [f64; D] {
        mean_motion_of(&self.stress)
    }

    /// The mean temperature by what particles hold of heat; `None` where nothing conducts any.
    pub fn mean_temperature(&self) -> Option<f64> {
        let [heat, holds] = self.heat.each_ref().map(ExactSum::value);
        (holds > 0.0).then(|| heat / holds)
    }

    /// Force of all grains on each wall.
    pub fn wall_forces(&self) -> Vec<[f64; D]> {
        wall_forces(&self.walls)
    }

    /// Torque of all grains on each wall, about the point that it turns about: the origin where none was given.
    pub fn wall_torques(&self) -> Vec<Spin> {
        wall_torques::<D>(&self.walls)
    }
}

/// Forces on walls, of whose sums these are.
pub(crate) fn wall_forces<const D: usize>(sums: &[ExactSum]) -> Vec<[f64; D]> {
    sums.chunks(D + 3).map(|of_wall| std::array::from_fn(|axis| of_wall[axis].value())).collect()
}

/// Torques on walls, of whose sums these are.
pub(crate) fn wall_torques<const D: usize>(sums: &[ExactSum]) -> Vec<Spin> {
    sums.chunks(D + 3).map(|of_wall| std::array::from_fn(|axis| of_wall[D + axis].value())).collect()
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// What tables say of it now, of own particles.
    pub fn summary(&self) -> Summary<D> {
        let own = 0..self.state.own();
        Summary {
            totals: self.totals(),
            largest_overlap: self.overlaps().largest,
            bonds: if self.bonds_made > 0 { self.bonds().len() as u64 } else { 0 },
            polygons: own.filter(|&place| self.state.shape(place).is_some()).count() as u64,
            clumps: self.clumps().len() as u64,
            heat: self.heat_held(),
            stress: self.stress_sums(),
            walls: self.wall_sums(),
        }
    }
}
