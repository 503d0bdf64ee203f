//! Pairs of boxes that move, against a plain test of every pair.

use super::Outcome;
use crate::bytes::Bytes;
use multigrain::pairs::is_positive;
use multigrain::{Domain, Pair, Pairs};
use multigrain_papers::{Boxes, SortAndUpdate};

/// Most tests of one answer.
const MAX_TESTS: f64 = 1e5;

pub fn run(input: &[u8]) -> Outcome {
    let mut bytes = Bytes::new(input);
    if bytes.is_one_in(2) { story::<2>(&mut bytes) } else { story::<3>(&mut bytes) }
}

fn story<const D: usize>(bytes: &mut Bytes<'_>) -> Outcome {
    let side = 10f64.powi(bytes.below(7) as i32 - 3);
    let periodic = std::array::from_fn(|_| bytes.is_one_in(2));
    let domain = match bytes.is_one_in(3) {
        true => Domain::open(),
        false => Domain::new([0.0; D], [side; D], periodic).expect("a box"),
    };
    let count = bytes.below(40) as usize;
    let size = bytes.pick(&[0.05, 0.3, 0.3, 1.5]);
    let mut lo: Vec<[f64; D]> = Vec::new();
    let mut hi: Vec<[f64; D]> = Vec::new();
    let ends = |bytes: &mut Bytes<'_>| -> ([f64; D], [f64; D]) {
        let at: [f64; D] = std::array::from_fn(|_| match bytes.below(4) {
            0 => 0.125 * side * f64::from(bytes.byte() % 12),
            _ => side * (1.4 * bytes.uniform() - 0.2),
        });
        let long: [f64; D] = std::array::from_fn(|_| match bytes.below(6) {
            0 => 0.0,
            1 => 0.125 * side,
            _ => size * side * bytes.uniform(),
        });
        (at, std::array::from_fn(|k| at[k] + long[k]))
    };
    for _ in 0..count {
        let (low, high) = ends(bytes);
        lo.push(low);
        hi.push(high);
    }
    let (mut index, mut pairs, mut checked) = (SortAndUpdate::new(), Pairs::new(), 0);
    for call in 0..1 + bytes.below(6) {
        let boxes = match Boxes::new(&lo, &hi).and_then(|boxes| boxes.within(domain)) {
            Ok(boxes) => boxes,
            Err(error) => return Outcome { checked, ..Outcome::refused(&error.to_string()) },
        };
        let Some(expected) = every_pair(&boxes) else { return Outcome { checked, ..Outcome::refused("many images") } };
        index.find_box_pairs(boxes, &mut pairs);
        let mut found: Vec<Pair<D>> = pairs.iter().collect();
        found.sort_unstable();
        assert!(
            found == expected,
            "call {call}: {} pairs, not {}: {lo:?} {hi:?} {domain:?}",
            found.len(),
            expected.len()
        );
        checked += 1;
        let way = side * bytes.pick(&[0.0, 1e-3, 0.05, 1.0]);
        match bytes.below(4) {
            0 if count > 0 => {
                let (low, high) = ends(bytes);
                let who = bytes.below(lo.len().max(1) as u64) as usize;
                if who < lo.len() {
                    (lo[who], hi[who]) = (low, high);
                }
            }
            1 => {
                let left = bytes.below(lo.len() as u64 + 1) as usize;
                lo.truncate(left);
                hi.truncate(left);
            }
            2 => {
                let (low, high) = ends(bytes);
                lo.push(low);
                hi.push(high);
            }
            _ => {
                for (low, high) in lo.iter_mut().zip(&mut hi) {
                    for axis in 0..D {
                        let step = way * bytes.signed();
                        let long = high[axis] - low[axis];
                        low[axis] += step;
                        high[axis] = low[axis] + long;
                    }
                }
            }
        }
    }
    Outcome { checked, ..Outcome::accepted(pairs.len()) }
}

/// Every pair, sorted; nothing where there are too many images to look at.
fn every_pair<const D: usize>(boxes: &Boxes<'_, D>) -> Option<Vec<Pair<D>>> {
    let mut found = Vec::new();
    let mut tests = 0.0;
    for i in 0..boxes.len() {
        for j in i..boxes.len() {
            let range: [(i32, i32); D] = std::array::from_fn(|axis| {
                if !boxes.domain().is_periodic(axis) {
                    return (0, 0);
                }
                let length = boxes.domain().length(axis);
                let first = (boxes.lo()[i][axis] - boxes.hi()[j][axis]) / length;
                let last = (boxes.hi()[i][axis] - boxes.lo()[j][axis]) / length;
                (first.floor() as i32 - 1, last.ceil() as i32 + 1)
            });
            tests += range.iter().map(|(first, last)| f64::from(last - first + 1)).product::<f64>();
            if tests > MAX_TESTS {
                return None;
            }
            let mut shift = range.map(|(first, _)| first);
            loop {
                if (i != j || is_positive(shift)) && boxes.overlap(i, j, shift) {
                    found.push(Pair { i: i as u32, j: j as u32, shift });
                }
                let Some(axis) = (0..D).find(|&axis| shift[axis] < range[axis].1) else { break };
                shift[axis] += 1;
                for lower in 0..axis {
                    shift[lower] = range[lower].0;
                }
            }
        }
    }
    found.sort_unstable();
    Some(found)
}
