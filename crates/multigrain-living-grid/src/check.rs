//! What a living grid takes: the same values as a snapshot, checked one body at a time.

use multigrain::limits::{MAX_BOXES_AWAY, MAX_LENGTH, MIN_LENGTH};
use multigrain::{Domain, Error};

/// An error unless a body of this id may lie at `center`.
pub(super) fn center<const D: usize>(domain: &Domain<D>, id: u32, center: [f64; D]) -> Result<(), Error> {
    let particle = id as usize;
    for (axis, &value) in center.iter().enumerate() {
        if !value.is_finite() {
            return Err(Error::CoordinateNotFinite { particle, axis, value });
        }
        if value.abs() > MAX_LENGTH {
            return Err(Error::CoordinateTooLarge { particle, axis, value });
        }
        if is_far(domain, axis, value) {
            return Err(Error::TooManyBoxesAway { particle, axis, value, length: domain.length(axis) });
        }
    }
    Ok(())
}

/// An error unless a body of this id may have that radius.
pub(super) fn radius<const D: usize>(domain: &Domain<D>, id: u32, value: f64) -> Result<(), Error> {
    let particle = id as usize;
    if !value.is_finite() {
        return Err(Error::RadiusNotFinite { particle, value });
    }
    if value < 0.0 {
        return Err(Error::RadiusNegative { particle, value });
    }
    if value != 0.0 && !(MIN_LENGTH..=MAX_LENGTH).contains(&value) {
        return Err(Error::RadiusOutOfRange { particle, value });
    }
    for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
        let (reach, length) = (2.0 * value, domain.length(axis));
        if reach > MAX_BOXES_AWAY * length {
            return Err(Error::BoxTooSmall { axis, reach, length });
        }
    }
    Ok(())
}

/// An error unless bodies that touch this sphere can be asked for.
pub(super) fn query_sphere<const D: usize>(domain: &Domain<D>, center: [f64; D], radius: f64) -> Result<(), Error> {
    for (axis, &value) in center.iter().enumerate() {
        query_coordinate(domain, axis, ["x of the sphere", "y of the sphere", "z of the sphere"], value)?;
    }
    let too_large = (0..D).any(|axis| domain.is_periodic(axis) && radius > MAX_BOXES_AWAY * domain.length(axis));
    if (0.0..=MAX_LENGTH).contains(&radius) && !too_large {
        return Ok(());
    }
    let must = "must not be negative, nor above 1e150 or 2^28 periodic box lengths";
    Err(Error::Parameter { what: "radius of the sphere", value: radius, must })
}

/// An error unless bodies that touch this box can be asked for.
pub(super) fn query_box<const D: usize>(domain: &Domain<D>, lo: [f64; D], hi: [f64; D]) -> Result<(), Error> {
    for axis in 0..D {
        query_coordinate(domain, axis, ["lower x of the box", "lower y of the box", "lower z of the box"], lo[axis])?;
        let names = ["upper x of the box", "upper y of the box", "upper z of the box"];
        query_coordinate(domain, axis, names, hi[axis])?;
        if hi[axis] < lo[axis] {
            let must = "must not be below the lower one";
            return Err(Error::Parameter { what: name(names, axis), value: hi[axis], must });
        }
    }
    Ok(())
}

fn query_coordinate<const D: usize>(
    domain: &Domain<D>,
    axis: usize,
    names: [&'static str; 3],
    value: f64,
) -> Result<(), Error> {
    // Also false for NaN.
    if value.abs() <= MAX_LENGTH && !is_far(domain, axis, value) {
        return Ok(());
    }
    let must = "must be finite, within ±1e150 and within 2^28 box lengths of a periodic box";
    Err(Error::Parameter { what: name(names, axis), value, must })
}

/// Whether image shifts of a body there would not fit 32 bits.
fn is_far<const D: usize>(domain: &Domain<D>, axis: usize, value: f64) -> bool {
    let far = MAX_BOXES_AWAY * domain.length(axis);
    domain.is_periodic(axis) && (value < domain.lo()[axis] - far || value > domain.hi()[axis] + far)
}

fn name(names: [&'static str; 3], axis: usize) -> &'static str {
    names.get(axis).copied().unwrap_or("a coordinate")
}
