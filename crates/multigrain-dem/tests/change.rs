//! Changes to a running simulation, and that nothing else changes with them.

use multigrain::Domain;
use multigrain_dem::{ContactLaw, Error, Grain, Material, Setup, Simulation, TimeStep, Wall};

const FRICTION: ContactLaw = ContactLaw::linear(1e4).restitution(0.5).friction(0.5);

fn floor() -> Wall<2> {
    Wall::plane([0.0; 2], [0.0, 1.0])
}

/// Grains that settled on a floor, periodic in x, some sliding and turning.
fn heap(law: ContactLaw) -> Simulation<2> {
    let grain = |k: i32| {
        Grain::at([f64::from(k % 20) * 0.5, 0.24 + f64::from(k / 20) * 0.48], 0.26)
            .velocity([f64::from(k % 7) - 3.0, 0.0])
    };
    let mut simulation = Setup::new()
        .material(Material::new(1.0, law))
        .domain(Domain::new([0.0; 2], [10.0; 2], [true, false]).unwrap())
        .wall(floor())
        .wall(Wall::plane([0.0, 9.0], [0.0, -1.0]))
        .gravity([0.0, -10.0])
        .build((0..200).map(grain))
        .unwrap();
    simulation.run(6000).unwrap();
    simulation
}

/// Tangential springs of grains and of walls.
fn springs(simulation: &Simulation<2>) -> Vec<[f64; 2]> {
    let mut all: Vec<[f64; 2]> = simulation.contacts().iter().map(|contact| contact.spring).collect();
    all.extend(simulation.wall_contacts().iter().map(|touch| touch.spring));
    all
}

fn assert_close(a: &[[f64; 2]], b: &[[f64; 2]]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }
}

/// That all contacts are still there, and that those that stick, below the limit of friction, keep their springs, turned into the
/// contact plane of this moment; contacts that slide, or part so fast that they pull, follow what pushes them now. The springs now.
fn kept(simulation: &Simulation<2>, before: &[[f64; 2]], friction: f64) -> Vec<[f64; 2]> {
    let now = springs(simulation);
    assert_eq!(now.len(), before.len());
    let grains = simulation.contacts().into_iter().map(|contact| (contact.force, contact.normal));
    let walls = simulation.wall_contacts().into_iter().map(|touch| (touch.force, touch.normal.map(|x| -x)));
    let mut sticking = 0;
    for (k, (force, normal)) in grains.chain(walls).enumerate() {
        let across = force[0] * normal[0] + force[1] * normal[1];
        let along = (force[0] * normal[1] - force[1] * normal[0]).abs();
        if across > 0.0 && along < 0.99 * friction * across {
            let ([a, b], [c, d]) = (now[k], before[k]);
            assert!((a - c).hypot(b - d) <= 1e-3 * c.hypot(d), "{:?} {:?}", now[k], before[k]);
            sticking += 1;
        }
    }
    assert!(sticking > 20, "{sticking}");
    now
}

#[test]
fn setting_the_same_again_changes_nothing() {
    let (mut told, mut left) = (heap(ContactLaw::linear(1e4)), heap(ContactLaw::linear(1e4)));
    told.set_gravity([0.0, -10.0]).unwrap();
    told.set_walls(told.walls()).unwrap();
    told.set_materials(vec![Material::new(1.0, ContactLaw::linear(1e4))], Vec::new()).unwrap();
    let (velocities, held) = (by_id(&told, told.state().velocities()), vec![false; 200]);
    told.set_velocities(&velocities).unwrap();
    told.set_held(&held).unwrap();
    told.run(200).unwrap();
    left.run(200).unwrap();
    assert_eq!(told.encode(), left.encode());
}

fn by_id<T: Copy>(simulation: &Simulation<2>, column: &[T]) -> Vec<T> {
    simulation.state().places_by_id().into_iter().map(|place| column[place as usize]).collect()
}

