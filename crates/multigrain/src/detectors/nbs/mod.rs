//! NBS, no binary search: bodies in singly linked lists, by layer, then by row, then by cell, only where there are any.

mod rows;

use super::classics::{Borders, Contacts, Frame};
use crate::detector::{Layout, Search};
use crate::detectors::toolkit::{Grid, Images, share};
use crate::error::Error;
use crate::method::{Build, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::threads;
use rows::Workspace;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Cells along an axis beyond one per body; where there would be more, cells grow along that axis, so that the heads of the
/// lists stay O(N).
const CELLS_BEYOND_BODIES: f64 = 1024.0;

/// Bodies per task of a parallel search, whole layers of them.
const TASK: u64 = 1 << 14;

/// The end of every list.
const NONE: u32 = u32::MAX;

/// Bodies of similar size in lists that are rebuilt in every step: all bodies by layer; the bodies of two layers by row; those
/// of five rows by cell. Partners come from half of the neighbouring cells: those behind in the own row, the row behind,
/// and three rows of the layer below.
///
/// Linear in the number of bodies at any density; memory O(N + cells per axis), never O(cells). Quadratic when a large body
/// makes all others share its cell. Cells are counted as looked up.
#[derive(Debug, Default)]
pub struct Nbs<const D: usize> {
    images: Images<D>,
    borders: Borders<D>,
    lists: LayerLists,
    cell_size: f64,
    /// Lists of layers, rows and cells that tasks take and give back.
    workspaces: Mutex<Vec<Workspace<D>>>,
}

/// All bodies by layer.
#[derive(Debug, Default)]
struct LayerLists {
    /// The first body of each layer.
    heads: Vec<u32>,
    /// How many bodies each layer has.
    counts: Vec<u32>,
    /// The next body of the same layer.
    next: Vec<u32>,
}

impl<const D: usize> Nbs<D> {
    /// A detector that has seen nothing yet.
    pub fn new() -> Self {
        const { assert!(D == 2 || D == 3, "NBS knows cells, rows and at most layers") };
        Self::default()
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
        for (layer, &count) in self.lists.counts.iter().enumerate() {
            bodies += u64::from(count);
            if bodies >= TASK || layer + 1 == self.lists.counts.len() {
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
            for layer in layers.filter(|&layer| self.lists.heads[layer] != NONE) {
                if layer > 0 {
                    workspace.take_layer_below(layer - 1, self.bodies_of(layer - 1), now, &self.images, grid);
                }
                workspace.take_layer(layer, self.bodies_of(layer), now, &self.images, grid);
                workspace.search_rows(&mut contacts, sink);
            }
            workspace.clear();
            contacts.finish(sink);
        });
    }

    fn bodies_of(&self, layer: usize) -> impl Iterator<Item = u32> {
        let following = |body: &u32| Some(self.lists.next[*body as usize]).filter(|&next| next != NONE);
        std::iter::successors(Some(self.lists.heads[layer]).filter(|&head| head != NONE), following)
    }
}

impl LayerLists {
    fn fill(&mut self, layers: usize, bodies: usize, layer_of: impl Fn(usize) -> usize) {
        self.heads.clear();
        self.heads.resize(layers, NONE);
        self.counts.clear();
        self.counts.resize(layers, 0);
        self.next.resize(bodies, NONE);
        for body in 0..bodies {
            let layer = layer_of(body);
            self.next[body] = self.heads[layer];
            self.heads[layer] = body as u32;
            self.counts[layer] += 1;
        }
    }
}

impl<const D: usize> Build<D> for Nbs<D> {
    fn build(_now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        settings.refuse_levels("nbs")?;
        Ok(Self::new())
    }
}

impl<const D: usize> Search<D> for Nbs<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let (lo, hi) = self.images.stored_extent(&now);
        let size = now.largest_reach() + now.rounding_slack();
        let most_cells = now.len() as f64 + CELLS_BEYOND_BODIES;
        let sizes = std::array::from_fn(|axis| size.max((hi[axis] - lo[axis]) / most_cells));
        let grid = Grid::new(lo, hi, sizes, f64::INFINITY);
        self.cell_size = grid.sizes.into_iter().fold(0.0, f64::max);
        let images = &self.images;
        let layers = if D == 3 { grid.counts[D - 1] as usize } else { 1 };
        self.lists.fill(layers, now.len(), |body| match D {
            3 => grid.cell_along(D - 1, images.stored_center(body, now.centers()[body])[D - 1]) as usize,
            _ => 0,
        });
        let frame = Frame { now: &now, images, grid: &grid, bounds: (lo, hi), largest: now.extent().max_radius };
        self.borders.fill(&frame, 0..now.len() as u32, frame.largest);
        sink.mapped();
        let tasks = if threads::available() { self.tasks() } else { std::iter::once(0..layers).collect() };
        let detector = &*self;
        share(tasks.into_iter(), sink, || (), |(), layers, sink| detector.search_layers(&now, &grid, layers, sink));
        if self.images.are_periodic() {
            let frame = Frame { images: &self.images, ..frame };
            let mut contacts = Contacts::new(&now, &self.images);
            self.borders.search_among(&frame, &mut contacts, sink);
            contacts.finish(sink);
        }
    }

    fn layout(&self) -> Layout {
        let bodies = self.lists.next.len() as u64;
        Layout { direction: None, cell_sizes: vec![self.cell_size], particles_per_level: vec![bodies] }
    }

    fn index_bytes(&self) -> Option<usize> {
        let LayerLists { heads, counts, next } = &self.lists;
        let lists = [heads, counts, next].iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>();
        let workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        Some(lists + workspaces.iter().map(Workspace::bytes).sum::<usize>() + self.borders.bytes())
    }
}
