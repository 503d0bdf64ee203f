//! What can be wrong with input. Every message names the particle or parameter and its value.

use crate::limits::{MAX_BOXES_AWAY, MAX_CONTACTS_WITH_IMAGES, MAX_LENGTH, MIN_CELL, MIN_LENGTH};
pub(crate) use multigrain_sizes::number;

/// Input that cannot be worked with. Only constructors return errors; a valid snapshot with valid parameters leaves
/// nothing to fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Centers and radii do not belong together.
    #[error("{centers} centers but {radii} radii: every particle needs one of each")]
    LengthMismatch {
        /// Number of centers given.
        centers: usize,
        /// Number of radii given.
        radii: usize,
    },
    /// More particles than 32-bit indices can name.
    #[error("{count} particles are more than the 4,294,967,294 that 32-bit indices can name")]
    TooManyParticles {
        /// Number of particles given.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("{axis} of particle {particle} is {value}, must be finite", axis = axis_name(*axis), value = number(*value))]
    CoordinateNotFinite {
        /// Index of the particle.
        particle: usize,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// The offending value.
        value: f64,
    },
    /// A coordinate is so large that its square overflows.
    #[error("{axis} of particle {particle} is {value}, must lie within ±{MAX_LENGTH:e}", axis = axis_name(*axis), value = number(*value))]
    CoordinateTooLarge {
        /// Index of the particle.
        particle: usize,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// The offending value.
        value: f64,
    },
    /// A radius is NaN or infinite.
    #[error("radius of particle {particle} is {value}, must be finite", value = number(*value))]
    RadiusNotFinite {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A radius is below zero.
    #[error("radius of particle {particle} is {value}, must not be negative", value = number(*value))]
    RadiusNegative {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A radius whose square over- or underflows.
    #[error("radius of particle {particle} is {value:e}, must be 0 or between {MIN_LENGTH:e} and {MAX_LENGTH:e}")]
    RadiusOutOfRange {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A margin that is negative, not finite, or out of range.
    #[error("margin is {value}, must be 0 or between {MIN_LENGTH:e} and {MAX_LENGTH:e}", value = number(*value))]
    Margin {
        /// The offending value.
        value: f64,
    },
    /// A box whose upper border is not above its lower one.
    #[error("box along {axis} runs from {lo} to {hi}: it needs finite borders within ±{MAX_LENGTH:e} and a length above {MIN_LENGTH:e}", axis = axis_name(*axis), lo = number(*lo), hi = number(*hi))]
    Box {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Lower border.
        lo: f64,
        /// Upper border.
        hi: f64,
    },
    /// Edge vectors that make no cell.
    #[error(
        "the cell {problem}: edges need finite numbers within ±{MAX_LENGTH:e}, and periodic ones must span a space"
    )]
    Cell {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A method or object that takes no sheared cells.
    #[error("{what} takes no sheared cell: use a box along the axes")]
    Sheared {
        /// What refuses it.
        what: &'static str,
    },
    /// No direction of search has that name.
    #[error("there is no direction `{name}`: it is top-down or bottom-up")]
    NoSuchDirection {
        /// The name given.
        name: String,
    },
    /// Long work that was asked to stop on the way.
    #[error("stopped before it was done")]
    Stopped,
    /// Groups do not belong to the bodies.
    #[error("{bodies} particles but {groups} groups: every particle needs the number of its group")]
    GroupMismatch {
        /// Number of bodies.
        bodies: usize,
        /// Number of groups given.
        groups: usize,
    },
    /// Two sets of bodies in different domains or with different margins.
    #[error("the two sets have different {what}: give both the same")]
    SetsDiffer {
        /// What differs.
        what: &'static str,
    },
    /// Lower and upper corners do not belong together.
    #[error("{lower} lower corners but {upper} upper ones: every box needs both")]
    CornerMismatch {
        /// Number of lower corners given.
        lower: usize,
        /// Number of upper corners given.
        upper: usize,
    },
    /// A bounding box whose upper border is below its lower one.
    #[error("box of particle {particle} runs from {lo} to {hi} along {axis}: its upper border must not be below its lower one", axis = axis_name(*axis), lo = number(*lo), hi = number(*hi))]
    BoxReversed {
        /// Index of the particle.
        particle: usize,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Lower border.
        lo: f64,
        /// Upper border.
        hi: f64,
    },
    /// A particle so far from a periodic box that its image shift does not fit 32 bits.
    #[error("{axis} of particle {particle} is {value}, more than {MAX_BOXES_AWAY:e} box lengths of {length} away from the periodic box", axis = axis_name(*axis), value = number(*value), length = number(*length))]
    TooManyBoxesAway {
        /// Index of the particle.
        particle: usize,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Coordinate.
        value: f64,
        /// Box length along the axis.
        length: f64,
    },
    /// A periodic box so small against the bodies that image shifts do not fit 32 bits.
    #[error("reach of the largest particle is {reach}, more than {MAX_BOXES_AWAY:e} times the periodic box length {length} along {axis}", axis = axis_name(*axis), length = number(*length), reach = number(*reach))]
    BoxTooSmall {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Twice the largest radius, plus the margin.
        reach: f64,
        /// Box length along the axis.
        length: f64,
    },
    /// A periodic box so small that bodies touch more images of each other than a list should hold.
    #[error(
        "the periodic box is far smaller than the particles: it makes about {contacts:.1e} contacts with images, more than {MAX_CONTACTS_WITH_IMAGES:.1e}"
    )]
    TooManyImages {
        /// About how many contacts there would be.
        contacts: f64,
    },
    /// More particles than a method can count with.
    #[error("{count} particles are more than the {most} that method {method} can count: use another method")]
    TooManyForMethod {
        /// Name of the method.
        method: &'static str,
        /// Number of particles given.
        count: usize,
        /// Most that it takes.
        most: usize,
    },
    /// Cell sizes that are empty, not ascending, not positive or not finite.
    #[error("cell sizes {sizes:?} must be finite, at least {MIN_CELL:e} and strictly ascending, at least one and at most {most}", most = crate::limits::MAX_LEVELS)]
    CellSizes {
        /// The sizes as given.
        sizes: Vec<f64>,
    },
    /// The largest cell cannot hold the largest particle.
    #[error(
        "largest cell size is {largest_cell}, but particle {particle} has diameter {diameter} (margin included): the last cell size must be at least that"
    )]
    CellTooSmall {
        /// The largest size given.
        largest_cell: f64,
        /// Index of the largest particle.
        particle: usize,
        /// Its diameter, margin included.
        diameter: f64,
    },
    /// A number of levels that no grid can have.
    #[error("{count} levels asked for: between 1 and {most} are possible", most = crate::limits::MAX_LEVELS)]
    LevelCount {
        /// The number asked for.
        count: usize,
    },
    /// A setting that the chosen method does not have.
    #[error("method {method} takes no {setting}")]
    NoSuchSetting {
        /// Name of the method.
        method: &'static str,
        /// What was asked for.
        setting: &'static str,
    },
    /// A body that is already in the living grid.
    #[error("particle {particle} is already in the grid: remove it first, or move it")]
    AlreadyThere {
        /// Id of the particle.
        particle: u32,
    },
    /// A body that is not in the living grid.
    #[error("particle {particle} is not in the grid: insert it first")]
    NotThere {
        /// Id of the particle.
        particle: u32,
    },
    /// Sizes that cannot be worked with.
    #[error(transparent)]
    Sizes(#[from] multigrain_sizes::Error),
    /// A parameter that cannot be met.
    #[error("{what} is {value}, {must}", value = number(*value))]
    Parameter {
        /// Name of the parameter.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
}

impl Error {
    /// The particle that is at fault, by its index; for those who know it by another one.
    pub fn particle_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::CoordinateNotFinite { particle, .. }
            | Self::CoordinateTooLarge { particle, .. }
            | Self::RadiusNotFinite { particle, .. }
            | Self::RadiusNegative { particle, .. }
            | Self::RadiusOutOfRange { particle, .. }
            | Self::TooManyBoxesAway { particle, .. }
            | Self::CellTooSmall { particle, .. }
            | Self::BoxReversed { particle, .. } => Some(particle),
            _ => None,
        }
    }
}

/// `x`, `y`, `z`, for messages.
pub(crate) fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"].get(axis).copied().unwrap_or("a coordinate")
}
