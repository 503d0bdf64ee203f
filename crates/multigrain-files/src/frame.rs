//! One moment of a simulation in files: for ParaView as VTK PolyData, for OVITO as a LAMMPS dump.

use crate::error::Result;
use crate::formats::dump::cell_lines;
use crate::poly_data::{Owner, PolyData, Share, in_space};
use multigrain::Domain;
use std::f64::consts::TAU;
use std::io::{Seek, Write};

/// Corners that discs among polygons are drawn with.
const CORNERS_OF_DISCS: usize = 32;

/// All particles at one moment, in the order of their ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame<const D: usize> {
    /// Steps so far.
    pub step: u64,
    /// Time so far.
    pub time: f64,
    /// Permanent ids.
    pub ids: Vec<u64>,
    /// Centers.
    pub centers: Vec<[f64; D]>,
    /// Velocities of the centers.
    pub velocities: Vec<[f64; D]>,
    /// Radii.
    pub radii: Vec<f64>,
    /// Numbers of materials.
    pub materials: Vec<u16>,
    /// Corners of each particle, in order, none of those that are round; where there are polygons.
    pub outlines: Option<Vec<Vec<[f64; D]>>>,
    /// The box and its periodic axes; finite borders.
    pub domain: Domain<D>,
    /// What else is known of the particles.
    pub details: Option<FrameDetails<D>>,
}

/// What a simulation knows of its particles beyond where they are and how they move: a value for each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameDetails<const D: usize> {
    /// Angular velocities; in the plane about the third axis.
    pub spins: Vec<[f64; 3]>,
    /// Sums of all forces.
    pub forces: Vec<[f64; D]>,
    /// Masses.
    pub masses: Vec<f64>,
    /// Numbers of contacts with other particles.
    pub contacts: Vec<u32>,
    /// Numbers of contacts with walls.
    pub wall_contacts: Vec<u32>,
    /// Numbers of bonds that hold, where there are some or were; lines of contacts then say what bonds bear.
    pub bonds: Option<Vec<u32>>,
    /// Numbers of the clumps that particles are members of, -1 for others, and how these are turned, as quaternions with the real part
    /// first; where there are clumps.
    pub clumps: Option<Vec<(i64, [f64; 4])>>,
    /// Stress tensors in space, row by row, pressure positive: what contacts and motion make of it.
    pub stresses: Vec<[f64; 9]>,
    /// Temperatures, where there are some.
    pub temperatures: Option<Vec<f64>>,
}

impl<const D: usize> FrameDetails<D> {
    /// The symmetric part of a stress tensor: xx, yy, zz, then xy, xz, yz, without those of a third axis in the plane.
    fn symmetric_stress(&self, k: usize) -> impl Iterator<Item = f64> {
        let stress = self.stresses[k];
        let mean = move |i: usize, j: usize| 0.5 * (stress[3 * i + j] + stress[3 * j + i]);
        let across = (0..D).flat_map(|i| (i + 1..D).map(move |j| (i, j)));
        (0..D).map(|i| (i, i)).chain(across).map(move |(i, j)| mean(i, j))
    }

    /// Mean of the diagonal of a stress tensor.
    pub(crate) fn pressure(&self, k: usize) -> f64 {
        (0..D).map(|axis| self.stresses[k][4 * axis]).sum::<f64>() / D as f64
    }
}

/// A contact as a line between two centers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLine<const D: usize> {
    /// Ids of both particles.
    pub ids: [u64; 2],
    /// Centers, that of the second one as the image that touches.
    pub ends: [[f64; D]; 2],
    /// Force on the second particle.
    pub force: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// The largest stress in their bond over what it bears; nothing where no bond holds.
    pub bond_load: Option<f64>,
}

impl<const D: usize> Frame<D> {
    /// The particles as VTK PolyData with raw appended arrays: points with `radius`, `id`, `material` and `velocity`, and the
    /// details where there are some. The file is read back as a system like any other.
    ///
    /// Where there are polygons, particles are cells: polygons with their corners, discs with many, and the arrays are those of
    /// cells, with the number of `corners`, 0 for discs, and the speed as `value`.
    pub fn write_vtp(&self, out: &mut dyn Write) -> Result<()> {
        let corners = self.all_corners();
        self.vtp(&corners, Share::whole(self.ids.len()), Share::whole(corners.0.len())).write(out)
    }

