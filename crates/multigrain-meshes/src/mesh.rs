//! Elements between vertices.

use crate::enclosing::enclosing_sphere;
use crate::findings::Findings;
use multigrain::{Axes, Dimension, Domain, Error, Pair, Pairs, System, find_pairs};
use std::collections::HashMap;

/// Elements between vertices: triangles, tetrahedra, any convex hull of a few vertices, also mixed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ElementMesh<const D: usize> {
    vertices: Vec<[f64; D]>,
    /// Vertices of all elements, one element after the other.
    corners: Vec<u32>,
    /// Where the vertices of each element end.
    ends: Vec<usize>,
}

/// A mesh that cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A vertex that does not exist.
    #[error("element {element} has vertex {vertex}, but there are {vertices} vertices, counted from 0")]
    NoSuchVertex {
        /// The element.
        element: usize,
        /// Its vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// An element of nothing.
    #[error("element {element} has no vertices")]
    NoVertices {
        /// The element.
        element: usize,
    },
    /// A surface of which nothing can be used.
    #[error("the mesh has no faces{}{findings}", if findings.iter().next().is_some() { " left: " } else { "" })]
    NoFaces {
        /// What is wrong with those that it had.
        findings: Findings,
    },
}

impl<const D: usize> ElementMesh<D> {
    /// Elements by the numbers of their vertices.
    pub fn new(
        vertices: Vec<[f64; D]>,
        elements: impl IntoIterator<Item = impl AsRef<[u32]>>,
    ) -> Result<Self, MeshError> {
        let mut mesh = Self { vertices, corners: Vec::new(), ends: Vec::new() };
        for (element, corners) in elements.into_iter().enumerate() {
            let (corners, vertices) = (corners.as_ref(), mesh.vertices.len());
            if corners.is_empty() {
                return Err(MeshError::NoVertices { element });
            }
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
                return Err(MeshError::NoSuchVertex { element, vertex, vertices });
            }
            mesh.corners.extend_from_slice(corners);
            mesh.ends.push(mesh.corners.len());
        }
        Ok(mesh)
    }

    /// The same mesh, with vertices of exactly the same coordinates made one: for formats without shared vertices, such as STL.
    pub fn with_vertices_merged(self) -> Self {
        let mut known: HashMap<[u64; D], u32> = HashMap::with_capacity(self.vertices.len());
        let mut vertices = Vec::new();
        // Adding 0 makes -0 the same as 0.
        let new: Vec<u32> = self
            .vertices
            .iter()
            .map(|&vertex| {
                *known.entry(vertex.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                    vertices.push(vertex);
                    vertices.len() as u32 - 1
                })
            })
            .collect();
        Self { vertices, corners: self.corners.iter().map(|&old| new[old as usize]).collect(), ends: self.ends }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Coordinates of the vertices.
    pub fn vertices(&self) -> &[[f64; D]] {
        &self.vertices
    }

    /// The vertices of an element.
    pub fn element(&self, element: usize) -> &[u32] {
        let start = if element == 0 { 0 } else { self.ends[element - 1] };
        &self.corners[start..self.ends[element]]
    }

    /// The smallest sphere around each element, in open space.
    pub fn bounding_spheres(&self) -> System<D> {
        let mut system = System::with_capacity(self.len());
        let mut points = Vec::new();
        for element in 0..self.len() {
            points.clear();
            points.extend(self.element(element).iter().map(|&vertex| self.vertices[vertex as usize]));
            if let Some(sphere) = enclosing_sphere(&points) {
                system.centers.push(sphere.center);
                system.radii.push(sphere.radius);
            }
        }
        system.domain = Domain::open();
        system
    }

    /// Whether two elements have a vertex in common; an element has with itself.
    pub fn share_vertex(&self, i: usize, j: usize) -> bool {
        let other = self.element(j);
        self.element(i).iter().any(|vertex| other.contains(vertex))
    }

    /// Leaves out pairs of elements that have a vertex in common. In periodic domains those with an image of the other too.
    pub fn retain_apart(&self, pairs: &mut Pairs<D>) {
        pairs.retain(|Pair { i, j, .. }| !self.share_vertex(i as usize, j as usize));
    }

    /// Every pair of elements whose spheres are less than `margin` apart and that have no vertex in common. Sorted.
    pub fn find_pairs(&self, margin: f64) -> Result<Pairs<D>, Error>
    where
        Axes: Dimension<D>,
    {
        let spheres = self.bounding_spheres();
        let mut pairs = find_pairs(spheres.snapshot()?.with_margin(margin)?);
        self.retain_apart(&mut pairs);
        pairs.sort();
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    #[test]
    fn elements_that_share_a_vertex_are_left_out() {
        // Two sheets of triangles, one above the other.
        let side = 6;
        let mut vertices = Vec::new();
        let mut elements = Vec::new();
        for z in [0.0, 0.3] {
            let first = vertices.len() as u32;
            for y in 0..side {
                for x in 0..side {
                    vertices.push([f64::from(x), f64::from(y), z]);
                }
            }
            for y in 0..side - 1 {
                for x in 0..side - 1 {
                    let corner = first + y * side + x;
                    elements.push([corner, corner + 1, corner + side]);
                    elements.push([corner + 1, corner + side, corner + side + 1]);
                }
            }
        }
        let mesh = ElementMesh::new(vertices, &elements).unwrap();
        let spheres = mesh.bounding_spheres();
        let mut expected = Vec::new();
        for i in 0..mesh.len() {
            for j in i + 1..mesh.len() {
                let reach = spheres.radii[i] + spheres.radii[j];
                let apart: f64 = (0..3).map(|axis| (spheres.centers[i][axis] - spheres.centers[j][axis]).powi(2)).sum();
                if apart < reach * reach && !elements[i].iter().any(|vertex| elements[j].contains(vertex)) {
                    expected.push([i as u32, j as u32]);
                }
            }
        }
        let pairs = mesh.find_pairs(0.0).unwrap();
        assert_eq!(pairs.as_slice(), expected);
        assert!(expected.iter().any(|[i, j]| (*i < 50) != (*j < 50)), "the sheets touch");
    }

    #[test]
    fn vertices_of_the_same_coordinates_become_one() {
        let vertices = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, -0.0], [0.0, 1.0], [1.0, 1.0]];
        let mesh = ElementMesh::new(vertices, [[0, 1, 2], [3, 4, 5]]).unwrap();
        assert!(!mesh.share_vertex(0, 1));
        assert_eq!(mesh.find_pairs(0.0).unwrap().len(), 1);
        let merged = mesh.with_vertices_merged();
        assert_eq!(merged.vertices().len(), 4);
        assert_eq!(merged.element(1), [1, 2, 3]);
        assert!(merged.share_vertex(0, 1));
        assert!(merged.find_pairs(0.0).unwrap().is_empty());
    }

    #[test]
    fn tetrahedra_lie_in_their_spheres() {
        let mut rng = Rng::new(3);
        let vertices: Vec<[f64; 3]> = (0..400).map(|_| std::array::from_fn(|_| 10.0 * rng.uniform())).collect();
        let elements: Vec<[u32; 4]> = (0..100).map(|k| std::array::from_fn(|corner| 4 * k + corner as u32)).collect();
        let mesh = ElementMesh::new(vertices.clone(), &elements).unwrap();
        let spheres = mesh.bounding_spheres();
        for (k, element) in elements.iter().enumerate() {
            for &corner in element {
                let way: f64 =
                    (0..3).map(|axis| (vertices[corner as usize][axis] - spheres.centers[k][axis]).powi(2)).sum();
                assert!(way.sqrt() <= spheres.radii[k]);
            }
        }
    }

    #[test]
    fn elements_of_nothing_and_of_foreign_vertices_are_refused() {
        let error = ElementMesh::new(vec![[0.0; 3]; 2], [[0, 1], [1, 2]]).unwrap_err();
        assert_eq!(error.to_string(), "element 1 has vertex 2, but there are 2 vertices, counted from 0");
        let none: [&[u32]; 1] = [&[]];
        assert_eq!(ElementMesh::new(vec![[0.0; 3]], none), Err(MeshError::NoVertices { element: 0 }));
    }
}
