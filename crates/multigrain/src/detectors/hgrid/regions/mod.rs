//! Bodies spread unevenly: space is cut into regions that hold about as many bodies each, and every region has a small
//! hierarchical grid of its own, with cells, levels and coordinates that suit what is in it. All grids share one array of
//! keys and the sorted columns, so that they are searched as levels are. How it works is described in the README of `hgrid`.

mod layout;
mod near;
mod room;
mod tree;

#[cfg(test)]
mod tests;

use super::columns::Columns;
use super::index::Index;
use super::kernel::{self, KernelWork};
use super::keys::{LevelGrid, LevelKeys};
use super::rows::LevelRows;
use super::sort::Slices;
use crate::grid::{Images, prefetch};
use crate::levels::Levels;
use crate::snapshot::Snapshot;
use crate::threads;
use layout::{Frame, Leaf, Region, RegionBody, RegionLevel, RegionTarget, Rules, StoredBodies};
use room::Room;
use std::ops::Range;
use tree::{Bounds, NearPairs, RegionPair, RegionsOfLeaves, Tree};

pub(super) use near::Task;

/// Bodies per segment of the input, at least.
const MIN_SEGMENT: usize = 1 << 13;

/// Segments of the input, at most: each keeps a number per region.
const MAX_SEGMENTS: usize = 128;

/// Regions with their grids, and the memory to make them.
#[derive(Debug, Clone)]
pub(super) struct Regions<const D: usize> {
    tree: Tree<D>,
    leaves: Vec<Leaf<D>>,
    /// The regions of each leaf: where they end among all.
    region_ends: Vec<u32>,
    frames: Vec<Frame<D>>,
    bounds: Vec<Bounds<D>>,
    /// The bodies of each region: where they end among all.
    body_ends: Vec<u32>,
    /// The grids of each region: where they end among all.
    grid_ends: Vec<u32>,
    /// The grids of all regions.
    pub grids: Vec<LevelGrid<D>>,
    pub keys: Vec<LevelKeys<D>>,
    pub rows: Vec<LevelRows<D>>,
    /// For each grid its region, and whether only the exact test can tell.
    of_grid: Vec<OfGrid>,
    near: NearPairs<D>,
    /// Memory to sort them.
    unsorted: Vec<RegionPair<D>>,
    /// For each region, where the pairs that begin with it end in `near`.
    near_ends: Vec<u32>,
    tasks: Vec<Task>,
    leaf_of: Vec<u32>,
    /// Indices of all bodies, parted by leaf within every segment of the input.
    ids: Vec<u32>,
    /// For each segment and leaf, where its bodies end within the segment.
    id_ends: Vec<u32>,
    /// Memory to arrange leaves one after the other.
    desk: Desk<D>,
    /// Keys of all cells, at most: they have 32 bits.
    max_keys: usize,
}

#[derive(Debug, Clone, Copy)]
struct OfGrid {
    region: u32,
    /// Largest radius, half the margin included, in the snapshot's own units.
    max_radius: f64,
    is_vast: bool,
    group: u32,
    /// How many bodies there are.
    bodies: u32,
}

impl<const D: usize> Regions<D> {
    pub fn new() -> Self {
        Self {
            tree: Tree::new(),
            leaves: Vec::new(),
            region_ends: Vec::new(),
            frames: Vec::new(),
            bounds: Vec::new(),
            body_ends: Vec::new(),
            grid_ends: Vec::new(),
            grids: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            of_grid: Vec::new(),
            near: NearPairs::default(),
            unsorted: Vec::new(),
            near_ends: Vec::new(),
            tasks: Vec::new(),
            leaf_of: Vec::new(),
            ids: Vec::new(),
            id_ends: Vec::new(),
            desk: Desk::default(),
            max_keys: u32::MAX as usize,
        }
    }

    /// Number of regions.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Cuts space and sorts the bodies into `columns`; `ends` becomes where the bodies of each key end. Sizes share levels
    /// as `given` says, or as suits each region.
    pub fn fill(
        &mut self,
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        given: Option<&Levels>,
        columns: &mut Columns<D>,
        ends: &mut Vec<u32>,
    ) {
        let slack = now.image_slack();
        self.tree.cut(now, images);
        self.leaves.resize_with(self.tree.leaves(), Leaf::new);
        let segment = now.len().div_ceil(MAX_SEGMENTS).max(MIN_SEGMENT);
        self.part(now, images, segment);
        let (leaves, ids, id_ends) = (self.leaves.len(), &self.ids, &self.id_ends);
        let bodies_of = |leaf: usize| runs(ids, id_ends, segment, leaves, leaf).map(<[_]>::len).sum();
        let levels = given.map(|given| given.as_slice().len());
        let room = Room::fitting((0..leaves).map(bodies_of), levels, self.max_keys);
        let rules = Rules { margin: now.margin(), slack, given, room };
        self.arrange(now, images, segment, &rules, columns, ends);
        self.flatten();
        self.list_near(now, images, columns);
        self.cut_into_tasks();
    }

