//! How particles of a file move, and what they are made of: columns by the names that snapshots give them.

use super::Moment;
use crate::system::AXES;

/// What stands before the name of an axis in columns of angular velocity: in dumps, and in VTK files.
const SPINS: [&str; 2] = ["omega", "angular_velocity_"];

impl Moment {
    /// The column of this name.
    fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.values[..])
    }

    /// Velocities, where the file has all components.
    pub fn velocities<const D: usize>(&self) -> Option<Vec<[f64; D]>> {
        let columns: Vec<&[f64]> =
            AXES[..D].iter().map(|axis| self.column(&format!("v{axis}"))).collect::<Option<_>>()?;
        Some((0..columns[0].len()).map(|grain| std::array::from_fn(|axis| columns[axis][grain])).collect())
    }

    /// Angular velocities, where the file has all components; in the plane the third alone.
    pub fn spins<const D: usize>(&self) -> Option<Vec<[f64; 3]>> {
        let axes = if D == 2 { 2..3 } else { 0..3 };
        let of = |start: &&str| -> Option<Vec<(usize, &[f64])>> {
            axes.clone().map(|axis| Some((axis, self.column(&format!("{start}{}", AXES[axis]))?))).collect()
        };
        let columns = SPINS.iter().find_map(of)?;
        let spin = |grain: usize| {
            let mut spin = [0.0; 3];
            columns.iter().for_each(|(axis, values)| spin[*axis] = values[grain]);
            spin
        };
        Some((0..columns[0].1.len()).map(spin).collect())
    }

    /// Contacts with walls of each particle, where the file has whole numbers of them.
    pub fn wall_contacts(&self) -> Option<Vec<u32>> {
        let number = |&value: &f64| {
            let is_count = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
            is_count.then_some(value as u32)
        };
        self.column("wall_contacts")?.iter().map(number).collect()
    }

    /// Numbers of clumps, where the file has whole ones: `clump`, below 0 for what is in none, or `mol` of dumps, which begins with 1.
    pub fn clumps(&self) -> Option<Vec<Option<u64>>> {
        let (values, first) = match self.column("clump") {
            Some(values) => (values, 0.0),
            None => (self.column("mol")?, 1.0),
        };
        let number = |&value: &f64| {
            let number = value - first;
            (number.fract() == 0.0 && number < 2f64.powi(53)).then_some((number >= 0.0).then_some(number as u64))
        };
        values.iter().map(number).collect()
    }

    /// Numbers of materials from 0, where the file has whole ones: the types of dumps, which begin with 1, or `material`.
    pub fn materials(&self) -> Option<Vec<u16>> {
        let (values, first) = match self.column("material") {
            Some(values) => (values, 0.0),
            None => (self.column("type")?, 1.0),
        };
        let number = |&value: &f64| {
            let number = value - first;
            (number.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&number)).then_some(number as u16)
        };
        values.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Frame, FrameDetails, Input, Moment, read_moments};
    use multigrain::Domain;

    fn read_back<const D: usize>(frame: &Frame<D>, name: &str) -> Moment {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut bytes = Vec::new();
        if name.ends_with("dump") { frame.write_dump(&mut bytes) } else { frame.write_vtp(&mut bytes) }.unwrap();
        std::fs::write(&path, bytes).unwrap();
        read_moments(&Input::File(path), &|_| Box::new(())).unwrap().remove(0)
    }

    fn frame<const D: usize>(spins: [[f64; 3]; 2]) -> Frame<D> {
        let third = 1.0 / 3.0;
        Frame {
            step: 40,
            time: 0.5,
            ids: vec![2, 7],
            centers: vec![[0.1; D], [third; D]],
            velocities: vec![[third; D], [-0.1; D]],
            radii: vec![0.7, 0.3],
            materials: vec![0, 1],
            domain: Domain::new([0.0; D], [2.0; D], [false; D]).unwrap(),
            outlines: None,
            details: Some(FrameDetails {
                spins: spins.to_vec(),
                forces: vec![[0.0; D]; 2],
                masses: vec![1.0; 2],
                contacts: vec![0; 2],
                wall_contacts: vec![0, 3],
                bonds: None,
                clumps: None,
                stresses: vec![[0.0; 9]; 2],
                temperatures: None,
            }),
        }
    }

    #[test]
    fn clumps_are_read_back() {
        for name in ["a.dump", "a.vtp"] {
            let mut frame = frame::<3>([[0.0; 3]; 2]);
            assert_eq!(read_back(&frame, name).clumps(), None, "{name}");
            let clumps = Some(vec![(4, [1.0, 0.0, 0.0, 0.0]), (-1, [1.0, 0.0, 0.0, 0.0])]);
            frame.details = frame.details.map(|details| FrameDetails { clumps, ..details });
            assert_eq!(read_back(&frame, name).clumps(), Some(vec![Some(4), None]), "{name}");
        }
    }

    #[test]
    fn motion_is_read_back_to_the_last_digit() {
        let (solid, flat) = ([[0.1, 1.0 / 3.0, -2e-9], [0.0; 3]], [[0.0, 0.0, 1.0 / 3.0], [0.0; 3]]);
        for name in ["a.dump", "a.vtp"] {
            let (frame, read) = (frame::<3>(solid), read_back(&frame::<3>(solid), name));
            assert_eq!(read.velocities::<3>().as_ref(), Some(&frame.velocities), "{name}");
            assert_eq!(read.spins::<3>(), Some(solid.to_vec()), "{name}");
            assert_eq!(read.materials(), Some(vec![0, 1]), "{name}");
            assert_eq!(read.wall_contacts(), Some(vec![0, 3]), "{name}");
            let read = read_back(&self::frame::<2>(flat), name);
            assert_eq!(read.spins::<2>(), Some(flat.to_vec()), "{name}");
        }
    }
}
