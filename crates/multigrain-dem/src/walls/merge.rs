//! Faces that make up one surface: a grain touches the surface, not each of its faces.

use super::features::{Feature, Obstacles, Touch};
use super::nearest::{on_plate, on_polygon};
use crate::vector::{length, scale, sub};

/// How near two points of faces must be to count as one, in radii of the grain.
const SAME: f64 = 1e-9;

impl<const D: usize> Obstacles<D> {
    /// Whether two faces may be parts of one surface.
    pub fn are_joined(&self, one: u32, other: u32) -> bool {
        self.surface(one).group == self.surface(other).group
    }

    /// Of the touches of a sphere, leaves out those on edges that another face has too and that is nearer there: the sphere
    /// touches the surface as a whole, not each of its faces.
    ///
    /// The distance to a convex face has one minimum. If that is on the edge, at a point which another face shares, and the other
    /// face comes nearer, the distance falls from there along the other face: it is no minimum of both together.
    /// `merged` lists each face that was left out, behind the one that it belongs to.
    pub fn merge(&self, touches: &mut Vec<Touch<D>>, radius: f64, merged: &mut Vec<[u32; 2]>) {
        merged.clear();
        if touches.len() < 2 {
            return;
        }
        let near = SAME * radius;
        // Two points inside of plates are one only on an edge of both, where rounding has put them inside.
        let is_same = |one: &Touch<D>, other: &Touch<D>| {
            let ways = [one, other].map(|touch| scale(touch.normal, radius - touch.overlap));
            length(sub(ways[0], ways[1])) <= near
                && self.are_joined(one.face, other.face)
                && [one, other].iter().all(|touch| self.is_plate(touch.face))
        };
        let hides = |one: &Touch<D>, other: &Touch<D>| -> bool {
            let Some(point) = one.edge else {
                return other.edge.is_none() && other.face < one.face && is_same(one, other);
            };
            let deeper = other.overlap - one.overlap;
            let goes_first = deeper > near || (deeper >= -near && (other.edge.is_none() || other.face < one.face));
            goes_first
                && one.face != other.face
                && self.are_joined(one.face, other.face)
                && self.is_on_plate(other.face, point, near)
        };
        for one in touches.iter() {
            merged.extend(touches.iter().find(|other| hides(one, other)).map(|other| [other.face, one.face]));
        }
        touches.retain(|touch| merged.iter().all(|[_, hidden]| *hidden != touch.face));
    }

    fn is_plate(&self, face: u32) -> bool {
        let other = (face as usize).checked_sub(self.faces.len()).map(|k| &self.others[k]);
        matches!(other, Some(Feature::Plate { .. } | Feature::Polygon { .. }))
    }

    fn is_on_plate(&self, face: u32, point: [f64; D], near: f64) -> bool {
        let other = (face as usize).checked_sub(self.faces.len()).map(|k| &self.others[k]);
        match other {
            Some(Feature::Plate { corners, normal }) => {
                let (nearest, _) = on_plate(point, corners, *normal);
                length(sub(nearest, point)) <= near
            }
            Some(Feature::Polygon { corners }) => {
                let (nearest, _) = on_polygon(point, corners);
                length(sub(nearest, point)) <= near
            }
            _ => false,
        }
    }
}
