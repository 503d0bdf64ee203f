//! Small grains among large ones: where plain Verlet lets them stick.

use multigrain_dem::{ContactLaw, Friction, Grain, Integrator, Material, Setup, TimeStep};

/// How a small grain left the neck of two large ones.
struct Fall {
    /// Height of the last contact over the radius of the ring on which the grain rolls.
    last_contact: f64,
    /// Speed downwards when it has fallen to half that radius below the middle.
    speed: f64,
}

/// Two large grains that touch are held side by side. A small one lies in the neck between them, one degree off the top. It
/// rolls down on a ring around the neck.
fn roll_off_the_neck(ratio: f64, integrator: Integrator, fraction: f64) -> Fall {
    let large = 0.005;
    let small = large / ratio;
    let ring = ((large + small) * (large + small) - large * large).sqrt();
    let friction = Friction { coefficient: 0.5, stiffness_ratio: 0.8, damping_ratio: 0.0 };
    let law = ContactLaw::linear(500.0).restitution(0.5).with_friction(friction);
    let angle = 1.0f64.to_radians();
    let mut simulation = Setup::new()
        .material(Material::new(2500.0, law))
        .gravity([0.0, 0.0, -9.81])
        .integrator(integrator)
        .time_step(TimeStep::Fraction(fraction))
        .build([
            Grain::at([-large, 0.0, 0.0], large).held(),
            Grain::at([large, 0.0, 0.0], large).held(),
            Grain::at([0.0, ring * angle.sin(), ring * angle.cos()], small),
        ])
        .unwrap();
    let (mut last_contact, mut height, mut speed) = (f64::INFINITY, ring, 0.0);
    while height > -0.5 * ring {
        assert!(simulation.time() < 0.5, "it never falls");
        simulation.run(10).unwrap();
        let place = simulation.state().place_of(2).unwrap();
        (height, speed) = (simulation.state().positions()[place][2], -simulation.state().velocities()[place][2]);
        let touches = simulation.contacts().iter().any(|contact| contact.ids[1] == 2);
        if touches {
            last_contact = height / ring;
        }
    }
    Fall { last_contact, speed }
}

/// Once the pull along the ring's radius no longer makes the grain follow the ring it has to leave, and that is well above
/// the middle: there the large grains could only pull.
#[test]
fn a_small_grain_rolls_off_the_neck_of_two_large_ones() {
    for ratio in [5.0, 20.0] {
        let fine = roll_off_the_neck(ratio, Integrator::Gear, 0.01);
        for integrator in [Integrator::Verlet, Integrator::Gear] {
            let fall = roll_off_the_neck(ratio, integrator, 0.02);
            assert!(fall.last_contact > 0.1, "{integrator:?}, ratio {ratio}: touches at {}", fall.last_contact);
            assert!((fall.speed / fine.speed - 1.0).abs() < 0.02, "{integrator:?}, ratio {ratio}: {}", fall.speed);
        }
    }
}

/// What the synchronised velocities are for: without them the grain hangs on below the middle at a size ratio of 20, and a
/// smaller time step does not help.
#[test]
fn without_synchronised_velocities_a_small_grain_sticks() {
    for fraction in [0.02, 0.01] {
        let fall = roll_off_the_neck(20.0, Integrator::PlainVerlet, fraction);
        assert!(fall.last_contact < -0.1, "{fraction}: touches last at {}", fall.last_contact);
    }
    assert!(roll_off_the_neck(2.0, Integrator::PlainVerlet, 0.02).last_contact > 0.1);
}
