//! Periodic boxes that are sheared, and boxes that deform: by rates, and until stresses are what they should be.

use multigrain::{Axes, Dimension, Domain, Pairs, Rng, Snapshot};
use multigrain_dem::{
    ContactLaw, Deformation, Error, Grain, Integrator, Material, Setup, Simulation, Skin, TimeStep, Wall,
};
use multigrain_methods::Method;

/// Grains on a jittered lattice in a periodic cube, dense enough to touch.
fn packing<const D: usize>(along: usize, radius: f64) -> (Setup<D>, Vec<Grain<D>>)
where
    Axes: Dimension<D>,
{
    let (side, mut rng) = (along as f64, Rng::new(11));
    let grains = (0..along.pow(D as u32)).map(|k| {
        let mut cell = k;
        let position = std::array::from_fn(|_| {
            let here = cell % along;
            cell /= along;
            here as f64 + 0.35 + 0.3 * rng.uniform()
        });
        let velocity = std::array::from_fn(|_| 0.2 * (rng.uniform() - 0.5));
        Grain::at(position, radius * (0.9 + 0.2 * rng.uniform())).velocity(velocity)
    });
    let grains = grains.collect();
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; D], [side; D]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(200.0).restitution(0.6).friction(0.4)));
    (setup, grains)
}

/// Shear in the first plane, all other axes by stress.
fn shear_at_pressure<const D: usize>(rate: f64, pressure: f64) -> Deformation<D> {
    let mut deformation = Deformation::rest().rate(0, 1, rate).max_rate(0.3);
    for axis in 1..D {
        deformation = deformation.stress(axis, axis, pressure);
    }
    deformation
}

fn on_threads<T: Send>(threads: usize, job: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(job)
}

