//! Finished points on disk: one small file each, which appears complete or not at all.

use crate::error::{Error, Result, WithContext};
use crate::experiment::{Experiment, Point, Size};
use crate::row::Table;
use multigrain_files::Target;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Ending of the file that says why a point failed.
const FAILED: &str = "failed";

/// The points of a folder.
#[derive(Debug, Clone, Copy)]
pub struct Store<'a> {
    /// The folder of all results.
    pub folder: &'a Path,
    /// The size of the run, which is part of every point's name.
    pub size: Size,
}

impl Store<'_> {
    /// The rows of a point; nothing if it is not finished.
    pub fn load(&self, experiment: &Experiment, point: &Point) -> Result<Option<Table>> {
        let path = self.path(experiment, point);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        match Table::from_csv(&text) {
            Ok(rows) => Ok(Some(rows)),
            Err(error) => Err(Error::hinted(
                format!("cannot use the point in {}: {error}", path.display()),
                "remove this file, and the point is measured again",
            )),
        }
    }

    /// Why a point failed when it was last measured; nothing if it did not.
    pub fn failure(&self, experiment: &Experiment, point: &Point) -> Option<String> {
        fs::read_to_string(self.path(experiment, point).with_extension(FAILED)).ok()
    }

    /// Keeps why a point failed.
    pub fn keep_failure(&self, experiment: &Experiment, point: &Point, reason: &str) -> Result<()> {
        let path = self.path(experiment, point).with_extension(FAILED);
        let folder = path.parent().expect("points are in folders");
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Target::File(path).write(|out| Ok(out.write_all(reason.as_bytes())?))?)
    }

    /// Keeps the rows of a point.
    pub fn keep(&self, experiment: &Experiment, point: &Point, rows: &Table) -> Result<()> {
        let path = self.path(experiment, point);
        let folder = path.parent().expect("points are in folders");
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let failure = path.with_extension(FAILED);
        Target::File(path).write(|out| Ok(out.write_all(rows.to_csv().as_bytes())?))?;
        match fs::remove_file(failure) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).context("cannot remove what is out of date")
            }
            _ => Ok(()),
        }
    }

    fn path(&self, experiment: &Experiment, point: &Point) -> PathBuf {
        self.folder.join("points").join(self.size.name()).join(experiment.name).join(format!("{}.csv", point.key))
    }
}
