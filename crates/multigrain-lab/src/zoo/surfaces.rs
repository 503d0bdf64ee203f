//! Bodies on lines and surfaces, and on lattices where they just touch.

use super::Arrangement;
use super::heap::{Heap, ahead, direction, power};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("sphere", "equal bodies cover 0.6 of the surface of a sphere, larger for more", |n, rng| {
        let distance = (n as f64 / 2.4).sqrt();
        let mut heap = Heap::new();
        for _ in 0..n {
            heap.put(ahead([0.0; 3], distance, direction(rng)), 1.0);
        }
        heap
    }),
    Arrangement::space("line-x", "equal bodies at random on a line along x, longer for more", |n, rng| {
        line(&vec![1.0; n], [1.0, 0.0, 0.0], rng)
    }),
    Arrangement::space("line-z", "the same along z", |n, rng| line(&vec![1.0; n], [0.0, 0.0, 1.0], rng)),
    Arrangement::space("line-diagonal", "the same along the diagonal", |n, rng| {
        line(&vec![1.0; n], [0.57, 0.58, 0.58], rng)
    }),
    Arrangement::space("line-mixed", "sizes of uv100 on the diagonal", |n, rng| {
        line(&power(-3.0, 100.0, n, 3), [0.57, 0.58, 0.58], rng)
    }),
    Arrangement::space("plane", "equal bodies cover 0.6 of the plane of x and y", |n, rng| {
        plane(n, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], rng)
    }),
    Arrangement::space("plane-tilted", "equal bodies cover 0.6 of a tilted plane", |n, rng| {
        plane(n, [0.8, -0.36, -0.48], [0.0, 0.8, -0.6], rng)
    }),
    Arrangement::space("lattice", "a cube of equal bodies that touch exactly, which is no contact", |n, _| {
        lattice(n, 0.0)
    }),
    Arrangement::space("lattice-1e12", "the same, 1e12 radii from the origin", |n, _| lattice(n, 1e12)),
    Arrangement::space("lattice-inside", "the same, radii a thousandth larger: three contacts per body", |n, _| {
        let mut heap = lattice(n, 0.0);
        heap.radii.fill(1.001);
        heap
    }),
];

/// Bodies evenly at random on a line that is as long as all of them in a row.
fn line(radii: &[f64], direction: [f64; 3], rng: &mut Rng) -> Heap<3> {
    let length = radii.iter().sum::<f64>() * 2.0;
    let mut heap = Heap::new();
    for &radius in radii {
        heap.put(ahead([0.0; 3], length * rng.uniform(), direction), radius);
    }
    heap
}

/// Equal bodies evenly at random in the square that these two directions span.
fn plane(count: usize, u: [f64; 3], v: [f64; 3], rng: &mut Rng) -> Heap<3> {
    let side = (count as f64 * std::f64::consts::PI / 0.6).sqrt();
    let mut heap = Heap::new();
    for _ in 0..count {
        heap.put(ahead(ahead([0.0; 3], side * rng.uniform(), u), side * rng.uniform(), v), 1.0);
    }
    heap
}

fn lattice(count: usize, offset: f64) -> Heap<3> {
    let along = (count as f64).cbrt().ceil() as usize;
    let mut heap = Heap::new();
    for body in 0..count {
        let place = [body % along, body / along % along, body / along / along];
        heap.put(place.map(|k| offset + 2.0 * k as f64), 1.0);
    }
    heap
}
