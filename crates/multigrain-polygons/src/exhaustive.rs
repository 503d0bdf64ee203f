//! The slow answers that the fast ones are held to: every edge against every edge, nothing remembered, nothing left out.

use super::convex::Placed;
use super::moments::{Moments, moments};
use super::vector::{Point, add, along, cross, dot, sub};

/// The distance of two polygons from all pairs of edges; 0 where they overlap.
pub fn exhaustive_distance(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    let [a, b] = from_first(a, b);
    if a.iter().any(|edge| holds(&b, edge.start)) || b.iter().any(|edge| holds(&a, edge.start)) {
        return 0.0;
    }
    let mut nearest = f64::INFINITY;
    for p in &a {
        let mut before = p.side(b[0].start);
        for q in &b {
            // The edge's line parts the ends of `q`; then `q`'s line may part its ends.
            let after = p.side(q.end);
            if before * after < 0.0 && q.parts(p) {
                return 0.0;
            }
            before = after;
            for square in [p.square_of_distance(q.start), q.square_of_distance(p.start)] {
                if square < nearest {
                    nearest = square;
                }
            }
        }
    }
    nearest.sqrt()
}

/// Area and centroid of what two polygons have in common: the first cut by every edge of the second in turn.
pub fn exhaustive_overlap(a: &Placed<'_>, b: &Placed<'_>) -> Moments {
    let [own, others] = from_first(a, b);
    let mut left: Vec<Point> = own.iter().map(|edge| edge.start).collect();
    let mut kept = Vec::with_capacity(2 * left.len());
    for edge in &others {
        if left.iter().all(|&p| edge.side(p) >= 0.0) {
            continue;
        }
        kept.clear();
        let mut low = left.first().map_or(0.0, |&p| edge.side(p));
        for (k, &p) in left.iter().enumerate() {
            let q = left[if k + 1 == left.len() { 0 } else { k + 1 }];
            let high = edge.side(q);
            if low >= 0.0 {
                kept.push(p);
            }
            if (low < 0.0 && high > 0.0) || (low > 0.0 && high < 0.0) {
                kept.push(along(p, sub(q, p), low / (low - high)));
            }
            low = high;
        }
        std::mem::swap(&mut left, &mut kept);
    }
    let mut found = moments(&left);
    found.centroid = add(found.centroid, a.frame.position());
    found
}

/// Distance of a point from the boundary of a placed polygon, from all its edges.
pub fn distance_from_boundary(point: [f64; 2], body: &Placed<'_>) -> f64 {
    let point = sub(point, body.frame.position());
    let squares = edges(body, [0.0; 2]).into_iter().map(|edge| edge.square_of_distance(point));
    squares.fold(f64::INFINITY, f64::min).sqrt()
}

/// An edge. Its vector is turned by itself: the difference of turned corners would have no direction left where the edge is
/// as short as rounding.
struct Edge {
    start: Point,
    end: Point,
    vector: Point,
    /// One over the squared length.
    inverse_square: f64,
}

impl Edge {
    /// Positive on the left of the edge's line.
    fn side(&self, point: Point) -> f64 {
        cross(self.vector, sub(point, self.start))
    }

    /// Whether the ends of the other edge lie on different sides.
    fn parts(&self, other: &Self) -> bool {
        self.side(other.start) * self.side(other.end) < 0.0
    }

    fn square_of_distance(&self, point: Point) -> f64 {
        let from = sub(point, self.start);
        let position = (dot(self.vector, from) * self.inverse_square).clamp(0.0, 1.0);
        let between = along(from, self.vector, -position);
        dot(between, between)
    }
}

/// The edges of both, seen from where the first one is: positions may be huge, shapes keep their digits.
fn from_first(a: &Placed<'_>, b: &Placed<'_>) -> [Vec<Edge>; 2] {
    let origin = a.frame.position();
    [a, b].map(|body| edges(body, sub(body.frame.position(), origin)))
}

fn edges(body: &Placed<'_>, shift: Point) -> Vec<Edge> {
    let corners = body.polygon.corners();
    let turned = |k: usize| add(shift, body.frame.turned(corners[k]));
    let edge = |k: usize| {
        let next = (k + 1) % corners.len();
        let vector = body.frame.turned(sub(corners[next], corners[k]));
        Edge { start: turned(k), end: turned(next), vector, inverse_square: 1.0 / dot(vector, vector) }
    };
    (0..corners.len()).map(edge).collect()
}

fn holds(edges: &[Edge], point: Point) -> bool {
    edges.iter().all(|edge| edge.side(point) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvexPolygon, Frame};

    #[test]
    fn answers_by_hand() {
        let square = ConvexPolygon::rectangle(2.0, 2.0).unwrap();
        let at = |x: f64, y: f64| square.at(Frame::new([x, y], 0.0).unwrap());
        let a = at(0.0, 0.0);
        assert_eq!(exhaustive_distance(&a, &at(5.0, 0.5)), 3.0);
        assert_eq!(exhaustive_distance(&a, &at(5.0, 6.0)), 5.0);
        assert_eq!(exhaustive_distance(&a, &at(1.0, 1.0)), 0.0);
        assert_eq!(exhaustive_distance(&a, &at(0.0, 0.0)), 0.0);
        let common = exhaustive_overlap(&a, &at(1.0, 1.5));
        assert_eq!((common.area, common.centroid), (0.5, [0.5, 0.75]));
        assert_eq!(exhaustive_overlap(&a, &at(9.0, 0.0)).area, 0.0);
        let cross = ConvexPolygon::rectangle(8.0, 0.5).unwrap();
        assert_eq!(exhaustive_distance(&a, &cross.at(Frame::WORLD)), 0.0);
        assert_eq!(exhaustive_overlap(&a, &cross.at(Frame::WORLD)).centroid, [0.0, 0.0]);
    }
}
