//! Size laws: how radii are distributed, and samples of them.

use crate::{Error, MAX_LENGTH, normal};

/// A law of sizes by number, in units of its smallest radius: radii run from 1 to [`ratio`](Self::ratio).
///
/// Laws come from the constructors, which check their parameters. Uniform sizes are a power law with exponent 0.
///
/// ```
/// use multigrain_sizes::SizeLaw;
/// let uniform = SizeLaw::power(0.0, 5.0)?;
/// assert_eq!(uniform.sample(4, 3), [1.5, 2.5, 3.5, 4.5]);
/// # Ok::<(), multigrain_sizes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
#[non_exhaustive]
pub enum SizeLaw {
    /// All radii are 1.
    Mono,
    /// Density proportional to `r^exponent` on `[1, ratio]`.
    #[non_exhaustive]
    Power {
        /// Exponent of the density: 0 uniform sizes, -2 uniform areas, -3 uniform volumes.
        exponent: f64,
        /// Largest radius.
        ratio: f64,
    },
    /// Radii 1 and `ratio`, in numbers that give both the same total volume, so that they depend on the dimension.
    #[non_exhaustive]
    Bidisperse {
        /// The larger radius.
        ratio: f64,
    },
    /// The logarithm of the radius is normal around `ln(ratio) / 2` and cut off at `[1, ratio]`.
    #[non_exhaustive]
    LogNormal {
        /// Standard deviation of the logarithm, before the cut.
        sigma: f64,
        /// Largest radius.
        ratio: f64,
    },
    /// Radii with weights (shares of the number), ascending, in units of the smallest.
    #[non_exhaustive]
    Table(Vec<(f64, f64)>),
}

impl SizeLaw {
    /// Density proportional to `r^exponent` on `[1, ratio]`.
    pub fn power(exponent: f64, ratio: f64) -> Result<Self, Error> {
        if !exponent.is_finite() {
            return Err(Error::Parameter {
                what: "exponent of the power law",
                value: exponent,
                must: "must be finite",
            });
        }
        Ok(Self::Power { exponent, ratio: valid_ratio(ratio)? })
    }

    /// Every radius in `[1, ratio]` equally likely.
    pub fn uniform(ratio: f64) -> Result<Self, Error> {
        Self::power(0.0, ratio)
    }

    /// Radii 1 and `ratio` with equal total volumes.
    pub fn bidisperse(ratio: f64) -> Result<Self, Error> {
        Ok(Self::Bidisperse { ratio: valid_ratio(ratio)? })
    }

    /// Log-normal sizes within three standard deviations of the median: cut off at `[1, exp(6 sigma)]`.
    pub fn log_normal(sigma: f64) -> Result<Self, Error> {
        let ratio = (6.0 * sigma).exp();
        if sigma > 0.0 && ratio > MAX_LENGTH {
            return Err(Error::Parameter {
                what: "sigma of the log-normal law",
                value: sigma,
                must: "must be below 57, or needs a size ratio of its own",
            });
        }
        Self::log_normal_within(sigma, ratio)
    }

    /// Log-normal sizes with median `sqrt(ratio)`, cut off at `[1, ratio]`.
    pub fn log_normal_within(sigma: f64, ratio: f64) -> Result<Self, Error> {
        if !(sigma > 0.0 && sigma.is_finite()) {
            return Err(Error::Parameter {
                what: "sigma of the log-normal law",
                value: sigma,
                must: "must be positive and finite",
            });
        }
        Ok(Self::LogNormal { sigma, ratio: valid_ratio(ratio)? })
    }

