//! What the end of a step asks of all particles together: what walls feel and lose, and the stress that a box follows.

use crate::compiled;
use crate::exact_sum::ExactSum;
use crate::simulation::{Ending, Simulation};
use multigrain::{Axes, Dimension};

/// What own particles have done to walls and box in a step. That of parts put together is that of the whole, to the last bit: sums
/// are exact, and what walls lose is added by the ids of those that rub.
#[derive(Debug, Clone, PartialEq)]
pub struct Felt<const D: usize> {
    /// Of every servo the force and the mass that push it; then, where a stress decides, what it is made of.
    pub(crate) sums: Vec<ExactSum>,
    /// Nothing where no wall wears off.
    pub(crate) worn: Option<Vec<Worn>>,
}

/// What a particle took off a face of a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Worn {
    pub face: u32,
    pub id: u64,
    pub volume: f64,
}

impl<const D: usize> Felt<D> {
    /// Sums as words. Added up one by one over all parts, without their overflow, they are those of the whole. As many for each part;
    /// none where nothing is summed.
    pub fn addends(&self) -> Vec<u64> {
        self.sums.iter().flat_map(ExactSum::to_addends).collect()
    }

    /// Takes [`addends`](Self::addends) of all parts, added up, in place of its own.
    pub fn set_addends(&mut self, words: &[u64]) {
        self.sums = words.as_chunks().0.iter().map(ExactSum::from_addends).collect();
    }

    /// What walls have lost, as words: of all parts they are put one behind the other, in any order. For all parts something, or for
    /// all nothing.
    pub fn worn(&self) -> Option<Vec<u64>> {
        let words = |worn: &Worn| [u64::from(worn.face), worn.id, worn.volume.to_bits()];
        self.worn.as_ref().map(|worn| worn.iter().flat_map(words).collect())
    }

    /// Takes what walls have [lost](Self::worn) by all parts in place of its own.
    pub fn set_worn(&mut self, words: &[u64]) {
        let worn = |&[face, id, volume]: &[u64; 3]| Worn { face: face as u32, id, volume: f64::from_bits(volume) };
        self.worn = Some(words.as_chunks().0.iter().map(worn).collect());
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// What own particles do to walls and box, by the contacts that have just pushed.
    pub fn felt(&self, ending: Ending) -> Felt<D> {
        compiled::felt(self, ending)
    }

    pub(crate) fn felt_here(&self, ending: Ending) -> Felt<D> {
        let (mut sums, worn) = self.felt_by_walls(self.time_to(ending));
        if self.follows_stress() {
            sums.extend(self.stress_of_step());
        }
        Felt { sums, worn }
    }

    /// The same of no particle: what a part has to say that has failed.
    pub fn felt_by_nobody(&self) -> Felt<D> {
        let of_stress = if self.follows_stress() { 2 * D * D + D + 1 } else { 0 };
        let sums = vec![ExactSum::default(); 2 * self.on_walls.steering.len() + of_stress];
        Felt { sums, worn: (!self.on_walls.worn.is_empty()).then(Vec::new) }
    }
}
