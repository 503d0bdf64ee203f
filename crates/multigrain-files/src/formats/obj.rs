//! Wavefront OBJ: vertices, faces of any number of corners, and lines. What else the format knows is passed over.

use super::rows::excerpt;
use crate::error::{Result, fault};

/// Vertices, and the corners of faces and lines by their numbers from 0.
#[derive(Debug, Default)]
pub struct Obj {
    pub vertices: Vec<[f64; 3]>,
    pub faces: Vec<Vec<u32>>,
    pub lines: Vec<Vec<u32>>,
}

/// Whether the bytes look like OBJ: nothing but the extension and lines of vertices tell.
pub fn looks_like(file: &[u8], extension: &str) -> bool {
    extension == "obj" || file.split(|&byte| byte == b'\n').take(64).any(|line| line.starts_with(b"v "))
}

/// Reads a file. A number of a vertex that is not there becomes one that no vertex has.
pub fn read(file: &[u8]) -> Result<Obj> {
    let mut found = Obj::default();
    for (number, line) in file.split(|&byte| byte == b'\n').enumerate() {
        let error = |what: String| fault!("line {}: {what}", number + 1);
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => {
                let mut vertex = [0.0; 3];
                for x in &mut vertex {
                    let word = words.next().ok_or_else(|| error("a vertex needs three numbers".to_owned()))?;
                    *x = fast_float2::parse(word).map_err(|_| error(format!("'{}' is not a number", excerpt(word))))?;
                }
                found.vertices.push(vertex);
            }
            Some(kind @ (b"f" | b"l")) => {
                let corners = words
                    .map(|word| corner(word, found.vertices.len()))
                    .collect::<Option<Vec<u32>>>()
                    .ok_or_else(|| error("corners are numbers of vertices, such as 3, 3/1 or -1".to_owned()))?;
                let (what, least) = if kind == b"f" { ("a face", 3) } else { ("a line", 2) };
                if corners.len() < least {
                    return Err(error(format!("{what} needs {least} corners or more")));
                }
                if kind == b"f" { &mut found.faces } else { &mut found.lines }.push(corners);
            }
            _ => (),
        }
    }
    if found.vertices.is_empty() {
        return Err(fault!("this is no OBJ file: it has no line that begins with `v`"));
    }
    Ok(found)
}

/// The vertex that a corner such as `3/1/2` or `-1` names, of this many so far.
fn corner(word: &[u8], vertices: usize) -> Option<u32> {
    let name = word.split(|&byte| byte == b'/').next()?;
    let number: i64 = std::str::from_utf8(name).ok()?.parse().ok()?;
    let place = match number {
        0 => return None,
        back if back < 0 => vertices as i64 + back,
        number => number - 1,
    };
    Some(u32::try_from(place).unwrap_or(u32::MAX))
}
