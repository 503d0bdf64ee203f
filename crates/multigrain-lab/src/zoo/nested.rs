//! Bodies around one point at every scale: no one cell size suits them, and no even subdivision separates them quickly.

use super::Arrangement;
use super::heap::{Heap, ahead, direction, log_uniform, shares};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space(
        "shells",
        "ten shells around a point, each 6.3 times the one inside, bodies growing with it",
        |n, rng| shells(n, 6.3, rng),
    ),
    Arrangement::space(
        "onion",
        "distances from a point log-uniform over 1e12, radii proportional to them",
        |n, rng| onion(n, 1e-6, 1e6, rng),
    ),
    Arrangement::space("onion-wide", "the same over 1e40", |n, rng| onion(n, 1e-20, 1e20, rng)),
    Arrangement::space(
        "coordinates-log",
        "coordinates log-uniform in 1e-3..1e12, radii a share of the largest, 200/N of it",
        |n, rng| {
            let share = (200.0 / n as f64).min(0.3);
            coordinates_log(n, |[x, y, z]| share * x.abs().max(y.abs()).max(z.abs()), rng)
        },
    ),
    Arrangement::space(
        "coordinates-log-equal",
        "coordinates log-uniform in 1e-3..1e12, radii equal and small",
        |n, rng| {
            let radius = 1e-3 * (1e3 / n as f64).cbrt();
            coordinates_log(n, |_| radius, rng)
        },
    ),
];

/// The tenth of all bodies that a shell has covers 0.6 of it.
fn shells(count: usize, factor: f64, rng: &mut Rng) -> Heap<3> {
    let mut heap = Heap::new();
    for (shell, bodies) in shares(count, 10).enumerate() {
        let distance = factor.powi(shell as i32);
        let radius = distance * (2.4 / bodies as f64).sqrt();
        for _ in 0..bodies {
            heap.put(ahead([0.0; 3], distance, direction(rng)), radius);
        }
    }
    heap
}

/// Radii are the same share of the distance everywhere, so that bodies fill 0.5 of space at every distance.
fn onion(count: usize, nearest: f64, farthest: f64, rng: &mut Rng) -> Heap<3> {
    let bodies_per_e_fold = count as f64 / libm::log(farthest / nearest);
    let share = (1.5 / bodies_per_e_fold).cbrt().min(0.5);
    let mut heap = Heap::new();
    for _ in 0..count {
        let distance = log_uniform(nearest, farthest, rng);
        heap.put(ahead([0.0; 3], distance, direction(rng)), share * distance);
    }
    heap
}

fn coordinates_log(count: usize, radius: impl Fn([f64; 3]) -> f64, rng: &mut Rng) -> Heap<3> {
    let mut heap = Heap::new();
    for _ in 0..count {
        let center = [(); 3].map(|()| {
            let x = log_uniform(1e-3, 1e12, rng);
            if rng.uniform() < 0.5 { -x } else { x }
        });
        heap.put(center, radius(center));
    }
    heap
}
