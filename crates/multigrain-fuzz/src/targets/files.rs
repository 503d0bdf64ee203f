//! Readers of files. What they take can be written in every format, and read back the same.

use super::Outcome;
use multigrain::{AnySystem, System, each_dimension};
use multigrain_files::{
    ContactList, Mesh, Moment, SystemFormat, read_bytes, read_moments_of_bytes, read_weights, surface_of_bytes,
};

/// Formats to write what was read, with the extension that reads it back.
const FORMATS: [(SystemFormat, &str); 5] = [
    (SystemFormat::Csv, "csv"),
    (SystemFormat::Npy, "npy"),
    (SystemFormat::Xyz, "xyz"),
    (SystemFormat::Dump, "dump"),
    (SystemFormat::Vtp, "vtp"),
];

/// More particles than these are not written again: it takes longer than reading, and shows no more.
const MAX_WRITTEN: usize = 64;

/// One input in so many is written in every format, others in one: that takes most of the time.
const EVERY_FORMAT_ONE_IN: u64 = 8;

/// The formats that what was read from a file is written in.
fn formats_for(file: &[u8]) -> impl Iterator<Item = (SystemFormat, &'static str)> {
    let choice = crate::bytes::hash(file) >> 8;
    let (all, one) =
        (choice.is_multiple_of(EVERY_FORMAT_ONE_IN), (choice / EVERY_FORMAT_ONE_IN) as usize % FORMATS.len());
    FORMATS.into_iter().enumerate().filter(move |(number, _)| all || *number == one).map(|(_, format)| format)
}

pub fn csv(file: &[u8]) -> Outcome {
    let weights = read_weights(file);
    let outcome = read("csv", file);
    match (outcome.is_accepted, weights) {
        (false, Ok(weights)) => Outcome::accepted(weights.len()),
        _ => outcome,
    }
}

pub fn npy(file: &[u8]) -> Outcome {
    read("npy", file)
}

pub fn xyz(file: &[u8]) -> Outcome {
    read("xyz", file)
}

pub fn dump(file: &[u8]) -> Outcome {
    read("dump", file)
}

pub fn vtp(file: &[u8]) -> Outcome {
    let mesh = Mesh::parse(file);
    let outcome = read("vtp", file);
    match (outcome.is_accepted, mesh) {
        (false, Ok(mesh)) => Outcome::accepted(mesh.points.len() + mesh.lines.len() + mesh.polygons.len()),
        _ => outcome,
    }
}

pub fn stl(file: &[u8]) -> Outcome {
    read("stl", file)
}

/// Surfaces of walls: the first byte chooses the extension and the dimension.
pub fn surface(input: &[u8]) -> Outcome {
    fn read<const D: usize>(file: &[u8], extension: &str) -> Outcome
    where
        multigrain::Axes: multigrain::Dimension<D>,
    {
        match surface_of_bytes::<D>(file, extension) {
            Ok((surface, notes)) => {
                let count = surface.vertices().len();
                assert!(
                    surface.faces().iter().flatten().all(|&corner| (corner as usize) < count),
                    "corners that are not there"
                );
                assert!(surface.vertices().as_flattened().iter().all(|x| x.is_finite()), "vertices without end");
                assert!(surface.areas().iter().all(|&area| area > 0.0 && area.is_finite()), "faces without area");
                assert_eq!(surface.areas().len(), surface.faces().len());
                let outcome = Outcome::accepted(surface.faces().len());
                Outcome { behaviour: outcome.behaviour + 64 * notes.len() as u64, ..outcome }
            }
            Err(error) => Outcome::refused(&format!("{error:#}")),
        }
    }
    let Some((choice, file)) = input.split_first() else { return Outcome::default() };
    match choice % 4 {
        0 => read::<2>(file, "obj"),
        1 => read::<3>(file, "obj"),
        2 => read::<3>(file, "stl"),
        _ => read::<2>(file, ""),
    }
}

