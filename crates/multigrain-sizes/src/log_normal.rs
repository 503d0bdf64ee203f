//! Radii whose logarithms are normally distributed, between two bounds.

use std::f64::consts::SQRT_2;

use crate::distribution::Moments;
use crate::erf::erf_between;

/// The truncated log-normal law.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LogNormal {
    log_median: f64,
    sigma: f64,
    smallest: f64,
    largest: f64,
    norm: f64,
}

impl LogNormal {
    /// Logarithms with standard deviation `sigma` around the middle of those of the bounds, for
    /// `0 < smallest < largest`.
    pub fn new(sigma: f64, smallest: f64, largest: f64) -> Self {
        let log_median = 0.5 * (smallest.ln() + largest.ln());
        let mut law = Self { log_median, sigma, smallest, largest, norm: 1.0 };
        law.norm = law.between(smallest, largest)[0];
        law
    }

    pub fn smallest(&self) -> f64 {
        self.smallest
    }

    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Moments of the radii in `a..b`: `r^k` only moves the centre of the bell, by `k sigma^2`.
    pub fn between(&self, a: f64, b: f64) -> Moments {
        self.integrals(a, b)
    }

    /// Share of the radii in `a..b`: the first of the moments, at a quarter of the price.
    pub fn share(&self, a: f64, b: f64) -> f64 {
        let [share] = self.integrals(a, b);
        share
    }

    fn integrals<const COUNT: usize>(&self, a: f64, b: f64) -> [f64; COUNT] {
        let (a, b) = (a.max(self.smallest), b.min(self.largest));
        if a >= b {
            return [0.0; COUNT];
        }
        let log_a = a.ln();
        let log_b = log_a + ((b - a) / a).ln_1p();
        let variance = self.sigma * self.sigma;
        std::array::from_fn(|k| {
            let k = k as f64;
            let center = self.log_median + k * variance;
            let log_factor = k * self.log_median + 0.5 * k * k * variance;
            let deviations = |log: f64| (log - center) / (SQRT_2 * self.sigma);
            0.5 * erf_between(log_factor, deviations(log_a), deviations(log_b)) / self.norm
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_the_integrals_for_every_width() {
        for (sigma, ratio) in [(0.1, 2.0), (0.3, 6.0), (1.0, 400.0), (30.0, 100.0)] {
            let law = LogNormal::new(sigma, 1.0, ratio);
            let middle = 0.5 * f64::ln(ratio);
            let integral = |k: f64, a: f64, b: f64| {
                let panels = 40_000;
                let step = (b / a).ln() / f64::from(panels);
                let at = |panel: i32| {
                    let log = a.ln() + (f64::from(panel) + 0.5) * step;
                    (k * log - 0.5 * ((log - middle) / sigma).powi(2)).exp() * step
                };
                (0..panels).map(at).sum::<f64>()
            };
            let norm = integral(0.0, 1.0, ratio);
            for (a, b) in [(1.0, ratio), (1.2, 1.3), (1.0, ratio.sqrt()), (0.99 * ratio, ratio)] {
                for (k, moment) in law.between(a, b).into_iter().enumerate() {
                    let expected = integral(k as f64, a, b) / norm;
                    assert!((moment / expected - 1.0).abs() < 1e-7, "{sigma} {k} {a} {b}: {moment} {expected}");
                }
            }
        }
    }

    #[test]
    fn a_very_wide_bell_is_a_power_law_with_exponent_minus_one() {
        let wide = LogNormal::new(1e4, 1.0, 1e6);
        let flat = crate::power_law::PowerLaw::new(-1.0, 1.0, 1e6);
        for (value, expected) in wide.between(10.0, 1e5).into_iter().zip(flat.between(10.0, 1e5)) {
            assert!((value / expected - 1.0).abs() < 1e-5, "{value} {expected}");
        }
    }
}
