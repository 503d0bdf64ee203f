//! The setting of the model's figures: power laws of sizes in three dimensions, packing fraction 0.7, K = 0.2.

use crate::fit::log_space;
use anyhow::Result;
use multigrain::Direction;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain_papers::tuning::{CostModel, Spacing, Tuning};

/// The setting in words, under every figure.
pub const SETTING: &str =
    "cost model, d = 3, packing fraction 0.7, K = 0.2, radii distributed as r^alpha between r_min and w r_min";

const PACKING_FRACTION: f64 = 0.7;

/// A power law and a direction of search.
#[derive(Debug, Clone, Copy)]
pub struct PowerLaw {
    pub alpha: f64,
    /// Size ratio, w.
    pub ratio: f64,
    pub direction: Direction,
}

impl PowerLaw {
    /// Uniform volumes, size ratio 100, Top-Down: the example of section 5.3.
    pub const EXAMPLE: Self = Self { alpha: -3.0, ratio: 100.0, direction: Direction::TopDown };

    /// The levels of a spacing: a given number, or the best.
    pub fn tune(&self, spacing: Spacing, levels: Option<usize>) -> Result<Tuning> {
        let sizes = Distribution::of_law(&SizeLaw::power(self.alpha, self.ratio)?, 3)?;
        let model = CostModel::packed(&sizes, 3, PACKING_FRACTION)?.with_direction(self.direction);
        Ok(spacing.tune(&model, levels)?)
    }
}

/// Size ratios that verdicts ask for, measured at any size of the run.
pub const ASKED: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// About `count` size ratios from 1 to 1000, and those [`ASKED`] for.
pub fn ratios(count: usize) -> Vec<f64> {
    let mut ratios = log_space(1.0, 1000.0, count);
    // Neighbours of those asked for give way to them.
    ratios.retain(|ratio| ASKED.iter().all(|asked| (ratio / asked).ln().abs() > 1e-3));
    ratios.extend(ASKED);
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// A number with two digits after the point.
pub fn two(value: f64) -> String {
    format!("{value:.2}")
}
