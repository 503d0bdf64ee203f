//! Space cut into regions: a k-d tree over a sample of the bodies. However bodies are spread, every leaf holds about as
//! many, and leaves lie next to each other without overlap.

use crate::detectors::toolkit::{Images, ShiftRange};
use crate::pairs::is_positive;
use crate::snapshot::Snapshot;

/// Bodies per region, at most and about: they are searched within the first-level cache, and even if all of them lie in
/// one cell, testing each with each takes no longer than finding them.
const MAX_BODIES: usize = 1024;

/// Sampled bodies per region, at most.
const MAX_SAMPLED: usize = 32;

/// Bodies that walk down the tree side by side, so that the processor waits for none of them.
const ABREAST: usize = 8;

/// The tree, with the memory to build it.
#[derive(Debug, Clone)]
pub(super) struct Tree<const D: usize> {
    nodes: Vec<Node>,
    bounds: Vec<Bounds<D>>,
    /// Steps from the root to the deepest leaf.
    depth: usize,
    leaves: usize,
    sample: Vec<[f64; D]>,
}

/// A cut across one axis, or a leaf.
#[derive(Debug, Clone, Copy)]
struct Node {
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
        self.nodes.push(Node::leaf(0));
        (self.depth, self.leaves) = (0, 0);
        let mut sample = std::mem::take(&mut self.sample);
        self.cut_node(0, &mut sample, max_sampled, 0);
        self.sample = sample;
    }

    /// Cuts a node in two where a sample of its bodies says, and again, down to leaves.
    fn cut_node(&mut self, node: usize, sample: &mut [[f64; D]], max_sampled: usize, depth: usize) {
        let cut = (sample.len() > max_sampled).then(|| best_cut(sample)).flatten();
        let Some((axis, split)) = cut else {
            self.nodes[node].leaf = self.leaves as u32;
            self.leaves += 1;
            self.depth = self.depth.max(depth);
            return;
        };
        let child = self.nodes.len();
        self.nodes[node] = Node { split, axis: axis as u32, child: child as u32, leaf: 0 };
        self.nodes.extend([Node::leaf(child), Node::leaf(child + 1)]);
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
            let Node { child, leaf, .. } = self.nodes[k];
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
        pairs: &mut Vec<RegionPair<D>>,
    ) {
        pairs.clear();
        let root = &self.bounds[0];
        let last = std::array::from_fn(|axis| {
            let span = root.hi[axis] - root.lo[axis] + 2.0 * root.max_radius + slack[axis];
            images.period(axis).map_or(0, |length| (span / length).floor() as i32)
        });
        let shifts = ShiftRange { first: last.map(|last: i32| -last), last };
        for shift in shifts.iter().filter(|&shift| shift == [0; D] || is_positive(shift)) {
            let translation = std::array::from_fn(|axis| f64::from(shift[axis]) * images.period(axis).unwrap_or(0.0));
            self.add_near(0, 0, &Seen { shift, translation, slack, regions }, pairs);
        }
    }

    /// Lists pairs of regions below two nodes.
    fn add_near(&self, a: usize, b: usize, seen: &Seen<'_, D>, pairs: &mut Vec<RegionPair<D>>) {
        let is_home = seen.shift == [0; D];
        let same = a == b && is_home;
        if !same && !self.bounds[a].is_near(&self.bounds[b], seen) {
            return;
        }
        let [first_of_a, first_of_b] = [a, b].map(|node| self.nodes[node].child as usize);
        if first_of_a == a && first_of_b != b && !self.bodies_reach(a, b, seen, seen.translation) {
            return;
        }
        if first_of_b == b && first_of_a != a && !self.bodies_reach(b, a, seen, seen.translation.map(|x| -x)) {
            return;
        }
        match (first_of_a == a, first_of_b == b) {
            (true, true) => {
                let [of_a, of_b] = [a, b].map(|node| seen.regions.bounds_of(self.nodes[node].leaf as usize));
                for (a, bounds) in of_a {
                    let others = of_b.clone().filter(|&(b, others)| (!same || a < b) && bounds.is_near(others, seen));
                    pairs.extend(others.map(|(b, _)| RegionPair { a: a as u32, b: b as u32, shift: seen.shift }));
                }
            }
            (false, _) if same => {
                self.add_near(first_of_a, first_of_a, seen, pairs);
                self.add_near(first_of_a + 1, first_of_a + 1, seen, pairs);
                self.add_near(first_of_a, first_of_a + 1, seen, pairs);
            }
            (is_leaf, is_leaf_b) => {
                if is_leaf_b || !is_leaf && self.bounds[a].size() > self.bounds[b].size() {
                    self.add_near(first_of_a, b, seen, pairs);
                    self.add_near(first_of_a + 1, b, seen, pairs);
                } else {
                    self.add_near(a, first_of_b, seen, pairs);
                    self.add_near(a, first_of_b + 1, seen, pairs);
                }
            }
        }
    }
}

