//! Surfaces of faces, as walls are made of: what can be used of a mesh, and in words what is wrong with the rest.

use crate::findings::{Findings, Flaw};
use crate::mesh::MeshError;
use crate::topology;
use std::collections::{HashMap, HashSet};

/// Vertices nearer than this share of the extent of a mesh are one: formats round coordinates.
const SAME_VERTEX: f64 = 1e-7;

/// A face whose height is below this share of its longest side has no area.
const NO_AREA: f64 = 1e-9;

/// A face whose height is below this share of its longest side is a sliver.
const SLIVER: f64 = 1e-3;

/// A surface of faces with `D` vertices each: triangles in space, in the plane straight pieces of a line. Every face has an
/// area and a normal, every vertex a face.
///
/// ```
/// use multigrain_meshes::Surface;
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let (square, findings) = Surface::new(corners, [[0, 1, 2], [0, 2, 3], [1, 1, 2]])?;
/// assert_eq!(square.faces().len(), 2);
/// let words: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
/// assert_eq!(words[0], "1 face without area is left out (face 2)");
/// assert_eq!(words[1], "4 edges have one face only: the surface is open there, the first is of face 0");
/// # Ok::<(), multigrain_meshes::MeshError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface<const D: usize> {
    vertices: Vec<[f64; D]>,
    faces: Vec<[u32; D]>,
    normals: Vec<[f64; D]>,
    areas: Vec<f64>,
}

impl<const D: usize> Surface<D> {
    /// What can be used of these faces, and what was found wrong; an error if nothing is left. Vertices that differ by rounding
    /// are made one, those without a face are left out.
    pub fn new(
        vertices: Vec<[f64; D]>,
        faces: impl IntoIterator<Item = [u32; D]>,
    ) -> Result<(Self, Findings), MeshError> {
        const { assert!(D == 2 || D == 3, "surfaces are in two or three dimensions") };
        let mut findings = Findings::default();
        let (welded, moved) = weld(&vertices);
        findings.add(Flaw::Apart, moved.0, None);
        let mut surface = Self { vertices: vertices.clone(), ..Self::default() };
        // Which face of the file each one is.
        let mut numbers = Vec::new();
        let mut known: HashSet<[u32; D]> = HashSet::new();
        let is_finite = |vertex: u32| vertices[vertex as usize].iter().all(|x| x.is_finite());
        for (number, face) in faces.into_iter().enumerate() {
            let mut leave_out = |flaw| findings.add(flaw, 1, Some(number));
            if face.iter().any(|&vertex| vertex as usize >= vertices.len()) {
                leave_out(Flaw::NoSuchVertex);
                continue;
            }
            if !face.iter().all(|&vertex| is_finite(vertex)) {
                leave_out(Flaw::NotFinite);
                continue;
            }
            let face = face.map(|vertex| welded[vertex as usize]);
            let corners = face.map(|vertex| vertices[vertex as usize]);
            let Some((normal, area, height)) = measure(&corners) else {
                leave_out(Flaw::NoArea);
                continue;
            };
            let mut sorted = face;
            sorted.sort_unstable();
            if !known.insert(sorted) {
                leave_out(Flaw::Twice);
                continue;
            }
            if height < SLIVER {
                findings.add(Flaw::Sliver, 1, Some(number));
            }
            surface.faces.push(face);
            surface.normals.push(normal);
            surface.areas.push(area);
            numbers.push(number);
        }
        let welded_away = moved.1;
        findings.add(Flaw::Unused, surface.drop_unused().saturating_sub(welded_away), None);
        if surface.faces.is_empty() {
            return Err(MeshError::NoFaces { findings });
        }
        topology::look(&surface.faces, &numbers, &mut findings);
        findings.sort();
        Ok((surface, findings))
    }

    /// The line through these corners, in the plane; back to the first one if it is closed.
    pub fn polyline(corners: Vec<[f64; D]>, closed: bool) -> Result<(Self, Findings), MeshError> {
        let count = corners.len() as u32;
        let ends = if closed { count } else { count.saturating_sub(1) };
        let piece = |k: u32| std::array::from_fn(|end| if end == 0 { k } else { (k + 1) % count });
        Self::new(corners, (0..ends).map(piece))
    }

