//! Faces that make up one surface: a grain touches the surface, not each of its faces.

use super::features::Feature;
use super::nearest::{on_disc, on_plate, on_polygon};
use super::obstacles::{Obstacles, Place, Touch};
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
        // What hides a face may be hidden itself, but never by one that it hides: along the chain faces come nearer.
        for k in 0..merged.len() {
            for _ in 0..merged.len() {
                let Some(behind) = merged.iter().find(|[_, hidden]| *hidden == merged[k][0]) else { break };
                merged[k][0] = behind[0];
            }
        }
        touches.retain(|touch| merged.iter().all(|[_, hidden]| *hidden != touch.face));
    }

    /// Whether it has an edge, which it may share with others.
    fn is_plate(&self, face: u32) -> bool {
        match self.place_of(face) {
            Place::Other(k) => !matches!(self.others[k], Feature::Plane { .. } | Feature::Cylinder { .. }),
            Place::Mesh(_) => true,
            Place::Across(_) => false,
        }
    }

    fn is_on_plate(&self, face: u32, point: [f64; D], near: f64) -> bool {
        match self.place_of(face) {
            Place::Mesh(mesh) => mesh.has(face, point, near),
            Place::Across(_) => false,
            Place::Other(k) => match &self.others[k] {
                Feature::Plate { corners, normal } => {
                    let (nearest, _) = on_plate(point, corners, *normal);
                    length(sub(nearest, point)) <= near
                }
                Feature::Polygon { corners } => {
                    let (nearest, _) = on_polygon(point, corners);
                    length(sub(nearest, point)) <= near
                }
                Feature::Disc { center, normal, radius } => {
                    let (nearest, _) = on_disc(point, *center, *normal, *radius);
                    length(sub(nearest, point)) <= near
                }
                // A sphere of no size that is nowhere further in than it is near.
                funnel @ Feature::Funnel { .. } => -funnel.nearest(point, 0.0, [0.0; D]).overlap <= near,
                Feature::Plane { .. } | Feature::Cylinder { .. } => false,
            },
        }
    }
}
