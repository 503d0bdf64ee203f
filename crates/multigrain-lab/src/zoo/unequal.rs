//! Sizes over many orders of magnitude, evenly spread.

use super::Arrangement;
use super::heap::{Heap, power};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("log-1e3", "radii log-uniform over 1e3, filling 0.6 of space", |n, rng| {
        spread(n, -1.0, 1e3, 0.6, rng)
    }),
    Arrangement::space("log-1e8", "radii log-uniform over 1e8, filling 0.6 of space", |n, rng| {
        spread(n, -1.0, 1e8, 0.6, rng)
    }),
    Arrangement::space("log-1e8-sparse", "radii log-uniform over 1e8, filling 1e-6 of space", |n, rng| {
        spread(n, -1.0, 1e8, 1e-6, rng)
    }),
    Arrangement::space("log-1e16", "radii log-uniform over 1e16, filling 0.6 of space", |n, rng| {
        spread(n, -1.0, 1e16, 0.6, rng)
    }),
    Arrangement::space("log-1e8-periodic", "radii log-uniform over 1e8, filling 0.6 of a periodic box", |n, rng| {
        let heap = spread(n, -1.0, 1e8, 0.6, rng);
        let side = super::heap::side_of(&heap.radii, 0.6, 3);
        heap.within([0.0; 3], [side; 3], [true; 3])
    }),
    Arrangement::space("power-5", "radii of power law -5 up to 1e6, filling 0.6 of space", |n, rng| {
        spread(n, -5.0, 1e6, 0.6, rng)
    }),
    Arrangement::space("power-2", "radii of power law -2 up to 1e6, filling 0.6 of space", |n, rng| {
        spread(n, -2.0, 1e6, 0.6, rng)
    }),
];

fn spread(count: usize, exponent: f64, ratio: f64, fraction: f64, rng: &mut Rng) -> Heap<3> {
    let mut heap = Heap::new();
    heap.fill(&power(exponent, ratio, count, 3), fraction, [0.0; 3], rng);
    heap
}
