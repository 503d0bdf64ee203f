//! NPY: an array of shape (N, 3) for x, y, r or (N, 4) for x, y, z, r.

use super::rows::excerpt;
use super::validate::{Field, validated};
use crate::error::{Result, fault, hinted};
use crate::progress::Progress;
use crate::system::AXES;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Domain, System};
use std::io::{Read, Seek, SeekFrom, Write};

/// First bytes of every file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Bytes decoded at a time: they stay in cache.
const BLOCK: usize = 1 << 18;

/// Longest header taken; those of plain arrays have about a hundred bytes.
const LONGEST_HEADER: usize = 1 << 20;

/// What the header says.
struct Header {
    descr: String,
    is_fortran: bool,
    shape: Vec<u64>,
}

/// Numbers of an array of particles, and how they are stored.
struct Layout {
    rows: u64,
    width: u64,
    size: u64,
    is_big_endian: bool,
    is_fortran: bool,
    /// Bytes before them.
    start: u64,
}

/// Reads the header of a file of `length` bytes, which must be one of particles.
fn read_layout(file: &mut impl Read, length: u64) -> Result<Layout> {
    let (header, start) = read_header(file)?;
    let (rows, width) = match header.shape[..] {
        [rows, width @ 3..=4] => (rows, width),
        _ => {
            let shape: Vec<String> = header.shape.iter().map(u64::to_string).collect();
            return Err(hinted(
                format!("the array has shape ({})", excerpt(shape.join(", ").as_bytes())),
                "it must be (N, 3) for x, y, r or (N, 4) for x, y, z, r",
            ));
        }
    };
    let size = match header.descr.trim_start_matches(['<', '>', '=', '|']) {
        "f4" => 4,
        "f8" => 8,
        _ => {
            return Err(hinted(
                format!("the array has dtype {}", excerpt(header.descr.as_bytes())),
                "only float32 and float64 are read: convert it with astype(\"f8\")",
            ));
        }
    };
    let expected = u128::from(rows) * u128::from(width * size);
    let found = u128::from(length.saturating_sub(start));
    if expected != found {
        let fault = if found < expected { "the file is cut short" } else { "the file is too long" };
        return Err(fault!("{fault}: {rows} rows need {expected} bytes after the header, there are {found}"));
    }
    let is_big_endian = header.descr.starts_with('>') || (header.descr.starts_with('=') && cfg!(target_endian = "big"));
    Ok(Layout { rows, width, size, is_big_endian, is_fortran: header.is_fortran, start })
}

/// Reads particles from a file of `length` bytes.
pub fn read(mut file: impl Read, length: u64, progress: &dyn Progress) -> Result<AnySystem> {
    let layout = read_layout(&mut file, length)?;
    let mut data = Data { file, progress, rows: usize::try_from(layout.rows)?, is_fortran: layout.is_fortran };
    Ok(match data.decode(&layout)? {
        Raw::D2(particles) => named(particles)?.into(),
        Raw::D3(particles) => named(particles)?.into(),
    })
}

/// A piece of the rows of a file, not looked at yet.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPiece {
    /// The number of its first row.
    pub first: u64,
    /// Its particles.
    pub particles: Raw,
}

/// Particles of either dimension as they were read, not looked at yet.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    /// In the plane.
    D2(System<2>),
    /// In space.
    D3(System<3>),
}

/// Reads one of several pieces of a file, and nothing of the others; `None` for files that do not have rows one after the other.
pub fn read_piece(file: &mut (impl Read + Seek), length: u64, piece: u64, pieces: u64) -> Result<Option<RowPiece>> {
    let layout = read_layout(file, length)?;
    if layout.is_fortran {
        return Ok(None);
    }
    let bound = |piece: u64| (u128::from(layout.rows) * u128::from(piece) / u128::from(pieces)) as u64;
    let (first, end) = (bound(piece), bound(piece + 1));
    file.seek(SeekFrom::Start(layout.start + first * layout.width * layout.size))?;
    let mut data = Data { file, progress: &(), rows: usize::try_from(end - first)?, is_fortran: false };
    Ok(Some(RowPiece { first, particles: data.decode(&layout)? }))
}

