//! Space cut into regions: a k-d tree over a sample of the bodies. However bodies are spread, every leaf holds about as
//! many, and leaves lie next to each other without overlap.

use crate::grid::{Images, ShiftRange, translation_along};
use crate::pairs::is_positive;
use crate::snapshot::Snapshot;
use std::ops::{Range, RangeInclusive};

use super::layout::StoredBodies;

/// Bodies per region, at most and about: they are searched within the first-level cache, and even if all of them lie in
/// one cell, testing each with each takes no longer than finding them.
const MAX_BODIES: usize = 1024;

/// How many times as many may be in a region where they are spread evenly: the larger it is, the fewer of its bodies reach others.
const EVEN: usize = 8;

/// How many times longer than others an axis of such a region may be: coordinates of a long one are coarse.
const MAX_LONGER: f64 = 32.0;

/// Where the mean of evenly spread bodies lies along an axis, in units of their extent.
const EVEN_MEAN: RangeInclusive<f64> = 0.4..=0.6;

/// Variance of evenly spread bodies along an axis, in squares of their extent; exactly even ones have 1/12.
const EVEN_VARIANCE: RangeInclusive<f64> = 1.0 / 24.0..=1.0 / 8.0;

/// Sampled bodies per region, at most.
const MAX_SAMPLED: usize = 32;

/// How much smaller a region must be than another for a list of the bodies that reach it.
const MUCH_SMALLER: f64 = 6.0;

/// Bodies that walk down the tree side by side, so that the processor waits for none of them.
const ABREAST: usize = 8;

/// The tree, with the memory to build it.
#[derive(Debug, Clone)]
pub(super) struct Tree<const D: usize> {
    nodes: Vec<Cut>,
    bounds: Vec<Bounds<D>>,
    /// Steps from the root to the deepest leaf.
    depth: usize,
    leaves: usize,
    sample: Vec<[f64; D]>,
}

/// A cut across one axis, or a leaf.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Bodies at or above it belong to the second child. Not a number in leaves: nothing is at or above it.
    split: f64,
    axis: u32,
    /// The first child, with the second right behind it; a leaf is its own child.
    child: u32,
    /// Number of a leaf.
    leaf: u32,
}

/// Bounds of the centers below a node, and the largest radius there, half the margin included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds<const D: usize> {
    pub lo: [f64; D],
    pub hi: [f64; D],
    pub max_radius: f64,
}

/// Two regions of which bodies may touch, the second one seen `shift` periods away.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionPair<const D: usize> {
    pub a: u32,
    pub b: u32,
    pub shift: [i32; D],
    /// If not empty: the only bodies of the first region that reach the second, among those listed.
    pub listed: (u32, u32),
}

/// All pairs of regions of which bodies may touch, with the memory to find them.
#[derive(Debug, Clone, Default)]
pub(super) struct NearPairs<const D: usize> {
    pub pairs: Vec<RegionPair<D>>,
    /// Bodies of regions that reach much smaller regions, pair by pair.
    pub listed: Vec<u32>,
    /// Bodies that may reach a node: a list for each node on the way down, and empty between walks.
    scratch: Vec<u32>,
}

