//! Which bodies go to which ranks as guests.

use crate::cut_tree::CutTree;
use crate::octaves::Octaves;

/// The rule: a body goes to a rank that it comes nearer to than its radius, plus the smaller of the largest radius of its
/// octave and the largest radius there. So a rank gets every body of the same or a larger octave that touches one of its own,
/// and a boulder is a guest where it touches, not wherever something might touch a boulder.
pub(crate) struct Halo<'a, const D: usize> {
    tree: &'a CutTree<D>,
    octaves: &'a Octaves,
    largest_below: Vec<f64>,
    /// Gap that still counts, with room for rounding.
    gap: f64,
}

impl<'a, const D: usize> Halo<'a, D> {
    /// With the largest radius of every rank; minus infinity for those that have no bodies.
    pub fn new(tree: &'a CutTree<D>, octaves: &'a Octaves, largest_of_ranks: &[f64], gap: f64) -> Self {
        Self { tree, octaves, largest_below: tree.largest_below(largest_of_ranks), gap }
    }

    /// Calls `host` with every rank that a body is a guest of.
    pub fn hosts(&self, owner: usize, center: [f64; D], radius: f64, mut host: impl FnMut(usize)) {
        let beside = self.octaves.largest_beside(radius);
        self.tree.visit_near(center, radius + self.gap, beside, &self.largest_below, |rank| {
            if rank != owner {
                host(rank);
            }
        });
    }
}

/// Whether the owner of a body reports its contact with a guest, each by radius and index: the owner of the smaller octave
/// does, for it is sure to have both; in one octave the owner of the lower index.
pub(crate) fn reports(octaves: &Octaves, own: (f64, u64), guest: (f64, u64)) -> bool {
    (octaves.of(own.0), own.1) < (octaves.of(guest.0), guest.1)
}
