//! VTK PolyData being written: arrays go to an appendix as raw bytes, the head refers to them.

use crate::error::Result;
use crate::system::cell_in_space;
use multigrain::Domain;
use std::fmt::Write as _;
use std::io::{self, Seek, SeekFrom, Write};

/// A file of points, of lines between points, or of polygons, with arrays; or the piece of it that one of several writes. Arrays are borrowed,
/// and turned into bytes as they are written.
pub struct PolyData<'a> {
    points: Share,
    cells: Share,
    kind: Cells,
    arrays: Vec<DataArray<'a>>,
}

/// A piece of a list that several have: how many items stand before it, and how many there are in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Items of the pieces before it.
    pub before: usize,
    /// Items of all pieces.
    pub all: usize,
}

impl Share {
    /// All of it.
    pub fn whole(all: usize) -> Self {
        Self { before: 0, all }
    }
}

/// What the cells of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cells {
    /// One for each point.
    Points,
    /// Lines between one point and the next.
    Lines,
    /// Polygons, each with points of its own.
    Polygons,
}

/// Whose an array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Coordinates of the points.
    Coordinates,
    /// An array with values for each point.
    Point,
    /// An array with values for each cell.
    Cell,
    /// An array of the whole file.
    Field,
    /// What connects points to cells.
    Topology,
}

/// An array: how it is called, and where its bytes come from.
struct DataArray<'a> {
    owner: Owner,
    name: &'static str,
    kind: &'static str,
    components: usize,
    share: Share,
    /// Of a tuple.
    bytes: usize,
    write: Box<ArraySource<'a>>,
}

impl DataArray<'_> {
    /// Bytes of all pieces.
    fn length(&self) -> usize {
        self.share.all * self.bytes
    }
}

/// What stands behind all arrays.
const TAIL: &[u8] = b"\n</AppendedData>\n</VTKFile>\n";

/// Hands the bytes of an array on.
type ArraySource<'a> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'a;

/// A number of VTK.
pub trait Number: Copy {
    /// What VTK calls it.
    const KIND: &'static str;

