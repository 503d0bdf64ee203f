//! Errors as Python knows them: the engine's and the files' own words.

use multigrain_files::Target;
use pyo3::exceptions::{PyNotImplementedError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io;

/// What the engine says, as a `ValueError`.
pub fn refused(error: multigrain::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A `ValueError` for what was pickled, where its numbers do not belong together any more.
pub fn damaged(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} are damaged: their numbers do not belong together; make them again"))
}

/// What laws and tables of sizes say, as a `ValueError`.
pub fn refused_sizes(error: multigrain::sizes::Error) -> PyErr {
    refused(error.into())
}

/// A `ValueError` for a word that is none of those known.
pub fn unknown<'a>(what: &str, given: &str, known: impl IntoIterator<Item = &'a str>) -> PyErr {
    let known: Vec<&str> = known.into_iter().collect();
    PyValueError::new_err(format!("{what} is '{given}', must be one of {}", known.join(", ")))
}

/// A `NotImplementedError` for what the engine has and this package does not know yet.
pub fn too_new(what: &str) -> PyErr {
    PyNotImplementedError::new_err(format!("this {what} is of a kind that the Python package does not know"))
}

/// What the files say, with the hint where there is one: an `OSError` where the system refused, else a `ValueError`.
pub fn of_file(error: multigrain_files::Error) -> PyErr {
    let text = words_of(&error);
    match error.cause::<io::Error>() {
        // Python picks FileNotFoundError and its like by the kind of the error.
        Some(cause) if cause.raw_os_error().is_some() => io::Error::new(cause.kind(), text).into(),
        Some(_) => PyOSError::new_err(text),
        None => PyValueError::new_err(text),
    }
}

/// An `OSError`, before any work is done, where the target is a folder or there is none for it.
pub fn check(target: &Target) -> PyResult<()> {
    let kind = match target {
        Target::File(path) if path.is_dir() => io::ErrorKind::IsADirectory,
        _ => io::ErrorKind::NotFound,
    };
    target.check().map_err(|error| io::Error::new(kind, words_of(&error)).into())
}

fn words_of(error: &multigrain_files::Error) -> String {
    match error.hint() {
        Some(hint) => format!("{error:#}\nhint: {hint}"),
        None => format!("{error:#}"),
    }
}
