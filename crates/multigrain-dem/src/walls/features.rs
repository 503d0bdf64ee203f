//! Walls taken apart into surfaces that each touch a grain in one point at most.

use super::nearest::{crossed, on_plate, on_segment};
use super::{Shape, Wall};
use crate::error::Error;
use crate::vector::{Spin, add, add_scaled, dot, length, scale, sub, turned, unit};
use std::ops::Range;

/// All surfaces of a setup.
#[derive(Debug, Clone)]
pub(crate) struct Obstacles<const D: usize> {
    /// Faces of boxes and planes across an axis come first.
    faces: Vec<Face>,
    others: Vec<Feature<D>>,
    surfaces: Vec<Surface<D>>,
    /// Spheres inside touch none of the faces.
    free: [[f64; D]; 2],
    moving: Vec<Moving<D>>,
}

/// A wall that moves, as it was at the start, and which of the other features are its own.
#[derive(Debug, Clone)]
struct Moving<const D: usize> {
    wall: Wall<D>,
    features: Range<usize>,
}

/// What a surface is made of and how it moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface<const D: usize> {
    /// Number of the wall it belongs to.
    pub wall: usize,
    pub material: u16,
    velocity: [f64; D],
    spin: Spin,
    about: [f64; D],
}

/// A surface that touches a grain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch<const D: usize> {
    /// Number of the surface.
    pub feature: u32,
    /// Unit vector from the grain to the surface.
    pub normal: [f64; D],
    pub overlap: f64,
}

/// A plane across an axis.
#[derive(Debug, Clone, Copy)]
struct Face {
    axis: usize,
    /// 1 if larger coordinates are free, -1 if smaller ones are.
    side: f64,
    at: f64,
}

#[derive(Debug, Clone)]
enum Feature<const D: usize> {
    Plane { normal: [f64; D], at: f64 },
    Cylinder { point: [f64; D], axis: [f64; D], radius: f64 },
    Plate { corners: Vec<[f64; D]>, normal: [f64; D] },
    Funnel { end: [f64; D], axis: [f64; D], height: f64, radii: [f64; 2] },
}

impl<const D: usize> Obstacles<D> {
    pub fn new(walls: &[Wall<D>]) -> Result<Self, Error> {
        let mut all = Self {
            faces: Vec::new(),
            others: Vec::new(),
            surfaces: Vec::new(),
            free: [[f64::NEG_INFINITY; D], [f64::INFINITY; D]],
            moving: Vec::new(),
        };
        let (mut of_faces, mut of_others) = (Vec::new(), Vec::new());
        for (number, wall) in walls.iter().enumerate() {
            let refuse = |problem: &'static str| Error::Wall { wall: number, problem };
            let Wall { material, velocity, spin, about, .. } = *wall;
            let surface = Surface { wall: number, material, velocity, spin, about };
            if !velocity.iter().chain(&spin).chain(&about).all(|value| value.is_finite()) {
                return Err(refuse("moves with a velocity or spin that is not finite"));
            }
            let is_box = matches!(wall.shape, Shape::Box { .. });
            if wall.moves && is_box && spin != [0.0; 3] {
                return Err(refuse("is a box that turns: take plates or planes for its sides"));
            }
            let first = all.others.len();
            for feature in features(&wall.shape).map_err(refuse)? {
                match feature.face().filter(|_| !wall.moves) {
                    Some(face) => {
                        all.faces.push(face);
                        of_faces.push(surface);
                    }
                    None => {
                        all.others.push(feature);
                        of_others.push(surface);
                    }
                }
            }
            if wall.moves {
                all.moving.push(Moving { wall: wall.clone(), features: first..all.others.len() });
            }
        }
        for face in &all.faces {
            let [lo, hi] = &mut all.free;
            if face.side > 0.0 {
                lo[face.axis] = lo[face.axis].max(face.at);
            } else {
                hi[face.axis] = hi[face.axis].min(face.at);
            }
        }
        all.surfaces = of_faces;
        all.surfaces.extend(of_others);
        Ok(all)
    }

    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Number of surfaces.
    pub fn len(&self) -> usize {
        self.surfaces.len()
    }

    pub fn surface(&self, feature: u32) -> &Surface<D> {
        &self.surfaces[feature as usize]
    }

    /// Shows every surface that touches the sphere, in the order of their numbers.
    #[inline]
    pub fn touching(&self, x: [f64; D], radius: f64, mut touch: impl FnMut(Touch<D>)) {
        let [lo, hi] = self.free;
        let mut is_free = true;
        for axis in 0..D {
            is_free &= (x[axis] - radius >= lo[axis]) & (x[axis] + radius <= hi[axis]);
        }
        if !is_free {
            for (feature, face) in self.faces.iter().enumerate() {
                let overlap = radius - face.side * (x[face.axis] - face.at);
                if overlap > 0.0 {
                    let mut normal = [0.0; D];
                    normal[face.axis] = -face.side;
                    touch(Touch { feature: feature as u32, normal, overlap });
                }
            }
        }
        for (k, feature) in self.others.iter().enumerate() {
            if let Some((normal, overlap)) = feature.touch(x, radius) {
                touch(Touch { feature: (self.faces.len() + k) as u32, normal, overlap });
            }
        }
    }

