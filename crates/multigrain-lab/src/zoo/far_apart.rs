//! Bodies far apart: heaps at a distance, and single ones that flew off. Cells that cover all of space see one crowd.

use super::Arrangement;
use super::heap::{Heap, in_box, power};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("heaps-diagonal", "two heaps like uv100, 1e9 apart along each axis", |n, rng| {
        two_heaps(&power(-3.0, 100.0, n, 3), [1e9; 3], rng)
    }),
    Arrangement::space("heaps-300", "two heaps of equal spheres, a gap of 300 radii along x", |n, rng| {
        equal_heaps(n, 3e2, rng)
    }),
    Arrangement::space("heaps-1e3", "two heaps of equal spheres, a gap of 1e3 radii along x", |n, rng| {
        equal_heaps(n, 1e3, rng)
    }),
    Arrangement::space("heaps-1e4", "two heaps of equal spheres, a gap of 1e4 radii along x", |n, rng| {
        equal_heaps(n, 1e4, rng)
    }),
    Arrangement::space("heaps-1e6", "two heaps of equal spheres, a gap of 1e6 radii along x", |n, rng| {
        equal_heaps(n, 1e6, rng)
    }),
    Arrangement::space("heaps-1e14", "two heaps of equal spheres, a gap of 1e14 radii along x", |n, rng| {
        equal_heaps(n, 1e14, rng)
    }),
    Arrangement::space("heap-small-far", "a heap, and another of 1.5 % of the bodies 1e6 radii away", |n, rng| {
        let small = n * 3 / 200;
        let mut heap = Heap::new();
        heap.fill(&vec![1.0; n - small], FRACTION, [0.0; 3], rng);
        heap.fill(&vec![1.0; small], FRACTION, [1e6, 0.0, 0.0], rng);
        heap
    }),
    Arrangement::space("strays-64", "even, but 64 bodies anywhere within 5e11 radii", |n, rng| strays(n, 64, 3, rng)),
    Arrangement::space("strays-65", "even, but 65 bodies anywhere within 5e11 radii", |n, rng| strays(n, 65, 3, rng)),
    Arrangement::space(
        "strays-1000",
        "even, but 1,000 bodies (at most a third) anywhere within 5e11 radii",
        |n, rng| strays(n, 1000, 3, rng),
    ),
    Arrangement::space("strays-1000-x", "the same, flown off along x only", |n, rng| strays(n, 1000, 1, rng)),
    Arrangement::space("strays-1000-xy", "the same, flown off in a plane", |n, rng| strays(n, 1000, 2, rng)),
    Arrangement::space("strays-tenth", "even, but a tenth of all bodies anywhere within 5e11 radii", |n, rng| {
        strays(n, n / 10, 3, rng)
    }),
    Arrangement::space("strays-mixed", "sizes of uv100, a tenth of all bodies anywhere within 5e11", |n, rng| {
        let mut radii = power(-3.0, 100.0, n, 3);
        rng.shuffle(&mut radii);
        let (far, near) = radii.split_at(n / 10);
        let mut heap = Heap::new();
        heap.fill(near, FRACTION, [0.0; 3], rng);
        heap.scatter(far.iter().copied(), [-FAR; 3], 2.0 * FAR, rng);
        heap
    }),
];

/// Share of space that bodies fill in a heap.
const FRACTION: f64 = 0.6;

/// How far strays are, along each axis.
const FAR: f64 = 5e11;

fn equal_heaps(count: usize, gap: f64, rng: &mut Rng) -> Heap<3> {
    two_heaps(&vec![1.0; count], [gap, 0.0, 0.0], rng)
}

/// Bodies dealt out to two heaps with these gaps between them.
fn two_heaps(radii: &[f64], gaps: [f64; 3], rng: &mut Rng) -> Heap<3> {
    let hand = |first: usize| -> Vec<f64> { radii.iter().copied().skip(first).step_by(2).collect() };
    let mut heap = Heap::new();
    let side = heap.fill(&hand(0), FRACTION, [0.0; 3], rng);
    let second = gaps.map(|gap| if gap > 0.0 { side + gap } else { 0.0 });
    heap.fill(&hand(1), FRACTION, second, rng);
    heap
}

/// Equal spheres in a cube, but for some that are far away along the first `axes`.
fn strays(count: usize, wanted: usize, axes: usize, rng: &mut Rng) -> Heap<3> {
    let strays = wanted.min(count / 3);
    let mut heap = Heap::new();
    let side = heap.fill(&vec![1.0; count - strays], FRACTION, [0.0; 3], rng);
    for _ in 0..strays {
        let mut center = in_box([0.0; 3], [side; 3], rng);
        for x in &mut center[..axes] {
            *x = FAR * (2.0 * rng.uniform() - 1.0);
        }
        heap.put(center, 1.0);
    }
    heap
}
