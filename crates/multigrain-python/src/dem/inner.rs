//! A simulation in the plane or in space, and what both have in common.

use multigrain_dem::{Grain, Simulation as Engine};

/// A simulation in the plane or in space.
pub enum Inner {
    D2(Box<Engine<2>>),
    D3(Box<Engine<3>>),
}

/// Grains to be added, in the plane or in space.
pub enum New {
    D2(Vec<Grain<2>>),
    D3(Vec<Grain<3>>),
}

/// The same expression for both dimensions.
macro_rules! each {
    ($inner:expr, $simulation:ident => $value:expr) => {
        match $inner {
            Inner::D2($simulation) => $value,
            Inner::D3($simulation) => $value,
        }
    };
}

pub(super) use each;

impl Inner {
    /// Number of axes.
    pub fn axes(&self) -> usize {
        match self {
            Self::D2(_) => 2,
            Self::D3(_) => 3,
        }
    }
}
