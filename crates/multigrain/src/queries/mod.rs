//! Questions about few places among many bodies.

mod tree;

pub(crate) use tree::BodyTree;
