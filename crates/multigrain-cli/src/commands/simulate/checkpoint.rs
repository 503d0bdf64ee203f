//! The last state that a run can go on from, complete on the disk at any moment.

use crate::failure::hinted;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is replaced as a whole: whatever happens, there is the old state or the new one.
pub struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    pub fn in_folder(folder: &Path) -> Self {
        Self { path: folder.join("checkpoint.bin") }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a state under another name, waits until the disk has it, then gives it its name. `encode` hands the state on piece
    /// by piece, so that there is no second copy of it in memory.
    pub fn write(&self, encode: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        // Always the same name: what a killed run left behind is overwritten.
        let temporary = self.path.with_extension("tmp");
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            encode(&mut file)?;
            file.sync_all()?;
            fs::rename(&temporary, &self.path)?;
            // The new name itself is on the disk only when the folder is.
            match self.path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
                _ => File::open(".")?.sync_all(),
            }
        };
        write().with_context(cannot)
    }

    /// The last state. Whether it is whole is found when it is read, by its checksum.
    pub fn read(&self) -> Result<Vec<u8>> {
        fs::read(&self.path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => hinted(
                format!("there is no {} to resume from", self.path.display()),
                "run the scene without --resume, or name its folder with -o",
            ),
            _ => anyhow::Error::new(error).context(format!("cannot read {}", self.path.display())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_holds_a_whole_state_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::in_folder(folder.path());
        assert!(checkpoint.read().unwrap_err().to_string().starts_with("there is no "));
        checkpoint.write(|out| out.write_all(b"first")).unwrap();
        // What is left of a killed run is in nobody's way.
        fs::write(folder.path().join("checkpoint.tmp"), "seco").unwrap();
        assert_eq!(checkpoint.read().unwrap(), b"first");
        checkpoint.write(|out| out.write_all(b"second")).unwrap();
        assert_eq!(checkpoint.read().unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
