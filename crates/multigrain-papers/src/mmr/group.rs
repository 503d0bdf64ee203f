//! A group of bodies of about one size: its cells, and its list that is kept from step to step.

use crate::classics::{
    BodyList, CellKey, CellMap, Contactors, CopiedBodies, Finding, KeptGrid, NearBodies, OneWay, Stop, Targets,
    search_from_targets, search_within,
};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images};

/// The diameters of a group, margin included.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupSizes {
    /// They are above this,
    pub above: f64,
    /// and at most this.
    pub up_to: f64,
}

/// The bodies of a group in the order of its cells.
#[derive(Debug, Clone)]
pub(super) struct Group<const D: usize> {
    pub sizes: GroupSizes,
    kept: KeptGrid<D>,
    grid: Option<Grid<D>>,
    list: List<D>,
    /// All smaller bodies in the order of this group's cells, where they are kept so.
    smaller: Option<List<D>>,
}

/// What a list keeps beside the numbers of its bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    /// Nothing: cells are computed whenever they are needed.
    Numbers,
    /// Cells.
    Cells,
    /// Cells, and while a step lasts all that a search asks for.
    Bodies,
}

impl ListKind {
    fn list<K: CellKey, const D: usize>(self, ids: Vec<u32>) -> Sorted<K, D> {
        Sorted {
            list: BodyList::of(ids, self != Self::Numbers),
            copies: (self == Self::Bodies).then(CopiedBodies::default),
        }
    }
}

/// A list that is kept from step to step.
#[derive(Debug, Clone)]
struct List<const D: usize> {
    bodies: AnyWidth<D>,
    kind: ListKind,
    /// Whether it is in the order of the last step's cells.
    is_sorted: bool,
}

/// A list with coordinates of 16 or 32 bits.
#[derive(Debug, Clone)]
enum AnyWidth<const D: usize> {
    Narrow(Sorted<u64, D>),
    Wide(Sorted<u128, D>),
}

/// A list, and its bodies copied in its order.
#[derive(Debug, Clone)]
struct Sorted<K: CellKey, const D: usize> {
    list: BodyList<K, OneWay, D>,
    copies: Option<CopiedBodies<K, D>>,
}

impl<K: CellKey, const D: usize> Sorted<K, D> {
    fn bytes(&self) -> usize {
        self.list.bytes() + self.copies.as_ref().map_or(0, CopiedBodies::bytes)
    }

    /// Brings the list into order, and copies its bodies.
    fn sort(&mut self, map: &CellMap<'_, D>, can_follow: bool, stop: Stop<'_>) {
        if !(can_follow && self.list.follow(map, stop)) {
            self.list.sort_fully(map, stop);
        }
        if stop() {
            return;
        }
        if let Some(copies) = &mut self.copies {
            copies.fill(&self.list.view(map), map.now);
        }
    }

    /// Finds the contacts within the list.
    fn search_within<S: PairSink<D>>(&self, map: &CellMap<'_, D>, sink: &mut S) {
        match &self.copies {
            Some(copies) => copies.search_within(map, sink),
            None => search_within(&self.list.view(map), map.now, map.images, Finding::Forward, sink),
        }
    }

    /// Finds the contacts with the bodies of others, where these are smaller.
    fn search_from<'a, S: PairSink<D>>(
        &self,
        others: impl Iterator<Item = &'a List<D>>,
        map: &CellMap<'_, D>,
        marks: &mut Vec<u32>,
        sink: &mut S,
    ) {
        match &self.copies {
            Some(copies) => {
                others.filter_map(List::copied).for_each(|targets| copies.search_from(targets, map, sink));
            }
            None => {
                let found = Contactors::new::<K>(self.list.view(map), map, marks);
                others.for_each(|other| search_from_targets(&found, other.targets(), sink));
            }
        }
    }
}

impl<const D: usize> Group<D> {
    /// A group of the bodies `ids`, not sorted yet, with a list of smaller ones or without.
    pub fn new(sizes: GroupSizes, ids: Vec<u32>, smaller: Option<Vec<u32>>, kind: ListKind) -> Self {
        let smaller = smaller.map(|ids| List::new(ids, kind));
        Self { sizes, kept: KeptGrid::default(), grid: None, list: List::new(ids, kind), smaller }
    }

    /// The bodies, in any order.
    pub fn ids(&self) -> &[u32] {
        self.list.targets().ids
    }

