//! Giants among small bodies: each giant touches very many.

use super::Arrangement;
use super::heap::{Heap, ahead, direction, in_box, shares, side_of};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("giant", "one body over all the others, which are even", |n, rng| {
        let mut heap = Heap::new();
        let side = heap.fill(&vec![1.0; n - 1], 0.6, [0.0; 3], rng);
        heap.put([side / 2.0; 3], side);
        heap
    }),
    Arrangement::space(
        "giants-100",
        "100 giants that fill 0.6 of the space of the others, which are even",
        |n, rng| {
            let giants = 100.min(n / 10);
            let mut heap = Heap::new();
            let side = heap.fill(&vec![1.0; n - giants], 0.3, [0.0; 3], rng);
            let giant = side / side_of(&vec![1.0; giants], 0.6, 3);
            heap.scatter(vec![giant; giants], [0.0; 3], side, rng);
            heap
        },
    ),
    Arrangement::space("giant-dressed", "small bodies cover 0.6 of the surface of one giant", |n, rng| {
        let mut heap = Heap::new();
        dress(&mut heap, n, [0.0; 3], rng);
        heap
    }),
    Arrangement::space("giants-dressed", "a giant for every 1,000 bodies, the others cover the giants", |n, rng| {
        let giants = n.div_ceil(1000);
        let mut heap = Heap::new();
        // Dressed giants are about 20 wide and fill 0.2 of space.
        let side = side_of(&vec![20.0; giants], 0.2, 3);
        for bodies in shares(n, giants) {
            dress(&mut heap, bodies, in_box([0.0; 3], [side; 3], rng), rng);
        }
        heap
    }),
];

/// A giant at `center` and small bodies of radius 1 with their centers on its surface, `bodies` in all.
fn dress(heap: &mut Heap<3>, bodies: usize, center: [f64; 3], rng: &mut Rng) {
    let giant = (bodies as f64 / 2.4).sqrt();
    heap.put(center, giant);
    for _ in 1..bodies {
        heap.put(ahead(center, giant, direction(rng)), 1.0);
    }
}
