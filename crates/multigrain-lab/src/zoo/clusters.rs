//! Many clusters, and space of uneven density.

use super::Arrangement;
use super::heap::{Heap, ahead, direction, in_box, power, shares, side_of};

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space(
        "clusters-1000",
        "1,000 clusters of equal bodies in a box 1e4 times as wide as one",
        |n, rng| {
            let clusters = 1000.min(n.div_ceil(10));
            let mut heap = Heap::new();
            let side = side_of(&vec![1.0; n / clusters + 1], 0.5, 3);
            for bodies in shares(n, clusters) {
                heap.scatter(vec![1.0; bodies], in_box([0.0; 3], [1e4 * side; 3], rng), side, rng);
            }
            heap
        },
    ),
    Arrangement::space(
        "clusters-50-mixed",
        "50 clusters of sizes of uv50, each with a unit between 1e-3 and 1e3",
        |n, rng| {
            let mut heap = Heap::new();
            for (cluster, bodies) in shares(n, 50.min(n)).enumerate() {
                let unit = libm::pow(10.0, -3.0 + 6.0 * cluster as f64 / 49.0);
                let radii: Vec<f64> = power(-3.0, 50.0, bodies, 3).into_iter().map(|radius| unit * radius).collect();
                heap.fill(&radii, 0.6, in_box([0.0; 3], [1e7; 3], rng), rng);
            }
            heap
        },
    ),
    Arrangement::space(
        "density-steps",
        "equal bodies in ten cubes in a row, each a tenth as dense as the one before",
        |n, rng| {
            let (mut heap, mut x) = (Heap::new(), 0.0);
            for (cube, bodies) in shares(n, 10).enumerate() {
                x += heap.fill(&vec![1.0; bodies], 0.5 * 0.1f64.powi(cube as i32), [x, 0.0, 0.0], rng);
            }
            heap
        },
    ),
    Arrangement::space(
        "density-falls",
        "equal bodies around a point, density falling with the fifth power of distance",
        |n, rng| {
            // Plummer's law, at which bodies fill 0.6 of space in the middle.
            let core = (n as f64 / 0.6).cbrt();
            let mut heap = Heap::new();
            for _ in 0..n {
                let inside = 1.0 - rng.uniform();
                heap.put(
                    ahead([0.0; 3], core / (libm::pow(inside, -2.0 / 3.0) - 1.0).max(1e-12).sqrt(), direction(rng)),
                    1.0,
                );
            }
            heap
        },
    ),
    Arrangement::space(
        "heaps-in-gas",
        "a gas that fills 1e-6 of space, and heaps of 100 bodies 1,000 times smaller",
        |n, rng| {
            let mut heap = Heap::new();
            let side = heap.fill(&vec![1.0; n - n / 2], 1e-6, [0.0; 3], rng);
            for bodies in shares(n / 2, (n / 200).max(1)) {
                heap.fill(&vec![1e-3; bodies], 0.3, in_box([0.0; 3], [side; 3], rng), rng);
            }
            heap
        },
    ),
    Arrangement::space("pairs-in-gas", "pairs that touch, evenly in space that they fill to 1e-12", |n, rng| {
        let mut heap = Heap::new();
        let side = side_of(&vec![1.0; n], 1e-12, 3);
        for bodies in shares(n, n.div_ceil(2)) {
            let center = in_box([0.0; 3], [side; 3], rng);
            heap.put(center, 1.0);
            if bodies == 2 {
                heap.put(ahead(center, 1.5, direction(rng)), 1.0);
            }
        }
        heap
    }),
];
