//! Radii with density `r^exponent` between two bounds.

use crate::distribution::Moments;

/// The truncated power law (optimal-hgrid, eq. 29 and 30).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PowerLaw {
    exponent: f64,
    smallest: f64,
    largest: f64,
    /// Powers are taken of `r / reference`, the end of the range where most bodies are, so that none overflows.
    log_reference: f64,
    /// Factor of each integral: `reference^k` over the integral of the density.
    factors: Moments,
}

impl PowerLaw {
    /// Density `r^exponent` on `smallest..=largest`, for `0 < smallest < largest`.
    pub fn new(exponent: f64, smallest: f64, largest: f64) -> Self {
        let reference: f64 = if exponent < -1.0 { smallest } else { largest };
        let mut law = Self { exponent, smallest, largest, log_reference: reference.ln(), factors: [1.0; 4] };
        let norm = law.between(smallest, largest)[0];
        law.factors = [0, 1, 2, 3].map(|k| reference.powi(k) / norm);
        law
    }

    pub fn smallest(&self) -> f64 {
        self.smallest
    }

    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Moments of the radii in `a..b`.
    ///
    /// The integral of `r^(q-1)` is `ln(b/a)` times the mean of `r^q` over equal steps of `ln r`. Written with
    /// `(1 - exp(-t)) / t` it holds for `q` of any sign and size, near zero and exactly there: exponents -1 and -1-d
    /// need no form of their own.
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
        let width = ((b - a) / a).ln_1p();
        let (log_a, log_b) = (a.ln() - self.log_reference, b.ln() - self.log_reference);
        std::array::from_fn(|k| {
            let q = self.exponent + 1.0 + k as f64;
            let fall = (q * width).abs();
            let mean = if fall > 0.0 { -(-fall).exp_m1() / fall } else { 1.0 };
            self.factors[k] * width * mean * (q * log_a).max(q * log_b).exp()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gauss-Legendre with two points on many panels of equal width in `ln r`.
    fn by_quadrature(exponent: f64, k: f64, a: f64, b: f64) -> f64 {
        let panels = 40_000;
        let step = (b / a).ln() / f64::from(panels);
        let node = 0.5 / 3f64.sqrt();
        (0..panels)
            .flat_map(|panel| [0.5 - node, 0.5 + node].map(|at| a.ln() + (f64::from(panel) + at) * step))
            .map(|log| ((exponent + k + 1.0) * log).exp() * 0.5 * step)
            .sum()
    }

    #[test]
    fn moments_are_the_integrals_for_every_exponent() {
        for exponent in [-9.0, -4.0, -4.0 + 1e-9, -3.5, -3.0, -2.0, -1.0 - 1e-13, -1.0, -1.0 + 1e-7, 0.0, 0.5, 6.0] {
            let law = PowerLaw::new(exponent, 1.0, 50.0);
            let norm = by_quadrature(exponent, 0.0, 1.0, 50.0);
            for (a, b) in [(1.0, 50.0), (2.0, 3.0), (1.0, 1.001), (49.0, 50.0)] {
                let moments = law.between(a, b);
                for (k, moment) in moments.into_iter().enumerate() {
                    let expected = by_quadrature(exponent, k as f64, a, b) / norm;
                    assert!((moment / expected - 1.0).abs() < 1e-9, "{exponent} {k} {a} {b}: {moment} {expected}");
                }
            }
        }
    }

    #[test]
    fn extreme_exponents_and_ranges_stay_finite() {
        for exponent in [-300.0, -50.0, 50.0, 300.0] {
            let law = PowerLaw::new(exponent, 1e-6, 1.0);
            let (below, above) = (law.between(0.0, 1e-3), law.between(1e-3, 2.0));
            assert!((below[0] + above[0] - 1.0).abs() < 1e-12, "{exponent} {below:?} {above:?}");
            assert!(below.iter().chain(&above).all(|moment| moment.is_finite()), "{exponent} {below:?} {above:?}");
        }
        // One part in 1e12 above the smallest radius: number over width is the density there, 2 for w to infinity.
        let law = PowerLaw::new(-3.0, 1.0, 1e6);
        let sliver = law.between(1.0, 1.0 + 1e-12)[0] / ((1.0 + 1e-12) - 1.0);
        assert!((sliver - 2.0).abs() < 1e-8, "{sliver}");
    }
}