/// Looks at particles; errors name row and column.
fn named<const D: usize>(particles: System<D>) -> Result<CheckedSystem<D>>
where
    Axes: Dimension<D>,
{
    validated(particles, |row, field| match field {
        Field::Axis(axis) => format!("row {row}, column {axis} ({})", AXES[axis]),
        Field::Radius => format!("row {row}, column {D} (r)"),
    })
}

/// Writes particles as float64.
pub fn write<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    write_header(out, "<f8", particles.len(), D + 1)?;
    write_rows(out, particles.len(), |k, row| {
        for coordinate in particles.centers[k] {
            row.extend_from_slice(&coordinate.to_le_bytes());
        }
        row.extend_from_slice(&particles.radii[k].to_le_bytes());
    })
}

/// Writes the header of an array of `rows` by `columns` in C order.
pub fn write_header(out: &mut dyn Write, descr: &str, rows: usize, columns: usize) -> Result<()> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Magic, version and length take 10 bytes; data begins at a multiple of 64.
    let padding = 63 - (10 + header.len()) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(MAGIC)?;
    out.write_all(&[1, 0])?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    Ok(out.write_all(header.as_bytes())?)
}

/// Writes rows in large blocks.
pub fn write_rows(out: &mut dyn Write, rows: usize, push: impl Fn(usize, &mut Vec<u8>)) -> Result<()> {
    let mut block = Vec::with_capacity(BLOCK + 256);
    for row in 0..rows {
        push(row, &mut block);
        if block.len() >= BLOCK {
            out.write_all(&block)?;
            block.clear();
        }
    }
    Ok(out.write_all(&block)?)
}

/// The header, and how many bytes it takes in all.
fn read_header(file: &mut impl Read) -> Result<(Header, u64)> {
    let mut start = [0; 8];
    read_whole(file, &mut start)?;
    let length_bytes = match start[6] {
        1 => 2,
        2 | 3 => 4,
        version => return Err(fault!("the file has NPY version {version}, known are 1 to 3")),
    };
    let mut length = [0; 4];
    read_whole(file, &mut length[..length_bytes])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_HEADER {
        return Err(fault!("the header claims to be {length} bytes long"));
    }
    let mut text = vec![0; length];
    read_whole(file, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    let header =
        parse_header(&text).ok_or_else(|| fault!("the header is not understood: {}", excerpt(text.as_bytes())))?;
    Ok((header, (8 + length_bytes + length) as u64))
}

/// Reads a part of the header.
fn read_whole(file: &mut impl Read, part: &mut [u8]) -> Result<()> {
    match file.read_exact(part) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Err(fault!("the file is cut short in its header"))
        }
        done => Ok(done?),
    }
}

