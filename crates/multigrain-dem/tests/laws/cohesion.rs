//! Adhesion of surfaces and liquid bridges: pull-off forces, where contacts end, what impacts lose.

use super::{G, RADIUS, near, on_floor, pulled, within};
use multigrain_dem::{Bridge, Cohesion, ContactLaw, Grain, Material, Setup, TimeStep};
use std::f64::consts::PI;

const SOFT: ContactLaw = ContactLaw::hertz(1e6, 0.3);
const ENERGY: f64 = 0.2;

fn effective() -> f64 {
    1e6 / (2.0 * (1.0 - 0.09))
}

/// Largest pull, and the gap at which the last pull was seen, of spheres that are pulled apart from an overlap.
fn pull_off(law: ContactLaw, from: f64, to: f64) -> (f64, f64) {
    let (mut largest, mut last) = (0.0f64, f64::NEG_INFINITY);
    let steps = 20_000;
    pulled(law, from, (to - from) / 2e-2, steps, |gap, pull| {
        largest = largest.max(pull);
        last = if pull > 0.0 { last.max(gap) } else { last };
    });
    (largest, last)
}

#[test]
fn jkr_is_pulled_off_with_three_halves_of_pi_w_r() {
    let (pull, gap) = pull_off(SOFT.cohesion(Cohesion::Jkr { energy: ENERGY }), -1e-4, 1e-4);
    near(pull, 1.5 * PI * ENERGY * RADIUS);
    // Where the contact radius is the root of `pi w R^2 / (8 E*)` of power three.
    let radius = (PI * ENERGY * RADIUS * RADIUS / (8.0 * effective())).cbrt();
    near(gap, 3.0 * radius * radius / RADIUS);
}

#[test]
fn dmt_is_pulled_off_with_two_pi_w_r() {
    for law in [SOFT, ContactLaw::linear(1e3)] {
        let (pull, gap) = pull_off(law.cohesion(Cohesion::Dmt { energy: ENERGY }), -2e-5, 1e-6);
        near(pull, 2.0 * PI * ENERGY * RADIUS);
        assert!(gap < 1e-8, "{gap}");
    }
}

#[test]
fn linear_adhesion_falls_over_its_range() {
    let law = ContactLaw::linear(1e3).cohesion(Cohesion::Linear { force: 0.01, range: 1e-4 });
    pulled(law, -2e-5, 0.01, 20_000, |gap, pull| {
        let wanted = if gap > 0.0 { 0.01 * (1.0 - gap / 1e-4).max(0.0) } else { 0.01 + 1e3 * gap };
        assert!((pull - wanted).abs() < 1e-4 * 0.01, "{gap}: {pull} in place of {wanted}");
    });
}

/// Nothing before they have touched, the whole force where they do, less over the gap, nothing after rupture.
#[test]
fn liquid_bridges_pull_as_their_formulas_say() {
    let bridge = Bridge { tension: 0.072, angle: 30.0, volume: 1e-10 };
    let (r, volume, angle) = (2.0 * RADIUS, 1e-10, 30.0f64.to_radians());
    let whole = 2.0 * PI * r * 0.072 * angle.cos();
    let rupture = (1.0 + 0.5 * angle) * f64::cbrt(volume);
    let willett = |s: f64| {
        let t = s * (r / volume).sqrt();
        whole / (1.0 + 1.05 * t + 2.5 * t * t)
    };
    // In the form of its authors, with half the gap over the immersion.
    let rabinovich = |s: f64| {
        let immersion = 0.5 * s * ((1.0 + 2.0 * volume / (PI * r * s * s)).sqrt() - 1.0);
        whole / (1.0 + s / (2.0 * immersion))
    };
    for (cohesion, formula) in
        [(Cohesion::Willett(bridge), &willett as &dyn Fn(f64) -> f64), (Cohesion::Rabinovich(bridge), &rabinovich)]
    {
        let law = ContactLaw::linear(1e3).cohesion(cohesion);
        pulled(law, 0.5 * rupture, -0.01, 100, |_, pull| assert_eq!(pull, 0.0, "before they touch"));
        let mut seen = 0;
        pulled(law, -1e-6, 1.2 * rupture / 2e-2, 20_000, |gap, pull| {
            let wanted = match gap {
                _ if gap <= 0.0 => whole + 1e3 * gap,
                _ if gap < rupture => formula(gap),
                _ => 0.0,
            };
            assert!((pull - wanted).abs() < 1e-9 + 1e-6 * whole, "{gap}: {pull} in place of {wanted}");
            seen += usize::from(gap > 0.0 && gap < rupture);
        });
        assert!(seen > 10_000);
    }
}

