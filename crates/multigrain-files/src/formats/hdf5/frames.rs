//! Reading and writing by libhdf5.

use crate::error::{Context, Error, Result, fault, hinted};
use crate::formats::columns::{Column, Extras, Wanted};
use crate::formats::moments::{FrameChoice, Frames, Moment};
use crate::formats::trajectory::plain;
use crate::formats::validate::{Field, validated};
use crate::packed::max_unpacked;
use crate::system::{AXES, cell_in_space, file_cell, file_domain};
use hdf5_metno::filters::deflate_available;
use hdf5_metno::types::VarLenUnicode;
use hdf5_metno::{Dataset, File, Group, H5Type};
use multigrain::{AnySystem, Axes, Dimension, Domain, System, each_dimension};
use std::path::Path;

/// What the attribute `format` of a file says.
const FORMAT: &str = "multigrain frames 1";

/// The group of all frames.
const FRAMES: &str = "frames";

/// Arrays that are no further columns.
const KNOWN: [&str; 3] = ["position", "radius", "id"];

/// Rows that are compressed at a time.
const MAX_CHUNK: usize = 1 << 16;

/// How strongly; the most that takes little time.
const DEFLATE: u8 = 4;

impl From<hdf5_metno::Error> for Error {
    fn from(error: hdf5_metno::Error) -> Self {
        Self::new(format!("HDF5: {}", error.to_string().lines().collect::<Vec<_>>().join(" ")))
    }
}

/// A file that frames are added to.
pub struct Writer {
    file: File,
    frames: Group,
    count: usize,
}

impl Writer {
    /// A new file in this place.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path)?;
        let format: VarLenUnicode = FORMAT.parse().map_err(|_| fault!("the name of the format holds a zero"))?;
        file.new_attr::<VarLenUnicode>().create("format")?.write_scalar(&format)?;
        let frames = file.create_group(FRAMES)?;
        Ok(Self { file, frames, count: 0 })
    }

    /// Adds a frame; `number` stands for its step where it has none.
    pub fn add(&mut self, moment: &Moment, number: u64) -> Result<()> {
        let frame = self.frames.create_group(&format!("{:06}", self.count))?;
        self.count += 1;
        frame.new_attr::<u64>().create("step")?.write_scalar(&moment.step.unwrap_or(number))?;
        if let Some(time) = moment.time {
            frame.new_attr::<f64>().create("time")?.write_scalar(&time)?;
        }
        each_dimension!(&moment.system, AnySystem, particles => put_system(&frame, particles))?;
        if let Some(ids) = &moment.ids {
            put(&frame, "id", ids, None)?;
        }
        for column in &moment.columns {
            // A second column of a name, and one that is named like an array of its own, has no place.
            let name = plain(&column.name);
            if !frame.link_exists(&name) {
                put(&frame, &name, &column.values, None)?;
            }
        }
        Ok(())
    }

    /// All of it is in the file.
    pub fn finish(self) -> Result<()> {
        self.file.flush()?;
        Ok(())
    }
}

fn put_system<const D: usize>(frame: &Group, particles: &System<D>) -> Result<()> {
    put(frame, "position", particles.centers.as_flattened(), Some(D))?;
    put(frame, "radius", &particles.radii, None)?;
    let Some(domain) = particles.domain.bounded() else { return Ok(()) };
    put_attribute(frame, "box", [domain.lo(), domain.hi()].as_flattened())?;
    let periodic: [u8; D] = std::array::from_fn(|axis| u8::from(domain.is_periodic(axis)));
    put_attribute(frame, "periodic", &periodic)?;
    if domain.is_sheared() {
        let (origin, [a, b, c]) = cell_in_space(&domain, 0.0);
        put_attribute(frame, "cell", [a, b, c, origin].as_flattened())?;
    }
    Ok(())
}

/// An array with a row for each particle, of this many numbers where that is said.
fn put<T: H5Type>(frame: &Group, name: &str, values: &[T], width: Option<usize>) -> Result<()> {
    let rows = values.len() / width.unwrap_or(1);
    let shape = |rows: usize| -> Vec<usize> { [rows].into_iter().chain(width).collect() };
    let mut array = frame.new_dataset::<T>();
    if rows > 0 && deflate_available() {
        array = array.chunk(shape(rows.min(MAX_CHUNK))).shuffle().deflate(DEFLATE);
    }
    Ok(array.shape(shape(rows)).create(name)?.write_raw(values)?)
}

fn put_attribute<T: H5Type>(of: &Group, name: &str, values: &[T]) -> Result<()> {
    let attribute = of.new_attr::<T>().shape(values.len()).create(name)?;
    Ok(attribute.write_raw(values)?)
}

