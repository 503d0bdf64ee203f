//! Walls taken apart into surfaces that each touch a grain in one point at most.

use super::Shape;
use super::nearest::{crossed, is_in_polygon, on_disc, on_plate, on_polygon, on_segment};
use crate::vector::{add, add_scaled, dot, length, scale, sub, unit};
use multigrain_polygons::ConvexPolygon;

/// A plane across an axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub axis: usize,
    /// 1 if larger coordinates are free, -1 if smaller ones are.
    pub side: f64,
    pub at: f64,
}

#[derive(Debug, Clone)]
pub(super) enum Feature<const D: usize> {
    Plane { normal: [f64; D], at: f64 },
    Cylinder { point: [f64; D], axis: [f64; D], radius: f64 },
    Plate { corners: Vec<[f64; D]>, normal: [f64; D] },
    Polygon { corners: Vec<[f64; D]> },
    Funnel { end: [f64; D], axis: [f64; D], height: f64, radii: [f64; 2] },
    Disc { center: [f64; D], normal: [f64; D], radius: f64 },
}

/// The surfaces of a shape, each of which touches a grain in one point at most; or what is wrong with it.
pub(super) fn features<const D: usize>(shape: &Shape<D>) -> Result<Vec<Feature<D>>, &'static str> {
    let all_finite = |points: &[[f64; D]]| points.iter().flatten().all(|value| value.is_finite());
    Ok(match shape {
        &Shape::Plane { point, normal } => {
            if !all_finite(&[point]) {
                return Err("has a point that is not finite");
            }
            let normal = unit(normal).ok_or("needs a normal that is finite and not zero")?;
            vec![Feature::Plane { normal, at: dot(normal, point) }]
        }
        &Shape::Box { lo, hi } => {
            let mut sides = Vec::with_capacity(2 * D);
            for axis in 0..D {
                if !(hi[axis] - lo[axis] > 0.0 && (hi[axis] - lo[axis]).is_finite()) {
                    return Err("is a box that needs finite borders, the upper above the lower");
                }
                for (side, at) in [(1.0, lo[axis]), (-1.0, hi[axis])] {
                    let normal = std::array::from_fn(|other| if other == axis { side } else { 0.0 });
                    sides.push(Feature::Plane { normal, at: side * at });
                }
            }
            sides
        }
        &Shape::Cylinder { point, axis, radius } => {
            if !(all_finite(&[point]) && radius > 0.0 && radius.is_finite()) {
                return Err("is a cylinder that needs a finite point and a positive radius");
            }
            let axis = if D == 2 {
                [0.0; D]
            } else {
                unit(axis).ok_or("is a cylinder that needs an axis that is finite and not zero")?
            };
            vec![Feature::Cylinder { point, axis, radius }]
        }
        Shape::Plate { corners } => {
            if !all_finite(corners) {
                return Err("is a plate with a corner that is not finite");
            }
            vec![Feature::Plate { corners: corners.clone(), normal: plate_normal(corners)? }]
        }
        Shape::Polygon { corners } => {
            if D != 2 {
                return Err("is a polygon, which exists in the plane only: in space take plates");
            }
            let flat: Vec<[f64; 2]> = corners.iter().map(|corner| [corner[0], corner[1]]).collect();
            if ConvexPolygon::new(&flat).is_err() {
                return Err("is a polygon that needs three corners or more, in order, going round something convex");
            }
            vec![Feature::Polygon { corners: corners.clone() }]
        }
        &Shape::Funnel { ends, radii, closed } => {
            if D != 3 {
                return Err("is a funnel, which exists in space only: in the plane take two plates");
            }
            let way = sub(ends[1], ends[0]);
            let height = length(way);
            let valid = radii.iter().all(|&radius| radius >= 0.0 && radius.is_finite()) && radii != [0.0; 2];
            let axis = unit(way)
                .filter(|_| valid)
                .ok_or("is a cylinder or cone that needs two ends, and radii of which one at most is 0")?;
            let mut all = vec![Feature::Funnel { end: ends[0], axis, height, radii }];
            for (k, (center, radius)) in ends.into_iter().zip(radii).enumerate() {
                if closed[k] && radius > 0.0 {
                    all.push(Feature::Disc { center, normal: axis, radius });
                }
            }
            all
        }
        // Faces of meshes are kept apart.
        Shape::Mesh { .. } => Vec::new(),
    })
}

impl<const D: usize> Feature<D> {
    /// The same as a plane across an axis, if it is one.
    pub fn face(&self) -> Option<Face> {
        let &Self::Plane { normal, at } = self else { return None };
        let axis = (0..D).find(|&axis| normal[axis].abs() == 1.0)?;
        Some(Face { axis, side: normal[axis], at: normal[axis] * at })
    }

