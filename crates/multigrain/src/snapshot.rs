//! Where the bodies are now: borrowed, validated, cheap to copy.

use crate::bounds::bounds;
use crate::dimension::{Axes, Dimension};
use crate::domain::{Cell, Domain};
use crate::error::Error;
use crate::limits::{MAX_BOXES_AWAY, MAX_LENGTH, MIN_LENGTH};
use crate::threads;

/// A borrowed, validated view of the bodies: centers, radii, the domain they live in and the margin of contact.
///
/// ```
/// use multigrain::{Domain, Snapshot};
/// let centers = [[0.1, 0.5], [0.9, 0.5]];
/// let radii = [0.15, 0.1];
/// let open = Snapshot::new(&centers, &radii)?;
/// assert!(multigrain::find_pairs(open).is_empty());
/// let wrapped = open.within(Domain::periodic([0.0, 0.0], [1.0, 1.0])?)?;
/// assert_eq!(multigrain::find_pairs(wrapped).shifts(), [[-1, 0]]);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a, const D: usize> {
    centers: &'a [[f64; D]],
    radii: &'a [f64],
    domain: Domain<D>,
    margin: f64,
    extent: Extent<D>,
    groups: Groups<'a>,
}

/// Groups of bodies that do not touch each other, where there are any.
#[derive(Debug, Clone, Copy)]
pub struct Groups<'a>(GroupKind<'a>);

#[derive(Debug, Clone, Copy)]
enum GroupKind<'a> {
    None,
    /// A number for each body.
    Numbers(&'a [u32]),
    /// Bodies below a number, and the others.
    TwoSets(u32),
}

impl Groups<'_> {
    /// Whether there are none.
    #[inline]
    pub fn is_none(&self) -> bool {
        matches!(self.0, GroupKind::None)
    }

    /// Whether two bodies are in one group.
    #[inline]
    pub fn has_both(&self, [i, j]: [u32; 2]) -> bool {
        match self.0 {
            GroupKind::None => false,
            GroupKind::Numbers(groups) => groups[i as usize] == groups[j as usize],
            GroupKind::TwoSets(first) => (i < first) == (j < first),
        }
    }

    /// A number that changes when the groups do; 0 without any.
    pub(crate) fn fingerprint(&self) -> u64 {
        match self.0 {
            GroupKind::None => 0,
            GroupKind::TwoSets(first) => u64::MAX - u64::from(first),
            GroupKind::Numbers(groups) => groups
                .iter()
                .fold(1, |hash, &group| (hash ^ u64::from(group)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)),
        }
    }
}

/// Exact bounds of centers and radii. Empty input has `lo > hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent<const D: usize> {
    /// Smallest coordinate along each axis.
    pub lo: [f64; D],
    /// Largest coordinate along each axis.
    pub hi: [f64; D],
    /// Smallest radius.
    pub min_radius: f64,
    /// Largest radius.
    pub max_radius: f64,
}

impl<'a, const D: usize> Snapshot<'a, D>
where
    Axes: Dimension<D>,
{
    /// Takes bodies in open space with no margin. Fails on anything that could hide a contact: see [`Error`].
    pub fn new(centers: &'a [[f64; D]], radii: &'a [f64]) -> Result<Self, Error> {
        Self::checked(centers, radii)
    }
}

impl<'a, const D: usize> Snapshot<'a, D> {
    fn checked(centers: &'a [[f64; D]], radii: &'a [f64]) -> Result<Self, Error> {
        if centers.len() != radii.len() {
            return Err(Error::LengthMismatch { centers: centers.len(), radii: radii.len() });
        }
        if centers.len() >= u32::MAX as usize {
            return Err(Error::TooManyParticles { count: centers.len() });
        }
        let blocks = threads::map_blocks(centers.len(), |range| Extent::of(&centers[range.clone()], &radii[range]));
        let mut extent = Extent::EMPTY;
        for block in blocks {
            match block {
                Some(block) => extent = extent.union(block),
                None => return Err(first_bad_particle(centers, radii)),
            }
        }
        Ok(Self::of_checked(centers, radii, extent))
    }

    /// Bodies that were checked before.
    pub(crate) fn of_checked(centers: &'a [[f64; D]], radii: &'a [f64], extent: Extent<D>) -> Self {
        Self { centers, radii, domain: Domain::open(), margin: 0.0, extent, groups: Groups(GroupKind::None) }
    }

    /// Other bodies in the same space with the same margin, in no groups.
    pub fn with_bodies<'b>(&self, centers: &'b [[f64; D]], radii: &'b [f64]) -> Result<Snapshot<'b, D>, Error> {
        Snapshot::checked(centers, radii)?.within(self.domain)?.with_margin(self.margin)
    }

