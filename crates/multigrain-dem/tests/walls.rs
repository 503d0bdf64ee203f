//! Walls that are shaken, follow tables, are steered by servos, wear off, are closed, or made of meshes.

use multigrain::Rng;
use multigrain_dem::{
    ContactLaw, Drive, Grain, Material, Oscillation, Servo, Setup, Simulation, Skin, TimeStep, TimeTable, Wall,
};
use multigrain_meshes::Surface;
use multigrain_methods::Method;
use std::f64::consts::TAU;

fn floor() -> Wall<2> {
    Wall::plane([0.0, 0.0], [0.0, 1.0])
}

/// A ball without bounce leaves a shaken floor when this falls faster than it, and flies.
#[test]
fn a_ball_leaves_a_shaken_floor_when_gravity_says_so() {
    let (amplitude, frequency, gravity) = (2e-3, 25.0, 9.81);
    let omega = TAU * frequency;
    let shaken = floor().driven(Drive::Oscillating(Oscillation::along([0.0, amplitude], frequency)));
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e6).restitution(0.05)))
        .wall(shaken)
        .gravity([0.0, -gravity])
        .build([Grain::at([0.0, 0.01], 0.01)])
        .unwrap();
    let mut highest: f64 = 0.0;
    // Up to the top of the first flight.
    while simulation.time() < 0.6 / frequency {
        simulation.step().unwrap();
        highest = highest.max(simulation.state().positions()[0][1] - 0.01);
        let shift = simulation.wall_shifts()[0][1];
        assert!((shift - amplitude * (omega * simulation.time()).sin()).abs() < 1e-15);
    }
    let sine = gravity / (amplitude * omega * omega);
    let speed = amplitude * omega * (1.0 - sine * sine).sqrt();
    let expected = amplitude * sine + speed * speed / (2.0 * gravity);
    assert!((highest / expected - 1.0).abs() < 0.01, "{highest} {expected}");
}

#[test]
fn a_ball_rides_on_a_wall_that_follows_a_table() {
    let table = TimeTable::new(vec![0.1, 0.3, 0.4], vec![[0.0, 0.0], [0.0, 0.02], [0.0, 0.02]]).unwrap();
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e6).restitution(0.1)))
        .wall(floor().driven(Drive::Table(table.into())))
        .gravity([0.0, -9.81])
        .build([Grain::at([0.0, 0.01], 0.01)])
        .unwrap();
    simulation.run_until(0.25).unwrap();
    let (way, height) = (simulation.wall_shifts()[0][1], simulation.state().positions()[0][1]);
    assert!((way - 0.1 * (simulation.time() - 0.1)).abs() < 1e-12, "{way}");
    assert!((height - way - 0.01).abs() < 1e-5, "{height}");
    assert!((simulation.state().velocities()[0][1] - 0.1).abs() < 1e-3);
    simulation.run_until(0.6).unwrap();
    assert!((simulation.state().positions()[0][1] - 0.03).abs() < 1e-5);
}

/// Discs in a box under a lid that a servo presses down.
fn pressed(servo: Servo<2>) -> (Setup<2>, Vec<Grain<2>>) {
    let mut rng = Rng::new(4);
    let grains = (0..80).map(|k| {
        Grain::at([0.011 + 0.022 * f64::from(k % 8), 0.011 + 0.022 * f64::from(k / 8)], 0.009 + 0.001 * rng.uniform())
    });
    let setup = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.3).friction(0.3)))
        .wall(Wall::inside_box([0.0, 0.0], [0.176, 1.0]))
        .wall(Wall::plane([0.0, 0.23], [0.0, -1.0]).driven(Drive::Servo(servo)))
        .gravity([0.0, -9.81]);
    (setup, grains.collect())
}

#[test]
fn a_servo_reaches_its_force_and_comes_to_rest() {
    for gain in [None, Some(1e6)] {
        let (setup, grains) = pressed(Servo { gain, ..Servo::new([0.0, -2.0], 40.0, 0.5) });
        let mut simulation = setup.build(grains).unwrap();
        simulation.run_until(0.8).unwrap();
        let force = simulation.wall_forces()[1][1];
        assert!((force - 40.0).abs() < 0.04, "{gain:?}: {force}");
        let before = simulation.wall_shifts()[1];
        simulation.run_until(0.9).unwrap();
        let after = simulation.wall_shifts()[1];
        assert!(before[0] == 0.0 && before[1] < -0.005 && (after[1] - before[1]).abs() < 1e-5, "{before:?} {after:?}");
    }
}

