//! Boxes that bodies fill to a given share.

use multigrain::sizes::ball_volume;
use multigrain::{Error, Snapshot};

/// Volume of all bodies.
pub(crate) fn total_volume<const D: usize>(radii: &[f64]) -> f64 {
    radii.iter().map(|&radius| ball_volume(radius, D)).sum()
}

/// Volume of the box in which the bodies have the packing fraction asked for.
pub(crate) fn box_volume<const D: usize>(radii: &[f64], packing_fraction: f64) -> Result<f64, Error> {
    if !(packing_fraction > 0.0 && packing_fraction.is_finite()) {
        let must = "must be positive and finite";
        return Err(Error::Parameter { what: "packing fraction", value: packing_fraction, must });
    }
    if radii.is_empty() {
        return Ok(1.0);
    }
    let total = total_volume::<D>(radii);
    let volume = total / packing_fraction;
    if volume > 0.0 && volume.is_finite() {
        return Ok(volume);
    }
    let must = "must be positive and finite, also divided by the packing fraction";
    Err(Error::Parameter { what: "total volume of the particles", value: total, must })
}

/// An error if a radius is not valid, before any size is derived from it.
pub(crate) fn check_radii(radii: &[f64]) -> Result<(), Error> {
    let centers = vec![[0.0; 2]; radii.len()];
    Snapshot::new(&centers, radii).map(drop)
}

/// The side of a cube.
pub(crate) fn side_of_cube<const D: usize>(volume: f64) -> f64 {
    match D {
        2 => volume.sqrt(),
        3 => volume.cbrt(),
        _ => volume.powf(1.0 / D as f64),
    }
}
