//! Levels for the fast grid: those with the least predicted time by its own cost model.
//!
//! As in the papers' model, what a level costs depends only on the radii where it begins and ends, so the best levels are
//! a shortest path over candidate radii. Each level also takes the best of a few cell sizes: larger cells than bodies need
//! where these are few.

use super::coefficients::Coefficients;
use super::few_bodies;
use super::row_model::{RowModel, RowWork, root};
use super::sampled::BodySample;
use crate::detector::Direction;
use crate::error::Error;
use crate::levels::{Level, Levels};
use crate::limits::MAX_LEVELS;
use crate::snapshot::Snapshot;
use multigrain_sizes::{Moments, Side};

/// Radii among which levels may end, for few bodies and for many: a choice must take little of the time of a search.
const RADII: [usize; 2] = [13, 29];

/// This many bodies are many.
const MANY: f64 = 5e5;

/// Most levels that are tried when their number is free: more have never paid.
const MAX_TRIED: usize = 6;

/// Bodies per cell that are tried, where that makes cells larger than the bodies need.
const FILLINGS: [f64; 6] = [0.6, 0.8, 1.0, 1.3, 2.5, 4.0];

/// Larger cells are not tried where this many in a row were no better.
const GIVE_UP: u32 = 2;

/// What one more level costs each body, by the built-in coefficients: the bodies of finer levels pass through the cache
/// once more.
const ANOTHER_LEVEL: f64 = 2e-9;

/// Levels of the fast grid and what they are predicted to take.
#[derive(Debug, Clone, PartialEq)]
pub struct RowTuning {
    /// The levels.
    pub levels: Levels,
    /// Who searches between them.
    pub direction: Direction,
    /// By the built-in coefficients, per particle.
    pub seconds: f64,
}

/// Levels and direction for the bodies of `now`: as many levels as suit them, or `count`; the direction that suits, or
/// the given one.
pub(crate) fn choose<const D: usize>(
    now: &Snapshot<'_, D>,
    count: Option<usize>,
    direction: Option<Direction>,
) -> Result<(Levels, Direction), Error> {
    let first = direction.unwrap_or_default();
    if count.is_none() && now.len() <= few_bodies::MAX_BODIES {
        return Ok((few_bodies::levels(now)?, first));
    }
    let Some(bodies) = BodySample::of(now) else { return Ok((Levels::from_cell_sizes(&[1.0])?, first)) };
    let model = bodies.model()?;
    let tuning = model.with_direction(first).tune(count)?;
    if direction.is_none() && tuning.levels.as_slice().len() > 1 && tuning.other_direction_may_pay(&model) {
        let other = model.with_direction(Direction::BottomUp).tune(count)?;
        if other.seconds < tuning.seconds {
            return Ok((other.levels, other.direction));
        }
    }
    Ok((tuning.levels, tuning.direction))
}

impl RowTuning {
    /// Whether searches between levels take so much of the time that it is worth asking what they take the other way
    /// round.
    fn other_direction_may_pay<const D: usize>(&self, model: &RowModel<'_, D>) -> bool {
        const WORTH_IT: f64 = 0.3;
        let work = model.with_direction(self.direction).predict(&self.levels).work;
        let none = RowWork { searches: 0.0, other_rows: 0.0, ..work };
        let by = Coefficients::BUILT_IN;
        by.seconds(&work) - by.seconds(&none) > WORTH_IT * self.seconds
    }
}

impl<const D: usize> RowModel<'_, D> {
    /// The levels with the least predicted time, by the built-in coefficients: as many as suit, or `count` where the
    /// bodies have that many sizes.
    pub fn tune(&self, count: Option<usize>) -> Result<RowTuning, Error> {
        if let Some(count) = count.filter(|count| !(1..=MAX_LEVELS).contains(count)) {
            return Err(Error::LevelCount { count });
        }
        let radii = RADII[usize::from(self.particles() >= MANY)];
        let ladder = Ladder::new(self, candidate_radii(self, count.map_or(radii, |count| radii.max(2 * count))));
        let most = count.unwrap_or(MAX_TRIED).min(ladder.rungs.len());
        let paths = ladder.shortest_paths(most);
        let best = match count {
            Some(_) => most,
            None => (1..=most).min_by(|&a, &b| paths.seconds(a).total_cmp(&paths.seconds(b))).unwrap_or(1),
        };
        let unit = self.sizes().unit();
        let mut levels: Vec<Level> = Vec::with_capacity(best);
        for (rung, size) in paths.levels(best).into_iter().rev() {
            let max_radius = ladder.rungs[rung].radius * unit;
            // Cells never get larger towards the finer levels, however few bodies these have.
            let coarser = levels.last().map_or(f64::INFINITY, |coarser| coarser.cell_size);
            levels.push(Level { max_radius, cell_size: (size * unit).min(coarser).max(2.0 * max_radius) });
        }
        levels.reverse();
        let levels = Levels::new(levels)?;
        let seconds = Coefficients::BUILT_IN.seconds(&self.predict(&levels).work);
        Ok(RowTuning { levels, direction: self.direction(), seconds })
    }
}

