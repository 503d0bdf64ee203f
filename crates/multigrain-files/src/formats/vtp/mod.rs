//! VTK PolyData in XML (`.vtp`): points with an array `radius` or `diameter`. Arrays may be text, base64 or appended, but not
//! compressed. What the format has no place for stands in arrays of the file: `dimension` (2 for the plane, where it is
//! missing 3), `box` (lower and upper corner), `periodic` (a flag for each axis) and `cell` (edges and origin of a sheared one).

mod arrays;
pub(crate) mod base64;
mod grid;
mod mesh;
mod xml;

pub use grid::read as read_grid;
pub use mesh::{Mesh, MeshArray};

use super::rows::{RADIUS_NAMES, excerpt};
use super::validate::{Field, validated};
use crate::error::{Result, hinted};
use crate::poly_data::{Owner, PolyData, Share};
use crate::progress::Progress;
use crate::system::{AXES, file_cell, file_domain};
use arrays::Encoding;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Domain, System, each_dimension};
use std::io::Write;
use xml::Element;

/// How far into a file its first element is looked for.
const HEAD: usize = 1 << 12;

/// Whether the bytes look like a VTK file in XML.
pub fn looks_like(file: &[u8]) -> bool {
    file.trim_ascii_start().starts_with(b"<")
        && memchr::memmem::find(&file[..file.len().min(HEAD)], b"<VTKFile").is_some()
}

/// Whether a VTK file holds cells and not particles.
pub fn is_grid(file: &[u8]) -> bool {
    memchr::memmem::find(&file[..file.len().min(HEAD)], grid::NAME.as_bytes()).is_some()
}

/// Reads the particles of all pieces.
pub fn read(file: &[u8], progress: &dyn Progress) -> Result<AnySystem> {
    let root = xml::parse(file)?;
    let kind = root.attribute("type").unwrap_or("");
    let Some(data) = root.child("PolyData").filter(|_| root.name == "VTKFile" && kind == "PolyData") else {
        let (what, hint) = match kind {
            "PolyData" => ("there is no <PolyData> in it".to_owned(), "the file is cut short, or not what it says"),
            "Collection" => ("this is a list of VTK files".to_owned(), "name one of the files that it lists"),
            _ => (
                format!("this is VTK of type '{}'", excerpt(kind.as_bytes())),
                "particles are points of PolyData: in ParaView take Extract Surface or Centers, and save as .vtp",
            ),
        };
        return Err(hinted(root.error(file, what).to_string(), hint));
    };
    let reader = Reader { file, encoding: Encoding::new(file, &root)?, data };
    let system = each_dimension!(reader.dimension()?, D => reader.particles::<D>()?.into());
    progress.advance(file.len() as u64);
    Ok(system)
}

/// Writes particles as points with raw appended arrays.
pub fn write<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    let count = particles.len();
    let mut file = PolyData::of_points(count, Share::whole(count));
    file.space(particles.domain.bounded());
    file.coordinates(count, |k| particles.centers[k]);
    file.array(Owner::Point, "radius", count, |k| [particles.radii[k]]);
    file.write(out)
}

/// Reads parts of one file.
struct Reader<'a> {
    file: &'a [u8],
    encoding: Encoding<'a>,
    data: &'a Element<'a>,
}