    /// Unit vector from a sphere to the nearest point of a surface, and the overlap, below 0 where they do not touch. Where
    /// there is no one direction, it is `otherwise`.
    #[inline]
    pub fn nearest(&self, feature: u32, x: [f64; D], radius: f64, otherwise: [f64; D]) -> ([f64; D], f64) {
        match self.faces.get(feature as usize) {
            Some(face) => (otherwise, radius - face.side * (x[face.axis] - face.at)),
            None => self.others[feature as usize - self.faces.len()].nearest(x, radius, otherwise),
        }
    }

    /// Brings walls that move to where they are at this time.
    pub fn move_to(&mut self, time: f64) {
        for Moving { wall, features: own } in &self.moving {
            let now = wall.at(time);
            // A shape that was one at the start stays one.
            let Ok(moved) = features(&now.shape) else { continue };
            for (other, feature) in own.clone().zip(moved) {
                self.others[other] = feature;
                self.surfaces[self.faces.len() + other].about = now.about;
            }
        }
    }
}

/// The surfaces of a shape, each of which touches a grain in one point at most; or what is wrong with it.
fn features<const D: usize>(shape: &Shape<D>) -> Result<Vec<Feature<D>>, &'static str> {
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
        &Shape::Funnel { ends, radii } => {
            if D != 3 {
                return Err("is a funnel, which exists in space only: in the plane take two plates");
            }
            let way = sub(ends[1], ends[0]);
            let height = length(way);
            let valid = radii.iter().all(|&radius| radius > 0.0 && radius.is_finite());
            let axis = unit(way).filter(|_| valid).ok_or("is a funnel that needs two ends and positive radii")?;
            vec![Feature::Funnel { end: ends[0], axis, height, radii }]
        }
    })
}

impl<const D: usize> Surface<D> {
    /// Velocity of the surface at a point.
    #[inline]
    pub fn velocity_at(&self, point: [f64; D]) -> [f64; D] {
        add(self.velocity, turned(self.spin, sub(point, self.about)))
    }
}

impl<const D: usize> Feature<D> {
    /// The same as a plane across an axis, if it is one.
    fn face(&self) -> Option<Face> {
        let &Self::Plane { normal, at } = self else { return None };
        let axis = (0..D).find(|&axis| normal[axis].abs() == 1.0)?;
        Some(Face { axis, side: normal[axis], at: normal[axis] * at })
    }

    /// Unit vector from the sphere to the surface, and the overlap, if they touch.
    fn touch(&self, x: [f64; D], radius: f64) -> Option<([f64; D], f64)> {
        // A center on a plate is pushed along its normal; one on the axis of a cylinder or funnel is not pushed.
        let otherwise = if let Self::Plate { normal, .. } = self { *normal } else { [0.0; D] };
        let (normal, overlap) = self.nearest(x, radius, otherwise);
        (overlap > 0.0 && normal != [0.0; D]).then_some((normal, overlap))
    }

    /// Unit vector from the sphere to the nearest point of the surface, and the overlap, below 0 where they do not touch.
    fn nearest(&self, x: [f64; D], radius: f64, otherwise: [f64; D]) -> ([f64; D], f64) {
        match self {
            Self::Plane { normal, at } => (scale(*normal, -1.0), radius - (dot(*normal, x) - at)),
            &Self::Cylinder { point, axis, radius: wide } => {
                let from = sub(x, point);
                let out = add_scaled(from, axis, -dot(from, axis));
                (unit(out).unwrap_or(otherwise), length(out) + radius - wide)
            }
            Self::Plate { corners, normal } => {
                let way = sub(on_plate(x, corners, *normal), x);
                (unit(way).unwrap_or(otherwise), radius - length(way))
            }
            &Self::Funnel { end, axis, height, radii } => {
                let from = sub(x, end);
                let along = dot(from, axis);
                let out = add_scaled(from, axis, -along);
                // In the half plane of axis and grain the funnel is a line, from one end to the other.
                let place = [length(out), along];
                let Some(outward) = unit(out) else { return (otherwise, radius - radii[0].min(radii[1])) };
                let nearest = on_segment(place, [radii[0], 0.0], [radii[1], height]);
                let way = sub(nearest, place);
                let flat = unit(way).unwrap_or([1.0, 0.0]);
                (add(scale(outward, flat[0]), scale(axis, flat[1])), radius - length(way))
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn touches<const D: usize>(walls: &[Wall<D>], x: [f64; D], radius: f64) -> Vec<Touch<D>> {
        let mut found = Vec::new();
        Obstacles::new(walls).unwrap().touching(x, radius, |touch| found.push(touch));
        found
    }

    #[test]
    fn a_corner_of_a_box_touches_twice() {
        let found = touches(&[Wall::inside_box([0.0; 2], [10.0, 5.0])], [9.5, 0.25], 1.0);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].normal, found[0].overlap), ([1.0, 0.0], 0.5));
        assert_eq!((found[1].normal, found[1].overlap), ([0.0, -1.0], 0.75));
        assert!(touches(&[Wall::inside_box([0.0; 2], [10.0, 5.0])], [5.0, 2.5], 1.0).is_empty());
    }

