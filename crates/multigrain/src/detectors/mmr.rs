//! MMR, multi-step MR: bodies of every size, in groups by size, each searched with cells of its own size.

use super::classics::{Borders, CellArray, CellKey, CellMap, Contacts, Finding, Frame, search_between, search_within};
use crate::detector::{Layout, Search};
use crate::detectors::toolkit::{Grid, Images, strays_apart};
use crate::error::Error;
use crate::method::{Build, Settings};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;

/// Ratio of the largest diameter of a group to that of the next smaller one, unless another is given.
const FACTOR: f64 = 2.0;

/// Group n holds the bodies whose diameter, the margin included, lies above d / alpha^(n+1) and up to d / alpha^n, where d is the
/// largest. Step n sorts all bodies left by cells of that size, finds the contacts of group n with itself (half mask) and
/// with all smaller bodies (full mask), and drops the group. Groups without bodies take no step.
///
/// Time is about that of sorting and searching all smaller bodies once per group; memory at most 20 bytes per body in 3D with
/// 16-bit coordinates: number and three coordinates, twice for the group of the step. Cells are counted as rows of the mask,
/// five and nine per body in 3D, two and three in 2D. Mapping is told to be over when the first group is sorted.
#[derive(Debug, Clone)]
pub struct Mmr<const D: usize> {
    factor: f64,
    images: Images<D>,
    borders: Borders<D>,
    narrow: Step<u64, D>,
    wide: Step<u128, D>,
    /// Cell size and number of bodies of each group of the last search.
    groups: Vec<(f64, u64)>,
}

/// The bodies of a step, with coordinates of one width.
#[derive(Debug, Clone, Default)]
struct Step<K: CellKey, const D: usize> {
    /// All that are left; after the sort only the smaller ones.
    targets: CellArray<K, D>,
    contactors: CellArray<K, D>,
}

/// The sizes of a group, margin included.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Diameters are above this,
    above: f64,
    /// and at most this.
    up_to: f64,
}

impl<const D: usize> Mmr<D> {
    /// A detector with groups by factors of 2.
    pub fn new() -> Self {
        Self {
            factor: FACTOR,
            images: Images::default(),
            borders: Borders::default(),
            narrow: Step::default(),
            wide: Step::default(),
            groups: Vec::new(),
        }
    }

    /// A detector with groups by another factor, the papers' alpha, which must be at least 1.001: groups can be counted.
    pub fn with_factor(factor: f64) -> Result<Self, Error> {
        if !(factor >= 1.001 && factor.is_finite()) {
            let must = "must be at least 1.001 and finite";
            return Err(Error::Parameter { what: "factor between size groups", value: factor, must });
        }
        Ok(Self { factor, ..Self::new() })
    }

    /// The group of a diameter where `largest` is the largest of all.
    fn group_of(&self, diameter: f64, largest: f64) -> Group {
        let border = |n: f64| if n == 0.0 { largest } else { largest / self.factor.powf(n) };
        let mut n = ((largest / diameter).ln() / self.factor.ln()).floor().max(0.0);
        // Rounding may have chosen a neighbour.
        while border(n) < diameter {
            n -= 1.0;
        }
        while border(n + 1.0) >= diameter {
            n += 1.0;
        }
        Group { above: border(n + 1.0), up_to: border(n) }
    }
}

impl<const D: usize> Default for Mmr<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Build<D> for Mmr<D> {
    fn build(_now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        settings.refuse_levels("mmr")?;
        Ok(Self::new())
    }
}

impl<const D: usize> Search<D> for Mmr<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        strays_apart(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        let mut groups = self.groups.clone();
        groups.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (cell_sizes, particles_per_level) = groups.into_iter().unzip();
        Layout { direction: None, cell_sizes, particles_per_level, ..Layout::default() }
    }

    fn index_bytes(&self) -> Option<usize> {
        Some(self.narrow.bytes() + self.wide.bytes() + self.borders.bytes())
    }
}

impl<const D: usize> Mmr<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let bounds = self.images.stored_extent(&now);
        let diameter = |id: u32| 2.0 * now.radii()[id as usize] + now.contact_margin();
        let mut ids = self.narrow.targets.replace(Vec::new());
        ids.clear();
        ids.reserve_exact(now.len());
        ids.extend(0..now.len() as u32);
        self.groups.clear();
        loop {
            let largest = ids.iter().map(|&id| diameter(id)).fold(0.0, f64::max);
            if largest == 0.0 {
                break;
            }
            let group = self.group_of(largest, now.largest_reach());
            let sizes = now.rounding_slack().map(|slack| group.up_to + slack);
            let grid = Grid::new(bounds.0, bounds.1, sizes, f64::INFINITY);
            let map = CellMap { now: &now, images: &self.images, grid: &grid };
            let radius = 0.5 * (largest - now.contact_margin());
            let frame = Frame { now: &now, images: &self.images, grid: &grid, bounds, largest: radius };
            let is_first = self.groups.is_empty();
            let is_meant = |id: u32| diameter(id) > group.above;
            let is_narrow = grid.counts.iter().all(|&count| count <= u64::MOST_CELLS);
            let count = match is_narrow {
                true => self.narrow.run(&mut ids, is_meant, &map, &frame, &mut self.borders, is_first, sink),
                false => self.wide.run(&mut ids, is_meant, &map, &frame, &mut self.borders, is_first, sink),
            };
            self.groups.push((grid.sizes.into_iter().fold(0.0, f64::max), count));
        }
        // Points touch no smaller body: they belong to the last group as targets only.
        if let Some((_, count)) = self.groups.last_mut() {
            *count += ids.len() as u64;
        }
        self.narrow.targets.replace(ids);
    }
}

impl<K: CellKey, const D: usize> Step<K, D> {
    /// Sorts the bodies `ids`, searches from those that are meant, and leaves the others. Gives the number of the former.
    #[expect(clippy::too_many_arguments, reason = "a step is cut out of one search")]
    fn run<S: PairSink<D>>(
        &mut self,
        ids: &mut Vec<u32>,
        is_meant: impl Fn(u32) -> bool,
        map: &CellMap<'_, D>,
        frame: &Frame<'_, D>,
        borders: &mut Borders<D>,
        is_first: bool,
        sink: &mut S,
    ) -> u64 {
        let Self { targets, contactors } = self;
        *ids = targets.replace(std::mem::take(ids));
        targets.sort(map);
        targets.move_to(contactors, is_meant);
        if is_first {
            sink.mapped();
        }
        search_within(contactors, map.now, map.images, Finding::Forward, sink);
        search_between(contactors, targets, map.now, map.images, sink);
        if map.images.are_periodic() {
            let mut contacts = Contacts::new(map.now, map.images);
            borders.fill(frame, contactors.ids().iter().copied(), frame.largest);
            borders.search_among(frame, &mut contacts, sink);
            borders.fill(frame, targets.ids().iter().copied(), frame.largest);
            borders.search_from(frame, contactors.ids().iter().copied(), &mut contacts, sink);
            contacts.finish(sink);
        }
        *ids = targets.replace(std::mem::take(ids));
        contactors.ids().len() as u64
    }

    fn bytes(&self) -> usize {
        self.targets.bytes() + self.contactors.bytes()
    }
}
