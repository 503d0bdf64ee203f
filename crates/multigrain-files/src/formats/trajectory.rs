//! Frames one after another in one file: LAMMPS dump and extended XYZ, with every column.

use super::columns::has_meaning;
use super::numbers::{float_text, push_float, push_integer};
use super::text::write_rows;
use super::{Moment, SystemFormat, dump, xyz};
use crate::error::{Result, hinted};
use crate::system::AXES;
use crate::target::Target;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, System, each_dimension};
use std::fmt::Write as _;
use std::io::Write;

impl SystemFormat {
    /// Whether a file of this format may have several frames.
    pub fn has_frames(self) -> bool {
        matches!(self, Self::Xyz | Self::Dump | Self::Hdf5)
    }

    /// Writes a particle system to a target.
    pub fn save<const D: usize>(self, target: &Target, particles: &System<D>) -> Result<()>
    where
        Axes: Dimension<D>,
        AnySystem: From<CheckedSystem<D>>,
    {
        if self != Self::Hdf5 {
            return target.write(|out| self.write(out, particles));
        }
        let system = particles.clone().checked()?.into();
        let moment = Moment { time: None, step: None, system, ids: None, columns: Vec::new() };
        self.save_moments(target, |add| add(&moment)).map(|_| ())
    }

    /// Writes all moments that `give` hands on to a target, with ids and columns, as frames one after another; the number of
    /// them. A file appears under its name only when it is complete.
    pub fn save_moments(
        self,
        target: &Target,
        give: impl FnOnce(&mut dyn FnMut(&Moment) -> Result<()>) -> Result<()>,
    ) -> Result<u64> {
        let mut frames = 0;
        if self == Self::Hdf5 {
            save_hdf5(target, |write| {
                give(&mut |moment| {
                    write(moment, frames)?;
                    frames += 1;
                    Ok(())
                })
            })?;
            return Ok(frames);
        }
        target.write(|out| {
            give(&mut |moment| {
                self.write_moment(out, moment, frames)?;
                frames += 1;
                Ok(())
            })
        })?;
        Ok(frames)
    }

    /// Writes a moment with its ids and columns as the next frame of a text; `number` stands for its step where it has none.
    pub fn write_moment(self, out: &mut dyn Write, moment: &Moment, number: u64) -> Result<()> {
        if !matches!(self, Self::Xyz | Self::Dump) {
            return Err(hinted("a text of this format holds one frame", "write several to .dump, .lammpstrj or .xyz"));
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

/// Takes a moment and the number of its frame.
type Take<'a> = &'a mut dyn FnMut(&Moment, u64) -> Result<()>;

#[cfg(feature = "hdf5")]
fn save_hdf5(target: &Target, give: impl FnOnce(Take<'_>) -> Result<()>) -> Result<()> {
    target.write_by_path(|path| {
        let mut writer = super::hdf5::Writer::create(path)?;
        give(&mut |moment, number| writer.add(moment, number))?;
        writer.finish()
    })
}

#[cfg(not(feature = "hdf5"))]
fn save_hdf5(target: &Target, _: impl FnOnce(Take<'_>) -> Result<()>) -> Result<()> {
    let Target::File(path) = target else { return Err(super::hdf5::no_file()) };
    Err(super::hdf5::left_out(&format!("{} is to be an HDF5 file", path.display())))
}

/// A name that is one word in any header, and in none that of a place, a size or an id: `zs` of one format is a place in another.
pub fn plain(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if has_meaning(&name) { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Input, read_moments};
    use multigrain::Domain;

    #[test]
    fn a_column_of_one_format_is_no_place_in_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let read = |name: &str| read_moments(&Input::File(path(name)), &|_| Box::new(())).unwrap();
        std::fs::write(path("a.csv"), "x,y,r,zs,Zu,pos\n0.5,0.25,1,7,8,9\n").unwrap();
        let moment = read("a.csv").remove(0);
        for name in ["a.dump", "a.xyz"] {
            let mut text = Vec::new();
            SystemFormat::for_target(&Target::File(path(name))).unwrap().write_moment(&mut text, &moment, 0).unwrap();
            std::fs::write(path(name), text).unwrap();
            let again = read(name).remove(0);
            assert_eq!(again.system.dimension(), 2, "{name}");
            let columns = again.columns.iter().map(|column| (column.name.as_str(), column.values[0]));
            assert_eq!(columns.collect::<Vec<_>>(), [("zs_", 7.0), ("Zu_", 8.0), ("pos_", 9.0)], "{name}");
        }
    }

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
        for name in ["a.dump", "a.xyz"] {
            let target = Target::File(folder.path().join(name));
            let format = SystemFormat::for_target(&target).unwrap();
            let saved =
                format.save_moments(&target, |add| [40, 50].into_iter().try_for_each(|step| add(&moment(step))));
            assert_eq!(saved.unwrap(), 2);
            let read = read_moments(&Input::File(folder.path().join(name)), &|_| Box::new(())).unwrap();
            assert_eq!(read, [40, 50].map(moment), "{name}");
        }
        assert!(SystemFormat::Npy.write_moment(&mut Vec::new(), &moment(1), 0).is_err());
    }
}
