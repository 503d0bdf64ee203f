//! Walls of many faces that move as one. Faces stay where they were at the start: grains are brought to them, so that a mesh
//! that moves costs no more than one that stays.

use super::features::Nearest;
use super::nearest::on_plate;
use super::obstacles::Surface;
use super::pose::Pose;
use super::slab::{Slab, SlabReach};
use crate::vector::{add, dot, length, scale, sub, unit};
use multigrain::{Domain, Levels};
use multigrain_living_grid::LivingGrid;
use multigrain_meshes::enclosing_sphere;
use std::sync::Arc;

/// Faces far larger than most are looked up by several spheres around parts of them: this many more than there are faces, at most.
const SPHERES_PER_FACE: usize = 4;
const MORE_SPHERES: usize = 4096;

/// A mesh among the walls.
pub(super) struct FaceMesh<const D: usize> {
    mesh: Arc<multigrain_meshes::Surface<D>>,
    /// Number of its first face among all faces.
    pub first: u32,
    /// What it is made of and how it moves.
    pub surface: Surface<D>,
    pub pose: Pose<D>,
    /// Its faces as planes, at the start.
    slabs: Vec<Slab<D>>,
    /// The box around it, at the start.
    bounds: [[f64; D]; 2],
    /// Spheres around faces and parts of them; none where the grid takes none of their kind.
    grid: Option<LivingGrid<D>>,
    /// Which face each of these spheres is of.
    face_of: Vec<u32>,
}

impl<const D: usize> FaceMesh<D> {
    pub fn new(mesh: Arc<multigrain_meshes::Surface<D>>, first: u32, surface: Surface<D>) -> Self {
        let bounds = mesh.bounds();
        let largest = bounds.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let slab = |face: usize| Slab::new(mesh.corners(face), mesh.normals()[face], largest);
        let slabs = (0..mesh.faces().len()).map(slab).collect();
        let (spheres, face_of) = spheres(&mesh);
        let grid = grid_of(&spheres);
        Self { mesh, first, surface, pose: Pose::START, slabs, bounds, grid, face_of }
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.mesh.faces().len()
    }

    /// How far from a point any of its points is, at the start.
    pub fn furthest(&self, about: [f64; D]) -> f64 {
        self.mesh.vertices().iter().map(|&vertex| length(sub(vertex, about))).fold(0.0, f64::max)
    }

