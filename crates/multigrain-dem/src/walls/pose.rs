//! Where a wall is against where it was at the start.

use crate::vector::{Spin, add, add_scaled, dot, scale, sub, turned};

/// Turned about a point, then shifted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pose<const D: usize> {
    /// None where nothing is turned.
    turn: Option<Turn<D>>,
    about: [f64; D],
    pub shift: [f64; D],
}

impl<const D: usize> Pose<D> {
    /// Where it was.
    pub const START: Self = Self { turn: None, about: [0.0; D], shift: [0.0; D] };

    /// Turned by a vector of this direction and angle about a point, then shifted.
    pub fn new(angle: Spin, about: [f64; D], shift: [f64; D]) -> Self {
        let angle = if D == 2 { [0.0, 0.0, angle[2]] } else { angle };
        Self { turn: (angle != [0.0; 3]).then(|| Turn::new(angle)), about, shift }
    }

    /// Where a point of the start is now.
    #[inline]
    pub fn of(&self, x: [f64; D]) -> [f64; D] {
        match &self.turn {
            Some(turn) => add(add(self.about, turn.of(sub(x, self.about))), self.shift),
            None => add(x, self.shift),
        }
    }

    /// Where a point of now was at the start.
    #[inline]
    pub fn back(&self, x: [f64; D]) -> [f64; D] {
        let x = sub(x, self.shift);
        match &self.turn {
            Some(turn) => add(self.about, turn.back(sub(x, self.about))),
            None => x,
        }
    }

    /// How a direction of the start points now.
    #[inline]
    pub fn turned(&self, direction: [f64; D]) -> [f64; D] {
        self.turn.as_ref().map_or(direction, |turn| turn.of(direction))
    }
}

/// A turn about an axis through the origin.
#[derive(Debug, Clone, Copy)]
struct Turn<const D: usize> {
    axis: Spin,
    sin: f64,
    cos: f64,
}

impl<const D: usize> Turn<D> {
    /// The turn about the direction of this vector by its length; in the plane only the third component counts.
    fn new(angle: Spin) -> Self {
        let size = dot(angle, angle).sqrt();
        let axis = if size > 0.0 { scale(angle, 1.0 / size) } else { [0.0; 3] };
        let (sin, cos) = libm::sincos(size);
        Self { axis, sin, cos }
    }

    /// A vector after the turn, after Rodrigues.
    #[inline]
    fn of(&self, x: [f64; D]) -> [f64; D] {
        let along: [f64; D] = std::array::from_fn(|k| if D == 2 { 0.0 } else { self.axis[k] });
        let across = add_scaled(scale(x, self.cos), turned(self.axis, x), self.sin);
        add_scaled(across, along, dot(along, x) * (1.0 - self.cos))
    }

    /// A vector before the turn.
    #[inline]
    fn back(&self, x: [f64; D]) -> [f64; D] {
        Self { sin: -self.sin, ..*self }.of(x)
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
        close(Turn::<2>::new([0.0, 0.0, quarter]).of([1.0, 0.0]), [0.0, 1.0]);
        close(Turn::<3>::new([quarter, 0.0, 0.0]).of([1.0, 1.0, 0.0]), [1.0, 0.0, 1.0]);
        close(Turn::<3>::new([quarter * 4.0 / 3.0 / 3f64.sqrt(); 3]).of([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_pose_leads_there_and_back() {
        let pose = Pose::new([0.3, -0.7, 1.1], [1.0, 2.0, 3.0], [0.5, 0.0, -4.0]);
        close(pose.back(pose.of([0.2, -5.0, 7.0])), [0.2, -5.0, 7.0]);
        close(sub(pose.of([1.0; 3]), pose.of([0.0; 3])), pose.turned([1.0; 3]));
        assert_eq!(Pose::START.of([1.5, 2.5]), [1.5, 2.5]);
    }
}
