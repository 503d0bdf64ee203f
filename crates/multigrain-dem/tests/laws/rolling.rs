//! From slipping to rolling, resistance to rolling, twisting.

use super::{G, near, on_floor, resting, within};
use multigrain_dem::{ContactLaw, Grain, Material, Resistance, Setup, Simulation, TimeStep, Wall};

const STIFFNESS: f64 = 1e5;

fn rough() -> ContactLaw {
    ContactLaw::linear(STIFFNESS).restitution(0.5).friction(0.5)
}

fn run(mut simulation: Simulation<3>, time: f64) -> Simulation<3> {
    simulation.run_until(time).unwrap();
    simulation
}

/// A ball that slips is slowed down until it rolls, with 5/7 of its speed, after `2 v / (7 mu g)`.
#[test]
fn a_ball_that_slips_comes_to_roll() {
    let slipping = on_floor(rough(), resting(STIFFNESS).velocity([1.0, 0.0, 0.0]), 0.0);
    let ends = 2.0 / (7.0 * 0.5 * G);
    let halfway = run(slipping, 0.5 * ends);
    let (velocity, spin) = (halfway.state().velocities()[0][0], halfway.state().spins()[0][1]);
    near(velocity, 1.0 - 0.5 * 0.5 * G * ends);
    near(spin, 2.5 * 0.5 * G * 0.5 * ends / 0.01);
    let rolling = run(halfway, 2.0 * ends);
    near(rolling.state().velocities()[0][0], 5.0 / 7.0);
    near(rolling.state().spins()[0][1], 5.0 / 7.0 / 0.01);
}

/// A ball that rolls is slowed down by `5/7 mu_r g`, with either kind of resistance.
#[test]
fn rolling_dies_down_as_resistance_says() {
    for resistance in [Resistance::constant(0.02), Resistance::spring(0.02)] {
        let grain = resting(STIFFNESS).velocity([0.2, 0.0, 0.0]).spin([0.0, 20.0, 0.0]);
        let rate = 5.0 / 7.0 * 0.02 * G;
        let slower = run(on_floor(rough().rolling(resistance), grain, 0.0), 0.5);
        near(slower.state().velocities()[0][0], 0.2 - rate * 0.5);
        let stopped = run(slower, 1.2 * 0.2 / rate);
        let way = stopped.state().positions()[0][0];
        near(way, 0.5 * 0.04 / rate);
        assert!(stopped.state().velocities()[0][0].abs() < 1e-3);
        let given = stopped.energies().total() + stopped.dissipated();
        within(given - 0.01 * stopped.state().masses()[0] * G, 0.7 * stopped.state().masses()[0] * 0.04, 0.02);
    }
}

/// A ball on a slope rolls with `5/7 g (sin - mu_r cos)`, and stays where the slope is below the resistance, if a spring holds it.
#[test]
fn a_slope_steeper_than_the_resistance_lets_a_ball_roll() {
    let angle = 0.2f64;
    for resistance in [Resistance::constant(0.05), Resistance::spring(0.05)] {
        let rolling = run(on_floor(rough().rolling(resistance), resting(STIFFNESS), angle), 0.4);
        near(rolling.state().velocities()[0][0], 5.0 / 7.0 * G * (angle.sin() - 0.05 * angle.cos()) * 0.4);
    }
    let held = run(on_floor(rough().rolling(Resistance::spring(0.25)), resting(STIFFNESS), angle), 0.4);
    assert!(held.state().velocities()[0][0].abs() < 1e-6, "{:?}", held.state().velocities());
    assert!(held.state().positions()[0][0].abs() < 1e-4);
}

/// A disc in the plane: `2/3 mu_r g`.
#[test]
fn a_disc_in_the_plane_is_slowed_down_too() {
    for resistance in [Resistance::constant(0.03), Resistance::spring(0.03)] {
        let law = ContactLaw::linear(1e5).restitution(0.5).friction(0.5).rolling(resistance);
        let mut simulation = Setup::new()
            .material(Material::new(10.0, law))
            .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
            .gravity([0.0, -G])
            .time_step(TimeStep::Fraction(0.01))
            .build([Grain::at([0.0, 0.01], 0.01).velocity([0.2, 0.0]).spin([0.0, 0.0, -20.0])])
            .unwrap();
        simulation.run_until(0.5).unwrap();
        near(simulation.state().velocities()[0][0], 0.2 - 2.0 / 3.0 * 0.03 * G * 0.5);
    }
}

/// A top: the torque `mu r m g` takes `5/2 mu g / r` from its spin.
#[test]
fn twisting_dies_down_as_resistance_says() {
    for resistance in [Resistance::constant(0.01), Resistance::spring(0.01)] {
        let grain = resting(STIFFNESS).spin([0.0, 0.0, 30.0]);
        let slower = run(on_floor(rough().twisting(resistance), grain, 0.0), 0.5);
        let rate = 2.5 * 0.01 * G / 0.01;
        near(slower.state().spins()[0][2], 30.0 - 0.5 * rate);
        let stopped = run(slower, 1.5 * 30.0 / rate);
        assert!(stopped.state().spins()[0][2].abs() < 0.05, "{:?}", stopped.state().spins());
    }
}

/// Two balls that twist on each other: what one loses the other gains.
#[test]
fn twisting_and_rolling_keep_angular_momentum() {
    let law = ContactLaw::hertz(1e8, 0.3).restitution(0.5).friction(0.4);
    let law = law.rolling(Resistance::spring(0.1)).twisting(Resistance::spring(0.1));
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, law))
        .time_step(TimeStep::Fraction(2e-3))
        .impact_speed(1.0)
        .build([
            Grain::at([0.0; 3], 0.01).velocity([0.5, 0.05, 0.0]).spin([30.0, -20.0, 5.0]),
            Grain::at([0.0301, 0.001, -0.002], 0.02).spin([-3.0, 4.0, 5.0]),
        ])
        .unwrap();
    let (before, energy) = (simulation.angular_momentum(), simulation.energies().total());
    simulation.run(2000).unwrap();
    assert!(simulation.contact_count() == 0 && simulation.state().spins()[0][0] < 29.5);
    for (now, before) in simulation.angular_momentum().iter().zip(before) {
        assert!((now - before).abs() < 1e-4 * before.abs().max(1e-8), "{now} {before}");
    }
    within(simulation.energies().total() + simulation.dissipated(), energy, 1e-3);
}
