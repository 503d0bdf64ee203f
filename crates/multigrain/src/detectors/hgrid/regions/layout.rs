//! One region: its frame, its levels, and its bodies sorted by cell.

use super::room::Room;
use super::tree::Bounds;
use crate::detectors::hgrid::columns::Lanes;
use crate::detectors::hgrid::kernel::{self, KernelWork};
use crate::detectors::hgrid::keys::{LevelGrid, LevelKeys};
use crate::detectors::hgrid::sort::Slices;
use crate::grid::Grid;
use crate::levels::Levels;
use crate::limits;
use std::ops::Range;

/// Keys of a level with one cell.
pub(super) const KEYS_OF_A_CELL: usize = 16;

/// Regions that a leaf is cut into, at most.
pub(super) const MAX_REGIONS: usize = 64;

/// Bodies from which on a region is worth cutting.
const MIN_CUT: usize = 48;

/// Bodies in the cell of a body, on average, from which on a region is cut.
const MAX_CROWDED: u64 = 32;

/// How much larger than needed, for want of room, cells must be to be crowded.
const MIN_GROWN: f64 = 1.5;

/// Bodies from which on a cell of such a region becomes a region of its own.
const CROWDED_CELL: u32 = 24;

/// Levels that a region chooses, at most.
pub(super) const MAX_LEVELS: usize = 8;

/// Cells along an axis, at most: more than there is room for, but few enough to count.
const MAX_CELLS_PER_AXIS: f64 = 4096.0;

/// Bodies per cell up to which sizes share a level: testing them costs less than searching one level more.
const MAX_PER_CELL: f64 = 4.0;

/// Bodies from which on sizes are worth a level of their own.
pub(super) const MIN_ON_LEVEL: usize = 8;

/// Classes of sizes, each a factor of two, from the largest of a region down; the last class holds all below.
const CLASSES: usize = 40;

/// Radii and errors of distances, relative to the size of the region, above which the columns say nothing any more.
const MAX_RADIUS: f64 = 4096.0;

/// A body as the sort carries it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionBody<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
    /// Scratch: class of its size, then its level, then its key.
    pub tag: u32,
}

/// Coordinates in which the bodies of a region are stored: relative to a corner, in units of about its size. The units are a
/// power of two, so that scaling rounds nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<const D: usize> {
    pub origin: [f64; D],
    pub scale: f64,
    /// Largest coordinate, in the frame.
    pub width: f64,
}

/// The regions of one leaf of the tree: one, or several where bodies are spread unevenly within it.
#[derive(Debug, Clone)]
pub(super) struct Leaf<const D: usize> {
    pub regions: Vec<Region<D>>,
    /// The levels of all regions.
    pub levels: Vec<RegionLevel<D>>,
}

/// One region.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region<const D: usize> {
    pub bounds: Bounds<D>,
    pub frame: Frame<D>,
    /// Where its levels end among those of the leaf.
    pub level_end: u32,
}

/// A level of one region, in its frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionLevel<const D: usize> {
    pub grid: LevelGrid<D>,
    pub keys: LevelKeys<D>,
    /// Whether smaller cells would do for some of its bodies.
    pub could_be_finer: bool,
    /// Whether bodies, or errors, are so large that only the exact test can tell.
    pub is_vast: bool,
    pub bodies: u32,
    /// Which of the given size groups it is; of no meaning without such groups.
    pub group: u32,
}

/// What all regions share.
pub(super) struct Rules<'a, const D: usize> {
    pub margin: f64,
    /// Possible error of distances along each axis beyond what relative rounding does.
    pub slack: [f64; D],
    /// Levels that were asked for: which sizes belong together. Else every region chooses itself.
    pub given: Option<&'a Levels>,
    pub room: Room,
}

/// Where the bodies of a region go.
pub(super) struct RegionTarget<'a, const D: usize> {
    pub columns: Slices<'a, D>,
    /// Place of the first body among all.
    pub first: u32,
    pub ends: &'a mut [u32],
    pub first_key: u32,
}

