//! The list of the MR methods: bodies in the order of their cells, as a closed list behind a head, held in arrays.

use super::cell_key::{CellKey, Columns};
use super::quick_sort::{Exchange, quick_sort};
use super::row_search::SortedBodies;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images};

/// What gives every body its cell.
#[derive(Clone, Copy)]
pub(crate) struct CellMap<'a, const D: usize> {
    pub now: &'a Snapshot<'a, D>,
    pub images: &'a Images<D>,
    pub grid: &'a Grid<D>,
}

/// Whether nobody wants the rest: then a sort may end where it is.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl<const D: usize> CellMap<'_, D> {
    /// The cell of body `id`, its coordinates counting from 1.
    #[inline(always)]
    pub fn cell(&self, id: u32) -> [u32; D] {
        self.cell_of(id, self.now.centers()[id as usize])
    }

    /// The same where its center is at hand.
    #[inline(always)]
    pub fn cell_of(&self, id: u32, center: [f64; D]) -> [u32; D] {
        let stored = self.images.stored_center(id as usize, center);
        self.grid.cell_of(stored).map(|value| value + 1)
    }
}

/// Links from node to node of a closed list whose head has the number behind the last node.
pub(crate) trait Links: Default + Send + Sync + 'static {
    /// Links the nodes `0..len` in this order, behind the head.
    fn straighten(&mut self, len: usize);

    /// The node behind this one.
    fn next(&self, node: u32) -> u32;

    /// Makes `next` the node behind `node`.
    fn connect(&mut self, node: u32, next: u32);

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// Links to the next node: the array p of MR-S.
#[derive(Debug, Clone, Default)]
pub(crate) struct OneWay {
    next: Vec<u32>,
}

/// Links to the next node and to the one before: MR. No search and no sort follows links back, so that they are counted and not
/// kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct BothWays(OneWay);

impl Links for OneWay {
    fn straighten(&mut self, len: usize) {
        self.next.clear();
        self.next.reserve_exact(len + 1);
        self.next.extend(1..=len as u32);
        self.next.push(0);
    }

    #[inline]
    fn next(&self, node: u32) -> u32 {
        self.next[node as usize]
    }

    #[inline]
    fn connect(&mut self, node: u32, next: u32) {
        self.next[node as usize] = next;
    }

    fn bytes(&self) -> usize {
        self.next.capacity() * size_of::<u32>()
    }
}

impl Links for BothWays {
    fn straighten(&mut self, len: usize) {
        self.0.straighten(len);
    }

    #[inline]
    fn next(&self, node: u32) -> u32 {
        self.0.next(node)
    }

    #[inline]
    fn connect(&mut self, node: u32, next: u32) {
        self.0.connect(node, next);
    }

    fn bytes(&self) -> usize {
        2 * self.0.bytes()
    }
}

/// Bodies in the order of their cells. Nodes hold a body's number, its cell unless that is computed when needed, and the
/// links. A full sort exchanges the bodies of the nodes, so that the list runs through memory; later only links change.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyList<K: CellKey, L, const D: usize> {
    pub(super) ids: Vec<u32>,
    pub(super) cells: Columns<K, D>,
    pub(super) links: L,
    pub(super) stored: bool,
    /// How many times the last sort compared two cells.
    pub(super) comparisons: u64,
}

impl<K: CellKey, L: Links, const D: usize> BodyList<K, L, D> {
    /// An empty list that stores cells, or computes them.
    pub fn new(stored: bool) -> Self {
        Self { ids: Vec::new(), cells: Columns::default(), links: L::default(), stored, comparisons: 0 }
    }

    /// How many times the last sort compared two cells.
    pub fn comparisons(&self) -> u64 {
        self.comparisons
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The bodies, in the order of the last full sort.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The links that bring them into order.
    pub fn links(&self) -> &L {
        &self.links
    }

    /// A list of these bodies, not sorted yet.
    pub fn of(ids: Vec<u32>, stored: bool) -> Self {
        Self { ids, ..Self::new(stored) }
    }

    /// Forgets the order, so that the next sort is a full one.
    pub fn forget(&mut self) {
        self.ids.clear();
    }

    /// Sorts all bodies of a snapshot by quick sort, whatever the order was; in no order if the sort is stopped.
    pub fn sort_all(&mut self, map: &CellMap<'_, D>, stop: Stop<'_>) {
        let bodies = map.now.len();
        if self.ids.len() != bodies {
            self.ids.clear();
            self.ids.reserve_exact(bodies);
            self.ids.extend(0..bodies as u32);
        }
        self.sort_fully(map, stop);
    }

    /// Sorts the bodies of the list by quick sort, whatever their order was; in no order if the sort is stopped.
    pub fn sort_fully(&mut self, map: &CellMap<'_, D>, stop: Stop<'_>) {
        let bodies = self.ids.len();
        if self.stored {
            self.cells.resize(bodies);
            for (node, &id) in self.ids.iter().enumerate() {
                self.cells.set(node, map.cell(id));
            }
            let mut nodes = StoredNodes { ids: &mut self.ids, cells: &mut self.cells };
            self.comparisons = quick_sort(&mut nodes, bodies, map.grid.counts, stop);
        } else {
            let mut nodes = ComputedNodes { ids: &mut self.ids, map };
            self.comparisons = quick_sort::<K, D>(&mut nodes, bodies, map.grid.counts, stop);
        }
        self.links.straighten(bodies);
    }

    /// The list as a search sees it.
    pub fn view<'a>(&'a self, map: &'a CellMap<'a, D>) -> ListView<'a, K, L, D> {
        ListView { list: self, map }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>() + self.cells.bytes() + self.links.bytes()
    }
}

/// Nodes with the cells of their bodies, as quick sort exchanges them.
struct StoredNodes<'a, K: CellKey, const D: usize> {
    ids: &'a mut [u32],
    cells: &'a mut Columns<K, D>,
}

impl<K: CellKey, const D: usize> Exchange<K> for StoredNodes<'_, K, D> {
    #[inline]
    fn key(&self, place: usize) -> K {
        self.cells.key(place)
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.ids.swap(a, b);
        self.cells.swap(a, b);
    }
}

/// Nodes whose cells are computed whenever they are compared.
struct ComputedNodes<'a, const D: usize> {
    ids: &'a mut [u32],
    map: &'a CellMap<'a, D>,
}

impl<K: CellKey, const D: usize> Exchange<K> for ComputedNodes<'_, D> {
    #[inline]
    fn key(&self, place: usize) -> K {
        K::pack(self.map.cell(self.ids[place]))
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.ids.swap(a, b);
    }
}

/// A sorted list and what gives its bodies their cells.
pub(crate) struct ListView<'a, K: CellKey, L, const D: usize> {
    list: &'a BodyList<K, L, D>,
    map: &'a CellMap<'a, D>,
}

impl<K: CellKey, L: Links, const D: usize> SortedBodies<K> for ListView<'_, K, L, D> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn first(&self) -> u32 {
        self.list.links.next(self.end())
    }

    #[inline]
    fn end(&self) -> u32 {
        self.list.ids.len() as u32
    }

    #[inline]
    fn next(&self, node: u32) -> u32 {
        self.list.links.next(node)
    }

    #[inline]
    fn key(&self, node: u32) -> K {
        match self.list.stored {
            true => self.list.cells.key(node as usize),
            false => K::pack(self.map.cell(self.id(node))),
        }
    }

    #[inline]
    fn id(&self, node: u32) -> u32 {
        self.list.ids[node as usize]
    }
}
