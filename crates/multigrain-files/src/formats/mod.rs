//! File formats, one per file, recognized by extension and content.

mod columns;
mod contact_list;
mod csv;
pub(crate) mod dump;
mod elements;
mod foreign;
mod hdf5;
mod lines;
mod moments;
mod motion;
mod npy;
mod numbers;
mod obj;
mod pair_csv;
mod pair_npy;
mod rows;
mod stl;
mod surface;
mod text;
mod trajectory;
mod validate;
mod vtp;
mod xyz;

use crate::error::{Context, Result, fault, hinted};
use crate::packed::{extension, read_rest, unpacked};
use crate::progress::Progress;
use crate::target::Target;
use columns::Wanted;
use multigrain::{AnySystem, Pairs, Snapshot, System};
use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use validate::validated;

pub use columns::Column;
pub use contact_list::ContactList;
pub use csv::read_weights;
pub use elements::read_elements;
pub use moments::{FrameChoice, Frames, Moment, read_frames, read_full_frames, read_moments, read_moments_of_bytes};
pub use npy::{Raw, RowPiece};
pub use pair_csv::{ContactRow, ListIds, ListLabels};
pub use surface::{parse as surface_of_bytes, read_surface};
pub(crate) use vtp::base64;
pub use vtp::{Mesh, MeshArray};

/// Where particles come from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// Standard input; the format is recognized by content alone.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// A format of particle systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SystemFormat {
    /// Columns `x,y[,z],r` under a header.
    Csv,
    /// An array of x, y, (z,) r.
    Npy,
    /// Extended XYZ.
    Xyz,
    /// A LAMMPS dump.
    Dump,
    /// VTK PolyData.
    Vtp,
    /// HDF5.
    Hdf5,
}

/// A format of contact lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListFormat {
    /// Columns `i,j`, image shifts, `overlap`.
    Csv,
    /// An array of i, j, image shifts.
    Npy,
}

/// Given the length of the input, returns what follows the reading of its bytes.
type Watch<'a> = &'a dyn Fn(u64) -> Box<dyn Progress>;

/// Reads a particle system; `watch` gets the length and gives what follows the reading. Every error names the file.
pub fn read(input: &Input, watch: &dyn Fn(u64) -> Box<dyn Progress>) -> Result<AnySystem> {
    load(input, watch).with_context(|| format!("cannot read {input}"))
}

/// Reads a particle system from the bytes of a file with this extension.
#[doc(hidden)]
pub fn read_bytes(extension: &str, bytes: Vec<u8>) -> Result<AnySystem> {
    parse(bytes, extension, &|_| Box::new(()))
}

impl Input {
    /// `-` is standard input, everything else a file.
    pub fn from_flag(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path.to_owned()) }
    }
}

impl SystemFormat {
    /// The format to write to `target`: by extension, CSV on standard output.
    pub fn for_target(target: &Target) -> Result<Self> {
        let Target::File(path) = target else { return Ok(Self::Csv) };
        match extension(path).as_str() {
            "csv" => Ok(Self::Csv),
            "npy" => Ok(Self::Npy),
            "xyz" | "extxyz" => Ok(Self::Xyz),
            "dump" | "lammpstrj" => Ok(Self::Dump),
            "vtp" => Ok(Self::Vtp),
            "h5" | "hdf5" => Ok(Self::Hdf5),
            _ => Err(hinted(
                format!("cannot tell the format of {} by its extension", path.display()),
                "particle systems are written as .csv, .npy, .xyz, .dump, .lammpstrj or .vtp, with .gz or .zst behind it if you like, or as .h5",
            )),
        }
    }

    /// Whether box and periodic axes are part of the file.
    pub fn carries_box(self) -> bool {
        matches!(self, Self::Xyz | Self::Dump | Self::Vtp | Self::Hdf5)
    }

    /// Writes a particle system as bytes; HDF5 is written to files alone, by [`save`](Self::save).
    pub fn write<const D: usize>(self, out: &mut dyn Write, particles: &System<D>) -> Result<()> {
        match self {
            Self::Csv => csv::write(out, particles),
            Self::Npy => npy::write(out, particles),
            Self::Xyz => xyz::write(out, particles),
            Self::Dump => dump::write(out, particles),
            Self::Vtp => vtp::write(out, particles),
            Self::Hdf5 => Err(hdf5::no_file()),
        }
    }
}

