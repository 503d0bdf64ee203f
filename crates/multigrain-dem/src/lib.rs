//! Soft-sphere simulation of grains of every size, in two and three dimensions, on any contact detector of [`multigrain`].
//!
//! A [`Setup`] says what there is: materials and their laws of contact, walls, gravity, where grains come from and go. With
//! grains it becomes a [`Simulation`], which owns them in a [`State`] and takes time steps. Its course is the same, bit for
//! bit, for every method of detection, any skin and any number of threads, and after [`Simulation::encode`] and
//! [`Setup::resume`].
//!
//! ```
//! use multigrain_dem::{ContactLaw, Grain, Material, Setup, Wall};
//! let setup = Setup::new()
//!     .material(Material::new(1000.0, ContactLaw::linear(1e4).restitution(0.8).friction(0.5)))
//!     .wall(Wall::inside_box([0.0, 0.0], [1.0, 2.0]))
//!     .gravity([0.0, -9.81]);
//! let grains = (0..50).map(|k| Grain::at([0.1 + 0.2 * f64::from(k % 5), 0.1 + 0.15 * f64::from(k / 5)], 0.05));
//! let mut simulation = setup.clone().build(grains)?;
//! simulation.run(200)?;
//! assert_eq!(simulation.state().len(), 50);
//! println!("{} contacts, {:?}", simulation.contact_count(), simulation.energies());
//!
//! let bytes = simulation.encode();
//! let mut resumed = setup.resume(&bytes)?;
//! simulation.run(100)?;
//! resumed.run(100)?;
//! assert_eq!(simulation.state(), resumed.state());
//! # Ok::<(), multigrain_dem::Error>(())
//! ```
//!
//! One step, phase by phase (a hook may watch them, see [`Phase`]): grains come, positions and velocities advance; the
//! detector finds pairs; pairs are brought into an order that goes by the ids of particles, and remember what they were;
//! each contact pushes; each particle sums what pushes it, walls and weight included, and its velocity follows; grains go.

mod body_forces;
mod bonds;
mod census;
mod change;
mod checksum;
mod clumps;
mod codec;
mod compiled;
mod contacts;
mod describe;
mod details;
mod ending;
mod error;
mod exact_sum;
mod felt;
mod fields;
mod flow;
mod giants;
mod grain;
pub mod guests;
mod heat;
mod insertion;
mod integrator;
mod kernel;
mod law_keys;
mod laws;
mod material;
mod number;
mod on_walls;
mod passing;
mod phase;
mod read_back;
mod region;
mod report;
mod rolling;
mod setup;
mod simulation;
mod soft_gas;
mod space;
mod state;
mod stress;
mod summary;
mod threads;
mod time_step;
mod totals;
mod vector;
mod walls;

pub use body_forces::{Drag, Fluid};
pub use bonds::BondNow;
pub use census::Census;
pub use change::OwnForces;
pub use checksum::Checksum;
pub use clumps::{Clump, ClumpShape, Quaternion, random_turn};
pub use codec::Slice;
#[doc(hidden)]
pub use codec::stream::seal;
pub use details::Details;
pub use error::{Cause, Error};
pub use exact_sum::ExactSum;
pub use felt::Felt;
pub use fields::Field;
pub use flow::{Generator, Made, Meter, Outflow, Pace, Passed};
pub use giants::GIANT_RATIO;
pub use grain::Grain;
pub use guests::{NextWay, OF_CONTACT, OF_PARTICLE};
pub use heat::Heat;
pub use insertion::Poured;
pub use integrator::Integrator;
#[doc(hidden)]
pub use kernel::{use_kernels_up_to, widest_kernel};
pub use law_keys::{CohesionName, DashpotName, LawKeys, LawMistake, RollingName};
pub use laws::{
    Action, BOND_RATIO, Bond, Bridge, Cohesion, Lanes, Law, MAX_HISTORY, Patch, Plastic, Point, RESISTANCE_DAMPING,
    RESISTANCE_STIFFNESS, Resistance, ResistanceKind, Wrench,
};
pub use material::{
    AREA_DAMPING, AREA_STIFFNESS_RATIO, ContactLaw, DAMPING_RATIO, Damping, Dashpot, Elasticity, Friction, Material,
    Repulsion, STIFFNESS_RATIO,
};
pub use number::{LANES, Number, Pack};
pub use phase::Phase;
pub use region::Region;
pub use report::{Contact, Overlaps, WallTouch};
pub use setup::{STEPS_BETWEEN_SORTS, Setup, Skin, TIME_STEP_SHARE, TimeStep};
pub use simulation::{Ending, Simulation};
pub use soft_gas::{collisions_of, relaxed, soft_gas, soft_setup};
pub use space::{Deformation, Matrix, STRESS_BAND};
pub use state::{Fingerprint, State};
pub use stress::{Carried, Stress};
pub use summary::Summary;
pub use totals::{Energies, Totals};
pub use vector::Spin;
pub use walls::{Drive, Oscillation, Servo, Shape, TimeTable, Wall, Wear};
