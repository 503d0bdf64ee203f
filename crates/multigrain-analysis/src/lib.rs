//! What grains and their contacts say: numbers that papers on granular matter report.
//!
//! [`Grains`] are borrowed: centers, radii, the box, and velocities where there are some. [`Contact`]s come from the engine
//! ([`touching`]) or from a simulation, with forces. Every quantity is a function of these alone; nothing reads files.
//!
//! ```
//! use multigrain_analysis::{Grains, coordination, fabric, touching};
//! let (centers, radii) = ([[0.0, 0.0, 0.0], [1.9, 0.0, 0.0], [0.0, 1.9, 0.0]], [1.0; 3]);
//! let grains = Grains::new(&centers, &radii, multigrain::Domain::open())?;
//! let contacts = touching(&grains, 0.0)?;
//! assert_eq!(coordination(grains.len(), &contacts, None).mean, 4.0 / 3.0);
//! assert_eq!(fabric(&contacts).unwrap().tensor[0][0], 0.5);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod contacts;
mod coordination;
mod forces;
mod grains;
mod map;
mod pair_correlation;
mod profile;
mod segregation;
mod tensors;

pub use contacts::{Contact, touching};
pub use coordination::{Coordination, coordination};
pub use forces::{ForceStatistics, force_statistics};
pub use grains::Grains;
pub use map::{Map, map};
pub use pair_correlation::{PairCorrelation, pair_correlation};
pub use profile::{Profile, Slice, profile};
pub use segregation::segregation;
pub use tensors::{Fabric, Stress, eigenvalues, fabric, stress};
