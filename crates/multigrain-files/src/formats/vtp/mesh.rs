//! VTK PolyData as it is: points, lines and polygons with their arrays. What snapshots of polygons, contacts and walls are
//! read by.

use super::super::columns::MAX_WIDTH;
use super::arrays::Encoding;
use super::xml::{self, Element};
use crate::error::{Context, Result};
use crate::packed::read_file;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Lines and polygons between points. Of files with several pieces the first is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Points; those of the plane lie at z = 0.
    pub points: Vec<[f64; 3]>,
    /// Points of each line.
    pub lines: Vec<Vec<usize>>,
    /// Corners of each polygon, in order.
    pub polygons: Vec<Vec<usize>>,
    /// Arrays of the points.
    pub point_arrays: Vec<MeshArray>,
    /// Arrays of the cells: of lines, then of polygons.
    pub cell_arrays: Vec<MeshArray>,
    /// Arrays of the whole file.
    pub field_arrays: Vec<MeshArray>,
}

/// An array of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshArray {
    /// Its name.
    pub name: String,
    /// Numbers for each point or cell.
    pub components: usize,
    /// All numbers.
    pub values: Vec<f64>,
}

impl Mesh {
    /// Reads a file. Errors name it.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", path.display());
        Self::parse(&read_file(path).with_context(cannot)?).with_context(cannot)
    }

    /// From the bytes of a file.
    pub fn parse(file: &[u8]) -> Result<Self> {
        let root = xml::parse(file)?;
        let data = root.child("PolyData").filter(|_| root.name == "VTKFile");
        let data = data.ok_or_else(|| root.error(file, "this is no VTK PolyData"))?;
        let encoding = Encoding::new(file, &root)?;
        let arrays = |parent: &Element<'_>, name: &str| -> Result<Vec<MeshArray>> {
            let elements = parent.child(name).map_or(&[][..], |data| &data.children);
            elements
                .iter()
                .filter(|element| element.name == "DataArray")
                .map(|array| read_array(&encoding, array))
                .collect()
        };
        let mut mesh = Self { field_arrays: arrays(data, "FieldData")?, ..Self::default() };
        let Some(piece) = data.child("Piece") else { return Ok(mesh) };
        if let Some(points) = arrays(piece, "Points")?.first() {
            mesh.points = points.values.as_chunks::<3>().0.to_vec();
        }
        for (name, cells) in [("Lines", &mut mesh.lines), ("Polys", &mut mesh.polygons)] {
            let topology = arrays(piece, name)?;
            let of = |name: &str| topology.iter().find(|array| array.name == name).map(|array| &array.values[..]);
            if let (Some(connectivity), Some(offsets)) = (of("connectivity"), of("offsets")) {
                *cells = split(connectivity, offsets, mesh.points.len())
                    .ok_or_else(|| piece.error(file, format!("its {name} refer to what is not there")))?;
            }
        }
        mesh.point_arrays = arrays(piece, "PointData")?;
        mesh.cell_arrays = arrays(piece, "CellData")?;
        Ok(mesh)
    }

    /// The array of the cells with this name.
    pub fn cell_array(&self, name: &str) -> Option<&MeshArray> {
        self.cell_arrays.iter().find(|array| array.name == name)
    }

    /// The first number of the file's own array of this name.
    pub fn field(&self, name: &str) -> Option<f64> {
        self.field_arrays.iter().find(|array| array.name == name)?.values.first().copied()
    }

    /// Writes points, lines and polygons with the arrays of these cells, in text form.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let Self { points, lines, polygons, .. } = self;
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n<PolyData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n\
             <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n",
            points.len(),
            lines.len(),
            polygons.len()
        );
        for [x, y, z] in points {
            writeln!(text, "{x:?} {y:?} {z:?}")?;
        }
        text.push_str("</DataArray>\n</Points>\n");
        for (name, cells) in [("Lines", lines), ("Polys", polygons)] {
            let numbers: Vec<String> = cells.iter().flatten().map(usize::to_string).collect();
            let ends = cells.iter().scan(0, |end, cell| {
                *end += cell.len();
                Some(end.to_string())
            });
            writeln!(
                text,
                "<{name}>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n{}\n</DataArray>\n\
                 <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n{}\n</DataArray>\n</{name}>",
                numbers.join(" "),
                ends.collect::<Vec<_>>().join(" "),
            )?;
        }
        if !self.cell_arrays.is_empty() {
            text.push_str("<CellData>\n");
            for MeshArray { name, components, values } in &self.cell_arrays {
                let numbers: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                writeln!(
                    text,
                    "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">\n{}\n</DataArray>",
                    numbers.join(" ")
                )?;
            }
            text.push_str("</CellData>\n");
        }
        text.push_str("</Piece>\n</PolyData>\n</VTKFile>\n");
        Ok(out.write_all(text.as_bytes())?)
    }
}

