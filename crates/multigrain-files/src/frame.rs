//! One moment of a simulation in files: for ParaView as VTK PolyData, for OVITO as a LAMMPS dump.

use anyhow::Result;
use multigrain::Domain;
use std::io::Write;

/// All particles at one moment, in the order of their ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame<const D: usize> {
    /// Steps so far.
    pub step: u64,
    /// Time so far.
    pub time: f64,
    /// Permanent ids.
    pub ids: Vec<u32>,
    /// Centers.
    pub centers: Vec<[f64; D]>,
    /// Velocities of the centers.
    pub velocities: Vec<[f64; D]>,
    /// Radii.
    pub radii: Vec<f64>,
    /// Numbers of materials.
    pub materials: Vec<u16>,
    /// The box and its periodic axes; finite borders.
    pub domain: Domain<D>,
}

/// A contact as a line between two centers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLine<const D: usize> {
    /// Ids of both particles.
    pub ids: [u32; 2],
    /// Centers, that of the second one as the image that touches.
    pub ends: [[f64; D]; 2],
    /// Force on the second particle.
    pub force: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
}

impl<const D: usize> Frame<D> {
    /// The particles as VTK PolyData with raw appended arrays: points with `radius`, `id`, `material` and `velocity`.
    pub fn write_vtp(&self, out: &mut dyn Write) -> Result<()> {
        let points: Vec<f64> = self.centers.iter().flat_map(|center| in_space(*center)).collect();
        let velocities: Vec<f64> = self.velocities.iter().flat_map(|velocity| in_space(*velocity)).collect();
        let mut file = PolyData::new(self.time, self.ids.len(), Cells::Points(self.ids.len()));
        file.points(&points);
        file.array(Owner::Point, "radius", "Float64", 1, bytes_of(&self.radii, |value| value.to_le_bytes()));
        file.array(Owner::Point, "id", "UInt32", 1, bytes_of(&self.ids, |value| value.to_le_bytes()));
        file.array(Owner::Point, "material", "UInt16", 1, bytes_of(&self.materials, |value| value.to_le_bytes()));
        file.array(Owner::Point, "velocity", "Float64", 3, bytes_of(&velocities, |value| value.to_le_bytes()));
        file.write(out)
    }

