//! STL, text and binary: triangles without shared vertices. Vertices of exactly the same coordinates are made one.

use super::rows::excerpt;
use crate::error::{Result, fault};
use multigrain_meshes::ElementMesh;

/// Bytes before the triangles of a binary file: a free text and their number.
const HEAD: usize = 84;

/// Bytes of a triangle: normal and vertices as f32, and two that nobody uses.
const TRIANGLE: usize = 50;

/// Whether the bytes look like STL. Binary files have nothing but their length to tell, so that only the extension decides.
pub fn looks_like(file: &[u8], extension: &str) -> bool {
    extension == "stl" || is_text(file)
}

/// The triangles of a file.
pub fn read(file: &[u8]) -> Result<ElementMesh<3>> {
    let vertices = if binary_triangles(file).is_some() { binary(file) } else { text(file, NotFinite::Refused)? };
    if let Some(place) = vertices.iter().position(|vertex| vertex.iter().any(|x| !x.is_finite())) {
        return Err(fault!("triangle {} has a vertex that is not finite", place / 3));
    }
    let count = u32::try_from(vertices.len())?;
    let triangles = (0..count / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    Ok(ElementMesh::new(vertices, triangles)?.with_vertices_merged())
}

/// Corners of all triangles as they are, also such that are not finite, and a note where their number is not the one in the head.
pub fn corners(file: &[u8]) -> Result<(Vec<[f64; 3]>, Option<String>)> {
    if binary_triangles(file).is_some() {
        return Ok((binary(file), None));
    }
    if is_text(file) || file.len() < HEAD + TRIANGLE {
        return Ok((text(file, NotFinite::Kept)?, None));
    }
    let said = u32::from_le_bytes([file[80], file[81], file[82], file[83]]);
    let vertices = binary(file);
    let note = format!("the head of the file says {said} triangles, there are {}", vertices.len() / 3);
    Ok((vertices, Some(note)))
}

/// What is done about coordinates that are no finite numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NotFinite {
    Refused,
    Kept,
}

fn is_text(file: &[u8]) -> bool {
    let start = file.trim_ascii_start();
    start.starts_with(b"solid") && memchr::memmem::find(&start[..start.len().min(1 << 12)], b"facet").is_some()
}

/// The number of triangles, if the length is that of a binary file with them. Some programs write `solid` into binary files, so
/// that the length is looked at first.
fn binary_triangles(file: &[u8]) -> Option<usize> {
    let count = u32::from_le_bytes(*file.get(80..)?.first_chunk()?) as usize;
    (file.len() == HEAD + TRIANGLE * count).then_some(count)
}

fn binary(file: &[u8]) -> Vec<[f64; 3]> {
    let mut vertices = Vec::with_capacity((file.len() - HEAD) / TRIANGLE * 3);
    for bytes in file[HEAD..].as_chunks::<TRIANGLE>().0 {
        let numbers = bytes.as_chunks::<4>().0;
        let number = |k: usize| f64::from(f32::from_le_bytes(numbers[k]));
        vertices.extend((1..4).map(|corner| [number(3 * corner), number(3 * corner + 1), number(3 * corner + 2)]));
    }
    vertices
}

fn text(file: &[u8], not_finite: NotFinite) -> Result<Vec<[f64; 3]>> {
    if !is_text(file) {
        return Err(fault!(
            "this is no STL file: it has neither the length of a binary one nor `solid` and `facet` in its first lines"
        ));
    }
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for (number, line) in file.split(|&byte| byte == b'\n').enumerate() {
        let error = |what: &str| fault!("line {}: {what}", number + 1);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        // Most files have a line for each vertex, but none needs to.
        while let Some(word) = words.next() {
            match word {
                // A name follows, of any words.
                b"solid" | b"endsolid" => _ = words.find(|word| *word == b"facet"),
                b"endloop" if !vertices.len().is_multiple_of(3) => {
                    return Err(error("a facet must have three vertices"));
                }
                b"vertex" => {
                    let mut vertex = [0.0; 3];
                    for x in &mut vertex {
                        let word = words.next().ok_or_else(|| error("a vertex needs three numbers"))?;
                        let is_taken = |x: &f64| x.is_finite() || not_finite == NotFinite::Kept;
                        let number = fast_float2::parse(word).ok().filter(is_taken);
                        *x = number.ok_or_else(|| error(&format!("'{}' is not a finite number", excerpt(word))))?;
                    }
                    vertices.push(vertex);
                }
                _ => (),
            }
        }
    }
    if !vertices.len().is_multiple_of(3) {
        return Err(fault!("the file ends inside a facet"));
    }
    Ok(vertices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_need_no_lines_of_their_own() {
        let facet =
            "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";
        let lines = format!("solid a vertex 9\n{facet}{}endsolid a vertex 9\n", facet.replace("0 1 0", "0 0 1"));
        let read = |text: &str| text_of(text).unwrap();
        assert_eq!(read(&lines).len(), 6);
        for other in [lines.replace('\n', " "), lines.replace('\n', "\r"), lines.replace("loop\n", "loop ")] {
            assert_eq!(read(&other), read(&lines), "{other:?}");
        }
    }

    fn text_of(text: &str) -> Result<Vec<[f64; 3]>> {
        super::text(text.as_bytes(), NotFinite::Refused)
    }
}
