//! Bodies on a rectangular raster.

use crate::boxes::{box_volume, check_radii, side_of_cube};
use multigrain::Domain;
use multigrain::Rng;
use multigrain::{Error, System};

/// The radii in random order on a raster whose points lie `spacing` times the largest diameter apart along each axis.
///
/// The raster has as nearly the same number of points along each axis as it can, x fastest; where it has more points
/// than there are bodies, its end stays empty. Points sit in the middle of their raster cells, the box starts at 0.
pub fn lattice<const D: usize>(
    radii: Vec<f64>,
    spacing: [f64; D],
    periodic: [bool; D],
    seed: u64,
) -> Result<System<D>, Error> {
    check_radii(&radii)?;
    for spacing in spacing {
        if !(spacing > 0.0 && spacing.is_finite()) {
            let must = "must be positive and finite";
            return Err(Error::Parameter { what: "lattice spacing", value: spacing, must });
        }
    }
    let largest = radii.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 && !radii.is_empty() {
        let must = "must be positive: the lattice spacing is in units of the largest diameter";
        return Err(Error::Parameter { what: "largest radius", value: largest, must });
    }
    let unit = if radii.is_empty() { 1.0 } else { 2.0 * largest };
    place(radii, spacing.map(|spacing| spacing * unit), periodic, seed)
}

/// As [`lattice`], with the one spacing for all axes at which the bodies fill the box to `packing_fraction`. Bodies
/// overlap where that is too close.
pub fn lattice_at_packing_fraction<const D: usize>(
    radii: Vec<f64>,
    packing_fraction: f64,
    periodic: [bool; D],
    seed: u64,
) -> Result<System<D>, Error> {
    check_radii(&radii)?;
    let points: f64 = raster::<D>(radii.len()).iter().map(|&count| count as f64).product();
    let spacing = side_of_cube::<D>(box_volume::<D>(&radii, packing_fraction)? / points);
    place(radii, [spacing; D], periodic, seed)
}

fn place<const D: usize>(
    mut radii: Vec<f64>,
    spacing: [f64; D],
    periodic: [bool; D],
    seed: u64,
) -> Result<System<D>, Error> {
    let counts = raster::<D>(radii.len());
    let hi = std::array::from_fn(|axis| counts[axis] as f64 * spacing[axis]);
    let domain = Domain::new([0.0; D], hi, periodic)?;
    Rng::new(seed).shuffle(&mut radii);
    let centers = (0..radii.len())
        .map(|body| {
            let mut rest = body;
            std::array::from_fn(|axis| {
                let point = rest % counts[axis];
                rest /= counts[axis];
                (point as f64 + 0.5) * spacing[axis]
            })
        })
        .collect();
    Ok(System { centers, radii, domain })
}

/// Points along each axis, at least 1, for `count` bodies: each axis takes the rounded-up root of what is left.
fn raster<const D: usize>(count: usize) -> [usize; D] {
    let mut left = count.max(1);
    std::array::from_fn(|axis| {
        let points = root_rounded_up(left, (D - axis) as u32);
        left = left.div_ceil(points);
        points
    })
}

/// The smallest number whose `degree`-th power is at least `n`.
fn root_rounded_up(n: usize, degree: u32) -> usize {
    let reaches = |root: usize| root.checked_pow(degree).is_none_or(|power| power >= n);
    let mut root = (n as f64).powf(1.0 / f64::from(degree)) as usize;
    while root > 1 && reaches(root - 1) {
        root -= 1;
    }
    while !reaches(root) {
        root += 1;
    }
    root.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::sizes::SizeLaw;

    #[test]
    fn rasters_are_as_cubic_as_can_be() {
        assert_eq!(raster::<3>(1000), [10, 10, 10]);
        assert_eq!(raster::<3>(1001), [11, 10, 10]);
        assert_eq!(raster::<3>(10), [3, 2, 2]);
        assert_eq!(raster::<2>(1_000_000), [1000, 1000]);
        assert_eq!(raster::<2>(0), [1, 1]);
        for count in 1..500 {
            let counts = raster::<3>(count);
            assert!(counts.iter().product::<usize>() >= count, "{count}: {counts:?}");
            assert!(counts[0] - counts[2] <= 1, "{count}: {counts:?}");
        }
    }

    #[test]
    fn spacing_is_in_units_of_the_largest_diameter() {
        let system = lattice(vec![0.5, 2.0, 1.0, 1.0], [1.0, 1.5], [true; 2], 1).unwrap();
        assert_eq!(system.centers, [[2.0, 3.0], [6.0, 3.0], [2.0, 9.0], [6.0, 9.0]]);
        assert_eq!(system.domain.hi(), [8.0, 12.0]);
        let mut radii = system.radii;
        radii.sort_by(f64::total_cmp);
        assert_eq!(radii, [0.5, 1.0, 1.0, 2.0]);
    }

    #[test]
    fn meets_the_packing_fraction() {
        let radii = SizeLaw::uniform(3.0).unwrap().sample(777, 3);
        let system = lattice_at_packing_fraction::<3>(radii, 0.3, [true; 3], 9).unwrap();
        assert!((system.packing_fraction() / 0.3 - 1.0).abs() < 1e-12, "{}", system.packing_fraction());
    }

    #[test]
    fn refuses_spacings_that_make_no_lattice() {
        let error = |spacing| lattice(vec![1.0], spacing, [false; 2], 1).unwrap_err().to_string();
        assert_eq!(error([1.0, 0.0]), "lattice spacing is 0, must be positive and finite");
        assert_eq!(error([f64::NAN, 1.0]), "lattice spacing is NaN, must be positive and finite");
        assert!(lattice(vec![0.0; 3], [1.0; 3], [false; 3], 1).is_err());
        assert!(lattice(vec![], [1.0; 3], [true; 3], 1).unwrap().centers.is_empty());
    }
}
