//! The lists of rows and cells around the row that is searched.

use super::NONE;
use crate::classics::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images};

/// Rows of a layer are visited along y where there are at most this many per body, so that a row in use is the next one's
/// neighbour; else in the order of their bodies, so that empty rows cost nothing.
const ROWS_PER_BODY: usize = 4;

/// This many bodies ahead are asked for while a layer is taken.
const AHEAD: usize = 16;

/// Two layers in lists by row, and five rows in lists by cell: what is needed to search one row.
#[derive(Debug)]
pub(super) struct Workspace<const D: usize> {
    layer: Layer<D>,
    below: Layer<D>,
    /// The row that is searched and the one behind it, by whether their number is even.
    rows: [LayerRow<D>; 2],
    /// Rows of the layer below, by the remainder of their number.
    rows_below: [LayerRow<D>; 3],
}

/// The bodies of a layer, in lists by row.
#[derive(Debug)]
struct Layer<const D: usize> {
    number: Option<usize>,
    bodies: Vec<Body<D>>,
    /// Cell along x and y of each body.
    cells: Vec<[u32; 2]>,
    /// The next body of the same row, by its place in this layer.
    next: Vec<u32>,
    /// The first body of each row.
    heads: Vec<u32>,
}

/// The bodies of a row, in lists by cell.
#[derive(Debug)]
struct LayerRow<const D: usize> {
    number: Option<u32>,
    bodies: Vec<Listed<D>>,
    /// The first body of each cell; the cells before the first and behind the last are there too, and empty.
    heads: Vec<u32>,
}

/// A body in the list of its cell.
#[derive(Debug, Clone, Copy)]
struct Listed<const D: usize> {
    body: Body<D>,
    /// Place of its cell among the heads.
    cell: u32,
    /// The next body of the same cell.
    next: u32,
}

impl<const D: usize> Default for Workspace<D> {
    fn default() -> Self {
        Self {
            layer: Layer::default(),
            below: Layer::default(),
            rows: std::array::from_fn(|_| LayerRow::default()),
            rows_below: std::array::from_fn(|_| LayerRow::default()),
        }
    }
}

impl<const D: usize> Default for Layer<D> {
    fn default() -> Self {
        Self { number: None, bodies: Vec::new(), cells: Vec::new(), next: Vec::new(), heads: Vec::new() }
    }
}

impl<const D: usize> Default for LayerRow<D> {
    fn default() -> Self {
        Self { number: None, bodies: Vec::new(), heads: Vec::new() }
    }
}

impl<const D: usize> Workspace<D> {
    /// Makes room for this many cells along each axis. All lists are empty before and after.
    pub fn prepare(&mut self, counts: [u32; D]) {
        for layer in [&mut self.layer, &mut self.below] {
            layer.heads.resize(counts[1] as usize, NONE);
        }
        for row in self.rows.iter_mut().chain(&mut self.rows_below) {
            row.heads.resize(counts[0] as usize + 2, NONE);
        }
    }

    /// Empties all lists.
    pub fn clear(&mut self) {
        self.layer.clear();
        self.below.clear();
        self.rows.iter_mut().chain(&mut self.rows_below).for_each(LayerRow::clear);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let layers = [&self.layer, &self.below].iter().map(|layer| layer.bytes()).sum::<usize>();
        layers + self.rows.iter().chain(&self.rows_below).map(LayerRow::bytes).sum::<usize>()
    }

    /// Takes the bodies of the layer below the one to search next; often it is the one searched before.
    pub fn take_layer_below(
        &mut self,
        number: usize,
        bodies: &[u32],
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        grid: &Grid<D>,
    ) {
        if self.layer.number == Some(number) {
            std::mem::swap(&mut self.layer, &mut self.below);
        } else {
            self.below.fill(number, bodies, now, images, grid);
        }
    }

    /// Takes the bodies of the layer to search.
    pub fn take_layer(
        &mut self,
        number: usize,
        bodies: &[u32],
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        grid: &Grid<D>,
    ) {
        self.layer.fill(number, bodies, now, images, grid);
        self.rows.iter_mut().chain(&mut self.rows_below).for_each(LayerRow::clear);
    }

    /// Searches every row of the layer that holds bodies.
    pub fn search_rows<S: PairSink<D>>(&mut self, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        let (rows, bodies) = (self.layer.heads.len(), self.layer.bodies.len());
        if rows <= ROWS_PER_BODY * bodies {
            for row in 0..rows {
                if self.layer.heads[row] != NONE {
                    self.search_row(row as u32, contacts, sink);
                }
            }
        } else {
            for body in 0..bodies {
                let row = self.layer.cells[body][1];
                if self.layer.heads[row as usize] == body as u32 {
                    self.search_row(row, contacts, sink);
                }
            }
        }
    }

