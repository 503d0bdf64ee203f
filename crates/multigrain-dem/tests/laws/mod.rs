//! Laws against formulas, one family a file: what comes of a contact is worked out by hand, or by an integration of its own, and must be
//! had within a percent.

mod bits;
mod bonds;
mod cohesion;
mod drag;
mod falls;
mod heat;
mod impacts;
mod keys;
mod plastic;
mod rolling;

use multigrain_dem::{ContactLaw, Grain, Material, Setup, Simulation, TimeStep, Wall};

/// Whether a number is what it should be, within a percent.
#[track_caller]
fn near(had: f64, wanted: f64) {
    within(had, wanted, 0.01);
}

#[track_caller]
fn within(had: f64, wanted: f64, share: f64) {
    assert!((had - wanted).abs() <= share * wanted.abs(), "{had} in place of {wanted}");
}

const G: f64 = 9.81;

/// A sphere of radius 0.01 and density 2500 that lies on a floor, or flies above it, under gravity that is turned by this angle.
fn on_floor(law: ContactLaw, grain: Grain<3>, angle: f64) -> Simulation<3> {
    Setup::new()
        .material(Material::new(2500.0, law))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([G * angle.sin(), 0.0, -G * angle.cos()])
        .impact_speed(1.0)
        .time_step(TimeStep::Fraction(0.01))
        .build([grain])
        .unwrap()
}

/// Where a sphere on the floor rests with a linear law.
fn resting(stiffness: f64) -> Grain<3> {
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    Grain::at([0.0, 0.0, 0.01 - mass * G / stiffness], 0.01)
}

/// Two held spheres of radii 0.01 and 0.02, of which the second moves away from the first along x at this speed: `f(gap)` of the pull
/// between them, below 0 where they push, and of the contact's other force. `look` is shown gap and pull after each step.
fn pulled(law: ContactLaw, gap: f64, speed: f64, steps: u64, mut look: impl FnMut(f64, f64)) {
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, law))
        .time_step(TimeStep::Given(1e-6))
        .build([
            Grain::at([0.0; 3], 0.01).held(),
            Grain::at([0.03 + gap, 0.0, 0.0], 0.02).velocity([speed, 0.0, 0.0]).held(),
        ])
        .unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
        let positions = simulation.state().positions();
        let gap = (positions[1][0] - positions[0][0]).abs() - 0.03;
        look(gap, -simulation.contacts().first().map_or(0.0, |contact| contact.force[0]));
    }
}

/// Effective radius of those two.
const RADIUS: f64 = 0.02 / 3.0;
