//! Levels moved freely to where they need the least work.

use super::candidates::widest_step;
use super::model::{CostModel, Rung};

/// Levels and their work.
pub(super) struct Path {
    rungs: Vec<Rung>,
    pub work: f64,
}

impl Path {
    pub fn levels(&self) -> usize {
        self.rungs.len()
    }

    pub fn sizes(&self) -> Vec<f64> {
        self.rungs.iter().map(|rung| rung.size).collect()
    }
}

/// The best levels near the given ones. The last stays, it is the largest diameter; all others may move together.
///
/// Each level is given a few sizes near its own and the shortest path among all combinations is taken; when none is
/// better than what there is, the sizes come closer. Needs no derivatives, so it works with steps in the distribution.
pub(super) fn polish(model: &CostModel, start: Vec<Rung>) -> Path {
    const HALVINGS: i32 = 16;
    /// Less is rounding, and could go round in circles.
    const MIN_GAIN: f64 = 1e-13;
    const MAX_MOVES: usize = 400;
    let mut path = Path { work: work_of(model, &start), rungs: start };
    let last = path.levels() - 1;
    let mut step = widest_step(model);
    let least_step = step * 0.5f64.powi(HALVINGS);
    let mut moves = 0;
    while last > 0 && step > least_step && moves < MAX_MOVES {
        let mut options: Vec<Vec<Rung>> = path.rungs[..last].iter().map(|rung| nearby(model, rung, step)).collect();
        options.push(vec![path.rungs[last]]);
        let better = shortest_through(model, &options);
        if better.work < path.work * (1.0 - MIN_GAIN) {
            path = better;
            moves += 1;
        } else {
            step *= 0.5;
        }
    }
    path
}

/// The rung itself and others at a logarithmic distance of `step`. Of single sizes also the next one below each: where
/// levels end just above a body, they end best at it.
fn nearby(model: &CostModel, rung: &Rung, step: f64) -> Vec<Rung> {
    let mut options = vec![*rung];
    for size in [rung.size * (-step).exp(), rung.size * step.exp()] {
        options.push(model.rung(size));
        let at_body = model.sizes().atoms().and_then(|atoms| atoms.at_or_below(0.5 * size));
        if let Some(radius) = at_body.filter(|&radius| radius > 0.0) {
            options.push(model.rung(2.0 * radius));
        }
    }
    options
}

fn work_of(model: &CostModel, rungs: &[Rung]) -> f64 {
    let mut below = &model.ground();
    let mut work = model.least_work();
    for rung in rungs {
        work += model.level_work(below, rung);
        below = rung;
    }
    work
}

/// The shortest path with one of the options on every level.
fn shortest_through(model: &CostModel, options: &[Vec<Rung>]) -> Path {
    let ground = model.ground();
    let first = |rung: &Rung| model.least_work() + model.level_work(&ground, rung);
    let mut work: Vec<f64> = options[0].iter().map(first).collect();
    let mut before: Vec<Vec<usize>> = vec![vec![0; work.len()]];
    for pair in options.windows(2) {
        let (lower, upper) = (&pair[0], &pair[1]);
        let shortest_to = |rung: &Rung| {
            let sums = lower.iter().zip(&work).map(|(below, work)| {
                if below.size < rung.size { work + model.level_work(below, rung) } else { f64::INFINITY }
            });
            smallest(sums)
        };
        let (from, sums) = upper.iter().map(shortest_to).unzip();
        work = sums;
        before.push(from);
    }
    let (mut at, least) = smallest(work.into_iter());
    let mut rungs = Vec::with_capacity(options.len());
    for (options, from) in options.iter().zip(&before).rev() {
        rungs.push(options[at]);
        at = from[at];
    }
    rungs.reverse();
    Path { rungs, work: least }
}

/// Place and value of the first of the smallest.
fn smallest(values: impl Iterator<Item = f64>) -> (usize, f64) {
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 < best.1 { next } else { best };
    values.enumerate().fold((0, f64::INFINITY), better)
}
