//! Impacts: straight, oblique and spinning, with the laws of Hooke, Hertz and Mindlin.

use super::near;
use multigrain_dem::{ContactLaw, Friction, Grain, Integrator, Material, Setup, Simulation, TimeStep, Wall};
use std::f64::consts::PI;

const STEEL: ContactLaw = ContactLaw::hertz(1e9, 0.25);

/// A sphere of radius 0.01 that hits a wall: its velocity along the wall, along the normal, and its spin, before and after.
fn thrown(law: ContactLaw, [along, down, spin]: [f64; 3], integrator: Integrator) -> [f64; 3] {
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, law))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .integrator(integrator)
        .time_step(TimeStep::Fraction(2e-3))
        .impact_speed(down)
        .build([Grain::at([0.0, 0.0, 0.010001], 0.01).velocity([along, 0.0, -down]).spin([0.0, spin, 0.0])])
        .unwrap();
    until_parted(&mut simulation);
    let (velocity, spin) = (simulation.state().velocities()[0], simulation.state().spins()[0]);
    [velocity[0], velocity[2], spin[1]]
}

fn until_parted(simulation: &mut Simulation<3>) {
    let mut has_touched = false;
    for _ in 0..1_000_000 {
        simulation.step().unwrap();
        let touches = simulation.wall_contacts().len() + simulation.contact_count() > 0;
        if has_touched && !touches {
            return;
        }
        has_touched |= touches;
    }
    panic!("they never part");
}

fn rough(law: ContactLaw, coefficient: f64) -> ContactLaw {
    law.with_friction(Friction { coefficient, stiffness_ratio: 2.0 / 7.0, damping_ratio: 0.0 })
}

/// The same impact worked out apart: Hertz and Mindlin, or Hooke, with friction, by small steps of Heun's method for the motion and a spring
/// that is cut at Coulomb's limit.
fn by_hand(mindlin: bool, friction: f64, [along, down, spin]: [f64; 3]) -> [f64; 3] {
    let (radius, mass) = (0.01, 1000.0 * 4.0 / 3.0 * PI * 1e-6);
    let inertia = 0.4 * mass * radius * radius;
    let effective = 1e9 / (2.0 * (1.0 - 0.0625));
    let shear = 1e9 / 2.5 / (2.0 * (2.0 - 0.25));
    let (mut v, mut w, mut s, mut d, mut spring, steps) = (-down, spin, along, 0.0f64, 0.0f64, 400_000);
    let lasts = match mindlin {
        true => 2.9433 * (1.25 * mass * down * down / (4.0 / 3.0 * effective * f64::sqrt(radius))).powf(0.4) / down,
        false => PI * (mass / 1e6).sqrt(),
    };
    let dt = 1.1 * lasts / f64::from(steps);
    for _ in 0..steps {
        let root = (radius * d.max(0.0)).sqrt();
        let (push, stiffness) = if mindlin {
            (4.0 / 3.0 * effective * root * d.max(0.0), 8.0 * shear * root)
        } else {
            (1e6 * d.max(0.0), 2.0 / 7.0 * 1e6)
        };
        let arm = radius - 0.5 * d.max(0.0);
        if d < 0.0 && v > 0.0 {
            break;
        }
        // The surface of the sphere at the wall: spin about y carries it backwards.
        spring += (s - arm * w) * dt;
        let wanted = -stiffness * spring;
        let most = friction * push;
        let pull = wanted.clamp(-most, most);
        if stiffness > 0.0 && wanted != pull {
            spring = -pull / stiffness;
        }
        v += push / mass * dt;
        s += pull / mass * dt;
        w -= pull * arm / inertia * dt;
        d -= v * dt;
    }
    [s, v, w]
}

#[test]
fn a_straight_impact_with_a_dashpot_leaves_what_its_formula_says() {
    let damping = 5.0;
    let mass = 1000.0 * 4.0 / 3.0 * PI * 1e-6;
    let [_, up, _] = thrown(ContactLaw::linear(1e6).damping(damping), [0.0, 1.0, 0.0], Integrator::Verlet);
    let rate = damping / (2.0 * mass);
    near(up, (-PI * rate / (1e6 / mass - rate * rate).sqrt()).exp());
}