    /// Radii with their weights (shares of the number), in any order and unit. The law has them ascending and divided by
    /// the smallest; entries of weight 0 are left out.
    pub fn table(entries: &[(f64, f64)]) -> Result<Self, Error> {
        for &(radius, weight) in entries {
            if !(radius > 0.0 && radius.is_finite()) {
                let must = "must be positive and finite";
                return Err(Error::Parameter { what: "a radius of the size table", value: radius, must });
            }
            if !(weight >= 0.0 && weight.is_finite()) {
                let must = "must be finite and not negative";
                return Err(Error::Parameter { what: "a weight of the size table", value: weight, must });
            }
        }
        let mut entries: Vec<(f64, f64)> = entries.iter().copied().filter(|&(_, weight)| weight > 0.0).collect();
        entries.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(smallest, _)) = entries.first() else {
            let must = "must be positive for at least one radius";
            return Err(Error::Parameter { what: "the largest weight of the size table", value: 0.0, must });
        };
        for (radius, _) in &mut entries {
            *radius = valid_ratio(*radius / smallest)?;
        }
        let total: f64 = entries.iter().map(|&(_, weight)| weight).sum();
        if !total.is_finite() {
            let must = "must be finite";
            return Err(Error::Parameter { what: "the sum of weights of the size table", value: total, must });
        }
        Ok(Self::Table(entries))
    }

    /// Largest radius, in units of the smallest.
    pub fn ratio(&self) -> f64 {
        match self {
            Self::Mono => 1.0,
            Self::Power { ratio, .. } | Self::Bidisperse { ratio } | Self::LogNormal { ratio, .. } => *ratio,
            Self::Table(entries) => entries.last().map_or(1.0, |&(radius, _)| radius),
        }
    }

    /// The radius that a share `p` of all bodies does not exceed, `p` from 0 to 1.
    pub fn quantile(&self, p: f64, dimension: usize) -> f64 {
        if p <= 0.0 {
            return 1.0;
        }
        if p >= 1.0 {
            return self.ratio();
        }
        match self {
            Self::Mono => 1.0,
            Self::Power { exponent, ratio } => power_quantile(p, exponent + 1.0, *ratio),
            Self::Bidisperse { ratio } => {
                if p <= 1.0 - share_of_large(*ratio, dimension) {
                    1.0
                } else {
                    *ratio
                }
            }
            Self::LogNormal { sigma, ratio } => log_normal_quantile(p, *sigma, *ratio),
            Self::Table(entries) => TableWalk::new(entries).advance_to(p),
        }
    }

    /// `count` radii, ascending: the quantiles at `(k + 1/2) / count`. Being systematic instead of random, the sample is as
    /// close to the law as its size allows, and rare large bodies are there every time.
    ///
    /// Bidisperse samples have both sizes from two bodies on, in numbers that bring their volumes as close as can be.
    pub fn sample(&self, count: usize, dimension: usize) -> Vec<f64> {
        let at = |k: usize| (k as f64 + 0.5) / count as f64;
        match self {
            Self::Bidisperse { ratio } => {
                let large = (count as f64 * share_of_large(*ratio, dimension)).round() as usize;
                let large = if count < 2 { large } else { large.clamp(1, count - 1) };
                let mut radii = vec![1.0; count];
                radii[count - large..].fill(*ratio);
                radii
            }
            Self::Table(entries) => {
                let mut walk = TableWalk::new(entries);
                (0..count).map(|k| walk.advance_to(at(k))).collect()
            }
            _ => {
                let mut radii: Vec<f64> = (0..count).map(|k| self.quantile(at(k), dimension)).collect();
                // Neighbours closer than the rounding of the quantile may come out in the wrong order.
                radii.sort_unstable_by(f64::total_cmp);
                radii
            }
        }
    }
}

/// Volume of a ball: area in two dimensions, `4 pi / 3 r^3` in three.
pub fn ball_volume(radius: f64, dimension: usize) -> f64 {
    // V_d = V_(d-2) 2 pi / d from V_0 = 1, V_1 = 2.
    let (mut unit, mut d) = if dimension.is_multiple_of(2) { (1.0, 2) } else { (2.0, 3) };
    while d <= dimension {
        unit *= 2.0 * std::f64::consts::PI / d as f64;
        d += 2;
    }
    unit * radius.powi(dimension as i32)
}

fn valid_ratio(ratio: f64) -> Result<f64, Error> {
    if (1.0..=MAX_LENGTH).contains(&ratio) {
        return Ok(ratio);
    }
    Err(Error::Parameter { what: "size ratio", value: ratio, must: "must be between 1 and 1e150" })
}

/// Share of the number that bodies of radius `ratio` have when their volume equals that of the bodies of radius 1.
fn share_of_large(ratio: f64, dimension: usize) -> f64 {
    1.0 / (1.0 + ratio.powi(dimension as i32))
}

/// Inverts `(r^b - 1) / (ratio^b - 1) = p`, and `ln r / ln ratio = p` for `b` = 0, without overflow for any `b`.
fn power_quantile(p: f64, b: f64, ratio: f64) -> f64 {
    let log_ratio = ratio.ln();
    let x = b * log_ratio;
    if b == 1.0 {
        return 1.0 + p * (ratio - 1.0);
    }
    let log_radius = if x == 0.0 {
        p * log_ratio
    } else if x.abs() <= 1.0 {
        (p * x.exp_m1()).ln_1p() / b
    } else if x < 0.0 {
        ((1.0 - p) + p * x.exp()).ln() / b
    } else {
        log_ratio + (p + (1.0 - p) * (-x).exp()).ln() / b
    };
    log_radius.exp().clamp(1.0, ratio)
}

