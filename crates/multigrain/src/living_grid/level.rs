//! One level of a living grid: its occupied cells and the lists of bodies in them.

use crate::detectors::toolkit::{CellAxis, HashIndex, OccupiedCells, hash_cell};

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
    /// Largest radius of a body here.
    pub max_radius: f64,
    pub axes: [CellAxis; D],
    cells: Vec<Cell<D>>,
    index: HashIndex,
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
        Self { max_radius, axes, cells: Vec::new(), index: HashIndex::default() }
    }

    /// Whether no body is here.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
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
        let Body { previous, next, .. } = bodies[slot as usize];
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
