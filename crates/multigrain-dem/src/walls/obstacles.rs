//! All walls of a setup: which of their faces are near a grain, and how it touches them.

use super::features::{Face, Feature, Nearest, features};
use super::mesh::FaceMesh;
use super::motion::{Moment, Steering};
use super::solids::Solid;
use super::{Drive, Shape, Wall};
use crate::contacts::{Growth, Side, Slide};
use crate::error::Error;
use crate::laws::Point;
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, turned};
use multigrain::{Domain, Levels};
use multigrain_living_grid::LivingGrid;
use std::ops::Range;

/// From this many faces with an end on, they are looked up in a grid.
const MIN_IN_GRID: usize = 16;

/// All surfaces of a setup.
pub(crate) struct Obstacles<const D: usize> {
    /// Faces of boxes and planes across an axis come first.
    pub(super) faces: Vec<Face>,
    pub(super) others: Vec<Feature<D>>,
    /// Of faces and others.
    surfaces: Vec<Surface<D>>,
    /// Their faces come last.
    meshes: Vec<FaceMesh<D>>,
    /// Spheres inside touch none of the faces.
    free: [[f64; D]; 2],
    moving: Vec<MovingWall<D>>,
    /// How fast the fastest point of any face moves.
    fastest: f64,
    /// Bounding spheres of the features that have an end and do not move, if there are many.
    grid: Option<LivingGrid<D>>,
    /// Features that are not in the grid.
    apart: Vec<u32>,
    /// For polygons: plates and polygons as something solid, plates once for each of their sides.
    pub(super) solids: Option<Vec<[Option<Solid>; 2]>>,
}

