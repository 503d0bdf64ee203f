//! How sizes are distributed: shares of the number and moments of the radius over any interval, exactly.

use crate::atoms::Atoms;
use crate::law::SizeLaw;
use crate::log_normal::LogNormal;
use crate::power_law::PowerLaw;
use crate::{Error, MAX_LENGTH, MIN_LENGTH};

/// Integrals of `r^k f(r)` over an interval, for `k` = 0 (the share of the number) to 3.
pub type Moments = [f64; 4];

/// A distribution of radii by number: a law, or a sample of radii.
///
/// ```
/// use multigrain_sizes::{Distribution, SizeLaw};
/// let uniform = Distribution::of_law(&SizeLaw::uniform(5.0)?, 3)?;
/// assert!((uniform.between(2.0, 3.0)[0] - 0.25).abs() < 1e-15);
/// let sample = Distribution::of_radii(&[1.0, 4.0, 2.0, 1.0])?;
/// assert_eq!(sample.between(0.0, 2.0), [0.75, 1.0, 1.5, 2.5]);
/// # Ok::<(), multigrain_sizes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    shape: Shape,
    /// Inside, radii are in this unit: a power of two, so that nothing is rounded, between 1/2 of and the largest
    /// radius, so that no power of it overflows.
    unit: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Power(PowerLaw),
    LogNormal(LogNormal),
    Atoms(Atoms),
}

/// What lies on either side of a radius. A body of just that radius lies below: it fits a cell of twice its radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Share of the number up to the radius.
    pub share_below: f64,
    /// Share of the number above it.
    pub share_above: f64,
    /// Moments of the bodies on one side.
    pub moments: Moments,
}

/// A side of a radius.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Bodies up to the radius.
    Below,
    /// Bodies above it.
    Above,
}

impl Split {
    /// Share of the number between two splits: from the side where it is the difference of smaller numbers.
    pub fn share_up_to(&self, other: &Self) -> f64 {
        if other.share_below < 0.5 {
            other.share_below - self.share_below
        } else {
            self.share_above - other.share_above
        }
    }
}

/// Sizes further than this below the largest are not told apart: third powers of their ratio would overflow.
const WIDEST: f64 = 1e90;

impl Distribution {
    /// A law of sizes, whose smallest radius is 1. The dimension matters for laws in terms of volume (bidisperse).
    pub fn of_law(law: &SizeLaw, dimension: usize) -> Result<Self, Error> {
        let ratio = law.ratio();
        if ratio > WIDEST {
            return Err(Error::Parameter { what: "size ratio", value: ratio, must: "must be at most 1e90 for tuning" });
        }
        let unit = power_of_two_below(ratio);
        let (smallest, largest) = (1.0 / unit, ratio / unit);
        let shape = match law {
            SizeLaw::Power { exponent, .. } if ratio > 1.0 => Shape::Power(PowerLaw::new(*exponent, smallest, largest)),
            SizeLaw::LogNormal { sigma, .. } if ratio > 1.0 => {
                Shape::LogNormal(LogNormal::new(*sigma, smallest, largest))
            }
            SizeLaw::Bidisperse { .. } if ratio > 1.0 => {
                let large = 1.0 / (1.0 + ratio.powi(dimension as i32));
                Shape::Atoms(Atoms::weighted(vec![smallest, largest], vec![1.0 - large, large]))
            }
            SizeLaw::Table(entries) => {
                let (radii, weights) = entries.iter().map(|&(radius, weight)| (radius / unit, weight)).unzip();
                Shape::Atoms(Atoms::weighted(radii, weights))
            }
            _ => Shape::Atoms(Atoms::sample(std::iter::once(1.0))),
        };
        Ok(Self { shape, unit })
    }