    /// The piece of [`write_vtp`](Self::write_vtp) that these particles are, and their corners, if there are any; whoever is first also writes
    /// what is of all.
    pub fn write_vtp_piece(
        &self,
        is_first: bool,
        particles: Share,
        corners: Share,
        out: &mut (impl Write + Seek),
    ) -> Result<()> {
        self.vtp(&self.all_corners(), particles, corners).write_piece(is_first, out)
    }

    fn vtp<'a>(
        &'a self,
        (corners, ends): &'a (Vec<[f64; D]>, Vec<usize>),
        particles: Share,
        all_corners: Share,
    ) -> PolyData<'a> {
        let count = self.ids.len();
        let mut file = match self.outlines {
            None => self.with_time(PolyData::of_points(count, particles)),
            Some(_) => self.with_time(PolyData::of_polygons(ends, all_corners, particles)),
        };
        file.space(Some(self.domain));
        let owner = match &self.outlines {
            None => {
                file.coordinates(count, |k| self.centers[k]);
                Owner::Point
            }
            Some(outlines) => {
                file.coordinates(corners.len(), |k| corners[k]);
                file.array(Owner::Cell, "corners", count, |k| [outlines[k].len() as u32]);
                file.array(Owner::Cell, "value", count, |k| [norm(self.velocities[k])]);
                Owner::Cell
            }
        };
        file.array(owner, "radius", count, |k| [self.radii[k]]);
        file.array(owner, "id", count, |k| [self.ids[k]]);
        file.array(owner, "material", count, |k| [self.materials[k]]);
        file.array(owner, "velocity", count, |k| in_space(self.velocities[k]));
        if let Some(details) = &self.details {
            file.array(owner, "angular_velocity", count, |k| details.spins[k]);
            file.array(owner, "force", count, |k| in_space(details.forces[k]));
            if let Some(temperatures) = &details.temperatures {
                file.array(owner, "temperature", count, |k| [temperatures[k]]);
            }
            file.array(owner, "mass", count, |k| [details.masses[k]]);
            file.array(owner, "contacts", count, |k| [details.contacts[k]]);
            file.array(owner, "wall_contacts", count, |k| [details.wall_contacts[k]]);
            if let Some(bonds) = &details.bonds {
                file.array(owner, "bonds", count, |k| [bonds[k]]);
            }
            file.array(owner, "pressure", count, |k| [details.pressure(k)]);
            file.array(owner, "stress", count, |k| details.stresses[k]);
            if let Some(clumps) = &details.clumps {
                file.array(owner, "clump", count, |k| [clumps[k].0]);
                file.array(owner, "orientation", count, |k| clumps[k].1);
            }
        }
        file
    }

    /// Corners that all particles are drawn with.
    pub fn corner_count(&self) -> usize {
        let of_outline = |outline: &Vec<_>| if outline.is_empty() { CORNERS_OF_DISCS } else { outline.len() };
        self.outlines.iter().flatten().map(of_outline).sum()
    }

    /// Corners of all particles one after the other, of discs many, and where those of each end; nothing where all are round.
    fn all_corners(&self) -> (Vec<[f64; D]>, Vec<usize>) {
        let (mut corners, mut ends) = (Vec::new(), Vec::new());
        for k in 0..self.outlines.as_ref().map_or(0, Vec::len) {
            corners.extend(self.corners(k).unwrap_or_default());
            ends.push(corners.len());
        }
        (corners, ends)
    }

    /// Corners of a particle as it is drawn, of a disc many; nothing where all are round.
    pub fn corners(&self, k: usize) -> Option<Vec<[f64; D]>> {
        let outline = &self.outlines.as_ref()?[k];
        if !outline.is_empty() {
            return Some(outline.clone());
        }
        let corner = |number: usize| {
            let (sin, cos) = (TAU * number as f64 / CORNERS_OF_DISCS as f64).sin_cos();
            let mut corner = self.centers[k];
            corner[0] += self.radii[k] * cos;
            corner[1] += self.radii[k] * sin;
            corner
        };
        Some((0..CORNERS_OF_DISCS).map(corner).collect())
    }

    /// Contacts of this moment as VTK PolyData: a line each, with `force`, its size `force_norm`, `overlap` and the ids; where there are bonds,
    /// or were, with `bond_load`, -1 where none holds.
    pub fn write_contacts_vtp(&self, out: &mut dyn Write, contacts: &[ContactLine<D>]) -> Result<()> {
        self.contacts_vtp(contacts, Share::whole(contacts.len())).write(out)
    }

    /// The piece of [`write_contacts_vtp`](Self::write_contacts_vtp) that these contacts are; whoever is first also writes what is of all.
    pub fn write_contacts_vtp_piece(
        &self,
        contacts: &[ContactLine<D>],
        is_first: bool,
        share: Share,
        out: &mut (impl Write + Seek),
    ) -> Result<()> {
        self.contacts_vtp(contacts, share).write_piece(is_first, out)
    }

    fn contacts_vtp<'a>(&self, contacts: &'a [ContactLine<D>], share: Share) -> PolyData<'a> {
        let count = contacts.len();
        let mut file = self.with_time(PolyData::of_lines(count, share));
        file.coordinates(2 * count, |k| contacts[k / 2].ends[k % 2]);
        file.array(Owner::Cell, "force", count, |k| in_space(contacts[k].force));
        file.array(Owner::Cell, "force_norm", count, |k| [norm(contacts[k].force)]);
        file.array(Owner::Cell, "overlap", count, |k| [contacts[k].overlap]);
        file.array(Owner::Cell, "ids", count, |k| contacts[k].ids);
        if self.details.as_ref().is_some_and(|details| details.bonds.is_some()) {
            file.array(Owner::Cell, "bond_load", count, |k| [contacts[k].bond_load.unwrap_or(-1.0)]);
        }
        file
    }

    fn with_time<'a>(&self, mut file: PolyData<'a>) -> PolyData<'a> {
        let time = self.time;
        file.array(Owner::Field, "TimeValue", 1, move |_| [time]);
        file
    }

    /// The particles as one frame of a LAMMPS dump; numbers read back to the same value.
    pub fn write_dump(&self, out: &mut dyn Write) -> Result<()> {
        self.write_dump_head(out, self.ids.len())?;
        self.write_dump_rows(out)
    }

    /// What stands above the rows of this many particles.
    pub fn write_dump_head(&self, out: &mut dyn Write, particles: usize) -> Result<()> {
        writeln!(out, "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{particles}", self.step)?;
        let flag = |axis: usize| if axis < D && self.domain.is_periodic(axis) { "pp" } else { "ff" };
        let flags = [0, 1, 2].map(flag).join(" ");
        if self.domain.is_sheared() {
            for line in cell_lines(&self.domain, &flags) {
                writeln!(out, "{line}")?;
            }
        } else {
            writeln!(out, "ITEM: BOX BOUNDS {flags}")?;
            for axis in 0..3 {
                let [lo, hi] = if axis < D { [self.domain.lo()[axis], self.domain.hi()[axis]] } else { [0.0; 2] };
                writeln!(out, "{lo} {hi}")?;
            }
        }
        let columns = if D == 2 { "x y radius vx vy" } else { "x y z radius vx vy vz" };
        let more = match (&self.details, D) {
            (None, _) => "",
            (Some(_), 2) => " omegaz fx fy mass contacts wall_contacts pressure sxx syy sxy",
            (Some(_), _) => {
                " omegax omegay omegaz fx fy fz mass contacts wall_contacts pressure sxx syy szz sxy sxz syz"
            }
        };
        let details = self.details.as_ref();
        let has_clumps = details.is_some_and(|details| details.clumps.is_some());
        let of_clumps = if has_clumps { " mol quatw quati quatj quatk" } else { "" };
        let is_warm = details.is_some_and(|details| details.temperatures.is_some());
        let warm = if is_warm { " temperature" } else { "" };
        let of_bonds = if details.is_some_and(|details| details.bonds.is_some()) { " bonds" } else { "" };
        Ok(writeln!(out, "ITEM: ATOMS id type {columns}{more}{warm}{of_bonds}{of_clumps}")?)
    }

    /// A row for each particle.
    pub fn write_dump_rows(&self, out: &mut dyn Write) -> Result<()> {
        let clumps = self.details.as_ref().and_then(|details| details.clumps.as_ref());
        for (k, id) in self.ids.iter().enumerate() {
            // LAMMPS counts ids and types from 1.
            write!(out, "{} {}", id + 1, u32::from(self.materials[k]) + 1)?;
            for value in self.centers[k].iter().chain([&self.radii[k]]).chain(&self.velocities[k]) {
                write!(out, " {value}")?;
            }
            if let Some(details) = &self.details {
                let spins = if D == 2 { &details.spins[k][2..] } else { &details.spins[k][..] };
                for value in spins.iter().chain(&details.forces[k]).chain([&details.masses[k]]) {
                    write!(out, " {value}")?;
                }
                write!(out, " {} {} {}", details.contacts[k], details.wall_contacts[k], details.pressure(k))?;
                for value in details.symmetric_stress(k) {
                    write!(out, " {value}")?;
                }
                if let Some(temperatures) = &details.temperatures {
                    write!(out, " {}", temperatures[k])?;
                }
                if let Some(bonds) = &details.bonds {
                    write!(out, " {}", bonds[k])?;
                }
            }
            if let Some(clumps) = clumps {
                // LAMMPS counts molecules from 1; 0 is none.
                write!(out, " {}", clumps[k].0 + 1)?;
                for value in clumps[k].1 {
                    write!(out, " {value}")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn norm<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, read};
    use multigrain::AnySystem;
    use std::io::Cursor;
    use std::ops::Range;

    fn frame() -> Frame<2> {
        Frame {
            step: 40,
            time: 0.5,
            ids: vec![2, 7],
            centers: vec![[0.1, 0.2], [1.5, -3.0]],
            velocities: vec![[1.0, 0.0], [0.25, -0.5]],
            radii: vec![0.7, 0.1 + 0.2],
            materials: vec![0, 1],
            outlines: None,
            domain: Domain::new([0.0, -4.0], [2.0, 4.0], [true, false]).unwrap(),
            details: Some(FrameDetails {
                spins: vec![[0.0, 0.0, 3.5], [0.0; 3]],
                forces: vec![[1.0, -2.0], [0.5, 0.25]],
                masses: vec![10.0, 0.125],
                contacts: vec![3, 0],
                wall_contacts: vec![1, 0],
                bonds: None,
                clumps: None,
                stresses: vec![[2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0], [0.0; 9]],
                temperatures: None,
            }),
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
        assert_eq!(array(&file, "id"), [2u64.to_le_bytes(), 7u64.to_le_bytes()].concat());
        assert_eq!(array(&file, "Points").len(), 48);
        assert_eq!(array(&file, "Points")[24..32], 1.5f64.to_le_bytes());
        assert_eq!(array(&file, "TimeValue"), 0.5f64.to_le_bytes());
        assert!(file.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
    }

    #[test]
    fn vtp_holds_contacts_as_lines_with_forces() {
        let line = ContactLine {
            ids: [2, 7],
            ends: [[0.1, 0.2], [2.1, 0.2]],
            force: [3.0, 4.0],
            overlap: 0.01,
            bond_load: None,
        };
        let mut file = Vec::new();
        frame().write_contacts_vtp(&mut file, &[line, line]).unwrap();
        assert_eq!(array(&file, "force_norm")[8..], 5f64.to_le_bytes());
        assert_eq!(array(&file, "connectivity").len(), 32);
        assert_eq!(array(&file, "offsets")[8..], 4i64.to_le_bytes());
        assert_eq!(array(&file, "overlap")[..8], 0.01f64.to_le_bytes());
        assert_eq!(array(&file, "ids").len(), 32);
    }

    #[test]
    fn details_are_columns_of_both_formats() {
        let mut dump = Vec::new();
        frame().write_dump(&mut dump).unwrap();
        let text = String::from_utf8(dump).unwrap();
        assert!(
            text.contains("id type x y radius vx vy omegaz fx fy mass contacts wall_contacts pressure sxx syy sxy\n"),
            "{text}"
        );
        assert!(text.contains("3 1 0.1 0.2 0.7 1 0 3.5 1 -2 10 3 1 3 2 4 0\n"), "{text}");
        let mut file = Vec::new();
        frame().write_vtp(&mut file).unwrap();
        assert_eq!(array(&file, "angular_velocity")[16..24], 3.5f64.to_le_bytes());
        assert_eq!(array(&file, "contacts"), [3, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(array(&file, "wall_contacts"), [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(array(&file, "pressure")[..8], 3f64.to_le_bytes());
        assert_eq!(array(&file, "stress").len(), 2 * 9 * 8);
        let mut plain = Vec::new();
        Frame { details: None, ..frame() }.write_dump(&mut plain).unwrap();
        assert!(String::from_utf8(plain).unwrap().contains("radius vx vy\n"));
    }

    #[test]
    fn bonds_are_columns_of_both_formats_and_of_contacts() {
        let mut frame = frame();
        frame.details = frame.details.map(|details| FrameDetails { bonds: Some(vec![2, 0]), ..details });
        let mut dump = Vec::new();
        frame.write_dump(&mut dump).unwrap();
        let text = String::from_utf8(dump).unwrap();
        assert!(text.contains("sxx syy sxy bonds\n") && text.contains(" 3 2 4 0 2\n"), "{text}");
        let mut file = Vec::new();
        frame.write_vtp(&mut file).unwrap();
        assert_eq!(array(&file, "bonds"), [2, 0, 0, 0, 0, 0, 0, 0]);
        let line =
            ContactLine { ids: [2, 7], ends: [[0.0; 2]; 2], force: [0.0; 2], overlap: 0.0, bond_load: Some(0.5) };
        let mut file = Vec::new();
        frame.write_contacts_vtp(&mut file, &[line, ContactLine { bond_load: None, ..line }]).unwrap();
        assert_eq!(array(&file, "bond_load"), [0.5f64.to_le_bytes(), (-1.0f64).to_le_bytes()].concat());
    }

    #[test]
    fn clumps_are_columns_of_both_formats() {
        let mut frame = frame();
        let clumps = Some(vec![(4, [1.0, 0.0, 0.0, 0.0]), (-1, [0.5, 0.5, -0.5, 0.5])]);
        frame.details = frame.details.map(|details| FrameDetails { clumps, ..details });
        let mut dump = Vec::new();
        frame.write_dump(&mut dump).unwrap();
        let text = String::from_utf8(dump).unwrap();
        assert!(text.contains("sxy mol quatw quati quatj quatk\n") && text.contains(" 5 1 0 0 0\n"), "{text}");
        assert!(text.ends_with(" 0 0.5 0.5 -0.5 0.5\n"), "{text}");
        let mut file = Vec::new();
        frame.write_vtp(&mut file).unwrap();
        assert_eq!(array(&file, "clump")[..8], 4i64.to_le_bytes());
        assert_eq!(array(&file, "orientation").len(), 2 * 4 * 8);
    }

    #[test]
    fn frames_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let frame = frame();
        for name in ["a.dump", "a.vtp"] {
            let path = folder.path().join(name);
            let mut bytes = Vec::new();
            if name == "a.dump" { frame.write_dump(&mut bytes) } else { frame.write_vtp(&mut bytes) }.unwrap();
            std::fs::write(&path, bytes).unwrap();
            let read = read(&Input::from_flag(&path), &|_| Box::new(()));
            let Ok(AnySystem::D2(particles)) = read else { panic!("{name}: {read:?}") };
            assert_eq!(particles.centers, frame.centers);
            assert_eq!(particles.radii, frame.radii);
            assert_eq!(particles.domain, frame.domain);
        }
    }

    #[test]
    fn polygons_and_discs_are_cells_with_their_corners() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let frame = Frame { outlines: Some(vec![square, Vec::new()]), ..frame() };
        let mut file = Vec::new();
        frame.write_vtp(&mut file).unwrap();
        let mesh = crate::Mesh::parse(&file).unwrap();
        assert_eq!(mesh.polygons.iter().map(Vec::len).collect::<Vec<_>>(), [4, CORNERS_OF_DISCS]);
        assert_eq!(mesh.cell_array("corners").unwrap().values, [4.0, 0.0]);
        assert_eq!(mesh.points[2], [1.0, 1.0, 0.0]);
        assert_eq!(mesh.cell_array("id").unwrap().values.len(), 2);
    }

    /// The frame with some of its particles.
    fn part(frame: &Frame<2>, range: Range<usize>) -> Frame<2> {
        let details = frame.details.as_ref().map(|details| FrameDetails {
            spins: details.spins[range.clone()].to_vec(),
            forces: details.forces[range.clone()].to_vec(),
            masses: details.masses[range.clone()].to_vec(),
            contacts: details.contacts[range.clone()].to_vec(),
            wall_contacts: details.wall_contacts[range.clone()].to_vec(),
            bonds: details.bonds.as_ref().map(|all| all[range.clone()].to_vec()),
            clumps: None,
            stresses: details.stresses[range.clone()].to_vec(),
            temperatures: details.temperatures.as_ref().map(|all| all[range.clone()].to_vec()),
        });
        Frame {
            ids: frame.ids[range.clone()].to_vec(),
            centers: frame.centers[range.clone()].to_vec(),
            velocities: frame.velocities[range.clone()].to_vec(),
            radii: frame.radii[range.clone()].to_vec(),
            materials: frame.materials[range.clone()].to_vec(),
            outlines: frame.outlines.as_ref().map(|all| all[range].to_vec()),
            details,
            ..*frame
        }
    }

    #[test]
    fn pieces_make_up_the_whole_file() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for outlines in [None, Some(vec![square, Vec::new()])] {
            let mut frame = Frame { outlines, ..frame() };
            frame.details = frame.details.map(|details| FrameDetails {
                temperatures: Some(vec![3.0, 4.5]),
                bonds: Some(vec![1, 1]),
                ..details
            });
            let line = ContactLine {
                ids: [2, 7],
                ends: [[0.1, 0.2], [2.1, 0.2]],
                force: [3.0, 4.0],
                overlap: 0.01,
                bond_load: None,
            };
            let lines = [line, ContactLine { overlap: 0.5, ..line }];
            let (mut whole, mut contacts, mut dump) = (Vec::new(), Vec::new(), Vec::new());
            frame.write_vtp(&mut whole).unwrap();
            frame.write_contacts_vtp(&mut contacts, &lines).unwrap();
            frame.write_dump(&mut dump).unwrap();
            let mut together = [Cursor::new(Vec::new()), Cursor::new(Vec::new())];
            let mut rows = Vec::new();
            frame.write_dump_head(&mut rows, 2).unwrap();
            let corners = frame.corner_count();
            // The last first, and one that has nothing.
            for range in [1..2, 1..1, 0..1] {
                let piece = part(&frame, range.clone());
                let (is_first, share) = (range.start == 0, Share { before: range.start, all: 2 });
                let before = part(&frame, 0..range.start).corner_count();
                piece.write_vtp_piece(is_first, share, Share { before, all: corners }, &mut together[0]).unwrap();
                piece.write_contacts_vtp_piece(&lines[range], is_first, share, &mut together[1]).unwrap();
            }
            [0..1, 1..2].into_iter().for_each(|range| part(&frame, range).write_dump_rows(&mut rows).unwrap());
            let [vtp, of_contacts] = together.map(Cursor::into_inner);
            assert!(vtp == whole && of_contacts == contacts && rows == dump);
        }
    }
}
