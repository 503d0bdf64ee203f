//! Systems for the tests of this crate.

use crate::Rng;
use crate::domain::Domain;
use crate::sizes::{SizeLaw, ball_volume};
use crate::system::System;

/// Bodies of a power law of sizes at random in a cube, overlaps allowed; equal bodies for a ratio of 1.
pub fn mixture(exponent: f64, ratio: f64, packing_fraction: f64, periodic: bool, count: usize, seed: u64) -> System<3> {
    let mut rng = Rng::new(seed);
    let law = if ratio == 1.0 { Ok(SizeLaw::Mono) } else { SizeLaw::power(exponent, ratio) };
    let mut radii = law.unwrap().sample(count, 3);
    rng.shuffle(&mut radii);
    let side = (radii.iter().map(|&radius| ball_volume(radius, 3)).sum::<f64>() / packing_fraction).cbrt();
    let centers = (0..count).map(|_| [(); 3].map(|()| side * rng.uniform())).collect();
    System { centers, radii, domain: Domain::new([0.0; 3], [side; 3], [periodic; 3]).unwrap() }
}
