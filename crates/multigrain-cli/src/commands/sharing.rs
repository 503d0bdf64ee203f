//! Files that ranks write together, each its pieces.

use super::ranks::together;
use anyhow::{Context, Result};
use multigrain_distributed::Transport;
use multigrain_files::{Share, SharedFile};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// What a rank writes its pieces to, wherever they belong.
pub type Pieces<'a> = BufWriter<&'a File>;

/// Writes a file: `write` puts this rank's pieces where they belong. It appears under its name when all of it is on the disk; collective.
pub fn write_shared(
    transport: &mut dyn Transport,
    path: &Path,
    write: impl FnOnce(&mut Pieces<'_>) -> multigrain_files::Result<()>,
) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let made = if transport.rank() == 0 { SharedFile::make(path).map(Some) } else { Ok(None) };
    let made = together(transport, made)?;
    let name = made.as_ref().map(|(_, name)| name.as_os_str().as_encoded_bytes().to_vec()).unwrap_or_default();
    let name = String::from_utf8_lossy(&transport.all_gather(&name)[0]).into_owned();
    let joined = made.map_or_else(|| SharedFile::join(Path::new(&name)), |(file, _)| Ok(file));
    let mut file = together(transport, joined)?;
    let written = file.write(write);
    together(transport, written.with_context(cannot))?;
    let finished = file.finish();
    together(transport, finished.with_context(cannot))
}

/// Writes the bytes of all ranks, one after the other; collective.
pub fn write_in_order(transport: &mut dyn Transport, path: &Path, bytes: &[u8]) -> Result<()> {
    let Share { before, .. } = share(transport, bytes.len());
    write_shared(transport, path, |out| {
        out.seek(SeekFrom::Start(before as u64))?;
        Ok(out.write_all(bytes)?)
    })
}

/// The share of this rank, which has `own` of what all have; collective.
pub fn share(transport: &mut dyn Transport, own: usize) -> Share {
    let all = transport.all_gather(&(own as u64).to_le_bytes());
    let count = |ranks: &[Vec<u8>]| {
        let counts = ranks.iter().filter_map(|bytes| bytes.first_chunk()).map(|&word| u64::from_le_bytes(word));
        counts.sum::<u64>() as usize
    };
    Share { before: count(&all[..transport.rank()]), all: count(&all) }
}