impl<const D: usize> Rules<'_, D> {
    /// Room for the keys of a leaf with this many bodies.
    pub fn room_for_keys(&self, bodies: usize) -> usize {
        self.room.keys(bodies, self.given.map(|given| given.as_slice().len()))
    }

    fn radius(&self, body: &RegionBody<D>) -> f64 {
        body.radius + self.margin / 2.0
    }
}

impl<const D: usize> Leaf<D> {
    pub fn new() -> Self {
        Self { regions: Vec::new(), levels: Vec::new() }
    }

    /// Cuts some bodies into regions, if they are spread unevenly, lays out levels for each, and sorts the bodies by level
    /// and cell.
    #[inline(always)]
    pub fn arrange(
        &mut self,
        mut bodies: &mut [RegionBody<D>],
        scratch: &mut Vec<RegionBody<D>>,
        rules: &Rules<'_, D>,
        mut target: RegionTarget<'_, D>,
    ) {
        self.regions.clear();
        self.levels.clear();
        // Bodies of the parts that wait to be arranged; the last of these are the first of the bodies.
        let mut waiting = Parts { lens: [0; MAX_REGIONS], count: 0 };
        waiting.push(bodies.len());
        while let Some(len) = waiting.pop() {
            let levels = self.levels.len();
            let mut region = Region::of(&bodies[..len], rules);
            self.lay_out(&mut bodies[..len], rules, &region, target.first_key);
            let keys = self.levels.last().map_or(0, |level| level.keys.end - target.first_key);
            let is_crowded = region.count_keys(&mut bodies[..len], &self.levels[levels..], &mut target);
            if is_crowded {
                let room = rules.room.max_regions - self.regions.len() - waiting.count;
                let counts = &mut target.ends[..keys as usize];
                if cut(&mut bodies[..len], scratch, counts, target.first_key, room, &mut waiting) {
                    self.levels.truncate(levels);
                    continue;
                }
                region.count_keys_again(&bodies[..len], &mut target);
            }
            let (front, back) = std::mem::take(&mut bodies).split_at_mut(len);
            bodies = back;
            region.place(front, target.split_off(len, keys));
            region.level_end = self.levels.len() as u32;
            self.regions.push(region);
        }
    }

    /// A grid for every level of a region, over the bodies that are on it. Tags become levels.
    #[inline(always)]
    fn lay_out(&mut self, bodies: &mut [RegionBody<D>], rules: &Rules<'_, D>, region: &Region<D>, first_key: u32) {
        let sizes = match rules.given {
            Some(levels) if rules.room.max_levels > 1 => Sizes::group(bodies, rules, levels),
            _ => Sizes::choose(bodies, rules, &region.bounds),
        };
        let Frame { scale, width, .. } = region.frame;
        let slack = rules.slack.map(|slack| slack * scale);
        let blur = 2.0 * width * f64::from(f32::EPSILON) + slack.into_iter().fold(0.0, f64::max);
        let mut base = first_key;
        for level in 0..sizes.levels {
            let (bounds, count) = match sizes.levels {
                1 => (region.bounds, bodies.len()),
                _ => {
                    let on_level = bodies.iter().filter(|body| body.tag == level as u32);
                    (bounds_of(on_level.clone(), rules), on_level.count())
                }
            };
            let max_radius = bounds.max_radius * scale;
            let size = (2.0 * max_radius).max(width / MAX_CELLS_PER_AXIS);
            let [lo, hi] = [bounds.lo, bounds.hi].map(|corner| region.frame.place(corner));
            let room = rules.room.keys_per_body * count + KEYS_OF_A_CELL;
            let mut cells = slack.map(|slack| size + slack);
            // A row costs about as much as a body in it: not more rows than bodies, where a region is thin along x.
            let rows = (1..D).map(|axis| (hi[axis] - lo[axis]) / cells[axis] + 1.0).product::<f64>();
            let wider = (rows / count as f64).max(1.0).powf(1.0 / (D - 1) as f64);
            cells[1..].iter_mut().for_each(|size| *size *= wider);
            let (grid, keys) = fit(lo, hi, cells, room, base);
            base = keys.end;
            let margin = rules.margin * scale;
            let has_grown = (0..D).any(|axis| grid.counts[axis] > 1 && grid.sizes[axis] > MIN_GROWN * size);
            self.levels.push(RegionLevel {
                could_be_finer: has_grown || sizes.are_mixed[level],
                grid: LevelGrid { grid, reach_cells: 1, max_radius, asked_size: size, blur, margin },
                keys,
                is_vast: max_radius > MAX_RADIUS || blur > MAX_RADIUS,
                bodies: count as u32,
                group: sizes.groups[level],
            });
        }
    }
}