    /// Hands its bytes to `out`, the lowest first.
    fn write(self, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! number {
    ($($type:ty: $kind:literal),*) => {$(
        impl Number for $type {
            const KIND: &'static str = $kind;

            fn write(self, out: &mut dyn Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }
        }
    )*};
}

number! { f64: "Float64", u8: "UInt8", u16: "UInt16", u32: "UInt32", u64: "UInt64", i32: "Int32", i64: "Int64" }

impl<'a> PolyData<'a> {
    /// Points that are cells by themselves, without arrays: `own` of them are in this piece.
    pub fn of_points(own: usize, points: Share) -> Self {
        let mut file = Self { points, cells: points, kind: Cells::Points, arrays: Vec::new() };
        file.topology("connectivity", own, points, move |k| points.before + k);
        file.topology("offsets", own, points, move |k| points.before + k + 1);
        file
    }

    /// Lines between one point and the next: `own` of them are in this piece.
    pub fn of_lines(own: usize, lines: Share) -> Self {
        let points = Share { before: 2 * lines.before, all: 2 * lines.all };
        let mut file = Self { points, cells: lines, kind: Cells::Lines, arrays: Vec::new() };
        file.topology("connectivity", 2 * own, points, move |k| points.before + k);
        file.topology("offsets", own, lines, move |k| 2 * (lines.before + k + 1));
        file
    }

    /// Polygons of this piece that end before these of its points.
    pub fn of_polygons(ends: &'a [usize], points: Share, polygons: Share) -> Self {
        let own = ends.last().copied().unwrap_or(0);
        let mut file = Self { points, cells: polygons, kind: Cells::Polygons, arrays: Vec::new() };
        file.topology("connectivity", own, points, move |k| points.before + k);
        file.topology("offsets", ends.len(), polygons, move |k| points.before + ends[k]);
        file
    }

    fn topology(&mut self, name: &'static str, own: usize, share: Share, value: impl Fn(usize) -> usize + 'a) {
        self.add(Owner::Topology, name, own, share, move |k| [value(k) as i64]);
    }

    /// Adds an array: `value` gives each of its `own` tuples, those that are in this piece.
    pub fn array<T: Number, const N: usize>(
        &mut self,
        owner: Owner,
        name: &'static str,
        own: usize,
        value: impl Fn(usize) -> [T; N] + 'a,
    ) {
        let share = match owner {
            Owner::Coordinates | Owner::Point => self.points,
            Owner::Cell => self.cells,
            Owner::Field | Owner::Topology => Share::whole(own),
        };
        self.add(owner, name, own, share, value);
    }

    fn add<T: Number, const N: usize>(
        &mut self,
        owner: Owner,
        name: &'static str,
        own: usize,
        share: Share,
        value: impl Fn(usize) -> [T; N] + 'a,
    ) {
        let write = move |out: &mut dyn Write| {
            (0..own).try_for_each(|k| value(k).into_iter().try_for_each(|number| number.write(out)))
        };
        let bytes = N * size_of::<T>();
        self.arrays.push(DataArray { owner, name, kind: T::KIND, components: N, share, bytes, write: Box::new(write) });
    }

    /// Adds coordinates of the `own` points of this piece; those in the plane lie at z = 0.
    pub fn coordinates<const D: usize>(&mut self, own: usize, point: impl Fn(usize) -> [f64; D] + 'a) {
        self.array(Owner::Coordinates, "Points", own, move |k| in_space(point(k)));
    }

    /// Adds what says how to read the points back: dimension, and where it is known the box with its periodic
    /// axes, and the edges and origin of a sheared cell.
    pub fn space<const D: usize>(&mut self, domain: Option<Domain<D>>) {
        self.array(Owner::Field, "dimension", 1, |_| [D as i32]);
        if let Some(domain) = domain {
            let corners = [domain.lo(), domain.hi()];
            self.array(Owner::Field, "box", 2, move |k| in_space(corners[k]));
            self.array(Owner::Field, "periodic", 1, move |_| -> [u8; 3] {
                std::array::from_fn(|axis| u8::from(axis < D && domain.is_periodic(axis)))
            });
            if domain.is_sheared() {
                let (origin, [a, b, c]) = cell_in_space(&domain, 0.0);
                let rows = [a, b, c, origin];
                self.array(Owner::Field, "cell", 4, move |k| rows[k]);
            }
        }
    }

    /// Writes the file, of which this is all.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        out.write_all(self.head().as_bytes())?;
        for array in &self.arrays {
            out.write_all(&(array.length() as u64).to_le_bytes())?;
            (array.write)(out)?;
        }
        Ok(out.write_all(TAIL)?)
    }

    /// Writes this piece where it belongs in the file; whoever is first writes what is of all pieces, too.
    pub fn write_piece(&self, is_first: bool, out: &mut (impl Write + Seek)) -> Result<()> {
        let head = self.head();
        if is_first {
            out.seek(SeekFrom::Start(0))?;
            out.write_all(head.as_bytes())?;
        }
        let mut at = head.len() as u64;
        for array in &self.arrays {
            if is_first {
                out.seek(SeekFrom::Start(at))?;
                out.write_all(&(array.length() as u64).to_le_bytes())?;
            }
            at += size_of::<u64>() as u64;
            if is_first || array.owner != Owner::Field {
                out.seek(SeekFrom::Start(at + (array.share.before * array.bytes) as u64))?;
                (array.write)(out)?;
            }
            at += array.length() as u64;
        }
        if is_first {
            out.seek(SeekFrom::Start(at))?;
            out.write_all(TAIL)?;
        }
        Ok(())
    }

    fn head(&self) -> String {
        let [fields, coordinates, topology, of_points, of_cells] =
            [Owner::Field, Owner::Coordinates, Owner::Topology, Owner::Point, Owner::Cell]
                .map(|owner| self.references(owner));
        let cells = self.cells.all;
        let (kind, [verts, lines, polygons]) = match self.kind {
            Cells::Points => ("Verts", [cells, 0, 0]),
            Cells::Lines => ("Lines", [0, cells, 0]),
            Cells::Polygons => ("Polys", [0, 0, cells]),
        };
        format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <PolyData>\n<FieldData>\n{fields}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n\
             <Points>\n{coordinates}</Points>\n<{kind}>\n{topology}</{kind}>\n\
             <PointData>\n{of_points}</PointData>\n<CellData>\n{of_cells}</CellData>\n</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            self.points.all,
        )
    }

    /// Lines that refer to the arrays of an owner.
    fn references(&self, of: Owner) -> String {
        let (mut text, mut offset) = (String::new(), 0);
        for array in &self.arrays {
            let &DataArray { owner, name, kind, components, share, .. } = array;
            if owner == of {
                let tuples =
                    if of == Owner::Field { format!(" NumberOfTuples=\"{}\"", share.all) } else { String::new() };
                let _ = writeln!(
                    text,
                    "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"{tuples} format=\"appended\" offset=\"{offset}\"/>"
                );
            }
            offset += size_of::<u64>() + array.length();
        }
        text
    }
}

/// A vector in space; one of the plane has no third component.
pub fn in_space<const D: usize>(vector: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
