//! Regions against brute force, on bodies that would often be searched otherwise.

use crate::Rng;
use crate::detector::{Detector, Direction};
use crate::detectors::{BruteForce, HierarchicalGrid};
use crate::dimension::{Axes, Dimension};
use crate::domain::Domain;
use crate::levels::Levels;
use crate::pairs::Pairs;
use crate::snapshot::Snapshot;

/// A grid that takes regions whatever the bodies are.
fn in_regions<const D: usize>(direction: Direction, given: Option<&[f64]>) -> HierarchicalGrid<D> {
    let levels = Levels::from_cell_sizes(given.unwrap_or(&[1.0])).unwrap();
    HierarchicalGrid {
        is_free: given.is_none(),
        tries_one_grid: false,
        ..HierarchicalGrid::with_levels(levels, direction)
    }
}

fn sorted<const D: usize>(mut detector: impl Detector<D>, now: Snapshot<'_, D>) -> Pairs<D> {
    let mut pairs = Pairs::new();
    detector.find_pairs(now, &mut pairs);
    pairs.sort();
    pairs
}

/// Some way of spreading bodies: clusters within clusters, of sizes that vary with their place or at random.
fn spread<const D: usize>(rng: &mut Rng, count: usize) -> (Vec<[f64; D]>, Vec<f64>) {
    let depth = rng.below(4) as i32;
    let factor = 10f64.powf(rng.uniform() * 4.0);
    let kind = rng.below(4);
    let ratio = 10f64.powf(rng.uniform() * 6.0);
    let offset = [0.0, 1.0, 1e9, -1e15][rng.below(4) as usize];
    let unit = [1.0, 1e-60, 1e70][rng.below(3) as usize];
    let mut centers = Vec::new();
    let mut radii = Vec::new();
    for _ in 0..count {
        let mut center = [0.0; D];
        let mut size = 1.0;
        for _ in 0..=depth {
            let corner: [f64; D] = std::array::from_fn(|_| rng.below(3) as f64);
            center = std::array::from_fn(|axis| center[axis] + size * corner[axis]);
            size /= factor;
        }
        center = std::array::from_fn(|axis| center[axis] + size * 3.0 * rng.uniform());
        let spacing = size * 3.0 / (count as f64 / 3f64.powi(D as i32 * (depth + 1))).max(1.0).powf(1.0 / D as f64);
        let radius = match kind {
            0 => 0.4 * spacing,
            1 => 0.4 * spacing * ratio.powf(rng.uniform()),
            2 => 0.0,
            _ => 0.4 * ratio.powf(-rng.uniform()),
        };
        centers.push(center.map(|x| (x + offset) * unit));
        radii.push(radius * unit);
    }
    if kind == 2 {
        radii[0] = 3.0 * unit;
    }
    (centers, radii)
}

fn domain<const D: usize>(rng: &mut Rng, centers: &[[f64; D]], reach: f64) -> Domain<D> {
    let mut lo = [f64::INFINITY; D];
    let mut hi = [f64::NEG_INFINITY; D];
    for center in centers {
        for axis in 0..D {
            lo[axis] = lo[axis].min(center[axis]);
            hi[axis] = hi[axis].max(center[axis]);
        }
    }
    for axis in 0..D {
        let width = (hi[axis] - lo[axis]).max(0.3 * reach).max(1e-100);
        // Sometimes a box thinner than the largest body, or than the bodies are spread.
        let share = [1.0, 1.0, 0.7][rng.below(3) as usize];
        hi[axis] = lo[axis] + width * share;
        hi[axis] = if hi[axis] > lo[axis] { hi[axis] } else { lo[axis] + lo[axis].abs() + 1.0 };
    }
    Domain::new(lo, hi, std::array::from_fn(|_| rng.below(2) == 0)).unwrap()
}

fn agrees<const D: usize>(seed: u64, max_keys: fn(usize) -> usize)
where
    Axes: Dimension<D>,
{
    let rng = &mut Rng::new(seed);
    let count = [2, 40, 700, 1500][rng.below(4) as usize];
    let (centers, radii) = spread::<D>(rng, count);
    let largest = radii.iter().fold(0.0f64, |largest, &radius| largest.max(radius));
    let mut now = Snapshot::new(&centers, &radii).unwrap();
    if rng.below(2) == 0 {
        now = now.within(domain(rng, &centers, largest)).unwrap();
    }
    if rng.below(3) == 0 {
        let share = [0.1, 1.0, 10.0][rng.below(3) as usize];
        now = now.with_margin(share * largest).unwrap();
    }
    let expected = sorted(BruteForce, now);
    let direction = Direction::ALL[rng.below(2) as usize];
    let given = [0.01 * largest, 0.3 * largest, 2.3 * largest];
    let given = (rng.below(4) == 0).then_some(&given[..]);
    let mut grid = in_regions(direction, given);
    // As if there were so many bodies that keys are few.
    grid.regions.max_keys = max_keys(count);
    let found = sorted(grid, now);
    assert_eq!(found.as_slice(), expected.as_slice(), "seed {seed} in {D}D: {} bodies", count);
    assert_eq!(found.shifts(), expected.shifts(), "seed {seed} in {D}D");
}