/// Radii in equal ratios, each moved down to a radius that occurs; the largest last. In the unit of the sizes.
fn candidate_radii<const D: usize>(model: &RowModel<'_, D>, count: usize) -> Vec<f64> {
    let sizes = model.sizes();
    let (smallest, largest) = (sizes.scaled_smallest(), sizes.scaled_largest());
    let at = |step: usize| smallest * (largest / smallest).powf(step as f64 / (count - 1) as f64);
    let occurring = |radius: f64| sizes.atoms().and_then(|atoms| atoms.at_or_below(radius)).unwrap_or(radius);
    let mut radii: Vec<f64> = (0..count - 1).map(|step| occurring(at(step))).filter(|&radius| radius > 0.0).collect();
    radii.push(largest);
    radii.dedup();
    radii.retain(|&radius| radius <= largest);
    radii
}

/// A radius where a level may end.
struct Rung {
    radius: f64,
    /// Moments of the bodies above it.
    above: Moments,
}

/// All radii where levels may end.
struct Ladder<'m, 'a, const D: usize> {
    model: &'m RowModel<'a, D>,
    rungs: Vec<Rung>,
    all: Moments,
    /// Sizes of cells with as many bodies as [`FILLINGS`], in those of cells with one.
    fillings: [f64; FILLINGS.len()],
}

impl<'m, 'a, const D: usize> Ladder<'m, 'a, D> {
    fn new(model: &'m RowModel<'a, D>, radii: Vec<f64>) -> Self {
        let above = |radius: f64| model.sizes().split(radius, Side::Above).moments;
        let rungs = radii.into_iter().map(|radius| Rung { radius, above: above(radius) }).collect();
        Self { model, rungs, all: above(f64::NEG_INFINITY), fillings: FILLINGS.map(root::<D>) }
    }

    /// For every number of levels up to `most`, the best level that ends at each rung.
    fn shortest_paths(&self, most: usize) -> Paths {
        let count = self.rungs.len();
        let coarser: Vec<Vec<Step>> =
            (0..count).map(|k| (0..k).map(|below| self.level(Some(below), k)).collect()).collect();
        let mut ends: Vec<Vec<Step>> = vec![(0..count).map(|k| self.level(None, k)).collect()];
        for levels in 1..most {
            let before = &ends[levels - 1];
            let next = (0..count).map(|k| {
                let steps = coarser[k].iter().zip(before);
                let sums = steps.enumerate().map(|(below, (step, before))| Step {
                    seconds: step.seconds + before.seconds,
                    below,
                    size: step.size,
                });
                sums.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).unwrap_or(Step::IMPOSSIBLE)
            });
            let next = next.collect();
            ends.push(next);
        }
        Paths { ends }
    }

    /// The level from the rung `below`, or from the smallest body, up to rung `k`, with the best cell size.
    fn level(&self, below: Option<usize>, k: usize) -> Step {
        let radius = self.rungs[k].radius;
        let above_lower = below.map_or(self.all, |below| self.rungs[below].above);
        let bodies: Moments = std::array::from_fn(|power| (above_lower[power] - self.rungs[k].above[power]).max(0.0));
        let searching = match self.model.direction() {
            Direction::TopDown => self.rungs[k].above,
            Direction::BottomUp => std::array::from_fn(|power| self.all[power] - above_lower[power]),
        };
        let least = 2.0 * radius;
        let mut best = Step::IMPOSSIBLE;
        let mut worse = 0;
        let for_one = self.model.size_for_one(bodies[0]);
        let larger = self.fillings.iter().map(|filling| for_one * filling);
        for size in std::iter::once(least).chain(larger.filter(|&size| size > least)) {
            let cells = self.model.cells(size, below.is_none());
            let work = self.model.level(radius, &cells, bodies, searching);
            // What a body costs on any level does not count for a single one.
            let another = if below.is_some() { ANOTHER_LEVEL } else { 0.0 };
            let seconds = Coefficients::BUILT_IN.seconds(&work) - Coefficients::BUILT_IN.body + another;
            if seconds < best.seconds {
                best = Step { seconds, below: below.unwrap_or(0), size };
                worse = 0;
            } else {
                worse += 1;
            }
            if worse == GIVE_UP {
                break;
            }
        }
        best
    }
}

/// The last level of a path.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Of the whole path.
    seconds: f64,
    /// The rung where the level begins.
    below: usize,
    /// Size of its cells.
    size: f64,
}

impl Step {
    const IMPOSSIBLE: Self = Self { seconds: f64::INFINITY, below: 0, size: f64::INFINITY };
}

struct Paths {
    ends: Vec<Vec<Step>>,
}

impl Paths {
    /// Seconds of the best path with this many levels.
    fn seconds(&self, levels: usize) -> f64 {
        self.ends[levels - 1].last().map_or(f64::INFINITY, |step| step.seconds)
    }

    /// Rung and cell size of each of its levels.
    fn levels(&self, levels: usize) -> Vec<(usize, f64)> {
        let mut rung = self.ends[0].len() - 1;
        let mut path = Vec::with_capacity(levels);
        for ends in self.ends[..levels].iter().rev() {
            path.push((rung, ends[rung].size));
            rung = ends[rung].below;
        }
        path.reverse();
        path
    }
}
