//! What the lab's programs share: the systems they measure, contenders that take turns, tables, a counting allocator.
//!
//! The programs themselves are benches and examples, listed in the README of this crate.

pub mod arguments;
pub mod clock;
pub mod counting_allocator;
pub mod dense;
pub mod engine;
pub mod gas;
pub mod polygon_check;
pub mod polygon_pairs;
pub mod program;
pub mod results;
pub mod scene;
pub mod spheres;
pub mod table;
pub mod timing;
pub mod valgrind;
pub mod zoo;

/// The examples of the README, run as doc-tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending.md")]
struct Extending;
