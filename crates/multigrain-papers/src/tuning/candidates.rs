//! Sizes among which the best levels are sought.

use super::model::{CostModel, Rung};

/// How close together candidates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fineness {
    /// Enough for what grids usually have.
    Usual,
    /// Enough for the most levels there may be.
    ForManyLevels,
}

impl Fineness {
    /// Up to this many levels the usual fineness is enough.
    pub const MAX_USUAL_LEVELS: usize = 32;

    /// Steps of equal ratio from the smallest diameter to the largest.
    fn steps(self) -> usize {
        match self {
            Self::Usual => 256,
            Self::ForManyLevels => 1024,
        }
    }

    /// No step may hold more than this share of the bodies, or of their volume, if it can be cut.
    fn largest_share(self) -> f64 {
        8.0 / self.steps() as f64
    }
}

/// Steps are cut at most so often into halves.
const MAX_CUTS: u32 = 24;

/// Logarithm of the largest ratio of neighbouring candidates.
pub(super) fn widest_step(model: &CostModel) -> f64 {
    let sizes = model.sizes();
    (sizes.scaled_largest() / sizes.scaled_smallest()).ln() / Fineness::Usual.steps() as f64
}

/// Candidate levels, ascending; the last is the largest diameter.
///
/// Steps of equal ratio see every scale; where many bodies or much volume crowd into one step it is cut. Where bodies
/// have single sizes (a sample, a table) a level that ends at one is mostly better than one that ends between two.
pub(super) fn candidates(model: &CostModel, fineness: Fineness) -> Vec<Rung> {
    let sizes = model.sizes();
    let (smallest, largest) = (2.0 * sizes.scaled_smallest(), 2.0 * sizes.scaled_largest());
    let step = |step: usize| smallest * (largest / smallest).powf(step as f64 / fineness.steps() as f64);
    let mut found: Vec<Rung> = Vec::new();
    let (mut from, mut below) = (smallest, model.ground());
    for size in (1..fineness.steps()).map(step).chain([largest]) {
        if from < size && size <= largest {
            let above = model.rung(size);
            cut(model, fineness, (from, below), above, MAX_CUTS, &mut found);
            found.push(above);
            (from, below) = (size, above);
        }
    }
    if found.is_empty() {
        found.push(model.rung(largest));
    }
    let mut more = model.sizes_that_fit(smallest, largest);
    if let Some(atoms) = sizes.atoms() {
        let radii = match atoms.distinct(fineness.steps()) {
            Some(radii) => radii,
            None => found.iter().filter_map(|rung| atoms.at_or_below(0.5 * rung.size)).collect(),
        };
        more.extend(radii.into_iter().map(|radius| 2.0 * radius).filter(|size| (smallest..largest).contains(size)));
    }
    more.sort_by(f64::total_cmp);
    more.dedup();
    found.extend(more.into_iter().map(|size| model.rung(size)));
    found.sort_by(|a, b| a.size.total_cmp(&b.size));
    found.dedup_by(|a, b| a.size == b.size);
    found
}

/// Halves the step between two rungs, in ratio, until no part holds too much. The lower one comes with the size where
/// the step begins.
fn cut(
    model: &CostModel,
    fineness: Fineness,
    (from, below): (f64, Rung),
    above: Rung,
    cuts: u32,
    found: &mut Vec<Rung>,
) {
    // Bodies of a single size at the upper end stay together however the step is cut.
    let mut end = above.split;
    if let Some(atoms) = model.sizes().atoms() {
        end = match atoms.at_or_below(0.5 * above.size) {
            Some(radius) if radius > 0.5 * below.size => model.split(radius.next_down()),
            _ => below.split,
        };
    }
    let middle = (from * above.size).sqrt();
    let narrow = !(from < middle && middle < above.size);
    let holds_too_much = model.weight_between(&below, &end) > fineness.largest_share();
    if cuts == 0 || narrow || !holds_too_much {
        return;
    }
    let rung = model.rung(middle);
    cut(model, fineness, (from, below), rung, cuts - 1, found);
    found.push(rung);
    cut(model, fineness, (middle, rung), above, cuts - 1, found);
}
