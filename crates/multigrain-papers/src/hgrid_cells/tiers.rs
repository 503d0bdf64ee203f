//! Blocks of blocks: where a large body covers many small cells, those that are empty are left out many at a time.
//! In dense packings up to a size ratio of 16 little is left out, since small bodies lie in most blocks (experiment `hgrid-covered`).
//!
//! The papers knew no efficient way to leave out the fine cells that a large body covers. Here each tier holds the occupied
//! blocks of the tier below in blocks of two along each axis, with a bit for each of them. A search begins with the few
//! largest blocks around it and goes down along set bits only: what is empty, because a large body fills it or because nothing is
//! there, is left out by the counts of the tier above, a whole block at a time.

use super::cell_order::number_in_block;
use multigrain::grid::{HashIndex, Span, hash_cell};

/// Levels whose cells are smaller than the coarsest by this factor get tiers.
const FROM_RATIO: f64 = 8.0;

/// The tiers of one level.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiers<const D: usize> {
    /// From the finest, whose bits are blocks of cells, to the coarsest.
    tiers: Vec<Tier<D>>,
}

#[derive(Debug, Clone)]
struct Tier<const D: usize> {
    nodes: Vec<TierNode<D>>,
    index: HashIndex,
}

#[derive(Debug, Clone, Copy)]
struct TierNode<const D: usize> {
    place: [i64; D],
    /// A bit for each block of the tier below, set if it is occupied.
    occupied: u32,
}

impl<const D: usize> Tiers<D> {
    /// Tiers for the blocks at these places, of a level whose cells are `ratio` times smaller than the coarsest: as many as make
    /// the largest search a few nodes wide.
    pub fn new(blocks: impl Iterator<Item = [i64; D]>, ratio: f64) -> Self {
        if ratio < FROM_RATIO {
            return Self { tiers: Vec::new() };
        }
        let mut tiers = vec![Tier::of(blocks)];
        let mut covered = 4.0;
        while covered < ratio && tiers[tiers.len() - 1].nodes.len() > 1 {
            let finer = tiers[tiers.len() - 1].nodes.iter().map(|node| node.place);
            tiers.push(Tier::of(finer));
            covered *= 2.0;
        }
        Self { tiers }
    }

    /// How many tiers to go up so that a box of blocks is at most two nodes wide; 0 if it is so already.
    pub fn height(&self, around: &[Span; D]) -> usize {
        let is_narrow = |height: usize| around.iter().all(|span| (span.last >> height) - (span.first >> height) <= 1);
        (0..self.tiers.len()).find(|&height| is_narrow(height)).unwrap_or(self.tiers.len())
    }

    /// Visits the occupied blocks of a box of blocks, looking from this many tiers up. Returns how many nodes were looked up.
    pub fn descend(&self, height: usize, around: &[Span; D], visit: &mut impl FnMut([i64; D])) -> u64 {
        let top = around.map(|span| Span { first: span.first >> height, last: span.last >> height });
        let places = top.iter().map(|span| span.cells()).fold(1u64, u64::saturating_mul);
        let mut looked = 0;
        match height.checked_sub(1).map(|number| &self.tiers[number].nodes) {
            // A giant may reach far beyond all that there is.
            Some(nodes) if places > nodes.len() as u64 => {
                let is_inside = |node: &&TierNode<D>| {
                    (0..D).all(|axis| (top[axis].first..=top[axis].last).contains(&node.place[axis]))
                };
                for node in nodes.iter().filter(is_inside) {
                    looked += self.below(height, node.place, around, visit);
                }
            }
            _ => for_each_place(&top, |place| looked += self.below(height, place, around, visit)),
        }
        looked
    }

    fn below(&self, height: usize, place: [i64; D], around: &[Span; D], visit: &mut impl FnMut([i64; D])) -> u64 {
        let Some(tier) = height.checked_sub(1).map(|number| &self.tiers[number]) else {
            visit(place);
            return 0;
        };
        let Some(node) = tier.find(place) else { return 1 };
        let mut looked = 1;
        let mut occupied = node.occupied;
        while occupied != 0 {
            let number = occupied.trailing_zeros();
            occupied &= occupied - 1;
            let child: [i64; D] = std::array::from_fn(|axis| 2 * place[axis] + i64::from((number >> axis) & 1));
            let is_inside = |axis: usize| {
                let (first, last) = (around[axis].first >> (height - 1), around[axis].last >> (height - 1));
                (first..=last).contains(&child[axis])
            };
            if (0..D).all(is_inside) {
                looked += self.below(height - 1, child, around, visit);
            }
        }
        looked
    }
}

impl<const D: usize> Tier<D> {
    fn of(finer: impl Iterator<Item = [i64; D]>) -> Self {
        let mut tier = Self { nodes: Vec::new(), index: HashIndex::default() };
        for below in finer {
            let place = below.map(|along| along >> 1);
            let bit = 1 << number_in_block(below);
            let known = match tier.nodes.last() {
                // Neighbours come one after the other.
                Some(last) if last.place == place => Some(tier.nodes.len() - 1),
                _ => tier.number(place),
            };
            match known {
                Some(node) => tier.nodes[node].occupied |= bit,
                None => {
                    tier.index.insert(hash_cell(0, place), tier.nodes.len() as u32);
                    tier.nodes.push(TierNode { place, occupied: bit });
                }
            }
        }
        tier
    }

    fn number(&self, place: [i64; D]) -> Option<usize> {
        let is_it = |node: u32| self.nodes[node as usize].place == place;
        self.index.find(hash_cell(0, place), is_it).map(|node| node as usize)
    }

    fn find(&self, place: [i64; D]) -> Option<&TierNode<D>> {
        self.number(place).map(|node| &self.nodes[node])
    }
}

/// Visits every place of a box, x fastest.
pub(super) fn for_each_place<const D: usize>(spans: &[Span; D], mut visit: impl FnMut([i64; D])) {
    if spans.iter().any(|span| span.first > span.last) {
        return;
    }
    let mut place = spans.map(|span| span.first);
    loop {
        visit(place);
        let Some(axis) = (0..D).find(|&axis| place[axis] < spans[axis].last) else { return };
        place[axis] += 1;
        for lower in 0..axis {
            place[lower] = spans[lower].first;
        }
    }
}
