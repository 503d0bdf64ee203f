//! MMR, multi-step MR: bodies of every size, in groups by size, each searched with cells of its own size.

mod group;

use super::classics::{BorderFrame, Borders, CellMap, Contacts, Stop};
use super::mr::MrCoordinates;
use crate::classics::with_strays_removed;
use group::{Group, GroupSizes, ListKind};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::Images;
use multigrain::{Build, Error, Settings};
use multigrain::{Layout, Search};

/// Ratio of the largest diameter of a group to that of the next smaller one, unless another is given.
const FACTOR: f64 = 2.0;

/// Groups are made again when the largest body is smaller than that of the first group by more than this factor.
const MUCH_TOO_LARGE: f64 = 1.2;

/// Cells are so much larger than their group needs, so that rounding in another place does not make them again.
const ROOM_FOR_ROUNDING: f64 = 1.0 + 1e-9;

/// Group n holds the bodies whose diameter, the margin included, lies above d / alpha^(n+1) and up to d / alpha^n, where d is the
/// largest. Each group keeps a list of its bodies, sorted by cells of its size. A step mends every list by MR sort; quick sort is for
/// the first step, for changed sizes, and for a list with a body that moved by more than a cell. Then each group from the largest
/// on is searched for contacts with itself (half mask) and with all smaller bodies (full mask). Groups without bodies take no step.
///
/// Time is linear in the number of bodies for each group. Lists take 14 bytes per body in 3D, a link and the body's number of 4
/// and three coordinates of 2; in every step the bodies are copied in the order of their lists, 48 bytes each.
/// Without stored coordinates nothing is copied, and lists take 8 bytes per body, the paper's two integers.
/// Cells are counted as rows of the mask: five per body within a group in 3D, and nine for each cell that is searched from
/// between groups; two and three in 2D.
#[derive(Debug, Clone)]
pub struct Mmr<const D: usize> {
    factor: f64,
    coordinates: MrCoordinates,
    lists: MmrLists,
    images: Images<D>,
    borders: Borders<D>,
    /// The largest diameter that the groups are made for.
    largest: f64,
    /// From the largest bodies to the smallest; none are empty.
    groups: Vec<Group<D>>,
    /// Whether the last group holds points, which touch no other smaller body: they are targets only.
    has_points: bool,
    /// Marks in a list whose bodies are not copied: memory to work in.
    marks: Vec<u32>,
}

/// What MMR keeps sorted from step to step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MmrLists {
    /// For each group its own bodies only: every body is in one list.
    #[default]
    PerGroup,
    /// For each group also all bodies that are smaller, by its cells, as the paper's steps sort them: a body is in as many lists as
    /// there are groups not below its own.
    PerStep,
}

impl<const D: usize> Mmr<D> {
    /// A detector with groups by factors of 2.
    pub fn new() -> Self {
        Self {
            factor: FACTOR,
            coordinates: MrCoordinates::default(),
            lists: MmrLists::default(),
            images: Images::default(),
            borders: Borders::default(),
            largest: 0.0,
            groups: Vec::new(),
            has_points: false,
            marks: Vec::new(),
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

    /// The same detector with lists that store coordinates of cells, or compute them whenever they are needed.
    #[must_use]
    pub fn with_coordinates(self, coordinates: MrCoordinates) -> Self {
        Self { factor: self.factor, lists: self.lists, coordinates, ..Self::new() }
    }

    /// The same detector with other lists.
    #[must_use]
    pub fn with_lists(self, lists: MmrLists) -> Self {
        Self { factor: self.factor, coordinates: self.coordinates, lists, ..Self::new() }
    }

    /// The group of a diameter where `largest` is the largest of all.
    fn sizes_around(&self, diameter: f64, largest: f64) -> GroupSizes {
        let border = |n: f64| if n == 0.0 { largest } else { largest / self.factor.powf(n) };
        let mut n = ((largest / diameter).ln() / self.factor.ln()).floor().max(0.0);
        // Rounding may have chosen a neighbour.
        while border(n) < diameter {
            n -= 1.0;
        }
        while border(n + 1.0) >= diameter {
            n += 1.0;
        }
        GroupSizes { above: border(n + 1.0), up_to: border(n) }
    }
}

impl<const D: usize> Build<D> for Mmr<D> {
    fn build(_now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        settings.factor.map_or_else(|| Ok(Self::new()), Self::with_factor)
    }
}

impl<const D: usize> Default for Mmr<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Search<D> for Mmr<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        with_strays_removed(now, sink, |now, sink| self.search_all(now, sink));
    }

    fn layout(&self) -> Layout {
        let size = |group: &Group<D>| group.grid().map_or(0.0, |grid| grid.sizes.into_iter().fold(0.0, f64::max));
        let mut groups: Vec<_> = self.groups.iter().map(|group| (size(group), group.ids().len() as u64)).collect();
        if self.has_points
            && let Some((_, points)) = groups.pop()
            && let Some((_, count)) = groups.last_mut()
        {
            *count += points;
        }
        let (cell_sizes, particles_per_level) = groups.into_iter().rev().unzip();
        Layout { direction: None, cell_sizes, particles_per_level, ..Layout::default() }
    }

