//! Meshes as surfaces that walls are made of: STL and OBJ. What cannot be used of them is reported, and is no error.

use super::{obj, stl};
use crate::error::{Context, Error, Result, fault};
use crate::packed::{extension, read_file};
use multigrain_meshes::{MeshError, Surface};
use std::path::Path;

/// What can be used of a mesh, and in words what was wrong with the rest. In the plane the lines of an OBJ file are read, of which z is
/// left out. Every error names the file.
pub fn read_surface<const D: usize>(path: &Path) -> Result<(Surface<D>, Vec<String>)> {
    let read = || parse(&read_file(path)?, &extension(path));
    read().with_context(|| format!("cannot read {}", path.display()))
}

/// The same from the bytes of a file, whose name would end with this extension.
pub fn parse<const D: usize>(file: &[u8], extension: &str) -> Result<(Surface<D>, Vec<String>)> {
    if file.trim_ascii().is_empty() {
        return Err(fault!("the file is empty"));
    }
    let (mut notes, vertices, faces): (Vec<String>, Vec<[f64; 3]>, Vec<Vec<u32>>) =
        if stl::looks_like(file, extension) && extension != "obj" {
            if D == 2 {
                return Err(fault!(
                    "STL has triangles, which are for space: in the plane take lines of an OBJ file, or `corners`"
                ));
            }
            let (vertices, note) = stl::corners(file)?;
            let faces = (0..u32::try_from(vertices.len())? / 3).map(|k| vec![3 * k, 3 * k + 1, 3 * k + 2]).collect();
            (note.into_iter().collect(), vertices, faces)
        } else if obj::looks_like(file, extension) {
            let found = obj::read(file)?;
            (Vec::new(), found.vertices, if D == 2 { found.lines } else { found.faces })
        } else {
            return Err(fault!("its format is not known: walls are read from .stl and .obj"));
        };
    let vertices = vertices.iter().map(|vertex| std::array::from_fn(|axis| vertex[axis])).collect();
    // Faces with many corners as triangles around the first one, lines as their pieces.
    let pieces = faces.iter().flat_map(|corners| {
        let first = corners.first().copied().unwrap_or(u32::MAX);
        let rest = if D == 2 { &corners[..] } else { corners.get(1..).unwrap_or_default() };
        let piece = move |pair: &[u32]| std::array::from_fn(|k| if k < 2 { pair[k] } else { first });
        rest.windows(2).map(piece)
    });
    let (surface, findings) = Surface::new(vertices, pieces).map_err(|error| {
        let is_line = D == 2 && matches!(error, MeshError::NoFaces { .. });
        let error = Error::from(error);
        if is_line { error.context("lines of the plane, as `l 1 2 3`, are wanted") } else { error }
    })?;
    notes.extend(findings.iter().map(ToString::to_string));
    Ok((surface, notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "# a square and its outline\no square\nv 0 0 1\nv 1 0 1\nv 1 1 1 # corner\nv 0 1 1\nvn 0 0 1\n\
                          f 1/1/1 2//1 3 -1\nl 1 2 3 4 1\n";

    fn words(file: &[u8], extension: &str) -> (usize, Vec<String>) {
        let (surface, notes) = parse::<3>(file, extension).unwrap();
        (surface.faces().len(), notes)
    }

    fn error(file: &[u8], extension: &str) -> String {
        format!("{:#}", parse::<3>(file, extension).unwrap_err())
    }

    /// A tetrahedron as binary STL that says it has this many triangles.
    fn binary(count: u32) -> Vec<u8> {
        let points = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut file = [vec![b' '; 80], count.to_le_bytes().to_vec()].concat();
        for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
            file.extend([0; 12]);
            file.extend(face.iter().flat_map(|&corner: &usize| points[corner]).flat_map(f32::to_le_bytes));
            file.extend([0; 2]);
        }
        file
    }

    #[test]
    fn faces_of_obj_are_cut_into_triangles_and_lines_are_for_the_plane() {
        let (surface, notes) = parse::<3>(SQUARE.as_bytes(), "obj").unwrap();
        assert_eq!((surface.faces().len(), surface.vertices().len()), (2, 4));
        assert!((surface.areas().iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(notes, ["4 edges have one face only: the surface is open there, the first is of face 0"]);
        let (line, notes) = parse::<2>(SQUARE.as_bytes(), "obj").unwrap();
        assert_eq!((line.faces().len(), notes.len()), (4, 0));
    }

    #[test]
    fn a_good_mesh_has_no_notes_whatever_its_format() {
        assert_eq!(words(&binary(4), "stl"), (4, vec![]));
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        assert_eq!(words(text.as_bytes(), "obj"), (4, vec![]));
        assert_eq!(words(text.as_bytes(), ""), (4, vec![]));
    }

    /// Ten kinds of files that are not as they should be; no one panics, and what is good is used.
    #[test]
    fn bad_files_are_reported_in_words() {
        assert_eq!(
            words(&binary(9), "stl"),
            (4, vec!["the head of the file says 9 triangles, there are 4".to_owned()])
        );
        assert_eq!(
            words(&binary(2), "stl"),
            (4, vec!["the head of the file says 2 triangles, there are 4".to_owned()])
        );
        let cut = &binary(4)[..84 + 3 * 50 + 20];
        assert_eq!(words(cut, "stl").1[0], "the head of the file says 4 triangles, there are 3");
        let mut nan = binary(4);
        nan[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
        let (left, notes) = words(&nan, "stl");
        assert_eq!((left, &notes[0][..]), (3, "1 face with a vertex that is not finite is left out (face 0)"));
        let text = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";
        assert!(error(text.as_bytes(), "stl").contains("not finite"));
        assert_eq!(error(b"", "stl"), "the file is empty");
        assert_eq!(error(b" \n", "obj"), "the file is empty");
        assert!(error(b"hello", "stl").starts_with("this is no STL file"));
        assert!(error(b"hello", "obj").starts_with("this is no OBJ file"));
        assert!(error(b"hello", "ply").starts_with("its format is not known"));
        assert_eq!(error(b"v 1 2\n", "obj"), "line 1: a vertex needs three numbers");
        assert_eq!(error(b"v 1 2 x\n", "obj"), "line 1: 'x' is not a number");
        assert_eq!(error(b"v 1 2 3\nf 1 1\n", "obj"), "line 2: a face needs 3 corners or more");
        assert_eq!(
            error(b"v 1 2 3\nf 0 1 2\n", "obj"),
            "line 2: corners are numbers of vertices, such as 3, 3/1 or -1"
        );
        assert!(error(b"v 1 2 3\n", "obj").starts_with("the mesh has no faces left: 1 vertex without a face"));
        assert!(error(b"v 1 2 3\nf 1 2 9\nf -5 1 1\n", "obj").contains("2 faces with a vertex that is not there"));
        assert!(format!("{:#}", parse::<2>(&binary(4), "stl").unwrap_err()).contains("which are for space"));
    }
}
