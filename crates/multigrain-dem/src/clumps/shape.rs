//! What clumps are made of: spheres that overlap, with the mass and inertia of their union.

use super::turning::{Quaternion, UPRIGHT, back, quaternion, rotation, times, to_body, to_space, unit};
use super::union::{Moments, of_discs, of_spheres};
use crate::error::Error;
use crate::fields::Spread;
use crate::space::{Matrix, zero};
use crate::vector::{Spin, length, sub};
use multigrain::limits::{MAX_LENGTH, MIN_LENGTH};
use multigrain::sizes::ball_volume;

/// A rigid body of spheres, in the plane of discs, that may overlap: its members, and volume and moments of inertia for density 1.
///
/// Places are seen from the center of mass. A [`Grain`](crate::Grain) of this shape is turned by a quaternion; upright, members lie as they
/// were given.
///
/// ```
/// use multigrain_dem::ClumpShape;
/// let dumbbell = ClumpShape::new(&[([0.0, 0.0, 0.0], 0.5), ([0.6, 0.0, 0.0], 0.5)])?;
/// assert_eq!(dumbbell.members().len(), 2);
/// assert!(dumbbell.volume() < 2.0 * 0.5236, "what members have in common counts once");
/// # Ok::<(), multigrain_dem::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClumpShape<const D: usize> {
    /// From the center of mass, and radii.
    members: Vec<([f64; D], f64)>,
    volume: f64,
    /// About the center of mass, in the frame that members were given in; in the plane about all three axes too, the first two for how mass
    /// is spread.
    inertia: [[f64; 3]; 3],
    /// Turns from the main axes of inertia to that frame.
    main: Quaternion,
    /// About the main axes.
    moments: Spin,
}

impl<const D: usize> ClumpShape<D> {
    /// Of these centers and radii, with volume and inertia of their union, each point counting once.
    pub fn new(members: &[([f64; D], f64)]) -> Result<Self, Error> {
        check(members)?;
        let moments = moments(members);
        let center: [f64; D] = moments.first.map(|first| first / moments.volume);
        let about: Matrix<D> = std::array::from_fn(|i| {
            std::array::from_fn(|j| moments.second[i][j] - moments.volume * center[i] * center[j])
        });
        let trace: f64 = (0..D).map(|axis| about[axis][axis]).sum();
        let mut inertia = [[0.0; 3]; 3];
        for i in 0..D {
            for j in 0..D {
                inertia[i][j] = if i == j { trace - about[i][j] } else { -about[i][j] };
            }
        }
        if D == 2 {
            inertia[2][2] = trace;
        }
        Self::with(members, center, moments.volume, inertia)
    }

