//! Bodies sorted by level and cell, one array per quantity, so that a row of cells is one contiguous range of each.

use super::kernel::LANES;
use std::ops::Range;

/// Values in every column behind those of the bodies: two tests that begin at the same body, one behind the other, never
/// leave the columns.
const SPARE: usize = 2 * LANES;

/// Twice the largest relative error of rounding to the columns' precision, and of one operation in it.
pub(super) const ROUNDING: f64 = f32::EPSILON as f64;

/// The sorted bodies.
#[derive(Debug, Clone)]
pub(super) struct Columns<const D: usize> {
    /// Stored positions, relative to a common origin.
    pub position: [Vec<f32>; D],
    pub radius: Vec<f32>,
    pub ids: Vec<u32>,
    /// Key of each body's cell.
    pub keys: Vec<u32>,
    len: usize,
}

impl<const D: usize> Columns<D> {
    pub fn new() -> Self {
        let position = std::array::from_fn(|_| Vec::new());
        Self { position, radius: Vec::new(), ids: Vec::new(), keys: Vec::new(), len: 0 }
    }

    /// Makes room for `len` bodies. What the arrays held is of no meaning afterwards.
    pub fn resize(&mut self, len: usize) {
        self.len = len;
        for column in self.position.iter_mut().chain([&mut self.radius]) {
            column.resize(len + SPARE, 0.0);
        }
        for column in [&mut self.ids, &mut self.keys] {
            column.resize(len + SPARE, 0);
        }
    }

    /// All columns, borrowed.
    pub fn view(&self) -> Lanes<'_, D> {
        Lanes {
            position: self.position.each_ref().map(|column| &column[..self.len + SPARE]),
            radius: &self.radius[..self.len + SPARE],
            ids: &self.ids[..self.len + SPARE],
            keys: &self.keys[..self.len + SPARE],
        }
    }
}

/// The sorted bodies, borrowed. Every slice ends [`SPARE`] values after the last body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes<'a, const D: usize> {
    pub position: [&'a [f32]; D],
    pub radius: &'a [f32],
    pub ids: &'a [u32],
    pub keys: &'a [u32],
}

impl<const D: usize> Lanes<'_, D> {
    /// Some of the bodies, without anything behind them.
    #[inline(always)]
    pub fn of(&self, bodies: Range<usize>) -> Self {
        Self {
            position: self.position.map(|column| &column[bodies.clone()]),
            radius: &self.radius[bodies.clone()],
            ids: &self.ids[bodies.clone()],
            keys: &self.keys[bodies],
        }
    }

    #[inline(always)]
    pub fn position_of(&self, p: usize) -> [f32; D] {
        std::array::from_fn(|axis| self.position[axis][p])
    }
}
