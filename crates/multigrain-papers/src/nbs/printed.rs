//! NBS as its paper prints it: singly connected lists of bodies through arrays, from body to body wherever these are in memory.

use super::NONE;
use crate::classics::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images};

/// Heads of lists, and for every body the next one of its list: by layer, of two layers by row, of five rows by cell.
#[derive(Debug)]
pub(super) struct PrintedLists<const D: usize> {
    layer_heads: Vec<u32>,
    next_in_layer: Vec<u32>,
    /// The layer that is searched, and the one below it.
    layers: [Heads; 2],
    next_in_row: Vec<u32>,
    /// The row that is searched, the one behind it, and three of the layer below.
    rows: [Heads; 5],
    next_in_cell: Vec<u32>,
}

/// Heads of the lists that one list is taken apart into.
#[derive(Debug, Default)]
struct Heads {
    heads: Vec<u32>,
    /// The layer or row that is here.
    number: Option<u32>,
}

/// What finds the cells of bodies.
#[derive(Clone, Copy)]
pub(super) struct Places<'a, const D: usize> {
    pub now: &'a Snapshot<'a, D>,
    pub images: &'a Images<D>,
    pub grid: &'a Grid<D>,
}

impl<const D: usize> Places<'_, D> {
    /// The cell of a body along an axis; 0 along the third in two dimensions.
    #[inline]
    fn along(&self, axis: usize, body: u32) -> u32 {
        if axis >= D {
            return 0;
        }
        let stored = self.images.stored_center(body as usize, self.now.centers()[body as usize]);
        self.grid.cell_along(axis, stored[axis])
    }
}

impl<const D: usize> Default for PrintedLists<D> {
    fn default() -> Self {
        Self {
            layer_heads: Vec::new(),
            next_in_layer: Vec::new(),
            layers: Default::default(),
            next_in_row: Vec::new(),
            rows: Default::default(),
            next_in_cell: Vec::new(),
        }
    }
}

impl<const D: usize> PrintedLists<D> {
    /// Puts all bodies into the lists of their layers.
    pub fn fill(&mut self, places: Places<'_, D>) {
        let counts = places.grid.counts;
        let bodies = places.now.len();
        self.layer_heads.clear();
        self.layer_heads.resize(if D == 3 { counts[D - 1] as usize } else { 1 }, NONE);
        for next in [&mut self.next_in_layer, &mut self.next_in_row, &mut self.next_in_cell] {
            next.clear();
            next.resize(bodies, NONE);
        }
        for layer in &mut self.layers {
            layer.clear_for(counts[1]);
        }
        for row in &mut self.rows {
            row.clear_for(counts[0]);
        }
        for body in 0..bodies as u32 {
            let head = &mut self.layer_heads[places.along(2, body) as usize];
            self.next_in_layer[body as usize] = std::mem::replace(head, body);
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.next_in_layer.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let next = [&self.next_in_layer, &self.next_in_row, &self.next_in_cell, &self.layer_heads];
        let heads = self.layers.iter().chain(&self.rows).map(|heads| heads.heads.capacity());
        (next.map(Vec::capacity).iter().sum::<usize>() + heads.sum::<usize>()) * size_of::<u32>()
    }

    /// Searches all layers that hold bodies.
    pub fn search<S: PairSink<D>>(&mut self, places: Places<'_, D>, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        for layer in 0..self.layer_heads.len() as u32 {
            let first = self.layer_heads[layer as usize];
            if first == NONE {
                continue;
            }
            // What was searched last may lie below.
            self.layers.swap(0, 1);
            if layer > 0 && self.layers[1].number != Some(layer - 1) {
                self.take_layer(1, layer - 1, places);
            }
            self.take_layer(0, layer, places);
            let mut body = first;
            while body != NONE {
                if sink.stop_requested() {
                    return;
                }
                // Each row once: when the walk comes to the head of its list.
                let row = places.along(1, body);
                if self.layers[0].heads[row as usize] == body {
                    self.search_row(layer, row, places, contacts, sink);
                }
                body = self.next_in_layer[body as usize];
            }
        }
    }

    /// Takes a layer apart into lists by row.
    fn take_layer(&mut self, which: usize, layer: u32, places: Places<'_, D>) {
        // The heads of what was here before: its bodies lead to them.
        if let Some(old) = self.layers[which].number.take() {
            let mut body = self.layer_heads[old as usize];
            while body != NONE {
                self.layers[which].heads[places.along(1, body) as usize] = NONE;
                body = self.next_in_layer[body as usize];
            }
        }
        self.layers[which].number = Some(layer);
        let mut body = self.layer_heads[layer as usize];
        while body != NONE {
            let head = &mut self.layers[which].heads[places.along(1, body) as usize];
            self.next_in_row[body as usize] = std::mem::replace(head, body);
            body = self.next_in_layer[body as usize];
        }
    }

    /// Takes rows apart into lists by cell, searches one of them, and empties these lists.
    fn search_row<S: PairSink<D>>(
        &mut self,
        layer: u32,
        row: u32,
        places: Places<'_, D>,
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        let rows = self.layers[0].heads.len() as u32;
        let behind = (row > 0).then(|| (0, row - 1));
        let has_below = layer > 0 && self.layers[1].number == Some(layer - 1);
        let below = |step: u32| (has_below && row + step >= 1 && row + step <= rows).then(|| (1, row + step - 1));
        let wanted = [Some((0, row)), behind, below(0), below(1), below(2)];
        let mut firsts = [NONE; 5];
        for (place, wanted) in wanted.into_iter().enumerate() {
            if let Some((which, number)) = wanted {
                firsts[place] = self.layers[which].heads[number as usize];
                self.take_row(place, firsts[place], places);
            }
        }
        let mut body = firsts[0];
        while body != NONE {
            let cell = places.along(0, body) as usize;
            let tested = Body::of(places.now, body);
            sink.cells(2);
            self.test(&tested, self.next_in_cell[body as usize], places, contacts, sink);
            if cell > 0 {
                self.test(&tested, self.rows[0].heads[cell - 1], places, contacts, sink);
            }
            for place in (1..5).filter(|&place| firsts[place] != NONE) {
                sink.cells(3);
                let heads = &self.rows[place].heads;
                for &first in &heads[cell.saturating_sub(1)..(cell + 2).min(heads.len())] {
                    self.test(&tested, first, places, contacts, sink);
                }
            }
            body = self.next_in_row[body as usize];
        }
        for (place, first) in firsts.into_iter().enumerate() {
            let mut body = first;
            while body != NONE {
                self.rows[place].heads[places.along(0, body) as usize] = NONE;
                body = self.next_in_row[body as usize];
            }
        }
    }

    fn take_row(&mut self, place: usize, first: u32, places: Places<'_, D>) {
        let mut body = first;
        while body != NONE {
            let head = &mut self.rows[place].heads[places.along(0, body) as usize];
            self.next_in_cell[body as usize] = std::mem::replace(head, body);
            body = self.next_in_row[body as usize];
        }
    }

    /// Tests a body against those of a cell, from `other` on.
    #[inline]
    fn test<S: PairSink<D>>(
        &self,
        body: &Body<D>,
        mut other: u32,
        places: Places<'_, D>,
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        while other != NONE {
            sink.candidates(1);
            contacts.test(body, &Body::of(places.now, other), sink);
            other = self.next_in_cell[other as usize];
        }
    }
}

impl Heads {
    fn clear_for(&mut self, lists: u32) {
        self.heads.clear();
        self.heads.resize(lists as usize, NONE);
        self.number = None;
    }
}