/// Reads frames of a file.
pub fn read(path: &Path, choice: FrameChoice, wanted: Wanted) -> Result<Frames> {
    let file = File::open(path)?;
    if !file.link_exists(FRAMES) {
        let hint = "docs/hdf5.md says how frames are kept: /frames/000000 with position, radius and further columns";
        return Err(hinted(format!("there is no group `{FRAMES}` in it"), hint));
    }
    let group = file.group(FRAMES)?;
    let mut names = group.member_names()?;
    names.sort_by_key(|name| (name.parse::<u64>().unwrap_or(u64::MAX), name.clone()));
    if names.is_empty() {
        return Err(fault!("there are no frames in it"));
    }
    // A header may ask for more numbers than there are.
    let most = max_unpacked(std::fs::metadata(path)?.len());
    let frame = |number: usize| {
        let name = &names[number];
        let read = || FrameReader { group: group.group(name)?, most }.moment(wanted);
        Ok((number, read().with_context(|| format!("frame {name}"))?))
    };
    Ok(Frames { total: names.len(), chosen: choice.among(names.len())?.map(frame).collect::<Result<_>>()? })
}

struct FrameReader {
    group: Group,
    /// Bytes that an array may have.
    most: u64,
}

impl FrameReader {
    fn moment(&self, wanted: Wanted) -> Result<Moment> {
        let positions = self.array("position")?;
        let system: AnySystem = match positions.shape()[..] {
            [_, 2] => self.system::<2>(&positions)?,
            [_, 3] => self.system::<3>(&positions)?,
            ref shape => return Err(fault!("`position` has shape {shape:?}, must be (N, 2) or (N, 3)")),
        };
        let count = system.len();
        let mut extras = Extras {
            step: self.attribute::<u64>("step")?.and_then(|values| values.first().copied()),
            time: self.attribute::<f64>("time")?.and_then(|values| values.first().copied()),
            ..Extras::default()
        };
        if self.group.link_exists("id") {
            extras.ids = Some(self.column("id", count)?);
        }
        let mut names = if wanted == Wanted::All { self.group.member_names()? } else { Vec::new() };
        names.retain(|name| !KNOWN.contains(&name.as_str()));
        for name in names {
            // Arrays of another shape, and groups, are of somebody else's making: there is nothing here that could use them.
            if self.group.dataset(&name).is_ok_and(|array| array.shape() == [count]) {
                let values = self.column::<f64>(&name, count)?;
                extras.columns.push(Column { name, values });
            }
        }
        Ok(Moment::of(system, extras))
    }

    fn system<const D: usize>(&self, positions: &Dataset) -> Result<AnySystem>
    where
        Axes: Dimension<D>,
        AnySystem: From<multigrain::CheckedSystem<D>>,
    {
        let flat: Vec<f64> = positions.read_raw()?;
        let centers = flat.as_chunks::<D>().0.to_vec();
        let radii = self.column("radius", centers.len())?;
        let particles = System { centers, radii, domain: self.domain()? };
        let checked = validated(particles, |particle, field| match field {
            Field::Axis(axis) => format!("`position`, {} of particle {particle}", AXES[axis]),
            Field::Radius => format!("`radius` of particle {particle}"),
        })?;
        Ok(checked.into())
    }

    fn domain<const D: usize>(&self) -> Result<Domain<D>> {
        let flags = self.attribute::<u8>("periodic")?.unwrap_or_default();
        let is_periodic = |axis: usize| flags.get(axis) == Some(&1);
        if let Some(rows) = self.attribute::<f64>("cell")? {
            let (Ok([a, b, c, origin]), []) = (<[[f64; 3]; 4]>::try_from(rows.as_chunks().0), rows.as_chunks::<3>().1)
            else {
                return Err(fault!("`cell` must be twelve numbers, three edges and the origin"));
            };
            return file_cell(origin, [a, b, c], std::array::from_fn(is_periodic));
        }
        let Some(corners) = self.attribute::<f64>("box")? else { return Ok(Domain::open()) };
        let (Ok([lo, hi]), []) = (<[[f64; D]; 2]>::try_from(corners.as_chunks().0), corners.as_chunks::<D>().1) else {
            return Err(fault!("`box` must be {} numbers, the lower and the upper corner", 2 * D));
        };
        file_domain(lo, hi, std::array::from_fn(is_periodic))
    }

    /// An array that is not larger than its file can hold.
    fn array(&self, name: &str) -> Result<Dataset> {
        if !self.group.link_exists(name) {
            return Err(fault!("there is no `{name}`"));
        }
        let array = self.group.dataset(name)?;
        let bytes = array.size() as u64 * 8;
        if bytes > self.most {
            return Err(fault!("`{name}` is to have {bytes} bytes, more than its file can hold"));
        }
        Ok(array)
    }