fn read_array(encoding: &Encoding<'_>, array: &Element<'_>) -> Result<MeshArray> {
    let components = array.attribute("NumberOfComponents").and_then(|text| text.trim().parse().ok()).unwrap_or(1);
    let name = array.attribute("Name").unwrap_or_default().to_owned();
    if !(1..=MAX_WIDTH).contains(&components) {
        return Err(array.error(encoding.file, format!("it has {components} components, must have 1 to {MAX_WIDTH}")));
    }
    Ok(MeshArray { name, components, values: encoding.numbers(array)? })
}

/// The cells between offsets; nothing if they reach beyond what there is.
fn split(connectivity: &[f64], offsets: &[f64], points: usize) -> Option<Vec<Vec<usize>>> {
    let mut start = 0;
    let cell = |&end: &f64| {
        let end = end as usize;
        let cell: Vec<usize> = connectivity.get(start..end)?.iter().map(|&point| point as usize).collect();
        start = end;
        cell.iter().all(|&point| point < points).then_some(cell)
    };
    offsets.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Mesh {
        Mesh {
            points: vec![[0.0, 0.5, 1e-9], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 2.0]],
            lines: vec![vec![0, 1], vec![2, 3]],
            polygons: vec![vec![0, 1, 2], vec![0, 1, 2, 3]],
            ..Mesh::default()
        }
    }

    #[test]
    fn reads_back_what_it_wrote() {
        for mesh in [mesh(), Mesh::default()] {
            let mut text = Vec::new();
            mesh.write(&mut text).unwrap();
            assert_eq!(Mesh::parse(&text).unwrap(), mesh);
        }
    }

    /// With as many components as a number can say there would be no end of names.
    #[test]
    fn arrays_have_few_components_and_do_not_share_their_bytes_for_ever() {
        let file = |arrays: &str, data: &str| {
            format!(
                "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"0\"><PointData>{arrays}</PointData></Piece></PolyData>\
                 <AppendedData encoding=\"raw\">_{data}"
            )
        };
        for components in ["0", "1001", "9223372036854775808"] {
            let array =
                format!("<DataArray type=\"UInt8\" Name=\"a\" NumberOfComponents=\"{components}\"></DataArray>");
            let error = Mesh::parse(file(&array, "").as_bytes()).unwrap_err().to_string();
            assert!(error.ends_with(&format!("it has {components} components, must have 1 to 1000")), "{error}");
        }
        let array = "<DataArray type=\"UInt8\" Name=\"a\" format=\"appended\" offset=\"0\"/>";
        let data = "\u{0}@\u{0}\u{0}".to_owned() + &"x".repeat(0x4000);
        assert_eq!(Mesh::parse(file(&array.repeat(3), &data).as_bytes()).unwrap().point_arrays.len(), 3);
        let error = Mesh::parse(file(&array.repeat(100), &data).as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("arrays share their numbers too many times over"), "{error}");
    }

    #[test]
    fn cells_beyond_the_points_are_errors() {
        let mut broken = mesh();
        broken.polygons[1][3] = 4;
        let mut text = Vec::new();
        broken.write(&mut text).unwrap();
        let error = Mesh::parse(&text).unwrap_err().to_string();
        assert!(error.ends_with("its Polys refer to what is not there"), "{error}");
        let cut = text.len() / 2;
        assert!(Mesh::parse(&text[..cut]).is_err());
    }
}