#[test]
fn springs_and_spins_outlast_new_walls_gravity_laws_and_positions() {
    let mut simulation = heap(FRICTION);
    let (before, spins) = (springs(&simulation), by_id(&simulation, simulation.state().spins()));
    let stretched = before.iter().filter(|&&spring| spring != [0.0; 2]).count();
    let at_floor = simulation.wall_contacts().iter().filter(|touch| touch.spring != [0.0; 2]).count();
    assert!(stretched > 40 && at_floor > 3, "{stretched} of {}, {at_floor}", before.len());
    simulation.set_gravity([0.3, -12.0]).unwrap();
    let before = kept(&simulation, &before, 0.5);
    // The floor gets another number, and a lid that moves comes.
    let lid = Wall::plane([0.0, 8.0], [0.0, -1.0]).carrying([0.5, -0.1]).moving();
    simulation.set_walls(vec![lid, floor()]).unwrap();
    let before = kept(&simulation, &before, 0.5);
    assert!(simulation.wall_contacts().iter().all(|touch| touch.wall == 1));
    // A floor of the same shape that carries takes the place of the first.
    let walls = vec![simulation.walls().remove(0), floor().carrying([1.0, 0.0])];
    simulation.set_walls(walls).unwrap();
    let before = kept(&simulation, &before, 0.5);
    let positions = by_id(&simulation, simulation.state().positions());
    let a_period_away: Vec<[f64; 2]> = positions.iter().map(|&[x, y]| [x + 20.0, y]).collect();
    simulation.set_positions(&a_period_away).unwrap();
    let before = kept(&simulation, &before, 0.5);
    let harder = ContactLaw::linear(2e4).restitution(0.5).friction(0.9);
    simulation.set_materials(vec![Material::new(1.0, harder)], Vec::new()).unwrap();
    kept(&simulation, &before, 0.9);
    assert_eq!(by_id(&simulation, simulation.state().spins()), spins);
    simulation.run(50).unwrap();
}

#[test]
fn walls_that_move_begin_where_they_are_given() {
    let mut simulation = heap(FRICTION);
    let lid = Wall::plane([0.0, 8.0], [0.0, -1.0]).carrying([0.0, -0.5]).moving();
    simulation.set_walls(vec![floor(), lid.clone()]).unwrap();
    let height = |simulation: &Simulation<2>| match simulation.walls()[1].shape {
        multigrain_dem::Shape::Plane { point, .. } => point[1],
        _ => panic!("it stays a plane"),
    };
    assert!((height(&simulation) - 8.0).abs() < 1e-12);
    let then = simulation.time();
    simulation.run(100).unwrap();
    assert!((height(&simulation) - 8.0 + 0.5 * (simulation.time() - then)).abs() < 1e-12);
    let bytes = simulation.encode();
    let mut resumed = simulation.setup().clone().resume(&bytes).unwrap();
    resumed.run(50).unwrap();
    simulation.run(50).unwrap();
    assert_eq!(simulation.state(), resumed.state());
}

#[test]
fn forces_of_ones_own_act_as_gravity_does() {
    let drop = |gravity| {
        Setup::new()
            .material(Material::new(2.0, FRICTION))
            .wall(floor())
            .gravity(gravity)
            .build([Grain::at([0.0, 1.5], 0.5).velocity([1.0, 0.0]), Grain::at([3.0, 2.5], 0.25)])
    };
    let mut pulled = drop([0.0, -3.0]).unwrap();
    let mut pushed = drop([0.0, 0.0]).unwrap();
    pushed
        .set_own_forces(Some(Box::new(|_, state, forces, _| {
            for (force, &mass) in forces.iter_mut().zip(state.masses()) {
                force[1] -= 3.0 * mass;
            }
            Ok(())
        })))
        .unwrap();
    for _ in 0..5 {
        pulled.run(400).unwrap();
        pushed.run(400).unwrap();
        assert_close(pulled.state().positions(), pushed.state().positions());
        assert_close(pulled.state().forces(), pushed.state().forces());
    }
    pushed.set_own_forces(Some(Box::new(|_, _, _, _| Err("no".to_owned())))).unwrap_err();
    assert_eq!(pushed.step().unwrap_err().to_string(), "forces of one's own: no");
    pushed.set_own_forces(None).unwrap();
    pushed.step().unwrap();
}