impl<const D: usize> Tree<D> {
    pub fn new() -> Self {
        Self { nodes: Vec::new(), bounds: Vec::new(), depth: 0, leaves: 0, sample: Vec::new() }
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// Cuts space so that the bodies of a snapshot are spread evenly over the leaves.
    pub fn cut(&mut self, now: &Snapshot<'_, D>, images: &Images<D>) {
        let stride = (MAX_BODIES / MAX_SAMPLED).min(now.len().div_ceil(MAX_BODIES)).max(1);
        self.sample.clear();
        self.sample.extend((0..now.len() / stride).map(|k| {
            // Not at equal distances: input that comes in rows must not be sampled along one of them.
            let i = k * stride + (k.wrapping_mul(0x9e37_79b9) >> 16) % stride;
            images.stored_center(i, now.centers()[i])
        }));
        let max_sampled = MAX_BODIES / stride;
        self.nodes.clear();
        self.nodes.push(Cut::leaf(0));
        (self.depth, self.leaves) = (0, 0);
        let mut sample = std::mem::take(&mut self.sample);
        self.cut_node(0, &mut sample, max_sampled, 0);
        self.sample = sample;
    }

    /// Cuts a node in two where a sample of its bodies says, and again, down to leaves.
    fn cut_node(&mut self, node: usize, sample: &mut [[f64; D]], max_sampled: usize, depth: usize) {
        let bounds = bounds_of(sample);
        let is_leaf = sample.len() <= max_sampled || sample.len() <= EVEN * max_sampled && is_even(sample, &bounds);
        let cut = if is_leaf { None } else { best_cut(sample, &bounds) };
        let Some((axis, split)) = cut else {
            self.nodes[node].leaf = self.leaves as u32;
            self.leaves += 1;
            self.depth = self.depth.max(depth);
            return;
        };
        let child = self.nodes.len();
        self.nodes[node] = Cut { split, axis: axis as u32, child: child as u32, leaf: 0 };
        self.nodes.extend([Cut::leaf(child), Cut::leaf(child + 1)]);
        let below = partition(sample, |center| center[axis] < split);
        let (first, second) = sample.split_at_mut(below);
        self.cut_node(child, first, max_sampled, depth + 1);
        self.cut_node(child + 1, second, max_sampled, depth + 1);
    }

    /// The leaf of every body.
    #[inline(always)]
    pub fn find_leaves(&self, centers: impl ExactSizeIterator<Item = [f64; D]>, leaves: &mut [u32]) {
        let mut centers = centers.fuse();
        for leaves in leaves.chunks_mut(ABREAST) {
            let abreast: [[f64; D]; ABREAST] = std::array::from_fn(|_| centers.next().unwrap_or([0.0; D]));
            let mut at = [0u32; ABREAST];
            for _ in 0..self.depth {
                for k in 0..ABREAST {
                    let node = &self.nodes[at[k] as usize];
                    let x = abreast[k][node.axis as usize % D];
                    at[k] = node.child + u32::from(x >= node.split);
                }
            }
            for (leaf, at) in leaves.iter_mut().zip(at) {
                *leaf = self.nodes[at as usize].leaf;
            }
        }
    }

    /// Takes over the bounds of the regions in all leaves.
    pub fn set_bounds(&mut self, regions: &RegionsOfLeaves<'_, D>) {
        self.bounds.clear();
        self.bounds.resize(self.nodes.len(), Bounds::EMPTY);
        for k in (0..self.nodes.len()).rev() {
            let Cut { child, leaf, .. } = self.nodes[k];
            let child = child as usize;
            self.bounds[k] = match child == k {
                true => regions.bounds_of(leaf as usize).fold(Bounds::EMPTY, |all, (_, bounds)| all.union(bounds)),
                false => self.bounds[child].union(&self.bounds[child + 1]),
            };
        }
    }

    /// Lists all pairs of regions of which bodies may touch, each once: different ones seen in any shift, and a region and
    /// its own images. Distances along each axis may be wrong by `slack`.
    pub fn near_pairs(
        &self,
        regions: &RegionsOfLeaves<'_, D>,
        images: &Images<D>,
        slack: [f64; D],
        near: &mut NearPairs<D>,
    ) {
        near.pairs.clear();
        near.listed.clear();
        let root = &self.bounds[0];
        let last = std::array::from_fn(|axis| {
            let span = root.hi[axis] - root.lo[axis] + 2.0 * root.max_radius + slack[axis];
            images.period(axis).map_or(0, |length| (span / length).floor() as i32)
        });
        let shifts = ShiftRange { first: last.map(|last: i32| -last), last };
        for shift in shifts.iter().filter(|&shift| shift == [0; D] || is_positive(shift)) {
            let translation =
                std::array::from_fn(|axis| translation_along(shift[axis], images.period(axis).unwrap_or(0.0)));
            self.add_near(0, 0, &Seen { shift, translation, slack, regions }, near);
        }
    }

    /// Lists pairs of regions below two nodes.
    fn add_near(&self, a: usize, b: usize, seen: &Seen<'_, D>, near: &mut NearPairs<D>) {
        let same = a == b && seen.shift == [0; D];
        if !same && !self.bounds[a].is_near(&self.bounds[b], seen) {
            return;
        }
        let [first_of_a, first_of_b] = [a, b].map(|node| self.nodes[node].child as usize);
        let [is_leaf_a, is_leaf_b] = [first_of_a == a, first_of_b == b];
        if is_leaf_a && is_leaf_b {
            self.add_leaves(a, b, seen, near);
        } else if same {
            self.add_near(first_of_a, first_of_a, seen, near);
            self.add_near(first_of_a + 1, first_of_a + 1, seen, near);
            self.add_near(first_of_a, first_of_a + 1, seen, near);
        } else if is_leaf_a && self.bounds[b].is_much_smaller_than(&self.bounds[a]) {
            near.scratch.extend(seen.regions.bodies_of_leaf(self.nodes[a].leaf as usize));
            self.add_within(a, b, 0, seen, near);
        } else if is_leaf_b && self.bounds[a].is_much_smaller_than(&self.bounds[b]) {
            near.scratch.extend(seen.regions.bodies_of_leaf(self.nodes[b].leaf as usize));
            self.add_within(b, a, 0, &seen.exchanged(), near);
        } else if is_leaf_b || !is_leaf_a && self.bounds[a].size() > self.bounds[b].size() {
            self.add_near(first_of_a, b, seen, near);
            self.add_near(first_of_a + 1, b, seen, near);
        } else {
            self.add_near(a, first_of_b, seen, near);
            self.add_near(a, first_of_b + 1, seen, near);
        }
    }

    /// Lists pairs of regions of two leaves.
    fn add_leaves(&self, a: usize, b: usize, seen: &Seen<'_, D>, near: &mut NearPairs<D>) {
        let same = a == b && seen.shift == [0; D];
        let [leaf_a, leaf_b] = [a, b].map(|node| self.nodes[node].leaf as usize);
        for (a, bounds) in seen.regions.bounds_of(leaf_a) {
            for (b, others) in seen.regions.bounds_of(leaf_b) {
                let differ_much = others.is_much_smaller_than(bounds) || bounds.is_much_smaller_than(others);
                if !(same && a >= b || differ_much) && bounds.is_near(others, seen) {
                    near.pairs.push(RegionPair { a: a as u32, b: b as u32, shift: seen.shift, listed: (0, 0) });
                }
            }
        }
        seen.add_much_smaller(leaf_a, leaf_b, near);
        if !same {
            seen.exchanged().add_much_smaller(leaf_b, leaf_a, near);
        }
    }

    /// Lists pairs of the regions of a leaf and those below a much smaller node: only some bodies of the leaf reach the
    /// node, and fewer the nodes below it. Bodies nested around a point would else make every region near to all within.
    /// Bodies that may reach the node are in the scratch list, from `start` on, and are taken off it.
    fn add_within(&self, leaf: usize, node: usize, start: usize, seen: &Seen<'_, D>, near: &mut NearPairs<D>) {
        let regions = seen.regions.of_leaf(self.nodes[leaf].leaf as usize);
        seen.keep_reaching(regions.clone(), &self.bounds[node], &mut near.scratch, start);
        let end = near.scratch.len();
        let child = self.nodes[node].child as usize;
        if start < end && child != node {
            for child in [child, child + 1] {
                near.scratch.extend_from_within(start..end);
                self.add_within(leaf, child, end, seen, near);
            }
        } else if start < end {
            let mut first = start;
            for a in regions {
                let bodies = seen.regions.bodies.of(a);
                let last = first + near.scratch[first..].partition_point(|&p| p < bodies.end);
                for (b, _) in seen.regions.bounds_of(self.nodes[node].leaf as usize) {
                    seen.add_listed(a, b, first..last, near);
                }
                first = last;
            }
        }
        near.scratch.truncate(start);
    }
}

/// The regions that each leaf holds: where they end among all, their bounds, and their bodies.
pub(super) struct RegionsOfLeaves<'a, const D: usize> {
    pub ends: &'a [u32],
    pub bounds: &'a [Bounds<D>],
    pub bodies: StoredBodies<'a, D>,
}