/// Contacts are those that brute force finds in the cell as it is.
fn assert_contacts_are_those_of_brute_force<const D: usize>(simulation: &Simulation<D>)
where
    Axes: Dimension<D>,
{
    let state = simulation.state();
    let now = Snapshot::new(state.positions(), state.radii()).unwrap().within(*simulation.domain()).unwrap();
    let mut pairs = Pairs::new();
    Method::BruteForce.build(now).unwrap().find_pairs(now, &mut pairs);
    let mut expected: Vec<_> = pairs.iter().map(|pair| (pair.i, pair.j, pair.shift)).collect();
    expected.sort_unstable();
    let mut found: Vec<_> = simulation
        .contacts()
        .iter()
        .map(|contact| {
            let [i, j] = contact.places;
            if i <= j { (i, j, contact.shift) } else { (j, i, contact.shift.map(|edges| -edges)) }
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn every_method_and_skin_gives_one_course_in_boxes_that_deform() {
    fn check<const D: usize>(along: usize, steps: u64)
    where
        Axes: Dimension<D>,
    {
        let (setup, grains) = packing::<D>(along, 0.52);
        let setup = setup.deformation(shear_at_pressure(0.6, 8.0));
        let run = |setup: Setup<D>| {
            let mut simulation = setup.build(grains.clone()).unwrap();
            simulation.run(steps).unwrap();
            simulation
        };
        let one = run(setup.clone());
        let tilt = one.domain().edges()[1][0];
        assert!(one.contact_count() > one.state().len() / 2 && tilt != 0.0);
        let fingerprint = one.state().fingerprint();
        for &method in Method::ALL {
            for skin in [Skin::None, Skin::Width(0.3), Skin::Chosen] {
                let other = run(setup.clone().method(method).skin(skin));
                assert_eq!(other.state().fingerprint(), fingerprint, "{} with {skin:?}", method.name());
                assert_eq!(other.domain(), one.domain());
            }
        }
    }
    check::<2>(12, 300);
    check::<3>(6, 120);
}

/// More grains than two blocks hold, so that threads share the work.
#[test]
fn thousands_in_boxes_that_deform_have_one_course_on_any_threads() {
    fn check<const D: usize>(along: usize, steps: u64)
    where
        Axes: Dimension<D>,
    {
        let (setup, grains) = packing::<D>(along, 0.52);
        let setup = setup.deformation(shear_at_pressure(0.6, 8.0)).skin(Skin::Chosen);
        let run = |threads: usize| {
            on_threads(threads, || {
                let mut simulation = setup.clone().build(grains.clone()).unwrap();
                simulation.run(steps).unwrap();
                assert!(simulation.state().len() > 4096 && simulation.domain().edges()[1][0] != 0.0);
                simulation.encode()
            })
        };
        let expected = run(1);
        for threads in [2, 3, 8] {
            assert!(run(threads) == expected, "{threads} threads");
        }
    }
    check::<2>(66, 40);
    check::<3>(17, 25);
}

#[test]
fn lists_with_a_skin_stay_whole_while_the_cell_moves() {
    let (setup, grains) = packing::<2>(10, 0.5);
    let whirl = Deformation::rest().gradient([[-0.2, 0.9], [-0.3, 0.1]]).until(1.5);
    let setup = setup.deformation(whirl).deformation(shear_at_pressure(2.0, 5.0)).skin(Skin::Width(0.4));
    let mut simulation = setup.build(grains).unwrap();
    let mut flips = 0;
    let mut tilt: f64 = 0.0;
    while simulation.time() < 3.0 {
        simulation.run(20).unwrap();
        assert_contacts_are_those_of_brute_force(&simulation);
        let now = simulation.domain().edges()[1][0];
        flips += usize::from((now - tilt).abs() > 3.0);
        tilt = now;
    }
    assert!(flips >= 1, "the cell has lost whole edges on the way");
}

#[test]
fn a_resumed_simulation_goes_on_bit_for_bit_while_its_box_deforms() {
    let (setup, grains) = packing::<2>(8, 0.52);
    let setup = setup
        .deformation(Deformation::rest().pressure(6.0).max_rate(0.2).until(0.5))
        .deformation(shear_at_pressure(3.0, 6.0));
    let mut simulation = setup.clone().build(grains).unwrap();
    let mut saved = Vec::new();
    while simulation.time() < 1.5 {
        simulation.run(97).unwrap();
        saved.push((simulation.steps(), simulation.encode()));
    }
    for (steps, bytes) in saved {
        let mut resumed = setup.clone().method(Method::LinkedCell).skin(Skin::Chosen).resume(&bytes).unwrap();
        assert_eq!(resumed.encode(), bytes);
        resumed.run(simulation.steps() - steps).unwrap();
        assert_eq!(resumed.state(), simulation.state(), "from step {steps}");
        assert_eq!((resumed.domain(), resumed.strain()), (simulation.domain(), simulation.strain()));
    }
}

/// Where borders lie must not show: the same grains elsewhere on the lattice, moving with the flow there.
#[test]
fn borders_of_a_box_that_deforms_cannot_be_felt() {
    for deformation in [
        Deformation::rest().rate(0, 1, 0.8),
        Deformation::rest().rate(0, 0, -0.3).rate(1, 1, 0.2),
        Deformation::rest().gradient([[-0.2, 0.5], [-0.3, 0.1]]),
        shear_at_pressure(0.5, 6.0),
        Deformation::rest().pressure(9.0).max_rate(0.5),
    ] {
        let (setup, grains) = packing::<2>(7, 0.52);
        let setup = setup.deformation(deformation);
        let run = |moved: [f64; 2]| {
            let grains = grains.iter().map(|grain| Grain {
                position: std::array::from_fn(|axis| grain.position[axis] + moved[axis]),
                ..*grain
            });
            let mut simulation = setup.clone().build(grains.collect::<Vec<_>>()).unwrap();
            simulation.run(250).unwrap();
            simulation
        };
        let (one, other) = (run([0.0; 2]), run([2.31, 3.77]));
        let crossed =
            |simulation: &Simulation<2>| simulation.state().periods().iter().filter(|p| **p != [0; 2]).count();
        assert!(crossed(&other) > 10);
        let [a, b] = [&one, &other].map(|simulation| simulation.contacts());
        assert_eq!(a.len(), b.len(), "{deformation:?}");
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(a.ids, b.ids);
            for axis in 0..2 {
                let difference = (a.force[axis] - b.force[axis]).abs();
                assert!(difference < 1e-8, "{deformation:?}: {:?} and {:?}", a.force, b.force);
            }
        }
        let [a, b] = [&one, &other].map(|simulation| simulation.stress().unwrap().total());
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() < 1e-9, "{deformation:?}: {a} and {b}");
        }
    }
}

