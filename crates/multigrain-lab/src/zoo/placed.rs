//! The bodies of an arrangement, with the margin of contact.

use multigrain::System;
use multigrain::{Axes, Dimension, Error, Snapshot};

/// Bodies, their box and the gap below which they count as touching.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed<const D: usize> {
    /// The bodies and their box.
    pub system: System<D>,
    /// The margin of contact.
    pub margin: f64,
}

impl<const D: usize> Placed<D>
where
    Axes: Dimension<D>,
{
    /// The bodies as a detector takes them.
    pub fn snapshot(&self) -> Result<Snapshot<'_, D>, Error> {
        self.system.snapshot()?.with_margin(self.margin)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.system.radii.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.system.radii.is_empty()
    }
}
