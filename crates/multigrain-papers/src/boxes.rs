//! Bounding boxes of bodies of any shape: borrowed, validated, cheap to copy.

use multigrain::Domain;
use multigrain::Error;
use multigrain::limits::{MAX_BODIES_WITH_ENDS, MAX_BOXES_AWAY, MAX_LENGTH};

/// A borrowed, validated view of one axis-parallel box per body, and the domain they live in.
///
/// Boxes are closed: those that only touch overlap. Taken by
/// [`SortAndUpdate::find_box_pairs`](crate::SortAndUpdate::find_box_pairs).
///
/// ```
/// use multigrain_papers::SortAndUpdate;
/// use multigrain::Pairs;
/// use multigrain_papers::Boxes;
/// let (lo, hi) = ([[0.0, 0.0], [2.0, 1.0], [0.5, 3.0]], [[2.0, 1.0], [3.0, 2.0], [9.0, 4.0]]);
/// let mut pairs = Pairs::new();
/// SortAndUpdate::new().find_box_pairs(Boxes::new(&lo, &hi)?, &mut pairs);
/// assert_eq!(pairs.as_slice(), [[0, 1]]);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Boxes<'a, const D: usize> {
    lo: &'a [[f64; D]],
    hi: &'a [[f64; D]],
    domain: Domain<D>,
}

impl<'a, const D: usize> Boxes<'a, D> {
    /// Takes the lower and upper corners of boxes in open space. Fails on anything that could hide a pair: see [`Error`].
    pub fn new(lo: &'a [[f64; D]], hi: &'a [[f64; D]]) -> Result<Self, Error> {
        if lo.len() != hi.len() {
            return Err(Error::CornerMismatch { lower: lo.len(), upper: hi.len() });
        }
        if lo.len() > MAX_BODIES_WITH_ENDS {
            let most = MAX_BODIES_WITH_ENDS;
            return Err(Error::TooManyForMethod { method: "sort-and-update", count: lo.len(), most });
        }
        for (particle, (lo, hi)) in lo.iter().zip(hi).enumerate() {
            for axis in 0..D {
                check_border(particle, axis, lo[axis])?;
                check_border(particle, axis, hi[axis])?;
                if lo[axis] > hi[axis] {
                    return Err(Error::BoxReversed { particle, axis, lo: lo[axis], hi: hi[axis] });
                }
            }
        }
        Ok(Self { lo, hi, domain: Domain::open() })
    }

    /// The same boxes in another domain.
    pub fn within(self, domain: Domain<D>) -> Result<Self, Error> {
        if domain.is_sheared() {
            return Err(Error::Sheared { what: "a search of bounding boxes" });
        }
        for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
            let length = domain.length(axis);
            let far = MAX_BOXES_AWAY * length;
            for (particle, (lo, hi)) in self.lo.iter().zip(self.hi).enumerate() {
                for value in [lo[axis], hi[axis]] {
                    if value < domain.lo()[axis] - far || value > domain.hi()[axis] + far {
                        return Err(Error::TooManyBoxesAway { particle, axis, value, length });
                    }
                }
            }
        }
        Ok(Self { domain, ..self })
    }

    /// Lower corners, by body.
    pub fn lo(&self) -> &'a [[f64; D]] {
        self.lo
    }

    /// Upper corners, by body.
    pub fn hi(&self) -> &'a [[f64; D]] {
        self.hi
    }

    /// The space the bodies live in.
    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.lo.len()
    }

    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.lo.is_empty()
    }

    /// Whether box `i` overlaps the image of box `j` that `shift` names. Boxes that touch do.
    #[inline]
    pub fn overlap(&self, i: usize, j: usize, shift: [i32; D]) -> bool {
        let moved = self.domain.translation(shift);
        (0..D).all(|axis| {
            (self.lo[j][axis] - self.hi[i][axis]) + moved[axis] <= 0.0
                && (self.lo[i][axis] - self.hi[j][axis]) - moved[axis] <= 0.0
        })
    }
}

fn check_border(particle: usize, axis: usize, value: f64) -> Result<(), Error> {
    if !value.is_finite() {
        return Err(Error::CoordinateNotFinite { particle, axis, value });
    }
    if value.abs() > MAX_LENGTH {
        return Err(Error::CoordinateTooLarge { particle, axis, value });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of<T>(result: Result<T, Error>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn names_the_bad_box_and_its_value() {
        let good = [0.0, 0.0];
        assert_eq!(
            error_of(Boxes::new(&[good; 2], &[good; 3])),
            "2 lower corners but 3 upper ones: every box needs both"
        );
        assert_eq!(
            error_of(Boxes::new(&[good, [0.0, f64::NAN]], &[good; 2])),
            "y of particle 1 is NaN, must be finite"
        );
        assert!(error_of(Boxes::new(&[good], &[[2e150, 0.0]])).contains("must lie within ±1e150"));
        assert_eq!(
            error_of(Boxes::new(&[good, [3.0, 0.0]], &[good, [2.5, 1.0]])),
            "box of particle 1 runs from 3 to 2.5 along x: its upper border must not be below its lower one"
        );
        let domain = Domain::periodic([0.0; 2], [1.0; 2]).unwrap();
        let far = error_of(Boxes::new(&[good], &[[0.0, 3e8]]).and_then(|boxes| boxes.within(domain)));
        assert!(far.starts_with("y of particle 0 is 300000000, more than"), "{far}");
    }

    #[test]
    fn boxes_that_touch_overlap() {
        let (lo, hi) = ([[0.0, 0.0], [1.0, 1.0], [1.0f64.next_up(), 0.0]], [[1.0, 1.0], [2.0, 2.0], [3.0, 0.5]]);
        let boxes = Boxes::new(&lo, &hi).unwrap();
        assert!(boxes.overlap(0, 1, [0, 0]) && boxes.overlap(1, 0, [0, 0]));
        assert!(!boxes.overlap(0, 2, [0, 0]));
        let domain = Domain::new([0.0; 2], [3.0; 2], [true, false]).unwrap();
        assert!(boxes.within(domain).unwrap().overlap(0, 2, [-1, 0]));
    }
}