pub fn vtu(file: &[u8]) -> Outcome {
    read("vtu", file)
}

pub fn contacts(file: &[u8]) -> Outcome {
    match ContactList::parse(file) {
        Ok(list) => {
            let list = list.unwrap_or(ContactList { count: 0, columns: Vec::new() });
            for column in &list.columns {
                assert_eq!(column.values.len(), list.count * column.components, "column {}", column.name);
            }
            Outcome::accepted(list.count)
        }
        Err(error) => Outcome::refused(&format!("{error:#}")),
    }
}

/// The first byte chooses the format, the others are a file, compressed or not.
pub fn packed(input: &[u8]) -> Outcome {
    let Some((choice, file)) = input.split_first() else { return Outcome::default() };
    let (_, extension) = FORMATS[usize::from(*choice) % FORMATS.len()];
    match read_moments_of_bytes(extension, file.to_vec()) {
        Ok(moments) => Outcome::accepted(moments.len()),
        Err(error) => Outcome::refused(&format!("{error:#}")),
    }
}

fn read(extension: &str, file: &[u8]) -> Outcome {
    let moments = read_moments_of_bytes(extension, file.to_vec());
    let system = match &moments {
        // One frame is the file.
        Ok(moments) if moments.len() == 1 => moments[0].system.clone(),
        _ => match read_bytes(extension, file.to_vec()) {
            Ok(system) => system,
            Err(error) => return Outcome::refused(&format!("{error:#}")),
        },
    };
    each_dimension!(&system, AnySystem, particles => write_back(file, particles));
    let moments = moments.unwrap_or_default();
    for moment in moments.iter().take(2) {
        check(file, moment);
    }
    let columns: usize = moments.iter().map(|moment| moment.columns.len()).sum();
    let mut outcome = Outcome::accepted(system.len());
    outcome.behaviour += 64 * (columns as u64).min(64) + 4096 * (moments.len() as u64).min(8);
    outcome
}

/// Columns are as long as there are particles, and frames are read back.
fn check(file: &[u8], moment: &Moment) {
    let count = moment.system.len();
    assert!(moment.ids.as_ref().is_none_or(|ids| ids.len() == count));
    assert!(moment.columns.iter().all(|column| column.values.len() == count));
    if count > MAX_WRITTEN || moment.columns.len() > MAX_WRITTEN {
        return;
    }
    for (format, extension) in formats_for(file).filter(|(format, _)| format.has_frames()) {
        let mut bytes = Vec::new();
        format.write_moment(&mut bytes, moment, 0).expect("memory takes all bytes");
        let read = read_bytes(extension, bytes.clone());
        // Ids that are there twice are refused when they are read, and rightly so.
        if let (Ok(read), None) = (&read, &moment.ids) {
            same(&moment.system, read, extension);
        }
    }
}

fn write_back<const D: usize>(file: &[u8], particles: &System<D>)
where
    multigrain::Axes: multigrain::Dimension<D>,
{
    if particles.len() > MAX_WRITTEN {
        return;
    }
    let whole: AnySystem = particles.clone().checked().expect("it was read").into();
    for (format, extension) in formats_for(file) {
        let mut bytes = Vec::new();
        format.write(&mut bytes, particles).expect("memory takes all bytes");
        match read_bytes(extension, bytes.clone()) {
            Ok(read) => same(&whole, &read, extension),
            Err(error) => {
                panic!("written as {extension} it cannot be read: {error:#}\n{}", String::from_utf8_lossy(&bytes))
            }
        }
    }
}

fn same(one: &AnySystem, other: &AnySystem, extension: &str) {
    let values = |system: &AnySystem| -> (usize, Vec<u64>) {
        each_dimension!(system, AnySystem, particles => {
            let numbers = particles.centers.as_flattened().iter().chain(&particles.radii);
            (system.dimension(), numbers.map(|x| x.to_bits()).collect())
        })
    };
    assert!(values(one) == values(other), "written as {extension} it is read as something else: {one:?} {other:?}");
}
