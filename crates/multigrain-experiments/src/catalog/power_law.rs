//! The setting of the model's figures: power laws of sizes in three dimensions, packing fraction 0.7, K = 0.2.

use crate::choices::Choices;
use crate::error::Result;
use crate::fit::log_space;
use multigrain::Direction;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain_papers::tuning::{CostModel, K_OF_SPHERES, Spacing, Tuning};

/// The setting in words, under every figure.
pub const SETTING: &str =
    "cost model, d = 3, packing fraction 0.7, K = 0.2, radii distributed as r^alpha between r_min and w r_min";

const PACKING_FRACTION: f64 = 0.7;

/// Parameters that figures of the model take.
pub const PARAMETERS: &[&str] = &["alpha", "w", "phi", "k"];

/// A power law and a direction of search.
#[derive(Debug, Clone, Copy)]
pub struct PowerLaw {
    pub alpha: f64,
    /// Size ratio, w.
    pub ratio: f64,
    pub direction: Direction,
    pub packing_fraction: f64,
    pub k: f64,
}

impl PowerLaw {
    /// A power law at the paper's packing fraction and K, or at those chosen.
    pub fn new(choices: &Choices, alpha: f64, ratio: f64, direction: Direction) -> Self {
        let (packing_fraction, k) = (choices.one("phi", PACKING_FRACTION), choices.one("k", K_OF_SPHERES));
        Self { alpha, ratio, direction, packing_fraction, k }
    }

    /// Uniform volumes, size ratio 100, Top-Down: the example of section 5.3, or what is chosen instead.
    pub fn example(choices: &Choices) -> Self {
        Self::new(choices, choices.one("alpha", -3.0), choices.one("w", 100.0), Direction::TopDown)
    }

    /// What tells it from others, but for its direction.
    pub fn key(&self) -> String {
        let Self { alpha, ratio, packing_fraction, k, .. } = self;
        format!("alpha={alpha},w={ratio},phi={packing_fraction},k={k}")
    }

    /// The levels of a spacing: a given number, or the best.
    pub fn tune(&self, spacing: Spacing, levels: Option<usize>) -> Result<Tuning> {
        let sizes = Distribution::of_law(&SizeLaw::power(self.alpha, self.ratio)?, 3)?;
        let model = CostModel::packed(&sizes, 3, self.packing_fraction)?.with_k(self.k)?;
        let model = model.with_direction(self.direction);
        Ok(spacing.tune(&model, levels)?)
    }
}

/// Size ratios that verdicts ask for, measured at any size of the run.
pub const ASKED: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// About `count` size ratios from 1 to 1000, and those [`ASKED`] for; or those chosen.
pub fn ratios(choices: &Choices, count: usize) -> Vec<f64> {
    let chosen: Vec<f64> = choices.list("w", &[]);
    if !chosen.is_empty() {
        return chosen;
    }
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
