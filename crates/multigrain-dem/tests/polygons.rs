//! Polygons that collide, stack and settle.

use multigrain::Rng;
use multigrain_dem::polygons::{
    CandidateSearch, Drive, PolygonBody, PolygonIntegrator, PolygonMaterial, PolygonSetup, PolygonSimulation,
    Repulsion, drum, floor, hopper, shear_cell,
};
use multigrain_dem::{Cause, Error};
use multigrain_methods::Method;
use multigrain_polygons::{ConvexPolygon, Frame};

const ELASTIC: PolygonMaterial = PolygonMaterial {
    density: 1000.0,
    youngs_modulus: 1e7,
    damping: 0.0,
    friction: 0.0,
    tangential_stiffness: 0.3,
    repulsion: Repulsion::Energy,
};

fn at(x: f64, y: f64, angle: f64) -> Frame {
    Frame::new([x, y], angle).unwrap()
}

fn random_grain(corners: usize, radius: f64, frame: Frame, rng: &mut Rng) -> PolygonBody {
    PolygonBody::grain(ConvexPolygon::random(corners, radius, rng).unwrap(), frame)
}

/// Grains in rows above a floor between two side walls.
fn heap(columns: usize, rows: usize, seed: u64) -> Vec<PolygonBody> {
    let mut rng = Rng::new(seed);
    let (radius, spacing) = (0.01, 0.021);
    let width = spacing * columns as f64;
    let mut bodies = floor(4.0 * width, 0.05).unwrap();
    for side in [-1.0, 1.0] {
        let wall = ConvexPolygon::rectangle(0.05, 4.0 * spacing * rows as f64).unwrap();
        bodies.push(PolygonBody::wall(wall, at(side * (0.5 * width + 0.025), 0.0, 0.0)));
    }
    for k in 0..columns * rows {
        let (column, row) = ((k % columns) as f64, (k / columns) as f64);
        let frame = at((column + 0.5) * spacing - 0.5 * width, (row + 0.6) * spacing, 6.0 * rng.uniform());
        bodies.push(random_grain(4 + rng.below(9) as usize, radius, frame, &mut rng));
    }
    bodies
}

fn threads(count: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap()
}

fn total_energy(simulation: &PolygonSimulation) -> f64 {
    let energies = simulation.energies();
    energies.kinetic + energies.rotational + energies.potential
}

/// Relative changes of energy in elastic collisions of random polygons of 3 to 40 corners, most of them oblique, both
/// spinning: the largest last. Momentum must be kept to rounding.
fn energy_changes(material: PolygonMaterial, integrator: PolygonIntegrator, rounds: usize) -> Vec<f64> {
    let mut rng = Rng::new(3);
    let mut changes = Vec::new();
    for round in 0..rounds {
        let corners = [0, 1].map(|_| 3 + rng.below(38) as usize);
        let shift = 0.015 * (2.0 * rng.uniform() - 1.0);
        let angles = [0, 1].map(|_| 6.3 * rng.uniform());
        let spins = [0, 1].map(|_| 30.0 * rng.normal());
        let a = random_grain(corners[0], 0.01, at(0.0, 0.0, angles[0]), &mut rng).moving([0.0, 0.0], spins[0]);
        let b = random_grain(corners[1], 0.008, at(0.025, shift, angles[1]), &mut rng).moving([-1.0, 0.0], spins[1]);
        let mut simulation = PolygonSetup::new(material).integrator(integrator).build([a, b]).unwrap();
        let (before, energy) = (simulation.momentum(), total_energy(&simulation));
        let mut has_touched = false;
        while simulation.time() < 0.035 {
            simulation.run(10).unwrap();
            has_touched |= simulation.contact_count() > 0;
        }
        assert_eq!(simulation.contact_count(), 0, "{round}: they have parted");
        if !has_touched {
            continue;
        }
        let (after, scale) = (simulation.momentum(), simulation.mass(1));
        for k in 0..2 {
            assert!((after[k] - before[k]).abs() < 1e-13 * scale, "{round}: {before:?} {after:?}");
        }
        assert!((after[2] - before[2]).abs() < 1e-6 * scale * 0.02, "{round}: {before:?} {after:?}");
        changes.push((total_energy(&simulation) - energy).abs() / energy);
    }
    assert!(changes.len() > 9 * rounds / 10, "{} of {rounds} have met", changes.len());
    changes.sort_by(f64::total_cmp);
    changes
}

