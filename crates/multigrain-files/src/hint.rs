//! Errors that know a way out.

use anyhow::Error;
use std::fmt;

#[derive(Debug)]
struct Hinted {
    message: String,
    hint: String,
}

/// An error with a hint.
pub fn hinted(message: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::new(Hinted { message: message.into(), hint: hint.into() })
}

/// The hint of an error, or of one of its causes.
pub fn hint_of(error: &Error) -> Option<&str> {
    error.chain().find_map(|cause| Some(cause.downcast_ref::<Hinted>()?.hint.as_str()))
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_found_under_context() {
        let error = hinted("no box", "add --box").context("cannot read a.csv");
        assert_eq!(format!("{error:#}"), "cannot read a.csv: no box");
        assert_eq!(hint_of(&error), Some("add --box"));
        assert_eq!(hint_of(&Error::msg("no box")), None);
    }
}
