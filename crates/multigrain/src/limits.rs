//! Numbers that bound what the engine takes, each with the reason.

/// Bounds of coordinates, radii, margins and box lengths other than 0: squares of their differences neither over- nor underflow.
pub use multigrain_sizes::{MAX_LENGTH, MIN_LENGTH};

/// Smallest cell: coordinates are a finite number of cells away.
pub const MIN_CELL: f64 = 1e-155;

/// How many periods a body may lie outside its periodic box, and a reach may span: image shifts stay within 32 bits.
pub const MAX_BOXES_AWAY: f64 = (1u64 << 28) as f64;

/// Most cells along one axis; cells grow until they fit. Level, cell and id of a body then fit 128 bits.
pub const MAX_CELLS_PER_AXIS: f64 = (1u64 << 30) as f64;

/// Most cells along an open axis of a grid that only hashes its cells, about as many as there are coordinates.
pub const MAX_CELLS_PER_OPEN_AXIS: f64 = (1u64 << 52) as f64;

/// Most levels of a hierarchical grid. The papers try up to 50; more has never been of use.
pub const MAX_LEVELS: usize = 64;

/// Cells are made larger than asked by this factor, so that rounding in `(x - origin) / cell_size`, at most 2^-22 of a
/// cell with 2^30 cells per axis, never puts two touching bodies two cells apart.
pub const CELL_STRETCH: f64 = 1.0 + 1.0 / (1u64 << 20) as f64;

/// Most contacts with images that a periodic box too small for its bodies may make: beyond, box and bodies are not of one unit, and no list
/// should be asked to hold them.
pub const MAX_CONTACTS_WITH_IMAGES: f64 = (1u64 << 27) as f64;

/// Most bodies of a method that keeps both ends of every body: ranks of ends, and of pieces around a period, fit 32 bits.
pub const MAX_BODIES_WITH_ENDS: usize = 1 << 30;
