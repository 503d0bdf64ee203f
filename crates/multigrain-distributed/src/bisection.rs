//! Where to cut space, so that all ranks have the same weight of bodies: recursive bisection across the longest extent.
//!
//! Coordinates are compared as whole numbers in the order of floats, weights are whole numbers: cuts do not depend on which rank
//! knows of which body.

use crate::coordinates::Coordinates;
use crate::cut_tree::{Cut, CutTree};
use crate::transport::{Parcel, Transport, Why, ordered, unordered};
use crate::wire::{Packer, Unpacker};

/// Parts of the range that a cut is looked for in, in each round.
const BINS: usize = 256;

/// A cut is near enough when at most this share of the weight lies between it and the best one.
const SHARE: u64 = 1024;

/// A body's place and weight, for as long as cuts are looked for.
#[derive(Debug, Clone, Copy)]
struct Dot<const D: usize> {
    place: [u64; D],
    weight: u64,
}

/// Cuts the space of a domain for as many ranks as there are, or, where there is one, for any number on paper.
pub(crate) fn cut_space<const D: usize>(
    transport: &mut dyn Transport,
    coordinates: Coordinates<D>,
    ranks: usize,
    bodies: impl Iterator<Item = ([f64; D], u64)>,
) -> CutTree<D> {
    let dots = bodies.map(|(center, weight)| Dot { place: coordinates.place(center).map(ordered), weight }).collect();
    let mut cuts = Vec::new();
    bisect(transport, dots, 0, ranks, &mut cuts);
    // Every cut is known to the first rank of its part.
    let mut packer = Packer::default();
    for cut in &cuts {
        [cut.first, cut.parts, cut.axis].iter().for_each(|&number| packer.u64(number as u64));
        packer.f64(cut.at);
    }
    let mut all = Vec::new();
    for bytes in transport.all_gather(&packer.bytes) {
        let mut unpacker = Unpacker { bytes: &bytes };
        while !unpacker.is_empty() {
            let [first, parts, axis] = std::array::from_fn(|_| unpacker.u64() as usize);
            all.push(Cut { first, parts, axis, at: unpacker.f64() });
        }
    }
    CutTree::new(coordinates, ranks, &all)
}

fn bisect<const D: usize>(
    transport: &mut dyn Transport,
    dots: Vec<Dot<D>>,
    first: usize,
    parts: usize,
    cuts: &mut Vec<Cut>,
) {
    if parts == 1 {
        return;
    }
    let (axis, edge) = find_cut(transport, &dots, parts);
    if transport.rank() == 0 {
        cuts.push(Cut { first, parts, axis, at: unordered(edge) });
    }
    let left = Cut::left(parts);
    let (lower, upper): (Vec<_>, Vec<_>) = dots.into_iter().partition(|dot| dot.place[axis] < edge);
    if transport.size() == 1 {
        bisect(transport, lower, first, left, cuts);
        return bisect(transport, upper, first + left, parts - left, cuts);
    }
    let is_left = transport.rank() < left;
    let (mut own, foreign) = if is_left { (lower, upper) } else { (upper, lower) };
    own.extend(pass_over(transport, foreign, left, parts));
    let mut side = transport.split(usize::from(!is_left));
    let (first, parts) = if is_left { (first, left) } else { (first + left, parts - left) };
    bisect(&mut *side, own, first, parts, cuts);
}

/// Coordinate and place of the cut of a group.
fn find_cut<const D: usize>(transport: &mut dyn Transport, dots: &[Dot<D>], parts: usize) -> (usize, u64) {
    // Upper bounds, and complements of the lower ones.
    let mut bounds = vec![0; 2 * D];
    for dot in dots {
        for axis in 0..D {
            bounds[axis] = bounds[axis].max(dot.place[axis]);
            bounds[D + axis] = bounds[D + axis].max(!dot.place[axis]);
        }
    }
    transport.all_max(&mut bounds);
    let mut total = [dots.iter().map(|dot| dot.weight).sum::<u64>()];
    transport.all_sum(&mut total);
    if total[0] == 0 {
        return (0, ordered(0.0));
    }
    let extent = |axis: usize| unordered(bounds[axis]) - unordered(!bounds[D + axis]);
    let mut axis = 0;
    for other in 1..D {
        if extent(other) > extent(axis) {
            axis = other;
        }
    }
    let target = u128::from(total[0]) * Cut::left(parts) as u128 / parts as u128;
    let dots = dots.iter().map(|dot| (dot.place[axis], dot.weight)).collect();
    (axis, find_edge(transport, dots, [!bounds[D + axis], bounds[axis]], target as u64, total[0]))
}