#[test]
fn elastic_collisions_keep_momentum_to_rounding_and_energy_to_a_percent() {
    // Overlaps of up to a tenth of the bodies, then of a few hundredths.
    for youngs_modulus in [1e6, 1e7] {
        for integrator in [PolygonIntegrator::Gear, PolygonIntegrator::Verlet] {
            let changes = energy_changes(PolygonMaterial { youngs_modulus, ..ELASTIC }, integrator, 250);
            // So far below a percent that it is no matter of luck.
            let [median, largest] = [changes[changes.len() / 2], changes[changes.len() - 1]];
            assert!(median < 1e-4 && largest < 1e-3, "{youngs_modulus:e} {integrator:?}: {median} {largest}");
        }
    }
}

/// Why force from area alone is not the default.
#[test]
fn force_from_area_alone_changes_the_energy_of_collisions_by_percents() {
    let material = PolygonMaterial { repulsion: Repulsion::Area, youngs_modulus: 1e6, ..ELASTIC };
    let changes = energy_changes(material, PolygonIntegrator::Gear, 300);
    let [median, largest] = [changes[changes.len() / 2], changes[changes.len() - 1]];
    assert!(median < 0.01 && (0.01..0.2).contains(&largest), "{median} {largest}");
}

#[test]
fn a_stack_of_ten_blocks_comes_to_rest_and_stays() {
    let material = PolygonMaterial { youngs_modulus: 1e7, damping: 0.5, ..PolygonMaterial::default() };
    let mut bodies = floor(1.0, 0.1).unwrap();
    for k in 0..10 {
        let block = ConvexPolygon::rectangle(0.1, 0.05).unwrap();
        bodies.push(PolygonBody::grain(block, at(0.002 * f64::from(k % 3), 0.025 + 0.0502 * f64::from(k), 0.0)));
    }
    let mut simulation = PolygonSetup::new(material).gravity([0.0, -9.81]).build(bodies).unwrap();
    let per_second = (1.0 / simulation.time_step()) as u64;
    simulation.run(4 * per_second).unwrap();
    let rest: Vec<[f64; 2]> = (1..11).map(|k| simulation.body(k).frame().position()).collect();
    simulation.run(2 * per_second).unwrap();
    let energies = simulation.energies();
    assert!(energies.kinetic + energies.rotational < 1e-7 * energies.potential, "{energies:?}");
    for k in 1..11 {
        let now = simulation.body(k).frame();
        let moved = (now.position()[0] - rest[k - 1][0]).hypot(now.position()[1] - rest[k - 1][1]);
        assert!(moved < 2e-4, "block {k} moved by {moved}");
        assert!(now.angle().abs() < 0.01, "block {k} leans by {}", now.angle());
        let height = 0.025 + 0.05 * (k - 1) as f64;
        assert!((now.position()[1] - height).abs() < 2e-3, "block {k} is at {}", now.position()[1]);
    }
}

#[test]
fn force_does_not_depend_on_the_number_of_corners() {
    let force = |corners: usize| {
        let grain = |x: f64| PolygonBody::grain(ConvexPolygon::regular(corners, 0.01).unwrap(), at(x, 0.0, 0.1));
        let simulation = PolygonSetup::new(ELASTIC).build([grain(0.0), grain(0.0199)]).unwrap();
        simulation.contacts().next().expect("they overlap").force[0]
    };
    let [coarse, fine, finest] = [200, 400, 1000].map(force);
    assert!((coarse / finest - 1.0).abs() < 0.05, "{coarse} {finest}");
    assert!((fine / finest - 1.0).abs() < 0.02, "{fine} {finest}");
}