    /// Leaves out vertices that no face has. How many there were.
    fn drop_unused(&mut self) -> usize {
        let mut new = vec![u32::MAX; self.vertices.len()];
        let mut kept = Vec::new();
        for vertex in self.faces.iter_mut().flatten() {
            let place = &mut new[*vertex as usize];
            if *place == u32::MAX {
                *place = kept.len() as u32;
                kept.push(self.vertices[*vertex as usize]);
            }
            *vertex = *place;
        }
        let unused = self.vertices.len() - kept.len();
        self.vertices = kept;
        unused
    }

    /// Coordinates of the vertices.
    pub fn vertices(&self) -> &[[f64; D]] {
        &self.vertices
    }

    /// Vertices of the faces.
    pub fn faces(&self) -> &[[u32; D]] {
        &self.faces
    }

    /// Unit normals of the faces; by the right hand if corners go round.
    pub fn normals(&self) -> &[[f64; D]] {
        &self.normals
    }

    /// Areas of the faces, in the plane lengths.
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The corners of a face.
    #[inline]
    pub fn corners(&self, face: usize) -> [[f64; D]; D] {
        self.faces[face].map(|vertex| self.vertices[vertex as usize])
    }

    /// Lower and upper corner of the box around it.
    pub fn bounds(&self) -> [[f64; D]; 2] {
        bounds(&self.vertices)
    }

    /// The same moved as a rigid body: where its points are then, and how its directions point.
    pub fn moved(&self, point: impl Fn([f64; D]) -> [f64; D], direction: impl Fn([f64; D]) -> [f64; D]) -> Self {
        Self {
            vertices: self.vertices.iter().map(|&vertex| point(vertex)).collect(),
            normals: self.normals.iter().map(|&normal| direction(normal)).collect(),
            ..self.clone()
        }
    }

    /// The same with every vertex elsewhere: faces that have no area then are left out.
    pub fn mapped(&self, to: impl Fn([f64; D]) -> [f64; D]) -> Result<(Self, Findings), MeshError> {
        Self::new(self.vertices.iter().map(|&vertex| to(vertex)).collect(), self.faces.iter().copied())
    }

    /// The same scaled, then turned about the origin by an axis times an angle, in the plane about the third axis, then shifted.
    pub fn placed(&self, scale: f64, turn: [f64; 3], shift: [f64; D]) -> Result<(Self, Findings), MeshError> {
        self.mapped(|vertex| {
            let turned = rotated(vertex.map(|x| scale * x), turn);
            std::array::from_fn(|axis| turned[axis] + shift[axis])
        })
    }
}

/// A point turned about the origin by axis times angle, after Rodrigues.
fn rotated<const D: usize>(point: [f64; D], turn: [f64; 3]) -> [f64; D] {
    let angle = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
    if angle == 0.0 {
        return point;
    }
    let axis = turn.map(|x| x / angle);
    let x: [f64; 3] = std::array::from_fn(|k| point.get(k).copied().unwrap_or(0.0));
    let cross = [axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]];
    let along: f64 = (0..3).map(|k| axis[k] * x[k]).sum();
    let (sin, cos) = libm::sincos(angle);
    std::array::from_fn(|k| cos * x[k] + sin * cross[k] + (1.0 - cos) * along * axis[k])
}

/// The box around all points that are finite.
fn bounds<const D: usize>(points: &[[f64; D]]) -> [[f64; D]; 2] {
    let mut around = [[f64::INFINITY; D], [f64::NEG_INFINITY; D]];
    for point in points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
        for axis in 0..D {
            around[0][axis] = around[0][axis].min(point[axis]);
            around[1][axis] = around[1][axis].max(point[axis]);
        }
    }
    around
}