/// The header is a Python dictionary with exactly the keys descr, fortran_order and shape.
fn parse_header(text: &str) -> Option<Header> {
    let value = |key: &str| {
        let after = ["'", "\""].iter().find_map(|quote| text.split_once(&format!("{quote}{key}{quote}")))?.1;
        Some(after.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr = value("descr")?;
    let descr = match descr.chars().next()? {
        quote @ ('\'' | '"') => descr[1..].split_once(quote)?.0,
        // Structured arrays have a list here; it is only shown.
        _ => descr.split_once(']')?.0.trim_start_matches('['),
    };
    let order = value("fortran_order")?;
    let is_fortran = match (order.starts_with("True"), order.starts_with("False")) {
        (true, _) => true,
        (_, true) => false,
        _ => return None,
    };
    let shape = value("shape")?.strip_prefix('(')?.split_once(')')?.0;
    let shape = shape.split(',').map(str::trim).filter(|text| !text.is_empty());
    let shape = shape.map(|text| text.trim_end_matches('L').parse().ok()).collect::<Option<_>>()?;
    Some(Header { descr: descr.to_owned(), is_fortran, shape })
}

/// The numbers behind the header.
struct Data<'a, F> {
    file: F,
    progress: &'a dyn Progress,
    rows: usize,
    is_fortran: bool,
}

impl<F: Read> Data<'_, F> {
    fn decode(&mut self, layout: &Layout) -> Result<Raw> {
        Ok(match (layout.width, layout.size, layout.is_big_endian) {
            (3, 4, false) => Raw::D2(self.particles::<2, 4>(|bytes| f32::from_le_bytes(bytes).into())?),
            (3, 4, true) => Raw::D2(self.particles::<2, 4>(|bytes| f32::from_be_bytes(bytes).into())?),
            (3, _, false) => Raw::D2(self.particles::<2, 8>(f64::from_le_bytes)?),
            (3, _, true) => Raw::D2(self.particles::<2, 8>(f64::from_be_bytes)?),
            (_, 4, false) => Raw::D3(self.particles::<3, 4>(|bytes| f32::from_le_bytes(bytes).into())?),
            (_, 4, true) => Raw::D3(self.particles::<3, 4>(|bytes| f32::from_be_bytes(bytes).into())?),
            (_, _, false) => Raw::D3(self.particles::<3, 8>(f64::from_le_bytes)?),
            (_, _, true) => Raw::D3(self.particles::<3, 8>(f64::from_be_bytes)?),
        })
    }

    fn particles<const D: usize, const SIZE: usize>(
        &mut self,
        number: impl Fn([u8; SIZE]) -> f64,
    ) -> Result<System<D>> {
        if self.is_fortran { self.by_columns(number) } else { self.by_rows(number) }
    }

    fn by_rows<const D: usize, const SIZE: usize>(&mut self, number: impl Fn([u8; SIZE]) -> f64) -> Result<System<D>> {
        let mut particles = System::with_capacity(self.rows);
        let value = |row: &[u8], column: usize| {
            let mut bytes = [0; SIZE];
            bytes.copy_from_slice(&row[column * SIZE..(column + 1) * SIZE]);
            number(bytes)
        };
        self.in_blocks(self.rows, (D + 1) * SIZE, |block| {
            let rows = || block.chunks_exact((D + 1) * SIZE);
            particles.centers.extend(rows().map(|row| -> [f64; D] { std::array::from_fn(|axis| value(row, axis)) }));
            particles.radii.extend(rows().map(|row| value(row, D)));
        })?;
        Ok(particles)
    }

    fn by_columns<const D: usize, const SIZE: usize>(
        &mut self,
        number: impl Fn([u8; SIZE]) -> f64,
    ) -> Result<System<D>> {
        let mut particles =
            System { centers: vec![[0.0; D]; self.rows], radii: vec![0.0; self.rows], domain: Domain::open() };
        for column in 0..=D {
            let mut row = 0;
            self.in_blocks(self.rows, SIZE, |block| {
                let (values, _) = block.as_chunks::<SIZE>();
                let values = values.iter().map(|&bytes| number(bytes));
                let rows = row..row + block.len() / SIZE;
                row = rows.end;
                if column < D {
                    for (center, value) in particles.centers[rows].iter_mut().zip(values) {
                        center[column] = value;
                    }
                } else {
                    for (radius, value) in particles.radii[rows].iter_mut().zip(values) {
                        *radius = value;
                    }
                }
            })?;
        }
        Ok(particles)
    }

    /// Hands over `count` items of `size` bytes, many at a time.
    fn in_blocks(&mut self, count: usize, size: usize, mut take: impl FnMut(&[u8])) -> Result<()> {
        let mut buffer = vec![0; (BLOCK / size * size).min(count * size)];
        let mut rest = count * size;
        while rest > 0 {
            let length = buffer.len().min(rest);
            let block = &mut buffer[..length];
            self.file.read_exact(block)?;
            take(block);
            self.progress.advance(length as u64);
            rest -= length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<AnySystem, String> {
        read(bytes, bytes.len() as u64, &()).map_err(|error| format!("{error:#}"))
    }

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn header(descr: &str, order: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n")
    }

    fn bytes_of<const SIZE: usize>(values: &[f64], encode: impl Fn(f64) -> [u8; SIZE]) -> Vec<u8> {
        values.iter().flat_map(|&value| encode(value)).collect()
    }

    #[test]
    fn reads_every_float_type_order_and_version() {
        let expected = System { centers: vec![[1.0, 2.0], [4.0, 5.0]], radii: vec![3.0, 6.0], domain: Domain::open() }
            .checked()
            .unwrap()
            .into();
        let (rows, columns) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        for version in 1..=3 {
            for (order, values) in [("False", rows), ("True", columns)] {
                let types = [
                    ("<f8", bytes_of(&values, f64::to_le_bytes)),
                    (">f8", bytes_of(&values, f64::to_be_bytes)),
                    ("<f4", bytes_of(&values, |value| (value as f32).to_le_bytes())),
                    (">f4", bytes_of(&values, |value| (value as f32).to_be_bytes())),
                ];
                for (descr, data) in types {
                    let bytes = file(version, &header(descr, order, "(2, 3)"), &data);
                    assert_eq!(parse(&bytes).as_ref(), Ok(&expected), "{descr} {order} version {version}");
                }
            }
        }
    }

    #[test]
    fn reads_back_what_it_wrote_across_blocks() {
        let count = 3 * BLOCK / 32 + 5;
        let particles = System::<3> {
            centers: (0..count).map(|k| [k as f64, 0.5, -(k as f64) / 3.0]).collect(),
            radii: (0..count).map(|k| k as f64).collect(),
            domain: Domain::open(),
        };
        let mut bytes = Vec::new();
        write(&mut bytes, &particles).unwrap();
        assert_eq!(bytes.len(), 128 + 32 * count);
        assert_eq!(parse(&bytes), Ok(particles.checked().unwrap().into()));
    }

    #[test]
    fn pieces_have_all_rows_one_after_the_other() {
        let particles = System::<2> {
            centers: (0..17).map(|k| [f64::from(k), -1.0]).collect(),
            radii: (0..17).map(f64::from).collect(),
            domain: Domain::open(),
        };
        let mut bytes = Vec::new();
        write(&mut bytes, &particles).unwrap();
        for pieces in [1, 2, 5, 20] {
            let mut all = System::<2>::with_capacity(17);
            for piece in 0..pieces {
                let mut file = std::io::Cursor::new(&bytes);
                let read = read_piece(&mut file, bytes.len() as u64, piece, pieces).unwrap().unwrap();
                assert_eq!(read.first, all.len() as u64);
                let Raw::D2(rows) = read.particles else { panic!("particles in the plane") };
                all.centers.extend(rows.centers);
                all.radii.extend(rows.radii);
            }
            assert_eq!(all, particles, "{pieces} pieces");
        }
    }

    #[test]
    fn no_rows_are_no_particles() {
        let bytes = file(1, &header("<f8", "False", "(0, 4)"), &[]);
        assert_eq!(parse(&bytes), Ok(System::<3>::with_capacity(0).checked().unwrap().into()));
    }

    #[test]
    fn refuses_other_types_and_shapes() {
        let error = |bytes: &[u8]| parse(bytes).unwrap_err();
        assert_eq!(error(&file(1, &header("<i8", "False", "(2, 3)"), &[0; 48])), "the array has dtype <i8");
        assert_eq!(error(&file(1, &header("<f2", "False", "(2, 3)"), &[0; 12])), "the array has dtype <f2");
        assert_eq!(error(&file(1, &header("<f8", "False", "(6,)"), &[0; 48])), "the array has shape (6)");
        assert_eq!(error(&file(1, &header("<f8", "False", "(2, 5)"), &[0; 80])), "the array has shape (2, 5)");
        let structured = "{'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!(error(&file(1, structured, &[0; 32])), "the array has dtype ('x', '<f8'), ('y', '<f8')");
    }

    #[test]
    fn refuses_damaged_files() {
        let whole = file(1, &header("<f8", "False", "(2, 3)"), &[0; 48]);
        for length in 6..whole.len() {
            let error = parse(&whole[..length]).unwrap_err();
            assert!(error.starts_with("the file is cut short"), "{length}: {error}");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(parse(&longer).unwrap_err().starts_with("the file is too long: 2 rows need 48 bytes"));
        assert!(parse(&file(9, "", &[])).unwrap_err().contains("NPY version 9"));
        assert!(parse(&file(1, "{}", &[])).unwrap_err().starts_with("the header is not understood"));
        let huge = file(1, &header("<f8", "False", "(18446744073709551615, 3)"), &[0; 48]);
        assert!(parse(&huge).unwrap_err().starts_with("the file is cut short"));
    }

    #[test]
    fn names_row_and_column_of_bad_particles() {
        let data = bytes_of(&[0.0, 0.0, 1.0, 0.0, f64::NAN, 1.0], f64::to_le_bytes);
        let error = parse(&file(1, &header("<f8", "False", "(2, 3)"), &data)).unwrap_err();
        assert_eq!(error, "row 1, column 1 (y): y of particle 1 is NaN, must be finite");
    }
}
