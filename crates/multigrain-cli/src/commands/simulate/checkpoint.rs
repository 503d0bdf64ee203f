//! The last states that a run can go on from, complete on the disk at any moment.

use crate::commands::ranks::together;
use crate::failure::{hinted, say};
use anyhow::{Context, Result};
use multigrain_distributed::Transport;
use multigrain_files::{SharedFile, write_durably};
use std::fs::{self, File};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is replaced as a whole: whatever happens, there is the old state or the new one. The one before is kept beside it.
pub struct Checkpoint {
    path: PathBuf,
    previous: PathBuf,
}

impl Checkpoint {
    pub fn in_folder(folder: &Path) -> Self {
        Self { path: folder.join("checkpoint.bin"), previous: folder.join("checkpoint.previous.bin") }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a state. `encode` hands it on piece by piece, so that there is no second copy of it in memory.
    pub fn write(&self, encode: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        Ok(write_durably(&self.path, |out| Ok(encode(out)?), || Ok(self.keep_previous()?))?)
    }

    /// The same by several ranks, each of which writes its pieces into one file; collective. Only the first makes the file, and gives it
    /// its name when the disk has all of it.
    pub fn write_together(&self, transport: &mut dyn Transport, pieces: &[(u64, Vec<u8>)]) -> Result<()> {
        let is_first = transport.rank() == 0;
        let made = if is_first { File::create(self.temporary()).map(drop) } else { Ok(()) };
        together(transport, made.with_context(|| self.cannot()))?;
        let write = || -> Result<()> {
            let mut file = SharedFile::join(&self.temporary())?;
            Ok(file.write(|out| {
                pieces.iter().try_for_each(|(offset, bytes)| {
                    out.seek(SeekFrom::Start(*offset))?;
                    Ok(out.write_all(bytes)?)
                })
            })?)
        };
        together(transport, write().with_context(|| self.cannot()))?;
        let finish = || -> std::io::Result<()> {
            File::open(self.temporary())?.sync_all()?;
            self.replace()
        };
        let finished = if is_first { finish() } else { Ok(()) };
        together(transport, finished.with_context(|| self.cannot()))
    }

    /// Always the same name: what a killed run left behind is overwritten.
    fn temporary(&self) -> PathBuf {
        self.path.with_extension("tmp")
    }

    fn cannot(&self) -> String {
        format!("cannot write {}", self.path.display())
    }

    /// Gives the new state its name.
    fn replace(&self) -> std::io::Result<()> {
        self.keep_previous()?;
        fs::rename(self.temporary(), &self.path)?;
        // The new name itself is on the disk only when the folder is.
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
            _ => File::open(".")?.sync_all(),
        }
    }

    /// Gives the last state a second name, under which it stays when the next one takes its own.
    fn keep_previous(&self) -> std::io::Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        match fs::remove_file(&self.previous) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        // Some disks know no second names; then for a moment there is only the earlier state.
        fs::hard_link(&self.path, &self.previous).or_else(|_| fs::rename(&self.path, &self.previous))
    }

    /// Goes on from the last state, or where it is damaged or missing from the one before.
    pub fn resume<T>(&self, read: impl Fn(&mut File) -> Result<T>) -> Result<T> {
        let from = |path: &Path| {
            let cannot = || format!("cannot resume from {}", path.display());
            read(&mut File::open(path).with_context(cannot)?).with_context(cannot)
        };
        let error = match from(&self.path) {
            Ok(resumed) => return Ok(resumed),
            Err(error) => error,
        };
        let is_missing = !self.path.exists();
        if is_missing && !self.previous.exists() {
            return Err(hinted(
                format!("there is no {} to resume from", self.path.display()),
                "run the scene without --resume, or name its folder with -o",
            ));
        }
        let is_other = error.chain().any(|cause| {
            matches!(cause.downcast_ref::<multigrain_dem::Error>(), Some(multigrain_dem::Error::OtherPhysics { .. }))
        });
        if is_other {
            let hint = "take the scene as it was, or say which key is another: --change KEY=VALUE, at each --resume from then on";
            return Err(hinted(format!("{error:#}"), hint));
        }
        let is_damaged = error.chain().any(|cause| {
            matches!(cause.downcast_ref::<multigrain_dem::Error>(), Some(multigrain_dem::Error::Saved { .. }))
        });
        if !(is_missing || is_damaged) || !self.previous.exists() {
            return Err(error);
        }
        let Ok(resumed) = from(&self.previous) else {
            return Err(hinted(format!("{error:#}"), format!("{} cannot be taken either", self.previous.display())));
        };
        say(&format!("note: {error:#}; continuing from {}", self.previous.display()));
        // What is damaged must not become the earlier state when the next one is written.
        fs::rename(&self.previous, &self.path).with_context(|| format!("cannot replace {}", self.path.display()))?;
        Ok(resumed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_name_holds_a_whole_state_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::in_folder(folder.path());
        let read = || {
            checkpoint.resume(|file| {
                let mut bytes = Vec::new();
                Ok(file.read_to_end(&mut bytes).map(|_| bytes)?)
            })
        };
        assert!(read().unwrap_err().to_string().starts_with("there is no "));
        checkpoint.write(|out| out.write_all(b"first")).unwrap();
        assert_eq!(read().unwrap(), b"first");
        for state in [b"second", b"third!"] {
            checkpoint.write(|out| out.write_all(state)).unwrap();
            assert_eq!(read().unwrap(), state);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
        assert_eq!(fs::read(folder.path().join("checkpoint.previous.bin")).unwrap(), b"second");
        fs::remove_file(checkpoint.path()).unwrap();
        assert_eq!(read().unwrap(), b"second");
    }
}
