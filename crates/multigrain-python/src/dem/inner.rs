//! A simulation in the plane or in space, and what both have in common.

use multigrain_dem::{Grain, Simulation as Engine};

/// A simulation in the plane or in space.
pub enum Inner {
    Flat(Box<Engine<2>>),
    Solid(Box<Engine<3>>),
}

/// Grains to be added, in the plane or in space.
pub enum New {
    Flat(Vec<Grain<2>>),
    Solid(Vec<Grain<3>>),
}

/// The same expression for both dimensions.
macro_rules! each {
    ($inner:expr, $simulation:ident => $value:expr) => {
        match $inner {
            Inner::Flat($simulation) => $value,
            Inner::Solid($simulation) => $value,
        }
    };
}

pub(super) use each;

impl Inner {
    /// Number of axes.
    pub fn axes(&self) -> usize {
        match self {
            Self::Flat(_) => 2,
            Self::Solid(_) => 3,
        }
    }
}
