//! This machine's coefficients, as `multigrain calibrate` leaves them in the user's cache folder.

use anyhow::{Context, Result};
use multigrain::tuning::Coefficients;
use multigrain_files::Target;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs;
use std::path::PathBuf;

/// Coefficients and on how many threads they were measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Seconds to sort a particle and to begin its search.
    pub body: f64,
    /// Seconds to begin the search of another level.
    pub search: f64,
    /// Seconds to look up a row of cells on another level.
    pub row: f64,
    /// Seconds more where a table must find the row.
    /// Seconds to test eight candidates quickly, on the own level.
    pub quick_vector: f64,
    /// Seconds to test eight other candidates.
    pub vector: f64,
    /// Seconds for a particle with more neighbours in a row than the quick search tests.
    pub left_over: f64,
    /// Seconds for a cell of the index.
    pub cell: f64,
    /// Threads that shared the work.
    pub threads: usize,
}

impl Calibration {
    /// Of measured coefficients.
    pub fn new(by: Coefficients, threads: usize) -> Self {
        let Coefficients { body, search, row, quick_vector, vector, left_over, cell } = by;
        Self { body, search, row, quick_vector, vector, left_over, cell, threads }
    }

    /// What the engine knows without any measurement: one thread of the machine it was written on.
    pub fn built_in() -> Self {
        Self::new(Coefficients::BUILT_IN, 1)
    }

    /// The coefficients.
    pub fn coefficients(&self) -> Coefficients {
        let Self { body, search, row, quick_vector, vector, left_over, cell, .. } = *self;
        Coefficients { body, search, row, quick_vector, vector, left_over, cell }
    }

    /// What `calibrate` left, if it ever ran. A damaged file counts as none: predictions are a convenience.
    pub fn load() -> Option<Self> {
        let text = fs::read_to_string(path()?).ok()?;
        let calibration: Self = serde_json::from_str(&text).ok()?;
        (calibration.coefficients().are_sound() && calibration.threads > 0).then_some(calibration)
    }

    /// Leaves it in the cache folder: complete or not at all. Gives the path.
    pub fn save(&self) -> Result<PathBuf> {
        let path = path().context("cannot tell the user's cache folder: neither XDG_CACHE_HOME nor HOME is set")?;
        let folder = path.parent().context("the cache file has no folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let text = serde_json::to_string_pretty(self)?;
        Target::File(path.clone()).write(|out| Ok(writeln!(out, "{text}")?))?;
        Ok(path)
    }
}

/// The file in the user's cache folder.
fn path() -> Option<PathBuf> {
    Some(cache_folder()?.join("multigrain").join("coefficients.json"))
}

fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_CACHE_HOME").or_else(|| match env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library").join("Caches")),
        _ => folder("HOME").map(|home| home.join(".cache")),
    })
}