    #[test]
    fn a_slanted_plane_touches_along_its_normal() {
        let found = touches(&[Wall::plane([0.0, 1.0], [3.0, 4.0])], [0.0, 1.5], 1.0);
        assert!((found[0].overlap - 0.6).abs() < 1e-15 && found[0].normal == [-0.6000000000000001, -0.8]);
    }

    #[test]
    fn a_cylinder_holds_from_inside() {
        let wall = Wall::cylinder([0.0, 0.0, 0.0], [0.0, 0.0, 2.0], 2.0);
        let found = touches(std::slice::from_ref(&wall), [1.5, 0.0, 99.0], 1.0);
        assert_eq!((found[0].normal, found[0].overlap), ([1.0, 0.0, 0.0], 0.5));
        assert!(touches(&[wall], [0.5, 0.0, 0.0], 1.0).is_empty());
        assert_eq!(touches(&[Wall::cylinder([0.0; 2], [0.0; 2], 2.0)], [0.0, -1.5], 1.0)[0].normal, [0.0, -1.0]);
    }

    #[test]
    fn a_funnel_touches_its_side_and_its_rim() {
        let wall = Wall::funnel([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 2.0]);
        let inside = touches(std::slice::from_ref(&wall), [1.0, 0.0, 1.0], 1.0)[0];
        let root = 0.5f64.sqrt();
        assert!((inside.overlap - (1.0 - root)).abs() < 1e-12);
        assert!((inside.normal[0] - root).abs() < 1e-12 && (inside.normal[2] + root).abs() < 1e-12);
        let below = touches(&[wall], [1.0, 0.0, -0.5], 1.0)[0];
        assert_eq!((below.normal, below.overlap), ([0.0, 0.0, 1.0], 0.5));
    }

    #[test]
    fn surfaces_carry_and_turn() {
        let wall = Wall::cylinder([1.0, 0.0], [0.0; 2], 2.0).turning([0.0, 0.0, 3.0], [1.0, 0.0]).carrying([0.5, 0.0]);
        let obstacles = Obstacles::new(&[wall]).unwrap();
        assert_eq!(obstacles.surface(0).velocity_at([3.0, 0.0]), [0.5, 6.0]);
    }

    #[test]
    fn walls_that_move_touch_where_they_are_now() {
        let walls = [
            Wall::plane([0.0, 0.0], [0.0, 1.0]).carrying([0.0, 0.5]).moving(),
            Wall::inside_box([-9.0; 2], [9.0; 2]),
            Wall::cylinder([0.0, 0.0], [0.0; 2], 2.0).turning([0.0, 0.0, 3.0], [0.0, 1.0]).moving(),
        ];
        let mut obstacles = Obstacles::new(&walls).unwrap();
        let touches = |obstacles: &Obstacles<2>, x| {
            let mut found = Vec::new();
            obstacles.touching(x, 0.5, |touch| found.push((obstacles.surface(touch.feature).wall, touch.overlap)));
            found
        };
        assert_eq!(touches(&obstacles, [0.0, 1.0]), []);
        obstacles.move_to(2.0);
        assert_eq!(touches(&obstacles, [0.0, 1.25]), [(0, 0.25)]);
        // Half a turn about a point above puts the circle above it.
        obstacles.move_to(std::f64::consts::PI / 3.0);
        let found = touches(&obstacles, [0.0, 3.75]);
        assert!(found.len() == 1 && found[0].0 == 2 && (found[0].1 - 0.25).abs() < 1e-12, "{found:?}");
        assert_eq!(touches(&obstacles, [8.75, 0.0]).iter().filter(|touch| touch.0 == 1).count(), 1);
    }

    #[test]
    fn walls_that_are_none_are_refused_by_number() {
        let error =
            |wall: Wall<3>| Obstacles::new(&[Wall::plane([0.0; 3], [0.0, 0.0, 1.0]), wall]).unwrap_err().to_string();
        assert_eq!(error(Wall::plane([0.0; 3], [0.0; 3])), "wall 1 needs a normal that is finite and not zero");
        let bent = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]];
        assert!(error(Wall::plate(bent)).contains("do not lie in one plane"));
        let dented = vec![[0.0; 3], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]];
        assert!(error(Wall::plate(dented)).contains("not convex"));
        assert!(Obstacles::new(&[Wall::funnel([[0.0; 2], [1.0; 2]], [1.0; 2])]).is_err());
        let turning = Wall::inside_box([0.0; 3], [1.0; 3]).turning([0.0, 0.0, 1.0], [0.0; 3]);
        assert!(Obstacles::new(std::slice::from_ref(&turning)).is_ok());
        assert!(error(turning.moving()).contains("a box that turns"));
    }
}