#[test]
fn a_block_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    for (angle, friction, slides) in [(0.3f64, 0.5, false), (0.55, 0.5, true), (0.15, 0.1, true)] {
        let material = PolygonMaterial { friction, youngs_modulus: 1e7, ..PolygonMaterial::default() };
        let slope = ConvexPolygon::rectangle(4.0, 0.2).unwrap();
        let block = ConvexPolygon::rectangle(0.2, 0.05).unwrap();
        let (sin, cos) = angle.sin_cos();
        let bodies = [
            PolygonBody::wall(slope, at(0.1 * sin, -0.1 * cos, angle)),
            PolygonBody::grain(block, at(-0.025 * sin, 0.025 * cos, angle)),
        ];
        let mut simulation = PolygonSetup::new(material).gravity([0.0, -9.81]).build(bodies).unwrap();
        simulation.run((0.5 / simulation.time_step()) as u64).unwrap();
        let [x, y] = simulation.body(1).frame().position();
        let travelled = -(x + 0.025 * sin) * cos - (y - 0.025 * cos) * sin;
        let expected = 0.5 * 9.81 * (sin - friction * cos).max(0.0) * simulation.time() * simulation.time();
        assert!((travelled - expected).abs() < 1e-3 + 0.03 * expected, "{angle}: {travelled} {expected}");
        assert_eq!(expected > 0.0, slides);
    }
}

#[test]
fn bits_depend_neither_on_threads_nor_on_the_search() {
    let run = |count: usize, search: CandidateSearch| {
        threads(count).install(|| {
            let setup = PolygonSetup::new(PolygonMaterial::default()).gravity([0.0, -9.81]).search(search);
            let mut rng = Rng::new(2);
            let stirred = heap(20, 20, 5).into_iter().map(|body| {
                let spin = rng.normal();
                body.moving([0.5 * rng.normal(), 0.5 * rng.normal()], 10.0 * spin)
            });
            let mut simulation = setup.build(stirred).unwrap();
            simulation.run(600).unwrap();
            assert!(simulation.contact_count() > 0);
            let places = (0..simulation.len()).map(|k| {
                let frame = simulation.body(k).frame();
                (frame.position().map(f64::to_bits), frame.angle().to_bits(), simulation.velocity(k).1.to_bits())
            });
            places.collect::<Vec<_>>()
        })
    };
    let expected = run(1, CandidateSearch::SortAndUpdate);
    for count in [2, 3, 5] {
        assert!(run(count, CandidateSearch::SortAndUpdate) == expected, "{count} threads");
    }
    for method in [Method::HGrid, Method::LinkedCell, Method::BruteForce] {
        assert!(run(2, CandidateSearch::Circles(method)) == expected, "{method:?}");
    }
}

#[test]
fn exchanges_go_to_near_zero_as_a_heap_settles() {
    let setup = PolygonSetup::new(PolygonMaterial::default()).gravity([0.0, -9.81]);
    let mut simulation = setup.build(heap(16, 12, 9)).unwrap();
    let exchanges = |steps: u64, simulation: &mut PolygonSimulation| {
        let mut sum = 0;
        for _ in 0..steps {
            simulation.step().unwrap();
            sum += simulation.exchanges().unwrap();
        }
        sum as f64 / steps as f64
    };
    let falling = exchanges((0.3 / simulation.time_step()) as u64, &mut simulation);
    simulation.run((1.0 / simulation.time_step()) as u64).unwrap();
    let resting = exchanges(2000, &mut simulation);
    assert!(falling > 0.1, "{falling}");
    assert!(resting < 0.05 * falling && resting < 0.01, "{falling} exchanges per step, then {resting}");
    let steps = simulation.feature_steps() as f64 / simulation.candidate_count() as f64;
    assert!(steps < 1.6, "{steps} feature pairs per candidate at rest");
}

