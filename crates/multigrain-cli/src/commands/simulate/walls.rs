//! Walls as surfaces and edges, to be looked at: for pages and for ParaView.

use anyhow::Result;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Shape, Simulation, Summary, Wall};
use multigrain_files::{Mesh, MeshArray, Target};
use multigrain_meshes::Surface;
use std::path::Path;

/// Flat pieces of what is round.
const PIECES: usize = 64;

/// Cosine of the angle between faces of a mesh from which on their edge is drawn.
const SHARP: f64 = 0.8;

/// Writes the walls of this moment, with the forces and torques on them and their wear; nothing where there are none.
pub fn write<const D: usize>(simulation: &Simulation<D>, summary: &Summary<D>, folder: &Path, name: &str) -> Result<()>
where
    Axes: Dimension<D>,
{
    let walls = simulation.walls();
    if walls.is_empty() {
        return Ok(());
    }
    let (mut mesh, owners) = mesh_and_owners(&walls, simulation.domain());
    let (forces, torques) = (summary.wall_forces(), summary.wall_torques());
    let mut array = |name: &str, components: usize, values: Vec<f64>| {
        mesh.cell_arrays.push(MeshArray { name: name.to_owned(), components, values });
    };
    array("wall", 1, owners.iter().map(|owner| owner.wall as f64).collect());
    array("force", 3, owners.iter().flat_map(|owner| in_space(forces[owner.wall])).collect());
    array("torque", 3, owners.iter().flat_map(|owner| torques[owner.wall]).collect());
    if walls.iter().any(|wall| wall.wear.is_some()) {
        let (whole, faces) = (simulation.wall_wear(), (0..walls.len()).map(|wall| simulation.face_wear(wall)));
        let faces: Vec<Vec<f64>> = faces.collect();
        let of_cell = |owner: &Owner| match owner.face {
            Some(face) => faces[owner.wall][face],
            None => whole[owner.wall],
        };
        array("wear", 1, owners.iter().map(of_cell).collect());
    }
    Ok(Target::File(folder.join(name)).write(|out| mesh.write(out))?)
}

/// Whether some wall is not always the same: it moves, or wears off.
pub fn do_change<const D: usize>(simulation: &Simulation<D>) -> bool
where
    Axes: Dimension<D>,
{
    simulation.walls_at_start().iter().any(|wall| wall.goes() || wall.wear.is_some())
}

/// Whose a cell is.
#[derive(Debug, Clone, Copy)]
struct Owner {
    wall: usize,
    /// Of meshes, which of their faces.
    face: Option<usize>,
}

/// The walls as they are seen: what is endless ends at the box.
pub fn mesh<const D: usize>(walls: &[Wall<D>], domain: &Domain<D>) -> Mesh {
    mesh_and_owners(walls, domain).0
}

/// The same, and whose its cells are: lines, then polygons.
fn mesh_and_owners<const D: usize>(walls: &[Wall<D>], domain: &Domain<D>) -> (Mesh, Vec<Owner>) {
    let space = WallSpace::of(domain);
    let mut mesh = Mesh::default();
    let (mut lines, mut polygons) = (Vec::new(), Vec::new());
    for (number, wall) in walls.iter().enumerate() {
        match &wall.shape {
            Shape::Plane { point, normal } if D == 2 => space.line(&mut mesh, in_space(*point), in_space(*normal)),
            Shape::Plane { point, normal } => space.plane(&mut mesh, in_space(*point), in_space(*normal)),
            Shape::Box { lo, hi } => add_box(&mut mesh, in_space(*lo), in_space(*hi), D),
            Shape::Cylinder { point, radius, .. } if D == 2 => {
                let ring = ring(in_space(*point), [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], *radius);
                add_edges(&mut mesh, &ring, true);
            }
            Shape::Cylinder { point, axis, radius } => {
                space.cylinder(&mut mesh, in_space(*point), in_space(*axis), *radius)
            }
            Shape::Plate { corners } | Shape::Polygon { corners } => {
                let corners: Vec<[f64; 3]> = corners.iter().map(|&corner| in_space(corner)).collect();
                add_surface(&mut mesh, &corners);
            }
            Shape::Funnel { ends, radii, closed } => {
                let ends = ends.map(in_space);
                add_cone(&mut mesh, ends, *radii);
                let (u, v) = across(sub(ends[1], ends[0]));
                for end in (0..2).filter(|&end| closed[end] && radii[end] > 0.0) {
                    add_surface(&mut mesh, &ring(ends[end], u, v, radii[end]));
                }
            }
            Shape::Mesh { surface } => add_faces(&mut mesh, surface),
            // A shape that pictures do not know is not drawn.
            _ => (),
        }
        let is_mesh = matches!(wall.shape, Shape::Mesh { .. });
        lines.resize(mesh.lines.len(), Owner { wall: number, face: None });
        let first = polygons.len();
        polygons
            .extend((first..mesh.polygons.len()).map(|k| Owner { wall: number, face: is_mesh.then_some(k - first) }));
    }
    lines.extend(polygons);
    (mesh, lines)
}