#[test]
fn what_a_servo_has_done_survives_other_changes_and_it_takes_another_force() {
    let (setup, grains) = pressed(Servo::new([0.0, -1.0], 40.0, 0.5));
    let mut simulation = setup.build(grains.clone()).unwrap();
    simulation.run_until(0.4).unwrap();
    let before = simulation.wall_shifts();
    simulation.set_gravity([0.0, -5.0]).unwrap();
    simulation.set_walls(simulation.walls()).unwrap();
    assert_eq!(simulation.wall_shifts(), before);
    let (other, _) = pressed(Servo::new([0.0, -1.0], 80.0, 0.5));
    let bytes = simulation.encode();
    let mut resumed = other.gravity([0.0, -5.0]).resume_changed(&mut std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(resumed.wall_shifts(), before);
    assert!(resumed.changes()[0].contains("force 4e1"), "{:?}", resumed.changes());
    resumed.run_until(1.0).unwrap();
    let force = resumed.wall_forces()[1][1];
    assert!((force - 80.0).abs() < 0.1, "{force}");
}

/// A ball that is held in the floor and drawn along it: the force is that of its overlap.
#[test]
fn wear_is_that_of_archard() {
    let (stiffness, depth, speed) = (1e4, 1e-4, 0.2);
    let mesh = Surface::polyline(vec![[-1.0, 0.0], [0.01, 0.0], [1.0, 0.0]], false).unwrap().0;
    for wall in [floor(), Wall::mesh(mesh)] {
        let mut simulation = Setup::new()
            .material(Material::new(1000.0, ContactLaw::linear(stiffness).friction(0.3)))
            .wall(wall.wearing(0.02, 5e8))
            .time_step(TimeStep::Given(1e-5))
            .build([Grain::at([0.0, 0.01 - depth], 0.01).velocity([speed, 0.0]).held()])
            .unwrap();
        simulation.run(10_000).unwrap();
        let expected = 0.02 / 5e8 * stiffness * depth * speed * simulation.time();
        let worn = simulation.wall_wear()[0];
        assert!((worn / expected - 1.0).abs() < 1e-9, "{worn} {expected}");
        let faces = simulation.face_wear(0);
        assert!((faces.iter().sum::<f64>() / expected - 1.0).abs() < 1e-9);
        assert!(faces.len() == 1 || (faces[0] / expected - 0.5).abs() < 1e-3, "half of the way is on the first face");
    }
}

#[test]
fn closed_cylinders_and_cones_are_touched_once_at_rims_and_twice_in_corners() {
    let touches = |wall: Wall<3>, x: [f64; 3]| {
        let setup = Setup::new().material(Material::new(1.0, ContactLaw::linear(1.0))).wall(wall);
        let simulation = setup.time_step(TimeStep::Given(1e-3)).build([Grain::at(x, 0.3)]).unwrap();
        simulation.wall_contacts().iter().map(|touch| (touch.normal, touch.overlap)).collect::<Vec<_>>()
    };
    let can = || Wall::closed_cone([[0.0; 3], [0.0, 0.0, 2.0]], [1.0, 1.0], [true, true]);
    assert_eq!(touches(can(), [0.0, 0.0, 1.0]), []);
    assert_eq!(touches(can(), [0.8, 0.0, 0.2]).len(), 2, "inside, in a corner");
    let over = touches(can(), [0.5, 0.2, 2.25]);
    assert!(over.len() == 1 && over[0].0 == [0.0, 0.0, -1.0] && (over[0].1 - 0.05).abs() < 1e-12, "{over:?}");
    let rim = touches(can(), [1.1, 0.0, 2.1]);
    assert_eq!(rim.len(), 1, "{rim:?}");
    assert!((rim[0].1 - (0.3 - 0.02f64.sqrt())).abs() < 1e-12);
    let hat = Wall::closed_cone([[0.0; 3], [0.0, 0.0, 1.0]], [1.0, 0.0], [true, false]);
    let tip = touches(hat, [0.0, 0.0, 1.2]);
    assert!(tip.len() == 1 && tip[0].0 == [0.0, 0.0, -1.0] && (tip[0].1 - 0.1).abs() < 1e-12, "{tip:?}");
}

/// A box of triangles that is shaken and swung, a blade of a mesh that turns, a lid on a servo, and wear.
fn mixer(count: usize) -> (Setup<3>, Vec<Grain<3>>) {
    let side = (count as f64).cbrt().ceil();
    let width = 0.024 * side;
    let mut rng = Rng::new(9);
    let place = |k: usize| [k % side as usize, k / side as usize % side as usize, k / (side * side) as usize];
    let grains = (0..count).map(|k| {
        let at = place(k).map(|cell| 0.012 + 0.024 * cell as f64);
        let mut draw = || rng.uniform() - 0.5;
        let velocity = [draw(), draw(), draw()];
        Grain::at(at, 0.009 + 0.002 * draw()).velocity(velocity)
    });
    let grains: Vec<Grain<3>> = grains.collect();
    let corners = (0..8).map(|k: usize| [0, 1, 2].map(|axis| width * (k >> axis & 1) as f64)).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let tub = Surface::new(corners, sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])).unwrap().0;
    let blade =
        vec![[0.2 * width, 0.5 * width, 0.0], [0.8 * width, 0.5 * width, 0.0], [0.5 * width, 0.5 * width, 0.4 * width]];
    let middle = [0.5 * width; 3];
    let shaken =
        Drive::Oscillating(Oscillation { swing: [0.0, 0.02, 0.0], ..Oscillation::along([0.002, 0.0, 0.001], 40.0) });
    let setup = Setup::new()
        .material(Material::new(2500.0, ContactLaw::linear(1e4).restitution(0.5).friction(0.4)))
        .wall(Wall { about: middle, ..Wall::mesh(tub).driven(shaken).wearing(0.01, 1e9) })
        .wall(Wall::mesh(Surface::new(blade, [[0, 1, 2]]).unwrap().0).turning([0.0, 0.0, 9.0], middle).moving())
        .wall(Wall::plane([0.0, 0.0, width], [0.0, 0.0, -1.0]).driven(Drive::Servo(Servo::new(
            [0.0, 0.0, -1.0],
            0.5,
            0.3,
        ))))
        .gravity([0.0, 0.0, -9.81]);
    (setup, grains)
}

