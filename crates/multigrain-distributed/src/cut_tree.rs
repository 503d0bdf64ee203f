//! Who owns which part of space: cuts, each across one coordinate. Every rank knows all of them.

use crate::coordinates::Coordinates;

/// Space in boxes, one for each rank.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CutTree<const D: usize> {
    pub(crate) coordinates: Coordinates<D>,
    /// What is left of a cut follows it.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Cut { axis: u8, at: f64, right: u32 },
    Leaf { rank: u32 },
}

/// One cut: where the space of `parts` ranks from `first` on is cut in two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    /// The lowest rank of both sides.
    pub first: usize,
    /// How many ranks there are on both sides.
    pub parts: usize,
    /// The coordinate.
    pub axis: usize,
    /// Places below this are on the left.
    pub at: f64,
}

impl Cut {
    /// How many of these ranks are on the left.
    pub(crate) fn left(parts: usize) -> usize {
        parts / 2
    }
}

impl<const D: usize> CutTree<D> {
    /// From all cuts, in any order.
    pub(crate) fn new(coordinates: Coordinates<D>, ranks: usize, cuts: &[Cut]) -> Self {
        let mut sorted = cuts.to_vec();
        // As the tree is gone through: those of all ranks first, then what is on the left.
        sorted.sort_by_key(|cut| (cut.first, std::cmp::Reverse(cut.parts)));
        let mut tree = Self { coordinates, nodes: Vec::with_capacity(2 * ranks) };
        tree.grow(0, ranks, &mut sorted.iter());
        tree
    }

    fn grow<'a>(&mut self, first: usize, parts: usize, cuts: &mut impl Iterator<Item = &'a Cut>) {
        if parts == 1 {
            return self.nodes.push(Node::Leaf { rank: first as u32 });
        }
        let cut = cuts.next().expect("there is a cut for every part that has several ranks");
        debug_assert_eq!((cut.first, cut.parts), (first, parts));
        let node = self.nodes.len();
        self.nodes.push(Node::Cut { axis: cut.axis as u8, at: cut.at, right: 0 });
        let left = Cut::left(parts);
        self.grow(first, left, cuts);
        let next = self.nodes.len() as u32;
        if let Node::Cut { right, .. } = &mut self.nodes[node] {
            *right = next;
        }
        self.grow(first + left, parts - left, cuts);
    }

    /// The same cuts in a box that has changed its shape: each goes along with the border of its coordinate.
    pub fn follow(&mut self, coordinates: Coordinates<D>) {
        let before = std::mem::replace(&mut self.coordinates, coordinates);
        for node in &mut self.nodes {
            if let Node::Cut { axis, at, .. } = node {
                *at *= before.growth(&coordinates, usize::from(*axis));
            }
        }
    }

    /// Bounds of what a rank owns.
    pub fn box_of(&self, rank: usize) -> ([f64; D], [f64; D]) {
        let (mut lo, mut hi) = self.coordinates.bounds();
        // The tree has the ranks in their order, and half of them on the left of each cut.
        let (mut node, mut first, mut parts) = (0, 0, self.nodes.len().div_ceil(2));
        while let Node::Cut { axis, at, right } = self.nodes[node] {
            let left = Cut::left(parts);
            if rank < first + left {
                hi[usize::from(axis)] = at;
                (node, parts) = (node + 1, left);
            } else {
                lo[usize::from(axis)] = at;
                (node, first, parts) = (right as usize, first + left, parts - left);
            }
        }
        (lo, hi)
    }

    /// Bytes that the tree takes.
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }

    /// The rank whose box has a body's center.
    pub fn owner(&self, center: [f64; D]) -> usize {
        let place = self.coordinates.place(center);
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::Leaf { rank } => return rank as usize,
                Node::Cut { axis, at, .. } if place[axis as usize] < at => node += 1,
                Node::Cut { right, .. } => node = right as usize,
            }
        }
    }

    /// For every node of the tree, the largest of what its ranks have.
    pub(crate) fn largest_below(&self, of_ranks: &[f64]) -> Vec<f64> {
        let mut largest = vec![f64::NEG_INFINITY; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            largest[node] = match self.nodes[node] {
                Node::Leaf { rank } => of_ranks[rank as usize],
                Node::Cut { right, .. } => largest[node + 1].max(largest[right as usize]),
            };
        }
        largest
    }

    /// Calls `found` with every rank whose box is within `reach` of a body, plus the smaller of `other` and what
    /// [`largest_below`](Self::largest_below) says of the rank.
    pub(crate) fn visit_near(
        &self,
        center: [f64; D],
        reach: f64,
        other: f64,
        largest: &[f64],
        mut found: impl FnMut(usize),
    ) {
        let (lo, hi) = self.coordinates.bounds();
        let near = RankSearch { tree: self, place: self.coordinates.place(center), reach, other, largest };
        near.visit(0, &lo, &hi, &mut found);
    }
}

/// A question for ranks nearby.
struct RankSearch<'a, const D: usize> {
    tree: &'a CutTree<D>,
    place: [f64; D],
    reach: f64,
    other: f64,
    largest: &'a [f64],
}

impl<const D: usize> RankSearch<'_, D> {
    fn visit(&self, node: usize, lo: &[f64; D], hi: &[f64; D], found: &mut impl FnMut(usize)) {
        // With room for the rounding of distances, which is relative to them.
        let reach = (self.reach + self.other.min(self.largest[node])) * (1.0 + 16.0 * f64::EPSILON);
        if self.tree.coordinates.distance(self.place, lo, hi) > reach {
            return;
        }
        match self.tree.nodes[node] {
            Node::Leaf { rank } => found(rank as usize),
            Node::Cut { axis, at, right } => {
                let (mut left_hi, mut right_lo) = (*hi, *lo);
                left_hi[axis as usize] = at;
                right_lo[axis as usize] = at;
                self.visit(node + 1, lo, &left_hi, found);
                self.visit(right as usize, &right_lo, hi, found);
            }
        }
    }
}