#[test]
fn a_spring_of_ones_own_swings_with_second_order() {
    // Period 2 pi; after one of them a second-order method is off by dt squared.
    let error = |steps: u32| {
        let dt = std::f64::consts::TAU / f64::from(steps);
        let mut simulation = Setup::<2>::new()
            .material(Material::new(1.0, ContactLaw::linear(1.0)))
            .time_step(multigrain_dem::TimeStep::Given(dt))
            .build([Grain::at([1.0, 0.0], 0.1)])
            .unwrap();
        let spring = move |_, state: &multigrain_dem::State<2>, forces: &mut [[f64; 2]], _: &mut [[f64; 3]]| {
            forces[0][0] -= state.masses()[0] * state.positions()[0][0];
            Ok(())
        };
        simulation.set_own_forces(Some(Box::new(spring))).unwrap();
        simulation.run(u64::from(steps)).unwrap();
        let ([x, _], [v, _]) = (simulation.state().positions()[0], simulation.state().velocities()[0]);
        (x - 1.0).hypot(v)
    };
    let order = (error(100) / error(200)).log2();
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn held_grains_stay_and_are_let_go() {
    let mut simulation = heap(FRICTION);
    let held: Vec<bool> = (0..200).map(|id| id == 150).collect();
    let velocities = vec![[0.0; 2]; 200];
    simulation.set_velocities(&velocities).unwrap();
    simulation.set_held(&held).unwrap();
    let there = by_id(&simulation, simulation.state().positions())[150];
    simulation.run(100).unwrap();
    assert_eq!(by_id(&simulation, simulation.state().positions())[150], there);
    simulation.set_held(&[false; 200]).unwrap();
    simulation.run(100).unwrap();
    assert_ne!(by_id(&simulation, simulation.state().positions())[150], there);
}

#[test]
fn materials_of_grains_decide_masses() {
    let mut simulation = heap(FRICTION);
    let mass = simulation.state().masses()[0];
    simulation.set_materials(vec![Material::new(1.0, FRICTION), Material::new(3.0, FRICTION)], Vec::new()).unwrap();
    let every_second: Vec<u16> = (0..200).map(|id| id % 2).collect();
    simulation.set_materials_of_particles(&every_second).unwrap();
    let masses = by_id(&simulation, simulation.state().masses());
    assert!(masses[0] == mass && (masses[1] - 3.0 * mass).abs() < 1e-12);
    simulation.run(10).unwrap();
}

/// Grains, walls included, are pushed by the laws that there are now, also where there were fewer when the run began.
#[test]
fn laws_that_come_later_act_as_those_of_the_beginning() {
    let stiff = |factor: f64| Material::new(1.0, ContactLaw::linear(1e4 * factor).restitution(0.5).friction(0.3));
    let run = |first: Vec<Material>, then: Vec<Material>, material: u16| {
        let grain = |k: i32| Grain::at([f64::from(k % 5) * 0.48, 0.24 + f64::from(k / 5) * 0.47], 0.26);
        let mut setup = Setup::new().wall(floor()).gravity([0.0, -10.0]).time_step(TimeStep::Given(1e-4));
        for material in first {
            setup = setup.material(material);
        }
        let mut simulation = setup.build((0..25).map(grain)).unwrap();
        simulation.run(20).unwrap();
        simulation.set_materials(then, Vec::new()).unwrap();
        let materials: Vec<u16> = (0..25).map(|id| if id % 2 == 0 { material } else { 0 }).collect();
        simulation.set_materials_of_particles(&materials).unwrap();
        simulation.run(50).unwrap();
        by_id(&simulation, simulation.state().velocities())
    };
    let [soft, hard, harder] = [1.0, 4.0, 9.0].map(stiff);
    let all = || vec![soft, hard, harder];
    for material in [1, 2] {
        let expected = run(all(), all(), material);
        assert!(run(vec![soft], all(), material) == expected, "one law, then three");
        assert!(run(vec![soft, hard], all(), material) == expected, "two laws, then three");
        assert!(run(all(), all(), 0) != expected);
    }
}

#[test]
fn the_torque_on_a_wall_is_that_of_its_contacts() {
    // One grain presses on a plate 2 to the right of the point that the plate turns about.
    let plate = Wall::plate(vec![[-3.0, 0.0], [3.0, 0.0]]).turning([0.0; 3], [0.0, 0.0]);
    let mut simulation = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(1e4).restitution(0.1)))
        .wall(plate)
        .gravity([0.0, -1.0])
        .build([Grain::at([2.0, 0.5], 0.5)])
        .unwrap();
    simulation.run(5000).unwrap();
    let weight = simulation.state().masses()[0];
    assert!((simulation.wall_forces()[0][1] + weight).abs() < 1e-6);
    assert!((simulation.wall_torques()[0][2] + 2.0 * weight).abs() < 1e-6);
}

