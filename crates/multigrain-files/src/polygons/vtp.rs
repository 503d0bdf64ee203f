//! Polygons for ParaView: VTK PolyData as XML, in text form.

use super::{Drawn, WALL};
use std::fmt::Write;

/// The polygons with their index, value, number of corners, and whether they are walls: those in the color of walls.
pub fn vtp(drawn: &[Drawn<'_>]) -> String {
    let points: usize = drawn.iter().map(|drawn| drawn.body.polygon().len()).sum();
    let count = drawn.len();
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{count}\">\n\
         <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
    );
    for [x, y] in drawn.iter().flat_map(|drawn| drawn.body.corners().collect::<Vec<_>>()) {
        let _ = writeln!(text, "{x:?} {y:?} 0");
    }
    text.push_str("</DataArray>\n</Points>\n<Polys>\n");
    let list = |text: &mut String, kind: &str, name: &str, values: &mut dyn Iterator<Item = String>| {
        let values = values.collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">\n{values}\n</DataArray>");
    };
    list(&mut text, "Int64", "connectivity", &mut (0..points).map(|k| k.to_string()));
    let mut end = 0;
    let mut ends = drawn.iter().map(|drawn| {
        end += drawn.body.polygon().len();
        end.to_string()
    });
    list(&mut text, "Int64", "offsets", &mut ends);
    text.push_str("</Polys>\n<CellData Scalars=\"value\">\n");
    list(&mut text, "Int64", "id", &mut (0..count).map(|k| k.to_string()));
    list(&mut text, "Float64", "value", &mut drawn.iter().map(|drawn| format!("{:?}", drawn.value)));
    list(&mut text, "Int64", "corners", &mut drawn.iter().map(|drawn| drawn.body.polygon().len().to_string()));
    list(&mut text, "UInt8", "wall", &mut drawn.iter().map(|drawn| u8::from(drawn.color == WALL).to_string()));
    text.push_str("</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n");
    text
}
