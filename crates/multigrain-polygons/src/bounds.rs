//! Bounding boxes of placed polygons, kept up with little work while bodies turn slowly.

use super::convex::Placed;
use super::vector::{Point, dot};

/// The corners of a polygon that are furthest left, down, right and up, as remembered from the last call. Any value is
/// right; a good guess saves steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extremes {
    corners: [u32; 4],
}

impl Placed<'_> {
    /// Lower and upper corner of the smallest axis-parallel box around the polygon, as good as rounding allows: it is never
    /// too small.
    pub fn bounding_box(&self, memory: &mut Extremes) -> [[f64; 2]; 2] {
        let directions = [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
        let mut reach = [0.0; 4];
        for (k, direction) in directions.into_iter().enumerate() {
            let direction = self.frame.turned_back(direction);
            (memory.corners[k], reach[k]) = climb(self.polygon.corners(), memory.corners[k], direction);
        }
        // Heights of neighbours may be off by an ulp each, and so might a climb that ended early.
        let slack = (self.polygon.len() as f64 + 16.0) * f64::EPSILON * self.polygon.radius();
        let [x, y] = self.frame.position();
        let below = |value: f64| value - 2.0 * f64::EPSILON * value.abs();
        let above = |value: f64| value + 2.0 * f64::EPSILON * value.abs();
        [
            [below(x - reach[0] - slack), below(y - reach[1] - slack)],
            [above(x + reach[2] + slack), above(y + reach[3] + slack)],
        ]
    }
}

/// Goes from corner to corner while they do not get lower. A convex ring has one top; corners of equal height, at the bottom
/// too, are passed.
fn climb(corners: &[Point], start: u32, direction: Point) -> (u32, f64) {
    let count = corners.len();
    let height = |k: usize| dot(direction, corners[k]);
    let mut here = if (start as usize) < count { start as usize } else { 0 };
    let mut top = height(here);
    let forward = |k: usize| if k + 1 == count { 0 } else { k + 1 };
    let backward = |k: usize| if k == 0 { count - 1 } else { k - 1 };
    let steps: [&dyn Fn(usize) -> usize; 2] = [&forward, &backward];
    for step in steps {
        let mut has_moved = false;
        for _ in 0..count {
            let next = step(here);
            let level = height(next);
            if level < top {
                break;
            }
            has_moved |= level > top;
            (here, top) = (next, level);
        }
        if has_moved {
            break;
        }
    }
    (here as u32, top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvexPolygon, Frame};
    use multigrain_sizes::Rng;

    #[test]
    fn boxes_hold_all_corners_and_hardly_more_whatever_was_remembered() {
        let mut rng = Rng::new(11);
        for round in 0..300 {
            let polygon = ConvexPolygon::random(3 + round, 2.0, &mut rng).unwrap();
            let mut memory = Extremes { corners: [0, 1, 2, rng.below(2000) as u32] };
            for turn in 0..5 {
                let frame = Frame::new([1e3 * rng.uniform(), -5.0], 0.3 * f64::from(turn)).unwrap();
                let body = polygon.at(frame);
                let [lo, hi] = body.bounding_box(&mut memory);
                let corners: Vec<Point> = body.corners().collect();
                for axis in 0..2 {
                    let values = || corners.iter().map(|corner| corner[axis]);
                    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(-1e300, f64::max));
                    assert!(lo[axis] <= least && most <= hi[axis], "{round}: {lo:?} {hi:?}");
                    assert!(least - lo[axis] < 1e-11 && hi[axis] - most < 1e-11, "{round}: {lo:?} {hi:?}");
                }
            }
        }
    }

    #[test]
    fn corners_on_a_straight_edge_at_the_bottom_do_not_hold_the_climb() {
        let flat = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 1.0], [2.0, 1.0], [1.0, 1.0], [0.0, 1.0]];
        let polygon = ConvexPolygon::new(&flat).unwrap();
        for start in 0..8 {
            let (_, top) = climb(polygon.corners(), start, [0.0, 1.0]);
            assert_eq!(top, 0.5, "from {start}");
        }
    }
}
