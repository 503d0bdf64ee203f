//! Frames in HDF5 files: a group for each, as `docs/hdf5.md` describes. The file itself is the matter of libhdf5, with the feature
//! `hdf5`; without it such files are known by their first bytes, and refused in words.

#[cfg(feature = "hdf5")]
mod frames;

use super::columns::Wanted;
use super::moments::{FrameChoice, Frames};
use crate::error::{Error, Result, hinted};
use std::path::Path;

#[cfg(feature = "hdf5")]
pub use frames::Writer;

/// The first bytes of a file.
pub const MAGIC: &[u8] = b"\x89HDF\r\n\x1a\n";

/// For bytes that are not a file of their own.
pub fn no_file() -> Error {
    hinted("this is an HDF5 file, which is read from a plain file alone", "save it uncompressed, and name it")
}

/// Reads frames of a file.
#[cfg(feature = "hdf5")]
pub fn read(path: &Path, choice: FrameChoice, wanted: Wanted) -> Result<Frames> {
    frames::read(path, choice, wanted)
}

/// There is no reader in this build.
#[cfg(not(feature = "hdf5"))]
pub fn read(_: &Path, _: FrameChoice, _: Wanted) -> Result<Frames> {
    Err(left_out("this is an HDF5 file"))
}

/// Why this build does neither read nor write such files.
#[cfg(not(feature = "hdf5"))]
pub fn left_out(what: &str) -> Error {
    let hint = "build it with --features hdf5, which needs libhdf5, or take .dump or .xyz";
    hinted(format!("{what}, and this program was built without HDF5"), hint)
}