    /// The radii themselves, in any order. Costs one sort. At least one must be above 0.
    pub fn of_radii(radii: &[f64]) -> Result<Self, Error> {
        let mut largest = 0.0f64;
        for (particle, &value) in radii.iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::RadiusNotFinite { particle, value });
            }
            if value < 0.0 {
                return Err(Error::RadiusNegative { particle, value });
            }
            if value > MAX_LENGTH || (value != 0.0 && value < MIN_LENGTH) {
                return Err(Error::RadiusOutOfRange { particle, value });
            }
            largest = largest.max(value);
        }
        if largest == 0.0 {
            let (what, must) = ("largest radius", "must be above 0: without a size there is nothing to tune");
            return Err(Error::Parameter { what, value: largest, must });
        }
        let unit = power_of_two_below(largest);
        Ok(Self { shape: Shape::Atoms(Atoms::sample(radii.iter().map(|radius| radius / unit))), unit })
    }

    /// Ascending radii, not negative, the last above 0, that stand for this many bodies each.
    #[doc(hidden)]
    pub fn of_weighted(radii: Vec<f64>, weights: Vec<f64>) -> Self {
        let unit = power_of_two_below(radii[radii.len() - 1]);
        let scaled = radii.into_iter().map(|radius| radius / unit).collect();
        Self { shape: Shape::Atoms(Atoms::weighted(scaled, weights)), unit }
    }

    /// Smallest radius above 0.
    pub fn smallest(&self) -> f64 {
        self.unit
            * match &self.shape {
                Shape::Power(law) => law.smallest(),
                Shape::LogNormal(law) => law.smallest(),
                Shape::Atoms(atoms) => atoms.smallest_above_zero(),
            }
    }

    /// Largest radius.
    pub fn largest(&self) -> f64 {
        self.unit * self.scaled_largest()
    }

    /// Moments of the radii above `a` and up to `b`.
    pub fn between(&self, a: f64, b: f64) -> Moments {
        let mut scale = 1.0;
        self.scaled_between(a / self.unit, b / self.unit).map(|moment| {
            let scaled = moment * scale;
            scale *= self.unit;
            scaled
        })
    }

    /// The unit of the functions below.
    #[doc(hidden)]
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Where to start looking for cell sizes: the smallest radius above 0, within bounds.
    #[doc(hidden)]
    pub fn scaled_smallest(&self) -> f64 {
        (self.smallest() / self.unit).max(1.0 / WIDEST)
    }

    #[doc(hidden)]
    pub fn scaled_largest(&self) -> f64 {
        match &self.shape {
            Shape::Power(law) => law.largest(),
            Shape::LogNormal(law) => law.largest(),
            Shape::Atoms(atoms) => atoms.largest(),
        }
    }

    #[doc(hidden)]
    pub fn scaled_between(&self, a: f64, b: f64) -> Moments {
        match &self.shape {
            Shape::Power(law) => law.between(a, b),
            Shape::LogNormal(law) => law.between(a, b),
            Shape::Atoms(atoms) => atoms.between(a, b),
        }
    }

    /// Share of the radii above `a` and up to `b`.
    #[doc(hidden)]
    pub fn scaled_share(&self, a: f64, b: f64) -> f64 {
        match &self.shape {
            Shape::Power(law) => law.share(a, b),
            Shape::LogNormal(law) => law.share(a, b),
            Shape::Atoms(atoms) => atoms.share(a, b),
        }
    }

    /// Shares on both sides of a radius, and the moments of one.
    #[doc(hidden)]
    pub fn split(&self, radius: f64, side: Side) -> Split {
        if let Shape::Atoms(atoms) = &self.shape {
            return atoms.split(radius, side);
        }
        let (lowest, highest) = (f64::NEG_INFINITY, f64::INFINITY);
        match side {
            Side::Below => {
                let moments = self.scaled_between(lowest, radius);
                Split { share_below: moments[0], share_above: self.scaled_share(radius, highest), moments }
            }
            Side::Above => {
                let moments = self.scaled_between(radius, highest);
                Split { share_below: self.scaled_share(lowest, radius), share_above: moments[0], moments }
            }
        }
    }

    /// The single radii, where the distribution is made of such.
    #[doc(hidden)]
    pub fn atoms(&self) -> Option<&Atoms> {
        match &self.shape {
            Shape::Atoms(atoms) => Some(atoms),
            Shape::Power(_) | Shape::LogNormal(_) => None,
        }
    }
}

