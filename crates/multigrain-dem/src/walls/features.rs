//! Walls taken apart into surfaces that each touch a grain in one point at most.

use super::nearest::{crossed, is_in_polygon, on_plate, on_polygon, on_segment};
use super::solids::Solid;
use super::{Shape, Wall};
use crate::contacts::{Growth, Side, Slide};
use crate::error::Error;
use crate::laws::Point;
use crate::vector::{Spin, add, add_scaled, dot, length, scale, sub, turned, unit};
use multigrain::{Domain, Levels};
use multigrain_living_grid::LivingGrid;
use multigrain_polygons::ConvexPolygon;
use std::ops::Range;

/// From this many faces with an end on, they are looked up in a grid.
const MIN_IN_GRID: usize = 16;

/// All surfaces of a setup.
pub(crate) struct Obstacles<const D: usize> {
    /// Faces of boxes and planes across an axis come first.
    pub(super) faces: Vec<Face>,
    pub(super) others: Vec<Feature<D>>,
    surfaces: Vec<Surface<D>>,
    /// Spheres inside touch none of the faces.
    free: [[f64; D]; 2],
    moving: Vec<Moving<D>>,
    /// How fast the fastest point of any face moves.
    fastest: f64,
    /// Bounding spheres of the features that have an end and do not move, if there are many.
    grid: Option<LivingGrid<D>>,
    /// Features that are not in the grid.
    apart: Vec<u32>,
    /// For polygons: plates and polygons as something solid, plates once for each of their sides.
    pub(super) solids: Option<Vec<[Option<Solid>; 2]>>,
}

/// A wall that moves, as it was at the start, and which of the other features are its own.
#[derive(Debug, Clone)]
struct Moving<const D: usize> {
    wall: Wall<D>,
    features: Range<usize>,
    /// Whether there is no bound on how fast its points move: a plane that turns.
    is_endless: bool,
}

/// What a surface is made of and how it moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface<const D: usize> {
    /// Number of the wall it belongs to.
    pub wall: usize,
    pub material: u16,
    /// Faces of the same group move as one and are of one material: they may be parts of one surface.
    pub(super) group: u32,
    velocity: [f64; D],
    pub spin: Spin,
    about: [f64; D],
}

/// A surface that touches a grain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch<const D: usize> {
    /// Number of the face.
    pub face: u32,
    /// Which candidate it is.
    pub slot: u32,
    /// Unit vector from the grain to the face; 0 where there is no one direction.
    pub normal: [f64; D],
    /// Below 0 where they do not touch.
    pub overlap: f64,
    /// The point of touch, if it is on the edge of a plate.
    pub edge: Option<[f64; D]>,
}

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
}

