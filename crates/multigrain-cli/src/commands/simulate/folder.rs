//! The folder of a run: it belongs to one run at a time, and a run that is there is not replaced without a word.

use crate::failure::{hinted, say};
use anyhow::{Context, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// Files that a run writes under these names.
const NAMES: [&str; 16] = [
    "checkpoint.bin",
    "checkpoint.previous.bin",
    super::energies::FILE,
    super::wall_table::FILE,
    super::flow_table::FILE,
    super::changes::FILE,
    "snapshots.pvd",
    "page.html",
    "film.html",
    "picture.png",
    "picture.svg",
    "walls.vtp",
    "lost-snapshot.vtp",
    "lost-snapshot.dump",
    "lost-contacts.vtp",
    LOCK,
];

/// Files that a run writes with the number of a step: how their names begin, and end.
const SERIES: [(&str, &[&str]); 3] =
    [("snapshot-", &["vtp", "dump", "svg", "png"]), ("contacts-", &["vtp"]), ("walls-", &["vtp"])];

/// What is locked where folders themselves cannot be.
const LOCK: &str = "run.lock";

/// What is done about a run that the folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// It stays as it is, and this is an error.
    Refuse,
    /// Its files are removed.
    Remove,
    /// This run is its continuation.
    Resume,
}

/// The folder of a run, held until this is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct RunFolder {
    _lock: Option<File>,
}

impl RunFolder {
    /// An error, before any work is done, where there is a run that is not to be touched.
    pub fn check(folder: &Path, earlier: Earlier) -> Result<()> {
        match files_of_a_run(folder)?.first() {
            Some(file) if earlier == Earlier::Refuse => Err(is_taken(folder, file)),
            _ => Ok(()),
        }
    }

    /// An error if replacing the run in a folder would remove one of these files, which the new run reads.
    pub fn check_inputs(folder: &Path, inputs: &[PathBuf], earlier: Earlier) -> Result<()> {
        if earlier != Earlier::Remove {
            return Ok(());
        }
        let removed: Vec<PathBuf> =
            files_of_a_run(folder)?.iter().filter_map(|file| file.canonicalize().ok()).collect();
        match inputs.iter().find(|input| input.canonicalize().is_ok_and(|input| removed.contains(&input))) {
            Some(input) => Err(hinted(
                format!("--overwrite would remove {}, which the scene reads", input.display()),
                "name another folder with -o, or copy the file elsewhere",
            )),
            None => Ok(()),
        }
    }

    /// Makes the folder where it is missing, holds it, and removes a run that is to be replaced.
    pub fn take(folder: &Path, earlier: Earlier) -> Result<Self> {
        if earlier != Earlier::Resume {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let held = Self { _lock: hold(folder)? };
        // Once more: another run may have come and gone since the first look.
        Self::check(folder, earlier)?;
        if earlier == Earlier::Remove {
            for file in files_of_a_run(folder)? {
                fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
            }
        }
        Ok(held)
    }
}

/// The files of a run in a folder, checkpoints first: what is left after a kill cannot be taken for a run that goes on.
fn files_of_a_run(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let entry = entry.with_context(cannot)?;
        let is_own = entry.file_name().to_str().is_some_and(|name| is_of_a_run(name) && name != LOCK);
        if is_own && !entry.file_type().with_context(cannot)?.is_dir() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a run writes files of this name.
pub fn is_of_a_run(name: &str) -> bool {
    let is_numbered = |(start, endings): &(&str, &[&str])| {
        let rest = name.strip_prefix(start).and_then(|rest| rest.split_once('.'));
        rest.is_some_and(|(number, ending)| {
            number.len() >= 9 && number.bytes().all(|digit| digit.is_ascii_digit()) && endings.contains(&ending)
        })
    };
    NAMES.contains(&name) || SERIES.iter().any(is_numbered)
}

fn is_taken(folder: &Path, file: &Path) -> anyhow::Error {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let resume = if name.starts_with("checkpoint") { "continue it by --resume, " } else { "" };
    hinted(
        format!("the folder {} holds a run already, with {name}", folder.display()),
        format!("{resume}replace it by --overwrite, or name another folder with -o"),
    )
}

/// Holds a folder against other runs, until what it gives is dropped. The system lets go of it when the process ends.
pub fn hold(folder: &Path) -> Result<Option<File>> {
    let opened = match cfg!(unix) {
        true => File::open(folder),
        false => File::create(folder.join(LOCK)),
    };
    let file = match opened {
        Ok(file) => file,
        // Nothing to hold: what comes next says what is missing.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot open the folder {}", folder.display())),
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(hinted(
            format!("another run is writing to the folder {}", folder.display()),
            "wait until it is over, or name another folder with -o",
        )),
        // Some network disks know no locks; that is no reason not to compute.
        Err(TryLockError::Error(error)) => {
            say(&format!("note: the folder {} cannot be locked against other runs: {error}", folder.display()));
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_run_are_distinguished_from_others() {
        for name in ["checkpoint.bin", "snapshot-000000012.dump", "contacts-1234567890.vtp", "walls-000000000.vtp"] {
            assert!(is_of_a_run(name), "{name}");
        }
        for name in ["snapshot-12.dump", "snapshot-00000001x.vtp", "contacts-000000001.csv", "notes.txt", "picture.jpg"]
        {
            assert!(!is_of_a_run(name), "{name}");
        }
    }

    #[test]
    fn a_folder_is_held_until_it_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let held = RunFolder::take(folder.path(), Earlier::Refuse).unwrap();
        let second = RunFolder::take(folder.path(), Earlier::Refuse).unwrap_err();
        assert!(second.to_string().starts_with("another run is writing to the folder "), "{second}");
        drop(held);
        RunFolder::take(folder.path(), Earlier::Resume).unwrap();
    }
}