    /// How a sphere lies to the nearest point. Where there is no one direction, it is `otherwise`.
    pub fn nearest(&self, x: [f64; D], radius: f64, otherwise: [f64; D]) -> Nearest<D> {
        let (normal, overlap, edge) = match self {
            Self::Plane { normal, at } => (scale(*normal, -1.0), radius - (dot(*normal, x) - at), None),
            &Self::Cylinder { point, axis, radius: wide } => {
                let from = sub(x, point);
                let out = add_scaled(from, axis, -dot(from, axis));
                (unit(out).unwrap_or(otherwise), length(out) + radius - wide, None)
            }
            Self::Plate { corners, normal } => {
                let (nearest, is_inside) = on_plate(x, corners, *normal);
                let way = sub(nearest, x);
                (unit(way).unwrap_or(otherwise), radius - length(way), (!is_inside).then_some(nearest))
            }
            Self::Polygon { corners } => {
                let (nearest, is_corner) = on_polygon(x, corners);
                let way = sub(nearest, x);
                if is_in_polygon(x, corners) {
                    // Pushed out the shortest way: the wall is on the other side.
                    (unit(way).map_or(otherwise, |out| scale(out, -1.0)), radius + length(way), None)
                } else {
                    (unit(way).unwrap_or(otherwise), radius - length(way), is_corner.then_some(nearest))
                }
            }
            &Self::Funnel { end, axis, height, radii } => {
                let from = sub(x, end);
                let along = dot(from, axis);
                let out = add_scaled(from, axis, -along);
                // In the half plane of axis and grain the funnel is a line, from one end to the other.
                let place = [length(out), along];
                let ends = [[radii[0], 0.0], [radii[1], height]];
                let nearest = on_segment(place, ends[0], ends[1]);
                let way = sub(nearest, place);
                let flat = unit(way).unwrap_or([1.0, 0.0]);
                let (normal, edge) = match unit(out) {
                    Some(outward) => {
                        let rim = add(add_scaled(end, axis, nearest[1]), scale(outward, nearest[0]));
                        let normal = add(scale(outward, flat[0]), scale(axis, flat[1]));
                        (normal, ends.contains(&nearest).then_some(rim))
                    }
                    // Over the point of a cone.
                    None if nearest[0] == 0.0 => (scale(axis, flat[1]), Some(add_scaled(end, axis, nearest[1]))),
                    None => (otherwise, None),
                };
                (normal, radius - length(way), edge)
            }
            &Self::Disc { center, normal, radius: wide } => {
                let (nearest, is_inside) = on_disc(x, center, normal, wide);
                let way = sub(nearest, x);
                (unit(way).unwrap_or(normal), radius - length(way), (!is_inside).then_some(nearest))
            }
        };
        Nearest { normal, overlap, edge }
    }

    /// A sphere around it, if it has an end.
    pub fn bound(&self) -> Option<([f64; D], f64)> {
        match self {
            Self::Plane { .. } | Self::Cylinder { .. } => None,
            Self::Plate { corners, .. } | Self::Polygon { corners } => {
                let middle = scale(corners.iter().copied().fold([0.0; D], add), 1.0 / corners.len() as f64);
                let radius = corners.iter().map(|&corner| length(sub(corner, middle))).fold(0.0, f64::max);
                Some((middle, radius * (1.0 + 1e-9)))
            }
            &Self::Funnel { end, axis, height, radii } => {
                let middle = add_scaled(end, axis, 0.5 * height);
                let widest = radii[0].max(radii[1]);
                Some((middle, (0.25 * height * height + widest * widest).sqrt() * (1.0 + 1e-9)))
            }
            &Self::Disc { center, radius, .. } => Some((center, radius * (1.0 + 1e-9))),
        }
    }

    /// How far from a point any of its points is.
    pub fn furthest(&self, about: [f64; D]) -> f64 {
        self.bound().map_or(f64::INFINITY, |(middle, radius)| length(sub(middle, about)) + radius)
    }
}

/// How a sphere lies to the nearest point of a feature.
pub(super) struct Nearest<const D: usize> {
    pub normal: [f64; D],
    pub overlap: f64,
    pub edge: Option<[f64; D]>,
}

/// The normal of a plate; an error if its corners make none.
fn plate_normal<const D: usize>(corners: &[[f64; D]]) -> Result<[f64; D], &'static str> {
    if D == 2 {
        let &[a, b] = corners else { return Err("is a plate, which has two corners in the plane") };
        let way = sub(b, a);
        let mut across = [0.0; D];
        (across[0], across[1]) = (-way[1], way[0]);
        return unit(across).ok_or("is a plate whose two corners must differ");
    }
    if corners.len() < 3 {
        return Err("is a plate, which needs three corners or more in space");
    }
    let crossing = |k: usize| {
        let (a, b, c) = (corners[k], corners[(k + 1) % corners.len()], corners[(k + 2) % corners.len()]);
        crossed(sub(b, a), sub(c, b))
    };
    let turns: Vec<[f64; D]> = (0..corners.len()).map(crossing).collect();
    let normal = unit(turns.iter().copied().fold([0.0; D], add)).ok_or("is a plate whose corners lie on a line")?;
    if turns.iter().any(|&turn| dot(turn, normal) < 0.0) {
        return Err("is a plate that is not convex: split it into several");
    }
    let size = corners.iter().map(|&corner| length(sub(corner, corners[0]))).fold(0.0, f64::max);
    if corners.iter().any(|&corner| dot(sub(corner, corners[0]), normal).abs() > 1e-6 * size) {
        return Err("is a plate whose corners do not lie in one plane: split it into triangles");
    }
    Ok(normal)
}
