//! Elements of meshes as bodies: the smallest sphere around each, and pairs of elements that share no vertex.

mod enclosing;
mod mesh;

pub use enclosing::enclosing_sphere;
pub use mesh::{ElementMesh, MeshError};

/// The example of the README, run as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
