//! One level of a living grid: its occupied cells and the lists of bodies in them.

use crate::grid::{CellAxis, HashIndex, OccupiedCells, hash_cell};

/// No body: the end of a list.
pub(super) const NOBODY: u32 = u32::MAX;

/// A body and its links to the others of its cell.
#[derive(Debug, Clone)]
pub(super) struct Body<const D: usize> {
    /// As given.
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
    pub level: u32,
    /// Periods between the center as given and as stored in the box.
    pub wrap: [i32; D],
    pub next: u32,
    pub previous: u32,
}

/// The occupied cells of one level. A cell without bodies is removed at once, so that all cells can be walked in time
/// proportional to the bodies.
#[derive(Debug, Clone)]
pub(super) struct LivingLevel<const D: usize> {
    /// Largest radius of a body that may be here.
    pub max_radius: f64,
    pub axes: [CellAxis; D],
    cells: Vec<Cell<D>>,
    index: HashIndex,
    sizes: SizeClasses,
}

#[derive(Debug, Clone)]
struct Cell<const D: usize> {
    place: [i64; D],
    /// First body of its list.
    first: u32,
}

impl<const D: usize> LivingLevel<D> {
    /// A level without bodies.
    pub fn new(max_radius: f64, axes: [CellAxis; D]) -> Self {
        Self { max_radius, axes, cells: Vec::new(), index: HashIndex::default(), sizes: SizeClasses::default() }
    }

    /// Whether no body is here.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A bound on the radii of the bodies here, less than twice the largest of them or next to nothing: how far a query
    /// must look depends on the bodies there are, not on those there could be.
    pub fn largest_radius(&self) -> f64 {
        self.sizes.largest().map_or(0.0, |class| bound_of(class, self.max_radius))
    }

    /// Changes the radius of a body that stays on this level.
    pub fn resize(&mut self, body: &mut Body<D>, radius: f64) {
        self.sizes.remove(class_of(body.radius, self.max_radius));
        self.sizes.add(class_of(radius, self.max_radius));
        body.radius = radius;
    }

    /// First body of a cell.
    pub fn first_in(&self, cell: u32) -> u32 {
        self.cells[cell as usize].first
    }

    /// The body as it is with its center at `center`.
    pub fn placed(&self, body: &Body<D>, center: [f64; D]) -> Body<D> {
        Body { center, wrap: std::array::from_fn(|axis| self.axes[axis].wrap_of(center[axis])), ..*body }
    }

    /// Where a body is stored: inside the box along periodic axes.
    pub fn stored(&self, body: &Body<D>) -> [f64; D] {
        std::array::from_fn(|axis| self.axes[axis].stored(body.center[axis], body.wrap[axis]))
    }

    /// The cell of a stored point.
    pub fn cell_of(&self, stored: [f64; D]) -> [i64; D] {
        std::array::from_fn(|axis| self.axes[axis].cell_of(stored[axis]))
    }

    /// Puts a body into its cell.
    pub fn link(&mut self, bodies: &mut [Body<D>], slot: u32) {
        let place = self.cell_of(self.stored(&bodies[slot as usize]));
        self.sizes.add(class_of(bodies[slot as usize].radius, self.max_radius));
        let next = match self.find(place) {
            Some(cell) => std::mem::replace(&mut self.cells[cell as usize].first, slot),
            None => {
                self.index.insert(hash_cell(0, place), self.cells.len() as u32);
                self.cells.push(Cell { place, first: slot });
                NOBODY
            }
        };
        bodies[slot as usize].next = next;
        bodies[slot as usize].previous = NOBODY;
        if next != NOBODY {
            bodies[next as usize].previous = slot;
        }
    }

    /// Takes a body out of its cell, and the cell away if it was the last.
    pub fn unlink(&mut self, bodies: &mut [Body<D>], slot: u32) {
        let Body { previous, next, radius, .. } = bodies[slot as usize];
        self.sizes.remove(class_of(radius, self.max_radius));
        if next != NOBODY {
            bodies[next as usize].previous = previous;
        }
        if previous != NOBODY {
            bodies[previous as usize].next = next;
            return;
        }
        // Bodies need not remember the number of their cell: only the first of a list ever asks for it.
        let place = self.cell_of(self.stored(&bodies[slot as usize]));
        let Some(cell) = self.find(place) else { unreachable!("a body lies outside its cell") };
        if next == NOBODY {
            self.remove_cell(cell);
        } else {
            self.cells[cell as usize].first = next;
        }
    }

    /// Removes an empty cell; the last one takes its number.
    fn remove_cell(&mut self, cell: u32) {
        self.index.remove(hash_cell(0, self.cells[cell as usize].place), cell);
        self.cells.swap_remove(cell as usize);
        if let Some(moved) = self.cells.get(cell as usize) {
            self.index.renumber(hash_cell(0, moved.place), self.cells.len() as u32, cell);
        }
    }
}

impl<const D: usize> OccupiedCells<D> for LivingLevel<D> {
    fn occupied(&self) -> usize {
        self.cells.len()
    }

    fn find(&self, cell: [i64; D]) -> Option<u32> {
        self.index.find(hash_cell(0, cell), |number| self.cells[number as usize].place == cell)
    }

    fn place(&self, number: usize) -> [i64; D] {
        self.cells[number].place
    }
}

/// Classes of radii: class `k` has those above `max_radius / 2^(k + 1)`, the last one all that are smaller.
const CLASSES: usize = 64;

/// How many bodies are in each class.
#[derive(Debug, Clone)]
struct SizeClasses {
    counts: [u32; CLASSES],
    /// Bit `k` is set where class `k` has bodies.
    occupied: u64,
}

impl Default for SizeClasses {
    fn default() -> Self {
        Self { counts: [0; CLASSES], occupied: 0 }
    }
}

impl SizeClasses {
    fn add(&mut self, class: usize) {
        self.counts[class] += 1;
        self.occupied |= 1 << class;
    }

    fn remove(&mut self, class: usize) {
        self.counts[class] -= 1;
        if self.counts[class] == 0 {
            self.occupied &= !(1 << class);
        }
    }

    /// The class of the largest bodies, if there are any.
    fn largest(&self) -> Option<usize> {
        (self.occupied != 0).then(|| self.occupied.trailing_zeros() as usize)
    }
}

/// The class of a radius up to `max_radius`.
fn class_of(radius: f64, max_radius: f64) -> usize {
    // At least 1, and infinite for points, so that its exponent is the class. Where rounding has made it a power of two,
    // the bound tells.
    let exponent = ((max_radius / radius).to_bits() >> 52) as usize - 1023;
    let class = exponent.min(CLASSES - 1);
    if bound_of(class, max_radius) < radius { class - 1 } else { class }
}

/// What no radius of a class exceeds.
fn bound_of(class: usize, max_radius: f64) -> f64 {
    max_radius / (1u64 << class) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_bound_their_radii_within_a_factor_of_two() {
        for max_radius in [1.0, 1500.0, 0.3, 1e150, 1e-140] {
            for k in 0..2000 {
                let exact = max_radius * 0.5f64.powi(k % 60);
                for radius in [exact, exact.next_down(), exact * (1.0 - 2e-4 * f64::from(k)).max(0.51)] {
                    let bound = bound_of(class_of(radius, max_radius), max_radius);
                    assert!(
                        radius <= bound && bound < 2.0 * radius * (1.0 + 1e-12),
                        "{radius} of {max_radius}: {bound}"
                    );
                }
            }
            assert_eq!(class_of(0.0, max_radius), CLASSES - 1);
        }
    }
}