#[test]
fn grains_stay_in_a_drum_pass_a_hopper_and_follow_a_lid() {
    let material = PolygonMaterial::default();
    let grains = |count: usize, width: f64, bottom: f64| {
        let mut rng = Rng::new(1);
        let columns = (width / 0.022) as usize;
        let place = move |k: usize, rng: &mut Rng| {
            let x = (k % columns) as f64 * 0.022 - 0.5 * width + 0.011;
            random_grain(5, 0.01, at(x, bottom + (k / columns) as f64 * 0.022, 6.0 * rng.uniform()), rng)
        };
        (0..count).map(|k| place(k, &mut rng)).collect::<Vec<_>>()
    };
    let simulate = |walls: Vec<PolygonBody>, grains: Vec<PolygonBody>, time: f64| {
        let setup = PolygonSetup::new(material).gravity([0.0, -9.81]);
        let mut simulation = setup.build(walls.into_iter().chain(grains)).unwrap();
        simulation.run((time / simulation.time_step()) as u64).unwrap();
        simulation
    };
    let places = |simulation: &PolygonSimulation| {
        let grains = (0..simulation.len()).filter(|&k| !simulation.is_wall(k));
        grains.map(|k| simulation.body(k).frame().position()).collect::<Vec<_>>()
    };

    let turned = simulate(drum(0.15, 0.03, 40, 3.0).unwrap(), grains(60, 0.18, -0.08), 0.5);
    assert!(places(&turned).iter().all(|[x, y]| x.hypot(*y) < 0.15));
    assert!(places(&turned).iter().any(|&[x, y]| x > 0.03 && y > -0.1), "carried up on the right");

    let poured = simulate(hopper(0.1, 0.2, 1.0, 0.03).unwrap(), grains(60, 0.12, 0.15), 0.6);
    assert!(places(&poured).iter().filter(|[_, y]| *y < 0.0).count() > 20);

    let cell = shear_cell(0.2, 0.11, 0.02, 0.1).unwrap();
    let sheared = simulate(cell, grains(32, 0.176, 0.022), 0.4);
    assert!(places(&sheared).iter().all(|[x, y]| x.abs() < 0.1 && (0.0..0.11).contains(y)));
}

#[test]
fn bodies_that_are_driven_follow_their_drive_exactly() {
    let wall = PolygonBody::wall(ConvexPolygon::rectangle(1.0, 0.1).unwrap(), at(0.5, 0.0, 0.0));
    let drive = Drive { velocity: [0.2, 0.0], spin: 1.0, center: [0.0, 0.0] };
    let grain = PolygonBody::grain(ConvexPolygon::regular(5, 0.1).unwrap(), at(9.0, 9.0, 0.0));
    let setup = PolygonSetup::new(ELASTIC).time_step(1e-3);
    let mut simulation = setup.build([wall.driven(drive), grain]).unwrap();
    simulation.run(500).unwrap();
    let frame = simulation.body(0).frame();
    let expected = [0.1 + 0.5 * 0.5f64.cos(), 0.5 * 0.5f64.sin()];
    for (found, expected) in frame.position().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12);
    }
    assert!((frame.angle() - 0.5).abs() < 1e-12);
}

#[test]
fn bad_setups_are_named() {
    let grain = || PolygonBody::grain(ConvexPolygon::regular(5, 0.1).unwrap(), at(0.0, 0.0, 0.0));
    let build = |setup: PolygonSetup, body| setup.build([body]).err().expect("an error").to_string();
    let setup = || PolygonSetup::new(ELASTIC);
    assert_eq!(build(setup().time_step(-1.0), grain()), "time step is -1, must be positive and finite");
    assert_eq!(
        build(setup().gravity([0.0, f64::NAN]), grain()),
        "gravity along y is NaN, must be finite and below 1e100"
    );
    assert_eq!(build(setup(), grain().moving([f64::NAN, 0.0], 0.0)), "velocity of body 0 is NaN, must be finite");
    let wall = grain().driven(Drive::REST);
    assert!(build(setup(), wall).starts_with("no time step can be chosen: there are no grains"));
}