impl<'a, const D: usize> RegionTarget<'a, D> {
    /// Takes what the next bodies and keys need.
    fn split_off(&mut self, bodies: usize, keys: u32) -> Self {
        let (ends, rest) = std::mem::take(&mut self.ends).split_at_mut(keys as usize);
        self.ends = rest;
        let front =
            Self { columns: self.columns.split_off(bodies), ends, first: self.first, first_key: self.first_key };
        self.first += bodies as u32;
        self.first_key += keys;
        front
    }
}

impl<const D: usize> Region<D> {
    #[inline(always)]
    fn of(bodies: &[RegionBody<D>], rules: &Rules<'_, D>) -> Self {
        let bounds = bounds_of(bodies, rules);
        Self { bounds, frame: Frame::of(&bounds), level_end: 0 }
    }

    /// Counts the bodies of every key. Tags become keys. Returns whether cells are so crowded that it is better to cut the
    /// region: they could be smaller, and hold too many on average, as the bodies see it.
    #[inline(always)]
    fn count_keys(
        &self,
        bodies: &mut [RegionBody<D>],
        levels: &[RegionLevel<D>],
        target: &mut RegionTarget<'_, D>,
    ) -> bool {
        let Some(last) = levels.last() else { return false };
        let ends = &mut target.ends[..(last.keys.end - target.first_key) as usize];
        ends.fill(0);
        let one_level = levels.len() == 1;
        for body in bodies.iter_mut() {
            let level = &levels[if one_level { 0 } else { body.tag as usize }];
            body.tag = level.keys.key_of(self.frame.place(body.center));
            ends[(body.tag - target.first_key) as usize] += 1;
        }
        if bodies.len() < MIN_CUT || !levels.iter().any(|level| level.could_be_finer) {
            return false;
        }
        let seen: u64 = ends.iter().map(|&bodies| u64::from(bodies) * u64::from(bodies)).sum();
        seen > MAX_CROWDED * bodies.len() as u64
    }

    /// Counts the bodies of every key once more; tags are keys already.
    fn count_keys_again(&self, bodies: &[RegionBody<D>], target: &mut RegionTarget<'_, D>) {
        target.ends.fill(0);
        for body in bodies {
            target.ends[(body.tag - target.first_key) as usize] += 1;
        }
    }

    /// Puts bodies, whose tags are their keys, into the columns: a counting sort by key.
    #[inline(always)]
    fn place(&self, bodies: &[RegionBody<D>], RegionTarget { columns, first, ends, first_key }: RegionTarget<'_, D>) {
        let mut sum = first;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        let Slices { position, radius, ids, keys } = columns;
        for body in bodies {
            let end = &mut ends[(body.tag - first_key) as usize];
            let slot = (*end - first) as usize;
            *end += 1;
            let place = self.frame.place(body.center);
            for axis in 0..D {
                position[axis][slot] = place[axis] as f32;
            }
            radius[slot] = (body.radius * self.frame.scale) as f32;
            ids[slot] = body.id;
            keys[slot] = body.tag;
        }
    }
}