    /// Contacts of this moment as VTK PolyData: a line each, with `force`, its size `force_norm`, `overlap` and the ids.
    pub fn write_contacts_vtp(&self, out: &mut dyn Write, contacts: &[ContactLine<D>]) -> Result<()> {
        let points: Vec<f64> = contacts.iter().flat_map(|line| line.ends).flat_map(in_space).collect();
        let forces: Vec<f64> = contacts.iter().flat_map(|line| in_space(line.force)).collect();
        let norms: Vec<f64> =
            contacts.iter().map(|line| line.force.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
        let overlaps: Vec<f64> = contacts.iter().map(|line| line.overlap).collect();
        let ids: Vec<u32> = contacts.iter().flat_map(|line| line.ids).collect();
        let mut file = PolyData::new(self.time, 2 * contacts.len(), Cells::Lines(contacts.len()));
        file.points(&points);
        file.array(Owner::Cell, "force", "Float64", 3, bytes_of(&forces, |value| value.to_le_bytes()));
        file.array(Owner::Cell, "force_norm", "Float64", 1, bytes_of(&norms, |value| value.to_le_bytes()));
        file.array(Owner::Cell, "overlap", "Float64", 1, bytes_of(&overlaps, |value| value.to_le_bytes()));
        file.array(Owner::Cell, "ids", "UInt32", 2, bytes_of(&ids, |value| value.to_le_bytes()));
        file.write(out)
    }

    /// The particles as one frame of a LAMMPS dump; numbers read back to the same value.
    pub fn write_dump(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}", self.step, self.ids.len())?;
        let flag = |axis: usize| if axis < D && self.domain.is_periodic(axis) { "pp" } else { "ff" };
        writeln!(out, "ITEM: BOX BOUNDS {} {} {}", flag(0), flag(1), flag(2))?;
        for axis in 0..3 {
            let [lo, hi] = if axis < D { [self.domain.lo()[axis], self.domain.hi()[axis]] } else { [0.0; 2] };
            writeln!(out, "{lo} {hi}")?;
        }
        let columns = if D == 2 { "x y radius vx vy" } else { "x y z radius vx vy vz" };
        writeln!(out, "ITEM: ATOMS id type {columns}")?;
        for (k, id) in self.ids.iter().enumerate() {
            // LAMMPS counts ids and types from 1.
            write!(out, "{} {}", u64::from(*id) + 1, u32::from(self.materials[k]) + 1)?;
            for value in self.centers[k].iter().chain([&self.radii[k]]).chain(&self.velocities[k]) {
                write!(out, " {value}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// What the cells of a file are.
#[derive(Debug, Clone, Copy)]
enum Cells {
    Points(usize),
    Lines(usize),
}

/// Whose an array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Point,
    Cell,
}

/// VTK PolyData being put together: arrays go to the appendix, the head refers to them.
struct PolyData {
    time: f64,
    points: usize,
    cells: Cells,
    coordinates: String,
    of_points: String,
    of_cells: String,
    appendix: Vec<u8>,
}

impl PolyData {
    fn new(time: f64, points: usize, cells: Cells) -> Self {
        let none = String::new;
        Self { time, points, cells, coordinates: none(), of_points: none(), of_cells: none(), appendix: Vec::new() }
    }

    fn points(&mut self, coordinates: &[f64]) {
        let bytes = bytes_of(coordinates, |value| value.to_le_bytes());
        self.coordinates = self.reference("Points", "Float64", 3, bytes);
    }

    fn array(&mut self, owner: Owner, name: &str, kind: &str, components: usize, bytes: Vec<u8>) {
        let line = self.reference(name, kind, components, bytes);
        match owner {
            Owner::Point => self.of_points += &line,
            Owner::Cell => self.of_cells += &line,
        }
    }

    /// Appends an array with its length; gives the line that refers to it.
    fn reference(&mut self, name: &str, kind: &str, components: usize, bytes: Vec<u8>) -> String {
        let offset = self.appendix.len();
        self.appendix.extend((bytes.len() as u64).to_le_bytes());
        self.appendix.extend(bytes);
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        )
    }

    fn write(mut self, out: &mut dyn Write) -> Result<()> {
        let (kind, count, points_per_cell) = match self.cells {
            Cells::Points(count) => ("Verts", count, 1),
            Cells::Lines(count) => ("Lines", count, 2),
        };
        let corners: Vec<i64> = (0..(count * points_per_cell) as i64).collect();
        let ends: Vec<i64> = (1..=count as i64).map(|k| k * points_per_cell as i64).collect();
        let connectivity = self.reference("connectivity", "Int64", 1, bytes_of(&corners, |value| value.to_le_bytes()));
        let offsets = self.reference("offsets", "Int64", 1, bytes_of(&ends, |value| value.to_le_bytes()));
        let time = self.reference("TimeValue", "Float64", 1, self.time.to_le_bytes().to_vec());
        let time = time.replace("/>", " NumberOfTuples=\"1\"/>");
        let (verts, lines) = if kind == "Verts" { (count, 0) } else { (0, count) };
        write!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <PolyData>\n<FieldData>\n{time}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
             <Points>\n{}</Points>\n<{kind}>\n{connectivity}{offsets}</{kind}>\n\
             <PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            self.points, self.coordinates, self.of_points, self.of_cells,
        )?;
        out.write_all(&self.appendix)?;
        Ok(out.write_all(b"\n</AppendedData>\n</VTKFile>\n")?)
    }
}

fn in_space<const D: usize>(vector: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}

fn bytes_of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| bytes(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, System, read};

    fn frame() -> Frame<2> {
        Frame {
            step: 40,
            time: 0.5,
            ids: vec![2, 7],
            centers: vec![[0.1, 0.2], [1.5, -3.0]],
            velocities: vec![[1.0, 0.0], [0.25, -0.5]],
            radii: vec![0.7, 0.1 + 0.2],
            materials: vec![0, 1],
            domain: Domain::new([0.0, -4.0], [2.0, 4.0], [true, false]).unwrap(),
        }
    }

    /// The array of a name, by the offset that the head gives for it.
    fn array<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
        let start = file.windows(8).position(|window| window == b"\"raw\">\n_").unwrap() + 8;
        let head = std::str::from_utf8(&file[..start]).unwrap();
        let line = head.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset: usize = line.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let block = &file[start + offset..];
        let length = u64::from_le_bytes(block[..8].try_into().unwrap()) as usize;
        &block[8..8 + length]
    }

    #[test]
    fn vtp_holds_points_with_true_radii() {
        let mut file = Vec::new();
        frame().write_vtp(&mut file).unwrap();
        let radii: Vec<f64> =
            array(&file, "radius").chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(radii, [0.7, 0.1 + 0.2]);
        assert_eq!(array(&file, "id"), [2, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!(array(&file, "Points").len(), 48);
        assert_eq!(array(&file, "Points")[24..32], 1.5f64.to_le_bytes());
        assert_eq!(array(&file, "TimeValue"), 0.5f64.to_le_bytes());
        assert!(file.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
    }

    #[test]
    fn vtp_holds_contacts_as_lines_with_forces() {
        let line = ContactLine { ids: [2, 7], ends: [[0.1, 0.2], [2.1, 0.2]], force: [3.0, 4.0], overlap: 0.01 };
        let mut file = Vec::new();
        frame().write_contacts_vtp(&mut file, &[line, line]).unwrap();
        assert_eq!(array(&file, "force_norm")[8..], 5f64.to_le_bytes());
        assert_eq!(array(&file, "connectivity").len(), 32);
        assert_eq!(array(&file, "offsets")[8..], 4i64.to_le_bytes());
        assert_eq!(array(&file, "overlap")[..8], 0.01f64.to_le_bytes());
        assert_eq!(array(&file, "ids").len(), 16);
    }

    #[test]
    fn dumps_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dump");
        let mut text = Vec::new();
        frame().write_dump(&mut text).unwrap();
        std::fs::write(&path, text).unwrap();
        let Ok(System::Flat(particles)) = read(&Input::from_flag(&path), &|_| Box::new(())) else { panic!("not read") };
        assert_eq!(particles.centers, frame().centers);
        assert_eq!(particles.radii, frame().radii);
        assert_eq!(particles.domain, Some(frame().domain));
    }
}