/// Without contacts a grain's own velocity is divided by what its axis is stretched by; sheared, `v_x` falls with `v_y` times strain.
#[test]
fn free_grains_cool_and_heat_as_the_box_grows_and_shrinks() {
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; 2], [10.0, 8.0]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(1.0)))
        .time_step(TimeStep::Given(1e-3));
    let deformation = Deformation::rest().gradient([[0.3, 0.4], [0.0, -0.5]]);
    let mut simulation =
        setup.deformation(deformation).build([Grain::at([2.0, 3.0], 0.01).velocity([0.7, 1.1])]).unwrap();
    simulation.run(2000).unwrap();
    let (volume, expected) = (simulation.domain().volume(), 80.0 * (-0.4f64).exp());
    assert!((volume - expected).abs() < 1e-4, "{volume}, {expected}");
    // c' = -L c: c_y = 1.1 exp(0.5 t), c_x' = -0.3 c_x - 0.4 c_y.
    let (t, cy) = (2.0f64, 1.1 * 1.0f64.exp());
    let cx = (0.7 + 0.4 * 1.1 / 0.8) * (-0.3 * t).exp() - 0.4 * 1.1 / 0.8 * (0.5 * t).exp();
    let (x, flow) = (simulation.state().positions()[0], simulation.velocity_gradient().unwrap());
    let center = [5.0, 4.0];
    for (i, expected) in [cx, cy].into_iter().enumerate() {
        let own = simulation.state().velocities()[0][i] - (0..2).map(|j| flow[i][j] * (x[j] - center[j])).sum::<f64>();
        assert!((own - expected).abs() < 1e-5, "component {i}: {own}, {expected}");
    }
    assert!((simulation.strain().unwrap()[0][1] - 0.8).abs() < 1e-4);
}

#[test]
fn the_box_accounts_for_the_energy_that_it_gives() {
    for deformation in [Deformation::rest().rate(0, 1, 0.8), Deformation::rest().pressure(12.0).max_rate(0.4)] {
        let (setup, grains) = packing::<2>(10, 0.53);
        let mut simulation = setup.time_step(TimeStep::Fraction(0.005)).deformation(deformation).build(grains).unwrap();
        let account = |simulation: &Simulation<2>| {
            simulation.energies().total() + simulation.dissipated() - simulation.wall_work()
        };
        let before = account(&simulation);
        simulation.run_until(1.0).unwrap();
        let turned_over = simulation.dissipated() + simulation.energies().total();
        let drift = (account(&simulation) - before).abs() / turned_over;
        assert!(drift < 5e-3, "{deformation:?}: {drift}, {}", simulation.wall_work());
        assert!(simulation.wall_work().abs() > 0.05 * turned_over);
    }
}

/// A square lattice pressed together by the same share everywhere: force over spacing along each axis.
#[test]
fn stress_is_that_of_a_pressed_lattice() {
    let (stiffness, [a, b]) = (50.0, [0.96, 0.9]);
    let grains = (0..12).map(|k| Grain::at([f64::from(k % 4) * a, f64::from(k / 4) * b], 0.5));
    let simulation = Setup::new()
        .domain(Domain::periodic([0.0; 2], [4.0 * a, 3.0 * b]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(stiffness)))
        .build(grains)
        .unwrap();
    let stress = simulation.stress().unwrap();
    let expected = [stiffness * (1.0 - a) / b, stiffness * (1.0 - b) / a];
    for axis in 0..2 {
        assert!((stress.contact[axis][axis] - expected[axis]).abs() < 1e-12, "{stress:?}");
        assert!(stress.contact[axis][1 - axis].abs() < 1e-12 && stress.kinetic[axis][axis] == 0.0);
    }
    // Each grain has its share, of a volume that is smaller than the lattice's.
    let share = a * b / (std::f64::consts::PI * 0.25);
    for of_grain in simulation.stresses() {
        assert!((of_grain.contact[0][0] - expected[0] * share).abs() < 1e-12);
    }
    assert!((stress.pressure() - 0.5 * (expected[0] + expected[1])).abs() < 1e-12);
}

/// A disc between floor and lid bears what both push, over its area: walls are in the stress of a grain.
#[test]
fn a_grain_that_walls_press_has_their_stress() {
    let (stiffness, overlap, radius) = (50.0, 0.02, 0.5);
    let simulation = Setup::<2>::new()
        .material(Material::new(1.0, ContactLaw::linear(stiffness)))
        .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
        .wall(Wall::plane([0.0, 2.0 * (radius - overlap)], [0.0, -1.0]))
        .build([Grain::at([0.0, radius - overlap], radius).held()])
        .unwrap();
    let stress = simulation.stresses()[0].total();
    let expected = 2.0 * stiffness * overlap * (radius - 0.5 * overlap) / (std::f64::consts::PI * radius * radius);
    assert!((stress[1][1] / expected - 1.0).abs() < 1e-12, "{stress:?} is not {expected}");
    assert!(stress[0][0].abs() < 1e-15 && stress[0][1].abs() < 1e-15, "{stress:?}");
    assert_eq!(simulation.details().wall_contacts, [2]);
}