impl<const D: usize> Frame<D> {
    fn of(bounds: &Bounds<D>) -> Self {
        let width = (0..D).fold(0.0, |width: f64, axis| width.max(bounds.hi[axis] - bounds.lo[axis]));
        // The scale of a width that is no normal number would be infinite.
        let size = if width > 0.0 { width.max(f64::MIN_POSITIVE) } else { bounds.max_radius };
        let scale = if size > 0.0 { power_of_two_below(size).recip() } else { 1.0 };
        Self { origin: bounds.lo, scale, width: width * scale }
    }

    /// A point in the frame.
    #[inline(always)]
    pub fn place(&self, point: [f64; D]) -> [f64; D] {
        std::array::from_fn(|axis| (point[axis] - self.origin[axis]) * self.scale)
    }
}

/// The bodies of all regions, sorted.
#[derive(Clone, Copy)]
pub(super) struct StoredBodies<'a, const D: usize> {
    pub frames: &'a [Frame<D>],
    /// The bodies of each region: where they end among all.
    pub ends: &'a [u32],
    pub columns: Lanes<'a, D>,
    /// Half the margin, which stored radii do not include.
    pub half_margin: f64,
}

impl<const D: usize> StoredBodies<'_, D> {
    /// The bodies of a region.
    pub fn of(&self, region: usize) -> Range<u32> {
        (if region == 0 { 0 } else { self.ends[region - 1] })..self.ends[region]
    }

    /// Of a list of bodies of some regions, in ascending order from `start` on, keeps there those that may touch bodies within
    /// bounds.
    pub fn keep_reaching(&self, regions: Range<usize>, bounds: &Bounds<D>, list: &mut Vec<u32>, start: usize) {
        let (mut next, mut kept) = (start, start);
        for region in regions {
            let (frame, end) = (&self.frames[region], self.ends[region]);
            let blur = 4.0 * frame.width * f64::from(f32::EPSILON);
            let lo = frame.place(bounds.lo).map(|x| (x - blur) as f32);
            let hi = frame.place(bounds.hi).map(|x| (x + blur) as f32);
            let beyond = (((bounds.max_radius + self.half_margin) * frame.scale) * (1.0 + 1e-6) + blur) as f32;
            let of_region = next..next + list[next..].partition_point(|&p| p < end);
            next = of_region.end;
            kernel::run(KeepReaching { columns: self.columns, lo, hi, beyond, list, of_region, kept: &mut kept });
        }
        list.truncate(kept);
    }
}

/// Bodies of a list that are looked at together.
const TOGETHER: usize = 16;

/// Some bodies of a list, all of one region, of which those are kept that reach others within bounds, in the region's frame.
struct KeepReaching<'a, const D: usize> {
    columns: Lanes<'a, D>,
    lo: [f32; D],
    hi: [f32; D],
    /// How far they reach beyond their radii.
    beyond: f32,
    list: &'a mut [u32],
    of_region: Range<usize>,
    /// Where the next one goes that is kept: not behind any that was not yet looked at.
    kept: &'a mut usize,
}

impl<const D: usize> KernelWork for KeepReaching<'_, D> {
    #[inline(always)]
    fn run(self) {
        let Self { columns, lo, hi, beyond, list, of_region, kept } = self;
        for first in of_region.clone().step_by(TOGETHER) {
            let len = TOGETHER.min(of_region.end - first);
            let mut bodies = [0; TOGETHER];
            bodies[..len].copy_from_slice(&list[first..first + len]);
            let mut position = [[0.0f32; TOGETHER]; D];
            let mut radius = [0.0f32; TOGETHER];
            let start = bodies[0] as usize;
            // Most often they follow each other; every column is longer than the bodies.
            if len == TOGETHER && bodies[len - 1] as usize == start + TOGETHER - 1 {
                for axis in 0..D {
                    position[axis].copy_from_slice(&columns.position[axis][start..start + TOGETHER]);
                }
                radius.copy_from_slice(&columns.radius[start..start + TOGETHER]);
            } else {
                for (k, &p) in bodies[..len].iter().enumerate() {
                    for axis in 0..D {
                        position[axis][k] = columns.position[axis][p as usize];
                    }
                    radius[k] = columns.radius[p as usize];
                }
            }
            let mut squared = [0.0f32; TOGETHER];
            for axis in 0..D {
                for k in 0..TOGETHER {
                    let (below, above) = (lo[axis] - position[axis][k], position[axis][k] - hi[axis]);
                    let gap = if below > above { below } else { above };
                    let gap = if gap > 0.0 { gap } else { 0.0 };
                    squared[k] += gap * gap;
                }
            }
            let mut reaches = 0;
            for k in 0..TOGETHER {
                let reach = (radius[k] + beyond) * (1.0 + 1e-6);
                reaches |= u32::from(squared[k] <= reach * reach) << k;
            }
            reaches &= (1 << len) - 1;
            while reaches != 0 {
                list[*kept] = bodies[reaches.trailing_zeros() as usize];
                *kept += 1;
                reaches &= reaches - 1;
            }
        }
    }
}