    /// Other bodies in open space with another margin.
    pub(crate) fn in_open_space<'b>(
        centers: &'b [[f64; D]],
        radii: &'b [f64],
        margin: f64,
    ) -> Result<Snapshot<'b, D>, Error> {
        Snapshot::checked(centers, radii)?.with_margin(margin)
    }

    /// The same bodies in another domain.
    pub fn within(self, domain: Domain<D>) -> Result<Self, Error> {
        Self { domain, ..self }.images_fit()
    }

    /// The same bodies, in contact already where their gap is below `margin`.
    pub fn with_margin(self, margin: f64) -> Result<Self, Error> {
        if margin != 0.0 && !(MIN_LENGTH..=MAX_LENGTH).contains(&margin) {
            return Err(Error::Margin { value: margin });
        }
        Self { margin, ..self }.images_fit()
    }

    /// The same bodies in groups, a number for each: bodies of one group are never reported as a pair, whichever images of them
    /// touch. For elements of one meshed body, spheres of one clump, or two sets that are searched against each other.
    ///
    /// ```
    /// use multigrain::{Snapshot, find_pairs};
    /// let now = Snapshot::new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], &[0.8; 3])?;
    /// assert_eq!(find_pairs(now).as_slice(), [[0, 1], [1, 2]]);
    /// assert_eq!(find_pairs(now.in_groups(&[7, 7, 4])?).as_slice(), [[1, 2]]);
    /// # Ok::<(), multigrain::Error>(())
    /// ```
    pub fn in_groups(self, groups: &'a [u32]) -> Result<Self, Error> {
        if groups.len() != self.len() {
            return Err(Error::GroupMismatch { bodies: self.len(), groups: groups.len() });
        }
        Ok(Self { groups: Groups(GroupKind::Numbers(groups)), ..self })
    }

    /// The same bodies in two groups: those below `first`, and the others.
    pub(crate) fn in_two_sets(self, first: u32) -> Self {
        Self { groups: Groups(GroupKind::TwoSets(first)), ..self }
    }

    /// The groups of bodies.
    pub fn groups(&self) -> Groups<'a> {
        self.groups
    }

    /// Centers, by particle.
    pub fn centers(&self) -> &'a [[f64; D]] {
        self.centers
    }

    /// Radii, by particle.
    pub fn radii(&self) -> &'a [f64] {
        self.radii
    }

    /// The space the bodies live in.
    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    /// Gap below which two bodies count as touching.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Exact bounds of centers and radii.
    pub fn extent(&self) -> &Extent<D> {
        &self.extent
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.centers.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.centers.is_empty()
    }

    /// Largest distance at which any two of the bodies touch.
    pub fn largest_reach(&self) -> f64 {
        2.0 * self.extent.max_radius.max(0.0) + self.margin
    }

    /// Whether no two of the bodies can be in contact, wherever they are.
    pub fn nothing_can_touch(&self) -> bool {
        self.is_empty() || self.largest_reach() == 0.0
    }

    /// A bound for each axis, several times over, on the rounding of coordinate differences, wrapped coordinates and image
    /// shifts. Search ranges are widened by it. Axes know nothing of each other: one coordinate far out along an open axis
    /// must not make images of a short periodic one.
    pub fn rounding_slack(&self) -> [f64; D] {
        const ULPS: f64 = 16.0 * f64::EPSILON;
        if let Some(cell) = self.domain.cell() {
            // Along other axes a difference of coordinates is exact but for an error relative to itself.
            let largest = self.largest_in_cell(cell);
            let own = |axis: usize| self.extent.lo[axis].abs().max(self.extent.hi[axis].abs());
            return std::array::from_fn(|axis| {
                let largest = if cell.is_periodic_along(axis) { largest } else { own(axis).max(self.largest_reach()) };
                4.0 * ULPS * largest
            });
        }
        std::array::from_fn(|axis| {
            let mut largest = self.largest_reach();
            largest = largest.max(self.extent.lo[axis].abs()).max(self.extent.hi[axis].abs());
            if self.domain.is_periodic(axis) {
                largest = largest.max(self.domain.lo()[axis].abs()).max(self.domain.hi()[axis].abs());
            }
            ULPS * largest
        })
    }

    /// The rounding slack along periodic axes. Along open ones a difference of coordinates is exact but for an error
    /// relative to itself, however far from zero they are.
    #[doc(hidden)]
    pub fn image_slack(&self) -> [f64; D] {
        let slack = self.rounding_slack();
        std::array::from_fn(|axis| if self.domain.is_periodic(axis) { slack[axis] } else { 0.0 })
    }

    /// The largest reach along each axis, with room for rounding: cells of this size have all partners of a body next door.
    #[doc(hidden)]
    pub fn largest_reach_rounded(&self) -> [f64; D] {
        self.rounding_slack().map(|slack| self.largest_reach() + slack)
    }

    /// A bound on all numbers on the way to a distance between images in a sheared cell.
    fn largest_in_cell(&self, cell: &Cell<D>) -> f64 {
        let far = self.farthest_from(cell);
        let reach = self.largest_reach();
        let whole = |k: usize| (cell.spanned(k, 2.0 * far + reach) + 1.0) * cell.edge_length(k);
        let periods: f64 = (0..D).filter(|&k| self.domain.is_periodic(k)).map(whole).sum();
        let along = (0..D).filter(|&axis| cell.is_periodic_along(axis));
        let origin = along.map(|axis| cell.origin()[axis].abs()).fold(0.0, f64::max);
        far + origin + reach + periods
    }

    /// A bound on the rounding of distances between images in a sheared cell.
    pub(crate) fn cell_slack(&self, cell: &Cell<D>) -> f64 {
        64.0 * f64::EPSILON * self.largest_in_cell(cell)
    }

    /// No body is further from the origin of the cell, along all axes that its periodic edges have a part in.
    pub(crate) fn farthest_from(&self, cell: &Cell<D>) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let way = |axis: usize| {
            let origin = cell.origin()[axis];
            (self.extent.lo[axis] - origin).abs().max((self.extent.hi[axis] - origin).abs())
        };
        (0..D).filter(|&axis| cell.is_periodic_along(axis)).map(way).sum()
    }

    /// That shifts along the edges of a sheared cell, given and short ones, fit 32 bits, and that sums of numbers stay finite.
    fn images_fit_cell(self, cell: &Cell<D>) -> Result<Self, Error> {
        let (far, reach) = (self.farthest_from(cell), self.largest_reach());
        for cell in [cell, &cell.reduced().cell] {
            for k in (0..D).filter(|&k| self.domain.is_periodic(k)) {
                let length = cell.edge_length(k);
                if cell.spanned(k, reach) > MAX_BOXES_AWAY {
                    return Err(Error::BoxTooSmall { axis: k, reach, length });
                }
                if cell.spanned(k, far) > MAX_BOXES_AWAY {
                    let is_far = |center: &[f64; D]| cell.fractions(*center)[k].abs() > MAX_BOXES_AWAY;
                    let Some(particle) = self.centers.iter().position(is_far) else { continue };
                    let value = self.centers[particle][k];
                    return Err(Error::TooManyBoxesAway { particle, axis: k, value, length });
                }
            }
        }
        if self.largest_in_cell(cell) > MAX_LENGTH {
            return Err(Error::Cell {
                problem: "is so large, or has bodies so far away, that sums would not stay finite",
            });
        }
        Ok(self)
    }

    fn images_fit(self) -> Result<Self, Error> {
        if let Some(cell) = self.domain.cell().copied()
            && !self.is_empty()
        {
            return self.images_fit_cell(&cell);
        }
        for axis in (0..D).filter(|&axis| self.domain.is_periodic(axis) && !self.is_empty()) {
            let length = self.domain.length(axis);
            let far = MAX_BOXES_AWAY * length;
            let (lo, hi) = (self.domain.lo()[axis], self.domain.hi()[axis]);
            let is_far = |value: f64| value < lo - far || value > hi + far;
            if is_far(self.extent.lo[axis]) || is_far(self.extent.hi[axis]) {
                let particle = self.centers.iter().position(|center| is_far(center[axis])).unwrap_or(0);
                let value = self.centers[particle][axis];
                return Err(Error::TooManyBoxesAway { particle, axis, value, length });
            }
            let reach = self.largest_reach();
            if reach > far {
                return Err(Error::BoxTooSmall { axis, reach, length });
            }
        }
        Ok(self)
    }
}