/// The faces of a mesh, and its edges where it is open or sharp; in the plane its faces are edges.
fn add_faces<const D: usize>(mesh: &mut Mesh, surface: &Surface<D>) {
    let first = mesh.points.len();
    mesh.points.extend(surface.vertices().iter().map(|&vertex| in_space(vertex)));
    let corner = |vertex: u32| first + vertex as usize;
    if D == 2 {
        mesh.lines.extend(surface.faces().iter().map(|face| face.iter().map(|&vertex| corner(vertex)).collect()));
        return;
    }
    let mut edges: Vec<([u32; 2], usize)> = Vec::new();
    for (number, face) in surface.faces().iter().enumerate() {
        mesh.polygons.push(face.iter().map(|&vertex| corner(vertex)).collect());
        edges.extend((0..D).map(|k| {
            let (a, b) = (face[k], face[(k + 1) % D]);
            ([a.min(b), a.max(b)], number)
        }));
    }
    edges.sort_unstable();
    for edge in edges.chunk_by(|one, other| one.0 == other.0) {
        let normal = |k: usize| in_space(surface.normals()[edge[k].1]);
        if edge.len() != 2 || dot(normal(0), normal(1)).abs() < SHARP {
            mesh.lines.push(edge[0].0.map(corner).to_vec());
        }
    }
}

/// The box that endless walls end at.
struct WallSpace {
    lo: [f64; 3],
    hi: [f64; 3],
    dimension: usize,
}

impl WallSpace {
    fn of<const D: usize>(domain: &Domain<D>) -> Self {
        Self { lo: in_space(domain.lo()), hi: in_space(domain.hi()), dimension: D }
    }

    fn corners(&self) -> Vec<[f64; 3]> {
        let corner =
            |bits: usize| std::array::from_fn(|axis| if bits >> axis & 1 == 1 { self.hi[axis] } else { self.lo[axis] });
        (0..1 << self.dimension).map(corner).collect()
    }

    /// How long the diagonal is.
    fn length(&self) -> f64 {
        norm(sub(self.hi, self.lo))
    }

    /// Whether a plane is one of the box's own faces, whose outline is all that is to be seen of it.
    fn is_face(&self, point: [f64; 3], normal: [f64; 3]) -> bool {
        let small = 1e-9 * self.length();
        (0..self.dimension).any(|axis| {
            let is_along = normal[axis].abs() > (1.0 - 1e-9) * norm(normal);
            let is_border = [self.lo, self.hi].iter().any(|corner| (corner[axis] - point[axis]).abs() <= small);
            is_along && is_border
        })
    }

    /// A plane as far as it is inside the box.
    fn plane(&self, mesh: &mut Mesh, point: [f64; 3], normal: [f64; 3]) {
        let (u, v) = across(normal);
        let reach = self.length() + self.corners().iter().map(|&corner| norm(sub(corner, point))).fold(0.0, f64::max);
        let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut corners: Vec<[f64; 3]> =
            signs.iter().map(|&[a, b]| add(point, add(scaled(u, a * reach), scaled(v, b * reach)))).collect();
        let slack = 1e-9 * self.length();
        for axis in 0..3 {
            corners = clipped(&corners, |p| p[axis] - self.lo[axis] + slack);
            corners = clipped(&corners, |p| self.hi[axis] + slack - p[axis]);
        }
        if corners.len() < 3 {
            return;
        }
        if self.is_face(point, normal) { add_edges(mesh, &corners, true) } else { add_surface(mesh, &corners) }
    }

    /// A line of the plane as far as it is inside the box.
    fn line(&self, mesh: &mut Mesh, point: [f64; 3], normal: [f64; 3]) {
        let along = scaled([-normal[1], normal[0], 0.0], 1.0 / norm(normal));
        let slack = 1e-9 * self.length();
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..2 {
            let [a, b] =
                [self.lo[axis] - slack, self.hi[axis] + slack].map(|border| (border - point[axis]) / along[axis]);
            if along[axis].abs() > 1e-12 {
                (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
            } else if point[axis] < self.lo[axis] - slack || point[axis] > self.hi[axis] + slack {
                return;
            }
        }
        if from < to {
            add_edges(mesh, &[from, to].map(|t| add(point, scaled(along, t))), false);
        }
    }

    /// A cylinder as long as the box reaches along its axis.
    fn cylinder(&self, mesh: &mut Mesh, point: [f64; 3], axis: [f64; 3], radius: f64) {
        let along = scaled(axis, 1.0 / norm(axis));
        let places: Vec<f64> = self.corners().iter().map(|&corner| dot(sub(corner, point), along)).collect();
        let ends = [
            places.iter().copied().fold(f64::INFINITY, f64::min),
            places.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ];
        add_cone(mesh, ends.map(|place| add(point, scaled(along, place))), [radius; 2]);
    }
}

/// The side of a cone, with its two openings as edges.
fn add_cone(mesh: &mut Mesh, ends: [[f64; 3]; 2], radii: [f64; 2]) {
    let (u, v) = across(sub(ends[1], ends[0]));
    let rings = [0, 1].map(|end| ring(ends[end], u, v, radii[end]));
    let first = mesh.points.len();
    mesh.points.extend(rings.iter().flatten());
    for k in 0..PIECES {
        let next = (k + 1) % PIECES;
        mesh.polygons.push(vec![first + k, first + next, first + PIECES + next, first + PIECES + k]);
    }
    rings.iter().for_each(|ring| add_edges(mesh, ring, true));
}

fn add_box(mesh: &mut Mesh, lo: [f64; 3], hi: [f64; 3], dimension: usize) {
    let corner = |bits: usize| std::array::from_fn(|axis| if bits >> axis & 1 == 1 { hi[axis] } else { lo[axis] });
    if dimension == 2 {
        return add_edges(mesh, &[corner(0), corner(1), corner(3), corner(2)], true);
    }
    for face in [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]] {
        add_surface(mesh, &face.map(corner));
    }
}