    /// Of these centers and radii, with a center of mass, a volume and an inertia that are given: those of density 1, about the center of
    /// mass, in the frame of the centers. In the plane the entry of the third axis counts, and the other two, whose sum it is, say how mass is
    /// spread, which a field with a gradient turns the body by; without them it is spread alike in all directions.
    pub fn with(
        members: &[([f64; D], f64)],
        center: [f64; D],
        volume: f64,
        inertia: [[f64; 3]; 3],
    ) -> Result<Self, Error> {
        check(members)?;
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&volume) {
            return Err(parameter("volume of a clump", volume, "must be positive and finite"));
        }
        if let Some(&value) = center.iter().chain(inertia.iter().flatten()).find(|value| !value.is_finite()) {
            return Err(parameter("inertia or center of a clump", value, "must be finite"));
        }
        let (main, moments) = if D == 2 { (UPRIGHT, [0.0, 0.0, inertia[2][2]]) } else { main_axes(inertia) };
        let least = if D == 2 { moments[2] } else { moments.into_iter().fold(f64::INFINITY, f64::min) };
        if least <= 0.0 {
            return Err(parameter("least moment of inertia of a clump", least, "must be positive"));
        }
        let mut inertia = inertia;
        if D == 2 && inertia[0][0] == 0.0 && inertia[1][1] == 0.0 {
            (inertia[0][0], inertia[1][1]) = (0.5 * inertia[2][2], 0.5 * inertia[2][2]);
        }
        let members = members.iter().map(|&(place, radius)| (sub(place, center), radius)).collect();
        Ok(Self { members, volume, inertia, main, moments })
    }

    /// The same shape, this many times as large.
    pub fn scaled(&self, factor: f64) -> Result<Self, Error> {
        let members: Vec<_> =
            self.members.iter().map(|(place, radius)| (place.map(|x| x * factor), radius * factor)).collect();
        check(&members)?;
        let (volume, inertia) = (factor.powi(D as i32), factor.powi(D as i32 + 2));
        Ok(Self {
            members,
            volume: self.volume * volume,
            inertia: self.inertia.map(|row| row.map(|entry| entry * inertia)),
            main: self.main,
            moments: self.moments.map(|moment| moment * inertia),
        })
    }

    /// Centers from the center of mass, and radii.
    pub fn members(&self) -> &[([f64; D], f64)] {
        &self.members
    }

    /// Centers and radii of the members of a clump with its center of mass here, turned by this quaternion, which need not be of length 1.
    ///
    /// ```
    /// use multigrain_dem::ClumpShape;
    /// let dumbbell = ClumpShape::new(&[([-1.0, 0.0], 1.0), ([1.0, 0.0], 1.0)])?;
    /// // A quarter of a turn.
    /// let members = dumbbell.placed([5.0, 0.0], [1.0, 0.0, 0.0, 1.0]);
    /// assert!((members[0].0[1] + 1.0).abs() < 1e-12 && (members[0].0[0] - 5.0).abs() < 1e-12);
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn placed(&self, center: [f64; D], turned: Quaternion) -> Vec<([f64; D], f64)> {
        let rows = rotation(unit(turned).unwrap_or(UPRIGHT));
        let member = |&(place, radius): &([f64; D], f64)| {
            let turned = to_space(&rows, std::array::from_fn(|axis| if axis < D { place[axis] } else { 0.0 }));
            (std::array::from_fn(|axis| center[axis] + turned[axis]), radius)
        };
        self.members.iter().map(member).collect()
    }

    /// Volume, in the plane area.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Inertia for density 1, about the center of mass; in the plane that of a flat body, about all three axes.
    pub fn inertia(&self) -> [[f64; 3]; 3] {
        self.inertia
    }

    /// Radius of the sphere around the center of mass that holds all members.
    pub fn radius(&self) -> f64 {
        self.members.iter().map(|&(place, radius)| length(place) + radius).fold(0.0, f64::max)
    }

    /// Volume over that of the sphere around it.
    ///
    /// ```
    /// use multigrain_dem::ClumpShape;
    /// let pair = ClumpShape::new(&[([-1.0, 0.0, 0.0], 1.0), ([1.0, 0.0, 0.0], 1.0)])?;
    /// assert!((pair.share() - 0.25).abs() < 1e-12);
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn share(&self) -> f64 {
        self.volume / ball_volume(self.radius(), D)
    }

    /// Moments of inertia about the main axes, for density 1.
    pub(crate) fn moments(&self) -> Spin {
        self.moments
    }

    /// Second moments of a clump of this mass that is turned so from its main axes: how its mass is spread in space.
    pub(crate) fn spread(&self, main: Quaternion, mass: f64) -> Spread {
        let (rows, density) = (rotation(self.out_of_main(main)), mass / self.volume);
        let half_trace = 0.5 * (0..3).map(|axis| self.inertia[axis][axis]).sum::<f64>();
        let own = |i: usize, j: usize| density * (if i == j { half_trace } else { 0.0 } - self.inertia[i][j]);
        let half_turned: Spread =
            std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| rows[i][k] * own(k, j)).sum()));
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| half_turned[i][k] * rows[j][k]).sum()))
    }

    /// The turn from the main axes to space of a clump that is turned so.
    pub(crate) fn to_main(&self, turned: Quaternion) -> Quaternion {
        times(turned, self.main)
    }

    /// How a clump is turned whose main axes are turned so.
    pub(crate) fn out_of_main(&self, main: Quaternion) -> Quaternion {
        times(main, back(self.main))
    }

    /// A member as seen from the center of mass along the main axes.
    pub(crate) fn along_main(&self, member: usize) -> Spin {
        let place = self.members[member].0;
        to_body(&rotation(self.main), std::array::from_fn(|axis| if axis < D { place[axis] } else { 0.0 }))
    }
}

fn check<const D: usize>(members: &[([f64; D], f64)]) -> Result<(), Error> {
    if members.is_empty() {
        return Err(parameter("number of members of a clump", 0.0, "must be 1 or more"));
    }
    for &(place, radius) in members {
        if !(MIN_LENGTH.sqrt()..=MAX_LENGTH.sqrt()).contains(&radius) {
            return Err(parameter(
                "radius of a member of a clump",
                radius,
                "must be positive and finite, from 1e-75 to 1e75",
            ));
        }
        if let Some(&value) = place.iter().find(|value| value.is_nan() || value.abs() > MAX_LENGTH.sqrt()) {
            return Err(parameter("center of a member of a clump", value, "must be finite, within 1e75"));
        }
    }
    Ok(())
}

fn parameter(what: &str, value: f64, must: &'static str) -> Error {
    Error::Parameter { what: what.to_owned(), value, must }
}

/// Moments of the union of members, as many as space has axes.
fn moments<const D: usize>(members: &[([f64; D], f64)]) -> Moments<D> {
    if D == 2 {
        let found = of_discs(&members.iter().map(|(x, r)| ([x[0], x[1]], *r)).collect::<Vec<_>>());
        return lifted(found.volume, &found.first, |i, j| found.second[i][j]);
    }
    let found = of_spheres(&members.iter().map(|(x, r)| ([x[0], x[1], x[D - 1]], *r)).collect::<Vec<_>>());
    lifted(found.volume, &found.first, |i, j| found.second[i][j])
}