impl<const D: usize> Obstacles<D> {
    pub fn new(walls: &[Wall<D>]) -> Result<Self, Error> {
        let mut all = Self {
            faces: Vec::new(),
            others: Vec::new(),
            surfaces: Vec::new(),
            free: [[f64::NEG_INFINITY; D], [f64::INFINITY; D]],
            moving: Vec::new(),
            fastest: 0.0,
            grid: None,
            apart: Vec::new(),
            solids: None,
        };
        let (mut of_faces, mut of_others) = (Vec::new(), Vec::new());
        for (number, wall) in walls.iter().enumerate() {
            let refuse = |problem: &'static str| Error::Wall { wall: number, problem };
            let Wall { material, velocity, spin, about, .. } = *wall;
            let is_like = |other: &&Wall<D>| {
                (other.material, other.moves, other.velocity, other.spin) == (material, wall.moves, velocity, spin)
                    && (other.about == about || spin == [0.0; 3])
            };
            let group = walls.iter().position(|other| is_like(&other)).unwrap_or(number) as u32;
            let surface = Surface { wall: number, material, group, velocity, spin, about };
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
                let features = first..all.others.len();
                let far =
                    all.others[features.clone()].iter().map(|feature| feature.furthest(about)).fold(0.0, f64::max);
                let speed = length(velocity) + if spin == [0.0; 3] { 0.0 } else { length(spin) * far };
                if speed.is_finite() {
                    all.fastest = all.fastest.max(speed);
                }
                all.moving.push(Moving { wall: wall.clone(), features, is_endless: !speed.is_finite() });
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
        all.lay_grid();
        Ok(all)
    }

    /// Puts features that have an end and do not move into a grid, if there are many.
    fn lay_grid(&mut self) {
        let moves = |k: usize| self.moving.iter().any(|moving| moving.features.contains(&k));
        let bounds: Vec<Option<([f64; D], f64)>> =
            self.others.iter().enumerate().map(|(k, feature)| feature.bound().filter(|_| !moves(k))).collect();
        let radii: Vec<f64> = bounds.iter().flatten().map(|bound| bound.1).collect();
        self.apart = (0..self.others.len() as u32).collect();
        if radii.len() < MIN_IN_GRID {
            return;
        }
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let sizes = if largest > 2.0 * mean { vec![2.0 * mean, 2.0 * largest] } else { vec![2.0 * largest] };
        let Ok(levels) = Levels::from_cell_sizes(&sizes) else { return };
        let Ok(mut grid) = LivingGrid::new(levels, Domain::open()) else { return };
        self.apart.retain(|&k| match bounds[k as usize] {
            Some((center, radius)) => grid.insert(k, center, radius).is_err(),
            None => true,
        });
        self.grid = Some(grid);
    }

    /// Whether there are no surfaces.
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

    /// Lists every face that a sphere may touch, in the order of their numbers, and those that move without bound.
    pub fn near(&self, x: [f64; D], radius: f64, found: &mut Vec<u32>) {
        let [lo, hi] = self.free;
        let is_free = (0..D).all(|axis| (x[axis] - radius >= lo[axis]) & (x[axis] + radius <= hi[axis]));
        if !is_free {
            let touches = |face: &Face| radius - face.side * (x[face.axis] - face.at) > 0.0;
            found.extend((0..).zip(&self.faces).filter(|(_, face)| touches(face)).map(|(number, _)| number));
        }
        let (first, behind) = (found.len(), self.faces.len() as u32);
        match &self.grid {
            // What the grid does not take as a question is looked at one by one.
            Some(grid) if grid.touching_sphere(x, radius, |k, _| found.push(behind + k)).is_err() => {
                found.extend((0..self.others.len() as u32).map(|k| behind + k));
            }
            _ => found.extend(self.apart.iter().map(|k| behind + k)),
        }
        let mut kept = first;
        for k in first..found.len() {
            let other = (found[k] - behind) as usize;
            let endless = self.moving.iter().any(|moving| moving.is_endless && moving.features.contains(&other));
            if endless || self.others[other].nearest(x, radius, [0.0; D]).overlap > 0.0 {
                found.swap(kept, k);
                kept += 1;
            }
        }
        found.truncate(kept);
        found[first..].sort_unstable();
    }

    /// Whether a sphere touches any wall.
    pub fn touches(&self, x: [f64; D], radius: f64) -> bool {
        let mut near = Vec::new();
        self.near(x, radius, &mut near);
        near.iter().any(|&face| self.touch(face, x, radius).overlap > 0.0)
    }

    /// How far any face may have come from one time to another; faces without bound on their speed aside.
    pub fn way(&self, then: f64, now: f64) -> f64 {
        self.fastest * (now - then).abs() * (1.0 + 1e-9)
    }

    /// How a sphere lies to a face.
    #[inline]
    pub fn touch(&self, face: u32, x: [f64; D], radius: f64) -> Touch<D> {
        let Nearest { normal, overlap, edge } = match self.faces.get(face as usize) {
            Some(face) => {
                let mut normal = [0.0; D];
                normal[face.axis] = -face.side;
                Nearest { normal, overlap: radius - face.side * (x[face.axis] - face.at), edge: None }
            }
            None => {
                let feature = &self.others[face as usize - self.faces.len()];
                // A center on a plate is pushed along its normal; one on the axis of a cylinder or funnel is not pushed.
                let otherwise = if let Feature::Plate { normal, .. } = feature { *normal } else { [0.0; D] };
                feature.nearest(x, radius, otherwise)
            }
        };
        Touch { face, slot: 0, normal, overlap, edge }
    }

    /// A touch as a law sees it, the grain first, and the velocity of the face there. `merged` are faces that are one surface with
    /// others there.
    pub fn point(
        &self,
        touch: &Touch<D>,
        x: [f64; D],
        grain: &Side<D>,
        grows: &Growth,
        merged: &[[u32; 2]],
    ) -> (Point<D>, [f64; D]) {
        let surface = self.surface(touch.face);
        let (radius, normal, overlap) = (grain.radius, touch.normal, touch.overlap);
        let velocity_there = surface.velocity_at(add_scaled(x, normal, radius - overlap));
        let velocity = sub(velocity_there, grain.velocity);
        let mut point = Point {
            normal,
            gap: -overlap,
            apart: dot(velocity, normal),
            sliding: [0.0; D],
            slide: [0.0; D],
            turning: [0.0; 3],
            inverse_mass: grain.inverse_mass,
            radius,
        };
        if grows.turns {
            let rolling = scale(grain.spin, radius - 0.5 * overlap);
            point.sliding = sub(add_scaled(velocity, normal, -point.apart), turned(rolling, normal));
            point.turning = sub(surface.spin, grain.spin);
            if grows.time == 0.0 {
                return (point, velocity_there);
            }
            point.slide = if grows.integrator.is_synchronised() {
                // Where the grain was in the middle of the step, seen from the wall where it is now.
                let velocity = add(velocity, grain.gained);
                let before = add_scaled(x, velocity, 0.5 * grows.time);
                let mut middle = self.touch(touch.face, before, radius);
                // It may have come over from another face of the same surface.
                for [_, hidden] in merged.iter().filter(|[kept, _]| *kept == touch.face) {
                    let there = self.touch(*hidden, before, radius);
                    middle = if there.overlap > middle.overlap { there } else { middle };
                }
                let normal = if middle.normal == [0.0; D] { normal } else { middle.normal };
                let rolling = scale(sub(grain.spin, grain.gained_spin), radius - 0.5 * middle.overlap);
                Slide { normal, velocity, rolling }.way(overlap, grows.time)
            } else {
                Slide { normal, velocity, rolling }.all_the_way(grows.time)
            };
        }
        (point, velocity_there)
    }

    /// Brings walls that move to where they are at this time.
    pub fn move_to(&mut self, time: f64) {
        for Moving { wall, features: own, .. } in &self.moving {
            let now = wall.at(time);
            // A shape that was one at the start stays one.
            let Ok(moved) = features(&now.shape) else { continue };
            for (other, feature) in own.clone().zip(moved) {
                if let Some(solids) = &mut self.solids {
                    solids[other] = Solid::of(&feature);
                }
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

    /// How a sphere lies to the nearest point. Where there is no one direction, it is `otherwise`.
    fn nearest(&self, x: [f64; D], radius: f64, otherwise: [f64; D]) -> Nearest<D> {
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
                let way = sub(on_segment(place, [radii[0], 0.0], [radii[1], height]), place);
                let flat = unit(way).unwrap_or([1.0, 0.0]);
                let normal = unit(out).map(|outward| add(scale(outward, flat[0]), scale(axis, flat[1])));
                (normal.unwrap_or(otherwise), radius - length(way), None)
            }
        };
        Nearest { normal, overlap, edge }
    }

    /// A sphere around it, if it has an end.
    fn bound(&self) -> Option<([f64; D], f64)> {
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
        }
    }

    /// How far from a point any of its points is.
    fn furthest(&self, about: [f64; D]) -> f64 {
        self.bound().map_or(f64::INFINITY, |(middle, radius)| length(sub(middle, about)) + radius)
    }
}

/// How a sphere lies to the nearest point of a feature.
struct Nearest<const D: usize> {
    normal: [f64; D],
    overlap: f64,
    edge: Option<[f64; D]>,
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
        let (obstacles, mut near) = (Obstacles::new(walls).unwrap(), Vec::new());
        obstacles.near(x, radius, &mut near);
        near.into_iter().map(|face| obstacles.touch(face, x, radius)).filter(|touch| touch.overlap > 0.0).collect()
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
            let mut near = Vec::new();
            obstacles.near(x, 0.5, &mut near);
            let touches =
                near.into_iter().map(|face| obstacles.touch(face, x, 0.5)).filter(|touch| touch.overlap > 0.0);
            found.extend(touches.map(|touch| (obstacles.surface(touch.face).wall, touch.overlap)));
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
            |wall: Wall<3>| Obstacles::new(&[Wall::plane([0.0; 3], [0.0, 0.0, 1.0]), wall]).err().unwrap().to_string();
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
