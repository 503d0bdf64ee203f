//! All frames of a file, with every column of numbers.

use super::columns::{self, Column, Extras, Wanted};
use super::vtp::Mesh;
use super::{Input, Watch, hdf5, load, parse, vtp, xyz};
use crate::error::{Context, Result, hinted};
use crate::packed::{extension, read_file, unpacked};
use crate::progress::Progress;
use memchr::{memchr, memmem};
use multigrain::AnySystem;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Particles at one moment, with all that their file says of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Time, where the file says so.
    pub time: Option<f64>,
    /// Steps so far, where the file says so.
    pub step: Option<u64>,
    /// The particles.
    pub system: AnySystem,
    /// Their permanent ids, where the file has some.
    pub ids: Option<Vec<i64>>,
    /// Further numbers.
    pub columns: Vec<Column>,
}

/// Which frames of a file are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameChoice {
    /// That of this number, counted from 0; negative ones count from the end, which has -1.
    At(i64),
    /// All of them.
    All,
}

/// The frames of a file that were wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Frames {
    /// How many the file has.
    pub total: usize,
    /// Those that were wanted, with their numbers.
    pub chosen: Vec<(usize, Moment)>,
}

/// Reads every frame of a file: dumps, extended XYZ and HDF5 may have many, others have one. `watch` gets the length of each and
/// gives what follows the reading. Every error names the file.
pub fn read_moments(input: &Input, watch: &dyn Fn(u64) -> Box<dyn Progress>) -> Result<Vec<Moment>> {
    let frames = load_frames(input, FrameChoice::All, Wanted::All, watch);
    let frames = frames.with_context(|| format!("cannot read {input}"))?;
    Ok(frames.chosen.into_iter().map(|(_, moment)| moment).collect())
}

/// Reads some frames of a file, with ids but without further columns. `watch` gets the length of each and gives what follows the
/// reading. Every error names the file.
pub fn read_frames(input: &Input, choice: FrameChoice, watch: &dyn Fn(u64) -> Box<dyn Progress>) -> Result<Frames> {
    load_frames(input, choice, Wanted::Ids, watch).with_context(|| format!("cannot read {input}"))
}

/// As [`read_frames`], with every column of numbers.
pub fn read_full_frames(
    input: &Input,
    choice: FrameChoice,
    watch: &dyn Fn(u64) -> Box<dyn Progress>,
) -> Result<Frames> {
    load_frames(input, choice, Wanted::All, watch).with_context(|| format!("cannot read {input}"))
}

fn load_frames(input: &Input, choice: FrameChoice, wanted: Wanted, watch: Watch<'_>) -> Result<Frames> {
    let (bytes, extension) = match input {
        Input::File(path) if starts_with(path, hdf5::MAGIC)? => return hdf5::read(path, choice, wanted),
        // Arrays of numpy are read as they stream in; they have one frame and no further columns.
        Input::File(path) if starts_with(path, super::npy::MAGIC)? => {
            choice.among(1)?;
            return Ok(Frames { total: 1, chosen: vec![(0, Moment::of(load(input, watch)?, Extras::default()))] });
        }
        Input::File(path) => (read_file(path)?, extension(path)),
        Input::Stdin => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes)?;
            (unpacked(bytes)?, String::new())
        }
    };
    frames_of(bytes, &extension, choice, wanted, watch)
}

/// Every frame of the bytes of a file with this extension, with every column of numbers.
#[doc(hidden)]
pub fn read_moments_of_bytes(extension: &str, bytes: Vec<u8>) -> Result<Vec<Moment>> {
    let frames = frames_of(unpacked(bytes)?, extension, FrameChoice::All, Wanted::All, &|_| Box::new(()))?;
    Ok(frames.chosen.into_iter().map(|(_, moment)| moment).collect())
}

fn frames_of(bytes: Vec<u8>, extension: &str, choice: FrameChoice, wanted: Wanted, watch: Watch<'_>) -> Result<Frames> {
    let frames = frames(&bytes, extension);
    let total = frames.len();
    let numbers = choice.among(total)?;
    if total == 1 {
        let extras = extras(&bytes, extension, wanted);
        return Ok(Frames { total, chosen: vec![(0, Moment::of(parse(bytes, extension, watch)?, extras))] });
    }
    let read = |number: usize| {
        let frame = bytes[frames[number].clone()].to_vec();
        let extras = extras(&frame, extension, wanted);
        let system = parse(frame, extension, watch).with_context(|| format!("frame {number}"))?;
        Ok((number, Moment::of(system, extras)))
    };
    Ok(Frames { total, chosen: numbers.map(read).collect::<Result<_>>()? })
}

