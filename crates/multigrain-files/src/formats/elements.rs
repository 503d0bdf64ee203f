//! Meshes of elements: STL and VTU.

use super::{Input, stl, vtp};
use crate::error::{Context, Result};
use crate::packed::{extension, read_file};
use multigrain_meshes::ElementMesh;

/// The elements of a mesh, if the input is an STL or VTU file; nothing for other files. Every error names the file.
///
/// [`read`](crate::read) gives the spheres around the elements instead.
pub fn read_elements(input: &Input) -> Result<Option<ElementMesh<3>>> {
    let Input::File(path) = input else { return Ok(None) };
    let extension = extension(path);
    if !matches!(extension.as_str(), "stl" | "vtu") {
        return Ok(None);
    }
    let read = || parse(&read_file(path)?, &extension);
    read().with_context(|| format!("cannot read {input}"))
}

/// The elements of a mesh, if the bytes look like one.
pub fn parse(file: &[u8], extension: &str) -> Result<Option<ElementMesh<3>>> {
    if vtp::looks_like(file) {
        return if vtp::is_grid(file) { vtp::read_grid(file).map(Some) } else { Ok(None) };
    }
    if stl::looks_like(file, extension) { stl::read(file).map(Some) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tetrahedra that share a face, and one beside them.
    const POINTS: [[f64; 3]; 9] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.25, 0.25, -0.125],
        [1.25, 0.25, -0.125],
        [0.25, 1.25, -0.125],
        [0.25, 0.25, -1.0],
    ];
    const TETRAHEDRA: [[u32; 4]; 3] = [[0, 1, 2, 3], [1, 2, 3, 4], [5, 6, 7, 8]];

    fn mesh() -> ElementMesh<3> {
        ElementMesh::new(POINTS.to_vec(), TETRAHEDRA).unwrap()
    }

    /// A grid whose arrays are written by `array`, from type, name, components and bytes or words.
    fn vtu(mut array: impl FnMut(&str, &str, usize, Vec<u8>, String) -> String) -> String {
        let floats: Vec<f64> = POINTS.concat();
        let ends: Vec<i64> = (1..=3).map(|k| 4 * k).collect();
        let corners: Vec<i64> = TETRAHEDRA.concat().into_iter().map(i64::from).collect();
        let words = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let bytes = |numbers: &[i64]| numbers.iter().flat_map(|k| k.to_le_bytes()).collect::<Vec<u8>>();
        let points = floats.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let points = array("Float64", "Points", 3, floats.iter().flat_map(|x| x.to_le_bytes()).collect(), points);
        let corners = array("Int64", "connectivity", 1, bytes(&corners), words(&corners));
        let ends = array("Int64", "offsets", 1, bytes(&ends), words(&ends));
        let types = array("UInt8", "types", 1, vec![10; 3], "10 10 10".to_owned());
        format!(
            "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\"><UnstructuredGrid>\
             <Piece NumberOfPoints=\"9\" NumberOfCells=\"3\"><Points>{points}</Points>\
             <Cells>{corners}{ends}{types}</Cells></Piece></UnstructuredGrid>"
        )
    }

    fn read(file: &[u8]) -> Result<ElementMesh<3>> {
        Ok(parse(file, "")?.unwrap())
    }

    #[test]
    fn grids_are_read_from_text_base64_and_appended_bytes() {
        let text = vtu(|kind, name, components, _, words| {
            format!(
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">{words}</DataArray>"
            )
        }) + "</VTKFile>";
        assert_eq!(read(text.as_bytes()).unwrap(), mesh());
        let with_length = |bytes: Vec<u8>| [(bytes.len() as u64).to_le_bytes().to_vec(), bytes].concat();
        let base64 = vtu(|kind, name, components, bytes, _| {
            let data = vtp::base64::encode(&with_length(bytes));
            format!(
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{data}</DataArray>"
            )
        }) + "</VTKFile>";
        assert_eq!(read(base64.as_bytes()).unwrap(), mesh());
        let mut appended = Vec::new();
        let head = vtu(|kind, name, components, bytes, _| {
            let offset = appended.len();
            appended.extend(with_length(bytes));
            format!(
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
            )
        });
        let raw = [head.as_bytes(), b"<AppendedData encoding=\"raw\">_", &appended, b"</AppendedData></VTKFile>"];
        assert_eq!(read(&raw.concat()).unwrap(), mesh());
        assert_eq!(mesh().find_pairs(0.0).unwrap().as_slice(), [[0, 2], [1, 2]]);
    }

    #[test]
    fn what_is_wrong_with_a_grid_is_said() {
        let with = |name: &str, words: &str| {
            let file = vtu(|kind, own, components, _, right| {
                let words = if own == name { words } else { &right };
                format!(
                    "<DataArray type=\"{kind}\" Name=\"{own}\" NumberOfComponents=\"{components}\">{words}</DataArray>"
                )
            }) + "</VTKFile>";
            format!("{:#}", read(file.as_bytes()).unwrap_err())
        };
        let array = |name: &str| format!("line 1, <DataArray Name=\"{name}\">: ");
        assert_eq!(with("types", "10 24 10"), array("types") + "cell 1 is of type 24, which is not linear");
        assert_eq!(with("offsets", "4 8 13"), array("offsets") + "cell 2 ends at 13");
        let corners = with("connectivity", "0 1 2 3 1 2 3 4 5 6 7 9");
        assert_eq!(corners, array("connectivity") + "cell 2 has point 9, which is not there");
    }

    /// The faces of the tetrahedra as STL.
    fn faces() -> Vec<[[f64; 3]; 3]> {
        let face = |corners: [u32; 3]| corners.map(|corner| POINTS[corner as usize]);
        TETRAHEDRA.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(face)).collect()
    }

    #[test]
    fn triangles_are_read_from_text_and_bytes_and_share_vertices() {
        let mut text = "solid two and one\n".to_owned();
        let mut binary = [vec![b'x'; 80], (faces().len() as u32).to_le_bytes().to_vec()].concat();
        for triangle in faces() {
            text += "facet normal 0 0 1\n  outer loop\n";
            binary.extend([0; 12]);
            for [x, y, z] in triangle {
                text += &format!("    vertex {x} {y:e} {z}\r\n");
                binary.extend([x, y, z].iter().flat_map(|&x| (x as f32).to_le_bytes()));
            }
            text += "  endloop\nendfacet\n";
            binary.extend([0; 2]);
        }
        text += "endsolid two and one\n";
        let (text, binary) = (read(text.as_bytes()).unwrap(), parse(&binary, "stl").unwrap().unwrap());
        assert_eq!(text, binary);
        assert_eq!((text.len(), text.vertices().len()), (12, 9));
        let pairs = text.find_pairs(0.0).unwrap();
        assert!(!pairs.is_empty());
        assert!(
            pairs.iter().all(|pair| pair.i < 8 && pair.j >= 8),
            "the two that share a face share all their vertices"
        );
    }

    #[test]
    fn what_is_wrong_with_triangles_is_said() {
        let error = |text: &str| format!("{:#}", parse(text.as_bytes(), "stl").unwrap_err());
        assert!(error("no").starts_with("this is no STL file"));
        assert_eq!(error("solid\nfacet\nvertex 1 2\n"), "line 3: a vertex needs three numbers");
        assert_eq!(error("solid\nfacet\nvertex 1 2 x\n"), "line 3: 'x' is not a finite number");
        assert_eq!(error("solid\nfacet\nvertex 1 2 3\nendloop"), "line 4: a facet must have three vertices");
        assert_eq!(error("solid\nfacet\nvertex 1 2 3"), "the file ends inside a facet");
    }
}
