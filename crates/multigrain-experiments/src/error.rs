//! Why an experiment did not come to its end.

use multigrain_files::hinted;

/// What experiments return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an experiment did not come to its end. Printed by `{:#}` it is one line with all causes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something that was measured cannot be right, or cannot be drawn.
    #[error("{0}")]
    Failed(String),
    /// A file cannot be read or written, or a name is not known; with a hint where there is a way out.
    #[error(transparent)]
    File(#[from] multigrain_files::Error),
    /// The engine refused a system.
    #[error(transparent)]
    Engine(#[from] multigrain::Error),
    /// The simulator refused a setup, or a simulation broke off.
    #[error(transparent)]
    Simulation(#[from] multigrain_dem::Error),
    /// Polygons cannot be made.
    #[error(transparent)]
    Polygon(#[from] multigrain_polygons::PolygonError),
    /// The system refused something.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// What did not work, and why.
    #[error("{what}")]
    Context {
        /// What did not work.
        what: String,
        /// Why.
        #[source]
        source: Box<Error>,
    },
}

impl Error {
    /// An error in words.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self::Failed(words.into())
    }

    /// An error with a way out.
    pub(crate) fn hinted(words: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::File(hinted(words, hint))
    }

    /// In one line with all causes.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        text
    }

    /// A way out, where one is known.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::File(error) => error.hint(),
            Self::Context { source, .. } => source.hint(),
            _ => None,
        }
    }
}

impl From<multigrain::sizes::Error> for Error {
    fn from(error: multigrain::sizes::Error) -> Self {
        Self::Engine(error.into())
    }
}

/// Says what did not work, where something below it failed or is not there.
pub(crate) trait WithContext<T> {
    fn context(self, words: impl Into<String>) -> Result<T>;
    fn with_context(self, words: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Error>> WithContext<T> for Result<T, E> {
    fn context(self, words: impl Into<String>) -> Result<T> {
        self.with_context(|| words.into())
    }

    fn with_context(self, words: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Context { what: words(), source: Box::new(error.into()) })
    }
}

/// An [`Error`] in words.
macro_rules! fault {
    ($($words:tt)*) => { $crate::error::Error::new(format!($($words)*)) };
}
pub(crate) use fault;