    /// Parts the bodies of every segment of the input by leaf.
    fn part(&mut self, now: &Snapshot<'_, D>, images: &Images<D>, segment: usize) {
        let (count, leaves) = (now.len(), self.leaves.len());
        self.ids.resize(count, 0);
        self.leaf_of.resize(count, 0);
        self.id_ends.clear();
        self.id_ends.resize(count.div_ceil(segment) * leaves, 0);
        let tree = &self.tree;
        let segments = (self.ids.chunks_mut(segment))
            .zip(self.id_ends.chunks_mut(leaves))
            .zip(self.leaf_of.chunks_mut(segment))
            .enumerate()
            .map(|(k, ((ids, ends), leaf_of))| Part { now, images, tree, first: k * segment, ids, ends, leaf_of });
        threads::for_each(segments, || (), |(), segment| kernel::run(segment));
    }

    /// Lays out the regions of every leaf and sorts their bodies by level and cell.
    fn arrange(
        &mut self,
        now: &Snapshot<'_, D>,
        images: &Images<D>,
        segment: usize,
        rules: &Rules<'_, D>,
        columns: &mut Columns<D>,
        ends: &mut Vec<u32>,
    ) {
        columns.resize(now.len());
        let leaves = self.leaves.len();
        let (ids, id_ends) = (&self.ids[..], &self.id_ends[..]);
        let runs_of = |leaf: usize| runs(ids, id_ends, segment, leaves, leaf);
        let bodies_of = |leaf: usize| runs_of(leaf).map(<[_]>::len).sum::<usize>();
        ends.resize((0..leaves).map(|leaf| rules.room_for_keys(bodies_of(leaf))).sum(), 0);
        let mut rest = Slices::of(columns, now.len());
        let mut ends = ends.as_mut_slice();
        let (mut first, mut first_key) = (0, 0);
        let jobs = self.leaves.iter_mut().enumerate().map(|(number, leaf)| {
            let bodies = bodies_of(number);
            let (own, others) = std::mem::take(&mut ends).split_at_mut(rules.room_for_keys(bodies));
            ends = others;
            let target = RegionTarget { columns: rest.split_off(bodies), first, first_key, ends: own };
            first += bodies as u32;
            first_key += target.ends.len() as u32;
            (number, leaf, target)
        });
        let arrange = |desk: &mut Desk<D>, (number, leaf, target): (usize, _, _)| {
            kernel::run(Arrange { now, images, runs: runs_of(number), leaf, target, rules, desk });
        };
        if threads::available() {
            threads::for_each(jobs, Desk::default, arrange);
        } else {
            jobs.for_each(|job| arrange(&mut self.desk, job));
        }
    }

    /// Lists the grids of all regions.
    fn flatten(&mut self) {
        self.grid_ends.clear();
        self.grids.clear();
        self.keys.clear();
        self.rows.clear();
        self.of_grid.clear();
        self.region_ends.clear();
        self.frames.clear();
        self.bounds.clear();
        self.body_ends.clear();
        let mut body_end = 0;
        for Leaf { regions, levels } in &self.leaves {
            let mut first = 0;
            for Region { bounds, frame, level_end } in regions {
                for level in &levels[first..*level_end as usize] {
                    self.rows.push(LevelRows::new(&level.grid, [0.0; D]));
                    self.grids.push(level.grid);
                    self.keys.push(level.keys);
                    let RegionLevel { is_vast, group, bodies, .. } = *level;
                    let max_radius = level.grid.max_radius / frame.scale;
                    body_end += bodies;
                    let region = self.frames.len() as u32;
                    self.of_grid.push(OfGrid { region, max_radius, is_vast, group, bodies });
                }
                first = *level_end as usize;
                self.frames.push(*frame);
                self.bounds.push(*bounds);
                self.body_ends.push(body_end);
                self.grid_ends.push(self.grids.len() as u32);
            }
            self.region_ends.push(self.frames.len() as u32);
        }
    }

    /// Lists pairs of regions that may touch, by the first of both.
    fn list_near(&mut self, now: &Snapshot<'_, D>, images: &Images<D>, columns: &Columns<D>) {
        let (frames, ends, half_margin) = (&self.frames[..], &self.body_ends[..], now.margin() / 2.0);
        let regions = RegionsOfLeaves {
            ends: &self.region_ends,
            bounds: &self.bounds,
            bodies: StoredBodies { frames, ends, columns: columns.view(), half_margin },
        };
        self.tree.set_bounds(&regions);
        self.tree.near_pairs(&regions, images, now.image_slack(), &mut self.near);
        self.sort_near();
    }

