//! Bodies sorted by level and cell, one array per quantity, so that a row of cells is one contiguous range of each.

use super::kernel::LANES;
use super::real::Real;

/// The sorted bodies. Every array is longer by [`LANES`] than there are bodies, so that a vector load that begins at a
/// body never leaves it.
#[derive(Debug, Clone)]
pub(super) struct Columns<R, const D: usize> {
    /// Stored positions, relative to a common origin.
    pub position: [Vec<R>; D],
    pub radius: Vec<R>,
    pub ids: Vec<u32>,
    /// Key of each body's cell.
    pub keys: Vec<u32>,
    len: usize,
}

impl<R: Real, const D: usize> Columns<R, D> {
    pub fn new() -> Self {
        let position = std::array::from_fn(|_| Vec::new());
        Self { position, radius: Vec::new(), ids: Vec::new(), keys: Vec::new(), len: 0 }
    }

    /// Makes room for `len` bodies. What the arrays held is of no meaning afterwards.
    pub fn resize(&mut self, len: usize) {
        self.len = len;
        for column in self.position.iter_mut().chain([&mut self.radius]) {
            column.resize(len + LANES, R::default());
        }
        for column in [&mut self.ids, &mut self.keys] {
            column.resize(len + LANES, 0);
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn position_of(&self, p: usize) -> [R; D] {
        std::array::from_fn(|axis| self.position[axis][p])
    }
}
