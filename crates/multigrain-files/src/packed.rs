//! Compressed files: recognized by their first bytes when read, by their ending (`.gz`, `.zst`) when written.

use crate::error::{Context, Result, hinted};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::encoding::{CompressionLevel, compress};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Bytes that are read of a device, which may have no end.
const MAX_OF_DEVICE: u64 = 100_000_000;

/// Bytes of a file in the format of gzip.
const GZIP: &[u8] = b"\x1f\x8b";

/// Bytes of a frame in the format of zstd.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// Bytes that are compressed at a time by zstd, each block a frame of its own: readers join them.
const BLOCK: usize = 1 << 22;

/// Bytes that a file may unpack to, for each of its own: text of numbers shrinks to a third or a tenth, files of equal lines to a
/// hundredth. What unpacks to more is damaged, or made to fill memory.
const MAX_RATIO: u64 = 200;

/// Bytes that any file may unpack to.
const ALWAYS: u64 = 16 << 20;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As gzip does.
    Gzip,
    /// As zstd does.
    Zstd,
}

impl Packing {
    /// By the ending of the name.
    pub fn of(path: &Path) -> Option<Self> {
        match ending(path).as_str() {
            "gz" => Some(Self::Gzip),
            "zst" | "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Writes compressed what `write` gives.
    pub fn write(self, out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        match self {
            Self::Gzip => {
                let mut packer = GzEncoder::new(out, Compression::default());
                write(&mut packer)?;
                packer.finish()?;
            }
            Self::Zstd => {
                let mut packer = ZstdWriter { out, waiting: Vec::with_capacity(BLOCK) };
                write(&mut packer)?;
                packer.pack()?;
            }
        }
        Ok(())
    }
}

/// The extension that gives the format, in small letters: `csv` of both `a.csv` and `a.csv.gz`.
pub fn extension(path: &Path) -> String {
    match Packing::of(path) {
        Some(_) => path.file_stem().map(|stem| ending(Path::new(stem))).unwrap_or_default(),
        None => ending(path),
    }
}

/// Bytes that a file of this length may unpack to.
pub fn max_unpacked(length: u64) -> u64 {
    ALWAYS.saturating_add(MAX_RATIO.saturating_mul(length))
}

/// The bytes of a file, without compression.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    unpacked(read_plain(path)?)
}

/// The bytes of a file as they are.
pub fn read_plain(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_rest(File::open(path)?, &mut bytes)?;
    Ok(bytes)
}

/// Reads a file on to its end. Devices may have none.
pub fn read_rest(mut file: File, bytes: &mut Vec<u8>) -> Result<()> {
    let about = file.metadata()?;
    bytes.try_reserve(usize::try_from(about.len())?)?;
    if !is_device(&about) {
        file.read_to_end(bytes)?;
        return Ok(());
    }
    if file.take(MAX_OF_DEVICE).read_to_end(bytes)? as u64 == MAX_OF_DEVICE {
        return Err(hinted(
            format!("it is a device that gives more than {} MB", MAX_OF_DEVICE / 1_000_000),
            "copy what is wanted of it into a file",
        ));
    }
    Ok(())
}

#[cfg(unix)]
fn is_device(about: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&about.file_type())
}

#[cfg(not(unix))]
fn is_device(_: &std::fs::Metadata) -> bool {
    false
}

/// Bytes as they are, or what they are the compressed form of.
pub fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    let most = max_unpacked(bytes.len() as u64);
    if bytes.starts_with(GZIP) {
        let packed = MultiGzDecoder::new(&bytes[..]).take(most + 1).read_to_end(&mut plain);
        packed.context("its gzip compression is damaged")?;
    } else if bytes.starts_with(ZSTD) {
        unpack_zstd(&bytes, &mut plain, most + 1).context("its zstd compression is damaged")?;
    } else {
        return Ok(bytes);
    }
    if plain.len() as u64 > most {
        return Err(hinted(
            format!("its {} bytes unpack to more than {} MB", bytes.len(), most / 1_000_000),
            "if that is right, unpack it first and read what comes out",
        ));
    }
    Ok(plain)
}

/// All frames of zstd, one after another, up to this many bytes.
fn unpack_zstd(bytes: &[u8], plain: &mut Vec<u8>, most: u64) -> Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() && (plain.len() as u64) < most {
        match StreamingDecoder::new(&mut rest) {
            Ok(decoder) => {
                decoder.take(most - plain.len() as u64).read_to_end(plain)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                rest = rest.get(length as usize..).context("a part is missing")?;
            }
            Err(error) => return Err(io::Error::other(error).into()),
        }
    }
    Ok(())
}

/// Compresses block by block.
struct ZstdWriter<'a> {
    out: &'a mut dyn Write,
    waiting: Vec<u8>,
}

impl ZstdWriter<'_> {
    fn pack(&mut self) -> io::Result<()> {
        let mut packed = Vec::new();
        compress(&self.waiting[..], &mut packed, CompressionLevel::Fastest);
        self.waiting.clear();
        self.out.write_all(&packed)
    }
}

impl Write for ZstdWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = bytes.len().min(BLOCK - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..room]);
        if self.waiting.len() == BLOCK {
            self.pack()?;
        }
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn ending(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_again() {
        let text: Vec<u8> = (0..2_000_000u32).flat_map(|k| k.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        assert!(text.len() > BLOCK);
        for content in [&b""[..], b"x,y,r\n1,2,3\n", &text] {
            for packing in [Packing::Gzip, Packing::Zstd] {
                let mut packed = Vec::new();
                packing.write(&mut packed, |out| Ok(out.write_all(content)?)).unwrap();
                assert!(unpacked(packed).unwrap() == content, "{packing:?}");
            }
        }
        assert_eq!(unpacked(b"plain".to_vec()).unwrap(), b"plain");
    }

    #[test]
    fn damaged_packings_are_errors() {
        for packing in [Packing::Gzip, Packing::Zstd] {
            let mut packed = Vec::new();
            packing.write(&mut packed, |out| Ok(out.write_all(&[b'a'; 1000])?)).unwrap();
            packed.truncate(packed.len() - 3);
            let error = format!("{:#}", unpacked(packed).unwrap_err());
            assert!(error.contains("compression is damaged"), "{error}");
        }
    }

    #[test]
    fn a_small_file_cannot_fill_memory() {
        let zeros = vec![0; 64 << 20];
        for packing in [Packing::Gzip, Packing::Zstd] {
            let mut packed = Vec::new();
            packing.write(&mut packed, |out| Ok(out.write_all(&zeros)?)).unwrap();
            assert!(packed.len() < 200_000, "{}", packed.len());
            let error = unpacked(packed).unwrap_err();
            assert!(error.to_string().contains(" bytes unpack to more than "), "{error}");
            assert!(error.hint().unwrap().contains("unpack it first"));
            // What is repeated less often is taken.
            let mut packed = Vec::new();
            let lines = "0.5,0.5,0.25\n".repeat(1_000_000);
            packing.write(&mut packed, |out| Ok(out.write_all(lines.as_bytes())?)).unwrap();
            assert_eq!(unpacked(packed).unwrap().len(), lines.len());
        }
    }

    #[test]
    fn the_extension_before_that_of_the_packing_says_the_format() {
        for (name, expected) in
            [("a.csv", "csv"), ("a.CSV.gz", "csv"), ("b.x.dump.zst", "dump"), ("a.gz", ""), ("a", "")]
        {
            assert_eq!(extension(Path::new(name)), expected, "{name}");
        }
    }
}
