//! Numbers that bound what shapes and places may be, each with the reason.

/// Largest distance of a corner from the origin of the list that it is given in: fourth powers, as in the moment of
/// inertia, stay finite.
pub const MAX_SIZE: f64 = 1e70;

/// Smallest size of a shape: fourth powers stay above zero.
pub const MIN_SIZE: f64 = 1e-70;

/// Largest coordinate of a place: its product with the size of a shape stays finite.
pub const MAX_POSITION: f64 = 1e150;

/// Largest angle, in radians: beyond it turning by less than a degree is lost to rounding.
pub const MAX_ANGLE: f64 = 1e12;

/// Most corners of a polygon.
pub const MAX_CORNERS: usize = 1_000_000;
