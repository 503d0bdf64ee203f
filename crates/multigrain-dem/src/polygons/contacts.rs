//! Pairs of bodies that are near each other, with what is remembered of them from step to step.

use super::rows::Rows;
use crate::threads::both;
use multigrain_polygons::{Features, Overlap};
use rayon::prelude::*;

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

/// A pair of candidates, and what is remembered of it while its boxes overlap. What each step finds again is kept apart, so that
/// little is moved when pairs come and go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub(super) bodies: [u32; 2],
    pub(super) features: Features,
    /// Tangential displacement; 0 while the bodies are apart.
    pub(super) slip: f64,
}

impl Near {
    fn new(bodies: [u32; 2]) -> Self {
        Self { bodies, features: Features::default(), slip: 0.0 }
    }
}

/// What the last step found of a pair of candidates. Its overlap is not kept: it follows from where the bodies are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Met {
    /// Force on the second body.
    pub(super) force: [f64; 2],
    /// Pairs of features looked at.
    pub(super) steps: u32,
    pub(super) overlaps: bool,
}

/// Force along x and y, and torque.
pub(super) type Load = [f64; 3];

/// Candidates of one block: few enough for threads to share the work, enough to be worth a task.
const BLOCK: usize = 512;

/// All pairs of candidates, sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct NearPairs {
    pub(super) now: Vec<Near>,
    /// What was found of each pair.
    pub(super) met: Vec<Met>,
    /// What each pair does to its two bodies.
    pub(super) loads: Vec<[Load; 2]>,
    before: Vec<Near>,
    rows: Rows,
    /// The bodies of each pair.
    names: Vec<[u32; 2]>,
    /// Room for those of the next step.
    next: Vec<[u32; 2]>,
    /// Room for the candidates that are wanted, by block.
    wanted: Vec<Vec<[u32; 2]>>,
}

impl NearPairs {
    /// Takes the candidates of this step, sorted; pairs that were there keep what they remember. `is_wanted` says which.
    pub(super) fn carry_over(
        &mut self,
        bodies: usize,
        candidates: &[[u32; 2]],
        is_wanted: impl Fn([u32; 2]) -> bool + Sync,
    ) {
        self.wanted.resize_with(candidates.len().div_ceil(BLOCK), Vec::new);
        self.wanted.par_iter_mut().zip(candidates.par_chunks(BLOCK)).with_max_len(1).for_each(|(wanted, block)| {
            wanted.clear();
            wanted.extend(block.iter().copied().filter(|&pair| is_wanted(pair)));
        });
        self.next.clear();
        self.wanted.iter().for_each(|wanted| self.next.extend_from_slice(wanted));
        if self.next == self.names && self.rows.bodies() == bodies {
            return;
        }
        std::mem::swap(&mut self.names, &mut self.next);
        std::mem::swap(&mut self.now, &mut self.before);
        self.make_room();
        let Self { now, before, names, rows, .. } = self;
        let remember = || {
            now.par_chunks_mut(BLOCK).zip(names.par_chunks(BLOCK)).with_max_len(1).for_each(|(now, names)| {
                let start = before.partition_point(|near| near.bodies < names[0]);
                let mut old = before[start..].iter().peekable();
                for (near, &bodies) in now.iter_mut().zip(names) {
                    while old.next_if(|near| near.bodies < bodies).is_some() {}
                    let known = old.next_if(|near| near.bodies == bodies);
                    *near = known.copied().unwrap_or_else(|| Near::new(bodies));
                }
            });
        };
        both(names.len() > BLOCK, remember, || rows.fill(bodies, names));
    }

    /// Takes pairs as they were saved, sorted, and as many that were found of them.
    pub(super) fn restore(&mut self, bodies: usize, pairs: Vec<Near>, met: Vec<Met>) {
        self.names = pairs.iter().map(|near| near.bodies).collect();
        (self.now, self.met) = (pairs, met);
        self.make_room();
        self.rows.fill(bodies, &self.names);
    }

    /// Makes all lists as long as that of names.
    fn make_room(&mut self) {
        let count = self.names.len();
        self.now.resize(count, Near::new([0; 2]));
        self.met.resize(count, Met::default());
        self.loads.resize(count, [[0.0; 3]; 2]);
    }

    /// The sum of what all its pairs do to a body, in the order of the pairs.
    pub(super) fn load_on(&self, body: usize) -> Load {
        let mut sum = [0.0; 3];
        let mut add = |load: &Load| sum = [sum[0] + load[0], sum[1] + load[1], sum[2] + load[2]];
        // A body is the second one of pairs that come before those in which it is the first.
        self.rows.as_second(body).iter().for_each(|&k| add(&self.loads[k as usize][1]));
        self.loads[self.rows.as_first(body)].iter().for_each(|loads| add(&loads[0]));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_stay_keep_their_memory_and_others_start_afresh() {
        let mut near = NearPairs::default();
        near.carry_over(5, &[[0, 1], [0, 3], [2, 3]], |_| true);
        near.now.iter_mut().for_each(|near| near.slip = 1.0);
        near.carry_over(5, &[[0, 2], [0, 3], [1, 4], [2, 3], [3, 4]], |[i, _]| i != 1);
        let found = |near: &NearPairs| near.now.iter().map(|near| (near.bodies, near.slip)).collect::<Vec<_>>();
        let expected = [([0, 2], 0.0), ([0, 3], 1.0), ([2, 3], 1.0), ([3, 4], 0.0)];
        assert_eq!(found(&near), expected);
        near.carry_over(5, &[[0, 2], [0, 3], [2, 3], [3, 4]], |_| true);
        assert_eq!(found(&near), expected);
        near.carry_over(5, &[], |_| true);
        assert_eq!(found(&near), []);
    }

    #[test]
    fn many_blocks_keep_their_memory_as_one_does() {
        let all: Vec<[u32; 2]> = (0..3000).flat_map(|i| [[i, i + 1], [i, i + 2]]).collect();
        let mut near = NearPairs::default();
        near.carry_over(3002, &all, |[i, j]| (i + j) % 3 > 0);
        near.now.iter_mut().for_each(|near| near.slip = f64::from(near.bodies[0] + near.bodies[1]));
        near.carry_over(3002, &all, |[i, j]| (i + j) % 5 > 0);
        let expected = all.iter().filter(|[i, j]| (i + j) % 5 > 0);
        assert!(near.now.iter().map(|near| &near.bodies).eq(expected));
        for near in &near.now {
            let sum = near.bodies[0] + near.bodies[1];
            assert_eq!(near.slip, if sum % 3 > 0 { f64::from(sum) } else { 0.0 }, "{:?}", near.bodies);
        }
    }

    #[test]
    fn loads_of_a_body_are_those_of_all_its_pairs() {
        let mut near = NearPairs::default();
        near.carry_over(5, &[[0, 1], [0, 3], [1, 3], [2, 3], [3, 4]], |_| true);
        for (k, loads) in near.loads.iter_mut().enumerate() {
            *loads = [[10f64.powi(k as i32), 0.0, 1.0], [2.0 * 10f64.powi(k as i32), 0.0, -1.0]];
        }
        let loads: Vec<Load> = (0..5).map(|body| near.load_on(body)).collect();
        let expected =
            [[11.0, 0.0, 2.0], [102.0, 0.0, 0.0], [1000.0, 0.0, 1.0], [12220.0, 0.0, -2.0], [20000.0, 0.0, -1.0]];
        assert_eq!(loads, expected);
    }
}
