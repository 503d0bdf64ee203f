//! What can go wrong across ranks.

/// An error that all ranks know of: where it was met it is the error itself, elsewhere its words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Bodies or settings that cannot be worked with.
    #[error(transparent)]
    Engine(#[from] multigrain::Error),
    /// What stops a simulation.
    #[error(transparent)]
    Simulation(#[from] multigrain_dem::Error),
    /// The same on another rank.
    #[error("{message}")]
    Elsewhere {
        /// The rank.
        rank: usize,
        /// What it says.
        message: String,
    },
    /// Rows of ranks that do not follow each other.
    #[error(
        "the rows of rank {rank} begin with {first}, but those of the ranks before it end with {end}: give each rank the rows that follow"
    )]
    RowsApart {
        /// The rank.
        rank: usize,
        /// Its first row.
        first: u64,
        /// Number of rows of the ranks before it.
        end: u64,
    },
    /// Ranks that were given different things.
    #[error("ranks were given different {what}: give all of them the same")]
    Differ {
        /// What differs.
        what: &'static str,
    },
}

impl Error {
    /// Whether it was met on another rank, which reports it.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Elsewhere { .. })
    }

    /// The particle at fault, if there is one.
    pub(crate) fn particle(&mut self) -> Option<u64> {
        match self {
            Self::Engine(error) => error.particle_mut().map(|particle| *particle as u64),
            Self::Simulation(multigrain_dem::Error::Lost { id, .. }) => Some(*id),
            _ => None,
        }
    }
}
