//! The course of a simulation is the same, bit for bit, whatever finds its contacts, on however many threads, and after it
//! was saved and resumed.

use super::golden::*;
use multigrain::detectors::HierarchicalGrid;
use multigrain::{Axes, Dimension, Direction, Domain, Levels};
use multigrain_dem::{ContactLaw, Grain, Integrator, Material, Setup, Skin};
use multigrain_methods::Method;

fn run<const D: usize>(scene: &(Setup<D>, Vec<Grain<D>>), steps: u64, change: impl Fn(Setup<D>) -> Setup<D>) -> u64
where
    Axes: Dimension<D>,
{
    let mut simulation = change(scene.0.clone()).build(scene.1.clone()).unwrap();
    simulation.run(steps).unwrap();
    fingerprint(&simulation)
}

fn on_threads<T: Send>(threads: usize, job: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(job)
}

const SKINS: [Skin; 3] = [Skin::None, Skin::Width(0.3), Skin::Chosen];

#[test]
fn every_method_and_skin_gives_the_golden_course_in_two_dimensions() {
    let scene = shaken_mixture::<2>(400, Integrator::Verlet);
    for &method in Method::ALL {
        for skin in SKINS {
            let found = run(&scene, 400, |setup| setup.method(method).skin(skin));
            assert_eq!(found, GOLDEN_2D, "{} with {skin:?}: {found:#x}", method.name());
        }
    }
}

#[test]
fn every_method_and_skin_gives_the_golden_course_in_three_dimensions() {
    let scene = shaken_mixture::<3>(400, Integrator::Gear);
    for &method in Method::ALL {
        for skin in SKINS {
            let found = run(&scene, 200, |setup| setup.method(method).skin(skin));
            assert_eq!(found, GOLDEN_3D, "{} with {skin:?}: {found:#x}", method.name());
        }
    }
}

#[test]
fn every_method_and_skin_gives_the_golden_course_with_grains_that_come_and_go() {
    let scene = chute();
    let mut simulation = scene.0.clone().build(scene.1.clone()).unwrap();
    simulation.run(CHUTE_STEPS).unwrap();
    let (came, went) = (simulation.generated(), simulation.removed());
    assert!(came > 100 && went > 30, "{came} came, {went} went");
    assert!(simulation.contact_count() > 20);
    for &method in Method::ALL {
        for skin in SKINS {
            let found = run(&scene, CHUTE_STEPS, |setup| setup.method(method).skin(skin));
            assert_eq!(found, GOLDEN_CHUTE, "{} with {skin:?}: {found:#x}", method.name());
        }
    }
}

#[test]
fn polygons_have_a_golden_course() {
    let scene = polygons();
    for threads in [1, 3] {
        for skin in SKINS {
            let found = on_threads(threads, || run(&scene, 400, |setup| setup.skin(skin)));
            assert_eq!(found, GOLDEN_POLYGONS, "{threads} threads with {skin:?}: {found:#x}");
        }
    }
}

#[test]
fn every_number_of_threads_gives_the_golden_course() {
    // Several blocks of particles, and more than one chunk of pairs.
    let scene = shaken_mixture::<3>(6000, Integrator::Verlet);
    for threads in [1, 2, 3, 8] {
        for skin in [Skin::None, Skin::Chosen] {
            let found = on_threads(threads, || run(&scene, 40, |setup| setup.skin(skin)));
            assert_eq!(found, GOLDEN_THREADS, "{threads} threads with {skin:?}: {found:#x}");
        }
    }
    let gear = shaken_mixture::<2>(5000, Integrator::Gear);
    let one = on_threads(1, || run(&gear, 40, |setup| setup));
    assert_eq!(on_threads(3, || run(&gear, 40, |setup| setup)), one);
}

#[test]
fn every_kernel_of_the_fast_grid_gives_the_golden_course() {
    let scene = shaken_mixture::<2>(400, Integrator::Verlet);
    for kernel in ["portable", "avx2", "avx512"] {
        let levels = Levels::from_cell_sizes(&[1.3, 3.0]).unwrap();
        let grid = HierarchicalGrid::<2>::with_levels(levels, Direction::TopDown);
        // Not every processor has all of them.
        let Some(grid) = grid.with_kernel(kernel) else { continue };
        let found = run(&scene, 400, |setup| {
            let grid = grid.clone();
            setup.detector(move || Box::new(grid.clone()))
        });
        assert_eq!(found, GOLDEN_2D, "{kernel}: {found:#x}");
    }
}

