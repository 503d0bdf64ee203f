//! Walls that go along with their surface.

use super::{Shape, Wall};
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, turned};

impl<const D: usize> Wall<D> {
    /// The wall as it stands at this time; the same at any time if it does not move.
    pub fn at(&self, time: f64) -> Self {
        if !self.moves || time == 0.0 {
            return self.clone();
        }
        let turn = Turn::new(self.spin, time);
        let shift = scale(self.velocity, time);
        let point = |x: [f64; D]| add(add(self.about, turn.of(sub(x, self.about))), shift);
        let shape = match &self.shape {
            &Shape::Plane { point: on, normal } => Shape::Plane { point: point(on), normal: turn.of(normal) },
            // Boxes that turn are refused.
            &Shape::Box { lo, hi } => Shape::Box { lo: add(lo, shift), hi: add(hi, shift) },
            &Shape::Cylinder { point: on, axis, radius } => {
                Shape::Cylinder { point: point(on), axis: turn.of(axis), radius }
            }
            Shape::Plate { corners } => Shape::Plate { corners: corners.iter().map(|&corner| point(corner)).collect() },
            Shape::Polygon { corners } => {
                Shape::Polygon { corners: corners.iter().map(|&corner| point(corner)).collect() }
            }
            &Shape::Funnel { ends, radii } => Shape::Funnel { ends: ends.map(point), radii },
        };
        Self { shape, about: add(self.about, shift), ..self.clone() }
    }
}

/// A turn about an axis through the origin.
struct Turn<const D: usize> {
    axis: Spin,
    sin: f64,
    cos: f64,
}

impl<const D: usize> Turn<D> {
    /// The turn that a spin makes in this time; in the plane only the third component counts.
    fn new(spin: Spin, time: f64) -> Self {
        let spin = if D == 2 { [0.0, 0.0, spin[2]] } else { spin };
        let speed = dot(spin, spin).sqrt();
        let axis = if speed > 0.0 { scale(spin, 1.0 / speed) } else { [0.0; 3] };
        let (sin, cos) = (speed * time).sin_cos();
        Self { axis, sin, cos }
    }

    /// A vector after the turn, after Rodrigues.
    fn of(&self, x: [f64; D]) -> [f64; D] {
        let along: [f64; D] = std::array::from_fn(|k| if D == 2 { 0.0 } else { self.axis[k] });
        let across = add_scaled(scale(x, self.cos), turned(self.axis, x), self.sin);
        add_scaled(across, along, dot(along, x) * (1.0 - self.cos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close<const D: usize>(a: [f64; D], b: [f64; D]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }

    #[test]
    fn a_quarter_turn_takes_one_axis_to_the_next() {
        let quarter = std::f64::consts::FRAC_PI_2;
        close(Turn::<2>::new([0.0, 0.0, 2.0], 0.5 * quarter).of([1.0, 0.0]), [0.0, 1.0]);
        close(Turn::<3>::new([3.0, 0.0, 0.0], quarter / 3.0).of([1.0, 1.0, 0.0]), [1.0, 0.0, 1.0]);
        close(Turn::<3>::new([1.0; 3], quarter * 4.0 / 3.0 / 3f64.sqrt()).of([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
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
}
