//! Detection across ranks: space is cut among them, each searches its part, and together they find what one finds.
//!
//! [`find_pairs`] takes the rows of each rank and gives each the pairs of its rows. Ranks speak through a [`Transport`]: threads
//! of one process ([`run_ranks`]), or MPI.
//!
//! ```
//! use multigrain::Domain;
//! use multigrain_distributed::{Options, Rows, Transport, find_pairs, run_ranks};
//! let domain = Domain::periodic([0.0; 2], [10.0; 2])?;
//! let (centers, radii) = ([[0.5, 5.0], [4.0, 5.0], [5.5, 5.0], [9.5, 5.0]], [1.0; 4]);
//! let found = run_ranks(2, |transport| {
//!     let first = 2 * transport.rank();
//!     let rows = Rows::new(first as u64, &centers[first..first + 2], &radii[first..first + 2]);
//!     find_pairs(transport, rows, &Options::within(domain)).unwrap()
//! });
//! assert_eq!((&found[0].pairs[..], &found[0].shifts[..]), (&[[0, 3], [1, 2]][..], &[[-1, 0], [0, 0]][..]));
//! assert!(found[1].pairs.is_empty(), "who has the row of the lower index has the pair");
//! # Ok::<(), multigrain::Error>(())
//! ```

mod agreement;
#[cfg(feature = "mpi")]
mod beats;
mod bisection;
mod coordinates;
mod counters;
mod cut_tree;
mod detection;
mod error;
mod halo;
mod lanes;
mod launcher;
mod looking;
#[cfg(feature = "mpi")]
mod mpi_rank;
mod octaves;
mod pair_slices;
mod paper;
mod search;
mod simulation;
mod thread_rank;
mod transport;
#[cfg(any(test, feature = "mpi"))]
#[cfg_attr(not(feature = "mpi"), allow(dead_code))]
mod watchdog;
mod wire;

pub use agreement::first_failed;
pub use counters::Counters;
pub use detection::{Found, Options, Rows, find_pairs};
pub use error::Error;
pub use launcher::{Launched, launched, launched_as};
pub use looking::IdRange;
#[cfg(feature = "mpi")]
pub use mpi_rank::MpiRank;
pub use paper::{OnPaper, Paper, RankOnPaper, StepOnPaper};
pub use simulation::{DistributedSimulation, Listener};
pub use thread_rank::{ThreadRank, run_ranks};
pub use transport::{Alone, Parcel, Sent, Transport, Why, signed, unsigned};