impl<const D: usize> RegionsOfLeaves<'_, D> {
    /// The regions of a leaf.
    fn of_leaf(&self, leaf: usize) -> Range<usize> {
        let start = if leaf == 0 { 0 } else { self.ends[leaf - 1] as usize };
        start..self.ends[leaf] as usize
    }

    /// Numbers and bounds of the regions of a leaf.
    fn bounds_of(&self, leaf: usize) -> impl Iterator<Item = (usize, &Bounds<D>)> + Clone {
        let regions = self.of_leaf(leaf);
        regions.clone().zip(&self.bounds[regions])
    }

    /// The bodies of all regions of a leaf.
    fn bodies_of_leaf(&self, leaf: usize) -> Range<u32> {
        let regions = self.of_leaf(leaf);
        if regions.is_empty() { 0..0 } else { self.bodies.of(regions.start).start..self.bodies.of(regions.end - 1).end }
    }
}

/// Some image of all regions.
struct Seen<'a, const D: usize> {
    regions: &'a RegionsOfLeaves<'a, D>,
    shift: [i32; D],
    /// The shift as a distance.
    translation: [f64; D],
    slack: [f64; D],
}

impl<const D: usize> Seen<'_, D> {
    /// The same with the two sides exchanged.
    fn exchanged(&self) -> Self {
        let (shift, translation) = (self.shift.map(|shift| -shift), self.translation.map(|x| -x));
        Self { shift, translation, ..*self }
    }

    /// Of a list of bodies of some regions, from `start` on, keeps those that reach others within bounds.
    fn keep_reaching(&self, regions: Range<usize>, bounds: &Bounds<D>, list: &mut Vec<u32>, start: usize) {
        let lo = std::array::from_fn(|axis| bounds.lo[axis] + self.translation[axis] - self.slack[axis]);
        let hi = std::array::from_fn(|axis| bounds.hi[axis] + self.translation[axis] + self.slack[axis]);
        self.regions.bodies.keep_reaching(regions, &Bounds { lo, hi, ..*bounds }, list, start);
    }

    /// Lists pairs of each region of one leaf and those of another that are much smaller. Most often none of its bodies
    /// reaches any of these.
    fn add_much_smaller(&self, a: usize, b: usize, near: &mut NearPairs<D>) {
        for (region, bounds) in self.regions.bounds_of(a) {
            let smaller = self
                .regions
                .bounds_of(b)
                .filter(|(_, others)| others.is_much_smaller_than(bounds) && bounds.is_near(others, self));
            let all = smaller.clone().fold(Bounds::EMPTY, |all, (_, others)| all.union(others));
            if smaller.clone().next().is_some() {
                near.scratch.extend(self.regions.bodies.of(region));
                self.keep_reaching(region..region + 1, &all, &mut near.scratch, 0);
            }
            if !near.scratch.is_empty() {
                for (other, _) in smaller {
                    self.add_listed(region, other, 0..near.scratch.len(), near);
                }
            }
            near.scratch.clear();
        }
    }

    /// Adds a pair of which only those of some bodies, a part of the scratch list, search that reach the second region, if
    /// there are any.
    fn add_listed(&self, a: usize, b: usize, candidates: Range<usize>, near: &mut NearPairs<D>) {
        let start = near.listed.len();
        near.listed.extend_from_slice(&near.scratch[candidates]);
        self.keep_reaching(a..a + 1, &self.regions.bounds[b], &mut near.listed, start);
        if near.listed.len() > start {
            let listed = (start as u32, near.listed.len() as u32);
            near.pairs.push(RegionPair { a: a as u32, b: b as u32, shift: self.shift, listed });
        }
    }
}

