//! Variants of the classics: those of MR, factors of MMR, NBS as printed. And what they keep in memory.

use crate::check::Run;
use crate::oracle::oracle;
use crate::scene::{Scene, log_uniform, periodic_axes, point_in};
use crate::threads::on_threads;
use multigrain::Rng;
use multigrain::{Axes, Detector, Dimension, Error, Pairs, Settings};
use multigrain_methods::Method;
use multigrain_packings::{DataSet, lattice};
use multigrain_papers::{Mmr, MmrLists, Mr, MrCoordinates, MrOptions, MrS, MrSteps, Nbs, NbsLists};

/// Every variant that is not the registry's own, with a name.
fn variants<const D: usize>() -> Vec<(String, Box<dyn Detector<D>>)> {
    let mut all: Vec<(String, Box<dyn Detector<D>>)> = Vec::new();
    for coordinates in [MrCoordinates::Stored, MrCoordinates::Computed] {
        for steps in MrSteps::ALL {
            let options = MrOptions { coordinates, steps };
            all.push((format!("{options:?}"), Box::new(Mr::new(options))));
        }
    }
    for factor in [1.1, 1.5, 3.0, 1e6] {
        all.push((format!("mmr by {factor}"), Box::new(Mmr::with_factor(factor).unwrap())));
    }
    let computed = Mmr::with_factor(1.5).unwrap().with_coordinates(MrCoordinates::Computed);
    all.push(("mmr without coordinates".into(), Box::new(computed)));
    for factor in [1.1, 2.0] {
        let mmr = Mmr::with_factor(factor).unwrap().with_lists(MmrLists::PerStep);
        all.push((format!("mmr by {factor}, lists per step"), Box::new(mmr)));
    }
    all.push(("nbs as printed".into(), Box::new(Nbs::with_lists(NbsLists::Linked))));
    all
}

fn every_variant_agrees<const D: usize>(steps: &[Scene<D>])
where
    Axes: Dimension<D>,
{
    let mut variants = variants::<D>();
    for (number, step) in steps.iter().enumerate() {
        let expected = oracle(step.now());
        for (name, detector) in &mut variants {
            let run = Run::new(&format!("{}, step {number}, {name}", step.name), Method::Mr, &Settings::default());
            let mut pairs = Pairs::new();
            on_threads([1, 3][number % 2], || detector.find_pairs(step.now(), &mut pairs));
            run.same_pairs(&expected, &pairs.iter().collect::<Vec<_>>(), step.now());
        }
    }
}

/// Bodies that move by less than a cell, by several, come, go, grow, rest, and leave the box far behind.
fn story<const D: usize>(name: &str, periodic: [bool; D]) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let side = 20.0;
    let mut rng = Rng::new(7);
    let centers = (0..200).map(|_| point_in(&mut rng, 0.0, side)).collect();
    let radii = (0..200).map(|_| log_uniform(&mut rng, 0.3, 1.0)).collect();
    let mut now = Scene::new(name, centers, radii).within([0.0; D], [side; D], periodic);
    let mut all = vec![now.copy()];
    for step in 0..24 {
        let speed = [0.3, 0.0, 0.9, 5.0][step % 4];
        for center in &mut now.centers {
            *center = center.map(|x| x + speed * (2.0 * rng.uniform() - 1.0));
        }
        match step {
            6 => drop((now.centers.pop(), now.radii.pop())),
            9 => now.radii[3] = 4.0,
            12 => now.radii[3] = 0.5,
            15 => now.centers.push([0.5 * side; D]),
            18 => now.centers.reverse(),
            _ => {}
        }
        now.radii.resize(now.centers.len(), 0.7);
        // Far enough for wide coordinates, and back.
        let mut seen = now.copy();
        if step == 20 && !periodic.contains(&true) {
            seen.centers[11] = [1e6; D];
        }
        all.push(seen);
    }
    all
}

#[test]
fn every_variant_follows_bodies_through_time() {
    for (axes, periodic) in periodic_axes() {
        every_variant_agrees(&story::<2>(&format!("{axes} periodic, 2D"), periodic));
    }
    for (axes, periodic) in periodic_axes() {
        every_variant_agrees(&story::<3>(&format!("{axes} periodic, 3D"), periodic));
    }
}

#[test]
fn every_variant_agrees_on_bodies_of_every_size() {
    for set in DataSet::ALL {
        every_variant_agrees(&[Scene::of(set.name, set.build(600, 1).unwrap())]);
        every_variant_agrees(&[Scene::of(set.name, set.build_periodic(300, 2).unwrap()).with_margin(0.3)]);
    }
}

