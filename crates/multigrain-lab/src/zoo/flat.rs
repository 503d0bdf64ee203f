//! Discs in the plane.

use super::Arrangement;
use super::heap::{Heap, ahead, in_box, power, shares};
use multigrain::Rng;
use std::f64::consts::{PI, TAU};

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::plane("flat-even", "equal discs evenly in a square that they fill to 0.6", |n, rng| even(n, rng).0),
    Arrangement::plane("flat-periodic", "the same in a periodic box", |n, rng| {
        let (heap, side) = even(n, rng);
        heap.within([0.0; 2], [side; 2], [true; 2])
    }),
    Arrangement::plane("flat-uv100", "sizes of uv100 in a square that they fill to 0.6", |n, rng| {
        let mut heap = Heap::new();
        heap.fill(&power(-3.0, 100.0, n, 2), 0.6, [0.0; 2], rng);
        heap
    }),
    Arrangement::plane("flat-heaps", "two heaps of equal discs, 1e9 apart along x and y", |n, rng| {
        let (mut heap, side) = even(n - n / 2, rng);
        heap.fill(&vec![1.0; n / 2], 0.6, [side + 1e9; 2], rng);
        heap
    }),
    Arrangement::plane("flat-beside", "half large in a square, half 100 times smaller in its corner", |n, rng| {
        let (mut heap, _) = even(n - n / 2, rng);
        heap.fill(&vec![0.01; n / 2], 0.6, [0.0; 2], rng);
        heap
    }),
    Arrangement::plane(
        "flat-strays",
        "even, but 1,000 discs (at most a third) anywhere within 5e11 radii",
        |n, rng| {
            let strays = 1000.min(n / 3);
            let (mut heap, _) = even(n - strays, rng);
            heap.scatter(vec![1.0; strays], [-5e11; 2], 1e12, rng);
            heap
        },
    ),
    Arrangement::plane(
        "flat-rings",
        "ten rings around a point, each 6.3 times the one inside, discs growing with it",
        |n, rng| {
            let mut heap = Heap::new();
            for (ring, discs) in shares(n, 10).enumerate() {
                let distance = 6.3f64.powi(ring as i32);
                for _ in 0..discs {
                    let (sin, cos) = libm::sincos(TAU * rng.uniform());
                    heap.put(ahead([0.0; 2], distance, [cos, sin]), distance * PI / discs as f64);
                }
            }
            heap
        },
    ),
    Arrangement::plane("flat-strip", "periodic strip as thin as a disc, 2.1 radii, longer for more discs", |n, rng| {
        let length = n as f64 * PI / 0.6 / 2.1;
        let mut heap = Heap::new();
        for _ in 0..n {
            heap.put(in_box([0.0; 2], [2.1, length], rng), 1.0);
        }
        heap.within([0.0; 2], [2.1, length], [true; 2])
    })
    .thin(),
];

fn even(count: usize, rng: &mut Rng) -> (Heap<2>, f64) {
    let mut heap = Heap::new();
    let side = heap.fill(&vec![1.0; count], 0.6, [0.0; 2], rng);
    (heap, side)
}
