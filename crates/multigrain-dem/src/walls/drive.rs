//! How walls move beside a steady velocity and spin: to and fro, along a table of times, steered by a servo.

use crate::vector::{Spin, add_scaled, length, scale, sub, unit};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Damping of a servo at least, in masses per step: with a fiftieth of a contact as step it is a twelfth of what a mass on a spring
/// needs not to swing at all.
const MIN_DAMPING: f64 = 0.01;

/// How a wall moves beside its steady velocity and spin. The wall itself moves, and its surface with it.
///
/// ```
/// use multigrain_dem::{Drive, Oscillation, Servo, TimeTable, Wall};
/// let floor = || Wall::plane([0.0, 0.0], [0.0, 1.0]);
/// let shaken = floor().driven(Drive::Oscillating(Oscillation::along([0.0, 1e-3], 50.0)));
/// let table = TimeTable::new(vec![0.0, 1.0, 3.0], vec![[0.0, 0.0], [0.0, 0.1], [0.0, 0.1]])?;
/// let lifted = floor().driven(Drive::Table(table.into()));
/// let lid = Wall::plane([0.0, 1.0], [0.0, -1.0]);
/// let pressed = lid.driven(Drive::Servo(Servo::new([0.0, -1.0], 25.0, 0.1)));
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Drive<const D: usize> {
    /// Not at all.
    #[default]
    None,
    /// To and fro.
    Oscillating(Oscillation<D>),
    /// Where it is at which time.
    Table(Arc<TimeTable<D>>),
    /// As fast as it takes to push grains with a force.
    Servo(Servo<D>),
}

/// To and fro, from where the wall was put: shifted by `amplitude * (sin(2 pi frequency t + phase) - sin(phase))`, or turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation<const D: usize> {
    /// The furthest shift from the middle.
    pub amplitude: [f64; D],
    /// The furthest turn from the middle, as axis times angle, about the point `about` of the wall; in the plane the third
    /// component counts. Only for walls without a spin that moves them.
    pub swing: Spin,
    /// Per time.
    pub frequency: f64,
    /// Of the sine at the start.
    pub phase: f64,
}

impl<const D: usize> Oscillation<D> {
    /// Shifted to and fro.
    pub const fn along(amplitude: [f64; D], frequency: f64) -> Self {
        Self { amplitude, swing: [0.0; 3], frequency, phase: 0.0 }
    }

    /// Share of the amplitude that it is shifted by, and how fast that grows.
    fn share(&self, time: f64) -> [f64; 2] {
        let angle = TAU * self.frequency * time + self.phase;
        let (sin, cos) = libm::sincos(angle);
        [sin - libm::sin(self.phase), TAU * self.frequency * cos]
    }
}

/// Shifts from where the wall was put, at times; straight and steady between them, at rest before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeTable<const D: usize> {
    times: Vec<f64>,
    shifts: Vec<[f64; D]>,
}

impl<const D: usize> TimeTable<D> {
    /// A shift for each time. Times must grow.
    pub fn new(times: Vec<f64>, shifts: Vec<[f64; D]>) -> Result<Self, &'static str> {
        if times.len() != shifts.len() || times.is_empty() {
            return Err("a table of times needs a shift for each time, and one row or more");
        }
        if !times.iter().chain(shifts.iter().flatten()).all(|x| x.is_finite()) {
            return Err("a table of times needs finite numbers");
        }
        if !times.is_sorted_by(|a, b| a < b) {
            return Err("times of a table must grow from row to row");
        }
        Ok(Self { times, shifts })
    }

    /// Times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Shifts at these times.
    pub fn shifts(&self) -> &[[f64; D]] {
        &self.shifts
    }

    /// Shift and velocity.
    fn at(&self, time: f64) -> ([f64; D], [f64; D]) {
        let next = self.times.partition_point(|&known| known < time);
        if next == 0 || next == self.times.len() {
            return (self.shifts[next.min(self.times.len() - 1)], [0.0; D]);
        }
        let (from, last) = (self.shifts[next - 1], self.times[next - 1]);
        let velocity = self.velocity(next);
        (add_scaled(from, velocity, time - last), velocity)
    }

    /// Velocity on the way to this row.
    fn velocity(&self, row: usize) -> [f64; D] {
        scale(sub(self.shifts[row], self.shifts[row - 1]), 1.0 / (self.times[row] - self.times[row - 1]))
    }

    fn fastest(&self) -> f64 {
        (1..self.times.len()).map(|row| length(self.velocity(row))).fold(0.0, f64::max)
    }
}

/// Moves a wall along a direction, or back, so that it pushes grains with a force: where nothing else pushes it, with a speed in
/// proportion to what is missing.
///
/// To grains such a wall is a dashpot that a steady force acts on, and takes energy from them: it comes to rest. So that this
/// holds for steps of finite length too, it has the mass of the grains that it touches, and a gain so large that it would ring
/// is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Servo<const D: usize> {
    /// Where it pushes, of any length.
    pub direction: [f64; D],
    /// The force that it is to push with; below 0 it pulls.
    pub force: f64,
    /// The largest speed.
    pub max_speed: f64,
    /// Speed per force that is missing; so that the largest speed belongs to all of the force by default.
    pub gain: Option<f64>,
}

impl<const D: usize> Servo<D> {
    /// With a gain of its own choice.
    pub const fn new(direction: [f64; D], force: f64, max_speed: f64) -> Self {
        Self { direction, force, max_speed, gain: None }
    }

    /// The direction with length 1.
    pub(crate) fn unit(&self) -> [f64; D] {
        unit(self.direction).unwrap_or([0.0; D])
    }