#[test]
fn mmr_groups_bodies_by_factors_of_the_largest_diameter() {
    let radii = [8.0, 4.0, 4.0f64.next_up(), 1.0, 1.0, 0.0];
    let centers: Vec<[f64; 3]> = (0..radii.len()).map(|body| [10.0 * body as f64; 3]).collect();
    let now = multigrain::Snapshot::new(&centers, &radii).unwrap();
    let mut mmr = Mmr::new();
    Detector::find_pairs(&mut mmr, now, &mut Pairs::new());
    let layout = Detector::layout(&mmr);
    // From fine to coarse: the ones, with the point that nothing smaller can touch; 4; 8 and a little over 4.
    assert_eq!(layout.particles_per_level, [3, 1, 2]);
    for (size, expected) in layout.cell_sizes.iter().zip([2.0, 8.0, 16.0]) {
        assert!((size / expected - 1.0).abs() < 1e-5, "{layout:?}");
    }
}

#[test]
fn mmr_refuses_factors_that_make_no_groups() {
    for factor in [1.0, 1.0f64.next_up(), 0.5, -2.0, f64::NAN, f64::INFINITY] {
        let error = Mmr::<3>::with_factor(factor).unwrap_err();
        assert!(matches!(error, Error::Parameter { .. }));
        let text = error.to_string();
        assert!(
            text.starts_with("factor between size groups is") && text.ends_with("at least 1.001 and finite"),
            "{text}"
        );
    }
}

#[test]
fn lists_take_the_papers_bytes_per_body() {
    let bodies = 20_000;
    let near = lattice(vec![1.0; bodies], [1.0; 3], [false; 3], 1).unwrap();
    let flat = lattice(vec![1.0; bodies], [1.0; 2], [false; 2], 1).unwrap();
    // 28 bodies along each axis, 4,000 cells apart: more than 16 bits can count.
    let far = lattice(vec![1.0; bodies], [4000.0; 3], [false; 3], 1).unwrap();
    let mr = |coordinates| Mr::new(MrOptions { coordinates, ..MrOptions::default() });
    let stored = MrCoordinates::Stored;
    let cases: [(&str, f64, usize); 6] = [
        ("mr-s", 14.0, bytes(&mut MrS::new(), &Scene::of("near", near.clone()))),
        ("mr-s in 2D", 12.0, bytes(&mut MrS::new(), &Scene::of("flat", flat))),
        ("mr-s with 32-bit coordinates", 20.0, bytes(&mut MrS::new(), &Scene::of("far", far.clone()))),
        ("mr", 18.0, bytes(&mut mr(stored), &Scene::of("near", near.clone()))),
        ("mr without coordinates", 12.0, bytes(&mut mr(MrCoordinates::Computed), &Scene::of("near", near))),
        ("mr with 32-bit coordinates", 24.0, bytes(&mut mr(stored), &Scene::of("far", far))),
    ];
    for (name, expected, bytes) in cases {
        // The head of the list has links too.
        let per_body = bytes as f64 / bodies as f64;
        assert!((0.0..0.001).contains(&(per_body - expected)), "{name}: {per_body} bytes per body");
    }
}

/// Equation 35 of the paper of MR: as much for bodies of every size as for bodies of one size, two integers per body where
/// coordinates are not stored. Marks in the list that is searched come on top: one for every 32 bodies of the largest group. With
/// stored coordinates a list has three halves of an integer more, and all bodies are copied: 44 bytes each.
#[test]
fn lists_of_mmr_take_two_integers_per_body_whatever_the_sizes() {
    let bodies = 20_000;
    let mut rng = Rng::new(5);
    let radii: Vec<f64> = (0..bodies).map(|_| log_uniform(&mut rng, 1.0 / 64.0, 1.0)).collect();
    let many = lattice(radii, [1.0; 3], [false; 3], 1).unwrap();
    let one = lattice(vec![1.0; bodies], [1.0; 3], [false; 3], 1).unwrap();
    for (name, set) in [("sizes over a factor of 64", many), ("one size", one)] {
        let scene = Scene::of(name, set);
        // Beyond it are marks, or what columns are filled up with: four bodies for each group.
        for (coordinates, expected, most) in [(MrCoordinates::Computed, 8.0, 0.13), (MrCoordinates::Stored, 58.0, 0.5)]
        {
            for factor in [1.1, 2.0, 8.0] {
                let mut mmr = Mmr::with_factor(factor).unwrap().with_coordinates(coordinates);
                let per_body = bytes(&mut mmr, &scene) as f64 / bodies as f64;
                let beyond = per_body - expected;
                assert!((0.0..most).contains(&beyond), "{name}, {coordinates:?}, {factor}: {per_body} bytes per body");
            }
        }
    }
}

fn bytes<const D: usize>(detector: &mut dyn Detector<D>, scene: &Scene<D>) -> usize
where
    Axes: Dimension<D>,
{
    detector.find_pairs(scene.now(), &mut Pairs::new());
    detector.index_bytes().expect("the classics report it")
}