/// Which sizes of a region share a level. The tags of its bodies become levels.
struct Sizes {
    levels: usize,
    /// For each level the number of the given group; without given groups of no meaning.
    groups: [u32; limits::MAX_LEVELS],
    /// For each level whether some of its bodies are much smaller than others.
    are_mixed: [bool; limits::MAX_LEVELS],
}

impl Sizes {
    /// As given levels say.
    #[inline(always)]
    fn group<const D: usize>(bodies: &mut [RegionBody<D>], rules: &Rules<'_, D>, levels: &Levels) -> Self {
        let mut present = [false; limits::MAX_LEVELS];
        for body in bodies.iter_mut() {
            body.tag = levels.level_of(rules.radius(body)) as u32;
            present[body.tag as usize] = true;
        }
        let mut sizes = Self { levels: 0, groups: [0; limits::MAX_LEVELS], are_mixed: [false; limits::MAX_LEVELS] };
        let mut level_of = [0; limits::MAX_LEVELS];
        for group in (0..limits::MAX_LEVELS).filter(|&group| present[group]) {
            level_of[group] = sizes.levels as u32;
            sizes.groups[sizes.levels] = group as u32;
            sizes.levels += 1;
        }
        for body in bodies {
            body.tag = level_of[body.tag as usize];
        }
        sizes
    }

    /// As suits the bodies: from small to large, sizes share a level as long as its cells are not crowded.
    #[inline(always)]
    fn choose<const D: usize>(bodies: &mut [RegionBody<D>], rules: &Rules<'_, D>, bounds: &Bounds<D>) -> Self {
        let largest = exponent(bounds.max_radius);
        let mut counts = [0usize; CLASSES];
        for body in bodies.iter_mut() {
            let class = ((largest - exponent(rules.radius(body))) as usize).min(CLASSES - 1);
            body.tag = class as u32;
            counts[class] += 1;
        }
        let mut level_of = [0; CLASSES];
        let mut are_mixed = [false; limits::MAX_LEVELS];
        let (mut level, mut on_level, mut smallest) = (0, 0, CLASSES);
        for class in (0..CLASSES).rev().filter(|&class| counts[class] > 0) {
            // Cells that hold all bodies of the class.
            let size = 4.0 * f64::from_bits(largest.saturating_sub(class as u64) << 52);
            let extents = (0..D).map(|axis| bounds.hi[axis] - bounds.lo[axis]);
            let cells = extents.map(|extent| (extent / size).max(1.0)).product::<f64>();
            let together = (on_level + counts[class]) as f64;
            if on_level >= MIN_ON_LEVEL && together > MAX_PER_CELL * cells && level + 1 < rules.room.max_levels {
                level += 1;
                on_level = 0;
            }
            if on_level == 0 {
                smallest = class;
            }
            are_mixed[level] = smallest > class + 1;
            on_level += counts[class];
            level_of[class] = level as u32;
        }
        if level > 0 {
            for body in bodies {
                body.tag = level_of[body.tag as usize];
            }
        }
        Self { levels: level + 1, groups: [0; limits::MAX_LEVELS], are_mixed }
    }
}