impl<const D: usize> Tree<D> {
    /// Whether a body of leaf `a` may touch bodies below node `b`, seen `translation` away. Worth asking, and only then
    /// asked, if the node is much smaller: nested bodies would else make every region near to all within it.
    fn bodies_reach(&self, a: usize, b: usize, seen: &Seen<'_, D>, translation: [f64; D]) -> bool {
        let (leaf, node) = (&self.bounds[a], &self.bounds[b]);
        if node.size() * MUCH_SMALLER > leaf.size() {
            return true;
        }
        let lo = std::array::from_fn(|axis| node.lo[axis] + translation[axis] - seen.slack[axis]);
        let hi = std::array::from_fn(|axis| node.hi[axis] + translation[axis] + seen.slack[axis]);
        let box_of_node = Bounds { lo, hi, max_radius: node.max_radius };
        let regions = seen.regions.bounds_of(self.nodes[a].leaf as usize);
        regions.into_iter().any(|(region, _)| (seen.regions.bodies_reach)(region, &box_of_node))
    }
}

/// How much smaller a node must be than a leaf to ask whether bodies of the leaf reach it.
const MUCH_SMALLER: f64 = 8.0;

/// The regions that each leaf holds: where they end among all, and their bounds.
pub(super) struct RegionsOfLeaves<'a, const D: usize> {
    pub ends: &'a [u32],
    pub bounds: &'a [Bounds<D>],
    /// Whether bodies of a region may touch bodies within bounds.
    pub bodies_reach: &'a dyn Fn(usize, &Bounds<D>) -> bool,
}

impl<const D: usize> RegionsOfLeaves<'_, D> {
    /// Numbers and bounds of the regions of a leaf.
    fn bounds_of(&self, leaf: usize) -> impl Iterator<Item = (usize, &Bounds<D>)> + Clone {
        let start = if leaf == 0 { 0 } else { self.ends[leaf - 1] as usize };
        let regions = start..self.ends[leaf] as usize;
        regions.clone().zip(&self.bounds[regions])
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

impl Node {
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

/// Where to cut a sample so that both halves have about as many and are as compact as may be; `None` if all are in one
/// place.
fn best_cut<const D: usize>(sample: &mut [[f64; D]]) -> Option<(usize, f64)> {
    let mut bounds = Bounds::<D>::EMPTY;
    for center in sample.iter() {
        for axis in 0..D {
            bounds.lo[axis] = bounds.lo[axis].min(center[axis]);
            bounds.hi[axis] = bounds.hi[axis].max(center[axis]);
        }
    }
    let extent = |axis: usize| bounds.hi[axis] - bounds.lo[axis];
    let axis = (0..D).fold(0, |longest, axis| if extent(axis) > extent(longest) { axis } else { longest });
    let middle = sample.len() / 2;
    let lo = bounds.lo[axis];
    let (_, median, _) = sample.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    let median = median[axis];
    let above = |x: f64| if x > lo { x } else { f64::INFINITY };
    let split = match median > lo {
        true => median,
        false => sample.iter().fold(f64::INFINITY, |least, center| above(center[axis]).min(least)),
    };
    (split < f64::INFINITY).then_some((axis, split))
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