    fn column<T: H5Type>(&self, name: &str, count: usize) -> Result<Vec<T>> {
        let array = self.array(name)?;
        if array.shape() != [count] {
            return Err(fault!("`{name}` has shape {:?}, must be ({count},)", array.shape()));
        }
        array.read_raw::<T>().with_context(|| format!("`{name}`"))
    }

    /// An attribute, if there is one.
    fn attribute<T: H5Type>(&self, name: &str) -> Result<Option<Vec<T>>> {
        if !self.group.attr_names()?.iter().any(|known| known == name) {
            return Ok(None);
        }
        let attribute = self.group.attr(name)?;
        if attribute.size() > 100 {
            return Err(fault!("`{name}` has {} numbers", attribute.size()));
        }
        Ok(Some(attribute.read_raw()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::sheared_samples;
    use crate::{Input, SystemFormat, Target, read, read_frames, read_moments};
    use std::path::PathBuf;

    fn moment(step: u64) -> Moment {
        let domain = Domain::new([0.1, -1.0, 0.0], [0.4, 5.0, 6.5], [true, false, true]).unwrap();
        Moment {
            time: Some(0.1 * step as f64),
            step: Some(step),
            system: System {
                centers: (0..step).map(|k| [1.0 / 3.0, k as f64, -3e-7]).collect(),
                radii: (0..step).map(|k| 0.1 + 0.2 * k as f64).collect(),
                domain,
            }
            .checked()
            .unwrap()
            .into(),
            ids: Some((0..step as i64).map(|k| 7 * k + 4).collect()),
            columns: vec![Column { name: "vx".to_owned(), values: vec![-0.1; step as usize] }],
        }
    }

    fn saved(folder: &Path, moments: &[Moment]) -> PathBuf {
        let path = folder.join("a.h5");
        let saved =
            SystemFormat::Hdf5.save_moments(&Target::File(path.clone()), |add| moments.iter().try_for_each(add));
        assert_eq!(saved.unwrap(), moments.len() as u64);
        path
    }

    fn failed(path: &Path) -> String {
        format!("{:#}", read_moments(&Input::File(path.to_owned()), &|_| Box::new(())).unwrap_err())
    }

    #[test]
    fn frames_of_any_length_are_read_back_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let moments = [0, 1, 300, 70_000].map(moment);
        let input = Input::File(saved(folder.path(), &moments));
        assert_eq!(read_moments(&input, &|_| Box::new(())).unwrap(), moments);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        let last = read_frames(&input, FrameChoice::At(-1), &|_| Box::new(())).unwrap();
        assert_eq!((last.total, last.chosen[0].0, last.chosen[0].1.columns.len()), (4, 3, 0));
        assert_eq!(read(&input, &|_| Box::new(())).unwrap().len(), 0, "the first frame");
    }

    #[test]
    fn sheared_cells_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::File(folder.path().join("a.hdf5"));
        for particles in sheared_samples::<3>() {
            SystemFormat::Hdf5.save(&target, &particles).unwrap();
            let back = read(&Input::File(folder.path().join("a.hdf5")), &|_| Box::new(())).unwrap();
            assert_eq!(back, particles.checked().unwrap().into());
        }
        for particles in sheared_samples::<2>() {
            SystemFormat::Hdf5.save(&target, &particles).unwrap();
            let back = read(&Input::File(folder.path().join("a.hdf5")), &|_| Box::new(())).unwrap();
            assert_eq!(back, particles.checked().unwrap().into());
        }
    }

    #[test]
    fn what_is_wrong_is_reported_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = saved(folder.path(), &[moment(2)]);
        let frame = || File::open_rw(&path).unwrap().group("frames/000000").unwrap();
        frame().unlink("radius").unwrap();
        assert!(failed(&path).ends_with("a.h5: frame 000000: there is no `radius`"), "{}", failed(&path));
        frame().new_dataset::<f64>().shape(2).create("radius").unwrap().write_raw(&[1.0, -1.0]).unwrap();
        assert!(failed(&path).contains("frame 000000: `radius` of particle 1: "), "{}", failed(&path));
        frame().unlink("radius").unwrap();
        frame().new_dataset::<f64>().shape(3).create("radius").unwrap();
        assert!(failed(&path).ends_with("`radius` has shape [3], must be (2,)"), "{}", failed(&path));
        frame().unlink("position").unwrap();
        frame().new_dataset::<f64>().chunk((1, 3)).shape((1usize << 40, 3)).create("position").unwrap();
        assert!(failed(&path).ends_with("more than its file can hold"), "{}", failed(&path));
        let bytes = std::fs::read(&path).unwrap();
        for length in [8, 100, bytes.len() / 2] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(failed(&path).contains("a.h5: HDF5: "), "{}", failed(&path));
        }
        File::create(&path).unwrap();
        assert!(failed(&path).ends_with("there is no group `frames` in it"), "{}", failed(&path));
    }
}
