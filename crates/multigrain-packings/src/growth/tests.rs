use super::*;
use multigrain::Snapshot;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Dimension, Error};

/// Largest overlap of two bodies, in units of the smaller radius; 0 where none overlaps.
fn largest_overlap<const D: usize>(system: &System<D>) -> f64
where
    Axes: Dimension<D>,
{
    let mut largest: f64 = 0.0;
    let pairs = multigrain::find_pairs(system.snapshot().unwrap());
    let lengths = system.domain.lengths();
    for pair in pairs.iter() {
        let (i, j) = (pair.i as usize, pair.j as usize);
        let apart = multigrain::overlap::contact_vector(system.centers[i], system.centers[j], pair.shift, lengths);
        let overlap = system.radii[i] + system.radii[j] - ball::dot(apart, apart).sqrt();
        largest = largest.max(overlap / system.radii[i].min(system.radii[j]));
    }
    for (center, &radius) in system.centers.iter().zip(&system.radii) {
        for axis in (0..D).filter(|&axis| !system.domain.is_periodic(axis)) {
            let (lo, hi) = (system.domain.lo()[axis], system.domain.hi()[axis]);
            largest = largest.max((lo + radius - center[axis]) / radius).max((center[axis] + radius - hi) / radius);
        }
    }
    largest
}

fn check<const D: usize>(radii: Vec<f64>, packing_fraction: f64, periodic: [bool; D], seed: u64)
where
    Axes: Dimension<D>,
{
    let what = format!("{} balls, {packing_fraction}, {periodic:?}", radii.len());
    let mut sorted = radii.clone();
    let grown = growth::<D>(radii, packing_fraction, periodic, seed, |_| true).unwrap();
    assert!(!grown.is_jammed, "{what}: jammed at {}", grown.progress.packing_fraction);
    assert!((grown.system.packing_fraction() - packing_fraction).abs() < 1e-9, "{what}");
    assert!((grown.progress.packing_fraction - packing_fraction).abs() < 1e-9, "{what}");
    assert!(largest_overlap(&grown.system) < 1e-10, "{what}: {}", largest_overlap(&grown.system));
    let side = grown.system.domain.hi()[0];
    assert!(grown.system.centers.iter().flatten().all(|x| (0.0..side).contains(x)), "{what}");
    let mut radii = grown.system.radii;
    radii.sort_by(f64::total_cmp);
    sorted.sort_by(f64::total_cmp);
    assert_eq!(radii, sorted, "{what}");
}

#[test]
fn spheres_of_any_size_ratio_fill_their_box_without_overlap() {
    check::<3>(vec![1.0; 700], 0.6, [true; 3], 1);
    check::<3>(vec![1.0; 700], 0.55, [false; 3], 2);
    check::<3>(SizeLaw::power(-3.0, 10.0).unwrap().sample(2000, 3), 0.62, [true, false, true], 3);
    check::<3>(SizeLaw::power(-3.0, 100.0).unwrap().sample(4000, 3), 0.6, [true; 3], 4);
    check::<3>(SizeLaw::bidisperse(10.0).unwrap().sample(3000, 3), 0.6, [false; 3], 5);
}

#[test]
fn discs_of_any_size_ratio_fill_their_box_without_overlap() {
    check::<2>(vec![1.0; 500], 0.75, [true; 2], 1);
    check::<2>(vec![3e-7; 200], 0.7, [false; 2], 2);
    check::<2>(SizeLaw::uniform(10.0).unwrap().sample(1500, 2), 0.8, [false, true], 3);
    check::<2>(SizeLaw::power(-2.0, 100.0).unwrap().sample(1500, 2), 0.8, [true; 2], 4);
}

#[test]
fn a_handful_of_bodies_is_ordinary() {
    let empty = growth::<3>(Vec::new(), 0.5, [true; 3], 1, |_| true).unwrap();
    assert!(empty.system.centers.is_empty() && !empty.is_jammed);
    check::<3>(vec![2.0], 0.5, [false; 3], 1);
    check::<3>(vec![2.0], 0.5, [true; 3], 1);
    check::<2>(vec![2.0, 1.0], 0.4, [true; 2], 1);
    check::<3>(vec![1.0, 1.0], 0.3, [true; 3], 1);
    check::<3>(vec![1.0, 1.0, 0.5], 0.25, [false; 3], 1);
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let radii = SizeLaw::power(-3.0, 5.0).unwrap().sample(400, 3);
    let system = |seed| growth::<3>(radii.clone(), 0.6, [true; 3], seed, |_| true).unwrap().system;
    assert_eq!(system(1), system(1));
    assert_ne!(system(1), system(2));
}