    /// Lists every face that a sphere may touch, in the order of their numbers.
    pub fn near(&self, x: [f64; D], radius: f64, found: &mut Vec<u32>) {
        let y = self.pose.back(x);
        let [lo, hi] = self.bounds;
        if !(0..D).all(|axis| y[axis] + radius > lo[axis] && y[axis] - radius < hi[axis]) {
            return;
        }
        let start = found.len();
        let touches = |face: u32| match self.slabs[face as usize].reach(y, radius) {
            SlabReach::Misses => false,
            SlabReach::Touches => true,
            SlabReach::Unknown => self.distance(face, y) < radius,
        };
        let mut look = |face: u32| {
            if touches(face) {
                found.push(self.first + face);
            }
        };
        let asked =
            self.grid.as_ref().map(|grid| grid.touching_sphere(y, radius, |k, _| look(self.face_of[k as usize])));
        // What the grid does not take as a question is looked at one by one.
        if !matches!(asked, Some(Ok(_))) {
            (0..self.len() as u32).for_each(look);
        }
        found[start..].sort_unstable();
        // A face that was cut may be there several times.
        let mut kept = start;
        for k in start..found.len() {
            if k == start || found[k] != found[k - 1] {
                // Places before this one have been looked at: the list is sorted.
                found[kept] = found[k];
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    /// Whether a sphere certainly does not touch a face.
    #[inline]
    pub fn misses(&self, face: u32, x: [f64; D], radius: f64) -> bool {
        self.slabs[(face - self.first) as usize].reach(self.pose.back(x), radius) == SlabReach::Misses
    }

    /// How far a point of the start is from a face.
    fn distance(&self, face: u32, y: [f64; D]) -> f64 {
        let (corners, normal) = self.face(face);
        length(sub(on_plate(y, &corners, normal).0, y))
    }

    #[inline]
    fn face(&self, face: u32) -> ([[f64; D]; D], [f64; D]) {
        (self.mesh.corners(face as usize), self.mesh.normals()[face as usize])
    }

    /// How a sphere lies to the nearest point of a face.
    #[inline]
    pub fn nearest(&self, face: u32, x: [f64; D], radius: f64) -> Nearest<D> {
        let (corners, normal) = self.face(face - self.first);
        let y = self.pose.back(x);
        let (nearest, is_inside) = on_plate(y, &corners, normal);
        let way = sub(nearest, y);
        Nearest {
            normal: self.pose.turned(unit(way).unwrap_or(normal)),
            overlap: radius - length(way),
            edge: (!is_inside).then(|| self.pose.of(nearest)),
        }
    }

    /// Whether a point is on a face.
    pub fn has(&self, face: u32, point: [f64; D], near: f64) -> bool {
        let (corners, normal) = self.face(face - self.first);
        let y = self.pose.back(point);
        dot(sub(y, corners[0]), normal).abs() <= near && self.distance(face - self.first, y) <= near
    }
}

/// Spheres around all faces, or around parts of those that are far larger than most; and whose they are.
fn spheres<const D: usize>(mesh: &multigrain_meshes::Surface<D>) -> (Vec<([f64; D], f64)>, Vec<u32>) {
    let around = |corners: &[[f64; D]]| enclosing_sphere(corners).map_or(([0.0; D], 0.0), |s| (s.center, s.radius));
    let whole: Vec<([f64; D], f64)> = (0..mesh.faces().len()).map(|face| around(&mesh.corners(face))).collect();
    let mut radii: Vec<f64> = whole.iter().map(|sphere| sphere.1).collect();
    radii.sort_unstable_by(f64::total_cmp);
    let mut largest = radii.get(radii.len() / 2).map_or(f64::INFINITY, |median| 2.0 * median);
    let most = SPHERES_PER_FACE * whole.len() + MORE_SPHERES;
    loop {
        let (mut spheres, mut face_of) = (Vec::with_capacity(whole.len()), Vec::with_capacity(whole.len()));
        let mut parts = Vec::new();
        for (face, &sphere) in (0..).zip(&whole) {
            parts.push((mesh.corners(face as usize), sphere));
            while let Some((corners, sphere)) = parts.pop().filter(|_| spheres.len() <= most) {
                if sphere.1 <= largest {
                    spheres.push(sphere);
                    face_of.push(face);
                } else {
                    parts.extend(halves(corners).map(|half| (half, around(&half))));
                }
            }
            parts.clear();
        }
        if spheres.len() <= most {
            return (spheres, face_of);
        }
        largest *= 2.0;
    }
}

/// A face cut through the middle of its longest side.
fn halves<const D: usize>(corners: [[f64; D]; D]) -> [[[f64; D]; D]; 2] {
    let side = |k: usize| length(sub(corners[(k + 1) % D], corners[k]));
    let longest = (0..D).max_by(|&a, &b| side(a).total_cmp(&side(b))).unwrap_or(0);
    let next = (longest + 1) % D;
    let middle = scale(add(corners[longest], corners[next]), 0.5);
    [longest, next].map(|end| std::array::from_fn(|k| if k == end { middle } else { corners[k] }))
}

fn grid_of<const D: usize>(spheres: &[([f64; D], f64)]) -> Option<LivingGrid<D>> {
    let largest = spheres.iter().map(|sphere| sphere.1).fold(0.0, f64::max);
    let mean = spheres.iter().map(|sphere| sphere.1).sum::<f64>() / spheres.len() as f64;
    let sizes = if largest > 2.0 * mean { vec![2.0 * mean, 2.0 * largest] } else { vec![2.0 * largest] };
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&sizes).ok()?, Domain::open()).ok()?;
    for (k, &(center, radius)) in (0..).zip(spheres) {
        // A little larger than it must be, for rounding.
        grid.insert(k, center, radius * (1.0 + 1e-9)).ok()?;
    }
    Some(grid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walls::{Obstacles, Wall};
    use multigrain::Rng;

    /// Triangles of all sizes, slivers among them, turned and shifted.
    #[test]
    fn the_grid_finds_the_faces_that_looking_at_each_one_finds() {
        let mut rng = Rng::new(5);
        let mut draw = |size: f64| -> [f64; 3] { std::array::from_fn(|_| size * (rng.uniform() - 0.5)) };
        let mut vertices = Vec::new();
        for k in 0..400 {
            let (place, size) = (draw(10.0), if k % 40 == 0 { 12.0 } else { 0.5 });
            vertices.extend([place, add(place, draw(size)), add(place, draw(if k % 40 == 0 { 0.05 } else { size }))]);
        }
        let faces = (0..400u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        let (mesh, _) = multigrain_meshes::Surface::new(vertices, faces).unwrap();
        let count = mesh.faces().len() as u32;
        let wall = Wall::mesh(mesh).turning([0.5, 0.2, -1.0], [1.0, 0.0, 2.0]).carrying([0.3, 0.0, 0.1]).moving();
        let mut obstacles = Obstacles::new(&[wall]).unwrap();
        obstacles.move_to(1.7, &[]);
        let (mut found, mut several) = (Vec::new(), 0);
        for k in 0..500 {
            let (x, radius) = (draw(12.0), 0.3 + 0.003 * f64::from(k));
            found.clear();
            obstacles.near(x, radius, &mut found);
            let all: Vec<u32> = (0..count).filter(|&face| obstacles.touch(face, x, radius).overlap > 0.0).collect();
            assert_eq!(found, all);
            several += usize::from(all.len() > 1);
        }
        assert!(several > 100);
    }
}
