//! A group of bodies of about one size: its cells, and its list that is kept from step to step.

use crate::classics::{
    Around, BodyList, CellKey, CellMap, Contactors, CopiedBodies, Finding, KeptGrid, OneWay, Targets,
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

/// Memory to work in while a list is searched.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace<const D: usize> {
    /// Marks in a list whose bodies are not copied.
    marks: Vec<u32>,
    narrow: CopiedBodies<u64, D>,
    wide: CopiedBodies<u128, D>,
}

impl<const D: usize> Workspace<D> {
    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<u32>() + self.narrow.bytes() + self.wide.bytes()
    }
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

/// A list that is kept from step to step.
#[derive(Debug, Clone)]
struct List<const D: usize> {
    bodies: AnyWidth<D>,
    stored: bool,
    /// Whether it is in the order of the last step's cells.
    is_sorted: bool,
}

/// A list with coordinates of 16 or 32 bits.
#[derive(Debug, Clone)]
enum AnyWidth<const D: usize> {
    Narrow(BodyList<u64, OneWay, D>),
    Wide(BodyList<u128, OneWay, D>),
}

impl<const D: usize> Group<D> {
    /// A group of the bodies `ids`, not sorted yet, with a list of smaller ones or without. Lists store cells, or compute them.
    pub fn new(sizes: GroupSizes, ids: Vec<u32>, smaller: Option<Vec<u32>>, stored: bool) -> Self {
        let smaller = smaller.map(|ids| List::new(ids, stored));
        Self { sizes, kept: KeptGrid::default(), grid: None, list: List::new(ids, stored), smaller }
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
    /// have changed or if a body moved by more than one of them.
    pub fn sort(
        &mut self,
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        needed: [f64; D],
        room: f64,
        bounds: ([f64; D], [f64; D]),
    ) {
        let (grid, is_kept) = self.kept.update(needed, room, bounds);
        self.grid = Some(grid);
        let map = CellMap { now, images, grid: &grid };
        self.list.sort(&map, is_kept);
        if let Some(smaller) = &mut self.smaller {
            smaller.sort(&map, is_kept);
        }
    }

    /// Finds the contacts within the group.
    pub fn search_within<S: PairSink<D>>(&self, map: &CellMap<'_, D>, sink: &mut S) {
        match &self.list.bodies {
            AnyWidth::Narrow(list) => search_within(&list.view(map), map.now, map.images, Finding::Forward, sink),
            AnyWidth::Wide(list) => search_within(&list.view(map), map.now, map.images, Finding::Forward, sink),
        }
    }

    /// Finds the contacts with the bodies of smaller groups.
    pub fn search_smaller<S: PairSink<D>>(
        &self,
        groups: &[Self],
        map: &CellMap<'_, D>,
        workspace: &mut Workspace<D>,
        sink: &mut S,
    ) {
        match &self.smaller {
            // Both lists are in the order of the same cells.
            Some(smaller) => smaller.search_linked([&self.list].into_iter(), map, &mut workspace.marks, sink),
            None => {
                let others = groups.iter().map(|group| &group.list);
                match self.list.stored {
                    true => self.list.search_copied(others, map, workspace, sink),
                    false => self.list.search_linked(others, map, &mut workspace.marks, sink),
                }
            }
        }
    }
}

impl<const D: usize> List<D> {
    fn new(ids: Vec<u32>, stored: bool) -> Self {
        Self { bodies: AnyWidth::Narrow(BodyList::of(ids, stored)), stored, is_sorted: false }
    }

    fn bytes(&self) -> usize {
        match &self.bodies {
            AnyWidth::Narrow(list) => list.bytes(),
            AnyWidth::Wide(list) => list.bytes(),
        }
    }

    fn targets(&self) -> Targets<'_> {
        match &self.bodies {
            AnyWidth::Narrow(list) => Targets { ids: list.ids(), links: list.links() },
            AnyWidth::Wide(list) => Targets { ids: list.ids(), links: list.links() },
        }
    }

    fn sort(&mut self, map: &CellMap<'_, D>, is_grid_kept: bool) {
        let is_narrow = map.grid.counts.iter().all(|&count| count <= u64::MAX_CELLS);
        if is_narrow != matches!(self.bodies, AnyWidth::Narrow(_)) {
            let ids = self.targets().ids.to_vec();
            self.bodies = match is_narrow {
                true => AnyWidth::Narrow(BodyList::of(ids, self.stored)),
                false => AnyWidth::Wide(BodyList::of(ids, self.stored)),
            };
            self.is_sorted = false;
        }
        let can_follow = is_grid_kept && self.is_sorted;
        match &mut self.bodies {
            AnyWidth::Narrow(list) => sort(list, map, can_follow),
            AnyWidth::Wide(list) => sort(list, map, can_follow),
        }
        self.is_sorted = true;
    }

    /// Finds the contacts of the bodies of this list, copied in their order, with those of others.
    fn search_copied<'a, S: PairSink<D>>(
        &self,
        others: impl Iterator<Item = &'a Self>,
        map: &CellMap<'_, D>,
        workspace: &mut Workspace<D>,
        sink: &mut S,
    ) {
        match &self.bodies {
            AnyWidth::Narrow(list) => {
                workspace.narrow.fill(&list.view(map), map.now);
                let copies = &workspace.narrow;
                others.for_each(|other| search_from_targets(|| copies.around(), map, other.targets(), sink));
            }
            AnyWidth::Wide(list) => {
                workspace.wide.fill(&list.view(map), map.now);
                let copies = &workspace.wide;
                others.for_each(|other| search_from_targets(|| copies.around(), map, other.targets(), sink));
            }
        }
    }

    /// The same along the links of this list, without copies.
    fn search_linked<'a, S: PairSink<D>>(
        &self,
        others: impl Iterator<Item = &'a Self>,
        map: &CellMap<'_, D>,
        marks: &mut Vec<u32>,
        sink: &mut S,
    ) {
        match &self.bodies {
            AnyWidth::Narrow(list) => {
                let found = Contactors::new::<u64>(list.view(map), map, marks);
                others.for_each(|other| {
                    search_from_targets::<u64, _, _, D>(|| Around::new(&found), map, other.targets(), sink)
                });
            }
            AnyWidth::Wide(list) => {
                let found = Contactors::new::<u128>(list.view(map), map, marks);
                others.for_each(|other| {
                    search_from_targets::<u128, _, _, D>(|| Around::new(&found), map, other.targets(), sink)
                });
            }
        }
    }
}

fn sort<K: CellKey, const D: usize>(list: &mut BodyList<K, OneWay, D>, map: &CellMap<'_, D>, can_follow: bool) {
    if !(can_follow && list.follow(map)) {
        list.sort_fully(map);
    }
}
