//! Questions about places, against what testing every body answers.

use multigrain::detectors::BruteForce;
use multigrain::{Detector, Domain, Pairs, Rng, Snapshot};
use multigrain_neighbors::{DistanceTo, Hit, Nearest, NearestOptions, Queries};
use std::collections::HashSet;

/// Boxes of every kind.
fn domains() -> Vec<Domain<3>> {
    vec![
        Domain::open(),
        Domain::periodic([0.0; 3], [5.0, 6.0, 4.0]).unwrap(),
        Domain::new([0.0; 3], [5.0, 0.7, 4.0], [false, true, true]).unwrap(),
        Domain::from_cell([0.5; 3], [[5.0, 0.0, 0.0], [4.0, 3.0, 0.0], [-6.0, 1.0, 4.0]], [true; 3]).unwrap(),
        Domain::from_cell([0.5; 3], [[5.0, 1.0, 0.0], [0.0, -3.0, 1.0], [0.0, 1.0, 1.0]], [true, false, true]).unwrap(),
    ]
}

fn bodies(rng: &mut Rng, count: usize) -> (Vec<[f64; 3]>, Vec<f64>) {
    // A cloud, and a cluster a thousand times denser.
    let centers = (0..count).map(|k| {
        let size = if k % 3 == 0 { 0.05 } else { 6.0 };
        [(); 3].map(|()| 1.0 + size * rng.uniform())
    });
    let centers = centers.collect();
    let radii = (0..count).map(|_| 0.6 * rng.uniform().powi(4)).collect();
    (centers, radii)
}

#[test]
fn spheres_touch_what_they_would_as_bodies() {
    let mut rng = Rng::new(1);
    let mut found = 0;
    for domain in domains() {
        let (centers, radii) = bodies(&mut rng, 200);
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap().with_margin(0.05).unwrap();
        let queries = Queries::new(now);
        let places: Vec<[f64; 3]> = (0..60).map(|_| [(); 3].map(|()| 14.0 * rng.uniform() - 4.0)).collect();
        let sizes: Vec<f64> = (0..60).map(|k| if k % 5 == 0 { 0.0 } else { 0.8 * rng.uniform() }).collect();
        let answers = queries.touching_each(&places, &sizes).unwrap();
        for k in 0..places.len() {
            let with: Vec<[f64; 3]> = std::iter::once(places[k]).chain(centers.iter().copied()).collect();
            let sizes_with: Vec<f64> = std::iter::once(sizes[k]).chain(radii.iter().copied()).collect();
            let with = Snapshot::new(&with, &sizes_with).unwrap().within(domain).unwrap().with_margin(0.05).unwrap();
            let mut pairs = Pairs::new();
            BruteForce.find_pairs(with, &mut pairs);
            let mut expected: Vec<Hit<3>> = pairs
                .iter()
                .filter(|pair| pair.i == 0 && pair.j > 0)
                .map(|pair| Hit { body: pair.j - 1, shift: pair.shift })
                .collect();
            expected.sort_unstable();
            assert_eq!(answers.of(k), expected, "{domain:?} {:?} {}", places[k], sizes[k]);
            found += expected.len();
        }
    }
    assert!(found > 300, "{found}");
}

/// Every image of every body in a few boxes around.
fn images(domain: &Domain<3>, bodies: usize) -> Vec<Hit<3>> {
    let range = |k: usize| if domain.is_periodic(k) { -13..=13 } else { 0..=0 };
    let mut all = Vec::new();
    for a in range(0) {
        for b in range(1) {
            for c in range(2) {
                all.extend((0..bodies as u32).map(|body| Hit { body, shift: [a, b, c] }));
            }
        }
    }
    all
}

fn place(now: &Snapshot<'_, 3>, hit: Hit<3>) -> [f64; 3] {
    let (center, moved) = (now.centers()[hit.body as usize], now.domain().translation(hit.shift));
    std::array::from_fn(|axis| center[axis] + moved[axis])
}