/// For every vertex the first one that is in its place; how many lie apart from it by rounding, and how many are not first.
fn weld<const D: usize>(vertices: &[[f64; D]]) -> (Vec<u32>, (usize, usize)) {
    let [lo, hi] = bounds(vertices);
    let extent = (0..D).map(|axis| hi[axis] - lo[axis]).fold(0.0, f64::max);
    let near = SAME_VERTEX * extent;
    // Cells twice as wide as what is near: a vertex looks into its own and the nearer ones.
    let cell = |x: f64, axis: usize| if near > 0.0 { ((x - lo[axis]) / (2.0 * near)).floor() as i64 } else { 0 };
    let mut known: HashMap<[i64; D], Vec<u32>> = HashMap::with_capacity(vertices.len());
    let (mut apart, mut not_first) = (0, 0);
    let mut first_of = Vec::with_capacity(vertices.len());
    for (number, &vertex) in vertices.iter().enumerate() {
        if vertex.iter().any(|x| !x.is_finite()) {
            first_of.push(number as u32);
            continue;
        }
        let mut found: Option<u32> = None;
        for corner in 0..1 << D {
            let cells = std::array::from_fn(|axis| {
                cell(vertex[axis] + if corner >> axis & 1 == 1 { near } else { -near }, axis)
            });
            let others = known.get(&cells).map_or(&[][..], |others| others);
            let is_near = |&&other: &&u32| distance(vertices[other as usize], vertex) <= near;
            found = found.into_iter().chain(others.iter().find(is_near).copied()).min();
        }
        match found {
            Some(first) => {
                not_first += 1;
                apart += usize::from(vertices[first as usize] != vertex);
                first_of.push(first);
            }
            None => {
                first_of.push(number as u32);
                let own = std::array::from_fn(|axis| cell(vertex[axis], axis));
                known.entry(own).or_default().push(number as u32);
            }
        }
    }
    (first_of, (apart, not_first))
}

/// Unit normal, area, and height over the longest side of a face; nothing where it has no area.
fn measure<const D: usize>(corners: &[[f64; D]; D]) -> Option<([f64; D], f64, f64)> {
    let side = |k: usize| -> [f64; D] {
        let (a, b) = (corners[k], corners[(k + 1) % D]);
        std::array::from_fn(|axis| b[axis] - a[axis])
    };
    let longest = (0..D).map(|k| length(side(k))).fold(0.0, f64::max);
    if !(longest > 0.0 && longest.is_finite()) {
        return None;
    }
    let across: [f64; D] = if D == 2 {
        let way = side(0);
        std::array::from_fn(|axis| if axis == 0 { -way[1] } else { way[0] })
    } else {
        let (a, b) = (side(0), side(1));
        std::array::from_fn(|k| a[(k + 1) % D] * b[(k + 2) % D] - a[(k + 2) % D] * b[(k + 1) % D])
    };
    let size = length(across);
    let (area, height) = if D == 2 { (size, 1.0) } else { (0.5 * size, size / longest / longest) };
    (height > NO_AREA && size.is_finite()).then(|| (across.map(|x| x / size), area, height))
}

fn distance<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    length::<D>(std::array::from_fn(|axis| a[axis] - b[axis]))
}