    /// The grid of the last step.
    pub fn grid(&self) -> Option<&Grid<D>> {
        self.grid.as_ref()
    }

    /// Bytes of the lists.
    pub fn bytes(&self) -> usize {
        self.list.bytes() + self.smaller.as_ref().map_or(0, List::bytes)
    }

    /// Brings the lists into the order of cells of size `needed`: by MR sort, or by quick sort if a list is new, if the cells
    /// have changed or if a body moved by more than one of them. In no order if `stop` says so on the way.
    pub fn sort(
        &mut self,
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        needed: [f64; D],
        room: f64,
        bounds: ([f64; D], [f64; D]),
        stop: Stop<'_>,
    ) {
        let (grid, is_kept) = self.kept.update(needed, room, bounds);
        self.grid = Some(grid);
        let map = CellMap { now, images, grid: &grid };
        self.list.sort(&map, is_kept, stop);
        if let Some(smaller) = &mut self.smaller {
            smaller.sort(&map, is_kept, stop);
        }
    }

    /// Finds the contacts within the group.
    pub fn search_within<S: PairSink<D>>(&self, map: &CellMap<'_, D>, sink: &mut S) {
        match &self.list.bodies {
            AnyWidth::Narrow(sorted) => sorted.search_within(map, sink),
            AnyWidth::Wide(sorted) => sorted.search_within(map, sink),
        }
    }

    /// Finds the contacts with the bodies of smaller groups. `marks` is memory to work in.
    pub fn search_smaller<S: PairSink<D>>(
        &self,
        groups: &[Self],
        map: &CellMap<'_, D>,
        marks: &mut Vec<u32>,
        sink: &mut S,
    ) {
        match &self.smaller {
            // Both lists are in the order of the same cells.
            Some(smaller) => smaller.search_from([&self.list].into_iter(), map, marks, sink),
            None => self.list.search_from(groups.iter().map(|group| &group.list), map, marks, sink),
        }
    }
}

impl<const D: usize> List<D> {
    fn new(ids: Vec<u32>, kind: ListKind) -> Self {
        Self { bodies: AnyWidth::Narrow(kind.list(ids)), kind, is_sorted: false }
    }

    fn bytes(&self) -> usize {
        match &self.bodies {
            AnyWidth::Narrow(sorted) => sorted.bytes(),
            AnyWidth::Wide(sorted) => sorted.bytes(),
        }
    }

    fn targets(&self) -> Targets<'_> {
        match &self.bodies {
            AnyWidth::Narrow(sorted) => Targets { ids: sorted.list.ids(), links: sorted.list.links() },
            AnyWidth::Wide(sorted) => Targets { ids: sorted.list.ids(), links: sorted.list.links() },
        }
    }

    /// The bodies copied in the order of the list, where they are.
    fn copied(&self) -> Option<&NearBodies<D>> {
        match &self.bodies {
            AnyWidth::Narrow(sorted) => sorted.copies.as_ref().map(CopiedBodies::bodies),
            AnyWidth::Wide(sorted) => sorted.copies.as_ref().map(CopiedBodies::bodies),
        }
    }

    fn sort(&mut self, map: &CellMap<'_, D>, is_grid_kept: bool, stop: Stop<'_>) {
        let is_narrow = map.grid.counts.iter().all(|&count| count <= u64::MAX_CELLS);
        if is_narrow != matches!(self.bodies, AnyWidth::Narrow(_)) {
            let ids = self.targets().ids.to_vec();
            self.bodies = match is_narrow {
                true => AnyWidth::Narrow(self.kind.list(ids)),
                false => AnyWidth::Wide(self.kind.list(ids)),
            };
            self.is_sorted = false;
        }
        let can_follow = is_grid_kept && self.is_sorted;
        match &mut self.bodies {
            AnyWidth::Narrow(sorted) => sorted.sort(map, can_follow, stop),
            AnyWidth::Wide(sorted) => sorted.sort(map, can_follow, stop),
        }
        // What was stopped on the way is in no order.
        self.is_sorted = !stop();
    }

    fn search_from<'a, S: PairSink<D>>(
        &self,
        others: impl Iterator<Item = &'a Self>,
        map: &CellMap<'_, D>,
        marks: &mut Vec<u32>,
        sink: &mut S,
    ) {
        match &self.bodies {
            AnyWidth::Narrow(sorted) => sorted.search_from(others, map, marks, sink),
            AnyWidth::Wide(sorted) => sorted.search_from(others, map, marks, sink),
        }
    }
}