/// What a face is, by its number.
pub(super) enum Place<'a, const D: usize> {
    /// A plane across an axis.
    Across(&'a Face),
    /// One of the other features.
    Other(usize),
    /// A face of a mesh.
    Mesh(&'a FaceMesh<D>),
}

/// A wall that moves, as it was at the start, and which of the other features are its own, or which mesh.
#[derive(Debug, Clone)]
struct MovingWall<const D: usize> {
    wall: Wall<D>,
    features: Range<usize>,
    mesh: Option<usize>,
    /// Which of the servos steers it.
    servo: Option<usize>,
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

impl<const D: usize> Obstacles<D> {
    pub fn new(walls: &[Wall<D>]) -> Result<Self, Error> {
        let mut all = Self {
            faces: Vec::new(),
            others: Vec::new(),
            surfaces: Vec::new(),
            meshes: Vec::new(),
            free: [[f64::NEG_INFINITY; D], [f64::INFINITY; D]],
            moving: Vec::new(),
            fastest: 0.0,
            grid: None,
            apart: Vec::new(),
            solids: None,
        };
        let (mut of_faces, mut of_others, mut servos) = (Vec::new(), Vec::new(), 0);
        for (number, wall) in walls.iter().enumerate() {
            let refuse = |problem: &'static str| Error::Wall { wall: number, problem };
            let Wall { material, velocity, spin, about, .. } = *wall;
            wall.check().map_err(refuse)?;
            // Walls that servos steer go ways of their own.
            let is_like = |other: &&Wall<D>| {
                (other.material, other.moves, other.velocity, other.spin) == (material, wall.moves, velocity, spin)
                    && (&other.drive, other.start) == (&wall.drive, wall.start)
                    && (other.about == about || !wall.turns())
                    && !matches!(wall.drive, Drive::Servo(_))
            };
            let group = walls.iter().position(|other| is_like(&other)).unwrap_or(number) as u32;
            let surface = Surface { wall: number, material, group, velocity, spin, about };
            if !velocity.iter().chain(&spin).chain(&about).all(|value| value.is_finite()) {
                return Err(refuse("moves with a velocity or spin that is not finite"));
            }
            let is_box = matches!(wall.shape, Shape::Box { .. });
            if wall.goes() && is_box && (wall.moves && spin != [0.0; 3] || wall.drive.swings()) {
                return Err(refuse("is a box that turns: take plates or planes for its sides"));
            }
            if let Shape::Mesh { surface: mesh } = &wall.shape {
                // Numbers of faces are known when all others are.
                all.meshes.push(FaceMesh::new(mesh.clone(), 0, surface));
            }
            let first = all.others.len();
            for feature in features(&wall.shape).map_err(refuse)? {
                match feature.face().filter(|_| !wall.goes()) {
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
            if wall.goes() {
                let features = first..all.others.len();
                let mesh = matches!(wall.shape, Shape::Mesh { .. }).then(|| all.meshes.len() - 1);
                let far = all.others[features.clone()].iter().map(|feature| feature.furthest(about));
                let far = far.chain(mesh.map(|mesh| all.meshes[mesh].furthest(about))).fold(0.0, f64::max);
                let speed = wall.fastest(far);
                let servo = matches!(wall.drive, Drive::Servo(_)).then_some(servos);
                servos += usize::from(servo.is_some());
                if speed.is_finite() {
                    all.fastest = all.fastest.max(speed);
                }
                all.moving.push(MovingWall {
                    wall: wall.clone(),
                    features,
                    mesh,
                    servo,
                    is_endless: !speed.is_finite(),
                });
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
        let mut next = all.surfaces.len() as u32;
        for mesh in &mut all.meshes {
            mesh.first = next;
            next += mesh.len() as u32;
        }
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
        self.surfaces.is_empty() && self.meshes.is_empty()
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.surfaces.len() + self.meshes.iter().map(FaceMesh::len).sum::<usize>()
    }

    #[inline]
    pub fn surface(&self, face: u32) -> &Surface<D> {
        match self.surfaces.get(face as usize) {
            Some(surface) => surface,
            None => &self.mesh_of(face).surface,
        }
    }

    /// The mesh that a face behind all others is of.
    #[inline]
    fn mesh_of(&self, face: u32) -> &FaceMesh<D> {
        &self.meshes[self.meshes.partition_point(|mesh| mesh.first <= face) - 1]
    }

    /// What a face is.
    #[inline]
    pub(super) fn place_of(&self, face: u32) -> Place<'_, D> {
        match self.faces.get(face as usize) {
            Some(face) => Place::Across(face),
            None if (face as usize) < self.surfaces.len() => Place::Other(face as usize - self.faces.len()),
            None => Place::Mesh(self.mesh_of(face)),
        }
    }

    /// The wall of the first mesh, if there is one.
    pub(super) fn first_mesh(&self) -> Option<usize> {
        self.meshes.first().map(|mesh| mesh.surface.wall)
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
        self.meshes.iter().for_each(|mesh| mesh.near(x, radius, found));
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

    /// Whether a sphere certainly does not touch a face; decided quickly, and of meshes only.
    #[inline]
    pub fn misses(&self, face: u32, x: [f64; D], radius: f64) -> bool {
        face as usize >= self.surfaces.len() && self.mesh_of(face).misses(face, x, radius)
    }

    /// How a sphere lies to a face.
    #[inline]
    pub fn touch(&self, face: u32, x: [f64; D], radius: f64) -> Touch<D> {
        let Nearest { normal, overlap, edge } = match self.place_of(face) {
            Place::Across(face) => {
                let mut normal = [0.0; D];
                normal[face.axis] = -face.side;
                Nearest { normal, overlap: radius - face.side * (x[face.axis] - face.at), edge: None }
            }
            Place::Other(k) => {
                let feature = &self.others[k];
                // A center on a plate is pushed along its normal; one on the axis of a cylinder or funnel is not pushed.
                let otherwise = if let Feature::Plate { normal, .. } = feature { *normal } else { [0.0; D] };
                feature.nearest(x, radius, otherwise)
            }
            Place::Mesh(mesh) => mesh.nearest(face, x, radius),
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
            turn: [0.0; 3],
            inverse_mass: grain.inverse_mass,
            radius,
        };
        if grows.turns {
            let rolling = scale(grain.spin, radius - 0.5 * overlap);
            point.sliding = sub(add_scaled(velocity, normal, -point.apart), turned(rolling, normal));
            point.turning = sub(surface.spin, grain.spin);
            point.turn = scale(sub(surface.spin, sub(grain.spin, grain.gained_spin)), grows.time);
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
                let slide = Slide { normal, velocity, rolling };
                if grows.whole { slide.all_the_way(grows.time) } else { slide.way(overlap, grows.time) }
            } else {
                Slide { normal, velocity, rolling }.all_the_way(grows.time)
            };
        }
        (point, velocity_there)
    }

    /// Brings walls that move to where they are at this time, those of servos to where they were steered.
    pub fn move_to(&mut self, time: f64, steering: &[Steering]) {
        for MovingWall { wall, features: own, mesh, servo, .. } in &self.moving {
            let steered = servo.and_then(|servo| steering.get(servo).copied()).unwrap_or_default();
            let moment = wall.moment(time, steered);
            if let Some(mesh) = mesh {
                self.meshes[*mesh].pose = moment.pose;
                self.meshes[*mesh].surface.follow(&moment);
                continue;
            }
            // A shape that was one at the start stays one.
            let Ok(moved) = features(&wall.placed(&moment).shape) else { continue };
            for (other, feature) in own.clone().zip(moved) {
                if let Some(solids) = &mut self.solids {
                    solids[other] = Solid::of(&feature);
                }
                self.others[other] = feature;
                self.surfaces[self.faces.len() + other].follow(&moment);
            }
        }
    }

    /// Stands and moves as other obstacles of the same walls do: those that contacts have met last, before servos chose other speeds.
    pub fn stand_as(&mut self, others: &Self) {
        for MovingWall { features: own, mesh, .. } in &others.moving {
            if let Some(mesh) = *mesh {
                self.meshes[mesh].pose = others.meshes[mesh].pose;
                self.meshes[mesh].surface = others.meshes[mesh].surface;
                continue;
            }
            for number in own.clone() {
                if let (Some(solids), Some(known)) = (&mut self.solids, &others.solids) {
                    solids[number].clone_from(&known[number]);
                }
                self.others[number].clone_from(&others.others[number]);
                let surface = self.faces.len() + number;
                self.surfaces[surface] = others.surfaces[surface];
            }
        }
    }
}

impl<const D: usize> Surface<D> {
    /// Moves as its wall does at a moment.
    fn follow(&mut self, moment: &Moment<D>) {
        (self.velocity, self.spin, self.about) = (moment.velocity, moment.spin, moment.about);
    }

    /// Velocity of the surface at a point.
    #[inline]
    pub fn velocity_at(&self, point: [f64; D]) -> [f64; D] {
        add(self.velocity, turned(self.spin, sub(point, self.about)))
    }
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
        obstacles.move_to(2.0, &[]);
        assert_eq!(touches(&obstacles, [0.0, 1.25]), [(0, 0.25)]);
        // Half a turn about a point above puts the circle above it.
        obstacles.move_to(std::f64::consts::PI / 3.0, &[]);
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