#[test]
fn a_time_step_that_is_no_number_is_refused_with_what_caused_it() {
    let shape = || ConvexPolygon::regular(5, 0.1).unwrap();
    // One that touches another: what a step worked out from it would be no number.
    let bodies = || [PolygonBody::grain(shape(), at(0.0, 0.0, 0.0)), PolygonBody::grain(shape(), at(0.15, 0.0, 0.0))];
    let material = PolygonMaterial { youngs_modulus: 5e-324, ..Default::default() };
    let error = PolygonSetup::new(material).build(bodies()).err().expect("it is refused").to_string();
    assert!(
        error
            .starts_with("duration of the shortest contact, with density 1e3 and Young's modulus 5e-324, is inf, must"),
        "{error}"
    );
    assert!(PolygonSetup::new(PolygonMaterial::default()).build(bodies()).is_ok());
}

#[test]
fn a_saved_simulation_goes_on_bit_for_bit() {
    for integrator in [PolygonIntegrator::Gear, PolygonIntegrator::Verlet] {
        let setup = PolygonSetup::new(PolygonMaterial::default()).gravity([0.0, -9.81]).integrator(integrator);
        let bodies = || heap(6, 5, 4).into_iter().chain(drum(0.3, 0.02, 12, 1.0).unwrap());
        let mut whole = setup.clone().build(bodies()).unwrap();
        whole.run(3000).unwrap();
        assert!(whole.contact_count() > 0);
        let saved = whole.encode();
        let mut resumed = setup.clone().resume(bodies(), &saved).unwrap();
        assert_eq!((resumed.steps(), resumed.contact_count()), (3000, whole.contact_count()));
        assert!(resumed.encode() == saved);
        assert!(resumed.contacts().eq(whole.contacts()));
        whole.run(700).unwrap();
        resumed.run(700).unwrap();
        assert!(whole.encode() == resumed.encode(), "{integrator:?}");
    }
}

#[test]
fn saved_bytes_of_something_else_are_refused() {
    let setup = PolygonSetup::new(PolygonMaterial::default());
    let saved = setup.clone().build(heap(2, 2, 1)).unwrap().encode();
    let problem = |setup: PolygonSetup, seed: u64, bytes: &[u8]| {
        setup.resume(heap(2, 2, seed), bytes).err().expect("an error").to_string()
    };
    assert!(problem(setup.clone(), 2, &saved).contains("other bodies"));
    assert!(problem(setup.clone().gravity([0.0, -1.0]), 1, &saved).contains("other bodies, material, gravity"));
    assert!(problem(setup.clone(), 1, &saved[..40]).contains("checksum"));
    assert!(problem(setup.clone(), 1, b"short").contains("too short"));
    let mut changed = saved.clone();
    changed[60] ^= 1;
    assert!(problem(setup, 1, &changed).contains("checksum"));
}

#[test]
fn a_lost_polygon_is_the_first_one_and_told_where_it_was_last() {
    let square = ConvexPolygon::rectangle(1.0, 1.0).unwrap();
    // Two fly too far in their second step, in different blocks.
    let speed = |k: usize| if [310, 700].contains(&k) { 0.6e150 } else { 1.0 };
    let body =
        |k: usize| PolygonBody::grain(square.clone(), at(0.0, 10.0 * k as f64, 0.0)).moving([speed(k), 0.0], 0.0);
    let lost = |count: usize| {
        let mut simulation = PolygonSetup::new(ELASTIC).time_step(1.0).build((0..1000).map(body)).unwrap();
        let error = threads(count).install(|| simulation.run(5)).unwrap_err();
        (error, simulation.fingerprint())
    };
    let (error, fingerprint) = lost(1);
    let position = vec![0.6e150, 3100.0];
    assert_eq!(error, Error::Lost { id: 310, step: 2, position, cause: Cause::TooFar });
    assert_eq!(lost(4), (error, fingerprint));
}