#[test]
fn regions_find_the_pairs_of_brute_force() {
    for seed in 0..150 {
        agrees::<2>(seed, |_| u32::MAX as usize);
        agrees::<3>(seed, |_| u32::MAX as usize);
    }
}

#[test]
fn regions_find_the_pairs_of_brute_force_where_keys_are_few() {
    let limits: [fn(usize) -> usize; 3] = [|bodies| 6 * bodies, |bodies| 3 * bodies, |_| 0];
    for seed in 0..40 {
        for max_keys in limits {
            agrees::<2>(seed, max_keys);
            agrees::<3>(seed, max_keys);
        }
    }
}

/// A crowd in a wide cloud is a region of its own, and much smaller: bodies of the cloud that reach it are listed one by one.
fn crowd_agrees<const D: usize>(seed: u64)
where
    Axes: Dimension<D>,
{
    let rng = &mut Rng::new(seed);
    let side = 10f64.powf(1.0 + 2.0 * rng.uniform());
    let mut centers: Vec<[f64; D]> = (0..300).map(|_| std::array::from_fn(|_| side * (rng.uniform() - 0.5))).collect();
    let width = rng.uniform();
    centers.extend((0..100).map(|_| std::array::from_fn(|_| width * rng.uniform())));
    // And some around it, at about the distance at which they touch.
    centers.extend((0..100).map(|_| std::array::from_fn(|_| 4.0 * (rng.uniform() - 0.5))));
    let radii: Vec<f64> = centers.iter().map(|_| 0.02 * rng.uniform()).collect();
    let now = Snapshot::new(&centers, &radii).unwrap().with_margin(2.0 * rng.uniform()).unwrap();
    let given = [0.3, 3.0];
    let given = (rng.below(3) == 0).then_some(&given[..]);
    let found = sorted(in_regions(Direction::ALL[rng.below(2) as usize], given), now);
    let expected = sorted(BruteForce, now);
    assert!(found.as_slice() == expected.as_slice(), "seed {seed} in {D}D: {}, not {}", found.len(), expected.len());
}

#[test]
fn crowds_are_reached_over_the_margin() {
    for seed in 0..60 {
        crowd_agrees::<2>(seed);
        crowd_agrees::<3>(seed);
    }
}

/// Distances that are no normal numbers, between bodies as given or as stored, and the images of both.
fn near_zero_agrees<const D: usize>(seed: u64)
where
    Axes: Dimension<D>,
{
    let rng = &mut Rng::new(seed);
    let side = 2.5;
    let tiny = [f64::from_bits(1), f64::from_bits(2024), f64::MIN_POSITIVE, 1e-300, 1e-200][rng.below(5) as usize];
    let place = |rng: &mut Rng| [0.0, -0.0, tiny, -tiny, side, 0.5 * side][rng.below(6) as usize];
    // Few in one region, or so many in so few places that there are several.
    let count = if rng.below(8) == 0 { 60 + rng.below(240) } else { 2 + rng.below(3) };
    let mut centers: Vec<[f64; D]> = (0..count).map(|_| std::array::from_fn(|_| place(rng))).collect();
    if rng.below(2) == 0 {
        centers.iter_mut().for_each(|center| center[D - 1] = 0.0);
    }
    let unit = [1.0, 1e20, 1e-140][rng.below(3) as usize];
    let sizes = [0.0, 0.3, 1.4, 1.6, 5e-7][..4 + rng.below(2) as usize].to_vec();
    let radii: Vec<f64> = centers.iter().map(|_| unit * sizes[rng.below(sizes.len() as u64) as usize]).collect();
    let largest = radii.iter().fold(0.0f64, |largest, &radius| largest.max(radius));
    let domain = Domain::new([0.0; D], [side; D], std::array::from_fn(|_| rng.below(3) == 0)).unwrap();
    let margin = [0.0, 0.5 * unit][rng.below(2) as usize];
    // Billions of images of a body are refused.
    let Ok(now) = Snapshot::new(&centers, &radii).unwrap().within(domain).and_then(|now| now.with_margin(margin))
    else {
        return;
    };
    if unit > 1.0 && domain.has_images() || now.nothing_can_touch() {
        return;
    }
    let expected = sorted(BruteForce, now);
    let direction = Direction::ALL[rng.below(2) as usize];
    let given = [0.7 * unit, 2.0 * largest + margin];
    let given = (rng.below(2) == 0 && given[0] < given[1]).then_some(&given[..]);
    for grid in [in_regions(direction, given), HierarchicalGrid::tuned_for(now).unwrap()] {
        let found = sorted(grid, now);
        let system = (&centers, &radii, domain, margin, direction, given);
        assert_eq!(found.as_slice(), expected.as_slice(), "seed {seed}: {system:?}");
        assert_eq!(found.shifts(), expected.shifts(), "seed {seed}: {system:?}");
    }
}

#[test]
fn distances_that_are_no_normal_numbers_hide_nothing() {
    for seed in 0..4000 {
        near_zero_agrees::<2>(seed);
        near_zero_agrees::<3>(seed);
    }
}
