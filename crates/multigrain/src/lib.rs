//! Contact detection for grains of every size: every touching pair, exactly once, in linear time, with nothing to tune.
//!
//! A [`Snapshot`] is a borrowed, validated view of where the bodies are now. A [`Detector`] turns a snapshot into
//! [`Pairs`]; it knows nothing else. [`find_pairs`] picks a detector by itself.
//!
//! ```
//! use multigrain::{Snapshot, find_pairs};
//! let centers = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
//! let radii = [1.0, 0.8, 2.0];
//! let pairs = find_pairs(Snapshot::new(&centers, &radii)?);
//! assert_eq!(pairs.as_slice(), [[0, 1]]);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod bounds;
mod detector;
pub mod detectors;
mod dimension;
mod domain;
mod error;
#[doc(hidden)]
pub mod grid;
mod images_in_reach;
mod levels;
pub mod limits;
#[doc(hidden)]
pub mod overlap;
#[doc(hidden)]
pub mod pairs;
mod refilled;
#[cfg(test)]
mod samples;
mod settings;
mod sheared;
mod sink;
mod snapshot;
mod system;
#[doc(hidden)]
pub mod threads;
pub mod tuning;
mod work;
#[cfg(feature = "serde")]
mod written;

pub use detector::{Detector, Direction, Layout, Search};
pub use detectors::{Between, PairsBetween, find_pairs, find_pairs_between};
pub use dimension::{Axes, Dimension, Family, Same};
pub use domain::Domain;
pub use error::Error;
pub use levels::{Level, Levels};
pub use multigrain_sizes as sizes;
pub use multigrain_sizes::Rng;
pub use pairs::{Pair, PairIter, Pairs};
pub use settings::{Build, LevelChoice, Settings};
pub use sink::PairSink;
pub use snapshot::{Extent, Groups, Snapshot};
pub use system::{AnySystem, CheckedSystem, Sphere, System};
pub use threads::on_this_thread;
pub use work::Work;

/// The example of the README, run as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
