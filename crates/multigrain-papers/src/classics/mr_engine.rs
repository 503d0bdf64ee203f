//! What MR and MR-S do alike: keep the grid, sort the list, search it.

use super::body_list::{BodyList, CellMap, Links};
use super::borders::{BorderFrame, Borders};
use super::cell_key::CellKey;
use super::contacts::Contacts;
use super::kept_grid::{KeptGrid, ROOM_TO_GROW};
use super::row_search::{Finding, search_within};
use crate::classics::with_strays_removed;
use multigrain::Layout;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::Images;

/// What is done in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    /// Whether the order of the last step is mended, or all is sorted again.
    pub keeps_order: bool,
    pub finding: Finding,
}

/// A sorted list of bodies that is kept from step to step, with links of kind `L`.
#[derive(Debug, Clone)]
pub(crate) struct MrEngine<L, const D: usize> {
    steps: Steps,
    stores_cells: bool,
    images: Images<D>,
    borders: Borders<D>,
    grid: KeptGrid<D>,
    list: ListOfAnyWidth<L, D>,
    cell_size: f64,
}

/// A list with coordinates of 16 or 32 bits.
#[derive(Debug, Clone)]
enum ListOfAnyWidth<L, const D: usize> {
    Narrow(BodyList<u64, L, D>),
    Wide(BodyList<u128, L, D>),
}

impl<L: Links, const D: usize> MrEngine<L, D> {
    /// An engine that has seen nothing yet.
    pub fn new(steps: Steps, stores_cells: bool) -> Self {
        Self {
            steps,
            stores_cells,
            images: Images::default(),
            borders: Borders::default(),
            grid: KeptGrid::default(),
            list: ListOfAnyWidth::Narrow(BodyList::new(stores_cells)),
            cell_size: 0.0,
        }
    }

    /// Finds every contact.
    pub fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(&now, sink));
    }

    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: &Snapshot<'_, D>, sink: &mut S) {
        self.images.update(now);
        let bounds = self.images.stored_extent(now);
        let (grid, is_kept) = self.grid.update(now.largest_reach_rounded(), ROOM_TO_GROW, bounds);
        self.cell_size = grid.sizes.into_iter().fold(0.0, f64::max);
        let is_narrow = grid.counts.iter().all(|&count| count <= u64::MAX_CELLS);
        if is_narrow != matches!(self.list, ListOfAnyWidth::Narrow(_)) {
            self.list = match is_narrow {
                true => ListOfAnyWidth::Narrow(BodyList::new(self.stores_cells)),
                false => ListOfAnyWidth::Wide(BodyList::new(self.stores_cells)),
            };
        }
        let frame = BorderFrame { now, images: &self.images, grid: &grid, bounds, largest: now.extent().max_radius };
        self.borders.fill(&frame, 0..now.len() as u32, frame.largest);
        let map = CellMap { now, images: &self.images, grid: &grid };
        match &mut self.list {
            ListOfAnyWidth::Narrow(list) => sort_and_search(list, &map, self.steps, is_kept, sink),
            ListOfAnyWidth::Wide(list) => sort_and_search(list, &map, self.steps, is_kept, sink),
        }
        if self.images.are_periodic() {
            let mut contacts = Contacts::new(now, &self.images);
            self.borders.search_among(&frame, &mut contacts, sink);
            contacts.finish(sink);
        }
    }

    /// One grid with all bodies.
    pub fn layout(&self) -> Layout {
        let bodies = match &self.list {
            ListOfAnyWidth::Narrow(list) => list.len(),
            ListOfAnyWidth::Wide(list) => list.len(),
        };
        Layout {
            direction: None,
            cell_sizes: vec![self.cell_size],
            particles_per_level: vec![bodies as u64],
            ..Layout::default()
        }
    }

    /// How many times the last sort compared two cells.
    pub fn comparisons(&self) -> u64 {
        match &self.list {
            ListOfAnyWidth::Narrow(list) => list.comparisons(),
            ListOfAnyWidth::Wide(list) => list.comparisons(),
        }
    }

    /// Bytes of the list; in periodic boxes also those of the bodies near borders.
    pub fn index_bytes(&self) -> usize {
        let list = match &self.list {
            ListOfAnyWidth::Narrow(list) => list.bytes(),
            ListOfAnyWidth::Wide(list) => list.bytes(),
        };
        list + self.borders.bytes()
    }
}

fn sort_and_search<K: CellKey, L: Links, S: PairSink<D>, const D: usize>(
    list: &mut BodyList<K, L, D>,
    map: &CellMap<'_, D>,
    steps: Steps,
    is_grid_kept: bool,
    sink: &mut S,
) {
    let can_follow = steps.keeps_order && is_grid_kept && list.len() == map.now.len();
    if !(can_follow && list.follow(map, sink.stop())) {
        list.sort_all(map, sink.stop());
    }
    if sink.stop_requested() {
        return list.forget();
    }
    sink.mapped();
    search_within(&list.view(map), map.now, map.images, steps.finding, sink);
}
