//! Pairs of bodies that are near each other, with what is remembered of them from step to step.

use multigrain::polygons::{Features, Overlap};

/// A pair of polygons that push each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolygonContact {
    /// The two bodies, the first with the lower index.
    pub bodies: [u32; 2],
    /// What they have in common.
    pub overlap: Overlap,
    /// Force on the second body; the first feels the opposite.
    pub force: [f64; 2],
    /// Tangential displacement since they met, as far as friction holds it.
    pub slip: f64,
}

/// A pair of candidates. Its features are tracked while its boxes overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub(super) bodies: [u32; 2],
    pub(super) features: Features,
    /// Tangential displacement; 0 while the bodies are apart.
    pub(super) slip: f64,
    pub(super) overlap: Option<Overlap>,
    /// Force on the second body.
    pub(super) force: [f64; 2],
    /// Where the force acts.
    pub(super) point: [f64; 2],
    /// Pairs of features looked at in the last step.
    pub(super) steps: u32,
}

impl Near {
    fn new(bodies: [u32; 2]) -> Self {
        let (features, zero) = (Features::default(), [0.0; 2]);
        Self { bodies, features, slip: 0.0, overlap: None, force: zero, point: zero, steps: 0 }
    }

    pub(super) fn as_contact(&self) -> Option<PolygonContact> {
        let overlap = self.overlap?;
        Some(PolygonContact { bodies: self.bodies, overlap, force: self.force, slip: self.slip })
    }
}

/// All pairs of candidates, sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct NearPairs {
    pub(super) now: Vec<Near>,
    before: Vec<Near>,
}

impl NearPairs {
    /// Takes the candidates of this step, sorted; pairs that were there keep what they remember. `is_wanted` says which.
    pub(super) fn carry_over(&mut self, pairs: &[[u32; 2]], is_wanted: impl Fn([u32; 2]) -> bool) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        let mut old = self.before.iter().peekable();
        for &bodies in pairs.iter().filter(|&&bodies| is_wanted(bodies)) {
            while old.next_if(|near| near.bodies < bodies).is_some() {}
            let known = old.next_if(|near| near.bodies == bodies);
            self.now.push(known.copied().unwrap_or_else(|| Near::new(bodies)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_stay_keep_their_memory_and_others_start_afresh() {
        let mut near = NearPairs::default();
        near.carry_over(&[[0, 1], [0, 3], [2, 3]], |_| true);
        near.now.iter_mut().for_each(|near| near.slip = 1.0);
        near.carry_over(&[[0, 2], [0, 3], [1, 4], [2, 3], [3, 4]], |[i, _]| i != 1);
        let found: Vec<_> = near.now.iter().map(|near| (near.bodies, near.slip)).collect();
        assert_eq!(found, [([0, 2], 0.0), ([0, 3], 1.0), ([2, 3], 1.0), ([3, 4], 0.0)]);
    }
}
