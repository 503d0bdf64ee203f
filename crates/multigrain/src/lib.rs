//! Contact detection for grains of every size: every touching pair, exactly once, in linear time, with nothing to tune.
//!
//! A [`Snapshot`] is a borrowed, validated view of where the bodies are now. A [`Detector`] turns a snapshot into
//! [`Pairs`]; it knows nothing else. [`find_pairs`] picks a detector by itself.
//!
//! ```
//! use multigrain::{Snapshot, find_pairs};
//! let centers = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
//! let radii = [1.0, 0.8, 2.0];
//! let pairs = find_pairs(Snapshot::new(&centers, &radii)?)?;
//! assert_eq!(pairs.as_slice(), [[0, 1]]);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod bounds;
mod boxes;
mod detector;
pub mod detectors;
mod domain;
mod error;
mod levels;
pub mod limits;
mod living_grid;
mod method;
mod neighbors;
mod overlap;
mod pairs;
pub mod polygons;
mod refilled;
pub mod scenes;
mod sink;
pub mod sizes;
mod snapshot;
mod threads;
pub mod tuning;
mod work;

pub use boxes::Boxes;
pub use detector::{Detector, Direction, Layout, Search};
pub use domain::Domain;
pub use error::Error;
pub use levels::{Level, Levels};
pub use living_grid::{LivingGrid, Sphere};
pub use method::{LevelChoice, Method, Settings};
pub use neighbors::{NeighborColumns, NeighborIndex, NeighborOrder, NeighborReal, PairView};
pub use pairs::{NeighborTable, Pair, Pairs};
pub use sink::PairSink;
pub use snapshot::{Extent, Snapshot};
pub use threads::on_this_thread;
pub use work::Work;

/// The examples of the README, run as doc-tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Every touching pair of the bodies, by the method that suits them.
pub fn find_pairs<const D: usize>(now: Snapshot<'_, D>) -> Result<Pairs<D>, Error> {
    let mut pairs = Pairs::new();
    Method::Auto.build(now)?.find_pairs(now, &mut pairs);
    Ok(pairs)
}