/// Slides all the time: friction takes its share of the change of normal momentum.
#[test]
fn an_impact_that_slides_has_the_friction_of_its_normal_momentum() {
    for law in [ContactLaw::linear(1e6), STEEL] {
        for integrator in [Integrator::Verlet, Integrator::Gear] {
            let [along, up, spin] = thrown(rough(law.restitution(0.8), 0.1), [5.0, 1.0, 0.0], integrator);
            near(up, 0.8);
            near(5.0 - along, 0.1 * 1.8);
            near(spin, 2.5 * 0.1 * 1.8 / 0.01);
        }
    }
}

/// Hooke with tangential motion as fast as normal motion, and nothing that slides: the surface is turned round. A spin of `w` alone
/// leaves with `4/7 r w` along the wall and `-3/7 w`.
#[test]
fn a_spinning_impact_that_sticks_turns_the_surface_round() {
    let [along, up, spin] = thrown(rough(ContactLaw::linear(1e6), 100.0), [0.0, 0.2, 10.0], Integrator::Verlet);
    near(up, 0.2);
    near(along, 4.0 / 7.0 * 0.01 * 10.0);
    near(spin, -3.0 / 7.0 * 10.0);
}

/// A spin so fast that it slides all the time.
#[test]
fn a_spinning_impact_that_slides_has_the_friction_of_its_normal_momentum() {
    for law in [ContactLaw::linear(1e6), STEEL] {
        let [along, _, spin] = thrown(rough(law, 0.2), [0.0, 1.0, 1000.0], Integrator::Verlet);
        near(along, 0.2 * 2.0);
        near(1000.0 - spin, 2.5 * 0.2 * 2.0 / 0.01);
    }
}

/// From impacts that stick to impacts that slide, against an integration apart.
#[test]
fn oblique_and_spinning_impacts_are_those_of_an_integration_apart() {
    let motions =
        [[0.1, 1.0, 0.0], [0.4, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 20.0], [0.0, 1.0, 80.0], [0.5, 1.0, -30.0]];
    for (law, is_mindlin) in [(ContactLaw::linear(1e6), false), (STEEL, true)] {
        for motion in motions {
            let had = thrown(rough(law, 0.3), motion, Integrator::Verlet);
            let wanted = by_hand(is_mindlin, 0.3, motion);
            let scales = [motion[0].abs() + 0.01 * motion[2].abs(), 1.0, 100.0 * motion[0].abs() + motion[2].abs()];
            for k in 0..3 {
                let off = (had[k] - wanted[k]).abs();
                assert!(off < 0.01 * scales[k], "{motion:?}, mindlin {is_mindlin}: {had:?} in place of {wanted:?}");
            }
        }
    }
}

/// Two spheres of unlike masses, head on and off center, without friction: only motion along the normal is exchanged.
#[test]
fn an_oblique_impact_of_smooth_spheres_exchanges_motion_along_the_normal() {
    let angle: f64 = 0.6;
    let normal = [angle.cos(), angle.sin(), 0.0];
    let mut simulation = Setup::new()
        .material(Material::new(1000.0, ContactLaw::hertz(1e11, 0.25).restitution(0.9)))
        .time_step(TimeStep::Fraction(2e-3))
        .impact_speed(1.0)
        .build([Grain::at([0.0; 3], 0.01).velocity([1.0, 0.0, 0.0]), Grain::at(normal.map(|x| 0.03 * x), 0.02)])
        .unwrap();
    until_parted(&mut simulation);
    // One eighth of the mass of the other.
    let pushed = 1.9 * angle.cos() / 9.0;
    let velocities = simulation.state().velocities();
    near(velocities[1][0], pushed * normal[0]);
    near(velocities[1][1], pushed * normal[1]);
    near(velocities[0][0], 1.0 - 8.0 * pushed * normal[0]);
}