/// A grain under a ceiling hangs as long as its weight is below the pull-off force.
#[test]
fn a_grain_hangs_as_long_as_its_weight_is_below_the_pull() {
    let weight = 2500.0 * 4.0 / 3.0 * PI * 1e-6 * G;
    // Upside down: gravity away from the plane.
    let hanging = |cohesion: Cohesion| {
        let law = ContactLaw::hertz(1e7, 0.3).restitution(0.5).cohesion(cohesion);
        let mut simulation = on_floor(law, Grain::at([0.0, 0.0, 0.01 - 1e-7], 0.01), PI);
        simulation.run_until(0.05).unwrap();
        simulation.state().positions()[0][2] < 0.0101
    };
    let jkr = |share: f64| Cohesion::Jkr { energy: share * weight / (1.5 * PI * 0.01) };
    let dmt = |share: f64| Cohesion::Dmt { energy: share * weight / (2.0 * PI * 0.01) };
    assert!(hanging(dmt(1.05)) && !hanging(dmt(0.95)));
    assert!(hanging(jkr(1.3)) && !hanging(jkr(0.9)));
}

/// An impact of JKR loses what it takes to tear surfaces off that had come together by themselves: `7.09 (w^5 R^4 / E*^2)^(1/3)`
/// (Johnson and Pollock; Thornton and Ning). Slower ones stick.
#[test]
fn an_adhesive_impact_loses_the_work_of_tearing() {
    let collided = |speed: f64| {
        let mut simulation = Setup::<3>::new()
            .material(Material::new(2500.0, SOFT.cohesion(Cohesion::Jkr { energy: ENERGY })))
            .impact_speed(speed)
            .time_step(TimeStep::Fraction(2e-3))
            .build([Grain::at([0.0; 3], 0.01).velocity([speed, 0.0, 0.0]), Grain::at([0.03001, 0.0, 0.0], 0.02)])
            .unwrap();
        let before = simulation.energies().total();
        simulation.run(3000).unwrap();
        within(simulation.energies().total() + simulation.dissipated(), before, 2e-3);
        simulation
    };
    let lost = 7.09 * (ENERGY.powi(5) * RADIUS.powi(4) / effective().powi(2)).cbrt();
    let masses = [1.0f64, 8.0].map(|cubed| 2500.0 * 4.0 / 3.0 * PI * 1e-6 * cubed);
    let mass = masses[0] * masses[1] / (masses[0] + masses[1]);
    let slowest = (2.0 * lost / mass).sqrt();
    let parted = collided(3.0 * slowest);
    assert_eq!(parted.contact_count(), 0);
    near(parted.dissipated(), lost);
    assert_eq!(collided(0.9 * slowest).contact_count(), 1, "it sticks");
    assert_eq!(collided(1.2 * slowest).contact_count(), 0, "it comes off");
}

/// Bridges that rupture take the work of stretching them.
#[test]
fn an_impact_of_wet_grains_loses_the_work_of_the_bridge() {
    let bridge = Bridge { tension: 0.072, angle: 0.0, volume: 1e-10 };
    let law = ContactLaw::linear(1e4).cohesion(Cohesion::Rabinovich(bridge));
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, law))
        .time_step(TimeStep::Fraction(5e-3))
        .build([Grain::at([0.0; 3], 0.01).velocity([0.2, 0.0, 0.0]), Grain::at([0.03001, 0.0, 0.0], 0.02)])
        .unwrap();
    simulation.run(20_000).unwrap();
    assert_eq!(simulation.contact_count(), 0);
    let (r, rupture) = (2.0 * RADIUS, f64::cbrt(1e-10));
    let squared: f64 = 2.0 * 1e-10 / (PI * r);
    let work = rupture + squared.sqrt() - (rupture * rupture + squared).sqrt();
    near(simulation.dissipated(), 2.0 * PI * r * 0.072 * work);
}

/// Friction of bodies that hold on to each other is a share of what presses the surfaces together, their pull included.
#[test]
fn friction_bears_on_adhesion_too() {
    let weight = 2500.0 * 4.0 / 3.0 * PI * 1e-6 * G;
    let law =
        ContactLaw::linear(1e5).restitution(0.3).friction(0.5).cohesion(Cohesion::Linear { force: weight, range: 0.0 });
    let grain = Grain::at([0.0, 0.0, 0.01 - 2.0 * weight / 1e5], 0.01).velocity([1.0, 0.0, 0.0]);
    let mut simulation = on_floor(law, grain, 0.0);
    simulation.run_until(0.02).unwrap();
    near(1.0 - simulation.state().velocities()[0][0], 0.5 * 2.0 * G * 0.02);
}