#[test]
fn grains_behind_walls_are_named() {
    let law = ContactLaw::linear(1e4);
    let simulation = Setup::new()
        .material(Material::new(1.0, law))
        .wall(Wall::inside_box([0.0; 3], [1.0; 3]))
        .wall(Wall::cylinder([0.5, 0.5, 0.0], [0.0, 0.0, 2.0], 0.4))
        .build([Grain::at([0.5, 0.5, 0.5], 0.1), Grain::at([0.05, 0.5, 0.5], 0.1), Grain::at([4.0, 0.5, 0.5], 0.1)])
        .unwrap();
    assert_eq!(simulation.behind_walls(), [(1, 1), (2, 0), (2, 1)]);
}

#[test]
fn what_should_be_said_is_said() {
    let law = ContactLaw::linear(1e4);
    let build = |dt: f64, second: [f64; 2]| {
        let setup = Setup::new().material(Material::new(1.0, law)).wall(Wall::inside_box([0.0; 2], [4.0; 2]));
        let grains = [Grain::at([1.0, 1.0], 0.5), Grain::at(second, 0.5)];
        setup.time_step(multigrain_dem::TimeStep::Given(dt)).build(grains).unwrap()
    };
    let quiet = build(1e-4, [3.0, 1.0]);
    assert_eq!((quiet.concern_of_step(), quiet.concern_of_overlaps(), quiet.concern_of_walls()), (None, None, None));
    assert!(build(1e-2, [3.0, 1.0]).concern_of_step().unwrap().contains("more than a"));
    let words = build(1e-4, [1.6, 1.0]).concern_of_overlaps().unwrap();
    assert!(words.starts_with("grain 0 and grain 1 overlap by 80 %"), "{words}");
    let words = build(1e-4, [9.0, 1.0]).concern_of_walls().unwrap();
    assert!(words.starts_with("grain 1 has its center behind wall 0: "), "{words}");
}

#[test]
fn mistakes_change_nothing() {
    let mut simulation = heap(FRICTION);
    let before = simulation.encode();
    assert!(matches!(simulation.set_walls(vec![Wall::plane([0.0; 2], [0.0; 2])]), Err(Error::Wall { .. })));
    assert!(simulation.set_gravity([f64::NAN, 0.0]).is_err());
    assert!(simulation.set_materials(Vec::new(), Vec::new()).is_err());
    assert!(simulation.set_materials_of_particles(&[1; 200]).is_err());
    assert!(simulation.set_velocities(&[[f64::INFINITY, 0.0]; 200]).is_err());
    assert_eq!(
        simulation.set_positions(&[[0.0; 2]; 3]).unwrap_err().to_string(),
        "positions has 3 entries, must have one for each of 200 grains"
    );
    assert!(simulation.set_positions(&[[f64::NAN; 2]; 200]).is_err());
    assert_eq!(simulation.encode(), before);
}
