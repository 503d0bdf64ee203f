//! The levels with the least work of all (optimal-hgrid, section 5.2.4).
//!
//! Work is a sum over levels of terms that know only the level's two borders (see `model`), so the best levels are a
//! shortest path: over a fixed set of candidate sizes it is found exactly, for every number of levels, whatever the
//! shape of the distribution. There is no start that could lead astray. The path is then polished off the candidates.

use super::candidates::{Fineness, candidates};
use super::model::{CostModel, Rung};
use super::polish::polish;
use multigrain::limits::MAX_LEVELS;

/// Work that differs by less than this, relatively, is the same: fewer levels are then better.
const FLAT: f64 = 1e-5;

/// A level must gain at least this, relatively, to be there at all.
const SAME: f64 = 1e-10;

/// Cell sizes, in the distribution's unit, with the least work: of at most `levels` levels, or, without a number, with
/// the fewest levels whose work is within [`FLAT`] of the least.
pub(super) fn optimal(model: &CostModel, levels: Option<usize>) -> Vec<f64> {
    let most = levels.unwrap_or(MAX_LEVELS);
    let mut paths = Paths::new(model, candidates(model, Fineness::Usual), most);
    if paths.best > Fineness::MAX_USUAL_LEVELS {
        // Cells so cheap that there are nearly as many levels as candidates: these must be finer.
        paths = Paths::new(model, candidates(model, Fineness::ForManyLevels), most);
    }
    let polished = |levels: usize| polish(model, paths.with_levels(levels));
    let mut best = polished(paths.best);
    // Off the candidates one more level may pay that on them did not.
    for levels in paths.best + 1..=paths.longest() {
        let longer = polished(levels);
        let gain = (best.work - longer.work) / best.work;
        if gain > SAME {
            best = longer;
        }
        if gain < 0.1 * FLAT {
            break;
        }
    }
    if levels.is_some() {
        return best.sizes();
    }
    // Work never rises with the number of levels allowed, so the fewest can be closed in on.
    let enough = best.work * (1.0 + FLAT);
    let (mut too_few, mut fewer_by) = (0, 1);
    while best.levels() - too_few > 1 {
        let levels = best.levels().saturating_sub(fewer_by).max(too_few + 1);
        let shorter = polished(levels);
        if shorter.work <= enough {
            best = shorter;
            fewer_by *= 2;
        } else {
            too_few = levels;
            fewer_by = (best.levels() - too_few).div_ceil(2);
        }
    }
    best.sizes()
}

/// Shortest paths to the largest size over candidates, by number of levels.
struct Paths {
    candidates: Vec<Rung>,
    /// For each number of levels, from one, and each candidate as the last: the candidate before it.
    before: Vec<Vec<u32>>,
    /// Number of levels with the least work.
    best: usize,
}

/// This many more levels than the best over the candidates are looked at.
const MORE_LEVELS: usize = 4;

impl Paths {
    fn new(model: &CostModel, candidates: Vec<Rung>, most_levels: usize) -> Self {
        let count = candidates.len();
        let ground = model.ground();
        // Least work up to each candidate, and in row `i` the work of a level from each lower candidate up to the `i`th.
        let mut work: Vec<f64> = candidates.iter().map(|rung| model.level_work(&ground, rung)).collect();
        let rows: Vec<Vec<f64>> = (0..count)
            .map(|i| candidates[..i].iter().map(|below| model.level_work(below, &candidates[i])).collect())
            .collect();
        let mut before = vec![vec![0; count]];
        let (mut best, mut least) = (1, work[count - 1]);
        while before.len() < most_levels.min(count).min(best + MORE_LEVELS) {
            // A path of this many levels cannot end below the candidate of that rank.
            let levels = before.len();
            let mut longer = vec![f64::INFINITY; count];
            let mut from = vec![0; count];
            for i in levels..count {
                let (at, sum) = smallest_sum(&work[levels - 1..i], &rows[i][levels - 1..]);
                (longer[i], from[i]) = (sum, (levels - 1 + at) as u32);
            }
            work = longer;
            before.push(from);
            if work[count - 1] < least * (1.0 - SAME) {
                (best, least) = (levels + 1, work[count - 1]);
            }
        }
        Self { candidates, before, best }
    }

    fn longest(&self) -> usize {
        self.before.len()
    }

    /// The shortest path with this many levels.
    fn with_levels(&self, levels: usize) -> Vec<Rung> {
        let mut at = self.candidates.len() - 1;
        let mut path = vec![self.candidates[at]];
        for from in self.before[1..levels].iter().rev() {
            at = from[at] as usize;
            path.push(self.candidates[at]);
        }
        path.reverse();
        path
    }
}

/// Place and value of the smallest sum of two numbers at the same place.
fn smallest_sum(a: &[f64], b: &[f64]) -> (usize, f64) {
    // The minimum first, then its place: the first loop vectorises.
    let least =
        a.iter().zip(b).map(|(a, b)| a + b).fold(f64::INFINITY, |least, sum| if sum < least { sum } else { least });
    let place = a.iter().zip(b).position(|(a, b)| a + b == least);
    (place.unwrap_or(0), least)
}