#[test]
fn stresses_come_to_their_targets() {
    let (setup, grains) = packing::<2>(14, 0.45);
    let press = Deformation::rest().stress(0, 0, 10.0).stress(1, 1, 20.0).max_rate(0.2);
    let mut simulation = setup.clone().deformation(press).build(grains.clone()).unwrap();
    simulation.run_until(6.0).unwrap();
    let total = simulation.stress().unwrap().total();
    assert!((total[0][0] - 10.0).abs() < 0.1 && (total[1][1] - 20.0).abs() < 0.2, "{total:?}");
    let mut simulation = setup.deformation(Deformation::rest().pressure(15.0).max_rate(0.2)).build(grains).unwrap();
    simulation.run_until(6.0).unwrap();
    let pressure = simulation.stress().unwrap().pressure();
    assert!((pressure - 15.0).abs() < 0.15, "{pressure}");
    let edges = simulation.domain().edges();
    assert!((edges[0][0] - edges[1][1]).abs() < 1e-9, "all sides shrink alike");
}

/// The same lattice, spanned by other edges: the same course, as far as rounding lets it.
#[test]
fn a_sheared_cell_that_is_a_box_in_disguise_gives_its_course() {
    let (setup, grains) = packing::<3>(4, 0.52);
    let run = |domain: Domain<3>, integrator: Integrator| {
        let mut simulation = setup.clone().domain(domain).integrator(integrator).build(grains.clone()).unwrap();
        simulation.run(200).unwrap();
        assert_contacts_are_those_of_brute_force(&simulation);
        simulation.contacts()
    };
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let box_of = run(Domain::periodic([0.0; 3], [4.0; 3]).unwrap(), integrator);
        let edges = [[4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [-4.0, 4.0, 4.0]];
        let cell = run(Domain::from_cell([0.3; 3], edges, [true; 3]).unwrap(), integrator);
        assert_eq!(box_of.len(), cell.len());
        for (a, b) in box_of.iter().zip(&cell) {
            assert_eq!(a.ids, b.ids);
            assert!((0..3).all(|axis| (a.force[axis] - b.force[axis]).abs() < 1e-8), "{a:?} {b:?}");
        }
    }
}

/// Walls along one axis, a box that shrinks along the other.
#[test]
fn walls_and_a_box_that_shrinks_go_together() {
    let (setup, grains) = packing::<2>(8, 0.48);
    let setup = setup
        .domain(Domain::new([0.0; 2], [8.0; 2], [true, false]).unwrap())
        .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
        .wall(Wall::plane([0.0, 8.0], [0.0, -1.0]))
        .deformation(Deformation::rest().rate(0, 0, -0.1));
    let run = |skin| {
        let mut simulation = setup.clone().skin(skin).build(grains.clone()).unwrap();
        simulation.run_until(1.0).unwrap();
        assert!(!simulation.wall_contacts().is_empty());
        simulation.state().fingerprint()
    };
    assert_eq!(run(Skin::None), run(Skin::Width(0.3)));
}

#[test]
fn deformations_that_cannot_be_are_refused_in_words() {
    let (setup, grains) = packing::<2>(3, 0.4);
    let refusal = |setup: Setup<2>| setup.build(grains.clone()).map(|_| ()).unwrap_err().to_string();
    let walled = setup.clone().domain(Domain::new([0.0; 2], [3.0; 2], [true, false]).unwrap());
    assert_eq!(
        refusal(walled.deformation(Deformation::rest().rate(0, 1, 1.0))),
        "deformation 0 changes xy, but both axes must be periodic for that"
    );
    assert_eq!(
        refusal(setup.clone().deformation(Deformation::rest().pressure(1.0))),
        "max_rate of deformation 0 is 0, must be positive and finite where a stress has a target"
    );
    assert!(
        refusal(setup.clone().deformation(Deformation::rest().pressure(0.0).max_rate(1.0))).contains("must not be 0")
    );
    let twice = Deformation::rest().until(1.0);
    assert!(refusal(setup.clone().deformation(twice).deformation(twice)).contains("ends no later"));
    assert!(refusal(setup.clone().integrator(Integrator::Gear).deformation(twice)).contains("Verlet"));
    // A box that is pressed until nothing is left of it ends in an error, not in nonsense.
    let crushed = setup.deformation(Deformation::rest().gradient([[-50.0, 0.0], [0.0, -50.0]]));
    let mut simulation = crushed.build(grains.clone()).unwrap();
    assert!(matches!(
        simulation.run_until(50.0),
        Err(Error::Deformation { .. } | Error::Lost { .. } | Error::TinyBox { .. } | Error::Engine(_))
    ));
}