fn length<const D: usize>(a: [f64; D]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners and twelve triangles of a cube, outward.
    fn cube() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let corner = |k: u32| [0, 1, 2].map(|axis| f64::from(k >> axis & 1));
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        ((0..8).map(corner).collect(), faces)
    }

    fn words(vertices: Vec<[f64; 3]>, faces: Vec<[u32; 3]>) -> (usize, Vec<String>) {
        let (surface, findings) = Surface::new(vertices, faces).unwrap();
        (surface.faces().len(), findings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_good_mesh_has_nothing_to_be_said() {
        let (vertices, faces) = cube();
        assert_eq!(words(vertices.clone(), faces.clone()), (12, vec![]));
        let (surface, _) = Surface::new(vertices, faces).unwrap();
        assert!((surface.areas().iter().sum::<f64>() - 6.0).abs() < 1e-12);
        let volume: f64 = (0..12)
            .map(|k| (0..3).map(|axis| surface.corners(k)[0][axis] * surface.normals()[k][axis]).sum::<f64>())
            .zip(surface.areas())
            .map(|(height, area)| height * area / 3.0)
            .sum();
        assert!((volume - 1.0).abs() < 1e-12, "normals point outwards");
    }

    #[test]
    fn every_kind_of_bad_mesh_is_reported_and_what_is_good_of_it_used() {
        type Spoil = fn(&mut Vec<[f64; 3]>, &mut Vec<[u32; 3]>);
        let kinds: [(&str, usize, Spoil); 10] = [
            ("1 face without area is left out (face 12)", 12, |_, faces| faces.push([1, 1, 2])),
            ("3 faces with a vertex that is not finite are left out, the first is face 2", 11, |vertices, faces| {
                vertices.push([0.5, f64::NAN, 0.0]);
                faces.extend([[8, 1, 2], [8, 2, 3]]);
                faces[2][0] = 8;
            }),
            ("1 face with a vertex that is not there is left out (face 12)", 12, |_, faces| faces.push([1, 2, 99])),
            ("2 faces that are there twice are left out, the first is face 12", 12, |_, faces| {
                faces.extend([[3, 0, 2], [5, 7, 4]]);
            }),
            ("1 face turned over against its neighbours (face 3)", 12, |_, faces| faces[3].swap(0, 1)),
            ("3 edges have one face only: the surface is open there, the first is of face 7", 11, |_, faces| {
                faces.remove(5);
            }),
            ("1 edge has more than two faces (face 1)", 13, |vertices, faces| {
                vertices.push([0.5, 0.5, 2.0]);
                faces.push([0, 1, 8]);
            }),
            ("1 sliver, a face far longer than high (face 12)", 13, |vertices, faces| {
                vertices.extend([[0.0, 0.0, 9.0], [5.0, 0.0, 9.0], [2.0, 1e-4, 9.0]]);
                faces.push([8, 9, 10]);
            }),
            ("2 vertices without a face are left out", 12, |vertices, _| vertices.extend([[0.5; 3], [f64::NAN; 3]])),
            ("1 vertex differs from another by rounding: they are made one", 12, |vertices, faces| {
                vertices.push([1.0 + 2e-8, 0.0, 0.0]);
                faces[1][2] = 8;
            }),
        ];
        for (expected, left, spoil) in kinds {
            let (mut vertices, mut faces) = cube();
            spoil(&mut vertices, &mut faces);
            let (count, words) = words(vertices, faces);
            assert!(words.iter().any(|line| line == expected), "{expected}: {words:?}");
            assert_eq!(count, left, "{expected}");
        }
    }

    /// The band of Moebius that five triangles make: all turned alike, each is turned over against the next, and one edge stays wrong however they
    /// are turned.
    #[test]
    fn a_twisted_band_is_reported() {
        let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [1.0, 3.0, 2.0], [3.0, 4.0, -1.0], [-2.0, 3.0, 3.0]];
        let faces = (0..5u32).map(|k| [k, (k + 1) % 5, (k + 2) % 5]);
        let (surface, findings) = Surface::new(vertices.to_vec(), faces).unwrap();
        assert_eq!((surface.faces().len(), findings.count(Flaw::Twisted), findings.count(Flaw::Open)), (5, 1, 5));
        let words: Vec<String> = findings.iter().map(ToString::to_string).collect();
        let wanted = "1 edge has faces that cannot be turned to one side";
        assert!(words.iter().any(|line| line.starts_with(wanted)), "{words:?}");
    }

    #[test]
    fn a_mesh_of_which_nothing_is_left_is_refused_with_the_reasons() {
        let error = Surface::new(vec![[f64::NAN; 3]; 3], [[0, 1, 2], [0, 1, 7]]).unwrap_err().to_string();
        assert!(error.contains("1 face with a vertex that is not there is left out (face 1)"), "{error}");
        assert!(error.contains("not finite"), "{error}");
        let none: [[u32; 3]; 0] = [];
        assert_eq!(Surface::new(vec![], none).unwrap_err().to_string(), "the mesh has no faces");
    }

    #[test]
    fn lines_of_the_plane_are_open_or_closed() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let (closed, findings) = Surface::polyline(square.clone(), true).unwrap();
        assert_eq!((closed.faces().len(), findings.iter().count()), (4, 0));
        assert_eq!(closed.normals()[0], [0.0, 1.0]);
        let (open, findings) = Surface::polyline(square, false).unwrap();
        assert_eq!(open.faces().len(), 3);
        assert_eq!(
            findings.iter().next().unwrap().to_string(),
            "2 ends have one face only: the surface is open there, the first is of face 0"
        );
        assert!(Surface::<2>::polyline(vec![[1.0, 2.0]], true).is_err());
        assert!(Surface::<2>::polyline(vec![], false).is_err());
    }
}