    fn search_row<S: PairSink<D>>(&mut self, number: u32, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        let Self { layer, below, rows, rows_below } = self;
        rows[number as usize % 2].fill(number, layer);
        let has_behind = number > 0;
        if has_behind {
            rows[(number as usize + 1) % 2].fill(number - 1, layer);
        }
        let [even, odd] = &*rows;
        let (own, behind) = if number.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let mut whole: [Option<&LayerRow<D>>; 4] = [None; 4];
        whole[0] = Some(behind).filter(|row| has_behind && !row.bodies.is_empty());
        if below.number.is_some() && !below.bodies.is_empty() {
            let (first, last) = (number.saturating_sub(1), (number + 1).min(below.heads.len() as u32 - 1));
            for near in first..=last {
                rows_below[near as usize % 3].fill(near, below);
            }
            for (near, place) in (first..=last).zip(1..) {
                whole[place] = Some(&rows_below[near as usize % 3]).filter(|row| !row.bodies.is_empty());
            }
        }
        for listed in &own.bodies {
            if sink.stop_requested() {
                return;
            }
            own.test(&listed.body, listed.next, contacts, sink);
            own.test(&listed.body, own.heads[listed.cell as usize - 1], contacts, sink);
            sink.cells(2);
            for row in whole.iter().flatten() {
                sink.cells(3);
                for cell in listed.cell - 1..=listed.cell + 1 {
                    row.test(&listed.body, row.heads[cell as usize], contacts, sink);
                }
            }
        }
    }
}

impl<const D: usize> Layer<D> {
    fn bytes(&self) -> usize {
        let bodies = self.bodies.capacity() * size_of::<Body<D>>() + self.cells.capacity() * size_of::<[u32; 2]>();
        bodies + (self.next.capacity() + self.heads.capacity()) * size_of::<u32>()
    }

    fn fill(&mut self, number: usize, bodies: &[u32], now: &Snapshot<'_, D>, images: &Images<D>, grid: &Grid<D>) {
        self.clear();
        self.number = Some(number);
        // First all bodies, then their cells: waiting for memory is done for many at once.
        for (place, &id) in bodies.iter().enumerate() {
            if let Some(&coming) = bodies.get(place + AHEAD) {
                Body::prefetch(now, coming);
            }
            self.bodies.push(Body::of(now, id));
        }
        for (place, body) in self.bodies.iter().enumerate() {
            let stored = images.stored_center(body.id as usize, body.center);
            let cell = [0, 1].map(|axis| grid.cell_along(axis, stored[axis]));
            let head = &mut self.heads[cell[1] as usize];
            self.cells.push(cell);
            self.next.push(*head);
            *head = place as u32;
        }
    }

    fn clear(&mut self) {
        for cell in &self.cells {
            self.heads[cell[1] as usize] = NONE;
        }
        self.number = None;
        self.bodies.clear();
        self.cells.clear();
        self.next.clear();
    }
}

impl<const D: usize> LayerRow<D> {
    fn bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<Listed<D>>() + self.heads.capacity() * size_of::<u32>()
    }

    /// Takes the bodies of a row, unless they are here already.
    fn fill(&mut self, number: u32, layer: &Layer<D>) {
        if self.number == Some(number) {
            return;
        }
        self.clear();
        self.number = Some(number);
        let mut place = layer.heads[number as usize];
        while place != NONE {
            // Heads begin with the cell before the first.
            let cell = layer.cells[place as usize][0] + 1;
            let head = &mut self.heads[cell as usize];
            self.bodies.push(Listed { body: layer.bodies[place as usize], cell, next: *head });
            *head = self.bodies.len() as u32 - 1;
            place = layer.next[place as usize];
        }
    }

    fn clear(&mut self) {
        for listed in &self.bodies {
            self.heads[listed.cell as usize] = NONE;
        }
        self.number = None;
        self.bodies.clear();
    }

    /// Tests a body against those of a cell, from the one at `place` on.
    #[inline]
    fn test<S: PairSink<D>>(&self, body: &Body<D>, mut place: u32, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        while place != NONE {
            let other = &self.bodies[place as usize];
            sink.candidates(1);
            contacts.test(body, &other.body, sink);
            place = other.next;
        }
    }
}