impl Cut {
    fn leaf(itself: usize) -> Self {
        Self { split: f64::NAN, axis: 0, child: itself as u32, leaf: 0 }
    }
}

impl<const D: usize> Bounds<D> {
    pub const EMPTY: Self = Self { lo: [f64::INFINITY; D], hi: [f64::NEG_INFINITY; D], max_radius: 0.0 };

    fn union(&self, other: &Self) -> Self {
        Self {
            lo: std::array::from_fn(|axis| self.lo[axis].min(other.lo[axis])),
            hi: std::array::from_fn(|axis| self.hi[axis].max(other.hi[axis])),
            max_radius: self.max_radius.max(other.max_radius),
        }
    }

    /// Whether so much smaller that few bodies of the other reach it.
    fn is_much_smaller_than(&self, other: &Self) -> bool {
        self.size() * MUCH_SMALLER < other.size()
    }

    fn size(&self) -> f64 {
        (0..D).fold(self.max_radius, |size, axis| size.max(self.hi[axis] - self.lo[axis]))
    }

    /// Whether bodies of both may touch, the others seen as they are.
    fn is_near(&self, other: &Self, seen: &Seen<'_, D>) -> bool {
        // Far more than rounding can do to these few operations.
        let reach = (self.max_radius + other.max_radius) * (1.0 + 1e-12);
        let mut squared = 0.0;
        for axis in 0..D {
            let below = self.lo[axis] - (other.hi[axis] + seen.translation[axis]);
            let above = (other.lo[axis] + seen.translation[axis]) - self.hi[axis];
            let gap = (below.max(above) * (1.0 - 1e-12) - seen.slack[axis]).max(0.0);
            squared += gap * gap;
        }
        squared <= reach * reach
    }
}

