//! Sizes among which the best levels are sought.

use super::model::{CostModel, Rung};

/// Steps of equal ratio from the smallest diameter to the largest.
const STEPS: usize = 256;

/// No step may hold more than this share of the bodies, or of their volume, if it can be cut.
const LARGEST_SHARE: f64 = 1.0 / 32.0;

/// Steps are cut at most this often into halves.
const MOST_CUTS: u32 = 24;

/// Single sizes up to this number are all candidates.
const MOST_SINGLE_SIZES: usize = 256;

/// Logarithm of the largest ratio of neighbouring candidates.
pub(super) fn widest_step(model: &CostModel) -> f64 {
    (model.sizes().scaled_largest() / model.sizes().scaled_smallest()).ln() / STEPS as f64
}

/// Candidate levels, ascending; the last is the largest diameter.
///
/// Steps of equal ratio see every scale; where many bodies or much volume crowd into one step it is cut. With single
/// sizes (a sample, a table) a border just above one of them is better than one somewhere below the next.
pub(super) fn candidates(model: &CostModel) -> Vec<Rung> {
    let sizes = model.sizes();
    let (smallest, largest) = (2.0 * sizes.scaled_smallest(), 2.0 * sizes.scaled_largest());
    let ratio = largest / smallest;
    let mut steps: Vec<Rung> = (1..STEPS)
        .map(|step| smallest * ratio.powf(step as f64 / STEPS as f64))
        .filter(|&size| smallest < size && size < largest)
        .map(|size| model.rung(size))
        .collect();
    steps.push(model.rung(largest));
    let mut found: Vec<Rung> = Vec::new();
    let mut below = model.ground();
    for step in steps {
        let from = below.size.max(smallest);
        cut(model, from, below, step, MOST_CUTS, &mut found);
        found.push(step);
        below = step;
    }
    if let Some(atoms) = sizes.atoms() {
        let mut single = match atoms.distinct(MOST_SINGLE_SIZES) {
            Some(radii) => radii,
            None => found.iter().filter_map(|rung| atoms.at_or_below(0.5 * rung.size)).collect(),
        };
        single.dedup();
        found.extend(
            single.iter().map(|radius| 2.0 * radius).filter(|&size| smallest <= size).map(|size| model.rung(size)),
        );
    }
    found.extend(model.sizes_that_fit(smallest, largest).into_iter().map(|size| model.rung(size)));
    found.sort_by(|a, b| a.size.total_cmp(&b.size));
    found.dedup_by(|a, b| a.size == b.size);
    found
}

/// Halves the step between two rungs, in ratio, until no part holds too much. `from` is the lower border.
fn cut(model: &CostModel, from: f64, below: Rung, above: Rung, cuts: u32, found: &mut Vec<Rung>) {
    // A single size at the upper end cannot be cut off by any border below it.
    let mut end = above.split;
    if let Some(atoms) = model.sizes().atoms() {
        end = match atoms.at_or_below(0.5 * above.size) {
            Some(radius) if radius > 0.5 * below.size => model.split(radius.next_down()),
            _ => below.split,
        };
    }
    let middle = (from * above.size).sqrt();
    if cuts == 0 || model.weight_between(&below, &end) <= LARGEST_SHARE || !(from < middle && middle < above.size) {
        return;
    }
    let rung = model.rung(middle);
    cut(model, from, below, rung, cuts - 1, found);
    found.push(rung);
    cut(model, middle, rung, above, cuts - 1, found);
}
