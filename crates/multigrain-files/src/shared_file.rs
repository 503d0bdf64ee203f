//! A file that several processes write, each its own part: it appears complete or not at all.

use crate::error::{Context, Result};
use crate::packed::Packing;
use crate::target::{Target, Temporary};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes gathered before they go to the operating system.
const BUFFER: usize = 1 << 18;

/// One process's hold on it.
pub enum SharedFile {
    /// That of the process that made it, and gives it its name in the end.
    Made(MadeFile),
    /// That of another.
    Joined(File),
}

/// A file under a temporary name.
pub struct MadeFile(Temporary);

impl SharedFile {
    /// Whether a target can be written in parts: not where bytes must come in order, as through a pipe or a compression.
    pub fn suits(target: &Target) -> bool {
        let Target::File(path) = target else { return false };
        Packing::of(path).is_none() && fs::metadata(path).map_or(true, |about| about.is_file())
    }

    /// Makes the file, under a temporary name; gives that for the others.
    pub fn make(path: &Path) -> Result<(Self, PathBuf)> {
        let made = Temporary::for_file(path).with_context(|| format!("cannot write {}", path.display()))?;
        let temporary = fs::canonicalize(&made.path).unwrap_or_else(|_| made.path.clone());
        Ok((Self::Made(MadeFile(made)), temporary))
    }

    /// Joins in, by the temporary name. It is never made again: a folder that processes do not share must not go unnoticed.
    pub fn join(temporary: &Path) -> Result<Self> {
        let file = OpenOptions::new().write(true).open(temporary);
        let file = file.with_context(|| {
            format!(
                "cannot see {}, which another rank has made: write to a folder that all machines share",
                temporary.display()
            )
        })?;
        Ok(Self::Joined(file))
    }

    /// Writes this process's parts, wherever they belong, and waits until the disk has them.
    pub fn write(&mut self, write: impl FnOnce(&mut BufWriter<&File>) -> Result<()>) -> Result<()> {
        let file = match self {
            Self::Made(made) => &made.0.file,
            Self::Joined(file) => file,
        };
        let mut out = BufWriter::with_capacity(BUFFER, file);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        Ok(file.sync_data()?)
    }

    /// Gives the file its name, when all parts are written. Nothing to do for those who joined.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Made(made) => made.0.rename(),
            Self::Joined(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom};

    #[test]
    fn parts_make_up_a_file_that_appears_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        let (mut made, temporary) = SharedFile::make(&path).unwrap();
        let mut joined = SharedFile::join(&temporary).unwrap();
        let put = |out: &mut BufWriter<&File>, at, bytes| {
            out.seek(SeekFrom::Start(at))?;
            Ok(out.write_all(bytes)?)
        };
        joined.write(|out| put(out, 3, b"def")).unwrap();
        made.write(|out| put(out, 0, b"abc")).unwrap();
        joined.finish().unwrap();
        assert!(!path.exists());
        made.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abcdef");
        let error = SharedFile::join(&temporary).err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(error.contains("a folder that all machines share"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (mut made, _) = SharedFile::make(&folder.path().join("list.csv")).unwrap();
        made.write(|out| Ok(out.write_all(b"abc")?)).unwrap();
        drop(made);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(SharedFile::suits(&Target::File(folder.path().join("a.csv"))));
        assert!(!SharedFile::suits(&Target::File(folder.path().join("a.csv.gz"))));
        assert!(!SharedFile::suits(&Target::Stdout));
    }
}
