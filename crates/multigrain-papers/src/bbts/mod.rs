//! BBTS, balanced binary tree: occupied cells in a search tree, loaded and searched again every step.

mod tree;

use super::classics::{Body, BorderFrame, Borders, CellKey, CellMap, Contacts, rows_of_half_mask};
use crate::classics::with_strays_removed;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images, share};
use multigrain::{Layout, Search};
use tree::Tree;

/// Cells per task of a parallel search.
const TASK: usize = 1 << 12;

/// Bodies of similar size in a height-balanced tree over their cells. Load puts every body into the tree; search looks up
/// each cell of the half mask around every occupied cell.
///
/// O(N log N); 32 bytes per body in 3D, if each has a cell of its own and no axis has more than 65,534 cells. Cells are counted
/// as looked up: the own one and 13 more per occupied cell in 3D, 4 in 2D.
#[derive(Debug, Clone, Default)]
pub struct Bbts<const D: usize> {
    images: Images<D>,
    borders: Borders<D>,
    narrow: TreeCells<u64>,
    wide: TreeCells<u128>,
    cell_size: f64,
}

/// The occupied cells, with coordinates of one width.
#[derive(Debug, Clone)]
struct TreeCells<K> {
    tree: Tree<K>,
    /// Nodes of the tree in the order of their cells, so that cells looked up one after another are near each other.
    order: Vec<u32>,
}

impl<K> Default for TreeCells<K> {
    fn default() -> Self {
        Self { tree: Tree::default(), order: Vec::new() }
    }
}

impl<const D: usize> Bbts<D> {
    /// A detector that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const D: usize> Search<D> for Bbts<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        let bodies = self.narrow.tree.bodies_len().max(self.wide.tree.bodies_len()) as u64;
        Layout {
            direction: None,
            cell_sizes: vec![self.cell_size],
            particles_per_level: vec![bodies],
            ..Layout::default()
        }
    }

    fn index_bytes(&self) -> Option<usize> {
        Some(self.narrow.bytes() + self.wide.bytes() + self.borders.bytes())
    }
}

impl<const D: usize> Bbts<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let bounds = self.images.stored_extent(&now);
        let grid = Grid::new(bounds.0, bounds.1, now.largest_reach_rounded(), f64::INFINITY);
        self.cell_size = grid.sizes.into_iter().fold(0.0, f64::max);
        let map = CellMap { now: &now, images: &self.images, grid: &grid };
        let largest = now.extent().max_radius;
        let frame = BorderFrame { now: &now, images: &self.images, grid: &grid, bounds, largest };
        self.borders.fill(&frame, 0..now.len() as u32, largest);
        if grid.counts.iter().all(|&count| count <= u64::MAX_CELLS) {
            self.wide = TreeCells::default();
            self.narrow.load_and_search(&map, sink);
        } else {
            self.narrow = TreeCells::default();
            self.wide.load_and_search(&map, sink);
        }
        if self.images.are_periodic() {
            let mut contacts = Contacts::new(&now, &self.images);
            self.borders.search_among(&frame, &mut contacts, sink);
            contacts.finish(sink);
        }
    }
}

impl<K: CellKey> TreeCells<K> {
    fn bytes(&self) -> usize {
        self.tree.bytes() + self.order.capacity() * size_of::<u32>()
    }

    fn load_and_search<S: PairSink<D>, const D: usize>(&mut self, map: &CellMap<'_, D>, sink: &mut S) {
        self.tree.clear_for(map.now.len());
        for body in 0..map.now.len() as u32 {
            if body % 1024 == 0 && sink.stop_requested() {
                return;
            }
            self.tree.insert(K::pack(map.cell(body)), body);
        }
        self.tree.in_order(&mut self.order);
        sink.mapped();
        let cells = &*self;
        share(self.order.chunks(TASK), sink, || (), |(), nodes, sink| cells.search(nodes, map, sink));
    }

    fn search<S: PairSink<D>, const D: usize>(&self, nodes: &[u32], map: &CellMap<'_, D>, sink: &mut S) {
        let mut steps: Vec<K> = Vec::new();
        let mut to_the_right = [0; D];
        to_the_right[0] = 1;
        steps.push(K::step(to_the_right));
        for [first, _] in rows_of_half_mask::<D>() {
            for x in -1..=1 {
                let mut step = first;
                step[0] = x;
                steps.push(K::step(step));
            }
        }
        let mut contacts = Contacts::new(map.now, map.images);
        let mut own = Vec::new();
        for &node in nodes {
            own.clear();
            own.extend(self.tree.bodies(node).map(|id| Body::of(map.now, id)));
            sink.cells(1 + steps.len() as u64);
            for (place, body) in own.iter().enumerate() {
                if sink.stop_requested() {
                    return;
                }
                let others = &own[place + 1..];
                sink.candidates(others.len() as u64);
                others.iter().for_each(|other| contacts.test(body, other, sink));
            }
            for neighbor in steps.iter().filter_map(|&step| self.tree.find(self.tree.cell(node).moved(step))) {
                for id in self.tree.bodies(neighbor) {
                    if sink.stop_requested() {
                        return;
                    }
                    let other = Body::of(map.now, id);
                    sink.candidates(own.len() as u64);
                    own.iter().for_each(|body| contacts.test(body, &other, sink));
                }
            }
        }
        contacts.finish(sink);
    }
}
