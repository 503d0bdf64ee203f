//! How a periodic box is made to change its shape.

use super::matrix::{Matrix, zero};
use crate::error::Error;
use multigrain::Domain;
use std::fmt::Write as _;

/// Difference of stress, as a share of the largest target, at which the box moves as fast as it may, by default.
pub const STRESS_BAND: f64 = 0.1;

/// How a periodic box changes its shape, from the end of the one before until a time.
///
/// Every entry of the velocity gradient is either given, 0 by default, or found by the box itself, so that a stress
/// comes to its target: by how much the stress misses the target decides the rate that is aimed at, up to
/// [`max_rate`](Self::max_rate).
///
/// Velocities of grains are those of space. What the box does all grains do on the average: where the gradient changes at once, at
/// the start and between two deformations, they are taken along.
///
/// ```
/// use multigrain_dem::Deformation;
/// let shear = Deformation::<2>::rest().rate(0, 1, 0.5).stress(1, 1, 100.0).max_rate(1.0).until(20.0);
/// assert_eq!(shear.gradient[0][1], 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deformation<const D: usize> {
    /// Velocity gradient: entry `[i][j]` is how fast the velocity along axis `i` grows along axis `j`.
    pub gradient: Matrix<D>,
    /// Stresses to be reached, in place of given rates; pressure is positive.
    pub stress: [[Option<f64>; D]; D],
    /// Mean of the stresses along the periodic axes to be reached, by all of them growing or shrinking at one rate.
    pub pressure: Option<f64>,
    /// The fastest rate at which a stress is aimed at.
    pub max_rate: f64,
    /// Difference of stress, as a share of the largest target, at which the rate is the fastest.
    pub band: f64,
    /// When it ends.
    pub until: f64,
    /// Whether grains that are there at the start move with the box already, as those of a snapshot do.
    pub flowing: bool,
}

/// Steps in which the rate of a box comes to what is aimed at: enough not to follow every collision.
const SERVO_STEPS: f64 = 10.0;

impl<const D: usize> Deformation<D> {
    /// A box that stays as it is, for ever.
    pub const fn rest() -> Self {
        Self {
            gradient: zero(),
            stress: [[None; D]; D],
            pressure: None,
            max_rate: 0.0,
            band: STRESS_BAND,
            until: f64::INFINITY,
            flowing: false,
        }
    }

    /// The same with this velocity gradient.
    pub const fn gradient(self, gradient: Matrix<D>) -> Self {
        Self { gradient, ..self }
    }

    /// The same with this rate at which the velocity along axis `i` grows along axis `j`.
    pub const fn rate(mut self, i: usize, j: usize, rate: f64) -> Self {
        self.gradient[i][j] = rate;
        self
    }

    /// The same with a target for this stress, in place of a rate.
    pub const fn stress(mut self, i: usize, j: usize, target: f64) -> Self {
        self.stress[i][j] = Some(target);
        self
    }

    /// The same with a target for the mean of the stresses along the periodic axes.
    pub const fn pressure(self, target: f64) -> Self {
        Self { pressure: Some(target), ..self }
    }

    /// The same with this fastest rate.
    pub const fn max_rate(self, max_rate: f64) -> Self {
        Self { max_rate, ..self }
    }

    /// The same until this time.
    pub const fn until(self, until: f64) -> Self {
        Self { until, ..self }
    }

    /// Whether a stress decides anything.
    pub(crate) fn is_controlled(&self) -> bool {
        self.pressure.is_some() || self.stress.iter().flatten().any(Option::is_some)
    }

