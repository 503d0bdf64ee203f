//! What the engine finds wrong with particles, named by the place in the file.

use crate::error::{Error, Result};
use multigrain::{Axes, CheckedSystem, Dimension, System};

/// A value of a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A coordinate.
    Axis(usize),
    /// The radius.
    Radius,
}

/// The particles, if the engine takes them; else its error after the place of the bad value.
pub fn validated<const D: usize>(
    particles: System<D>,
    place: impl FnOnce(usize, Field) -> String,
) -> Result<CheckedSystem<D>>
where
    Axes: Dimension<D>,
{
    particles.checked().map_err(|error| match culprit(&error) {
        Some((particle, field)) => Error::from(error).context(place(particle, field)),
        None => error.into(),
    })
}

fn culprit(error: &multigrain::Error) -> Option<(usize, Field)> {
    use multigrain::Error::*;
    match *error {
        CoordinateNotFinite { particle, axis, .. } | CoordinateTooLarge { particle, axis, .. } => {
            Some((particle, Field::Axis(axis)))
        }
        RadiusNotFinite { particle, .. } | RadiusNegative { particle, .. } | RadiusOutOfRange { particle, .. } => {
            Some((particle, Field::Radius))
        }
        _ => None,
    }
}
