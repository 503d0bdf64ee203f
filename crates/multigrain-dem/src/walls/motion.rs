//! Where walls are at a time, and how fast they move.

use super::pose::Pose;
use super::{Drive, Shape, Wall};
use crate::vector::{Spin, add, add_scaled, length, scale};
use std::sync::Arc;

/// How far a servo has moved its wall, how fast it moves it now, and the force with which the wall pushed when it was last looked
/// at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Steering {
    pub offset: f64,
    pub speed: f64,
    pub force: f64,
}

/// A wall at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment<const D: usize> {
    pub pose: Pose<D>,
    /// Of its surface, as its spin.
    pub velocity: [f64; D],
    pub spin: Spin,
    /// A point on the axis of its spin.
    pub about: [f64; D],
}

impl<const D: usize> Wall<D> {
    /// The wall as it stands at this time; the same at any time if it does not move. A wall that a servo steers stands where it was put:
    /// [`Simulation::walls`](crate::Simulation::walls) knows where it is.
    pub fn at(&self, time: f64) -> Self {
        if !self.goes() || time == self.start {
            return self.clone();
        }
        self.placed(&self.moment(time, Steering::default()))
    }

    /// Whether it is not always in the same place.
    pub fn goes(&self) -> bool {
        self.moves || self.drive != Drive::None
    }

    /// Whether its surface turns at any time.
    pub(super) fn turns(&self) -> bool {
        self.spin != [0.0; 3] || self.drive.swings()
    }

    /// How fast the fastest of its points moves, of which none is further than this from what it turns about.
    pub(super) fn fastest(&self, far: f64) -> f64 {
        let steady = match self.moves {
            true => length(self.velocity) + if self.spin == [0.0; 3] { 0.0 } else { length(self.spin) * far },
            false => 0.0,
        };
        steady + self.drive.fastest(far)
    }

    /// What is wrong with its motion or its wear.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.drive.swings() && self.moves && self.spin != [0.0; 3] {
            return Err("swings and turns: it can do one of them");
        }
        let is_sound = |x: f64| x >= 0.0 && x.is_finite();
        if self
            .wear
            .is_some_and(|wear| !(is_sound(wear.coefficient) && wear.hardness > 0.0 && wear.hardness.is_finite()))
        {
            return Err("wears off, for which it needs a coefficient that is not negative and a positive hardness");
        }
        self.drive.check()
    }

    /// Where it is at this time and how it moves.
    pub(crate) fn moment(&self, time: f64, steered: Steering) -> Moment<D> {
        let time = time - self.start;
        let (mut shift, mut velocity, mut angle, spin) = self.drive.at(time);
        if self.moves {
            (shift, angle) = (add_scaled(shift, self.velocity, time), add_scaled(angle, self.spin, time));
        }
        if let Drive::Servo(servo) = &self.drive {
            shift = add_scaled(shift, servo.unit(), steered.offset);
            velocity = scale(servo.unit(), steered.speed);
        }
        Moment {
            pose: Pose::new(angle, self.about, shift),
            velocity: add(velocity, self.velocity),
            spin: add(spin, self.spin),
            about: add(self.about, shift),
        }
    }

    /// The wall in another place.
    pub(crate) fn placed(&self, moment: &Moment<D>) -> Self {
        let pose = &moment.pose;
        let point = |x: [f64; D]| pose.of(x);
        let all = |corners: &[[f64; D]]| corners.iter().map(|&corner| point(corner)).collect();
        let shape = match &self.shape {
            &Shape::Plane { point: on, normal } => Shape::Plane { point: point(on), normal: pose.turned(normal) },
            // Boxes that turn are refused.
            &Shape::Box { lo, hi } => Shape::Box { lo: add(lo, pose.shift), hi: add(hi, pose.shift) },
            &Shape::Cylinder { point: on, axis, radius } => {
                Shape::Cylinder { point: point(on), axis: pose.turned(axis), radius }
            }
            Shape::Plate { corners } => Shape::Plate { corners: all(corners) },
            Shape::Polygon { corners } => Shape::Polygon { corners: all(corners) },
            &Shape::Funnel { ends, radii, closed } => Shape::Funnel { ends: ends.map(point), radii, closed },
            Shape::Mesh { surface } => {
                Shape::Mesh { surface: Arc::new(surface.moved(point, |direction| pose.turned(direction))) }
            }
        };
        Self { shape, about: moment.about, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walls::Oscillation;

    fn close<const D: usize>(a: [f64; D], b: [f64; D]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }

    #[test]
    fn walls_shift_and_turn_only_if_they_move() {
        let still = Wall::plane([0.0, 1.0], [0.0, 1.0]).carrying([0.0, 2.0]);
        assert_eq!(still.at(3.0), still);
        let Shape::Plane { point, normal } = still.moving().at(3.0).shape else { panic!("it stays a plane") };
        assert_eq!((point, normal), ([0.0, 7.0], [0.0, 1.0]));
        let paddle = Wall::plate(vec![[1.0, 0.0], [2.0, 0.0]]).turning([0.0, 0.0, 1.0], [1.0, 0.0]).moving();
        let Shape::Plate { corners } = paddle.at(std::f64::consts::PI).shape else { panic!("it stays a plate") };
        close(corners[0], [1.0, 0.0]);
        close(corners[1], [0.0, 0.0]);
    }

    #[test]
    fn a_wall_swings_about_a_point_and_is_shaken_beside_its_velocity() {
        let way = Oscillation { swing: [0.0, 0.0, 0.5], ..Oscillation::along([0.0, 0.1], 2.0) };
        let door =
            Wall::plate(vec![[1.0, 0.0], [2.0, 0.0]]).turning([0.0; 3], [1.0, 0.0]).driven(Drive::Oscillating(way));
        let moment = door.moment(0.125, Steering::default());
        close(moment.pose.of([2.0, 0.0]), [1.0 + 0.5f64.cos(), 0.1 + 0.5f64.sin()]);
        close(moment.velocity, [0.0; 2]);
        let belt = Wall::plane([0.0; 2], [0.0, 1.0]).carrying([3.0, 0.0]).driven(Drive::Oscillating(way));
        let moment = belt.moment(0.25, Steering::default());
        assert_eq!(moment.velocity[0], 3.0, "the surface runs");
        assert!(moment.pose.shift[0].abs() < 1e-15, "the wall does not");
        assert!((moment.velocity[1] + 0.1 * std::f64::consts::TAU * 2.0).abs() < 1e-12);
    }
}