impl<const D: usize> Extent<D> {
    /// Bounds of nothing.
    pub const EMPTY: Self = Self {
        lo: [f64::INFINITY; D],
        hi: [f64::NEG_INFINITY; D],
        min_radius: f64::INFINITY,
        max_radius: f64::NEG_INFINITY,
    };

    /// Bounds of these bodies, or `None` if one of them is not valid.
    fn of(centers: &[[f64; D]], radii: &[f64]) -> Option<Self> {
        let (lo, hi) = bounds(centers)?;
        let ([min_radius], [max_radius]) = bounds(radii.as_chunks::<1>().0)?;
        let are_valid = (0..D).all(|axis| lo[axis] >= -MAX_LENGTH && hi[axis] <= MAX_LENGTH)
            && max_radius <= MAX_LENGTH
            // Where there are points, other radii may still be too small.
            && (min_radius >= MIN_LENGTH || radii.iter().all(|&radius| is_valid_radius(radius)));
        are_valid.then_some(Self { lo, hi, min_radius, max_radius })
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            lo: std::array::from_fn(|axis| self.lo[axis].min(other.lo[axis])),
            hi: std::array::from_fn(|axis| self.hi[axis].max(other.hi[axis])),
            min_radius: self.min_radius.min(other.min_radius),
            max_radius: self.max_radius.max(other.max_radius),
        }
    }
}