/// Numbers of bodies that belong together.
struct Parts {
    lens: [usize; MAX_REGIONS],
    count: usize,
}

impl Parts {
    fn push(&mut self, len: usize) {
        if len > 0 {
            self.lens[self.count] = len;
            self.count += 1;
        }
    }

    fn pop(&mut self) -> Option<usize> {
        self.count = self.count.checked_sub(1)?;
        Some(self.lens[self.count])
    }
}

/// Parts bodies, whose tags are keys with this many bodies in `counts`, by crowded cells: each becomes a part of its own,
/// together with crowded cells next to it along x, and what is left the last one. At most `room` parts are added. Returns
/// whether there are several; only then are they added.
#[cold]
#[inline(never)]
fn cut<const D: usize>(
    bodies: &mut [RegionBody<D>],
    scratch: &mut Vec<RegionBody<D>>,
    counts: &mut [u32],
    first_key: u32,
    room: usize,
    parts: &mut Parts,
) -> bool {
    // Where the bodies of each part go; those of no crowded cell are part 0, behind all others.
    let mut lens = [0; MAX_REGIONS];
    let (mut last, mut was_crowded) = (0, false);
    for count in counts.iter_mut() {
        let is_crowded = *count >= CROWDED_CELL && (was_crowded || last + 1 < room);
        last += usize::from(is_crowded && !was_crowded);
        let part = if is_crowded { last } else { 0 };
        lens[part] += *count as usize;
        *count = part as u32;
        was_crowded = is_crowded;
    }
    if lens.contains(&bodies.len()) || room < 2 {
        return false;
    }
    let mut starts = [0; MAX_REGIONS];
    for part in (0..last).rev() {
        starts[part + 1] = starts.get(part + 2).map_or(0, |next| next + lens[part + 2]);
    }
    starts[0] = bodies.len() - lens[0];
    scratch.clear();
    scratch.extend_from_slice(bodies);
    for body in scratch.iter() {
        let place = &mut starts[counts[(body.tag - first_key) as usize] as usize];
        bodies[*place] = *body;
        *place += 1;
    }
    for &len in &lens[..=last] {
        parts.push(len);
    }
    true
}

/// Cells over a box, as small as asked or larger, with keys from `base` on that fit into a room.
fn fit<const D: usize>(lo: [f64; D], hi: [f64; D], sizes: [f64; D], room: usize, base: u32) -> (Grid<D>, LevelKeys<D>) {
    let mut max_cells = room as f64;
    loop {
        let grid = Grid::new(lo, hi, sizes, max_cells);
        if let Some(keys) = LevelKeys::new(&grid, 1, base).filter(|keys| (keys.end - base) as usize <= room) {
            return (grid, keys);
        }
        max_cells = (0.8 * max_cells).max(1.0);
    }
}

#[inline(always)]
fn bounds_of<'a, const D: usize>(
    bodies: impl IntoIterator<Item = &'a RegionBody<D>>,
    rules: &Rules<'_, D>,
) -> Bounds<D> {
    let mut bounds = Bounds::EMPTY;
    for body in bodies {
        for axis in 0..D {
            let x = body.center[axis];
            bounds.lo[axis] = if x < bounds.lo[axis] { x } else { bounds.lo[axis] };
            bounds.hi[axis] = if x > bounds.hi[axis] { x } else { bounds.hi[axis] };
        }
        let radius = rules.radius(body);
        bounds.max_radius = if radius > bounds.max_radius { radius } else { bounds.max_radius };
    }
    bounds
}

/// The exponent of a number that is not negative, as it is stored; that of 0 is the lowest.
#[inline(always)]
fn exponent(value: f64) -> u64 {
    value.to_bits() >> 52
}

fn power_of_two_below(value: f64) -> f64 {
    f64::from_bits(exponent(value) << 52)
}
