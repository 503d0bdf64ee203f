//! Elements of meshes as bodies: the smallest sphere around each, and pairs of elements that share no vertex. Surfaces as walls
//! are made of, checked.

mod enclosing;
mod findings;
mod mesh;
mod surface;
mod topology;

pub use enclosing::enclosing_sphere;
pub use findings::{Finding, Findings, Flaw};
pub use mesh::{ElementMesh, MeshError};
pub use surface::Surface;

/// The example of the README, run as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