impl ListFormat {
    /// The format to write to `target`: by extension, CSV on standard output.
    pub fn for_target(target: &Target) -> Result<Self> {
        let Target::File(path) = target else { return Ok(Self::Csv) };
        match extension(path).as_str() {
            "csv" => Ok(Self::Csv),
            "npy" => Ok(Self::Npy),
            _ => Err(hinted(
                format!("cannot tell the format of {} by its extension", path.display()),
                "contact lists are written as .csv or .npy, or as CSV to standard output with -o -",
            )),
        }
    }

    /// Writes the contacts of a snapshot.
    pub fn write<const D: usize>(self, out: &mut dyn Write, now: &Snapshot<'_, D>, pairs: &Pairs<D>) -> Result<()> {
        self.write_labelled(out, now, pairs, ListLabels::default())
    }

    /// Writes the contacts of a snapshot, in CSV with ids and frames.
    pub fn write_labelled<const D: usize>(
        self,
        out: &mut dyn Write,
        now: &Snapshot<'_, D>,
        pairs: &Pairs<D>,
        labels: ListLabels<'_>,
    ) -> Result<()> {
        match self {
            Self::Csv => pair_csv::write(out, now, pairs, labels),
            Self::Npy => pair_npy::write(out, now, pairs, labels.first),
        }
    }

    /// Writes what stands before the contacts of a list, which are this many.
    pub fn write_head<const D: usize>(
        self,
        out: &mut dyn Write,
        contacts: usize,
        is_periodic: bool,
        labels: ListLabels<'_>,
    ) -> Result<()> {
        match self {
            Self::Csv => pair_csv::write_header::<D>(out, is_periodic, labels),
            Self::Npy => pair_npy::write_head::<D>(out, contacts, is_periodic),
        }
    }