    /// An error for what cannot be done in this domain.
    pub(crate) fn check(&self, number: usize, domain: &Domain<D>) -> Result<(), Error> {
        let refuse = |what: &str, value: f64, must: &'static str| {
            Err(Error::Parameter { what: format!("{what} of deformation {number}"), value, must })
        };
        let is_along_axes = !domain.is_sheared();
        for i in 0..D {
            for j in 0..D {
                let (rate, target) = (self.gradient[i][j], self.stress[i][j]);
                let name = format!("{}{}", AXES[i], AXES[j]);
                if !rate.is_finite() {
                    return refuse(&format!("rate {name}"), rate, "must be finite");
                }
                if let Some(value) = target.filter(|target| !target.is_finite()) {
                    return refuse(&format!("stress {name}"), value, "must be finite");
                }
                let is_free = match is_along_axes {
                    true => domain.is_periodic(i) && domain.is_periodic(j),
                    false => (0..D).all(|edge| domain.is_periodic(edge)),
                };
                if (rate != 0.0 || target.is_some()) && !is_free {
                    return Err(Error::Deformation {
                        number,
                        problem: format!("changes {name}, but both axes must be periodic for that"),
                    });
                }
                if target.is_some() && i == j && self.pressure.is_some() {
                    return Err(Error::Deformation {
                        number,
                        problem: format!("has targets for the pressure and for the stress {name}; give one of them"),
                    });
                }
            }
        }
        if self.until.is_nan() {
            return refuse("end", self.until, "must be a time");
        }
        if !self.is_controlled() {
            return Ok(());
        }
        if !(self.max_rate > 0.0 && self.max_rate.is_finite()) {
            return refuse("max_rate", self.max_rate, "must be positive and finite where a stress has a target");
        }
        if !(self.band > 0.0 && self.band.is_finite()) {
            return refuse("band", self.band, "must be positive and finite");
        }
        if self.pressure.is_some_and(|value| !value.is_finite()) {
            return refuse("pressure", self.pressure.unwrap_or(0.0), "must be finite");
        }
        if self.largest_target() == 0.0 {
            return refuse("largest target", 0.0, "must not be 0: it says which differences of stress are small");
        }
        Ok(())
    }

    fn largest_target(&self) -> f64 {
        let all = self.stress.iter().flatten().flatten().chain(&self.pressure);
        all.map(|target| target.abs()).fold(0.0, f64::max)
    }

    /// The velocity gradient to begin with, where it was this one before: entries that stresses decide go on.
    pub(crate) fn first_gradient(&self, before: &Matrix<D>, domain: &Domain<D>) -> Matrix<D> {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| if self.decides(i, j, domain) { before[i][j] } else { self.gradient[i][j] })
        })
    }

    /// Whether a stress decides this rate.
    fn decides(&self, i: usize, j: usize, domain: &Domain<D>) -> bool {
        self.stress[i][j].is_some() || i == j && self.pressure.is_some() && domain.is_periodic(i)
    }

    /// How fast the velocity gradient changes, so that stresses come to their targets.
    pub(crate) fn change(&self, flow: &Matrix<D>, stress: &Matrix<D>, domain: &Domain<D>, dt: f64) -> Matrix<D> {
        let periodic: Vec<usize> = (0..D).filter(|&axis| domain.is_periodic(axis)).collect();
        let mean = periodic.iter().map(|&axis| stress[axis][axis]).sum::<f64>() / periodic.len().max(1) as f64;
        let width = self.band * self.largest_target();
        let mut change = zero();
        for i in 0..D {
            for j in (0..D).filter(|&j| self.decides(i, j, domain)) {
                let missed = match (self.stress[i][j], self.pressure) {
                    (Some(target), _) => stress[i][j] - target,
                    (None, target) => mean - target.unwrap_or(0.0),
                };
                let aim = self.max_rate * (missed / width).clamp(-1.0, 1.0);
                change[i][j] = (aim - flow[i][j]) / (SERVO_STEPS * dt);
            }
        }
        change
    }

    /// In words, for saved simulations.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!("until {:e}", self.until);
        for i in 0..D {
            for j in 0..D {
                let name = format!("{}{}", AXES[i], AXES[j]);
                // Strings take whatever is written.
                let _ = match self.stress[i][j] {
                    Some(target) => write!(text, ", stress {name} {target:e}"),
                    None => write!(text, ", rate {name} {:e}", self.gradient[i][j]),
                };
            }
        }
        if let Some(pressure) = self.pressure {
            let _ = write!(text, ", pressure {pressure:e}");
        }
        if self.is_controlled() {
            let _ = write!(text, ", at most {:e} within {:e}", self.max_rate, self.band);
        }
        text
    }
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];