/// The place below which about `target` of the weight lies.
fn find_edge(
    transport: &mut dyn Transport,
    mut dots: Vec<(u64, u64)>,
    [mut lo, mut hi]: [u64; 2],
    target: u64,
    total: u64,
) -> u64 {
    let mut below = 0;
    loop {
        let width = (hi - lo) / BINS as u64 + 1;
        let mut weights = vec![0u64; BINS];
        for &(place, weight) in &dots {
            weights[((place - lo) / width) as usize] += weight;
        }
        transport.all_sum(&mut weights);
        let mut bin = 0;
        while bin + 1 < BINS && below + weights[bin] <= target {
            below += weights[bin];
            bin += 1;
        }
        lo += bin as u64 * width;
        hi = hi.min(lo + (width - 1));
        if width == 1 || weights[bin] <= total / SHARE {
            let is_upper_nearer = (below + weights[bin]).abs_diff(target) < below.abs_diff(target);
            return if is_upper_nearer { hi + 1 } else { lo };
        }
        dots.retain(|&(place, _)| (lo..=hi).contains(&place));
    }
}

/// Sends dots to the other half, to its ranks in turn; gives those that came from there.
fn pass_over<const D: usize>(
    transport: &mut dyn Transport,
    dots: Vec<Dot<D>>,
    left: usize,
    parts: usize,
) -> Vec<Dot<D>> {
    let rank = transport.rank();
    let others = if rank < left { left..parts } else { 0..left };
    let mut packers = vec![Packer::default(); others.len()];
    for (k, dot) in dots.iter().enumerate() {
        let packer = &mut packers[(k + rank) % others.len()];
        dot.place.iter().for_each(|&place| packer.u64(place));
        packer.u64(dot.weight);
    }
    let parcels = others.zip(packers).filter(|(_, packer)| !packer.bytes.is_empty());
    let parcels = parcels.map(|(rank, packer)| Parcel { rank, bytes: packer.bytes }).collect();
    let mut came = Vec::new();
    for parcel in transport.exchange(Why::Cuts, parcels) {
        let mut unpacker = Unpacker { bytes: &parcel.bytes };
        while !unpacker.is_empty() {
            came.push(Dot { place: std::array::from_fn(|_| unpacker.u64()), weight: unpacker.u64() });
        }
    }
    came
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread_rank::run_ranks;
    use crate::transport::Alone;
    use multigrain::{Domain, Rng};

    /// Even, in clusters, on a line, and all in one place.
    fn systems() -> Vec<Vec<([f64; 3], u64)>> {
        let mut rng = Rng::new(7);
        let mut even = Vec::new();
        let mut clusters = Vec::new();
        for _ in 0..4000 {
            let mut point = || std::array::from_fn(|_| 10.0 * rng.uniform());
            let (a, b): ([f64; 3], [f64; 3]) = (point(), point());
            even.push((a, 1));
            clusters.push((a.map(|x| x.powi(9) * 1e-8), 1 + (b[0] as u64)));
        }
        let line = (0..500).map(|k| ([k as f64, 0.0, 0.0], 3)).collect();
        vec![even, clusters, line, vec![([1.0; 3], 1); 50], Vec::new()]
    }

    #[test]
    fn cuts_do_not_depend_on_who_knows_of_which_body() {
        let coordinates = Coordinates::of(&Domain::periodic([0.0; 3], [10.0, 500.0, 10.0]).unwrap());
        for bodies in systems() {
            for ranks in [1, 2, 3, 7, 12] {
                let alone = cut_space(&mut Alone, coordinates, ranks, bodies.iter().copied());
                let together = run_ranks(ranks, |transport| {
                    let own = bodies.iter().copied().skip(transport.rank()).step_by(ranks);
                    cut_space(transport, coordinates, ranks, own)
                });
                assert!(together.iter().all(|tree| *tree == alone), "{ranks} ranks");
            }
        }
    }

    #[test]
    fn ranks_get_what_weighs_the_same() {
        let coordinates = Coordinates::of(&Domain::open());
        for (kind, bodies) in systems().into_iter().take(3).enumerate() {
            let total: u64 = bodies.iter().map(|&(_, weight)| weight).sum();
            for ranks in [2, 3, 8, 16] {
                let tree = cut_space(&mut Alone, coordinates, ranks, bodies.iter().copied());
                let mut weights = vec![0; ranks];
                for &(center, weight) in &bodies {
                    weights[tree.owner(center)] += weight;
                }
                let (mean, heaviest) =
                    (total as f64 / ranks as f64, bodies.iter().map(|body| body.1).max().unwrap_or(0));
                // A body and a thousandth at each of the cuts that bound a part.
                let levels = (ranks as f64).log2().ceil();
                let room = levels * (heaviest as f64 + total as f64 / SHARE as f64);
                for weight in weights {
                    assert!((weight as f64 - mean).abs() <= room, "kind {kind}: {weight} of {mean} on {ranks} ranks");
                }
            }
        }
    }

    #[test]
    fn a_body_on_a_cut_has_one_owner() {
        let coordinates = Coordinates::of(&Domain::open());
        let bodies: Vec<([f64; 3], u64)> = (0..64).map(|k| ([f64::from(k / 8), f64::from(k % 8), 0.0], 1)).collect();
        let tree = cut_space(&mut Alone, coordinates, 16, bodies.iter().copied());
        let mut counts = [0; 16];
        bodies.iter().for_each(|&(center, _)| counts[tree.owner(center)] += 1);
        assert_eq!(counts, [4; 16]);
    }
}