fn power_of_two_below(value: f64) -> f64 {
    let exponent = value.log2().floor();
    // The logarithm may round up to the next power.
    if exponent.exp2() > value { (exponent - 1.0).exp2() } else { exponent.exp2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_has_its_moments() {
        let close =
            |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12 * expected, "{value} {expected}");
        let of = |law: SizeLaw| Distribution::of_law(&law, 3).unwrap();
        let uniform = of(SizeLaw::uniform(3.0).unwrap());
        close(uniform.between(0.0, 9.0)[3], 10.0);
        close(uniform.between(1.5, 2.0)[1], 0.4375);
        let logarithmic = of(SizeLaw::power(-1.0, 100.0).unwrap());
        close(logarithmic.between(1.0, 10.0)[0], 0.5);
        let uniform_volume = of(SizeLaw::power(-4.0, 100.0).unwrap());
        close(uniform_volume.between(1.0, 10.0)[3], 0.5 * uniform_volume.between(1.0, 100.0)[3]);
        let two = of(SizeLaw::bidisperse(10.0).unwrap());
        close(two.between(1.0, 10.0)[3], two.between(0.0, 1.0)[3]);
        close(two.between(0.0, 1.0)[0], 1000.0 / 1001.0);
        assert_eq!(of(SizeLaw::Mono).between(0.0, 1.0), [1.0; 4]);
        for law in [SizeLaw::uniform(1.0), SizeLaw::bidisperse(1.0), SizeLaw::log_normal_within(0.5, 1.0)] {
            assert_eq!(of(law.unwrap()).between(0.0, 1.0), [1.0; 4]);
        }
        let bell = of(SizeLaw::log_normal(0.4).unwrap());
        close(bell.between(0.0, 1.2f64.exp())[0], 0.5);
        let table = of(SizeLaw::table(&[(6.0, 1.0), (2.0, 3.0)]).unwrap());
        assert_eq!(table.between(1.0, 3.0), [0.25, 0.75, 2.25, 6.75]);
    }

    #[test]
    fn bodies_on_a_border_belong_below_it_in_every_unit() {
        for scale in [1e-140, 0.3, 1.0, 7.7e20, 1e149] {
            let radii = [0.1, 0.7, 0.3, 0.3].map(|radius| radius * scale);
            let sample = Distribution::of_radii(&radii).unwrap();
            assert_eq!(sample.between(radii[0], radii[2])[0], 0.5);
            assert_eq!(sample.between(radii[2], radii[1])[0], 0.25);
            assert_eq!((sample.smallest(), sample.largest()), (radii[0], radii[1]));
        }
    }

    #[test]
    fn names_what_is_wrong_with_a_sample() {
        let text = |radii: &[f64]| Distribution::of_radii(radii).unwrap_err().to_string();
        assert_eq!(text(&[1.0, -2.0]), "radius of particle 1 is -2, must not be negative");
        assert_eq!(text(&[f64::NAN]), "radius of particle 0 is NaN, must be finite");
        assert!(text(&[1e151]).contains("1e151"));
        assert!(text(&[]).starts_with("largest radius is 0, must be above 0"));
        assert!(text(&[0.0]).starts_with("largest radius is 0, must be above 0"));
        let wide = Distribution::of_law(&SizeLaw::uniform(1e100).unwrap(), 3).unwrap_err();
        assert!(wide.to_string().starts_with("size ratio is 1"));
    }

    #[test]
    fn units_are_the_power_of_two_at_or_below() {
        for value in [1e-150, 0.1, 1.0, 1.0f64.next_down(), 8.0, 8.0f64.next_down(), 3e5, 1e150] {
            let unit = power_of_two_below(value);
            assert!(unit <= value && value < 2.0 * unit && unit.to_bits().trailing_zeros() >= 52, "{value}");
        }
    }
}
