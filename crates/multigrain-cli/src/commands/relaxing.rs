//! Soft relaxation after growth, with a bar.

use crate::progress::Progress;
use anyhow::{Context, Result};
use multigrain::{Axes, Dimension, System};
use multigrain_dem::{collisions_of, relaxed};

/// The same bodies after the given number of soft collisions each, between hard walls where axes are not periodic.
pub fn relax<const D: usize>(system: System<D>, collisions_each: f64, seed: u64) -> Result<System<D>>
where
    Axes: Dimension<D>,
{
    let bar = Progress::steps("relaxing", collisions_of(&system, collisions_each));
    // Another sequence than that of growth.
    relaxed(system, collisions_each, !seed, |begun| bar.advance(begun)).context("cannot relax the system")
}
