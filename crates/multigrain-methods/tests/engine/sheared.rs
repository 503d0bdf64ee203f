//! Sheared cells: every method against brute force, which looks at every image by itself.

use crate::reach_of_methods::can_finish;
use multigrain::detectors::{BruteForce, WithSkin};
use multigrain::{Axes, Detector, Dimension, Domain, Pairs, Rng, Snapshot};
use multigrain_methods::Method;

/// A few bodies of any size in a cell of any shape, some of them outside it.
struct Sheared<const D: usize> {
    domain: Domain<D>,
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    margin: f64,
}

impl<const D: usize> Sheared<D>
where
    Axes: Dimension<D>,
{
    fn random(rng: &mut Rng) -> Self {
        let domain = loop {
            // Edges of any hand, tilted by up to three lengths, sometimes thin.
            let mut edges = [[0.0; D]; D];
            for k in 0..D {
                let thin = if rng.uniform() < 0.2 { 0.05 } else { 1.0 };
                edges[k][k] = thin * (0.5 + 4.0 * rng.uniform()) * if rng.uniform() < 0.2 { -1.0 } else { 1.0 };
                for axis in (0..D).filter(|&axis| axis != k) {
                    if rng.uniform() < 0.7 {
                        edges[k][axis] = 6.0 * (rng.uniform() - 0.5) * edges[axis][axis].abs().max(0.5);
                    }
                }
            }
            let periodic = std::array::from_fn(|_| rng.uniform() < 0.8);
            let origin = std::array::from_fn(|_| 10.0 * rng.uniform() - 5.0);
            let Ok(domain) = Domain::from_cell(origin, edges, periodic) else { continue };
            // Brute force looks at all images in boxes along the given edges: not too many of them.
            if volume(edges).abs() > 0.05 {
                break domain;
            }
        };
        let count = (1.0 + 12.0 * rng.uniform()) as usize;
        let away = if rng.uniform() < 0.3 { 9.0 } else { 1.0 };
        let largest = if rng.uniform() < 0.2 { 1.2 } else { 0.5 };
        let mut centers = Vec::new();
        let mut radii = Vec::new();
        for _ in 0..count {
            let parts: [f64; D] = std::array::from_fn(|_| away * (rng.uniform() - 0.3));
            let edges = domain.edges();
            centers.push(std::array::from_fn(|axis| {
                domain.origin()[axis] + (0..D).map(|k| parts[k] * edges[k][axis]).sum::<f64>()
            }));
            radii.push(if rng.uniform() < 0.1 { 0.0 } else { largest * rng.uniform().powi(3) });
        }
        let margin = if rng.uniform() < 0.3 { 0.2 * rng.uniform() } else { 0.0 };
        Self { domain, centers, radii, margin }
    }

    fn snapshot(&self) -> Snapshot<'_, D> {
        let now = Snapshot::new(&self.centers, &self.radii).unwrap();
        now.within(self.domain).unwrap().with_margin(self.margin).unwrap()
    }
}

fn volume<const D: usize>(edges: [[f64; D]; D]) -> f64 {
    let e = |k: usize, axis: usize| edges[k][axis];
    match D {
        2 => e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0),
        _ => {
            e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1)) - e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0))
                + e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0))
        }
    }
}

fn sorted<const D: usize>(detector: &mut dyn Detector<D>, now: Snapshot<'_, D>) -> Vec<([u32; 2], [i32; D])> {
    let mut pairs = Pairs::new();
    detector.find_pairs(now, &mut pairs);
    pairs.sort();
    pairs.iter().map(|pair| ([pair.i, pair.j], pair.shift)).collect()
}

fn every_method_agrees<const D: usize>(systems: usize, seed: u64)
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(seed);
    let (mut contacts, mut sheared) = (0, 0);
    for number in 0..systems {
        let system = Sheared::<D>::random(&mut rng);
        let now = system.snapshot();
        let expected = sorted(&mut BruteForce, now);
        contacts += expected.len();
        sheared += usize::from(system.domain.is_sheared());
        for method in Method::ALL.iter().filter(|&&method| can_finish(method, now)) {
            let found = sorted(&mut *method.build(now).unwrap(), now);
            assert_eq!(found, expected, "{method}, system {number}: {:?}", system.domain);
        }
    }
    assert!(contacts > systems && sheared > systems / 2, "{contacts} contacts, {sheared} sheared");
}

