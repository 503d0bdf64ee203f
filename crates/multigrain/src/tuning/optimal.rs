//! The levels with the least work of all (optimal-hgrid, section 5.2.4).
//!
//! Work is a sum over levels of terms that know only the level's two borders (see `model`), so the best levels are a
//! shortest path: over a fixed set of candidate sizes it is found exactly, for every number of levels, whatever the
//! shape of the distribution. There is no start that could lead astray. The path is then polished off the candidates,
//! again by shortest paths, among its neighbours at ever smaller distances.

use super::candidates::{candidates, widest_step};
use super::model::{CostModel, Rung};
use crate::limits::MOST_LEVELS;

/// Work that differs by less than this, relatively, is the same: fewer levels are then better.
const FLAT: f64 = 1e-5;

/// A level must gain at least this, relatively, to be there at all.
const SAME: f64 = 1e-10;

/// Cell sizes, in the distribution's unit, with the least work: of at most `levels` levels, or, without a number, with the
/// fewest levels whose work is within [`FLAT`] of the least.
pub(super) fn optimal(model: &CostModel, levels: Option<usize>) -> Vec<f64> {
    let candidates = candidates(model);
    let most = levels.unwrap_or(MOST_LEVELS).min(candidates.len());
    let paths = Paths::new(model, &candidates, most);
    let polished = |levels: usize| polish(model, &paths.with_levels(levels));
    let mut best = polished(paths.best);
    // Off the candidates one more level may pay that on them did not.
    for levels in paths.best + 1..=paths.longest {
        let longer = polished(levels);
        let gain = best.work - longer.work;
        if gain > SAME * best.work {
            best = longer;
        }
        if gain <= 0.1 * FLAT * best.work {
            break;
        }
    }
    if levels.is_some() {
        return best.sizes;
    }
    let enough = best.work * (1.0 + FLAT);
    for levels in (1..best.sizes.len()).rev() {
        let shorter = polished(levels);
        if shorter.work > enough {
            break;
        }
        best = shorter;
    }
    best.sizes
}

/// Shortest paths to the largest size over candidates, by number of levels.
struct Paths<'a> {
    candidates: &'a [Rung],
    /// For each number of levels and each candidate as its last: the level before it.
    before: Vec<Vec<u32>>,
    /// Number of levels with the least work, and the largest number known.
    best: usize,
    longest: usize,
}

/// How many more levels than the best over the candidates are looked at.
const MORE_LEVELS: usize = 4;

impl<'a> Paths<'a> {
    fn new(model: &CostModel, candidates: &'a [Rung], most: usize) -> Self {
        let ground = model.ground();
        let last = candidates.len() - 1;
        let first_level: Vec<f64> = candidates.iter().map(|rung| model.level_work(&ground, rung)).collect();
        // Row `i`: work of the level from each lower candidate up to candidate `i`.
        let rows: Vec<Vec<f64>> = (0..candidates.len())
            .map(|i| candidates[..i].iter().map(|below| model.level_work(below, &candidates[i])).collect())
            .collect();
        let mut work = first_level;
        let mut before: Vec<Vec<u32>> = vec![vec![0; candidates.len()]];
        let (mut best, mut least) = (1, work[last]);
        while before.len() < most.min(best + MORE_LEVELS) {
            let levels = before.len();
            let mut longer = vec![f64::INFINITY; candidates.len()];
            let mut chosen = vec![0; candidates.len()];
            for i in levels..candidates.len() {
                let (from, sum) = shortest(&work[levels - 1..i], &rows[i][levels - 1..]);
                longer[i] = sum;
                chosen[i] = (levels - 1 + from) as u32;
            }
            work = longer;
            before.push(chosen);
            if work[last] < least {
                (best, least) = (levels + 1, work[last]);
            }
        }
        let longest = before.len();
        Self { candidates, before, best, longest }
    }

    /// The sizes of the shortest path with so many levels.
    fn with_levels(&self, levels: usize) -> Vec<f64> {
        let mut at = self.candidates.len() - 1;
        let mut sizes = vec![self.candidates[at].size];
        for row in self.before[1..levels].iter().rev() {
            at = row[at] as usize;
            sizes.push(self.candidates[at].size);
        }
        sizes.reverse();
        sizes
    }
}

/// Index and value of the smallest sum of two numbers at the same place.
fn shortest(a: &[f64], b: &[f64]) -> (usize, f64) {
    let mut least = f64::INFINITY;
    for (a, b) in a.iter().zip(b) {
        let sum = a + b;
        least = if sum < least { sum } else { least };
    }
    let at = a.iter().zip(b).position(|(a, b)| a + b == least).unwrap_or(0);
    (at, least)
}

struct Polished {
    sizes: Vec<f64>,
    work: f64,
}

/// The best levels near the given ones: all but the last size may move.
fn polish(model: &CostModel, sizes: &[f64]) -> Polished {
    const HALVINGS: i32 = 16;
    let mut path: Vec<Rung> = sizes.iter().map(|&size| model.rung(size)).collect();
    let mut work = work_of(model, &path);
    let first_step = widest_step(model);
    let mut step = first_step;
    while step > first_step * 0.5f64.powi(HALVINGS) && path.len() > 1 {
        let factor = f64::exp(step);
        let options: Vec<Vec<Rung>> = path
            .iter()
            .enumerate()
            .map(|(level, &rung)| {
                if level == path.len() - 1 {
                    return vec![rung];
                }
                let mut options = vec![rung];
                for size in [rung.size / factor, rung.size * factor] {
                    options.push(model.rung(size));
                    if let Some(radius) = model.sizes().atoms().and_then(|atoms| atoms.at_or_below(0.5 * size))
                        && radius > 0.0
                    {
                        options.push(model.rung(2.0 * radius));
                    }
                }
                options
            })
            .collect();
        let (shorter, less) = shortest_through(model, &options);
        if less < work {
            (path, work) = (shorter, less);
        } else {
            step *= 0.5;
        }
    }
    Polished { sizes: path.iter().map(|rung| rung.size).collect(), work }
}

fn work_of(model: &CostModel, path: &[Rung]) -> f64 {
    let mut below = model.ground();
    let mut work = model.least_work();
    for rung in path {
        work += model.level_work(&below, rung);
        below = *rung;
    }
    work
}

/// The shortest path with one of the options on every level.
fn shortest_through(model: &CostModel, options: &[Vec<Rung>]) -> (Vec<Rung>, f64) {
    let ground = model.ground();
    let mut work: Vec<f64> =
        options[0].iter().map(|rung| model.least_work() + model.level_work(&ground, rung)).collect();
    let mut before: Vec<Vec<usize>> = vec![vec![0; work.len()]];
    for pair in options.windows(2) {
        let mut next = Vec::with_capacity(pair[1].len());
        let mut chosen = Vec::with_capacity(pair[1].len());
        for rung in &pair[1] {
            let (mut least, mut from) = (f64::INFINITY, 0);
            for (index, below) in pair[0].iter().enumerate() {
                if below.size < rung.size {
                    let sum = work[index] + model.level_work(below, rung);
                    if sum < least {
                        (least, from) = (sum, index);
                    }
                }
            }
            next.push(least);
            chosen.push(from);
        }
        work = next;
        before.push(chosen);
    }
    let (mut at, least) = work
        .iter()
        .copied()
        .enumerate()
        .fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
    let mut path = Vec::with_capacity(options.len());
    for (level, options) in options.iter().enumerate().rev() {
        path.push(options[at]);
        at = before[level][at];
    }
    path.reverse();
    (path, least)
}
