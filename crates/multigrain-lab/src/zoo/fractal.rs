//! Dust: bodies that are crowded within crowds within crowds.

use super::Arrangement;
use super::heap::{Heap, ahead, direction, log_uniform};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space(
        "dust-1",
        "each cube has dust in 2 of its 8 parts: dimension 1; finer for more bodies",
        |n, rng| dust(n, 2, 1.0, rng),
    ),
    Arrangement::space("dust-1.6", "dust in 3 of 8 parts: dimension 1.6", |n, rng| dust(n, 3, 1.0, rng)),
    Arrangement::space("dust-2", "dust in 4 of 8 parts: dimension 2", |n, rng| dust(n, 4, 1.0, rng)),
    Arrangement::space("dust-mixed", "dust of dimension 1.6, radii log-uniform over a factor of 10", |n, rng| {
        dust(n, 3, 0.1, rng)
    }),
    Arrangement::space(
        "levy-flight",
        "stops of a flight with steps of power law 1.5, farther for more bodies",
        |n, rng| levy_flight(n, 1.5, rng),
    ),
    Arrangement::space("levy-flight-wild", "the same with power law 0.5: steps of every size up to N^2", |n, rng| {
        levy_flight(n, 0.5, rng)
    }),
];

/// A random cascade: bodies take random paths down a tree of cubes where each cube has the same number of live parts,
/// until there are as many cubes as bodies. Radii are a third of the last cubes, or down to `smallest` of that.
fn dust(count: usize, live: u32, smallest: f64, rng: &mut Rng) -> Heap<3> {
    let depth = libm::log(count as f64) / libm::log(f64::from(live));
    let (depth, last) = (depth.ceil() as u32, libm::pow(0.5, depth));
    let tree = rng.next_u64();
    let mut heap = Heap::new();
    for _ in 0..count {
        let (mut lo, mut side, mut node) = ([0.0; 3], 1.0, tree);
        for _ in 0..depth {
            let child = rng.below(u64::from(live));
            let part = live_part(node, child);
            side *= 0.5;
            for (axis, x) in lo.iter_mut().enumerate() {
                *x += side * f64::from(part >> axis & 1);
            }
            node = Rng::new(node ^ (child + 1).wrapping_mul(0x9e37_79b9)).next_u64();
        }
        let radius = last / 3.0 * if smallest < 1.0 { log_uniform(smallest, 1.0, rng) } else { 1.0 };
        heap.put(lo.map(|x| x + side * rng.uniform()), radius);
    }
    heap
}

/// Which of the eight parts of a cube is its `child`th live one.
fn live_part(node: u64, child: u64) -> u32 {
    let mut parts = [0, 1, 2, 3, 4, 5, 6, 7];
    Rng::new(node).shuffle(&mut parts);
    parts[child as usize]
}

/// A step is longer than `x` with probability `x^-exponent`.
fn levy_flight(count: usize, exponent: f64, rng: &mut Rng) -> Heap<3> {
    let mut heap = Heap::new();
    let mut center = [0.0; 3];
    for _ in 0..count {
        heap.put(center, 0.7);
        let step = libm::pow(1.0 - rng.uniform(), -1.0 / exponent);
        center = ahead(center, step, direction(rng));
    }
    heap
}