    /// Writes contacts alone: a piece of a list.
    pub fn write_piece<const D: usize>(
        self,
        out: &mut dyn Write,
        contacts: usize,
        is_periodic: bool,
        labels: ListLabels<'_>,
        contact: impl Fn(usize) -> ContactRow<D> + Sync,
    ) -> Result<()> {
        match self {
            Self::Csv => pair_csv::write_contacts(out, contacts, is_periodic, labels, contact),
            Self::Npy => pair_npy::write_contacts(out, contacts, is_periodic, labels.first, |k| {
                let row = contact(k);
                (row.i, row.j, row.shift)
            }),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

fn load(input: &Input, watch: Watch<'_>) -> Result<AnySystem> {
    match input {
        Input::Stdin => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes)?;
            parse(unpacked(bytes)?, "", watch)
        }
        Input::File(path) => load_file(path, watch),
    }
}

fn load_file(path: &Path, watch: Watch<'_>) -> Result<AnySystem> {
    if moments::starts_with(path, hdf5::MAGIC)? {
        let first = hdf5::read(path, FrameChoice::At(0), Wanted::Ids)?.chosen.into_iter().next();
        return Ok(first.context("there are no frames in it")?.1.system);
    }
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    let mut start = Vec::with_capacity(npy::MAGIC.len());
    (&mut file).take(npy::MAGIC.len() as u64).read_to_end(&mut start)?;
    if about.is_file() && start == npy::MAGIC {
        // The only binary format is decoded as it streams in: no second copy of a large file in memory.
        let length = about.len();
        return npy::read(Cursor::new(start).chain(file), length, &*watch(length));
    }
    let mut bytes = start;
    read_rest(file, &mut bytes)?;
    parse(unpacked(bytes)?, &extension(path), watch)
}

/// Reads one of several pieces of a file of particles and nothing of the others; `None` for what cannot be read in pieces: only plain
/// NPY files in C order can.
pub fn read_row_piece(input: &Input, piece: u64, pieces: u64) -> Result<Option<RowPiece>> {
    let Input::File(path) = input else { return Ok(None) };
    let read = || -> Result<Option<RowPiece>> {
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        let mut start = Vec::with_capacity(npy::MAGIC.len());
        (&mut file).take(npy::MAGIC.len() as u64).read_to_end(&mut start)?;
        if !about.is_file() || start != npy::MAGIC {
            return Ok(None);
        }
        file.rewind()?;
        npy::read_piece(&mut file, about.len(), piece, pieces)
    };
    read().with_context(|| path.display().to_string())
}

/// Particles from the bytes of a file: by what they look like, then by extension.
fn parse(bytes: Vec<u8>, extension: &str, watch: Watch<'_>) -> Result<AnySystem> {
    let progress = &*watch(bytes.len() as u64);
    if bytes.starts_with(npy::MAGIC) {
        let length = bytes.len() as u64;
        return npy::read(Cursor::new(bytes), length, progress);
    }
    if bytes.starts_with(hdf5::MAGIC) {
        return Err(hdf5::no_file());
    }
    if bytes.trim_ascii().is_empty() {
        return Err(fault!("the file is empty"));
    }
    if let Some(mesh) = elements::parse(&bytes, extension)? {
        // Elements stand for the spheres around them.
        progress.advance(bytes.len() as u64);
        return Ok(validated(mesh.bounding_spheres(), |element, _| format!("element {element}"))?.into());
    }
    if let Some(error) = foreign::recognized(&bytes, extension) {
        return Err(error);
    }
    match extension {
        "h5" | "hdf5" => {
            Err(hinted("this is no HDF5 file: it does not begin with \\x89HDF", "docs/hdf5.md says what it holds"))
        }
        "npy" => Err(hinted("this is no NPY file: it does not begin with \\x93NUMPY", "write it with numpy.save")),
        _ if vtp::looks_like(&bytes) => vtp::read(&bytes, progress),
        "vtp" => {
            Err(hinted("this is no VTK file: there is no <VTKFile> in its first lines", "write it as XML PolyData"))
        }
        _ if bytes.starts_with(b"ITEM:") => dump::read(&bytes, progress),
        "dump" | "lammpstrj" => {
            Err(hinted("line 1: this is no LAMMPS dump: it does not begin with ITEM:", "write it with dump custom"))
        }
        "xyz" | "extxyz" => xyz::read(&bytes, progress),
        "csv" => csv::read(&bytes, progress),
        _ if xyz::looks_like(&bytes) => xyz::read(&bytes, progress),
        _ => csv::read(&bytes, progress),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    fn parse(bytes: Vec<u8>, extension: &str) -> Result<AnySystem> {
        super::parse(bytes, extension, &|_| Box::new(()))
    }

    /// The same particles in every format.
    fn files() -> Vec<(&'static str, Vec<u8>)> {
        let domain = Domain::new([0.0; 3], [4.0, 5.0, 6.5], [true, false, true]).unwrap();
        let centers = vec![[0.5, -1.25, 3e-7], [1e9, 2.0, 3.0]];
        let particles = System { centers, radii: vec![1.0, 0.125], domain };
        let write = |format: SystemFormat| {
            let mut bytes = Vec::new();
            format.write(&mut bytes, &particles).unwrap();
            bytes
        };
        let formats = [("csv", SystemFormat::Csv), ("npy", SystemFormat::Npy), ("xyz", SystemFormat::Xyz)];
        let mut files: Vec<_> = formats.into_iter().map(|(name, format)| (name, write(format))).collect();
        files.push(("dump", write(SystemFormat::Dump)));
        files.push(("vtp", write(SystemFormat::Vtp)));
        files
    }

    #[test]
    fn damaged_files_are_errors_or_other_particles_but_never_panics() {
        for (extension, file) in files() {
            assert!(parse(file.clone(), extension).is_ok());
            for at in 0..file.len() {
                let _ = parse(file[..at].to_vec(), extension);
                let _ = parse(file[at..].to_vec(), extension);
                for byte in [0, b' ', b'\n', b'\r', b',', b'"', b'\'', b'-', b'9', b'e', b'=', b'(', 0xff, file[at] ^ 1]
                {
                    let mut damaged = file.clone();
                    damaged[at] = byte;
                    let _ = parse(damaged.clone(), extension);
                    let _ = parse(damaged, "");
                }
            }
        }
    }

    #[test]
    fn bodies_at_the_ends_of_what_can_be_worked_with_are_read_back() {
        for (x, radius) in [(1e150, 5e149), (-1e150, 1e150), (1e150, 0.0), (1e150, 1.0)] {
            let particles = System { centers: vec![[x, 0.0, -x]], radii: vec![radius], domain: Domain::open() };
            for (format, extension) in
                [(SystemFormat::Dump, "dump"), (SystemFormat::Xyz, "xyz"), (SystemFormat::Vtp, "vtp")]
            {
                let mut bytes = Vec::new();
                format.write(&mut bytes, &particles).unwrap();
                let Ok(AnySystem::D3(read)) = parse(bytes, extension) else { panic!("{extension}, {x}, {radius}") };
                assert_eq!((&read.centers, &read.radii), (&particles.centers, &particles.radii), "{extension}");
            }
        }
    }

    #[test]
    fn bodies_thinner_together_than_any_box_are_read_back() {
        let centers = vec![[0.0, 1.0, 5e-324], [1.0, 1.0, 0.0]];
        let particles = System { centers, radii: vec![0.0; 2], domain: Domain::open() };
        for (format, extension) in
            [(SystemFormat::Dump, "dump"), (SystemFormat::Xyz, "xyz"), (SystemFormat::Vtp, "vtp")]
        {
            let mut bytes = Vec::new();
            format.write(&mut bytes, &particles).unwrap();
            let Ok(AnySystem::D3(read)) = parse(bytes, extension) else { panic!("{extension}") };
            assert_eq!(read.centers, particles.centers, "{extension}");
        }
    }

    #[test]
    fn long_words_of_files_are_cut_in_messages() {
        let long = "A".repeat(10_000);
        let vtp = |start: &str, array: &str| {
            format!(
                "<VTKFile type=\"PolyData\" {start}><PolyData><Piece NumberOfPoints=\"1\"><Points>\
                 <DataArray NumberOfComponents=\"3\" {array}>0 0 0</DataArray></Points><PointData><DataArray Name=\"radius\">1</DataArray>\
                 </PointData></Piece></PolyData></VTKFile>"
            )
        };
        let npy = |header: String| {
            [b"\x93NUMPY\x02\x00", &(header.len() as u32).to_le_bytes()[..], header.as_bytes()].concat()
        };
        for file in [
            vtp("", &format!("format=\"{long}\"")).into_bytes(),
            vtp("", &format!("type=\"{long}\" format=\"binary\"")).into_bytes(),
            vtp(&format!("header_type=\"{long}\""), "").into_bytes(),
            vtp(&format!("byte_order=\"{long}\""), "").into_bytes(),
            format!("x,y,r,{long}\n0,0,1\n").into_bytes(),
            format!("x,y,{long}\n0,0,1\n").into_bytes(),
            format!("x,y,r\n0,{long},1\n").into_bytes(),
            format!("1\nProperties={long}\n0 0 0 1\n").into_bytes(),
            format!("ITEM: NUMBER OF ATOMS\n{long}\n").into_bytes(),
            format!("ITEM: BOX BOUNDS {long} pp pp\n").into_bytes(),
            npy(long.clone()),
            npy(format!("{{'descr': '{long}', 'fortran_order': False, 'shape': (1, 3)}}")),
            npy(format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({})}}", "1,".repeat(10_000))),
        ] {
            let error = parse(file.clone(), "").unwrap_err();
            let length = format!("{error}").len() + error.hint().map_or(0, str::len);
            assert!(length < 400, "{length} letters for {}", String::from_utf8_lossy(&file[..80]));
        }
    }

    #[test]
    fn content_shows_the_format_where_the_extension_does_not() {
        for (extension, file) in files() {
            assert_eq!(parse(file.clone(), "").unwrap(), parse(file, extension).unwrap(), "{extension}");
        }
    }
}
