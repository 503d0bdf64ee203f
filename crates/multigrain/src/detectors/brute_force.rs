//! Every pair tested: the oracle that all other methods are compared with.

use crate::detector::Search;
use crate::grid::{Batch, test_every_image};
use crate::sink::PairSink;
use crate::snapshot::Snapshot;

/// Tests every pair and, in periodic domains, every image of it that may be in reach. O(N²).
#[derive(Debug, Clone, Copy, Default)]
pub struct BruteForce;

impl<const D: usize> Search<D> for BruteForce {
    const TAKES_SHEARED: bool = true;

    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        sink.mapped();
        let mut batch = Batch::new(now.domain().has_images());
        for i in 0..now.len() {
            if sink.stop_requested() {
                return;
            }
            for j in i..now.len() {
                test_every_image(&now, i, j, &mut batch, sink);
            }
        }
        batch.flush(sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Detector, Domain, Pairs};

    fn found<const D: usize>(now: Snapshot<'_, D>) -> Vec<(u32, u32, [i32; D])> {
        let mut pairs = Pairs::new();
        BruteForce.find_pairs(now, &mut pairs);
        pairs.sort();
        pairs.iter().map(|pair| (pair.i, pair.j, pair.shift)).collect()
    }

    #[test]
    fn finds_pairs_by_hand_in_open_space() {
        let centers = [[0.0, 0.0], [1.5, 0.0], [3.0, 0.0], [0.0, -1.9]];
        let now = Snapshot::new(&centers, &[1.0, 1.0, 0.4, 1.0]).unwrap();
        assert_eq!(found(now), [(0, 1, [0, 0]), (0, 3, [0, 0])]);
        assert_eq!(found(now.with_margin(0.2).unwrap()), [(0, 1, [0, 0]), (0, 3, [0, 0]), (1, 2, [0, 0])]);
    }

    #[test]
    fn finds_pair_across_periodic_corner() {
        let centers = [[0.1, 0.1], [9.9, 9.9]];
        let now = Snapshot::new(&centers, &[0.2; 2]).unwrap();
        let now = now.within(Domain::periodic([0.0; 2], [10.0; 2]).unwrap()).unwrap();
        assert_eq!(found(now), [(0, 1, [-1, -1])]);
    }

    #[test]
    fn lists_own_images_once_and_every_image_of_a_pair() {
        let now = Snapshot::new(&[[0.5, 0.0]], &[0.6]).unwrap();
        let now = now.within(Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap()).unwrap();
        assert_eq!(found(now), [(0, 0, [1, 0])]);
        let now = Snapshot::new(&[[0.25, 0.0], [0.75, 0.0]], &[0.5, 0.3]).unwrap();
        let now = now.within(Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap()).unwrap();
        assert_eq!(found(now), [(0, 1, [-1, 0]), (0, 1, [0, 0])]);
    }

    #[test]
    fn bodies_outside_the_box_keep_their_positions() {
        let now = Snapshot::new(&[[0.5, 0.0], [-99.5, 0.0]], &[0.1; 2]).unwrap();
        let now = now.within(Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap()).unwrap();
        assert_eq!(found(now), [(0, 1, [100, 0])]);
    }
}