impl Reader<'_> {
    /// 2 if the file says so, else 3.
    fn dimension(&self) -> Result<usize> {
        let Some((array, values)) = self.field("dimension")? else { return Ok(3) };
        match values[..] {
            [2.0] => Ok(2),
            [3.0] => Ok(3),
            _ => Err(array.error(self.file, "it must be 2 or 3")),
        }
    }

    fn particles<const D: usize>(&self) -> Result<CheckedSystem<D>>
    where
        Axes: Dimension<D>,
    {
        let mut particles = System::<D>::with_capacity(0);
        let mut pieces = Vec::new();
        for piece in self.data.children.iter().filter(|element| element.name == "Piece") {
            let first = particles.len();
            pieces.extend(self.add_piece(piece, &mut particles)?.map(|arrays| (first, arrays)));
        }
        particles.domain = self.domain()?;
        validated(particles, |particle, field| {
            let piece = pieces.partition_point(|&(first, _)| first <= particle) - 1;
            let (first, (points, sizes)) = pieces[piece];
            let (array, component) = match field {
                Field::Axis(axis) => (points, AXES[axis]),
                Field::Radius => (sizes, "size"),
            };
            array.error(self.file, format!("{component} of point {}", particle - first)).to_string()
        })
    }

    fn domain<const D: usize>(&self) -> Result<Domain<D>> {
        if let Some((array, rows)) = self.field("cell")? {
            let (Ok([a, b, c, origin]), []) = (<[[f64; 3]; 4]>::try_from(rows.as_chunks().0), rows.as_chunks::<3>().1)
            else {
                return Err(array.error(self.file, "it must be twelve numbers, three edges and the origin"));
            };
            let periodic = self.field("periodic")?.map_or(Vec::new(), |(_, flags)| flags);
            let periodic = std::array::from_fn(|axis| periodic.get(axis) == Some(&1.0));
            return file_cell(origin, [a, b, c], periodic);
        }
        match (self.field("box")?, self.field("periodic")?) {
            (None, _) => Ok(Domain::open()),
            (Some((array, corners)), periodic) => {
                let is_periodic = |axis: usize| matches!(&periodic, Some((_, flags)) if flags.get(axis) == Some(&1.0));
                if corners.len() != 6 {
                    return Err(array.error(self.file, "it must be six numbers, the lower and the upper corner"));
                }
                let corner = |first: usize| -> [f64; D] { std::array::from_fn(|axis| corners[first + axis]) };
                file_domain(corner(0), corner(3), std::array::from_fn(is_periodic))
            }
        }
    }

    /// Adds the particles of a piece; the arrays of their centers and sizes, if there are any particles.
    fn add_piece<'e, 'a, const D: usize>(
        &self,
        piece: &'e Element<'a>,
        all: &mut System<D>,
    ) -> Result<Option<(&'e Element<'a>, &'e Element<'a>)>> {
        let count = piece.attribute("NumberOfPoints").and_then(|count| count.trim().parse::<usize>().ok());
        let count = count.ok_or_else(|| piece.error(self.file, "it does not say its NumberOfPoints"))?;
        if count == 0 {
            return Ok(None);
        }
        let points = piece.child("Points").and_then(|points| points.child("DataArray"));
        let points = points.ok_or_else(|| piece.error(self.file, "it has no <Points> with a <DataArray>"))?;
        let (sizes, scale) = self.sizes(piece)?;
        let coordinates = self.numbers(points, count, 3)?;
        let radii = self.numbers(sizes, count, 1)?;
        let (coordinates, _) = coordinates.as_chunks::<3>();
        if D == 2
            && let Some(k) = coordinates.iter().position(|point| point[2] != 0.0)
        {
            let what = format!("z of point {k} is {}, but the file says that it is in the plane", coordinates[k][2]);
            return Err(points.error(self.file, what));
        }
        all.centers.extend(coordinates.iter().map(|point| -> [f64; D] { std::array::from_fn(|axis| point[axis]) }));
        all.radii.extend(radii.iter().map(|size| size * scale));
        Ok(Some((points, sizes)))
    }

    /// The array of sizes, and what makes them radii.
    fn sizes<'e, 'a>(&self, piece: &'e Element<'a>) -> Result<(&'e Element<'a>, f64)> {
        let arrays = piece.child("PointData").map_or(&[][..], |data| &data.children);
        let named = |name: &str| {
            arrays.iter().find(|array| array.attribute("Name").is_some_and(|own| own.eq_ignore_ascii_case(name)))
        };
        RADIUS_NAMES.iter().find_map(|&(name, scale)| Some((named(name)?, scale))).ok_or_else(|| {
            let names: Vec<String> = arrays
                .iter()
                .filter_map(|array| array.attribute("Name"))
                .map(|name| excerpt(name.as_bytes()))
                .collect();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            hinted(
                piece
                    .error(self.file, format!("no array of its points is called radius or diameter; it has {has}"))
                    .to_string(),
                "particles need sizes: add a point array radius, in ParaView with the Calculator",
            )
        })
    }

    /// The numbers of an array that must have this many tuples of this many components.
    fn numbers(&self, array: &Element<'_>, tuples: usize, components: usize) -> Result<Vec<f64>> {
        let given = array.attribute("NumberOfComponents").unwrap_or("1").trim();
        if given != components.to_string() {
            let what = format!("it has {} components, must have {components}", excerpt(given.as_bytes()));
            return Err(array.error(self.file, what));
        }
        let numbers = self.encoding.numbers(array)?;
        if tuples.checked_mul(components) != Some(numbers.len()) {
            let what = format!("it has {} numbers, but {tuples} points need {components} each", numbers.len());
            return Err(array.error(self.file, what));
        }
        Ok(numbers)
    }

    /// An array of the whole file.
    fn field(&self, name: &str) -> Result<Option<(&Element<'_>, Vec<f64>)>> {
        let arrays = self.data.child("FieldData").map_or(&[][..], |data| &data.children);
        match arrays.iter().find(|array| array.attribute("Name") == Some(name)) {
            Some(array) => Ok(Some((array, self.encoding.numbers(array)?))),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AnySystem, String> {
        read(text.as_bytes(), &()).map_err(|error| format!("{error:#}"))
    }

    /// A file of two points with these attributes of the file, arrays and appendix.
    fn file(attributes: &str, points: &str, radius: &str, appendix: &str) -> String {
        format!(
            "<VTKFile type=\"PolyData\" {attributes}>\n<PolyData>\n<Piece NumberOfPoints=\"2\">\n<Points>\n<DataArray \
             {points}</DataArray>\n</Points>\n<PointData>\n<DataArray Name=\"mass\">1 1</DataArray>\n<DataArray \
             {radius}</DataArray>\n</PointData>\n</Piece>\n</PolyData>\n{appendix}</VTKFile>\n"
        )
    }

    const POINTS: &str = "type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 1 2\n3 4 5";
    const RADIUS: &str = "type=\"Float64\" Name=\"radius\" format=\"ascii\">0.5 0.25";

    fn two() -> AnySystem {
        System { centers: vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], radii: vec![0.5, 0.25], domain: Domain::open() }
            .checked()
            .unwrap()
            .into()
    }

    #[test]
    fn reads_text_base64_and_appended_arrays() {
        assert_eq!(parse(&file("", POINTS, RADIUS, "")), Ok(two()));
        let diameter = "type=\"Float64\" Name=\"Diameter\" format=\"ascii\">1 0.5";
        assert_eq!(parse(&file("", POINTS, diameter, "")), Ok(two()));
        for (header, big) in [("UInt32", false), ("UInt64", false), ("UInt32", true)] {
            let length = |bytes: usize| match (header, big) {
                ("UInt64", _) => (bytes as u64).to_le_bytes().to_vec(),
                (_, false) => (bytes as u32).to_le_bytes().to_vec(),
                _ => (bytes as u32).to_be_bytes().to_vec(),
            };
            let single = |x: f32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
            let double = |x: f64| if big { x.to_be_bytes() } else { x.to_le_bytes() };
            let points: Vec<u8> = (0..6).flat_map(|k| single(k as f32)).collect();
            let radii: Vec<u8> = [0.5, 0.25].into_iter().flat_map(double).collect();
            let attributes =
                format!("header_type=\"{header}\" byte_order=\"{}Endian\"", if big { "Big" } else { "Little" });
            let whole = |bytes: &[u8]| base64::encode(&[length(bytes.len()), bytes.to_vec()].concat());
            let apart = |bytes: &[u8]| base64::encode(&length(bytes.len())) + &base64::encode(bytes);
            for encode in [&whole as &dyn Fn(&[u8]) -> String, &apart] {
                let inline =
                    |attributes: &str, bytes: &[u8]| format!("{attributes} format=\"binary\">\n  {}\n", encode(bytes));
                let first = inline("type=\"Float32\" NumberOfComponents=\"3\"", &points);
                let second = inline("type=\"Float64\" Name=\"radius\"", &radii);
                assert_eq!(parse(&file(&attributes, &first, &second, "")), Ok(two()));
                let (first, second) = (encode(&points), encode(&radii));
                let offset = first.len();
                let appendix = format!("<AppendedData encoding=\"base64\">\n_{first}{second}\n</AppendedData>");
                let points = "type=\"Float32\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\">";
                let radius = format!("type=\"Float64\" Name=\"radius\" format=\"appended\" offset=\"{offset}\">");
                assert_eq!(parse(&file(&attributes, points, &radius, &appendix)), Ok(two()));
            }
        }
    }

    #[test]
    fn reads_back_what_it_wrote() {
        let write_and_read = |system: &AnySystem| {
            let mut bytes = Vec::new();
            each_dimension!(system, AnySystem, particles => write(&mut bytes, particles).unwrap());
            assert!(looks_like(&bytes));
            read(&bytes, &()).unwrap()
        };
        let domain = Domain::new([-1.0, 0.1], [1.5, 2.5], [true, false]).unwrap();
        let centers = vec![[0.1 + 0.2, -0.0], [1e-9, 3.0]];
        let flat: AnySystem = System { centers, radii: vec![0.7, 1e-9], domain }.checked().unwrap().into();
        let nothing: AnySystem = System::<3>::with_capacity(0).checked().unwrap().into();
        for system in [flat, two(), nothing] {
            assert_eq!(write_and_read(&system), system);
        }
        let flat = crate::system::sheared_samples::<2>().into_iter().map(|system| system.checked().unwrap().into());
        let solid = crate::system::sheared_samples::<3>().into_iter().map(|system| system.checked().unwrap().into());
        for system in flat.chain(solid) {
            assert_eq!(write_and_read(&system), system);
        }
    }

    #[test]
    fn pieces_follow_each_other() {
        let one = file("", POINTS, RADIUS, "");
        let (start, end) = (one.find("<Piece").unwrap(), one.find("</PolyData>").unwrap());
        let both = one.replacen("</PolyData>", &format!("{}</PolyData>", &one[start..end]), 1);
        let Ok(AnySystem::D3(particles)) = parse(&both) else { panic!("{:?}", parse(&both)) };
        assert_eq!(particles.radii, [0.5, 0.25, 0.5, 0.25]);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let error =
            |attributes: &str, points: &str, radius: &str| parse(&file(attributes, points, radius, "")).unwrap_err();
        assert_eq!(
            error("compressor=\"vtkZLibDataCompressor\"", POINTS, RADIUS),
            "line 1, <VTKFile>: its arrays are compressed by vtkZLibDataCompressor"
        );
        assert_eq!(
            error("", POINTS, &RADIUS.replace("radius", "size")),
            "line 3, <Piece>: no array of its points is called radius or diameter; it has mass, size"
        );
        assert_eq!(error("", &POINTS.replace("4 5", "4 x"), RADIUS), "line 6, array : 'x' is not a number");
        assert_eq!(
            error("", &POINTS.replace("4 5", "4"), RADIUS),
            "line 5, <DataArray>: it has 5 numbers, but 2 points need 3 each"
        );
        assert_eq!(
            error("", POINTS, &RADIUS.replace("0.25", "-1")),
            "line 10, <DataArray Name=\"radius\">: size of point 1: radius of particle 1 is -1, must not be negative"
        );
        assert_eq!(
            error("", &POINTS.replace("4 5", "nan 5"), RADIUS),
            "line 5, <DataArray>: y of point 1: y of particle 1 is NaN, must be finite"
        );
        assert_eq!(
            error("", &POINTS.replace("\"3\"", "\"2\""), RADIUS),
            "line 5, <DataArray>: it has 2 components, must have 3"
        );
        assert_eq!(
            error("", POINTS, "type=\"Float64\" Name=\"radius\" format=\"appended\" offset=\"0\">"),
            "line 10, <DataArray Name=\"radius\">: it is appended, but there is no <AppendedData>"
        );
        assert_eq!(
            error("", POINTS, "type=\"Float64\" Name=\"radius\" format=\"binary\">AAAA"),
            "line 10, <DataArray Name=\"radius\">: the file is cut short: its numbers are not all there"
        );
        assert_eq!(
            parse("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid/></VTKFile>").unwrap_err(),
            "line 1, <VTKFile>: this is VTK of type 'UnstructuredGrid'"
        );
        let tall = file("", POINTS, RADIUS, "").replace(
            "<PolyData>\n",
            "<PolyData>\n<FieldData><DataArray Name=\"dimension\">2</DataArray></FieldData>\n",
        );
        assert_eq!(
            parse(&tall).unwrap_err(),
            "line 6, <DataArray>: z of point 0 is 2, but the file says that it is in the plane"
        );
    }
}
