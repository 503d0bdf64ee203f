//! VTK PolyData being written: arrays go to an appendix as raw bytes, the head refers to them.

use crate::error::Result;
use crate::system::cell_in_space;
use multigrain::Domain;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A file of points, of lines between points, or of polygons, with arrays. Arrays are borrowed, and turned into bytes as they are written.
pub struct PolyData<'a> {
    points: usize,
    cells: Cells,
    arrays: Vec<Array<'a>>,
}

/// What the cells of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// One for each point.
    Points,
    /// Lines between one point and the next, this many.
    Lines(usize),
    /// The given number of polygons, each with points of its own.
    Polygons(usize),
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
struct Array<'a> {
    owner: Owner,
    name: &'static str,
    kind: &'static str,
    components: usize,
    tuples: usize,
    bytes: usize,
    write: Box<ArraySource<'a>>,
}

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
    /// A file without arrays: `points` points with these cells.
    pub fn new(points: usize, cells: Cells) -> Self {
        let (count, per_cell) = match cells {
            Cells::Points => (points, 1),
            Cells::Lines(count) => (count, 2),
            Cells::Polygons(count) => (count, points / count.max(1)),
        };
        let mut file = Self { points, cells, arrays: Vec::new() };
        file.array(Owner::Topology, "connectivity", count * per_cell, |k| [k as i64]);
        file.array(Owner::Topology, "offsets", count, move |k| [((k + 1) * per_cell) as i64]);
        file
    }

    /// A file of polygons that end before these points.
    pub fn of_polygons(ends: &'a [usize]) -> Self {
        let points = ends.last().copied().unwrap_or(0);
        let mut file = Self { points, cells: Cells::Polygons(ends.len()), arrays: Vec::new() };
        file.array(Owner::Topology, "connectivity", points, |k| [k as i64]);
        file.array(Owner::Topology, "offsets", ends.len(), |k| [ends[k] as i64]);
        file
    }

    /// Adds an array: `value` gives each of its `tuples`.
    pub fn array<T: Number, const N: usize>(
        &mut self,
        owner: Owner,
        name: &'static str,
        tuples: usize,
        value: impl Fn(usize) -> [T; N] + 'a,
    ) {
        let write = move |out: &mut dyn Write| {
            (0..tuples).try_for_each(|k| value(k).into_iter().try_for_each(|number| number.write(out)))
        };
        self.arrays.push(Array {
            owner,
            name,
            kind: T::KIND,
            components: N,
            tuples,
            bytes: tuples * N * size_of::<T>(),
            write: Box::new(write),
        });
    }

    /// Adds coordinates of all points; those in the plane lie at z = 0.
    pub fn coordinates<const D: usize>(&mut self, point: impl Fn(usize) -> [f64; D] + 'a) {
        self.array(Owner::Coordinates, "Points", self.points, move |k| in_space(point(k)));
    }

    /// Adds what tells how to read the points back: dimension, and where it is known the box with its periodic
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

    /// Writes the file.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let [fields, coordinates, topology, of_points, of_cells] =
            [Owner::Field, Owner::Coordinates, Owner::Topology, Owner::Point, Owner::Cell]
                .map(|owner| self.references(owner));
        let (kind, [verts, lines, polygons]) = match self.cells {
            Cells::Points => ("Verts", [self.points, 0, 0]),
            Cells::Lines(count) => ("Lines", [0, count, 0]),
            Cells::Polygons(count) => ("Polys", [0, 0, count]),
        };
        write!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <PolyData>\n<FieldData>\n{fields}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n\
             <Points>\n{coordinates}</Points>\n<{kind}>\n{topology}</{kind}>\n\
             <PointData>\n{of_points}</PointData>\n<CellData>\n{of_cells}</CellData>\n</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            self.points,
        )?;
        for array in &self.arrays {
            out.write_all(&(array.bytes as u64).to_le_bytes())?;
            (array.write)(out)?;
        }
        Ok(out.write_all(b"\n</AppendedData>\n</VTKFile>\n")?)
    }

    /// Lines that refer to the arrays of an owner.
    fn references(&self, of: Owner) -> String {
        let (mut text, mut offset) = (String::new(), 0);
        for &Array { owner, name, kind, components, tuples, bytes, .. } in &self.arrays {
            if owner == of {
                let tuples = if of == Owner::Field { format!(" NumberOfTuples=\"{tuples}\"") } else { String::new() };
                let _ = writeln!(
                    text,
                    "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"{tuples} format=\"appended\" offset=\"{offset}\"/>"
                );
            }
            offset += size_of::<u64>() + bytes;
        }
        text
    }
}

/// A vector in space; one of the plane has no third component.
pub fn in_space<const D: usize>(vector: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
