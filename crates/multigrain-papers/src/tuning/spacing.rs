//! Ways to choose the cell sizes of the levels, and their number (optimal-hgrid, section 5).

use super::constant_ratio::constant_ratio;
use super::model::CostModel;
use super::optimal::optimal;
use multigrain::Direction;
use multigrain::Error;
use multigrain::limits::MAX_LEVELS;

/// How cell sizes follow one another from the smallest diameter to the largest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Spacing {
    /// Equal steps, eq. 34.
    Linear,
    /// Equal ratios, eq. 36.
    Exponential,
    /// Bodies per cell in a constant ratio from each level to the next coarser one, eq. 37; 1 is the same on all levels.
    ConstantRatio(f64),
    /// Least work of all.
    Optimal,
}

/// Chosen levels and what they cost. Sizes are in the unit of the radii (of a law: its smallest radius).
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// Cell size of each level, ascending; the last is the largest diameter.
    pub cell_sizes: Vec<f64>,
    /// Work per particle, `T/N`, in units of a pair test.
    pub work: f64,
    /// Candidate pairs per particle.
    pub candidates_per_particle: f64,
    /// Cells looked at per particle.
    pub cells_per_particle: f64,
    /// Work per particle of a single level, the linked cell.
    pub linked_cell_work: f64,
    /// Bodies per cell of each level.
    pub particles_per_cell: Vec<f64>,
    /// Share of all bodies on each level.
    pub share_of_particles: Vec<f64>,
    /// Which of two bodies on different levels searches for the other.
    pub direction: Direction,
    /// Cost of looking at a cell, in units of a pair test.
    pub k: f64,
}

impl Spacing {
    /// The levels of this spacing with the least work, or those of a given number of levels.
    ///
    /// Sizes that coincide count once. [`Optimal`](Self::Optimal) takes a given number as the most levels there may be:
    /// it leaves out those that do not pay. Without a number it takes the fewest levels whose work is within
    /// one part in 100,000 of the least.
    pub fn tune(self, model: &CostModel, levels: Option<usize>) -> Result<Tuning, Error> {
        if let Some(count) = levels
            && !(1..=MAX_LEVELS).contains(&count)
        {
            return Err(Error::LevelCount { count });
        }
        if let Self::ConstantRatio(ratio) = self
            && !(1e-3..=1e3).contains(&ratio)
        {
            let (what, must) = ("ratio of particles per cell", "must be between 0.001 and 1000");
            return Err(Error::Parameter { what, value: ratio, must });
        }
        let sizes = match (self, levels) {
            (Self::Optimal, levels) => optimal(model, levels),
            (_, Some(levels)) => self.sizes(model, levels),
            (_, None) => self.best_number(model),
        };
        Ok(Tuning::new(model, sizes))
    }

    /// The sizes of `levels` levels; not for the optimal ones.
    fn sizes(self, model: &CostModel, levels: usize) -> Vec<f64> {
        let smallest = 2.0 * model.sizes().scaled_smallest();
        let largest = 2.0 * model.sizes().scaled_largest();
        let at = |level: usize| level as f64 / levels as f64;
        let mut sizes: Vec<f64> = match self {
            Self::Linear => (1..levels).map(|level| smallest + at(level) * (largest - smallest)).collect(),
            Self::Exponential => (1..levels).map(|level| smallest * (largest / smallest).powf(at(level))).collect(),
            Self::ConstantRatio(ratio) => constant_ratio(model, ratio, levels),
            Self::Optimal => vec![],
        };
        sizes.retain(|&size| size < largest);
        sizes.push(largest);
        sizes.dedup();
        sizes
    }

    /// The sizes with the number of levels that needs the least work.
    fn best_number(self, model: &CostModel) -> Vec<f64> {
        let mut best = (f64::INFINITY, 0, vec![]);
        let mut try_number = |levels: usize| {
            let sizes = self.sizes(model, levels);
            let work = model.predict_scaled(&sizes).work;
            if work < best.0 {
                best = (work, levels, sizes);
            }
            best.1
        };
        if !matches!(self, Self::ConstantRatio(_)) {
            for levels in 1..=MAX_LEVELS {
                try_number(levels);
            }
            return best.2;
        }
        // Solving for constant ratios takes a while, and work changes smoothly with large numbers: they are tried in
        // steps, until well beyond the minimum, and then around the best.
        let step = |levels: usize| (levels / 16).max(1);
        let mut levels = 1;
        let mut around = 1;
        while levels <= MAX_LEVELS.min(2 * around + 8) {
            around = try_number(levels);
            levels += step(levels);
        }
        for levels in around + 1 - step(around)..MAX_LEVELS.min(around + step(around)) {
            try_number(levels);
        }
        best.2
    }
}

impl Tuning {
    /// Levels of given cell sizes, of which the last must hold the largest body, and what they cost.
    pub fn of_cell_sizes(model: &CostModel, cell_sizes: &[f64]) -> Result<Self, Error> {
        model.predict(cell_sizes)?;
        Ok(Self::new(model, cell_sizes.iter().map(|size| size / model.sizes().unit()).collect()))
    }

    /// Levels of given cell sizes, in the distribution's unit, and what they cost.
    pub(super) fn new(model: &CostModel, sizes: Vec<f64>) -> Self {
        let unit = model.sizes().unit();
        let prediction = model.predict_scaled(&sizes);
        let linked_cell = model.predict_scaled(&[2.0 * model.sizes().scaled_largest()]);
        Self {
            cell_sizes: sizes.into_iter().map(|size| size * unit).collect(),
            work: prediction.work,
            candidates_per_particle: prediction.candidates_per_particle,
            cells_per_particle: prediction.cells_per_particle,
            linked_cell_work: linked_cell.work,
            particles_per_cell: prediction.particles_per_cell,
            share_of_particles: prediction.share_of_particles,
            direction: model.direction(),
            k: model.k(),
        }
    }
}
