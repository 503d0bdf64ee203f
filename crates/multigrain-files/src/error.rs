//! Why a file cannot be read or written.

use std::error::Error as StdError;
use std::fmt;

/// What reading and writing files returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a file cannot be read or written. Printed by `{:#}` it is one line that names file, line and column; by `{}` the outermost
/// part of it, whose causes are its [`source`](StdError::source)s. It may know a way out: [`hint`](Self::hint).
pub struct Error(Box<Part>);

struct Part {
    what: What,
    hint: Option<String>,
    below: Option<Error>,
}

enum What {
    Words(String),
    /// An error of the system, the engine or a library, as it is.
    Cause(Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// An error in words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(Box::new(Part { what: What::Words(words.into()), hint: None, below: None }))
    }

    /// The same with a way out.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same as the cause of what did not work.
    pub fn context(self, words: impl Into<String>) -> Self {
        Self(Box::new(Part { what: What::Words(words.into()), hint: None, below: Some(self) }))
    }

    /// A way out, where it or one of its causes knows one.
    pub fn hint(&self) -> Option<&str> {
        self.parts().find_map(|part| part.hint.as_deref())
    }

    /// The error of the given type that it comes from, such as that of the system (`std::io::Error`) or of the engine
    /// (`multigrain::Error`).
    pub fn cause<T: StdError + 'static>(&self) -> Option<&T> {
        self.parts().find_map(|part| match &part.what {
            What::Cause(cause) => cause.downcast_ref(),
            What::Words(_) => None,
        })
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::successors(Some(&*self.0), |part| part.below.as_ref().map(|error| &*error.0))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.what {
            What::Words(words) => f.write_str(words)?,
            What::Cause(cause) => write!(f, "{cause}")?,
        }
        let mut below = self.source().filter(|_| f.alternate());
        while let Some(cause) = below {
            write!(f, ": {cause}")?;
            below = cause.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match (&self.0.below, &self.0.what) {
            (Some(below), _) => Some(below),
            (None, What::Cause(cause)) => cause.source(),
            (None, What::Words(_)) => None,
        }
    }
}

impl From<Box<dyn StdError + Send + Sync>> for Error {
    fn from(cause: Box<dyn StdError + Send + Sync>) -> Self {
        Self(Box::new(Part { what: What::Cause(cause), hint: None, below: None }))
    }
}

macro_rules! causes {
    ($($cause:ty),*) => {
        $(impl From<$cause> for Error {
            fn from(cause: $cause) -> Self {
                Self::from(Box::<dyn StdError + Send + Sync>::from(cause))
            }
        })*
    };
}

causes!(
    std::io::Error,
    std::fmt::Error,
    std::num::TryFromIntError,
    std::collections::TryReserveError,
    serde_json::Error,
    multigrain::Error,
    multigrain_meshes::MeshError
);

/// An error with a way out.
pub fn hinted(words: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::new(words).with_hint(hint)
}

/// Says what did not work, where something below it failed or is not there.
pub(crate) trait Context<T> {
    fn context(self, words: &str) -> Result<T>;
    fn with_context(self, words: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, words: &str) -> Result<T> {
        self.map_err(|error| error.into().context(words))
    }

    fn with_context(self, words: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| error.into().context(words()))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, words: &str) -> Result<T> {
        self.ok_or_else(|| Error::new(words))
    }

    fn with_context(self, words: impl FnOnce() -> String) -> Result<T> {
        self.ok_or_else(|| Error::new(words()))
    }
}

/// An [`Error`] in words.
macro_rules! fault {
    ($($words:tt)*) => { $crate::error::Error::new(format!($($words)*)) };
}
pub(crate) use fault;

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn hints_and_causes_are_found_under_context() {
        let error = Error::new("no box").with_hint("add --box").context("cannot read a.csv");
        assert_eq!(format!("{error:#}"), "cannot read a.csv: no box");
        assert_eq!(error.to_string(), "cannot read a.csv");
        assert_eq!(error.hint(), Some("add --box"));
        assert_eq!(Error::new("no box").hint(), None);
        let error = Error::from(io::Error::from(io::ErrorKind::NotFound)).context("cannot read a.csv");
        assert_eq!(error.cause::<io::Error>().map(io::Error::kind), Some(io::ErrorKind::NotFound));
        assert!(error.cause::<multigrain::Error>().is_none());
        assert_eq!(format!("{error:?}"), "cannot read a.csv: entity not found");
    }

    #[test]
    fn causes_below_a_foreign_error_are_printed_once() {
        let inner = Error::new("bad").context("line 3");
        let error = Error::from(Box::<dyn StdError + Send + Sync>::from(inner)).context("cannot write");
        assert_eq!(format!("{error:#}"), "cannot write: line 3: bad");
    }
}
