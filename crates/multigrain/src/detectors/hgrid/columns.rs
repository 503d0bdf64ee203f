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

    /// All columns, borrowed.
    pub fn view(&self) -> Lanes<'_, R, D> {
        Lanes {
            position: self.position.each_ref().map(|column| &column[..self.len + LANES]),
            radius: &self.radius[..self.len + LANES],
            ids: &self.ids[..self.len + LANES],
            keys: &self.keys[..self.len + LANES],
        }
    }
}

/// The sorted bodies, borrowed. Every slice ends [`LANES`] values after the last body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes<'a, R, const D: usize> {
    pub position: [&'a [R]; D],
    pub radius: &'a [R],
    pub ids: &'a [u32],
    pub keys: &'a [u32],
}

impl<R: Real, const D: usize> Lanes<'_, R, D> {
    #[inline(always)]
    pub fn position_of(&self, p: usize) -> [R; D] {
        std::array::from_fn(|axis| self.position[axis][p])
    }
}