/// A flat piece with its outline; two corners are an edge only.
fn add_surface(mesh: &mut Mesh, corners: &[[f64; 3]]) {
    if corners.len() > 2 {
        let first = mesh.points.len();
        mesh.points.extend(corners);
        mesh.polygons.push((first..first + corners.len()).collect());
    }
    add_edges(mesh, corners, corners.len() > 2);
}

/// A line through points, closed or not.
fn add_edges(mesh: &mut Mesh, points: &[[f64; 3]], is_closed: bool) {
    let first = mesh.points.len();
    mesh.points.extend(points);
    let closing = is_closed.then_some(first);
    mesh.lines.push((first..first + points.len()).chain(closing).collect());
}

fn ring(center: [f64; 3], u: [f64; 3], v: [f64; 3], radius: f64) -> Vec<[f64; 3]> {
    let point = |k: usize| {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / PIECES as f64).sin_cos();
        add(center, add(scaled(u, radius * cos), scaled(v, radius * sin)))
    };
    (0..PIECES).map(point).collect()
}

/// The part of a convex polygon where `inside` is not negative.
fn clipped(corners: &[[f64; 3]], inside: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::new();
    for (k, corner) in corners.iter().enumerate() {
        let next = &corners[(k + 1) % corners.len()];
        let (here, there) = (inside(corner), inside(next));
        if here >= 0.0 {
            kept.push(*corner);
        }
        if (here >= 0.0) != (there >= 0.0) {
            kept.push(add(*corner, scaled(sub(*next, *corner), here / (here - there))));
        }
    }
    kept
}

/// Two directions of length one across another, and across each other.
fn across(direction: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let other = if direction[0].abs() < 0.9 * norm(direction) { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let unit = |v: [f64; 3]| scaled(v, 1.0 / norm(v));
    let u = unit(cross(direction, other));
    (u, unit(cross(direction, u)))
}

fn in_space<const D: usize>(point: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 })
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn scaled(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|x| by * x)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Domain<3> {
        Domain::new([0.0; 3], [2.0; 3], [false; 3]).unwrap()
    }

    #[test]
    fn endless_walls_end_at_the_box() {
        let slope = mesh(&[Wall::plane([1.0; 3], [1.0, 0.0, 1.0])], &cube());
        assert_eq!((slope.polygons.len(), slope.polygons[0].len()), (1, 4));
        let pipe = mesh(&[Wall::cylinder([1.0; 3], [0.0, 0.0, 3.0], 0.5)], &cube());
        assert_eq!(pipe.polygons.len(), PIECES);
        for point in slope.points.iter().chain(&pipe.points) {
            assert!(point.iter().all(|x| (-1e-6..=2.0 + 1e-6).contains(x)), "{point:?}");
        }
        assert!(pipe.points.iter().any(|point| point[2] == 0.0) && pipe.points.iter().any(|point| point[2] == 2.0));
        let away = mesh(&[Wall::plane([9.0; 3], [0.0, 0.0, 1.0])], &cube());
        assert!(away.polygons.is_empty() && away.lines.is_empty());
    }

    #[test]
    fn faces_of_the_box_are_outlines() {
        let floor = mesh(&[Wall::plane([0.0; 3], [0.0, 0.0, 1.0])], &cube());
        assert_eq!((floor.polygons.len(), floor.lines.len()), (0, 1));
    }

    #[test]
    fn walls_of_the_plane_are_lines() {
        let square = Domain::new([0.0; 2], [2.0, 1.0], [false; 2]).unwrap();
        let walls = [
            Wall::plane([0.0, 0.0], [0.0, 1.0]),
            Wall::cylinder([1.0, 0.5], [0.0; 2], 0.25),
            Wall::plate(vec![[0.0, 0.0], [1.0, 1.0]]),
            Wall::inside_box([0.5, 0.25], [1.5, 0.75]),
        ];
        let mesh = mesh(&walls, &square);
        assert!(mesh.polygons.is_empty());
        assert_eq!(mesh.lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, PIECES + 1, 2, 5]);
        let [a, b] = [mesh.points[0], mesh.points[1]];
        assert!((norm(sub(a, b)) - 2.0).abs() < 1e-6, "{a:?} {b:?}");
    }
}