#[test]
fn every_method_agrees_with_brute_force_in_sheared_cells_of_the_plane() {
    every_method_agrees::<2>(1000, 1);
}

#[test]
fn every_method_agrees_with_brute_force_in_sheared_cells_in_space() {
    every_method_agrees::<3>(1000, 2);
}

#[test]
fn brute_force_agrees_with_a_large_cluster_of_copies() {
    // What is periodic is copied by hand, far enough, and searched in open space.
    let mut rng = Rng::new(5);
    let mut contacts = 0;
    for _ in 0..100 {
        let mut system = Sheared::<2>::random(&mut rng);
        let reach = 2.0 * system.radii.iter().copied().fold(0.0, f64::max) + system.margin;
        if reach > 1.0 {
            system.radii.iter_mut().for_each(|radius| *radius *= 0.3);
        }
        let now = system.snapshot();
        let found = sorted(&mut BruteForce, now);
        let range = |k: usize| if system.domain.is_periodic(k) { -60..=60 } else { 0..=0 };
        let mut expected = Vec::new();
        for i in 0..now.len() {
            for j in i..now.len() {
                for a in range(0) {
                    for b in range(1) {
                        let is_once = i < j || a > 0 || (a == 0 && b > 0);
                        if is_once && now.overlaps(i, j, [a, b]) {
                            expected.push(([i as u32, j as u32], [a, b]));
                        }
                    }
                }
            }
        }
        contacts += expected.len();
        assert_eq!(found, expected, "{:?}", system.domain);
    }
    assert!(contacts > 100, "{contacts}");
}

#[test]
fn a_skin_changes_nothing_in_a_sheared_cell() {
    let domain = Domain::from_cell([0.0; 3], [[6.0, 0.0, 0.0], [2.5, 5.0, 0.0], [-4.0, 1.0, 7.0]], [true; 3]).unwrap();
    let mut rng = Rng::new(8);
    let mut centers: Vec<[f64; 3]> = (0..300).map(|_| [(); 3].map(|()| 7.0 * rng.uniform())).collect();
    let radii: Vec<f64> = (0..300).map(|_| 0.1 + 0.3 * rng.uniform()).collect();
    let start = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
    let mut skin = WithSkin::new(Method::Auto.build(start).unwrap(), 0.2).unwrap();
    for step in 0..40 {
        for center in &mut centers {
            *center = center.map(|x| x + 0.02 * (rng.uniform() - 0.5) + 0.015);
        }
        // Now and then some are brought back into the cell.
        for center in centers.iter_mut().skip(step % 3).step_by(3) {
            *center = domain.wrap(*center).0;
        }
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        assert_eq!(sorted(&mut skin, now), sorted(&mut BruteForce, now), "step {step}");
    }
    assert!(skin.lists() < 20, "{} lists in 40 steps", skin.lists());
}

#[test]
fn a_sheared_cell_without_periodic_edges_is_open_space() {
    let domain = Domain::from_cell([0.0; 2], [[1.0, 0.0], [0.5, 1.0]], [false; 2]).unwrap();
    let now = Snapshot::new(&[[0.0, 0.0], [1.0, 0.0]], &[0.6; 2]).unwrap().within(domain).unwrap();
    for method in Method::ALL {
        let mut pairs = Pairs::new();
        method.build(now).unwrap().find_pairs(now, &mut pairs);
        assert_eq!((pairs.as_slice(), pairs.shifts().len()), (&[[0, 1]][..], 0), "{method}");
    }
}

#[test]
fn one_body_larger_than_its_cell_touches_all_its_images() {
    let domain = Domain::from_cell([0.0; 3], [[1.0, 0.0, 0.0], [0.3, 1.0, 0.0], [0.4, -0.7, 1.0]], [true; 3]).unwrap();
    let centers = [[0.2, 0.1, 0.7], [30.0, 2.0, -8.0]];
    let now = Snapshot::new(&centers, &[2.5, 0.1]).unwrap().within(domain).unwrap();
    let expected = sorted(&mut BruteForce, now);
    assert!(expected.len() > 300, "{}", expected.len());
    for method in Method::ALL {
        assert_eq!(sorted(&mut *method.build(now).unwrap(), now), expected, "{method}");
    }
}
