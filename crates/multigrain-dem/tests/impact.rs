//! Impacts whose outcome is known from formulas.

use multigrain_dem::{ContactLaw, Friction, Grain, Integrator, Material, Setup, Simulation, TimeStep, Wall};
use std::f64::consts::PI;

const EVERY: [Integrator; 3] = [Integrator::Verlet, Integrator::PlainVerlet, Integrator::Gear];

/// Two spheres that are about to hit each other head on, the second at rest.
fn head_on(law: ContactLaw, integrator: Integrator, fraction: f64) -> Simulation<3> {
    Setup::new()
        .material(Material::new(1000.0, law))
        .integrator(integrator)
        .time_step(TimeStep::Fraction(fraction))
        .impact_speed(2.0)
        .build([Grain::at([0.0; 3], 0.01).velocity([2.0, 0.0, 0.0]), Grain::at([0.0301, 0.0, 0.0], 0.02)])
        .unwrap()
}

/// Runs until the spheres have met and parted: how long they touched, and the largest force between them.
fn collide(simulation: &mut Simulation<3>) -> (f64, f64) {
    let (mut touched, mut largest, mut parted) = (0, 0.0f64, false);
    while !parted {
        simulation.step().unwrap();
        let contacts = simulation.contacts();
        touched += contacts.len();
        largest = contacts.iter().map(|contact| contact.force[0].abs()).fold(largest, f64::max);
        parted = touched > 0 && contacts.is_empty();
        assert!(simulation.steps() < 1_000_000, "they never part");
    }
    (touched as f64 * simulation.time_step(), largest)
}

fn velocity(simulation: &Simulation<3>, id: u64) -> [f64; 3] {
    simulation.state().velocities()[simulation.state().place_of(id).unwrap()]
}

fn effective_mass(simulation: &Simulation<3>) -> f64 {
    let masses = simulation.state().masses();
    1.0 / (1.0 / masses[0] + 1.0 / masses[1])
}

#[test]
fn an_elastic_impact_lasts_half_a_period_and_keeps_momentum_and_energy() {
    for integrator in EVERY {
        let stiffness = 1e4;
        let mut simulation = head_on(ContactLaw::linear(stiffness), integrator, 1e-3);
        let (momentum, energy) = (simulation.momentum()[0], simulation.energies().total());
        let (lasted, largest) = collide(&mut simulation);
        let mass = effective_mass(&simulation);
        let expected = PI * (mass / stiffness).sqrt();
        assert!((lasted / expected - 1.0).abs() < 3e-3, "{integrator:?}: lasted {lasted}, expected {expected}");
        assert!((largest / (2.0 * (mass * stiffness).sqrt()) - 1.0).abs() < 1e-4, "{integrator:?}: force {largest}");
        assert!((simulation.momentum()[0] / momentum - 1.0).abs() < 1e-13);
        assert!((simulation.energies().total() / energy - 1.0).abs() < 1e-5, "{integrator:?}");
        let parting = velocity(&simulation, 1)[0] - velocity(&simulation, 0)[0];
        assert!((parting / 2.0 - 1.0).abs() < 1e-5, "{integrator:?}: parts with {parting}");
    }
}

#[test]
fn the_restitution_asked_for_is_had_with_both_laws_whatever_the_speed() {
    for integrator in EVERY {
        for share in [0.9, 0.5, 0.1] {
            for law in [ContactLaw::linear(1e4), ContactLaw::hertz(1e7, 0.3)] {
                let mut simulation = head_on(law.restitution(share), integrator, 1e-3);
                collide(&mut simulation);
                let had = (velocity(&simulation, 1)[0] - velocity(&simulation, 0)[0]) / 2.0;
                assert!((had - share).abs() < 0.012, "{integrator:?} {law:?}: {had} in place of {share}");
            }
        }
    }
}

#[test]
fn a_dashpot_makes_an_impact_longer_as_its_formula_says() {
    let (stiffness, damping) = (1e4, 3.0);
    let mut simulation = head_on(ContactLaw::linear(stiffness).damping(damping), Integrator::Verlet, 1e-3);
    let (lasted, _) = collide(&mut simulation);
    let mass = effective_mass(&simulation);
    let frequency = (stiffness / mass - (damping / (2.0 * mass)).powi(2)).sqrt();
    assert!((lasted * frequency / PI - 1.0).abs() < 3e-3);
    let had = (velocity(&simulation, 1)[0] - velocity(&simulation, 0)[0]) / 2.0;
    assert!((had / (-PI * damping / (2.0 * mass * frequency)).exp() - 1.0).abs() < 3e-3);
}

#[test]
fn hertz_has_its_peak_force_and_duration() {
    for integrator in EVERY {
        let mut simulation = head_on(ContactLaw::hertz(1e7, 0.3), integrator, 1e-3);
        let (lasted, largest) = collide(&mut simulation);
        let (mass, radius) = (effective_mass(&simulation), 0.01 * 0.02 / 0.03);
        let stiffness = 4.0 / 3.0 * 1e7 / (2.0 * (1.0 - 0.09)) * f64::sqrt(radius);
        let overlap = (1.25 * mass * 4.0 / stiffness).powf(0.4);
        assert!((largest / (stiffness * overlap.powf(1.5)) - 1.0).abs() < 1e-4, "{integrator:?}: {largest}");
        assert!((lasted / (2.943_275 * overlap / 2.0) - 1.0).abs() < 3e-3, "{integrator:?}: {lasted}");
    }
}

#[test]
fn a_step_is_the_fraction_asked_for_of_the_shortest_contact() {
    let simulation = head_on(ContactLaw::linear(1e4), Integrator::Verlet, 0.02);
    let lightest = simulation.state().masses().iter().copied().fold(f64::INFINITY, f64::min);
    let shortest = PI * (lightest / 2.0 / 1e4).sqrt();
    assert!((simulation.time_step() / (0.02 * shortest) - 1.0).abs() < 1e-12);
}