fn bytes_after(setup: Setup<3>, grains: &[Grain<3>], steps: u64) -> Vec<u8> {
    let mut simulation: Simulation<3> = setup.build(grains.to_vec()).unwrap();
    simulation.run(steps).unwrap();
    assert!(simulation.wall_contacts().len() > 20);
    simulation.encode()
}

#[test]
fn meshes_servos_and_wear_have_the_same_bits_however_contacts_are_found() {
    let (setup, grains) = mixer(216);
    let expected = bytes_after(setup.clone(), &grains, 150);
    for &method in Method::ALL {
        let skin = if method == Method::ALL[0] { Skin::None } else { Skin::Chosen };
        assert!(bytes_after(setup.clone().method(method).skin(skin), &grains, 150) == expected, "{}", method.name());
    }
}

#[test]
fn meshes_servos_and_wear_have_the_same_bits_on_any_number_of_threads() {
    let (setup, grains) = mixer(5000);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes_after(setup.clone().skin(Skin::Chosen), &grains, 60))
    };
    let one = on(1);
    assert!([2, 3, 8].iter().all(|&threads| on(threads) == one));
}

#[test]
fn a_run_with_meshes_servos_and_wear_resumes_bit_for_bit() {
    let (setup, grains) = mixer(216);
    let expected = bytes_after(setup.clone(), &grains, 150);
    for before in [0, 1, 77] {
        let mut simulation = setup.clone().build(grains.clone()).unwrap();
        simulation.run(before).unwrap();
        let bytes = simulation.encode();
        let mut resumed = setup.clone().method(Method::LinkedCell).skin(Skin::Chosen).resume(&bytes).unwrap();
        assert!(resumed.encode() == bytes);
        resumed.run(150 - before).unwrap();
        assert!(resumed.encode() == expected, "{before}");
    }
}

#[test]
fn walls_that_cannot_move_as_asked_are_refused() {
    let error = |wall: Wall<2>| {
        let setup = Setup::new().material(Material::new(1.0, ContactLaw::linear(1.0))).wall(wall);
        setup.time_step(TimeStep::Given(1.0)).build([]).err().unwrap().to_string()
    };
    let servo = Servo::new([0.0, 0.0], 1.0, 1.0);
    assert!(error(floor().driven(Drive::Servo(servo))).contains("needs a direction"));
    assert!(error(floor().driven(Drive::Servo(Servo::new([0.0, 1.0], 0.0, 1.0)))).contains("needs a gain"));
    assert!(error(floor().driven(Drive::Servo(Servo::new([0.0, 1.0], 1.0, 0.0)))).contains("largest speed"));
    let still = Oscillation::along([0.0, 1.0], 0.0);
    assert!(error(floor().driven(Drive::Oscillating(still))).contains("positive frequency"));
    assert!(error(floor().wearing(-1.0, 1.0)).contains("coefficient"));
    let swinging = Drive::Oscillating(Oscillation { swing: [0.0, 0.0, 0.1], ..Oscillation::along([0.0; 2], 1.0) });
    assert!(error(Wall::inside_box([0.0; 2], [1.0; 2]).driven(swinging)).contains("a box that turns"));
}