#[test]
fn says_where_it_jams_and_leaves_no_overlap() {
    let grown = growth::<3>(vec![1.0; 300], 0.8, [true; 3], 1, |_| true).unwrap();
    assert!(grown.is_jammed);
    let reached = grown.progress.packing_fraction;
    // Random close packing is at 0.64, the densest lattice at 0.74.
    assert!((0.6..0.74).contains(&reached), "{reached}");
    assert!((grown.system.packing_fraction() - reached).abs() < 1e-9);
    assert_eq!(grown.system.radii, vec![1.0; 300]);
    assert!(largest_overlap(&grown.system) < 1e-10);
    // Two discs of radius 1 fit no square with a side below 2 + sqrt 2, where they touch along its diagonal.
    let pair = growth::<2>(vec![1.0; 2], 0.7, [false; 2], 1, |_| true).unwrap();
    let densest = 2.0 * std::f64::consts::PI / (2.0 + 2f64.sqrt()).powi(2);
    assert!(pair.is_jammed && pair.progress.packing_fraction <= densest, "{}", pair.progress.packing_fraction);
    assert!(pair.progress.packing_fraction > 0.97 * densest, "{}", pair.progress.packing_fraction);
}

#[test]
fn refuses_what_no_box_can_hold() {
    let error = |radii: &[f64], fraction| growth::<3>(radii.into(), fraction, [false; 3], 1, |_| true).unwrap_err();
    let text = |radii: &[f64], fraction| error(radii, fraction).to_string();
    assert!(text(&[1.0; 9], 1.5).ends_with(", must be below 1 for bodies that do not overlap"));
    assert_eq!(text(&[1.0, 0.0], 0.5), "smallest radius is 0, must be positive: a point cannot grow");
    assert!(text(&[1.0], 0.6).starts_with("largest diameter over length of the box is 1.0"));
    assert_eq!(text(&[1.0], -0.5), "packing fraction is -0.5, must be positive and finite");
    assert_eq!(text(&[-1.0], 0.5), "radius of particle 0 is -1, must not be negative");
    let nowhere = growth_within::<2>(vec![1.0], Domain::open(), 1, |_| true).unwrap_err().to_string();
    assert!(nowhere.starts_with("box along x runs from -inf to inf"), "{nowhere}");
}

#[test]
fn grows_in_a_box_of_any_shape_and_place_in_the_order_given() {
    let radii: Vec<f64> = (0..200).map(|k| 0.5 + 0.01 * f64::from(k % 20)).collect();
    let domain = Domain::new([-10.0, 5.0], [5.0, 29.0], [true, false]).unwrap();
    let grown = growth_within(radii.clone(), domain, 7, |_| true).unwrap();
    assert_eq!((grown.system.radii.as_slice(), grown.system.domain), (radii.as_slice(), domain));
    assert!(!grown.is_jammed && largest_overlap(&grown.system) < 1e-10);
    Snapshot::new(&grown.system.centers, &radii).unwrap().within(domain).unwrap();
}

#[test]
fn growth_ends_when_its_watcher_says_so() {
    let mut calls = 0;
    let watch = |_| {
        calls += 1;
        calls < 3
    };
    assert_eq!(growth::<2>(vec![1.0; 300], 0.7, [true; 2], 1, watch).err(), Some(Error::Stopped));
    assert_eq!(calls, 3);
}

#[test]
fn progress_goes_forward_to_the_end() {
    let mut seen = Vec::new();
    let watch = |progress| {
        seen.push(progress);
        true
    };
    let grown = growth::<2>(vec![1.0; 300], 0.7, [true; 2], 1, watch).unwrap();
    assert_eq!(seen.last(), Some(&grown.progress));
    assert!(seen.len() > 10);
    let goes_forward = |pair: &[GrowthProgress]| {
        pair[0].packing_fraction <= pair[1].packing_fraction && pair[0].events <= pair[1].events
    };
    assert!(seen.windows(2).all(goes_forward));
    assert!(grown.progress.events >= grown.progress.collisions && grown.progress.collisions > 300);
}

#[test]
fn scattered_bodies_touch_nothing_or_must_grow() {
    let domain = Domain::new([-1.0, 2.0], [19.0, 12.0], [false, true]).unwrap();
    let radii: Vec<f64> = (0..100).map(|k| 0.1 + 0.003 * f64::from(k)).collect();
    let system = scattered(radii.clone(), domain, 3).unwrap();
    assert_eq!((system.radii.as_slice(), system.domain), (radii.as_slice(), domain));
    assert_eq!(largest_overlap(&system), 0.0);
    assert_ne!(system, scattered(radii, domain, 4).unwrap());
    let full = scattered(vec![0.5; 200], domain, 3).unwrap_err().to_string();
    assert!(full.ends_with("is too much for places at random: let the bodies grow, or take fewer"), "{full}");
    assert!(scattered::<2>(Vec::new(), domain, 3).unwrap().centers.is_empty());
}