#[inline]
fn is_valid_radius(r: f64) -> bool {
    (r == 0.0) | (MIN_LENGTH..=MAX_LENGTH).contains(&r)
}

/// The error for the first particle that is not valid. Only called when there is one.
fn first_bad_particle<const D: usize>(centers: &[[f64; D]], radii: &[f64]) -> Error {
    for (particle, (center, &radius)) in centers.iter().zip(radii).enumerate() {
        for (axis, &value) in center.iter().enumerate() {
            if !value.is_finite() {
                return Error::CoordinateNotFinite { particle, axis, value };
            }
            if value.abs() > MAX_LENGTH {
                return Error::CoordinateTooLarge { particle, axis, value };
            }
        }
        if !radius.is_finite() {
            return Error::RadiusNotFinite { particle, value: radius };
        }
        if radius < 0.0 {
            return Error::RadiusNegative { particle, value: radius };
        }
        if !is_valid_radius(radius) {
            return Error::RadiusOutOfRange { particle, value: radius };
        }
    }
    unreachable!("called without an invalid particle")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(centers: &[[f64; 3]], radii: &[f64]) -> String {
        Snapshot::new(centers, radii).unwrap_err().to_string()
    }

    #[test]
    fn takes_exact_bounds() {
        let centers: Vec<[f64; 3]> = (0..103).map(|k| [k as f64, -(k as f64), 0.5]).collect();
        let radii: Vec<f64> = (0..103).map(|k| 1.0 + ((k * 37) % 103) as f64).collect();
        let extent = *Snapshot::new(&centers, &radii).unwrap().extent();
        assert_eq!(extent.lo, [0.0, -102.0, 0.5]);
        assert_eq!(extent.hi, [102.0, 0.0, 0.5]);
        assert_eq!((extent.min_radius, extent.max_radius), (1.0, 103.0));
    }

    #[test]
    fn names_the_bad_particle_and_its_value() {
        let good = [0.0; 3];
        assert_eq!(error_of(&[good, [0.0, f64::NAN, 0.0]], &[1.0; 2]), "y of particle 1 is NaN, must be finite");
        assert_eq!(error_of(&[good, [0.0, 0.0, f64::INFINITY]], &[1.0; 2]), "z of particle 1 is inf, must be finite");
        assert_eq!(
            error_of(&[good; 18], &{
                let mut r = [1.0; 18];
                r[17] = -0.2;
                r
            }),
            "radius of particle 17 is -0.2, must not be negative"
        );
        assert_eq!(error_of(&[good; 2], &[1.0, f64::NAN]), "radius of particle 1 is NaN, must be finite");
        assert!(error_of(&[[2e150, 0.0, 0.0]], &[1.0]).contains("must lie within ±1e150"));
        assert_eq!(
            error_of(&[good], &[1e-160]),
            "radius of particle 0 is 1e-160, must be 0 or between 1e-150 and 1e150"
        );
        assert_eq!(error_of(&[good], &[1e160]), "radius of particle 0 is 1e160, must be 0 or between 1e-150 and 1e150");
        assert_eq!(error_of(&[good], &[]), "1 centers but 0 radii: every particle needs one of each");
    }

    #[test]
    fn refuses_a_negative_or_nan_margin() {
        let now = Snapshot::new(&[[0.0, 0.0]], &[1.0]).unwrap();
        assert!(now.with_margin(-1.0).is_err());
        assert!(now.with_margin(f64::NAN).is_err());
        assert!(now.with_margin(0.0).is_ok());
    }

    #[test]
    fn refuses_images_beyond_32_bits() {
        let domain = Domain::periodic([0.0, 0.0], [1.0, 1.0]).unwrap();
        let far = [[0.0, 1e12]];
        let error = Snapshot::new(&far, &[1.0]).unwrap().within(domain).unwrap_err().to_string();
        assert!(error.starts_with("y of particle 0 is 1000000000000, more than"), "{error}");
        let huge = Snapshot::new(&[[0.0, 0.0]], &[1e12]).unwrap().within(domain);
        assert!(matches!(huge, Err(Error::BoxTooSmall { .. })));
    }
}
