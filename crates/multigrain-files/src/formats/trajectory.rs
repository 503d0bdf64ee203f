//! Frames one after another in one file: LAMMPS dump and extended XYZ, with every column.

use super::numbers::{float_text, push_float, push_integer};
use super::text::write_rows;
use super::{Moment, SystemFormat, dump, xyz};
use crate::error::{Result, hinted};
use crate::system::AXES;
use multigrain::{AnySystem, System, each_dimension};
use std::fmt::Write as _;
use std::io::Write;

impl SystemFormat {
    /// Whether a file of this format may have several frames.
    pub fn has_frames(self) -> bool {
        matches!(self, Self::Xyz | Self::Dump)
    }

    /// Writes a moment with its ids and columns as the next frame of a file; `number` stands for its step where it has none.
    pub fn write_moment(self, out: &mut dyn Write, moment: &Moment, number: u64) -> Result<()> {
        if !self.has_frames() {
            return Err(hinted("a file of this format holds one frame", "write several to .dump, .lammpstrj or .xyz"));
        }
        each_dimension!(&moment.system, AnySystem, particles => self.write_frame(out, particles, moment, number))
    }

    fn write_frame<const D: usize>(
        self,
        out: &mut dyn Write,
        particles: &System<D>,
        moment: &Moment,
        number: u64,
    ) -> Result<()> {
        let names: Vec<String> = moment.columns.iter().map(|column| plain(&column.name)).collect();
        let step = moment.step.unwrap_or(number);
        if self == Self::Dump {
            if let Some(time) = moment.time {
                writeln!(out, "ITEM: TIME\n{}", float_text(time))?;
            }
            dump::write_head(out, particles, step)?;
            let more: String = names.iter().map(|name| format!(" {name}")).collect();
            writeln!(out, "ITEM: ATOMS id {} radius{more}", AXES[..D].join(" "))?;
        } else {
            xyz::write_head(out, particles)?;
            let mut more = String::new();
            for name in &names {
                // Writing to a string cannot fail.
                let _ = write!(more, ":{name}:R:1");
            }
            let time = moment.time.map_or(String::new(), |time| format!("Time={} ", float_text(time)));
            writeln!(out, "Step={step} {time}Properties=id:I:1:pos:R:{D}:radius:R:1{more}")?;
        }
        write_rows(out, particles.len(), 12 * (D + 2 + names.len()), |k, text| {
            match &moment.ids {
                Some(ids) => push_integer(text, ids[k]),
                None => push_integer(text, k + 1),
            }
            for value in particles.centers[k].into_iter().chain([particles.radii[k]]) {
                text.push(b' ');
                push_float(text, value);
            }
            for column in &moment.columns {
                text.push(b' ');
                push_float(text, column.values[k]);
            }
            text.push(b'\n');
        })
    }
}

/// A name that is one word in any header.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Input, read_moments};
    use multigrain::Domain;

    #[test]
    fn frames_are_read_back_with_their_columns() {
        let folder = tempfile::tempdir().unwrap();
        let domain = Domain::new([0.0; 3], [4.0, 5.0, 6.5], [true, false, true]).unwrap();
        let moment = |step: u64| Moment {
            time: Some(0.25 * step as f64),
            step: Some(step),
            system: System {
                centers: vec![[0.5, -1.25, 3e-7], [step as f64, 2.0, 3.0]],
                radii: vec![1.0, 0.1 + 0.2],
                domain,
            }
            .checked()
            .unwrap()
            .into(),
            ids: Some(vec![4, 17]),
            columns: vec![Column { name: "vx".to_owned(), values: vec![0.1, -3.0] }],
        };
        for (name, format) in [("a.dump", SystemFormat::Dump), ("a.xyz", SystemFormat::Xyz)] {
            let mut file = Vec::new();
            for step in [10, 20, 30] {
                format.write_moment(&mut file, &moment(step), 0).unwrap();
            }
            let path = folder.path().join(name);
            std::fs::write(&path, file).unwrap();
            let read = read_moments(&Input::File(path), &|_| Box::new(())).unwrap();
            assert_eq!(read, [10, 20, 30].map(moment), "{name}");
        }
        assert!(SystemFormat::Npy.write_moment(&mut Vec::new(), &moment(1), 0).is_err());
    }
}