/// Forces of the user's own are worked out when all contacts have pushed. Without any, blocks end their motion one by one.
#[test]
fn blocks_that_end_one_by_one_take_the_course_of_all_at_once() {
    let (setup, grains) = shaken_mixture::<3>(3000, Integrator::Verlet);
    let run = |threads: usize, own: Option<Box<multigrain_dem::OwnForces<3>>>| {
        on_threads(threads, || {
            let mut simulation = setup.clone().build(grains.clone()).unwrap();
            simulation.set_own_forces(own).unwrap();
            simulation.run(40).unwrap();
            assert!(simulation.contact_count() > 1000, "{} contacts", simulation.contact_count());
            fingerprint(&simulation)
        })
    };
    let expected = run(1, Some(Box::new(|_, _, _, _| Ok(()))));
    for threads in [1, 2, 3] {
        assert_eq!(run(threads, None), expected, "{threads} threads");
    }
}

#[test]
fn the_order_of_the_state_changes_nothing() {
    let scene = shaken_mixture::<2>(400, Integrator::Verlet);
    for steps in [0, 1, 100] {
        assert_eq!(run(&scene, 400, |setup| setup.sort_every(steps)), GOLDEN_2D);
    }
    let chute = chute();
    assert_eq!(run(&chute, CHUTE_STEPS, |setup| setup.sort_every(37)), GOLDEN_CHUTE);
}

#[test]
fn a_resumed_simulation_goes_on_as_if_it_had_never_stopped() {
    fn resumed<const D: usize>(scene: &(Setup<D>, Vec<Grain<D>>), before: u64, after: u64) -> u64
    where
        Axes: Dimension<D>,
    {
        let mut simulation = scene.0.clone().build(scene.1.clone()).unwrap();
        simulation.run(before).unwrap();
        let bytes = simulation.encode();
        let mut resumed = scene.0.clone().method(Method::LinkedCell).resume(&bytes).unwrap();
        assert_eq!(fingerprint(&resumed), fingerprint(&simulation));
        assert_eq!(resumed.encode(), bytes);
        resumed.run(after).unwrap();
        fingerprint(&resumed)
    }
    for before in [0, 1, 255, 256, 399] {
        assert_eq!(resumed(&shaken_mixture::<2>(400, Integrator::Verlet), before, 400 - before), GOLDEN_2D);
    }
    assert_eq!(resumed(&shaken_mixture::<3>(400, Integrator::Gear), 111, 89), GOLDEN_3D);
    assert_eq!(resumed(&shaken_mixture::<3>(6000, Integrator::Verlet), 13, 27), GOLDEN_THREADS);
    assert_eq!(resumed(&chute(), 1111, CHUTE_STEPS - 1111), GOLDEN_CHUTE);
}

/// Discs so large for their periodic box that they touch several images of each other, and their own.
#[test]
fn several_images_of_a_contact_have_histories_of_their_own() {
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; 2], [2.0, 1.7]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(50.0).damping(0.1).friction(0.5)));
    let grains = vec![
        Grain::at([0.1, 0.2], 0.7).velocity([0.5, 0.1]).spin([0.0, 0.0, 1.0]),
        Grain::at([1.0, 1.0], 0.9).velocity([-0.2, 0.3]).spin([0.0, 0.0, -2.0]),
    ];
    let scene = (setup, grains);
    let mut simulation = scene.0.clone().build(scene.1.clone()).unwrap();
    simulation.run(300).unwrap();
    let contacts = simulation.contacts();
    assert!(contacts.iter().any(|contact| contact.ids == [1, 1]));
    let between: Vec<_> = contacts.iter().filter(|contact| contact.ids == [0, 1]).collect();
    assert!(between.len() >= 2 && between[0].spring != between[1].spring);
    let expected = run(&scene, 3000, |setup| setup);
    for &method in Method::ALL {
        for skin in SKINS {
            assert_eq!(run(&scene, 3000, |setup| setup.method(method).skin(skin)), expected, "{}", method.name());
        }
    }
}
