//! Simulation of convex polygons in the plane: repulsion from overlap area, damping, Coulomb friction with history, gravity,
//! walls that rest or move.
//!
//! ```
//! use multigrain_polygons::{ConvexPolygon, Frame};
//! use multigrain_dem::polygons::{PolygonBody, PolygonMaterial, PolygonSetup};
//! let block = ConvexPolygon::rectangle(0.1, 0.1)?;
//! let floor = PolygonBody::wall(ConvexPolygon::rectangle(2.0, 0.2)?, Frame::new([0.0, -0.1], 0.0)?);
//! let grain = PolygonBody::grain(block, Frame::new([0.0, 0.06], 0.2)?);
//! let mut simulation = PolygonSetup::new(PolygonMaterial::default()).gravity([0.0, -9.81]).build([floor, grain])?;
//! simulation.run(1000)?;
//! assert_eq!(simulation.contact_count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One step, as in figure 12 of the polygon paper, each part on all threads: positions are predicted; bounding boxes move
//! and candidates follow; closest features tell who overlaps; overlaps push; velocities are corrected. No result depends on
//! the number of threads, nor on how candidates are found.

mod body;
mod candidates;
mod codec;
mod contacts;
mod law;
mod motion;
mod rows;
mod scenes;
mod setup;
mod simulation;
mod walls;

pub use body::{Drive, PolygonBody};
pub use candidates::CandidateSearch;
pub use contacts::PolygonContact;
pub use law::{PolygonMaterial, Repulsion};
pub use motion::PolygonIntegrator;
pub use scenes::PolygonScene;
pub use setup::PolygonSetup;
pub use simulation::{PolygonEnergies, PolygonSimulation};
pub use walls::{drum, floor, hopper, shear_cell, slab};
