//! Free fall, and grains that lie on each other.

use super::{G, near, on_floor, within};
use multigrain_dem::{ContactLaw, Grain, Integrator, Material, Setup, TimeStep, Wall};

#[test]
fn a_grain_falls_as_in_free_fall() {
    for integrator in [Integrator::Verlet, Integrator::PlainVerlet, Integrator::Gear] {
        let mut simulation = Setup::new()
            .material(Material::new(1.0, ContactLaw::linear(1e4)))
            .gravity([0.0, -G])
            .integrator(integrator)
            .time_step(TimeStep::Given(1e-3))
            .build([Grain::at([0.0, 1.0], 0.1).velocity([2.0, 3.0])])
            .unwrap();
        simulation.run(500).unwrap();
        let [x, y] = simulation.state().positions()[0];
        within(x, 1.0, 1e-9);
        within(y, 1.0 + 3.0 * 0.5 - 0.5 * G * 0.25, 1e-9);
    }
}

/// Each contact of a column bears what is above it.
#[test]
fn overlaps_in_a_stack_are_those_of_the_weights() {
    let stiffness = 1e4;
    let mut simulation = Setup::new()
        .material(Material::new(2500.0, ContactLaw::linear(stiffness).restitution(0.1)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([0.0, 0.0, -G])
        .build((0..5).map(|k| Grain::at([0.0, 0.0, 0.01 + 0.02 * f64::from(k)], 0.01)))
        .unwrap();
    simulation.run_until(0.5).unwrap();
    let weight = simulation.state().masses()[0] * G;
    near(simulation.wall_contacts()[0].overlap, 5.0 * weight / stiffness);
    for (k, contact) in simulation.contacts().iter().enumerate() {
        near(contact.overlap, (4 - k) as f64 * weight / stiffness);
    }
}

/// A bounce from a height reaches the square of the restitution of it.
#[test]
fn a_bounce_reaches_the_square_of_the_restitution() {
    for law in [ContactLaw::linear(1e6), ContactLaw::hertz(1e9, 0.3)] {
        let mut simulation = on_floor(law.restitution(0.7), Grain::at([0.0, 0.0, 0.06], 0.01), 0.0);
        let (mut top, mut has_hit) = (0.0f64, false);
        for _ in 0..200_000 {
            simulation.step().unwrap();
            let upwards = simulation.state().velocities()[0][2];
            has_hit |= upwards > 0.0;
            top = if has_hit { top.max(simulation.state().positions()[0][2]) } else { top };
            if has_hit && upwards < 0.0 {
                break;
            }
        }
        near(top - 0.01, 0.49 * 0.05);
    }
}