/// A ball thrown at a wall, at an angle.
fn oblique(friction: f64, sideways: f64, integrator: Integrator) -> Simulation<3> {
    let friction = Friction { coefficient: friction, stiffness_ratio: 2.0 / 7.0, damping_ratio: 0.0 };
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e5).with_friction(friction)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .integrator(integrator)
        .time_step(TimeStep::Fraction(1e-3))
        .build([Grain::at([0.0, 0.0, 0.0101], 0.01).velocity([sideways, 0.0, -1.0])])
        .unwrap();
    simulation.run(3000).unwrap();
    assert!(simulation.wall_contacts().is_empty());
    simulation
}

/// An impact that slides all the time: the wall takes friction times the change of normal momentum, and spins the ball with
/// its radius, less half the overlap, as arm: nearly `5/2 mu (1 + e) v_n / r`.
#[test]
fn a_sliding_impact_loses_friction_times_the_normal_momentum() {
    for integrator in EVERY {
        let simulation = oblique(0.1, 5.0, integrator);
        let (velocity, spin) = (simulation.state().velocities()[0], simulation.state().spins()[0]);
        assert!((velocity[2] - 1.0).abs() < 1e-4, "{integrator:?}: {velocity:?}");
        assert!((velocity[0] - (5.0 - 0.1 * 2.0)).abs() < 2e-3, "{integrator:?}: {velocity:?}");
        let full_arm = 2.5 * 0.1 * 2.0 / 0.01;
        assert!(spin[1] < full_arm && spin[1] > 0.985 * full_arm, "{integrator:?}: {spin:?}");
        assert_eq!((velocity[1], spin[0], spin[2]), (0.0, 0.0, 0.0));
    }
}

/// An impact that sticks: with tangential and normal motion of the same duration, the sliding velocity of the surface is
/// turned round.
#[test]
fn a_sticking_impact_turns_the_motion_of_the_surface_round() {
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let simulation = oblique(100.0, 0.5, integrator);
        let (velocity, spin) = (simulation.state().velocities()[0], simulation.state().spins()[0]);
        // At the lowest point the spin about y adds its radius times -spin to the velocity along x.
        let surface = velocity[0] - 0.01 * spin[1];
        assert!((surface + 0.5).abs() < 0.01, "{integrator:?}: surface {surface}");
        let energy = simulation.energies().total();
        let before = 0.5 * simulation.state().masses()[0] * (1.0 + 0.25);
        assert!((energy / before - 1.0).abs() < 3e-3, "{integrator:?}: {energy} of {before}");
    }
}

/// Two spheres that meet at an angle: contact forces turn nothing that they do not also push.
#[test]
fn an_oblique_impact_of_two_keeps_momentum_and_angular_momentum() {
    for integrator in EVERY {
        let mut simulation = Setup::new()
            .material(Material::new(1000.0, ContactLaw::linear(1e4).restitution(0.7).friction(0.4)))
            .integrator(integrator)
            .time_step(TimeStep::Fraction(2e-3))
            .build([
                Grain::at([0.0; 3], 0.01).velocity([2.0, 0.3, -0.1]).spin([5.0, -30.0, 12.0]),
                Grain::at([0.028, 0.012, -0.004], 0.02).velocity([-0.4, 0.0, 0.2]).spin([1.0, 2.0, -40.0]),
            ])
            .unwrap();
        let (momentum, turning) = (simulation.momentum(), simulation.angular_momentum());
        let energy = simulation.energies().total();
        collide(&mut simulation);
        for axis in 0..3 {
            assert!((simulation.momentum()[axis] - momentum[axis]).abs() < 1e-12 * momentum[0].abs());
            let change = simulation.angular_momentum()[axis] - turning[axis];
            assert!(change.abs() < 1e-5 * turning[2].abs(), "{integrator:?}: {change}");
        }
        let left = simulation.energies().total() / energy;
        assert!(left > 0.3 && left < 0.99, "{integrator:?}: {left}");
    }
}

/// With the linear law and Hertz, weak and overdamped: bodies never pull each other, and what is left is what was asked for.
#[test]
fn dashpots_that_never_pull_leave_the_restitution_asked_for() {
    for share in [0.9, 0.5, 0.2, 0.1, 0.05] {
        for law in [ContactLaw::linear(1e4), ContactLaw::hertz(1e7, 0.3)] {
            let mut pulled = 0.0_f64;
            for law in [law.restitution(share), law.restitution(share).no_pull()] {
                let mut simulation = head_on(law, Integrator::Verlet, 2e-4);
                let before = simulation.energies().total();
                let (mut smallest, mut touched, mut parted) = (f64::INFINITY, false, false);
                while !parted {
                    simulation.step().unwrap();
                    let contacts = simulation.contacts();
                    for contact in &contacts {
                        let push = contact.force[0] * contact.normal[0];
                        smallest = smallest.min(push);
                    }
                    touched |= !contacts.is_empty();
                    parted = touched && contacts.is_empty();
                }
                let had = (velocity(&simulation, 1)[0] - velocity(&simulation, 0)[0]) / 2.0;
                let account = simulation.energies().total() + simulation.dissipated() - before;
                assert!(account.abs() < 1e-5 * before, "{law:?}: {account} of {before}");
                if law == law.no_pull() {
                    assert!((had - share).abs() < 1e-3, "{law:?}: {had} in place of {share}");
                    assert!(smallest >= 0.0, "{law:?}: pulled with {smallest}");
                    assert!(pulled < 0.0, "the same law pulls with {pulled}");
                } else {
                    pulled = smallest;
                }
            }
        }
    }
}
