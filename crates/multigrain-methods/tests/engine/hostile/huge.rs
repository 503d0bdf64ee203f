//! Hostile cases at full size: too many bodies for the oracle, so methods are compared with counts known beforehand and
//! with one another. The same cases at small sizes are among the scenes for the oracle.

use super::grazing::on_a_long_line;
use super::sizes::one_body_over_all_cells;
use crate::check::Run;
use crate::reach_of_methods::can_finish;
use crate::scene::Scene;
use crate::settings;
use crate::threads::on_threads;
use multigrain::{Axes, Dimension, Pairs, Settings};
use multigrain_methods::Method;
use multigrain_packings::lattice;

/// Runs every method that can finish with its own settings and checks that all find the same contacts, `expected` of
/// them where that is known. Gives back their number.
fn compare<const D: usize>(scene: &Scene<D>, expected: Option<usize>) -> usize
where
    Axes: Dimension<D>,
{
    let contacts = compare_settings(scene, &[Settings::default()]);
    assert!(expected.is_none_or(|expected| expected == contacts), "'{}' has {contacts} contacts", scene.name);
    contacts
}

fn compare_settings<const D: usize>(scene: &Scene<D>, all_settings: &[Settings]) -> usize
where
    Axes: Dimension<D>,
{
    let now = scene.now();
    let mut agreed = None;
    for &method in Method::ALL.iter().filter(|&&method| can_finish(method, now)) {
        for settings in all_settings {
            let run = Run::new(&scene.name, method, settings);
            let Some(mut detector) = settings::build(method, now, settings) else { continue };
            let mut pairs = Pairs::new();
            on_threads(2, || detector.find_pairs(now, &mut pairs));
            let found = (pairs.len(), pairs.fingerprint());
            assert_eq!(*agreed.get_or_insert(found), found, "{run}: not the pairs of the method before");
        }
    }
    agreed.unwrap_or_else(|| panic!("no method can finish '{}'", scene.name)).0
}

#[test]
fn a_million_bodies_on_a_lattice_touch_their_neighbors_in_3d() {
    for (periodic, contacts) in [([false; 3], 3 * 99 * 100 * 100), ([true; 3], 3 * 100 * 100 * 100)] {
        let system = lattice(vec![1.0; 1_000_000], [0.999; 3], periodic, 1).unwrap();
        compare(&Scene::of(format!("lattice of 1e6, periodic {periodic:?}"), system), Some(contacts));
    }
}

#[test]
fn a_million_bodies_on_a_lattice_touch_their_neighbors_in_2d() {
    for (periodic, contacts) in [([false; 2], 2 * 999 * 1000), ([true, false], 1000 * 1000 + 999 * 1000)] {
        let system = lattice(vec![1.0; 1_000_000], [0.999; 2], periodic, 1).unwrap();
        compare(&Scene::of(format!("lattice of 1e6, periodic {periodic:?}"), system), Some(contacts));
    }
}

#[test]
fn two_thousand_bodies_on_one_spot_all_touch() {
    let contacts = 2000 * 1999 / 2;
    compare(&Scene::new("2000 on one spot, 2D", vec![[0.1, -7.0]; 2000], vec![1.0; 2000]), Some(contacts));
    compare(&Scene::new("2000 on one spot, 3D", vec![[1e5; 3]; 2000], vec![1.0; 2000]), Some(contacts));
    let radii: Vec<f64> = (0..2000).map(|body| 1.01f64.powi(body % 1000)).collect();
    compare(&Scene::new("2000 of different sizes on one spot", vec![[-0.5; 3]; 2000], radii), Some(contacts));
    let periodic = Scene::new("2000 on one spot, periodic", vec![[0.0; 3]; 2000], vec![1.0; 2000]);
    compare(&periodic.within([0.0; 3], [100.0; 3], [true; 3]), Some(contacts));
}

/// So many that some lie where rounding decides which cells a search looks at.
#[test]
fn tens_of_thousands_of_pairs_that_graze_are_all_decided_by_the_overlap_test() {
    let flat = on_a_long_line::<2>(30_000, 1e4);
    compare_settings(&flat, &settings::to_try(flat.now(), &[]));
    let solid = on_a_long_line::<3>(30_000, 1e4);
    compare_settings(&solid, &settings::to_try(solid.now(), &[]));
}

#[test]
fn one_body_over_a_billion_cells_touches_all_that_it_covers() {
    giant_among_many::<2>();
    giant_among_many::<3>();
}

fn giant_among_many<const D: usize>()
where
    Axes: Dimension<D>,
{
    const SMALL: usize = 100_000;
    for scene in one_body_over_all_cells::<D>(SMALL) {
        let found = compare(&scene, None);
        // Without the giant, the last body, the rest is within everyone's reach. The giant adds those that it covers,
        // through every image; its own images, one diameter away, it only just does not touch.
        let mut rest = scene.copy();
        rest.centers.pop();
        rest.radii.pop();
        let among_small = compare(&rest, None);
        let now = scene.now();
        let images: Vec<[i32; D]> = (0..3i32.pow(D as u32))
            .map(|code| std::array::from_fn(|axis| code / 3i32.pow(axis as u32) % 3 - 1))
            .filter(|shift| *shift == [0; D] || now.domain().has_images())
            .collect();
        let covered = (0..SMALL).map(|body| images.iter().filter(|&&shift| now.overlaps(body, SMALL, shift)).count());
        assert_eq!(found, among_small + covered.sum::<usize>(), "{}", scene.name);
    }
}
