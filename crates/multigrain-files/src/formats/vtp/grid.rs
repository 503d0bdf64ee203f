//! VTK unstructured grids in XML (`.vtu`): the linear cells of a mesh.

use super::Encoding;
use super::xml::{self, Element};
use crate::error::{Result, hinted};
use multigrain_meshes::ElementMesh;

/// Types of cells that are the convex hull of their points, from vertex to pyramid. Later ones are curved, or list faces.
const LINEAR: std::ops::RangeInclusive<f64> = 1.0..=14.0;

/// The name of the data in such a file.
pub const NAME: &str = "UnstructuredGrid";

/// The cells of all pieces, as elements. Points of different pieces are different vertices.
pub fn read(file: &[u8]) -> Result<ElementMesh<3>> {
    let root = xml::parse(file)?;
    let data = root.child(NAME).ok_or_else(|| root.error(file, "there is no <UnstructuredGrid> in it"))?;
    let encoding = Encoding::new(file, &root)?;
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    let mut elements: Vec<Vec<u32>> = Vec::new();
    for piece in data.children.iter().filter(|element| element.name == "Piece") {
        let points = piece.child("Points").and_then(|points| points.child("DataArray"));
        let points = points.ok_or_else(|| piece.error(file, "it has no <Points> with a <DataArray>"))?;
        let coordinates = encoding.numbers(points)?;
        if let Some(k) = coordinates.iter().position(|x| !x.is_finite()) {
            return Err(points.error(file, format!("point {} has a coordinate that is not finite", k / 3)));
        }
        let first = vertices.len();
        vertices.extend(coordinates.as_chunks::<3>().0);
        let cells = piece.child("Cells").ok_or_else(|| piece.error(file, "it has no <Cells>"))?;
        let array = |name: &str| -> Result<(&Element<'_>, Vec<f64>)> {
            let array = cells.children.iter().find(|array| array.attribute("Name") == Some(name));
            let array = array.ok_or_else(|| cells.error(file, format!("it has no array {name}")))?;
            Ok((array, encoding.numbers(array)?))
        };
        let (of_types, types) = array("types")?;
        if let Some(k) = types.iter().position(|kind| !LINEAR.contains(kind)) {
            return Err(hinted(
                of_types.error(file, format!("cell {k} is of type {}, which is not linear", types[k])).to_string(),
                "types from 1 (vertex) to 14 (pyramid) are read; make the cells linear, in ParaView with Tessellate",
            ));
        }
        let (of_corners, corners) = array("connectivity")?;
        let (of_ends, ends) = array("offsets")?;
        let mut start = 0;
        for (cell, &end) in ends.iter().enumerate() {
            let these = corners.get(start..end as usize);
            let these = these.ok_or_else(|| of_ends.error(file, format!("cell {cell} ends at {end}")))?;
            let vertex = |&corner: &f64| -> Result<u32> {
                let is_there = corner >= 0.0 && (corner as usize) < vertices.len() - first;
                match is_there {
                    true => Ok(u32::try_from(first + corner as usize)?),
                    false => Err(of_corners.error(file, format!("cell {cell} has point {corner}, which is not there"))),
                }
            };
            elements.push(these.iter().map(vertex).collect::<Result<_>>()?);
            start = end as usize;
        }
    }
    Ok(ElementMesh::new(vertices, elements)?)
}
