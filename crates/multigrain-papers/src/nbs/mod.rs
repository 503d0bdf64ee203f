//! NBS, no binary search: bodies in lists by layer, then by row, then by cell, only where there are any.

mod printed;
mod rows;

use super::classics::{BorderFrame, Borders, Contacts};
use crate::classics::with_strays_removed;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images, share};
use multigrain::threads;
use multigrain::{Layout, Search};
use printed::{Places, PrintedLists};
use rows::Workspace;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Cells along an axis beyond one per body; where there would be more, cells grow along that axis, so that the heads of the
/// lists stay O(N).
const CELLS_BEYOND_BODIES: f64 = 1024.0;

/// Bodies per task of a parallel search, whole layers of them.
const TASK: usize = 1 << 14;

/// The end of every list.
const NONE: u32 = u32::MAX;

/// Bodies of similar size in lists that are rebuilt in every step: all bodies by layer; the bodies of two layers by row; those
/// of five rows by cell. Partners come from half of the neighbouring cells: those behind in the own row, the row behind, and three
/// rows of the layer below.
///
/// By default the list of layers is an array and bodies are copied: links from body to body through all of the memory would have
/// to be waited for one after the other. With [`NbsLists::Linked`] all lists are linked, as the paper prints them.
///
/// Linear in the number of bodies at any density; memory O(N + cells per axis), never O(cells). Quadratic when a large body
/// makes all others share its cell. Cells are counted as looked up.
#[derive(Debug, Default)]
pub struct Nbs<const D: usize> {
    images: Images<D>,
    borders: Borders<D>,
    lists: NbsLists,
    layers: Layers,
    printed: PrintedLists<D>,
    cell_size: f64,
    /// Lists of layers, rows and cells that tasks take and give back.
    workspaces: Mutex<Vec<Workspace<D>>>,
}

/// How NBS keeps its lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NbsLists {
    /// Layers in an array, bodies copied into their rows: faster.
    #[default]
    Copied,
    /// Singly connected lists of the bodies themselves, as printed; on one thread.
    Linked,
}

/// All bodies by layer.
#[derive(Debug, Default)]
struct Layers {
    /// Where the bodies of each layer begin, and behind the last where all end.
    starts: Vec<u32>,
    bodies: Vec<u32>,
}

impl<const D: usize> Nbs<D> {
    /// A detector that has seen nothing yet.
    pub fn new() -> Self {
        const { assert!(D == 2 || D == 3, "NBS knows cells, rows and at most layers") };
        Self::default()
    }

    /// A detector with lists of another kind.
    pub fn with_lists(lists: NbsLists) -> Self {
        Self { lists, ..Self::new() }
    }

    fn with_workspace<T>(&self, work: impl FnOnce(&mut Workspace<D>) -> T) -> T {
        let spare = || self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workspace = spare().pop().unwrap_or_default();
        let result = work(&mut workspace);
        spare().push(workspace);
        result
    }

    /// Cuts the layers into tasks of about equally many bodies.
    fn tasks(&self) -> Vec<Range<usize>> {
        let mut tasks = Vec::new();
        let (mut start, mut bodies) = (0, 0);
        for layer in 0..self.layers.count() {
            bodies += self.layers.bodies_of(layer).len();
            if bodies >= TASK || layer + 1 == self.layers.count() {
                tasks.push(start..layer + 1);
                (start, bodies) = (layer + 1, 0);
            }
        }
        tasks
    }

    fn search_layers<S: PairSink<D>>(&self, now: &Snapshot<'_, D>, grid: &Grid<D>, layers: Range<usize>, sink: &mut S) {
        self.with_workspace(|workspace| {
            let mut contacts = Contacts::new(now, &self.images);
            workspace.prepare(grid.counts);
            for layer in layers.filter(|&layer| !self.layers.bodies_of(layer).is_empty()) {
                if layer > 0 {
                    workspace.take_layer_below(layer - 1, self.layers.bodies_of(layer - 1), now, &self.images, grid);
                }
                workspace.take_layer(layer, self.layers.bodies_of(layer), now, &self.images, grid);
                workspace.search_rows(&mut contacts, sink);
            }
            workspace.clear();
            contacts.finish(sink);
        });
    }
}

impl Layers {
    fn fill(&mut self, layers: usize, bodies: usize, layer_of: impl Fn(usize) -> usize) {
        self.starts.clear();
        self.starts.resize(layers + 1, 0);
        for body in 0..bodies {
            self.starts[layer_of(body)] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.bodies.resize(bodies, 0);
        // From the last to the first, so that each layer's start is where its first body comes to.
        for body in (0..bodies).rev() {
            let start = &mut self.starts[layer_of(body)];
            *start -= 1;
            self.bodies[*start as usize] = body as u32;
        }
    }

    fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn bodies_of(&self, layer: usize) -> &[u32] {
        &self.bodies[self.starts[layer] as usize..self.starts[layer + 1] as usize]
    }
}

impl<const D: usize> Search<D> for Nbs<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        let bodies = self.layers.bodies.len().max(self.printed.len()) as u64;
        Layout {
            direction: None,
            cell_sizes: vec![self.cell_size],
            particles_per_level: vec![bodies],
            ..Layout::default()
        }
    }

    fn index_bytes(&self) -> Option<usize> {
        let lists = (self.layers.starts.capacity() + self.layers.bodies.capacity()) * size_of::<u32>();
        let workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        Some(
            lists
                + self.printed.bytes()
                + workspaces.iter().map(Workspace::bytes).sum::<usize>()
                + self.borders.bytes(),
        )
    }
}

impl<const D: usize> Nbs<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let (lo, hi) = self.images.stored_extent(&now);
        let least = now.largest_reach_rounded();
        let most_cells = now.len() as f64 + CELLS_BEYOND_BODIES;
        let sizes = std::array::from_fn(|axis| least[axis].max((hi[axis] - lo[axis]) / most_cells));
        let grid = Grid::new(lo, hi, sizes, f64::INFINITY);
        self.cell_size = grid.sizes.into_iter().fold(0.0, f64::max);
        let images = &self.images;
        let layers = if D == 3 { grid.counts[D - 1] as usize } else { 1 };
        let places = Places { now: &now, images, grid: &grid };
        match self.lists {
            NbsLists::Copied => self.layers.fill(layers, now.len(), |body| match D {
                3 => grid.cell_along(D - 1, images.stored_center(body, now.centers()[body])[D - 1]) as usize,
                _ => 0,
            }),
            NbsLists::Linked => self.printed.fill(places),
        }
        let frame = BorderFrame { now: &now, images, grid: &grid, bounds: (lo, hi), largest: now.extent().max_radius };
        self.borders.fill(&frame, 0..now.len() as u32, frame.largest);
        sink.mapped();
        if self.lists == NbsLists::Linked {
            let mut contacts = Contacts::new(&now, images);
            self.printed.search(places, &mut contacts, sink);
            contacts.finish(sink);
        } else {
            let tasks = if threads::available() { self.tasks() } else { std::iter::once(0..layers).collect() };
            let detector = &*self;
            share(tasks.into_iter(), sink, || (), |(), layers, sink| detector.search_layers(&now, &grid, layers, sink));
        }
        if self.images.are_periodic() {
            let frame = BorderFrame { images: &self.images, ..frame };
            let mut contacts = Contacts::new(&now, &self.images);
            self.borders.search_among(&frame, &mut contacts, sink);
            contacts.finish(sink);
        }
    }
}
