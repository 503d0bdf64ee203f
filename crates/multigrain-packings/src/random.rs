//! Bodies at random, overlaps allowed.

use crate::boxes::{box_volume, check_radii, side_of_cube};
use multigrain::Domain;
use multigrain::Rng;
use multigrain::{Error, System};

/// The radii in random order, their centers uniformly random in a cube from 0 that they fill to `packing_fraction`.
/// Bodies may overlap. No bodies get a cube of side 1.
pub fn random<const D: usize>(
    radii: Vec<f64>,
    packing_fraction: f64,
    periodic: [bool; D],
    seed: u64,
) -> Result<System<D>, Error> {
    check_radii(&radii)?;
    let side = side_of_cube::<D>(box_volume::<D>(&radii, packing_fraction)?);
    let domain = Domain::new([0.0; D], [side; D], periodic)?;
    let mut rng = Rng::new(seed);
    let mut radii = radii;
    rng.shuffle(&mut radii);
    let centers = radii.iter().map(|_| std::array::from_fn(|_| side * rng.uniform())).collect();
    Ok(System { centers, radii, domain })
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::sizes::SizeLaw;

    #[test]
    fn meets_the_packing_fraction_in_a_cube() {
        let radii = SizeLaw::power(-3.0, 50.0).unwrap().sample(5000, 3);
        let system = random::<3>(radii.clone(), 0.62, [true, false, true], 3).unwrap();
        assert!((system.packing_fraction() / 0.62 - 1.0).abs() < 1e-12);
        let flat = random::<2>(radii, 0.4, [true; 2], 3).unwrap();
        assert!((flat.packing_fraction() / 0.4 - 1.0).abs() < 1e-12);
        let side = system.domain.hi()[0];
        assert_eq!((system.domain.lo(), system.domain.hi()), ([0.0; 3], [side; 3]));
        assert!(system.centers.iter().flatten().all(|&x| (0.0..side).contains(&x)));
        assert!([0, 1, 2].map(|axis| system.domain.is_periodic(axis)) == [true, false, true]);
    }

    #[test]
    fn keeps_every_radius_and_shuffles_them() {
        let radii = SizeLaw::uniform(10.0).unwrap().sample(1000, 3);
        let mut system = random::<3>(radii.clone(), 0.5, [false; 3], 1).unwrap();
        assert_ne!(system.radii, radii);
        system.radii.sort_by(f64::total_cmp);
        assert_eq!(system.radii, radii);
    }

    #[test]
    fn a_seed_names_the_same_system_for_ever() {
        let system = random::<2>(vec![1.0, 2.0, 3.0, 4.0], 0.5, [false; 2], 42).unwrap();
        assert_eq!(system.radii, [3.0, 2.0, 1.0, 4.0]);
        let side = system.domain.hi()[0];
        assert_eq!(system.centers[0], [side * 0.7011355981347556, side * 0.793504489691729]);
        assert_eq!(system, random::<2>(vec![1.0, 2.0, 3.0, 4.0], 0.5, [false; 2], 42).unwrap());
        assert_ne!(system, random::<2>(vec![1.0, 2.0, 3.0, 4.0], 0.5, [false; 2], 43).unwrap());
    }

    #[test]
    fn no_bodies_are_an_ordinary_system() {
        let system = random::<3>(Vec::new(), 0.5, [true; 3], 1).unwrap();
        assert!(system.snapshot().unwrap().is_empty());
    }

    #[test]
    fn refuses_what_cannot_be_packed() {
        let error =
            |radii: &[f64], fraction| random::<3>(radii.into(), fraction, [true; 3], 1).unwrap_err().to_string();
        assert_eq!(error(&[1.0], 0.0), "packing fraction is 0, must be positive and finite");
        assert_eq!(error(&[1.0], f64::NAN), "packing fraction is NaN, must be positive and finite");
        assert_eq!(error(&[1.0, -2.0], 0.5), "radius of particle 1 is -2, must not be negative");
        assert!(error(&[0.0, 0.0], 0.5).starts_with("total volume of the particles is 0, must be positive"));
    }
}