    /// Its speed a step later, where grains of this mass push back with this force.
    pub(crate) fn speed(&self, before: f64, pushed_back: f64, mass: f64, step: f64) -> f64 {
        let gain = self.gain.unwrap_or(self.max_speed / self.force.abs());
        let damping = (1.0 / gain).max(MIN_DAMPING * mass / step);
        // The dashpot acts with the speed to come: it never turns it round.
        let speed = (mass * before + step * (self.force - pushed_back)) / (mass + step * damping);
        speed.clamp(-self.max_speed, self.max_speed)
    }
}

impl<const D: usize> Drive<D> {
    /// Whether it turns the wall.
    pub(crate) fn swings(&self) -> bool {
        matches!(self, Self::Oscillating(way) if way.swing != [0.0; 3])
    }

    /// Shift and velocity, angle and spin at this time; of servos they are known elsewhere.
    pub(super) fn at(&self, time: f64) -> ([f64; D], [f64; D], Spin, Spin) {
        match self {
            Self::None | Self::Servo(_) => ([0.0; D], [0.0; D], [0.0; 3], [0.0; 3]),
            Self::Oscillating(way) => {
                let [share, rate] = way.share(time);
                let (Oscillation { amplitude, swing, .. }, scaled) = (*way, scale(way.swing, share));
                (scale(amplitude, share), scale(amplitude, rate), scaled, scale(swing, rate))
            }
            Self::Table(table) => {
                let (shift, velocity) = table.at(time);
                (shift, velocity, [0.0; 3], [0.0; 3])
            }
        }
    }

    /// The largest speed of any point, of which none is further than this from what it turns about.
    pub(super) fn fastest(&self, far: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Oscillating(way) => {
                let turning = if self.swings() { length(way.swing) * far } else { 0.0 };
                TAU * way.frequency.abs() * (length(way.amplitude) + turning)
            }
            Self::Table(table) => table.fastest(),
            Self::Servo(servo) => servo.max_speed,
        }
    }

    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match self {
            Self::None | Self::Table(_) => Ok(()),
            Self::Oscillating(way) => {
                let numbers = way.amplitude.iter().chain(&way.swing).chain([&way.frequency, &way.phase]);
                match numbers.into_iter().all(|x| x.is_finite()) && way.frequency > 0.0 {
                    true => Ok(()),
                    false => Err("oscillates, for which it needs a positive frequency and finite amplitudes"),
                }
            }
            Self::Servo(servo) => {
                if unit(servo.direction).is_none() {
                    return Err("has a servo that needs a direction that is finite and not zero");
                }
                if !(servo.force.is_finite() && servo.max_speed > 0.0 && servo.max_speed.is_finite()) {
                    return Err("has a servo that needs a finite force and a positive largest speed");
                }
                match servo.gain {
                    Some(gain) if gain > 0.0 && gain.is_finite() => Ok(()),
                    Some(_) => Err("has a servo whose gain must be positive and finite"),
                    None if servo.force == 0.0 => Err("has a servo for no force, which needs a gain"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_straight_between_their_rows_and_rest_outside() {
        let table = TimeTable::new(vec![1.0, 2.0, 4.0], vec![[0.0, 1.0], [2.0, 1.0], [2.0, 0.0]]).unwrap();
        assert_eq!(table.at(0.0), ([0.0, 1.0], [0.0; 2]));
        assert_eq!(table.at(1.5), ([1.0, 1.0], [2.0, 0.0]));
        assert_eq!(table.at(3.0), ([2.0, 0.5], [0.0, -0.5]));
        assert_eq!(table.at(9.0), ([2.0, 0.0], [0.0; 2]));
        assert_eq!(table.fastest(), 2.0);
        assert!(TimeTable::new(vec![1.0, 1.0], vec![[0.0; 2]; 2]).is_err());
        assert!(TimeTable::<2>::new(vec![], vec![]).is_err());
    }

    #[test]
    fn velocities_are_those_of_the_shifts() {
        let way = Oscillation { phase: 0.7, ..Oscillation::along([0.2, -0.1], 3.0) };
        let drive = Drive::Oscillating(way);
        assert_eq!(drive.at(0.0).0, [0.0; 2]);
        for k in 0..50 {
            let (time, small) = (0.013 * f64::from(k), 1e-6);
            let (before, after) = (drive.at(time - small).0, drive.at(time + small).0);
            let velocity = drive.at(time).1;
            for axis in 0..2 {
                assert!((velocity[axis] - (after[axis] - before[axis]) / (2.0 * small)).abs() < 1e-6);
            }
            assert!(length(velocity) <= drive.fastest(f64::INFINITY));
        }
    }

    #[test]
    fn a_servo_comes_to_rest_on_a_bed_whatever_its_gain() {
        // The step is a fiftieth of the contact of the mass.
        let (stiffness, damping, mass, step) = (1e6, 50.0, 0.01, 6e-6);
        for gain in [1e-3, 1.0, 1e9] {
            let servo = Servo { gain: Some(gain), ..Servo::new([0.0, -1.0], 10.0, 1e9) };
            let (mut offset, mut speed) = (0.0, 0.0);
            for _ in 0..8000 {
                speed = servo.speed(speed, stiffness * offset + damping * speed, mass, step);
                offset += step * speed;
            }
            assert!((stiffness * offset - 10.0).abs() < 1e-6, "{gain}: {}", stiffness * offset);
        }
        assert_eq!(Servo::new([1.0, 0.0], 10.0, 0.5).speed(0.0, 0.0, 0.0, 1e-5), 0.5);
    }
}
