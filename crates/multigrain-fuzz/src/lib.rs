//! What bytes of any kind must not break: one function of bytes per reader, for scenes, checkpoints, the engine and more.
//!
//! The functions are the same for libFuzzer (the targets in `fuzz`) and for the [plain driver](campaign), which needs nothing but stable
//! Rust. Anything wrong is a panic.

mod bytes;
pub mod campaign;
pub mod faults;
mod mutate;
mod seeds;
mod targets;

pub use seeds::small_scenes;
pub use targets::{ALL, Outcome, Target, target};
