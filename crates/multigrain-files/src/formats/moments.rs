//! All frames of a file, with every column of numbers.

use super::columns::{self, Column, Extras};
use super::vtp::Mesh;
use super::{Input, Watch, extension, load, parse, vtp, xyz};
use crate::progress::Progress;
use crate::system::System;
use anyhow::{Context, Result};
use memchr::{memchr, memmem};
use std::fs::File;
use std::io::Read;
use std::ops::Range;

/// Particles at one moment, with all that their file says of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Time, where the file tells.
    pub time: Option<f64>,
    /// Steps so far, where the file tells.
    pub step: Option<u64>,
    /// The particles.
    pub system: System,
    /// Their permanent ids, where the file has some.
    pub ids: Option<Vec<u32>>,
    /// Further numbers.
    pub columns: Vec<Column>,
}

/// Reads every frame of a file: dumps and extended XYZ may have many, others have one. `watch` is told the length of each and
/// gives what follows the reading. Every error names the file.
pub fn read_moments(input: &Input, watch: &dyn Fn(u64) -> Box<dyn Progress>) -> Result<Vec<Moment>> {
    load_moments(input, watch).with_context(|| format!("cannot read {input}"))
}

fn load_moments(input: &Input, watch: Watch<'_>) -> Result<Vec<Moment>> {
    let (bytes, extension) = match input {
        Input::File(path) if !is_text(path)? => return Ok(vec![Moment::of(load(input, watch)?, Extras::default())]),
        Input::File(path) => (std::fs::read(path)?, extension(path)),
        Input::Stdin => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes)?;
            (bytes, String::new())
        }
    };
    let frames = frames(&bytes, &extension);
    let is_one = frames.len() == 1;
    let read = |(k, range): (usize, Range<usize>)| {
        let frame = bytes[range].to_vec();
        let extras = extras(&frame, &extension);
        let system = parse(frame, &extension, watch);
        let system = if is_one { system } else { system.with_context(|| format!("frame {}", k + 1)) };
        Ok(Moment::of(system?, extras))
    };
    frames.into_iter().enumerate().map(read).collect()
}

/// Arrays of numpy are read as they stream in; they have one frame and no further columns.
fn is_text(path: &std::path::Path) -> Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(super::npy::MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start != super::npy::MAGIC)
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

fn extras(frame: &[u8], extension: &str) -> Extras {
    if frame.starts_with(b"ITEM:") {
        columns::of_dump(frame)
    } else if vtp::looks_like(frame) {
        Mesh::parse(frame).map(|mesh| columns::of_vtp(&mesh)).unwrap_or_default()
    } else if matches!(extension, "xyz" | "extxyz") || xyz::looks_like(frame) {
        columns::of_xyz(frame)
    } else {
        columns::of_csv(frame)
    }
}

impl Moment {
    fn of(system: System, extras: Extras) -> Self {
        let count = match &system {
            System::Flat(particles) => particles.len(),
            System::Solid(particles) => particles.len(),
        };
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
        assert_eq!(broken, "frame 3: line 2: there is no column radius or diameter");
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
                    let extras = extras(&damaged[range], ending);
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
