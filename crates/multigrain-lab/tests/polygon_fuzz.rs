//! A first part of what `fuzz_polygons` does: random pairs of polygons against the exhaustive answers.

use multigrain_lab::polygon_check::{Tally, check};
use rayon::prelude::*;

const PAIRS: u64 = 100_000;
const MAX_CORNERS: usize = 1000;

#[test]
fn random_pairs_of_polygons_agree_with_the_exhaustive_answers_and_always_end() {
    let checked = (0..PAIRS).into_par_iter().map(|number| check(1, number, MAX_CORNERS));
    let all = checked.try_reduce(Tally::default, |a, b| Ok(a.and(b))).unwrap();
    assert_eq!(all.calls, 3 * PAIRS);
    // All kinds of pairs have had their turn: apart, overlapping, and overlapping like grains.
    assert!((all.calls / 3..all.calls * 9 / 10).contains(&all.overlapping), "{all:?}");
    assert!(all.lenses > PAIRS / 10, "{all:?}");
}

/// Pairs of the long run that were wrong once.
#[test]
fn pairs_that_were_wrong_once_agree() {
    for number in [57_030, 379_598, 5_239_815, 8_203_438] {
        if let Err(wrong) = check(1, number, MAX_CORNERS) {
            panic!("{wrong}");
        }
    }
}