    /// Sorts the pairs by the first of both; those of one region stay in their order.
    fn sort_near(&mut self) {
        let Self { near: NearPairs { pairs, .. }, unsorted, near_ends, .. } = self;
        near_ends.clear();
        near_ends.resize(self.frames.len(), 0);
        for pair in pairs.iter() {
            near_ends[pair.a as usize] += 1;
        }
        let mut sum = 0;
        for end in near_ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        unsorted.clear();
        unsorted.extend_from_slice(pairs);
        for pair in unsorted {
            let end = &mut near_ends[pair.a as usize];
            pairs[*end as usize] = *pair;
            *end += 1;
        }
    }

    /// The grids of a region.
    fn grids_of(&self, region: usize) -> Range<usize> {
        let start = if region == 0 { 0 } else { self.grid_ends[region - 1] };
        start as usize..self.grid_ends[region] as usize
    }

    /// The pairs that begin with a region.
    fn near_of(&self, region: usize) -> &[RegionPair<D>] {
        let start = if region == 0 { 0 } else { self.near_ends[region - 1] };
        &self.near.pairs[start as usize..self.near_ends[region] as usize]
    }

    /// The index of the sorted bodies by grid and cell.
    pub fn index<'a>(&'a self, ends: &'a [u32]) -> Index<'a, D> {
        Index::new(&self.keys, &self.grids, ends)
    }
}

/// The bodies of one leaf, segment after segment.
fn runs<'a>(
    ids: &'a [u32],
    ends: &'a [u32],
    segment: usize,
    leaves: usize,
    leaf: usize,
) -> impl Iterator<Item = &'a [u32]> + Clone {
    ids.chunks(segment).zip(ends.chunks(leaves)).map(move |(ids, ends)| {
        let start = if leaf == 0 { 0 } else { ends[leaf - 1] };
        &ids[start as usize..ends[leaf] as usize]
    })
}

/// One segment of the input, to be parted by leaf.
struct Part<'a, const D: usize> {
    now: &'a Snapshot<'a, D>,
    images: &'a Images<D>,
    tree: &'a Tree<D>,
    /// Index of the first body.
    first: usize,
    ids: &'a mut [u32],
    ends: &'a mut [u32],
    leaf_of: &'a mut [u32],
}

impl<const D: usize> KernelWork for Part<'_, D> {
    #[inline(always)]
    fn run(self) {
        let Self { now, images, tree, first, ids, ends, leaf_of } = self;
        let bodies = first..first + ids.len();
        tree.find_leaves(bodies.clone().map(|i| images.stored_center(i, now.centers()[i])), leaf_of);
        for &leaf in leaf_of.iter() {
            ends[leaf as usize] += 1;
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        for (i, &leaf) in bodies.zip(leaf_of.iter()) {
            let end = &mut ends[leaf as usize];
            ids[*end as usize] = i as u32;
            *end += 1;
        }
    }
}

/// The bodies of a leaf while it is arranged.
#[derive(Debug, Clone)]
struct Desk<const D: usize> {
    bodies: Vec<RegionBody<D>>,
    scratch: Vec<RegionBody<D>>,
}

impl<const D: usize> Default for Desk<D> {
    fn default() -> Self {
        Self { bodies: Vec::new(), scratch: Vec::new() }
    }
}

/// A leaf to be arranged.
struct Arrange<'d, 'a, R, const D: usize> {
    now: &'a Snapshot<'a, D>,
    images: &'a Images<D>,
    /// The bodies of the leaf.
    runs: R,
    leaf: &'a mut Leaf<D>,
    target: RegionTarget<'a, D>,
    rules: &'a Rules<'a, D>,
    desk: &'d mut Desk<D>,
}

impl<'a, R: Iterator<Item = &'a [u32]> + Clone, const D: usize> KernelWork for Arrange<'_, 'a, R, D> {
    #[inline(always)]
    fn run(self) {
        let Self { now, images, runs, leaf, target, rules, desk: Desk { bodies, scratch } } = self;
        let record = |&id: &u32| {
            let i = id as usize;
            RegionBody { center: images.stored_center(i, now.centers()[i]), radius: now.radii()[i], id, tag: 0 }
        };
        // They lie anywhere in memory.
        for &id in runs.clone().flatten() {
            prefetch(now.centers(), id as usize);
            prefetch(now.radii(), id as usize);
        }
        bodies.clear();
        for run in runs {
            bodies.extend(run.iter().map(record));
        }
        leaf.arrange(bodies, scratch, rules, target);
    }
}