#[test]
fn boxes_hold_what_reaches_into_them() {
    let mut rng = Rng::new(2);
    let mut found = 0;
    for domain in domains() {
        let (centers, radii) = bodies(&mut rng, 60);
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let queries = Queries::new(now);
        for _ in 0..20 {
            let lo: [f64; 3] = std::array::from_fn(|_| 6.0 * rng.uniform());
            let hi: [f64; 3] = std::array::from_fn(|axis| lo[axis] + rng.uniform());
            let mut expected: Vec<Hit<3>> = images(&domain, 60)
                .into_iter()
                .filter(|&hit| {
                    let x = place(&now, hit);
                    let outside: f64 =
                        (0..3).map(|axis| (lo[axis] - x[axis]).max(x[axis] - hi[axis]).max(0.0).powi(2)).sum();
                    outside == 0.0 || outside < radii[hit.body as usize].powi(2)
                })
                .collect();
            expected.sort_unstable();
            assert_eq!(queries.in_box(lo, hi), expected, "{domain:?}");
            found += expected.len();
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn the_nearest_are_those_of_all_images() {
    let mut rng = Rng::new(3);
    for domain in domains() {
        let (centers, radii) = bodies(&mut rng, 40);
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let queries = Queries::new(now);
        let points: Vec<[f64; 3]> = (0..20).map(|_| [(); 3].map(|()| 6.0 * rng.uniform())).collect();
        for (to, count) in [(DistanceTo::Center, 7), (DistanceTo::Surface, 12), (DistanceTo::Center, 1)] {
            let answers = queries.nearest_each(&points, NearestOptions { to, ..NearestOptions::new(count) }).unwrap();
            for (k, &point) in points.iter().enumerate() {
                let mut expected: Vec<f64> = images(&domain, 40)
                    .into_iter()
                    .map(|hit| {
                        let x = place(&now, hit);
                        let distance = (0..3).map(|axis| (x[axis] - point[axis]).powi(2)).sum::<f64>().sqrt();
                        distance - if to == DistanceTo::Surface { radii[hit.body as usize] } else { 0.0 }
                    })
                    .collect();
                expected.sort_by(f64::total_cmp);
                let found = answers.of(k);
                assert_eq!(found.len(), count);
                for (Nearest { distance, .. }, expected) in found.iter().zip(expected) {
                    assert!((distance - expected).abs() < 1e-9, "{domain:?} {distance} {expected}");
                }
            }
        }
    }
}

#[test]
fn each_body_counts_once_by_its_nearest_image_and_only_within_the_distance() {
    let mut rng = Rng::new(5);
    let mut found = 0;
    for domain in domains() {
        let (centers, radii) = bodies(&mut rng, 30);
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let queries = Queries::new(now);
        for (count, max_distance, images_count) in [
            (5, f64::INFINITY, false),
            (100, f64::INFINITY, false),
            (100, 1.5, false),
            (100, 1.5, true),
            (4, 1e12, false),
        ] {
            let options = NearestOptions { max_distance, images: images_count, ..NearestOptions::new(count) };
            let point = [(); 3].map(|()| 6.0 * rng.uniform());
            let mut expected: Vec<(f64, u32)> = images(&domain, 30)
                .into_iter()
                .map(|hit| {
                    let x = place(&now, hit);
                    ((0..3).map(|axis| (x[axis] - point[axis]).powi(2)).sum::<f64>().sqrt(), hit.body)
                })
                .filter(|&(distance, _)| distance < max_distance)
                .collect();
            expected.sort_by(|a, b| a.0.total_cmp(&b.0));
            if !images_count {
                let mut taken = HashSet::new();
                expected.retain(|&(_, body)| taken.insert(body));
            }
            expected.truncate(count);
            let answer = queries.nearest(point, options);
            assert_eq!(answer.len(), expected.len(), "{domain:?} {options:?}");
            for (Nearest { distance, .. }, expected) in answer.iter().zip(expected) {
                assert!((distance - expected.0).abs() < 1e-9, "{domain:?} {options:?}");
            }
            found += answer.len();
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn fewer_bodies_than_wanted_are_all_bodies() {
    let centers = [[0.0, 0.0], [1.0, 0.0]];
    let now = Snapshot::new(&centers, &[0.1, 0.2]).unwrap();
    let queries = Queries::new(now);
    let found = queries.nearest([3.0, 0.0], NearestOptions::new(9));
    assert_eq!(found.iter().map(|nearest| (nearest.body, nearest.distance)).collect::<Vec<_>>(), [(1, 2.0), (0, 3.0)]);
    assert!(Queries::new(Snapshot::<2>::new(&[], &[]).unwrap()).nearest([0.0; 2], NearestOptions::new(3)).is_empty());
    assert!(queries.nearest([0.0; 2], NearestOptions::new(0)).is_empty());
}

#[test]
fn the_nearest_across_a_thin_box_takes_few_images() {
    // From a point this far away a box this thin has millions of images that are hardly further than the first.
    let domain = Domain::new([0.0; 3], [1e-3, 1e-3, 1.0], [true, true, false]).unwrap();
    let centers = [[0.0, 0.0, 0.0], [5e-4, 0.0, 0.5]];
    let queries = Queries::new(Snapshot::new(&centers, &[0.0; 2]).unwrap().within(domain).unwrap());
    let found = queries.nearest([0.0, 0.0, 1e6], NearestOptions::new(3));
    assert_eq!(found.len(), 3);
    assert!(
        found.iter().all(|nearest| nearest.body == 1 && (nearest.distance - (1e6 - 0.5)).abs() < 1e-6),
        "{found:?}"
    );
}