fn bounds_of<const D: usize>(sample: &[[f64; D]]) -> Bounds<D> {
    let mut bounds = Bounds::<D>::EMPTY;
    for center in sample {
        for axis in 0..D {
            bounds.lo[axis] = bounds.lo[axis].min(center[axis]);
            bounds.hi[axis] = bounds.hi[axis].max(center[axis]);
        }
    }
    bounds
}

/// Whether bodies are not much denser in one place than in another, as far as that shows along the axes.
fn is_even<const D: usize>(sample: &[[f64; D]], bounds: &Bounds<D>) -> bool {
    let count = sample.len() as f64;
    (0..D).all(|axis| {
        let extent = bounds.hi[axis] - bounds.lo[axis];
        if extent * MAX_LONGER < bounds.size() {
            return false;
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        for center in sample {
            let x = (center[axis] - bounds.lo[axis]) / extent;
            sum += x;
            squares += x * x;
        }
        let mean = sum / count;
        EVEN_MEAN.contains(&mean) && EVEN_VARIANCE.contains(&(squares / count - mean * mean))
    })
}

/// Where to cut a sample so that both halves have about as many and are as compact as may be: across the longest axis, in the
/// middle of the gap at the median. `None` if all are in one place.
fn best_cut<const D: usize>(sample: &mut [[f64; D]], bounds: &Bounds<D>) -> Option<(usize, f64)> {
    let extent = |axis: usize| bounds.hi[axis] - bounds.lo[axis];
    let axis = (0..D).fold(0, |longest, axis| if extent(axis) > extent(longest) { axis } else { longest });
    let middle = sample.len() / 2;
    let lo = bounds.lo[axis];
    let (below, median, _) = sample.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    let median = median[axis];
    let before = below.iter().map(|center| center[axis]).filter(|&x| x < median).fold(lo, f64::max);
    if median > lo {
        let halfway = before + (median - before) / 2.0;
        return Some((axis, if halfway > before { halfway } else { median }));
    }
    let next = sample.iter().map(|center| center[axis]).filter(|&x| x > lo).fold(f64::INFINITY, f64::min);
    (next < f64::INFINITY).then_some((axis, next))
}

/// Brings those that fulfil a condition to the front; returns how many.
fn partition<T>(items: &mut [T], condition: impl Fn(&T) -> bool) -> usize {
    let mut count = 0;
    for k in 0..items.len() {
        if condition(&items[k]) {
            items.swap(k, count);
            count += 1;
        }
    }
    count
}