    fn index_bytes(&self) -> Option<usize> {
        let lists: usize = self.groups.iter().map(Group::bytes).sum();
        Some(lists + self.marks.capacity() * size_of::<u32>() + self.borders.bytes())
    }
}

impl<const D: usize> Mmr<D> {
    /// Searches all bodies, wherever they are.
    fn search_all<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.images.update(&now);
        let bounds = self.images.stored_extent(&now);
        if !self.groups_fit(&now) {
            self.group_again(&now, sink.stop());
            if sink.stop_requested() {
                return self.groups.clear();
            }
        }
        let slack = now.rounding_slack();
        let searching = self.groups.len() - usize::from(self.has_points);
        let Some(finest) = self.groups[..searching].last().map(|group| group.sizes.up_to) else { return sink.mapped() };
        for group in &mut self.groups {
            // Points lie in the cells of the smallest bodies that are none.
            let size = group.sizes.up_to.max(finest);
            group.sort(&now, &self.images, slack.map(|slack| size + slack), ROOM_FOR_ROUNDING, bounds, sink.stop());
            if sink.stop_requested() {
                return;
            }
        }
        sink.mapped();
        for place in 0..searching {
            let (group, smaller) = (&self.groups[place], &self.groups[place + 1..]);
            let Some(grid) = group.grid() else { continue };
            let map = CellMap { now: &now, images: &self.images, grid };
            group.search_within(&map, sink);
            if !smaller.is_empty() {
                group.search_smaller(smaller, &map, &mut self.marks, sink);
            }
            if self.images.are_periodic() {
                let largest = group.ids().iter().map(|&id| now.radii()[id as usize]).fold(0.0, f64::max);
                let frame = BorderFrame { now: &now, images: &self.images, grid, bounds, largest };
                let mut contacts = Contacts::new(&now, &self.images);
                self.borders.fill(&frame, group.ids().iter().copied(), largest);
                self.borders.search_among(&frame, &mut contacts, sink);
                self.borders.fill(&frame, smaller.iter().flat_map(|group| group.ids().iter().copied()), largest);
                self.borders.search_from(&frame, group.ids().iter().copied(), &mut contacts, sink);
                contacts.finish(sink);
            }
        }
    }

    /// Whether every body is in the group of its size.
    fn groups_fit(&self, now: &Snapshot<'_, D>) -> bool {
        let largest = now.largest_reach();
        let fits = |id: u32, sizes: GroupSizes| {
            let diameter = diameter(now, id);
            diameter > sizes.above && diameter <= sizes.up_to
        };
        self.groups.iter().map(|group| group.ids().len()).sum::<usize>() == now.len()
            && (largest..=MUCH_TOO_LARGE * largest).contains(&self.largest)
            && self.groups.iter().all(|group| group.ids().iter().all(|&id| fits(id, group.sizes)))
    }

    /// Puts every body into the group of its size; not all of them if `stop` says so on the way.
    fn group_again(&mut self, now: &Snapshot<'_, D>, stop: Stop<'_>) {
        self.largest = now.largest_reach();
        self.groups.clear();
        let kind = match (self.coordinates, self.lists) {
            (MrCoordinates::Computed, _) => ListKind::Numbers,
            (MrCoordinates::Stored, MmrLists::PerStep) => ListKind::Cells,
            (MrCoordinates::Stored, MmrLists::PerGroup) => ListKind::Bodies,
        };
        let mut left: Vec<u32> = (0..now.len() as u32).collect();
        loop {
            let largest = left.iter().map(|&id| diameter(now, id)).fold(0.0, f64::max);
            if largest == 0.0 || stop() {
                break;
            }
            let sizes = self.sizes_around(largest, self.largest);
            let in_group = |id: &u32| diameter(now, *id) > sizes.above;
            let mut ids = Vec::with_capacity(left.iter().filter(|&id| in_group(id)).count());
            ids.extend(left.iter().copied().filter(in_group));
            left.retain(|id| !in_group(id));
            let smaller = (self.lists == MmrLists::PerStep && !left.is_empty()).then(|| left.as_slice().to_vec());
            self.groups.push(Group::new(sizes, ids, smaller, kind));
        }
        self.has_points = !left.is_empty();
        if self.has_points {
            // Exactly 0 lies above this.
            let sizes = GroupSizes { above: -1.0, up_to: 0.0 };
            left.shrink_to_fit();
            self.groups.push(Group::new(sizes, left, None, kind));
        }
    }
}

/// The diameter of a body, margin included.
#[inline]
fn diameter<const D: usize>(now: &Snapshot<'_, D>, id: u32) -> f64 {
    2.0 * now.radii()[id as usize] + now.margin()
}