fn lifted<const D: usize>(volume: f64, first: &[f64], second: impl Fn(usize, usize) -> f64) -> Moments<D> {
    Moments {
        volume,
        first: std::array::from_fn(|i| first[i]),
        second: std::array::from_fn(|i| std::array::from_fn(|j| second(i, j))),
    }
}

/// The main axes of a symmetric tensor, as the turn from them, and its values along them, by rotations (Jacobi).
fn main_axes(tensor: [[f64; 3]; 3]) -> (Quaternion, Spin) {
    let mut a: Matrix<3> = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (tensor[i][j] + tensor[j][i])));
    let mut axes = zero::<3>();
    (0..3).for_each(|k| axes[k][k] = 1.0);
    let size = a.iter().flatten().map(|entry| entry.abs()).fold(0.0, f64::max);
    for _ in 0..30 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            // What is as small as rounding is no reason to turn axes of equals.
            if a[p][q].abs() <= 1e-15 * size {
                continue;
            }
            let angle = 0.5 * libm::atan2(2.0 * a[p][q], a[p][p] - a[q][q]);
            let (sin, cos) = libm::sincos(angle);
            for row in [&mut a, &mut axes] {
                for k in 0..3 {
                    (row[k][p], row[k][q]) = (cos * row[k][p] + sin * row[k][q], cos * row[k][q] - sin * row[k][p]);
                }
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (cos * a[p][k] + sin * a[q][k], cos * a[q][k] - sin * a[p][k]);
            }
        }
    }
    (unit(quaternion(&axes)).unwrap_or(UPRIGHT), [a[0][0], a[1][1], a[2][2]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn one_sphere_is_a_sphere() {
        let one = ClumpShape::new(&[([3.0, -1.0, 2.0], 0.5)]).unwrap();
        assert!(length(one.members()[0].0) < 1e-12);
        let volume = PI / 6.0;
        assert!((one.volume() - volume).abs() < 1e-13);
        assert!(one.moments().iter().all(|moment| (moment - 0.4 * volume * 0.25).abs() < 1e-13), "{:?}", one.moments());
        let disc = ClumpShape::new(&[([1.0, 1.0], 2.0)]).unwrap();
        assert!((disc.moments()[2] - 0.5 * 4.0 * PI * 4.0).abs() < 1e-12);
    }

    /// Two spheres that just do not overlap: Steiner's theorem.
    #[test]
    fn a_dumbbell_has_the_inertia_of_steiner() {
        let (r, half) = (0.5, 0.5 + 1e-9);
        let two = ClumpShape::new(&[([0.0, 0.0, 0.0], r), ([2.0 * half / 3f64.sqrt(); 3], r)]).unwrap();
        let volume = 4.0 / 3.0 * PI * r * r * r;
        assert!((two.volume() - 2.0 * volume).abs() < 1e-10);
        let along = 2.0 * 0.4 * volume * r * r;
        let across = along + 2.0 * volume * half * half;
        let mut found = two.moments();
        found.sort_by(f64::total_cmp);
        for (found, expected) in found.into_iter().zip([along, across, across]) {
            assert!((found - expected).abs() < 1e-10, "{found} is not {expected}");
        }
        // Main axes and back are where members were given.
        let rows = rotation(two.to_main(UPRIGHT));
        let place = super::super::turning::to_space(&rows, two.along_main(1));
        assert!((0..3).all(|axis| (place[axis] - two.members()[1].0[axis]).abs() < 1e-15));
        assert!((0..4).all(|k| (two.out_of_main(two.to_main(UPRIGHT))[k] - UPRIGHT[k]).abs() < 1e-15));
    }

    #[test]
    fn what_is_scaled_has_scaled_moments() {
        let shape = ClumpShape::new(&[([0.0, 0.0, 0.0], 1.0), ([0.7, 0.2, 0.0], 0.6), ([0.1, 0.9, 0.3], 0.5)]).unwrap();
        let large = shape.scaled(2.0).unwrap();
        let again: Vec<_> = shape.members().iter().map(|(x, r)| (x.map(|x| 2.0 * x), 2.0 * r)).collect();
        let again = ClumpShape::new(&again).unwrap();
        assert!((large.volume() / again.volume() - 1.0).abs() < 1e-10);
        assert!((0..3).all(|k| (large.moments()[k] / again.moments()[k] - 1.0).abs() < 1e-9));
        assert!((large.radius() - 2.0 * shape.radius()).abs() < 1e-12);
    }

    #[test]
    fn clumps_that_cannot_be_are_refused() {
        assert!(ClumpShape::<3>::new(&[]).unwrap_err().to_string().contains("must be 1 or more"));
        assert!(ClumpShape::new(&[([0.0, 0.0], -1.0)]).unwrap_err().to_string().contains("radius of a member"));
        assert!(ClumpShape::new(&[([0.0, f64::NAN], 1.0)]).unwrap_err().to_string().contains("center of a member"));
        let flat = ClumpShape::with(&[([0.0; 3], 1.0)], [0.0; 3], 1.0, [[0.0; 3]; 3]);
        assert!(flat.unwrap_err().to_string().contains("must be positive"));
    }
}