fn log_normal_quantile(p: f64, sigma: f64, ratio: f64) -> f64 {
    // The law of ln r is symmetric about its middle: the lower half is computed, the upper one mirrored.
    let half_width = 0.5 * ratio.ln() / sigma;
    let cut_off = normal::lower_tail(half_width);
    let side = p.min(1.0 - p);
    let deviations = normal::deviations_below(cut_off + side * (1.0 - 2.0 * cut_off)).min(half_width);
    let log_radius = if p <= 0.5 { half_width - deviations } else { half_width + deviations };
    (sigma * log_radius).exp().clamp(1.0, ratio)
}

/// Walks a table upwards along its cumulated weights.
struct TableWalk<'a> {
    entries: &'a [(f64, f64)],
    total: f64,
    at: usize,
    /// Weight of all entries up to and including `at`.
    cumulated: f64,
}

impl<'a> TableWalk<'a> {
    fn new(entries: &'a [(f64, f64)]) -> Self {
        let total = entries.iter().map(|&(_, weight)| weight).sum();
        Self { entries, total, at: 0, cumulated: entries.first().map_or(0.0, |&(_, weight)| weight) }
    }

    /// The radius at share `p`, which must not be below that of the call before.
    fn advance_to(&mut self, p: f64) -> f64 {
        while self.cumulated < p * self.total && self.at + 1 < self.entries.len() {
            self.at += 1;
            self.cumulated += self.entries[self.at].1;
        }
        self.entries.get(self.at).map_or(1.0, |&(radius, _)| radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laws() -> Vec<SizeLaw> {
        vec![
            SizeLaw::Mono,
            SizeLaw::uniform(50.0).unwrap(),
            SizeLaw::power(-1.0, 50.0).unwrap(),
            SizeLaw::power(-3.0, 1000.0).unwrap(),
            SizeLaw::power(2.5, 7.0).unwrap(),
            SizeLaw::bidisperse(10.0).unwrap(),
            SizeLaw::log_normal(0.3).unwrap(),
            SizeLaw::log_normal_within(1.0, 20.0).unwrap(),
            SizeLaw::table(&[(2.0, 1.0), (1.0, 5.0), (4.0, 0.25)]).unwrap(),
        ]
    }

    #[test]
    fn samples_ascend_within_the_law_and_are_its_quantiles() {
        for law in laws() {
            let sample = law.sample(1001, 3);
            assert!(sample.is_sorted(), "{law:?}");
            assert!(sample[0] >= 1.0 && sample[1000] <= law.ratio(), "{law:?}");
            assert_eq!((law.quantile(0.0, 3), law.quantile(1.0, 3)), (1.0, law.ratio()), "{law:?}");
            for (k, &radius) in sample.iter().enumerate().step_by(100) {
                // At the jumps of a discrete law rounding decides; look a little to either side.
                let p = (k as f64 + 0.5) / 1001.0;
                let (below, above) = (law.quantile(p - 1e-3, 3), law.quantile(p + 1e-3, 3));
                assert!((below * (1.0 - 1e-12)..=above * (1.0 + 1e-12)).contains(&radius), "{law:?} {p} {radius}");
            }
        }
    }

    #[test]
    fn power_law_quantiles_invert_the_distribution_for_every_exponent() {
        for exponent in [-400.0, -4.0, -3.0, -2.0, -1.0 - 1e-12, -1.0, -1.0 + 1e-9, -0.5, 0.0, 1.0, 3.0, 400.0] {
            let law = SizeLaw::power(exponent, 100.0).unwrap();
            let b = exponent + 1.0;
            for k in 1..20 {
                let p = f64::from(k) / 20.0;
                let r = law.quantile(p, 3);
                let share = if b.abs() < 1e-8 {
                    r.ln() / 100f64.ln()
                } else if b < 100.0 {
                    (r.powf(b) - 1.0) / (100f64.powf(b) - 1.0)
                } else {
                    (r / 100.0).powf(b)
                };
                assert!((share - p).abs() < 1e-7, "exponent {exponent}: {p} gives {r}, {share}");
            }
        }
        assert_eq!(SizeLaw::power(-3.0, 1.0).unwrap().sample(3, 2), [1.0; 3]);
    }

    #[test]
    fn log_normal_median_is_the_geometric_middle_and_sides_mirror() {
        let law = SizeLaw::log_normal(0.5).unwrap();
        assert!((law.ratio() - 3f64.exp()).abs() < 1e-12);
        assert!((law.quantile(0.5, 3) - 1.5f64.exp()).abs() < 1e-12);
        for p in [0.001, 0.1, 0.3] {
            let product = law.quantile(p, 3) * law.quantile(1.0 - p, 3);
            assert!((product / law.ratio() - 1.0).abs() < 1e-10, "{p}");
        }
        // One standard deviation below the median: 15.87 % of the whole law, less and rescaled by the cut.
        let share = (0.15865525393145707 - 0.0013498980316300946) / (1.0 - 2.0 * 0.0013498980316300946);
        assert!((law.quantile(share, 3) - (1.5f64 - 0.5).exp()).abs() < 1e-9);
        assert!((SizeLaw::log_normal_within(0.1, 1e100).unwrap().quantile(0.5, 3) / 1e50 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn bidisperse_volumes_are_as_equal_as_whole_bodies_allow() {
        for (count, dimension, ratio) in [(2, 3, 100.0), (11_011, 3, 10.0), (1010, 2, 10.0), (5000, 2, 1.5)] {
            let sample = SizeLaw::bidisperse(ratio).unwrap().sample(count, dimension);
            let large = sample.iter().filter(|&&radius| radius == ratio).count();
            let volume = |large: usize| (count - large) as f64 - large as f64 * ratio.powi(dimension as i32);
            assert!(large >= 1 && large < count);
            for other in [large - 1, large + 1] {
                assert!(volume(large).abs() <= volume(other).abs() || other == 0, "{count} {dimension}: {large}");
            }
        }
        let exact = SizeLaw::bidisperse(10.0).unwrap().sample(11_011, 3);
        assert_eq!(exact.iter().filter(|&&radius| radius == 10.0).count(), 11);
        assert_eq!(SizeLaw::bidisperse(10.0).unwrap().sample(1, 3), [1.0]);
    }

    #[test]
    fn tables_are_sorted_scaled_and_sampled_by_weight() {
        let law = SizeLaw::table(&[(0.4, 1.0), (0.1, 2.0), (0.3, 0.0), (0.2, 1.0)]).unwrap();
        assert_eq!(law, SizeLaw::Table(vec![(1.0, 2.0), (2.0, 1.0), (4.0, 1.0)]));
        assert_eq!(law.sample(8, 3), [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0]);
        assert_eq!(law.ratio(), 4.0);
    }

    #[test]
    fn names_the_parameter_that_is_wrong() {
        let text = |law: Result<SizeLaw, Error>| law.unwrap_err().to_string();
        assert_eq!(text(SizeLaw::power(f64::NAN, 2.0)), "exponent of the power law is NaN, must be finite");
        assert_eq!(text(SizeLaw::uniform(0.5)), "size ratio is 0.5, must be between 1 and 1e150");
        assert_eq!(text(SizeLaw::bidisperse(f64::INFINITY)), "size ratio is inf, must be between 1 and 1e150");
        assert_eq!(text(SizeLaw::log_normal(0.0)), "sigma of the log-normal law is 0, must be positive and finite");
        assert!(text(SizeLaw::log_normal(60.0)).starts_with("sigma of the log-normal law is 60, must be below 57"));
        assert!(
            text(SizeLaw::log_normal(f64::NAN)).starts_with("sigma of the log-normal law is NaN, must be positive")
        );
        assert_eq!(
            text(SizeLaw::table(&[(-1.0, 1.0)])),
            "a radius of the size table is -1, must be positive and finite"
        );
        assert!(text(SizeLaw::table(&[(1.0, -1.0)])).starts_with("a weight of the size table is -1"));
        assert!(text(SizeLaw::table(&[])).starts_with("the largest weight of the size table is 0"));
    }

    #[test]
    fn balls_have_their_volumes() {
        use std::f64::consts::PI;
        assert_eq!(ball_volume(3.0, 2), PI * 9.0);
        assert!((ball_volume(2.0, 3) - 32.0 * PI / 3.0).abs() < 1e-13);
        assert_eq!(ball_volume(2.0, 1), 4.0);
    }
}
