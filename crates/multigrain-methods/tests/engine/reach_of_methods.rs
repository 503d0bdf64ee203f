//! Which method can finish which snapshot in a test's time: the one place that leaves a method out.

use multigrain::Snapshot;
use multigrain_methods::{Candidates, Method};
use std::collections::HashMap;

/// Most candidate pairs a method may have to test: a fraction of a second's worth.
const MAX_CANDIDATES: f64 = 1e8;

/// Whether `method` gets through `now` in a test's time, from how many candidates it would have to test.
pub fn can_finish<const D: usize>(method: Method, now: Snapshot<'_, D>) -> bool {
    let bodies = now.len() as f64;
    // Brute force works out the images in reach of every pair.
    let images = if now.domain().has_images() { 10.0 } else { 1.0 };
    match method.candidates() {
        Candidates::EveryPair => bodies * bodies * images < MAX_CANDIDATES,
        Candidates::AnySize => true,
        // Cells of the largest diameter, or an order along one axis: quadratic where small bodies crowd them.
        _ => candidates_of_one_grid(now) < MAX_CANDIDATES,
    }
}

/// About how many pairs share neighbouring cells of the largest diameter.
fn candidates_of_one_grid<const D: usize>(now: Snapshot<'_, D>) -> f64 {
    let size = now.largest_reach();
    let mut crowds: HashMap<[i64; D], f64> = HashMap::new();
    for center in now.centers() {
        *crowds.entry(center.map(|x| (x / size).floor() as i64)).or_default() += 1.0;
    }
    let stencil = 3f64.powi(D as i32) / 2.0;
    crowds.values().map(|crowd| crowd * crowd).sum::<f64>() * stencil
}
