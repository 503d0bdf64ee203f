//! Motion under gravity and friction whose outcome is known from formulas.

use multigrain_dem::{ContactLaw, Grain, Integrator, Material, Setup, TimeStep, Wall};

/// A ball that slides on a floor is slowed by friction and spun up, until it rolls with 5/7 of its first speed; a disc
/// with 2/3.
#[test]
fn a_sliding_ball_comes_to_roll_with_five_sevenths_of_its_speed() {
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let setup = Setup::new()
            .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.3).friction(0.3)))
            .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
            .gravity([0.0, 0.0, -9.81])
            .integrator(integrator);
        let mut simulation = setup.build([Grain::at([0.0, 0.0, 0.01], 0.01).velocity([1.0, 0.0, 0.0])]).unwrap();
        // It rolls after 2/7 v / (mu g), here 0.097.
        simulation.run_until(0.05).unwrap();
        let sliding = simulation.state().velocities()[0][0];
        assert!((sliding - (1.0 - 0.3 * 9.81 * simulation.time())).abs() < 2e-3, "{integrator:?}: {sliding}");
        simulation.run_until(0.3).unwrap();
        let (velocity, spin) = (simulation.state().velocities()[0][0], simulation.state().spins()[0][1]);
        assert!((velocity - 5.0 / 7.0).abs() < 1e-3, "{integrator:?}: rolls with {velocity}");
        assert!((velocity - 0.01 * spin).abs() < 1e-3, "{integrator:?}: spin {spin}");
    }
}

#[test]
fn a_sliding_disc_comes_to_roll_with_two_thirds_of_its_speed() {
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e7).restitution(0.3).friction(0.3)))
        .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
        .gravity([0.0, -9.81])
        .build([Grain::at([0.0, 0.01], 0.01).velocity([1.0, 0.0])])
        .unwrap();
    simulation.run_until(0.3).unwrap();
    let (velocity, spin) = (simulation.state().velocities()[0][0], simulation.state().spins()[0][2]);
    assert!((velocity - 2.0 / 3.0).abs() < 1e-3 && (velocity + 0.01 * spin).abs() < 1e-3, "{velocity} {spin}");
}

/// Each bounce leaves the restitution of the speed, so heights shrink with its square.
#[test]
fn a_bouncing_ball_rises_to_the_square_of_its_restitution() {
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let mut simulation = Setup::new()
            .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.8)))
            .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
            .gravity([0.0, 0.0, -9.81])
            .integrator(integrator)
            .build([Grain::at([0.0, 0.0, 0.51], 0.01)])
            .unwrap();
        let (mut tops, mut rising) = (Vec::new(), false);
        while tops.len() < 3 {
            simulation.step().unwrap();
            let (height, speed) = (simulation.state().positions()[0][2] - 0.01, simulation.state().velocities()[0][2]);
            if rising && speed <= 0.0 {
                tops.push(height);
            }
            rising = speed > 0.0;
        }
        for (k, top) in tops.iter().enumerate() {
            let expected = 0.5 * 0.64f64.powi(k as i32 + 1);
            assert!((top / expected - 1.0).abs() < 0.02, "{integrator:?}: bounce {k} rises to {top}, not {expected}");
        }
    }
}

#[test]
fn a_grain_at_rest_sinks_in_until_the_floor_carries_it() {
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e4).restitution(0.1)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([0.0, 0.0, -9.81])
        .build([Grain::at([0.0, 0.0, 0.01], 0.01)])
        .unwrap();
    simulation.run_until(0.2).unwrap();
    let touch = simulation.wall_contacts()[0];
    let weight = simulation.state().masses()[0] * 9.81;
    assert!((touch.overlap / (weight / 1e4) - 1.0).abs() < 1e-6 && (touch.force[2] / weight - 1.0).abs() < 1e-6);
}

/// On a slope below the angle of friction a block would stay; a ball rolls with 5/7 of the pull along the slope.
#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_the_pull() {
    let (sine, cosine) = (0.28, 0.96);
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.3).friction(0.8)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([9.81 * sine, 0.0, -9.81 * cosine])
        .build([Grain::at([0.0, 0.0, 0.01], 0.01)])
        .unwrap();
    simulation.run_until(0.5).unwrap();
    let velocity = simulation.state().velocities()[0][0];
    let expected = 5.0 / 7.0 * 9.81 * sine * simulation.time();
    assert!((velocity / expected - 1.0).abs() < 2e-3, "{velocity} {expected}");
}

/// A turning drum, whose friction carries a grain up its side until it slides or rolls back; a grain in free space on its
/// wall comes to turn with it.
#[test]
fn a_turning_drum_sets_a_grain_rolling() {
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.3).friction(0.5)))
        .wall(Wall::cylinder([0.0; 2], [0.0; 2], 0.1).turning([0.0, 0.0, 3.0], [0.0; 2]))
        .gravity([0.0, -9.81])
        .build([Grain::at([0.0, -0.09], 0.01)])
        .unwrap();
    simulation.run_until(0.6).unwrap();
    let (x, spin) = (simulation.state().positions()[0], simulation.state().spins()[0][2]);
    assert!((x[0].hypot(x[1]) - 0.09).abs() < 1e-4);
    let velocity = simulation.state().velocities()[0];
    // Surfaces move together: drum 0.3 along the wall, the grain's own motion and its spin make the same.
    let along = (velocity[0] * -x[1] + velocity[1] * x[0]) / x[0].hypot(x[1]);
    assert!((along + 0.01 * spin - 0.3).abs() < 0.01, "{along} {spin}");
    assert!(spin > 20.0);
}

#[test]
fn a_belt_carries_a_grain_along() {
    let belt = Wall::plate(vec![[-10.0, 0.0], [10.0, 0.0]]).carrying([0.5, 0.0]);
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e5).restitution(0.3).friction(0.5)))
        .wall(belt)
        .gravity([0.0, -9.81])
        .time_step(TimeStep::Fraction(0.02))
        .build([Grain::at([0.0, 0.01], 0.01)])
        .unwrap();
    simulation.run_until(0.5).unwrap();
    let (velocity, spin) = (simulation.state().velocities()[0][0], simulation.state().spins()[0][2]);
    assert!((velocity - 0.5 / 3.0).abs() < 2e-3, "{velocity}");
    assert!((velocity + 0.01 * spin - 0.5).abs() < 2e-3, "{spin}");
}
