//! The named data sets that benches and tests share.

use super::random::random;
use multigrain::Error;
use multigrain::System;
use multigrain::sizes::SizeLaw;

/// A named data set in three dimensions: bodies of a size law at random in a cube, overlaps allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSet {
    /// Its name in tables of results.
    pub name: &'static str,
    sizes: SetSizes,
    /// Volume of all bodies over volume of the cube.
    pub packing_fraction: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum SetSizes {
    Mono,
    Power { exponent: f64, ratio: f64 },
    Bidisperse { ratio: f64 },
}

impl DataSet {
    /// Every set, from one size to a size ratio of 1000.
    pub const ALL: &'static [Self] = &[
        Self { name: "mono", sizes: SetSizes::Mono, packing_fraction: 0.6 },
        Self { name: "us50", sizes: SetSizes::Power { exponent: 0.0, ratio: 50.0 }, packing_fraction: 0.62 },
        Self { name: "bi10", sizes: SetSizes::Bidisperse { ratio: 10.0 }, packing_fraction: 0.62 },
        Self { name: "uv50", sizes: SetSizes::Power { exponent: -3.0, ratio: 50.0 }, packing_fraction: 0.62 },
        Self { name: "uv100", sizes: SetSizes::Power { exponent: -3.0, ratio: 100.0 }, packing_fraction: 0.7 },
        Self { name: "uv1000", sizes: SetSizes::Power { exponent: -3.0, ratio: 1000.0 }, packing_fraction: 0.7 },
    ];

    /// The set of that name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|set| set.name == name)
    }

    /// How the radii are distributed.
    pub fn law(&self) -> SizeLaw {
        let law = match self.sizes {
            SetSizes::Mono => Ok(SizeLaw::Mono),
            SetSizes::Power { exponent, ratio } => SizeLaw::power(exponent, ratio),
            SetSizes::Bidisperse { ratio } => SizeLaw::bidisperse(ratio),
        };
        law.expect("the sets of the list have valid sizes")
    }

    /// `count` bodies in open space.
    pub fn build(&self, count: usize, seed: u64) -> Result<System<3>, Error> {
        random(self.law().sample(count, 3), self.packing_fraction, [false; 3], seed)
    }

    /// The same bodies in a box that is periodic along every axis.
    pub fn build_periodic(&self, count: usize, seed: u64) -> Result<System<3>, Error> {
        random(self.law().sample(count, 3), self.packing_fraction, [true; 3], seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_builds_at_its_packing_fraction_with_its_largest_body() {
        for set in DataSet::ALL {
            let system = set.build(20_000, 1).unwrap();
            assert_eq!(system.centers.len(), 20_000);
            assert!((system.packing_fraction() / set.packing_fraction - 1.0).abs() < 1e-12, "{}", set.name);
            let largest = system.radii.iter().copied().fold(0.0, f64::max);
            assert!(largest > 0.04 * set.law().ratio(), "{}: {largest}", set.name);
            assert!(!system.domain.has_images());
            assert_eq!(DataSet::from_name(set.name), Some(set));
            let periodic = set.build_periodic(20_000, 1).unwrap();
            assert_eq!(periodic.centers, system.centers);
            assert_eq!(periodic.domain.lengths(), system.domain.hi());
        }
    }
}