impl FrameChoice {
    /// The numbers that are chosen among this many frames.
    pub(super) fn among(self, total: usize) -> Result<Range<usize>> {
        match self {
            Self::All => Ok(0..total),
            Self::At(number) => {
                let at = if number < 0 { number + total as i64 } else { number };
                if !(0..total as i64).contains(&at) {
                    let frames = if total == 1 { "1 frame".to_owned() } else { format!("{total} frames") };
                    return Err(hinted(
                        format!("there is no frame {number}: the file has {frames}"),
                        format!("frames are counted from 0, so the last is {} or last", total - 1),
                    ));
                }
                Ok(at as usize..at as usize + 1)
            }
        }
    }
}

/// Whether these are the first bytes of a plain file. Of a pipe bytes can be had once only, so it is not looked at.
pub fn starts_with(path: &Path, magic: &[u8]) -> Result<bool> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(path)?.take(magic.len() as u64).read_to_end(&mut start)?;
    Ok(start == magic)
}

/// Where the frames of a file are. What is no frame is left to the reader, which says what is wrong with it.
fn frames(file: &[u8], extension: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    if file.starts_with(b"ITEM:") {
        let mut has_atoms = false;
        for at in memmem::find_iter(file, b"ITEM: ").filter(|&at| at == 0 || file[at - 1] == b'\n') {
            if has_atoms {
                starts.push(at);
            }
            has_atoms = file[at..].starts_with(b"ITEM: ATOMS");
        }
    } else if !vtp::looks_like(file) && (matches!(extension, "xyz" | "extxyz") || xyz::looks_like(file)) {
        while let Some(next) = after_xyz_frame(file, *starts.last().unwrap_or(&0)) {
            starts.push(next);
        }
    }
    let ends = starts[1..].iter().copied().chain([file.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Where the frame behind the one at `start` begins, if there is one: its number of particles stands there.
fn after_xyz_frame(file: &[u8], start: usize) -> Option<usize> {
    let line = |at: usize| memchr(b'\n', &file[at..]).map(|k| at + k + 1);
    let count_at = |at: usize| -> Option<usize> {
        let end = line(at).unwrap_or(file.len());
        std::str::from_utf8(&file[at..end]).ok()?.trim().parse().ok()
    };
    let mut at = start;
    for _ in 0..count_at(start)?.checked_add(2)? {
        at = line(at)?;
    }
    count_at(at).map(|_| at)
}

fn extras(frame: &[u8], extension: &str, wanted: Wanted) -> Extras {
    if matches!(extension, "stl" | "vtu") {
        Extras::default()
    } else if frame.starts_with(b"ITEM:") {
        columns::of_dump(frame, wanted)
    } else if vtp::looks_like(frame) {
        Mesh::parse(frame).map(|mesh| columns::of_vtp(&mesh)).unwrap_or_default()
    } else if matches!(extension, "xyz" | "extxyz") || xyz::looks_like(frame) {
        columns::of_xyz(frame, wanted)
    } else {
        columns::of_csv(frame, wanted)
    }
}

impl Moment {
    pub(super) fn of(system: AnySystem, extras: Extras) -> Self {
        let count = system.len();
        let Extras { time, step, ids, columns } = extras;
        Self {
            time,
            step,
            ids: ids.filter(|ids| ids.len() == count),
            columns: columns.into_iter().filter(|column| column.values.len() == count).collect(),
            system,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(name: &str, content: &str) -> Result<Vec<Moment>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        read_moments(&Input::File(path), &|_| Box::new(()))
            .map_err(|error| format!("{error:#}").split_once(": ").unwrap().1.to_owned())
    }

    fn dump(step: u32, count: u32) -> String {
        let atoms: String = (1..=count).map(|id| format!("{id} {id} 0 1\n")).collect();
        format!("ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{count}\nITEM: ATOMS id x y radius\n{atoms}")
    }

    #[test]
    fn every_frame_of_a_dump_is_there() {
        let text = ["ITEM: UNITS\nsi\nITEM: TIME\n0.5\n".to_owned() + &dump(10, 2), dump(20, 0), dump(30, 3)].concat();
        let moments = moments("a.dump", &text).unwrap();
        assert_eq!(moments.iter().map(|moment| moment.step).collect::<Vec<_>>(), [Some(10), Some(20), Some(30)]);
        assert_eq!((moments[0].time, moments[1].time), (Some(0.5), None));
        assert_eq!(moments[2].ids.as_deref(), Some(&[1, 2, 3][..]));
    }

    #[test]
    fn every_frame_of_extended_xyz_is_there() {
        let one = "1\nProperties=pos:R:3:radius:R:1:heat:R:1 time=2.5\n0 0 0 1 7\n";
        let found = moments("a.xyz", &one.repeat(3)).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!((found[2].time, &found[2].columns[0].values), (Some(2.5), &vec![7.0]));
        let broken = moments("a.xyz", &(one.repeat(2) + "1\nProperties=pos:R:3\n0 0 0\n")).unwrap_err();
        assert_eq!(broken, "frame 2: line 2: there is no column radius or diameter");
    }

    #[test]
    fn frames_are_chosen_by_number_from_either_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dump.gz");
        let text = [dump(10, 2), dump(20, 1), dump(30, 3)].concat();
        crate::Target::File(path.clone()).write(|out| Ok(out.write_all(text.as_bytes())?)).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x1f\x8b"));
        let read = |choice| read_frames(&Input::File(path.clone()), choice, &|_| Box::new(()));
        let steps = |choice| -> Vec<(usize, Option<u64>)> {
            let frames = read(choice).unwrap();
            assert_eq!(frames.total, 3);
            frames.chosen.iter().map(|(number, moment)| (*number, moment.step)).collect()
        };
        assert_eq!(steps(FrameChoice::At(1)), [(1, Some(20))]);
        assert_eq!(steps(FrameChoice::At(-1)), [(2, Some(30))]);
        assert_eq!(steps(FrameChoice::All), [(0, Some(10)), (1, Some(20)), (2, Some(30))]);
        for number in [3, -4] {
            let error = format!("{:#}", read(FrameChoice::At(number)).unwrap_err());
            assert!(error.ends_with(&format!("there is no frame {number}: the file has 3 frames")), "{error}");
        }
    }

    #[test]
    fn damaged_files_never_panic() {
        let mut vtp = Vec::new();
        let polygons = vec![vec![0, 1, 2]];
        let mesh = Mesh { points: vec![[0.0, 1.0, 2.0]; 3], lines: vec![vec![0, 1]], polygons, ..Mesh::default() };
        mesh.write(&mut vtp).unwrap();
        let xyz = "1\nProperties=species:S:1:pos:R:3:radius:R:1:vel:R:3 Time=2\nX 0 0 0 1 1 2 3\n".repeat(2);
        let csv = "x,y,r,heat,name\n1,2,3,4,a\n5,6,7,8,b\n";
        for (ending, file) in [("dump", dump(1, 2).into()), ("xyz", xyz.into()), ("csv", csv.into()), ("vtp", vtp)] {
            let mut read = 0;
            let mut look = |damaged: &[u8]| {
                for range in frames(damaged, ending) {
                    let extras = extras(&damaged[range], ending, Wanted::All);
                    assert!(extras.columns.len() < 100);
                    read += 1;
                }
            };
            for at in 0..file.len() {
                for byte in [0, b' ', b'\n', b',', b'-', b'9', b':', b'"', 0xff] {
                    let mut damaged: Vec<u8> = file.clone();
                    damaged[at] = byte;
                    look(&damaged);
                }
                look(&file[at..]);
            }
            assert!(read >= 10 * file.len(), "{ending}: {read}");
        }
    }

    #[test]
    fn other_files_have_one_frame() {
        let found = moments("a.csv", "x,y,r,heat\n1,2,3,4\n").unwrap();
        assert_eq!((found.len(), found[0].columns[0].name.as_str()), (1, "heat"));
        assert_eq!(moments("a.csv", "").unwrap_err(), "the file is empty");
    }
}
